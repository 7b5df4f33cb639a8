/// A master for tests: loads the library of an FMU 2.0 as other programs do, runs it, and prints a
/// row of outputs per instant.
///
///     master cs|me LIBRARY TOKEN STOP STEP [p VR VALUE]... [i VR VALUE]... [o VR]...
///     master couple LIBRARY TOKEN STOP STEP CONTROLLER [o VR]... [q VR]... [v VR]... [f VR]...
///     master misuse LIBRARY TOKEN VR_PARAMETER VR_INPUT VR_OUTPUT
///
/// p: a parameter set before, i: an input set in initialisation mode. Model exchange is integrated
/// by CVODE with its root finding. Exit code 1: a call failed; 3: instantiation did.
#include "fmu/fmi2.h"

#include <cvode/cvode.h>
#include <dlfcn.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/// Every function that is called here.
#define FUNCTIONS(X)                                                                               \
    X(fmi2GetTypesPlatform)                                                                        \
    X(fmi2GetVersion)                                                                              \
    X(fmi2SetDebugLogging)                                                                         \
    X(fmi2Instantiate)                                                                             \
    X(fmi2FreeInstance)                                                                            \
    X(fmi2SetupExperiment)                                                                         \
    X(fmi2EnterInitializationMode)                                                                 \
    X(fmi2ExitInitializationMode)                                                                  \
    X(fmi2Terminate)                                                                               \
    X(fmi2Reset)                                                                                   \
    X(fmi2GetReal)                                                                                 \
    X(fmi2SetReal)                                                                                 \
    X(fmi2GetInteger)                                                                              \
    X(fmi2SetInteger)                                                                              \
    X(fmi2GetString)                                                                               \
    X(fmi2GetFMUstate)                                                                             \
    X(fmi2SetFMUstate)                                                                             \
    X(fmi2FreeFMUstate)                                                                            \
    X(fmi2SerializedFMUstateSize)                                                                  \
    X(fmi2SerializeFMUstate)                                                                       \
    X(fmi2DeSerializeFMUstate)                                                                     \
    X(fmi2GetDirectionalDerivative)                                                                \
    X(fmi2DoStep)                                                                                  \
    X(fmi2CancelStep)                                                                              \
    X(fmi2GetBooleanStatus)                                                                        \
    X(fmi2GetRealStatus)                                                                           \
    X(fmi2EnterEventMode)                                                                          \
    X(fmi2NewDiscreteStates)                                                                       \
    X(fmi2EnterContinuousTimeMode)                                                                 \
    X(fmi2CompletedIntegratorStep)                                                                 \
    X(fmi2SetTime)                                                                                 \
    X(fmi2SetContinuousStates)                                                                     \
    X(fmi2GetDerivatives)                                                                          \
    X(fmi2GetEventIndicators)                                                                      \
    X(fmi2GetContinuousStates)                                                                     \
    X(fmi2GetNominalsOfContinuousStates)

/// A library's functions.
typedef struct library {
#define AS_FIELD(name) __typeof__(name)* name;
    FUNCTIONS(AS_FIELD)
#undef AS_FIELD
} library;

static int failures;

static void fail(const char* what)
{
    fprintf(stderr, "failed: %s\n", what);
    ++failures;
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) fail(#condition);                                                        \
    } while (0)
