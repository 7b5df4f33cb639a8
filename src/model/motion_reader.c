// Motions and what they are put together from: sequences, dwells, payloads picked up and dropped,
// shapers. Laws and paths: path_reader.c and way_reader.c.
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
    for (int i = 0; i < r->desc->n_file_motion; ++i) {
        // order in the file: a sequence of itself cannot be written
        *out = r->desc->motion[i].motion;
        if (strcmp(pkm_motion_name(*out), name) == 0) return PKM_OK;
    }
    return pkm_reader_fail(r, node, "no motion %.60s stands before this one", name);
}

#define AT(member) offsetof(pkm_motion_draft, member)
static const pkm_key stop_keys[] = {
    {"dwell", "rest before the next motion", PKM_KEY_NUMBER, AT(dwell), &pkm_dim_time,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"pick", NULL, PKM_KEY_TEXT, .at = AT(pick)},
    {"drop", "the payload that comes or goes here, where the motion has to rest", PKM_KEY_TEXT,
     .at = AT(drop)},
    {.name = NULL}};
static const pkm_key_rule stop_rules[] = {{PKM_RULE_ONE, "dwell pick drop", NULL}, {0}};
static const pkm_section stop_section = {.key = stop_keys, .rule = stop_rules};
static const pkm_key parts[] = {
    {.kind = PKM_KEY_TEXT}, {.kind = PKM_KEY_MAP, .section = &stop_section}, {.kind = PKM_KEY_OWN}};

/// `{dwell: TIME}`, `{pick: PAYLOAD}` or `{drop: PAYLOAD}` between the motions of a sequence.
static pkm_status read_stop(pkm_reader* r, const pkm_yaml* item, double* dwell, pkm_motion_draft* d)
{
    d->dwell = 0.0;
    d->pick = d->drop = NULL;
    PKM_TRY(pkm_keys_read(r, item, &stop_section, d));
    if (d->spec.n_part == 0)
        return pkm_reader_fail(r, item, "a sequence begins with a motion; %s",
                               d->pick   ? "a payload that is dropped first is carried from the "
                                           "start: leave this out"
                               : d->drop ? "a payload that the robot does not carry is left out"
                                         : "use hold_before");
    const int last = d->spec.n_part - 1;
    // several rests one after the other add up
    dwell[last] += d->dwell;
    if (!d->pick && !d->drop) return PKM_OK;
    d->mark[d->spec.n_mark++] = (pkm_motion_mark){.payload = d->pick ? d->pick : d->drop,
                                                  .is_pick = d->pick != NULL,
                                                  .after = last,
                                                  // what was rested before the mark: the payload
                                                  // comes after that
                                                  .wait = dwell[last]};
    return PKM_OK;
}

/// `sequence: [down, {pick: part}, {dwell: 0.1 s}, up]`.
static pkm_status read_sequence(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    PKM_TRY(pkm_reader_list(r, node, 1, PKM_MOST_POINTS));
    // as many as items: each may be a motion, a rest or a mark
    const size_t n = (size_t)node->n_child;
    const pkm_motion** part = pkm_arena_alloc(r->scratch, n, sizeof *part);
    double* dwell = pkm_arena_alloc(r->scratch, n, sizeof *dwell);
    d->mark = pkm_arena_alloc(r->scratch, n, sizeof *d->mark);
    if (!part || !dwell || !d->mark) return pkm_reader_fail_memory(r);
    d->spec.path = PKM_PATH_SEQUENCE;
    d->spec.part = part;
    d->spec.dwell = dwell;
    d->spec.mark = d->mark;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        if (item->kind == PKM_YAML_MAP) {
            PKM_TRY(read_stop(r, item, dwell, d));
            continue;
        }
        dwell[d->spec.n_part] = 0.0;
        PKM_TRY(find_motion(r, item, &part[d->spec.n_part++]));
    }
    return PKM_OK;
}

/// `payload: {part: {mass: 1 kg, at: platform.P}}` of a sequence.
static pkm_status read_cargo(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    pkm_desc_motion* out = &d->desc;
    PKM_TRY(pkm_reader_named_map(r, node));
    out->payload = pkm_arena_alloc(d->keep, (size_t)node->n_child + 1, sizeof *out->payload);
    if (!out->payload) return pkm_reader_fail_memory(r);
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        pkm_desc_payload* load = &out->payload[out->n_payload++];
        load->name = pkm_arena_text(d->keep, item->key, strlen(item->key));
        if (!load->name) return pkm_reader_fail_memory(r);
        PKM_TRY(pkm_keys_read(r, item, &pkm_cargo_section, load));
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

/// One number, or a list of them.
static pkm_status read_frequency(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_spec* spec = to;
    const bool many = node->kind == PKM_YAML_LIST;
    PKM_TRY(pkm_key_take(r, node, &frequency_forms[many], spec->shaper_frequency));
    spec->n_shaper_frequency = many ? node->n_child : 1;
    return PKM_OK;
}

/// Kind 0 of the enumeration is "none", which the file does not write.
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
    {"sequence",
     "names of motions that stand before this one, `{dwell: TIME}`, and `{pick: NAME}`, `{drop: "
     "NAME}`: the payload of that name comes or goes there, where the motion has to rest",
     PKM_KEY_LIST, .n_least = 1, .n_most = PKM_MOST_POINTS, .read = read_sequence, .either = parts},
    {"payload",
     "what a sequence picks up and drops, by name, with the keys of [payloads of a "
     "run](run-file.md#payload); a payload of the run with the same name rules. One that is "
     "dropped first is carried from the start",
     PKM_KEY_EACH, .is_name = true, .read = read_cargo, .section = &pkm_cargo_section},
    {"stretch", "of a sequence: all its times, those of its parts too, by this factor",
     BOUND(spec.stretch)},
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
     "of the tool along its path, accelerations and jerks with the part across a curve, or of the "
     "drives: the duration when that is not given, else checked; the jerk of quintic, septic and "
     "s_curve laws",
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
    {PKM_RULE_NEEDS, "payload sequence", NULL},
    {PKM_RULE_NEEDS, "stretch sequence", NULL},
    {0}};

static pkm_status begin_motion(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_motion_draft* d = to;
    d->node = node;
    d->desc = (pkm_desc_motion){.place = node->key_place,
                                .max_velocity = INFINITY,
                                .max_acceleration = INFINITY,
                                .max_jerk = INFINITY};
    // limits of a motion are unlimited unless given
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
        // "pick: duration 0" becomes "duration 0": the path before it ends with the name
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
        // one by one: sequences may name those before them
        r->desc->n_file_motion = ++r->desc->n_motion;
    }
    return PKM_OK;
}

pkm_status pkm_motion_add(pkm_reader* r, const pkm_yaml* node, const char* name,
                          pkm_description* to)
{
    pkm_desc_motion added = {.motion = NULL};
    pkm_arena* arena = pkm_arena_create();
    pkm_status status =
        arena ? read_motion(r, node, name, arena, &added) : pkm_reader_fail_memory(r);
    added.text = NULL; // it would live with the reader
    added.arena = arena;
    if (status == PKM_OK && pkm_description_add_motion(to, &added) != PKM_OK) {
        pkm_motion_free(added.motion);
        status = pkm_reader_fail_memory(r);
    }
    if (status != PKM_OK) pkm_arena_free(arena);
    return status;
}
