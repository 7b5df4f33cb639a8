#!/usr/bin/env python3
"""Print lines of code and the sizes of functions and files per folder: median, 90 % and largest, in lines.

    tools/measure.py [FOLDER ...]     default: src, tests, examples, benchmarks
    tools/measure.py --long           also list the functions beyond 80 lines

The house style asks for functions of median near 12 lines, nine of ten under 45, none beyond 80
without a reason, and files of 100 to 400 lines. A function counts from its name to its closing
brace; the formatter guarantees that both braces of a function stand in the first column.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

LONG = 80
NAME = re.compile(r"(\w+)\s*\(")


def functions(lines):
    """Yield (name, first line, number of lines) of each function of a file."""
    start, name = None, None
    inside = False
    for number, line in enumerate(lines, start=1):
        if inside:
            if line.startswith("}"):
                if name:
                    yield name, start, number - start + 1
                inside, start, name = False, None, None
        elif line.startswith("{"):
            inside = True
        elif line[:1].isalpha() or line[:1] == "_":
            if start is None or line.rstrip().endswith(";"):
                start = number
                match = NAME.search(line)
                name = match.group(1) if match else None
            if line.rstrip().endswith((";", "{")):
                start, name = None, None
                inside = line.rstrip().endswith("{") and not line.startswith("extern")
        elif line.rstrip().endswith(";"):
            start, name = None, None


def quantile(values, fraction):
    """The smallest value that `fraction` of the values do not exceed."""
    ordered = sorted(values)
    index = max(0, -(-len(ordered) * fraction // 1) - 1)
    return ordered[int(index)]


def folder_of(path, root):
    """src/force/contact.c belongs to src/force; tests/unit/force/test_x.c to tests/unit."""
    return "/".join(path.relative_to(root).parts[:2][: len(path.relative_to(root).parts) - 1])


def collect(root, tops):
    """Sizes of functions and files per folder, and the functions that are too long."""
    function_sizes, file_sizes, long_ones = defaultdict(list), defaultdict(list), []
    for top in tops:
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp"):
                continue
            lines = path.read_text(encoding="utf-8").splitlines()
            folder = folder_of(path, root)
            file_sizes[folder].append(len(lines))
            for name, line, size in functions(lines):
                function_sizes[folder].append(size)
                if size > LONG:
                    long_ones.append(f"{path.relative_to(root)}:{line}: {name}, {size} lines")
    return function_sizes, file_sizes, long_ones


def code_lines(root, top):
    """Lines of code per folder: without comments and blank ones."""
    lines = defaultdict(int)
    for path in (root / top).rglob("*"):
        if path.suffix in (".c", ".h", ".cpp"):
            text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
            lines[folder_of(path, root)] += sum(1 for line in text.splitlines() if line.strip())
    return lines


def comment_share(root):
    """Lines with a comment among the lines of the .c files of src that are not blank."""
    lines = [line for path in (root / "src").rglob("*.c") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return sum("//" in line for line in lines) / len(lines)


def row(title, sizes, files, code):
    """One line of the report."""
    cells = [f"{code:6d}", f"{len(sizes):6d}"]
    for values in (sizes, files):
        if values is files:
            cells.append(f"{len(files):6d}")
        if values:
            cells += [f"{f(values):5d}" for f in
                      (lambda v: quantile(v, 0.5), lambda v: quantile(v, 0.9), max)]
        else:
            cells += ["    -"] * 3
    return f"{title:20s} " + " ".join(cells)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--long"]
    root = Path(__file__).resolve().parent.parent
    tops = arguments or ["src", "tests", "examples", "benchmarks"]
    function_sizes, file_sizes, long_ones = collect(root, tops)

    code = {folder: n for top in tops for folder, n in code_lines(root, top).items()}
    print(f"{'':20s} {'code':>6s} {'functions':>24s} {'files':>24s}")
    heads = ["number", "  50%", "  90%", "  max"]
    print(f"{'folder':20s}  lines " + " ".join(heads) + " " + " ".join(heads))
    for folder in sorted(file_sizes):
        print(row(folder, function_sizes[folder], file_sizes[folder], code[folder]))
    every = [s for sizes in function_sizes.values() for s in sizes]
    print(row("all", every, [s for sizes in file_sizes.values() for s in sizes], sum(code.values())))
    print(f"{len(long_ones)} functions beyond {LONG} lines")
    print(f"{sum(code_lines(root, 'src').values())} lines of code in src without comments and blank lines")
    print(f"{100 * comment_share(root):.1f} % of the lines of .c files in src have a comment")
    if "--long" in sys.argv:
        print("\n".join(long_ones))
    return 0


if __name__ == "__main__":
    sys.exit(main())
