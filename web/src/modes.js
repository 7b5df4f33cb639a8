// Natural frequencies at a pose: which link does it, and how it looks.
import { h, section, table } from "./dom.js";
import { digits, percent } from "./units.js";

const kinds = { axial: "stretch", bending: "bending", torsion: "torsion" };
const least = 0.05; // share of the strain energy that is worth a word
const frames = 48; // of a period
const unitShape = 1e-3; // largest displacement of a shape that is not magnified [m]

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
  if (!modes || !f || run.table.time || run.summary.link) return null;
  const get = (name, row) => run.table.find(name)?.values[row] ?? 0;
  const share = (name, row) => (get(name, row) < 5e-5 ? h("span", { class: "quiet" }, "–") : percent(get(name, row)));
  const rows = [...modes.values].map((mode, k) => [h("span", { class: "strong" }, String(mode)), h("span", { class: "strong" }, digits(f.values[k], 6)), digits(get("omega", k), 6),
    share("axial", k), share("bending", k), share("torsion", k), share("drives", k), strained(run, k) || "a motion without stiffness"]);
  return section("modes", "Modes",
    table(["Mode", "Frequency [Hz]", "[rad/s]", "Stretch", "Bending", "Torsion", "Drives", "Most strained"], rows, "lrrrrrrl"),
    h("p", { class: "note" }, "Shares of the strain energy of each mode: what stretches, bends or twists most is what to make stiffer."));
}

// ---- shapes on the stage ------------------------------------------------------------------------

/// The largest displacement of a joint's point or of a point of a link in a shape.
function largestOf(scene, shape) {
  const bent = shape.bending.map((d) => Math.hypot(...d));
  const moved = scene.joints.flatMap((joint) => [[joint.a, joint.at_a], [joint.b, joint.at_b]]).filter(([b]) => b > 0).map(([b, at]) => {
    const [dx, dy, dz, rx, ry, rz] = shape.deviations[b - 1], [, , , w, x, y, z] = scene.film.poses[0][b - 1];
    const t = [y * at[2] - z * at[1], z * at[0] - x * at[2], x * at[1] - y * at[0]].map((c) => 2 * c); // the point in world axes
    const p = [at[0] + w * t[0] + y * t[2] - z * t[1], at[1] + w * t[1] + z * t[0] - x * t[2], at[2] + w * t[2] + x * t[1] - y * t[0]];
    return Math.hypot(dx + ry * p[2] - rz * p[1], dy + rz * p[0] - rx * p[2], dz + rx * p[1] - ry * p[0]);
  });
  return Math.max(...bent, ...moved, 0) || 1;
}

/// The scene with one period of mode `k` as its film; the shape is scaled so that its largest displacement is a millimetre.
export function sceneOfMode(scene, k) {
  const { bends, shapes } = scene.modes, shape = shapes[k], factor = unitShape / largestOf(scene, shape);
  const period = shape.frequency > 0 ? 1 / shape.frequency : 1;
  const t = Array.from({ length: frames + 1 }, (_, i) => (period * i) / frames);
  const swing = (list) => t.map((_, i) => list.map((row) => row.map((v) => v * factor * Math.sin((2 * Math.PI * i) / frames))));
  const film = { t, poses: t.map(() => scene.film.poses[0]), deviations: swing(shape.deviations), bends: bends.map((bend) => ({ ...bend })), bending: swing(shape.bending),
    mode: { largest: unitShape, text: `mode ${k + 1}, ${shape.frequency > 0 ? `${digits(shape.frequency, 4)} Hz` : "without stiffness"}` } };
  return { ...scene, film: { ...film, ...(bends.length ? {} : { bends: [], bending: null }) } };
}

/// Choose the mode that the stage shows.
export function addModeChoice(stage, scene) {
  if (!stage.addControl) return;
  const show = () => {
    const playing = stage.playing;
    stage.show(sceneOfMode(scene, Number(select.value)));
    stage.setTime(stage.film.end / 4);
    if (playing) stage.play();
  };
  const select = h("select", { "aria-label": "Mode", onchange: show }, scene.modes.shapes.map(({ frequency }, k) =>
    h("option", { value: k }, `${k + 1}: ${frequency > 0 ? `${digits(frequency, 4)} Hz` : "free"}`)));
  stage.addControl(h("label", {}, "Mode", select));
  stage.setTime(stage.film.end / 4);
}
