// A friction law of your own in the motors of a robot: what it takes from the drives.
//
//     friction_law robots/siax.yaml A.motor B.motor C.motor
#include <pkm/pkm.h>

#include <math.h>
#include <stdio.h>

/// Coulomb friction that falls with the speed and rises again (Stribeck), smooth at rest.
typedef struct law {
    double coulomb, breakaway, viscous; ///< [N m], [N m], [N m s/rad]
} law;

static double friction(void* user, double t, double q, double v)
{
    const law* f = user;
    const double slow = 0.05; // [rad/s]
    (void)t, (void)q;
    const double stribeck = (f->breakaway - f->coulomb) * exp(-v * v / (slow * slow));
    return -(f->coulomb + stribeck) * tanh(10.0 * v / slow) - f->viscous * v;
}

int main(int argc, char** argv)
{
    law mine = {.coulomb = 2.0, .breakaway = 3.0, .viscous = 0.5};
    pkm_robot* robot = NULL;
    pkm_run* run = NULL;
    pkm_answer *ideal = NULL, *real = NULL;
    pkm_error err;
    pkm_status status =
        pkm_robot_load(argc > 1 ? argv[1] : "robots/siax.yaml", NULL, 0, &robot, &err);
    if (status == PKM_OK) status = pkm_run_inverse(robot, NULL, &ideal, &err);
    if (status == PKM_OK) status = pkm_run_create(robot, &run, &err);
    for (int k = 2; k < argc && status == PKM_OK; ++k)
        status = pkm_run_add_force(run, argv[k], friction, &mine, &err);
    if (status == PKM_OK) status = pkm_run_inverse(robot, run, &real, &err);
    if (status == PKM_OK)
        printf("work of the drives: %.4f J, with friction %.4f J, of which %.4f J are lost\n",
               pkm_answer_value(ideal, "energy.drive_work"),
               pkm_answer_value(real, "energy.drive_work"),
               pkm_answer_value(real, "energy.damping_loss"));
    if (status != PKM_OK) fprintf(stderr, "%s\n", err.text);
    pkm_answer_free(real);
    pkm_answer_free(ideal);
    pkm_run_free(run);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
