// Nodes used once are printed where they are used, others become variables in the order of their
// needs.
#include "base/error.h"
#include "generate/graph.h"
#include "write/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An operation that is used once is written where it is used, as long as the line stays readable;
// all others get a variable t<index>. Statements follow the order in which the graph was built,
// which is that of the theory.

enum { INLINE_LENGTH = 64, LINE_LENGTH = 512 };

/// How a language writes what.
typedef struct style {
    const char *sign[PKM_N_OP], *behind[PKM_N_OP]; ///< between two operands; behind the second
    const char *before[PKM_N_OP], *call[PKM_N_OP]; ///< before the first; of one operand
    const char *call_end, *index, *variable;       ///< formats of an element and of a variable
    int first;                                     ///< index of an array's first element
    const char *power, *power_end;                 ///< of ten; NULL: as the digits have it
    const char *note, *note_end;                   ///< a paragraph
    const char *set, *set_end;                     ///< a statement
    int digits;                                    ///< of a number; 0: all that it has
    bool is_fraction;                              ///< quotients need no parentheses
} style;

static const style C99 = {
    .sign = {[PKM_OP_ADD] = " + ",
             [PKM_OP_SUBTRACT] = " - ",
             [PKM_OP_MULTIPLY] = " * ",
             [PKM_OP_DIVIDE] = " / ",
             [PKM_OP_ARCTANGENT] = ", "},
    .before = {[PKM_OP_ARCTANGENT] = "atan2("},
    .behind = {[PKM_OP_ARCTANGENT] = ")"},
    .call = {[PKM_OP_SINE] = "sin(", [PKM_OP_COSINE] = "cos(", [PKM_OP_ROOT] = "sqrt("},
    .call_end = ")",
    .index = "%s[%d]",
    .variable = "t%d",
    .note = "\n    /* %s */\n",
    .set = "    const double %s = ",
    .set_end = ";\n",
};

static const style LATEX = {
    .sign = {[PKM_OP_ADD] = " + ",
             [PKM_OP_SUBTRACT] = " - ",
             [PKM_OP_MULTIPLY] = " \\cdot ",
             [PKM_OP_DIVIDE] = "}{",
             [PKM_OP_ARCTANGENT] = ", "},
    .before = {[PKM_OP_DIVIDE] = "\\dfrac{", [PKM_OP_ARCTANGENT] = "\\operatorname{atan2}("},
    .behind = {[PKM_OP_DIVIDE] = "}", [PKM_OP_ARCTANGENT] = ")"},
    .call = {[PKM_OP_SINE] = "\\sin{(", [PKM_OP_COSINE] = "\\cos{(", [PKM_OP_ROOT] = "\\sqrt{("},
    .call_end = ")}",
    .index = "%s_{%d}",
    .variable = "t_{%d}",
    .first = 1,
    .power = " \\cdot 10^{",
    .power_end = "}",
    .note = "\\paragraph{%s}\\leavevmode\\\\\n",
    .set = "$%s = ",
    .set_end = "$\\\\\n",
    .digits = 12,
    .is_fraction = true,
};

typedef struct printer {
    const pkm_graph* graph;
    pkm_stream* to;
    const style* style;
    const char* const* array;
    int* uses;    ///< [n] of every node by the outputs
    int* number;  ///< [n] of the variables, in the order in which they stand
    char** text;  ///< [n] of nodes that are written where they are used
    int n_failed; ///< texts for which there was no memory
} printer;

static bool has_two(pkm_op op)
{
    return op >= PKM_OP_ADD && op <= PKM_OP_ARCTANGENT;
}

static bool has_one(pkm_op op)
{
    return op >= PKM_OP_NEGATE;
}

/// Count the uses of all nodes from the outputs down; operands stand before their operations.
static void count_uses(const pkm_graph* graph, const pkm_graph_output* output, int n, int* uses)
{
    for (int k = 0; k < n; ++k)
        ++uses[output[k].node];
    for (int i = graph->n - 1; i >= 0; --i) {
        const pkm_graph_node* node = &graph->node[i];
        if (uses[i] == 0) continue;
        if (has_two(node->op) || has_one(node->op)) ++uses[node->a];
        if (has_two(node->op)) ++uses[node->b];
    }
}

