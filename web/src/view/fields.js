// Small parts of the panels: fields with a unit, sliders, bars, lists.
import { h } from "../dom.js";

/// A number as people type it: a comma is a point, a true minus a minus.
export const parse = (text) => {
  const value = Number(String(text).trim().replace(",", ".").replace("−", "-"));
  return String(text).trim() === "" ? NaN : value;
};

/// Few digits, without noise: 12.500 becomes 12.5, -0 becomes 0.
export function short(value, places = 3) {
  if (value === null || value === undefined || !isFinite(value)) return "";
  const text = value.toFixed(places).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}

/// How a value of `unit` is shown and typed: degrees and millimetres.
export function shownAs(unit) {
  if (unit === "rad") return { factor: 180 / Math.PI, unit: "°", places: 3 };
  if (unit === "m") return { factor: 1000, unit: "mm", places: 2 };
  return { factor: 1, unit: unit === "1" ? "" : unit.replace(/([a-z])2\b/g, "$1²").replace(/([a-z])3\b/g, "$1³"), places: 4 };
}

let count = 0;

/// A line with a name, a slider and a field. `onInput(value)` hears of every move, in SI.
export class SliderField {
  constructor({ name, unit, low, high, onInput, title }) {
    this.scale = shownAs(unit);
    const id = `f${++count}`;
    const tell = (value) => isFinite(value) && onInput(value / this.scale.factor);
    this.low = low * this.scale.factor;
    this.high = high * this.scale.factor;
    this.slider = h("input", { type: "range", min: this.low, max: this.high, step: "any", "aria-label": `${name} slider`, oninput: () => tell(Number(this.slider.value)) });
    this.field = h("input", { type: "text", inputmode: "decimal", id, size: 8, autocomplete: "off", onchange: () => tell(parse(this.field.value)) });
    this.element = h("div", { class: "slide", title }, h("label", { for: id }, name), this.slider,
      h("span", { class: "value" }, this.field, h("span", { class: "unit" }, this.scale.unit)));
  }

  set(value) {
    const shown = value * this.scale.factor;
    if (document.activeElement !== this.field) this.field.value = short(shown, this.scale.places);
    if (shown < this.low) this.slider.min = this.low = shown;
    if (shown > this.high) this.slider.max = this.high = shown;
    this.slider.value = String(shown);
  }

  mark(state) {
    this.element.dataset.state = state;
  }
}

/// A bar from low to high with a mark where the value is: for limits of joints.
export class LimitBar {
  constructor({ name, unit, low, high, bend }) {
    Object.assign(this, { low, high, bend, scale: shownAs(unit) });
    this.mark = h("b");
    this.text = h("span", { class: "value" });
    this.element = h("div", { class: "limit" }, h("span", { class: "name" }, name), h("span", { class: "rail" }, this.mark), this.text);
  }

  set(value) {
    const low = this.low ?? (this.bend ? 0 : value - 1), high = this.high ?? value + 1;
    const share = (value - low) / (high - low || 1);
    this.mark.style.left = `${Math.min(100, Math.max(0, 100 * share))}%`;
    this.element.dataset.state = share < 0 || share > 1 ? "beyond" : share > 0.9 || (!this.bend && share < 0.1) ? "near" : "";
    this.text.textContent = `${short(value * this.scale.factor, 1)}${this.scale.unit === "°" ? "°" : ` ${this.scale.unit}`}`;
  }
}

export const button = (text, onclick, attributes = {}) => h("button", { type: "button", class: "button", onclick, ...attributes }, text);

export const group = (title, ...children) => h("section", { class: "group" }, h("h2", {}, title), children);

export const select = (name, options, onchange, value) => {
  const element = h("select", { "aria-label": name, onchange: () => onchange(element.value) }, options.map(([key, text]) => h("option", { value: key }, text)));
  if (value !== undefined) element.value = value;
  return element;
};

/// A number with a unit that the reader may change: text as a file has it.
export function number(name, value, unit, onchange) {
  const id = `f${++count}`;
  const field = h("input", { type: "text", inputmode: "decimal", id, size: 7, value, autocomplete: "off", onchange: () => onchange?.(field.value) });
  const element = h("label", { class: "number", for: id }, h("span", {}, name), h("span", { class: "value" }, field, h("span", { class: "unit" }, unit)));
  return { element, get value() { return field.value; }, set value(text) { field.value = text; }, field };
}
