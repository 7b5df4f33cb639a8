// Reports of studies in Chromium: a factorial, a sweep, and the overview of both.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, open, openPlain, paintedPlots, pkm, root, run, stagePixels } from "./browser.mjs";

const robot = join(root, "robots/siax.yaml");
writeFileSync(join(folder, "effects.yaml"), `
study: 1
description: Friction and a push, alone and together
robot: ${robot}
motion: paper
instants: 51
outputs:
  torque: {column: qA.dforce, measure: peak, label: largest torque beyond the ideal}
  error: {column: P.dp, measure: peak}
factors:
  friction:
    without: {}
    with: {friction: {spherical: {static: 0.11, dynamic: 0.084, radius: 10 mm}}}
  control:
    ideal: {}
    pd: {drives: {pd: {kp: 2e5, kd: 2e3}}}
`);
writeFileSync(join(folder, "masses.yaml"), `
study: 1
description: Mass of the payload
robot: ${robot}
analysis: inverse
motion: pick
instants: 51
outputs:
  torque: {column: qA.force, measure: peak, label: largest torque of A}
sweep:
  m5: [1 kg, 3 kg, 5 kg]
published:
  - {text: largest torque with 5 kg, output: torque, case: {m5: 5 kg}, value: 102 N m}
  - {text: a number that we do not meet, output: torque, case: {m5: 1 kg}, value: 500 N m, note: it is made up}
`);
mkdirSync(join(folder, "all"));
writeFileSync(join(folder, "rods.yaml"), `
study: 1
robot: ${robot}
analysis: inverse
motion: pick
instants: 21
outputs:
  torque: {column: qA.force, measure: peak}
sweep:
  l2: [1.106 m, 1.2 m]
`);
pkm("study", "rods.yaml", "-j", "2", "-o", "rods");
pkm("report", "rods");
for (const name of ["effects", "masses"]) {
  pkm("study", `${name}.yaml`, "-j", "2", "-o", `all/${name}`);
  pkm("report", `all/${name}`);
}
pkm("report", "all");

const drawn = async (page, least) => {
  const plots = await paintedPlots(page);
  assert.ok(plots.length >= least, `${plots.length} plots`);
  for (const { title, painted } of plots) assert.ok(painted > 300, `${title}: ${painted} pixels`);
};

await run({
  async a_factorial_shows_effects_and_couplings(browser) {
    const page = await open(browser, join(folder, "all/effects/report.html"), { width: 1280, height: 720 }, { sharp: true });
    await drawn(page, 4);
    assert.match(await page.locator("#effects").innerText(), /friction × control/);
    // values far below the others of their chart have a unit of their own
    const values = await page.locator("#effects .bar-value").allInnerTexts();
    assert.deepEqual(values.filter((text) => /^−?0\.00/.test(text)), []);
    assert.ok(values.some((text) => / (m|µ|n)/.test(text)), values.join(", "));
    assert.match(await page.locator("#couplings").innerText(), /(above|below|as) the sum/);
    assert.match(await page.locator("#results").innerText(), /friction with, control pd/);
    assert.ok((await stagePixels(page)).painted > 2000, "the robot is drawn");
    const before = await page.locator(".key").innerText();
    await page.locator(".extra select").selectOption({ label: "ideal" });
    assert.notEqual(await page.locator(".key").innerText(), before, "another case is shown");
    assert.deepEqual(page.complaints, []);
  },

  async a_sweep_shows_response_curves_and_published_values(browser) {
    const page = await openPlain(browser, join(folder, "all/masses/report.html"), { width: 1280, height: 720 }, { sharp: true });
    await drawn(page, 2);
    const published = await page.locator("#published").innerText();
    assert.match(published, /agrees/);
    assert.match(published, /differs\s+It is made up\./);
    assert.ok((await page.pdf({ preferCSSPageSize: true })).length > 20000);
    assert.deepEqual(page.complaints, []);
  },

  async the_robot_of_each_case_can_be_grasped(browser) {
    const file = join(folder, "rods/report.html");
    if (!readFileSync(file, "utf8").includes('id="data-engine"')) return console.log("   the engine of the page was not built");
    const page = await open(browser, file, { width: 900, height: 600 });
    for (const [label, length] of [["l2 = 1.106 m", "1.106 m"], ["l2 = 1.2 m", "1.2 m"]]) {
      await page.locator(".extra select").selectOption({ label });
      await page.click("#grasp");
      await page.waitForFunction(() => window.pkmHold.on);
      await page.evaluate(() => window.pkmHold.grasp.drawBy(window.pkmHold.robot.scene.tool.body, [0, 0, 0], [0.05, -0.03, 0.04]));
      const { tool, drives } = await page.evaluate(() => ({ tool: [...window.pkmHold.frame.tool], drives: [...window.pkmHold.frame.drives] }));
      const want = JSON.parse(pkm("ik", robot, "--set", `l2=${length}`, "--at", tool.slice(0, 3).map((v) => v.toPrecision(17)).join(","), "--json")).drives.position;
      want.forEach((q, d) => assert.ok(Math.abs(q - drives[d]) < 1e-9, `${label}, drive ${d}: ${q} ${drives[d]}`));
    }
    pkm("report", "rods", "--no-grasp", "-o", "rods.html");
    assert.ok(!readFileSync(join(folder, "rods.html"), "utf8").includes('id="data-engine"'));
    assert.deepEqual(page.complaints, []);
  },

  async the_overview_has_every_published_number_and_leads_to_the_studies(browser) {
    const page = await openPlain(browser, join(folder, "all/report.html"), { width: 1280, height: 720 }, { sharp: true });
    const text = await page.locator("main").innerText();
    for (const part of ["largest torque with 5 kg", "It is made up.", "1 of 2", "Friction and a push"]) assert.ok(text.includes(part), part);
    assert.equal(await page.locator("#studies a").first().getAttribute("href"), "effects/report.html");
    assert.deepEqual(page.complaints, []);
  },
});
