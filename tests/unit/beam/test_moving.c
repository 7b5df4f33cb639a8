// Meshes on a rigid motion: jets, and what turning axes add, against motions that are known.
#include "kuo/moving_mesh.h"
#include "unit/beam/beams.h"

/// A frame that turns about a moving axis and travels: pose, velocities, accelerations at an
/// instant.
static const pkm_vec3 OMEGA = {0.7, -1.1, 2.3}, ALPHA = {-3.0, 1.5, 0.4};
static const pkm_vec3 TRAVEL_V = {0.2, 0.5, -0.9}, TRAVEL_A = {2.0, -1.0, 3.0};

static pkm_beam_jet carried(pkm_vec3 r)
{
    pkm_beam_jet j = pkm_beam_jet_turning(r, OMEGA, ALPHA);
    j.v = pkm_vec3_add(j.v, TRAVEL_V);
    j.a = pkm_vec3_add(j.a, TRAVEL_A);
    return j;
}

static void check_vector(pkm_vec3 a, pkm_vec3 b, double tolerance)
{
    CHECK_NEAR(a.x, b.x, tolerance);
    CHECK_NEAR(a.y, b.y, tolerance);
    CHECK_NEAR(a.z, b.z, tolerance);
}

/// Vectors by polynomials of time, for difference quotients.
static pkm_beam_jet polynomial(double t, int which)
{
    const double s = which == 0 ? 1.0 : -0.7;
    return (pkm_beam_jet){{1.0 + t * t * s, 0.3 - t, s * t + 0.5 * t * t},
                          {2.0 * t * s, -1.0, s + t},
                          {2.0 * s, 0.0, 1.0}};
}

static pkm_beam_jet mixed(double t)
{
    const pkm_beam_jet a = polynomial(t, 0), b = polynomial(t, 1);
    const pkm_beam_jet c = pkm_beam_jet_unit(pkm_beam_jet_cross(a, b));
    return pkm_beam_jet_sub(pkm_beam_jet_scale(pkm_beam_jet_dot(a, b), c),
                            pkm_beam_jet_between(a, c, 0.3));
}

static void jets_differentiate(void)
{
    const double h = 1e-4, t = 0.4;
    const pkm_beam_jet here = mixed(t), after = mixed(t + h), before = mixed(t - h);
    check_vector(here.v, pkm_vec3_scale(0.5 / h, pkm_vec3_sub(after.x, before.x)), 1e-7);
    check_vector(here.a, pkm_vec3_scale(0.5 / h, pkm_vec3_sub(after.v, before.v)), 1e-6);
}

/// A superposed small turn eps about the origin moves every point by d = eps x r(t), so the inertia
/// of the deflection is that of the field eps x a(t). The straight elements hold this field
/// exactly; M q'' + C q' + D q must be its load. Torsional inertia is made negligible, since loads
/// leave it out.
typedef struct turned_body {
    beam_case* c;
    double q[BEAM_MAX], v[BEAM_MAX], a[BEAM_MAX];
    pkm_vec3 b[BEAM_MAX]; ///< eps x acceleration at the nodes
} turned_body;

static const pkm_vec3 EPS = {0.3, -0.2, 0.5};

static void set_coordinates(turned_body* body, int node, int first, pkm_beam_jet value)
{
    const double x[3] = {value.x.x, value.x.y, value.x.z}, v[3] = {value.v.x, value.v.y, value.v.z},
                 a[3] = {value.a.x, value.a.y, value.a.z};
    for (int k = 0; k < 3; ++k) {
        const int at = pkm_beam_mesh_coordinate(body->c->mesh, node, first + k);
        if (at == PKM_NONE) continue;
        body->q[at] = x[k];
        body->v[at] = v[k];
        body->a[at] = a[k];
    }
}

/// A node with its own coordinates at the moving point r.
static void turn_node(turned_body* body, int node, pkm_beam_jet r)
{
    set_coordinates(body, node, 0, pkm_beam_jet_cross(pkm_beam_jet_rest(EPS), r));
    set_coordinates(body, node, 3, pkm_beam_jet_rest(EPS));
}

