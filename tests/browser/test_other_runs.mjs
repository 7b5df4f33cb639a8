// Folders of verbs that have no motion, or no table: their reports show what there is.
import { join } from "node:path";
import { assert, folder, open, paintedPlots, pkm, root, run } from "./browser.mjs";

const robot = (name) => join(root, `robots/${name}.yaml`);
pkm("workspace", robot("siax"), "--points", "11", "-o", "workspace");
pkm("elastodynamics", robot("kuo"), "--motion", "paper", "--step", "10 ms", "-o", "elastodynamics");
pkm("inverse", robot("siax"), "--instants", "51", "-o", "siax");
pkm("modes", robot("siax"), "--drives", "70 deg, 41 deg, -36 deg", "--modes", "3", "-o", "modes");
pkm("analyse", "siax/table.csv", "--column", "P.x", "-o", "analyse");
for (const name of ["workspace", "elastodynamics", "analyse", "modes"]) pkm("report", name);

const shown = async (browser, name) => {
  const page = await open(browser, join(folder, name, "report.html"), { width: 1280, height: 720 }, { sharp: true });
  assert.deepEqual(page.complaints, []);
  return page;
};

await run({
  async a_workspace_shows_its_map(browser) {
    const page = await shown(browser, "workspace");
    assert.ok(await page.locator(".pictures img").first().evaluate((image) => image.complete && image.naturalWidth > 100));
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
    assert.ok(await page.locator(".pictures img").first().evaluate((image) => image.complete && image.naturalWidth > 100));
  },

  async spectra_are_shown_without_a_table(browser) {
    const page = await shown(browser, "analyse");
    assert.ok((await page.locator(".pictures img").count()) >= 1);
  },
});
