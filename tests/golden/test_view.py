"""pkm view: one page with the model and the files it names inside, or the report of a folder."""

import base64
import json
import os
import re
import subprocess
import sys
import unittest

from program import ROBOTS, ROOT, Program

BLOCK = re.compile(r'<script type="application/json" id="data-(\w+)">(.*?)</script>', re.S)


class View(Program):
    def setUp(self):
        super().setUp()
        self.model = ROOT / "robots/five-bar.yaml"

    def blocks(self, path):
        text = (self.folder / path).read_text(encoding="utf-8")
        return {name: json.loads(body) for name, body in BLOCK.findall(text)}

    def view(self, *arguments):
        """The page, or the end of this test in a build without the engine, which says so."""
        done = self.pkm("view", *arguments, "--no-open")
        if "without the engine" in done.stderr:
            self.assertEqual(done.returncode, 2)
            self.assertIn("clang-16", done.stderr)
            self.skipTest("the engine of the page was not built")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_model_is_inside(self):
        self.assertEqual(self.view(self.model), "page in pkm-out/five-bar-view.html\n")
        model = self.blocks("pkm-out/five-bar-view.html")["model"]
        self.assertEqual(model["text"], self.model.read_text(encoding="utf-8"))
        self.assertEqual(model["set"], {})
        page = (self.folder / "pkm-out/five-bar-view.html").read_bytes()
        self.assertLess(len(page), 3_000_000)
        self.assertNotRegex(page.decode(), r'(src|href)="http')

    def test_parameters_go_along(self):
        self.view(self.model, "--set", "l1=95 mm", "-o", "a.html")
        self.assertEqual(self.blocks("a.html")["model"]["set"], {"l1": "95 mm"})

    def test_a_run_file_goes_along_and_is_read_first(self):
        run = self.write("own.yaml", "run: 1\nfor: 10 ms\n")
        self.view(self.model, "--run", run, "-o", "a.html")
        blocks = self.blocks("a.html")
        self.assertEqual(blocks["run"], {"name": "own.yaml", "text": "run: 1\nfor: 10 ms\n"})
        self.assertEqual(blocks["files"], [])
        (self.folder / "runs").mkdir()
        (self.folder / "runs/push.csv").write_bytes((ROOT / "tests/unit/run/data/push.csv").read_bytes())
        (self.folder / "runs/push.yaml").write_text(
            "run: 1\nloads: {push: {force: {file: push.csv, between: linear}, at: platform.P}}\n", encoding="utf-8")
        self.view(ROOT / "robots/siax.yaml", "--run", "runs/push.yaml", "-o", "c.html")
        self.assertEqual([file["name"] for file in self.blocks("c.html")["files"]], ["push.csv"])  # as the run names it
        self.assertIn("own.yaml: a run file, expected a model, a study or a folder; pkm view MODEL --run", self.refused(2, "view", run, "--no-open"))
        bad = self.write("bad.yaml", "run: 1\nfor: 10 kg\n")
        self.assertRegex(self.refused(2, "view", self.model, "--run", bad, "--no-open", "-o", "b.html"), r"bad\.yaml:2:\d+: ")
        self.assertFalse((self.folder / "b.html").exists())
        self.assertIn("--run: the folder of a run", self.refused(2, "view", self.folder, "--run", run, "--no-open"))

    def test_a_study_file_stands_for_its_robot(self):
        (self.folder / "s").mkdir()
        (self.folder / "s/robot.yaml").write_text(self.model.read_text(encoding="utf-8"), encoding="utf-8")
        (self.folder / "s/study.yaml").write_text("study: 1\nrobot: robot.yaml\n", encoding="utf-8")
        self.view("s/study.yaml", "-o", "a.html")
        self.assertEqual(self.blocks("a.html")["model"]["name"], "robot.yaml")
        (self.folder / "s/study.yaml").write_text("study: 1\nrobot: nowhere.yaml\n", encoding="utf-8")
        self.assertIn("s/nowhere.yaml: cannot read", self.refused(2, "view", "s/study.yaml", "--no-open"))

    def test_files_of_the_model_are_inside(self):
        (self.folder / "m").mkdir()
        corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
        faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
        stl = "solid s\n" + "".join(
            "facet normal 0 0 0\nouter loop\n"
            + "".join("vertex {} {} {}\n".format(*(0.05 * x for x in corners[k])) for k in face)
            + "endloop\nendfacet\n" for face in faces) + "endsolid s\n"
        (self.folder / "m/part.stl").write_text(stl, encoding="utf-8")
        text = self.model.read_text(encoding="utf-8")
        shape = "shape: {box: {center: [=l2/2, 0, 0], size: [=l2, 16 mm, 6 mm]}, material: aluminium}"
        self.assertIn(shape, text)
        (self.folder / "m/robot.yaml").write_text(
            text.replace(shape, "shape: {mesh: {file: part.stl}, material: aluminium}", 1), encoding="utf-8")
        self.view("m/robot.yaml", "-o", "mesh.html")
        files = self.blocks("mesh.html")["files"]
        self.assertEqual([file["name"] for file in files], ["part.stl"])
        self.assertEqual(base64.b64decode(files[0]["base64"]).decode(), stl)

    def test_folders_have_their_report(self):
        self.assertEqual(self.pkm("inverse", self.model, "--instants", 11, "-o", "out").returncode, 0)
        done = self.pkm("view", "out", "--no-open")
        self.assertEqual((done.returncode, done.stdout), (0, "page in out/report.html\n"))
        self.assertTrue((self.folder / "out/report.html").exists())

    def test_the_site_has_every_robot_and_no_link_to_nowhere(self):
        self.view(self.model)  # is there an engine?
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/site.py", os.environ["PKM"], self.folder / "site"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        site = self.folder / "site"
        index = (site / "index.html").read_text(encoding="utf-8")
        for robot in ROBOTS:
            self.assertIn(f'href="{robot.stem}.html"', index)
        for page in site.glob("*.html"):
            text = page.read_text(encoding="utf-8")
            if 'id="data-engine"' in text:
                continue
            for target in re.findall(r'(?:href|src)="([^"#:]+)[#"]', text):
                self.assertTrue((site / target).exists(), f"{page.name}: {target}")

    def test_faults_are_told(self):
        self.assertEqual(self.pkm("view", "none.yaml", "--no-open").returncode, 2)
        done = self.pkm("view", self.model, "--set", "l9=1", "--no-open")
        self.assertEqual(done.returncode, 2)
        self.assertIn("l9", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
