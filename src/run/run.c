// A run file through the table of its keys, then what was left open: motion, duration, drives,
// integrator and tolerance. Later choices are put over earlier ones key by key.
#include "run/run.h"

#include "base/error.h"
#include "base/pattern.h"
#include "flexible/body.h"
#include "mechanism/joint.h"
#include "model/nearest.h"
#include "model/source.h"
#include "robot/guard.h"
#include "run/run_impl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_MB = 16, MAX_INSTANT = 10000000 };

// ---- names and numbers ------------------------------------------------------------------------

bool pkm_run_means(const char* pattern, const char* name)
{
    if (pkm_pattern_matches(pattern, name)) return true;
    return !strchr(pattern, '.') && pkm_pattern_matches(pattern, pkm_short_name(name));
}

/// A parameter of the model, with its value; the unit is kept as text.
static pkm_parameter model_parameter(const pkm_desc_parameter* from)
{
    pkm_unit unit;
    pkm_fault fault;
    pkm_parameter out = {.name = from->name, .text = "", .state = PKM_PARAMETER_DONE};
    out.value = (pkm_quantity){.value = from->value, .kind = PKM_UNIT_NONE};
    if (strcmp(from->unit, "1") == 0) return out;
    if (pkm_unit_scan(from->unit, false, &unit, &fault) == 0) return out;
    out.value.kind = PKM_UNIT_KNOWN;
    out.value.dimension = unit.dimension;
    return out;
}

/// Other values for parameters of the run.
static void set_parameters(pkm_scope* scope, const pkm_run_names* names)
{
    for (int i = 0; i < names->n_set; ++i) {
        pkm_parameter* p = pkm_scope_find(scope, names->set[i].name);
        // those of the model come with the model: no fault here
        if (p) p->text = names->set[i].value;
    }
}

pkm_status pkm_run_make_scope(pkm_run_reader* rr, const pkm_run_names* names)
{
    const pkm_description* desc = &rr->view;
    pkm_scope* scope = pkm_arena_alloc(rr->r.scratch, 1, sizeof *scope);
    if (!scope) return pkm_reader_fail_memory(&rr->r);
    PKM_TRY(pkm_scope_read(names->parameters, desc->file, rr->r.scratch, scope, rr->r.err));
    set_parameters(scope, names);
    const size_t n = (size_t)(scope->n_parameter + desc->n_parameter);
    pkm_parameter* all = pkm_arena_alloc(rr->r.scratch, n, sizeof *all);
    if (!all) return pkm_reader_fail_memory(&rr->r);
    // parameters of the run hide those of the model
    for (int i = 0; i < scope->n_parameter; ++i)
        all[i] = scope->parameter[i];
    int used = scope->n_parameter;
    for (int i = 0; i < desc->n_parameter; ++i)
        if (!pkm_scope_find(scope, desc->parameter[i].name))
            all[used++] = model_parameter(&desc->parameter[i]);
    scope->parameter = all;
    scope->n_parameter = used;
    rr->r.scope = scope;
    return pkm_scope_evaluate(scope);
}

pkm_status pkm_run_report(const pkm_reader* r, const pkm_yaml* node, pkm_status status,
                          const pkm_error* inner)
{
    if (status == PKM_OK) return PKM_OK;
    // "spring: stiffness -1, expected ...": the path in the file names the item already
    const char* colon = strstr(inner->text, ": ");
    return pkm_reader_fail_key(r, node, "%s", colon ? colon + 2 : inner->text);
}

pkm_run_choice_names pkm_run_joints(const pkm_run_reader* rr)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    return (pkm_run_choice_names){"joint", &mech->joint[0].name, mech->n_joint,
                                  sizeof *mech->joint};
}

pkm_run_choice_names pkm_run_drives(const pkm_run_reader* rr)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    return (pkm_run_choice_names){"drive", &mech->drive[0].name, mech->n_drive,
                                  sizeof *mech->drive};
}

