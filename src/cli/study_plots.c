#include "cli/study_plots.h"

pkm_status cli_study_plot(cli_study_work* work, pkm_error* err)
{
    (void)work, (void)err;
    return PKM_OK;
}
