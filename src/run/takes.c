// Which effects an analysis takes, and the sentence for those it does not: one table, from which
// refusals, `pkm effects` and the reference page come.
#include "run/takes.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

// ---- the analyses -----------------------------------------------------------------------------

static bool by_closed_form(const pkm_run* run)
{
    return run->asked.method == PKM_METHOD_CLOSED;
}

static bool is_seated(const pkm_run* run)
{
    return pkm_simulate_analysis(&run->effects) == PKM_ANALYSIS_SEATED;
}

static bool is_weighted(const pkm_run* run)
{
    return run->asked.weight;
}

/// The one list: how people call an analysis, which task it answers, and when it is the one of its
/// task that does (NULL: when none below does). Of a task its first row has the name.
static const struct {
    const char* name;
    pkm_task_kind task; ///< 0: none
    bool (*answers)(const pkm_run* run);
} analysis[PKM_N_ANALYSIS] = {
    [PKM_ANALYSIS_INVERSE] = {"pkm inverse", PKM_TASK_INVERSE},
    [PKM_ANALYSIS_INVERSE_CLOSED] = {"pkm inverse --method closed", PKM_TASK_INVERSE,
                                     by_closed_form},
    [PKM_ANALYSIS_COMPARE] = {"pkm compare"},
    [PKM_ANALYSIS_SIMULATE] = {"pkm simulate", PKM_TASK_SIMULATE},
    [PKM_ANALYSIS_SEATED] = {"pkm simulate (seated)", PKM_TASK_SIMULATE, is_seated},
    [PKM_ANALYSIS_ENVELOPE] = {"pkm envelope", PKM_TASK_ENVELOPE},
    [PKM_ANALYSIS_MODES] = {"pkm modes", PKM_TASK_MODES},
    [PKM_ANALYSIS_MODES_WEIGHTED] = {"pkm modes --weight", PKM_TASK_MODES, is_weighted},
    [PKM_ANALYSIS_STIFFNESS] = {"pkm stiffness", PKM_TASK_STIFFNESS},
    [PKM_ANALYSIS_STIFFNESS_WEIGHTED] = {"pkm stiffness --weight", PKM_TASK_STIFFNESS, is_weighted},
    [PKM_ANALYSIS_ELASTODYNAMICS] = {"pkm elastodynamics", PKM_TASK_ELASTODYNAMICS},
    [PKM_ANALYSIS_WORKSPACE] = {"pkm workspace", PKM_TASK_WORKSPACE},
    [PKM_ANALYSIS_MOTORS] = {"pkm motors"},
    [PKM_ANALYSIS_FASTEST] = {"pkm fastest"},
    [PKM_ANALYSIS_MATRICES] = {"pkm matrices"},
    [PKM_ANALYSIS_CODE] = {"pkm export c"},
    [PKM_ANALYSIS_FMU] = {"pkm export fmu"},
    [PKM_ANALYSIS_KUO] = {"frequencies as Kuo published them"},
};

const char* pkm_analysis_name(pkm_analysis a)
{
    return analysis[a].name;
}

const char* pkm_analysis_words(pkm_analysis a)
{
    const char* name = analysis[a].name;
    return strncmp(name, "pkm ", 4) == 0 ? name + 4 : name;
}

const char* pkm_task_name(pkm_task_kind kind)
{
    for (int a = 0; a < PKM_N_ANALYSIS; ++a)
        // the first row of a task has its name; those below answer it in special cases
        if (kind && analysis[a].task == kind) return pkm_analysis_words((pkm_analysis)a);
    return kind == PKM_TASK_STUDY ? "study" : NULL;
}

pkm_task_kind pkm_task_find(const char* name)
{
    // tasks are bits, so that keys can belong to several
    for (unsigned kind = 1; kind <= PKM_TASK_STUDY; kind *= 2)
        if (strcmp(pkm_task_name((pkm_task_kind)kind), name) == 0) return (pkm_task_kind)kind;
    return (pkm_task_kind)0;
}

pkm_analysis pkm_analysis_of(pkm_task_kind kind, const pkm_run* run)
{
    pkm_analysis found = PKM_N_ANALYSIS;
    for (int a = 0; a < PKM_N_ANALYSIS; ++a)
        // later rows are special cases of earlier ones: the last that fits answers
        if (analysis[a].task == kind && (!analysis[a].answers || analysis[a].answers(run)))
            found = (pkm_analysis)a;
    return found;
}

