"""A short motion in a long cycle: peaks of pkm inverse and rms torques of pkm motors are those of the motion and the pause,
however many rows are asked for."""

import csv
import json
import unittest
from math import cos, pi, sin

from program import ROOT, Program

SIAX = ROOT / "robots/siax.yaml"
SERVO = ROOT / "motors/servo.yaml"


CAR = """
pkm: 1
name: car
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies: {car: {mass: 2 kg, inertia: [0.01, 0.01, 0.01], points: {P: [0, 0, 0]}, pose: {P: [0, 0, 0]}}}
joints: {rail: {type: prismatic, between: [ground.O, car.P], axis: z}}
drives: {q: {joint: rail}}
tool: {point: car.P, moves: [z]}
motions: {wave: {duration: 1 s, formula: {of: drives, q: "=0.1 m*sin(2*pi*t/1 s)^3"}}}
"""


class Motors(Program):
    def ask(self, *more):
        """(rms torques of the drives with the first motor, the smallest that serves)."""
        said = self.answer("motors", SIAX, "--motors", SERVO, *more)
        return [drive["rms_torque"] for drive in said["motors"][0]["drives"]], said["best"]

    def test_rows_that_are_asked_for_change_nothing(self):
        many, best = self.ask("--instants", 4001)
        for n in (2, 3, 5, 101):
            few, smallest = self.ask("--instants", n)
            self.assertEqual(smallest, best)
            for a, b in zip(few, many):
                self.assertAlmostEqual(a / b, 1.0, delta=1e-3)

    def test_a_pause_has_the_torque_that_holds(self):
        # T rms^2 = 0.2 s rms_motion^2 + (T - 0.2 s) hold^2: two cycles give the hold, a third one must meet it
        motion, _ = self.ask()
        two, _ = self.ask("--for", "2 s")
        long, _ = self.ask("--for", "200 s")
        for m, a, b in zip(motion, two, long):
            hold = (2.0 * a * a - 0.2 * m * m) / 1.8
            self.assertAlmostEqual(b / ((0.2 * m * m + 199.8 * hold) / 200.0) ** 0.5, 1.0, delta=2e-3)


class Folders(Program):
    """Verbs that answer a designer write a folder as runs do: manifest, answer, table, and a page of it."""

    def rows(self, folder):
        with open(self.folder / folder / "table.csv", newline="", encoding="utf-8") as file:
            return [{key.split(" [")[0]: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def folder_of(self, *arguments):
        answer = self.answer(*arguments, "-o", "out")
        manifest = json.loads((self.folder / "out/manifest.json").read_text(encoding="utf-8"))
        there = {p.name for p in (self.folder / "out").iterdir()}
        self.assertEqual(there, set(manifest["files"]) | {"manifest.json"})
        self.assertTrue({"table.csv", "summary.json", "scene.json"} <= there)
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text(encoding="utf-8")), answer)
        self.assertTrue(manifest["results"])
        self.assertEqual(self.pkm("report", "out").returncode, 0)
        return answer, self.rows("out")

    def test_motors(self):
        answer, rows = self.folder_of("motors", SIAX, "--motors", SERVO, "--show", "S-750")
        # mean square of the torque at the shaft, by the table
        for drive in next(m for m in answer["motors"] if m["name"] == answer["shown"] and m["gear_ratio"] == answer["shown_gear_ratio"])["drives"]:
            torque = [row[f"{drive['name']}.torque"] for row in rows]
            sum_ = sum(0.5 * (b["t"] - a["t"]) * (x * x + y * y) for a, b, x, y in zip(rows, rows[1:], torque, torque[1:]))
            self.assertAlmostEqual((sum_ / rows[-1]["t"]) ** 0.5 / drive["rms_torque"], 1.0, delta=1e-9)
            for row in rows:
                self.assertAlmostEqual(row[f"{drive['name']}.power"], row[f"{drive['name']}.torque"] * row[f"{drive['name']}.shaft"], delta=1e-9)

    def test_compare(self):
        answer, rows = self.folder_of("compare", SIAX, "--instants", 51)
        for drive in answer["drives"]:
            name = drive["name"]
            at_rows = max(abs(row[f"{name}.engine"]) for row in rows)  # the peak is located between them
            self.assertTrue(0.99 * drive["largest_force"] < at_rows <= drive["largest_force"])
            worst = max(rows, key=lambda row: abs(row[f"{name}.engine"] - row[f"{name}.closed"]))
            self.assertEqual(abs(worst[f"{name}.engine"] - worst[f"{name}.closed"]), drive["difference"])
            self.assertEqual(worst["t"], drive["t"])

    def test_matrices(self):
        answer, rows = self.folder_of("matrices", SIAX, "--at", "0.1,0,-0.9", "--acceleration", "3,1,-2")
        for i, row in enumerate(rows):  # F = M a + V + G
            inertia = sum(row[f"M.{name}"] * a for name, a in zip(answer["drives"], (3, 1, -2)))
            self.assertAlmostEqual(row["force"], inertia + row["coriolis"] + row["gravity"] - row["load"], delta=1e-9)

    def test_one_link(self):
        _, rows = self.folder_of("modes", SIAX, "--link", "A.left")
        for row in rows:  # stiffness = omega^2 mass
            self.assertAlmostEqual(row["stiffness"], (2 * pi * row["f"]) ** 2 * row["mass"], delta=1e-6 * row["stiffness"])

    def test_fastest(self):
        answer, rows = self.folder_of("fastest", SIAX, "--motion", "paper", "--force", 450)
        self.assertAlmostEqual(rows[-1]["t"], answer["fastest"], delta=1e-9)


