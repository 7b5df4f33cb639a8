// Run the program in node: node wasm/run.mjs pkm.wasm [arguments]. It sees the folder it is started
// in and what is below: paths are relative.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [file, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["pkm", ...rest], env: { PWD: process.cwd() }, preopens: { ".": process.cwd() } });
const module = await WebAssembly.compile(await readFile(file));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
