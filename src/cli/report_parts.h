/// The reports of the verb `report`: of a run, of a study.
#ifndef PKM_CLI_REPORT_PARTS_H
#define PKM_CLI_REPORT_PARTS_H

#include "output/page.h"

/// Write the page of the run in `folder`.
/// @return PKM_ERR_FILE for a file that is missing, PKM_ERR_SYNTAX for one that is damaged.
PKM_NODISCARD pkm_status cli_report_run(const char* folder, pkm_stream* stream, pkm_error* err);

#endif
