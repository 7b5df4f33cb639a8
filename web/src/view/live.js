// A live run: the simulation goes on slice by slice while it is watched, and the tool can be pulled at.
import * as THREE from "three";
import { h } from "../dom.js";
import { quantity } from "../units.js";
import { vec } from "../robot.js";
import { aFrame } from "./frames.js";

const LONGEST = 600; // seconds that a live run may last
const SLICES = 4; // per picture; the hand's force is renewed in each

/// The run file of a live run: the same choices, as long as one likes.
export const liveText = (text) => `${text.split("\n").filter((line) => line && !/^(for|instants):/.test(line)).join("\n")}\nfor: ${LONGEST} s\n`;

export class Live {
  constructor(app) {
    this.app = app;
    this.on = false;
    this.hand = [0, 0, 0, 0, 0, 0, 0, 0]; // stiffness, damping, place, force
  }

  /// Begin; without `auto` somebody else calls step().
  async begin(text, run, { auto = true } = {}) {
    const { app } = this;
    this.hands = await app.second();
    const answer = await this.hands.call("liveBegin", { text: liveText(text) });
    if (!answer.ok) throw new Error(answer.message);
    run.columns = answer.columns;
    Object.assign(this, { run, on: true, pace: 1, shots: [] });
    this.release();
    if (auto) this.loop();
    return answer;
  }

  /// Pictures as fast as the screen wants them; where the engine is slower than time, time goes slower.
  async loop() {
    let last = performance.now();
    while (this.on) {
      await aFrame();
      const now = performance.now(), passed = Math.min(now - last, 50) / 1000;
      last = now;
      if (!this.on || this.held || passed <= 0) continue;
      try {
        await this.step((passed * this.speed * this.pace) / SLICES, SLICES);
      } catch (error) {
        return this.app.runPanel.endLive(error.message);
      }
      const cost = performance.now() - now;
      this.pace = cost > 40 ? Math.max(0.005, (this.pace * 40) / cost) : Math.min(1, 1.3 * this.pace);
    }
    return null;
  }

  get speed() {
    return Number(this.app.runPanel.speed.value);
  }

  /// Go on by `n` slices of `dt` [s].
  async step(dt, n = 1) {
    const answer = await this.hands.call("liveStep", { dt, n, hand: this.hand });
    if (!this.on) return answer;
    if (!answer.ok) throw new Error(answer.message);
    this.run.take(answer.row, answer.row.length);
    this.shots.push({ t: answer.t, poses: answer.poses });
    if (this.shots.length > 3000) this.thin();
    this.draw(answer);
    return answer;
  }

  /// Every second picture of the first half goes: long runs stay small.
  thin() {
    this.shots = this.shots.filter((_, k) => k > 1500 || k % 2 === 0);
  }

  draw({ poses, force, t }) {
    const { scene3, robot, runPanel } = this.app, { tool } = robot.scene;
    scene3.placePoses(poses);
    this.tip = tool ? vec(tool.at).applyMatrix4(scene3.groups[tool.body].matrixWorld) : null;
    if (this.tip && scene3.toolAxes) scene3.toolAxes.position.copy(this.tip);
    if (this.shots.length % 15 === 0 && !scene3.seesAll()) scene3.fit();
    this.arrow(force);
    runPanel.watchLive(t, force);
  }

  /// The force of the hand, as an arrow to where it pulls.
  arrow(force) {
    const { scene3 } = this.app, size = Math.hypot(...force);
    this.mark?.removeFromParent();
    this.mark = null;
    if (!this.tip || !(size > 0)) return;
    const to = this.hand[0] > 0 ? new THREE.Vector3(...this.hand.slice(2, 5)) : this.tip.clone().addScaledVector(new THREE.Vector3(...force), (0.15 * scene3.size) / size);
    const along = to.clone().sub(this.tip), length = along.length();
    if (!(length > 1e-3 * scene3.size)) return;
    this.mark = new THREE.ArrowHelper(along.normalize(), this.tip, length, 0xd55e00, Math.min(0.3 * length, 0.05 * scene3.size), 0.025 * scene3.size);
    this.mark.traverse((part) => {
      if (part.material) Object.assign(part.material, { depthTest: false, transparent: true });
      part.renderOrder = 6;
    });
    scene3.root.add(this.mark);
  }

  // ---- the hand -------------------------------------------------------------------------------

  /// Pull the tool to a place: a soft spring, which would swing all moving parts once a second.
  pull(to) {
    const m = this.app.robot.total_mass, k = m * (2 * Math.PI) ** 2;
    this.hand = [k, 0.1 * Math.sqrt(k * m), to.x, to.y, to.z, 0, 0, 0];
  }

  /// A force [N] that stays.
  push(force) {
    this.hand = [0, 0, 0, 0, 0, ...force];
  }

  release() {
    this.hand = [0, 0, 0, 0, 0, 0, 0, 0];
  }

  // ---- the end --------------------------------------------------------------------------------

  /// The run as others are: table, peaks, pictures to scrub through.
  async end() {
    if (!this.on) return null;
    this.on = false;
    this.mark?.removeFromParent();
    const { run } = this, last = run.rows - 1;
    this.hands.call("liveEnd", {}).catch(() => {});
    if (run.rows < 2) return null;
    const peaks = run.values.map((column) => {
      let row = 0;
      column.forEach((v, r) => Math.abs(v) > Math.abs(column[row]) && (row = r));
      return [Math.abs(column[row]), run.values[0][row]];
    });
    const poses = this.shots.map((shot) => Array.from({ length: shot.poses.length / 7 - 1 }, (_, b) => [...shot.poses.slice(7 * (b + 1), 7 * (b + 2))]));
    run.finish({ complete: true, why: "", located: 0, warnings: [], peaks, poses: JSON.stringify({ t: this.shots.map((shot) => shot.t), poses }), deviations: null, live: run.values[0][last] });
    return run;
  }
}

/// What the panel shows while it runs.
export const handText = (force) => {
  const size = Math.hypot(...force);
  return h("p", { class: "note" }, size > 0 ? ["Your hand: ", h("b", {}, quantity(size, "N", 3))] : "Hold the tool and pull it aside.");
};
