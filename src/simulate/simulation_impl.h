/// What the parts of a simulation share; only this module includes it.
#ifndef PKM_SIMULATE_SIMULATION_IMPL_H
#define PKM_SIMULATE_SIMULATION_IMPL_H

#include "robot/extra_columns.h"
#include "robot/motion_table.h"
#include "robot/run_variant.h"
#include "simulate/actuation.h"
#include "simulate/ideal.h"
#include "simulate/simulation.h"
#include "solver/stepper.h"

/// Integrals beside the state: these, then the energy use of each drive with controller or motor,
/// then with joints with clearance what their contacts lose, and the sliding of each bearing.
enum {
    PKM_SUM_DRIVE,
    PKM_SUM_LOAD,
    PKM_SUM_FRICTION,
    PKM_SUM_DAMPING,
    PKM_SUM_EXCHANGED,
    PKM_N_SUM
};

typedef struct pkm_sim {
    pkm_machine* robot;       ///< that is simulated: `plain` or `compiled`
    pkm_robot* given;         ///< as written: it gives the ideal motion
    pkm_machine plain;        ///< the machine of `given`
    pkm_run_variant* variant; ///< of the effects; NULL: as written
    pkm_machine* compiled;    ///< the machine of `variant`
    const pkm_sim_settings* settings;
    pkm_actuator* actuator;
    pkm_plant* plant;
    pkm_structure structure; ///< of the robot under the loads of the run
    int* lock;               ///< of it
    pkm_motion_table columns;
    pkm_extra_columns* extra;              ///< that were asked for; NULL: none
    pkm_ideal* ideal;                      ///< inverse dynamics; NULL: no motion
    bool deviates;                         ///< there are deviations from it
    bool only_columns;                     ///< nothing is run
    struct pkm_sim_watch* watch;           ///< peaks between rows
    struct pkm_sim_sums* sums;             ///< integrals between rows; NULL: nobody asks
    struct pkm_sim_link_peaks* link_peaks; ///< those of flexible links; NULL: there are none
    pkm_reaction* reaction;
    int n_q, n_v, n_z, n_sum, n_y;
    double *y, *atol, *reach;   ///< q, v, z, integrals
    double* z_rate;             ///< [n_z] work
    pkm_stepper stepper;        ///< the method at work
    pkm_integrator integrator;  ///< its name
    double tolerance;           ///< its relative tolerance
    pkm_stepper_counts before;  ///< counts of the one before it
    double most_energy;         ///< kinetic and of strain, that links which ring have had [J]
    double part;                ///< of the tolerances: the swing that has it, of the robot's size
    double t_change;            ///< when it began; NaN: with the run
    double highest;             ///< angular frequency of the highest mode [rad/s]
    int n_stiff;                ///< steps beyond what is stable, less those within
    double t_rate, *y_rate;     ///< where rates were last evaluated, y [n_y]
    bool stands_at_rate;        ///< the plant is as that left it
    double c_factor, *q_factor; ///< of the factors of its iteration: length, positions [n_q]
    double *q_rate, *q_step;    ///< [n_q], [n_v] work
    int n_multiplier;           ///< of the equations with multipliers
    double* multiplier_atol;    ///< [n_multiplier]
    double* lambda;             ///< [pkm_plant_n_multiplier] work: multipliers of a stage
    double load_factor; ///< of tool force and loads: 1 but on the way to the static equilibrium
    bool rests;         ///< journals start in equilibrium
    pkm_energy start;
    double spring_start;
    double most_kinetic; ///< largest kinetic energy at the rows [J]
    pkm_limit_watch limits;
    double carried;                    ///< energy that payloads brought [J]
    double before_break;               ///< the last time before the next break
    bool has_bristles;                 ///< friction has states
    double t_before_steps;             ///< some thousand steps ago
    double n_step;                     ///< accepted so far
    double began;                      ///< on the clock [s]
    struct pkm_sim_contacts* contacts; ///< NULL: no joint has contacts
    struct pkm_sim_passage* passage;   ///< NULL: there are no loops, or links bend
    struct pkm_sim_loops* loops;       ///< of the rigid links, where others bend
    pkm_stop why;                      ///< the run ends, when more is known than a status tells
    double t_why;                      ///< and when
    pkm_stop cut;                      ///< END_TIME: rows go on
    long n_row;                        ///< rows begun, those of the ideal motion too
    int n_flexible;
    struct pkm_sim_deflections* bend; ///< [n_flexible] flexible links
} pkm_sim;

