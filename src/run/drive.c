#include "base/error.h"
#include "base/pattern.h"
#include "run/run_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const mode_words[] = {"prescribed", "locked", "free", "playback",
                                         NULL}; // in the order of pkm_drive_mode
static const char* const plan_keys[] = {"mode",  "force", "pd",       "pid", "computed_torque",
                                        "motor", "screw", "sampling", NULL};

/// What a drive's numbers are measured in.
typedef struct drive_units {
    pkm_dimension way, force;
} drive_units;

static drive_units units_of(const pkm_run_reader* rr, int d)
{
    const bool turns = rr->run->robot->mech->drive[d].is_rotary;
    return (drive_units){turns ? pkm_dim_angle : pkm_dim_length,
                         turns ? pkm_dim_torque : pkm_dim_force};
}

static pkm_dimension per_time(pkm_dimension a, int power)
{
    for (; power > 0; --power)
        a = pkm_dimension_mul(a, pkm_dim_time, -1);
    for (; power < 0; ++power)
        a = pkm_dimension_mul(a, pkm_dim_time, 1);
    return a;
}

/// Strip the item's name from a complaint of a check.
static pkm_status report(const pkm_run_reader* rr, const pkm_yaml* node, pkm_status status,
                         const pkm_error* inner)
{
    if (status == PKM_OK) return PKM_OK;
    const char* colon = strstr(inner->text, ": ");
    return pkm_reader_fail_key(&rr->r, node, "%s", colon ? colon + 2 : inner->text);
}

// ---- controllers ------------------------------------------------------------------------------

/// A frequency in rad/s or Hz; bare numbers are rad/s.
static pkm_status read_frequency(const pkm_run_reader* rr, const pkm_yaml* node, double* out)
{
    const pkm_dimension hertz = {0, 0, -2, 0};
    pkm_quantity value;
    PKM_TRY(pkm_reader_quantity(&rr->r, node, NULL, PKM_RANGE_POSITIVE, &value));
    *out = value.value;
    if (value.kind != PKM_UNIT_KNOWN) return PKM_OK;
    if (pkm_dimension_equal(value.dimension, hertz)) *out *= 2.0 * acos(-1.0);
    if (pkm_dimension_equal(value.dimension, hertz) ||
        pkm_dimension_equal(value.dimension, pkm_dim_angular_velocity))
        return PKM_OK;
    return pkm_reader_fail(&rr->r, node, "%.40s is %s, expected a frequency in Hz or rad/s",
                           node->text, pkm_dimension_name(value.dimension).text);
}

/// `frequency`, `damping` (0.7 .. 1 is usual; 1 when not given) and, but for computed torque,
/// `mass` instead of gains.
static pkm_status read_tuning(const pkm_run_reader* rr, const pkm_yaml* node, int d,
                              pkm_controller* c)
{
    const pkm_yaml *frequency = pkm_yaml_get(node, "frequency"), *mass = pkm_yaml_get(node, "mass");
    double w = 0.0, damping = 1.0, m = 1.0;
    PKM_TRY(read_frequency(rr, frequency, &w));
    PKM_TRY(pkm_reader_optional(&rr->r, pkm_yaml_get(node, "damping"), pkm_dim_one,
                                PKM_RANGE_POSITIVE, &damping));
    const bool turns = rr->run->robot->mech->drive[d].is_rotary;
    if (c->kind != PKM_CONTROLLER_COMPUTED_TORQUE && !mass)
        return pkm_reader_fail_key(&rr->r, node, "the key 'mass' is missing; 'frequency' needs it");
    if (mass)
        PKM_TRY(pkm_reader_number(&rr->r, mass, turns ? pkm_dim_inertia : pkm_dim_mass,
                                  PKM_RANGE_POSITIVE, &m));
    const pkm_controller tuned = pkm_controller_tune(c->kind, m, w, damping);
    c->kp = tuned.kp;
    c->kd = tuned.kd;
    c->ki = tuned.ki;
    return PKM_OK;
}

