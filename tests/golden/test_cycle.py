"""Pick and place cycles: payloads that a sequence picks up and drops."""

import csv
import math
import unittest

from program import ROOT, Program

MOTIONS = """motions:
  down: {duration: 0.1 s, path: {line: {from: [0, 0, -0.9], to: [0, 0, -1]}}}
  over: {duration: 0.3 s, path: {polyline: {through: [[0, 0, -1], [0, 0, -0.9], [0.2, 0, -0.9], [0.2, 0, -0.95]], blend: 30 mm}}}
  back: {duration: 0.2 s, path: {line: {from: [0.2, 0, -0.95], to: [0, 0, -0.9]}}}
  cycle:
    sequence: [down, {dwell: 0.02 s}, {pick: part}, {dwell: 0.03 s}, over, {drop: part}, {dwell: 0.05 s}, back]
    repeat: 2
    payload: {part: {mass: 2 kg, at: platform.P, com: [0, 0, -50 mm]}}
  bare: {sequence: [down, {dwell: 0.05 s}, over, {dwell: 0.05 s}, back], repeat: 2}
"""
LIFT = """pkm: 1
name: Lift
gravity: [0, 0, -10]
ground: {points: {O: [0, 0, 0]}}
bodies: {car: {mass: 2 kg, inertia: [1e-2, 1e-2, 1e-2], points: {O: [0, 0, 0]}}}
joints: {rail: {type: prismatic, between: [ground.O, car.O], axis: z}}
drives: {z: {joint: rail}}
tool: car.O
home: {drives: {z: 0}}
motions:
  up: {duration: 1 s, drives: {z: [0, 1 m]}}
  down: {duration: 1 s, drives: {z: [1 m, 0]}}
  place: {sequence: [up, {pick: part}, {dwell: 0.1}, down, {drop: part}, {dwell: 0.1}], repeat: ROUNDS, payload: {part: {mass: 0.5 kg, at: car.O}}}
"""
PICK, DROP, ROUND = 0.12, 0.45, 0.7  # [s]


