// Limits along a motion: rows and rates make a cubic between two rows, its Bezier points tell at
// once that a range is kept, its turning points where it is broken. Located peaks count as they
// stand.
#include "robot/limits.h"

#include "base/error.h"
#include "table/column.h"

#include <math.h>
#include <stdio.h>

// ---- a quantity between the rows --------------------------------------------------------------

/// A column of a table; the column `rate` has its derivative, PKM_NONE: not known.
typedef struct signal {
    const pkm_table* table;
    const double* first; ///< row 0: times stand in its column 0
    int n_row, n_column;
    int column, rate;
} signal;

static signal signal_of(const pkm_table* table, int column, int rate)
{
    return (signal){.table = table,
                    .first = pkm_table_rows(table),
                    .n_row = pkm_table_n_row(table),
                    .n_column = pkm_table_n_column(table),
                    .column = column,
                    .rate = rate};
}

/// A value beyond a limit, by `beyond` > 0: largest so far, and where that began.
typedef struct breach {
    double beyond, value, t, from;
} breach;

static double read(const signal* s, int i, int column)
{
    return s->first[(size_t)i * (size_t)s->n_column + (size_t)column];
}

static double time_of(const signal* s, int i)
{
    return read(s, i, 0);
}

static double value_of(const signal* s, int i)
{
    return read(s, i, s->column);
}

/// The cubic through values and rates of rows i and i + 1 at the part `x` of the way (Hermite).
static double between(const signal* s, int i, double x)
{
    const double h = time_of(s, i + 1) - time_of(s, i), y = 1.0 - x;
    const double p0 = value_of(s, i), p1 = value_of(s, i + 1);
    if (s->rate == PKM_NONE) return y * p0 + x * p1;
    const double d0 = h * read(s, i, s->rate), d1 = h * read(s, i + 1, s->rate);
    // Hermite's cubic with y = 1 - x
    return y * y * (1.0 + 2.0 * x) * p0 + x * x * (1.0 + 2.0 * y) * p1 + x * y * (y * d0 - x * d1);
}

/// Where the cubic turns: at most two parts of the way from row i.
static int turning_points(const signal* s, int i, double out[2])
{
    if (s->rate == PKM_NONE) return 0;
    const double h = time_of(s, i + 1) - time_of(s, i), rise = value_of(s, i + 1) - value_of(s, i);
    const double d0 = h * read(s, i, s->rate), d1 = h * read(s, i + 1, s->rate);
    // slope d0 + 2 b x + 3 c x^2
    const double b = 3.0 * rise - 2.0 * d0 - d1, c = d0 + d1 - 2.0 * rise;
    const double root = b * b - 3.0 * c * d0;
    if (!(root >= 0.0)) return 0;
    const double q = -(b + copysign(sqrt(root), b)); // no cancellation
    int n = 0;
    // both roots of d0 + 2 b x + 3 c x^2 from q, whose terms have one sign
    const double x[2] = {q / (3.0 * c), d0 / q};
    for (int k = 0; k < 2; ++k)
        if (x[k] > 0.0 && x[k] < 1.0) out[n++] = x[k];
    return n;
}

/// Does the cubic from row i to the next stay in the range for certain? It lies between the
/// smallest and the largest of its four Bezier points.
static bool is_inside(const signal* s, int i, double low, double high)
{
    const double p0 = value_of(s, i), p1 = value_of(s, i + 1);
    if (!(p0 >= low && p0 <= high && p1 >= low && p1 <= high)) return false;
    if (s->rate == PKM_NONE) return true;
    // inner Bezier points p0 + h d0/3, p1 - h d1/3
    const double third = (time_of(s, i + 1) - time_of(s, i)) / 3.0;
    const double a = p0 + third * read(s, i, s->rate), b = p1 - third * read(s, i + 1, s->rate);
    return a >= low && a <= high && b >= low && b <= high;
}

/// How far a value is beyond the range; negative inside.
static double excess(double x, double low, double high)
{
    return fmax(low - x, x - high);
}

/// Where the value passes the limit between the parts x0 (inside) and x1 (beyond) of a step.
static double locate(const signal* s, int i, double x0, double x1, double low, double high)
{
    // by halves, to the last digit of x
    for (int k = 0; k < 60; ++k) {
        const double x = 0.5 * (x0 + x1);
        *(excess(between(s, i, x), low, high) > 0.0 ? &x1 : &x0) = x;
    }
    return time_of(s, i) + x1 * (time_of(s, i + 1) - time_of(s, i));
}

