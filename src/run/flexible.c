#include "base/error.h"
#include "base/pattern.h"
#include "flexible/body.h"
#include "flexible/imported.h"
#include "model/source.h"
#include "run/run_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586477;
static const pkm_dimension per_time = {0, 0, -2, 0}, area = {4, 0, 0, 0}, fourth = {8, 0, 0, 0};

enum { MAX_COUNT = 10000 };

/// A whole number from 1 on.
static pkm_status read_count(const pkm_run_reader* rr, const pkm_yaml* node, int* out)
{
    double n = 0.0;
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_number(&rr->r, node, pkm_dim_one, PKM_RANGE_ANY, &n));
    if (!(n >= 1.0 && n <= MAX_COUNT) || n != floor(n))
        return pkm_reader_fail(&rr->r, node, "%.40s, expected a whole number from 1 to %d",
                               node->text, MAX_COUNT);
    *out = (int)n;
    return PKM_OK;
}

static pkm_status read_word(const pkm_run_reader* rr, const pkm_yaml* node,
                            const char* const* words, int* out)
{
    return node ? pkm_reader_word(&rr->r, node, words, out) : PKM_OK;
}

static pkm_status read_theory(const pkm_run_reader* rr, const pkm_yaml* node,
                              pkm_flexible_spec* spec)
{
    static const char* const theories[] = {"euler", "rayleigh", "timoshenko", NULL};
    static const char* const shapes[] = {"linear-cubic", "cubic-quintic", NULL};
    static const char* const torsions[] = {"st-venant", "polar", NULL};
    int theory = 0, shape = 0, torsion = 0;
    PKM_TRY(read_word(rr, pkm_yaml_get(node, "theory"), theories, &theory));
    PKM_TRY(read_word(rr, pkm_yaml_get(node, "shape"), shapes, &shape));
    PKM_TRY(read_word(rr, pkm_yaml_get(node, "torsion"), torsions, &torsion));
    spec->theory = (pkm_beam_theory)theory;
    spec->shape = (pkm_beam_shape)shape;
    spec->torsion = (pkm_beam_torsion)torsion;
    return PKM_OK;
}

/// `below: 250 Hz`, `modes: 8` or `modes: full`; together: both limits hold.
static pkm_status read_kept(const pkm_run_reader* rr, const pkm_yaml* node, pkm_flexible_spec* spec)
{
    const pkm_yaml *below = pkm_yaml_get(node, "below"), *modes = pkm_yaml_get(node, "modes");
    if (below && modes)
        return pkm_reader_fail_key(&rr->r, modes, "the modes follow from 'below' already");
    if (below) {
        double frequency = 0.0;
        PKM_TRY(pkm_reader_number(&rr->r, below, per_time, PKM_RANGE_POSITIVE, &frequency));
        spec->keep = PKM_FLEXIBLE_KEEP_BELOW;
        spec->below = TWO_PI * frequency;
    }
    if (modes) {
        spec->keep = PKM_FLEXIBLE_KEEP_FULL;
        if (modes->kind == PKM_YAML_TEXT && strcmp(modes->text, "full") == 0) return PKM_OK;
        spec->keep = PKM_FLEXIBLE_KEEP_COUNT;
        return read_count(rr, modes, &spec->n_mode);
    }
    return PKM_OK;
}

