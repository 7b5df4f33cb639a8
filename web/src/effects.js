// What effects did in a run: flexible links, joints with clearance.
import { h, section, table } from "./dom.js";
import { peakOf } from "./data.js";
import { digits, percent, quantity, scaleFor } from "./units.js";
import { list, plural, sentence } from "./words.js";
import { palette, plot } from "./plot.js";
import { imagesOf } from "./picture_of.js";

const mostCurves = 14;

/// One quantity of many items in one plot; null where nothing has it.
function together(run, items, kind, title, more = {}) {
  const columns = items.slice(0, mostCurves).map((item) => ({ item, column: run.table.find(`${item}.${kind}`) })).filter((c) => c.column);
  const moves = columns.some((c) => peakOf(c.column.values).value > (more.floor ?? 0));
  if (!columns.length || !run.table.time || run.table.rows < 2 || !moves) return null;
  return plot({ title, unit: columns[0].column.unit, x: { values: run.table.time.values, unit: "s" },
    series: columns.map((c, k) => ({ label: c.item, values: c.column.values, colour: palette[k % palette.length], width: 1.3, dash: k >= palette.length ? [5, 3] : undefined })) });
}

const pair = (...figures) => (figures.some(Boolean) ? h("div", { class: "pair" }, figures) : null);
const first = (items, what) => (items.length > mostCurves ? h("p", { class: "note" }, `Curves of the first ${mostCurves} of ${items.length} ${what}; the table of the run has all of them.`) : null);
const none = () => h("span", { class: "quiet" }, "none");
const strong = (text) => h("span", { class: "strong" }, text);

/// Values of one column of a table share a unit: its heading, and how to show a value.
function shared(title, unit, values, n = 4) {
  const scale = scaleFor(unit, Math.max(...values.map(Math.abs)));
  return { title: `${title} [${scale.unit}]`, show: (value) => digits(value * scale.factor, n) };
}

/// What a reader must know before he relies on the numbers.
export function notices(run) {
  const complete = (run.manifest.options ?? []).find((o) => o.name === "complete");
  const texts = (run.summary.warnings ?? []).map((w) => w.text);
  if (complete && complete.value !== "yes") texts.unshift("The run ended early: what follows holds up to its last row");
  if (!texts.length) return null;
  return h("div", { class: "notices", role: "note" }, h("h2", {}, texts.length === 1 ? "A warning" : "Warnings"), h("ul", {}, texts.map((text) => h("li", {}, sentence(text)))));
}

// ---- links that bend --------------------------------------------------------------------------

const noTwist = 1e-9; // [rad] rounding of modes that nothing excites

const mrad = (twist) => (Math.abs(twist) < noTwist ? none() : digits(1e3 * twist, 4));

function linkTable(links) {
  const of = (key) => links.map((l) => l[key]);
  const bend = shared("Mid-span deflection", "m", of("deflection")), stress = shared("Largest stress", "Pa", of("stress")), axial = shared("Axial force", "N", of("axial"));
  return table(["Link", bend.title, "Twist [mrad]", stress.title, axial.title, "Compression, of Euler’s load"],
    links.map((l) => [strong(l.name), bend.show(l.deflection), mrad(l.twist), stress.show(l.stress), axial.show(l.axial), l.buckling > 0 ? `${digits(100 * l.buckling, 3)} %` : none()]), "lrrrrr");
}

/// Further places of links, where the run asked for them.
function placeTable(links) {
  const rows = links.flatMap((l) => (l.places ?? []).map((p) => ({ link: l.name, ...p })));
  if (!rows.length) return null;
  const of = (key) => rows.map((r) => r[key]);
  const bend = shared("Deflection", "m", of("deflection")), stress = shared("Stress", "Pa", of("stress"));
  return [h("h3", {}, "At other places of the links"),
    table(["Link", "At, of its length", bend.title, "Twist [mrad]", stress.title],
      rows.map((r) => [strong(r.link), percent(r.at), bend.show(r.deflection), mrad(r.twist), stress.show(r.stress)]), "lrrrr")];
}

export function bendSection(run) {
  const links = run.summary.flexible_links ?? [];
  if (!links.length) return null;
  const names = links.map((l) => l.name);
  return section("bends", ["Links that bend", "Bending"], linkTable(links),
    h("p", { class: "note" }, "Largest magnitudes at the rows of the table. Deflections count across the line between the joints of a link, stress is the largest normal stress of any of its sections, "
      + "tension is positive; the last column is the largest compression over the load at which the link buckles between its joints."),
    placeTable(links),
    pair(together(run, names, "deflection", "Mid-span deflection"), together(run, names, "axial", "Axial force"), together(run, names, "stress", "Largest stress"),
      together(run, names, "twist", "Twist", { floor: noTwist })),
    first(names, "links"));
}

