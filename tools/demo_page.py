#!/usr/bin/env python3
"""Run the program on every robot of a folder, print a table, and write one page, index.html.

    tools/demo_page.py --pkm build/release/pkm --robots robots --out build/demo

For each robot: `pkm check`, `pkm inverse` on its first motion (files go to OUT/<robot>) with `pkm report`, `pkm workspace`, and
`pkm compare` where a closed form is bound. `--study FOLDER` puts a link to the report of a study in OUT/FOLDER above all. Exit code 1 when one of the runs fails.
"""

import argparse
import base64
import html
import itertools
import json
import os
import re
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PLOTS = ("forces.svg", "drives.svg", "tool.svg", "workspace/workspace.svg") # in the order of the page


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
        ask(pkm, "report", folder)
        ask(pkm, "workspace", path, "-o", folder / "workspace")
        if robot.check.get("closed_form"):
            robot.compare = ask(pkm, "compare", path)
    except (RuntimeError, ValueError) as failure:
        robot.failure = str(failure)
    robot.plots = [folder / name for name in PLOTS if (folder / name).is_file()]
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


def with_unit(value, unit, scale=0.0):
    """Six digits and the unit; a dash for no value; 0 for the rounding errors of values of size `scale`."""
    if value is None:
        return "-"
    return f"{0.0 if abs(value) < 1e-12 * scale else value:.6g} {unit}".strip()


PUBLISHED_HEAD = ("robot", "value", "published", "computed", "")


def published(robot):
    """The published values of one robot."""
    return (robot.inverse or {}).get("published", [])


def printed(item):
    """The published value; "> 700 N" where it is printed as a bound."""
    side = {"above": "> ", "below": "< "}.get(item.get("bound"), "")
    return side + with_unit(item["value"], item.get("unit", ""))


def verdict(item):
    """"met", "differs", "put in" where the model was chosen to give it, or nothing where this program computes no such value."""
    if item["computed"] is None:
        return ""
    if item.get("chosen"):
        return "put in"
    return "met" if item["met"] else "differs"


def published_row(robot, item):
    """A published value beside the computed one, as text."""
    return (robot.path.stem, item["text"], printed(item),
            with_unit(item["computed"], item["unit"]), verdict(item))


# ---- text -----------------------------------------------------------------------------------------

def text_table(head, rows, notes=()):
    """A table for the terminal, columns as wide as needed; a note stands below its row."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = []
    for row, note in itertools.zip_longest([head, [w * "-" for w in widths], *rows], ["", "", *notes]):
        lines.append("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip())
        lines += textwrap.wrap(note or "", 96, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def published_text(robots):
    """The table of published values of all robots; what differs or is not computed says why."""
    items = [(robot, item) for robot in robots for item in published(robot)]
    rows = [published_row(robot, item) for robot, item in items]
    notes = ["" if verdict(item) == "met" else item["note"] for _, item in items]
    return text_table(PUBLISHED_HEAD, rows, notes)


# ---- page -----------------------------------------------------------------------------------------

STYLE = """
:root { --ink: #1c2430; --soft: #5b6675; --line: #dde2e9; --accent: #0b5cad; --good: #17703f; --bad: #a8480a; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff;
       font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 1160px; margin: 0 auto; padding: 0 28px; }
