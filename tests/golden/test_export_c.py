"""`pkm export c`: for every robot the code, of its closed form and of its mechanism, compiles as C99 without a warning,
calls nothing beyond libm, and its own test meets the engine; a number changed in the code makes that test fail; both codes
meet along a motion, and what the closed form does not reach is refused."""

import csv
import math
import re
import shutil
import subprocess
import unittest

from program import ROBOTS, ROOT, Program

CC = shutil.which("cc") or shutil.which("gcc")
SIAX = ROOT / "robots" / "siax.yaml"
CLOSED = {"siax": "delta", "irb340": "delta", "kuo": "delta", "lindelta": "linear_delta", "triglide": "triglide",
          "3pprs": "3pprs", "3ppsr": "3ppsr", "isoglideT3": "isoglide_t3", "isoglide4": "isoglide4", "prrr2prpar": "prrr2prpar"}


@unittest.skipIf(CC is None, "needs a C compiler")
class ExportC(Program):
    def export(self, model, *options):
        done = self.pkm("export", "c", model, "-o", "code", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return re.search(r"(\w+)_test\.c", done.stdout).group(1)

    def compile(self, *sources):
        return subprocess.run([CC, "-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-pedantic", *sources, "-lm"],
                              cwd=self.folder / "code", capture_output=True, text=True, timeout=300)

    def compare(self, text=""):
        return subprocess.run(["./a.out"], cwd=self.folder / "code", input=text, capture_output=True, text=True, timeout=60)

    def test_every_robot_meets_the_engine(self):
        robots = ROBOTS + [path for path in sorted((ROOT / "robots" / "bench").glob("*.yaml")) if "\ndrives:" in path.read_text()]
        self.assertGreater(len(robots), 13)
        for model in robots:
            with self.subTest(model=model.name):
                self.meets_the_engine(model)
                if model.stem in CLOSED:
                    self.meets_the_engine(model, "--general")

    def meets_the_engine(self, model, *options):
        name = self.export(model, *options)
        built = self.compile(name + ".c", name + "_test.c")
        self.assertEqual(built.returncode, 0, built.stderr[:2000])
        done = self.compare()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r": ok, largest difference \d")

    def test_closed_forms_are_taken(self):
        """Of every robot that has one, unless --general asks for the mechanism; equations are named."""
        for robot, family in CLOSED.items():
            done = self.answer("export", "c", ROOT / "robots" / f"{robot}.yaml", "--what", "ik", "-o", "code")
            self.assertEqual(done["form"], "closed form " + family)
            source = (self.folder / "code" / (done["prefix"] + ".c")).read_text(encoding="utf-8")
            self.assertRegex(source, r"/\* slides|/\* cranks")
            self.assertRegex(source, r"closed-[\w-]+\.md \(\d")
        done = self.answer("export", "c", SIAX, "--what", "ik", "--general", "-o", "code")
        self.assertEqual(done["form"], "from the mechanism")
        done = self.answer("export", "c", ROOT / "robots" / "five-bar.yaml", "--what", "ik", "-o", "code")
        self.assertEqual(done["form"], "from the mechanism")

    def test_out_of_reach_is_refused(self):
        """A pose that no limb reaches, one beyond a singularity, NaN, and drives that no platform fits: status 1, results and
        state as they were; and the branch of home is kept after jumps."""
        name = self.export(SIAX)
        self.write("code/main.c", REACH_MAIN.replace("NAME", name))
        built = self.compile(name + ".c", "main.c")
        self.assertEqual(built.returncode, 0, built.stderr)
        done = self.compare()
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_a_step_that_is_no_number_is_refused(self):
        """The first component of a step of Newton's method made NaN, those behind it finite: no pose, where there was one."""
        for robot, form in (("3ppsr", "closed form"), ("gough-stewart", "from the mechanism")):
            model = ROOT / "robots" / f"{robot}.yaml"
            self.assertIn(form, self.answer("export", "c", model, "-o", "code")["form"])
            name = self.export(model)
            path = self.folder / "code" / (name + ".c")
            text = path.read_text(encoding="utf-8")
            for broken, ends in (("", 0), (" step[0] = NAN;", 1)):
                wrong = re.sub(r"(\n +drive_pass\([^;]*, next, step\);)", r"\1" + broken, text)
                self.assertEqual(wrong != text, ends == 1)
                path.write_text(wrong, encoding="utf-8")
                built = self.compile(name + ".c", name + "_test.c")
                self.assertEqual(built.returncode, 0, built.stderr[:2000])
                self.assertEqual(self.compare().returncode, ends, robot)

    def test_a_turn_that_the_tool_does_not_make_is_refused(self):
        """R turned by 0.02 rad about x, y, z at home: taken where the tool turns, else status 1, state and results as they were."""
        turns = {"isoglide4": "101", "3pprs": "000", "3ppsr": "000"}
        for robot in CLOSED:
            name = self.export(ROOT / "robots" / f"{robot}.yaml", "--what", "ik,inverse")
            self.write("code/main.c", TURN_MAIN.replace("NAME", name))
            built = self.compile(name + ".c", "main.c")
            self.assertEqual(built.returncode, 0, built.stderr)
            self.assertEqual(self.compare().stdout, turns.get(robot, "111"), robot)

    def test_a_closed_form_of_another_robot_is_refused(self):
        """Parameters with seven digits pass the check of the model, but the code would miss its own test."""
        text = SIAX.read_text(encoding="utf-8")
        at = text.index("closed_form:")
        close = re.sub(r"(rod_length: *=\S+)", r"\1*1.0000003", text[at:], count=1)
        self.assertNotEqual(close, text[at:])
        model = self.write("near.yaml", text[:at] + close)
        self.assertIn("--general", self.refused(2, "export", "c", model, "-o", "code"))
        self.meets_the_engine(model, "--general")

    def test_nothing_is_called_beyond_libm(self):
        for form in ([], ["--general"]):
            name = self.export(SIAX, *form)
            subprocess.run([CC, "-std=c99", "-O1", "-fno-stack-protector", "-c", name + ".c"], cwd=self.folder / "code",
                           check=True, timeout=300)
            names = subprocess.run(["nm", "-u", name + ".o"], cwd=self.folder / "code", capture_output=True, text=True,
                                   check=True).stdout
            called = set(re.findall(r"U (\w+)", names)) - {"_GLOBAL_OFFSET_TABLE_"}
            # sincos: what compilers make of sin and cos of one angle; memcpy: of a loop that copies
            self.assertLessEqual(called, {"sin", "cos", "sincos", "atan2", "sqrt", "fabs", "memcpy", "memmove"})

    def test_a_changed_number_is_noticed(self):
        for robot in ("five-bar", "siax"):
            name = self.export(ROOT / "robots" / f"{robot}.yaml")
            path = self.folder / "code" / (name + ".c")
            text = path.read_text(encoding="utf-8")
            number = re.compile(r"(0\.\d{3,}) \*").search(text, text.index("void forces_from_tool"))
            changed = str(1.001 * float(number.group(1)))
            path.write_text(text[:number.start(1)] + changed + text[number.end(1):], encoding="utf-8")
            self.compile(name + ".c", name + "_test.c")
            done = self.compare()
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("differs", done.stdout)

    def test_a_motion_meets_the_closed_form(self):
        """Along the pick of the Delta: forces of both codes against those of the closed form in the library, which shares
        nothing with the code of the mechanism."""
        for form in ([], ["--general"]):
            self.meets_the_closed_form(form)

    def meets_the_closed_form(self, form):
        name = self.export(SIAX, "--what", "inverse", *form)
        done = self.pkm("inverse", SIAX, "--method", "closed", "--instants", "401", "-o", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / "run" / "table.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
        head = [cell.split(" ")[0] for cell in rows[0]]
        tool = next(cell for cell in head if cell.endswith(".ax"))[:-3]
        pick = [head.index(f"{tool}.{c}") for c in ("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az")]
        pick += [k for k, cell in enumerate(head) if cell.endswith(".force")]
        self.assertEqual(len(pick), 12)
        self.write("code/main.c", MAIN.replace("NAME", name))
        built = self.compile(name + ".c", "main.c")
        self.assertEqual(built.returncode, 0, built.stderr)
        done = self.compare("\n".join(" ".join(row[k] for k in pick) for row in rows[1:]))
        count, error = done.stdout.split()
        self.assertEqual(int(count), 401)
        self.assertLess(float(error), 1e-9)

    def test_a_path_in_even_ticks_takes_one_pass(self):
        """The extrapolated start changes how many passes are needed, never the answer: along a path, at rest, after
        jumps and turned back, and when two poses are asked in turn."""
        for robot, home in (("siax", "0, 0, -0.8"), ("gough-stewart", "0, 0, 0.53")):
            name = self.export(ROOT / "robots" / f"{robot}.yaml", "--what", "inverse", "--general")
            path = self.folder / "code" / (name + ".c")
            text = path.read_text(encoding="utf-8")
            counted = text.replace("double largest = 0.0;", "double largest = 0.0; extern int n_pass; ++n_pass;")
            self.assertNotEqual(text, counted)
            path.write_text(counted, encoding="utf-8")
            self.write("code/main.c", PATH_MAIN.replace("NAME", name).replace("HOME", home))
            built = self.compile(name + ".c", "main.c")
            self.assertEqual(built.returncode, 0, built.stderr)
            done = self.compare()
            self.assertEqual(done.returncode, 0, done.stdout)
            even, plain, error = (float(x) for x in done.stdout.split())
            self.assertLess(even, 1.1)
            self.assertGreater(plain, 2.0)
            self.assertLess(error, 1e-11)

    def test_compare_takes_the_code(self):
        """Any robot, also one without closed form, along its motions, however few the instants."""
        cases = [("gough-stewart", 401), ("planar-3rrr", 101), ("triglide", 3), *((robot, 41) for robot in CLOSED)]
        cases += [(robot, 41, "--general") for robot in ("siax", "3ppsr", "isoglide4")]
        for robot, instants, *form in cases:
            done = self.answer("compare", ROOT / "robots" / f"{robot}.yaml", "--generated", *form, "--instants", instants)
            self.assertEqual(done["against"], "generated code")
            self.assertGreater(max(d["largest_force"] for d in done["drives"]), 0.1)
            self.assertLess(done["relative_difference"], 1e-11)

    def test_names_are_comments_never_code(self):
        text = (ROOT / "robots" / "five-bar.yaml").read_text(encoding="utf-8")
        hostile = re.sub(r"(?m)^name:.*$", "name: '*/ int evil; /*'", text, count=1)
        self.assertIn("evil", hostile)
        name = self.export(self.write("hostile.yaml", hostile))
        built = self.compile(name + ".c", name + "_test.c")
        self.assertEqual(built.returncode, 0, built.stderr)
        header = (self.folder / "code" / (name + ".h")).read_text(encoding="utf-8")
        self.assertNotIn("*/ int evil", header)

    def test_latex_says_what_the_code_computes(self):
        """Formulas of the document, computed here, from the tool's pose to drive forces of the engine."""
        for robot in ("five-bar", "siax"):
            name = self.export(ROOT / "robots" / f"{robot}.yaml", "--what", "inverse", "--latex", "--general")
            text = (self.folder / "code" / (name + ".tex")).read_text(encoding="utf-8")
            self.assertTrue(text.startswith("\\documentclass") and text.endswith("\\end{document}\n"))
            self.assertEqual(text.count("{"), text.count("}"))
            self.assertEqual(text.count("$") % 2, 0)
            code = (self.folder / "code" / (name + ".c")).read_text(encoding="utf-8")
            home = [float(x) for x in re.search(r"home\[\d+\] = \{([^}]*)\}", code).group(1).split(",")]
            passes, forces = section(text, "Loops from the tool"), section(text, "Drive forces of a motion of the tool")
            vectors = test_vectors((self.folder / "code" / (name + "_test.c")).read_text(encoding="utf-8"))
            self.assertEqual(len(vectors), 12)
            for v in vectors:
                q = dict(enumerate(home, 1))
                for k in range(1, 17):  # as the test of the code goes there
                    p = [a + (b - a) * k / 16 for a, b in zip(vectors[0]["p"], v["p"])]
                    for _ in range(4):
                        new = run(passes, {"q": list(q.values()), "p": p, "R": v["R"]})
                        q = {i: new[f"qplus_{i}"] for i in q}
                out = run(forces, {"q": list(q.values()), "V": v["twist"], "dV": v["twist_rate"], "W": v["wrench"]})
                for d, wanted in enumerate(v["force"], 1):
                    self.assertAlmostEqual(out[f"f_{d}"], wanted, delta=1e-8 * max(map(abs, v["force"])))

    def test_latex_of_a_closed_form(self):
        """The same of closed forms: from the pose to drives and forces, nothing iterated."""
        for robot in ("siax", "3ppsr", "isoglide4", "prrr2prpar"):
            name = self.export(ROOT / "robots" / f"{robot}.yaml", "--what", "inverse", "--latex")
            forces = section((self.folder / "code" / (name + ".tex")).read_text(encoding="utf-8"),
                             "Drive forces of a motion of the tool")
            for v in test_vectors((self.folder / "code" / (name + "_test.c")).read_text(encoding="utf-8")):
                out = run(forces, {"p": v["p"], "R": v["R"], "V": v["twist"], "dV": v["twist_rate"], "W": v["wrench"]})
                for d, (drive, force) in enumerate(zip(v["drive"], v["force"]), 1):
                    self.assertAlmostEqual(out[f"theta_{d}"], drive, delta=1e-9)
                    self.assertAlmostEqual(out[f"f_{d}"], force, delta=1e-8 * max(map(abs, v["force"])))

    @unittest.skipUnless(shutil.which("pdflatex"), "no LaTeX")
    def test_latex_compiles(self):
        """Without an error or a line that runs out of the page; names of the model cannot break it."""
        text = (ROOT / "robots" / "five-bar.yaml").read_text(encoding="utf-8")
        hostile = re.sub(r"(?m)^name:.*$", r"name: 'R_1 & 50% {of} $x \\end{document} #^~'", text, count=1)
        for model in (self.write("hostile.yaml", hostile), SIAX):
            name = self.export(model, "--latex")
            done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", name + ".tex"],
                                  cwd=self.folder / "code", capture_output=True, text=True, errors="replace", timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout[-2000:])
            self.assertIn("Output written", done.stdout)
            self.assertNotIn("Overfull", done.stdout)

    def test_blocks_of_simulink(self):
        """Compiled against a stand-in for Simulink's header: the torque block gives the engine's forces; the plant, under
        forces of inverse dynamics, its accelerations."""
        for robot in ("five-bar", "gough-stewart", "triglide"):
            name = self.export(ROOT / "robots" / f"{robot}.yaml", "--sfunction")
            vectors = test_vectors((self.folder / "code" / (name + "_test.c")).read_text(encoding="utf-8"))
            self.write("code/simstruc.h", SIMSTRUC)
            self.write("code/cg_sfun.h", "/* nothing of code generation is needed here */\n")
            for block in ("torque", "plant"):
                self.write("code/main.c", BLOCK_MAIN.replace("BLOCK", f"{name}_{block}").replace("PLANT", str(int(block == "plant"))))
                built = self.compile("main.c", name + ".c")
                self.assertEqual(built.returncode, 0, built.stderr[:2000])
                v = vectors[0]  # home, where the plant stands
                inputs = [v["force"], v["wrench"]] if block == "plant" else [v["drive"], v["rate"], v["acc"], v["wrench"]]
                done = self.compare(" ".join(str(x) for x in sum(inputs + ([v["rate"]] if block == "plant" else []), [])))
                self.assertEqual(done.returncode, 0, done.stderr)
                is_, wanted = [float(x) for x in done.stdout.split()], v["acc"] if block == "plant" else v["force"]
                self.assertEqual(len(is_), len(wanted))
                for a, b in zip(is_, wanted):
                    self.assertAlmostEqual(a, b, delta=1e-8 * max(1.0, *map(abs, wanted)))

    @unittest.skipUnless(shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-arm"), "no compiler for ARM, or no qemu")
    def test_it_runs_on_an_arm(self):
        """The test that goes along, on a Cortex-A9 without an operating system; and code for a Cortex-M7."""
        for robot in ("five-bar", "siax", "3ppsr", "isoglide4"):  # from the mechanism, and three closed forms
            name = self.export(ROOT / "robots" / f"{robot}.yaml")
            folder = self.folder / "code"
            arm = ["arm-none-eabi-gcc", "-std=c99", "-O2", "-Wall", "-Werror"]
            subprocess.run([*arm, "-mcpu=cortex-m7", "-mfpu=fpv5-d16", "-mfloat-abi=hard", "-mthumb", "-c", name + ".c"],
                           cwd=folder, check=True, timeout=300)
            subprocess.run([*arm, "-mcpu=cortex-a9", "-mfpu=vfpv3-d16", "-mfloat-abi=hard", "--specs=rdimon.specs", name + ".c",
                            name + "_test.c", "-lm", "-o", "arm.elf"], cwd=folder, check=True, timeout=300)
            done = subprocess.run(["qemu-arm", "arm.elf"], cwd=folder, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r": ok, largest difference \d")

    def test_what_cannot_be_exported_is_refused(self):
        self.assertIn("inverse", self.refused(2, "export", "c", SIAX, "--what", "ik,invers"))
        self.assertIn("expected fmu or c", self.refused(2, "export", "d", SIAX))
        self.assertIn("expected", self.refused(2, "export", "c", SIAX, "--passes", "0"))


SYMBOLS = (("\\ddot{\\theta}", "ddtheta"), ("\\dot{\\theta}", "dtheta"), ("\\dot{V}", "dV"), ("q^{+}", "qplus"),
           ("\\theta", "theta"), ("\\delta", "delta"), ("\\cdot", "*"), ("\\sin", "sin"), ("\\cos", "cos"),
           ("\\sqrt", "sqrt"), ("10^{", "10.0**{"), ("\\operatorname{atan2}", "atan2"))


def section(text, title):
    """The statements of a section as Python: formulas of LaTeX, with fractions and indices as they stand."""
    body = text[text.index("\\section{" + title):]
    body = body[:body.find("\\section{", 1)] if "\\section{" in body[1:] else body
    lines = []
    for formula in re.findall(r"(?m)^\$(.*)\$\\\\$", body):
        for symbol, word in SYMBOLS:
            formula = formula.replace(symbol, word)
        formula = re.sub(r"(\w)_\{(\d+)\}", r"\1_\2", formula)
        lines.append(unfold(formula).replace("{", "(").replace("}", ")"))
    return compile("\n".join(lines), title, "exec")


def closing(text, at):
    """Where the brace that opens at `at` closes."""
    depth = 0
    for k in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[k], 0)
        if depth == 0:
            return k
    raise ValueError(text)


