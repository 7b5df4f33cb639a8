// Live runs: the simulation in slices, whose tool is pushed. Truth: the program's run with the same force as a load.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, leave, open, openPlain, pkm, root, run, small, view } from "./browser.mjs";

const siax = join(root, "robots/siax.yaml");

/// Choose computed torque in the panel and begin a live run that waits for steps.
const begin = (page) => page.evaluate(async () => {
  const app = window.pkmView, panel = app.runPanel;
  app.choose("run");
  panel.control.mode.value = "computed_torque";
  panel.changed();
  await panel.runLive({ auto: false });
  return panel.text();
});

/// Steps of 5 ms with a force on the tool: t and place of the tool after each.
const go = (page, n, force) => page.evaluate(async ([count, push]) => {
  const { live, robot: { scene } } = window.pkmView, out = [];
  live.push(push);
  const at = ["x", "y", "z"].map((axis) => live.run.columns.findIndex((c) => c.name === `${scene.tool.name}.${axis}`));
  for (let k = 0; k < count; ++k) {
    const { row } = await live.step(0.005);
    out.push([row[0], ...at.map((c) => row[c])]);
  }
  return out;
}, [n, force]);

await run({
  async a_pushed_tool_moves_as_the_program_says(browser) {
    const page = await openPlain(browser, view(siax), small);
    const text = await begin(page), force = [120, -60, 40];
    const rows = await go(page, 40, force);
    writeFileSync(join(folder, "push.yaml"), `${text.replace(/^instants:.*$/m, "instants: 41")}for: 0.2 s\nloads:\n  hand: {force: [${force.map((f) => `${f} N`).join(", ")}], at: platform.P}\n`);
    pkm("simulate", siax, "--run", "push.yaml", "-o", "push");
    const [head, ...lines] = readFileSync(join(folder, "push/table.csv"), "utf8").trim().split("\n");
    const names = head.split(","), want = lines.map((line) => line.split(",").map(Number));
    const at = ["x", "y", "z", "dp"].map((axis) => names.indexOf(`P.${axis} [m]`));
    rows.forEach(([t, ...p], k) => {
      assert.ok(Math.abs(t - want[k + 1][0]) < 1e-12);
      p.forEach((v, axis) => assert.ok(Math.abs(v - want[k + 1][at[axis]]) < 1e-9, `${t} s: ${v} ${want[k + 1][at[axis]]}`));
    });
    assert.ok(want[40][at[3]] > 1e-3, "it yields");
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async it_yields_and_returns(browser) {
    const page = await openPlain(browser, view(siax), small);
    await begin(page);
    const still = (await go(page, 120, [0, 0, 0])).at(-1), held = (await go(page, 60, [200, 0, 0])).at(-1), back = (await go(page, 200, [0, 0, 0])).at(-1);
    const off = (a, b) => Math.hypot(...[1, 2, 3].map((k) => a[k] - b[k]));
    assert.ok(off(held, still) > 0.01, `it yields by ${off(held, still)} m`);
    assert.ok(off(back, still) < 1e-6, `it comes back to ${off(back, still)} m`);
    const ended = await page.evaluate(async () => (await window.pkmView.runPanel.endLive()).rows);
    assert.equal(ended, 380);
    assert.ok(await page.evaluate(() => window.pkmView.runPanel.film !== null), "it can be looked at again");
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async the_mouse_pulls_at_the_tool(browser) {
    const page = await open(browser, view(siax), { width: 900, height: 600 });
    await page.evaluate(() => {
      window.pkmView.choose("run");
      window.pkmView.runPanel.control.mode.value = "computed_torque";
      window.pkmView.runPanel.changed();
    });
    await page.click("#live");
    await page.waitForFunction(() => window.pkmView.live.on && window.pkmView.live.run.rows > 3);
    await page.evaluate(async () => { // the robot waits for the hand
      window.pkmView.runPanel.speed.value = "0.01";
      for (let k = 0; k < 5; ++k) await new Promise((done) => requestAnimationFrame(done));
    });
    const [x, y] = await page.evaluate(() => {
      const { live, scene3, view: element } = window.pkmView, at = live.tip.clone().project(scene3.camera), box = element.getBoundingClientRect();
      return [box.left + (0.5 + 0.5 * at.x) * box.width, box.top + (0.5 - 0.5 * at.y) * box.height];
    });
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.waitForFunction(() => window.pkmView.grasp.pulling);
    await page.mouse.move(x + 60, y - 20, { steps: 3 });
    await page.evaluate(() => { window.pkmView.runPanel.speed.value = "1"; });
    await page.waitForFunction(() => window.pkmView.live.mark !== null && window.pkmView.live.hand[0] > 0);
    assert.match(await page.locator(".result").textContent(), /Your hand: .*N/);
    await page.mouse.up();
    await page.waitForFunction(() => window.pkmView.live.mark === null);
    await page.click("#cancel");
    await page.waitForFunction(() => window.pkmView.runPanel.film && !window.pkmView.runPanel.running);
    assert.ok((await page.evaluate(() => window.pkmView.runPanel.last.csv())).split("\n").length > 5);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },
});
