// The report of a study: factors or a sweep, effects, couplings, response curves, cases.
import { download, h, section, table } from "./dom.js";
import { block, floats } from "./data.js";
import { bars } from "./bars.js";
import { bar, digits, percent, quantity, scaleFor } from "./units.js";
import { capital, columnWords, isApart, isRoundOff, list, minus, plural, sentence } from "./words.js";
import { palette, plot, showInstant } from "./plot.js";
import { addHold } from "./hold.js";
import { makeStage } from "./stage.js";
import { manifestTable, publishedRows } from "./run.js";
import { page } from "./frame.js";

const accent = "#0072b2", warm = "#d55e00", grey = "#9aa7b3";

/// {columns: "id, name", rows} as objects.
export function objects({ columns, rows }) {
  const names = columns.split(", ");
  return rows.map((row) => Object.fromEntries(names.map((name, k) => [name, row[k]])));
}

/// The tables of a study, with what belongs together put together.
export function readStudy(tables) {
  const study = Object.fromEntries(Object.entries(tables).map(([name, t]) => [name, objects(t)]));
  study.about = Object.fromEntries(study.about.map(({ key, value }) => [key, value]));
  study.factors.forEach((f) => (f.levels = study.levels.filter((l) => l.factor_id === f.id)));
  study.cases.forEach((c) => {
    c.levels = [];
    c.results = [];
    c.ledger = {};
  });
  const byId = new Map(study.cases.map((c) => [c.id, c]));
  for (const l of study.case_levels) byId.get(l.case_id).levels[l.factor_id] = l.level_id;
  for (const r of study.results) byId.get(r.case_id).results[r.output_id] = r;
  for (const l of study.ledgers) byId.get(l.case_id).ledger[l.name] = l.value;
  for (const t of study.timing) byId.get(t.case_id).wallTime = t.wall_time;
  study.case = (id) => byId.get(id);
  study.isSweep = study.about.design === "sweep";
  if (study.about.analysis === "elastodynamics") for (const o of study.outputs) o.unit = frequencyUnit(o.unit);
  return study;
}

/// Circular frequencies are no rates of turns: not in degrees.
const frequencyUnit = (unit) => (unit === "rad/s" ? "rad/s " : unit);

const active = (c) => c.levels.filter((l) => l !== 0).length;
const labelOf = (output) => sentence(output.label && output.label !== output.name ? output.label : output.name.replaceAll("_", " ")).replace(/\.$/, "");

/// How to show values of an output up to `most`; parts of a peak are percentages.
const scaleIn = (output, most) => (output.measure === "relative peak" ? { factor: 100, unit: "%" } : scaleFor(output.unit ?? "", most));

/// A value beside bars of `scale`: in its own unit where it is below a hundredth of that one.
function ownText(output, value, scale) {
  const own = scaleIn(output, value), size = Math.abs(value * scale.factor);
  return size > 0 && size < 1e-2 && own.unit !== scale.unit ? `${digits(value * own.factor, 4)} ${own.unit}` : undefined;
}

/// A scale for an output that fits the largest of its values; `mixed`: values that are too far apart for one unit have their own.
function outputScale(study, output) {
  const values = study.cases.map((c) => Math.abs(c.results[output.id]?.value ?? 0)).filter(isFinite);
  const most = Math.max(0, ...values), least = Math.min(...values.filter((v) => v > 1e-7 * most));
  const scale = scaleIn(output, most);
  return least < 1e-2 * most && scaleIn(output, least).unit !== scale.unit ? { ...scale, mixed: true } : scale;
}

/// Values that are round-off beside the largest one of their output.
function isNothing(study, output, value) {
  const most = Math.max(0, ...study.cases.map((c) => Math.abs(c.results[output.id]?.value ?? 0)).filter(isFinite));
  return Math.abs(value) < 1e-7 * most;
}

/// {a: {b: "1"}} as "a: b 1".
function settingText(value) {
  if (Array.isArray(value)) return value.map(settingText).join(", ");
  if (value && typeof value === "object") return Object.entries(value).map(([k, v]) => (v && typeof v === "object" && !Array.isArray(v) ? `${k}: ${settingText(v)}` : `${k} ${settingText(v)}`)).join(", ");
  return minus(String(value));
}
const settingRows = (json) => Object.entries(JSON.parse(json || "{}")).map(([key, value]) => [key, settingText(value)]);