def unfold(formula):
    """Fractions as quotients."""
    while "\\dfrac{" in formula:
        start = formula.rindex("\\dfrac{")
        middle = closing(formula, start + 6)
        end = closing(formula, middle + 1)
        above, below = formula[start + 7:middle], formula[middle + 2:end]
        formula = f"{formula[:start]}(({above})/({below})){formula[end + 1:]}"
    return formula


def run(statements, inputs):
    names = {f"{name}_{k}": x for name, values in inputs.items() for k, x in enumerate(values, 1)}
    names.update(sin=math.sin, cos=math.cos, sqrt=math.sqrt, atan2=math.atan2)
    exec(statements, {}, names)  # what is used before it stands fails
    return names


def test_vectors(text):
    fields = ("p", "R", "twist", "twist_rate", "wrench", "drive", "rate", "acc", "force")
    groups = [[float(x) for x in g.split(",")] for g in re.findall(r"\{([-\d.e+, ]+)\}", text[text.index("vectors["):])]
    return [dict(zip(fields, groups[k:k + 9])) for k in range(0, 9 * 12, 9)]


# The few words of simstruc.h that the blocks use, declared from its documentation.
SIMSTRUC = r"""
typedef double real_T;
typedef int int_T;
typedef struct SimStruct { int n_state, n_input, width[8], n_output, n_work; double x[32], dx[32], u[8][32], y[32], work[2048]; const char* error; } SimStruct;
#define CONTINUOUS_SAMPLE_TIME 0.0
#define INHERITED_SAMPLE_TIME (-1.0)
#define ssSetNumSFcnParams(S, n) (void)(S)
#define ssGetNumSFcnParams(S) 0
#define ssGetSFcnParamsCount(S) 0
#define ssSetNumContStates(S, n) (S)->n_state = (n)
#define ssSetNumDiscStates(S, n) (void)(S)
#define ssSetNumInputPorts(S, n) ((S)->n_input = (n), 1)
#define ssSetInputPortWidth(S, k, n) (S)->width[k] = (n)
#define ssSetInputPortRequiredContiguous(S, k, b) (void)(S)
#define ssSetInputPortDirectFeedThrough(S, k, b) (void)(S)
#define ssSetNumOutputPorts(S, n) 1
#define ssSetOutputPortWidth(S, k, n) (S)->n_output = (n)
#define ssSetNumSampleTimes(S, n) (void)(S)
#define ssSetNumRWork(S, n) (S)->n_work = (n)
#define ssSetSampleTime(S, k, t) (void)(S)
#define ssSetOffsetTime(S, k, t) (void)(S)
#define ssGetRWork(S) ((S)->work)
#define ssGetContStates(S) ((S)->x)
#define ssGetdX(S) ((S)->dx)
#define ssGetInputPortRealSignal(S, k) ((S)->u[k])
#define ssGetOutputPortRealSignal(S, k) ((S)->y)
#define ssSetErrorStatus(S, text) (S)->error = (text)
"""

