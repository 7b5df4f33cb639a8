/// Mutations of YAML for libFuzzer: beside its own, of bytes, those of lines, blocks, keys and
/// values, where the tables of keys (model/key.h) say what may stand there. A target that wants
/// them calls fuzz_yaml.
#ifndef PKM_TESTS_FUZZ_MUTATE_H
#define PKM_TESTS_FUZZ_MUTATE_H

#include "model/key.h"

/// What a target reads: its keys, and names that mean something, ended by NULL.
typedef struct fuzz_grammar {
    const pkm_section* file;
    const char* const* name;
} fuzz_grammar;

/// Defined by each target that links mutate.c.
extern const fuzz_grammar fuzz_grammar_of_target;

#endif
