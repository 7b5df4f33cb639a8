/// One robot per family of closed forms, with the dimensions of its file in robots/.
#ifndef PKM_BENCH_CLOSED_ROBOTS_H
#define PKM_BENCH_CLOSED_ROBOTS_H

#include "closed/closed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct closed_setting {
    const char* name;
    double value;
} closed_setting;

typedef struct closed_robot {
    const char* family;
    const closed_setting* setting; ///< ends with a NULL name
    pkm_vec3 home;                 ///< where the tool moves about, unturned [m]
    double target;                 ///< most that inverse dynamics may take [ns]; 0: none
} closed_robot;

/// The robots; the first one is model D.
const closed_robot* closed_robots(int* n_robot);

/// Bind the closed form of `robot`; NULL when that fails. Freed with pkm_closed_free.
pkm_closed* closed_robot_create(const closed_robot* robot);

#ifdef __cplusplus
}
#endif
#endif
