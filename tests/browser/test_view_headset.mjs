// The page in a headset, emulated by iwer: frames of its session are waited for, not milliseconds.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, newContext, pkm, root, run, view } from "./browser.mjs";

const model = join(root, "robots/siax.yaml");
const script = `${readFileSync(join(root, "web/node_modules/iwer/build/iwer.min.js"), "utf8")};
  window.device = new IWER.XRDevice(IWER.metaQuest3);
  window.device.installRuntime({ forceInstall: true });
  // what iwer needs to find surfaces: a table, 0.7 m high, in front of the wearer
  window.device.installSEM(class {
    environmentCanvas = document.createElement("canvas");
    trackedPlanes = new Set();
    trackedMeshes = new Set();
    render() {}
    computeHitTestResults() { return window.noSurface ? [] : [new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.3, 0.7, -1.1, 1])]; }
  });
  // spaces with an offset: iwer takes the matrix of the transform, the standard the transform
  const space = XRReferenceSpace.prototype, offsetSpace = space.getOffsetReferenceSpace;
  space.getOffsetReferenceSpace = function (transform) { return offsetSpace.call(this, transform.matrix); };
  window.tools = () => {
    const { device, pkmView: app } = window, hand = device.controllers.right;
    const frames = (n) => new Promise((resolve) => { const step = () => (n-- > 0 ? app.headset.session.requestAnimationFrame(step) : resolve()); step(); });
    // put the right hand at "from" and point it at "at"; places of the page, which teleporting shifts against those of the device
    const point = async (from, at) => {
      const back = app.headset.room.rig.matrixWorld.clone().invert(), eye = from.clone().applyMatrix4(back), goal = at.clone().applyMatrix4(back);
      const m = app.scene3.root.matrix.clone().lookAt(eye, goal, goal.clone().set(0, 1, 0)), q = app.scene3.root.quaternion.clone().setFromRotationMatrix(m);
      hand.position.set(eye.x, eye.y, eye.z);
      hand.quaternion.set(q.x, q.y, q.z, q.w);
      await frames(3);
    };
    const trigger = async (value) => { hand.updateButtonValue("trigger", value); await frames(3); };
    const vec = (x, y, z) => app.scene3.root.position.clone().set(x, y, z);
    const pulses = [];
    for (const hand of app.headset.hands) {
      const list = hand.source?.gamepad?.hapticActuators ?? [];
      if (list[0]) list[0].pulse = (strength) => { pulses.push(strength); return Promise.resolve(true); };
    }
    return { app, hand, frames, point, trigger, vec, pulses };
  };`;

let page = null;

async function enter(button) {
  await page.click(button);
  await page.waitForFunction(() => window.pkmView.scene3.inHeadset === true && window.pkmView.headset.hands?.[0]?.source && window.pkmView.headset.hands?.[1]?.source);
}

async function leave() {
  await page.evaluate(() => window.pkmView.headset.session.end());
  await page.waitForFunction(() => window.pkmView.scene3.inHeadset === false);
}

const state = () => page.evaluate(() => window.pkmView.state());
const near = (a, b, by, text) => assert.ok(Math.abs(a - b) <= by, `${text}: ${a}, expected ${b}`);
const inverse = (tool) => JSON.parse(pkm("ik", model, "--at", tool.slice(0, 3).map((v) => v.toPrecision(17)).join(","), "--json")).drives.position;

