"""pkm fk and pkm ik through the program: they undo each other, list branches, and refuse what cannot be."""

import json
import math
import random
import re
import unittest

from program import ROBOTS, ROOT, Program

SIAX = ROOT / "robots/siax.yaml"


def text(values):
    """Numbers as an argument, all digits kept."""
    return ",".join(repr(value) for value in values)


class Kinematics(Program):
    # 1e-10 m is the bound asked for; closures are solved to 1e-12 m.
    def test_ik_of_fk_of_home_is_home(self):
        for path in ROBOTS:
            with self.subTest(path.stem):
                home = [drive["home"] for drive in self.answer("check", path)["drives"]]
                tool = self.answer("fk", path, f"--drives={text(home)}")["tool"]
                back = self.answer("ik", path, f"--at={text(tool['position'] + tool['rpy'])}")
                for a, b in zip(home, back["drives"]["position"]):
                    self.assertAlmostEqual(a, b, delta=1e-10)

    def test_drives_may_be_named_and_have_units(self):
        plain = self.answer("fk", SIAX, "--drives", "0.5,0.25,0.125")
        named = self.answer("fk", SIAX, "--drives", "qC=0.125, qA=0.5 rad, qB=250e-3")
        self.assertEqual(plain, named)

    # v = J qd: the Jacobian that is printed is the one that is used.
    def test_the_velocity_is_the_jacobian_times_the_drive_rates(self):
        rates = [1.0, -2.0, 0.5]
        said = self.answer("fk", SIAX, "--drives", "0.5,0.25,0.125", f"--velocity={text(rates)}")
        for row, v in zip(said["jacobian"], said["tool"]["velocity"]):
            self.assertAlmostEqual(sum(a * b for a, b in zip(row, rates)), v, delta=1e-12)

    def test_branches_of_the_delta_have_labels(self):
        ik = self.answer("ik", SIAX, "--at", "0.1,0,-0.9")["branches"]
        self.assertEqual(len({branch["label"] for branch in ik}), 8)
        fk = self.answer("fk", SIAX, "--drives", "0.5,0.25,0.125")["branches"]
        self.assertEqual(len({branch["label"] for branch in fk}), 2)

    # Arm 0.5 m, rods 1.106 m, base 0.25 m: nothing is 3 m away.
    def test_out_of_reach_is_exit_code_3(self):
        self.assertIn("out of reach", self.refused(3, "ik", SIAX, "--at", "0,0,-3"))

    # The tool moves in x and y: z = 0.5 m is not answered as z = 0.
    # A rod of 1.106 m from a ring of 0.5 m about a motor at 0.25 m to a ball 97 mm beside the tool: what the way there meets
    # is no reason.
    def test_beyond_the_reach_of_all_working_modes_no_singularity_is_blamed(self):
        def beyond(x, y, z):
            turns = [(math.cos(a), math.sin(a)) for a in (0.0, 2 * math.pi / 3, 4 * math.pi / 3)]
            return max(math.hypot(math.hypot(c * x + s * y - 0.153, z) - 0.5, c * y - s * x) - 1.106 for c, s in turns)

        for at in ((2.0, 0.0, -0.9), (5.0, 0.0, 0.0), (100.0, 0.0, -0.9)):
            said = self.refused(3, "ik", SIAX, f"--at={text(at)}")
            self.assertNotIn("singularity", said)
            self.assertAlmostEqual(float(re.search(r"out of reach by ([\d.]+) m", said)[1]), beyond(*at), delta=1e-5 * beyond(*at))

    def test_what_the_tool_cannot_take_is_refused(self):
        bar = ROOT / "robots/five-bar.yaml"
        said = self.refused(3, "ik", bar, "--at", "0,0.12,0.5")
        self.assertIn("0.5 m away", said)
        self.assertIn("(0, 0.12, 0) m", said)
        self.assertIn("cannot move so", self.refused(3, "ik", bar, "--at", "0,0.12,0", "--velocity", "1,0,1"))
        self.assertIn("rad away", self.refused(3, "ik", SIAX, "--at", "0,0,-0.9,0.1,0,0"))
        self.assertIn("away", self.refused(3, "stiffness", bar, "--at", "0,0.12,0.5"))

    def with_motion(self, robot, motion):
        """The model file of a robot with one more motion, `odd`."""
        text = (ROOT / f"robots/{robot}.yaml").read_text(encoding="utf-8")
        return self.write(f"{robot}.yaml", text.replace("\nmotions:\n", f"\nmotions:\n  odd: {motion}\n"))

    def ended(self, *arguments):
        """What a run says that ends early: exit code 3, its rows are kept."""
        done = self.pkm(*arguments)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        return done.stderr

    # Nobody answers for another path than the one that was asked for.
    def test_paths_that_the_tool_cannot_take_are_refused_by_every_method(self):
        line = "{law: septic, duration: 1 s, path: {line: {from: [0, 0.13, 0], to: [0, 0.14, 0.02]}}}"
        said = self.ended("inverse", self.with_motion("five-bar", line), "--motion", "odd")
        self.assertIn("moves in x, y only", said)
        model = self.with_motion("isoglide4", "{law: septic, duration: 1 s, path: {line: {from: [0.5, 0.5, 0.5], "
                                 "to: [0.55, 0.5, 0.5]}}, rpy: [0.1, 0, 0]}")
        for method in ("engine", "closed"):
            said = self.ended("inverse", model, "--motion", "odd", "--method", method)
            self.assertIn("motion odd", said)

    # What leaves the range of the closed form ends there, with the rows before it.
    def test_motions_that_leave_the_range_of_a_closed_form_are_refused(self):
        model = self.with_motion("triglide", "{law: septic, duration: 1 s, path: {line: {from: [0, 0, -0.5], "
                                 "to: [0, 0, -0.9]}}}")
        for verb in (("inverse", model, "--method", "closed"), ("compare", model)):
            with self.subTest(verb[0]):
                said = self.ended(*verb, "--motion", "odd", "--instants", "21")
                self.assertRegex(said, r"t = \S+ s: out of reach by \S+ m")
        self.refused(2, "compare", ROOT / "robots/five-bar.yaml")
        self.refused(2, "inverse", ROOT / "robots/five-bar.yaml", "--method", "closed")

    # The branch of home is kept however few the instants.
    def test_few_instants_keep_the_branch(self):
        for instants in (2, 3, 5):
            said = self.pkm("compare", ROOT / "robots/triglide.yaml", "--motion", "line", "--instants", instants).stdout
            self.assertLess(float(re.search(r"largest difference (\S+) of", said).group(1)), 1e-9)

    # Columns of points that share a name carry their full names, and all files are written.
    def test_outputs_of_equal_names_have_columns_of_their_own(self):
        model = self.write("twins.yaml", """
pkm: 1
name: twins
ground: {points: {O: [0, 0, 0]}}
bodies:
  a: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01], points: {O: [0, 0, 0], E: [0.2, 0, 0]}}
  b: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01], points: {O: [0, 0, 0], E: [0.2, 0, 0]}, pose: {at: [0.2, 0, 0]}}
joints:
  j1: {type: revolute, between: [ground.O, a.O], axis: y}
  j2: {type: revolute, between: [a.E, b.O], axis: y}
drives: {q1: {joint: j1}, q2: {joint: j2}}
tool: b.E
outputs: [a.E, b.O, a.O]
motions:
  m: {law: quintic, duration: 1 s, drives: {q1: [0, 1], q2: [0, 1]}}
""")
        done = self.pkm("inverse", model, "--instants", "5", "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = (self.folder / "out/table.csv").read_text().splitlines()[0].split(",")
        self.assertEqual(len(set(names)), len(names))
        for name in ("E.x [m]", "a.E.x [m]", "b.O.x [m]", "a.O.x [m]"):
            self.assertIn(name, names)
        self.assertTrue((self.folder / "out/table.h5").exists())

    # Two cranks of a parallelogram, both driven: one freedom. Their forces are not determined; with one
    # of them free they are.
    def test_more_drives_than_freedoms_are_refused(self):
        model = self.write("cranks.yaml", """
pkm: 1
name: cranks
ground: {points: {A: [0, 0, 0], B: [0.2, 0, 0]}}
bodies:
  a: {mass: 1, com: [0, 0, 0.15], inertia: [0.01, 0.01, 0.001], points: {O: [0, 0, 0], E: [0, 0, 0.3]}}
  b: {mass: 1, com: [0, 0, 0.15], inertia: [0.01, 0.01, 0.001], points: {O: [0, 0, 0], E: [0, 0, 0.3]}, pose: {at: [0.2, 0, 0]}}
  bar: {mass: 2, com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.02], points: {A: [0, 0, 0], B: [0.2, 0, 0]}, pose: {at: [0, 0, 0.3]}}
joints:
  a0: {type: revolute, between: [ground.A, a.O], axis: y}
  b0: {type: revolute, between: [ground.B, b.O], axis: y}
  a1: {type: revolute, between: [a.E, bar.A], axis: y}
  b1: {type: revolute, between: [b.E, bar.B], axis: y}
drives: {q: {joint: a0}, p: {joint: b0}}
tool: bar.A
home: {drives: {q: 0.3, p: 0.3}}
motions:
  m: {law: quintic, duration: 1 s, drives: {q: [0.3, 0.9], p: [0.3, 0.9]}}
""")
        for verb in ("inverse", "simulate"):
            self.assertIn("2 prescribed drives for 1 freedom", self.refused(2, verb, model))
        shown = self.pkm("check", model).stdout
        self.assertIn("not unique", shown)
        self.assertNotIn("drive forces are", shown)
        free = self.pkm("simulate", model, "--drive", "p: free", "--for", "0.1")
        self.assertEqual(free.returncode, 0, free.stderr)

    def test_wrong_numbers_are_exit_code_2(self):
        for at in ("0,0", "1,2,3,4", "a,b,c", "nan,0,0", "0 kg,0,0", ""):
            with self.subTest(at):
                self.refused(2, "ik", SIAX, f"--at={at}")
        self.refused(2, "ik", SIAX)
        self.refused(2, "fk", SIAX, "--drives", "1,2")
        self.refused(2, "fk", SIAX, "--drives", "qA=1, qX=2, qB=0")

    def test_a_drive_that_is_named_twice_is_refused(self):
        for verb in ("fk", "modes", "matrices", "draw"):
            self.assertIn("drive qA is given twice", self.refused(2, verb, ROOT / "robots/siax.yaml", "--drives", "qA=1, qB=0, qA=2"))

    def test_people_and_machines_see_the_same(self):
        said = self.answer("fk", SIAX, "--drives", "0.5,0.25,0.125")
        shown = self.pkm("fk", SIAX, "--drives", "0.5,0.25,0.125").stdout
        for value in said["tool"]["position"]:
            self.assertIn(f"{value:.9f}", shown)
        self.assertNotIn("nan", json.dumps(said).lower())


class DenavitHartenberg(Program):
    """The recipe of docs/guide/write-a-robot.md against the product of the matrices
    Rz(theta) Tz(d) Tx(a) Rx(alpha), for chains with any twists."""

    @staticmethod
    def matrix(theta, a, alpha, d):
        c, s, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
        return [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]

    @staticmethod
    def chain(links):
        bodies, joints, drives, axis, before = [], [], [], "z", "ground.O"
        for k, (a, alpha, d) in enumerate(links, 1):
            bodies.append(f"  link{k}: {{points: {{O: [0, 0, 0], N: [{a}, 0, {d}]}}, mass: 1 kg, inertia: [0.1, 0.1, 0.1]}}")
            joints.append(f"  theta{k}: {{type: revolute, between: [{before}, link{k}.O], axis: {axis}, reference: x}}")
            drives.append(f"  q{k}: {{joint: theta{k}}}")
            axis, before = f"[[0, {-math.sin(alpha)!r}, {math.cos(alpha)!r}], z]", f"link{k}.N"
        parts = ["pkm: 1", "name: Chain", "ground: {points: {O: [0, 0, 0]}}", "bodies:", *bodies, "joints:", *joints, "drives:", *drives, f"tool: {before}"]
        return "\n".join(parts) + "\n"

    def test_the_product_of_the_matrices(self):
        numbers = random.Random(4)
        for n in (3, 4, 6):
            links = [(numbers.uniform(0.1, 0.4), numbers.uniform(-1.5, 1.5), numbers.uniform(-0.1, 0.2)) for _ in range(n)]
            angles = [numbers.uniform(-1.0, 1.0) for _ in range(n)]
            want = [[float(i == k) for k in range(4)] for i in range(4)]
            for theta, link in zip(angles, links):
                step = self.matrix(theta, *link)
                want = [[sum(want[i][m] * step[m][k] for m in range(4)) for k in range(4)] for i in range(4)]
            said = self.answer("fk", self.write("chain.yaml", self.chain(links)), "--drives", ",".join(map(repr, angles)))
            for i in range(3):
                self.assertAlmostEqual(said["tool"]["position"][i], want[i][3], delta=1e-12)


if __name__ == "__main__":
    unittest.main()
