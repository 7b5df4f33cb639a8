"""pkm fk and pkm ik through the program: they undo each other, list branches, and refuse what cannot be."""

import json
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

    def test_wrong_numbers_are_exit_code_2(self):
        for at in ("0,0", "1,2,3,4", "a,b,c", "nan,0,0", "0 kg,0,0", ""):
            with self.subTest(at):
                self.refused(2, "ik", SIAX, f"--at={at}")
        self.refused(2, "ik", SIAX)
        self.refused(2, "fk", SIAX, "--drives", "1,2")
        self.refused(2, "fk", SIAX, "--drives", "qA=1, qX=2, qB=0")

    def test_people_and_machines_see_the_same(self):
        said = self.answer("fk", SIAX, "--drives", "0.5,0.25,0.125")
        shown = self.pkm("fk", SIAX, "--drives", "0.5,0.25,0.125").stdout
        for value in said["tool"]["position"]:
            self.assertIn(f"{value:.9f}", shown)
        self.assertNotIn("nan", json.dumps(said).lower())


if __name__ == "__main__":
    unittest.main()
