// Redundant constraints leave reactions open, and with them friction: the range of its loss against
// closed forms.
#include "dynamics/plant_friction_columns.h"
#include "simulate.h"
#include "table/warnings.h"

static const double g = 9.81, pi = 3.14159265358979323846;

/// Inverse dynamics of a run.
static pkm_table* inverse_of(pkm_robot* robot, const char* text)
{
    char file[2000];
    pkm_run* run = NULL;
    pkm_error err = {0};
    pkm_table* table = pkm_table_create();
    pkm_inverse_report report;
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    snprintf(file, sizeof file, "run: 1\n%s", text);
    CHECK(pkm_run_create(robot, &run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(run, file, "run.yaml", NULL) == PKM_OK);
    settings.effects = &run->effects;
    settings.n_instant = 5;
    if (pkm_inverse_run(robot, 0, &settings, table, &report, &err) != PKM_OK)
        printf("    %s\n", err.text);
    pkm_run_free(run);
    return table;
}

static double get(const pkm_table* table, int row, const char* column)
{
    const int c = pkm_table_find(table, column);
    CHECK(c != PKM_NONE);
    return c == PKM_NONE ? NAN : pkm_table_get(table, row, c);
}

static bool warns_of_open_friction(const pkm_table* table)
{
    const pkm_warnings* w = pkm_table_get_warnings(table);
    for (int i = 0; i < w->n; ++i)
        if (strcmp(w->item[i].kind, "friction") == 0 &&
            strstr(w->item[i].text, "the least loss is"))
            return true;
    return false;
}

// ---- a door on two hinges ---------------------------------------------------------------------

static const double MASS = 30.0, ARM = 0.4, HEIGHT = 2.0;

static const char door[] =
    "pkm: 1\nname: door\ngravity: [0, 0, -9.81]\n"
    "ground: {points: {A: [0, 0, 0], B: [0, 0, 2]}}\n"
    "bodies:\n  door: {mass: 30 kg, com: [0.4, 0, 1], inertia: [10, 12, 2], "
    "points: {A: [0, 0, 0], B: [0, 0, 2]}}\n"
    "joints:\n  lower: {type: revolute, between: [ground.A, door.A], axis: z}\n"
    "  upper: {type: revolute, between: [ground.B, door.B], axis: z}\n"
    "drives: {q: {joint: lower}}\ntool: door.B\n"
    "motions: {turn: {law: constant, duration: 1 s, drives: {q: [0 deg, 90 deg]}}}\n";

/// Loss of the door per mu w. Its weight hangs on the hinges along the axis. Forces +-H across it
/// carry H HEIGHT of the moment m g ARM, moments in the hinges with the arm `bending` the rest;
/// what keeps the door on its circle, c = m ARM w^2, pulls half at each. The loads,
/// max(2 H, c) + (m g ARM - H HEIGHT)/bending, are least where H carries nothing more for nothing,
/// H = c/2, or all.
static double least_of_door(double radius, double axial, double bending)
{
    const double moment = MASS * g * ARM, c = MASS * ARM * 0.25 * pi * pi;
    const double mixed = c + (moment - 0.5 * c * HEIGHT) / bending, pair = 2.0 * moment / HEIGHT;
    return axial * MASS * g + radius * fmin(mixed, pair);
}

static void check_door(double bending, double more)
{
    pkm_robot* robot = engine_from(door);
    char text[300];
    snprintf(text, sizeof text,
             "friction: {\"*\": {static: 0.2, dynamic: 0.2, radius: 10 mm, friction_arm: 8 mm, "
             "bending_arm: %g m}}\n",
             bending);
    pkm_table* table = inverse_of(robot, text);
    const double least = 0.2 * 0.5 * pi * least_of_door(0.01, 0.008, bending);
    for (int i = 0; i < pkm_table_n_row(table); ++i) {
        CHECK_NEAR(get(table, i, "friction.least_loss"), least, 1e-7 * least);
        CHECK(get(table, i, "friction.loss") > more * least);
    }
    CHECK(warns_of_open_friction(table));
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// With short pins the pair of forces rubs least; with pins longer than half the door, moments.
static void a_door_has_its_least_loss(void)
{
    check_door(0.05, 6.0);
    check_door(3.0, 1.0);
}

// ---- a slider on two guides -------------------------------------------------------------------

static const char slider[] =
    "pkm: 1\nname: slider\ngravity: [0, 0, -9.81]\n"
    "ground: {points: {A: [0, 0, 0], B: [0, 0.5, 0]}}\n"
    "bodies: {cart: {mass: 10 kg, inertia: [1, 1, 1], points: {A: [0, 0, 0], B: [0, 0.5, 0]}}}\n"
    "joints:\n  left: {type: prismatic, between: [ground.A, cart.A], axis: x}\n"
    "  right: {type: prismatic, between: [ground.B, cart.B], axis: x}\n"
    "drives: {q: {joint: left}}\ntool: cart.A\n"
    "motions: {go: {law: constant, duration: 1 s, drives: {q: [0 m, 0.5 m]}}}\n";

// The drive pulls at the left guide. What the right one rubs turns the cart, which presses the ends
// of the guides: loss = mu v (W + mu N_right d/X). The least has all weight on the left, mu W v;
// the effect of friction on the reactions decides, since without it all shares lose the same.
static void friction_counts_with_what_it_does_to_the_reactions(void)
{
    pkm_robot* robot = engine_from(slider);
    const char* text = "friction: {\"*\": {static: 0.2, dynamic: 0.2, overlap: 100 mm}}\n";
    pkm_table* table = inverse_of(robot, text);
    const double least = 0.2 * 10.0 * g * 0.5;
    CHECK_NEAR(get(table, 2, "friction.least_loss"), least, 1e-7 * least);
    CHECK(get(table, 2, "friction.loss") > 1.1 * least);
    CHECK_NEAR(get(table, 2, "friction.loss"), get(table, 2, "q.force") * get(table, 2, "q.v"),
               1e-9);
    pkm_table_free(table);
    sim_result r = sim_run_whole(robot, text); // the simulation says the same
    CHECK_NEAR(sim_get(&r, 2, "friction.least_loss"), least, 1e-7 * least);
    CHECK(warns_of_open_friction(r.table));
    sim_free(&r);
    pkm_robot_free(robot);
}

// A weight at x before the guides presses both of them by a moment across: no share and no preload
// takes m g x from their ends, at least mu v m g (1 + x/X). Its least is where one guide has all,
// far along a valley that is nearly straight. Rows are at rest where the motion begins and ends.
static void a_weight_before_the_guides_has_its_least_loss(void)
{
    static const struct {
        const char* law;
        double mu, overlap;
    } item[] = {{"constant", 0.05, 0.05},
                {"constant", 0.2, 0.1},
                {"constant", 0.5, 0.2},
                {"quintic", 0.2, 0.1},
                {"quintic", 0.1, 0.2}};
    for (size_t k = 0; k < sizeof item / sizeof item[0]; ++k) {
        char text[2000], file[300];
        const char* at = strstr(slider, "inertia");
        const char* law = strstr(slider, "law: constant");
        snprintf(text, sizeof text, "%.*scom: [0.1, 0.3, 0.2], %.*slaw: %s%s", (int)(at - slider),
                 slider, (int)(law - at), at, item[k].law, law + strlen("law: constant"));
        snprintf(file, sizeof file, "friction: {\"*\": {static: %g, dynamic: %g, overlap: %g m}}\n",
                 item[k].mu, item[k].mu, item[k].overlap);
        pkm_robot* robot = engine_from(text);
        pkm_table* table = inverse_of(robot, file);
        const bool steady = strcmp(item[k].law, "constant") == 0;
        for (int i = steady ? 0 : 2; i < (steady ? 5 : 3); ++i) { // where nothing accelerates
            const double way = get(table, i, "q.v");
            const double least = item[k].mu * 10.0 * g * way * (1.0 + 0.1 / item[k].overlap);
            CHECK_NEAR(get(table, i, "friction.least_loss"), least, 1e-4 * least);
            CHECK(get(table, i, "friction.loss") > 1.01 * least);
        }
        pkm_table_free(table);
        pkm_robot_free(robot);
    }
}

// Without moments the weight is shared as one likes. A pair of forces F, -F along the line of the
// guides is the self-stress of norm F sqrt(2) that rubs most, by 2 mu v F.
static void preload_adds_what_it_rubs(void)
{
    pkm_robot* robot = engine_from(slider);
    pkm_table* table = inverse_of(robot, "friction: {\"*\": {static: 0.2, dynamic: 0.2}}\n");
    const double least = 0.2 * 10.0 * g * 0.5;
    CHECK_NEAR(get(table, 2, "friction.least_loss"), least, 1e-7 * least);
    CHECK_NEAR(get(table, 2, "friction.loss"), least, 1e-9 * least);
    CHECK_NEAR(get(table, 2, "friction.loss_per_preload"), sqrt(2.0) * 0.2 * 0.5, 1e-9);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

/// What a warning tells of the loss over a motion.
typedef struct told_loss {
    int redundant, rows;
    double loss, least, preload, off;
} told_loss;

static told_loss told_of(const pkm_table* table)
{
    const pkm_warnings* w = pkm_table_get_warnings(table);
    told_loss out = {0};
    for (int i = 0; i < w->n; ++i)
        if (strcmp(w->item[i].kind, "friction") == 0)
            CHECK(sscanf(w->item[i].text,
                         "redundant constraints (%d) leave reactions open that make friction: "
                         "those of least norm are used, which lose %lf J; of all that balance the "
                         "robot the least loss is %lf J, and there is no largest: preload in the "
                         "loops adds up to %lf J per N (over %d rows, off by about %lf J)",
                         &out.redundant, &out.loss, &out.least, &out.preload, &out.rows,
                         &out.off) == 6);
    return out;
}

static pkm_table* slide_by(const char* law, int rows)
{
    char text[2000], file[300];
    const char* at = strstr(slider, "law: constant");
    snprintf(text, sizeof text, "%.*slaw: %s%s", (int)(at - slider), slider, law,
             at + strlen("law: constant"));
    snprintf(file, sizeof file, "instants: %d\nfriction: {\"*\": {static: 0.2, dynamic: 0.2}}\n",
             rows);
    pkm_robot* robot = engine_from(text);
    sim_result r = sim_run_whole(robot, file);
    pkm_robot_free(robot);
    return r.table;
}

// A cart that goes its way at one speed loses mu W by its length, however the weight is shared;
// the self-stress of norm 1 adds mu sqrt(2) by its length. Two guides side by side are redundant
// in five directions. Trapezia are exact, with an odd number of rows and with an even one.
static void a_loss_is_told_over_the_motion(void)
{
    for (int rows = 5; rows <= 8; ++rows) {
        pkm_table* table = slide_by("constant", rows);
        const told_loss told = told_of(table);
        const double way = 0.5, loss = 0.2 * 10.0 * g * way;
        CHECK(told.redundant == 5 && told.rows == rows);
        CHECK_NEAR(told.loss, loss, 1e-5 * loss);
        CHECK_NEAR(told.least, loss, 1e-5 * loss);
        CHECK_NEAR(told.preload, sqrt(2.0) * 0.2 * way, 5e-5); // told in four digits
        CHECK_NEAR(told.off, 0.0, 1e-7 * loss);
        pkm_table_free(table);
    }
}

/// The way by trapezia over every `stride`-th of n + 1 rows and the last: that of 30 s^2 (1 - s)^2.
static double trapezia(int n, int stride)
{
    double sum = 0.0;
    for (int i = 0; i < n; i += stride) {
        const double a = (double)i / n, b = fmin((double)(i + stride) / n, 1.0);
        sum += 15.0 * (b - a) * (a * a * (1.0 - a) * (1.0 - a) + b * b * (1.0 - b) * (1.0 - b));
    }
    return sum;
}

/// Does the last warning say why the range is not told, with nothing of a least loss?
static void check_untold(const pkm_table* table, const char* why)
{
    const pkm_warnings* told = pkm_table_get_warnings(table);
    CHECK(told->n > 0 && !warns_of_open_friction(table));
    if (told->n == 0) return;
    CHECK_CONTAINS(told->item[told->n - 1].text, "those of least norm are used");
    CHECK_CONTAINS(told->item[told->n - 1].text, why);
}

// Five rows of a constant loss tell it, four of anything do not, nor do few rows of a motion that
// starts and stops: five trapezia of it are off by 3 %.
static void few_rows_tell_no_integrals(void)
{
    pkm_table* table = slide_by("constant", 5);
    CHECK(warns_of_open_friction(table));
    pkm_table_free(table);
    table = slide_by("constant", 4);
    check_untold(table, "4 rows are too few to tell the range");
    pkm_table_free(table);
    const double one = trapezia(4, 1);
    CHECK(fabs(one - trapezia(4, 2)) / 3.0 > 0.01 * one);
    table = slide_by("quintic", 5);
    check_untold(table, "5 rows are too few to tell the range");
    pkm_table_free(table);
}

// A row in which the least loss is not found makes no number of the range.
static void a_least_loss_that_is_not_found_is_not_told(void)
{
    static const char* const name[] = {"t", "friction.loss", "friction.least_loss",
                                       "friction.loss_per_preload"};
    pkm_table* table = pkm_table_create();
    for (int c = 0; c < 4; ++c)
        pkm_table_add_column(table, name[c], c ? "W" : "s");
    for (int i = 0; i < 9; ++i) {
        double* row = pkm_table_append(table);
        row[0] = 0.125 * i, row[1] = 8.0, row[2] = i == 3 ? NAN : 6.0, row[3] = 1.0;
    }
    pkm_friction_warn_range(table, 5);
    check_untold(table, "which lose 8 J; the range of the loss is not told, since the least loss "
                        "was not found in 1 of 9 rows");
    pkm_table_free(table);
}

// Where the speed changes, a third of what half of the rows differ by is how far off a sum is told
// to be.
static void the_error_of_a_loss_is_that_of_half_the_rows(void)
{
    for (int rows = 12; rows <= 13; ++rows) {
        pkm_table* table = slide_by("quintic", rows);
        const told_loss told = told_of(table);
        const double loss = 0.2 * 10.0 * g * 0.5, one = trapezia(rows - 1, 1);
        CHECK_NEAR(told.loss, loss * one, 1e-5 * loss);
        const double off = loss * fabs(one - trapezia(rows - 1, 2)) / 3.0;
        CHECK(off > 1e-5 * loss);
        CHECK_NEAR(told.off, off, 0.5 * pow(10.0, floor(log10(off)))); // told in one digit
        pkm_table_free(table);
    }
}

// ---- robots -----------------------------------------------------------------------------------

// The redundant constraints of planar robots act across the plane: pins that rub under forces in
// the plane do not see them.
static void what_redundant_constraints_do_not_load_is_unique(void)
{
    static const char* const robots[] = {"five-bar", "planar-3rrr", "siax"};
    for (int k = 0; k < 3; ++k) {
        pkm_robot* robot = engine_load(robots[k]);
        pkm_table* table =
            inverse_of(robot, "friction: {\"*\": {static: 0.1, dynamic: 0.08, radius: 5 mm}}\n");
        CHECK(pkm_table_n_row(table) == 5);
        CHECK(pkm_table_find(table, "friction.least_loss") == PKM_NONE);
        CHECK(!warns_of_open_friction(table));
        pkm_table_free(table);
        pkm_robot_free(robot);
    }
}

// With moments they do: the least loss is below that of the least norm and above nothing.
static void pins_that_bend_are_open(void)
{
    pkm_robot* robot = engine_load("five-bar");
    pkm_table* table = inverse_of(
        robot, "friction: {\"*\": {static: 0.1, dynamic: 0.08, radius: 5 mm, friction_arm: 5 mm, "
               "bending_arm: 20 mm}}\n");
    for (int i = 1; i < 4; ++i) {
        CHECK(get(table, i, "friction.least_loss") > 0.0);
        CHECK(get(table, i, "friction.least_loss") <= get(table, i, "friction.loss"));
        CHECK(get(table, i, "friction.loss_per_preload") > 0.0);
    }
    pkm_table_free(table);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(a_door_has_its_least_loss);
    RUN(friction_counts_with_what_it_does_to_the_reactions);
    RUN(a_weight_before_the_guides_has_its_least_loss);
    RUN(preload_adds_what_it_rubs);
    RUN(few_rows_tell_no_integrals);
    RUN(a_least_loss_that_is_not_found_is_not_told);
    RUN(a_loss_is_told_over_the_motion);
    RUN(the_error_of_a_loss_is_that_of_half_the_rows);
    RUN(what_redundant_constraints_do_not_load_is_unique);
    RUN(pins_that_bend_are_open);
    return check_report();
}
