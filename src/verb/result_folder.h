/// Folders of results: found to be writable before the work, without files of earlier runs after
/// it.
#ifndef PKM_VERB_RESULT_FOLDER_H
#define PKM_VERB_RESULT_FOLDER_H

#include "pkm/status.h"

enum { VERB_MAX_FILE = 32, VERB_MAX_OLD = 128, VERB_FILE_NAME = 128 };

/// The files that a verb writes into its folder, in the order of the manifest.
typedef struct pkm_verb_files {
    const char* folder;
    int n;
    const char* name[VERB_MAX_FILE];
    char path[1400];
} pkm_verb_files;

/// The path of one more file; it is listed. `name` lives for ever, the path until the next call.
const char* pkm_verb_file(pkm_verb_files* files, const char* name);

/// Files that an earlier run listed in its manifest.
typedef struct pkm_verb_old_files {
    int n;
    int lock; ///< of the folder, from begin to leave
    char name[VERB_MAX_OLD][VERB_FILE_NAME];
} pkm_verb_old_files;

/// The name of a file without folders and ending: "siax" of "robots/siax.yaml", for "%.*s".
typedef struct pkm_verb_stem {
    const char* text;
    int length;
} pkm_verb_stem;
pkm_verb_stem pkm_verb_stem_of(const char* path);

/// Make the folder `path` and those above it; one that is there is fine.
PKM_NODISCARD pkm_status pkm_verb_make_folder(const char* path, pkm_error* err);

/// Would pkm_verb_make_folder and files in it be possible? Tries it beside, and leaves nothing.
/// @return PKM_ERR_FILE with folder and reason.
PKM_NODISCARD pkm_status pkm_verb_check_folder(const char* path, pkm_error* err);

/// Make the folder, take its old manifest away (what it listed is in `old`) and what killed runs
/// have left. Another run that writes there meanwhile is waited for: files and manifest are of one.
PKM_NODISCARD pkm_status pkm_verb_folder_begin(const char* path, pkm_verb_old_files* old,
                                               pkm_error* err);

/// After pkm_verb_folder_begin, whatever came: others may write there.
void pkm_verb_folder_leave(pkm_verb_old_files* old);

/// Remove files of the earlier run that this one, with its `n` files, has not written. Only what
/// the earlier manifest listed is touched.
void pkm_verb_folder_end(const char* path, const pkm_verb_old_files* old, const char* const* file,
                         int n);

/// The files that the manifest of the folder lists; none when there is no manifest.
PKM_NODISCARD pkm_status pkm_verb_folder_list(const char* path, pkm_verb_old_files* out,
                                              pkm_error* err);

/// Are the numbers in the folder those of its manifest? Without one, and for files that it does not
/// know, nothing is said. @return PKM_ERR_FILE with the file that is another.
PKM_NODISCARD pkm_status pkm_verb_folder_verify(const char* path, pkm_error* err);

#endif
