// Curves over one axis, zoomable together, with the instant of the animation as a line.
import { restore } from "./sharp.js";
import uPlot from "uplot";
import { h } from "./dom.js";
import { digits, scaleFor } from "./units.js";
import { peakOf } from "./data.js";
import { onTheme, theme } from "./theme.js";

// Okabe and Ito: told apart by the colour-blind; the same as in the SVG plots. On a dark page each has a lighter twin.
export const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b6b7a"];
const twins = new Map([["#0072b2", "#5cb8f0"], ["#d55e00", "#ff9d5c"], ["#009e73", "#4fd0a0"], ["#cc79a7", "#e79ac4"], ["#e69f00", "#f0c04a"], ["#56b4e9", "#9ad4f5"], ["#5b6b7a", "#a3b1bf"],
  ["#14202b", "#e8eef4"], ["#9cc7e2", "#2f6587"], ["#a9d9c8", "#2b6e59"], ["#f3d59a", "#7d6325"], ["#e7bcd3", "#75485f"], ["#f0b08a", "#8a4f2a"]]);
const seen = (colour) => (theme() === "dark" ? twins.get(colour) ?? colour : colour);
const looks = { light: { muted: "#5b6b7a", hairline: "#e3e8ee", zero: "#b8c2cc", paper: "#ffffff" }, dark: { muted: "#a3b1bf", hairline: "#263340", zero: "#4a5a69", paper: "#131b23" } };
const look = () => looks[theme()];
const font = (size, weight = 400) => `${weight} ${size}px "Inter Variable", Inter, "Segoe UI", system-ui, sans-serif`;

restore();

const plots = new Set(); // all on the page
let zooming = false;

/// A number on an axis: no more digits than the spacing of the ticks needs.
function ticks(u, splits) {
  const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) : 1;
  let places = 0;
  while (places < 8 && Math.abs(step * 10 ** places - Math.round(step * 10 ** places)) > 1e-6 * step * 10 ** places) ++places;
  return splits.map((v) => (v === null ? "" : v.toFixed(places).replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "")));
}

/// The same with the unit behind the last one.
const ticksWith = (unit) => (u, splits) => {
  const texts = ticks(u, splits);
  const last = texts.findLastIndex((text, k) => text !== "" && splits[k] <= u.scales.x.max);
  if (last >= 0 && unit) texts[last] += ` ${unit}`;
  return texts;
};

