// pkm ik and pkm fk: one pose, its rates, its Jacobian, other branches. What cannot be reached is
// said with the nearest thing that can.
#include "verb/commands.h"

#include "base/error.h"
#include "math/angle.h"
#include "pkm/kinematics.h"
#include "report/render.h"
#include "robot/assembly_modes.h"
#include "robot/continuation.h"
#include "robot/instant.h"
#include "robot/limits.h"
#include "verb/pose.h"

#include <math.h>
#include <string.h>

static const pkm_verb_option ik_options[] = {
    {"--at", "X,Y,Z[,R,P,Y]",
     .text = "position [m], then roll, pitch, yaw [rad]; without them the orientation of home"},
    {"--velocity", "VX,VY,VZ[,...]",
     .text = "velocity of the tool [m/s], angular velocity [rad/s]"},
    {"--acceleration", "AX,AY,AZ[,...]",
     .text = "acceleration [m/s2], angular acceleration [rad/s2]"},
    {"--search", "N",
     .text = "look for further working modes of any robot from N random positions, and along "
             "curves from each one found"},
};
static const pkm_verb_option fk_options[] = {
    {"--drives", "Q1,Q2,... | q1=Q,...",
     .text = "positions in the order of the drives; or by name, `q1=0.1,q3='20 deg'`, the "
             "others as at home"},
    {"--velocity", "V1,V2,...", .text = "rates, one per drive"},
    {"--acceleration", "A1,A2,...", .text = "accelerations, one per drive"},
    {"--search", "N",
     .text = "look for further assembly modes of any robot from N random positions, and along "
             "curves from each one found on which one drive is let go"},
};

