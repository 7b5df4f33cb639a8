// The panel "Drive": tool and drives to type and slide, how well the robot stands, its parts.
import { h } from "../dom.js";
import { digits, quantity } from "../units.js";
import { LimitBar, SliderField, button, group, number, parse, short } from "./fields.js";

const axes = ["x", "y", "z"], angles = ["roll", "pitch", "yaw"];

/// Roll, pitch, yaw [rad] of a quaternion (w, x, y, z): R = Rz Ry Rx.
export function rpyOf([w, x, y, z]) {
  return [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
}

export function quatOf([r, p, y]) {
  const [cr, sr, cp, sp, cy, sy] = [r, p, y].flatMap((a) => [Math.cos(a / 2), Math.sin(a / 2)]);
  return [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy];
}

export class DrivePanel {
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "panel-body" });
  }

  /// Build for a robot.
  show(robot) {
    const { scene } = robot;
    this.robot = robot;
    this.toolFields = [];
    const parts = [];
    if (scene.tool) parts.push(this.makeTool(robot));
    parts.push(this.makeDrives(robot), this.makeHealth());
    if (robot.limits.length) parts.push(this.makeLimits(robot));
    parts.push(this.makeParts(robot));
    this.element.replaceChildren(...parts);
  }

  makeTool(robot) {
    const moves = (k) => (robot.moves >> k) & 1;
    const fields = [...axes.map((name, k) => [name, "mm", k]), ...angles.map((name, k) => [name, "°", k + 3])]
      .filter(([, , k]) => k < 3 || robot.moves >> 3);
    this.toolFields = fields.map(([name, unit, k]) => {
      const field = number(name, "", unit, () => this.typeTool());
      field.field.disabled = !robot.tool_mode || !moves(k);
      return { ...field, field: field.field, element: field.element, k };
    });
    return group(`Tool ${robot.scene.tool.name}`, h("div", { class: "grid3" }, this.toolFields.map((f) => f.element)));
  }

  typeTool() {
    const { tool } = this.app.frame;
    const p = tool.slice(0, 3), rpy = rpyOf(tool.slice(3));
    for (const { field, k } of this.toolFields) {
      const value = parse(field.value);
      if (!isFinite(value) || field.disabled) continue;
      if (k < 3) p[k] = value / 1000;
      else rpy[k - 3] = (value * Math.PI) / 180;
    }
    this.app.lead("tool", [...p, ...quatOf(rpy)]);
  }

  makeDrives(robot) {
    this.sliders = robot.scene.drives.map((drive, d) => {
      const { low, high, home } = robot.ranges[d], reach = drive.rotary ? Math.PI / 2 : 0.5 * robot.size;
      const slider = new SliderField({ name: drive.name, unit: drive.rotary ? "rad" : "m", low: low ?? home - reach, high: high ?? home + reach,
        onInput: (value) => this.app.leadDrive(d, value) });
      slider.element.addEventListener("pointerenter", () => this.app.highlight({ drive: d }));
      slider.element.addEventListener("pointerleave", () => this.app.highlight(null));
      return slider;
    });
    return group("Drives", this.sliders.map((s) => s.element),
      h("div", { class: "row" }, button("Home", () => this.app.goHome()), button("Other postures…", () => this.app.postures.open("tool"), { id: "other-postures" }),
        navigator.hid ? button("3D mouse…", () => this.connectMouse(), { id: "mouse3" }) : null));
  }

  async connectMouse() {
    try {
      const device = await this.app.pads.mouse3.connect();
      this.app.say(device ? `${device.productName || "The 3D mouse"} leads the tool.` : "No 3D mouse was chosen.");
    } catch (error) {
      this.app.say(`The 3D mouse cannot be used: ${error.message}`);
    }
  }

  makeHealth() {
    this.condition = h("b");
    this.gauge = h("b");
    this.nearness = h("b");
    this.kindText = h("p", { class: "note" });
    return group("How it stands",
      h("dl", { class: "facts" }, h("div", {}, h("dt", {}, "Condition number"), h("dd", {}, this.condition)),
        h("div", {}, h("dt", {}, "To a singularity"), h("dd", {}, this.nearness))),
      h("div", { class: "gauge", role: "presentation" }, this.gauge), this.kindText);
  }

  makeLimits(robot) {
    this.bars = robot.limits.map((limit) => new LimitBar(limit));
    return group("Limits of joints", this.bars.map((bar) => bar.element));
  }

  makeParts(robot) {
    const { scene } = robot;
    const item = (text, kind, what) => {
      const element = h("button", { type: "button", class: "part" }, h("span", {}, text), h("small", {}, kind));
      const on = () => this.app.highlight(what), off = () => this.app.highlight(null);
      for (const [event, act] of [["pointerenter", on], ["focus", on], ["pointerleave", off], ["blur", off]]) element.addEventListener(event, act);
      element.dataset.part = JSON.stringify(what);
      return element;
    };
    const list = (title, items) => h("details", { class: "parts" }, h("summary", {}, `${title} (${items.length})`), items);
    this.partButtons = [
      ...scene.bodies.slice(1).map((body, k) => item(body.name, quantity(body.mass, "kg", 3), { body: k + 1 })),
      ...scene.joints.map((joint, k) => item(joint.name, joint.type, { joint: k })),
      ...scene.drives.map((drive, k) => item(drive.name, drive.rotary ? "turns" : "slides", { drive: k })),
    ];
    const b = scene.bodies.length - 1, j = scene.joints.length;
    return h("section", { class: "group" }, h("h2", {}, "Parts"), list("Bodies", this.partButtons.slice(0, b)), list("Joints", this.partButtons.slice(b, b + j)),
      list("Drives", this.partButtons.slice(b + j)), scene.description ? h("p", { class: "note about" }, scene.description) : null,
      scene.source ? h("p", { class: "note about" }, "Source: ", scene.source) : null);
  }

  /// Numbers of the present frame.
  update(frame) {
    const rpy = rpyOf(frame.tool.slice(3));
    for (const { field, k } of this.toolFields)
      if (document.activeElement !== field) field.value = k < 3 ? short(frame.tool[k] * 1000, 2) : short((rpy[k - 3] * 180) / Math.PI, 3);
    this.sliders.forEach((slider, d) => {
      const { low, high } = this.robot.ranges[d], q = frame.drives[d];
      slider.set(q);
      slider.mark((low !== null && q < low) || (high !== null && q > high) ? "beyond" : "");
    });
    this.bars?.forEach((bar, k) => frame.limits[k] !== undefined && bar.set(frame.limits[k]));
    this.condition.textContent = frame.known ? (frame.condition >= 1e9 ? "∞" : digits(frame.condition, 4)) : "–";
    const far = !(frame.distance < 5 * this.robot.size);
    this.nearness.textContent = !frame.known ? "–" : far ? "far" : quantity(frame.distance, "m", 3);
    this.gauge.style.width = `${100 * (frame.known ? Math.max(frame.level, 0.02) : 0)}%`;
    this.gauge.parentElement.dataset.level = frame.level > 0.6 ? "high" : frame.level > 0 ? "near" : "";
    this.kindText.textContent = !frame.known ? "" : far ? "No singularity in sight." : `The nearest one is ${frame.kind}.`;
  }

  mark(what) {
    for (const element of this.partButtons ?? []) element.classList.toggle("on", what !== null && element.dataset.part === JSON.stringify(what));
  }
}
