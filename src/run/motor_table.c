// Tables of motors: one row a motor, units in its keys, checked like any other file.
#include "run/motor_table.h"

#include "base/error.h"
#include "model/source.h"
#include "run/run_impl.h"
#include "table/column.h"

#include <math.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20, MAX_RATIO = 32 };

// ---- the file ---------------------------------------------------------------------------------

/// What stands between motors and drives.
typedef struct transmission {
    pkm_motor motor; ///< gear and screw
    int n_ratio;
    double ratio[MAX_RATIO];
} transmission;

static pkm_status read_ratios(pkm_reader* r, const pkm_yaml* node, void* to)
{
    transmission* out = to;
    PKM_TRY(pkm_reader_list(r, node, 1, MAX_RATIO));
    out->n_ratio = 0;
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(r, item, pkm_dim_one, PKM_RANGE_POSITIVE,
                                  &out->ratio[out->n_ratio++]));
    return PKM_OK;
}

/// `transmission: {gear_ratios: [5, 10], efficiency: 0.95, screw: {lead: 10 mm}}`.
static const pkm_key transmission_keys[] = {
    {"gear_ratios", "each motor is tried with each", PKM_KEY_NUMBERS, 0, .n_least = 1,
     .n_most = MAX_RATIO, .range = PKM_RANGE_POSITIVE, .read = read_ratios},
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_motor_section},
    {"belt", "between motor and gear", PKM_KEY_MAP, offsetof(transmission, motor),
     .section = &pkm_belt_section},
    {"screw", "for drives that slide", PKM_KEY_MAP, offsetof(transmission, motor),
     .section = &pkm_screw_section},
    {.name = NULL}};
static const pkm_section transmission_section = {"transmission", "between motors and drives",
                                                 .key = transmission_keys};

#define AT(member) offsetof(pkm_motor_offer, member)
static const pkm_key offer_keys[] = {
    {"rated_torque", "for ever", PKM_KEY_NUMBER, AT(rated_torque), &pkm_dim_torque,
     PKM_RANGE_POSITIVE, .must = true},
    {"max_speed", "of the shaft", PKM_KEY_NUMBER, AT(max_speed), &pkm_dim_angular_velocity,
     PKM_RANGE_POSITIVE, .must = true},
    {"peak_torque", "for a while, up to the knee", PKM_KEY_NUMBER, AT(peak_torque), &pkm_dim_torque,
     .range = PKM_RANGE_POSITIVE},
    {"knee_speed", "from where the peak torque falls", PKM_KEY_NUMBER, AT(knee_speed),
     &pkm_dim_angular_velocity, .range = PKM_RANGE_POSITIVE},
    {"end_torque", "peak torque at the largest speed", PKM_KEY_NUMBER, AT(end_torque),
     &pkm_dim_torque, .range = PKM_RANGE_POSITIVE},
    {.kind = PKM_KEY_INCLUDE, .at = AT(motor), .section = &pkm_motor_section},
    {.name = NULL}};
#undef AT
static const pkm_section offer_section = {"list", "a motor", .key = offer_keys};

static const pkm_key file_keys[] = {
    {"motors", "format version", PKM_KEY_VERSION, .must = true},
    {"description", "of the table", .kind = PKM_KEY_REMARK},
    {"transmission", "between motors and drives", PKM_KEY_MAP, 0, .section = &transmission_section},
    {"list", "name -> motor", PKM_KEY_EACH, .must = true, .section = &offer_section},
    {.name = NULL}};
const pkm_section pkm_motor_file = {NULL, "A table of motors for pkm motors.", .key = file_keys};

