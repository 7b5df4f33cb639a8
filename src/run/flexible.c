// The section `flexible` of a run file: which links bend, their elements, modes, damping, pieces
// and starts.
#include "base/error.h"
#include "base/pattern.h"
#include "flexible/imported.h"
#include "flexible/link_start.h"
#include "flexible/pieces.h"
#include "math/angle.h"
#include "model/source.h"
#include "run/run_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const pkm_dimension area = {4, 0, 0, 0}, fourth = {8, 0, 0, 0};

enum { MAX_COUNT = 10000 };

// ---- modes and damping ------------------------------------------------------------------------

/// `[first, second]`, or one number for both.
static pkm_status read_pair(pkm_reader* r, const pkm_yaml* node, pkm_dimension dimension,
                            pkm_range range, double out[2])
{
    const bool is_list = node->kind == PKM_YAML_LIST;
    const pkm_yaml* first = is_list ? node->first : node;
    if (is_list) PKM_TRY(pkm_reader_list(r, node, 2, 2));
    PKM_TRY(pkm_reader_number(r, first, dimension, range, &out[0]));
    return pkm_reader_number(r, is_list ? first->next : first, dimension, range, &out[1]);
}

/// `below: 250 Hz`.
static pkm_status read_below(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_flexible_spec* spec = to;
    spec->keep = PKM_FLEXIBLE_KEEP_BELOW;
    PKM_TRY(pkm_reader_number(r, node, pkm_dim_frequency, PKM_RANGE_POSITIVE, &spec->below));
    // Hz is what people write, rad/s what modes are compared with
    spec->below *= PKM_TURN;
    return PKM_OK;
}

/// `[300 Hz, 900 Hz]`.
static pkm_status read_range(pkm_reader* r, const pkm_yaml* node, double out[2])
{
    PKM_TRY(read_pair(r, node, pkm_dim_frequency, PKM_RANGE_NOT_NEGATIVE, out));
    if (!(out[0] < out[1]))
        return pkm_reader_fail(r, node, "%g to %g Hz, expected rising frequencies", out[0], out[1]);
    out[0] *= PKM_TURN;
    out[1] *= PKM_TURN;
    return PKM_OK;
}

/// Modes of the free link one by one: `[7, 9, [300 Hz, 900 Hz]]`.
static pkm_status read_mode_list(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_beam_list* list = to;
    PKM_TRY(pkm_reader_list(r, node, 1, PKM_BEAM_MAX_NUMBER));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        if (item->kind != PKM_YAML_LIST) {
            // numbers count as Adams lists them: six rigid modes come first
            int* number = &list->number[list->n_number++];
            PKM_TRY(pkm_reader_count(r, item, 1, MAX_COUNT, number));
            continue;
        }
        if (list->n_range == PKM_BEAM_MAX_RANGE)
            return pkm_reader_fail(r, item, "more than %d ranges", PKM_BEAM_MAX_RANGE);
        PKM_TRY(read_range(r, item, list->range[list->n_range++]));
    }
    return PKM_OK;
}

/// `modes: 8`, `modes: full`, or a list.
static pkm_status read_modes(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_flexible_spec* spec = to;
    // a list names modes, a number counts them from below
    spec->keep = PKM_FLEXIBLE_KEEP_CHOSEN;
    if (node->kind == PKM_YAML_LIST) return read_mode_list(r, node, &spec->chosen);
    // full: no reduction, every coordinate of the mesh
    spec->keep = PKM_FLEXIBLE_KEEP_FULL;
    if (node->kind == PKM_YAML_TEXT && strcmp(node->text, "full") == 0) return PKM_OK;
    spec->keep = PKM_FLEXIBLE_KEEP_COUNT;
    return pkm_reader_count(r, node, 1, MAX_COUNT, &spec->n_mode);
}

/// Rayleigh's damping as written: D = mass M + stiffness K, or ratios at two frequencies.
typedef struct written_rayleigh {
    double mass, stiffness;        ///< [1/s], [s]
    double frequency[2], ratio[2]; ///< [1/s] and of critical damping; frequencies 0: not given
} written_rayleigh;

