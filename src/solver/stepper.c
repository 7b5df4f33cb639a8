// One table of verbs for each method, found by its place in the list. docs/theory/integrators.md,
// section 3.
#include "solver/stepper.h"

#include <stddef.h>

// PKM_STEPPERS lists value and table of every method once, so that both arrays below are in the
// order of the enum.
#define AS_TABLE(value, table) extern const pkm_stepper_kind pkm_stepper_##table;
PKM_STEPPERS(AS_TABLE)
#undef AS_TABLE

#define AS_NAME(value, table) #table,
const char* const pkm_integrator_name[] = {PKM_STEPPERS(AS_NAME) NULL};
#undef AS_NAME

const pkm_stepper_kind* pkm_stepper_kind_of(pkm_integrator integrator)
{
#define AS_POINTER(value, table) &pkm_stepper_##table,
    static const pkm_stepper_kind* const kind[] = {PKM_STEPPERS(AS_POINTER)};
#undef AS_POINTER
    return kind[integrator];
}

pkm_status pkm_stepper_create(pkm_integrator integrator, const pkm_stepper_system* system,
                              pkm_stepper* out)
{
    *out = (pkm_stepper){.kind = pkm_stepper_kind_of(integrator)};
    return out->kind->create(system, &out->m);
}

void pkm_stepper_free(pkm_stepper* stepper)
{
    if (stepper->kind) stepper->kind->free(stepper->m);
    *stepper = (pkm_stepper){0};
}
