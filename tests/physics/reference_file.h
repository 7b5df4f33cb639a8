/// The reference files of tests/data/reference: a table of numbers with named columns.
#ifndef PKM_TESTS_PHYSICS_REFERENCE_FILE_H
#define PKM_TESTS_PHYSICS_REFERENCE_FILE_H

#include "check.h"
#include "pkm/types.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_COLUMN = 64, MAX_ROW = 128 };

typedef struct reference {
    int n_row, n_column;
    char name[MAX_COLUMN][16];
    double value[MAX_ROW][MAX_COLUMN];
} reference;

static reference ref; // the file read last; large, so not on the stack

/// Read `file` into `ref`.
static inline void read_reference(const char* file)
{
    char path[512], line[4096];
    snprintf(path, sizeof path, "%s/tests/data/reference/%s", PKM_SOURCE_DIR, file);
    ref = (reference){0};
    FILE* stream = fopen(path, "r");
    CHECK(stream != NULL);
    if (!stream) return;

    if (fgets(line, sizeof line, stream))
        for (char* word = strtok(line, ",\n"); word; word = strtok(NULL, ",\n"))
            snprintf(ref.name[ref.n_column++], sizeof ref.name[0], "%s", word);
    while (ref.n_row < MAX_ROW && fgets(line, sizeof line, stream)) {
        char* at = line;
        for (int c = 0; c < ref.n_column; ++c, at += *at == ',')
            ref.value[ref.n_row][c] = strtod(at, &at);
        ++ref.n_row;
    }
    fclose(stream);
}

/// The column called `name`, or PKM_NONE.
static inline int find_column(const char* name)
{
    for (int c = 0; c < ref.n_column; ++c)
        if (strcmp(ref.name[c], name) == 0) return c;
    return PKM_NONE;
}

/// The reference's column for quantity `what` (q, v, a, force) of drive `drive`. Two spellings:
/// q1, q1_dot, q1_ddot, F_q1 and qA, qdA, qddA, tauA.
static inline int reference_column(const char* drive, const char* what)
{
    static const char* const word[4] = {"q", "v", "a", "force"};
    static const char* const first[4] = {"%s", "%s_dot", "%s_ddot", "F_%s"};
    static const char* const second[4] = {"q%s", "qd%s", "qdd%s", "tau%s"};
    for (int k = 0; k < 4; ++k) {
        if (strcmp(word[k], what) != 0) continue;
        char name[32];
        snprintf(name, sizeof name, first[k], drive);
        const int column = find_column(name);
        if (column != PKM_NONE) return column;
        snprintf(name, sizeof name, second[k], drive + 1);
        return find_column(name);
    }
    return PKM_NONE;
}

#endif
