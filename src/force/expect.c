// The sentences of force laws about their numbers, once.
#include "force/expect.h"

#include "base/error.h"

#include <math.h>

pkm_status pkm_expect(bool is_fine, const char* name, const char* key, double value,
                      const char* what, pkm_error* err)
{
    if (is_fine) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: %s %g, expected %s", name, key, value, what);
}

pkm_status pkm_expect_finite(const char* name, const char* key, double value, pkm_error* err)
{
    return pkm_expect(isfinite(value), name, key, value, "a finite number", err);
}

// Comparisons are false for a NaN, so that it is refused; infinity is asked for apart.

pkm_status pkm_expect_not_negative(const char* name, const char* key, double value, pkm_error* err)
{
    return pkm_expect(isfinite(value) && value >= 0.0, name, key, value, "a number >= 0", err);
}

pkm_status pkm_expect_positive(const char* name, const char* key, double value, pkm_error* err)
{
    return pkm_expect(isfinite(value) && value > 0.0, name, key, value, "a number > 0", err);
}

pkm_status pkm_expect_part(const char* name, const char* key, double value, pkm_error* err)
{
    return pkm_expect(value > 0.0 && value <= 1.0, name, key, value, "a number > 0 and <= 1", err);
}
