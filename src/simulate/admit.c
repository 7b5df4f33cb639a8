// The start of a run with clearance where offsets are given: journals are led there by the shortest
// motion of all free bodies, drives and loops held. docs/theory/contact.md, section 4, start.
#include "base/error.h"
#include "math/lapack.h"
#include "simulate/simulation_impl.h"

#include <string.h>

enum { MAX_ROUND = 60 };

/// Offsets are where they should be within this [m].
static const double AIM = 1e-12;
/// Step of the differences [m, rad]: offsets are nearly linear in small motions.
static const double DIFFERENCE = 1e-6;
/// Links bend only where nothing else leads to the offsets: their coordinates count this little.
static const double BENDING = 1e-4;

/// Where journals are to start, and the work of leading them there.
typedef struct lead {
    pkm_sim* s;
    int n_pair, n_v, n_row; ///< rows: three for each pair, then the constraints
    pkm_vec3* aim;          ///< [n_pair]
    double* offset;         ///< [3 n_pair] now
    double* rows;           ///< [n_row x n_v] d offset / d motion, constraints
    double* step;           ///< [max(n_row, n_v)]
    double* weight;         ///< [n_v] of the motions
    double* value;          ///< [n_pair or n_v] singular values
    double* q;              ///< [n_q] saved
} lead;

static void release(lead* l)
{
    pkm_free(l->aim);
    pkm_free(l->offset);
    pkm_free(l->rows);
    pkm_free(l->step);
    pkm_free(l->weight);
    pkm_free(l->value);
    pkm_free(l->q);
}