/// `damping: none`, `adams`, `adams-free`, a ratio, or `{mass: ..., stiffness: ...}`.
static pkm_status read_damping(const pkm_run_reader* rr, const pkm_yaml* node,
                               pkm_flexible_spec* spec)
{
    static const char* const keys[] = {"mass", "stiffness", NULL};
    if (!node) return PKM_OK;
    if (node->kind == PKM_YAML_MAP) {
        const pkm_run_number number[] = {
            {"mass", per_time, PKM_RANGE_NOT_NEGATIVE, &spec->mass},
            {"stiffness", pkm_dim_time, PKM_RANGE_NOT_NEGATIVE, &spec->stiffness},
            {.key = NULL}};
        spec->damping = PKM_FLEXIBLE_RAYLEIGH;
        PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
        return pkm_run_read_numbers(rr, node, number);
    }
    const bool is_text = node->kind == PKM_YAML_TEXT;
    spec->damping = PKM_FLEXIBLE_UNDAMPED;
    if (is_text && strcmp(node->text, "none") == 0) return PKM_OK;
    spec->damping = PKM_FLEXIBLE_ADAMS;
    if (is_text && strcmp(node->text, "adams") == 0) return PKM_OK;
    spec->free_damping = is_text && strcmp(node->text, "adams-free") == 0;
    if (spec->free_damping) return PKM_OK;
    spec->damping = PKM_FLEXIBLE_RATIO;
    if (!is_text || !strpbrk(node->text, "0123456789="))
        return pkm_reader_fail(
            &rr->r, node,
            "%s, expected none, adams, adams-free, a ratio or {mass: ..., stiffness: ...}",
            pkm_yaml_show(node).text);
    return pkm_reader_number(&rr->r, node, pkm_dim_one, PKM_RANGE_NOT_NEGATIVE, &spec->ratio);
}

// ---- sections ---------------------------------------------------------------------------------

/// The numbers of a section as written; 0: not given.
typedef struct written_section {
    double diameter, wall, width, height, A, Iy, Iz, J, kappa;
    double outer[2]; ///< farthest fibres along y and z [m]
} written_section;

/// `outer: [y, z]`, or one length for both: a section given by numbers has stresses only with it.
static pkm_status read_outer(const pkm_run_reader* rr, const pkm_yaml* section,
                             const pkm_yaml* node, written_section* w)
{
    const pkm_range positive = PKM_RANGE_POSITIVE;
    if (!node && w->A > 0.0)
        return pkm_reader_fail_key(&rr->r, section,
                                   "the key 'outer' is missing: the distances [y, z] of the "
                                   "outermost fibres, which stresses of bending need");
    if (!node) return PKM_OK;
    if (!(w->A > 0.0))
        return pkm_reader_fail_key(&rr->r, node, "it belongs to sections given by their area");
    if (node->kind != PKM_YAML_LIST) {
        PKM_TRY(pkm_reader_number(&rr->r, node, pkm_dim_length, positive, &w->outer[0]));
        w->outer[1] = w->outer[0];
        return PKM_OK;
    }
    PKM_TRY(pkm_reader_list(&rr->r, node, 2, 2));
    PKM_TRY(pkm_reader_number(&rr->r, node->first, pkm_dim_length, positive, &w->outer[0]));
    return pkm_reader_number(&rr->r, node->first->next, pkm_dim_length, positive, &w->outer[1]);
}

static pkm_status make_section(const pkm_run_reader* rr, const pkm_yaml* node,
                               const written_section* w, const pkm_flexible_spec* spec,
                               pkm_beam_section* out)
{
    pkm_error inner = {0};
    pkm_status status;
    if (w->diameter > 0.0 && w->wall > 0.0)
        status = pkm_beam_section_tube(w->diameter, w->diameter - 2.0 * w->wall, out, &inner);
    else if (w->diameter > 0.0)
        status = pkm_beam_section_round(w->diameter, out, &inner);
    else if (w->width > 0.0 && w->height > 0.0)
        status = pkm_beam_section_rectangle(w->width, w->height, spec->torsion, out, &inner);
    else if (w->A > 0.0 && w->Iy > 0.0 && w->Iz > 0.0 && w->J > 0.0)
        status = pkm_beam_section_given(w->A, w->Iy, w->Iz, w->J, w->kappa, out, &inner);
    else
        return pkm_reader_fail_key(&rr->r, node,
                                   "expected {diameter}, {diameter, wall}, {width, height} or "
                                   "{area, Iy, Iz, J, outer}");
    if (w->A > 0.0) out->y_edge = w->outer[0], out->z_edge = w->outer[1];
    return status == PKM_OK ? PKM_OK : pkm_reader_fail_key(&rr->r, node, "%s", inner.text);
}

