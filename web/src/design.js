// Answers of the verbs that a designer asks: motors, fastest, matrices, compare, modes of one link.
import { h, section, table } from "./dom.js";
import { digits, percent, quantity } from "./units.js";
import { plural } from "./words.js";
import { figure, quiet, strong } from "./answers.js";
import { pictureOf } from "./picture_of.js";

const rpm = (speed) => digits((30 / Math.PI) * speed, 4);
const plain = (x) => String(Number(x.toPrecision(4)));
const perMinute = (time) => `${digits(60 / time, 4)} per minute`;

// ---- motors -------------------------------------------------------------------------------------

const isMotors = ({ summary }) => Array.isArray(summary.motors);
const verdict = (motor) => (motor.serves ? h("span", { class: "badge good" }, "serves") : h("span", { class: "badge differs" }, "too small"));

function motorSection(run) {
  const { summary } = run, shown = summary.motors.find((m) => m.name === summary.shown && m.gear_ratio === summary.shown_gear_ratio);
  const rows = summary.motors.map((m) => [strong(m.name), plain(m.gear_ratio), `${digits(m.rms_torque, 3)} / ${digits(m.rated_torque, 3)}`, `${digits(m.peak_torque, 3)} / ${digits(m.peak_limit, 3)}`,
    `${rpm(m.peak_speed)} / ${rpm(m.max_speed)}`, quantity(m.peak_power, "W", 3), digits(m.margin, 3), m.limit, verdict(m)]);
  const drives = (shown?.drives ?? []).map((d) => [strong(d.name), quantity(d.rms_torque, "N m", 4), quantity(d.peak_torque, "N m", 4), rpm(d.peak_speed), quantity(d.peak_power, "W", 4), quantity(d.consumed, "J", 4), quantity(d.regenerated, "J", 4), digits(d.margin, 3)]);
  return section("motors", "Motors",
    h("p", { class: "note" }, "Each number is that of the drive that asks most of the motor, beside what the motor can do. The margin is the least of its three limits over what is needed."),
    table(["Motor", "Gear", "rms / rated [N·m]", "Peak [N·m]", "Speed [rpm]", "Power", "Margin", "Limited by", ""], rows, "lrrrrrrll"),
    shown ? [h("h3", {}, `${shown.name} with gear ${plain(shown.gear_ratio)}, drive by drive`),
      table(["Drive", "rms torque", "Peak torque", "Speed [rpm]", "Power", "Taken", "Given back", "Margin"], drives, "lrrrrrrr")] : null,
    pictureOf(run, "torque-speed.svg"));
}

function motorFigures({ summary: s }) {
  const best = s.motors.find((m) => m.name === s.best && m.gear_ratio === s.best_gear_ratio);
  return [best ? figure("Smallest that serves", best.name, `gear ${plain(best.gear_ratio)}, margin ${digits(best.margin, 3)}`) : figure("Smallest that serves", "none", `of ${plural(s.motors.length, "motor")}`),
    figure("Cycle", quantity(s.duration, "s", 4), perMinute(s.duration))];
}

// ---- fastest ------------------------------------------------------------------------------------

const isFastest = ({ summary }) => summary.fastest !== undefined && summary.stretched !== undefined;

function fastestSection({ summary: s }) {
  const rows = [["As it is written", s.given], ["Its law, stretched evenly", s.stretched], ["Best speed along the path", s.fastest], ["The same within the limits of jerk", s.smooth]].filter(([, time]) => time !== undefined && time !== null)
    .map(([what, time]) => [strong(what), quantity(time, "s", 6), perMinute(time), percent(time / s.given)]);
  return section("fastest", "Shortest time", table(["Motion", "Duration", "Cycles", "Of the given one"], rows, "lrrr"),
    h("p", { class: "note" }, `At the best speed some limit is used up everywhere: ${digits(100 * s.use, 5)} % of it at most, with ${plural(s.switches, "change")} of the limit that rules.`));
}

const fastestFigures = ({ summary: s }) => [figure("Shortest duration", quantity(s.smooth ?? s.fastest, "s", 4), perMinute(s.smooth ?? s.fastest)), figure("With its own law", quantity(s.stretched, "s", 4), perMinute(s.stretched))];

// ---- shape --------------------------------------------------------------------------------------

const isShape = ({ summary }) => Array.isArray(summary.variants) && summary.best !== undefined;
const shaperWords = { "as written": "As it is written", zv: "ZV", zvd: "ZVD", zvdd: "ZVDD", matched: "Duration matched to the frequency" };

function shapeSection({ summary: s }) {
  const rows = s.variants.map((v) => [strong(shaperWords[v.name] ?? v.name), quantity(v.stop, "s", 5), v.added ? quantity(v.added, "s", 3) : quiet("–"), quantity(v.residual, "m", 4), percent(v.share), v.name === s.best ? h("span", { class: "badge good" }, "least") : ""]);
  return section("shape", ["Vibration behind the stop", "Vibration"],
    table(["Motion", "Stops at", "Longer by", `Vibration of ${s.variants[0].point}`, "Of that as written", ""], rows, "lrrrrl"),
    h("p", { class: "note" }, `Shapers and duration are for ${s.shaped.map((f) => quantity(f, "Hz", 4)).join(" and ")}, ${s.damping ? `with a damping ratio of ${digits(s.damping, 3)}` : "undamped"}. The vibration is half of what the point swings along x, y and z behind the stop, as one length.`));
}

function shapeFigures({ summary: s }) {
  const best = s.variants.find((v) => v.name === s.best), first = s.variants[0];
  return [figure("Vibration as written", quantity(first.residual, "m", 4), `of ${first.point}, at ${quantity(s.frequency, "Hz", 4)}`),
    ...(best && best !== first ? [figure(`With ${shaperWords[best.name] ?? best.name}`, quantity(best.residual, "m", 4), `${percent(best.share)} of it, ${quantity(best.added, "s", 3)} longer`)] : [])];
}

