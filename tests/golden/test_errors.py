"""What the program says when the input is wrong: one line, the place, the exit code, no files."""

import os
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

from program import PKM, ROOT, Program

MODEL = """pkm: 1
name: slider-crank
ground:
  points: {O: [0, 0, 0]}
bodies:
  crank:
    mass: 1 kg
    inertia: [1e-3, 2e-3, 2e-3]
    points: {O: [0, 0, 0], A: [100 mm, 0, 0]}
  rod:
    mass: 0.5 kg
    points: {A: [0, 0, 0], B: [300 mm, 0, 0]}
    pose: {at: [86 mm, 50 mm, 0], rotate: {z: -10 deg}}
  slider:
    mass: 2 kg
    points: {B: [0, 0, 0]}
    pose: {at: [380 mm, 0, 0]}
joints:
  motor: {type: revolute, between: [ground.O, crank.O], axis: z}
  pin: {type: revolute, between: [crank.A, rod.A], axis: z}
  wrist: {type: revolute, between: [rod.B, slider.B], axis: z}
  rail: {type: prismatic, between: [ground.O, slider.B], axis: x}
drives:
  q: {joint: motor}
tool: {point: slider.B, moves: [x]}
home: {drives: {q: 30 deg}}
motions:
  turn: {law: quintic, duration: 1 s, drives: {q: [30 deg, 60 deg]}}
  far: {law: quintic, duration: 1 s, path: {line: {from: [350 mm, 0, 0], to: [450 mm, 0, 0]}}}
"""

FIVE_BAR = ROOT / "robots/five-bar.yaml"


