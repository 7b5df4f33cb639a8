/// The pkm library: motion, singularities and driving forces of parallel robots.
///
/// A robot is one YAML file (docs/reference/model-file.md). Loading it gives a pkm_robot; every
/// analysis takes that; results are plain structs or a table with named columns; writers turn
/// tables into files:
///
///     model.yaml -> pkm_robot -> analysis -> pkm_instant, pkm_dexterity ... or pkm_table -> files
///
/// A whole program, drive forces along a motion as CSV:
///
///     pkm_error err;
///     pkm_robot* robot;
///     pkm_table* table = pkm_table_create();
///     pkm_status status = pkm_robot_load("robots/siax.yaml", NULL, 0, &robot, &err);
///     if (status == PKM_OK) status = pkm_inverse_run(robot, 0, NULL, table, NULL, &err);
///     if (status == PKM_OK) status = pkm_csv_write(table, "forces.csv", &err);
///     if (status != PKM_OK) fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.text);
///     pkm_table_free(table);
///     pkm_robot_free(robot);
///
/// What is where:
///
///     status.h      how a call ended (pkm_status) and why, in one sentence (pkm_error)
///     types.h       vectors, unit quaternions, poses, the motion of a frame
///     robot.h       load a robot; its bodies, joints, drives, motions; mobility, idle freedoms,
///                   redundant constraints
///     builder.h     robots built by calls instead of read from a file
///     motion.h      motions, named in the model or made by a program, at any time
///     kinematics.h  tool from drives, drives from tool, all branches, Jacobian, singularities
///     inverse.h     drive forces: at one instant (for control, without allocation), along a motion
///     workspace.h   what the tool reaches, how well it moves there, how far from singularities
///     modes.h       natural frequencies with flexible links, stiffness at the tool
///     run.h         choices of a run: motion, friction, clearance, flexible links, drives, loads
///     answer.h      every analysis of the program by one call; values, tables, peaks, warnings
///     verb.h        everything that the program does, by the names of its command line
///     result.h      what a verb answers: a tree of values with keys and units
///     simulation.h  simulations in steps, for control loops: create, step, get, set, rewind
///     study.h       studies: many cases by worker processes into a database
///     matrices.h    Jacobians, mass matrix, Coriolis and gravity terms, limb by limb
///     equations.h   M a + h = Q + G' lambda in all joint coordinates, bodies, reactions
///     batch.h       many poses in one call; mass matrix and forward dynamics of the drives
///     table.h       results: columns with names and units, reductions ("max q1.force")
///     output.h      tables as CSV, HDF5, SVG plots
///
/// Conventions. SI units and radians throughout. Quaternions are (w, x, y, z), body to world.
/// A function that can fail returns a pkm_status, takes its outputs last and a `pkm_error*`, which
/// may be NULL, at the very end; pointer outputs are NULL after a failure. NULL arguments and
/// numbers that are not finite are answered with PKM_ERR_ARGUMENT, never with a crash. Every `free`
/// takes NULL. Nothing is printed, nothing is global: threads may work at the same time, each with
/// its own tables and its own copy, equations or simulation of a robot that all may read; motions
/// may be shared. Only HDF5 is written by one at a time.
///
/// Examples: examples/c, explained in docs/reference/library.md.
#ifndef PKM_PKM_H
#define PKM_PKM_H

#include "pkm/answer.h"
#include "pkm/batch.h"
#include "pkm/builder.h"
#include "pkm/equations.h"
#include "pkm/inverse.h"
#include "pkm/joint_type.h"
#include "pkm/kinematics.h"
#include "pkm/matrices.h"
#include "pkm/modes.h"
#include "pkm/motion.h"
#include "pkm/output.h"
#include "pkm/result.h"
#include "pkm/robot.h"
#include "pkm/run.h"
#include "pkm/simulation.h"
#include "pkm/status.h"
#include "pkm/study.h"
#include "pkm/table.h"
#include "pkm/types.h"
#include "pkm/verb.h"
#include "pkm/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the library, "0.2.0".
PKM_API const char* pkm_version(void);

#ifdef __cplusplus
}
#endif
#endif
