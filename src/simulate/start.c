/// How flexible links and journals with clearance start: docs/theory/flexible.md, section 5, and
/// contact.md.
#include "base/error.h"
#include "clearance/seat.h"
#include "dynamics/equilibrium.h"
#include "simulate/simulation_impl.h"
#include "table/warnings.h"

#include <string.h>

/// The robot rests up to t = 0: loads that are released then still act [s].
#define BEFORE (-4.9e-324) // nextafter(0, -1)

// ---- what is wanted ---------------------------------------------------------------------------

/// Are all drives held and at rest at t = 0, and do they hold the robot?
static bool is_at_rest(const pkm_sim* s)
{
    static const double REST = 1e-9; // [robot sizes/s, rad/s]
    pkm_target target;
    if (s->settings->n_start > 0 || pkm_robot_require_drives(s->given, NULL) != PKM_OK)
        return false;
    pkm_actuator_reference(s->actuator, 0.0, &target);
    for (int d = 0; d < s->given->mech->n_drive; ++d) {
        // drives without a motion or that push leave the robot to itself
        const pkm_drive_kind kind = s->settings->drive[d].kind;
        if (kind == PKM_DRIVE_FREE || kind == PKM_DRIVE_FORCE) return false;
        if (fabs(target.v[d]) > REST * fmax(1.0, s->given->mech->size)) return false;
    }
    return true;
}

/// How the journals start: `first` is the joint that asks for it; PKM_NONE: nobody does.
static pkm_status read_wish(const pkm_sim* s, pkm_clearance_start* out, pkm_error* err)
{
    const pkm_effects* effects = s->settings->effects;
    const pkm_joint *rests = NULL, *other = NULL, *universal = NULL;
    for (int k = 0; effects && k < effects->n_clearance; ++k) {
        const pkm_clearance* c = &effects->clearance[k].clearance;
        const pkm_joint* joint = &s->given->mech->joint[effects->clearance[k].joint];
        if (c->fidelity != PKM_FIDELITY_CONTACT) continue;
        if (joint->type == PKM_JOINT_UNIVERSAL) universal = joint;
        if (c->start_from == PKM_START_EQUILIBRIUM) rests = joint;
        if (c->start_from == PKM_START_CENTRED || c->start_from == PKM_START_GIVEN) other = joint;
    }
    *out = PKM_START_CENTRED;
    if (rests && (other || universal))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "clearance: %s starts in equilibrium, but %s %s; expected one of the two "
                        "for all joints",
                        rests->name, other ? other->name : universal->name,
                        other ? "is put elsewhere" : "is universal and its cross starts centred");
    if (rests && s->settings->undeformed)
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "clearance: %s starts in equilibrium, but links start undeformed; expected "
                        "one of the two",
                        rests->name);
    // not asked for, but able to rest: equilibrium, or centred where none is found
    if (rests)
        *out = PKM_START_EQUILIBRIUM;
    else if (!other && !universal && !s->settings->undeformed && is_at_rest(s))
        *out = PKM_START_DEFAULT;
    return PKM_OK;
}

// ---- loads ------------------------------------------------------------------------------------

typedef struct scaled {
    pkm_sim* s;
    pkm_vec3 gravity;
} scaled;

/// The variant of a run is its own: nobody else sees its gravity.
static void scale_loads(void* user, double factor)
{
    scaled* all = user;
    all->s->load_factor = factor;
    // loads and weight grow together (5.2)
    all->s->robot->mech->gravity = pkm_vec3_scale(factor, all->gravity);
}

static bool links_go_on(void* user)
{
    const scaled* all = user;
    return pkm_sim_start_goes_on(all->s);
}

static bool journals_go_on(void* user)
{
    return pkm_sim_start_goes_on(user);
}

/// The search for the equilibrium has been cut short, or has lacked memory.
static pkm_status tell_end(const pkm_sim* s, pkm_status status, pkm_error* err)
{
    if (status != PKM_ERR_INTERRUPTED) return pkm_fail(err, status, "%s", pkm_status_text(status));
    return pkm_fail(err, pkm_stop_status(s->cut),
                    "simulation: t = 0, before the equilibrium of the start is found: %s",
                    pkm_stop_reason(s->cut));
}

