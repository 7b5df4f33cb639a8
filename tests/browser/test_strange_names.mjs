// Texts of a model that look like markup are shown as text.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, openPlain, pkm, root, run } from "./browser.mjs";

const evil = `</script><script>document.title="caught"</script><img src=x onerror="document.title='caught'"><!-- & \\" \u2028`;
const model = readFileSync(join(root, "robots/five-bar.yaml"), "utf8").replace(/^name: .*$/m, `name: ${JSON.stringify(evil)}`);
writeFileSync(join(folder, "evil.yaml"), model);
pkm("inverse", "evil.yaml", "--instants", "11", "-o", "evil");
pkm("report", "evil", "-o", "page.html");

await run({
  async markup_in_names_is_text(browser) {
    const page = await openPlain(browser, join(folder, "page.html"), { width: 1280, height: 720 }, { sharp: true });
    assert.equal(await page.locator("h1").textContent(), evil);
    assert.ok(!(await page.title()).startsWith("caught"));
    assert.equal(await page.locator("main img, h1 *").count(), 0);
    assert.deepEqual(page.complaints, []);
  },
});