header { padding-top: 44px; }
h1 { font-size: 32px; line-height: 1.2; margin: 0 0 12px; }
h2 { font-size: 23px; margin: 60px 0 4px; padding-top: 20px; border-top: 1px solid var(--line); }
h3 { font-size: 15px; margin: 28px 0 4px; }
p { margin: 8px 0; max-width: 80ch; }
.soft { color: var(--soft); font-size: 14px; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 8px 0 16px; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 5px 22px 5px 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
td.number { white-space: nowrap; }
td.good { color: var(--good); } td.bad { color: var(--bad); font-weight: 600; }
td.note { color: var(--soft); max-width: 48ch; }
sup { font-size: 10px; line-height: 0; }
.pair { display: flex; flex-wrap: wrap; gap: 0 64px; }
.plots { columns: 2; column-gap: 28px; margin-top: 20px; }
figure { margin: 0 0 20px; break-inside: avoid; }
figure img { width: 100%; height: auto; display: block; }
.failure { color: #b3261e; white-space: pre-wrap; font-family: ui-monospace, monospace; }
footer { margin-top: 60px; padding-bottom: 44px; }
@media (max-width: 800px) { .plots { columns: 1; } }
@media print { h2 { break-before: page; border-top: 0; } }
"""


def rich(text):
    """Text as HTML, with 1.3e-15 as a power of ten, squared seconds and a true minus sign."""
    text = re.sub(r"/s2\b", "/s\u00b2", html.escape(str(text)))
    text = re.sub(r"(\d)e([+-])0*(\d+)\b", lambda m: m[1] + " × 10<sup>" + m[2].strip("+") + m[3] + "</sup>", text)
    return re.sub(r"(?<![\w.])-(?=\d)", "\u2212", text.replace("<sup>-", "<sup>\u2212"))


def cell(text, style="number"):
    return f'<td class="{style}">{rich(text)}</td>' if style else f"<td>{rich(text)}</td>"


def html_table(head, rows):
    """A table of rows that are lists of finished cells."""
    lines = ["<div class=scroll><table>"]
    if head:
        lines.append("<tr>" + "".join(f"<th>{html.escape(text)}</th>" for text in head) + "</tr>")
    lines += ["<tr>" + "".join(row) + "</tr>" for row in rows]
    return "\n".join([*lines, "</table></div>"])


def summary_html(robots):
    rows = []
    for robot in robots:
        stem = html.escape(robot.path.stem)
        link = f'<td class=number><a href="#{stem}">{html.escape(title(robot))}</a></td>'
        rows.append([link, *(cell(text) for text in summary_row(robot)[1:])])
    return html_table(HEAD, rows)


def facts_html(robot):
    """What `pkm check` says."""
    check = robot.check
    rows = [("bodies, joints, drives", ", ".join(str(len(check[k])) for k in ("bodies", "joints", "drives"))),
            ("mass", with_unit(check["mass"], "kg")),
            ("Grübler-Kutzbach count", check["gruebler"]),
            ("true mobility", check["mobility"]),
            ("idle freedoms", ", ".join(check["idle"]) or "none"),
            ("redundant constraints", len(check["redundant"]) or "none"),
            ("tool moves in", check["moves"]),
            ("closed form", check["closed_form"] or "none"),
            ("closure error", f"{check['closure_error']:.1e} m")]
    return "<div><h3>Structure</h3>" + html_table((), [[cell(a, "soft"), cell(b, "")] for a, b in rows]) + "</div>"


def drives_html(robot):
    """The range of the driving forces, and the difference between the two routes."""
    drives = robot.inverse["drives"]
    scale = max(drive["absmax_force"] for drive in drives)
    apart = {d["name"]: f"{d['difference']:.1e}" for d in (robot.compare or {}).get("drives", [])}
    rows = [[cell(d["name"]), cell(with_unit(d["min_force"], d["unit"], scale)),
             cell(with_unit(d["max_force"], d["unit"], scale)),
             *([cell(f"{apart[d['name']]} {d['unit']}")] if apart else [])] for d in drives]
    head = ("drive", "least", "largest", *(["engine \u2212 closed form"] if apart else []))
    return "<div><h3>Driving forces</h3>" + html_table(head, rows) + "</div>"


def published_html(robot):
    """The published values with their notes."""
    rows = []
    for item in published(robot):
        row = published_row(robot, item)
        style = {"met": "good", "differs": "bad"}.get(row[4], "soft")
        rows.append([cell(row[1], ""), *(cell(text) for text in row[2:4]), cell(row[4] or "not computed", style),
                     cell(item["note"], "note")])
    head = (*PUBLISHED_HEAD[1:], "note")
    return "<h3>Published and computed</h3>" + html_table(head, rows) if rows else ""


def plot_html(path):
    """A plot inside the page, as an image of its own so that names in two plots do not meet."""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<figure><img alt="{html.escape(path.stem)}" src="data:image/svg+xml;base64,{data}"></figure>'


def title(robot):
    return (robot.check or {}).get("name") or robot.path.stem


def robot_html(robot):
    """The section of one robot."""
    stem = html.escape(robot.path.stem)
    parts = [f'<h2 id="{stem}">{html.escape(title(robot))}</h2>']
    if robot.failure:
        return "\n".join([*parts, f"<p class=failure>{html.escape(robot.failure)}</p>"])
    inverse = robot.inverse
    parts += [f"<p>{html.escape(robot.check['description'])}</p>",
              f"<p class=soft>{html.escape(robot.check['source'])}</p>",
              f"<p class=soft>Model <code>{stem}.yaml</code>, motion <code>{html.escape(inverse['motion'])}</code>, "
              f"{with_unit(inverse['duration'], 's')}, {inverse['instants']} instants: "
              f'<a href="{stem}/report.html">report with animation</a>, <a href="{stem}/table.csv">CSV</a>, <a href="{stem}/table.h5">HDF5</a>, '
              f'<a href="{stem}/manifest.json">manifest</a>.</p>',
              "<div class=pair>", facts_html(robot), drives_html(robot), "</div>", published_html(robot),
              "<div class=plots>", *(plot_html(path) for path in robot.plots), "</div>"]
    return "\n".join(parts)


def counts(robots):
    """One sentence over all robots."""
    items = [item for robot in robots for item in published(robot) if verdict(item) in ("met", "differs")]
    apart = [robot.compare["relative_difference"] for robot in robots if robot.compare]
    sentence = f"{len(robots)} robots; {len(apart)} with a closed form"
    if apart:
        sentence += f", which the engine meets to {max(apart):.1e} of the largest force or better"
    met = sum(item["met"] for item in items)
    return sentence + f"; {met} of {len(items)} published values that can be compared are met, the others say why not."


INTRO = """Each robot is one YAML file. The program assembles it, finds its mobility from the rank of its loops, and
computes the driving forces of a motion with the general engine; where the robot is bound to a closed form, a second
derivation that shares no code with the first, both are compared. The map shows what the tool reaches in a plane through home
and the condition number of its translations there. The energy balance is the work of the drives less the
change of energy, relative to the energy exchanged."""


def study_html(study):
    """The link to the report of a study."""
    if not study:
        return ""
    return f'<p><a href="{html.escape(study)}/report.html">Report of the study {html.escape(study)}</a></p>\n'


def page(robots, version, study=None):
    """The whole page as text."""
    head = ("<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
            "<meta name=viewport content='width=device-width, initial-scale=1'>\n"
            f"<title>pkm: the robots</title>\n<style>{STYLE}</style>\n")
    intro = (f"<header><h1>Parallel robots, from file to driving forces</h1>\n<p>{INTRO}</p>\n"
             f"<p>{rich(counts(robots))}</p>\n{study_html(study)}</header>")
    sections = "\n".join(robot_html(robot) for robot in robots)
    return (f"{head}{intro}\n<main>\n{summary_html(robots)}\n{sections}\n</main>\n"
            f"<footer class=soft>{html.escape(version)}</footer>\n</html>\n")


# ---- program --------------------------------------------------------------------------------------

def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pkm", type=Path, required=True)
    parser.add_argument("--robots", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--study", help="folder in OUT that has the report of a study")
    return parser.parse_args()


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    paths = sorted(options.robots.glob("*.yaml"), key=lambda p: p.stem.lower())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        robots = list(pool.map(lambda path: run_robot(options.pkm, path, options.out), paths))

    print(text_table(HEAD, [summary_row(robot) for robot in robots]) + "\n")
    print(published_text(robots) + "\n\n" + counts(robots))
    version = subprocess.run([str(options.pkm), "--version"], capture_output=True, text=True).stdout
    target = options.out / "index.html"
    target.write_text(page(robots, version.strip(), options.study), encoding="utf-8")
    print(f"The page: {target}")
    return 1 if not robots or any(robot.failure for robot in robots) else 0


if __name__ == "__main__":
    sys.exit(main())