/// `ratios` of critical damping.
static pkm_status read_ratios(pkm_reader* r, const pkm_yaml* node, void* to)
{
    return read_pair(r, node, pkm_dim_one, PKM_RANGE_NOT_NEGATIVE, to);
}

#define AT(member) offsetof(written_rayleigh, member)
static const pkm_key ratio_forms[] = {
    {.kind = PKM_KEY_NUMBER, .range = PKM_RANGE_NOT_NEGATIVE},
    {.kind = PKM_KEY_NUMBERS, .range = PKM_RANGE_NOT_NEGATIVE, .n_least = 2, .n_most = 2},
    {0}};
static const pkm_key rayleigh_keys[] = {
    {"mass", "of the mass matrix", PKM_KEY_NUMBER, AT(mass), &pkm_dim_frequency,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"stiffness", "of the stiffness matrix", PKM_KEY_NUMBER, AT(stiffness), &pkm_dim_time,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"frequencies", "instead of the two: frequencies at which the ratios are met", PKM_KEY_NUMBERS,
     AT(frequency), &pkm_dim_frequency, .range = PKM_RANGE_POSITIVE, .n_least = 2, .n_most = 2},
    {"ratios", "ratios of critical damping there, two or one for both", PKM_KEY_OWN, AT(ratio),
     .either = ratio_forms, .read = read_ratios},
    {.name = NULL}};
#undef AT
static const pkm_key_rule rayleigh_rules[] = {{PKM_RULE_NEEDS, "frequencies ratios", NULL},
                                              {PKM_RULE_NEEDS, "ratios frequencies", NULL},
                                              {0}};
static const pkm_section rayleigh_section = {"rayleigh", "Rayleigh's damping", .key = rayleigh_keys,
                                             .rule = rayleigh_rules};

/// zeta = (alpha / omega + beta omega) / 2 at two frequencies (docs/theory/flexible.md, (6.4)).
static pkm_status two_ratios(const pkm_reader* r, const pkm_yaml* node, const written_rayleigh* w,
                             pkm_flexible_spec* spec)
{
    const double w1 = PKM_TURN * w->frequency[0], w2 = PKM_TURN * w->frequency[1];
    // solved for alpha and beta
    const double scale = 2.0 / (w2 * w2 - w1 * w1);
    if (pkm_yaml_get(node, "mass") || pkm_yaml_get(node, "stiffness"))
        return pkm_reader_fail(r, node, "expected {mass, stiffness} or {frequencies, ratios}");
    if (w1 == w2)
        return pkm_reader_fail(r, pkm_yaml_get(node, "frequencies"),
                               "both are %g Hz, expected two frequencies", w->frequency[0]);
    // alpha = 2 w1 w2 (z1 w2 - z2 w1)/(w2^2 - w1^2), beta = 2 (z2 w2 - z1 w1)/(w2^2 - w1^2)
    spec->mass = scale * w1 * w2 * (w->ratio[0] * w2 - w->ratio[1] * w1);
    spec->stiffness = scale * (w->ratio[1] * w2 - w->ratio[0] * w1);
    if (spec->mass >= 0.0 && spec->stiffness >= 0.0) return PKM_OK;
    return pkm_reader_fail(r, pkm_yaml_get(node, "ratios"),
                           "%g and %g at %g and %g Hz mean the coefficients %g 1/s and %g s, "
                           "expected >= 0",
                           w->ratio[0], w->ratio[1], w->frequency[0], w->frequency[1], spec->mass,
                           spec->stiffness);
}

static pkm_status read_rayleigh(pkm_reader* r, const pkm_yaml* node, pkm_flexible_spec* spec)
{
    written_rayleigh w = {0};
    PKM_TRY(pkm_keys_read(r, node, &rayleigh_section, &w));
    // the rules of the table let frequencies come with ratios only
    if (w.frequency[0] > 0.0) return two_ratios(r, node, &w, spec);
    spec->mass = w.mass;
    spec->stiffness = w.stiffness;
    return PKM_OK;
}

