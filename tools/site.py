#!/usr/bin/env python3
"""A static site in build/site: every robot live, the guides, the reports that `make demo` has made.

    tools/site.py PROGRAM [FOLDER]

Needs nothing but the program; the pages work from any web host and from the disk.
"""

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STYLE = """
:root { --ink: #14202b; --muted: #526271; --line: #dfe5eb; --paper: #fff; --soft: #f3f6f9; --accent: #0068a3; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eef4; --muted: #a3b1bf; --line: #2b3845; --paper: #131b23; --soft: #1b2631; --accent: #5cb8f0; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 Inter, "Segoe UI", system-ui, sans-serif; }
main { max-width: 980px; margin: 0 auto; padding: 32px 24px 80px; }
a { color: var(--accent); } h1 { letter-spacing: -0.02em; } h2 { margin-top: 40px; letter-spacing: -0.01em; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); gap: 14px; padding: 0; list-style: none; }
.cards a { display: block; height: 100%; box-sizing: border-box; padding: 16px 18px; border: 1px solid var(--line); border-radius: 12px; text-decoration: none; color: inherit; }
.cards a:hover { border-color: var(--accent); } .cards b { display: block; color: var(--accent); margin-bottom: 4px; }
.cards span { color: var(--muted); font-size: 14px; line-height: 1.5; display: block; }
pre { background: var(--soft); border-radius: 10px; padding: 14px 16px; overflow-x: auto; font-size: 13px; line-height: 1.5; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 14px; } th, td { text-align: left; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
img { max-width: 100%; } .back { font-size: 14px; }
"""


def page(title, body):
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(title)}</title><style>{STYLE}</style></head>\n<body><main>{body}</main></body></html>\n")


def inline(text):
    """Code, links, bold in one line of Markdown; links between the guides lead to their pages."""
    pieces = re.split(r"(`[^`]*`)", text)
    out = []
    for piece in pieces:
        if piece.startswith("`") and piece.endswith("`") and len(piece) > 1:
            out.append(f"<code>{html.escape(piece[1:-1])}</code>")
            continue
        piece = html.escape(piece, quote=False)
        piece = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", lambda m: f'<img alt="{m[1]}" src="{Path(m[2]).name}">', piece)
        piece = re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", link, piece)
        piece = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", piece)
        out.append(re.sub(r"(?<!\w)\*([^*]+)\*(?!\w)", r"<i>\1</i>", piece))
    return "".join(out)


def link(match):
    text, target = match[1], match[2]
    path, _, place = target.partition("#")
    if re.match(r"[a-z]+:", target) or not path.endswith(".md"):
        return text if path and not re.match(r"https?:", target) else f'<a href="{target}">{text}</a>'
    return f'<a href="{Path(path).stem}.html{"#" + place if place else ""}">{text}</a>'


def blocks(text):
    """HTML of a page of Markdown, as the guides are written: headings, paragraphs, lists, tables, code."""
    lines, out, at = text.split("\n"), [], 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            end = next(k for k in range(at + 1, len(lines)) if lines[k].startswith("```"))
            out.append("<pre>" + html.escape("\n".join(lines[at + 1:end])) + "</pre>")
            at = end + 1
        elif line.startswith("    ") and line.strip():
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            out.append("<pre>" + html.escape("\n".join(piece[4:] for piece in lines[at:end]).rstrip()) + "</pre>")
            at = end
        elif match := re.match(r"(#+) (.*)", line):
            level = len(match[1])
            name = re.sub(r"[^\w\- ]", "", match[2].lower()).replace(" ", "-")
            out.append(f'<h{level} id="{name}">{inline(match[2])}</h{level}>')
            at += 1
        elif line.startswith("|"):
            end = at
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            rows = [[inline(cell.strip()) for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in lines[at:end]]
            head = "".join(f"<th>{cell}</th>" for cell in rows[0])
            body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[2:])
            out.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
            at = end
        elif re.match(r"\s*- ", line):
            items = []
            while at < len(lines) and (re.match(r"\s*- ", lines[at]) or (lines[at].startswith("  ") and lines[at].strip())):
                if re.match(r"\s*- ", lines[at]):
                    items.append(lines[at].strip()[2:])
                else:
                    items[-1] += " " + lines[at].strip()
                at += 1
            out.append("<ul>" + "".join(f"<li>{inline(item)}</li>" for item in items) + "</ul>")
        elif line.strip():
            end = at
            while end < len(lines) and lines[end].strip() and not re.match(r"#|\||```|\s*- ", lines[end]):
                end += 1
            out.append(f"<p>{inline(' '.join(lines[at:end]))}</p>")
            at = max(end, at + 1)
        else:
            at += 1
    return "\n".join(out)


def words(model):
    """Name and first sentence of a model."""
    text = model.read_text(encoding="utf-8")
    name = re.search(r"^name: *(.*)$", text, re.M)[1].strip('"')
    match = re.search(r"^description: *(?:>\n((?:  .*\n)+)|(.*))", text, re.M)
    sentence = " ".join((match[1] or match[2] or "").split()) if match else ""
    return name, re.split(r"(?<=\.)\s", sentence)[0] if sentence else ""


def card(target, title, text):
    return f'<li><a href="{target}"><b>{html.escape(title)}</b><span>{html.escape(text)}</span></a></li>'


def make_robots(program, folder):
    cards = []
    for model in sorted((ROOT / "robots").glob("*.yaml")):
        target = folder / f"{model.stem}.html"
        subprocess.run([program, "view", model, "--no-open", "-o", target], check=True, stdout=subprocess.DEVNULL)
        cards.append(card(target.name, *words(model)))
    return cards


def make_guides(folder):
    cards = []
    for source in sorted((ROOT / "docs").rglob("*.md")):
        text = source.read_text(encoding="utf-8")
        title = re.search(r"^# (.*)$", text, re.M)[1]
        name = "documents.html" if source.name == "README.md" else f"{source.stem}.html"
        (folder / name).write_text(page(title, '<p class="back"><a href="index.html">pkm</a></p>' + blocks(text)), encoding="utf-8")
        if source.parent.name == "guide" and source.stem != "develop":
            cards.append(card(name, title, ""))
    for picture in (ROOT / "docs/pictures").iterdir():
        shutil.copy(picture, folder)
    return cards


def make_reports(folder):
    """Reports of studies that `make demo` has left."""
    cards = []
    for report in sorted((ROOT / "build/demo").rglob("report.html")):
        name = "-".join(report.relative_to(ROOT / "build/demo").parts[:-1]) or "study"
        shutil.copy(report, folder / f"report-{name}.html")
        cards.append(card(f"report-{name}.html", name, ""))
    return cards


def main():
    program = Path(sys.argv[1]).resolve()
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "build/site")
    folder.mkdir(parents=True, exist_ok=True)
    parts = [("Robots, live: lead them by hand, run them, change them", make_robots(program, folder)), ("Guides", make_guides(folder)),
             ("Papers redone", make_reports(folder))]
    body = "<h1>pkm</h1><p>Dynamics of parallel robots. Every page computes in your browser; nothing leaves it. "
    body += '<a href="documents.html">All documents</a>.</p>'
    body += "".join(f'<h2>{title}</h2><ul class="cards">{"".join(cards)}</ul>' for title, cards in parts if cards)
    (folder / "index.html").write_text(page("pkm: dynamics of parallel robots", body), encoding="utf-8")
    print(f"site in {folder}/index.html")


if __name__ == "__main__":
    main()
