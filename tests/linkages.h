/// Linkages whose mobility is known by hand.
#ifndef PKM_TESTS_LINKAGES_H
#define PKM_TESTS_LINKAGES_H

/// Planar four-bar with parallel z axes; the poses are rough.
static const char four_bar[] =
    "pkm: 1\nname: four-bar\ngravity: [0, -9.81, 0]\n"
    "ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"
    "bodies:\n"
    "  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0, 0.001, 0.001],\n"
    "    points: {A: [0, 0, 0], B: [0.1, 0, 0]}, pose: {at: [0, 0, 0], rotate: {z: 60 deg}}}\n"
    "  coupler: {mass: 2, com: [0.17, 0, 0], inertia: [0, 0.02, 0.02],\n"
    "    points: {B: [0, 0, 0], C: [0.35, 0, 0], P: [0.2, 0.1, 0]},\n"
    "    pose: {at: [0.05, 0.1, 0], rotate: {z: 20 deg}}}\n"
    "  rocker: {mass: 1.5, com: [0.15, 0, 0], inertia: [0, 0.01, 0.01],\n"
    "    points: {D: [0, 0, 0], C: [0.3, 0, 0]}, pose: {at: [0.4, 0, 0], rotate: {z: 95 deg}}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground.A, crank.A]}\n"
    "  B: {type: revolute, between: [crank.B, coupler.B]}\n"
    "  C: {type: revolute, between: [coupler.C, rocker.C]}\n"
    "  D: {type: revolute, between: [ground.D, rocker.D]}\n"
    "drives: {q: {joint: A}}\n"
    "tool: coupler.P\n"
    "motions: {round: {law: constant, duration: 1 s, drives: {q: [60 deg, 420 deg]}}}\n";

/// Bennett's linkage: four skew axes, lengths and twists in the ratio a / sin(alpha).
static const char bennett[] =
    "pkm: 1\nname: Bennett\n"
    "parameters:\n"
    "  a: 0.2\n  al: 40 deg\n  be: 70 deg\n  b: =a*sin(be)/sin(al)\n"
    "  t1: 100 deg\n  t2: =2*atan(sin((be + al)/2)/sin((be - al)/2)/tan(t1/2))\n"
    "ground:\n"
    "  frames: {A: {at: [0, 0, 0]}, D: {at: [=-b, 0, 0], rotate: {x: =-be}}}\n"
    "bodies:\n"
    "  one: {mass: 1, frames: {A: {at: [0, 0, 0]}, B: {at: [=a, 0, 0], rotate: {x: =al}}},\n"
    "    pose: {at: [0, 0, 0], rotate: [{z: =t1}]}}\n"
    "  two: {mass: 1, frames: {A: {at: [0, 0, 0]}, B: {at: [=b, 0, 0], rotate: {x: =be}}},\n"
    "    pose: {at: [0, 0, 0], rotate: [{z: =t1}, {x: =al}, {z: =t2}]}}\n"
    "  three: {mass: 1, frames: {A: {at: [0, 0, 0]}, B: {at: [=a, 0, 0], rotate: {x: =al}}},\n"
    "    points: {P: [0.1, 0.1, 0.1]},\n"
    "    pose: {at: [0, 0, 0], rotate: [{z: =t1}, {x: =al}, {z: =t2}, {x: =be}, {z: =-t1}]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground.A, one.A]}\n"
    "  B: {type: revolute, between: [one.B, two.A]}\n"
    "  C: {type: revolute, between: [two.B, three.A]}\n"
    "  D: {type: revolute, between: [three.B, ground.D]}\n"
    "drives: {q: {joint: A}}\n"
    "tool: three.P\n";

/// Sarrus' linkage: two limbs of three parallel hinges, at a right angle, guide a straight line.
static const char sarrus[] = "pkm: 1\nname: Sarrus\n"
                             "bodies:\n"
                             "  table: {mass: 3, inertia: [0.1, 0.1, 0.2], points: {P: [0, 0, 0]}, "
                             "pose: {at: [0, 0, 0.3]}}\n"
                             "limbs:\n"
                             "  limb:\n"
                             "    copies: {1: 0 deg, 2: 90 deg}\n"
                             "    points: {ground: {A: [0.2, 0, 0]}, table: {C: [0.2, 0, 0]}}\n"
                             "    bodies:\n"
                             "      low: {mass: 1, points: {A: [0, 0, 0], B: [0.2, 0, 0]},\n"
                             "        pose: {A: [0.2, 0, 0], B: [0.33, 0, 0.15]}}\n"
                             "      high: {mass: 1, points: {B: [0, 0, 0], C: [0.2, 0, 0]},\n"
                             "        pose: {B: [0.33, 0, 0.15], C: [0.2, 0, 0.3]}}\n"
                             "    joints:\n"
                             "      A: {type: revolute, between: [ground.A, low.A], axis: y}\n"
                             "      B: {type: revolute, between: [low.B, high.B], axis: y}\n"
                             "      C: {type: revolute, between: [high.C, table.C], axis: y}\n"
                             "drives: {q: {joint: 1.A}}\n"
                             "tool: table.P\n";

