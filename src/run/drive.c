// The section `drives` of a run file: what each drive does, its controller, motor, belt and
// backlash.
#include "base/error.h"
#include "base/pattern.h"
#include "math/angle.h"
#include "run/run_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const kind_words[] = {"prescribed", "locked", "free", "playback",
                                         NULL}; // in the order of pkm_drive_kind

// ---- controllers ------------------------------------------------------------------------------

/// A controller as it is written: gains, or what they follow from.
typedef struct written_controller {
    pkm_controller c;
    double frequency, damping, mass; ///< [rad/s], of critical, [kg, kg m2]; 0: not given
} written_controller;

/// A frequency in rad/s or Hz; bare numbers are rad/s.
static pkm_status read_frequency(pkm_reader* r, const pkm_yaml* node, void* to)
{
    double* out = to;
    pkm_quantity value;
    PKM_TRY(pkm_reader_quantity(r, node, NULL, PKM_RANGE_POSITIVE, &value));
    *out = value.value;
    if (value.kind != PKM_UNIT_KNOWN) return PKM_OK;
    // both mean a frequency to people, and differ by 2 pi
    const bool is_hertz = pkm_dimension_equal(value.dimension, pkm_dim_frequency);
    if (is_hertz) *out *= PKM_TURN;
    if (is_hertz || pkm_dimension_equal(value.dimension, pkm_dim_angular_velocity)) return PKM_OK;
    return pkm_reader_fail(r, node, "%.40s is %s, expected a frequency in Hz or rad/s", node->text,
                           pkm_dimension_name(value.dimension).text);
}

static pkm_status read_gravity(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_controller* c = to;
    bool holds = false;
    PKM_TRY(pkm_reader_flag(r, node, &holds));
    // PD with the weight taken off by the model is a kind of its own
    c->kind = holds ? PKM_CONTROLLER_PD_GRAVITY : PKM_CONTROLLER_PD;
    return PKM_OK;
}

/// Gains that are not given follow from the frequency, the damping ratio and the mass.
static pkm_status tune(pkm_reader* r, const pkm_yaml* map, void* to)
{
    written_controller* w = to;
    pkm_controller* c = &w->c;
    if (!(w->frequency > 0.0)) return PKM_OK;
    // computed torque commands accelerations, whose poles do not depend on a mass
    if (c->kind != PKM_CONTROLLER_COMPUTED_TORQUE && !(w->mass > 0.0))
        return pkm_reader_fail_key(r, map, "the key 'mass' is missing; 'frequency' needs it");
    // poles of m s^2 + kd s + kp at the frequency with the damping ratio; forces.md, section 6
    const pkm_controller tuned = pkm_controller_tune(c->kind, w->mass, w->frequency, w->damping);
    // a gain that is written beside the frequency rules over what follows from it
    if (!pkm_yaml_get(map, "kp")) c->kp = tuned.kp;
    if (!pkm_yaml_get(map, "kd")) c->kd = tuned.kd;
    if (!pkm_yaml_get(map, "ki")) c->ki = tuned.ki;
    return PKM_OK;
}

static const pkm_dimension per_time2 = {0, 0, -4, 0}, per_time3 = {0, 0, -6, 0};
static const pkm_dimension integral_gain = {0, 2, -6, 0}; // N/(m s)
static const char* const windup[] = {"none", "clamping", "back-calculation", NULL};
static const pkm_key number_form[] = {{.kind = PKM_KEY_NUMBER}, {0}};
static const pkm_key frequency_form[] = {{.kind = PKM_KEY_NUMBER, .range = PKM_RANGE_POSITIVE},
                                         {0}};

#define AT(member) offsetof(written_controller, member)
static const pkm_key tuning_keys[] = {
    {"frequency", NULL, PKM_KEY_OWN, AT(frequency), .either = frequency_form,
     .read = read_frequency},
    {"damping",
     "instead of gains: poles at this frequency (`Hz` or `rad/s`) and damping ratio (1 when not "
     "given)",
     PKM_KEY_NUMBER, AT(damping), NULL, .range = PKM_RANGE_POSITIVE},
    {"limit", "largest force", PKM_KEY_NUMBER, AT(c.force_limit), &pkm_dim_force,
     PKM_RANGE_POSITIVE, .turns = true},
    {.name = NULL}};
