// The page for everybody: keyboard, screen readers, phones; the guided tour.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, leave, newContext, open, openPlain, pkm, root, run, view } from "./browser.mjs";

const file = view(join(root, "robots/siax.yaml"));
const script = (path) => readFileSync(join(root, "web/node_modules", path), "utf8");

/// What axe finds wrong, serious or worse.
const faults = (page) => page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations
  .filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 4).join(", ")}`));

/// Open with a script of the tests inside: the policy of the page lets none in from outside.
async function openWith(browser, code, options) {
  const context = await newContext(browser, { bypassCSP: true, ...options });
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(String(error.stack)));
  await page.addInitScript(code);
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return page;
}

await run({
  async screen_readers_find_their_way(browser) {
    const page = await openWith(browser, script("axe-core/axe.min.js"), { picture: false, viewport: { width: 1000, height: 700 } });
    for (const theme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      for (const tab of ["drive", "run", "change", "map"]) {
        await page.evaluate((id) => window.pkmView.choose(id), tab);
        assert.deepEqual(await faults(page), [], `${tab}, ${theme}`);
      }
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  },

  async keys_lead_the_robot(browser) {
    const page = await openPlain(browser, file, { width: 900, height: 600 });
    const tool = () => page.evaluate(() => window.pkmView.state().tool);
    const before = await tool(), size = await page.evaluate(() => window.pkmView.robot.size);
    await page.locator("canvas").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((x) => window.pkmView.state().tool[0] !== x, before[0]);
    assert.ok(Math.abs((await tool())[0] - before[0] - 0.01 * size) < 1e-9);
    await page.keyboard.press("h");
    await page.waitForFunction((x) => window.pkmView.state().tool[0] === x, before[0]);
    await page.keyboard.press("4");
    assert.equal(await page.evaluate(() => window.pkmView.scene3.side), "top");
    await page.keyboard.press("z");
    assert.equal(await page.locator('[data-way="z"]').getAttribute("aria-checked"), "true");
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async sticks_lead_the_tool(browser) {
    const page = await openWith(browser, `const pad = { axes: [0, 0, 0, 0], buttons: [{ pressed: false }] };
      window.pad = pad;
      navigator.getGamepads = () => [pad];`, { viewport: { width: 640, height: 480 } });
    const before = await page.evaluate(() => window.pkmView.state().tool);
    await page.evaluate(() => {
      window.pad.axes = [1, 0.1, 0, -0.5];
      window.dispatchEvent(new Event("gamepadconnected"));
    });
    await page.waitForFunction((x) => window.pkmView.state().tool[0] > x + 0.02, before[0]);
    await page.evaluate(() => (window.pad.axes = [0, 0, 0, 0]));
    const after = await page.evaluate(() => window.pkmView.state().tool);
    assert.ok(after[2] > before[2], "up");
    assert.ok(Math.abs(after[1] - before[1]) < 1e-12, "a stick at rest does nothing");
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  },

  async phones_show_all_of_it(browser) {
    const page = await open(browser, file, { width: 390, height: 844 });
    for (const tab of ["drive", "run", "change", "map"]) {
      await page.click(`#tab-${tab}`);
      const wide = await page.evaluate(() => [...document.querySelectorAll("#view *")].filter((e) => !e.closest("[hidden]") && !e.closest(".editor, canvas, .view") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.className || e.tagName));
      assert.deepEqual(wide, [], tab);
    }
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async the_tour_leads_through_the_robot(browser) {
    const page = await openPlain(browser, file, { width: 900, height: 600 });
    await page.click("#tour");
    const idle = () => page.waitForFunction(() => window.pkmView.tour.busy === false);
    const seen = [];
    await idle();
    for (let k = 0; k < 5; ++k) {
      seen.push(await page.locator(".tour h2").textContent());
      await page.click("#tour-next");
      await idle();
    }
    assert.deepEqual(seen, ["The robot", "Lead it by hand", "Singularities", "Tool and drives", "The forces it needs"]);
    assert.equal(await page.locator(".tour h2").textContent(), "With friction");
    const { largest } = await page.evaluate(() => ({ largest: window.pkmView.runPanel.kept.peaks[4][0] }));
    pkm("simulate", join(root, "robots/siax.yaml"), "--instants", "201", "-o", "paper");
    const text = readFileSync(join(folder, "paper/summary.json"), "utf8");
    const peak = JSON.parse(text).peaks.find((p) => p.name === "qA.force");
    assert.ok(Math.abs(largest - peak.value) < 1e-9 * peak.value, `${largest} ${JSON.stringify(peak)}`);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  /// Kinematics of the 1PRRR+2PRPaR: 200 mm along each axis, q1 goes as far, q2 and q3 farther with the - roots.
  async the_tour_shows_the_papers_strokes(browser) {
    const model = join(root, "robots/prrr2prpar.yaml");
    const page = await openPlain(browser, view(model), { width: 900, height: 600 });
    await page.click("#tour");
    const idle = () => page.waitForFunction(() => window.pkmView.tour.busy === false);
    const next = async (title) => {
      for (await idle(); (await page.locator(".tour h2").textContent()) !== title; await idle()) await page.click("#tour-next");
      return page.locator(".tour p").first().textContent();
    };
    const factors = [];
    for (const [title, sign] of [["Tool and drives", 1], ["The other working mode", -1]]) {
      const text = await next(title);
      pkm("inverse", model, "--set", `root=${sign}`, "--motion", "paper", "--instants", "201", "-o", `roots${sign}`);
      const [head, ...rows] = readFileSync(join(folder, `roots${sign}/table.csv`), "utf8").trim().split("\n").map((line) => line.split(","));
      const way = (name) => {
        const values = rows.map((row) => Number(row[head.indexOf(`${name} [m]`)]));
        return Math.max(...values) - Math.min(...values);
      };
      assert.match(text, /The tool goes 200.0\smm along x, 200.0\smm along y, 200.0\smm along z; the drives go q1 200.0\smm, as far as the tool along x/);
      for (const name of ["q2", "q3"]) {
        const [, said, times] = text.match(new RegExp(`${name} ([0-9.]+)\\smm, ([0-9.]+) times`));
        assert.ok(Math.abs(said - 1e3 * way(`${name}.q`)) < 6e-4 * said, `${name}: ${said} mm, ${way(`${name}.q`)} m`);
        assert.ok(Math.abs(times - way(`${name}.q`) / 0.2) < 6e-3 * times, `${name}: ${times}`);
        factors.push(Number(times));
      }
    }
    assert.ok(factors[2] > 1.5 && factors[3] > 1.5, "q2 and q3 go farther with the - roots");
    await next("The forces it needs");
    assert.equal(await page.evaluate(() => window.pkmView.robot.scene.parameters.find((p) => p.name === "root").value), 1);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },
});
