// Icons, drawn here.
import { h, svg } from "../dom.js";

const paths = {
  theme: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4a4 4 0 0 1 0 8z",
  camera: "M2 5h3l1.2-2h3.6L11 5h3v8.5H2zM8 11.5a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2z",
  play: "M4 2.5v11L13 8z",
  pause: "M4 2.5h2.8v11H4zM9.2 2.5H12v11H9.2z",
  headset: "M2 6.5C2 5.7 2.7 5 3.5 5h9c.8 0 1.5.7 1.5 1.5V11c0 .8-.7 1.5-1.5 1.5H11L9.2 10.6H6.8L5 12.5H3.5C2.7 12.5 2 11.8 2 11z",
  room: "M1.5 5V1.5H5V3H3v2zM11 1.5h3.5V5H13V3h-2zM3 11v2h2v1.5H1.5V11zM13 13v-2h1.5v3.5H11V13zM8 4.2l3.4 1.9v3.8L8 11.8 4.6 9.9V6.1z",
  tour: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM10.8 5.2 9.2 9.2 5.2 10.8 6.8 6.8z",
};

export const icons = Object.fromEntries(Object.entries(paths).map(([name, d]) => [name, () =>
  svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true", class: `icon icon-${name}` }, svg("path", { d }))]));

export const iconButton = (name, title, onclick, attributes = {}) =>
  h("button", { type: "button", class: "icon-button", title, "aria-label": title, onclick, ...attributes }, icons[name]());
