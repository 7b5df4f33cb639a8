// Answers of verbs at one pose or over a map: stiffness, envelope of clearance, workspace; in words and tables.
import { h, section, table } from "./dom.js";
import { digits, percent, quantity } from "./units.js";
import { plural } from "./words.js";
import { designAnswer } from "./design.js";
import { sweepAnswer } from "./sweeps.js";

export const strong = (text) => h("span", { class: "strong" }, text);
export const quiet = (text) => h("span", { class: "quiet" }, text);
const direction = (axis) => axis.map((c) => (Math.abs(c) < 5e-5 ? "0" : c.toFixed(4).replace("-", "−"))).join(", ");
export const point = (at) => `${at.map((c) => digits(1e3 * (Math.abs(c) < 1e-9 ? 0 : c), 4)).join(", ")} mm`;
export const figure = (title, text, sub) => {
  const [value, unit] = text.split("\u00a0");
  return h("div", {}, h("dt", {}, title), h("dd", {}, value, unit ? h("small", {}, unit) : null, sub ? h("span", { class: "sub" }, sub) : null));
};
const axisWords = { x: "shift along x", y: "shift along y", z: "shift along z", rx: "turn about x", ry: "turn about y", rz: "turn about z" };

// ---- stiffness ----------------------------------------------------------------------------------

const isStiffness = ({ summary }) => summary.shifts && summary.turns && summary.compliance;
const stiffnessOf = (item, unit) => (item.compliance > 1e-15 ? quantity(1 / item.compliance, unit, 5) : quiet("does not yield"));

function yieldTable(items, unit, per) {
  return table(["Direction", "Stiffness", "Yields", "Along x, y, z"], items.map((item, k) => [strong(["softest", "middle", "stiffest"][k]), stiffnessOf(item, unit), quantity(item.compliance, per, 4), direction(item.axis)]), "lrrr");
}

/// The matrix, rounding as a dash.
function matrixTable(summary) {
  const names = Object.keys(axisWords), A = summary.stiffness ?? summary.compliance, size = (i, j) => Math.sqrt(Math.abs(A[7 * i] * A[7 * j]));
  return table(["", ...names], names.map((name, i) => [strong(name), ...names.map((_, j) => (Math.abs(A[6 * j + i]) <= 1e-12 * size(i, j) ? quiet("–") : digits(A[6 * j + i], 5)))]), "lrrrrrr");
}

function moveTable(summary) {
  const rows = [["Under the force", summary.deflection], ["Under the weight", summary.sag]].filter(([, move]) => move?.some((v) => Math.abs(v) > 1e-15));
  if (!rows.length) return null;
  const shown = (v, k) => (Math.abs(v) < 1e-13 ? quiet("–") : quantity(v, k < 3 ? "m" : "rad", 4));
  return [h("h3", {}, "How far the tool moves"), table(["", ...Object.values(axisWords)], rows.map(([name, move]) => [strong(name), ...move.map(shown)]), "lrrrrrr")];
}

function stiffnessSection({ summary }) {
  const shares = summary.shares.filter(({ share }) => share >= 0.005);
  return section("stiffness", "Stiffness",
    h("h3", {}, "Shifts, without a torque"), yieldTable(summary.shifts, "N/m", "m/N"),
    h("h3", {}, "Turns, without a force"), yieldTable(summary.turns, "N m/rad", "rad/(N m)"),
    shares.length ? [h("h3", {}, "Where it yields"), h("div", { class: "narrow" }, table(["Part", "Share"], shares.map(({ name, kind, share }) => [strong(`${name} ${kind}`.trim()), percent(share)]), "lr"))] : null,
    moveTable(summary),
    h("h3", {}, summary.stiffness ? "Stiffness matrix" : "Compliance matrix"), matrixTable(summary),
    h("p", { class: "note" }, summary.stiffness ? "In N/m, N/rad, N and N·m/rad, at the tool point and in world axes." : "In m/N, m/(N·m), rad/N and rad/(N·m): some direction is rigid, so that there is no stiffness matrix."));
}

const stiffnessFigures = ({ summary: { shifts, turns, sag } }) => [
  ...(shifts[0].compliance > 1e-15 ? [figure("Least stiffness of shifts", quantity(1 / shifts[0].compliance, "N/m", 4), `along ${direction(shifts[0].axis)}`)] : []),
  ...(turns[0].compliance > 1e-15 ? [figure("Least stiffness of turns", quantity(1 / turns[0].compliance, "N m/rad", 4), `about ${direction(turns[0].axis)}`)] : []),
  ...(sag && Math.hypot(...sag.slice(0, 3)) > 1e-13 ? [figure("Sags under its weight by", quantity(Math.hypot(...sag.slice(0, 3)), "m", 4), "at the tool")] : [])];

// ---- envelope -----------------------------------------------------------------------------------

const isEnvelope = ({ summary }) => summary.clearance_joints && (summary.shift_ellipsoid || summary.bounds);
const boundWords = { ex: "Shift along x", ey: "Shift along y", ez: "Shift along z", erx: "Turn about x", ery: "Turn about y", erz: "Turn about z", shift: "Shift in any direction", shift_closed: "The same, loops closed",
  turn: "Turn about any axis", turn_closed: "The same, loops closed", a1: "Longest half axis of the ellipsoid of shifts" };

function boundTable({ bounds }) {
  return table(["Bound of the error", "Largest", "At t [s]"], bounds.map((b) => [strong(boundWords[b.name] ?? b.name), quantity(b.value, b.unit, 5), digits(b.t, 4)]), "lrr");
}

