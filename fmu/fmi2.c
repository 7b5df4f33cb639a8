/// FMI 2.0 over component.h: pointers are checked, calls are counted where they are allowed, and
/// statuses have the same numbers.
#include "fmu/fmi2.h"

#include "base/memory.h"
#include "fmu/component.h"

#include <math.h>
#include <string.h>

enum {
    BEFORE = AT_START | INITIALISING,
    RUNNING = STEPPING | AT_EVENT | CONTINUOUS,
    ALIVE = BEFORE | RUNNING | ENDED | FAILED,
};

/// The callbacks of the importer.
typedef struct interface {
    fmi2CallbackFunctions callbacks;
} interface;

static void tell(void* user, const char* name, component_status status, const char* category,
                 const char* text)
{
    const interface* with = user;
    if (with->callbacks.logger)
        with->callbacks.logger(with->callbacks.componentEnvironment, name, (fmi2Status)status,
                               category, "%s", text);
}

/// Arguments that must not be NULL.
static fmi2Status refuse(const component* c, const char* call)
{
    return (fmi2Status)component_say(c, COMPONENT_ERROR, "logStatusError",
                                     "%s: an argument is NULL", call);
}

#define ENTER(phases)                                                                              \
    component* c = instance;                                                                       \
    if (component_require(c, (phases), __func__) != COMPONENT_OK) return fmi2Error
#define NEED(pointer)                                                                              \
    if (!(pointer)) return refuse(c, __func__)

// ---- life -------------------------------------------------------------------------------------

const char* fmi2GetTypesPlatform(void)
{
    return "default";
}

const char* fmi2GetVersion(void)
{
    return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    (void)resources, (void)visible;
    if (!name || !*name || !callbacks) return NULL;
    interface* with = pkm_alloc(1, sizeof *with);
    if (!with) return NULL;
    with->callbacks = *callbacks;
    component* c = component_create(&(component_spec){.name = name,
                                                      .token = guid,
                                                      .log = tell,
                                                      .user = with,
                                                      .interface = with,
                                                      .is_talkative = logging != 0,
                                                      .is_exchange = type == fmi2ModelExchange});
    if (!c) pkm_free(with);
    return c;
}

void fmi2FreeInstance(fmi2Component instance)
{
    component_free(instance);
}

fmi2Status fmi2SetDebugLogging(fmi2Component instance, fmi2Boolean on, size_t n,
                               const fmi2String categories[])
{
    ENTER(ALIVE);
    if (n > 0) NEED(categories);
    c->is_talkative = on != 0;
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component instance, fmi2Boolean has_tolerance,
                               fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                               fmi2Real stop)
{
    ENTER(AT_START);
    (void)has_tolerance, (void)tolerance;
    return (fmi2Status)component_setup(c, start, has_stop ? stop : NAN);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component instance)
{
    ENTER(AT_START);
    return (fmi2Status)component_enter_initialisation(c);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component instance)
{
    ENTER(INITIALISING);
    return (fmi2Status)component_exit_initialisation(c);
}

fmi2Status fmi2Terminate(fmi2Component instance)
{
    ENTER(RUNNING);
    c->phase = ENDED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component instance)
{
    ENTER(ALIVE);
    return (fmi2Status)component_reset(c);
}

// ---- values -----------------------------------------------------------------------------------

