// Elastodynamics of any robot on its rigid motion: choice of step and start, Newmark's method
// through the run, rows and peaks. Bodies are in ked_part.c, joints in ked_joint.c, springs in
// ked_spring.c, the matrices of an instant in ked_system.c, columns in ked_table.c. Called by the
// verb `elastodynamics` and by pkm_answer. Equations: docs/theory/elastodynamics.md, section 6,
// Newmark's method (4.2) to (4.4).
#include "linear/ked.h"
#include "math/lapack.h"

#include "base/error.h"
#include "linear/ked_impl.h"
#include "math/angle.h"
#include "math/eigen.h"
#include "motion/breaks.h"
#include "robot/idle.h"
#include "robot/run_variant.h"
#include "run/takes.h"
#include "solver/newmark.h"

#include <math.h>
#include <string.h>

// Phase [rad] that the lowest frequency may lose over a run when the step is chosen, and that of
// the tool's answer to a force; and the most steps in a period of them.
static const double PHASE = 2e-3, MOST_STEPS = 250.0;
static const double TOOL_PHASE = 0.02, TOOL_STEPS = 100.0;
static const double LEAST_CONDITION = 1e-14; // of the stiffness
// A robot is at rest that would go no farther than this in the time of its motion [rad, sizes]; and
// steps between deflections of which the rate at the start is taken, of that time.
static const double LEAST_WAY = 1e-9, START_STEP = 1e-4;

enum { LEAST_STEPS = 400 };

pkm_ked_settings pkm_ked_settings_defaults(void)
{
    return (pkm_ked_settings){.n_repeat = 1, .n_instant = 401};
}

// ---- checks -----------------------------------------------------------------------------------

static pkm_status check_effects(const pkm_robot* robot, const pkm_effects* effects, pkm_error* err)
{
    if (!effects || effects->n_flexible == 0)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: no link can bend: none has a rod, tube or bar of an elastic material",
                        robot->desc->name);
    const pkm_choices choices = {.robot = robot, .effects = effects};
    return pkm_choices_require(&choices, PKM_ANALYSIS_ELASTODYNAMICS, err);
}

/// Is the pose at the end that of the start?
static bool closes(const pkm_robot* robot, const pkm_motion* motion)
{
    const double T = pkm_motion_duration(motion), size = robot->mech->size;
    // drives alone tell: the tool returns with them
    if (pkm_motion_is_drives(motion)) {
        double a[PKM_MAX_DRIVE] = {0}, b[PKM_MAX_DRIVE] = {0}, v[PKM_MAX_DRIVE], w[PKM_MAX_DRIVE];
        pkm_motion_drives(motion, 0.0, a, v, w, NULL);
        pkm_motion_drives(motion, T, b, v, w, NULL);
        for (int d = 0; d < robot->mech->n_drive; ++d)
            if (!(fabs(a[d] - b[d]) <= 1e-9 * fmax(1.0, size))) return false;
        return true;
    }
    pkm_frame_motion a = {0}, b = {0};
    pkm_motion_tool(motion, 0.0, &a, NULL);
    pkm_motion_tool(motion, T, &b, NULL);
    const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_mul(a.pose.q, pkm_quat_conj(b.pose.q)));
    return pkm_vec3_norm(pkm_vec3_sub(a.pose.p, b.pose.p)) <= 1e-9 * size &&
           (!pkm_motion_turns(motion) || pkm_vec3_norm(turn) <= 1e-9);
}

/// The velocity must not jump, inside a round or from one to the next: rows would know nothing of
/// the infinite forces.
static pkm_status check_motion(const pkm_robot* robot, const pkm_ked_settings* s, pkm_error* err)
{
    const pkm_motion* motion = robot->desc->motion[s->motion].motion;
    const double T = pkm_motion_duration(motion);
    // periodic: one round is repeated without end
    const bool repeats = s->n_repeat > 1 || s->start == PKM_KED_START_PERIODIC;
    if (repeats && !closes(robot, motion))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "motion %s does not end where it starts: it cannot be repeated",
                        pkm_motion_name(motion));
    const double seam = repeats ? pkm_motion_seam(motion) : 0.0;
    if (seam > 0.0)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "motion %s ends with another velocity than it starts with (by %.6g): "
                        "repeated it takes infinite forces",
                        pkm_motion_name(motion), seam);
    // in the last round the run may end before a jump
    const double asked = s->end_time > 0.0 ? s->end_time : T * s->n_repeat;
    const double last = asked - T * (s->n_repeat - 1);
    return pkm_motion_refuse_jump(motion, fmax(last, fmin(asked, T)), err);
}

