"""Links that begin bent or vibrating: `flexible: {LINK: {start: [{mode: 7, displacement: 0.5 mm}]}}`, as modal initial conditions."""

import math
import unittest

from program import ROOT, Program
from test_flexible import columns

SIAX = ROOT / "robots/siax.yaml"
BAR = """pkm: 1
name: Bar
gravity: [0, 0, 0]
materials: {steel: {density: 7850 kg/m3, young: 210 GPa, poisson: 0.3}}
ground: {points: {O: [0, 0, 0]}}
bodies:
  bar: {shape: {rod: {from: [0, 0, 0], to: [1, 0, 0], diameter: 20 mm}, material: steel}, points: {O: [0, 0, 0], E: [1, 0, 0]}}
joints: {flies: {type: free, between: [ground.O, bar.O]}}
tool: bar.E
"""
FREE_FREE = 4.730040744862704**2 * math.sqrt(210e9 / 7850) * 0.005  # lowest angular frequency of the bar [rad/s]


class StartModes(Program):
    def modes(self, model, link):
        return {m["number"]: m for m in self.answer("modes", model, "--link", link, "--modes", 24)["modes"]}

    def run_bar(self, start, *arguments):
        model = self.write("bar.yaml", BAR)
        said = self.answer("simulate", model, "--motion", "none", "--flexible", f"bar: {{modes: 8, stiffening: false, start: [{start}]}}", "--for", "20 ms",
                           "--instants", 21, *arguments, "-o", "out")
        return model, columns(self.folder / "out/table.csv"), said

    # A free bar in its lowest mode: its end swings with the closed form's frequency, its middle by 0.608 against it.
    def test_a_free_bar_swings_in_the_mode_that_it_was_given(self):
        model, run, _ = self.run_bar("{mode: 7, displacement: 1 mm, velocity: 0.3 m/s}")
        omega = 2 * math.pi * self.modes(model, "bar")[7]["f"]
        self.assertAlmostEqual(omega, FREE_FREE, delta=2e-4 * FREE_FREE)  # eight elements
        for t, z, v in zip(run["t"], run["E.z"], run["E.vz"]):
            self.assertAlmostEqual(z, 1e-3 * math.cos(omega * t) + 0.3 / omega * math.sin(omega * t), delta=1e-9)
            self.assertAlmostEqual(v, 0.3 * math.cos(omega * t) - 1e-3 * omega * math.sin(omega * t), delta=1e-6)

    # Torsion is given by its rotation; what is stored is half the generalised stiffness of the list.
    def test_torsion_by_rotation(self):
        model = self.write("bar.yaml", BAR)
        twist = next(m for m in self.modes(model, "bar").values() if m["turns"] and m["f"] > 0)
        self.answer("simulate", model, "--motion", "none", "--flexible",
                    f"bar: {{modes: 18, start: [{{mode: {twist['number']}, rotation: 1 deg}}]}}", "--for", "1 us", "--instants", 2, "-o", "out")
        run = columns(self.folder / "out/table.csv")
        self.assertAlmostEqual(run["energy.strain"][0], 0.5 * twist["generalised_stiffness"] * math.radians(1) ** 2,
                               delta=1e-9 * twist["generalised_stiffness"] * math.radians(1) ** 2)

    # In a loop the mode keeps its size and joints follow: the energy is that of the list, but for the stretch that the
    # chord of a bent rod asks for, of second order.
    def test_a_rod_in_a_loop_keeps_its_mode_and_the_loops_stay_closed(self):
        stiffness = self.modes(SIAX, "A.left")[7]["generalised_stiffness"]
        for size in (1e-4, 1e-3):
            said = self.answer("simulate", SIAX, "--motion", "none", "--drive", "locked", "--start", "undeformed", "--flexible",
                               f"A.left: {{stiffening: false, start: [{{mode: 7, displacement: {size} m}}]}}", "--for", "2 ms", "--instants", 5, "-o", "out")
            run = columns(self.folder / "out/table.csv")
            self.assertAlmostEqual(run["energy.strain"][0] / (0.5 * stiffness * size**2), 1.0, delta=40 * size)
            self.assertLess(said["closure_error"] if "closure_error" in said else 0.0, 1e-10)
            self.assertLess(said["energy"]["relative_residual"], 1e-6)

    def test_what_cannot_be_is_refused(self):
        model = self.write("bar.yaml", BAR)
        for start, words in (("{mode: 30, displacement: 1 mm}", "mode 30 is not kept"), ("{mode: 7, rotation: 1 deg}", "expected its displacement"),
                             ("{mode: 3, displacement: 1 mm}", "7"), ("{displacement: 1 mm}", "'mode' is missing")):
            said = self.refused(2, "simulate", model, "--motion", "none", "--flexible", f"bar: {{modes: 4, start: [{start}]}}", "--for", "1 ms")
            self.assertIn(words, said)
        self.assertIn("mode 7 is given twice", self.refused(2, "simulate", SIAX, "--flexible",
                                                            "left: {start: [{mode: 7, displacement: 1 mm}, {mode: 7, velocity: 1 mm/s}]}", "-o", "out"))
        self.assertIn("links that begin bent", self.refused(2, "modes", SIAX, "--flexible", "left: {start: [{mode: 7, displacement: 1 mm}]}"))


if __name__ == "__main__":
    unittest.main()
