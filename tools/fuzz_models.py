"""Models for the fuzz target `model` beside those that the walk through its keys makes (fuzz_seeds.py): robots whose bodies
hang together in other ways, copies and limits, sequences, other texts in place of one in the base; motions of every kind."""

import random

# How many there are in a loop: as many as compilers take at a time, one fewer, one more.
SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17)
RPY = ["", "rpy: {from: [0, 0, 0], to: [0, 0, 1]}", "rpy: {through: [[0, 0, 0]]}"] + [f"rpy: {{through: [{', '.join(f'[0, 0, {k} deg]' for k in range(n))}]}}" for n in (2, 3, 4, 5, 6, 9)]
# Paths of every kind with as many points as a loop over them may take at a time, each with every way to turn.
PATHS = ["line: {from: HERE, to: THERE}", "circle: {center: HERE, radius: 1 mm}", "arc: {through: [HERE, MIDDLE, THERE]}",
         "inverted_u: {from: HERE, step: [1 mm, 0, 0], lift: [0, 0, 1 mm], marks: [0, 1, 2, 3, 4]}"]
PATHS += [f"{kind}: {{through: [{', '.join(f'[{k % 3} mm, {k} mm, 0]' for k in range(n))}]{more}}}" for n in (2, 3, 4, 5, 6, 9) for kind, more in (("polyline", ""), ("polyline", ", blend: 0.1 mm"), ("spline", ""))]
MANY_MOTIONS = [f"{{{law}, path: {{{path}}}{rpy and ', ' + rpy}}}" for path in PATHS for rpy in RPY for law in ("duration: 4 s", "law: trapezoidal, max_speed: 1 m/s, max_acceleration: 1 m/s2", "law: s_curve, duration: 1 s")]
MANY_MOTIONS += [f"{{times: [{', '.join(f'{k} s' for k in range(n))}], path: {{spline: {{through: [{', '.join(f'[{k % 3} mm, {k} mm, 0]' for k in range(n))}]}}}}{rpy and ', ' + rpy}}}"
                 for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 20, 33, 40) for rpy in RPY]
MANY_MOTIONS += [f"{{{way}, drives: {{DRIVE: [{', '.join(f'{k % 2} deg' for k in range(n))}]}}}}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17, 20, 33, 40)
                 for way in ("duration: 1 s", "max_speed: 1 rad/s", "times: [" + ", ".join(f"{k} s" for k in range(n)) + "]", "times: [" + ", ".join(f"{k}e-10 s" for k in range(n)) + "]")]

# Robots of other kinds than the base: how bodies hang together, copies, how many there may be. Joints are `type a b`.
BODY = "mass: 1, com: [0, 0, 0], inertia: [1, 1, 1], points: {A: [0, 0, 0], B: [1, 0, 0], C: [0, 1, 0]}"


def robot(bodies, joints, drives="", more=""):
    """A model of bodies that are all alike, with joints `name: type body.point body.point [more]`."""
    all_bodies = ", ".join(f"{name}: {{{BODY}}}" for name in bodies.split())
    all_joints = ", ".join(f"j{k}: {{type: {kind}, between: [{a}, {b}]{', ' if rest else ''}{rest}}}" for k, (kind, a, b, rest) in enumerate(
        ([*joint.split(" ", 3), ""])[:4] for joint in joints.split("; ")))
    all_drives = ", ".join(f"q{k}: {{joint: j{each}}}" for k, each in enumerate(drives.split()))
    return (f"pkm: 1\nname: robot\nground: {{points: {{A: [0, 0, 0], B: [3, 0, 0], C: [0, 3, 0]}}}}\nbodies: {{{all_bodies}}}\njoints: {{{all_joints}}}\n"
            + (f"drives: {{{all_drives}}}\n" if drives else "") + more)


def limb(copies, bodies=1, points=1, joints=1, drives=0):
    """A model of so many copies with so many of everything in each."""
    inside = ", ".join(f"b{k}: {{mass: 1, com: [0, 0, 0], inertia: [1, 1, 1], points: {{{', '.join(f'p{i}: [0, 0, 0]' for i in range(points))}}}}}" for k in range(bodies))
    held = ", ".join(f"j{k}: {{type: revolute, axis: x, between: [ground.A, b{k % max(bodies, 1)}.p0]}}" for k in range(joints))
    driven = ", ".join(f"q{k}: {{joint: j{k}}}" for k in range(drives))
    return (f"pkm: 1\nname: robot\nground: {{points: {{A: [0, 0, 0]}}}}\nlimbs: {{l: {{copies: {{{','.join(f'{chr(97 + k // 100)}{k % 100}: 0' for k in range(copies))}}}, bodies: {{{inside}}}, "
            f"joints: {{{held}}}{', drives: {' + driven + '}' if drives else ''}}}}}\n")