/// What moves most in the critical mode: a flexible link, or a body in its joint.
static const pkm_body* body_of(const pkm_mechanism* mech, int v, bool* bends)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        *bends = body->modal && v >= body->e_at && v < body->e_at + body->modal->n_mode;
        if (*bends || (v >= body->v_at && v < body->v_at + body->n_v)) return body;
    }
    return &mech->body[0];
}

static pkm_status tell(const pkm_sim* s, const pkm_rest_report* r, pkm_error* err)
{
    bool bends = false;
    const pkm_body* body = body_of(s->robot->mech, r->mode, &bends);
    const char* way = bends ? "the deformation of" : "the motion of";
    switch (r->end) {
    case PKM_REST_FOUND:
        return PKM_OK;
    case PKM_REST_LIMIT:
    case PKM_REST_BIFURCATION:
        return pkm_fail(err, PKM_ERR_SINGULAR,
                        "simulation: the static equilibrium ends in a %s at %.6g of weight and "
                        "loads, in %s %s; expected a robot that carries all of them: smaller "
                        "loads, a stiffer section, or `start: undeformed`",
                        r->end == PKM_REST_LIMIT ? "limit point" : "bifurcation", r->factor, way,
                        body->name);
    case PKM_REST_UNHELD:
        return pkm_fail(err, PKM_ERR_CONVERGENCE,
                        "simulation: no static equilibrium: nothing elastic holds %s %s with the "
                        "drives at rest; try `start: undeformed`",
                        way, body->name);
    case PKM_REST_LOST:
        break;
    }
    return pkm_fail(err, PKM_ERR_CONVERGENCE,
                    "simulation: no static equilibrium of the flexible links was found with the "
                    "drives at rest beyond %.3g of weight and loads; try `start: undeformed`, "
                    "smaller loads or a stiffer section",
                    r->factor);
}

// ---- links without clearance ------------------------------------------------------------------

/// A plant whose drives are at rest where they are, with what acts on the robot.
static pkm_status make_resting_plant(pkm_sim* s, const pkm_joint_clearance* clearance, int n,
                                     pkm_plant** out, pkm_error* err)
{
    bool locked[PKM_MAX_DRIVE];
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        locked[d] = true;
    const pkm_loading loading = {.user = s, .apply = pkm_sim_apply_loads};
    const pkm_plant_spec spec = {.structure = &s->structure,
                                 .prescribed = locked,
                                 .actuation = pkm_actuator_get(s->actuator),
                                 .loading = &loading,
                                 .n_clearance = n,
                                 .clearance = clearance};
    return pkm_plant_create(s->robot->state, &spec, out, err);
}

static pkm_status load_links(pkm_sim* s, pkm_error* err)
{
    scaled all = {.s = s, .gravity = s->robot->mech->gravity};
    const pkm_rest_loads loads = {.user = &all, .scale = scale_loads, .goes_on = links_go_on};
    pkm_rest_report report = {.end = PKM_REST_LOST};
    pkm_plant* plant;
    PKM_TRY(make_resting_plant(s, NULL, 0, &plant, err));
    // from unloaded to the loads by steps, as (5.2) predicts them
    const pkm_status status = pkm_plant_follow_loads(plant, BEFORE, &loads, &report);
    pkm_plant_free(plant);
    if (status != PKM_OK) return tell_end(s, status, err);
    return tell(s, &report, err);
}

// ---- journals ---------------------------------------------------------------------------------

/// Load that one of the surfaces of a joint carries, of the joint's.
static double share_of(pkm_joint_type type)
{
    // a guide has four corners, a pin two ends
    return type == PKM_JOINT_SPHERICAL ? 1.0 : type == PKM_JOINT_PRISMATIC ? 0.25 : 0.5;
}