/// Move the joints that are given a start by their offsets, in steps that keep all loops closed;
/// the plant has their velocities as independent ones.
/// @return PKM_ERR_UNREACHABLE, PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_sim_start_offset(const pkm_sim* s, pkm_plant* plant, pkm_state* state,
                                              pkm_error* err);

/// Take q and v of the state vector to the robot's state, and back.
void pkm_sim_load_state(pkm_sim* s, const double* y);
void pkm_sim_store_state(const pkm_sim* s, double* y);
/// Put the state vector back on the constraints at time t.
PKM_NODISCARD pkm_status pkm_sim_project(pkm_sim* s, double t, double* y);

/// Flexible links start in static equilibrium, journals with clearance too where the robot is at
/// rest or `start: equilibrium` says so; velocities stay.
PKM_NODISCARD pkm_status pkm_sim_settle(pkm_sim* s, pkm_table* table, pkm_error* err);
/// Bend links as their `start` says, with the drives where they are; other joints follow.
PKM_NODISCARD pkm_status pkm_sim_start_modes(pkm_sim* s, pkm_error* err);
/// Tool force and loads of the run `user`, times its load factor; see pkm_loading.
PKM_NODISCARD pkm_status pkm_sim_apply_loads(void* user, double t, const pkm_state* state,
                                             pkm_wrench* load, double* stored, double* dissipated,
                                             double* fed);

/// Rates [n_sum] of the integrals from the plant's last evaluation, at time t.
void pkm_sim_sum_rates(const pkm_sim* s, double t, double* rate);
/// Has drive d a controller or a motor, so that more is told of it?
bool pkm_sim_has_more(const pkm_sim* s, int d);

/// Columns of the table beside those of every run.
PKM_NODISCARD pkm_status pkm_sim_add_columns(pkm_sim* s, pkm_table* table, pkm_error* err);
/// Put row `i` at time `t` from the state vector `y` (projected first, so that it changes
/// slightly).
PKM_NODISCARD pkm_status pkm_sim_put_row(pkm_sim* s, int i, double t, double* y, pkm_table* table,
                                         pkm_sim_report* report, pkm_error* err);
/// Rows up to the time `until`, read off the dense output of the last step; `i` is the next one.
PKM_NODISCARD pkm_status pkm_sim_put_rows(pkm_sim* s, double until, int* i, pkm_table* table,
                                          pkm_sim_report* report, pkm_error* err);
/// The same for a row between the others: all columns to `row`, nothing else is noted.
PKM_NODISCARD pkm_status pkm_sim_fill_row(pkm_sim* s, double t, double* y, double* row);
/// Time of row i.
double pkm_sim_time_of(const pkm_sim* s, int i);
/// Why a failing integrator stopped, and what friction had to do with it.
pkm_stop pkm_sim_stop_for(pkm_sim* s, pkm_status status, pkm_jam* jam);
/// After each step: a surface that slid although static friction could have held it.
PKM_NODISCARD pkm_status pkm_sim_watch_slides(pkm_sim* s, pkm_table* table);
/// A warning that has the numbers of it.
void pkm_sim_warn_jam(const pkm_sim* s, const pkm_sim_report* report, pkm_table* table);
/// After each step, at time t: tell of progress; false, with report->stop set: the user wants to
/// stop, the budget is used up, or the run diverges.
bool pkm_sim_goes_on(pkm_sim* s, double t, pkm_sim_report* report);

