// The panel "Run": a motion, effects with their numbers, a controller; computed here, watched while it computes.
import { download, h } from "../dom.js";
import { digits, quantity } from "../units.js";
import { Curves } from "./curves.js";
import { button, group, number, select } from "./fields.js";
import { nextFrame } from "./frames.js";
import { Film3 } from "./film3.js";
import { ClearanceInset } from "./inset.js";
import { handText } from "./live.js";
import { icons } from "./icons.js";
import { Teach } from "./teach.js";

const typesWithFriction = ["revolute", "prismatic", "cylindrical", "universal", "spherical"];

/// A run: its table column by column, rows of peaks put where they belong in time.
export class Run {
  constructor(text, inverse, end) {
    Object.assign(this, { text, inverse, end, columns: [], values: [], rows: 0 });
  }

  take(values, n) {
    if (!this.values.length) this.values = this.columns.map(() => []);
    for (let at = 0; at < values.length; at += n) for (let k = 0; k < n; ++k) this.values[k].push(values[at + k]);
    this.rows = this.values[0].length;
  }

  /// Located peaks come last: put them in the order of time.
  finish(answer) {
    Object.assign(this, answer);
    const order = [...this.values[0].keys()].sort((a, b) => this.values[0][a] - this.values[0][b]);
    this.evenRows = this.values[0].length - answer.located;
    this.even = this.values.map((column) => column.slice(0, this.evenRows));
    this.values = this.values.map((column) => order.map((i) => column[i]));
  }

  rowAt(t) {
    const times = this.values[0];
    let low = 0, high = times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle; else high = middle;
    }
    return t - times[low] < times[high] - t ? low : high;
  }

  csv() {
    const head = this.columns.map((c) => (c.unit ? `${c.name} [${c.unit}]` : c.name)).join(",");
    return `${head}\n${this.even[0].map((_, r) => this.even.map((column) => column[r]).join(",")).join("\n")}\n`;
  }

  get name() {
    return this.title;
  }
}

