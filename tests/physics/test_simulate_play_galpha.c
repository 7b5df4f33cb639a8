// SIAX with play by the implicit integrator, which locates no touch: the same repeatable figures.
#include "play_siax.h"

static void the_second_integrator_agrees(void)
{
    pkm_robot* robot = engine_load("siax");
    play_run p = play(robot, "integrator: galpha\ntolerance: 1e-5\n" SIAX_PLAY);
    siax_check(&p);
    play_free(&p);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(the_second_integrator_agrees);
    return check_report();
}
