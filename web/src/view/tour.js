// A guided tour: the robot shows what it can do, step by step, with the numbers computed as it goes.
import { h } from "../dom.js";
import { quantity } from "../units.js";
import { button } from "./fields.js";
import { iconButton } from "./icons.js";

export class Tour {
  constructor(app) {
    this.app = app;
    this.open = iconButton("tour", "Guided tour", () => this.begin(), { id: "tour" });
    this.title = h("h2");
    this.text = h("p");
    this.back = button("Back", () => this.go(this.at - 1));
    this.next = button("Next", () => this.go(this.at + 1), { class: "button main", id: "tour-next" });
    this.count = h("span", { class: "note" });
    this.element = h("section", { class: "sheet tour", hidden: true, "aria-label": "Guided tour", "aria-live": "polite" },
      h("div", { class: "sheet-head" }, this.title, button("Close", () => this.close())), this.text, h("div", { class: "row" }, this.back, this.next, this.count));
  }

  /// The steps for this robot: [title, text, what the page does]; a text may be made by what was done.
  steps() {
    const { app } = this, { scene } = app.robot, panel = app.runPanel;
    const motion = scene.motions.find((m) => m.name === "paper") ?? scene.motions[0];
    const tool = scene.tool, spherical = scene.joints.some((j) => j.type === "spherical");
    const elastic = scene.bodies.some((b) => /rod|left|link/.test(b.name) && b.shapes.some((s) => s.kind === "tube"));
    const list = [["The robot", scene.description || `${scene.name}: ${scene.bodies.length - 1} moving bodies, ${scene.joints.length} joints, ${scene.drives.length} drives.`, async () => {
      app.choose("drive");
      await app.goHome();
      app.scene3.lookFrom(app.scene3.isFlat() ? "top" : "corner");
    }]];
    if (tool) list.push(["Lead it by hand", "Any part can be dragged: here the tool is led a little way, and the drives follow. Try it yourself.", async () => {
      const s = 0.08 * app.robot.size;
      for (const by of [[s, 0, -0.5 * s], [-s, s, 0.5 * s], [0, -s, 0]]) await app.grasp.drawBy(tool.body, tool.at, by);
    }]);
    if (tool && app.robot.tool_mode) list.push(["Singularities", "Drawn to the edge of its reach, the robot slows down, the limb that loses the tool turns amber, and the page says what is lost and what can be done.", async () => {
      await app.goHome();
      await app.grasp.drawBy(tool.body, tool.at, [-1.2 * app.robot.size, 0, 0]);
    }]);
    const ways = async (root) => {
      if (root) await app.changePanel.change("root", root);
      await this.compute({ motion: app.robot.scene.motions.find((m) => m.name === motion.name), kind: "inverse" });
      panel.curves.chooseTitle("Positions of the drives");
    };
    const roots = scene.parameters.find((p) => p.name === "root")?.value;
    if (motion && tool) list.push(["Tool and drives", () => `Motion ${motion.name}${motion.text ? `: ${motion.text}` : ""}. ${this.strokes()}`, () => ways(roots && String(roots))]);
    if (motion && tool && roots) list.push(["The other working mode", () => `The same motion with the other roots of the inverse kinematics (root = ${-roots}). ${this.strokes()}`, () => ways(String(-roots))]);
    if (motion) list.push(["The forces it needs", () => `Motion ${motion.name}${motion.text ? `: ${motion.text}` : ""}. ${this.largest()} Inverse dynamics by the engine, computed just now.`, async () => {
      if (roots) await app.changePanel.change("root", String(roots));
      await this.compute({ motion, kind: "inverse" });
      panel.curves.chooseTitle("Forces of the drives");
    }]);
    if (motion && spherical) list.push(["With friction", () => `Friction in the ball joints (0.11 at rest, 0.084 in motion, balls of 10 mm radius), beside the ideal robot (dashed). ${this.largest()}`, async () => {
      await this.compute({ motion, kind: "simulate" });
      panel.kept = panel.last;
      await this.compute({ motion, kind: "simulate", friction: true });
    }]);
    if (motion && elastic) list.push(["With links that bend", () => `Two modes of each rod. The grey ghost is the ideal robot; deviations are magnified ${Math.round(panel.film?.magnification ?? 1)} times. ${this.largest("dp", "The tool is off by up to")}`, async () => {
      panel.kept = null;
      await this.compute({ motion, kind: "simulate", flexible: true, span: Math.min(motion.duration, 0.05) });
    }]);
    list.push(["Change it", "Every dimension is a slider here, and the robot follows; the model stands below as text. Save it, and the program computes with the same file.", async () => {
      panel.close(true);
      app.choose("change");
      await app.goHome();
    }]);
    return list;
  }

