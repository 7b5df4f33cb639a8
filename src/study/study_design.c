// The design of a study: factors, sweeps or a list of cases, each case with settings of its own.
#include "base/error.h"
#include "plot/axis.h"
#include "study/study_impl.h"
#include "write/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LEVEL = 100000 };

/// Room for the levels, which are read one by one.
static pkm_status begin_factor(pkm_study_reader* sr, const pkm_yaml* node, int n_level,
                               pkm_study_factor* out)
{
    const pkm_reader* r = &sr->rr.r;
    void* room = NULL;
    if (n_level > MAX_LEVEL)
        return pkm_reader_fail(r, node, "%d levels, expected at most %d", n_level, MAX_LEVEL);
    PKM_TRY(pkm_reader_alloc(r, n_level, sizeof(pkm_study_level), &room));
    PKM_TRY(pkm_reader_keep(r, node->key, &out->name));
    out->level = room;
    return PKM_OK;
}

/// In doubles: the product may be far beyond what an int holds.
static pkm_status count_cases(pkm_study_reader* sr, const pkm_yaml* section)
{
    pkm_study* study = sr->study;
    double n = 1.0;
    for (int f = 0; f < study->n_factor; ++f)
        n *= study->factor[f].n_level;
    if (n > PKM_MAX_CASE)
        return pkm_reader_fail_key(&sr->rr.r, section, "%.0f cases, expected at most %d", n,
                                   PKM_MAX_CASE);
    study->n_case = (int)n;
    return PKM_OK;
}

// ---- factors ----------------------------------------------------------------------------------

static pkm_status read_factor(pkm_study_reader* sr, const pkm_yaml* node, pkm_study_factor* out)
{
    static const pkm_yaml nothing = {.kind = PKM_YAML_MAP, .text = ""};
    const pkm_reader* r = &sr->rr.r;
    PKM_TRY(pkm_reader_keys_any(r, node));
    if (node->n_child < 2)
        return pkm_reader_fail(r, node,
                               "%d level%s, expected at least 2, such as {off: {}, on: "
                               "{friction: ...}}",
                               node->n_child, node->n_child == 1 ? "" : "s");
    PKM_TRY(begin_factor(sr, node, node->n_child, out));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        // `off:` with nothing behind it changes nothing
        const bool is_empty = item->kind == PKM_YAML_TEXT && !item->text[0];
        pkm_study_level* level = &out->level[out->n_level++];
        level->value = NAN;
        level->settings = is_empty ? &nothing : item;
        if (!is_empty) PKM_TRY(pkm_study_check_settings(sr, item));
        PKM_TRY(pkm_reader_keep(r, item->key, &level->name));
    }
    return PKM_OK;
}

/// Load the robot and take the settings with each level of each factor alone, to find what is wrong
/// with it before the first case is run.
static pkm_status try_levels(pkm_study_reader* sr)
{
    const pkm_study* study = sr->study;
    pkm_status status = PKM_OK;
    for (int f = 0; f < study->n_factor && status == PKM_OK; ++f)
        // the reference case once, with the first factor
        for (int l = f ? 1 : 0; l < study->factor[f].n_level && status == PKM_OK; ++l) {
            int level[PKM_MAX_FACTOR] = {0};
            pkm_prepared prepared;
            level[f] = l;
            const pkm_settings settings =
                pkm_study_settings(study, pkm_study_find_case(study, level));
            status = pkm_study_prepare(study, &settings, &prepared, sr->rr.r.err);
            pkm_prepared_free(&prepared);
        }
    return status;
}

static pkm_status read_factors(pkm_study_reader* sr, const pkm_yaml* section)
{
    const pkm_reader* r = &sr->rr.r;
    PKM_TRY(pkm_reader_named_map(r, section));
    if (section->n_child < 1 || section->n_child > PKM_MAX_FACTOR)
        return pkm_reader_fail_key(r, section, "%d factors, expected 1 to %d", section->n_child,
                                   PKM_MAX_FACTOR);
    for (const pkm_yaml* item = section->first; item; item = item->next)
        PKM_TRY(read_factor(sr, item, &sr->study->factor[sr->study->n_factor++]));
    PKM_TRY(count_cases(sr, section));
    return try_levels(sr);
}

// ---- sweeps -----------------------------------------------------------------------------------

/// What is swept: a parameter of the study, or of the robot.
typedef struct swept {
    const char* layer; ///< "parameters" or "set"
    bool has_unit;
    pkm_dimension dimension;
    pkm_unit_text unit; ///< SI; "" for none
} swept;

