// Handing on: pictures, films, tables, the model, a link that holds the state.
import { download, h, saveBlob } from "../dom.js";
import { exportGlb } from "./gltf.js";
import { iconButton } from "./icons.js";
import { button } from "./fields.js";
import { withOverrides } from "./change.js";

export class Record {
  constructor(app) {
    this.app = app;
    this.menu = h("div", { class: "menu", hidden: true, role: "menu" });
    this.open = iconButton("camera", "Save and share", () => this.toggle(), { "aria-haspopup": "true", "aria-expanded": "false", id: "record" });
    this.element = h("div", { class: "menu-holder" }, this.open, this.menu);
    this.video = button("Record a video (WebM)", () => this.film(), { role: "menuitem", id: "save-webm" });
    this.menu.append(button("Picture (PNG)", () => this.picture(), { role: "menuitem", id: "save-png" }), this.video,
      button("3D model, a run as animation (glTF)", () => this.gltf(), { role: "menuitem", id: "save-glb" }),
      button("Table of the run (CSV)", () => this.table(), { role: "menuitem" }), button("Model (YAML)", () => this.model(), { role: "menuitem" }),
      button("Link that holds the state", () => this.link(), { role: "menuitem", id: "copy-link" }));
    document.addEventListener("pointerdown", (event) => !this.element.contains(event.target) && this.toggle(false));
  }

  toggle(on = this.menu.hidden) {
    this.menu.hidden = !on;
    this.open.setAttribute("aria-expanded", String(on));
  }

  get stem() {
    return this.app.model.name.replace(/\.ya?ml$/, "");
  }

  picture() {
    this.toggle(false);
    this.app.scene3.draw();
    this.app.canvas.toBlob((blob) => saveBlob(`${this.stem}.png`, blob), "image/png");
  }

  /// The stage as a film: of a run once from start to end, else of the next five seconds.
  film() {
    this.toggle(false);
    const { app } = this, run = app.runPanel;
    if (!app.canvas.captureStream || typeof MediaRecorder === "undefined") return app.say("This browser cannot record a canvas.");
    if (this.recorder) return this.recorder.stop();
    const recorder = new MediaRecorder(app.canvas.captureStream(30), { mimeType: "video/webm" }), parts = [];
    this.recorder = recorder;
    recorder.ondataavailable = (event) => event.data.size && parts.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      saveBlob(`${this.stem}.webm`, new Blob(parts, { type: "video/webm" }));
      app.say("The video is saved.");
    };
    recorder.start(250);
    app.say("Recording…");
    let time = 5000;
    if (run.film) {
      run.pause();
      run.setTime(run.film.start);
      run.play();
      time = Math.min(60000, (1000 * (run.film.end - run.film.start)) / Number(run.speed.value));
    }
    const keep = setInterval(() => app.scene3.requestFrame(), 33);
    setTimeout(() => {
      clearInterval(keep);
      if (recorder.state !== "inactive") recorder.stop();
    }, time);
  }

  async gltf() {
    this.toggle(false);
    const { scene3, runPanel } = this.app;
    saveBlob(`${this.stem}.glb`, new Blob([await exportGlb(scene3, runPanel.film)], { type: "model/gltf-binary" }));
  }

  table() {
    this.toggle(false);
    const run = this.app.runPanel.last;
    if (!run?.even) return this.app.say("There is no run yet.");
    download("table.csv", run.csv(), "text/csv");
  }

  model() {
    this.toggle(false);
    download(this.app.model.name, withOverrides(this.app.text, this.app.set).text, "text/yaml");
  }

  // ---- the link -------------------------------------------------------------------------------

  /// The state as text: parameters, coordinates, camera. The model itself is in the page.
  state() {
    const { app } = this, { camera, orbit } = app.scene3;
    const rounded = (list) => [...list].map((v) => Number(v.toPrecision(6)));
    return { set: app.set, q: [...app.frame.q], camera: rounded(camera.position.toArray()), target: rounded(orbit.target.toArray()), tab: app.chosen };
  }

  async link() {
    this.toggle(false);
    const hash = `#state=${encodeURIComponent(JSON.stringify(this.state()))}`;
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      this.app.say("The link is in the clipboard.");
    } catch {
      this.app.say("The link is in the address bar.");
    }
  }

  /// The state that the address holds, or null; what cannot be read is left.
  read() {
    const match = /^#state=(.*)$/.exec(location.hash);
    if (!match) return null;
    try {
      const state = JSON.parse(decodeURIComponent(match[1]));
      const numbers = (list) => Array.isArray(list) && list.every((v) => typeof v === "number" && isFinite(v));
      const texts = state.set && Object.values(state.set).every((v) => typeof v === "string");
      return numbers(state.q) && numbers(state.camera) && numbers(state.target) && texts ? state : null;
    } catch {
      return null;
    }
  }

  async restore() {
    const state = this.read(), { app } = this;
    if (!state) return;
    if (Object.keys(state.set).length) await app.load(app.text, state.set, { keep: true });
    if (state.q.length === app.frame.q.length) await app.stand(state.q);
    app.scene3.side = null;
    app.scene3.camera.position.fromArray(state.camera);
    app.scene3.orbit.target.fromArray(state.target);
    app.scene3.orbit.update();
    if (app.panels.some((panel) => panel.id === state.tab)) app.choose(state.tab);
  }
}
