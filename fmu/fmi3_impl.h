/// What the files of FMI 3.0 share; only they include it.
#ifndef PKM_FMU_FMI3_IMPL_H
#define PKM_FMU_FMI3_IMPL_H

#include "fmu/component.h"
#include "fmu/fmi3.h"

/// The instance, in one of these phases.
#define ENTER(phases)                                                                              \
    component* c = instance;                                                                       \
    if (component_require(c, (phases), __func__) != COMPONENT_OK) return fmi3Error
/// A pointer that must be there, a size that must fit.
#define NEED(condition)                                                                            \
    if (!(condition))                                                                              \
    return (fmi3Status)component_say(c, COMPONENT_ERROR, "logStatusError",                         \
                                     "%s: an argument is NULL, or of another size", __func__)

#endif
