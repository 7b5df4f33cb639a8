// Numbers, vectors, directions and rotations from texts and lists, with the unit that a place
// wants.
#include "base/error.h"
#include "math/angle.h"
#include "math/quat.h"
#include "model/key.h"
#include "model/quantity.h"

#include <stdio.h>
#include <string.h>

/// The text as written; of an expression also its value, which the reader of the message needs.
static pkm_shown show(const pkm_yaml* node, pkm_quantity value)
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
pkm_status pkm_reader_fail_inside(const pkm_reader* r, const pkm_yaml* node, const pkm_fault* fault)
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
    return pkm_reader_fail(r, node, "%s, expected %s 0", show(node, value).text,
                           range == PKM_RANGE_POSITIVE ? ">" : ">=");
}

/// 30 without a unit is 30 rad, nearly five turns: hardly meant.
static void warn_of_angle(const pkm_reader* r, const pkm_yaml* node, double angle)
{
    pkm_reader_warn(r, node, "angle",
                    "%.60s is an angle of %g rad (%.3g turns) without a unit, did you mean %g deg?",
                    node->text, angle, angle / PKM_TURN, angle);
}

pkm_status pkm_reader_quantity(const pkm_reader* r, const pkm_yaml* node, const pkm_dimension* want,
                               pkm_range range, pkm_quantity* out)
{
    if (node->kind != PKM_YAML_TEXT || node->text[0] == '\0')
        return pkm_reader_fail(r, node, "expected %s, found %s",
                               want ? pkm_dimension_name(*want).text : "a number",
                               pkm_yaml_show(node).text);

    pkm_fault fault;
    // copies of a limb have parameters of their own
    pkm_scope* scope = r->copy ? r->copy->scope : r->scope;
    const pkm_status status =
        pkm_expression_evaluate(node->text, pkm_scope_lookup, scope, out, &fault);
    if (status != PKM_OK)
        return fault.is_reported ? status : pkm_reader_fail_inside(r, node, &fault);
    // results of expressions may differ by radians: 1/s serves as rad/s
    const bool is_derived = node->text[0] == '=' && out->kind == PKM_UNIT_KNOWN && want &&
                            pkm_dimension_fits_derived(out->dimension, *want);
    if (want && !is_derived && !pkm_quantity_fits(*out, *want))
        return pkm_reader_fail(r, node, "%s is %s, expected %s", show(node, *out).text,
                               pkm_dimension_name(out->dimension).text,
                               pkm_dimension_name(*want).text);
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
    // items know their place in the list
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
    // any length but 0 tells a direction
    if (!pkm_vec3_direction(*out, out))
        return pkm_reader_fail(r, node, "[%s, %s, %s] has no direction", node->first->text,
                               node->first->next->text, node->first->next->next->text);
    return PKM_OK;
}

pkm_status pkm_reader_axes(const pkm_reader* r, const pkm_yaml* node, pkm_vec3 out[2])
{
    if (node->kind == PKM_YAML_LIST && node->n_child == 2) {
        PKM_TRY(pkm_reader_axis(r, node->first, &out[0]));
        return pkm_reader_axis(r, node->first->next, &out[1]);
    }
    PKM_TRY(pkm_reader_axis(r, node, &out[0]));
    out[1] = out[0];
    return PKM_OK;
}

// ---- rotations --------------------------------------------------------------------------------

/// One turn: `{x: angle}`, `{y: angle}`, `{z: angle}` or `{axis: vector, angle: angle}`.
typedef struct turn {
    double about[3], angle;
    bool is_about[3];
    pkm_vec3 axis;
} turn;

#define AT(member) offsetof(turn, member)
#define ONE_TURN                                                                                   \
    "expected one turn such as {z: 30 deg} or {axis: [1, 1, 1], angle: 120 deg}; "                 \
    "several turns are a list"
static const pkm_key turn_keys[] = {
    {"x", NULL, PKM_KEY_NUMBER, AT(about[0]), &pkm_dim_angle, .given = AT(is_about[0])},
    {"y", NULL, PKM_KEY_NUMBER, AT(about[1]), &pkm_dim_angle, .given = AT(is_about[1])},
    {"z", "turn about this axis", PKM_KEY_NUMBER, AT(about[2]), &pkm_dim_angle,
     .given = AT(is_about[2])},
    {"axis", "of a turn", PKM_KEY_AXIS, .at = AT(axis)},
    {"angle", "of a turn about `axis`", PKM_KEY_NUMBER, AT(angle), .dimension = &pkm_dim_angle},
    {.name = NULL}};
static const pkm_key_rule turn_rules[] = {{PKM_RULE_SETS, "x | y | z | axis angle", ONE_TURN},
                                          {PKM_RULE_AT_MOST, "x y z axis", ONE_TURN},
                                          {PKM_RULE_NEEDS, "angle axis", NULL},
                                          {0}};
static const pkm_section turn_section = {"turn", "{z: 30 deg} or {axis: [1, 1, 1], angle: 120 deg}",
                                         turn_keys, .rule = turn_rules};
static const pkm_key one_turn[] = {{.kind = PKM_KEY_MAP, .section = &turn_section},
                                   {.kind = PKM_KEY_OWN}};
const pkm_key pkm_key_rotation[] = {{.kind = PKM_KEY_MAP, .section = &turn_section},
                                    {.kind = PKM_KEY_LIST, .either = one_turn},
                                    {.kind = PKM_KEY_OWN}};

static pkm_status read_turn(pkm_reader* r, const pkm_yaml* node, pkm_quat* out)
{
    static const pkm_vec3 axes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    turn t = {.angle = 0.0};
    PKM_TRY(pkm_keys_read(r, node, &turn_section, &t));
    *out = pkm_quat_from_axis(t.axis, t.angle);
    for (int i = 0; i < 3; ++i)
        if (t.is_about[i]) *out = pkm_quat_from_axis(axes[i], t.about[i]);
    return PKM_OK;
}

pkm_status pkm_key_read_rotation(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_quat* out = to;
    if (node->kind != PKM_YAML_LIST) return read_turn(r, node, out);
    *out = pkm_quat_identity();
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_quat next;
        PKM_TRY(read_turn(r, item, &next));
        // each turn in the axes that those before it made: R = R1 R2 ...; unit, since rounding adds
        // up
        *out = pkm_quat_unit(pkm_quat_mul(*out, next));
    }
    return PKM_OK;
}

static const pkm_key frame_keys[] = {
    {"at", "place of a frame", PKM_KEY_VECTOR, offsetof(pkm_pose, p), .dimension = &pkm_dim_length},
    {"rotate", "its axes: a turn, or a list of turns, each in the axes that those before it made",
     PKM_KEY_OWN, offsetof(pkm_pose, q), .read = pkm_key_read_rotation, .either = pkm_key_rotation},
    {.name = NULL}};

static pkm_status begin_frame(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)r, (void)node;
    *(pkm_pose*)to = pkm_pose_identity();
    return PKM_OK;
}

const pkm_section pkm_frame_section = {"frame", NULL, frame_keys, .begin = begin_frame};
