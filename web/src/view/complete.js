// Completion of the model's text from its schema: keys where a key is due, words where a word is.
import schema from "schema:pkm-model-1";

/// A node with what it refers to and all its alternatives, as a flat list.
function parts(node, depth = 0) {
  if (!node || typeof node !== "object" || depth > 12) return [];
  const to = node.$ref ? parts(node.$ref.slice(2).split("/").reduce((at, key) => at?.[key], schema), depth + 1) : [];
  return [node, ...to, ...["anyOf", "oneOf", "allOf"].flatMap((word) => (node[word] ?? []).flatMap((other) => parts(other, depth + 1)))];
}

/// The nodes below `key` of the nodes `from`; in a list those of its items.
const below = (from, key) => from.flatMap((node) => parts(node)).flatMap((node) => {
  if (key === "-") return parts(node.items);
  if (node.properties?.[key]) return parts(node.properties[key]);
  return [...Object.values(node.patternProperties ?? {}), typeof node.additionalProperties === "object" ? node.additionalProperties : null].flatMap((other) => parts(other));
});

/// Keys above the caret: by indentation, then through open braces and brackets of its line.
export function pathAt(text, caret) {
  const lines = text.slice(0, caret).split("\n"), last = lines.pop(), path = [];
  let indent = /^ */.exec(last)[0].length;
  if (/^ *- /.test(last)) path.push("-");
  for (const line of lines.reverse()) {
    if (!line.trim() || line.trim().startsWith("#")) continue;
    const own = /^ */.exec(line)[0].length, match = /^ *(?:- )?([\w.-]+): *(?:#.*)?$/.exec(line);
    if (own < indent) {
      if (/^ *- /.test(line)) path.unshift("-");
      else if (match) path.unshift(match[1]);
      indent = own;
    }
  }
  const open = []; // of the line itself: what stands before each brace that is still open
  for (let k = 0, from = 0; k < last.length; ++k) {
    if (last[k] === "{" || last[k] === "[") {
      open.push({ at: /([\w.-]+): *$/.exec(last.slice(from, k))?.[1] ?? null, kind: last[k] });
      from = k + 1;
    } else if (last[k] === "}" || last[k] === "]") open.pop();
    else if (last[k] === ",") from = k + 1;
  }
  for (const { at, kind } of open) path.push(...(at ? [at] : []), ...(kind === "[" ? ["-"] : []));
  return { path, rest: /[^{[,]*$/.exec(last)[0].replace(/^ *(- )?/, "") };
}

/// What can stand at the caret: {prefix, list: [{word, note}]}.
export function suggest(text, caret) {
  const { path, rest } = pathAt(text, caret), value = /^([\w.-]+): +([\w.-]*)$/.exec(rest), key = /^[\w.-]*$/.test(rest);
  if (!value && !key) return { prefix: "", list: [] };
  const nodes = [...path, ...(value ? [value[1]] : [])].reduce((from, name) => below(from, name), parts(schema)), words = new Map();
  for (const node of nodes) {
    if (value) for (const word of node.enum ?? (node.const !== undefined ? [node.const] : [])) words.set(String(word), "");
    else for (const [word, child] of Object.entries(node.properties ?? {})) words.set(word, parts(child).find((part) => part.description)?.description ?? "");
  }
  const prefix = value ? value[2] : rest;
  return { prefix, isKey: !value, list: [...words].filter(([word]) => word.startsWith(prefix) && word !== prefix).map(([word, note]) => ({ word, note })) };
}
