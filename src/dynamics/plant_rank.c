// How near the loops of a plant are to losing rank (forward_rank.c), and positions brought back
// onto them.
#include "dynamics/plant_impl.h"

#include "base/error.h"
#include "dynamics/kinematics.h"

size_t pkm_plant_sigma_room(const pkm_plant* p)
{
    return pkm_forward_sigma_room(p->forward, p->state);
}

double pkm_plant_sigma(pkm_plant* p, double* work)
{
    return pkm_forward_sigma(p->forward, p->state, work);
}

int pkm_plant_rows(pkm_plant* p, double* B)
{
    return pkm_forward_scaled_rows(p->forward, p->state, B);
}

double pkm_plant_estimate_sigma(pkm_plant* p, double* x)
{
    return pkm_forward_estimate_sigma(p->forward, p->state, x);
}

pkm_status pkm_plant_polish(pkm_plant* p, double t)
{
    // projected to 1e-13, but a near singularity magnifies that by 1/sigma
    enum { STEPS = 2 }; // the second has nothing left but rounding
    pkm_state* state = p->state;
    pkm_system* system = &state->system[PKM_GIVEN_FORCES];
    PKM_TRY(pkm_plant_project(p, t));
    for (int n = 0; n < STEPS; ++n) {
        pkm_kinematics_position(state);
        pkm_rows_closures(state);
        pkm_rows_prescribed(state, PKM_GIVEN_FORCES, &p->target);
        for (int i = 0; i < system->n_row; ++i)
            // A dq = -c with the factors of the projection
            system->rhs[i] = -state->residual[system->row[i]];
        pkm_sparse_lu_solve(system->lu, system->rhs, state->step);
        pkm_state_move(state->mech, state->q, state->step);
    }
    return pkm_plant_project_velocity(p, t);
}
