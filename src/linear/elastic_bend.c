// Flexible links in the static state: what bending takes from their length presses or pulls them
// where both ends are held, docs/theory/modes.md, section 5.
#include "base/error.h"
#include "linear/elastic_model.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

// ---- turns ------------------------------------------------------------------------------------

/// The two frames that are farthest apart, joints before markers; false: there is no second place.
static bool far_frames(const elastic_part* part, bool joints_only, const elastic_frame* pair[2])
{
    double most = 0.0;
    for (int i = 0; i < part->n_frame; ++i)
        for (int j = 0; j < i; ++j) {
            const elastic_frame *a = &part->frame[j], *b = &part->frame[i];
            const double length = pkm_vec3_norm(pkm_vec3_sub(b->at, a->at));
            if (joints_only && (a->joint == PKM_NONE || b->joint == PKM_NONE)) continue;
            if (!(length > most)) continue;
            most = length;
            pair[0] = a;
            pair[1] = b;
        }
    return most > 0.0;
}

/// Turn k about the axis w across the line: as a motion, and how any motion has it (the ends'
/// displacement across the line over its length).
static void set_turn(elastic_part* part, const elastic_frame* pair[2], pkm_vec3 w, int k)
{
    const pkm_vec3 line = pkm_vec3_sub(pair[1]->at, pair[0]->at);
    const pkm_vec3 across = pkm_vec3_scale(1.0 / pkm_vec3_dot(line, line), pkm_vec3_cross(w, line));
    double* chord = part->chord + k * part->n;
    elastic_spin(part, w, pair[0]->at, part->turn + k * part->n);
    for (int i = 0; i < part->n; ++i) {
        const double *a = pair[0]->map + 6 * i, *b = pair[1]->map + 6 * i;
        chord[i] = across.x * (b[0] - a[0]) + across.y * (b[1] - a[1]) + across.z * (b[2] - a[2]);
    }
}

pkm_status elastic_bend_prepare(pkm_elastic* e, elastic_part* part, pkm_error* err)
{
    const elastic_frame* pair[2];
    const size_t n = (size_t)part->n;
    part->turn = pkm_arena_alloc(e->arena, 4 * n, sizeof(double));
    part->coupling = pkm_arena_alloc(e->arena, n * n, sizeof(double));
    if (!part->turn || !part->coupling) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    part->chord = part->turn + 2 * n;
    if (!far_frames(part, true, pair) && !far_frames(part, false, pair)) return PKM_OK;
    const pkm_vec3 line = pkm_vec3_sub(pair[1]->at, pair[0]->at);
    const pkm_vec3 x = pkm_vec3_scale(1.0 / pkm_vec3_norm(line), line);
    const pkm_vec3 y = pkm_vec3_perpendicular(x);
    set_turn(part, pair, y, 0);
    set_turn(part, pair, pkm_vec3_cross(x, y), 1);
    return PKM_OK;
}

// ---- one link ---------------------------------------------------------------------------------

/// A [n x n] := P' A P without the turns, P = 1 - sum turn chord'.
static void project(const elastic_part* part, double* A, double* work)
{
    const int n = part->n;
    for (int k = 0; k < 2; ++k) {
        const double *turn = part->turn + k * n, *chord = part->chord + k * n;
        pkm_dgemv('N', n, n, 1.0, A, n, turn, 1, 0.0, work, 1);
        // rank one on each side: A - (A t) c' - c (A t)' + (t'A t) c c'
        const double c = pkm_ddot(n, turn, 1, work, 1);
        pkm_dger(n, n, -1.0, work, 1, chord, 1, A, n);
        pkm_dger(n, n, -1.0, chord, 1, work, 1, A, n);
        pkm_dger(n, n, c, chord, 1, chord, 1, A, n);
    }
}

/// B [n x n of the part] = X' A X of the mesh; A and work have room for two meshes squared.
static void to_part(const elastic_part* part, const double* A, double* work, double* B)
{
    const int n = part->n_mesh;
    if (!part->X) {
        memcpy(B, A, (size_t)n * (size_t)n * sizeof *B);
        return;
    }
    pkm_dsymm('L', 'L', n, part->n, 1.0, A, n, part->X, n, 0.0, work, n);
    pkm_dgemm('T', 'N', part->n, part->n, n, 1.0, part->X, n, work, n, 0.0, B, part->n);
}