// ---- is an effect chosen? ---------------------------------------------------------------------

static bool named(char* item, const char* name)
{
    snprintf(item, PKM_MAX_NAME, "%s", name);
    return true;
}

static bool has_friction(const pkm_choices* c, char* item)
{
    return c->effects && c->effects->n_friction > 0 &&
           named(item, c->robot->mech->joint[c->effects->friction[0].joint].name);
}

/// Fidelities are effects of their own: contacts are for one analysis, seats for another.
static bool has_clearance(const pkm_choices* c, int fidelity, char* item)
{
    for (int k = 0; c->effects && k < c->effects->n_clearance; ++k)
        if ((int)c->effects->clearance[k].clearance.fidelity == fidelity)
            return named(item, c->robot->mech->joint[c->effects->clearance[k].joint].name);
    return false;
}

static bool has_bearing_friction(const pkm_choices* c, char* item)
{
    for (int k = 0; c->effects && k < c->effects->n_clearance; ++k)
        if (c->effects->clearance[k].clearance.has_friction)
            return named(item, c->robot->mech->joint[c->effects->clearance[k].joint].name);
    return false;
}

static bool has_link(const pkm_choices* c, bool outside, char* item)
{
    for (int k = 0; c->effects && k < c->effects->n_flexible; ++k)
        if ((c->effects->flexible[k].spec.outside != NULL) == outside)
            return named(item, c->robot->desc->body[c->effects->flexible[k].body].name);
    return false;
}

static bool has_flexible(const pkm_choices* c, char* item)
{
    return has_link(c, false, item);
}

static bool has_imported(const pkm_choices* c, char* item)
{
    return has_link(c, true, item);
}

static bool has_pieces(const pkm_choices* c, char* item)
{
    for (int k = 0; c->effects && k < c->effects->n_flexible; ++k)
        if (pkm_flexible_is_in_pieces(&c->effects->flexible[k].spec))
            return named(item, c->robot->desc->body[c->effects->flexible[k].body].name);
    return false;
}

static bool is_constant(const pkm_element* e)
{
    const pkm_load* load = (const void*)e->data;
    for (int i = 0; i < 3; ++i)
        if (load->force[i].kind != PKM_SIGNAL_CONSTANT ||
            load->torque[i].kind != PKM_SIGNAL_CONSTANT)
            return false;
    return true;
}

static bool is_released(const pkm_element* e)
{
    const pkm_load* load = (const void*)e->data;
    for (int i = 0; i < 3; ++i)
        if (pkm_signal_is_released(&load->force[i]) || pkm_signal_is_released(&load->torque[i]))
            return true;
    return false;
}

/// What analyses make of an element: a new one belongs to a row by what its type says.
static pkm_run_effect row_of(const pkm_element* e)
{
    // in this order: a cable is one-sided whatever it lies between, a force of a program has no
    // word in files
    if (e->type->place == PKM_AT_MARKER)
        return is_constant(e) ? PKM_EFFECT_LOAD : PKM_EFFECT_CHANGING_LOAD;
    if (!e->type->word) return PKM_EFFECT_PROGRAM;
    if (e->type->is_one_sided) return PKM_EFFECT_ONE_SIDED;
    if (e->type->place == PKM_ON_COORDINATE) return PKM_EFFECT_JOINT_SPRING;
    return e->type->twists ? PKM_EFFECT_BUSHING : PKM_EFFECT_SPRING;
}

static bool has_element(const pkm_choices* c, int row, char* item)
{
    for (int i = 0; c->effects && i < c->effects->n_element; ++i)
        if ((int)row_of(&c->effects->element[i]) == row)
            return named(item, c->effects->element[i].name);
    return false;
}

static bool has_released_load(const pkm_choices* c, char* item)
{
    for (int i = 0; c->effects && i < c->effects->n_element; ++i) {
        const pkm_element* e = &c->effects->element[i];
        // beside its row by kind: to let go at the start is an effect of its own
        if (e->type->place == PKM_AT_MARKER && is_released(e)) return named(item, e->name);
    }
    return false;
}

enum { TOOL_FORCE, TOOL_TORQUE };