/// Before each row, also of the ideal motion, since steps can have many of them: does the user want
/// it? If not, s->cut tells why.
bool pkm_sim_row_goes_on(pkm_sim* s, double t);

/// The same while the equilibrium of the start is sought.
bool pkm_sim_start_goes_on(pkm_sim* s);

// ---- peaks between rows
// ---------------------------------------------------------------------------

/// Watch what has peaks among the columns of `table`; and the end of it.
PKM_NODISCARD pkm_status pkm_sim_begin_watch(pkm_sim* s, const pkm_table* table);
void pkm_sim_end_watch(pkm_sim* s);
/// The plant stands at t, the end of the step: a sample that costs nothing.
void pkm_sim_watch_plant(pkm_sim* s, double t);
/// An accepted step from `begin`, with dense output; its rows follow, then its end. `changes`: the
/// equations do there.
PKM_NODISCARD pkm_status pkm_sim_watch_open(pkm_sim* s, double begin);
PKM_NODISCARD pkm_status pkm_sim_watch_row(pkm_sim* s, double t, const double* row);
PKM_NODISCARD pkm_status pkm_sim_watch_close(pkm_sim* s, double end, bool changes);
/// The step is no whole: nothing is known of its inside, and the next one begins anew.
void pkm_sim_watch_forget(pkm_sim* s);
/// A peak that others have found at time t of the step.
PKM_NODISCARD pkm_status pkm_sim_watch_at(pkm_sim* s, double t);
/// Is the plant no longer where the step left it?
bool pkm_sim_watch_has_looked(const pkm_sim* s);
/// Put the rows of peaks to the table.
PKM_NODISCARD pkm_status pkm_sim_put_located(const pkm_sim* s, pkm_table* table);

// ---- flexible links ----------------------------------------------------------------------------

/// Prepare to measure the flexible links; and the end of it.
PKM_NODISCARD pkm_status pkm_sim_begin_deflections(pkm_sim* s);
void pkm_sim_end_deflections(pkm_sim* s);
/// Lay out their columns; values are those of the present state. `limits` as in pkm_deflection_put.
void pkm_sim_put_deflections(const pkm_sim* s, double t, pkm_deflection_limits* limits,
                             pkm_layout* to);

// ---- breaks -----------------------------------------------------------------------------------

/// The first time > t at which the equations change: samples of controllers, loads that jump,
/// payloads that come or go; the end of the run when that is sooner. An integrator steps to it
/// exactly, calls pkm_sim_pass_break and starts anew from the same state.
double pkm_sim_next_break(pkm_sim* s, double t);
/// The longest step from t to the next break of a stepper that looks at the ends of its steps only:
/// formulas may come and go between them. Infinite where there are none.
double pkm_sim_stride(const pkm_sim* s, double t, double next);
/// The time at which to evaluate the equations: `t`, but at the next break the one before it, so
/// that a step that ends there does not see what comes after.
double pkm_sim_left(const pkm_sim* s, double t);
/// Change the equations at the break t; y is the state there, on the constraints. Also at t = 0.
PKM_NODISCARD pkm_status pkm_sim_pass_break(pkm_sim* s, double t, const double* y);

// ---- steps ------------------------------------------------------------------------------------

