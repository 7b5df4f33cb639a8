"""pkm report: one page from the folder of a run, with the run's data in it, and what it says to other folders."""

import base64
import html.parser
import json
import sqlite3
import struct
import unittest

from program import ROOT, ROBOTS, Program

SIAX = ROOT / "robots/siax.yaml"


class Page(html.parser.HTMLParser):
    """Reads a page as a browser would: the data blocks, and everything it would fetch."""

    def __init__(self, text):
        super().__init__()
        self.blocks, self.fetched, self.block, self.title = {}, [], None, ""
        self.in_title = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.in_title = tag == "title"
        self.fetched += [attrs[key] for key in ("src", "href") if key in attrs]
        if tag == "script" and attrs.get("type") == "application/json":
            self.block = attrs["id"]
            self.blocks[self.block] = ""

    def handle_endtag(self, tag):
        self.block = None
        self.in_title = False

    def handle_data(self, data):
        if self.block:
            self.blocks[self.block] += data
        if self.in_title:
            self.title += data


class Report(Program):
    def page(self, folder="out"):
        page = Page((self.folder / folder / "report.html").read_text(encoding="utf-8"))
        return page, {name: json.loads(text) for name, text in page.blocks.items()}

    def run_siax(self, *more):
        done = self.pkm("inverse", SIAX, "--instants", 21, "-o", "out", *more)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_page_has_all_of_the_run_and_fetches_nothing(self):
        self.run_siax()
        done = self.pkm("report", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "report in out/report.html\n")
        page, data = self.page()
        self.assertEqual(page.fetched, [])
        out = self.folder / "out"
        for name in ("manifest", "summary", "scene"):
            self.assertEqual(data[f"data-{name}"], json.loads((out / f"{name}.json").read_text(encoding="utf-8")))
        self.assertEqual(data["data-table"], (out / "table.csv").read_text(encoding="utf-8"))
        self.assertEqual(set(data["data-pictures"]), {p.name for p in out.glob("*.svg")})
        self.assertEqual(data["data-pictures"]["forces.svg"], (out / "forces.svg").read_text(encoding="utf-8"))
        self.assertEqual(data["data-table-every"], 1)

    def test_every_robot_has_a_scene_with_its_motion(self):
        for path in ROBOTS:
            with self.subTest(path.stem):
                self.assertEqual(self.pkm("inverse", path, "--instants", 5, "-o", path.stem).returncode, 0)
                scene = json.loads((self.folder / path.stem / "scene.json").read_text(encoding="utf-8"))
                self.assertEqual(len(scene["film"]["t"]), 5)
                self.assertEqual({len(frame) for frame in scene["film"]["poses"]}, {len(scene["bodies"]) - 1})
                self.assertEqual({len(pose) for frame in scene["film"]["poses"] for pose in frame}, {7})

    def test_the_closed_form_has_the_snapshots_of_the_engine(self):
        for method in ("engine", "closed"):
            self.pkm("inverse", SIAX, "--instants", 5, "--method", method, "-o", method)
        snapshots = [json.loads((self.folder / method / "scene.json").read_text(encoding="utf-8"))["film"]
                 for method in ("engine", "closed")]
        self.assertEqual(snapshots[0], snapshots[1])

    def test_deviations_lead_from_the_ideal_motion_to_the_simulated_one(self):
        drive = "pd: {kp: 20000, kd: 300}"
        self.pkm("simulate", SIAX, "--motion", "pick", "--drive", drive, "--instants", 21, "-o", "out")
        scene = json.loads((self.folder / "out/scene.json").read_text(encoding="utf-8"))
        rows = (self.folder / "out/table.csv").read_text(encoding="utf-8").splitlines()
        names = [name.partition(" ")[0] for name in rows[0].split(",")]
        tool = scene["tool"]
        for frame, row in zip(scene["film"]["deviations"], rows[1:]):
            values = dict(zip(names, map(float, row.split(","))))
            for axis, shift in zip("xyz", frame[tool["body"] - 1]):
                self.assertAlmostEqual(shift, values[f"P.d{axis}"], delta=2e-8)

    def test_a_long_table_is_thinned_and_keeps_its_ends(self):
        self.run_siax()
        table = self.folder / "out/table.csv"
        lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
        row = lines[1]
        n = 17 * 2**20 // len(row)
        table.write_text(lines[0] + row * n + lines[-1], encoding="utf-8")
        told = self.folder / "out/manifest.json"  # as if the run had written it
        told.write_text(json.dumps(dict(json.loads(told.read_text(encoding="utf-8")), written=[])), encoding="utf-8")
        self.assertEqual(self.pkm("report", "out").returncode, 0)
        _, data = self.page()
        kept = data["data-table"].splitlines(keepends=True)
        self.assertEqual(data["data-table-every"], 3)
        self.assertEqual((kept[0], kept[1], kept[-1]), (lines[0], row, lines[-1]))
        self.assertEqual(len(kept), 2 + (n + 2) // 3)

    def test_json_and_another_place(self):
        self.run_siax()
        self.assertEqual(self.answer("report", "out/", "-o", "page.html"), {"folder": "out/", "report": "page.html"})
        self.assertTrue((self.folder / "page.html").exists())
        self.assertEqual(self.pkm("report", "out/").stdout, "report in out/report.html\n")

    def test_a_workspace_has_a_report_too(self):
        self.assertEqual(self.pkm("workspace", SIAX, "--points", 11, "-o", "out").returncode, 0)
        self.assertEqual(self.pkm("report", "out").returncode, 0)
        self.assertIn("workspace.svg", self.page()[1]["data-pictures"])

    STUDY = """
        study: 1
        description: Friction </script> and a controller
        robot: %s
        motion: paper
        instants: 21
        outputs: {torque: {column: qA.dforce, measure: peak}}
        factors:
          friction: {without: {}, with: {friction: {spherical: {static: 0.11, radius: 10 mm}}}}
          control: {ideal: {}, pd: {drives: {pd: {kp: 2e5, kd: 2e3}}}}
    """ % SIAX

    def run_study(self):
        self.write("s.yaml", self.STUDY.replace("\n        ", "\n"))
        done = self.pkm("study", "s.yaml", "-o", "all/out")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_study_has_its_database_in_the_page(self):
        self.run_study()
        self.assertEqual(self.pkm("report", "all/out").returncode, 0)
        page, data = self.page("all/out")
        self.assertEqual(page.fetched, [])
        study = data["data-study"]
        database = sqlite3.connect(self.folder / "all/out/study.sqlite")
        for name, table in study.items():
            rows = {tuple(row) for row in table["rows"]}
            self.assertEqual(rows, set(database.execute(f"select {table['columns']} from {name}")), name)
        signals = {(case, name): text for case, name, _, text in data["data-signals"]}
        for case, name, bytes_ in database.execute("select case_id, name, data from signals"):
            kept = struct.unpack(f"<{len(bytes_) // 8}f", base64.b64decode(signals[case, name]))
            for float_, double in zip(kept, struct.unpack(f"<{len(bytes_) // 8}d", bytes_)):
                self.assertAlmostEqual(float_, double, delta=1e-7 * abs(double))
        kept = {case: texts for case, *texts in data["data-scenes"]}
        first = kept[0]
        for case, *texts in database.execute("select case_id, robot, motion, deviations from scenes"):
            mine = [own if own is not None else other for own, other in zip(kept[case], first)]
            self.assertEqual(mine, [json.loads(text) for text in texts])

    def test_a_folder_of_studies_has_an_overview(self):
        self.run_study()
        self.assertEqual(self.pkm("report", "all").stdout, "report in all/report.html\n")
        [entry] = self.page("all")[1]["data-overview"]
        self.assertEqual((entry["folder"], entry["has_report"]), ("out", False))
        self.assertEqual(len(entry["study"]["cases"]["rows"]), 4)

    def test_all_studies_leave_an_overview_and_their_reports(self):
        (self.folder / "studies").mkdir()
        self.write("studies/one.yaml", f"""
study: 1
robot: {SIAX}
analysis: inverse
motion: paper
instants: 21
outputs: {{torque: {{column: qA.force, measure: peak}}}}
published:
  - {{text: torque of A, output: torque, value: 425 N m}}
""")
        done = self.pkm("study", "--all", "studies", "-o", "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("overview in all/report.html", done.stdout)
        [entry] = self.page("all")[1]["data-overview"]
        self.assertEqual((entry["folder"], entry["has_report"]), ("one", True))
        self.assertEqual([row[1] for row in entry["study"]["published"]["rows"]], ["torque of A"])
        self.assertIn("data-study", self.page("all/one")[1])

    def test_what_is_no_run_is_refused(self):
        self.assertIn("nowhere: there is no such folder", self.refused(2, "report", "nowhere"))
        self.write("file", "x")
        self.assertIn("expected the folder of a run", self.refused(2, "report", "file"))
        (self.folder / "empty").mkdir()
        self.assertIn("has no manifest.json", self.refused(2, "report", "empty"))
        self.assertIn("--set: a report changes nothing", self.refused(2, "report", "empty", "--set", "a=1"))
        self.run_siax()
        self.assertIn("no/report.html", self.refused(2, "report", "out", "-o", "no/report.html"))

    def test_damaged_files_are_named_with_their_place(self):
        self.run_siax()
        path = self.folder / "out/summary.json"
        text = path.read_text(encoding="utf-8")
        path.write_text(text[:200], encoding="utf-8")
        self.assertIn("out/summary.json:", self.refused(2, "report", "out", place=True))
        path.write_text(text, encoding="utf-8")
        (self.folder / "out/manifest.json").write_text("", encoding="utf-8")
        self.assertIn("out/manifest.json:1:1: ", self.refused(2, "report", "out", place=True))
        (self.folder / "out/report.html").unlink(missing_ok=True)
        for text in ("{}", "[]", '{"program": "npm"}', '{"program": 3}'):  # of another program
            (self.folder / "out/manifest.json").write_text(text, encoding="utf-8")
            self.assertIn("out/manifest.json: is not a manifest of pkm", self.refused(2, "report", "out"))
            self.assertFalse((self.folder / "out/report.html").exists())


    def test_a_robot_without_motion_stands_where_it_was_asked(self):
        siax, drives = ROOT / "robots/siax.yaml", "70 deg, 41 deg, -36 deg"
        there = self.answer("fk", siax, "--drives", drives)["tool"]["position"]
        home = self.answer("fk", siax, "--drives", "0,0,0")["tool"]["position"]
        for verb, options, want in [("modes", ("--drives", drives), there), ("stiffness", ("--drives", drives), there),
                                    ("modes", (), home), ("workspace", ("--points", "5"), home)]:
            self.answer(verb, siax, *options, "-o", "still")
            scene = json.loads((self.folder / "still/scene.json").read_text(encoding="utf-8"))
            self.assertEqual(scene["film"]["t"], [0])
            pose = scene["film"]["poses"][0][scene["tool"]["body"] - 1]
            turned = pose[4:7]
            self.assertLess(max(map(abs, turned)), 1e-6)  # the platform does not turn
            for k in range(3):
                self.assertAlmostEqual(pose[k] + scene["tool"]["at"][k], want[k], places=6)


if __name__ == "__main__":
    unittest.main()
