/// What unit tests of the plant share: the plant of a run, drives that nobody pushes.
#ifndef PKM_TESTS_PLANT_H
#define PKM_TESTS_PLANT_H

#include "dynamics/plant_impl.h"
#include "engine.h"
#include "robot/run_variant.h"
#include "run/run.h"

static inline void no_reference(void* user, double t, pkm_target* target)
{
    (void)user, (void)t;
    *target = (pkm_target){0};
}

static inline pkm_status no_force(void* user, double t, const pkm_state* state, const double* z,
                                  double* force, double* z_rate)
{
    (void)user, (void)t, (void)state, (void)z, (void)z_rate;
    memset(force, 0, PKM_MAX_DRIVE * sizeof *force);
    return PKM_OK;
}

/// What is made of a robot for a run, in this order.
typedef struct plant_parts {
    pkm_robot* given;
    pkm_run* run;
    pkm_run_variant* made;
    pkm_machine* robot;
    pkm_plant* plant;
} plant_parts;

/// The mechanism of the run, all drives prescribed or all free, and its plant; `actuation` is
/// copied. What could not be made is counted as a failure.
static inline void plant_make(plant_parts* p, bool prescribed, const pkm_actuation* actuation)
{
    pkm_error err = {0};
    bool all[PKM_MAX_DRIVE];
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        all[d] = prescribed;
    const pkm_effects* effects = &p->run->effects;
    pkm_status status = pkm_run_variant_create(p->given, effects, &p->made, &err);
    if (status == PKM_OK) status = pkm_robot_variant(p->given, &p->made->variant, &p->robot, &err);
    if (status == PKM_OK) {
        const pkm_plant_spec spec = {.structure = &p->robot->structure,
                                     .prescribed = all,
                                     .actuation = actuation,
                                     .n_friction = effects->n_friction,
                                     .friction = effects->friction,
                                     .n_clearance = effects->n_clearance,
                                     .clearance = effects->clearance};
        status = pkm_plant_create(p->robot->state, &spec, &p->plant, &err);
    }
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
}

static inline void plant_release(plant_parts* p)
{
    pkm_plant_free(p->plant);
    pkm_robot_variant_free(p->robot);
    pkm_run_variant_free(p->made);
    pkm_run_free(p->run);
    pkm_robot_free(p->given);
}

#endif
