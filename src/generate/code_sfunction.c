/// Blocks for Simulink: C MEX S-functions (level 2) around the code.
#include "base/error.h"
#include "generate/code_impl.h"

/// What a block has: widths of its inputs in order, of its output, and how many states.
typedef struct block {
    const char *end, *name, *text;
    const char* input[4]; ///< names; NULL: no more
    int width[4];
    int n_output;
    bool is_plant;
} block;

static int n_input(const block* b)
{
    int n = 0;
    while (n < 4 && b->input[n])
        ++n;
    return n;
}

static void write_sizes(const pkm_code* code, const block* b, pkm_stream* to)
{
    const int n = code->mech->n_drive;
    pkm_stream_format(to,
                      "static void mdlInitializeSizes(SimStruct* S)\n{\n"
                      "    ssSetNumSFcnParams(S, 0);\n"
                      "    if (ssGetNumSFcnParams(S) != ssGetSFcnParamsCount(S)) return;\n"
                      "    ssSetNumContStates(S, %d);\n    ssSetNumDiscStates(S, 0);\n"
                      "    if (!ssSetNumInputPorts(S, %d)) return;\n",
                      b->is_plant ? 2 * n : 0, n_input(b));
    for (int k = 0; k < n_input(b); ++k)
        pkm_stream_format(to,
                          "    ssSetInputPortWidth(S, %d, %d); /* %s */\n"
                          "    ssSetInputPortRequiredContiguous(S, %d, 1);\n"
                          "    ssSetInputPortDirectFeedThrough(S, %d, %d);\n",
                          // outputs of the plant are states: its inputs act through derivatives,
                          // and no algebraic loop arises
                          k, b->width[k], b->input[k], k, k, !b->is_plant);
    pkm_stream_format(to,
                      "    if (!ssSetNumOutputPorts(S, 1)) return;\n"
                      "    ssSetOutputPortWidth(S, 0, %d);\n    ssSetNumSampleTimes(S, 1);\n"
                      "    ssSetNumRWork(S, (int_T)(sizeof(struct %s_state) / sizeof(real_T)));\n"
                      "}\n\n",
                      b->n_output, code->prefix);
    pkm_stream_format(to,
                      "static void mdlInitializeSampleTimes(SimStruct* S)\n{\n"
                      "    ssSetSampleTime(S, 0, %s_SAMPLE_TIME);\n"
                      "    ssSetOffsetTime(S, 0, 0.0);\n}\n\n",
                      // a torque block runs at the rate of its controller
                      b->is_plant ? "CONTINUOUS" : "INHERITED");
}

/// The state of the code lives in the block's work vector: several blocks do not meet.
static void write_state(const pkm_code* code, pkm_stream* to)
{
    const char* x = code->prefix;
    pkm_stream_format(to,
                      "static void take(SimStruct* S, struct %s_state* s)\n{\n"
                      "    memcpy(s, ssGetRWork(S), sizeof *s);\n}\n\n",
                      x);
    pkm_stream_format(to,
                      "static void keep(SimStruct* S, const struct %s_state* s)\n{\n"
                      "    memcpy(ssGetRWork(S), s, sizeof *s);\n}\n\n",
                      x);
}

static void write_start(const pkm_code* code, const block* b, pkm_stream* to)
{
    pkm_stream_format(to,
                      "#define MDL_INITIALIZE_CONDITIONS\n"
                      "static void mdlInitializeConditions(SimStruct* S)\n{\n"
                      "    struct %s_state s;\n",
                      code->prefix);
    if (b->is_plant) {
        pkm_stream_format(to, "    static const double home[%d] = {", code->mech->n_drive);
        for (int d = 0; d < code->mech->n_drive; ++d)
            pkm_stream_format(to, "%s%.17g", d ? ", " : "", code->robot->drive_home[d]);
        pkm_stream_format(to,
                          "};\n    real_T* x = ssGetContStates(S);\n    int d;\n"
                          "    for (d = 0; d < %d; ++d) {\n        x[d] = home[d];\n"
                          "        x[%d + d] = 0.0;\n    }\n",
                          code->mech->n_drive, code->mech->n_drive);
    }
    pkm_stream_format(to, "    %s_home(&s);\n    keep(S, &s);\n}\n\n", code->prefix);
}

static const char FAILED[] =
    "\"the loops do not close: out of reach, singular, or too far from the last step\"";

