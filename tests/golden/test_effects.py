"""What each analysis takes: every pair of analysis and effect changes the answer, or is refused in a
sentence that names both. The documentation's table is the program's."""

import csv
import json
import re
import subprocess
import unittest

from program import PKM, ROOT, Program
from test_fmu import Fmi3, Fmu

SIAX = ROOT / "robots/siax.yaml"
PAGE = ROOT / "docs/reference/effects.md"
CONTACT = "A.left1: {radial: 0.1 mm, radius: 1 cm, stiffness: 1e10%s}"
SEATED = "clearance: {spherical: {radial: 0.1 mm, fidelity: seated}}"
HOLD = "hold: {stiffness: 1e5 N m/rad}"
MOUNT = "loads: {s: {spring: {stiffness: 1e4 N m/rad}, joint: A.motor}}"
SERVO = "computed_torque: {kp: 1e4, kd: 200}"

# The run that an analysis starts from, and its options.
SHORT = "for: 8 ms\ninstants: 5\nreactions: true"
BASE = {
    "pkm inverse": (("inverse",), SHORT),
    "pkm inverse --method closed": (("inverse", "--method", "closed"), SHORT),
    "pkm simulate": (("simulate",), SHORT + "\ntolerance: 1e-6"),
    "pkm simulate (seated)": (("simulate",), SHORT + "\n" + SEATED),
    "pkm envelope": (("envelope",), SEATED),
    "pkm modes": (("modes",), HOLD),
    "pkm modes --weight": (("modes", "--weight"), HOLD),
    "pkm stiffness": (("stiffness",), HOLD),
    "pkm stiffness --weight": (("stiffness", "--weight"), HOLD),
    "pkm elastodynamics": (("elastodynamics", "--step", "1 ms", "--stiffening"),
                           "for: 5 ms\ninstants: 3\nflexible: {left: {elements: 2}}\n" + HOLD),
    "pkm motors": (("motors", "--motors", ROOT / "motors/servo.yaml", "--json"), "for: 8 ms\ninstants: 5"),
    "pkm export fmu": (("export", "fmu", "--fmi", "3"), SHORT + "\ntolerance: 1e-6"),
}
# No run file reaches these: pkm effects answers for them.
WITHOUT_RUN = {"pkm compare", "pkm workspace", "pkm fastest", "pkm matrices", "pkm export c", "frequencies as Kuo published them"}

