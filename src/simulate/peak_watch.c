// Extremes between the rows of a table. Steps and rows are samples of what has a peak: forces and
// motions of drives, motors, motion and deviations of the tool, contact forces. Where a sample is
// larger, or smaller, than its neighbours and than all before, the extreme is located on the dense
// output of the step, and a row is kept there (docs/reference/output.md, docs/theory/simulation.md,
// section 7). The one further from zero is the peak.
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"
#include "dynamics/rows.h"
#include "robot/peaks.h"
#include "simulate/contact_watch.h"
#include "table/column.h"

#include <string.h>

typedef enum watch_kind {
    WATCH_FORCE,
    WATCH_V,
    WATCH_A,
    WATCH_TORQUE, ///< of the motor
    WATCH_MECHANICAL,
    WATCH_DFORCE,
    WATCH_DQ,
    WATCH_SPEED,
    WATCH_ACC,
    WATCH_DP,
    WATCH_DV,
    WATCH_DA,
    WATCH_TURN,
    WATCH_NORMAL,
    WATCH_LINK, ///< found by link_peaks.c; its rows are kept here
} watch_kind;

/// The largest value of a column, or (sign -1) the smallest; the two are neighbours. Values below
/// are the column's, times the sign.
typedef struct watched {
    watch_kind kind;
    double sign;
    int index;      ///< of drive or bearing
    int column;     ///< of the table
    double best, t; ///< largest of all rows, located ones too, and when
    int of; ///< item that it is a small difference of; PKM_NONE: of the robot's size, or of nothing
    double still; ///< of a link: less is rounding
    bool is_located;
} watched;

/// Values of all that is watched at one instant.
typedef struct sample {
    double t;
    double* value; ///< [n]
} sample;

struct pkm_sim_watch {
    int n;      ///< that are sampled here
    int n_kept; ///< with columns of flexible links behind them
    int n_column;
    watched* item;
    sample last[3];   ///< of the present step, the newest first
    int n_last;       ///< of them
    sample end;       ///< of the step
    sample before[3]; ///< ends of the last ones, the newest first
    int n_before;     ///< of them, since the equations changed
    double begin;     ///< of the step [s]
    double* look;     ///< [n] work
    double* row;      ///< [n_column] work
    double* kept;     ///< [n_kept x n_column] the located row of each item
    double* y;        ///< [n_y] dense output
    double* memory;
    bool has_end;    ///< the sample at the end is there already
    bool has_looked; ///< the plant is no longer where the step left it
    bool is_new;     ///< the step begins where the equations changed
};
typedef struct pkm_sim_watch watch;

// ---- what is watched --------------------------------------------------------------------------

static void add_item(watch* w, const pkm_table* table, watch_kind kind, int index, const char* item,
                     const char* quantity)
{
    const int column = pkm_table_find_item(table, item, quantity);
    if (pkm_table_peak_rule(table, column) != PKM_PEAK_LOCATED) return;
    for (int k = 0; k < 2; ++k)
        w->item[w->n++] = (watched){.kind = kind,
                                    .sign = k == 0 ? 1.0 : -1.0,
                                    .index = index,
                                    .column = column,
                                    .best = -HUGE_VAL,
                                    .of = PKM_NONE};
}

/// Deviations of forces, velocities and accelerations are differences of these.
static void find_whole(watch* w, int k)
{
    static const int whole[] = {
        [WATCH_DFORCE] = WATCH_FORCE, [WATCH_DV] = WATCH_SPEED, [WATCH_DA] = WATCH_ACC};
    const watch_kind kind = w->item[k].kind;
    if (kind != WATCH_DFORCE && kind != WATCH_DV && kind != WATCH_DA) return;
    for (int i = 0; i < w->n; ++i)
        if ((int)w->item[i].kind == whole[kind] && w->item[i].index == w->item[k].index)
            w->item[k].of = i; // either sign serves
}