static pkm_status run_ik(const pkm_verb_arguments* args, pkm_error* err);
static pkm_status run_fk(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_ik = {
    .name = "ik",
    .operand = "MODEL",
    .text = "inverse kinematics: drive positions, rates and Jacobian for a tool pose",
    .help = "The general engine goes from home to the pose along a straight way, so it stays in\n"
            "home's working mode. Robots with a closed form list all their branches.",
    .example = "pkm ik robots/siax.yaml --at 0.1,0,-0.9 --velocity 1,0,0",
    .another = "pkm ik robots/planar-3rrr.yaml --at '20 mm, 10 mm, 0, 0, 0, 15 deg' --search 20",
    VERB_OPTIONS(ik_options),
    .run = run_ik,
};
const pkm_verb pkm_verb_fk = {
    .name = "fk",
    .operand = "MODEL",
    .text = "forward kinematics: tool pose, rates and Jacobian for drive positions",
    .help = "The general engine goes from home to the drive positions along a straight way, so it\n"
            "stays in home's assembly mode. Robots with a closed form list all their branches.",
    .example = "pkm fk robots/siax.yaml --drives '30 deg, 20 deg, 10 deg'",
    .another = "pkm fk robots/five-bar.yaml --drives '100 deg, 80 deg' --search 20",
    VERB_OPTIONS(fk_options),
    .run = run_fk,
};

/// What was found.
typedef struct solution {
    pkm_given given;
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

/// Three numbers, or six with turns; what is not given is zero.
static pkm_status read_rates(const char* text, const char* shift_unit, const char* turn_unit,
                             const char* what, pkm_vec3* shift, pkm_vec3* turn, pkm_error* err)
{
    double x[6] = {0.0};
    int n;
    if (!text) return PKM_OK;
    PKM_TRY(pkm_verb_vectors(text, shift_unit, turn_unit, what, x, &n, err));
    // numbers that were not given are zero: three make a shift without turns
    *shift = (pkm_vec3){x[0], x[1], x[2]};
    *turn = (pkm_vec3){x[3], x[4], x[5]};
    return PKM_OK;
}

static pkm_status tool_target(const pkm_verb_arguments* args, const pkm_robot* robot,
                              pkm_target* out, pkm_error* err)
{
    const char* at = pkm_verb_get(args, "--at");
    if (!at) return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm ik: expected --at X,Y,Z");
    PKM_TRY(pkm_verb_tool_pose(at, robot, "--at", &out->tool.pose, err));
    PKM_TRY(read_rates(pkm_verb_get(args, "--velocity"), "m/s", "rad/s", "--velocity", &out->tool.v,
                       &out->tool.w, err));
    return read_rates(pkm_verb_get(args, "--acceleration"), "m/s2", "rad/s2", "--acceleration",
                      &out->tool.a, &out->tool.alpha, err);
}

static pkm_status drive_target(const pkm_verb_arguments* args, const pkm_robot* robot,
                               pkm_target* out, pkm_error* err)
{
    const char *drives = pkm_verb_get(args, "--drives"), *v = pkm_verb_get(args, "--velocity");
    const char* a = pkm_verb_get(args, "--acceleration");
    if (!drives) return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm fk: expected --drives Q1,Q2,...");
    PKM_TRY(pkm_verb_drive_positions(drives, robot, "--drives", out->q, err));
    if (v) PKM_TRY(pkm_verb_drive_list(v, robot, "--velocity", 1, out->v, err));
    if (a) PKM_TRY(pkm_verb_drive_list(a, robot, "--acceleration", 2, out->a, err));
    return PKM_OK;
}

/// The tool does what was asked; rates that it cannot take are not left out without a word.
static pkm_status check_rate(const pkm_robot* robot, const char* what, pkm_vec3 asked,
                             pkm_vec3 done, const char* unit, pkm_error* err)
{
    // 1e-6 of what was asked: a tool that lacks a freedom is off by all of it
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
    // of turns and accelerations only those that were asked for: a tool may need them to follow
    if (pkm_vec3_norm(asked->w) > 0.0)
        PKM_TRY(check_rate(robot, "--velocity", asked->w, done->w, "rad/s", err));
    if (pkm_vec3_norm(asked->alpha) > 0.0)
        PKM_TRY(check_rate(robot, "--acceleration", asked->alpha, done->alpha, "rad/s2", err));
    if (pkm_vec3_norm(asked->a) == 0.0) return PKM_OK;
    return check_rate(robot, "--acceleration", asked->a, done->a, "m/s2", err);
}

// ---- solving ----------------------------------------------------------------------------------

static pkm_status solve(const pkm_verb_arguments* args, pkm_robot* robot, const pkm_target* target,
                        solution* out, pkm_error* err)
{
    const bool tool = out->given == PKM_GIVEN_TOOL;
    // from home by a watched way, so that the branch is that of home
    PKM_TRY(pkm_go_to_target(robot, out->given, target, tool ? "--at" : "--drives", err));
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        out->q[d] = pkm_state_drive_position(robot->state, d);
        pkm_drive_rates(robot->state, d, &out->v[d], &out->a[d]);
    }
    pkm_limit_list limits;
    // a place beyond a limit is an answer with a warning: limits are those of the joints, not of
    // geometry
    PKM_TRY(pkm_limits_at(robot, &limits, err));
    pkm_limits_warn(&limits, &out->warnings);
    out->tool.pose = robot->tool_home;
    if (robot->mech->tool != PKM_NONE) {
        out->tool = pkm_state_marker_motion(robot->state, robot->mech->tool);
        if (tool) PKM_TRY(check_rates(robot, &target->tool, &out->tool, err));
        PKM_TRY(pkm_dexterity_at(robot, &out->dexterity, err));
    }
    // all branches of the closed form, the robot's own among them
    if (robot->closed)
        out->n_branch = tool ? pkm_closed_inverse_geometry(robot->closed, &out->tool.pose,
                                                           out->branch, PKM_CLOSED_MAX_BRANCH, NULL)
                             : pkm_closed_direct_geometry(robot->closed, out->q, out->branch,
                                                          PKM_CLOSED_MAX_BRANCH, NULL);
    out->n_mode = PKM_NONE;
    const char* search = pkm_verb_get(args, "--search");
    if (!search) return PKM_OK;
    int n_start;
    // random starts from a fixed seed: the same call finds the same postures
    PKM_TRY(pkm_verb_integer(search, 1, "--search", &n_start, err));
    out->n_mode =
        pkm_assembly_modes_find(robot, out->given, target, n_start, 1u, out->found, &out->search);
    return out->n_mode == PKM_NONE ? pkm_out_of_memory(err) : PKM_OK;
}

// ---- the result -------------------------------------------------------------------------------

static const char text[] =
    "drives                 position       velocity   acceleration\n"
    "{*_drives}  {name:-14s} {q:14.9f|shown|tidy} {v:14.9f|shown|tidy} {a:14.9f|shown|tidy} "
    "{~q}, {~v}, {~a}\n{/}"
    "[{?tool}tool\n"
    "  position       {tool.position:14.9f/ |tidy} m\n"
    "[{?_turns}  roll pitch yaw {tool.rpy:14.9f/ |shown|tidy} deg\n]"
    "  velocity       {tool.velocity:14.9f/ |tidy} m/s\n"
    "[{?_turns}  turning        {tool.angular_velocity:14.9f/ |tidy} rad/s\n]"
    "  acceleration   {tool.acceleration:14.9f/ |tidy} m/s2\n"
    "[{?_turns}  turning        {tool.angular_acceleration:14.9f/ |tidy} rad/s2\n]]"
    "[{?jacobian}Jacobian (tool rate per drive rate)\n"
    "{*_rows}  {name:-14s} {row:14.9f/ |tidy}\n{/}]"
    "{*_parts}  {name:-14s} condition {condition:-10.5g} sigma {sigma:.5g/ }"
    "   weakest direction ({weakest:.4f/, })\n{/}"
    "[  (rotations times the stated length {_length:.6g} m)\n]"
    "[{?_unmixed}  (state `tool: \\{length: ...\\}` to mix translation and rotation)\n]"
    "[singularity      {_singular}\n]"
    "[{?branches}closed form, all branches\n{*branches}  {label:-44s} {_shown:13.8f/ }\n{/}]"
    "[{?search_report}search: {#search} way[{!_one}s] to assemble; {search_report.arrived:d} of "
    "{search_report.starts:d} random starts arrived, {search_report.curves:d} curves followed from "
    "one to others\n"
    "[{?search_report.full}  incomplete: no more than {#search} are kept\n]"
    "[{?search_report.cut}  incomplete: curves were left when the work was stopped\n]"
    "  one more start that arrives finds a further one with a probability of at most about "
    "{search_report.unseen:.2g}\n]"
    "{*search}  {hits:4d} hits  tool {position:13.8f/ |tidy}"
    "[{?_turns}  rpy {rpy:12.7f/ |shown|tidy} deg]  drives {_shown:13.8f/ "
    "}\n{/}" PKM_RENDER_WARNINGS;

/// Positions of drives as people read them.
static void put_shown(pkm_result* in, const pkm_robot* robot, const double* q)
{
    double shown[PKM_MAX_DRIVE];
    for (int d = 0; d < robot->mech->n_drive; ++d)
        // degrees
        shown[d] = q[d] * (robot->mech->drive[d].is_rotary ? PKM_DEGREES : 1.0);
    pkm_result_numbers(in, "_shown", "", shown, robot->mech->n_drive);
}

static void put_drives(pkm_result* in, const pkm_robot* robot, const solution* s)
{
    const int n = robot->mech->n_drive;
    // for machines arrays in SI, for people a line per drive
    pkm_result *drives = pkm_result_group(in, "drives"), *list = pkm_result_list(in, "_drives");
    pkm_result_numbers(drives, "position", "", s->q, n);
    pkm_result_numbers(drives, "velocity", "", s->v, n);
    pkm_result_numbers(drives, "acceleration", "", s->a, n);
    for (int d = 0; d < n; ++d) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", robot->mech->drive[d].name);
        pkm_result_number(item, "q", pkm_robot_drive_unit(robot, d, 0), s->q[d]);
        pkm_result_number(item, "v", pkm_robot_drive_unit(robot, d, 1), s->v[d]);
        pkm_result_number(item, "a", pkm_robot_drive_unit(robot, d, 2), s->a[d]);
    }
}

