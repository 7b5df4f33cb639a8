/// Where joints start: offsets from the pose that the robot stands in, loops kept closed.
#include "base/error.h"
#include "dynamics/kinematics.h"
#include "math/quat.h"
#include "math/tensor.h"
#include "simulate/simulation_impl.h"

#include <math.h>
#include <string.h>

/// One step of the way: turns, and shifts in sizes of the robot. Loops are closed after each.
static const double STEP = 0.01;
/// What a step may move any coordinate by, in steps: more is the neighbourhood of a singularity.
static const double MOST = 20.0;

static pkm_pose pose_of(const double* q, bool flies)
{
    pkm_pose out = {.p = {0.0, 0.0, 0.0}};
    if (flies) memcpy(&out.p, q, sizeof out.p);
    memcpy(&out.q, flies ? q + 3 : q, sizeof out.q);
    return out;
}

static pkm_pose turned_round(pkm_pose x)
{
    const pkm_quat back = pkm_quat_conj(x.q);
    return (pkm_pose){pkm_vec3_scale(-1.0, pkm_quat_rotate(back, x.p)), back};
}

/// The coordinates of a ball or a free body that was at `q0`, b moved against a by `part` of the
/// offset: shift before turn, both in the axes of a. Where the tree runs from b to a, it stores the
/// pose of a against b.
static void set_spatial(const pkm_body* tree, const double* q0, const double* offset, double part,
                        double* q)
{
    const bool flies = tree->n_v == 6;
    pkm_pose x = pose_of(q0, flies);
    if (tree->reversed) x = turned_round(x);
    if (flies) x.p = pkm_vec3_axpy(x.p, part, pkm_vec3_at(offset));
    const pkm_vec3 turn = pkm_vec3_scale(part, pkm_vec3_at(flies ? offset + 3 : offset));
    x.q = pkm_quat_mul(pkm_quat_from_rotvec(turn), x.q);
    if (tree->reversed) x = turned_round(x);
    if (flies) memcpy(q, &x.p, sizeof x.p);
    memcpy(flies ? q + 3 : q, &x.q, sizeof x.q);
}

/// Coordinates of all given joints at `part` of their offsets from `home` [n_q].
static void set_part(const pkm_sim_settings* given, pkm_state* state, const double* home,
                     double part)
{
    for (int k = 0; k < given->n_start;) {
        const pkm_body* tree =
            &state->mech->body[state->mech->joint[given->start_joint[k]].tree_body];
        const double *offset = &given->start_offset[k], *q0 = home + tree->q_at;
        if (tree->n_v == 1)
            state->q[tree->q_at] = *q0 + part * (tree->reversed ? -*offset : *offset);
        else
            set_spatial(tree, q0, offset, part, state->q + tree->q_at);
        k += tree->n_v;
    }
}

static double longest(const pkm_sim_settings* given, double size)
{
    double most = 0.0;
    for (int k = 0; k < given->n_start; ++k) {
        const double one = fabs(given->start_offset[k]);
        most = fmax(most, given->start_slides[k] ? one / size : one);
    }
    return most;
}

/// Has a coordinate jumped since `before`? Behind a singularity loops close in other ways.
static bool has_jumped(const pkm_state* state, const double* before)
{
    for (int i = 0; i < state->mech->n_q; ++i)
        if (fabs(state->q[i] - before[i]) > MOST * STEP * fmax(1.0, state->mech->size)) return true;
    return false;
}

pkm_status pkm_sim_start_offset(const pkm_sim* s, pkm_plant* plant, pkm_state* state,
                                pkm_error* err)
{
    const pkm_sim_settings* given = s->settings;
    const double way = longest(given, fmax(state->mech->size, 1e-9));
    const int n = (int)ceil(way / STEP);
    const size_t size = (size_t)state->mech->n_q * sizeof(double);
    if (way == 0.0) return PKM_OK;
    double* home = pkm_alloc(2, size);
    if (!home) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    memcpy(home, state->q, size);
    pkm_status status = PKM_OK;
    int i = 0;
    while (status == PKM_OK && i < n) {
        double* before = home + state->mech->n_q;
        memcpy(before, state->q, size);
        set_part(given, state, home, (double)++i / n);
        pkm_kinematics_position(state);
        status = pkm_plant_project(plant, 0.0);
        if (status == PKM_OK && has_jumped(state, before)) status = PKM_RETRY;
    }
    pkm_free(home);
    if (status != PKM_RETRY) return status;
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "start: beyond %.3g of the offsets (joint %s and others) loops cannot be kept "
                    "closed, or a singularity bars the way; expected smaller offsets",
                    (double)(i - 1) / n, state->mech->joint[given->start_joint[0]].name);
}
