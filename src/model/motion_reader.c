#include "base/error.h"
#include "model/motion_draft.h"
#include "model/reader_impl.h"

#include <math.h>
#include <string.h>

/// A motion of the file that stands before this one.
static pkm_status find_motion(const pkm_reader* r, const pkm_yaml* node, const pkm_motion** out)
{
    const char* name = NULL;
    PKM_TRY(pkm_reader_text(r, node, &name));
    for (int i = 0; i < r->desc->n_motion; ++i) {
        *out = r->desc->motion[i].motion;
        if (strcmp(pkm_motion_name(*out), name) == 0) return PKM_OK;
    }
    return pkm_reader_fail(r, node, "no motion %.60s stands before this one", name);
}

#define AT(member) offsetof(pkm_motion_draft, member)
static const pkm_key pause_keys[] = {{"dwell", "rest before the next motion", PKM_KEY_NUMBER,
                                      AT(dwell), &pkm_dim_time, PKM_RANGE_NOT_NEGATIVE,
                                      .must = true},
                                     {.name = NULL}};
static const pkm_section pause_section = {.key = pause_keys};
static const pkm_key parts[] = {{.kind = PKM_KEY_TEXT},
                                {.kind = PKM_KEY_MAP, .section = &pause_section},
                                {.kind = PKM_KEY_OWN}};

/// `sequence: [pick, {dwell: 0.1 s}, place]`.
static pkm_status read_sequence(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    PKM_TRY(pkm_reader_list(r, node, 1, PKM_MOST_POINTS));
    const pkm_motion** part = pkm_arena_alloc(r->scratch, (size_t)node->n_child, sizeof *part);
    double* dwell = pkm_arena_alloc(r->scratch, (size_t)node->n_child, sizeof *dwell);
    if (!part || !dwell) return pkm_reader_fail_memory(r);
    d->spec.path = PKM_PATH_SEQUENCE;
    d->spec.part = part;
    d->spec.dwell = dwell;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        if (item->kind != PKM_YAML_MAP) {
            dwell[d->spec.n_part] = 0.0;
            PKM_TRY(find_motion(r, item, &part[d->spec.n_part++]));
            continue;
        }
        PKM_TRY(pkm_keys_read(r, item, &pause_section, d));
        if (d->spec.n_part == 0)
            return pkm_reader_fail(r, item, "a sequence begins with a motion; use hold_before");
        dwell[d->spec.n_part - 1] += d->dwell;
    }
    return PKM_OK;
}

// ---- orientation, shaper, limits --------------------------------------------------------------

static pkm_status read_from(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_spec* spec = to;
    return pkm_motion_read_end(r, node, pkm_dim_angle, false, &spec->n_rpy, &spec->rpy);
}

static pkm_status read_to(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_spec* spec = to;
    return pkm_motion_read_end(r, node, pkm_dim_angle, true, &spec->n_rpy, &spec->rpy);
}

static pkm_status read_through(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_spec* spec = to;
    return pkm_motion_read_vectors(r, node, pkm_dim_angle, &spec->n_rpy, &spec->rpy);
}

#define TURN .kind = PKM_KEY_VECTOR, .dimension = &pkm_dim_angle
static const pkm_key turn[] = {{TURN}, {.kind = PKM_KEY_OWN}};
static const pkm_key rpy_keys[] = {
    {"from", NULL, TURN, .at = AT(spec), .read = read_from},
    {"to", "at the ends of the path", TURN, .at = AT(spec), .read = read_to},
    {"through", "one for each way point", PKM_KEY_LIST, AT(spec), .n_least = 1,
     .n_most = PKM_MOST_POINTS, .read = read_through, .either = turn},
    {.name = NULL}};
static const pkm_key_rule rpy_rules[] = {{PKM_RULE_ONE, "from through", NULL},
                                         {PKM_RULE_NEEDS, "from to", NULL},
                                         {PKM_RULE_NEEDS, "to from", NULL},
                                         {0}};
static const pkm_section rpy_section = {"rpy", "roll, pitch, yaw: R = Rz Ry Rx", rpy_keys,
                                        .rule = rpy_rules};
static const pkm_key rpy_forms[] = {
    {TURN}, {.kind = PKM_KEY_MAP, .section = &rpy_section}, {.kind = PKM_KEY_OWN}};

/// `rpy: [r, p, y]`, `rpy: {from, to}` or `rpy: {through: [..]}`.
static pkm_status read_rpy(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    if (node->kind != PKM_YAML_LIST) return pkm_keys_read(r, node, &rpy_section, d);
    return pkm_motion_read_end(r, node, pkm_dim_angle, false, &d->spec.n_rpy, &d->spec.rpy);
}