static pkm_status read_gains(const pkm_run_reader* rr, const pkm_yaml* node, int d,
                             pkm_controller* c)
{
    const drive_units u = units_of(rr, d);
    const bool torque = c->kind == PKM_CONTROLLER_COMPUTED_TORQUE;
    const pkm_dimension kp =
        torque ? per_time(pkm_dim_one, 2) : pkm_dimension_mul(u.force, u.way, -1);
    const pkm_run_number number[] = {
        {"kp", kp, PKM_RANGE_NOT_NEGATIVE, &c->kp},
        {"kd", per_time(kp, -1), PKM_RANGE_NOT_NEGATIVE, &c->kd},
        {"ki", per_time(kp, 1), PKM_RANGE_NOT_NEGATIVE, &c->ki},
        {"velocity_feedforward", per_time(kp, -1), PKM_RANGE_ANY, &c->velocity_feedforward},
        {"acceleration_feedforward", per_time(kp, -2), PKM_RANGE_ANY, &c->acceleration_feedforward},
        {"limit", u.force, PKM_RANGE_POSITIVE, &c->force_limit},
        {"tracking_time", pkm_dim_time, PKM_RANGE_POSITIVE, &c->tracking_time},
        {.key = NULL}};
    return pkm_run_read_numbers(rr, node, number);
}

static pkm_status read_controller(pkm_run_reader* rr, const pkm_yaml* node, int d,
                                  pkm_controller_kind kind, pkm_drive_plan* out)
{
    static const char* const pd[] = {"kp",
                                     "kd",
                                     "velocity_feedforward",
                                     "acceleration_feedforward",
                                     "frequency",
                                     "limit",
                                     "damping",
                                     "mass",
                                     "gravity",
                                     "model",
                                     NULL};
    static const char* const pid[] = {"kp",
                                      "ki",
                                      "kd",
                                      "velocity_feedforward",
                                      "acceleration_feedforward",
                                      "frequency",
                                      "damping",
                                      "mass",
                                      "limit",
                                      "anti_windup",
                                      "tracking_time",
                                      NULL};
    static const char* const torque[] = {"kp",      "ki",    "kd",          "frequency",
                                         "damping", "limit", "anti_windup", "tracking_time",
                                         "model",   NULL};
    static const char* const windup[] = {"none", "clamping", "back-calculation", NULL};
    PKM_TRY(pkm_reader_keys(&rr->r, node,
                            kind == PKM_CONTROLLER_PD    ? pd
                            : kind == PKM_CONTROLLER_PID ? pid
                                                         : torque));
    bool gravity = false;
    PKM_TRY(pkm_run_read_flag(rr, pkm_yaml_get(node, "gravity"), &gravity));
    pkm_controller* c = &out->controller;
    *c = pkm_controller_defaults(gravity ? PKM_CONTROLLER_PD_GRAVITY : kind);
    const pkm_yaml *words = pkm_yaml_get(node, "anti_windup"), *model = pkm_yaml_get(node, "model");
    int which = c->anti_windup;
    if (words) PKM_TRY(pkm_reader_word(&rr->r, words, windup, &which));
    c->anti_windup = (pkm_anti_windup)which;
    if (pkm_yaml_get(node, "frequency")) PKM_TRY(read_tuning(rr, node, d, c));
    PKM_TRY(read_gains(rr, node, d, c));
    if (model) PKM_TRY(pkm_run_read_model(rr, model));
    out->mode = PKM_DRIVE_SERVO;
    pkm_error inner;
    return report(rr, node, pkm_controller_check(c, "controller", &inner), &inner);
}

// ---- motors -----------------------------------------------------------------------------------

static pkm_status read_motor(const pkm_run_reader* rr, const pkm_yaml* node, pkm_motor* m)
{
    static const char* const keys[] = {"rotor_inertia",        "gear_ratio",  "efficiency",
                                       "backdrive_efficiency", "viscous",     "coulomb",
                                       "torque_limit",         "speed_limit", "transition_speed",
                                       "winding_loss",         NULL};
    const pkm_dimension viscous = pkm_dimension_mul(pkm_dim_torque, pkm_dim_angular_velocity, -1);
    const pkm_dimension power = per_time(pkm_dim_torque, 1);
    const pkm_dimension winding =
        pkm_dimension_mul(pkm_dimension_mul(power, pkm_dim_torque, -1), pkm_dim_torque, -1);
    const pkm_range any = PKM_RANGE_NOT_NEGATIVE, positive = PKM_RANGE_POSITIVE;
    const pkm_run_number number[] = {
        {"rotor_inertia", pkm_dim_inertia, any, &m->rotor_inertia},
        {"gear_ratio", pkm_dim_one, positive, &m->gear_ratio},
        {"efficiency", pkm_dim_one, positive, &m->efficiency},
        {"backdrive_efficiency", pkm_dim_one, PKM_RANGE_ANY, &m->backdrive_efficiency},
        {"viscous", viscous, any, &m->viscous},
        {"coulomb", pkm_dim_torque, any, &m->coulomb},
        {"torque_limit", pkm_dim_torque, positive, &m->torque_limit},
        {"speed_limit", pkm_dim_angular_velocity, positive, &m->speed_limit},
        {"transition_speed", pkm_dim_angular_velocity, positive, &m->transition_speed},
        {"winding_loss", winding, any, &m->winding_loss},
        {.key = NULL}};
    PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
    return pkm_run_read_numbers(rr, node, number);
}

