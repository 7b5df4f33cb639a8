#include "cli/commands.h"

#include "dynamics/rows.h"

#include <stdio.h>

static const cli_option options[] = {
    {"--tree", NULL, "show the spanning tree, the cut joints and the coordinates"},
};

static int run(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_check = {
    .name = "check",
    .operand = "MODEL",
    .text = "assemble a robot and tell what it is: bodies, joints, mobility, redundancy",
    .help =
        "Reads the model, closes its loops at home and finds the mobility from the rank of the\n"
        "closure equations. Idle freedoms (the spin of a rod between two ball joints) and\n"
        "redundant constraints are listed by name.",
    .example = "pkm check robots/isoglideT3.yaml",
    .option = options,
    .n_option = sizeof options / sizeof options[0],
    .run = run,
};

/// Idle freedoms come first among the locks unless the robot is not controlled by its drives.
static bool is_idle_lock(const pkm_robot* robot, int i)
{
    return i < robot->structure.n_idle;
}

// ---- for people -------------------------------------------------------------------------------

static void print_bodies(const pkm_robot* robot)
{
    const pkm_mechanism* mech = robot->mech;
    printf("\nbodies (%d, %.6g kg)\n", mech->n_body - 1, mech->total_mass);
    for (int b = 1; b < robot->desc->n_body; ++b)
        printf("  %-24s %10.6g kg\n", robot->desc->body[b].name, robot->desc->body[b].mass);
}

static void print_joints(const pkm_robot* robot)
{
    const pkm_mechanism* mech = robot->mech;
    printf("\njoints (%d)\n", mech->n_joint);
    for (int j = 0; j < mech->n_joint; ++j) {
        const pkm_joint* joint = &mech->joint[j];
        printf("  %-24s %-12s %s - %s\n", joint->name, pkm_joint_type_name(joint->type),
               mech->body[joint->body_a].name, mech->body[joint->body_b].name);
    }
}

static void print_drives(const pkm_robot* robot)
{
    printf("\ndrives (%d)\n", robot->mech->n_drive);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        printf("  %-24s on %-20s at %.9g %s\n", robot->mech->drive[d].name,
               robot->mech->joint[robot->mech->drive[d].joint].name,
               robot->drive_home[d] * cli_drive_scale(robot, d), cli_drive_unit(robot, d));
}

static void print_structure(const pkm_robot* robot)
{
    const pkm_structure* s = &robot->structure;
    char name[3 * PKM_MAX_NAME], moves[32];
    cli_moves_text(s->moves, moves, sizeof moves);
    printf("\nmobility\n");
    printf("  Gruebler-Kutzbach count  %d\n", s->gruebler);
    printf("  true mobility            %d", s->mobility);
    if (s->n_idle > 0) printf(" (%d + %d idle)", s->mobility - s->n_idle, s->n_idle);
    printf("\n  idle freedoms            %d\n", s->n_idle);
    for (int i = 0; i < s->n_lock && is_idle_lock(robot, i); ++i) {
        pkm_row_name(robot->mech, s->lock[i], name, sizeof name);
        printf("    %s%s\n", name, i < s->n_harmless ? "" : ", moves by itself");
    }
    printf("  redundant constraints    %d\n", s->n_redundant);
    for (int i = 0; i < s->n_redundant; ++i) {
        pkm_row_name(robot->mech, s->redundant[i], name, sizeof name);
        printf("    %s\n", name);
    }
    if (robot->mech->tool != PKM_NONE && s->moves) printf("  tool moves in            %s\n", moves);
    if (robot->closed)
        printf("  closed form              %s (%s)\n", pkm_closed_get_family(robot->closed)->name,
               robot->closed_home.label);
    printf("  closure error            %.2g m\n", robot->assembly.closure_gap);
}

static void print_warnings(const pkm_robot* robot)
{
    const pkm_structure* s = &robot->structure;
    if (s->n_uncontrolled > 0)
        printf("\nwarning: the tool keeps %d freedom%s with all drives locked\n", s->n_uncontrolled,
               s->n_uncontrolled == 1 ? "" : "s");
    if (robot->mech->n_drive > 0 && !s->drives_unique)
        printf("\nwarning: the drives work against each other; their forces are not unique\n");
    if (s->n_redundant > 0)
        printf("\nnote: reactions of joints in redundant loops are not unique; drive forces are\n");
    if (s->singular_here)
        printf("\nwarning: home is a constraint singularity: nearby the mobility is smaller\n");
}

static void print_tree(const pkm_robot* robot)
{
    const pkm_mechanism* mech = robot->mech;
    printf("\ntree (%d coordinates, %d velocities)\n", mech->n_q, mech->n_v);
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        printf("  %-24s on %-24s %-12s %s\n", body->name, mech->body[body->parent].name,
               pkm_joint_type_name(body->type),
               body->joint == PKM_NONE ? "floats" : mech->joint[body->joint].name);
    }
    printf("\ncut joints (%d closure rows)\n", mech->n_closure);
    for (int j = 0; j < mech->n_joint; ++j)
        if (mech->joint[j].tree_body == PKM_NONE)
            printf("  %-24s %-12s %d rows\n", mech->joint[j].name,
                   pkm_joint_type_name(mech->joint[j].type), mech->joint[j].n_row);
}

