"""FMUs: what is in the file, the rules of the standard for modelDescription.xml, and runs by masters of our own (in C
through dlopen, in Python through ctypes) beside `pkm simulate`, which is the truth: the same engine with LAPACK, YAML
and its own time steps."""

import csv
import ctypes
import os
import random
import re
import subprocess
import traceback
import unittest
import xml.etree.ElementTree as ET
import zipfile

from program import ROBOTS, ROOT, Program

MASTER = os.environ.get("PKM_FMU_MASTER", "")
CONTROLLER = os.environ.get("PKM_FMU_CONTROLLER", "")
SIAX = ROOT / "robots/siax.yaml"
FREE = "run: 1\nmotion: none\nfor: 50 ms\ndrives: free\n"

FOUR_BAR = """pkm: 1
name: four-bar
gravity: [0, -9.81, 0]
ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}
bodies:
  crank: {mass: 1, uniform: {from: A, to: B}, points: {A: [0, 0, 0], B: [0.3, 0, 0]}, pose: {rotate: {z: 60 deg}}}
  coupler: {mass: 2, uniform: {from: B, to: C}, points: {B: [0, 0, 0], C: [0.35, 0, 0], P: [0.2, 0.1, 0]},
    pose: {at: [0.15, 0.26, 0], rotate: {z: 10 deg}}}
  rocker: {mass: 1.5, uniform: {from: D, to: C}, points: {D: [0, 0, 0], C: [0.3, 0, 0]},
    pose: {at: [0.4, 0, 0], rotate: {z: 80 deg}}}
joints:
  A: {type: revolute, between: [ground.A, crank.A]}
  B: {type: revolute, between: [crank.B, coupler.B]}
  C: {type: revolute, between: [coupler.C, rocker.C]}
  D: {type: revolute, between: [ground.D, rocker.D]}
drives: {q: {joint: A}}
tool: coupler.P
"""

# FMI 2.0.4, 2.2.7: allowed combinations of causality and variability, and the initial values of each.
ALLOWED = {
    ("parameter", "fixed"): {"exact"},
    ("calculatedParameter", "fixed"): {"calculated", "approx"},
    ("input", "continuous"): {None},
    ("output", "continuous"): {"calculated", "exact", "approx"},
    ("output", "discrete"): {"calculated", "exact", "approx"},
    ("local", "continuous"): {"calculated", "exact", "approx"},
    ("independent", "continuous"): {None},
}


class Fmu:
    """An FMU unpacked to a folder, with its variables by name."""

    def __init__(self, path, folder):
        self.archive = zipfile.ZipFile(path)
        self.folder = folder / (path.stem + "-unpacked")
        self.archive.extractall(self.folder)
        self.root = ET.parse(self.folder / "modelDescription.xml").getroot()
        self.version = self.root.get("fmiVersion")
        self.token = self.root.get("guid") or self.root.get("instantiationToken")
        kinds = [e for e in self.root if e.tag in ("ModelExchange", "CoSimulation")]
        self.kinds = {e.tag: e for e in kinds}
        self.name = kinds[0].get("modelIdentifier")
        place = {"2.0": "linux64", "3.0": "x86_64-linux"}[self.version]
        self.library = self.folder / "binaries" / place / (self.name + ".so")
        self.variables = list(self.root.find("ModelVariables"))
        self.by_name = {v.get("name"): v for v in self.variables}

    def reference(self, name):
        return int(self.by_name[name].get("valueReference"))

    def values(self, variable):
        """The element with start, unit, derivative: in 2.0 within the variable."""
        return variable[0] if self.version == "2.0" else variable

    def of(self, causality):
        return [v for v in self.variables if v.get("causality") == causality]

    def rates(self):
        return [v for v in self.variables if self.values(v).get("derivative")]


