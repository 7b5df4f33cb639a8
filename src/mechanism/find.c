// Joints and drives by their names.
#include "mechanism/mechanism.h"

#include <string.h>

int pkm_mechanism_find_joint(const pkm_mechanism* mech, const char* name)
{
    for (int i = 0; i < mech->n_joint; ++i)
        if (strcmp(mech->joint[i].name, name) == 0) return i;
    return PKM_NONE;
}

int pkm_mechanism_find_drive(const pkm_mechanism* mech, const char* name)
{
    for (int i = 0; i < mech->n_drive; ++i)
        if (strcmp(mech->drive[i].name, name) == 0) return i;
    return PKM_NONE;
}
