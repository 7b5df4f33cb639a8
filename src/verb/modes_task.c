// What all questions of pkm modes and pkm stiffness read first: pose, how drives hold, links,
// loads.
#include "verb/modes_task.h"

#include "base/clock.h"
#include "base/error.h"
#include "robot/inverse_result.h"
#include "verb/pose.h"

#include <stdio.h>

pkm_status pkm_verb_modes_read(pkm_verb_modes* m, pkm_error* err)
{
    const pkm_verb_arguments* args = m->args;
    PKM_TRY(pkm_verb_run_begin(args, m->robot, &m->run, err));
    PKM_TRY(pkm_verb_run_complete(args, m->run, err));
    m->settings = pkm_elastic_settings_for(m->run);
    return pkm_verb_go_to_pose(args, m->robot, err);
}

void pkm_verb_modes_free(pkm_verb_modes* m)
{
    pkm_run_free(m->run);
}

pkm_status pkm_verb_modes_show(const pkm_verb_modes* m, pkm_error* err)
{
    PKM_TRY(pkm_verb_show(m->args, m->form, err));
    return pkm_verb_stopped(m->args) ? PKM_ERR_INTERRUPTED : PKM_OK;
}

pkm_status pkm_verb_modes_write_map(pkm_verb_modes* m, const pkm_verb_tool_map* map, int column,
                                    const char* headline, pkm_error* err)
{
    char name[40];
    const char* verb = m->args->verb->name;
    const int low = pkm_verb_tool_map_extreme(map->table, column, false);
    if (low == PKM_NONE)
        return pkm_fail(err, PKM_ERR_UNREACHABLE,
                        "%s: none of the %d points of the grid is in reach", verb,
                        pkm_table_n_row(map->table));
    pkm_headline_result(pkm_result_list(m->result, "_headlines"), headline,
                        pkm_table_get(map->table, low, column), pkm_table_unit(map->table, column));
    snprintf(name, sizeof name, "%s-map", verb);
    const pkm_verb_run out = {.args = m->args,
                              .robot = m->robot,
                              .motion = name,
                              .table = map->table,
                              .complete = !pkm_verb_stopped(m->args),
                              .wall_time = pkm_clock() - m->start,
                              .draw = pkm_verb_tool_map_draw,
                              .more = pkm_verb_tool_map_put,
                              .user = map,
                              .tree = m->result};
    return pkm_verb_run_write(&out, m->folder, sizeof m->folder, err);
}