class Fmus(Program):
    def export(self, *arguments, name="robot.fmu"):
        done = self.pkm("export", "fmu", *arguments, "-o", name)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Fmu(self.folder / name, self.folder)

    def table(self, model, run, *more):
        """Columns of pkm simulate by name."""
        done = self.pkm("simulate", model, "--run", self.write("truth.yaml", run), "-o", "truth", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / "truth/table.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        names = [head.split(" [")[0] for head in rows[0]]
        return {n: [float(r[i]) for r in rows[1:]] for i, n in enumerate(names)}

    def master(self, kind, fmu, stop, step, *more, outputs=None, code=0):
        """Rows of the master in C, by the names of the outputs."""
        outputs = outputs or [v.get("name") for v in fmu.of("output") if v.get("name") != "warnings"]
        command = [MASTER, kind, fmu.library, fmu.token, stop, step, *more]
        for name in outputs:
            command += ["o", fmu.reference(name)]
        if kind == "me":
            command += ["n", 0, len(fmu.rates())]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.log = done.stderr
        rows = [[float(x) for x in line.split(",")] for line in done.stdout.splitlines()]
        return {n: [r[i] for r in rows] for i, n in enumerate(["t", *outputs])}

    def assert_agrees(self, ours, truth, within, without=()):
        """Every column, relative to its largest value; what is rounding only is measured by 0.1 of its unit."""
        for name, values in ours.items():
            if name in ("t", "balance") or name.split(".")[-1] in without:
                continue
            self.assertEqual(len(values), len(truth[name]), name)
            size = max(0.1, max(abs(x) for x in truth[name]))
            worst = max(abs(a - b) for a, b in zip(values, truth[name])) / size
            self.assertLessEqual(worst, within, name)


class TestFile(Fmus):
    def test_layout_and_licences(self):
        fmu = self.export(SIAX)
        self.assertIsNone(fmu.archive.testzip())
        self.assertEqual(set(fmu.archive.namelist()) - {"binaries/win64/siax.dll"},  # there after make windows
                         {"modelDescription.xml", "binaries/linux64/siax.so", "documentation/licenses/pkm.txt",
                          "documentation/licenses/sundials.txt"})
        self.assertEqual(fmu.archive.read("documentation/licenses/pkm.txt"), (ROOT / "LICENSE").read_bytes())
        again = self.export(SIAX, name="again.fmu")
        self.assertEqual((self.folder / "robot.fmu").read_bytes(), (self.folder / "again.fmu").read_bytes())
        heavy = self.export(SIAX, "--set", "m5=6 kg", name="heavy.fmu")
        self.assertNotEqual(heavy.token, again.token)
        self.assertNotIn(str(ROOT).encode(), fmu.library.read_bytes())

    def test_the_library_runs_on_old_systems_and_needs_nothing(self):
        library = self.export(SIAX).library
        dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
        self.assertEqual(set(re.findall(r"NEEDED.*\[(.*)\]", dynamic)), {"libm.so.6", "libc.so.6"})
        symbols = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
        versions = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([0-9.]+)", symbols)}
        self.assertLessEqual(max(versions), (2, 29))
        exported = [line.split()[-1] for line in symbols.splitlines() if " g " in line and "*UND*" not in line]
        self.assertTrue(all(re.match("fmi[23][A-Z]", name) for name in exported), exported)
        self.assertIn("fmi2DoStep", exported)
        self.assertIn("fmi3DoStep", exported)

    def test_what_cannot_be_exported_is_refused(self):
        self.assertIn("expected fmu", self.refused(2, "export", "glb", SIAX))
        self.assertIn("--kind", self.refused(2, "export", "fmu", SIAX, "--kind", "x"))
        self.assertIn("--fmi", self.refused(2, "export", "fmu", SIAX, "--fmi", "1"))
        self.write("seated.yaml", "run: 1\nclearance: {spherical: {radial: 0.1 mm, fidelity: seated}}\n")
        self.refused(2, "export", "fmu", SIAX, "--run", "seated.yaml", "-o", "x.fmu")
        self.write("touch.yaml", "run: 1\nclearance: {spherical: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e9}}\n")
        self.assertIn("only co-simulation", self.refused(2, "export", "fmu", SIAX, "--run", "touch.yaml", "--kind", "me",
                                                         "-o", "x.fmu"))


class TestRules(Fmus):
    """The rules of the standard, which importers rely on."""

    def check_variables(self, fmu):
        units = {u.get("name") for u in fmu.root.find("UnitDefinitions")}
        names = [v.get("name") for v in fmu.variables]
        references = [v.get("valueReference") for v in fmu.variables]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(references), len(set(references)))
        for v in fmu.variables:
            what, words = fmu.values(v), (v.get("causality"), v.get("variability"))
            self.assertIn(words, ALLOWED, v.get("name"))
            self.assertIn(v.get("initial"), ALLOWED[words], v.get("name"))
            has_start = words[0] in ("parameter", "input") or v.get("initial") in ("exact", "approx")
            self.assertEqual(what.get("start") is not None, has_start, v.get("name"))
            if what.get("unit"):
                self.assertIn(what.get("unit"), units)
        self.assertEqual(len(fmu.of("independent")), 1)

    def check_units(self, fmu):
        exponents = {u.get("name"): dict(u[0].attrib) if len(u) else None for u in fmu.root.find("UnitDefinitions")}
        self.assertEqual(exponents["N m"], {"kg": "1", "m": "2", "s": "-2"})
        self.assertEqual(exponents["rad/s"], {"s": "-1", "rad": "1"})
        self.assertEqual(exponents["m/s2"], {"m": "1", "s": "-2"})
        self.assertNotIn(None, exponents.values())

    def unknowns(self, fmu, group, element):
        """(number or reference, its dependencies) of ModelStructure."""
        structure = fmu.root.find("ModelStructure")
        if fmu.version == "2.0":
            found = structure.find(group)
            items = [] if found is None else list(found)
            return [(int(u.get("index")), u.get("dependencies")) for u in items]
        return [(int(u.get("valueReference")), u.get("dependencies")) for u in structure.findall(element)]

    def check_structure(self, fmu):
        is_2 = fmu.version == "2.0"
        key = {v.get("name"): i + 1 if is_2 else int(v.get("valueReference")) for i, v in enumerate(fmu.variables)}
        outputs = self.unknowns(fmu, "Outputs", "Output")
        rates = self.unknowns(fmu, "Derivatives", "ContinuousStateDerivative")
        initial = self.unknowns(fmu, "InitialUnknowns", "InitialUnknown")
        self.assertEqual([k for k, _ in outputs], [key[v.get("name")] for v in fmu.of("output")])
        self.assertEqual([k for k, _ in rates], [key[v.get("name")] for v in fmu.rates()])
        derivative_of = {int(fmu.values(v).get("derivative")) for v in fmu.rates()}
        knowns = {key[v.get("name")] for v in fmu.of("input")} | derivative_of
        for _, dependencies in outputs + rates:
            self.assertLessEqual({int(d) for d in dependencies.split()}, knowns)
        wanted = [key[v.get("name")] for v in fmu.variables
                  if v.get("initial") in ("calculated", "approx") and v.get("name") != "indicator"]
        self.assertEqual([k for k, _ in initial], wanted)
        self.assertEqual(derivative_of, {key[n] for n in key if n.startswith("state.")})

    def test_every_robot_both_versions_both_kinds(self):
        for version in ("2", "3"):
            for model in (SIAX, ROOT / "robots/gough-stewart.yaml", ROOT / "robots/isoglide4.yaml"):
                with self.subTest(model=model.stem, version=version):
                    fmu = self.export(model, "--fmi", version, "--kind", "both")
                    self.assertEqual(fmu.version, version + ".0")
                    self.assertEqual(set(fmu.kinds), {"ModelExchange", "CoSimulation"})
                    self.assertRegex(fmu.name, "^[A-Za-z_][A-Za-z0-9_]*$")
                    self.check_variables(fmu)
                    self.check_structure(fmu)
        self.check_units(fmu if fmu.name == "siax" else self.export(SIAX))

    def test_kinds_are_those_that_were_asked_for(self):
        self.assertEqual(set(self.export(SIAX).kinds), {"CoSimulation"})
        fmu = self.export(SIAX, "--kind", "me", name="me.fmu")
        self.assertEqual(set(fmu.kinds), {"ModelExchange"})
        self.assertEqual(fmu.root.get("numberOfEventIndicators"), "1")
        self.master("cs", fmu, 0.01, 0.01, code=3)
        self.assertIn("not exported for co-simulation", self.log)

    def test_parameters_that_follow_from_others_are_calculated(self):
        fmu = self.export(SIAX)
        self.assertEqual(fmu.by_name["parameter.l1"].get("causality"), "parameter")
        self.assertEqual(fmu.values(fmu.by_name["parameter.l1"]).get("start"), "0.5")
        self.assertEqual(fmu.by_name["parameter.depth"].get("causality"), "calculatedParameter")

    def test_references_are_inputs_where_controllers_have_no_motion(self):
        self.write("pd.yaml", "run: 1\nmotion: none\ndrives: {pd: {kp: 1000, kd: 10}}\n")
        fmu = self.export(SIAX, "--run", "pd.yaml")
        self.assertIn("in.qA.reference", fmu.by_name)
        self.assertNotIn("in.qA.reference", self.export(SIAX, name="free.fmu").by_name)


class TestRuns(Fmus):
    """By the table of agreement: rigid 1e-9; smooth friction, flexible links 1e-5 at most."""

    def test_a_rigid_robot_in_steps(self):
        fmu = self.export(SIAX, "--run", self.write("r.yaml", FREE))
        truth = self.table(SIAX, FREE, "--instants", 51)
        self.assert_agrees(self.master("cs", fmu, 0.05, 0.001), truth, 1e-9)

    def test_a_rigid_robot_by_cvode(self):
        fmu = self.export(SIAX, "--kind", "me")
        truth = self.table(SIAX, FREE, "--instants", 51)
        self.assert_agrees(self.master("me", fmu, 0.05, 0.001), truth, 1e-9)

    def test_references_of_the_drives_that_have_controllers(self):
        """A reference at its start is home, which controllers keep without one; the free drive between them has none."""
        run = "run: 1\nmotion: none\nfor: 50 ms\ndrives: {qA: {pd: {kp: 1000, kd: 10}}, qB: free, qC: {pd: {kp: 1000, kd: 10}}}\n"
        fmu = self.export(SIAX, "--run", self.write("r.yaml", run))
        self.assertNotIn("in.qB.reference", fmu.by_name)
        home = fmu.values(fmu.by_name["in.qA.reference"]).get("start")
        ours = self.master("cs", fmu, 0.05, 0.001, "i", fmu.reference("in.qA.reference"), home)
        self.assert_agrees(ours, self.table(SIAX, run, "--instants", 51), 1e-9)

    def test_other_coordinates_on_the_way(self):
        """Each link of this four-bar comes to rest and turns back where the other two are in line."""
        model = self.write("bars.yaml", FOUR_BAR)
        run = FREE.replace("50 ms", "0.6 s")
        ours = self.master("me", self.export(model, "--kind", "me"), 0.6, 0.01)
        self.assertIn("other coordinates", self.log)
        self.assert_agrees(ours, self.table(model, run, "--instants", 61), 1e-9)

    def test_friction_and_sampled_control(self):
        """No row is at a sample, where the program shows what acted before it and an FMU what acts after it."""
        run = ("run: 1\nfor: 20 ms\ndrives: {computed_torque: {frequency: 20 Hz, damping: 1}, sampling: {rate: 970 Hz}}\n"
               "friction: {spherical: {static: 0.11, dynamic: 0.084, radius: 10 mm, law: coulomb}}\nmodel: {m5: 6 kg}\n")
        truth = self.table(SIAX, run, "--instants", 21)
        fmu = self.export(SIAX, "--run", self.write("r.yaml", run), "--kind", "both")
        self.assert_agrees(self.master("cs", fmu, 0.02, 0.001), truth, 1e-6)
        self.assert_agrees(self.master("me", fmu, 0.02, 0.001), truth, 1e-6)

    def test_flexible_links(self):
        run = "run: 1\nfor: 4 ms\nflexible: {'*': {modes: 2}}\nintegrator: explicit\ntolerance: 1e-10\n"
        truth = self.table(SIAX, run, "--instants", 5)
        fmu = self.export(SIAX, "--run", self.write("r.yaml", run))
        self.assert_agrees(self.master("cs", fmu, 0.004, 0.001), truth, 1e-5)

    def test_clearance_up_to_its_first_impacts(self):
        run = ("run: 1\nfor: 6 ms\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e8, restitution: 0.8}}\n")
        truth = self.table(SIAX, run, "--instants", 13)
        fmu = self.export(SIAX, "--run", self.write("r.yaml", run))
        ours = self.master("cs", fmu, 0.006, 0.0005, outputs=["A.left1.gap", "P.z", "qA.q", "energy.kinetic"])
        self.assert_agrees(ours, truth, 1e-6)

    def test_parameters_are_those_of_set(self):
        fmu = self.export(SIAX, "--run", self.write("r.yaml", FREE))
        truth = self.table(SIAX, FREE, "--instants", 6, "--set", "m5=2.5 kg", "--set", "l1=0.52 m")
        ours = self.master("cs", fmu, 0.05, 0.01, "p", fmu.reference("parameter.m5"), 2.5, "p",
                           fmu.reference("parameter.l1"), 0.52)
        self.assert_agrees(ours, truth, 1e-9)

    def test_a_robot_that_cannot_be_assembled_is_an_error(self):
        fmu = self.export(SIAX)
        self.master("cs", fmu, 0.05, 0.01, "p", fmu.reference("parameter.l2"), 0.2, code=1)
        self.assertRegex(self.log, r"siax.yaml|cannot|depth")

    def test_inputs_act(self):
        run = FREE + "tool_force: [10, 0, 5]\n"
        truth = self.table(SIAX, run, "--instants", 6)
        fmu = self.export(SIAX, "--run", self.write("r.yaml", FREE))
        ours = self.master("cs", fmu, 0.05, 0.01, "i", fmu.reference("in.tool.fx"), 10, "i",
                           fmu.reference("in.tool.fz"), 5)
        self.assert_agrees(ours, truth, 1e-9)
        with_force = self.export(SIAX, "--run", self.write("f.yaml", run), name="force.fmu")
        self.assertEqual(with_force.values(with_force.by_name["in.tool.fx"]).get("start"), "10")
        self.assert_agrees(self.master("cs", with_force, 0.05, 0.01), truth, 1e-9)

    def test_a_master_couples_robot_and_controller(self):
        """The controller holds its force over each step, as the program's own does at 1 kHz."""
        run = ("run: 1\nmotion: none\nfor: 50 ms\ndrives: {pd: {kp: 2000, kd: 60}, sampling: {rate: 1 kHz}}\n")
        truth = self.table(SIAX, run, "--instants", 51)
        fmu = self.export(SIAX)
        more = [CONTROLLER]
        for d in "ABC":
            more += ["q", fmu.reference(f"q{d}.q"), "v", fmu.reference(f"q{d}.v"), "f", fmu.reference(f"in.q{d}.force")]
        ours = self.master("couple", fmu, 0.05, 0.001, *more, outputs=["qA.q", "qB.v", "P.z", "energy.kinetic"])
        self.assert_agrees(ours, truth, 1e-9)

    def test_files_of_samples_go_along(self):
        self.write("force.csv", "t,x\n0,0\n0.01,5\n0.05,5\n")
        run = ("run: 1\nmotion: none\nfor: 50 ms\n"
               "drives: {qA: {force: {file: force.csv, between: linear}}, qB: free, qC: free}\n")
        truth = self.table(SIAX, run, "--instants", 6)
        self.assertGreater(abs(truth["qA.q"][-1] - truth["qB.q"][-1]), 1e-3)
        fmu = self.export(SIAX, "--run", self.write("r.yaml", run))
        (self.folder / "force.csv").unlink()
        self.assert_agrees(self.master("cs", fmu, 0.05, 0.01), truth, 1e-9)

    def test_inputs_of_the_run_file(self):
        """Two loads and a drive take named inputs: set, they do what numbers in the file do; unset, they are their start."""
        loads = ("run: 1\nmotion: none\nfor: 50 ms\ndrives: {{qA: {{force: {motor}}}, qB: free, qC: free}}\n"
                 "loads:\n  push: {{at: platform.P, force: [{push}, 0, 0], torque: [0, 0, {twist}]}}\n"
                 "  pull: {{at: platform.P, force: [0, {push}, 0]}}\n")
        named = dict(motor="{input: motor}", push="{input: push, start: 2 N}", twist="{input: twist}")
        fmu = self.export(SIAX, "--run", self.write("r.yaml", loads.format(**named)), "--kind", "both")
        inputs = {v.get("name"): fmu.values(v) for v in fmu.of("input")}
        self.assertEqual(inputs["in.push"].get("unit"), "N")
        self.assertEqual(inputs["in.push"].get("start"), "2")
        self.assertEqual((inputs["in.motor"].get("unit"), inputs["in.motor"].get("start")), ("N m", "0"))
        truth = self.table(SIAX, loads.format(motor="1.5 N m", push="20 N", twist="0.3 N m"), "--instants", 6)
        more = []
        for name, value in (("motor", 1.5), ("push", 20), ("twist", 0.3)):
            more += ["i", fmu.reference("in." + name), value]
        for kind in ("cs", "me"):
            self.assert_agrees(self.master(kind, fmu, 0.05, 0.01, *more), truth, 1e-9)
        start = self.table(SIAX, loads.format(motor=0, push="2 N", twist=0), "--instants", 6)
        self.assertGreater(abs(start["qA.q"][-1] - truth["qA.q"][-1]), 1e-3)
        self.assert_agrees(self.master("cs", fmu, 0.05, 0.01), start, 1e-9)
        self.assert_agrees(self.table(SIAX, loads.format(**named), "--instants", 6), start, 1e-12)
        self.write("r.yaml", loads.format(motor="{input: push}", push="{input: push}", twist=0))
        self.assertIn("elsewhere", self.refused(2, "simulate", SIAX, "--run", "r.yaml"))
        self.write("r.yaml", loads.format(motor="{input: a.b}", push=0, twist=0))
        self.assertIn("letters", self.refused(2, "simulate", SIAX, "--run", "r.yaml"))

    def test_misuse_is_an_error_not_a_crash(self):
        fmu = self.export(SIAX)
        done = subprocess.run([MASTER, "misuse", fmu.library, fmu.token, str(fmu.reference("parameter.m5")),
                               str(fmu.reference("in.qA.force")), str(fmu.reference("qA.q"))], capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class Fmi3:
    """FMI 3.0 through ctypes."""

    LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)

    def __init__(self, fmu, exchange=False, early=False):
        self.fmu, self.messages = fmu, []
        self.dll = ctypes.CDLL(str(fmu.library), mode=os.RTLD_LOCAL)
        self.log = self.LOG(lambda env, status, category, text: self.messages.append(text.decode()))
        token = fmu.token.encode()
        self.dll.fmi3GetVersion.restype = ctypes.c_char_p
        if exchange:
            make = self.dll.fmi3InstantiateModelExchange
            make.restype = ctypes.c_void_p
            self.c = ctypes.c_void_p(make(b"robot", token, None, False, False, None, self.log))
        else:
            make = self.dll.fmi3InstantiateCoSimulation
            make.restype = ctypes.c_void_p
            make.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_bool] * 4 + [ctypes.c_void_p, ctypes.c_size_t,
                                                                          ctypes.c_void_p, self.LOG, ctypes.c_void_p]
            self.c = ctypes.c_void_p(make(b"robot", token, None, False, False, False, early, None, 0, None, self.log,
                                          None))

    def call(self, name, *arguments, status=0):
        got = getattr(self.dll, "fmi3" + name)(self.c, *arguments)
        assert got == status, (name, got, self.messages)

    def get(self, name):
        value, vr = ctypes.c_double(), ctypes.c_uint32(self.fmu.reference(name))
        self.call("GetFloat64", ctypes.byref(vr), ctypes.c_size_t(1), ctypes.byref(value), ctypes.c_size_t(1))
        return value.value

    def set(self, name, x, status=0):
        value, vr = ctypes.c_double(x), ctypes.c_uint32(self.fmu.reference(name))
        self.call("SetFloat64", ctypes.byref(vr), ctypes.c_size_t(1), ctypes.byref(value), ctypes.c_size_t(1),
                  status=status)

    def begin(self, stop):
        self.call("EnterInitializationMode", False, ctypes.c_double(0), ctypes.c_double(0), True, ctypes.c_double(stop))
        self.call("ExitInitializationMode")

    def step(self, t, dt):
        """Is it early, and where did it end?"""
        flags, reached = [ctypes.c_bool() for _ in range(3)], ctypes.c_double()
        self.call("DoStep", ctypes.c_double(t), ctypes.c_double(dt), True, *map(ctypes.byref, flags),
                  ctypes.byref(reached))
        return flags[2].value, reached.value


