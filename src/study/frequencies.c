#include "study/frequencies.h"

#include "base/error.h"
#include "base/memory.h"
#include "linear/modes.h"
#include "reproduce/kuo2016_model.h"
#include "run/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_MODE = 48, MAX_ELEMENT = 64 };

/// Where, how many, and for Kuo's Delta how.
typedef struct choice {
    bool has_place;
    pkm_vec3 at; ///< of the tool [m]; home when not given
    int n_mode;
    bool is_weighted;  ///< with the axial forces of gravity
    bool is_published; ///< assembled as in Kuo's paper, not as the joints are
    pkm_kuo2016_settings kuo;
    pkm_beam_torsion torsion;
} choice;

// ---- reading ----------------------------------------------------------------------------------

static const char* const assemblies[] = {"physical", "kuo-2016", NULL};
static const char* const shapes[] = {"linear-cubic", "cubic-quintic", NULL};
static const char* const torsions[] = {"polar", "st-venant", NULL};

static pkm_status read_assembly(pkm_reader* r, const pkm_yaml* node, void* to)
{
    int which = 0;
    PKM_TRY(pkm_reader_word(r, node, assemblies, &which));
    *(bool*)to = which == 1;
    return PKM_OK;
}

static pkm_status read_torsion(pkm_reader* r, const pkm_yaml* node, void* to)
{
    int which = 0;
    PKM_TRY(pkm_reader_word(r, node, torsions, &which));
    *(pkm_beam_torsion*)to = which ? PKM_BEAM_TORSION_ST_VENANT : PKM_BEAM_TORSION_POLAR;
    return PKM_OK;
}

#define AT(member) offsetof(choice, member)
static const pkm_key modes_keys[] = {
    {"at", "position of the tool (home)", PKM_KEY_VECTOR, AT(at), &pkm_dim_length,
     .given = AT(has_place)},
    {"modes", "how many frequencies", PKM_KEY_COUNT, AT(n_mode), .least = 1, .most = MAX_MODE},
    {"weight", "with the stiffness that the weight gives", PKM_KEY_FLAG, .at = AT(is_weighted)},
    {.name = NULL}};
const pkm_section pkm_study_modes = {"modes", "of `analysis: modes`", .key = modes_keys};

static const pkm_key kuo_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_study_modes},
    {"assembly", "`physical` (default), or `kuo-2016` as printed in that paper", PKM_KEY_WORD,
     AT(is_published), .words = assemblies, .read = read_assembly},
    {"shape", "shape functions", PKM_KEY_WORD, AT(kuo.shape), .words = shapes},
    {"torsion", "`polar` (default), as in that paper", PKM_KEY_WORD, AT(torsion), .words = torsions,
     .read = read_torsion},
    {"elements", "of each link", PKM_KEY_COUNT, AT(kuo.n_element), .least = 1, .most = MAX_ELEMENT},
    {.name = NULL}};
#undef AT
const pkm_section pkm_study_elastodynamics = {"elastodynamics", "of `analysis: elastodynamics`",
                                              .key = kuo_keys};

/// All layers, later ones over earlier ones.
static pkm_status read_layers(pkm_run_reader* rr, const pkm_study* study,
                              const pkm_settings* settings, choice* c)
{
    const pkm_section* section =
        study->analysis == PKM_STUDY_ELASTODYNAMICS ? &pkm_study_elastodynamics : &pkm_study_modes;
    for (int k = 0; k < settings->n; ++k) {
        const pkm_yaml* node = pkm_yaml_get(settings->layer[k], section->name);
        if (node) PKM_TRY(pkm_keys_read(&rr->r, node, section, c));
    }
    return PKM_OK;
}

/// Values of the study's parameters in this case.
static int collect(const pkm_settings* settings, pkm_override* out)
{
    int n = 0;
    for (int k = 0; k < settings->n; ++k) {
        const pkm_yaml* map = pkm_yaml_get(settings->layer[k], "parameters");
        for (const pkm_yaml* item = map ? map->first : NULL; item && n < PKM_MAX_STUDY_SET;
             item = item->next)
            out[n++] = (pkm_override){.name = item->key, .value = item->text};
    }
    return n;
}

static pkm_status read_choice(const pkm_study* study, const pkm_settings* settings,
                              const pkm_prepared* prepared, choice* out, pkm_error* err)
{
    pkm_override set[PKM_MAX_STUDY_SET];
    const pkm_run_names names = {.parameters = pkm_yaml_get(study->root, "parameters"),
                                 .set = set,
                                 .n_set = collect(settings, set)};
    pkm_run_reader rr = {.view = *prepared->robot->desc, .run = prepared->run};
    rr.view.file = study->file;
    rr.view.arena = prepared->run->arena;
    rr.r = (pkm_reader){.desc = &rr.view, .scratch = pkm_arena_create(), .err = err};
    *out = (choice){.n_mode = 8, .kuo = {.n_element = 1}};
    out->kuo.shape = PKM_BEAM_LINEAR_CUBIC;
    out->torsion = PKM_BEAM_TORSION_POLAR;
    pkm_status status = rr.r.scratch ? PKM_OK : pkm_reader_fail_memory(&rr.r);
    if (status == PKM_OK) status = pkm_run_make_scope(&rr, &names);
    if (status == PKM_OK) status = read_layers(&rr, study, settings, out);
    pkm_arena_free(rr.r.scratch);
    return status;
}

