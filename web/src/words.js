// Column names and settings in words.

const drive = {
  q: "position", v: "velocity", a: "acceleration", dq: "position off the ideal", demand: "demanded force",
  saturated: "at its limit", electric: "electrical power", torque: "torque of the motor",
};
const tool = {
  dp: "position deviation", dv: "velocity deviation", da: "acceleration deviation", turn: "rotation off the ideal",
  speed: "speed", acc: "acceleration", dx: "deviation in x", dy: "deviation in y", dz: "deviation in z",
  dr: "deviation of the distance", dspeed: "deviation of the speed", dacc: "deviation of the acceleration", omega: "angular speed", alpha: "angular acceleration", rx: "rotation about x", ry: "rotation about y", rz: "rotation about z", r: "distance", deflection: "deflection",
  dv_held: "velocity deviation between reversals", da_held: "acceleration deviation between reversals", condition: "condition number",
  vx: "velocity along x", vy: "velocity along y", vz: "velocity along z", ax: "acceleration along x", ay: "acceleration along y", az: "acceleration along z",
  wx: "angular velocity about x", wy: "angular velocity about y", wz: "angular velocity about z", stress: "largest stress", axial: "axial force", twist: "angle of twist", gap: "gap of the surfaces", normal: "contact force",
  x: "position x", y: "position y", z: "position z", roll: "roll", pitch: "pitch", yaw: "yaw",
};

/// "qA.force" as {item: "qA", what: "torque", group: "..."}; drives turn when their force is in N m.
export function columnWords(name, unit) {
  const dot = name.lastIndexOf(".");
  const item = dot < 0 ? "" : name.slice(0, dot);
  const kind = dot < 0 ? name : name.slice(dot + 1);
  const force = unit === "N m" ? "torque" : "force", frequency = /^[fw](\d+)$/.exec(name);
  if (frequency) return { item: "", what: `natural frequency ${frequency[1]}`, group: "Others" };
  if (kind === "force") return { item, what: force, group: `Drive ${force}s` };
  if (kind === "dforce") return { item, what: `${force} beyond the ideal`, group: `Difference from the ideal drive ${force}s` };
  if (kind === "dq") return { item, what: drive.dq, group: "Tracking errors of the drives" };
  if (["dp", "dv", "da", "turn", "dv_held", "da_held"].includes(kind)) return { item, what: tool[kind], group: "Deviation of the tool from the ideal motion" };
  if (["speed", "acc"].includes(kind)) return { item, what: tool[kind], group: "Motion of the tool" };
  return { item, what: tool[kind] ?? drive[kind] ?? kind, group: "Others", unknown: !(kind in tool || kind in drive) };
}

/// Components of vectors and letters that people know, by the second part of a column's name.
const parts = { x: "x", y: "y", z: "z", roll: "roll", pitch: "pitch", yaw: "yaw", speed: "magnitude", acc: "magnitude", dp: "magnitude", dv: "magnitude", da: "magnitude", turn: "rotation", r: "distance",
  shift: "in any direction", shift_closed: "in any direction, loops closed", turn_closed: "rotation, loops closed", a1: "longest", a2: "middle", a3: "shortest", b1: "longest", b2: "middle", b3: "shortest" };
const componentOf = (kind) => parts[kind] ?? (/^(?:[vawedst]|dv|da|er|sh)?[xyz]$/.test(kind) ? kind.at(-1) : kind.replaceAll("_", " "));

/// What the curve of a column is called: its item, or the component that it is.
export const curveTitle = (column) => {
  const kind = column.name.slice(column.name.lastIndexOf(".") + 1);
  return column.item === undefined ? column.name : column.item === kind && column.name.includes(".") ? componentOf(kind) : column.item;
};

/// What a column is among those of its item: "x", "magnitude".
export const componentTitle = (column) => componentOf(column.name.slice(column.name.lastIndexOf(".") + 1));

/// Names of curves that share a plot: items, and what tells columns of one item apart.
export function curveTitles(columns) {
  const titles = columns.map(curveTitle);
  const again = (title) => titles.filter((t) => t === title).length > 1;
  const items = new Set(columns.map((c) => c.item));
  return titles.map((title, k) => (again(title) ? (items.size > 1 ? `${title}, ` : "") + componentTitle(columns[k]) : title));
}

/// A column in words: "position of P, x", "force, qA".
export const columnTitle = (column) => {
  if (column.item === undefined) return column.name;
  return column.quantity ? `${column.quantity}, ${curveTitle(column)}` : column.item;
};

export const capital = (text) => text && text[0].toUpperCase() + text.slice(1);

/// "max P.ex" in words, by the column of the table that it is of.
export function resultWords(name, table) {
  const match = /^(max|min|absmax|rms|mean) (.+)$/.exec(name), column = match && table.find(match[2]);
  const of = { max: "largest value", min: "least value", absmax: "largest magnitude", rms: "root mean square", mean: "mean" };
  return column ? `${columnTitle(column)}: ${of[match[1]]}` : name.replaceAll("_", " ");
}

/// A value whose repetitions lie apart: only their range is an answer.
export const isApart = (verdict) => verdict === "chaotic" || verdict === "not converged";

/// What a deviation must exceed to be more than round-off.
const floors = { dp: 1e-9, dv: 1e-9, da: 1e-7, turn: 1e-10, dx: 1e-9, dy: 1e-9, dz: 1e-9 };
export function isRoundOff(name, value) {
  const kind = name.slice(name.lastIndexOf(".") + 1);
  return kind in floors && Math.abs(value) < floors[kind];
}

