// Hash-consing: a node is looked up by operation and operands before it is made. Signs are drawn
// outwards and multiples of known nodes are recognised, so that common terms meet.
#include "generate/graph.h"

#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- memory -----------------------------------------------------------------------------------

static bool grow_nodes(pkm_graph* graph)
{
    const int capacity = graph->capacity ? 2 * graph->capacity : 4096;
    pkm_graph_node* node = realloc(graph->node, (size_t)capacity * sizeof *node);
    if (!node) return false;
    graph->node = node;
    graph->capacity = capacity;
    return true;
}

/// Multipliers of golden ratio and splitmix64: neighbouring indices must not share slots.
static uint64_t hash_of(const pkm_graph_node* node)
{
    uint64_t bits;
    memcpy(&bits, &node->constant, sizeof bits);
    uint64_t h = (uint64_t)node->op * 0x9e3779b97f4a7c15u ^ bits;
    h = (h ^ (uint64_t)(uint32_t)node->a) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (uint64_t)(uint32_t)node->b << 20) * 0x94d049bb133111ebu;
    return h ^ h >> 29;
}

/// By bytes, so that a constant that is no number equals itself.
static bool is_same(const pkm_graph_node* x, const pkm_graph_node* y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b &&
           memcmp(&x->constant, &y->constant, sizeof x->constant) == 0;
}

/// Where `node` is in the hash, or the free slot for it.
static int find_slot(const pkm_graph* graph, const pkm_graph_node* node)
{
    // linear probing; the table is at most half full
    int k = (int)(hash_of(node) & (uint64_t)(graph->n_slot - 1));
    while (graph->slot[k] >= 0 && !is_same(&graph->node[graph->slot[k]], node))
        k = (k + 1) & (graph->n_slot - 1);
    return k;
}

// ---- multiples --------------------------------------------------------------------------------

// Two expressions whose values at all samples have one ratio are multiples of each other: the
// samples are eight, half of them random. Nodes are found by the direction of their values,
// value / |value|, with the last component positive, whose rounded digits are the key.

enum { DIRECTION_DIGITS = 100000000 };
static const double SAME_DIRECTION = 1e-11;

/// |value|, with the sign of the last sample; 0 where that sample tells nothing.
static double signed_norm(const double* value)
{
    double sum = 0.0;
    for (int s = 0; s < PKM_SAMPLES; ++s)
        sum += value[s] * value[s];
    // a last sample near zero would leave the sign to rounding
    const double norm = sqrt(sum), last = value[PKM_SAMPLES - 1];
    if (!(norm > 1e-200 && norm < 1e200) || fabs(last) < 1e-6 * norm) return 0.0;
    return last > 0.0 ? norm : -norm;
}

static int place_of(const pkm_graph* graph, long long key)
{
    uint64_t h = (uint64_t)key * 0x9e3779b97f4a7c15u;
    h ^= h >> 31;
    return (int)(h & (uint64_t)(graph->n_slot - 1));
}

static long long direction_key(const double* value, double norm)
{
    return llround(value[PKM_SAMPLES - 1] / norm * DIRECTION_DIGITS);
}

static bool is_parallel(const double* a, double norm_a, const double* b, double norm_b)
{
    for (int s = 0; s < PKM_SAMPLES; ++s)
        if (!(fabs(a[s] / norm_a - b[s] / norm_b) <= SAME_DIRECTION)) return false;
    return true;
}

/// A node of which `value` is a multiple, and the factor; -1: there is none.
static int find_multiple(const pkm_graph* graph, const double* value, double* factor)
{
    const double norm = signed_norm(value);
    if (norm == 0.0) return -1;
    const long long key = direction_key(value, norm);
    // rounding may put a direction next door
    for (long long near = key - 1; near <= key + 1; ++near) {
        for (int k = place_of(graph, near); graph->place[k] >= 0;
             k = (k + 1) & (graph->n_slot - 1)) {
            // equal keys are a hint only: all samples decide
            const double* other = graph->node[graph->place[k]].value;
            const double other_norm = signed_norm(other);
            if (!is_parallel(value, norm, other, other_norm)) continue;
            *factor = norm / other_norm;
            if (fabs(fabs(*factor) - 1.0) < 1e-12) *factor = *factor > 0.0 ? 1.0 : -1.0;
            return graph->place[k];
        }
    }
    return -1;
}