static pkm_status read_section(const pkm_run_reader* rr, const pkm_yaml* node,
                               const pkm_flexible_spec* spec, pkm_beam_section* out)
{
    static const char* const keys[] = {"diameter", "wall", "width", "height", "area", "Iy",
                                       "Iz",       "J",    "kappa", "outer",  NULL};
    written_section w = {.kappa = 5.0 / 6.0};
    const pkm_range positive = PKM_RANGE_POSITIVE;
    const pkm_run_number number[] = {{"diameter", pkm_dim_length, positive, &w.diameter},
                                     {"wall", pkm_dim_length, positive, &w.wall},
                                     {"width", pkm_dim_length, positive, &w.width},
                                     {"height", pkm_dim_length, positive, &w.height},
                                     {"area", area, positive, &w.A},
                                     {"Iy", fourth, positive, &w.Iy},
                                     {"Iz", fourth, positive, &w.Iz},
                                     {"J", fourth, positive, &w.J},
                                     {"kappa", pkm_dim_one, positive, &w.kappa},
                                     {.key = NULL}};
    PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
    PKM_TRY(pkm_run_read_numbers(rr, node, number));
    PKM_TRY(read_outer(rr, node, pkm_yaml_get(node, "outer"), &w));
    return make_section(rr, node, &w, spec, out);
}

/// `section`, and `section_end` of a tapered link.
static pkm_status read_sections(const pkm_run_reader* rr, const pkm_yaml* node,
                                pkm_flexible_spec* spec)
{
    const pkm_yaml *first = pkm_yaml_get(node, "section"), *y = pkm_yaml_get(node, "section_y");
    const pkm_yaml* last = pkm_yaml_get(node, "section_end");
    if (!first && (last || y))
        return pkm_reader_fail_key(&rr->r, last ? last : y, "it needs the key 'section'");
    if (!first) return PKM_OK;
    spec->n_section = last ? 2 : 1;
    PKM_TRY(read_section(rr, first, spec, &spec->section[0]));
    if (last) PKM_TRY(read_section(rr, last, spec, &spec->section[1]));
    return y ? pkm_reader_axis(&rr->r, y, &spec->y) : PKM_OK;
}

static pkm_status read_rigid_ends(const pkm_run_reader* rr, const pkm_yaml* node,
                                  pkm_flexible_spec* spec)
{
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_list(&rr->r, node, 2, 2));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(&rr->r, item, pkm_dim_length, PKM_RANGE_NOT_NEGATIVE,
                                  &spec->rigid_end[item->index]));
    return PKM_OK;
}

static pkm_status read_places(const pkm_run_reader* rr, const pkm_yaml* node,
                              pkm_flexible_spec* spec)
{
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_list(&rr->r, node, 1, PKM_FLEXIBLE_MAX_PLACE));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        double* at = &spec->place[spec->n_place++];
        PKM_TRY(pkm_reader_number(&rr->r, item, pkm_dim_one, PKM_RANGE_NOT_NEGATIVE, at));
        if (*at > 1.0)
            return pkm_reader_fail(&rr->r, item, "%g, expected a part of the length, 0 to 1", *at);
        for (const double* other = spec->place; other < at; ++other)
            if (*other == *at) return pkm_reader_fail(&rr->r, item, "%g is given twice", *at);
    }
    return PKM_OK;
}