/// The stepper of the run; and its end.
PKM_NODISCARD pkm_status pkm_sim_create_steps(pkm_sim* s);
void pkm_sim_free_steps(pkm_sim* s);
/// Start at (t, s->y) with steps not longer than `longest` [s]; 0: free.
PKM_NODISCARD pkm_status pkm_sim_begin_steps(pkm_sim* s, double t, double longest);
/// After each step: does stability set the steps, and is there a method for it?
bool pkm_sim_is_stiff(pkm_sim* s);
/// Go on from the present state with the method for stiff equations.
PKM_NODISCARD pkm_status pkm_sim_change_stepper(pkm_sim* s, double longest);
/// Absolute tolerances of the method at work.
void pkm_sim_set_tolerances(pkm_sim* s);
/// One step, what is known of it and inside it: see solver/stepper.h. With contacts the plant is
/// evaluated at its end, without at least near it.
PKM_NODISCARD pkm_status pkm_sim_step(pkm_sim* s, double t_limit);
double pkm_sim_time(const pkm_sim* s);
const double* pkm_sim_state(const pkm_sim* s);
double pkm_sim_last_step(const pkm_sim* s);
/// Of the next one that is not cut short; the last one's where the method does not tell.
double pkm_sim_next_step(const pkm_sim* s);
PKM_NODISCARD pkm_status pkm_sim_dense(pkm_sim* s, double t, double* y);
/// The same, y [n_y], and the robot stands there.
PKM_NODISCARD pkm_status pkm_sim_stand_at(pkm_sim* s, double t, double* y);
/// The same by a cubic, where that is cheaper; `exact`: it was the dense output.
PKM_NODISCARD pkm_status pkm_sim_stand_near(pkm_sim* s, double t, double* y, bool* exact);
/// Go on from another time and state, or from here with y NULL.
PKM_NODISCARD pkm_status pkm_sim_restart(pkm_sim* s, double t, const double* y, double first_step);
/// The plant at the state y, without the rates of the integrals.
PKM_NODISCARD pkm_status pkm_sim_evaluate(pkm_sim* s, double t, const double* y);
/// Put the robot at the state y and find its contacts there: gaps, rates and forces of surfaces.
void pkm_sim_find_contacts(pkm_sim* s, const double* y);
/// The equations themselves: rates and projection of the state vector.
pkm_ode pkm_sim_ode(pkm_sim* s);
void pkm_sim_count_steps(const pkm_sim* s, pkm_sim_report* report);

// ---- peaks of flexible links ------------------------------------------------------------------

/// Watch the `n_column` columns of flexible links between rows; and the end of it.
PKM_NODISCARD pkm_status pkm_sim_begin_link_peaks(pkm_sim* s, int n_column);
void pkm_sim_end_link_peaks(pkm_sim* s);
/// The robot stands at the end of a step, at time t.
void pkm_sim_read_link_peaks(pkm_sim* s, double t);
/// Locate the peaks of the step: rows are kept there.
PKM_NODISCARD pkm_status pkm_sim_find_link_peaks(pkm_sim* s, double begin, double end);
/// Is `value` larger than all that item i of the links has had? Only then it may be a peak.
bool pkm_sim_watch_may_lead(const pkm_sim* s, int i, double value);
/// What counts as larger than all that column i / 2 of the links has had (i even), or than its
/// negative (i odd); `gain`: the part of it that makes it larger.
double pkm_sim_watch_link(const pkm_sim* s, int i, double* gain);
/// The plant is no longer where the step left it.
void pkm_sim_watch_moved(pkm_sim* s);

// ---- integrals over the run -------------------------------------------------------------------

/// Mean squares of `n_column` columns of the table, energies of motors and times at limits, to the
/// columns of the table in the end; and the end of it. Column k of the squares is set by itself.
PKM_NODISCARD pkm_status pkm_sim_begin_sums(pkm_sim* s, const pkm_table* table, int n_column);
void pkm_sim_set_sums(pkm_sim* s, int k, int column);
void pkm_sim_end_sums(pkm_sim* s);
/// The plant has been evaluated at time t, the end of a step; it begins a smooth piece there.
/// Values of the watch [2 n_column], each beside its negative.
void pkm_sim_read_sums(pkm_sim* s, double t, const double* value);
void pkm_sim_break_sums(pkm_sim* s, double t, const double* value);
/// A step of this length [s] begins; a row of the table inside it; it is done.
void pkm_sim_open_sums(pkm_sim* s, double length);
PKM_NODISCARD pkm_status pkm_sim_row_sums(pkm_sim* s, double t, const double* row);
PKM_NODISCARD pkm_status pkm_sim_close_sums(pkm_sim* s, double end, bool changes);
void pkm_sim_put_sums(const pkm_sim* s, pkm_table* table);
/// All that is watched at time t of the step, lent until the next look.
PKM_NODISCARD pkm_status pkm_sim_watch_look(pkm_sim* s, double t, const double** value);
/// What is rounding in column k of the squares: values between rows are not better than this.
double pkm_sim_watch_noise(const pkm_sim* s, int k);

