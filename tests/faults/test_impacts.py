"""A ball bounces in its joint for ever: a million impacts keep the energy to 1e-4 and take no more memory than a few."""

import json
import resource
import unittest

from faulty import IS_LONG, Faulty

BALL = """pkm: 1
name: ball
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies:
  ball: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], points: {B: [0, 0, 0]}}
joints:
  S: {type: spherical, between: [ground.O, ball.B]}
"""

# It falls by 0.1 mm: 102.5 impacts in a second. The exponent makes the touch smooth: half the steps of Hertz's 1.5.
CLEARANCE = "S: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e12, exponent: 2, law: hertz, start: centred}"


class Impacts(Faulty):
    def bounce(self, seconds):
        done = self.pkm("simulate", self.write("ball.yaml", BALL), "--motion", "none", "--for", seconds, "--instants",
                        "11", "--tolerance", "1e-10", "--clearance", CLEARANCE, "-o", "out", "--json", timeout=36000)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss

    def test_energy_and_memory(self):
        few, small = self.bounce("0.5")
        n = 1000000 if IS_LONG else 300
        many, large = self.bounce(f"{n / 102.2:.3f}")
        self.assertGreaterEqual(many["contacts"][0]["touches"], n)
        self.assertLess(many["energy"]["relative_residual"], 1e-4)
        self.assertLess(large - small, 2048)  # [kB]
        print(f"{many['contacts'][0]['touches']} impacts, energy to {many['energy']['relative_residual']:.2g}, "
              f"{large} kB ({small} kB with {few['contacts'][0]['touches']})")


if __name__ == "__main__":
    unittest.main()
