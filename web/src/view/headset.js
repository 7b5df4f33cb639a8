// The robot in a headset: at true scale in front of the user, grasped with controllers or hands.
import * as THREE from "three";
import { h } from "../dom.js";
import { quantity } from "../units.js";
import { iconButton } from "./icons.js";
import { short } from "./fields.js";

/// Why there is no headset here, in a sentence.
export async function whyNot() {
  if (!window.isSecureContext) return "Headsets need this page from https or from localhost; from a file some browsers do not allow it.";
  if (!navigator.xr) return "This browser has no WebXR, which headsets need.";
  for (const mode of ["immersive-vr", "immersive-ar"]) if (await navigator.xr.isSessionSupported(mode).catch(() => false)) return null;
  return "No headset is connected.";
}

export class Headset {
  constructor(app) {
    this.app = app;
    this.element = iconButton("headset", "Headset", () => this.enter(), { id: "headset" });
    whyNot().then((why) => (this.element.title = why ?? "Enter with the headset"));
  }

  async enter() {
    const { app } = this, why = await whyNot();
    if (why) return app.say(why);
    if (this.session) return this.session.end();
    const vr = await navigator.xr.isSessionSupported("immersive-vr");
    const session = await navigator.xr.requestSession(vr ? "immersive-vr" : "immersive-ar", { optionalFeatures: ["local-floor", "hand-tracking"] });
    this.begin(session);
    return session;
  }

  async begin(session) {
    const { scene3 } = this.app, { renderer } = scene3;
    this.session = session;
    session.addEventListener("end", () => this.end());
    renderer.xr.enabled = true;
    renderer.xr.setReferenceSpaceType("local-floor");
    await renderer.xr.setSession(session);
    scene3.inHeadset = true;
    this.stand();
    this.addPanel();
    this.hands = [0, 1].map((k) => this.addHand(k));
    renderer.setAnimationLoop(() => this.frame());
  }

  /// z up becomes y up; the robot stands on the floor, or on a table when it is small, within reach.
  stand() {
    const { scene3 } = this.app, { root, box, floorAt, size } = scene3, middle = box.getCenter(new THREE.Vector3());
    const table = size < 0.9 ? 0.75 : 0;
    root.rotation.x = -0.5 * Math.PI;
    root.position.set(-middle.x, table - floorAt, -Math.max(0.7, 0.75 * size) + middle.y);
    root.updateMatrixWorld(true);
  }