R, S, D = "revolute {} {} axis: z", "spherical {} {}", "distance {} {} length: 1"
THREE = "; ".join([R.format(f"ground.{p}", f"{b}.A") for p, b in zip("ABC", "abc")] + [S.format(f"{b}.B", f"p.{p}") for p, b in zip("ABC", "abc")])


def chains(kinds, n_driven=0):
    """Bodies in a row, their joints in several orders."""
    names, order = ["ground", *"abcdefgh"], list(range(8))
    for turned in (order, order[::-1], order[::2] + order[1::2], order[1::2] + order[::2], [0, 7, 1, 6, 2, 5, 3, 4], [4, 3, 5, 2, 6, 1, 7, 0], [3, 1, 0, 2, 7, 5, 4, 6]):
        for is_turned in (False, True):
            ends = [(f"{names[k]}.B", f"{names[k + 1]}.A")[::-1 if is_turned else 1] for k in turned]
            joints = "; ".join(f"{kinds[k % len(kinds)]} {a} {b} axis: z" for k, (a, b) in enumerate(ends))
            yield robot("a b c d e f g h", joints, " ".join(map(str, range(n_driven))))
            yield robot("h g f e d c b a", joints + "; revolute ground.C h.C axis: z; distance a.C d.C length: 1", " ".join(map(str, range(n_driven))))


def floating(n, m):
    """Bodies that hang on rods alone."""
    names = "abcdefghijk"[:n]
    return robot(" ".join(names), "; ".join(D.format(f"ground.{'ABC'[k % 3]}", f"{names[k % n]}.{'ABC'[k // 3 % 3]}") for k in range(m)))


def trees(n):
    """Bodies that hang on each other in any way, always the same ones; a few loops."""
    dice, names = random.Random(1), "abcdefgh"
    for _ in range(n):
        pairs = [(dice.choice(["ground.A", *(f"{b}.B" for b in names[:k])]), f"{names[k]}.A") for k in range(8)]
        pairs += [(f"{dice.choice(names)}.C", f"{dice.choice(names)}.B") for _ in range(dice.choice([0, 0, 1, 2]))]
        dice.shuffle(pairs)
        joints = [f"{dice.choice(['revolute', 'revolute', 'screw'])} {' '.join(dice.sample(pair, 2))} axis: z" for pair in pairs if pair[0][0] != pair[1][0]]
        joints = [joint + ", lead: 1" if joint.startswith("screw") else joint for joint in joints]
        yield robot(" ".join(dice.sample(names, 8)), "; ".join(joints), " ".join(map(str, dice.sample(range(len(joints)), dice.choice([0, 4, len(joints)])))))


