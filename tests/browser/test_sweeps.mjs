// Pages of answers over a motion, a plane, a range of frequencies, and of signals: what they say is what summary.json has, in words and units for people.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, pkm, reports, root, run } from "./browser.mjs";

const robot = (name) => join(root, `robots/${name}.yaml`), siax = robot("siax");
pkm("modes", siax, "--along", "paper", "--points", "9", "--modes", "8", "-o", "along");
pkm("modes", siax, "--map", "--points", "7", "--modes", "2", "-o", "map");
pkm("stiffness", siax, "--map", "--points", "7", "-o", "stiff");
pkm("modes", siax, "--response", "5..60", "--points", "20", "--flexible", "*: {damping: 1 %}", "-o", "response");
pkm("simulate", siax, "--for", "0.25 s", "--friction", "spherical: {static: 0.11, dynamic: 0.084, radius: 10mm}", "--instants", "251", "-o", "rubs");
pkm("analyse", "rubs/table.csv", "--column", "P.speed", "-o", "signals");
pkm("elastodynamics", robot("kuo"), "--motion", "paper", "--step", "10 ms", "-o", "kuo");
pkm("workspace", robot("gough-stewart"), "--points", "9", "-o", "cut");
const names = ["along", "map", "stiff", "response", "signals", "kuo", "cut", "rubs"];
for (const name of names) pkm("report", name, "--no-grasp");

const summary = (name) => JSON.parse(readFileSync(join(folder, name, "summary.json"), "utf8"));
const go = reports(), seen = new Set();
const shown = async (browser, name) => {
  const page = await go(browser, name);
  assert.deepEqual(page.complaints, []);
  const text = (await page.locator("#report").innerText()).replaceAll("\u00a0", " ");
  if (!seen.has(name)) assert.doesNotMatch(text, /undefined|NaN|\bnull\b|−0\.0[ ,]/, `${name} has gaps`);
  seen.add(name);
  return { page, rows: await page.locator("#results tbody tr").allInnerTexts(), text };
};
const legends = (page) => page.locator("figure.plot").evaluateAll((all) => all.map((f) => [f.querySelector(".plot-title").textContent, [...f.querySelectorAll(".u-series .u-label")].slice(1).map((l) => l.textContent)]));

await run({
  async frequencies_along_a_motion_have_their_ranges(browser) {
    const { rows, text, page } = await shown(browser, "along"), { least, most } = summary("along");
    assert.equal(rows.length, least.length);
    rows.forEach((row, k) => [least[k], most[k]].forEach((f) => assert.ok(row.includes(f.toPrecision(6)), `${f} in ${row}`)));
    assert.match(text, new RegExp(`Lowest frequency\\s+${Math.min(...least).toPrecision(4)}`));
    assert.ok(!(await legends(page)).some(([title]) => title === "Angle")); // that around a circle, which this is not
  },

  // The seventh frequency is constant up to rounding (3e-13): its axis has no digits of that.
  async a_constant_is_drawn_as_one(browser) {
    const { page } = await shown(browser, "along");
    const range = await page.locator("figure.plot").evaluateAll((all) => all.filter((f) => /^7th/.test(f.querySelector(".plot-title").textContent)).map(({ pkmPlot: { scales } }) => [scales.y.min, scales.y.max]));
    assert.equal(range.length, 1);
    assert.ok(range[0][1] - range[0][0] > 10, range);
  },

  async maps_say_where(browser) {
    const { least, most } = summary("map").frequencies[0], stiff = summary("stiff");
    const { rows } = await shown(browser, "map");
    for (const f of [least, most]) assert.ok(rows[0].includes(f.toPrecision(5)), `${f} in ${rows[0]}`);
    assert.match((await shown(browser, "stiff")).rows[0], new RegExp(`${(1e-6 * stiff.most).toPrecision(5)}\\sMN/m`));
  },

  async a_response_has_no_answer_where_there_is_rounding(browser) {
    const { rows, text } = await shown(browser, "response"), { peaks } = summary("response");
    assert.ok(peaks.rx[1] > 0 && peaks.rx[1] < 1e-9 * peaks.z[1]);
    assert.deepEqual(rows.map((row) => /none/.test(row)), ["x", "y", "z", "rx", "ry", "rz"].map((d) => d !== "z"));
    assert.match(rows[2], new RegExp(`${(1e9 * peaks.z[1]).toPrecision(4)}\\snm/N`));
    assert.match(text, /a force on the tool along z/);
  },

  async signals_are_named_by_their_table(browser) {
    const { rows, text } = await shown(browser, "signals"), { signals, stop } = summary("signals");
    assert.match(text, /Signals\s+rubs/);
    assert.ok(rows[0].includes(signals[0].lines[0].frequency.toPrecision(5)), rows[0]);
    assert.match(text, new RegExp(`After the stop at ${(1e3 * stop).toPrecision(5)} ms`));
  },

  async curves_are_named_by_what_they_are(browser) {
    const of = Object.fromEntries(await legends((await shown(browser, "kuo")).page));
    assert.deepEqual(of["Tool deviation"], ["x", "y", "z", "magnitude"]);
    assert.equal(of["Drive deviation"], undefined); // nothing but zeros
    const run = Object.fromEntries(await legends((await shown(browser, "rubs")).page));
    assert.deepEqual(run["Condition of the tool's Jacobian"], ["condition number"]);
    assert.deepEqual(run["Estimated distance from singularities"], ["distance"]);
    assert.deepEqual(run["Velocity of the tool"], ["magnitude", "x", "y", "z"]);
  },

  async a_reach_that_the_grid_cuts_has_no_error(browser) {
    const { text } = await shown(browser, "cut");
    assert.match(text, new RegExp(`Area in reach\\s+at least ${summary("cut").size.toPrecision(5)} m²`));
    assert.doesNotMatch(text, /± 0 m²/);
  },

  async none_has_gaps() {
    assert.deepEqual([...seen].sort(), [...names].sort());
  },
});
