// Craig-Bampton: against the full model, with and without static correction; shape integrals.
#include "beam/reduce.h"
#include "unit/beam/beams.h"

static const pkm_vec3 Y = {0.0, 1.0, 0.0};

/// A free bar in space with a lump in its middle, joints at both ends.
static beam_case* body(int n)
{
    const pkm_mat3 J = {{1e-3, 0, 0}, {0, 2e-3, 0}, {0, 0, 2e-3}};
    beam_case* c = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, n, (pkm_vec3){0.8, 0.0, 0.6}, Y);
    CHECK(pkm_beam_mesh_add_mass(c->mesh, last_node(c, n / 2), 0.3, (pkm_vec3){0, 0.02, 0}, J,
                                 NULL) == PKM_OK);
    assemble(c);
    return c;
}

static pkm_beam_modes* reduced(const beam_case* c, int n, pkm_beam_reduction settings)
{
    const int boundary[2] = {last_node(c, 0), last_node(c, n)};
    pkm_beam_modes* modes = NULL;
    pkm_error err;
    CHECK(pkm_beam_reduce(c->mesh, 2, boundary, &settings, &modes, &err) == PKM_OK);
    return modes;
}

/// All modes of the basis: the full model itself.
static void everything_kept_is_the_full_model(void)
{
    enum { N = 6 };
    beam_case* c = body(N);
    pkm_beam_modes* modes = reduced(c, N, (pkm_beam_reduction){0});
    solve_modes(c, c->n);
    CHECK(modes->n_mode == c->n - 6 && modes->n_static == 0);
    for (int k = 0; k < modes->n_mode; ++k)
        CHECK_NEAR(modes->omega[k], sqrt(c->lambda[6 + k]), 1e-8 * modes->omega[k]);
    pkm_beam_modes_free(modes);
    case_free(c);
}

/// x' M y and x' K y.
static double form(const double* A, int n, const double* x, const double* y)
{
    double sum = 0.0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            sum += x[i] * A[j * n + i] * y[j];
    return sum;
}

static void modes_are_orthonormal_static_ones_too(void)
{
    enum { N = 8 };
    beam_case* c = body(N);
    pkm_beam_modes* modes = reduced(c, N, (pkm_beam_reduction){.n_mode = 5});
    CHECK(modes->n_mode > 5 && modes->n_static == modes->n_mode - 5 && modes->n_static <= 6);
    for (int i = 0; i < modes->n_mode; ++i) {
        for (int j = 0; j <= i; ++j) {
            const double *x = modes->X + i * c->n, *y = modes->X + j * c->n;
            const double scale = modes->omega[i] * modes->omega[j];
            CHECK_NEAR(form(c->M, c->n, x, y), i == j ? 1.0 : 0.0, 1e-7);
            CHECK_NEAR(form(c->K, c->n, x, y) / scale, i == j ? 1.0 : 0.0, 1e-7);
        }
    }
    pkm_beam_modes_free(modes);
    case_free(c);
}

/// Few held-boundary modes: the lowest frequencies are right, from above, and improve with more.
static void low_frequencies_converge_with_the_basis(void)
{
    enum { N = 12 };
    beam_case* c = body(N);
    solve_modes(c, 8);
    const int n_fixed[3] = {2, 8, 24};
    double error[3];
    for (int k = 0; k < 3; ++k) {
        pkm_beam_modes* modes =
            reduced(c, N, (pkm_beam_reduction){.n_mode = 2, .n_fixed = n_fixed[k]});
        error[k] = modes->omega[0] / sqrt(c->lambda[6]) - 1.0;
        CHECK(error[k] > -1e-10);
        pkm_beam_modes_free(modes);
    }
    CHECK(error[0] < 5e-3 && error[1] < 0.2 * error[0] && error[2] < 0.2 * error[1]);
    case_free(c);
}