static pkm_status check_offer(const pkm_reader* r, const pkm_yaml* node, const pkm_motor_offer* o)
{
    pkm_error why = {0};
    if (o->motor.torque_limit < HUGE_VAL || o->motor.speed_limit < HUGE_VAL)
        return pkm_reader_fail_key(r, node,
                                   "limits of a motor in a table are rated_torque, peak_torque and "
                                   "max_speed");
    if (o->peak_torque < o->rated_torque)
        return pkm_reader_fail_key(r, node, "peak_torque %g N m, expected at least rated_torque",
                                   o->peak_torque);
    if (o->knee_speed > o->max_speed)
        return pkm_reader_fail_key(r, node, "knee_speed %g rad/s, expected at most max_speed",
                                   o->knee_speed);
    if (o->end_torque > o->peak_torque)
        return pkm_reader_fail_key(r, node, "end_torque %g N m, expected at most peak_torque",
                                   o->end_torque);
    if (pkm_motor_check(&o->motor, "motor", &why) != PKM_OK)
        return pkm_reader_fail_key(r, node, "%s", why.text);
    return PKM_OK;
}

static pkm_status read_motor(pkm_reader* r, const pkm_yaml* node, const transmission* t,
                             pkm_motor_offer* o)
{
    *o = (pkm_motor_offer){.motor = t->motor, .peak_torque = NAN, .knee_speed = NAN};
    o->end_torque = NAN;
    // a motor may override what the transmission says
    PKM_TRY(pkm_keys_read(r, node, &offer_section, o));
    // a motor of which nothing more is said has one limit at all speeds
    if (isnan(o->peak_torque)) o->peak_torque = o->rated_torque;
    if (isnan(o->knee_speed)) o->knee_speed = o->max_speed;
    if (isnan(o->end_torque)) o->end_torque = o->rated_torque;
    if (!node->key[0]) return pkm_reader_fail_key(r, node, "a motor without a name");
    PKM_TRY(pkm_reader_keep(r, node->key, &o->name));
    return check_offer(r, node, o);
}

static pkm_status read_list(pkm_reader* r, const transmission* t, pkm_motor_table* out)
{
    const pkm_yaml* list = pkm_yaml_get(r->root, "list");
    void* room = NULL;
    PKM_TRY(pkm_reader_keys_any(r, list));
    if (list->n_child < 1 || list->n_child * t->n_ratio > PKM_MAX_MOTOR)
        return pkm_reader_fail_key(r, list, "%d motors with %d gear ratios, expected 1 to %d",
                                   list->n_child, t->n_ratio, PKM_MAX_MOTOR);
    // every motor with every gear ratio is an offer of its own
    PKM_TRY(pkm_reader_alloc(r, list->n_child * t->n_ratio, sizeof *out->offer, &room));
    out->offer = room;
    for (const pkm_yaml* item = list->first; item; item = item->next)
        for (int k = 0; k < t->n_ratio; ++k) {
            pkm_motor_offer* o = &out->offer[out->n];
            PKM_TRY(read_motor(r, item, t, o));
            o->motor.gear_ratio = t->ratio[k];
            ++out->n;
        }
    return PKM_OK;
}

static pkm_status read_file(pkm_reader* r, pkm_motor_table* out)
{
    transmission t = {.motor = pkm_motor_defaults(), .n_ratio = 1, .ratio = {1.0}};
    PKM_TRY(pkm_keys_read(r, r->root, &pkm_motor_file, &t));
    return read_list(r, &t, out);
}

pkm_status pkm_motor_table_read(const char* path, pkm_motor_table* out, pkm_error* err)
{
    char* bytes = NULL;
    size_t length = 0;
    *out = (pkm_motor_table){.arena = pkm_arena_create()};
    if (!out->arena) return pkm_out_of_memory(err);
    pkm_description view = {.arena = out->arena, .file = path};
    pkm_scope scope = {0};
    pkm_reader r = {.desc = &view, .scratch = out->arena, .err = err, .scope = &scope};
    pkm_status status = pkm_source_read(path, MAX_BYTES, &bytes, &length, err);
    if (status == PKM_OK) status = pkm_source_check_text(bytes, length, path, err);
    if (status == PKM_OK) status = pkm_yaml_parse(bytes, length, path, out->arena, &r.root, err);
    if (status == PKM_OK) status = pkm_scope_read(NULL, path, out->arena, &scope, err);
    if (status == PKM_OK) status = read_file(&r, out);
    pkm_free(bytes);
    if (status == PKM_OK) return PKM_OK;
    if (err) pkm_source_clean(err->text);
    pkm_motor_table_free(out);
    return status;
}