// ---- matrices -----------------------------------------------------------------------------------

const isMatrices = ({ summary }) => Array.isArray(summary.M) && summary.forces;
const entry = (v) => (Math.abs(v) < 5e-10 ? quiet("0") : digits(v, 6));
const matrix = (rows, names, columns) => table(["", ...columns], rows.map((row, i) => [strong(names[i]), ...row.map(entry)]), `l${"r".repeat(columns.length)}`);

function matricesSection({ summary: s }) {
  const rates = ["vx", "vy", "vz", "wx", "wy", "wz"];
  const terms = [["M a", "inertia"], ["V", "coriolis"], ["G", "gravity"], ["load", "load"], ["F", "force"]];
  return section("matrices", "Matrices",
    s.jacobian ? [h("h3", {}, "J, rates of the tool per rate of the drives"), matrix(s.jacobian, rates, s.drives)] : null,
    s.jacobian_inverse ? [h("h3", {}, "Its inverse"), matrix(s.jacobian_inverse, s.drives, s.moves)] : null,
    s.joint_rates?.length ? [h("h3", {}, "Rates of the other joints per rate of the drives"), matrix(s.joint_rates.map((r) => r.row), s.joint_rates.map((r) => r.joint), s.drives)] : null,
    h("h3", {}, "Mass matrix M"), matrix(s.M, s.drives, s.drives),
    h("h3", {}, "Forces of the drives, F = M a + V + G − load"), table(["", ...s.drives], terms.map(([name, key]) => [strong(name), ...s.forces[key].map(entry)]), `l${"r".repeat(s.drives.length)}`),
    h("h3", {}, "What each part asks of them"), table(["Part", "Mass", ...s.drives], s.parts.map((p) => [strong(p.name), quantity(p.mass, "kg", 4), ...p.force.map(entry)]), `lr${"r".repeat(s.drives.length)}`),
    s.accelerations ? [h("h3", {}, "Accelerations by the forces given"), matrix([s.accelerations], ["a"], s.drives)] : null,
    h("p", { class: "note" }, "In SI units and radians; drives that turn have torques in N·m and inertias in kg·m²."));
}

const matricesFigures = ({ summary: s, manifest }) => {
  const most = s.forces.force.reduce((best, f, k) => (Math.abs(f) > Math.abs(s.forces.force[best]) ? k : best), 0);
  return [figure("Largest drive force", quantity(s.forces.force[most], manifest.results[most].unit, 4), s.drives[most]), figure("Parts", `${s.parts.length}`, `${quantity(s.parts.reduce((sum, p) => sum + p.mass, 0), "kg", 4)} together`)];
};

// ---- compare ------------------------------------------------------------------------------------

const isCompare = ({ summary }) => summary.relative_difference !== undefined && summary.against;

function compareSection(run) {
  const { summary: s } = run, unit = (d) => run.table.find(`${d.name}.engine`)?.unit ?? "";
  return section("compare", "Two derivations",
    h("p", {}, `The general engine against ${s.against}${s.closed_form ? ` (${s.closed_form})` : ""}, ${s.instants} instants.`),
    table(["Drive", "Largest force", "Largest difference", "At t [s]"], s.drives.map((d) => [strong(d.name), quantity(d.largest_force, unit(d), 6), quantity(d.difference, unit(d), 3), digits(d.t, 4)]), "lrrr"));
}

const compareFigures = ({ summary: s }) => [figure("Largest difference", s.relative_difference.toExponential(1).replace("-", "−"), "of the largest force"), figure("Against", s.against, s.closed_form ?? "")];

// ---- modes of one link --------------------------------------------------------------------------

const isLink = ({ summary }) => summary.link && Array.isArray(summary.modes);

function linkSection({ summary: s }) {
  const some = s.modes.some((m) => m.enabled !== undefined);
  const rows = s.modes.map((m) => [strong(String(m.number)), quantity(m.f, "Hz", 6), quantity(m.generalised_mass, m.turns ? "kg m2" : "kg", 5), m.generalised_stiffness ? quantity(m.generalised_stiffness, m.turns ? "N m/rad" : "N/m", 5) : quiet("0"), m.kind, ...(some ? [m.enabled ? "kept" : quiet("left out")] : [])]);
  return section("link", "Modes of the link",
    table(["Mode", "Frequency", "Generalised mass", "Generalised stiffness", "Strained in", ...(some ? ["In a run"] : [])], rows, `lrrrl${some ? "l" : ""}`),
    h("p", { class: "note" }, "Shapes with a largest displacement of 1 m, of torsion with a largest rotation of 1 rad."));
}

const linkFigures = ({ summary: s }) => {
  const first = s.modes.find((m) => m.f > 0);
  return [...(first ? [figure("Lowest frequency", quantity(first.f, "Hz", 5), `${first.kind}, ends ${s.ends}`)] : []), figure("Link", s.link, `${quantity(s.length, "m", 4)}, ${quantity(s.mass, "kg", 4)}`)];
};

/// {section, figures} of such an answer; null.
export function designAnswer(run) {
  if (isMotors(run)) return { section: motorSection(run), figures: motorFigures(run) };
  if (isFastest(run)) return { section: fastestSection(run), figures: fastestFigures(run) };
  if (isShape(run)) return { section: shapeSection(run), figures: shapeFigures(run) };
  if (isMatrices(run)) return { section: matricesSection(run), figures: matricesFigures(run) };
  if (isCompare(run)) return { section: compareSection(run), figures: compareFigures(run) };
  if (isLink(run)) return { section: linkSection(run), figures: linkFigures(run) };
  return null;
}
