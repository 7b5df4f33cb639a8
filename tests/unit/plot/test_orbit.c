// Orbits and time bars: well-formed pictures that show what they are given, and refusals.
#include "plot/orbit.h"

#include "check.h"
#include "plot/timeline.h"
#include "unit/plot/xml.h"
#include "unit/write/scratch_folder.h"

enum { N = 200 };

static pkm_vec3 path[2 * N]; ///< of two bearings, side by side

static void fill(void)
{
    for (int i = 0; i < N; ++i) {
        const double a = 0.1 * i;
        path[2 * i] = (pkm_vec3){1e-4 * cos(a), 1e-4 * sin(a), 0.0};
        path[2 * i + 1] = (pkm_vec3){5e-5 * cos(a), 0.0, 5e-5 * sin(a)};
    }
}

/// The text of a file, freed by the caller; it is checked to be well formed.
static char* read_checked(const char* file)
{
    char* text = scratch_read(file);
    CHECK(text && xml_is_well_formed(text));
    CHECK(text && !xml_has_nan(text));
    return text;
}

static void orbits_have_a_circle_and_a_path_for_each_view(void)
{
    const pkm_orbit orbit[] = {
        {.name = "pin <1>", .clearance = 1e-4, .path = path, .n = N, .stride = 2},
        {.name = "ball", .clearance = 1e-4, .is_ball = true, .path = path + 1, .n = N, .stride = 2},
        {.name = "slide", .clearance = 1e-4, .is_square = true, .path = path, .n = N, .stride = 2}};
    const pkm_orbits all = {"Paths & clearance", "note", orbit, 3};
    CHECK(pkm_orbits_write(&all, scratch_path("orbits.svg"), NULL) == PKM_OK);
    char* text = read_checked(scratch_path("orbits.svg"));
    if (!text) return;
    CHECK(xml_count(text, "<polyline") == 4); // the ball is seen from two sides
    CHECK(xml_count(text, "#f7f7f5") == 4);   // bounds
    CHECK(strstr(text, "pin &lt;1&gt;") && strstr(text, "100 \xC2\xB5m"));
    free(text);
}

static void sections_have_points(void)
{
    const pkm_orbit orbit = {
        .name = "pin", .clearance = 1e-4, .is_points = true, .path = path, .n = N, .stride = 2};
    const pkm_orbits all = {"Section", NULL, &orbit, 1};
    CHECK(pkm_orbits_write(&all, scratch_path("section.svg"), NULL) == PKM_OK);
    char* text = read_checked(scratch_path("section.svg"));
    if (!text) return;
    CHECK(xml_count(text, "r=\"1.1\"") == N && xml_count(text, "<polyline") == 0);
    free(text);
}

static void no_clearance_and_no_path_are_drawn_too(void)
{
    const pkm_orbit orbit = {.name = "still", .path = path, .n = 0, .stride = 1};
    const pkm_orbits all = {NULL, NULL, &orbit, 1};
    CHECK(pkm_orbits_write(&all, scratch_path("still.svg"), NULL) == PKM_OK);
    free(read_checked(scratch_path("still.svg")));
}

static void time_bars_have_a_piece_for_each_state(void)
{
    static const char *const row[] = {"a", "b"}, *const state[] = {"off", "on", "fast"};
    const pkm_timeline_change change[] = {{0.1, 0, 1}, {0.2, 1, 2}, {0.3, 0, 0}, {0.4, 0, 2}};
    const pkm_timeline timeline = {"Bars", "note", row, 2, state, 3, change, 4, 1.0};
    CHECK(pkm_timeline_write(&timeline, scratch_path("bars.svg"), NULL) == PKM_OK);
    char* text = read_checked(scratch_path("bars.svg"));
    if (!text) return;
    // legend: one each; bars: on once, fast twice (until the end)
    CHECK(xml_count(text, "fill=\"#d55e00\"") == 2);
    CHECK(xml_count(text, "fill=\"#56b4e9\"") == 3);
    CHECK(strstr(text, ">off<") && strstr(text, ">fast<"));
    free(text);
}

static void what_cannot_be_drawn_is_refused(void)
{
    static const char *const row[] = {"a"}, *const state[] = {"off"};
    const pkm_orbits none = {"", NULL, NULL, 0}, many = {"", NULL, NULL, PKM_ORBITS_MAX + 1};
    pkm_timeline timeline = {"", NULL, row, 0, state, 1, NULL, 0, 1.0};
    CHECK(pkm_orbits_write(&none, scratch_path("x"), NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_orbits_write(&many, scratch_path("x"), NULL) == PKM_ERR_ARGUMENT);
    CHECK(pkm_timeline_write(&timeline, scratch_path("x"), NULL) == PKM_ERR_ARGUMENT);
    timeline.n_row = 1;
    timeline.end = 0.0;
    CHECK(pkm_timeline_write(&timeline, scratch_path("x"), NULL) == PKM_ERR_ARGUMENT);
    timeline.end = 1.0;
    CHECK(pkm_timeline_write(&timeline, "/no/such/folder/x.svg", NULL) == PKM_ERR_FILE);
}

int main(void)
{
    if (!scratch_create()) return 1;
    fill();
    RUN(orbits_have_a_circle_and_a_path_for_each_view);
    RUN(sections_have_points);
    RUN(no_clearance_and_no_path_are_drawn_too);
    RUN(time_bars_have_a_piece_for_each_state);
    RUN(what_cannot_be_drawn_is_refused);
    scratch_remove();
    return check_report();
}