static void print_all(const pkm_robot* robot, bool tree)
{
    printf("%s\n", robot->desc->name);
    print_bodies(robot);
    print_joints(robot);
    print_drives(robot);
    if (tree) print_tree(robot);
    print_structure(robot);
    print_warnings(robot);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_names(pkm_json* json, const pkm_robot* robot, const char* key, const int* row,
                      int n)
{
    char name[3 * PKM_MAX_NAME];
    pkm_json_key(json, key);
    pkm_json_array_begin(json);
    for (int i = 0; i < n; ++i) {
        pkm_row_name(robot->mech, row[i], name, sizeof name);
        pkm_json_string(json, name);
    }
    pkm_json_array_end(json);
}

static void put_parts(pkm_json* json, const pkm_robot* robot)
{
    const pkm_mechanism* mech = robot->mech;
    pkm_json_key(json, "bodies");
    pkm_json_array_begin(json);
    for (int b = 1; b < robot->desc->n_body; ++b) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", robot->desc->body[b].name);
        pkm_json_put_number(json, "mass", robot->desc->body[b].mass);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_key(json, "joints");
    pkm_json_array_begin(json);
    for (int j = 0; j < mech->n_joint; ++j) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", mech->joint[j].name);
        pkm_json_put_string(json, "type", pkm_joint_type_name(mech->joint[j].type));
        pkm_json_put_bool(json, "cut", mech->joint[j].tree_body == PKM_NONE);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_key(json, "drives");
    pkm_json_array_begin(json);
    for (int d = 0; d < mech->n_drive; ++d) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", mech->drive[d].name);
        pkm_json_put_number(json, "home", robot->drive_home[d]);
        pkm_json_put_string(json, "unit", pkm_robot_drive_unit(robot, d, 0));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static int print_json(const pkm_robot* robot)
{
    const pkm_structure* s = &robot->structure;
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    pkm_json* json = &out.json;
    char moves[32];
    cli_moves_text(s->moves, moves, sizeof moves);
    pkm_json_put_string(json, "name", robot->desc->name);
    pkm_json_put_string(json, "description", robot->desc->text);
    pkm_json_put_string(json, "source", robot->desc->source);
    pkm_json_put_string(json, "model", robot->desc->file);
    pkm_json_put_string(json, "hash", robot->desc->hash);
    pkm_json_put_number(json, "mass", robot->mech->total_mass);
    put_parts(json, robot);
    pkm_json_put_integer(json, "gruebler", s->gruebler);
    pkm_json_put_integer(json, "mobility", s->mobility);
    put_names(json, robot, "idle", s->lock, s->n_idle < s->n_lock ? s->n_idle : s->n_lock);
    put_names(json, robot, "redundant", s->redundant, s->n_redundant);
    pkm_json_put_integer(json, "uncontrolled", s->n_uncontrolled);
    pkm_json_put_bool(json, "drive_forces_unique", s->drives_unique);
    pkm_json_put_bool(json, "constraint_singularity", s->singular_here);
    pkm_json_put_string(json, "moves", moves);
    pkm_json_put_string(json, "closed_form",
                        robot->closed ? pkm_closed_get_family(robot->closed)->name : NULL);
    pkm_json_put_number(json, "closure_error", robot->assembly.closure_gap);
    pkm_json_put_integer(json, "coordinates", robot->mech->n_v);
    pkm_json_put_integer(json, "closures", robot->mech->n_closure);
    return cli_json_end(&out);
}

static int run(const cli_verb* verb, int argc, char** argv)
{
    cli_arguments args;
    pkm_robot* robot;
    int code;
    if (!cli_begin(verb, argc, argv, &args, &robot, &code)) return code;
    if (cli_has(&args, "--json"))
        code = print_json(robot);
    else
        print_all(robot, cli_has(&args, "--tree"));
    pkm_robot_free(robot);
    return code;
}
