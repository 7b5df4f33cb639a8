// The linear model of a robot at a pose: memory, placing, loads and static solutions. Parts
// (elastic_part.c) bring K and M in body axes, joints rows (elastic_row.c), elimination leaves
// independent coordinates (elastic_reduce.c), static forces change the stiffness
// (elastic_geometry.c, elastic_bend.c). Used by modes, stiffness and elastodynamics. Equations:
// docs/theory/modes.md, sections 1 to 5.
#include "linear/elastic.h"
#include "math/lapack.h"

#include "base/error.h"
#include "linear/elastic_model.h"

#include <math.h>
#include <string.h>

// ---- creation ---------------------------------------------------------------------------------

static pkm_status check_settings(const pkm_robot* robot, const pkm_elastic_settings* s,
                                 pkm_error* err)
{
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const pkm_elastic_drive* drive = &s->drive[d];
        if (drive->hold != PKM_ELASTIC_SPRING) continue;
        if (!(drive->stiffness > 0.0) || !(drive->damping >= 0.0) || isinf(drive->stiffness))
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "drive %s: stiffness %g and damping %g, expected > 0 and >= 0",
                            robot->mech->drive[d].name, drive->stiffness, drive->damping);
    }
    return PKM_OK;
}

/// At most one for each drive and six components for each bushing.
static int count_springs(const pkm_elastic* e)
{
    const pkm_effects* effects = e->settings.effects;
    // drives that yield and every component of a bushing are springs of this model
    return e->mech->n_drive + (effects ? 6 * effects->n_element : 0);
}

/// Work memory, once the parts are known.
/// Sizes: n coordinates of all parts, m rows; of the largest part, mesh and number of elements.
static bool make_room(pkm_elastic* e)
{
    size_t mesh = 1, elements = 1, part = 1;
    const size_t n = (size_t)e->n_all;
    for (int p = 0; p < e->n_part; ++p) {
        if ((size_t)e->part[p].n > part) part = (size_t)e->part[p].n;
        if (!e->part[p].link) continue;
        const size_t k = (size_t)pkm_beam_mesh_elements(e->part[p].link->mesh);
        if ((size_t)e->part[p].n_mesh > mesh) mesh = (size_t)e->part[p].n_mesh;
        if (k > elements) elements = k;
    }
    // rows of joints, locked drives and idle spins at most
    e->n_row_max = elastic_rows_most(e);
    e->n_spring_max = count_springs(e);
    const size_t m = (size_t)e->n_row_max + 1;
    const struct {
        double** to;
        size_t count;
    } piece[] = {{&e->A, m * n},
                 {&e->D, m * n},
                 {&e->K, n * n},
                 {&e->M, n * n},
                 {&e->L, n * n},
                 {&e->local_T, part * n},
                 {&e->local_A, part * n},
                 {&e->local_B, n * n},
                 {&e->lead, m},
                 {&e->static_x, n},
                 {&e->static_f, n},
                 {&e->work_x, n},
                 {&e->work_y, n},
                 {&e->work_f, n},
                 {&e->lambda, n + m},
                 {&e->normal, n * m},
                 {&e->mesh_q, 4 * mesh},
                 {&e->mesh_f, 3 * elements},
                 {&e->mesh_K, 3 * mesh * mesh},
                 {&e->frame_J, 12 * n},
                 {&e->frame_HJ, 12 * n}};
    bool is_there = true;
    for (size_t k = 0; k < sizeof piece / sizeof piece[0]; ++k) {
        *piece[k].to = pkm_arena_alloc(e->arena, piece[k].count, sizeof(double));
        is_there = is_there && *piece[k].to;
    }
    e->row = pkm_arena_alloc(e->arena, m, sizeof *e->row);
    e->spring = pkm_arena_alloc(e->arena, (size_t)e->n_spring_max + 1, sizeof *e->spring);
    e->idle = pkm_arena_alloc(e->arena, (size_t)e->mech->n_spin + 1, sizeof *e->idle);
    e->index = pkm_arena_alloc(e->arena, 4 * n + 2 * m, sizeof *e->index);
    if (!e->row || !e->spring || !e->idle || !e->index) return false;
    e->free = e->index + n;
    e->touched = e->free + n;
    e->filled = e->touched + n;
    e->dependent = e->filled + n;
    e->pivot = e->dependent + m;
    return is_there;
}

