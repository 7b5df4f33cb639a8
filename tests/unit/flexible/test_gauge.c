// What is read off a bent link, against bars of Euler and Bernoulli by hand.
#include "flexible/gauge.h"
#include "unit/flexible/links.h"

#include <string.h>

static const double PI = 3.14159265358979323846;
static const double L = 1.0, E = 207e9, D = 0.02;
enum { N_PLACE = 2 };
static const double PLACE[N_PLACE] = {0.25, 0.7};

static double area(void)
{
    return PI * D * D / 4.0;
}

static double bending_stiffness(void)
{
    return E * PI * D * D * D * D / 64.0;
}

/// A round bar along x between two ball joints, all modes kept: any load has its exact shape.
static pkm_flexible_body* make_bar(pkm_description** desc, int n_element)
{
    *desc = engine_parse(
        LINK_HEAD
        "bodies:\n"
        "  link:\n"
        "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
        "    shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n"
        "  load: {mass: 1, inertia: [1, 1, 1], points: {B: [0, 0, 0]}, pose: {at: [1, 0, 0]}}\n"
        "joints:\n"
        "  A: {type: spherical, between: [ground.O, link.A]}\n"
        "  B: {type: spherical, between: [link.B, load.B]}\n");
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    spec.n_element = n_element;
    spec.keep = PKM_FLEXIBLE_KEEP_FULL;
    spec.n_place = N_PLACE;
    memcpy(spec.place, PLACE, sizeof PLACE);
    return link_body(*desc, LINK_BODY, &spec);
}

/// Add what a force and a torque at a sample make of the modal coordinates: z = phi f / omega^2,
/// for loads that are in balance.
static void load(const pkm_flexible_body* body, int sample, pkm_vec3 force, pkm_vec3 torque,
                 double* z)
{
    for (int j = 0; j < body->n_mode; ++j) {
        const double* phi = body->recover + PKM_FLEXIBLE_RECOVER * (sample * body->n_mode + j);
        const double work = phi[0] * force.x + phi[1] * force.y + phi[2] * force.z +
                            phi[3] * torque.x + phi[4] * torque.y + phi[5] * torque.z;
        z[j] += work / (body->omega[j] * body->omega[j]);
    }
}

/// The samples at both ends of the bar.
static int first_end(void)
{
    return 1;
}

static int last_end(const pkm_flexible_body* body)
{
    return 2 * body->n_element;
}

static const pkm_vec3 NO = {0.0, 0.0, 0.0};
static const pkm_modal_axial LINEAR = {NULL, NULL};

// F in the middle and -F/2 at both ends: w(x) = F x (3 L^2 - 4 x^2) / (48 E I) up to the middle,
// from there mirrored; slopes of F L^2 / (16 E I) at the ends; the moment F x / 2.
static void a_bar_on_three_points_bends_as_by_hand(void)
{
    pkm_description* desc = NULL;
    pkm_flexible_body* body = make_bar(&desc, 8);
    const double F = 100.0, EI = bending_stiffness(), W = PI * D * D * D / 32.0;
    const pkm_vec3 across = {0.0, 0.6, 0.8};
    double z[64] = {0.0};
    CHECK(body->n_mode <= 64);
    load(body, 0, pkm_vec3_scale(F, across), NO, z);
    load(body, first_end(), pkm_vec3_scale(-0.5 * F, across), NO, z);
    load(body, last_end(body), pkm_vec3_scale(-0.5 * F, across), NO, z);

    const pkm_flexible_gauge g = pkm_flexible_gauge_make(body, NULL);
    CHECK(!g.from_tangent && g.last != PKM_NONE);
    CHECK_NEAR(g.length, L, 1e-12);
    CHECK_NEAR(g.buckling, PI * PI * EI / (L * L), 1e-9 * EI);
    const pkm_flexible_reading now = pkm_flexible_gauge_read(&g, z, LINEAR);
    const double most = F * L * L * L / (48.0 * EI);
    CHECK_NEAR(now.deflection, most, 1e-6 * most);
    CHECK_NEAR(now.largest, most, 1e-6 * most);
    CHECK_NEAR(now.turn, F * L * L / (16.0 * EI), 1e-6 * most);
    CHECK_NEAR(now.stress, 0.25 * F * L / W, 1e-5 * F * L / W);
    CHECK_NEAR(now.twist, 0.0, 1e-9);
    CHECK_NEAR(now.axial, 0.0, 1e-6 * F);

    for (int k = 0; k < N_PLACE; ++k) {
        const double x = fmin(PLACE[k], L - PLACE[k]);
        const double w = F * x * (3.0 * L * L - 4.0 * x * x) / (48.0 * EI);
        const pkm_flexible_place_reading at = pkm_flexible_gauge_place(&g, k, z, LINEAR);
        const pkm_mat3* axes = &body->sample[body->n_sample - N_PLACE + k].axes;
        const double sense = axes->x.x; // of the element, along the line or against it
        CHECK_NEAR(fabs(sense), 1.0, 1e-12);
        CHECK_NEAR(at.deflection, w, 1e-6 * w);
        CHECK_NEAR(at.stress, 0.5 * F * x / W, 1e-5 * F * L / W);
        CHECK_NEAR(at.bend.y, w * pkm_vec3_dot(across, axes->y), 1e-6 * w);
        CHECK_NEAR(at.bend.z, w * pkm_vec3_dot(across, axes->z), 1e-6 * w);
        CHECK_NEAR(at.bend.stretch, 0.0, 1e-6 * w);
    }
    pkm_flexible_body_free(body);
    pkm_description_free(desc);
}

