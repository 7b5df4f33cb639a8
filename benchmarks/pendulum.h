/// A flexible pendulum: a hinged rod of aluminium, 1 m and 10 mm square, let go from the
/// horizontal, 1 s.
#ifndef PKM_BENCH_PENDULUM_H
#define PKM_BENCH_PENDULUM_H

#define PENDULUM                                                                                   \
    "pkm: 1\nname: rod\ngravity: [0, 0, -9.81 m/s2]\n"                                             \
    "materials: {alu: {density: 2700 kg/m3, young: 70 GPa, poisson: 0.33}}\n"                      \
    "ground: {points: {O: [0, 0, 0]}}\n"                                                           \
    "bodies:\n"                                                                                    \
    "  rod:\n"                                                                                     \
    "    mass: 0.27 kg\n"                                                                          \
    "    uniform: {from: A, to: B}\n"                                                              \
    "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"                                                   \
    "    shape: {rod: {from: A, to: B, diameter: 10 mm}, material: alu}\n"                         \
    "joints: {hinge: {type: revolute, between: [ground.O, rod.A], axis: y}}\n"                     \
    "drives: {q: {joint: hinge}}\ntool: rod.B\nhome: {drives: {q: 0}}\n"
#define PENDULUM_RUN                                                                               \
    "run: 1\nmotion: none\ndrives: free\nfor: 1 s\ninstants: 101\n"                                \
    "start: undeformed\n"                                                                          \
    "flexible: {rod: {section: {width: 10 mm, height: 10 mm}}}\n"

#endif
