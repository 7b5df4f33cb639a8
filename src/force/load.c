// Loads that a run puts on bodies, and payloads that a tool carries. Signals in time give force and
// torque; both kinds tell when they jump, so that no step passes over it. Equations:
// docs/theory/forces.md, (3.1), (3.2).
#include "force/load.h"

#include "base/error.h"
#include "force/element.h"

// ---- forces and torques ------------------------------------------------------------------------

static pkm_vec3 vector_at(const pkm_signal s[3], double t)
{
    return (pkm_vec3){pkm_signal_at(&s[0], t), pkm_signal_at(&s[1], t), pkm_signal_at(&s[2], t)};
}

/// W = (f, tau + p x f) about the world origin (3.1), with f and tau turned by R where they are
/// given in the marker's axes.
pkm_wrench pkm_load_at(const pkm_load* load, double t, pkm_pose marker)
{
    pkm_vec3 force = vector_at(load->force, t), torque = vector_at(load->torque, t);
    if (load->axes == PKM_LOAD_BODY) {
        const pkm_mat3 R = pkm_mat3_from_quat(marker.q);
        force = pkm_mat3_mul(R, force);
        torque = pkm_mat3_mul(R, torque);
    }
    return pkm_wrench_at(marker.p, force, torque);
}

static double earlier(double a, double b)
{
    return b < a ? b : a;
}

double pkm_load_next_break(const pkm_load* load, double t)
{
    double next = INFINITY;
    for (int i = 0; i < 3; ++i) {
        next = earlier(next, pkm_signal_next_break(&load->force[i], t));
        next = earlier(next, pkm_signal_next_break(&load->torque[i], t));
    }
    return next;
}

bool pkm_load_curves(const pkm_load* load)
{
    for (int i = 0; i < 3; ++i)
        if (load->force[i].kind == PKM_SIGNAL_FORMULA || load->torque[i].kind == PKM_SIGNAL_FORMULA)
            return true;
    return false;
}

// ---- element -----------------------------------------------------------------------------------

static void wrench(const void* data, const pkm_element_motion* m, const double* z, void* out)
{
    (void)z;
    *(pkm_pair_force*)out = (pkm_pair_force){.on_b = pkm_load_at(data, m->t, m->b.pose)};
}

static double breaks(const void* data, double t)
{
    return pkm_load_next_break(data, t);
}

static bool is_silent(const pkm_signal* s)
{
    return s->kind == PKM_SIGNAL_CONSTANT && s->value == 0.0;
}

static bool twists(const void* data)
{
    const pkm_load* load = data;
    return !is_silent(&load->torque[0]) || !is_silent(&load->torque[1]) ||
           !is_silent(&load->torque[2]);
}

_Static_assert(sizeof(pkm_load) <= PKM_ELEMENT_SIZE, "loads are the largest elements");

const pkm_element_type pkm_element_load = {
    .word = "force", .place = PKM_AT_MARKER, .wrench = wrench, .breaks = breaks, .twists = twists};

// ---- payloads ----------------------------------------------------------------------------------

/// A body has principal moments that are not negative and of which none exceeds the other two.
static bool is_inertia(const double inertia[6])
{
    static const double SLACK = 1e-9; // rounding of what people write
    double moment[3];
    for (int i = 0; i < 6; ++i)
        if (!isfinite(inertia[i])) return false;
    pkm_mass_principal(inertia, moment);
    const double room = SLACK * moment[2];
    return moment[0] >= -room && moment[2] <= moment[0] + moment[1] + room;
}

pkm_status pkm_payload_check(const pkm_payload* payload, const char* name, pkm_error* err)
{
    const pkm_mass* m = &payload->mass;
    if (!(payload->pick_up < payload->drop)) {
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: dropped at %g s, expected later than %g s",
                        name, payload->drop, payload->pick_up);
    }
    if (!(isfinite(m->mass) && m->mass > 0.0))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: mass %g kg, expected > 0", name, m->mass);
    if (!isfinite(m->com.x) || !isfinite(m->com.y) || !isfinite(m->com.z))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: its centre of mass is not finite", name);
    if (!is_inertia(m->inertia))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: no body has this inertia tensor", name);
    return PKM_OK;
}

/// Picked up at the first, third ... of its times and dropped at the second, fourth ...
static bool is_carried(const pkm_payload* p, double t)
{
    if (p->n_time == 0) return p->pick_up <= t && t < p->drop;
    int passed = 0;
    while (passed < p->n_time && p->time[passed] <= t)
        ++passed;
    return passed % 2 == 1;
}

/// All that is carried at t as one body (3.2).
pkm_mass pkm_payload_at(const pkm_payload* payload, int n, double t)
{
    pkm_mass all = {0};
    for (int i = 0; i < n; ++i)
        if (is_carried(&payload[i], t))
            all = all.mass > 0.0 ? pkm_mass_add(all, payload[i].mass) : payload[i].mass;
    return all;
}

double pkm_payload_next_break(const pkm_payload* payload, int n, double t)
{
    double next = INFINITY;
    for (int i = 0; i < n; ++i) {
        const double once[2] = {payload[i].pick_up, payload[i].drop};
        const int n_time = payload[i].n_time > 0 ? payload[i].n_time : 2;
        const double* time = payload[i].n_time > 0 ? payload[i].time : once;
        for (int k = 0; k < n_time; ++k)
            if (time[k] > t) next = earlier(next, time[k]);
    }
    return next;
}
