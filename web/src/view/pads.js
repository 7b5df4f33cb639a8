// Gamepads and 3D mice: sticks and caps lead the tool, the first button goes home.
import * as THREE from "three";
import { nextFrame } from "./frames.js";
import { Mouse3 } from "./mouse3.js";

const quiet = 0.15; // of a stick at rest

/// A stick's value without what it has at rest.
const live = (value) => (Math.abs(value) < quiet ? 0 : value);

export class Pads {
  constructor(app) {
    this.app = app;
    this.mouse3 = new Mouse3(this);
    window.addEventListener("gamepadconnected", () => this.begin());
  }

  begin() {
    if (this.running) return;
    this.running = true;
    this.last = performance.now();
    const step = async (now) => {
      const pad = [...(navigator.getGamepads?.() ?? [])].find(Boolean), time = Math.min(now - this.last, 50) / 1000;
      if (!pad && !this.mouse3.moves) return (this.running = false);
      this.last = now;
      if (this.mouse3.moves) await this.leadBy(this.mouse3.cap.shift, this.mouse3.cap.turn, time);
      else await this.leadPad(pad, time);
      return nextFrame(step);
    };
    nextFrame(step);
  }

  async leadPad(pad, time) {
    const [x, y, , z] = pad.axes.map(live);
    if (pad.buttons[0]?.pressed) return this.app.goHome();
    return this.leadBy([x, -y, -(z ?? 0)], [0, 0, 0], time);
  }

  /// Half the robot's size and a radian per second at most; slower before a singularity.
  async leadBy(shift, turn, time) {
    const { app } = this;
    if (![...shift, ...turn].some((v) => v)) return null;
    const slow = app.frame.level > 0 ? Math.max(0.05, 1 - app.frame.level) : 1, s = 0.5 * app.robot.size * time * slow;
    const tool = [...app.frame.tool];
    shift.forEach((v, k) => (tool[k] += s * (v || 0)));
    const axis = new THREE.Vector3(...turn), angle = axis.length() * time * slow;
    if (app.robot.moves >> 3 && angle > 0) {
      const q = new THREE.Quaternion().setFromAxisAngle(axis.normalize(), angle).multiply(new THREE.Quaternion(tool[4], tool[5], tool[6], tool[3]));
      tool.splice(3, 4, q.w, q.x, q.y, q.z);
    }
    return app.lead("tool", tool);
  }
}
