#include "cli/commands.h"

#include "base/error.h"
#include "cli/pose.h"
#include "dynamics/motion_solve.h"
#include "pkm/kinematics.h"
#include "robot/assembly_modes.h"
#include "robot/continuation.h"
#include "robot/instant.h"
#include "robot/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cli_option ik_options[] = {
    {"--at", "X,Y,Z[,R,P,Y]", "tool position and roll, pitch, yaw (units allowed: '100 mm')"},
    {"--velocity", "VX,VY,VZ[,...]", "tool velocity [m/s] and angular velocity [rad/s]"},
    {"--acceleration", "AX,AY,AZ[,...]", "tool acceleration [m/s2] and angular one [rad/s2]"},
    {"--search", "N", "search further working modes from N random starts"},
};
static const cli_option fk_options[] = {
    {"--drives", "Q1,Q2,... | q1=Q,...", "drive positions, in order or by name ('70 deg' allowed)"},
    {"--velocity", "V1,V2,...", "drive velocities"},
    {"--acceleration", "A1,A2,...", "drive accelerations"},
    {"--search", "N", "search further assembly modes from N random starts"},
};

static int run_ik(const cli_verb* verb, int argc, char** argv);
static int run_fk(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_ik = {
    .name = "ik",
    .operand = "MODEL",
    .text = "inverse kinematics: drive positions, rates and Jacobian for a tool pose",
    .help = "The general engine goes from home to the pose along a straight way, so it stays in\n"
            "home's working mode. Robots with a closed form list all their branches.",
    .example = "pkm ik robots/siax.yaml --at 0.1,0,-0.9 --velocity 1,0,0",
    .option = ik_options,
    .n_option = sizeof ik_options / sizeof ik_options[0],
    .run = run_ik,
};
const cli_verb cli_fk = {
    .name = "fk",
    .operand = "MODEL",
    .text = "forward kinematics: tool pose, rates and Jacobian for drive positions",
    .help = "The general engine goes from home to the drive positions along a straight way, so it\n"
            "stays in home's assembly mode. Robots with a closed form list all their branches.",
    .example = "pkm fk robots/siax.yaml --drives '30 deg, 20 deg, 10 deg'",
    .option = fk_options,
    .n_option = sizeof fk_options / sizeof fk_options[0],
    .run = run_fk,
};

/// What was found, for print and JSON alike.
typedef struct solution {
    pkm_mode mode;
    double q[PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE];
    pkm_frame_motion tool;
    pkm_dexterity dexterity;
    int n_branch;
    pkm_closed_config branch[PKM_CLOSED_MAX_BRANCH];
    int n_mode; ///< PKM_NONE: not searched
    pkm_assembly_mode found[PKM_MAX_ASSEMBLY_MODE];
    pkm_assembly_search search; ///< how thorough
    pkm_warnings warnings;
} solution;

// ---- targets ----------------------------------------------------------------------------------

static pkm_status read_rates(const char* text, const char* shift_unit, const char* turn_unit,
                             const char* what, pkm_vec3* shift, pkm_vec3* turn, pkm_error* err)
{
    double x[6] = {0.0};
    int n;
    if (!text) return PKM_OK;
    PKM_TRY(cli_vectors(text, shift_unit, turn_unit, what, x, &n, err));
    *shift = (pkm_vec3){x[0], x[1], x[2]};
    *turn = (pkm_vec3){x[3], x[4], x[5]};
    return PKM_OK;
}

static pkm_status tool_target(const cli_arguments* args, const pkm_robot* robot, pkm_target* out,
                              pkm_error* err)
{
    const char* at = cli_get(args, "--at");
    if (!at) return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm ik: expected --at X,Y,Z");
    PKM_TRY(cli_tool_pose(at, robot, "--at", &out->tool.pose, err));
    PKM_TRY(read_rates(cli_get(args, "--velocity"), "m/s", "rad/s", "--velocity", &out->tool.v,
                       &out->tool.w, err));
    return read_rates(cli_get(args, "--acceleration"), "m/s2", "rad/s2", "--acceleration",
                      &out->tool.a, &out->tool.alpha, err);
}

static pkm_status drive_target(const cli_arguments* args, const pkm_robot* robot, pkm_target* out,
                               pkm_error* err)
{
    const char *drives = cli_get(args, "--drives"), *v = cli_get(args, "--velocity");
    const char* a = cli_get(args, "--acceleration");
    if (!drives) return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm fk: expected --drives Q1,Q2,...");
    PKM_TRY(cli_drive_positions(drives, robot, "--drives", out->q, err));
    if (v) PKM_TRY(cli_drive_list(v, robot, "--velocity", 1, out->v, err));
    if (a) PKM_TRY(cli_drive_list(a, robot, "--acceleration", 2, out->a, err));
    return PKM_OK;
}

/// The tool does what was asked; rates that it cannot take are not left out without a word.
static pkm_status check_rate(const pkm_robot* robot, const char* what, pkm_vec3 asked,
                             pkm_vec3 done, const char* unit, pkm_error* err)
{
    const double off = pkm_vec3_norm(pkm_vec3_sub(asked, done));
    if (off <= 1e-6 * pkm_vec3_norm(asked)) return PKM_OK;
    return pkm_fail(err, PKM_ERR_UNREACHABLE,
                    "%s: the tool of %s cannot move so, the nearest is (%.9g, %.9g, %.9g) %s, %.6g "
                    "%s away",
                    what, robot->desc->name, done.x, done.y, done.z, unit, off, unit);
}

static pkm_status check_rates(const pkm_robot* robot, const pkm_frame_motion* asked,
                              const pkm_frame_motion* done, pkm_error* err)
{
    PKM_TRY(check_rate(robot, "--velocity", asked->v, done->v, "m/s", err));
    if (pkm_vec3_norm(asked->w) > 0.0)
        PKM_TRY(check_rate(robot, "--velocity", asked->w, done->w, "rad/s", err));
    if (pkm_vec3_norm(asked->alpha) > 0.0)
        PKM_TRY(check_rate(robot, "--acceleration", asked->alpha, done->alpha, "rad/s2", err));
    if (pkm_vec3_norm(asked->a) == 0.0) return PKM_OK;
    return check_rate(robot, "--acceleration", asked->a, done->a, "m/s2", err);
}

// ---- solving ----------------------------------------------------------------------------------

static pkm_status solve(const cli_arguments* args, pkm_robot* robot, const pkm_target* target,
                        solution* out, pkm_error* err)
{
    const bool tool = out->mode == PKM_MODE_TOOL;
    PKM_TRY(tool ? pkm_robot_require_tool(robot, err) : pkm_robot_require_drives(robot, err));
    PKM_TRY(pkm_follow_target(robot, out->mode, target, tool ? "--at" : "--drives", err));
    if (tool) PKM_TRY(pkm_check_taken(robot, &target->tool.pose, "--at", err));
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        out->q[d] = pkm_state_drive_position(robot->state, d);
        pkm_drive_rates(robot->state, d, &out->v[d], &out->a[d]);
    }
    pkm_limit_list limits;
    PKM_TRY(pkm_limits_at(robot, &limits, err));
    pkm_limits_warn(&limits, &out->warnings);
    out->tool.pose = robot->tool_home;
    if (robot->mech->tool != PKM_NONE) {
        out->tool = pkm_state_marker_motion(robot->state, robot->mech->tool);
        if (tool) PKM_TRY(check_rates(robot, &target->tool, &out->tool, err));
        PKM_TRY(pkm_dexterity_at(robot, &out->dexterity, err));
    }
    if (robot->closed)
        out->n_branch = tool ? pkm_closed_inverse_geometry(robot->closed, &out->tool.pose,
                                                           out->branch, PKM_CLOSED_MAX_BRANCH, NULL)
                             : pkm_closed_direct_geometry(robot->closed, out->q, out->branch,
                                                          PKM_CLOSED_MAX_BRANCH, NULL);
    out->n_mode = PKM_NONE;
    const char* search = cli_get(args, "--search");
    if (!search) return PKM_OK;
    int n_start;
    PKM_TRY(cli_integer(search, 1, "--search", &n_start, err));
    out->n_mode =
        pkm_assembly_modes_find(robot, out->mode, target, n_start, 1u, out->found, &out->search);
    return out->n_mode == PKM_NONE ? pkm_fail(err, PKM_ERR_MEMORY, "out of memory") : PKM_OK;
}

