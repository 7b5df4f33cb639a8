// The page of pkm view: robots led by hand in the page end where the program says they do.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, leave, open, openPlain, pkm, root, run, show, small, view } from "./browser.mjs";

const robots = join(root, "robots");
const names = readdirSync(robots).filter((name) => name.endsWith(".yaml")).map((name) => name.slice(0, -5));

const state = (page) => page.evaluate(() => window.pkmView.state());
const robot = (name) => join(robots, `${name}.yaml`);
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} and ${b}`);

/// Drive positions by the program for the pose that the tool has in the page.
function ik(model, { tool }, turns, ...options) {
  const [w, x, y, z] = tool.slice(3);
  const rpy = [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(2 * (w * y - z * x)), Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
  const at = [...tool.slice(0, 3).map((v) => v.toPrecision(17)), ...(turns ? rpy.map((v) => `${v.toPrecision(17)} rad`) : [])];
  return JSON.parse(pkm("ik", model, "--at", at.join(","), "--json", ...options)).drives.position;
}

async function same(page, model, ...options) {
  const now = await state(page), turns = await page.evaluate(() => window.pkmView.robot.moves >> 3 !== 0);
  ik(model, now, turns, ...options).forEach((q, d) => near(now.drives[d], q, 1e-9, `${model}: drive ${d}`));
  return now;
}

const middleOf = (page, b) => page.evaluate((k) => {
  const { scene3, robot: { scene }, view: element } = window.pkmView;
  const at = scene3.groups[k].localToWorld(scene3.groups[k].position.clone().set(...scene.bodies[k].com)).project(scene3.camera);
  const box = element.getBoundingClientRect();
  return [box.left + (0.5 + 0.5 * at.x) * box.width, box.top + (0.5 - 0.5 * at.y) * box.height];
}, b);

await run({
  async every_robot_opens_from_a_file_and_can_be_led(browser) {
    let page = null;
    for (const name of names) {
      const file = view(robot(name));
      assert.ok(statSync(file).size < 3e6, `${name} is small`);
      page = page ? await show(page, file) : await open(browser, file, { width: 560, height: 420 });
      const { tool_mode: prescribed, size } = await page.evaluate(() => window.pkmView.robot);
      const before = await state(page);
      const toolBody = await page.evaluate(() => window.pkmView.robot.scene.tool.body);
      await page.evaluate(([b, s]) => window.pkmView.grasp.drawBy(b, [0, 0, 0], [0.01 * s, 0.005 * s, 0.004 * s]), [toolBody, size]);
      const now = await state(page);
      assert.ok(now.drives.some((q, d) => Math.abs(q - before.drives[d]) > 1e-6), `${name} moves`);
      if (prescribed) await same(page, robot(name));
      assert.deepEqual(page.complaints, [], name);
    }
    await leave(page);
  },

  async platform_crank_and_rod_follow_the_hand(browser) {
    const page = await openPlain(browser, view(robot("siax")), small);
    const bodies = await page.evaluate(() => window.pkmView.robot.scene.bodies.map((body) => body.name));
    const home = await state(page);
    await page.evaluate((b) => window.pkmView.grasp.drawBy(b, [0, 0, 0], [0.12, -0.05, -0.1]), bodies.indexOf("platform"));
    let now = await same(page, robot("siax"));
    [0.12, -0.05, -0.1].forEach((by, k) => near(now.tool[k], home.tool[k] + by, 1e-12, "the tool"));
    for (const [body, by] of [["A.crank", [0, 0, -0.15]], ["B.left", [0.05, 0.06, -0.04]], ["C.right", [-0.03, 0, 0.05]]]) {
      await page.evaluate(([b, v]) => window.pkmView.grasp.drawBy(b, [0.5, 0, 0], v), [bodies.indexOf(body), by]);
      now = await same(page, robot("siax"));
    }
    // with the mouse
    await page.evaluate(() => window.pkmView.goHome());
    now = await state(page);
    const [x, y] = await middleOf(page, bodies.indexOf("platform"));
    await page.mouse.move(x - 4, y);
    await page.mouse.move(x, y, { steps: 3 });
    await page.waitForFunction(() => !document.querySelector(".hover").hidden);
    assert.equal(await page.locator(".hover").textContent(), "platform");
    await page.mouse.down();
    await page.mouse.move(x + 30, y - 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => !window.pkmView.grasp.held);
    const after = await same(page, robot("siax"));
    assert.ok(Math.hypot(...[0, 1, 2].map((k) => after.tool[k] - now.tool[k])) > 0.01, "the mouse leads the tool");
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async drives_can_be_slid_and_typed(browser) {
    const page = await openPlain(browser, view(robot("siax")), small);
    const field = page.locator(".slide input[type=text]").nth(1);
    await field.fill("12.5");
    await field.press("Enter");
    await page.waitForFunction(() => Math.abs(window.pkmView.frame.drives[1] - (12.5 * Math.PI) / 180) < 1e-12);
    const fk = JSON.parse(pkm("fk", robot("siax"), "--drives", "0,12.5 deg,0", "--json"));
    const { tool } = await state(page);
    fk.tool.position.forEach((v, k) => near(tool[k], v, 1e-12, "tool"));
    const z = page.locator(".grid3 input").nth(2);
    await z.fill("-950");
    await z.press("Enter");
    await page.waitForFunction(() => Math.abs(window.pkmView.frame.tool[2] + 0.95) < 1e-12);
    await same(page, robot("siax"));
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async singularities_are_told_before_and_choices_given(browser) {
    const page = await openPlain(browser, view(robot("siax")), small);
    const warning = page.locator(".warning"), at = Math.acos((0.097 - 0.25) / 0.5); // all rods vertical
    assert.ok(await warning.isHidden());
    await page.evaluate((q) => window.pkmView.lead("drives", [q, q, q]), at - 0.2);
    await page.evaluate((q) => window.pkmView.lead("drives", [q, q, q]), at - 0.02);
    assert.ok(await warning.isVisible(), "warned before");
    assert.match(await warning.textContent(), /^Parallel singularity .* ahead/);
    await page.evaluate((q) => window.pkmView.lead("drives", [q, q, q]), at + 0.2);
    const there = await state(page);
    assert.ok(there.drives[0] < at, "it stops before");
    for (const id of ["stay", "back-off", "go-round", "working-modes", "assembly-modes"]) assert.ok(await page.locator(`#${id}`).isVisible(), id);
    await page.click("#stay");
    assert.deepEqual((await state(page)).drives, there.drives);
    await page.evaluate(() => window.pkmView.warning.stop("again"));
    await page.click("#back-off");
    await page.waitForFunction(() => window.pkmView.frame.level === 0);
    assert.ok(await warning.isHidden());
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async a_way_round_a_singularity_is_found(browser) {
    const page = await openPlain(browser, view(robot("five-bar")), small);
    const goal = [-0.04, -0.125, 0]; // behind the motors; the straight way there is barred
    const lead = () => page.evaluate((at) => window.pkmView.lead("tool", [...at, ...window.pkmView.frame.tool.slice(3)]), goal);
    const barred = await lead();
    assert.ok(!barred.ok);
    assert.match(await page.locator(".warning").textContent(), /singularity .* bars the way/);
    // the modes are offered there, and taken
    for (const [id, what] of [["working-modes", "tool"], ["assembly-modes", "drives"]]) {
      if (what === "drives") await page.evaluate(() => window.pkmView.goHome().then(() => window.pkmView.warning.stop("again"))); // at the singularity the two are one
      const before = await state(page);
      await page.click(`#${id}`);
      await page.waitForSelector(".posture");
      await page.locator(".posture:not(:disabled)").first().click();
      await page.waitForFunction(() => document.querySelector(".sheet").hidden && window.pkmView.postures.taking === false);
      const after = await state(page), off = (a, b) => Math.max(...a.map((v, k) => Math.abs(v - b[k])));
      assert.ok(off(after[what].slice(0, 2), before[what].slice(0, 2)) < 1e-6, `${id}: the same ${what}`);
      assert.ok(off(after.q, before.q) > 0.05, `${id}: another posture`);
      await page.evaluate(() => window.pkmView.goHome());
      await lead();
    }
    await page.evaluate(() => { window.pkmView.warning.history = window.pkmView.warning.history.slice(-40); });
    await page.click("#go-round");
    await page.waitForFunction(() => window.pkmView.warning.found !== undefined);
    assert.ok(await page.evaluate(() => window.pkmView.warning.found), "found");
    const there = await state(page);
    goal.forEach((v, k) => near(there.tool[k], v, 1e-9, "where it was wanted"));
    const { levels, links } = await page.evaluate(() => {
      const { warning: { history }, scene3: { groups }, robot: { scene }, frame } = window.pkmView;
      const l1 = 0.09, tip = (name) => { const b = scene.bodies.findIndex((body) => body.name === name), g = groups[b]; g.updateMatrixWorld(true); return g.position.clone().set(l1, 0, 0).applyMatrix4(g.matrixWorld); };
      return { levels: history.slice(-40).map((f) => f.level), links: ["crank1", "crank2"].map((name) => { const e = tip(name); return Math.hypot(e.x - frame.tool[0], e.y - frame.tool[1]); }) };
    });
    links.forEach((length) => near(length, 0.09, 1e-9, "both links reach the tool"));
    assert.ok(Math.max(...levels) < 0.76, `clear of singularities on the way: ${Math.max(...levels)}`);
    assert.deepEqual(page.complaints, []);
    // where the singularity divides what is reached, the page says so
    const other = await show(page, view(robot("siax"))), at = Math.acos((0.097 - 0.25) / 0.5);
    await other.evaluate((q) => window.pkmView.lead("drives", [q, q, q]), at + 0.2);
    await other.click("#go-round");
    await other.waitForFunction(() => window.pkmView.warning.found !== undefined);
    assert.equal(await other.evaluate(() => window.pkmView.warning.found), false);
    assert.match(await other.locator(".warning").textContent(), /^No way round was found/);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  /// The linear Delta on its way to where the normals of its pairs of rods lie in one plane: the loops let the platform turn.
  async a_constraint_singularity_is_told_too(browser) {
    const page = await openPlain(browser, view(robot("lindelta")), small), warning = page.locator(".warning");
    const home = (await state(page)).drives, by = [-1.13, 0.81, -0.16], at = 0.749087; // of that way, from the normals
    const lead = (s) => page.evaluate((q) => window.pkmView.lead("drives", q), home.map((q, d) => q + s * by[d]));
    await lead(0.3);
    assert.ok(await warning.isHidden());
    for (const s of [0.5, 0.65, at - 0.01]) await lead(s);
    assert.match(await warning.textContent(), /^Constraint singularity .* ahead/);
    await lead(at + 0.15);
    assert.ok((await state(page)).drives[1] < home[1] + at * by[1] + 1e-6, "it stops before");
    assert.match(await warning.textContent(), /constraint singularity/i);
    await page.click("#back-off");
    await page.waitForFunction(() => window.pkmView.frame.level === 0);
    assert.ok(await warning.isHidden());
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async a_stretched_limb_is_named(browser) {
    const page = await openPlain(browser, view(robot("five-bar")), small);
    const tool = await page.evaluate(() => window.pkmView.robot.scene.tool);
    await page.evaluate(([b, at]) => window.pkmView.grasp.drawBy(b, at, [-0.06, 0.09, 0]), [tool.body, tool.at]);
    const text = await page.locator(".warning").textContent();
    assert.match(text, /Serial singularity|It goes no further/);
    assert.ok((await state(page)).level > 0.5);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async other_postures_are_shown_and_taken(browser) {
    const page = await openPlain(browser, view(robot("five-bar")), small);
    const before = await state(page);
    await page.click("#other-postures");
    await page.waitForSelector(".posture");
    assert.equal(await page.locator(".posture").count(), 4);
    await page.locator(".posture:not(:disabled)").first().click();
    await page.waitForFunction(() => document.querySelector(".sheet").hidden && window.pkmView.postures.taking === false);
    const after = await state(page);
    [0, 1, 2].forEach((k) => near(after.tool[k], before.tool[k], 1e-9, "the same tool"));
    assert.ok(after.drives.some((q, d) => Math.abs(q - before.drives[d]) > 0.1), "other drives");
    await page.evaluate(() => window.pkmView.postures.open("drives"));
    await page.waitForSelector(".posture");
    await page.locator(".posture:not(:disabled)").first().click();
    await page.waitForFunction((y) => Math.abs(window.pkmView.frame.tool[1] - y) > 0.01, before.tool[1]);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async names_from_strangers_are_text(browser) {
    const file = join(folder, "strange.yaml");
    const corner = [[0, 0, 0], [0.09, 0, 0], [0, 0.02, 0], [0, 0, 0.02]], faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    const facet = (face) => `facet normal 0 0 0\nouter loop\n${face.map((k) => `vertex ${corner[k].join(" ")}\n`).join("")}endloop\nendfacet\n`;
    writeFileSync(join(folder, "part.stl"), `solid s\n${faces.map(facet).join("")}endsolid s\n`);
    const data = Buffer.concat([new Float32Array(corner.flatMap(([x, y, z]) => [x, z, -y])), new Uint32Array(faces.flat())].map((a) => Buffer.from(a.buffer)));
    writeFileSync(join(folder, "part.gltf"), JSON.stringify({ asset: { version: "2.0" }, nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: "VEC3" }, { bufferView: 1, componentType: 5125, count: 12, type: "SCALAR" }],
      bufferViews: [{ buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 48 }], buffers: [{ byteLength: 96, uri: `data:application/octet-stream;base64,${data.toString("base64")}` }] }));
    writeFileSync(file, readFileSync(robot("five-bar"), "utf8").replace("name: Five-bar", "name: \"</script><img src=x onerror=alert(1)>\"")
      .replace("{box: {center: [=l2/2, 0, 0], size: [=l2, 16 mm, 6 mm]}, material: aluminium}", "{mesh: {file: part.stl}, material: aluminium}")
      .replace("{box: {center: [=l2/2, 0, 0], size: [=l2, 16 mm, 6 mm]}, material: aluminium}", "{mesh: {file: part.gltf}, material: aluminium}"));
    const page = await openPlain(browser, view(file), small);
    assert.equal(await page.locator("h1").textContent(), "</script><img src=x onerror=alert(1)>");
    assert.equal(await page.locator("img").count(), 0);
    const shapes = await page.evaluate(() => window.pkmView.robot.scene.bodies.flatMap((body) => body.shapes.map((shape) => shape.kind)));
    assert.equal(shapes.filter((kind) => kind === "mesh").length, 2, "the files of the model are in the page");
    const [stl, gltf] = await page.evaluate(() => window.pkmView.robot.scene.bodies.flatMap((body) => body.shapes).filter(({ kind }) => kind === "mesh").map(({ triangles }) => triangles.flat()));
    assert.ok(stl.length === 36 && stl.every((v, k) => Math.abs(v - gltf[k]) < 1e-8), "STL and glTF of a body are the same");
    const policy = await page.locator("meta[http-equiv]").getAttribute("content");
    for (const part of ["default-src 'none'", "connect-src 'none'", "'wasm-unsafe-eval'", "worker-src blob:", "style-src 'sha256-"]) assert.ok(policy.includes(part), part);
    assert.ok(!policy.includes("unsafe-inline"));
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },
});