/// Payloads sit on their bodies all the time: those that come and go are refused (run/takes.h).
static pkm_status take_masses(pkm_elastic* e, pkm_error* err)
{
    e->mass = pkm_arena_alloc(e->arena, (size_t)e->mech->n_body, sizeof *e->mass);
    if (!e->mass) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_effects_masses(e->settings.effects, 0.0, e->robot->state, e->mass);
    return PKM_OK;
}

pkm_status pkm_elastic_create(const pkm_robot* robot, const pkm_elastic_settings* settings,
                              pkm_elastic** out, pkm_error* err)
{
    *out = NULL;
    PKM_TRY(check_settings(robot, settings, err));
    pkm_elastic* e = pkm_alloc(1, sizeof *e);
    if (e) {
        *e = (pkm_elastic){.robot = robot, .mech = robot->mech, .settings = *settings};
        // [m/s2]; e->size [m] makes turns and shifts comparable
        e->gravity = robot->mech->gravity;
        e->size = robot->mech->size > 0.0 ? robot->mech->size : 1.0;
        e->arena = pkm_arena_create();
    }
    pkm_status status = PKM_OK;
    if (!e || !e->arena) status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = take_masses(e, err);
    if (status == PKM_OK) status = elastic_parts_create(e, err);
    if (status == PKM_OK && !make_room(e)) status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK)
        *out = e;
    else
        pkm_elastic_free(e);
    return status;
}

void pkm_elastic_free(pkm_elastic* elastic)
{
    if (!elastic) return;
    elastic_parts_free(elastic);
    pkm_arena_free(elastic->arena);
    pkm_free(elastic);
}

// ---- placing ----------------------------------------------------------------------------------

/// Rows at this pose, x = T y with K_y = T' K T, M_y = T' M T (3.1), and with weight the terms
/// (5.2).
pkm_status pkm_elastic_place(pkm_elastic* e, const pkm_state* state, pkm_error* err)
{
    for (int p = 0; p < e->n_part; ++p) {
        const pkm_body_state* body = &state->body[e->part[p].body];
        e->part[p].R = body->R;
        e->part[p].p = body->p;
        // at rest: the terms of turning axes are those of elastodynamics
        e->part[p].v = e->part[p].a = e->part[p].w = e->part[p].turning = (pkm_vec3){0};
    }
    // of a static state that is found again
    e->rotation = e->compression = 0.0;
    elastic_rows_make(e, state);
    elastic_eliminate(e);
    if (e->n == 0)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: nothing can move: all bodies are rigid and the drives locked; make "
                        "links flexible or drives elastic",
                        e->robot->desc->name);
    elastic_reduce(e);
    if (e->settings.is_weighted) return elastic_prestress(e, state, err);
    // without the static state no spring may bear a force (section 5)
    elastic_spring_forces(e, state);
    return elastic_require_rest(e, "at this pose", "weight", err);
}

/// The same bodies on a rigid motion: poses with velocities and accelerations, for elastodynamics.
void pkm_elastic_move(pkm_elastic* e, const pkm_state* state)
{
    for (int p = 0; p < e->n_part; ++p) {
        elastic_part* part = &e->part[p];
        const pkm_body_state* body = &state->body[part->body];
        part->R = body->R;
        part->p = body->p;
        part->v = pkm_twist_at(body->V, body->p);
        part->a = pkm_twist_acceleration(body->V, body->A, body->p);
        part->w = body->V.ang;
        // R, w and w' in world axes, as in the engine
        part->turning = body->A.ang;
    }
    elastic_rows_make(e, state);
}

const pkm_robot* pkm_elastic_robot(const pkm_elastic* e)
{
    return e->robot;
}

const pkm_elastic_settings* pkm_elastic_settings_of(const pkm_elastic* e)
{
    return &e->settings;
}