HANGING = [
    robot("a", f"{R.format('ground.A', 'a.A')}; {R.format('ground.B', 'a.B')}", "0 1"),
    robot("a b", f"{R.format('ground.A', 'a.A')}; {R.format('a.B', 'b.A')}; {R.format('ground.B', 'b.B')}", "0 1 2"),
    robot("a b", f"{R.format('ground.A', 'a.A')}; {R.format('a.B', 'b.A')}; {R.format('ground.B', 'b.B')}", "0 2"),
    robot("a b c", f"{R.format('ground.A', 'a.A')}; {R.format('a.B', 'b.A')}; {R.format('b.B', 'c.A')}; {R.format('ground.B', 'c.B')}", "0"),
    robot("a b c", f"{R.format('ground.A', 'a.A')}; {R.format('a.B', 'b.A')}; {R.format('b.B', 'c.A')}; {R.format('ground.B', 'c.B')}", "1 2"),
    robot("a b c", f"{R.format('b.B', 'c.A')}; {R.format('a.B', 'b.A')}; {R.format('ground.A', 'a.A')}; {R.format('ground.B', 'c.B')}", "0 1"),
    *(robot("a", f"screw {a} {b} axis: z, lead: 1; screw {c} {d} axis: x, lead: 1", n) for a, b, c, d in (("ground.A", "a.A", "ground.B", "a.B"), ("a.A", "ground.A", "ground.B", "a.B")) for n in ("", "0", "1", "0 1")),
    robot("a b", f"screw ground.A a.A axis: z, lead: 1; screw a.B b.A axis: z, lead: 1; screw ground.B b.B axis: z, lead: 1", "0"),
    robot("a", "; ".join(D.format(f"ground.{p}", f"a.{p}") for p in "ABC")),
    robot("a b", "; ".join(D.format(f"ground.{p}", f"a.{p}") for p in "ABC") + f"; {R.format('a.A', 'b.A')}", "3"),
    robot("a b", "; ".join([R.format("ground.A", "b.A")] + [D.format(f"b.{p}", f"a.{p}") for p in "ABC"]), "0"),
    robot("a", "free ground.A a.A"), robot("a b", "free ground.A a.A; free ground.B b.A"), robot("a", "cylindrical ground.A a.A axis: z", "0"),
    robot("a b c p", THREE, "0 1 2", "tool: p.A\n"), robot("p a b c", THREE, "0 1 2", "tool: p.A\n"), robot("a b c p", THREE, "0 1", "tool: a.A\n"), robot("a b c p", THREE, "0 1 2 3", "tool: p.A\n"),
    robot("a b c p", THREE + f"; {R.format('ground.A', 'p.A')}", "0 1 2"), robot("a b c p", THREE + f"; {D.format('ground.A', 'p.A')}", "0 1 2"),
    robot("a b c p e", THREE + f"; {R.format('p.C', 'e.A')}", "0 1 2", "tool: e.A\n"), robot("a b c p e", THREE + f"; {R.format('p.C', 'e.A')}", "0 1 6"),
    robot("a b c p e", THREE + f"; {R.format('e.A', 'p.C')}; {R.format('ground.A', 'e.B')}", "0 1 2", "tool: e.A\n"),
    robot("a b c p e", THREE + "; " + "; ".join(S.format(f"{b}.C", f"e.{p}") for p, b in zip("ABC", "abc")), "0 1 2", "tool: e.A\n"),
    robot("a b c e p", THREE + "; " + "; ".join(S.format(f"{b}.C", f"e.{p}") for p, b in zip("ABC", "abc")), "0 1 2", "tool: e.A\n"),
    robot("a b c e p", THREE + "; " + "; ".join(S.format(f"{b}.C", f"e.{p}") for p, b in zip("ABC", "abc")), "0 1 2"),
    robot("a b c p", THREE.replace("spherical a.B p.A", "distance a.B p.A length: 1"), "0 1 2"),
    robot("a b c p", "; ".join(D.format(f"{b}.B", f"p.{p}") if kind == "d" else R.format(f"ground.{p}", f"{b}.A") for kind in "rd" for p, b in zip("ABC", "abc")), "0 1 2", "tool: p.A\n"),
    *(robot("a b", f"{kind} ground.A a.A {more}; {kind} a.B b.A {more}; {kind} b.B ground.B {more}", "0") for kind, more in
      (("revolute", "axis: z"), ("prismatic", "axis: z"), ("spherical", ""), ("universal", "axis: [x, y]"), ("planar", "axis: z"), ("fixed", ""), ("free", ""), ("cylindrical", "axis: z"))),
    *(robot("a b", f"{R.format('ground.A', 'a.A')}; {R.format('a.B', 'b.A')}", "0 1", f"home: {{drives: {{q0: 0.1, q1: {end}}}}}\ntool: b.B\nmotions: {{go: {motion}, again: {{sequence: [go, {{dwell: 1 s}}, go]}}}}\n") for end in ("0", "1 deg") for motion in
      ("{duration: 1 s, drives: {q0: 1}}", "{duration: 1 s, drives: {q0: [0, 1], q1: [1, 0]}}", "{duration: 1 s, drives: {q1: [0.1, 1]}}", "{max_speed: 1 rad/s, drives: {q0: 1}}", "{duration: 1 s, max_speed: 1e-6 rad/s, drives: {q0: 1}}",
       "{duration: 1 s, drives: {q1: [0, 1, 0]}}", "{duration: 1 s, drives: {q0: [0.1, 1, 0.1], q1: [0, 1, 0]}}", "{duration: 1 s, formula: {of: drives, q0: '=1 rad/s*t'}}", "{samples: {file: corpus/table/samples-two.csv, of: drives}}",
       "{duration: 1 s, path: {line: {from: [1, 0, 0], to: [0, 1, 0]}}}", "{duration: 1 s, path: {circle: {center: [1, 0, 0], radius: 0.1}}}", "{duration: 1 s, path: {line: {from: [1, 0, 0], to: [0, 1, 0]}}, rpy: {from: [0, 0, 0], to: [0, 0, 1]}}",
       "{duration: 1 s, path: {circle: {center: [1, 0, 0], radius: 0.1}}, rpy: [0, 0, 1]}", "{samples: {file: corpus/table/samples-place.csv, of: tool}}")),
    *(limb(n) for n in (1, 2, 15, 31, 32, 33, 64, 65, 130, 260, 999, 1000, 1001)), limb(250, 20), limb(260, 20), limb(500, 1, 39), limb(500, 1, 40), limb(510, 1, 40), limb(500, 1, 1, 20), limb(510, 1, 1, 20), *(limb(n, 1, 1, 1, 1) for n in (15, 16, 17, 31, 32, 33, 64, 65)),
    *chains(["revolute"]), *chains(["revolute"], 8), *chains(["revolute", "prismatic"], 4), *(floating(n, m) for n, most in ((1, 24), (2, 24), (3, 5), (5, 5)) for m in (1, 2, 4, 5, 7, 8, 9, 16, 17, 24) if m <= most),
      *(robot("a b", f"{R.format('ground.A', 'a.A')}; prismatic a.B b.A axis: z", "0 1", f"home: {{drives: {{q0: 0, q1: 0}}}}\nmotions: {{go: {{{limit}, drives: {{{drives}}}}}}}\n") for limit in
        ("duration: 1 s", "max_speed: 1 rad/s", "max_speed: 1 m/s", "max_speed: 1", "times: [0, 1 s, 2 s]", "times: [0, 1 s]") for drives in
        ("q0: 1 deg", "q1: 1 mm", "q0: 1 deg, q1: 1 mm", "q0: [0, 1]", "q1: [0, 1, 2]", "q0: [0, 1, 2], q1: [0, 1, 2]", "q0: [0, 1, 2], q1: [0, 1]", "q0: [0, 1, 2], q1: 1", "q0: 1, q1: [0, 1, 2]", "q0: [0, 1], q1: [0, 1]", "q1: [0, 1 mm], q0: [0, 1 deg, 2]")),
    *trees(150)]