pkm_status pkm_graph_count_operations(const pkm_graph* graph, const pkm_graph_output* output, int n,
                                      pkm_graph_count* count, pkm_error* err)
{
    int* uses = calloc((size_t)graph->n, sizeof *uses);
    if (!uses) return pkm_out_of_memory(err);
    count_uses(graph, output, n, uses);
    *count = (pkm_graph_count){0};
    for (int i = 0; i < graph->n; ++i) {
        const pkm_op op = graph->node[i].op;
        if (uses[i] == 0) continue;
        count->add += op == PKM_OP_ADD || op == PKM_OP_SUBTRACT;
        count->multiply += op == PKM_OP_MULTIPLY;
        count->divide += op == PKM_OP_DIVIDE;
        count->root += op == PKM_OP_ROOT;
        count->trigonometric += op == PKM_OP_SINE || op == PKM_OP_COSINE || op == PKM_OP_ARCTANGENT;
    }
    free(uses);
    return PKM_OK;
}

/// A number with a point or an exponent; a negative one in parentheses, and one with a power of
/// ten.
static void number_text(const style* s, double value, char* out, size_t size)
{
    char digits[40];
    for (int precision = s->digits > 0 ? s->digits : 15; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (s->digits > 0 || strtod(digits, NULL) == value) break;
    }
    const char* point = s->digits > 0 || strpbrk(digits, ".en") ? "" : ".0";
    char* e = s->power ? strchr(digits, 'e') : NULL;
    if (e) {
        const int power = (int)strtol(e + 1, NULL, 10);
        *e = '\0';
        snprintf(out, size, "(%s%s%d%s)", digits, s->power, power, s->power_end);
    } else {
        snprintf(out, size, value < 0.0 ? "(%s%s)" : "%s%s", digits, point);
    }
}

// formats that are not literals are those of the two styles above
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void index_text(const style* s, const char* array, int index, char* out, size_t size)
{
    snprintf(out, size, s->index, array, index + s->first);
}

static void variable_text(const style* s, int number, char* out, size_t size)
{
    snprintf(out, size, s->variable, number);
}

static void print_note(const printer* p, const char* text)
{
    pkm_stream_format(p->to, p->style->note, text);
}

static void print_set(const printer* p, const char* name, const char* line)
{
    pkm_stream_format(p->to, p->style->set, name);
    pkm_stream_format(p->to, "%.480s%s", line, p->style->set_end);
}
#pragma GCC diagnostic pop

/// How `i` is called where it is used.
static void name_of(const printer* p, pkm_node i, char* out, size_t size)
{
    const pkm_graph_node* node = &p->graph->node[i];
    if (node->op == PKM_OP_CONSTANT)
        number_text(p->style, node->constant, out, size);
    else if (node->op == PKM_OP_INPUT)
        index_text(p->style, p->array[node->a], node->b, out, size);
    else if (p->text[i])
        snprintf(out, size, "%s", p->text[i]);
    else
        variable_text(p->style, p->number[i], out, size);
}

static bool is_number(const printer* p, pkm_node i)
{
    return p->graph->node[i].op == PKM_OP_CONSTANT;
}

/// The same as an operand of `op`: sums in parentheses where they would bind too weakly.
static void operand(const printer* p, pkm_op op, bool is_right, pkm_node i, char* out, size_t size)
{
    const pkm_op inner = p->text[i] ? p->graph->node[i].op : PKM_OP_CONSTANT;
    const bool is_sum = inner == PKM_OP_ADD || inner == PKM_OP_SUBTRACT || inner == PKM_OP_NEGATE;
    const bool is_product = inner == PKM_OP_MULTIPLY || inner == PKM_OP_DIVIDE;
    const bool is_apart = (p->style->is_fraction && op == PKM_OP_DIVIDE) || op == PKM_OP_ARCTANGENT;
    const bool weak =
        !is_apart && ((is_sum && (op != PKM_OP_ADD || inner == PKM_OP_NEGATE) &&
                       !(op == PKM_OP_SUBTRACT && !is_right && inner != PKM_OP_NEGATE)) ||
                      (is_product && op == PKM_OP_DIVIDE && is_right) ||
                      (is_sum && is_right && op == PKM_OP_ADD) ||
                      (is_product && is_right && op == PKM_OP_MULTIPLY));
    char name[LINE_LENGTH];
    name_of(p, i, name, sizeof name);
    // a negative number at the head of a sum needs none
    if (is_number(p, i) && !is_right && (op == PKM_OP_ADD || op == PKM_OP_SUBTRACT) &&
        name[0] == '(') {
        snprintf(out, size, "%.*s", (int)strlen(name) - 2, name + 1);
        return;
    }
    snprintf(out, size, weak ? "(%.500s)" : "%.500s", name);
}

