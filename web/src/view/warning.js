// Before a singularity: amber limbs, an arrow, a sentence, and what can be done there.
import * as THREE from "three";
import { h } from "../dom.js";
import { quantity } from "../units.js";
import { button } from "./fields.js";
import { aFrame } from "./frames.js";
import { quatOf, rpyOf } from "./drive.js";
import { findWay } from "./round.js";
import { amber, red } from "./scene.js";

const names = ["x", "y", "z"];

/// "x", "−y" or "(0.71, 0, −0.71)".
function directionText(v) {
  const size = Math.hypot(...v);
  if (!(size > 1e-6)) return "";
  const u = v.map((c) => c / size), k = u.findIndex((c) => Math.abs(c) > 0.995);
  if (k >= 0) return names[k];
  return `(${u.map((c) => (Math.abs(c) < 0.005 ? "0" : c.toFixed(2).replace("-", "−"))).join(", ")})`;
}

export class Warning {
  constructor(app) {
    this.app = app;
    this.text = h("p");
    this.choices = h("div", { class: "row" });
    this.element = h("div", { class: "warning", role: "status", hidden: true }, this.text, this.choices);
    this.history = [];
    this.kept = false;
  }

  /// Drives that lose the tool, by name: those with a large share.
  limbs(frame) {
    const most = Math.max(...frame.share.map(Math.abs));
    return [...frame.share].map((s, d) => [Math.abs(s), d]).filter(([s]) => s > 0.45 * most).map(([, d]) => d);
  }

  sentence(frame) {
    const { scene } = this.app.robot, drives = this.limbs(frame).map((d) => scene.drives[d].name);
    const shift = [...frame.direction.slice(0, 3)], turn = [...frame.direction.slice(3)];
    const turns = Math.hypot(...turn) > Math.hypot(...shift);
    const where = directionText(turns ? turn : shift);
    const who = drives.length === scene.drives.length ? "the drives" : drives.join(", ");
    const away = frame.distance > 1e-6 * this.app.robot.size ? `${quantity(frame.distance, "m", 2)} ahead` : "here";
    if (frame.kind === "serial")
      return [`Serial singularity ${away}. `, `Limb of ${who}: stretched or folded, so the tool cannot ${turns ? "turn about" : "move along"} ${where}.`];
    if (frame.kind === "constraint")
      return [`Constraint singularity ${away}. `, "The loops lose a constraint there: parts of the robot can move in another way, which no drive holds."];
    return [`Parallel singularity ${away}. `, `With locked drives the tool could ${turns ? "turn about" : "move along"} ${where}: the limbs no longer hold it.`];
  }

  /// A new frame: remember the way, warn.
  update(frame) {
    this.remember(frame);
    const near = frame.known && frame.level > 0;
    this.element.hidden = !near && !this.kept;
    this.glow(near ? frame : null);
    this.arrow(near ? frame : null);
    if (!near && this.kept) this.clear();
    if (!near) return;
    if (this.searching) return;
    const [lead, rest] = this.sentence(frame);
    this.text.replaceChildren(h("b", {}, lead), rest);
    this.element.dataset.level = frame.level > 0.6 ? "high" : "near";
    if (frame.level > 0.6 || this.kept) this.offer();
    else this.choices.replaceChildren();
  }

  remember(frame) {
    const last = this.history[this.history.length - 1];
    if (last && last.q.every((v, k) => v === frame.q[k])) return;
    this.history.push(frame);
    if (this.history.length > 600) this.history.splice(0, 200);
  }

  glow(frame) {
    const of = new Map();
    if (frame) {
      const strength = 0.25 + 0.6 * frame.level, colour = frame.level > 0.85 ? red : amber;
      for (const d of this.limbs(frame)) for (const b of this.app.scene3.limbOf(d)) of.set(b, { colour, strength });
      if (frame.kind !== "serial" && this.app.robot.scene.tool) of.set(this.app.robot.scene.tool.body, { colour, strength });
    }
    this.app.scene3.glow(of);
  }

