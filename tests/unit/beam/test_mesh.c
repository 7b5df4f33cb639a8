// Meshes: statics in closed form, joints, rigid ends, steps of section, loads, bad input.
#include "kuo/moving_mesh.h"
#include "unit/beam/beams.h"

#include <lapacke.h>

static const pkm_vec3 ALONG_X = {1.0, 0.0, 0.0}, Y = {0.0, 1.0, 0.0};

/// q with K q = f.
static void solve_static(const beam_case* c, double* q)
{
    double* K = calloc((size_t)c->n * (size_t)c->n, sizeof *K);
    memcpy(K, c->K, (size_t)c->n * (size_t)c->n * sizeof *K);
    CHECK(LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', c->n, 1, K, c->n, q, c->n) == 0);
    free(K);
}

static void clamp(beam_case* c, int node)
{
    CHECK(pkm_beam_mesh_fix(c->mesh, node, PKM_BEAM_FIX_ALL, NULL) == PKM_OK);
}

/// Cantilever with forces and torque at its tip: F L / EA, F L^3 / 3 EI, T L / GJ.
static void tip_loads_bend_a_cantilever(void)
{
    for (int s = 0; s < 2; ++s) {
        beam_case* c = bar((pkm_beam_shape)s, PKM_BEAM_EULER, 3, ALONG_X, Y);
        clamp(c, last_node(c, 0));
        assemble(c);
        double q[BEAM_MAX] = {0};
        pkm_beam_mesh_add_force(c->mesh, last_node(c, 3), (pkm_vec3){100.0, 10.0, 20.0},
                                (pkm_vec3){5.0, 0.0, 0.0}, q);
        solve_static(c, q);
        pkm_vec3 d, r;
        pkm_beam_mesh_node_motion(c->mesh, q, last_node(c, 3), &d, &r);
        CHECK_NEAR(d.x, 100.0 / 2e6, 1e-14);
        CHECK_NEAR(d.y, 10.0 / 3000.0, 1e-12);
        CHECK_NEAR(d.z, 20.0 / 12000.0, 1e-12);
        CHECK_NEAR(r.x, 5.0 / 500.0, 1e-13);
        CHECK_NEAR(r.z, 10.0 / 2000.0, 1e-12);
        CHECK_NEAR(r.y, -20.0 / 8000.0, 1e-12);
        // Section forces at the root: bending moments are linear, so elements hold them exactly.
        const pkm_beam_point root = pkm_beam_mesh_point(c->mesh, q, 0, 0.0);
        CHECK_NEAR(root.force, 100.0, 1e-8);
        CHECK_NEAR(root.moment.x, 5.0, 1e-9);
        CHECK_NEAR(root.moment.z, 10.0, 1e-8);
        CHECK_NEAR(root.moment.y, -20.0, 1e-8);
        double force[9];
        pkm_beam_mesh_axial_forces(c->mesh, q, force);
        CHECK_NEAR(force[3], 100.0, 1e-8);
        case_free(c);
    }
}

/// Timoshenko adds F L / (kappa G A).
static void shear_adds_its_deflection(void)
{
    beam_case* c = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_TIMOSHENKO, 2, ALONG_X, Y);
    clamp(c, last_node(c, 0));
    assemble(c);
    double q[BEAM_MAX] = {0};
    pkm_beam_mesh_add_force(c->mesh, last_node(c, 2), (pkm_vec3){0.0, 10.0, 0.0}, (pkm_vec3){0}, q);
    solve_static(c, q);
    pkm_vec3 d, r;
    pkm_beam_mesh_node_motion(c->mesh, q, last_node(c, 2), &d, &r);
    CHECK_NEAR(d.y, 10.0 / 3000.0 + 10.0 / (5.0 / 6.0 * 0.5e6), 1e-12);
    case_free(c);
}

