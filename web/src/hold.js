// The robot of a report led by hand, where the report has model and engine inside (pkm report, without --no-grasp).
import * as THREE from "three";
import { block } from "./data.js";
import { h } from "./dom.js";
import { stretchRod, vec } from "./robot.js";
import { quantity } from "./units.js";
import { Hands, unpack } from "./view/engine.js";
import { Grasp } from "./view/grasp.js";

/// Overrides of a run: its options --set NAME=VALUE.
export const overrides = (manifest) => Object.fromEntries((manifest.options ?? []).filter(({ name }) => name === "--set").map(({ value }) => value.split(/=(.*)/s).slice(0, 2)));

/// What Grasp leads: a stage, the engine, and a robot that stands where it was led.
class Hold {
  /// `asked()`: {file, set} of what is shown, a model file and its parameters.
  constructor(stage, asked, button) {
    Object.assign(this, { scene3: stage, asked, button, on: false });
    stage.driveMarks = [];
    stage.hold = this;
    window.pkmHold = this; // for tests and the curious
  }

  /// Take the robot where the run shows it.
  async begin() {
    const stage = this.scene3;
    stage.pause();
    this.button.disabled = true;
    const { file, set } = this.asked(), key = JSON.stringify(set);
    this.hands ??= new Hands(await unpack(document.getElementById("data-engine").textContent), []);
    await this.hands.ready;
    if (this.loaded !== key) {
      const robot = await this.hands.load(block("model"), file.split("/").pop(), set);
      if (!robot.ok) throw new Error(robot.message);
      Object.assign(this, { robot, loaded: key });
    }
    this.grasp ??= new Grasp(this);
    const first = await this.hands.move("home"), { tool } = stage.scene;
    const group = stage.groups[tool?.body ?? 0], quat = (list, at) => new THREE.Quaternion(list[at + 1], list[at + 2], list[at + 3], list[at]);
    const inBody = quat(first.frame.poses, 7 * (tool?.body ?? 0) + 3).invert().multiply(quat(first.frame.tool, 3)); // as it is at home
    const q = group.quaternion.clone().multiply(inBody);
    const answer = tool && this.robot.tool_mode ? await this.hands.move("tool", [...vec(tool.at).applyMatrix4(group.matrixWorld).toArray(), q.w, q.x, q.y, q.z]) : first;
    this.on = true;
    this.button.disabled = false;
    this.button.setAttribute("aria-pressed", "true");
    this.moved(answer);
  }

  /// The run takes its robot back.
  leave() {
    if (!this.on) return;
    this.on = false;
    this.button.setAttribute("aria-pressed", "false");
  }

  async toggle() {
    try {
      if (this.on) {
        this.leave();
        this.scene3.setTime(this.scene3.t);
      } else await this.begin();
    } catch (error) {
      this.button.disabled = false;
      this.say([["It cannot be led", error.message]]);
    }
  }

  say(lines) {
    this.scene3.readoutElement.replaceChildren(...lines.map(([name, text]) => h("div", {}, `${name} `, h("b", {}, text))));
  }

  // ---- what Grasp asks for --------------------------------------------------------------------

  get idle() { return !this.on; }

  moved(answer) {
    if (!answer.frame) return;
    const stage = this.scene3, { scene } = stage, { frame } = answer;
    this.frame = frame;
    stage.placeOn(stage.groups, frame.poses);
    for (const rod of stage.rods) stretchRod(rod, stage.groups);
    if (stage.tip && scene.tool) stage.tip.position.copy(vec(scene.tool.at).applyMatrix4(stage.groups[scene.tool.body].matrixWorld));
    this.say([...scene.drives.map((drive, d) => [drive.name, quantity(frame.drives[d], drive.rotary ? "rad" : "m", 4)]),
      ...(frame.known && frame.level > 0 ? [[`${frame.kind} singularity`, `${quantity(frame.distance, "m", 2)} ahead`]] : [])]);
    stage.requestFrame();
  }

  hover(what) {
    this.scene3.canvas.style.cursor = what && what.body > 0 ? "grab" : "";
  }

  stuck(answer) {
    if (answer.message) this.say([["It goes no further", answer.message]]);
  }

  leaveRun() {}

  grasped() {}

  released() {}
}

/// A button on the stage, where the report has what it takes.
export function addHold(stage, asked) {
  if (!stage?.addControl || !document.getElementById("data-engine") || !document.getElementById("data-model") || typeof WebAssembly === "undefined") return;
  const button = h("button", { class: "chip", type: "button", id: "grasp", "aria-pressed": "false", onclick: () => hold.toggle() }, "Lead it by hand");
  const hold = new Hold(stage, asked, button);
  stage.addControl(button);
}