fmi2Status fmi2GetReal(fmi2Component instance, const fmi2ValueReference vr[], size_t n,
                       fmi2Real value[])
{
    ENTER(ALIVE);
    if (n > 0) {
        NEED(vr);
        NEED(value);
    }
    for (size_t i = 0; i < n; ++i) {
        const component_status status = component_get(c, vr[i], &value[i]);
        if (status != COMPONENT_OK) return (fmi2Status)status;
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component instance, const fmi2ValueReference vr[], size_t n,
                       const fmi2Real value[])
{
    ENTER(BEFORE | RUNNING);
    if (n > 0) {
        NEED(vr);
        NEED(value);
    }
    for (size_t i = 0; i < n; ++i)
        if (component_set(c, vr[i], value[i]) != COMPONENT_OK) return fmi2Error;
    return fmi2OK;
}

fmi2Status fmi2GetInteger(fmi2Component instance, const fmi2ValueReference vr[], size_t n,
                          fmi2Integer value[])
{
    ENTER(ALIVE);
    if (n > 0) {
        NEED(vr);
        NEED(value);
    }
    for (size_t i = 0; i < n; ++i)
        if (component_get_warnings(c, vr[i], &value[i]) != COMPONENT_OK) return fmi2Error;
    return fmi2OK;
}

/// There are no variables of the other types, and integers are outputs.
static fmi2Status no_variables(const component* c, size_t n, const char* call)
{
    if (n == 0) return fmi2OK;
    return (fmi2Status)component_say(c, COMPONENT_ERROR, "logStatusError",
                                     "%s: there are no variables that it is for", call);
}

fmi2Status fmi2GetBoolean(fmi2Component instance, const fmi2ValueReference vr[], size_t n,
                          fmi2Boolean value[])
{
    ENTER(ALIVE);
    (void)vr, (void)value;
    return no_variables(c, n, __func__);
}

fmi2Status fmi2GetString(fmi2Component instance, const fmi2ValueReference vr[], size_t n,
                         fmi2String value[])
{
    ENTER(ALIVE);
    (void)vr, (void)value;
    return no_variables(c, n, __func__);
}

fmi2Status fmi2SetInteger(fmi2Component instance, const fmi2ValueReference vr[], size_t n,
                          const fmi2Integer value[])
{
    ENTER(ALIVE);
    (void)vr, (void)value;
    return no_variables(c, n, __func__);
}

fmi2Status fmi2SetBoolean(fmi2Component instance, const fmi2ValueReference vr[], size_t n,
                          const fmi2Boolean value[])
{
    ENTER(ALIVE);
    (void)vr, (void)value;
    return no_variables(c, n, __func__);
}

fmi2Status fmi2SetString(fmi2Component instance, const fmi2ValueReference vr[], size_t n,
                         const fmi2String value[])
{
    ENTER(ALIVE);
    (void)vr, (void)value;
    return no_variables(c, n, __func__);
}

// ---- states of before -------------------------------------------------------------------------

fmi2Status fmi2GetFMUstate(fmi2Component instance, fmi2FMUstate* state)
{
    ENTER(ALIVE);
    NEED(state);
    component_state* made = NULL;
    if (component_save(c, &made) != COMPONENT_OK) return fmi2Error;
    component_free_state(*state); // an old one is used again
    *state = made;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component instance, fmi2FMUstate state)
{
    ENTER(ALIVE);
    NEED(state);
    return (fmi2Status)component_restore(c, state);
}

fmi2Status fmi2FreeFMUstate(fmi2Component instance, fmi2FMUstate* state)
{
    ENTER(ALIVE);
    if (!state) return fmi2OK;
    component_free_state(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component instance, fmi2FMUstate state, size_t* size)
{
    ENTER(ALIVE);
    NEED(state);
    NEED(size);
    *size = component_state_size(state);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component instance, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size)
{
    ENTER(ALIVE);
    NEED(state);
    NEED(bytes);
    if (size < component_state_size(state)) return refuse(c, __func__);
    component_state_write(state, bytes);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component instance, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state)
{
    ENTER(ALIVE);
    NEED(bytes);
    NEED(state);
    component_state* made = NULL;
    if (component_state_read(c, bytes, size, &made) != COMPONENT_OK) return fmi2Error;
    *state = made;
    return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component instance, const fmi2ValueReference unknown[],
                                        size_t n_unknown, const fmi2ValueReference known[],
                                        size_t n_known, const fmi2Real dv_known[],
                                        fmi2Real dv_unknown[])
{
    ENTER(INITIALISING | RUNNING);
    NEED(unknown);
    NEED(known);
    NEED(dv_known);
    NEED(dv_unknown);
    return (fmi2Status)component_derivative(c, unknown, n_unknown, known, n_known, dv_known,
                                            dv_unknown);
}

// ---- model exchange ---------------------------------------------------------------------------

fmi2Status fmi2EnterEventMode(fmi2Component instance)
{
    ENTER(CONTINUOUS | AT_EVENT);
    c->phase = AT_EVENT;
    return fmi2OK;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component instance, fmi2EventInfo* info)
{
    bool changed = false;
    double next = HUGE_VAL;
    ENTER(AT_EVENT);
    NEED(info);
    const component_status status = component_pass_event(c, &changed, &next);
    *info = (fmi2EventInfo){.nominalsOfContinuousStatesChanged = changed,
                            .valuesOfContinuousStatesChanged = changed,
                            .nextEventTimeDefined = isfinite(next),
                            .nextEventTime = isfinite(next) ? next : 0.0};
    return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component instance)
{
    ENTER(AT_EVENT);
    c->phase = CONTINUOUS;
    return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component instance, fmi2Boolean no_going_back,
                                       fmi2Boolean* enter_event, fmi2Boolean* terminate)
{
    ENTER(CONTINUOUS);
    (void)no_going_back;
    NEED(enter_event);
    NEED(terminate);
    *enter_event = *terminate = 0;
    return (fmi2Status)component_accept(c);
}

fmi2Status fmi2SetTime(fmi2Component instance, fmi2Real t)
{
    ENTER(CONTINUOUS | AT_EVENT);
    return (fmi2Status)component_set_time(c, t);
}

fmi2Status fmi2SetContinuousStates(fmi2Component instance, const fmi2Real x[], size_t n)
{
    ENTER(CONTINUOUS);
    NEED(x);
    return (fmi2Status)component_set_states(c, x, n);
}

fmi2Status fmi2GetDerivatives(fmi2Component instance, fmi2Real out[], size_t n)
{
    ENTER(INITIALISING | CONTINUOUS | AT_EVENT | ENDED);
    NEED(out && c->x);
    return (fmi2Status)component_get_rates(c, out, n);
}

fmi2Status fmi2GetEventIndicators(fmi2Component instance, fmi2Real out[], size_t n)
{
    ENTER(INITIALISING | CONTINUOUS | AT_EVENT | ENDED);
    NEED(out && n == 1 && c->x);
    return (fmi2Status)component_get_indicator(c, out);
}

fmi2Status fmi2GetContinuousStates(fmi2Component instance, fmi2Real x[], size_t n)
{
    ENTER(INITIALISING | CONTINUOUS | AT_EVENT | ENDED);
    NEED(x && c->x);
    return (fmi2Status)component_get_states(c, x, n);
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component instance, fmi2Real out[], size_t n)
{
    ENTER(INITIALISING | CONTINUOUS | AT_EVENT | ENDED);
    NEED(out && c->x);
    return (fmi2Status)component_get_nominals(c, out, n);
}

// ---- co-simulation ----------------------------------------------------------------------------

fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real t, fmi2Real dt, fmi2Boolean no_going_back)
{
    double reached;
    ENTER(STEPPING);
    (void)no_going_back;
    return (fmi2Status)component_step(c, t, dt, &reached);
}

fmi2Status fmi2CancelStep(fmi2Component instance)
{
    ENTER(STEPPING);
    return (fmi2Status)component_say(c, COMPONENT_ERROR, "logStatusError",
                                     "steps are done when they return: there is nothing to cancel");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component instance, const fmi2ValueReference vr[],
                                       size_t n, const fmi2Integer order[], const fmi2Real value[])
{
    ENTER(BEFORE | STEPPING);
    (void)vr, (void)order, (void)value;
    return no_variables(c, n, __func__);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component instance, const fmi2ValueReference vr[],
                                        size_t n, const fmi2Integer order[], fmi2Real value[])
{
    ENTER(BEFORE | STEPPING);
    (void)vr, (void)order, (void)value;
    return no_variables(c, n, __func__);
}

fmi2Status fmi2GetStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Status* status)
{
    ENTER(STEPPING | FAILED | ENDED);
    NEED(status);
    if (kind != fmi2DoStepStatus) return fmi2Discard;
    *status = c->phase == FAILED ? fmi2Error : fmi2OK;
    return fmi2OK;
}

fmi2Status fmi2GetRealStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Real* value)
{
    ENTER(STEPPING | FAILED | ENDED);
    NEED(value);
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = c->time;
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Integer* value)
{
    ENTER(STEPPING | FAILED | ENDED);
    (void)kind, (void)value;
    return fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component instance, fmi2StatusKind kind, fmi2Boolean* value)
{
    ENTER(STEPPING | FAILED | ENDED);
    NEED(value);
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = c->phase == FAILED;
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component instance, fmi2StatusKind kind, fmi2String* value)
{
    ENTER(STEPPING | FAILED | ENDED);
    NEED(value);
    if (kind != fmi2PendingStatus) return fmi2Discard;
    *value = "";
    return fmi2OK;
}