/// Own weight, w L^4 / 8 EI at the tip; a field growing along x, w0 L^4 (11/120) / EI, as inertia
/// of a swing has it; stretch w L^2 / 2 EA.
static void distributed_loads_are_consistent(void)
{
    for (int s = 0; s < 2; ++s) {
        beam_case* c = bar((pkm_beam_shape)s, PKM_BEAM_EULER, 4, ALONG_X, Y);
        clamp(c, last_node(c, 0));
        assemble(c);
        pkm_vec3 b[5], d, r;
        double q[BEAM_MAX];
        for (int k = 0; k < 5; ++k)
            b[k] = (pkm_vec3){3.0, -9.81, 0.0};
        pkm_beam_mesh_load(c->mesh, b, q);
        solve_static(c, q);
        pkm_beam_mesh_node_motion(c->mesh, q, last_node(c, 4), &d, &r);
        CHECK_NEAR(d.y, -9.81 * 2.0 / 8000.0, 1e-13);
        CHECK_NEAR(d.x, 3.0 * 2.0 / 2.0 / 2e6, 1e-16);

        for (int k = 0; k < 5; ++k)
            b[last_node(c, k)] = (pkm_vec3){0.0, 0.0, 0.25 * k};
        pkm_beam_mesh_load(c->mesh, b, q);
        solve_static(c, q);
        pkm_beam_mesh_node_motion(c->mesh, q, last_node(c, 4), &d, &r);
        CHECK_NEAR(d.z, 2.0 * 11.0 / 120.0 / 4000.0, 1e-15);
        case_free(c);
    }
}

/// Two halves with EI and 8 EI: tip deflection by the moment-area theorem,
///     F (L^3/3 - l^3/3) / (8 EI) + F l^3 / (3 EI),  l = L / 2,
/// as one tapered line and as two lines that share a node.
static void steps_of_section_are_exact(void)
{
    pkm_beam_section section[2] = {bar_section(), bar_section()};
    section[0].Iz *= 8.0;
    const double exact = (1.0 - 0.125) / 3.0 / 8000.0 + 0.125 / 3000.0;
    for (int k = 0; k < 4; ++k) {
        beam_case* c = case_create((pkm_beam_shape)(k / 2), PKM_BEAM_EULER);
        const pkm_vec3 middle = {0.5, 0.0, 0.0};
        pkm_beam_line line = pkm_beam_line_make((pkm_vec3){0}, ALONG_X, 2, section, bar_material());
        line.y = Y;
        int tip;
        if (k % 2 == 0) {
            line.n_section = 2;
            CHECK(pkm_beam_mesh_add_line(c->mesh, &line, &c->line, NULL) == PKM_OK);
            tip = pkm_beam_mesh_line_node(c->mesh, c->line, 2);
        } else {
            line.to = middle;
            CHECK(pkm_beam_mesh_add_line(c->mesh, &line, &c->line, NULL) == PKM_OK);
            line.to = ALONG_X;
            line.section = &section[1];
            line.first = pkm_beam_mesh_line_node(c->mesh, c->line, 2);
            int second;
            CHECK(pkm_beam_mesh_add_line(c->mesh, &line, &second, NULL) == PKM_OK);
            tip = pkm_beam_mesh_line_node(c->mesh, second, 2);
        }
        clamp(c, pkm_beam_mesh_line_node(c->mesh, c->line, 0));
        assemble(c);
        double q[BEAM_MAX] = {0};
        pkm_beam_mesh_add_force(c->mesh, tip, (pkm_vec3){0.0, 1.0, 0.0}, (pkm_vec3){0}, q);
        solve_static(c, q);
        pkm_vec3 d, r;
        pkm_beam_mesh_node_motion(c->mesh, q, tip, &d, &r);
        CHECK_NEAR(d.y, exact, 1e-12 * exact);
        case_free(c);
    }
}

