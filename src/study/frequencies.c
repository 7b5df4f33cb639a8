// Natural frequencies as a case, at a pose or along a motion, with the expressions of the study's
// parameters.
#include "study/frequencies.h"

#include "base/error.h"
#include "base/memory.h"
#include "linear/modes.h"
#include "linear/modes_sweep.h"
#include "math/angle.h"
#include "reproduce/kuo2016_model.h"
#include "reproduce/kuo2016_response.h"
#include "run/reader.h"

#include <stdio.h>
#include <string.h>

enum { MAX_MODE = 48, MAX_ELEMENT = 64, MAX_INSTANT = 100001 };

/// Where, how many, and for Kuo's Delta how.
typedef struct choice {
    bool has_place;
    pkm_vec3 at; ///< of the tool [m]; home when not given
    int n_mode;
    bool is_weighted;  ///< with the axial forces of gravity
    bool is_published; ///< assembled as in Kuo's paper, not as the joints are
    pkm_kuo2016_settings kuo;
    pkm_beam_torsion torsion;
    int n_instant;     ///< along the motion; 0: at one place
    bool has_response; ///< deflections in time too
    pkm_kuo2016_start start;
} choice;

// ---- reading ----------------------------------------------------------------------------------

static const char* const assemblies[] = {"physical", "kuo-2016", NULL};
static const char* const shapes[] = {"linear-cubic", "cubic-quintic", NULL};
static const char* const starts[] = {"static", "undeformed", "periodic", NULL}; // its order
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
    {"along",
     "instead of one place: at so many instants of the motion, evenly spaced; rows with the time "
     "and `angle`, that of the tool about z",
     PKM_KEY_COUNT, AT(n_instant), .least = 2, .most = MAX_INSTANT},
    {.name = NULL}};
const pkm_section pkm_study_modes = {"modes", "of `analysis: modes`", .key = modes_keys};

static const pkm_key kuo_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_study_modes},
    {"assembly", "`physical` (default), or `kuo-2016` as printed in that paper", PKM_KEY_WORD,
     AT(is_published), .words = assemblies, .read = read_assembly},
    {"shape", "shape functions", PKM_KEY_WORD, AT(kuo.shape), .words = shapes},
    {"torsion", "`polar` (default), as in that paper", PKM_KEY_WORD, AT(torsion), .words = torsions,
     .read = read_torsion},
    {"response",
     "of `kuo-2016` with `along`: deflections of the platform in time too, columns `P.dx` ... "
     "`P.rz`, from rest under the weight, from the undeformed robot, or periodic",
     PKM_KEY_WORD, AT(start), .words = starts, .given = AT(has_response)},
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

/// Expressions see the parameters of the study with the values of this case.
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

/// One row: where, the frequencies, what else there is.
typedef struct instant {
    double t, angle;     ///< [s], [rad]
    const double* omega; ///< [n_mode]
    int n_coordinate;
    const double* deviation; ///< [6], with a response
} instant;

static const char* const deviation[] = {"P.dx", "P.dy", "P.dz", "P.rx", "P.ry", "P.rz"};

/// t, angle along a motion, f1 ... w1 ... n, and deviations with a response.
static pkm_status add_columns(const choice* c, pkm_table* table, pkm_error* err)
{
    char name[16];
    const int n = c->n_mode;
    bool ok = pkm_table_add_column(table, "t", "s") != PKM_NONE;
    if (c->n_instant > 0) ok = ok && pkm_table_add_column(table, "angle", "rad") != PKM_NONE;
    for (int k = 0; k < 2 * n && ok; ++k) {
        snprintf(name, sizeof name, "%s%d", k < n ? "f" : "w", k % n + 1);
        ok = pkm_table_add_column(table, name, k < n ? "Hz" : "rad/s") != PKM_NONE;
    }
    ok = ok && pkm_table_add_column(table, "n", "") != PKM_NONE;
    for (int k = 0; k < 6 && c->has_response && ok; ++k)
        ok = pkm_table_add_column(table, deviation[k], k < 3 ? "m" : "rad") != PKM_NONE;
    return ok ? PKM_OK : pkm_out_of_memory(err);
}

