// pkm matrices: M, V, G, J and the pair A, B at an instant (robot/matrices.h), and what each limb
// adds to every drive force.
#include "verb/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "dynamics/effects.h"
#include "dynamics/motion_solve.h"
#include "mechanism/joint.h"
#include "pkm/batch.h"
#include "pkm/inverse.h"
#include "pkm/matrices.h"
#include "robot/inverse_result.h"
#include "robot/nearness.h"
#include "robot/robot.h"
#include "table/column.h"
#include "verb/pose.h"
#include "verb/run_folder.h"

#include <string.h>

static const pkm_verb_option options[] = {
    {.name = "--at"},
    {.name = "--drives"},
    {"--velocity", "V1,V2,...",
     .text = "drive rates: Coriolis and centrifugal terms (default: rest)"},
    {"--acceleration", "A1,A2,...", .text = "drive accelerations, for the shares of the parts"},
    {"--force", "F1,F2,...", .text = "drive forces: direct dynamics gives the accelerations"},
    {.name = "--tool-force"},
    {"-o", "DIR", .text = "folder for table.csv (a row per drive), summary.json and manifest.json"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_matrices = {
    .name = "matrices",
    .operand = "MODEL",
    .text = "Jacobians, mass matrix, Coriolis and gravity terms at a pose, limb by limb",
    .help =
        "At a pose with x' = J q' for the tool and F = M a + V + G - load for the drives:\n"
        "J, its inverse, the pair A q' = B x', rates of passive joints, the mass matrix M, the\n"
        "terms V and G, and what each limb and the platform ask of every drive; with --force\n"
        "the accelerations that these forces give (direct dynamics). Spins of symmetric rods\n"
        "are held.",
    .example = "pkm matrices robots/siax.yaml --at 0.1,0,-0.9 --velocity 2,1,-1",
    .another = "pkm matrices robots/triglide.yaml --force 10,0,0 --json",
    VERB_OPTIONS(options),
    .run = run,
};

static const char text[] =
    "{name}\n"
    "[{?warnings}{*warnings}warning: {text}\n{/}]"
    "[{?jacobian}\nJ, tool rates per drive rate ({drives/, })\n"
    "{*_J}  {name:-14s} {row:14.9g/ |tidy}\n{/}]"
    "[{?jacobian_inverse}\ninverse of J, drive rates per rate of the tool ({_moves})\n"
    "{*_inverse}  {name:-14s} {row:14.9g/ |tidy}\n{/}"
    "\nA q' = B x', B with unit forces: diagonal of A, rows of B\n"
    "{*_AB}  {name:-14s} {a:14.9g|tidy}   {row:14.9g/ |tidy}\n{/}]"
    "[{!jacobian_inverse}\nJ has no inverse here\n]"
    "[{?joint_rates}\nrates of the other joints of one freedom per drive rate ({drives/, })\n"
    "{*joint_rates}  {joint:-14s} {row:14.9g/ |tidy}\n{/}]"
    "\nmass matrix M\n"
    "{*_M}  {name:-14s} {row:14.9g/ |tidy}\n{/}"
    "\nforces of the drives: F = M a + V + G - load\n"
    "                {_heads}\n"
    "{*_terms}  {name:-14s} {force:14.9g/ |tidy}\n{/}"
    "\nshares of the parts in M a + V + G\n"
    "{*parts}  {name:-14s} {force:14.9g/ |tidy}   {mass:.6g} kg\n{/}"
    "[{?accelerations}\ndirect dynamics: accelerations by the forces given\n"
    "  {_blank:-14s} {accelerations:14.9g/ |tidy}\n]"
    "[\nresults in {folder}\n]";

// ---- what is asked ----------------------------------------------------------------------------

static pkm_status read_instant(const pkm_verb_arguments* args, pkm_robot* robot, pkm_instant* now,
                               pkm_error* err)
{
    const char *v = pkm_verb_get(args, "--velocity"), *a = pkm_verb_get(args, "--acceleration");
    // the pose first: rates and forces are those of the robot where it stands then
    PKM_TRY(pkm_verb_go_to_pose(args, robot, err));
    for (int d = 0; d < robot->mech->n_drive; ++d)
        now->q[d] = pkm_state_drive_position(robot->state, d);
    if (v) PKM_TRY(pkm_verb_drive_list(v, robot, "--velocity", 1, now->v, err));
    if (a) PKM_TRY(pkm_verb_drive_list(a, robot, "--acceleration", 2, now->a, err));
    return pkm_verb_tool_force(args, &now->tool_force, &now->tool_torque, err);
}

/// Forces of all drives.
static pkm_status read_forces(const char* given, const pkm_robot* robot, double* out,
                              pkm_error* err)
{
    const char* unit[PKM_MAX_DRIVE];
    int n;
    for (int d = 0; d < robot->mech->n_drive; ++d)
        unit[d] = robot->mech->drive[d].is_rotary ? "N m" : "N";
    PKM_TRY(pkm_verb_numbers(given, unit, "--force", robot->mech->n_drive, out, &n, err));
    if (n == robot->mech->n_drive) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--force: %d numbers, expected %d, one per drive", n,
                    robot->mech->n_drive);
}

// ---- the result -------------------------------------------------------------------------------

/// Row i of a column-major matrix of `m` rows and `n` columns.
static void copy_row(const double* A, int m, int n, int i, double* out)
{
    for (int k = 0; k < n; ++k)
        out[k] = A[i + k * m];
}

/// A matrix as a list of rows under `key`; with names of the rows for people under `shown`.
static void put_matrix(pkm_result* in, const char* key, const char* shown, const double* A, int m,
                       int n, const char* const* name)
{
    pkm_result* rows = pkm_result_list(in, key);
    // rows of plain numbers for machines, with names for people
    pkm_result* people = shown ? pkm_result_list(in, shown) : NULL;
    for (int i = 0; i < m; ++i) {
        double row[PKM_MAX_DRIVE];
        copy_row(A, m, n, i, row);
        pkm_result_numbers(rows, NULL, "", row, n);
        if (!shown) continue;
        pkm_result* item = pkm_result_group(people, NULL);
        pkm_result_text(item, "name", name[i]);
        pkm_result_numbers(item, "row", "", row, n);
    }
}

static const char* const rate_name[] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static void put_inverse(pkm_result* out, const pkm_matrices* m, const char* const* drive)
{
    const int n = m->n_drive;
    char moves[64] = "";
    if (!m->has_inverse) return;
    // the rates that the tool has: columns of the inverse, in this order
    pkm_result* list = pkm_result_list(out, "moves");
    for (int c = 0; c < m->n_move; ++c) {
        pkm_result_text(list, NULL, rate_name[m->move[c]]);
        const size_t used = strlen(moves);
        snprintf(moves + used, sizeof moves - used, "%s%s", c ? ", " : "", rate_name[m->move[c]]);
    }
    pkm_result_text(out, "_moves", moves);
    put_matrix(out, "jacobian_inverse", "_inverse", m->J_inverse, n, m->n_move, drive);
    pkm_result_numbers(out, "A", "", m->A, n);
    put_matrix(out, "B", NULL, m->B, n, m->n_move, drive);
    // A is diagonal with unit forces along the limbs (5.8): a column serves
    pkm_result* pairs = pkm_result_list(out, "_AB");
    for (int i = 0; i < n; ++i) {
        double row[6];
        pkm_result* item = pkm_result_group(pairs, NULL);
        copy_row(m->B, n, m->n_move, i, row);
        pkm_result_text(item, "name", drive[i]);
        pkm_result_number(item, "a", "", m->A[i]);
        pkm_result_numbers(item, "row", "", row, m->n_move);
    }
}

/// Is joint `j` of one freedom, and passive?
static bool has_rate(const pkm_mechanism* mech, int j)
{
    const pkm_joint_facts* facts = pkm_joint_facts_of(mech->joint[j].type);
    for (int d = 0; d < mech->n_drive; ++d)
        if (mech->drive[d].joint == j) return false;
    // a rod between points has a row and no coordinate; a released joint six
    return !facts->is_rod && facts->n_v == 1 && !mech->joint[j].released;
}

/// J_q of q_passive' = J_q q': every drive moves with rate 1 in turn, the others stand.
static void put_joint_rates(pkm_result* out, const pkm_robot* robot)
{
    const pkm_mechanism* mech = robot->mech;
    pkm_result* list = NULL; // absent where all are balls
    for (int j = 0; j < mech->n_joint; ++j) {
        double row[PKM_MAX_DRIVE], unread;
        if (!has_rate(mech, j)) continue;
        for (int d = 0; d < mech->n_drive; ++d) {
            // a column of J_q: rates are linear in those of the drives, positions stay
            pkm_target target = {.v = {0.0}};
            target.v[d] = 1.0;
            pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &target);
            pkm_joint_coordinate(robot->state, j, &unread, &row[d]);
        }
        if (!list) list = pkm_result_list(out, "joint_rates");
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "joint", mech->joint[j].name);
        pkm_result_numbers(item, "row", "", row, mech->n_drive);
    }
}