static void add_items(const pkm_sim* s, watch* w, const pkm_table* table)
{
    static const struct {
        watch_kind kind;
        const char* quantity;
    } of_drive[] = {{WATCH_FORCE, "force"},
                    {WATCH_V, "v"},
                    {WATCH_A, "a"},
                    {WATCH_TORQUE, "torque"},
                    {WATCH_MECHANICAL, "mechanical"},
                    {WATCH_DFORCE, "dforce"},
                    {WATCH_DQ, "dq"}},
      of_tool[] = {{WATCH_SPEED, "speed"}, {WATCH_ACC, "acc"}, {WATCH_DP, "dp"},
                   {WATCH_DV, "dv"},       {WATCH_DA, "da"},   {WATCH_TURN, "turn"}};
    const pkm_mechanism* mech = s->robot->mech;
    for (int d = 0; d < mech->n_drive; ++d) {
        const bool follows = pkm_drive_is_prescribed(&s->settings->drive[d]);
        for (size_t k = 0; k < sizeof of_drive / sizeof of_drive[0]; ++k)
            if (of_drive[k].kind != WATCH_DQ || !follows)
                add_item(w, table, of_drive[k].kind, d, mech->drive[d].name, of_drive[k].quantity);
    }
    for (size_t k = 0; mech->tool != PKM_NONE && k < sizeof of_tool / sizeof of_tool[0]; ++k)
        add_item(w, table, of_tool[k].kind, 0, pkm_short_name(mech->marker[mech->tool].name),
                 of_tool[k].quantity);
    for (int p = 0; s->contacts && p < pkm_plant_n_pair(s->plant); ++p) {
        char name[PKM_MAX_NAME + 8];
        pkm_sim_bearing_name(s, p, name, sizeof name);
        add_item(w, table, WATCH_NORMAL, p, name, "normal");
    }
    for (int k = 0; k < w->n; ++k)
        find_whole(w, k);
}

/// The largest magnitude of the column of item k so far.
static double size_of(const watch* w, int k)
{
    return pkm_peak_size(w->item[k].best, w->item[k ^ 1].best);
}

/// What the cubics of pkm_ideal_near are off: NOISE of what item k is a difference of; places and
/// turns: NEAR metres and radians; links: what is rounding.
static double noise_of(const watch* w, int k)
{
    static const double NOISE = 1e-7, NEAR = 1e-9;
    const watched* item = &w->item[k];
    const bool is_place =
        item->kind == WATCH_DQ || item->kind == WATCH_DP || item->kind == WATCH_TURN;
    if (item->of != PKM_NONE) return NOISE * size_of(w, item->of);
    return is_place ? NEAR : item->still;
}

/// By how much item k must be larger than all it has had: PKM_PEAK_GAIN of its magnitude, and what
/// is noise.
static double gain_of(const watch* w, int k)
{
    return PKM_PEAK_GAIN * size_of(w, k) + noise_of(w, k);
}

static double threshold(const watch* w, int k)
{
    return w->item[k].best + gain_of(w, k);
}

/// The first column of the flexible links, and how many there are: they stand side by side.
static int find_links(const pkm_sim* s, const pkm_table* table, int* first)
{
    pkm_table* alone = s->n_flexible > 0 ? pkm_table_create() : NULL;
    pkm_layout to = {.table = alone};
    if (!alone) return 0;
    pkm_sim_put_deflections(s, 0.0, NULL, &to);
    const int n = to.failed ? 0 : pkm_table_n_column(alone);
    *first = n > 0 ? pkm_table_find(table, pkm_table_name(alone, 0)) : PKM_NONE;
    pkm_table_free(alone);
    return *first == PKM_NONE ? 0 : n;
}

/// What is nothing in a column of links: stresses of a pascal, forces of a millionth of a newton.
static double rounding_of(const char* unit)
{
    return strcmp(unit, "Pa") == 0 ? 1.0 : strcmp(unit, "N") == 0 ? 1e-6 : 1e-12;
}

static pkm_status begin_sums(pkm_sim* s, const pkm_table* table)
{
    const watch* w = s->watch;
    PKM_TRY(pkm_sim_begin_sums(s, table, w->n / 2));
    for (int k = 0; k < w->n / 2; ++k)
        pkm_sim_set_sums(s, k, w->item[2 * k].column);
    return PKM_OK;
}

