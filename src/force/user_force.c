// A force on a coordinate that a program computes (pkm/simulation.h): called within every
// evaluation, so it must not keep memory of its calls.
#include "force/user_force.h"

#include "mechanism/joint.h"

/// What the program takes out of the robot counts as lost, -Q q'; what it puts in as a loss below
/// zero.
static void wrench(const void* data, const pkm_element_motion* m, const double* z, void* out)
{
    const pkm_user_force* f = data;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    const double Q = f->force(f->user, m->t, m->q, m->v);
    const pkm_vec3 along = pkm_vec3_scale(Q, m->axis);
    const bool slides = pkm_joint_is_length(m->type, 0);
    (void)z;
    *(pkm_pair_force*)out =
        (pkm_pair_force){.on_b = pkm_wrench_at(m->at, slides ? along : none, slides ? none : along),
                         .dissipated = -Q * m->v};
}

const pkm_element_type pkm_element_user = {.place = PKM_ON_COORDINATE, .wrench = wrench};