# What brings the effect, and what it stands on (in both runs).
EFFECT = {
    "friction in joints": "friction: {spherical: {static: 0.1, radius: 10 mm}}",
    "clearance with contacts": f"clearance: {{{CONTACT % ''}}}",
    "clearance, seated": SEATED.replace("0.1", "0.2"),
    "clearance, envelope": "clearance: {spherical: {radial: 0.2 mm, fidelity: envelope}}",
    "friction of clearances": (f"clearance: {{{CONTACT % ', friction: {static: 0.5}'}}}", f"clearance: {{{CONTACT % ''}}}"),
    "flexible links": "flexible: {left: {elements: 2, modes: 2}}",
    "constant loads": "loads: {push: {force: [0, 10 N, -500 N], at: platform.P}}",
    "loads that change": "loads: {push: {force: [0, 0, '=-500 N * cos(t/1 ms)'], at: platform.P}}",
    "springs": "loads: {s: {spring: {stiffness: 1e3 N/m, length: 0.9 m}, between: [ground.A.M, platform.P]}}",
    "joint springs": MOUNT,
    "bushings": "loads: {s: {bushing: {stiffness: [1e5, 1e5, 1e5, 1e4, 1e4, 1e4]}, between: [ground.A.M, A.crank.M]}}",
    "cables": "loads: {s: {cable: {stiffness: 1e3 N/m, length: 0.5 m}, between: [ground.A.M, platform.P]}}",
    "tool force": "tool_force: [0, 0, -500 N]",
    "tool torque": "tool_torque: [100 N m, 0, 50 N m]",
    "payloads": "payload: {box: {mass: 50 kg, at: platform.P}}",
    "payloads that come or go": "payload: {box: {mass: 50 kg, at: platform.P, pick: 5 ms}}",
    "payloads on flexible links": "payload: {box: {mass: 1 kg, at: A.left.B}}\nflexible: {left: {elements: 2, modes: 2}}",
    "loads released at the start": ("flexible: {A.left: {elements: 2}}\nloads: {push: {force: [0, 0, {released: 500 N}], at: platform.P}}", "flexible: {A.left: {elements: 2}}"),
    "backlash and elastic belts": "drives: {backlash: {play: 0.1 deg, stiffness: 1e5 N m/rad, damping: 50 N m s/rad}}",
    "motors, gears, belts and screws": "drives: {motor: {rotor_inertia: 1e-3 kg m2, gear_ratio: 20}}",
    "locked drives": "drives: locked",
    "free drives": "drives: free",
    "forces played back": ("drives: playback\nfriction: {spherical: {static: 0.1, radius: 10 mm}}",
                           "friction: {spherical: {static: 0.1, radius: 10 mm}}"),
    "given drive forces": "drives: {force: 10 N m}",
    "controllers": ("drives: {pd: {kp: 1e4, kd: 100}}", ""),
    "the model of the controllers": (f"drives: {{{SERVO}}}\nmodel: {{m5: 6 kg}}", f"drives: {{{SERVO}}}"),
    "elastic drives": ("hold: {stiffness: 2e5 N m/rad}", HOLD),
    "drives that do not hold": ("hold: {\"q?\": {stiffness: 1e5 N m/rad}, qA: free}\n" + MOUNT, MOUNT),
    "rates and offsets at the start": ("motion: none\ndrives: free\nstart: {A.motor: 1, B.motor: 0, C.motor: 0}", "motion: none\ndrives: free"),
    "flexible links in pieces": "flexible: {left: {elements: 2, modes: 2, pieces: 2}}",
    "an undeformed start": ("flexible: {left: {elements: 2, modes: 2}}\nstart: undeformed",
                            "flexible: {left: {elements: 2, modes: 2}}"),
    "links that begin bent": ("flexible: {left: {elements: 2, modes: 2, start: [{mode: 7, displacement: 0.1 mm}]}}",
                              "flexible: {left: {elements: 2, modes: 2}}"),
    "idle freedoms that move": "idle: integrate",
}
# Locked is what drives are in linear models about a pose: nothing changes, and that is right.
SAME = {("locked drives", a) for a in ("pkm modes", "pkm modes --weight", "pkm stiffness", "pkm stiffness --weight")}
# Without the static state springs are taken at rest and cables slack: nothing, though modes show the share of springs.
PLAIN = ("pkm modes", "pkm stiffness")
AT_REST = {"springs": "loads: {s: {spring: {stiffness: 1e3 N/m, length: =sqrt(base_radius^2 + depth^2)}, between: [ground.A.M, platform.P]}}",
           "cables": "loads: {s: {cable: {stiffness: 1e3 N/m, length: 5 m}, between: [ground.A.M, platform.P]}}"}
SAME |= {("cables", "pkm stiffness")}
# Simulations move idle freedoms in any case. (Those of SIAX are spins that nothing turns; physics.idle has others.)
SAME |= {("idle freedoms that move", a) for a in ("pkm simulate", "pkm export fmu")}
# A force on a Delta's platform that only turns it shows in reactions alone, which closed forms have not.
OTHER = {("tool torque", "pkm inverse --method closed"): ROOT / "robots/3pprs.yaml"}
# The first joint with clearance decides which of the two simulations answers; the other is then refused.
MIXED = {("clearance, seated", "pkm simulate"): f"clearance: {{{CONTACT % ''}, A.right1: {{radial: 0.1 mm, fidelity: seated}}}}",
         ("clearance with contacts", "pkm simulate (seated)"):
         f"clearance: {{A.left1: {{radial: 0.1 mm, fidelity: seated}}, {(CONTACT % '').replace('left', 'right')}}}",
         ("clearance, envelope", "pkm simulate (seated)"):
         "clearance: {A.left1: {radial: 0.1 mm, fidelity: seated}, A.right1: {radial: 0.1 mm, fidelity: envelope}}",
         ("friction of clearances", "pkm simulate (seated)"):
         "clearance: {spherical: {radial: 0.1 mm, fidelity: seated, friction: {static: 0.1}}}"}
PROGRAM = {"forces of a program", "a controller of a program"}  # no keys in files: unit.api.simulation, unit.run.takes
IMPORTED = "imported flexible bodies"  # needs a file of another program: unit.flexible.outside, unit.run.takes


def merge(*texts):
    """One run file; a key of a later text takes the place of that of an earlier one."""
    keys = {}
    for text in texts:
        for line in filter(None, text.split("\n")):
            keys[line.split(":")[0]] = line
    return "run: 1\n" + "\n".join(keys.values()) + "\n"


