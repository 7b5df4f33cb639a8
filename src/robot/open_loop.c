// Why a robot cannot be put together: joints are let go one by one, by limb, by name, until the
// rest closes; the gap that is left, the rod whose length would close it or the joints that would
// have to be balls are told. Called when assembly fails.
#include "robot/open_loop.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "math/angle.h"
#include "mechanism/joint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double HOLDS = 1e-6;   // [robot sizes, rad] what the other rows may miss
static const double ALIGNED = 0.02; // of the gap: how far a rod may point beside it
enum { MOST_JOINTS = 200 };         // beyond, the search takes too long

/// How joints are grouped; each later word opens more of them at once.
typedef enum grouping { BY_JOINT, BY_LIMB, BY_NAME, ALL, N_GROUPING } grouping;

typedef struct search {
    pkm_robot* robot;
    const pkm_mechanism* mech;
    const int* row; ///< of home
    int n_row;
    const pkm_target* target;
    bool* open; ///< [n_closure]
} search;

// ---- groups of joints -------------------------------------------------------------------------

/// The limb of "A.l2" is "A"; a name without a dot has none.
static int limb_length(const char* name)
{
    return (int)(pkm_short_name(name) - name);
}

static bool same_group(grouping by, const char* a, const char* b)
{
    if (by == BY_JOINT) return strcmp(a, b) == 0;
    if (by == BY_NAME) return strcmp(pkm_short_name(a), pkm_short_name(b)) == 0;
    const int n = limb_length(a);
    return by == ALL || (n == limb_length(b) && strncmp(a, b, (size_t)n) == 0);
}

static bool is_cut(const pkm_joint* joint)
{
    return joint->n_row > 0;
}

/// Is joint `j` the first of its group among the cut ones?
static bool leads(const search* s, grouping by, int j)
{
    if (!is_cut(&s->mech->joint[j])) return false;
    for (int i = 0; i < j; ++i)
        if (is_cut(&s->mech->joint[i]) &&
            same_group(by, s->mech->joint[i].name, s->mech->joint[j].name))
            return false;
    return true;
}

static void mark_open(search* s, grouping by, int leader)
{
    memset(s->open, 0, (size_t)s->mech->n_closure * sizeof(bool));
    for (int j = 0; j < s->mech->n_joint; ++j) {
        const pkm_joint* joint = &s->mech->joint[j];
        if (!is_cut(joint) || !same_group(by, s->mech->joint[leader].name, joint->name)) continue;
        for (int k = 0; k < joint->n_row; ++k)
            s->open[joint->row_at + k] = true;
    }
}

// ---- one trial --------------------------------------------------------------------------------

/// Where the two points of a joint are.
static void place(const pkm_state* state, const pkm_joint* joint, pkm_vec3* a, pkm_vec3* b)
{
    const pkm_body_state *ba = &state->body[joint->body_a], *bb = &state->body[joint->body_b];
    *a = pkm_vec3_add(ba->p, pkm_mat3_mul(ba->R, joint->frame_a.p));
    *b = pkm_vec3_add(bb->p, pkm_mat3_mul(bb->R, joint->frame_b.p));
}

/// The gap of a joint: residuals that are lengths [m] and those that are turns [rad].
static void measure(const search* s, int j, double* gap, double* turn)
{
    const pkm_joint* joint = &s->mech->joint[j];
    *gap = *turn = 0.0;
    for (int k = 0; k < joint->n_row; ++k) {
        const double c = s->robot->state->residual[joint->row_at + k];
        double* to = pkm_row_is_length(s->mech, joint->row_at + k) ? gap : turn;
        *to = hypot(*to, c);
    }
}

/// Open one group and put the rest together from the guessed poses. `size` [robot sizes, rad] is
/// the gap that is left, infinite when the rest does not hold.
static pkm_status try_group(search* s, grouping by, int leader, double* size)
{
    pkm_state* state = s->robot->state;
    double left;
    mark_open(s, by, leader);
    memcpy(state->q, s->mech->q_guess, (size_t)s->mech->n_q * sizeof(double));
    const pkm_status status = pkm_assemble_open(state, s->row, s->n_row, s->target, s->open, &left);
    if (status != PKM_OK) return status;
    *size = left < HOLDS ? 0.0 : HUGE_VAL;
    for (int i = 0; i < s->mech->n_closure; ++i)
        if (s->open[i]) *size = hypot(*size, s->mech->row[i].weight * state->residual[i]);
    return PKM_OK;
}

