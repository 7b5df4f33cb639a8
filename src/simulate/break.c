#include "base/error.h"
#include "simulate/simulation_impl.h"

#include <string.h>

// ---- payloads ---------------------------------------------------------------------------------

pkm_status pkm_sim_begin_payloads(pkm_sim* s)
{
    const pkm_mechanism* mech = s->robot->mech;
    if (!s->settings->effects || s->settings->effects->n_carried == 0) return PKM_OK;
    s->empty = pkm_alloc((size_t)mech->n_body, sizeof *s->empty);
    if (!s->empty) return PKM_ERR_MEMORY;
    memcpy(s->empty, mech->body, (size_t)mech->n_body * sizeof *s->empty);
    return PKM_OK;
}

static void set_mass(pkm_body* body, const pkm_mass* mass)
{
    body->mass = mass->mass;
    body->com = mass->com;
    memcpy(body->inertia, mass->inertia, sizeof body->inertia);
}

static pkm_mass mass_of(const pkm_body* body)
{
    pkm_mass out = {.mass = body->mass, .com = body->com};
    memcpy(out.inertia, body->inertia, sizeof out.inertia);
    return out;
}

/// Give the bodies the masses that they carry at time t, just after it.
static void load_bodies(pkm_sim* s, double t)
{
    const pkm_effects* effects = s->settings->effects;
    pkm_mechanism* mech = s->robot->mech; // its own; others read it between runs only
    for (int b = 0; b < mech->n_body; ++b) {
        const pkm_mass own = mass_of(&s->empty[b]);
        set_mass(&mech->body[b], &own);
    }
    for (int i = 0; i < effects->n_carried; ++i) {
        const pkm_carried* c = &effects->carried[i];
        const pkm_marker* marker = &mech->marker[c->marker];
        const pkm_mass load = pkm_payload_at(&c->payload, 1, t);
        if (!(load.mass > 0.0)) continue;
        const pkm_mass sum =
            pkm_mass_add(mass_of(&mech->body[marker->body]), pkm_mass_move(load, marker->pose));
        set_mass(&mech->body[marker->body], &sum);
    }
}

void pkm_sim_end_payloads(pkm_sim* s)
{
    for (int b = 0; s->empty && b < s->robot->mech->n_body; ++b) {
        const pkm_mass own = mass_of(&s->empty[b]);
        set_mass(&s->robot->mech->body[b], &own);
    }
    pkm_free(s->empty);
    s->empty = NULL;
}

/// A payload brings its energy and takes it along: it moves with its gripper when it is picked up.
static void exchange_payloads(pkm_sim* s, double t)
{
    const pkm_energy before = pkm_plant_energy(s->plant);
    load_bodies(s, t);
    const pkm_energy after = pkm_plant_energy(s->plant);
    if (t > 0.0) s->carried += after.kinetic + after.potential - before.kinetic - before.potential;
}

// ---- breaks -----------------------------------------------------------------------------------

double pkm_sim_next_break(pkm_sim* s, double t)
{
    const double of_drives = pkm_actuator_next_break(s->actuator, t);
    const double of_effects = pkm_effects_next_break(s->settings->effects, t);
    const double next = fmin(s->settings->end_time, fmin(of_drives, of_effects));
    s->before_break = nextafter(next, -HUGE_VAL);
    return next;
}

double pkm_sim_left(const pkm_sim* s, double t)
{
    return fmin(t, s->before_break);
}

pkm_status pkm_sim_pass_break(pkm_sim* s, double t, const double* y)
{
    pkm_sim_load_state(s, y);
    PKM_TRY(pkm_plant_project_velocity(s->plant, t));
    if (s->empty) exchange_payloads(s, t);
    return pkm_actuator_pass_break(s->actuator, t, s->robot->state);
}