pkm_status pkm_run_no_name(const pkm_run_reader* rr, const pkm_yaml* node,
                           pkm_run_choice_names names)
{
    // nearest name where there is one, else the list of all
    pkm_nearest near = pkm_nearest_make(node->key);
    char list[240] = "";
    for (int k = 0; k < names.n; ++k) {
        const char* name =
            *(const char* const*)((const char*)names.first + (size_t)k * names.stride);
        const size_t used = strlen(list);
        pkm_nearest_offer(&near, name);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", name);
    }
    pkm_yaml at = *node->parent;
    at.place = node->key_place;
    if (near.best)
        return pkm_reader_fail(&rr->r, &at, "'%.60s' is no %s%s", node->key, names.what,
                               pkm_nearest_hint(&near).text);
    return pkm_reader_fail(&rr->r, &at, "'%.60s' matches no %s; there are %s%s", node->key,
                           names.what, list, strlen(list) == sizeof list - 1 ? " ..." : "");
}

pkm_status pkm_run_each(pkm_reader* r, const pkm_yaml* node, pkm_run_item read)
{
    PKM_TRY(pkm_reader_keys_any(r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read(pkm_run_reader_of(r), item));
    return PKM_OK;
}

/// Doubled when full: the arena keeps the old ones, less than the new one.
pkm_status pkm_run_grow(const pkm_run_reader* rr, void** list, int n, size_t size)
{
    // a power of two: the room is used up
    const bool is_full = n == 0 || (n & (n - 1)) == 0;
    if (!is_full) return PKM_OK;
    void* grown = pkm_arena_alloc(rr->run->arena, n == 0 ? 1 : 2 * (size_t)n, size);
    if (!grown) return pkm_reader_fail_memory(&rr->r);
    if (n > 0) memcpy(grown, *list, (size_t)n * size);
    *list = grown;
    return PKM_OK;
}

// ---- single choices ---------------------------------------------------------------------------

/// The motion of before, if there was one, goes.
static void release_motion(pkm_run* run)
{
    if (run->given != PKM_NONE) pkm_description_release_motion(run->robot->desc, run->given);
    run->given = PKM_NONE;
}

/// A motion of the run's own, written as in a model file: the robot gets it under the name `given`.
static pkm_status read_given_motion(pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_robot* robot = rr->run->robot;
    const int index = robot->desc->n_motion;
    // it joins those of the robot, so that all that follows motions by number can follow it
    PKM_TRY(pkm_motion_add(&rr->r, node, "given", robot->desc));
    const pkm_status status = pkm_robot_place_motion(robot, index, rr->view.file, rr->r.err);
    if (status != PKM_OK) {
        pkm_description_release_motion(robot->desc, index);
        return status;
    }
    release_motion(rr->run);
    rr->run->settings.motion = rr->run->given = index;
    return PKM_OK;
}

/// A name of the model, `none`, or a motion of the run's own.
static pkm_status read_motion(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    int* motion = to;
    const pkm_description* desc = rr->run->robot->desc;
    const char* name = NULL;
    if (node->kind == PKM_YAML_MAP) return read_given_motion(rr, node);
    PKM_TRY(pkm_reader_text(r, node, &name));
    *motion = PKM_NONE;
    for (int m = 0; m < desc->n_file_motion; ++m)
        if (strcmp(name, pkm_motion_name(desc->motion[m].motion)) == 0) *motion = m;
    if (*motion != PKM_NONE || strcmp(name, "none") == 0) return PKM_OK;
    pkm_nearest near = pkm_nearest_make(name);
    for (int m = 0; m < desc->n_file_motion; ++m)
        pkm_nearest_offer(&near, pkm_motion_name(desc->motion[m].motion));
    return pkm_reader_fail(r, node, "the model has no motion '%.60s'%s", name,
                           pkm_nearest_hint(&near).text);
}

static pkm_status read_integrator(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_sim_settings* s = to;
    int which = 0;
    // refused with what to write instead: its results would differ
    if (node->text && strcmp(node->text, "galpha") == 0) // of 0.1 and 0.2
        return pkm_reader_fail(r, node,
                               "integrator: galpha (generalised-alpha) is gone; leave the line out "
                               "or write ida, which carries the same equations to a higher order");
    PKM_TRY(pkm_reader_word(r, node, pkm_integrator_name, &which));
    // who names a method gets it, whatever the run turns out to be
    s->integrator = s->when_stiff = (pkm_integrator)which;
    return PKM_OK;
}

static const char* const shapes[] = {"static", "undeformed", NULL};

/// How one joint starts, as it is written.
typedef struct joint_start {
    const pkm_yaml *offset, *rate;
} joint_start;

static const pkm_key rate_forms[] = {
    {.kind = PKM_KEY_NUMBER}, {.kind = PKM_KEY_NUMBERS, .n_least = 3, .n_most = 6}, {0}};
static const pkm_key joint_start_keys[] = {
    {"offset",
     "from where the joint stands in the pose of the motion at t = 0 or at home; of a ball the "
     "rotation vector `[rx, ry, rz]` of the second body against the first, of a free body `[x, y, "
     "z, rx, ry, rz]`",
     PKM_KEY_OWN, offsetof(joint_start, offset), .either = rate_forms, .read = pkm_key_keep_node},
    {"rate", "its velocity, of a ball `[wx, wy, wz]`, of a free body `[vx, vy, vz, wx, wy, wz]`",
     PKM_KEY_OWN, offsetof(joint_start, rate), .either = rate_forms, .read = pkm_key_keep_node},
    {.name = NULL}};
static const pkm_section joint_start_section = {"joint_start", "how a joint starts",
                                                .key = joint_start_keys};

/// Numbers of a joint: one, of a ball three, of a free body six; `word` names them.
static pkm_status read_numbers(pkm_reader* r, const pkm_yaml* item, pkm_joint_type type,
                               const pkm_dimension dimension[2], const char* word, double* out)
{
    const int n = type == PKM_JOINT_SPHERICAL ? 3 : type == PKM_JOINT_FREE ? 6 : 1;
    const pkm_yaml* one = item;
    if (n > 1) {
        if (item->kind != PKM_YAML_LIST)
            return pkm_reader_fail(r, item, "expected the %s of a %s joint: %s", word,
                                   pkm_joint_type_name(type),
                                   n == 3 ? "[wx, wy, wz]" : "[vx, vy, vz, wx, wy, wz]");
        PKM_TRY(pkm_reader_list(r, item, n, n));
        one = item->first;
    }
    for (int k = 0; k < n; ++k, one = one->next) {
        // of a free body the first three are lengths
        const bool slides = n == 1 ? pkm_joint_is_length(type, 0) : n == 6 && k < 3;
        PKM_TRY(pkm_reader_number(r, one, dimension[slides], PKM_RANGE_ANY, &out[k]));
    }
    return PKM_OK;
}

/// A rate, or `{offset: ..., rate: ...}`.
static pkm_status read_joint_start(pkm_reader* r, const pkm_yaml* item, int joint,
                                   pkm_sim_settings* s)
{
    const pkm_dimension rate[2] = {pkm_dim_angular_velocity, pkm_dim_velocity};
    const pkm_dimension offset[2] = {pkm_dim_angle, pkm_dim_length};
    const pkm_joint_type type = pkm_run_reader_of(r)->run->robot->mech->joint[joint].type;
    const int n = type == PKM_JOINT_SPHERICAL ? 3 : type == PKM_JOINT_FREE ? 6 : 1;
    const int at = s->n_start;
    joint_start written = {.rate = item};
    if (item->kind == PKM_YAML_MAP) {
        // a number alone is a rate, as runs of 0.1 have it
        written.rate = NULL;
        PKM_TRY(pkm_keys_read(r, item, &joint_start_section, &written));
    }
    if (at + n > PKM_MAX_DRIVE)
        return pkm_reader_fail(r, item, "more than %d rates", PKM_MAX_DRIVE);
    for (int k = 0; k < n; ++k) {
        s->start_joint[at + k] = joint;
        s->start_rate[at + k] = s->start_offset[at + k] = 0.0;
        // of a free body the first three are lengths
        s->start_slides[at + k] = n == 1 ? pkm_joint_is_length(type, 0) : n == 6 && k < 3;
    }
    s->n_start += n;
    if (written.rate)
        PKM_TRY(read_numbers(r, written.rate, type, rate, "rates", &s->start_rate[at]));
    if (!written.offset) return PKM_OK;
    return read_numbers(r, written.offset, type, offset, "offsets", &s->start_offset[at]);
}

/// `start: static` or `undeformed`, for flexible links; `start: {JOINT: ...}`: velocities and
/// offsets at the start, as many as there are freedoms.
static pkm_status read_start(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    pkm_sim_settings* s = to;
    if (node->kind == PKM_YAML_TEXT) {
        int shape = 0;
        PKM_TRY(pkm_reader_word(&rr->r, node, shapes, &shape));
        // `static` is the default: the links begin where their loads bend them
        s->undeformed = shape == 1;
        return PKM_OK;
    }
    PKM_TRY(pkm_reader_keys_any(&rr->r, node));
    s->n_start = 0;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        const pkm_yaml name = {.kind = PKM_YAML_TEXT,
                               .text = item->key,
                               .place = item->key_place,
                               .parent = node->parent,
                               .key = node->key};
        int joint = PKM_NONE;
        PKM_TRY(pkm_reader_find_joint(&rr->r, &name, &joint));
        PKM_TRY(read_joint_start(&rr->r, item, joint, s));
    }
    return PKM_OK;
}