/// Largest part of M q'' + C q' + D q - load against the load.
static double misfit(const turned_body* body)
{
    const beam_case* c = body->c;
    const int n = c->n;
    double* C = calloc((size_t)(2 * n * n), sizeof *C);
    double *D = C + n * n, f[BEAM_MAX], worst = 0.0, largest = 0.0;
    pkm_beam_mesh_mass(c->mesh, c->M);
    pkm_beam_mesh_coupling(c->mesh, C, D);
    pkm_beam_mesh_load(c->mesh, body->b, f);
    for (int i = 0; i < n; ++i) {
        double sum = -f[i];
        for (int j = 0; j < n; ++j)
            sum += c->M[j * n + i] * body->a[j] + C[j * n + i] * body->v[j] +
                   D[j * n + i] * body->q[j];
        worst = fmax(worst, fabs(sum));
        largest = fmax(largest, fabs(f[i]));
    }
    free(C);
    CHECK(largest > 0.1);
    return worst / largest;
}

static pkm_beam_section thin_section(void)
{
    pkm_beam_section s = bar_section();
    s.Ip = 1e-20;
    return s;
}

static pkm_vec3 eps_cross(pkm_vec3 a)
{
    return pkm_vec3_cross(EPS, a);
}

static void a_turned_bar_has_the_inertia_of_its_field(void)
{
    enum { N = 3 };
    turned_body* body = calloc(1, sizeof *body);
    const pkm_beam_section s = thin_section();
    const pkm_vec3 from = {0.1, 0.2, -0.1}, to = {0.7, -0.4, 0.5}, y = {0.0, 1.0, 0.3};
    body->c = case_create(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER);
    pkm_beam_line line = pkm_beam_line_make(from, to, N, &s, bar_material());
    line.y = y;
    CHECK(pkm_beam_mesh_add_line(body->c->mesh, &line, &body->c->line, NULL) == PKM_OK);
    assemble(body->c);
    pkm_beam_mesh_move_line(body->c->mesh, body->c->line, carried(from), carried(to),
                            pkm_beam_jet_turning(y, OMEGA, ALPHA));
    pkm_beam_mesh_update(body->c->mesh);
    for (int k = 0; k <= N; ++k) {
        const int node = last_node(body->c, k);
        const pkm_beam_jet r = pkm_beam_jet_between(carried(from), carried(to), (double)k / N);
        turn_node(body, node, r);
        body->b[node] = eps_cross(r.a);
    }
    CHECK(misfit(body) < 1e-12);

    // The hint need not be across the bar: its part along it turns with the bar.
    pkm_beam_mesh_move_line(body->c->mesh, body->c->line, carried(from), carried(to),
                            pkm_beam_jet_turning((pkm_vec3){1.0, 0.1, 2.0}, OMEGA, ALPHA));
    pkm_beam_mesh_update(body->c->mesh);
    CHECK(misfit(body) < 1e-12);
    case_free(body->c);
    free(body);
}

