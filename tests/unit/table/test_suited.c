#include "table/suited.h"

#include "check.h"

#include <stdio.h>

// tests/data/units.csv, which the pages keep to as well.
static void every_value_has_the_unit_of_the_table(void)
{
    char line[160];
    FILE* file = fopen(PKM_SOURCE_DIR "/tests/data/units.csv", "r");
    int n = 0;
    CHECK(file != NULL);
    if (!file) return;
    CHECK(fgets(line, sizeof line, file) != NULL);
    while (fgets(line, sizeof line, file)) {
        char unit[24], as[24];
        double value, shown;
        CHECK(sscanf(line, "%23[^,],%lf,%lf,%23[^\n]", unit, &value, &shown, as) == 4);
        const pkm_suited s = pkm_suited_make(unit, value);
        CHECK_TEXT(s.unit, as);
        CHECK_NEAR(s.factor * value, shown, 1e-12 * fabs(shown));
        ++n;
    }
    fclose(file);
    CHECK(n > 20);
}

// Whatever the size, 1 to 1000 is shown, where the unit takes a prefix.
static void forces_show_one_to_a_thousand(void)
{
    for (double value = 1.1e-11; value < 1e11; value *= 1.7) {
        const double shown = pkm_suited_make("N", value).factor * value;
        CHECK(shown > 0.9999 && shown < 1000.0);
    }
}

int main(void)
{
    RUN(every_value_has_the_unit_of_the_table);
    RUN(forces_show_one_to_a_thousand);
    return check_report();
}
