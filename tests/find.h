/// Items of a mechanism by name, as tests ask for them; PKM_NONE: there is none.
#ifndef PKM_TESTS_FIND_H
#define PKM_TESTS_FIND_H

#include "mechanism/mechanism.h"

#include <string.h>

static inline int find_body(const pkm_mechanism* mech, const char* name)
{
    for (int i = 0; i < mech->n_body; ++i)
        if (strcmp(mech->body[i].name, name) == 0) return i;
    return PKM_NONE;
}

static inline int find_marker(const pkm_mechanism* mech, const char* name)
{
    for (int i = 0; i < mech->n_marker; ++i)
        if (strcmp(mech->marker[i].name, name) == 0) return i;
    return PKM_NONE;
}

#endif
