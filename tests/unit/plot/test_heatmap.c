#include "plot/heatmap.h"

#include "base/memory.h"
#include "check.h"
#include "unit/plot/xml.h"
#include "unit/write/scratch_folder.h"

enum { N = 41 };

/// As CHECK_CONTAINS, without printing the whole map.
#define CHECK_HAS(text, part) CHECK(strstr(text, part) != NULL)

static double value[N * N];

/// r^2 [m2] on a square of 2 m about the origin; beyond `reach` there is nothing.
static pkm_heatmap bowl(double reach)
{
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) {
            const double px = -1.0 + 0.05 * i, py = -1.0 + 0.05 * j, r2 = px * px + py * py;
            value[i + N * j] = r2 <= reach * reach ? r2 : NAN;
        }
    return (pkm_heatmap){.title = "Bowl <&>",
                         .x = {.label = "x", .unit = "mm", .factor = 1000.0},
                         .y = {.label = "y", .unit = "mm", .factor = 1000.0},
                         .n_x = N,
                         .n_y = N,
                         .x_first = -1.0,
                         .x_last = 1.0,
                         .y_first = -1.0,
                         .y_last = 1.0,
                         .value = value,
                         .colour = {.label = "radius squared", .unit = "m2"},
                         .mask_label = "out of reach"};
}

/// The text of the map, freed by the caller; it is checked to be well formed.
static char* mapped(const pkm_heatmap* map)
{
    pkm_error err = {0};
    const char* path = scratch_path("map.svg");
    CHECK(pkm_heatmap_write(map, path, &err) == PKM_OK);
    CHECK_TEXT(err.text, "");
    char* text = scratch_read(path);
    CHECK(text && xml_is_well_formed(text));
    CHECK(text && !xml_has_nan(text));
    return text;
}

/// The first rectangle with the hatching is the frame [pt].
static void read_frame(const char* text, double frame[4])
{
    const char* s = strstr(text, "</pattern>");
    CHECK(s && sscanf(s, "</pattern>\n<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"",
                      &frame[0], &frame[1], &frame[2], &frame[3]) == 4);
}

static void a_map_has_texts_axes_and_a_colour_bar(void)
{
    const pkm_heatmap map = bowl(9.0);
    char* text = mapped(&map);
    CHECK_HAS(text, ">Bowl &lt;&amp;&gt;</text>");
    CHECK_HAS(text, ">x [mm]</text>");
    CHECK_HAS(text, ">radius squared [m<tspan");
    CHECK_HAS(text, ">500</text>");
    CHECK_HAS(text, "fill=\"url(#viridis)\"");
    CHECK(strstr(text, ">out of reach</text>") == NULL); // nothing is masked
    CHECK(strlen(text) < 1000000);
    free(text);
}

static void equal_units_give_equal_scales(void)
{
    double f[4];
    pkm_heatmap map = bowl(9.0);
    map.y_last = 0.0; // the same grid squeezed to half the height
    char* text = mapped(&map);
    read_frame(text, f);
    CHECK_NEAR(f[3] / f[2], 0.5, 1e-3);
    free(text);
    map.y.unit = "deg"; // different things need no common scale
    text = mapped(&map);
    read_frame(text, f);
    CHECK_NEAR(f[3] / f[2], 0.75, 1e-3);
    free(text);
    map = bowl(9.0);
    map.y_last = 9.0; // a tall map is narrowed, not cut
    text = mapped(&map);
    read_frame(text, f);
    CHECK_NEAR(f[3] / f[2], 5.0, 0.01);
    free(text);
}

// The contour of level 0.25 of r^2 is the circle of radius 0.5 m, which is a quarter of the frame.
// On a grid of step h linear interpolation is off by h^2 / (8 r) = 0.6 mm, and the chords at whose
// inner points the line stops for the label by (2 h^2) / (8 r) = 1.3 mm.
static void contour_lines_lie_at_their_level(void)
{
    const double level = 0.25;
    pkm_heatmap map = bowl(9.0);
    map.level = &level;
    map.n_level = 1;
    char* text = mapped(&map);
    double f[4];
    read_frame(text, f);
    const char* s = strstr(text, "stroke-linejoin=\"round\" fill=\"none\" d=\"");
    CHECK(s != NULL);
    s = s ? strstr(s, "d=\"") + 3 : "";
    int n = 0;
    while (*s && *s != '"') {
        double px, py;
        int used = 0;
        if (sscanf(s, "%*[ML ]%n", &used) >= 0 && used > 0) s += used;
        if (sscanf(s, "%lf %lf%n", &px, &py, &used) != 2) break;
        s += used;
        const double mx = (px - f[0]) / f[2] * 2.0 - 1.0, my = (py - f[1]) / f[3] * 2.0 - 1.0;
        CHECK_NEAR(hypot(mx, my), 0.5, 0.0019);
        ++n;
    }
    CHECK(n > 60);
    CHECK(xml_count(text, ">0.25</text>") == 1); // its label
    free(text);
}