// ---- joints with clearance -------------------------------------------------------------------------

const modes = [["flight", "#ffffff"], ["impact", "#d55e00"], ["sliding", "#56b4e9"], ["sticking", "#0b3d66"]];

/// Shares of the time as one bar, in the colours of contacts.svg.
function timeBar(time) {
  const total = Object.values(time).reduce((sum, t) => sum + t, 0) || 1;
  const words = list(modes.filter(([mode]) => time[mode] > 0).map(([mode]) => `${mode} ${percent(time[mode] / total)}`));
  return h("span", { class: "shares", role: "img", "aria-label": words, title: words },
    modes.map(([mode, colour]) => (time[mode] > 0 ? h("b", { style: `flex:${time[mode] / total};background:${colour}` }) : null)));
}

const modeKey = () => h("p", { class: "note key-line" }, "Time in ", modes.map(([mode, colour]) => h("span", {}, h("i", { style: `background:${colour}` }), mode)),
  " Work of sliding is normal force times sliding speed over time, a measure of wear; what is really lost is in the energy ledger.");

function contactTable(contacts) {
  const of = (key) => contacts.map((c) => c[key].value);
  const fast = shared("Fastest touch", "m/s", of("fastest")), deep = shared("Deepest", "m", of("deepest")), force = shared("Largest force", "N", of("largest_force"));
  const slides = shared("Work of sliding", "J", contacts.map((c) => c.sliding_work)), gap = shared("Clearance", "m", contacts.map((c) => c.radial), 3);
  const name = (c) => (contacts.some((d) => d.joint === c.joint && d.pin > 1) ? `${c.joint}, pin ${c.pin}` : c.joint);
  return table(["Joint", gap.title, "Touches", fast.title, deep.title, force.title, "at t [s]", slides.title, "Time"],
    contacts.map((c) => [strong(name(c)), gap.show(c.radial), c.touches, c.touches ? fast.show(c.fastest.value) : "–", deep.show(c.deepest.value), force.show(c.largest_force.value),
      c.largest_force.value > 0 ? digits(c.largest_force.t, 4) : "–", slides.show(c.sliding_work), timeBar(c.time)]), "lrrrrrrrl");
}

function reversalTable(run) {
  const { reversals, n_reversals: n } = run.summary;
  if (!reversals) return null;
  if (!n) return h("p", {}, "No load reverses: every journal stays on its side.");
  const shown = reversals.slice(0, 40);
  return [h("h3", {}, "Load reversals: the journal crosses its bearing"),
    table(["At t [s]", "Joint", "", "Load turns by", "Least load"], shown.map((r) => [digits(r.t, 5), strong(r.joint), r.part, `${digits(r.angle * 180 / Math.PI, 3)}°`, quantity(r.load, "N", 4)]), "rllrr"),
    n > shown.length ? h("p", { class: "note" }, `The first ${shown.length} of ${n}.`) : null];
}

/// Paths of the journals, modes over time, Poincare section: drawn by the run.
function clearancePictures(run) {
  const there = ["contacts.svg", "orbits.svg", "section.svg"].filter((name) => run.pictures[name]);
  if (!there.length) return null;
  return h("div", { class: "pictures" }, there.map((name) => imagesOf(run, name)));
}

/// Joints with clearance: the force in them and how far their surfaces are apart.
function clearancePlots(run) {
  const last = (name) => name.slice(name.lastIndexOf(".") + 1);
  const joints = run.table.columns.filter((c) => last(c.name) === "normal" || (last(c.name) === "load" && run.table.find(c.name.replace(/load$/, "ux")))).map((c) => c.name.slice(0, c.name.lastIndexOf(".")));
  if (!joints.length) return null;
  return [pair(together(run, joints, "normal", "Contact force"), together(run, joints, "load", "Load on the joint"), together(run, joints, "gap", "Gap between the surfaces")), first(joints, "joints")];
}

export function clearanceSection(run) {
  const contacts = run.summary.contacts ?? [], plots = clearancePlots(run);
  if (!contacts.length && !run.summary.reversals && !plots) return null;
  const touches = contacts.reduce((sum, c) => sum + c.touches, 0);
  return section("clearance", ["Joints with clearance", "Clearance"],
    contacts.length ? h("p", {}, `${contacts.length === 1 ? "One journal with clearance touches its bearing" : `${contacts.length} journals with clearance touch their bearings`} ${plural(touches, "time")}. Peaks here and among the largest values come from every step of the integrator, not only from the rows of the table.`) : null,
    contacts.length ? [contactTable(contacts), modeKey()] : null, reversalTable(run), plots, clearancePictures(run));
}
