#!/usr/bin/env python3
"""Check the layers: an include stays in its folder or points to a lower layer.

A private header (`S_impl.h`) is included in its own folder only, and there not by the files of another module: where
elastic_impl.h and ked_impl.h live side by side, no ked_*.c includes elastic_impl.h.

The program (src/cli) includes public headers and its own alone.

Public headers (include/pkm) may be included from everywhere and include only each other and
<stdbool.h>, <stddef.h>, <stdint.h>. Prints one line per offence; exit code 1 when there is any.
"""

import re
import sys
from pathlib import Path

LAYERS = {
    "base": 0,
    "math": 1,
    "table": 2,
    "motion": 2,
    "solver": 2,
    "beam": 3,
    "model": 3,
    "closed": 3,
    "mechanism": 4,
    "force": 5,
    "flexible": 5,
    "dynamics": 6,
    "robot": 7,
    "run": 8,
    "linear": 9,
    "clearance": 9,
    "simulate": 10,
    "workspace": 10,
    "reproduce": 10,
    "api": 11,
    "write": 12,
    "plot": 13,
    "generate": 13,
    "study": 14,
    "export": 14,
    "report": 15,
    "verb": 16,
    "cli": 17,
}
PUBLIC_SYSTEM_HEADERS = {"stdbool.h", "stddef.h", "stdint.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path):
    """Yield (line number, is_quoted, target) of each include of a file."""
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def private_offence(path, folder, target):
    """What is wrong with the include of a private header, or None."""
    other, name = target.split("/", 1)
    if other != folder:
        return f'"{target}" is private to {other}'
    for header in sorted(path.parent.glob("*_impl.h")):
        stem = header.name[:-len("_impl.h")]
        if header.name != name and (path.stem == stem or path.stem.startswith(stem + "_")):
            return f'"{target}" is private to its module; {path.name} belongs to {header.name}'
    return None


def source_offence(path, source, quoted, target):
    """What is wrong with one include of a file under src/, or None."""
    if not quoted or target.startswith("pkm/"):
        return None
    folder = path.relative_to(source).parts[0]
    if "/" not in target:
        return f'"{target}" lacks its folder; write "{folder}/{target}"'
    other = target.split("/")[0]
    if target.endswith("_impl.h"):
        return private_offence(path, folder, target)
    if other == folder:
        return None
    if folder == "cli":
        return f'"{target}" is inside the library; the program is its first client: "pkm/..." alone'
    if other not in LAYERS:
        return f'"{target}" is in no known layer'
    if LAYERS[other] >= LAYERS[folder]:
        return f'{folder} (layer {LAYERS[folder]}) includes "{target}" (layer {LAYERS[other]})'
    return None


def public_offence(quoted, target):
    """What is wrong with one include of a public header, or None."""
    if quoted and not target.startswith("pkm/"):
        return f'a public header includes "{target}", which is not installed'
    if not quoted and target not in PUBLIC_SYSTEM_HEADERS:
        return f"a public header includes <{target}>"
    return None


def offences(root):
    """Yield one line of text per offence below `root`."""
    source = root / "src"
    for path in sorted(source.rglob("*.[ch]")):
        folder = path.relative_to(source).parts[0]
        if folder not in LAYERS:
            yield f"{path.relative_to(root)}:1: folder {folder} is in no known layer"
            continue
        for number, quoted, target in includes(path):
            what = source_offence(path, source, quoted, target)
            if what:
                yield f"{path.relative_to(root)}:{number}: {what}"
    for path in sorted((root / "include").rglob("*.h")):
        for number, quoted, target in includes(path):
            what = public_offence(quoted, target)
            if what:
                yield f"{path.relative_to(root)}:{number}: {what}"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = list(offences(root))
    for line in found:
        print(line)
    print(f"includes: {len(found)} against the layers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
