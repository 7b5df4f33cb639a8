// Freedoms that neither drives nor tool see: their locks must carry nothing, else forces are
// refused and the freedom is named. docs/theory/simulation.md, section 7.
#include "robot/idle.h"

#include "base/error.h"

#include <stdio.h>

void pkm_idle_name(const pkm_robot* robot, const pkm_structure* s, int i, char* out, size_t size)
{
    pkm_row_name(robot->mech, s->lock[i], out, size);
}

static const char* unit_of(const pkm_mechanism* mech, int r)
{
    return mech->row[r].kind == PKM_ROW_HOLD && mech->v_unit[mech->row[r].item] != 1.0 ? "N"
                                                                                       : "N m";
}

pkm_status pkm_idle_check(const pkm_robot* robot, pkm_given given, const pkm_structure* s,
                          int first, const char* motion, double t, pkm_error* err)
{
    const int n_idle = s->n_idle < s->n_lock ? s->n_idle : s->n_lock;
    int row = PKM_NONE;
    double moment = 0.0;
    if (first >= n_idle) return PKM_OK;
    const double part =
        pkm_idle_multiplier(robot->state, given, s->lock + first, n_idle - first, &row, &moment);
    if (part <= PKM_IDLE_LIMIT) return PKM_OK;
    char name[2 * PKM_MAX_NAME], when[2 * PKM_MAX_NAME] = "";
    pkm_row_name(robot->mech, row, name, sizeof name);
    if (motion) snprintf(when, sizeof when, "motion %s: t = %.6g s: ", motion, t);
    return pkm_fail(err, PKM_ERR_UNDETERMINED,
                    "%s%s: moves neither drives nor tool, and to hold it would take %.6g %s: the "
                    "forces depend on how it moves; expected `idle: integrate` (it moves by its "
                    "equation of motion, from rest in equilibrium), a drive and its motion for "
                    "that joint, or a simulation",
                    when, name, fabs(moment), unit_of(robot->mech, row));
}

pkm_status pkm_idle_require_none(const pkm_robot* robot, const char* who, pkm_error* err)
{
    const pkm_structure* s = &robot->structure;
    if (s->n_lock <= s->n_harmless || s->n_idle <= s->n_harmless) return PKM_OK;
    char name[2 * PKM_MAX_NAME];
    pkm_idle_name(robot, s, s->n_harmless, name, sizeof name);
    return pkm_fail(err, PKM_ERR_UNDETERMINED,
                    "%s: moves neither drives nor tool, but by itself; %s takes robots whose "
                    "drives hold all but the spins of symmetric rods: expected a drive for that "
                    "joint, or a simulation",
                    name, who);
}
