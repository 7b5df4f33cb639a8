// The picture of a report in the README, docs/pictures/report.png:
//
//     node tools/report_picture.mjs
//
// SIAX with rods that bend, at an instant of its motion, in Chromium at 1280 x 600.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { chromium } = createRequire(join(root, "web/package.json"))("playwright-core");
const pkm = process.env.PKM ?? join(root, "build/release/pkm");
const out = join(root, "docs/pictures/report.png");
const folder = mkdtempSync(join(tmpdir(), "pkm-picture-"));

try {
  const bend = "{elements: 8, modes: 8, damping: adams}";
  execFileSync(pkm, ["simulate", join(root, "robots/siax.yaml"), "--flexible", `left: ${bend}`, "--flexible", `right: ${bend}`,
    "--friction", "spherical: {static: 0.11, dynamic: 0.084, radius: 10 mm}", "-o", folder]);
  execFileSync(pkm, ["report", folder]);
  const browser = await chromium.launch({ executablePath: process.env.PKM_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 590 } });
  await page.goto(pathToFileURL(join(folder, "report.html")).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  await page.locator(".play").click();
  const set = (selector, value) => page.locator(selector).evaluate((input, v) => {
    input.value = String(v);
    input.dispatchEvent(new Event("input"));
  }, value);
  await set('input[aria-label^="Magnification"]', Math.log10(150));
  await set(".scrub", 0.128);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: out });
  await browser.close();
  console.log(`${out}: ${Math.round(statSync(out).size / 1000)} kB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
