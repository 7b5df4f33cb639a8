/// The six runs of work and precision, as a user writes them: what bench_precision times and
/// tests/physics/test_work_precision.c counts.
#ifndef PKM_BENCH_PRECISION_RUNS_H
#define PKM_BENCH_PRECISION_RUNS_H

#include "pendulum.h"

#include <stddef.h>

typedef struct precision_run {
    const char *name, *robot, *tool, *text; ///< `robot` NULL: the flexible pendulum
} precision_run;

enum { N_PRECISION_RUN = 6 };

static const precision_run precision_runs[N_PRECISION_RUN] = {
    {"rigid", "bench/delta-d", "P", "run: 1\ndrives: playback\ninstants: 41\n"},
    {"flexible", NULL, "B", PENDULUM_RUN},
    {"flexible chain", "siax", "P",
     "run: 1\ninstants: 41\nflexible: {left: {elements: 8}, right: {elements: 8}}\n"},
    {"clearance", "siax", "P",
     "run: 1\ninstants: 41\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, law: "
     "lankarani-nikravesh, restitution: 0.9, stiffness: 1.524e11}}\n"},
    {"friction", "siax", "P",
     "run: 1\ndrives: playback\ninstants: 41\nfriction: {motor: {static: 0.11, dynamic: 0.084, "
     "radius: 10 mm}}\n"},
    {"all effects", "siax", "P",
     "run: 1\nfor: 8 ms\ninstants: 21\n"
     "friction: {spherical: {static: 0.11, dynamic: 0.084, radius: 10 mm}}\n"
     "clearance: {spherical: {radial: 0.1 mm, radius: 10 mm, law: lankarani-nikravesh, "
     "restitution: 0.9, stiffness: 1.524e11, start: centred}}\n"
     "flexible: {left: {elements: 8, damping: adams}, right: {elements: 8, damping: adams}}\n"},
};

#endif