/// The area of the path that the map is cut with, in frames, and the largest distance [m] of its
/// points from a circle of radius `r` [m] about the middle.
static double clipped_area(const char* text, double r, double* off)
{
    double f[4], first[2] = {0.0, 0.0}, last[2] = {0.0, 0.0}, area = 0.0;
    read_frame(text, f);
    const char* s = strstr(text, "clip-rule=\"evenodd\" d=\"");
    CHECK(s != NULL);
    *off = 0.0;
    for (s = s ? strstr(s, " d=\"") + 4 : "\""; *s && *s != '"';) {
        const bool begins = *s == 'M', ends = *s == 'z';
        if (*s == 'M' || *s == 'L' || *s == 'z' || *s == ' ') ++s;
        double p[2] = {first[0], first[1]};
        int used = 0;
        if (!ends && sscanf(s, "%lf %lf%n", &p[0], &p[1], &used) != 2) break;
        s += used;
        if (begins) memcpy(first, p, sizeof first);
        if (!begins) area += 0.5 * (last[0] * p[1] - last[1] * p[0]);
        memcpy(last, p, sizeof last);
        const double x = (p[0] - f[0]) / f[2] * 2.0 - 1.0, y = (p[1] - f[1]) / f[3] * 2.0 - 1.0;
        *off = fmax(*off, fabs(hypot(x, y) - r));
    }
    return fabs(area) / (f[2] * f[3]);
}

// Where the circle lies between nodes 50 mm apart is not known; halfway is off by up to 25 mm, the
// smooth border by less.
static void masked_nodes_are_hatched_and_named(void)
{
    pkm_heatmap map = bowl(0.8);
    double off;
    char* text = mapped(&map);
    CHECK_HAS(text, ">out of reach</text>");
    CHECK_NEAR(4.0 * clipped_area(text, 0.8, &off), 3.14159265 * 0.64, 0.03);
    CHECK(off > 0.001 && off < 0.02);
    free(text);

    for (int k = 0; k < N * N; ++k)
        value[k] = NAN; // nothing at all is not an error
    free(mapped(&map));
}

/// Where the circle of radius r crosses the edges of the grid.
static void circle_edges(double r, double* edge)
{
    for (int k = 0; k < N * N; ++k) {
        const double x = -1.0 + 0.05 * (k % N), y = -1.0 + 0.05 * (k / N);
        const double at_x = copysign(sqrt(fmax(r * r - y * y, 0.0)), x + 0.025);
        const double at_y = copysign(sqrt(fmax(r * r - x * x, 0.0)), y + 0.025);
        edge[2 * k] = (at_x - x) / 0.05;
        edge[2 * k + 1] = (at_y - y) / 0.05;
    }
}

// Between given crossings the border is straight: chords of a circle are off by h^2 / (8 r).
static void given_borders_are_kept(void)
{
    static double edge[2 * N * N];
    pkm_heatmap map = bowl(0.8);
    double off;
    circle_edges(0.8, edge);
    map.mask_edge = edge;
    char* text = mapped(&map);
    CHECK_NEAR(4.0 * clipped_area(text, 0.8, &off), 3.14159265 * 0.64, 0.002);
    CHECK(off < 2e-4); // points and frame are written to 0.01 pt, 80 um here
    free(text);
}