/// Deflections of the mesh from the line between its joints, in mesh_q.
static void deflections(pkm_elastic* e, int p)
{
    const elastic_part* part = &e->part[p];
    double* x = e->work_x + part->at;
    memcpy(x, e->static_x + part->at, (size_t)part->n * sizeof *x);
    for (int k = 0; k < 2; ++k) {
        const double turn =
            pkm_ddot(part->n, part->chord + k * part->n, 1, e->static_x + part->at, 1);
        pkm_daxpy(part->n, -turn, part->turn + k * part->n, 1, x, 1);
    }
    pkm_elastic_part_mesh(e, p, e->work_x, e->mesh_q);
}

/// part->G = K_c, in mesh_f the axial forces, and work_f less the forces of shortening. Links that
/// are linear by choice have their linear axial forces only.
static void bend(pkm_elastic* e, int p)
{
    elastic_part* part = &e->part[p];
    const pkm_beam_mesh* mesh = part->link->mesh;
    const size_t n = (size_t)part->n_mesh;
    double *f = e->mesh_q + n, *work = e->mesh_K + n * n;
    if (part->spec->without_stiffening) {
        pkm_elastic_part_mesh(e, p, e->static_x, e->mesh_q);
        pkm_beam_mesh_axial_forces(mesh, e->mesh_q, e->mesh_f);
        memset(part->G, 0, (size_t)part->n * (size_t)part->n * sizeof *part->G);
        return;
    }
    deflections(e, p);
    pkm_beam_mesh_shortening(mesh, e->mesh_q, e->mesh_f, e->mesh_K, f, f + n);
    to_part(part, e->mesh_K, work, part->G);
    project(part, part->G, work);
    double* fx = e->work_x + part->at;
    if (part->X)
        pkm_dgemv('T', part->n_mesh, part->n, 1.0, part->X, part->n_mesh, f, 1, 0.0, fx, 1);
    else
        memcpy(fx, f, n * sizeof *fx);
    for (int k = 0; k < 2; ++k) {
        const double c = pkm_ddot(part->n, part->turn + k * part->n, 1, fx, 1);
        pkm_daxpy(part->n, -c, part->chord + k * part->n, 1, fx, 1);
    }
    pkm_daxpy(part->n, -1.0, fx, 1, e->work_f + part->at, 1);
}

/// part->G += K_N of the axial forces in mesh_f; of deflections from the line alone for the static
/// state, in which bodies turn linearly.
static void add_axial(pkm_elastic* e, int p, bool is_static)
{
    elastic_part* part = &e->part[p];
    const size_t n = (size_t)part->n_mesh, nn = (size_t)part->n * (size_t)part->n;
    double *K_N = e->mesh_K + n * n, *work = e->mesh_K + 2 * n * n;
    pkm_beam_mesh_geometric(part->link->mesh, e->mesh_f, K_N);
    to_part(part, K_N, work, e->mesh_K);
    if (is_static) project(part, e->mesh_K, work);
    pkm_daxpy((int)nn, 1.0, e->mesh_K, 1, part->G, 1);
}

// ---- statics ----------------------------------------------------------------------------------

/// work_f = load f - K x less what bending adds, and part->G its tangent.
static void residual(pkm_elastic* e, double load)
{
    for (int i = 0; i < e->n_all; ++i)
        e->work_f[i] = load * e->static_f[i];
    for (int p = 0; p < e->n_part; ++p) {
        const elastic_part* part = &e->part[p];
        if (part->K)
            pkm_dsymv('L', part->n, -1.0, part->K, part->n, e->static_x + part->at, 1, 1.0,
                      e->work_f + part->at, 1);
        if (!part->link) continue;
        bend(e, p);
        if (!part->spec->without_stiffening) add_axial(e, p, true);
    }
    for (int s = 0; s < e->n_spring; ++s)
        elastic_row_add(e, &e->spring[s].row,
                        -e->spring[s].stiffness *
                            elastic_row_dot(e, &e->spring[s].row, e->static_x),
                        e->work_f);
}

