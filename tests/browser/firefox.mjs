// The page in Debian's Firefox: it opens, is dragged with the mouse, and runs. Ends with 77 where there is no Firefox.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Skip, assert, folder, pkm, root, view } from "./browser.mjs";
import { Firefox } from "./marionette.mjs";

const program = process.env.PKM_FIREFOX ?? "/usr/bin/firefox-esr", siax = join(root, "robots/siax.yaml");

async function opens_drags_and_runs(firefox, file) {
  await firefox.call("WebDriver:SetWindowRect", { width: 800, height: 620 });
  await firefox.call("WebDriver:Navigate", { url: pathToFileURL(file).href });
  const state = await firefox.evaluate(`async () => {
    for (let k = 0; k < 1200 && !document.documentElement.dataset.ready; ++k) await new Promise((resolve) => setTimeout(resolve, 100));
    return { ready: document.documentElement.dataset.ready, fault: document.querySelector(".fault")?.textContent, blind: Boolean(window.pkmView.scene3?.blind), browser: navigator.userAgent };
  }`);
  assert.equal(state.ready, "yes", state.fault);
  console.log(`   ${state.browser.split(" ").pop()}, ${state.blind ? "without WebGL" : "with WebGL"}`);
  // the mouse takes the platform along; the drives are those of the program
  const { at, tool } = await firefox.evaluate(`async () => {
    const { scene3, robot: { scene }, view, frame } = window.pkmView, group = scene3.groups[scene.tool.body];
    const p = group.localToWorld(group.position.clone().set(...scene.bodies[scene.tool.body].com)).project(scene3.camera), box = view.getBoundingClientRect();
    return { at: [box.left + (0.5 + 0.5 * p.x) * box.width, box.top + (0.5 - 0.5 * p.y) * box.height], tool: [...frame.tool] };
  }`);
  await firefox.drag(at, [at[0] + 40, at[1] - 25]);
  const after = await firefox.evaluate(`async () => {
    for (let k = 0; k < 100 && window.pkmView.grasp.held; ++k) await new Promise((resolve) => setTimeout(resolve, 100));
    return window.pkmView.state();
  }`);
  assert.ok(Math.hypot(...[0, 1, 2].map((k) => after.tool[k] - tool[k])) > 0.01, "the mouse leads the tool");
  const want = JSON.parse(pkm("ik", siax, "--at", after.tool.slice(0, 3).map((v) => v.toPrecision(17)).join(","), "--json")).drives.position;
  want.forEach((q, d) => assert.ok(Math.abs(q - after.drives[d]) < 1e-9, `drive ${d}: ${q} ${after.drives[d]}`));
  console.log("ok opened and dragged");
  // a run gives the program's numbers
  const force = await firefox.evaluate(`async () => {
    const panel = window.pkmView.runPanel;
    panel.kind.value = "inverse";
    panel.instants.value = "51";
    panel.changed();
    const run = await panel.run(), column = run.columns.findIndex((c) => c.name === "qA.force");
    return [...run.even[column]];
  }`);
  pkm("inverse", siax, "--motion", "paper", "--instants", "51", "-o", "firefox");
  const [head, ...rows] = readFileSync(join(folder, "firefox/table.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const own = rows.map((row) => Number(row[head.indexOf("qA.force [N m]")])), most = Math.max(...own.map(Math.abs));
  own.forEach((v, k) => assert.ok(Math.abs(v - force[k]) < 1e-12 * most + 1e-12, `row ${k}: ${v} ${force[k]}`));
  console.log("ok a run gives the numbers of the program");
}

try {
  if (!existsSync(program)) throw new Skip(`${program} is not there`);
  const file = view(siax), firefox = await Firefox.start(program);
  try {
    await opens_drags_and_runs(firefox, file);
  } finally {
    await firefox.close();
  }
} catch (error) {
  if (!(error instanceof Skip)) throw error;
  console.log(`skipped: ${error.message}`);
  process.exitCode = 77;
}
