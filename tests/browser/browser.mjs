// What the browser tests share: one Chromium without a network, pages that keep their complaints, checks.
//
//     node tests/browser/all.mjs [word ...]     the files with one of the words in their name, or all
//     PKM_ONLY=word                             only tests with this word in their name
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

const nothing = join(folder, "nothing.html");
writeFileSync(nothing, "<!doctype html>");

export const pkm = (...args) => execFileSync(program, args, { cwd: folder, encoding: "utf8" });

/// Thrown where something that a test needs is not on this machine.
export class Skip extends Error {}

/// The page of a model; made once for the same options.
const made = new Map();
export function view(model, ...options) {
  const key = [model, ...options].join(" ");
  if (made.has(key)) return made.get(key);
  const file = join(folder, `view-${made.size}.html`);
  try {
    pkm("view", model, "--no-open", "-o", file, ...options);
  } catch (error) {
    if (!String(error.stderr).includes("without the engine")) throw error;
    throw new Skip("the engine of the page was not built");
  }
  made.set(key, file);
  return file;
}

/// Pictures are drawn by software: the fewer pixels, the quicker. `sharp` where the picture matters.
export const small = { width: 640, height: 440 };

const chosen = { executablePath: process.env.PKM_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--renderer-process-limit=2",
    "--disable-gpu-compositing", "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas"] }; // pages by the processor at once, not by a GPU that it plays
let browser = null; // one for all files of this process
export const launch = async () => (browser ??= await chromium.launch(chosen));

/// What a browser without WebGL answers. Everything works there but the picture (test_view_missing.mjs), which costs half of what a page does.
const withoutPicture = () => {
  const own = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return /^webgl/.test(kind) ? null : own.call(this, kind, ...rest); };
};

/// Programs, buffers and state of WebGL, but no pixels: the page works at its picture, the software that stands in for a GPU does not.
const withoutPixels = () => {
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) WebGL2RenderingContext.prototype[name] = () => {};
};

/// A context of its own: no network, half the pixels, nothing that plays by itself, time enough on machines that are busy. Tests that
/// ask for numbers and words alone can do without the picture in space; only where they look at it (`drawn`) its pixels are computed.
export async function newContext(of, { sharp = false, picture = true, drawn = sharp, ...options } = {}) {
  const context = await of.newContext({ offline: true, reducedMotion: "reduce", deviceScaleFactor: sharp ? 1 : 0.5, ...options });
  if (!picture) await context.addInitScript(withoutPicture);
  else if (!drawn) await context.addInitScript(withoutPixels);
  context.setDefaultTimeout(Number(process.env.PKM_TIMEOUT ?? 120000));
  return context;
}

/// Pages that tests have left, by what they were opened with: a new one, with a process of its own, costs three times as much as another file in it.
const left = new Map();

/// Open `file` as a double click would, without a network. `page.complaints` collects errors of the
/// console and everything that was asked from elsewhere.
export async function open(of, file, viewport = small, { picture = true, init = null, ...options } = {}) {
  const kind = JSON.stringify([picture, String(init), options]);
  const page = left.get(kind)?.pop() ?? await newPage(of, kind, { viewport, picture, init, ...options });
  page.complaints = [];
  await page.setViewportSize(viewport);
  return show(page, file);
}

async function newPage(of, kind, { picture, init, ...options }) {
  const page = await (await newContext(of, { picture, ...options })).newPage();
  page.kind = kind;
  if (init) await page.addInitScript(init);
  page.on("console", (message) => message.type() === "error" && (picture || !message.text().includes("WebGL context")) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(String(error.stack)));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(file|data|blob):/.test(url) || (url.startsWith("file:") && url !== page.home)) page.complaints.push(`asked for ${url.slice(0, 200)}`);
  });
  return page;
}

/// A page that is not needed any more may be another test's. What runs in it ends.
export async function leave(page) {
  await page.evaluate(() => localStorage.clear());
  page.home = pathToFileURL(nothing).href;
  await page.goto(page.home);
  left.set(page.kind, [...(left.get(page.kind) ?? []), page]);
}

/// The same without the picture in space, for tests that ask for numbers, words and what is pressed.
export const openPlain = (of, file, viewport = small, options = {}) => open(of, file, viewport, { picture: false, ...options });

/// Reports of folders, one after the other in one page: `shown(of, name, options)` opens what is not open.
export function reports() {
  let page = null, here = null;
  return async (of, name, options = {}) => {
    if (name === here) return page;
    if (page) await leave(page);
    here = name;
    return (page = await open(of, join(folder, name, "report.html"), small, { picture: false, ...options }));
  };
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
  window.pkmStage?.draw(); // now, not when the browser finds time
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

/// Seconds of a processor that this process and all below it, Chromium above all, have used; NaN where there is no /proc.
function processorTime() {
  try {
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
      try {
        const part = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" "); // from the state on
        return [{ pid: Number(pid), parent: Number(part[1]), ticks: part.slice(11, 15).reduce((sum, v) => sum + Number(v), 0) }]; // own and of children that have ended
      } catch {
        return []; // it has just ended
      }
    });
    const below = (pid) => all.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.ticks + below(child.pid), 0);
    return (below(process.pid) + all.find(({ pid }) => pid === process.pid).ticks) / 100;
  } catch {
    return NaN;
  }
}

const count = { passed: 0, failed: 0, skipped: 0 };

/// Run the tests one after the other in the one browser; what they have opened and not left is closed.
export async function run(tests) {
  const of = await launch();
  for (const [name, test] of Object.entries(tests)) {
    if (process.env.PKM_ONLY && !name.includes(process.env.PKM_ONLY)) continue;
    const start = Date.now(), words = name.replaceAll("_", " ");
    try {
      const used = processorTime();
      await test(of);
      ++count.passed;
      console.log(`ok ${words} (${((Date.now() - start) / 1000).toFixed(1)} s, ${(processorTime() - used).toFixed(1)} s of a processor)`);
    } catch (error) {
      if (error instanceof Skip) throw error;
      ++count.failed;
      console.log(`FAILED ${words} (${((Date.now() - start) / 1000).toFixed(1)} s)\n${error.stack}`);
    }
  }
  const kept = new Set([...left.values()].flat().map((page) => page.context()));
  for (const context of of.contexts()) if (!kept.has(context)) await context.close();
}

/// Run files of tests, then close the browser. Ends with 1 after a failure, 77 where nothing could be run.
export async function runFiles(urls) {
  try {
    for (const url of urls)
      try {
        await import(url);
      } catch (error) {
        if (!(error instanceof Skip)) throw error;
        ++count.skipped;
        console.log(`skipped ${url.split("/").pop()}: ${error.message}`);
      }
  } finally {
    console.log(`${processorTime().toFixed(0)} s of a processor`);
    await browser?.close();
  }
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} files skipped`);
  process.exitCode = count.failed ? 1 : count.passed ? 0 : 77;
}

export { assert };