static void expression(const printer* p, pkm_node i, char* out, size_t size)
{
    const style* s = p->style;
    const pkm_graph_node* node = &p->graph->node[i];
    char a[LINE_LENGTH], b[LINE_LENGTH];
    if (has_two(node->op)) {
        // numbers stand before what they multiply
        const bool turned = node->op == PKM_OP_MULTIPLY && is_number(p, node->b);
        operand(p, node->op, false, turned ? node->b : node->a, a, sizeof a);
        operand(p, node->op, true, turned ? node->a : node->b, b, sizeof b);
        snprintf(out, size, "%s%.230s%s%.230s%s", s->before[node->op] ? s->before[node->op] : "", a,
                 s->sign[node->op], b, s->behind[node->op] ? s->behind[node->op] : "");
    } else if (node->op == PKM_OP_NEGATE) {
        operand(p, node->op, true, node->a, a, sizeof a);
        snprintf(out, size, "-%.500s", a);
    } else if (has_one(node->op)) {
        name_of(p, node->a, a, sizeof a);
        snprintf(out, size, "%s%.480s%s", s->call[node->op], a, s->call_end);
    } else {
        name_of(p, i, out, size);
    }
}

static bool is_operation(const pkm_graph_node* node)
{
    return has_two(node->op) || has_one(node->op);
}

static void print_statements(printer* p)
{
    int note = -1, n_variable = 0;
    for (int i = 0; i < p->graph->n; ++i) {
        const pkm_graph_node* node = &p->graph->node[i];
        if (p->uses[i] == 0 || !is_operation(node)) continue;
        char line[LINE_LENGTH];
        expression(p, i, line, sizeof line);
        if (p->uses[i] == 1 && strlen(line) <= INLINE_LENGTH) {
            p->text[i] = strdup(line);
            if (!p->text[i]) ++p->n_failed;
            continue;
        }
        char name[32];
        if (note != node->note && p->graph->note[node->note][0])
            print_note(p, p->graph->note[node->note]);
        note = node->note;
        p->number[i] = ++n_variable;
        variable_text(p->style, n_variable, name, sizeof name);
        print_set(p, name, line);
    }
}

static void print_outputs(const printer* p, const pkm_graph_output* output, int n)
{
    pkm_stream_text(p->to, "\n");
    for (int k = 0; k < n; ++k) {
        char name[LINE_LENGTH], to[64];
        name_of(p, output[k].node, name, sizeof name);
        index_text(p->style, output[k].array, output[k].index, to, sizeof to);
        if (p->style == &C99)
            pkm_stream_format(p->to, "    %s = %.440s;\n", to, name);
        else
            print_set(p, to, name);
    }
}

static pkm_status print(const pkm_graph* graph, pkm_stream* to, const style* s,
                        const char* const* array, const pkm_graph_output* output, int n,
                        pkm_error* err)
{
    printer p = {graph,
                 to,
                 s,
                 array,
                 calloc((size_t)graph->n, sizeof(int)),
                 calloc((size_t)graph->n, sizeof(int)),
                 calloc((size_t)graph->n, sizeof(char*)),
                 0};
    const bool has_memory = p.uses && p.number && p.text;
    if (has_memory) {
        count_uses(graph, output, n, p.uses);
        print_statements(&p);
        print_outputs(&p, output, n);
    }
    const bool is_done = has_memory && p.n_failed == 0;
    for (int i = 0; p.text && i < graph->n; ++i)
        free(p.text[i]);
    free(p.text);
    free(p.uses);
    free(p.number);
    return is_done ? PKM_OK : pkm_out_of_memory(err);
}

pkm_status pkm_graph_print(const pkm_graph* graph, pkm_stream* to, const char* const* array,
                           const pkm_graph_output* output, int n, pkm_error* err)
{
    return print(graph, to, &C99, array, output, n, err);
}

pkm_status pkm_graph_print_latex(const pkm_graph* graph, pkm_stream* to, const char* const* array,
                                 const pkm_graph_output* output, int n, pkm_error* err)
{
    return print(graph, to, &LATEX, array, output, n, err);
}
