#!/usr/bin/env python3
"""The tables of docs/reference/papers.md: every number that the papers print, beside ours.

    pkm study --all studies -o build/papers
    tools/papers.py build/papers            writes the tables of the page anew

The folder holds the results of the studies, each in a folder of its own; studies that are not in it keep their rows."""

import pathlib
import re
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/papers.md"
BEGIN, END = "<!-- tools/papers.py -->\n", "<!-- end -->"
PAPERS = {"000-1": "Triglide", "000-2": "1PRRR+2PRPaR, kinematics", "000-3": "1PRRR+2PRPaR, dynamics",
          "000-4": "IRB 340", "000-5": "1PRRR+2PRPaR, flexible", "000-6": "Isoglide 4", "000-7": "Isoglide T3 (and 001)",
          "000-8": "Delta SIAX", "002": "linear Delta", "003": "3-PPRS, 3-PPSR", "004": "Kuo's Delta"}
ORDER = ("met", "put in", "differs", "quoted")  # a number that stands in several rows has the first of these


def studies():
    return sorted((ROOT / "studies").glob("*.yaml"))


def unquoted(text):
    return text.strip().strip('"')


def printed(path):
    """The rows of `published` in a study file: [(text, where, value as written)]."""
    parts = path.read_text(encoding="utf-8").split("\npublished:\n")
    if len(parts) < 2:
        return []
    out = []
    for item in re.split(r"\n  - ", "\n" + parts[1])[1:]:
        item = re.sub(r"\n\s+", " ", item.strip().lstrip("{").rstrip("}"))
        found = {}
        for key in ("text", "where", "value"):
            match = re.search(rf'(?:^|[ ,]){key}: ("[^"]*"|.*?)(?=,? (?:where|motion|case|output|of|value|tolerance|bound|chosen|note): |$)', item)
            found[key] = unquoted(match.group(1)) if match else ""
        out.append((found["text"], found["where"], found["value"]))
    return out


def paper_of(study, where):
    other = re.match(r"000\((\d)\)", where)
    if other:
        return f"000-{other.group(1)}"
    return "000-8" if study.startswith("siax") else re.match(r"000-\d|\d{3}", study).group(0)


def results(folder, study):
    """Ours and the verdict of each row of a study that was run; None: it was not."""
    path = pathlib.Path(folder) / study / "study.sqlite"
    if not path.exists():
        return None
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        rows = db.execute("select ours, unit_factor, agrees from published order by id").fetchall()
    out = []
    for ours, factor, agrees in rows:
        verdict = "quoted" if ours is None else "put in" if agrees is None else "met" if agrees else "differs"
        out.append(("-" if ours is None else f"{ours / factor:.4g}", verdict))
    return out


def read_page():
    """What the page has: {study: [(text, where, value, ours, verdict)]}."""
    text = PAGE.read_text(encoding="utf-8")
    out = {}
    for name, body in re.findall(r"\n### ([\w-]+)\n\n(.*?)(?=\n###|\n<!--)", text, re.S):
        rows = [tuple(c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]) for line in body.splitlines() if line.startswith("|")]
        out[name] = rows[2:]
    return out


#: How the same number is compared once more: what follows its name.
AGAIN = re.compile(r", - roots|, in a consistent assembly|, of a shorter bar|, as bending of the rods|, tubes of the printed mass"
                   r"| on the shear force| by flexible rods| by clearance of 0.1 mm| of the rigid robot| that begin in equilibrium"
                   r"|, about twice the rigid one|largest magnitude of the ")


def counts(rows):
    """{paper: {verdict: numbers}}; a number has a place, a value and a name."""
    best = {}
    for study, items in rows.items():
        for text, where, value, _, verdict in items:
            key = (paper_of(study, where), where.split(" ", 1)[-1] if where.startswith("000(") else where, value,
                   AGAIN.sub("", text).replace("largest force in", "force in"))
            rank = ORDER.index(verdict)
            best[key] = min(best.get(key, rank), rank)
    out = {paper: dict.fromkeys(ORDER, 0) for paper in PAPERS}
    for (paper, *_), rank in best.items():
        out[paper][ORDER[rank]] += 1
    return out


def tables(rows):
    lines = ["| paper | robot | numbers | beside ours | met | differ | put in | only quoted |", "|---|---|---|---|---|---|---|---|"]
    total = dict.fromkeys(ORDER, 0)
    for paper, n in counts(rows).items():
        for verdict in ORDER:
            total[verdict] += n[verdict]
        lines.append(line_of(paper, PAPERS[paper], n))
    lines.append(line_of("all", "", total))
    for study, items in rows.items():
        lines += ["", f"### {study}", "", "| what | where | printed | ours | verdict |", "|---|---|---|---|---|"]
        lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in item) + " |" for item in items]
    return "\n".join(lines) + "\n"


def line_of(paper, robot, n):
    every = sum(n.values())
    return f"| {paper} | {robot} | {every} | {every - n['quoted']} | {n['met']} | {n['differs']} | {n['put in']} | {n['quoted']} |"


def main(folder):
    before = read_page() if PAGE.exists() else {}
    rows = {}
    for path in studies():
        found, items = results(folder, path.stem), printed(path)
        if found is None:
            rows[path.stem] = before.get(path.stem, [])
        elif len(found) != len(items):
            sys.exit(f"{path.name}: {len(items)} rows in the file, {len(found)} in its results")
        else:
            rows[path.stem] = [item + ours for item, ours in zip(items, found)]
    rows = {name: items for name, items in rows.items() if items}
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    PAGE.write_text(head + BEGIN + tables(rows) + END + rest.split(END, 1)[1], encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
