/// The description that this library carries, see export/seed.h.
#ifndef PKM_FMU_SEED_DATA_H
#define PKM_FMU_SEED_DATA_H

#include "export/seed.h"

extern const char pkm_fmu_seed[PKM_SEED_ROOM];

#endif
