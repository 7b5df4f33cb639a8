#include "cli/commands.h"

#include "dynamics/rows.h"
#include "robot/inspection.h"

#include <stdio.h>

static const cli_option options[] = {
    {"--bodies", NULL, "show centre of mass, inertia and distances of joints of each body"},
    {"--tree", NULL, "show the spanning tree, the cut joints and the coordinates"},
};

static int run(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_check = {
    .name = "check",
    .operand = "MODEL",
    .text = "assemble a robot and tell what it is: sizes, masses, mobility, mistakes",
    .help =
        "Reads the model, closes its loops at home and finds the mobility from the rank of the\n"
        "closure equations. Idle freedoms (the spin of a rod between two ball joints) and\n"
        "redundant constraints are listed by name. Sizes, masses, gravity and the forces that "
        "hold\n"
        "the robot at home show whether the numbers are those that were meant; what looks like a\n"
        "mistake (a unit forgotten, a mass without extent, a tool that cannot move) is a warning.",
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

/// Rounding beside the size of the robot is shown as 0.
static double rounded(double x, const pkm_inspection* in)
{
    return fabs(x) < 1e-12 * pkm_vec3_norm(pkm_vec3_sub(in->high, in->low)) ? 0.0 : x;
}

static void print_size(const pkm_robot* robot, const pkm_inspection* in)
{
    const pkm_vec3 size = pkm_vec3_sub(in->high, in->low), g = robot->desc->gravity;
    printf("\nsize at home   %.4g x %.4g x %.4g m along x, y, z\n", size.x, size.y, size.z);
    printf("gravity        (%g, %g, %g) m/s2\n", g.x, g.y, g.z);
    if (robot->mech->total_mass > 0.0)
        printf("centre of mass (%.6g, %.6g, %.6g) m at home\n", rounded(in->com.x, in),
               rounded(in->com.y, in), rounded(in->com.z, in));
}

/// The length of a body is the largest distance between two of its joints.
static void print_bodies(const pkm_robot* robot, const pkm_inspection* in)
{
    const pkm_mechanism* mech = robot->mech;
    printf("\nbodies (%d, %.6g kg)\n", mech->n_body - 1, mech->total_mass);
    for (int b = 1; b < robot->desc->n_body; ++b) {
        printf("  %-24s %10.6g kg", robot->desc->body[b].name, robot->desc->body[b].mass);
        if (in->joint_reach[b] > 0.0) printf("  %10.6g m between joints", in->joint_reach[b]);
        printf("\n");
    }
}

/// Distances of a body's joints, each from the one before: enough to find a wrong one.
static void print_distances(const pkm_robot* robot, const pkm_inspection* in, int b)
{
    const pkm_joint_place* place = in->place;
    for (int i = in->place_at[b] + 1; i < in->place_at[b + 1]; ++i)
        printf("    %s - %s: %.6g m\n", robot->desc->joint[place[i - 1].joint].name,
               robot->desc->joint[place[i].joint].name,
               pkm_vec3_norm(pkm_vec3_sub(place[i].at, place[i - 1].at)));
}

static void print_mass_table(const pkm_robot* robot, const pkm_inspection* in)
{
    printf("\nmass properties in body axes: centre of mass, inertia tensor about it\n");
    for (int b = 1; b < robot->desc->n_body; ++b) {
        const pkm_desc_body* body = &robot->desc->body[b];
        const double* J = body->inertia;
        printf("  %s\n    mass %.6g kg, centre (%.6g, %.6g, %.6g) m\n", body->name, body->mass,
               body->com.x, body->com.y, body->com.z);
        printf("    Jxx %.6g  Jyy %.6g  Jzz %.6g  Jxy %.6g  Jxz %.6g  Jyz %.6g kg m2\n", J[0], J[1],
               J[2], J[3], J[4], J[5]);
        print_distances(robot, in, b);
    }
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

static void print_drives(const pkm_robot* robot, const pkm_inspection* in)
{
    printf("\ndrives (%d)\n", robot->mech->n_drive);
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        const pkm_drive* drive = &robot->mech->drive[d];
        printf("  %-24s on %-20s at %.9g %s", drive->name, robot->mech->joint[drive->joint].name,
               robot->drive_home[d] * cli_drive_scale(robot, d), cli_drive_unit(robot, d));
        if (in->holds) printf(", held by %.6g %s", in->force[d], drive->is_rotary ? "N m" : "N");
        printf("\n");
    }
    if (robot->mech->n_drive > 0 && !in->holds)
        printf("  no holding forces at home: %s\n", in->why_not.text);
}

/// 0 is said plainly, and then the components that the model names are no answer.
static void print_tool(const pkm_robot* robot, const pkm_inspection* in)
{
    char moves[32];
    if (in->tool_freedoms == PKM_NONE) return;
    cli_moves_text(robot->structure.moves, moves, sizeof moves);
    if (in->tool_freedoms > 0 && robot->structure.moves)
        printf("  tool moves in            %s\n", moves);
    printf("  freedoms of the tool     %d%s\n", in->tool_freedoms,
           in->tool_freedoms == 0 ? ": the tool cannot move" : "");
}

static void print_structure(const pkm_robot* robot, const pkm_inspection* in)
{
    const pkm_structure* s = &robot->structure;
    char name[3 * PKM_MAX_NAME];
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
    print_tool(robot, in);
    if (robot->closed)
        printf("  closed form              %s (%s)\n", pkm_closed_get_family(robot->closed)->name,
               robot->closed_home.label);
    printf("  closure error            %.2g m\n", robot->assembly.closure_gap);
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

static void print_all(const pkm_robot* robot, const pkm_inspection* in, const cli_arguments* args)
{
    printf("%s\n", robot->desc->name);
    print_size(robot, in);
    print_bodies(robot, in);
    if (cli_has(args, "--bodies")) print_mass_table(robot, in);
    print_joints(robot);
    print_drives(robot, in);
    if (cli_has(args, "--tree")) print_tree(robot);
    print_structure(robot, in);
    cli_print_warnings(&in->warnings);
    if (robot->structure.n_redundant > 0)
        printf("\nnote: reactions of joints in redundant loops are not unique%s\n",
               robot->structure.drives_unique ? "; drive forces are" : "");
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

static void put_numbers(pkm_json* json, const char* key, const double* value, int n)
{
    pkm_json_key(json, key);
    pkm_json_array_begin(json);
    for (int i = 0; i < n; ++i)
        pkm_json_number(json, value[i]);
    pkm_json_array_end(json);
}

static void put_vector(pkm_json* json, const char* key, pkm_vec3 v)
{
    put_numbers(json, key, (const double[]){v.x, v.y, v.z}, 3);
}

static void put_bodies(pkm_json* json, const pkm_robot* robot, const pkm_inspection* in)
{
    pkm_json_key(json, "bodies");
    pkm_json_array_begin(json);
    for (int b = 1; b < robot->desc->n_body; ++b) {
        const pkm_desc_body* body = &robot->desc->body[b];
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", body->name);
        pkm_json_put_number(json, "mass", body->mass);
        put_vector(json, "com", body->com);
        put_numbers(json, "inertia", body->inertia, 6);
        pkm_json_put_number(json, "joint_distance", in->joint_reach[b]);
        pkm_json_put_number(json, "extent", in->extent[b]);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_parts(pkm_json* json, const pkm_robot* robot, const pkm_inspection* in)
{
    const pkm_mechanism* mech = robot->mech;
    put_bodies(json, robot, in);
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
        pkm_json_put_number(json, "holding_force", in->holds ? in->force[d] : NAN);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static int print_json(const pkm_robot* robot, const pkm_inspection* in)
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
    put_vector(json, "gravity", robot->desc->gravity);
    put_vector(json, "size", pkm_vec3_sub(in->high, in->low));
    put_vector(json, "com", in->com);
    put_parts(json, robot, in);
    pkm_json_put_integer(json, "gruebler", s->gruebler);
    pkm_json_put_integer(json, "mobility", s->mobility);
    put_names(json, robot, "idle", s->lock, s->n_idle < s->n_lock ? s->n_idle : s->n_lock);
    put_names(json, robot, "redundant", s->redundant, s->n_redundant);
    pkm_json_put_integer(json, "uncontrolled", s->n_uncontrolled);
    pkm_json_put_bool(json, "drive_forces_unique", s->drives_unique);
    pkm_json_put_bool(json, "constraint_singularity", s->singular_here);
    pkm_json_put_number(json, "tool_freedoms",
                        in->tool_freedoms == PKM_NONE ? (double)NAN : (double)in->tool_freedoms);
    pkm_json_put_string(json, "moves", in->tool_freedoms == 0 ? "" : moves);
    pkm_json_put_string(json, "closed_form",
                        robot->closed ? pkm_closed_get_family(robot->closed)->name : NULL);
    pkm_json_put_number(json, "closure_error", robot->assembly.closure_gap);
    pkm_json_put_integer(json, "coordinates", robot->mech->n_v);
    pkm_json_put_integer(json, "closures", robot->mech->n_closure);
    cli_put_warnings(json, &in->warnings);
    return cli_json_end(&out);
}

static int run(const cli_verb* verb, int argc, char** argv)
{
    cli_arguments args;
    pkm_robot* robot;
    pkm_inspection* inspection;
    pkm_error err = {0};
    int code;
    if (!cli_begin(verb, argc, argv, &args, &robot, &code)) return code;
    if (pkm_inspection_create(robot, &inspection, &err) != PKM_OK)
        code = cli_fail(&err);
    else if (cli_has(&args, "--json"))
        code = print_json(robot, inspection);
    else
        print_all(robot, inspection, &args);
    pkm_inspection_free(inspection);
    pkm_robot_free(robot);
    return code;
}
