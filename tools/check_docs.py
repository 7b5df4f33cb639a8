#!/usr/bin/env python3
"""Check that the documents say what the code says.

- docs/reference/status-codes.md has one row per status of include/pkm/status.h, in its order.
- Every relative link in README.md, CHANGELOG.md and docs/ leads to a file that is there.
- The table of layers in docs/guide/develop.md is that of tools/check_includes.py.
- Every C source that a page names is there; no page of docs/theory has two equations of one number.
- Every page of docs/ is in the index docs/README.md, every robot in the table of README.md.
"""

import re
import sys
from pathlib import Path

from check_includes import LAYERS

STATUS = re.compile(r'X\((PKM_\w+),\s*(\d+),\s*"([^"]*)"\)')
ROW = re.compile(r"^\|\s*`(PKM_\w+)`\s*\|\s*(\d+)\s*\|\s*(.*?)\s*\|")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def status_offences(root):
    """Yield the differences between the list in the header and the table in the docs."""
    header = (root / "include/pkm/status.h").read_text(encoding="utf-8")
    page = (root / "docs/reference/status-codes.md").read_text(encoding="utf-8")
    code = STATUS.findall(header)
    docs = [m.groups() for m in map(ROW.match, page.splitlines()) if m]
    if not code:
        yield "include/pkm/status.h: no statuses found"
    for i in range(max(len(code), len(docs))):
        c = code[i] if i < len(code) else None
        d = docs[i] if i < len(docs) else None
        if c is None or d is None or c != d:
            yield f"docs/reference/status-codes.md: row {i + 1} is {d}, the header says {c}"


def layer_offences(root, layers):
    """Yield the folders whose layer in the guide is not that of `layers`."""
    page = (root / "docs/guide/develop.md").read_text(encoding="utf-8")
    guide = {}
    for layer, folders in re.findall(r"^\| (\d+) \| ([\w, ]+) \|", page, flags=re.M):
        guide.update({folder.strip(): int(layer) for folder in folders.split(",")})
    for folder in sorted(set(guide) | set(layers)):
        if guide.get(folder) != layers.get(folder):
            yield (f"docs/guide/develop.md: {folder} is in layer {guide.get(folder)}, "
                   f"tools/check_includes.py says {layers.get(folder)}")


def without_code(text):
    """The text without fenced blocks and inline code, where brackets are not links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def link_offences(root):
    """Yield the relative links that lead nowhere."""
    pages = [root / "README.md", root / "CHANGELOG.md", *sorted((root / "docs").rglob("*.md"))]
    for page in pages:
        for target in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:|#", target):
                continue
            if not (page.parent / target.split("#")[0]).exists():
                yield f"{page.relative_to(root)}: the link {target} leads nowhere"


def index_offences(root):
    """Yield the pages that the index does not name, and the robots that the README does not name."""
    docs = root / "docs"
    index = set(LINK.findall((docs / "README.md").read_text(encoding="utf-8")))
    for page in sorted(docs.rglob("*.md")):
        name = str(page.relative_to(docs))
        if name != "README.md" and name not in index:
            yield f"docs/README.md: {name} is not in the index"
    readme = set(LINK.findall((root / "README.md").read_text(encoding="utf-8")))
    for robot in sorted((root / "robots").glob("*.yaml")):
        if f"robots/{robot.name}" not in readme:
            yield f"README.md: robots/{robot.name} is not in the table of robots"


def file_offences(root):
    """Yield the sources that a page names, `src/force/load.c` or `force/load.c`, or in docs/theory and develop.md `load.c`, and that are not there."""
    folders = ("", "src", "include", "tests", "web")
    names = {path.name for folder in ("src", "tests", "fmu", "wasm", "include") for path in (root / folder).rglob("*.[ch]")}
    for page in [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]:
        if page.name == "changes.md":
            continue  # it tells of what was
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"`((?:[a-z]+/)+[a-z_0-9]+\.[ch])`", text):
            if not any((root / folder / name).exists() for folder in folders):
                yield f"{page.relative_to(root)}: there is no {name}"
        for name in re.findall(r"`([a-z_0-9]+\.c)`", text) if page.parent.name == "theory" or page.name == "develop.md" else ():
            if name not in names:
                yield f"{page.relative_to(root)}: there is no {name}"


def equation_offences(root):
    """Yield the numbers that two equations of a page have."""
    for page in sorted((root / "docs/theory").glob("*.md")):
        numbers = re.findall(r"(?m)^    \S.*\s{2}\((\d+\.\d+[a-z]?)\)$", page.read_text(encoding="utf-8"))
        for number in sorted({n for n in numbers if numbers.count(n) > 1}):
            yield f"{page.relative_to(root)}: two equations ({number})"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = [*status_offences(root), *layer_offences(root, LAYERS), *link_offences(root),
             *index_offences(root), *file_offences(root), *equation_offences(root)]
    for line in found:
        print(line)
    print(f"docs: {len(found)} that disagree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
