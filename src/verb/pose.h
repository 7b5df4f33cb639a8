/// Where the robot is asked to be: a tool pose or drive positions on the command line.
#ifndef PKM_VERB_POSE_H
#define PKM_VERB_POSE_H

#include "robot/robot.h"
#include "verb/options.h"

/// Three or six numbers, shifts then turns; `n` is 3 or 6.
PKM_NODISCARD pkm_status pkm_verb_vectors(const char* text, const char* shift_unit,
                                          const char* turn_unit, const char* what, double* out,
                                          int* n, pkm_error* err);

/// "X,Y,Z" or "X,Y,Z,R,P,Y"; without angles the tool is turned as at home.
PKM_NODISCARD pkm_status pkm_verb_tool_pose(const char* text, const pkm_robot* robot,
                                            const char* what, pkm_pose* out, pkm_error* err);

/// "Q1,Q2,..." or "q1=Q,q3=Q"; drives that are not named stay at home.
PKM_NODISCARD pkm_status pkm_verb_drive_positions(const char* text, const pkm_robot* robot,
                                                  const char* what, double* q, pkm_error* err);

/// Positions (derivative 0), velocities (1) or accelerations (2) of all drives.
PKM_NODISCARD pkm_status pkm_verb_drive_list(const char* text, const pkm_robot* robot,
                                             const char* what, int derivative, double* out,
                                             pkm_error* err);

/// Lead the robot to --at or --drives; without both it stays at home.
PKM_NODISCARD pkm_status pkm_verb_go_to_pose(const pkm_verb_arguments* args, pkm_robot* robot,
                                             pkm_error* err);

#endif