pkm_status pkm_sim_begin_watch(pkm_sim* s, const pkm_table* table)
{
    watch* w = s->watch = pkm_alloc(1, sizeof *w);
    if (!w) return PKM_ERR_MEMORY;
    int first = PKM_NONE;
    const int n_link = s->settings->peaks_unread ? 0 : find_links(s, table, &first);
    const int n_most = 7 * s->robot->mech->n_drive + 6 + pkm_plant_n_pair(s->plant) + n_link;
    w->n_column = pkm_table_n_column(table);
    w->item = pkm_alloc(2 * (size_t)n_most, sizeof *w->item);
    if (!w->item) return PKM_ERR_MEMORY;
    if (!s->settings->peaks_unread) add_items(s, w, table);
    for (int i = 0; i < 2 * n_link; ++i)
        w->item[w->n + i] = (watched){.kind = WATCH_LINK,
                                      .sign = i % 2 == 0 ? 1.0 : -1.0,
                                      .column = first + i / 2,
                                      .best = -HUGE_VAL,
                                      .of = PKM_NONE,
                                      .still = rounding_of(pkm_table_unit(table, first + i / 2))};
    w->n_kept = w->n + 2 * n_link;
    PKM_TRY(pkm_sim_begin_link_peaks(s, n_link));
    if (!s->settings->peaks_unread) PKM_TRY(begin_sums(s, table));
    const size_t n = (size_t)w->n, n_kept = (size_t)w->n_kept, n_column = (size_t)w->n_column;
    w->memory = pkm_alloc(8 * n + (n_kept + 1) * n_column + (size_t)s->n_y, sizeof(double));
    if (!w->memory) return PKM_ERR_MEMORY;
    for (int k = 0; k < 3; ++k) {
        w->last[k].value = w->memory + (size_t)k * n;
        w->before[k].value = w->memory + (size_t)(3 + k) * n;
    }
    w->end.value = w->memory + 6 * n;
    w->look = w->memory + 7 * n;
    w->row = w->look + n;
    w->kept = w->row + n_column;
    w->y = w->kept + n_kept * n_column;
    w->is_new = true;
    return PKM_OK;
}

void pkm_sim_end_watch(pkm_sim* s)
{
    if (!s->watch) return;
    pkm_sim_end_link_peaks(s);
    pkm_sim_end_sums(s);
    pkm_free(s->watch->item);
    pkm_free(s->watch->memory);
    pkm_free(s->watch);
}

// ---- samples ----------------------------------------------------------------------------------

static double normal_of(const pkm_sim* s, int p)
{
    const pkm_clearance_force* f = &pkm_plant_pair(s->plant, p)->force;
    double sum = 0.0;
    for (int i = 0; i < f->n_contact; ++i)
        sum += f->contact[i].normal;
    return sum;
}

/// What the samples are read off.
typedef struct present {
    pkm_frame_motion tool;
    pkm_ideal_point ideal;
    double v, a;           ///< of the drive
    pkm_drive_point motor; ///< of it
} present;

static double value_of(const pkm_sim* s, const watched* item, const present* now)
{
    const int d = item->index;
    switch (item->kind) {
    case WATCH_FORCE:
        return pkm_plant_drive_force(s->plant)[d];
    case WATCH_V:
        return now->v;
    case WATCH_A:
        return now->a;
    case WATCH_TORQUE:
        return now->motor.motor_torque;
    case WATCH_MECHANICAL:
        return now->motor.motor_torque * now->motor.shaft_speed;
    case WATCH_DFORCE:
        return pkm_plant_drive_force(s->plant)[d] - now->ideal.force[d];
    case WATCH_DQ:
        return pkm_state_drive_position(s->robot->state, d) - now->ideal.q[d];
    case WATCH_SPEED:
        return pkm_vec3_norm(now->tool.v);
    case WATCH_ACC:
        return pkm_vec3_norm(now->tool.a);
    case WATCH_DP:
        return pkm_vec3_norm(pkm_vec3_sub(now->tool.pose.p, now->ideal.p));
    case WATCH_DV:
        return pkm_vec3_norm(pkm_vec3_sub(now->tool.v, now->ideal.v));
    case WATCH_DA:
        return pkm_vec3_norm(pkm_vec3_sub(now->tool.a, now->ideal.a));
    case WATCH_TURN:
        return pkm_vec3_norm(
            pkm_quat_to_rotvec(pkm_quat_mul(now->tool.pose.q, pkm_quat_conj(now->ideal.turn))));
    case WATCH_NORMAL:
        return normal_of(s, item->index);
    case WATCH_LINK:
        break;
    }
    return 0.0;
}

/// Rates of the drive of an item, and its motor: once for all items of the drive.
static void read_drive(const pkm_sim* s, const watched* item, present* now)
{
    const int d = item->index;
    if (item->kind == WATCH_V) pkm_drive_rates(s->robot->state, d, &now->v, &now->a);
    if (item->kind == WATCH_TORQUE)
        now->motor =
            pkm_actuator_point(s->actuator, d, pkm_plant_drive_force(s->plant)[d], now->v, now->a);
}

