#include "fmu/seed_data.h"

/// Export finds this place by its first bytes, which stand nowhere else in the library, and fills
/// it. The room is told in hexadecimal digits; nothing is used yet.
const char pkm_fmu_seed[PKM_SEED_ROOM] = "pkm: a robot is planted here, 02\n"
                                         "00100000"
                                         "00000000";
