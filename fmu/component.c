#include "fmu/component.h"

#include "base/memory.h"
#include "fmu/component_impl.h"
#include "fmu/seed_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- the log ----------------------------------------------------------------------------------

component_status component_say(const component* c, component_status status, const char* category,
                               const char* format, ...)
{
    char text[1024];
    va_list arguments;
    if (!c->log || (status < COMPONENT_DISCARD && !c->is_talkative)) return status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    c->log(c->user, c->name ? c->name : "", status, category, text);
    return status;
}

component_status component_complain(component* c, const pkm_error* err)
{
    return component_say(c, COMPONENT_ERROR, "logStatusError", "%s%s%s", err->file,
                         err->file[0] ? ": " : "", err->text);
}

component_status component_require(const component* c, unsigned phases, const char* call)
{
    static const char* const words[] = {
        "after instantiation", "in initialisation mode", "in step mode",  "in event mode",
        "in continuous time",  "after termination",      "after an error"};
    int at = 0;
    if (!c) return COMPONENT_ERROR;
    if (c->phase & phases) return COMPONENT_OK;
    while (at < 6 && !(c->phase & (1u << at)))
        ++at;
    return component_say(c, COMPONENT_ERROR, "logStatusError", "%s: it is not allowed %s", call,
                         words[at]);
}

// ---- the robot --------------------------------------------------------------------------------

/// A number with its SI unit, as a model file has it.
static void write_value(const component* c, int i, char* out, size_t size)
{
    char number[PKM_NUMBER_SIZE];
    const char* unit = pkm_robot_parameter_unit(c->robot, i);
    pkm_number_format(c->parameter[i], number);
    snprintf(out, size, "%s %s", number, strcmp(unit, "1") == 0 ? "" : unit);
}

enum { VALUE_SIZE = 112 };

/// What was set at export, then by the importer: the later one rules.
static int list_overrides(const component* c, pkm_override* out, char (*text)[VALUE_SIZE])
{
    pkm_seed_item item;
    size_t at = 0;
    int n = 0;
    while (pkm_seed_next(pkm_fmu_seed, &at, &item))
        if (item.tag == PKM_SEED_SET) out[n++] = (pkm_override){item.name, item.bytes};
    for (int i = 0; i < c->n_parameter; ++i) {
        if (!c->is_set[i]) continue;
        write_value(c, i, text[i], VALUE_SIZE);
        out[n++] = (pkm_override){pkm_robot_parameter_name(c->robot, i), text[i]};
    }
    return n;
}

static int count_items(void)
{
    pkm_seed_item item;
    size_t at = 0;
    int n = 0;
    while (pkm_seed_next(pkm_fmu_seed, &at, &item))
        ++n;
    return n;
}

static pkm_status assemble(const component* c, pkm_robot** out, pkm_error* err)
{
    pkm_seed_item item;
    size_t at = 0;
    const size_t room = (size_t)count_items() + (size_t)c->n_parameter;
    pkm_override* set = pkm_alloc(room, sizeof *set);
    char(*text)[VALUE_SIZE] = pkm_alloc((size_t)c->n_parameter + 1, sizeof *text);
    pkm_status status = set && text ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    bool found = false;
    while (status == PKM_OK && !found && pkm_seed_next(pkm_fmu_seed, &at, &item))
        found = item.tag == PKM_SEED_MODEL;
    if (status == PKM_OK && !found)
        status = pkm_fail(err, PKM_ERR_MODEL, "no robot was planted in this library");
    if (status == PKM_OK)
        status =
            pkm_robot_parse(item.bytes, item.name, set, list_overrides(c, set, text), out, err);
    pkm_free(set);
    pkm_free(text);
    return status;
}

