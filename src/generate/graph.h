/// Expressions as a graph: every operation stands once, constants are folded, zeros vanish. From it
/// straight-line code is printed.
///
/// Each node also carries its values at a few sample points. They decide what is zero (a sum that
/// vanishes at all of them, some with random coordinates, vanishes identically), what is a multiple
/// of what stands already, and which pivots are safe (elimination.h).
#ifndef PKM_GENERATE_GRAPH_H
#define PKM_GENERATE_GRAPH_H

#include "pkm/status.h"

#include <stdbool.h>

enum {
    PKM_SAMPLES = 8,        ///< points at which every node has a value
    PKM_SAMPLES_CLOSED = 4, ///< the first so many are positions in which the loops are closed; the
                            ///< others are random
    PKM_GRAPH_MAX_NODE = 1 << 22,
};

typedef int pkm_node; ///< 0 is the number 0, 1 the number 1

typedef enum pkm_op {
    PKM_OP_CONSTANT,
    PKM_OP_INPUT, ///< element b of array a
    PKM_OP_ADD,
    PKM_OP_SUBTRACT,
    PKM_OP_MULTIPLY,
    PKM_OP_DIVIDE,
    PKM_OP_ARCTANGENT, ///< atan2(a, b)
    PKM_OP_NEGATE,
    PKM_OP_SINE,
    PKM_OP_COSINE,
    PKM_OP_ROOT,
    PKM_N_OP,
} pkm_op;

typedef struct pkm_graph_node {
    pkm_op op;
    pkm_node a, b;
    double constant;
    int note;   ///< which paragraph it belongs to
    bool leads; ///< the first of all nodes that are multiples of it
    double value[PKM_SAMPLES];
} pkm_graph_node;

typedef struct pkm_graph {
    int n, capacity;
    pkm_graph_node* node;
    int n_slot; ///< a power of two
    int* slot;  ///< open hash of the nodes, -1: free
    int* place; ///< the same by the directions of their values, see graph.c
    int n_note, note_capacity;
    char (*note)[96]; ///< comments of the paragraphs; the last one is the present
    bool failed;      ///< memory is out, or the graph too large: what is built is worthless
} pkm_graph;

/// An empty graph with the numbers 0 and 1. @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_graph_create(pkm_graph* graph, pkm_error* err);
void pkm_graph_free(pkm_graph* graph);

/// What follows belongs to a new paragraph with this comment.
void pkm_graph_note(pkm_graph* graph, const char* format, ...) PKM_PRINTF(2, 3);

/// Make a text harmless inside a comment of C: no end of it, no control characters.
void pkm_graph_tame(char* text);

pkm_node pkm_graph_number(pkm_graph* graph, double value);
/// Element `index` of the input array `array`, with its values at the samples.
pkm_node pkm_graph_input(pkm_graph* graph, int array, int index, const double* value);
pkm_node pkm_graph_add(pkm_graph* graph, pkm_node a, pkm_node b);
pkm_node pkm_graph_subtract(pkm_graph* graph, pkm_node a, pkm_node b);
pkm_node pkm_graph_multiply(pkm_graph* graph, pkm_node a, pkm_node b);
pkm_node pkm_graph_divide(pkm_graph* graph, pkm_node a, pkm_node b);
pkm_node pkm_graph_negate(pkm_graph* graph, pkm_node a);
pkm_node pkm_graph_sine(pkm_graph* graph, pkm_node a);
pkm_node pkm_graph_cosine(pkm_graph* graph, pkm_node a);
pkm_node pkm_graph_root(pkm_graph* graph, pkm_node a);
/// The angle of the point (x, y), as atan2(y, x).
pkm_node pkm_graph_arctangent(pkm_graph* graph, pkm_node y, pkm_node x);

/// How many operations of each kind the outputs need.
typedef struct pkm_graph_count {
    int add, multiply, divide, root, trigonometric;
} pkm_graph_count;

/// Compute all nodes, value[n], with these input arrays.
void pkm_graph_evaluate(const pkm_graph* graph, const double* const* input, double* value);

/// A straight-line program: what it writes where.
typedef struct pkm_graph_output {
    const char* array; ///< name of the array in the code
    int index;
    pkm_node node;
} pkm_graph_output;

/// The operations that `output` needs.
PKM_NODISCARD pkm_status pkm_graph_count_operations(const pkm_graph* graph,
                                                    const pkm_graph_output* output, int n,
                                                    pkm_graph_count* count, pkm_error* err);

struct pkm_stream;

/// Print the statements that compute `output`, with the comments of their paragraphs; `array` names
/// the input arrays.
PKM_NODISCARD pkm_status pkm_graph_print(const pkm_graph* graph, struct pkm_stream* to,
                                         const char* const* array, const pkm_graph_output* output,
                                         int n, pkm_error* err);

/// The same as formulas of LaTeX, one to a line; indices count from 1.
PKM_NODISCARD pkm_status pkm_graph_print_latex(const pkm_graph* graph, struct pkm_stream* to,
                                               const char* const* array,
                                               const pkm_graph_output* output, int n,
                                               pkm_error* err);

#endif
