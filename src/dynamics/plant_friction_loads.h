/// Loads of all surfaces with friction as a function of themselves, docs/theory/forces.md, (2.10)
/// and (2.11); only plant*.c include this.
#ifndef PKM_DYNAMICS_PLANT_FRICTION_LOADS_H
#define PKM_DYNAMICS_PLANT_FRICTION_LOADS_H

#include "dynamics/plant_impl.h"

/// A contact of a joint with friction.
typedef struct pkm_load_place {
    int item; ///< of the plant's friction
    pkm_joint_load load;
    double without;                ///< its load without friction [N]
    double now;                    ///< its load with the present reactions [N]
    double slope[6];               ///< derivative of `now` in them
    double weight[PKM_LOAD_PARTS]; ///< factor^2/magnitude of each part
} pkm_load_place;

/// At one instant the motion is given, and so are the directions of slip: the reactions of joints
/// with friction are r = base + D load, and each load is a sum of magnitudes of parts of r.
struct pkm_friction_loads {
    int n_contact, m;        ///< contacts, 6 n_friction
    pkm_load_place* contact; ///< [n_contact]
    double* D;               ///< [m x n_contact] reactions per load
    double* r0;              ///< [m] reactions without friction
    double *base, *r;        ///< [m] reactions without friction, with self-stress; now
    double *load, *change;   ///< [n_contact] loads; their steps
    double* sum;             ///< [n_contact] work
    double *side, *equal;    ///< [n_contact] a direction, and loads that are not stable
    double* J;               ///< [n_contact x n_contact] 1 - dload/dr D, factored
    int* pivot;              ///< [n_contact]
    pkm_reaction* settled;   ///< [n_friction] friction as it has settled
};

/// Loads that friction magnifies this much, and a tenth as much beyond those without friction, are
/// on their way to infinity; what Newton's method finds behind it belongs to another motion.
static const double PKM_FRICTION_MOST_GAIN = 1e3;

/// p->loads, where joints have friction. @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_friction_loads_create(pkm_plant* p);
void pkm_friction_loads_free(struct pkm_friction_loads* g);

/// Contacts of all joints at the present motion, with the bristles z (NULL: those of steady
/// sliding).
void pkm_friction_loads_list(pkm_plant* p, const double* z);
/// r0 and D at the present motion, by a solution for each contact; friction stays. `solve` finds
/// the reactions that belong to the friction of the items.
void pkm_friction_loads_probe(pkm_plant* p, void (*solve)(pkm_plant*));
/// Part `part` of the reaction `r` [6] (force, moment) of a joint.
pkm_vec3 pkm_friction_load_part(const pkm_load_part* part, const double* r);
/// Derivative of the load of contact `c` along the column `x` [m] of reactions.
double pkm_friction_load_slope(const pkm_load_place* c, const double* x);
/// Reactions of the present loads, the loads that they make (`now`) and their gradients; magnitudes
/// are rounded off over `round` [N] (2.12).
void pkm_friction_loads_read(struct pkm_friction_loads* g, double round);
/// J = 1 - dload/dr D, factored, at the reactions that were read last; false: it has no inverse.
bool pkm_friction_loads_factor(struct pkm_friction_loads* g);
/// Loads per load that is added from outside, at the factors there are (2.15).
double pkm_friction_loads_gain(struct pkm_friction_loads* g);
/// The largest load without friction [N].
double pkm_friction_loads_without(struct pkm_friction_loads* g);
/// Loads that belong to `base`, by Newton's method from the present ones. Reactions and factors
/// are theirs.
bool pkm_friction_loads_settle(struct pkm_friction_loads* g, double round);
/// Friction of all items at the present motion with the bristles z, by Newton's method in the
/// loads. False: not found.
bool pkm_friction_loads_solve(pkm_plant* p, const double* z, void (*solve)(pkm_plant*));

#endif