static void put_pose(pkm_result* in, const pkm_pose* pose)
{
    pkm_result_vec(in, "position", "m", pose->p);
    pkm_result_vec(in, "rpy", "rad", pkm_quat_to_rpy(pose->q));
}

static void put_tool(pkm_result* in, const pkm_frame_motion* tool)
{
    pkm_result* out = pkm_result_group(in, "tool");
    put_pose(out, &tool->pose);
    pkm_result_vec(out, "velocity", "m/s", tool->v);
    pkm_result_vec(out, "angular_velocity", "rad/s", tool->w);
    pkm_result_vec(out, "acceleration", "m/s2", tool->a);
    pkm_result_vec(out, "angular_acceleration", "rad/s2", tool->alpha);
}

static void put_jacobian(pkm_result* in, const pkm_dexterity* d)
{
    static const char* const name[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    pkm_result *all = pkm_result_list(in, "jacobian"), *rows = pkm_result_list(in, "_rows");
    for (int k = 0; k < 6; ++k) {
        double row[PKM_MAX_DRIVE];
        for (int i = 0; i < d->n_drive; ++i)
            row[i] = d->J[6 * i + k];
        // SI: m/s or rad/s of the tool per m/s or rad/s of the drive
        pkm_result_numbers(all, NULL, "", row, d->n_drive);
        // rows of zeros are left out for people
        if (!(d->moves & (1u << k))) continue;
        pkm_result* item = pkm_result_group(rows, NULL);
        pkm_result_text(item, "name", name[k]);
        pkm_result_numbers(item, "row", "", row, d->n_drive);
    }
}

/// A part of the Jacobian under its key, and for people in the list of them.
static void put_part(pkm_result* in, pkm_result* parts, const char* key,
                     const pkm_dexterity_part* part)
{
    double weakest[6];
    if (part->n == 0) return;
    // shifts and turns have no common unit: each part has its own condition number
    pkm_result *out = pkm_result_group(in, key), *shown = pkm_result_group(parts, NULL);
    for (int i = 0; i < part->n; ++i) // four decimals are shown
        weakest[i] = fabs(part->weakest[i]) < 5e-5 ? 0.0 : part->weakest[i];
    pkm_result_number(out, "condition", "", part->condition);
    pkm_result_numbers(out, "sigma", "", part->sigma, part->n);
    pkm_result_numbers(out, "weakest", "", part->weakest, part->n);
    pkm_result_numbers(out, "softest", "", part->softest, part->n);
    pkm_result_text(shown, "name", key);
    pkm_result_number(shown, "condition", "", part->condition);
    pkm_result_numbers(shown, "sigma", "", part->sigma, part->n);
    pkm_result_numbers(shown, "weakest", "", weakest, part->n);
}

static void put_dexterity(pkm_result* in, const pkm_dexterity* d)
{
    if (d->has_J) {
        put_jacobian(in, d);
        pkm_result* parts = pkm_result_list(in, "_parts");
        put_part(in, parts, "translation", &d->shift);
        put_part(in, parts, "rotation", &d->turn);
        put_part(in, parts, "both", &d->mixed);
        if (d->mixed.n) pkm_result_number(in, "_length", "m", d->length);
        pkm_result_bool(in, "_unmixed", !d->mixed.n && d->shift.n && d->turn.n);
    }
    // the kinds here, by the one rule of robot/singularity.h
    pkm_result* singular = pkm_result_group(in, "singular");
    pkm_result_bool(singular, "serial", d->serial);
    pkm_result_bool(singular, "parallel", d->parallel);
    pkm_result_bool(singular, "constraint", d->constraint);
    pkm_result_format(in, "_singular", "%s%s%s%s", d->serial ? "serial " : "",
                      d->parallel ? "parallel " : "", d->constraint ? "constraint " : "",
                      d->serial || d->parallel || d->constraint ? "" : "none here");
}

static void put_branches(pkm_result* in, const pkm_robot* robot, const solution* s)
{
    pkm_result* list = pkm_result_list(in, "branches");
    for (int b = 0; b < s->n_branch; ++b) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "label", s->branch[b].label);
        pkm_result_integer(item, "branch", s->branch[b].branch);
        pkm_result_numbers(item, "drives", "", s->branch[b].q, robot->mech->n_drive);
        put_pose(item, &s->branch[b].pose);
        if (s->given == PKM_GIVEN_TOOL)
            // for ik drives tell branches apart, for fk the place of the tool
            put_shown(item, robot, s->branch[b].q);
        else
            pkm_result_vec(item, "_shown", "m", s->branch[b].pose.p);
    }
}

