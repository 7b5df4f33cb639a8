/// FMI 3.0 over component.h, see fmi2.c; what our FMUs do not have is in fmi3_none.c.
#include "fmu/fmi3.h"

#include "base/memory.h"
#include "fmu/component.h"
#include "fmu/fmi3_impl.h"

#include <math.h>

enum {
    BEFORE = AT_START | INITIALISING,
    RUNNING = STEPPING | AT_EVENT | CONTINUOUS,
    ALIVE = BEFORE | RUNNING | ENDED | FAILED,
};

typedef struct interface {
    fmi3LogMessageCallback log;
    fmi3InstanceEnvironment environment;
} interface;

static void tell(void* user, const char* name, component_status status, const char* category,
                 const char* text)
{
    const interface* with = user;
    (void)name;
    if (with->log) with->log(with->environment, (fmi3Status)status, category, text);
}

// ---- life -------------------------------------------------------------------------------------

const char* fmi3GetVersion(void)
{
    return "3.0";
}

static fmi3Instance instantiate(component_spec* spec, fmi3InstanceEnvironment environment,
                                fmi3LogMessageCallback log)
{
    if (!spec->name || !*spec->name) return NULL;
    interface* with = pkm_alloc(1, sizeof *with);
    if (!with) return NULL;
    *with = (interface){log, environment};
    spec->log = tell;
    spec->user = spec->interface = with;
    component* c = component_create(spec);
    if (!c) pkm_free(with);
    return c;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
    (void)resources, (void)visible;
    return instantiate(
        &(component_spec){
            .name = name, .token = token, .is_talkative = logging, .is_exchange = true},
        environment, log);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean uses_events, fmi3Boolean may_return_early,
                                         const fmi3ValueReference intermediate[],
                                         size_t n_intermediate, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update)
{
    (void)resources, (void)visible, (void)intermediate, (void)update;
    if (uses_events || n_intermediate > 0) return NULL; // modelDescription.xml says so
    return instantiate(&(component_spec){.name = name,
                                         .token = token,
                                         .is_talkative = logging,
                                         .may_end_early = may_return_early},
                       environment, log);
}

void fmi3FreeInstance(fmi3Instance instance)
{
    component_free(instance);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t n,
                               const fmi3String categories[])
{
    ENTER(ALIVE);
    if (n > 0) NEED(categories);
    c->is_talkative = on;
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop)
{
    ENTER(AT_START);
    (void)has_tolerance, (void)tolerance;
    if (component_setup(c, start, has_stop ? stop : NAN) != COMPONENT_OK) return fmi3Error;
    return (fmi3Status)component_enter_initialisation(c);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    ENTER(INITIALISING);
    return (fmi3Status)component_exit_initialisation(c);
}

fmi3Status fmi3Terminate(fmi3Instance instance)
{
    ENTER(RUNNING);
    c->phase = ENDED;
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance instance)
{
    ENTER(ALIVE);
    return (fmi3Status)component_reset(c);
}

// ---- values -----------------------------------------------------------------------------------

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                          fmi3Float64 value[], size_t n_value)
{
    ENTER(ALIVE);
    if (n > 0) {
        NEED(vr);
        NEED(value);
    }
    NEED(n == n_value);
    for (size_t i = 0; i < n; ++i) {
        const component_status status = component_get(c, vr[i], &value[i]);
        if (status != COMPONENT_OK) return (fmi3Status)status;
    }
    return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                          const fmi3Float64 value[], size_t n_value)
{
    ENTER(BEFORE | RUNNING);
    if (n > 0) {
        NEED(vr);
        NEED(value);
    }
    NEED(n == n_value);
    for (size_t i = 0; i < n; ++i)
        if (component_set(c, vr[i], value[i]) != COMPONENT_OK) return fmi3Error;
    return fmi3OK;
}

fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference vr[], size_t n,
                        fmi3Int32 value[], size_t n_value)
{
    ENTER(ALIVE);
    if (n > 0) {
        NEED(vr);
        NEED(value);
    }
    NEED(n == n_value);
    for (size_t i = 0; i < n; ++i) {
        int count;
        if (component_get_warnings(c, vr[i], &count) != COMPONENT_OK) return fmi3Error;
        value[i] = count;
    }
    return fmi3OK;
}

