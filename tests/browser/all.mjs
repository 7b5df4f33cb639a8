// All tests of the pages in one Chromium: node tests/browser/all.mjs [word ...], files with one of the words in their name.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { runFiles } from "./browser.mjs";

const words = process.argv.slice(2);
const files = readdirSync(dirname(fileURLToPath(import.meta.url))).filter((name) => /^test_.*\.mjs$/.test(name)).sort();
await runFiles(files.filter((name) => !words.length || words.some((word) => name.includes(word))).map((name) => new URL(name, import.meta.url).href));