/// `damping: none`, `adams`, `adams-free`, a ratio, or `{mass: ..., stiffness: ...}`.
static pkm_status read_damping(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_flexible_spec* spec = to;
    const bool is_text = node->kind == PKM_YAML_TEXT;
    spec->damping = PKM_FLEXIBLE_RAYLEIGH;
    if (node->kind == PKM_YAML_MAP) return read_rayleigh(r, node, spec);
    spec->damping = PKM_FLEXIBLE_UNDAMPED;
    if (is_text && strcmp(node->text, "none") == 0) return PKM_OK;
    // a ladder of ratios by frequency, between the joints or of the free link
    spec->damping = PKM_FLEXIBLE_ADAMS;
    if (is_text && strcmp(node->text, "adams") == 0) return PKM_OK;
    spec->free_damping = is_text && strcmp(node->text, "adams-free") == 0;
    if (spec->free_damping) return PKM_OK;
    spec->damping = PKM_FLEXIBLE_RATIO;
    if (!is_text || !strpbrk(node->text, "0123456789="))
        return pkm_reader_fail(r, node,
                               "%s, expected none, adams, adams-free, a ratio, {mass: ..., "
                               "stiffness: ...} or {frequencies: ..., ratios: ...}",
                               pkm_yaml_show(node).text);
    return pkm_reader_number(r, node, pkm_dim_one, PKM_RANGE_NOT_NEGATIVE, &spec->ratio);
}

// ---- sections ---------------------------------------------------------------------------------

/// The numbers of a section as written; 0: not given.
typedef struct written_section {
    double diameter, wall, width, height, A, Iy, Iz, J, kappa;
    double outer[2]; ///< farthest fibres along y and z [m]
    bool is_round;   ///< as one number
} written_section;

/// `outer` fibres: the radius of a round edge, or those along y and z of corners.
static pkm_status read_outer(pkm_reader* r, const pkm_yaml* node, void* to)
{
    written_section* w = to;
    w->is_round = node->kind != PKM_YAML_LIST;
    return read_pair(r, node, pkm_dim_length, PKM_RANGE_POSITIVE, w->outer);
}

#define AT(member) offsetof(written_section, member)
static const pkm_key outer_forms[] = {
    {.kind = PKM_KEY_NUMBER, .range = PKM_RANGE_POSITIVE},
    {.kind = PKM_KEY_NUMBERS, .range = PKM_RANGE_POSITIVE, .n_least = 2, .n_most = 2},
    {0}};