/// The group with the smallest gap, of the first grouping that closes the rest; the state is there.
static pkm_status find_group(search* s, grouping* by, int* leader)
{
    *leader = PKM_NONE;
    for (*by = BY_JOINT; *by < N_GROUPING; ++*by) {
        double best = HUGE_VAL, size;
        for (int j = 0; j < s->mech->n_joint; ++j) {
            if (!leads(s, *by, j)) continue;
            PKM_TRY(try_group(s, *by, j, &size));
            // of groups that are equally open the first
            if (size >= 0.99 * best) continue;
            best = size;
            *leader = j;
        }
        if (*leader != PKM_NONE) return try_group(s, *by, *leader, &size);
    }
    return PKM_OK;
}

// ---- which length -----------------------------------------------------------------------------

/// A rod has two places where joints sit. The other place than that of joint `j`, in body axes.
static bool other_end(const search* s, int body, int j, pkm_vec3 here, pkm_vec3* end, bool* driven)
{
    bool found = false;
    const double close = 1e-9 * s->mech->size;
    *driven = false;
    for (int i = 0; i < s->mech->n_joint; ++i) {
        const pkm_joint* joint = &s->mech->joint[i];
        if (i == j || (joint->body_a != body && joint->body_b != body)) continue;
        const pkm_vec3 at = joint->body_a == body ? joint->frame_a.p : joint->frame_b.p;
        if (pkm_vec3_norm(pkm_vec3_sub(at, here)) <= close) continue;
        if (found && pkm_vec3_norm(pkm_vec3_sub(at, *end)) > close) return false;
        for (int d = 0; d < s->mech->n_drive; ++d)
            *driven = *driven || s->mech->drive[d].joint == i;
        *end = at;
        found = true;
    }
    return found;
}

/// How much longer `body` had to be to reach across the gap of joint `j`; NaN when it is no rod or
/// does not point along the gap.
static double missing_length(const search* s, int j, int body, double* length, bool* driven)
{
    const pkm_joint* joint = &s->mech->joint[j];
    const bool is_a = joint->body_a == body;
    const pkm_vec3 here = is_a ? joint->frame_a.p : joint->frame_b.p;
    pkm_vec3 end, a, b;
    if (body == 0 || !other_end(s, body, j, here, &end, driven)) return NAN;
    place(s->robot->state, joint, &a, &b);
    const pkm_body_state* at = &s->robot->state->body[body];
    const pkm_vec3 far = pkm_vec3_add(at->p, pkm_mat3_mul(at->R, end));
    *length = pkm_vec3_norm(pkm_vec3_sub(is_a ? a : b, far));
    const double more = pkm_vec3_norm(pkm_vec3_sub(is_a ? b : a, far)) - *length;
    const double gap = pkm_vec3_norm(pkm_vec3_sub(b, a));
    // a change of length closes the gap only where the rod points along it
    return fabs(more) >= (1.0 - ALIGNED) * gap ? more : NAN;
}

/// The rod at joint `j` whose length would close it: of two the one that is not driven, then the
/// longer. Returns its body, or PKM_NONE.
static int find_rod(const search* s, int j, double* more, double* length)
{
    const pkm_joint* joint = &s->mech->joint[j];
    const int body[2] = {joint->body_a, joint->body_b};
    double m[2], l[2] = {0.0, 0.0};
    bool driven[2] = {false, false};
    for (int i = 0; i < 2; ++i)
        m[i] = missing_length(s, j, body[i], &l[i], &driven[i]);
    int best = isnan(m[0]) ? 1 : 0;
    if (!isnan(m[0]) && !isnan(m[1]))
        best = driven[0] != driven[1] ? driven[0] : l[1] > l[0] * (1.0 + 1e-9);
    *more = m[best];
    *length = l[best];
    return isnan(m[best]) ? PKM_NONE : body[best];
}