// ---- computing --------------------------------------------------------------------------------

static pkm_status add_columns(pkm_table* table, int n_mode, pkm_error* err)
{
    char name[16];
    bool ok = pkm_table_add_column(table, "t", "s") != PKM_NONE;
    for (int k = 0; k < 2 * n_mode && ok; ++k) {
        snprintf(name, sizeof name, "%s%d", k < n_mode ? "f" : "w", k % n_mode + 1);
        ok = pkm_table_add_column(table, name, k < n_mode ? "Hz" : "rad/s") != PKM_NONE;
    }
    ok = ok && pkm_table_add_column(table, "n", "") != PKM_NONE;
    return ok ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}

static pkm_status put(pkm_table* table, const double* omega, int n_mode, int n_coordinate,
                      pkm_error* err)
{
    PKM_TRY(add_columns(table, n_mode, err));
    double* row = pkm_table_append(table);
    if (!row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    double *f = row + pkm_table_find(table, "f1"), *w = row + pkm_table_find(table, "w1");
    for (int k = 0; k < n_mode; ++k) {
        f[k] = omega[k] / (2.0 * 3.14159265358979323846);
        w[k] = omega[k];
    }
    row[pkm_table_find(table, "n")] = n_coordinate;
    return PKM_OK;
}

static pkm_status published_frequencies(const choice* c, const pkm_robot* robot, pkm_table* table,
                                        pkm_error* err)
{
    double omega[MAX_MODE];
    pkm_kuo2016_robot kuo_robot;
    pkm_kuo2016* kuo = NULL;
    if (c->is_weighted)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "elastodynamics.weight: it needs 'assembly: physical'");
    PKM_TRY(pkm_kuo2016_robot_from(robot, c->torsion, &kuo_robot, err));
    pkm_status status = pkm_kuo2016_create(&kuo_robot, &c->kuo, &kuo, err);
    const pkm_vec3 at = c->has_place ? c->at : robot->tool_home.p;
    if (status == PKM_OK) status = pkm_kuo2016_frequencies(kuo, at, c->n_mode, omega, err);
    if (status == PKM_OK) status = put(table, omega, c->n_mode, pkm_kuo2016_size(kuo), err);
    pkm_kuo2016_free(kuo);
    return status;
}

static pkm_status go_to(const choice* c, pkm_robot* robot, pkm_error* err)
{
    pkm_instant at = pkm_instant_home(robot);
    if (!c->has_place) return PKM_OK;
    at.tool.pose.p = c->at;
    return pkm_kinematics_inverse(robot, PKM_START_HOME, &at, err);
}

static pkm_status robot_frequencies(const choice* c, pkm_prepared* prepared, pkm_table* table,
                                    pkm_error* err)
{
    const pkm_sim_settings* s = &prepared->run->settings;
    pkm_elastic_settings settings = {.effects = &prepared->run->effects,
                                     .is_weighted = c->is_weighted,
                                     .tool_force = s->tool_force,
                                     .tool_torque = s->tool_torque};
    memcpy(settings.drive, prepared->run->hold, sizeof settings.drive);
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    double omega[MAX_MODE] = {0.0};
    pkm_status status = go_to(c, prepared->robot, err);
    if (status == PKM_OK)
        status = pkm_modes_at(prepared->robot, &settings, c->n_mode, &elastic, &modes, err);
    for (int k = 0; status == PKM_OK && k < modes->n_mode && k < c->n_mode; ++k)
        omega[k] = modes->omega[k];
    if (status == PKM_OK) status = put(table, omega, c->n_mode, pkm_elastic_size(elastic), err);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    return status;
}

/// All links that can be are flexible, with the elements of the choice.
static pkm_status bend_all(const choice* c, pkm_run* run, pkm_error* err)
{
    if (run->effects.n_flexible == 0) PKM_TRY(pkm_run_flexible_all(run, err));
    for (int i = 0; i < run->effects.n_flexible; ++i) {
        pkm_flexible_spec* spec = &run->effects.flexible[i].spec;
        spec->n_element = c->kuo.n_element;
        spec->shape = c->kuo.shape;
        spec->torsion = c->torsion;
    }
    return PKM_OK;
}

pkm_status pkm_study_frequencies(const pkm_study* study, const pkm_settings* settings,
                                 pkm_prepared* prepared, pkm_table* table, pkm_error* err)
{
    choice c;
    PKM_TRY(read_choice(study, settings, prepared, &c, err));
    if (c.is_published) return published_frequencies(&c, prepared->robot, table, err);
    if (study->analysis == PKM_STUDY_ELASTODYNAMICS) PKM_TRY(bend_all(&c, prepared->run, err));
    PKM_TRY(pkm_study_require(study, prepared->run,
                              c.is_weighted ? PKM_ANALYSIS_MODES_WEIGHTED : PKM_ANALYSIS_MODES,
                              err));
    return robot_frequencies(&c, prepared, table, err);
}

pkm_status pkm_study_frequency_columns(const pkm_study* study, const pkm_settings* settings,
                                       pkm_prepared* prepared, pkm_table* table, pkm_error* err)
{
    choice c;
    PKM_TRY(read_choice(study, settings, prepared, &c, err));
    return add_columns(table, c.n_mode, err);
}