static void put_terms(pkm_result* out, const pkm_matrices* m)
{
    const int n = m->n_drive;
    double inertia[PKM_MAX_DRIVE];
    for (int i = 0; i < n; ++i)
        // M a as what is left of F + load, so that the terms sum to F to rounding
        inertia[i] = m->all.force[i] - m->all.V[i] - m->all.G[i];
    const struct {
        const char *key, *name;
        const double* value;
    } term[] = {{"inertia", "M a", inertia},
                {"coriolis", "V", m->all.V},
                {"gravity", "G", m->all.G},
                {"load", "load", m->load},
                {"force", "F", m->force}};
    pkm_result *people = pkm_result_list(out, "_terms"), *json = pkm_result_group(out, "forces");
    for (size_t k = 0; k < sizeof term / sizeof term[0]; ++k) {
        pkm_result* item = pkm_result_group(people, NULL);
        pkm_result_text(item, "name", term[k].name);
        pkm_result_numbers(item, "force", "", term[k].value, n);
        pkm_result_numbers(json, term[k].key, "", term[k].value, n);
    }
}

static void put_parts(pkm_result* out, const pkm_matrices* m)
{
    const int n = m->n_drive;
    pkm_result* parts = pkm_result_list(out, "parts");
    for (int p = 0; p < m->n_part; ++p) {
        // limbs and platform: their sums are the whole
        const pkm_matrices_part* part = &m->part[p];
        pkm_result* item = pkm_result_group(parts, NULL);
        pkm_result_text(item, "name", part->name);
        pkm_result_number(item, "mass", "kg", part->mass);
        put_matrix(item, "M", NULL, part->M, n, n, NULL);
        pkm_result_numbers(item, "coriolis", "", part->V, n);
        pkm_result_numbers(item, "gravity", "", part->G, n);
        pkm_result_numbers(item, "force", "", part->force, n);
    }
}

