// Bars to compare numbers: a row each, zero where the signs part, error bars, a note.
import { h } from "./dom.js";
import { digits } from "./units.js";

/// `items`: [{label, value, low, high, colour, note, quiet, text}], values already in `unit`; `low` and `high`
/// bound an error bar or a range; `text` is what is read instead of the value, where its own unit suits it better.
export function bars(items, unit, { title, digits: n = 4 } = {}) {
  const all = items.flatMap((i) => [i.value, i.low, i.high]).filter((v) => isFinite(v) && v !== null);
  const low = Math.min(0, ...all), high = Math.max(0, ...all), span = high - low || 1;
  const at = (v) => (100 * (v - low)) / span;
  const row = (item) => {
    const known = item.value !== null && isFinite(item.value);
    const from = known ? at(Math.min(0, item.value)) : 0, width = known ? at(Math.max(0, item.value)) - from : 0;
    const ranged = isFinite(item.low) && item.low !== null && item.high !== null && at(item.high) - at(item.low) > 0.4;
    return h("div", { class: item.quiet ? "bar quiet" : "bar" },
      h("span", { class: "bar-label" }, item.label),
      h("span", { class: "track" },
        h("i", { class: "zero", style: `left:${at(0)}%` }),
        h("b", { style: `left:${from}%;width:${Math.max(width, 0.15)}%;background:${item.colour ?? "var(--accent)"}` }),
        ranged ? h("i", { class: "whisker", style: `left:${at(item.low)}%;width:${at(item.high) - at(item.low)}%` }) : null),
      h("span", { class: "bar-value" }, known ? item.text ?? digits(item.value, n) : "–"),
      item.note !== undefined || items.some((i) => i.note) ? h("span", { class: "bar-note" }, item.note ?? "") : null);
  };
  const noted = items.some((item) => item.note);
  return h("figure", { class: noted ? "bars noted" : "bars" },
    title ? h("figcaption", {}, h("span", { class: "plot-title" }, title), unit ? h("span", { class: "unit" }, unit) : null) : null,
    items.map(row));
}
