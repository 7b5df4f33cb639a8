/// A cable: a spring and damper between two points that pulls and never pushes.
/// Equations: docs/theory/forces.md, section 4.
#include "base/error.h"
#include "force/element.h"
#include "force/expect.h"
#include "model/key.h"

typedef struct cable {
    double stiffness;   ///< [N/m] when taut
    double damping;     ///< [N s/m]
    double free_length; ///< [m]: shorter, it hangs slack
} cable;

static double length_of(const pkm_element_motion* m)
{
    return pkm_vec3_norm(pkm_vec3_sub(m->b.pose.p, m->a.pose.p));
}

static pkm_status check(const void* data, const char* name, pkm_error* err)
{
    const cable* c = data;
    PKM_TRY(pkm_expect_not_negative(name, "damping", c->damping, err));
    PKM_TRY(pkm_expect_not_negative(name, "length", c->free_length, err));
    return pkm_expect_positive(name, "stiffness", c->stiffness, err);
}

/// T = k s (1 + d s'/(k s)) of the stretch s > 0, never below zero (4.8). What the damper takes is
/// (T - k s) s', also where it would push and the cable goes slack before s = 0.
static void wrench(const void* data, const pkm_element_motion* m, const double* z, void* out)
{
    const cable* c = data;
    const pkm_vec3 way = pkm_vec3_sub(m->b.pose.p, m->a.pose.p), none = {0.0, 0.0, 0.0};
    const double stretch = pkm_vec3_norm(way) - c->free_length;
    (void)z;
    *(pkm_pair_force*)out = (pkm_pair_force){.energy = 0.0};
    if (!(stretch > 0.0)) return;
    const pkm_vec3 u = pkm_vec3_unit(way);
    const pkm_vec3 v_a = pkm_twist_at(m->a.twist, m->a.pose.p);
    const pkm_vec3 v_b = pkm_twist_at(m->b.twist, m->b.pose.p);
    const double rate = pkm_vec3_dot(u, pkm_vec3_sub(v_b, v_a));
    const double elastic = c->stiffness * stretch, pull = elastic + c->damping * rate;
    const double tension = pull > 0.0 ? pull : 0.0;
    *(pkm_pair_force*)out =
        (pkm_pair_force){.on_b = pkm_wrench_at(m->b.pose.p, pkm_vec3_scale(-tension, u), none),
                         .energy = 0.5 * elastic * stretch,
                         .dissipated = (tension - elastic) * rate};
}

/// Taut it is a spring, slack it is nothing.
static int slopes(const void* data, const pkm_element_motion* m, pkm_element_slope* out)
{
    const cable* c = data;
    const double stretch = length_of(m) - c->free_length;
    const bool is_taut = stretch > 0.0;
    *out = (pkm_element_slope){.kind = PKM_SLOPE_LINE,
                               .stiffness = is_taut ? c->stiffness : 0.0,
                               .damping = is_taut ? c->damping : 0.0,
                               .force = is_taut ? c->stiffness * stretch : 0.0};
    return 1;
}

static double gap(const void* data, const pkm_element_motion* m)
{
    return length_of(m) - ((const cable*)data)->free_length;
}

#define AT(member) offsetof(cable, member)
static const pkm_key keys[] = {{"stiffness", NULL, PKM_KEY_NUMBER, AT(stiffness),
                                &pkm_dim_stiffness, PKM_RANGE_NOT_NEGATIVE, .must = true},
                               {"damping", "along the line of two points, where it is taut",
                                PKM_KEY_NUMBER, AT(damping), &pkm_dim_damping,
                                .range = PKM_RANGE_NOT_NEGATIVE},
                               {"length", "above which it pulls", PKM_KEY_NUMBER, AT(free_length),
                                &pkm_dim_length, PKM_RANGE_NOT_NEGATIVE, .must = true},
                               {.name = NULL}};

const pkm_element_type pkm_element_cable = {.word = "cable",
                                            .place = PKM_BETWEEN_MARKERS,
                                            .is_one_sided = true,
                                            .key = keys,
                                            .check = check,
                                            .wrench = wrench,
                                            .slopes = slopes,
                                            .gap = gap};
