/// Idle spins that friction drives: rods without spin inertia.
#include "dynamics/plant_impl.h"

/// Bristles are taken as steady: their present moment hardly depends on the rate, so it does not
/// tell the spin. The law has one root then, also where it falls.
pkm_friction_law pkm_plant_spin_law(const pkm_friction_item* item)
{
    static const double SMOOTH = 1e-3; // [m/s]
    pkm_friction_law law = item->friction.law;
    if (item->n_z > 0) {
        law.mu_static = law.mu_dynamic;
        law.stiction_velocity = SMOOTH;
    }
    return law;
}

/// Surfaces of all joints of spin s as functions of its rate; the present reactions make their
/// loads. A joint between two parts of the rod does not feel the spin.
static void see_slides(pkm_plant* p, int s)
{
    p->spin[s].rate = 0.0;
    for (int k = 0; k < p->n_friction; ++k) {
        pkm_friction_item* item = &p->friction[k];
        item->n_slide = 0;
        if ((item->spin_a == s) == (item->spin_b == s)) continue;
        const pkm_vec3 line = item->spin_b == s ? item->line_b : pkm_vec3_scale(-1.0, item->line_a);
        const pkm_joint_motion motion = pkm_plant_loaded_motion(p, item);
        const pkm_joint_type type = p->state->mech->joint[item->joint].type;
        item->n_slide =
            pkm_joint_friction_slides(&item->friction, type, &motion, line, item->slide);
    }
}

/// Moment of friction about the line of the rod at the spin `rate`, from all its joints, with its
/// derivative.
static double spin_moment(const pkm_plant* p, double rate, double* slope)
{
    double sum = 0.0, one;
    *slope = 0.0;
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_friction_item* item = &p->friction[k];
        for (int i = 0; i < item->n_slide; ++i) {
            sum += pkm_joint_slide_moment(&item->spin_law, &item->slide[i], rate, &one);
            *slope += one;
        }
    }
    return sum;
}

static double closeness(double x)
{
    return 1e-13 * (1.0 + fabs(x));
}

/// Newton's method from the last rate, which the next one is near; false where moments do not fall
/// by half with every step.
static bool is_near(const pkm_plant* p, double* x)
{
    double before = HUGE_VAL, slope;
    for (int n = 0; n < 10; ++n) {
        const double now = spin_moment(p, *x, &slope);
        if (!(fabs(now) <= 0.5 * before) || !(slope < 0.0)) return false;
        *x -= now / slope;
        if (fabs(now / slope) <= closeness(*x)) return true;
        before = fabs(now);
    }
    return false;
}

/// The spin at which that moment vanishes. It falls with the rate, so a bracket is grown around the
/// last rate and closed by bisection with secant steps (Illinois).
static double bracketed_rate(const pkm_plant* p, double last)
{
    double lo = last - 1e-3, hi = last + 1e-3, slope;
    double at_lo = spin_moment(p, lo, &slope), at_hi = spin_moment(p, hi, &slope);
    for (double grow = 2e-3; at_lo < 0.0 && grow < 1e6; grow *= 4.0)
        at_lo = spin_moment(p, lo -= grow, &slope);
    for (double grow = 2e-3; at_hi > 0.0 && grow < 1e6; grow *= 4.0)
        at_hi = spin_moment(p, hi += grow, &slope);
    if (at_lo == at_hi) return 0.0; // no friction at all: the rod does not spin
    for (int n = 0; n < 100 && hi - lo > closeness(fabs(lo) + fabs(hi)); ++n) {
        const double x = n % 3 == 2 ? 0.5 * (lo + hi) : lo + (hi - lo) * at_lo / (at_lo - at_hi);
        const double now = spin_moment(p, x, &slope);
        if (now == 0.0) return x;
        if (now > 0.0) {
            lo = x;
            at_lo = now;
            at_hi *= 0.5;
        } else {
            hi = x;
            at_hi = now;
            at_lo *= 0.5;
        }
    }
    return 0.5 * (lo + hi);
}

void pkm_plant_settle_spins(pkm_plant* p)
{
    for (int s = 0; s < p->n_spin; ++s) {
        const double last = p->spin[s].rate;
        double rate = last;
        see_slides(p, s);
        p->spin[s].rate = is_near(p, &rate) ? rate : bracketed_rate(p, last);
    }
}
