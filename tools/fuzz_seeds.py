#!/usr/bin/env python3
"""Seeds for the fuzz targets that read YAML, from the schemas: every key in every place, with every kind of value.

    tools/fuzz_seeds.py FOLDER TARGET       model, run, study or motors; always the same files

A place is a way through the schema (schema/, which the program prints from its tables of keys). In each stands, one
after another: an example of each form, its bounds and what is just outside of them, words, names that mean something
to the target, each unit, expressions, and what does not belong there: other kinds, nothing, lists, maps, numbers that
are none, long texts, keys twice. In maps each pair of keys stands together, each word of one with each other key.
A campaign that begins with them begins where readers, not chance, decide what is still to be found.
"""

import base64
import hashlib
import json
import re
import struct
import sys
from pathlib import Path

import yaml

import fuzz_models

ROOT = Path(__file__).resolve().parent.parent
DEPTH, PAIRS = 9, 14
STRANGE = ["", "~", "0", "1", "-1", "2.5", "1e-300", "1e300", "-1e300", "1e400", "-0", "nan", ".inf", "007", "1e", "x", "-y", "a.b", "a.b.c", "true",
           "none", "all", '"*"', '"A.*"', '""', '" "', "'it''s'", "[]", "{}", "[0, 0, 1]", "[0, 0, 0]", "[x, -z]", "[1, 2]",
           "[[1, 0, 0], [0, 1, 0]]", "[1, 2, 3, 4, 5, 6]", "[a, a]", "{a: 1}", "{x: 1, y: 2}", "{a: {b: [1]}}", "[{a: 1}]",
           "10 mm", "3 kg", "90 deg", "2 Hz", "5 N", "7 N m", "1 m/s", "2 m/s2", "10 ms", "20 %", "1 1/s", "3 rpm", "1 GPa",
           "1 kg m2", "4 N/m", "2 N s/m", "1 N m/rad", "1 furlong", "1 m/", "1 m^2/s", "1 mm mm", "1 m 2",
           "= 1 + 2", '"= t"', "= nowhere", '"= (1"', '"= sqrt(-1)"', '"= 1/0"', '"= 1 2"', "=", "1 +", "&a 1", "*a", "!!int 1", "|\n  a\n  b",
           '"\\u0007\\u202e"', "a" * 300, "a-b_{c}", "[1,", "{a", "NaN m", "+1", "1_000", "0x10", "../x", "/", "x.csv", "x.h5"]
NAMES = {
    "model": ["arm", "platform", "ground", "crank", "crank.A", "ground.A", "crank.B", "left.crank", "m", "knee", "q", "qleft", "l", "steel",
              "go", "box", "P", "five-bar", "0 deg", "max q.force"],
    "run": ["A.left", "A.left1", "B.right", "qA", "platform", "A.crank", "platform.P", "A.left.A", "ground.A.M", "A.motor", "A.*", '"*"',
            "spherical", "revolute", "qA.force", "P.x", "steel", "paper", "l1", "left", '"= P.x + 1"', "peak P.v"],
    "study": ["ROBOT", "q1", "q2", "q1.force", "P.x", "motor1", "elbow1", "tip", "crank1", "link2", '"*"', "circle", "revolute", "l1", "aluminium",
              "peak q1.force", "rms P.speed", "force", "low", "high", "effect", "link1.P", "ground.A"],
    "motors": ["S-1", "S-2", '"*"', "a b"],
}
BASE = {
    "model": """
pkm: 1
name: arm
gravity: [0, 0, =-g]
parameters: {g: 9.81 m/s2, l: 0.5 m}
materials: {steel: {density: 7800, young: 2e11, poisson: 0.3}}
ground: {points: {A: [0, 0, 0], B: [0.3, 0, 0]}}
bodies: {crank: {mass: 1, com: [=l/2, 0, 0], inertia: [0.01, 0.02, 0.02], points: {A: [0, 0, 0], P: [=l, 0, 0]}}}
joints: {m: {type: revolute, between: [ground.A, crank.A], axis: y}}
drives: {q: {joint: m}}
tool: {point: crank.P, moves: [x]}
home: {drives: {q: 0}}
motions: {go: {duration: 1 s, drives: {q: [0, 1]}}}
""",
    "run": "run: 1\nmotion: paper\n",
    "study": "study: 1\nrobot: ROBOT\nanalysis: inverse\nmotion: circle\noutputs: {force: peak q1.force}\n",
    "motors": "motors: 1\nlist: {S-1: {rated_torque: 1, peak_torque: 3, max_speed: 100}}\n",
}

# Motions of every kind, with words that a target has in their places.
MOTIONS = ["{duration: 1 s, drives: {DRIVE: [0, 10 deg]}}", "{times: [0, 1, 2], drives: {DRIVE: [0, 1, 2]}}", "{duration: 1 s, path: {line: {from: HERE, to: THERE}}}",
           "{law: quintic, duration: 1 s, path: {polyline: {through: [HERE, THERE], blend: 1 mm}}}", "{duration: 1 s, path: {arc: {through: [HERE, MIDDLE, THERE]}}}",
           "{duration: 1 s, path: {circle: {center: HERE, radius: 0.01, normal: z, start: x, turns: 1}}}", "{duration: 1 s, path: {spline: {through: [HERE, MIDDLE, THERE]}}}",
           "{path: {inverted_u: {from: HERE, step: [0.01, 0, 0], lift: [0, 0, 0.01], marks: [0, 0.2, 0.4, 0.6, 0.8]}}}",
           "{duration: 1 s, formula: {of: drives, DRIVE: '=1 rad/s * t'}}", "{duration: 1 s, formula: {of: tool, x: =0, y: =0.1, z: =-1}}", "{sequence: [MOTION, MOTION], repeat: 2}",
           "{samples: {file: x.csv, of: drives}}", "{duration: 1 s, drives: {DRIVE: 1 deg}, shaper: {kind: zv, frequency: 10 Hz}}"]
