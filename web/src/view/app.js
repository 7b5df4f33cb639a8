// The page of pkm view: one robot, led by hand, run, changed, mapped.
import { h } from "../dom.js";
import { block } from "../data.js";
import { quantity } from "../units.js";
import { Hands, unpack } from "./engine.js";
import { ChangePanel } from "./change.js";
import { DrivePanel } from "./drive.js";
import { aFrame } from "./frames.js";
import { Grasp } from "./grasp.js";
import { Headset } from "./headset.js";
import { Live } from "./live.js";
import { MapPanel } from "./map.js";
import { Pads } from "./pads.js";
import { Postures } from "./postures.js";
import { Record } from "./record.js";
import { RunPanel } from "./run.js";
import { Scene3, noPicture } from "./scene.js";
import { chooseTheme, onTheme, theme } from "../theme.js";
import { Tour } from "./tour.js";
import { Warning } from "./warning.js";
import { World } from "./world.js";
import { icons, iconButton } from "./icons.js";

/// A message of the engine as a sentence: without what it is about, with a capital and a stop.
const sentence = (message) => {
  const text = message.replace(/^(drives|tool): /, "");
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
};

export class App {
  constructor() {
    this.model = block("model"); // {name, text, set}
    this.given = block("run"); // {name, text}: the run file of the user, or null
    this.files = (block("files") ?? []).map(({ name, base64 }) => [name, Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]);
    this.text = this.model.text;
    this.set = this.model.set ?? {};
    this.panels = [];
  }

  async start() {
    this.layOut();
    if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly, or it is switched off, and the engine needs it");
    const wasm = await unpack(document.getElementById("data-engine").textContent);
    this.wasm = wasm;
    this.hands = new Hands(wasm, this.files);
    await this.hands.ready;
    this.scene3 = new Scene3(this.canvas);
    if (this.scene3.blind) this.view.append(noPicture());
    this.live = new Live(this);
    this.warning = new Warning(this);
    this.postures = new Postures(this);
    this.view.append(this.warning.element, this.postures.element);
    this.setTheme(theme());
    onTheme((name) => this.setTheme(name));
    this.addPanels();
    const answer = await this.load(this.text, this.set);
    if (!answer.ok) return;
    this.grasp = new Grasp(this);
    this.pads = new Pads(this);
    new ResizeObserver(() => this.scene3.resize(this.view.clientWidth, this.view.clientHeight)).observe(this.view);
    this.scene3.resize(this.view.clientWidth, this.view.clientHeight);
    await this.record.restore();
  }

  addPanels() {
    this.addPanel("drive", "Drive", new DrivePanel(this));
    this.runPanel = this.addPanel("run", "Run", new RunPanel(this));
    this.world = new World(this);
    this.changePanel = this.addPanel("change", "Change", new ChangePanel(this));
    this.mapPanel = this.addPanel("map", "Map", new MapPanel(this));
    this.record = new Record(this);
    this.tour = new Tour(this);
    this.headset = new Headset(this);
    this.view.append(this.tour.element);
    this.tools.prepend(this.tour.open, this.record.element, this.headset.element);
  }

  // ---- the page -------------------------------------------------------------------------------

