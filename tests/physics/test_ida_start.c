// IDA starts at every payload and tolerance, and agrees with the explicit method: its first step is
// not so short that rounding drowns the multipliers.
#include "simulate.h"

static double end_angle(pkm_robot* robot, const char* choices)
{
    char text[200];
    snprintf(text, sizeof text, "motion: none\ndrives: free\nfor: 0.1 s\ninstants: 3\n%s", choices);
    sim_result run = sim_run_whole(robot, text);
    const double angle = pkm_table_n_row(run.table) == 3 ? sim_get(&run, 2, "qA.q") : NAN;
    sim_free(&run);
    return angle;
}

static void siax_falls_with_any_payload(void)
{
    static const char* const mass[] = {"m5: 4 kg",   "m5: 4.5 kg", "m5: 5 kg",
                                       "m5: 5.5 kg", "m5: 6 kg",   "m5: 7 kg"};
    for (int k = 0; k < 6; ++k) {
        pkm_robot* robot = sim_load_changed("siax", "m5: 5 kg", mass[k]);
        const double exact = end_angle(robot, "");
        CHECK_NEAR(end_angle(robot, "integrator: ida\n"), exact, 1e-5);
        CHECK_NEAR(end_angle(robot, "integrator: ida\ntolerance: 1e-7\n"), exact, 1e-6);
        pkm_robot_free(robot);
    }
}

int main(void)
{
    RUN(siax_falls_with_any_payload);
    return check_report();
}
