// The masses that surfaces with friction stop, docs/theory/forces.md, (1.17): friction that rests
// is damped by them.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/inverse.h"
#include "dynamics/plant_impl.h"
#include "math/dot.h"
#include "math/lapack.h"

#include <string.h>

/// Flexible links do not bend by what is done to them within a step of so many seconds: what
/// springs bring back need not be stopped.
static const double RIGID = 10.0;

/// Of the robot's mass at the lever size/R: what were heavier is held by constraints or drives.
static const double HELD = 100.0;

/// Two bodies (PKM_NONE: none) that a surface at `at` parts, in `axes`.
typedef struct surface {
    int body[2];
    pkm_vec3 at;
    pkm_mat3 axes;
} surface;

/// Generalised forces of a unit friction along one direction, opposite on the two sides.
static void unit_force(const pkm_plant* p, const surface* s, const pkm_twist* row, double* out)
{
    static const double SIGN[2] = {-1.0, 1.0};
    memset(out, 0, (size_t)p->state->mech->n_v * sizeof(double));
    for (int side = 0; side < 2; ++side) {
        const pkm_wrench f =
            pkm_wrench_at(s->at, pkm_vec3_scale(SIGN[side], pkm_mat3_mul(s->axes, row->lin)),
                          pkm_vec3_scale(SIGN[side], pkm_mat3_mul(s->axes, row->ang)));
        if (s->body[side] != PKM_NONE) pkm_inverse_add_load(p->state, s->body[side], f, out);
    }
}

/// The largest mass [kg] that a surface with `n` directions has to stop: 1/the least eigenvalue of
/// B' A^-1 B + `more` E of directions in which it is not held (1.17); 0: all are. `R` [m] is the
/// radius of a surface that turns. `work` has 6 n_v numbers.
static double weigh(pkm_plant* p, const surface* s, const pkm_twist* row, int n, double R,
                    double more, double* work)
{
    const pkm_mechanism* mech = p->state->mech;
    const int n_v = mech->n_v;
    const double lever = R > 0.0 ? mech->size / R : 1.0;
    const double least = 1.0 / (HELD * mech->total_mass * (1.0 + lever * lever));
    double *B = work, *W = work + 3 * n_v, G[9], mobility[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < n; ++i) {
        unit_force(p, s, &row[i], B + i * n_v);
        pkm_forward_step_solve(p->forward, p->state, B + i * n_v, W + i * n_v);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            G[i + n * j] = pkm_dot(B + i * n_v, W + j * n_v, n_v) + (i == j ? more : 0.0);
    if (pkm_dsyev('N', 'U', n, G, n, mobility) != 0) return 0.0;
    for (int i = 0; i < n; ++i)
        if (mobility[i] > least) return 1.0 / mobility[i];
    return 0.0;
}

static void weigh_joint(pkm_plant* p, pkm_friction_item* item, const double* z, double* work)
{
    const pkm_joint* joint = &p->state->mech->joint[item->joint];
    const pkm_body_state *a = &p->state->body[joint->body_a], *b = &p->state->body[joint->body_b];
    const surface s = {.body = {joint->body_a, joint->body_b},
                       .at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p)),
                       .axes = pkm_mat3_matmul(a->R, joint->axes_a)};
    pkm_joint_rub rub[2];
    const int n = pkm_plant_rubs(p, item, z, rub);
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most,
                    weigh(p, &s, rub[i].row, rub[i].n_direction, item->friction.radius, 0.0, work));
    item->friction.law.mass = most;
}

/// Surfaces with clearance part as the journal moves in its bearing, a lighter motion than turns.
static void weigh_pair(pkm_plant* p, int k, double* work)
{
    static const pkm_vec3 none;
    const pkm_contact_side* side = p->side[k];
    const pkm_twist row[3] = {
        {none, {1.0, 0.0, 0.0}}, {none, {0.0, 1.0, 0.0}}, {none, {0.0, 0.0, 1.0}}};
    surface s = {.body = {side[0].body, side[1].body}};
    double more = 0.0;
    pkm_plant_pair_axes(p, k, &s.axes, &s.at);
    for (int i = 0; i < 2; ++i)
        if (side[i].cross != PKM_NONE) more += 1.0 / p->cross[side[i].cross].mass;
    p->pair[k].clearance.friction.mass = weigh(p, &s, row, 3, 0.0, more, work);
}

static pkm_status weigh_all(pkm_plant* p, double t, const double* z, double* work)
{
    double* rate = work + 6 * p->state->mech->n_v;
    PKM_TRY(pkm_plant_stiff_create(p));
    PKM_TRY(pkm_plant_evaluate(p, t, z, rate));
    PKM_TRY(pkm_forward_step_factor(p->forward, p->state, RIGID));
    for (int k = 0; k < p->n_friction; ++k)
        if (p->friction[k].n_z > 0) weigh_joint(p, &p->friction[k], z, work);
    for (int k = 0; k < p->n_pair; ++k)
        if (p->pair[k].n_z > 0) weigh_pair(p, k, work);
    return PKM_OK;
}

pkm_status pkm_plant_weigh(pkm_plant* p, double t, const double* z)
{
    const size_t n = 6 * (size_t)p->state->mech->n_v + (size_t)p->n_z;
    double* work = pkm_alloc(n, sizeof(double));
    if (!work) return PKM_ERR_MEMORY;
    const pkm_status status = weigh_all(p, t, z, work);
    pkm_free(work);
    // where nothing can be evaluated the run itself tells why
    return status == PKM_ERR_MEMORY ? status : PKM_OK;
}