/// Crank, rod between two balls, rocker (RSSR): the rod spins idly.
static const char rssr[] =
    "pkm: 1\nname: RSSR\n"
    "ground: {points: {A: [0, 0, 0], D: [0.5, 0.1, 0]}}\n"
    "bodies:\n"
    "  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0.0001, 0.001, 0.001],\n"
    "    points: {A: [0, 0, 0], B: [0.1, 0, 0]}, pose: {at: [0, 0, 0], rotate: {z: 50 deg}}}\n"
    "  rod: {mass: 0.5, uniform: {from: B, to: C}, points: {B: [0, 0, 0], C: [0.45, 0, 0]},\n"
    "    pose: {B: [0.06, 0.08, 0], C: [0.5, 0.1, 0.25]}}\n"
    "  rocker: {mass: 1, points: {D: [0, 0, 0], C: [0, 0, 0.25]}, pose: {at: [0.5, 0.1, 0]}}\n"
    "joints:\n"
    "  A: {type: revolute, between: [ground.A, crank.A]}\n"
    "  B: {type: spherical, between: [crank.B, rod.B]}\n"
    "  C: {type: spherical, between: [rod.C, rocker.C]}\n"
    "  D: {type: revolute, between: [ground.D, rocker.D], axis: y}\n"
    "drives: {q: {joint: A}}\n"
    "tool: rocker.C\n";

/// A platform on six massless struts of driven length.
static const char strut_hexapod[] =
    "pkm: 1\nname: strut hexapod\n"
    "ground:\n"
    "  points: {A1: [0.3, 0.05, 0], A2: [-0.1, 0.28, 0], A3: [-0.2, 0.24, 0],\n"
    "    A4: [-0.19, -0.23, 0], A5: [-0.11, -0.29, 0], A6: [0.31, -0.06, 0]}\n"
    "bodies:\n"
    "  plate:\n    mass: 4\n    com: [0.01, 0, 0.02]\n    inertia: [0.03, 0.04, 0.05]\n"
    "    points: {P: [0, 0, 0], B1: [0.1, 0.16, 0], B2: [0.08, 0.17, 0], B3: [-0.2, 0.01, 0],\n"
    "      B4: [-0.19, -0.02, 0], B5: [0.09, -0.16, 0], B6: [0.11, -0.15, 0]}\n"
    "    pose: {at: [0.01, -0.02, 0.4]}\n"
    "joints:\n"
    "  s1: {type: distance, between: [ground.A1, plate.B1]}\n"
    "  s2: {type: distance, between: [ground.A2, plate.B2]}\n"
    "  s3: {type: distance, between: [ground.A3, plate.B3]}\n"
    "  s4: {type: distance, between: [ground.A4, plate.B4]}\n"
    "  s5: {type: distance, between: [ground.A5, plate.B5]}\n"
    "  s6: {type: distance, between: [plate.B6, ground.A6]}\n"
    "drives:\n"
    "  q1: {joint: s1}\n  q2: {joint: s2}\n  q3: {joint: s3}\n"
    "  q4: {joint: s4, sign: -1, zero: 1}\n  q5: {joint: s5}\n  q6: {joint: s6}\n"
    "tool: {point: plate.P, length: 0.1}\n"
    "motions: {up: {law: quintic, duration: 1 s, path: {line: {from: [0.01, -0.02, 0.4],\n"
    "  to: [0.05, 0.03, 0.47]}}, rpy: {from: [0, 0, 0], to: [0.1, -0.05, 0.2]}}}\n";

/// Three parallel cranks carry a plate on a circle. Nowhere singular; every single row of the loops
/// vanishes somewhere on the way.
static const char three_cranks[] =
    "pkm: 1\nname: three cranks\ngravity: [0, -9.81, 0]\n"
    "ground: {points: {A: [0, 0, 0], B: [0.3, 0, 0], C: [0.1, 0.25, 0]}}\n"
    "bodies:\n"
    "  c1: {mass: 1, points: {O: [0, 0, 0], E: [0.1, 0, 0]},\n"
    "    pose: {at: [0, 0, 0], rotate: {z: 20 deg}}}\n"
    "  c2: {mass: 1, points: {O: [0, 0, 0], E: [0.1, 0, 0]},\n"
    "    pose: {at: [0.3, 0, 0], rotate: {z: 20 deg}}}\n"
    "  c3: {mass: 1, points: {O: [0, 0, 0], E: [0.1, 0, 0]},\n"
    "    pose: {at: [0.1, 0.25, 0], rotate: {z: 20 deg}}}\n"
    "  plate: {mass: 2, com: [0.1, 0.1, 0], inertia: [0.01, 0.01, 0.02],\n"
    "    points: {A: [0, 0, 0], B: [0.3, 0, 0], C: [0.1, 0.25, 0], P: [0.1, 0.1, 0]},\n"
    "    pose: {at: [\"=0.1*cos(20 deg)\", \"=0.1*sin(20 deg)\", 0]}}\n"
    "joints:\n"
    "  m1: {type: revolute, between: [ground.A, c1.O]}\n"
    "  m2: {type: revolute, between: [ground.B, c2.O]}\n"
    "  m3: {type: revolute, between: [ground.C, c3.O]}\n"
    "  e1: {type: revolute, between: [c1.E, plate.A]}\n"
    "  e2: {type: revolute, between: [c2.E, plate.B]}\n"
    "  e3: {type: revolute, between: [c3.E, plate.C]}\n"
    "drives: {q: {joint: m1, home: 20 deg}}\n"
    "tool: plate.P\n"
    "motions: {round: {law: constant, duration: 1 s, drives: {q: [20 deg, 380 deg]}}}\n";

#endif
