// Folders of verbs that have no motion, or no table: their reports show what there is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, paintedPlots, pkm, reports, root, run } from "./browser.mjs";

const robot = (name) => join(root, `robots/${name}.yaml`);
pkm("workspace", robot("siax"), "--points", "11", "-o", "workspace");
pkm("elastodynamics", robot("kuo"), "--motion", "paper", "--step", "10 ms", "-o", "elastodynamics");
pkm("inverse", robot("siax"), "--instants", "51", "-o", "siax");
pkm("modes", robot("siax"), "--drives", "70 deg, 41 deg, -36 deg", "--modes", "3", "-o", "modes");
pkm("analyse", "siax/table.csv", "--column", "P.x", "-o", "analyse");
for (const name of ["workspace", "elastodynamics", "analyse", "modes"]) pkm("report", name);

/// The page of a folder; with the robot where a test grasps it.
const go = reports();
const shown = async (browser, name) => {
  const page = await go(browser, name, { picture: ["workspace", "elastodynamics"].includes(name) });
  assert.deepEqual(page.complaints, []);
  return page;
};

await run({
  async a_workspace_shows_its_map(browser) {
    const page = await shown(browser, "workspace");
    assert.ok(await page.locator(".pictures img.for-light").first().evaluate((image) => image.complete && image.naturalWidth > 100));
  },

  async a_response_shows_its_curves(browser) {
    const page = await shown(browser, "elastodynamics");
    const plots = await paintedPlots(page);
    assert.ok(plots.length >= 2 && plots.every(({ painted }) => painted > 200));
  },

  async modes_say_which_link_does_it(browser) {
    const page = await shown(browser, "modes");
    const rows = await page.locator("#modes tbody tr").allInnerTexts();
    assert.equal(rows.length, 3);
    assert.match(rows[0], /^1\s+37\.0318\s+232\.677\s+70 %.*B\.(left|right) stretch 22 %/s);
    assert.match(await page.locator("#asked").innerText(), /70 deg, 41 deg/);
    assert.ok(await page.locator(".pictures img.for-light").first().evaluate((image) => image.complete && image.naturalWidth > 100));
  },

  /// Reports without a motion have the robot too: it stands at home and can be led from there.
  async their_robots_stand_at_home_and_can_be_grasped(browser) {
    for (const [name, file] of [["workspace", "siax"], ["elastodynamics", "kuo"]]) {
      const page = await shown(browser, name);
      const { bodies, film, tool: { body, at } } = JSON.parse(readFileSync(join(folder, name, "scene.json"), "utf8"));
      assert.deepEqual([film.t, film.poses[0].length], [[0], bodies.length - 1]);
      assert.equal(await page.locator(".scrub").isVisible(), false);
      if (!readFileSync(join(folder, name, "report.html"), "utf8").includes('id="data-engine"')) return console.log("   the engine of the page was not built");
      const drawn = await page.evaluate(([b, p]) => {
        const { groups } = window.pkmHold.scene3;
        return groups[b].localToWorld(groups[b].position.clone().set(...p)).toArray();
      }, [body, at]);
      await page.click("#grasp");
      await page.waitForFunction(() => window.pkmHold.on);
      const state = () => page.evaluate(() => ({ tool: [...window.pkmHold.frame.tool], drives: [...window.pkmHold.frame.drives] }));
      const home = await state();
      drawn.forEach((v, k) => assert.ok(Math.abs(v - home.tool[k]) < 1e-6, `${name}: drawn at ${drawn}, home is ${home.tool}`));
      const by = [0.02, -0.01, 0.015].map((v) => v * Math.min(1, Math.abs(home.tool[2])));
      await page.evaluate(([b, v]) => window.pkmHold.grasp.drawBy(b, [0, 0, 0], v), [body, by]);
      const now = await state(), moved = Math.hypot(...by.map((_, k) => now.tool[k] - home.tool[k]));
      assert.ok(Math.abs(moved - Math.hypot(...by)) < 1e-9, `${name}: led by ${moved}`);
      const want = JSON.parse(pkm("ik", robot(file), "--at", now.tool.slice(0, 3).map((v) => v.toPrecision(17)).join(","), "--json")).drives.position;
      want.forEach((q, d) => assert.ok(Math.abs(q - now.drives[d]) < 1e-9, `${name}, drive ${d}: ${q} ${now.drives[d]}`));
      assert.deepEqual(page.complaints, []);
    }
  },

  async spectra_are_shown_without_a_table(browser) {
    const page = await shown(browser, "analyse");
    assert.ok((await page.locator(".pictures img").count()) >= 1);
  },
});
