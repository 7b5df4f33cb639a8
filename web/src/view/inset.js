// The inset of a joint with clearance: the ball in its socket, magnified so that the gap is seen.
import { h, svg } from "../dom.js";
import { quantity } from "../units.js";

const half = 60, socket = 46, ball = 30; // of the picture: half its size, radius of the socket, of the ball [px]

export class ClearanceInset {
  constructor() {
    this.pick = h("select", { "aria-label": "Joint with clearance", onchange: () => this.choose() });
    this.text = h("p", { class: "note" });
    this.path = svg("path", { class: "inset-path" });
    this.ballMark = svg("circle", { r: ball, class: "inset-ball" });
    this.centre = svg("circle", { r: 2, class: "inset-centre" });
    this.picture = svg("svg", { viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`, role: "img" },
      svg("circle", { r: socket, class: "inset-socket" }), this.ballMark, this.path, this.centre);
    this.element = h("figure", { class: "inset", hidden: true }, this.pick, this.picture, this.text);
  }

  /// Joints of a run that have clearance: those with an offset of the ball (ox, oy, oz) and a gap.
  show(run) {
    const find = (name) => run.columns.findIndex((c) => c.name === name);
    const names = run.columns.filter((c) => c.name.endsWith(".gap")).map((c) => c.name.slice(0, -4)).filter((name) => find(`${name}.ox`) >= 0);
    this.run = run;
    this.element.hidden = !names.length;
    if (!names.length) return;
    this.pick.replaceChildren(...names.map((name) => h("option", { value: name }, name)));
    this.choose();
  }

  /// The plane of the picture is that of the two axes in which the ball moves most; the scale is the clearance.
  choose() {
    const { run } = this, name = this.pick.value, of = (end) => run.values[run.columns.findIndex((c) => c.name === `${name}.${end}`)];
    this.offset = ["ox", "oy", "oz"].map(of);
    this.gap = of("gap");
    this.normal = of("normal");
    const spread = this.offset.map((list) => Math.max(...list) - Math.min(...list)), order = [0, 1, 2].sort((a, b) => spread[b] - spread[a]);
    this.axes = order.slice(0, 2).sort();
    // offset + gap is the clearance wherever the ball has moved aside
    this.clearance = Math.max(1e-12, ...this.gap.map((g, k) => g + Math.hypot(...this.offset.map((list) => list[k]))));
    const at = (k) => this.axes.map((axis, i) => ((i ? -1 : 1) * this.offset[axis][k] * (socket - ball)) / this.clearance);
    this.place = at;
    this.path.setAttribute("d", this.gap.map((_, k) => `${k ? "L" : "M"}${at(k).map((v) => v.toFixed(2)).join(" ")}`).join(""));
    this.picture.setAttribute("aria-label", `The ball of ${name} in its socket, axes ${this.axes.map((k) => "xyz"[k]).join(" and ")} of the socket`);
    this.mark(this.row ?? 0);
  }

  mark(row) {
    this.row = row;
    if (this.element.hidden) return;
    const k = Math.min(row, this.gap.length - 1), [x, y] = this.place(k);
    for (const mark of [this.ballMark, this.centre]) {
      mark.setAttribute("cx", x.toFixed(2));
      mark.setAttribute("cy", y.toFixed(2));
    }
    const touches = this.gap[k] <= 0;
    this.ballMark.classList.toggle("touches", touches);
    this.text.replaceChildren(`clearance ${quantity(this.clearance, "m", 2)}`, h("br"), touches ? `pressed by ${quantity(this.normal?.[k] ?? 0, "N", 3)}` : `gap ${quantity(this.gap[k], "m", 2)}`);
  }
}
