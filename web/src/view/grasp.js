// Grasping: pick a body under the pointer and lead it; the engine follows, call by call.
import * as THREE from "three";

export class Grasp {
  /// `app`: {scene3, hands, robot, frame, moved(answer), hover(what), busy}.
  constructor(app) {
    this.app = app;
    this.ray = new THREE.Raycaster();
    this.way = "screen"; // screen, x, y, z, turn
    this.held = null;
    const canvas = app.scene3.canvas;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerleave", () => this.held || app.hover(null));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.up(event));
  }

  aim(event) {
    const { scene3 } = this.app, box = scene3.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.ray.setFromCamera(at, scene3.camera);
    return this.ray;
  }

  /// The first thing of the robot that the ray meets: {body, joint, drive, point}.
  pick(ray) {
    const { scene3 } = this.app;
    const things = [...scene3.groups, scene3.base, ...scene3.driveMarks];
    const hit = ray.intersectObjects(things, true).find(({ object }) => object.visible);
    if (!hit) return null;
    const { body, joint, drive } = hit.object.userData;
    return { body: body ?? 0, joint, drive, point: hit.point };
  }

  down(event) {
    if (event.button !== 0 || !this.app.scene3.scene || this.app.idle) return;
    if (this.app.live?.on) return this.takeHold(event);
    this.app.leaveRun();
    const hit = this.pick(this.aim(event));
    if (!hit || hit.body === 0) return;
    event.preventDefault();
    this.app.scene3.orbit.enabled = false;
    this.app.scene3.canvas.setPointerCapture(event.pointerId);
    this.begin(hit.body, hit.point, event.shiftKey ? "turn" : this.way);
    this.start = { x: event.clientX, y: event.clientY };
  }

