// The report of one run: pkm simulate, pkm inverse, and others as far as their files go.
import { download, h, section, table } from "./dom.js";
import { Table, block, peakOf } from "./data.js";
import { bar, digits, fixed, printed, quantity, scaleFor } from "./units.js";
import { capital, columnTitle, columnWords, componentTitle, curveTitle, curveTitles, isApart, isRoundOff, list, minus, optionRows, plural, resultWords, sentence } from "./words.js";
import { palette, plot, showInstant } from "./plot.js";
import { addHold, overrides } from "./hold.js";
import { makeStage } from "./stage.js";
import { imagesOf } from "./picture_of.js";
import { page } from "./frame.js";
import { answerOf } from "./answers.js";
import { bendSection, notices, clearanceSection } from "./effects.js";
import { addModeChoice, modeSection, sceneOfMode } from "./modes.js";
import { shownOf } from "./shown.js";

/// Everything known of the run.
function readRun() {
  return {
    manifest: block("manifest"), summary: block("summary") ?? {}, scene: block("scene"),
    csv: block("table"), table: Table.fromCsv(block("table") ?? "", block("peaks") ?? "").describe(block("manifest")?.columns), every: block("table-every") ?? 1,
    pictures: block("pictures") ?? {},
  };
}

/// Is there a motion to be seen, or the robot at home only?
const moves = (run) => (run.scene?.film?.t.length ?? 0) > 1;
const kindOf = (run) => (run.manifest.command ?? "").split(" ")[1] ?? "run";
const titles = { simulate: "Simulation", inverse: "Inverse dynamics", workspace: "Workspace", elastodynamics: "Elastodynamics", modes: "Natural frequencies",
  stiffness: "Stiffness", envelope: "Envelope of clearance", analyse: "Signals",
  motors: "Motors", fastest: "Shortest time", matrices: "Matrices at a pose", compare: "Two derivations", shape: "Shaped motion" };
const integrators = { explicit: "explicit Runge–Kutta 8(5,3)", bdf: "BDF, stiff forces implicit", sdirk: "SDIRK 5(4), stiff forces implicit", ida: "IDA, stabilised index 2" };

// ---- the head ---------------------------------------------------------------------------------

function motionOf(run) {
  return run.scene?.motions.find((m) => m.name === run.summary.motion);
}

function drivesInWords(run) {
  const modes = new Map();
  for (const drive of run.summary.drives ?? [])
    if (drive.mode) modes.set(drive.mode, [...(modes.get(drive.mode) ?? []), drive.name]);
  if (modes.size === 0) return "";
  if (modes.size === 1) return `drives ${[...modes.keys()][0]}`;
  return [...modes].map(([mode, names]) => `${list(names)} ${mode}`).join(", ");
}