// ---- head -------------------------------------------------------------------------------------

function lead(study) {
  const { about } = study;
  if (!study.factors.length) return "";
  const design = study.isSweep
    ? `Parameters ${list(study.factors.map((f) => `${f.name} (${plural(f.levels.length, "value")})`))}: ${plural(study.cases.length, "case")}.`
    : `${list(study.factors.map((f) => f.name))}${study.factors.length > 1 ? ", alone and together" : ""}: ${plural(study.cases.length, "case")}${about.verify === "1" ? ", each repeated for its error bars" : ""}.`;
  return sentence(design);
}

/// The column of an output in words; its name where it has none.
function columnOf({ column_name: name, unit }) {
  const { item, what, unknown } = columnWords(name, unit ?? "");
  return unknown ? name : item ? `${what}, ${item}` : what;
}

const signalTitle = (study, name) => capital(columnOf({ column_name: name, unit: study.signalUnit(name) }));

function keyFigures(study) {
  const items = [];
  const full = study.cases.reduce((most, c) => (active(c) > active(most) ? c : most), study.cases[0]);
  const someMove = study.cases.some((c) => Object.values(c.results).some((r) => r?.value));
  for (const output of study.outputs) {
    if (items.length >= 4) break;
    const results = study.cases.map((c) => ({ c, r: c.results[output.id] })).filter(({ r }) => r && r.value !== null);
    if (!results.length || (someMove && results.every(({ r }) => r.value === 0))) continue;
    const top = results.reduce((most, x) => (Math.abs(x.r.value) > Math.abs(most.r.value) ? x : most));
    const coupling = active(top.c) === active(full) ? study.couplings.find((c) => c.output_id === output.id && c.case_id === top.c.id) : null;
    const scale = scaleIn(output, top.r.value);
    const apart = isApart(top.r.verdict) && top.r.low !== null;
    const number = apart ? `${digits(top.r.low * scale.factor, 2)}–${digits(top.r.high * scale.factor, 2)}` : digits(top.r.value * scale.factor, 4);
    items.push(h("div", {}, h("dt", {}, labelOf(output)), h("dd", {}, number, h("small", {}, scale.unit),
      h("span", { class: "sub" }, apart ? `${top.c.name}, ${top.r.verdict}` : coupling && coupling.verdict === "yes" ? `all together ${percent(coupling.ratio)} of the sum` : top.c.name))));
  }
  const failed = study.cases.filter((c) => c.state === "failed").length;
  const done = study.cases.filter((c) => c.state === "done").length;
  items.push(h("div", {}, h("dt", {}, "Cases"), h("dd", {}, String(done), h("small", {}, `of ${study.cases.length}`),
    h("span", { class: "sub" }, failed ? `${failed} failed` : done < study.cases.length ? "study is not finished" : "all finished"))));
  const compared = study.published.filter((p) => p.ours !== null && p.agrees !== null);
  if (compared.length) items.push(h("div", {}, h("dt", {}, "Published values met"), h("dd", {}, String(compared.filter((p) => p.agrees).length), h("small", {}, `of ${compared.length}`),
    h("span", { class: "sub" }, compared.every((p) => p.agrees) ? "all that can be compared" : "differences are explained below"))));
  return items.slice(0, items.length - (items.length % 2 && items.length > 2 ? 1 : 0));
}

const manyNames = (names) => (names.length > 12 ? `${names.slice(0, 4).join(", ")} … ${names[names.length - 1]}` : names.join(", "));

const analyses = { inverse: "ideal rigid robot, inverse dynamics", simulate: "simulation, deviations from the ideal motion", elastodynamics: "natural frequencies of flexible links", modes: "natural frequencies" };

// ---- what was asked ---------------------------------------------------------------------------