static beam_case* round_rod(int n)
{
    beam_case* c = case_create(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
    pkm_beam_section section;
    CHECK(pkm_beam_section_round(0.02, &section, NULL) == PKM_OK);
    const pkm_beam_line line =
        pkm_beam_line_make((pkm_vec3){0}, (pkm_vec3){0.8, 0.0, 0.6}, n, &section, bar_material());
    CHECK(pkm_beam_mesh_add_line(c->mesh, &line, &c->line, NULL) == PKM_OK);
    assemble(c);
    return c;
}

/// A round rod has its bending modes in pairs: asked for half of one, both come, by dense matrices
/// and by iteration.
static void equal_frequencies_stay_together(void)
{
    const int n[2] = {12, 40}, asked[4] = {1, 2, 3, 4}, kept[4] = {2, 2, 4, 4};
    for (int s = 0; s < 2; ++s) {
        beam_case* c = round_rod(n[s]);
        for (int k = 0; k < 4; ++k) {
            pkm_beam_modes* m =
                reduced(c, n[s], (pkm_beam_reduction){.n_mode = asked[k], .n_fixed = c->n - 12});
            CHECK(m->n_mode - m->n_static == kept[k]);
            pkm_beam_modes_free(m);
        }
        case_free(c);
    }
}

/// Elongation under a pair of forces +-F along the rod, from the modes: sum (x.f)^2 / omega^2 / F.
static double stretch(const beam_case* c, const pkm_beam_modes* modes, int n, pkm_vec3 along)
{
    double f[BEAM_MAX] = {0}, sum = 0.0;
    pkm_beam_mesh_add_force(c->mesh, last_node(c, n), along, (pkm_vec3){0}, f);
    pkm_beam_mesh_add_force(c->mesh, last_node(c, 0), pkm_vec3_scale(-1.0, along), (pkm_vec3){0},
                            f);
    for (int k = 0; k < modes->n_mode; ++k) {
        double xf = 0.0;
        for (int i = 0; i < c->n; ++i)
            xf += modes->X[k * c->n + i] * f[i];
        sum += xf * xf / (modes->omega[k] * modes->omega[k]);
    }
    return sum;
}

/// F L / EA at any cut, and nothing of it without the correction: the axial mode is far above.
static void axial_compliance_survives_the_cut(void)
{
    enum { N = 10 };
    beam_case* c = body(N);
    const pkm_vec3 along = {0.8, 0.0, 0.6};
    const double exact = 1.0 / 2e6;
    pkm_beam_reduction settings = {.below = 2.0 * PI * 200.0};
    pkm_beam_modes* with = reduced(c, N, settings);
    settings.without_static = true;
    pkm_beam_modes* without = reduced(c, N, settings);
    CHECK(without->n_static == 0 && without->n_mode == with->n_mode - with->n_static);
    CHECK(without->n_mode >= 2 && without->omega[without->n_mode - 1] < settings.below);
    CHECK_NEAR(stretch(c, with, N, along), exact, 1e-8 * exact);
    CHECK(stretch(c, without, N, along) < 1e-3 * exact);
    pkm_beam_modes_free(with);
    pkm_beam_modes_free(without);
    case_free(c);
}

/// Bending between the ends under end moments, L / 3 EI per unit moment at its own end less the
/// rigid turn: any self-balanced load at the boundary gives the full model's energy.
static void boundary_loads_cost_what_they_must(void)
{
    enum { N = 10 };
    beam_case* c = body(N);
    pkm_beam_modes* few = reduced(c, N, (pkm_beam_reduction){.n_mode = 1});
    pkm_beam_modes* all = reduced(c, N, (pkm_beam_reduction){0});
    const pkm_vec3 moment[3] = {{0.8, 0, 0.6}, {0, 1, 0}, {-0.6, 0, 0.8}};
    for (int m = 0; m < 3; ++m) {
        double energy[2] = {0};
        const pkm_beam_modes* set[2] = {few, all};
        for (int s = 0; s < 2; ++s) {
            double f[BEAM_MAX] = {0};
            pkm_beam_mesh_add_force(c->mesh, last_node(c, 0), (pkm_vec3){0}, moment[m], f);
            pkm_beam_mesh_add_force(c->mesh, last_node(c, N), (pkm_vec3){0},
                                    pkm_vec3_scale(-1.0, moment[m]), f);
            for (int k = 0; k < set[s]->n_mode; ++k) {
                double xf = 0.0;
                for (int i = 0; i < c->n; ++i)
                    xf += set[s]->X[k * c->n + i] * f[i];
                energy[s] += 0.5 * xf * xf / (set[s]->omega[k] * set[s]->omega[k]);
            }
        }
        const double stiffness[3] = {500.0, 4000.0, 1000.0};
        // A pure moment along the bar: M^2 L / 2 EI, or GJ.
        const double exact = 0.5 / stiffness[m];
        CHECK_NEAR(energy[0], exact, 1e-8 * exact);
        CHECK_NEAR(energy[1], exact, 1e-8 * exact);
    }
    pkm_beam_modes_free(few);
    pkm_beam_modes_free(all);
    case_free(c);
}

/// Modes 7 and 10, and those of a range but one, are the modes of the full model by these numbers,
/// and what is left out is still soft at the ends.
static void chosen_modes_are_those_of_the_list(void)
{
    enum { N = 8 };
    beam_case* c = body(N);
    solve_modes(c, c->n);
    const double to = 1.001 * sqrt(c->lambda[11]);
    const pkm_beam_list two = {.n_number = 2, .number = {10, 7}};
    const pkm_beam_list range = {.n_range = 1, .range = {{0.999 * sqrt(c->lambda[7]), to}}};
    const pkm_beam_list ninth = {.n_number = 1, .number = {9}};
    const struct {
        pkm_beam_reduction settings;
        int n, number[4];
    } of[] = {{{.chosen = &two}, 2, {7, 10}},
              {{.chosen = &range, .disabled = &ninth}, 4, {8, 10, 11, 12}},
              {{.n_mode = 4, .n_fixed = c->n - 12, .disabled = &ninth}, 3, {7, 8, 10}}};
    for (int k = 0; k < 3; ++k) {
        pkm_beam_modes* modes = reduced(c, N, of[k].settings);
        CHECK(modes->n_mode - modes->n_static == of[k].n);
        for (int i = 0; i < of[k].n; ++i)
            CHECK_NEAR(modes->omega[i], sqrt(c->lambda[of[k].number[i] - 1]),
                       1e-8 * modes->omega[i]);
        // and each shape is that of its frequency: Rayleigh's quotient of the full model
        for (int i = 0; i < modes->n_mode; ++i) {
            const double *x = modes->X + i * c->n, square = modes->omega[i] * modes->omega[i];
            CHECK_NEAR(form(c->M, c->n, x, x), 1.0, 1e-9);
            CHECK_NEAR(form(c->K, c->n, x, x), square, 1e-7 * square);
        }
        CHECK_NEAR(stretch(c, modes, N, (pkm_vec3){0.8, 0.0, 0.6}), 1.0 / 2e6, 1e-8 / 2e6);
        pkm_beam_modes_free(modes);
    }
    case_free(c);
}

static void choices_that_are_none_are_named(void)
{
    enum { N = 4 };
    beam_case* c = body(N);
    const int boundary[2] = {last_node(c, 0), last_node(c, N)};
    const pkm_beam_list list[] = {{.n_number = 1, .number = {6}},
                                  {.n_number = 1, .number = {31}},
                                  {.n_range = 1, .range = {{1e-3, 2e-3}}}};
    const char* const text[] = {"mode 6 is a motion of the rigid body; those that bend are 7 to 30",
                                "mode 31 asked of 30", "no mode of the free body between"};
    for (int k = 0; k < 3; ++k) {
        pkm_beam_modes* modes = NULL;
        pkm_error err = {0};
        const pkm_beam_reduction settings = {.chosen = &list[k]};
        CHECK(pkm_beam_reduce(c->mesh, 2, boundary, &settings, &modes, &err) == PKM_ERR_ARGUMENT);
        CHECK_CONTAINS(err.text, text[k]);
    }
    case_free(c);
}

/// Modes have no momentum and no angular momentum: the frame moves as the mean of the body.
static void flexible_modes_carry_no_momentum(void)
{
    enum { N = 8 };
    beam_case* c = body(N);
    pkm_beam_modes* modes = reduced(c, N, (pkm_beam_reduction){.n_mode = 6});
    pkm_beam_integrals* s = NULL;
    CHECK(pkm_beam_integrals_create(c->mesh, modes, &s) == PKM_OK);
    CHECK_NEAR(s->mass, 2.3, 1e-13);
    for (int j = 0; j < modes->n_mode; ++j) {
        const double* C = s->cross + 9 * j; // rho r phi', column-major: C[row + 3 column]
        const double angular[3] = {C[1 + 6] - C[2 + 3], C[2] - C[0 + 6], C[0 + 3] - C[1]};
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(s->momentum[3 * j + k], 0.0, 1e-9);
            CHECK_NEAR(angular[k] + s->spin[3 * j + k], 0.0, 1e-9);
        }
    }
    pkm_beam_integrals_free(s);
    pkm_beam_modes_free(modes);
    case_free(c);
}