static pkm_status check_settings(const pkm_robot* robot, const pkm_ked_settings* s, pkm_error* err)
{
    if (!pkm_robot_get_motion(robot, s->motion))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s has %d motions, number %d is none of them",
                        robot->desc->name, robot->desc->n_motion, s->motion);
    PKM_TRY(check_effects(robot, s->effects, err));
    if (!(s->step >= 0.0) || isinf(s->step))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "step: %g s, expected > 0", s->step);
    if (!(s->end_time >= 0.0) || isinf(s->end_time))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "end time: %g s, expected 0 or more", s->end_time);
    if (s->n_repeat < 1 || s->n_instant < 2)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%d repeats and %d instants, expected at least 1 and 2", s->n_repeat,
                        s->n_instant);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        // free drives would leave the rigid motion undetermined
        if (s->drive[d].hold == PKM_ELASTIC_FREE)
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "drive %s is free, expected locked to the motion or elastic",
                            robot->mech->drive[d].name);
    return check_motion(robot, s, err);
}

// ---- the model --------------------------------------------------------------------------------

/// Work memory, once the number of coordinates is known.
static pkm_status make_room(pkm_ked* ked)
{
    size_t part = 1, elements = 1;
    const size_t n = (size_t)ked->n, nb = (size_t)ked->n_b, all = (size_t)ked->elastic->n_all;
    for (int p = 0; p < ked->n_part; ++p) {
        const pkm_flexible_body* body = ked->part[p].body;
        if ((size_t)ked->part[p].n > part) part = (size_t)ked->part[p].n;
        if (body && (size_t)body->n_element > elements) elements = (size_t)body->n_element;
    }
    const struct {
        double** to;
        size_t count;
    } piece[] = {{&ked->spring[0], 2 * n},
                 {&ked->product[0], part * nb},
                 {&ked->product[1], part * nb},
                 {&ked->product[2], part * nb},
                 {&ked->work, 2 * part},
                 {&ked->matrix[0], n * n},
                 {&ked->matrix[1], n * n},
                 {&ked->matrix[2], n * n},
                 {&ked->force, n},
                 {&ked->y, n},
                 {&ked->v, n},
                 {&ked->start_change, n},
                 {&ked->z[0], all},
                 {&ked->z[1], all},
                 {&ked->z[2], all},
                 {&ked->x[0], all},
                 {&ked->x[1], all},
                 {&ked->x[2], all},
                 {&ked->bear, nb},
                 {&ked->lambda, (size_t)ked->elastic->n_row_max + 1},
                 {&ked->held, (size_t)ked->elastic->n_row_max + 1},
                 {&ked->tension, (size_t)ked->elastic->n_spring_max},
                 {&ked->frame_J, 24 * n},
                 {&ked->axial, elements}};
    bool is_there = true;
    for (size_t k = 0; k < sizeof piece / sizeof piece[0]; ++k) {
        *piece[k].to = pkm_arena_alloc(ked->arena, piece[k].count + 1, sizeof(double));
        is_there = is_there && *piece[k].to;
    }
    ked->n_pivot = pkm_arena_alloc(ked->arena, n + 1, sizeof *ked->n_pivot);
    if (!is_there || !ked->n_pivot) return PKM_ERR_MEMORY;
    ked->spring[1] = ked->spring[0] + n;
    return PKM_OK;
}