/// Let the run last as long as the experiment.
static pkm_status choose_end(component* c, pkm_run* run, pkm_error* err)
{
    const char* end = pkm_seed_property(pkm_fmu_seed, "end");
    const double length = c->stop - c->start;
    if (isnan(c->stop) || !end || !(length > strtod(end, NULL))) return PKM_OK;
    char number[PKM_NUMBER_SIZE], text[PKM_NUMBER_SIZE + 4];
    pkm_number_format(length, number);
    snprintf(text, sizeof text, "%s s", number);
    char* tree = pkm_tree_write_text(text);
    if (!tree) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const pkm_status status = pkm_run_choose(run, "for", tree, err);
    pkm_free(tree);
    return status;
}

static pkm_status choose_run(component* c, const pkm_robot* robot, pkm_run** out, pkm_error* err)
{
    pkm_seed_item item;
    size_t at = 0;
    pkm_status status = pkm_run_create(robot, out, err);
    while (status == PKM_OK && pkm_seed_next(pkm_fmu_seed, &at, &item)) {
        if (item.tag == PKM_SEED_RUN) status = pkm_run_parse(*out, item.bytes, item.name, err);
        if (item.tag == PKM_SEED_CHOICE) status = pkm_run_choose(*out, item.name, item.bytes, err);
    }
    return status == PKM_OK ? choose_end(c, *out, err) : status;
}

// ---- beginning and end ------------------------------------------------------------------------

static double property(const char* name)
{
    const char* text = pkm_seed_property(pkm_fmu_seed, name);
    return text ? strtod(text, NULL) : 0.0;
}

/// Values before anybody has set any: those of modelDescription.xml.
static void take_starts(component* c)
{
    for (int i = 0; i < c->n_parameter; ++i) {
        c->parameter[i] = pkm_robot_parameter_value(c->robot, i);
        c->is_set[i] = false;
    }
    for (int d = 0; d < c->n_drive; ++d) {
        c->force[d] = c->velocity[d] = c->acceleration[d] = 0.0;
        // NaN: it follows none
        c->position[d] = c->references >> d & 1u ? pkm_robot_drive_home(c->robot, d) : NAN;
    }
    for (int i = 0; i < 6; ++i) {
        char name[32];
        snprintf(name, sizeof name, "wrench%d", i);
        c->wrench[i] = property(name);
    }
    for (int i = 0; i < c->n_signal; ++i) {
        char name[32];
        snprintf(name, sizeof name, "signal%d", i);
        c->signal[i] = property(name);
    }
    c->start = c->time = 0.0;
    c->stop = NAN;
    c->is_changed = c->has_row = c->is_stale = false;
    c->phase = AT_START;
}

static pkm_status begin(component* c, pkm_error* err)
{
    PKM_TRY(assemble(c, &c->robot, err));
    c->n_parameter = pkm_robot_n_parameter(c->robot);
    c->n_drive = pkm_robot_n_drive(c->robot);
    c->references = (unsigned)property("references");
    c->n_state = c->is_exchange ? (int)property("states") : 0;
    c->parameter = pkm_alloc((size_t)c->n_parameter, sizeof *c->parameter);
    c->is_set = pkm_alloc((size_t)c->n_parameter, sizeof *c->is_set);
    c->n_signal = (int)property("signals");
    c->signal = pkm_alloc((size_t)c->n_signal + 1, sizeof *c->signal);
    if (!c->parameter || !c->is_set || !c->signal)
        return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    take_starts(c);
    return PKM_OK;
}

static bool fits(const component* c, const component_spec* spec)
{
    const char* token = pkm_seed_property(pkm_fmu_seed, "token");
    const char* kind = spec->is_exchange ? "exchange" : "steps";
    if (!token || !spec->token || strcmp(token, spec->token) != 0) {
        component_say(c, COMPONENT_ERROR, "logStatusError",
                      "instantiation: modelDescription.xml and library are not of one FMU: their "
                      "tokens differ");
        return false;
    }
    if (property(kind) > 0.0) return true;
    component_say(c, COMPONENT_ERROR, "logStatusError",
                  "instantiation: this FMU was not exported for %s",
                  spec->is_exchange ? "model exchange" : "co-simulation");
    return false;
}

