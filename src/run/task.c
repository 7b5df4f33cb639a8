// What a task makes of a run: what it decides before choices are read, what it fills in behind
// them, what it refuses. The verbs, the calls of pkm/answer.h and their checks come by here.
#include "base/error.h"
#include "flexible/link.h"
#include "run/run_impl.h"
#include "run/takes.h"

/// Tasks that are not named here leave all as it is.
static const struct {
    pkm_task_kind kind;
    bool bends;            ///< every link bends that can, unless the run says which
    pkm_fidelity fidelity; ///< of clearance that names none
    int n_instant;         ///< rows, unless the run says how many; 0: as many as of every run
    const char* follows;   ///< what cannot do without a motion, in words; NULL: the task can
} rule[] = {
    {PKM_TASK_INVERSE, .follows = "inverse dynamics"},
    {PKM_TASK_MODES, .bends = true},
    {PKM_TASK_STIFFNESS, .bends = true},
    {PKM_TASK_ELASTODYNAMICS, .bends = true, .follows = "elastodynamics"},
    {PKM_TASK_ENVELOPE, .fidelity = PKM_FIDELITY_ENVELOPE, .n_instant = 201},
};
enum { N_RULE = sizeof rule / sizeof rule[0] };

/// Index of the task's rule; PKM_NONE.
static int rule_of(pkm_task_kind kind)
{
    for (int k = 0; k < N_RULE; ++k)
        if (rule[k].kind == kind) return k;
    return PKM_NONE;
}

pkm_status pkm_run_create_for(const pkm_robot* robot, pkm_task_kind kind, pkm_run** out,
                              pkm_error* err)
{
    const int k = rule_of(kind);
    PKM_TRY(pkm_run_create_contacts(robot, out, err));
    if (k == PKM_NONE) return PKM_OK;
    (*out)->fidelity = rule[k].fidelity;
    if (rule[k].n_instant > 0) (*out)->settings.n_instant = rule[k].n_instant;
    return PKM_OK;
}

pkm_status pkm_run_flexible_all(pkm_run* run, pkm_error* err)
{
    const pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    const pkm_description* desc = run->robot->desc;
    bool is_any = false;
    for (int k = 1; k < desc->n_body; ++k)
        is_any = is_any || pkm_flexible_possible(desc, k, &spec);
    if (is_any) PKM_TRY(pkm_run_set(run, "flexible", "'*': {}", "--flexible", err));
    return pkm_run_note_markers(run, err);
}

pkm_status pkm_run_require_task(const pkm_run* run, pkm_task_kind kind, pkm_error* err)
{
    PKM_TRY(pkm_asked_require(&run->asked, kind, err));
    return pkm_run_require(run, pkm_analysis_of(kind, run), err);
}

pkm_status pkm_run_complete_for(pkm_run* run, pkm_task_kind kind, pkm_error* err)
{
    const int k = rule_of(kind);
    const bool bends = k != PKM_NONE && rule[k].bends;
    const char* follows = k == PKM_NONE ? NULL : rule[k].follows;
    if (bends && run->effects.n_flexible == 0) PKM_TRY(pkm_run_flexible_all(run, err));
    PKM_TRY(pkm_run_complete(run, err));
    PKM_TRY(pkm_run_require_task(run, kind, err));
    if (!follows || run->settings.motion != PKM_NONE) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %s needs a motion", run->robot->desc->name,
                    follows);
}