  layOut() {
    this.canvas = h("canvas", { tabindex: "0", role: "application", "aria-label": "The robot. Drag a part to lead it, drag beside it to turn the view, scroll to zoom." });
    this.label = h("div", { class: "hover", hidden: true });
    this.toast = h("div", { class: "toast", role: "status", hidden: true });
    this.fault = h("div", { class: "fault", role: "alert", hidden: true });
    const look = (side, text, key) => h("button", { type: "button", onclick: () => this.scene3.lookFrom(side), title: `${text} (${key})` }, text);
    this.hint = h("div", { class: "hint" }, "Drag any part of the robot. Drag beside it to look around.");
    this.view = h("div", { class: "view" }, this.canvas, this.label, this.hint, this.toast, this.fault,
      h("div", { class: "views", role: "toolbar", "aria-label": "View" }, look("corner", "3D", "1"), look("front", "Front", "2"), look("side", "Side", "3"), look("top", "Top", "4"),
        h("button", { type: "button", onclick: () => this.scene3.fit(), title: "Fit (F)" }, "Fit")),
      this.ways = h("div", { class: "ways", role: "radiogroup", "aria-label": "How a grasped part is led" }));
    this.foot = h("div", { class: "foot", hidden: true });
    this.tabs = h("div", { class: "tabs", role: "tablist" });
    this.panel = h("aside", { class: "panel" });
    this.name = h("h1", {}, this.model.name);
    this.tools = h("div", { class: "tools" });
    document.getElementById("view").replaceChildren(
      h("header", { class: "bar" }, h("span", { class: "brand" }, h("b", {}, "pkm")), this.name, this.tabs, this.tools),
      h("main", { class: "work" }, h("section", { class: "stage", "aria-label": "Stage" }, this.view, this.foot), this.panel));
    this.addWays();
    this.tools.append(iconButton("theme", "Light or dark", () => chooseTheme(this.theme === "dark" ? "light" : "dark")));
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pkm-note", (event) => this.say(event.detail));
  }

  addWays() {
    const ways = [["screen", "Free"], ["x", "X"], ["y", "Y"], ["z", "Z"], ["turn", "Turn"]];
    this.wayButtons = ways.map(([way, text]) => h("button", { type: "button", role: "radio", "aria-checked": String(way === "screen"), title: way === "turn" ? "Turn the tool (T, or hold Shift)" : way === "screen" ? "Along the screen (V)" : `Along ${text} only (${text})`,
      onclick: () => this.setWay(way), "data-way": way }, text));
    this.ways.append(...this.wayButtons);
  }

  setWay(way) {
    this.grasp.way = way;
    for (const element of this.wayButtons) element.setAttribute("aria-checked", element.dataset.way === way);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const looks = { 1: "corner", 2: "front", 3: "side", 4: "top" };
    const key = event.key.toLowerCase();
    if (looks[key]) this.scene3.lookFrom(looks[key]);
    else if (key === "f") this.scene3.fit();
    else if (key === "h") this.goHome();
    else if ("xyz".includes(key) && key.length === 1) this.setWay(key);
    else if (key === "v") this.setWay("screen");
    else if (key === "t") this.setWay("turn");
    else if (key === "escape") this.postures.close();
    else if (event.target === this.canvas && key.startsWith("arrow")) this.nudge(key, event.shiftKey);
    else if (event.target === this.canvas && (key === "pageup" || key === "pagedown")) this.nudge(key, event.shiftKey);
    else return;
    event.preventDefault();
  }

  /// Arrow keys lead the tool: a hundredth of the robot, a thousandth with Shift.
  nudge(key, fine) {
    const step = (fine ? 0.001 : 0.01) * this.robot.size;
    const by = { arrowleft: [-1, 0, 0], arrowright: [1, 0, 0], arrowup: [0, 1, 0], arrowdown: [0, -1, 0], pageup: [0, 0, 1], pagedown: [0, 0, -1] }[key];
    const tool = [...this.frame.tool];
    by.forEach((v, k) => (tool[k] += v * step));
    this.lead("tool", tool);
  }

