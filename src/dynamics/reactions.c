// Reactions of joints: docs/theory/engine.md, (4.3) to (4.6).
#include "base/memory.h"
#include "dynamics/inverse.h"
#include "math/dot.h"

#include <string.h>

enum { PER_JOINT = 6 };

struct pkm_reactions {
    pkm_given given;
    int n_joint, n_row, n_free; ///< joints, rows of the drive system, redundant rows
    int* free_row;              ///< [n_free] rows of the mechanism that the factor leaves out
    double* row_force;          ///< [n_v] one row of the Jacobian as a force
    double* null;               ///< [n_row x n_free] multipliers that hold themselves in balance
    double* reaction;           ///< [6 n_joint x (1 + n_free)] those of the inertia, then of each
    double* normal;             ///< [n_free x n_free]
    double* z;                  ///< [n_free]
    pkm_wrench* passed;         ///< [n_body]
    pkm_wrench* cut;            ///< [n_joint] what the rows of joints that close loops give
};

static int count_free(const pkm_system* system)
{
    int count = 0;
    for (int i = 0; i < system->n_row; ++i)
        count += !pkm_sparse_lu_uses_row(system->lu, i);
    return count;
}

pkm_reactions* pkm_reactions_create(const pkm_state* state)
{
    return pkm_reactions_create_for(state, PKM_GIVEN_DRIVES);
}

pkm_reactions* pkm_reactions_create_for(const pkm_state* state, pkm_given given)
{
    const pkm_system* system = &state->system[given];
    pkm_reactions* work = pkm_alloc(1, sizeof *work);
    if (!work) return NULL;
    work->given = given;
    work->n_joint = state->mech->n_joint;
    work->n_row = system->n_row;
    work->n_free = count_free(system);
    const size_t nf = (size_t)work->n_free, nr = (size_t)work->n_row;
    work->free_row = pkm_alloc(nf, sizeof(int));
    work->row_force = pkm_alloc((size_t)state->mech->n_v, sizeof(double));
    work->null = pkm_alloc(nr * nf, sizeof(double));
    // the first column r of (4.6), then N
    work->reaction = pkm_alloc((size_t)(PER_JOINT * work->n_joint) * (1 + nf), sizeof(double));
    work->normal = pkm_alloc(nf * nf, sizeof(double));
    work->z = pkm_alloc(nf, sizeof(double));
    work->passed = pkm_alloc((size_t)state->mech->n_body, sizeof(pkm_wrench));
    work->cut = pkm_alloc((size_t)work->n_joint, sizeof(pkm_wrench));
    if (!work->free_row || !work->row_force || !work->null || !work->reaction || !work->normal ||
        !work->z || !work->passed || !work->cut) {
        pkm_reactions_free(work);
        return NULL;
    }
    return work;
}

void pkm_reactions_free(pkm_reactions* work)
{
    if (!work) return;
    pkm_free(work->free_row);
    pkm_free(work->row_force);
    pkm_free(work->null);
    pkm_free(work->reaction);
    pkm_free(work->normal);
    pkm_free(work->z);
    pkm_free(work->passed);
    pkm_free(work->cut);
    pkm_free(work);
}

/// Multipliers without forces from outside: 1 on a redundant row, and what the others must carry
/// against it, A' y = row'.
static void find_null(pkm_reactions* work, pkm_state* state)
{
    pkm_system* system = &state->system[work->given];
    const pkm_mechanism* mech = state->mech;
    int k = 0;
    for (int i = 0; i < system->n_row && k < work->n_free; ++i) {
        if (pkm_sparse_lu_uses_row(system->lu, i)) continue;
        const pkm_row* row = &mech->row[system->row[i]];
        memset(work->row_force, 0, (size_t)mech->n_v * sizeof(double));
        for (int e = 0; e < row->n_a + row->n_b; ++e)
            work->row_force[mech->column[row->at + e]] += state->jacobian[row->at + e];
        double* null = work->null + (size_t)k * (size_t)work->n_row;
        pkm_sparse_lu_solve_transposed(system->lu, work->row_force, null);
        for (int r = 0; r < work->n_row; ++r)
            null[r] = -null[r];
        null[i] = 1.0;
        work->free_row[k++] = system->row[i];
    }
}

/// Write the wrench `f` on body b of joint j at the origin of frame b, in the axes of frame a; the
/// moment over the robot's size, so that the least squares compare like with like.
static void put_reaction(const pkm_state* state, int j, pkm_wrench f, double* out)
{
    const pkm_joint* joint = &state->mech->joint[j];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_vec3 at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    const pkm_mat3 axes = pkm_mat3_matmul(a->R, joint->axes_a);
    const pkm_vec3 force = pkm_mat3_tmul(axes, f.force);
    const pkm_vec3 moment = pkm_vec3_sub(f.moment, pkm_vec3_cross(at, f.force));
    const pkm_vec3 scaled = pkm_vec3_scale(1.0 / state->mech->size, pkm_mat3_tmul(axes, moment));
    const double value[PER_JOINT] = {force.x, force.y, force.z, scaled.x, scaled.y, scaled.z};
    memcpy(out + PER_JOINT * j, value, sizeof value);
}

