/// A force that a program gives as a function: an element without a key in files.
#ifndef PKM_FORCE_USER_FORCE_H
#define PKM_FORCE_USER_FORCE_H

#include "force/element.h"

typedef struct pkm_user_force {
    double (*force)(void* user, double t, double q, double v); ///< [N, N m]
    void* user;
} pkm_user_force;

/// On a coordinate; its `word` is NULL, its data a pkm_user_force.
extern const pkm_element_type pkm_element_user;

#endif
