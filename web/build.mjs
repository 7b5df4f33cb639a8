// Bundle src/ into one page and write it as C, for the program to carry:
//
//     node web/build.mjs OUT.c
//
// The page is page.html with the style and the script of src/ put in; the C array has it in the
// three pieces between which `pkm report` writes title and data.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];

async function bundle(entry, loader) {
  const result = await build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, write: false, format: "iife",
    target: "es2020", charset: "ascii", legalComments: "none", loader, outdir: "out", logLevel: "error",
  });
  return result.outputFiles[0].text.trim();
}

// Licences of what is bundled ask for their notice in copies.
const notice = "three.js: MIT, three.js authors. uPlot: MIT, Leon Sorokin. Inter: SIL OFL 1.1, The Inter Project Authors.";

function array(name, text) {
  const bytes = Buffer.from(text, "utf8");
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) lines.push(bytes.subarray(i, i + 32).join(",") + ",");
  return `static const unsigned char ${name}[] = {\n${lines.join("\n")}\n};\n`;
}

const script = await bundle("src/main.js", {});
const style = await bundle("src/style.css", { ".woff2": "dataurl" });
if (/<\/script/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own block");
const html = readFileSync(join(here, "page.html"), "utf8")
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script)
  .replace("<!--notice-->", () => `<!-- ${notice} -->`);
const [beforeTitle, rest] = html.split("<!--title-->");
const [beforeData, afterData] = rest.split("<!--data-->");

writeFileSync(out, `// Made by web/build.mjs from web/.
#include "cli/report_frame.h"

${array("before_title", beforeTitle)}${array("before_data", beforeData)}${array("after_data", afterData)}
const pkm_page_frame cli_report_frame = {before_title, before_data, after_data,
                                         {sizeof before_title, sizeof before_data, sizeof after_data}};
`);