static pkm_status put(const choice* c, const instant* at, pkm_table* table, pkm_error* err)
{
    if (pkm_table_n_column(table) == 0) PKM_TRY(add_columns(c, table, err));
    double* row = pkm_table_append(table);
    if (!row) return pkm_out_of_memory(err);
    double *f = row + pkm_table_find(table, "f1"), *w = row + pkm_table_find(table, "w1");
    row[0] = at->t;
    if (c->n_instant > 0) row[1] = at->angle;
    for (int k = 0; k < c->n_mode; ++k) {
        f[k] = at->omega[k] / PKM_TURN;
        w[k] = at->omega[k];
    }
    row[pkm_table_find(table, "n")] = at->n_coordinate;
    for (int k = 0; k < 6 && at->deviation; ++k)
        row[pkm_table_find(table, deviation[k])] = at->deviation[k];
    return PKM_OK;
}

// ---- as published -----------------------------------------------------------------------------

/// At one place of the tool.
static pkm_status published_place(const choice* c, pkm_kuo2016* kuo, pkm_vec3 at, pkm_table* table,
                                  pkm_error* err)
{
    double omega[MAX_MODE];
    PKM_TRY(pkm_kuo2016_frequencies(kuo, at, c->n_mode, omega, err));
    const instant row = {.omega = omega, .n_coordinate = pkm_kuo2016_size(kuo)};
    return put(c, &row, table, err);
}

static pkm_status published_rows(const choice* c, pkm_kuo2016* kuo, const pkm_kuo2016_path* path,
                                 double (*off)[6], pkm_table* table, pkm_error* err)
{
    double omega[MAX_MODE];
    if (off) PKM_TRY(pkm_kuo2016_respond(kuo, path, c->start, off, err));
    instant row = {.omega = omega, .n_coordinate = pkm_kuo2016_size(kuo)};
    for (int i = 0; i < path->n; ++i) {
        row.t = i * path->step;
        // without jumps of 2 pi
        row.angle = pkm_angle_next(path->P[i].x, row.angle);
        row.deviation = off ? off[i] : NULL;
        PKM_TRY(pkm_kuo2016_frequencies(kuo, path->P[i].x, c->n_mode, omega, err));
        PKM_TRY(put(c, &row, table, err));
    }
    return PKM_OK;
}

static pkm_status published_along(const choice* c, pkm_kuo2016* kuo, const pkm_motion* motion,
                                  pkm_table* table, pkm_error* err)
{
    const int n = c->n_instant;
    // evenly spaced from start to end of the motion
    const double step = pkm_motion_duration(motion) / (n - 1);
    pkm_beam_jet* P = pkm_alloc((size_t)n, sizeof *P);
    double(*off)[6] = c->has_response ? pkm_alloc((size_t)n, sizeof *off) : NULL;
    const bool has_room = P && (off || !c->has_response);
    pkm_status status = has_room ? PKM_OK : pkm_out_of_memory(err);
    for (int i = 0; i < n && has_room; ++i) {
        pkm_frame_motion tool;
        pkm_motion_tool(motion, i * step, &tool, NULL);
        P[i] = (pkm_beam_jet){tool.pose.p, tool.v, tool.a};
    }
    const pkm_kuo2016_path path = {P, n, step};
    if (status == PKM_OK) status = published_rows(c, kuo, &path, off, table, err);
    pkm_free(off);
    pkm_free(P);
    return status;
}

/// The motion along which frequencies are asked for.
static pkm_status find_motion(const pkm_prepared* prepared, bool of_tool, const pkm_motion** out,
                              pkm_error* err)
{
    const int m = prepared->run->settings.motion;
    *out = m == PKM_NONE ? NULL : prepared->robot->desc->motion[m].motion;
    if (*out && !(of_tool && pkm_motion_is_drives(*out))) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "along: it needs a motion%s",
                    of_tool ? " of the tool" : "");
}

static pkm_status published_frequencies(const choice* c, const pkm_prepared* prepared,
                                        pkm_table* table, pkm_error* err)
{
    const pkm_robot* robot = prepared->robot;
    const pkm_motion* motion = NULL;
    pkm_kuo2016_robot kuo_robot;
    pkm_kuo2016* kuo = NULL;
    if (c->is_weighted)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "elastodynamics.weight: it needs 'assembly: physical'");
    if (c->n_instant > 0) PKM_TRY(find_motion(prepared, true, &motion, err));
    PKM_TRY(pkm_kuo2016_robot_from(robot, c->torsion, &kuo_robot, err));
    pkm_status status = pkm_kuo2016_create(&kuo_robot, &c->kuo, &kuo, err);
    const pkm_vec3 at = c->has_place ? c->at : robot->tool_home.p;
    if (status == PKM_OK)
        status = motion ? published_along(c, kuo, motion, table, err)
                        : published_place(c, kuo, at, table, err);
    pkm_kuo2016_free(kuo);
    return status;
}

