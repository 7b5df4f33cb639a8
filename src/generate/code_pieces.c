// Pieces of the general engine: one Newton pass, velocities, forces and mass matrix of the cut tree
// as graphs, docs/theory/engine.md, sections 3 and 4.
#include "base/error.h"
#include "generate/code_impl.h"

#include <stdlib.h>
#include <string.h>

// Each piece has its own graph, so that its numbers of variables are small and what it does not
// need is not there.

typedef struct builder {
    const pkm_code* code;
    const pkm_mechanism* mech;
    pkm_graph graph;
    pkm_tree tree;
    pkm_node drive[PKM_MAX_DRIVE];
    pkm_sym_tool tool;
    pkm_node *x, *y, *z, *w; ///< [n_v] work
    pkm_node* A;             ///< [n_row x n_v] work
    pkm_node* rhs;           ///< [n_row] work
    double* row_unit;        ///< [n_row]
    pkm_graph_output* output;
    int n_output, n_output_max;
} builder;

static void put(builder* b, const char* array, int index, pkm_node node)
{
    PKM_ASSERT(b->n_output < b->n_output_max);
    b->output[b->n_output++] = (pkm_graph_output){array, index, node};
}

// ---- systems ----------------------------------------------------------------------------------

/// The rows of a system, and their factors: A v = rates.
static pkm_status factor(builder* b, pkm_given given, pkm_elimination* lu, pkm_error* err)
{
    const pkm_system* system = &b->code->robot->state->system[given];
    const int n = b->mech->n_v;
    for (int i = 0; i < system->n_row; ++i) {
        pkm_tree_row(&b->tree, system->row[i], &b->tool, b->drive);
        pkm_tree_row_entries(&b->tree, system->row[i], b->A + i * n);
        // rows and velocities in robot sizes, so that pivots can be compared
        b->row_unit[i] = 1.0 / b->mech->row[system->row[i]].weight;
    }
    pkm_graph_note(&b->graph, "elimination of A (3.1)");
    return pkm_eliminate(&b->graph, system->n_row, n, b->A, b->row_unit, b->mech->v_unit, lu, err);
}

/// Right sides of the rows: what `tool` (6 components) or `drive` ask, minus the bias.
static void set_right_side(builder* b, pkm_given given, const pkm_node* tool, const pkm_node* drive,
                           bool has_bias)
{
    const pkm_system* system = &b->code->robot->state->system[given];
    for (int i = 0; i < system->n_row; ++i) {
        const pkm_row* row = &b->mech->row[system->row[i]];
        // closures ask for rest
        pkm_node wanted = 0;
        if (row->kind == PKM_ROW_TOOL && tool) wanted = tool[row->component];
        if (row->kind == PKM_ROW_DRIVE && drive) wanted = drive[row->item];
        if (has_bias) {
            pkm_tree_row_bias(&b->tree, system->row[i]);
            wanted = pkm_graph_subtract(&b->graph, wanted, b->tree.row[system->row[i]].bias);
        }
        b->rhs[i] = wanted;
    }
}

/// Where the row of drive `d` is in the system of the drives.
static int drive_place(const builder* b, int d)
{
    const pkm_system* system = &b->code->robot->state->system[PKM_GIVEN_DRIVES];
    for (int i = 0; i < system->n_row; ++i)
        if (system->row[i] == b->mech->drive_row_at + d) return i;
    return PKM_NONE;
}

// ---- pieces -----------------------------------------------------------------------------------

/// One pass of Newton's method, A dq = -c (3.1): `next` and the step in units of the robot.
static pkm_status build_pass(builder* b, pkm_given given, pkm_error* err)
{
    pkm_elimination lu;
    PKM_TRY(factor(b, given, &lu, err));
    const pkm_system* system = &b->code->robot->state->system[given];
    pkm_graph_note(&b->graph, "step (3.1)");
    for (int i = 0; i < system->n_row; ++i)
        b->rhs[i] = pkm_graph_negate(&b->graph, b->tree.row[system->row[i]].residual);
    const pkm_status status = pkm_elimination_solve(&lu, b->rhs, b->x, err);
    pkm_elimination_free(&lu);
    if (status != PKM_OK) return status;
    // q + dq, quaternions by a turn
    pkm_tree_move(&b->tree, b->x, b->y);
    for (int k = 0; k < b->mech->n_q; ++k)
        put(b, "next", k, b->y[k]);
    for (int k = 0; k < b->mech->n_v; ++k) {
        const pkm_node unit = pkm_graph_number(&b->graph, 1.0 / b->mech->v_unit[k]);
        put(b, "step", k, pkm_graph_multiply(&b->graph, unit, b->x[k]));
    }
    return PKM_OK;
}