function asked(study) {
  const { about } = study;
  const rows = [["Robot", about.robot], ["Motion", about.motion === "none" ? null : about.motion], ["Analysis", analyses[about.analysis] ?? about.analysis],
    ["Study file", about.file.split("/").pop()], ["Source", about.source]].filter(([, v]) => v);
  const strong = (text) => h("span", { class: "strong" }, text);
  const levels = study.factors.flatMap((f) => (study.isSweep
    ? [[strong(f.name), String(f.levels.length), manyNames(f.levels.map((l) => l.name))]]
    : f.levels.map((l, k) => [k === 0 ? strong(f.name) : "", l.name, settingRows(l.settings).map(([key, text]) => `${key}: ${text}`).join("; ") || h("span", { class: "quiet" }, k === 0 ? "the reference" : "as the study")])));
  return section("asked", "What was asked",
    about.description && about.description.length >= 110 ? h("p", {}, sentence(about.description)) : null,
    h("dl", { class: "asked" }, rows.map(([what, value]) => h("div", {}, h("dt", {}, what), h("dd", {}, value)))),
    study.factors.length ? h("h3", {}, study.isSweep ? "What is varied" : "Factors and their levels") : null, study.factors.length ? table(study.isSweep ? ["Parameter", "Values", ""] : ["Factor", "Level", "Settings"], levels, study.isSweep ? "lrl" : "lll") : null,
    h("h3", {}, "Outputs"), table(["Output", "Measure", "Column"], study.outputs.map((o) => [labelOf(o), o.measure, columnOf(o)]), "lll"));
}

// ---- results ----------------------------------------------------------------------------------

function resultCell(study, output, result, scale) {
  if (!result || result.value === null) return h("span", { class: "quiet" }, "–");
  if (isNothing(study, output, result.value)) return h("span", { class: "quiet" }, "0");
  if (scale.mixed) return resultCell(study, output, result, { ...scaleIn(output, result.value), own: true });
  const value = h("span", { class: "strong" }, digits(result.value * scale.factor, 5), scale.own ? ` ${scale.unit}` : "");
  if (isApart(result.verdict) && result.low !== null)
    return [value, h("br"), h("span", { class: "quiet" }, `${digits(result.low * scale.factor, 3)} … ${digits(result.high * scale.factor, 3)} `), h("span", { class: "badge differs" }, result.verdict)];
  return result.error_bar !== null && result.error_bar > 1e-5 * Math.abs(result.value) ? [value, " ", h("span", { class: "quiet uncertain" }, bar(result.error_bar, scale))] : value;
}

/// A study of one case: an output each row.
function singleResults(study, scales) {
  const [only] = study.cases;
  return section("results", "Results", table(["Output", "Value", "Unit", "At t [s]"], study.outputs.map((o, k) => {
    const r = only.results[o.id];
    return [labelOf(o), resultCell(study, o, r, scales[k]), scales[k].unit, r?.t !== null && r?.t !== undefined ? digits(r.t, 4) : ""];
  }), "lrlr"));
}

function resultSection(study) {
  const scales = study.outputs.map((o) => outputScale(study, o));
  const shown = study.cases.slice(0, 200);
  const nameOf = (c) => (c.state === "failed" ? [c.name, " ", h("span", { class: "badge differs" }, "failed")] : c.name);
  const titleOf = (o, k) => `${labelOf(o)}${scales[k].unit && !scales[k].mixed ? ` [${scales[k].unit}]` : ""}`;
  const cell = (o, k, c) => resultCell(study, o, c.results[o.id], scales[k]);
  const n = study.cases.length;
  if (n === 1) return singleResults(study, scales);
  const charts = study.isSweep || n > 40 || n * study.outputs.length > 70 ? [] : study.outputs.map((output, k) => bars(study.cases.map((c) => {
    const r = c.results[output.id], f = scales[k].factor, apart = isApart(r?.verdict);
    if (r && r.value !== null && isNothing(study, output, r.value)) return { label: c.name, value: 0, colour: grey };
    return { label: c.name, value: (r?.value ?? NaN) * f, low: (apart ? r.low : r?.value - r?.error_bar) * f, high: (apart ? r.high : r?.value + r?.error_bar) * f,
      colour: active(c) === 0 ? grey : active(c) === 1 ? "#7fb8d9" : accent, note: apart ? r.verdict : "", text: r && r.value !== null ? ownText(output, r.value, scales[k]) : undefined };
  }), scales[k].unit, { title: labelOf(output) }));
  return section("results", "Results",
    charts.length ? h("div", { class: "pair" }, charts) : null,
    study.outputs.length > 8 && n < study.outputs.length // the shorter list goes across
      ? table(["Output", ...shown.map(nameOf)], study.outputs.map((o, k) => [titleOf(o, k), ...shown.map((c) => cell(o, k, c))]), `l${"r".repeat(n)}`, { class: n > 5 ? "many" : null })
      : table(["Case", ...study.outputs.map(titleOf)], shown.map((c) => [nameOf(c), ...study.outputs.map((o, k) => cell(o, k, c))]), `l${"r".repeat(study.outputs.length)}`, { class: study.outputs.length > 5 ? "many" : null }),
    study.cases.length > shown.length ? h("p", { class: "note" }, `The first ${shown.length} of ${study.cases.length} cases; cases.csv has all of them.`) : null);
}

