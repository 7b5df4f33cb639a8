"""What is watched along a motion, through the program: columns next to singularities as measures of a study, limits of
all analyses, orientation of tools that turn, sums that are not known."""

import math
import sqlite3
import unittest

from program import ROOT
from study_base import Study

SIAX = ROOT / "robots/siax.yaml"
FIVE_BAR = ROOT / "robots/five-bar.yaml"

HANGING = """
  pendulum:
    mass: 3 kg
    com: [0, 0, -0.3]
    inertia: [1e-2, 1e-2, 1e-2]
    points: {H: [0, 0, 0]}
    pose: {at: [0, 0, =-depth]}

joints:
  hook: {type: universal, between: [platform.P, pendulum.H], axis: [x, y]}
"""


def number(row, name):
    return float(next(value for key, value in row.items() if key.split(" ")[0] == name))


class Watched(Study):
    def test_condition_and_distance_are_measures_of_a_study(self):
        folder = self.study(f"""study: 1
robot: {SIAX}
analysis: inverse
motion: pick
outputs: {{worst: peak condition, nearest: min singularity}}
sweep: {{l2: [1000 mm, 1106 mm]}}
""")
        rows = self.rows(folder, "cases.csv")
        self.assertEqual(len(rows), 2)
        for row in rows:
            near = self.answer("inverse", SIAX, "--motion", "pick", "--set", f"l2={number(row, 'l2')}m", "-o",
                               self.folder / "one")["nearness"]
            self.assertGreater(near["condition"], 1.0)
            self.assertAlmostEqual(number(row, "worst") / near["condition"], 1.0, delta=1e-12)
            self.assertAlmostEqual(number(row, "nearest") / near["singularity"], 1.0, delta=1e-12)

    # The rigid motion is the same whatever is computed on it.
    def test_every_table_of_a_motion_has_condition_and_distance(self):
        runs = {"inverse": (), "elastodynamics": ("--flexible", "left: {}"), "envelope": ("--clearance", "A.left1: {radial: 0.1 mm}")}
        columns = {}
        for verb, options in runs.items():
            self.answer(verb, SIAX, "--motion", "paper", "--instants", "41", *options, "-o", self.folder / verb)
            rows = self.rows(self.folder / verb, "table.csv")
            columns[verb] = [(number(row, "condition"), number(row, "singularity")) for row in rows]
        for verb in ("elastodynamics", "envelope"):
            self.assertEqual(len(columns[verb]), len(columns["inverse"]))
            for mine, truth in zip(columns[verb], columns["inverse"]):
                self.assertAlmostEqual(mine[0] / truth[0], 1.0, delta=1e-9)
                self.assertAlmostEqual(mine[1] / truth[1], 1.0, delta=0.2)  # an estimate, renewed at other rows

    # Jerk is the slope of the acceleration from row to row; drives of the hexapod, limited to half of what they do.
    def test_the_limit_of_jerk_is_watched(self):
        text = (ROOT / "robots/gough-stewart.yaml").read_text(encoding="utf-8")
        self.assertIn("velocity: 0.5 m/s, force", text)
        self.answer("inverse", ROOT / "robots/gough-stewart.yaml", "-o", self.folder / "free")
        rows = self.rows(self.folder / "free", "table.csv")
        name = next(key for key in rows[0] if key.endswith(".a [m/s2]"))
        slopes = [abs(float(b[name]) - float(a[name])) / (number(b, "t") - number(a, "t")) for a, b in zip(rows, rows[1:])]
        model = self.write("jerk.yaml", text.replace("velocity: 0.5 m/s, force", f"jerk: {0.5 * max(slopes)!r} m/s3, velocity: 0.5 m/s, force"))
        broken = self.answer("inverse", model, "-o", self.folder / "out")["limits_broken"]
        drive = next(item for item in broken if item["what"] == name.split(".")[0] + " jerk")
        self.assertAlmostEqual(drive["value"] / max(slopes), 1.0, delta=1e-9)
        self.assertAlmostEqual(drive["limit"] / max(slopes), 0.5, delta=1e-9)

    # Drives that pass 3 rad/s do so in every analysis of the motion.
    def test_limits_are_watched_in_seated_runs_and_elastodynamics(self):
        text = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        self.assertIn("q{}: {joint: motor", text)
        model = self.write("slow.yaml", text.replace("q{}: {joint: motor", "q{}: {limits: {velocity: 3 rad/s}, joint: motor"))
        self.write("seated.yaml", "run: 1\nmotion: paper\nclearance: {A.left1: {radial: 0.1 mm, fidelity: seated}}\n")
        said = {"inverse": self.answer("inverse", model, "--motion", "paper", "-o", self.folder / "a"),
                "seated": self.answer("simulate", model, "--run", "seated.yaml", "-o", self.folder / "b"),
                "elastodynamics": self.answer("elastodynamics", model, "--motion", "paper", "--flexible", "left: {}",
                                              "-o", self.folder / "c")}
        told = {name: sorted(w["text"].split(",")[0] for w in answer["warnings"] if w["kind"] == "limit" and "velocity" in w["text"])
                for name, answer in said.items()}
        self.assertEqual(len(told["inverse"]), 3)  # all three drives, at their fastest
        self.assertEqual(told["seated"], told["inverse"])
        self.assertEqual(told["elastodynamics"], told["inverse"])

    # The tool of the five-bar is a point of a link that turns, though only x and y are prescribed.
    def test_a_tool_that_turns_without_being_asked_has_its_orientation(self):
        said = self.answer("simulate", FIVE_BAR, "-o", self.folder / "out")
        turn = next(peak["value"] for peak in said["peaks"] if peak["name"] == "P.turn")
        self.assertLess(turn, 1e-8)
        rows = self.rows(self.folder / "out", "table.csv")
        def link(row):  # from the elbow, 90 mm from the motor at (-59 mm, 0), to the tool
            q = number(row, "q1.q")
            return math.atan2(number(row, "P.y") - 0.09 * math.sin(q), number(row, "P.x") + 0.059 - 0.09 * math.cos(q))
        for row in rows[::40]:
            self.assertAlmostEqual(number(row, "P.yaw") - number(rows[0], "P.yaw"), link(row) - link(rows[0]), delta=1e-9)
        self.assertGreater(max(link(row) for row in rows) - min(link(row) for row in rows), 0.2)

    def test_forces_that_leave_the_range_of_numbers_are_no_answer(self):
        for force in ("1e308,0,0", "1e308,1e308,1e308"):
            told = self.refused(3, "inverse", SIAX, "--tool-force", force, "-o", self.folder / "out")
            self.assertIn("range of numbers", told)

    # Where a load comes and goes the forces jump between rows: no sum of powers, so no row of the ledger.
    def test_what_is_not_summed_is_not_zero(self):
        ledger = {}
        for name, load in (("still", ""), ("jumps", "payload: {box: {mass: 2 kg, at: platform.P, pick: 0.2 s, drop: 0.4 s}}\n")):
            folder = self.study(f"study: 1\nrobot: {SIAX}\nanalysis: inverse\nmotion: pick\n{load}"
                                "outputs: {f: peak qA.force}\nsweep: {m5: [1 kg]}\n", name=name)
            db = sqlite3.connect(folder / "study.sqlite")
            ledger[name] = dict(db.execute("select name, value from ledgers").fetchall())
            db.close()
        self.assertNotEqual(ledger["still"]["drive"], 0.0)
        self.assertEqual(ledger["jumps"], {})

    # Free fall passes the singular position (rods of the Triglide parallel, SIAX stretched) by inertia: all methods, one way.
    def test_every_method_falls_through_singular_positions(self):
        for robot in ("triglide", "siax"):
            end = {}
            for method in ("explicit", "bdf", "sdirk", "ida"):
                fall = ("--motion", "none", "--drive", "free", "--for", "0.45 s", "--instants", 10)
                said = self.answer("simulate", ROOT / f"robots/{robot}.yaml", *fall, "--integrator", method, "-o", "fall")
                self.assertIn("singularity", [w["kind"] for w in said["warnings"]], (robot, method))
                row = (self.folder / "fall/table.csv").read_text(encoding="utf-8").splitlines()[-1]
                end[method] = [float(x) for x in row.split(",")[:4]]
            for method, row in end.items():
                for ours, true in zip(row, end["explicit"]):
                    self.assertAlmostEqual(ours, true, delta=1e-3 * max(1.0, abs(true)), msg=f"{robot} {method}")

    # A held spin carries nothing: the moment of inertia about the line of a symmetric rod is in no force.
    def test_the_spin_of_a_symmetric_rod_takes_no_part(self):
        text = SIAX.read_text(encoding="utf-8")
        text = text[:text.index("closed_form:")]
        force = []
        for spin, other in (("0", "1"), ("0.06", "1"), ("1e-3", "1.001")):
            rod = f"com: [=l2/2, 0, 0]\n        inertia: [{spin}, =m2*l2^2/12, ={other}*m2*l2^2/12]"
            robot = self.write("spin.yaml", text.replace("uniform: {from: A, to: B}", rod))
            if other == "1":
                force.append([d["absmax_force"] for d in self.answer("inverse", robot, "--motion", "paper", "-o", "spin")["drives"]])
            else:
                (self.folder / "spin/peaks.csv").unlink(missing_ok=True)  # there is no row to have one
                self.assertIn("spin of", self.refused(3, "inverse", robot, "--motion", "paper", "-o", "spin"))
        for a, b in zip(*force):
            self.assertAlmostEqual(a / b, 1.0, delta=1e-9)

    # A load that swings below the platform moves by itself: no mass matrix of the drives, no shortest time.
    def test_what_hangs_freely_is_no_part_of_matrices_and_shortest_times(self):
        text = SIAX.read_text(encoding="utf-8")
        text = text[:text.index("closed_form:")]
        hanging = self.write("hanging.yaml", text.replace("\nlimbs:", HANGING + "\nlimbs:", 1))
        for verb in (("matrices", hanging), ("fastest", hanging, "--force", 900)):
            said = self.refused(3, *verb)
            self.assertIn("moves neither drives nor tool, but by itself", said)
            self.assertIn("hook", said)

    # Behind its end a motion that ends with speed stands still: the forces of that jump are in no row, so it is said.
    def test_a_velocity_that_jumps_is_told(self):
        for verb in (("inverse", FIVE_BAR, "--for", "1 s", "-o", "out"),
                     ("motors", FIVE_BAR, "--motors", ROOT / "motors/servo.yaml", "--for", "1 s")):
            said = [w for w in self.answer(*verb)["warnings"] if w["kind"] == "motion"]
            self.assertEqual(len(said), 1)
            self.assertAlmostEqual(said[0]["t"], 0.5, delta=1e-12)
            self.assertIn("jumps by 0.251327", said[0]["text"])  # 2 pi 20 mm / 0.5 s
        self.assertEqual([w for w in self.answer("inverse", FIVE_BAR, "-o", "out")["warnings"] if w["kind"] == "motion"], [])

    # What follows such a motion would be kicked: refused by all that answer in time.
    def test_a_velocity_that_jumps_is_refused_where_it_kicks(self):
        pin = ("--clearance", "elbow1: {radial: 0.1 mm, length: 10 mm, fidelity: seated}")
        for verb in (("simulate", FIVE_BAR), ("simulate", FIVE_BAR, *pin), ("elastodynamics", FIVE_BAR), ("elastodynamics", FIVE_BAR, "--repeat", 2)):
            end = "1.2 s" if "--repeat" in verb else "0.7 s"
            said = self.refused(2, *verb, "--for", end, "-o", self.folder / "out")
            self.assertIn("jumps by 0.251327 at t = 0.5 s", said)
        # there and back with speed at both ends: 2 * 0.1 rad * pi / s
        there = "{duration: 1 s, formula: {of: drives, q1: '=1.77+0.1*sin(pi*t/1 s)', q2: '=1.37'}}"
        for again in (("--repeat", 2), ("--start", "periodic")):
            self.assertIn("ends with another velocity than it starts with (by 0.628319)",
                          self.refused(2, "elastodynamics", FIVE_BAR, "--motion", there, *again, "-o", self.folder / "out"))
        self.answer("elastodynamics", FIVE_BAR, "--repeat", 2, "--flexible", "crank1: {elements: 1}", "-o", "out")


if __name__ == "__main__":
    unittest.main()