static void put_vec3(builder* b, const char* array, int at, int stride, pkm_sym_vec3 v)
{
    put(b, array, at, v.x);
    put(b, array, at + stride, v.y);
    put(b, array, at + 2 * stride, v.z);
}

static void put_drives(builder* b, const char* array)
{
    for (int d = 0; d < b->mech->n_drive; ++d)
        put(b, array, d, pkm_tree_drive(&b->tree, d));
}

static pkm_status build_pose(builder* b, pkm_error* err)
{
    (void)err;
    put_drives(b, "drive");
    if (b->mech->tool == PKM_NONE) return PKM_OK;
    const pkm_sym_mat3 R = pkm_tree_tool_axes(&b->tree);
    put_vec3(b, "p", 0, 1, pkm_tree_tool_point(&b->tree));
    // R by rows in the code, as C programs index it
    put_vec3(b, "R", 0, 3, R.x);
    put_vec3(b, "R", 1, 3, R.y);
    put_vec3(b, "R", 2, 3, R.z);
    return PKM_OK;
}

/// Velocities b->x and accelerations b->y of the tree (3.1), from what the tool or the drives do.
static pkm_status solve_motion(builder* b, pkm_given given, const pkm_elimination* lu,
                               const pkm_node* rate, const pkm_node* acc, pkm_error* err)
{
    const bool by_tool = given == PKM_GIVEN_TOOL;
    pkm_graph_note(&b->graph, "velocities (3.1)");
    // A v = c'_wanted
    set_right_side(b, given, by_tool ? rate : NULL, by_tool ? NULL : rate, false);
    PKM_TRY(pkm_elimination_solve(lu, b->rhs, b->x, err));
    pkm_tree_velocities(&b->tree, b->x);
    // with a = 0 first: what velocities make is the bias
    pkm_tree_accelerations(&b->tree, b->x, NULL);
    pkm_graph_note(&b->graph, "accelerations (3.1), with the bias of the rows (2.6) to (2.9)");
    // A a = c''_wanted - bias
    set_right_side(b, given, by_tool ? acc : NULL, by_tool ? NULL : acc, true);
    return pkm_elimination_solve(lu, b->rhs, b->y, err);
}

/// The wrench on the tool from outside, and the body that feels it.
static int tool_load(builder* b, pkm_sym_wrench* load)
{
    *load = (pkm_sym_wrench){PKM_SYM_ZERO, PKM_SYM_ZERO};
    if (b->mech->tool == PKM_NONE) return 0;
    *load = pkm_sym_wrench_at(&b->graph, pkm_tree_tool_point(&b->tree),
                              pkm_code_input_vec3(b->code->sample, &b->graph, PKM_IN_WRENCH, 0),
                              pkm_code_input_vec3(b->code->sample, &b->graph, PKM_IN_WRENCH, 3));
    return b->mech->marker[b->mech->tool].body;
}

/// Drive forces from b->x, b->y: A' lambda = M a + h (4.4), of the drives' system.
static pkm_status put_forces(builder* b, const pkm_elimination* drives, pkm_error* err)
{
    pkm_sym_wrench load;
    pkm_tree_accelerations(&b->tree, b->x, b->y);
    const int loaded = tool_load(b, &load);
    pkm_tree_forces(&b->tree, loaded, load, b->z);
    pkm_graph_note(&b->graph, "drive forces (4.4)");
    PKM_TRY(pkm_elimination_solve_transposed(drives, b->z, b->rhs, err));
    for (int d = 0; d < b->mech->n_drive; ++d)
        put(b, "force", d, b->rhs[drive_place(b, d)]);
    return PKM_OK;
}

static void inputs(builder* b, int array, int n, pkm_node* out)
{
    for (int k = 0; k < n; ++k)
        out[k] = pkm_code_input(b->code->sample, &b->graph, array, k);
}

static pkm_status build_inverse_drives(builder* b, pkm_error* err)
{
    pkm_node rate[PKM_MAX_DRIVE], acc[PKM_MAX_DRIVE];
    pkm_elimination lu;
    inputs(b, PKM_IN_RATE, b->mech->n_drive, rate);
    inputs(b, PKM_IN_ACC, b->mech->n_drive, acc);
    PKM_TRY(factor(b, PKM_GIVEN_DRIVES, &lu, err));
    pkm_status status = solve_motion(b, PKM_GIVEN_DRIVES, &lu, rate, acc, err);
    if (status == PKM_OK) status = put_forces(b, &lu, err);
    pkm_elimination_free(&lu);
    return status;
}

