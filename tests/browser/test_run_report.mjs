// The report of a run in Chromium, opened from a file without a network.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, open, paintedPlots, pkm, root, run, stagePixels } from "./browser.mjs";

// Drives with a controller and friction, soft enough for the second method of --verify: deviations, tracking errors, losses, error bars.
pkm("simulate", join(root, "robots/siax.yaml"), "--motion", "pick", "--drive", "pd: {kp: 20000, kd: 300}", "--for", "0.1 s", "--instants", "101",
  "--friction", "spherical: {static: 0.11, dynamic: 0.084, radius: 10mm, bristle_stiffness: 300}", "--verify", "-o", "siax");
pkm("report", "siax");
const report = join(folder, "siax/report.html");

// One page for all tests: opening it takes seconds where the graphics are computed in software.
let page;
const time = (page) => page.locator(".scrub").evaluate((scrub) => Number(scrub.value));

await run({
  async everything_is_drawn_without_complaints(browser) {
    page = await open(browser, report, { width: 960, height: 600 }, { sharp: true, reducedMotion: "no-preference" });
    assert.equal(await page.title(), "Delta SIAX D3-1600 – Simulation, motion pick");
    const plots = await paintedPlots(page);
    assert.ok(plots.length >= 14, `${plots.length} plots`);
    for (const { title, painted } of plots) if (title !== "Residual of the balance") assert.ok(painted > 300, `${title}: ${painted} pixels`);
    assert.ok((await stagePixels(page)).painted > 2000, "the robot is drawn");
    assert.deepEqual(page.complaints, []);
  },

  async numbers_are_those_of_the_run() {
    const summary = JSON.parse(readFileSync(join(folder, "siax/summary.json"), "utf8"));
    const text = await page.locator("#values").innerText();
    for (const peak of summary.peaks.filter((p) => p.name.endsWith(".force"))) assert.ok(text.includes(peak.value.toPrecision(6)), `${peak.name} ${peak.value}`);
    assert.ok(text.includes("±"), "error bars");
    assert.match(await page.locator("#energy").innerText(), /Lost in friction/);
    assert.match(await page.locator("#files").innerText(), /SHA-256 [0-9a-f]{64}/);
  },

  async the_animation_plays_pauses_and_follows_the_scrubber() {
    const before = { t: await time(page), ...(await stagePixels(page)) };
    await page.waitForFunction((t) => Number(document.querySelector(".scrub").value) > t + 0.01, before.t, { timeout: 30000 });
    assert.notEqual((await stagePixels(page)).sum, before.sum, "the robot moves");
    await page.locator(".play").click();
    const paused = await time(page);
    await page.waitForTimeout(400);
    assert.equal(await time(page), paused);
    await page.locator(".scrub").evaluate((scrub) => {
      scrub.value = "0.04";
      scrub.dispatchEvent(new Event("input"));
    });
    assert.match(await page.locator(".time").innerText(), /^0\.0400 \/ 0\.1000 s$/);
  },

  async deviations_are_magnified() {
    const pixels = async (log10) => {
      await page.locator(".controls label input").evaluate((slider, value) => {
        slider.value = String(value);
        slider.dispatchEvent(new Event("input"));
      }, log10);
      return (await stagePixels(page)).sum;
    };
    const [small, large, again] = [await pixels(0), await pixels(2), await pixels(0)];
    assert.notEqual(small, large);
    assert.equal(small, again);
  },

  async dragging_in_one_plot_zooms_all() {
    const first = page.locator(".plot .u-over").first();
    await first.scrollIntoViewIfNeeded();
    const box = await first.boundingBox();
    const last = () => page.evaluate(() => document.querySelectorAll(".plot canvas")[3].toDataURL().length);
    const before = await last();
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(200);
    assert.notEqual(await last(), before);
    assert.deepEqual(page.complaints, []);
  },

  async the_robot_can_be_grasped() {
    if (!readFileSync(report, "utf8").includes('id="data-engine"')) return console.log("   the engine of the page was not built");
    await page.locator(".scrub").evaluate((scrub) => {
      scrub.value = "0.1";
      scrub.dispatchEvent(new Event("input"));
    });
    await page.click("#grasp");
    await page.waitForFunction(() => window.pkmHold.on);
    const tool = () => page.evaluate(() => ({ tool: [...window.pkmHold.frame.tool], drives: [...window.pkmHold.frame.drives] })), before = await tool();
    const last = readFileSync(join(folder, "siax/table.csv"), "utf8").trim().split("\n"), head = last[0].split(","), row = last.at(-1).split(",").map(Number);
    ["x", "y", "z"].forEach((axis, k) => assert.ok(Math.abs(before.tool[k] - row[head.indexOf(`P.${axis} [m]`)]) < 2e-2, "where the run is, but for what is magnified"));
    // by the mouse, then by a known vector
    const [x, y] = await page.evaluate(() => {
      const { scene3: stage, robot: { scene } } = window.pkmHold, group = stage.groups[scene.tool.body], box = stage.canvas.getBoundingClientRect();
      const at = group.localToWorld(group.position.clone().set(...scene.bodies[scene.tool.body].com)).project(stage.camera);
      return [box.left + (0.5 + 0.5 * at.x) * box.width, box.top + (0.5 - 0.5 * at.y) * box.height];
    });
    await page.mouse.move(x - 4, y);
    await page.mouse.move(x, y, { steps: 3 });
    await page.mouse.down();
    await page.mouse.move(x + 30, y - 10, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((from) => !window.pkmHold.grasp.held && Math.hypot(...from.map((v, k) => window.pkmHold.frame.tool[k] - v)) > 0.01, before.tool.slice(0, 3));
    await page.evaluate(() => window.pkmHold.grasp.drawBy(window.pkmHold.robot.scene.tool.body, [0, 0, 0], [0.03, 0.02, -0.04]));
    const now = await tool(), want = JSON.parse(pkm("ik", join(root, "robots/siax.yaml"), "--at", now.tool.slice(0, 3).map((v) => v.toPrecision(17)).join(","), "--json")).drives.position;
    want.forEach((q, d) => assert.ok(Math.abs(q - now.drives[d]) < 1e-9, `drive ${d}: ${q} ${now.drives[d]}`));
    await page.locator(".scrub").evaluate((scrub) => scrub.dispatchEvent(new Event("input")));
    assert.equal(await page.locator("#grasp").getAttribute("aria-pressed"), "false", "the run takes its robot back");
    assert.ok(statSync(report).size < 3e6);
    pkm("report", "siax", "--no-grasp", "-o", "plain.html");
    assert.ok(statSync(join(folder, "plain.html")).size < statSync(report).size - 5e5 && !readFileSync(join(folder, "plain.html"), "utf8").includes('id="data-engine"'));
    assert.deepEqual(page.complaints, []);
  },

  async it_prints_to_pages() {
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? [];
    assert.ok(pages.length >= 4 && pages.length <= 12, `${pages.length} pages`);
    assert.deepEqual(page.complaints, []);
  },

  async nothing_is_wider_than_a_phone() {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    assert.deepEqual(page.complaints, []);
  },
});
