// Ways of drives (from, to, way points), formulas of `t` for drives and tool, and samples of a
// file.
#include "base/error.h"
#include "model/formula.h"
#include "model/motion_draft.h"
#include "model/source.h"

#include <math.h>
#include <string.h>

// ---- drives ------------------------------------------------------------------------------------

/// `q1: [from, to]`, or `q1: to` when it starts at home; drives without a value stay at home.
static pkm_status read_drive(const pkm_reader* r, const pkm_yaml* item, pkm_motion_draft* d, int i)
{
    const pkm_dimension want = r->desc->drive[i].is_rotary ? pkm_dim_angle : pkm_dim_length;
    const pkm_yaml* to = item;
    d->moves[i] = true;
    if (item->kind == PKM_YAML_LIST) {
        PKM_TRY(pkm_reader_list(r, item, 2, 2));
        PKM_TRY(pkm_reader_number(r, item->first, want, PKM_RANGE_ANY, &d->drive_from[i]));
        to = item->first->next;
    }
    return pkm_reader_number(r, to, want, PKM_RANGE_ANY, &d->drive_to[i]);
}

/// `q1: [from, by, by, to]`: way points that are passed without a stop, equally many of each drive.
static pkm_status read_drive_points(const pkm_reader* r, const pkm_yaml* item, pkm_motion_draft* d,
                                    int i, double* out)
{
    const pkm_dimension want = r->desc->drive[i].is_rotary ? pkm_dim_angle : pkm_dim_length;
    const int n = d->spec.n_point;
    d->moves[i] = true;
    if (item->kind != PKM_YAML_LIST || item->n_child != n)
        return pkm_reader_fail(r, item, "%s, expected a list of %d way points as the others have",
                               pkm_yaml_show(item).text, n);
    for (const pkm_yaml* x = item->first; x; x = x->next)
        PKM_TRY(pkm_reader_number(r, x, want, PKM_RANGE_ANY, &out[(size_t)(i * n + x->index)]));
    return PKM_OK;
}

/// The longest list of way points of a drive; 0: there is none.
static int count_points(const pkm_yaml* node)
{
    int most = 0;
    for (const pkm_yaml* item = node->first; item; item = item->next)
        if (item->kind == PKM_YAML_LIST && item->n_child > most) most = item->n_child;
    return most;
}

static const pkm_key way_points[] = {
    {.kind = PKM_KEY_NUMBER},
    {.kind = PKM_KEY_NUMBERS, .n_least = 2, .n_most = PKM_MOST_POINTS},
    {.kind = PKM_KEY_OWN}};
const pkm_key pkm_motion_drive_forms[] = {
    {.kind = PKM_KEY_EACH, .n_least = 1, .either = way_points}, {.kind = PKM_KEY_OWN}};

pkm_status pkm_motion_read_drives(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    const int n_drive = r->desc->n_drive;
    if (node->kind != PKM_YAML_MAP || node->n_child == 0)
        return pkm_reader_fail(r, node, "expected a map from drives to values, found %s",
                               pkm_yaml_show(node).text);
    const int n_point = count_points(node);
    // two values are from and to, unless times are given for them
    const bool passes = n_point > 2 || (n_point == 2 && pkm_yaml_get(d->node, "times"));
    double* points = NULL;
    d->spec.path = passes ? PKM_PATH_SPLINE : PKM_PATH_DRIVES;
    d->spec.drive_from = d->drive_from;
    d->spec.drive_to = d->drive_to;
    for (int i = 0; i < PKM_MAX_DRIVE; ++i)
        d->drive_from[i] = d->drive_to[i] = NAN;
    if (passes) {
        points = pkm_arena_alloc(r->scratch, (size_t)(n_drive * n_point), sizeof *points);
        if (!points) return pkm_reader_fail_memory(r);
        for (int k = 0; k < n_drive * n_point; ++k)
            // drives that are not named stay at home, which is known when the robot stands
            points[k] = NAN;
        d->spec.drive_point = points;
        d->spec.n_point = n_point;
    }
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        int i = 0;
        PKM_TRY(pkm_reader_find_drive(r, item, item->key, &i));
        PKM_TRY(passes ? read_drive_points(r, item, d, i, points) : read_drive(r, item, d, i));
    }
    // limits of the law are those of drives that turn where all that move do
    r->turns = true;
    for (int i = 0; i < n_drive; ++i)
        if (d->moves[i] && !r->desc->drive[i].is_rotary) r->turns = false;
    return PKM_OK;
}

