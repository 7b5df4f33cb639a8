/// The inside of pkm_call (pkm/verb.h): a verb, its arguments, and all that it gives.
#ifndef PKM_VERB_CALL_H
#define PKM_VERB_CALL_H

#include "base/memory.h"
#include "table/result.h"
#include "verb/options.h"

enum { VERB_MAX_TABLE = 4 };

struct pkm_call {
    pkm_verb_arguments args;
    pkm_arena* arena; ///< words, work memory, names of files
    bool has_run;
    bool writes_always; ///< the folder of a run, -o or not

    pkm_robot* robot;
    bool robot_is_lent;

    pkm_call_progress progress;
    pkm_call_hear hear;
    void* user;
    bool is_stopped; ///< `progress` wants the end

    pkm_result* result;
    bool is_answered;     ///< `result` is complete
    const char* form;     ///< its text for people (report/render.h)
    pkm_stream* said;     ///< text; `form` is rendered to its end when somebody asks
    pkm_stream* rendered; ///< JSON

    int n_table;
    const char* table_name[VERB_MAX_TABLE]; ///< literals
    pkm_table* table[VERB_MAX_TABLE];

    int n_file, file_room;
    const char** file;
};

#endif