static void regions_have_a_border_and_a_name(void)
{
    static double region[N * N], edge[2 * N * N];
    pkm_heatmap map = bowl(9.0);
    for (int k = 0; k < N * N; ++k)
        region[k] = value[k] <= 0.36 ? 1.0 : 0.0;
    circle_edges(0.6, edge);
    char* text = mapped(&map);
    const int plain = xml_count(text, "#d55e00");
    free(text);
    map.region = region;
    map.region_label = "within limits";
    for (int given = 0; given < 2; ++given) {
        map.region_edge = given ? edge : NULL;
        text = mapped(&map);
        CHECK(xml_count(text, "#d55e00") == plain + 2); // the line and its legend
        CHECK_HAS(text, ">within limits</text>");
        free(text);
    }
}

static void cut_colours_end_in_points(void)
{
    pkm_heatmap map = bowl(9.0);
    char* text = mapped(&map);
    const int plain = xml_count(text, "stroke=\"#404040\"");
    free(text);
    map.colour.low = 0.1;
    map.colour.high = 1.0;
    text = mapped(&map);
    CHECK(xml_count(text, "stroke=\"#404040\"") == plain + 2);
    free(text);
}

static void log_colours_mask_what_has_no_logarithm(void)
{
    pkm_heatmap map = bowl(9.0);
    for (int k = 0; k < N * N; ++k)
        value[k] = pow(10.0, 4.0 * value[k] - 2.0);
    value[0] = -1.0;
    value[1] = INFINITY; // singular: beyond all colours
    map.colour.log = true;
    char* text = mapped(&map);
    CHECK_HAS(text, ">out of reach</text>");
    CHECK_HAS(text, ">0.01</text>");
    CHECK_HAS(text, ">100</text>");
    free(text);
}

static void markers_are_drawn_with_labels(void)
{
    const pkm_map_marker marker[] = {
        {0.0, 0.0, "home & away"}, {0.98, 0.0, "edge"}, {5.0, NAN, "x"}};
    pkm_heatmap map = bowl(9.0);
    map.marker = marker;
    map.n_marker = 3;
    char* text = mapped(&map);
    CHECK(xml_count(text, ">home &amp; away</text>") == 2); // white edge and text
    CHECK(xml_count(text, "text-anchor=\"end\">edge</text>") == 2);
    CHECK(xml_count(text, "<circle") == 2);
    free(text);
}

static void wrong_maps_are_refused(void)
{
    scratch_clear();
    const double level[20] = {0.0};
    pkm_error err = {0};
    pkm_heatmap map = bowl(9.0);
    map.n_x = 1;
    CHECK(pkm_heatmap_write(&map, scratch_path("a.svg"), &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "1 x 41 nodes");
    map = bowl(9.0);
    map.x_last = -2.0;
    CHECK(pkm_heatmap_write(&map, scratch_path("a.svg"), &err) == PKM_ERR_ARGUMENT);
    map = bowl(9.0);
    map.level = level;
    map.n_level = 20;
    CHECK(pkm_heatmap_write(&map, scratch_path("a.svg"), &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "20 contour lines");
    map = bowl(9.0);
    map.width = 25.0;
    CHECK(pkm_heatmap_write(&map, scratch_path("a.svg"), &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "too small");
    map = bowl(9.0);
    CHECK(pkm_heatmap_write(&map, scratch_path("no/a.svg"), &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "cannot write: No such file");
    CHECK(pkm_heatmap_write(&map, "/dev/full", &err) == PKM_ERR_FILE);
    CHECK(scratch_count() == 0);
}

static void failing_memory_is_reported(void)
{
    scratch_clear();
    static double region[N * N];
    pkm_heatmap map = bowl(0.8);
    map.region = region;
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 200; ++n) {
        CHECK(scratch_count() == 0);
        pkm_alloc_fail_at(n);
        status = pkm_heatmap_write(&map, scratch_path("m.svg"), NULL);
        pkm_alloc_fail_at(0);
    }
    CHECK(status == PKM_OK);
}

int main(void)
{
    if (!scratch_create()) return 1;
    RUN(a_map_has_texts_axes_and_a_colour_bar);
    RUN(equal_units_give_equal_scales);
    RUN(contour_lines_lie_at_their_level);
    RUN(masked_nodes_are_hatched_and_named);
    RUN(given_borders_are_kept);
    RUN(regions_have_a_border_and_a_name);
    RUN(cut_colours_end_in_points);
    RUN(log_colours_mask_what_has_no_logarithm);
    RUN(markers_are_drawn_with_labels);
    RUN(wrong_maps_are_refused);
    RUN(failing_memory_is_reported);
    scratch_remove();
    return check_report();
}