static pkm_status create(pkm_ked* ked)
{
    const pkm_ked_settings* s = ked->settings;
    const pkm_motion* motion = ked->robot->desc->motion[s->motion].motion;
    pkm_elastic_settings elastic = {.effects = s->effects, .is_modal = true};
    memcpy(elastic.drive, s->drive, sizeof elastic.drive);
    ked->duration = pkm_motion_duration(motion);
    if (!(ked->duration > 0.0))
        return pkm_fail(ked->err, PKM_ERR_ARGUMENT, "motion %s lasts %g s, expected > 0",
                        pkm_motion_name(motion), ked->duration);
    ked->arena = pkm_arena_create();
    if (!ked->arena) return PKM_ERR_MEMORY;
    PKM_TRY(pkm_elastic_create(ked->robot, &elastic, &ked->elastic, ked->err));
    // idle freedoms have no rigid motion
    PKM_TRY(pkm_idle_require_none(ked->robot, "elastodynamics", ked->err));
    PKM_TRY(pkm_follow_begin(ked->robot, motion, &ked->follower, ked->err));
    PKM_TRY(pkm_follow_to(&ked->follower, 0.0, ked->err));
    pkm_elastic_move(ked->elastic, ked->robot->state);
    PKM_TRY(ked_parts_create(ked));
    PKM_TRY(ked_joints_create(ked));
    // rows and coordinates of the first instant, with which all others are compared
    PKM_TRY(ked_go(ked, 0.0));
    ked_choice_copy(ked, &ked->choice, &ked->first);
    if (ked->n < 1)
        return pkm_fail(ked->err, PKM_ERR_MODEL, "%s: nothing can move", ked->robot->desc->name);
    return make_room(ked);
}

// ---- start ------------------------------------------------------------------------------------

/// K of the given terms at time t, factored in matrix[2], and y = K^-1 (f - K from), with `from`
/// NULL for none. PKM_RETRY: there is no such y.
static pkm_status solve_start(pkm_ked* ked, ked_terms terms, double t, const double* from,
                              double* y)
{
    const int n = ked->n;
    ked->terms = terms;
    const pkm_status status =
        ked_system(ked, t, ked->matrix[0], ked->matrix[1], ked->matrix[2], ked->force);
    ked->terms = KED_ALL_TERMS;
    PKM_TRY(status);
    // f - K y_0, so that differences are found, not whole deflections
    if (from) pkm_dgemv('N', n, n, -1.0, ked->matrix[2], n, from, 1, 1.0, ked->force, 1);
    const double norm = pkm_dnorm1(n, ked->matrix[2], n);
    double condition = 0.0;
    const bool is_regular = pkm_dgetrf(n, n, ked->matrix[2], n, ked->n_pivot) == 0;
    PKM_TRY(pkm_lapack_status(pkm_dgecon(n, ked->matrix[2], n, norm, &condition), PKM_OK));
    if (!is_regular || !(condition > LEAST_CONDITION)) return PKM_RETRY;
    memcpy(y, ked->force, (size_t)n * sizeof *y);
    pkm_dgetrs('N', n, 1, ked->matrix[2], n, ked->n_pivot, y, n);
    return PKM_OK;
}

/// With the stiffness of links and joints, of which frequencies are asked.
static pkm_status solve_static(pkm_ked* ked)
{
    const pkm_status status = solve_start(ked, KED_NOTHING_TURNS, 0.0, NULL, ked->y);
    if (status != PKM_RETRY) return status;
    return pkm_fail(ked->err, PKM_ERR_SINGULAR,
                    "%s: static forces meet no stiffness: lock the drives or give them one",
                    ked->robot->desc->name);
}

/// The deflection of (6.10) at time t less `from`: a link that turns evenly stays as it is.
static pkm_status solve_turning(pkm_ked* ked, double t, const double* from, double* y)
{
    const pkm_status status = solve_start(ked, KED_BODIES_TURN, t, from, y);
    if (status != PKM_RETRY) return status;
    return pkm_fail(ked->err, PKM_ERR_SINGULAR,
                    "%s: the motion starts at a critical speed: no deflection is at rest there; "
                    "start undeformed",
                    ked->robot->desc->name);
}

/// Does the motion begin with a speed?
static bool begins_moving(const pkm_ked* ked)
{
    const pkm_mechanism* mech = ked->robot->mech;
    // the way in the time of the motion says whether it is at rest
    for (int d = 0; d < mech->n_drive; ++d) {
        double v = 0.0, a = 0.0;
        pkm_drive_rates(ked->robot->state, d, &v, &a);
        const double unit = mech->drive[d].is_rotary ? 1.0 : mech->size;
        if (fabs(v) * ked->duration > LEAST_WAY * unit) return true;
    }
    return false;
}