static const pkm_section tuning = {.key = tuning_keys};

static const pkm_key force_keys[] = {
    {"kp", NULL, PKM_KEY_NUMBER, AT(c.kp), &pkm_dim_stiffness, PKM_RANGE_NOT_NEGATIVE,
     .turns = true},
    {"kd", "gains, of drives that turn per angle", PKM_KEY_NUMBER, AT(c.kd), &pkm_dim_damping,
     PKM_RANGE_NOT_NEGATIVE, .turns = true},
    {.kind = PKM_KEY_INCLUDE, .section = &tuning},
    {"mass", "of the drive, for `frequency`; an inertia where it turns", PKM_KEY_NUMBER, AT(mass),
     &pkm_dim_mass, PKM_RANGE_POSITIVE, .turns = true},
    {"velocity_feedforward", NULL, PKM_KEY_NUMBER, AT(c.velocity_feedforward), &pkm_dim_damping,
     .turns = true},
    {"acceleration_feedforward", "force per velocity and acceleration of the reference",
     PKM_KEY_NUMBER, AT(c.acceleration_feedforward), &pkm_dim_mass, .turns = true},
    {.name = NULL}};
static const pkm_section of_forces = {.key = force_keys};

static const pkm_key windup_keys[] = {
    {"anti_windup", NULL, PKM_KEY_WORD, AT(c.anti_windup), .words = windup},
    {"tracking_time", "`clamping` (default), `back-calculation` with its time, `none`",
     PKM_KEY_NUMBER, AT(c.tracking_time), &pkm_dim_time, .range = PKM_RANGE_POSITIVE},
    {.name = NULL}};
static const pkm_section against_windup = {.key = windup_keys};

static const pkm_key model_keys[] = {
    {"model",
     "what the controllers know of the robot, as the key `model` of the file. Without it they know "
     "it exactly, loads and friction excepted",
     PKM_KEY_EACH, .either = number_form, .read = pkm_run_read_model},
    {.name = NULL}};
static const pkm_section believed = {.key = model_keys};

static const pkm_key pd_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .section = &of_forces},
    {"gravity", "hold the weight", PKM_KEY_FLAG, AT(c), .read = read_gravity},
    {.kind = PKM_KEY_INCLUDE, .section = &believed},
    {.name = NULL}};
static const pkm_section pd = {"pd", "F = kp e + kd e' with feed-forward", pd_keys, .check = tune};

static const pkm_key pid_keys[] = {{.kind = PKM_KEY_INCLUDE, .section = &of_forces},
                                   {"ki", "gain of the integral", PKM_KEY_NUMBER, AT(c.ki),
                                    &integral_gain, PKM_RANGE_NOT_NEGATIVE, .turns = true},
                                   {.kind = PKM_KEY_INCLUDE, .section = &against_windup},
                                   {.name = NULL}};
static const pkm_section pid = {"pid", "the same with ki times the integral of e", pid_keys,
                                .check = tune};

