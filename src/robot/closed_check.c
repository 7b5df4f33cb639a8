// A closed form is only bound to a robot that it describes: at home, rates and forces for random
// rates, accelerations and gravity are asked of the engine and of the closed form. Where they
// differ, Newton's method looks for the one parameter that would explain it and the error names it.
// Called when a robot is made.
#include "robot/closed_check.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/inverse.h"
#include "dynamics/motion_solve.h"
#include "math/dot.h"
#include "robot/closed_continuation.h"

#include <stdio.h>
#include <string.h>

enum {
    N_SAMPLE = 3,   ///< motions at home at which both are compared
    N_POSE = 6,     ///< place and turn of the tool
    N_RATE = 4 * 3, ///< v, w, a, alpha of the tool
    MAX_NUMBER = N_POSE + N_SAMPLE * (N_RATE + PKM_CLOSED_MAX_DRIVE),
};
/// Largest difference relative to the largest number of its kind. Both routes agree to 1e-12 when
/// they describe the same robot; parameters written with seven digits pass.
static const double SAME = 1e-6;
static const double SAME_PLACE = 1e-6; // [m, rad] of the tool at home

/// One motion at home.
typedef struct sample {
    double qd[PKM_CLOSED_MAX_DRIVE], qdd[PKM_CLOSED_MAX_DRIVE];
    pkm_vec3 gravity; ///< [m/s2]
} sample;

/// What one route says: places [N_POSE], then per sample rates [N_RATE], then per sample forces.
typedef struct answer {
    double number[MAX_NUMBER];
} answer;

typedef struct check {
    pkm_robot* robot;
    const pkm_closed_family* family;
    double value[PKM_CLOSED_MAX_PARAMETER];
    bool is_given[PKM_CLOSED_MAX_PARAMETER];
    sample sample[N_SAMPLE];
    answer engine, closed;
} check;

static int n_drive(const check* c)
{
    return c->family->n_drive;
}

// ---- parameters -------------------------------------------------------------------------------

static int find_parameter(const pkm_closed_family* family, const char* name)
{
    for (int p = 0; p < family->n_parameter; ++p)
        if (strcmp(family->parameter[p].name, name) == 0) return p;
    return PKM_NONE;
}

static pkm_status fail_family(const pkm_description* desc, pkm_error* err)
{
    char names[256] = "";
    int n_family;
    const pkm_closed_family* const* families = pkm_closed_families(&n_family);
    for (int f = 0; f < n_family; ++f)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", f ? ", " : "",
                 families[f]->name);
    return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, desc->closed_form_place.line,
                       desc->closed_form_place.column,
                       "closed_form.family: '%s' is not a family, expected one of %s",
                       desc->closed_family, names);
}

static pkm_place place_of(const check* c, int p)
{
    const pkm_description* desc = c->robot->desc;
    for (int k = 0; p != PKM_NONE && k < desc->n_closed; ++k)
        if (strcmp(desc->closed_name[k], c->family->parameter[p].name) == 0)
            return desc->closed_place[k];
    return desc->closed_form_place;
}

static void set_gravity(const check* c, pkm_vec3 g, double* value)
{
    value[find_parameter(c->family, "gravity")] = g.z;
    value[find_parameter(c->family, "gravity_x")] = g.x;
    value[find_parameter(c->family, "gravity_y")] = g.y;
}

/// Gravity that the closed form does not state is that of the model; what it states must agree.
static pkm_status take_gravity(check* c, pkm_error* err)
{
    static const char* const name[3] = {"gravity_x", "gravity_y", "gravity"};
    const pkm_vec3 g = c->robot->mech->gravity;
    const double model[3] = {g.x, g.y, g.z};
    for (int k = 0; k < 3; ++k) {
        const int p = find_parameter(c->family, name[k]);
        if (!c->is_given[p]) c->value[p] = model[k];
        if (fabs(c->value[p] - model[k]) <= SAME * fmax(pkm_vec3_norm(g), 1.0)) continue;
        const pkm_place at = place_of(c, p);
        return pkm_fail_at(err, PKM_ERR_MODEL, c->robot->desc->file, at.line, at.column,
                           "closed_form.%s: %.9g m/s2 along %c, but the `gravity:` of the model is "
                           "%.9g m/s2 there; leave it out to take that of the model",
                           name[k], c->value[p], "xyz"[k], model[k]);
    }
    return PKM_OK;
}

