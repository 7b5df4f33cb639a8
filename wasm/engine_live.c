// A live run of the page: a simulation in slices, whose tool a hand pulls at.
#include "engine.h"

#include "base/error.h"
#include "pkm/simulation.h"

#include <math.h>
#include <string.h>

static struct {
    pkm_simulation* sim;
    int n_column, n_body;
    double* frame; ///< the row, the poses of the moving bodies [7 each], the force of the hand [3]
} live;

static void end(void)
{
    pkm_simulation_free(live.sim);
    free(live.frame);
    memset(&live, 0, sizeof live);
}

EXPORT(engine_live_end) int engine_live_end(void)
{
    end();
    engine_begin();
    return engine_end(PKM_OK, NULL);
}

static double* poses_at(void)
{
    return live.frame + live.n_column;
}

static pkm_status read_frame(pkm_vec3 force, pkm_error* err)
{
    double* at = poses_at() + 7 * live.n_body;
    PKM_TRY(pkm_simulation_read(live.sim, live.frame, err));
    at[0] = force.x;
    at[1] = force.y;
    at[2] = force.z;
    return pkm_simulation_body_poses(live.sim, (pkm_pose*)poses_at(), err);
}

static pkm_status begin(const char* text, pkm_error* err)
{
    pkm_run* run = NULL;
    pkm_status status = pkm_run_create(engine_here.robot, &run, err);
    if (status == PKM_OK) status = pkm_run_parse(run, text, "run.yaml", err);
    if (status == PKM_OK)
        status = pkm_simulation_create(engine_here.robot, run, &live.sim, err);
    pkm_run_free(run);
    if (status != PKM_OK) return status;
    live.n_column = pkm_simulation_n_column(live.sim);
    live.n_body = pkm_robot_n_body(engine_here.robot);
    live.frame = malloc((size_t)(live.n_column + 7 * live.n_body + 3) * sizeof(double));
    if (!live.frame) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return read_frame((pkm_vec3){0.0, 0.0, 0.0}, err);
}

/// Begin a live run as the run file `text` chooses it. The answer names the columns.
EXPORT(engine_live_begin) int engine_live_begin(const char* text)
{
    pkm_error err = {0};
    end();
    const pkm_status status = begin(text, &err);
    if (status != PKM_OK) {
        end();
        return engine_end(status, &err);
    }
    pkm_json* json = engine_begin();
    pkm_json_open_array(json, "columns");
    for (int c = 0; c < live.n_column; ++c) {
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", pkm_simulation_column_name(live.sim, c));
        pkm_json_put_string(json, "unit", pkm_simulation_column_unit(live.sim, c));
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    return engine_end(PKM_OK, NULL);
}

EXPORT(engine_live_frame) const double* engine_live_frame(void)
{
    return live.frame;
}

/// The hand: a spring and a damper from the tool to `to`, f = k (to - p) - c v, or a force that is
/// given (k = c = 0).
typedef struct hand {
    double k, c;          ///< [N/m], [N s/m]
    double to[3], give[3]; ///< [m], [N]
} hand;

static pkm_status pull(const hand* h, pkm_vec3* force, pkm_error* err)
{
    pkm_instant now;
    PKM_TRY(pkm_simulation_get(live.sim, &now, err));
    const pkm_vec3 p = now.tool.pose.p, v = now.tool.v;
    *force = (pkm_vec3){h->give[0] + h->k * (h->to[0] - p.x) - h->c * v.x,
                        h->give[1] + h->k * (h->to[1] - p.y) - h->c * v.y,
                        h->give[2] + h->k * (h->to[2] - p.z) - h->c * v.z};
    return pkm_simulation_set_wrench(live.sim, *force, (pkm_vec3){0.0, 0.0, 0.0}, err);
}

/// Go on by `n` slices of `dt` [s]; the hand's force is renewed before each where it pulls (h->k),
/// else set when it changes.
EXPORT(engine_live_step) int engine_live_step(double dt, int n, const double* h)
{
    static double last[3];
    const hand given = {h[0], h[1], {h[2], h[3], h[4]}, {h[5], h[6], h[7]}};
    pkm_error err = {0};
    pkm_status status = live.sim && live.frame
                            ? PKM_OK
                            : pkm_fail(&err, PKM_ERR_ARGUMENT, "there is no live run");
    pkm_vec3 force = {last[0], last[1], last[2]};
    const bool start = status == PKM_OK && pkm_simulation_time(live.sim) == 0.0;
    for (int k = 0; k < n && status == PKM_OK; ++k) {
        const bool changed = given.k > 0.0 || given.give[0] != last[0] || given.give[1] != last[1] ||
                             given.give[2] != last[2];
        if (changed || (start && k == 0)) status = pull(&given, &force, &err);
        last[0] = force.x;
        last[1] = force.y;
        last[2] = force.z;
        if (status == PKM_OK) status = pkm_simulation_step(live.sim, dt, &err);
    }
    if (status == PKM_OK) status = read_frame(force, &err);
    if (status != PKM_OK) return engine_end(status, &err);
    pkm_json_put_number(engine_begin(), "t", pkm_simulation_time(live.sim));
    return engine_end(PKM_OK, NULL);
}
