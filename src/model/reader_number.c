#include "base/error.h"
#include "math/quat.h"
#include "model/quantity.h"
#include "model/reader.h"

#include <stdio.h>
#include <string.h>

static const double TURN = 6.283185307179586; // [rad]

pkm_shown pkm_reader_show(const pkm_yaml* node, pkm_quantity value)
{
    pkm_shown shown;
    if (node->text[0] != '=') {
        snprintf(shown.text, sizeof shown.text, "%.50s", node->text);
        return shown;
    }
    const bool has_unit =
        value.kind == PKM_UNIT_KNOWN && !pkm_dimension_equal(value.dimension, pkm_dim_one);
    const pkm_unit_text unit = pkm_dimension_unit(value.dimension);
    snprintf(shown.text, sizeof shown.text, "%.50s (%.6g%s%.40s)", node->text, value.value,
             has_unit ? " " : "", has_unit ? unit.text : "");
    return shown;
}

/// A fault inside the text, placed at its own column.
static pkm_status fail_inside(const pkm_reader* r, const pkm_yaml* node, const pkm_fault* fault)
{
    pkm_yaml at = *node;
    at.place = pkm_yaml_text_place(node, fault->at);
    return pkm_reader_fail(r, &at, "%.100s: %s", node->text, fault->text);
}

static pkm_status check_range(const pkm_reader* r, const pkm_yaml* node, pkm_quantity value,
                              pkm_range range)
{
    const bool is_below = range == PKM_RANGE_NOT_NEGATIVE ? value.value < 0.0 : value.value <= 0.0;
    if (range == PKM_RANGE_ANY || !is_below) return PKM_OK;
    return pkm_reader_fail(r, node, "%s, expected %s 0", pkm_reader_show(node, value).text,
                           range == PKM_RANGE_POSITIVE ? ">" : ">=");
}

static void warn_of_angle(const pkm_reader* r, const pkm_yaml* node, double angle)
{
    pkm_reader_warn(r, node, "angle",
                    "%.60s is an angle of %g rad (%.3g turns) without a unit, did you mean %g deg?",
                    node->text, angle, angle / TURN, angle);
}

pkm_status pkm_reader_quantity(const pkm_reader* r, const pkm_yaml* node, const pkm_dimension* want,
                               pkm_range range, pkm_quantity* out)
{
    const pkm_unit_text name = want ? pkm_dimension_name(*want) : (pkm_unit_text){"a number"};
    if (node->kind != PKM_YAML_TEXT || node->text[0] == '\0')
        return pkm_reader_fail(r, node, "expected %s, found %s", name.text,
                               pkm_yaml_show(node).text);

    pkm_fault fault;
    pkm_scope* scope = r->copy ? r->copy->scope : r->scope;
    const pkm_status status =
        pkm_expression_evaluate(node->text, pkm_scope_lookup, scope, out, &fault);
    if (status != PKM_OK) return fault.is_reported ? status : fail_inside(r, node, &fault);
    const bool is_derived = node->text[0] == '=' && out->kind == PKM_UNIT_KNOWN && want &&
                            pkm_dimension_fits_derived(out->dimension, *want);
    if (want && !is_derived && !pkm_quantity_fits(*out, *want))
        return pkm_reader_fail(r, node, "%s is %s, expected %s", pkm_reader_show(node, *out).text,
                               pkm_dimension_name(out->dimension).text, name.text);
    const bool is_angle = want && pkm_dimension_equal(*want, pkm_dim_angle);
    if (is_angle && pkm_quantity_is_loose_angle(*out)) warn_of_angle(r, node, out->value);
    if (fault.loose_angle != 0.0) warn_of_angle(r, node, fault.loose_angle);
    return check_range(r, node, *out, range);
}

pkm_status pkm_reader_number(const pkm_reader* r, const pkm_yaml* node, pkm_dimension want,
                             pkm_range range, double* out)
{
    pkm_quantity value;
    PKM_TRY(pkm_reader_quantity(r, node, &want, range, &value));
    *out = value.value;
    return PKM_OK;
}

pkm_status pkm_reader_optional(const pkm_reader* r, const pkm_yaml* node, pkm_dimension want,
                               pkm_range range, double* out)
{
    return node ? pkm_reader_number(r, node, want, range, out) : PKM_OK;
}