LIMB = "limbs: {%s: {copies: {%s: 0}, points: {ground: {%s: [0, 0, 0]}}, bodies: {%s: {mass: 1, points: {A: [0, 0, 0]}}}, joints: {%s: {type: revolute, between: [ground.A, %s.A]}}, drives: {%s: {joint: %s}}}%s}\n"
SECOND = "bodies: {%s: {mass: 1, points: {A: [0, 0, 0]}}}, joints: {%s: {type: revolute, between: [ground.A, %s.A]}}, drives: {%s: {joint: %s}}}"
# Copies whose names meet those of other copies, or of the file.
COPIES = ["pkm: 1\nname: robot\nground: {points: {A: [0, 0, 0]}}\n" + LIMB % ("l", "c", point, "b", "j", "b", drive, "j", f", k: {{copies: {{c: 1}}, {SECOND % (body, joint, body, other, joint)}") for body in ("b", "d", "b{}") for joint in ("j", "i", "{}j") for drive in ("q", "q{}")
           for other in ("q", "q{}", "p") for point in ("A", "A{}")]
COPIES += [robot("a", R.format("ground.A", "a.A"), "0") + LIMB % ("l", copies, "D{}", "b", joint, "b", drive, joint, "") for copies in ("c", "0", "1", "a", "j0", "q0: 0, q1") for joint in ("j", "j{}", "{}") for drive in ("q", "q{}", "{}")]
COPIES += [limb(n, 1, 1, 1, 1) + f"motions: {{go: {go}}}\n" + home for n in SIZES for go in
           ("{times: [0, 1, 2], drives: {a0.q0: [0, 1, 2]}}", "{duration: 1 s, drives: {a0.q0: 1}}", "{duration: 1 s, formula: {of: drives, a0.q0: '=1 rad/s*t'}}", "{duration: 1 s, drives: {a0.q0: [0, 1]}}, on: {sequence: [go]}") for home in ("", "home: {drives: {a0.q0: 0.1}}\n")]