static void raise(breach* b, double x, double t, double from, double low, double high)
{
    const double beyond = excess(x, low, high);
    if (!(beyond > 0.0)) return;
    // `from` is where the limit was first passed, however far the value goes later
    if (!(b->beyond > 0.0)) b->from = from;
    if (beyond <= b->beyond) return;
    *b = (breach){beyond, x, t, b->from};
}

/// Follow the cubic from row i to the next, through its turning points.
static void follow(const signal* s, int i, double low, double high, breach* b)
{
    if (is_inside(s, i, low, high)) return;
    double turn[2], at[4] = {0.0};
    int n = 1;
    const int m = turning_points(s, i, turn);
    if (m == 2 && turn[0] > turn[1]) {
        const double first = turn[1];
        turn[1] = turn[0];
        turn[0] = first;
    }
    for (int k = 0; k < m; ++k)
        at[n++] = turn[k];
    at[n++] = 1.0;
    const double t0 = time_of(s, i), h = time_of(s, i + 1) - t0;
    for (int k = 1; k < n; ++k) {
        const double x = between(s, i, at[k]), before = between(s, i, at[k - 1]);
        if (!(excess(x, low, high) > 0.0)) continue;
        const double t = t0 + at[k] * h;
        const bool enters = !(excess(before, low, high) > 0.0);
        raise(b, x, t, enters ? locate(s, i, at[k - 1], at[k], low, high) : t, low, high);
    }
}

/// Is there a row between rows i - 1 and i + 1 where a peak was located? Then nothing is guessed.
static bool has_located(const signal* s, int i)
{
    const double from = time_of(s, i - 1), to = time_of(s, i + 1);
    for (int k = 0; k < pkm_table_n_located(s->table); ++k) {
        const double t = pkm_table_get(s->table, s->n_row + k, 0);
        if (t > from && t < to) return true;
    }
    return false;
}

/// Without rates: the parabola through three rows whose middle one is largest or smallest. Steps
/// that differ by more than a factor of four do not show the peak (a jump): the row itself counts.
static void look_at_peak(const signal* s, int i, double low, double high, breach* b)
{
    if (s->rate != PKM_NONE || i + 1 >= s->n_row) return;
    // only where the row is above, or below, both neighbours
    const double x = value_of(s, i), left = x - value_of(s, i - 1), right = x - value_of(s, i + 1);
    if (!(left * right > 0.0)) return;
    const double h = time_of(s, i + 1) - time_of(s, i), g = time_of(s, i) - time_of(s, i - 1);
    if (fabs(h - g) > 1e-6 * h) return;
    if (fabs(left) > 4.0 * fabs(right) || fabs(right) > 4.0 * fabs(left)) return;
    const double shift = 0.5 * (left - right) / (left + right); // of the vertex, in steps
    const double t = time_of(s, i) + shift * h, top = x + 0.25 * (left - right) * shift;
    if (excess(top, low, high) > b->beyond && !has_located(s, i)) raise(b, top, t, t, low, high);
}

/// Rows of located peaks: a peak has one value wherever it is shown.
static void look_at_located(const signal* s, double low, double high, breach* b)
{
    for (int k = 0; k < pkm_table_n_located(s->table); ++k) {
        const double t = pkm_table_get(s->table, s->n_row + k, 0);
        const double x = pkm_table_get(s->table, s->n_row + k, s->column);
        if (excess(x, low, high) > 0.0 && t < b->from) b->from = t;
        raise(b, x, t, t, low, high);
    }
}

// Comparisons alone, which the compiler turns into vector instructions.
static inline double fmin_of(double a, double b)
{
    return b < a ? b : a;
}

static inline double fmax_of(double a, double b)
{
    return b > a ? b : a;
}

/// The smallest and the largest of all Bezier points of the cubics from row to row.
typedef struct hull {
    double least, most;
    double before, slope; ///< work: value and rate of the row before
} hull;

static double rate_of(const signal* s, const double* row)
{
    return s->rate == PKM_NONE ? 0.0 : row[s->rate];
}

