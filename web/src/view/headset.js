// The robot in a headset: at true scale in front of the user, grasped with controllers or hands, with a panel beside it.
import * as THREE from "three";
import { h } from "../dom.js";
import { framesFrom } from "./frames.js";
import { HeadsetPanel } from "./headset_panel.js";
import { Room } from "./headset_room.js";
import { iconButton } from "./icons.js";

const calm = 0x5cb8f0, amber = 0xe08a00;
const supports = (mode) => navigator.xr.isSessionSupported(mode).catch(() => false);

/// Why there is no headset here, in a sentence.
export async function whyNot() {
  if (!window.isSecureContext) return "Headsets need this page from https or from localhost; from a file some browsers do not allow it.";
  if (!navigator.xr) return "This browser has no WebXR, which headsets need.";
  for (const mode of ["immersive-vr", "immersive-ar"]) if (await supports(mode)) return null;
  return "No headset is connected.";
}

export class Headset {
  constructor(app) {
    this.app = app;
    this.button = iconButton("headset", "Headset", () => this.enter(), { id: "headset" });
    this.roomButton = iconButton("room", "Headset, in your room", () => this.enter("immersive-ar"), { id: "headset-room", hidden: true });
    this.element = h("span", { class: "tools" }, this.button, this.roomButton);
    this.find();
  }

  async find() {
    const why = await whyNot();
    this.button.title = why ?? "Enter with the headset";
    if (!why) this.roomButton.hidden = !(await supports("immersive-ar"));
  }

  async enter(mode = null) {
    const { app } = this, why = await whyNot();
    if (why) return app.say(why);
    if (this.session) return this.session.end();
    const wanted = mode ?? ((await supports("immersive-vr")) ? "immersive-vr" : "immersive-ar");
    try {
      const session = await navigator.xr.requestSession(wanted, { optionalFeatures: ["local-floor", "hand-tracking", ...(wanted === "immersive-ar" ? ["hit-test"] : [])] });
      await this.begin(session);
      return session;
    } catch (error) {
      return app.say(`The headset did not let the page in: ${error.message}`);
    }
  }

  async begin(session) {
    const { scene3, runPanel } = this.app, { renderer, camera } = scene3;
    this.session = session;
    this.kept = { near: camera.near, far: camera.far, fov: camera.fov, position: camera.position.clone(), quaternion: camera.quaternion.clone() };
    Object.assign(camera, { near: 0.02, far: 60 });
    runPanel.pause();
    this.hands ??= [0, 1].map((k) => this.addHand(k)); // once: three keeps its controllers
    for (const hand of this.hands) scene3.world.add(hand.controller);
    renderer.xr.enabled = true;
    renderer.xr.setReferenceSpaceType("local-floor");
    renderer.setAnimationLoop((now, frame) => this.frame(frame)); // before the session: three then stops the loop of the window
    await renderer.xr.setSession(session);
    session.addEventListener("end", () => this.end()); // after three's own, which starts that loop again
    scene3.inHeadset = true;
    framesFrom(session);
    this.room = new Room(this.app, session, renderer.xr.getReferenceSpace());
    this.addPanel();
    scene3.place(this.app.frame);
    if (this.room.real) this.placing = await this.room.seek();
  }

  addPanel() {
    const { app } = this, { runPanel } = app;
    const play = () => (runPanel.film ? (runPanel.playing ? runPanel.pause() : runPanel.play()) : runPanel.run().then(() => runPanel.play()));
    this.panel = new HeadsetPanel(app, () => ({ Home: () => app.goHome(), Run: () => runPanel.run(), [runPanel.playing ? "Pause" : "Play"]: play,
      ...(this.room.source ? { Place: () => (this.placing = true) } : {}), Leave: () => this.session.end() }));
    this.room.rig.add(this.panel.mesh);
    this.panel.mesh.updateWorldMatrix(true, false);
  }

  // ---- hands ----------------------------------------------------------------------------------