COPIES += ["pkm: 1\nname: robot\nground: {points: {A: [0, 0, 0]}}\nbodies: {a: {mass: 1, points: {A: [0, 0, 0]}}}\njoints: {j: {type: revolute, between: [ground.A, a.A]}}\nmotions: {go: {samples: {file: corpus/table/samples-%s.csv, of: %s}}}\n" % (table, of)
           for table in ("time", "drive", "two", "place", "pose") for of in ("drives", "tool")]
COPIES += [limb(n, 1, 1, 1, 1) + f"motions: {{a: {{{a}}}, b: {{{b}}}, s: {{sequence: [{order}]}}, t: {{sequence: [s, s]}}}}\n".replace("LAST", f"a{n - 1}.q0") for n in SIZES for order in ("a, b", "a, a", "b, a, b") for a, b in
           (("duration: 1 s, drives: {a0.q0: [0, 1]}", "duration: 1 s, drives: {a0.q0: [1, 0]}"), ("duration: 1 s, drives: {LAST: [0, 1]}", "duration: 1 s, drives: {a0.q0: [0, 1]}"), ("duration: 1 s, drives: {LAST: [0, 1, 0]}", "duration: 1 s, drives: {a0.q0: [0, 1, 0]}"),
            ("duration: 1 s, drives: {a0.q0: [0, 2, 1]}", "duration: 1 s, formula: {of: drives, a0.q0: '=1 rad - 1 rad/s*t'}"), ("duration: 1 s, formula: {of: drives, LAST: '=1 rad/s*t'}", "duration: 1 s, formula: {of: drives, LAST: '=1 rad - 1 rad/s*t'}"))]

# Points of copies on bodies of others, whose names meet; names that are too long together.
POINTS = "limbs: {l: {copies: {c: 0}, points: {b: {a: [0, 0, 0]}}}, k: {copies: {%s: 0}, %s}}\n"
COPIES += [robot("b", R.format("ground.A", "b.A")) + POINTS % (copy, inside) for copy, inside in
           (("b", "bodies: {c: {mass: 1, points: {a: [0, 0, 0]}}}, joints: {j: {type: revolute, between: [ground.A, c.a]}}"), ("c", "points: {b: {a: [0, 0, 0]}}"), ("c", "points: {b: {d: [0, 0, 0]}}"), ("c", "frames: {b: {a: {at: [0, 0, 0]}}}"), ("d", "points: {b: {a: [0, 0, 0]}}"))]
COPIES += [robot("b", R.format("ground.A", "b.A")) + f"limbs: {{l: {{copies: {{{'c' * n}: 0}}, points: {{b: {{{'a' * m}: [0, 0, 0]}}}}, bodies: {{{'d' * m}: {{mass: 1, points: {{{'e' * k}: [0, 0, 0]}}}}}}, joints: {{{'f' * m}: {{type: revolute, between: [ground.A, {'d' * m}.{'e' * k}]}}}}}}}}\n"
           for n in (1, 30, 47, 48) for m in (1, 30, 47, 48) for k in (1, 30, 47, 48)]
COPIES += [robot("b" * n, R.format("ground.A", f"{'b' * n}.A")).replace("C: [0, 1, 0]}}}", f"C: [0, 1, 0], {'p' * m}: [0, 0, 0]}}}}}}") for n in (1, 30, 46, 47, 48) for m in (1, 30, 46, 47, 48)]