# Of other kinds, for the walk through a model file alone.
RATHER = ["{max_speed: 1 m/s, path: {line: {from: HERE, to: THERE}}, rpy: {from: [0, 0, 0], to: [0, 0, 1]}}", "{times: [0, 1, 2], path: {spline: {through: [HERE, MIDDLE, THERE]}}, rpy: {through: [[0, 0, 0], [0, 0, 1], [0, 0, 2]]}}",
          "{law: trapezoidal, max_speed: 1 m/s, max_acceleration: 1 m/s2, path: {circle: {center: HERE, radius: 0.01}}}", "{law: s_curve, max_speed: 1 m/s, max_acceleration: 1 m/s2, max_jerk: 1 m/s3, path: {arc: {through: [HERE, MIDDLE, THERE]}}, rpy: {through: [[0, 0, 0], [0, 0, 1], [0, 0, 2]]}}"]
LONG = "[" + ", ".join(["1"] * 80) + "]"
# Motions that are refused, each for a reason of its own, and their next neighbours that are not.
STRANGE_MOTIONS = [
    *(f"{{duration: {value}, drives: {{DRIVE: [0, 1 deg]}}}}" for value in ("1e-12 s", "1e13 s", "0", "-1 s", "nan", "1 m")),
    *(f"{{law: {law}, {limits}, path: {{line: {{from: HERE, to: THERE}}}}}}" for law in ("cubic", "quintic", "septic", "trapezoidal", "constant", "s_curve")
      for limits in ("duration: 1 s", "max_speed: 1 m/s", "max_acceleration: 1 m/s2", "max_speed: 1 m/s, max_acceleration: 1 m/s2", "max_jerk: 5 m/s3",
                     "max_speed: 1e-300 m/s, max_acceleration: 1e300 m/s2, max_jerk: 1e300 m/s3", "duration: 1 ms, max_speed: 1 mm/s", "max_speed: 1 rad/s")),
    *(f"{{duration: 1 s, path: {{spline: {{through: [{points}]}}}}}}" for points in
      ("", "HERE", "HERE, HERE", "HERE, THERE, HERE", "HERE, [1e300, 0, 0]", "HERE, THERE, THERE", "HERE, MIDDLE, THERE, HERE")),
    *(f"{{path: {{spline: {{through: [HERE, MIDDLE, THERE]}}}}, times: [{times}]}}" for times in
      ("0, 0, 1", "0, 1 s", "0, 1 s, 2 s", "1 s, 2 s, 3 s", "0, 2 s, 1 s", "0, 1e-300 s, 1 s", "nan, 1, 2", "0, 1 s, 2 s, 3 s")),
    *(f"{{duration: 1 s, path: {{polyline: {{through: [HERE, THERE, MIDDLE], blend: {blend}}}}}}}" for blend in ("-1", "0", "1e300", "10 mm", "1 m", "1 s")),
    *(f"{{duration: 1 s, path: {{circle: {{center: HERE, {rest}}}}}}}" for rest in
      ("radius: 0", "radius: -1", "radius: 1 mm, turns: 1e300", "radius: 1 mm, turns: 0", "radius: 1 mm, normal: [0, 0, 0]", "radius: 1 mm, start: z", "radius: 1 mm, start: [0, 0, 0]",
       "radius: 1 mm, turns: 1, angle: 1 rad", "radius: 1 mm, angle: 0", "radius: 1e300", "radius: 1 mm, normal: [1, 1, 1], start: [1, 0, 0], angle: -90 deg")),
    *(f"{{duration: 1 s, path: {{arc: {{through: [{points}]}}}}}}" for points in ("HERE, THERE", "HERE, HERE, THERE", "HERE, MIDDLE, THERE, HERE", "[0, 0, 0], [1, 0, 0], [2, 0, 0]")),
    *(f"{{path: {{inverted_u: {{from: HERE, step: {step}, lift: {lift}, marks: [{marks}]}}}}}}" for step, lift, marks in
      (("[0, 0, 0]", "[0, 0, 0]", "0, 1, 2, 3, 4"), ("[1 mm, 0, 0]", "[0, 0, 1 mm]", "0, 0, 0, 0, 0"), ("[1 mm, 0, 0]", "[0, 0, 1 mm]", "0, 1, 2, 3"), ("[1 mm, 0, 0]", "[1 mm, 0, 0]", "0, 1, 2, 3, 4"),
       ("[1 mm, 0, 0]", "[0, 0, 1 mm]", "1, 2, 3, 4, 5"), ("[1e300, 0, 0]", "[0, 0, 1 mm]", "0, 1, 2, 3, 4"))),
    *(f"{{{more}path: {{inverted_u: {{from: HERE, step: [1 mm, 0, 0], lift: {lift}, marks: [{marks}]}}}}}}" for more in ("", "max_speed: 1 m/s, ", "max_acceleration: 1 m/s2, ", "max_jerk: 1 m/s3, ", "duration: 4 s, ", "duration: 5 s, ")
      for lift, marks in (("[0, 0, 1 mm]", "0, 1, 2, 3, 4"), ("[0, 0, 1e300]", "0, 1, 2, 3, 4"), ("[0, 0, 1 mm]", "0, 1, 2, 3, 1e300"), ("[0, 0, 1 mm]", "0, 1, 1, 3, 4"))),
    *(f"{{duration: 1 s, path: {{{path}}}{rpy}}}" for path in
      ("line: {from: [1e300, 0, 0], to: THERE}", "line: {from: HERE, to: [0, 0, 1e300]}", "polyline: {through: [HERE, [0, 1e300, 0], THERE]}", "spline: {through: [HERE, [0, 1e300, 0], THERE]}",
       "arc: {through: [HERE, MIDDLE, [1e300, 0, 0]]}", "circle: {center: [1e300, 0, 0], radius: 1 mm}", "circle: {center: HERE, radius: 1 mm, normal: [1e300, 0, 0]}", "circle: {center: HERE, radius: 1 mm, start: [1e300, 0, 0]}")
      for rpy in ("", ", rpy: {through: [[0, 0, 0], [0, 0, 1e300], [0, 0, 0]]}", ", rpy: {from: [1e300, 0, 0], to: [0, 0, 0]}")),
    *(f"{{duration: 1 s, path: {{line: {{from: HERE, to: THERE}}}}, rpy: {rpy}}}" for rpy in
      ("[0, 0, 0]", "[0, 0, 1e300]", "{from: [0, 0, 0], to: [0, 0, 1]}", "{through: [[0, 0, 0]]}", "{through: [[0, 0, 0], [0, 0, 1 deg]]}", "{from: [0, 0, 0]}", "{}", "x")),
    *(f"{{duration: 1 s, drives: {{DRIVE: {value}}}}}" for value in ("[]", "[1 deg]", "[0, 1 deg, 2 deg]", "[0, 1e300]", "[[1]]", "nan", "0", "{a: 1}", LONG)),
    *(f"{{times: {times}, drives: {{DRIVE: {value}}}}}" for times, value in (("[0, 1, 2]", LONG), (LONG, LONG), ("[0, 1, 2]", "[1 deg, 1, 2]"))),
    *(f"{{duration: 1 s, path: {{{kind}: {{through: [{', '.join(['HERE'] * 80)}]}}}}}}" for kind in ("polyline", "spline", "arc")),
    *(f"{{duration: 1 s, drives: {{DRIVE: 1 deg}}, hold_before: {value}, hold_after: {value}}}" for value in ("0", "1 s", "-1 s", "1e300 s")),
    *(f"{{duration: 1 s, drives: {{DRIVE: 1 deg}}, limits: {value}}}" for value in ("{velocity: 1 m/s}", "{velocity: 0}", "{acceleration: 1 m/s2, jerk: 1 m/s3}", "{}")),
    *(f"{{duration: 1 s, drives: {{DRIVE: 1 deg}}, shaper: {{{shaper}}}}}" for shaper in
      ("kind: zv", "frequency: 1 Hz", "kind: zv, frequency: 1e-300 Hz", "kind: zvd, frequency: [1 Hz, 2 Hz, 3 Hz], damping: 0.1", "kind: zvdd, frequency: [1, 2, 3, 4]", "kind: zv, frequency: 1 Hz, damping: 1",
       "kind: zv, frequency: []", "kind: zv, frequency: 1e300 Hz", "kind: zv, frequency: 1 Hz, damping: -1")),
    *(f"{{{rest}duration: 1 s, formula: {{of: {of}}}}}" for rest in ("", "law: cubic, ", "max_speed: 1 m/s, ") for of in
      ("drives", "tool", "x", "drives, DRIVE: '=1 rad/s*t'", "drives, DRIVE: '=t'", "drives, DRIVE: '=1 rad*step(t, 0 s, 0, 1 s, 1)'", "drives, DRIVE: '=1 rad*floor(t/0.1 s)'", "drives, DRIVE: '=1 rad*abs(t/1 s - 0.5)'",
       "drives, DRIVE: '=1 rad/(t/1 s - 0.5)'", "drives, DRIVE: '=1 rad*sqrt(t/1 s - 0.5)'", "drives, nobody: '=1'", "drives, DRIVE: [1]", "tool, x: '=0.1 m', y: 0, z: '=0.4 m*cos(t/1 s)'", "tool, x: 0, y: 0",
       "tool, x: 0, y: 0, z: 0, roll: 0, pitch: 0, yaw: '=t/1 s'", "tool, x: 0, y: 0, z: 0, roll: 0")),
    *(f"{{sequence: [{parts}]{rest}}}" for parts in ("", "MOTION", "MOTION, nobody", "{dwell: 1 s}", "MOTION, {dwell: 1 s}, MOTION", "MOTION, {dwell: -1}", "MOTION, {dwell: 1 s, pick: a}", "MOTION, {pick: a}, {dwell: 1 s}, {drop: a}", "MOTION, {drop: a}", "MOTION, {pick: a}, {pick: a}",
                                                  "MOTION, {pick: b}", "[MOTION]", "MOTION, {}") for rest in
      ("", ", repeat: 2", ", repeat: 0", ", stretch: 2", ", stretch: 1e300", ", duration: 1 s", ", payload: {a: {mass: 1 kg, at: AT}}", ", payload: {a: {mass: -1 kg, at: AT}}", ", payload: {a: {}}", ", payload: []")),
    *(f"{{samples: {samples}}}" for samples in ("{}", "{file: x.csv}", "{file: x.csv, of: x}", "{file: nowhere.csv, of: tool, ends: free}", "{file: [], of: tool}", "{file: x.csv, of: drives, ends: x}", "[]")),
    *(f"{{{kind}, rpy: {{from: [0, 0, 0], to: [0, 0, 1]}}}}" for kind in
      ("sequence: [MOTION]", "duration: 1 s, drives: {DRIVE: 1 deg}", "duration: 1 s, formula: {of: drives, DRIVE: '=1 rad/s*t'}", "samples: {file: x.csv, of: tool}", "path: {inverted_u: {from: HERE, step: [1 mm, 0, 0], lift: [0, 0, 1 mm], marks: [0, 1, 2, 3, 4]}}")),
    "{duration: 1 s}", "{duration: 1 s, drives: {DRIVE: 1 deg}, path: {line: {from: HERE, to: THERE}}}", "{duration: 1 s, path: {}}", "{duration: 1 s, path: {line: {from: HERE}}}", "[]", "nobody", "{}",
    "{duration: 1 s, path: {line: {from: HERE, to: HERE}}}", "{max_speed: 1 m/s, path: {line: {from: HERE, to: HERE}}}", "{duration: 1 s, path: {line: {from: HERE, to: THERE}, arc: {}}}", "{drives: {DRIVE: 1 deg}, times: [0, 1 s]}"]
