// Folders of the verbs that a designer asks (motors, fastest, shape, matrices, compare, modes of one link) become pages with their numbers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, paintedPlots, pkm, reports, root, run } from "./browser.mjs";

const siax = join(root, "robots/siax.yaml");
pkm("motors", siax, "--motors", join(root, "motors/servo.yaml"), "-o", "motors");
pkm("fastest", siax, "--motion", "paper", "--force", "450", "-o", "fastest");
pkm("shape", siax, "--motion", "paper", "--flexible", "A.left: {modes: 2}", "-o", "shape");
pkm("matrices", siax, "--at", "0.1,0,-0.9", "--velocity", "2,1,-1", "-o", "matrices");
pkm("compare", siax, "-o", "compare");
pkm("modes", siax, "--link", "A.left", "-o", "link");
const names = ["motors", "fastest", "shape", "matrices", "compare", "link"];
for (const name of names) pkm("report", name);

const summary = (name) => JSON.parse(readFileSync(join(folder, name, "summary.json"), "utf8"));
/// The page of a folder; one of them with its robot, which test_run_report.mjs and test_shown.mjs look at.
const go = reports(), seen = new Set();
const rowsOf = async (browser, name, section = name) => {
  const page = await go(browser, name, { picture: name === "fastest" });
  assert.deepEqual(page.complaints, []);
  const rows = await page.locator(`#${section} tbody tr`).allInnerTexts(), text = await page.locator("#report").innerText();
  if (!seen.has(name)) {
    assert.ok(rows.length >= 3, name);
    assert.doesNotMatch(text, /undefined|NaN|\bnull\b/, `${name} has gaps`);
  }
  seen.add(name);
  return { page, rows, text };
};

await run({
  async motors_show_which_serves_and_its_diagram(browser) {
    const { page, rows, text } = await rowsOf(browser, "motors");
    const { motors, best } = summary("motors");
    assert.equal(rows.length, motors.length + 3);
    assert.equal(rows.filter((row) => /serves/.test(row)).length, motors.filter((m) => m.serves).length);
    assert.match(text, new RegExp(`Smallest that serves\\s+${best}`));
    assert.ok(await page.locator("#motors img.for-light").evaluate((image) => image.complete && image.naturalWidth > 100));
    assert.ok((await paintedPlots(page)).length >= 4);
    assert.match(text, /Speed of the motor\s+rpm/);
  },

  async shape_shows_every_variant_and_which_is_best(browser) {
    const { rows, text } = await rowsOf(browser, "shape");
    const { variants, best, frequency } = summary("shape");
    assert.equal(rows.length, variants.length);
    for (const [k, v] of variants.entries()) assert.ok(rows[k].includes((1e6 * v.residual).toPrecision(4)), rows[k]);
    assert.deepEqual(rows.map((row) => /least/.test(row)), variants.map((v) => v.name === best));
    assert.match(text, new RegExp(`for ${frequency.toPrecision(4)}\\s+Hz`));
  },

  async limits_have_their_units(browser) {
    const { text } = await rowsOf(browser, "fastest");
    assert.match(text, /Forces of the drives\s+450 N, N·m/);
  },

  async matrices_are_those_of_the_answer(browser) {
    const { rows } = await rowsOf(browser, "matrices");
    const { M, drives, forces } = summary("matrices");
    const row = rows.find((r) => r.startsWith(drives[0]) && r.includes(M[0][0].toPrecision(6)));
    assert.ok(row, rows.join("\n"));
    assert.ok(rows.some((r) => /^F\s/.test(r) && r.replaceAll("−", "-").includes(forces.force[0].toPrecision(6))));
  },

  async one_link_has_one_table_of_modes(browser) {
    const { page, rows } = await rowsOf(browser, "link");
    assert.equal(rows.length, summary("link").modes.length);
    assert.equal(await page.locator("#modes").count(), 0);
  },

  async every_folder_has_its_page_without_gaps(browser) {
    await rowsOf(browser, "compare");
    assert.deepEqual([...seen].sort(), [...names].sort());
  },
});