void pkm_motor_table_free(pkm_motor_table* table)
{
    pkm_arena_free(table->arena);
    *table = (pkm_motor_table){.n = 0};
}

// ---- which serve ------------------------------------------------------------------------------

double pkm_motor_peak_at(const pkm_motor_offer* o, double speed)
{
    // constant up to the knee, then a straight line to the torque at the largest speed
    const double w = fabs(speed);
    if (w > o->max_speed) return 0.0;
    if (w <= o->knee_speed) return o->peak_torque;
    const double part = (w - o->knee_speed) / (o->max_speed - o->knee_speed);
    return o->peak_torque + part * (o->end_torque - o->peak_torque);
}

pkm_motor_columns pkm_motor_columns_of(const pkm_table* table, const char* drive)
{
    return (pkm_motor_columns){pkm_table_find_item(table, drive, "force"),
                               pkm_table_find_item(table, drive, "v"),
                               pkm_table_find_item(table, drive, "a")};
}

pkm_motor_point pkm_motor_at(const pkm_motor_offer* offer, const pkm_table* table,
                             const pkm_motor_columns* column, int row)
{
    return pkm_motor_require(&offer->motor, pkm_table_get(table, row, column->force),
                             pkm_table_get(table, row, column->v),
                             pkm_table_get(table, row, column->a));
}

/// The least margin so far, and what sets it.
static void note_margin(pkm_motor_fit* fit, double margin, pkm_motor_limit_kind limit)
{
    if (!(margin < fit->margin)) return;
    fit->margin = margin;
    fit->limit = limit;
}

static void note_peaks(const pkm_motor_offer* offer, const pkm_motor_point* p, pkm_motor_fit* fit)
{
    fit->peak_torque = fmax(fit->peak_torque, fabs(p->torque));
    fit->peak_speed = fmax(fit->peak_speed, fabs(p->shaft_speed));
    fit->peak_power = fmax(fit->peak_power, fabs(p->torque * p->shaft_speed));
    if (p->torque != 0.0 && fabs(p->shaft_speed) <= offer->max_speed)
        // beyond its speed the motor gives nothing: there the limit of speed speaks
        note_margin(fit, pkm_motor_peak_at(offer, p->shaft_speed) / fabs(p->torque),
                    PKM_MOTOR_PEAK);
}

pkm_motor_fit pkm_motor_fit_drive(const pkm_motor_offer* offer, const pkm_table* table,
                                  const char* drive)
{
    const pkm_motor_columns column = pkm_motor_columns_of(table, drive);
    const int n = pkm_table_n_row(table);
    pkm_motor_fit fit = {.margin = HUGE_VAL};
    double square = 0.0, last_square = 0.0, last_in = 0.0, last_out = 0.0;
    for (int i = 0; i < n + pkm_table_n_located(table); ++i) {
        // located rows tell peaks; integrals go over the even ones
        const pkm_motor_point p = pkm_motor_at(offer, table, &column, i);
        note_peaks(offer, &p, &fit);
        if (i >= n) continue;
        // trapezoids: squares of torques and powers taken and given back have kinks
        const double s = p.torque * p.torque, in = fmax(p.electrical_power, 0.0);
        const double out = fmax(-p.electrical_power, 0.0);
        const double h = i > 0 ? pkm_table_get(table, i, 0) - pkm_table_get(table, i - 1, 0) : 0.0;
        square += 0.5 * h * (s + last_square);
        fit.consumed += 0.5 * h * (in + last_in);
        fit.regenerated += 0.5 * h * (out + last_out);
        last_square = s, last_in = in, last_out = out;
    }
    const double duration = pkm_table_get(table, n - 1, 0) - pkm_table_get(table, 0, 0);
    // heat goes with the square of the torque over the cycle
    fit.rms_torque = sqrt(square / duration);
    if (fit.rms_torque > 0.0)
        note_margin(&fit, offer->rated_torque / fit.rms_torque, PKM_MOTOR_CONTINUOUS);
    if (fit.peak_speed > 0.0) note_margin(&fit, offer->max_speed / fit.peak_speed, PKM_MOTOR_SPEED);
    return fit;
}
