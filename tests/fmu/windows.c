/// A master for tests of FMUs 2.0 on Windows: loads the DLL, runs it in steps and prints a row of
/// outputs per instant. master LIBRARY TOKEN STOP STEP VR...
#include "fmu/fmi2.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static void tell(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                 fmi2String category, fmi2String message, ...)
{
    va_list arguments;
    (void)environment, (void)category, (void)status;
    va_start(arguments, message);
    fprintf(stderr, "%s: ", name);
    vfprintf(stderr, message, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

#define FIND(name) __typeof__(name)* p_##name = (__typeof__(name)*)(void*)GetProcAddress(dll, #name)
#define DO(call)                                                                                   \
    do {                                                                                           \
        if ((call) != fmi2OK) {                                                                    \
            fprintf(stderr, "failed: %s\n", #call);                                                \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

int main(int argc, char** argv)
{
    static const fmi2CallbackFunctions callbacks = {.logger = tell};
    fmi2ValueReference vr[100];
    double value[100];
    if (argc < 5) return 2;
    HMODULE dll = LoadLibraryA(argv[1]);
    if (!dll) {
        fprintf(stderr, "LoadLibrary: %lu\n", GetLastError());
        return 1;
    }
    FIND(fmi2Instantiate);
    FIND(fmi2SetupExperiment);
    FIND(fmi2EnterInitializationMode);
    FIND(fmi2ExitInitializationMode);
    FIND(fmi2GetReal);
    FIND(fmi2DoStep);
    FIND(fmi2Terminate);
    FIND(fmi2FreeInstance);
    const double stop = atof(argv[3]), step = atof(argv[4]);
    const size_t n = argc - 5 < 100 ? (size_t)(argc - 5) : 100;
    for (size_t i = 0; i < n; ++i)
        vr[i] = (fmi2ValueReference)strtoul(argv[5 + i], NULL, 10);
    fmi2Component c = p_fmi2Instantiate("robot", fmi2CoSimulation, argv[2], "", &callbacks, 0, 0);
    if (!c) return 3;
    DO(p_fmi2SetupExperiment(c, 0, 0.0, 0.0, 1, stop));
    DO(p_fmi2EnterInitializationMode(c));
    DO(p_fmi2ExitInitializationMode(c));
    for (int k = 0; k <= (int)(stop / step + 0.5); ++k) {
        if (k > 0) DO(p_fmi2DoStep(c, (k - 1) * step, step, 1));
        DO(p_fmi2GetReal(c, vr, n, value));
        printf("%.17g", k * step);
        for (size_t i = 0; i < n; ++i)
            printf(",%.17g", value[i]);
        printf("\n");
    }
    DO(p_fmi2Terminate(c));
    p_fmi2FreeInstance(c);
    return 0;
}