/// Of `n` columns of one table, row by row: a long table is read once.
static void find_hulls(const signal* s, int n, hull* out)
{
    const double* row = s->first;
    double t = row[0];
    for (int k = 0; k < n; ++k) {
        const double x = row[s[k].column];
        out[k] = (hull){.least = x, .most = x, .before = x, .slope = rate_of(&s[k], row)};
    }
    for (int i = 1; i < s->n_row; ++i) {
        row += s->n_column;
        const double third = (row[0] - t) * (1.0 / 3.0);
        for (int k = 0; k < n; ++k) {
            hull* h = &out[k];
            const double x = row[s[k].column], rate = rate_of(&s[k], row);
            const double a = h->before + third * h->slope, b = x - third * rate;
            h->least = fmin_of(h->least, fmin_of(x, fmin_of(a, b)));
            h->most = fmax_of(h->most, fmax_of(x, fmax_of(a, b)));
            h->before = x;
            h->slope = rate;
        }
        t = row[0];
    }
}

/// Do all rows, and what lies between them, keep the range for certain? A parabola through three
/// rows rises above its middle one by less than an eighth of what the neighbours are below it.
static bool is_kept(const signal* s, const hull* h, double low, double high)
{
    const double more = s->rate == PKM_NONE ? 0.125 * (h->most - h->least) : 0.0;
    return h->least - more >= low && h->most + more <= high;
}

/// `h`: its hull.
static breach watch_within(const signal* s, const hull* h, double low, double high)
{
    breach b = {0.0, 0.0, 0.0, 0.0};
    if (s->n_row == 0) return b;
    if (is_kept(s, h, low, high)) {
        look_at_located(s, low, high, &b);
        return b;
    }
    raise(&b, value_of(s, 0), time_of(s, 0), time_of(s, 0), low, high);
    for (int i = 0; i + 1 < s->n_row; ++i) {
        if (i > 0) look_at_peak(s, i, low, high, &b);
        follow(s, i, low, high, &b);
    }
    look_at_located(s, low, high, &b);
    return b;
}

static breach watch_signal(const signal* s, double low, double high)
{
    hull h = {.least = 0.0};
    if (s->n_row > 0) find_hulls(s, 1, &h);
    return watch_within(s, &h, low, high);
}

// ---- the list ---------------------------------------------------------------------------------

static void add(pkm_limit_list* out, const char* item, const char* quantity, const char* unit,
                double limit, const breach* b)
{
    if (!(b->beyond > 0.0) || out->n >= PKM_MAX_LIMIT_REPORT) return;
    pkm_limit_report* r = &out->item[out->n++];
    *r = (pkm_limit_report){
        .unit = unit, .limit = limit, .value = b->value, .t = b->t, .from = b->from};
    snprintf(r->what, sizeof r->what, "%.70s %s", item, quantity);
}

static int column_of(const pkm_table* table, const char* item, const char* quantity)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.%s", item, quantity);
    return pkm_table_find(table, name);
}

/// A quantity, its rate (NULL: not known), and how large it may be.
static void check_size(const pkm_table* table, const char* item, const char* const column[2],
                       const char* words, const char* unit, double limit, pkm_limit_list* out)
{
    if (!(limit < HUGE_VAL)) return;
    const signal s = signal_of(table, column_of(table, item, column[0]),
                               column[1] ? column_of(table, item, column[1]) : PKM_NONE);
    if (s.column == PKM_NONE) return;
    const breach b = watch_signal(&s, -limit, limit);
    add(out, item, words, unit, limit, &b);
}

/// Both ends of a range.
static void check_range(const signal* s, const hull* h, const char* item, const char* unit,
                        double low, double high, pkm_limit_list* out)
{
    // most ranges are kept: both ends are looked at apart only where one is not
    const breach either = watch_within(s, h, low, high);
    if (!(either.beyond > 0.0)) return;
    const breach below = watch_within(s, h, low, HUGE_VAL);
    const breach above = watch_within(s, h, -HUGE_VAL, high);
    add(out, item, "position", unit, low, &below);
    add(out, item, "position", unit, high, &above);
}