/// Rate and acceleration of drive `d` from the motion of the tree: of a driven length W . (V_b -
/// V_a), and its derivative.
static void put_drive_motion(builder* b, int d)
{
    const pkm_drive* drive = &b->mech->drive[d];
    pkm_node rate, acc;
    if (drive->v_index != PKM_NONE) {
        const pkm_node sign = pkm_graph_number(&b->graph, drive->sign);
        rate = pkm_graph_multiply(&b->graph, sign, b->x[drive->v_index]);
        acc = pkm_graph_multiply(&b->graph, sign, b->y[drive->v_index]);
    } else {
        const int r = b->mech->drive_row_at + d;
        const pkm_row* row = &b->mech->row[r];
        const pkm_sym_twist V =
            pkm_sym_twist_sub(&b->graph, b->tree.body[row->body_b].V, b->tree.body[row->body_a].V);
        // a length grows by the work of a unit force along it
        rate = pkm_sym_power(&b->graph, V, b->tree.row[r].wrench);
        pkm_tree_row_bias(&b->tree, r); // with all accelerations: c'' itself
        acc = b->tree.row[r].bias;
    }
    put(b, "rate", d, rate);
    put(b, "acc", d, acc);
}

static pkm_status build_inverse_tool(builder* b, pkm_error* err)
{
    pkm_node rate[6], acc[6];
    pkm_elimination tool, drives;
    inputs(b, PKM_IN_TWIST, 6, rate);
    inputs(b, PKM_IN_TWIST_RATE, 6, acc);
    PKM_TRY(factor(b, PKM_GIVEN_TOOL, &tool, err));
    pkm_status status = solve_motion(b, PKM_GIVEN_TOOL, &tool, rate, acc, err);
    pkm_elimination_free(&tool);
    if (status != PKM_OK) return status;
    // the motion is the tool's, the forces are multipliers of the rows of the drives (4.3): a
    // second elimination
    PKM_TRY(factor(b, PKM_GIVEN_DRIVES, &drives, err));
    status = put_forces(b, &drives, err);
    pkm_elimination_free(&drives);
    put_drives(b, "drive");
    for (int d = 0; d < b->mech->n_drive; ++d)
        put_drive_motion(b, d);
    return status;
}

/// Tree velocities T_d [n_v] per rate of drive `d` alone.
static pkm_status solve_unit(builder* b, const pkm_elimination* lu, int d, pkm_node* out,
                             pkm_error* err)
{
    pkm_node unit[PKM_MAX_DRIVE] = {0};
    // the nodes 0 and 1 are these numbers
    unit[d] = 1;
    set_right_side(b, PKM_GIVEN_DRIVES, NULL, unit, false);
    return pkm_elimination_solve(lu, b->rhs, out, err);
}

static pkm_status build_jacobian(builder* b, pkm_error* err)
{
    pkm_elimination lu;
    PKM_TRY(factor(b, PKM_GIVEN_DRIVES, &lu, err));
    const int n = b->mech->n_drive;
    pkm_status status = PKM_OK;
    // J by rows: shifts of the tool's point, then turns
    const pkm_sym_vec3 p = pkm_tree_tool_point(&b->tree);
    for (int d = 0; status == PKM_OK && d < n; ++d) {
        status = solve_unit(b, &lu, d, b->x, err);
        if (status != PKM_OK) break;
        pkm_tree_velocities(&b->tree, b->x);
        const pkm_sym_twist V = b->tree.body[b->mech->marker[b->mech->tool].body].V;
        put_vec3(b, "J", d, n, pkm_sym_at(&b->graph, V, p));
        put_vec3(b, "J", 3 * n + d, n, V.ang);
    }
    pkm_elimination_free(&lu);
    return status;
}

/// Zeros of u and v vanish in the graph: the sum has the terms that can differ from zero alone.
static pkm_node dot(builder* b, const pkm_node* u, const pkm_node* v)
{
    pkm_node sum = 0;
    for (int k = 0; k < b->mech->n_v; ++k)
        sum = pkm_graph_add(&b->graph, sum, pkm_graph_multiply(&b->graph, u[k], v[k]));
    return sum;
}

