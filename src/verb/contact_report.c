// Pictures of a run with clearance: where journals have been, when they touched, and one dot a
// period, which tells periodic motion from chaos.
#include "verb/contact_report.h"

#include "base/error.h"
#include "pkm/output.h"
#include "plot/orbit.h"
#include "plot/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- pictures ---------------------------------------------------------------------------------

/// The centre of each ball or pin in its socket, for as many bearings as panels fit.
static pkm_status draw_orbits(const pkm_account* sim, pkm_verb_files* files, pkm_error* err)
{
    const pkm_contact_record* r = sim->record;
    char name[PKM_ORBITS_MAX][PKM_MAX_NAME + 8];
    pkm_orbit orbit[PKM_ORBITS_MAX];
    char title[3 * PKM_MAX_NAME], note[256] = "";
    const int n = r->n_bearing < PKM_ORBITS_MAX ? r->n_bearing : PKM_ORBITS_MAX;
    for (int k = 0; k < n; ++k) {
        const pkm_bearing_record* b = &r->bearing[k];
        pkm_bearing_name(b, name[k], sizeof name[k]);
        orbit[k] = (pkm_orbit){.name = name[k],
                               .clearance = b->radial,
                               .is_square = b->type == PKM_JOINT_PRISMATIC,
                               .is_ball = b->type == PKM_JOINT_SPHERICAL,
                               .path = r->path + k,
                               .n = r->n_path,
                               .stride = r->n_bearing};
    }
    snprintf(title, sizeof title, "%s, motion %s: paths in the clearance", sim->robot->desc->name,
             pkm_account_motion(sim));
    snprintf(note, sizeof note,
             "Offset of the centre of ball or pin in the axes of its socket or bearing; the circle "
             "is the clearance, the dot the end of the run.%s",
             n < r->n_bearing ? " The first 24 joints." : "");
    return pkm_orbits_write(&(pkm_orbits){title, note, orbit, n},
                            pkm_verb_file(files, "orbits.svg"), err);
}

/// When each bearing was free, in contact, in impact.
static pkm_status draw_bars(const pkm_account* sim, pkm_verb_files* files, pkm_error* err)
{
    const pkm_contact_record* r = sim->record;
    char name[PKM_TIMELINE_MAX_ROW][PKM_MAX_NAME + 8];
    const char *row[PKM_TIMELINE_MAX_ROW], *state[PKM_N_TOUCH];
    char title[3 * PKM_MAX_NAME];
    const int n = r->n_bearing < PKM_TIMELINE_MAX_ROW ? r->n_bearing : PKM_TIMELINE_MAX_ROW;
    for (int k = 0; k < n; ++k) {
        pkm_bearing_name(&r->bearing[k], name[k], sizeof name[k]);
        row[k] = name[k];
    }
    for (int m = 0; m < PKM_N_TOUCH; ++m)
        state[m] = pkm_touch_name((pkm_touch)m);
    pkm_timeline_change* change = pkm_alloc((size_t)r->n_event, sizeof *change);
    if (!change) return pkm_out_of_memory(err);
    for (int i = 0; i < r->n_event; ++i)
        change[i] = (pkm_timeline_change){r->event[i].t, r->event[i].bearing, r->event[i].phase};
    snprintf(title, sizeof title, "%s, motion %s: modes of contact", sim->robot->desc->name,
             pkm_account_motion(sim));
    const pkm_timeline timeline = {.title = title,
                                   .row = row,
                                   .n_row = n,
                                   .state = state,
                                   .n_state = PKM_N_TOUCH,
                                   .change = change,
                                   .n_change = r->n_event,
                                   .end = pkm_contact_record_listed(r)};
    const pkm_status status =
        pkm_timeline_write(&timeline, pkm_verb_file(files, "contacts.svg"), err);
    pkm_free(change);
    return status;
}

// ---- section ----------------------------------------------------------------------------------

