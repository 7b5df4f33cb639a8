// Debian's Firefox, driven by its own Marionette protocol: messages "length:[0, id, command, parameters]" over a socket.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Firefox {
  /// Start it without a window, in a profile of its own.
  static async start(program, patience = 120000) {
    const profile = mkdtempSync(join(tmpdir(), "pkm-firefox-")), port = await freePort();
    const set = { "marionette.port": port, "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, "toolkit.telemetry.enabled": false,
      "app.update.disabledForTesting": true, "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9, "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": 9,
      "webgl.force-enabled": true };
    writeFileSync(join(profile, "user.js"), Object.entries(set).map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`).join(""));
    const child = spawn(program, ["--marionette", "--headless", "--no-remote", "--profile", profile, "about:blank"], { stdio: "ignore", env: { ...process.env, HOME: profile } });
    const firefox = new Firefox();
    Object.assign(firefox, { child, profile, waiting: new Map(), next: 1, text: Buffer.alloc(0) });
    for (const end = Date.now() + patience; ;) {
      try {
        await firefox.connect(port);
        break;
      } catch (error) {
        if (Date.now() > end || child.exitCode !== null) throw error;
        await wait(300);
      }
    }
    await firefox.call("WebDriver:NewSession", { capabilities: { alwaysMatch: { acceptInsecureCerts: false, timeouts: { script: patience, pageLoad: patience } } } });
    return firefox;
  }

  connect(port) {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("error", reject);
      socket.on("data", (data) => {
        this.text = Buffer.concat([this.text, data]);
        for (let message; (message = this.take());) {
          if (Array.isArray(message)) this.hear(message);
          else resolve(); // the greeting
        }
      });
      this.socket = socket;
    });
  }

  /// A whole message from what has come so far.
  take() {
    const colon = this.text.indexOf(58);
    if (colon < 0) return null;
    const end = colon + 1 + Number(this.text.subarray(0, colon).toString());
    if (this.text.length < end) return null;
    const message = JSON.parse(this.text.subarray(colon + 1, end).toString());
    this.text = this.text.subarray(end);
    return message;
  }

  hear([, id, error, result]) {
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(`${error.error}: ${error.message}`));
    else resolve(result);
  }

  call(command, parameters = {}) {
    const id = this.next++, text = JSON.stringify([0, id, command, parameters]);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  /// The value of an async function of the page.
  async evaluate(code, ...args) {
    const script = `const done = arguments[arguments.length - 1]; (${code})(...[...arguments].slice(0, -1)).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value } = await this.call("WebDriver:ExecuteAsyncScript", { script, args, newSandbox: true });
    if (value.error) throw new Error(value.error);
    return value.value;
  }

  async drag([x, y], [toX, toY]) {
    const point = (px, py, duration) => ({ type: "pointerMove", x: Math.round(px), y: Math.round(py), duration });
    await this.call("WebDriver:PerformActions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" },
      actions: [point(x - 3, y, 0), point(x, y, 50), { type: "pointerDown", button: 0 }, point((x + toX) / 2, (y + toY) / 2, 150), point(toX, toY, 150), { type: "pointerUp", button: 0 }] }] });
  }

  async close() {
    await Promise.race([this.call("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {}), wait(5000)]);
    this.socket.destroy();
    if (this.child.exitCode === null) this.child.kill("SIGKILL");
    await wait(200);
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
