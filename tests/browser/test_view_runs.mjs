// Runs, changes and maps in the page give the program's numbers.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, folder, leave, newContext, open, openPlain, pkm, root, run, show, view } from "./browser.mjs";

const siax = join(root, "robots/siax.yaml");

/// Columns by name, with their unit.
function table(text) {
  const [head, ...rows] = text.trim().split("\n");
  return new Map(head.split(",").map((name, k) => [name, rows.map((row) => Number(row.split(",")[k]))]));
}

/// Two tables agree, relative to the largest value of a column; columns of nothing but rounding are left out.
function agree(page, program, tolerance) {
  const scale = new Map();
  const unit = (name) => name.split(" ")[1] ?? "";
  const size = (values) => values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  for (const [name, values] of program) scale.set(unit(name), Math.max(scale.get(unit(name)) ?? 0, size(values)));
  assert.deepEqual([...page.keys()], [...program.keys()]);
  for (const [name, values] of program) {
    const other = page.get(name);
    assert.equal(other.length, values.length, name);
    const own = size(values), floor = 1e-12 * Math.max(1, scale.get(unit(name)));
    if (own <= floor) continue;
    const off = Math.max(...values.map((v, k) => Math.abs(v - other[k])));
    const allowed = (name.startsWith("singularity") ? 1e-6 : tolerance) * own + floor;
    assert.ok(off <= allowed, `${name}: off by ${off} of ${own}`);
  }
}

/// Choose in the panel and press Run; the table as the page saves it.
async function runInPage(page, choose) {
  await page.evaluate(() => window.pkmView.choose("run"));
  await page.evaluate(choose);
  await page.evaluate(() => window.pkmView.runPanel.changed());
  await page.click("#run");
  await page.waitForFunction(() => window.pkmView.runPanel.running === false);
  return page.evaluate(() => window.pkmView.runPanel.last?.csv());
}

const native = (verb, ...options) => {
  pkm(verb, siax, ...options, "-o", "native");
  return table(readFileSync(join(folder, "native/table.csv"), "utf8"));
};