BLOCK_MAIN = r"""
#include "BLOCK.c"
#include <stdio.h>
int main(void)
{
    static SimStruct S;
    int k, i;
    mdlInitializeSizes(&S);
    mdlInitializeSampleTimes(&S);
    if (S.n_work > 2048) return 5;
    mdlInitializeConditions(&S);
    for (k = 0; k < S.n_input; ++k)
        for (i = 0; i < S.width[k]; ++i)
            if (scanf("%lf", &S.u[k][i]) != 1) return 2;
#if PLANT
    const int n = S.n_state / 2;
    for (i = 0; i < n; ++i)
        if (scanf("%lf", &S.x[n + i]) != 1) return 2;
    mdlDerivatives(&S);
    for (i = 0; i < n; ++i)
        if (S.dx[i] != S.x[n + i]) return 3;
    for (i = 0; i < n; ++i)
        printf("%.17g ", S.dx[n + i]);
#endif
    mdlOutputs(&S, 0);
    for (i = 0; i < S.n_output; ++i)
        if (PLANT ? S.y[i] != S.x[i] : printf("%.17g ", S.y[i]) < 0) return 4;
    mdlTerminate(&S);
    return S.error != NULL;
}
"""

MAIN = r"""
#include "NAME.h"
#include <math.h>
#include <stdio.h>
int main(void)
{
    struct NAME_state s;
    const double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, none[6] = {0};
    double p[3], twist[6] = {0}, acc[6] = {0}, wanted[3], q[3], v[3], a[3], f[3], worst = 0.0, size = 0.0;
    int n = 0, k;
    NAME_home(&s);
    while (scanf("%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", p, p + 1, p + 2, twist, twist + 1, twist + 2, acc, acc + 1,
                 acc + 2, wanted, wanted + 1, wanted + 2) == 12) {
        if (NAME_inverse(&s, p, R, twist, acc, none, q, v, a, f)) return 1;
        ++n;
        for (k = 0; k < 3; ++k) {
            if (!(fabs(f[k] - wanted[k]) <= worst)) worst = fabs(f[k] - wanted[k]);
            if (fabs(wanted[k]) > size) size = fabs(wanted[k]);
        }
    }
    printf("%d %g\n", n, worst / size);
    return 0;
}
"""