static pkm_status allocate(lead* l)
{
    const size_t m = (size_t)l->n_row, n = (size_t)l->n_v, most = m > n ? m : n;
    l->aim = pkm_alloc((size_t)l->n_pair, sizeof *l->aim);
    l->offset = pkm_alloc(3 * (size_t)l->n_pair, sizeof(double));
    l->weight = pkm_alloc(n, sizeof(double));
    l->rows = pkm_alloc(m * n, sizeof(double));
    l->step = pkm_alloc(most, sizeof(double));
    l->value = pkm_alloc(most, sizeof(double));
    l->q = pkm_alloc((size_t)l->s->n_q, sizeof(double));
    const bool ok = l->aim && l->offset && l->rows && l->step && l->weight && l->value && l->q;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

static void read_offsets(const lead* l, double* out)
{
    pkm_plant_find_contacts(l->s->plant, l->s->y + l->s->n_q + l->s->n_v);
    for (int p = 0; p < l->n_pair; ++p) {
        const pkm_vec3 x = pkm_contact_offset(pkm_plant_pair(l->s->plant, p));
        out[3 * p] = x.x, out[3 * p + 1] = x.y, out[3 * p + 2] = x.z;
    }
}

/// Is velocity v that of a prescribed drive, which stays?
static bool is_held(const pkm_sim* s, int v)
{
    const bool* prescribed = pkm_actuator_prescribed(s->actuator);
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        if (prescribed[d] && s->robot->mech->drive[d].v_index == v) return true;
    return false;
}

/// How much the motions count: held drives stay, links bend as a last resort.
static void weigh(lead* l)
{
    const pkm_mechanism* mech = l->s->robot->mech;
    for (int v = 0; v < l->n_v; ++v)
        l->weight[v] = is_held(l->s, v) ? 0.0 : 1.0;
    for (int i = 1; i < mech->n_body; ++i)
        for (int k = 0; mech->body[i].modal && k < mech->body[i].modal->n_mode; ++k)
            l->weight[mech->body[i].e_at + k] = BENDING;
}

/// The constraints follow the offsets in the columns: no step leaves them.
static void put_constraints(lead* l)
{
    const int from = 3 * l->n_pair;
    for (int i = from; i < l->n_row; ++i) {
        double* row = l->step;
        memset(row, 0, (size_t)l->n_v * sizeof(double));
        memset(l->value, 0, (size_t)l->n_row * sizeof(double));
        l->value[i - from] = 1.0;
        pkm_plant_add_constraints(l->s->plant, l->value, row);
        for (int v = 0; v < l->n_v; ++v)
            l->rows[(size_t)v * (size_t)l->n_row + (size_t)i] = l->weight[v] * row[v];
    }
}

/// Derivatives of the offsets by differences, times the weights.
static void differentiate(lead* l)
{
    const size_t m = 3 * (size_t)l->n_pair, stride = (size_t)l->n_row;
    pkm_state* state = l->s->robot->state;
    memcpy(l->q, state->q, (size_t)l->s->n_q * sizeof(double));
    for (int v = 0; v < l->n_v; ++v) {
        double* column = l->rows + (size_t)v * stride;
        memset(column, 0, stride * sizeof(double));
        if (l->weight[v] == 0.0) continue;
        memset(l->step, 0, (size_t)l->n_v * sizeof(double));
        l->step[v] = DIFFERENCE;
        pkm_state_move(l->s->robot->mech, state->q, l->step);
        read_offsets(l, column);
        for (size_t i = 0; i < m; ++i)
            column[i] = l->weight[v] * (column[i] - l->offset[i]) / DIFFERENCE;
        memcpy(state->q, l->q, (size_t)l->s->n_q * sizeof(double));
    }
}

/// The shortest motion that leads all offsets towards their aims, back on the loops.
static pkm_status move(lead* l, double* farthest)
{
    const int m = l->n_row, n = l->n_v;
    const int most = m > n ? m : n;
    int rank;
    read_offsets(l, l->offset);
    differentiate(l);
    put_constraints(l);
    memset(l->step, 0, (size_t)most * sizeof(double));
    *farthest = 0.0;
    for (int p = 0; p < l->n_pair; ++p) {
        const double x[3] = {l->aim[p].x, l->aim[p].y, l->aim[p].z};
        for (int i = 0; i < 3; ++i) {
            l->step[3 * p + i] = x[i] - l->offset[3 * p + i];
            *farthest = fmax(*farthest, fabs(l->step[3 * p + i]));
        }
    }
    if (*farthest <= AIM) return PKM_OK;
    PKM_TRY(pkm_lapack_status(pkm_dgelsd(m, n, 1, l->rows, m, l->step, most, l->value, 1e-9, &rank),
                              PKM_ERR_CONVERGENCE));
    for (int v = 0; v < n; ++v)
        l->step[v] *= l->weight[v];
    pkm_state_move(l->s->robot->mech, l->s->robot->state->q, l->step);
    return pkm_plant_project(l->s->plant, 0.0);
}

/// Aims that no journal can be at are moved into the clearance; counts them.
static void admit_aims(lead* l, pkm_contact_record* record)
{
    for (int p = 0; p < l->n_pair; ++p) {
        const pkm_contact_pair* pair = pkm_plant_pair(l->s->plant, p);
        pkm_clearance_motion motion = {.p = l->aim[p], .R = pkm_mat3_identity()};
        const double moved = pkm_clearance_admit(&pair->clearance, pair->type, &motion);
        l->aim[p] = motion.p;
        if (!(moved > 0.0)) continue;
        ++record->n_moved;
        if (moved > record->moved) record->moved = moved, record->most_moved = p;
    }
}

/// Does any surface penetrate?
static bool is_inside(const lead* l)
{
    pkm_plant_find_contacts(l->s->plant, l->s->y + l->s->n_q + l->s->n_v);
    for (int p = 0; p < l->n_pair; ++p) {
        const pkm_clearance_force* f = &pkm_plant_pair(l->s->plant, p)->force;
        for (int i = 0; i < f->n_contact; ++i)
            if (f->contact[i].gap < -10.0 * AIM) return false;
    }
    return true;
}

/// Aims that cannot all be met: what is outside goes for its nearest place inside, a little deeper
/// every time.
static void aim_inside(lead* l)
{
    for (int p = 0; p < l->n_pair; ++p) {
        const pkm_contact_pair* pair = pkm_plant_pair(l->s->plant, p);
        pkm_clearance_motion motion = {.p = pkm_contact_offset(pair), .R = pkm_mat3_identity()};
        const bool outside = pkm_clearance_admit(&pair->clearance, pair->type, &motion) > 0.0;
        l->aim[p] = outside ? pkm_vec3_scale(0.999, motion.p) : motion.p;
    }
}

static pkm_status go(lead* l, pkm_error* err)
{
    double farthest = HUGE_VAL, before = HUGE_VAL;
    for (int round = 0; round < MAX_ROUND; ++round) {
        const pkm_status status = move(l, &farthest);
        if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
        if (status != PKM_OK) break;
        if (farthest <= AIM || (farthest > 0.9 * before && round > 2)) {
            if (is_inside(l)) return PKM_OK;
            aim_inside(l);
        }
        before = farthest;
    }
    return pkm_fail(err, PKM_ERR_CONVERGENCE,
                    "clearance: no start was found with all journals inside their bearings; try "
                    "another `start`");
}

/// Joints whose start is given aim for it, the others for where they are.
static bool set_aims(lead* l)
{
    const pkm_effects* effects = l->s->settings->effects;
    bool any = !is_inside(l);
    for (int p = 0; p < l->n_pair; ++p) {
        const pkm_contact_pair* pair = pkm_plant_pair(l->s->plant, p);
        l->aim[p] = pkm_contact_offset(pair);
        for (int k = 0; k < effects->n_clearance; ++k) {
            const pkm_clearance* c = &effects->clearance[k].clearance;
            if (effects->clearance[k].joint != pair->joint || c->start_from != PKM_START_GIVEN)
                continue;
            l->aim[p] = c->start;
            any = true;
        }
    }
    return any;
}

pkm_status pkm_sim_admit_start(pkm_sim* s, pkm_contact_record* record, pkm_error* err)
{
    lead l = {.s = s, .n_pair = pkm_plant_n_pair(s->plant), .n_v = s->n_v};
    l.n_row = 3 * l.n_pair + pkm_plant_n_constraint(s->plant);
    pkm_status status = allocate(&l);
    if (status != PKM_OK) pkm_fail(err, status, "out of memory");
    if (status == PKM_OK && set_aims(&l)) {
        weigh(&l);
        admit_aims(&l, record);
        status = go(&l, err);
    }
    release(&l);
    return status;
}
