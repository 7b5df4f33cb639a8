// A run on the stage: the robot at an instant, deviations magnified, trace of the tool, forces, ghost.
import * as THREE from "three";
import { Film } from "../film.js";
import { BentBar, drivenBodies, vec } from "../robot.js";
import { makeGhost } from "./postures.js";
import { ghostColour, roundNumber } from "./scene.js";

export class Film3 {
  constructor(scene3, run) {
    this.scene3 = scene3;
    this.run = run;
    const scene = { ...scene3.scene, film: { ...JSON.parse(run.poses), ...(run.deviations ? JSON.parse(run.deviations) : {}) } };
    this.film = new Film(scene);
    this.scene = scene;
    const most = this.film.largestDeviation();
    this.hasDeviation = most > 1e-9 * scene3.size;
    this.magnification = this.hasDeviation ? Math.max(1, roundNumber((0.05 * scene3.size) / most)) : 1;
    this.root = new THREE.Group();
    scene3.root.add(this.root);
    this.setUpBending();
    if (this.hasDeviation) this.ghost = makeGhost(scene3, 0x7d8b98, 0.22);
    this.makePaths();
    this.arrows = [];
  }

  /// Bars of flexible links are drawn as they bend, in the place of their straight ones.
  setUpBending() {
    const { groups } = this.scene3, driven = drivenBodies(this.scene);
    this.hidden = [];
    this.bent = this.film.bends.map((bend) => {
      groups[bend.body].children.forEach((mesh) => {
        if (mesh.geometry?.type === "CylinderGeometry" && mesh.userData.joint === undefined) this.hidden.push(mesh);
      });
      return new BentBar(this.scene, bend, groups[bend.body], driven.has(bend.body));
    });
    for (const mesh of this.hidden) mesh.visible = false;
    this.riders = this.bent.flatMap((bar) => this.ridersOf(bar));
  }

  /// What else stands on a flexible link, balls of its joints above all, goes along with the nearest point of its line.
  ridersOf(bar) {
    const points = bar.bend.points.map(vec), axis = points.at(-1).clone().sub(points[0]), length = axis.length();
    axis.normalize();
    const along = points.map((p) => p.clone().sub(points[0]).dot(axis));
    return this.scene3.groups[bar.bend.body].children.filter((mesh) => mesh.geometry && mesh.geometry !== bar.geometry && mesh.visible).map((mesh) => {
      const home = mesh.position.clone(), s = Math.min(Math.max(home.clone().sub(points[0]).dot(axis), 0), length);
      const k = Math.max(1, along.findIndex((a, i) => i > 0 && a >= s));
      return { mesh, bar, home, k, part: (s - along[k - 1]) / (along[k] - along[k - 1]), line: points };
    });
  }

  /// Put the riders of a link where its line has gone.
  ride(bar, bent) {
    for (const { mesh, home, k, part, line } of this.riders.filter((r) => r.bar === bar)) {
      const shift = (i) => bent[i].clone().sub(line[i]);
      mesh.position.copy(home).add(shift(k - 1).lerp(shift(k), part));
    }
  }

  makePaths() {
    const { tool } = this.scene;
    if (!tool) return;
    const line = (points, colour, opacity) => new THREE.Line(new THREE.BufferGeometry().setFromPoints(points),
      new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false }));
    this.paths = new THREE.Group();
    if (this.hasDeviation) this.paths.add(line(this.film.path(tool.body, vec(tool.at), 0), 0x8896a3, 0.9));
    this.paths.add(line(this.film.path(tool.body, vec(tool.at), this.magnification), 0xd55e00, 1));
    this.root.add(this.paths);
  }

  setMagnification(value) {
    this.magnification = value;
    this.paths?.removeFromParent();
    this.makePaths();
  }

  get start() { return this.film.start; }
  get end() { return this.film.end; }

  /// Put the robot where it is at `t`.
  place(t) {
    const { scene3, film } = this;
    film.place(scene3.groups, t, this.magnification);
    if (this.ghost) film.place(this.ghost.groups, t, 0);
    for (const bar of this.bent) {
      const bent = film.bentPoints(bar.bend, t, this.magnification);
      bar.follow(bent);
      this.ride(bar, bent);
    }
    scene3.afterPlace();
    const { tool } = this.scene;
    if (tool && scene3.toolAxes) scene3.toolAxes.position.copy(vec(tool.at).applyMatrix4(scene3.groups[tool.body].matrixWorld));
    this.drawForces(t);
    scene3.requestFrame();
  }

  /// Arrows of the drives' forces: along a slide, about an axis as an arrow along it.
  drawForces(t) {
    for (const arrow of this.arrows) arrow.removeFromParent();
    this.arrows = [];
    if (!this.showForces) return;
    const { scene, scene3, run } = this;
    const columns = scene.drives.map((d) => run.columns.findIndex((c) => c.name === `${d.name}.force`));
    const most = Math.max(...columns.map((k) => (k < 0 ? 0 : run.values[k].reduce((m, v) => Math.max(m, Math.abs(v)), 0))), 1e-12);
    const row = run.rowAt(t);
    scene.drives.forEach((drive, d) => {
      const joint = scene.joints[drive.joint], value = columns[d] < 0 ? 0 : run.values[columns[d]][row];
      const group = scene3.groups[joint.a], turn = new THREE.Quaternion(joint.turn_a[1], joint.turn_a[2], joint.turn_a[3], joint.turn_a[0]);
      const axis = new THREE.Vector3(0, 0, Math.sign(value) || 1).applyQuaternion(group.quaternion.clone().multiply(turn));
      const length = (0.28 * scene3.size * Math.abs(value)) / most;
      if (!(length > 1e-4 * scene3.size)) return;
      const arrow = new THREE.ArrowHelper(axis, vec(joint.at_a).applyMatrix4(group.matrixWorld), length, 0xcc3377, 0.045 * scene3.size, 0.022 * scene3.size);
      this.root.add(arrow);
      this.arrows.push(arrow);
    });
  }

  /// A second run as a ghost.
  compare(other) {
    this.otherGhost?.root.removeFromParent();
    this.otherGhost = null;
    if (!other) return;
    const scene = { ...this.scene3.scene, film: { ...JSON.parse(other.poses), ...(other.deviations ? JSON.parse(other.deviations) : {}) } };
    this.otherFilm = new Film(scene);
    this.otherGhost = makeGhost(this.scene3, ghostColour, 0.35);
  }

  placeOther(t) {
    if (this.otherGhost) this.otherFilm.place(this.otherGhost.groups, Math.min(t, this.otherFilm.end), this.magnification);
  }

  remove() {
    this.root.removeFromParent();
    this.ghost?.root.removeFromParent();
    this.otherGhost?.root.removeFromParent();
    for (const bar of this.bent) bar.geometry && this.scene3.groups[bar.bend.body].children.slice().forEach((mesh) => mesh.geometry === bar.geometry && mesh.removeFromParent());
    for (const mesh of this.hidden) mesh.visible = true;
    for (const { mesh, home } of this.riders) mesh.position.copy(home);
  }
}