def outputs_of(path, folder):
    """All outputs of an FMU after 8 ms, as a text."""
    fmu = Fmu(path, folder)
    m = Fmi3(fmu)
    m.begin(0.008)
    for k in range(4):
        m.step(0.002 * k, 0.002)
    said = [(v.get("name"), m.get(v.get("name"))) for v in fmu.of("output") if v.get("name") != "warnings"]
    m.dll.fmi3FreeInstance(m.c)
    return str(said)


def numbers(said):
    """The frequencies of modes, or plain numbers."""
    return [mode["frequency"] if isinstance(mode, dict) else mode for mode in said]


class Pairs(Program):
    @classmethod
    def setUpClass(cls):
        said = subprocess.run([PKM, "effects", "all", "--json"], capture_output=True, encoding="utf-8", check=True)
        cls.table = {a["analysis"]: a["effects"] for a in json.loads(said.stdout)["analyses"]}

    def run_with(self, analysis, text, out, robot=SIAX):
        arguments, _ = BASE[analysis]
        run = self.write("run.yaml", text)
        folder = () if arguments[0] in ("modes", "stiffness", "motors") else ("-o", out)
        return self.pkm(*arguments, robot, "--run", run, *folder)

    def result(self, analysis, text, out, robot):
        done = self.run_with(analysis, text, out, robot)
        self.assertEqual(done.returncode, 0, done.stderr)
        if analysis == "pkm export fmu":
            (self.folder / out).rename(self.folder / f"{out}.fmu")
            return outputs_of(self.folder / f"{out}.fmu", self.folder)
        table = self.folder / out / "table.csv"
        return table.read_text() if table.exists() else done.stdout

    def test_the_table_has_all_analyses_and_effects(self):
        self.assertEqual(set(self.table), set(BASE) | WITHOUT_RUN)
        for analysis, effects in self.table.items():
            self.assertEqual(set(effects), set(EFFECT) | {IMPORTED} | PROGRAM)
            self.assertLessEqual(set(effects.values()), {"taken", "refused"})

    def test_every_pair_changes_the_answer_or_is_refused(self):
        number = 0
        is_without_fmu = "built without" in self.pkm("export", "fmu", SIAX, "-o", "robot.fmu").stderr
        for analysis, (_, base) in BASE.items():
            plain = {}
            if analysis == "pkm export fmu" and is_without_fmu:
                continue
            for effect, given in EFFECT.items():
                number += 1
                given, under = given if isinstance(given, tuple) else (given, "")
                given = MIXED.get((effect, analysis), given)
                if analysis in PLAIN:
                    given = AT_REST.get(effect, given)
                robot = OTHER.get((effect, analysis), SIAX)
                with self.subTest(analysis=analysis, effect=effect):
                    if self.table[analysis][effect] == "refused":
                        self.check_refused(analysis, merge(base, given), f"refused{number}")
                        continue
                    before = merge(base, under)
                    if (before, robot) not in plain:
                        plain[before, robot] = self.result(analysis, before, f"plain{number}", robot)
                    now = self.result(analysis, merge(base, given), f"with{number}", robot)
                    self.assertEqual(now == plain[before, robot], (effect, analysis) in SAME)

    def test_tension_is_refused_where_it_is_not_counted(self):
        for effect, word in (("springs", "spring"), ("cables", "cable")):
            run = self.write("run.yaml", merge(HOLD, EFFECT[effect]))
            for analysis in PLAIN:
                with self.subTest(analysis=analysis, effect=effect):
                    said = self.refused(2, analysis.split()[1], SIAX, "--run", run)
                    self.assertRegex(said, rf"loads\.{word} \(s\): it bears \d+ N at this pose, .* --weight \(key weight\)")
        analysis = "pkm elastodynamics"
        run = self.write("run.yaml", merge(BASE[analysis][1], EFFECT["springs"]))
        said = self.refused(2, "elastodynamics", SIAX, "--run", run, "-o", "slack")
        self.assertRegex(said, r"loads\.spring \(s\): it bears \d+ N at t = 0 s, .* --stiffening \(key stiffening\)")

    def test_a_page_takes_what_simulations_take(self):
        takers = [a for a in self.table if a.startswith("pkm simulate")]
        for effect, given in EFFECT.items():
            given = given[0] if isinstance(given, tuple) else given
            with self.subTest(effect=effect):
                run = self.write("run.yaml", merge(given))
                done = self.pkm("view", SIAX, "--run", run, "--no-open", "-o", f"{effect}.html")
                if any(self.table[a][effect] == "taken" for a in takers):
                    self.assertNotIn("does not take", done.stderr)  # where the page was not built it ends with another word
                else:
                    self.assertEqual(done.returncode, 2, done.stdout)
                    self.assertIn("pkm simulate does not take", done.stderr)
                    self.assertFalse((self.folder / f"{effect}.html").exists())

    def test_shaping_takes_what_simulations_take(self):
        for text in ("hold: free", "clearance: {spherical: {radial: 0.1 mm, fidelity: seated}}"):
            run = self.write("run.yaml", "run: 1\nmotion: paper\n" + text + "\n")
            self.assertIn("pkm simulate does not take", self.refused(2, "shape", SIAX, "--run", run))

    def test_every_verb_that_reads_a_run_is_walked(self):
        asked = {a.split()[1] for a in BASE} | {"view", "shape"}  # these simulate
        verbs = re.findall(r"^  (\w+(?: fmu)?)  ", self.pkm("--help").stdout, re.M)
        self.assertGreater(len(verbs), 15)
        reads = {verb for verb in verbs if "  --run FILE" in self.pkm(*verb.split(), "--help").stdout}
        self.assertEqual(reads, asked)

    def check_refused(self, analysis, text, out):
        done = self.run_with(analysis, text, out)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertFalse((self.folder / out).exists())
        self.assertRegex(done.stderr, re.escape(analysis) + " does not take [a-z, ]+; taken by ")


