// What reports show around the robot: mode shapes, stiffness, errors from clearance, workspace. What is drawn is what was computed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, open, pkm, root, run, show } from "./browser.mjs";

const siax = join(root, "robots/siax.yaml");
const clearance = "spherical: {radial: 0.1 mm}";
pkm("modes", siax, "--at", "0.1,0.05,-0.85", "--modes", "3", "-o", "modes");
pkm("modes", join(root, "robots/isoglideT3.yaml"), "--modes", "2", "-o", "modes-isoglide");
pkm("stiffness", siax, "--at", "0.1,0.05,-0.85", "--drives-are", "{stiffness: 1e5}", "-o", "stiffness");
pkm("envelope", siax, "--at", "0.1,0.05,-0.85", "--clearance", clearance, "-o", "envelope");
pkm("envelope", siax, "--motion", "paper", "--instants", "21", "--clearance", clearance, "-o", "envelope-motion");
pkm("workspace", siax, "--slice", "z=-0.9", "--points", "41", "-o", "slice");
pkm("workspace", siax, "--volume", "--points", "25", "-o", "box");
pkm("modes", siax, "--map", "--points", "7", "--modes", "2", "-o", "modes-map");
pkm("stiffness", siax, "--map", "--points", "7", "-o", "stiffness-map");
pkm("modes", siax, "--along", "paper", "--points", "7", "--modes", "2", "-o", "modes-along");
pkm("modes", siax, "--response", "1..100", "--points", "50", "-o", "response");
const names = ["modes", "stiffness", "envelope", "envelope-motion", "slice", "box", "modes-map", "stiffness-map", "modes-along", "response"];
for (const name of names) pkm("report", name, "--no-grasp");