  arrow(frame) {
    const { scene3 } = this.app;
    this.mark?.removeFromParent();
    if (!frame || !this.app.robot.scene.tool) return;
    const shift = new THREE.Vector3(...frame.direction.slice(0, 3)), turn = new THREE.Vector3(...frame.direction.slice(3));
    const axis = shift.lengthSq() >= turn.lengthSq() ? shift : turn;
    if (!(axis.lengthSq() > 0)) return;
    const length = 0.16 * scene3.size, mark = new THREE.Group(), paint = new THREE.MeshBasicMaterial({ color: amber, depthTest: false, transparent: true, opacity: 0.95 });
    const bar = new THREE.Mesh(new THREE.CylinderGeometry(0.006 * scene3.size, 0.006 * scene3.size, 2 * length, 12), paint);
    mark.add(bar);
    for (const side of [-1, 1]) {
      const tip = new THREE.Mesh(new THREE.ConeGeometry(0.02 * scene3.size, 0.05 * scene3.size, 18), paint);
      tip.position.y = side * length;
      if (side < 0) tip.rotation.x = Math.PI;
      mark.add(tip);
    }
    mark.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.normalize());
    mark.position.set(frame.tool[0], frame.tool[1], frame.tool[2]);
    mark.renderOrder = 5;
    mark.children.forEach((child) => (child.renderOrder = 5));
    scene3.root.add(mark);
    this.mark = mark;
  }

  /// It goes no further: say so and offer the choices.
  stop(words) {
    this.kept = true;
    this.element.hidden = false;
    if (words) this.text.replaceChildren(h("b", {}, "It goes no further here. "), words);
    this.offer();
  }

  offer() {
    if (this.choices.childElementCount) return;
    const { app } = this;
    this.choices.replaceChildren(
      button("Stay", () => this.clear(), { id: "stay" }), button("Back off", () => this.backOff(), { id: "back-off" }),
      this.round = button("Go round", () => this.goRound(), { id: "go-round", disabled: !this.goal }),
      button("Other working mode…", () => app.postures.open("tool"), { id: "working-modes", disabled: !app.robot.tool_mode }),
      button("Other assembly mode…", () => app.postures.open("drives"), { id: "assembly-modes" }));
  }

  clear() {
    this.kept = false;
    this.choices.replaceChildren();
    this.element.hidden = !(this.app.frame.known && this.app.frame.level > 0);
  }

  /// Where the hand wanted the robot: {what: "tool" | "drives", values}.
  want(goal) {
    this.goal = goal;
    if (this.round) this.round.disabled = !goal;
  }

  /// The coordinates in which a way round is looked for: those of the tool that can move, or the drives.
  space(hands, goal, start) {
    const { robot } = this.app, stand = (q) => hands.move("stand", [...q]);
    if (goal.what === "drives") {
      const { drives } = robot.scene;
      return { from: [...start.drives], to: [...goal.values], free: drives.map(() => true), scale: drives.map((d) => (d.rotary ? 1 : 0.5 * robot.size)),
        start: start.q, stand, go: (x) => hands.move("drives", x) };
    }
    const place = (pose) => [...pose.slice(0, 3), ...rpyOf(pose.slice(3))];
    return { from: place(start.tool), to: place(goal.values), free: Array.from({ length: 6 }, (_, k) => ((robot.moves >> k) & 1) === 1),
      scale: [0.5, 0.5, 0.5].map((s) => s * robot.size).concat([0.8, 0.8, 0.8]), start: start.q, stand,
      go: (x) => hands.move("tool", [...x.slice(0, 3), ...quatOf(x.slice(3))]) };
  }

  /// Back to where it stood well, then to where it was wanted by a way that keeps clear of singularities.
  async goRound() {
    const { app, goal } = this;
    const well = this.history.filter((frame) => frame.known && frame.level < 0.3);
    const starts = well.length ? [...new Set([well[well.length - 1], well[0]])] : [app.frame];
    let start = starts[0];
    this.text.replaceChildren(h("b", {}, "Looking for a way round…"));
    this.searching = true;
    let found = null;
    try {
      const hands = await app.second();
      for (let k = 0; k < starts.length && !found; ++k) {
        start = starts[k];
        found = await findWay(this.space(hands, goal, start));
      }
    } catch (error) {
      app.say(error.message);
    }
    this.searching = false;
    if (!found) {
      this.text.replaceChildren(h("b", {}, "No way round was found. "), "The singularity may divide what the robot reaches: another working or assembly mode may be on the other side.");
      this.found = false;
      return false;
    }
    await this.backOff(start);
    const own = this.space(app.hands, goal, start);
    for (const x of found.way) {
      app.moved(await own.go(x));
      await aFrame();
    }
    this.want(null);
    this.clear();
    this.found = true;
    app.say("Gone round.");
    return true;
  }

  /// The way back to where the robot stood well, or to a frame of before.
  async backOff(to = null) {
    const way = [...this.history].reverse();
    const end = way.findIndex((frame) => (to ? frame === to : frame.known && frame.level === 0));
    const back = way.slice(0, end < 0 ? way.length : end + 1);
    this.kept = false;
    this.choices.replaceChildren();
    await this.app.play(back.map((frame) => frame.poses), 500);
    const target = back[back.length - 1];
    if (target) await this.app.stand(target.q);
    this.history = this.history.slice(0, Math.max(1, this.history.length - back.length));
  }
}
