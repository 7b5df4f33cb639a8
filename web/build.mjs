// Bundle src/ into the pages that the program carries, and write them as C:
//
//     node web/build.mjs OUT.c [ENGINE.wasm]
//
// Two pages: page.html for `pkm report`, view.html for `pkm view`; style and script are put in. The C
// arrays have each in the three pieces between which the program writes title and data. Without the
// engine (tools/wasm.sh) the second page is empty, and `pkm view` says so.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [out, engine] = process.argv.slice(2);

/// Models to start from: name -> {title, text}.
function templates(folder) {
  const from = join(here, "..", folder), list = {};
  for (const file of readdirSync(from).filter((name) => name.endsWith(".yaml")).sort()) {
    const text = readFileSync(join(from, file), "utf8");
    list[file.slice(0, -5)] = { title: /^name: *"?([^"\n]*)/m.exec(text)?.[1] ?? file, text };
  }
  return list;
}

/// `import text from "worker:view/worker.js"`: a worker, bundled, as text; "templates:robots": models to start from;
/// "schema:pkm-model-1": a schema of files.
const workers = {
  name: "workers",
  setup(setup) {
    setup.onResolve({ filter: /^templates:/ }, ({ path }) => ({ path: path.slice(10), namespace: "templates" }));
    setup.onLoad({ filter: /.*/, namespace: "templates" }, ({ path }) => ({ contents: JSON.stringify(templates(path)), loader: "json" }));
    setup.onResolve({ filter: /^schema:/ }, ({ path }) => ({ path: path.slice(7), namespace: "schema" }));
    setup.onLoad({ filter: /.*/, namespace: "schema" }, ({ path }) => ({ contents: readFileSync(join(here, "../schema", `${path}.schema.json`), "utf8"), loader: "json" }));
    setup.onResolve({ filter: /^worker:/ }, ({ path }) => ({ path: path.slice(7), namespace: "worker" }));
    setup.onLoad({ filter: /.*/, namespace: "worker" }, async ({ path }) => ({ contents: await bundle(`src/${path}`, {}), loader: "text" }));
  },
};

async function bundle(entry, loader) {
  const result = await build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, write: false, format: "iife",
    target: "es2020", charset: "ascii", legalComments: "none", loader, outdir: "out", logLevel: "error", plugins: [workers],
  });
  return result.outputFiles[0].text.trim();
}

// Licences of what is bundled ask for their notice in copies.
const notice = "three.js: MIT, three.js authors. uPlot: MIT, Leon Sorokin. Inter: SIL OFL 1.1, The Inter Project Authors.";

function array(name, text) {
  const bytes = Buffer.from(text || "\0", "utf8");
  const lines = [];
  for (let i = 0; i < bytes.length; i += 32) lines.push(bytes.subarray(i, i + 32).join(",") + ",");
  return `static const unsigned char ${name}[] = {\n${lines.join("\n")}\n};\n`;
}

const sha = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

/// A page in its three pieces. `fill` puts more into it.
async function page(file, entry, styles, fill = (html) => html) {
  const script = await bundle(entry, {});
  const style = await bundle(styles, { ".woff2": "dataurl" });
  if (/<\/script/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own block");
  const policy = `default-src 'none'; script-src ${sha(script)} 'wasm-unsafe-eval'; worker-src blob:; style-src ${sha(style)}; font-src data:; `
    + "img-src data: blob:; connect-src 'none'; base-uri 'none'; form-action 'none'";
  const html = fill(readFileSync(join(here, file), "utf8"))
    .replace("/*policy*/", () => policy)
    .replace("/*style*/", () => style)
    .replace("/*script*/", () => script)
    .replace("<!--notice-->", () => `<!-- ${notice} -->`);
  const [beforeTitle, rest] = html.split("<!--title-->");
  return [beforeTitle, ...rest.split("<!--data-->")];
}

/// C of a page: three arrays and the frame that names them.
function frame(name, pieces) {
  const parts = ["before_title", "before_data", "after_data"].map((part) => `${name}_${part}`);
  return parts.map((part, k) => array(part, pieces[k])).join("")
    + `const pkm_page_frame pkm_verb_${name}_frame = {${parts.join(", ")}, {${pieces.map((piece) => Buffer.byteLength(piece)).join(", ")}}};\n\n`;
}

const report = await page("page.html", "src/main.js", "src/style.css");
const packed = engine && existsSync(engine) ? gzipSync(readFileSync(engine), { level: 9 }).toString("base64") : null;
const view = packed ? await page("view.html", "src/view/main.js", "src/view/view.css", (html) => html.replace("/*engine*/", () => packed)) : ["", "", ""];

writeFileSync(out, `// Made by web/build.mjs from web/.
#include "verb/report_frame.h"

${frame("report", report)}${frame("view", view)}`);