// ---- for people -------------------------------------------------------------------------------

/// Nine decimals are shown: less than half of the last one is zero, without a sign.
static double tidy(double x)
{
    return fabs(x) < 5e-10 ? 0.0 : x;
}

static void print_vec(const char* name, pkm_vec3 v, const char* unit)
{
    printf("  %-14s %14.9f %14.9f %14.9f %s\n", name, tidy(v.x), tidy(v.y), tidy(v.z), unit);
}

static void print_pose(const solution* s, bool turns)
{
    const double deg = 57.29577951308232;
    printf("tool\n");
    print_vec("position", s->tool.pose.p, "m");
    if (turns)
        print_vec("roll pitch yaw", pkm_vec3_scale(deg, pkm_quat_to_rpy(s->tool.pose.q)), "deg");
    print_vec("velocity", s->tool.v, "m/s");
    if (turns) print_vec("turning", s->tool.w, "rad/s");
    print_vec("acceleration", s->tool.a, "m/s2");
    if (turns) print_vec("turning", s->tool.alpha, "rad/s2");
}

static void print_drives(const pkm_robot* robot, const solution* s)
{
    printf("drives                 position       velocity   acceleration\n");
    for (int d = 0; d < robot->mech->n_drive; ++d)
        printf("  %-14s %14.9f %14.9f %14.9f %s, %s/s, %s/s2\n", robot->mech->drive[d].name,
               tidy(s->q[d] * cli_drive_scale(robot, d)), tidy(s->v[d] * cli_drive_scale(robot, d)),
               tidy(s->a[d] * cli_drive_scale(robot, d)), cli_drive_unit(robot, d),
               cli_drive_unit(robot, d), cli_drive_unit(robot, d));
}