/// The deflection of (6.10) at t = 0 and, of a robot that moves, the rate at which it changes along
/// the motion. Both are those of all coordinates, whichever of them are independent: rates of zero
/// in some are none in others where joints turn.
static pkm_status start_turning(pkm_ked* ked)
{
    const double h = START_STEP * ked->duration;
    double *y = ked->y, *v = ked->v, *change = ked->start_change;
    PKM_TRY(solve_turning(ked, 0.0, NULL, y));
    if (!begins_moving(ked)) return PKM_OK;
    // three points: h^2 is left as error
    // y' = (4 (y(h) - y(0)) - (y(2 h) - y(0)))/(2 h)
    PKM_TRY(solve_turning(ked, h, y, change));
    pkm_daxpy(ked->n, 2.0 / h, change, 1, v, 1);
    PKM_TRY(solve_turning(ked, 2.0 * h, y, change));
    pkm_daxpy(ked->n, -0.5 / h, change, 1, v, 1);
    return PKM_OK;
}

/// The lowest angular frequency of what solve_static has met. Robots of equal limbs have
/// frequencies close to each other: iterations would end between them.
static pkm_status lowest_frequency(pkm_ked* ked, double* omega)
{
    pkm_eigen* eigen;
    double square = 0.0;
    ked->terms = KED_NOTHING_TURNS;
    const pkm_status built =
        ked_system(ked, 0.0, ked->matrix[0], ked->matrix[1], ked->matrix[2], ked->force);
    ked->terms = KED_ALL_TERMS;
    PKM_TRY(built);
    PKM_TRY(pkm_eigen_create(ked->n, &eigen));
    const pkm_status status =
        pkm_eigen_lowest(eigen, ked->n, ked->matrix[2], ked->matrix[0], 1, &square, NULL);
    pkm_eigen_free(eigen);
    *omega = sqrt(square);
    if (status != PKM_ERR_SINGULAR && square > 0.0) return status;
    return pkm_fail(ked->err, PKM_ERR_SINGULAR,
                    "%s: nothing brings a deflection back: its static loads outweigh the stiffness",
                    ked->robot->desc->name);
}

/// Angular frequency with which the tool answers a force on it: sqrt(g' C g / g' C M C g) with the
/// compliance C = K^-1, the mean of the three directions; modes count as much as they yield.
static double tool_frequency(pkm_ked* ked)
{
    const int n = ked->n, tool = ked->robot->mech->tool;
    double *g = ked->v, *Mg = ked->force, yields = 0.0, swings = 0.0;
    for (int d = 0; tool != PKM_NONE && d < 3; ++d) {
        ked_marker_row(ked, tool, d, g);
        pkm_dcopy(n, g, 1, Mg, 1);
        // g <- C g
        // g' C g, then g' C M C g, over the three directions
        pkm_dgetrs('N', n, 1, ked->matrix[2], n, ked->n_pivot, g, n);
        yields += pkm_ddot(n, g, 1, Mg, 1);
        pkm_dgemv('N', n, n, 1.0, ked->matrix[0], n, g, 1, 0.0, Mg, 1);
        swings += pkm_ddot(n, g, 1, Mg, 1);
    }
    memset(ked->v, 0, (size_t)n * sizeof *ked->v);
    return swings > 0.0 && yields > 0.0 ? sqrt(yields / swings) : 0.0;
}

/// The step at which a vibration of `omega` loses `phase` [rad] over the run, (omega h)^2 / 12 per
/// radian, but no more than `most` in a period.
static double step_for(double omega, double end, double phase, double most)
{
    const double all = fmax(omega * end, 1.0);
    // most steps in a period: even a short run has them
    return fmax(sqrt(12.0 * phase / all), PKM_TURN / most) / omega;
}

/// The step that the frequencies of the robot need, behind solve_static.
static pkm_status choose_step(pkm_ked* ked, double end, pkm_ked_report* report, double* needed)
{
    const double tool = tool_frequency(ked); // by the factors, which the other one writes over
    PKM_TRY(lowest_frequency(ked, &report->omega));
    const double step = fmin(end / LEAST_STEPS, step_for(report->omega, end, PHASE, MOST_STEPS));
    *needed = tool > 0.0 ? fmin(step, step_for(tool, end, TOOL_PHASE, TOOL_STEPS)) : step;
    return PKM_OK;
}