class Cycle(Program):
    def model(self, motions=MOTIONS):
        text = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        self.write("model.yaml", text.replace("motions:\n", motions, 1))

    def rows(self, verb, motion, *arguments):
        self.answer(verb, "model.yaml", "--motion", motion, "--instants", "281", "-o", "out", *arguments)
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        return [float(row["t [s]"]) for row in rows], [[float(row[f"q{limb}.force [N m]"]) for limb in "ABC"] for row in rows]

    def test_forces_are_those_with_and_without_the_part(self):
        """Between pick and drop the table is that of a robot that always carries the part, elsewhere that of one that never does."""
        self.model()
        for verb, room in (("inverse", 1e-9), ("simulate", 1e-4)):
            t, cycle = self.rows(verb, "cycle")
            always = self.rows(verb, "bare", "--payload", "part: {mass: 2 kg, at: platform.P, com: [0, 0, -50 mm]}")[1]
            never = self.rows(verb, "bare")[1]
            carried = 0
            for now, found, loaded, free in zip(t, cycle, always, never, strict=True):
                phase = now % ROUND
                if min(abs(phase - PICK), abs(phase - DROP)) < 1e-6:
                    continue
                is_loaded = PICK < phase < DROP
                carried += is_loaded
                for a, b in zip(found, loaded if is_loaded else free):
                    self.assertAlmostEqual(a, b, delta=room)
            self.assertEqual(carried, 130)  # 0.33 s of every 0.7 s, every 5 ms, without the instants of pick and drop

    def test_a_cycle_may_be_repeated_often(self):
        """Whatever the number of rounds: a stop is a stop, and a circle that goes on does not jump."""
        for rounds in (64, 65, 195, 1000):
            self.write("lift.yaml", LIFT.replace("ROUNDS", str(rounds)))
            (drive,) = self.answer("inverse", "lift.yaml", "--motion", "place", "--instants", 11, "-o", "out")["drives"]
            self.assertAlmostEqual(drive["max_force"], 2.5 * (10 + 10 / 3**0.5), delta=1e-4)  # quintic: largest acceleration 10/sqrt(3) m/s2
        for rounds in (2, 100, 3000):
            said = self.answer("inverse", ROOT / "robots/five-bar.yaml", "--motion", f"{{sequence: [circle], repeat: {rounds}}}", "--instants", 11, "-o", "out")
            self.assertEqual([w for w in said["warnings"] if w["kind"] == "motion"], [])
        self.answer("simulate", ROOT / "robots/five-bar.yaml", "--motion", "{sequence: [circle], repeat: 200}", "--for", "2 s", "--instants", 11, "-o", "out")

    def test_the_ledger_has_what_the_part_brings_and_takes(self):
        """At rest it brings its potential energy; two parts are lifted by 0.05 m each."""
        self.model()
        answer = self.answer("simulate", "model.yaml", "--motion", "cycle", "-o", "out")
        self.assertAlmostEqual(answer["energy"]["payload"], -2 * 2 * 9.81 * 0.05, delta=1e-6)
        self.assertLess(answer["energy"]["relative_residual"], 1e-7)

    # What is dropped first is carried from the start: a part per cycle, whether the next one is picked up at its end or not.
    def test_a_part_that_is_carried_from_the_start_counts(self):
        for end in ("", ", {pick: part}, {dwell: 20 ms}"):
            self.model(MOTIONS.replace("{dwell: 0.02 s}, {pick: part}, ", "").replace("back]\n    repeat: 2", f"back{end}]"))
            answer = self.answer("inverse", "model.yaml", "--motion", "cycle", "-o", "out")
            self.assertEqual(answer["picks"], 1, end)

    def test_picks_per_minute(self):
        self.model()
        for verb in ("inverse", "simulate"):
            answer = self.answer(verb, "model.yaml", "--motion", "cycle", "-o", "out")
            self.assertEqual(answer["picks"], 2)
            self.assertAlmostEqual(answer["picks_per_minute"], 60 / ROUND, places=9)
            self.assertIn("cycle: 2 picks, 85.714 per minute", self.pkm(verb, "model.yaml", "--motion", "cycle", "-o", "out").stdout)

    # A lift with a quintic law over L in T: the integral of (g + a)^2 is g^2 T + 120/7 L^2/T^3, peaks are 10/sqrt(3) L/T^2.
    def test_rms_of_a_lift_that_carries_one_way(self):
        self.write("lift.yaml", """pkm: 1
name: lift
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies: {cart: {mass: 2 kg, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}}
joints: {rail: {type: prismatic, between: [ground.O, cart.O], axis: z}}
drives: {q: {joint: rail}}
tool: cart.O
motions:
  up: {duration: 0.5 s, drives: {q: [0 m, 0.3 m]}}
  down: {duration: 0.7 s, drives: {q: [0.3 m, 0 m]}}
  cycle: {sequence: [up, {drop: part}, {dwell: 0.1 s}, down, {pick: part}], repeat: 3, stretch: 1.5, payload: {part: {mass: 3 kg, at: cart.O}}}
""")
        g, length = 9.81, 0.3
        squares = sum(m * m * (g * g * T + (120 / 7 * length ** 2 / T ** 3 if moves else 0.0))
                      for m, T, moves in ((5, 0.75, True), (2, 0.15, False), (2, 1.05, True)))
        for n in (2, 11, 401):
            drive = self.answer("inverse", "lift.yaml", "--motion", "cycle", "--instants", n, "-o", "out")["drives"][0]
            self.assertAlmostEqual(drive["rms_force"] / (squares / 1.95) ** 0.5, 1.0, delta=1e-6)
            self.assertAlmostEqual(drive["max_force"], 5 * (g + 10 / 3 ** 0.5 * length / 0.75 ** 2), delta=1e-5 * 65)  # the bound of located extremes
            self.assertAlmostEqual(drive["min_force"], 2 * (g - 10 / 3 ** 0.5 * length / 1.05 ** 2), delta=1e-5 * 65)

    def test_the_run_may_say_what_is_picked(self):
        self.model(MOTIONS.replace("    payload: {part: {mass: 2 kg, at: platform.P, com: [0, 0, -50 mm]}}\n", ""))
        self.assertIn("which nobody describes", self.refused(2, "inverse", "model.yaml", "--motion", "cycle"))
        part = ("--payload", "part: {mass: 2 kg, at: platform.P, com: [0, 0, -50 mm]}")
        found = self.rows("inverse", "cycle", *part)[1]
        self.model()
        self.assertEqual(found, self.rows("inverse", "cycle")[1])
        self.assertIn("are said by the motion", self.refused(2, "inverse", "model.yaml", "--motion", "cycle", "--payload",
                                                              "part: {mass: 2 kg, at: platform.P, pick: 1 s}"))

    def test_what_cannot_be_picked_is_refused(self):
        for sequence, part in (("[down, {pick: part}, {pick: part}]", "is picked at 0.1 s, when it is picked already"),
                               ("[down, {drop: part}, {drop: part}]", "is dropped at 0.1 s, when it is dropped already"),
                               ("[fast, {pick: part}]", "part is picked at 0.1 s, when the motion has a speed of 1"),
                               ("[{pick: part}, down]", "begins with a motion; a payload that is dropped first is carried from the start: leave this out"),
                               ("[down, {pick: part, dwell: 1 s}]", "expected one of the keys 'dwell', 'pick', 'drop'"),
                               ("[down, {pick: part}], shaper: {kind: zv, frequency: 20 Hz}", "")):
            with self.subTest(sequence):
                self.model(MOTIONS.replace("  cycle:\n", "  fast: {law: constant, duration: 0.1 s, path: {line: {from: [0, 0, -0.9], to: [0, 0, -1]}}}\n  cycle:\n")
                           + f"  mine: {{sequence: {sequence}, payload: {{part: {{mass: 1 kg, at: platform.P}}}}}}\n")
                if part:
                    self.assertIn(part, self.refused(2, "inverse", "model.yaml", "--motion", "mine"))
                else:
                    self.answer("inverse", "model.yaml", "--motion", "mine", "-o", "out")


