"""pkm simulate through the program: its summary, its files, its errors, early ends and Ctrl-C."""

import csv
import json
import math
import os
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from program import PKM, ROBOTS, ROOT, Program, is_sanitized

SIAX = ROOT / "robots/siax.yaml"
CLEARANCE = "spherical: {radial: 0.1mm, radius: 10mm, stiffness: 1.524e11, restitution: 0.9, start: centred}"
FRICTION = "spherical: {static: 0.11, dynamic: 0.084, radius: 10mm}"


def columns(path):
    """The table of a run: values by the name of the column, without its unit."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names = [re.sub(r" \[.*\]$", "", name) for name in rows[0]]
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}


class Simulate(Program):
    def peaks(self, said):
        return {peak["name"]: peak for peak in said["peaks"]}

    # The numbers of the notes on the robots; 0.0005 is half of their last digit.
    def test_friction_in_the_balls_of_the_siax(self):
        said = self.answer("simulate", SIAX, "--friction", FRICTION, "-o", "out")
        peak = self.peaks(said)
        for drive, want in (("qA", 1.757), ("qB", 0.562), ("qC", 0.567)):
            self.assertAlmostEqual(peak[f"{drive}.dforce"]["value"], want, delta=5e-4)
        self.assertAlmostEqual(said["energy"]["friction_loss"], 1.927, delta=5e-4)
        self.assertLess(said["energy"]["relative_residual"], 1e-10)
        self.assertEqual(said["friction_joints"], 12)
        inverse = self.answer("inverse", SIAX, "--friction", FRICTION, "-o", "inverse")
        self.assertAlmostEqual(inverse["energy"]["friction_loss"], said["energy"]["friction_loss"], delta=1e-4)

    # Scenario 3 of the paper: what two other codes found repeatable, to 10 % (speed 5 %). That these peaks are repeatable
    # over the whole motion takes seven runs more: with PKM_CAMPAIGN.
    @unittest.skipIf(is_sanitized(), "a whole run with impacts; golden.clearance has shorter ones")
    def test_clearance_in_the_balls_of_the_siax(self):
        verify = ["--verify"] if os.environ.get("PKM_CAMPAIGN") else []
        said = self.answer("simulate", SIAX, "--clearance", CLEARANCE, *verify, "-o", "out")
        peak = self.peaks(said)
        for name, want, part in (("P.dp", 1.35e-3, 0.1), ("P.turn", 8.7e-3, 0.1), ("P.dv", 0.19, 0.05)):
            self.assertAlmostEqual(peak[name]["value"], want, delta=part * want)
            if verify:
                self.assertEqual(peak[name]["verdict"], "repeatable")
                self.assertLessEqual(peak[name]["low"], peak[name]["value"])
        # Before chaos sets in peaks are sharp numerically, and move a lot with numbers that nobody knows to 1 %.
        short = self.answer("simulate", SIAX, "--clearance", CLEARANCE, "--for", "10ms", "--verify", "-o", "early")
        self.assertEqual(len(short["verified_with"]), 3)
        early = self.peaks(short)
        for name, p in early.items():
            self.assertLess(p["error_bar"], 1e-4 * p["value"], name)
            self.assertEqual(p["verdict"], "repeatable", name)
            self.assertLessEqual(p["low"], p["value"], name)
        self.assertGreater(early["P.da"]["sensitivity"], 0.1 * early["P.da"]["value"])
        self.assertLess(said["energy"]["relative_residual"], 1e-7)
        self.assertGreater(said["energy"]["contact_loss"], 0.2)
        self.assertEqual(said["energy"]["friction_loss"], 0)
        self.assertEqual(len(said["contacts"]), 12)
        for bearing in said["contacts"]:
            self.assertAlmostEqual(sum(bearing["time"].values()), 0.2, delta=1e-9)
            self.assertGreater(bearing["touches"], 5)
        for name in ("orbits.svg", "contacts.svg"):
            ElementTree.parse(self.folder / "out" / name)

    def test_clearance_leaves_columns_a_section_and_a_warning(self):
        clearance = "A.left1: {radial: 0.1mm, radius: 10mm, stiffness: 1.524e11, restitution: 0.4, start: centred}"
        done = self.pkm("simulate", SIAX, "--clearance", clearance, "--for", "20ms", "--section", "5ms", "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("warning: A.left1: the law of Lankarani and Nikravesh holds for a restitution near 1", done.stdout)
        table = columns(self.folder / "out/table.csv")
        for name in ("ox", "oy", "oz", "gap", "normal", "mode"):
            self.assertIn(f"A.left1.{name}", table)
        self.assertEqual(columns(self.folder / "out/section.csv")["t"], [0, 0.005, 0.01, 0.015, 0.02])
        ElementTree.parse(self.folder / "out/section.svg")

    def test_wrong_clearance_is_refused(self):
        for text, words in (
                ("spherical: {radial: -1mm, radius: 1mm, stiffness: 1}", "expected >= 0"),
                ("spherical: {radial: 1mm, stiffness: 1}", "'radius' is missing"),
                ("A.motor: {radial: 1mm, radius: 1mm, stiffness: 1}", "'length' is missing"),
                ("spherical: {radial: 1mm, radius: 1mm, stiffness: 0}", "expected > 0"),
                ("spherical: {radial: 1mm, radius: 1mm, stiffness: 1, restitution: 2}", "expected <= 1")):
            done = self.pkm("simulate", SIAX, "--clearance", text, "-o", "out")
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    def test_a_run_file_says_the_same_as_options(self):
        by_file = self.answer("simulate", SIAX, "--run", ROOT / "runs/siax-friction.yaml", "--for", "20 ms", "-o", "a")
        by_option = self.answer("simulate", SIAX, "--motion", "paper", "--friction", FRICTION, "--for", "20 ms", "-o", "b")
        self.assertEqual(by_file["peaks"], by_option["peaks"])
        self.assertEqual((self.folder / "a/table.csv").read_bytes(), (self.folder / "b/table.csv").read_bytes())

    def test_every_robot_follows_its_own_forces(self):
        for path in ROBOTS[::4] if is_sanitized() else ROBOTS:
            with self.subTest(path.stem):
                said = self.answer("simulate", path, "--drive", "playback", "-o", "out", "--instants", 51)
                off = max(p["value"] for p in said["peaks"] if p["name"].endswith(".dp"))
                self.assertLess(off, 1e-6)
                self.assertLess(said["energy"]["relative_residual"], 1e-10)
                self.assertLess(said["integration"]["drift_position"], 1e-10)
                self.assertLess(said["integration"]["drift_velocity"], 1e-8)

    def test_the_summary_is_the_table(self):
        said = self.answer("simulate", SIAX, "--drive", "pd: {kp: 2e4, kd: 300}", "-o", "out", "--reactions")
        table = columns(self.folder / "out/table.csv")
        located = columns(self.folder / "out/peaks.csv")
        self.assertEqual(list(located), list(table))
        for name, peak in self.peaks(said).items():
            self.assertEqual(peak["value"], max(map(abs, table[name] + located[name])))
            self.assertIn(peak["t"], table["t"] + located["t"])
        self.assertIn("A.left1.Fx", table)
        for name in ("energy.spring", "loss.friction", "work.drive", "balance", "qA.demand", "qA.saturated"):
            self.assertIn(name, table)
        self.assertTrue(all(math.isfinite(x) for values in table.values() for x in values))
        self.assertEqual(said["drives"][0]["mode"], "pd")
        self.assertEqual(said["drives"][0]["tracking_error"], max(map(abs, table["qA.dq"])))

    def test_the_folder_has_table_plots_and_manifest(self):
        self.answer("simulate", SIAX, "--friction", FRICTION, "--friction", "A.motor: {static: 0.02, radius: 2 cm}",
                    "--for", "20 ms", "-o", "out")
        names = {path.name for path in (self.folder / "out").iterdir()}
        self.assertLessEqual({"table.csv", "table.h5", "forces.svg", "energy.svg", "deviations.svg",
                              "manifest.json"}, names)
        for path in (self.folder / "out").glob("*.svg"):
            self.assertEqual(ElementTree.parse(path).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        manifest = (self.folder / "out/manifest.json").read_text()
        self.assertIn("dynamic: 0.084", manifest)
        self.assertIn("A.motor: {static: 0.02", manifest)
        self.assertTrue(json.loads(manifest))

    def test_the_default_folder_is_not_that_of_inverse(self):
        said = self.answer("simulate", SIAX, "--instants", 3)
        self.assertEqual(said["folder"], "pkm-out/siax-paper-simulate")

    # Another tolerance and another integrator: bars as wide as IDA is exact.
    def test_verify_gives_every_peak_an_error_bar(self):
        said = self.answer("simulate", SIAX, "--drive", "playback", "--verify", "--for", "60 ms", "-o", "out", "--instants", 21)
        self.assertEqual(len(said["verified_with"]), 2)
        for peak in said["peaks"]:
            self.assertIsNotNone(peak["error_bar"])
            self.assertGreaterEqual(peak["error_bar"], 0.0)
        force = self.peaks(said)["qA.force"]
        self.assertLess(force["error_bar"], 1e-2 * force["value"])
        done = self.pkm("simulate", SIAX, "--verify", "--for", "20 ms", "-o", "out", "--instants", 21)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("+- (numer.)", done.stdout)

    def test_a_wrong_model_of_the_controller_costs_accuracy(self):
        control = "computed_torque: {frequency: 20 Hz%s}"
        exact = self.answer("simulate", SIAX, "--drive", control % "", "-o", "a", "--instants", 51)
        wrong = self.answer("simulate", SIAX, "--drive", control % ", model: {m5: 6 kg}", "-o", "b", "--instants", 51)
        self.assertLess(exact["drives"][0]["tracking_error"], 1e-10)
        self.assertGreater(wrong["drives"][0]["tracking_error"], 1e-4)

    def test_the_model_of_the_controller_knows_overrides(self):
        said = self.answer("simulate", SIAX, "--set", "m5=6 kg", "-o", "a", "--instants", 51,
                           "--drive", "computed_torque: {frequency: 20 Hz, model: {m4: 0.46 kg}}")
        self.assertLess(said["drives"][0]["tracking_error"], 1e-10)

    def test_payload_and_loads_balance(self):
        said = self.answer("simulate", SIAX, "-o", "out", "--payload", "box: {mass: 2 kg, at: platform.P, pick: 0.05 s, "
                           "drop: 0.15 s}", "--load", "s: {spring: {stiffness: 1000, length: 0.5, damping: 10}, "
                           "between: [ground.A.M, platform.P]}")
        self.assertLess(said["energy"]["relative_residual"], 1e-10)
        self.assertGreater(abs(said["energy"]["payload"]), 1.0)
        self.assertGreater(said["energy"]["damping_loss"], 1.0)
        self.assertEqual((said["loads"], said["payloads"]), (1, 1))

    def test_people_read_the_ledger_first(self):
        done = self.pkm("simulate", SIAX, "--friction", FRICTION, "--for", "20 ms", "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout.splitlines()[2], r"^energy residual \S+ J: \S+ of the \S+ J exchanged$")
        self.assertIsNone(re.search(r"\bnan\b|\binf\b", done.stdout))


class Wrong(Program):
    def simulate(self, code, *arguments, place=False):
        return self.refused(code, "simulate", SIAX, *arguments, "-o", self.folder / "out", place=place)

    def test_wrong_choices_are_told_with_the_option(self):
        for option, text, words in (
                ("--friction", "Q*: {static: 0.1}", "'Q*' matches no joint"),
                ("--friction", "spherical: {static: -1, radius: 1}", "spherical.static: -1, expected >= 0"),
                ("--friction", "spherical: {static: 1}", "'radius' is missing"),
                ("--drive", "prescribd", "did you mean 'prescribed'?"),
                ("--drive", "pd: {kp: 1 N/m}", "pd.kp"),
                ("--load", "a: {force: [1, 2], at: platform.P}", "a list of 2, expected a list of 3"),
                ("--payload", "a: {mass: 1}", "'at' is missing"),
                ("--for", "2 kg", "is a mass [kg], expected a time [s]"),
                ("--for", "0", "expected > 0"),
                ("--motion", "papr", "did you mean 'paper'?"),
                ("--integrator", "euler", "expected one of explicit, bdf, sdirk, ida"),
                ("--tolerance", "1", "expected from 1e-15 to 0.1"),
                ("--instants", "1", "whole number"),
                ("--start", "{A.motor: 1}", "start: 1 rates for 0 freedoms"),
                ("--run", "nowhere.yaml", "nowhere.yaml")):
            with self.subTest(option + " " + text):
                said = self.simulate(2, option, text)
                self.assertIn(words, said)
                if option not in ("--start", "--run"):
                    self.assertTrue(said.startswith(f"pkm: {option}: "), said)

    def test_wrong_run_files_are_told_with_their_place(self):
        path = self.write("run.yaml", "run: 1\nfriction:\n  spherical: {statik: 0.1}\n")
        self.assertIn("run.yaml:3:15: ", self.simulate(2, "--run", path, place=True))

    def test_a_drive_without_a_motion_is_told(self):
        self.assertIn("needs a motion", self.simulate(2, "--motion", "none", "--drive", "prescribed"))


class Early(Program):
    def check_rows(self, out, said):
        rows = (out / "table.csv").read_text().splitlines()
        self.assertIn(f"the {len(rows) - 1} rows before that are in {out}", said)
        self.assertEqual({line.count(",") for line in rows}, {rows[0].count(",")})
        self.assertNotIn("nan", "".join(rows[1:]))
        self.assertIn("no: the run ended early", (out / "manifest.json").read_text())

    # Cranks that are driven through where all rods of SIAX are parallel: a freedom more opens there.
    def test_a_singular_position_ends_the_run_with_its_rows(self):
        model = self.folder / "fold.yaml"
        text = SIAX.read_text().replace("[0 deg, 70 deg], qB: [0 deg, 41 deg], qC: [0 deg, -36 deg]",
                                        "[0 deg, 115 deg], qB: [0 deg, 115 deg], qC: [0 deg, 115 deg]")
        model.write_text(text)
        for rows in ("23", "100", "401"):
            out = self.folder / rows
            done = self.pkm("simulate", model, "--instants", rows, "-o", out)
            self.assertEqual((done.returncode, done.stdout), (3, ""))
            self.assertRegex(done.stderr, r"^pkm: motion paper: t = 0\.1[0-9]+ s: [^\n]*singular position[^\n]+; try [^\n]+\n$")
            self.check_rows(out, done.stderr)

    # The free SIAX falls through the same position by inertia, and says so.
    def test_a_fall_through_a_singular_position_warns(self):
        done = self.pkm("simulate", SIAX, "--motion", "none", "--for", "0.5s", "-o", self.folder / "out")
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning: t = 0.396343 s: the robot passes a position in which its loops lose rank", done.stdout)

    def wait_until_sigint_is_caught(self, pid):
        for _ in range(6000):
            caught = re.search(r"SigCgt:\s*([0-9a-f]+)", Path(f"/proc/{pid}/status").read_text())
            if caught and int(caught.group(1), 16) & (1 << (signal.SIGINT - 1)):
                return
            time.sleep(0.01)
        self.fail("the program does not catch SIGINT")

    def test_ctrl_c_keeps_the_rows_so_far(self):
        out = self.folder / "out"
        child = subprocess.Popen([PKM, "simulate", ROOT / "robots/isoglide4.yaml", "--motion", "none", "--for", "10000s",
                                  "--instants", "1000001", "-o", out], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.wait_until_sigint_is_caught(child.pid)
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=120)
        self.assertEqual((child.returncode, said[0]), (130, ""))
        self.assertRegex(said[1], r"^pkm: interrupted at t = [0-9.e-]+ s; [^\n]+\n$")
        self.check_rows(out, said[1])


if __name__ == "__main__":
    unittest.main()