static const pkm_key frequency_forms[] = {
    {.kind = PKM_KEY_NUMBER, .dimension = &pkm_dim_frequency, .range = PKM_RANGE_POSITIVE},
    {.kind = PKM_KEY_NUMBERS,
     .dimension = &pkm_dim_frequency,
     .range = PKM_RANGE_POSITIVE,
     .n_least = 1,
     .n_most = PKM_MAX_SHAPED},
    {.kind = PKM_KEY_OWN}};

static pkm_status read_frequency(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_spec* spec = to;
    const bool many = node->kind == PKM_YAML_LIST;
    PKM_TRY(pkm_key_take(r, node, &frequency_forms[many], spec->shaper_frequency));
    spec->n_shaper_frequency = many ? node->n_child : 1;
    return PKM_OK;
}

static pkm_status choose_shaper(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)r, (void)node;
    pkm_motion_draft* d = to;
    d->spec.shaper = (pkm_shaper_kind)(d->shaper + 1);
    return PKM_OK;
}

static const char* const shapers[] = {"zv", "zvd", "zvdd", NULL};
static const pkm_key shaper_keys[] = {
    {"kind", "how many impulses beside the first", PKM_KEY_WORD, AT(shaper), .words = shapers,
     .must = true},
    {"frequency", "one, or up to three, of which no vibration is left", PKM_KEY_OWN, AT(spec),
     .must = true, .read = read_frequency, .either = frequency_forms},
    {"damping", "ratio; default 0", PKM_KEY_NUMBER, AT(spec.shaper_damping),
     .range = PKM_RANGE_NOT_NEGATIVE},
    {.name = NULL}};
static const pkm_section shaper_section = {
    "shaper", "the motion leaves no vibration behind and takes half a period more per order",
    shaper_keys, .check = choose_shaper};

#define BOUND(member) .kind = PKM_KEY_NUMBER, .at = AT(member), .range = PKM_RANGE_POSITIVE
static const pkm_key limit_keys[] = {
    {"velocity", NULL, BOUND(desc.max_velocity), .dimension = &pkm_dim_velocity},
    {"acceleration", NULL, BOUND(desc.max_acceleration), .dimension = &pkm_dim_acceleration},
    {"jerk", "that the tool point does not exceed", BOUND(desc.max_jerk),
     .dimension = &pkm_dim_jerk},
    {.name = NULL}};
static const pkm_section limit_section = {"motionLimits", "of the tool point, checked and reported",
                                          .key = limit_keys};

// ---- the table --------------------------------------------------------------------------------

static const char* const laws[] = {"cubic",    "quintic", "septic", "trapezoidal",
                                   "constant", "s_curve", NULL}; // in the order of pkm_law
static const pkm_key times_forms[] = {
    {.kind = PKM_KEY_NUMBERS, .dimension = &pkm_dim_time, .n_least = 2, .n_most = PKM_MOST_POINTS},
    {.kind = PKM_KEY_OWN}};
#define WAY(how, forms) .kind = PKM_KEY_OWN, .read = (how), .either = (forms)

/// The way comes first: it says whether limits are those of drives that turn.
static const pkm_key motion_keys[] = {
    {"description", "of the motion", PKM_KEY_TEXT, .at = AT(desc.text)},
    {"drives",
     "`{DRIVE: to}`, from home; `{DRIVE: [from, to]}`; or `{DRIVE: [from, by, ..., to]}`, way "
     "points that are passed without a stop, equally many of each drive. Drives that are not named "
     "stay at home",
     WAY(pkm_motion_read_drives, pkm_motion_drive_forms)},
    {"path", "of the tool", WAY(pkm_motion_read_path, pkm_motion_path_forms)},
    {"samples", "from a file", WAY(pkm_motion_read_samples, pkm_motion_sample_forms)},
    {"formula",
     "`{of: drives, DRIVE: expression, ...}` or `{of: tool, x: , y: , z: }` with `roll`, `pitch`, "
     "`yaw` where it turns: [expressions](#numbers-units-expressions) of `t`, the time since the "
     "motion began, and of parameters; `duration` says how long. Derivatives are exact; kinks "
     "(`abs`, `min`, `max`, `step`) are found, jumps are refused",
     WAY(pkm_motion_read_formula, pkm_motion_formula_forms)},
    {"sequence", "names of motions that stand before this one, and `{dwell: TIME}`", PKM_KEY_LIST,
     .n_least = 1, .n_most = PKM_MOST_POINTS, .read = read_sequence, .either = parts},
    {"repeat", "how often a sequence is made; default 1", PKM_KEY_COUNT, AT(spec.repeat),
     .least = 1.0, .most = 100000.0},
    {"times",
     "when a spline (`path: {spline: ...}`, or drives with way points) passes its points, from "
     "rest to rest; without it the law runs along the spline",
     WAY(pkm_motion_read_times, times_forms)},
    {"law", "how the way is run in time; default quintic", PKM_KEY_WORD, AT(spec.law),
     .words = laws},
    {"duration", "without the rests", BOUND(spec.duration), .dimension = &pkm_dim_time},
    {"max_speed", NULL, BOUND(spec.max_speed), .dimension = &pkm_dim_velocity, .turns = true},
    {"max_acceleration", NULL, BOUND(spec.max_acceleration), .dimension = &pkm_dim_acceleration,
     .turns = true},
    {"max_jerk",
     "along the path, or of the drives: the duration when that is not given, else checked; the "
     "jerk of quintic, septic and s_curve laws",
     BOUND(spec.max_jerk), .dimension = &pkm_dim_jerk, .turns = true},
    {"hold_before", NULL, PKM_KEY_NUMBER, AT(spec.hold_before), &pkm_dim_time,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"hold_after", "rest before and after", PKM_KEY_NUMBER, AT(spec.hold_after), &pkm_dim_time,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"shaper",
     "`kind` (`zv`, `zvd`, `zvdd`), `frequency` (one, or up to three), `damping` (ratio, default "
     "0): the motion leaves no vibration of that frequency behind and takes half a period more per "
     "order; `pkm modes` gives frequencies",
     PKM_KEY_MAP, .section = &shaper_section},
    {"rpy",
     "orientation on a path: roll, pitch, yaw (R = Rz Ry Rx); one vector, `{from, to}`, or "
     "`{through: [...]}` with one for each way point",
     WAY(read_rpy, rpy_forms)},
    {"limits", "`velocity`, `acceleration`, `jerk` of the tool point: checked and reported",
     PKM_KEY_MAP, .section = &limit_section},
    {.name = NULL}};