/// The trace of `pair` is the modal mass but for turning sections; mass, centre and inertia are
/// those of a bar with a lump.
static void integrals_sum_up_to_the_body(void)
{
    enum { N = 8 };
    beam_case* c = body(N);
    pkm_beam_modes* modes = reduced(c, N, (pkm_beam_reduction){.n_mode = 4});
    pkm_beam_integrals* s = NULL;
    CHECK(pkm_beam_integrals_create(c->mesh, modes, &s) == PKM_OK);
    CHECK_NEAR(s->first.x, 2.0 * 0.4 + 0.3 * 0.4, 1e-13);
    CHECK_NEAR(s->first.y, 0.3 * 0.02, 1e-14);
    CHECK_NEAR(s->second[8], 2.0 * 0.36 / 3.0 + 0.3 * 0.09, 1e-13);
    CHECK_NEAR(s->second[2], 2.0 * 0.48 / 3.0 + 0.3 * 0.12, 1e-13);
    CHECK_NEAR(s->own.y.y, 2e-3, 1e-12); // across the bar nothing is added to the lump
    CHECK_NEAR(s->own.x.x + s->own.z.z, 3e-3 + 1.25e-3, 1e-12); // rho Ip L about the bar
    for (int j = 0; j < 2; ++j) {
        const double* P = s->pair + 9 * (j + modes->n_mode * j);
        CHECK_NEAR(P[0] + P[4] + P[8], 1.0, 0.05); // the lump turns a little, or not at all
        CHECK(P[0] + P[4] + P[8] < 1.0 + 1e-9);
    }
    pkm_beam_integrals_free(s);
    pkm_beam_modes_free(modes);
    case_free(c);
}