# Further documents over the base, with names that are there: only their keys are walked.
MORE = {
    "run": ["friction: {A.left1: {static: 0.1, radius: 10 mm}}", "friction: {A.motor: {law: coulomb, static: 0.1, radius: 10 mm, bending_arm: 1 mm}}", "clearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, material: steel}}",
            "clearance: {A.motor: {radial: 0.1 mm, radius: 10 mm, length: 10 mm, axial: 0.1 mm, stop_radius: 12 mm, material: steel}}", "drives: {qA: {pd: {kp: 1, kd: 1}}}", "drives: {motor: {rotor_inertia: 1}}",
            "drives: {computed_torque: {frequency: 20 Hz, damping: 1}, sampling: {rate: 1 kHz, delay: 0.5 ms}}", "drives: {qA: {force: 1 N m}}", "loads: {pull: {force: [1, 0, 0], at: platform.P}}",
            "loads: {s: {spring: {stiffness: 1, length: 1}, between: [ground.A.M, platform.P]}}", "loads: {s: {spring: {stiffness: 1}, joint: A.motor}}", "payload: {a: {mass: 1, at: platform.P, pick: 0.1 s, drop: 0.2 s}}",
            "start: {A.motor: {offset: 1 deg, rate: 1 rad/s}}", "start: {A.left1: [1, 0, 0]}", "hold: {qA: {stiffness: 1}}", "flexible: {A.left: {elements: 1, modes: 1}}", "model: {m5: 6 kg}",
            "columns: {pull: =qA.force*qA.v}", "parameters: {a: 1 mm}"] + [f"motion: {text}" for text in MOTIONS],
    "study": ["sweep: {l1: [50 mm, 60 mm]}", "sweep: {l1: {from: 50 mm, to: 60 mm, steps: 3}}", "factors: {friction: {without: {}, with: {friction: {elbow1: {static: 0.1, radius: 5 mm}}}}}",
              "factors: {payload: {light: {}, heavy: {set: {l1: 60 mm}}}, drive: {q: {}, p: {drives: {q1: {pd: {kp: 1}}}}}}", "published: [{text: a, output: force, value: 1 N m}]", "signals: [P.x]",
              "outputs: {force: {column: q1.force, measure: peak}}", "analysis: modes\nmodes: {modes: 3}\nflexible: {link1: {elements: 1}}\noutputs: {f: final f1}", "set: {l1: 60 mm}", "parameters: {a: 1 mm}",
              "analysis: elastodynamics\nelastodynamics: {start: static}\nflexible: {link1: {elements: 1}}", "analysis: simulate\nverify: true\noutputs: {d: peak P.dp}"],
    "model": [f"motions: {{go: {text}}}" for text in MOTIONS + RATHER if "sequence" not in text]
             + [f"motions: {{go: {{duration: 1 s, drives: {{q: [0, 1, 0]}}}}, on: {text}}}" for text in MOTIONS if "sequence" in text]
             + [f"joints: {{m: {{type: {joint}, between: [ground.A, crank.A]}}}}\ndrives: {{q: {{joint: m{drive}}}}}" for joint, drive in
                (("prismatic, axis: y", "}}\nmotions: {go: {duration: 1 s, formula: {of: drives, q: '=1 rad/s*t'}"), ("prismatic, axis: y", ""), ("cylindrical, axis: y", ", coordinate: angle"), ("screw, axis: y, lead: 1 mm", ", coordinate: displacement"), ("'universal', axis: [x, y]", ", coordinate: angle1"),
                 ("spherical", ""), ("planar", ", coordinate: angle"), ("distance, length: 0.1 m", ""), ("free", ""), ("fixed", ""))]
             + ["motions: {go: {samples: {file: corpus/table/samples-drive.csv, of: drives}}}", "motions: {go: {samples: {file: corpus/table/samples-pose.csv, of: tool, ends: free}}}",
                "ground: {points: {A: [0, 0, 0], B: [0.3, 0, 0]}, shape: {mesh: {file: corpus/mesh/tetrahedron.stl, scale: 1 mm}, density: 1}}"],
}
WORDS = {"run": {"DRIVE": "qA", "HERE": "[0, 0, -0.9]", "MIDDLE": "[0.05, 0.1, -0.95]", "THERE": "[0.05, 0, -0.95]", "MOTION": "paper", "AT": "platform.P"},
         "study": {"DRIVE": "q1", "HERE": "[0, 0.12, 0]", "MIDDLE": "[0.01, 0.12, 0]", "THERE": "[0.02, 0.13, 0]", "MOTION": "circle", "AT": "link1.P"},
         "model": {"DRIVE": "q", "HERE": "[0.1, 0, 0.4]", "MIDDLE": "[0.1, 0, 0.3]", "THERE": "[0.2, 0, 0.3]", "MOTION": "go", "AT": "crank.P"}}


