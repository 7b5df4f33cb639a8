// The life of a robot: description to mechanism, loops closed, home reached, structure and closed
// form found, or a sentence that says why not. Owner of all of these; docs/guide/develop.md, "Who
// owns what".
#include "robot/robot.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/lapack.h"
#include "robot/closed_check.h"
#include "robot/crossing.h"
#include "robot/guard.h"
#include "robot/open_loop.h"
#include "robot/watch.h"

#include <stdio.h>
#include <string.h>

const char* pkm_short_name(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

// ---- assembly at home -------------------------------------------------------------------------

/// Rows that home prescribes: drives with a home position, or all that it states of the tool. What
/// the tool cannot take is then out of reach.
static int home_rows(const pkm_robot* robot, int* row, pkm_target* target)
{
    const pkm_mechanism* mech = robot->mech;
    int n = 0;
    if (robot->desc->has_home_tool && mech->tool != PKM_NONE) {
        // a stated place of the tool rules over homes of the drives
        target->tool.pose = robot->desc->home_tool;
        // bits 0 to 2: place, stated always; 3 to 5: turns, stated by an orientation of home
        const unsigned stated = mech->tool_moves | (robot->desc->has_home_rpy ? 077u : 007u);
        for (int k = 0; k < PKM_TOOL_ALL; ++k)
            if (stated & (1u << k)) row[n++] = mech->tool_row_at + k;
        return n;
    }
    for (int d = 0; d < mech->n_drive; ++d) {
        if (isnan(mech->drive[d].home)) continue;
        target->q[d] = mech->drive[d].home;
        row[n++] = mech->drive_row_at + d;
    }
    return n;
}

/// What is left of the rows of home [m], [rad]; false when nothing is.
static bool read_beyond(const pkm_robot* robot, const int* row, int n_row, char* out, size_t size)
{
    double shift = 0.0, turn = 0.0;
    for (int i = 0; i < n_row; ++i) {
        double* to = pkm_row_is_length(robot->mech, row[i]) ? &shift : &turn;
        // shifts and turns apart: their units differ
        *to = hypot(*to, robot->state->residual[row[i]]);
    }
    const bool has_shift = shift > 1e-9 * robot->mech->size, has_turn = turn > 1e-9;
    snprintf(out, size, "%s", "");
    // "0.02 m and 0.1 rad", or the one that there is
    if (has_shift) snprintf(out, size, "%.6g m", shift);
    if (has_turn)
        snprintf(out + strlen(out), size - strlen(out), "%s%.6g rad", has_shift ? " and " : "",
                 turn);
    return has_shift || has_turn;
}

/// Home cannot be reached although the loops close: say how near the robot can come.
static pkm_status fail_home(pkm_robot* robot, const int* row, int n_row, const pkm_target* target,
                            pkm_error* err)
{
    const pkm_description* desc = robot->desc;
    pkm_open_loop open;
    double beyond;
    char text[64];
    // loops closed, home's rows with a falling pull: what is left of them is the distance beyond
    // reach
    if (pkm_approach(robot->state, row, n_row, target, &beyond) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const bool has_beyond = read_beyond(robot, row, n_row, text, sizeof text);
    // which joint has to be let go for home to be reached: that one is named
    if (pkm_open_loop_find(robot, row, n_row, target, &open) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (open.joint == PKM_NONE)
        return pkm_fail_at(err, PKM_ERR_ASSEMBLY, desc->file, desc->home_place.line,
                           desc->home_place.column,
                           "home: out of reach%s%s with the loops closed, expected a position that "
                           "the robot can take from its guessed poses",
                           has_beyond ? " by " : "", text);
    return pkm_fail_at(err, PKM_ERR_ASSEMBLY, desc->file, desc->home_place.line,
                       desc->home_place.column,
                       "home: out of reach%s%s with the loops closed; at home %s: %s",
                       has_beyond ? " by " : "", text, open.where, open.sentence);
}

/// What to do about a gap that is no more than rounding of the dimensions in the file.
static const char* rounding_hint(const pkm_robot* robot, double gap, char* text, size_t size)
{
    static const double ROUNDED = 1e-4; // [robot sizes]
    text[0] = '\0';
    if (gap < ROUNDED * robot->mech->size)
        snprintf(text, size,
                 "; for dimensions that are only rounded state `assembly: {tolerance: %.1g m}`",
                 2.0 * gap);
    return text;
}

static pkm_status fail_loop(pkm_robot* robot, const pkm_assembly_report* report,
                            const pkm_target* target, pkm_error* err)
{
    const pkm_description* desc = robot->desc;
    pkm_open_loop open;
    char hint[120];
    if (pkm_open_loop_find(robot, NULL, 0, target, &open) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // the joint whose release closes the loop speaks, else the row with the largest gap
    const int worst = report->worst_closure;
    const pkm_desc_joint* joint =
        &desc->joint[open.joint == PKM_NONE ? robot->mech->row[worst].item : open.joint];
    // no single joint is open: the worst row speaks
    if (open.joint == PKM_NONE) {
        char what[PKM_MAX_NAME * 2];
        pkm_row_name(robot->mech, worst, what, sizeof what);
        snprintf(open.where, sizeof open.where, "joint %s", joint->name);
        snprintf(open.sentence, sizeof open.sentence, "a gap of %.6g %s is left (%s)",
                 report->closure_gap, pkm_row_is_length(robot->mech, worst) ? "m" : "rad", what);
    }
    return pkm_fail_at(err, PKM_ERR_ASSEMBLY, desc->file, joint->place.line, joint->place.column,
                       "%s: the loop does not close, %s; expected dimensions and guessed poses "
                       "with which all joints meet%s",
                       open.where, open.sentence,
                       rounding_hint(robot, report->closure_gap, hint, sizeof hint));
}

static pkm_status assemble_home(pkm_robot* robot, pkm_error* err)
{
    int row[PKM_MAX_DRIVE + PKM_TOOL_ALL];
    pkm_target target = {.tool.pose.q = {1.0, 0.0, 0.0, 0.0}};
    const int n_row = home_rows(robot, row, &target);
    // the loops first: they keep the branch of the guess when home is far from it
    pkm_status status = pkm_assemble(robot->state, NULL, 0, &target, 1.0, &robot->assembly);
    const bool closes = status == PKM_OK;
    const pkm_assembly_report loops = robot->assembly;
    if (status != PKM_ERR_MEMORY && n_row > 0)
        status = pkm_assemble(robot->state, row, n_row, &target, 1.0, &robot->assembly);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    // what failed says what to tell: loops that close alone leave home as the reason
    if (status != PKM_OK && closes) return fail_home(robot, row, n_row, &target, err);
    if (status != PKM_OK) return fail_loop(robot, &loops, &target, err);
    memcpy(robot->q_home, robot->state->q, (size_t)robot->mech->n_q * sizeof(double));
    return PKM_OK;
}

pkm_status pkm_robot_place_motion(const pkm_robot* robot, int index, const char* file,
                                  pkm_error* err)
{
    const pkm_desc_motion* motion = &robot->desc->motion[index];
    if (!pkm_motion_is_drives(motion->motion)) return PKM_OK;
    pkm_error inner = {0};
    const pkm_status status = pkm_motion_set_home(motion->motion, robot->drive_home, &inner);
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail_at(err, status, file, motion->place.line, motion->place.column, "%s",
                       inner.text);
}

static pkm_status read_home(pkm_robot* robot, pkm_error* err)
{
    robot->tool_home = pkm_pose_identity();
    pkm_kinematics_position(robot->state);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        robot->drive_home[d] = pkm_state_drive_position(robot->state, d);
    if (robot->mech->tool != PKM_NONE)
        robot->tool_home = pkm_state_marker_pose(robot->state, robot->mech->tool);
    // a twin has the same home, and motions that were told of it
    for (int m = 0; !robot->is_twin && m < robot->desc->n_motion; ++m)
        PKM_TRY(pkm_robot_place_motion(robot, m, robot->desc->file, err));
    return PKM_OK;
}

/// Loops that close only nearly (`assembly: {tolerance: ...}`) share their gap between all rows;
/// from here on the independent rows and the drives hold, and redundant closures keep it.
static pkm_status settle_home(pkm_robot* robot, pkm_error* err)
{
    pkm_state* state = robot->state;
    if (robot->mech->gap_limit == 0.0 || !state->system[PKM_GIVEN_DRIVES].lu) return PKM_OK;
    pkm_target target = {.tool.pose = robot->tool_home};
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const double home = robot->mech->drive[d].home;
        target.q[d] = isnan(home) ? robot->drive_home[d] : home;
    }
    memcpy(state->q, robot->q_home, (size_t)robot->mech->n_q * sizeof(double));
    // within the tolerance that the file states, home as assembled is fine too
    if (pkm_solve_position(state, PKM_GIVEN_DRIVES, &target) != PKM_OK) return PKM_OK;
    memcpy(robot->q_home, state->q, (size_t)robot->mech->n_q * sizeof(double));
    robot->assembly.closure_gap = 0.0;
    for (int r = 0; r < robot->mech->n_closure; ++r)
        // redundant rows keep what the file's dimensions leave open: this gap is told
        robot->assembly.closure_gap = fmax(robot->assembly.closure_gap, fabs(state->residual[r]));
    return read_home(robot, err);
}

void pkm_robot_go_home(pkm_robot* robot)
{
    // another thread works with it: it stands where that one needs it
    if (!robot || pkm_robot_hold(robot, NULL) != PKM_OK) return;
    const size_t nv = (size_t)robot->mech->n_v * sizeof(double);
    memcpy(robot->state->q, robot->q_home, (size_t)robot->mech->n_q * sizeof(double));
    memset(robot->state->v, 0, nv);
    memset(robot->state->a, 0, nv);
    pkm_kinematics_position(robot->state);
    pkm_kinematics_velocity(robot->state);
    pkm_kinematics_acceleration(robot->state, robot->state->a);
    // branch and sign of the determinant belong to the place
    robot->closed_now = robot->closed_home;
    robot->closed_is_old = false;
    robot->sign_now = robot->sign_home;
    pkm_robot_release(&robot);
}

/// The sign at home stays unknown for robots that their drives do not hold there.
static void read_sign(pkm_robot* robot)
{
    if (!robot->state->system[PKM_GIVEN_DRIVES].lu) return;
    pkm_robot_go_home(robot);
    pkm_rows_closures(robot->state);
    // the sign of det A_D tells later whether a parallel singularity was passed
    if (pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES) == PKM_OK)
        robot->sign_home = pkm_crossing_sign(robot);
}

// ---- loading ----------------------------------------------------------------------------------

static pkm_status prepare(pkm_robot* robot, pkm_error* err)
{
    PKM_TRY(pkm_mechanism_compile(robot->desc, &robot->mech, err));
    robot->state = pkm_state_create(robot->mech);
    robot->q_home = pkm_alloc((size_t)robot->mech->n_q, sizeof(double));
    // of pkm_follow_near and pkm_instant_move, which must not allocate
    const size_t n_work = 3 * (size_t)robot->mech->n_q + 2 * (size_t)robot->mech->n_v;
    const size_t n_x = (size_t)robot->mech->n_v * (size_t)robot->mech->n_drive;
    robot->follow_work = pkm_alloc(n_work, sizeof(double));
    robot->crossing_work = pkm_alloc((size_t)robot->mech->n_q + 2 * n_x, sizeof(double));
    if (!robot->state || !robot->q_home || !robot->follow_work || !robot->crossing_work)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // in this order: loops close, home is read, the structure chooses rows, these hold home exactly
    PKM_TRY(assemble_home(robot, err));
    PKM_TRY(read_home(robot, err));
    PKM_TRY(pkm_structure_find(robot->state, &robot->structure, err));
    PKM_TRY(settle_home(robot, err));
    // behind the structure, which chooses the rows that are watched
    robot->watch = pkm_watch_create(robot->state);
    if (!robot->watch) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    PKM_TRY(pkm_closed_bind(robot, err));
    read_sign(robot);
    pkm_robot_go_home(robot);
    return PKM_OK;
}

pkm_status pkm_robot_check_overrides(const pkm_override* set, int n_set, pkm_error* err)
{
    if (n_set < 0 || (n_set > 0 && !set))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%d overrides, expected as many as given", n_set);
    for (int i = 0; i < n_set; ++i)
        if (!set[i].name || !set[i].value)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "override %d: no name or no value", i + 1);
    for (int i = 1; i < n_set; ++i)
        for (int k = 0; k < i; ++k)
            if (strcmp(set[i].name, set[k].name) == 0)
                return pkm_fail(err, PKM_ERR_ARGUMENT, "--set %.60s: given twice", set[i].name);
    return PKM_OK;
}

static pkm_status make(pkm_description* desc, bool is_twin, pkm_robot** out, pkm_error* err)
{
    *out = NULL;
    pkm_robot* robot = pkm_alloc(1, sizeof *robot);
    if (!robot) {
        pkm_description_free(desc);
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    }
    robot->desc = desc;
    // BLAS keeps to one thread while the robot is made: its choices of rows must repeat
    robot->is_twin = is_twin;
    pkm_lapack_begin();
    const pkm_status status = prepare(robot, err);
    pkm_lapack_end();
    if (status != PKM_OK) {
        pkm_robot_free(robot);
        return status;
    }
    *out = robot;
    return PKM_OK;
}

pkm_status pkm_robot_create(pkm_description* desc, pkm_robot** out, pkm_error* err)
{
    return make(desc, false, out, err);
}

pkm_status pkm_robot_twin(pkm_robot* robot, pkm_robot** out, pkm_error* err)
{
    // one description, several robots: it is freed with the last of them
    ++robot->desc->n_share;
    return make(robot->desc, true, out, err);
}

pkm_status pkm_robot_copy(const pkm_robot* robot, pkm_robot** out, pkm_error* err)
{
    if (out) *out = NULL;
    if (!robot || !out) return pkm_fail(err, PKM_ERR_ARGUMENT, "copy: a robot or `out` is NULL");
    pkm_description* view = pkm_description_share(robot->desc);
    if (!view) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return make(view, true, out, err);
}

/// A robot from the model file `path`, or from `text` when there is one.
static pkm_status create(const char* path, const char* text, const pkm_override* set, int n_set,
                         pkm_robot** out, pkm_error* err)
{
    PKM_TRY(pkm_robot_check_overrides(set, n_set, err));
    pkm_description* desc = NULL;
    PKM_TRY(text ? pkm_description_parse(text, strlen(text), path, set, n_set, &desc, err)
                 : pkm_description_read(path, set, n_set, &desc, err));
    return pkm_robot_create(desc, out, err);
}

pkm_status pkm_robot_load(const char* path, const pkm_override* set, int n_set, pkm_robot** out,
                          pkm_error* err)
{
    if (out) *out = NULL;
    if (!path || !out) return pkm_fail(err, PKM_ERR_ARGUMENT, "load: a path or `out` is NULL");
    return create(path, NULL, set, n_set, out, err);
}

pkm_status pkm_robot_parse(const char* text, const char* name, const pkm_override* set, int n_set,
                           pkm_robot** out, pkm_error* err)
{
    if (out) *out = NULL;
    if (!text || !name || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "parse: text, name or `out` is NULL");
    return create(name, text, set, n_set, out, err);
}

void pkm_robot_free(pkm_robot* robot)
{
    if (!robot) return;
    pkm_structure_free(&robot->structure);
    pkm_watch_free(robot->watch);
    pkm_closed_free(robot->closed);
    pkm_free(robot->closed_list);
    pkm_free(robot->q_home);
    pkm_free(robot->follow_work);
    pkm_free(robot->crossing_work);
    pkm_state_free(robot->state);
    pkm_mechanism_free(robot->mech);
    pkm_description_free(robot->desc);
    pkm_free(robot);
}

// ---- requirements -----------------------------------------------------------------------------

pkm_status pkm_robot_require_unique(const pkm_robot* robot, int n_prescribed, pkm_error* err)
{
    const pkm_structure* s = &robot->structure;
    // idle freedoms are none that a drive could move
    const int freedoms = s->mobility - s->n_idle;
    // more prescribed drives than freedoms press against each other by an unknown force
    if (s->drives_unique || n_prescribed <= freedoms) return PKM_OK;
    return pkm_fail(err, PKM_ERR_MODEL,
                    "%s: %d prescribed drives for %d freedom%s work against each other, so their "
                    "forces are not determined; expected one for each: leave the others out of "
                    "`drives:`, or let them give forces (drive mode `playback`, `free` or a "
                    "controller of a simulation)",
                    robot->desc->name, n_prescribed, freedoms, freedoms == 1 ? "" : "s");
}

pkm_status pkm_robot_require_drives(const pkm_robot* robot, pkm_error* err)
{
    const pkm_structure* s = &robot->structure;
    if (robot->mech->n_drive == 0)
        return pkm_fail(err, PKM_ERR_MODEL, "%s: no drives, expected at least one under `drives:`",
                        robot->desc->name);
    if (s->mobility <= s->n_idle)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: the robot cannot move (mobility %d, of which %d idle), expected a "
                        "freedom for each drive; `pkm check` lists the joints",
                        robot->desc->name, s->mobility, s->n_idle);
    if (s->n_uncontrolled > 0 && robot->mech->tool == PKM_NONE)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: %d freedoms for %d drives, and no tool that tells which of them are "
                        "idle; expected one drive for each, or `tool: body.point`",
                        robot->desc->name, s->mobility - s->n_idle, robot->mech->n_drive);
    if (s->n_uncontrolled > 0 && s->mobility - s->n_idle > robot->mech->n_drive)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: %d freedoms move the tool but there are %d drives, expected one drive "
                        "for each",
                        robot->desc->name, s->mobility - s->n_idle, robot->mech->n_drive);
    PKM_TRY(pkm_robot_require_unique(robot, robot->mech->n_drive, err));
    if (s->singular_here)
        return pkm_fail(err, PKM_ERR_SINGULAR,
                        "%s: home is a constraint singularity (nearby there are fewer freedoms), "
                        "expected another home position",
                        robot->desc->name);
    if (s->n_uncontrolled > 0 || !robot->state->system[PKM_GIVEN_DRIVES].lu)
        return pkm_fail(err, PKM_ERR_SINGULAR,
                        "%s: home is a parallel singularity (the tool moves with locked drives), "
                        "expected another home position",
                        robot->desc->name);
    return PKM_OK;
}

