#!/usr/bin/env python3
"""Write what the program's tables of keys and options say: schema/ and the tables of docs/reference.

    tools/reference.py PROGRAM            write them anew
    tools/reference.py PROGRAM --check    tell what is not as the program says; exit code 1 when there is any

A page holds a table between `<!-- pkm ARGUMENTS -->` and `<!-- end -->`: what the program prints for these arguments.
The files are kept in the repository, so that editors and readers need no build, and a change of a key shows in them.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = {"model": "schema/pkm-model-1.schema.json", "run": "schema/pkm-run-1.schema.json", "motors": "schema/pkm-motors-1.schema.json", "study": "schema/pkm-study-1.schema.json"}
TABLE = re.compile(r"(<!-- pkm ([^>]*) -->\n).*?(<!-- end -->)", re.S)


def say(program, arguments):
    return subprocess.run([program, *arguments.split()], check=True, capture_output=True, text=True).stdout


def made(program):
    """Path and new text of each file with generated parts."""
    for kind, path in SCHEMAS.items():
        yield ROOT / path, say(program, f"schema {kind}")
    for page in sorted((ROOT / "docs/reference").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        yield page, TABLE.sub(lambda m: m.group(1) + say(program, m.group(2)) + m.group(3), text)


def main():
    program, check = sys.argv[1], "--check" in sys.argv[2:]
    bad = 0
    for path, text in made(program):
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        bad += 1
        print(f"{path.relative_to(ROOT)}: {'differs from what the program says' if check else 'written'}")
        if not check:
            path.write_text(text, encoding="utf-8")
    return 1 if check and bad else 0


if __name__ == "__main__":
    sys.exit(main())