/// A force on a body in the middle of a rod: the strain jumps there, F / EA before and nothing
/// behind. Elements whose strains are coordinates must not share them at such a node.
static void strains_may_jump_at_a_loaded_node(void)
{
    beam_case* c = bar(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_EULER, 2, ALONG_X, Y);
    clamp(c, last_node(c, 0));
    CHECK(pkm_beam_mesh_add_mass(c->mesh, last_node(c, 1), 1.0, (pkm_vec3){0}, (pkm_mat3){0},
                                 NULL) == PKM_OK);
    assemble(c);
    double q[BEAM_MAX] = {0};
    pkm_beam_mesh_add_force(c->mesh, last_node(c, 1), (pkm_vec3){100.0, 6.0, 0.0}, (pkm_vec3){0},
                            q);
    solve_static(c, q);
    pkm_vec3 d, r;
    pkm_beam_mesh_node_motion(c->mesh, q, last_node(c, 2), &d, &r);
    CHECK_NEAR(d.x, 100.0 * 0.5 / 2e6, 1e-14);
    CHECK_NEAR(d.y, 6.0 * 0.125 * (1.0 / 3.0 + 0.5) / 1000.0, 1e-12); // F l^3 / 3 + F l^2 / 2 l
    CHECK_NEAR(pkm_beam_mesh_point(c->mesh, q, 1, 0.0).force, 0.0, 1e-8);
    case_free(c);
}

/// A body on a rigid arm is the same as a mass beside the node, for all modes.
static void rigid_end_equals_a_mass_beside_the_node(void)
{
    const pkm_vec3 arm = {0.2, 0.1, -0.05};
    const pkm_mat3 J = {{0.01, 0.0, 0.0}, {0.0, 0.02, 0.0}, {0.0, 0.0, 0.03}};
    double lambda[2][8];
    for (int k = 0; k < 2; ++k) {
        beam_case* c = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, 3, ALONG_X, Y);
        clamp(c, last_node(c, 0));
        int node = last_node(c, 3);
        if (k == 1) {
            CHECK(pkm_beam_mesh_add_node(c->mesh, pkm_vec3_add(ALONG_X, arm), &node, NULL) ==
                  PKM_OK);
            CHECK(pkm_beam_mesh_follow(c->mesh, node, last_node(c, 3), 0, NULL, NULL) == PKM_OK);
        }
        CHECK(pkm_beam_mesh_add_mass(c->mesh, node, 1.5, k == 0 ? arm : (pkm_vec3){0}, J, NULL) ==
              PKM_OK);
        assemble(c);
        solve_modes(c, 8);
        memcpy(lambda[k], c->lambda, sizeof lambda[k]);
        case_free(c);
    }
    for (int i = 0; i < 8; ++i)
        CHECK_NEAR(lambda[1][i], lambda[0][i], 1e-11 * lambda[0][i]);
}

/// The beam's end may follow a node that is elsewhere: a joint body between joint and rod. A
/// cantilever on a rigid stub of length e deflects by F ((L + e)^3 - e^3) / 3 EI seen from its tip
/// when the stub is free to be loaded: here the stub is at the loaded end.
static void rigid_stub_carries_the_moment(void)
{
    const double e = 0.25;
    beam_case* c = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, 2, ALONG_X, Y);
    clamp(c, last_node(c, 0));
    int tip;
    CHECK(pkm_beam_mesh_add_node(c->mesh, (pkm_vec3){1.0 + e, 0.0, 0.0}, &tip, NULL) == PKM_OK);
    CHECK(pkm_beam_mesh_follow(c->mesh, last_node(c, 2), tip, 0, NULL, NULL) == PKM_OK);
    assemble(c);
    double q[BEAM_MAX] = {0};
    pkm_beam_mesh_add_force(c->mesh, tip, (pkm_vec3){0.0, 1.0, 0.0}, (pkm_vec3){0}, q);
    solve_static(c, q);
    const double exact = (pow(1.0 + e, 3) - pow(e, 3)) / 3000.0;
    CHECK_NEAR(q[pkm_beam_mesh_coordinate(c->mesh, tip, 1)], exact, 1e-12 * exact);
    CHECK(pkm_beam_mesh_coordinate(c->mesh, last_node(c, 2), 1) == PKM_NONE);
    case_free(c);
}