  addPanel(id, title, panel) {
    const tab = h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, "aria-selected": "false", onclick: () => this.choose(id) }, title);
    panel.id = id;
    panel.tab = tab;
    panel.element.id = `panel-${id}`;
    panel.element.setAttribute("role", "tabpanel");
    panel.element.setAttribute("aria-labelledby", tab.id);
    panel.element.setAttribute("tabindex", "0");
    this.panels.push(panel);
    this.tabs.append(tab);
    this.panel.append(panel.element);
    if (this.panels.length === 1) this.choose(id);
    else panel.element.hidden = true;
    return panel;
  }

  choose(id) {
    for (const panel of this.panels) {
      panel.element.hidden = panel.id !== id;
      panel.tab.setAttribute("aria-selected", panel.id === id);
      panel.tab.tabIndex = panel.id === id ? 0 : -1;
    }
    this.chosen = id;
    this.panels.find((panel) => panel.id === id)?.chosen?.();
  }

  setTheme(name) {
    this.theme = name;
    if (this.scene3) this.scene3.setTheme(name);
    this.world?.show(true);
    for (const panel of this.panels) panel.themed?.(name);
    if (this.frame && !this.runPanel?.film) this.warning.update(this.frame);
  }

  say(text) {
    this.toast.textContent = text;
    this.toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => (this.toast.hidden = true), 4000);
  }

  // ---- the robot ------------------------------------------------------------------------------

  /// Load the model `text` with parameters `set`: a robot that cannot be read leaves the one before.
  async load(text, set, { keep = false } = {}) {
    const answer = await this.hands.load(text, this.model.name, set);
    this.fault.hidden = answer.ok || !!this.robot;
    if (!answer.ok) {
      this.fault.textContent = `${answer.line > 0 ? `Line ${answer.line}: ` : ""}${answer.message}`;
      return answer;
    }
    Object.assign(this, { text, set, robot: answer, frame: answer.frame });
    this.name.textContent = answer.scene.name;
    document.title = `${answer.scene.name} – pkm`;
    this.scene3.show(answer, answer.frame, keep);
    this.world?.show(keep);
    this.wayButtons.find((element) => element.dataset.way === "turn").disabled = !(answer.moves >> 3);
    this.warning.history = [];
    for (const panel of this.panels) panel.show?.(answer, keep);
    this.moved({ ok: true, frame: answer.frame });
    return answer;
  }

  /// A second worker with the same robot, for what takes long; stopped by stopLong().
  async second(onEvent) {
    this.long ??= new Hands(this.wasm, this.files);
    this.long.onEvent = onEvent ?? (() => {});
    await this.long.ready;
    const answer = await this.long.load(this.text, this.model.name, this.set);
    if (!answer.ok) throw new Error(answer.message);
    return this.long;
  }

  stopLong() {
    return this.long?.stop();
  }

  /// A long question about the robot where it stands.
  async search(name, ...args) {
    const hands = await this.second();
    await hands.move("stand", this.frame.q);
    return hands.ask(name, ...args);
  }

  /// An answer of a call that moves the robot.
  moved(answer) {
    if (!answer.frame) return;
    this.frame = answer.frame;
    this.scene3.place(answer.frame);
    for (const panel of this.panels) panel.update?.(answer.frame);
    this.warning.update(answer.frame);
  }

  async stand(q) {
    const answer = await this.hands.move("stand", [...q]);
    this.moved(answer);
    return answer;
  }

  async goHome() {
    this.leaveRun();
    this.moved(await this.hands.move("home"));
    this.warning.clear();
  }

  /// Lead the tool or the drives to typed values; what bars the way is said.
  async lead(what, values) {
    this.leaveRun();
    const answer = await this.hands.move(what, [...values]);
    this.moved(answer);
    this.hint.hidden = true;
    if (!this.scene3.sees(this.frame.tool)) this.scene3.fit();
    this.warning.want(answer.ok ? null : { what, values: [...values] });
    if (!answer.ok) this.warning.stop(sentence(answer.message));
    return answer;
  }

  /// One drive; calls that come too fast are left out but for the last.
  async leadDrive(d, value) {
    this.wantedDrives ??= [...this.frame.drives];
    this.wantedDrives[d] = value;
    if (this.leading) return;
    this.leading = true;
    while (this.wantedDrives) {
      const values = this.wantedDrives;
      this.wantedDrives = null;
      await this.lead("drives", values);
    }
    this.leading = false;
  }

  /// Show poses one after the other, smoothly, in `time` milliseconds: a picture, not a computation.
  async play(list, time) {
    const start = performance.now(), n = list.length - 1;
    if (n < 1) return;
    for (let part = 0; part < 1;) {
      part = Math.min(1, (performance.now() - start) / time);
      const at = part * n, k = Math.min(n - 1, Math.floor(at)), s = at - k;
      this.scene3.placePoses(Float64Array.from(list[k], (v, i) => v + s * (list[k + 1][i] - v)));
      await aFrame();
    }
  }

  // ---- hands ----------------------------------------------------------------------------------

  /// A run on the stage makes room for the hand.
  leaveRun() {
    if (this.runPanel?.film) this.runPanel.close(true);
  }

  grasped() {
    this.hint.hidden = true;
    this.label.hidden = true;
  }

  released() {}

  /// The held point comes no nearer.
  async stuck(answer, held, left) {
    if (answer.status === 0 && !(this.frame.level > 0.5)) {
      if (left > 0.01 * this.robot.size) this.say(`${this.robot.scene.bodies[held.body].name} cannot follow further: ${quantity(left, "m", 2)} away.`);
      return;
    }
    this.warning.want(this.wanted(held));
    const words = await this.hands.ask("words");
    this.warning.stop(words.ok && words.singularity ? `It stands at a ${words.singularity}.` : null);
  }

  /// Where the hand wants the tool, when it holds its body.
  wanted(held) {
    const { tool } = this.robot.scene;
    if (held.body !== tool?.body || !this.robot.tool_mode) return null;
    const by = held.to.clone().sub(held.at.clone().applyMatrix4(this.scene3.groups[held.body].matrix));
    return { what: "tool", values: [this.frame.tool[0] + by.x, this.frame.tool[1] + by.y, this.frame.tool[2] + by.z, ...this.frame.tool.slice(3)] };
  }

  /// What is under the pointer.
  hover(what) {
    if (this.runPanel?.film) return;
    this.highlight(what && (what.drive !== undefined ? { drive: what.drive } : what.joint !== undefined ? { joint: what.joint } : what.body > 0 ? { body: what.body } : null), what?.point);
    this.canvas.style.cursor = what && what.body > 0 ? "grab" : "";
  }

  /// Mark a body, a joint or a drive in the list and on the stage, with its name.
  highlight(what, point) {
    const { scene } = this.robot;
    const key = JSON.stringify(what);
    if (key !== this.marked) {
      this.marked = key;
      this.panels[0].mark?.(what);
      const of = new Map(), put = (b) => b > 0 && of.set(b, { colour: 0x0072b2, strength: 0.55 });
      if (what?.body !== undefined) put(what.body);
      if (what?.joint !== undefined) [scene.joints[what.joint].a, scene.joints[what.joint].b].forEach(put);
      if (what?.drive !== undefined) [scene.joints[scene.drives[what.drive].joint].a, scene.joints[scene.drives[what.drive].joint].b].forEach(put);
      if (what) this.scene3.glow(of);
      else this.warning.glow(this.frame.known && this.frame.level > 0 ? this.frame : null);
    }
    const text = !what ? "" : what.body !== undefined ? scene.bodies[what.body].name
      : what.joint !== undefined ? `${scene.joints[what.joint].name}, ${scene.joints[what.joint].type} joint` : `drive ${scene.drives[what.drive].name}`;
    this.label.hidden = !what || !point;
    if (!point) return;
    const at = point.clone().project(this.scene3.camera);
    this.label.textContent = text;
    this.label.style.transform = `translate(${(0.5 + 0.5 * at.x) * this.view.clientWidth}px, ${(0.5 - 0.5 * at.y) * this.view.clientHeight}px)`;
  }

  /// For tests and the curious: the present state in plain numbers.
  state() {
    const { frame } = this;
    return { drives: [...frame.drives], tool: [...frame.tool], q: [...frame.q], condition: frame.condition, distance: frame.distance, kind: frame.kind, level: frame.level };
  }
}

export { icons };
