// Columns of friction in joints and, where redundant constraints leave reactions open, of the range
// of its loss; docs/theory/forces.md, (2.10) to (2.14).
#include "dynamics/plant_friction_columns.h"

#include "base/error.h"
#include "dynamics/plant_impl.h"
#include "mechanism/joint.h"
#include "table/warnings.h"

/// Friction of a joint, as tables have it.
typedef struct friction_values {
    double force, torque; ///< on body b along and about its axis; of balls and crosses magnitudes
    double slip;          ///< of its fastest surface [m/s]
} friction_values;

static const pkm_column force_column = {"friction_force", "N", offsetof(friction_values, force),
                                        .title = "friction"};
static const pkm_column torque_column = {"friction_torque", "N m",
                                         offsetof(friction_values, torque), .title = "friction"};
static const pkm_column slip_column = {"slip", "m/s", offsetof(friction_values, slip),
                                       .title = "slip"};

static bool slides(const pkm_joint_facts* facts)
{
    return facts->motion == PKM_MOVES_AXIS && facts->slide != PKM_NONE;
}

static bool turns(const pkm_joint_facts* facts)
{
    return facts->motion == PKM_MOVES_BALL || facts->motion == PKM_MOVES_CROSS ||
           (facts->motion == PKM_MOVES_AXIS && facts->angle != PKM_NONE);
}

static friction_values read(const pkm_friction_item* item, const pkm_joint_facts* facts)
{
    // balls and crosses have no axis of their own: magnitudes
    const bool has_axis = facts->motion == PKM_MOVES_AXIS;
    return (friction_values){
        .force = item->force.z,
        .torque = has_axis ? item->moment.z : pkm_vec3_norm(item->moment),
        // a cross has two pins, others one surface
        .slip = fmax(item->last.slip[0], item->last.slip[1]),
    };
}

static const pkm_column range_columns[] = {
    {"loss", "W", offsetof(pkm_friction_range, loss), .title = "loss of friction"},
    {"least_loss", "W", offsetof(pkm_friction_range, least), .title = "loss of friction"},
    {"loss_per_preload", "W/N", offsetof(pkm_friction_range, per_preload),
     .title = "loss per preload"},
};

static void put_range(pkm_plant* p, pkm_layout* to)
{
    pkm_friction_range range = {0.0, 0.0, 0.0};
    if (!pkm_plant_friction_is_open(p)) return;
    // laid out for a table only names are needed: the search for the least loss is long
    if (!to->table) range = pkm_plant_friction_range(p);
    pkm_layout_put(to, "friction", range_columns, 3, &range);
}

void pkm_plant_put_friction(pkm_plant* p, pkm_layout* to)
{
    put_range(p, to);
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_joint* joint = &p->state->mech->joint[p->friction[k].joint];
        const pkm_joint_facts* facts = pkm_joint_facts_of(joint->type);
        const friction_values now = read(&p->friction[k], facts);
        if (slides(facts)) pkm_layout_put(to, joint->name, &force_column, 1, &now);
        if (turns(facts)) pkm_layout_put(to, joint->name, &torque_column, 1, &now);
        pkm_layout_put(to, joint->name, &slip_column, 1, &now);
    }
}

/// Integral of a column over every `stride`-th row and the last one [unit s], by the trapezoidal
/// rule. Rows need not be evenly spaced: time is column 0.
static double integral(const pkm_table* table, const char* quantity, int stride)
{
    const int c = pkm_table_find_item(table, "friction", quantity), n = pkm_table_n_row(table);
    double sum = 0.0;
    for (int i = 0; c != PKM_NONE && i + 1 < n; i += stride) {
        const int next = i + stride < n ? i + stride : n - 1;
        sum += 0.5 * (pkm_table_get(table, next, 0) - pkm_table_get(table, i, 0)) *
               (pkm_table_get(table, next, c) + pkm_table_get(table, i, c));
    }
    return sum;
}

/// What the rule with half of the rows differs by, over 3: the error of a smooth column.
static double error_of(const pkm_table* table, const char* quantity)
{
    return fabs(integral(table, quantity, 1) - integral(table, quantity, 2)) / 3.0;
}

/// Rows in which the least loss was not found.
static int count_unknown(const pkm_table* table)
{
    const int c = pkm_table_find_item(table, "friction", "least_loss");
    int n = 0;
    for (int i = 0; c != PKM_NONE && i < pkm_table_n_row(table); ++i)
        n += isnan(pkm_table_get(table, i, c)) ? 1 : 0;
    return n;
}

void pkm_friction_warn_range(pkm_table* table, int n_free)
{
    static const double ROUGH = 0.01; // of the loss: rows that tell no integrals
    PKM_ASSERT(n_free > 0);
    const int rows = pkm_table_n_row(table), unknown = count_unknown(table);
    if (rows < 2) return;
    const double loss = integral(table, "loss", 1);
    // trapezoids with half of the rows are off by four times as much
    const double off = fmax(error_of(table, "loss"), error_of(table, "least_loss"));
    // five rows: below that the rule with half of them is no estimate
    if (rows < 5 || off > ROUGH * fabs(loss))
        pkm_warn(pkm_table_warnings(table), "friction", NAN,
                 "redundant constraints (%d) leave reactions open that make friction: those of "
                 "least norm are used; %d rows are too few to tell the range of the loss, more "
                 "--instants do",
                 n_free, rows);
    else if (unknown > 0)
        pkm_warn(pkm_table_warnings(table), "friction", NAN,
                 "redundant constraints (%d) leave reactions open that make friction: those of "
                 "least norm are used, which lose %.6g J; the range of the loss is not told, since "
                 "the least loss was not found in %d of %d rows",
                 n_free, loss, unknown, rows);
    else
        pkm_warn(pkm_table_warnings(table), "friction", NAN,
                 "redundant constraints (%d) leave reactions open that make friction: those of "
                 "least norm are used, which lose %.6g J; of all that balance the robot the least "
                 "loss is %.6g J, and there is no largest: preload in the loops adds up to %.4g J "
                 "per N (over %d rows, off by about %.1g J)",
                 n_free, loss, integral(table, "least_loss", 1),
                 integral(table, "loss_per_preload", 1), rows, off);
}

void pkm_plant_warn_range(const pkm_plant* p, pkm_table* table)
{
    if (pkm_plant_friction_is_open(p))
        pkm_friction_warn_range(table, pkm_reactions_n_free(p->reactions));
}