class Answers(Program):
    def test_the_page_is_what_the_program_prints(self):
        page = PAGE.read_text(encoding="utf-8").split("\n## ")[0]
        table = "".join(line + "\n" for line in page.split("\n") if line.startswith("| ") or line.startswith("|-"))
        self.assertEqual(self.pkm("effects", "all").stdout, table)

    def test_drives_are_sized_with_what_they_carry(self):
        run = self.write("run.yaml", "run: 1\nmotion: paper\ntool_force: [0, 0, -500 N]\n"
                         "payload: {box: {mass: 50 kg, at: platform.P}}\n")
        bare = self.answer("inverse", SIAX, "--motion", "paper", "-o", "bare")["drives"][0]["absmax_force"]
        self.assertAlmostEqual(bare, 425.502, delta=1e-3)
        inverse = self.answer("inverse", SIAX, "--run", run, "-o", "inverse")["drives"]
        self.answer("simulate", SIAX, "--run", run, "-o", "simulate")
        def read(path):
            path = self.folder / path
            return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []
        rows, other = read("simulate/table.csv"), read("inverse/table.csv")
        for drive in inverse:
            column = next(c for c in rows[0] if c.startswith(drive["name"] + ".force"))
            largest = [max(abs(float(row[column])) for row in table) for table in (rows, other)]
            self.assertAlmostEqual(largest[0] / largest[1], 1.0, delta=1e-9)
            # located peaks are those of vertices, to 1e-5
            peak = max(abs(float(row[column])) for row in rows + read("simulate/peaks.csv"))
            self.assertAlmostEqual(drive["absmax_force"] / peak, 1.0, delta=1e-5)
        self.assertGreater(inverse[0]["absmax_force"], 5.0 * bare)

    def test_a_payload_lowers_frequencies_as_its_mass_in_the_model_does(self):
        # SIAX carries a cylinder of m5, l5, d5; beside it a second one of ten times its mass, put on by the run.
        run = self.write("run.yaml", "run: 1\npayload: {more: {mass: =10*m5, at: platform.load, com: [0, 0, 0],"
                         " inertia: [=10*m5*(3*d5^2/4 + l5^2)/12, =10*m5*(3*d5^2/4 + l5^2)/12, =10*m5*d5^2/8]}}\n")
        for verb, key in (("modes", "modes"), ("stiffness", "sag")):
            bare = self.answer(verb, SIAX)[key]
            carried = self.answer(verb, SIAX, "--run", run)[key]
            model = self.answer(verb, SIAX, "--set", "m5=55 kg")[key]
            for x, y, z in zip(*(numbers(said) for said in (carried, model, bare))):
                self.assertAlmostEqual(x, y, delta=1e-8 * abs(y) + 1e-13)
            self.assertNotEqual(numbers(bare)[:3], numbers(carried)[:3])

    def test_studies_ask_the_same_table(self):
        study = self.write("s.yaml", f"study: 1\nrobot: {SIAX}\nanalysis: inverse\noutputs: {{f: peak qA.force}}\n"
                           "factors: {bend: {off: {}, on: {flexible: {left: {elements: 2}}}}}\n")
        self.assertIn("s.yaml:3:11: analysis: flexible (A.left): pkm inverse does not take flexible links; taken by pkm simulate",
                      self.refused(2, "study", study, "-o", "out"))


if __name__ == "__main__":
    unittest.main()
