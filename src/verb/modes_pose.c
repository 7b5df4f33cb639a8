// Natural frequencies at one pose: for people, for machines, as files.
#include "base/clock.h"
#include "base/error.h"
#include "linear/modes_report.h"
#include "math/angle.h"
#include "robot/inverse_result.h"
#include "verb/modes_task.h"

#include <stdio.h>
#include <string.h>

// ---- the result -------------------------------------------------------------------------------

static const char text[] =
    "{name}, natural frequencies\n" VERB_MODES_SETTING_TEXT
    "\n mode       f \\[Hz\\]    w \\[rad/s\\]   axial  bending  torsion  drives[{?_has_springs} "
    "springs]  most strained\n"
    "{*modes}{_number:5d} {frequency:12.5f} {omega:12.5f} {axial:6.1f|100}% {bending:7.1f|100}% "
    "{torsion:7.1f|100}% {drives:6.1f|100}%[{?_has_springs} {springs:6.1f|100}%]  {_who}\n{/}"
    "[{?damped}\n       damped \\[Hz\\]        ratio\n]"
    "{*damped}{_number:5d} {frequency:12.5f} [{_ratio:11.4f|100}%][ none, {_none}]\n{/}[\nresults "
    "in {folder}\n]";

// ---- files ------------------------------------------------------------------------------------

/// What the folder is made of.
typedef struct result {
    const pkm_verb_modes* m;
    const pkm_elastic* elastic;
    const pkm_modes* modes;
} result;

static pkm_status draw(const void* user, pkm_verb_files* files, pkm_error* err)
{
    const result* r = user;
    const char* path = pkm_verb_file(files, "modes.svg");
    return pkm_verb_modes_draw(r->m, r->elastic, r->modes, path, err);
}

static void put_shapes(const void* user, pkm_json* json)
{
    const result* r = user;
    pkm_verb_modes_scene(&(pkm_verb_mode_shapes){r->elastic, r->modes}, json);
}

static pkm_status write_folder(pkm_verb_modes* m, const pkm_elastic* elastic,
                               const pkm_modes* modes, pkm_error* err)
{
    const result r = {m, elastic, modes};
    pkm_table* table = pkm_verb_table(m->args, "modes");
    pkm_status status =
        table ? pkm_modes_report(elastic, modes, table, err) : pkm_out_of_memory(err);
    const pkm_verb_run out = {.args = m->args,
                              .robot = m->robot,
                              // drawn where it was asked, not at home
                              .stands = m->robot->state->q,
                              .motion = "modes",
                              .table = table,
                              .complete = true,
                              .wall_time = pkm_clock() - m->start,
                              .draw = draw,
                              .more = put_shapes,
                              .user = &r,
                              .tree = m->result};
    pkm_headline_result(pkm_result_list(m->result, "_headlines"), "lowest frequency",
                        modes->omega[0] / PKM_TURN, "Hz");
    if (status == PKM_OK) status = pkm_verb_run_write(&out, m->folder, sizeof m->folder, err);
    return status;
}

pkm_status pkm_verb_modes_at_pose(pkm_verb_modes* m, pkm_error* err)
{
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    pkm_status status = pkm_modes_at(m->robot, &m->settings, m->n_mode, &elastic, &modes, err);
    m->form = text;
    if (status == PKM_OK) pkm_modes_result(m->robot, &m->settings, elastic, modes, m->result);
    if (status == PKM_OK && pkm_verb_has(m->args, "-o"))
        status = write_folder(m, elastic, modes, err);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    return status;
}