static void print_part(const char* name, const pkm_dexterity_part* part)
{
    if (part->n == 0) return;
    printf("  %-14s condition %-10.5g sigma", name, part->condition);
    for (int i = 0; i < part->n; ++i)
        printf(" %.5g", part->sigma[i]);
    printf("   weakest direction (");
    for (int i = 0; i < part->n; ++i)
        printf("%s%.4f", i ? ", " : "", fabs(part->weakest[i]) < 5e-5 ? 0.0 : part->weakest[i]);
    printf(")\n");
}

static void print_dexterity(const pkm_robot* robot, const pkm_dexterity* d)
{
    static const char* const row[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    if (d->has_J) {
        printf("Jacobian (tool rate per drive rate)\n");
        for (int k = 0; k < 6; ++k) {
            if (!(d->moves & (1u << k))) continue;
            printf("  %-14s", row[k]);
            for (int i = 0; i < d->n_drive; ++i)
                printf(" %14.9f", tidy(d->J[6 * i + k]));
            printf("\n");
        }
        print_part("translation", &d->shift);
        print_part("rotation", &d->turn);
        print_part("both", &d->mixed);
        if (d->mixed.n)
            printf("  (rotations times the stated length %.6g m)\n", d->length);
        else if (d->shift.n && d->turn.n)
            printf("  (state `tool: {length: ...}` to mix translation and rotation)\n");
    }
    printf("singularity      %s%s%s%s\n", d->serial ? "serial " : "",
           d->parallel ? "parallel " : "", d->constraint ? "constraint " : "",
           d->serial || d->parallel || d->constraint ? "" : "none here");
    (void)robot;
}

static void print_branches(const pkm_robot* robot, const solution* s)
{
    if (s->n_branch == 0) return;
    printf("closed form, all branches\n");
    for (int b = 0; b < s->n_branch; ++b) {
        printf("  %-44s", s->branch[b].label);
        if (s->mode == PKM_MODE_TOOL) {
            for (int d = 0; d < robot->mech->n_drive; ++d)
                printf(" %13.8f", s->branch[b].q[d] * cli_drive_scale(robot, d));
        } else {
            const pkm_vec3 p = s->branch[b].pose.p;
            printf(" %13.8f %13.8f %13.8f", p.x, p.y, p.z);
        }
        printf("\n");
    }
}

/// How complete the search is, as far as that can be told.
static void print_search(const pkm_assembly_search* search)
{
    printf(
        "search: %d way%s to assemble; %d of %d random starts arrived, %d curves followed from one "
        "to others\n",
        search->n, search->n == 1 ? "" : "s", search->n_arrived, search->n_start, search->n_curve);
    if (search->n == PKM_MAX_ASSEMBLY_MODE)
        printf("  incomplete: no more than %d are kept\n", PKM_MAX_ASSEMBLY_MODE);
    if (search->is_cut) printf("  incomplete: curves were left when the work was stopped\n");
    printf("  one more start that arrives finds a further one with a probability of at most about "
           "%.2g\n",
           search->unseen);
}

static void print_found(const pkm_robot* robot, const solution* s, bool turns)
{
    if (s->n_mode == PKM_NONE) return;
    print_search(&s->search);
    for (int m = 0; m < s->n_mode; ++m) {
        const pkm_vec3 p = s->found[m].tool.p;
        printf("  %4d hits  tool %13.8f %13.8f %13.8f", s->found[m].hits, tidy(p.x), tidy(p.y),
               tidy(p.z));
        if (turns) {
            const pkm_vec3 rpy =
                pkm_vec3_scale(57.29577951308232, pkm_quat_to_rpy(s->found[m].tool.q));
            printf("  rpy %12.7f %12.7f %12.7f deg", tidy(rpy.x), tidy(rpy.y), tidy(rpy.z));
        }
        printf("  drives");
        for (int d = 0; d < robot->mech->n_drive; ++d)
            printf(" %13.8f", s->found[m].drive[d] * cli_drive_scale(robot, d));
        printf("\n");
    }
}

static void print_solution(const pkm_robot* robot, const solution* s)
{
    const bool turns = (robot->structure.moves >> PKM_TOOL_RX) != 0;
    print_drives(robot, s);
    if (robot->mech->tool != PKM_NONE) {
        print_pose(s, turns);
        print_dexterity(robot, &s->dexterity);
    }
    print_branches(robot, s);
    print_found(robot, s, turns);
    cli_print_warnings(&s->warnings);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_vec(pkm_json* json, const char* key, pkm_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    pkm_json_key(json, key);
    pkm_json_numbers(json, x, 3);
}

static void put_numbers(pkm_json* json, const char* key, const double* x, int n)
{
    pkm_json_key(json, key);
    pkm_json_numbers(json, x, n);
}

static void put_part(pkm_json* json, const char* key, const pkm_dexterity_part* part)
{
    if (part->n == 0) return;
    pkm_json_key(json, key);
    pkm_json_object_begin(json);
    pkm_json_put_number(json, "condition", part->condition);
    put_numbers(json, "sigma", part->sigma, part->n);
    put_numbers(json, "weakest", part->weakest, part->n);
    put_numbers(json, "softest", part->softest, part->n);
    pkm_json_object_end(json);
}

static void put_dexterity(pkm_json* json, const pkm_dexterity* d)
{
    if (d->has_J) {
        pkm_json_key(json, "jacobian");
        pkm_json_array_begin(json);
        for (int k = 0; k < 6; ++k) {
            double row[PKM_MAX_DRIVE];
            for (int i = 0; i < d->n_drive; ++i)
                row[i] = d->J[6 * i + k];
            pkm_json_numbers(json, row, d->n_drive);
        }
        pkm_json_array_end(json);
        put_part(json, "translation", &d->shift);
        put_part(json, "rotation", &d->turn);
        put_part(json, "both", &d->mixed);
    }
    pkm_json_key(json, "singular");
    pkm_json_object_begin(json);
    pkm_json_put_bool(json, "serial", d->serial);
    pkm_json_put_bool(json, "parallel", d->parallel);
    pkm_json_put_bool(json, "constraint", d->constraint);
    pkm_json_object_end(json);
}

static void put_pose(pkm_json* json, const pkm_pose* pose)
{
    put_vec(json, "position", pose->p);
    put_vec(json, "rpy", pkm_quat_to_rpy(pose->q));
}

static void put_branches(pkm_json* json, const pkm_robot* robot, const solution* s)
{
    pkm_json_key(json, "branches");
    pkm_json_array_begin(json);
    for (int b = 0; b < s->n_branch; ++b) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "label", s->branch[b].label);
        pkm_json_put_integer(json, "branch", s->branch[b].branch);
        put_numbers(json, "drives", s->branch[b].q, robot->mech->n_drive);
        put_pose(json, &s->branch[b].pose);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    if (s->n_mode == PKM_NONE) return;
    pkm_json_key(json, "search");
    pkm_json_array_begin(json);
    for (int m = 0; m < s->n_mode; ++m) {
        pkm_json_object_begin(json);
        pkm_json_put_integer(json, "hits", s->found[m].hits);
        put_numbers(json, "drives", s->found[m].drive, robot->mech->n_drive);
        put_pose(json, &s->found[m].tool);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_key(json, "search_report");
    pkm_json_object_begin(json);
    pkm_json_put_integer(json, "starts", s->search.n_start);
    pkm_json_put_integer(json, "arrived", s->search.n_arrived);
    pkm_json_put_integer(json, "curves", s->search.n_curve);
    pkm_json_put_bool(json, "cut", s->search.is_cut);
    pkm_json_put_bool(json, "full", s->search.n == PKM_MAX_ASSEMBLY_MODE);
    pkm_json_put_number(json, "unseen", s->search.unseen);
    pkm_json_object_end(json);
}

static int print_json(const pkm_robot* robot, const solution* s)
{
    cli_json out;
    if (!cli_json_begin(&out)) return 1;
    pkm_json* json = &out.json;
    const int n = robot->mech->n_drive;
    pkm_json_put_string(json, "name", robot->desc->name);
    pkm_json_key(json, "drives");
    pkm_json_object_begin(json);
    put_numbers(json, "position", s->q, n);
    put_numbers(json, "velocity", s->v, n);
    put_numbers(json, "acceleration", s->a, n);
    pkm_json_object_end(json);
    if (robot->mech->tool != PKM_NONE) {
        pkm_json_key(json, "tool");
        pkm_json_object_begin(json);
        put_pose(json, &s->tool.pose);
        put_vec(json, "velocity", s->tool.v);
        put_vec(json, "angular_velocity", s->tool.w);
        put_vec(json, "acceleration", s->tool.a);
        put_vec(json, "angular_acceleration", s->tool.alpha);
        pkm_json_object_end(json);
        put_dexterity(json, &s->dexterity);
    }
    put_branches(json, robot, s);
    cli_put_warnings(json, &s->warnings);
    return cli_json_end(&out);
}

static int run_mode(const cli_verb* verb, int argc, char** argv, pkm_mode mode)
{
    cli_arguments args;
    pkm_robot* robot;
    pkm_error err = {0};
    int code;
    if (!cli_begin(verb, argc, argv, &args, &robot, &code)) return code;
    static solution found; // too large for the stack
    found = (solution){.mode = mode};
    pkm_target target = {.tool.pose = robot->tool_home};
    pkm_status status = mode == PKM_MODE_TOOL ? tool_target(&args, robot, &target, &err)
                                              : drive_target(&args, robot, &target, &err);
    if (status == PKM_OK) status = solve(&args, robot, &target, &found, &err);
    if (status != PKM_OK)
        code = cli_fail(&err);
    else if (cli_has(&args, "--json"))
        code = print_json(robot, &found);
    else
        print_solution(robot, &found);
    pkm_robot_free(robot);
    return code;
}

static int run_ik(const cli_verb* verb, int argc, char** argv)
{
    return run_mode(verb, argc, argv, PKM_MODE_TOOL);
}

static int run_fk(const cli_verb* verb, int argc, char** argv)
{
    return run_mode(verb, argc, argv, PKM_MODE_DRIVES);
}