static void put_all(const pkm_robot* robot, const pkm_matrices* m, pkm_result* out)
{
    const char* drive[PKM_MAX_DRIVE];
    char heads[PKM_MAX_DRIVE * 16] = "";
    pkm_result_text(out, "name", robot->desc->name);
    pkm_result* names = pkm_result_list(out, "drives");
    for (int d = 0; d < m->n_drive; ++d) {
        drive[d] = robot->mech->drive[d].name;
        pkm_result_text(names, NULL, drive[d]);
        const size_t used = strlen(heads);
        snprintf(heads + used, sizeof heads - used, "%s%14.14s", d ? " " : "", drive[d]);
    }
    pkm_result_text(out, "_heads", heads);
    pkm_result_text(out, "_blank", "");
    pkm_result_numbers(out, "position", "", m->now.q, m->n_drive);
    if (robot->mech->tool != PKM_NONE)
        put_matrix(out, "jacobian", "_J", m->J, 6, m->n_drive, rate_name);
    put_inverse(out, m, drive);
    put_joint_rates(out, robot);
    put_matrix(out, "M", "_M", m->all.M, m->n_drive, m->n_drive, drive);
    put_terms(out, m);
    put_parts(out, m);
}

// ---- the folder -------------------------------------------------------------------------------

/// What a drive needs, in the units of the drive.
typedef struct needs {
    double drive, position, inertia, coriolis, gravity, load, force;
} needs;