export class RunPanel {
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "panel-body" });
    this.teach = new Teach(app);
    this.makeFoot();
  }

  show(robot, keep) {
    this.close();
    this.kept = null;
    keep ? this.teach.draw() : this.teach.clear();
    const { scene } = robot;
    this.motion = select("Motion", [...scene.motions.map((m) => [m.name, `${m.name} (${digits(m.duration, 3)} s)`]), ["none", "none: left to itself"]], () => this.changed());
    this.about = h("p", { class: "note" });
    this.kind = select("What to compute", [["simulate", "What it does (simulation)"], ["inverse", "The forces it needs (inverse dynamics)"]], () => this.changed());
    this.makeEffects(robot);
    const given = this.app.given;
    this.source = given && select("Choices", [["file", `as in ${given.name}`], ["own", "chosen here"]], () => this.changed());
    this.go = button("Run", () => this.run(), { class: "button main", id: "run" });
    this.goLive = button("Run live", () => this.runLive(), { id: "live", title: "In real time, as long as you like: pull at the tool with the mouse" });
    this.stop = button("Cancel", () => this.cancel(), { id: "cancel", hidden: true });
    this.bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress of the run" });
    this.result = h("div", { class: "result", "aria-live": "polite" });
    this.file = h("pre", { class: "file", tabindex: "0" });
    this.element.replaceChildren(
      this.source ? group("Choices", this.source) : null,
      group("Motion", this.motion, this.about, this.kind, robot.tool_mode ? this.teach.element : null),
      this.effects,
      h("section", { class: "group actions" }, h("div", { class: "row" }, this.go, this.goLive, this.stop), this.bar),
      h("section", { class: "group" }, this.result),
      h("section", { class: "group" }, h("details", {}, h("summary", {}, "The run as a file"), this.file,
        h("div", { class: "row" }, button("Save run.yaml", () => download("run.yaml", this.text(), "text/yaml"))))));
    this.changed();
  }

  // ---- choices --------------------------------------------------------------------------------

  makeEffects(robot) {
    const { scene } = robot, driven = new Set(scene.drives.map((d) => d.joint));
    const passive = scene.joints.filter((j, k) => !driven.has(k) && typesWithFriction.includes(j.type));
    const types = [...new Set(passive.map((j) => j.type))];
    const change = () => this.changed();
    const field = (name, value, unit) => number(name, value, unit, change);
    this.friction = { on: false, joints: select("Joints with friction", types.map((t) => [t, `all ${t} joints`]), change), static: field("static coefficient", "0.11", ""), dynamic: field("dynamic coefficient", "0.084", ""), radius: field("radius of ball or pin", "10", "mm") };
    this.clearance = { on: false, joints: select("Joints with clearance", passive.map((j) => [j.name, j.name]), change), radial: field("radial clearance", "0.1", "mm"), radius: field("radius", "10", "mm"), restitution: field("restitution", "0.9", ""), stiffness: field("contact stiffness", "1.5e11", "N/m^1.5") };
    const bars = scene.bodies.filter((b) => b.shapes.some((s) => s.from || s.kind === "box"));
    this.flexible = { on: false, links: select("Links that bend", [["'*'", "all that can bend"], ...bars.map((b) => [b.name, b.name])], change), modes: field("modes of each", "4", "") };
    this.control = { mode: select("Drives", [["prescribed", "follow the motion exactly"], ["computed_torque", "computed torque"], ["pd", "PD"], ["playback", "forces played back"]], change), frequency: field("frequency", "5", "Hz"), damping: field("damping ratio", "1", ""), kp: field("kp", "2e4", ""), kd: field("kd", "300", "") };
    this.duration = field("for", "", "s");
    this.instants = field("instants", "401", "");
    const effect = (title, choice, ...parts) => {
      const box = h("input", { type: "checkbox", onchange: () => { choice.on = box.checked; body.hidden = !box.checked; this.changed(); } });
      const body = h("div", { class: "effect-body", hidden: true }, parts);
      choice.box = box;
      choice.set = (on) => { box.checked = on; choice.on = on; body.hidden = !on; };
      return h("div", { class: "effect" }, h("label", { class: "check" }, box, title), body);
    };
    this.controlNumbers = h("div", {});
    this.effects = h("section", { class: "group" }, h("h2", {}, "Effects"),
      types.length ? effect("Friction", this.friction, this.friction.joints, this.friction.static.element, this.friction.dynamic.element, this.friction.radius.element) : null,
      passive.length ? effect("Clearance in a joint", this.clearance, this.clearance.joints, this.clearance.radial.element, this.clearance.radius.element, this.clearance.restitution.element, this.clearance.stiffness.element) : null,
      bars.length ? effect("Flexible links", this.flexible, this.flexible.links, this.flexible.modes.element) : null,
      h("div", { class: "effect" }, h("label", { class: "check" }, "Drives"), this.control.mode, this.controlNumbers),
      this.duration.element, this.instants.element);
  }

  /// Does the run file rule that the page was made with?
  isGiven() {
    return this.source?.value === "file";
  }

  /// The run file that these choices are.
  text() {
    if (this.isGiven()) return this.app.given.text;
    const lines = ["run: 1", `motion: ${JSON.stringify(this.motion.value)}`];
    const put = (name, value) => value !== "" && lines.push(`${name}: ${value}`);
    put("for", this.duration.value && `${this.duration.value} s`);
    put("instants", this.instants.value);
    if (this.friction.on) {
      const sizes = this.friction.joints.value === "prismatic" ? "" : `, radius: ${this.friction.radius.value} mm`;
      lines.push("friction:", `  ${this.friction.joints.value}: {static: ${this.friction.static.value}, dynamic: ${this.friction.dynamic.value}${sizes}}`);
    }
    if (this.clearance.on) lines.push("clearance:", `  ${JSON.stringify(this.clearance.joints.value)}: {radial: ${this.clearance.radial.value} mm, radius: ${this.clearance.radius.value} mm, restitution: ${this.clearance.restitution.value}, stiffness: ${this.clearance.stiffness.value}}`);
    if (this.flexible.on) lines.push("flexible:", `  ${this.flexible.links.value === "'*'" ? "'*'" : JSON.stringify(this.flexible.links.value)}: {modes: ${this.flexible.modes.value}}`);
    const { mode, frequency, damping, kp, kd } = this.control;
    if (this.kind.value === "simulate" && this.motion.value !== "none" && mode.value !== "prescribed")
      lines.push("drives:", mode.value === "computed_torque" ? `  '*': {computed_torque: {frequency: ${frequency.value} Hz, damping: ${damping.value}}}`
        : mode.value === "pd" ? `  '*': {pd: {kp: ${kp.value}, kd: ${kd.value}}}` : "  '*': playback");
    return `${lines.join("\n")}\n`;
  }

  changed() {
    const motion = this.app.robot?.scene.motions.find((m) => m.name === this.motion.value);
    this.about.textContent = motion ? motion.text ?? "" : "The drives are free: the robot falls or swings.";
    const mode = this.control.mode.value;
    this.controlNumbers.replaceChildren(...(mode === "computed_torque" ? [this.control.frequency, this.control.damping] : mode === "pd" ? [this.control.kp, this.control.kd] : []).map((f) => f.element));
    if (this.motion.value === "none" && !this.duration.value) this.duration.value = "1";
    this.goLive.hidden = this.kind.value !== "simulate";
    this.motion.hidden = this.isGiven();
    this.about.hidden = this.effects.hidden = this.isGiven();
    if (this.source) this.teach.element.hidden = this.isGiven();
    this.file.textContent = this.text();
  }

  // ---- running --------------------------------------------------------------------------------

  /// Compute it in the second worker; rows come while it does.
  async run() {
    const { app } = this, inverse = this.kind.value === "inverse", text = this.text();
    this.close();
    const motion = app.robot.scene.motions.find((m) => m.name === this.motion.value);
    const run = new Run(text, inverse, this.isGiven() ? null : this.duration.value ? Number(this.duration.value) : motion?.duration);
    run.title = this.isGiven() ? `${this.app.given.name}${inverse ? ", inverse" : ""}` : `${this.motion.value}${inverse ? ", inverse" : ""}${this.friction.on ? ", friction" : ""}${this.clearance.on ? ", clearance" : ""}${this.flexible.on ? ", flexible" : ""}`;
    this.busy(true);
    this.result.replaceChildren(h("p", { class: "note" }, "Computing…"));
    try {
      const hands = await app.second((event) => this.hear(run, event));
      const answer = await hands.ask("run", text, inverse ? 1 : 0);
      if (!answer.ok) this.fail(answer.message);
      else {
        run.finish(answer);
        this.done(run);
      }
    } catch (error) {
      this.fail(error.message === "stopped" ? "Cancelled." : error.message);
    }
    this.busy(false);
    return run;
  }

  /// A run that goes on until it is stopped, and whose tool can be pulled at.
  async runLive(options) {
    const { app } = this, run = new Run(this.text(), false, null);
    this.close();
    run.title = `${this.motion.value}, live`;
    this.busy(true);
    this.bar.hidden = true;
    this.stop.textContent = "Stop";
    this.speed.value = "1";
    const exact = this.control.mode.value === "prescribed" && this.motion.value !== "none";
    this.live = { run, hand: h("div", {}), clock: h("p", { class: "note" }) };
    this.result.replaceChildren(this.live.hand, this.live.clock,
      ...(exact ? [h("p", { class: "note warn" }, "These drives follow the motion exactly whatever pulls: choose computed torque or PD to see the robot yield.")] : []));
    try {
      await app.live.begin(run.text, run, options);
    } catch (error) {
      this.fail(error.message);
      this.busy(false);
    }
    return run;
  }

  watchLive(t, force) {
    const { run, hand, clock } = this.live, slow = this.app.live.pace < 0.9;
    const size = Math.hypot(...force);
    if (size !== this.live.size) hand.replaceChildren(handText(force));
    this.live.size = size;
    clock.textContent = `${t.toFixed(2)} s${slow ? `, ${digits(this.app.live.pace * Number(this.speed.value), 2)} times as fast as in reality` : ""}`;
    this.t = t;
    if (!this.drawing && run.rows > 1) this.drawing = setTimeout(() => this.watch(run), 120);
  }

  /// Stop the live run; it stays to be looked at. `why`: it could not go on.
  async endLive(why) {
    const { app } = this, pulled = app.live.on;
    const run = pulled ? await app.live.end() : null;
    this.busy(false);
    this.stop.textContent = "Cancel";
    if (why && !run) return this.fail(why);
    if (why) Object.assign(run, { complete: false, why });
    if (run) this.done(run);
    return run;
  }

  busy(on) {
    this.running = on;
    this.go.disabled = this.goLive.disabled = this.playButton.disabled = this.scrub.disabled = on;
    this.stop.hidden = this.bar.hidden = !on;
    if (on) this.bar.value = 0;
  }

  /// Rows and poses of a run that computes.
  hear(run, event) {
    if (event.event === "progress") this.bar.value = event.fraction;
    if (event.event === "columns") run.columns = event.list;
    if (event.event !== "rows" || !this.running) return;
    run.take(event.values, event.columns);
    this.latest = event.poses ?? this.latest;
    if (this.drawing || run.rows < 2) return;
    this.drawing = setTimeout(() => this.watch(run), 120); // rows may come faster than they can be drawn
  }

  /// Show what has come of a run that computes.
  watch(run) {
    this.drawing = null;
    if (!this.running) return;
    if (this.latest && !this.app.live.on) this.app.scene3.placePoses(this.latest);
    this.app.foot.hidden = false;
    this.app.hint.hidden = true;
    if (this.curves.run !== run) this.curves.show(run, this.kept, this.app.robot.scene, this.app.theme);
    else this.curves.grow();
    if (!this.app.live.on) return;
    this.curves.mark(this.t);
    this.time.textContent = `${digits(this.t, 3)} s`;
  }

  fail(message) {
    this.result.replaceChildren(h("p", { class: "bad" }, message));
    this.app.moved({ frame: this.app.frame });
  }

  cancel() {
    if (this.app.live.on) return this.endLive();
    return this.app.stopLong();
  }

  done(run) {
    this.last = run;
    this.film = new Film3(this.app.scene3, run);
    this.film.compare(this.kept);
    this.film.showForces = this.forces.checked;
    this.app.foot.hidden = false;
    this.curves.show(run, this.kept, this.app.robot.scene, this.app.theme);
    this.inset.show(run);
    this.magnify.parentElement.hidden = !this.film.hasDeviation;
    this.magnify.value = String(Math.log10(this.film.magnification));
    this.showMagnification();
    Object.assign(this.scrub, { min: String(this.film.start), max: String(this.film.end) });
    this.app.scene3.lookAt(this.film.film.points());
    this.setTime(this.film.end);
    this.result.replaceChildren(...this.describe(run));
    this.result.scrollIntoView({ block: "nearest" });
  }

  /// Peaks, what was warned of, and what to do with it.
  describe(run) {
    const { scene } = this.app.robot;
    const wanted = [...scene.drives.map((d) => `${d.name}.force`), ...scene.drives.map((d) => `${d.name}.dforce`), ...(scene.tool ? ["dp", "speed", "acc"].map((end) => `${scene.tool.name}.${end}`) : [])];
    const rows = wanted.map((name) => run.columns.findIndex((c) => c.name === name)).filter((k) => k >= 0)
      .filter((k) => !run.columns[k].name.endsWith(".dp") || run.peaks[k][0] > 1e-9 * this.app.robot.size) // rounding
      .map((k) => h("tr", {}, h("th", { scope: "row" }, run.columns[k].name), h("td", {}, quantity(run.peaks[k][0], run.columns[k].unit, 5)), h("td", {}, run.peaks[k][1] === null ? "" : `${digits(run.peaks[k][1], 3)} s`)));
    const how = run.inverse ? `${run.rows} instants.` : `${run.rows} instants${run.steps ? `, ${run.steps} steps (${run.integrator})` : ""}.`;
    const keep = button(this.kept === run ? "Kept for comparison" : "Keep to compare", () => {
      this.kept = run;
      this.result.replaceChildren(...this.describe(run));
      this.app.say("Kept: the next run is shown beside it.");
    }, { id: "keep", disabled: this.kept === run });
    return [
      run.complete ? null : h("p", { class: "bad" }, `It ended early: ${run.why}`),
      h("p", { class: "note" }, how, this.kept && this.kept !== run ? ` Dashed and blue: ${this.kept.title}.` : ""),
      h("table", { class: "peaks" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Largest"), h("th", { scope: "col" }, "value"), h("th", { scope: "col" }, "at"))), h("tbody", {}, rows)),
      ...run.warnings.map((text) => h("p", { class: "note warn" }, text)),
      h("div", { class: "row" }, keep, button("Save CSV", () => download("table.csv", run.csv(), "text/csv"), { id: "save-csv" }), button("Close", () => this.close(true))),
    ].filter(Boolean);
  }

  // ---- the foot: time, curves -----------------------------------------------------------------

  makeFoot() {
    this.playButton = h("button", { type: "button", class: "play", "aria-label": "Play", id: "play", onclick: () => (this.playing ? this.pause() : this.play()) }, icons.play());
    this.scrub = h("input", { type: "range", step: "any", min: 0, max: 1, "aria-label": "Time", class: "scrub", oninput: () => { this.pause(); this.setTime(Number(this.scrub.value)); } });
    this.time = h("span", { class: "time" });
    this.speed = select("Speed", [["1", "× 1"], ["0.5", "× 0.5"], ["0.2", "× 0.2"], ["0.1", "× 0.1"], ["0.05", "× 0.05"], ["0.02", "× 0.02"], ["0.01", "× 0.01"]], () => {}, "0.2");
    this.magnifyText = h("span", {});
    this.magnify = h("input", { type: "range", min: 0, max: 4, step: 0.01, "aria-label": "Magnification of deviations", oninput: () => { this.film.setMagnification(10 ** Number(this.magnify.value)); this.showMagnification(); this.setTime(this.t); } });
    this.forces = h("input", { type: "checkbox", onchange: () => { if (this.film) this.film.showForces = this.forces.checked; this.setTime(this.t); } });
    this.inset = new ClearanceInset();
    this.app.view.append(this.inset.element);
    this.curves = new Curves((t) => { this.pause(); this.setTime(Math.min(t, this.film?.end ?? t)); });
    this.app.foot.append(h("div", { class: "timeline" }, this.playButton, this.scrub, this.time, this.speed,
      h("label", { class: "small", hidden: true }, "Deviations", this.magnify, this.magnifyText), h("label", { class: "small" }, this.forces, "Forces")), this.curves.element);
  }

  showMagnification() {
    this.magnifyText.textContent = `× ${digits(this.film.magnification, 2)}`;
  }

  setTime(t) {
    this.t = t;
    if (!this.film) return;
    this.film.place(t);
    this.film.placeOther(t);
    this.scrub.value = String(t);
    this.time.textContent = `${digits(t, 3)} s`;
    this.curves.mark(t);
    this.inset.mark(this.last.rowAt(t));
  }

  play() {
    if (!this.film) return;
    if (this.t >= this.film.end) this.t = this.film.start;
    this.playing = true;
    this.playButton.replaceChildren(icons.pause());
    this.playButton.setAttribute("aria-label", "Pause");
    let last = performance.now();
    const step = (now) => {
      if (!this.playing || !this.film) return;
      const t = this.t + (Math.min(now - last, 100) / 1000) * Number(this.speed.value);
      last = now;
      this.setTime(t > this.film.end ? this.film.start : t);
      nextFrame(step);
    };
    nextFrame(step);
  }

  pause() {
    this.playing = false;
    this.playButton.replaceChildren(icons.play());
    this.playButton.setAttribute("aria-label", "Play");
  }

  /// Leave the run: the robot is led by hand again.
  close(tell = false) {
    this.pause?.();
    if (this.app.live?.on) {
      this.app.live.end();
      this.busy(false);
    }
    this.latest = null;
    if (this.film) this.app.scene3.placePoses(this.app.frame.poses);
    if (this.film) this.app.scene3.lookAt(this.app.scene3.pointsNow());
    this.film?.remove();
    this.film = null;
    this.inset.element.hidden = true;
    this.app.foot.hidden = true;
    if (!tell) return;
    this.result.replaceChildren();
    this.app.moved({ frame: this.app.frame });
  }

  themed(theme) {
    if (this.app.robot) this.teach.draw();
    if (this.film) {
      const run = this.last, t = this.t;
      this.film.remove();
      this.film = new Film3(this.app.scene3, run);
      this.film.compare(this.kept);
      this.curves.theme = theme;
      this.curves.make();
      this.setTime(t);
    }
  }
}
