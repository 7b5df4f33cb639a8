// Natural frequencies at a pose: which link does it.
import { h, section, table } from "./dom.js";
import { digits, percent } from "./units.js";

const kinds = { axial: "stretch", bending: "bending", torsion: "torsion" };
const least = 0.05; // share of the strain energy that is worth a word

/// The links with the largest shares of the strain energy of row k: "B.right stretch 22 %".
function strained(run, row) {
  return run.table.columns
    .map((c) => ({ dot: c.name.lastIndexOf("."), name: c.name, share: c.values[row] }))
    .filter((c) => c.dot > 0 && c.name.slice(c.dot + 1) in kinds && c.share >= least)
    .sort((a, b) => b.share - a.share).slice(0, 3)
    .map((c) => `${c.name.slice(0, c.dot)} ${kinds[c.name.slice(c.dot + 1)]} ${percent(c.share)}`).join(", ");
}

export function modeSection(run) {
  const modes = run.table.find("mode"), f = run.table.find("f");
  if (!modes || !f || run.table.time) return null;
  const get = (name, row) => run.table.find(name)?.values[row] ?? 0;
  const share = (name, row) => (get(name, row) < 5e-5 ? h("span", { class: "quiet" }, "–") : percent(get(name, row)));
  const rows = [...modes.values].map((mode, k) => [h("span", { class: "strong" }, String(mode)), h("span", { class: "strong" }, digits(f.values[k], 6)), digits(get("omega", k), 6),
    share("axial", k), share("bending", k), share("torsion", k), share("drives", k), strained(run, k) || "a motion without stiffness"]);
  return section("modes", "Modes",
    table(["Mode", "Frequency [Hz]", "[rad/s]", "Stretch", "Bending", "Torsion", "Drives", "Most strained"], rows, "lrrrrrrl"),
    h("p", { class: "note" }, "Shares of the strain energy of each mode: what stretches, bends or twists most is what to make stiffer."));
}