// ---- loops that lose rank ---------------------------------------------------------------------

/// Watch the smallest singular value of the constraints; and the end of it.
PKM_NODISCARD pkm_status pkm_sim_begin_passages(pkm_sim* s);
void pkm_sim_end_passages(pkm_sim* s);
/// The next step ends here or at `next`, so that a passage can begin.
double pkm_sim_passage_limit(const pkm_sim* s, double next);
/// After each step: a singularity just ahead is passed on the smooth branch, up to the time `next`
/// at most, with its rows from `i` on; the steps go on behind it.
/// @return PKM_ERR_SINGULAR with s->why where nothing decides how it goes on.
PKM_NODISCARD pkm_status pkm_sim_pass_singularity(pkm_sim* s, double next, int* i, bool* passed,
                                                  pkm_table* table, pkm_sim_report* report,
                                                  pkm_error* err);
/// The steps have gone back to an event.
void pkm_sim_forget_passages(pkm_sim* s);

/// Robots with flexible links: watch the loops of the rigid ones. Begins where the links are
/// straight.
PKM_NODISCARD pkm_status pkm_sim_begin_loops(pkm_sim* s);
void pkm_sim_end_loops(pkm_sim* s);
/// After each step, the last one too: warn of a position in which they would lose rank.
void pkm_sim_watch_loops(pkm_sim* s, bool is_last, pkm_table* table);

// ---- contacts ---------------------------------------------------------------------------------

/// Joints with contacts as the plant wants them: `out` [effects->n_clearance]; returns how many.
/// Where friction is given for the joint, not for its contacts, its law acts in them.
int pkm_sim_list_clearances(const pkm_sim* s, pkm_joint_clearance* out);
/// Friction of the other joints: `out` [effects->n_friction]; returns how many.
int pkm_sim_list_friction(const pkm_sim* s, pkm_plant_friction* out);
/// Lead the journals to where they are to start, inside their bearings, the shortest way; tells the
/// record of those that were given a place outside.
/// @return PKM_ERR_CONVERGENCE when there is no such place.
PKM_NODISCARD pkm_status pkm_sim_admit_start(pkm_sim* s, pkm_contact_record* record,
                                             pkm_error* err);
/// Watch the contacts of the plant; the start is s->y, which jitter moves.
PKM_NODISCARD pkm_status pkm_sim_begin_contacts(pkm_sim* s, pkm_error* err);
/// `status` of a first look at the start, with its sentence when there is none.
PKM_NODISCARD pkm_status pkm_sim_began(pkm_sim* s, pkm_status status, pkm_error* err);
void pkm_sim_end_contacts(pkm_sim* s);
void pkm_sim_warn_contacts(const pkm_sim* s, pkm_warnings* to);

/// After an accepted step: the first time inside it at which
/// surfaces touch or part; infinite: none.
PKM_NODISCARD pkm_status pkm_sim_find_event(pkm_sim* s, double* t_event);
/// Look between the ends of the step, up to the time `until`: where surfaces turn back penetration
/// and force are largest, and the paths of journals that fly far need points.
PKM_NODISCARD pkm_status pkm_sim_look_inside(pkm_sim* s, double until);
/// Did that need states inside the step, so that the plant is no longer at its end?
bool pkm_sim_has_looked(const pkm_sim* s);
/// Do surfaces part at the event that was found at time t? Their force has a kink there.
bool pkm_sim_parts_at(const pkm_sim* s, double t);
/// Change what the contacts remember at the event, where the state is y; bristles of surfaces that
/// touch start anew.
PKM_NODISCARD pkm_status pkm_sim_pass_event(pkm_sim* s, double t, double* y);
/// Note modes, peaks and paths at the end of a step, at time t with the plant evaluated there.
PKM_NODISCARD pkm_status pkm_sim_note_contacts(pkm_sim* s, double t);

