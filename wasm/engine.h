/// The engine of the page: a robot that is led by hand, and runs of it. One instance serves one
/// worker; answers are texts (JSON) and a frame of numbers, both lent until the next call.
#ifndef PKM_WASM_ENGINE_H
#define PKM_WASM_ENGINE_H

#include "robot/drag.h"
#include "robot/joint_limits.h"
#include "robot/lookout.h"
#include "robot/postures.h"
#include "write/json.h"

#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define IMPORT(name) __attribute__((import_module("page"), import_name(#name)))

enum { ENGINE_MAX_SET = 64 };

typedef struct engine {
    pkm_robot* robot;
    pkm_nearness near;
    pkm_joint_limits* limits;
    char* set_text; ///< the overrides, cut into pieces
    pkm_override set[ENGINE_MAX_SET];
    int n_set;
    double* frame; ///< see engine_put_frame
    pkm_stream* text;
    pkm_json json;
} engine;

extern engine engine_here;

/// Begin an answer: an object is open. engine_end closes it and returns 0, or the status of a
/// failure, whose sentence with line and column is the answer.
pkm_json* engine_begin(void);
int engine_end(pkm_status status, const pkm_error* err);

#endif