static pkm_status require_tool(pkm_reader* r, const pkm_yaml* node)
{
    if (pkm_run_reader_of(r)->run->robot->mech->tool != PKM_NONE) return PKM_OK;
    return pkm_reader_fail_key(r, node, "the model names no tool");
}

static pkm_status read_tool_force(pkm_reader* r, const pkm_yaml* node, void* to)
{
    PKM_TRY(require_tool(r, node));
    return pkm_reader_vector(r, node, pkm_dim_force, to);
}

static pkm_status read_tool_torque(pkm_reader* r, const pkm_yaml* node, void* to)
{
    PKM_TRY(require_tool(r, node));
    return pkm_reader_vector(r, node, pkm_dim_torque, to);
}

// ---- all choices ------------------------------------------------------------------------------

#define AT(member) offsetof(pkm_run, settings.member)
static const pkm_key budget_keys[] = {{"steps", "accepted steps", PKM_KEY_NUMBER, AT(budget_steps),
                                       NULL, .range = PKM_RANGE_POSITIVE},
                                      {"time", "on the clock", PKM_KEY_NUMBER, AT(budget_time),
                                       &pkm_dim_time, .range = PKM_RANGE_POSITIVE},
                                      {.name = NULL}};
static const pkm_section budget = {"budget", "what a run may use", .key = budget_keys};