static bool has_tool(const pkm_choices* c, int which, char* item)
{
    if (!c->settings) return false;
    const pkm_vec3 v = which == TOOL_FORCE ? c->settings->tool_force : c->settings->tool_torque;
    if (v.x == 0.0 && v.y == 0.0 && v.z == 0.0) return false;
    snprintf(item, PKM_MAX_NAME, "%g, %g, %g", v.x, v.y, v.z);
    return true;
}

static bool bends(const pkm_choices* c, const pkm_carried* carried)
{
    // is the body that carries it flexible in this run?
    const int body = c->robot->desc->marker[carried->marker].body;
    for (int k = 0; k < c->effects->n_flexible; ++k)
        if (c->effects->flexible[k].body == body) return true;
    return false;
}

enum { STAYS, PASSES, ON_FLEXIBLE };

/// A payload on a rigid body, there all the time or not, or on one that bends.
static bool has_carried(const pkm_choices* c, int which, char* item)
{
    const bool on_flexible = which == ON_FLEXIBLE, passes = which == PASSES;
    for (int i = 0; c->effects && i < c->effects->n_carried; ++i) {
        const pkm_carried* carried = &c->effects->carried[i];
        // no times of a sequence, picked up before the start and never dropped: a mass like any
        // other
        const bool stays = carried->payload.n_time == 0 && carried->payload.pick_up <= 0.0 &&
                           !(carried->payload.drop < HUGE_VAL);
        // on a link that bends a payload is refused whether it stays or not
        if (bends(c, carried) != on_flexible || (!on_flexible && stays == passes)) continue;
        return named(item, carried->name);
    }
    return false;
}

static bool has_motor(const pkm_choices* c, char* item)
{
    for (int d = 0; c->settings && d < c->robot->mech->n_drive; ++d)
        if (c->settings->drive[d].has_motor) return named(item, c->robot->mech->drive[d].name);
    return false;
}

static bool has_backlash(const pkm_choices* c, char* item)
{
    for (int d = 0; c->settings && d < c->robot->mech->n_drive; ++d)
        if (c->settings->drive[d].coupling.stiffness > 0.0)
            return named(item, c->robot->mech->drive[d].name);
    return false;
}

static bool has_kind(const pkm_choices* c, int kind, char* item)
{
    for (int d = 0; c->settings && d < c->robot->mech->n_drive; ++d)
        // what pkm_run_complete has filled in is no choice of anybody
        if ((int)c->settings->drive[d].kind == kind && (!c->has_drive || c->has_drive[d]))
            return named(item, c->robot->mech->drive[d].name);
    return false;
}

static bool has_controller(const pkm_choices* c, char* item)
{
    return c->settings && c->settings->program.control && named(item, "controller");
}

static bool has_model(const pkm_choices* c, char* item)
{
    return c->has_model && named(item, c->robot->desc->name);
}

static bool has_hold(const pkm_choices* c, int hold, char* item)
{
    for (int d = 0; c->hold && d < c->robot->mech->n_drive; ++d)
        if ((int)c->hold[d].hold == hold) return named(item, c->robot->mech->drive[d].name);
    return false;
}

static bool has_start_rate(const pkm_choices* c, char* item)
{
    return c->settings && c->settings->n_start > 0 &&
           named(item, c->robot->mech->joint[c->settings->start_joint[0]].name);
}

static bool has_undeformed(const pkm_choices* c, char* item)
{
    return c->settings && c->settings->undeformed && named(item, "start");
}

static bool has_start_modes(const pkm_choices* c, char* item)
{
    for (int k = 0; c->effects && k < c->effects->n_flexible; ++k)
        if (c->effects->flexible[k].spec.n_start > 0)
            return named(item, c->robot->desc->body[c->effects->flexible[k].body].name);
    return false;
}

static bool has_idle(const pkm_choices* c, char* item)
{
    return c->settings && c->settings->idle == PKM_IDLE_INTEGRATE && named(item, "idle");
}

// ---- the table --------------------------------------------------------------------------------