  addHand(k) {
    const controller = this.app.scene3.renderer.xr.getController(k);
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -1)]), new THREE.LineBasicMaterial({ color: calm, transparent: true, opacity: 0.7 }));
    line.scale.z = 2;
    line.frustumCulled = false;
    controller.add(line);
    const hand = { controller, line, held: null, control: null, source: null };
    controller.addEventListener("connected", (event) => (hand.source = event.data));
    controller.addEventListener("disconnected", () => { this.let(hand); hand.source = null; });
    controller.addEventListener("selectstart", () => this.pull(hand));
    controller.addEventListener("selectend", () => this.let(hand));
    return hand;
  }

  rayOf({ controller }) {
    const ray = new THREE.Raycaster(), m = controller.matrixWorld;
    ray.ray.origin.setFromMatrixPosition(m);
    ray.ray.direction.set(0, 0, -1).transformDirection(m);
    return ray;
  }

  /// The trigger: what the ray meets first is worked, grasped or stepped to.
  pull(hand) {
    const { scene3, grasp } = this.app, ray = this.rayOf(hand);
    if (this.placing) {
      if (this.room.place()) this.placing = false;
      return;
    }
    const hit = grasp.pick(ray), board = this.panel.hit(ray.ray);
    if (board && !(hit && hit.point.distanceTo(ray.ray.origin) < board.distance)) {
      const control = this.panel.press(ray.ray);
      hand.control = control?.set ? control : null;
      if (control) this.pulse(hand, 0.3, 15);
    } else if (hit && hit.body > 0) {
      if (!grasp.held) this.take(hand, hit);
    } else hand.stepping = true;
    if (hand.stepping) this.room.mark(this.room.floorUnder(ray.ray));
  }

  take(hand, hit) {
    const { scene3, grasp, robot, frame } = this.app, { tool } = robot.scene;
    this.app.leaveRun();
    grasp.begin(hit.body, scene3.root.worldToLocal(hit.point.clone()));
    hand.held = hand.controller.worldToLocal(hit.point.clone());
    const turns = hit.body === tool?.body && robot.tool_mode && robot.moves >> 3;
    hand.tool = turns ? this.inRoot(hand).invert().multiply(new THREE.Matrix4().compose(new THREE.Vector3(...frame.tool), new THREE.Quaternion(frame.tool[4], frame.tool[5], frame.tool[6], frame.tool[3]), new THREE.Vector3(1, 1, 1))) : null;
    this.pulse(hand, 0.4, 20);
  }

  let(hand) {
    const point = hand.stepping && this.session && this.room.floorUnder(this.rayOf(hand).ray);
    if (hand.stepping) this.room.mark(null);
    if (point) this.room.step(point);
    Object.assign(hand, { control: null, stepping: false, tool: null });
    if (!hand.held) return;
    hand.held = null;
    this.app.grasp.let();
  }

  pulse(hand, strength, time) {
    hand.source?.gamepad?.hapticActuators?.[0]?.pulse?.(strength, time);
  }

  /// The controller in the axes of the robot.
  inRoot({ controller }) {
    return this.app.scene3.root.matrixWorld.clone().invert().multiply(controller.matrixWorld);
  }

  /// What a hand holds goes with it: a point of a body, or the whole tool where it can turn.
  lead(hand) {
    const { scene3, grasp, frame } = this.app;
    if (hand.tool) {
      const p = new THREE.Vector3(), q = new THREE.Quaternion();
      this.inRoot(hand).multiply(hand.tool).decompose(p, q, new THREE.Vector3());
      grasp.leadPose([p.x, p.y, p.z, q.w, q.x, q.y, q.z]);
    } else grasp.leadTo(scene3.root.worldToLocal(hand.held.clone().applyMatrix4(hand.controller.matrixWorld)));
    if (frame.level > 0) this.pulse(hand, 0.2 + 0.8 * frame.level, 30);
  }

  // ---- frames ---------------------------------------------------------------------------------

  frame(xrFrame) {
    const { scene3, grasp, frame } = this.app;
    if (!this.session || !this.panel) return;
    if (this.placing) this.room.look(xrFrame);
    for (const hand of this.hands) {
      const { ray } = this.rayOf(hand);
      if (hand.held && grasp.held) this.lead(hand);
      else if (hand.control) this.panel.slide(hand.control, ray);
      else if (hand.stepping) this.room.mark(this.room.floorUnder(ray));
      hand.line.material.color.setHex(frame.known && frame.level > 0 ? amber : calm);
      hand.line.scale.z = this.panel.hit(ray)?.distance ?? 2;
      this.stick(hand);
    }
    if ((this.count = (this.count ?? 0) + 1) % 6 === 1) this.tell();
    scene3.draw();
  }

  tell() {
    this.panel.notice = this.placing ? (this.room.surface ? "Pull the trigger: the robot stands where the ring lies." : "Look at the floor or a table: the robot can stand there.") : null;
    this.panel.draw();
  }

  /// The thumbstick: forward shows where a step would lead and letting go steps there, sideways turns by 30 degrees.
  stick(hand) {
    const [x, y] = [hand.source?.gamepad?.axes?.[2] ?? 0, hand.source?.gamepad?.axes?.[3] ?? 0];
    const forward = y < -0.7, side = Math.abs(x) > 0.7 ? Math.sign(x) : 0;
    if (forward) this.room.mark(this.room.floorUnder(this.rayOf(hand).ray));
    else if (hand.forward && Math.abs(y) < 0.3) {
      const point = this.room.floorUnder(this.rayOf(hand).ray);
      this.room.mark(null);
      if (point) this.room.step(point);
    }
    if (forward || Math.abs(y) < 0.3) hand.forward = forward;
    if (side && !hand.side && !this.room.real) this.room.turn((-side * Math.PI) / 6);
    hand.side = side;
  }

  end() {
    const { scene3, view, frame } = this.app, { renderer, camera } = scene3, { position, quaternion, ...lens } = this.kept;
    this.session = null;
    this.placing = false;
    framesFrom(null);
    for (const hand of this.hands) Object.assign(hand, { held: null, control: null, stepping: false, source: null });
    if (this.app.grasp.held) this.app.grasp.let();
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    scene3.inHeadset = false;
    for (const { controller } of this.hands) controller.removeFromParent();
    this.panel.free();
    this.panel = null;
    this.room.free();
    Object.assign(camera, lens);
    camera.position.copy(position);
    camera.quaternion.copy(quaternion);
    camera.scale.setScalar(1);
    scene3.place(frame);
    scene3.resize(view.clientWidth, view.clientHeight);
    scene3.requestFrame();
  }
}