static const char* const idle_words[] = {"refuse", "integrate", NULL}; // pkm_idle_choice
static const pkm_key number_form[] = {{.kind = PKM_KEY_NUMBER}, {0}};
static const pkm_key motion_forms[] = {{.kind = PKM_KEY_TEXT}, {.kind = PKM_KEY_MAP}, {0}};
static const pkm_key joint_start_forms[] = {{.kind = PKM_KEY_NUMBER},
                                            {.kind = PKM_KEY_NUMBERS, .n_least = 3, .n_most = 6},
                                            {.kind = PKM_KEY_MAP, .section = &joint_start_section},
                                            {0}};
static const pkm_key start_forms[] = {{.kind = PKM_KEY_WORD, .words = shapes},
                                      {.kind = PKM_KEY_EACH, .either = joint_start_forms},
                                      {0}};

static const pkm_key choices[] = {
    {"motion",
     "of the model; `none`: no motion. The first when not given. Or a motion as in a model file: "
     "`{duration: 1 s, drives: {qA: 1 rad}}`",
     PKM_KEY_OWN, AT(motion), .either = motion_forms, .given = offsetof(pkm_run, has_motion),
     .read = read_motion},
    {"for", "how long; as long as the motion when not given", PKM_KEY_NUMBER, AT(end_time),
     &pkm_dim_time, PKM_RANGE_POSITIVE, .given = offsetof(pkm_run, has_end)},
    {"instants", "rows of the table, 401", PKM_KEY_COUNT, AT(n_instant), .least = 2,
     .most = MAX_INSTANT},
    {"section", "clearance: where the journals are once per period (Poincare section)",
     PKM_KEY_NUMBER, offsetof(pkm_run, section), &pkm_dim_time, .range = PKM_RANGE_POSITIVE,
     .analyses = PKM_TASK_SIMULATE},
    {"integrator",
     "`explicit`, `bdf`, `sdirk` or `ida`; not given: by the problem, see [below](#integrators)",
     PKM_KEY_WORD, offsetof(pkm_run, settings), .words = pkm_integrator_name,
     .given = offsetof(pkm_run, has_integrator), .read = read_integrator,
     .analyses = PKM_TASK_SIMULATE},
    {"tolerance", "relative error per step", PKM_KEY_NUMBER, AT(tolerance), NULL,
     PKM_RANGE_POSITIVE, .least = 1e-15, .most = 0.1, .analyses = PKM_TASK_SIMULATE},
    {"max_step", NULL, PKM_KEY_NUMBER, AT(max_step), &pkm_dim_time, .range = PKM_RANGE_POSITIVE,
     .analyses = PKM_TASK_SIMULATE},
    {"min_step", "bounds of the steps", PKM_KEY_NUMBER, AT(min_step), &pkm_dim_time,
     .range = PKM_RANGE_POSITIVE, .analyses = PKM_TASK_SIMULATE},
    {"budget",
     "`steps` and `time` on the clock after which the run ends, with its rows and exit "
     "code 5",
     PKM_KEY_MAP, .section = &budget},
    {"reactions", "write the forces and moments in every joint", PKM_KEY_FLAG, .at = AT(reactions)},
    {"columns",
     "beside the usual ones: names, patterns, expressions of columns, see [columns](#columns)",
     PKM_KEY_OWN, .either = pkm_column_forms, .read = pkm_run_read_columns},
    {"tool_force", NULL, PKM_KEY_VECTOR, AT(tool_force), &pkm_dim_force, .read = read_tool_force},
    {"tool_torque", "on the tool, world axes", PKM_KEY_VECTOR, AT(tool_torque), &pkm_dim_torque,
     .read = read_tool_torque},
    {"friction", "friction in joints by name, pattern or type, see [below](#friction)",
     PKM_KEY_EACH, .section = &pkm_friction_section, .read = pkm_run_read_friction},
    {"clearance", "clearance in joints by name, pattern or type, see [below](#clearance)",
     PKM_KEY_EACH, .section = &pkm_clearance_section, .read = pkm_run_read_clearance},
    {"drives",
     "what drives do, all or by name or pattern: `locked`, `{pd: ...}`, ..., see [below](#drives)",
     PKM_KEY_OWN, .either = pkm_drive_forms, .read = pkm_run_read_drives},
    {"model", "parameters of the model as controllers believe them", PKM_KEY_EACH,
     .either = number_form, .read = pkm_run_read_model},
    {"loads", "a force, spring, bushing or cable by a name of your choice, see [below](#loads)",
     PKM_KEY_EACH, .is_name = true, .form = pkm_load_form, .read = pkm_run_read_loads},
    {"payload", "masses that come and go, see [below](#payload)", PKM_KEY_EACH, .is_name = true,
     .section = &pkm_payload_section, .read = pkm_run_read_payloads},
    {"start",
     "`{JOINT: RATE}`: velocities at the start, of a ball `[wx, wy, wz]`, of a free body `[vx, vy, "
     "vz, wx, wy, wz]`; `{JOINT: {offset: 30 deg, rate: 1 rad/s}}`: where it starts, too; one for "
     "each freedom. `static` (default) or `undeformed`: flexible links",
     PKM_KEY_OWN, offsetof(pkm_run, settings), .either = start_forms, .read = read_start},
    {"flexible", "flexible links, by name or pattern of the bodies, see [below](#flexible-links)",
     PKM_KEY_EACH, .section = &pkm_flexible_section, .read = pkm_run_read_flexible},
    {"hold",
     "how drives hold a pose: `locked` (default), `free`, `{stiffness: K}`, `{DRIVE: HOW}`, see "
     "[below](#holding-a-pose)",
     PKM_KEY_OWN, .either = pkm_hold_forms, .read = pkm_run_read_hold},
    {"idle",
     "inverse dynamics: freedoms that move neither drives nor tool; `refuse` (default) or "
     "`integrate`",
     PKM_KEY_WORD, AT(idle), .words = idle_words},
    {.name = NULL}};
