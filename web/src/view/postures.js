// Other postures: a list, each shown as a ghost, taken with a motion.
import * as THREE from "three";
import { h } from "../dom.js";
import { makeBodies } from "../robot.js";
import { aFrame } from "./frames.js";
import { button, short } from "./fields.js";
import { ghostColour } from "./scene.js";

/// A ghost of the robot.
export function makeGhost(scene3, colour, opacity) {
  const groups = makeBodies(scene3.scene, 0.5 * scene3.size, true), root = new THREE.Group();
  for (const group of groups)
    group.traverse((mesh) => {
      if (!mesh.material) return;
      mesh.material = mesh.material.clone();
      mesh.material.color.setHex(colour);
      mesh.material.opacity = opacity;
    });
  root.add(...groups);
  scene3.root.add(root);
  return { root, groups, place: (poses) => scene3.placeOn(groups, poses) };
}

export class Postures {
  constructor(app) {
    this.app = app;
    this.list = h("div", { class: "postures-list" });
    this.title = h("h2", {}, "Other postures");
    this.element = h("section", { class: "sheet", hidden: true, "aria-label": "Other postures" },
      h("div", { class: "sheet-head" }, this.title, button("Close", () => this.close())), this.list);
    this.ghosts = [];
  }

  /// `what`: "tool", working modes; "drives", assembly modes.
  async open(what) {
    const { app } = this;
    this.close();
    this.element.hidden = false;
    this.title.textContent = what === "tool" ? "Working modes: the same tool, other limbs" : "Assembly modes: the same drives, another tool";
    this.list.replaceChildren(h("p", { class: "note" }, "Looking for all of them…"));
    let answer;
    try {
      answer = await app.search("postures", what === "tool" ? 1 : 0);
    } catch (error) {
      answer = { ok: false, message: error.message };
    }
    if (this.element.hidden) return;
    if (!answer.ok) return this.list.replaceChildren(h("p", { class: "note" }, answer.message));
    this.show(answer.postures, what);
  }

  show(postures, what) {
    const { app } = this, { scene } = app.robot;
    this.found = postures;
    this.ghosts = postures.map((p) => {
      if (p.present) return null;
      const ghost = makeGhost(app.scene3, ghostColour, 0.12);
      ghost.place(p.poses);
      return ghost;
    });
    const drives = (p) => p.drives.map((q, d) => `${scene.drives[d].name} ${short(q * (scene.drives[d].rotary ? 180 / Math.PI : 1000), 1)}${scene.drives[d].rotary ? "°" : " mm"}`).join("  ");
    this.list.replaceChildren(h("p", { class: "note" }, postures.length === 1 ? "There is no other one." : `${postures.length} in all.`),
      ...postures.map((p, k) => h("button", { type: "button", class: "posture", disabled: p.present, "data-posture": k,
        onclick: () => this.take(p, what), onpointerenter: () => this.light(k), onfocus: () => this.light(k), onpointerleave: () => this.light(-1) },
      h("b", {}, p.present ? "As it stands" : p.label || `Posture ${k + 1}`), h("small", {}, drives(p)))));
    app.scene3.requestFrame();
  }

  light(k) {
    this.ghosts.forEach((ghost, i) => ghost?.root.traverse((mesh) => mesh.material && (mesh.material.opacity = i === k ? 0.5 : 0.12)));
    this.app.scene3.requestFrame();
  }

  /// A working mode is reached by its drives where they lead there; else the robot is put together anew.
  async take(posture, what) {
    const { app } = this;
    this.close();
    this.taking = true;
    let there = false;
    if (what === "tool") there = await this.driveTo(posture);
    if (!there) {
      const from = app.frame.poses.slice();
      await app.play([from, posture.poses], 700);
      await app.stand(posture.q);
    }
    app.warning.history = [];
    app.warning.clear();
    this.taking = false;
    app.say(there ? "Led there by its drives." : "Put together anew: no way of the drives leads there.");
  }

  async driveTo(posture) {
    const { app } = this, from = app.frame.drives.slice(), before = app.frame.q.slice(), tool = app.frame.tool.slice();
    const to = posture.drives.map((q, d) => (app.robot.scene.drives[d].rotary ? from[d] + Math.atan2(Math.sin(q - from[d]), Math.cos(q - from[d])) : q));
    const n = 36;
    for (let i = 1; i <= n; ++i) {
      const answer = await app.hands.move("drives", to.map((q, d) => from[d] + ((q - from[d]) * i) / n));
      if (!answer.ok) {
        await app.stand(before);
        return false;
      }
      app.moved(answer);
      await aFrame();
    }
    const away = Math.hypot(...[0, 1, 2].map((k) => app.frame.tool[k] - tool[k]));
    if (away < 1e-6 * app.robot.size) return true;
    await app.stand(before);
    return false;
  }

  close() {
    this.element.hidden = true;
    for (const ghost of this.ghosts) ghost?.root.removeFromParent();
    this.ghosts = [];
    this.app.scene3?.requestFrame();
  }
}
