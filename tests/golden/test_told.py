"""What reports say of a run: numbers of JSON and text against the table that the run has written, and geometry by hand."""

import math
import unittest

from program import ROOT, Program
from test_readouts import CRANK, columns

SIAX = ROOT / "robots/siax.yaml"
PENDULUM = """pkm: 1
name: pendulum
gravity: [0, 0, -9.81]
ground: {points: {A: [0, 0, 0]}}
bodies: {arm: {mass: 2 kg, com: [0.3, 0, 0], inertia: [0.01, 0.02, 0.02], points: {A: [0, 0, 0], B: [0.6, 0, 0]}}}
joints: {a: {type: revolute, between: [ground.A, arm.A], axis: -y}}
drives: {q: {joint: a, limits: {force: 8 N m}}}
tool: arm.B
motions: {lift: {law: quintic, duration: 0.4 s, drives: {q: [-1 rad, 0.5 rad]}}}
"""
SERVO = ("--drive", "{pd: {frequency: 20 Hz, mass: 0.2}}", "--friction", "a: {static: 0.1, radius: 10 mm}")

HANGING = """pkm: 1
name: hanging
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0], A: [0, 0, 0], L: [-1, 0, -0.6], M: [-1, 0, -0.5]}}
bodies:
  bob: {mass: 2 kg, com: [0, 0, 0], inertia: [0.03, 0.03, 0.03], points: {C: [0, 0, 0], B: [0, 0, 0.1]}, pose: {at: [0, 0, -0.6]}}
joints:
  plane: {type: planar, between: [ground.O, bob.C], axis: y}
  rope: {type: distance, between: [ground.A, bob.B]}
"""
SPRING = "{spring: {stiffness: 30 N/m, length: 1 m}, between: "


def integral(t, y):
    return sum(0.5 * (t[i] - t[i - 1]) * (y[i] + y[i - 1]) for i in range(1, len(t)))