/// Mass matrix of the drives T' M T, column by column, and their forces left over, u - T' (M a_0 +
/// h), with a_0 the accelerations of the tree when the drives have none.
static pkm_status reduce(builder* b, const pkm_elimination* lu, pkm_node* T, pkm_node* M,
                         pkm_node* left, pkm_error* err)
{
    const int n = b->mech->n_drive, n_v = b->mech->n_v;
    pkm_node rate[PKM_MAX_DRIVE];
    pkm_sym_wrench load;
    inputs(b, PKM_IN_RATE, n, rate);
    for (int d = 0; d < n; ++d)
        PKM_TRY(solve_unit(b, lu, d, T + d * n_v, err));
    // a_0: accelerations without those of the drives
    PKM_TRY(solve_motion(b, PKM_GIVEN_DRIVES, lu, rate, NULL, err));
    pkm_tree_accelerations(&b->tree, b->x, b->y);
    const int loaded = tool_load(b, &load);
    pkm_tree_forces(&b->tree, loaded, load, b->z);
    for (int d = 0; d < n; ++d)
        // what the drives give less what the motion needs without their accelerations
        left[d] = pkm_graph_subtract(&b->graph,
                                     pkm_code_input(b->code->sample, &b->graph, PKM_IN_FORCE, d),
                                     dot(b, T + d * n_v, b->z));
    pkm_graph_note(&b->graph, "mass matrix of the drives");
    for (int d = 0; d < n; ++d) {
        pkm_tree_inertia(&b->tree, T + d * n_v, b->w);
        // symmetric: n (n + 1)/2 products T_e . (M T_d)
        for (int e = d; e < n; ++e)
            M[e * n + d] = M[d * n + e] = dot(b, T + e * n_v, b->w);
    }
    return PKM_OK;
}

static pkm_status build_forward(builder* b, pkm_error* err)
{
    const int n = b->mech->n_drive;
    pkm_node *T = malloc((size_t)(n * b->mech->n_v + 1) * sizeof *T),
             M[PKM_MAX_DRIVE * PKM_MAX_DRIVE];
    pkm_node left[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE];
    double unit[PKM_MAX_DRIVE];
    pkm_elimination lu, mass;
    if (!T) return pkm_out_of_memory(err);
    pkm_status status = factor(b, PKM_GIVEN_DRIVES, &lu, err);
    if (status == PKM_OK) {
        status = reduce(b, &lu, T, M, left, err);
        pkm_elimination_free(&lu);
    }
    free(T);
    if (status != PKM_OK) return status;
    pkm_graph_note(&b->graph, "accelerations of the drives");
    for (int d = 0; d < n; ++d)
        unit[d] = 1.0;
    // M a = left: positive definite, so that any order of pivots holds
    PKM_TRY(pkm_eliminate(&b->graph, n, n, M, unit, unit, &mass, err));
    status = pkm_elimination_solve(&mass, left, a, err);
    pkm_elimination_free(&mass);
    for (int d = 0; status == PKM_OK && d < n; ++d)
        put(b, "acc", d, a[d]);
    return status;
}

// ---- a function -------------------------------------------------------------------------------

static const pkm_code_facts FACTS[PKM_N_PIECE] = {
    [PKM_PIECE_TOOL_PASS] =
        {"tool_pass",
         "const double* q, const double* p, const double* R, double* next, double* step",
         "A pass of Newton's method towards the tool pose p, R.",
         {"q", "p", "R"}},
    [PKM_PIECE_DRIVE_PASS] = {"drive_pass",
                              "const double* q, const double* drive, double* next, double* step",
                              "A pass of Newton's method towards the drive positions.",
                              {"q", "drive"}},
    [PKM_PIECE_POSE] = {"place",
                        "const double* q, double* drive, double* p, double* R",
                        "Drive positions and tool pose.",
                        {"q", "p", "R"}},
    [PKM_PIECE_INVERSE_TOOL] =
        {"forces_from_tool",
         "const double* q, const double* twist, const double* twist_rate, const double* wrench,\n"
         "    double* drive, double* rate, double* acc, double* force",
         "Drive forces, and what the drives do, from the tool's motion.",
         {"q", "twist", "twist_rate", "wrench"}},
    [PKM_PIECE_INVERSE_DRIVES] =
        {"forces_from_drives",
         "const double* q, const double* rate, const double* acc, const double* wrench, double* "
         "force",
         "Drive forces from the drives' motion.",
         {"q", "rate", "acc", "wrench"}},
    [PKM_PIECE_FORWARD] = {"accelerations",
                           "const double* q, const double* rate, const double* force, const "
                           "double* wrench,\n    double* acc",
                           "Accelerations of the drives from their forces.",
                           {"q", "rate", "force", "wrench"}},
    [PKM_PIECE_JACOBIAN] = {"tool_jacobian",
                            "const double* q, double* J",
                            "Tool twist per drive rate, by rows.",
                            {"q"}},
};

