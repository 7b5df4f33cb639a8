#include "verb/commands.h"

// What a robot is exported as: each kind is a verb of its own, "pkm export KIND".

static const pkm_verb* const kinds[] = {&pkm_verb_export_fmu, &pkm_verb_export_c, NULL};

/// Of all kinds, for the manual page and completion; each kind reads its own.
static const pkm_verb_option options[] = {
    {"--run", "FILE", .text = "fmu: run file: drives, effects, how long"},
    {"--kind", "KIND", .text = "fmu: cs, me or both"},
    {"--fmi", "VERSION", .text = "fmu: 2 or 3"},
    {"--what", "LIST", .text = "c: of ik, fk, jacobian, inverse, forward"},
    {"--passes", "N", .text = "c: of Newton's method, at most"},
    {"-o", "PATH", .text = "the file or folder"},
};

const pkm_verb pkm_verb_export = {
    .name = "export",
    .operand = "KIND MODEL",
    .text = "the robot for other programs: FMUs, source code for controllers",
    .help =
        "KIND is fmu, one file for Simulink, OpenModelica and all that know FMI, or c, C99 source\n"
        "of kinematics and dynamics for controllers. `pkm export KIND --help` tells more.",
    .example = "pkm export fmu robots/siax.yaml -o siax.fmu",
    .another = "pkm export c robots/siax.yaml -o siax-c",
    VERB_OPTIONS(options),
    .kinds = kinds,
};