static const pkm_key section_keys[] = {
    {"diameter", NULL, PKM_KEY_NUMBER, AT(diameter), &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {"wall", "of a round bar or a tube", PKM_KEY_NUMBER, AT(wall), &pkm_dim_length,
     .range = PKM_RANGE_POSITIVE},
    {"width", NULL, PKM_KEY_NUMBER, AT(width), &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {"height", "of a rectangle", PKM_KEY_NUMBER, AT(height), &pkm_dim_length,
     .range = PKM_RANGE_POSITIVE},
    {"area", "of the section", PKM_KEY_NUMBER, AT(A), &area, .range = PKM_RANGE_POSITIVE},
    {"Iy", NULL, PKM_KEY_NUMBER, AT(Iy), &fourth, .range = PKM_RANGE_POSITIVE},
    {"Iz", NULL, PKM_KEY_NUMBER, AT(Iz), &fourth, .range = PKM_RANGE_POSITIVE},
    {"J", "second moments of area and torsional constant", PKM_KEY_NUMBER, AT(J), &fourth,
     .range = PKM_RANGE_POSITIVE},
    {"kappa", "shear coefficient, 5/6", PKM_KEY_NUMBER, AT(kappa), NULL,
     .range = PKM_RANGE_POSITIVE},
    {"outer",
     "distances of the outermost fibres, which stresses of bending need: `[y, z]` of corners, or "
     "one number, the radius of a round edge",
     PKM_KEY_OWN, 0, .either = outer_forms, .read = read_outer},
    {.name = NULL}};
#undef AT
static const pkm_key_rule section_rules[] = {
    {PKM_RULE_NEEDS, "area outer",
     ": the distances [y, z] of the outermost fibres, which stresses of bending need"},
    {PKM_RULE_NEEDS, "outer area", NULL},
    {PKM_RULE_SETS, "diameter | width height | area Iy Iz J",
     "expected {diameter}, {diameter, wall}, {width, height} or {area, Iy, Iz, J, outer}"},
    {0}};
static const pkm_section section_section = {"section", "round, tube, rectangle, or its numbers",
                                            section_keys, .rule = section_rules};

/// The form of the section by what is given; the rules of the table let one form through.
static pkm_status make_section(const pkm_reader* r, const pkm_yaml* node, const written_section* w,
                               const pkm_flexible_spec* spec, pkm_beam_section* out)
{
    pkm_error inner = {0};
    pkm_status status;
    // what is not given is zero, so that the first form that is whole is the one that was written
    if (w->diameter > 0.0 && w->wall > 0.0)
        status = pkm_beam_section_tube(w->diameter, w->diameter - 2.0 * w->wall, out, &inner);
    else if (w->diameter > 0.0)
        status = pkm_beam_section_round(w->diameter, out, &inner);
    else if (w->width > 0.0 && w->height > 0.0)
        status = pkm_beam_section_rectangle(w->width, w->height, spec->torsion, out, &inner);
    else
        status = pkm_beam_section_given(w->A, w->Iy, w->Iz, w->J, w->kappa, out, &inner);
    if (w->A > 0.0) {
        // a section by its numbers has no outline: stresses of bending need the edges
        out->y_edge = w->outer[0], out->z_edge = w->outer[1];
        out->outline = w->is_round ? PKM_BEAM_ROUND_BY_NUMBERS : PKM_BEAM_BY_NUMBERS;
    }
    return status == PKM_OK ? PKM_OK : pkm_reader_fail_key(r, node, "%s", inner.text);
}

/// `section`, or `section_end` of a tapered link.
static pkm_status read_section(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_flexible_spec* spec = to;
    written_section w = {.kappa = 5.0 / 6.0};
    PKM_TRY(pkm_keys_read(r, node, &section_section, &w));
    return make_section(r, node, &w, spec, &spec->section[spec->n_section++]);
}

// ---- one link ---------------------------------------------------------------------------------

/// Parts of the length where deflections are written to the table.
static pkm_status read_places(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_flexible_spec* spec = to;
    PKM_TRY(pkm_reader_list(r, node, 1, PKM_FLEXIBLE_MAX_PLACE));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        double* at = &spec->place[spec->n_place++];
        PKM_TRY(pkm_reader_number(r, item, pkm_dim_one, PKM_RANGE_NOT_NEGATIVE, at));
        // a place twice would make two columns of one name
        if (*at > 1.0)
            return pkm_reader_fail(r, item, "%g, expected a part of the length, 0 to 1", *at);
        for (const double* other = spec->place; other < at; ++other)
            if (*other == *at) return pkm_reader_fail(r, item, "%g is given twice", *at);
    }
    return PKM_OK;
}

static pkm_status read_material(pkm_reader* r, const pkm_yaml* node, void* to)
{
    return pkm_reader_find_material(r, node, to);
}

#define AT(member) offsetof(pkm_flexible_start, member)
static const pkm_key start_keys[] = {
    {"mode", "number of the mode in the list of `pkm modes --link` for the free link",
     PKM_KEY_COUNT, AT(number), .least = 7, .most = MAX_COUNT, .must = true},
    {"displacement", NULL, .kind = PKM_KEY_NUMBER, .at = AT(shift), .dimension = &pkm_dim_length},
    {"velocity", "the largest one of the link in this mode, beside its equilibrium",
     .kind = PKM_KEY_NUMBER, .at = AT(velocity), .dimension = &pkm_dim_velocity},
    {"rotation", NULL, .kind = PKM_KEY_NUMBER, .at = AT(turn), .dimension = &pkm_dim_angle},
    {"rotation_rate", "the same of torsion", .kind = PKM_KEY_NUMBER, .at = AT(turn_rate),
     .dimension = &pkm_dim_angular_velocity},
    {.name = NULL}};
#undef AT
static const pkm_section start_section = {"mode_start", "how a mode begins", .key = start_keys};

/// `start: [{mode: 7, displacement: 0.5 mm}]`.
static pkm_status read_start(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_flexible_spec* spec = to;
    PKM_TRY(pkm_reader_list(r, node, 1, PKM_FLEXIBLE_MAX_START));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_keys_read(r, item, &start_section, &spec->start[spec->n_start++]));
    return PKM_OK;
}

