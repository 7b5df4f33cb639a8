// The panel in a headset: a slider for each drive, time of a run, warnings with their choices, buttons. Drawn on one
// canvas; a ray that meets it works what is drawn there.
import * as THREE from "three";
import { h } from "../dom.js";
import { quantity } from "../units.js";
import { short } from "./fields.js";

const width = 800, row = 58, pixel = 0.0009; // [px], [px], [m]
const paint = { back: "#141d26", near: "#4a3410", text: "#e8eef4", quiet: "#9fb0c0", rail: "#33424f", fill: "#3aa0e0", button: "#0068a3", off: "#2a3742", warn: "#ffc46b" };

export class HeadsetPanel {
  /// `act`: what the buttons do, by their text.
  constructor(app, act) {
    Object.assign(this, { app, act, held: null });
    this.drives = app.robot.scene.drives.slice(0, 12);
    this.height = 150 + row * (this.drives.length + 1) + 160;
    this.canvas = h("canvas", { width, height: this.height });
    this.texture = new THREE.CanvasTexture(this.canvas);
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(width * pixel, this.height * pixel), new THREE.MeshBasicMaterial({ map: this.texture, side: THREE.DoubleSide }));
    this.mesh.position.set(-0.8, 1.3, -0.8);
    this.mesh.rotation.y = 0.65;
    this.draw();
  }

  // ---- what is on it --------------------------------------------------------------------------

  /// Everything that can be worked, with its place [px]: {id, x, y, w, h, text, act} or {..., low, high, value, set}.
  layOut() {
    const { app } = this, { runPanel } = app, sliders = app.panels[0].sliders;
    const rail = { x: 230, w: 370, h: 44 };
    const list = this.drives.map((drive, d) => ({ id: `drive ${drive.name}`, ...rail, y: 142 + row * d, text: drive.name, low: sliders[d].low / sliders[d].scale.factor, high: sliders[d].high / sliders[d].scale.factor,
      value: app.frame.drives[d], shown: `${short(app.frame.drives[d] * sliders[d].scale.factor, 1)}${drive.rotary ? "°" : " mm"}`, set: (value) => app.leadDrive(d, value) }));
    if (runPanel.film)
      list.push({ id: "time", ...rail, y: 142 + row * this.drives.length, text: "time of the run", low: runPanel.film.start, high: runPanel.film.end, value: runPanel.t, shown: `${short(runPanel.t, 3)} s`,
        set: (value) => { runPanel.pause(); runPanel.setTime(value); } });
    this.addRow(list, [...app.warning.choices.querySelectorAll("button")].map((button) => ({ text: button.textContent.replace("…", ""), off: button.disabled, act: () => button.click() })), this.height - 146);
    this.addRow(list, Object.entries(this.act()).map(([text, act]) => ({ text, act })), this.height - 74);
    return list;
  }

  addRow(list, buttons, y) {
    const gap = 10, w = (width - 48 + gap) / Math.max(buttons.length, 4) - gap;
    buttons.forEach((button, k) => list.push({ id: button.text, x: 24 + k * (w + gap), y, w, h: 58, ...button }));
  }

  // ---- drawing --------------------------------------------------------------------------------

  draw() {
    const { app } = this, { frame } = app, context = this.canvas.getContext("2d"), near = frame.known && frame.level > 0;
    this.controls = this.layOut();
    context.fillStyle = near ? paint.near : paint.back;
    context.fillRect(0, 0, width, this.height);
    context.textAlign = "left";
    context.fillStyle = paint.text;
    context.font = "600 30px sans-serif";
    context.fillText(app.robot.scene.name, 24, 48, width - 48);
    context.font = "24px sans-serif";
    context.fillStyle = near ? paint.warn : paint.quiet;
    const shown = app.warning.element.hidden ? null : app.warning.text.textContent;
    this.words(context, this.notice ?? shown ?? (frame.known && frame.distance < 5 * app.robot.size ? `${quantity(frame.distance, "m", 2)} to a singularity` : ""), 86);
    for (const control of this.controls) control.set ? this.drawSlider(context, control) : this.drawButton(context, control);
    this.texture.needsUpdate = true;
  }

  /// A sentence in two lines at most.
  words(context, text, y) {
    let line = "", n = 0;
    for (const word of text.split(" ")) {
      if (n === 0 && line && context.measureText(`${line} ${word}`).width > width - 48) {
        context.fillText(line, 24, y, width - 48);
        line = "";
        ++n;
      }
      line = line ? `${line} ${word}` : word;
    }
    context.fillText(line, 24, y + 32 * n, width - 48);
  }

  drawSlider(context, { x, y, w, h: height, text, shown, low, high, value }) {
    const middle = y + 0.5 * height, at = x + w * Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
    context.fillStyle = paint.text;
    context.fillText(text, 24, middle + 8, x - 40);
    context.fillText(shown, x + w + 24, middle + 8, width - x - w - 40);
    context.fillStyle = paint.rail;
    context.fillRect(x, middle - 5, w, 10);
    context.fillStyle = paint.fill;
    context.fillRect(x, middle - 5, at - x, 10);
    context.beginPath();
    context.arc(at, middle, 17, 0, 2 * Math.PI);
    context.fill();
  }

  drawButton(context, { x, y, w, h: height, text, off }) {
    context.fillStyle = off ? paint.off : paint.button;
    context.fillRect(x, y, w, height);
    context.fillStyle = off ? paint.quiet : "#ffffff";
    context.textAlign = "center";
    context.fillText(text, x + 0.5 * w, y + 0.5 * height + 8, w - 12);
    context.textAlign = "left";
  }

  // ---- rays -----------------------------------------------------------------------------------

  /// Where a ray meets the plane of the panel [px], and how far away, or null.
  meet(ray) {
    const inverse = this.mesh.matrixWorld.clone().invert(), local = ray.clone().applyMatrix4(inverse);
    const t = -local.origin.z / local.direction.z;
    if (!(t > 0)) return null;
    const point = local.at(t, new THREE.Vector3());
    return { x: point.x / pixel + 0.5 * width, y: 0.5 * this.height - point.y / pixel, distance: point.applyMatrix4(this.mesh.matrixWorld).distanceTo(ray.origin) };
  }

  /// The same where it meets the panel itself.
  hit(ray) {
    const at = this.meet(ray);
    return at && at.x >= 0 && at.x <= width && at.y >= 0 && at.y <= this.height ? at : null;
  }

  /// The trigger is pulled on it: a button acts, a slider is held. Is anything there?
  press(ray) {
    const at = this.hit(ray);
    const control = at && this.controls.find((c) => at.x >= c.x - 12 && at.x <= c.x + c.w + 12 && at.y >= c.y && at.y <= c.y + c.h);
    if (!control) return null;
    if (control.set) this.slide(control, ray);
    else if (!control.off) control.act();
    return control;
  }

  /// A held slider follows the ray.
  slide(control, ray) {
    const at = this.meet(ray);
    if (at) control.set(control.low + (control.high - control.low) * Math.min(1, Math.max(0, (at.x - control.x) / control.w)));
  }

  /// Where a control is in space, `part` of the way along it: for tests and the curious.
  placeOf(id, part = 0.5) {
    const { x, y, w, h: height } = this.layOut().find((control) => control.id === id);
    return new THREE.Vector3((x + part * w - 0.5 * width) * pixel, (0.5 * this.height - y - 0.5 * height) * pixel, 0).applyMatrix4(this.mesh.matrixWorld);
  }

  free() {
    this.mesh.removeFromParent();
    this.texture.dispose();
  }
}
