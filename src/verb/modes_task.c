#include "verb/modes_task.h"

#include "base/error.h"
#include "run/takes.h"
#include "verb/pose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

double pkm_verb_modes_tidy(double x)
{
    return fabs(x) < 5e-10 ? 0.0 : x;
}

pkm_status pkm_verb_modes_read(pkm_verb_modes* m, pkm_error* err)
{
    const pkm_verb_arguments* args = m->args;
    PKM_TRY(pkm_run_create(m->robot, &m->run, err));
    PKM_TRY(pkm_verb_choose(m->run, args, err));
    if (m->run->effects.n_flexible == 0) PKM_TRY(pkm_run_flexible_all(m->run, err));
    m->run->asked.weight = pkm_verb_has(args, "--weight");
    PKM_TRY(pkm_verb_require(args, m->run, err));
    m->settings = (pkm_elastic_settings){.effects = &m->run->effects,
                                         .is_weighted = m->run->asked.weight,
                                         .tool_force = m->run->settings.tool_force,
                                         .tool_torque = m->run->settings.tool_torque};
    memcpy(m->settings.drive, m->run->hold, sizeof m->settings.drive);
    return pkm_verb_go_to_pose(args, m->robot, err);
}

void pkm_verb_modes_free(pkm_verb_modes* m)
{
    pkm_run_free(m->run);
}

pkm_status pkm_verb_modes_show(const pkm_verb_modes* m, pkm_error* err)
{
    PKM_TRY(pkm_verb_show(m->args, m->form, err));
    return pkm_verb_stopped(m->args) ? PKM_ERR_INTERRUPTED : PKM_OK;
}

// ---- the setting ------------------------------------------------------------------------------

/// "locked", "free", "elastic" or "held in different ways".
static const char* drives_text(const pkm_verb_modes* m)
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

/// "A, B and C"
static void put_idle(pkm_result* in, const pkm_elastic* elastic)
{
    char words[1000] = "";
    const int n = pkm_elastic_idle(elastic);
    pkm_result* list = pkm_result_list(in, "idle");
    for (int i = 0; i < n; ++i) {
        const size_t used = strlen(words);
        pkm_result_text(list, NULL, pkm_elastic_idle_name(elastic, i));
        snprintf(words + used, sizeof words - used, "%s%s",
                 i == 0       ? ""
                 : i == n - 1 ? " and "
                              : ", ",
                 pkm_elastic_idle_name(elastic, i));
    }
    pkm_result_text(in, "_idle", words);
    pkm_result_bool(in, "_one_idle", n == 1);
}

void pkm_verb_modes_setting(const pkm_verb_modes* m, const pkm_elastic* elastic, pkm_result* out)
{
    const int n = count_flexible(elastic);
    double rotation, compression;
    pkm_result_text(out, "name", m->robot->desc->name);
    if (m->robot->mech->tool != PKM_NONE) {
        const pkm_vec3 p = pkm_state_marker_pose(m->robot->state, m->robot->mech->tool).p;
        pkm_result_vec(out, "position", "m", p);
        pkm_result_vec(out, "_position", "m",
                       (pkm_vec3){pkm_verb_modes_tidy(p.x), pkm_verb_modes_tidy(p.y),
                                  pkm_verb_modes_tidy(p.z)});
    }
    pkm_result_text(out, "drives", drives_text(m));
    pkm_result_integer(out, "links", n);
    pkm_result_bool(out, "_one_link", n == 1);
    pkm_result_integer(out, "coordinates", pkm_elastic_size(elastic));
    put_idle(out, elastic);
    pkm_elastic_static_state(elastic, &rotation, &compression);
    if (!m->settings.is_weighted) return;
    pkm_result_number(out, "rotation", "rad", rotation);
    pkm_result_number(out, "compression", "", compression);
    pkm_result_bool(out, "_far", rotation > 0.1 || compression > 0.5);
}