// ---- which type -------------------------------------------------------------------------------

static bool could_be_spherical(pkm_joint_type type)
{
    return type == PKM_JOINT_REVOLUTE || type == PKM_JOINT_UNIVERSAL;
}

/// Do the loops close, and is home reached, with the joints of this description?
static pkm_status closes(const search* s, const pkm_description* desc, bool* out)
{
    pkm_mechanism* mech = NULL;
    pkm_state* state = NULL;
    pkm_error ignored = {0};
    pkm_status status = pkm_mechanism_compile(desc, &mech, &ignored);
    if (status == PKM_OK && !(state = pkm_state_create(mech))) status = PKM_ERR_MEMORY;
    if (status == PKM_OK) {
        // rows of drives and tool stand behind those of the closures, whose number has changed
        int row[PKM_MAX_DRIVE + PKM_TOOL_ALL];
        for (int i = 0; i < s->n_row; ++i)
            row[i] = s->row[i] - s->mech->drive_row_at + mech->drive_row_at;
        pkm_assembly_report report;
        status = pkm_assemble(state, NULL, 0, s->target, 1.0, &report);
        if (status == PKM_OK && s->n_row > 0)
            status = pkm_assemble(state, row, s->n_row, s->target, 1.0, &report);
    }
    *out = status == PKM_OK;
    pkm_state_free(state);
    pkm_mechanism_free(mech);
    return status == PKM_ERR_MEMORY ? status : PKM_OK;
}

static bool is_driven(const pkm_mechanism* mech, int j)
{
    for (int d = 0; d < mech->n_drive; ++d)
        if (mech->drive[d].joint == j) return true;
    return false;
}

/// The joints called like joint `j` that can turn into spheres get this type.
static void set_type(const search* s, int j, pkm_desc_joint* joint, bool sphere)
{
    for (int i = 0; i < s->mech->n_joint; ++i) {
        const pkm_joint_type was = s->mech->joint[i].type;
        if (!could_be_spherical(was) || is_driven(s->mech, i)) continue;
        if (!same_group(BY_NAME, s->mech->joint[i].name, s->mech->joint[j].name)) continue;
        joint[i].type = sphere ? PKM_JOINT_SPHERICAL : was;
    }
}

/// Spheres at all joints that could be ones; when that helps, take back those names that are not
/// needed. joint[] of `desc` holds what is left.
static pkm_status find_spheres(const search* s, pkm_description* desc, bool* found)
{
    for (int j = 0; j < s->mech->n_joint; ++j)
        set_type(s, j, desc->joint, true);
    PKM_TRY(closes(s, desc, found));
    for (int j = 0; *found && j < s->mech->n_joint; ++j) {
        bool still = false;
        if (desc->joint[j].type == s->mech->joint[j].type) continue;
        set_type(s, j, desc->joint, false);
        PKM_TRY(closes(s, desc, &still));
        if (!still) set_type(s, j, desc->joint, true);
    }
    return PKM_OK;
}

// ---- the sentence -----------------------------------------------------------------------------

static void add(pkm_open_loop* out, const char* format, ...) PKM_PRINTF(2, 3);
static void add(pkm_open_loop* out, const char* format, ...)
{
    const size_t used = strlen(out->sentence);
    va_list args;
    va_start(args, format);
    vsnprintf(out->sentence + used, sizeof out->sentence - used, format, args);
    va_end(args);
}

/// How many joints beside the worst are open by a tenth of its gap or more.
static int count_others(const search* s, const pkm_open_loop* worst)
{
    int n = 0;
    for (int j = 0; j < s->mech->n_joint; ++j) {
        double gap, turn;
        measure(s, j, &gap, &turn);
        if (j != worst->joint && gap > 0.1 * worst->gap && gap > 0.0) ++n;
    }
    return n;
}