/// Later links of the same pattern start from the defaults, not from earlier ones.
static pkm_status begin_link(pkm_reader* r, const pkm_yaml* map, void* to)
{
    (void)r, (void)map;
    *(pkm_flexible_spec*)to = pkm_flexible_spec_defaults();
    return PKM_OK;
}

/// With a file the mesh is not ours.
static pkm_status check_link(pkm_reader* r, const pkm_yaml* map, void* to)
{
    const pkm_yaml* damping = pkm_yaml_get(map, "damping");
    (void)to;
    if (!pkm_yaml_get(map, "file") || !damping || damping->kind == PKM_YAML_MAP) return PKM_OK;
    return pkm_reader_fail_key(r, damping,
                               "the body comes from a file: its D is the damping, or "
                               "{mass: ..., stiffness: ...} here");
}

static const char* const theories[] = {"euler", "rayleigh", "timoshenko", NULL};
static const char* const shapes[] = {"linear-cubic", "cubic-quintic", NULL};
static const char* const torsions[] = {"st-venant", "polar", NULL};
static const char* const full[] = {"full", NULL};
static const char* const dampings[] = {"none", "adams", "adams-free", NULL};
static const pkm_key list_forms[] = {{.kind = PKM_KEY_COUNT, .least = 7, .most = MAX_COUNT},
                                     {.kind = PKM_KEY_NUMBERS,
                                      .dimension = &pkm_dim_frequency,
                                      .range = PKM_RANGE_NOT_NEGATIVE,
                                      .n_least = 2,
                                      .n_most = 2},
                                     {0}};
static const pkm_key mode_forms[] = {
    {.kind = PKM_KEY_COUNT, .least = 1, .most = MAX_COUNT},
    {.kind = PKM_KEY_WORD, .words = full},
    {.kind = PKM_KEY_LIST, .n_least = 1, .n_most = PKM_BEAM_MAX_NUMBER, .either = list_forms},
    {0}};
static const pkm_key start_forms[] = {{.kind = PKM_KEY_MAP, .section = &start_section}, {0}};
static const pkm_key damping_forms[] = {{.kind = PKM_KEY_WORD, .words = dampings},
                                        {.kind = PKM_KEY_NUMBER, .range = PKM_RANGE_NOT_NEGATIVE},
                                        {.kind = PKM_KEY_MAP, .section = &rayleigh_section},
                                        {0}};

