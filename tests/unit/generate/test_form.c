/// The closed forms over expressions against the closed forms in numbers (closed/closed.h), in
/// every branch that a robot has at home: positions, rates, accelerations, forces; and what the
/// conditions refuse.
#include "closed.h"
#include "engine.h"
#include "generate/form.h"

#include <stdlib.h>

static const char* const ROBOTS[] = {"siax",  "lindelta",   "triglide",  "3pprs",
                                     "3ppsr", "isoglideT3", "isoglide4", "prrr2prpar"};
enum { N_ROBOT = sizeof ROBOTS / sizeof ROBOTS[0], N_AT = PKM_SAMPLES + 1 };

/// Input arrays: what the tool and the drives do, as the numbers have it.
enum { IN_POSE, IN_MOTION, IN_LOAD, IN_DRIVE, IN_RATE, IN_ACC, N_IN };

/// One instant in a branch.
typedef struct instant {
    double input[N_IN][12];
    double force[PKM_CLOSED_MAX_DRIVE];
} instant;

static pkm_vec3 draw_vec3(unsigned* seed, double size)
{
    const double x = engine_noise(seed), y = engine_noise(seed), z = engine_noise(seed);
    return (pkm_vec3){size * x, size * y, size * z};
}

static void put_vec3(double* to, pkm_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static pkm_pose near_home(const pkm_robot* robot, unsigned* seed)
{
    const unsigned moves = pkm_closed_get_family(robot->closed)->moves;
    const pkm_vec3 way = draw_vec3(seed, 0.05 * robot->mech->size);
    pkm_vec3 turn = draw_vec3(seed, 0.2);
    turn.x *= moves >> 3 & 1u;
    turn.y *= moves >> 4 & 1u;
    turn.z *= moves >> 5 & 1u;
    return (pkm_pose){pkm_vec3_add(robot->tool_home.p, way),
                      pkm_quat_mul(pkm_quat_from_rotvec(turn), robot->tool_home.q)};
}

/// An instant in `branch` near home; false when it is not there, or singular.
static bool find_instant(const pkm_robot* robot, int branch, unsigned* seed, instant* out)
{
    pkm_closed_config config[PKM_CLOSED_MAX_BRANCH];
    const unsigned moves = pkm_closed_get_family(robot->closed)->moves;
    pkm_frame_motion tool = {
        .pose = near_home(robot, seed), .v = draw_vec3(seed, 1.0), .a = draw_vec3(seed, 10.0)};
    if (moves >> 3) tool.w = draw_vec3(seed, 1.0), tool.alpha = draw_vec3(seed, 10.0);
    if (!(moves >> 3 & 1u)) tool.w.x = tool.w.z = tool.alpha.x = tool.alpha.z = 0.0;
    const pkm_vec3 force = draw_vec3(seed, 20.0), torque = draw_vec3(seed, 2.0);
    const int n =
        pkm_closed_inverse_geometry(robot->closed, &tool.pose, config, PKM_CLOSED_MAX_BRANCH, NULL);
    for (int k = 0; k < n; ++k) {
        double *qd = out->input[IN_RATE], *qdd = out->input[IN_ACC];
        const pkm_mat3 R = pkm_mat3_from_quat(tool.pose.q);
        if (config[k].branch != branch) continue;
        if (closed_drive_motion(robot->closed, &config[k], &tool, qd, qdd) != PKM_OK) return false;
        put_vec3(out->input[IN_POSE], tool.pose.p);
        put_vec3(out->input[IN_POSE] + 3, R.x);
        put_vec3(out->input[IN_POSE] + 6, R.y);
        put_vec3(out->input[IN_POSE] + 9, R.z);
        put_vec3(out->input[IN_MOTION], tool.v);
        put_vec3(out->input[IN_MOTION] + 3, tool.w);
        put_vec3(out->input[IN_MOTION] + 6, tool.a);
        put_vec3(out->input[IN_MOTION] + 9, tool.alpha);
        put_vec3(out->input[IN_LOAD], force);
        put_vec3(out->input[IN_LOAD] + 3, torque);
        memcpy(out->input[IN_DRIVE], config[k].q, sizeof config[k].q);
        return pkm_closed_inverse_dynamics(robot->closed, &config[k], &tool, qd, qdd, force, torque,
                                           out->force) == PKM_OK;
    }
    return false;
}

// ---- a form with inputs -----------------------------------------------------------------------

typedef struct bench {
    pkm_graph graph;
    pkm_form form;
    pkm_form_place place;
    pkm_form_motion motion;
    pkm_node force[PKM_CLOSED_MAX_DRIVE];
    const instant* at;
} bench;

static pkm_node input(bench* b, int array, int k)
{
    double value[PKM_SAMPLES];
    for (int s = 0; s < PKM_SAMPLES; ++s)
        value[s] = b->at[s].input[array][k];
    return pkm_graph_input(&b->graph, array, k, value);
}

static pkm_sym_vec3 input_vec3(bench* b, int array, int k)
{
    return (pkm_sym_vec3){input(b, array, k), input(b, array, k + 1), input(b, array, k + 2)};
}

static void read_pose(bench* b)
{
    b->place.p = input_vec3(b, IN_POSE, 0);
    b->place.R = (pkm_sym_mat3){input_vec3(b, IN_POSE, 3), input_vec3(b, IN_POSE, 6),
                                input_vec3(b, IN_POSE, 9)};
}

static void read_load(bench* b)
{
    b->motion.force = input_vec3(b, IN_LOAD, 0);
    b->motion.torque = input_vec3(b, IN_LOAD, 3);
    b->motion.weighs = true;
}

static pkm_status from_tool(bench* b)
{
    read_pose(b);
    read_load(b);
    b->motion.v = input_vec3(b, IN_MOTION, 0);
    b->motion.w = input_vec3(b, IN_MOTION, 3);
    b->motion.a = input_vec3(b, IN_MOTION, 6);
    b->motion.alpha = input_vec3(b, IN_MOTION, 9);
    b->form.family->from_tool(&b->form, &b->place);
    const pkm_status status = pkm_form_drive_motion(&b->form, &b->place, &b->motion, NULL);
    if (status != PKM_OK) return status;
    return b->form.family->forces(&b->form, &b->place, &b->motion, b->force, NULL);
}

static pkm_status from_drives(bench* b)
{
    read_load(b);
    for (int k = 0; k < b->form.n_drive; ++k) {
        b->place.q[k] = input(b, IN_DRIVE, k);
        b->motion.qd[k] = input(b, IN_RATE, k);
        b->motion.qdd[k] = input(b, IN_ACC, k);
    }
    if (b->form.family->from_drives) {
        b->form.family->from_drives(&b->form, &b->place);
    } else {
        read_pose(b);
        b->form.family->derive(&b->form, &b->place);
    }
    const pkm_status status = pkm_form_tool_motion(&b->form, &b->place, &b->motion, NULL);
    if (status != PKM_OK) return status;
    return b->form.family->forces(&b->form, &b->place, &b->motion, b->force, NULL);
}

static void check_nodes(const double* value, const pkm_node* node, const double* wanted, int n,
                        double tolerance)
{
    double size = 1.0;
    for (int k = 0; k < n; ++k)
        size = fmax(size, fabs(wanted[k]));
    for (int k = 0; k < n; ++k)
        CHECK_NEAR(value[node[k]], wanted[k], tolerance * size);
}

/// All numbers of an instant that the graph was not built with.
static void check_instant(const bench* b, const instant* at)
{
    double* value = malloc((size_t)b->graph.n * sizeof *value);
    const double* in[N_IN];
    const int n = b->form.n_drive;
    for (int k = 0; k < N_IN; ++k)
        in[k] = at->input[k];
    pkm_graph_evaluate(&b->graph, in, value);
    const pkm_sym_vec3 p = b->place.p, v = b->motion.v, a = b->motion.a;
    check_nodes(value, (pkm_node[]){p.x, p.y, p.z}, at->input[IN_POSE], 3, 1e-12);
    check_nodes(value, (pkm_node[]){v.x, v.y, v.z}, at->input[IN_MOTION], 3, 1e-10);
    check_nodes(value, (pkm_node[]){a.x, a.y, a.z}, at->input[IN_MOTION] + 6, 3, 1e-9);
    check_nodes(value, b->place.q, at->input[IN_DRIVE], n, 1e-12);
    check_nodes(value, b->motion.qd, at->input[IN_RATE], n, 1e-10);
    check_nodes(value, b->motion.qdd, at->input[IN_ACC], n, 1e-9);
    check_nodes(value, b->force, at->force, n, 1e-9);
    for (int k = 0; k < b->form.n_condition; ++k)
        CHECK(value[b->form.condition[k].node] > b->form.condition[k].least);
    free(value);
}

static void check_branch(const pkm_robot* robot, int branch, const instant* at)
{
    pkm_status (*const way[2])(bench*) = {from_tool, from_drives};
    for (int k = 0; k < 2; ++k) {
        bench b = {.at = at};
        const pkm_closed_config home = {.branch = branch};
        CHECK(pkm_graph_create(&b.graph, NULL) == PKM_OK);
        CHECK(pkm_form_make(robot->closed, &home, &b.graph, &b.form));
        CHECK(way[k](&b) == PKM_OK);
        check_instant(&b, &at[PKM_SAMPLES]);
        pkm_graph_free(&b.graph);
    }
}

// Eight instants build the graph, the ninth is computed by it.
static void every_branch_meets_the_numbers(void)
{
    int n_checked = 0;
    for (int r = 0; r < N_ROBOT; ++r) {
        pkm_closed_config config[PKM_CLOSED_MAX_BRANCH];
        pkm_robot* robot = engine_load(ROBOTS[r]);
        if (!robot) return;
        unsigned seed = 7;
        int n_here = 0;
        const int n = pkm_closed_inverse_geometry(robot->closed, &robot->tool_home, config,
                                                  PKM_CLOSED_MAX_BRANCH, NULL);
        for (int k = 0; k < n; ++k) {
            instant at[N_AT];
            int found = 0;
            for (int try = 0; try < 200 && found < N_AT; ++try)
                found += find_instant(robot, config[k].branch, &seed, &at[found]);
            if (found < N_AT) continue; // a branch with a singularity at home
            check_branch(robot, config[k].branch, at);
            ++n_here;
        }
        CHECK(n_here >= 4);
        n_checked += n_here;
        pkm_robot_free(robot);
    }
    CHECK(n_checked >= 60);
}

/// Is everything that `b` requires met at a pose?
static bool is_met(const bench* b, const double* pose)
{
    double* value = malloc((size_t)b->graph.n * sizeof *value);
    const double none[12] = {0.0};
    const double* in[N_IN] = {pose, none, none, none, none, none};
    bool met = true;
    pkm_graph_evaluate(&b->graph, in, value);
    for (int k = 0; k < b->form.n_condition; ++k)
        met = met && value[b->form.condition[k].node] > b->form.condition[k].least;
    free(value);
    return met;
}

// Far and near poses: the conditions of the drives' positions are met where the numbers find the
// branch of home, and nowhere else.
static void conditions_are_the_reach(void)
{
    for (int r = 0; r < N_ROBOT; ++r) {
        pkm_closed_config config[PKM_CLOSED_MAX_BRANCH];
        pkm_robot* robot = engine_load(ROBOTS[r]);
        if (!robot) return;
        const int branch = robot->closed_home.branch;
        const unsigned keeps = pkm_closed_get_family(robot->closed)->tool_keeps;
        unsigned seed = 3;
        instant at[N_AT];
        int found = 0, n_in = 0, n_out = 0;
        while (found < N_AT)
            found += find_instant(robot, branch, &seed, &at[found]);
        bench b = {.at = at};
        CHECK(pkm_graph_create(&b.graph, NULL) == PKM_OK);
        CHECK(pkm_form_make(robot->closed, &robot->closed_home, &b.graph, &b.form));
        read_pose(&b);
        b.form.family->from_tool(&b.form, &b.place);
        for (int try = 0; try < 400; ++try) {
            pkm_pose pose = robot->tool_home;
            double in[12];
            bool reached = false;
            pose.p = pkm_vec3_add(pose.p, draw_vec3(&seed, 2.0 * robot->mech->size));
            const pkm_mat3 R = pkm_mat3_from_quat(pose.q);
            put_vec3(in, pose.p);
            put_vec3(in + 3, R.x);
            put_vec3(in + 6, R.y);
            put_vec3(in + 9, R.z);
            const int n = pkm_closed_inverse_geometry(robot->closed, &pose, config,
                                                      PKM_CLOSED_MAX_BRANCH, NULL);
            for (int k = 0; k < n; ++k)
                reached = reached || !(((unsigned)config[k].branch ^ (unsigned)branch) & keeps);
            CHECK(is_met(&b, in) == reached);
            n_in += reached;
            n_out += !reached;
        }
        CHECK(n_in >= 3);
        CHECK(n_out > 20);
        pkm_graph_free(&b.graph);
        pkm_robot_free(robot);
    }
}

int main(void)
{
    RUN(every_branch_meets_the_numbers);
    RUN(conditions_are_the_reach);
    return check_report();
}
