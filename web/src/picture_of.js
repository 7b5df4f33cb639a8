// Pictures of a run in its page, for light and dark.
import { h } from "./dom.js";
import { darkened } from "./theme.js";

/// "workspace-xy.svg" in words.
const words = (name) => name.replace(/\.svg$/, "").replaceAll("-", " ");

/// The images of one picture; [] when the run has none of that name.
export function imagesOf(run, name) {
  const text = run.pictures[name];
  if (!text) return [];
  return [["for-light", text], ["for-dark", darkened(text)]].map(([kind, seen]) => h("img", { class: kind, alt: words(name), src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(seen)}` }));
}

/// One picture by itself; null when the run has none of that name.
export const pictureOf = (run, name) => (run.pictures[name] ? h("div", { class: "pictures" }, imagesOf(run, name)) : null);
