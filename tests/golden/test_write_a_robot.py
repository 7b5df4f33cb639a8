"""docs/guide/write-a-robot.md is true: its files are read, its commands give the answers it shows.

A yaml block that opens with a comment `# name.yaml` begins that file, any other is added to the one before. In a
console block each `$` line is run; the lines below it are what stdout and stderr say, in order. A line `...`
leaves out any number of lines, `...` within a line any text (rounding differs between builds). Spaces count as one.
"""

import re
import shlex
import unittest

from program import ROOT, Program

PAGE = ROOT / "docs/guide/write-a-robot.md"
BLOCK = re.compile(r"^```(yaml|console)\n(.*?)^```$", re.S | re.M)
NAME = re.compile(r"# (\S+\.yaml)\n")


def blocks():
    """The blocks of the page: ("file", name, text) and ("run", command, answer)."""
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "yaml":
            name = NAME.match(text)
            yield "file", name.group(1) if name else None, text
            continue
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, answer = part.partition("\n")
            yield "run", command, answer


def agrees(shown, said):
    """Whether the lines `shown` are the lines `said`; `...` stands for lines, or for text within a line."""
    def line_pattern(line):
        if line.strip() == "...":
            return r"(?:[^\n]*\n)*?"
        parts = [re.escape(" ".join(part.split())) for part in line.split("...")]
        return r" ?[^\n]*?".join(parts) + r"\n"

    squeezed = "".join(" ".join(line.split()) + "\n" for line in said.splitlines())
    return re.fullmatch("".join(map(line_pattern, shown.splitlines())), squeezed) is not None


class WriteARobot(Program):
    def test_the_page_shows_what_the_program_says(self):
        current, runs = None, 0
        for kind, name, text in blocks():
            if kind == "file":
                current = name or current
                before = "" if name else (self.folder / current).read_text(encoding="utf-8") + "\n"
                self.write(current, before + text)
                continue
            with self.subTest(command=name):
                words = shlex.split(name)
                self.assertEqual(words[0], "pkm")
                done = self.pkm(*words[1:])
                said = done.stdout + done.stderr
                self.assertTrue(agrees(text, said), f"the page shows\n{text}\nbut pkm says\n{said}")
                runs += 1
        self.assertGreaterEqual(runs, 10)


if __name__ == "__main__":
    unittest.main()