/// Two bars with a universal joint between them, whose second axis turns on its own; the second bar
/// follows over an arm as well. The relative angles change with the axes: alpha_k = e_k . eps.
static void joints_and_arms_move_with_the_body(void)
{
    enum { N = 2 };
    turned_body* body = calloc(1, sizeof *body);
    const pkm_beam_section s = thin_section();
    const pkm_vec3 r[4] = {{0, 0, 0}, {0.5, 0.1, 0}, {0.6, 0.15, 0.1}, {0.4, 0.9, 0.3}};
    const pkm_vec3 e0 = {0.6, 0.8, 0.0}, e1 = {0.0, 0.0, 1.0}, hint = {0.1, 0.2, 1.0};
    int line[2];
    pkm_beam_mesh* mesh = (body->c = case_create(PKM_BEAM_LINEAR_CUBIC, PKM_BEAM_EULER))->mesh;
    for (int k = 0; k < 2; ++k) {
        pkm_beam_line l = pkm_beam_line_make(r[2 * k], r[2 * k + 1], N, &s, bar_material());
        l.y = hint;
        CHECK(pkm_beam_mesh_add_line(mesh, &l, &line[k], NULL) == PKM_OK);
    }
    const int leader = pkm_beam_mesh_line_node(mesh, line[0], N);
    const int follower = pkm_beam_mesh_line_node(mesh, line[1], 0);
    CHECK(pkm_beam_mesh_follow(mesh, follower, leader, 2, (pkm_vec3[]){e0, e1}, NULL) == PKM_OK);
    assemble(body->c);

    // Both bars and the axes turn with the body, the axes with another rate about their normal.
    const pkm_vec3 normal = pkm_vec3_cross(e0, e1);
    const pkm_vec3 w = pkm_vec3_axpy(OMEGA, 1.7, normal);
    const pkm_vec3 alpha = pkm_vec3_add(
        ALPHA, pkm_vec3_axpy(pkm_vec3_scale(-0.6, normal), 1.7, pkm_vec3_cross(OMEGA, normal)));
    const pkm_beam_jet axis[2] = {pkm_beam_jet_turning(e0, w, alpha),
                                  pkm_beam_jet_turning(e1, w, alpha)};
    for (int k = 0; k < 2; ++k)
        pkm_beam_mesh_move_line(mesh, line[k], carried(r[2 * k]), carried(r[2 * k + 1]),
                                pkm_beam_jet_turning(hint, OMEGA, ALPHA));
    pkm_beam_mesh_move_axes(mesh, follower, axis);
    pkm_beam_mesh_update(mesh);
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i <= N; ++i) {
            const int node = pkm_beam_mesh_line_node(mesh, line[k], i);
            const pkm_beam_jet at =
                pkm_beam_jet_between(carried(r[2 * k]), carried(r[2 * k + 1]), (double)i / N);
            if (node != follower) turn_node(body, node, at);
            body->b[node] = eps_cross(at.a);
        }
    }
    for (int k = 0; k < 2; ++k) {
        const pkm_beam_jet1 angle = pkm_beam_jet_dot(axis[k], pkm_beam_jet_rest(EPS));
        const int at = pkm_beam_mesh_coordinate(mesh, follower, k);
        body->q[at] = angle.x;
        body->v[at] = angle.v;
        body->a[at] = angle.a;
    }
    pkm_vec3 d, turn;
    pkm_beam_mesh_node_motion(mesh, body->q, follower, &d, &turn);
    check_vector(turn, EPS, 1e-14);
    CHECK(misfit(body) < 1e-12);
    case_free(body->c);
    free(body);
}

/// At rest nothing is added; and the load of a motion is weight less acceleration.
static void a_mesh_at_rest_has_no_coupling(void)
{
    beam_case* c =
        bar(PKM_BEAM_CUBIC_QUINTIC, PKM_BEAM_EULER, 2, (pkm_vec3){1, 0, 0}, (pkm_vec3){0, 1, 0});
    assemble(c);
    double* C = calloc((size_t)(2 * c->n * c->n), sizeof *C);
    C[0] = NAN; // is overwritten
    pkm_beam_mesh_coupling(c->mesh, C, C + c->n * c->n);
    for (int k = 0; k < 2 * c->n * c->n; ++k)
        CHECK_NEAR(C[k], 0.0, 0.0);
    free(C);

    const pkm_vec3 gravity = {1.0, 2.0, 3.0}, from = {0, 0, 0}, to = {1, 0, 0};
    pkm_beam_mesh_move_line(c->mesh, c->line, carried(from), carried(to),
                            pkm_beam_jet_turning((pkm_vec3){0, 1, 0}, OMEGA, ALPHA));
    pkm_beam_mesh_update(c->mesh);
    pkm_vec3 b[3];
    for (int k = 0; k < 3; ++k)
        b[last_node(c, k)] =
            pkm_vec3_sub(gravity, pkm_beam_jet_between(carried(from), carried(to), 0.5 * k).a);
    double f[BEAM_MAX], g[BEAM_MAX];
    pkm_beam_mesh_load(c->mesh, b, f);
    pkm_beam_mesh_rigid_load(c->mesh, gravity, g);
    for (int k = 0; k < c->n; ++k)
        CHECK_NEAR(g[k], f[k], 1e-14);
    case_free(c);
}

int main(void)
{
    RUN(jets_differentiate);
    RUN(a_turned_bar_has_the_inertia_of_its_field);
    RUN(joints_and_arms_move_with_the_body);
    RUN(a_mesh_at_rest_has_no_coupling);
    return check_report();
}