/// "S*: {static: 0.11, radius: 10mm}" as "S*: static 0.11, radius 10 mm".
function flatten(value) {
  return value
    .replace(/[{}"']/g, "")
    .replace(/([\w-]+):\s*/g, "$1 ")
    .replace(/(\d)([a-zµ°]+)\b/g, "$1 $2")
    .replace(/\s+/g, " ")
    .trim();
}

/// Of a pattern with settings: the pattern, and the settings in words.
function patterned(value) {
  const match = /^\s*([^:{]+):\s*(.*)$/s.exec(value);
  return match ? [match[1].replace(/["']/g, "").trim(), flatten(match[2])] : ["", flatten(value)];
}

/// "0.1,0,-0.9" as people write it, with the unit that plain numbers have.
function numbers(text, unit) {
  const items = text.split(",").map((item) => item.trim().replace(/^-/, "−"));
  const plain = items.length === 3 && items.every((item) => /^−?[\d.]+$/.test(item));
  return items.join(", ") + (plain && unit ? ` ${unit}` : "");
}

const startWords = {
  static: "in static equilibrium",
  undeformed: "not deflected",
  periodic: "such that the response repeats itself",
};

/// Plain numbers are in SI units; what has a unit of its own keeps it.
const withUnit = (v, unit) => (/[a-z]/i.test(v) ? v : `${v.split(",").map((item) => minus(item.trim())).join(", ")} ${unit}`);

const optionWords = {
  "--friction": (v) => ["Friction", patterned(v)],
  "--clearance": (v) => ["Clearance", patterned(v)],
  "--flexible": (v) => ["Flexible links", patterned(v)],
  "--drive": (v) => ["Drives", patterned(v)],
  "--load": (v) => ["Load", patterned(v)],
  "--payload": (v) => ["Payload", patterned(v)],
  "--tool-force": (v) => ["Force on the tool", ["", `${withUnit(v, "")}(N, N·m, world axes)`]],
  "--start": (v) => (startWords[v.trim()] ? ["Start", ["", startWords[v.trim()]]] : ["Velocities at the start", ["", flatten(v)]]),
  "--set": (v) => ["Parameter", ["", v.replace("=", " = ")]],
  "--run": (v) => ["Run file", ["", v.split("/").pop()]],
  "--tolerance": (v) => ["Tolerance", ["", v]],
  "--method": (v) => ["Method", ["", v === "closed" ? "closed form of the family" : "general engine"]],
  "--at": (v) => ["Tool at", ["", numbers(v, "m")]],
  "--drives": (v) => ["Drives at", ["", numbers(v, "")]],
  "--drives-are": (v) => ["Drives are", ["", flatten(v)]],
  "--modes": (v) => ["Modes", ["", v]],
  "--weight": () => ["Static forces", ["", "weight and loads stiffen and soften"]],
  "--along": (v) => ["Along the motion", ["", v]],
  "--response": (v) => ["Response", ["", `${v} Hz`]],
  "--shake": (v) => ["Shaken by", ["", v]],
  "--slice": (v) => ["Slice", ["", v]],
  "--verify": () => ["Verified", ["", "repeated by other means: error bars of the largest values"]],
  "--motors": (v) => ["Table of motors", ["", v.split("/").pop()]],
  "--show": (v) => ["Motor shown", ["", v]],
  "--force": (v) => ["Forces of the drives", ["", withUnit(v, "N, N·m")]],
  "--velocity": (v) => ["Rates of the drives", ["", withUnit(v, "m/s, rad/s")]],
  "--acceleration": (v) => ["Accelerations of the drives", ["", withUnit(v, "m/s², rad/s²")]],
  "--jerk": (v) => ["Jerks of the drives", ["", withUnit(v, "m/s³, rad/s³")]],
  "--tool-speed": (v) => ["Largest speed of the tool", ["", withUnit(v, "m/s")]],
  "--tool-acceleration": (v) => ["Largest acceleration of the tool", ["", withUnit(v, "m/s²")]],
  "--tool-jerk": (v) => ["Largest jerk of the tool", ["", withUnit(v, "m/s³")]],
  "--generated": () => ["Against", ["", "the code of pkm export c"]],
  "--link": (v) => ["Link", ["", v]],
  "--ends": (v) => ["Its ends", ["", v]],
  "--step": (v) => ["Step", ["", v]],
  "--repeat": (v) => ["Motion repeated", ["", `${v} times`]],
  "--stiffening": () => ["Stiffening", ["", "forces of the motion act on the displaced robot"]],
  "--without-coupling": () => ["Coupling", ["", "terms of turning axes left out"]],
  "--reactions": () => ["Reactions", ["", "forces and moments in every joint are in the table"]],
};

/// Rows of [what, value] for the options of a manifest.
export function optionRows(options) {
  const rows = [];
  for (const { name, value } of options) {
    const words = optionWords[name];
    if (!words) continue;
    const [what, [item, text]] = words(value ?? "");
    rows.push([what, item && text ? `${item}: ${text}` : item || text]);
  }
  return rows;
}

/// "a, b and c".
export function list(items) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

export const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/// True minus signs before numbers.
export const minus = (text) => text.replace(/(^|[ (,])-(?=[\d.])/g, "$1−");

export const sentence = (text) => {
  const clean = minus(String(text ?? "").trim().replace(/\s+/g, " "));
  return clean && clean[0].toUpperCase() + clean.slice(1) + (/[.!?]$/.test(clean) ? "" : ".");
};
