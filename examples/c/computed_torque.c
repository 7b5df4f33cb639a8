// Computed torque at 1 kHz around a simulated robot: the loop that a controller runs. The robot has
// friction that the controller does not know; its model is the closed form.
//
//     computed_torque robots/siax.yaml
#include <pkm/pkm.h>

#include <math.h>
#include <stdio.h>

static const double PERIOD = 1e-3, W = 6.283185307179586 * 20.0; // [s], poles at 20 Hz [rad/s]

/// Forces for a_ref + kp e + kd e' at the drives' present positions and rates; raises `*error`.
static pkm_status control(pkm_robot* model, const pkm_motion* motion, double t,
                          const pkm_instant* now, pkm_instant* out, double* error, pkm_error* err)
{
    *out = (pkm_instant){.q = {0.0}};
    pkm_motion_drives(motion, t, out->q, out->v, out->a, NULL);
    pkm_motion_tool(motion, t, &out->tool, NULL); // a motion is one or the other
    pkm_status status = PKM_OK;
    if (!pkm_motion_is_drives(motion))
        status = pkm_kinematics_inverse(model, PKM_START_PRESENT, out, err);
    for (int d = 0; status == PKM_OK && d < pkm_robot_n_drive(model); ++d) {
        const double e = out->q[d] - now->q[d];
        out->a[d] += W * W * e + 2.0 * W * (out->v[d] - now->v[d]);
        out->q[d] = now->q[d];
        out->v[d] = now->v[d];
        *error = fmax(*error, fabs(e));
    }
    return status == PKM_OK ? pkm_inverse_at(model, PKM_METHOD_CLOSED, out, err) : status;
}

static pkm_status loop(pkm_robot* model, pkm_simulation* sim, pkm_error* err)
{
    const pkm_motion* motion = pkm_robot_get_motion(model, 0);
    const int cycles = (int)(pkm_motion_duration(motion) / PERIOD);
    double error = 0.0;
    for (int k = 0; k < cycles; ++k) {
        pkm_instant now, wanted;
        pkm_status status = pkm_simulation_get(sim, &now, err);
        if (status == PKM_OK)
            status = control(model, motion, PERIOD * k, &now, &wanted, &error, err);
        if (status == PKM_OK) status = pkm_simulation_set_forces(sim, wanted.force, err);
        if (status == PKM_OK) status = pkm_simulation_step(sim, PERIOD, err);
        if (status != PKM_OK) return status;
    }
    printf("%d cycles to t = %.3f s, largest error of a drive %.3g rad\n", cycles,
           pkm_simulation_time(sim), error);
    return PKM_OK;
}

int main(int argc, char** argv)
{
    const char* path = argc > 1 ? argv[1] : "robots/siax.yaml";
    pkm_robot *plant = NULL, *model = NULL;
    pkm_run* run = NULL;
    pkm_simulation* sim = NULL;
    pkm_error err;
    pkm_status status = pkm_robot_load(path, NULL, 0, &plant, &err);
    if (status == PKM_OK) status = pkm_robot_load(path, NULL, 0, &model, &err);
    if (status == PKM_OK) status = pkm_run_create(plant, &run, &err);
    if (status == PKM_OK) status = pkm_run_choose(run, "drives", "free", &err);
    if (status == PKM_OK)
        status = pkm_run_choose(run, "friction", "spherical: {static: 0.1, radius: 10 mm}", &err);
    if (status == PKM_OK) status = pkm_simulation_create(plant, run, &sim, &err);
    if (status == PKM_OK) status = loop(model, sim, &err);
    if (status != PKM_OK) fprintf(stderr, "%s\n", err.text);
    pkm_simulation_free(sim);
    pkm_run_free(run);
    pkm_robot_free(model);
    pkm_robot_free(plant);
    return pkm_status_exit_code(status);
}
