// Computed torque at 1 kHz around a simulated robot: the controller is a function that the
// simulation calls. The robot has friction that the controller does not know; its model is the
// closed form.
//
//     computed_torque robots/siax.yaml
#include <pkm/pkm.h>

#include <math.h>
#include <stdio.h>

static const double PERIOD = 1e-3, W = 6.283185307179586 * 20.0; // [s], poles at 20 Hz [rad/s]

/// What the controller knows and what it notes.
typedef struct controller {
    pkm_robot* model;
    const pkm_motion* motion;
    int cycles;
    double error; ///< the largest of a drive
    pkm_status status;
    pkm_error err;
} controller;

/// Forces for a_ref + kp e + kd e' at the drives' present positions and rates.
static bool control(void* user, double t, const pkm_instant* now, double* force)
{
    controller* c = user;
    pkm_instant out = {.q = {0.0}};
    pkm_motion_drives(c->motion, t, out.q, out.v, out.a, NULL);
    pkm_motion_tool(c->motion, t, &out.tool, NULL); // a motion is one or the other
    if (!pkm_motion_is_drives(c->motion))
        c->status = pkm_kinematics_inverse(c->model, PKM_START_PRESENT, &out, &c->err);
    for (int d = 0; d < pkm_robot_n_drive(c->model); ++d) {
        const double e = out.q[d] - now->q[d];
        out.a[d] += W * W * e + 2.0 * W * (out.v[d] - now->v[d]);
        out.q[d] = now->q[d];
        out.v[d] = now->v[d];
        c->error = fmax(c->error, fabs(e));
    }
    if (c->status == PKM_OK) c->status = pkm_inverse_at(c->model, PKM_METHOD_CLOSED, &out, &c->err);
    for (int d = 0; d < pkm_robot_n_drive(c->model); ++d)
        force[d] = out.force[d];
    ++c->cycles;
    return c->status == PKM_OK;
}

int main(int argc, char** argv)
{
    const char* path = argc > 1 ? argv[1] : "robots/siax.yaml";
    pkm_robot* plant = NULL;
    pkm_run* run = NULL;
    pkm_answer* answer = NULL;
    controller c = {.model = NULL};
    pkm_error err;
    pkm_status status = pkm_robot_load(path, NULL, 0, &plant, &err);
    if (!status) status = pkm_robot_load(path, NULL, 0, &c.model, &err);
    if (!status) status = pkm_run_create(plant, &run, &err);
    if (!status) status = pkm_run_choose(run, "drives", "free", &err);
    if (!status)
        status = pkm_run_choose(run, "friction", "spherical: {static: 0.1, radius: 10 mm}", &err);
    c.motion = pkm_robot_get_motion(c.model, 0);
    if (!status) status = pkm_run_set_controller(run, PERIOD, control, &c, &err);
    if (!status) status = pkm_run_simulate(plant, run, &answer, &err);
    if (!status)
        printf("%d cycles to t = %.3f s, largest error of a drive %.3g rad\n", c.cycles,
               pkm_answer_value(answer, "duration"), c.error);
    else
        fprintf(stderr, "%s\n", c.status ? c.err.text : err.text);
    pkm_answer_free(answer);
    pkm_run_free(run);
    pkm_robot_free(c.model);
    pkm_robot_free(plant);
    return pkm_status_exit_code(status);
}
