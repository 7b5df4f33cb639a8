// Tables of motors, for `pkm motors`.
#include "fuzz.h"

#include "run/motor_table.h"

#include <math.h>

int fuzz_one(const uint8_t* data, size_t size)
{
    pkm_motor_table table = {0};
    pkm_error err = {0};
    const char* path = fuzz_file(data, size, "");
    if (pkm_motor_table_read(path, &table, &err) != PKM_OK) {
        FUZZ_CHECK(err.text[0] && !table.arena);
        return 0;
    }
    FUZZ_CHECK(table.n > 0);
    for (int i = 0; i < table.n; ++i) {
        const pkm_motor_offer* o = &table.offer[i];
        FUZZ_CHECK(o->name[0] && o->rated_torque <= o->peak_torque);
        for (double part = 0.0; part < 1.3; part += 0.25)
            FUZZ_CHECK(isfinite(pkm_motor_peak_at(o, part * o->max_speed)));
    }
    pkm_motor_table_free(&table);
    return 0;
}
