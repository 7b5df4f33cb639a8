/// Numbers of a description are read with a decimal point, whatever the locale of the program that
/// has loaded the FMU.
#ifdef _WIN32
#include <locale.h>
#include <stdlib.h>

double pkm_fmu_strtod(const char* text, char** end);
double pkm_fmu_strtod(const char* text, char** end)
{
    _locale_t plain = _create_locale(LC_ALL, "C");
    const double value = _strtod_l(text, end, plain);
    _free_locale(plain);
    return value;
}
#else
#define _GNU_SOURCE
#include <locale.h>
#include <stdlib.h>

__attribute__((visibility("hidden"))) double strtod(const char* text, char** end)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // glibc lends the one it has
    const double value = plain ? strtod_l(text, end, plain) : 0.0;
    if (plain) freelocale(plain);
    return value;
}
#endif