/// A table with one row per period: t, and the offsets of every bearing.
static pkm_status make_section(const pkm_account* sim, pkm_table* out)
{
    static const char* const axis[] = {"ox", "oy", "oz"};
    const pkm_contact_record* r = sim->record;
    const int periods = (int)lround(sim->run->settings.end_time / sim->run->section);
    // rows are so that one falls on the end of every period (run/run.c checks it)
    const int per_period = (sim->run->settings.n_instant - 1) / periods;
    if (pkm_table_add_column(out, "t", "s") == PKM_NONE) return PKM_ERR_MEMORY;
    for (int k = 0; k < 3 * r->n_bearing; ++k) {
        char name[2 * PKM_MAX_NAME], bearing[PKM_MAX_NAME + 8];
        pkm_bearing_name(&r->bearing[k / 3], bearing, sizeof bearing);
        snprintf(name, sizeof name, "%s.%s", bearing, axis[k % 3]);
        if (pkm_table_add_column(out, name, "m") == PKM_NONE) return PKM_ERR_MEMORY;
    }
    // located peaks stand behind the rows and are none of the section
    for (int i = 0; i < pkm_table_n_row(sim->table); i += per_period) {
        double* row = pkm_table_append(out);
        if (!row) return PKM_ERR_MEMORY;
        row[0] = pkm_table_get(sim->table, i, 0);
        for (int k = 0; k < 3 * r->n_bearing; ++k) {
            const int c = pkm_table_find(sim->table, pkm_table_name(out, k + 1));
            row[k + 1] = pkm_table_get(sim->table, i, c);
        }
    }
    return PKM_OK;
}

/// Poincare sections: dots for a periodic motion, clouds for chaos.
static pkm_status draw_section(const pkm_account* sim, const pkm_table* section,
                               pkm_verb_files* files, pkm_error* err)
{
    char name[PKM_ORBITS_MAX][PKM_MAX_NAME + 8];
    const pkm_contact_record* r = sim->record;
    const int n = r->n_bearing < PKM_ORBITS_MAX ? r->n_bearing : PKM_ORBITS_MAX;
    const int n_row = pkm_table_n_row(section);
    pkm_orbit orbit[PKM_ORBITS_MAX];
    char title[3 * PKM_MAX_NAME];
    pkm_vec3* at = pkm_alloc((size_t)n * (size_t)n_row, sizeof *at);
    if (!at) return pkm_out_of_memory(err);
    for (int k = 0; k < n; ++k) {
        const pkm_bearing_record* b = &r->bearing[k];
        pkm_vec3* points = at + (size_t)k * (size_t)n_row;
        for (int i = 0; i < n_row; ++i)
            points[i] = (pkm_vec3){pkm_table_get(section, i, 3 * k + 1),
                                   pkm_table_get(section, i, 3 * k + 2),
                                   pkm_table_get(section, i, 3 * k + 3)};
        pkm_bearing_name(b, name[k], sizeof name[k]);
        orbit[k] = (pkm_orbit){.name = name[k],
                               .clearance = b->radial,
                               .is_square = b->type == PKM_JOINT_PRISMATIC,
                               .is_ball = b->type == PKM_JOINT_SPHERICAL,
                               .is_points = true,
                               .path = points,
                               .n = n_row,
                               .stride = 1};
    }
    snprintf(title, sizeof title, "%s, motion %s: journals once per %.4g s", sim->robot->desc->name,
             pkm_account_motion(sim), sim->run->section);
    const pkm_status status = pkm_orbits_write(
        &(pkm_orbits){title, "One point per period: a periodic motion has few, chaos many.", orbit,
                      n},
        pkm_verb_file(files, "section.svg"), err);
    pkm_free(at);
    return status;
}

static pkm_status write_section(const pkm_account* sim, pkm_verb_files* files, pkm_error* err)
{
    pkm_table* section = pkm_table_create();
    pkm_status status = section ? make_section(sim, section) : PKM_ERR_MEMORY;
    if (status != PKM_OK) pkm_out_of_memory(err);
    if (status == PKM_OK) status = pkm_csv_write(section, pkm_verb_file(files, "section.csv"), err);
    if (status == PKM_OK) status = draw_section(sim, section, files, err);
    pkm_table_free(section);
    return status;
}

pkm_status pkm_verb_contact_draw(const void* user, pkm_verb_files* files, pkm_error* err)
{
    const pkm_account* sim = user;
    // a run that ended at its start has no path to draw
    if (sim->record->n_bearing == 0 || !(sim->record->t_end > 0.0)) return PKM_OK;
    PKM_TRY(draw_orbits(sim, files, err));
    PKM_TRY(draw_bars(sim, files, err));
    return sim->run->section > 0.0 ? write_section(sim, files, err) : PKM_OK;
}
