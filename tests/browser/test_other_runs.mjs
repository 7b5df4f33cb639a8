// Folders of verbs that have no motion, or no table: their reports show what there is.
import { join } from "node:path";
import { assert, folder, open, paintedPlots, pkm, root, run } from "./browser.mjs";

const robot = (name) => join(root, `robots/${name}.yaml`);
pkm("workspace", robot("siax"), "--points", "11", "-o", "workspace");
pkm("elastodynamics", robot("kuo"), "--motion", "paper", "--step", "10 ms", "-o", "elastodynamics");
pkm("inverse", robot("siax"), "--instants", "51", "-o", "siax");
pkm("analyse", "siax/table.csv", "--column", "P.x", "-o", "analyse");
for (const name of ["workspace", "elastodynamics", "analyse"]) pkm("report", name);

const shown = async (browser, name) => {
  const page = await open(browser, join(folder, name, "report.html"));
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

  async spectra_are_shown_without_a_table(browser) {
    const page = await shown(browser, "analyse");
    assert.ok((await page.locator(".pictures img").count()) >= 1);
  },
});