class TestThree(Fmus):
    def test_two_instances_in_one_process(self):
        fmu = self.export(SIAX, "--fmi", "3")
        light, heavy = Fmi3(fmu), Fmi3(fmu)
        self.assertEqual(light.dll.fmi3GetVersion(), b"3.0")
        heavy.set("parameter.m5", 7.0)
        for m in (light, heavy):
            m.begin(0.05)
        for k in range(5):
            for m in (light, heavy):
                self.assertEqual(m.step(0.01 * k, 0.01), (False, m.get("time")))
        for m, mass in ((light, "5 kg"), (heavy, "7 kg")):
            truth = self.table(SIAX, FREE, "--instants", 6, "--set", f"m5={mass}")
            self.assertAlmostEqual(m.get("qA.q"), truth["qA.q"][-1], delta=1e-9)
            self.assertAlmostEqual(m.get("P.z"), truth["P.z"][-1], delta=1e-9)
            m.dll.fmi3FreeInstance(m.c)

    def test_feed_through_is_seen_at_once_and_only_where_declared(self):
        fmu = self.export(SIAX, "--fmi", "3")
        m = Fmi3(fmu)
        m.begin(0.05)
        m.step(0.0, 0.01)
        declared = {int(o.get("valueReference")): o.get("dependencies")
                    for o in fmu.root.find("ModelStructure").findall("Output")}
        names = [v.get("name") for v in fmu.of("output") if v.get("name") != "warnings"]
        before = {n: m.get(n) for n in names}
        for i, v in enumerate(fmu.of("input")):
            m.set(v.get("name"), 3.0 + i)
        after = {n: m.get(n) for n in names}
        changed = {n for n in names if before[n] != after[n]}
        self.assertIn("qA.a", changed)
        self.assertIn("qA.force", changed)
        for n in changed:
            self.assertTrue(declared[fmu.reference(n)], n)
        m.dll.fmi3FreeInstance(m.c)

    def test_states_are_gone_back_to_and_serialised(self):
        run = "run: 1\nmotion: none\nfor: 50 ms\ndrives: {pd: {kp: 900, kd: 9}, sampling: {rate: 700 Hz, delay: 2 ms}}\n"
        fmu = self.export(SIAX, "--fmi", "3", "--run", self.write("r.yaml", run))
        m, other = Fmi3(fmu), Fmi3(fmu)
        m.set("parameter.m5", 6.0)
        m.begin(0.05)
        m.set("in.qA.reference", 0.1)
        m.step(0.0, 0.011)
        state, size = ctypes.c_void_p(), ctypes.c_size_t()
        m.call("GetFMUState", ctypes.byref(state))
        m.call("SerializedFMUStateSize", state, ctypes.byref(size))
        stored = (ctypes.c_uint8 * size.value)()
        m.call("SerializeFMUState", state, stored, size)
        m.step(0.011, 0.02)
        want = [m.get(n) for n in ("qA.q", "qB.v", "P.z", "qA.force", "work.drive")]
        m.set("in.qA.reference", -0.2)
        m.step(0.031, 0.005)
        m.call("SetFMUState", state)
        m.step(0.011, 0.02)
        self.assertEqual([m.get(n) for n in ("qA.q", "qB.v", "P.z", "qA.force", "work.drive")], want)
        taken = ctypes.c_void_p()
        other.call("DeserializeFMUState", stored, size, ctypes.byref(taken))
        other.call("SetFMUState", taken)
        self.assertEqual(other.get("parameter.m5"), 6.0)
        self.assertEqual(other.get("in.qA.reference"), 0.1)
        other.step(0.011, 0.02)
        self.assertEqual([other.get(n) for n in ("qA.q", "qB.v", "P.z", "qA.force", "work.drive")], want)
        m.call("FreeFMUState", ctypes.byref(state))
        other.call("FreeFMUState", ctypes.byref(taken))
        for x in (m, other):
            x.dll.fmi3FreeInstance(x.c)

    def test_a_step_returns_early_at_a_touch(self):
        run = "run: 1\nfor: 30 ms\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e8, start: centred}}\n"
        fmu = self.export(SIAX, "--fmi", "3", "--run", self.write("r.yaml", run))
        m, whole = Fmi3(fmu, early=True), Fmi3(fmu)
        for x in (m, whole):
            x.begin(0.03)
        early, t = m.step(0.0, 0.02)
        self.assertTrue(early and 0.0 < t < 0.02)
        self.assertAlmostEqual(m.get("A.left1.gap"), 0.0, delta=1e-10)
        self.assertEqual(whole.step(0.0, 0.02)[0], False)
        for x in (m, whole):
            x.dll.fmi3FreeInstance(x.c)

    def test_parameters_set_in_initialisation_mode_count(self):
        m = Fmi3(self.export(SIAX, "--fmi", "3"))
        m.call("EnterInitializationMode", False, ctypes.c_double(0), ctypes.c_double(0), True, ctypes.c_double(0.05))
        m.set("parameter.l2", 1.2)
        depth = (1.2**2 - (0.25 + 0.5 - 0.097)**2)**0.5
        self.assertAlmostEqual(m.get("parameter.depth"), depth, delta=1e-15)
        self.assertAlmostEqual(m.get("P.z"), -depth, delta=1e-12)
        m.set("parameter.depth", 1.0, status=3)
        m.call("ExitInitializationMode")
        m.set("parameter.l2", 1.1, status=3)
        m.dll.fmi3FreeInstance(m.c)

    def directional(self, m, unknown, known, seed):
        pair = lambda names: (ctypes.c_uint32 * len(names))(*[m.fmu.reference(n) for n in names])
        out = (ctypes.c_double * len(unknown))()
        m.call("GetDirectionalDerivative", pair(unknown), ctypes.c_size_t(len(unknown)), pair(known),
               ctypes.c_size_t(len(known)), (ctypes.c_double * len(seed))(*seed), ctypes.c_size_t(len(seed)), out,
               ctypes.c_size_t(len(unknown)))
        return list(out)

    def test_directional_derivatives_are_the_inverse_of_inertia(self):
        """Accelerations are linear in the forces: the derivative is a difference of any size, and symmetric."""
        m = Fmi3(self.export(SIAX, "--fmi", "3", "--kind", "both"))
        m.begin(0.05)
        m.step(0.0, 0.02)
        drives = ["qA", "qB", "qC"]
        column = [self.directional(m, [d + ".a" for d in drives], [f"in.{k}.force"], [1.0]) for k in drives]
        for i in range(3):
            for k in range(3):
                self.assertAlmostEqual(column[i][k], column[k][i], delta=1e-7 * abs(column[0][0]))
        before = m.get("qB.a")
        m.set("in.qA.force", 10.0)
        self.assertAlmostEqual((m.get("qB.a") - before) / 10.0, column[0][1], delta=1e-7 * abs(column[0][0]))
        m.dll.fmi3FreeInstance(m.c)

    def test_derivatives_of_knowns_of_all_sizes(self):
        """Accelerations are linear in forces of any size: a seed of several is the sum of single ones, and all is as it was
        afterwards, also after a question that has no answer."""
        m = Fmi3(self.export(SIAX, "--fmi", "3", "--kind", "me"), exchange=True)
        m.begin(0.05)
        flags, t = [ctypes.c_bool() for _ in range(5)], ctypes.c_double()
        m.call("UpdateDiscreteStates", *map(ctypes.byref, flags), ctypes.byref(t))
        m.call("EnterContinuousTimeMode")
        m.set("in.qA.force", 3e5)
        unknown, known, seed = ["qA.a", "der(state.4)"], ["in.qA.force", "state.2", "in.tool.fz"], [0.5, 2.0, -1.0]
        singly = [self.directional(m, unknown, [k], [s]) for k, s in zip(known, seed)]
        before = [m.get(n) for n in unknown + known]
        both = self.directional(m, unknown, known, seed)
        for k, value in enumerate(both):
            total = sum(one[k] for one in singly)
            self.assertAlmostEqual(value, total, delta=1e-6 * max(abs(one[k]) for one in singly))
        self.assertEqual([m.get(n) for n in unknown + known], before)
        m.set("in.qA.force", 0.0)
        quiet = self.directional(m, unknown, ["state.2"], [2.0])
        m.set("in.qA.force", 3e5)  # d a / d x has a part that grows with the force; both by steps of the coordinate
        x, h, ends = m.get("state.2"), 1e-4, []
        n = len(m.fmu.rates())
        states = (ctypes.c_double * n)()
        m.call("GetContinuousStates", states, ctypes.c_size_t(n))
        for side in (-h, h):
            moved = (ctypes.c_double * n)(*states)
            moved[1] = x + side
            m.call("SetContinuousStates", moved, ctypes.c_size_t(n))
            ends.append(m.get("qA.a"))
        m.call("SetContinuousStates", states, ctypes.c_size_t(n))
        slope = 2.0 * (ends[1] - ends[0]) / (2 * h)
        self.assertGreater(abs(slope - quiet[0]), 1.0)
        self.assertAlmostEqual(singly[1][0], slope, delta=1e-4 * abs(slope))
        m.call("GetDirectionalDerivative", (ctypes.c_uint32 * 1)(m.fmu.reference("qA.a")), ctypes.c_size_t(1),
               (ctypes.c_uint32 * 1)(m.fmu.reference("in.qA.force")), ctypes.c_size_t(1), (ctypes.c_double * 1)(float("nan")),
               ctypes.c_size_t(1), (ctypes.c_double * 1)(), ctypes.c_size_t(1), status=3)
        self.assertEqual([m.get(n) for n in unknown + known], before)
        m.dll.fmi3FreeInstance(m.c)

    def test_model_exchange_derivatives_by_states(self):
        m = Fmi3(self.export(SIAX, "--fmi", "3", "--kind", "me"), exchange=True)
        m.begin(0.05)
        n, t = len(m.fmu.rates()), ctypes.c_double()
        flags = [ctypes.c_bool() for _ in range(5)]
        m.call("UpdateDiscreteStates", *map(ctypes.byref, flags), ctypes.byref(t))
        m.call("EnterContinuousTimeMode")
        x = (ctypes.c_double * n)()
        m.call("GetContinuousStates", x, ctypes.c_size_t(n))
        # the rate of a coordinate is its velocity
        self.assertAlmostEqual(self.directional(m, ["der(state.1)"], ["state.4"], [1.0])[0], 1.0, delta=1e-9)
        rate = (ctypes.c_double * n)()
        got = self.directional(m, ["der(state.4)"], ["state.2"], [2.0])[0]
        h, ends = 1e-4, []
        for side in (-h, h):
            moved = (ctypes.c_double * n)(*x)
            moved[1] += side
            m.call("SetContinuousStates", moved, ctypes.c_size_t(n))
            m.call("GetContinuousStateDerivatives", rate, ctypes.c_size_t(n))
            ends.append(rate[3])
        self.assertAlmostEqual(got, 2.0 * (ends[1] - ends[0]) / (2 * h), delta=1e-5 * abs(got) + 1e-5)
        m.dll.fmi3FreeInstance(m.c)