// ---- states of before -------------------------------------------------------------------------

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state)
{
    ENTER(ALIVE);
    NEED(state);
    component_state* made = NULL;
    if (component_save(c, &made) != COMPONENT_OK) return fmi3Error;
    component_free_state(*state);
    *state = made;
    return fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state)
{
    ENTER(ALIVE);
    NEED(state);
    return (fmi3Status)component_restore(c, state);
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state)
{
    ENTER(ALIVE);
    if (!state) return fmi3OK;
    component_free_state(*state);
    *state = NULL;
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t* size)
{
    ENTER(ALIVE);
    NEED(state);
    NEED(size);
    *size = component_state_size(state);
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size)
{
    ENTER(ALIVE);
    NEED(state);
    NEED(bytes);
    NEED(size >= component_state_size(state));
    component_state_write(state, bytes);
    return fmi3OK;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState* state)
{
    ENTER(ALIVE);
    NEED(bytes);
    NEED(state);
    component_state* made = NULL;
    if (component_state_read(c, bytes, size, &made) != COMPONENT_OK) return fmi3Error;
    *state = made;
    return fmi3OK;
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknown[],
                                        size_t n_unknown, const fmi3ValueReference known[],
                                        size_t n_known, const fmi3Float64 seed[], size_t n_seed,
                                        fmi3Float64 out[], size_t n_out)
{
    ENTER(INITIALISING | RUNNING);
    NEED(unknown);
    NEED(known);
    NEED(seed);
    NEED(out);
    NEED(n_seed == n_known && n_out == n_unknown);
    return (fmi3Status)component_derivative(c, unknown, n_unknown, known, n_known, seed, out);
}

// ---- model exchange ---------------------------------------------------------------------------

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    ENTER(CONTINUOUS | AT_EVENT);
    c->phase = AT_EVENT;
    return fmi3OK;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* again, fmi3Boolean* ends,
                                    fmi3Boolean* nominals_changed, fmi3Boolean* values_changed,
                                    fmi3Boolean* has_next, fmi3Float64* next)
{
    bool changed = false;
    double time = HUGE_VAL;
    ENTER(AT_EVENT);
    NEED(again && ends && nominals_changed && values_changed && has_next && next);
    const component_status status = component_pass_event(c, &changed, &time);
    *again = *ends = false;
    *nominals_changed = *values_changed = changed;
    *has_next = isfinite(time);
    *next = *has_next ? time : 0.0;
    return (fmi3Status)status;
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    ENTER(INITIALISING | AT_EVENT);
    return fmi3OK; // there are none that others see
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    ENTER(AT_EVENT);
    c->phase = CONTINUOUS;
    return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean no_going_back,
                                       fmi3Boolean* enter_event, fmi3Boolean* ends)
{
    ENTER(CONTINUOUS);
    (void)no_going_back;
    NEED(enter_event && ends);
    *enter_event = *ends = false;
    return (fmi3Status)component_accept(c);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 t)
{
    ENTER(CONTINUOUS | AT_EVENT);
    return (fmi3Status)component_set_time(c, t);
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 x[], size_t n)
{
    ENTER(CONTINUOUS);
    NEED(x);
    return (fmi3Status)component_set_states(c, x, n);
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 out[], size_t n)
{
    ENTER(INITIALISING | CONTINUOUS | AT_EVENT | ENDED);
    NEED(out && c->x);
    return (fmi3Status)component_get_rates(c, out, n);
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 out[], size_t n)
{
    ENTER(INITIALISING | CONTINUOUS | AT_EVENT | ENDED);
    NEED(out && n == 1 && c->x);
    return (fmi3Status)component_get_indicator(c, out);
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 x[], size_t n)
{
    ENTER(INITIALISING | CONTINUOUS | AT_EVENT | ENDED);
    NEED(x && c->x);
    return (fmi3Status)component_get_states(c, x, n);
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 out[], size_t n)
{
    ENTER(INITIALISING | CONTINUOUS | AT_EVENT | ENDED);
    NEED(out && c->x);
    return (fmi3Status)component_get_nominals(c, out, n);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* n)
{
    ENTER(ALIVE);
    NEED(n);
    *n = c->is_exchange ? 1 : 0;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* n)
{
    ENTER(ALIVE);
    NEED(n);
    *n = (size_t)c->n_state;
    return fmi3OK;
}

// ---- co-simulation ----------------------------------------------------------------------------

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 dt,
                      fmi3Boolean no_going_back, fmi3Boolean* needs_event, fmi3Boolean* ends,
                      fmi3Boolean* early, fmi3Float64* reached)
{
    ENTER(STEPPING);
    (void)no_going_back;
    NEED(needs_event);
    NEED(ends);
    NEED(early);
    NEED(reached);
    *needs_event = *ends = *early = false;
    const component_status status = component_step(c, t, dt, reached);
    *early = status == COMPONENT_OK && c->may_end_early && *reached < t + dt - 1e-9 * dt;
    return (fmi3Status)status;
}