static pkm_status read_material(const pkm_run_reader* rr, const pkm_yaml* node, int* out)
{
    const pkm_description* desc = rr->run->robot->desc;
    const char* name = NULL;
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_text(&rr->r, node, &name));
    pkm_nearest near = pkm_nearest_make(name);
    for (int i = 0; i < desc->n_material; ++i) {
        if (strcmp(desc->material[i].name, name) == 0) {
            *out = i;
            return PKM_OK;
        }
        pkm_nearest_offer(&near, desc->material[i].name);
    }
    return pkm_reader_fail(&rr->r, node, "there is no material '%.60s'%s", name,
                           pkm_nearest_hint(&near).text);
}

/// With a file the mesh is not ours.
static pkm_status check_file(const pkm_run_reader* rr, const pkm_yaml* node)
{
    static const char* const ours[] = {
        "elements",    "theory",    "shape",      "torsion",           "section", "material",
        "section_end", "section_y", "rigid_ends", "static_correction", "places"};
    const pkm_yaml* damping = pkm_yaml_get(node, "damping");
    if (!pkm_yaml_get(node, "file")) return PKM_OK;
    if (damping && damping->kind != PKM_YAML_MAP)
        return pkm_reader_fail_key(&rr->r, damping,
                                   "the body comes from a file: its D is the damping, or "
                                   "{mass: ..., stiffness: ...} here");
    for (size_t k = 0; k < sizeof ours / sizeof ours[0]; ++k)
        if (pkm_yaml_get(node, ours[k]))
            return pkm_reader_fail_key(&rr->r, pkm_yaml_get(node, ours[k]),
                                       "the body comes from a file, which says this");
    return PKM_OK;
}

static pkm_status read_spec(const pkm_run_reader* rr, const pkm_yaml* node, pkm_flexible_spec* out)
{
    static const char* const keys[] = {
        "elements", "theory",      "shape",     "torsion",           "below",
        "modes",    "damping",     "section",   "static_correction", "stiffening",
        "material", "section_end", "section_y", "rigid_ends",        "file",
        "places",   NULL};
    bool has_static = true;
    *out = pkm_flexible_spec_defaults();
    PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
    PKM_TRY(read_count(rr, pkm_yaml_get(node, "elements"), &out->n_element));
    PKM_TRY(read_theory(rr, node, out));
    PKM_TRY(read_kept(rr, node, out));
    PKM_TRY(pkm_run_read_flag(rr, pkm_yaml_get(node, "static_correction"), &has_static));
    out->without_static = !has_static;
    bool stiffens = true;
    PKM_TRY(pkm_run_read_flag(rr, pkm_yaml_get(node, "stiffening"), &stiffens));
    out->without_stiffening = !stiffens;
    PKM_TRY(read_damping(rr, pkm_yaml_get(node, "damping"), out));
    PKM_TRY(read_sections(rr, node, out));
    PKM_TRY(read_rigid_ends(rr, pkm_yaml_get(node, "rigid_ends"), out));
    PKM_TRY(read_places(rr, pkm_yaml_get(node, "places"), out));
    PKM_TRY(check_file(rr, node));
    return read_material(rr, pkm_yaml_get(node, "material"), &out->material);
}

/// A body made by another program, for each body of the pattern.
static pkm_status read_outside(const pkm_run_reader* rr, const pkm_yaml* node, int body,
                               pkm_flexible_spec* spec)
{
    const pkm_yaml* file = pkm_yaml_get(node, "file");
    const char* name = NULL;
    pkm_flexible_imported* outside = NULL;
    pkm_error inner = {0};
    if (!file) return PKM_OK;
    PKM_TRY(pkm_reader_text(&rr->r, file, &name));
    char* path = pkm_source_path(rr->view.file, name);
    if (!path) return pkm_reader_fail_memory(&rr->r);
    const pkm_status status = pkm_flexible_imported_read(path, rr->run->robot->desc, body,
                                                         rr->run->arena, &outside, &inner);
    pkm_free(path);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(&rr->r);
    if (status != PKM_OK) return pkm_reader_fail(&rr->r, file, "%s", inner.text);
    spec->outside = outside;
    spec->without_stiffening = true; // its elements are not known
    return PKM_OK;
}