/// Journals where the loads of the ideal robot press them, as deep as these do: near the
/// equilibrium. What cannot be seated begins centred.
static void seat_journals(pkm_sim* s, pkm_joint_clearance* clearance, int n)
{
    pkm_target target = {.tool.pose.q = {1.0, 0.0, 0.0, 0.0}};
    const pkm_seat_loads loads = {.effects = s->settings->effects,
                                  .tool_force = s->settings->tool_force,
                                  .tool_torque = s->settings->tool_torque};
    for (int d = 0; d < s->given->mech->n_drive; ++d)
        target.q[d] = pkm_state_drive_position(s->given->state, d);
    // twice: the depth of the first seat widens the clearance of the second
    for (int round = 0; round < 2; ++round) {
        pkm_seat seat;
        bool ok = pkm_seat_create(s->given, clearance, n, &seat, NULL) == PKM_OK;
        if (ok) {
            pkm_seat_reset(&seat);
            ok = pkm_seat_solve(&seat, &target, &loads) == PKM_OK;
        }
        for (int k = 0; ok && round == 0 && k < n; ++k) {
            pkm_clearance* c = &clearance[k].clearance;
            const double force = pkm_vec3_norm(seat.reaction[clearance[k].joint].force);
            const pkm_joint_type type = s->given->mech->joint[clearance[k].joint].type;
            // how deep the law of contact gives way under this load
            c->radial += pkm_contact_static_depth(&c->law, share_of(type) * force);
        }
        if (ok && round == 1) ok = pkm_robot_variant_start(s->robot, seat.moved, NULL) == PKM_OK;
        pkm_seat_free(&seat);
        if (!ok) return;
    }
}

/// Journals and links come to rest together under the loads.
static pkm_status rest_journals(pkm_sim* s, pkm_rest_report* report, pkm_error* err)
{
    const int most = s->settings->effects->n_clearance;
    pkm_joint_clearance* clearance = pkm_alloc(2 * (size_t)most, sizeof *clearance);
    pkm_plant* plant = NULL;
    if (!clearance) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const int n = pkm_sim_list_clearances(s, clearance);
    // the second copy is widened by the seat, the first is that of the run
    memcpy(clearance + most, clearance, (size_t)n * sizeof *clearance);
    seat_journals(s, clearance + most, n);
    pkm_status status = make_resting_plant(s, clearance, n, &plant, err);
    if (status == PKM_OK) {
        const pkm_rest_loads loads = {.user = s, .goes_on = journals_go_on};
        status = pkm_plant_come_to_rest(plant, BEFORE, &loads, report);
        if (status != PKM_OK) status = tell_end(s, status, err);
    }
    pkm_plant_free(plant);
    pkm_free(clearance);
    return status;
}

static pkm_status start_journals(pkm_sim* s, pkm_clearance_start wish, pkm_table* table,
                                 pkm_error* err)
{
    pkm_rest_report report;
    PKM_TRY(rest_journals(s, &report, err));
    s->rests = report.end == PKM_REST_FOUND;
    if (s->rests) return PKM_OK;
    if (wish == PKM_START_EQUILIBRIUM)
        return pkm_fail(err, PKM_ERR_CONVERGENCE,
                        "clearance: no equilibrium of the journals was found under the loads at "
                        "t = 0; try `start: centred`");
    pkm_warn(pkm_table_warnings(table), "start", 0.0,
             "clearance: no equilibrium of the journals was found under the loads at t = 0: they "
             "start centred, as with `start: centred`");
    // seat and search have moved it
    return pkm_robot_variant_start(s->robot, s->given, err);
}

// ---- both -------------------------------------------------------------------------------------

pkm_status pkm_sim_settle(pkm_sim* s, pkm_table* table, pkm_error* err)
{
    pkm_clearance_start wish;
    bool has_clearance = false;
    PKM_TRY(read_wish(s, &wish, err));
    if (s->only_columns) return PKM_OK; // their names do not depend on where links and journals are
    for (int j = 0; j < s->robot->mech->n_joint; ++j)
        has_clearance = has_clearance || s->robot->mech->joint[j].released;
    if (has_clearance ? wish == PKM_START_CENTRED
                      : !s->robot->state->modal || s->settings->undeformed)
        return PKM_OK;
    const size_t size = (size_t)s->robot->mech->n_v * sizeof(double);
    double* v = pkm_alloc(1, size);
    if (!v) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    // the search sets velocities to zero, the run goes on with them
    memcpy(v, s->robot->state->v, size);
    const pkm_status status =
        has_clearance ? start_journals(s, wish, table, err) : load_links(s, err);
    memcpy(s->robot->state->v, v, size);
    pkm_free(v);
    return status;
}
