// Springs, bushings and elastic drives on a rigid motion, docs/theory/elastodynamics.md, (6.9).
#include "linear/ked_impl.h"
#include "math/lapack.h"

#include <string.h>

/// Side of a spring's row over y, and its rate.
static void add_spring_side(pkm_ked* ked, int p, int frame, const pkm_beam_jet1 c[6])
{
    if (p == PKM_NONE) return;
    const ked_part* part = &ked->part[p];
    const double* map = part->map + 6 * (size_t)part->n * (size_t)frame;
    for (int k = 0; k < part->n; ++k) {
        double g = 0.0, rate = 0.0;
        for (int d = 0; d < 6; ++d) {
            g += c[d].x * map[6 * k + d];
            rate += ked_bodies_turn(ked) ? c[d].v * map[6 * k + d] : 0.0;
        }
        // inner coordinates are their own y; those at joints follow from y by T, which moves too:
        // the rate of g'T is g''T + g'T'
        if (k >= part->n_b) {
            ked->spring[0][ked->n_free + part->i_at + k - part->n_b] += g;
            ked->spring[1][ked->n_free + part->i_at + k - part->n_b] += rate;
            continue;
        }
        const size_t at = (size_t)(part->b_at + k);
        for (int j = 0; j < ked->n_free; ++j) {
            const size_t entry = (size_t)j * (size_t)ked->n_b + at;
            ked->spring[0][j] += g * ked->T[0][entry];
            ked->spring[1][j] += rate * ked->T[0][entry];
            if (ked_joints_turn(ked)) ked->spring[1][j] += g * ked->T[1][entry];
        }
    }
}

/// A spring's row over y and its rate, into ked->spring.
static void spring_row(pkm_ked* ked, const elastic_row* row)
{
    const elastic_jets jets = elastic_row_jets(ked->elastic, row);
    memset(ked->spring[0], 0, 2 * (size_t)ked->n * sizeof *ked->spring[0]);
    add_spring_side(ked, row->part_a, row->frame_a, jets.a);
    add_spring_side(ked, row->part_b, row->frame_b, jets.b);
}

/// Rate of a row's value along the rigid motion: of a length, a shift along an axis, an angle.
static double rigid_rate(const pkm_elastic* e, const elastic_row* row)
{
    // u . g' of the rigid motion; F_0 of (6.9) has the damper's share of it
    if (row->kind == ROW_DISTANCE) return pkm_vec3_dot(row->u.x, row->gap.v);
    if (row->kind == ROW_POINT) return pkm_beam_jet_dot(row->u, row->gap).v;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    const pkm_vec3 a = row->part_a == PKM_NONE ? none : e->part[row->part_a].w;
    const pkm_vec3 b = row->part_b == PKM_NONE ? none : e->part[row->part_b].w;
    return pkm_vec3_dot(pkm_vec3_cross(row->w.x, row->u.x), pkm_vec3_sub(b, a));
}

/// Force of a spring before anything bends; an elastic drive rests on the motion.
static double rigid_force(const pkm_elastic* e, const elastic_spring* spring)
{
    // it holds the motion without force
    if (!spring->element) return 0.0;
    return spring->force + spring->damping * rigid_rate(e, &spring->row);
}

/// A spring with the row g and force k g + c g' + F adds k g g' + c g (g')' to K, c g g' to C, -F g
/// to f.
void ked_add_springs(pkm_ked* ked, double* C, double* K, double* f)
{
    const int n = ked->n;
    for (int s = 0; s < ked->elastic->n_spring; ++s) {
        const elastic_spring* spring = &ked->elastic->spring[s];
        const double *g = ked->spring[0], *rate = ked->spring[1];
        spring_row(ked, &spring->row);
        pkm_daxpy(n, -rigid_force(ked->elastic, spring), g, 1, f, 1);
        pkm_dger(n, n, spring->stiffness, g, 1, g, 1, K, n);
        if (spring->damping == 0.0) continue;
        pkm_dger(n, n, spring->damping, g, 1, rate, 1, K, n);
        pkm_dger(n, n, spring->damping, g, 1, g, 1, C, n);
    }
}

double ked_spring_force(pkm_ked* ked, int s, const double* y, const double* v, double* stretch)
{
    const elastic_spring* spring = &ked->elastic->spring[s];
    spring_row(ked, &spring->row);
    // g y + F_0, g y' + g_t y (6.9)
    *stretch = pkm_ddot(ked->n, ked->spring[0], 1, y, 1);
    double rate = pkm_ddot(ked->n, ked->spring[1], 1, y, 1);
    if (v) rate += pkm_ddot(ked->n, ked->spring[0], 1, v, 1);
    return rigid_force(ked->elastic, spring) + spring->stiffness * *stretch +
           (v ? spring->damping * rate : 0.0);
}

/// out += force on the boundary coordinates of one part.
static void bear_side(const pkm_ked* ked, int p, int frame, const pkm_beam_jet1 c[6], double force,
                      double* out)
{
    if (p == PKM_NONE) return;
    const ked_part* part = &ked->part[p];
    const double* map = part->map + 6 * (size_t)part->n * (size_t)frame;
    for (int k = 0; k < part->n_b; ++k)
        for (int d = 0; d < 6; ++d)
            out[part->b_at + k] += force * c[d].x * map[6 * k + d];
}

void ked_bear_springs(pkm_ked* ked, const double* y, const double* v, double* out)
{
    for (int s = 0; s < ked->elastic->n_spring; ++s) {
        const elastic_row* row = &ked->elastic->spring[s].row;
        double stretch;
        const double force = ked_spring_force(ked, s, y, v, &stretch);
        const elastic_jets jets = elastic_row_jets(ked->elastic, row);
        bear_side(ked, row->part_a, row->frame_a, jets.a, force, out);
        bear_side(ked, row->part_b, row->frame_b, jets.b, force, out);
    }
}
