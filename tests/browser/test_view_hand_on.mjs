// Handed on and taken in: glTF, videos, shapes from files, a 3D mouse, what follows from parameters, the ball in its socket.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { assert, folder, leave, open, openPlain, pkm, root, run, small, view } from "./browser.mjs";

const siax = join(root, "robots/siax.yaml");
const validator = createRequire(join(root, "web/package.json"))("gltf-validator");

/// Run in the page and wait for it.
async function runInPage(page, choose) {
  await page.evaluate(() => window.pkmView.choose("run"));
  await page.evaluate(choose);
  await page.evaluate(() => window.pkmView.runPanel.changed());
  await page.evaluate(() => window.pkmView.runPanel.run());
}

const inverse = () => {
  const panel = window.pkmView.runPanel;
  panel.kind.value = "inverse";
  panel.instants.value = "41";
};

/// The file that a click saves.
async function saved(page, id, name) {
  await page.evaluate(() => window.pkmView.record.toggle(true));
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
  await file.saveAs(join(folder, name));
  return readFileSync(join(folder, name));
}

await run({
  async a_run_becomes_an_animation_in_gltf(browser) {
    const page = await openPlain(browser, view(siax), small);
    await runInPage(page, inverse);
    const bytes = await saved(page, "#save-glb", "siax.glb");
    const report = await validator.validateBytes(new Uint8Array(bytes));
    assert.equal(report.issues.numErrors, 0, JSON.stringify(report.issues.messages.slice(0, 4)));
    assert.equal(report.issues.numWarnings, 0, JSON.stringify(report.issues.messages.slice(0, 4)));
    assert.equal(report.info.animationCount, 1);
    const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
    for (const name of ["platform", "A.crank", "C.right"]) assert.ok(json.nodes.some((node) => node.name === name), name);
    // the platform, which does not turn, is shifted as the program shifts the tool
    const k = json.nodes.findIndex((node) => node.name === "platform"), clip = json.animations[0];
    const sampler = clip.samplers[clip.channels.find((c) => c.target.node === k && c.target.path === "translation").sampler], keys = json.accessors[sampler.output];
    const start = 28 + bytes.readUInt32LE(12) + (json.bufferViews[keys.bufferView].byteOffset ?? 0) + (keys.byteOffset ?? 0), key = (i, axis) => bytes.readFloatLE(start + 12 * i + 4 * axis);
    pkm("inverse", siax, "--motion", "paper", "--instants", "41", "-o", "inverse");
    const [head, ...rows] = readFileSync(join(folder, "inverse/table.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
    assert.equal(keys.count, 41);
    ["x", "y", "z"].forEach((axis, c) => {
      const column = head.indexOf(`P.${axis} [m]`), want = (i) => Number(rows[i][column]) - Number(rows[0][column]);
      for (const i of [10, 40]) assert.ok(Math.abs(key(i, c) - key(0, c) - want(i)) < 1e-6, `${axis} at ${i}: ${key(i, c) - key(0, c)} ${want(i)}`);
    });
    assert.equal(Math.round(json.accessors[sampler.input].max[0] * 1e4), 2000, "0.2 s");
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async a_video_is_recorded(browser) {
    const page = await open(browser, view(siax), small, { drawn: true });
    await runInPage(page, inverse);
    await page.evaluate(() => { window.pkmView.runPanel.speed.value = "0.5"; });
    const bytes = await saved(page, "#save-webm", "siax.webm");
    assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3, "EBML");
    assert.ok(bytes.includes(Buffer.from("webm")) && bytes.length > 1000, `${bytes.length} bytes`);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async shapes_from_files_stand_around_the_robot(browser) {
    const page = await open(browser, view(siax), small);
    await page.evaluate(() => window.pkmView.choose("change"));
    // the robot's own glTF, read back: as large as the robot
    const glb = await saved(page, "#save-glb", "whole.glb");
    const box = await page.evaluate(async (base64) => {
      const app = window.pkmView, item = await app.world.add("whole.glb", Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
      const size = (object) => { const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity]; object.updateMatrixWorld(true);
        object.traverse((mesh) => { if (!mesh.isMesh || !mesh.material.isMeshStandardMaterial) return; const p = mesh.geometry.attributes.position, v = mesh.position.clone();
          for (let i = 0; i < p.count; ++i) { v.fromBufferAttribute(p, i).applyMatrix4(mesh.matrixWorld); v.toArray().forEach((c, k) => { low[k] = Math.min(low[k], c); high[k] = Math.max(high[k], c); }); } });
        return [...low, ...high]; };
      const own = [app.scene3.base, ...app.scene3.groups].map(size), join = own.reduce((a, b) => a.map((v, k) => (k < 3 ? Math.min(v, b[k]) : Math.max(v, b[k]))));
      return { read: size(item.object), own: join };
    }, glb.toString("base64"));
    box.read.forEach((v, k) => assert.ok(Math.abs(v - box.own[k]) < 1e-5, `${box.read} ${box.own}`));
    // an STL rides on the platform; another one is none
    const corner = [[0, 0, 0], [90, 0, 0], [0, 20, 0], [0, 0, 20]], facet = (f) => `facet normal 0 0 0\nouter loop\n${f.map((k) => `vertex ${corner[k].join(" ")}\n`).join("")}endloop\nendfacet\n`;
    writeFileSync(join(folder, "part.stl"), `solid s\n${[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]].map(facet).join("")}endsolid s\n`);
    writeFileSync(join(folder, "bad.stl"), "solid of nothing");
    await page.setInputFiles("#world-file", [join(folder, "part.stl"), join(folder, "bad.stl")]);
    await page.waitForFunction(() => /bad\.stl: this is no STL/.test(document.querySelector(".toast").textContent));
    const ride = await page.evaluate(async () => {
      const app = window.pkmView, item = app.world.items.find(({ name }) => name === "part.stl"), b = app.robot.scene.tool.body;
      item.on.value = String(b);
      item.at[2].value = "50";
      app.world.put(item);
      const where = () => { item.object.updateWorldMatrix(true, false); return item.object.position.clone().setFromMatrixPosition(item.object.matrixWorld).toArray(); };
      const before = where(), tool = [...app.frame.tool];
      await app.lead("tool", [tool[0] + 0.1, tool[1], tool[2] - 0.05, ...tool.slice(3)]);
      await app.load(app.text, app.set, { keep: true }); // drawn anew, it stays
      await app.lead("tool", [tool[0] + 0.1, tool[1], tool[2] - 0.05, ...tool.slice(3)]);
      return { before, after: where(), n: app.world.items.length, triangles: item.object.children[0].geometry.attributes.position.count / 3 };
    });
    assert.equal(ride.n, 2);
    assert.equal(ride.triangles, 4);
    [0.1, 0, -0.05].forEach((by, k) => assert.ok(Math.abs(ride.after[k] - ride.before[k] - by) < 1e-9, `${ride.after} ${ride.before}`));
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async a_3d_mouse_leads_the_tool(browser) {
    const mock = `const device = new EventTarget();
      Object.assign(device, { opened: false, productName: "SpaceMouse", open: async () => { device.opened = true; } });
      const report = (id, numbers) => { const data = new DataView(new ArrayBuffer(2 * numbers.length)); numbers.forEach((v, k) => data.setInt16(2 * k, v, true));
        device.dispatchEvent(Object.assign(new Event("inputreport"), { reportId: id, data })); };
      window.report = report;
      Object.defineProperty(navigator, "hid", { value: { getDevices: async () => [], requestDevice: async ({ filters }) => (window.asked = filters, [device]), addEventListener() {} } });`;
    const page = await openPlain(browser, view(join(root, "robots/gough-stewart.yaml")), small, { init: mock });
    await page.click("#mouse3");
    await page.waitForFunction(() => /SpaceMouse leads/.test(document.querySelector(".toast").textContent));
    assert.ok((await page.evaluate(() => window.asked)).some(({ vendorId }) => vendorId === 0x256f));
    const before = await page.evaluate(() => window.pkmView.state().tool);
    await page.evaluate(() => window.report(1, [350, 5, -175])); // right, at rest, half up
    await page.waitForFunction((x) => window.pkmView.state().tool[0] > x + 0.005, before[0]);
    await page.evaluate(() => window.report(1, [0, 0, 0]));
    await page.waitForFunction(() => window.pkmView.pads.running === false);
    const after = await page.evaluate(() => window.pkmView.state().tool), by = after.map((v, k) => v - before[k]);
    assert.ok(Math.abs(by[2] / by[0] - 0.5) < 1e-6 && Math.abs(by[1]) < 1e-12, `${by}`);
    await page.evaluate(() => window.report(2, [0, 0, -350])); // turned to the left
    await page.waitForFunction((w) => Math.abs(window.pkmView.state().tool[3] - w) > 1e-4, after[3]);
    await page.evaluate(() => window.report(2, [0, 0, 0]));
    await page.waitForFunction(() => window.pkmView.pads.running === false);
    assert.ok((await page.evaluate(() => window.pkmView.state().tool))[6] > after[6], "about z, upwards");
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async results_follow_the_parameters(browser) {
    const page = await openPlain(browser, view(siax), small);
    await page.evaluate(() => window.pkmView.choose("change"));
    await page.evaluate(() => window.pkmView.changePanel.change("l1", "560 mm"));
    const got = await page.evaluate(() => window.pkmView.changePanel.ready);
    const set = ["--set", "l1=560 mm"];
    pkm("inverse", siax, "--motion", "paper", "--instants", "201", ...set, "-o", "follow");
    const most = Math.max(...JSON.parse(readFileSync(join(folder, "follow/summary.json"), "utf8")).drives.map((drive) => drive.absmax_force));
    assert.ok(Math.abs(got.force - most) < 1e-9 * most, `${got.force} ${most}`);
    const [first] = JSON.parse(pkm("modes", siax, ...set, "--json", "-o", "modes")).modes;
    assert.ok(Math.abs(got.frequency - first.frequency) < 1e-9 * first.frequency, `${got.frequency} ${first.frequency}`);
    const z = JSON.parse(pkm("fk", siax, "--drives", "0,0,0", ...set, "--json")).tool.position[2];
    const map = JSON.parse(pkm("workspace", siax, "--slice", `z=${z}`, "--points", "15", ...set, "--json", "-o", "map"));
    assert.ok(Math.abs(got.reach - map.size) < 1e-9 * map.size, `${got.reach} ${map.size}`);
    assert.match(await page.locator(".facts").last().textContent(), /Largest drive force, paper.*Lowest frequency.*Reach/s);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async the_ball_is_seen_in_its_socket(browser) {
    const page = await openPlain(browser, view(siax), { width: 900, height: 600 });
    await runInPage(page, () => {
      const panel = window.pkmView.runPanel;
      panel.clearance.set(true);
      panel.clearance.joints.value = "A.left1";
      panel.duration.value = "0.004";
      panel.instants.value = "41";
    });
    assert.ok(await page.locator(".inset").isVisible());
    const seen = await page.evaluate(() => {
      const panel = window.pkmView.runPanel, { inset, last } = panel;
      return [0.001, 0.003].map((t) => {
        panel.setTime(t);
        const row = last.rowAt(t), of = (end) => last.values[last.columns.findIndex((c) => c.name === `A.left1.${end}`)][row];
        return { at: ["cx", "cy"].map((name) => Number(inset.ballMark.getAttribute(name))), offset: [of("ox"), of("oy"), of("oz")], axes: inset.axes, clearance: inset.clearance };
      });
    });
    for (const { at, offset, axes, clearance } of seen) {
      assert.ok(clearance > 0.99e-4 && clearance < 1.05e-4, `${clearance}`);
      assert.ok(Math.abs(at[0] - (16 * offset[axes[0]]) / clearance) < 0.01 && Math.abs(at[1] + (16 * offset[axes[1]]) / clearance) < 0.01, `${at} ${offset}`);
    }
    assert.notDeepEqual(seen[0].at, seen[1].at);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },
});