class TestAnyOrder(Fmus):
    """Calls in any order: a status for each, and an instance that is reset is as new."""

    def wander(self, m, dice, exchange):
        """One call, allowed here or not."""
        d, s, n, b = ctypes.c_double, ctypes.c_size_t, len(m.fmu.rates()), ctypes.byref
        numbers, flags = (d * max(n, 1))(), [ctypes.c_bool() for _ in range(5)]
        dll, c, t = m.dll, m.c, d(dice.choice((0.0, 0.004, 0.008, -1.0, float("nan"))))
        vr = (ctypes.c_uint32 * 1)(dice.choice((m.fmu.reference("qA.q"), m.fmu.reference("in.qA.force"), m.fmu.reference(
            "parameter.m5"), m.fmu.reference("parameter.depth"), m.fmu.reference("qA.a"), 77)))
        value = (d * 1)(dice.choice((4.0, 5.0, -3.0, 1e3, float("inf"))))
        state = dice.randrange(len(m.states))
        kept, size = m.states[state], s()
        calls = [
            lambda: dll.fmi3EnterInitializationMode(c, False, d(0), d(0), dice.random() < 0.5, d(0.05)),
            lambda: dll.fmi3ExitInitializationMode(c), lambda: dll.fmi3Terminate(c), lambda: dll.fmi3Reset(c),
            lambda: dll.fmi3GetFloat64(c, vr, s(1), value, s(1)), lambda: dll.fmi3SetFloat64(c, vr, s(1), value, s(1)),
            lambda: dll.fmi3DoStep(c, t, d(0.004), True, *map(b, flags[:3]), b(d())),
            lambda: dll.fmi3GetFMUState(c, b(kept)), lambda: dll.fmi3SetFMUState(c, kept),
            lambda: dll.fmi3FreeFMUState(c, b(kept)), lambda: dll.fmi3SerializedFMUStateSize(c, kept, b(size)),
            lambda: dll.fmi3GetDirectionalDerivative(c, vr, s(1), vr, s(1), value, s(1), (d * 1)(), s(1)),
            lambda: dll.fmi3EnterEventMode(c), lambda: dll.fmi3EnterContinuousTimeMode(c), lambda: dll.fmi3SetTime(c, t),
            lambda: dll.fmi3UpdateDiscreteStates(c, *map(b, flags), b(d())),
            lambda: dll.fmi3GetContinuousStates(c, numbers, s(n)), lambda: dll.fmi3SetContinuousStates(c, numbers, s(n)),
            lambda: dll.fmi3GetContinuousStateDerivatives(c, numbers, s(n)), lambda: dll.fmi3GetEventIndicators(c, numbers, s(1)),
            lambda: dll.fmi3CompletedIntegratorStep(c, True, b(flags[0]), b(flags[1])),
            lambda: dll.fmi3GetInt32(c, vr, s(1), (ctypes.c_int32 * 1)(), s(1)),
        ]
        assert dice.choice(calls)() in (0, 1, 2, 3)

    def end_of(self, m, exchange):
        """Where an instance gets to from its start."""
        m.begin(0.05)
        if exchange:
            m.call("UpdateDiscreteStates", *[ctypes.byref(ctypes.c_bool()) for _ in range(5)], ctypes.byref(ctypes.c_double()))
            m.call("EnterContinuousTimeMode")
            return [m.get(n) for n in ("qA.q", "qA.a", "P.z", "parameter.m5")]
        m.step(0.0, 0.004)
        return [m.get(n) for n in ("qA.q", "qA.a", "P.z", "parameter.m5")]

    def wander_through(self, fmu, exchange, seed):
        dice, m = random.Random(seed), Fmi3(fmu, exchange)
        m.states = [ctypes.c_void_p() for _ in range(3)]
        for _ in range(300):
            self.wander(m, dice, exchange)
        for state in m.states:
            m.dll.fmi3FreeFMUState(m.c, ctypes.byref(state))
        m.call("Reset")
        new = Fmi3(fmu, exchange)
        assert self.end_of(m, exchange) == self.end_of(new, exchange), seed
        for x in (m, new):
            x.dll.fmi3FreeInstance(x.c)

    def test_random_calls_get_statuses_and_a_reset_forgets_them(self):
        fmu = self.export(SIAX, "--fmi", "3", "--kind", "both")
        for exchange in (False, True):
            for seed in range(6):
                child = os.fork()
                if child == 0:
                    try:
                        self.wander_through(fmu, exchange, seed)
                        os._exit(0)
                    except BaseException:
                        traceback.print_exc()
                        os._exit(1)
                self.assertEqual(os.waitpid(child, 0)[1], 0, (exchange, seed))


if __name__ == "__main__":
    unittest.main()