  /// In a live run the hand pulls at the tool, through any part that is touched.
  takeHold(event) {
    const { app } = this, hit = this.pick(this.aim(event));
    if (!hit || hit.body === 0 || !app.live.tip) return;
    event.preventDefault();
    app.scene3.orbit.enabled = false;
    app.scene3.canvas.setPointerCapture(event.pointerId);
    const normal = app.scene3.camera.getWorldDirection(new THREE.Vector3());
    this.pulling = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, app.live.tip);
    app.live.pull(app.live.tip);
  }

  /// Hold body `b` at `point` [world of the robot].
  begin(b, point, way = "screen") {
    const group = this.app.scene3.groups[b];
    const at = point.clone().applyMatrix4(group.matrix.clone().invert());
    const normal = this.app.scene3.camera.getWorldDirection(new THREE.Vector3());
    const turns = b === this.app.robot.scene.tool?.body && this.app.robot.moves >> 3;
    this.held = { body: b, at, from: point.clone(), to: point.clone(), way: way === "turn" && !turns ? "screen" : way,
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point), tool: this.app.frame.tool.slice() };
    this.app.grasped(b, point);
  }

  move(event) {
    if (this.pulling) {
      const to = this.aim(event).ray.intersectPlane(this.pulling, new THREE.Vector3());
      if (to) this.app.live.pull(to);
      return;
    }
    if (!this.held) {
      if (event.buttons === 0 && this.app.scene3.scene && !this.app.idle) this.app.hover(this.pick(this.aim(event)));
      return;
    }
    if (this.held.way === "turn") this.turnBy(event.clientX - this.start.x, event.clientY - this.start.y);
    else {
      const to = this.targetOn(this.aim(event).ray);
      if (to) this.leadTo(to);
    }
  }

  /// Where a ray leads the held point: on the plane of the screen, or along an axis.
  targetOn(ray) {
    const { way, plane, from } = this.held;
    if (way === "screen") return ray.intersectPlane(plane, new THREE.Vector3());
    const axis = new THREE.Vector3(way === "x" ? 1 : 0, way === "y" ? 1 : 0, way === "z" ? 1 : 0);
    const between = from.clone().sub(ray.origin), d = ray.direction;
    const b = axis.dot(d), along = (b * between.dot(d) - between.dot(axis)) / Math.max(1 - b * b, 1e-9);
    return from.clone().addScaledVector(axis, along);
  }

  leadTo(to) {
    this.held.to.copy(to);
    this.held.wanted = true;
    this.follow();
  }

  /// The tool turns about the axes of the screen: a width of the stage is half a turn.
  turnBy(dx, dy) {
    const { camera, canvas } = this.app.scene3, t = this.held.tool;
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0), up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    const scale = Math.PI / canvas.clientWidth;
    const turn = new THREE.Quaternion().setFromAxisAngle(up, dx * scale).multiply(new THREE.Quaternion().setFromAxisAngle(right, dy * scale));
    const q = turn.multiply(new THREE.Quaternion(t[4], t[5], t[6], t[3]));
    this.held.pose = [...t.slice(0, 3), q.w, q.x, q.y, q.z];
    this.held.wanted = true;
    this.follow();
  }

  /// The tool goes to a pose, position and quaternion, as the hand that holds it.
  leadPose(pose) {
    Object.assign(this.held, { way: "turn", pose, wanted: true });
    this.follow();
  }

  /// Where the held point is now.
  place() {
    return this.held.at.clone().applyMatrix4(this.app.scene3.groups[this.held.body].matrix);
  }

  /// How far the robot may be led in one call: less and less before a singularity.
  stride() {
    const { robot, frame } = this.app;
    if (!frame.known || !(frame.level > 0)) return 0.12 * robot.size;
    return Math.max(0.0004 * robot.size, 0.3 * frame.distance);
  }

  /// Call after call, until the held point is where it is wanted or comes no nearer.
  async follow() {
    if (this.running) return this.running;
    this.running = this.chase().finally(() => (this.running = null));
    return this.running;
  }

  async chase() {
    let stuck = 0;
    while (this.held?.wanted) {
      const held = this.held;
      if (held.way === "turn") {
        held.wanted = false;
        const answer = await this.app.hands.move("tool", held.pose);
        this.app.moved(answer, held);
        if (!answer.ok) this.app.stuck(answer, held, 0);
        continue;
      }
      const here = this.place(), way = held.to.clone().sub(here), length = way.length();
      if (length < 1e-12 * this.app.robot.size) {
        held.wanted = false;
        break;
      }
      const part = Math.min(1, this.stride() / length);
      const step = part < 1 ? here.clone().addScaledVector(way, part) : held.to.clone();
      const answer = await this.app.hands.move("drag", held.body, held.at.toArray(), step.toArray());
      this.app.moved(answer, held);
      if (!this.held) break;
      const left = this.place().distanceTo(held.to);
      stuck = left > length * (1 - 1e-4) ? stuck + 1 : 0;
      if (left < 1e-12 * this.app.robot.size) held.wanted = false;
      if (stuck > 2) {
        held.wanted = false;
        this.app.stuck(answer, held, left);
      }
    }
  }

  async up(event) {
    if (this.pulling) {
      this.pulling = null;
      this.app.live.release();
      this.app.scene3.orbit.enabled = true;
    }
    if (!this.held) return;
    this.app.scene3.canvas.releasePointerCapture?.(event.pointerId);
    await this.let();
  }

  async let() {
    await this.running;
    this.held = null;
    this.app.scene3.orbit.enabled = true;
    this.app.released();
  }

  /// Draw body `b` at its point `at` (its axes) by a vector, as a hand would: for keys and tests.
  async drawBy(b, at, by) {
    this.app.leaveRun();
    const point = new THREE.Vector3(...at).applyMatrix4(this.app.scene3.groups[b].matrix);
    this.begin(b, point);
    this.held.at.set(...at);
    this.leadTo(point.clone().add(new THREE.Vector3(...by)));
    await this.let();
    return this.app.frame;
  }
}
