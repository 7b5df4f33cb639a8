// Inverse dynamics of an instant by the closed form, behind the verbs of inverse_run.c.
#include "base/error.h"
#include "robot/inverse_run_impl.h"

#include <string.h>

static pkm_status begin(pkm_inverse_walk* w, pkm_error* err)
{
    return pkm_closed_follow_begin(w->robot, w->motion, &w->closed, err);
}

static pkm_status go(pkm_inverse_walk* w, double t, pkm_error* err)
{
    return pkm_closed_follow_to(&w->closed, t, err);
}

static void read_nearness(pkm_inverse_walk* w, double t)
{
    const pkm_closed_follower* c = &w->closed;
    if (!w->columns.nearness) return;
    if (w->is_look)
        pkm_nearness_glance_closed(&w->near, &c->config, &c->watch);
    else
        pkm_nearness_read_closed(&w->near, t, &c->config, &c->watch);
}

static pkm_status read(pkm_inverse_walk* w, double t, pkm_run_instant* out, pkm_error* err)
{
    const pkm_closed_follower* c = &w->closed;
    read_nearness(w, t);
    out->tool = c->tool;
    memcpy(out->q, c->config.q, sizeof c->config.q);
    memcpy(out->v, c->qd, sizeof c->qd);
    memcpy(out->a, c->qdd, sizeof c->qdd);
    const pkm_status status =
        pkm_closed_inverse_dynamics(w->robot->closed, &c->config, &c->tool, c->qd, c->qdd,
                                    w->settings->tool_force, w->settings->tool_torque, out->force);
    if (status != PKM_OK) // nearer to a singularity than the watch lets a motion come
        return pkm_fail(err, status,
                        "motion %s: t = %.6g s: its forces are not determined; "
                        "try another path, home or working mode",
                        pkm_motion_name(w->motion), t);
    // a closed form gives the sum of both energies only
    out->kinetic = pkm_closed_energy(w->robot->closed, &c->config, &c->tool, c->qd);
    w->energy_rate = NAN;
    // power of the load on the tool [W]
    w->fed = pkm_vec3_dot(w->settings->tool_force, out->tool.v) +
             pkm_vec3_dot(w->settings->tool_torque, out->tool.w);
    return PKM_OK;
}

/// A configuration, in whole doubles.
static int n_place(const pkm_inverse_walk* w)
{
    (void)w;
    return (int)((sizeof(pkm_closed_config) + sizeof(double) - 1) / sizeof(double));
}

static void save(const pkm_inverse_walk* w, double* place)
{
    memcpy(place, &w->closed.config, sizeof w->closed.config);
}

static pkm_status look(pkm_inverse_walk* w, double t, const double* place)
{
    pkm_closed_config from;
    memcpy(&from, place, sizeof from);
    return pkm_closed_follow_look(&w->closed, t, &from, NULL);
}

static const double* serial(const pkm_inverse_walk* w)
{
    return w->closed.watch.A_now;
}

static void look_serial(pkm_inverse_walk* w, double* M)
{
    const int n = w->near.passes.n;
    memcpy(M, w->closed.watch.A_now, (size_t)(n * n) * sizeof *M);
}

const pkm_inverse_way pkm_inverse_by_closed = {.begin = begin,
                                               .go = go,
                                               .read = read,
                                               .n_place = n_place,
                                               .save = save,
                                               .look = look,
                                               .serial = serial,
                                               .look_serial = look_serial};
