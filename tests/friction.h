/// Robots that tests of friction share: a block on a rail, a belt that carries one.
#ifndef PKM_TESTS_FRICTION_H
#define PKM_TESTS_FRICTION_H

#include "engine.h"

/// A block of `mass` [kg] on a rail along x, under gravity `along` it and pressed with `load`
/// [m/s2].
static inline pkm_robot* friction_block(double mass, double along, double load)
{
    char text[700];
    snprintf(text, sizeof text,
             "pkm: 1\nname: block\ngravity: [%.17g, 0, %.17g]\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies: {block: {mass: %g kg, points: {P: [0, 0, 0]}}}\n"
             "joints: {rail: {type: prismatic, between: [ground.O, block.P], axis: x}}\n"
             "drives: {x: {joint: rail}}\ntool: block.P\n",
             along, -load, mass);
    return engine_from(text);
}

/// A block of 2 kg on a belt that runs with `v` [m/s] until `end` [s]; W is a wall behind it.
static inline pkm_robot* friction_belt(double v, double end)
{
    char text[900];
    snprintf(text, sizeof text,
             "pkm: 1\nname: belt\ngravity: [0, 0, -9.81]\n"
             "ground: {points: {O: [0, 0, 0], W: [-1, 0, 0]}}\n"
             "bodies:\n  belt: {mass: 1 kg, points: {P: [0, 0, 0]}}\n"
             "  block: {mass: 2 kg, points: {P: [0, 0, 0]}}\n"
             "joints:\n  way: {type: prismatic, between: [ground.O, belt.P], axis: x}\n"
             "  rail: {type: prismatic, between: [belt.P, block.P], axis: x}\n"
             "drives: {x: {joint: way}}\ntool: block.P\n"
             "motions: {go: {law: constant, duration: %.17g, drives: {x: %.17g}}}\n",
             end, end * v);
    return engine_from(text);
}

#endif
