"""A ball bounces in its joint for ever: a million impacts keep the energy to 1e-4 and take no more memory than a few."""

import json
import subprocess
import time
import unittest

from faulty import IS_LONG, PKM, Faulty

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


def most_memory(pid):
    """What a process has held at most so far, in kB; None when it has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as f:
            return next((int(line.split()[1]) for line in f if line.startswith("VmHWM")), None)
    except OSError:
        return None


class Impacts(Faulty):
    def bounce(self, n):
        """The answer of a run with n impacts, and the most memory until its middle and until nine tenths of it, in kB.

        Behind its end it writes the answer, with the list of touches, which takes some MB more.
        """
        words = ["simulate", str(self.write("ball.yaml", BALL)), "--motion", "none", "--for", f"{n / 102.2:.3f}", "--instants", "11",
                 "--tolerance", "1e-10", "--clearance", CLEARANCE, "-o", "out", "--json"]
        held = []
        with subprocess.Popen([PKM, *words], cwd=self.folder, stdout=subprocess.PIPE, text=True) as work:
            while work.poll() is None:
                held.append(most_memory(work.pid))
                time.sleep(0.002)
            answer = json.loads(work.stdout.read())
        self.assertEqual(work.returncode, 0)
        held = [kb for kb in held if kb]
        return answer, held[len(held) // 2], held[len(held) * 9 // 10]

    def test_energy_and_memory(self):
        """The list of touches is full after 131072 impacts, before the middle of the long run: from there on nothing may grow."""
        n = 1000000 if IS_LONG else 300
        answer, middle, late = self.bounce(n)
        self.assertGreaterEqual(answer["contacts"][0]["touches"], n)
        self.assertLess(answer["energy"]["relative_residual"], 1e-4)
        self.assertLess(late - middle, 256 if IS_LONG else 2048)  # [kB]
        print(f"{answer['contacts'][0]['touches']} impacts, energy to {answer['energy']['relative_residual']:.2g}, "
              f"{late} kB ({middle} kB at its middle)")


if __name__ == "__main__":
    unittest.main()