/// The step that the present K asks for; its energy [J].
static pkm_status move(pkm_elastic* e, double* energy, pkm_error* err)
{
    PKM_TRY(pkm_elastic_solve(e, e->work_f, e->work_x, err));
    *energy = fabs(pkm_ddot(e->n_all, e->work_f, 1, e->work_x, 1));
    pkm_daxpy(e->n_all, 1.0, e->work_x, 1, e->static_x, 1);
    return PKM_OK;
}

/// A step of Newton's method, where its matrix is not positive one with the linear stiffness. K is
/// linear before and after.
static pkm_status step(pkm_elastic* e, double* energy, pkm_error* err)
{
    pkm_error unused = {0};
    elastic_reduce(e);
    elastic_add_geometry(e);
    const pkm_status status = move(e, energy, &unused);
    elastic_reduce(e); // takes work_x
    return status == PKM_OK ? PKM_OK : move(e, energy, err);
}

/// Newton's method from static_x on under `load` times the forces; true: it has converged.
static bool settle(pkm_elastic* e, double load, double whole)
{
    enum { MOST_STEPS = 40 };
    static const double ENOUGH = 1e-20; // of the energy: 1e-10 of the displacements
    static const double FLOOR = 1e-14;  // below which rounding may end its fall
    pkm_error unused = {0};
    double energy = INFINITY;
    for (int k = 0; k < MOST_STEPS; ++k) {
        const double last = energy;
        residual(e, load);
        const pkm_status status =
            k == 0 && e->is_factored ? move(e, &energy, &unused) : step(e, &energy, &unused);
        if (status != PKM_OK || !isfinite(energy)) return false;
        if (energy <= ENOUGH * whole || (energy <= FLOOR * whole && energy >= last)) return true;
    }
    return false;
}

pkm_status elastic_bend_statically(pkm_elastic* e, pkm_error* err)
{
    enum { LOADS = 16 };
    const double whole = pkm_ddot(e->n_all, e->static_f, 1, e->static_x, 1);
    bool is_settled = settle(e, 1.0, whole);
    if (!is_settled) { // far from the linear state: by degrees
        memset(e->static_x, 0, (size_t)e->n_all * sizeof *e->static_x);
        is_settled = true;
        for (int k = 1; k <= LOADS && is_settled; ++k)
            is_settled = settle(e, (double)k / LOADS, whole);
    }
    residual(e, 1.0);
    if (is_settled) return PKM_OK;
    return pkm_fail(err, PKM_ERR_CONVERGENCE,
                    "%s: no static state: under weight and loads links bend beyond what a model of "
                    "small deflections knows",
                    e->robot->desc->name);
}

/// Mean axial forces N in `force` [3 per element] become N + rise (xi - 1/2), flexible.md (3.9).
static void raise(const pkm_flexible_link* link, double* force)
{
    const int n = pkm_beam_mesh_elements(link->mesh);
    for (int k = 0; k < n; ++k)
        force[3 * k + 2] = force[3 * k];
    for (int k = 0; k < n; ++k) {
        const pkm_flexible_rise r = pkm_flexible_rise_of(link, k);
        force[3 * k + 1] = r.part * (force[3 * r.behind + 2] - force[3 * r.before + 2]);
        force[3 * k] -= 0.5 * force[3 * k + 1];
    }
    for (int k = 0; k < n; ++k)
        force[3 * k + 2] = 0.0;
}

void elastic_bend_stiffness(pkm_elastic* e)
{
    for (int p = 0; p < e->n_part; ++p) {
        const elastic_part* part = &e->part[p];
        if (!part->link) continue;
        const pkm_beam_mesh* mesh = part->link->mesh;
        bend(e, p);
        memcpy(part->coupling, part->G, (size_t)part->n * (size_t)part->n * sizeof *part->G);
        raise(part->link, e->mesh_f);
        add_axial(e, p, false);
        for (int k = 0; k < pkm_beam_mesh_elements(mesh); ++k)
            e->compression =
                fmax(e->compression,
                     -(e->mesh_f[3 * k] + fmin(0.0, e->mesh_f[3 * k + 1])) / part->euler);
        pkm_elastic_part_mesh(e, p, e->static_x, e->mesh_q);
        for (int i = 0; i < pkm_beam_mesh_nodes(mesh); ++i) {
            pkm_vec3 d, r;
            pkm_beam_mesh_node_motion(mesh, e->mesh_q, i, &d, &r);
            e->rotation = fmax(e->rotation, pkm_vec3_norm(r));
        }
    }
}