/// Clamped - joint - clamped with a force at the joint. A hinge about z leaves two cantilevers in
/// x-y, F l^3 / 6 EI each half; across the axis it is a stiff joint: a clamped beam, F L^3 / 192
/// EI.
static void joints_release_only_their_axes(void)
{
    const pkm_vec3 axes[3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    for (int n_free = 0; n_free <= 3; ++n_free) {
        beam_case* c = case_create(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
        const pkm_beam_section s = bar_section();
        const pkm_vec3 middle = {0.5, 0, 0};
        int left, right;
        pkm_beam_line line = pkm_beam_line_make((pkm_vec3){0}, middle, 2, &s, bar_material());
        line.y = Y;
        CHECK(pkm_beam_mesh_add_line(c->mesh, &line, &left, NULL) == PKM_OK);
        line.from = middle;
        line.to = ALONG_X;
        CHECK(pkm_beam_mesh_add_line(c->mesh, &line, &right, NULL) == PKM_OK);
        clamp(c, pkm_beam_mesh_line_node(c->mesh, left, 0));
        clamp(c, pkm_beam_mesh_line_node(c->mesh, right, 2));
        const int a = pkm_beam_mesh_line_node(c->mesh, left, 2);
        CHECK(pkm_beam_mesh_follow(c->mesh, pkm_beam_mesh_line_node(c->mesh, right, 0), a, n_free,
                                   axes, NULL) == PKM_OK);
        assemble(c);
        double q[BEAM_MAX] = {0};
        pkm_beam_mesh_add_force(c->mesh, a, (pkm_vec3){0, 1, 1}, (pkm_vec3){1, 0, 0}, q);
        solve_static(c, q);
        pkm_vec3 d, r;
        pkm_beam_mesh_node_motion(c->mesh, q, a, &d, &r);
        const double hinged = 0.125 / 6.0, stiff = 1.0 / 192.0;
        CHECK_NEAR(d.y, (n_free >= 1 ? hinged : stiff) / 1000.0, 1e-15);
        CHECK_NEAR(d.z, (n_free >= 2 ? hinged : stiff) / 4000.0, 1e-15);
        CHECK_NEAR(r.x, 0.5 / 500.0 / (n_free == 3 ? 1.0 : 2.0), 1e-14); // torsion of one or both
        case_free(c);
    }
}

/// Moving the mesh is building it elsewhere; the bar turns with its sections.
static void a_moved_mesh_is_a_new_mesh(void)
{
    const pkm_vec3 to = {2.0 / 7, -3.0 / 7, 6.0 / 7}, y = {1, 1, 0}, from = {1, 2, 3};
    beam_case *a = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, 3, ALONG_X, Y),
              *b = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, 3, to, y);
    assemble(a);
    assemble(b);
    const size_t before = pkm_alloc_count();
    pkm_beam_mesh_move_line(a->mesh, a->line, pkm_beam_jet_rest(from),
                            pkm_beam_jet_rest(pkm_vec3_add(from, to)), pkm_beam_jet_rest(y));
    pkm_beam_mesh_update(a->mesh);
    pkm_beam_mesh_stiffness(a->mesh, a->K);
    pkm_beam_mesh_mass(a->mesh, a->M);
    CHECK(pkm_alloc_count() == before);
    for (int k = 0; k < a->n * a->n; ++k) {
        CHECK_NEAR(a->K[k], b->K[k], 1e-13 * 6e6);
        CHECK_NEAR(a->M[k], b->M[k], 1e-15);
    }
    case_free(a);
    case_free(b);
}

/// Total mass and first moment sit in the mass matrix.
static void mass_matrix_moves_the_whole_mass(void)
{
    beam_case* c = bar(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_EULER, 3, (pkm_vec3){0, 2, 0}, Y);
    CHECK(pkm_beam_mesh_add_mass(c->mesh, last_node(c, 1), 0.5, (pkm_vec3){0}, (pkm_mat3){0},
                                 NULL) == PKM_OK);
    assemble(c);
    double x[BEAM_MAX] = {0}, sum = 0.0;
    for (int k = 0; k <= 3; ++k)
        x[pkm_beam_mesh_coordinate(c->mesh, last_node(c, k), 0)] = 1.0;
    for (int i = 0; i < c->n; ++i)
        for (int j = 0; j < c->n; ++j)
            sum += x[i] * c->M[j * c->n + i] * x[j];
    CHECK_NEAR(sum, 2.0 * 2.0 + 0.5, 1e-13);
    CHECK_NEAR(pkm_beam_mesh_total_mass(c->mesh), 4.5, 1e-14);
    case_free(c);
}

