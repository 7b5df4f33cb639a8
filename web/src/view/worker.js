// The worker of the page: takes calls {id, call, args}, answers {id, answer}; runs tell how far they are.
import { startEngine } from "./host.js";

let engine = null, last = 0;
const tell = (message, transfer) => postMessage(message, transfer ?? []);

const page = {
  wants: (fraction) => {
    const now = performance.now();
    if (now - last < 40) return false;
    last = now;
    tell({ event: "progress", fraction });
    return true;
  },
  rows: (values, columns, poses) => tell({ event: "rows", values, columns, poses }),
  columns: (list) => tell({ event: "columns", list }),
};

const calls = {
  start: async ({ wasm, files }) => {
    engine = await startEngine(wasm, { files: new Map(files), page });
    return { ok: true };
  },
  load: ({ text, name, set }) => engine.load(text, name, set),
  move: ({ name, args }) => engine.move(name, ...args),
  liveBegin: ({ text }) => engine.liveBegin(text),
  liveStep: ({ dt, n, hand }) => engine.liveStep(dt, n, hand),
  liveEnd: () => engine.call("live_end"),
  ask: ({ name, args }) => engine.call(name, ...args),
};

onmessage = async ({ data: { id, call, args } }) => {
  try {
    tell({ id, answer: await calls[call](args) });
  } catch (error) {
    tell({ id, failed: String(error.message ?? error) });
  }
};