function lead(run) {
  const { summary } = run, motion = motionOf(run), parts = [];
  if (kindOf(run) === "inverse") parts.push("driving forces of the ideal rigid robot");
  const drives = drivesInWords(run);
  if (drives) parts.push(drives);
  const given = (name) => (run.manifest.options ?? []).filter((o) => o.name === name && o.value).map((o) => /^\s*([^:{]+):/.exec(o.value)?.[1].replace(/["']/g, "").trim() ?? "");
  if (summary.friction_joints) parts.push(`friction in ${plural(summary.friction_joints, "joint")}`);
  if (summary.clearance_joints) parts.push(`clearance in ${plural(summary.clearance_joints, "joint")}`);
  else if (given("--clearance").length) parts.push(`clearance in joints ${list(given("--clearance"))}`);
  if (run.scene?.film?.bends) parts.push(plural(run.scene.film.bends.length, "flexible link"));
  if (summary.loads) parts.push(plural(summary.loads, "load"));
  if (summary.payloads) parts.push(plural(summary.payloads, "payload"));
  const what = motion?.text ? sentence(motion.text) : summary.motion ? `Motion ${summary.motion}.` : "";
  return `${what} ${sentence(parts.join(", "))}`.trim();
}

/// Peaks as the summary has them; of inverse dynamics those of the drives and the tool.
function peaksOf(run) {
  if (run.summary.peaks) return run.summary.peaks;
  const names = (run.summary.drives ?? []).map((d) => `${d.name}.force`);
  const tool = run.scene?.tool?.name;
  if (tool) names.push(`${tool}.speed`, `${tool}.acc`);
  return names.map((name) => run.table.find(name)).filter(Boolean).map((column) => {
    const peak = peakOf(column.values);
    return { name: column.name, unit: column.unit, value: peak.value, t: run.table.time?.values[peak.at], error_bar: null };
  });
}

function largest(peaks, kind) {
  const all = peaks.filter((p) => p.name.endsWith(`.${kind}`) && !isRoundOff(p.name, p.value));
  return all.reduce((most, p) => (!most || p.value > most.value ? p : most), null);
}

function figure(title, peak, sub) {
  const scale = scaleFor(peak.unit, peak.value);
  return h("div", {}, h("dt", {}, title), h("dd", {}, digits(peak.value * scale.factor, 4), h("small", {}, scale.unit), h("span", { class: "sub" }, sub)));
}

/// Is the balance of the energies known? Not where a payload comes or goes, or rows are few.
const isSummed = (energy) => energy && energy.relative_residual !== null && energy.relative_residual !== undefined;

function keyFigures(run, peaks) {
  const items = [];
  const scale = Math.max(0, ...peaks.filter((p) => p.name.endsWith(".force")).map((p) => p.value));
  const at = (p) => `${columnWords(p.name, p.unit).item} at ${digits(p.t, 4)} s`;
  const force = largest(peaks, "force"), more = largest(peaks, "dforce"), off = largest(peaks, "dp");
  const speed = largest(peaks, "speed"), acc = largest(peaks, "acc");
  if (force) items.push(figure(`Largest drive ${force.unit === "N m" ? "torque" : "force"}`, force, at(force)));
  if (more && more.value > 1e-7 * scale) items.push(figure("Largest difference from ideal", more, at(more)));
  if (off) items.push(figure("Largest deviation of the tool", off, at(off)));
  if (speed) items.push(figure("Largest tool speed", speed, at(speed)));
  if (acc && items.length < 5) items.push(figure("Largest tool acceleration", acc, at(acc)));
  const energy = run.summary.energy;
  if (isSummed(energy))
    items.push(h("div", {}, h("dt", {}, "Energy balance closes to"), h("dd", {}, digits(energy.relative_residual, 2),
      h("span", { class: "sub" }, "of the energy exchanged"))));
  return items.slice(0, 6);
}

function nearest(values, t) {
  let low = 0, high = values.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle] <= t) low = middle; else high = middle;
  }
  return t - values[low] < values[high] - t ? low : high;
}

/// Lines beside the animation: tool and drives at the instant.
function readoutOf(run) {
  const time = run.table.time?.values, tool = run.scene?.tool?.name;
  if (!time || !moves(run)) return () => [];
  const point = ["x", "y", "z"].map((c) => run.table.find(`${tool}.${c}`));
  const forces = (run.scene.drives ?? []).map((d) => run.table.find(`${d.name}.force`)).filter(Boolean).slice(0, 6);
  const off = run.table.find(`${tool}.dp`);
  const showOff = off && !isRoundOff(off.name, peakOf(off.values).value);
  const largest = Math.max(...forces.map((f) => peakOf(f.values).value));
  const force = (value, unit) => quantity(Math.abs(value) < 1e-6 * largest ? 0 : value, unit, 3);
  return (t) => {
    const row = nearest(time, t), lines = [];
    if (point.every(Boolean)) lines.push([tool, `${point.map((c) => fixed(c.values[row] * 1000, 1)).join(", ")} mm`]);
    if (showOff) lines.push(["off the ideal", quantity(off.values[row], "m", 3)]);
    forces.forEach((c) => lines.push([c.name.replace(/\.force$/, ""), force(c.values[row], c.unit)]));
    return lines;
  };
}

// ---- what was asked ---------------------------------------------------------------------------

function asked(run) {
  const { manifest, summary, scene } = run, motion = motionOf(run);
  const rows = summary.signals ? [["Table", summary.table], ["Samples", String(summary.samples)]] : [["Robot", manifest.model?.robot], ["Model file", manifest.model?.file?.split("/").pop()]];
  if (summary.motion) rows.push(["Motion", motion?.text ? `${summary.motion}: ${minus(motion.text)}` : summary.motion]);
  if (summary.duration) rows.push(["Duration", `${digits(summary.duration, 4)} s${summary.instants ? `, ${summary.instants} instants` : ""}`]);
  if (drivesInWords(run)) rows.push(["Drives", drivesInWords(run).replace(/^drives /, "")]);
  rows.push(...optionRows(manifest.options ?? []).filter(([what]) => !["Drives"].includes(what) || !drivesInWords(run)));
  const integration = summary.integration;
  if (integration) {
    rows.push(["Integrator", integrators[integration.integrator] ?? integration.integrator]);
    rows.push(["Tolerance", `${digits(integration.tolerance, 2)} per step, ${integration.steps} steps`]);
    if (integration.drift_position > 0) rows.push(["Closures kept to", quantity(integration.drift_position, "m", 2)]);
  }
  if (scene?.gravity) rows.push(["Gravity", `${scene.gravity.map((g) => digits(g, 4)).join(", ")} m/s²`]);
  const seen = new Set();
  const unique = rows.filter(([what, value]) => value && !(what === "Tolerance" && seen.has(what)) && seen.add(what));
  return section("asked", "What was asked",
    scene?.description || scene?.source ? h("div", { class: "about" },
      scene.description ? h("p", {}, sentence(scene.description)) : null,
      scene.source ? h("p", {}, sentence(scene.source)) : null) : null,
    h("dl", { class: "asked" }, unique.map(([what, value]) => h("div", {}, h("dt", {}, what), h("dd", {}, value)))));
}

// ---- largest values ---------------------------------------------------------------------------

function peakRow(peak) {
  const words = columnWords(peak.name, peak.unit);
  const scale = scaleFor(peak.unit, peak.value);
  const name = [h("span", { class: "strong" }, words.item), ` ${words.what}`];
  if (isRoundOff(peak.name, peak.value))
    return [name, h("span", { class: "quiet" }, "none"), "", "", h("span", { class: "quiet" }, "below round-off"), ""];
  const apart = isApart(peak.verdict);
  const spread = apart && peak.low !== undefined && peak.low !== null
    ? `${digits(peak.low * scale.factor, 4)} … ${digits(peak.high * scale.factor, 4)}` : bar(peak.error_bar, scale);
  return [name, h("span", { class: "strong" }, digits(peak.value * scale.factor, 6)), scale.unit, digits(peak.t, 4),
    [spread, apart ? h("span", { class: "badge differs", style: "margin-left:8px" }, peak.verdict) : null],
    bar(peak.sensitivity ?? null, scale)];
}

function peakSection(run, peaks) {
  if (!peaks.length) return null;
  const groups = new Map();
  for (const peak of peaks) {
    const { group } = columnWords(peak.name, peak.unit);
    groups.set(group, [...(groups.get(group) ?? []), peak]);
  }
  const rows = [...groups].flatMap(([group, members]) => [{ group }, ...members.map(peakRow)]);
  const verified = run.summary.verified_with ?? [];
  const moved = run.summary.sensitivity_with ?? [];
  return section("values", "Largest values",
    table(["Quantity", "Largest magnitude", "Unit", "At t [s]", verified.length ? "Numerical error bar" : "",
      moved.length ? "Sensitivity" : ""], rows, "lrlrrr"),
    verified.length
      ? h("p", { class: "note" }, `Error bars are numerical, the largest difference from the same run with ${list(verified)}.`
        + (moved.length ? ` Sensitivities are the largest change with ${list(moved)}.` : ""))
      : run.summary.peaks ? h("p", { class: "note" }, "The run was not repeated (--verify), so there are no error bars.") : null,
    driveUse(run), limits(run));
}

function driveUse(run) {
  const rows = (run.summary.drives ?? []).filter((d) => d.tracking_error !== null && d.tracking_error !== undefined).map((d) => {
    const unit = run.table.find(`${d.name}.q`)?.unit ?? "";
    return [h("span", { class: "strong" }, d.name), d.mode, quantity(d.tracking_error, unit, 4), quantity(d.tracking_error_rms, unit, 4),
      `${digits(d.saturated_time, 3)} s`, quantity(d.energy_use, "J", 4)];
  });
  if (!rows.length) return null;
  return [h("h3", {}, "Drives with controller or motor"),
    table(["Drive", "Mode", "Tracking error", "RMS", "At its limits", "Energy use"], rows, "llrrrr")];
}

function limits(run) {
  const rows = (run.summary.limits_broken ?? []).map((l) => [l.what, quantity(l.value, l.unit), quantity(l.limit, l.unit), digits(l.t, 4)]);
  if (!rows.length) return null;
  return [h("h3", {}, "Limits that the motion breaks"), table(["Limit", "Value", "Allowed", "First at t [s]"], rows, "lrrr")];
}

/// How far ours is from a printed number, of which it has the sign; bounds have no distance.
function difference(p) {
  if (p.bound || !p.value) return "";
  const part = (100 * (p.computed - p.value)) / Math.abs(p.value);
  if (Math.abs(part) < 1e-3) return "0 %"; // of more digits than anything printed has
  return `${part < 0 ? "−" : "+"}${Math.abs(part) < 0.05 ? Math.abs(part).toPrecision(1) : digits(Math.abs(part), 3)} %`;
}

/// Rows of published values: [text, printed, ours, unit, difference, badge and note].
export function publishedRows(published) {
  return published.map((p) => {
    const side = p.bound === "above" ? "> " : p.bound === "below" ? "< " : "";
    const known = p.computed !== null && p.computed !== undefined;
    const badge = !known ? h("span", { class: "badge plain" }, "quoted") : p.chosen ? h("span", { class: "badge plain" }, "put in") : p.met ? h("span", { class: "badge good" }, "agrees") : h("span", { class: "badge differs" }, "differs");
    const unit = (p.unit ?? "").replace("N m", "N·m").replace("m/s2", "m/s²").replace("deg", "°");
    return [p.where ? `${p.text} (${p.where})` : p.text, `${side}${printed(p.value)}`, known ? printed(Number(p.computed.toPrecision(4))) : "–", unit, known ? difference(p) : "", badge, p.note && !p.met ? h("span", { class: "quiet" }, sentence(p.note)) : ""];
  });
}

function publishedSection(run) {
  const published = run.summary.published ?? [];
  if (!published.length) return null;
  const compared = published.filter((p) => p.computed !== null && !p.chosen);
  const met = compared.filter((p) => p.met).length;
  return section("published", ["Published values beside ours", "Published"],
    h("p", { class: "note" }, `${met} of ${compared.length} published values that can be computed from this motion are met.`),
    table(["Quantity", "Published", "Computed", "Unit", "Difference", "", ""], publishedRows(published), "lrrlrll"));
}

// ---- plots ------------------------------------------------------------------------------------

function curve(column, label, k, more = {}) {
  return { label, values: column.values, colour: palette[k % palette.length], ...more };
}

/// Plots of the same quantity of all drives.
function drivePlot(run, kind, title, peaks, more = {}) {
  const columns = (run.scene?.drives ?? []).map((d) => run.table.find(`${d.name}.${kind}`)).filter(Boolean);
  if (!columns.length) return null;
  const bars = new Map(peaks.map((p) => [p.name, p.error_bar]));
  return plotsByUnit(run, columns, title, (c, k) => curve(c, c.name.slice(0, c.name.lastIndexOf(".")), k, more.peak ? { peak: true, bar: bars.get(c.name) } : {}), more);
}

function plotsByUnit(run, columns, title, toSeries, more = {}) {
  const units = [...new Set(columns.map((c) => c.unit))];
  return units.map((unit) => plot({
    title, unit, x: { values: run.table.time.values, unit: "s" },
    series: columns.filter((c) => c.unit === unit).map(toSeries), ...more,
  }));
}

/// Forces with those of the ideal motion dashed beside them.
function forcePlots(run, peaks) {
  const drives = (run.scene?.drives ?? []).filter((d) => run.table.find(`${d.name}.force`));
  const bars = new Map(peaks.map((p) => [p.name, p.error_bar]));
  const units = [...new Set(drives.map((d) => run.table.find(`${d.name}.force`).unit))];
  return units.map((unit) => {
    const series = drives.filter((d) => run.table.find(`${d.name}.force`).unit === unit).flatMap((d, k) => {
      const force = run.table.find(`${d.name}.force`), off = run.table.find(`${d.name}.dforce`);
      const own = curve(force, d.name, k, { peak: true, bar: bars.get(force.name) });
      if (!off) return [own];
      return [own, { label: `${d.name} ideal`, values: force.values.map((v, i) => v - off.values[i]), colour: palette[k % palette.length], dash: [4, 4], width: 1.2 }];
    });
    return plot({ title: unit === "N m" ? "Drive torques" : "Drive forces", unit, x: { values: run.table.time.values, unit: "s" }, series, height: 300 });
  });
}

function toolPlot(run, kinds, title) {
  const tool = run.scene?.tool?.name;
  const columns = kinds.map((kind) => run.table.find(`${tool}.${kind}`)).filter(Boolean);
  const shown = columns.filter((c) => !isRoundOff(c.name, peakOf(c.values).value));
  if (!shown.length) return null;
  return plotsByUnit(run, shown, title, (c, k) => curve(c, componentTitle(c), k));
}

/// How near the motion is to singularities: condition number, estimated distance.
function nearnessPlots(run) {
  const x = run.table.time ? { values: run.table.time.values, unit: "s" } : null;
  return [["condition", "Condition of the tool's Jacobian", "condition number"], ["singularity", "Estimated distance from singularities", "distance"]]
    .map(([name, title, label], k) => [run.table.find(name), title, label, k]).filter(([column]) => column)
    .map(([column, title, label, k]) => plot({ title, unit: column.unit, x, series: [curve(column, label, k)], height: 190 }));
}

function plotSection(whole, peaks) {
  const run = moves(whole) ? whole : { ...whole, scene: null };
  if (!run.table.time || run.table.rows < 2) return null;
  const pair = (...figures) => {
    const there = figures.flat().filter(Boolean);
    return there.length ? h("div", { class: "pair" }, there) : null;
  };
  const dp = run.table.find(`${run.scene?.tool?.name}.dp`);
  const deviates = dp && !isRoundOff(dp.name, peakOf(dp.values).value);
  return section("plots", ["Plots over time", "Plots"],
    h("p", { class: "hint no-print" }, "Drag to zoom all plots, double-click to see everything again, click a name to hide its curve. Circles mark the largest magnitudes."),
    run.every > 1 ? h("p", { class: "note" }, `The table is long: every ${run.every}th of its rows is shown here. Tables of values come from all of them.`) : null,
    run.scene ? null : genericPlots(run), forcePlots(run, peaks),
    pair(drivePlot(run, "dforce", "Beyond the ideal drive forces", peaks, { peak: true }), deviates ? toolPlot(run, ["dp", "dx", "dy", "dz"], "Deviation of the tool") : null,
      deviates ? toolPlot(run, ["dv"], "Velocity deviation of the tool") : null, deviates ? toolPlot(run, ["da"], "Acceleration deviation of the tool") : null,
      deviates ? toolPlot(run, ["turn"], "Rotation of the tool off the ideal") : null,
      drivePlot(run, "dq", "Tracking error of the drives", peaks)?.filter(() => (run.summary.drives ?? []).some((d) => d.tracking_error)),
      toolPlot(run, ["x", "y", "z"], "Position of the tool"), toolPlot(run, ["roll", "pitch", "yaw"], "Orientation of the tool"),
      toolPlot(run, ["speed", "vx", "vy", "vz"], "Velocity of the tool"), toolPlot(run, ["acc", "ax", "ay", "az"], "Acceleration of the tool"),
      drivePlot(run, "q", "Drive positions", peaks), drivePlot(run, "v", "Drive velocities", peaks), drivePlot(run, "a", "Drive accelerations", peaks),
      run.scene ? nearnessPlots(run) : null),
    explorer(run));
}

/// Tables of other verbs: columns of the same quantity together.
function genericPlots(run) {
  const groups = new Map();
  const moving = run.table.columns.slice(1).filter((column) => column.name !== "angle" && peakOf(column.values).value > 0); // the angle around a circle says nothing of other paths
  for (const column of moving) {
    const key = `${column.quantity || columnTitle(column)} ${column.unit}`;
    groups.set(key, [...(groups.get(key) ?? []), column]);
  }
  return h("div", { class: "pair" }, [...groups.values()].slice(0, 12).map((all) => {
    const columns = all.slice(0, 7), labels = curveTitles(columns);
    return plot({ title: capital(columns[0].quantity || columnTitle(columns[0])), unit: columns[0].unit, x: { values: run.table.time.values, unit: "s" },
      series: columns.map((c, k) => curve(c, labels[k], k)) });
  }));
}

/// Any column of the table.
function explorer(run) {
  const columns = run.table.columns.slice(1);
  const place = h("div", {});
  const select = h("select", { "aria-label": "Column", onchange: () => show() }, columns.map((c) => h("option", { value: c.name }, columnTitle(c))));
  const show = () => {
    const column = run.table.find(select.value);
    place.replaceChildren(plot({ title: capital(columnTitle(column)), unit: column.unit, x: { values: run.table.time.values, unit: "s" }, series: [curve(column, curveTitle(column), 0)] }));
  };
  select.value = columns[columns.length - 1].name;
  const details = h("details", { class: "explore no-print", ontoggle: () => details.open && !place.children.length && show() },
    h("summary", {}, `Any of the ${columns.length} columns of the table`), h("div", { class: "picker", style: "margin-top:12px" }, select), place);
  return details;
}

// ---- energy -----------------------------------------------------------------------------------

const ledgerWords = {
  drive_work: "Work of the drives", tool_force_work: "Work of the force on the tool", load_work: "Work of loads", payload: "Brought by payloads",
  kinetic_change: "Change of kinetic energy", potential_change: "Change of potential energy", spring_change: "Change of spring energy",
  strain_change: "Change of strain energy", change: "Change of energy", friction_loss: "Lost in friction", damping_loss: "Lost in damping", contact_loss: "Lost in contacts",
};
const puts = new Set(["drive_work", "tool_force_work", "load_work", "payload"]);

function ledgerTable(energy) {
  const entries = Object.entries(energy).filter(([key, value]) => key in ledgerWords && value !== 0);
  const rows = (keep) => entries.filter(([key]) => puts.has(key) === keep).map(([key, value]) => [ledgerWords[key], digits(value, 7)]);
  const all = [{ group: "Put in" }, ...rows(true), { group: "Stored and lost" }, ...rows(false)];
  if (energy.residual !== undefined) all.push({ group: "Balance" }, [h("span", { class: "strong" }, "Residual"), h("span", { class: "strong" }, digits(energy.residual, 2))]);
  return table(["", "J"], all, "lr");
}

function energyPlots(run) {
  if (!run.table.time || run.table.rows < 2) return [];
  const fromStart = (column) => column.values.map((v) => v - column.values[0]);
  const moves = (values) => peakOf(values).value > 0;
  const stored = [["energy.kinetic", "kinetic", "#9cc7e2"], ["energy.potential", "potential", "#a9d9c8"], ["energy.spring", "springs and contacts", "#f3d59a"],
    ["energy.strain", "strain", "#e7bcd3"], ["work.lost", "lost", "#f0b08a"]];
  const layers = stored.map(([name, label, fill]) => ({ column: run.table.find(name), label, fill })).filter((l) => l.column)
    .map((l) => ({ label: l.label, fill: l.fill, values: fromStart(l.column) })).filter((l) => moves(l.values));
  const sums = ["work.drive", "work.load"].map((name) => run.table.find(name)).filter(Boolean);
  const put = sums.length ? sums[0].values.map((_, i) => sums.reduce((sum, c) => sum + c.values[i] - c.values[0], 0)) : null;
  const series = [...layers, ...(put && moves(put) ? [{ label: "put in by drives and loads", values: put, colour: "#14202b", width: 1.75 }] : [])];
  const x = { values: run.table.time.values, unit: "s" };
  const balance = run.table.find("balance"), power = run.table.find("power");
  return [
    series.length ? plot({ title: "Where the energy is, from the start on", unit: "J", x, series, height: 280,
      note: put ? "Areas: what is stored and lost since the start, releases below zero. Line: work put in, the sum of the areas up to the residual below." : null }) : null,
    h("div", { class: "pair" },
      balance && moves(balance.values) ? plot({ title: "Residual of the balance", unit: "J", x, series: [curve(balance, "residual", 6)], height: 190 }) : null,
      power ? plot({ title: "Power of all drives", unit: "W", x, series: [curve(power, "power", 0)], height: 190 }) : null),
  ];
}

function energySection(run) {
  const energy = run.summary.energy;
  if (!energy) return null;
  const exchanged = energy.exchanged ? ` of the ${quantity(energy.exchanged, "J", 4)} exchanged` : " of the energy exchanged";
  return section("energy", ["Energy ledger", "Energy"],
    h("p", {}, !isSummed(energy) ? "The energies are not summed: a payload comes or goes, velocities jump, or rows are few." : `The balance of the run closes to ${digits(energy.relative_residual, 2)}${exchanged}: what drives and loads put in is found again as energy and losses.`),
    energyPlots(run), isSummed(energy) ? h("div", { class: "narrow" }, ledgerTable(energy)) : null);
}

// ---- files ------------------------------------------------------------------------------------

export function manifestTable(manifest) {
  const rows = [["Program", `${manifest.program} ${manifest.version}`], ["Command", h("code", {}, commandLine(manifest))],
    [manifest.model?.robot ? "Model" : "Table", manifest.model?.file ? [manifest.model.file, h("br"), h("code", { class: "quiet" }, `SHA-256 ${manifest.model.sha256}`)] : ""],
    ["Date", manifest.date?.replace("T", " ").replace("Z", " UTC")],
    ["Machine", `${manifest.machine?.system} ${manifest.machine?.release}, ${manifest.machine?.architecture}, ${plural(manifest.machine?.processors, "processor")}`],
    ["Wall time", `${digits(manifest.wall_time_s, 3)} s`]];
  return h("dl", { class: "asked", style: "grid-template-columns:1fr" }, rows.map(([what, value]) => h("div", {}, h("dt", {}, what), h("dd", {}, value))));
}

function commandLine(manifest) {
  const quote = (text) => (/^[\w./=+:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const given = (manifest.options ?? []).filter((o) => o.name.startsWith("-"));
  return [manifest.command, ...given.flatMap((o) => (o.value === null ? [o.name] : [o.name, quote(o.value)]))].join(" ");
}

function fileSection(run) {
  const button = (name, text, type) => h("li", {}, h("button", { type: "button", onclick: () => download(name, text, type) }, name));
  return section("files", ["Data and manifest", "Data"],
    h("ul", { class: "files" }, run.csv && run.every === 1 ? button("table.csv", run.csv, "text/csv") : null,
      Object.entries(run.pictures).map(([name, text]) => button(name, text, "image/svg+xml")),
      button("manifest.json", JSON.stringify(run.manifest, null, 2), "application/json")),
    manifestTable(run.manifest));
}

/// What a table of signals is called: by its folder, or by itself.
const tableName = (run) => run.summary.table?.split("/").filter((part) => !/^table\.(csv|h5)$/.test(part)).pop();

/// Runs without a time: their pictures.
function pictureSection(run) {
  if (run.table.time || !Object.keys(run.pictures).length) return null;
  return section("pictures", "Pictures", h("div", { class: "pictures" }, Object.keys(run.pictures).map((name) => imagesOf(run, name))));
}

function resultSection(run) {
  const results = run.manifest.results ?? [];
  const peaks = new Set((run.summary.peaks ?? []).map((p) => `absmax ${p.name}`)); // these have a section of their own
  if (run.summary.energy || results.every((r) => peaks.has(r.name))) return null;
  return section("results", "Results", table(["Quantity", "Value"], results.map((r) => [capital(resultWords(r.name, run.table)), r.unit ? quantity(r.value, r.unit, 6) : printed(r.value)]), "lr"));
}

export function runReport() {
  const run = readRun();
  const peaks = run.summary.peaks || run.table.time ? peaksOf(run) : [];
  const shown = shownOf(run), modes = run.scene?.modes?.shapes.length > 0;
  const scene = modes ? sceneOfMode(run.scene, 0) : run.scene;
  const stage = scene ? makeStage(scene, { onInstant: moves(run) ? showInstant : undefined, readout: shown ? () => shown.lines() : readoutOf(run), shown }) : null;
  if (modes) addModeChoice(stage, run.scene);
  addHold(stage, () => ({ file: run.manifest.model.file, set: overrides(run.manifest) }));
  const robot = run.manifest.model?.robot ?? tableName(run) ?? "Robot", answer = answerOf(run);
  const kind = titles[kindOf(run)] ?? "Run";
  page({
    title: robot, eyebrow: run.summary.motion ? `${kind}, motion ${run.summary.motion}` : kind, lead: lead(run), manifest: run.manifest,
    figures: answer?.figures ?? keyFigures(run, peaks), stage, notices: notices(run),
    sections: [asked(run), modeSection(run), answer ? answer.section : resultSection(run), pictureSection(run), peakSection(run, peaks), bendSection(run), clearanceSection(run), publishedSection(run), plotSection(run, peaks),
      energySection(run), fileSection(run)],
  });
}