static void check_refused(pkm_beam_line line, const char* text)
{
    pkm_beam_mesh* mesh = NULL;
    pkm_error err;
    int index;
    CHECK(pkm_beam_mesh_create(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, &mesh) == PKM_OK);
    CHECK(pkm_beam_mesh_add_line(mesh, &line, &index, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, text);
    pkm_beam_mesh_free(mesh);
}

static void bad_lines_are_named(void)
{
    const pkm_beam_section good = bar_section(), none = {0};
    const pkm_vec3 o = {0};
    check_refused(pkm_beam_line_make(o, ALONG_X, 0, &good, bar_material()), "0 elements");
    check_refused(pkm_beam_line_make(o, ALONG_X, 2, &none, bar_material()), "area 0 m2");
    check_refused(pkm_beam_line_make(o, ALONG_X, 2, &good, (pkm_beam_material){0}),
                  "Young's modulus 0 Pa");
    check_refused(pkm_beam_line_make(o, o, 2, &good, bar_material()), "length of an element 0 m");
    check_refused(pkm_beam_line_make(o, (pkm_vec3){NAN, 0, 0}, 2, &good, bar_material()),
                  "node at");
    pkm_beam_line line = pkm_beam_line_make(o, ALONG_X, 3, &good, bar_material());
    line.n_section = 2;
    check_refused(line, "2 sections for 3 elements");
    line = pkm_beam_line_make(o, ALONG_X, 3, &good, bar_material());
    line.first = 4;
    check_refused(line, "node 4");
}

static void bad_meshes_are_named(void)
{
    pkm_error err;
    beam_case* c = case_create(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
    CHECK(pkm_beam_mesh_finish(c->mesh, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "no elements");
    case_free(c);

    c = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, 2, ALONG_X, Y);
    int far, node;
    CHECK(pkm_beam_mesh_add_node(c->mesh, (pkm_vec3){5, 0, 0}, &far, &err) == PKM_OK);
    CHECK(pkm_beam_mesh_finish(c->mesh, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "(5, 0, 0) is not connected");
    CHECK(pkm_beam_mesh_follow(c->mesh, far, last_node(c, 2), 0, NULL, &err) == PKM_OK);
    CHECK(pkm_beam_mesh_fix(c->mesh, far, 1, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "follows");
    CHECK(pkm_beam_mesh_add_node(c->mesh, (pkm_vec3){6, 0, 0}, &node, &err) == PKM_OK);
    CHECK(pkm_beam_mesh_follow(c->mesh, node, far, 0, NULL, &err) == PKM_OK);
    CHECK(pkm_beam_mesh_finish(c->mesh, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "which follows another");
    CHECK(pkm_beam_mesh_follow(c->mesh, 77, far, 0, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_beam_mesh_follow(c->mesh, far, far, 0, NULL, &err) == PKM_ERR_ARGUMENT);
    CHECK(pkm_beam_mesh_add_mass(c->mesh, 0, -1.0, (pkm_vec3){0}, (pkm_mat3){0}, &err) ==
          PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "mass -1 kg");
    CHECK(pkm_beam_mesh_fix(c->mesh, 0, 64, &err) == PKM_ERR_ARGUMENT);
    case_free(c);

    c = bar(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER, 1, ALONG_X, Y);
    clamp(c, 0);
    clamp(c, 1);
    CHECK(pkm_beam_mesh_finish(c->mesh, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, "every coordinate is fixed");
    case_free(c);
}

/// Every allocation of building may fail.
static void failing_memory_is_reported(void)
{
    const pkm_beam_section s = bar_section();
    int n_failed = 0;
    for (size_t n = 1; n < 100; ++n) {
        pkm_beam_mesh* mesh = NULL;
        int line;
        pkm_alloc_fail_at(n);
        pkm_status status = pkm_beam_mesh_create(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_EULER, &mesh);
        const pkm_beam_line bar2 =
            pkm_beam_line_make((pkm_vec3){0}, ALONG_X, 3, &s, bar_material());
        if (status == PKM_OK) status = pkm_beam_mesh_add_line(mesh, &bar2, &line, NULL);
        if (status == PKM_OK)
            status = pkm_beam_mesh_add_mass(mesh, 1, 1.0, (pkm_vec3){0}, (pkm_mat3){0}, NULL);
        if (status == PKM_OK) status = pkm_beam_mesh_finish(mesh, NULL);
        pkm_alloc_fail_at(0);
        pkm_beam_mesh_free(mesh);
        if (status == PKM_OK) break;
        CHECK(status == PKM_ERR_MEMORY);
        ++n_failed;
    }
    CHECK(n_failed >= 8);
    pkm_beam_mesh_free(NULL);
}

/// Forces of bending and even stretch are those of an energy: their differences are the tangent
/// N G + K_c.
static void shortening_has_a_tangent(void)
{
    enum { N = 3, SIZE = 80 };
    for (int s = 0; s < 2; ++s) {
        beam_case* c = bar((pkm_beam_shape)s, PKM_BEAM_EULER, N, ALONG_X, Y);
        assemble(c);
        const int n = c->n;
        double *K = calloc((size_t)n * (size_t)n, sizeof *K),
               *G = calloc((size_t)n * (size_t)n, sizeof *G);
        double q[SIZE], dq[SIZE], force[3 * N], f[4][SIZE], work[2 * SIZE], most = 0.0;
        for (int i = 0; i < n; ++i) {
            q[i] = 0.01 * sin(3.0 * i + 1.0);
            dq[i] = cos(5.0 * i);
        }
        for (int k = 0; k <= N; ++k) { // stretched evenly
            const int u = pkm_beam_mesh_coordinate(c->mesh, last_node(c, k), 0);
            q[u] = 0.002 * k / N;
            dq[u] = 0.3 * k / N;
        }
        const double h = 1e-3, step[4] = {-2.0 * h, -h, h, 2.0 * h};
        for (int side = 0; side < 4; ++side) {
            double at[SIZE];
            for (int i = 0; i < n; ++i)
                at[i] = q[i] + step[side] * dq[i];
            pkm_beam_mesh_shortening(c->mesh, at, force, K, f[side], work);
        }
        pkm_beam_mesh_shortening(c->mesh, q, force, K, work, work + n);
        pkm_beam_mesh_geometric(c->mesh, force, G);
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int j = 0; j < n; ++j)
                sum += (K[j * n + i] + G[j * n + i]) * dq[j];
            const double slope = (8.0 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12.0 * h);
            CHECK_NEAR(slope, sum, 1e-6); // forces are cubic, so that five points are exact
            most = fmax(most, fabs(sum));
        }
        CHECK(most > 1e4);
        free(K);
        free(G);
        case_free(c);
    }
}

int main(void)
{
    RUN(shortening_has_a_tangent);
    RUN(tip_loads_bend_a_cantilever);
    RUN(shear_adds_its_deflection);
    RUN(distributed_loads_are_consistent);
    RUN(steps_of_section_are_exact);
    RUN(strains_may_jump_at_a_loaded_node);
    RUN(rigid_end_equals_a_mass_beside_the_node);
    RUN(rigid_stub_carries_the_moment);
    RUN(joints_release_only_their_axes);
    RUN(a_moved_mesh_is_a_new_mesh);
    RUN(mass_matrix_moves_the_whole_mass);
    RUN(bad_lines_are_named);
    RUN(bad_meshes_are_named);
    RUN(failing_memory_is_reported);
    return check_report();
}
