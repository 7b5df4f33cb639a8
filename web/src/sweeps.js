// Answers over a motion, a plane or a range of frequencies, and of signals: modes --along, --map, --response, stiffness --map, analyse.
import { section, table, h } from "./dom.js";
import { digits, percent, quantity } from "./units.js";
import { figure, point, quiet, strong } from "./answers.js";
import { capital, plural } from "./words.js";

const extreme = (values, sign) => values.reduce((best, v, k) => (sign * v > sign * values[best] ? k : best), 0);

// ---- frequencies along a motion -----------------------------------------------------------------

const isAlong = ({ summary, table: t }) => Array.isArray(summary.least) && Array.isArray(summary.most) && t.time && t.find("f1");

function rangesAlong(run) {
  const time = run.table.time.values;
  return run.summary.least.map((_, k) => run.table.find(`f${k + 1}`)).filter(Boolean).map(({ values }, k) => {
    const [low, high] = [extreme(values, -1), extreme(values, 1)];
    return { number: k + 1, least: values[low], from: time[low], most: values[high], to: time[high] };
  });
}

function alongSection(run) {
  const rows = rangesAlong(run).map((r) => [strong(String(r.number)), quantity(r.least, "Hz", 6), digits(r.from, 4), quantity(r.most, "Hz", 6), digits(r.to, 4), r.least > 0 ? percent((r.most - r.least) / r.least) : quiet("–")]);
  return section("results", ["Natural frequencies along the motion", "Frequencies"], table(["Number", "Lowest", "At t [s]", "Highest", "At t [s]", "Range"], rows, "lrrrrr"),
    h("p", { class: "note" }, "The drives hold the pose of each instant. Numbers count by size at each instant, so two frequencies that cross change their numbers."));
}

const alongFigures = (run) => {
  const [first] = rangesAlong(run);
  return [figure("Lowest frequency", quantity(first.least, "Hz", 4), `at ${digits(first.from, 4)} s`), figure("The same, at most", quantity(first.most, "Hz", 4), `at ${digits(first.to, 4)} s`)];
};

// ---- maps ---------------------------------------------------------------------------------------

const isFrequencyMap = ({ summary }) => Array.isArray(summary.frequencies) && summary.reachable !== undefined;
const isStiffnessMap = ({ summary }) => summary.least_at && summary.reachable !== undefined;
const mapRow = (name, item, unit) => [strong(name), quantity(item.least, unit, 5), point(item.least_at), quantity(item.most, unit, 5), point(item.most_at)];
const reachOf = ({ points, reachable }) => h("p", { class: "note" }, `${reachable} of the ${plural(points, "point")} of the grid are in reach.`);
const mapFigures = (what, item, unit) => [figure(`Least ${what}`, quantity(item.least, unit, 4), `at ${point(item.least_at)}`), figure(`Largest ${what}`, quantity(item.most, unit, 4), `at ${point(item.most_at)}`)];

const frequencyMapSection = ({ summary: s }) => section("results", "Results",
  table(["Natural frequency", "Lowest", "At x, y, z", "Highest", "At x, y, z"], s.frequencies.filter((f) => f.least_at).map((f, k) => mapRow(String(k + 1), f, "Hz")), "lrrrr"), reachOf(s));
const stiffnessMapSection = ({ summary: s }) => section("results", "Results",
  table(["", "Least", "At x, y, z", "Largest", "At x, y, z"], [mapRow("Stiffness of the softest direction", s, "N/m")], "lrrrr"), reachOf(s));

// ---- frequency response -------------------------------------------------------------------------

const isResponse = ({ summary, table: t }) => summary.shaker !== undefined && summary.peaks && t.find("x.amplitude");
const directions = { x: "shift along x", y: "shift along y", z: "shift along z", rx: "turn about x", ry: "turn about y", rz: "turn about z" };
const rounding = 1e-9; // of the largest answer: what symmetric robots leave in the other directions, turns counted at 1 m

