// The report of a run with flexible links and joints with clearance: their tables, warnings, pictures.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, openPlain, paintedPlots, pkm, root, run } from "./browser.mjs";

// Thin rods come near buckling, and the law of contact is outside its range: two warnings.
const irb = join(root, "robots/irb340.yaml");
const rods = ["--flexible", "left: {modes: 4, places: [0.25]}", "--flexible", "right: {modes: 4}"];
pkm("simulate", irb, "--set", "d=7 mm", ...rods, "--clearance", "A.left1: {radial: 20 um, radius: 5 mm, stiffness: 1e10, restitution: 0.4, start: centred}",
  "--for", "35 ms", "--instants", "101", "-o", "both");
pkm("simulate", join(root, "robots/siax.yaml"), "--clearance", "spherical: {radial: 0.1 mm, fidelity: seated}", "--instants", "51", "-o", "seated");
for (const name of ["both", "seated"]) pkm("report", name);
const summary = JSON.parse(readFileSync(join(folder, "both/summary.json"), "utf8"));

let page;
const text = (selector) => page.locator(selector).innerText();

await run({
  async warnings_stand_before_everything_else(browser) {
    page = await openPlain(browser, join(folder, "both/report.html"), { width: 1280, height: 720 }, { sharp: true });
    assert.deepEqual(summary.warnings.map((w) => w.kind), ["flexible", "contact"]);
    const said = await text(".notices");
    for (const warning of summary.warnings.map((w) => w.text)) assert.ok(said.includes(warning.slice(1)), warning);
    const top = (selector) => page.locator(selector).evaluate((e) => e.getBoundingClientRect().top);
    assert.ok((await top(".notices")) < (await top("#asked")));
    assert.deepEqual(page.complaints, []);
  },

  async every_link_has_its_row() {
    const rows = await page.locator("#bends .table").first().locator("tbody tr").allInnerTexts();
    assert.equal(rows.length, 6);
    const places = await page.locator("#bends .table").nth(1).locator("tbody tr").allInnerTexts();
    assert.equal(places.length, 3);
    assert.ok(places[0].includes((1e3 * summary.flexible_links[0].places[0].deflection).toPrecision(4)), places[0]);
    summary.flexible_links.forEach((link, k) => {
      for (const value of [1e3 * link.deflection, 1e-6 * link.stress, link.axial]) assert.ok(rows[k].includes(value.toPrecision(4)), `${link.name} ${value} in ${rows[k]}`);
      assert.ok(rows[k].endsWith(link.buckling > 0 ? `${(100 * link.buckling).toPrecision(3)} %` : "none"), rows[k]);
    });
    const plots = (await paintedPlots(page)).filter(({ title }) => ["Mid-span deflection", "Axial force", "Largest stress"].includes(title));
    assert.equal(plots.length, 3);
    for (const { title, painted } of plots) assert.ok(painted > 300, `${title}: ${painted} pixels`);
  },

  async every_journal_has_its_row() {
    const [contact] = summary.contacts, rows = await page.locator("#clearance .table tbody tr").allInnerTexts();
    assert.equal(rows.length, 1);
    for (const part of [contact.joint, String(contact.touches), contact.largest_force.value.toPrecision(4)]) assert.ok(rows[0].includes(part), `${part} in ${rows[0]}`);
    assert.match(await page.locator("#clearance .shares").getAttribute("aria-label"), /flight [\d.]+ %/);
    for (const name of ["contacts", "orbits"])
      assert.ok(await page.locator(`#clearance img.for-light[alt="${name}"]`).evaluate((image) => image.complete && image.naturalWidth > 100), name);
  },

  async strain_is_in_the_ledger() {
    const said = await text("#energy");
    assert.match(said, /Change of strain energy/);
    assert.match(said, /^strain$/m); // the area over time
  },

  async nothing_is_wider_than_a_phone() {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    assert.deepEqual(page.complaints, []);
  },

  async seated_play_tells_its_reversals(browser) {
    page = await openPlain(browser, join(folder, "seated/report.html"), { width: 1280, height: 720 }, { sharp: true });
    const seated = JSON.parse(readFileSync(join(folder, "seated/summary.json"), "utf8"));
    assert.equal(await page.locator("#clearance .table tbody tr").count(), Math.min(seated.n_reversals, 40));
    assert.equal(await page.locator(".notices").count(), 0);
    assert.deepEqual(page.complaints, []);
  },
});
