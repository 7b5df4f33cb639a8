/// The pages of pkm report and pkm view, made from web/ by web/build.mjs when the program is built.
#ifndef PKM_VERB_REPORT_FRAME_H
#define PKM_VERB_REPORT_FRAME_H

#include "report/page.h"

extern const pkm_page_frame pkm_verb_report_frame;
/// Of size 0 where the engine was not built (tools/wasm.sh).
extern const pkm_page_frame pkm_verb_view_frame;

#endif
