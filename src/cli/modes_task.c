#include "cli/modes_task.h"

#include "base/error.h"
#include "cli/pose.h"
#include "run/takes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double cli_modes_tidy(double x)
{
    return fabs(x) < 5e-10 ? 0.0 : x;
}

static pkm_analysis analysis_of(const cli_arguments* args)
{
    const bool is_weighted = cli_has(args, "--weight");
    if (strcmp(args->verb->name, "modes") == 0)
        return is_weighted ? PKM_ANALYSIS_MODES_WEIGHTED : PKM_ANALYSIS_MODES;
    return is_weighted ? PKM_ANALYSIS_STIFFNESS_WEIGHTED : PKM_ANALYSIS_STIFFNESS;
}

pkm_status cli_modes_read(cli_modes* m, pkm_error* err)
{
    const cli_arguments* args = &m->args;
    const char *file = cli_get(args, "--run"), *hold = cli_get(args, "--drives-are");
    PKM_TRY(pkm_run_create(m->robot, &m->run, err));
    if (file) PKM_TRY(pkm_run_read(m->run, file, err));
    PKM_TRY(cli_set_all(m->run, args, "--flexible", "flexible", err));
    PKM_TRY(cli_set_all(m->run, args, "--load", "loads", err));
    PKM_TRY(cli_set_all(m->run, args, "--payload", "payload", err));
    if (hold) PKM_TRY(pkm_run_set(m->run, "hold", hold, "--drives-are", err));
    if (m->run->effects.n_flexible == 0) PKM_TRY(pkm_run_flexible_all(m->run, err));
    PKM_TRY(cli_tool_force(args, &m->run->settings.tool_force, &m->run->settings.tool_torque, err));
    PKM_TRY(pkm_run_require(m->run, analysis_of(args), err));
    m->settings = (pkm_elastic_settings){.effects = &m->run->effects,
                                         .is_weighted = cli_has(args, "--weight"),
                                         .tool_force = m->run->settings.tool_force,
                                         .tool_torque = m->run->settings.tool_torque};
    memcpy(m->settings.drive, m->run->hold, sizeof m->settings.drive);
    return cli_go_to_pose(args, m->robot, err);
}

void cli_modes_free(cli_modes* m)
{
    pkm_run_free(m->run);
    pkm_robot_free(m->robot);
}

// ---- the setting ------------------------------------------------------------------------------

/// "locked", "free", "elastic" or "held in different ways".
static const char* drives_text(const cli_modes* m)
{
    static const char* const word[] = {"locked", "free", "elastic"};
    const pkm_elastic_drive* drive = m->settings.drive;
    for (int d = 1; d < m->robot->mech->n_drive; ++d)
        if (drive[d].hold != drive[0].hold) return "held in different ways";
    return m->robot->mech->n_drive > 0 ? word[drive[0].hold] : "none";
}

static int count_flexible(const pkm_elastic* elastic)
{
    int n = 0;
    for (int p = 0; p < pkm_elastic_parts(elastic); ++p)
        n += pkm_elastic_part_bends(elastic, p);
    return n;
}

static void print_idle(const pkm_elastic* elastic)
{
    const int n = pkm_elastic_idle(elastic);
    if (n == 0) return;
    printf("left out: the spin%s of ", n == 1 ? "" : "s");
    for (int i = 0; i < n; ++i)
        printf("%s%s",
               i == 0       ? ""
               : i == n - 1 ? " and "
                            : ", ",
               pkm_elastic_idle_name(elastic, i));
    printf("\n");
}

void cli_modes_print_setting(const cli_modes* m, const pkm_elastic* elastic)
{
    const int n = count_flexible(elastic);
    if (m->robot->mech->tool != PKM_NONE) {
        const pkm_vec3 p = pkm_state_marker_pose(m->robot->state, m->robot->mech->tool).p;
        printf("tool at %.6g, %.6g, %.6g m; ", cli_modes_tidy(p.x), cli_modes_tidy(p.y),
               cli_modes_tidy(p.z));
    }
    printf("drives %s; %d flexible link%s, %d coordinates\n", drives_text(m), n, n == 1 ? "" : "s",
           pkm_elastic_size(elastic));
    print_idle(elastic);
    double rotation, compression;
    pkm_elastic_static_state(elastic, &rotation, &compression);
    if (!m->settings.is_weighted) return;
    printf("static forces: largest rotation %.3g deg, largest compression %.3g of Euler's load\n",
           57.29577951308232 * rotation, compression);
    if (rotation > 0.1 || compression > 0.5)
        printf("warning: this is outside the range of small deflections\n");
}

void cli_modes_put_setting(pkm_json* json, const cli_modes* m, const pkm_elastic* elastic)
{
    pkm_json_put_string(json, "name", m->robot->desc->name);
    if (m->robot->mech->tool != PKM_NONE) {
        const pkm_vec3 p = pkm_state_marker_pose(m->robot->state, m->robot->mech->tool).p;
        const double at[3] = {p.x, p.y, p.z};
        pkm_json_key(json, "position");
        pkm_json_numbers(json, at, 3);
    }
    pkm_json_put_string(json, "drives", drives_text(m));
    pkm_json_put_integer(json, "links", count_flexible(elastic));
    pkm_json_put_integer(json, "coordinates", pkm_elastic_size(elastic));
    pkm_json_key(json, "idle");
    pkm_json_array_begin(json);
    for (int i = 0; i < pkm_elastic_idle(elastic); ++i)
        pkm_json_string(json, pkm_elastic_idle_name(elastic, i));
    pkm_json_array_end(json);
    if (!m->settings.is_weighted) return;
    double rotation, compression;
    pkm_elastic_static_state(elastic, &rotation, &compression);
    pkm_json_put_number(json, "rotation", rotation);
    pkm_json_put_number(json, "compression", compression);
}
