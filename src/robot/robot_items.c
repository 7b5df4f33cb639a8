// What callers may ask of a robot by number or name: bodies, joints, drives, markers, motions,
// published values (pkm/robot.h).
#include "robot/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the robot as a whole ---------------------------------------------------------------------

const char* pkm_robot_name(const pkm_robot* robot)
{
    return robot ? robot->desc->name : NULL;
}

const char* pkm_robot_hash(const pkm_robot* robot)
{
    return robot ? robot->desc->hash : NULL;
}

double pkm_robot_mass(const pkm_robot* robot)
{
    return robot ? robot->mech->total_mass : NAN;
}

bool pkm_robot_has_tool(const pkm_robot* robot)
{
    return robot && robot->mech->tool != PKM_NONE;
}

pkm_pose pkm_robot_tool_home(const pkm_robot* robot)
{
    return robot ? robot->tool_home : pkm_pose_identity();
}

const char* pkm_robot_closed_form(const pkm_robot* robot)
{
    return robot && robot->closed ? pkm_closed_get_family(robot->closed)->name : NULL;
}

// ---- bodies: the description's, of which the first is the ground -------------------------------

static const pkm_desc_body* body_at(const pkm_robot* robot, int body)
{
    const bool there = body >= 0 && body < pkm_robot_n_body(robot);
    return there ? &robot->desc->body[body + 1] : NULL;
}

int pkm_robot_n_body(const pkm_robot* robot)
{
    return robot ? robot->desc->n_body - 1 : 0;
}

const char* pkm_robot_body_name(const pkm_robot* robot, int body)
{
    const pkm_desc_body* at = body_at(robot, body);
    return at ? at->name : NULL;
}

double pkm_robot_body_mass(const pkm_robot* robot, int body)
{
    const pkm_desc_body* at = body_at(robot, body);
    return at ? at->mass : NAN;
}

int pkm_robot_find_body(const pkm_robot* robot, const char* name)
{
    for (int b = 0; name && b < pkm_robot_n_body(robot); ++b)
        if (strcmp(body_at(robot, b)->name, name) == 0) return b;
    return PKM_NONE;
}

// ---- joints -----------------------------------------------------------------------------------

static const pkm_joint* joint_at(const pkm_robot* robot, int joint)
{
    const bool there = joint >= 0 && joint < pkm_robot_n_joint(robot);
    return there ? &robot->mech->joint[joint] : NULL;
}

int pkm_robot_n_joint(const pkm_robot* robot)
{
    return robot ? robot->mech->n_joint : 0;
}

const char* pkm_robot_joint_name(const pkm_robot* robot, int joint)
{
    const pkm_joint* at = joint_at(robot, joint);
    return at ? at->name : NULL;
}

pkm_joint_type pkm_robot_joint_type(const pkm_robot* robot, int joint)
{
    const pkm_joint* at = joint_at(robot, joint);
    return at ? at->type : PKM_JOINT_FIXED;
}

int pkm_robot_find_joint(const pkm_robot* robot, const char* name)
{
    return robot && name ? pkm_mechanism_find_joint(robot->mech, name) : PKM_NONE;
}

// ---- drives -----------------------------------------------------------------------------------

static const pkm_drive* drive_at(const pkm_robot* robot, int drive)
{
    const bool there = drive >= 0 && drive < pkm_robot_n_drive(robot);
    return there ? &robot->mech->drive[drive] : NULL;
}

int pkm_robot_n_drive(const pkm_robot* robot)
{
    return robot ? robot->mech->n_drive : 0;
}

const char* pkm_robot_drive_name(const pkm_robot* robot, int drive)
{
    const pkm_drive* at = drive_at(robot, drive);
    return at ? at->name : NULL;
}

bool pkm_robot_drive_is_rotary(const pkm_robot* robot, int drive)
{
    const pkm_drive* at = drive_at(robot, drive);
    return at && at->is_rotary;
}

