"""README.md is true: its commands give the answers it shows, and the picture is what the program draws."""

import re
import shlex
import unittest
import xml.etree.ElementTree as ElementTree

from program import ROOT, Program
from test_write_a_robot import agrees

BLOCK = re.compile(r"^```console\n\$ (.*?)\n(.*?)^```$", re.S | re.M)


def shape(path):
    """Texts and kinds of elements of a picture, without coordinates, which differ in their last digits."""
    return [(element.tag, (element.text or "").strip()) for element in ElementTree.parse(path).iter()]


class Readme(Program):
    def setUp(self):
        super().setUp()
        for name in ("robots", "studies", "motors"):
            (self.folder / name).symlink_to(ROOT / name)

    def test_the_tour_shows_what_the_program_says(self):
        blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(blocks), 4)
        for command, shown in blocks:
            with self.subTest(command):
                done = self.pkm(*shlex.split(command)[1:])
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(agrees(shown, done.stdout), f"README shows\n{shown}\nbut pkm says\n{done.stdout}")

    def test_the_override_of_the_tour_works(self):
        self.assertIn("--set m_platform=2kg", (ROOT / "README.md").read_text(encoding="utf-8"))
        self.answer("inverse", "robots/triglide.yaml", "--set", "m_platform=2kg", "-o", "out")

    def test_the_picture_is_what_the_program_draws(self):
        self.answer("inverse", "robots/siax.yaml", "--motion", "paper", "-o", "siax")
        self.assertEqual(shape(ROOT / "docs/pictures/siax-forces.svg"), shape(self.folder / "siax/forces.svg"))


if __name__ == "__main__":
    unittest.main()