await run({
  async a_headset_grasps_the_platform_at_true_scale(browser) {
    const file = view(model), context = await newContext(browser, { bypassCSP: true, viewport: { width: 480, height: 360 } });
    page = await context.newPage();
    page.complaints = [];
    page.on("pageerror", (error) => page.complaints.push(String(error.stack)) && process.env.PKM_TELL && console.log(String(error.stack).slice(0, 600)));
    await page.addInitScript(script);
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
    await enter("#headset");
    const before = await state();
    const seen = await page.evaluate(async () => {
      const { app, point, trigger, vec, frames, pulses } = window.tools(), { scene, size } = app.robot, b = scene.tool.body;
      await frames(2);
      const world = app.scene3.groups.map((group) => group.getWorldPosition(vec(0, 0, 0))), own = app.scene3.groups.map((group) => group.position);
      const apart = own.map((p, k) => [p.distanceTo(own[1]), world[k].distanceTo(world[1])]).slice(2); // of bodies, in the robot and in the room
      const at = own[b].clone().applyMatrix4(app.scene3.root.matrixWorld), from = at.clone().add(vec(0, 0, 0.6)), by = vec(0.1, 0, 0);
      await point(from, at);
      await trigger(1);
      const held = app.grasp.held?.body;
      await point(from.clone().add(by), at.clone().add(by));
      await app.grasp.running;
      await trigger(0);
      return { held, b, apart, pulses: pulses.length, size };
    });
    assert.equal(seen.held, seen.b);
    assert.ok(seen.pulses > 0, "the hand feels that it has grasped");
    for (const [own, world] of seen.apart) near(world, own, 1e-6 * seen.size, "true scale");
    await page.waitForFunction(() => !window.pkmView.grasp.held);
    const after = await state();
    near(after.tool[0] - before.tool[0], 0.1, 1e-3, "the platform goes with the hand");
    inverse(after.tool).forEach((q, d) => near(after.drives[d], q, 1e-9, "drive"));
  },

  async a_slider_of_the_panel_moves_its_drive() {
    const asked = await page.evaluate(async () => {
      const { app, point, trigger, vec, frames } = window.tools(), { panel } = app.headset, name = app.robot.scene.drives[1].name;
      const slider = panel.layOut()[1], wanted = slider.value + 0.1 * (slider.high - slider.low), part = (v) => (v - slider.low) / (slider.high - slider.low);
      const eye = panel.placeOf(`drive ${name}`).add(vec(0.4, 0, 0.5));
      await point(eye, panel.placeOf(`drive ${name}`, part(slider.value)));
      await trigger(1);
      const held = app.headset.hands.some((hand) => hand.control?.id === `drive ${name}`);
      await point(eye, panel.placeOf(`drive ${name}`, part(wanted)));
      await trigger(0);
      await frames(4);
      while (app.leading) await frames(1);
      return { held, wanted, now: app.state().drives[1], range: slider.high - slider.low };
    });
    assert.ok(asked.held, "the slider is held");
    near(asked.now, asked.wanted, 1e-4 * asked.range, "the drive is where the ray has put it");
    const { tool, drives } = await state();
    inverse(tool).forEach((q, d) => near(drives[d], q, 1e-9, "drive"));
  },

  async a_run_is_played_and_scrubbed_on_the_panel() {
    const seen = await page.evaluate(async () => {
      const { app, point, trigger, vec, frames } = window.tools(), { panel } = app.headset, { runPanel } = app;
      const press = async (id, part) => {
        const at = panel.placeOf(id, part);
        await point(at.clone().add(vec(0.4, 0, 0.5)), at);
        await trigger(1);
        await trigger(0);
      };
      runPanel.kind.value = "inverse";
      runPanel.instants.value = "21";
      await press("Play"); // nothing has been run: it runs, then it plays
      while (!runPanel.playing) await frames(2);
      await frames(6);
      const played = runPanel.t;
      await press("Pause");
      const paused = !runPanel.playing;
      await press("time", 0.25);
      return { paused, played, scrubbed: runPanel.t / runPanel.film.end, robot: app.scene3.rods.length, start: runPanel.film.start };
    });
    assert.ok(seen.played > seen.start, "it plays by the frames of the headset");
    assert.ok(seen.paused);
    near(seen.scrubbed, 0.25, 1e-3, "time");
  },

  async it_pulses_turns_amber_and_offers_choices_before_a_singularity() {
    const seen = await page.evaluate(async () => {
      const { app, point, trigger, vec, frames, pulses } = window.tools(), b = app.robot.scene.tool.body;
      await app.goHome();
      await frames(8);
      const at = app.scene3.groups[b].position.clone().applyMatrix4(app.scene3.root.matrixWorld), from = at.clone().add(vec(0, 0, 0.6));
      await point(from, at);
      await trigger(1);
      pulses.length = 0;
      const by = vec(0, 0, 0);
      for (let k = 0; k < 60 && !app.warning.choices.childElementCount; ++k) {
        by.x += 0.05;
        await point(from.clone().add(by), at.clone().add(by));
        await app.grasp.running;
      }
      await frames(8);
      const { panel } = app.headset, colour = [...panel.canvas.getContext("2d").getImageData(4, 4, 1, 1).data], line = app.headset.hands[1].line.material.color.getHex();
      const out = { pulses: Math.max(0, ...pulses), colour, line, choices: panel.layOut().map((c) => c.id), level: app.frame.level };
      await trigger(0);
      return out;
    });
    assert.ok(seen.level > 0.6, `level ${seen.level}`);
    assert.ok(seen.pulses > 0.6, "the hand feels it");
    assert.deepEqual(seen.colour, [0x4a, 0x34, 0x10, 255], "the panel is amber");
    assert.equal(seen.line, 0xe08a00);
    for (const choice of ["Stay", "Back off", "Go round", "Other working mode", "Other assembly mode"]) assert.ok(seen.choices.includes(choice), choice);
    await page.evaluate(async () => {
      const { app, point, trigger, vec, frames } = window.tools(), at = app.headset.panel.placeOf("Back off");
      await point(at.clone().add(vec(0.4, 0, 0.5)), at);
      await trigger(1);
      await trigger(0);
      while (app.frame.level > 0) await frames(4);
    });
  },

  async pointing_at_the_floor_leads_the_wearer_there() {
    const seen = await page.evaluate(async () => {
      const { app, hand, point, trigger, vec, frames } = window.tools(), { room } = app.headset;
      const head = () => { const p = room.head(); return [p.x, p.z]; };
      const goal = vec(1.2, 0, 1.5), before = head(), robot = app.scene3.root.position.clone();
      await point(vec(0.9, 1.2, 0.9), goal);
      await trigger(1);
      const ring = room.ring.visible;
      await trigger(0);
      const after = head();
      hand.updateAxes("thumbstick", 1, 0); // and a turn on the spot
      await frames(3);
      hand.updateAxes("thumbstick", 0, 0);
      await frames(3);
      const turned = head(), d = room.head().clone().setFromMatrixColumn(app.scene3.renderer.xr.getCamera().matrixWorld, 2);
      return { before, ring, after, turned, angle: Math.atan2(d.x, d.z), stayed: robot.distanceTo(app.scene3.root.position), hidden: !room.ring.visible };
    });
    assert.ok(seen.ring && seen.hidden, "a ring shows where");
    assert.ok(Math.hypot(seen.before[0] - 1.2, seen.before[1] - 1.5) > 0.5);
    near(seen.after[0], 1.2, 1e-3, "x");
    near(seen.after[1], 1.5, 1e-3, "z");
    near(seen.turned[0], 1.2, 1e-3, "x after the turn");
    near(Math.abs(seen.angle), Math.PI / 6, 1e-3, "angle");
    assert.equal(seen.stayed, 0);
  },

  async after_leaving_the_page_is_as_before_and_can_be_entered_again() {
    await leave();
    const seen = await page.evaluate(() => ({ fov: window.pkmView.scene3.camera.fov, root: window.pkmView.scene3.root.matrix.elements.every((v, k) => v === (k % 5 === 0 ? 1 : 0)), back: window.pkmView.scene3.world.background }));
    assert.deepEqual(seen, { fov: 28, root: true, back: null });
    await enter("#headset");
    const again = await page.evaluate(async () => {
      const { app, point, trigger, vec } = window.tools(), b = app.robot.scene.tool.body;
      let begun = 0;
      const begin = app.grasp.begin.bind(app.grasp);
      app.grasp.begin = (...args) => { ++begun; begin(...args); };
      await app.goHome();
      const at = app.scene3.groups[b].position.clone().applyMatrix4(app.scene3.root.matrixWorld);
      await point(at.clone().add(vec(0, 0, 0.6)), at);
      await trigger(1);
      const held = app.grasp.held?.body;
      await trigger(0);
      return { held, b, begun };
    });
    assert.equal(again.held, again.b);
    assert.equal(again.begun, 1, "one hand, one grasp");
    await leave();
  },

  async in_a_real_room_it_stands_on_the_table_that_is_looked_at() {
    await enter("#headset-room");
    await page.waitForFunction(() => window.pkmView.headset.placing === true);
    const seen = await page.evaluate(async () => {
      const { app, trigger, frames } = window.tools(), { scene3 } = app, { room } = app.headset;
      window.noSurface = true;
      await frames(4);
      const ring = room.ring.visible;
      await trigger(1);
      await trigger(0);
      const waits = app.headset.placing;
      window.noSurface = false;
      await frames(4);
      const found = room.ring.visible;
      await trigger(1);
      await trigger(0);
      const foot = scene3.root.localToWorld(scene3.box.getCenter(scene3.root.position.clone()).setZ(scene3.floorAt));
      return { ring, waits, found, placed: !app.headset.placing, foot: foot.toArray(), back: scene3.world.background };
    });
    assert.deepEqual([seen.ring, seen.waits, seen.found, seen.placed, seen.back], [false, true, true, true, null]);
    [0.3, 0.7, -1.1].forEach((v, k) => near(seen.foot[k], v, 1e-6, "its foot"));
    await leave();
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  },
});
