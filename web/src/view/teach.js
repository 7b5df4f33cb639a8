// Teaching: poses of the tool, taken where it was led by hand, become a motion of the model.
import * as THREE from "three";
import { h } from "../dom.js";
import { button, number, select, short } from "./fields.js";
import { rpyOf } from "./drive.js";

/// The model with a motion more; `lines` are those below its name.
export function withMotion(text, name, lines) {
  const block = [`  ${name}:`, ...lines.map((line) => `    ${line}`)].join("\n");
  if (/^motions:[ \t]*(#.*)?$/m.test(text)) return text.replace(/^motions:[ \t]*(#.*)?$/m, (head) => `${head}\n${block}`);
  return `${text.replace(/\n*$/, "\n")}\nmotions:\n${block}\n`;
}

/// A name that no motion of the model has: taught, taught2 ...
export function freeName(names) {
  for (let k = 1; ; ++k) if (!names.includes(k === 1 ? "taught" : `taught${k}`)) return k === 1 ? "taught" : `taught${k}`;
}

export class Teach {
  constructor(app) {
    this.app = app;
    this.points = [];
    this.list = h("ol", { class: "taught" });
    this.duration = number("time for all of it", "1", "s");
    this.blend = number("corners rounded within", "0", "mm");
    this.law = select("Law", [["quintic", "quintic"], ["septic", "septic"], ["cubic", "cubic"]], () => {});
    this.use = button("Make it a motion", () => this.make(), { id: "teach-make", disabled: true });
    this.element = h("details", { class: "teach" }, h("summary", {}, "Teach a motion"),
      h("p", { class: "note" }, "Lead the tool somewhere, take its pose, lead it on."),
      h("div", { class: "row" }, button("Take this pose", () => this.take(), { id: "teach-take" }), button("Remove the last", () => this.drop())), this.list,
      this.law, this.duration.element, this.blend.element, h("div", { class: "row" }, this.use));
  }

  take() {
    this.points.push([...this.app.frame.tool]);
    this.draw();
  }

  drop() {
    this.points.pop();
    this.draw();
  }

  draw() {
    const { scene3 } = this.app;
    this.use.disabled = this.points.length < 2;
    this.list.replaceChildren(...this.points.map((p) => h("li", {}, p.slice(0, 3).map((v) => short(1000 * v, 1)).join(", "), " mm")));
    this.marks?.removeFromParent();
    if (!this.points.length) return scene3.requestFrame();
    this.marks = new THREE.Group();
    const at = this.points.map((p) => new THREE.Vector3(p[0], p[1], p[2])), paint = new THREE.MeshBasicMaterial({ color: 0x009e73 });
    for (const point of at) {
      const ball = new THREE.Mesh(new THREE.SphereGeometry(0.008 * scene3.size, 16, 12), paint);
      ball.position.copy(point);
      this.marks.add(ball);
    }
    this.marks.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(at), new THREE.LineBasicMaterial({ color: 0x009e73 })));
    scene3.root.add(this.marks);
    return scene3.requestFrame();
  }

  /// The lines of the motion, as a person would write them.
  lines() {
    const vector = (v) => `[${v.map((x) => Number(x.toPrecision(12))).join(", ")}]`;
    const blend = Number(this.blend.value) > 0 ? `, blend: ${this.blend.value} mm` : "";
    const lines = ["description: taught by hand", `law: ${this.law.value}`, `duration: ${this.duration.value} s`,
      `path: {polyline: {through: [${this.points.map((p) => vector(p.slice(0, 3))).join(", ")}]${blend}}}`];
    if (this.app.robot.moves >> 3) lines.push(`rpy: {through: [${this.points.map((p) => vector(rpyOf(p.slice(3)))).join(", ")}]}`);
    return lines;
  }

  async make() {
    const { app } = this, name = freeName(app.robot.scene.motions.map((m) => m.name));
    const answer = await app.load(withMotion(app.text, name, this.lines()), app.set, { keep: true });
    if (!answer.ok) return app.say(answer.message);
    app.runPanel.motion.value = name;
    app.runPanel.changed();
    app.say(`Motion ${name} is in the model: run it, or save the model.`);
    return name;
  }

  clear() {
    this.points = [];
    this.draw();
  }
}