def there_and_back():
    """Motions from one place to another and back, of any kind."""
    found = {
        "drives": ("{duration: 1 s, drives: {q: [0, 1]}}", "{duration: 1 s, drives: {q: [1, 0]}}"), "way points": ("{duration: 1 s, drives: {q: [0, 2, 1]}}", "{max_speed: 1 rad/s, drives: {q: [1, 3, 0]}}"),
        "formula": ("{duration: 1 s, formula: {of: drives, q: '=1 rad/s*t'}}", "{duration: 1 s, formula: {of: drives, q: '=1 rad - 1 rad/s*t'}}"), "home": ("{duration: 1 s, drives: {q: 1}}", "{duration: 1 s, drives: {q: [1, 0]}}"),
        "samples": ("{samples: {file: corpus/table/samples-there.csv, of: drives}}", "{samples: {file: corpus/table/samples-and-back.csv, of: drives}}"),
    }
    for law in ("cubic", "quintic", "septic", "trapezoidal", "s_curve", "constant"):
        found[law] = tuple(f"{{law: {law}, duration: 1 s, path: {{line: {{from: [{a}, 0, 0], to: [{b}, 0, 0]}}}}}}" for a, b in ((0, 1), (1, 0)))
        found[f"{law} turning"] = tuple(f"{{law: {law}, duration: 1 s, path: {{line: {{from: [{a}, 0, 0], to: [{b}, 0, 0]}}}}, rpy: {{from: [0, 0, {a}], to: [0, 0, {b}]}}}}" for a, b in ((0, 1), (1, 0)))
    for name, path in (("polyline", "polyline: {{through: [[{a}, 0, 0], [0.5, 1, 0], [{b}, 0, 0]]}}"), ("rounded", "polyline: {{through: [[{a}, 0, 0], [0.5, 1, 0], [{b}, 0, 0]], blend: 0.1}}"), ("arc", "arc: {{through: [[{a}, 0, 0], [0.5, 1, 0], [{b}, 0, 0]]}}"),
                         ("spline", "spline: {{through: [[{a}, 0, 0], [0.5, 1, 0], [{b}, 0, 0]]}}"), ("circle", "circle: {{center: [0.5, 0, 0], radius: 0.5, start: [{c}, 0, 0], angle: 180 deg}}"),
                         ("inverted_u", "inverted_u: {{from: [{a}, 0, 0], step: [{c}, 0, 0], lift: [0, 0, 0.1], marks: [0, 0.2, 0.4, 0.6, 0.8]}}")):
        for rpy in ("", ", rpy: {{from: [0, 0, {a}], to: [0, 0, {b}]}}", *([", rpy: {{through: [[0, 0, {a}], [0.5, 0, 0.5], [0, 0, {b}]]}}"] if name in ("polyline", "rounded", "arc", "spline") else [])):
            for law in ("", "law: trapezoidal, ", "law: s_curve, "):
                found[name + rpy + law] = tuple(f"{{{'' if name == 'inverted_u' else law + 'duration: 1 s, '}path: {{{path.format(a=a, b=b, c=(b - a) * (-1 if name == 'circle' else 1))}}}{rpy.format(a=a, b=b)}}}" for a, b in ((0, 1), (1, 0)))
    return list(found.values())


THERE_AND_BACK = there_and_back()
# Those one after the other, also shaped, in sequences of sequences.
ORDERS = ["s: {sequence: [a, b]}", "s: {sequence: [a, b], repeat: 3}", "s: {sequence: [a, {dwell: 1 s}, b, {dwell: 0.5 s}], stretch: 2, repeat: 2}", "s: {sequence: [a, b]}, t: {sequence: [s, s]}", "s: {sequence: [a, b], repeat: 2}, t: {sequence: [s, a, b, s], repeat: 2}",
          "s: {sequence: [a]}, t: {sequence: [s, b]}, u: {sequence: [t, s, b, t], stretch: 0.5}", "s: {sequence: [a, a]}", "s: {sequence: [a], repeat: 2}", "s: {sequence: [b, a]}, t: {sequence: [a, s]}", "s: {sequence: [a, b], hold_before: 1 s, hold_after: 1 s}, t: {sequence: [s, s]}",
          "s: {sequence: [a, b], shaper: {kind: zv, frequency: 10 Hz}}, t: {sequence: [s, a]}", "s: {sequence: [a, {dwell: 1 s}, {pick: x}, {dwell: 1 s}, b, {drop: x}], payload: {x: {mass: 1, at: crank.P}}}, t: {sequence: [s, s]}"]