/// Fine meshes go another way, by iteration: the modes of the full matrices, and those of the dense
/// way with all held modes but the highest, which stiffens nothing that can be seen.
static void a_fine_mesh_has_the_modes_of_its_matrices(void)
{
    enum { N = 60 };
    beam_case* c = body(N);
    const int n_i = c->n - 12;
    solve_modes(c, 8);
    pkm_beam_modes* fine = reduced(c, N, (pkm_beam_reduction){.n_mode = 8, .n_fixed = n_i});
    pkm_beam_modes* dense = reduced(c, N, (pkm_beam_reduction){.n_mode = 8, .n_fixed = n_i - 1});
    for (int k = 0; k < 2; ++k)
        CHECK_NEAR(fine->omega[k], sqrt(c->lambda[6 + k]), 1e-8 * fine->omega[k]);
    CHECK(fine->n_mode == dense->n_mode && fine->n_static == dense->n_static);
    for (int k = 0; k < fine->n_mode; ++k) {
        double most = 0.0, error = 0.0;
        const double *a = fine->X + k * c->n, *b = dense->X + k * c->n;
        const double sign = form(c->M, c->n, a, b) > 0.0 ? 1.0 : -1.0;
        for (int i = 0; i < c->n; ++i) {
            most = fmax(most, fabs(b[i]));
            error = fmax(error, fabs(a[i] - sign * b[i]));
        }
        CHECK_NEAR(fine->omega[k], dense->omega[k], 1e-8 * dense->omega[k]);
        CHECK(error < 1e-5 * most);
    }
    pkm_beam_modes_free(fine);
    pkm_beam_modes_free(dense);
    case_free(c);
}

