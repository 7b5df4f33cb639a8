// The robot in motion: camera, light, floor, ghost of the ideal robot, path of the tool, controls.
import * as THREE from "three";
import { h, svg } from "./dom.js";
import { Film } from "./film.js";
import { Picture, roundNumber, themes } from "./picture.js";
import { BentBar, drivenBodies, makeBodies, slideAt, stretchRod, vec } from "./robot.js";
import { onTheme, theme } from "./theme.js";
import { digits, quantity } from "./units.js";

const accent = 0x0072b2;
const quiet = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/// A factor in words: "× 200".
const times = (x) => `× ${x >= 1e6 ? digits(x, 2) : Math.round(x).toLocaleString("en").replaceAll(",", "\u202f")}`;

const icon = (d) => svg("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d }));
const playIcon = () => icon("M3 1.2v11.6L12.4 7z");
const pauseIcon = () => icon("M2.5 1.5h3.2v11H2.5zM8.3 1.5h3.2v11H8.3z");

export class Stage extends Picture {
  /// `scene` is the scene.json of a run; `readout(t)` may give lines of [name, text] to show; `shown`, see shown.js, is
  /// what stands around the robot.
  constructor(scene, { onInstant, readout, shown } = {}) {
    super(h("canvas", { tabindex: "0", "aria-label": `${scene.name} in motion; drag to turn, scroll to zoom` }));
    if (this.blind) throw this.blind;
    this.margin = [0.84, 1.06];
    this.onInstant = onInstant ?? (() => {});
    this.readout = readout ?? (() => []);
    this.shown = shown ?? null;
    this.orbit.enableZoom = false; // the wheel scrolls the page until the robot has been touched
    this.orbit.addEventListener("start", () => {
      this.orbit.enableZoom = true;
      this.side = null; // the reader's own view: stays when the window changes
    });
    this.canvas.addEventListener("pointerleave", () => (this.orbit.enableZoom = false));
    this.orbit.addEventListener("change", () => this.requestFrame());
    this.makeElement();
    this.show(scene);
    new ResizeObserver(() => this.resize()).observe(this.view);
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      this.requestFrame();
    }).observe(this.view);
    onTheme(() => this.show(this.scene));
    if (!quiet && this.film.t.length > 1) this.play();
  }

  // ---- what is shown --------------------------------------------------------------------------

  /// Show another run of the same robot, or another robot.
  show(scene) {
    const again = this.scene?.name === scene.name;
    this.scene = scene;
    this.film = new Film(scene);
    this.world.clear();
    this.points = this.film.points();
    this.size = new THREE.Box3().setFromPoints(this.points).getSize(new THREE.Vector3()).length();
    this.points.push(...(this.shown?.points() ?? []));
    this.box = new THREE.Box3().setFromPoints(this.points);
    const looks = themes[theme()];
    this.world.add(...this.makeRobot(scene, looks, (joint) => this.travel(joint)));
    this.ghosts = makeBodies(scene, 0.5 * this.size, true);
    const driven = drivenBodies(scene);
    this.bent = this.film.bends.map((bend) => new BentBar(scene, bend, this.groups[bend.body], driven.has(bend.body)));
    this.ghostRoot = new THREE.Group();
    this.ghostRoot.add(...this.ghosts);
    this.world.add(this.ghostRoot);
    this.addLights(this.world, looks);
    this.shown?.build(this);
    this.setUpMagnification();
    this.addPath();
    if (!again) this.lookFrom(this.isFlat() ? "top" : "corner");
    this.t = again ? Math.min(this.t, this.film.end) : this.film.start;
    this.setUpControls();
    this.setTime(this.t);
  }

  /// Displacement of a slide on the ground along its axis: least and largest of the film [m].
  travel(joint) {
    const probe = this.scene.bodies.map(() => new THREE.Object3D());
    const all = this.film.t.map((t) => {
      this.film.place(probe, t, 1);
      return slideAt(joint, probe);
    });
    return [Math.min(...all), Math.max(...all)];
  }

  setUpMagnification() {
    const most = this.film.largestDeviation();
    this.hasDeviation = most > 1e-9 * this.size;
    this.magnification = this.hasDeviation ? Math.max(1, roundNumber((0.05 * this.size) / most)) : 1;
    this.mostMagnification = 10 * this.magnification;
    this.ghostRoot.visible = this.hasDeviation;
  }

  addPath() {
    const tool = this.scene.tool;
    this.truePath = this.idealPath = this.tip = null;
    if (!tool || this.film.t.length < 2 || this.film.mode) return;
    const line = (colour, opacity) => new THREE.Line(new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: colour, transparent: opacity < 1, opacity, depthWrite: false }));
    this.idealPath = line(0x7d8b98, 0.8);
    this.truePath = line(accent, 1);
    this.tip = new THREE.Mesh(new THREE.SphereGeometry(0.007 * this.size, 20, 14), new THREE.MeshBasicMaterial({ color: 0xd55e00 }));
    this.idealPath.geometry.setFromPoints(this.film.path(tool.body, vec(tool.at), 0));
    this.idealPath.visible = this.hasDeviation;
    this.world.add(this.idealPath, this.truePath, this.tip);
    this.renewPath();
  }

  renewPath() {
    if (!this.truePath) return;
    const tool = this.scene.tool;
    this.truePath.geometry.dispose();
    this.truePath.geometry = new THREE.BufferGeometry().setFromPoints(this.film.path(tool.body, vec(tool.at), this.magnification));
  }

  resize() {
    const { clientWidth: w, clientHeight: height } = this.view;
    if (!w || !height || this.frozen) return;
    this.camera.aspect = w / height;
    this.renderer.setSize(w, height, false);
    if (this.side) this.lookFrom(this.side);
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  // ---- time -----------------------------------------------------------------------------------

  play() {
    if (this.film.t.length < 2) return;
    if (this.t >= this.film.end) this.t = this.film.start;
    this.playing = true;
    this.last = undefined;
    this.playButton.replaceChildren(pauseIcon());
    this.playButton.setAttribute("aria-label", "Pause");
    this.requestFrame();
  }

  pause() {
    this.playing = false;
    this.playButton.replaceChildren(playIcon());
    this.playButton.setAttribute("aria-label", "Play");
  }

  setTime(t) {
    this.t = t;
    this.hold?.leave();
    this.film.place(this.groups, t, this.magnification);
    if (this.ghostRoot.visible) this.film.place(this.ghosts, t, 0);
    for (const bar of this.bent) bar.follow(this.film.bentPoints(bar.bend, t, this.magnification));
    for (const rod of this.rods) stretchRod(rod, this.groups);
    if (this.tip) this.tip.position.copy(vec(this.scene.tool.at).applyMatrix4(this.groups[this.scene.tool.body].matrixWorld));
    this.scrub.value = String(t);
    this.timeText.textContent = `${this.inTime(t)} / ${this.inTime(this.film.end)} s`;
    this.readoutElement.replaceChildren(...this.readout(t).map(([name, text]) => h("div", {}, `${name} `, h("b", {}, text))));
    this.onInstant(t);
    this.requestFrame();
  }

  inTime(t) {
    const places = Math.max(0, 3 - Math.floor(Math.log10(Math.max(this.film.end, 1e-9)) + 1e-9));
    return t.toFixed(Math.min(places, 7));
  }

  requestFrame() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      this.tick(now);
    });
  }

  tick(now) {
    if (this.playing && this.visible !== false) {
      const passed = this.last === undefined ? 0 : Math.min((now - this.last) / 1000, 0.1);
      this.last = now;
      let t = this.t + passed * this.speed;
      if (t > this.film.end) t = this.film.start + ((t - this.film.start) % Math.max(this.film.end - this.film.start, 1e-9));
      this.setTime(t);
    } else this.last = undefined;
    this.draw();
  }

  draw() {
    if (!this.frozen) this.renderer.render(this.world, this.camera);
  }

  /// A picture of the stage, `width` by `height` pixels, as a data URL.
  picture(width, height) {
    const aspect = this.camera.aspect, ratio = this.renderer.getPixelRatio();
    const { clientWidth, clientHeight } = this.view;
    this.camera.aspect = width / height;
    if (this.side) this.lookFrom(this.side);
    this.camera.updateProjectionMatrix();
    this.renderer.setPixelRatio(1);
    this.renderer.setSize(width, height, false);
    this.renderer.render(this.world, this.camera);
    const url = this.canvas.toDataURL("image/png");
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(clientWidth || width, clientHeight || height, false);
    this.camera.aspect = aspect;
    if (this.side) this.lookFrom(this.side);
    this.camera.updateProjectionMatrix();
    this.draw();
    return url;
  }

  // ---- elements -------------------------------------------------------------------------------

  makeElement() {
    this.readoutElement = h("div", { class: "readout" });
    this.key = h("div", { class: "key" });
    const look = (side, text) => h("button", { type: "button", onclick: () => this.lookFrom(side) }, text);
    this.view = h("div", { class: "view" }, this.canvas, this.readoutElement, this.key,
      h("div", { class: "views" }, look("corner", "3D"), look("front", "Front"), look("side", "Side"), look("top", "Top")));
    this.playButton = h("button", { class: "play", type: "button", "aria-label": "Play", onclick: () => (this.playing ? this.pause() : this.play()) }, playIcon());
    this.scrub = h("input", { class: "scrub", type: "range", step: "any", "aria-label": "Time", oninput: () => { this.pause(); this.setTime(Number(this.scrub.value)); } });
    this.timeText = h("span", { class: "time" });
    this.speedSelect = h("select", { "aria-label": "Speed", onchange: () => (this.speed = Number(this.speedSelect.value)) });
    this.controls = h("div", { class: "controls" }, this.playButton, this.scrub, this.timeText, h("label", {}, "Speed", this.speedSelect));
    this.more = h("div", { class: "controls" });
    this.extra = h("span", { class: "extra" });
    this.element = h("div", { class: "stage" }, this.view, this.controls, this.more);
  }

  /// A control of the report's own, before the others of the second line.
  addControl(element) {
    this.extra.append(element);
    this.setUpControls();
  }

  setUpControls() {
    const length = this.film.end - this.film.start;
    Object.assign(this.scrub, { min: String(this.film.start), max: String(this.film.end) });
    const wanted = length / (this.film.mode ? 2.5 : 7); // to be seen in so many seconds
    const speeds = [0, 1, 2, 3, 4, 5, 6].flatMap((k) => [1, 2, 5].map((s) => 1 / (s * 10 ** k)));
    if (!this.speed || this.film.mode) this.speed = speeds.find((s) => s <= wanted * 1.3) ?? speeds.at(-1);
    this.speedSelect.replaceChildren(...speeds.filter((s) => s >= Math.min(0.001, this.speed)).map((s) => h("option", { value: s, selected: s === this.speed }, s === 1 ? "real time" : `1/${Math.round(1 / s)}`)));
    this.controls.style.display = this.film.t.length > 1 ? "" : "none";
    this.more.replaceChildren(this.extra, ...(this.shown?.controls() ?? []), ...(this.hasDeviation ? this.deviationControls() : []));
    this.more.style.display = this.hasDeviation || this.shown || this.extra.childNodes.length ? "" : "none";
    this.showKey();
  }

  deviationControls() {
    const top = Math.log10(this.mostMagnification);
    const output = h("output", {});
    const tell = () => (output.textContent = this.film.mode ? quantity(this.film.mode.largest * this.magnification, "m", 2) : times(this.magnification));
    const slider = h("input", {
      type: "range", min: "0", max: String(top), step: "any", value: String(Math.log10(this.magnification)), "aria-label": this.film.mode ? "Amplitude" : "Magnification of deviations",
      oninput: () => {
        const raw = 10 ** Number(slider.value);
        const unit = 10 ** (Math.floor(Math.log10(raw)) - 1);
        this.magnification = Math.max(1, Math.round(raw / unit) * unit);
        tell();
        this.renewPath();
        this.showKey();
        this.setTime(this.t);
      },
    });
    tell();
    const ghost = h("button", {
      class: "chip", type: "button", "aria-pressed": "true",
      onclick: () => {
        this.ghostRoot.visible = !this.ghostRoot.visible;
        if (this.idealPath) this.idealPath.visible = this.ghostRoot.visible;
        ghost.setAttribute("aria-pressed", String(this.ghostRoot.visible));
        this.setTime(this.t);
      },
    }, this.film.mode ? "Robot at rest" : "Ideal robot");
    return [h("label", {}, this.film.mode ? "Amplitude" : "Deviation", slider, output), ghost];
  }

  showKey() {
    const entry = (colour, text) => h("span", {}, h("i", { style: `border-color:${colour}` }), text);
    this.key.replaceChildren(...(this.truePath ? [
      entry("#0072b2", this.hasDeviation && this.magnification > 1 ? `path of ${this.scene.tool.name}, deviation ${times(this.magnification)}` : `path of ${this.scene.tool.name}`),
      ...(this.hasDeviation ? [entry("#a3aeb8", "ideal robot")] : [])] : []),
      ...(this.film.mode ? [h("span", {}, this.film.mode.text), entry("#a3aeb8", "at rest")] : []),
      ...(this.shown?.key() ?? []),
      h("span", {}, `grid ${Number((this.gridStep * 1000).toPrecision(3))} mm`));
  }
}

/// A stage, or a sentence where the browser cannot draw in 3D.
export function makeStage(scene, options) {
  try {
    const probe = document.createElement("canvas");
    if (!(probe.getContext("webgl2"))) throw new Error("no WebGL");
    return (window.pkmStage = new Stage(scene, options)); // for tests and the curious
  } catch {
    const element = h("div", { class: "stage" }, h("p", { class: "note", style: "padding:24px" },
      "This browser cannot draw in 3D (WebGL is not available), so the animation is left out."));
    return { element, picture: () => null, view: null, setTime() {} };
  }
}