class Samples(Program):
    def test_samples_are_read_in_the_units_that_their_first_line_says(self):
        """The same way in four units: a whole raised cosine of 0.2 rad in 1 s."""
        angle = [(0.001 * 5 * k, 0.1 * (1 - math.cos(2 * math.pi * k / 200))) for k in range(201)]
        found = []
        for head, of_t, of_q in (("", 1, 1), ("t [s],qA [rad],b,c\n", 1, 1), ("t [ms],qA [mrad],b,c\n", 1e3, 1e3), ("t [min],qA [deg],b,c\n", 1 / 60, 180 / math.pi)):
            self.write("way.csv", head + "".join(f"{of_t * t!r},{of_q * q!r},0,0\n" for t, q in angle))
            self.answer("inverse", ROOT / "robots/siax.yaml", "--motion", f"{{samples: {{file: {self.folder}/way.csv, of: drives}}}}", "--instants", 11, "-o", "out")
            with open(self.folder / "out/table.csv", encoding="utf-8") as file:
                found.append([float(row["qA.force [N m]"]) for row in csv.DictReader(file)])
        for other in found[1:]:
            for a, b in zip(found[0], other, strict=True):
                self.assertAlmostEqual(a, b, delta=1e-6)
        self.write("way.csv", "t [s],qA [rad/s],b,c\n0,0,0,0\n1,1,0,0\n")
        self.assertIn("column 2 (qA) is in [rad/s], expected a unit like m or rad",
                      self.refused(2, "inverse", ROOT / "robots/siax.yaml", "--motion", f"{{samples: {{file: {self.folder}/way.csv, of: drives}}}}"))

    def test_forces_of_a_file_have_their_units(self):
        """1.5 kN that push the tool down for 10 ms, in the units of the file and in SI."""
        said = []
        for text in ("t [ms],x [kN],y [kN],z [kN]\n0,0,0,-1.5\n10,0,0,-1.5\n", "0,0,0,-1500\n0.01,0,0,-1500\n"):
            self.write("push.csv", text)
            said.append(self.answer("inverse", ROOT / "robots/siax.yaml", "--load", f"p: {{force: {{file: {self.folder}/push.csv}}, at: platform.P}}", "--for", "10 ms", "-o", "out"))
        self.assertEqual(said[0]["drives"], said[1]["drives"])