static pkm_status read_parameters(check* c, pkm_error* err)
{
    const pkm_description* desc = c->robot->desc;
    for (int p = 0; p < PKM_CLOSED_MAX_PARAMETER; ++p)
        c->value[p] = NAN;
    for (int k = 0; k < desc->n_closed; ++k) {
        const int p = find_parameter(c->family, desc->closed_name[k]);
        if (p == PKM_NONE)
            return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, desc->closed_place[k].line,
                               desc->closed_place[k].column,
                               "closed_form.%s: family %s has no such parameter",
                               desc->closed_name[k], c->family->name);
        c->value[p] = desc->closed_value[k];
        c->is_given[p] = true;
    }
    if (c->family->n_drive != c->robot->mech->n_drive)
        return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, desc->closed_form_place.line,
                           desc->closed_form_place.column,
                           "closed_form: family %s has %d drives, the robot has %d",
                           c->family->name, c->family->n_drive, c->robot->mech->n_drive);
    return take_gravity(c, err);
}

static pkm_status create(const check* c, const double* value, pkm_closed** out, pkm_error* err)
{
    pkm_error inner = {0};
    const pkm_status status = pkm_closed_create(c->family, value, out, &inner);
    if (status == PKM_OK) return PKM_OK;
    const pkm_description* desc = c->robot->desc;
    return pkm_fail_at(err, status, desc->file, desc->closed_form_place.line,
                       desc->closed_form_place.column, "closed_form: %s", inner.text);
}

// ---- what both say ----------------------------------------------------------------------------

/// Rates near 1 (robot sizes, rad) per second, accelerations and gravity near 10.
static void draw_samples(check* c)
{
    unsigned seed = 20u;
    for (int s = 0; s < N_SAMPLE; ++s) {
        sample* at = &c->sample[s];
        for (int d = 0; d < n_drive(c); ++d) {
            const double unit = c->robot->mech->drive[d].is_rotary ? 1.0 : c->robot->mech->size;
            at->qd[d] = unit * pkm_noise(&seed);
            at->qdd[d] = 10.0 * unit * pkm_noise(&seed);
        }
        at->gravity =
            (pkm_vec3){10.0 * pkm_noise(&seed), 10.0 * pkm_noise(&seed), 10.0 * pkm_noise(&seed)};
    }
}

