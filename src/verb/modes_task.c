#include "verb/modes_task.h"

#include "base/error.h"
#include "verb/pose.h"

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