pkm_status pkm_motion_read_times(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    if (d->spec.path != PKM_PATH_SPLINE)
        return pkm_reader_fail_key(r, node,
                                   "belongs to a spline: of the path, or of drives with "
                                   "way points");
    PKM_TRY(pkm_reader_list(r, node, 2, PKM_MOST_POINTS));
    if (node->n_child != d->spec.n_point)
        return pkm_reader_fail(r, node, "%d times for %d way points", node->n_child,
                               d->spec.n_point);
    double* t = pkm_arena_alloc(r->scratch, (size_t)node->n_child, sizeof *t);
    if (!t) return pkm_reader_fail_memory(r);
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(r, item, pkm_dim_time, PKM_RANGE_ANY, &t[item->index]));
    d->spec.point_t = t;
    return PKM_OK;
}

// ---- formulas ----------------------------------------------------------------------------------

/// Value and three derivatives, and which sides of its kinks the formula is on.
static unsigned formula_at(const void* user, double t, double out[4])
{
    // derivatives by jets, exact to rounding
    const pkm_jet jet = pkm_formula_jet(user, t);
    memcpy(out, jet.d, sizeof jet.d);
    return jet.side;
}

/// One formula, kept as long as the motion.
static pkm_status read_function(const pkm_reader* r, const pkm_yaml* node, pkm_dimension want,
                                pkm_motion_draft* d, int i)
{
    pkm_formula* formula = NULL;
    pkm_fault fault = {0};
    if (node->kind != PKM_YAML_TEXT)
        return pkm_reader_fail(r, node, "expected an expression of t, found %s",
                               pkm_yaml_show(node).text);
    const pkm_status status =
        pkm_formula_create(node->text, pkm_scope_lookup, r->scope, want, &formula, &fault);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(r);
    if (status != PKM_OK)
        return fault.is_reported ? status : pkm_reader_fail_inside(r, node, &fault);
    void* kept = pkm_arena_alloc(d->keep, 1, pkm_formula_size(formula));
    // a flat block: it moves to the arena of the motion and is freed with it
    if (kept) memcpy(kept, formula, pkm_formula_size(formula));
    pkm_formula_free(formula);
    if (!kept) return pkm_reader_fail_memory(r);
    d->function[i] = (pkm_motion_function){formula_at, kept};
    return PKM_OK;
}

/// x, y, z, and roll, pitch, yaw where one of them is given.
static pkm_status read_tool_formulas(const pkm_reader* r, const pkm_yaml* node, pkm_motion_draft* d)
{
    static const char* const name[] = {"x", "y", "z", "roll", "pitch", "yaw"};
    static const pkm_yaml zero = {.kind = PKM_YAML_TEXT, .text = "0 rad"};
    d->spec.n_function = 3;
    for (int i = 3; i < 6; ++i)
        if (pkm_yaml_get(node, name[i])) d->spec.n_function = 6;
    for (int i = 0; i < d->spec.n_function; ++i) {
        const pkm_yaml* item = pkm_yaml_get(node, name[i]);
        PKM_TRY(
            read_function(r, item ? item : &zero, i < 3 ? pkm_dim_length : pkm_dim_angle, d, i));
    }
    return PKM_OK;
}

/// Drives that are not named stay at home.
static pkm_status read_drive_formulas(const pkm_reader* r, const pkm_yaml* node,
                                      pkm_motion_draft* d)
{
    d->spec.n_function = r->desc->n_drive;
    d->spec.function_is_drives = true;
    if (node->n_child < 2)
        return pkm_reader_fail(r, node, "expected drives and their formulas beside 'of'");
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        int i = 0;
        if (strcmp(item->key, "of") == 0) continue;
        PKM_TRY(pkm_reader_find_drive(r, item, item->key, &i));
        const pkm_dimension want = r->desc->drive[i].is_rotary ? pkm_dim_angle : pkm_dim_length;
        PKM_TRY(read_function(r, item, want, d, i));
        d->moves[i] = true;
    }
    return PKM_OK;
}

static const char* const drives_word[] = {"drives", NULL};
static const char* const tool_word[] = {"tool", NULL};
static const pkm_key formula = {.kind = PKM_KEY_NUMBER};
static const pkm_key drive_formula_keys[] = {{"of",
                                              "the drives, which are named with their formulas",
                                              PKM_KEY_WORD, .words = drives_word, .must = true},
                                             {.name = NULL}};
static const pkm_section drive_formulas = {.key = drive_formula_keys, .other = &formula};
static const pkm_key tool_formula_keys[] = {
    {"of", "the tool", PKM_KEY_WORD, .words = tool_word, .must = true},
    {"x", NULL, PKM_KEY_NUMBER, .must = true},
    {"y", NULL, PKM_KEY_NUMBER, .must = true},
    {"z", "its place, expressions of `t`", PKM_KEY_NUMBER, .must = true},
    {"roll", NULL, .kind = PKM_KEY_NUMBER},
    {"pitch", NULL, .kind = PKM_KEY_NUMBER},
    {"yaw", "how it is turned; default 0", .kind = PKM_KEY_NUMBER},
    {.name = NULL}};