/// Marks where curves peak, with error bars where they are known.
function drawMarks(u, marks) {
  const ctx = u.ctx, ratio = uPlot.pxRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  ctx.setLineDash([]);
  for (const mark of marks) {
    const x = u.valToPos(mark.x, "x", true), y = u.valToPos(mark.y, "y", true);
    ctx.strokeStyle = ctx.fillStyle = seen(mark.colour);
    ctx.lineWidth = 1.5 * ratio;
    if (mark.bar > 0) {
      const high = u.valToPos(mark.y + mark.bar, "y", true), low = u.valToPos(mark.y - mark.bar, "y", true);
      if (low - high > 3 * ratio) {
        const w = 4 * ratio;
        ctx.beginPath();
        ctx.moveTo(x, low); ctx.lineTo(x, high);
        ctx.moveTo(x - w, low); ctx.lineTo(x + w, low);
        ctx.moveTo(x - w, high); ctx.lineTo(x + w, high);
        ctx.stroke();
      }
    }
    ctx.beginPath();
    ctx.arc(x, y, 3.2 * ratio, 0, 2 * Math.PI);
    ctx.fillStyle = look().paper;
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

/// Dashed lines across: published values.
function drawLevels(u, levels) {
  const ctx = u.ctx, ratio = uPlot.pxRatio;
  ctx.save();
  ctx.setLineDash([5 * ratio, 4 * ratio]);
  ctx.lineWidth = ratio;
  ctx.strokeStyle = ctx.fillStyle = look().muted;
  ctx.font = font(10.5 * ratio);
  ctx.textAlign = "right";
  for (const level of levels) {
    const y = u.valToPos(level.y, "y", true);
    if (y < u.bbox.top || y > u.bbox.top + u.bbox.height) continue;
    ctx.beginPath();
    ctx.moveTo(u.bbox.left, y);
    ctx.lineTo(u.bbox.left + u.bbox.width, y);
    ctx.stroke();
    ctx.fillText(level.label, u.bbox.left + u.bbox.width - 4 * ratio, y - 4 * ratio);
  }
  ctx.restore();
}

/// Areas on top of each other: positive parts upwards from zero, negative ones downwards.
function drawStack(u, x, layers) {
  const ctx = u.ctx;
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  const px = Array.from(x, (v) => u.valToPos(v, "x", true));
  for (const sign of [1, -1]) {
    const base = new Float64Array(x.length);
    for (const layer of layers) {
      if (layer.hidden?.()) continue;
      const part = Float64Array.from(layer.values, (v) => (v * sign > 0 ? v : 0));
      ctx.fillStyle = seen(layer.fill);
      ctx.beginPath();
      for (let i = 0; i < x.length; ++i) ctx.lineTo(px[i], u.valToPos(base[i] + part[i], "y", true));
      for (let i = x.length - 1; i >= 0; --i) ctx.lineTo(px[i], u.valToPos(base[i], "y", true));
      ctx.closePath();
      ctx.fill();
      for (let i = 0; i < x.length; ++i) base[i] += part[i];
    }
  }
  ctx.restore();
}

function stackRange(layers, others, rows) {
  let low = 0, high = 0;
  for (let i = 0; i < rows; ++i) {
    let up = 0, down = 0;
    for (const layer of layers) layer.values[i] > 0 ? (up += layer.values[i]) : (down += layer.values[i]);
    for (const other of others) (up = Math.max(up, other.values[i])), (down = Math.min(down, other.values[i]));
    high = Math.max(high, up);
    low = Math.min(low, down);
  }
  return [low, high];
}

/// The range of y: what is there with a margin, zero when it is near, never empty.
function yRange(u, low, high) {
  const size = Math.max(Math.abs(low), Math.abs(high)) || 1;
  if (!(high - low > 1e-6 * size)) return high === 0 ? [-1, 1] : [high - 0.5 * size, high + 0.5 * size]; // constant, up to rounding
  const margin = 0.06 * (high - low);
  const from = low >= 0 && low < 0.4 * high ? 0 : low - margin;
  const to = high <= 0 && high > 0.4 * low ? 0 : high + margin;
  return [from, to];
}

/// A plot. `spec`: {title, x: {values, unit, label}, series: [{label, values, colour, dash, width, peak,
/// bar, fill}], unit, height, levels: [{value, label}], points, note}. Series with `fill` are stacked.
/// Returns the element that holds it.
export function plot(spec) {
  const x = spec.x;
  const xScale = scaleFor(x.unit, Math.max(...[x.values[0], x.values[x.values.length - 1]].map(Math.abs)));
  if (x.unit === "s") Object.assign(xScale, { factor: 1, unit: "s" });
  const largest = Math.max(...spec.series.map((s) => peakOf(s.values.filter((v) => v !== null && isFinite(v))).value).filter(isFinite), 0);
  const yScale = scaleFor(spec.unit, largest);
  const scaled = (values, factor) => (factor === 1 ? Array.from(values) : Array.from(values, (v) => (v === null ? null : v * factor)));
  const data = [scaled(x.values, xScale.factor), ...spec.series.map((s) => scaled(s.values, yScale.factor))];
  const layers = spec.series.map((s, k) => ({ ...s, values: data[k + 1], index: k + 1 })).filter((s) => s.fill);
  const others = spec.series.map((s, k) => ({ values: data[k + 1], fill: s.fill })).filter((s) => !s.fill);
  const marks = spec.series.flatMap((s, k) => {
    if (!s.peak) return [];
    const at = peakOf(s.values).at;
    return [{ x: data[0][at], y: data[k + 1][at], bar: (s.bar ?? 0) * yScale.factor, colour: s.colour, series: k + 1 }];
  });
  const levels = (spec.levels ?? []).map((l) => ({ ...l, y: l.value * yScale.factor }));

  const holder = h("div", { class: "canvas" });
  const figure = h("figure", { class: "plot" },
    h("figcaption", {}, h("span", { class: "plot-title" }, spec.title), yScale.unit ? h("span", { class: "unit" }, yScale.unit) : null),
    holder, spec.note ? h("p", { class: "note" }, spec.note) : null);
  const cursorLine = h("div", { class: "instant" });
  const value = (u, v) => (v === null || v === undefined ? "–" : digits(v, 5));
  const options = {
    width: 600, height: spec.height ?? 220,
    cursor: { sync: spec.zoom === false ? undefined : { key: "pkm", scales: ["x", null] }, drag: { x: true, y: false, setScale: true }, points: { size: 7 } },
    legend: {
      mount: (u, element) => holder.before(element),
      markers: { width: (u, k) => (spec.series[k - 1]?.fill ? 9 : 2.5), stroke: (u, k) => seen(spec.series[k - 1]?.fill ?? spec.series[k - 1]?.colour ?? "transparent"), dash: (u, k) => (spec.series[k - 1]?.dash ? "dotted" : "solid") },
    },
    scales: { x: { time: false }, y: { range: layers.length ? (u) => yRange(u, ...stackRange(layers, others, data[0].length)) : yRange } },
    series: [
      { label: x.label ?? "t", value: (u, v) => (v === null || v === undefined ? `– ${xScale.unit}` : `${digits(v, 4)} ${xScale.unit}`) },
      ...spec.series.map((s) => ({
        label: s.label, stroke: () => seen(s.fill ? s.fill : s.colour), width: s.fill ? 0 : s.width ?? 1.75, dash: s.dash,
        points: { show: !!spec.points, size: 7 }, value, paths: s.fill ? () => null : undefined,
      })),
    ],
    axes: [
      { stroke: () => look().muted, font: font(11), size: 34, gap: 4, grid: { stroke: () => look().hairline, width: 1 }, ticks: { show: false }, values: ticksWith(xScale.unit), space: 52 },
      { stroke: () => look().muted, font: font(11), size: 58, gap: 6, grid: { stroke: () => look().hairline, width: 1 }, ticks: { show: false }, values: ticks, space: 36 },
    ],
    hooks: {
      ready: [(u) => u.over.append(cursorLine)],
      drawClear: [(u) => {
        for (const layer of layers) layer.hidden = () => !u.series[layer.index].show;
        if (layers.length) drawStack(u, data[0], layers);
      }],
      draw: [(u) => {
        drawZero(u);
        drawLevels(u, levels);
        drawMarks(u, marks.filter((m) => u.series[m.series].show));
      }],
      setScale: [(u, key) => key === "x" && spec.zoom !== false && zoomOthers(u)],
    },
  };
  const u = new uPlot(options, data, holder);
  const item = { u, figure, holder, cursorLine, colours: spec.series.map((s) => s.fill ?? s.colour), factor: xScale.factor, zoom: spec.zoom !== false, height: spec.height ?? 220 };
  plots.add(item);
  figure.pkmPlot = u; // for tests and the curious
  observer.observe(holder);
  return figure;
}

function drawZero(u) {
  if (!(u.scales.y.min < 0 && u.scales.y.max > 0)) return;
  const y = Math.round(u.valToPos(0, "y", true)) + 0.5;
  u.ctx.save();
  u.ctx.strokeStyle = look().zero;
  u.ctx.lineWidth = uPlot.pxRatio;
  u.ctx.beginPath();
  u.ctx.moveTo(u.bbox.left, y);
  u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
  u.ctx.stroke();
  u.ctx.restore();
}

/// Plots over time keep to the same stretch of it.
function zoomOthers(from) {
  if (zooming) return;
  zooming = true;
  const { min, max } = from.scales.x;
  for (const { u, zoom } of plots) if (u !== from && zoom) u.setScale("x", { min, max });
  zooming = false;
}

function fit(item, width) {
  if (width > 40 && Math.abs(width - item.u.width) > 0.5) item.u.setSize({ width, height: item.height });
}

const observer = new ResizeObserver((entries) => {
  if (printing) return;
  for (const entry of entries)
    for (const item of plots) if (item.holder === entry.target) fit(item, Math.floor(entry.contentRect.width));
});

/// Legends have their colours once: they follow, and the rest is drawn anew.
onTheme(() => {
  for (const { u, figure, colours } of plots) {
    figure.querySelectorAll(".u-legend .u-series:not(:first-child) .u-marker").forEach((marker, k) => (marker.style.borderColor = seen(colours[k])));
    u.redraw(false, true);
  }
});

/// Draw everything again, when the fonts have come.
export function redraw() {
  for (const { u } of plots) u.redraw(false, true);
}

/// Show the instant `t` [s] of the animation in all plots over time.
export function showInstant(t) {
  for (const { u, cursorLine, factor, zoom } of plots) {
    if (!zoom) continue;
    const x = u.valToPos(t * factor, "x");
    const inside = x >= 0 && x <= u.over.clientWidth;
    cursorLine.style.display = inside ? "block" : "none";
    cursorLine.style.transform = `translateX(${x}px)`;
  }
}

// ---- printing: plots take the width of the page ------------------------------------------------

let printing = false;
export function fitForPrint(width) {
  printing = true;
  for (const item of plots) {
    const columns = item.figure.parentElement?.classList.contains("pair") ? 2 : 1;
    fit(item, Math.floor((width - (columns - 1) * 20) / columns));
  }
}
export function fitForScreen() {
  printing = false;
  for (const item of plots) fit(item, Math.floor(item.holder.clientWidth));
}
