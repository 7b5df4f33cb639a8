// The inspection as a result tree: bodies, joints, drives, structure, closed form.
#include "closed/closed.h"
#include "dynamics/rows.h"
#include "robot/inspection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// "x y z rx ry rz" of the bits in `moves`, separated by spaces.
static void list_moves(unsigned moves, char* out, size_t size)
{
    static const char* const name[] = {"x", "y", "z", "rx", "ry", "rz"};
    if (size) out[0] = '\0';
    for (int k = 0; k < 6; ++k)
        if (moves & (1u << k)) {
            const size_t used = strlen(out);
            snprintf(out + used, size - used, "%s%s", used ? " " : "", name[k]);
        }
}

static void put_places(pkm_result* in, const pkm_robot* robot, const pkm_inspection* from, int b)
{
    pkm_result* list = pkm_result_list(in, "_distances");
    const pkm_joint_place* place = from->place;
    // neighbours along the body, as a drawing is dimensioned
    for (int i = from->place_at[b] + 1; i < from->place_at[b + 1]; ++i) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "from", robot->desc->joint[place[i - 1].joint].name);
        pkm_result_text(item, "to", robot->desc->joint[place[i].joint].name);
        pkm_result_number(item, "distance", "m",
                          pkm_vec3_norm(pkm_vec3_sub(place[i].at, place[i - 1].at)));
    }
}

static void put_bodies(pkm_result* in, const pkm_robot* robot, const pkm_inspection* from)
{
    pkm_result* list = pkm_result_list(in, "bodies");
    // body 0 is the ground
    for (int b = 1; b < robot->desc->n_body; ++b) {
        const pkm_desc_body* body = &robot->desc->body[b];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", body->name);
        pkm_result_number(item, "mass", "kg", body->mass);
        pkm_result_vec(item, "com", "m", body->com);
        // xx yy zz xy xz yz about the centre of mass, body axes
        pkm_result_numbers(item, "inertia", "kg m2", body->inertia, 6);
        pkm_result_number(item, "joint_distance", "m", from->joint_reach[b]);
        pkm_result_number(item, "extent", "m", from->extent[b]);
        put_places(item, robot, from, b);
    }
}

static void put_joints(pkm_result* in, const pkm_mechanism* mech)
{
    pkm_result* list = pkm_result_list(in, "joints");
    for (int j = 0; j < mech->n_joint; ++j) {
        const pkm_joint* joint = &mech->joint[j];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", joint->name);
        pkm_result_text(item, "type", pkm_joint_type_name(joint->type));
        // a joint of the tree has coordinates, one that is cut has closure rows
        pkm_result_bool(item, "cut", joint->tree_body == PKM_NONE);
        pkm_result_integer(item, "_rows", joint->n_row);
        pkm_result_text(item, "_a", mech->body[joint->body_a].name);
        pkm_result_text(item, "_b", mech->body[joint->body_b].name);
    }
}

static void put_drives(pkm_result* in, const pkm_robot* robot, const pkm_inspection* from)
{
    pkm_result* list = pkm_result_list(in, "drives");
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const pkm_drive* drive = &robot->mech->drive[d];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", drive->name);
        pkm_result_text(item, "_joint", robot->mech->joint[drive->joint].name);
        pkm_result_number(item, "home", pkm_robot_drive_unit(robot, d, 0), robot->drive_home[d]);
        pkm_result_text(item, "unit", pkm_robot_drive_unit(robot, d, 0));
        pkm_result_number(item, "holding_force", pkm_robot_drive_unit(robot, d, -1),
                          // what a drive gives at home against the weight; unknown where the robot
                          // would fall
                          from->holds ? from->force[d] : NAN);
    }
    if (robot->mech->n_drive > 0 && !from->holds)
        pkm_result_text(in, "_why_not_held", from->why_not.text);
}

/// Rows by name; of idle freedoms also whether they move by themselves.
static void put_rows(pkm_result* in, const char* key, const pkm_robot* robot, const int* row, int n)
{
    char name[3 * PKM_MAX_NAME];
    pkm_result* list = pkm_result_list(in, key);
    for (int i = 0; i < n; ++i) {
        pkm_row_name(robot->mech, row[i], name, sizeof name);
        pkm_result_text(list, NULL, name);
    }
}

