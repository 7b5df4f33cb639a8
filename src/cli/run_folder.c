#include "cli/run_folder.h"

#include "analysis/robot.h"
#include "base/error.h"
#include "output/sha256.h"
#include "pkm/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/// "robots/siax.yaml" and "paper" give "pkm-out/siax-paper".
static void default_folder(const cli_run* run, char* out, size_t size)
{
    const char* slash = strrchr(run->args->model, '/');
    const char* stem = slash ? slash + 1 : run->args->model;
    const char* dot = strrchr(stem, '.');
    const int length = dot && dot > stem ? (int)(dot - stem) : (int)strlen(stem);
    snprintf(out, size, "pkm-out/%.*s-%s", length, stem, run->motion);
}

/// mkdir -p.
static pkm_status make_folder(const char* path, pkm_error* err)
{
    char part[1024];
    if (strlen(path) >= sizeof part - 1 || !*path)
        return pkm_fail(err, PKM_ERR_FILE, "-o: '%s' is no folder name", path);
    for (size_t i = 1; i <= strlen(path); ++i) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return pkm_fail(err, PKM_ERR_FILE, "%s: cannot make this folder: %s", part,
                            strerror(errno));
    }
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return pkm_fail(err, PKM_ERR_FILE, "%s: is not a folder", path);
    return PKM_OK;
}

// ---- plots ------------------------------------------------------------------------------------

enum { MAX_PLOT_COLUMN = 64, MAX_LEVEL = 12 };

static int add_column(const cli_run* run, const char* item, const char* quantity, int* out, int n)
{
    char name[2 * PKM_MAX_NAME];
    snprintf(name, sizeof name, "%s.%s", item, quantity);
    const int column = pkm_table_find(run->table, name);
    if (column == PKM_NONE || n == MAX_PLOT_COLUMN) return n;
    out[n] = column;
    return n + 1;
}

static int drive_columns(const cli_run* run, const char* const* quantity, int n_quantity, int* out)
{
    int n = 0;
    for (int k = 0; k < n_quantity; ++k)
        for (int d = 0; d < run->robot->mech->n_drive; ++d)
            n = add_column(run, run->robot->mech->drive[d].name, quantity[k], out, n);
    return n;
}

static int tool_columns(const cli_run* run, int* out)
{
    static const char* const quantity[] = {"x",  "y",  "z",  "roll", "pitch", "yaw",
                                           "vx", "vy", "vz", "ax",   "ay",    "az"};
    if (run->robot->mech->tool == PKM_NONE) return 0;
    const char* tool = pkm_short_name(run->robot->mech->marker[run->robot->mech->tool].name);
    int n = 0;
    for (size_t k = 0; k < sizeof quantity / sizeof quantity[0]; ++k)
        n = add_column(run, tool, quantity[k], out, n);
    return n;
}

/// Published extreme forces become dashed lines in the plot of the forces.
static int force_levels(const cli_run* run, pkm_table_level* out)
{
    int n = 0;
    for (int p = 0; p < run->robot->desc->n_published && n < MAX_LEVEL; ++p) {
        const pkm_desc_published* pub = &run->robot->desc->published[p];
        if (!pub->quantity || !pub->motion || strcmp(pub->motion, run->motion) != 0) continue;
        const char* space = strchr(pub->quantity, ' ');
        if (!space || strncmp(pub->quantity, "max ", 4) != 0) continue;
        const int column = pkm_table_find(run->table, space + 1);
        if (column == PKM_NONE || !strstr(space, ".force")) continue;
        out[n++] = (pkm_table_level){.column = column, .value = pub->value, .label = "published"};
    }
    return n;
}

