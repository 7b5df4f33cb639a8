"""`make demo` after the build: the table, the published values, the page; and a robot that fails is not hidden."""

import html.parser
import re
import shutil
import subprocess
import sys
import unittest

from program import PKM, ROBOTS, ROOT, Program

VOID = {"meta", "img", "br", "link"}


class Tags(html.parser.HTMLParser):
    """Checks that tags close in order, and keeps the ids and the links within the page."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.wrong, self.outside = [], set(), set(), [], []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.add(values.get("id"))
        target = values.get("href") or values.get("src") or ""
        if target.startswith("#"):
            self.links.add(target[1:])
        if re.match(r"https?:|//", target):
            self.outside.append(target)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class Demo(Program):
    def demo(self, robots):
        return subprocess.run([sys.executable, "-B", ROOT / "tools/demo_page.py", "--pkm", PKM, "--robots", robots,
                               "--out", self.folder / "demo"], capture_output=True, text=True)

    def page(self):
        return (self.folder / "demo/index.html").read_text(encoding="utf-8")

    def test_every_robot_is_in_the_table_and_on_the_page(self):
        done = self.demo(ROOT / "robots")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        tags = Tags()
        tags.feed(self.page())
        self.assertEqual((tags.wrong, tags.open, tags.outside), ([], [], []))
        for path in ROBOTS:
            self.assertRegex(done.stdout, rf"(?m)^{path.stem} +\d( \+ \d)? / \d / \d  ")
            self.assertIn(path.stem, tags.ids)
            self.assertTrue((self.folder / "demo" / path.stem / "table.csv").is_file())
        self.assertLessEqual(tags.links, tags.ids)
        self.assertGreaterEqual(self.page().count("data:image/svg+xml;base64,"), 4 * len(ROBOTS))
        self.published_values_stand_beside_the_computed_ones(done.stdout)

    # Computed values by two other derivations, digits as printed there.
    def published_values_stand_beside_the_computed_ones(self, text):
        for pattern in (r"isoglideT3 .*qa +12 N +12\.1\d", r"isoglideT3 .*qb +22 N +22\.5\d",
                        r"isoglideT3 .*lower end of its range +249 N +248\.4\d", r"isoglideT3 .*upper end of its range +255 N +255\.0\d",
                        r"triglide .*along x +0\.012 m +0\.01216", r"triglide .*along y +0\.067 m +0\.06739[89]",
                        r"triglide .*along z +0\.01 m +0\.010089\d", r"triglide .*force in q2 +4\.3 N +4\.320",
                        r"prrr2prpar .*force in q1 +> 700 N +751\.6", r"siax .*speed of the platform +8 m/s +7\.977",
                        r"siax .*acceleration of the platform +120 m/s2 +122\.5",
                        r"lindelta .*of a slide +1\.1 m/s2 +1\.1 m/s2 +put in"):  # the model was chosen to give it
            self.assertRegex(text, pattern)
        verdicts = re.findall(r"(?m)  (met|differs)$", text)
        self.assertIn(f"{verdicts.count('met')} of {len(verdicts)} published values that can be compared are met", text)

    def test_a_robot_that_fails_is_shown_with_its_message(self):
        robots = self.folder / "robots"
        robots.mkdir()
        shutil.copy(ROOT / "robots/five-bar.yaml", robots)
        (robots / "broken.yaml").write_text("pkm: 1\nname: <b>broken</b>\nbodis: {}\n")
        done = self.demo(robots)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^broken +failed: .*broken\.yaml:3:1: ")
        self.assertRegex(done.stdout, r"(?m)^five-bar +2 / 0 / 3")
        self.assertRegex(self.page(), r"<p class=failure>.*broken\.yaml:3:1: ")
        self.assertNotIn("<b>", self.page())

    def test_no_robots_is_a_failure(self):
        (self.folder / "robots").mkdir()
        self.assertEqual(self.demo(self.folder / "robots").returncode, 1)


if __name__ == "__main__":
    unittest.main()