/// A parameter of the study hides one of the robot, as in its expressions.
static pkm_status find_swept(const pkm_study_reader* sr, const pkm_yaml* node, swept* out)
{
    const pkm_reader* r = &sr->rr.r;
    const pkm_parameter* p = pkm_scope_find(r->scope, node->key);
    const bool is_own = pkm_yaml_get(pkm_yaml_get(r->root, "parameters"), node->key) != NULL;
    *out = (swept){.layer = is_own ? "parameters" : "set"};
    if (!p) {
        pkm_nearest near = pkm_nearest_make(node->key);
        pkm_scope_offer(r->scope, &near);
        return pkm_reader_fail_key(r, node, "neither the study nor the robot has this parameter%s",
                                   pkm_nearest_hint(&near).text);
    }
    out->has_unit = p->value.kind == PKM_UNIT_KNOWN;
    out->dimension = out->has_unit ? p->value.dimension : pkm_dim_one;
    if (out->has_unit && !pkm_dimension_equal(out->dimension, pkm_dim_one))
        out->unit = pkm_dimension_unit(out->dimension);
    return PKM_OK;
}

/// The settings {layer: {name: text}} as if they stood in the file.
static pkm_status make_settings(const pkm_study_reader* sr, const pkm_yaml* node, const swept* what,
                                const char* text, const pkm_yaml** out)
{
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(&sr->rr.r, 3, sizeof(pkm_yaml), &room));
    pkm_yaml* y = room;
    y[2] = (pkm_yaml){.kind = PKM_YAML_TEXT, .key = node->key, .text = text, .parent = &y[1]};
    y[1] = (pkm_yaml){.kind = PKM_YAML_MAP,
                      .key = what->layer,
                      .text = "",
                      .n_child = 1,
                      .first = &y[2],
                      .parent = &y[0]};
    y[0] = (pkm_yaml){.kind = PKM_YAML_MAP, .text = "", .n_child = 1, .first = &y[1]};
    for (int i = 0; i < 3; ++i)
        y[i].place = y[i].key_place = node->place;
    *out = y;
    return PKM_OK;
}

/// The text of a value is its name and goes into the settings as it is.
static pkm_status read_values(pkm_study_reader* sr, const pkm_yaml* node, const swept* what,
                              pkm_study_factor* out)
{
    const pkm_reader* r = &sr->rr.r;
    PKM_TRY(pkm_reader_list(r, node, 1, MAX_LEVEL));
    PKM_TRY(begin_factor(sr, node, node->n_child, out));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_study_level* level = &out->level[out->n_level++];
        pkm_quantity value;
        PKM_TRY(pkm_reader_quantity(r, item, what->has_unit ? &what->dimension : NULL,
                                    PKM_RANGE_ANY, &value));
        level->value = value.value;
        PKM_TRY(pkm_reader_keep(r, item->text, &level->name));
        PKM_TRY(make_settings(sr, node, what, level->name, &level->settings));
    }
    return PKM_OK;
}

/// Value `i` of `n` from a to b.
static double spaced(double a, double b, int i, int n, bool log_scale)
{
    if (i == 0 || n == 1) return a;
    // the ends exactly
    if (i == n - 1) return b;
    const double s = (double)i / (n - 1);
    return log_scale ? a * pow(b / a, s) : a + (b - a) * s;
}

/// A value as text that reads back the same, and a short name.
static pkm_status name_value(pkm_study_reader* sr, const pkm_yaml* node, const swept* what,
                             pkm_study_level* level)
{
    char digits[PKM_NUMBER_SIZE], text[PKM_NUMBER_SIZE + 80], unit[40];
    const char* kept = NULL;
    const char* space = what->unit.text[0] ? " " : "";
    pkm_number_format(level->value, digits);
    snprintf(text, sizeof text, "%s%s%s", digits, space, what->unit.text);
    PKM_TRY(pkm_reader_keep(&sr->rr.r, text, &kept));
    const pkm_axis axis = pkm_axis_for("", what->unit.text, fabs(level->value), unit, sizeof unit);
    snprintf(text, sizeof text, "%.6g%s%s", pkm_axis_factor(&axis) * level->value, space, unit);
    PKM_TRY(pkm_reader_keep(&sr->rr.r, text, &level->name));
    return make_settings(sr, node, what, kept, &level->settings);
}

/// `{from: ..., to: ..., n: ..., log: ...}`; the unit of the ends is that of what is swept.
typedef struct written_range {
    const pkm_yaml *from, *to;
    int n;
    bool log_scale;
} written_range;

