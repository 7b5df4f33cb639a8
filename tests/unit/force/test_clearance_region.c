#include "force/clearance_region.h"

#include "check.h"

static const pkm_clearance sizes = {
    .radial = 1e-4, .length = 0.04, .axial = 3e-5, .width = 0.03, .height = 0.02};
static const pkm_joint_type types[] = {PKM_JOINT_SPHERICAL, PKM_JOINT_REVOLUTE,
                                       PKM_JOINT_CYLINDRICAL, PKM_JOINT_PRISMATIC,
                                       PKM_JOINT_UNIVERSAL};
enum { N_TYPE = sizeof types / sizeof types[0] };

/// A repeatable number in [-1, 1].
static double noise(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static double dot(const double* a, const double* b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

/// Force and moment do the same work on shift and turn as their loads on the coordinates.
static void loads_are_dual_to_coordinates(void)
{
    unsigned seed = 7;
    for (int t = 0; t < N_TYPE; ++t) {
        const pkm_region p = pkm_region_make(&sizes, types[t]);
        for (int k = 0; k < 20; ++k) {
            double y[5], f[5];
            const pkm_vec3 F = {noise(&seed), noise(&seed), noise(&seed)};
            const pkm_vec3 M = {noise(&seed), noise(&seed), noise(&seed)};
            for (int i = 0; i < 5; ++i)
                y[i] = 1e-4 * noise(&seed);
            const pkm_clearance_offset clearance = pkm_region_offset(&p, y);
            pkm_region_load(&p, F, M, f);
            CHECK_NEAR(dot(f, y, pkm_region_n(&p)),
                       pkm_vec3_dot(F, clearance.shift) + pkm_vec3_dot(M, clearance.turn), 1e-18);
        }
    }
}

/// A pin pressed by a force alone shifts to the wall; by a moment alone it tilts about its middle
/// until both ends touch, by 2 radial / length.
static void a_pin_shifts_under_a_force_and_tilts_under_a_moment(void)
{
    const pkm_region p = pkm_region_make(&sizes, PKM_JOINT_REVOLUTE);
    double f[5], y[5];
    pkm_region_load(&p, (pkm_vec3){3.0, -4.0, 0.0}, (pkm_vec3){0.0, 0.0, 0.0}, f);
    CHECK_NEAR(pkm_region_extreme(&p, f, 0.0, y), 5.0 * 1e-4, 1e-18);
    pkm_clearance_offset clearance = pkm_region_offset(&p, y);
    CHECK_NEAR(clearance.shift.x, 0.6e-4, 1e-18);
    CHECK_NEAR(clearance.shift.y, -0.8e-4, 1e-18);
    CHECK_NEAR(pkm_vec3_norm(clearance.turn), 0.0, 1e-18);

    pkm_region_load(&p, (pkm_vec3){0.0, 0.0, 0.0}, (pkm_vec3){0.0, 2.0, 0.0}, f);
    pkm_region_extreme(&p, f, 0.0, y);
    clearance = pkm_region_offset(&p, y);
    CHECK_NEAR(pkm_vec3_norm(clearance.shift), 0.0, 1e-18);
    CHECK_NEAR(clearance.turn.y, 2.0 * 1e-4 / 0.04, 1e-15);
    CHECK_NEAR(clearance.turn.x, 0.0, 1e-18);

    pkm_region_load(&p, (pkm_vec3){0.0, 0.0, -1.0}, (pkm_vec3){0.0, 0.0, 0.0}, f);
    pkm_region_extreme(&p, f, 0.0, y);
    CHECK_NEAR(pkm_region_offset(&p, y).shift.z, -3e-5, 1e-18);
}

/// A slider of 30 x 20 mm turned about its axis touches with the corners of its longer sides.
static void a_slider_rolls_until_its_corners_touch(void)
{
    const pkm_region p = pkm_region_make(&sizes, PKM_JOINT_PRISMATIC);
    double f[5], y[5];
    pkm_region_load(&p, (pkm_vec3){0.0, 0.0, 0.0}, (pkm_vec3){0.0, 0.0, 1.0}, f);
    CHECK_NEAR(pkm_region_extreme(&p, f, 0.0, y), 1e-4 / 0.015, 1e-14);
    CHECK_NEAR(pkm_region_offset(&p, y).turn.z, 1e-4 / 0.015, 1e-14);
    pkm_region_load(&p, (pkm_vec3){5.0, 0.0, 0.0}, (pkm_vec3){0.0, 0.0, 1e-3}, f);
    CHECK_NEAR(pkm_region_extreme(&p, f, 0.0, y), 5e-4, 1e-16);
    CHECK_NEAR(pkm_region_offset(&p, y).turn.z, 0.0, 1e-16);
}

/// The extreme lies on the edge of the set, and no random admissible place gains more.
static void nothing_admissible_gains_more_than_the_extreme(void)
{
    unsigned seed = 3;
    for (int t = 0; t < N_TYPE; ++t) {
        const pkm_region p = pkm_region_make(&sizes, types[t]);
        const int n = pkm_region_n(&p);
        for (int k = 0; k < 50; ++k) {
            double f[5], y[5], best = 0.0;
            for (int i = 0; i < n; ++i)
                f[i] = noise(&seed);
            const double most = pkm_region_extreme(&p, f, 0.0, y);
            CHECK_NEAR(pkm_region_outside(&p, y), 0.0, 1e-18);
            CHECK_NEAR(most, dot(f, y, n), 1e-18);
            for (int m = 0; m < 2000; ++m) {
                double x[5];
                for (int i = 0; i < n; ++i)
                    x[i] = 1e-4 * noise(&seed);
                if (pkm_region_outside(&p, x) <= 0.0) best = fmax(best, dot(f, x, n));
            }
            CHECK(best <= most);
        }
    }
}

/// dy/df against difference quotients, for the sets where it is complete.
static void yield_is_the_derivative_of_the_extreme(void)
{
    unsigned seed = 11;
    for (int t = 0; t < N_TYPE; ++t) {
        if (types[t] == PKM_JOINT_PRISMATIC) continue;
        const pkm_region p = pkm_region_make(&sizes, types[t]);
        const int n = pkm_region_n(&p);
        double f[5], H[25], plus[5], minus[5];
        for (int i = 0; i < n; ++i)
            f[i] = noise(&seed);
        pkm_region_yield(&p, f, 0.3, H);
        for (int j = 0; j < n; ++j) {
            const double keep = f[j], h = 1e-5;
            f[j] = keep + h;
            pkm_region_extreme(&p, f, 0.3, plus);
            f[j] = keep - h;
            pkm_region_extreme(&p, f, 0.3, minus);
            f[j] = keep;
            for (int i = 0; i < n; ++i)
                CHECK_NEAR(H[i + j * n], (plus[i] - minus[i]) / (2.0 * h), 1e-13);
        }
    }
}

/// A load of rounding size leaves the journal in the middle.
static void rounding_does_not_press(void)
{
    const pkm_region p = pkm_region_make(&sizes, PKM_JOINT_REVOLUTE);
    const double f[5] = {1.0, 0.0, 1.0, 0.0, 1e-14};
    double y[5];
    pkm_region_extreme(&p, f, 1e-9, y);
    CHECK(fabs(y[4]) < 1e-9);
    CHECK_NEAR(y[0], 1e-4, 1e-12);
}

int main(void)
{
    RUN(loads_are_dual_to_coordinates);
    RUN(a_pin_shifts_under_a_force_and_tilts_under_a_moment);
    RUN(a_slider_rolls_until_its_corners_touch);
    RUN(nothing_admissible_gains_more_than_the_extreme);
    RUN(yield_is_the_derivative_of_the_extreme);
    RUN(rounding_does_not_press);
    return check_report();
}