/// The name of bearing p in columns: that of its joint, ".pin2" for the second of a universal one.
void pkm_sim_bearing_name(const pkm_sim* s, int p, char* out, size_t size);
/// Lay out the columns of bearings; values are those of the plant's last evaluation.
void pkm_sim_put_contacts(const pkm_sim* s, pkm_layout* to);
/// Integrals of contacts: what they lose, the sliding of each bearing; none without contacts.
int pkm_sim_contact_sums(const pkm_sim* s);
void pkm_sim_contact_rates(const pkm_sim* s, double* rate);
/// What contacts have lost [J] at the state vector y.
double pkm_sim_contact_loss(const pkm_sim* s, const double* y);
/// Put the sums to the record at the end of the run, at time t with the state vector y.
void pkm_sim_close_contacts(pkm_sim* s, double t, const double* y);

// ---- the run loop -----------------------------------------------------------------------------

/// A simulation with `settings`, completed to `complete`, which outlives it; what it does not take
/// is refused. Then its parts, up to the consistent start at t = 0 with the columns of `table`; and
/// the end, also of half-made ones.
PKM_NODISCARD pkm_status pkm_sim_open(pkm_robot* robot, const pkm_sim_settings* settings,
                                      pkm_sim_settings* complete, pkm_sim* out, pkm_error* err);
PKM_NODISCARD pkm_status pkm_sim_prepare(pkm_sim* s, pkm_table* table, pkm_error* err);
void pkm_sim_release(pkm_sim* s);

/// Where the loop is between two steps.
typedef struct pkm_sim_loop {
    double next;        ///< break
    double stride;      ///< pkm_sim_stride up to there
    double after_event; ///< length of the step after the last event [s]
    bool is_fresh;      ///< the last step began at an event
    int row;            ///< next one
    double slack;       ///< instants that are nearer to each other are the same [s]
    bool stops;         ///< return at events, too
    bool is_ahead;      ///< steps may go beyond `until`, up to the next break; nothing has contacts
    bool strayed;       ///< then: something happened beyond `until` that dense output cannot undo
} pkm_sim_loop;

/// Begin with row 0.
PKM_NODISCARD pkm_status pkm_sim_begin_loop(pkm_sim* s, pkm_sim_loop* loop, pkm_table* table,
                                            pkm_sim_report* report, pkm_error* err);
/// From one break to the next, each reached exactly, likewise the events of contacts; until the
/// last row or the time `until`, exactly but for a break within the slack of it; of a loop that is
/// ahead the last step goes on beyond it, and pkm_sim_dense gives the state there.
PKM_NODISCARD pkm_status pkm_sim_advance(pkm_sim* s, pkm_sim_loop* loop, double until,
                                         pkm_table* table, pkm_sim_report* report, pkm_error* err);
/// The equations change now: take that up and start the steps anew, the first as long as
/// `first_step` [s]; 0: found.
PKM_NODISCARD pkm_status pkm_sim_renew(pkm_sim* s, pkm_sim_loop* loop, double first_step);
/// All that changes in steps, see base/memo.h; what was restored goes on from pkm_sim_resume.
void pkm_sim_memo(pkm_sim* s, pkm_memo* memo);
/// Go on from (t, s->y) with the integrator and the tolerance that `s` names.
PKM_NODISCARD pkm_status pkm_sim_resume(pkm_sim* s, double t, double longest);
/// The longest step that is allowed [s]; 0: any.
double pkm_sim_longest_step(const pkm_sim* s);
/// Counts, and why the loop ended with `status`.
PKM_NODISCARD pkm_status pkm_sim_end_loop(pkm_sim* s, pkm_status status, pkm_sim_report* report);

/// Fill rows from 0 on with any stepper; the state vector s->y is consistent at t = 0.
PKM_NODISCARD pkm_status pkm_sim_run(pkm_sim* s, pkm_table* table, pkm_sim_report* report,
                                     pkm_error* err);

#endif
