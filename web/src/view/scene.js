// The robot on the stage: bodies, joints, drives, axes, floor, light; camera and standard views.
import * as THREE from "three";
import { h } from "../dom.js";
import { Picture, roundNumber, themes } from "../picture.js";
import { robotPoints, slideAt, somewhere, stretchRod, vec } from "../robot.js";

export const amber = 0xe08a00, red = 0xd43c2c, accent = 0x0072b2, ghostColour = 0x56b4e9;

export class Scene3 extends Picture {
  constructor(canvas) {
    super(canvas);
    this.orbit.listenToKeyEvents?.(canvas);
    this.orbit.addEventListener("start", () => (this.side = null));
    this.orbit.addEventListener("change", () => this.requestFrame());
    this.root = new THREE.Group(); // moved and scaled as a whole in a headset
    this.world.add(this.root);
    this.theme = "light";
    this.beforeDraw = [];
  }

  // ---- the robot ------------------------------------------------------------------------------

  /// Show a robot; `frame` tells where it stands. The camera stays when it is the same one, changed.
  show(robot, frame, keepCamera) {
    this.robot = robot;
    this.scene = robot.scene;
    this.rebuild(frame);
    if (!keepCamera) this.lookFrom(this.isFlat() ? "top" : "corner");
  }

  rebuild(frame) {
    const scene = this.scene;
    this.ground = null;
    this.ends = null;
    this.root.clear();
    this.groups = this.standing = scene.bodies.map(() => new THREE.Object3D()); // where it stands, before it is built
    this.frame = frame;
    this.placeOn(this.groups, frame.poses);
    this.points = this.pointsNow();
    this.box = new THREE.Box3().setFromPoints(this.points);
    this.size = Math.max(this.box.getSize(new THREE.Vector3()).length(), 1e-6);
    this.root.add(...this.makeRobot(scene, themes[this.theme], (joint) => this.travel(joint)));
    this.addEnds(this.base);
    this.marks = new THREE.Group();
    this.root.add(this.marks);
    this.addDrives();
    this.addAxes();
    this.addLights(this.root, themes[this.theme]);
    this.place(frame);
  }

  /// Points of the robot where it stands, rails included.
  pointsNow() {
    const points = [...robotPoints(this.scene, this.groups), ...(this.ends ?? []).map((end) => end.clone())];
    return points.length ? points : somewhere();
  }

  /// Rails reach beyond the joints: their ends belong into the picture.
  addEnds(base) {
    const ends = base.children.filter(({ geometry }) => geometry.type === "CylinderGeometry").flatMap((bar) => [-0.5, 0.5].map((side) => new THREE.Vector3(0, side * bar.geometry.parameters.height, 0).applyMatrix4(bar.matrix)));
    this.ends = ends;
    this.points.push(...ends);
    this.box.setFromPoints(this.points);
  }

  /// How far a slide on the ground goes: its drive's range, or a good part of the robot.
  travel(joint) {
    const index = this.scene.joints.indexOf(joint), d = this.scene.drives.findIndex((drive) => drive.joint === index);
    const at = slideAt(joint, this.standing), reach = 0.18 * this.size;
    const range = d >= 0 ? this.robot.ranges[d] : null;
    const now = d >= 0 ? this.frame.drives[d] : 0;
    const part = (limit, fallback) => (limit === null || range === null ? fallback : Math.max(-2 * this.size, Math.min(2 * this.size, limit - now)));
    return [at + part(range?.low ?? null, -reach), at + part(range?.high ?? null, reach)];
  }

  // ---- where it stands ------------------------------------------------------------------------

  place(frame) {
    this.frame = frame;
    this.placePoses(frame.poses);
    this.placeTool(frame.tool);
  }

  placePoses(poses) {
    this.placeOn(this.groups, poses);
    this.afterPlace();
    this.requestFrame();
  }

  /// What follows the bodies.
  afterPlace() {
    for (const rod of this.rods) stretchRod(rod, this.groups);
    this.moveDrives();
    if (!this.ground) return;
    const low = Math.min(...this.groups.slice(1).map((group) => group.position.z)) - 0.1 * this.size;
    this.ground.position.z = Math.min(0, low - this.floorAt);
  }

  /// Is the tool in the picture?
  sees(tool) {
    const at = new THREE.Vector3(tool[0], tool[1], tool[2]).project(this.camera);
    return Math.abs(at.x) < 0.9 && Math.abs(at.y) < 0.85 && at.z < 1;
  }

  /// Is all of the robot in the picture?
  seesAll() {
    return this.pointsNow().every((point) => {
      const at = point.project(this.camera);
      return Math.abs(at.x) < 0.98 && Math.abs(at.y) < 0.98;
    });
  }

  placeTool(tool) {
    if (!this.toolAxes) return;
    this.toolAxes.position.set(tool[0], tool[1], tool[2]);
    this.toolAxes.quaternion.set(tool[4], tool[5], tool[6], tool[3]);
  }

  // ---- drives and axes ------------------------------------------------------------------------

