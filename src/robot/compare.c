// Drive forces of engine and closed form along a motion side by side: the largest difference
// against the largest force of each drive. For the verb `compare`.
#include "base/error.h"
#include "pkm/inverse.h"
#include "robot/guard.h"
#include "robot/inverse_result.h"
#include "robot/robot.h"
#include "table/column.h"

#include <math.h>

static void compare_drive(const pkm_robot* robot, int d, const pkm_table* engine,
                          const pkm_table* closed, pkm_compare_row* out)
{
    const int a = pkm_table_find_item(engine, robot->mech->drive[d].name, "force");
    const int b = pkm_table_find_item(closed, robot->mech->drive[d].name, "force");
    *out = (pkm_compare_row){.largest_force =
                                 fmax(pkm_table_reduce(engine, a, PKM_REDUCE_ABSMAX, NULL),
                                      pkm_table_reduce(closed, b, PKM_REDUCE_ABSMAX, NULL))};
    for (int i = 0; i < pkm_table_n_row(engine) && i < pkm_table_n_row(closed); ++i) {
        const double fa = pkm_table_get(engine, i, a), fb = pkm_table_get(closed, i, b);
        if (isnan(out->difference) || fabs(fa - fb) <= out->difference) continue;
        out->difference = fabs(fa - fb);
        out->t = pkm_table_get(engine, i, 0);
    }
}

void pkm_compare_tables(const pkm_robot* robot, const pkm_table* engine, const pkm_table* other,
                        pkm_compare_row* out)
{
    for (int d = 0; d < robot->mech->n_drive; ++d)
        compare_drive(robot, d, engine, other, &out[d]);
}

pkm_status pkm_compare_run(pkm_robot* robot, int motion, const pkm_inverse_settings* settings,
                           pkm_table* engine, pkm_table* closed, pkm_compare_row* out,
                           pkm_error* err)
{
    if (!robot || !engine || !closed || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "compare: an argument is NULL");
    PKM_HOLD(robot, err);
    pkm_inverse_settings s = settings ? *settings : pkm_inverse_settings_defaults();
    pkm_inverse_report report;
    s.method = PKM_METHOD_CLOSED;
    PKM_TRY(pkm_inverse_run(robot, motion, &s, closed, &report, err));
    s.method = PKM_METHOD_ENGINE;
    PKM_TRY(pkm_inverse_run(robot, motion, &s, engine, &report, err));
    pkm_compare_tables(robot, engine, closed, out);
    return PKM_OK;
}
