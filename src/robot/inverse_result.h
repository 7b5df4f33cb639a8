/// What inverse dynamics and comparisons answer, and parts that other runs share.
#ifndef PKM_ROBOT_INVERSE_RESULT_H
#define PKM_ROBOT_INVERSE_RESULT_H

#include "pkm/inverse.h"
#include "robot/robot.h"
#include "table/result.h"

/// The answer of `pkm inverse` on motion number `motion`.
void pkm_inverse_result(const pkm_robot* robot, int motion, pkm_method method,
                        const pkm_inverse_report* report, const pkm_table* table, pkm_result* out);

/// Compare the drive forces of two tables, row by row: out[n_drive].
void pkm_compare_tables(const pkm_robot* robot, const pkm_table* engine, const pkm_table* other,
                        pkm_compare_row* out);

/// The answer of `pkm compare`; `row` [n_drive]; against the closed form, or `generated` code.
void pkm_compare_result(const pkm_robot* robot, const char* motion, int n_instant,
                        const pkm_compare_row* row, bool generated, pkm_result* out);

/// The list "published": values of the robot's file for this motion beside those of the table.
void pkm_published_result(pkm_result* in, const pkm_robot* robot, const char* motion,
                          const pkm_table* table);

/// A line of "_headlines", the list of what manifests tell.
void pkm_headline_result(pkm_result* in, const char* name, double value, const char* unit);

#endif
