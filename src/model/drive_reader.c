// Drives and the coordinate of the joint that each moves: one drive for each freedom of a joint.
#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>
#include <string.h>

/// Which coordinate of the joint is driven, and whether it is an angle. A screw has one freedom:
/// its angle is driven unless its displacement is named.
static pkm_status choose_coordinate(pkm_reader* r, const pkm_yaml* joint, pkm_desc_drive* drive)
{
    enum { MOST = 4 };
    const pkm_yaml* node = joint->parent;
    const pkm_yaml* word = pkm_yaml_get(node, "coordinate");
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
    r->turns = drive->is_rotary = pkm_joint_coordinate_is_angle(type, drive->coordinate);
    return PKM_OK;
}

static pkm_status read_driven(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_desc_drive* drive = to;
    PKM_TRY(pkm_reader_find_joint(r, node, &drive->joint));
    return choose_coordinate(r, node, drive);
}

static pkm_status read_sign(pkm_reader* r, const pkm_yaml* node, void* to)
{
    double* sign = to;
    PKM_TRY(pkm_reader_number(r, node, pkm_dim_one, PKM_RANGE_ANY, sign));
    if (*sign == 1.0 || *sign == -1.0) return PKM_OK;
    return pkm_reader_fail(r, node, "%.60s, expected 1 or -1", node->text);
}

static pkm_status begin_drive(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)r;
    *(pkm_desc_drive*)to = (pkm_desc_drive){
        .sign = 1.0,
        .position_limit = {-INFINITY, INFINITY},
        .velocity_limit = INFINITY,
        .acceleration_limit = INFINITY,
        .jerk_limit = INFINITY,
        .force_limit = INFINITY,
        .home = NAN,
        .place = node->key_place,
    };
    return PKM_OK;
}

#define AT(member)    offsetof(pkm_desc_drive, member)
#define BOUND(member) .kind = PKM_KEY_NUMBER, .at = AT(member), .range = PKM_RANGE_POSITIVE
static const pkm_key limit_keys[] = {
    {"position", "`[low, high]`", PKM_KEY_INTERVAL, AT(position_limit), &pkm_dim_length,
     .turns = true},
    {"velocity", NULL, BOUND(velocity_limit), .dimension = &pkm_dim_velocity, .turns = true},
    {"acceleration", NULL, BOUND(acceleration_limit), .dimension = &pkm_dim_acceleration,
     .turns = true},
    {"jerk", NULL, BOUND(jerk_limit), .dimension = &pkm_dim_jerk, .turns = true},
    {"force", "what it does not exceed", BOUND(force_limit), .dimension = &pkm_dim_force,
     .turns = true},
    {.name = NULL}};
static const pkm_section limit_section = {"driveLimits", "watched along every motion",
                                          .key = limit_keys};
static const pkm_key joint_name[] = {{.kind = PKM_KEY_JOINT}, {.kind = PKM_KEY_OWN}};
static const pkm_key coordinate[] = {{.kind = PKM_KEY_COORDINATE}, {.kind = PKM_KEY_OWN}};
static const pkm_key signs[] = {{.kind = PKM_KEY_NUMBER, .least = -1.0, .most = 1.0},
                                {.kind = PKM_KEY_OWN}};
static const pkm_key drive_keys[] = {
    {"joint", "that is driven", PKM_KEY_OWN, 0, .must = true, .read = read_driven,
     .either = joint_name},
    {"coordinate", "of a joint with several", PKM_KEY_OWN, .either = coordinate}, // with `joint`
    {"sign", "1 or -1: position = sign * coordinate + zero", PKM_KEY_OWN, AT(sign),
     .read = read_sign, .either = signs},
    {"zero", "position where the coordinate is 0", PKM_KEY_NUMBER, AT(zero), &pkm_dim_length,
     .turns = true},
    {"home", "position of the home configuration", PKM_KEY_NUMBER, AT(home), &pkm_dim_length,
     .turns = true},
    {"limits", "of position, speed, acceleration, jerk and force", PKM_KEY_MAP, 0,
     .section = &limit_section},
    {.name = NULL}};
const pkm_section pkm_model_drive = {"drive", NULL, drive_keys, .begin = begin_drive};

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
        PKM_TRY(pkm_keys_read(r, node, &pkm_model_drive, drive));
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
