// Tool poses and drive positions of the command line, with units and by names, and the robot led
// there from home.
#include "verb/pose.h"

#include "base/error.h"
#include "robot/instant.h"

#include <string.h>

pkm_status pkm_verb_vectors(const char* text, const char* shift_unit, const char* turn_unit,
                            const char* what, double* out, int* n, pkm_error* err)
{
    const char* const unit[6] = {shift_unit, shift_unit, shift_unit,
                                 turn_unit,  turn_unit,  turn_unit};
    PKM_TRY(pkm_verb_numbers(text, unit, what, 6, out, n, err));
    if (*n == 3 || *n == 6) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d numbers, expected 3 or 6", what, *n);
}

pkm_status pkm_verb_tool_pose(const char* text, const pkm_robot* robot, const char* what,
                              pkm_pose* out, pkm_error* err)
{
    double x[6];
    int n;
    PKM_TRY(pkm_verb_vectors(text, "m", "rad", what, x, &n, err));
    out->p = (pkm_vec3){x[0], x[1], x[2]};
    out->q = robot->tool_home.q;
    // three numbers alone keep the orientation of home
    if (n == 6) out->q = pkm_quat_from_rpy((pkm_vec3){x[3], x[4], x[5]});
    return PKM_OK;
}

/// "q1=0.1 m, q3=0.2 m": the others stay as they are.
static pkm_status named_drives(const char* text, const pkm_robot* robot, const char* what,
                               double* q, pkm_error* err)
{
    char one[160];
    bool is_named[PKM_MAX_DRIVE] = {false};
    while (*text) {
        const size_t length = strcspn(text, ",");
        if (length >= sizeof one)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s' is too long", what, text);
        memcpy(one, text, length);
        one[length] = '\0';
        text += length + (text[length] == ',');
        char* equals = strchr(one, '=');
        if (!equals)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s', expected NAME=VALUE", what, one);
        *equals = '\0';
        const int d = pkm_mechanism_find_drive(robot->mech, one + strspn(one, " "));
        if (d == PKM_NONE)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s' is no drive of %s", what, one,
                            robot->desc->name);
        if (is_named[d])
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: drive %s is given twice", what,
                            robot->mech->drive[d].name);
        is_named[d] = true;
        PKM_TRY(pkm_verb_number(equals + 1, pkm_robot_drive_unit(robot, d, 0), what, &q[d], err));
    }
    return PKM_OK;
}

pkm_status pkm_verb_drive_list(const char* text, const pkm_robot* robot, const char* what,
                               int derivative, double* out, pkm_error* err)
{
    const char* unit[PKM_MAX_DRIVE];
    int n;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        unit[d] = pkm_robot_drive_unit(robot, d, derivative);
    PKM_TRY(pkm_verb_numbers(text, unit, what, robot->mech->n_drive, out, &n, err));
    if (n == robot->mech->n_drive) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %d numbers, expected %d, one per drive", what, n,
                    robot->mech->n_drive);
}

pkm_status pkm_verb_drive_positions(const char* text, const pkm_robot* robot, const char* what,
                                    double* q, pkm_error* err)
{
    memcpy(q, robot->drive_home, sizeof robot->drive_home);
    // "q1=0.1" names a drive, "=l/2" is an expression
    if (strchr(text, '=') && text[0] != '=') return named_drives(text, robot, what, q, err);
    return pkm_verb_drive_list(text, robot, what, 0, q, err);
}

pkm_status pkm_verb_go_to_pose(const pkm_verb_arguments* args, pkm_robot* robot, pkm_error* err)
{
    const char *at = pkm_verb_get(args, "--at"), *drives = pkm_verb_get(args, "--drives");
    pkm_target target = {0};
    if (at && drives)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--at and --drives: expected one of them");
    if (at) {
        PKM_TRY(pkm_verb_tool_pose(at, robot, "--at", &target.tool.pose, err));
        return pkm_go_to_target(robot, PKM_GIVEN_TOOL, &target, "--at", err);
    }
    if (!drives) return PKM_OK;
    PKM_TRY(pkm_verb_drive_positions(drives, robot, "--drives", target.q, err));
    return pkm_go_to_target(robot, PKM_GIVEN_DRIVES, &target, "--drives", err);
}
