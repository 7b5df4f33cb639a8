// Names and sizes of what goes into a function and comes out of it.
#include "base/error.h"
#include "generate/code_impl.h"

#include <stdlib.h>

// What goes into a piece of code, with its values at the samples, and how a piece is printed.

static const char* const ARRAY[PKM_N_IN] = {"q",   "p",     "R",     "drive",      "rate",
                                            "acc", "force", "twist", "twist_rate", "wrench"};

static double mat_part(pkm_mat3 m, int k)
{
    const pkm_vec3 column = k % 3 == 0 ? m.x : k % 3 == 1 ? m.y : m.z;
    return pkm_vec3_part(column, k / 3);
}

/// The value of an input at a sample; matrices are by rows.
static double input_value(const pkm_code_instant* at, int array, int k)
{
    const pkm_instant* now = &at->now;
    switch (array) {
    case PKM_IN_Q:
        return at->q[k];
    case PKM_IN_P:
        return pkm_vec3_part(now->tool.pose.p, k);
    case PKM_IN_R:
        return mat_part(pkm_mat3_from_quat(now->tool.pose.q), k);
    case PKM_IN_DRIVE:
        return now->q[k];
    case PKM_IN_RATE:
        return now->v[k];
    case PKM_IN_ACC:
        return now->a[k];
    case PKM_IN_FORCE:
        return now->force[k];
    case PKM_IN_TWIST:
        return pkm_vec3_part(k < 3 ? now->tool.v : now->tool.w, k % 3);
    case PKM_IN_TWIST_RATE:
        return pkm_vec3_part(k < 3 ? now->tool.a : now->tool.alpha, k % 3);
    default:
        return pkm_vec3_part(k < 3 ? now->tool_force : now->tool_torque, k % 3);
    }
}

pkm_node pkm_code_input(const pkm_code_instant* sample, pkm_graph* graph, int array, int k)
{
    double value[PKM_SAMPLES];
    for (int s = 0; s < PKM_SAMPLES; ++s)
        value[s] = input_value(&sample[s], array, k);
    return pkm_graph_input(graph, array, k, value);
}

pkm_sym_vec3 pkm_code_input_vec3(const pkm_code_instant* sample, pkm_graph* graph, int array,
                                 int at)
{
    return (pkm_sym_vec3){pkm_code_input(sample, graph, array, at),
                          pkm_code_input(sample, graph, array, at + 1),
                          pkm_code_input(sample, graph, array, at + 2)};
}

pkm_sym_mat3 pkm_code_input_axes(const pkm_code_instant* sample, pkm_graph* graph)
{
    const pkm_sym_vec3 r[3] = {pkm_code_input_vec3(sample, graph, PKM_IN_R, 0),
                               pkm_code_input_vec3(sample, graph, PKM_IN_R, 3),
                               pkm_code_input_vec3(sample, graph, PKM_IN_R, 6)};
    return (pkm_sym_mat3){
        {r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}};
}

pkm_status pkm_code_program_print(const pkm_code_program* program, const pkm_code_facts* facts,
                                  pkm_stream* to, pkm_graph_count* count, pkm_error* err)
{
    const pkm_graph* graph = &program->graph;
    PKM_TRY(pkm_graph_count_operations(graph, program->output, program->n_output, count, err));
    pkm_stream_format(
        to,
        "/* %s\n   %d sums, %d products, %d quotients, %d roots, %d trigonometric functions. */\n",
        facts->comment, count->add, count->multiply, count->divide, count->root,
        count->trigonometric);
    pkm_stream_format(to, "static void %s(%s)\n{\n", facts->name, facts->arguments);
    for (int k = 0; k < PKM_N_IN && facts->array[k]; ++k)
        pkm_stream_format(to, "    (void)%s;\n", facts->array[k]);
    PKM_TRY(pkm_graph_print(graph, to, ARRAY, program->output, program->n_output, err));
    pkm_stream_text(to, "}\n\n");
    return PKM_OK;
}

void pkm_code_program_free(pkm_code_program* program)
{
    pkm_graph_free(&program->graph);
    free(program->output);
    *program = (pkm_code_program){0};
}