int pkm_elastic_size(const pkm_elastic* e)
{
    return e->n;
}

int pkm_elastic_most(const pkm_elastic* e)
{
    return e->n_all;
}

const double* pkm_elastic_stiffness(const pkm_elastic* e)
{
    return e->K;
}

const double* pkm_elastic_mass(const pkm_elastic* e)
{
    return e->M;
}

// ---- loads ------------------------------------------------------------------------------------

void pkm_elastic_marker_motion(const pkm_elastic* e, int marker, const double* x, pkm_vec3* d,
                               pkm_vec3* r)
{
    const int part = e->part_of[e->mech->marker[marker].body];
    const int frame = part == PKM_NONE ? PKM_NONE : elastic_frame_of_marker(&e->part[part], marker);
    elastic_frame_motion(e, part, frame, x, d, r);
}

void pkm_elastic_add_force(const pkm_elastic* e, int marker, pkm_vec3 force, pkm_vec3 torque,
                           double* fx)
{
    // the ground has no part: nothing moves there
    const int part = e->part_of[e->mech->marker[marker].body];
    const int frame = part == PKM_NONE ? PKM_NONE : elastic_frame_of_marker(&e->part[part], marker);
    elastic_frame_force(e, part, frame, force, torque, fx);
}

void pkm_elastic_add_drive(const pkm_elastic* e, int drive, double force, double* fx)
{
    const elastic_row row = elastic_drive_row(e, drive);
    elastic_row_add(e, &row, force, fx);
}

/// Weight of a flexible link: the load of its mesh, seen by its coordinates.
static void add_link_weight(const pkm_elastic* e, const elastic_part* part, pkm_vec3 g, double* fx)
{
    double* f = e->mesh_q;
    pkm_beam_mesh_weight(part->link->mesh, g, f);
    for (int k = 0; k < part->n; ++k) {
        if (!part->X) {
            fx[part->at + k] += f[k];
            continue;
        }
        // X' f
        const double* X = part->X + (size_t)k * (size_t)part->n_mesh;
        for (int i = 0; i < part->n_mesh; ++i)
            fx[part->at + k] += X[i] * f[i];
    }
}

/// M times the body moved along g.
static void add_outside_weight(const elastic_part* part, pkm_vec3 g, double* fx)
{
    // M x_g with the rigid motion x_g along g: what is inside takes its part of the weight
    const double all[3] = {g.x, g.y, g.z};
    for (int k = 0; k < 3; ++k)
        pkm_dsymv('L', part->n, all[k], part->M, part->n,
                  part->outside->rigid + (size_t)k * (size_t)part->n, 1, 1.0, fx + part->at, 1);
}

/// Meshes and imported bodies carry their mass where it is; a rigid body has its coordinates in its
/// centre of mass.
void pkm_elastic_add_weight(const pkm_elastic* e, double* fx)
{
    for (int p = 0; p < e->n_part; ++p) {
        const elastic_part* part = &e->part[p];
        const pkm_vec3 g = pkm_mat3_tmul(part->R, e->gravity);
        if (part->link) {
            add_link_weight(e, part, g, fx);
            continue;
        }
        if (part->outside) {
            add_outside_weight(part, g, fx);
            continue;
        }
        const double m = e->mass[part->body].mass, all[3] = {g.x, g.y, g.z};
        for (int k = 0; k < 3; ++k)
            fx[part->at + k] += m * all[k];
    }
}

// ---- statics ----------------------------------------------------------------------------------

/// K_y = L L', kept until the pose changes.
static pkm_status factor(pkm_elastic* e, pkm_error* err)
{
    if (e->is_factored) return PKM_OK;
    const size_t n = (size_t)e->n;
    memcpy(e->L, e->K, n * n * sizeof *e->L);
    bool is_held = pkm_dpotrf('L', e->n, e->L, e->n) == 0;
    // a pivot that is nothing but rounding is a motion without stiffness
    for (size_t i = 0; i < n && is_held; ++i)
        // pivots against the diagonal: entries of shifts, turns and modes have different units
        is_held = e->L[i * n + i] * e->L[i * n + i] > 1e-12 * e->K[i * n + i];
    if (!is_held)
        return pkm_fail(err, PKM_ERR_SINGULAR,
                        "%s: static forces meet no stiffness: lock the drives or give them one",
                        e->robot->desc->name);
    e->is_factored = true;
    return PKM_OK;
}

