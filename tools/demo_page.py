#!/usr/bin/env python3
"""Run the program on every robot of a folder, print a table, and write one page, index.html.

    tools/demo_page.py --pkm build/release/pkm --robots robots --out build/demo

For each robot: `pkm check`, `pkm inverse` on its first motion (files go to OUT/<robot>), and `pkm compare`
where a closed form is bound. Exit code 1 when one of the runs fails.
"""

import argparse
import base64
import html
import json
import subprocess
import sys
from pathlib import Path


class Robot:
    """What the program said about one robot; `failure` is its message when a run failed."""

    def __init__(self, path):
        self.path = path
        self.check = self.inverse = self.compare = None
        self.plots = []
        self.failure = None


def ask(pkm, *arguments):
    """Run `pkm ... --json` and return what it says; RuntimeError carries its message."""
    command = [str(pkm), *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"exit code {done.returncode}")
    return json.loads(done.stdout)


def run_robot(pkm, path, out):
    """All runs of one robot."""
    robot = Robot(path)
    folder = out / path.stem
    try:
        robot.check = ask(pkm, "check", path)
        robot.inverse = ask(pkm, "inverse", path, "-o", folder)
        if robot.check.get("closed_form"):
            robot.compare = ask(pkm, "compare", path)
    except (RuntimeError, ValueError) as failure:
        robot.failure = str(failure)
    robot.plots = sorted(folder.glob("*.svg")) if folder.is_dir() else []
    return robot


# ---- what the tables show -------------------------------------------------------------------------

def mobility(robot):
    """"3 + 6 / 6 / 0": mobility with idle freedoms, idle, redundant."""
    check = robot.check
    idle, redundant = len(check["idle"]), len(check["redundant"])
    useful = check["mobility"] - idle
    return f"{useful}{f' + {idle}' if idle else ''} / {idle} / {redundant}"


def peak_force(robot):
    """The largest drive force and its drive: "425.5 N m (qA)"."""
    drive = max(robot.inverse["drives"], key=lambda d: d["absmax_force"])
    return f"{drive['absmax_force']:.5g} {drive['unit']} ({drive['name']})"


def difference(robot):
    """The largest difference between engine and closed form, relative to the largest force."""
    return f"{robot.compare['relative_difference']:.1e}" if robot.compare else "no closed form"


def energy(robot):
    """How well work and energy balance."""
    return f"{robot.inverse['energy']['relative_residual']:.1e}"


HEAD = ("robot", "mobility / idle / redundant", "largest drive force", "engine - closed form",
        "energy balance")


def summary_row(robot):
    """One row of the summary, as text."""
    if robot.failure:
        return (robot.path.stem, "failed: " + robot.failure, "", "", "")
    return (robot.path.stem, mobility(robot), peak_force(robot), difference(robot), energy(robot))


def number(value):
    """Six digits, or a dash where there is none."""
    return "-" if value is None else f"{value:.6g}"


def with_unit(value, unit):
    return f"{number(value)} {unit}".strip() if value is not None else "-"


PUBLISHED_HEAD = ("robot", "value", "published", "computed", "verdict")


def published_rows(robot):
    """The published values of one robot beside the computed ones."""
    rows = []
    for item in (robot.inverse or {}).get("published", []):
        unit = item.get("unit", "")
        rows.append((robot.path.stem, item["text"], with_unit(item["value"], unit),
                     with_unit(item.get("computed"), unit), verdict(item)))
    return rows


def verdict(item):
    """"met", "not met", or why it is not compared."""
    if item.get("computed") is None:
        return "not compared"
    return "met" if item.get("met") else "not met"


# ---- text -----------------------------------------------------------------------------------------

