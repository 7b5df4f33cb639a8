/// An FMU 2.0 for tests: proportional-derivative controllers of three drives, co-simulation. Value
/// references: positions 0, 1, 2; velocities 10 ...; forces 20 ...; their references are zero.
#include "fmu/fmi2.h"

#include <stdlib.h>
#include <string.h>

static const double STIFFNESS = 2000.0, DAMPING = 60.0;

typedef struct controller {
    double value[30];
} controller;

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    (void)name, (void)resources, (void)callbacks, (void)visible, (void)logging;
    if (type != fmi2CoSimulation || strcmp(guid, "controller") != 0) return NULL;
    return calloc(1, sizeof(controller));
}

void fmi2FreeInstance(fmi2Component c)
{
    free(c);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop)
{
    (void)c, (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    (void)c;
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                       const fmi2Real value[])
{
    for (size_t i = 0; i < n; ++i)
        ((controller*)c)->value[vr[i]] = value[i];
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    for (size_t i = 0; i < n; ++i)
        value[i] = ((controller*)c)->value[vr[i]];
    return fmi2OK;
}

/// It samples at the start of its step and holds.
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real dt, fmi2Boolean no_going_back)
{
    double* x = ((controller*)c)->value;
    (void)t, (void)dt, (void)no_going_back;
    for (int d = 0; d < 3; ++d)
        x[20 + d] = -STIFFNESS * x[d] - DAMPING * x[10 + d];
    return fmi2OK;
}