/// From the static deflection of the first instant, undeformed, or such that it returns (4.4).
static pkm_status find_start(pkm_ked* ked, const pkm_ltv* ltv, double step)
{
    const size_t size = (size_t)ked->n * sizeof *ked->y;
    if (ked->settings->start == PKM_KED_START_UNDEFORMED) memset(ked->y, 0, size);
    if (ked->settings->start == PKM_KED_START_STATIC && ked_bodies_turn(ked))
        return start_turning(ked);
    if (ked->settings->start != PKM_KED_START_PERIODIC) return PKM_OK;
    // a whole number of steps in a period
    const int n_step = (int)ceil(ked->duration / step * (1.0 - 1e-12));
    const pkm_status status = pkm_newmark_periodic(ltv, 0.0, ked->duration, n_step, ked->y, ked->v);
    if (status != PKM_ERR_SINGULAR || ked->err->text[0]) return status;
    return pkm_fail(ked->err, status, "%s: a resonance, the response does not repeat",
                    ked->robot->desc->name);
}

// ---- the run ----------------------------------------------------------------------------------

/// A step so short that nothing ends is a slip.
static pkm_status check_step(const pkm_ked* ked, double end, double step)
{
    static const double MOST = 1e8;
    if (step > 0.0 && end / step <= MOST) return PKM_OK;
    return pkm_fail(ked->err, PKM_ERR_ARGUMENT, "step: %g s in a run of %g s, expected at least %g",
                    step, end, end / MOST);
}

/// A row of the table, at the end of a step.
static pkm_status append_row(pkm_ked* ked, double t, const pkm_newmark* nm, pkm_table* table,
                             pkm_ked_report* report)
{
    double* row = pkm_table_append(table);
    if (!row) return PKM_ERR_MEMORY;
    PKM_TRY(ked_write_row(ked, t, nm, true, row, report));
    ++report->n_done;
    report->t_end = t;
    return PKM_OK;
}

/// Every step is a sample for the peaks; some are rows.
static pkm_status step_through(pkm_ked* ked, pkm_newmark* nm, double end, double step,
                               pkm_table* table, pkm_ked_report* report)
{
    const pkm_ked_settings* s = ked->settings;
    const double apart = end / (s->n_instant - 1);
    // steps end at the rows
    const int n_sub = (int)ceil(apart / step * (1.0 - 1e-12));
    report->step = apart / n_sub;
    for (int i = 0; i < s->n_instant; ++i) {
        for (int k = 0; i > 0 && k < n_sub; ++k, ++report->n_step) {
            PKM_TRY(pkm_newmark_step(nm, report->step));
            // between rows: samples for the peaks
            if (k + 1 < n_sub)
                PKM_TRY(ked_write_row(ked, apart * (i - 1) + report->step * (k + 1), nm, false,
                                      ked->row, report));
            report->interrupted =
                s->progress && !s->progress(s->user, (i + (double)k / n_sub) / s->n_instant);
            if (report->interrupted) return PKM_OK;
        }
        PKM_TRY(append_row(ked, apart * i, nm, table, report));
        report->interrupted = s->progress && !s->progress(s->user, (double)(i + 1) / s->n_instant);
        if (report->interrupted) break;
    }
    return PKM_OK;
}

/// A step that was asked for and that the vibrations are too fast for.
static void warn_step(double step, double needed, pkm_warnings* to)
{
    static const double TOO_LONG = 2.0; // errors go with the square
    if (step > TOO_LONG * needed)
        pkm_warn(to, "step", NAN,
                 "steps of %.3g s are %.0f times as long as the frequencies of this robot need: "
                 "vibrations come out slower, or are lost; without --step %.3g s are taken",
                 step, step / needed, needed);
}

/// The step cannot be taken back: the ends of steps are what is known.
static pkm_status refuse_look(void* user, double t, const double* place, double* row)
{
    (void)user, (void)t, (void)place, (void)row;
    return PKM_ERR_ARGUMENT;
}

static pkm_status begin_peaks(pkm_ked* ked, const pkm_table* table)
{
    ked->peaks = pkm_peaks_create(table, 0);
    ked->squares = pkm_column_sums_create(table, 0, 0);
    ked->row = pkm_arena_alloc(ked->arena, (size_t)pkm_table_n_column(table), sizeof(double));
    return ked->peaks && ked->squares && ked->row ? PKM_OK : PKM_ERR_MEMORY;
}

