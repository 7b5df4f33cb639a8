"""pkm study: interactions that are known exactly, closed-form sweeps, messages."""

import json
import math
import sqlite3
import struct
import unittest

from program import ROOT
from study_base import HEAD, Study


class Truth(Study):
    # The weight of the payload, carried with resting drives: the work of a drive against it is
    # m g z, here through a force on the tool that is the product of two parameters of the study.
    def test_a_known_product_is_the_interaction(self):
        folder = self.study(f"""study: 1
robot: {ROOT}/robots/siax.yaml
analysis: inverse
parameters: {{a: 2, b: 3}}
tool_force: [0, 0, =a * b * 1 N]
outputs: {{force: final qA.force}}
factors:
  a: {{two: {{}}, five: {{parameters: {{a: 5}}}}}}
  b: {{three: {{}}, seven: {{parameters: {{b: 7}}}}}}
""")
        found = {r["term"]: float(r["value"]) for r in self.rows(folder, "effects.csv")}
        # The drive force is linear in the force on the tool, F = F0 + c a b: terms c 3 3, c 2 4, c 3 4.
        c = found["a"] / 9.0
        self.assertNotEqual(c, 0.0)
        self.assertAlmostEqual(found["b"] / (8.0 * c), 1.0, delta=1e-10)
        self.assertAlmostEqual(found["a x b"] / (12.0 * c), 1.0, delta=1e-10)
        averages = {r["term"]: float(r["average"]) for r in self.rows(folder, "effects.csv")}
        # On average over b = 3 and 7: c (5 - 2) 5; over a = 2 and 5: c 3.5 (7 - 3).
        self.assertAlmostEqual(averages["a"] / (15.0 * c), 1.0, delta=1e-10)
        self.assertAlmostEqual(averages["b"] / (14.0 * c), 1.0, delta=1e-10)

    # A mass on a spring, m = 2 kg, k = 800 N/m, v = v0 cos(w t): its rms speed v0 sqrt(1/2 + sin(2 w T) / 4 w T). Three
    # rows see nothing of its waves.
    def test_rms_of_a_vibration_is_that_of_time(self):
        model = self.write("cart.yaml", """pkm: 1
name: cart
gravity: [0, 0, 0]
ground: {points: {O: [0, 0, 0], W: [-1, 0, 0]}}
bodies: {cart: {mass: 2, inertia: [1, 1, 1], points: {P: [0, 0, 0]}}}
joints: {rail: {type: prismatic, between: [ground.O, cart.P], axis: x}}
tool: cart.P
""")
        w, T = 20.0, 1.37
        want = 0.5 * math.sqrt(0.5 + math.sin(2 * w * T) / (4 * w * T))
        for n in (3, 40, 401):
            folder = self.study(f"""study: 1
robot: {model}
motion: none
start: {{rail: 0.5}}
for: {T}
instants: {n}
loads: {{s: {{spring: {{stiffness: 800 N/m, length: 1 m}}, between: [ground.W, cart.P]}}}}
outputs: {{v: rms P.speed}}
""", name=f"v{n}")
            [row] = self.rows(folder, "cases.csv")
            self.assertAlmostEqual(float(row["v [m/s]"]) / want, 1.0, delta=1e-5)  # 128 samples of four waves

    # The same columns by every analysis, over 5 and over 401 rows; what has few rows alone is not known.
    def test_rms_does_not_hang_on_the_number_of_rows(self):
        def of(analysis, n, columns):
            outputs = ", ".join(f"c{k}: rms {c}" for k, c in enumerate(columns))
            folder = self.study(f"""study: 1
robot: {ROOT}/robots/siax.yaml
analysis: {analysis}
motion: paper
instants: {n}
outputs: {{{outputs}}}
""", name=f"{analysis}{n}")
            [row] = self.rows(folder, "cases.csv")
            return [v and float(v) for k, v in row.items() if k.startswith("c") and k[1].isdigit()]

        # by Simpson's rule over 2001 rows of pkm inverse
        columns = ("qA.force", "qA.v", "qA.a", "P.speed", "P.acc", "qA.q")
        self.answer("inverse", ROOT / "robots/siax.yaml", "--motion", "paper", "--instants", 2001, "-o", "dense")
        table = self.rows(self.folder / "dense", "table.csv")
        weight = [1 if i in (0, 2000) else 4 if i % 2 else 2 for i in range(2001)]
        name = {c: next(k for k in table[0] if k.split(" ")[0] == c) for c in columns}
        want = [math.sqrt(sum(u * float(r[name[c]]) ** 2 for u, r in zip(weight, table)) / 6000) for c in columns]
        for analysis, delta in (("inverse", 1e-7), ("simulate", 1e-5)):
            for n in (5, 401):
                found = of(analysis, n, columns)
                for a, b in zip(found[:-1], want):
                    self.assertAlmostEqual(a / b, 1.0, delta=delta)
                if n == 5:
                    self.assertIn(found[-1], ("", None))
                else:
                    self.assertAlmostEqual(found[-1] / want[-1], 1.0, delta=1e-5)

    # Nothing is run to learn the columns, so that a motion that leads nowhere hides no mistake.
    def test_columns_are_known_before_anything_is_run(self):
        text = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        self.write("far.yaml", text.replace("from: [-0.3, 0, -1.05]", "from: [-3, 0, -1.05]"))
        self.write("s.yaml", """study: 1
robot: far.yaml
analysis: inverse
motion: pick
outputs: {f: peak qA.fource}
sweep: {m4: [1 kg, 2 kg]}
""")
        told = self.refused(2, "study", "s.yaml", "-o", "out")
        self.assertIn("s.yaml:5:14: outputs.f: there is no column 'qA.fource', did you mean 'qA.force'?", told)

    # Statics: drive torque at rest is linear in the payload, the same line as the closed form.
    def test_a_sweep_returns_the_closed_form(self):
        folder = self.study(f"""study: 1
robot: {ROOT}/robots/siax.yaml
analysis: inverse
motion: paper
outputs: {{peak: peak qA.force, low: min qA.force}}
sweep: {{m5: {{from: 1 kg, to: 7 kg, n: 4}}, l2: [1000 mm, 1106 mm]}}
""")
        rows = self.rows(folder, "cases.csv")
        self.assertEqual(len(rows), 8)
        for row in rows:
            done = self.pkm("inverse", f"{ROOT}/robots/siax.yaml", "--method", "closed", "--json", "-o",
                            str(self.folder / "closed"), "--set", f"m5={row['m5 [kg]']}kg", "--set",
                            f"l2={row['l2 [m]']}m")
            self.assertEqual(done.returncode, 0, done.stderr)
            force = json.loads(done.stdout)["drives"][0]
            self.assertAlmostEqual(float(row["peak [N m]"]), force["absmax_force"], delta=1e-8)
            self.assertAlmostEqual(float(row["low [N m]"]), force["min_force"], delta=1e-8)

    # Forces on the tool add exactly in the drive forces: the coupled deviation is the sum. Magnitudes of
    # vectors add as vectors.
    def test_closed_form_and_engine_give_the_same_values(self):
        """Rigid cases go by the closed form of the robot, which knows no `energy.kinetic`; with it the engine is
        asked. Both agree to rounding, and only the engine splits the energy."""
        sweep = "analysis: inverse\nmotion: paper\ninstants: 41\nsweep: {m5: {from: 1 kg, to: 6 kg, n: 40}}\n"
        common = "torque: peak qA.force, acc: peak P.acc, end: final P.x, ill: max condition"
        closed = self.study(HEAD + sweep + f"outputs: {{{common}}}\n", name="closed")
        engine = self.study(HEAD + sweep + f"outputs: {{{common}, T: max energy.kinetic}}\n", name="engine")
        for a, b in zip(self.rows(closed, "cases.csv"), self.rows(engine, "cases.csv"), strict=True):
            for key in set(a) - {"name"}:
                self.assertAlmostEqual(float(a[key]), float(b[key]), delta=1e-10 * (1 + abs(float(b[key]))), msg=key)
        split = {}
        for folder in (closed, engine):
            with sqlite3.connect(folder / "study.sqlite") as db:
                split[folder] = dict(db.execute("select name, value from ledgers where case_id = 3"))
            db.close()
        self.assertNotIn("kinetic", split[closed])
        self.assertIn("kinetic", split[engine])
        for name in ("drive", "residual"):
            # a residual is a difference of works of some hundred joules, by Simpson's rule
            self.assertAlmostEqual(split[closed][name], split[engine][name], delta=1e-9, msg=name)

    def test_large_sweeps_keep_values_and_the_signals_that_are_named(self):
        """1001 cases in less than a kilobyte each; 10^5 cases are to fit into 100 MB."""
        sweep = "analysis: inverse\nmotion: paper\ninstants: 11\nsweep: {m5: {from: 1 kg, to: 6 kg, n: %d}}\n"
        outputs = "outputs: {torque: peak qA.force}\n"
        size = {}
        for name, n, more in (("large", 1001, ""), ("small", 100, ""), ("named", 1001, "signals: [P.x]\n")):
            folder = self.study(HEAD + sweep % n + outputs + more, name=name)
            with sqlite3.connect(folder / "study.sqlite") as db:
                size[name] = db.execute("select count(*), count(distinct name) from signals").fetchone()
                self.assertEqual(db.execute("select count(*) from results where value > 0").fetchone()[0], n)
            db.close()
            if name == "large":
                self.assertLess((folder / "study.sqlite").stat().st_size, 1000 * n)
        self.assertEqual(size, {"large": (0, 0), "small": (200, 2), "named": (2002, 2)})

    def test_overrides_are_kept_each_with_its_value(self):
        folder = self.study(HEAD + "analysis: inverse\ninstants: 3\noutputs: {torque: peak qA.force}\n", "--set", "m5=6 kg",
                            "--set", "l2=0.81 m", "--set", "m4=0.5 kg")
        with sqlite3.connect(folder / "study.sqlite") as db:
            (text,) = db.execute("select value from about where key = 'set'").fetchone()
        db.close()
        self.assertEqual(json.loads(text), {"m5": "6 kg", "l2": "0.81 m", "m4": "0.5 kg"})

    def test_linear_effects_are_additive_and_their_sum_is_the_coupled_signal(self):
        folder = self.study(HEAD + """
instants: 51
outputs: {torque: {column: qA.force, measure: peak}, rms: rms qB.force, first: start qA.force}
factors:
  side: {none: {}, y: {loads: {wind: {force: [0, 15 N, 0], at: platform.P}}}}
  push: {none: {}, x: {tool_force: [20 N, 0, 0]}}
  load: {none: {}, z: {loads: {weight: {force: [0, 0, -30 N], at: platform.P}}}}
""")
        couplings = self.rows(folder, "couplings.csv")
        self.assertEqual(len(couplings), 3 * 4)  # three pairs and all three, of three outputs
        for row in couplings:
            self.assertLess(float(row["rest_share"]), 1e-9)
            self.assertAlmostEqual(float(row["ratio"]), 1.0, delta=1e-9)
        db = sqlite3.connect(folder / "study.sqlite")
        signal_of = {(o, c, k): struct.unpack("<51d", d)
                     for o, c, k, d in db.execute("select output_id, case_id, kind, data from deviations")}
        for i in range(51):
            single = signal_of[0, 1, "case"][i] + signal_of[0, 2, "case"][i]
            self.assertAlmostEqual(signal_of[0, 3, "sum"][i], single, delta=1e-12)
            self.assertAlmostEqual(signal_of[0, 3, "case"][i], single, delta=1e-9)
            self.assertAlmostEqual(signal_of[0, 7, "sum"][i], single + signal_of[0, 4, "case"][i], delta=1e-9)
        told = dict(db.execute("select case_id, coupled from couplings where output_id = 2"))
        self.assertEqual(len(told), 4)
        for case, coupled in told.items():
            self.assertEqual(coupled, abs(signal_of[2, case, "case"][0]))
            self.assertNotEqual(coupled, abs(signal_of[2, case, "case"][1]))

    def test_rows_of_other_instants_are_not_subtracted(self):
        """Cases of another duration have their values and effects, but no deviation over time."""
        for level, is_same in (("{motion: pick}", False), ("{for: 0.1 s}", False), ("{tool_force: [1 N, 0, 0]}", True)):
            folder = self.study(HEAD + f"""
instants: 21
outputs: {{torque: peak qA.force}}
factors: {{f: {{a: {{}}, b: {level}}}, g: {{a: {{}}, b: {{set: {{m5: 6 kg}}}}}}}}
""", name=f"at{len(level)}")
            self.assertEqual((folder / "couplings.csv").exists(), is_same)
            self.assertEqual(len(self.rows(folder, "effects.csv")), 3)
            with sqlite3.connect(folder / "study.sqlite") as db:
                cases = {c for c, in db.execute("select distinct case_id from deviations")}
            db.close()
            self.assertEqual(cases, {1, 2, 3} if is_same else {1})

    def test_three_levels_are_told_apart(self):
        folder = self.study(HEAD + """
instants: 21
outputs: {torque: final qA.force}
factors:
  pull: {a: {}, b: {tool_force: [0, 0, -1 N]}, c: {tool_force: [0, 0, -3 N]}}
  load: {0 N: {}, 2 N: {loads: {weight: {force: [0, 0, -2 N], at: platform.P}}}}
""")
        found = {(r["term"], r["levels"]): float(r["value"]) for r in self.rows(folder, "effects.csv")}
        unit = found["pull", "b"]
        self.assertAlmostEqual(found["pull", "c"], 3.0 * unit, delta=1e-9 * abs(unit))
        self.assertAlmostEqual(found["load", "2 N"], 2.0 * unit, delta=1e-9 * abs(unit))
        self.assertAlmostEqual(found["pull x load", "c x 2 N"], 0.0, delta=1e-9 * abs(unit))
        shares = {r["term"]: float(r["share"]) for r in self.rows(folder, "effects.csv")}
        # Variances of {0, 1, 3} and of {0, 2}: 14/9 and 1.
        self.assertAlmostEqual(shares["pull"], 14 / 23, delta=1e-9)
        self.assertAlmostEqual(shares["load"], 9 / 23, delta=1e-9)


    # The first frequencies of Kuo's Delta as another verb computes them; a study without a design.
    def test_natural_frequencies_are_those_of_elastodynamics(self):
        folder = self.study(f"""study: 1
robot: {ROOT}/robots/kuo.yaml
analysis: elastodynamics
elastodynamics: {{at: [0.1, 0, 0.5], elements: 2, modes: 3}}
outputs: {{w1: final w1, f3: final f3, n: final n}}
published: [{{text: first, output: w1, value: 20.554913 rad/s, tolerance: 1e-7}}]
""")
        row = self.rows(folder, "cases.csv")[0]
        self.assertAlmostEqual(float(row["w1 [rad/s]"]), 20.554913, delta=1e-6)
        self.assertAlmostEqual(float(row["f3 [Hz]"]), 24.983370 / (2.0 * math.pi), delta=1e-6)
        self.assertEqual(row["n"], "72")
        db = sqlite3.connect(folder / "study.sqlite")
        self.assertEqual(db.execute("select agrees from published").fetchall(), [(1,)])

    def test_the_published_assembly_has_the_printed_frequencies(self):
        """Kuo's table, at one place of the tool (robots/kuo.yaml, published)."""
        folder = self.study(f"""study: 1
robot: {ROOT}/robots/kuo.yaml
analysis: elastodynamics
elastodynamics: {{at: [0.1, 0, 0.5], assembly: kuo-2016, modes: 2}}
outputs: {{w1: final w1, w2: final w2}}
""")
        row = self.rows(folder, "cases.csv")[0]
        self.assertAlmostEqual(float(row["w1 [rad/s]"]), 17.5268, delta=6e-5)
        self.assertAlmostEqual(float(row["w2 [rad/s]"]), 22.6970, delta=6e-5)

    # Printed errors are often shares: the deviation over the output of the reference case.
    def test_a_relative_deviation_is_that_over_the_reference(self):
        folder = self.study(f"""study: 1
robot: {ROOT}/robots/siax.yaml
analysis: inverse
motion: paper
outputs: {{f: peak qA.force}}
factors: {{payload: {{5 kg: {{}}, 6 kg: {{set: {{m5: 6 kg}}}}}}}}
published:
  - {{text: size, where: Fig. 1, output: f, case: {{payload: 6 kg}}, of: deviation, value: 1 N m}}
  - {{text: share, where: Fig. 1, output: f, case: {{payload: 6 kg}}, of: relative, value: 1 %}}
""")
        ideal = float(self.rows(folder, "cases.csv")[0]["f [N m]"])
        db = sqlite3.connect(folder / "study.sqlite")
        (text, size), (_, share) = db.execute("select text, ours from published order by id").fetchall()
        self.assertEqual(text, "size (Fig. 1)")
        self.assertGreater(size, 1.0)
        self.assertAlmostEqual(share, size / ideal, delta=1e-12)

    # Tables of rigid robots have no column for it: zero, where that can be said.
    def test_a_rigid_link_does_not_bend(self):
        folder = self.study(f"""study: 1
robot: {ROOT}/robots/irb340.yaml
motion: gentle
for: 2 ms
instants: 5
outputs: {{bend: peak B.right.deflection, twist: max B.right.twist, when: time of peak B.right.deflection, stress: peak B.right.stress}}
factors: {{links: {{rigid: {{}}, flexible: {{flexible: {{right: {{modes: 2}}}}}}}}}}
""")
        rigid, bent = self.rows(folder, "cases.csv")
        self.assertEqual([float(rigid[k]) for k in ("bend [m]", "twist [rad]")], [0.0, 0.0])
        self.assertEqual([rigid[k] for k in ("when [s]", "stress [Pa]")], ["", ""])  # no number, and no 0
        effect = {r["output"]: r for r in self.rows(folder, "effects.csv")}
        self.assertAlmostEqual(float(effect["bend"]["value"]), float(bent["bend [m]"]), delta=1e-15)
        self.assertEqual((effect["bend"]["verdict"], effect["stress"]["verdict"]), ("yes", "missing"))

    # Frequencies around Kuo's circle repeat every 120 degrees, in both assemblies; his at 0 degrees is that of his table.
    def test_frequencies_along_a_motion_and_the_published_response(self):
        folder = self.study(f"""study: 1
robot: {ROOT}/robots/kuo.yaml
analysis: elastodynamics
motion: paper
elastodynamics: {{along: 37, modes: 2}}
outputs: {{w1: start w1, last: final angle, ripple: range w1}}
signals: [w1, angle]
factors: {{assembly: {{physical: {{}}, kuo-2016: {{elastodynamics: {{assembly: kuo-2016}}}}}}}}
""")
        rows = self.rows(folder, "cases.csv")
        self.assertAlmostEqual(float(rows[1]["w1 [rad/s]"]), 17.5268, delta=6e-5)
        self.assertAlmostEqual(float(rows[1]["ripple [rad/s]"]), 17.6733 - 17.5268, delta=1e-4)
        db = sqlite3.connect(folder / "study.sqlite")
        for case in (0, 1):
            self.assertAlmostEqual(float(rows[case]["last [rad]"]), 2 * math.pi, delta=1e-9)
            w = struct.unpack("<37d", db.execute("select data from signals where case_id = ? and name = 'w1'", [case]).fetchone()[0])
            for k in range(25):
                self.assertAlmostEqual(w[k], w[k + 12], delta=1e-7)
        study = self.write("r.yaml", f"""study: 1
robot: {ROOT}/robots/kuo.yaml
analysis: elastodynamics
motion: paper
elastodynamics: {{along: 5, response: static}}
outputs: {{w1: start w1}}
""")
        self.assertIn("it needs 'assembly: kuo-2016' and 'along'", self.pkm("study", study, "-o", "r").stdout)

    # Impacts pass between the rows of a coarse table: a study says what the steps saw, as pkm
    # simulate does.
    def test_peaks_of_impacts_are_those_of_the_steps(self):
        clearance = "{radial: 0.1 mm, radius: 10 mm, stiffness: 1.524e11, restitution: 0.9, start: centred}"
        folder = self.study(HEAD + f"""for: 20 ms
instants: 11
tolerance: 1e-8
clearance: {{A.left1: {clearance}}}
outputs: {{force: peak qA.force, when: time of peak qA.force, more: peak qA.dforce, da: peak P.da, last: final qA.force}}
""")
        row = self.rows(folder, "cases.csv")[0]
        said = self.answer("simulate", ROOT / "robots/siax.yaml", "--clearance", f"A.left1: {clearance}", "--for", "20 ms",
                           "--instants", 11, "--tolerance", 1e-8, "-o", self.folder / "same")
        peak = {p["name"]: p for p in said["peaks"]}
        self.assertEqual(float(row["force [N m]"]), peak["qA.force"]["value"])
        self.assertEqual(float(row["when [s]"]), peak["qA.force"]["t"])
        self.assertEqual(float(row["more [N m]"]), peak["qA.dforce"]["value"])
        self.assertEqual(float(row["da [m/s2]"]), peak["P.da"]["value"])
        coarse = [abs(float(r["qA.force [N m]"])) for r in self.rows(self.folder / "same", "table.csv")]
        self.assertAlmostEqual(abs(float(row["last [N m]"])), coarse[-1], delta=1e-9)
        self.assertGreater(float(row["force [N m]"]), 1.2 * max(coarse))

    # Thin rods come near buckling, thick ones do not: the notes of the cases say so.
    def test_notes_tell_where_small_deflections_end(self):
        folder = self.study(f"""study: 1
robot: {ROOT}/robots/irb340.yaml
for: 35 ms
instants: 36
flexible: {{left: {{modes: 2}}, right: {{modes: 2}}}}
outputs: {{dp: peak P.dp}}
sweep: {{d: [14 mm, 7 mm]}}
""")
        db = sqlite3.connect(folder / "study.sqlite")
        thick, thin = (row[0] for row in db.execute("select notes from cases order by id"))
        self.assertIsNone(thick)
        self.assertRegex(thin, r"^[BC]\.(left|right) at t = .*near buckling")


