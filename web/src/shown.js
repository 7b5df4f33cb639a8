// What stands around the robot of a report: the ellipsoid of its stiffness, the body of its errors, the map of its reach, a path.
//
import * as THREE from "three";
import { h } from "./dom.js";
import { roundNumber } from "./picture.js";
import { Reach, colouring, sliceObjects, surfaceObject } from "./reach.js";
import { shade } from "./shade.js";
import { digits, quantity } from "./units.js";

const orange = 0xd55e00;

/// What they share: points that are to be in the picture, build(stage), controls, entries of the key, lines of the read-out.
class Shown {
  points() { return []; }
  controls() { return []; }
  key() { return []; }
  lines() { return []; }
}

const mark = (colour, text) => h("span", {}, h("i", { style: `border-color:${colour}` }), text);
const times = (x) => `× ${digits(x, 2).replace(/\.0$/, "")}`;
const chip = (text, on, flip) => {
  const element = h("button", { class: "chip", type: "button", "aria-pressed": String(on), onclick: () => element.setAttribute("aria-pressed", String(flip())) }, text);
  return element;
};

/// Where the tool stands in a scene without a motion.
export function toolAt(scene) {
  const [x, y, z, w, a, b, c] = scene.film.poses[0][scene.tool.body - 1];
  return new THREE.Vector3(...scene.tool.at).applyQuaternion(new THREE.Quaternion(a, b, c, w)).add(new THREE.Vector3(x, y, z));
}

function glassy(geometry, colour) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.42, roughness: 0.5, side: THREE.DoubleSide, depthWrite: false }));
  mesh.renderOrder = 2;
  return mesh;
}

// ---- stiffness ----------------------------------------------------------------------------------

/// The ellipsoids of pkm stiffness: half axes along the directions that yield by themselves. `data`: shifts and turns of summary.json.
export class StiffnessBody extends Shown {
  constructor(scene, data) {
    super();
    this.at = toolAt(scene);
    const body = (name, items, unit, of) => ({ name, unit, axes: items.map((item) => ({ value: of(item.compliance), axis: item.axis })) });
    this.choices = [body("Stiffness of shifts", data.shifts, "N/m", (c) => 1 / c), body("Yielding of shifts", data.shifts, "m/N", (c) => c),
      body("Stiffness of turns", data.turns, "N m/rad", (c) => 1 / c), body("Yielding of turns", data.turns, "rad/(N m)", (c) => c)]
      .filter(({ axes }) => axes.every(({ value }) => isFinite(value) && value < 1e15) && axes.some(({ value }) => value > 0));
    this.chosen = this.choices[0];
  }

  lines() {
    const words = ["first axis", "second axis", "third axis"];
    return (this.chosen?.axes ?? []).map(({ value }, k) => [words[k], quantity(value, this.chosen.unit, 4)]);
  }

  key() { return this.chosen ? [mark("#d55e00", `${this.chosen.name.toLowerCase()}, half axes to scale`)] : []; }

  controls() { return this.choices.length ? [h("label", {}, "Ellipsoid", this.select())] : []; }

  select() {
    const element = h("select", { "aria-label": "Ellipsoid", onchange: () => {
      this.chosen = this.choices[element.value];
      this.draw();
      this.stage.showKey();
      this.stage.setTime(this.stage.t);
    } }, this.choices.map(({ name }, k) => h("option", { value: k, selected: this.choices[k] === this.chosen }, name)));
    return element;
  }

  build(stage) {
    this.stage = stage;
    this.group = new THREE.Group();
    this.group.position.copy(this.at);
    stage.world.add(this.group);
    this.draw();
  }

  /// The half axes as they are drawn [m], the longest a good part of the robot.
  halfAxes() {
    const longest = Math.max(...this.chosen.axes.map(({ value }) => value));
    return this.chosen.axes.map(({ value, axis }) => new THREE.Vector3(...axis).multiplyScalar(Math.max((0.16 * this.stage.size * value) / longest, 1e-3 * this.stage.size)));
  }

  draw() {
    this.group.clear();
    if (!this.chosen) return;
    const half = this.halfAxes(), right = half[0].clone().cross(half[1]).dot(half[2]) < 0 ? -1 : 1;
    const ball = glassy(new THREE.SphereGeometry(1, 48, 32), orange);
    ball.matrixAutoUpdate = false;
    ball.matrix.makeBasis(half[0], half[1], half[2].clone().multiplyScalar(right));
    const cross = new THREE.BufferGeometry().setFromPoints(half.flatMap((axis) => [axis.clone().negate(), axis]));
    this.group.add(ball, new THREE.LineSegments(cross, new THREE.LineBasicMaterial({ color: orange })));
    this.ball = ball;
  }
}

// ---- clearance ----------------------------------------------------------------------------------

/// All errors of the tool that clearance allows, magnified, at the tool.
export class ShiftBody extends Shown {
  constructor(scene, summary) {
    const { around, rings, points } = scene.shifts;
    super();
    Object.assign(this, { at: toolAt(scene), around, rings, summary, shifts: points, tool: scene.tool.name });
  }

