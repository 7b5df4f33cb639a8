// Inverse dynamics inside a control loop at 1 kHz: every cycle turns wanted drive positions, rates
// and accelerations into drive forces. Nothing is allocated; the time per call is printed.
//
//     control_loop robots/siax.yaml
#include <pkm/pkm.h>

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { CYCLES = 20000 };
static const double PERIOD = 1e-3; // [s]

/// What the drives are to do at time `t`: swing about home, each a little later than the last.
static void wanted(const pkm_instant* home, int n_drive, double t, pkm_instant* now)
{
    const double swing = 0.1, w = 6.0; // [rad or m], [rad/s]
    for (int d = 0; d < n_drive; ++d) {
        const double phase = w * t - 0.5 * d;
        now->q[d] = home->q[d] + swing * (sin(phase) + sin(0.5 * d));
        now->v[d] = swing * w * cos(phase);
        now->a[d] = -swing * w * w * sin(phase);
    }
}

/// Run the loop; print the largest force and the mean processor time of a cycle.
static pkm_status run(pkm_robot* robot, pkm_method method, const char* name, pkm_error* err)
{
    const int n_drive = pkm_robot_n_drive(robot);
    const pkm_instant home = pkm_instant_home(robot);
    pkm_instant now = home;
    double largest = 0.0;
    const clock_t start = clock();
    for (int i = 0; i < CYCLES; ++i) {
        wanted(&home, n_drive, PERIOD * i, &now);
        const pkm_status status = pkm_inverse_at(robot, method, &now, err);
        if (status != PKM_OK) return status;
        for (int d = 0; d < n_drive; ++d) // here a controller would send now.force[d] to its drive
            largest = fmax(largest, fabs(now.force[d]));
    }
    const double used = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%-12s largest force %.9g %s, %.0f ns per call\n", name, largest,
           pkm_robot_drive_unit(robot, 0, -1), 1e9 * used / CYCLES);
    return PKM_OK;
}

int main(int argc, char** argv)
{
    pkm_robot* robot = NULL;
    pkm_error err;
    const char* model = argc > 1 ? argv[1] : "robots/siax.yaml";
    pkm_status status = pkm_robot_load(model, NULL, 0, &robot, &err);
    if (status == PKM_OK) status = run(robot, PKM_METHOD_ENGINE, "engine", &err);
    if (status == PKM_OK && pkm_robot_closed_form(robot))
        status = run(robot, PKM_METHOD_CLOSED, "closed form", &err);
    if (status != PKM_OK) fprintf(stderr, "%s\n", err.text);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