MOTION = "motions: {go: {duration: 1 s, drives: {q: [0, 1]}}}"
# Other texts in place of one in the base.
ODD = [(old, new) for old, every in (
    ("com: [=l/2, 0, 0]", [f"com: [{v}]" for v in ("0,8, 1, 2", "0,8,1,2", "0, 8, 1, 2", "0,8, 1, -2", "0,-8, 1, 2", "-0,8, 1, 2", "a,8, 1, 2", "0,a, 1, 2", "[0],8, 1, 2", "0,[8], 1, 2", "0, [8], 1,2", "0,8, 1,5, 2,5", "0,8", ",", "1,, 2", "1, 2,5 mm, 3, 4")]),
    ("mass: 1,", [f"mass: 1, pose: {{{v}}}," for v in ("A: [0, 0, 0]", "A: [0, 0, 0], P: [1, 0, 0]", "A: [0, 0, 0], P: [-1, 0, 0]", "A: [0, 0, 0], P: [0, 0, 0]", "A: [0, 0, 0], A: [0, 0, 1]", "P: [0, 0, 0], A: [0, 1, 0], B: [0, 0, 1]", "A: [0, 0, 0], rotate: {z: 1}", "rotate: {z: 1}, A: [0, 0, 0]", "A: [0, 0, 0], P: [1, 0, 0], rotate: {z: 1}",
                                                        "A: [0, 0]", "A: 1", "Z: [0, 0, 0]", "A: [0, 0, 0], rotate: {z: x}", "A: [0, 0, 0], rotate: 1", "at: [0, 0, 0], A: [0, 0, 0]", "at: [0, 0, 0], rotate: {z: 1}", "A: [0, 0, 0], ground.B: [1, 0, 0]")]),
    ("points: {A: [0, 0, 0], P: [=l, 0, 0]}", ["points: {A: [0, 0, 0], P: [=l, 0, 0]}, frames: {A: {at: [0, 0, 0]}}", "points: {A: [0, 0, 0], P: [=l, 0, 0], A: [1, 0, 0]}", *(f"points: {{A: [0, 0, 0], P: [=l, 0, 0], {'p' * n}: [1, 0, 0]}}" for n in (30, 40, 50, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65)),
                                               *(f"points: {{A: [0, 0, 0], P: [=l, 0, 0], {', '.join(f'p{k}: [0, 0, 0]' for k in range(n))}}}" for n in (10, 28, 29, 30, 31, 32, 33, 60, 64, 65, 130, 260))]),
    ("parameters: {g: 9.81 m/s2, l: 0.5 m}", [f"parameters: {{g: 9.81 m/s2, l: 0.5 m, {v}}}" for v in ("a: =a", "a: =b, b: =a", "a: =b, b: =c, c: =b", "a: =b + c, b: =c, c: =d, d: =1", "a: =b, b: =c, c: =d, d: =e, e: =1 +", ", ".join(f"a{k}: =a{k + 1}" for k in range(30)) + ", a30: =a0", ", ".join(f"a{k}: =a{k + 1}" for k in range(300)) + ", a300: 1",
                                                                                                       ", ".join(f"{chr(97 + k) * 60}: ={chr(98 + k) * 60}" for k in range(9)) + f", {chr(106) * 60}: ={'a' * 60}", *(", ".join(f"a{k}: {k}" for k in range(n)) for n in (29, 30, 31, 32, 62, 63, 64, 65, 254, 255, 256, 257)))]),
    ("drives: {q: {joint: m}}", ["drives: {q: {joint: m}, p: {joint: m}}",  "drives: {q: {joint: m}, q: {joint: m}}", "drives: {q: {joint: m}}\npayload: [{at: crank.P, mass: 1}, {at: crank.A, mass: 2, inertia: [1, 1, 1]}, {at: crank.P, mass: 0}]", "drives: {q: {joint: m}}\npayload: []", "drives: {q: {joint: m}}\npayload: [{at: ground.A, mass: 1}]",
                                 *(f"drives: {{q: {{joint: m}}}}\npayload: {{at: crank.P, mass: 1, shape: [{', '.join(['{sphere: {diameter: 1}}'] * n)}]}}" for n in (0, 1, 2, 3, 5)),
                                 "drives: {q: {joint: m}}\nclosed_form: {family: x, a: 1, b: 2 mm, c: =l}", "drives: {q: {joint: m}}\nclosed_form: {family: x, a: b}", "drives: {q: {joint: m}}\noutputs: [crank.P, crank.A, crank.P]"]),
    ("ground: {points: {A: [0, 0, 0], B: [0.3, 0, 0]}}", [f"ground: {{points: {{A: [0, 0, 0], B: [0.3, 0, 0]}}, shape: {{mesh: {{file: {path}{scale}}}{more}}}}}" for path in ("corpus/mesh/tetrahedron.stl", "/dev/null", "corpus", "/dev/fd/9999", "/proc/self/fd/9999", "../../CHANGELOG.md", "../../docs/reference/robustness.md", "nowhere", "''")
                                                          for scale in ("", ", scale: 0.001", ", scale: 1 mm", ", scale: 1 kg", ", scale: 0", ", scale: -1", ", scale: [1]", ", at: [1, 2, 3], rotate: {z: 1}") for more in ("", ", density: 1")])) for new in every]
