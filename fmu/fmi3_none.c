/// What FMI 3.0 has and our FMUs do not: other types, clocks, scheduled execution. Each call says
/// so in the log and fails, unless it asks for nothing.
#include "fmu/fmi3_impl.h"

static fmi3Status none(fmi3Instance instance, size_t n, const char* call)
{
    component* c = instance;
    if (!c) return fmi3Error;
    if (n == 0) return fmi3OK;
    return (fmi3Status)component_say(c, COMPONENT_ERROR, "logStatusError",
                                     "%s: there is nothing in this FMU that it is for", call);
}

/// Values of a type that no variable has.
#define NO_GET(type)                                                                               \
    fmi3Status fmi3Get##type(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,       \
                             fmi3##type value[], size_t n_value)                                   \
    {                                                                                              \
        (void)vr, (void)value, (void)n_value;                                                      \
        return none(instance, n, __func__);                                                        \
    }
#define NO_SET(type)                                                                               \
    fmi3Status fmi3Set##type(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,       \
                             const fmi3##type value[], size_t n_value)                             \
    {                                                                                              \
        (void)vr, (void)value, (void)n_value;                                                      \
        return none(instance, n, __func__);                                                        \
    }
NO_GET(Float32)
NO_SET(Float32)
NO_GET(Int8)
NO_SET(Int8)
NO_GET(UInt8)
NO_SET(UInt8)
NO_GET(Int16)
NO_SET(Int16)
NO_GET(UInt16)
NO_SET(UInt16)
NO_GET(UInt32)
NO_SET(UInt32)
NO_GET(Int64)
NO_SET(Int64)
NO_GET(UInt64)
NO_SET(UInt64)
NO_GET(Boolean)
NO_SET(Boolean)
NO_GET(String)
NO_SET(String)
NO_SET(Int32)

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                         size_t size[], fmi3Binary value[], size_t n_value)
{
    (void)vr, (void)size, (void)value, (void)n_value;
    return none(instance, n, __func__);
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                         const size_t size[], const fmi3Binary value[], size_t n_value)
{
    (void)vr, (void)size, (void)value, (void)n_value;
    return none(instance, n, __func__);
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                        fmi3Clock value[])
{
    (void)vr, (void)value;
    return none(instance, n, __func__);
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                        const fmi3Clock value[])
{
    (void)vr, (void)value;
    return none(instance, n, __func__);
}

fmi3Instance
fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                  fmi3Boolean visible, fmi3Boolean logging,
                                  fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                  fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
                                  fmi3UnlockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    (void)update, (void)lock, (void)unlock;
    if (log)
        log(environment, fmi3Error, "logStatusError",
            "instantiation: this FMU was not exported for scheduled execution");
    return NULL;
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    return none(instance, 1, __func__);
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    return none(instance, 1, __func__);
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    return none(instance, 1, __func__);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference vr,
                                               size_t* n)
{
    (void)vr, (void)n;
    return none(instance, 1, __func__);
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference vr,
                                       size_t of_dependent[], fmi3ValueReference independent[],
                                       size_t of_independent[], fmi3DependencyKind kind[], size_t n)
{
    (void)vr, (void)of_dependent, (void)independent, (void)of_independent, (void)kind, (void)n;
    return none(instance, 1, __func__);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknown[],
                                    size_t n_unknown, const fmi3ValueReference known[],
                                    size_t n_known, const fmi3Float64 seed[], size_t n_seed,
                                    fmi3Float64 out[], size_t n_out)
{
    (void)unknown, (void)n_unknown, (void)known, (void)n_known;
    (void)seed, (void)n_seed, (void)out, (void)n_out;
    return none(instance, 1, __func__);
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                                    const fmi3Int32 order[], fmi3Float64 value[], size_t n_value)
{
    (void)vr, (void)order, (void)value, (void)n_value;
    return none(instance, n, __func__);
}

// ---- clocks -----------------------------------------------------------------------------------

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                                  fmi3Float64 interval[], fmi3IntervalQualifier qualifier[])
{
    (void)vr, (void)interval, (void)qualifier;
    return none(instance, n, __func__);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                                   fmi3UInt64 counter[], fmi3UInt64 resolution[],
                                   fmi3IntervalQualifier qualifier[])
{
    (void)vr, (void)counter, (void)resolution, (void)qualifier;
    return none(instance, n, __func__);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                               fmi3Float64 shift[])
{
    (void)vr, (void)shift;
    return none(instance, n, __func__);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                                fmi3UInt64 counter[], fmi3UInt64 resolution[])
{
    (void)vr, (void)counter, (void)resolution;
    return none(instance, n, __func__);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                                  const fmi3Float64 interval[])
{
    (void)vr, (void)interval;
    return none(instance, n, __func__);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                                   const fmi3UInt64 counter[], const fmi3UInt64 resolution[])
{
    (void)vr, (void)counter, (void)resolution;
    return none(instance, n, __func__);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                               const fmi3Float64 shift[])
{
    (void)vr, (void)shift;
    return none(instance, n, __func__);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                                const fmi3UInt64 counter[], const fmi3UInt64 resolution[])
{
    (void)vr, (void)counter, (void)resolution;
    return none(instance, n, __func__);
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock,
                                      fmi3Float64 t)
{
    (void)clock, (void)t;
    return none(instance, 1, __func__);
}