static void find_worst(const search* s, pkm_open_loop* out)
{
    double most = -1.0;
    for (int j = 0; j < s->mech->n_joint; ++j) {
        double gap, turn;
        measure(s, j, &gap, &turn);
        const double size = hypot(gap / s->mech->size, turn);
        if (!is_cut(&s->mech->joint[j]) || size <= most * (1.0 + 1e-6)) continue;
        most = size;
        out->joint = j;
        out->gap = gap;
        out->turn = turn;
    }
}

static void name_gap(const search* s, pkm_open_loop* out)
{
    const char* name = s->mech->joint[out->joint].name;
    const int limb = limb_length(name);
    if (limb > 0)
        snprintf(out->where, sizeof out->where, "limb %.*s: joint %s", limb - 1, name, name);
    else
        snprintf(out->where, sizeof out->where, "joint %s", name);
    add(out, "a gap of %.6g m", out->gap);
    if (out->turn > 1e-6) add(out, " and %.4g deg", out->turn * PKM_DEGREES);
    add(out, " is left");
    const int others = count_others(s, out);
    if (others > 0) add(out, " (in %d more likewise)", others);
}

/// Returns whether a length was found that closes the gap.
static bool name_length(const search* s, pkm_open_loop* out)
{
    const pkm_joint* joint = &s->mech->joint[out->joint];
    double more = 0.0, length = joint->length;
    const char* name = joint->name;
    if (pkm_joint_facts_of(joint->type)->is_rod) {
        more = s->robot->state->residual[joint->row_at];
    } else {
        const int rod = find_rod(s, out->joint, &more, &length);
        if (rod == PKM_NONE) return false;
        name = s->mech->body[rod].name;
    }
    add(out, "; rod %s is %.4g mm too %s (%.6g m, %.6g m would close it)", name, fabs(more) * 1e3,
        more > 0.0 ? "short" : "long", length, length + more);
    return true;
}

static void name_spheres(const search* s, const pkm_desc_joint* joint, pkm_open_loop* out)
{
    int n = 0, first = 0;
    for (int j = s->mech->n_joint - 1; j >= 0; --j)
        if (joint[j].type != s->mech->joint[j].type) {
            first = j;
            ++n;
        }
    if (n == 0) return;
    add(out, "; it closes with a spherical joint at %s instead of a %s one", joint[first].name,
        pkm_joint_type_name(s->mech->joint[first].type));
    if (n > 1) add(out, " (and at %d more)", n - 1);
}

static pkm_status name_types(const search* s, pkm_open_loop* out)
{
    pkm_description* desc = pkm_alloc(1, sizeof *desc);
    pkm_desc_joint* joint = pkm_alloc((size_t)s->mech->n_joint, sizeof *joint);
    pkm_status status = desc && joint ? PKM_OK : PKM_ERR_MEMORY;
    bool found = false;
    if (status == PKM_OK) {
        *desc = *s->robot->desc;
        memcpy(joint, desc->joint, (size_t)desc->n_joint * sizeof *joint);
        desc->joint = joint;
        status = find_spheres(s, desc, &found);
    }
    if (status == PKM_OK && found) name_spheres(s, joint, out);
    pkm_free(joint);
    pkm_free(desc);
    return status;
}

static pkm_status describe(search* s, pkm_open_loop* out)
{
    pkm_kinematics_position(s->robot->state);
    find_worst(s, out);
    if (out->joint == PKM_NONE) return PKM_OK;
    name_gap(s, out);
    return name_length(s, out) ? PKM_OK : name_types(s, out);
}

pkm_status pkm_open_loop_find(pkm_robot* robot, const int* row, int n_row, const pkm_target* target,
                              pkm_open_loop* out)
{
    *out = (pkm_open_loop){.joint = PKM_NONE};
    search s = {robot, robot->mech, row, n_row, target, NULL};
    if (robot->mech->n_closure == 0 || robot->mech->n_joint > MOST_JOINTS) return PKM_OK;
    s.open = pkm_alloc((size_t)robot->mech->n_closure, sizeof(bool));
    if (!s.open) return PKM_ERR_MEMORY;
    grouping by;
    int leader;
    pkm_status status = find_group(&s, &by, &leader);
    if (status == PKM_OK && leader != PKM_NONE) status = describe(&s, out);
    pkm_free(s.open);
    return status;
}