/// Remember the direction of node `i`.
static void put_direction(pkm_graph* graph, int i)
{
    const double* value = graph->node[i].value;
    const double norm = signed_norm(value);
    int k = place_of(graph, direction_key(value, norm));
    while (graph->place[k] >= 0)
        k = (k + 1) & (graph->n_slot - 1);
    graph->place[k] = i;
}

/// Both tables anew with twice the room: nodes keep their numbers, their slots change.
static bool grow_slots(pkm_graph* graph)
{
    const int n = graph->n_slot ? 2 * graph->n_slot : 16384;
    int* slot = malloc((size_t)n * sizeof *slot);
    int* place = malloc((size_t)n * sizeof *place);
    if (!slot || !place) {
        free(slot);
        free(place);
        return false;
    }
    free(graph->slot);
    free(graph->place);
    graph->slot = slot;
    graph->place = place;
    graph->n_slot = n;
    for (int k = 0; k < n; ++k)
        slot[k] = place[k] = -1;
    for (int i = 0; i < graph->n; ++i) {
        slot[find_slot(graph, &graph->node[i])] = i;
        if (graph->node[i].leads) put_direction(graph, i);
    }
    return true;
}

pkm_status pkm_graph_create(pkm_graph* graph, pkm_error* err)
{
    *graph = (pkm_graph){0};
    if (!grow_slots(graph) || !grow_nodes(graph)) {
        pkm_graph_free(graph);
        return pkm_out_of_memory(err);
    }
    pkm_graph_note(graph, "%s", "");
    // the nodes 0 and 1, which all code relies on
    (void)pkm_graph_number(graph, 0.0);
    (void)pkm_graph_number(graph, 1.0);
    return graph->failed ? pkm_out_of_memory(err) : PKM_OK;
}

void pkm_graph_free(pkm_graph* graph)
{
    free(graph->node);
    free(graph->slot);
    free(graph->place);
    free(graph->note);
    *graph = (pkm_graph){0};
}

void pkm_graph_tame(char* text)
{
    for (; *text; ++text) {
        if ((unsigned char)*text < ' ' || *text == 127 || *text == '\\') *text = ' ';
        if (*text == '*' || *text == '/') *text = '.';
    }
}