/// Accelerations of the bodies that samples read: of the tool, and of all where a drive is a
/// distance between two.
static void accelerate(pkm_state* state)
{
    const pkm_mechanism* mech = state->mech;
    bool is_distance = false;
    for (int d = 0; d < mech->n_drive; ++d)
        is_distance = is_distance || mech->drive[d].v_index == PKM_NONE;
    if (is_distance)
        pkm_kinematics_acceleration(state, state->a);
    else if (mech->tool != PKM_NONE)
        pkm_kinematics_acceleration_of(state, state->a, mech->marker[mech->tool].body);
}

/// At the plant's last evaluation; deviations from the ideal motion read between its rows.
static void read_plant(pkm_sim* s, double t, double* value)
{
    const watch* w = s->watch;
    present now = {.v = 0.0};
    accelerate(s->robot->state);
    if (s->robot->mech->tool != PKM_NONE)
        now.tool = pkm_state_marker_motion(s->robot->state, s->robot->mech->tool);
    if (s->ideal) pkm_ideal_near(s->ideal, t, &now.ideal);
    for (int k = 0; k < w->n; k += 2) {
        read_drive(s, &w->item[k], &now);
        value[k] = value_of(s, &w->item[k], &now);
        value[k + 1] = -value[k];
    }
}

/// Evaluate where the robot stands at time t inside the step.
static pkm_status read_at(pkm_sim* s, double t, double* value)
{
    watch* w = s->watch;
    w->has_looked = true;
    PKM_TRY(pkm_plant_evaluate(s->plant, pkm_sim_left(s, t), w->y + s->n_q + s->n_v, s->z_rate));
    read_plant(s, t, value);
    return PKM_OK;
}

static pkm_status look_at(pkm_sim* s, double t, double* value)
{
    PKM_TRY(pkm_sim_stand_at(s, t, s->watch->y));
    return read_at(s, t, value);
}

// ---- locating ---------------------------------------------------------------------------------

/// Keep the row for all whose largest value it has.
static void keep_row(watch* w, const double* row, bool is_located)
{
    for (int k = 0; k < w->n_kept; ++k) {
        watched* item = &w->item[k];
        if (!(item->sign * row[item->column] > item->best)) continue;
        item->best = item->sign * row[item->column];
        item->t = row[0];
        item->is_located = is_located;
        if (is_located)
            memcpy(w->kept + (size_t)k * (size_t)w->n_column, row,
                   (size_t)w->n_column * sizeof *row);
    }
}

/// A row at time t of the step, exact in all columns.
static pkm_status take_row(pkm_sim* s, double t)
{
    watch* w = s->watch;
    w->has_looked = true;
    PKM_TRY(pkm_sim_dense(s, t, w->y));
    PKM_TRY(pkm_sim_fill_row(s, t, w->y, w->row));
    keep_row(w, w->row, true);
    if (s->contacts) pkm_sim_note_peaks(s, t);
    return PKM_OK;
}

/// Item k has its vertex near the middle one of three samples: find it, and take a row there.
static pkm_status locate(pkm_sim* s, int k, const sample* a, const sample* b, const sample* c)
{
    watch* w = s->watch;
    double t[3] = {a->t, b->t, c->t}, f[3] = {a->value[k], b->value[k], c->value[k]};
    double at = t[1], height = f[1];
    for (int i = 0; i < PKM_PEAK_TRIALS && pkm_peak_vertex(t, f, &at, &height); ++i) {
        if (at < w->begin || at > c->t || !(height > f[1] + gain_of(w, k))) break;
        PKM_TRY(look_at(s, at, w->look));
        pkm_peak_narrow(t, f, at, w->look[k]);
    }
    if (!(f[1] > threshold(w, k))) return PKM_OK;
    return take_row(s, t[1]);
}

/// Does item k pass a maximum in these samples, larger than all it had?
static bool has_maximum(const watch* w, int k, const sample* a, const sample* b, const sample* c)
{
    const double t[3] = {a->t, b->t, c->t}, f[3] = {a->value[k], b->value[k], c->value[k]};
    const double best = threshold(w, k);
    double at, height = f[1];
    if (f[1] >= f[0] && f[1] >= f[2] && f[1] > best) return true;
    // over a long step a parabola tells heights to about a tenth of what it spans
    const double span = fmax(f[0], fmax(f[1], f[2])) - fmin(f[0], fmin(f[1], f[2]));
    if (!pkm_peak_vertex(t, f, &at, &height) || !(height + 0.1 * span > best)) return false;
    return at >= fmax(a->t, w->begin) && at <= c->t;
}

