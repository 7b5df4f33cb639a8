// Columns that a run asks for by name, pattern or formula: rates of bodies, coordinates of joints,
// expressions of other columns. Laid out once, filled row by row without allocation.
#include "robot/extra_columns.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pattern.h"
#include "dynamics/effects.h"
#include "mechanism/joint.h"
#include "model/formula.h"

#include <stdio.h>
#include <string.h>

// ---- what can be asked for --------------------------------------------------------------------

typedef enum item_kind {
    OF_BODY,    ///< angular rates
    OF_TOOL,    ///< those of the tool's frame, which may stand on a flexible link
    OF_JOINT_1, ///< coordinate and rate of one freedom; length of a rod
    OF_JOINT_N, ///< turn of side b against side a
    OF_FORMULA,
} item_kind;

typedef struct body_values {
    pkm_vec3 w, al;
    double omega, alpha;
} body_values;
typedef struct joint_1_values {
    double q, v;
} joint_1_values;
typedef struct joint_n_values {
    pkm_vec3 turn, w;
} joint_n_values;

static const char OMEGA[] = "angular velocity of *", ALPHA[] = "angular acceleration of *";
static const char TURN[] = "turn in *", RATE[] = "rate of turn in *";

static const pkm_column body_columns[] = {
    {"wx", "rad/s", offsetof(body_values, w.x), .title = OMEGA},
    {"wy", "rad/s", offsetof(body_values, w.y), .title = OMEGA},
    {"wz", "rad/s", offsetof(body_values, w.z), .title = OMEGA},
    {"alx", "rad/s2", offsetof(body_values, al.x), .title = ALPHA},
    {"aly", "rad/s2", offsetof(body_values, al.y), .title = ALPHA},
    {"alz", "rad/s2", offsetof(body_values, al.z), .title = ALPHA},
    {"omega", "rad/s", offsetof(body_values, omega), .title = OMEGA},
    {"alpha", "rad/s2", offsetof(body_values, alpha), .title = ALPHA},
};
static const pkm_column angle_columns[] = {
    {"q", "rad", offsetof(joint_1_values, q), .title = "angle"},
    {"v", "rad/s", offsetof(joint_1_values, v), .title = "angular velocity"},
};
static const pkm_column slide_columns[] = {
    {"q", "m", offsetof(joint_1_values, q), .title = "position"},
    {"v", "m/s", offsetof(joint_1_values, v), .title = "velocity"},
};
static const pkm_column turn_columns[] = {
    {"rx", "rad", offsetof(joint_n_values, turn.x), .title = TURN},
    {"ry", "rad", offsetof(joint_n_values, turn.y), .title = TURN},
    {"rz", "rad", offsetof(joint_n_values, turn.z), .title = TURN},
    {"wx", "rad/s", offsetof(joint_n_values, w.x), .title = RATE},
    {"wy", "rad/s", offsetof(joint_n_values, w.y), .title = RATE},
    {"wz", "rad/s", offsetof(joint_n_values, w.z), .title = RATE},
};

/// One column: where its value comes from.
typedef struct extra_item {
    item_kind kind;
    int index; ///< of the body or joint
    const pkm_column* column;
    char name[2 * PKM_MAX_NAME], unit[64];
    pkm_formula* formula; ///< OF_FORMULA
} extra_item;

struct pkm_extra_columns {
    int first; ///< column of the table
    int n;
    extra_item* item;
};

// ---- values -----------------------------------------------------------------------------------

static void read_body(const pkm_state* state, int body, body_values* out)
{
    const pkm_body_state* b = &state->body[body];
    *out = (body_values){b->V.ang, b->A.ang, pkm_vec3_norm(b->V.ang), pkm_vec3_norm(b->A.ang)};
}

static void read_tool(const pkm_state* state, int marker, body_values* out)
{
    const pkm_frame_motion m = pkm_state_marker_motion(state, marker);
    *out = (body_values){m.w, m.alpha, pkm_vec3_norm(m.w), pkm_vec3_norm(m.alpha)};
}

static void read_joint_n(const pkm_state* state, int joint, joint_n_values* out)
{
    const pkm_joint* j = &state->mech->joint[joint];
    const pkm_body_state *a = &state->body[j->body_a], *b = &state->body[j->body_b];
    const pkm_mat3 Ra = pkm_mat3_matmul(a->R, j->axes_a), Rb = pkm_mat3_matmul(b->R, j->axes_b);
    // side b seen from side a, both with the joint's axes
    const pkm_mat3 rel = pkm_mat3_matmul(pkm_mat3_transpose(Ra), Rb);
    out->turn = pkm_quat_to_rotvec(pkm_quat_from_mat3(rel));
    out->w = pkm_mat3_tmul(Ra, pkm_vec3_sub(b->V.ang, a->V.ang));
}

/// All of an item; its columns are read from it by their offsets.
typedef union item_values {
    body_values body;
    joint_1_values one;
    joint_n_values many;
} item_values;

