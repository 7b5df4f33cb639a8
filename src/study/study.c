// A case is the study's settings with those of its levels put over them; robots and runs are made
// from the trees that were parsed once.
#include "study/study.h"

#include "base/error.h"
#include "base/memory.h"
#include "flexible/body.h"
#include "robot/robot.h"
#include "study/compute.h"
#include "study/factorial.h"

#include <stdio.h>
#include <string.h>

void pkm_study_free(pkm_study* study)
{
    if (!study) return;
    for (int i = 0; study->links && i < study->links->n; ++i)
        pkm_flexible_body_free(study->links->body[i]);
    pkm_arena_free(study->arena);
    pkm_free(study);
}

// ---- cases ------------------------------------------------------------------------------------

void pkm_study_levels(const pkm_study* study, int id, int level[PKM_MAX_FACTOR])
{
    const pkm_grid grid = pkm_grid_of(study);
    pkm_grid_levels(&grid, id, level);
}

int pkm_study_find_case(const pkm_study* study, const int level[PKM_MAX_FACTOR])
{
    const pkm_grid grid = pkm_grid_of(study);
    return pkm_grid_case(&grid, level);
}

/// Does the study itself, without any level, run the rigid robot with nothing that acts on it?
static bool is_ideal(const pkm_study* study)
{
    static const char* const effects[] = {"friction", "flexible",   "clearance",   "loads",
                                          "payload",  "tool_force", "tool_torque", "drives"};
    if (study->analysis != PKM_STUDY_SIMULATE && study->analysis != PKM_STUDY_INVERSE) return false;
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; ++i)
        // a reference case that has effects is not the ideal one
        if (pkm_yaml_get(study->root, effects[i])) return false;
    return true;
}

void pkm_study_case_name(const pkm_study* study, int id, char* out, size_t size)
{
    int level[PKM_MAX_FACTOR];
    size_t used = 0;
    pkm_study_levels(study, id, level);
    if (size) out[0] = '\0';
    for (int f = 0; f < study->n_factor && used < size; ++f) {
        const pkm_study_factor* factor = &study->factor[f];
        // in a sweep every value is said, else what is off its reference
        if (!study->is_sweep && level[f] == 0) continue;
        const char* name = factor->level[level[f]].name;
        const bool is_on = strcmp(name, "on") == 0;
        snprintf(out + used, size - used, "%s%s%s%s", used ? ", " : "", factor->name,
                 study->is_sweep ? " = "
                 : is_on         ? ""
                                 : " ",
                 is_on ? "" : name);
        used = strlen(out);
    }
    if (used == 0) snprintf(out, size, is_ideal(study) ? "ideal" : "reference");
}

pkm_settings pkm_study_settings(const pkm_study* study, int id)
{
    int level[PKM_MAX_FACTOR];
    pkm_settings out = {.n = 1, .layer = {study->root}};
    pkm_study_levels(study, id, level);
    for (int f = 0; f < study->n_factor; ++f)
        // later layers are put over earlier ones: factors over the study
        out.layer[out.n++] = study->factor[f].level[level[f]].settings;
    return out;
}

// ---- preparing --------------------------------------------------------------------------------

typedef struct override_list {
    pkm_override item[PKM_MAX_STUDY_SET];
    int n;
} override_list;

/// Add or replace one.
static pkm_status add_override(override_list* list, const char* name, const char* value,
                               pkm_error* err)
{
    int at = 0;
    // of several values of a parameter the last one holds
    while (at < list->n && strcmp(list->item[at].name, name) != 0)
        ++at;
    if (at == PKM_MAX_STUDY_SET)
        return pkm_fail(err, PKM_ERR_MODEL, "set: more than %d parameters", PKM_MAX_STUDY_SET);
    if (at == list->n) ++list->n;
    list->item[at] = (pkm_override){.name = name, .value = value};
    return PKM_OK;
}

/// The maps `key` of all layers; those of the command line stand above the first.
static pkm_status collect(const pkm_study* study, const pkm_settings* settings, const char* key,
                          override_list* out, pkm_error* err)
{
    const bool is_robot = strcmp(key, "set") == 0;
    out->n = 0;
    for (int k = 0; k < settings->n; ++k) {
        // the study's own, then --set of the command line, then those of the levels
        const pkm_yaml* map = pkm_yaml_get(settings->layer[k], key);
        for (const pkm_yaml* item = map ? map->first : NULL; item; item = item->next)
            PKM_TRY(add_override(out, item->key, item->text, err));
        for (int i = 0; k == 0 && is_robot && i < study->n_set; ++i)
            PKM_TRY(add_override(out, study->set[i].name, study->set[i].value, err));
    }
    return PKM_OK;
}

pkm_status pkm_study_require(const pkm_study* study, const pkm_run* run, pkm_analysis analysis,
                             pkm_error* err)
{
    pkm_error why = {0};
    const pkm_status status = pkm_run_require(run, analysis, &why);
    const pkm_yaml* key = pkm_yaml_get(study->root, "analysis");
    if (status == PKM_OK) return PKM_OK;
    return pkm_fail_at(err, status, study->file, key ? key->place.line : 1,
                       key ? key->place.column : 1, "analysis: %s", why.text);
}

static pkm_status make_robot(const pkm_study* study, const override_list* set, pkm_robot** out,
                             pkm_error* err)
{
    pkm_description* desc;
    PKM_TRY(pkm_description_from_tree(study->robot_root, study->robot_text, study->robot_file,
                                      set->item, set->n, &desc, err));
    return pkm_robot_create(desc, out, err);
}

static void keep_links(pkm_study_links* links, const pkm_run* run)
{
    // those that were lent come first in the run's list, so that the others are new
    for (int i = links->n; i < run->n_made && links->n < PKM_MAX_STUDY_LINK; ++i)
        links->body[links->n++] = pkm_flexible_body_share(run->made[i]);
}

pkm_status pkm_study_prepare(const pkm_study* study, const pkm_settings* settings,
                             pkm_prepared* out, pkm_error* err)
{
    override_list set, parameter;
    *out = (pkm_prepared){NULL, NULL};
    PKM_TRY(collect(study, settings, "set", &set, err));
    PKM_TRY(collect(study, settings, "parameters", &parameter, err));
    PKM_TRY(make_robot(study, &set, &out->robot, err));
    PKM_TRY(pkm_run_create_contacts(out->robot, &out->run, err));
    // links that an earlier case has reduced
    if (pkm_run_share_links(out->run, study->links->n, study->links->body) != PKM_OK)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const pkm_run_names names = {.parameters = pkm_yaml_get(study->root, "parameters"),
                                 .set = parameter.item,
                                 .n_set = parameter.n};
    for (int k = 0; k < settings->n; ++k)
        PKM_TRY(pkm_run_take(out->run, settings->layer[k], study->file, &names, err));
    PKM_TRY(pkm_run_complete(out->run, err));
    keep_links(study->links, out->run);
    // what the analysis does not take is refused, with the place in the study file
    return pkm_study_require(study, out->run, pkm_study_asks(study, out->run), err);
}

void pkm_prepared_free(pkm_prepared* prepared)
{
    pkm_run_free(prepared->run);
    pkm_robot_free(prepared->robot);
    *prepared = (pkm_prepared){NULL, NULL};
}
