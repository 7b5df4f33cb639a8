// Where the bodies are at an instant: poses of the ideal motion, and deviations from it that can be
// magnified.
import * as THREE from "three";
import { quat, robotPoints, somewhere, spinAxis, vec } from "./robot.js";

export class Film {
  constructor(scene) {
    const film = scene.film;
    this.scene = scene;
    this.t = film?.t ?? [0];
    this.poses = film ? film.poses.map((frame) => frame.map(({ 0: x, 1: y, 2: z, 3: w, 4: a, 5: b, 6: c }) => ({
      p: new THREE.Vector3(x, y, z), q: new THREE.Quaternion(a, b, c, w) })))
      : [scene.bodies.slice(1).map((body) => ({ p: vec(body.at), q: quat(body.turn) }))];
    this.deviations = film?.deviations?.map((frame) => frame.map((d) => ({
      p: new THREE.Vector3(d[0], d[1], d[2]), r: new THREE.Vector3(d[3], d[4], d[5]) }))) ?? null;
    this.bends = film?.bends ?? [];
    this.bending = film?.bending ?? null;
    this.mode = film?.mode ?? null; // of a vibration: {text, largest}
    let first = 0;
    for (const bend of this.bends) {
      bend.first = first;
      first += bend.points.length;
    }
    this.spin = scene.bodies.map((_, b) => spinAxis(scene, b));
    if (this.deviations) this.removeSpins();
  }

  get start() { return this.t[0]; }
  get end() { return this.t[this.t.length - 1]; }

  /// Rods between two balls spin about their own line: not a deviation that is seen.
  removeSpins() {
    for (let f = 0; f < this.t.length; ++f)
      this.deviations[f].forEach((d, k) => {
        const axis = this.spin[k + 1];
        if (!axis) return;
        const turn = turnOf(d.r);
        const w = axis.clone().applyQuaternion(this.poses[f][k].q);
        const along = w.x * turn.x + w.y * turn.y + w.z * turn.z;
        const twist = new THREE.Quaternion(w.x * along, w.y * along, w.z * along, turn.w);
        if (twist.length() < 1e-12) return;
        const swing = turn.multiply(twist.normalize().conjugate());
        d.r.copy(vectorOf(swing));
      });
  }

  /// The frame before `t` and the part of the way to the next.
  find(t) {
    let low = 0, high = this.t.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle] <= t) low = middle; else high = middle;
    }
    const span = this.t[high] - this.t[low];
    return { low, high, part: span > 0 ? Math.min(Math.max((t - this.t[low]) / span, 0), 1) : 0 };
  }

  /// Put body `b` of `groups` where it is at `t`, deviations times `magnification`.
  place(groups, t, magnification) {
    const { low, high, part } = this.find(t);
    groups[0]?.matrixWorld.copy(groups[0].matrix); // all in the axes of the robot, wherever a headset has put it
    for (let k = 0; k < this.poses[low].length; ++k) {
      const group = groups[k + 1];
      group.position.lerpVectors(this.poses[low][k].p, this.poses[high][k].p, part);
      group.quaternion.slerpQuaternions(this.poses[low][k].q, this.poses[high][k].q, part);
      if (this.deviations && magnification !== 0) {
        const a = this.deviations[low][k], b = this.deviations[high][k];
        group.position.addScaledVector(a.p, magnification * (1 - part)).addScaledVector(b.p, magnification * part);
        const r = a.r.clone().multiplyScalar(magnification * (1 - part)).addScaledVector(b.r, magnification * part);
        group.quaternion.premultiply(turnOf(r));
      }
      group.updateMatrix();
      group.matrixWorld.copy(group.matrix);
    }
  }

  /// The points of a link that bends, in the axes of its body, at `t`.
  bentPoints(bend, t, magnification) {
    const { low, high, part } = this.find(t);
    const a = this.bending[low], b = this.bending[high];
    return bend.points.map((point, i) => {
      const p = a[bend.first + i], q = b[bend.first + i];
      return new THREE.Vector3(...[0, 1, 2].map((c) => point[c] + magnification * (p[c] * (1 - part) + q[c] * part)));
    });
  }

  /// The path of a point of body `b`.
  path(b, at, magnification) {
    const probe = this.scene.bodies.map(() => new THREE.Object3D());
    return this.t.map((t) => {
      this.place(probe, t, magnification);
      return at.clone().applyMatrix4(probe[b].matrixWorld);
    });
  }

  /// The largest shift of any joint's point by a deviation [m].
  largestDeviation() {
    let most = 0;
    for (const frame of this.bending ?? []) for (const d of frame) most = Math.max(most, Math.hypot(...d));
    if (!this.deviations) return most;
    const points = this.scene.bodies.map((_, b) => this.scene.joints.flatMap((j) => [
      ...(j.a === b ? [vec(j.at_a)] : []), ...(j.b === b ? [vec(j.at_b)] : [])]));
    for (let f = 0; f < this.t.length; ++f)
      this.deviations[f].forEach((d, k) => {
        for (const point of points[k + 1]) {
          const arm = point.clone().applyQuaternion(this.poses[f][k].q);
          most = Math.max(most, d.r.clone().cross(arm).add(d.p).length());
        }
      });
    return most;
  }

  /// Points of the robot in some of the frames.
  points() {
    const points = [];
    const probe = this.scene.bodies.map(() => new THREE.Object3D());
    const step = Math.max(1, Math.floor(this.t.length / 40));
    for (let f = 0; f < this.t.length; f += step) {
      this.place(probe, this.t[f], 1);
      points.push(...robotPoints(this.scene, probe));
    }
    return points.length ? points : somewhere();
  }
}

/// Turn by |r| about r, and back (|r| up to pi).
export function turnOf(r) {
  const angle = r.length();
  const s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
  return new THREE.Quaternion(r.x * s, r.y * s, r.z * s, Math.cos(angle / 2));
}

function vectorOf(q) {
  const sign = q.w < 0 ? -1 : 1;
  const s = Math.hypot(q.x, q.y, q.z);
  const scale = s > 1e-12 ? (2 * Math.atan2(s, sign * q.w) * sign) / s : 2 * sign;
  return new THREE.Vector3(q.x, q.y, q.z).multiplyScalar(scale);
}