static void put(pkm_vec3 v, double* out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void put_rates(const pkm_frame_motion* tool, double* out)
{
    put(tool->v, out);
    put(tool->w, out + 3);
    put(tool->a, out + 6);
    put(tool->alpha, out + 9);
}

/// Where the rates and the forces of sample `s` stand.
static double* rates_at(answer* a, int s)
{
    return a->number + N_POSE + s * N_RATE;
}

static double* forces_at(const check* c, answer* a, int s)
{
    return a->number + N_POSE + N_SAMPLE * N_RATE + s * n_drive(c);
}

static pkm_status ask_engine(check* c)
{
    pkm_robot* robot = c->robot;
    pkm_state* state = robot->state;
    const pkm_vec3 gravity = robot->mech->gravity;
    memset(c->engine.number, 0, sizeof c->engine.number);
    pkm_robot_go_home(robot);
    pkm_rows_closures(state);
    PKM_TRY(pkm_solve_factor(state, PKM_GIVEN_DRIVES));
    for (int s = 0; s < N_SAMPLE; ++s) {
        pkm_target target = {.tool.pose = robot->tool_home};
        double force[PKM_MAX_DRIVE];
        memcpy(target.v, c->sample[s].qd, sizeof c->sample[s].qd);
        memcpy(target.a, c->sample[s].qdd, sizeof c->sample[s].qdd);
        pkm_solve_velocity(state, PKM_GIVEN_DRIVES, &target);
        pkm_solve_acceleration(state, PKM_GIVEN_DRIVES, &target);
        robot->mech->gravity = c->sample[s].gravity;
        pkm_inverse_forces(state);
        pkm_inverse_drive_forces(state, force);
        robot->mech->gravity = gravity;
        const pkm_frame_motion tool = pkm_state_marker_motion(state, robot->mech->tool);
        put_rates(&tool, rates_at(&c->engine, s));
        memcpy(forces_at(c, &c->engine, s), force, (size_t)n_drive(c) * sizeof(double));
    }
    return PKM_OK;
}

/// The configuration at home's drives that is nearest to the assembled home.
static bool match_home(const check* c, const pkm_closed* closed, pkm_closed_config* out)
{
    pkm_closed_config list[PKM_CLOSED_MAX_BRANCH];
    pkm_closed_config home = {.pose = c->robot->tool_home};
    const int n =
        pkm_closed_direct_geometry(closed, c->robot->drive_home, list, PKM_CLOSED_MAX_BRANCH, NULL);
    if (n == 0) return false;
    home.branch = list[0].branch; // of equals (elbows that the tool does not see) as the file says
    *out = list[pkm_closed_nearest(list, n, &home)];
    return true;
}

/// What a closed form with these parameters says in sample `s`.
static pkm_status ask_sample(const check* c, int s, double* value, pkm_closed_config* at,
                             answer* out)
{
    static const pkm_vec3 none;
    const sample* now = &c->sample[s];
    pkm_frame_motion tool;
    pkm_closed* closed = NULL;
    set_gravity(c, now->gravity, value);
    PKM_TRY(pkm_closed_create(c->family, value, &closed, NULL));
    pkm_status status = match_home(c, closed, at) ? PKM_OK : PKM_ERR_UNREACHABLE;
    if (status == PKM_OK) status = pkm_closed_tool_motion(closed, at, now->qd, now->qdd, &tool);
    if (status == PKM_OK)
        status = pkm_closed_inverse_dynamics(closed, at, &tool, now->qd, now->qdd, none, none,
                                             forces_at(c, out, s));
    if (status == PKM_OK) put_rates(&tool, rates_at(out, s));
    pkm_closed_free(closed);
    return status;
}

/// In all samples; the tool's place as seen from that of the engine.
static pkm_status ask_closed(const check* c, const double* given, answer* out)
{
    double value[PKM_CLOSED_MAX_PARAMETER];
    pkm_closed_config at;
    memcpy(value, given, sizeof value);
    memset(out->number, 0, sizeof out->number);
    for (int s = 0; s < N_SAMPLE; ++s)
        PKM_TRY(ask_sample(c, s, value, &at, out));
    const pkm_quat turn = pkm_quat_mul(at.pose.q, pkm_quat_conj(c->robot->tool_home.q));
    put(pkm_vec3_sub(at.pose.p, c->robot->tool_home.p), out->number);
    put(pkm_quat_to_rotvec(turn), out->number + 3);
    return PKM_OK;
}

// ---- comparison -------------------------------------------------------------------------------

/// Largest difference of `n` numbers, and the largest of them.
static double largest_off(const double* a, const double* b, int n, double* largest)
{
    double off = 0.0;
    *largest = 0.0;
    for (int i = 0; i < n; ++i) {
        off = fmax(off, fabs(a[i] - b[i]));
        *largest = fmax(*largest, fmax(fabs(a[i]), fabs(b[i])));
        if (isnan(a[i]) || isnan(b[i])) return HUGE_VAL;
    }
    return off;
}

/// Part of the answers in which they differ: PKM_NONE, or where it begins, with its length and by
/// how much (relative; places: in m or rad).
static int first_difference(const check* c, const answer* closed, int* length, double* off)
{
    double largest;
    *length = N_POSE;
    // in the order of what follows from what: place, rates, forces
    *off = largest_off(c->engine.number, closed->number, N_POSE, &largest);
    if (!(*off < SAME_PLACE)) return 0;
    *length = N_SAMPLE * N_RATE;
    *off = largest_off(c->engine.number + N_POSE, closed->number + N_POSE, *length, &largest);
    if (!(*off <= SAME * largest)) return *off /= largest, N_POSE;
    const int at = N_POSE + *length;
    *length = N_SAMPLE * n_drive(c);
    *off = largest_off(c->engine.number + at, closed->number + at, *length, &largest);
    if (!(*off <= SAME * largest)) return *off /= largest, at;
    return PKM_NONE;
}

/// The value of parameter `p` with which the closed form would say what the engine says, by
/// Newton's method on the numbers from `at` on: false when this one alone cannot do it.
static bool mend(const check* c, int p, int at, int length, double* out)
{
    static const double STEP = 1e-4;
    double value[PKM_CLOSED_MAX_PARAMETER];
    answer now, near;
    memcpy(value, c->value, sizeof value);
    const pkm_closed_parameter* parameter = &c->family->parameter[p];
    if (isnan(value[p])) value[p] = parameter->fallback;
    if (isnan(value[p])) return false;
    if (strcmp(parameter->unit, "1") == 0) { // a sign
        value[p] = -value[p];
        *out = value[p];
        double off;
        return fabs(value[p]) == 1.0 && ask_closed(c, value, &now) == PKM_OK &&
               first_difference(c, &now, &length, &off) == PKM_NONE;
    }
    for (int n = 0; n < 8; ++n) {
        double off;
        int rest;
        *out = value[p];
        if (ask_closed(c, value, &now) != PKM_OK) return false;
        if (first_difference(c, &now, &rest, &off) == PKM_NONE) return true;
        const double step = STEP * fmax(fabs(value[p]), 0.1);
        value[p] += step;
        if (ask_closed(c, value, &near) != PKM_OK) return false;
        double slope = 0.0, along = 0.0;
        for (int i = at; i < at + length; ++i) {
            const double d = (near.number[i] - now.number[i]) / step;
            slope += d * d;
            along += d * (c->engine.number[i] - now.number[i]);
        }
        if (!(slope > 0.0)) return false;
        // the least-squares step of one unknown: d . (wanted - now)/(d . d), less the step of the
        // difference
        value[p] += along / slope - step;
    }
    return false;
}

/// "a dimension", "mass", ... as the unit tells.
static const char* kind_of(const pkm_closed_parameter* parameter)
{
    if (strcmp(parameter->unit, "kg") == 0) return "mass";
    if (strcmp(parameter->unit, "kg m2") == 0) return "inertia";
    return strcmp(parameter->unit, "1") == 0 ? "branch" : "dimension";
}

static const char* unit_of(const pkm_closed_parameter* parameter)
{
    return strcmp(parameter->unit, "1") == 0 ? "" : parameter->unit;
}

static double value_of(const check* c, int p)
{
    return isnan(c->value[p]) ? c->family->parameter[p].fallback : c->value[p];
}

/// One parameter explains it: name it. One of several that do, as sums and differences of radii, is
/// named first and the others behind it: nothing tells which is wrong.
static pkm_status fail_parameters(const check* c, const int* list, const double* mended, int n,
                                  double off, pkm_error* err)
{
    char others[300] = "";
    const pkm_place at = place_of(c, list[0]);
    const pkm_closed_parameter* first = &c->family->parameter[list[0]];
    const char* unit = unit_of(first);
    for (int i = 1; i < n; ++i) {
        const pkm_closed_parameter* parameter = &c->family->parameter[list[i]];
        const size_t used = strlen(others);
        snprintf(others + used, sizeof others - used, ", or %s: %.6g %s, expected %.6g %s",
                 parameter->name, value_of(c, list[i]), unit_of(parameter), mended[i],
                 unit_of(parameter));
    }
    return pkm_fail_at(err, PKM_ERR_MODEL, c->robot->desc->file, at.line, at.column,
                       "closed_form.%s: %.6g %s is not the %s of the bodies and joints, expected "
                       "%.6g %s%s (at home the closed form differs by %.3g)",
                       first->name, value_of(c, list[0]), unit, kind_of(first), mended[0], unit,
                       others, off);
}

/// No single parameter explains it: name what differs.
static pkm_status fail_quantity(const check* c, int at, double off, pkm_error* err)
{
    const pkm_description* desc = c->robot->desc;
    const pkm_place place = desc->closed_form_place;
    if (at == 0 && off == HUGE_VAL)
        return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, place.line, place.column,
                           "closed_form: it cannot take the drive positions of home, expected "
                           "dimensions of the same robot");
    if (at == 0)
        return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, place.line, place.column,
                           "closed_form: at home its tool is %.3g (m and rad) away from that of "
                           "the bodies and joints, expected dimensions of the same robot",
                           off);
    if (at == N_POSE)
        return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, place.line, place.column,
                           "closed_form: at home the rates of its tool differ by %.3g %% from "
                           "those of the bodies and joints, expected dimensions of the same robot",
                           100.0 * off);
    return pkm_fail_at(err, PKM_ERR_MODEL, desc->file, place.line, place.column,
                       "closed_form: at home its drive forces differ by %.3g %% from those of the "
                       "bodies and joints, expected %s of the same robot",
                       100.0 * off, "masses, centres of mass and inertias");
}