class Motors(Program):
    def test_a_motor_that_has_less_than_the_motion_takes_is_told(self):
        """A prescribed motion is followed whatever it takes: the limits that this breaks are told, in every analysis."""
        motor = "{motor: {torque_limit: TAU, speed_limit: OMEGA, gear_ratio: 10}}"
        for tau, omega, told in (("1 N m", "10 rad/s", {"torque", "speed"}), ("42 N m", "200 rad/s", {"torque"}), ("43 N m", "200 rad/s", set()), ("43 N m", "100 rad/s", {"speed"})):
            self.write("run.yaml", f"run: 1\ndrives: {{qA: {motor}}}\n".replace("TAU", tau).replace("OMEGA", omega))
            for verb in ("inverse", "simulate"):
                answer = self.answer(verb, ROOT / "robots/siax.yaml", "--run", "run.yaml", "-o", "out")
                said = [w["text"] for w in answer["warnings"] if w["kind"] == "limit"]
                with self.subTest(tau=tau, omega=omega, verb=verb):
                    self.assertEqual({word for word in ("torque", "speed") for text in said if f"{word} of the motor of qA" in text}, told)
                    self.assertEqual(len(said), len(told))
                    for text in said:  # 425.5 N m and 656.25 deg/s at the drive
                        self.assertRegex(text, "42.55|1093.75")
        # 2 kg lifted at 1 m/s by a screw of 10 mm: 200 pi rad/s and 0.1/pi N m, of 0.04 (1 - 200 pi / 640) / 0.05 = 0.0146 N m
        self.write("lift.yaml", LIFT.replace("ROUNDS", "1"))
        for omega, told in (("640 rad/s", 1), ("700 rad/s", 0)):
            self.write("run.yaml", f"run: 1\ndrives: {{z: {{screw: {{lead: 10 mm}}, motor: {{torque_limit: 0.04 N m, speed_limit: {omega}}}}}}}\n")
            for verb in ("inverse", "simulate"):
                said = [w["text"] for w in self.answer(verb, "lift.yaml", "--motion", "{law: constant, duration: 1 s, drives: {z: [0, 1 m]}}", "--run", "run.yaml", "-o", "out")["warnings"] if w["kind"] == "limit"]
                self.assertEqual(len([text for text in said if "is asked for more torque than it has at its speed" in text]), told, said)

    """What motors take and give back over a run."""

    # Rows of a simulation are samples of its rms torque: it is that of inverse dynamics, or not known.
    def test_rms_of_too_few_rows_is_not_told(self):
        drive = ("--motion", "paper", "--drive", "motor: {rotor_inertia: 1e-4 kg m2, gear_ratio: 20}", "-o", "out")
        truth = [d["motor"] for d in self.answer("inverse", ROOT / "robots/siax.yaml", *drive)["drives"]]
        told = 0
        for n in (2, 3, 5, 9, 17, 41, 401):
            for d, want in zip(self.answer("simulate", ROOT / "robots/siax.yaml", *drive, "--instants", n)["drives"], truth):
                for key in (key for key in ("rms_torque", "consumed") if d["motor"][key] is not None):
                    whole = want["rms_torque"] if key == "rms_torque" else want["consumed"] + want["regenerated"]
                    self.assertAlmostEqual(d["motor"][key], want[key], delta=0.02 * whole, msg=(n, key))
                    told += 1
                self.assertAlmostEqual(d["motor"]["peak_torque"] / want["peak_torque"], 1.0, delta=3e-5)
        self.assertGreaterEqual(told, 12)  # two numbers of three drives by 41 and 401 rows, at least

    def answers(self, motor):
        for verb in ("inverse", "simulate"):
            yield verb, self.answer(verb, ROOT / "robots/siax.yaml", "--motion", "paper", "--instants", "4001", "-o", "out", "--drive", f"motor: {{{motor}}}")

    def test_without_losses_the_energies_are_the_work_of_the_drives(self):
        for verb, answer in self.answers("rotor_inertia: 1e-4 kg m2, gear_ratio: 20"):
            motors = [drive["motor"] for drive in answer["drives"]]
            balance = sum(motor["consumed"] - motor["regenerated"] for motor in motors)
            # trapezoids over 4001 rows: 1e-6 of the 466 J exchanged
            self.assertAlmostEqual(balance, answer["energy"]["drive_work"], delta=5e-4, msg=verb)
            self.assertGreater(min(motor["regenerated"] for motor in motors), 1.0)

    def test_losses_are_taken_and_never_given_back(self):
        ideal = [[drive["motor"] for drive in answer["drives"]] for _, answer in self.answers("gear_ratio: 20")]
        lossy = [[drive["motor"] for drive in answer["drives"]] for _, answer in self.answers("gear_ratio: 20, efficiency: 0.8, winding_loss: 2")]
        for before, after in zip(ideal, lossy):
            for a, b in zip(before, after):
                # every joule to the load takes at least 1/0.8, and at most 0.8 of one from it comes back
                self.assertGreaterEqual(b["consumed"], a["consumed"] / 0.8 - 1e-3)
                self.assertLessEqual(b["regenerated"], a["regenerated"] * 0.8 + 1e-3)
                self.assertAlmostEqual(b["peak_speed"], a["peak_speed"], delta=1e-6 * a["peak_speed"])

    def test_columns_of_the_shaft(self):
        """Speed is the ratio times the drive's; power of the shaft is that of the drive."""
        for verb, _ in self.answers("gear_ratio: 20"):
            with open(self.folder / "out/table.csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
            for row in rows[::400]:
                self.assertAlmostEqual(float(row["qA.shaft [rad/s]"]), 20 * float(row["qA.v [rad/s]"]), delta=1e-9, msg=verb)
                self.assertAlmostEqual(float(row["qA.torque [N m]"]) * 20, float(row["qA.force [N m]"]), delta=1e-7, msg=verb)


if __name__ == "__main__":
    unittest.main()