  lines() { return [["largest shift", quantity(this.summary.shift, "m", 4)], ["largest turn", quantity(this.summary.turn, "rad", 4)]]; }

  key() { return [mark("#d55e00", `all shifts of ${this.tool}, ${times(this.magnification)}`)]; }

  build(stage) {
    this.stage = stage;
    this.magnification ??= Math.max(1, roundNumber((0.12 * stage.size) / this.summary.shift));
    const index = [];
    for (let j = 0; j + 1 < this.rings; ++j)
      for (let i = 0; i < this.around; ++i) {
        const a = j * this.around + i, b = j * this.around + ((i + 1) % this.around);
        index.push(a, b, a + this.around, b, b + this.around, a + this.around);
      }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(this.shifts.flat(), 3));
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    this.mesh = glassy(geometry, orange);
    this.mesh.position.copy(this.at);
    this.mesh.scale.setScalar(this.magnification);
    stage.world.add(this.mesh);
  }

  controls() {
    const output = h("output", {}, times(this.magnification));
    const slider = h("input", { type: "range", min: "0", max: String(Math.log10(10 * this.magnification)), step: "any", value: String(Math.log10(this.magnification)), "aria-label": "Magnification of the shifts",
      oninput: () => {
        this.magnification = Number((10 ** Number(slider.value)).toPrecision(2));
        output.textContent = times(this.magnification);
        this.mesh.scale.setScalar(this.magnification);
        this.stage.showKey();
        this.stage.requestFrame();
      } });
    return [h("label", {}, "Shifts", slider, output)];
  }
}

// ---- maps ---------------------------------------------------------------------------------------

/// Slices of a map around the robot, and the border of a box.
export class MapBody extends Shown {
  constructor(scene) {
    const { map } = scene;
    super();
    Object.assign(this, { map, reach: new Reach(map), colours: colouring(map.slices, map.log), on: { slices: true, border: true } });
    this.isBox = map.points.every((n) => n > 1);
  }

  points() { return this.reach.someOfBorder().map((p) => new THREE.Vector3(...p)); }

  key() {
    const { low, high } = this.colours, stops = [0, 0.25, 0.5, 0.75, 1].map((s) => `rgb(${shade(s)})`).join(", ");
    return [h("span", { class: "scale" }, quantity(low, this.map.unit, 3), h("i", { style: `background:linear-gradient(90deg, ${stops})` }), quantity(high, this.map.unit, 3), ` ${this.map.what}`)];
  }

  build(stage) {
    this.slices = new THREE.Group();
    this.map.slices.forEach((slice) => this.slices.add(...sliceObjects(this.reach, slice, this.colours)));
    this.border = this.isBox ? surfaceObject(this.reach, 0x0072b2) : new THREE.Group();
    this.stage = stage;
    this.follow();
    stage.world.add(this.slices, this.border);
  }

  follow() {
    this.slices.visible = this.on.slices;
    this.border.visible = this.on.border;
    this.stage.requestFrame();
  }

  flip(what) {
    this.on[what] = !this.on[what];
    this.follow();
    return this.on[what];
  }

  controls() {
    return [chip(this.map.slices.length > 1 ? "Slices" : "Slice", this.on.slices, () => this.flip("slices")), ...(this.isBox ? [chip("Border of the reach", this.on.border, () => this.flip("border"))] : [])];
  }
}

// ---- paths --------------------------------------------------------------------------------------

/// The path of the tool, where a table has it and the stage has no motion; `columns`: x, y, z.
export class PathBody extends Shown {
  constructor(columns, name) {
    super();
    this.name = name;
    this.path = Array.from(columns[0].values, (_, i) => new THREE.Vector3(...columns.map((c) => c.values[i])));
  }

  points() { return this.path; }

  key() { return [mark("#0072b2", `path of ${this.name}`)]; }

  build(stage) {
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(this.path), new THREE.LineBasicMaterial({ color: 0x0072b2 }));
    this.tip = new THREE.Mesh(new THREE.SphereGeometry(0.007 * stage.size, 20, 14), new THREE.MeshBasicMaterial({ color: orange }));
    this.tip.position.copy(this.path[0]);
    stage.world.add(line, this.tip);
  }
}

/// What belongs to a run; null: nothing.
export function shownOf(run) {
  const { scene, summary, table } = run;
  if (!scene?.tool || (scene.film?.t.length ?? 0) !== 1) return null;
  if (scene.map) return new MapBody(scene);
  if (scene.shifts) return new ShiftBody(scene, summary);
  if (summary.shifts && summary.turns) return new StiffnessBody(scene, summary);
  const columns = ["x", "y", "z"].map((c) => table.find(`${scene.tool.name}.${c}`) ?? table.find(c));
  return table.time && columns.every(Boolean) ? new PathBody(columns, scene.tool.name) : null;
}
