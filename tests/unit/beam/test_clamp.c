// Modes seen from one of their own points: integrals against those of mesh vectors from which the
// rigid motion was taken.
#include "beam/reduce.h"
#include "unit/beam/beams.h"

enum { N = 5 };

static const pkm_vec3 Y = {0.0, 1.0, 0.0};

/// A free bar in space with a lump beside its line, reduced to nine modes, some of them static.
static beam_case* body(pkm_beam_theory theory, pkm_beam_modes** modes)
{
    const pkm_mat3 J = {{1e-3, 1e-4, 0}, {1e-4, 2e-3, 0}, {0, 0, 2.5e-3}};
    const pkm_beam_reduction settings = {.n_mode = 5};
    beam_case* c = bar(PKM_BEAM_LINEAR_CUBIC, theory, N, (pkm_vec3){0.8, 0.0, 0.6}, Y);
    CHECK(pkm_beam_mesh_add_mass(c->mesh, last_node(c, 2), 0.3, (pkm_vec3){0.03, 0.02, -0.01}, J,
                                 NULL) == PKM_OK);
    assemble(c);
    const int boundary[2] = {last_node(c, 0), last_node(c, N)};
    CHECK(pkm_beam_reduce(c->mesh, 2, boundary, &settings, modes, NULL) == PKM_OK);
    return c;
}

/// x -= d + r x (place - at) at every node, turned by r.
static void take_rigid(const beam_case* c, double* x, pkm_vec3 at, pkm_vec3 d, pkm_vec3 r)
{
    for (int node = 0; node < pkm_beam_mesh_nodes(c->mesh); ++node) {
        const pkm_vec3 arm = pkm_vec3_sub(pkm_beam_mesh_at(c->mesh, node), at);
        const pkm_vec3 shift = pkm_vec3_add(d, pkm_vec3_cross(r, arm));
        const double by[6] = {shift.x, shift.y, shift.z, r.x, r.y, r.z};
        for (int k = 0; k < 6; ++k)
            x[pkm_beam_mesh_coordinate(c->mesh, node, k)] -= by[k];
    }
}

static double largest(const double* x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(x[i]));
    return most;
}

static void check_array(const double* a, const double* b, int n)
{
    for (int i = 0; i < n; ++i)
        CHECK_NEAR(a[i], b[i], 1e-12 * largest(b, n));
}

static double form(const beam_case* c, const double* x, const double* y)
{
    double sum = 0.0;
    for (int j = 0; j < c->n; ++j)
        for (int i = 0; i < c->n; ++i)
            sum += x[i] * c->M[j * c->n + i] * y[j];
    return sum;
}

static void check_clamped(pkm_beam_theory theory, int node)
{
    enum { MOST = 24 };
    pkm_beam_modes* modes = NULL;
    beam_case* c = body(theory, &modes);
    pkm_beam_integrals *from = NULL, *want = NULL, got;
    pkm_vec3 d[MOST], r[MOST];
    double mass[MOST * MOST];
    const pkm_vec3 at = pkm_beam_mesh_at(c->mesh, last_node(c, node));
    const int n = modes->n_mode;
    CHECK(modes->n_static > 0 && n <= MOST);
    CHECK(pkm_beam_integrals_create(c->mesh, modes, &from) == PKM_OK);
    for (int j = 0; j < n; ++j) {
        pkm_beam_mesh_node_motion(c->mesh, modes->X + j * c->n, last_node(c, node), &d[j], &r[j]);
        take_rigid(c, modes->X + j * c->n, at, d[j], r[j]);
    }
    CHECK(pkm_beam_integrals_create(c->mesh, modes, &want) == PKM_OK);
    CHECK(pkm_beam_integrals_clamp(from, at, d, r, &got, mass) == PKM_OK);
    CHECK_NEAR(got.mass, want->mass, 1e-14);
    check_array(got.second, want->second, 9);
    check_array(got.momentum, want->momentum, 3 * n);
    check_array(got.cross, want->cross, 9 * n);
    check_array(got.pair, want->pair, 9 * n * n);
    check_array(got.spin, want->spin, 3 * n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            CHECK_NEAR(mass[i + n * j], form(c, modes->X + i * c->n, modes->X + j * c->n),
                       1e-9 * sqrt(mass[i + n * i] * mass[j + n * j]));
    pkm_free(got.block);
    pkm_beam_integrals_free(from);
    pkm_beam_integrals_free(want);
    pkm_beam_modes_free(modes);
    case_free(c);
}

static void integrals_are_those_of_the_clamped_shapes(void)
{
    check_clamped(PKM_BEAM_EULER, 0);
    check_clamped(PKM_BEAM_EULER, 3);
    check_clamped(PKM_BEAM_RAYLEIGH, 0);
    check_clamped(PKM_BEAM_TIMOSHENKO, N);
}

static void memory_may_be_out(void)
{
    pkm_beam_modes* modes = NULL;
    beam_case* c = body(PKM_BEAM_EULER, &modes);
    pkm_beam_integrals *from = NULL, got;
    const pkm_vec3 none[24] = {{0.0, 0.0, 0.0}};
    double mass[24 * 24];
    CHECK(pkm_beam_integrals_create(c->mesh, modes, &from) == PKM_OK);
    pkm_alloc_fail_at(1);
    CHECK(pkm_beam_integrals_clamp(from, none[0], none, none, &got, mass) == PKM_ERR_MEMORY);
    pkm_alloc_fail_at(0);
    pkm_beam_integrals_free(from);
    pkm_beam_modes_free(modes);
    case_free(c);
}

int main(void)
{
    RUN(integrals_are_those_of_the_clamped_shapes);
    RUN(memory_may_be_out);
    return check_report();
}
