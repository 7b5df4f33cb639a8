#include "plot/contour.h"

#include "base/memory.h"
#include "check.h"

enum { N_X = 61, N_Y = 41 };

static const double pi = 3.14159265358979;
static double grid[N_X * N_Y];

/// value = (x - 30)^2 + (y - 20)^2: the level r^2 is a circle of radius r about (30, 20).
static void fill_bowl(void)
{
    for (int j = 0; j < N_Y; ++j)
        for (int i = 0; i < N_X; ++i)
            grid[i + N_X * j] = (i - 30.0) * (i - 30.0) + (j - 20.0) * (j - 20.0);
}

static pkm_contour* contour_at(double level)
{
    pkm_contour* contour = NULL;
    CHECK(pkm_contour_create(grid, N_X, N_Y, level, &contour) == PKM_OK);
    return contour;
}

/// Length of a line in grid steps.
static double length_of(const pkm_contour* contour, int line)
{
    const pkm_contour_line l = contour->line[line];
    double length = 0.0;
    for (int k = 1; k < l.n; ++k) {
        const double* p = contour->point + 2 * (l.first + k);
        length += hypot(p[0] - p[-2], p[1] - p[-1]);
    }
    return length;
}

// Linear interpolation of r^2 along an edge of length 1 is off by at most 1 / (8 r) in r. Chords up
// to sqrt(2) long are shorter than their arcs by 1 / (12 r^2) of the length.
static void a_bowl_has_one_circle(void)
{
    fill_bowl();
    for (double r = 5.0; r < 19.0; r += 1.7) {
        pkm_contour* contour = contour_at(r * r);
        CHECK(contour->n_line == 1 && contour->line[0].closed);
        for (int k = 0; k < contour->n_point; ++k) {
            const double* p = contour->point + 2 * k;
            CHECK_NEAR(hypot(p[0] - 30.0, p[1] - 20.0), r, 1.01 / (8.0 * r));
        }
        CHECK_NEAR(length_of(contour, 0), 2.0 * pi * r, 2.0 * pi * (1.0 / 8.0 + 1.0 / 12.0) / r);
        pkm_contour_free(contour);
    }
}

static void a_circle_cut_by_the_border_is_open_arcs(void)
{
    fill_bowl();
    pkm_contour* contour = contour_at(25.0 * 25.0); // beyond top and bottom, within left and right
    CHECK(contour->n_line == 2);
    for (int l = 0; l < contour->n_line; ++l) {
        const pkm_contour_line line = contour->line[l];
        CHECK(!line.closed);
        const double* first = contour->point + 2 * line.first;
        const double* last = first + 2 * (line.n - 1);
        CHECK(first[1] == 0.0 || first[1] == N_Y - 1);
        CHECK(last[1] == 0.0 || last[1] == N_Y - 1);
    }
    pkm_contour_free(contour);
}

static void points_follow_each_other_through_cells(void)
{
    fill_bowl();
    pkm_contour* contour = contour_at(140.0);
    for (int k = 1; k < contour->n_point; ++k) {
        const double* p = contour->point + 2 * k;
        CHECK(hypot(p[0] - p[-2], p[1] - p[-1]) <= sqrt(2.0));
    }
    pkm_contour_free(contour);
}

static void a_plane_has_a_straight_line(void)
{
    for (int j = 0; j < N_Y; ++j)
        for (int i = 0; i < N_X; ++i)
            grid[i + N_X * j] = 2.0 * i + j;
    pkm_contour* contour = contour_at(50.5);
    CHECK(contour->n_line == 1 && !contour->line[0].closed);
    for (int k = 0; k < contour->n_point; ++k)
        CHECK_NEAR(2.0 * contour->point[2 * k] + contour->point[2 * k + 1], 50.5, 1e-12);
    pkm_contour_free(contour);
}

static void masked_nodes_interrupt_lines(void)
{
    fill_bowl();
    grid[45 + N_X * 20] = NAN; // on the circle of radius 15
    pkm_contour* contour = contour_at(15.0 * 15.0);
    CHECK(contour->n_line == 1 && !contour->line[0].closed);
    for (int k = 0; k < contour->n_point; ++k) {
        const double* p = contour->point + 2 * k;
        CHECK(isfinite(p[0]) && isfinite(p[1]));
        CHECK(fabs(p[0] - 45.0) >= 1.0 || fabs(p[1] - 20.0) >= 1.0);
    }
    pkm_contour_free(contour);
}

// Corners 1 and 0 alternate; the mean 0.5 lies above 0.4 and below 0.6, so the high corners are
// joined in one case and cut off in the other. Both ways give two lines through the four edges.
static void saddles_give_two_lines(void)
{
    const double saddle[4] = {1.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 2; ++k) {
        pkm_contour* contour = NULL;
        CHECK(pkm_contour_create(saddle, 2, 2, k == 0 ? 0.4 : 0.6, &contour) == PKM_OK);
        CHECK(contour->n_line == 2 && contour->n_point == 4);
        // the line through the bottom edge ends at the right edge (low corner cut) or the left one
        const double* other = contour->point[1] == 0.0 ? contour->point + 2 : contour->point;
        CHECK_NEAR(other[0], k == 0 ? 1.0 : 0.0, 1e-15);
        pkm_contour_free(contour);
    }
}

// Ones and zeros know nothing of the place between them; a NaN leaves it in the middle.
static void given_crossings_are_kept(void)
{
    const double step[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    double crossing[12];
    for (int k = 0; k < 12; ++k)
        crossing[k] = NAN;
    crossing[0] = 0.3; // right of node 0; the edge right of node 3 stays open
    pkm_contour* contour = NULL;
    CHECK(pkm_contour_create_at(step, 3, 2, 0.5, crossing, &contour) == PKM_OK);
    CHECK(contour->n_line == 1 && contour->n_point == 2);
    const int low = contour->point[1] == 0.0 ? 0 : 1;
    CHECK_NEAR(contour->point[2 * low], 0.3, 1e-15);
    CHECK_NEAR(contour->point[2 - 2 * low], 0.5, 1e-15);
    pkm_contour_free(contour);
}

static void levels_outside_the_values_have_no_lines(void)
{
    fill_bowl();
    pkm_contour* contour = contour_at(-1.0);
    CHECK(contour->n_line == 0 && contour->n_point == 0);
    pkm_contour_free(contour);
    contour = contour_at(1e9);
    CHECK(contour->n_line == 0);
    pkm_contour_free(contour);
}

static void failing_memory_is_reported(void)
{
    fill_bowl();
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 20; ++n) {
        pkm_contour* contour;
        pkm_alloc_fail_at(n);
        status = pkm_contour_create(grid, N_X, N_Y, 100.0, &contour);
        pkm_alloc_fail_at(0);
        CHECK((contour != NULL) == (status == PKM_OK));
        pkm_contour_free(contour);
    }
    CHECK(status == PKM_OK);
    pkm_contour_free(NULL);
}

int main(void)
{
    RUN(a_bowl_has_one_circle);
    RUN(a_circle_cut_by_the_border_is_open_arcs);
    RUN(points_follow_each_other_through_cells);
    RUN(a_plane_has_a_straight_line);
    RUN(masked_nodes_interrupt_lines);
    RUN(saddles_give_two_lines);
    RUN(given_crossings_are_kept);
    RUN(levels_outside_the_values_have_no_lines);
    RUN(failing_memory_is_reported);
    return check_report();
}