#undef AT
const pkm_section pkm_run_choices = {"choices", "what a run does", .key = choices};

static const pkm_key file_keys[] = {
    {"run", "format version", PKM_KEY_VERSION, .must = true},
    {"description", "for people", .kind = PKM_KEY_REMARK},
    {"parameters", "of the run; they hide those of the model", .kind = PKM_KEY_PARAMETERS},
    {.kind = PKM_KEY_INCLUDE, .section = &pkm_run_choices},
    {.name = NULL}};
const pkm_section pkm_run_file = {
    "run", "What a run does with a robot; docs/reference/run-file.md describes every key.",
    .key = file_keys};

/// A key of a run, or of a task.
static pkm_status read_choice(pkm_run_reader* rr, const char* key, const pkm_yaml* node)
{
    const pkm_key* choice = pkm_section_find(&pkm_run_choices, key, NULL);
    return choice ? pkm_key_take(&rr->r, node, choice, rr->run) : pkm_run_read_task(rr, key, node);
}

static pkm_status read_file(pkm_run_reader* rr)
{
    const pkm_yaml* root = rr->r.root;
    const pkm_run_names names = {.parameters = pkm_yaml_get(root, "parameters")};
    PKM_TRY(pkm_keys_check(&rr->r, root, &pkm_run_file));
    PKM_TRY(pkm_run_make_scope(rr, &names));
    for (const pkm_yaml* item = root->first; item; item = item->next)
        PKM_TRY(
            pkm_key_take(&rr->r, item, pkm_section_find(&pkm_run_file, item->key, NULL), rr->run));
    return PKM_OK;
}

