// What all reports share: contents, head, printing.
import { h } from "./dom.js";
import { fitForPrint, fitForScreen } from "./plot.js";

const paperWidth = 687; // of the text on A4, in CSS pixels: 182 mm

function dateText(date) {
  const parsed = new Date(date);
  if (isNaN(parsed)) return "";
  const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  return `${parsed.getUTCDate()} ${months[parsed.getUTCMonth()]} ${parsed.getUTCFullYear()}`;
}

/// Put the report together: {title, eyebrow, lead, manifest, figures, stage, notices, sections}.
export function page({ title, eyebrow, lead, manifest, figures, stage, notices, sections }) {
  const there = sections.filter(Boolean);
  document.title = `${title} – ${eyebrow}`;
  const links = there.map((s) => h("a", { href: `#${s.id}`, hidden: !s.dataset.title }, s.dataset.title));
  const main = document.getElementById("report");
  main.replaceChildren(
    h("header", { class: "top" }, h("span", { class: "brand" }, h("b", {}, "pkm"), " report"), h("nav", { "aria-label": "Contents" }, links),
      h("span", { class: "when" }, dateText(manifest?.date))),
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

/// On paper plots take its width, and the stage is a picture.
function printWell(stage) {
  let image = null;
  const before = () => {
    fitForPrint(paperWidth);
    if (!stage?.view || image) return;
    const url = stage.picture(1600, 880);
    if (!url) return;
    image = h("img", { alt: "The robot", src: url });
    stage.canvas.style.display = "none";
    stage.view.append(image);
  };
  const after = () => {
    fitForScreen();
    if (!image) return;
    image.remove();
    image = null;
    stage.canvas.style.display = "";
  };
  window.addEventListener("beforeprint", before);
  window.addEventListener("afterprint", after);
}