/// Reactions of all joints (4.5) from multipliers `x` of (4.3) and, when `inertia`, what the bodies
/// need.
static void collect(pkm_reactions* work, const pkm_state* state, const double* x, bool inertia,
                    double* out)
{
    const pkm_mechanism* mech = state->mech;
    const pkm_system* system = &state->system[work->given];
    const pkm_wrench none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    memset(out, 0, (size_t)(PER_JOINT * work->n_joint) * sizeof(double));
    for (int i = 0; i < mech->n_body; ++i)
        work->passed[i] = none;

    for (int j = 0; j < mech->n_joint; ++j)
        work->cut[j] = none;
    for (int i = 0; i < system->n_row; ++i) {
        const pkm_row* row = &mech->row[system->row[i]];
        // rows of closures and of driven rods are joints, locks and tool are not; what drives do in
        // joints of the tree is not asked
        const int j = row->kind == PKM_ROW_CLOSURE ? row->item
                      : row->kind == PKM_ROW_DRIVE ? mech->drive[row->item].joint
                                                   : PKM_NONE;
        if (j != PKM_NONE)
            work->cut[j] = pkm_wrench_axpy(work->cut[j], x[i], state->wrench[system->row[i]]);
    }
    // cut joints push on both sides; what they give, the tree need not
    for (int j = 0; j < mech->n_joint; ++j) {
        if (mech->joint[j].tree_body != PKM_NONE) continue;
        const pkm_wrench f = work->cut[j];
        put_reaction(state, j, f, out);
        pkm_wrench* b = &work->passed[mech->joint[j].body_b];
        pkm_wrench* a = &work->passed[mech->joint[j].body_a];
        *b = pkm_wrench_axpy(*b, -1.0, f);
        *a = pkm_wrench_add(*a, f);
    }
    // tree joints carry what their subtree needs, less what cut joints give it (4.5)
    for (int i = mech->n_body - 1; i > 0; --i) {
        const pkm_body* body = &mech->body[i];
        pkm_wrench* parent = &work->passed[body->parent];
        *parent = pkm_wrench_add(*parent, work->passed[i]);
        if (body->joint == PKM_NONE) continue;
        pkm_wrench f =
            inertia ? pkm_wrench_add(state->body[i].f, work->passed[i]) : work->passed[i];
        if (body->reversed) f = pkm_wrench_axpy(none, -1.0, f); // on b, not on the child
        put_reaction(state, body->joint, f, out);
    }
}

/// Least squares for the free multipliers (4.6): (N'N) z = -N' r by Cholesky; N has full column
/// rank, since each column has a 1 that the others lack.
static void balance(pkm_reactions* work)
{
    const int n = work->n_free, size = PER_JOINT * work->n_joint;
    double *M = work->normal, *z = work->z, *r = work->reaction;
    for (int i = 0; i < n; ++i) {
        const double* column = r + (size_t)size * (size_t)(1 + i);
        z[i] = -pkm_dot(column, r, size);
        for (int j = 0; j <= i; ++j) {
            double sum = pkm_dot(column, r + (size_t)size * (size_t)(1 + j), size);
            for (int k = 0; k < j; ++k)
                sum -= M[i * n + k] * M[j * n + k];
            M[i * n + j] = i == j ? sqrt(sum) : sum / M[j * n + j];
        }
    }
    // L L' z = -N' r, forward and backward
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            z[i] -= M[i * n + k] * z[k];
        z[i] /= M[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            z[i] -= M[k * n + i] * z[k];
        z[i] /= M[i * n + i];
    }
    // r + N z: the reactions with the least squares
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < size; ++i)
            r[i] += z[k] * r[(size_t)size * (size_t)(1 + k) + (size_t)i];
}

static bool is_unique(const pkm_reactions* work, int j)
{
    const int size = PER_JOINT * work->n_joint;
    for (int k = 0; k < work->n_free; ++k) {
        const double* column = work->reaction + (size_t)size * (size_t)(1 + k) + PER_JOINT * j;
        if (pkm_dot(column, column, PER_JOINT) > 1e-16) return false; // against 1 on the free row
    }
    return true;
}

/// Out of the form of put_reaction.
static void read_reactions(const pkm_state* state, int n_joint, const double* r, pkm_reaction* out)
{
    const double length = state->mech->size;
    for (int j = 0; j < n_joint; ++j, r += PER_JOINT) {
        out[j].force = (pkm_vec3){r[0], r[1], r[2]};
        out[j].moment = (pkm_vec3){length * r[3], length * r[4], length * r[5]};
    }
}

void pkm_reactions_find_self_stress(pkm_reactions* work, pkm_state* state)
{
    const size_t size = (size_t)(PER_JOINT * work->n_joint);
    find_null(work, state);
    for (int k = 0; k < work->n_free; ++k)
        collect(work, state, work->null + (size_t)k * (size_t)work->n_row, false,
                work->reaction + size * (size_t)(1 + k));
}

void pkm_reactions_solve(pkm_reactions* work, pkm_state* state, pkm_reaction* out, bool* unique)
{
    const pkm_system* system = &state->system[work->given];
    collect(work, state, system->multiplier, true, work->reaction);
    if (work->n_free > 0) {
        pkm_reactions_find_self_stress(work, state);
        balance(work);
    }
    read_reactions(state, work->n_joint, work->reaction, out);
    for (int j = 0; unique && j < work->n_joint; ++j)
        unique[j] = is_unique(work, j);
}

int pkm_reactions_n_free(const pkm_reactions* work)
{
    return work->n_free;
}

int pkm_reactions_self_stress(const pkm_reactions* work, const pkm_state* state, int k,
                              pkm_reaction* out)
{
    const size_t size = (size_t)(PER_JOINT * work->n_joint);
    read_reactions(state, work->n_joint, work->reaction + size * (size_t)(1 + k), out);
    return work->free_row[k];
}
