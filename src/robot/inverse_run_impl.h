/// What the parts of inverse dynamics along a motion share; only inverse_run*.c include it.
///
///     inverse_run.c          checks, columns, the walk from row to row
///     inverse_run_engine.c   an instant by the general engine
///     inverse_run_closed.c   an instant by a closed form
///     inverse_run_samples.c  what lies between the rows: peaks, breaks, serial singularities
///     inverse_run_sums.c     works, mean squares, balances
///     inverse_run_motors.c   what the motors of the drives must give
#ifndef PKM_ROBOT_INVERSE_RUN_IMPL_H
#define PKM_ROBOT_INVERSE_RUN_IMPL_H

#include "dynamics/effects.h"
#include "dynamics/plant.h"
#include "pkm/inverse.h"
#include "robot/closed_continuation.h"
#include "robot/column_sums.h"
#include "robot/extra_columns.h"
#include "robot/idle.h"
#include "robot/limits.h"
#include "robot/motion_table.h"
#include "robot/nearness.h"
#include "robot/peaks.h"

typedef struct pkm_inverse_walk pkm_inverse_walk;

/// How an instant comes about. Each way is one file.
typedef struct pkm_inverse_way {
    PKM_NODISCARD pkm_status (*begin)(pkm_inverse_walk* w, pkm_error* err);
    /// Go to time t; times come in their order.
    PKM_NODISCARD pkm_status (*go)(pkm_inverse_walk* w, double t, pkm_error* err);
    /// All that it gives where it has gone or looked.
    PKM_NODISCARD pkm_status (*read)(pkm_inverse_walk* w, double t, pkm_run_instant* out,
                                     pkm_error* err);
    /// What must hold between two rows; NULL: nothing.
    PKM_NODISCARD pkm_status (*between)(pkm_inverse_walk* w, double from, double to,
                                        pkm_error* err);
    /// Numbers that tell how to come back to an instant, and how many.
    int (*n_place)(const pkm_inverse_walk* w);
    void (*save)(const pkm_inverse_walk* w, double* place);
    /// Go to time t from a place nearby, beside the order of time.
    PKM_NODISCARD pkm_status (*look)(pkm_inverse_walk* w, double t, const double* place);
    /// After looks: back to w->place, where the run ended; NULL: nothing to do.
    void (*back)(pkm_inverse_walk* w);
    /// The matrix that serial singularities are seen by: of the instant read last, and where it has
    /// looked.
    const double* (*serial)(const pkm_inverse_walk* w);
    void (*look_serial)(pkm_inverse_walk* w, double* M);
} pkm_inverse_way;

extern const pkm_inverse_way pkm_inverse_by_engine, pkm_inverse_by_closed;

struct pkm_inverse_walk {
    pkm_robot* robot;
    const pkm_inverse_settings* settings;
    const pkm_motion* motion;
    const pkm_inverse_way* way;
    pkm_motion_table columns;
    pkm_extra_columns* extra; ///< that were asked for; NULL: none
    pkm_follower engine;
    pkm_closed_follower closed;
    pkm_nearness near;
    pkm_plant* plant;        ///< with friction, or with idle freedoms that move
    pkm_idle_run* idle;      ///< their motion; NULL: they are held
    pkm_structure structure; ///< for the plant: which idle freedoms are held
    int* lock;               ///< [n_lock] of it
    pkm_actuation actuation; ///< all drives prescribed, see drive_reference
    pkm_reactions* reactions;
    pkm_reaction* reaction;     ///< [n_joint]
    double energy_rate;         ///< at the present instant [W]; NaN: not known
    bool is_loaded;             ///< there are loads, springs or friction (engine)
    double load_power;          ///< of all loads and springs [W]
    double fed, damped, rubbed; ///< power of outside forces, lost in dampers, in friction [W]
    double stored;              ///< in springs [J]
    pkm_run_instant present;    ///< for drive_reference
    pkm_limit_watch limits;     ///< of joints without drives (engine)
    pkm_column_sums* sums;      ///< squares of columns, works and energies (pkm_inverse_note_sums)
    double *smooth, *part;      ///< work for it
    double energy[2];           ///< of motion and place, at the first and the last sample [J]
    double spring[2];           ///< in springs [J]
    pkm_peaks* peaks;           ///< between the rows
    double *row, *place;        ///< work: [n_column] a sample, and how to come back to it:
    int n_place;                ///< numbers of the way, then PKM_NEARNESS_N_PLACE
    double side;                ///< [s] how near to a break samples lie
    bool broken;                ///< a break at the row before
    double next_break;          ///< [s] the last one that was asked for
    double last_break;          ///< [s] the last one that was passed
    double last_sample;         ///< [s] the last row that was one
    bool is_look;               ///< beside the order of time: nothing is noted
};

