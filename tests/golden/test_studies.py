"""studies/: the papers redone. Published numbers agree with ours, or the file says why not."""

import csv
import re
import shutil
import sys
import unittest

from program import ROOT, Program

sys.path.insert(0, str(ROOT / "tools"))
import papers  # noqa: E402  (the tables of docs/reference/papers.md)

STUDIES = sorted((ROOT / "studies").glob("*.yaml"))
#: Studies that take seconds rather than minutes.
LIGHT = [p for p in STUDIES if re.search(r"(?m)^analysis: |fidelity: seated", p.read_text(encoding="utf-8"))]


class Studies(Program):
    def test_every_paper_has_its_study(self):
        names = " ".join(p.name for p in STUDIES)
        for paper in [f"000-{k}" for k in range(1, 8)] + ["siax-scenarios", "002", "003", "004"]:
            self.assertIn(paper, names)

    def test_the_light_ones_agree_with_print_or_say_why_not(self):
        shutil.copytree(ROOT / "robots", self.folder / "robots")
        (self.folder / "studies").mkdir()
        for path in LIGHT:
            shutil.copy(path, self.folder / "studies")
        self.assertGreater(len(LIGHT), 7)
        done = self.pkm("study", "--all", "studies", "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.folder / "out/overview.csv", newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        self.assertIn(f"{sum(r['agrees'] == 'yes' for r in rows)} published numbers agree", done.stdout)
        for row in rows:
            if row["agrees"] != "yes":
                self.assertTrue(row["note"], row)
        agree = {}
        for row in rows:
            agree.setdefault(row["study"], []).append(row["agrees"])
        # What was chosen to give a number is never counted: start and a length, a duration, a speed.
        self.assertEqual(agree["000-1-triglide"], ["yes"] * 2 + ["put in"] * 3 + ["yes"])
        self.assertEqual(agree["000-3-prrr2prpar-dynamics"], ["yes"] * 4 + ["no"] * 2 + ["put in"])
        self.assertEqual(agree["000-7-isoglideT3"], ["yes", "no", "yes", "yes", "yes"])
        self.assertEqual(agree["002-linear-delta"], ["put in"])
        # All 96 numbers of Kuo's tables to the last digit and their 12 numbers of coordinates; three of a consistent
        # assembly, which cannot agree.
        self.assertEqual(agree["004-kuo-frequencies"], ["yes"] * 96 + ["no"] * 3 + ["yes"] * 12)
        self.assertEqual(agree["004-kuo-circle"], ["yes"] * 2)  # every 120 degrees
        self.page_has(rows)
        for path in LIGHT:
            self.assertTrue((self.folder / "out" / path.stem / "study.sqlite").exists(), path.name)

    def page_has(self, rows):
        """docs/reference/papers.md tells what these runs gave."""
        words = {"yes": "met", "no": "differs", "put in": "put in", "": "quoted"}
        page = papers.read_page()
        for name in {row["study"] for row in rows}:
            ran = [row for row in rows if row["study"] == name]
            self.assertEqual(len(page[name]), len(ran), name)
            for (text, where, _, ours, verdict), row in zip(page[name], ran):
                self.assertEqual((text, where, verdict), (row["what"], row["where"], words[row["agrees"]]))
                if row["computed"]:
                    value = float(row["computed"])
                    self.assertLessEqual(abs(float(ours) - value), 6e-4 * abs(value) + 1e-12, (name, text))

    def test_every_printed_number_is_on_the_page_with_its_place(self):
        page = papers.read_page()
        for path in STUDIES:
            rows = papers.printed(path)
            self.assertEqual(len(rows), path.read_text(encoding="utf-8").partition("published:")[2].count("text: "), path.name)
            self.assertEqual([row[:3] for row in page.get(path.stem, [])], rows, path.name)
            self.assertTrue(all(where for _, where, _ in rows), path.name)
        text = papers.PAGE.read_text(encoding="utf-8")
        self.assertIn(papers.BEGIN + papers.tables(page) + papers.END, text)
        self.assertEqual(set(page), {p.stem for p in STUDIES if papers.printed(p)})

    def test_what_the_papers_show_is_tested_by_tests_that_are_there(self):
        page = (ROOT / "docs/reference/papers.md").read_text(encoding="utf-8")
        rows = re.findall(r"(?m)^\| [^|]+ \| [^|]+ \| [^|]+ \| ([^|]+) \|$", page.partition("## What they show")[2].partition("## Counted")[0])[2:]
        self.assertGreater(len(rows), 25)
        for row in rows:
            self.assertRegex(row, r"(golden|physics|unit|browser)\.|page of the study")
            for name in re.findall(r"(?:golden|physics|unit)(?:\.\w+)+", row):
                *folders, last = name.split(".")
                found = [ROOT / "tests" / "/".join(folders) / f"test_{last}{end}" for end in (".c", ".py")]
                self.assertTrue(any(path.exists() for path in found), name)

    def test_what_robots_quote_is_in_a_study_of_theirs(self):
        for robot in sorted((ROOT / "robots").glob("*.yaml")):
            of_it = [p for p in STUDIES if re.search(rf"robots/(bench/link3a|{robot.stem})\.yaml", p.read_text(encoding="utf-8"))]
            known = {(where.split(", ", 1)[-1], value) for p in of_it for _, where, value in papers.printed(p)}
            known |= {(where, value) for p in of_it for _, where, value in papers.printed(p)}
            for text, where, value in papers.printed(robot):
                with self.subTest(robot.stem, text=text):
                    self.assertTrue(where)
                    self.assertTrue({(where, value), (where.split(", ", 1)[-1], value), (where.split(",")[0], value)} & known, (where, value))

    def test_a_wrong_file_does_not_stop_the_others(self):
        shutil.copytree(ROOT / "robots", self.folder / "robots")
        (self.folder / "studies").mkdir()
        self.write("studies/a.yaml", "study: 1\n")
        shutil.copy(ROOT / "studies/000-1-triglide.yaml", self.folder / "studies")
        done = self.pkm("study", "--all", "studies", "-o", "out")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a.yaml:1:1: the key 'robot' is missing", done.stderr)
        self.assertIn("3 published numbers agree", done.stdout)
        self.assertIn("there are no study files", self.refused(2, "study", "--all", "out/000-1-triglide"))


if __name__ == "__main__":
    unittest.main()