static void read_item(const pkm_state* state, const extra_item* item, item_values* out)
{
    switch (item->kind) {
    case OF_BODY:
        read_body(state, item->index, &out->body);
        return;
    case OF_TOOL:
        read_tool(state, item->index, &out->body);
        return;
    case OF_JOINT_1:
        pkm_joint_coordinate(state, item->index, &out->one.q, &out->one.v);
        return;
    case OF_JOINT_N:
        read_joint_n(state, item->index, &out->many);
        return;
    case OF_FORMULA:
        return;
    }
}

void pkm_extra_columns_put(const pkm_extra_columns* extra, const pkm_state* state, double* row)
{
    item_values values;
    const extra_item* last = NULL; // whose values are there
    for (int k = 0; extra && k < extra->n; ++k) {
        const extra_item* item = &extra->item[k];
        if (item->kind == OF_FORMULA) {
            row[extra->first + k] = pkm_formula_of(item->formula, row[0], row);
            continue;
        }
        // columns of one body follow one another: it is read once
        if (!last || last->kind != item->kind || last->index != item->index)
            read_item(state, item, &values);
        last = item;
        memcpy(&row[extra->first + k], (const char*)&values + item->column->at, sizeof(double));
    }
}

// ---- what is asked for ------------------------------------------------------------------------

typedef struct asking {
    pkm_extra_columns* extra;
    const pkm_machine* of;
    pkm_table* table;
    pkm_error* err;
    const pkm_column_wish* wish;
    int n_found;      ///< columns that the present wish means
    pkm_nearest near; ///< to the name of the wish
} asking;

static pkm_status no_memory(const asking* a)
{
    return pkm_fail(a->err, PKM_ERR_MEMORY, "out of memory");
}

static pkm_status add_item(asking* a, const extra_item* item)
{
    pkm_extra_columns* x = a->extra;
    extra_item* grown = pkm_realloc(x->item, (size_t)x->n + 1, sizeof *grown);
    if (!grown) return no_memory(a);
    x->item = grown;
    x->item[x->n++] = *item;
    const int c = pkm_table_add_column(a->table, item->name, item->unit);
    if (c == PKM_NONE) return no_memory(a);
    if (item->column) pkm_table_describe(a->table, c, item->column);
    pkm_table_locate(a->table, c);
    return PKM_OK;
}

/// The columns of one body or joint that the wish means and the table does not have.
static pkm_status offer(asking* a, const extra_item* of, const char* name, const pkm_column* column,
                        int n)
{
    for (int k = 0; k < n; ++k) {
        extra_item item = *of;
        item.column = &column[k];
        snprintf(item.name, sizeof item.name, "%s.%s", name, column[k].quantity);
        snprintf(item.unit, sizeof item.unit, "%s", column[k].unit);
        if (!pkm_pattern_matches(a->wish->name, item.name)) continue;
        ++a->n_found;
        if (pkm_table_find(a->table, item.name) == PKM_NONE) PKM_TRY(add_item(a, &item));
    }
    return PKM_OK;
}

static pkm_status offer_bodies(asking* a)
{
    enum { N = sizeof body_columns / sizeof body_columns[0] };
    const pkm_mechanism* mech = a->of->mech;
    for (int b = 1; b < mech->n_body; ++b) {
        const extra_item of = {.kind = OF_BODY, .index = b};
        PKM_TRY(offer(a, &of, mech->body[b].name, body_columns, N));
    }
    if (mech->tool == PKM_NONE) return PKM_OK;
    const extra_item of = {.kind = OF_TOOL, .index = mech->tool};
    return offer(a, &of, pkm_short_name(mech->marker[mech->tool].name), body_columns, N);
}

static pkm_status offer_joint(asking* a, int j)
{
    enum { N_TURN = sizeof turn_columns / sizeof turn_columns[0] };
    const pkm_joint* joint = &a->of->mech->joint[j];
    const pkm_joint_facts* facts = pkm_joint_facts_of(joint->type);
    // nothing turns or slides in it that a column could tell
    if (facts->is_rod || facts->n_v == 0) return PKM_OK;
    if (joint->released || facts->n_v > 1) {
        const extra_item of = {.kind = OF_JOINT_N, .index = j};
        return offer(a, &of, joint->name, turn_columns, N_TURN);
    }
    const extra_item of = {.kind = OF_JOINT_1, .index = j};
    const bool slides = pkm_joint_is_length(joint->type, 0);
    return offer(a, &of, joint->name, slides ? slide_columns : angle_columns, 2);
}

