/// The reports of the verb `report`: of a run, of a study, of a folder of studies.
#ifndef PKM_VERB_REPORT_IMPL_H
#define PKM_VERB_REPORT_IMPL_H

#include "report/page.h"
#include "study/store.h"

#include <stdbool.h>

/// Write the page of the run in `folder`; with `grasp` its robot can be led by hand where
/// pkm_verb_report_grasp allows it.
/// @return PKM_ERR_FILE for a file that is missing, PKM_ERR_SYNTAX for one that is damaged.
PKM_NODISCARD pkm_status pkm_verb_report_run(const char* folder, bool grasp, pkm_stream* stream,
                                             pkm_error* err);

/// Write the page of the study in `folder`, which has study.sqlite.
PKM_NODISCARD pkm_status pkm_verb_report_study(const char* folder, bool grasp, pkm_stream* stream,
                                               pkm_error* err);

/// Write the page of all studies in the folders of `folder`: published numbers beside ours.
PKM_NODISCARD pkm_status pkm_verb_report_overview(const char* folder, bool grasp,
                                                  pkm_stream* stream, pkm_error* err);

/// Write the report of `folder`, whatever it is, to `path`.
PKM_NODISCARD pkm_status pkm_verb_report_write(const char* folder, bool grasp, const char* path,
                                               pkm_error* err);

// ---- what they share --------------------------------------------------------------------------

enum {
    VERB_REPORT_MAX_FILE = 1 << 30, ///< of a file that is read [bytes]
    VERB_REPORT_MAX_FOLDER = 256,   ///< studies of an overview
};

/// Model and engine as blocks, so that the robot can be led by hand. Nothing where the engine was
/// not built, the model has changed since the run or reads meshes or samples, or the page would
/// grow beyond 3 MB.
void pkm_verb_report_grasp(const char* folder, pkm_stream* stream);
/// The same for the robot of a study, however large the page is; the parameters of each case are in
/// its settings.
void pkm_verb_report_grasp_study(pkm_store* store, pkm_stream* stream);

bool pkm_verb_report_has(const char* folder, const char* name);

/// The file `name` as block `block`. A file that is not there leaves no block.
PKM_NODISCARD pkm_status pkm_verb_report_json(const char* folder, const char* name,
                                              const char* block, pkm_stream* stream,
                                              pkm_error* err);

/// All files of the folder that end with `ending` (".svg") as block `block`, {name: text}.
PKM_NODISCARD pkm_status pkm_verb_report_files(const char* folder, const char* ending,
                                               const char* block, pkm_stream* stream,
                                               pkm_error* err);

/// The folders in `folder` that hold a study, sorted; how many.
int pkm_verb_report_studies(const char* folder, char name[VERB_REPORT_MAX_FOLDER][256]);

#endif