pkm_status pkm_robot_require_tool(const pkm_robot* robot, pkm_error* err)
{
    PKM_TRY(pkm_robot_require_drives(robot, err));
    if (robot->structure.tool_mode) return PKM_OK;
    if (robot->mech->tool == PKM_NONE)
        return pkm_fail(err, PKM_ERR_MODEL, "%s: no tool, expected `tool: body.point`",
                        robot->desc->name);
    return pkm_fail(err, PKM_ERR_MODEL,
                    "%s: the tool cannot be prescribed by the components it moves in, expected "
                    "%d components under `tool: {point: ..., moves: [...]}` and a home that is no "
                    "serial singularity",
                    robot->desc->name, robot->mech->n_drive);
}

pkm_status pkm_robot_find_motion(pkm_robot* robot, const char* name, pkm_motion** out, int* index,
                                 pkm_error* err)
{
    if (out) *out = NULL;
    if (!robot) return pkm_fail(err, PKM_ERR_ARGUMENT, "find motion: the robot is NULL");
    const pkm_description* desc = robot->desc;
    char names[400] = "";
    for (int m = 0; m < desc->n_motion; ++m) {
        const char* now = pkm_motion_name(desc->motion[m].motion);
        if (!name || strcmp(now, name) == 0) {
            if (out) *out = desc->motion[m].motion;
            if (index) *index = m;
            return PKM_OK;
        }
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", m ? ", " : "", now);
    }
    if (desc->n_motion == 0)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s has no motions, expected some under `motions:`",
                        desc->name);
    return pkm_fail(err, PKM_ERR_ARGUMENT, "motion '%s' is not in %s, expected one of %s", name,
                    desc->file, names);
}