// Torques T, -T about the bar turn one end against the other by T L / (G J), a place by its share.
static void a_bar_twists_as_by_hand(void)
{
    pkm_description* desc = NULL;
    pkm_flexible_body* body = make_bar(&desc, 8);
    const double T = 20.0, GJ = E / (2.0 * 1.29) * PI * D * D * D * D / 32.0;
    double z[64] = {0.0};
    load(body, first_end(), NO, (pkm_vec3){-T, 0.0, 0.0}, z);
    load(body, last_end(body), NO, (pkm_vec3){T, 0.0, 0.0}, z);
    const pkm_flexible_gauge g = pkm_flexible_gauge_make(body, NULL);
    const double sense = g.along.x, whole = sense * T * L / GJ;
    // about the line from the first joint to the last, either way round, the sign is the same
    CHECK_NEAR(pkm_flexible_gauge_read(&g, z, LINEAR).twist, sense * whole, 1e-6 * T * L / GJ);
    for (int k = 0; k < N_PLACE; ++k) {
        const double share = sense > 0.0 ? PLACE[k] : L - PLACE[k];
        CHECK_NEAR(pkm_flexible_gauge_place(&g, k, z, LINEAR).twist, share * T * L / GJ,
                   1e-6 * T * L / GJ);
    }
    pkm_flexible_body_free(body);
    pkm_description_free(desc);
}

// Moments M at both ends bend the bar to a circle of the curvature M / (E I): from the tangent at
// one end, the middle is off by M (L/2)^2 / (2 E I) and the other end by four times that.
static void a_carried_bar_is_read_from_its_tangent(void)
{
    pkm_description* desc = NULL;
    pkm_flexible_body* body = make_bar(&desc, 8);
    const double M = 30.0, off = M * L * L / (8.0 * bending_stiffness());
    const pkm_vec3 clamped = NO;
    double z[64] = {0.0};
    load(body, first_end(), NO, (pkm_vec3){0.0, -M, 0.0}, z);
    load(body, last_end(body), NO, (pkm_vec3){0.0, M, 0.0}, z);
    const pkm_flexible_gauge g = pkm_flexible_gauge_make(body, &clamped);
    CHECK(g.from_tangent);
    const pkm_flexible_reading now = pkm_flexible_gauge_read(&g, z, LINEAR);
    CHECK_NEAR(now.deflection, off, 1e-6 * off);
    CHECK_NEAR(now.largest, 4.0 * off, 1e-6 * off);
    CHECK_NEAR(now.turn, 8.0 * off / L, 1e-6 * off);
    CHECK_NEAR(now.stress, M * 32.0 / (PI * D * D * D), 1e-5 * M * 32.0 / (PI * D * D * D));
    pkm_flexible_body_free(body);
    pkm_description_free(desc);
}

// Means of a force that falls along an unbent bar, N = a - b x as under its weight: each place has
// its own force, the ends the largest of both signs. And of that, what no mode has shifts places
// along the line.
static void axial_forces_change_along_elements(void)
{
    for (int n = 5; n <= 6; ++n) {
        pkm_description* desc = NULL;
        pkm_flexible_body* body = make_bar(&desc, n);
        double force[6], loose[6], z[64] = {0.0};
        const double a = 130.0, b = 400.0, up = body->sample[1].axes.x.x;
        for (int e = 0; e < n; ++e) {
            force[e] = a - b * body->sample[1 + 2 * e].at.x - 0.5 * b * up * L / n;
            loose[e] = 1e-6 * (e + 1);
        }
        const pkm_modal_axial axial = {force, loose};
        const pkm_flexible_gauge g = pkm_flexible_gauge_make(body, NULL);
        const pkm_flexible_reading now = pkm_flexible_gauge_read(&g, z, axial);
        const double least = a - b * L, largest = fmax(a, -least);
        CHECK_NEAR(now.axial, a - 0.5 * b * L, 1e-9);
        CHECK_NEAR(now.stress, largest / area(), 1e-9 * largest / area());
        CHECK_NEAR(now.compression, -least, 1e-9);
        for (int k = 0; k < N_PLACE; ++k) {
            const double want = fabs(a - b * PLACE[k]) / area();
            const pkm_flexible_place_reading at = pkm_flexible_gauge_place(&g, k, z, axial);
            // 1e-6 (1 + 2 + .. + e) and a part of the element that it lies in
            const double from_A = PLACE[k] * n, e = floor(from_A), all = 0.5e-6 * n * (n + 1);
            const double shift = 1e-6 * (0.5 * e * (e + 1.0) + (e + 1.0) * (from_A - e));
            CHECK_NEAR(at.stress, want, 1e-9 * want);
            CHECK_NEAR(at.bend.stretch, g.along.x > 0.0 ? shift : all - shift, 1e-15);
        }
        pkm_flexible_body_free(body);
        pkm_description_free(desc);
    }
}

int main(void)
{
    RUN(a_bar_on_three_points_bends_as_by_hand);
    RUN(a_bar_twists_as_by_hand);
    RUN(a_carried_bar_is_read_from_its_tangent);
    RUN(axial_forces_change_along_elements);
    return check_report();
}
