// What stands around the robot or rides on its bodies: shapes from files of the reader, placed by numbers.
import { h } from "../dom.js";
import { button, number, parse, select } from "./fields.js";
import { readMesh } from "./meshfile.js";

const lengths = { m: 1, mm: 0.001, in: 0.0254 };

export class World {
  constructor(app) {
    this.app = app;
    this.items = [];
    this.list = h("div", {});
    this.input = h("input", { type: "file", accept: ".stl,.glb,.gltf", multiple: true, hidden: true, id: "world-file", "aria-label": "Files with shapes",
      onchange: async () => {
        for (const file of this.input.files) await this.add(file.name, new Uint8Array(await file.arrayBuffer()));
        this.input.value = "";
      } });
    this.element = h("section", { class: "group" }, h("h2", {}, "Around it"),
      h("p", { class: "note" }, "A table, a conveyor, a housing on a link: shapes from STL and glTF files. They are seen, and nothing more."),
      this.list, this.input, h("div", { class: "row" }, button("Place a file…", () => this.input.click(), { id: "world-add" })));
  }

  /// Place the shape of a file; what cannot be read is said.
  async add(name, bytes) {
    try {
      const item = { name, object: readMesh(name, bytes) };
      this.items.push(item);
      this.describe(item);
      this.put(item);
      return item;
    } catch (error) {
      this.app.say(`${name}: ${error.message}`);
      return null;
    }
  }

  describe(item) {
    const { scene } = this.app.robot, change = () => this.put(item), field = (text, value, unit) => number(text, value, unit, change);
    item.on = select(`${item.name}: what carries it`, [["0", "stands in the world"], ...scene.bodies.slice(1).map((body, k) => [String(k + 1), `rides on ${body.name}`])], change);
    item.unit = select(`${item.name}: lengths in`, Object.keys(lengths).map((unit) => [unit, `lengths in ${unit}`]), change, /\.stl$/i.test(item.name) ? "mm" : "m");
    item.at = ["x", "y", "z"].map((axis) => field(axis, "0", "mm"));
    item.turn = ["about x", "about y", "about z"].map((axis) => field(axis, "0", "°"));
    item.element = h("fieldset", { class: "world-item" }, h("legend", {}, item.name), item.on, item.unit,
      h("div", { class: "grid3" }, item.at.map((f) => f.element)), h("div", { class: "grid3" }, item.turn.map((f) => f.element)),
      h("div", { class: "row" }, button("Remove", () => this.remove(item))));
    this.list.append(item.element);
  }

  put(item) {
    const { scene3 } = this.app, numbers = (list, factor) => list.map((f) => (parse(f.value) || 0) * factor), b = Number(item.on.value);
    item.object.position.set(...numbers(item.at, 0.001));
    item.object.rotation.set(...numbers(item.turn, Math.PI / 180), "ZYX");
    item.object.scale.setScalar(lengths[item.unit.value]);
    item.object.traverse((mesh) => (mesh.userData.body = b));
    (b > 0 && scene3.groups[b] ? scene3.groups[b] : scene3.root).add(item.object);
    item.object.updateMatrixWorld(true);
    scene3.requestFrame();
  }

  remove(item) {
    this.items = this.items.filter((other) => other !== item);
    item.object.removeFromParent();
    item.element.remove();
    this.app.scene3.requestFrame();
  }

  /// The robot was drawn anew: what belongs to it goes along; another robot has no such bodies.
  show(keep) {
    for (const item of [...this.items]) (keep || item.on.value === "0" ? this.put(item) : this.remove(item));
  }
}
