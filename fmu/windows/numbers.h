/// Before every file of the engine on Windows: numbers are read as in fmu/c_locale.c, since a DLL
/// cannot put its own strtod before that of the system.
#ifndef PKM_FMU_WINDOWS_NUMBERS_H
#define PKM_FMU_WINDOWS_NUMBERS_H

#include <stdlib.h>

double pkm_fmu_strtod(const char* text, char** end);
#define strtod pkm_fmu_strtod

#endif