static void put_structure(pkm_result* in, const pkm_robot* robot, const pkm_inspection* from)
{
    const pkm_structure* s = &robot->structure;
    // locks are listed in the order in which they were found, harmless ones first
    const int n_idle = s->n_idle < s->n_lock ? s->n_idle : s->n_lock;
    char moves[32], name[3 * PKM_MAX_NAME];
    list_moves(s->moves, moves, sizeof moves);
    // the count of rows beside the mobility by rank: their difference are redundant rows
    pkm_result_integer(in, "gruebler", s->gruebler);
    pkm_result_integer(in, "mobility", s->mobility);
    pkm_result_integer(in, "_n_idle", s->n_idle);
    pkm_result_integer(in, "_useful", s->mobility - s->n_idle);
    put_rows(in, "idle", robot, s->lock, n_idle);
    pkm_result* idle = pkm_result_list(in, "_idle");
    for (int i = 0; i < n_idle; ++i) {
        pkm_row_name(robot->mech, s->lock[i], name, sizeof name);
        pkm_result* item = pkm_result_group(idle, NULL);
        pkm_result_text(item, "name", name);
        pkm_result_bool(item, "moves", i >= s->n_harmless);
    }
    put_rows(in, "redundant", robot, s->redundant, s->n_redundant);
    pkm_result_integer(in, "uncontrolled", s->n_uncontrolled);
    pkm_result_bool(in, "drive_forces_unique", s->drives_unique);
    pkm_result_bool(in, "constraint_singularity", s->singular_here);
    pkm_result_number(in, "tool_freedoms", "",
                      from->tool_freedoms == PKM_NONE ? (double)NAN : from->tool_freedoms);
    pkm_result_text(in, "moves", from->tool_freedoms == 0 ? "" : moves);
    pkm_result_bool(in, "_tool_is_held", from->tool_freedoms == 0);
}

static void put_closed(pkm_result* in, const pkm_robot* robot)
{
    pkm_result_text(in, "closed_form",
                    robot->closed ? pkm_closed_get_family(robot->closed)->name : NULL);
    pkm_result_text(in, "_branch", robot->closed ? robot->closed_home.label : NULL);
    pkm_result_number(in, "closure_error", "m", robot->assembly.closure_gap);
}

static void put_tree(pkm_result* in, const pkm_mechanism* mech)
{
    pkm_result_integer(in, "coordinates", mech->n_v);
    pkm_result_integer(in, "_positions", mech->n_q);
    pkm_result_integer(in, "closures", mech->n_closure);
    pkm_result* list = pkm_result_list(in, "_tree");
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", body->name);
        pkm_result_text(item, "parent", mech->body[body->parent].name);
        pkm_result_text(item, "type", pkm_joint_type_name(body->type));
        pkm_result_text(item, "joint",
                        body->joint == PKM_NONE ? "floats" : mech->joint[body->joint].name);
    }
}

/// Rounding beside the size of the robot is shown as 0.
static pkm_vec3 rounded(pkm_vec3 v, double size)
{
    return (pkm_vec3){fabs(v.x) < 1e-12 * size ? 0.0 : v.x, fabs(v.y) < 1e-12 * size ? 0.0 : v.y,
                      fabs(v.z) < 1e-12 * size ? 0.0 : v.z};
}

void pkm_inspection_result(const pkm_robot* robot, const pkm_inspection* from, pkm_result* out)
{
    const pkm_vec3 size = pkm_vec3_sub(from->high, from->low);
    pkm_result_text(out, "name", robot->desc->name);
    pkm_result_text(out, "description", robot->desc->text);
    pkm_result_text(out, "source", robot->desc->source);
    pkm_result_text(out, "model", robot->desc->file);
    pkm_result_text(out, "hash", robot->desc->hash);
    pkm_result_number(out, "mass", "kg", robot->mech->total_mass);
    pkm_result_vec(out, "gravity", "m/s2", robot->desc->gravity);
    pkm_result_vec(out, "size", "m", size);
    pkm_result_vec(out, "com", "m", from->com);
    if (robot->mech->total_mass > 0.0)
        pkm_result_vec(out, "_com", "m", rounded(from->com, pkm_vec3_norm(size)));
    put_bodies(out, robot, from);
    put_joints(out, robot->mech);
    put_drives(out, robot, from);
    put_structure(out, robot, from);
    put_closed(out, robot);
    put_tree(out, robot->mech);
    pkm_result_warnings(out, &from->warnings);
}