class Model(Program):
    """Errors in the model file."""

    def changed(self, old, new):
        self.assertEqual(MODEL.count(old), 1, old)
        return self.write("model.yaml", MODEL.replace(old, new))

    def message(self, old, new, code=2):
        return self.refused(code, "check", self.changed(old, new), place=True)

    # An option that would say nothing answers another question than the one that was asked.
    def test_options_without_what_they_are_meant_for_are_refused(self):
        siax, run = ROOT / "robots/siax.yaml", str(self.folder)
        for verb, option, needs in (("modes", ("--ends", "clamped"), "--link"), ("modes", ("--slice", "z=-0.9"), "--map"), ("modes", ("--grid", "0,0,-0.9"), "--map"),
                                    ("modes", ("--what", "1"), "--map"), ("modes", ("--shake", "x"), "--response"), ("modes", ("--points", "5"), "one of --map --along --response"),
                                    ("stiffness", ("--slice", "z=-0.9"), "--map"), ("stiffness", ("--grid", "0,0,-0.9"), "--map"), ("stiffness", ("--points", "5"), "--map"),
                                    ("draw", ("--poses", "3"), "--motion"), ("envelope", ("--instants", "3"), "--motion"), ("compare", ("--general",), "--generated")):
            self.assertEqual(self.refused(2, verb, siax, *option), f"pkm: {option[0]}: it needs {needs}\n")
        self.assertIn("--point: it needs --path", self.refused(2, "plot", run, "--point", "P", "--column", "P.x"))
        for option in (("--at", "0,0,-0.9"), ("--drives", "0,0,0"), ("--drives-are", "free"), ("--weight",)):
            self.assertIn(f"the modes of a link alone, expected no {option[0]}", self.refused(2, "modes", siax, "--link", "A.left", *option))

    def test_the_model_itself_is_fine(self):
        done = self.pkm("check", self.write("model.yaml", MODEL))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_an_unknown_key_gets_a_suggestion_and_its_place(self):
        text = self.message("    mass: 1 kg", "    masss: 1 kg")
        self.assertIn("model.yaml:7:5:", text)
        self.assertIn("did you mean 'mass'?", text)

    def test_a_missing_key_is_named(self):
        self.assertIn("between", self.message("between: [crank.A, rod.A], ", ""))
        self.assertIn("name", self.message("name: slider-crank\n", ""))

    def test_a_wrong_unit_is_named_with_its_place(self):
        self.assertIn("model.yaml:7:11:", self.message("mass: 1 kg", "mass: 1 mm"))
        self.assertIn("furlong", self.message("mass: 1 kg", "mass: 1 furlong"))

    def test_wrong_masses_are_refused(self):
        self.assertIn("-1", self.message("mass: 1 kg", "mass: -1 kg"))
        self.message("mass: 1 kg", "mass: .nan")
        self.message("mass: 1 kg", "mass: .inf")
        self.message("mass: 1 kg", "mass: =1/0")
        self.assertIn("crank", self.message("[1e-3, 2e-3, 2e-3]", "[1e-3, 2e-3, 5e-3]"))

    def test_a_body_reached_by_no_joint_is_named(self):
        text = self.message("joints:\n", "  lost: {mass: 1 kg}\njoints:\n")
        self.assertIn("lost", text)

    def test_an_unknown_point_is_named(self):
        self.assertIn("rod.C", self.message("rod.B, slider.B", "rod.C, slider.B"))

    def test_a_loop_that_cannot_close_names_a_joint_and_its_gap(self):
        path = self.changed("{at: [380 mm, 0, 0]}", "{at: [380 mm, 0, 0]}\n  block: {mass: 1 kg, points: {S: [0, 0, 0]}}")
        text = path.read_text().replace("joints:\n", "joints:\n"
                                        "  bolt: {type: fixed, between: [ground.O, block.S]}\n"
                                        "  strut: {type: distance, between: [block.S, slider.B], length: 900 mm}\n")
        path.write_text(text)
        said = self.refused(2, "check", path)
        self.assertRegex(said, r"(strut|wrist|pin|rail|motor)")
        self.assertRegex(said, r"gap|apart")

    def test_files_that_are_no_models(self):
        for name, content in (("empty.yaml", b""), ("binary.yaml", bytes(range(256)) * 40),
                              ("zeros.yaml", b"\0" * 1000), ("cut.yaml", MODEL[:-40].encode()),
                              ("list.yaml", b"[1, 2]\n"), ("word.yaml", b"hello\n"),
                              ("tab.yaml", b"pkm: 1\n\tname: x\n")):
            with self.subTest(name):
                text = self.refused(2, "check", self.write(name, content))
                self.assertIn(name, text)

    def test_deep_nesting_and_alias_bombs_end_quickly(self):
        bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"{n}: &{n} [{', '.join(['*' + p] * 9)}]\n" for p, n in zip("abcdefgh", "bcdefghi"))
        for name, content in (("deep.yaml", "[" * 100000), ("maps.yaml", "{a: " * 50000),
                              ("bomb.yaml", bomb)):
            with self.subTest(name):
                start = time.perf_counter()
                self.refused(2, "check", self.write(name, content))
                self.assertLess(time.perf_counter() - start, 20.0)

    def test_a_file_of_100_megabytes_is_refused(self):
        path = self.folder / "huge.yaml"
        with open(path, "wb") as file:
            file.write(MODEL.encode())
            file.truncate(100 * 1024 * 1024)
        self.assertIn("huge.yaml", self.refused(2, "check", path))

    def test_files_that_cannot_be_read(self):
        self.assertIn("nowhere.yaml", self.refused(2, "check", "nowhere.yaml"))
        self.refused(2, "check", self.folder)
        if os.geteuid() != 0:
            path = self.write("closed.yaml", MODEL)
            path.chmod(0)
            self.refused(2, "check", path)


