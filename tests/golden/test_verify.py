"""One rule for error bars: pkm simulate --verify and a study with `verify` say the same of the same case."""

import sqlite3
import unittest

from program import ROOT
from study_base import HEAD, Study

SIAX = ROOT / "robots/siax.yaml"
CLEARANCE = "A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1.524e11, restitution: 0.9, start: centred}"
FRICTION = "spherical: {law: coulomb, static: 0.11, dynamic: 0.084, radius: 10mm}"
OUTPUTS = {"fa": "qA.force", "fc": "qC.force", "ta": "qA.dforce", "dp": "P.dp", "da": "P.da", "turn": "P.turn"}


class Verify(Study):
    def both(self, key, choice, *more):
        """The peaks of a case by simulate --verify, and by a study, each by its column."""
        said = self.answer("simulate", SIAX, f"--{key}", choice, "--for", "30ms", "--instants", 61, "--verify", "-o", "out", *more)
        outputs = "".join(f"  {name}: {{column: {column}, measure: peak}}\n" for name, column in OUTPUTS.items())
        folder = self.study(f"{HEAD}verify: true\nfor: 30 ms\ninstants: 61\n{key}: {{{choice}}}\noutputs:\n{outputs}")
        db = sqlite3.connect(folder / "study.sqlite")
        rows = db.execute("select value, t, error_bar, low, high, verdict from results order by output_id").fetchall()
        db.close()
        return said, {p["name"]: p for p in said["peaks"]}, dict(zip(OUTPUTS.values(), rows))

    def test_impacts_have_the_same_bars_range_and_verdict(self):
        said, peaks, rows = self.both("clearance", CLEARANCE)
        self.assertEqual(len(rows), len(OUTPUTS))
        for column, (value, t, bar, low, high, verdict) in rows.items():
            peak = peaks[column]
            self.assertEqual((value, t, bar, low, high, verdict), tuple(
                peak[key] for key in ("value", "t", "error_bar", "low", "high", "verdict")), column)
            self.assertTrue(low <= value <= high and 0 < bar <= high - low)
        self.assertEqual((len(said["verified_with"]), len(said["sensitivity_with"])), (3, 3))

    def test_smooth_runs_have_the_same_bars(self):
        said, peaks, rows = self.both("friction", FRICTION)
        for column, (value, t, bar, _, _, verdict) in rows.items():
            self.assertEqual((value, t, bar), (peaks[column]["value"], peaks[column]["t"], peaks[column]["error_bar"]), column)
            self.assertEqual(verdict, "repeatable", column)
        self.assertEqual(len(said["verified_with"]), 2)

    # Friction that rests, and drives that do not prescribe: two methods that have the bristles' derivatives.
    def test_friction_that_rests_has_bars_by_a_second_method(self):
        def peaks(*more):
            said = self.answer("simulate", SIAX, "--motion", "pick", "--drive", "pd: {kp: 20000, kd: 300}", "--friction",
                               FRICTION.replace("law: coulomb, ", ""), "--for", "30ms", "--instants", 31, "-o", "out", *more)
            return said, {p["name"]: p for p in said["peaks"]}
        said, verified = peaks("--verify")
        self.assertEqual([w for w in said["warnings"] if "verification" in w["text"]], [])
        self.assertEqual(said["verified_with"], ["tolerance 1e-11", "the sdirk integrator, tolerance 1e-07"])
        _, tight = peaks("--tolerance", repr(0.01 * 1e-9))  # to the bit: some peaks are rounding
        _, sdirk = peaks("--integrator", "sdirk")
        for name in OUTPUTS.values():
            value = verified[name]["value"]
            bar = max(abs(other[name]["value"] - value) for other in (tight, sdirk))
            self.assertAlmostEqual(verified[name]["error_bar"], bar, delta=1e-6 * bar, msg=name)
        for name in ("qA.dforce", "P.dp"):
            self.assertLess(verified[name]["error_bar"], 1e-4 * verified[name]["value"], name)

    # A drive force through impacts hangs on the restitution far more than on steps and rounding.
    def test_sensitivity_is_told_apart_from_the_numerical_bar(self):
        said, peaks, _ = self.both("clearance", CLEARANCE)
        peak = peaks["qA.force"]
        self.assertGreater(peak["sensitivity"], 3 * peak["error_bar"])
        self.assertIn(peak["sensitive_to"], ("restitution", "contact stiffness", "clearance"))
        changed = []
        for name, was, now in (("restitution", "restitution: 0.9", "restitution: 0.909"),
                               ("contact stiffness", "1.524e11", "1.53924e11"), ("clearance", "0.1 mm", "0.101 mm")):
            other = self.answer("simulate", SIAX, "--clearance", CLEARANCE.replace(was, now), "--for", "30ms", "--instants", 61, "-o", name)
            value = next(p["value"] for p in other["peaks"] if p["name"] == "qA.force")
            changed.append((abs(value - peak["value"]), name))
        self.assertAlmostEqual(max(changed)[0], peak["sensitivity"], delta=0.05 * peak["sensitivity"])
        self.assertEqual(max(changed)[1], peak["sensitive_to"])

    # Twice the elements and, from there, twice the modes by hand: where these matter most, the bar is twice what both change.
    def test_modes_and_mesh_of_flexible_links_are_refined(self):
        def peaks(modes, elements, *more):
            links = f"left: {{modes: {modes}, elements: {elements}, static_correction: false, damping: 0.05}}"
            said = self.answer("simulate", SIAX, "--flexible", links, "--for", "5ms", "--instants", 11, "-o", "out", *more)
            return said, {p["name"]: p for p in said["peaks"]}
        said, verified = peaks(7, 3, "--verify")
        self.assertIn("twice the elements and modes (or pieces) of flexible links (difference times 2)", said["verified_with"])
        _, finer = peaks(7, 6)
        _, refined = peaks(14, 6)
        for name in ("P.dp", "qA.dforce"):
            between = finer[name]["value"]
            change = abs(refined[name]["value"] - between) + abs(between - verified[name]["value"])
            self.assertGreater(change, 1e-3 * verified[name]["value"])
            self.assertAlmostEqual(verified[name]["error_bar"], 2 * change, delta=1e-3 * change)

    def test_text_names_bars_and_sensitivities(self):
        done = self.pkm("simulate", SIAX, "--clearance", CLEARANCE, "--for", "10ms", "--instants", 21, "--verify", "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("+- (numer.)  sensitiv.", done.stdout)
        self.assertIn("sensitivity: the largest change with restitution changed by 1 %, contact stiffness changed by 1 %, "
                      "clearance changed by 1 %", done.stdout)


if __name__ == "__main__":
    unittest.main()
