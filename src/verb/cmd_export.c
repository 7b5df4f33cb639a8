#include "base/error.h"
#include "model/nearest.h"
#include "verb/commands.h"

#include <stdio.h>
#include <string.h>

// What a robot is exported as: each kind is a verb of its own, "pkm export KIND".

static const cli_verb* const kinds[] = {&cli_export_fmu, &cli_export_c};
enum { N_KIND = sizeof kinds / sizeof kinds[0] };

static int run(const cli_verb* verb, int argc, char** argv);

/// Of all kinds, for the manual page and completion; each kind reads its own.
static const cli_option options[] = {
    {"--run", "FILE", .text = "fmu: run file: drives, effects, how long"},
    {"--kind", "KIND", .text = "fmu: cs, me or both"},
    {"--fmi", "VERSION", .text = "fmu: 2 or 3"},
    {"--what", "LIST", .text = "c: of ik, fk, jacobian, inverse, forward"},
    {"--passes", "N", .text = "c: of Newton's method, at most"},
    {"-o", "PATH", .text = "the file or folder"},
};

const cli_verb cli_export = {
    .name = "export",
    .operand = "KIND MODEL",
    .text = "the robot for other programs: FMUs, source code for controllers",
    .help =
        "KIND is fmu, one file for Simulink, OpenModelica and all that know FMI, or c, C99 source\n"
        "of kinematics and dynamics for controllers. `pkm export KIND --help` tells more.",
    .example = "pkm export fmu robots/siax.yaml -o siax.fmu",
    .another = "pkm export c robots/siax.yaml -o siax-c",
    .option = options,
    .n_option = sizeof options / sizeof options[0],
    .run = run,
};

/// The word behind "export " in the name of a kind.
static const char* kind_name(const cli_verb* kind)
{
    return strchr(kind->name, ' ') + 1;
}

static int run(const cli_verb* verb, int argc, char** argv)
{
    if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
        cli_print_help(verb);
        return 0;
    }
    pkm_nearest near = pkm_nearest_make(argc > 0 ? argv[0] : "");
    for (int k = 0; k < N_KIND; ++k) {
        if (argc > 0 && strcmp(argv[0], kind_name(kinds[k])) == 0)
            return kinds[k]->run(kinds[k], argc - 1, argv + 1);
        pkm_nearest_offer(&near, kind_name(kinds[k]));
    }
    pkm_error err = {0};
    if (argc == 0)
        (void)!pkm_fail(&err, PKM_ERR_ARGUMENT,
                        "export: expected a KIND and a MODEL (pkm export --help)");
    else
        (void)!pkm_fail(&err, PKM_ERR_ARGUMENT,
                        "export: '%.60s'%s, expected fmu or c (pkm export --help)", argv[0],
                        pkm_nearest_hint(&near).text);
    return cli_fail(&err);
}
