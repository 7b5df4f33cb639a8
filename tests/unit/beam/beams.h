/// Beams for tests: a steel bar with round numbers, its mesh and its frequencies.
#ifndef PKM_TESTS_UNIT_BEAM_BEAMS_H
#define PKM_TESTS_UNIT_BEAM_BEAMS_H

#include "base/memory.h"
#include "beam/mesh.h"
#include "check.h"
#include "math/eigen.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

enum { BEAM_MAX = 700 }; ///< coordinates

/// E I = 1000 N m2 in x-y, 4000 in x-z, E A = 2e6 N, G J = 500 N m2, 2 kg/m, no rotary inertia to
/// speak of in torsion: rho Ip = 1.25e-3 kg m.
static inline pkm_beam_section bar_section(void)
{
    pkm_beam_section s;
    const pkm_status status = pkm_beam_section_given(1e-3, 2e-6, 0.5e-6, 1e-6, 5.0 / 6.0, &s, NULL);
    CHECK(status == PKM_OK);
    s.Ip = 0.625e-6;
    return s;
}

static inline pkm_beam_material bar_material(void)
{
    return (pkm_beam_material){.E = 2e9, .G = 0.5e9, .rho = 2000.0};
}

/// A mesh with its system and results.
typedef struct beam_case {
    pkm_beam_mesh* mesh;
    int n, line;
    double *K, *M;
    double lambda[BEAM_MAX];
    double X[BEAM_MAX * 8]; ///< modes, when asked for (up to 8)
} beam_case;

static inline beam_case* case_create(pkm_beam_shape shape, pkm_beam_theory theory)
{
    beam_case* c = calloc(1, sizeof *c);
    CHECK(c && pkm_beam_mesh_create(shape, theory, &c->mesh) == PKM_OK);
    return c;
}

static inline void case_free(beam_case* c)
{
    pkm_beam_mesh_free(c->mesh);
    free(c->K);
    free(c->M);
    free(c);
}

/// A straight bar of `n` elements from the origin along `to`, y of the sections along `y`.
static inline beam_case* bar(pkm_beam_shape shape, pkm_beam_theory theory, int n, pkm_vec3 to,
                             pkm_vec3 y)
{
    beam_case* c = case_create(shape, theory);
    const pkm_beam_section s = bar_section();
    pkm_beam_line line = pkm_beam_line_make((pkm_vec3){0}, to, n, &s, bar_material());
    line.y = y;
    CHECK(pkm_beam_mesh_add_line(c->mesh, &line, &c->line, NULL) == PKM_OK);
    return c;
}

static inline int last_node(const beam_case* c, int n)
{
    return pkm_beam_mesh_line_node(c->mesh, c->line, n);
}

/// Finish the mesh and make its matrices.
static inline void assemble(beam_case* c)
{
    pkm_error err;
    const pkm_status status = pkm_beam_mesh_finish(c->mesh, &err);
    CHECK(status == PKM_OK);
    c->n = pkm_beam_mesh_size(c->mesh);
    const size_t nn = (size_t)c->n * (size_t)c->n;
    c->K = calloc(nn, sizeof *c->K);
    c->M = calloc(nn, sizeof *c->M);
    pkm_beam_mesh_stiffness(c->mesh, c->K);
    pkm_beam_mesh_mass(c->mesh, c->M);
}

/// The lowest `n_mode` angular frequencies squared; shapes too when n_mode <= 8.
static inline void solve_modes(beam_case* c, int n_mode)
{
    pkm_eigen* eigen = NULL;
    CHECK(pkm_eigen_create(c->n, &eigen) == PKM_OK);
    const pkm_status status = pkm_eigen_lowest(eigen, c->n, c->K, c->M, n_mode, c->lambda,
                                               n_mode <= 8 && c->n <= BEAM_MAX ? c->X : NULL);
    CHECK(status == PKM_OK);
    pkm_eigen_free(eigen);
}

/// Root number k of cos b cosh b = c (c = -1 clamped-free, 1 free-free), by bisection of
/// cos b - c / cosh b between the zeros of sin.
static inline double bending_root(int k, double c)
{
    double low = c < 0.0 ? (k - 1) * PI : k * PI, high = low + PI;
    if (k == 1 && c < 0.0) low = 1.0;
    const double sign = cos(low) - c / cosh(low) > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        if (sign * (cos(middle) - c / cosh(middle)) > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

#endif
