/// The page of reports, made from web/ by web/build.mjs when the program is built.
#ifndef PKM_CLI_REPORT_FRAME_H
#define PKM_CLI_REPORT_FRAME_H

#include "report/page.h"

extern const pkm_page_frame cli_report_frame;

#endif