await run({
  async runs_give_the_numbers_of_the_program(browser) {
    const page = await openPlain(browser, view(siax), { width: 900, height: 600 });
    let csv = await runInPage(page, () => {
      const panel = window.pkmView.runPanel;
      panel.kind.value = "inverse";
      panel.instants.value = "101";
    });
    agree(table(csv), native("inverse", "--motion", "paper", "--instants", "101"), 1e-12);
    csv = await runInPage(page, () => {
      const panel = window.pkmView.runPanel;
      panel.kind.value = "simulate";
      panel.duration.value = "0.05";
      panel.instants.value = "51";
    });
    agree(table(csv), native("simulate", "--motion", "paper", "--for", "0.05 s", "--instants", "51"), 1e-9);
    await page.click("#keep");
    csv = await runInPage(page, () => window.pkmView.runPanel.friction.set(true));
    agree(table(csv), native("simulate", "--motion", "paper", "--for", "0.05 s", "--instants", "51", "--friction", "spherical: {static: 0.11, dynamic: 0.084, radius: 10 mm}"), 1e-5);
    // two runs: dashed curves, a ghost; the instant is one
    assert.equal(await page.evaluate(() => window.pkmView.runPanel.curves.plot.series.length), 1 + 2 * 3);
    assert.ok(await page.evaluate(() => window.pkmView.runPanel.film.otherGhost !== null));
    await page.evaluate(() => window.pkmView.runPanel.setTime(0.02));
    const line = await page.evaluate(() => document.querySelector(".instant").style.transform);
    assert.match(line, /translateX\(\d/);
    await page.evaluate(() => (window.pkmView.runPanel.speed.value = "0.1"));
    await page.click("#play");
    await page.waitForFunction(() => window.pkmView.runPanel.t > 0.021);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  /// A page made with a run file runs that; one of a study has its robot.
  async run_and_study_files_come_along(browser) {
    const file = join(folder, "slow.yaml");
    writeFileSync(file, "run: 1\nmotion: paper\nfor: 20 ms\ninstants: 21\ntool_force: [0, 0, -50 N]\nfriction: {spherical: {static: 0.3, dynamic: 0.2, radius: 12 mm}}\n");
    const page = await openPlain(browser, view(siax, "--run", file), { width: 900, height: 600 });
    const csv = await runInPage(page, () => {});
    agree(table(csv), native("simulate", "--run", file), 1e-5);
    assert.ok(await page.evaluate(() => window.pkmView.runPanel.effects.hidden && window.pkmView.runPanel.file.textContent.includes("-50 N")));
    const own = await runInPage(page, () => {
      const panel = window.pkmView.runPanel;
      panel.source.value = "own";
      panel.duration.value = "0.02";
      panel.instants.value = "21";
    });
    agree(table(own), native("simulate", "--motion", "paper", "--for", "0.02 s", "--instants", "21"), 1e-9);
    assert.deepEqual(page.complaints, []);
    const other = await show(page, view(join(root, "studies/000-1-triglide.yaml")));
    assert.equal(await other.evaluate(() => window.pkmView.model.name), "triglide.yaml");
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  /// Magnified, a link bends away from its straight line: what stands on its ends goes along.
  async balls_stay_on_bent_links(browser) {
    const page = await open(browser, view(siax), { width: 900, height: 600 });
    await runInPage(page, () => {
      const panel = window.pkmView.runPanel;
      panel.kind.value = "simulate";
      panel.duration.value = "0.02";
      panel.instants.value = "21";
      panel.flexible.set(true);
      panel.flexible.modes.value = "2";
    });
    const ends = await page.evaluate(() => {
      const panel = window.pkmView.runPanel, { film } = panel, t = 0.015;
      panel.setTime(t);
      return film.bent.map((bar) => {
        const points = film.film.bentPoints(bar.bend, t, film.magnification), straight = film.film.bentPoints(bar.bend, t, 0);
        return [0, points.length - 1].map((k) => ({
          moved: points[k].distanceTo(straight[k]),
          off: film.riders.filter((r) => r.bar === bar && r.home.distanceTo(straight[k]) < 1e-6).map(({ mesh }) => mesh.position.distanceTo(points[k])),
        }));
      }).flat();
    });
    const riding = ends.filter(({ off }) => off.length), farthest = Math.max(...riding.map(({ moved }) => moved));
    assert.ok(riding.length >= 3 && farthest > 1e-3, JSON.stringify(ends));
    for (const { off } of riding) for (const distance of off) assert.ok(distance < 1e-9, `${distance} m off the end of its link`);
    if (process.env.PKM_SHOT) await page.screenshot({ path: process.env.PKM_SHOT });
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async a_run_can_be_cancelled_and_refused(browser) {
    const page = await openPlain(browser, view(siax), { width: 900, height: 600 });
    await page.evaluate(() => window.pkmView.choose("run"));
    await page.evaluate(() => {
      const panel = window.pkmView.runPanel;
      panel.flexible.set(true);
      panel.clearance.set(true);
      panel.changed();
    });
    await page.click("#run");
    await page.waitForFunction(() => window.pkmView.runPanel.curves.run?.rows > 2); // it is watched while it computes
    await page.click("#cancel");
    await page.waitForFunction(() => window.pkmView.runPanel.running === false);
    assert.match(await page.locator(".result").textContent(), /Cancelled/);
    await page.evaluate(() => {
      const panel = window.pkmView.runPanel;
      panel.kind.value = "inverse";
      panel.changed();
    });
    await page.click("#run");
    await page.waitForFunction(() => window.pkmView.runPanel.running === false);
    assert.match(await page.locator(".result").textContent(), /clearance|flexible/);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async parameters_are_those_of_set(browser) {
    const page = await openPlain(browser, view(siax), { width: 900, height: 600 });
    await page.evaluate(() => window.pkmView.choose("change"));
    const field = page.locator('[data-parameter="l1"] input[type=text]');
    await field.fill("560");
    await field.press("Enter");
    await page.waitForFunction(() => window.pkmView.set.l1 === "560 mm");
    const home = await page.evaluate(() => window.pkmView.state());
    const fk = JSON.parse(pkm("fk", siax, "--drives", "0,0,0", "--set", "l1=560 mm", "--json"));
    fk.tool.position.forEach((v, k) => assert.ok(Math.abs(v - home.tool[k]) < 1e-12));
    const csv = await runInPage(page, () => {
      const panel = window.pkmView.runPanel;
      panel.kind.value = "inverse";
      panel.instants.value = "51";
    });
    agree(table(csv), native("inverse", "--instants", "51", "--set", "l1=560 mm"), 1e-12);
    // saved, it is the same robot
    await page.evaluate(() => window.pkmView.choose("change"));
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#save-yaml")]);
    const file = join(folder, "saved.yaml");
    await saved.saveAs(file);
    const again = JSON.parse(pkm("fk", file, "--drives", "0,0,0", "--json"));
    assert.deepEqual(again.tool.position, fk.tool.position);
    // the text with a fault says where, and the robot stays
    const editor = page.locator("textarea");
    const text = await editor.inputValue();
    const at = text.split("\n").findIndex((line) => line.includes("type: revolute")) + 1;
    await editor.fill(text.replace("type: revolute", "type: revolting"));
    await page.waitForFunction(() => window.pkmView.changePanel.faultLine > 0);
    assert.equal(await page.evaluate(() => window.pkmView.changePanel.faultLine), at);
    await editor.fill(text.replace("name: Delta SIAX D3-1600", "name: Other"));
    await page.waitForFunction(() => document.querySelector("h1").textContent === "Other");
    assert.equal(await page.evaluate(() => window.pkmView.set.l1), "560 mm");
    // another robot to start from
    await page.evaluate(() => window.pkmView.changePanel.begin0("five-bar"));
    assert.equal(await page.locator("h1").textContent(), "Five-bar");
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async the_schema_completes_the_text(browser) {
    const page = await openPlain(browser, view(join(root, "robots/five-bar.yaml")), { width: 900, height: 600 });
    await page.evaluate(() => window.pkmView.choose("change"));
    const editor = page.locator("textarea"), text = await editor.inputValue();
    const words = () => page.locator(".word b").allTextContents();
    await editor.fill(`${text.replace(/^motions:.*$/m, "motions:\n  mine:\n    ")}`);
    await page.evaluate(() => { const { editor: area } = window.pkmView.changePanel, at = area.value.indexOf("  mine:\n    ") + 12; area.focus(); area.setSelectionRange(at, at); });
    await page.keyboard.press("Control+Space");
    assert.ok((await words()).includes("law") && (await words()).includes("duration"), `${await words()}`);
    await page.keyboard.type("la");
    assert.deepEqual(await words(), ["law"]);
    await page.keyboard.press("Enter");
    await page.keyboard.type("qui");
    assert.deepEqual(await words(), ["quintic"]);
    await page.locator(".word").first().click();
    assert.match(await editor.inputValue(), /^ {2}mine:\n {4}law: quintic$/m);
    await page.keyboard.press("Escape");
    assert.ok(await page.locator(".words").isHidden());
    await editor.fill(text);
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async a_taught_motion_is_run_by_the_program(browser) {
    const page = await openPlain(browser, view(siax), { width: 900, height: 600 });
    await page.evaluate(() => window.pkmView.choose("run"));
    await page.click(".teach summary");
    const points = [];
    for (const by of [[0, 0, -0.05], [0.1, 0, 0], [0, 0.08, 0.04]]) {
      await page.evaluate((v) => window.pkmView.grasp.drawBy(1, [0, 0, 0], v), by);
      points.push(await page.evaluate(() => window.pkmView.state().tool.slice(0, 3)));
      await page.click("#teach-take");
    }
    await page.click("#teach-make");
    await page.waitForFunction(() => window.pkmView.runPanel.motion.value === "taught");
    const csv = await runInPage(page, () => {
      const panel = window.pkmView.runPanel;
      panel.kind.value = "inverse";
      panel.instants.value = "51";
    });
    const file = join(folder, "taught.yaml");
    writeFileSync(file, await page.evaluate(() => window.pkmView.text));
    pkm("inverse", file, "--motion", "taught", "--instants", "51", "-o", "native");
    const want = table(readFileSync(join(folder, "native/table.csv"), "utf8"));
    agree(table(csv), want, 1e-12);
    [0, 1, 2].forEach((k) => assert.ok(Math.abs(want.get(`P.${"xyz"[k]} [m]`)[50] - points[2][k]) < 1e-9));
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async maps_and_frequencies_are_those_of_the_program(browser) {
    const page = await open(browser, view(siax), { width: 900, height: 600 });
    const map = await page.evaluate(async () => {
      window.pkmView.choose("map");
      window.pkmView.mapPanel.points.value = "41";
      return window.pkmView.mapPanel.compute();
    });
    const tool = await page.evaluate(() => window.pkmView.state().tool);
    const want = JSON.parse(pkm("workspace", siax, "--slice", `z=${tool[2].toPrecision(17)}`, "--points", "41", "--json", "-o", "map"));
    assert.ok(map.reachable.length > 500);
    for (const [name, own, theirs] of [["condition", map.best_condition, want.best.condition], ["size", map.size, want.size], ["mean", map.mean_dexterity, want.mean_dexterity]])
      assert.ok(Math.abs(own - theirs) < 1e-9 * theirs, `${name}: ${own} ${theirs}`);
    // slices of elastic quantities, the same points by the program
    const slice = await page.evaluate(async () => {
      const panel = window.pkmView.mapPanel;
      panel.quantity.value = "frequency";
      panel.chosen();
      const map = await panel.compute();
      return { ...map, text: panel.text.textContent, drawn: panel.mesh.parent !== null };
    });
    const axis = (k) => `${slice.from[k].toPrecision(17)}:${slice.to[k].toPrecision(17)}:${slice.n[k]}`, grid = `${axis(0)},${axis(1)},${slice.from[2].toPrecision(17)}`;
    for (const [verb, column, unit] of [["modes", "f1", "Hz"], ["stiffness", "k_min", "N/m"]]) {
      pkm(verb, siax, "--map", "--grid", grid, ...(verb === "modes" ? ["--modes", "1"] : []), "-o", `slice-${verb}`);
      const own = table(readFileSync(join(folder, `slice-${verb}/table.csv`), "utf8")), values = own.get(`${column} [${unit}]`);
      assert.equal(slice[column].length, values.length);
      assert.ok(values.filter((v) => v > 0).length > 30);
      values.forEach((v, i) => assert.ok(Math.abs(v - slice[column][i]) <= 1e-8 * v, `${column}, point ${i}: ${v} ${slice[column][i]}`));
    }
    assert.ok(slice.drawn && /^The lowest natural frequency at \d+ of \d+ points/.test(slice.text), slice.text);
    if (process.env.PKM_SHOT) await page.screenshot({ path: process.env.PKM_SHOT });
    const elastic = await page.evaluate(() => window.pkmView.search("elastic", 3));
    const modes = JSON.parse(pkm("modes", siax, "--json", "-o", "modes")).modes;
    elastic.f.forEach((f, k) => assert.ok(Math.abs(f - modes[k].frequency) < 1e-9 * f, `${f} ${modes[k].frequency}`));
    assert.deepEqual(page.complaints, []);
    await leave(page);
  },

  async the_state_goes_along_in_a_link(browser) {
    const file = view(siax);
    const page = await openPlain(browser, file, { width: 900, height: 600 });
    await page.evaluate(() => window.pkmView.changePanel.change("l1", "520 mm"));
    await page.evaluate(() => window.pkmView.lead("drives", [0.1, 0.2, 0.3]));
    const before = await page.evaluate(() => window.pkmView.state());
    await page.evaluate(() => window.pkmView.record.link());
    const hash = await page.evaluate(() => location.hash);
    await leave(page);
    const context = await newContext(browser, { sharp: true, viewport: { width: 640, height: 440 } });
    const other = await context.newPage();
    await other.goto(`file://${file}${hash}`);
    await other.waitForFunction(() => document.documentElement.dataset.ready === "yes");
    const after = await other.evaluate(() => window.pkmView.state());
    assert.deepEqual(after.drives, before.drives);
    assert.equal(await other.evaluate(() => window.pkmView.set.l1), "520 mm");
    // a picture is a picture
    await other.click("#record");
    const [picture] = await Promise.all([other.waitForEvent("download"), other.click("#save-png")]);
    const path = join(folder, "picture.png");
    await picture.saveAs(path);
    const bytes = readFileSync(path);
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(bytes.length > 5000);
    writeFileSync(path, "");
    await context.close();
  },
});