// ---- effects ----------------------------------------------------------------------------------

const verdictNotes = { "within error": "within error", chaotic: "chaotic: no claim", "not converged": "not converged: no claim", missing: "a case failed" };

function effectChart(study, output) {
  const effects = study.effects.filter((e) => e.output_id === output.id && e.value !== null);
  if (!effects.length) return null;
  const scale = scaleIn(output, Math.max(...effects.map((e) => Math.abs(e.value))));
  const twoLevels = study.factors.every((f) => f.levels.length === 2);
  const most = Math.max(...effects.map((e) => Math.abs(e.value)));
  const shown = effects.filter((e) => Math.abs(e.value) >= 1e-7 * most || e.n_factor === 1);
  return bars(shown.map((e) => ({
    label: `${e.term.replaceAll(" x ", " × ")}${twoLevels ? "" : ` (${(e.levels ?? "").replaceAll(" x ", " × ")})`}`,
    value: Math.abs(e.value) < 1e-7 * most ? 0 : e.value * scale.factor, text: Math.abs(e.value) < 1e-7 * most ? undefined : ownText(output, e.value, scale),
    low: (e.value - e.error_bar) * scale.factor, high: (e.value + e.error_bar) * scale.factor,
    colour: isApart(e.verdict) || e.verdict === "missing" ? "#d5dce2" : e.n_factor === 1 ? accent : warm,
    note: verdictNotes[e.verdict] ?? (e.share !== null ? `${percent(e.share)} of variance` : ""), quiet: e.verdict !== "yes",
  })), scale.unit, { title: labelOf(output) });
}

function effectSection(study) {
  const charts = study.outputs.map((o) => effectChart(study, o)).filter(Boolean);
  if (study.isSweep || !charts.length) return null;
  return section("effects", ["Effects and interactions", "Effects"],
    h("p", {}, "Blue: what a factor does alone. Orange: by how much factors together differ from the sum of what they do, an interaction. Whiskers are error bars."),
    h("div", { class: "pair" }, charts));
}

// ---- couplings --------------------------------------------------------------------------------

function additivity(c) {
  if (c.verdict !== "yes") return h("span", { class: "badge plain" }, verdictNotes[c.verdict] ?? c.verdict);
  if (Math.abs(c.ratio - 1) <= 0.02) return h("span", { class: "badge good" }, "as the sum");
  return h("span", { class: "badge differs" }, c.ratio > 1 ? "above the sum" : "below the sum");
}