static pkm_status read_screw(const pkm_run_reader* rr, const pkm_yaml* node, int d, pkm_motor* m)
{
    static const char* const keys[] = {"!lead", "efficiency", NULL};
    const pkm_run_number number[] = {
        {"lead", pkm_dim_length, PKM_RANGE_POSITIVE, &m->screw_lead},
        {"efficiency", pkm_dim_one, PKM_RANGE_POSITIVE, &m->screw_efficiency},
        {.key = NULL}};
    if (rr->run->robot->mech->drive[d].is_rotary)
        return pkm_reader_fail_key(&rr->r, node, "%s turns, a screw drives what slides",
                                   rr->run->robot->mech->drive[d].name);
    PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
    return pkm_run_read_numbers(rr, node, number);
}

static pkm_status read_transmission(const pkm_run_reader* rr, const pkm_yaml* node, int d,
                                    pkm_drive_plan* out)
{
    const pkm_yaml *motor = pkm_yaml_get(node, "motor"), *screw = pkm_yaml_get(node, "screw");
    if (!motor && !screw) return PKM_OK;
    out->has_motor = true;
    out->motor = pkm_motor_defaults();
    if (motor) PKM_TRY(read_motor(rr, motor, &out->motor));
    if (screw) PKM_TRY(read_screw(rr, screw, d, &out->motor));
    pkm_error inner;
    return report(rr, motor ? motor : screw, pkm_motor_check(&out->motor, "motor", &inner), &inner);
}

/// `sampling: {rate: 1 kHz, delay: 0.5 ms}` or with `period`.
static pkm_status read_sampling(const pkm_run_reader* rr, const pkm_yaml* node, pkm_drive_plan* out)
{
    static const char* const keys[] = {"rate", "period", "delay", NULL};
    const pkm_yaml* sampling = pkm_yaml_get(node, "sampling");
    if (!sampling) return PKM_OK;
    PKM_TRY(pkm_reader_keys(&rr->r, sampling, keys));
    const pkm_yaml* rate = pkm_yaml_get(sampling, "rate");
    const pkm_yaml* period = pkm_yaml_get(sampling, "period");
    if (!rate == !period)
        return pkm_reader_fail_key(&rr->r, sampling, "expected one of the keys 'rate', 'period'");
    if (out->mode != PKM_DRIVE_SERVO)
        return pkm_reader_fail_key(&rr->r, sampling, "only controllers are sampled");
    double hertz = 0.0;
    if (rate)
        PKM_TRY(
            pkm_reader_number(&rr->r, rate, per_time(pkm_dim_one, 1), PKM_RANGE_POSITIVE, &hertz));
    if (rate) out->sample_period = 1.0 / hertz;
    PKM_TRY(
        pkm_reader_optional(&rr->r, period, pkm_dim_time, PKM_RANGE_POSITIVE, &out->sample_period));
    return pkm_reader_optional(&rr->r, pkm_yaml_get(sampling, "delay"), pkm_dim_time,
                               PKM_RANGE_NOT_NEGATIVE, &out->sample_delay);
}

// ---- plans ------------------------------------------------------------------------------------

static pkm_status read_mode(const pkm_run_reader* rr, const pkm_yaml* node, pkm_drive_plan* out)
{
    int mode = 0;
    if (node->kind != PKM_YAML_TEXT)
        return pkm_reader_fail(&rr->r, node, "expected a mode of the drive, found %s",
                               pkm_yaml_show(node).text);
    PKM_TRY(pkm_reader_word(&rr->r, node, mode_words, &mode));
    out->mode = (pkm_drive_mode)mode;
    return PKM_OK;
}

