#include "closed/circles.h"

#include "check.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static double uniform(double low, double high)
{
    return low + (high - low) * (double)rand() / RAND_MAX;
}

static pkm_vec3 random_vector(double size)
{
    return pkm_vec3_make(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

/// Circles of any radius and direction with centres within 1 m.
static void random_circles(pkm_circle circle[3])
{
    for (int i = 0; i < 3; ++i) {
        circle[i].center = random_vector(0.5);
        circle[i].u = pkm_vec3_unit(random_vector(1.0));
        circle[i].w = pkm_vec3_unit(pkm_vec3_cross(circle[i].u, random_vector(1.0)));
        circle[i].radius = uniform(0.2, 1.0);
    }
}

static void distances_at(const pkm_circle circle[3], const double angle[3], double distance[3])
{
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const pkm_vec3 a = pkm_circle_point(&circle[i], angle[i]);
        distance[i] = pkm_vec3_norm(pkm_vec3_sub(a, pkm_circle_point(&circle[j], angle[j])));
    }
}

static void random_angles(double angle[3])
{
    for (int i = 0; i < 3; ++i)
        angle[i] = uniform(-pi, pi);
}

static double apart(const double a[3], const double b[3])
{
    double largest = 0.0;
    for (int i = 0; i < 3; ++i)
        largest = fmax(largest, fabs(remainder(a[i] - b[i], 2.0 * pi)));
    return largest;
}

static void the_angles_we_started_from_are_found(void)
{
    srand(1);
    for (int k = 0; k < 300; ++k) {
        pkm_circle circle[3];
        double start[3], distance[3], angle[PKM_CIRCLES_MAX][3], best = HUGE_VAL;
        random_circles(circle);
        random_angles(start);
        distances_at(circle, start, distance);
        const int n = pkm_circles_solve(circle, distance, angle, NULL);
        for (int s = 0; s < n; ++s)
            best = fmin(best, apart(start, angle[s]));
        CHECK_NEAR(best, 0.0, 1e-9); // conditioning costs some of the 16 digits
    }
}

static void every_solution_meets_the_distances_and_there_is_an_even_number(void)
{
    srand(2);
    int largest_number = 0;
    for (int k = 0; k < 300; ++k) {
        pkm_circle circle[3];
        double start[3], distance[3], angle[PKM_CIRCLES_MAX][3], reached[3];
        random_circles(circle);
        random_angles(start);
        distances_at(circle, start, distance);
        const int n = pkm_circles_solve(circle, distance, angle, NULL);
        CHECK(n > 0 && n % 2 == 0);
        if (n > largest_number) largest_number = n;
        for (int s = 0; s < n; ++s) {
            distances_at(circle, angle[s], reached);
            for (int i = 0; i < 3; ++i)
                CHECK_NEAR(reached[i], distance[i], 1e-12);
        }
    }
    CHECK(largest_number >= 8);
}

/// Second (or third) angle for the first one: the branch `sign` of the distance equation between
/// the points of `a` at `angle` and of `b`. NaN where there is none. Written without the solver's
/// forms.
static double follow(const pkm_circle* a, double angle, const pkm_circle* b, double distance,
                     double sign)
{
    const pkm_vec3 e = pkm_vec3_sub(pkm_circle_point(a, angle), b->center);
    const double x = pkm_vec3_dot(e, b->u), y = pkm_vec3_dot(e, b->w);
    const double c = (pkm_vec3_dot(e, e) + b->radius * b->radius - distance * distance) /
                     (2.0 * b->radius * hypot(x, y));
    return atan2(y, x) + sign * acos(c);
}

/// Count sign changes of the last equation over the four branches: a count of the solutions that
/// shares nothing with the elimination. Steps must be finer than the solutions are apart.
static int count_by_scanning(const pkm_circle circle[3], const double distance[3], int n_step)
{
    int n = 0;
    for (int branch = 0; branch < 4; ++branch) {
        double before = NAN;
        for (int k = 0; k <= n_step; ++k) {
            const double first = -pi + 2.0 * pi * k / n_step;
            const double s2 = branch & 1 ? 1.0 : -1.0, s3 = branch & 2 ? 1.0 : -1.0;
            const double second = follow(&circle[0], first, &circle[1], distance[0], s2);
            const double third = follow(&circle[0], first, &circle[2], distance[2], s3);
            const pkm_vec3 side = pkm_vec3_sub(pkm_circle_point(&circle[1], second),
                                               pkm_circle_point(&circle[2], third));
            const double now = pkm_vec3_norm(side) - distance[1];
            if (before * now < 0.0) ++n;
            before = now;
        }
    }
    return n;
}

// Where a branch begins or ends inside a step the scan misses a solution, so it counts most of
// them, and never one that is not there.
static void no_solution_is_missed(void)
{
    srand(3);
    int n_total = 0, n_scan_total = 0;
    for (int k = 0; k < 100; ++k) {
        pkm_circle circle[3];
        double start[3], distance[3], angle[PKM_CIRCLES_MAX][3];
        random_circles(circle);
        random_angles(start);
        distances_at(circle, start, distance);
        const int n = pkm_circles_solve(circle, distance, angle, NULL);
        const int n_scan = count_by_scanning(circle, distance, 20000);
        CHECK(n_scan <= n);
        n_total += n;
        n_scan_total += n_scan;
    }
    CHECK(n_scan_total > 0.95 * n_total);
}

// Three equal circles in radial planes at 120 degrees: the solutions (a,a,b), (a,b,a), (b,a,a)
// share first angles, so the eliminant has double roots.
static void solutions_that_share_a_first_angle_are_all_found(void)
{
    pkm_circle circle[3];
    double distance[3], angle[PKM_CIRCLES_MAX][3];
    for (int i = 0; i < 3; ++i) {
        const double azimuth = 2.0 * pi * i / 3.0;
        circle[i].u = pkm_vec3_make(cos(azimuth), sin(azimuth), 0.0);
        circle[i].w = pkm_vec3_make(0.0, 0.0, 1.0);
        circle[i].center = pkm_vec3_scale(0.12, circle[i].u);
        circle[i].radius = 0.11;
        distance[i] = 0.05 * sqrt(3.0);
    }
    const int n = pkm_circles_solve(circle, distance, angle, NULL);
    CHECK(n % 2 == 0);
    for (int s = 0; s < n; ++s) {
        // The solution turned by one limb is a solution too.
        const double turned[3] = {angle[s][1], angle[s][2], angle[s][0]};
        double best = HUGE_VAL;
        for (int k = 0; k < n; ++k)
            best = fmin(best, apart(turned, angle[k]));
        CHECK_NEAR(best, 0.0, 1e-9);
    }
}

static void circles_out_of_reach_tell_by_how_much(void)
{
    // Coaxial unit circles in planes 3 apart, points asked to be 1 apart: the first and the third
    // are 6 apart at best.
    pkm_circle circle[3];
    double distance[3] = {1.0, 1.0, 1.0}, angle[PKM_CIRCLES_MAX][3], gap = 0.0;
    for (int i = 0; i < 3; ++i)
        circle[i] = (pkm_circle){{3.0 * i, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, 1.0};
    CHECK(pkm_circles_solve(circle, distance, angle, &gap) == 0);
    CHECK_NEAR(gap, 5.0, 1e-6);
}

int main(void)
{
    RUN(the_angles_we_started_from_are_found);
    RUN(every_solution_meets_the_distances_and_there_is_an_even_number);
    RUN(no_solution_is_missed);
    RUN(solutions_that_share_a_first_angle_are_all_found);
    RUN(circles_out_of_reach_tell_by_how_much);
    return check_report();
}
