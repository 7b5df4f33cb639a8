// Browsers in which something is missing get a sentence or a way around it; how long a picture takes is printed.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { assert, leave, newContext, open, pkm, root, run, small, view } from "./browser.mjs";

const siax = join(root, "robots/siax.yaml");

/// Open with something taken away; waits until the page has started, or has said why not.
async function openWithout(browser, code) {
  const context = await newContext(browser, { viewport: small }), page = await context.newPage();
  page.broken = [];
  page.on("pageerror", (error) => page.broken.push(String(error)));
  await page.addInitScript(code);
  await page.goto(pathToFileURL(view(siax)).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  return page;
}

await run({
  async without_webgl_numbers_and_runs_work(browser) {
    const page = await openWithout(browser, `const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /webgl/.test(kind) ? null : get.call(this, kind, ...rest); };`);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), "yes");
    assert.match(await page.locator(".no-picture").textContent(), /has no WebGL.*Numbers and runs work all the same/);
    await page.evaluate(() => window.pkmView.lead("tool", [0.1, 0, -0.9, ...window.pkmView.frame.tool.slice(3)]));
    const now = await page.evaluate(() => window.pkmView.state());
    JSON.parse(pkm("ik", siax, "--at", "0.1,0,-0.9", "--json")).drives.position.forEach((q, d) => assert.ok(Math.abs(q - now.drives[d]) < 1e-9));
    await page.evaluate(async () => {
      const panel = window.pkmView.runPanel;
      panel.kind.value = "inverse";
      panel.instants.value = "21";
      await panel.run();
    });
    assert.equal(await page.evaluate(() => window.pkmView.runPanel.last.rows >= 21), true);
    assert.deepEqual(page.broken, []);
    await page.context().close();
  },

  async without_webassembly_or_unpacking_the_page_says_so(browser) {
    for (const [code, words] of [["delete window.WebAssembly", /cannot start: this browser has no WebAssembly/], ["delete window.DecompressionStream", /cannot start: this browser cannot unpack the engine \(no DecompressionStream\); a newer one can/]]) {
      const page = await openWithout(browser, code);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), "no");
      assert.match(await page.locator(".fault").textContent(), words);
      assert.deepEqual(page.broken, []);
      await page.context().close();
    }
  },

  async without_saving_a_file_is_shown_in_a_tab(browser) {
    const page = await openWithout(browser, `delete HTMLAnchorElement.prototype.download;
      window.open = (url) => (window.shown = url, window);`);
    await page.evaluate(() => window.pkmView.record.model());
    assert.match(await page.locator(".toast").textContent(), /cannot save files from a page: siax\.yaml is in a new tab/);
    assert.match(await page.evaluate(() => window.shown), /^blob:/);
    // without a recorder the page says so too
    await page.evaluate(() => { delete window.MediaRecorder; window.pkmView.record.film(); });
    assert.match(await page.locator(".toast").textContent(), /cannot record/);
    assert.deepEqual(page.broken, []);
    await page.context().close();
  },

  async pictures_are_quick(browser) {
    const page = await open(browser, view(siax), small, { drawn: true });
    await page.evaluate(async () => {
      window.pkmView.scene3.cost = null;
      for (let k = 0; k < 20; ++k) await window.pkmView.lead("drives", [0.01 * k, 0, 0]).then(() => new Promise(requestAnimationFrame));
    });
    const { time, n } = await page.evaluate(() => window.pkmView.scene3.cost);
    console.log(`   a picture takes ${(time / n).toFixed(2)} ms of our code`);
    assert.ok(n > 0);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },
});
