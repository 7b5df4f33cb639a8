#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>
#include <string.h>

/// Which coordinate of the joint is driven, and whether it is an angle. A screw has one freedom:
/// its angle is driven unless its displacement is named.
static pkm_status read_coordinate(const pkm_reader* r, const pkm_yaml* node, pkm_desc_drive* drive)
{
    enum { MOST = 4 };
    const pkm_yaml *word = pkm_yaml_get(node, "coordinate"), *joint = pkm_yaml_get(node, "joint");
    const pkm_joint_type type = r->desc->joint[drive->joint].type;
    const char* words[MOST] = {NULL};
    int n = 0;
    for (; n < MOST - 1 && pkm_joint_coordinate_name(type, n); ++n)
        words[n] = pkm_joint_coordinate_name(type, n);
    if (n == 0)
        return pkm_reader_fail(r, joint,
                               "the joint '%.60s' cannot be driven, expected a revolute, "
                               "prismatic, cylindrical, planar, distance or screw joint",
                               joint->text);
    if (n == 1 && word)
        return pkm_reader_fail_key(r, word, "the joint '%s' has one coordinate only", joint->text);
    if (!word && n > 1 && !(pkm_joint_type_has(type) & PKM_JOINT_HAS_LEAD))
        return pkm_reader_fail_key(r, node, "the key 'coordinate' is missing");
    if (word) PKM_TRY(pkm_reader_word(r, word, words, &drive->coordinate));
    drive->is_rotary = pkm_joint_coordinate_is_angle(type, drive->coordinate);
    return PKM_OK;
}

static pkm_status read_limits(const pkm_reader* r, const pkm_yaml* node, pkm_desc_drive* drive)
{
    static const char* const keys[] = {"position", "velocity", "acceleration",
                                       "jerk",     "force",    NULL};
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    const bool rotary = drive->is_rotary;
    PKM_TRY(pkm_reader_interval(r, pkm_yaml_get(node, "position"),
                                rotary ? pkm_dim_angle : pkm_dim_length, drive->position_limit));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "velocity"),
                                rotary ? pkm_dim_angular_velocity : pkm_dim_velocity,
                                PKM_RANGE_POSITIVE, &drive->velocity_limit));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "acceleration"),
                                rotary ? pkm_dim_angular_acceleration : pkm_dim_acceleration,
                                PKM_RANGE_POSITIVE, &drive->acceleration_limit));
    PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "jerk"),
                                rotary ? pkm_dim_angular_jerk : pkm_dim_jerk, PKM_RANGE_POSITIVE,
                                &drive->jerk_limit));
    return pkm_reader_optional(r, pkm_yaml_get(node, "force"),
                               rotary ? pkm_dim_torque : pkm_dim_force, PKM_RANGE_POSITIVE,
                               &drive->force_limit);
}

static pkm_status read_drive(const pkm_reader* r, const pkm_yaml* node, pkm_desc_drive* drive)
{
    static const char* const keys[] = {"!joint", "coordinate", "sign", "zero",
                                       "limits", "home",       NULL};
    *drive = (pkm_desc_drive){
        .sign = 1.0,
        .position_limit = {-INFINITY, INFINITY},
        .velocity_limit = INFINITY,
        .acceleration_limit = INFINITY,
        .jerk_limit = INFINITY,
        .force_limit = INFINITY,
        .home = NAN,
        .place = node->key_place,
    };
    PKM_TRY(pkm_reader_keys(r, node, keys));
    PKM_TRY(pkm_reader_find_joint(r, pkm_yaml_get(node, "joint"), &drive->joint));
    PKM_TRY(read_coordinate(r, node, drive));
    const pkm_yaml* sign = pkm_yaml_get(node, "sign");
    PKM_TRY(pkm_reader_optional(r, sign, pkm_dim_one, PKM_RANGE_ANY, &drive->sign));
    if (drive->sign != 1.0 && drive->sign != -1.0)
        return pkm_reader_fail(r, sign, "%.60s, expected 1 or -1", sign->text);
    const pkm_dimension position = drive->is_rotary ? pkm_dim_angle : pkm_dim_length;
    PKM_TRY(
        pkm_reader_optional(r, pkm_yaml_get(node, "zero"), position, PKM_RANGE_ANY, &drive->zero));
    PKM_TRY(
        pkm_reader_optional(r, pkm_yaml_get(node, "home"), position, PKM_RANGE_ANY, &drive->home));
    return read_limits(r, pkm_yaml_get(node, "limits"), drive);
}

static pkm_status check_new(const pkm_reader* r, const pkm_yaml* node, const char* name,
                            const pkm_desc_drive* drive)
{
    for (int i = 0; i < r->desc->n_drive; ++i) {
        const pkm_desc_drive* other = &r->desc->drive[i];
        if (strcmp(other->name, name) == 0)
            return pkm_reader_fail_key(r, node, "there is a drive '%s' already", name);
        if (other->joint == drive->joint && other->coordinate == drive->coordinate)
            return pkm_reader_fail_key(r, node, "the joint '%s' is driven by '%s' already",
                                       r->desc->joint[drive->joint].name, other->name);
    }
    return PKM_OK;
}

static pkm_status read_drives(pkm_reader* r, const pkm_yaml* section)
{
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        pkm_desc_drive* drive = &r->desc->drive[r->desc->n_drive];
        char name[PKM_MAX_NAME];
        PKM_TRY(pkm_reader_name(r, node, node->key, true, name));
        PKM_TRY(read_drive(r, node, drive));
        PKM_TRY(check_new(r, node, name, drive));
        PKM_TRY(pkm_reader_keep(r, name, &drive->name));
        ++r->desc->n_drive;
    }
    return PKM_OK;
}

pkm_status pkm_drives_read(pkm_reader* r)
{
    return pkm_limbs_each(r, "drives", read_drives);
}