static pkm_status write_plots(const cli_run* run, const char* folder, const char** file,
                              int* n_file, pkm_error* err)
{
    static const char* const force[] = {"force"};
    static const char* const motion[] = {"q", "v", "a"};
    char path[1100];
    int column[MAX_PLOT_COLUMN];
    pkm_table_level level[MAX_LEVEL];
    if (pkm_table_n_row(run->table) < 2) return PKM_OK;

    int n = drive_columns(run, force, 1, column);
    const int n_level = force_levels(run, level);
    snprintf(path, sizeof path, "%s/forces.svg", folder);
    if (n > 0) {
        PKM_TRY(
            pkm_plot_table_levels(run->table, 0, column, n, level, n_level, run->title, path, err));
        file[(*n_file)++] = "forces.svg";
    }
    n = drive_columns(run, motion, 3, column);
    snprintf(path, sizeof path, "%s/drives.svg", folder);
    if (n > 0) {
        PKM_TRY(pkm_plot_table(run->table, 0, column, n, run->title, path, err));
        file[(*n_file)++] = "drives.svg";
    }
    n = tool_columns(run, column);
    snprintf(path, sizeof path, "%s/tool.svg", folder);
    if (n == 0) return PKM_OK;
    PKM_TRY(pkm_plot_table(run->table, 0, column, n, run->title, path, err));
    file[(*n_file)++] = "tool.svg";
    return PKM_OK;
}

// ---- the folder -------------------------------------------------------------------------------

static pkm_status write_manifest(const cli_run* run, const char* folder, const char* const* file,
                                 int n_file, pkm_error* err)
{
    char hash[PKM_SHA256_SIZE], command[1024], path[1100];
    PKM_TRY(pkm_sha256_file(run->args->model, hash, err));
    snprintf(command, sizeof command, "pkm %s %s", run->args->verb->name, run->args->model);
    pkm_manifest_option option[CLI_MAX_OPTION + CLI_MAX_SET];
    int n_option = 0;
    for (int i = 0; i < run->args->verb->n_option; ++i)
        if (run->args->value[i])
            option[n_option++] =
                (pkm_manifest_option){run->args->verb->option[i].name,
                                      run->args->value[i][0] ? run->args->value[i] : NULL};
    char set[CLI_MAX_SET][256];
    for (int i = 0; i < run->args->n_set; ++i) {
        snprintf(set[i], sizeof set[i], "%s=%s", run->args->set[i].name, run->args->set[i].value);
        option[n_option++] = (pkm_manifest_option){"--set", set[i]};
    }
    option[n_option++] =
        (pkm_manifest_option){"complete", run->complete ? "yes" : "no: the run ended early"};
    const pkm_manifest manifest = {.command = command,
                                   .model_path = run->args->model,
                                   .model_hash = hash,
                                   .robot = run->robot->desc->name,
                                   .option = option,
                                   .n_option = n_option,
                                   .result = run->result,
                                   .n_result = run->n_result,
                                   .file = file,
                                   .n_file = n_file,
                                   .wall_time = run->wall_time};
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    return pkm_manifest_write(&manifest, path, err);
}

pkm_status cli_run_write(const cli_run* run, char* out, size_t size, pkm_error* err)
{
    const char* file[8];
    int n_file = 0;
    char path[1100];
    const char* given = cli_get(run->args, "-o");
    if (given)
        snprintf(out, size, "%s", given);
    else
        default_folder(run, out, size);
    if (pkm_table_n_row(run->table) == 0) return PKM_OK;
    PKM_TRY(make_folder(out, err));

    snprintf(path, sizeof path, "%s/table.csv", out);
    PKM_TRY(pkm_csv_write(run->table, path, err));
    file[n_file++] = "table.csv";
    snprintf(path, sizeof path, "%s/table.h5", out);
    const pkm_hdf5_attribute attribute[] = {{"robot", run->robot->desc->name},
                                            {"motion", run->motion},
                                            {"model_hash", run->robot->desc->hash}};
    PKM_TRY(pkm_hdf5_write(run->table, path, attribute, 3, err));
    file[n_file++] = "table.h5";
    PKM_TRY(write_plots(run, out, file, &n_file, err));
    return write_manifest(run, out, file, n_file, err);
}