class Inverse(Program):
    def holding(self, folder, drive):
        """The force of a drive in the last row."""
        rows = (self.folder / folder / "table.csv").read_text().splitlines()
        column = next(i for i, head in enumerate(rows[0].split(",")) if head.startswith(drive + ".force"))
        return float(rows[-1].split(",")[column])

    def test_peaks_and_rms_of_a_short_motion_in_a_long_run(self):
        for method in ("engine", "closed"):
            short = self.answer("inverse", SIAX, "--method", method, "-o", "short")["drives"]
            long = self.answer("inverse", SIAX, "--method", method, "--for", "200 s", "-o", "long")["drives"]  # rows 0.5 s apart
            for a, b in zip(short, long):
                self.assertAlmostEqual(a["absmax_force"] / b["absmax_force"], 1.0, delta=1e-5)
                self.assertAlmostEqual(a["absmax_time"], b["absmax_time"], delta=1e-4)
                mean = (0.2 * a["rms_force"] ** 2 + 199.8 * self.holding("long", a["name"]) ** 2) / 200
                self.assertAlmostEqual(b["rms_force"] / mean**0.5, 1.0, delta=1e-6)

    def test_peaks_of_a_motion_in_a_run_of_years(self):
        short = self.answer("inverse", SIAX, "-o", "short")
        for end in ("1e7 s", "1e10 s"):
            long = self.answer("inverse", SIAX, "--for", end, "-o", "long")
            for a, b in zip(short["drives"], long["drives"]):
                self.assertAlmostEqual(a["absmax_force"] / b["absmax_force"], 1.0, delta=1e-5)
            self.assertAlmostEqual(long["energy"]["drive_work"], short["energy"]["change"], delta=1e-3)

    def test_nothing_depends_on_the_number_of_rows(self):
        for method in ("engine", "closed"):
            fine = self.answer("inverse", SIAX, "--method", method, "--instants", 4001, "-o", "fine")
            for n in (2, 5, 17):
                few = self.answer("inverse", SIAX, "--method", method, "--instants", n, "-o", "few")
                for a, b in zip(fine["drives"], few["drives"]):
                    for key in ("min_force", "max_force", "absmax_force"):
                        self.assertAlmostEqual(a[key], b[key], delta=2e-5 * a["absmax_force"], msg=key)
                    self.assertAlmostEqual(a["rms_force"] / b["rms_force"], 1.0, delta=1e-6)
                self.assertAlmostEqual(few["energy"]["drive_work"], fine["energy"]["change"], delta=1e-6)
                self.assertLess(few["energy"]["relative_residual"], 1e-8)
                for a, b in zip(fine["published"], few["published"]):
                    if a["computed"] is not None:
                        self.assertAlmostEqual(a["computed"] / b["computed"], 1.0, delta=2e-5, msg=a["text"])

    def test_motors_of_few_rows_take_and_give_back_the_same(self):
        ask = ("inverse", SIAX, "--drive", "motor: {rotor_inertia: 1e-4 kg m2, gear_ratio: 20, efficiency: 0.8, winding_loss: 2}")
        fine = self.answer(*ask, "--instants", 4001, "-o", "fine")["drives"]
        few = self.answer(*ask, "--instants", 3, "-o", "few")["drives"]
        for a, b in zip(fine, few):
            for key in ("rms_torque", "peak_torque", "peak_power", "consumed", "regenerated"):
                # 64 samples; powers and torques have kinks where the power at the shaft changes its sign
                delta = 1e-3 if key in ("consumed", "regenerated", "rms_torque") else 2e-4
                self.assertAlmostEqual(a["motor"][key] / b["motor"][key], 1.0, delta=delta, msg=key)

    # q = 0.1 m sin^3 lifts 2 kg: the largest power of the drive lies between nine rows
    def test_the_peak_of_an_expression_lies_between_rows(self):
        model = self.write("car.yaml", CAR)
        power = [2 * (9.81 + 0.1 * w * w * (6 * s * c * c - 3 * s**3)) * 0.3 * s * s * c * w
                 for w in (2 * pi,) for s, c in ((sin(w * i / 100000), cos(w * i / 100000)) for i in range(100000))]
        for n in (5, 9, 101):
            self.write("study.yaml", f"study: 1\nrobot: car.yaml\nanalysis: inverse\nmotion: wave\ninstants: {n}\n"
                       "columns: {lift: =q.force*q.v}\noutputs: {most: max lift, least: min lift, peak: peak lift}\n")
            self.answer("study", "study.yaml", "--fresh", "-o", "study")
            with open(self.folder / "study/cases.csv", encoding="utf-8", newline="") as file:
                head, row = csv.reader(file)
            said = {name.split(" [")[0]: float(value) for name, value in zip(head, row) if name[:4] in ("most", "leas", "peak")}
            self.assertAlmostEqual(said["most"], max(power), delta=1e-4)
            self.assertAlmostEqual(said["least"], min(power), delta=1e-4)
            self.assertAlmostEqual(said["peak"], max(map(abs, power)), delta=1e-4)

    def test_energies_of_a_simulation_do_not_hang_on_its_rows(self):
        ask = ("simulate", SIAX, "--drive", "motor: {rotor_inertia: 1e-4 kg m2, gear_ratio: 20, efficiency: 0.8, winding_loss: 2}")
        few = self.answer(*ask, "--instants", 17, "-o", "few")["drives"]
        self.answer(*ask, "--instants", 20001, "-o", "fine")
        with open(self.folder / "fine/table.csv", encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
        for drive in few:
            power = [float(row[head.index(f"{drive['name']}.electric [W]")]) for row in rows]
            torque = [float(row[head.index(f"{drive['name']}.torque [N m]")]) for row in rows]
            h = (float(rows[-1][0]) - float(rows[0][0])) / (len(rows) - 1)
            for key, f in (("consumed", [max(p, 0) for p in power]), ("regenerated", [max(-p, 0) for p in power])):
                self.assertAlmostEqual(drive["motor"][key] / (h * (sum(f) - 0.5 * (f[0] + f[-1]))), 1.0, delta=2e-4, msg=key)
            square = (sum(x * x for x in torque) - 0.5 * (torque[0] ** 2 + torque[-1] ** 2)) / (len(rows) - 1)
            self.assertAlmostEqual(drive["motor"]["rms_torque"] / square**0.5, 1.0, delta=2e-5)

    def test_a_gear_does_not_slide_and_a_screw_does_not_turn(self):
        done = self.pkm("motors", ROOT / "robots/triglide.yaml", "--motors", SERVO)
        self.assertEqual(done.returncode, 2)
        self.assertIn("slides, and turns of a gear are no way; expected transmission: {screw: {lead:", done.stderr)
        done = self.pkm("motors", SIAX, "--motors", ROOT / "motors/screw.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("a screw drives what slides", done.stderr)

    def test_numbers_that_overflow_are_no_answer(self):
        for ratio in ("1e-300", "1e-160", "1e300"):
            table = self.write("motors.yaml", f"motors: 1\ntransmission: {{gear_ratios: [{ratio}]}}\n"
                               "list: {M: {rated_torque: 1 N m, max_speed: 6000 rpm, rotor_inertia: 1e-5 kg m2}}\n")
            self.assertIn("motor M on drive qA: the computation left the range of numbers",
                          self.refused(3, "motors", SIAX, "--motors", table))

    def test_rms_forces_are_told_where_rows_see_the_peaks(self):
        # rms^2 T of the motion alone is that of a run with 0.1 s of hold less hold^2 0.1 s
        short = self.answer("inverse", SIAX, "--instants", 2001, "-o", "short")["drives"]
        run = self.answer("inverse", SIAX, "--instants", 3001, "--for", "0.3 s", "-o", "run")["drives"]
        for a, b in zip(short, run):
            hold = self.holding("run", a["name"])
            self.assertAlmostEqual(0.3 * b["rms_force"] ** 2 / (0.2 * a["rms_force"] ** 2 + 0.1 * hold**2), 1.0, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
