// One list of analyses (run/takes.c): tasks, studies, verbs and `pkm effects` speak of the same.
#include "run/takes.h"
#include "study/study.h"
#include "verb/options.h"

#include "check.h"

static void every_task_has_a_name_and_is_found_by_it(void)
{
    int n = 0;
    for (unsigned kind = 1; kind <= PKM_TASK_STUDY; kind *= 2, ++n) {
        const char* name = pkm_task_name((pkm_task_kind)kind);
        CHECK(name && (unsigned)pkm_task_find(name) == kind);
        CHECK(pkm_verb_find(name)); // the program answers it under this name
    }
    CHECK(n == 8);
    CHECK(!pkm_task_name((pkm_task_kind)0) && !pkm_task_name((pkm_task_kind)3));
    CHECK(!pkm_task_find("inverse --method closed") && !pkm_task_find(""));
}

static void studies_ask_for_tasks_by_their_names(void)
{
    for (int i = 0; pkm_study_analysis_name[i]; ++i)
        CHECK(pkm_task_find(pkm_study_analysis_name[i]));
}

static void the_choices_of_a_run_say_which_analysis_answers(void)
{
    static pkm_joint_clearance seated = {.clearance.fidelity = PKM_FIDELITY_SEATED};
    static pkm_run plain, other = {.asked = {.method = PKM_METHOD_CLOSED, .weight = true}};
    other.effects.clearance = &seated;
    other.effects.n_clearance = 1;
    const struct {
        pkm_task_kind task;
        pkm_analysis plain, other;
    } row[] = {{PKM_TASK_INVERSE, PKM_ANALYSIS_INVERSE, PKM_ANALYSIS_INVERSE_CLOSED},
               {PKM_TASK_SIMULATE, PKM_ANALYSIS_SIMULATE, PKM_ANALYSIS_SEATED},
               {PKM_TASK_MODES, PKM_ANALYSIS_MODES, PKM_ANALYSIS_MODES_WEIGHTED},
               {PKM_TASK_STIFFNESS, PKM_ANALYSIS_STIFFNESS, PKM_ANALYSIS_STIFFNESS_WEIGHTED},
               {PKM_TASK_ENVELOPE, PKM_ANALYSIS_ENVELOPE, PKM_ANALYSIS_ENVELOPE},
               {PKM_TASK_ELASTODYNAMICS, PKM_ANALYSIS_ELASTODYNAMICS, PKM_ANALYSIS_ELASTODYNAMICS},
               {PKM_TASK_WORKSPACE, PKM_ANALYSIS_WORKSPACE, PKM_ANALYSIS_WORKSPACE},
               {PKM_TASK_STUDY, PKM_N_ANALYSIS, PKM_N_ANALYSIS}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        CHECK(pkm_analysis_of(row[i].task, &plain) == row[i].plain);
        CHECK(pkm_analysis_of(row[i].task, &other) == row[i].other);
    }
}

int main(void)
{
    RUN(every_task_has_a_name_and_is_found_by_it);
    RUN(studies_ask_for_tasks_by_their_names);
    RUN(the_choices_of_a_run_say_which_analysis_answers);
    return check_report();
}
