// The engine (wasm/engine.c) in a worker, or in node for tests: memory, texts, a few files to read.

const utf8 = new TextDecoder(), bytesOf = (text) => new TextEncoder().encode(text);
const BADF = 8, NOENT = 44;

/// The calls of WASI that the C library makes: files of `files` (a Map from path to bytes) can be
/// read, what is written to the standard outputs goes to `say`.
function wasi(files, memory, say) {
  const open = new Map(); // descriptor -> {bytes, at}
  let next = 4;
  const view = () => new DataView(memory().buffer);
  const text = (at, length) => utf8.decode(new Uint8Array(memory().buffer, at, length));
  const stat = (at, kind, size) => {
    const v = view();
    for (let i = 0; i < 64; i += 8) v.setBigUint64(at + i, 0n, true);
    v.setUint8(at + 16, kind);
    v.setBigUint64(at + 32, BigInt(size), true);
    return 0;
  };
  const clean = (path) => path.replace(/^(\.?\/)+/, "");
  return {
    environ_sizes_get: (n, size) => (view().setUint32(n, 0, true), view().setUint32(size, 0, true), 0),
    environ_get: () => 0,
    fd_prestat_get: (fd, at) => {
      if (fd !== 3) return BADF;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return 0;
    },
    fd_prestat_dir_name: (fd, at, length) => (new Uint8Array(memory().buffer, at, length).set(bytesOf("/").subarray(0, length)), 0),
    path_open: (fd, flags, path, length, oflags, rights, inheriting, fdflags, out) => {
      const bytes = files.get(clean(text(path, length)));
      if (!bytes) return NOENT;
      open.set(next, { bytes, at: 0 });
      view().setUint32(out, next++, true);
      return 0;
    },
    path_filestat_get: (fd, flags, path, length, out) => {
      const bytes = files.get(clean(text(path, length)));
      return bytes ? stat(out, 4, bytes.length) : NOENT;
    },
    fd_filestat_get: (fd, out) => (open.has(fd) ? stat(out, 4, open.get(fd).bytes.length) : stat(out, 2, 0)),
    fd_fdstat_get: (fd, out) => {
      const v = view();
      for (let i = 0; i < 24; i += 8) v.setBigUint64(out + i, 0n, true);
      v.setUint8(out, fd === 3 ? 3 : open.has(fd) ? 4 : 2);
      v.setBigUint64(out + 8, 0xffffffffn, true);
      v.setBigUint64(out + 16, 0xffffffffn, true);
      return 0;
    },
    fd_read: (fd, list, n, out) => {
      const file = open.get(fd), v = view();
      if (!file) return BADF;
      let done = 0;
      for (let i = 0; i < n; ++i) {
        const part = file.bytes.subarray(file.at, file.at + v.getUint32(list + 8 * i + 4, true));
        new Uint8Array(memory().buffer, v.getUint32(list + 8 * i, true), part.length).set(part);
        file.at += part.length;
        done += part.length;
      }
      v.setUint32(out, done, true);
      return 0;
    },
    fd_seek: (fd, offset, whence, out) => {
      const file = open.get(fd);
      if (!file) return 70;
      file.at = Number(offset) + (whence === 1 ? file.at : whence === 2 ? file.bytes.length : 0);
      view().setBigUint64(out, BigInt(file.at), true);
      return 0;
    },
    fd_write: (fd, list, n, out) => {
      const v = view();
      let done = 0;
      for (let i = 0; i < n; ++i) {
        const length = v.getUint32(list + 8 * i + 4, true);
        if (length) say(text(v.getUint32(list + 8 * i, true), length));
        done += length;
      }
      v.setUint32(out, done, true);
      return 0;
    },
    fd_close: (fd) => (open.delete(fd), 0),
    clock_time_get: (id, precision, out) => (view().setBigUint64(out, BigInt(Math.round(1e6 * (performance.timeOrigin + performance.now()))), true), 0),
    proc_exit: (code) => {
      throw new Error(`the engine stopped (${code})`);
    },
  };
}

