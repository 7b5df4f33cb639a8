// The magnitude `P.dr` belongs to the vector P.dx, P.dy, P.dz: sums of causes are made of those.
#include "study/vector.h"

#include <stdio.h>
#include <string.h>

bool pkm_vector_of(const char* column, pkm_vector_columns* out)
{
    static const char* const ending[][2] = {{".dp", ""}, {".dv", "v"}, {".da", "a"}};
    const size_t length = strlen(column);
    for (int k = 0; k < 3 && length > 3 && length < PKM_MAX_NAME; ++k) {
        if (strcmp(column + length - 3, ending[k][0]) != 0) continue;
        for (int i = 0; i < 3; ++i)
            snprintf(out->name[i], sizeof out->name[i], "%.*s.%s%c", (int)length - 3, column,
                     ending[k][1], "xyz"[i]);
        return true;
    }
    return false;
}