static const pkm_key torque_keys[] = {
    {"kp", NULL, PKM_KEY_NUMBER, AT(c.kp), &per_time2, .range = PKM_RANGE_NOT_NEGATIVE},
    {"kd", NULL, PKM_KEY_NUMBER, AT(c.kd), &pkm_dim_frequency, .range = PKM_RANGE_NOT_NEGATIVE},
    {"ki", "gains of the acceleration", PKM_KEY_NUMBER, AT(c.ki), &per_time3,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {.kind = PKM_KEY_INCLUDE, .section = &tuning},
    {.kind = PKM_KEY_INCLUDE, .section = &against_windup},
    {.kind = PKM_KEY_INCLUDE, .section = &believed},
    {.name = NULL}};
#undef AT
static const pkm_section computed_torque = {"computed_torque",
                                            "inverse dynamics of the commanded acceleration",
                                            torque_keys, .check = tune};

static pkm_status read_controller(pkm_reader* r, const pkm_yaml* node, void* to)
{
    static const struct {
        const pkm_section* section;
        pkm_controller_kind kind;
    } table[] = {{&pd, PKM_CONTROLLER_PD},
                 {&pid, PKM_CONTROLLER_PID},
                 {&computed_torque, PKM_CONTROLLER_COMPUTED_TORQUE}};
    pkm_drive_plan* out = to;
    int k = 0;
    // the key is one of these three: nobody else reads by this function
    while (strcmp(table[k].section->name, node->key) != 0)
        ++k;
    written_controller w = {.c = pkm_controller_defaults(table[k].kind), .damping = 1.0};
    PKM_TRY(pkm_keys_read(r, node, table[k].section, &w));
    out->controller = w.c;
    // a controller makes a servo of the drive
    out->kind = PKM_DRIVE_SERVO;
    pkm_error inner;
    return pkm_run_report(r, node, pkm_controller_check(&w.c, "controller", &inner), &inner);
}

// ---- motors -----------------------------------------------------------------------------------

static const pkm_dimension turn_damping = {4, 2, -2, -2}; // N m s/rad
static const pkm_dimension winding = {-4, -2, 2, 0};      // W/(N m)^2

static const pkm_dimension per_length = {-2, 0, 0, 2}; // rad/m

/// Turns per turn, or the motor's angle per way of a drive that slides without a screw.
static pkm_status read_gear_ratio(pkm_reader* r, const pkm_yaml* node, void* to)
{
    const pkm_yaml* drive = node->parent->parent;
    const bool has_screw = drive && pkm_yaml_get(drive, pkm_screw_section.name);
    pkm_quantity value;
    PKM_TRY(pkm_reader_quantity(r, node, NULL, PKM_RANGE_POSITIVE, &value));
    // 2 pi over the lead of a pinion, in rad/m, where there is no screw
    *(double*)to = value.value;
    // only where nothing between motor and slide turns into way: with a screw its lead does that
    const bool is_per_length =
        value.kind == PKM_UNIT_KNOWN && pkm_dimension_equal(value.dimension, per_length);
    if (is_per_length && !r->turns && !has_screw) return PKM_OK;
    return pkm_reader_number(r, node, pkm_dim_one, PKM_RANGE_POSITIVE, to);
}

#define AT(member) offsetof(pkm_motor, member)
static const pkm_key motor_keys[] = {
    {"rotor_inertia", "carried along with the square of the ratio", PKM_KEY_NUMBER,
     AT(rotor_inertia), &pkm_dim_inertia, .range = PKM_RANGE_NOT_NEGATIVE},
    {"gear_ratio",
     "turns of the motor per turn of the drive; for drives that slide without a screw rad/m",
     PKM_KEY_NUMBER, AT(gear_ratio), NULL, .range = PKM_RANGE_POSITIVE, .read = read_gear_ratio},
    {"efficiency", NULL, PKM_KEY_NUMBER, AT(efficiency), NULL, .range = PKM_RANGE_POSITIVE},
    {"backdrive_efficiency", "of the gear, when the motor drives and when the load drives",
     PKM_KEY_NUMBER, .at = AT(backdrive_efficiency)},
    {"viscous", NULL, PKM_KEY_NUMBER, AT(viscous), &turn_damping, .range = PKM_RANGE_NOT_NEGATIVE},
    {"coulomb", NULL, PKM_KEY_NUMBER, AT(coulomb), &pkm_dim_torque,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {"transition_speed", "friction of the shaft, and the speed at which it is developed",
     PKM_KEY_NUMBER, AT(transition_speed), &pkm_dim_angular_velocity, .range = PKM_RANGE_POSITIVE},
    {"torque_limit", NULL, PKM_KEY_NUMBER, AT(torque_limit), &pkm_dim_torque,
     .range = PKM_RANGE_POSITIVE},
    {"speed_limit", "of the motor", PKM_KEY_NUMBER, AT(speed_limit), &pkm_dim_angular_velocity,
     .range = PKM_RANGE_POSITIVE},
    {"winding_loss", "R/k^2 [W/(N m)^2]", PKM_KEY_NUMBER, AT(winding_loss), &winding,
     .range = PKM_RANGE_NOT_NEGATIVE},
    {.name = NULL}};
const pkm_section pkm_motor_section = {"motor", "a motor with its gear", .key = motor_keys};

static const pkm_key screw_keys[] = {{"lead", "way per turn", PKM_KEY_NUMBER, AT(screw_lead),
                                      &pkm_dim_length, PKM_RANGE_POSITIVE, .must = true},
                                     {"efficiency", "when the motor drives", PKM_KEY_NUMBER,
                                      AT(screw_efficiency), NULL, .range = PKM_RANGE_POSITIVE},
                                     {.name = NULL}};
#undef AT
const pkm_section pkm_screw_section = {"screw", "between gear and a drive that slides",
                                       .key = screw_keys};

// ---- belts and backlash -----------------------------------------------------------------------

#define AT(member) offsetof(pkm_motor, member)
static const pkm_key pulley_keys[] = {
    {"ratio", "turns of the motor's pulley per turn of the other; 1 when not given", PKM_KEY_NUMBER,
     AT(belt_ratio), NULL, .range = PKM_RANGE_POSITIVE},
    {"efficiency", "of the belt; 1 when not given", PKM_KEY_NUMBER, AT(belt_efficiency), NULL,
     .range = PKM_RANGE_POSITIVE},
    {.name = NULL}};
#undef AT
const pkm_section pkm_belt_section = {"belt", "between motor and gear", .key = pulley_keys};

#define AT(member) offsetof(pkm_drive_plan, member)
static const pkm_key belt_keys[] = {
    {.kind = PKM_KEY_INCLUDE, .at = AT(motor), .section = &pkm_belt_section},
    {"stiffness", "between motor and drive, at the drive; rigid when not given", PKM_KEY_NUMBER,
     AT(coupling.stiffness), &pkm_dim_stiffness, PKM_RANGE_POSITIVE, .turns = true},
    {"damping", "of the belt, at the drive", PKM_KEY_NUMBER, AT(coupling.damping), &pkm_dim_damping,
     PKM_RANGE_NOT_NEGATIVE, .turns = true},
    {.name = NULL}};
#undef AT
static const pkm_key_rule belt_rules[] = {{PKM_RULE_NEEDS, "damping stiffness", NULL}, {0}};
static const pkm_section elastic_belt = {"elastic_belt", "a belt between motor and drive",
                                         belt_keys, .rule = belt_rules};

#define AT(member) offsetof(pkm_shaft_coupling, member)
static const pkm_key backlash_keys[] = {
    {"play", "way of the motor from one flank to the other, at the drive", PKM_KEY_NUMBER, AT(play),
     &pkm_dim_length, PKM_RANGE_POSITIVE, .must = true, .turns = true},
    {"stiffness", "of the flanks that touch, at the drive", PKM_KEY_NUMBER, AT(stiffness),
     &pkm_dim_stiffness, PKM_RANGE_POSITIVE, .must = true, .turns = true},
    {"damping", "of the flanks that touch, at the drive", PKM_KEY_NUMBER, AT(damping),
     &pkm_dim_damping, PKM_RANGE_NOT_NEGATIVE, .turns = true},
    {.name = NULL}};
#undef AT
static const pkm_section backlash_section = {"backlash", "play between motor and drive",
                                             .key = backlash_keys};

/// Gears serve what turns, screws what slides.
static pkm_status read_screw(pkm_reader* r, const pkm_yaml* node, void* to)
{
    const pkm_run_reader* rr = pkm_run_reader_of(r);
    if (r->turns)
        return pkm_reader_fail_key(r, node, "%s turns, a screw drives what slides",
                                   rr->run->robot->mech->drive[rr->drive].name);
    return pkm_keys_read(r, node, &pkm_screw_section, to);
}

/// As its period.
static pkm_status read_rate(pkm_reader* r, const pkm_yaml* node, void* to)
{
    double hertz = 0.0;
    PKM_TRY(pkm_reader_number(r, node, pkm_dim_frequency, PKM_RANGE_POSITIVE, &hertz));
    // periods are what the run keeps: events come at their multiples
    *(double*)to = 1.0 / hertz;
    return PKM_OK;
}

#define AT(member) offsetof(pkm_drive_plan, member)
static const pkm_key sampling_keys[] = {
    {"rate", NULL, PKM_KEY_NUMBER, AT(sample_period), &pkm_dim_frequency, PKM_RANGE_POSITIVE,
     .read = read_rate},
    {"period", "one of them: how often the controller acts", PKM_KEY_NUMBER, AT(sample_period),
     &pkm_dim_time, .range = PKM_RANGE_POSITIVE},
    {"delay", "after which what it says acts, until the next", PKM_KEY_NUMBER, AT(sample_delay),
     &pkm_dim_time, .range = PKM_RANGE_NOT_NEGATIVE},
    {.name = NULL}};
static const pkm_key_rule sampling_rules[] = {{PKM_RULE_ONE, "rate period", NULL}, {0}};
static const pkm_section sampling = {"sampling", "controllers act at samples only", sampling_keys,
                                     .rule = sampling_rules};

// ---- plans ------------------------------------------------------------------------------------

static pkm_status read_kind(pkm_reader* r, const pkm_yaml* node, void* to)
{
    int kind = 0;
    if (node->kind != PKM_YAML_TEXT)
        return pkm_reader_fail(r, node, "expected a mode of the drive, found %s",
                               pkm_yaml_show(node).text);
    PKM_TRY(pkm_reader_word(r, node, kind_words, &kind));
    ((pkm_drive_plan*)to)->kind = (pkm_drive_kind)kind;
    return PKM_OK;
}

static pkm_status read_force(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_drive_plan* out = to;
    out->kind = PKM_DRIVE_FORCE;
    return pkm_run_read_signal(pkm_run_reader_of(r), node,
                               r->turns ? pkm_dim_torque : pkm_dim_force, &out->force);
}

/// What one key alone cannot say: motors as a whole, and what does not go together.
static pkm_status check_plan(pkm_reader* r, const pkm_yaml* map, void* to)
{
    const pkm_drive_plan* plan = to;
    const pkm_yaml *shaft = pkm_yaml_get(map, pkm_motor_section.name),
                   *spindle = pkm_yaml_get(map, pkm_screw_section.name),
                   *belt = pkm_yaml_get(map, "belt"), *backlash = pkm_yaml_get(map, "backlash");
    const pkm_yaml* samples = pkm_yaml_get(map, sampling.name);
    pkm_error inner;
    if (plan->has_motor) // which any of the three tells
        PKM_TRY(pkm_run_report(r,
                               shaft     ? shaft
                               : spindle ? spindle
                                         : belt,
                               pkm_motor_check(&plan->motor, "motor", &inner), &inner));
    const pkm_yaml* elastic = belt ? pkm_yaml_get(belt, "stiffness") : NULL;
    // one spring stands for belt and flanks in series; two numbers for it would contradict each
    // other
    if (backlash && elastic)
        return pkm_reader_fail_key(r, elastic,
                                   "backlash has a stiffness already, that of belt and flanks");
    if (samples && plan->coupling.stiffness > 0.0)
        return pkm_reader_fail_key(r, samples,
                                   "a sampled controller with an elastic belt or backlash; "
                                   "expected one that acts continuously");
    // forces and motions are functions of time: there is nothing to sample
    if (!samples || plan->kind == PKM_DRIVE_SERVO) return PKM_OK;
    return pkm_reader_fail_key(r, samples, "only controllers are sampled");
}

static const pkm_key plan_keys[] = {
    {"mode", "what the drive does, as below", PKM_KEY_WORD, .words = kind_words, .read = read_kind},
    {"force", "over time, see [loads](#loads)", PKM_KEY_OWN, .either = pkm_signal_forms,
     .read = read_force},
    {"pd",
     "F = kp e + kd e' with feed-forward; with `gravity: true` plus the force that holds the "
     "weight",
     PKM_KEY_MAP, .section = &pd, .read = read_controller},
    {"pid", "the same with ki times the integral of e", PKM_KEY_MAP, .section = &pid,
     .read = read_controller},
    {"computed_torque",
     "inverse dynamics of the acceleration a_ref + kp e + kd e' (+ ki integral of e); gains in "
     "1/s2, 1/s, 1/s3",
     PKM_KEY_MAP, .section = &computed_torque, .read = read_controller},
    {"motor", "with its gear, between force and drive", PKM_KEY_MAP, AT(motor),
     .section = &pkm_motor_section, .given = AT(has_motor)},
    {"screw", "between gear and a drive that slides", PKM_KEY_MAP, AT(motor),
     .section = &pkm_screw_section, .given = AT(has_motor), .read = read_screw},
    {"belt", "between motor and drive: ratio, efficiency, elasticity", PKM_KEY_MAP, 0,
     .section = &elastic_belt, .given = AT(has_motor)},
    {"backlash",
     "between motor and drive; the motor follows motion or controller, the drive what the flanks "
     "push",
     PKM_KEY_MAP, AT(coupling), .section = &backlash_section},
    {"sampling", "lets a controller act at samples only, each after the delay and until the next",
     PKM_KEY_MAP, .section = &sampling},
    {.name = NULL}};
#undef AT
static const pkm_key_rule plan_rules[] = {
    {PKM_RULE_AT_MOST, "mode force pd pid computed_torque", NULL}, {0}};
static const pkm_section plan = {.name = "plan",
                                 .sentence = "what a drive does",
                                 .key = plan_keys,
                                 .rule = plan_rules,
                                 .check = check_plan};

static const pkm_key plan_forms[] = {
    {.kind = PKM_KEY_WORD, .words = kind_words}, {.kind = PKM_KEY_MAP, .section = &plan}, {0}};
const pkm_key pkm_drive_forms[] = {{.kind = PKM_KEY_WORD, .words = kind_words},
                                   {.kind = PKM_KEY_MAP, .section = &plan},
                                   {.kind = PKM_KEY_EACH, .either = plan_forms},
                                   {0}};

/// What one drive does: a word, or a map with a force or a controller.
static pkm_status read_plan(pkm_run_reader* rr, const pkm_yaml* node, int d, pkm_drive_plan* out)
{
    // without a motion there is nothing to follow: a map that names a motor alone leaves the drive
    // locked
    *out = (pkm_drive_plan){.kind = rr->run->settings.motion == PKM_NONE && rr->run->has_motion
                                        ? PKM_DRIVE_LOCKED
                                        : PKM_DRIVE_PRESCRIBED,
                            .motor = pkm_motor_defaults()};
    if (node->kind != PKM_YAML_MAP) return read_kind(&rr->r, node, out);
    rr->drive = d;
    // units of gains and limits are those of the drive
    rr->r.turns = rr->run->robot->mech->drive[d].is_rotary;
    return pkm_keys_read(&rr->r, node, &plan, out);
}

static pkm_status read_pattern(pkm_run_reader* rr, const pkm_yaml* node, const char* pattern)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    int n = 0;
    for (int d = 0; d < mech->n_drive; ++d) {
        // later patterns are put over earlier ones, drive by drive
        if (!pkm_run_means(pattern, mech->drive[d].name)) continue;
        PKM_TRY(read_plan(rr, node, d, &rr->run->settings.drive[d]));
        rr->run->has_drive[d] = true;
        ++n;
    }
    return n > 0 || mech->n_drive == 0 ? PKM_OK : pkm_run_no_name(rr, node, pkm_run_drives(rr));
}

/// Is this map the plan of all drives, not one plan for each pattern?
static bool is_plan(const pkm_run_reader* rr, const pkm_yaml* node)
{
    const char* key = node->first ? node->first->key : "";
    // a drive may be called as a key is, `pd` or `force`: names of the robot come first
    if (pkm_mechanism_find_drive(rr->run->robot->mech, key) != PKM_NONE) return false;
    return pkm_section_find(&plan, key, NULL) != NULL;
}

pkm_status pkm_run_read_drives(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    (void)to;
    if (node->kind != PKM_YAML_MAP || is_plan(rr, node)) return read_pattern(rr, node, "*");
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read_pattern(rr, item, item->key));
    return PKM_OK;
}

// ---- the model of the controllers -------------------------------------------------------------

/// Parameters of the model file with the values that controllers believe.
pkm_status pkm_run_read_model(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    pkm_run* run = rr->run;
    (void)to;
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
    // taken when all are read: a fault in one leaves the run without a half model
    run->model_set = set;
    run->n_model_set = node->n_child;
    return PKM_OK;
}