static const pkm_section tool_formulas = {.key = tool_formula_keys};
const pkm_key pkm_motion_formula_forms[] = {{.kind = PKM_KEY_MAP, .section = &drive_formulas},
                                            {.kind = PKM_KEY_MAP, .section = &tool_formulas},
                                            {.kind = PKM_KEY_OWN}};

/// `formula: {of: drives, q1: "=30 deg*sin(2*pi*t/1 s)"}`, or `{of: tool, x: ..., y: ..., z: ...}`.
pkm_status pkm_motion_read_formula(pkm_reader* r, const pkm_yaml* node, void* to)
{
    static const char* const words[] = {"drives", "tool", NULL};
    pkm_motion_draft* d = to;
    int of = 0;
    PKM_TRY(pkm_reader_keys_any(r, node));
    const pkm_yaml* which = pkm_yaml_get(node, "of");
    if (!which) return pkm_reader_fail_key(r, node, "the key 'of' is missing: drives or tool");
    PKM_TRY(pkm_reader_word(r, which, words, &of));
    PKM_TRY(pkm_keys_check(r, node, of == 0 ? &drive_formulas : &tool_formulas));
    d->spec.path = PKM_PATH_FUNCTION;
    d->spec.function = d->function;
    return of == 0 ? read_drive_formulas(r, node, d) : read_tool_formulas(r, node, d);
}

// ---- samples -----------------------------------------------------------------------------------

/// Times first, then the other columns, as the file of samples has them.
static pkm_status load_samples(const pkm_reader* r, const pkm_yaml* file, pkm_motion_draft* d)
{
    static const char* const units[2] = {"m", "rad"};
    char* path = pkm_source_path(r->desc->file, file->text);
    if (!path) return pkm_reader_fail_memory(r);
    double* table = NULL;
    int n_column = 0;
    pkm_error inner = {0};
    const pkm_status status =
        pkm_samples_read(path, units, r->scratch, &table, &d->spec.n_sample, &n_column, &inner);
    pkm_free(path);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(r);
    if (status != PKM_OK && inner.line > 0)
        return pkm_reader_fail(r, file, "%.100s, line %d: %s", file->text, inner.line, inner.text);
    if (status != PKM_OK) return pkm_reader_fail(r, file, "%.100s: %s", file->text, inner.text);
    d->spec.sample_t = table;
    d->spec.sample = table + d->spec.n_sample;
    d->spec.n_sample_column = n_column - 1;
    return PKM_OK;
}

static const char* const of_words[] = {"drives", "tool", NULL};
static const char* const end_words[] = {"rest", "free", NULL};
#define AT(member) offsetof(pkm_motion_draft, member)
static const pkm_key sample_keys[] = {
    {"file", "a column of times and one per drive, or x y z [roll pitch yaw], in SI", PKM_KEY_TEXT,
     AT(file), .must = true},
    {"of", "what its columns are", PKM_KEY_WORD, AT(of), .words = of_words, .must = true},
    {"ends", "`rest` (default): the motion starts and ends at rest; `free`: as the samples say",
     PKM_KEY_WORD, AT(ends), .words = end_words},
    {.name = NULL}};
static const pkm_section samples = {"samples", "a smooth motion through samples of a file",
                                    .key = sample_keys};
const pkm_key pkm_motion_sample_forms[] = {{.kind = PKM_KEY_MAP, .section = &samples},
                                           {.kind = PKM_KEY_OWN}};

pkm_status pkm_motion_read_samples(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    PKM_TRY(pkm_keys_read(r, node, &samples, d));
    const pkm_yaml* file = pkm_yaml_get(node, "file");
    const bool is_drives = d->of == 0;
    d->spec.path = PKM_PATH_SAMPLES;
    d->spec.sample_is_drives = is_drives;
    d->spec.sample_free_ends = d->ends == 1;
    PKM_TRY(load_samples(r, file, d));

    const int n = d->spec.n_sample_column, n_drive = r->desc->n_drive;
    if (is_drives && n != n_drive)
        return pkm_reader_fail(r, file, "%.60s has %d columns, expected t and %d drives", d->file,
                               n + 1, n_drive);
    if (!is_drives && n != 3 && n != 6)
        return pkm_reader_fail(r, file, "%.60s has %d columns, expected t x y z [roll pitch yaw]",
                               d->file, n + 1);
    return PKM_OK;
}
