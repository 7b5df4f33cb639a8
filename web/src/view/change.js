// The panel "Change": parameters as fields and sliders, the YAML with errors at their line, templates, saving.
import templates from "templates:robots";
import { download, h } from "../dom.js";
import { digits, quantity } from "../units.js";
import { suggest } from "./complete.js";
import { Hands } from "./engine.js";
import { SliderField, button, group, select, shownAs, short } from "./fields.js";

const units = { m: "mm", rad: "deg" }; // as people write them

/// The value of a parameter as an override writes it: "95 mm".
export function overrideText(value, unit) {
  const scale = shownAs(unit), number = Number((value * scale.factor).toPrecision(12));
  const word = units[unit] ?? (unit === "1" ? "" : unit);
  return word ? `${number} ${word}` : String(number);
}

/// The lines of `parameters:` in a model: name -> {line, text, note}.
export function parameterLines(text) {
  const found = new Map();
  let inside = false;
  text.split("\n").forEach((line, k) => {
    if (/^\S/.test(line)) inside = /^parameters:\s*(#.*)?$/.test(line);
    const match = inside && /^(\s+)([A-Za-z_]\w*):(\s*)("[^"]*"|'[^']*'|[^#]*?)(\s+#\s*(.*))?$/.exec(line);
    if (match) found.set(match[2], { line: k, indent: match[1], gap: match[3], text: match[4], note: match[6] ?? "", tail: match[5] ?? "" });
  });
  return found;
}

/// The model with overrides written into its parameters.
export function withOverrides(text, set) {
  const lines = text.split("\n"), found = parameterLines(text), left = {};
  for (const [name, value] of Object.entries(set)) {
    const place = found.get(name);
    if (!place) left[name] = value;
    else lines[place.line] = `${place.indent}${name}:${place.gap || " "}${/^[=]/.test(value) ? JSON.stringify(value) : value}${place.tail}`;
  }
  return { text: lines.join("\n"), left };
}

export class ChangePanel {
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "panel-body" });
    this.editor = h("textarea", { class: "yaml", spellcheck: "false", wrap: "off", "aria-label": "The model as YAML", "aria-describedby": "yaml-help",
      oninput: () => this.typed(), onkeydown: (event) => this.keyed(event), onblur: () => setTimeout(() => this.offer([]), 200), onscroll: () => (this.gutter.scrollTop = this.editor.scrollTop) });
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.fault = h("p", { class: "bad", role: "alert", hidden: true });
    this.words = h("div", { class: "words", role: "listbox", "aria-label": "What can stand here", hidden: true });
    this.fields = h("div", {});
    this.results = h("dl", { class: "facts" });
    const names = Object.keys(templates);
    this.template = select("Template", [["", "Another robot…"], ...names.map((name) => [name, templates[name].title])], (name) => name && this.begin0(name));
    this.element.replaceChildren(
      group("Start from", this.template),
      h("section", { class: "group" }, h("h2", {}, "Parameters"), this.fields, h("div", { class: "row" }, button("As in the file", () => this.reset(), { id: "reset" }))),
      h("section", { class: "group" }, h("h2", {}, "What follows from them"), this.results),
      app.world.element,
      h("section", { class: "group" }, h("h2", {}, "The model"), h("div", { class: "editor" }, this.gutter, this.editor), this.words,
        h("p", { class: "note", id: "yaml-help" }, "Ctrl+Space lists what can stand at the caret; Enter takes the first, Escape closes the list."), this.fault,
        h("div", { class: "row" }, button("Save as a file", () => this.save(), { id: "save-yaml" }))));
  }

  show(robot, keep) {
    const lines = parameterLines(this.app.text);
    if (!keep || this.sliders?.size !== robot.scene.parameters.length) this.makeFields(robot, lines);
    for (const { name, value } of robot.scene.parameters) this.sliders.get(name)?.set(value);
    this.markChanged();
    if (document.activeElement !== this.editor) this.editor.value = this.app.text;
    this.showFault(null);
    this.number();
    this.facts = { "Mass of all moving parts": quantity(robot.total_mass, "kg", 4), "Condition number at home": robot.frame.known ? digits(robot.frame.condition, 4) : "–" };
    this.showFacts();
    this.stale = true;
    if (this.app.chosen === "change") this.follow();
  }

  chosen() {
    if (this.stale && this.app.robot) this.follow();
  }

  showFacts() {
    this.results.replaceChildren(...Object.entries(this.facts).map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("b", {}, text)))));
  }

  makeFields(robot, lines) {
    this.sliders = new Map();
    const rows = robot.scene.parameters.map(({ name, value, unit }) => {
      const around = Math.abs(value) || 1, place = lines.get(name);
      const slider = new SliderField({ name, unit, low: value - 0.5 * around, high: value + 0.5 * around, title: place?.note || null, onInput: (v) => this.change(name, overrideText(v, unit)) });
      slider.element.dataset.parameter = name;
      if (place?.text.includes("=")) slider.element.classList.add("computed");
      this.sliders.set(name, slider);
      return slider.element;
    });
    this.fields.replaceChildren(...(rows.length ? rows : [h("p", { class: "note" }, "This model has no parameters.")]));
  }

  /// A parameter gets another value, as --set would give it. What comes too fast is left out but for the last.
  async change(name, text) {
    this.wanted = { ...(this.wanted ?? this.app.set), [name]: text };
    if (this.changing) return this.changing;
    this.changing = (async () => {
      while (this.wanted) {
        const set = this.wanted;
        this.wanted = null;
        const answer = await this.app.load(this.app.text, set, { keep: true });
        if (!answer.ok) this.showFault(answer);
      }
      this.changing = null;
    })();
    return this.changing;
  }

  markChanged() {
    for (const [name, slider] of this.sliders) slider.element.classList.toggle("changed", name in this.app.set);
  }

  reset() {
    return this.app.load(this.app.text, {}, { keep: true });
  }

  // ---- completion -----------------------------------------------------------------------------

  /// Show what can stand at the caret; after a letter was typed, or asked for.
  propose(asked = false) {
    const { prefix, list, isKey } = suggest(this.editor.value, this.editor.selectionStart);
    this.offer(asked || prefix.length > 0 ? list.slice(0, 12) : [], prefix, isKey);
  }

  offer(list, prefix = "", isKey = false) {
    this.proposed = { list, prefix, isKey };
    this.words.hidden = !list.length;
    this.words.replaceChildren(...list.map(({ word, note }, k) => h("button", { type: "button", class: "word", role: "option", "aria-selected": String(k === 0), tabindex: "-1", onmousedown: (event) => event.preventDefault(), onclick: () => this.complete(word) },
      h("b", {}, word), note ? h("small", {}, note) : null)));
  }

  /// Put the rest of a word at the caret, behind a key its colon.
  complete(word) {
    const { prefix, isKey } = this.proposed, at = this.editor.selectionStart, rest = `${word.slice(prefix.length)}${isKey ? ": " : ""}`;
    this.editor.setRangeText(rest, at, this.editor.selectionEnd, "end");
    this.offer([]);
    this.typed(false);
  }

  keyed(event) {
    if (event.ctrlKey && event.key === " ") this.propose(true);
    else if (event.key === "Enter" && this.proposed?.list.length) this.complete(this.proposed.list[0].word);
    else if (event.key === "Escape" && this.proposed?.list.length) this.offer([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /// The text was edited: taken as soon as it can be read.
  typed(propose = true) {
    if (propose) this.propose();
    this.number();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.take(), 350);
  }

  async take() {
    const names = new Set(parameterLines(this.editor.value).keys());
    const set = Object.fromEntries(Object.entries(this.app.set).filter(([name]) => names.has(name)));
    const answer = await this.app.load(this.editor.value, set, { keep: true });
    if (!answer.ok) this.showFault(answer);
    return answer;
  }

  showFault(answer) {
    this.fault.hidden = !answer;
    this.faultLine = answer?.line ?? 0;
    if (answer) this.fault.textContent = `${answer.line > 0 ? `Line ${answer.line}: ` : ""}${answer.message}`;
    this.number();
  }

  number() {
    const n = this.editor.value.split("\n").length;
    if (this.gutter.childElementCount !== n) this.gutter.replaceChildren(...Array.from({ length: n }, (_, k) => h("span", {}, String(k + 1))));
    [...this.gutter.children].forEach((line, k) => line.classList.toggle("bad-line", k + 1 === this.faultLine));
  }

  /// Another robot, from the list.
  async begin0(name) {
    this.app.model = { ...this.app.model, name: `${name}.yaml` };
    this.template.value = "";
    const answer = await this.app.load(templates[name].text, {});
    if (!answer.ok) this.showFault(answer);
  }

  save() {
    const { text, left } = withOverrides(this.app.text, this.app.set);
    download(this.app.model.name, text, "text/yaml");
    if (Object.keys(left).length) this.app.say(`Not written into the file: ${Object.keys(left).join(", ")}`);
  }

  // ---- what follows from the parameters -------------------------------------------------------

  /// Reach, largest force of the chosen motion, lowest frequency: computed anew a moment after the last change, in
  /// a worker of their own. `ready` is kept when all are there.
  follow() {
    clearTimeout(this.followTimer);
    return (this.ready = new Promise((resolve) => {
      this.followTimer = setTimeout(async () => resolve(await this.compute()), 200);
    }));
  }

  async compute() {
    const { app } = this, mark = {}, columns = [];
    this.turn = mark;
    this.stale = false;
    this.own ??= new Hands(app.wasm, app.files);
    this.own.onEvent = (event) => event.event === "columns" && columns.push(...event.list);
    await this.own.ready;
    const loaded = await this.own.load(app.text, app.model.name, app.set), numbers = {};
    if (!loaded.ok) return null;
    for (const [name, ask] of this.questions(numbers, columns)) {
      this.facts[name] = "…";
      this.showFacts();
      const text = await ask();
      if (this.turn !== mark) return null; // changed meanwhile
      this.facts[name] = text;
      this.showFacts();
    }
    return numbers;
  }

  /// What is asked, in the order of what it costs; values go to `numbers` too.
  questions(numbers, columns) {
    const { robot, runPanel } = this.app, list = [], { motions, drives } = robot.scene;
    const motion = motions.find((m) => m.name === runPanel.motion?.value)?.name ?? motions[0]?.name;
    if (motion)
      list.push([`Largest drive force, ${motion}`, async () => {
        const answer = await this.own.ask("run", `run: 1\nmotion: ${JSON.stringify(motion)}\ninstants: 201\n`, 1);
        if (!answer.ok || !answer.complete) return answer.ok ? `stops early: ${answer.why}` : answer.message;
        const forces = drives.map((d) => columns.findIndex((c) => c.name === `${d.name}.force`)).filter((k) => k >= 0);
        const best = forces.reduce((most, k) => (most < 0 || answer.peaks[k][0] > answer.peaks[most][0] ? k : most), -1);
        if (best < 0) return "–";
        numbers.force = answer.peaks[best][0];
        return quantity(numbers.force, columns[best].unit, 4);
      }]);
    list.push(["Lowest frequency at home", async () => {
      await this.own.move("home");
      const elastic = await this.own.ask("elastic", 1);
      numbers.frequency = elastic.ok ? elastic.f[0] : undefined;
      return elastic.ok && elastic.f.length ? quantity(elastic.f[0], "Hz", 4) : "–";
    }]);
    const plane = [3, 5, 6].find((bits) => (robot.moves & bits) === bits);
    if (plane && robot.tool_mode)
      list.push(["Reach in a plane through the tool", async () => {
        const { frame } = await this.own.move("home"), answer = await this.own.ask("map", plane, [...frame.tool.slice(0, 3)], 15);
        numbers.reach = answer.ok ? answer.size : undefined;
        return answer.ok ? `${digits(answer.size, 3)} m²` : answer.message;
      }]);
    return list;
  }
}

export { short };