/// Postures that were found, and how complete the search is, as far as that can be told.
static void put_search(pkm_result* in, const pkm_robot* robot, const solution* s)
{
    pkm_result *list = pkm_result_list(in, "search"),
               *report = pkm_result_group(in, "search_report");
    for (int m = 0; m < s->n_mode; ++m) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_integer(item, "hits", s->found[m].hits);
        pkm_result_numbers(item, "drives", "", s->found[m].drive, robot->mech->n_drive);
        put_pose(item, &s->found[m].tool);
        put_shown(item, robot, s->found[m].drive);
    }
    pkm_result_bool(in, "_one", s->search.n == 1);
    pkm_result_integer(report, "starts", s->search.n_start);
    pkm_result_integer(report, "arrived", s->search.n_arrived);
    pkm_result_integer(report, "curves", s->search.n_curve);
    pkm_result_bool(report, "cut", s->search.is_cut);
    // no more are kept: there may be others
    pkm_result_bool(report, "full", s->search.n == PKM_MAX_ASSEMBLY_MODE);
    pkm_result_number(report, "unseen", "", s->search.unseen);
}

static void put_solution(pkm_result* out, const pkm_robot* robot, const solution* s)
{
    pkm_result_text(out, "name", robot->desc->name);
    // tools that only shift need no lines of angles
    pkm_result_bool(out, "_turns", (robot->structure.moves >> PKM_TOOL_RX) != 0);
    put_drives(out, robot, s);
    if (robot->mech->tool != PKM_NONE) {
        put_tool(out, &s->tool);
        put_dexterity(out, &s->dexterity);
    }
    put_branches(out, robot, s);
    if (s->n_mode != PKM_NONE) put_search(out, robot, s);
    pkm_result_warnings(out, &s->warnings);
}

static pkm_status run_given(const pkm_verb_arguments* args, pkm_given given, pkm_error* err)
{
    pkm_robot* robot;
    // too large for the stack: postures and branches have room for all that may be found
    solution* found = pkm_verb_work(args, sizeof *found, err);
    if (!found) return PKM_ERR_MEMORY;
    found->given = given;
    PKM_TRY(pkm_verb_begin(args, &robot, err));
    pkm_target target = {.tool.pose = robot->tool_home};
    PKM_TRY(given == PKM_GIVEN_TOOL ? tool_target(args, robot, &target, err)
                                    : drive_target(args, robot, &target, err));
    PKM_TRY(solve(args, robot, &target, found, err));
    put_solution(pkm_verb_result(args), robot, found);
    return pkm_verb_show(args, text, err);
}

static pkm_status run_ik(const pkm_verb_arguments* args, pkm_error* err)
{
    return run_given(args, PKM_GIVEN_TOOL, err);
}

static pkm_status run_fk(const pkm_verb_arguments* args, pkm_error* err)
{
    return run_given(args, PKM_GIVEN_DRIVES, err);
}