/// A reader for `run` whose messages name `file`; it points into itself.
static pkm_status begin_reading(pkm_run_reader* rr, pkm_run* run, const char* file, pkm_error* err)
{
    *rr = (pkm_run_reader){.view = *run->robot->desc, .run = run};
    rr->view.file = file;
    rr->view.arena = run->arena;
    rr->r = (pkm_reader){.desc = &rr->view, .scratch = pkm_arena_create(), .err = err};
    return rr->r.scratch ? PKM_OK : pkm_reader_fail_memory(&rr->r);
}

/// Parse `text`; `key` NULL: a whole file, else the value of this key, of a run or of a task.
static pkm_status parse(pkm_run* run, const char* key, const char* text, const char* name,
                        pkm_error* err)
{
    const pkm_run_names none = {.parameters = NULL};
    pkm_run_reader rr;
    pkm_status status = begin_reading(&rr, run, name, err);
    if (status == PKM_OK) status = pkm_source_check_text(text, strlen(text), name, err);
    if (status == PKM_OK)
        status = pkm_yaml_parse(text, strlen(text), name, rr.r.scratch, &rr.r.root, err);
    if (status == PKM_OK && !key) status = read_file(&rr);
    if (status == PKM_OK && key) status = pkm_run_make_scope(&rr, &none);
    if (status == PKM_OK && key) status = read_choice(&rr, key, rr.r.root);
    pkm_arena_free(rr.r.scratch);
    if (status != PKM_OK && err) pkm_source_clean(err->text);
    return status;
}

pkm_status pkm_run_take(pkm_run* run, const pkm_yaml* map, const char* file,
                        const pkm_run_names* names, pkm_error* err)
{
    pkm_run_reader rr;
    pkm_status status = begin_reading(&rr, run, file, err);
    if (status == PKM_OK) status = pkm_run_make_scope(&rr, names);
    for (const pkm_yaml* item = map->first; item && status == PKM_OK; item = item->next)
        if (pkm_section_find(&pkm_run_choices, item->key, NULL))
            status = read_choice(&rr, item->key, item);
    pkm_arena_free(rr.r.scratch);
    if (status != PKM_OK && err) pkm_source_clean(err->text);
    return status;
}

pkm_status pkm_run_parse(pkm_run* run, const char* text, const char* name, pkm_error* err)
{
    if (!run || !text || !name)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_run_parse: a run, a text or a name is NULL");
    PKM_HOLD((pkm_robot*)run->robot, err); // a motion of its own is put there
    PKM_TRY(parse(run, NULL, text, name, err));
    return pkm_run_note_layer(run, &(pkm_run_layer){.text = text, .name = name}, err);
}

pkm_status pkm_run_read(pkm_run* run, const char* path, pkm_error* err)
{
    char* text = NULL;
    size_t length = 0;
    if (!run || !path)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_run_read: a run or a path is NULL");
    PKM_TRY(pkm_source_read(path, (size_t)MAX_MB << 20, &text, &length, err));
    const pkm_status status = pkm_run_parse(run, text, path, err);
    pkm_free(text);
    return status;
}

char* pkm_run_quote(const char* text)
{
    const size_t length = strlen(text), key = text[0] == '*' ? strcspn(text, ": ") : 0;
    char* out = pkm_alloc(length + 3, 1);
    if (!out || key == 0) return out ? memcpy(out, text, length) : NULL;
    out[0] = out[key + 1] = '"';
    memcpy(out + 1, text, key);
    memcpy(out + key + 2, text + key, length - key);
    return out;
}

