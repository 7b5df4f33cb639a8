// Making elements: h("p", {class: "lead"}, "text", child). Texts are text nodes, never markup.
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false && child !== "")
      element.append(child.nodeType ? child : String(child));
}

/// A section of the report with its heading and an entry of the contents, `short` when the heading is long.
export function section(id, title, ...children) {
  const [long, short] = Array.isArray(title) ? title : [title, title];
  return h("section", { id, "data-title": short }, h("h2", {}, long), children);
}

/// A table from rows of cells; cells are texts or elements. `align` has a letter per column, l or r.
export function table(head, rows, align = "", attributes = {}) {
  const side = (k) => (align[k] === "r" ? "number" : null);
  const wide = (row) => (row.group ? h("tr", { class: "group" }, h("th", { colspan: head.length, scope: "rowgroup" }, row.group)) : null);
  return h("div", { class: "table" }, h("table", attributes,
    h("thead", {}, h("tr", {}, head.map((cell, k) => h("th", { class: side(k), scope: "col" }, cell)))),
    h("tbody", {}, rows.map((row) => wide(row) ?? h("tr", { class: row.mark },
      (row.cells ?? row).map((cell, k) => h("td", { class: side(k) }, cell)))))));
}

/// Hand a blob to the reader as a file; a browser that cannot save from a page shows it in a tab of its own.
/// The page hears of that by the event "pkm-note".
export function saveBlob(name, blob) {
  const url = URL.createObjectURL(blob);
  setTimeout(() => URL.revokeObjectURL(url), 60000);
  if (!("download" in HTMLAnchorElement.prototype)) {
    const shown = window.open(url);
    document.dispatchEvent(new CustomEvent("pkm-note", { detail: `This browser cannot save files from a page${shown ? `: ${name} is in a new tab` : ", and it opened no tab for them"}.` }));
    return;
  }
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

/// Hand `text` to the reader as a file.
export const download = (name, text, type) => saveBlob(name, new Blob([text], { type }));
