// Numbers with units, expressions, formulas of time.
#include "fuzz.h"

#include "model/formula.h"

static pkm_status lookup(void* user, const char* name, pkm_quantity* out, pkm_nearest* near)
{
    (void)user;
    if (strcmp(name, "a") != 0) {
        pkm_nearest_offer(near, "a");
        return PKM_RETRY;
    }
    *out = (pkm_quantity){.value = 2.0};
    return PKM_OK;
}

int fuzz_one(const uint8_t* data, size_t size)
{
    char* text = fuzz_text(data, size);
    pkm_quantity quantity;
    pkm_fault fault = {0};
    if (pkm_expression_evaluate(text, lookup, NULL, &quantity, &fault) != PKM_OK)
        FUZZ_CHECK(fault.text[0]);
    pkm_formula* formula = NULL;
    const pkm_dimension one = {0};
    if (pkm_formula_create(text, lookup, NULL, one, &formula, &fault) == PKM_OK) {
        (void)pkm_formula_at(formula, 0.5);
        pkm_formula_free(formula);
    }
    pkm_unit unit;
    (void)pkm_unit_scan(text, false, &unit, &fault);
    (void)pkm_unit_scan(text, true, &unit, &fault);
    free(text);
    return 0;
}
