"""Free bodies and balls: joints of type free, rates at the start, against Euler's equations and closed forms."""

import math
import unittest

from program import Program
from test_flexible import columns

BRICK = """pkm: 1
name: Flying brick
gravity: [0, 0, -9.81]
ground: {{points: {{O: [0, 0, 0]}}}}
bodies:
  brick: {{mass: 2 kg, com: [0.1, 0, 0], inertia: [0.02, 0.03, 0.04], points: {{O: [0, 0, 0], C: [0.1, 0, 0]}},
          pose: {{at: [{at}]}}}}
joints: {{fly: {{type: free, between: [{between}]}}}}
tool: brick.C
"""
INERTIA = (0.02, 0.03, 0.04)
V, W = (1.0, 2.0, 3.0), (5.0, 0.1, 7.0)

TOP = """pkm: 1
name: Rod on a ball
gravity: [0, 0, -9.81]
materials: {{steel: {{density: 7800, young: 200 GPa, poisson: 0.25}}}}
ground: {{points: {{O: [0, 0, 0]}}}}
bodies: {{rod: {{points: {{O: [0, 0, 0], B: [{x}, 0, {z}]}}, shape: {{rod: {{from: O, to: B, diameter: 40 mm}}, material: steel}}}}}}
joints: {{ball: {{type: spherical, between: [{between}]}}}}
tool: rod.B
"""


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def turn(r):
    """The rotation of a rotation vector, by rows (Rodrigues)."""
    angle = math.hypot(*r)
    x, y, z = (c / angle for c in r) if angle else (0.0, 0.0, 0.0)
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def euler(w, t, n=4000):
    """Euler's equations of a torque-free body, by classical Runge-Kutta."""
    def rate(w):
        a, b, c = INERTIA
        return [(b - c) / a * w[1] * w[2], (c - a) / b * w[2] * w[0], (a - b) / c * w[0] * w[1]]
    h = t / n
    for _ in range(n):
        k1 = rate(w)
        k2 = rate([x + h / 2 * k for x, k in zip(w, k1)])
        k3 = rate([x + h / 2 * k for x, k in zip(w, k2)])
        k4 = rate([x + h * k for x, k in zip(w, k3)])
        w = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(w, k1, k2, k3, k4)]
    return w


class Free(Program):
    def fly(self, between, rates, at="0, 0, 0"):
        model = self.write("brick.yaml", BRICK.format(between=between, at=at))
        self.answer("simulate", model, "--motion", "none", "--for", "1 s", "--instants", 5, "--start", f"{{fly: {list(rates)}}}",
                    "--column", "fly.*", "--column", "brick.w?", "-o", "out")
        return columns(self.folder / "out/table.csv")

    # The centre falls on a parabola, the body tumbles by Euler's equations, angular momentum about the
    # centre stays.
    def test_a_tumbling_body(self):
        table = self.fly("ground.O, brick.O", V + W)
        start = [v + c for v, c in zip(V, cross(W, (0.1, 0.0, 0.0)))]
        for k, t in enumerate(table["t"]):
            self.assertAlmostEqual(table["C.x"][k], 0.1 + start[0] * t, delta=1e-9)
            self.assertAlmostEqual(table["C.y"][k], start[1] * t, delta=1e-9)
            self.assertAlmostEqual(table["C.z"][k], start[2] * t - 9.81 / 2 * t * t, delta=1e-9)
            R = turn([table[f"fly.r{a}"][k] for a in "xyz"])
            world = [table[f"brick.w{a}"][k] for a in "xyz"]
            body = [sum(R[i][j] * world[i] for i in range(3)) for j in range(3)]
            for ours, other in zip(body, euler(W, t)):
                self.assertAlmostEqual(ours, other, delta=1e-8)
            momentum = [sum(R[i][j] * INERTIA[j] * body[j] for j in range(3)) for i in range(3)]
            for ours, first, I in zip(momentum, W, INERTIA):
                self.assertAlmostEqual(ours, I * first, delta=1e-9)

    # Named the other way round the joint tells how the ground moves as seen from the body, which is at p
    # and turns itself: -v + w x p and -w. The flight is the same.
    def test_the_other_way_round(self):
        p = (0.5, -0.2, 0.3)
        at = ", ".join(map(str, p))
        seen = [-v + c for v, c in zip(V, cross(W, p))] + [-w for w in W]
        a, b = self.fly("ground.O, brick.O", V + W, at), self.fly("brick.O, ground.O", seen, at)
        self.assertAlmostEqual(a["C.x"][0], 0.6, delta=1e-15)
        for name in ("C.x", "C.y", "C.z", "brick.wx", "brick.wy", "brick.wz"):
            for p, q in zip(a[name], b[name]):
                self.assertAlmostEqual(p, q, delta=1e-8)

    # A rod that turns with W about the vertical through its ball keeps its angle where
    # W^2 cos(angle) (A - C) = m g l: A, C about the ball across and along it, l to its centre.
    def test_a_rod_on_a_ball_turns_steadily(self):
        angle, length, d = 0.7, 0.8, 0.04
        A, C = length**2 / 3 + d**2 / 16, d**2 / 8
        omega = math.sqrt(9.81 * length / 2 / (math.cos(angle) * (A - C)))
        for between, sign in (("ground.O, rod.O", 1), ("rod.O, ground.O", -1)):
            model = self.write("rod.yaml", TOP.format(x=length * math.sin(angle), z=-length * math.cos(angle), between=between))
            self.answer("simulate", model, "--motion", "none", "--for", "1 s", "--instants", 11, "--start", f"{{ball: [0, 0, {sign * omega}]}}", "-o", "out")
            table = columns(self.folder / "out/table.csv")
            for t, x, y, z in zip(*(table[name] for name in ("t", "B.x", "B.y", "B.z"))):
                self.assertAlmostEqual(x, length * math.sin(angle) * math.cos(omega * t), delta=1e-8)
                self.assertAlmostEqual(y, length * math.sin(angle) * math.sin(omega * t), delta=1e-8)
                self.assertAlmostEqual(z, -length * math.cos(angle), delta=1e-8)

    def test_verbs_take_it_or_say_why_not(self):
        model = self.write("brick.yaml", BRICK.format(between="ground.O, brick.O", at="0, 0, 0"))
        said = self.answer("check", model)
        self.assertEqual(said["joints"][0]["type"], "free")
        self.assertEqual([m["frequency"] for m in self.answer("modes", model)["modes"]], [0.0] * 6)
        self.assertIn("inverse dynamics needs a motion", self.refused(2, "inverse", model))
        for verb in (["matrices", model], ["workspace", model], ["ik", model, "--at", "0,0,0"]):
            self.assertIn("no drives, expected at least one", self.refused(2, *verb))
        alone = BRICK.format(between="ground.O, brick.O", at="0, 0, 0").replace("joints:", "#")
        self.assertIn("a body that flies has a joint of type free", self.refused(2, "check", self.write("alone.yaml", alone)))

    def test_wrong_rates_are_named(self):
        model = self.write("brick.yaml", BRICK.format(between="ground.O, brick.O", at="0, 0, 0"))
        for start, part in (("{fly: 3}", "expected the rates of a free joint: [vx, vy, vz, wx, wy, wz]"), ("{fly: [1, 2]}", "fly"),
                            ("{fly: [1, 2, 3, 4, 5, 6 m]}", "fly")):
            with self.subTest(start):
                self.assertIn(part, self.refused(2, "simulate", model, "--motion", "none", "--for", "1 s", "--start", start, "-o", "out"))


if __name__ == "__main__":
    unittest.main()
