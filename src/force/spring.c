// A spring and damper between two points. Equations: docs/theory/forces.md, (4.1).
#include "force/spring.h"

#include "base/error.h"
#include "force/expect.h"
#include "model/key.h"

pkm_status pkm_spring_check(const pkm_spring* spring, const char* name, pkm_error* err)
{
    PKM_TRY(pkm_expect_not_negative(name, "stiffness", spring->stiffness, err));
    PKM_TRY(pkm_expect_not_negative(name, "damping", spring->damping, err));
    PKM_TRY(pkm_expect_not_negative(name, "free_length", spring->free_length, err));
    return pkm_expect_finite(name, "preload", spring->preload, err);
}

/// T = preload + k (l - l0) + c l' pulls b towards a; l' is the relative velocity along the line.
pkm_pair_force pkm_spring_at(const pkm_spring* spring, const pkm_marker_motion* a,
                             const pkm_marker_motion* b)
{
    const pkm_vec3 way = pkm_vec3_sub(b->pose.p, a->pose.p);
    const double length = pkm_vec3_norm(way);
    // from a to b; zero for points that coincide, where the line has no direction
    const pkm_vec3 u = pkm_vec3_unit(way);
    const pkm_vec3 v_a = pkm_twist_at(a->twist, a->pose.p), v_b = pkm_twist_at(b->twist, b->pose.p);
    const double rate = pkm_vec3_dot(u, pkm_vec3_sub(v_b, v_a));
    const double longer = length - spring->free_length;

    const double tension = spring->preload + spring->stiffness * longer + spring->damping * rate;
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    return (pkm_pair_force){
        .on_b = pkm_wrench_at(b->pose.p, pkm_vec3_scale(-tension, u), none),
        // k x^2/2 + preload x with x = l - l0 [J]
        .energy = (0.5 * spring->stiffness * longer + spring->preload) * longer,
        .dissipated = spring->damping * rate * rate,
    };
}

// ---- element -----------------------------------------------------------------------------------

static pkm_status check(const void* data, const char* name, pkm_error* err)
{
    return pkm_spring_check(data, name, err);
}

static void wrench(const void* data, const pkm_element_motion* m, const double* z, void* out)
{
    (void)z;
    *(pkm_pair_force*)out = pkm_spring_at(data, &m->a, &m->b);
}

/// Along the line: what the linear models take, T and its derivatives by l and l'.
static int slopes(const void* data, const pkm_element_motion* m, pkm_element_slope* out)
{
    const pkm_spring* s = data;
    const pkm_pose ab = pkm_pose_mul(pkm_pose_inverse(m->a.pose), m->b.pose);
    const double longer = pkm_vec3_norm(ab.p) - s->free_length;
    *out = (pkm_element_slope){.kind = PKM_SLOPE_LINE,
                               .stiffness = s->stiffness,
                               .damping = s->damping,
                               .force = s->preload + s->stiffness * longer};
    return 1;
}

#define AT(member) offsetof(pkm_spring, member)
static const pkm_key keys[] = {{"stiffness", NULL, PKM_KEY_NUMBER, AT(stiffness),
                                &pkm_dim_stiffness, .range = PKM_RANGE_NOT_NEGATIVE},
                               {"damping", "along the line of two points", PKM_KEY_NUMBER,
                                AT(damping), &pkm_dim_damping, .range = PKM_RANGE_NOT_NEGATIVE},
                               {"length", "at which it is free", PKM_KEY_NUMBER, AT(free_length),
                                &pkm_dim_length, PKM_RANGE_NOT_NEGATIVE, .must = true},
                               {"preload", "at this length, positive: it pulls", PKM_KEY_NUMBER,
                                AT(preload), .dimension = &pkm_dim_force},
                               {.name = NULL}};

const pkm_element_type pkm_element_spring = {.word = "spring",
                                             .place = PKM_BETWEEN_MARKERS,
                                             .key = keys,
                                             .check = check,
                                             .wrench = wrench,
                                             .slopes = slopes};
