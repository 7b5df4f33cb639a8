// Instants at which a run must not step across: breaks of motions, loads, payloads and samplers;
// payloads bring their energy and take it along.
#include "base/error.h"
#include "force/load.h"
#include "simulate/simulation_impl.h"

// ---- payloads ---------------------------------------------------------------------------------

/// A payload brings its energy and takes it along: it moves with its gripper when it is picked up.
static void exchange_payloads(pkm_sim* s, double t)
{
    const pkm_energy before = pkm_plant_energy(s->plant);
    pkm_effects_carry(s->settings->effects, t, s->robot->state);
    const pkm_energy after = pkm_plant_energy(s->plant);
    if (t > 0.0) s->carried += after.kinetic + after.potential - before.kinetic - before.potential;
}

// ---- breaks -----------------------------------------------------------------------------------

/// Is there a formula of time among loads and forces of drives?
static bool has_formula(const pkm_sim* s)
{
    const pkm_effects* effects = s->settings->effects;
    for (int i = 0; effects && i < effects->n_element; ++i)
        if (effects->element[i].type == &pkm_element_load &&
            pkm_load_curves((const void*)effects->element[i].data))
            return true;
    for (int d = 0; d < s->robot->mech->n_drive; ++d)
        if (s->settings->drive[d].kind == PKM_DRIVE_FORCE &&
            s->settings->drive[d].force.kind == PKM_SIGNAL_FORMULA)
            return true;
    return false;
}

double pkm_sim_stride(const pkm_sim* s, double t, double next)
{
    enum { LOOKS = 8 };
    return has_formula(s) ? (next - t) / LOOKS : HUGE_VAL;
}

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
    if (s->settings->effects && s->settings->effects->n_carried > 0) exchange_payloads(s, t);
    return pkm_actuator_pass_break(s->actuator, t, s->robot->state);
}
