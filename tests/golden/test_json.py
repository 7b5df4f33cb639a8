"""docs/reference/json.md lists the keys that --json prints, all of them and no others."""

import re
import unittest

from program import ROOT, Program

PAGE = ROOT / "docs/reference/json.md"
SIAX, PPRS = ROOT / "robots/siax.yaml", ROOT / "robots/3pprs.yaml"


def keys(value, path=""):
    """The dotted names of all values in an answer; warnings may be there or not."""
    if path == "warnings":
        yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from keys(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for item in value:
            yield from keys(item, path + "[]")
    else:
        yield path


def documented():
    """Per section of the page, the names in the first column."""
    sections = {}
    for section in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]:
        title, _, body = section.partition("\n")
        cells = re.findall(r"^\|(.*?)\|", body, flags=re.M)
        sections[title] = set(re.findall(r"`([^`]+)`", " ".join(cells)))
    return sections


CYCLE = ("--motion", "{sequence: [paper, {pick: part}, {dwell: 0.1 s}], payload: {part: {mass: 1 kg, at: platform.P}}}")

MOTOR = ("--drive", "motor: {rotor_inertia: 1e-4 kg m2, gear_ratio: 20}")


class Json(Program):
    def agree(self, title, *answers):
        said = {key for answer in answers for key in keys(answer)}
        self.assertEqual(said, documented()[title])

    def test_check(self):
        self.agree("pkm check", self.answer("check", SIAX))

    def test_kinematics(self):
        self.agree("pkm ik, pkm fk", self.answer("ik", PPRS, "--at", "0,0,0.15,0,0,0"),
                   self.answer("fk", SIAX, "--drives", "0.5,0.25,0.125", "--search", 5))

    def test_matrices(self):
        self.agree("pkm matrices", self.answer("matrices", SIAX, "--force", "0,0,0"), self.answer("matrices", ROOT / "robots/isoglideT3.yaml"))

    def test_motors(self):
        table = ROOT / "motors/servo.yaml"
        self.agree("pkm motors", self.answer("motors", SIAX, "--motors", table, "--instants", 5, "-o", "out", *CYCLE))

    def test_shape(self):
        self.agree("pkm shape", self.answer("shape", SIAX, "--motion", "paper", "--flexible", "left: {elements: 2, modes: 1}", "-o", "out"))

    def test_fastest(self):
        self.agree("pkm fastest", self.answer("fastest", SIAX, "--force", 500, "--points", 20, "-o", "out"))

    def test_draw(self):
        self.agree("pkm draw", self.answer("draw", SIAX, "--motion", "paper", "-o", "out"))

    def test_plot(self):
        self.answer("inverse", SIAX, "--instants", 5, "-o", "run")
        self.agree("pkm plot", self.answer("plot", "run", "--column", "P.x", "-o", "out"), self.answer("plot", "run", "--path", "z", "-o", "out"))

    # A limit of 1 mm/s on the tool, which the motion breaks, so that limits_broken is not empty.
    def limited(self, verb, *options):
        text = SIAX.read_text(encoding="utf-8")
        self.assertEqual(text.count("    duration: 0.2 s\n"), 1)
        limited = text.replace("    duration: 0.2 s\n", "    duration: 0.2 s\n    limits: {velocity: 1 mm/s}\n")
        answer = self.answer(verb, self.write("siax.yaml", limited), "-o", "out", *options)
        self.assertEqual(len(answer["limits_broken"]), 1)
        return answer

    def test_inverse(self):
        answer = self.limited("inverse")
        cycle = self.answer("inverse", SIAX, "-o", "out", *CYCLE, *MOTOR)
        self.agree("pkm inverse", answer, {key: value for key, value in cycle.items() if value != []})

    def test_report(self):
        self.pkm("inverse", SIAX, "-o", "out", "--instants", 5)
        self.agree("pkm report", self.answer("report", "out"))

    def test_seated(self):
        clearance = "spherical: {radial: 0.1 mm, fidelity: seated}"
        self.agree("pkm simulate, seated clearance",
                   self.answer("simulate", SIAX, "--clearance", clearance, "--verify", "-o", "out", "--instants", 5))

    def test_envelope(self):
        clearance = "spherical: {radial: 0.1 mm}"
        self.agree("pkm envelope", self.answer("envelope", SIAX, "--clearance", clearance, "-o", "out"),
                   self.answer("envelope", SIAX, "--clearance", clearance, "-o", "out", "--motion", "paper",
                               "--instants", 5))

    def test_simulate(self):
        cycle = self.answer("simulate", SIAX, "-o", "out", "--instants", 5, *CYCLE, *MOTOR)
        self.agree("pkm simulate", self.limited("simulate", "--for", "20 ms", "--instants", 5, "--verify"),
                   {key: value for key, value in cycle.items() if value != []})

    def test_study(self):
        text = f"""study: 1
robot: {SIAX}
instants: 5
tolerance: 1e-6
outputs: {{f: peak qA.force}}
factors:
  payload: {{5 kg: {{}}, 6 kg: {{set: {{m5: 6 kg}}}}}}
published: [{{text: x, value: 1 N m, output: f}}]
"""
        two = text.replace("published:", "  friction: {off: {}, on: {friction: {spherical: {static: 0.1, radius: 1 mm}}}}\npublished:")
        answer = self.answer("study", self.write("two.yaml", two), "-o", "two")
        for case in answer["cases"]:
            del case["levels"]["friction"]
        self.agree("pkm study", answer)
        both = self.answer("study", "--all", self.folder, "-o", "all")
        self.assertEqual([s["name"] for s in both["studies"]], ["two"])

    def test_analyse(self):
        rows = "".join(f"{0.01 * k},{k % 7}\n" for k in range(100))
        self.agree("pkm analyse", self.answer("analyse", self.write("t.csv", "t,x\n" + rows), "--stop", "0.5", "-o", "out"))

    def test_flexible_links(self):
        plain = set(keys(self.answer("simulate", SIAX, "-o", "out", "--instants", 5)))
        bent = set(keys(self.answer("simulate", SIAX, "--flexible", "left: {places: [0.25]}", "-o", "out",
                                    "--instants", 5)))
        self.assertEqual(plain - bent, set())
        self.assertEqual(bent - plain, documented()["pkm simulate, flexible links"])

    def test_joints_with_clearance(self):
        clearance = "A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1.524e11, restitution: 0.4, start: centred}"
        short = ("--for", "5 ms", "--verify", "-o", "out", "--instants", 5)
        plain = set(keys(self.answer("simulate", SIAX, *short)))
        loose = set(keys(self.answer("simulate", SIAX, "--clearance", clearance, *short)))
        self.assertEqual(plain - loose, set())
        self.assertEqual(loose - plain, documented()["pkm simulate, joints with clearance"])

    def test_compare(self):
        self.agree("pkm compare", self.answer("compare", SIAX))

    def test_modes(self):
        bend = ("--flexible", "left: {elements: 2, damping: 1 %}", "--modes", 2)
        self.agree("pkm modes", self.answer("modes", SIAX, *bend, "--weight"),
                   self.answer("modes", SIAX, *bend, "--convergence", "1..2"),
                   self.answer("modes", SIAX, *bend, "--along", "paper", "--points", 3, "-o", "along"),
                   self.answer("modes", SIAX, *bend, "--map", "--points", 3, "-o", "map"),
                   self.answer("modes", SIAX, *bend, "--response", "10..20", "--points", 3, "-o", "response"))

    def test_stiffness(self):
        bend = ("--flexible", "left: {elements: 2}", "--drives-are", "{stiffness: 1e5}")
        self.agree("pkm stiffness", self.answer("stiffness", SIAX, *bend, "--weight"),
                   self.answer("stiffness", SIAX, *bend, "--flexible", "right: {elements: 2}"),
                   self.answer("stiffness", SIAX, *bend, "--map", "--points", 3, "-o", "map"))

    def test_elastodynamics(self):
        self.agree("pkm elastodynamics", self.answer("elastodynamics", SIAX, "--flexible", "left: {elements: 2}", "--for", "5 ms",
                                                     "--instants", 3, "--verify", "-o", "bent"))

    def test_workspace(self):
        self.agree("pkm workspace", self.answer("workspace", SIAX, "--points", 11, "-o", "out"))


if __name__ == "__main__":
    unittest.main()