static void push(watch* w, double t)
{
    const sample spare = w->last[2];
    w->last[2] = w->last[1];
    w->last[1] = w->last[0];
    w->last[0] = spare;
    w->last[0].t = t;
    if (w->n_last < 3) ++w->n_last;
}

/// Look at the three newest samples; at the begin of a step also whether all falls from there.
static pkm_status look_back(pkm_sim* s)
{
    watch* w = s->watch;
    const sample *a = &w->last[2], *b = &w->last[1], *c = &w->last[0];
    for (int k = 0; k < w->n && w->n_last == 3; ++k) {
        if (has_maximum(w, k, a, b, c)) PKM_TRY(locate(s, k, a, b, c));
        const bool falls = a->t == w->begin && a->value[k] > b->value[k];
        if (falls && a->value[k] > threshold(w, k)) PKM_TRY(take_row(s, a->t));
    }
    return PKM_OK;
}

// ---- steps ------------------------------------------------------------------------------------

void pkm_sim_watch_plant(pkm_sim* s, double t)
{
    watch* w = s->watch;
    if (w->n == 0) return;
    read_plant(s, t, w->end.value);
    pkm_sim_read_link_peaks(s, t);
    pkm_sim_read_sums(s, t, w->end.value);
    w->end.t = t;
    w->has_end = true;
}

pkm_status pkm_sim_watch_open(pkm_sim* s, double begin)
{
    watch* w = s->watch;
    const double same = 1e-12 * s->settings->end_time;
    w->begin = begin;
    w->n_last = 0;
    w->has_looked = false;
    if (w->n == 0) return PKM_OK;
    pkm_sim_open_sums(s, pkm_sim_time(s) - begin);
    push(w, begin);
    // without a change the step begins where the last one ended
    if (w->is_new || fabs(w->before[0].t - begin) > same) {
        w->n_before = 0;
        PKM_TRY(look_at(s, begin, w->last[0].value));
        pkm_sim_break_sums(s, begin, w->last[0].value);
        return PKM_OK;
    }
    memcpy(w->last[0].value, w->before[0].value, (size_t)w->n * sizeof(double));
    return PKM_OK;
}

pkm_status pkm_sim_watch_row(pkm_sim* s, double t, const double* row)
{
    watch* w = s->watch;
    keep_row(w, row, false);
    if (w->n_last == 0 || t <= w->last[0].t) return PKM_OK;
    push(w, t);
    for (int k = 0; k < w->n; ++k)
        w->last[0].value[k] = w->item[k].sign * row[w->item[k].column];
    PKM_TRY(pkm_sim_row_sums(s, t, row));
    return look_back(s);
}

/// Does item k go on through the step as it did through the last ones? Nothing turns in it then.
static bool goes_on(const watch* w, int k)
{
    const sample* b = w->before;
    const double t[4] = {b[2].t, b[1].t, b[0].t, w->end.t};
    const double f[4] = {b[2].value[k], b[1].value[k], b[0].value[k], w->end.value[k]};
    return w->n_before == 3 && pkm_peak_goes_on(t, f);
}

/// A step inside which nothing is known gets a sample in its middle where a larger value than all
/// before may lie in it.
static bool is_promising(const watch* w)
{
    const double *from = w->last[0].value, *to = w->end.value;
    for (int k = 0; k < w->n; ++k) {
        const double reach = fmax(from[k], to[k]) + fabs(to[k] - from[k]);
        // most are far below: what counts as a gain need not be known then
        if (reach > w->item[k].best && reach > threshold(w, k) && !goes_on(w, k)) return true;
    }
    return false;
}

/// Do the begin of the step, its middle and its end tell of a peak?
static bool tells_peak(const watch* w)
{
    const sample *begin = &w->last[1], *middle = &w->last[0];
    for (int k = 0; k < w->n; ++k) {
        const bool falls = begin->value[k] > middle->value[k];
        if (has_maximum(w, k, begin, middle, &w->end)) return true;
        if (falls && begin->value[k] > threshold(w, k)) return true;
    }
    return false;
}

/// Steps with contacts are short against what they move: there a cubic tells first whether the
/// dense output is worth its stages, within the tenth that has_maximum leaves.
static pkm_status add_middle(pkm_sim* s)
{
    watch* w = s->watch;
    const double t = 0.5 * (w->begin + w->end.t);
    bool exact;
    push(w, t);
    if (!s->contacts) return look_at(s, t, w->last[0].value);
    PKM_TRY(pkm_sim_stand_near(s, t, w->y, &exact));
    PKM_TRY(read_at(s, t, w->last[0].value));
    if (exact) return PKM_OK;
    if (tells_peak(w)) return look_at(s, t, w->last[0].value);
    // nothing to see: only the begin of the step is left
    const sample middle = w->last[0];
    w->last[0] = w->last[1];
    w->last[1] = w->last[2];
    w->last[2] = middle;
    w->n_last = 1;
    return PKM_OK;
}