# Ticks of 1 ms on a Lissajous figure of 20 mm at 20 rad/s; then rest, the way back, jumps of 10 mm, and two poses in turn.
# A second state is led without extrapolation; passes per call of both along the even part, and the largest difference of
# forces in all.
PATH_MAIN = r"""
#include "NAME.h"
#include <math.h>
#include <stdio.h>
int n_pass;
static double phase(int k)
{
    if (k < 600) return 0.02 * k;
    if (k < 650) return 12.0;
    if (k < 850) return 12.0 - 0.02 * (k - 650);
    if (k < 950) return 0.5 * (k % 7);
    return k % 2 ? 1.0 : 1.2;
}
int main(void)
{
    struct NAME_state s, plain;
    const double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, none[6] = {0}, home[3] = {HOME};
    double twist[6] = {0}, acc[6] = {0}, q[6], v[6], a[6], f[6], g[6], worst = 0.0, size = 0.0;
    int k, i, even = 0, slow = 0;
    NAME_home(&s);
    NAME_home(&plain);
    for (k = 0; k < 1050; ++k) {
        double p[3];
        for (i = 0; i < 3; ++i) {
            const double x = phase(k) + i;
            p[i] = home[i] + 0.02 * sin(x);
            twist[i] = 0.4 * cos(x);
            acc[i] = -8.0 * sin(x);
        }
        n_pass = 0;
        if (NAME_inverse(&s, p, R, twist, acc, none, q, v, a, f)) return 1;
        if (k >= 100 && k < 600) even += n_pass;
        n_pass = 0;
        plain.follows = 0.0;
        if (NAME_inverse(&plain, p, R, twist, acc, none, q, v, a, g)) return 1;
        if (k >= 100 && k < 600) slow += n_pass;
        for (i = 0; i < NAME_drives; ++i) {
            if (!(fabs(f[i] - g[i]) <= worst)) worst = fabs(f[i] - g[i]);
            if (fabs(f[i]) > size) size = fabs(f[i]);
        }
    }
    printf("%g %g %g\n", even / 500.0, slow / 500.0, worst / size);
    return 0;
}
"""