/// Single deviations, their sum and the coupled one over time.
function couplingPlot(study, output, coupled, deviations, time) {
  const get = (id, kind) => deviations.get(`${output.id} ${id} ${kind}`);
  const sum = get(coupled.id, "sum"), own = get(coupled.id, "case");
  if (!sum || !own) return null;
  const singles = study.cases.filter((c) => active(c) === 1 && c.levels.every((l, f) => l === 0 || l === coupled.levels[f]));
  const column = output.column_name, unit = study.signalUnit(column) ?? output.unit;
  return plot({
    title: labelOf(output), unit, x: { values: time, unit: "s" }, height: 240,
    series: [
      ...singles.map((c, k) => ({ label: c.name, values: get(c.id, "case") ?? [], colour: ["#8a97a3", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"][k % 5], width: 1.1 })).filter((s) => s.values.length),
      { label: "sum of the single ones", values: sum, colour: accent, dash: [6, 4], width: 1.9 },
      { label: "coupled", values: own, colour: warm, width: 1.9 },
    ],
  });
}

/// Sums and coupled peaks of all outputs.
function couplingTable(study) {
  const rows = study.outputs.flatMap((output) => {
    const mine = study.couplings.filter((c) => c.output_id === output.id);
    if (!mine.length) return [];
    const most = Math.max(...mine.map((c) => Math.abs(c.coupled)));
    return mine.map((c, k) => {
      const scale = scaleIn(output, Math.max(Math.abs(c.coupled), Math.abs(c.sum)));
      const number = (v) => (Math.abs(v) < 1e-7 * most ? "0" : digits(v * scale.factor, 4));
      return [k === 0 ? h("span", { class: "strong" }, labelOf(output)) : "", study.case(c.case_id).name, number(c.sum), h("span", { class: "strong" }, number(c.coupled)), scale.unit,
      c.verdict === "yes" ? digits(c.ratio, 3) : "", c.verdict === "yes" ? percent(c.rest_share) : "", additivity(c)];
    });
  });
  return table(["Output", "Together", "Sum", "Coupled", "Unit", "Coupled / sum", "Not additive", ""], rows, "llrrlrrl");
}

function couplingSection(study, deviations) {
  if (study.isSweep || !study.couplings.length) return null;
  const time = study.time(0);
  const has = (output, id) => deviations.has(`${output.id} ${id} sum`);
  const cases = study.cases.filter((c) => time && study.outputs.some((o) => has(o, c.id))).sort((a, b) => active(b) - active(a));
  const place = h("div", { class: "pair" });
  const show = (id) => place.replaceChildren(...study.outputs.filter((o) => has(o, id)).map((o) => couplingPlot(study, o, study.case(id), deviations, time)).filter(Boolean));
  const picker = cases.length > 1 ? h("div", { class: "picker" }, h("span", { class: "note" }, "Over time:"),
    h("select", { "aria-label": "Case", onchange: (e) => show(Number(e.target.value)) }, cases.map((c) => h("option", { value: c.id }, c.name)))) : null;
  if (cases.length) show(cases[0].id);
  return section("couplings", ["Together against the sum", "Together"],
    h("p", {}, "Deviations from the reference case. If effects did not influence each other, the deviation with all of them would be the sum of the single ones. “Not additive” is the largest difference of the two over time, relative to the largest coupled deviation. All of it at the instants of the tables: peaks between them are in the results above."),
    couplingTable(study), picker, place);
}

// ---- sweeps -----------------------------------------------------------------------------------

function responseSection(study) {
  if (!study.isSweep) return null;
  const numeric = study.factors.filter((f) => f.levels.every((l) => l.value !== null) && f.levels.length > 1);
  if (!numeric.length) return null;
  const [along, across] = [...numeric].sort((a, b) => b.levels.length - a.levels.length);
  const others = study.factors.filter((f) => f !== along && f !== across);
  const find = (i, j) => study.cases.find((c) => c.levels[along.id] === i && (!across || c.levels[across.id] === j) && others.every((f) => c.levels[f.id] === 0));
  const families = across ? across.levels.slice(0, 7) : [null];
  const order = [...along.levels].sort((a, b) => a.value - b.value);
  const charts = study.outputs.map((output) => plot({
    title: labelOf(output), unit: output.unit ?? "", zoom: false, points: true,
    x: { values: order.map((l) => l.value), unit: along.unit === "1" ? "" : along.unit ?? "", label: along.name },
    series: families.map((family, k) => ({ label: family ? `${across.name} = ${family.name}` : labelOf(output), colour: palette[k % palette.length],
      values: order.map((l) => find(l.id, family?.id)?.results[output.id]?.value ?? null) })),
  }));
  return section("response", ["Response curves", "Response"],
    h("p", { class: "note" }, `Over ${along.name}${others.length ? `; ${list(others.map((f) => `${f.name} = ${f.levels[0].name}`))}` : ""}. A point is a case.`),
    h("div", { class: "pair" }, charts));
}

// ---- signals ----------------------------------------------------------------------------------

function signalSection(study) {
  const names = [...new Set(study.signals.map((s) => s.name))].filter((n) => n !== "t");
  const cases = study.cases.filter((c) => study.signal(c.id, "t")?.values.length > 1).slice(0, 12);
  if (!names.length || !cases.length) return null;
  const outputs = [...new Set(study.outputs.map((o) => o.column_name))].filter((n) => names.includes(n));
  const overlay = (name) => {
    const time = study.signal(cases[0].id, "t").values;
    const series = cases.map((c, k) => ({ c, s: study.signal(c.id, name), k })).filter(({ s }) => s && s.values.length === time.length)
      .map(({ c, s, k }) => ({ label: c.name, values: s.values, colour: palette[k % palette.length], dash: k >= palette.length ? [5, 3] : undefined, width: 1.5 }));
    return series.length ? plot({ title: signalTitle(study, name), unit: study.signalUnit(name), x: { values: time, unit: "s" }, series, height: 240 }) : null;
  };
  const place = h("div", {});
  const rest = names.filter((n) => !outputs.includes(n));
  const select = rest.length ? h("select", { "aria-label": "Signal", onchange: (e) => place.replaceChildren(overlay(e.target.value) ?? "") }, h("option", { value: "" }, "another signal …"), rest.map((n) => h("option", { value: n }, signalTitle(study, n)))) : null;
  return section("signals", ["All cases over time", "Over time"],
    h("p", { class: "hint no-print" }, "Drag to zoom, double-click to see everything again, click a name to hide its curve."),
    h("div", { class: "pair" }, outputs.map(overlay)), select ? h("div", { class: "picker" }, select) : null, place);
}

// ---- published, cases, files ------------------------------------------------------------------

/// Published values of a study in the form of a run's.
export function publishedOf(study) {
  return study.published.map((p) => ({
    text: p.text, unit: p.unit, bound: p.bound, note: p.note, met: !!p.agrees, chosen: p.agrees === null && p.ours !== null,
    value: p.value / (p.unit_factor || 1), computed: p.ours === null ? null : p.ours / (p.unit_factor || 1),
  }));
}

function publishedSection(study) {
  const published = publishedOf(study);
  if (!published.length) return null;
  return section("published", ["Published values beside ours", "Published"], table(["Quantity", "Published", "Ours", "Unit", "Difference", "", ""], publishedRows(published), "lrrlrll"));
}

const ledgerNames = { drive: "work of drives", load: "work of loads", payload: "payloads", friction: "lost in friction", damping: "lost in damping", contact: "lost in contacts",
  kinetic: "kinetic", potential: "potential", spring: "springs", elastic: "elastic", residual: "residual", exchanged: "exchanged" };

function caseSection(study) {
  const shown = study.cases.slice(0, 64);
  const detail = (c) => {
    const rows = [...settingRows(c.settings), ...(c.integrator ? [["integrator", `${c.integrator}, tolerance ${digits(c.tolerance, 2)}, ${c.steps} steps`]] : []),
      ...(c.reason ? [["failed", c.reason]] : []), ...(c.notes ? [["notes", c.notes]] : []), ...(c.wallTime ? [["wall time", `${digits(c.wallTime, 3)} s`]] : [])];
    const ledger = Object.entries(c.ledger).filter(([, v]) => v);
    return h("details", {}, h("summary", {}, c.name, c.state === "done" ? "" : ` (${c.state})`),
      h("dl", { class: "asked" }, rows.map(([k, v]) => h("div", {}, h("dt", {}, k), h("dd", {}, v)))),
      ledger.length ? h("p", { class: "note", style: "margin-top:10px" }, `Energy [J]: ${ledger.map(([k, v]) => `${ledgerNames[k] ?? k} ${digits(v, 4)}`).join(", ")}.`) : null);
  };
  const residuals = study.cases.filter((c) => c.ledger.exchanged > 0 && c.ledger.residual !== undefined).map((c) => Math.abs(c.ledger.residual) / c.ledger.exchanged);
  return section("cases", ["Cases one by one", "Cases"],
    residuals.length ? h("p", {}, `The energy ledger of every case closes to ${digits(Math.max(...residuals), 2)} of the energy exchanged or better.`) : null,
    failures(study), shown.map(detail), study.cases.length > shown.length ? h("p", { class: "note" }, `The first ${shown.length} of ${study.cases.length}.`) : null);
}

function failures(study) {
  const failed = study.cases.filter((c) => c.state === "failed");
  return failed.length ? table(["Failed case", "Reason"], failed.map((c) => [c.name, c.reason ?? ""]), "ll") : null;
}

function fileSection(study, manifest, tables, pictures) {
  const button = (name, text, type) => h("li", {}, h("button", { type: "button", onclick: () => download(name, text, type) }, name));
  return section("files", ["Data and manifest", "Data"],
    h("ul", { class: "files" }, Object.entries(tables).map(([n, t]) => button(n, t, "text/csv")), Object.entries(pictures).map(([n, t]) => button(n, t, "image/svg+xml"))),
    manifest ? manifestTable(manifest) : null);
}

// ---- the stage --------------------------------------------------------------------------------

function scenesOf(rows) {
  if (!rows?.length) return null;
  const [, robot0, motion0] = rows[0];
  return new Map(rows.map(([id, robot, motion, deviations]) => {
    const film = motion ?? motion0;
    return [id, { ...(robot ?? robot0), film: film ? { ...film, ...(deviations ?? {}) } : null }];
  }));
}

function readoutOf(study, current) {
  return (t) => {
    const time = study.signal(current.id, "t")?.values;
    if (!time || time.length < 2) return [];
    let row = 0;
    while (row + 1 < time.length && time[row + 1] <= t) ++row;
    const columns = new Map(study.outputs.filter((o) => study.signal(current.id, o.column_name)).map((o) => [o.column_name, o]));
    return [...columns.values()].slice(0, 4).map((o) => {
      const s = study.signal(current.id, o.column_name);
      return [columnOf(o), quantity(isRoundOff(o.column_name, s.values[row]) ? 0 : s.values[row], s.unit, 3)];
    });
  };
}

/// Parameters of a case: those of the study, over them those of the command line, over them those of its levels.
function parametersOf(study, one) {
  const set = ({ settings }) => JSON.parse(settings || "{}").set ?? {};
  return Object.assign({}, set(one), JSON.parse(study.about.set || "{}"), ...study.factors.map((f) => set(f.levels.find((l) => l.id === one.levels[f.id]) ?? {})));
}

function stageOf(study, scenes) {
  if (!scenes) return null;
  const there = study.cases.filter((c) => scenes.has(c.id));
  const current = there.reduce((most, c) => (active(c) > active(most) ? c : most), there[0]);
  const shown = { id: current.id };
  const stage = makeStage(scenes.get(current.id), { onInstant: showInstant, readout: readoutOf(study, shown) });
  if (stage.addControl && there.length > 1)
    stage.addControl(h("label", {}, "Case", h("select", { onchange: (e) => { shown.id = Number(e.target.value); stage.show(scenes.get(shown.id)); } },
      there.map((c) => h("option", { value: c.id, selected: c.id === current.id }, c.name)))));
  addHold(stage, () => ({ file: study.about.robot_file, set: parametersOf(study, study.case(shown.id)) }));
  return stage;
}

export function studyReport() {
  const study = readStudy(block("study"));
  const manifest = block("manifest");
  study.signals = (block("signals") ?? []).map(([case_id, name, unit, data]) => ({ case_id, name, unit: /^w\d+$/.test(name) ? frequencyUnit(unit) : unit, data }));
  const signals = new Map(study.signals.map((s) => [`${s.case_id} ${s.name}`, s]));
  study.signal = (id, name) => {
    const s = signals.get(`${id} ${name}`);
    if (s && !s.values) s.values = floats(s.data);
    return s;
  };
  study.signalUnit = (name) => study.signals.find((s) => s.name === name)?.unit;
  study.time = (id) => study.signal(id, "t")?.values;
  const deviations = new Map((block("deviations") ?? []).map(([output, id, kind, data]) => [`${output} ${id} ${kind}`, floats(data)]));
  const { about } = study;
  const short = about.description && about.description.length < 110;
  page({
    title: short ? sentence(about.description).replace(/\.$/, "") : about.robot, eyebrow: `${study.isSweep ? "Sweep" : "Study"} of ${about.robot}${about.analysis === "elastodynamics" || about.motion === "none" ? "" : `, motion ${about.motion}`}`,
    lead: lead(study), manifest: manifest ?? { version: about.version }, figures: keyFigures(study), stage: stageOf(study, scenesOf(block("scenes"))),
    sections: [asked(study), resultSection(study), responseSection(study), effectSection(study), couplingSection(study, deviations), publishedSection(study), signalSection(study),
      caseSection(study), fileSection(study, manifest, block("tables") ?? {}, block("pictures") ?? {})],
  });
}
