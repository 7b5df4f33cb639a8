"""Controllers of one drive with any of their keys against a plain integration: sampled ones are a recursion and agree to
rounding, continuous ones to the steps of the plain method where a limit cuts."""

import csv
import random
import unittest

from program import Program

END, SEED, TRIALS = 0.2, 7, 16
MODEL = f"""
pkm: 1
name: block
gravity: [0, 0, 0]
ground: {{points: {{O: [0, 0, 0]}}}}
bodies:
  b: {{mass: 1 kg, com: [0, 0, 0], inertia: [0.01, 0.01, 0.01], points: {{O: [0, 0, 0]}}}}
joints:
  rail: {{type: prismatic, between: [ground.O, b.O], axis: x}}
drives: {{q: {{joint: rail}}}}
tool: {{point: b.O, moves: [x]}}
motions: {{go: {{duration: {END} s, drives: {{q: [0, 0.5 m]}}}}}}
"""


def reference(t):
    s = min(t / END, 1.0)
    return 0.5 * s**3 * (10 - 15 * s + 6 * s * s), 15 * s * s * (1 - s)**2 / END, 30 * s * (1 - s) * (1 - 2 * s) / END**2


class Plain:
    """1 kg on a damper of 3 N s/m, by steps of the classical method."""

    def __init__(self, gains, sampling=None):
        self.gains, self.sampling = gains, sampling

    def ask(self, t, q, v, x):
        c, (r, dr, ddr) = self.gains, reference(t)
        demand = c["kp"] * (r - q) + c["kd"] * (dr - v) + x + c.get("velocity_feedforward", 0) * dr + c.get("acceleration_feedforward", 0) * ddr
        limit = c.get("limit", 1e99)
        return demand, max(-limit, min(limit, demand))

    def integral_rate(self, error, demand, force):
        c = self.gains
        rate = c.get("ki", 0) * error
        if demand == force or c.get("anti_windup", "none") == "none":
            return rate
        if c["anti_windup"] == "back-calculation":
            return rate - (demand - force) / c["tracking_time"]
        return 0.0 if rate * (demand - force) > 0 else rate

    def run(self, h):
        y, waiting, held = (0.0, 0.0, 0.0), [], (0.0, 0.0)

        def rate(t, y):
            q, v, x = y
            demand, force = held if self.sampling else self.ask(t, q, v, x)
            return v, force - 3 * v, 0.0 if self.sampling else self.integral_rate(reference(t)[0] - q, demand, force)

        def ahead(y, k, by):
            return tuple(a + by * b for a, b in zip(y, k))

        for i in range(round(END / h)):
            t = i * h
            if self.sampling and i % round(self.sampling["period"] / h) == 0:
                said = self.ask(t, *y)
                waiting.append((i + round(self.sampling["delay"] / h), said))
                y = y[0], y[1], y[2] + self.sampling["period"] * self.integral_rate(reference(t)[0] - y[0], *said)
            while waiting and waiting[0][0] <= i:
                held = waiting.pop(0)[1]
            k1 = rate(t, y)
            k2 = rate(t + h / 2, ahead(y, k1, h / 2))
            k3 = rate(t + h / 2, ahead(y, k2, h / 2))
            k4 = rate(t + h, ahead(y, k3, h))
            y = tuple(a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4))
        return y[:2]


def draw(dice):
    """A controller and how it is sampled; None: it is not."""
    gains, sampling = {"kp": dice.uniform(200, 3000), "kd": dice.uniform(5, 80)}, None
    if dice.random() < 0.75:
        gains |= {"ki": dice.uniform(1e3, 1e4), "anti_windup": dice.choice(["none", "clamping", "back-calculation"])}
        if gains["anti_windup"] == "back-calculation":
            gains["tracking_time"] = dice.uniform(0.01, 0.1)
    for key, most in (("limit", 60.0), ("velocity_feedforward", 5.0), ("acceleration_feedforward", 1.2)):
        if dice.random() < 0.5:
            gains[key] = dice.uniform(0.2, 1) * most
    if dice.random() < 0.6:
        period = dice.choice([2e-3, 5e-3, 1e-2])
        sampling = {"period": period, "delay": dice.choice([0, 0.5, 1.5]) * period}
    return gains, sampling


class Controllers(Program):
    def last(self, gains, sampling, *options):
        keys = ", ".join(f"{key}: {value}{' s' if key == 'tracking_time' else ''}" for key, value in gains.items())
        more = f", sampling: {{period: {sampling['period']} s, delay: {sampling['delay']} s}}" if sampling else ""
        done = self.pkm("simulate", self.write("m.yaml", MODEL), "--motion", "go", "--instants", 3, "-o", "out", *options,
                        "--load", "d: {spring: {stiffness: 0 N/m, damping: 3 N s/m}, joint: rail}",
                        "--drive", f"q: {{{'pid' if 'ki' in gains else 'pd'}: {{{keys}}}{more}}}")
        self.assertEqual(done.returncode, 0, (gains, sampling, done.stderr))
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        return [float(rows[-1][head.index(name)]) for name in ("q.q [m]", "q.v [m/s]")]

    def test_every_key_against_a_plain_integration(self):
        dice = random.Random(SEED)
        for trial in range(TRIALS):
            gains, sampling = draw(dice)
            near = 1e-12 if sampling else 1e-8 if gains.get("anti_windup") != "clamping" else 1e-4
            for ours, plain in zip(self.last(gains, sampling), Plain(gains, sampling).run(5e-5)):
                self.assertAlmostEqual(ours, plain, delta=near * 10, msg=(SEED, trial, gains, sampling))

    def test_an_integral_slides_along_its_limit(self):
        """Free below the limit the integral drives the demand up, clamped above it falls: it stays there, and so does the force."""
        gains = {"kp": 562.0, "kd": 23.6, "ki": 27600.0, "anti_windup": "clamping", "limit": 32.5}
        plain = Plain(gains).run(1e-5)
        for method in ("explicit", "sdirk", "bdf"):
            for ours, want in zip(self.last(gains, None, "--integrator", method), plain):
                self.assertAlmostEqual(ours, want, delta=1e-3, msg=method)


if __name__ == "__main__":
    unittest.main()
