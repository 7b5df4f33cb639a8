// Light or dark: as the reader's system has it, until the reader chooses. Paper is always light.

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const followers = new Set();
let chosen = null, paper = false;
try {
  chosen = localStorage.getItem("pkm-theme");
} catch { /* pages from files may have no storage */ }

/// "light" or "dark".
export const theme = () => (paper ? "light" : chosen ?? (dark.matches ? "dark" : "light"));

function tell() {
  if (document.documentElement.dataset.theme === theme()) return;
  document.documentElement.dataset.theme = theme();
  for (const follow of followers) follow(theme());
}
document.documentElement.dataset.theme = theme();
dark.addEventListener("change", tell);

/// Hear of every change.
export const onTheme = (follow) => followers.add(follow);

/// The reader's choice, which is kept.
export function chooseTheme(name) {
  chosen = name;
  try {
    localStorage.setItem("pkm-theme", name);
  } catch { /* as above */ }
  tell();
}

export function paperTheme(on) {
  paper = on;
  tell();
}

/// A picture of the program (SVG text) for a dark page: its greys are turned over; colours, what stands on them and texts with a
/// white rim stay.
export function darkened(svg) {
  const turned = (grey) => {
    const level = Math.round(28 + 0.86 * (255 - grey)).toString(16).padStart(2, "0");
    return `#${level}${level}${level}`;
  };
  const greys = (part) => part.replace(/#([0-9a-f]{2})\1\1\b/gi, (all, level) => (/^(00|ff)$/i.test(level) ? all : turned(parseInt(level, 16))))
    .replace(/#333(?![0-9a-f])/gi, "#dddddd").replaceAll("#0072b2", "#3aa0e0");
  const paper = svg.replace(/(<svg[^>]*>(?:\s*<title>[^<]*<\/title>)?\s*<rect [^>]*)fill="#ffffff"/, '$1fill="none"');
  return paper.split(/(<g stroke="#ffffff"[^]*?<\/g>\s*(?:<text[^]*?<\/text>)?)/).map((part, k) => (k % 2 ? part : greys(part))).join("");
}
