/// What changes while a run steps, to be saved and restored; what only reports need (peaks, paths
/// of journals, counts) stays as it is.
#include "simulate/contact_watch.h"

static void pass_contacts(pkm_sim* s, pkm_memo* memo)
{
    pkm_sim_contacts* c = s->contacts;
    if (!c) return;
    const size_t n_pair = (size_t)pkm_plant_n_pair(s->plant);
    pkm_memo_pass(memo, pkm_plant_memory(s->plant), (size_t)c->n * sizeof(pkm_contact_memory));
    pkm_memo_pass(memo, c->contact, (size_t)c->n * sizeof *c->contact);
    pkm_memo_pass(memo, c->way, n_pair * sizeof *c->way);
}

void pkm_sim_memo(pkm_sim* s, pkm_memo* memo)
{
    pkm_memo_pass(memo, s->y, (size_t)s->n_y * sizeof(double));
    pkm_memo_pass(memo, &s->integrator, sizeof s->integrator);
    pkm_memo_pass(memo, &s->tolerance, sizeof s->tolerance);
    pkm_memo_pass(memo, &s->most_energy, sizeof s->most_energy);
    pkm_memo_pass(memo, &s->part, sizeof s->part);
    pkm_memo_pass(memo, &s->t_change, sizeof s->t_change);
    pkm_memo_pass(memo, &s->n_stiff, sizeof s->n_stiff);
    pkm_memo_pass(memo, &s->most_kinetic, sizeof s->most_kinetic);
    pkm_memo_pass(memo, &s->carried, sizeof s->carried);
    pkm_memo_pass(memo, &s->before_break, sizeof s->before_break);
    pkm_memo_pass(memo, &s->t_before_steps, sizeof s->t_before_steps);
    pkm_memo_pass(memo, &s->n_step, sizeof s->n_step);
    pkm_memo_pass(memo, &s->start, sizeof s->start);
    pkm_memo_pass(memo, &s->spring_start, sizeof s->spring_start);
    pkm_actuator_memo(s->actuator, memo);
    pkm_plant_memo(s->plant, memo);
    pass_contacts(s, memo);
}