  addHand(k) {
    const { scene3, grasp } = this.app, controller = scene3.renderer.xr.getController(k);
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -2)]), new THREE.LineBasicMaterial({ color: 0x5cb8f0, transparent: true, opacity: 0.6 }));
    controller.add(line);
    scene3.world.add(controller);
    const hand = { controller, line, held: null, source: null };
    controller.addEventListener("connected", (event) => (hand.source = event.data));
    controller.addEventListener("selectstart", () => {
      const ray = this.rayOf(hand), hit = grasp.pick(ray), knob = ray.intersectObjects(this.knobs, false)[0];
      if (knob) return knob.object.userData.act();
      if (!hit || hit.body === 0 || grasp.held) return;
      grasp.begin(hit.body, scene3.root.worldToLocal(hit.point.clone()));
      hand.held = controller.worldToLocal(hit.point.clone());
    });
    controller.addEventListener("selectend", () => {
      if (!hand.held) return;
      hand.held = null;
      grasp.let();
    });
    return hand;
  }

  rayOf({ controller }) {
    const ray = new THREE.Raycaster(), m = controller.matrixWorld;
    ray.ray.origin.setFromMatrixPosition(m);
    ray.ray.direction.set(0, 0, -1).applyMatrix4(new THREE.Matrix4().extractRotation(m));
    return ray;
  }

  // ---- a panel in space -----------------------------------------------------------------------

  addPanel() {
    const { scene3, runPanel } = this.app;
    this.canvas = h("canvas", { width: 640, height: 400 });
    this.texture = new THREE.CanvasTexture(this.canvas);
    this.panel = new THREE.Mesh(new THREE.PlaneGeometry(0.64, 0.4), new THREE.MeshBasicMaterial({ map: this.texture, transparent: true }));
    this.panel.position.set(-0.75, 1.35, -0.9);
    this.panel.rotation.y = 0.6;
    scene3.world.add(this.panel);
    const act = { Home: () => this.app.goHome(), Run: () => runPanel.run(), Play: () => (runPanel.playing ? runPanel.pause() : runPanel.play()), Leave: () => this.session.end() };
    this.knobs = Object.entries(act).map(([text, what], k) => {
      const canvas = h("canvas", { width: 128, height: 64 }), context = canvas.getContext("2d");
      context.fillStyle = "#0068a3";
      context.fillRect(0, 0, 128, 64);
      context.fillStyle = "#fff";
      context.font = "600 30px sans-serif";
      context.textAlign = "center";
      context.fillText(text, 64, 42);
      const knob = new THREE.Mesh(new THREE.PlaneGeometry(0.14, 0.07), new THREE.MeshBasicMaterial({ map: new THREE.CanvasTexture(canvas) }));
      knob.position.set(-0.24 + 0.16 * k, -0.26, 0.01);
      knob.userData.act = what;
      this.panel.add(knob);
      return knob;
    });
  }

  drawPanel() {
    const { frame, robot, warning } = this.app, context = this.canvas.getContext("2d"), near = frame.known && frame.level > 0;
    context.fillStyle = near ? "#4a3410" : "#141d26";
    context.fillRect(0, 0, 640, 400);
    context.fillStyle = "#e8eef4";
    context.font = "600 30px sans-serif";
    context.fillText(robot.scene.name.slice(0, 34), 24, 48);
    context.font = "26px sans-serif";
    robot.scene.drives.slice(0, 6).forEach((drive, d) => context.fillText(`${drive.name}  ${short(frame.drives[d] * (drive.rotary ? 180 / Math.PI : 1000), 1)}${drive.rotary ? "°" : " mm"}`, 24, 96 + 36 * d));
    context.fillText(frame.known ? `to a singularity  ${quantity(Math.min(frame.distance, 1e3), "m", 2)}` : "", 300, 96);
    if (!near) return this.done();
    context.fillStyle = "#ffc46b";
    const words = warning.sentence(frame).join("").split(" ");
    let line = "", y = 330;
    for (const word of words) {
      if (context.measureText(`${line} ${word}`).width > 590) {
        context.fillText(line, 24, y);
        line = "";
        y += 32;
      }
      line += ` ${word}`;
    }
    context.fillText(line, 24, y);
    return this.done();
  }

  done() {
    this.texture.needsUpdate = true;
  }

  // ---- frames ---------------------------------------------------------------------------------

  frame() {
    const { scene3, grasp, frame } = this.app;
    for (const hand of this.hands) {
      if (hand.held && grasp.held) {
        const to = hand.held.clone().applyMatrix4(hand.controller.matrixWorld);
        grasp.leadTo(scene3.root.worldToLocal(to));
        if (frame.level > 0) hand.source?.gamepad?.hapticActuators?.[0]?.pulse?.(0.2 + 0.8 * frame.level, 30);
        hand.line.material.color.setHex(frame.level > 0 ? 0xe08a00 : 0x5cb8f0);
      }
      this.walk(hand.source?.gamepad);
    }
    if ((this.count = (this.count ?? 0) + 1) % 12 === 1) this.drawPanel();
    scene3.draw();
  }

  /// The thumbstick brings the robot nearer or further, and to the sides.
  walk(pad) {
    const x = pad?.axes?.[2] ?? 0, y = pad?.axes?.[3] ?? 0, { root } = this.app.scene3;
    if (Math.hypot(x, y) < 0.2) return;
    root.position.x -= 0.012 * x;
    root.position.z -= 0.012 * y;
  }

  end() {
    const { scene3 } = this.app;
    this.session = null;
    scene3.renderer.setAnimationLoop(null);
    scene3.renderer.xr.enabled = false;
    scene3.inHeadset = false;
    for (const { controller } of this.hands) controller.removeFromParent();
    this.panel.removeFromParent();
    scene3.root.position.set(0, 0, 0);
    scene3.root.rotation.set(0, 0, 0);
    scene3.root.updateMatrixWorld(true);
    scene3.place(this.app.frame);
    scene3.resize(this.app.view.clientWidth, this.app.view.clientHeight);
  }
}
