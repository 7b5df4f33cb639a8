#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>
#include <string.h>

/// Which coordinate of the joint is driven, and whether it is an angle.
static pkm_status read_coordinate(const pkm_reader* r, const pkm_yaml* node, pkm_desc_drive* drive)
{
    static const char* const of_cylinder[] = {"angle", "displacement", NULL};
    static const char* const of_plane[] = {"x", "y", "angle", NULL};
    const pkm_yaml *word = pkm_yaml_get(node, "coordinate"), *joint = pkm_yaml_get(node, "joint");
    const pkm_joint_type type = r->desc->joint[drive->joint].type;
    const bool is_one =
        type == PKM_JOINT_REVOLUTE || type == PKM_JOINT_PRISMATIC || type == PKM_JOINT_DISTANCE;
    drive->is_rotary = type == PKM_JOINT_REVOLUTE;
    if (is_one && word)
        return pkm_reader_fail_key(r, word, "the joint '%s' has one coordinate only", joint->text);
    if (is_one) return PKM_OK;
    if (type != PKM_JOINT_CYLINDRICAL && type != PKM_JOINT_PLANAR)
        return pkm_reader_fail(r, joint,
                               "the joint '%.60s' cannot be driven, expected a revolute, "
                               "prismatic, cylindrical, planar or distance joint",
                               joint->text);
    if (!word) return pkm_reader_fail_key(r, node, "the key 'coordinate' is missing");
    const char* const* words = type == PKM_JOINT_PLANAR ? of_plane : of_cylinder;
    PKM_TRY(pkm_reader_word(r, word, words, &drive->coordinate));
    drive->is_rotary = strcmp(words[drive->coordinate], "angle") == 0;
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