pkm_status pkm_elastic_solve(pkm_elastic* e, const double* fx, double* x, pkm_error* err)
{
    PKM_TRY(factor(e, err));
    // K_y y = T' f, x = T y
    pkm_elastic_restrict(e, fx, e->work_y);
    pkm_dpotrs('L', e->n, 1, e->L, e->n, e->work_y, e->n);
    pkm_elastic_expand(e, e->work_y, x);
    return PKM_OK;
}

// ---- what is in it ----------------------------------------------------------------------------

int pkm_elastic_parts(const pkm_elastic* e)
{
    return e->n_part;
}

const char* pkm_elastic_part_name(const pkm_elastic* e, int part)
{
    return e->part[part].name;
}

bool pkm_elastic_part_bends(const pkm_elastic* e, int part)
{
    return e->part[part].spec != NULL;
}

const pkm_flexible_link* pkm_elastic_part_link(const pkm_elastic* e, int part)
{
    return e->part[part].link;
}

pkm_pose pkm_elastic_part_pose(const pkm_elastic* e, int part)
{
    return (pkm_pose){e->part[part].p, pkm_quat_from_mat3(e->part[part].R)};
}

void pkm_elastic_part_mesh(const pkm_elastic* e, int part, const double* x, double* q)
{
    const elastic_part* p = &e->part[part];
    if (!p->X) {
        memcpy(q, x + p->at, (size_t)p->n * sizeof *q);
        return;
    }
    memset(q, 0, (size_t)p->n_mesh * sizeof *q);
    for (int k = 0; k < p->n; ++k)
        for (int i = 0; i < p->n_mesh; ++i)
            q[i] += p->X[(size_t)k * (size_t)p->n_mesh + (size_t)i] * x[p->at + k];
}

/// The frame nearest to `at` with a rigid arm.
static void outside_motion(const pkm_elastic* e, int part, const double* x, pkm_vec3 at,
                           pkm_vec3* d, pkm_vec3* r)
{
    const elastic_part* p = &e->part[part];
    int best = 0;
    for (int f = 1; f < p->n_frame; ++f)
        if (pkm_vec3_norm(pkm_vec3_sub(p->frame[f].at, at)) <
            pkm_vec3_norm(pkm_vec3_sub(p->frame[best].at, at)))
            best = f;
    elastic_frame_motion(e, part, best, x, d, r);
    const pkm_vec3 arm = pkm_mat3_mul(p->R, pkm_vec3_sub(at, p->frame[best].at));
    *d = pkm_vec3_add(*d, pkm_vec3_cross(*r, arm));
}

void pkm_elastic_part_motion(const pkm_elastic* e, int part, const double* x, pkm_vec3 at,
                             pkm_vec3* d, pkm_vec3* r)
{
    const elastic_part* p = &e->part[part];
    const double* c = x + p->at;
    if (p->outside) {
        outside_motion(e, part, x, at, d, r);
        return;
    }
    // rigid motion of the part; of a link about its origin
    const pkm_vec3 com = e->mass[p->body].com, w = {c[3], c[4], c[5]};
    const pkm_vec3 arm = pkm_vec3_sub(at, p->link ? (pkm_vec3){0} : com);
    *d = pkm_mat3_mul(p->R, pkm_vec3_add((pkm_vec3){c[0], c[1], c[2]}, pkm_vec3_cross(w, arm)));
    *r = pkm_mat3_mul(p->R, w);
}

void pkm_elastic_static_state(const pkm_elastic* e, double* rotation, double* compression)
{
    *rotation = e->rotation;
    *compression = e->compression;
}

int pkm_elastic_idle(const pkm_elastic* e)
{
    return e->n_idle;
}

const char* pkm_elastic_idle_name(const pkm_elastic* e, int i)
{
    return e->part[e->idle[i]].name;
}