static const pkm_key_rule motion_rules[] = {
    {PKM_RULE_ONE, "drives path samples formula sequence", NULL},
    {PKM_RULE_NEEDS, "repeat sequence", NULL},
    {0}};

static pkm_status begin_motion(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    d->node = node;
    d->desc = (pkm_desc_motion){.place = node->key_place,
                                .max_velocity = INFINITY,
                                .max_acceleration = INFINITY,
                                .max_jerk = INFINITY};
    d->spec.n_drive = r->desc->n_drive;
    r->turns = false;
    return PKM_OK;
}

const pkm_section pkm_model_motion = {"motion", NULL, motion_keys, motion_rules,
                                      .begin = begin_motion};

/// The motion's own complaint starts with its name, which the path in the message says already.
static pkm_status report(const pkm_reader* r, const pkm_yaml* node, const char* name,
                         const pkm_error* inner)
{
    const char* text = inner->text;
    const size_t length = strlen(name);
    if (strncmp(text, name, length) == 0 && strncmp(text + length, ": ", 2) == 0)
        text += length + 2;
    return pkm_reader_fail_key(r, node, "%s", text);
}

/// `keep` lives as long as the motion.
static pkm_status read_motion(pkm_reader* r, const pkm_yaml* node, const char* name,
                              pkm_arena* keep, pkm_desc_motion* out)
{
    pkm_motion_draft d = {.keep = keep, .spec = pkm_motion_spec_defaults()};
    pkm_error inner = {0};
    *out = (pkm_desc_motion){.motion = NULL};
    d.spec.name = name;
    PKM_TRY(pkm_keys_read(r, node, &pkm_model_motion, &d));
    *out = d.desc;
    const pkm_status status = pkm_motion_create(&d.spec, &out->motion, &inner);
    if (status == PKM_ERR_MEMORY) return pkm_reader_fail_memory(r);
    return status == PKM_OK ? PKM_OK : report(r, node, name, &inner);
}

pkm_status pkm_motions_read(pkm_reader* r)
{
    const pkm_yaml* section = pkm_yaml_get(r->root, "motions");
    if (!section) return PKM_OK;
    PKM_TRY(pkm_reader_named_map(r, section));
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, section->n_child, sizeof(pkm_desc_motion), &room));
    r->desc->motion = room;
    for (const pkm_yaml* node = section->first; node; node = node->next) {
        PKM_TRY(
            read_motion(r, node, node->key, r->desc->arena, &r->desc->motion[r->desc->n_motion]));
        ++r->desc->n_motion;
    }
    return PKM_OK;
}

pkm_status pkm_motion_add(pkm_reader* r, const pkm_yaml* node, const char* name,
                          pkm_description* to)
{
    pkm_desc_motion* all = pkm_arena_alloc(to->arena, (size_t)to->n_motion + 1, sizeof *all);
    if (!all) return pkm_reader_fail_memory(r);
    if (to->n_motion > 0) memcpy(all, to->motion, (size_t)to->n_motion * sizeof *all);
    pkm_desc_motion* added = &all[to->n_motion];
    PKM_TRY(read_motion(r, node, name, to->arena, added));
    added->text = NULL; // it would live with the reader
    to->motion = all;
    ++to->n_motion;
    return PKM_OK;
}