function poseTables(summary) {
  const ellipsoid = (items, unit) => table(["Half axis", "Along x, y, z"], items.map((e) => [quantity(e.semi_axis, unit, 5), direction(e.along)]), "rr");
  const joints = summary.joints.filter(({ shift, turn }) => shift > 0 || turn > 0);
  return [table(["Error of the tool", "First order", "Linear program", "Loops closed"], summary.axes.map((a) => [strong(axisWords[a.axis]), quantity(a.bound, a.unit, 5), quantity(a.linear_program, a.unit, 5), quantity(a.closed, a.unit, 5)]), "lrrr"),
    h("div", { class: "pair" }, h("div", {}, h("h3", {}, "Ellipsoid around all shifts"), ellipsoid(summary.shift_ellipsoid, "m")), h("div", {}, h("h3", {}, "Ellipsoid around all turns"), ellipsoid(summary.turn_ellipsoid, "rad"))),
    h("h3", {}, "What each joint adds"),
    table(["Joint", "To the largest shift", "", "To the largest turn", ""], joints.map((j) => [strong(j.pin > 1 ? `${j.name}, second pin` : j.name), quantity(j.shift, "m", 4), percent(j.shift / summary.shift), quantity(j.turn, "rad", 4), percent(j.turn / summary.turn)]), "lrrrr")];
}

function envelopeSection({ summary }) {
  return section("envelope", ["Errors that clearance allows", "Errors"], summary.bounds ? boundTable(summary) : poseTables(summary),
    h("p", { class: "note" }, "The drives are held, every journal may lie anywhere in its bearing. To first order in the clearance; “loops closed” are the worst positions computed again without that."));
}

function envelopeFigures({ summary }) {
  const of = (name) => summary.bounds?.find((b) => b.name === name);
  const shift = summary.shift ?? of("shift")?.value, turn = summary.turn ?? of("turn")?.value;
  const where = (name, along) => (along ? `along ${direction(along)}` : `at ${digits(of(name)?.t, 4)} s`);
  return [figure("Largest shift of the tool", quantity(shift, "m", 4), where("shift", summary.shift_along)), figure("Largest turn of the tool", quantity(turn, "rad", 4), where("turn", summary.turn_about))];
}

// ---- workspace ----------------------------------------------------------------------------------

const isWorkspace = ({ summary }) => summary.mean_dexterity !== undefined && summary.reachable !== undefined;

function workspaceSection({ summary: s }) {
  const rows = [["Points of the grid", `${s.points}, ${s.reachable} in reach`]];
  const size = ["", "Length", "Area", "Volume"][s.dimension];
  if (size) rows.push([`${size} in reach`, s.beyond ? `at least ${quantity(s.size, s.size_unit, 5)}` : `${quantity(s.size, s.size_unit, 5)} ± ${quantity(s.size_error, s.size_unit, 2)}`]);
  if (size && s.beyond) rows.push(["Beyond the grid", "the reach goes on: its size is of the part inside"]);
  if (size && s.has_limits) rows.push([`${size} within the limits`, `${quantity(s.size_in_limits, s.size_unit, 5)} ± ${quantity(s.size_in_limits_error, s.size_unit, 2)}`]);
  if (!s.has_limits) rows.push(["Limits", "the model has none of drives or joints"]);
  if (s.best) rows.push(["Best condition number", `${digits(s.best.condition, 5)} at ${point(s.best.position)}`], ["Worst condition number", `${digits(s.worst.condition, 4)} at ${point(s.worst.position)}`],
    ["Mean of 1 / condition number", digits(s.mean_dexterity, 5)], ["Singular points", String(s.singular)]);
  if (s.farthest) rows.push(["Farthest from singular and unreachable points", `${quantity(s.farthest.distance, "m", 4)} at ${point(s.farthest.position)}`]);
  if (s.home_distance !== undefined) rows.push(["Their distance next to home", quantity(s.home_distance, "m", 4)]);
  return section("results", "Results", table(["Quantity", "Value"], rows.map(([name, text]) => [strong(name), text]), "ll"),
    size ? h("p", { class: "note" }, "Sizes go by the border located between the points of the grid; their error is what a grid of half as many points changes.") : null);
}

function workspaceFigures({ summary: s }) {
  const size = ["", "Length", "Area", "Volume"][s.dimension];
  return [...(size ? [figure(`${size} in reach`, quantity(s.size, s.size_unit, 4), s.beyond ? "at least: the grid cuts the reach" : `± ${quantity(s.size_error, s.size_unit, 2)}`)] : []),
    ...(s.best ? [figure("Best condition number", digits(s.best.condition, 4), `at ${point(s.best.position)}`), figure("Mean of 1 / condition number", digits(s.mean_dexterity, 4), "over what is reached")] : []),
    ...(s.farthest ? [figure("Farthest from trouble", quantity(s.farthest.distance, "m", 4), `at ${point(s.farthest.position)}`)] : [])];
}

// ---- modes --------------------------------------------------------------------------------------

const isModes = ({ scene }) => scene?.modes?.shapes.length > 0;
const modeFigures = ({ scene: { modes: { shapes } } }) => [figure("Lowest frequency", quantity(shapes[0].frequency, "Hz", 5), plural(shapes.length, "mode") + " computed"),
  figure("Highest of them", quantity(shapes.at(-1).frequency, "Hz", 5), `mode ${shapes.length}`)];

/// {section, figures} of a run that has such an answer; null.
export function answerOf(run) {
  if (isStiffness(run)) return { section: stiffnessSection(run), figures: stiffnessFigures(run) };
  if (isEnvelope(run)) return { section: envelopeSection(run), figures: envelopeFigures(run) };
  if (isWorkspace(run)) return { section: workspaceSection(run), figures: workspaceFigures(run) };
  if (isModes(run)) return { section: null, figures: modeFigures(run) };
  return sweepAnswer(run) ?? designAnswer(run);
}
