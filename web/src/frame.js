// What all reports share: contents, head, printing.
import { h, svg } from "./dom.js";
import { fitForPrint, fitForScreen } from "./plot.js";
import { chooseTheme, paperTheme, theme } from "./theme.js";

const paperWidth = 687; // of the text on A4, in CSS pixels: 182 mm

function dateText(date) {
  const parsed = new Date(date);
  if (isNaN(parsed)) return "";
  const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  return `${parsed.getUTCDate()} ${months[parsed.getUTCMonth()]} ${parsed.getUTCFullYear()}`;
}

function themeSwitch() {
  const icon = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("circle", { cx: 8, cy: 8, r: 6 }), svg("path", { d: "M8 2a6 6 0 0 1 0 12z", class: "half" }));
  return h("button", { class: "theme", type: "button", title: "Light or dark", "aria-label": "Light or dark", onclick: () => chooseTheme(theme() === "dark" ? "light" : "dark") }, icon);
}

/// Put the report together: {title, eyebrow, lead, manifest, figures, stage, notices, sections}.
export function page({ title, eyebrow, lead, manifest, figures, stage, notices, sections }) {
  const there = sections.filter(Boolean);
  document.title = `${title} – ${eyebrow}`;
  const links = there.map((s) => h("a", { href: `#${s.id}`, hidden: !s.dataset.title }, s.dataset.title));
  const main = document.getElementById("report");
  main.replaceChildren(
    h("header", { class: "top" }, h("span", { class: "brand" }, h("b", {}, "pkm"), " report"), h("nav", { "aria-label": "Contents" }, links),
      h("span", { class: "when" }, dateText(manifest?.date)), themeSwitch()),
    h("div", { class: stage ? "hero" : "hero plain" },
      h("div", { class: "words" }, h("div", { class: "eyebrow" }, eyebrow), h("h1", { class: title.length > 36 ? "long" : null }, title), lead ? h("p", { class: "lead" }, lead) : null,
        figures.length ? h("dl", { class: "figures" }, figures) : null),
      stage ? stage.element : null),
    ...(notices ? [notices] : []),
    ...there,
    h("footer", {}, `Made with pkm ${manifest?.version ?? ""}. This page needs no other file and no network.`));
  followScroll(there, links);
  printWell(stage);
}

/// Mark the entry of the contents that is being read.
function followScroll(sections, links) {
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) links.forEach((link, k) => link.classList.toggle("here", sections[k] === entry.target));
  }, { rootMargin: "-20% 0px -70% 0px" });
  sections.forEach((s) => seen.observe(s));
}

/// On paper plots take its width, the page is light, the stage is a picture, and what is folded is open.
function printWell(stage) {
  let image = null, folded = [];
  const before = () => {
    paperTheme(true);
    folded = [...document.querySelectorAll("details:not([open]):not(.no-print)")];
    for (const details of folded) details.open = true;
    fitForPrint(paperWidth);
    if (!stage?.view || image) return;
    const url = stage.picture(1600, 880);
    if (!url) return;
    image = h("img", { alt: "The robot", src: url });
    stage.canvas.style.display = "none";
    stage.view.append(image);
  };
  const after = () => {
    paperTheme(false);
    for (const details of folded) details.open = false;
    fitForScreen();
    if (!image) return;
    image.remove();
    image = null;
    stage.canvas.style.display = "";
  };
  window.addEventListener("beforeprint", before);
  window.addEventListener("afterprint", after);
}