#define AT(member) offsetof(pkm_flexible_spec, member)
static const pkm_key link_keys[] = {
    {"elements", "of the link, shared out by length, 8", PKM_KEY_COUNT, AT(n_element), .least = 1,
     .most = MAX_COUNT},
    {"pieces",
     "a link that bends far: so many pieces (1, the default, to 200) with a floating frame each, "
     "welded end to end; `elements` are rounded up to the same number in each, `modes` and `below` "
     "are those of a piece",
     PKM_KEY_COUNT, AT(n_piece), .least = 1, .most = PKM_FLEXIBLE_MAX_PIECE},
    {"theory",
     "`euler` (Euler-Bernoulli, the default), `rayleigh` (with rotary inertia), `timoshenko` (with "
     "shear too)",
     PKM_KEY_WORD, AT(theory), .words = theories},
    {"shape", "shape functions: `linear-cubic` (default) or `cubic-quintic`", PKM_KEY_WORD,
     AT(shape), .words = shapes},
    {"torsion",
     "of rectangles: `st-venant` (default), or `polar`, too stiff, as some papers have it",
     PKM_KEY_WORD, AT(torsion), .words = torsions},
    {"below", "keep the modes below this frequency", PKM_KEY_NUMBER, 0, &pkm_dim_frequency,
     PKM_RANGE_POSITIVE, .read = read_below},
    {"modes",
     "keep so many (of equal frequencies, as round and square rods have in pairs, all), or `full`: "
     "every coordinate of the mesh. Without `below` and `modes` the eight "
     "lowest are kept. Or one by one, `[7, 9, [300 Hz, 900 Hz]]`: by the numbers that `pkm modes "
     "--link` lists for the free link (1 to 6 are the motions of the rigid body), and all within "
     "ranges of frequency",
     PKM_KEY_OWN, .either = mode_forms, .read = read_modes},
    {"disabled", "modes that are left out of these, by the same numbers and ranges", PKM_KEY_LIST,
     AT(disabled), .n_least = 1, .n_most = PKM_BEAM_MAX_NUMBER, .either = list_forms,
     .read = read_mode_list},
    {"stiffening",
     "tension stiffens and compression softens bending, and bending shortens the link, `true`; "
     "`false` is the linear model of most programs",
     PKM_KEY_FLAG, AT(without_stiffening), .is_not = true},
    {"static_correction", "keep what the dropped modes yield to forces at the joints, `true`",
     PKM_KEY_FLAG, AT(without_static), .is_not = true},
    {"damping",
     "`none` (default); a ratio of critical damping; `adams`: 1 % below 100 Hz, 10 % below 1000 "
     "Hz, critical above, by the frequencies of the link held at its joints (`adams-free`: of the "
     "free link, as Adams itself does); a ratio is that of the held link too; Rayleigh's `{mass: "
     "1/s, stiffness: s}` or `{frequencies: [f1, f2], ratios: [z1, z2]}`",
     PKM_KEY_OWN, .either = damping_forms, .read = read_damping},
    {"section", "instead of that of the shape, see below", PKM_KEY_MAP, .section = &section_section,
     .read = read_section},
    {"section_end", "tapered: the section at the other end", PKM_KEY_MAP,
     .section = &section_section, .read = read_section},
    {"section_y", "y axis of a given section, across the link, in body axes", PKM_KEY_AXIS,
     .at = AT(y)},
    {"places",
     "where the link is watched besides its middle, `[0.25, 1]`: parts of the way from the end "
     "that is drawn first (`from` of the shape) to the other; six columns each, displacements with "
     "their signs",
     PKM_KEY_NUMBERS, .range = PKM_RANGE_NOT_NEGATIVE, .most = 1.0, .n_least = 1,
     .n_most = PKM_FLEXIBLE_MAX_PLACE, .read = read_places},
    {"start",
     "modes that begin bent or moving, `[{mode: 7, displacement: 0.5 mm, velocity: 10 mm/s}]`, "
     "torsion by `rotation` and `rotation_rate`: beside where the link starts otherwise. Positive "
     "is where the end that is drawn last moves along positive axes of the body",
     PKM_KEY_LIST, .n_least = 1, .n_most = PKM_FLEXIBLE_MAX_START, .either = start_forms,
     .read = read_start},
    {"rigid_ends", "`[first, last]`: lengths at the ends that do not bend (joint bodies)",
     PKM_KEY_NUMBERS, AT(rigid_end), &pkm_dim_length, PKM_RANGE_NOT_NEGATIVE, .n_least = 2,
     .n_most = 2},
    {"material", "of the model, instead of that of the shapes", PKM_KEY_TEXT, AT(material),
     .read = read_material},
    {"file", "a body that another program has made, see below", .kind = PKM_KEY_REMARK},
    {.name = NULL}};