const char* pkm_robot_drive_unit(const pkm_robot* robot, int drive, int derivative)
{
    // by derivative, the force first at -1
    static const char* const rotary[] = {"N m", "rad", "rad/s", "rad/s2", "rad/s3"};
    static const char* const linear[] = {"N", "m", "m/s", "m/s2", "m/s3"};
    const pkm_drive* at = drive_at(robot, drive);
    if (!at || derivative < -1 || derivative > 3) return NULL;
    return (at->is_rotary ? rotary : linear)[derivative + 1];
}

double pkm_robot_drive_home(const pkm_robot* robot, int drive)
{
    return drive_at(robot, drive) ? robot->drive_home[drive] : NAN;
}

int pkm_robot_find_drive(const pkm_robot* robot, const char* name)
{
    return robot && name ? pkm_mechanism_find_drive(robot->mech, name) : PKM_NONE;
}

// ---- motions ----------------------------------------------------------------------------------

int pkm_robot_n_motion(const pkm_robot* robot)
{
    return robot ? robot->desc->n_motion : 0;
}

const pkm_motion* pkm_robot_get_motion(const pkm_robot* robot, int motion)
{
    const bool there = motion >= 0 && motion < pkm_robot_n_motion(robot);
    return there ? robot->desc->motion[motion].motion : NULL;
}

// ---- structure --------------------------------------------------------------------------------

pkm_structure_report pkm_robot_structure(const pkm_robot* robot)
{
    if (!robot) return (pkm_structure_report){0};
    const pkm_structure* s = &robot->structure;
    return (pkm_structure_report){.gruebler = s->gruebler,
                                  .mobility = s->mobility,
                                  .n_idle = s->n_idle,
                                  .n_redundant = s->n_redundant,
                                  .n_uncontrolled = s->n_uncontrolled,
                                  .singular_here = s->singular_here,
                                  .drives_unique = s->drives_unique,
                                  .moves = s->moves,
                                  .closure_gap = robot->assembly.closure_gap};
}

/// Row `i` of the `n` in `row`, in words.
static bool row_text(const pkm_robot* robot, const int* row, int n, int i, char* text, size_t size)
{
    if (!text || size == 0) return false;
    text[0] = '\0';
    if (i < 0 || i >= n) return false;
    pkm_row_name(robot->mech, row[i], text, size);
    return true;
}

bool pkm_robot_idle_text(const pkm_robot* robot, int i, char* text, size_t size)
{
    // the idle freedoms come first among the locks
    const pkm_structure none = {0}, *s = robot ? &robot->structure : &none;
    const int n = s->n_idle < s->n_lock ? s->n_idle : s->n_lock;
    return row_text(robot, s->lock, n, i, text, size);
}

bool pkm_robot_redundant_text(const pkm_robot* robot, int i, char* text, size_t size)
{
    const pkm_structure none = {0}, *s = robot ? &robot->structure : &none;
    return row_text(robot, s->redundant, s->n_redundant, i, text, size);
}

// ---- parameters -------------------------------------------------------------------------------

static const pkm_desc_parameter* parameter_at(const pkm_robot* robot, int parameter)
{
    if (!robot || parameter < 0 || parameter >= robot->desc->n_parameter) return NULL;
    return &robot->desc->parameter[parameter];
}

int pkm_robot_n_parameter(const pkm_robot* robot)
{
    return robot ? robot->desc->n_parameter : 0;
}

const char* pkm_robot_parameter_name(const pkm_robot* robot, int parameter)
{
    const pkm_desc_parameter* p = parameter_at(robot, parameter);
    return p ? p->name : NULL;
}

double pkm_robot_parameter_value(const pkm_robot* robot, int parameter)
{
    const pkm_desc_parameter* p = parameter_at(robot, parameter);
    return p ? p->value : NAN;
}

const char* pkm_robot_parameter_unit(const pkm_robot* robot, int parameter)
{
    const pkm_desc_parameter* p = parameter_at(robot, parameter);
    return p ? p->unit : NULL;
}

bool pkm_robot_parameter_is_derived(const pkm_robot* robot, int parameter)
{
    const pkm_desc_parameter* p = parameter_at(robot, parameter);
    return p && p->is_derived;
}