static void damping_ladder_is_that_of_adams(void)
{
    CHECK_NEAR(pkm_beam_adams_damping(2.0 * PI * 99.0), 0.01, 0.0);
    CHECK_NEAR(pkm_beam_adams_damping(2.0 * PI * 101.0), 0.1, 0.0);
    CHECK_NEAR(pkm_beam_adams_damping(2.0 * PI * 1001.0), 1.0, 0.0);
}

static void check_refused(const beam_case* c, int n_boundary, const int* boundary,
                          pkm_beam_reduction settings, pkm_status expected, const char* text)
{
    pkm_beam_modes* modes = NULL;
    pkm_error err;
    CHECK(pkm_beam_reduce(c->mesh, n_boundary, boundary, &settings, &modes, &err) == expected);
    CHECK(!modes);
    CHECK_CONTAINS(err.text, text);
}

static void bad_reductions_are_named(void)
{
    beam_case* c = body(2);
    const int ends[2] = {last_node(c, 0), last_node(c, 2)};
    const int twice[2] = {ends[0], ends[0]};
    const pkm_beam_reduction plain = {0};
    check_refused(c, 0, ends, plain, PKM_ERR_MODEL, "there is no joint on it");
    check_refused(c, 2, twice, plain, PKM_ERR_ARGUMENT, "given twice");
    check_refused(c, 2, ends, (pkm_beam_reduction){.n_mode = 13}, PKM_ERR_ARGUMENT,
                  "13 modes asked of 12 flexible coordinates");
    check_refused(c, 2, ends, (pkm_beam_reduction){.n_fixed = 7}, PKM_ERR_ARGUMENT,
                  "7 modes with held boundary asked of 6");
    check_refused(c, 2, ends, (pkm_beam_reduction){.below = -1.0}, PKM_ERR_ARGUMENT, "below -1");
    case_free(c);

    c = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, 2, (pkm_vec3){1, 0, 0}, Y);
    CHECK(pkm_beam_mesh_fix(c->mesh, last_node(c, 1), 1, NULL) == PKM_OK);
    assemble(c);
    check_refused(c, 2, ends, plain, PKM_ERR_MODEL, "free to move");
    case_free(c);
}

static void failing_memory_is_reported(void)
{
    beam_case* c = body(2);
    const int ends[2] = {last_node(c, 0), last_node(c, 2)};
    const pkm_beam_reduction settings = {.n_mode = 2};
    int n_failed = 0;
    for (size_t n = 1; n < 50; ++n) {
        pkm_beam_modes* modes = NULL;
        pkm_beam_integrals* s = NULL;
        pkm_alloc_fail_at(n);
        pkm_status status = pkm_beam_reduce(c->mesh, 2, ends, &settings, &modes, NULL);
        if (status == PKM_OK) status = pkm_beam_integrals_create(c->mesh, modes, &s);
        pkm_alloc_fail_at(0);
        pkm_beam_modes_free(modes);
        pkm_beam_integrals_free(s);
        if (status == PKM_OK) break;
        CHECK(status == PKM_ERR_MEMORY);
        ++n_failed;
    }
    CHECK(n_failed >= 9);
    case_free(c);
    pkm_beam_modes_free(NULL);
    pkm_beam_integrals_free(NULL);
}

int main(void)
{
    RUN(everything_kept_is_the_full_model);
    RUN(modes_are_orthonormal_static_ones_too);
    RUN(low_frequencies_converge_with_the_basis);
    RUN(equal_frequencies_stay_together);
    RUN(axial_compliance_survives_the_cut);
    RUN(boundary_loads_cost_what_they_must);
    RUN(chosen_modes_are_those_of_the_list);
    RUN(choices_that_are_none_are_named);
    RUN(flexible_modes_carry_no_momentum);
    RUN(integrals_sum_up_to_the_body);
    RUN(a_fine_mesh_has_the_modes_of_its_matrices);
    RUN(damping_ladder_is_that_of_adams);
    RUN(bad_reductions_are_named);
    RUN(failing_memory_is_reported);
    return check_report();
}