void pkm_graph_note(pkm_graph* graph, const char* format, ...)
{
    if (graph->n_note == graph->note_capacity) {
        const int capacity = graph->note_capacity ? 2 * graph->note_capacity : 64;
        void* note = realloc(graph->note, (size_t)capacity * sizeof *graph->note);
        if (!note) {
            graph->failed = true;
            return;
        }
        graph->note = note;
        graph->note_capacity = capacity;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(graph->note[graph->n_note], sizeof *graph->note, format, args);
    pkm_graph_tame(graph->note[graph->n_note++]);
    va_end(args);
}

/// The node that equals `wanted`: the one that is there, or a new one.
static pkm_node intern(pkm_graph* graph, pkm_graph_node wanted)
{
    if (graph->failed) return 0;
    const int k = find_slot(graph, &wanted);
    if (graph->slot[k] >= 0) return graph->slot[k];
    if ((graph->n == graph->capacity && !grow_nodes(graph)) || graph->n == PKM_GRAPH_MAX_NODE) {
        graph->failed = true;
        return 0;
    }
    double factor;
    // only the first of all multiples is kept by its direction, so that chains have length one
    wanted.note = graph->n_note - 1;
    wanted.leads =
        signed_norm(wanted.value) != 0.0 && find_multiple(graph, wanted.value, &factor) < 0;
    graph->node[graph->n] = wanted;
    graph->slot[k] = graph->n++;
    if (wanted.leads) put_direction(graph, graph->n - 1);
    if (2 * graph->n > graph->n_slot && !grow_slots(graph)) graph->failed = true;
    return graph->n - 1;
}

// ---- leaves -----------------------------------------------------------------------------------

pkm_node pkm_graph_number(pkm_graph* graph, double value)
{
    // -0 is 0: one node, and nothing tells them apart later
    pkm_graph_node node = {.op = PKM_OP_CONSTANT, .constant = value == 0.0 ? 0.0 : value};
    for (int s = 0; s < PKM_SAMPLES; ++s)
        node.value[s] = node.constant;
    return intern(graph, node);
}

pkm_node pkm_graph_input(pkm_graph* graph, int array, int index, const double* value)
{
    pkm_graph_node node = {.op = PKM_OP_INPUT, .a = array, .b = index};
    memcpy(node.value, value, sizeof node.value);
    return intern(graph, node);
}

static bool is_constant(const pkm_graph* graph, pkm_node a)
{
    return graph->node[a].op == PKM_OP_CONSTANT;
}

static bool is_number(const pkm_graph* graph, pkm_node a, double value)
{
    return is_constant(graph, a) && graph->node[a].constant == value;
}

static bool is_negated(const pkm_graph* graph, pkm_node a)
{
    return graph->node[a].op == PKM_OP_NEGATE;
}

// ---- operations -------------------------------------------------------------------------------

static double evaluate(pkm_op op, double a, double b)
{
    switch (op) {
    case PKM_OP_ADD:
        return a + b;
    case PKM_OP_SUBTRACT:
        return a - b;
    case PKM_OP_MULTIPLY:
        return a * b;
    case PKM_OP_DIVIDE:
        return a / b;
    case PKM_OP_ARCTANGENT:
        return atan2(a, b);
    case PKM_OP_NEGATE:
        return -a;
    case PKM_OP_SINE:
        return sin(a);
    case PKM_OP_COSINE:
        return cos(a);
    case PKM_OP_ROOT:
        return sqrt(a);
    case PKM_OP_CONSTANT:
    case PKM_OP_INPUT:
    case PKM_N_OP:
        break;
    }
    return NAN;
}

/// Does a sum vanish at all samples, up to rounding of its terms?
static bool vanishes(const pkm_graph* graph, const pkm_graph_node* sum)
{
    const double* a = graph->node[sum->a].value;
    const double* b = graph->node[sum->b].value;
    for (int s = 0; s < PKM_SAMPLES; ++s)
        if (!(fabs(sum->value[s]) <= 1e-13 * (fabs(a[s]) + fabs(b[s])))) return false;
    return true;
}

static pkm_node operate(pkm_graph* graph, pkm_op op, pkm_node a, pkm_node b)
{
    // constants are computed now
    const bool is_unary = op >= PKM_OP_NEGATE;
    const pkm_graph_node *x = &graph->node[a], *y = &graph->node[b];
    if (is_constant(graph, a) && (is_unary || is_constant(graph, b)))
        return pkm_graph_number(graph, evaluate(op, x->constant, y->constant));
    pkm_graph_node node = {.op = op, .a = a, .b = is_unary ? 0 : b};
    for (int s = 0; s < PKM_SAMPLES; ++s)
        node.value[s] = evaluate(op, x->value[s], y->value[s]);
    // sums and products are looked for among multiples of what stands: (a + b) and (2 a + 2 b) are
    // one sum then. A product with a number is a multiple by itself; sines, roots and quotients are
    // new.
    const bool is_sum = op == PKM_OP_ADD || op == PKM_OP_SUBTRACT;
    if (is_sum && vanishes(graph, &node)) return 0;
    const bool scales = is_constant(graph, a) || is_constant(graph, b);
    if (!is_sum && (scales || op != PKM_OP_MULTIPLY)) return intern(graph, node);
    double factor;
    const int other = find_multiple(graph, node.value, &factor);
    if (other < 0) return intern(graph, node);
    if (factor == -1.0) return operate(graph, PKM_OP_NEGATE, other, 0);
    return pkm_graph_multiply(graph, pkm_graph_number(graph, factor), other);
}

/// a + b and b + a are one node.
static void sort(pkm_node* a, pkm_node* b)
{
    if (*a <= *b) return;
    const pkm_node c = *a;
    *a = *b;
    *b = c;
}

/// Signs are drawn outwards through sums and products, where they meet and cancel.
pkm_node pkm_graph_negate(pkm_graph* graph, pkm_node a)
{
    const pkm_graph_node* x = &graph->node[a];
    if (is_negated(graph, a)) return x->a;
    return operate(graph, PKM_OP_NEGATE, a, 0);
}

pkm_node pkm_graph_add(pkm_graph* graph, pkm_node a, pkm_node b)
{
    if (is_number(graph, a, 0.0)) return b;
    if (is_number(graph, b, 0.0)) return a;
    if (is_negated(graph, b)) return pkm_graph_subtract(graph, a, graph->node[b].a);
    if (is_negated(graph, a)) return pkm_graph_subtract(graph, b, graph->node[a].a);
    sort(&a, &b);
    return operate(graph, PKM_OP_ADD, a, b);
}

pkm_node pkm_graph_subtract(pkm_graph* graph, pkm_node a, pkm_node b)
{
    if (a == b) return 0;
    if (is_number(graph, b, 0.0)) return a;
    if (is_number(graph, a, 0.0)) return pkm_graph_negate(graph, b);
    if (is_negated(graph, b)) return pkm_graph_add(graph, a, graph->node[b].a);
    if (is_negated(graph, a))
        return pkm_graph_negate(graph, pkm_graph_add(graph, graph->node[a].a, b));
    return operate(graph, PKM_OP_SUBTRACT, a, b);
}

pkm_node pkm_graph_multiply(pkm_graph* graph, pkm_node a, pkm_node b)
{
    if (is_number(graph, a, 0.0) || is_number(graph, b, 0.0)) return 0;
    if (is_number(graph, a, 1.0)) return b;
    if (is_number(graph, b, 1.0)) return a;
    if (is_number(graph, a, -1.0)) return pkm_graph_negate(graph, b);
    if (is_number(graph, b, -1.0)) return pkm_graph_negate(graph, a);
    const bool minus = is_negated(graph, a) != is_negated(graph, b);
    if (is_negated(graph, a)) a = graph->node[a].a;
    if (is_negated(graph, b)) b = graph->node[b].a;
    sort(&a, &b);
    const pkm_node product = operate(graph, PKM_OP_MULTIPLY, a, b);
    return minus ? pkm_graph_negate(graph, product) : product;
}

pkm_node pkm_graph_divide(pkm_graph* graph, pkm_node a, pkm_node b)
{
    if (is_number(graph, a, 0.0)) return 0;
    if (is_number(graph, b, 1.0)) return a;
    if (is_constant(graph, b))
        // one multiplication instead of a division
        return pkm_graph_multiply(graph, a, pkm_graph_number(graph, 1.0 / graph->node[b].constant));
    const bool minus = is_negated(graph, a) != is_negated(graph, b);
    if (is_negated(graph, a)) a = graph->node[a].a;
    if (is_negated(graph, b)) b = graph->node[b].a;
    const pkm_node ratio = operate(graph, PKM_OP_DIVIDE, a, b);
    return minus ? pkm_graph_negate(graph, ratio) : ratio;
}

pkm_node pkm_graph_sine(pkm_graph* graph, pkm_node a)
{
    return operate(graph, PKM_OP_SINE, a, 0);
}

pkm_node pkm_graph_cosine(pkm_graph* graph, pkm_node a)
{
    return operate(graph, PKM_OP_COSINE, a, 0);
}

pkm_node pkm_graph_root(pkm_graph* graph, pkm_node a)
{
    return operate(graph, PKM_OP_ROOT, a, 0);
}

pkm_node pkm_graph_arctangent(pkm_graph* graph, pkm_node y, pkm_node x)
{
    return operate(graph, PKM_OP_ARCTANGENT, y, x);
}

void pkm_graph_evaluate(const pkm_graph* graph, const double* const* input, double* value)
{
    for (int i = 0; i < graph->n; ++i) {
        const pkm_graph_node* node = &graph->node[i];
        if (node->op == PKM_OP_CONSTANT)
            value[i] = node->constant;
        else if (node->op == PKM_OP_INPUT)
            value[i] = input[node->a] ? input[node->a][node->b] : 0.0;
        else
            value[i] = evaluate(node->op, value[node->a], value[node->b]);
    }
}