static pkm_status build(builder* b, pkm_code_piece piece, pkm_error* err)
{
    switch (piece) {
    case PKM_PIECE_TOOL_PASS:
        return build_pass(b, PKM_GIVEN_TOOL, err);
    case PKM_PIECE_DRIVE_PASS:
        return build_pass(b, PKM_GIVEN_DRIVES, err);
    case PKM_PIECE_POSE:
        return build_pose(b, err);
    case PKM_PIECE_INVERSE_TOOL:
        return build_inverse_tool(b, err);
    case PKM_PIECE_INVERSE_DRIVES:
        return build_inverse_drives(b, err);
    case PKM_PIECE_FORWARD:
        return build_forward(b, err);
    case PKM_PIECE_JACOBIAN:
        return build_jacobian(b, err);
    case PKM_N_PIECE:
        break;
    }
    return PKM_OK;
}

static void free_builder(builder* b)
{
    pkm_graph_free(&b->graph);
    pkm_tree_free(&b->tree);
    free(b->x);
    free(b->A);
    free(b->rhs);
    free(b->row_unit);
    free(b->output);
}

static pkm_status create_builder(builder* b, const pkm_code* code, pkm_error* err)
{
    const pkm_mechanism* mech = code->mech;
    const size_t n = (size_t)mech->n_q + 1, m = (size_t)mech->n_row + 1;
    *b = (builder){.code = code, .mech = mech};
    PKM_TRY(pkm_graph_create(&b->graph, err));
    const pkm_status status =
        pkm_tree_create(&b->graph, mech, code->robot->state->mass, &b->tree, err);
    if (status != PKM_OK) return status;
    // a pass has n_q + n_v; of each drive a Jacobian has 6, inverse dynamics 4; a pose 12 more
    b->n_output_max = mech->n_q + mech->n_v + 12 * PKM_MAX_DRIVE + 16;
    // n_q is at least n_v: x takes coordinates too
    b->x = calloc(4 * n, sizeof *b->x);
    b->A = calloc(m * n, sizeof *b->A);
    b->rhs = calloc(m, sizeof *b->rhs);
    b->row_unit = calloc(m, sizeof *b->row_unit);
    b->output = calloc((size_t)b->n_output_max, sizeof *b->output);
    if (!b->x || !b->A || !b->rhs || !b->row_unit || !b->output) return pkm_out_of_memory(err);
    b->y = b->x + n;
    b->z = b->y + n;
    b->w = b->z + n;
    inputs(b, PKM_IN_Q, mech->n_q, b->tree.q);
    inputs(b, PKM_IN_DRIVE, mech->n_drive, b->drive);
    b->tool = (pkm_sym_tool){pkm_code_input_vec3(b->code->sample, &b->graph, PKM_IN_P, 0),
                             pkm_code_input_axes(b->code->sample, &b->graph)};
    return PKM_OK;
}

pkm_status pkm_code_piece_build(const pkm_code* code, pkm_code_piece piece, pkm_code_program* out,
                                pkm_error* err)
{
    builder b;
    *out = (pkm_code_program){0};
    pkm_status status = create_builder(&b, code, err);
    if (status == PKM_OK) {
        // every piece begins with the poses: the graph drops what it does not use
        pkm_tree_positions(&b.tree);
        status = build(&b, piece, err);
    }
    if (status == PKM_OK && b.graph.failed)
        status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory: the code of %s is too large",
                          FACTS[piece].name);
    if (status == PKM_OK) {
        *out = (pkm_code_program){.graph = b.graph, .output = b.output, .n_output = b.n_output};
        // handed over: what is freed below is empty
        b.graph = (pkm_graph){0};
        b.output = NULL;
    }
    free_builder(&b);
    return status;
}

pkm_status pkm_code_piece_write(const pkm_code* code, pkm_code_piece piece, pkm_stream* to,
                                pkm_graph_count* count, pkm_error* err)
{
    pkm_code_program program;
    PKM_TRY(pkm_code_piece_build(code, piece, &program, err));
    const pkm_status status = pkm_code_program_print(&program, &FACTS[piece], to, count, err);
    pkm_code_program_free(&program);
    return status;
}