// ---- bodies -----------------------------------------------------------------------------------

static double highest_of(const pkm_flexible_body* body)
{
    double most = 0.0;
    for (int k = 0; k < body->n_mode; ++k)
        most = fmax(most, body->omega[k]);
    return most;
}

/// Make the body once, so that what is wrong is said here; its highest frequency [rad/s].
static pkm_status check(const pkm_run_reader* rr, const pkm_yaml* node, int body,
                        const pkm_flexible_spec* spec, double* highest)
{
    pkm_flexible_body* made = NULL;
    pkm_error inner = {0};
    const pkm_status status =
        pkm_flexible_body_make(rr->run->robot->desc, body, spec, &made, &inner);
    if (status == PKM_OK) *highest = highest_of(made);
    pkm_flexible_body_free(made);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(&rr->r);
    return status == PKM_OK ? PKM_OK : pkm_reader_fail_key(&rr->r, node, "%s", inner.text);
}

static pkm_status add(pkm_run_reader* rr, const pkm_yaml* node, int body, pkm_flexible_spec* spec)
{
    pkm_effects* effects = &rr->run->effects;
    double highest = 0.0;
    PKM_TRY(read_outside(rr, node, body, spec));
    PKM_TRY(check(rr, node, body, spec, &highest));
    int k = 0;
    while (k < effects->n_flexible && effects->flexible[k].body != body)
        ++k;
    if (k == effects->n_flexible) {
        void* list = effects->flexible;
        PKM_TRY(pkm_run_grow(rr, &list, k, sizeof *effects->flexible));
        effects->flexible = list;
        ++effects->n_flexible;
    }
    effects->flexible[k] = (pkm_effect_flexible){body, *spec, highest};
    return PKM_OK;
}

static pkm_status no_body(const pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_description* desc = rr->run->robot->desc;
    pkm_nearest near = pkm_nearest_make(node->key);
    char list[240] = "";
    for (int k = 1; k < desc->n_body; ++k) {
        pkm_nearest_offer(&near, desc->body[k].name);
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k > 1 ? ", " : "", desc->body[k].name);
    }
    pkm_yaml at = *node->parent;
    at.place = node->key_place;
    if (near.best)
        return pkm_reader_fail(&rr->r, &at, "'%.60s' is no body%s", node->key,
                               pkm_nearest_hint(&near).text);
    return pkm_reader_fail(&rr->r, &at, "'%.60s' matches no body; there are %s%s", node->key, list,
                           strlen(list) == sizeof list - 1 ? " ..." : "");
}

/// Links of one pattern. A pattern for several bodies passes over those without an elastic bar; a
/// body that is named must have one.
static pkm_status read_pattern(pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_description* desc = rr->run->robot->desc;
    const bool is_wild = pkm_pattern_is_wild(node->key);
    const bool has_file = pkm_yaml_get(node, "file") != NULL;
    pkm_flexible_spec spec;
    int n = 0, stiff = PKM_NONE;
    PKM_TRY(read_spec(rr, node, &spec));
    for (int k = 1; k < desc->n_body; ++k) {
        if (!pkm_run_means(node->key, desc->body[k].name)) continue;
        if (is_wild && !has_file && !pkm_flexible_possible(desc, k, &spec)) {
            stiff = k;
            continue;
        }
        PKM_TRY(add(rr, node, k, &spec));
        ++n;
    }
    if (n > 0) return PKM_OK;
    double highest;
    return stiff == PKM_NONE ? no_body(rr, node) : check(rr, node, stiff, &spec, &highest);
}

pkm_status pkm_run_read_flexible(pkm_run_reader* rr, const pkm_yaml* node)
{
    PKM_TRY(pkm_reader_keys_any(&rr->r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read_pattern(rr, item));
    return PKM_OK;
}
