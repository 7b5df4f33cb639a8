/// What inverse dynamics and comparisons answer, and parts that other runs share.
#ifndef PKM_ROBOT_INVERSE_RESULT_H
#define PKM_ROBOT_INVERSE_RESULT_H

#include "pkm/inverse.h"
#include "robot/robot.h"
#include "table/result.h"

/// The answer of `pkm inverse` on motion number `motion`.
void pkm_inverse_result(const pkm_robot* robot, int motion, pkm_method method,
                        const pkm_inverse_report* report, const pkm_table* table, pkm_result* out);

/// What is left of the balance of energy [J].
double pkm_inverse_residual(const pkm_inverse_report* report);

/// Compare the drive forces of two tables, row by row: out[n_drive].
void pkm_compare_tables(const pkm_robot* robot, const pkm_table* engine, const pkm_table* other,
                        pkm_compare_row* out);

/// The answer of `pkm compare`; `row` [n_drive]; against the closed form, or `generated` code.
void pkm_compare_result(const pkm_robot* robot, const char* motion, int n_instant,
                        const pkm_compare_row* row, bool generated, pkm_result* out);

/// Picks of a motion with payloads up to `end` [s], "picks", and "picks_per_minute"; nothing for
/// other motions (NULL: none).
void pkm_cycle_result(const pkm_motion* motion, double end, pkm_result* out);
/// They for people, behind the heading.
#define PKM_CYCLE_TEXT "[cycle: {picks:d} picks, {picks_per_minute:.5g} per minute\n]"

/// Limits that a run broke: the list "limits_broken".
void pkm_limits_result(const pkm_limit_report* limit, int n, pkm_result* in);

/// What the motor of a drive did over a table of a run, in the group "motor" of `item` and the list
/// `lines` for people: rms and peak torque, largest speed and mechanical power, energy taken and
/// given back. Nothing for drives without a motor.
void pkm_motor_result(const pkm_table* table, const char* drive, pkm_result* item,
                      pkm_result* lines);
#define PKM_MOTORS_TEXT                                                                            \
    "[{?_motors}\nmotor of         rms N m     peak N m    speed rpm    power W  taken J  given "  \
    "back J\n]{*_motors}  {name:-12s} {rms_torque:10.4g}   {peak_torque:10.4g} {_rpm:12.0f} "      \
    "{peak_power:10.4g} {consumed:8.4g} {regenerated:12.4g}\n{/}"

/// A number for people in the unit that suits it (table/suited.h), and that unit under `key`_unit.
void pkm_suited_result(pkm_result* in, const char* key, const char* unit, double value);

/// A line of "_headlines", the list of what manifests tell.
void pkm_headline_result(pkm_result* in, const char* name, double value, const char* unit);

#endif