component* component_create(const component_spec* spec)
{
    component* c = pkm_alloc(1, sizeof *c);
    pkm_error err = {.status = PKM_OK};
    if (!c) return NULL;
    c->log = spec->log;
    c->user = spec->user;
    c->is_talkative = spec->is_talkative;
    c->is_exchange = spec->is_exchange;
    c->may_end_early = spec->may_end_early;
    c->name = pkm_alloc(strlen(spec->name) + 1, 1);
    bool is_good = c->name != NULL;
    if (is_good) strcpy(c->name, spec->name);
    is_good = is_good && fits(c, spec);
    if (is_good && begin(c, &err) != PKM_OK) {
        component_complain(c, &err);
        is_good = false;
    }
    if (is_good) {
        c->interface = spec->interface;
        return c;
    }
    component_free(c);
    return NULL;
}

void component_end_simulation(component* c)
{
    pkm_simulation_free(c->sim);
    pkm_run_free(c->run);
    pkm_free(c->row);
    pkm_free(c->x);
    pkm_free(c->rate);
    c->sim = NULL;
    c->run = NULL;
    c->row = c->x = c->rate = NULL;
    c->has_row = c->has_rate = c->is_moved = false;
}

void component_free(component* c)
{
    if (!c) return;
    component_end_simulation(c);
    pkm_robot_free(c->robot);
    pkm_free(c->parameter);
    pkm_free(c->is_set);
    pkm_free(c->signal);
    pkm_free(c->name);
    pkm_free(c->interface);
    pkm_free(c);
}

// ---- phases -----------------------------------------------------------------------------------

component_status component_setup(component* c, double start, double stop)
{
    if (!isfinite(start) || (!isnan(stop) && !(stop >= start)))
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "experiment: from %g s to %g s, expected a start before a stop", start,
                             stop);
    c->start = c->time = start;
    c->stop = stop;
    return COMPONENT_OK;
}

/// The robot with the parameters that were set; without any it stands there already.
static pkm_status assemble_again(component* c, pkm_error* err)
{
    pkm_robot* robot = NULL;
    bool any = false;
    for (int i = 0; i < c->n_parameter; ++i)
        any = any || c->is_set[i];
    if (!any) return PKM_OK;
    PKM_TRY(assemble(c, &robot, err));
    pkm_robot_free(c->robot);
    c->robot = robot;
    for (int i = 0; i < c->n_parameter; ++i)
        c->parameter[i] = pkm_robot_parameter_value(robot, i);
    return PKM_OK;
}

/// What the FMU was described with must still be there: values may change, the structure may not.
static pkm_status check_structure(const component* c, pkm_error* err)
{
    if (c->n_column == (int)property("columns") &&
        pkm_robot_n_parameter(c->robot) == c->n_parameter &&
        pkm_robot_n_drive(c->robot) == c->n_drive && pkm_simulation_n_input(c->sim) == c->n_signal)
        return PKM_OK;
    return pkm_fail(err, PKM_ERR_MODEL,
                    "with these parameters the robot has other outputs than at export (%d, not "
                    "%g): export it with them",
                    c->n_column, property("columns"));
}

static pkm_status begin_simulation(component* c, pkm_error* err)
{
    PKM_TRY(assemble_again(c, err));
    PKM_TRY(choose_run(c, c->robot, &c->run, err));
    PKM_TRY(pkm_simulation_create(c->robot, c->run, &c->sim, err));
    c->n_column = pkm_simulation_n_column(c->sim);
    PKM_TRY(check_structure(c, err));
    c->row = pkm_alloc((size_t)c->n_column, sizeof *c->row);
    if (!c->row) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return c->is_exchange ? component_begin_exchange(c, err) : PKM_OK;
}