  /// A mark at each drive: an arc with an arrow about its axis, or an arrow along it.
  addDrives() {
    const paint = new THREE.MeshBasicMaterial({ color: 0xd55e00, transparent: true, opacity: 0.85 });
    this.driveMarks = this.scene.drives.map((drive, d) => {
      const mark = new THREE.Group(), r = 0.045 * this.size;
      if (drive.rotary) {
        mark.add(new THREE.Mesh(new THREE.TorusGeometry(r, 0.05 * r, 8, 40, 1.5 * Math.PI), paint));
        const tip = new THREE.Mesh(new THREE.ConeGeometry(0.16 * r, 0.42 * r, 16), paint);
        tip.position.set(0, -r, 0);
        tip.rotation.z = -0.5 * Math.PI;
        mark.add(tip);
      } else {
        const bar = new THREE.Mesh(new THREE.CylinderGeometry(0.05 * r, 0.05 * r, 1.6 * r, 8), paint);
        bar.rotation.x = 0.5 * Math.PI;
        mark.add(bar);
        for (const side of [-1, 1]) {
          const tip = new THREE.Mesh(new THREE.ConeGeometry(0.17 * r, 0.42 * r, 16), paint);
          tip.position.z = side * r;
          tip.rotation.x = side * 0.5 * Math.PI;
          mark.add(tip);
        }
      }
      mark.traverse((mesh) => (mesh.userData.drive = d));
      this.marks.add(mark);
      return mark;
    });
  }

  moveDrives() {
    this.scene.drives.forEach((drive, d) => {
      const joint = this.scene.joints[drive.joint], mark = this.driveMarks?.[d];
      if (!mark || !joint) return;
      const group = this.groups[joint.a];
      const turn = new THREE.Quaternion(joint.turn_a[1], joint.turn_a[2], joint.turn_a[3], joint.turn_a[0]);
      mark.position.copy(vec(drive.rotary ? joint.at_a : joint.at_b).applyMatrix4((drive.rotary ? group : this.groups[joint.b]).matrixWorld));
      mark.quaternion.copy(group.quaternion).multiply(turn);
      if (!drive.rotary) {
        const side = new THREE.Vector3(0.05 * this.size, 0, 0).applyQuaternion(mark.quaternion);
        mark.position.add(side);
      }
    });
  }

  makeAxes(length) {
    const axes = new THREE.Group();
    [[1, 0, 0, 0xd0453b], [0, 1, 0, 0x2f9e63], [0, 0, 1, 0x2f6fd0]].forEach(([x, y, z, colour]) => {
      const paint = new THREE.MeshBasicMaterial({ color: colour });
      const axis = new THREE.Vector3(x, y, z), turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis);
      const bar = new THREE.Mesh(new THREE.CylinderGeometry(0.018 * length, 0.018 * length, length, 8), paint);
      bar.position.copy(axis).multiplyScalar(0.5 * length);
      const tip = new THREE.Mesh(new THREE.ConeGeometry(0.055 * length, 0.18 * length, 12), paint);
      tip.position.copy(axis).multiplyScalar(length);
      bar.quaternion.copy(turn);
      tip.quaternion.copy(turn);
      axes.add(bar, tip);
    });
    return axes;
  }

  addAxes() {
    this.worldAxes = this.makeAxes(0.09 * this.size);
    this.toolAxes = this.scene.tool ? this.makeAxes(0.07 * this.size) : null;
    this.marks.add(this.worldAxes);
    if (this.toolAxes) this.marks.add(this.toolAxes);
  }

  setTheme(name) {
    this.theme = name;
    this.ground = null;
    if (this.scene) this.rebuild(this.frame);
  }

  // ---- looks of parts -------------------------------------------------------------------------

  /// Let bodies glow: a Map from body to colour and strength.
  glow(of) {
    this.groups.forEach((group, b) => {
      const { colour = 0, strength = 0 } = of.get(b) ?? {};
      group.traverse((mesh) => {
        if (!mesh.material?.emissive || mesh.userData.joint !== undefined) return;
        mesh.material.emissive.setHex(colour);
        mesh.material.emissiveIntensity = strength;
      });
    });
    this.requestFrame();
  }

  /// The bodies of the limb that drive `d` moves: those with its name before the dot, or what it drives.
  limbOf(d) {
    const joint = this.scene.joints[this.scene.drives[d].joint], dot = joint.name.lastIndexOf(".");
    const prefix = dot > 0 ? joint.name.slice(0, dot + 1) : null;
    const bodies = new Set([joint.a, joint.b].filter((b) => b > 0 && b !== this.scene.tool?.body));
    if (prefix) this.scene.bodies.forEach((body, b) => body.name.startsWith(prefix) && bodies.add(b));
    return bodies;
  }

  // ---- camera ---------------------------------------------------------------------------------

  /// Look at these points from where the reader has chosen to look.
  lookAt(points) {
    this.points = points;
    this.box = new THREE.Box3().setFromPoints(points);
    if (this.side) this.lookFrom(this.side);
  }

  fit() {
    this.points = this.pointsNow();
    this.box = new THREE.Box3().setFromPoints(this.points);
    const direction = this.camera.position.clone().sub(this.orbit.target).normalize();
    const middle = this.box.getCenter(new THREE.Vector3());
    this.camera.position.copy(middle).addScaledVector(direction, this.distanceToSee(middle, direction));
    this.orbit.target.copy(middle);
    this.orbit.update();
    this.requestFrame();
  }

  resize(width, height) {
    if (!width || !height) return;
    this.camera.aspect = width / height;
    this.renderer.setSize(width, height, false);
    this.camera.updateProjectionMatrix();
    if (this.side && this.box) this.lookFrom(this.side);
    this.draw();
  }

  requestFrame() {
    if (this.waiting || this.inHeadset) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const start = performance.now();
    for (const step of this.beforeDraw) step();
    this.renderer.render(this.world, this.camera);
    this.cost = { time: (this.cost?.time ?? 0) + performance.now() - start, n: (this.cost?.n ?? 0) + 1 }; // of our code, milliseconds
  }
}

/// A sentence instead of the stage where there is no WebGL.
export const noPicture = () => h("p", { class: "no-picture" }, "The robot cannot be drawn here: this browser has no WebGL, or it is switched off. Numbers and runs work all the same.");

export { roundNumber };