/// Jerk as the slope of the acceleration between rows; `n` columns from `first` are one vector.
static void check_jerk(const pkm_table* table, const char* first, int n, const char* item,
                       const char* unit, double limit, pkm_limit_list* out)
{
    if (!(limit < HUGE_VAL)) return;
    const int column = column_of(table, item, first);
    if (column == PKM_NONE) return;
    breach b = {0.0, 0.0, 0.0, 0.0};
    for (int i = 1; i < pkm_table_n_row(table); ++i) {
        const double t0 = pkm_table_get(table, i - 1, 0), t1 = pkm_table_get(table, i, 0);
        double sum = 0.0;
        for (int k = 0; k < n; ++k) {
            const double change =
                pkm_table_get(table, i, column + k) - pkm_table_get(table, i - 1, column + k);
            sum += change * change;
        }
        // |a_i - a_i-1|/h [m/s3, rad/s3], the mean jerk of the step
        raise(&b, sqrt(sum) / (t1 - t0), 0.5 * (t0 + t1), t0, -limit, limit);
    }
    add(out, item, "jerk", unit, limit, &b);
}

/// `q` and `h`: position of the drive, and its hull.
static void check_drive(const pkm_robot* robot, int d, const pkm_table* table, const signal* q,
                        const hull* h, pkm_limit_list* out)
{
    static const char* const velocity[] = {"v", "a"};
    static const char* const acceleration[] = {"a", NULL};
    static const char* const force[] = {"force", NULL};
    const pkm_drive* drive = &robot->mech->drive[d];
    double low, high;
    pkm_drive_range(robot, d, &low, &high);
    if (q->column != PKM_NONE)
        check_range(q, h, drive->name, pkm_robot_drive_unit(robot, d, 0), low, high, out);
    check_size(table, drive->name, velocity, "velocity", pkm_robot_drive_unit(robot, d, 1),
               drive->velocity_limit, out);
    check_size(table, drive->name, acceleration, "acceleration", pkm_robot_drive_unit(robot, d, 2),
               drive->acceleration_limit, out);
    check_size(table, drive->name, force, "force", pkm_robot_drive_unit(robot, d, -1),
               drive->force_limit, out);
    check_jerk(table, "a", 1, drive->name, pkm_robot_drive_unit(robot, d, 3), drive->jerk_limit,
               out);
}

static void check_tool(const pkm_robot* robot, int motion, const pkm_table* table,
                       pkm_limit_list* out)
{
    static const char* const speed[] = {"speed", NULL};
    static const char* const acc[] = {"acc", NULL};
    if (robot->mech->tool == PKM_NONE || motion == PKM_NONE) return;
    const pkm_desc_motion* m = &robot->desc->motion[motion];
    const char* tool = pkm_short_name(robot->mech->marker[robot->mech->tool].name);
    check_size(table, tool, speed, "speed", "m/s", m->max_velocity, out);
    check_size(table, tool, acc, "acceleration", "m/s2", m->max_acceleration, out);
    check_jerk(table, "ax", 3, tool, "m/s3", m->max_jerk, out);
}

static void check_joint(const pkm_joint_limits* joints, int k, const pkm_table* series,
                        pkm_limit_list* out)
{
    const pkm_joint_limit l = pkm_joint_limit_get(joints, k);
    const signal s = signal_of(series, 1 + 2 * k, 2 + 2 * k);
    if (!l.is_bend) {
        hull h = {.least = 0.0};
        if (s.n_row > 0) find_hulls(&s, 1, &h);
        check_range(&s, &h, l.name, l.unit, l.low, l.high, out);
        return;
    }
    const breach b = watch_signal(&s, -HUGE_VAL, l.high);
    add(out, l.name, "swing", l.unit, l.high, &b);
}

/// Positions of the drives with their hulls, of all that the table has.
static void read_drives(const pkm_robot* robot, const pkm_table* table, signal* q, hull* h)
{
    signal there[PKM_MAX_DRIVE];
    hull of_there[PKM_MAX_DRIVE] = {{.least = 0.0}};
    int n = 0;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const char* name = robot->mech->drive[d].name;
        q[d] = signal_of(table, column_of(table, name, "q"), column_of(table, name, "v"));
        if (q[d].column != PKM_NONE) there[n++] = q[d];
    }
    if (n > 0 && pkm_table_n_row(table) > 0) find_hulls(there, n, of_there);
    for (int d = 0, k = 0; d < robot->mech->n_drive; ++d)
        h[d] = q[d].column != PKM_NONE ? of_there[k++] : (hull){.least = 0.0};
}