/// What one drive does: a word, or a map with a force or a controller.
static pkm_status read_plan(pkm_run_reader* rr, const pkm_yaml* node, int d, pkm_drive_plan* out)
{
    static const struct {
        const char* key;
        pkm_controller_kind kind;
    } controllers[] = {{"pd", PKM_CONTROLLER_PD},
                       {"pid", PKM_CONTROLLER_PID},
                       {"computed_torque", PKM_CONTROLLER_COMPUTED_TORQUE}};
    *out = (pkm_drive_plan){.mode = rr->run->settings.motion == PKM_NONE && rr->run->has_motion
                                        ? PKM_DRIVE_LOCKED
                                        : PKM_DRIVE_PRESCRIBED};
    if (node->kind != PKM_YAML_MAP) return read_mode(rr, node, out);
    PKM_TRY(pkm_reader_keys(&rr->r, node, plan_keys));
    const pkm_yaml *mode = pkm_yaml_get(node, "mode"), *force = pkm_yaml_get(node, "force");
    int n = !!mode + !!force;
    for (int i = 0; i < 3; ++i)
        n += pkm_yaml_get(node, controllers[i].key) != NULL;
    if (n > 1)
        return pkm_reader_fail_key(&rr->r, node,
                                   "expected one of the keys 'mode', 'force', 'pd', 'pid', "
                                   "'computed_torque'");
    if (mode) PKM_TRY(read_mode(rr, mode, out));
    if (force) {
        out->mode = PKM_DRIVE_FORCE;
        PKM_TRY(pkm_run_read_signal(rr, force, units_of(rr, d).force, &out->force));
    }
    for (int i = 0; i < 3; ++i) {
        const pkm_yaml* child = pkm_yaml_get(node, controllers[i].key);
        if (child) PKM_TRY(read_controller(rr, child, d, controllers[i].kind, out));
    }
    PKM_TRY(read_transmission(rr, node, d, out));
    return read_sampling(rr, node, out);
}

static pkm_status no_drive(const pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    pkm_nearest near = pkm_nearest_make(node->key);
    char list[240] = "";
    for (int d = 0; d < mech->n_drive; ++d) {
        pkm_nearest_offer(&near, mech->drive[d].name);
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", d ? ", " : "", mech->drive[d].name);
    }
    for (int i = 0; plan_keys[i] && !near.best; ++i)
        pkm_nearest_offer(&near, plan_keys[i]);
    pkm_yaml at = *node->parent;
    at.place = node->key_place;
    return pkm_reader_fail(&rr->r, &at, "'%.60s' %s no drive; there are %s%s", node->key,
                           pkm_pattern_is_wild(node->key) ? "matches" : "is", list,
                           pkm_nearest_hint(&near).text);
}

static pkm_status read_pattern(pkm_run_reader* rr, const pkm_yaml* node, const char* pattern)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    int n = 0;
    for (int d = 0; d < mech->n_drive; ++d) {
        if (!pkm_run_means(pattern, mech->drive[d].name)) continue;
        PKM_TRY(read_plan(rr, node, d, &rr->run->settings.drive[d]));
        rr->run->has_drive[d] = true;
        ++n;
    }
    return n > 0 || mech->n_drive == 0 ? PKM_OK : no_drive(rr, node);
}

/// Is this map the plan of all drives, not one plan for each pattern?
static bool is_plan(const pkm_run_reader* rr, const pkm_yaml* node)
{
    const char* key = node->first ? node->first->key : "";
    if (pkm_mechanism_find_drive(rr->run->robot->mech, key) != PKM_NONE) return false;
    for (int i = 0; plan_keys[i]; ++i)
        if (strcmp(plan_keys[i], key) == 0) return true;
    return false;
}

pkm_status pkm_run_read_drives(pkm_run_reader* rr, const pkm_yaml* node)
{
    if (node->kind != PKM_YAML_MAP || is_plan(rr, node)) return read_pattern(rr, node, "*");
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read_pattern(rr, item, item->key));
    return PKM_OK;
}

// ---- the model of the controllers -------------------------------------------------------------

/// Parameters of the model file with the values that controllers believe.
pkm_status pkm_run_read_model(pkm_run_reader* rr, const pkm_yaml* node)
{
    pkm_run* run = rr->run;
    PKM_TRY(pkm_reader_keys_any(&rr->r, node));
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(&rr->r, node->n_child + 1, sizeof *run->model_set, &room));
    pkm_override* set = room;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        int p = 0;
        while (p < rr->view.n_parameter && strcmp(rr->view.parameter[p].name, item->key) != 0)
            ++p;
        pkm_nearest near = pkm_nearest_make(item->key);
        for (int i = 0; i < rr->view.n_parameter; ++i)
            pkm_nearest_offer(&near, rr->view.parameter[i].name);
        if (p == rr->view.n_parameter)
            return pkm_reader_fail_key(&rr->r, item, "the model has no such parameter%s",
                                       pkm_nearest_hint(&near).text);
        pkm_quantity value;
        PKM_TRY(pkm_reader_quantity(&rr->r, item, NULL, PKM_RANGE_ANY, &value));
        PKM_TRY(pkm_reader_keep(&rr->r, item->key, &set[item->index].name));
        PKM_TRY(pkm_reader_text(&rr->r, item, &set[item->index].value));
    }
    run->model_set = set;
    run->n_model_set = node->n_child;
    return PKM_OK;
}