/// A call that must succeed.
#define DO(call)                                                                                   \
    do {                                                                                           \
        if ((call) != fmi2OK) {                                                                    \
            fail(#call);                                                                           \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static library load(const char* path, bool all)
{
    library out;
    void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
#define LOOK_UP(name)                                                                              \
    *(void**)&out.name = dlsym(handle, #name);                                                     \
    if (all && !out.name) fail("dlsym " #name);
    FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return out;
}

static void tell(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                 fmi2String category, fmi2String message, ...)
{
    va_list arguments;
    (void)environment, (void)category;
    va_start(arguments, message);
    fprintf(stderr, "%s (%d): ", name, (int)status);
    vfprintf(stderr, message, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

static const fmi2CallbackFunctions callbacks = {.logger = tell};

static fmi2Component instantiate(const library* l, const char* name, fmi2Type type,
                                 const char* token)
{
    fmi2Component c = l->fmi2Instantiate(name, type, token, "", &callbacks, 0, 0);
    if (!c) exit(3);
    return c;
}

// ---- what the command line says ---------------------------------------------------------------

enum { MAX_ITEM = 100 };

typedef struct items {
    int n;
    fmi2ValueReference vr[MAX_ITEM];
    double value[MAX_ITEM];
} items;

static items read_items(int argc, char** argv, char kind, bool has_value)
{
    items out = {.n = 0};
    for (int i = 6; i + (has_value ? 2 : 1) < argc && out.n < MAX_ITEM; ++i) {
        if (argv[i][0] != kind || argv[i][1]) continue;
        out.vr[out.n] = (fmi2ValueReference)strtoul(argv[i + 1], NULL, 10);
        if (has_value) out.value[out.n] = strtod(argv[i + 2], NULL);
        ++out.n;
    }
    return out;
}

static void print_row(const library* l, fmi2Component c, double t, items* o)
{
    DO(l->fmi2GetReal(c, o->vr, (size_t)o->n, o->value));
    printf("%.17g", t);
    for (int i = 0; i < o->n; ++i)
        printf(",%.17g", o->value[i]);
    printf("\n");
}

static void initialise(const library* l, fmi2Component c, double stop, items* p, items* in)
{
    DO(l->fmi2SetReal(c, p->vr, (size_t)p->n, p->value));
    DO(l->fmi2SetupExperiment(c, 0, 0.0, 0.0, 1, stop));
    DO(l->fmi2EnterInitializationMode(c));
    DO(l->fmi2SetReal(c, in->vr, (size_t)in->n, in->value));
    DO(l->fmi2ExitInitializationMode(c));
}

// ---- co-simulation ----------------------------------------------------------------------------

static void run_steps(const library* l, fmi2Component c, double stop, double step, items* o)
{
    const int n = (int)lround(stop / step);
    print_row(l, c, 0.0, o);
    for (int k = 0; k < n; ++k) {
        DO(l->fmi2DoStep(c, k * step, step, 1));
        print_row(l, c, (k + 1) * step, o);
    }
}

// ---- model exchange by CVODE ------------------------------------------------------------------

typedef struct exchange {
    const library* l;
    fmi2Component c;
    size_t n;
} exchange;

/// A state at which the FMU has no rates is one to step back from.
static int rates(realtype t, N_Vector y, N_Vector dy, void* user)
{
    const exchange* x = user;
    if (x->l->fmi2SetTime(x->c, t) != fmi2OK ||
        x->l->fmi2SetContinuousStates(x->c, NV_DATA_S(y), x->n) != fmi2OK)
        return -1;
    const fmi2Status status = x->l->fmi2GetDerivatives(x->c, NV_DATA_S(dy), x->n);
    return status == fmi2OK ? 0 : status == fmi2Discard ? 1 : -1;
}

static int roots(realtype t, N_Vector y, realtype* out, void* user)
{
    const exchange* x = user;
    x->l->fmi2SetTime(x->c, t);
    x->l->fmi2SetContinuousStates(x->c, NV_DATA_S(y), x->n);
    return x->l->fmi2GetEventIndicators(x->c, out, 1) == fmi2OK ? 0 : -1;
}

/// Events until nothing changes any more; returns the time of the next one.
static double pass_events(exchange* x, N_Vector y)
{
    fmi2EventInfo info = {.newDiscreteStatesNeeded = 1};
    while (info.newDiscreteStatesNeeded)
        DO(x->l->fmi2NewDiscreteStates(x->c, &info));
    DO(x->l->fmi2EnterContinuousTimeMode(x->c));
    if (info.valuesOfContinuousStatesChanged) fprintf(stderr, "other coordinates\n");
    DO(x->l->fmi2GetContinuousStates(x->c, NV_DATA_S(y), x->n));
    return info.nextEventTimeDefined ? info.nextEventTime : HUGE_VAL;
}

static void run_exchange(const library* l, fmi2Component c, size_t n, double stop, double step,
                         items* o)
{
    SUNContext context;
    SUNContext_Create(NULL, &context);
    exchange x = {l, c, n};
    N_Vector y = N_VNew_Serial((sunindextype)n, context), atol = N_VClone(y);
    SUNMatrix J = SUNDenseMatrix((sunindextype)n, (sunindextype)n, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
    double next = pass_events(&x, y), t = 0.0;
    DO(l->fmi2GetNominalsOfContinuousStates(c, NV_DATA_S(atol), n));
    N_VScale(1e-14, atol, atol);
    void* cvode = CVodeCreate(CV_ADAMS, context);
    CVodeInit(cvode, rates, 0.0, y);
    CVodeSetUserData(cvode, &x);
    CVodeSVtolerances(cvode, 1e-13, atol);
    CVodeSetLinearSolver(cvode, solver, J);
    CVodeSetMaxNumSteps(cvode, 1000000);
    CVodeRootInit(cvode, 1, roots);
    print_row(l, c, 0.0, o);
    for (int k = 1; k <= (int)lround(stop / step);) {
        const double until = fmin(k * step, next);
        CVodeSetStopTime(cvode, until);
        const int flag = CVode(cvode, until, y, &t, CV_ONE_STEP);
        if (flag < 0) {
            fail("CVode");
            exit(1);
        }
        fmi2Boolean event = 0, end = 0;
        DO(l->fmi2SetTime(c, t));
        DO(l->fmi2SetContinuousStates(c, NV_DATA_S(y), n));
        DO(l->fmi2CompletedIntegratorStep(c, 1, &event, &end));
        if (t >= k * step) {
            print_row(l, c, t, o);
            ++k;
        }
        if (flag != CV_ROOT_RETURN && t < next && !event) continue;
        DO(l->fmi2EnterEventMode(c));
        next = pass_events(&x, y);
        CVodeReInit(cvode, t, y);
    }
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(J);
    N_VDestroy(y);
    N_VDestroy(atol);
    SUNContext_Free(&context);
}

// ---- robot and controller ---------------------------------------------------------------------

static void copy(const library* from, fmi2Component a, const items* out, const library* to,
                 fmi2Component b, const fmi2ValueReference* in)
{
    double value[MAX_ITEM];
    DO(from->fmi2GetReal(a, out->vr, (size_t)out->n, value));
    DO(to->fmi2SetReal(b, in, (size_t)out->n, value));
}

/// The controller takes positions (0 ...) and velocities (10 ...) and gives forces (20 ...).
static void couple(const library* robot, fmi2Component a, const library* controller, int argc,
                   char** argv, double stop, double step, items* o)
{
    items q = read_items(argc, argv, 'q', false), v = read_items(argc, argv, 'v', false);
    items f = read_items(argc, argv, 'f', false), none = {.n = 0}, forces = {.n = f.n};
    fmi2ValueReference at_q[MAX_ITEM], at_v[MAX_ITEM];
    fmi2Component b = instantiate(controller, "controller", fmi2CoSimulation, "controller");
    for (int i = 0; i < q.n; ++i) {
        at_q[i] = (fmi2ValueReference)i;
        at_v[i] = (fmi2ValueReference)(10 + i);
        forces.vr[i] = (fmi2ValueReference)(20 + i);
    }
    initialise(controller, b, stop, &none, &none);
    print_row(robot, a, 0.0, o);
    for (int k = 0; k < (int)lround(stop / step); ++k) {
        copy(robot, a, &q, controller, b, at_q);
        copy(robot, a, &v, controller, b, at_v);
        DO(controller->fmi2DoStep(b, k * step, step, 1));
        copy(controller, b, &forces, robot, a, f.vr);
        DO(robot->fmi2DoStep(a, k * step, step, 1));
        print_row(robot, a, (k + 1) * step, o);
    }
    controller->fmi2FreeInstance(b);
}

// ---- misuse -----------------------------------------------------------------------------------

static void misuse(const library* l, const char* token, const fmi2ValueReference vr[3])
{
    static const fmi2ValueReference wrong[] = {12345, 65535u << 16, 4294967295u, 7u << 16 | 65535};
    const fmi2ValueReference parameter = vr[0], input = vr[1], output = vr[2];
    double x = 1.0, inf = HUGE_VAL;
    int n;
    fmi2FMUstate state = NULL;
    size_t size = 0;
    fmi2Boolean flag;
    CHECK(!l->fmi2Instantiate("r", fmi2CoSimulation, "another", "", &callbacks, 0, 0));
    CHECK(!l->fmi2Instantiate("r", fmi2CoSimulation, token, "", NULL, 0, 0));
    CHECK(!l->fmi2Instantiate("", fmi2CoSimulation, token, "", &callbacks, 0, 0));
    CHECK(!l->fmi2Instantiate(NULL, fmi2CoSimulation, token, "", &callbacks, 0, 0));
    CHECK(!l->fmi2Instantiate("r", fmi2CoSimulation, NULL, "", &callbacks, 0, 0));
    CHECK(l->fmi2DoStep(NULL, 0.0, 1e-3, 1) == fmi2Error);
    CHECK(l->fmi2GetReal(NULL, &output, 1, &x) == fmi2Error);
    l->fmi2FreeInstance(NULL);

    fmi2Component c = instantiate(l, "r", fmi2CoSimulation, token);
    CHECK(l->fmi2DoStep(c, 0.0, 1e-3, 1) == fmi2Error);
    CHECK(l->fmi2ExitInitializationMode(c) == fmi2Error);
    CHECK(l->fmi2Terminate(c) == fmi2Error);
    CHECK(l->fmi2GetReal(c, &output, 1, &x) == fmi2Error);
    CHECK(l->fmi2GetReal(c, NULL, 1, &x) == fmi2Error);
    CHECK(l->fmi2GetReal(c, &parameter, 1, NULL) == fmi2Error);
    CHECK(l->fmi2SetReal(c, &input, 1, &inf) == fmi2Error);
    CHECK(l->fmi2SetReal(c, &output, 1, &x) == fmi2Error);
    CHECK(l->fmi2SetInteger(c, &input, 1, &n) == fmi2Error);
    CHECK(l->fmi2GetString(c, &input, 1, NULL) == fmi2Error);
    CHECK(l->fmi2SetupExperiment(c, 0, 0.0, 1.0, 1, 0.0) == fmi2Error);
    CHECK(l->fmi2SetContinuousStates(c, &x, 1) == fmi2Error);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        CHECK(l->fmi2SetReal(c, &wrong[i], 1, &x) == fmi2Error);
    CHECK(l->fmi2GetReal(c, NULL, 0, NULL) == fmi2OK);
    DO(l->fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0));
    DO(l->fmi2EnterInitializationMode(c));
    CHECK(l->fmi2EnterInitializationMode(c) == fmi2Error);
    DO(l->fmi2ExitInitializationMode(c));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        CHECK(l->fmi2GetReal(c, &wrong[i], 1, &x) == fmi2Error);
    CHECK(l->fmi2GetInteger(c, &output, 1, &n) == fmi2Error);
    x = 2.0;
    CHECK(l->fmi2SetReal(c, &parameter, 1, &x) == fmi2Error);
    CHECK(l->fmi2DoStep(c, 0.5, 1e-3, 1) == fmi2Error); // not where it stands
    CHECK(l->fmi2DoStep(c, 0.0, 0.0, 1) == fmi2Error);
    CHECK(l->fmi2DoStep(c, 0.0, -1.0, 1) == fmi2Error);
    CHECK(l->fmi2DoStep(c, 0.0, NAN, 1) == fmi2Error);
    CHECK(l->fmi2CancelStep(c) == fmi2Error);
    CHECK(l->fmi2GetDerivatives(c, &x, 1) == fmi2Error);
    CHECK(l->fmi2NewDiscreteStates(c, NULL) == fmi2Error);
    CHECK(l->fmi2GetBooleanStatus(c, fmi2Terminated, NULL) == fmi2Error);
    DO(l->fmi2GetBooleanStatus(c, fmi2Terminated, &flag));
    CHECK(!flag);
    DO(l->fmi2DoStep(c, 0.0, 1e-3, 1)); // it still works
    CHECK(l->fmi2GetFMUstate(c, NULL) == fmi2Error);
    CHECK(l->fmi2SetFMUstate(c, NULL) == fmi2Error);
    DO(l->fmi2GetFMUstate(c, &state));
    DO(l->fmi2SerializedFMUstateSize(c, state, &size));
    fmi2Byte* bytes = calloc(size, 1);
    CHECK(l->fmi2SerializeFMUstate(c, state, bytes, size - 1) == fmi2Error);
    fmi2FMUstate other = NULL;
    CHECK(l->fmi2DeSerializeFMUstate(c, bytes, 3, &other) == fmi2Error);
    DO(l->fmi2DeSerializeFMUstate(c, bytes, size, &other)); // zeros: read, but of no instance
    CHECK(l->fmi2SetFMUstate(c, other) == fmi2Error);
    DO(l->fmi2FreeFMUstate(c, &other));
    DO(l->fmi2SetFMUstate(c, state)); // and this one helps
    DO(l->fmi2DoStep(c, 1e-3, 1e-3, 1));
    DO(l->fmi2FreeFMUstate(c, &state));
    CHECK(!state);
    free(bytes);
    DO(l->fmi2Terminate(c));
    CHECK(l->fmi2DoStep(c, 2e-3, 1e-3, 1) == fmi2Error);
    DO(l->fmi2Reset(c));
    DO(l->fmi2SetReal(c, &input, 1, &x));
    DO(l->fmi2EnterInitializationMode(c));
    DO(l->fmi2ExitInitializationMode(c));
    DO(l->fmi2DoStep(c, 0.0, 1e-3, 1));
    l->fmi2FreeInstance(c);
}

int main(int argc, char** argv)
{
    if (argc < 6) return 2;
    const library l = load(argv[2], true);
    const double stop = strtod(argv[4], NULL), step = strtod(argv[5], NULL);
    CHECK(strcmp(l.fmi2GetVersion(), "2.0") == 0);
    CHECK(strcmp(l.fmi2GetTypesPlatform(), "default") == 0);
    if (strcmp(argv[1], "misuse") == 0) {
        fmi2ValueReference vr[3];
        for (int i = 0; i < 3 && 4 + i < argc; ++i)
            vr[i] = (fmi2ValueReference)strtoul(argv[4 + i], NULL, 10);
        misuse(&l, argv[3], vr);
        return failures > 0;
    }
    items p = read_items(argc, argv, 'p', true), in = read_items(argc, argv, 'i', true);
    items o = read_items(argc, argv, 'o', false);
    const bool is_exchange = strcmp(argv[1], "me") == 0;
    fmi2Component c =
        instantiate(&l, "robot", is_exchange ? fmi2ModelExchange : fmi2CoSimulation, argv[3]);
    initialise(&l, c, stop, &p, &in);
    if (is_exchange) {
        const items n = read_items(argc, argv, 'n', true); // number of states
        run_exchange(&l, c, (size_t)n.value[0], stop, step, &o);
    } else if (strcmp(argv[1], "couple") == 0) {
        const library controller = load(argv[6], false);
        couple(&l, c, &controller, argc, argv, stop, step, &o);
    } else {
        run_steps(&l, c, stop, step, &o);
    }
    DO(l.fmi2Terminate(c));
    l.fmi2FreeInstance(c);
    return failures > 0;
}
