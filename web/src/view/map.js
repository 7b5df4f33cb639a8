// The panel "Map": a slice of the workspace around the robot, coloured; frequencies and stiffness where it stands.
import * as THREE from "three";
import { h } from "../dom.js";
import { shade } from "../shade.js";
import { digits, quantity } from "../units.js";
import { button, group, select } from "./fields.js";

const planes = { 3: "level (x, y)", 5: "upright (x, z)", 6: "upright (y, z)" };

/// Quantities of elastic robots: the column of the map, words, unit; they take a hundred times as long a point.
const elastic = { frequency: ["f1", "lowest natural frequency", "Hz"], stiffness: ["k_min", "least stiffness of the tool", "N/m"] };
const elasticPoints = { 41: 11, 81: 21, 141: 31 };
const told = (value, unit, n) => (value >= 1e15 ? "rigid" : unit === "N/m" ? `${digits(value, n)}\u00a0N/m` : quantity(value, unit, n));

export class MapPanel {
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "panel-body" });
  }

  show(robot) {
    this.clear();
    const axes = robot.moves & 7;
    const there = Object.entries(planes).filter(([bits]) => (Number(bits) & axes) === Number(bits));
    this.plane = select("Plane", there, () => {}, robot.scene && (axes & 4) && !this.app.scene3.isFlat() ? "3" : there[0]?.[0]);
    this.quantity = select("Quantity", [["condition", "how well it moves (1 / condition)"], ["distance", "distance to trouble"], ["reachable", "reach and limits"],
      ...Object.entries(elastic).map(([name, [, words]]) => [name, words])], () => this.chosen());
    this.points = select("Fineness", [["41", "coarse"], ["81", "medium"], ["141", "fine"]], () => {}, "41");
    this.go = button("Compute the slice", () => this.compute(), { class: "button main", id: "map", disabled: !there.length || !robot.tool_mode });
    this.stop = button("Cancel", () => this.app.stopLong(), { hidden: true });
    this.bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress of the map" });
    this.text = h("div", { "aria-live": "polite" });
    this.key = h("div", { class: "colour-key", hidden: true });
    this.elastic = h("div", { "aria-live": "polite" });
    this.element.replaceChildren(
      group("A slice through the tool", there.length ? this.plane : h("p", { class: "note" }, "The tool of this robot does not move in a plane."), this.quantity, this.points,
        h("div", { class: "row" }, this.go, this.stop, button("Clear", () => this.clear())), this.bar, this.key, this.text),
      group("Where it stands", h("p", { class: "note" }, "Natural frequencies and stiffness with locked drives, every link flexible that has a bar of an elastic material."),
        h("div", { class: "row" }, button("Frequencies and stiffness", () => this.compute2(), { id: "elastic" })), this.elastic));
  }

  /// Another quantity: of the same map, or the slice is to be computed anew.
  chosen() {
    if (!this.map) return;
    if (this.quantity.value in elastic === "f1" in this.map) this.draw();
    else this.clear();
  }

  async compute() {
    const { app } = this, bends = this.quantity.value in elastic, points = Number(this.points.value);
    this.clear();
    this.go.disabled = true;
    this.stop.hidden = this.bar.hidden = false;
    try {
      const hands = await app.second((event) => event.event === "progress" && (this.bar.value = event.fraction));
      await hands.move("stand", [...app.frame.q]);
      const answer = await hands.ask(bends ? "elastic_map" : "map", Number(this.plane.value), [...app.frame.tool.slice(0, 3)], bends ? elasticPoints[points] : points);
      if (answer.ok) {
        this.map = answer;
        this.draw();
      } else this.text.replaceChildren(h("p", { class: "bad" }, answer.message));
    } catch (error) {
      this.text.replaceChildren(h("p", { class: "note" }, error.message === "stopped" ? "Cancelled." : error.message));
    }
    this.go.disabled = false;
    this.stop.hidden = this.bar.hidden = true;
    return this.map;
  }

  /// What is shown at grid point i, 0 to 1; null: out of reach.
  level(i, largest) {
    const { map } = this;
    if (!map.reachable[i]) return null;
    if (this.quantity.value in elastic) return this.column()[i] / largest;
    if (this.quantity.value === "condition") return 1 / Math.max(map.condition[i], 1);
    if (this.quantity.value === "distance") return map.distance[i] < 0 ? 1 : map.distance[i] / largest;
    return map.in_limits[i] ? 1 : 0.35;
  }

  /// The values of an elastic quantity.
  column() {
    return this.map[elastic[this.quantity.value][0]];
  }

  draw() {
    const { map, app } = this, axes = [0, 1, 2].filter((k) => map.n[k] > 1), [a, b] = axes;
    const nx = map.n[a], ny = map.n[b], largest = Math.max(...(this.quantity.value in elastic ? this.column() : map.distance), 1e-12);
    const canvas = h("canvas", { width: nx, height: ny }), context = canvas.getContext("2d"), image = context.createImageData(nx, ny);
    for (let j = 0; j < ny; ++j)
      for (let i = 0; i < nx; ++i) {
        const level = this.level(i + j * nx, largest), at = 4 * (i + (ny - 1 - j) * nx);
        if (level === null) continue;
        shade(level).forEach((c, k) => (image.data[at + k] = c));
        image.data[at + 3] = 205;
      }
    context.putImageData(image, 0, 0);
    this.mesh?.removeFromParent();
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.magFilter = THREE.LinearFilter;
    const step = axes.map((k) => (map.to[k] - map.from[k]) / (map.n[k] - 1));
    const size = axes.map((k, i) => map.to[k] - map.from[k] + step[i]);
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(...size), new THREE.MeshBasicMaterial({ map: texture, transparent: true, side: THREE.DoubleSide, depthWrite: false }));
    this.mesh.position.set(...[0, 1, 2].map((k) => 0.5 * (map.from[k] + map.to[k])));
    if (a === 0 && b === 2) this.mesh.rotation.x = Math.PI / 2;
    if (a === 1 && b === 2) this.mesh.rotation.set(Math.PI / 2, Math.PI / 2, 0, "YXZ");
    this.mesh.renderOrder = 1;
    app.scene3.root.add(this.mesh);
    app.scene3.requestFrame();
    this.describe(largest);
  }

  describe(largest) {
    if (this.quantity.value in elastic) return this.describeElastic(largest);
    const { map } = this, condition = this.quantity.value === "condition";
    const unit = map.dimension === 2 ? "m2" : "m";
    this.key.hidden = this.quantity.value === "reachable";
    this.key.replaceChildren(h("span", {}, condition ? "singular" : "0"), h("i"), h("span", {}, condition ? "isotropic" : quantity(largest, "m", 2)));
    const fact = (name, text) => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, text)));
    this.text.replaceChildren(h("dl", { class: "facts" }, fact("Reach in this slice", quantity(map.size, unit, 4)), fact("within all limits", quantity(map.limits_size, unit, 4)),
      fact("Best condition", digits(map.best_condition, 4)), fact("Mean of 1 / condition", digits(map.mean_dexterity, 4))));
  }

  describeElastic(largest) {
    const { map } = this, [, words, unit] = elastic[this.quantity.value], column = this.column();
    const there = column.filter((v, i) => map.reachable[i] && v > 0), fact = (name, text) => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, text)));
    this.key.hidden = false;
    this.key.replaceChildren(h("span", {}, "0"), h("i"), h("span", {}, told(largest, unit, 3)));
    this.text.replaceChildren(h("p", { class: "note" }, `The ${words} at ${there.length} of ${column.length} points, drives locked.`),
      h("dl", { class: "facts" }, fact("Smallest", told(Math.min(...there), unit, 4)), fact("Largest", told(largest, unit, 4))));
  }

  async compute2() {
    this.elastic.replaceChildren(h("p", { class: "note" }, "Computing…"));
    const answer = await this.app.search("elastic", 6);
    if (!answer.ok) return this.elastic.replaceChildren(h("p", { class: "bad" }, answer.message));
    const yields = answer.compliance ? ["x", "y", "z"].map((name, k) => [name, 1 / answer.compliance[7 * k]]) : [];
    this.elastic.replaceChildren(h("table", { class: "peaks" }, h("tbody", {}, answer.f.map((f, k) => h("tr", {}, h("th", { scope: "row" }, `frequency ${k + 1}`), h("td", {}, quantity(f, "Hz", 5)))),
      yields.map(([name, k]) => h("tr", {}, h("th", { scope: "row" }, `stiffness of the tool along ${name}`), h("td", {}, isFinite(k) && k < 1e15 ? `${digits(k, 4)} N/m` : "rigid"))))));
  }

  clear() {
    this.mesh?.removeFromParent();
    this.map = null;
    if (this.key) this.key.hidden = true;
    this.text?.replaceChildren();
    this.app.scene3?.requestFrame();
  }

  themed() {
    if (this.map) this.draw();
  }
}