class Mistakes(Study):
    def told(self, text):
        (self.folder / "s.yaml").write_text(text)
        return self.refused(2, "study", str(self.folder / "s.yaml")).replace(f"{self.folder}/", "").rstrip("\n")

    def test_messages_name_place_item_and_what_was_expected(self):
        design = "outputs: {f: peak qA.force}\nsweep: {m5: [1 kg, 2 kg]}\n"
        self.assertEqual(
            self.told(HEAD.replace("siax", "sax") + design).split(": cannot")[0],
            f"pkm: s.yaml:2:8: robot: {ROOT}/robots/sax.yaml")
        for text, line in {
                HEAD + "sweep: {m5: [1 kg]}\n": "s.yaml:1:1: the key 'outputs' is missing",
                HEAD + design + "factors: {}\n": "s.yaml:4:1: sweep: a study has one design: 'factors' or 'sweep'",
                HEAD + design + "tolerence: 1e-9\n": "s.yaml:5:1: unknown key 'tolerence', did you mean 'tolerance'?",
                HEAD + design + "tolerance: 3\n": "s.yaml:5:12: tolerance: 3, expected from 1e-15 to 0.1",
                HEAD + design + "set: {m9: 1 kg}\n": "s.yaml:5:7: set.m9: the robot has no such parameter, did you mean 'm1'?",
                HEAD + "outputs: {f: peak qA.force}\nfactors: {load: {a: {parameters: [0, 0, 0]}, b: {}}}\n":
                    "s.yaml:4:34: factors.load.a.parameters: expected a map, found a list",
                HEAD + "outputs: {f: peak qA.force}\nparameters: {pull: 1}\nfactors: {load: {a: {}, b: {parameters: {pul: 2}}}}\n":
                    "s.yaml:5:42: factors.load.b.parameters.pul: the study has no such parameter, did you mean 'pull'?",
                HEAD + "outputs: {f: peak qA.force}\nparameters: {pull: 1}\nfactors: {load: {a: {}, b: {parameters: {pull: [2]}}}}\n":
                    "s.yaml:5:48: factors.load.b.parameters.pull: expected a number or an expression, found a list",
                HEAD + design + "set: {m4: 1 s}\n": "s.yaml:5:11: set.m4: 1 s is a time [s], expected a mass [kg]",
                HEAD + "outputs: {f: peak qA.force}\nsweep: {m5: [1 kg, 2 m]}\n":
                    "s.yaml:4:20: sweep.m5[2]: 2 m is a length [m], expected a mass [kg]",
                HEAD + "outputs: {f: peak qA.force}\nsweep: {m6: [1 kg]}\n":
                    "s.yaml:4:9: sweep.m6: neither the study nor the robot has this parameter, did you mean 'm1'?",
                HEAD + "outputs: {f: peak qA.force}\nsweep: {m5: {from: 1 kg, to: 2 kg, n: 1}}\n":
                    "s.yaml:4:39: sweep.m5.n: 1, expected a whole number from 2 to 100000",
                HEAD + "outputs: {f: peak qA.fource}\nsweep: {m5: [1 kg]}\n":
                    "s.yaml:3:14: outputs.f: there is no column 'qA.fource', did you mean 'qA.force'?",
                HEAD + "outputs: {f: peek qA.force}\nsweep: {m5: [1 kg]}\n":
                    "s.yaml:3:14: outputs.f: 'peek', expected one of peak, time of peak, rms, final, min, max, "
                    "dominant frequency, start, range, relative peak, did you mean 'peak'?",
                HEAD + "outputs: {f: peak qA.force}\nfactors: {friction: {off: {}}}\n":
                    "s.yaml:4:21: factors.friction: 1 level, expected at least 2, such as {off: {}, on: {friction: ...}}",
                HEAD + "outputs: {f: peak qA.force}\nfactors: {friction: {off: {}, on: {friction: {ball: {static: 1}}}}}\n":
                    None,
                HEAD + design + "analysis: inverse\nintegrator: bdf\n": "s.yaml:6:1: integrator: it needs 'analysis: simulate'",
                HEAD + design + "analysis: inverse\nflexible: {left: {}}\n":
                    "s.yaml:5:11: analysis: flexible (A.left): pkm inverse does not take flexible links; taken by pkm simulate, "
                    "pkm modes, pkm modes --weight, pkm stiffness, pkm stiffness --weight, pkm elastodynamics, pkm export fmu",
                HEAD + "analysis: modes\nmodes: {mods: 3}\noutputs: {f: final f1}\n":
                    "s.yaml:4:9: modes: unknown key 'mods', did you mean 'modes'?",
                HEAD + design + "published: [{text: x, value: 1 N, output: g}]\n":
                    "s.yaml:5:43: published[1].output: 'g', expected one of f",
                HEAD + design + "published: [{text: x, value: 1 N, output: f, case: {m5: 3 kg}}]\n":
                    "s.yaml:5:57: published[1].case.m5: '3 kg', expected one of 1 kg, 2 kg, did you mean '1 kg'?",
                "study: 2\nrobot: x\noutputs: {}\n": "s.yaml:1:8: study: '2', expected the format version 1",
        }.items():
            with self.subTest(text):
                told = self.told(text)
                if line:
                    self.assertEqual(told, f"pkm: {line}")
                else:
                    self.assertIn("factors.friction.on.friction", told)


if __name__ == "__main__":
    unittest.main()