/// Start the engine from the bytes of engine.wasm. `page`: {wants(fraction), rows(values, columns, poses),
/// columns(list)} watches runs.
export async function startEngine(wasm, { files = new Map(), page = {}, say = () => {} } = {}) {
  let exports;
  const memory = () => exports.memory;
  const numbers = (at, n) => new Float64Array(memory().buffer, at, n).slice();
  const string = (at) => {
    const bytes = new Uint8Array(memory().buffer);
    let end = at;
    while (bytes[end]) ++end;
    return utf8.decode(bytes.subarray(at, end));
  };
  const imports = wasi(files, memory, say);
  const missing = { get: (target, name) => target[name] ?? (() => 52) }; // not there: ENOSYS
  const module = await WebAssembly.compile(wasm);
  const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: Object.fromEntries(WebAssembly.Module.imports(module)
      .filter((entry) => entry.module === "wasi_snapshot_preview1")
      .map((entry) => [entry.name, new Proxy(imports, missing)[entry.name]])),
    page: {
      wants: (fraction) => (page.wants?.(fraction) ? 1 : 0),
      rows: (at, n, columns, poses, nPose) => page.rows?.(numbers(at, n * columns), columns, nPose ? numbers(poses, 7 * nPose) : null),
      columns: (at) => page.columns?.(JSON.parse(string(at))),
    },
  });
  exports = instance.exports;
  exports._initialize();
  return new Engine(exports, { memory, numbers, string });
}

export class Engine {
  constructor(exports, { memory, numbers, string }) {
    Object.assign(this, { exports, memory, numbers, string });
  }

  /// Call `name`; texts and arrays of numbers are put into the engine's memory for the call.
  call(name, ...args) {
    const rooms = [];
    const given = args.map((arg) => {
      if (typeof arg === "number") return arg;
      const bytes = typeof arg === "string" ? bytesOf(`${arg}\0`) : new Uint8Array(Float64Array.from(arg).buffer);
      const room = this.exports.engine_room(bytes.length);
      new Uint8Array(this.memory().buffer, room, bytes.length).set(bytes);
      rooms.push(room);
      return room;
    });
    const status = this.exports[`engine_${name}`](...given);
    rooms.forEach((room) => this.exports.engine_release(room));
    const answer = JSON.parse(this.string(this.exports.engine_text()));
    return { ok: status === 0, status, ...answer };
  }

  /// Load a robot: what is drawn, its limits, its frame.
  load(text, name, set) {
    const lines = Object.entries(set).map(([key, value]) => `${key}=${value}`).join("\n");
    const answer = this.call("load", text, name, lines);
    if (!answer.ok) return answer;
    const scene = this.call("scene");
    delete scene.ok;
    delete scene.status;
    const sizes = [7 * scene.bodies.length, scene.drives.length, 7, 7, 6, scene.drives.length, answer.limits.length, answer.n_q];
    this.layout = sizes.map((n, k) => [sizes.slice(0, k).reduce((a, b) => a + b, 0), n]);
    this.length = sizes.reduce((a, b) => a + b, 0);
    return { ...answer, scene, frame: this.frame() };
  }

  /// Where the robot stands, and what can be said of that.
  frame() {
    const all = this.numbers(this.exports.engine_frame(), this.length);
    const [poses, drives, tool, seen, direction, share, limits, q] = this.layout.map(([at, n]) => all.slice(at, at + n));
    const [known, condition, parallel, serial, kind, distance, level] = seen;
    return { poses, drives, tool, direction, share, limits, q, known: known === 1, condition, parallel, serial,
      kind: kind === 1 ? "serial" : kind === 2 ? "parallel" : kind === 4 ? "constraint" : "", distance, level };
  }

  /// Begin a live run; step it. Poses are those of all bodies, the ground first.
  liveBegin(text) {
    const answer = this.call("live_begin", text);
    if (answer.ok) this.columns = answer.columns.length;
    return answer;
  }

  liveStep(dt, n, hand) {
    const answer = this.call("live_step", dt, n, hand);
    if (!answer.ok) return answer;
    const nBody = this.layout[0][1] / 7 - 1, c = this.columns;
    const all = this.numbers(this.exports.engine_live_frame(), c + 7 * nBody + 3), poses = new Float64Array(7 * (nBody + 1));
    poses[3] = 1;
    poses.set(all.subarray(c, c + 7 * nBody), 7);
    return { ...answer, row: all.slice(0, c), poses, force: [...all.slice(c + 7 * nBody)] };
  }

  /// A call that moves the robot.
  move(name, ...args) {
    const answer = this.call(name, ...args);
    return { ...answer, frame: this.frame() };
  }
}
