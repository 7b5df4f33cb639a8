// What the browser tests share: Chromium without a network, a page that keeps its complaints, checks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = createRequire(join(root, "web/package.json"))("playwright-core");
const program = process.env.PKM ?? join(root, "build/release/pkm");

/// A folder that goes with the process.
export const folder = mkdtempSync(join(tmpdir(), "pkm-browser-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const pkm = (...args) => execFileSync(program, args, { cwd: folder, encoding: "utf8" });

export const launch = () => chromium.launch({
  executablePath: process.env.PKM_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

/// Open `file` as a double click would, without a network. `page.complaints` collects errors of the
/// console and everything that was asked from elsewhere.
export async function open(browser, file, viewport = { width: 1280, height: 720 }) {
  const context = await browser.newContext({ viewport, offline: true });
  context.setDefaultTimeout(Number(process.env.PKM_TIMEOUT ?? 120000)); // machines that test are busy
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(String(error.stack)));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(file|data|blob):/.test(url) || (url.startsWith("file:") && url !== page.home)) page.complaints.push(`asked for ${url.slice(0, 200)}`);
  });
  return show(page, file);
}

/// Show another file in the same page.
export async function show(page, file) {
  page.home = pathToFileURL(file).href;
  await page.goto(page.home);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return page;
}

/// How many pixels of each plot are in the colours of curves: neither white, grey nor transparent.
export const paintedPlots = (page) => page.evaluate(() => [...document.querySelectorAll(".plot canvas")].map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let painted = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3] > 200 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40) ++painted;
  return { title: canvas.closest(".plot").querySelector(".plot-title").textContent, painted };
}));

/// A number that changes with what the stage shows, and how many of its pixels are not the background.
export const stagePixels = (page) => page.evaluate(async () => {
  const canvas = document.querySelector(".view canvas");
  const copy = document.createElement("canvas");
  Object.assign(copy, { width: 300, height: 200 });
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0, 300, 200);
  const { data } = context.getImageData(0, 0, 300, 200);
  let sum = 0, painted = 0;
  for (let i = 0; i < data.length; i += 4) {
    sum = (sum * 31 + data[i] + 3 * data[i + 1] + 7 * data[i + 2] + data[i + 3]) % 1000000007;
    if (data[i + 3] > 200) ++painted;
  }
  return { sum, painted };
});

/// Run the tests one after the other in one browser; the first that fails ends the process with 1.
export async function run(tests) {
  const browser = await launch();
  try {
    for (const [name, test] of Object.entries(tests)) {
      if (process.env.PKM_ONLY && !name.includes(process.env.PKM_ONLY)) continue;
      const start = Date.now();
      await test(browser);
      console.log(`ok ${name.replaceAll("_", " ")} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    }
  } finally {
    await browser.close();
  }
}

export { assert };
