// A spring and damper on the coordinate of a revolute or prismatic joint: Q = -preload - k (q - q0)
// - c q'. Equations: docs/theory/forces.md, (4.2).
#include "force/spring.h"

#include "base/error.h"
#include "force/expect.h"
#include "mechanism/joint.h"
#include "model/key.h"

pkm_status pkm_coordinate_spring_check(const pkm_coordinate_spring* spring, const char* name,
                                       pkm_error* err)
{
    PKM_TRY(pkm_expect_not_negative(name, "stiffness", spring->stiffness, err));
    PKM_TRY(pkm_expect_not_negative(name, "damping", spring->damping, err));
    PKM_TRY(pkm_expect_finite(name, "rest", spring->rest, err));
    return pkm_expect_finite(name, "preload", spring->preload, err);
}

pkm_coordinate_force pkm_coordinate_spring_at(const pkm_coordinate_spring* spring, double q,
                                              double v)
{
    // m or rad, so that k and c have the units of the joint
    const double x = q - spring->rest;
    return (pkm_coordinate_force){
        .force = -spring->preload - spring->stiffness * x - spring->damping * v,
        // k x^2/2 + preload x [J]
        .energy = (0.5 * spring->stiffness * x + spring->preload) * x,
        .dissipated = spring->damping * v * v,
    };
}

// ---- element -----------------------------------------------------------------------------------

static pkm_status check(const void* data, const char* name, pkm_error* err)
{
    return pkm_coordinate_spring_check(data, name, err);
}

/// Q is a force along the axis of a slide, a moment about that of a turn.
static void wrench(const void* data, const pkm_element_motion* m, const double* z, void* out)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    const pkm_coordinate_force f = pkm_coordinate_spring_at(data, m->q, m->v);
    const pkm_vec3 along = pkm_vec3_scale(f.force, m->axis);
    const bool slides = pkm_joint_is_length(m->type, 0);
    (void)z;
    *(pkm_pair_force*)out =
        (pkm_pair_force){.on_b = pkm_wrench_at(m->at, slides ? along : none, slides ? none : along),
                         .energy = f.energy,
                         .dissipated = f.dissipated};
}

static int slopes(const void* data, const pkm_element_motion* m, pkm_element_slope* out)
{
    const pkm_coordinate_spring* s = data;
    *out = (pkm_element_slope){.kind = PKM_SLOPE_COORDINATE,
                               .stiffness = s->stiffness,
                               .damping = s->damping,
                               .force = s->preload + s->stiffness * (m->q - s->rest)};
    return 1;
}

#define AT(member) offsetof(pkm_coordinate_spring, member)
static const pkm_key keys[] = {
    {"stiffness", NULL, PKM_KEY_NUMBER, AT(stiffness), &pkm_dim_stiffness, PKM_RANGE_NOT_NEGATIVE,
     .turns = true},
    {"damping", "on the coordinate of a revolute or prismatic joint", PKM_KEY_NUMBER, AT(damping),
     &pkm_dim_damping, PKM_RANGE_NOT_NEGATIVE, .turns = true},
    {"rest", "position at which it is free", PKM_KEY_NUMBER, AT(rest), &pkm_dim_length,
     .turns = true},
    {"preload", "there", PKM_KEY_NUMBER, AT(preload), &pkm_dim_force, .turns = true},
    {.name = NULL}};

const pkm_element_type pkm_element_joint_spring = {.word = "spring",
                                                   .place = PKM_ON_COORDINATE,
                                                   .key = keys,
                                                   .check = check,
                                                   .wrench = wrench,
                                                   .slopes = slopes};