#define AT(member) offsetof(written_range, member)
static const pkm_key range_keys[] = {
    {"from", NULL, PKM_KEY_NUMBER, AT(from), .must = true, .read = pkm_key_keep_node},
    {"to", "first and last value", PKM_KEY_NUMBER, AT(to), .must = true, .read = pkm_key_keep_node},
    {"n", "how many", PKM_KEY_COUNT, AT(n), .least = 2, .most = MAX_LEVEL, .must = true},
    {"log", "equal ratios instead of equal steps", PKM_KEY_FLAG, .at = AT(log_scale)},
    {.name = NULL}};
#undef AT
const pkm_section pkm_study_range = {"range", "evenly spaced values", .key = range_keys};

static pkm_status read_range(pkm_study_reader* sr, const pkm_yaml* node, const swept* what,
                             pkm_study_factor* out)
{
    const pkm_reader* r = &sr->rr.r;
    const pkm_dimension* want = what->has_unit ? &what->dimension : NULL;
    pkm_quantity from, to;
    written_range w = {.log_scale = false};
    PKM_TRY(pkm_keys_read(&sr->rr.r, node, &pkm_study_range, &w));
    PKM_TRY(pkm_reader_quantity(r, w.from, want, PKM_RANGE_ANY, &from));
    PKM_TRY(pkm_reader_quantity(r, w.to, want, PKM_RANGE_ANY, &to));
    if (w.log_scale && !(from.value * to.value > 0.0))
        return pkm_reader_fail(r, pkm_yaml_get(node, "log"),
                               "equal ratios need ends of one sign, neither of them 0");
    PKM_TRY(begin_factor(sr, node, w.n, out));
    for (int i = 0; i < w.n; ++i) {
        pkm_study_level* level = &out->level[out->n_level++];
        level->value = spaced(from.value, to.value, i, w.n, w.log_scale);
        PKM_TRY(name_value(sr, node, what, level));
    }
    return PKM_OK;
}

/// A list, or a range.
static pkm_status read_swept(pkm_study_reader* sr, const pkm_yaml* node, pkm_study_factor* out)
{
    swept what;
    PKM_TRY(find_swept(sr, node, &what));
    PKM_TRY(pkm_reader_keep(&sr->rr.r, what.unit.text, &out->unit));
    if (node->kind == PKM_YAML_TEXT)
        return pkm_reader_fail(&sr->rr.r, node,
                               "%s, expected a list of values or {from: ..., to: ..., n: ...}",
                               pkm_yaml_show(node).text);
    return node->kind == PKM_YAML_LIST ? read_values(sr, node, &what, out)
                                       : read_range(sr, node, &what, out);
}

static pkm_status read_sweep(pkm_study_reader* sr, const pkm_yaml* section)
{
    const pkm_reader* r = &sr->rr.r;
    PKM_TRY(pkm_reader_keys_any(r, section));
    if (section->n_child < 1 || section->n_child > PKM_MAX_FACTOR)
        return pkm_reader_fail_key(r, section, "%d parameters, expected 1 to %d", section->n_child,
                                   PKM_MAX_FACTOR);
    sr->study->is_sweep = true;
    for (const pkm_yaml* item = section->first; item; item = item->next)
        PKM_TRY(read_swept(sr, item, &sr->study->factor[sr->study->n_factor++]));
    return count_cases(sr, section);
}

// ---- the design -------------------------------------------------------------------------------

/// The settings of the study itself, without any level.
static pkm_status try_reference(pkm_study_reader* sr)
{
    pkm_study* study = sr->study;
    const pkm_settings settings = {.n = 1, .layer = {study->root}};
    pkm_prepared prepared;
    pkm_status status = pkm_study_prepare(study, &settings, &prepared, sr->rr.r.err);
    if (status == PKM_OK) {
        const int m = prepared.run->settings.motion;
        const char* name =
            m == PKM_NONE ? "none" : pkm_motion_name(prepared.robot->desc->motion[m].motion);
        status = pkm_reader_keep(&sr->rr.r, name, &study->motion);
    }
    pkm_prepared_free(&prepared);
    return status;
}

pkm_status pkm_study_read_design(pkm_study_reader* sr)
{
    const pkm_reader* r = &sr->rr.r;
    const pkm_yaml *factors = pkm_yaml_get(r->root, "factors"),
                   *sweep = pkm_yaml_get(r->root, "sweep");
    sr->study->n_case = 1;
    PKM_TRY(try_reference(sr));
    if (factors) return read_factors(sr, factors);
    return sweep ? read_sweep(sr, sweep) : PKM_OK;
}