/// Nothing after the step tells of a value that rises up to a change of the equations.
static pkm_status take_end(pkm_sim* s)
{
    watch* w = s->watch;
    for (int k = 0; k < w->n; ++k)
        if (w->end.value[k] > threshold(w, k)) return take_row(s, w->end.t);
    return PKM_OK;
}

/// A row at the step's end is its end, not one of its samples inside.
static void take_back(watch* w, double end)
{
    if (w->n_last != 2 || w->last[0].t < end) return;
    const sample row = w->last[0];
    memcpy(w->end.value, row.value, (size_t)w->n * sizeof(double));
    w->end.t = end;
    w->has_end = true;
    w->last[0] = w->last[1];
    w->last[1] = row;
    w->n_last = 1;
}

pkm_status pkm_sim_watch_close(pkm_sim* s, double end, bool changes)
{
    watch* w = s->watch;
    if (w->n == 0) return PKM_OK;
    take_back(w, end);
    if (!w->has_end || w->end.t != end) {
        PKM_TRY(look_at(s, end, w->end.value));
        pkm_sim_read_sums(s, end, w->end.value);
        w->end.t = end;
    }
    w->has_end = false;
    if (w->n_last == 1 && is_promising(w)) PKM_TRY(add_middle(s));
    if (end > w->last[0].t && w->n_last > 1) {
        push(w, end);
        memcpy(w->last[0].value, w->end.value, (size_t)w->n * sizeof(double));
        PKM_TRY(look_back(s));
    }
    PKM_TRY(pkm_sim_find_link_peaks(s, w->begin, end));
    PKM_TRY(pkm_sim_close_sums(s, end, changes));
    if (changes) PKM_TRY(take_end(s));
    const sample spare = w->before[2];
    w->before[2] = w->before[1];
    w->before[1] = w->before[0];
    w->before[0] = w->end;
    w->end = spare;
    if (w->n_before < 3) ++w->n_before;
    w->is_new = changes;
    w->n_last = 0;
    return PKM_OK;
}

void pkm_sim_watch_forget(pkm_sim* s)
{
    s->watch->is_new = true;
    s->watch->has_end = false;
    s->watch->n_last = 0;
}

pkm_status pkm_sim_watch_at(pkm_sim* s, double t)
{
    return s->watch->n == 0 ? PKM_OK : take_row(s, t);
}

void pkm_sim_watch_moved(pkm_sim* s)
{
    s->watch->has_looked = true;
}

bool pkm_sim_watch_may_lead(const pkm_sim* s, int i, double value)
{
    return value > s->watch->item[s->watch->n + i].best;
}

double pkm_sim_watch_link(const pkm_sim* s, int i, double* gain)
{
    *gain = gain_of(s->watch, s->watch->n + i);
    return threshold(s->watch, s->watch->n + i);
}

pkm_status pkm_sim_watch_look(pkm_sim* s, double t, const double** value)
{
    *value = s->watch->look;
    return look_at(s, t, s->watch->look);
}

double pkm_sim_watch_noise(const pkm_sim* s, int k)
{
    return noise_of(s->watch, 2 * k);
}

bool pkm_sim_watch_has_looked(const pkm_sim* s)
{
    return s->watch->has_looked;
}

// ---- the end ----------------------------------------------------------------------------------

pkm_status pkm_sim_put_located(const pkm_sim* s, pkm_table* table)
{
    const watch* w = s->watch;
    pkm_sim_put_sums(s, table);
    for (int k = 0; k < w->n_kept; ++k) {
        const watched* item = &w->item[k];
        if (item->kind == WATCH_NORMAL && item->sign > 0.0 && item->best > 0.0)
            s->contacts->record->bearing[item->index].force = (pkm_peak){item->best, item->t};
        const double* row = w->kept + (size_t)k * (size_t)w->n_column;
        bool is_there = !w->item[k].is_located;
        for (int i = 0; i < pkm_table_n_located(table) && !is_there; ++i)
            is_there = pkm_table_get(table, pkm_table_n_row(table) + i, 0) == row[0];
        if (!is_there && !pkm_table_add_located(table, row)) return PKM_ERR_MEMORY;
    }
    return PKM_OK;
}