const read = (name, file) => JSON.parse(readFileSync(join(folder, name, file), "utf8"));
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a}, expected ${b} within ${tolerance}`);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const add = (...list) => [0, 1, 2].map((k) => list.reduce((sum, v) => sum + v[k], 0));

/// v turned by the quaternion w x y z.
function turn([w, x, y, z], v) {
  const t = cross([x, y, z], v).map((c) => 2 * c);
  return add(v, t.map((c) => w * c), cross([x, y, z], t));
}

/// Every report: nothing to complain of, no name of a column where people read, dark as the system is.
async function check(name) {
  assert.deepEqual(page.complaints, []);
  const head = readFileSync(join(folder, name, "table.csv"), "utf8").split("\n")[0].split(",").map((field) => field.replace(/ \[.*\]$/, "")).filter((field) => /[._]/.test(field));
  const { text, paper, ink } = await page.evaluate(() => {
    const { backgroundColor: paper, color: ink } = getComputedStyle(document.body);
    return { paper, ink, text: [...document.querySelectorAll("section:not(#files)")].map((s) => s.textContent).join("\n") };
  });
  assert.ok(text.length > 100);
  for (const column of head) assert.ok(!text.includes(column), `${name}: "${column}" is a name of a column`);
  assert.deepEqual([paper, ink], ["rgb(19, 27, 35)", "rgb(232, 238, 244)"]);
}

let page;
const seen = new Set();
const go = async (browser, name) => {
  const file = join(folder, name, "report.html");
  page = page ? await show(page, file) : await open(browser, file, { width: 900, height: 600 }, { colorScheme: "dark" });
  await check(name);
  seen.add(name);
  return page;
};

await run({
  /// In every mode both sides of every ball, universal joint and pin move alike: bodies by shift and turn, links by the deflection of
  /// their points. The rods of the Delta lie along x of their bodies, the links of the Isoglide along y.
  async shapes_keep_the_joints_together() {
    for (const [name, count] of [["modes", 15], ["modes-isoglide", 3]]) {
      const { joints, film, modes } = read(name, "scene.json");
      for (const { deviations, bending } of modes.shapes) {
        const largest = Math.max(...bending.map((d) => Math.hypot(...d)));
        const motion = (b, at) => {
          if (b === 0) return [0, 0, 0];
          const pose = film.poses[0][b - 1], arm = turn(pose.slice(3), at), d = deviations[b - 1];
          let first = 0, shift = modes.bends.some((bend) => bend.body === b) ? null : [0, 0, 0]; // null: a place off the line of the link
          for (const bend of modes.bends) {
            const i = bend.points.findIndex((p) => Math.hypot(...p.map((c, k) => c - at[k])) < 1e-9);
            if (bend.body === b && i >= 0) shift = turn(pose.slice(3), bending[first + i]);
            first += bend.points.length;
          }
          return shift && add(d.slice(0, 3), cross(d.slice(3), arm), shift);
        };
        const held = joints.filter((joint) => ["spherical", "universal", "revolute"].includes(joint.type))
          .map((joint) => ({ joint, a: motion(joint.a, joint.at_a), b: motion(joint.b, joint.at_b) })).filter(({ a, b }) => a && b);
        assert.ok(held.length >= count, `${name}: ${held.length} joints`);
        for (const { joint, a, b } of held) a.forEach((v, k) => near(v, b[k], 1e-6 * largest, `${name}, ${joint.name}`)); // poses have seven digits
      }
    }
  },

  /// The stage swings through the chosen mode: a quarter of a period on, the tool is off by its part of the amplitude.
  async mode_shapes_swing(browser) {
    await go(browser, "modes");
    const { modes: { shapes }, tool } = read("modes", "scene.json"), json = JSON.parse(pkm("modes", siax, "--at", "0.1,0.05,-0.85", "--modes", "3", "--json"));
    for (const k of [0, 2]) {
      await page.locator('select[aria-label="Mode"]').selectOption(String(k));
      assert.ok((await page.locator(".key").innerText()).includes(`mode ${k + 1}, ${json.modes[k].frequency.toPrecision(4)} Hz`));
      const drawn = await page.evaluate((body) => {
        const stage = window.pkmStage, at = (t) => (stage.setTime(t), stage.groups[body].position.toArray());
        const { end, mode } = stage.film, rest = at(0), off = at(end / 4), back = at((3 * end) / 4), bars = stage.bent.map(({ geometry }) => geometry.attributes.position.count);
        return { end, rest, off, back, amplitude: mode.largest * stage.magnification, bars };
      }, tool.body);
      near(drawn.end, 1 / json.modes[k].frequency, 1e-9, "period");
      assert.equal(drawn.bars.length, 6);
      const { deviations, bending } = shapes[k], largest = Math.max(...bending.map((d) => Math.hypot(...d))), d = deviations[tool.body - 1];
      [0, 1, 2].forEach((c) => {
        near(drawn.off[c] - drawn.rest[c], (drawn.amplitude * d[c]) / largest, 1e-9, "tool at a quarter");
        near(drawn.back[c] - drawn.rest[c], (-drawn.amplitude * d[c]) / largest, 1e-9, "tool at three quarters");
      });
    }
  },

  /// Half axes of the ellipsoid are the eigenvalues of the compliance that the program prints, along its eigenvectors.
  async the_ellipsoid_of_stiffness_has_its_eigenvalues(browser) {
    await go(browser, "stiffness");
    const json = JSON.parse(pkm("stiffness", siax, "--at", "0.1,0.05,-0.85", "--drives-are", "{stiffness: 1e5}", "--json"));
    const block = (v) => [0, 1, 2].map((i) => [0, 1, 2].reduce((sum, j) => sum + json.compliance[6 * j + i] * v[j], 0));
    const drawn = async (choice) => {
      await page.locator('select[aria-label="Ellipsoid"]').selectOption({ label: choice });
      return page.evaluate(() => {
        const { shown, size } = window.pkmStage, e = shown.ball.matrix.elements;
        return { size, at: shown.group.position.toArray(), half: [0, 4, 8].map((k) => [e[k], e[k + 1], e[k + 2]]) };
      });
    };
    for (const [choice, power] of [["Stiffness of shifts", -1], ["Yielding of shifts", 1]]) {
      const { at, half, size } = await drawn(choice), lengths = half.map((v) => Math.hypot(...v)), longest = Math.max(...lengths);
      near(longest, 0.16 * size, 1e-9, "longest half axis");
      [0.1, 0.05, -0.85].forEach((x, k) => near(at[k], x, 1e-6, "at the tool"));
      const eigen = half.map((v, k) => { // C v = c v
        const unit = v.map((c) => c / lengths[k]), out = block(unit), c = out.reduce((sum, x, i) => sum + x * unit[i], 0);
        out.forEach((x, i) => near(x, c * unit[i], 1e-6 * c, `${choice}, axis ${k}`));
        return c ** power;
      });
      lengths.forEach((l, k) => near(l / longest, eigen[k] / Math.max(...eigen), 1e-6, `${choice}, length ${k}`));
    }
    const text = await page.locator("#stiffness").innerText();
    assert.ok(text.includes(`${(1e-3 / json.shifts[0].compliance).toPrecision(5)}\u00a0kN/m`), text.slice(0, 300));
  },

  /// The body of errors reaches as far along each axis as the bounds say, magnified, at the tool.
  async the_body_of_errors_has_its_bounds(browser) {
    await go(browser, "envelope");
    const json = JSON.parse(pkm("envelope", siax, "--at", "0.1,0.05,-0.85", "--clearance", clearance, "--json", "-o", "again"));
    const drawn = await page.evaluate(() => {
      const { mesh, magnification } = window.pkmStage.shown;
      mesh.geometry.computeBoundingBox();
      const { min, max } = mesh.geometry.boundingBox;
      return { magnification, scale: mesh.scale.x, at: mesh.position.toArray(), low: min.toArray(), high: max.toArray() };
    });
    assert.equal(drawn.scale, drawn.magnification);
    [0, 1, 2].forEach((k) => {
      near(drawn.high[k], json.axes[k].bound, 1e-6 * json.axes[k].bound, "upwards"); // single precision
      near(drawn.low[k], -json.axes[k].bound, 1e-6 * json.axes[k].bound, "downwards");
      near(drawn.at[k], json.at[k], 1e-6, "at the tool");
    });
    const { shifts: { points } } = read("envelope", "scene.json"), most = Math.max(...points.map((p) => Math.hypot(...p)));
    near(most, json.shift, 5e-3 * json.shift, "largest shift"); // of 48 by 25 directions
    assert.ok(most <= json.shift * (1 + 1e-9));
    for (const p of points) // all lie in the ellipsoid
      assert.ok(json.shift_ellipsoid.reduce((sum, e) => sum + (e.along.reduce((s, a, k) => s + a * p[k], 0) / e.semi_axis) ** 2, 0) < 1 + 1e-9);
    assert.ok((await page.locator(".key").innerText()).includes("all shifts of P, × "));
  },

  /// The coloured slice has the area, the border of the box the volume that the program states.
  async slices_and_borders_have_their_sizes(browser) {
    await go(browser, "slice");
    const slice = read("slice", "summary.json"), box = read("box", "summary.json");
    const area = await page.evaluate(() => {
      const { array } = window.pkmStage.shown.slices.children[0].geometry.attributes.position;
      let sum = 0;
      for (let i = 0; i < array.length; i += 9)
        sum += 0.5 * Math.abs((array[i + 3] - array[i]) * (array[i + 7] - array[i + 1]) - (array[i + 6] - array[i]) * (array[i + 4] - array[i + 1]));
      return sum;
    });
    near(area, slice.size, 1e-4 * slice.size, "area"); // edges have four digits
    assert.ok((await page.locator(".key").innerText()).includes("condition number"));
    await go(browser, "box");
    const volume = await page.evaluate(() => {
      const { geometry } = window.pkmStage.shown.border, p = geometry.attributes.position.array, index = geometry.index.array, at = (i) => [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
      let sum = 0;
      for (let i = 0; i < index.length; i += 3) {
        const [a, b, c] = [at(index[i]), at(index[i + 1]), at(index[i + 2])];
        sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
      }
      return sum;
    });
    near(volume, box.size, box.size_error, "volume");
    assert.equal(await page.locator(".controls .chip").count(), 2);
  },

  async all_are_in_words_and_dark_until_switched(browser) {
    for (const name of names.filter((name) => !seen.has(name))) await go(browser, name);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await page.locator("button.theme").click();
    assert.equal(await theme(), "light");
    await page.locator("button.theme").click();
    assert.equal(await theme(), "dark");
  },

  /// Paper is light, and what was folded is open.
  async folded_parts_are_open_on_paper() {
    const state = () => page.evaluate(() => [document.documentElement.dataset.theme, [...document.querySelectorAll("details:not(.no-print)")].map((d) => d.open)]);
    await page.evaluate(() => {
      const details = document.createElement("details");
      details.append("folded");
      document.querySelector("main").append(details);
      window.dispatchEvent(new Event("beforeprint"));
    });
    assert.deepEqual(await state(), ["light", [true]]);
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    assert.deepEqual(await state(), ["dark", [false]]);
    assert.deepEqual(page.complaints, []);
  },
});