#undef AT
static const pkm_key_rule link_rules[] = {
    {PKM_RULE_AT_MOST, "below modes", "the modes follow from 'below' already"},
    {PKM_RULE_NEEDS, "section_end section", NULL},
    {PKM_RULE_NEEDS, "section_y section", NULL},
    {PKM_RULE_ALONE,
     "file elements theory shape torsion section material section_end section_y rigid_ends "
     "static_correction places pieces start",
     "the body comes from a file, which says this"},
    {PKM_RULE_ALONE, "pieces start", "modes are those of a piece"},
    {0}};

const pkm_section pkm_flexible_section = {"flexible", "how a link bends",  link_keys,
                                          link_rules, .begin = begin_link, .check = check_link};

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

/// Keep the body for links that equal it, unless there is such a one.
static pkm_status keep_made(pkm_run_reader* rr, pkm_flexible_body* body)
{
    pkm_run* run = rr->run;
    void* list = run->made;
    if (!body || !body->content[0] || pkm_flexible_made_find(run->effects.made, body->content)) {
        pkm_flexible_body_free(body);
        return PKM_OK;
    }
    const pkm_status status = pkm_run_grow(rr, &list, run->n_made, sizeof(pkm_flexible_body*));
    if (status != PKM_OK) {
        pkm_flexible_body_free(body);
        return status;
    }
    run->made = list;
    run->made[run->n_made++] = body;
    run->effects.made =
        (pkm_flexible_made){run->n_made, (const pkm_flexible_body* const*)run->made};
    return PKM_OK;
}

/// Make the body once, so that what is wrong is said here; its frequencies.
static pkm_status check(pkm_run_reader* rr, const pkm_yaml* node, int body,
                        const pkm_flexible_spec* spec, pkm_flexible_band* band)
{
    pkm_error inner = {0};
    pkm_flexible_body* made = NULL;
    const pkm_status status = pkm_flexible_band_of(rr->run->robot->desc, body, spec,
                                                   rr->run->effects.made, &made, band, &inner);
    PKM_TRY(keep_made(rr, made));
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(&rr->r);
    return status == PKM_OK ? PKM_OK : pkm_reader_fail_key(&rr->r, node, "%s", inner.text);
}

static pkm_status check_start(const pkm_run_reader* rr, const pkm_yaml* node, int body,
                              const pkm_flexible_spec* spec)
{
    pkm_modal_start start[PKM_FLEXIBLE_MAX_START];
    pkm_error inner = {0};
    const pkm_status status = pkm_link_start_find(rr->run->robot->desc, body, spec, start, &inner);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(&rr->r);
    if (status == PKM_OK) return PKM_OK;
    return pkm_reader_fail_key(&rr->r, pkm_yaml_get(node, "start"), "%s", inner.text);
}

static pkm_status add(pkm_run_reader* rr, const pkm_yaml* node, int body, pkm_flexible_spec* spec)
{
    pkm_effects* effects = &rr->run->effects;
    pkm_flexible_band band;
    PKM_TRY(read_outside(rr, node, body, spec));
    PKM_TRY(check(rr, node, body, spec, &band));
    PKM_TRY(check_start(rr, node, body, spec));
    int k = 0;
    while (k < effects->n_flexible && effects->flexible[k].body != body)
        ++k;
    if (k == effects->n_flexible) {
        void* list = effects->flexible;
        PKM_TRY(pkm_run_grow(rr, &list, k, sizeof *effects->flexible));
        effects->flexible = list;
        ++effects->n_flexible;
    }
    effects->flexible[k] = (pkm_effect_flexible){body, *spec, band};
    return PKM_OK;
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
    PKM_TRY(pkm_keys_read(&rr->r, node, &pkm_flexible_section, &spec));
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
    pkm_flexible_band unread;
    if (stiff != PKM_NONE) return check(rr, node, stiff, &spec, &unread);
    // the first body is the ground
    return pkm_run_no_name(
        rr, node,
        (pkm_run_choice_names){"body", &desc->body[1].name, desc->n_body - 1, sizeof *desc->body});
}

pkm_status pkm_run_read_flexible(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)to;
    return pkm_run_each(r, node, read_pattern);
}