static const pkm_column need_columns[] = {
    {"drive", "", .at = offsetof(needs, drive)},
    {"position", "", .at = offsetof(needs, position)},
    {"inertia", "", .at = offsetof(needs, inertia)},
    {"coriolis", "", .at = offsetof(needs, coriolis)},
    {"gravity", "", .at = offsetof(needs, gravity)},
    {"load", "", .at = offsetof(needs, load)},
    {"force", "", .at = offsetof(needs, force)},
};
enum { N_NEED = sizeof need_columns / sizeof need_columns[0] };

/// What the rows are made of.
typedef struct drive_rows {
    const pkm_robot* robot;
    const pkm_matrices* m;
} drive_rows;

/// All columns, or the values of drive `i`: terms of its force, its row of M.
static void put_row(const void* user, int i, pkm_layout* to)
{
    const drive_rows* of = user;
    const pkm_matrices* m = of->m;
    // drives are numbered from 1 in tables, as people count
    const needs terms = {i + 1,       m->now.q[i], m->all.force[i] - m->all.V[i] - m->all.G[i],
                         m->all.V[i], m->all.G[i], m->load[i],
                         m->force[i]};
    pkm_layout_put(to, "", need_columns, N_NEED, &terms);
    for (int k = 0; k < m->n_drive; ++k) {
        // a column per drive, named M.q1, M.q2: the row of the mass matrix
        const pkm_column entry = {.quantity = of->robot->mech->drive[k].name, .unit = ""};
        const double value = m->all.M[i + k * m->n_drive];
        pkm_layout_put(to, "M", &entry, 1, &value);
    }
}

static pkm_status write_folder(const pkm_verb_arguments* args, const pkm_robot* robot,
                               const pkm_matrices* m, double start, pkm_error* err)
{
    char folder[1024];
    pkm_result* result = pkm_verb_result(args);
    pkm_table* table = pkm_verb_table(args, "drives");
    const pkm_verb_run out = {.args = args,
                              .robot = robot,
                              .stands = robot->state->q,
                              .motion = "matrices",
                              .table = table,
                              .complete = true,
                              .wall_time = pkm_clock() - start,
                              .tree = result};
    // what a summary shows of this folder: the force of each drive
    pkm_result* lines = pkm_result_list(result, "_headlines");
    for (int d = 0; d < m->n_drive; ++d) {
        char name[2 * PKM_MAX_NAME];
        snprintf(name, sizeof name, "force of %s", robot->mech->drive[d].name);
        pkm_headline_result(lines, name, m->force[d],
                            robot->mech->drive[d].is_rotary ? "N m" : "N");
    }
    if (!pkm_layout_fill(table, m->n_drive, 1, put_row, &(drive_rows){robot, m}))
        return pkm_out_of_memory(err);
    return pkm_verb_run_write(&out, folder, sizeof folder, err);
}

// ---- the verb ---------------------------------------------------------------------------------

static pkm_status answer(const pkm_verb_arguments* args, pkm_robot* robot, pkm_matrices* m,
                         pkm_result* out, pkm_error* err)
{
    pkm_instant now = pkm_instant_home(robot);
    const char* given = pkm_verb_get(args, "--force");
    pkm_warnings warnings = {.n = 0};
    const double start = pkm_clock();
    PKM_TRY(read_instant(args, robot, &now, err));
    PKM_TRY(pkm_matrices_at(robot, &now, m, err));
    put_all(robot, m, out);
    pkm_nearness_warn_pose(robot, &warnings);
    pkm_result_warnings(out, &warnings);
    if (given) {
        PKM_TRY(read_forces(given, robot, now.force, err));
        PKM_TRY(pkm_forward_at(robot, PKM_METHOD_ENGINE, &now, err));
        pkm_result_numbers(out, "accelerations", "", now.a, m->n_drive);
    }
    return pkm_verb_has(args, "-o") ? write_folder(args, robot, m, start, err) : PKM_OK;
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_robot* robot;
    pkm_matrices* matrices = pkm_verb_work(args, sizeof *matrices, err);
    if (!matrices) return PKM_ERR_MEMORY;
    PKM_TRY(pkm_verb_begin(args, &robot, err));
    PKM_TRY(answer(args, robot, matrices, pkm_verb_result(args), err));
    return pkm_verb_show(args, text, err);
}
