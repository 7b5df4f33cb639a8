/// The C interface of FMI 3.0, declared from its specification: types, and the functions that an
/// FMU exports. Functions of types, clocks and kinds that our FMUs do not have are there too, since
/// importers may look all of them up.
#ifndef PKM_FMU_FMI3_H
#define PKM_FMU_FMI3_H

#include "fmu/fmi_export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;
typedef enum {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 t,
                                               fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                               fmi3Boolean step_finished, fmi3Boolean may_return,
                                               fmi3Boolean* wants_return, fmi3Float64* return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

// ---- all FMUs ---------------------------------------------------------------------------------

FMI_EXPORT const char* fmi3GetVersion(void);
FMI_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean on, size_t n,
                                          const fmi3String categories[]);
FMI_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                     fmi3String resources, fmi3Boolean visible,
                                                     fmi3Boolean logging, fmi3InstanceEnvironment,
                                                     fmi3LogMessageCallback);
FMI_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean uses_events, fmi3Boolean may_return_early,
    const fmi3ValueReference intermediate[], size_t n_intermediate, fmi3InstanceEnvironment,
    fmi3LogMessageCallback, fmi3IntermediateUpdateCallback);
FMI_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment, fmi3LogMessageCallback, fmi3ClockUpdateCallback,
    fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback);
FMI_EXPORT void fmi3FreeInstance(fmi3Instance);
FMI_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean has_tolerance,
                                                  fmi3Float64 tolerance, fmi3Float64 start,
                                                  fmi3Boolean has_stop, fmi3Float64 stop);
FMI_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance);
FMI_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance);
FMI_EXPORT fmi3Status fmi3Terminate(fmi3Instance);
FMI_EXPORT fmi3Status fmi3Reset(fmi3Instance);
FMI_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance);
FMI_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance);

// ---- values -----------------------------------------------------------------------------------

FMI_EXPORT fmi3Status fmi3GetFloat32(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                     fmi3Float32 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetFloat32(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                     const fmi3Float32 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                     fmi3Float64 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                     const fmi3Float64 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetInt8(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                  fmi3Int8 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetInt8(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                  const fmi3Int8 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetUInt8(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   fmi3UInt8 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetUInt8(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   const fmi3UInt8 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetInt16(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   fmi3Int16 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetInt16(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   const fmi3Int16 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetUInt16(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    fmi3UInt16 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetUInt16(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    const fmi3UInt16 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetInt32(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   fmi3Int32 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetInt32(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   const fmi3Int32 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetUInt32(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    fmi3UInt32 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetUInt32(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    const fmi3UInt32 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetInt64(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   fmi3Int64 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetInt64(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   const fmi3Int64 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetUInt64(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    fmi3UInt64 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetUInt64(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    const fmi3UInt64 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetBoolean(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                     fmi3Boolean value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetBoolean(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                     const fmi3Boolean value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetString(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    fmi3String value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetString(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    const fmi3String value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetBinary(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    size_t size[], fmi3Binary value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3SetBinary(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                    const size_t size[], const fmi3Binary value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3GetClock(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   fmi3Clock value[]);
FMI_EXPORT fmi3Status fmi3SetClock(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                   const fmi3Clock value[]);
FMI_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3ValueReference,
                                                          size_t*);
FMI_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3ValueReference,
                                                  size_t of_dependent[],
                                                  fmi3ValueReference independent[],
                                                  size_t of_independent[], fmi3DependencyKind[],
                                                  size_t n);

FMI_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState*);
FMI_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
FMI_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState*);
FMI_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, size_t*);
FMI_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte[], size_t);
FMI_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte[], size_t,
                                              fmi3FMUState*);
FMI_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance, const fmi3ValueReference unknown[],
                                                   size_t n_unknown,
                                                   const fmi3ValueReference known[], size_t n_known,
                                                   const fmi3Float64 seed[], size_t n_seed,
                                                   fmi3Float64 out[], size_t n_out);
FMI_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance, const fmi3ValueReference unknown[],
                                               size_t n_unknown, const fmi3ValueReference known[],
                                               size_t n_known, const fmi3Float64 seed[],
                                               size_t n_seed, fmi3Float64 out[], size_t n_out);

// ---- clocks -----------------------------------------------------------------------------------

FMI_EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                             fmi3Float64 interval[], fmi3IntervalQualifier[]);
FMI_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                              fmi3UInt64 counter[], fmi3UInt64 resolution[],
                                              fmi3IntervalQualifier[]);
FMI_EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                          fmi3Float64 shift[]);
FMI_EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                           fmi3UInt64 counter[], fmi3UInt64 resolution[]);
FMI_EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                             const fmi3Float64 interval[]);
FMI_EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                              const fmi3UInt64 counter[],
                                              const fmi3UInt64 resolution[]);
FMI_EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                          const fmi3Float64 shift[]);
FMI_EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance, const fmi3ValueReference vr[], size_t n,
                                           const fmi3UInt64 counter[],
                                           const fmi3UInt64 resolution[]);
FMI_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance);
FMI_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance, fmi3Boolean* again, fmi3Boolean* ends,
                                               fmi3Boolean* nominals_changed,
                                               fmi3Boolean* values_changed, fmi3Boolean* has_next,
                                               fmi3Float64* next);
FMI_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance, fmi3ValueReference clock,
                                                 fmi3Float64 t);

// ---- model exchange ---------------------------------------------------------------------------

FMI_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance);
FMI_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance, fmi3Boolean no_going_back,
                                                  fmi3Boolean* enter_event, fmi3Boolean* ends);
FMI_EXPORT fmi3Status fmi3SetTime(fmi3Instance, fmi3Float64);
FMI_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance, const fmi3Float64[], size_t);
FMI_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance, fmi3Float64[], size_t);
FMI_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance, fmi3Float64[], size_t);
FMI_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance, fmi3Float64[], size_t);
FMI_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance, fmi3Float64[], size_t);
FMI_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance, size_t*);
FMI_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance, size_t*);

// ---- co-simulation ----------------------------------------------------------------------------

FMI_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance);
FMI_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance, const fmi3ValueReference vr[],
                                               size_t n, const fmi3Int32 order[],
                                               fmi3Float64 value[], size_t n_value);
FMI_EXPORT fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64 t, fmi3Float64 dt,
                                 fmi3Boolean no_going_back, fmi3Boolean* needs_event,
                                 fmi3Boolean* ends, fmi3Boolean* early, fmi3Float64* reached);

#endif