TURN_MAIN = r"""
#include "NAME.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const double none[6] = {0};
    int axis, c;
    for (axis = 0; axis < 3; ++axis) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        struct NAME_state s, kept;
        double R[9], drive[6], v[6], a[6], f[6];
        int status;
        NAME_home(&s);
        kept = s;
        for (c = 0; c < 3; ++c) {
            R[3 * axis + c] = s.R[3 * axis + c];
            R[3 * i + c] = cos(0.02) * s.R[3 * i + c] - sin(0.02) * s.R[3 * j + c];
            R[3 * j + c] = sin(0.02) * s.R[3 * i + c] + cos(0.02) * s.R[3 * j + c];
        }
        status = NAME_ik(&s, kept.p, R, drive);
        if (status && memcmp(&s, &kept, sizeof s) != 0) return 1;
        s = kept;
        if (NAME_inverse(&s, kept.p, R, none, none, none, drive, v, a, f) != status) return 1;
        printf("%d", status);
        if (NAME_ik(&s, kept.p, kept.R, drive)) return 1;
    }
    return 0;
}
"""

REACH_MAIN = r"""
#include "NAME.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failed;

static void expect(const char* what, int is)
{
    if (is) return;
    printf("%s\n", what);
    ++failed;
}

int main(void)
{
    static const double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, none[6] = {0};
    static const double wrong[4][3] = {{0, 0, -3}, {2, 0, -0.9}, {0, 0, 0.9}, {0, NAN, -0.9}};
    struct NAME_state s, kept;
    double drive[3] = {7, 7, 7}, back[3], p[3], axes[9], v[3], a[3], f[3] = {7, 7, 7};
    int c, k;
    NAME_home(&s);
    kept = s;
    for (c = 0; c < 4; ++c) {
        expect("ik", NAME_ik(&s, wrong[c], R, drive) == 1);
        expect("inverse", NAME_inverse(&s, wrong[c], R, none, none, none, drive, v, a, f) == 1);
    }
    expect("results", drive[0] == 7 && drive[2] == 7 && f[1] == 7);
    for (k = 0; k < 3; ++k)
        back[k] = k == 0 ? 1.5 : -3.0;
    back[1] = NAN;
    expect("fk", NAME_fk(&s, back, p, axes) == 1);
    expect("inverse_drives", NAME_inverse_drives(&s, back, none, none, none, f) == 1);
    expect("forward", NAME_forward(&s, back, none, none, none, f) == 1);
    expect("state", memcmp(&s, &kept, sizeof s) == 0);
    for (c = 0; c < 200; ++c) {
        const double at[3] = {0.4 * sin(7.0 * c), 0.4 * cos(11.0 * c), -0.8 - 0.2 * sin(3.0 * c)};
        if (NAME_ik(&s, at, R, drive)) continue;
        expect("there", NAME_fk(&s, drive, p, axes) == 0);
        for (k = 0; k < 3; ++k)
            expect("and back", fabs(p[k] - at[k]) < 1e-12 && fabs(drive[k]) < 1.6);
    }
    return failed > 0;
}
"""

if __name__ == "__main__":
    unittest.main()