void pkm_limits_find(const pkm_limit_watch* watch, const pkm_robot* robot, int motion,
                     const pkm_table* table, pkm_limit_list* out)
{
    signal q[PKM_MAX_DRIVE];
    hull h[PKM_MAX_DRIVE];
    read_drives(robot, table, q, h);
    out->n = 0;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        check_drive(robot, d, table, &q[d], &h[d], out);
    check_tool(robot, motion, table, out);
    for (int k = 0; watch->joints && k < pkm_joint_limits_n(watch->joints); ++k)
        check_joint(watch->joints, k, watch->series, out);
}

void pkm_limits_warn(const pkm_limit_list* list, pkm_warnings* to)
{
    for (int i = 0; i < list->n; ++i) {
        const pkm_limit_report* r = &list->item[i];
        if (isnan(r->t))
            pkm_warn(to, "limit", NAN, "limit broken: %s %.6g %s, allowed %.6g", r->what, r->value,
                     r->unit, r->limit);
        else
            pkm_warn(
                to, "limit", r->from,
                "limit broken: %s %.6g %s at t = %.6g s, allowed %.6g (beyond from t = %.6g s)",
                r->what, r->value, r->unit, r->t, r->limit, r->from);
    }
}

// ---- joints from row to row -------------------------------------------------------------------

pkm_status pkm_limits_begin(const pkm_robot* robot, int n_row, pkm_limit_watch* out, pkm_error* err)
{
    *out = (pkm_limit_watch){NULL, NULL};
    if (!pkm_joint_limits_passive(robot)) return PKM_OK;
    out->joints = pkm_joint_limits_create(robot);
    out->series = pkm_table_create();
    bool ok = out->joints && out->series && pkm_table_add_item(out->series, "", "t", "s");
    for (int k = 0; ok && k < pkm_joint_limits_n(out->joints); ++k) {
        const pkm_joint_limit l = pkm_joint_limit_get(out->joints, k);
        ok = pkm_table_add_item(out->series, l.name, l.is_bend ? "swing" : "q", l.unit) &&
             pkm_table_add_item(out->series, l.name, l.is_bend ? "swing_rate" : "v", "");
    }
    if (ok && pkm_table_reserve(out->series, n_row) == PKM_OK) return PKM_OK;
    pkm_limits_end(out);
    return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

void pkm_limits_end(pkm_limit_watch* watch)
{
    pkm_joint_limits_free(watch->joints);
    pkm_table_free(watch->series);
    *watch = (pkm_limit_watch){NULL, NULL};
}

pkm_status pkm_limits_note(pkm_limit_watch* watch, double t, const pkm_state* state)
{
    if (!watch->joints) return PKM_OK;
    double* row = pkm_table_append(watch->series);
    if (!row) return PKM_ERR_MEMORY;
    row[0] = t;
    for (int k = 0; k < pkm_joint_limits_n(watch->joints); ++k)
        pkm_joint_limit_read(watch->joints, k, state, &row[1 + 2 * k], &row[2 + 2 * k]);
    return PKM_OK;
}

// ---- at a pose --------------------------------------------------------------------------------

static void add_pose(pkm_limit_list* out, const char* item, const char* quantity, const char* unit,
                     double x, double low, double high)
{
    const breach b = {excess(x, low, high), x, NAN, NAN};
    add(out, item, quantity, unit, x < low ? low : high, &b);
}

pkm_status pkm_limits_at(pkm_robot* robot, pkm_limit_list* out, pkm_error* err)
{
    out->n = 0;
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        double low, high;
        pkm_drive_range(robot, d, &low, &high);
        add_pose(out, robot->mech->drive[d].name, "position", pkm_robot_drive_unit(robot, d, 0),
                 pkm_state_drive_position(robot->state, d), low, high);
    }
    if (!pkm_joint_limits_passive(robot)) return PKM_OK;
    pkm_joint_limits* joints = pkm_joint_limits_create(robot);
    if (!joints) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    for (int k = 0; k < pkm_joint_limits_n(joints); ++k) {
        const pkm_joint_limit l = pkm_joint_limit_get(joints, k);
        double x, rate;
        pkm_joint_limit_read(joints, k, robot->state, &x, &rate);
        add_pose(out, l.name, l.is_bend ? "swing" : "position", l.unit, x, l.low, l.high);
    }
    pkm_joint_limits_free(joints);
    return PKM_OK;
}