/// Taken '+' or refused '-', in the order of pkm_analysis: inverse, closed, compare | simulate,
/// seated, envelope | modes, modes --weight, stiffness, stiffness --weight, elastodynamics |
/// workspace, motors, fastest, matrices | export c, export fmu | Kuo.
#define ONE(chosen)    chosen, NULL, 0
#define OF(one, which) NULL, one, which
// clang-format off
static const struct {
    const char takes[PKM_N_ANALYSIS + 1];
    const char *name, *key;
    bool (*is_chosen)(const pkm_choices* c, char* item);
    bool (*has_one)(const pkm_choices* c, int which, char* item); // instead, one of several alike
    int which;
} effect[PKM_N_EFFECT] = {
    {"+--" "+--" "-----" "-+--" "-+" "-", "friction in joints", "friction", ONE(has_friction)},
    {"---" "+-+" "-----" "----" "-+" "-", "clearance with contacts", "clearance", OF(has_clearance, PKM_FIDELITY_CONTACT)},
    {"---" "-++" "-----" "----" "--" "-", "clearance, seated", "clearance", OF(has_clearance, PKM_FIDELITY_SEATED)},
    {"---" "--+" "-----" "----" "--" "-", "clearance, envelope", "clearance", OF(has_clearance, PKM_FIDELITY_ENVELOPE)},
    {"---" "+--" "-----" "----" "-+" "-", "friction of clearances", "clearance.friction", ONE(has_bearing_friction)},
    {"---" "+--" "+++++" "----" "-+" "-", "flexible links", "flexible", ONE(has_flexible)},
    {"---" "+--" "++++-" "----" "-+" "-", "imported flexible bodies", "flexible.file", ONE(has_imported)},
    {"---" "+--" "-----" "----" "-+" "-", "flexible links in pieces", "flexible.pieces", ONE(has_pieces)},
    {"+--" "++-" "-+-++" "-+--" "-+" "-", "constant loads", "loads.force", OF(has_element, PKM_EFFECT_LOAD)},
    {"+--" "++-" "----+" "-+--" "-+" "-", "loads that change", "loads.force", OF(has_element, PKM_EFFECT_CHANGING_LOAD)},
    {"---" "+--" "-----" "----" "-+" "-", "loads released at the start", "loads.force: {released}", ONE(has_released_load)},
    {"+--" "++-" "+++++" "-+--" "-+" "-", "springs", "loads.spring", OF(has_element, PKM_EFFECT_SPRING)},
    {"+--" "++-" "+++++" "-+--" "-+" "-", "joint springs", "loads.joint", OF(has_element, PKM_EFFECT_JOINT_SPRING)},
    {"+--" "++-" "+++++" "-+--" "-+" "-", "bushings", "loads.bushing", OF(has_element, PKM_EFFECT_BUSHING)},
    {"+--" "++-" "++++-" "-+--" "-+" "-", "cables", "loads.cable", OF(has_element, PKM_EFFECT_ONE_SIDED)},
    {"+--" "+--" "-----" "----" "--" "-", "forces of a program", "pkm_run_add_force", OF(has_element, PKM_EFFECT_PROGRAM)},
    {"+++" "++-" "-++++" "-+++" "++" "-", "tool force", "tool_force", OF(has_tool, TOOL_FORCE)},
    {"+++" "++-" "-++++" "-+++" "++" "-", "tool torque", "tool_torque", OF(has_tool, TOOL_TORQUE)},
    {"+--" "++-" "+++++" "-+--" "-+" "-", "payloads", "payload", OF(has_carried, STAYS)},
    {"+--" "++-" "-----" "-+--" "-+" "-", "payloads that come or go", "payload", OF(has_carried, PASSES)},
    {"---" "---" "-----" "----" "--" "-", "payloads on flexible links", "payload", OF(has_carried, ON_FLEXIBLE)},
    {"++-" "+--" "-----" "----" "-+" "-", "motors, gears, belts and screws", "drives.motor", ONE(has_motor)},
    {"---" "+--" "-----" "----" "-+" "-", "backlash and elastic belts", "drives.backlash, belt", ONE(has_backlash)},
    {"---" "+--" "++++-" "----" "-+" "-", "locked drives", "drives: locked", OF(has_kind, PKM_DRIVE_LOCKED)},
    {"---" "+--" "-----" "----" "-+" "-", "free drives", "drives: free", OF(has_kind, PKM_DRIVE_FREE)},
    {"---" "+--" "-----" "----" "-+" "-", "forces played back", "drives: playback", OF(has_kind, PKM_DRIVE_PLAYBACK)},
    {"---" "+--" "-----" "----" "-+" "-", "given drive forces", "drives.force", OF(has_kind, PKM_DRIVE_FORCE)},
    {"---" "+--" "-----" "----" "-+" "-", "controllers", "drives.pd, pid, computed_torque", OF(has_kind, PKM_DRIVE_SERVO)},
    {"---" "+--" "-----" "----" "--" "-", "a controller of a program", "pkm_run_set_controller", ONE(has_controller)},
    {"---" "+--" "-----" "----" "-+" "-", "the model of the controllers", "model", ONE(has_model)},
    {"---" "---" "+++++" "----" "--" "-", "elastic drives", "hold: {stiffness}", OF(has_hold, PKM_ELASTIC_SPRING)},
    {"---" "---" "++++-" "----" "--" "-", "drives that do not hold", "hold: free", OF(has_hold, PKM_ELASTIC_FREE)},
    {"---" "+--" "-----" "----" "-+" "-", "rates and offsets at the start", "start: {JOINT}", ONE(has_start_rate)},
    {"---" "+--" "----+" "----" "-+" "-", "an undeformed start", "start: undeformed", ONE(has_undeformed)},
    {"---" "+--" "-----" "----" "-+" "-", "links that begin bent", "flexible.start", ONE(has_start_modes)},
    {"+--" "+--" "-----" "-+--" "-+" "-", "idle freedoms that move", "idle: integrate", ONE(has_idle)},
};
// clang-format on
#undef ONE
#undef OF

