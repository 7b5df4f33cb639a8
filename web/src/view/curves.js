// Curves of runs over time that grow while the run computes, with the instant of the stage as a line.
import uPlot from "uplot";
import { h } from "../dom.js";
import { digits, scaleFor } from "../units.js";
import { select } from "./fields.js";

const palettes = {
  light: ["#0072b2", "#d55e00", "#009e73", "#b8578c", "#a97400", "#2f8fc4", "#5b6b7a"],
  dark: ["#5cb8f0", "#ff9d5c", "#4fd0a0", "#e79ac4", "#f0c04a", "#9ad4f5", "#a3b1bf"],
};
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/// A number on an axis.
const tick = (v) => (v === null ? "" : Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-4) ? digits(v, 2) : String(Number(v.toPrecision(6))).replace("-", "−"));

/// What can be shown of a table: groups of columns by what stands behind the last dot.
export function groupsOf(columns, scene) {
  const drives = new Set(scene.drives.map((d) => d.name)), groups = [];
  const add = (title, wanted) => {
    const list = columns.map((c, k) => k).filter((k) => wanted(columns[k].name));
    if (list.length) groups.push({ title, list });
  };
  const of = (name) => [name.slice(0, name.lastIndexOf(".")), name.slice(name.lastIndexOf(".") + 1)];
  const drive = (end) => (name) => drives.has(of(name)[0]) && of(name)[1] === end;
  const tool = (...ends) => (name) => of(name)[0] === scene.tool?.name && ends.includes(of(name)[1]);
  add("Forces of the drives", drive("force"));
  add("Deviation of the tool", tool("dp"));
  add("Deviation of drive forces", drive("dforce"));
  add("Positions of the drives", drive("q"));
  add("Speeds of the drives", drive("v"));
  add("Errors of the drives", drive("dq"));
  add("Position of the tool", tool("x", "y", "z"));
  add("Speed of the tool", tool("speed"));
  add("Acceleration of the tool", tool("acc"));
  add("Deflection of links", (name) => of(name)[1] === "deflection");
  add("Stress in links", (name) => of(name)[1] === "stress");
  add("Forces in contacts", (name) => of(name)[1] === "contact" || of(name)[1] === "Fn" || of(name)[1] === "load");
  add("Energy", (name) => name === "energy.kinetic" || name === "energy.potential" || name === "work.drive");
  add("Power", (name) => name === "power");
  add("Condition number", (name) => name === "condition");
  add("Distance to a singularity", (name) => name === "singularity");
  return groups;
}

export class Curves {
  /// `onInstant(t)` hears where the reader points.
  constructor(onInstant) {
    this.onInstant = onInstant;
    this.holder = h("div", { class: "curve" });
    this.pick = select("Quantity", [], (value) => this.choose(Number(value)));
    this.legend = h("div", { class: "legend" });
    this.unit = h("span", { class: "unit" });
    this.element = h("div", { class: "curves" }, h("div", { class: "curves-head" }, this.pick, this.unit, this.legend), this.holder);
    new ResizeObserver(() => this.plot?.setSize({ width: this.holder.clientWidth, height: this.holder.clientHeight })).observe(this.holder);
  }

  /// Show a run, and another one beside it (dashed).
  show(run, other, scene, theme) {
    Object.assign(this, { run, other, theme });
    const before = this.groups?.[this.chosen]?.title;
    this.groups = groupsOf(run.columns, scene);
    this.pick.replaceChildren(...this.groups.map((g, k) => h("option", { value: k }, g.title)));
    const again = this.groups.findIndex((g) => g.title === before);
    this.choose(again >= 0 ? again : 0);
  }

  /// Show the group with this title, where the run has it.
  chooseTitle(title) {
    const k = this.groups?.findIndex((g) => g.title === title) ?? -1;
    if (k >= 0) this.choose(k);
  }

  choose(k) {
    this.chosen = k;
    this.pick.value = String(k);
    this.make();
  }

  /// The data of the chosen columns: one run, or two on the union of their times.
  data() {
    const { list } = this.groups[this.chosen], { factor } = this.scale;
    const column = (run, k) => run.values[k].map((v) => v * factor);
    const own = [this.run.values[0], ...list.map((k) => column(this.run, k))];
    const theirs = this.matched(list);
    if (!theirs.length) return own;
    return uPlot.join([own, [this.other.values[0], ...theirs.map((k) => column(this.other, k))]]);
  }

  matched(list) {
    if (!this.other) return [];
    return list.map((k) => this.other.columns.findIndex((c) => c.name === this.run.columns[k].name)).filter((k) => k >= 0);
  }

  make() {
    this.plot?.destroy();
    const { list } = this.groups[this.chosen], colours = palettes[this.theme];
    const most = Math.max(...list.map((k) => this.run.values[k].reduce((m, v) => Math.max(m, Math.abs(v)), 0)), 0);
    this.scale = scaleFor(this.run.columns[list[0]].unit, most);
    this.unit.textContent = this.scale.unit;
    const names = list.map((k) => this.run.columns[k].name);
    this.legend.replaceChildren(...names.map((name, i) => {
      const mark = h("i");
      mark.style.background = colours[i % colours.length];
      return h("span", {}, mark, name);
    }));
    const axis = { stroke: style("--muted"), font: '11px "Inter Variable", sans-serif', grid: { stroke: style("--line"), width: 1 }, ticks: { show: false } };
    const series = (dash) => (k, i) => ({ label: this.run.columns[k].name, stroke: colours[i % colours.length], width: 1.7, dash, points: { show: false }, spanGaps: true });
    const options = {
      width: Math.max(100, this.holder.clientWidth), height: Math.max(80, this.holder.clientHeight), legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { size: 7 } },
      scales: { x: { time: false, range: (u, low, high) => [low, Math.max(this.run.end ?? high, high)] } },
      series: [{}, ...list.map(series()), ...this.matched(list).map((k, i) => series([5, 4])(list[i], i))],
      axes: [{ ...axis, size: 28, gap: 3, values: (u, splits) => splits.map(tick) }, { ...axis, size: 56, gap: 5, values: (u, splits) => splits.map(tick) }],
      hooks: { ready: [(u) => this.listen(u)], draw: [() => this.mark(this.t ?? 0)] },
    };
    this.plot = new uPlot(options, this.data(), this.holder);
    this.mark(this.t ?? 0);
  }

  listen(u) {
    this.line = h("div", { class: "instant" });
    u.over.append(this.line);
    let down = false;
    const point = (event) => this.onInstant(Math.max(0, u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x")));
    u.over.addEventListener("pointerdown", (event) => {
      down = true;
      u.over.setPointerCapture(event.pointerId);
      point(event);
    });
    u.over.addEventListener("pointermove", (event) => down && point(event));
    u.over.addEventListener("pointerup", () => (down = false));
  }

  /// Rows have come.
  grow() {
    if (!this.plot) return;
    const { list } = this.groups[this.chosen];
    const most = Math.max(...list.map((k) => this.run.values[k].reduce((m, v) => Math.max(m, Math.abs(v)), 0)), 0);
    if (scaleFor(this.run.columns[list[0]].unit, most).unit !== this.scale.unit) this.make();
    else this.plot.setData(this.data());
  }

  mark(t) {
    this.t = t;
    if (!this.plot || !this.line) return;
    const x = this.plot.valToPos(t, "x");
    this.line.style.transform = `translateX(${x}px)`;
  }
}