class Told(Program):
    def run_of(self, *arguments):
        said = self.answer(*arguments, "-o", "out")
        return said, columns(self.folder / "out/table.csv")

    def test_energy_of_a_servo(self):
        """The ledger: each entry is what its columns say, and they balance."""
        said, table = self.run_of("simulate", self.write("pendulum.yaml", PENDULUM), *SERVO)
        energy = said["energy"]
        expected = {"drive_work": integral(table["t"], [f * v for f, v in zip(table["q.force"], table["q.v"])]),
                    "friction_loss": integral(table["t"], table["loss.friction"]),
                    "kinetic_change": 0.5 * (0.02 + 2 * 0.3**2) * (table["q.v"][-1]**2 - table["q.v"][0]**2),
                    "potential_change": 2 * 9.81 * 0.3 * (math.sin(table["q.q"][-1]) - math.sin(table["q.q"][0])),
                    "load_work": 0, "payload": 0, "spring_change": 0, "strain_change": 0, "contact_loss": 0, "damping_loss": 0}
        for key, value in expected.items():
            self.assertAlmostEqual(energy[key], value, delta=1e-2 * abs(value), msg=key)
        left = energy["drive_work"] - energy["kinetic_change"] - energy["potential_change"] - energy["friction_loss"]
        self.assertAlmostEqual(left, 0, delta=1e-5)

    def test_drive_of_a_servo(self):
        model = self.write("pendulum.yaml", PENDULUM)
        said, table = self.run_of("simulate", model, *SERVO)
        drive, t, off = said["drives"][0], table["t"], table["q.dq"]
        self.assertEqual(set(table["q.saturated"]), {0, 1})
        # the integral over rows 0.02 ms apart; a jump lies somewhere between two samples, 1 ms apart at most
        fine = self.run_of("simulate", model, *SERVO, "--instants", "20001")[1]
        true = integral(fine["t"], fine["q.saturated"])
        for instants in ("5", "41", "401"):
            told = self.answer("simulate", model, *SERVO, "--instants", instants)["drives"][0]["saturated_time"]
            self.assertAlmostEqual(told, true, delta=2e-4)
        at = max(range(len(t)), key=lambda i: abs(off[i]))
        self.assertAlmostEqual(drive["tracking_error"], abs(off[at]), delta=1e-12)
        self.assertAlmostEqual(drive["tracking_error_time"], t[at], delta=1e-12)
        text = self.pkm("simulate", model, *SERVO, "-o", "out").stdout
        line = next(x for x in text.splitlines() if x.startswith("  q ")).split()
        # people read degrees
        self.assertEqual([float(line[k]) for k in (1, 2, 5)],
                         [float(f"{x:.4g}") for x in (math.degrees(abs(off[at])), t[at], drive["saturated_time"])])
        self.assertIn("tracking error  at t [s]", text)

    def test_run_without_servos_has_no_table_of_drives(self):
        self.assertNotIn("tracking error", self.pkm("simulate", SIAX, "--instants", 5, "-o", "out").stdout)

    def test_flexible_links(self):
        """Each quantity of a link is the largest value of its own column."""
        model = self.write("crank.yaml", CRANK.replace("gravity: [0, 0, 0]", "gravity: [0, 0, -9.81]"))
        said, table = self.run_of("simulate", model, "--motion", "none", "--drive", "locked", "--for", "20 ms", "--flexible",
                                  "arm: {elements: 2}", "--tool-force", "100,0,-10,3,0,0")
        link = said["flexible_links"][0]
        for key in ("deflection", "twist", "stress", "axial"):
            most = max(map(abs, table[f"arm.{key}"]))
            self.assertGreater(most, 0, key)
            self.assertAlmostEqual(abs(link[key]), most, delta=2e-2 * most, msg=key)
        # an axial force of 100 N at the tip; sqrt(bending^2 + ...) is no less than the stress of bending at the clamp
        self.assertAlmostEqual(abs(link["axial"]), 100, delta=5)

    def test_pattern_takes_the_columns_of_a_joint(self):
        table = self.run_of("inverse", SIAX, "--column", "A.left1.*", "--instants", 5)[1]
        self.assertEqual([name for name in table if name.startswith("A.left1.")],
                         [f"A.left1.{of}" for of in ("rx", "ry", "rz", "wx", "wy", "wz")])

    def test_body_on_a_rope(self):
        """m g / l of a rope and m g h of the tilt below it, beside two springs: x of B and the tilt by hand."""
        modes = self.answer("modes", self.write("hanging.yaml", HANGING), "--weight", "--modes", 2,
                            "--load", f"one: {SPRING}[ground.L, bob.C]}}", "--load", f"two: {SPRING}[ground.M, bob.B]}}")["modes"]
        l, h, m, inertia, g, k = 0.5, 0.1, 2, 0.03, 9.81, 30
        a = m * (m * h * h + inertia) - (m * h)**2  # det(K - w2 M) = a w2^2 + b w2 + c
        b = -(m * (m * g * h + k * h * h) + (m * h * h + inertia) * (m * g / l + 2 * k) - 2 * m * h * k * h)
        c = (m * g / l + 2 * k) * (m * g * h + k * h * h) - (k * h)**2
        for mode, sign in zip(modes, (-1, 1)):
            self.assertAlmostEqual(mode["frequency"], math.sqrt((-b + sign * math.sqrt(b * b - 4 * a * c)) / (2 * a)) / (2 * math.pi),
                                   delta=1e-9)

    def test_check_measures_bodies(self):
        """Joints of the platform lie in pairs on a triangle; those of a rod are its length apart."""
        said = self.answer("check", SIAX)
        body = {b["name"]: b for b in said["bodies"]}
        r, half = 0.097, 0.053
        at = [(r * math.cos(a) - s * half * math.sin(a), r * math.sin(a) + s * half * math.cos(a))
              for a in (0, 2 * math.pi / 3, 4 * math.pi / 3) for s in (-1, 1)]
        self.assertAlmostEqual(body["platform"]["joint_distance"], max(math.dist(a, b) for a in at for b in at), delta=1e-9)
        self.assertAlmostEqual(body["A.left"]["joint_distance"], 1.106, delta=1e-9)
        self.assertAlmostEqual(body["A.crank"]["joint_distance"], math.hypot(0.5, half), delta=1e-9)

    # A cart on a rail moves in the direction of the rail, whichever it is.
    def test_check_counts_the_freedoms_of_the_tool(self):
        for axis in "xyz":
            cart = (f"pkm: 1\nname: cart\nground: {{points: {{O: [0, 0, 0]}}}}\n"
                    "bodies: {cart: {mass: 2 kg, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}}\n"
                    f"joints: {{rail: {{type: prismatic, between: [ground.O, cart.O], axis: {axis}}}}}\ndrives: {{q: {{joint: rail}}}}\ntool: cart.O\n")
            model = self.write("cart.yaml", cart)
            self.assertEqual(self.answer("check", model)["tool_freedoms"], 1, axis)
            self.assertRegex(self.pkm("check", model).stdout, rf"tool moves in +{axis}\n")

    def test_the_heading_names_the_drives(self):
        one = self.pkm("simulate", self.write("pendulum.yaml", PENDULUM), "--for", "10 ms", "-o", "one")
        self.assertIn("over 0.01 s, drives prescribed\n", one.stdout)
        two = self.pkm("simulate", ROOT / "robots/five-bar.yaml", "--drive", "q1: locked", "--drive", "q2: free", "--motion", "none",
                       "--for", "10 ms", "-o", "two")
        self.assertIn("over 0.01 s, q1 locked, q2 free\n", two.stdout)

    def test_check_tells_directions_and_redundant_drives(self):
        self.assertRegex(self.pkm("check", SIAX).stdout, r"tool moves in +x y z\n")
        self.assertRegex(self.pkm("check", ROOT / "robots/isoglide4.yaml").stdout, r"tool moves in +x y z ry\n")
        for name in ("siax", "five-bar", "gough-stewart"):
            said = self.answer("check", ROOT / f"robots/{name}.yaml")
            self.assertFalse([w for w in said["warnings"] if w["kind"] == "mobility"], name)
        more = (ROOT / "robots/five-bar.yaml").read_text().replace("q2: {joint: motor2}", "q2: {joint: motor2}\n  q3: {joint: elbow1}")
        said = self.answer("check", self.write("more.yaml", more))
        self.assertTrue([w for w in said["warnings"] if "3 drives for 2 freedoms work against each other" in w["text"]], said["warnings"])


if __name__ == "__main__":
    unittest.main()