pkm_status pkm_reader_interval(const pkm_reader* r, const pkm_yaml* node, pkm_dimension want,
                               double out[2])
{
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_list(r, node, 2, 2));
    PKM_TRY(pkm_reader_number(r, node->first, want, PKM_RANGE_ANY, &out[0]));
    PKM_TRY(pkm_reader_number(r, node->first->next, want, PKM_RANGE_ANY, &out[1]));
    if (out[0] < out[1]) return PKM_OK;
    return pkm_reader_fail(r, node, "[%s, %s], expected the smaller value first", node->first->text,
                           node->first->next->text);
}

pkm_status pkm_reader_vector(const pkm_reader* r, const pkm_yaml* node, pkm_dimension want,
                             pkm_vec3* out)
{
    PKM_TRY(pkm_reader_list(r, node, 3, 3));
    double* to[] = {&out->x, &out->y, &out->z};
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(r, item, want, PKM_RANGE_ANY, to[item->index]));
    return PKM_OK;
}

static const char* const axis_names[] = {"x", "y", "z", "-x", "-y", "-z", NULL};

pkm_status pkm_reader_axis(const pkm_reader* r, const pkm_yaml* node, pkm_vec3* out)
{
    static const pkm_vec3 named[] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                     {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    if (node->kind != PKM_YAML_LIST) {
        int which = 0;
        PKM_TRY(pkm_reader_word(r, node, axis_names, &which));
        *out = named[which];
        return PKM_OK;
    }
    PKM_TRY(pkm_reader_vector(r, node, pkm_dim_one, out));
    const double length = pkm_vec3_norm(*out);
    if (!(length > 0.0) || !isfinite(length))
        return pkm_reader_fail(r, node, "[%s, %s, %s] has no direction", node->first->text,
                               node->first->next->text, node->first->next->next->text);
    *out = pkm_vec3_scale(1.0 / length, *out);
    return PKM_OK;
}

/// One turn: `{x: angle}`, `{y: angle}`, `{z: angle}` or `{axis: vector, angle: angle}`.
static pkm_status read_turn(const pkm_reader* r, const pkm_yaml* node, pkm_quat* out)
{
    static const char* const keys[] = {"x", "y", "z", "axis", "angle", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    const pkm_yaml *axis_node = pkm_yaml_get(node, "axis"), *angle_node = node->first;
    pkm_vec3 axis = {0.0, 0.0, 1.0};
    if (axis_node && node->n_child == 2) {
        PKM_TRY(pkm_reader_axis(r, axis_node, &axis));
        angle_node = pkm_yaml_get(node, "angle");
    } else if (!axis_node && node->n_child == 1 && strcmp(angle_node->key, "angle") != 0) {
        const pkm_yaml letter = {.kind = PKM_YAML_TEXT, .text = angle_node->key};
        PKM_TRY(pkm_reader_axis(r, &letter, &axis));
    } else {
        angle_node = NULL;
    }
    if (!angle_node)
        return pkm_reader_fail(r, node,
                               "expected one turn such as {z: 30 deg} or "
                               "{axis: [1, 1, 1], angle: 120 deg}; "
                               "several turns are a list");
    double angle = 0.0;
    PKM_TRY(pkm_reader_number(r, angle_node, pkm_dim_angle, PKM_RANGE_ANY, &angle));
    *out = pkm_quat_from_axis(axis, angle);
    return PKM_OK;
}

pkm_status pkm_reader_rotation(const pkm_reader* r, const pkm_yaml* node, pkm_quat* out)
{
    if (node->kind != PKM_YAML_LIST) return read_turn(r, node, out);
    *out = pkm_quat_identity();
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_quat turn;
        PKM_TRY(read_turn(r, item, &turn));
        *out = pkm_quat_unit(pkm_quat_mul(*out, turn));
    }
    return PKM_OK;
}

pkm_status pkm_reader_pose(const pkm_reader* r, const pkm_yaml* node, pkm_pose* out)
{
    *out = pkm_pose_identity();
    const pkm_yaml *at = pkm_yaml_get(node, "at"), *rotate = pkm_yaml_get(node, "rotate");
    if (at) PKM_TRY(pkm_reader_vector(r, at, pkm_dim_length, &out->p));
    return rotate ? pkm_reader_rotation(r, rotate, &out->q) : PKM_OK;
}