class Run(Program):
    """Errors on the command line and on the way."""

    def setUp(self):
        super().setUp()
        self.model = self.write("model.yaml", MODEL)

    def inverse(self, code, *arguments):
        return self.refused(code, "inverse", *arguments, "-o", self.folder / "out")

    def test_unknown_options_and_motions_get_suggestions(self):
        self.assertIn("did you mean '--motion'?", self.inverse(2, self.model, "--moton", "turn"))
        self.assertIn("did you mean 'turn'?", self.inverse(2, self.model, "--motion", "turm"))

    def test_an_option_without_its_argument(self):
        self.refused(2, "inverse", self.model, "--motion")

    def test_two_models_or_none(self):
        self.refused(2, "check", self.model, self.model)
        self.refused(2, "check")

    def test_wrong_overrides(self):
        model = self.write("p.yaml", MODEL.replace("name: slider-crank", "name: x\nparameters: {mass: 1 kg}"))
        self.assertIn("did you mean 'mass'?", self.refused(2, "check", model, "--set", "mas=2 kg"))
        self.refused(2, "check", model, "--set", "mass")
        self.refused(2, "check", model, "--set", "mass=")
        self.refused(2, "check", model, "--set", "mass=2 +")
        self.refused(2, "check", model, "--set", "mass=nan")

    def test_a_wrong_method(self):
        self.inverse(2, self.model, "--motion", "turn", "--method", "maple")

    def test_the_closed_method_needs_a_closed_form(self):
        self.assertIn("closed", self.inverse(2, self.model, "--motion", "turn", "--method", "closed"))

    def early(self, model, motion):
        """A run that ends on its way: one message with exit code 3, whole files with the rows so far."""
        out = self.folder / "early"
        done = self.pkm("inverse", model, "--motion", motion, "-o", out)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertRegex(done.stderr, r"^pkm: [^\n]+; the [0-9]+ rows before that are in [^\n]+\n$")
        rows = (out / "table.csv").read_text().splitlines()
        self.assertIn(f"the {len(rows) - 1} rows", done.stderr)
        self.assertNotIn("nan", "".join(rows[1:]))
        self.assertIn("no: the run ended early", (out / "manifest.json").read_text())
        return done.stderr

    # Crank and rod reach 400 mm; the motion asks for 450 mm.
    def test_an_unreachable_point_is_told_with_its_time(self):
        text = self.early(self.model, "far")
        self.assertRegex(text, r"t = [0-9.]+ s")
        self.assertIn("out of reach by up to 0.05 m (at t = 1 s)", text)

    # The two links of the five-bar are in line at y = sqrt(90^2 - 31^2) = 84.5 mm.
    def test_a_budget_that_is_used_up_keeps_its_rows(self):
        done = self.pkm("simulate", ROOT / "robots/siax.yaml", "--budget", "{steps: 4}", "--for", "0.05", "-o", "kept")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("the budget of steps or time is used up", done.stderr)
        n = int(re.search(r"the (\d+) rows before that", done.stderr)[1])
        self.assertEqual(len((self.folder / "kept/table.csv").read_text(encoding="utf-8").splitlines()), n + 1)

    def test_a_singular_pose_on_the_way_is_told_with_its_time_and_kind(self):
        model = self.write("five.yaml", FIVE_BAR.read_text() + """  down:
    law: quintic
    duration: 1 s
    path: {line: {from: [0, 0.12, 0], to: [0, 0.07, 0]}}
""")
        text = self.early(model, "down")
        self.assertRegex(text, r"t = [0-9.]+ s")
        self.assertIn("parallel singularity", text)

    def test_an_output_folder_that_cannot_be_made(self):
        self.write("file", "")
        self.refused(2, "inverse", self.model, "--motion", "turn", "-o", self.folder / "file/out")
        self.assertEqual((self.folder / "file").read_text(), "")

    def wait_until_sigint_is_caught(self, pid):
        """Until the mask of caught signals has the bit of SIGINT."""
        for _ in range(6000):
            caught = re.search(r"SigCgt:\s*([0-9a-f]+)", Path(f"/proc/{pid}/status").read_text())
            if caught and int(caught.group(1), 16) & (1 << (signal.SIGINT - 1)):
                return
            time.sleep(0.01)
        self.fail("the program does not catch SIGINT")

    # The rows up to Ctrl-C are kept, each file is whole, and the manifest says that rows are missing.
    def test_ctrl_c_keeps_the_rows_so_far_and_says_so(self):
        out = self.folder / "out"
        child = subprocess.Popen([PKM, "inverse", self.model, "--motion", "turn", "--instants", "1000000",
                                  "-o", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_until_sigint_is_caught(child.pid)
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=120)
        self.assertEqual((child.returncode, said[0]), (130, ""))
        self.assertRegex(said[1], r"^pkm: interrupted at t = [0-9.e-]+ s; [^\n]+\n$")
        rows = (out / "table.csv").read_text().splitlines()
        self.assertEqual({line.count(",") for line in rows}, {rows[0].count(",")})
        self.assertLess(len(rows), 1000000)
        self.assertIn("no: the run ended early", (out / "manifest.json").read_text())


if __name__ == "__main__":
    unittest.main()