PLACE = {"model": ("parameters", "g"), "run": ("budget", "time"), "study": ("set", "l1"), "motors": ("transmission", "efficiency")}
# Bytes that are no UTF-8, those next to them that are, control characters.
DAMAGE = [b"\x80", b"\xc1\xbf", b"\xc2", b"\xc2\x41", b"\xe0\x9f\xbf", b"\xe0\xa0\x80", b"\xed\xa0\x80", b"\xed\x9f\xbf", b"\xef\xbf\xbf", b"\xf0\x8f\xbf\xbf",
          b"\xf0\x90\x80\x80", b"\xf4\x90\x80\x80", b"\xf4\x8f\xbf\xbf", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\xc2\x85", b"\x7f", b"\x1b[0m", b"\0", b'"\\x1b"', b'"\\x85"',
          b'"\\u009f"', b'"\\x00"', b"\xe2\x80\xae", b"\xff\xfe", b"a: \xc3\xa4"]


def keep(folder, data):
    """A file of these bytes, under the name that they give it."""
    (Path(folder) / hashlib.sha1(data).hexdigest()).write_bytes(data)


def corpus(name):
    """What the repository has for a target."""
    return [path.read_bytes() for path in sorted((ROOT / "tests/fuzz/corpus" / name).iterdir())]


def whole_first(folder):
    """The files of a corpus, those that people wrote before those that were learned."""
    return sorted(folder.iterdir(), key=lambda path: (path.name.startswith("learned") or len(path.name) == 40, path.name))


def leaves(value):
    """A document with its numbers and words as they stand in YAML."""
    if isinstance(value, dict):
        return {key: leaves(each) for key, each in value.items()}
    return [leaves(each) for each in value] if isinstance(value, list) else str(value)


def text_of(value):
    """A value as YAML on one line; strings are YAML already."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {text_of(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(text_of, value)) + "]"
    return str(value)


class Schemas:
    """The printed schemas and what they say of a place."""

    def __init__(self, name):
        self.file = {}
        self.name, self.root = name, self.load(f"pkm-{name}-1.schema.json")

    def load(self, file):
        if file not in self.file:
            self.file[file] = json.loads((ROOT / "schema" / file).read_text(encoding="utf-8"))
        return self.file[file]

    def forms(self, node, of):
        """The forms that may stand in a place, without references: pairs of (form, file)."""
        if "$ref" in node:
            file, _, way = node["$ref"].partition("#/")
            found = self.load(file or of)
            for part in way.split("/"):
                found = found[part]
            return self.forms(found, file or of)
        several = node.get("anyOf", []) + node.get("oneOf", []) if "type" not in node else []
        return [form for each in several for form in self.forms(each, of)] if several else [(node, of)]

    def example(self, node, of, depth=0):
        """The smallest value that a form takes."""
        form, of = self.forms(node, of)[0]
        kind = form.get("type")
        if "const" in form or "enum" in form:
            return str(form.get("const", form.get("enum", [0])[0]))
        if kind == "array":
            each = form.get("items", {"type": "number"})
            return [self.example(each, of, depth + 1) for _ in range(max(form.get("minItems", 1), 1))]
        if kind == "object":
            needed = form.get("required", [])
            if not needed and form.get("properties"):
                needed = next((r["required"] for rule in form.get("allOf", []) for r in rule.get("anyOf", rule.get("oneOf", []))
                               if "required" in r), list(form["properties"])[:1] if depth < DEPTH else [])
            value = {key: self.example(form["properties"][key], of, depth + 1) for key in needed if key in form.get("properties", {})}
            other = form.get("additionalProperties")
            if not value and isinstance(other, dict) and depth < DEPTH:
                value = {NAMES[self.name][1]: self.example(other, of, depth + 1)}
            return value
        if kind in ("string", ["string", "number"]):
            return NAMES[self.name][3 if "pattern" in form else 0]
        return str(max(form.get("minimum", 1), min(1, form.get("maximum", 1))))


def around(form):
    """The bounds of a form and what is just outside."""
    values = []
    for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        if key in form:
            values += [str(form[key]), f"{form[key] - 1}", f"{form[key] + 1}", f"{form[key] * (1 + 1e-9)}", f"= {form[key]}"]
    return values + [str(word) for word in form.get("enum", [])]


class Seeds:
    """A walk through a schema that writes a file for each value in each place."""

    def __init__(self, name, folder):
        self.schemas, self.name, self.folder, self.root = Schemas(name), name, folder, f"pkm-{name}-1.schema.json"
        self.base, self.own = leaves(yaml.safe_load(BASE[name])), {self.root}
        self.every = 1  # of the strange values
        place = "CORPUS" if name == "study" else "corpus"  # a word for which the target puts the folder
        files = [path for kind in ("table", "body", "mesh") for path in whole_first(ROOT / "tests/fuzz/corpus" / kind)[:45]]
        self.files = [f"{place}/{path.parent.name}/{path.name}" for path in files]

    def write(self, text):
        keep(self.folder, text.encode("utf-8"))

    def document(self, value):
        self.write("".join(f"{k}: {text_of(v)}\n" for k, v in value.items()) if isinstance(value, dict) else text_of(value) + "\n")

    def walk(self, node, of, put, here=None, depth=0):
        """Every value in the place that `put` fills; `here` is what the base has there."""
        own = of in self.own and "pkm-" not in node.get("$ref", "")  # keys of a run file in a study are those of `run`
        values = [] if depth == 0 else (STRANGE + NAMES[self.name])[::self.every] if own else STRANGE[:9]
        for form, of_form in self.schemas.forms(node, of):
            values = values + around(form) + [self.schemas.example(form, of_form)]
            if depth < DEPTH and form.get("type") == "object":
                self.walk_map(form, of_form, put, here if isinstance(here, dict) else None, depth)
            if depth < DEPTH and form.get("type") == "array":
                self.walk_list(form, of_form, put, depth, here if isinstance(here, list) else [])
        for value in values:
            put(value)

    def walk_map(self, form, of, put, here, depth):
        smallest = here if here is not None else self.schemas.example(form, of)
        keys = form.get("properties", {})
        for key, node in keys.items():
            for beside in self.besides(form, of, smallest, key):
                self.walk(node, of, lambda value, key=key, beside=beside: put({**beside, key: value}), smallest.get(key), depth + 1)
                for path in self.files if key == "file" else []:
                    put({**beside, key: path})
            put({**smallest, key: self.schemas.example(node, of)})
            put({k: v for k, v in smallest.items() if k != key})
        other = form.get("additionalProperties")
        if isinstance(other, dict):
            for name in NAMES[self.name][:12 if depth < 3 else 4]:
                put({**(here or {}), name: self.schemas.example(other, of)})
            for name in ['""', "a b", "a.b", "1", "pi", "q{}", "~", "[a]", "a" * 80]:
                put({**(here or {}), name: self.schemas.example(other, of)})
            for name in here or [NAMES[self.name][1]]:
                self.walk(other, of, lambda value, name=name: put({**(here or {}), name: value}), (here or {}).get(name), depth + 1)
        put({**smallest, "nonsense": "1"})
        for key in list(smallest)[:2]:
            put(text_of(smallest)[:-1] + f", {key}: {text_of(smallest[key])}}}")  # twice
        self.pairs(keys, of, put, smallest)

    def besides(self, form, of, smallest, key):
        """What may stand beside a key: all that is there but what excludes it; then, where something does, no more than it needs."""
        rules = form.get("allOf", [])
        ways = [[each["required"] for each in rule["oneOf"]] for rule in rules if "oneOf" in rule]
        never = [each["required"] for rule in rules for each in rule.get("not", {}).get("anyOf", [])]
        rivals = {other for way in ways if [key] in way for each in way for other in each} | {other for each in never if key in each for other in each}
        needed = {other for rule in rules for other in rule.get("dependentRequired", {}).get(key, [])}
        with_it = {k: self.schemas.example(form["properties"][k], of) for k in sorted(needed)}
        fitting = {**{k: v for k, v in smallest.items() if k not in rivals}, **with_it}
        alone = {**{k: v for k, v in smallest.items() if k in form.get("required", []) and k not in rivals}, **with_it}
        return [fitting] if fitting == alone or not rivals & set(smallest) - {key} else [fitting, alone]

    def pairs(self, keys, of, put, smallest):
        """Each two keys together: examples of all forms and all words of the one, an example of the other."""
        if of != self.root or self.every > 1:
            return
        forms = {key: self.schemas.forms(node, of) for key, node in keys.items()}
        first = {key: self.schemas.example(node, of) for key, node in keys.items()}
        for a, forms_a in forms.items():
            every = [v for form, of_form in forms_a for v in form.get("enum", [self.schemas.example(form, of_form)])]
            for b in keys:
                for value in every[:PAIRS] if a != b else []:
                    put({**smallest, a: value, b: first[b]})
        put({**smallest, **first})

    def walk_list(self, form, of, put, depth, here):
        for k, item in enumerate(here[:12]):
            self.walk(form.get("items", {"type": "number"}), of, lambda value, k=k: put([*here[:k], value, *here[k + 1:]]), item, depth + 1)
        each, least = form.get("items", {"type": "number"}), max(form.get("minItems", 1), 1)
        example = self.schemas.example(each, of)
        for n in {0, 1, 2, 3, least - 1, least + 1, min(form.get("maxItems", 9), 100) + 1}:
            put([example] * n)
        self.walk(each, of, lambda value: put([example] * (least - 1) + [value]), None, depth + 1)
        if least > 1:
            for value in STRANGE[:20]:
                put([value] + [example] * (least - 1))

    def lines(self):
        """The base with whole lines taken away, doubled or in another order, and as other YAML."""
        base = self.base
        self.document(base)
        self.write(json.dumps(base))
        for key in base:
            self.document({k: v for k, v in base.items() if k != key})
            self.write("".join(f"{k}: {text_of(v)}\n" for k, v in [*base.items(), (key, base[key])]))
        for start in ("\ufeff", "---\n", "%YAML 1.2\n---\n", "\t", "- ", "# only\n", "? a\n: b\n", "a: &x 1\nb: *x\n", "<<: {a: 1}\n", "\0"):
            self.write(start + "".join(f"{k}: {text_of(v)}\n" for k, v in base.items()))

    def expressions(self):
        """What the target `expression` has, as a number of this one: readers of numbers are the same."""
        name, key = PLACE[self.name]
        for text in corpus("expression"):
            text = text.decode("utf-8", "replace")
            for value in (text, "=" + text):
                self.document({**self.base, name: f"{{{key}: {json.dumps(value)}}}"})
        for data in [*corpus("json"), *(b"description: x\nname: " + damage + b"\n" for damage in DAMAGE)]:
            keep(self.folder, data)

    def more(self):
        """Single keys with names that are there; motions are those of a model file wherever they stand."""
        self.every = 1 if self.name == "model" else 4
        for text in MORE[self.name]:
            given = leaves(yaml.safe_load(re.sub("[A-Z]{4,}", lambda hit: WORDS[self.name].get(hit[0], hit[0]), text)))
            base = {**self.base, **given}
            self.document(base)
            for key in given:
                node, of = self.schemas.root["properties"][key], self.root
                if key == "motion" and isinstance(given[key], dict):
                    node, of = {"$ref": "#/$defs/motion"}, "pkm-model-1.schema.json"
                    self.schemas.load(of)
                elif "$ref" in node and "pkm-" in node["$ref"]:
                    (node, of), = self.schemas.forms(node, of)[:1]
                self.own = {self.root, of}
                self.walk(node, of, lambda value, key=key, base=base: self.document({**base, key: value}), given[key], 1)

    def strange_motions(self):
        """What a motion may not be, in the words of this target."""
        key = {"model": "motions: {go: {duration: 1 s, drives: {q: [0, 1]}}", "run": "motion: paper", "study": "motion: circle"}[self.name]
        for text in STRANGE_MOTIONS + (fuzz_models.MANY_MOTIONS if self.name == "model" else []):
            text = re.sub("[A-Z]{2,}", lambda hit: WORDS[self.name].get(hit[0], hit[0]), text)
            put = f"{key}, on: {text}" if self.name == "model" else f"motion: {text}"
            assert BASE[self.name].count(key) == 1
            keep(self.folder, BASE[self.name].replace(key, put).encode())

    def make(self):
        self.lines()
        self.expressions()
        self.walk(self.schemas.root, self.root, self.document, self.base)
        for data in fuzz_models.models(BASE["model"]) if self.name == "model" else []:
            keep(self.folder, data)
        if self.name in MORE:
            self.more()
            self.strange_motions()


def json_places(value, way=()):
    """Every place in a JSON value."""
    yield way
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []:
        yield from json_places(each, (*way, key))


def json_with(value, way, other):
    """The JSON text of a value with another text in one place; None: without it."""
    if not way:
        return other
    items = value.items() if isinstance(value, dict) else enumerate(value)
    texts = [(key, json_with(each, way[1:], other) if key == way[0] else json.dumps(each)) for key, each in items]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {text}" for key, text in texts if text is not None) + "}"
    return "[" + ", ".join(text for _, text in texts if text is not None) + "]"


JSON_STRANGE = [None, "0", "1", "-1", "2.5", "1e400", "99", "5126", "5123", "5121", "4", "1e10", "true", "null", '""', '"x"', '"\\u00e9\\ud83d"', '"\\n"', "[]", "{}", "[0]",
                "[1, 2, 3]", "[0, 0, 0, 1]", "[0, 0, 0]", "[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]", '["a"]', '{"a": 1}', "[[1, 2], [3]]", "[[]]", "nul", "tru", '"', "[1", '{"a"',
                "{1: 2}", "[1,]", "01", "1.", "-", "+1", "\n\n?", '"data:application/octet-stream;base64,AAAA"', '"data:application/octet-stream;base64,A?=="', '"data:,x"', '"a.bin"',
                "[" * 70 + "]" * 70, '"VEC3"', '"SCALAR"', '"\\q"', '"\t"', '["KHR_draco_mesh_compression"]', '"1.0"', '"2.1"']


def json_seeds(folder, base, before=b"", after=()):
    """A JSON document with every strange value in every place."""
    texts = [json.dumps(base)] + ["\n" + other for other in JSON_STRANGE[1:]] + [text for way in json_places(base) for other in JSON_STRANGE if (text := json_with(base, way, other)) is not None]
    for text in texts + [text + "x" for text in texts[:1]]:
        data = before + text.encode("utf-8")
        for whole in (data, *(end(data) for end in after)):
            keep(folder, whole)


def mesh_seeds(folder):
    """A glTF scene with all that the reader knows, as text and as one file with its data (GLB)."""
    corners = struct.pack("<12f3H", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 2) + b"\0\0"
    uri = "data:application/octet-stream;base64," + base64.b64encode(corners).decode("ascii")
    scene = {"asset": {"version": "2.0", "minVersion": "2.0"}, "extensionsRequired": [], "scene": 0, "scenes": [{"nodes": [0, 2]}],
             "nodes": [{"mesh": 0, "children": [1], "translation": [1, 2, 3], "rotation": [0, 0, 0, 1], "scale": [1, 2, 1]},
                       {"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}, {"mesh": 1}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}, {"primitives": [{"attributes": {"POSITION": 2}}]}],
             "accessors": [{"bufferView": 0, "byteOffset": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                           {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
                           {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
             "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48, "byteStride": 12}, {"buffer": 0, "byteOffset": 48, "byteLength": 6}],
             "buffers": [{"uri": uri, "byteLength": 56}]}

    def binary(data):
        data += b" " * (-len(data) % 4)
        chunks = struct.pack("<I4s", len(data), b"JSON") + data + struct.pack("<I4s", len(corners), b"BIN\0") + corners
        return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks

    json_seeds(folder, scene)
    json_seeds(folder, {**scene, "buffers": [{"byteLength": 56}]}, after=[binary])


def report_seeds(folder):
    """The files of a folder of results: JSON as far as the corpus has it whole, YAML and tables instead of it, damage."""
    for data in corpus("report"):
        try:
            base = json.loads(data[1:]) if data[:1] and data[0] % 5 < 3 else None
        except ValueError:
            continue
        if isinstance(base, dict):
            json_seeds(folder, base, data[:1])
    strings = [b'{"program": "pkm", "files": ["' + damage + b'"]}' for damage in DAMAGE]
    yaml_only = [b"program: pkm\nfiles: [a.svg]\n", b'"a"\n"b"', b"{a: &x 1, b: *x}", b"%TAG ! x\n", b"'a': 'b'\n 'c'"]
    for text in [*corpus("json"), *corpus("table"), *strings, *DAMAGE, *yaml_only]:
        for which in range(5):
            keep(folder, bytes([which]) + text)


BY_NAME = ["model\nx.yaml", "operand\nx", "model", "set\na=1", "set\na", "nonsense\n1", "-x\n1", "--\n1", "-", "o\nx", "fmu\nx.yaml", "c\nx.yaml", "nonsense", "fmu", "c\n--help", "--help",
           "-h", "a\nb\nc", "--set\n" + "a" * 80 + "=1", "--set\n=1", "\n".join(["--set", "a=1"] * 19), "\n".join(["--column", "a"] * 19), "1,2,3,4", "1 m,2 deg,3 N m", "1 m,,2", "99999999999",
           "1e300", "-5", "12x"]


def command_seeds(folder):
    """Each option of each verb, with many values for the first verbs, with few for the others; numbers; damage."""
    sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src/verb").glob("*.c"))]
    options = sorted({word for text in sources for word in re.findall(r'"(--?[a-z][a-z-]*)"', text)})
    header = (ROOT / "src/verb/commands.h").read_text(encoding="utf-8")
    n_verb = len(re.findall(r"^ +X\(", header, re.M)) + 2  # kinds of export
    values = [v for v in STRANGE if "\n" not in v] + [n for names in NAMES.values() for n in names]
    values += ["1,2,3", "1, 2", "0:1:5", "a=1", "a=", "=1", "q=1 mm"]
    numbers = [prefix + text for prefix in (b"", b"=") for text in [*corpus("expression"), *DAMAGE]]
    for verb in range(n_verb):
        texts = ["x.yaml", *options, *BY_NAME]
        for k, option in enumerate(options):
            texts += [f"{option}\n{value}" for value in (values if verb < 2 else values[:8])]
            texts += [f"{option[2:]}\n{value}" for value in ("true", "false", "", "1", "x")]
            texts += [f"{option}={values[k % len(values)]}\nx.yaml\n{option}", f"{option}\n1\n{option}\n2"]
        for data in [text.encode("utf-8") for text in texts] + (numbers if verb == 0 else []):
            keep(folder, bytes([verb]) + data)


OTHER = {"mesh": mesh_seeds, "report": report_seeds, "command": command_seeds}
TARGETS = [*BASE, *OTHER]


def make(folder, name):
    """All seeds of a target."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    if name in OTHER:
        OTHER[name](folder)
    else:
        Seeds(name, folder).make()


def main():
    folder, name = sys.argv[1:3]
    make(folder, name)
    print(f"{name}: {len(list(Path(folder).iterdir()))} seeds")


if __name__ == "__main__":
    main()