ODD += [("type: revolute, between: [ground.A, crank.A], axis: y}}\ndrives: {q: {joint: m}}", f"type: cylindrical, between: [ground.A, crank.A], axis: y}}}}\ndrives: {{{drives}}}") for drives in
        ("q: {joint: m, coordinate: angle}, p: {joint: m, coordinate: displacement}", "q: {joint: m, coordinate: angle}, p: {joint: m, coordinate: angle}", "q: {joint: m, coordinate: displacement}")]
ODD += [(MOTION, f"motions: {{go: {{samples: {{file: {path}, of: drives}}}}}}") for path in ("/dev/null", "corpus", "/dev/fd/9999", "/proc/self/fd/9999", "../../CHANGELOG.md", "nowhere", "''", "[a]")]
ODD += [(MOTION, f"motions: {{a: {a}, b: {b}, {order}}}") for a, b in THERE_AND_BACK for order in ORDERS]
ODD += [(MOTION, f"motions: {{a: {a}, b: {b[:-1]}, shaper: {{kind: {shaper}}}}}, {order}}}") for a, b in THERE_AND_BACK for shaper in ("zv, frequency: 10 Hz", "zvd, frequency: 1 Hz, damping: 0.1") for order in ORDERS[:4]]
ODD += [(MOTION, "motions: {a: {duration: 1 s, drives: {q: [0, 1, 0]}}, s: {sequence: [a, a], %s}}" % more) for more in
        (*(f"{key}: {value}" for key in ("repeat", "stretch") for value in ("0", "-1", "1", "2.5", "100000", "100001", "1e13", "1e300", "1e400", "nan", "x", "1 s", "[]")), "duration: 2 s", "duration: 3 s", "max_speed: 1", "repeat: 100000, stretch: 1e9")]
ODD += [("P: [=l, 0, 0]}}}\njoints: {m: {type: revolute, between: [ground.A, crank.A]", f"P: [=l, 0, 0], {'p' * n}: [0, 0, 0]}}}}}}\njoints: {{m: {{type: revolute, between: [ground.A, {name}]") for n in (56, 57, 58, 59, 60) for name in
        ("crank.Z", "Z", f"crank.{'p' * (n - 1)}", f"crank.{'p' * (n + 1)}", "z" * 64, "z" * 65)]
# Sequences of motions of two kinds, and of several drives; bodies that hang together at random.
ODD += [(MOTION, f"motions: {{a: {a}, b: {b}, s: {{sequence: [a, b]}}}}") for a, _ in THERE_AND_BACK for _, b in THERE_AND_BACK]
ODD += [(MOTION, f"motions: {{a: {{duration: 1 s, drives: {{q: [0, 1, 0]}}}}, s: {{sequence: [a, {stop}, a], payload: {{{name}: {{mass: 1, at: crank.P}}}}}}}}") for name in ("x", "x" * 46, "x" * 47, "x" * 48) for stop in
        (f"{{pick: {name}}}", f"{{dwell: 1 s}}, {{pick: {name}}}", f"{{pick: {name}}}, {{dwell: 1e13 s}}", f"{{dwell: 1e300 s}}, {{drop: {name}}}", f"{{dwell: 1e12 s}}, {{dwell: 1e12 s}}, {{pick: {name}}}", "{pick: ''}", "{pick: y}")]


def put_together(data):
    """A model with a comment that makes it one of those that the target puts together (fuzz_model.c, file.c)."""
    for k in range(1000):
        text, code = data + f"# {k}\n".encode(), 2166136261
        for byte in text:
            code = (code ^ byte) * 16777619 & 0xffffffff
        if (code >> 16) % 8 == 0:
            return text
    raise AssertionError


def models(base):
    """All models; `base` is the text in which ODD puts others."""
    for text, other in ODD:
        assert base.count(text) == 1, text
        yield put_together(base.replace(text, other).encode())
    for text in HANGING + COPIES:
        yield put_together(text.encode()) if len(text) < 3000 else text.encode()