static pkm_status run(pkm_ked* ked, pkm_table* table, pkm_ked_report* report)
{
    PKM_TRY(create(ked));
    const double end = ked->settings->end_time > 0.0 ? ked->settings->end_time
                                                     : ked->duration * ked->settings->n_repeat;
    const pkm_ltv ltv = {ked->n, ked, ked_system, ked_rebase};
    pkm_newmark* nm = NULL;
    report->n_coordinate = ked->n;
    report->n_link = ked->settings->effects->n_flexible;
    PKM_TRY(ked_add_columns(ked, table));
    PKM_TRY(pkm_table_reserve(table, ked->settings->n_instant));
    PKM_TRY(begin_peaks(ked, table));
    // its factors are those by which the tool's frequency is found
    PKM_TRY(solve_static(ked));
    double needed = 0.0;
    PKM_TRY(choose_step(ked, end, report, &needed));
    const double step = ked->settings->step > 0.0 ? ked->settings->step : needed;
    // the periodic start has steps of a whole round
    PKM_TRY(check_step(ked, fmax(end, ked->duration), step));
    PKM_TRY(find_start(ked, &ltv, step));
    PKM_TRY(pkm_newmark_create(ked->n, &nm));
    pkm_status status = pkm_newmark_begin(nm, &ltv, 0.0, ked->y, ked->v);
    if (status == PKM_OK) status = step_through(ked, nm, end, step, table, report);
    warn_step(report->step, needed, pkm_table_warnings(table));
    ked_warn_loads(ked, report->step, end, pkm_table_warnings(table));
    if (pkm_peaks_locate(ked->peaks, refuse_look, NULL, table) != PKM_OK) status = PKM_ERR_MEMORY;
    pkm_column_sums_break(ked->squares);
    pkm_column_sums_put(ked->squares, table);
    if (status == PKM_ERR_SINGULAR && !ked->err->text[0])
        status = pkm_fail(ked->err, status, "%s: a motion has neither mass nor stiffness",
                          ked->robot->desc->name);
    pkm_newmark_free(nm);
    report->n_choice = ked->n_choice;
    return status;
}

/// A link that turns by more than small deflections tell anything of is no answer.
static pkm_status check_bends(const pkm_deflection_limits* bend, pkm_error* err)
{
    if (!pkm_deflection_is_lost(bend)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_NUMBERS,
                    "elastodynamics: %s turns by %.3g rad at t = %.4g s, so that displacements are "
                    "off by more than 30 %%, expected a stiffer link, or pkm simulate with "
                    "flexible: {pieces: n}",
                    bend->turn.link, bend->turn.value, bend->turn.t);
}

/// Of joints without drives those of the rigid motion.
static void find_limits(pkm_ked* ked, pkm_table* table)
{
    pkm_limit_list list;
    pkm_limits_find(&ked->limits, ked->robot, ked->settings->motion, table, &list);
    pkm_limits_warn(&list, pkm_table_warnings(table));
    pkm_limits_end(&ked->limits);
    pkm_nearness_warn(&ked->near, pkm_table_warnings(table));
}

pkm_status pkm_ked_run(pkm_robot* robot, const pkm_ked_settings* settings, pkm_table* table,
                       pkm_ked_report* report, pkm_error* err)
{
    pkm_ked_report unread;
    pkm_error unheard = {0};
    if (!report) report = &unread;
    if (!err) err = &unheard;
    *report = (pkm_ked_report){0};
    PKM_TRY(check_settings(robot, settings, err));
    pkm_ked ked = {.robot = robot, .settings = settings, .err = err};
    PKM_TRY(pkm_limits_begin(robot, settings->n_instant, &ked.limits, err));
    pkm_nearness_begin(robot, robot->desc->motion[settings->motion].motion, &ked.near);
    // masses with payloads, which stay
    pkm_effects_carry(settings->effects, 0.0, robot->state);
    pkm_status status = run(&ked, table, report);
    if (status == PKM_OK) status = check_bends(&report->bend, err);
    find_limits(&ked, table);
    pkm_deflection_warn(&report->bend, pkm_table_warnings(table));
    pkm_run_links_warn(robot->desc, settings->effects, pkm_table_warnings(table));
    pkm_state_unload(robot->state);
    pkm_peaks_free(ked.peaks);
    pkm_column_sums_free(ked.squares);
    ked_parts_free(&ked);
    pkm_elastic_free(ked.elastic);
    pkm_arena_free(ked.arena);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    return status;
}