/// Parameters that alone make both agree are most likely the wrong ones.
static pkm_status fail_check(const check* c, int at, int length, double off, pkm_error* err)
{
    // what the file states first, then what it leaves to defaults
    for (int given = 1; given >= 0; --given) {
        int list[PKM_CLOSED_MAX_PARAMETER], n = 0;
        double mended[PKM_CLOSED_MAX_PARAMETER];
        for (int p = 0; p < c->family->n_parameter; ++p)
            if (c->is_given[p] == (given == 1) && mend(c, p, at, length, &mended[n])) list[n++] = p;
        if (n > 0) return fail_parameters(c, list, mended, n, off, err);
    }
    return fail_quantity(c, at, off, err);
}

static pkm_status compare(check* c, pkm_error* err)
{
    const pkm_robot* robot = c->robot;
    if (robot->mech->tool == PKM_NONE)
        return pkm_fail_at(err, PKM_ERR_MODEL, robot->desc->file,
                           robot->desc->closed_form_place.line,
                           robot->desc->closed_form_place.column,
                           "closed_form: needs a tool, expected `tool: body.point`");
    draw_samples(c);
    // robots that their drives do not hold at home are refused wherever drives are needed
    if (robot->structure.n_uncontrolled > 0 || !robot->state->system[PKM_GIVEN_DRIVES].lu ||
        ask_engine(c) != PKM_OK)
        return PKM_OK;
    int length;
    double off;
    const pkm_status status = ask_closed(c, c->value, &c->closed);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (status != PKM_OK) return fail_quantity(c, 0, HUGE_VAL, err);
    const int at = first_difference(c, &c->closed, &length, &off);
    return at == PKM_NONE ? PKM_OK : fail_check(c, at, length, off, err);
}

pkm_status pkm_closed_bind(pkm_robot* robot, pkm_error* err)
{
    const pkm_description* desc = robot->desc;
    if (!desc->closed_family) return PKM_OK;
    const pkm_closed_family* family = pkm_closed_find(desc->closed_family);
    if (!family) return fail_family(desc, err);
    check* c = pkm_alloc(1, sizeof *c);
    if (!c) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    *c = (check){.robot = robot, .family = family};
    robot->closed_list = pkm_alloc(PKM_CLOSED_MAX_BRANCH, sizeof *robot->closed_list);
    pkm_status status = robot->closed_list ? read_parameters(c, err)
                                           : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = create(c, c->value, &robot->closed, err);
    if (status == PKM_OK) status = compare(c, err);
    if (status == PKM_OK && !match_home(c, robot->closed, &robot->closed_home))
        status = fail_quantity(c, 0, HUGE_VAL, err);
    pkm_free(c);
    return status;
}
