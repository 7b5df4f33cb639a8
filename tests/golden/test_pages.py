"""The pages of the program and of the library are true.

docs/reference/cli.md, docs/guide/first-steps.md, flexible-links.md and fmu.md: their commands give the answers they show, and every verb and option
of the program is in cli.md. docs/reference/library.md: its code is that of the examples.
"""

import re
import shlex
import unittest

from program import ROOT, Program
from test_readme import shape
from test_write_a_robot import agrees

CLI = ROOT / "docs/reference/cli.md"
GUIDE = ROOT / "docs/guide/first-steps.md"
FLEXIBLE = ROOT / "docs/guide/flexible-links.md"
FMU = ROOT / "docs/guide/fmu.md"
LIBRARY = ROOT / "docs/reference/library.md"


def commands(page):
    """The commands of the console blocks and the answers shown below them."""
    for text in re.findall(r"^```console\n(.*?)^```$", page.read_text(encoding="utf-8"), re.S | re.M):
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, answer = part.partition("\n")
            yield command, answer


class Pages(Program):
    def setUp(self):
        super().setUp()
        for name in ("robots", "runs", "motors"):
            (self.folder / name).symlink_to(ROOT / name)

    def check_commands(self, page, least):
        runs = 0
        for command, shown in commands(page):
            with self.subTest(command):
                words = shlex.split(command)
                self.assertEqual(words[0], "pkm")
                done = self.pkm(*words[1:])
                said = done.stdout + done.stderr
                self.assertTrue(agrees(shown, said), f"{page.name} shows\n{shown}\nbut pkm says\n{said}")
                runs += 1
        self.assertGreaterEqual(runs, least)

    def test_the_reference_shows_what_the_program_says(self):
        self.check_commands(CLI, 7)

    def test_the_guide_shows_what_the_program_says(self):
        for name, text in re.findall(r"^```yaml\n# (\S+\.yaml)\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"),
                                     re.S | re.M):
            self.write(name, f"# {name}\n{text}")
        self.check_commands(GUIDE, 6)

    def test_the_guide_to_flexible_links_shows_what_the_program_says(self):
        self.check_commands(FLEXIBLE, 7)

    def test_the_guide_to_fmus_shows_what_the_program_says(self):
        self.check_commands(FMU, 2)

    def test_the_guides_show_what_the_program_says(self):
        for name, least in {"singularities": 1, "clearance": 2, "drives": 3, "control": 1, "cad": 1}.items():
            self.check_commands(ROOT / f"docs/guide/{name}.md", least)

    def test_the_pictures_of_the_guide_are_what_the_program_draws(self):
        self.answer("inverse", "robots/siax.yaml", "--motion", "pick", "-o", "siax")
        self.assertEqual(shape(ROOT / "docs/pictures/siax-pick-forces.svg"), shape(self.folder / "siax/forces.svg"))
        self.answer("workspace", "robots/siax.yaml", "--slice", "z=-1", "--points", "61", "-o", "map")
        self.assertEqual(shape(ROOT / "docs/pictures/siax-workspace.svg"), shape(self.folder / "map/workspace.svg"))

    def test_every_verb_and_option_is_in_the_reference(self):
        sections = dict(re.findall(r"^## pkm (\w+)\n(.*?)(?=^## |\Z)", CLI.read_text(encoding="utf-8"), re.S | re.M))
        common = re.search(r"^## For every verb\n(.*?)^## ", CLI.read_text(encoding="utf-8"), re.S | re.M).group(1)
        verbs = re.findall(r"(?m)^  ([a-z]+) {2,}\S", self.pkm("--help").stdout)
        self.assertGreaterEqual(len(verbs), 5)
        for verb in verbs:
            with self.subTest(verb):
                self.assertIn(verb, sections, f"cli.md has no section '## pkm {verb}'")
                options = re.findall(r"(?m)^  (--?[a-z][a-z-]*)", self.pkm(verb, "--help").stdout)
                self.assertGreaterEqual(len(options), 3)
                for option in options:
                    self.assertRegex(sections[verb] + common, rf"(?m)^\| `{option}[ `=]", f"pkm {verb} {option}")

    def test_the_code_of_the_library_page_is_that_of_the_examples(self):
        sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples/c").glob("*.c"))]
        blocks = re.findall(r"^```c\n(.*?)^```$", LIBRARY.read_text(encoding="utf-8"), re.S | re.M)
        self.assertGreaterEqual(len(blocks), 6)
        for block in blocks:
            self.assertTrue(any(block in source for source in sources), f"in no example:\n{block}")

    def test_every_header_is_in_the_library_page(self):
        page = LIBRARY.read_text(encoding="utf-8")
        for header in (ROOT / "include/pkm").glob("*.h"):
            self.assertIn(header.name, page)


if __name__ == "__main__":
    unittest.main()
