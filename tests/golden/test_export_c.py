"""`pkm export c`: for every robot the code compiles as C99 without a warning, calls nothing beyond libm, and its own
test meets the engine; a number changed in the code makes that test fail; runs along a motion meet the closed form."""

import csv
import re
import shutil
import subprocess
import unittest

from program import ROBOTS, ROOT, Program

CC = shutil.which("cc") or shutil.which("gcc")
SIAX = ROOT / "robots" / "siax.yaml"


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
        robots = ROBOTS + sorted((ROOT / "robots" / "bench").glob("*.yaml"))
        self.assertGreater(len(robots), 13)
        for model in robots:
            with self.subTest(model=model.name):
                name = self.export(model)
                built = self.compile(name + ".c", name + "_test.c")
                self.assertEqual(built.returncode, 0, built.stderr[:2000])
                done = self.compare()
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertRegex(done.stdout, r": ok, largest difference \d")

    def test_nothing_is_called_beyond_libm(self):
        name = self.export(SIAX)
        subprocess.run([CC, "-std=c99", "-O1", "-fno-stack-protector", "-c", name + ".c"], cwd=self.folder / "code",
                       check=True, timeout=300)
        names = subprocess.run(["nm", "-u", name + ".o"], cwd=self.folder / "code", capture_output=True, text=True,
                               check=True).stdout
        called = set(re.findall(r"U (\w+)", names)) - {"_GLOBAL_OFFSET_TABLE_"}
        # sincos: what compilers make of sin and cos of one angle; memcpy: of a loop that copies
        self.assertLessEqual(called, {"sin", "cos", "sincos", "sqrt", "fabs", "memcpy", "memmove"})

    def test_a_changed_number_is_noticed(self):
        name = self.export(ROOT / "robots" / "five-bar.yaml")
        path = self.folder / "code" / (name + ".c")
        text = path.read_text(encoding="utf-8")
        number = re.compile(r"\* (0\.\d{3,})").search(text, text.index("forces_from_tool"))
        changed = str(1.001 * float(number.group(1)))
        path.write_text(text[:number.start(1)] + changed + text[number.end(1):], encoding="utf-8")
        self.compile(name + ".c", name + "_test.c")
        done = self.compare()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("differs", done.stdout)

    def test_a_motion_meets_the_closed_form(self):
        """Along the pick of the Delta: forces of the code against those of the closed form, which share nothing."""
        name = self.export(SIAX, "--what", "inverse")
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

    def test_compare_takes_the_code(self):
        """Any robot, also one without closed form, along its motions, however few the instants."""
        for robot, instants in (("gough-stewart", 401), ("planar-3rrr", 101), ("triglide", 3)):
            done = self.answer("compare", ROOT / "robots" / f"{robot}.yaml", "--generated", "--instants", instants)
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

    def test_what_cannot_be_exported_is_refused(self):
        self.assertIn("inverse", self.refused(2, "export", "c", SIAX, "--what", "ik,invers"))
        self.assertIn("expected fmu or c", self.refused(2, "export", "d", SIAX))
        self.assertIn("expected", self.refused(2, "export", "c", SIAX, "--passes", "0"))


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

if __name__ == "__main__":
    unittest.main()