/// Is there friction in joints?
bool pkm_inverse_has_friction(const pkm_inverse_settings* settings);

/// Complete a row: what has been read at time t.
void pkm_inverse_finish_row(pkm_inverse_walk* w, double t, pkm_run_instant* at, double* row);

/// Warn that the motion of idle freedoms depends on where they start.
void pkm_inverse_warn_idle(const pkm_inverse_walk* w, pkm_table* table);

// ---- motors -----------------------------------------------------------------------------------

/// What the motor of a drive must give.
typedef struct pkm_inverse_motor {
    double torque, shaft, mechanical, electric, saturated;
} pkm_inverse_motor;

bool pkm_inverse_has_motors(const pkm_inverse_walk* w);
/// Of drive d; zeros for drives without a motor.
pkm_inverse_motor pkm_inverse_motor_of(const pkm_inverse_walk* w, const pkm_run_instant* at, int d);
void pkm_inverse_put_motors(const pkm_inverse_walk* w, const pkm_run_instant* at, pkm_layout* to);
/// The column of the electrical power of drive d; PKM_NONE: none.
int pkm_inverse_electric_column(const pkm_inverse_walk* w, const pkm_table* table, int d);
/// What the motors' rotors need and have: they turn with the drives.
void pkm_inverse_add_rotors(pkm_inverse_walk* w, pkm_run_instant* out);

// ---- works and mean squares -------------------------------------------------------------------

PKM_NODISCARD pkm_status pkm_inverse_begin_sums(pkm_inverse_walk* w, const pkm_table* table,
                                                pkm_error* err);
/// The next sample of them: the present instant and its row.
void pkm_inverse_note_sums(pkm_inverse_walk* w, const double* row, const pkm_run_instant* at);
/// What follows does not continue smoothly what was before.
void pkm_inverse_break_sums(pkm_inverse_walk* w);
/// Powers of a row against the rate of energy, into the report.
void pkm_inverse_note_power(const pkm_inverse_walk* w, const pkm_run_instant* at,
                            pkm_inverse_report* report);
/// All of them into the report and, where they are those of the motion, to their columns.
void pkm_inverse_close_sums(pkm_inverse_walk* w, double end, pkm_table* table,
                            pkm_inverse_report* report);

// ---- between the rows -------------------------------------------------------------------------

/// Is the row at time t a sample of peaks and sums? By closed forms, which take no longer for a row
/// than samples do, not all of many.
bool pkm_inverse_is_sample(pkm_inverse_walk* w, double t, double end);
PKM_NODISCARD pkm_status pkm_inverse_begin_samples(pkm_inverse_walk* w, double end,
                                                   const pkm_table* table, pkm_error* err);
/// Let the peaks and the watch for serial singularities see the present instant.
void pkm_inverse_note_sample(pkm_inverse_walk* w, const double* row, bool is_row);
/// Samples between two rows that are far apart, of the run or of the piece of the motion that lies
/// there (a short motion in a long run), and next to breaks.
PKM_NODISCARD pkm_status pkm_inverse_sample_between(pkm_inverse_walk* w, double from, double to,
                                                    double end, pkm_error* err);
/// Find the peaks between the samples, into the table.
PKM_NODISCARD pkm_status pkm_inverse_locate_peaks(pkm_inverse_walk* w, pkm_table* table,
                                                  pkm_error* err);

#endif