  /// How far tool and drives go in the last run, and how the drives compare with the tool's way along an axis.
  strokes() {
    const run = this.app.runPanel.last, { tool, drives } = this.app.robot.scene;
    const range = (name) => {
      const k = run?.columns.findIndex((c) => c.name === name) ?? -1;
      return k < 0 ? null : { value: Math.max(...run.even[k]) - Math.min(...run.even[k]), unit: run.columns[k].unit };
    };
    const axes = ["x", "y", "z"].map((axis) => [axis, range(`${tool.name}.${axis}`)]).filter(([, way]) => way);
    const farthest = Math.max(...axes.map(([, way]) => way.value));
    const goes = axes.map(([axis, way]) => `${quantity(way.value, way.unit, 4)} along ${axis}`);
    const compared = (way) => {
      if (way.unit !== "m" || !(farthest > 0)) return "";
      const same = axes.filter(([, of]) => Math.abs(of.value - way.value) < 1e-9 * farthest).map(([axis]) => axis);
      return same.length ? `, as far as the tool along ${same.join(", ")}` : `, ${(way.value / farthest).toPrecision(3)} times the tool's farthest`;
    };
    const list = drives.map((d) => [d.name, range(`${d.name}.q`)]).filter(([, way]) => way).map(([name, way]) => `${name} ${quantity(way.value, way.unit, 4)}${compared(way)}`);
    return goes.length && list.length ? `The tool goes ${goes.join(", ")}; the drives go ${list.join("; ")}.` : "";
  }

  largest(end = "force", words = "The largest force of a drive is") {
    const run = this.app.runPanel.last;
    if (!run?.peaks) return "";
    const list = run.columns.map((c, k) => k).filter((k) => run.columns[k].name.endsWith(`.${end}`));
    const best = list.reduce((most, k) => (most < 0 || run.peaks[k][0] > run.peaks[most][0] ? k : most), -1);
    return best < 0 ? "" : `${words} ${quantity(run.peaks[best][0], run.columns[best].unit, 4)}.`;
  }

  /// A run with these choices, shown and played.
  async compute({ motion, kind, friction = false, flexible = false, span = null }) {
    const panel = this.app.runPanel;
    this.app.choose("run");
    panel.motion.value = motion.name;
    panel.kind.value = kind;
    panel.friction.set?.(friction);
    panel.clearance.set?.(false);
    panel.flexible.set?.(flexible);
    panel.flexible.modes.value = "2";
    panel.duration.value = span ? String(span) : "";
    panel.instants.value = "201";
    panel.changed();
    await panel.run();
    panel.speed.value = motion.duration < 0.5 ? "0.1" : "0.5";
    panel.play();
  }

  begin() {
    this.list = this.steps();
    this.element.hidden = false;
    return this.go(0);
  }

  async go(k) {
    if (this.busy) return;
    if (k < 0 || k >= this.list.length) return this.close();
    const [title, text, act] = this.list[k];
    this.at = k;
    this.busy = true;
    this.title.textContent = title;
    this.text.textContent = typeof text === "function" ? "Computing…" : text;
    this.count.textContent = `${k + 1} of ${this.list.length}`;
    this.back.disabled = k === 0;
    this.next.textContent = k + 1 === this.list.length ? "Done" : "Next";
    try {
      await act();
    } finally {
      this.busy = false;
    }
    if (typeof text === "function") this.text.textContent = text();
  }

  close() {
    this.element.hidden = true;
  }
}