static void write_inputs(const block* b, pkm_stream* to)
{
    for (int k = 0; k < n_input(b); ++k)
        pkm_stream_format(to, "    const real_T* %s = ssGetInputPortRealSignal(S, %d);\n",
                          b->input[k], k);
}

static void write_torque(const pkm_code* code, const block* b, pkm_stream* to)
{
    pkm_stream_text(to, "static void mdlOutputs(SimStruct* S, int_T tid)\n{\n");
    write_inputs(b, to);
    pkm_stream_format(to,
                      "    real_T* force = ssGetOutputPortRealSignal(S, 0);\n"
                      "    struct %s_state s;\n    (void)tid;\n    take(S, &s);\n"
                      "    if (%s_inverse_drives(&s, drive, rate, acc, wrench, force))\n"
                      "        ssSetErrorStatus(S, %s);\n    keep(S, &s);\n}\n\n",
                      code->prefix, code->prefix, FAILED);
}

static void write_plant(const pkm_code* code, const block* b, pkm_stream* to)
{
    const int n = code->mech->n_drive;
    pkm_stream_format(to,
                      "static void mdlOutputs(SimStruct* S, int_T tid)\n{\n"
                      "    const real_T* x = ssGetContStates(S);\n"
                      "    real_T* y = ssGetOutputPortRealSignal(S, 0);\n    int k;\n"
                      "    (void)tid;\n    for (k = 0; k < %d; ++k)\n        y[k] = x[k];\n}\n\n"
                      "#define MDL_DERIVATIVES\nstatic void mdlDerivatives(SimStruct* S)\n{\n",
                      2 * n);
    write_inputs(b, to);
    pkm_stream_format(to,
                      "    const real_T* x = ssGetContStates(S);\n"
                      "    real_T* dx = ssGetdX(S);\n    struct %s_state s;\n    int d;\n"
                      "    take(S, &s);\n"
                      "    if (%s_forward(&s, x, x + %d, force, wrench, dx + %d))\n"
                      "        ssSetErrorStatus(S, %s);\n"
                      "    for (d = 0; d < %d; ++d)\n        dx[d] = x[%d + d];\n"
                      "    keep(S, &s);\n}\n\n",
                      code->prefix, code->prefix, n, n, FAILED, n, n);
}

static pkm_status write_block(const pkm_code* code, const block* b, const char* folder,
                              pkm_error* err)
{
    pkm_stream* to;
    PKM_TRY(pkm_code_open(code, folder, b->end, &to, err));
    pkm_stream_format(
        to,
        "/* %s as a block of Simulink, written by pkm %s: %s\n"
        "   mex %s_%s.c %s.c */\n"
        "#define S_FUNCTION_NAME %s_%s\n#define S_FUNCTION_LEVEL 2\n\n#include \"simstruc.h\"\n\n"
        "#include \"%s.h\"\n\n#include <string.h>\n\n",
        code->title, PKM_VERSION, b->text, code->prefix, b->name, code->prefix, code->prefix,
        b->name, code->prefix);
    write_state(code, to);
    write_sizes(code, b, to);
    write_start(code, b, to);
    if (b->is_plant)
        write_plant(code, b, to);
    else
        write_torque(code, b, to);
    pkm_stream_text(to, "static void mdlTerminate(SimStruct* S)\n{\n    (void)S;\n}\n\n"
                        "#ifdef MATLAB_MEX_FILE\n#include \"simulink.c\"\n#else\n"
                        "#include \"cg_sfun.h\"\n#endif\n");
    return pkm_stream_close(to, err);
}

pkm_status pkm_code_write_sfunctions(const pkm_code* code, const char* folder, pkm_error* err)
{
    const int n = code->mech->n_drive;
    const block torque = {.end = "_torque.c",
                          .name = "torque",
                          .text = "drive forces of a motion of the drives.",
                          .input = {"drive", "rate", "acc", "wrench"},
                          .width = {n, n, n, 6},
                          .n_output = n};
    const block plant = {.end = "_plant.c",
                         .name = "plant",
                         .text = "positions and rates of the drives under forces, from home.",
                         .input = {"force", "wrench"},
                         .width = {n, 6},
                         .n_output = 2 * n,
                         .is_plant = true};
    if (pkm_code_wants(code, PKM_CODE_INVERSE)) PKM_TRY(write_block(code, &torque, folder, err));
    return pkm_code_wants(code, PKM_CODE_FORWARD) ? write_block(code, &plant, folder, err) : PKM_OK;
}
