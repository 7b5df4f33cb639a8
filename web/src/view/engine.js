// The engine as the page sees it: calls with answers, in a worker that is made from text.
import workerText from "worker:view/worker.js";

/// Bytes of base64 text; gzip is unpacked.
export async function unpack(base64) {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  if (typeof DecompressionStream === "undefined") throw new Error("this browser cannot unpack the engine (no DecompressionStream); a newer one can");
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Hands {
  /// `onEvent` hears of runs: {event: "progress" | "columns" | "rows", ...}.
  constructor(wasm, files, onEvent = () => {}) {
    Object.assign(this, { wasm, files, onEvent });
    this.begin();
  }

  begin() {
    const url = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.waiting = new Map();
    this.next = 1;
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.failAll(event.message || "the worker stopped");
    this.ready = this.call("start", { wasm: this.wasm, files: this.files }).finally(() => URL.revokeObjectURL(url));
  }

  hear(data) {
    if (data.event) return this.onEvent(data);
    const { resolve, reject } = this.waiting.get(data.id) ?? {};
    this.waiting.delete(data.id);
    if (data.failed !== undefined) reject?.(new Error(data.failed));
    else resolve?.(data.answer);
  }

  failAll(message) {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }

  call(call, args) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, call, args });
    });
  }

  load(text, name, set) { return this.call("load", { text, name, set }); }
  move(name, ...args) { return this.call("move", { name, args }); }
  ask(name, ...args) { return this.call("ask", { name, args }); }

  /// Stop what is being computed: a new worker takes over, without a robot.
  stop() {
    this.worker.terminate();
    this.failAll("stopped");
    this.begin();
    return this.ready;
  }
}