// ---- as the robot is --------------------------------------------------------------------------

/// To the place of the choice, from home; home without one.
static pkm_status go_to(const choice* c, pkm_robot* robot, pkm_error* err)
{
    pkm_instant at = pkm_instant_home(robot);
    if (!c->has_place) return PKM_OK;
    at.tool.pose.p = c->at;
    return pkm_kinematics_inverse(robot, PKM_START_HOME, &at, err);
}

/// Drives are held as the run says, loads are its own.
static pkm_elastic_settings elastic_settings(const choice* c, const pkm_prepared* prepared)
{
    const pkm_sim_settings* s = &prepared->run->settings;
    pkm_elastic_settings settings = {.effects = &prepared->run->effects,
                                     .is_weighted = c->is_weighted,
                                     .tool_force = s->tool_force,
                                     .tool_torque = s->tool_torque};
    memcpy(settings.drive, prepared->run->hold, sizeof settings.drive);
    return settings;
}

static pkm_status robot_frequencies(const choice* c, pkm_prepared* prepared, pkm_table* table,
                                    pkm_error* err)
{
    const pkm_elastic_settings settings = elastic_settings(c, prepared);
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    double omega[MAX_MODE] = {0.0};
    pkm_status status = go_to(c, prepared->robot, err);
    if (status == PKM_OK)
        status = pkm_modes_at(prepared->robot, &settings, c->n_mode, &elastic, &modes, err);
    for (int k = 0; status == PKM_OK && k < modes->n_mode && k < c->n_mode; ++k)
        omega[k] = modes->omega[k];
    const instant row = {.omega = omega, .n_coordinate = elastic ? pkm_elastic_size(elastic) : 0};
    if (status == PKM_OK) status = put(c, &row, table, err);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    return status;
}

/// The rows of pkm_modes_along in the columns of a study.
static pkm_status robot_along(const choice* c, pkm_prepared* prepared, pkm_table* table,
                              pkm_error* err)
{
    const pkm_motion* motion = NULL;
    pkm_modes_sweep sweep = {.elastic = elastic_settings(c, prepared), .n_mode = c->n_mode};
    PKM_TRY(find_motion(prepared, false, &motion, err));
    pkm_table* rows = pkm_table_create();
    if (!rows) return pkm_out_of_memory(err);
    pkm_status status = pkm_modes_along(prepared->robot, &sweep, motion, c->n_instant, rows, err);
    const int f1 = pkm_table_find(rows, "f1");
    double omega[MAX_MODE];
    instant row = {.omega = omega};
    for (int i = 0; status == PKM_OK && i < pkm_table_n_row(rows); ++i) {
        row.t = pkm_table_get(rows, i, 0);
        row.angle = pkm_table_get(rows, i, pkm_table_find(rows, "angle"));
        for (int k = 0; k < c->n_mode; ++k)
            omega[k] = PKM_TURN * pkm_table_get(rows, i, f1 + k);
        status = put(c, &row, table, err);
    }
    pkm_table_free(rows);
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
    if (c.has_response && (!c.is_published || c.n_instant == 0))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "elastodynamics.response: it needs 'assembly: kuo-2016' and 'along'");
    if (c.is_published) return published_frequencies(&c, prepared, table, err);
    if (study->analysis == PKM_STUDY_ELASTODYNAMICS) PKM_TRY(bend_all(&c, prepared->run, err));
    PKM_TRY(pkm_study_require(study, prepared->run,
                              c.is_weighted ? PKM_ANALYSIS_MODES_WEIGHTED : PKM_ANALYSIS_MODES,
                              err));
    return c.n_instant > 0 ? robot_along(&c, prepared, table, err)
                           : robot_frequencies(&c, prepared, table, err);
}

pkm_status pkm_study_frequency_columns(const pkm_study* study, const pkm_settings* settings,
                                       pkm_prepared* prepared, pkm_table* table, pkm_error* err)
{
    choice c;
    PKM_TRY(read_choice(study, settings, prepared, &c, err));
    return add_columns(&c, table, err);
}
