// Natural frequencies at one pose: for people, for machines, as files.
#include "base/clock.h"
#include "base/error.h"
#include "cli/modes_task.h"
#include "linear/modes_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586477;

// ---- for people -------------------------------------------------------------------------------

static void print_modes(const cli_modes* m, const pkm_elastic* elastic, const pkm_modes* modes)
{
    const bool is_elastic = m->run->effects.n_element > 0;
    printf("\n%5s %12s %12s %7s %8s %8s %7s%s  %s\n", "mode", "f [Hz]", "w [rad/s]", "axial",
           "bending", "torsion", "drives", is_elastic ? " springs" : "", "most strained");
    for (int k = 0; k < modes->n_mode; ++k) {
        char who[160];
        cli_modes_culprits(elastic, modes, k, 3, who, sizeof who);
        printf("%5d %12.5f %12.5f %6.1f%% %7.1f%% %7.1f%% %6.1f%%", k + 1, modes->omega[k] / TWO_PI,
               modes->omega[k], 100.0 * pkm_modes_share(modes, k, PKM_STRAIN_AXIAL),
               100.0 * pkm_modes_share(modes, k, PKM_STRAIN_BENDING),
               100.0 * pkm_modes_share(modes, k, PKM_STRAIN_TORSION), 100.0 * modes->drives[k]);
        if (is_elastic) printf(" %6.1f%%", 100.0 * modes->springs[k]);
        printf("  %s\n", modes->omega[k] > 0.0 ? who : "a motion without stiffness");
    }
}

static void print_damped(const pkm_modes* modes)
{
    if (modes->n_damped == 0) return;
    printf("\n%5s %12s %12s\n", "", "damped [Hz]", "ratio");
    for (int k = 0; k < modes->n_damped; ++k)
        printf("%5d %12.5f %11.4f%%\n", k + 1, modes->damped[k] / TWO_PI, 100.0 * modes->ratio[k]);
}

// ---- for machines -----------------------------------------------------------------------------

static void put_mode(pkm_json* json, const pkm_elastic* elastic, const pkm_modes* modes, int k)
{
    static const char* const kind[] = {"axial", "bending", "torsion"};
    pkm_json_object_begin(json);
    pkm_json_put_number(json, "frequency", modes->omega[k] / TWO_PI);
    pkm_json_put_number(json, "omega", modes->omega[k]);
    for (int i = 0; i < PKM_N_STRAIN; ++i)
        pkm_json_put_number(json, kind[i], pkm_modes_share(modes, k, i));
    pkm_json_put_number(json, "drives", modes->drives[k]);
    pkm_json_put_number(json, "springs", modes->springs[k]);
    pkm_json_put_number(json, "prestress", modes->prestress[k]);
    pkm_json_key(json, "bodies");
    pkm_json_array_begin(json);
    for (int p = 0; p < modes->n_part; ++p) {
        const double* strain = modes->strain + PKM_N_STRAIN * (modes->n_part * k + p);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", pkm_elastic_part_name(elastic, p));
        for (int i = 0; i < PKM_N_STRAIN; ++i)
            pkm_json_put_number(json, kind[i], strain[i]);
        pkm_json_put_number(json, "kinetic", modes->kinetic[modes->n_part * k + p]);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    pkm_json_object_end(json);
}

static void put_damped(pkm_json* json, const pkm_modes* modes)
{
    pkm_json_key(json, "damped");
    pkm_json_array_begin(json);
    for (int k = 0; k < modes->n_damped; ++k) {
        pkm_json_object_begin(json);
        pkm_json_put_number(json, "frequency", modes->damped[k] / TWO_PI);
        pkm_json_put_number(json, "ratio", modes->ratio[k]);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static pkm_status print_json(const cli_modes* m, const pkm_elastic* elastic, const pkm_modes* modes,
                             pkm_error* err)
{
    cli_json out;
    if (!cli_json_begin(&out)) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_json* json = &out.json;
    cli_modes_put_setting(json, m, elastic);
    pkm_json_key(json, "modes");
    pkm_json_array_begin(json);
    for (int k = 0; k < modes->n_mode; ++k)
        put_mode(json, elastic, modes, k);
    pkm_json_array_end(json);
    if (modes->n_damped > 0) put_damped(json, modes);
    if (m->folder[0]) pkm_json_put_string(json, "folder", m->folder);
    return cli_json_end(&out) == 0 ? PKM_OK
                                   : pkm_fail(err, PKM_ERR_FILE, "stdout cannot be written");
}

// ---- files ------------------------------------------------------------------------------------

/// What the folder is made of.
typedef struct result {
    const cli_modes* m;
    const pkm_elastic* elastic;
    const pkm_modes* modes;
} result;

static pkm_status draw(const void* user, const char* folder, const char** file, int* n_file,
                       pkm_error* err)
{
    const result* r = user;
    char path[1100];
    snprintf(path, sizeof path, "%s/modes.svg", folder);
    PKM_TRY(cli_modes_draw(r->m, r->elastic, r->modes, path, err));
    file[(*n_file)++] = "modes.svg";
    return PKM_OK;
}

static pkm_status write_folder(cli_modes* m, const pkm_elastic* elastic, const pkm_modes* modes,
                               pkm_error* err)
{
    const result r = {m, elastic, modes};
    pkm_manifest_result lowest = {"lowest frequency", modes->omega[0] / TWO_PI, "Hz"};
    pkm_table* table = pkm_table_create();
    pkm_status status = table ? pkm_modes_report(elastic, modes, table, err)
                              : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const cli_run out = {.args = &m->args,
                         .robot = m->robot,
                         .motion = "modes",
                         .table = table,
                         .result = &lowest,
                         .n_result = 1,
                         .complete = true,
                         .wall_time = pkm_clock() - m->start,
                         .draw = draw,
                         .user = &r};
    if (status == PKM_OK) status = cli_run_write(&out, m->folder, sizeof m->folder, err);
    pkm_table_free(table);
    return status;
}

pkm_status cli_modes_at_pose(cli_modes* m, pkm_error* err)
{
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    pkm_status status = pkm_modes_at(m->robot, &m->settings, m->n_mode, &elastic, &modes, err);
    if (status == PKM_OK && cli_has(&m->args, "-o")) status = write_folder(m, elastic, modes, err);
    if (status == PKM_OK && cli_has(&m->args, "--json")) {
        status = print_json(m, elastic, modes, err);
    } else if (status == PKM_OK) {
        printf("%s, natural frequencies\n", m->robot->desc->name);
        cli_modes_print_setting(m, elastic);
        print_modes(m, elastic, modes);
        print_damped(modes);
        if (m->folder[0]) printf("\nresults in %s\n", m->folder);
    }
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    return status;
}