pkm_status pkm_run_set(pkm_run* run, const char* key, const char* text, const char* option,
                       pkm_error* err)
{
    if (!*text) return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: it is empty", option);
    char* quoted = pkm_run_quote(text);
    if (!quoted) return pkm_out_of_memory(err);
    const pkm_status status = parse(run, key, quoted, option, err);
    pkm_free(quoted);
    if (status != PKM_OK && err) err->line = err->column = 0; // one line, and the user knows it
    return status;
}

// ---- creation and end -------------------------------------------------------------------------

pkm_status pkm_run_create(const pkm_robot* robot, pkm_run** out, pkm_error* err)
{
    if (out) *out = NULL;
    if (!robot || !out)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_run_create: a robot or `out` is NULL");
    pkm_run* run = pkm_alloc(1, sizeof *run);
    if (run) {
        run->robot = robot;
        run->given = PKM_NONE;
        run->is_open = true;
        run->settings = pkm_sim_settings_defaults();
        // the settings see what is read later, without being told
        run->settings.effects = &run->effects;
        run->arena = pkm_arena_create();
    }
    const size_t n_joint = (size_t)robot->mech->n_joint;
    if (run && run->arena) {
        pkm_effects* e = &run->effects;
        e->friction = pkm_arena_alloc(run->arena, n_joint, sizeof *e->friction);
        e->clearance = pkm_arena_alloc(run->arena, n_joint, sizeof *e->clearance);
    }
    if (!run || !run->effects.friction || !run->effects.clearance) {
        pkm_run_free(run);
        return pkm_out_of_memory(err);
    }
    *out = run;
    return PKM_OK;
}

pkm_status pkm_run_create_contacts(const pkm_robot* robot, pkm_run** out, pkm_error* err)
{
    PKM_TRY(pkm_run_create(robot, out, err));
    (*out)->is_open = false;
    return PKM_OK;
}

void pkm_run_free(pkm_run* run)
{
    if (!run) return;
    release_motion(run);
    for (int i = 0; i < run->n_formula; ++i)
        pkm_formula_free(run->formula[i]);
    pkm_free(run->formula);
    for (int i = 0; i < run->n_made; ++i)
        pkm_flexible_body_free(run->made[i]);
    pkm_robot_free(run->model);
    pkm_arena_free(run->arena);
    pkm_free(run);
}

/// A drive that follows a motion needs one.
static pkm_status check_motion(const pkm_run* run, int d, pkm_error* err)
{
    const pkm_drive_kind kind = run->settings.drive[d].kind;
    const bool follows = kind == PKM_DRIVE_PRESCRIBED || kind == PKM_DRIVE_PLAYBACK;
    if (run->settings.motion != PKM_NONE || !follows) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "drive %s: it needs a motion, and there is none",
                    run->robot->mech->drive[d].name);
}

static bool is_named(const pkm_override* set, int n, const char* name)
{
    for (int i = 0; i < n; ++i)
        if (strcmp(set[i].name, name) == 0) return true;
    return false;
}

/// The robot as controllers believe it is: the same text with other parameters, which stand above
/// those of the robot.
static pkm_status load_model(pkm_run* run, pkm_error* err)
{
    const pkm_description* desc = run->robot->desc;
    if (run->n_model_set == 0) return PKM_OK;
    pkm_override* all = pkm_alloc((size_t)(desc->n_set + run->n_model_set), sizeof *all);
    if (!all) return pkm_out_of_memory(err);
    int n = run->n_model_set;
    memcpy(all, run->model_set, (size_t)n * sizeof *all);
    for (int i = 0; i < desc->n_set; ++i)
        if (!is_named(run->model_set, run->n_model_set, desc->set[i].name)) all[n++] = desc->set[i];
    pkm_robot_free(run->model);
    const pkm_status status = pkm_robot_parse(desc->content, desc->file, all, n, &run->model, err);
    pkm_free(all);
    run->settings.model = run->model;
    return status;
}