component_status component_enter_initialisation(component* c)
{
    pkm_error err = {.status = PKM_OK};
    if (begin_simulation(c, &err) != PKM_OK) {
        component_end_simulation(c);
        c->phase = FAILED;
        return component_complain(c, &err);
    }
    c->is_changed = true;
    c->phase = INITIALISING;
    return COMPONENT_OK;
}

component_status component_refresh(component* c)
{
    if (!c->is_stale) return COMPONENT_OK;
    c->is_stale = false;
    component_end_simulation(c);
    return component_enter_initialisation(c);
}

component_status component_exit_initialisation(component* c)
{
    if (component_refresh(c) != COMPONENT_OK) return COMPONENT_ERROR;
    c->phase = c->is_exchange ? AT_EVENT : STEPPING;
    for (int i = 0; i < pkm_simulation_n_warning(c->sim); ++i)
        component_say(c, COMPONENT_WARNING, "logStatusWarning", "%s",
                      pkm_simulation_warning(c->sim, i));
    return COMPONENT_OK;
}

component_status component_reset(component* c)
{
    pkm_error err = {.status = PKM_OK};
    pkm_robot* robot = NULL;
    component_end_simulation(c);
    for (int i = 0; i < c->n_parameter; ++i)
        c->is_set[i] = false;
    if (assemble(c, &robot, &err) != PKM_OK) {
        c->phase = FAILED;
        return component_complain(c, &err);
    }
    pkm_robot_free(c->robot);
    c->robot = robot;
    take_starts(c);
    return COMPONENT_OK;
}

// ---- inputs to the simulation, steps ----------------------------------------------------------

pkm_status component_hand_over(component* c, pkm_error* err)
{
    const double* w = c->wrench;
    if (!c->is_changed) return PKM_OK;
    PKM_TRY(pkm_simulation_set_forces(c->sim, c->force, err));
    PKM_TRY(pkm_simulation_set_wrench(c->sim, (pkm_vec3){w[0], w[1], w[2]},
                                      (pkm_vec3){w[3], w[4], w[5]}, err));
    for (int i = 0; i < c->n_signal; ++i)
        PKM_TRY(pkm_simulation_set_input(c->sim, pkm_simulation_input_name(c->sim, i), c->signal[i],
                                         err));
    if (c->references)
        PKM_TRY(
            pkm_simulation_set_references(c->sim, c->position, c->velocity, c->acceleration, err));
    c->is_changed = false;
    return PKM_OK;
}

static pkm_status step(component* c, double dt, pkm_error* err)
{
    bool early;
    PKM_TRY(component_hand_over(c, err));
    return c->may_end_early ? pkm_simulation_step_to_event(c->sim, dt, &early, err)
                            : pkm_simulation_step(c->sim, dt, err);
}

component_status component_step(component* c, double t, double dt, double* reached)
{
    // times that masters add up are near, not equal
    static const double SAME = 1e-9;
    const double near = SAME * (1.0 + fabs(t));
    pkm_error err = {.status = PKM_OK};
    *reached = c->time;
    if (!(fabs(t - c->time) <= near) || !(dt > 0.0) || !isfinite(dt))
        return component_say(c, COMPONENT_ERROR, "logStatusError",
                             "step: from t = %.9g s by %g s, expected from t = %.9g s by more than "
                             "nothing",
                             t, dt, c->time);
    if (step(c, t + dt - c->time > 0.0 ? t + dt - c->time : dt, &err) != PKM_OK) {
        c->time = c->start + pkm_simulation_time(c->sim);
        c->has_row = false;
        *reached = c->time;
        if (err.status != PKM_ERR_ARGUMENT) c->phase = FAILED;
        return component_complain(c, &err);
    }
    c->time = c->start + pkm_simulation_time(c->sim);
    c->has_row = false;
    *reached = c->time;
    return COMPONENT_OK;
}