function responseSection({ summary: s, table: t }) {
  const most = Math.max(...Object.values(s.peaks).map(([, value]) => value));
  const rows = Object.entries(directions).map(([name, words]) => {
    const [f, value] = s.peaks[name], column = t.find(`${name}.amplitude`), has = value > rounding * most;
    return [strong(words), has ? quantity(column.values[0], column.unit, 4) : quiet("none"), has ? quantity(value, column.unit, 4) : quiet("none"), has ? quantity(f, "Hz", 5) : ""];
  });
  return section("results", ["Frequency response of the tool", "Response"], table(["Answer of the tool", "At the lowest frequency", "Largest", "At"], rows, "lrrr"),
    s.has_damping ? null : h("p", { class: "note" }, "Nothing is damped: peaks are as high as the points happen to be near the resonances."));
}

function responseFigures({ summary: s, table: t }) {
  const [name, [f, value]] = Object.entries(s.peaks).filter(([n]) => n.length === 1).reduce((a, b) => (b[1][1] > a[1][1] ? b : a));
  return [figure("Largest shift", quantity(value, t.find(`${name}.amplitude`).unit, 4), `along ${name}, at ${quantity(f, "Hz", 4)}`), figure("Shaken by", s.shaker, s.shaker in directions ? `a ${s.shaker.length === 1 ? "force on the tool along" : "torque on the tool about"} ${s.shaker.at(-1)}` : "a drive")];
}

// ---- signals ------------------------------------------------------------------------------------

const isSignals = ({ summary }) => Array.isArray(summary.signals);

function lineTable(signals) {
  return table(["Signal", "Dominant frequency", "Amplitude", "Further ones"], signals.map((s) => {
    const [first, ...others] = s.lines;
    return [strong(s.name), first ? quantity(first.frequency, "Hz", 5) : quiet("none"), first ? quantity(first.amplitude, s.unit, 4) : "", others.map((l) => quantity(l.frequency, "Hz", 4)).join(", ")];
  }), "lrrl");
}

function stopTable({ stop, signals }) {
  if (stop === null || stop === undefined) return h("p", { class: "note" }, "The motion does not stop within the table, so there is nothing to say about what rings behind it.");
  const rows = signals.map(({ name, unit, after_stop: a }) => [strong(name), a.settling_time === null ? quiet("does not") : quantity(a.settling_time, "s", 4), quantity(a.swing, unit, 4), quantity(a.rms, unit, 4),
    a.frequency ? quantity(a.frequency, "Hz", 4) : quiet("–"), a.damping === null ? quiet("–") : percent(a.damping)]);
  return [h("h3", {}, `After the stop at ${quantity(stop, "s", 5)}`), table(["Signal", "Settles in", "Swing", "rms", "Frequency", "Damping"], rows, "lrrrrr")];
}

const signalSection = ({ summary: s }) => section("results", "Signals", lineTable(s.signals), stopTable(s),
  h("p", { class: "note" }, `Signals have the names of the columns of the table. Amplitudes are those of single sines, ${s.window === "none" ? "without a window" : `by a ${capital(s.window)} window`}.`));

const signalFigures = ({ summary: { signals } }) => signals.filter((s) => s.lines.length).slice(0, 2).map((s) => figure(`Dominant in ${s.name}`, quantity(s.lines[0].frequency, "Hz", 4), `with ${quantity(s.lines[0].amplitude, s.unit, 3)}`));

/// {section, figures} of such an answer; null.
export function sweepAnswer(run) {
  if (isAlong(run)) return { section: alongSection(run), figures: alongFigures(run) };
  if (isFrequencyMap(run)) return { section: frequencyMapSection(run), figures: mapFigures("natural frequency", run.summary.frequencies[0], "Hz") };
  if (isStiffnessMap(run)) return { section: stiffnessMapSection(run), figures: mapFigures("stiffness", run.summary, "N/m") };
  if (isResponse(run)) return { section: responseSection(run), figures: responseFigures(run) };
  if (isSignals(run)) return { section: signalSection(run), figures: signalFigures(run) };
  return null;
}