/// Rows at all multiples of the period of a section, and at least as many as were wanted.
static pkm_status fit_section(pkm_run* run, pkm_error* err)
{
    pkm_sim_settings* s = &run->settings;
    if (run->section == 0.0) return PKM_OK;
    // rows at every multiple of the period: a section is read off rows, not between them
    const double periods = round(s->end_time / run->section);
    if (!(periods >= 1.0) || fabs(periods * run->section - s->end_time) > 1e-9 * s->end_time)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "section: %g s in a run of %g s, expected a whole number of periods",
                        run->section, s->end_time);
    // as many in each period
    const double rows = periods * ceil((s->n_instant - 1) / periods);
    if (rows >= MAX_INSTANT)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "section: %g s, expected a longer period",
                        run->section);
    s->n_instant = (int)rows + 1;
    return PKM_OK;
}

pkm_status pkm_run_note_markers(pkm_run* run, pkm_error* err)
{
    pkm_effects* e = &run->effects;
    if (e->n_element == 0 || e->n_flexible == 0) return PKM_OK;
    int* marker = pkm_arena_alloc(run->arena, 2 * (size_t)e->n_element, sizeof *marker);
    if (!marker) return pkm_out_of_memory(err);
    int n = 0;
    for (int i = 0; i < e->n_element; ++i) {
        const pkm_element_place place = e->element[i].type->place;
        if (place != PKM_AT_MARKER && place != PKM_BETWEEN_MARKERS) continue;
        marker[n++] = e->element[i].marker_b;
        if (place == PKM_BETWEEN_MARKERS) marker[n++] = e->element[i].marker_a;
    }
    for (int k = 0; k < e->n_flexible; ++k) {
        e->flexible[k].spec.turned = marker;
        e->flexible[k].spec.n_turned = n;
    }
    return PKM_OK;
}

/// No motion is followed, and something beside the links moves.
static bool swings_freely(const pkm_run* run)
{
    const pkm_sim_settings* s = &run->settings;
    bool is_held = true;
    for (int d = 0; d < run->robot->mech->n_drive; ++d)
        is_held = is_held && s->drive[d].kind == PKM_DRIVE_LOCKED;
    return s->motion == PKM_NONE && !is_held;
}

/// A robot that swings freely and changes on the way rings: there a tight tolerance would follow
/// what the explicit method was left for. Where a motion is followed, 1e-7 leaves noise in
/// accelerations; and where only links swing, the swing is what is asked for: of a link of 1 m that
/// swings by 1 um 1e-7 keeps nothing.
static double tolerance_on_the_way(const pkm_run* run)
{
    static const double SWINGING = 1e-7;
    const pkm_sim_settings* s = &run->settings;
    const double own = pkm_integrator_tolerance(s->when_stiff, s);
    return s->when_stiff != s->integrator && swings_freely(run) ? fmax(own, SWINGING) : own;
}

pkm_status pkm_run_complete(pkm_run* run, pkm_error* err)
{
    const pkm_description* desc = run->robot->desc;
    pkm_sim_settings* s = &run->settings;
    if (!run->has_motion) s->motion = desc->n_motion > 0 ? 0 : PKM_NONE;
    if (!run->has_end && s->motion != PKM_NONE)
        s->end_time = pkm_motion_duration(desc->motion[s->motion].motion);
    PKM_TRY(pkm_run_take_cycle(run, err));
    for (int i = 0; i < run->n_formula; ++i)
        if (pkm_formula_find_breaks(run->formula[i], s->end_time) != PKM_OK)
            return pkm_out_of_memory(err);
    PKM_TRY(fit_section(run, err));
    PKM_TRY(pkm_run_note_markers(run, err));
    // behind effects and duration, on which the choice rests
    if (!run->has_integrator) pkm_run_choose_integrator(run);
    for (int d = 0; d < run->robot->mech->n_drive; ++d) {
        if (!run->has_drive[d])
            s->drive[d].kind = s->motion == PKM_NONE ? PKM_DRIVE_FREE : PKM_DRIVE_PRESCRIBED;
        PKM_TRY(check_motion(run, d, err));
        run->effects.motor[d] = s->drive[d].has_motor ? &s->drive[d].motor : NULL;
    }
    s->stiff_tolerance = s->tolerance > 0.0 ? s->tolerance : tolerance_on_the_way(run);
    s->ringing = s->tolerance > 0.0 ? 0.0 : pkm_sim_ringing(s);
    if (s->tolerance == 0.0) s->tolerance = pkm_integrator_tolerance(s->integrator, s);
    return load_model(run, err);
}