def text_table(head, rows):
    """A table for the terminal, columns as wide as needed."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in [head, *rows]]
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(lines)


# ---- page -----------------------------------------------------------------------------------------

STYLE = """
:root { --ink: #1c2430; --soft: #5b6675; --line: #d9dee5; --tint: #f5f7fa; --accent: #1f5fa8; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff;
       font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
header, main { max-width: 1080px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 40px; }
h1 { font-size: 30px; margin: 0 0 8px; }
h2 { font-size: 22px; margin: 56px 0 8px; padding-top: 16px; border-top: 1px solid var(--line); }
h3 { font-size: 16px; margin: 24px 0 8px; }
p { margin: 8px 0; max-width: 75ch; }
.soft { color: var(--soft); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 16px 0; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; border-bottom-color: var(--soft); }
td.good { color: #1a7f4b; } td.bad { color: #b3261e; font-weight: 600; }
td.note { color: var(--soft); max-width: 42ch; }
figure { margin: 16px 0; } figure img { width: 100%; max-width: 760px; height: auto; display: block; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); gap: 16px; }
.failure { color: #b3261e; white-space: pre-wrap; font-family: monospace; }
footer { max-width: 1080px; margin: 56px auto 40px; padding: 0 24px; color: var(--soft); font-size: 14px; }
"""


def cell(text, tag="td", style=""):
    attribute = f' class="{style}"' if style else ""
    return f"<{tag}{attribute}>{html.escape(str(text))}</{tag}>"


def html_table(head, rows):
    """Rows of cells that are already HTML."""
    lines = ["<div class=scroll><table>", "<tr>" + "".join(cell(h, "th") for h in head) + "</tr>"]
    lines += ["<tr>" + "".join(row) + "</tr>" for row in rows]
    return "\n".join([*lines, "</table></div>"])


def summary_html(robots):
    rows = []
    for robot in robots:
        link = f'<td><a href="#{html.escape(robot.path.stem)}">{html.escape(robot.path.stem)}</a></td>'
        rows.append([link, *(cell(c) for c in summary_row(robot)[1:])])
    return html_table(HEAD, rows)


def published_html(robot):
    """The published values with their notes."""
    items = (robot.inverse or {}).get("published", [])
    if not items:
        return ""
    rows = []
    for item, row in zip(items, published_rows(robot)):
        style = {"met": "good", "not met": "bad"}.get(row[4], "")
        rows.append([*(cell(c) for c in row[1:4]), cell(row[4], style=style),
                     cell(item.get("note", ""), style="note")])
    return "<h3>Published and computed</h3>" + html_table((*PUBLISHED_HEAD[1:], "note"), rows)


def plot_html(path):
    """A plot inside the page, as an image of its own so that names in two plots do not meet."""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    name = html.escape(path.stem.replace("_", " "))
    return f'<figure><img alt="{name}" src="data:image/svg+xml;base64,{data}"></figure>'


def drives_html(robot):
    rows = [[cell(d["name"]), cell(with_unit(d["min_force"], d["unit"])),
             cell(with_unit(d["max_force"], d["unit"]))] for d in robot.inverse["drives"]]
    return "<h3>Driving forces</h3>" + html_table(("drive", "least", "largest"), rows)


def robot_html(robot):
    """The section of one robot."""
    parts = [f'<h2 id="{html.escape(robot.path.stem)}">{html.escape(title(robot))}</h2>']
    if robot.failure:
        return "\n".join([*parts, f"<p class=failure>{html.escape(robot.failure)}</p>"])
    for key, style in (("description", ""), ("source", "soft")):
        text = robot.check.get(key)
        if text:
            parts.append(f'<p class="{style}">{html.escape(text)}</p>')
    parts += [drives_html(robot), published_html(robot), "<div class=plots>"]
    parts += [plot_html(path) for path in robot.plots]
    return "\n".join([*parts, "</div>"])


def title(robot):
    return (robot.check or {}).get("name") or robot.path.stem


def page(robots, version):
    """The whole page as text."""
    head = ("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
            "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
            f"<title>pkm: the robots</title>\n<style>{STYLE}</style>\n")
    intro = (
        "<header><h1>The robots</h1><p>Each robot is one YAML file. The program assembles it, finds its mobility, and "
        "computes the driving forces of the motion in its paper by the general engine; where a closed form is bound, "
        "both routes are compared. The energy balance is the work of the drives less the change of energy, relative to "
        "the work.</p></header>")
    sections = "\n".join(robot_html(robot) for robot in robots)
    return (f"{head}{intro}\n<main>\n{summary_html(robots)}\n{sections}\n</main>\n"
            f"<footer>{html.escape(version)}</footer>\n</html>\n")


# ---- program --------------------------------------------------------------------------------------

def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pkm", type=Path, required=True)
    parser.add_argument("--robots", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    paths = sorted(options.robots.glob("*.yaml"), key=lambda p: p.stem.lower())
    robots = []
    for path in paths:
        robots.append(run_robot(options.pkm, path, options.out))

    print(text_table(HEAD, [summary_row(robot) for robot in robots]))
    published = [row for robot in robots for row in published_rows(robot)]
    if published:
        print("\n" + text_table(PUBLISHED_HEAD, published))

    version = subprocess.run([str(options.pkm), "--version"], capture_output=True, text=True).stdout
    target = options.out / "index.html"
    target.write_text(page(robots, version.strip()), encoding="utf-8")
    print(f"\nThe page: {target}")
    return 1 if not robots or any(robot.failure for robot in robots) else 0


if __name__ == "__main__":
    sys.exit(main())