const char* pkm_effect_name(pkm_run_effect e)
{
    return effect[e].name;
}

const char* pkm_effect_key(pkm_run_effect e)
{
    return effect[e].key;
}

bool pkm_analysis_takes(pkm_analysis a, pkm_run_effect e)
{
    return effect[e].takes[a] == '+';
}

bool pkm_choices_have(const pkm_choices* choices, pkm_run_effect e, char* item)
{
    return effect[e].has_one ? effect[e].has_one(choices, effect[e].which, item)
                             : effect[e].is_chosen(choices, item);
}

// ---- asking it --------------------------------------------------------------------------------

/// "pkm simulate, pkm modes".
static void list_takers(pkm_run_effect e, char* out, size_t size)
{
    int n = 0;
    out[0] = 0;
    for (int a = 0; a < PKM_N_ANALYSIS; ++a) {
        if (!pkm_analysis_takes((pkm_analysis)a, e)) continue;
        const size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", n++ ? ", " : "",
                 pkm_analysis_name((pkm_analysis)a));
    }
    if (n == 0) snprintf(out, size, "no analysis, expected it in the model"); // payloads
}

pkm_status pkm_choices_require(const pkm_choices* choices, pkm_analysis a, pkm_error* err)
{
    // the first that is refused is told: who removes it hears of the next
    for (int e = 0; e < PKM_N_EFFECT; ++e) {
        char item[PKM_MAX_NAME], takers[400];
        if (pkm_analysis_takes(a, (pkm_run_effect)e)) continue;
        if (!pkm_choices_have(choices, (pkm_run_effect)e, item)) continue;
        list_takers((pkm_run_effect)e, takers, sizeof takers);
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s (%s): %s does not take %s; taken by %s",
                        effect[e].key, item, pkm_analysis_name(a), effect[e].name, takers);
    }
    return PKM_OK;
}

pkm_status pkm_run_require(const pkm_run* run, pkm_analysis a, pkm_error* err)
{
    const pkm_choices choices = {.robot = run->robot,
                                 .effects = &run->effects,
                                 .settings = &run->settings,
                                 .hold = run->hold,
                                 .has_drive = run->has_drive,
                                 .has_model = run->n_model_set > 0};
    PKM_TRY(pkm_choices_require(&choices, a, err));
    const bool writes =
        a == PKM_ANALYSIS_INVERSE || a == PKM_ANALYSIS_SIMULATE || a == PKM_ANALYSIS_FMU;
    if (writes || run->columns.n == 0) return PKM_OK;
    return pkm_fail(
        err, PKM_ERR_ARGUMENT, "columns (%.60s): %s has no columns to ask for; taken by %s, %s",
        run->columns.wish[0].name, pkm_analysis_name(a), pkm_analysis_name(PKM_ANALYSIS_INVERSE),
        pkm_analysis_name(PKM_ANALYSIS_SIMULATE));
}

pkm_analysis pkm_simulate_analysis(const pkm_effects* effects)
{
    const bool seated = effects && effects->n_clearance > 0 &&
                        effects->clearance[0].clearance.fidelity == PKM_FIDELITY_SEATED;
    return seated ? PKM_ANALYSIS_SEATED : PKM_ANALYSIS_SIMULATE;
}