static pkm_status ask_pattern(asking* a)
{
    for (int c = 0; c < pkm_table_n_column(a->table); ++c) {
        // for the hint, when nothing is found
        pkm_nearest_offer(&a->near, pkm_table_name(a->table, c));
        a->n_found += pkm_pattern_matches(a->wish->name, pkm_table_name(a->table, c));
    }
    PKM_TRY(offer_bodies(a));
    for (int j = 0; j < a->of->mech->n_joint; ++j)
        PKM_TRY(offer_joint(a, j));
    if (a->n_found > 0) return PKM_OK;
    return pkm_fail(a->err, PKM_ERR_ARGUMENT,
                    "columns: there is no column '%.60s'%s; of bodies there are .wx .wy .wz .alx "
                    ".aly .alz .omega .alpha, of joints .q .v or .rx .ry .rz .wx .wy .wz",
                    a->wish->name, pkm_nearest_hint(&a->near).text);
}

// ---- expressions ------------------------------------------------------------------------------

static pkm_dimension dimension_of(const char* unit)
{
    pkm_unit out;
    pkm_fault fault;
    if (!*unit || strcmp(unit, "1") == 0 || pkm_unit_scan(unit, false, &out, &fault) == 0)
        return pkm_dim_one;
    return out.dimension;
}

static int find_column(void* user, const char* name, pkm_dimension* out)
{
    const asking* a = user;
    const int c = pkm_table_find(a->table, name);
    if (c != PKM_NONE) *out = dimension_of(pkm_table_unit(a->table, c));
    return c;
}

/// Names that are no columns: parameters of the robot.
static pkm_status look_up(void* user, const char* name, pkm_quantity* out, pkm_nearest* near)
{
    const asking* a = user;
    const pkm_description* desc = a->of->desc;
    for (int c = 0; c < pkm_table_n_column(a->table); ++c)
        pkm_nearest_offer(near, pkm_table_name(a->table, c));
    for (int i = 0; i < desc->n_parameter; ++i) {
        pkm_nearest_offer(near, desc->parameter[i].name);
        if (strcmp(desc->parameter[i].name, name) != 0) continue;
        const bool has_unit = strcmp(desc->parameter[i].unit, "1") != 0;
        *out = (pkm_quantity){desc->parameter[i].value, has_unit ? PKM_UNIT_KNOWN : PKM_UNIT_NONE,
                              dimension_of(desc->parameter[i].unit)};
        return PKM_OK;
    }
    return PKM_RETRY;
}

static pkm_status ask_formula(asking* a)
{
    extra_item item = {.kind = OF_FORMULA};
    const pkm_formula_columns columns = {find_column, a};
    pkm_quantity value;
    pkm_fault fault;
    if (pkm_table_find(a->table, a->wish->name) != PKM_NONE)
        return pkm_fail(a->err, PKM_ERR_ARGUMENT, "columns: there is a column '%.60s' already",
                        a->wish->name);
    const pkm_status status = pkm_formula_create_of(a->wish->formula, look_up, a, &columns, &value,
                                                    &item.formula, &fault);
    if (status == PKM_ERR_MEMORY) return no_memory(a);
    if (status != PKM_OK)
        return pkm_fail(a->err, PKM_ERR_ARGUMENT, "columns.%.60s: '%.80s': %s", a->wish->name,
                        a->wish->formula, fault.text);
    const bool has_unit = !pkm_dimension_equal(value.dimension, pkm_dim_one);
    snprintf(item.name, sizeof item.name, "%.100s", a->wish->name);
    snprintf(item.unit, sizeof item.unit, "%s",
             has_unit ? pkm_dimension_unit(value.dimension).text : "");
    const int n = a->extra->n;
    const pkm_status added = add_item(a, &item);
    if (a->extra->n == n) pkm_formula_free(item.formula);
    return added;
}

// ---- create -----------------------------------------------------------------------------------

pkm_status pkm_extra_columns_create(const pkm_machine* of, const pkm_column_request* request,
                                    pkm_table* table, pkm_extra_columns** out, pkm_error* err)
{
    *out = NULL;
    if (!request || request->n == 0) return PKM_OK;
    asking a = {.of = of, .table = table, .err = err};
    a.extra = pkm_alloc(1, sizeof *a.extra);
    if (!a.extra) return no_memory(&a);
    a.extra->first = pkm_table_n_column(table);
    pkm_status status = PKM_OK;
    for (int i = 0; i < request->n && status == PKM_OK; ++i) {
        a.wish = &request->wish[i];
        a.n_found = 0;
        a.near = pkm_nearest_make(a.wish->name);
        status = a.wish->formula ? ask_formula(&a) : ask_pattern(&a);
    }
    if (status == PKM_OK)
        *out = a.extra;
    else
        pkm_extra_columns_free(a.extra);
    return status;
}

bool pkm_extra_columns_repeat(const pkm_extra_columns* extra, pkm_table* table)
{
    for (int k = 0; extra && k < extra->n; ++k)
        if (pkm_table_add_column(table, extra->item[k].name, extra->item[k].unit) == PKM_NONE)
            return false;
    return true;
}

void pkm_extra_columns_free(pkm_extra_columns* extra)
{
    if (!extra) return;
    for (int k = 0; k < extra->n; ++k)
        pkm_formula_free(extra->item[k].formula);
    pkm_free(extra->item);
    pkm_free(extra);
}
