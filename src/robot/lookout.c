#include "robot/lookout.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

static const double WARNED = 0.04; // [robot sizes] distances of which people are warned
static const double MANY = 0.1;    // of rates or forces: 1 / 10 of the tool per unit of the drives

/// 1 at the singularity, 0 where neither the distance is short nor a direction is weak.
static double level_of(const pkm_nearness* near, const pkm_lookout* out)
{
    const double size = near->robot->mech->size;
    const double weak =
        out->kind == PKM_SINGULAR_SERIAL ? near->smallest : 1.0 / near->largest; // 0 at it
    const double by_distance = 1.0 - out->distance / (WARNED * size);
    const double by_strength = 1.0 - weak / MANY;
    return fmin(1.0, fmax(0.0, fmax(by_distance, by_strength)));
}

/// The direction u = J v / |J v| of the tool, spread to its six components, and the drives' v.
static void put_direction(const pkm_nearness* near, const double* v, pkm_lookout* out)
{
    const pkm_robot* robot = near->robot;
    double u[PKM_DENSE_SMALL] = {0.0}, sum = 0.0;
    for (int i = 0; i < near->n; ++i) {
        for (int d = 0; d < near->n; ++d)
            u[i] += near->J[i + d * near->n] * v[d];
        sum += u[i] * u[i];
    }
    for (int k = 0, i = 0; k < PKM_TOOL_ALL; ++k)
        if (robot->structure.moves & (1u << k))
            out->direction[k] = sum > 0.0 ? u[i++] / sqrt(sum) : 0.0;
    memcpy(out->share, v, (size_t)near->n * sizeof(double));
}

void pkm_lookout_read(pkm_nearness* near, pkm_lookout* out)
{
    *out = (pkm_lookout){.condition = NAN, .parallel = NAN, .serial = NAN, .distance = NAN};
    if (!pkm_nearness_is_known(near->robot)) return;
    out->known = true;
    const bool regular = pkm_nearness_look(near);
    out->condition = near->condition;
    out->parallel = near->parallel * near->at_largest / near->largest;
    out->serial = near->serial * near->smallest / near->at_smallest;
    const bool exact = !regular || !near->known; // it stands in one
    const bool strong = near->largest * near->smallest > 1.0;
    const bool parallel = exact ? !regular || strong : !(out->serial < out->parallel);
    out->kind = parallel ? PKM_SINGULAR_PARALLEL : PKM_SINGULAR_SERIAL;
    out->distance = near->distance;
    if (exact) *(parallel ? &out->parallel : &out->serial) = 0.0;
    out->level = exact ? 1.0 : level_of(near, out);
    if (!regular) return; // no Jacobian: no direction
    double s[PKM_DENSE_SMALL], V[PKM_DENSE_SMALL * PKM_DENSE_SMALL];
    pkm_dense_small_svd(near->J, near->n, near->n, s, V);
    put_direction(near, V + (parallel ? 0 : near->n * (near->n - 1)), out);
}
