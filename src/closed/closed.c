// One door to all closed forms: parameters checked and completed, then geometry, B t = A q', its
// rate B t' = A q'' + c and inverse dynamics of the family. Called by robot/closed_*.c, workspaces
// and the generated code. What a family is: closed/closed.h; derivations: docs/theory/closed-*.md.
#include "closed/closed.h"

#include "base/error.h"
#include "base/memory.h"
#include "closed/families.h"
#include "closed/rates.h"

#include <math.h>
#include <string.h>

struct pkm_closed {
    const pkm_closed_family* family;
    max_align_t self[]; ///< family->size bytes, the family's own
};

// A new family is one new file and one entry here.
static const pkm_closed_family* const families[] = {
    &pkm_closed_delta, &pkm_closed_linear_delta, &pkm_closed_triglide,  &pkm_closed_pprs,
    &pkm_closed_ppsr,  &pkm_closed_isoglide_t3,  &pkm_closed_isoglide4, &pkm_closed_prrr2prpar,
};

const pkm_closed_family* const* pkm_closed_families(int* n_family)
{
    *n_family = (int)(sizeof families / sizeof families[0]);
    return families;
}

const pkm_closed_family* pkm_closed_find(const char* name)
{
    int n_family = 0;
    const pkm_closed_family* const* list = pkm_closed_families(&n_family);
    for (int k = 0; k < n_family; ++k) {
        if (strcmp(list[k]->name, name) == 0) return list[k];
    }
    return NULL;
}

static const char* what_is_expected(char expected, double value)
{
    // what prepare would divide by or take the root of is refused with its name
    switch (expected) {
    case '+':
        return value > 0.0 ? NULL : "> 0";
    case '0':
        return value >= 0.0 ? NULL : ">= 0";
    case 'n':
        return value >= 1.0 && value == floor(value) ? NULL : "a whole number >= 1";
    case 's':
        return value == 1.0 || value == -1.0 ? NULL : "+1 or -1";
    default:
        return NULL;
    }
}

pkm_status pkm_closed_check(const pkm_closed_family* family, const double* value,
                            const char* expected, pkm_error* err)
{
    PKM_ASSERT((int)strlen(expected) == family->n_parameter);
    for (int k = 0; k < family->n_parameter; ++k) {
        const pkm_closed_parameter* p = &family->parameter[k];
        const char* wanted = what_is_expected(expected[k], value[k]);
        if (!wanted || isnan(value[k])) continue; // NaN: not given, the family computes it
        const bool plain = strcmp(p->unit, "1") == 0;
        return pkm_fail(err, PKM_ERR_MODEL, "closed form %s: %s %g%s%s, expected %s", family->name,
                        p->name, value[k], plain ? "" : " ", plain ? "" : p->unit, wanted);
    }
    return PKM_OK;
}

/// The values with the fallbacks filled in. A fallback that is NaN is the family's to compute.
static pkm_status complete(const pkm_closed_family* family, const double* given, double* value,
                           pkm_error* err)
{
    for (int k = 0; k < family->n_parameter; ++k) {
        const pkm_closed_parameter* p = &family->parameter[k];
        if (isnan(given[k]) && p->required) {
            return pkm_fail(err, PKM_ERR_MODEL, "closed form %s: %s is missing (%s)", family->name,
                            p->name, p->text);
        }
        if (isinf(given[k])) {
            return pkm_fail(err, PKM_ERR_MODEL, "closed form %s: %s is infinite", family->name,
                            p->name);
        }
        value[k] = isnan(given[k]) ? p->fallback : given[k];
    }
    return PKM_OK;
}

pkm_status pkm_closed_create(const pkm_closed_family* family, const double* value, pkm_closed** out,
                             pkm_error* err)
{
    *out = NULL;
    double complete_value[PKM_CLOSED_MAX_PARAMETER];
    PKM_ASSERT(family->n_parameter <= PKM_CLOSED_MAX_PARAMETER);
    PKM_TRY(complete(family, value, complete_value, err));

    pkm_closed* closed = pkm_alloc(1, sizeof *closed + family->size);
    if (!closed)
        return pkm_fail(err, PKM_ERR_MEMORY, "closed form %s: out of memory", family->name);
    closed->family = family;
    const pkm_status status = family->prepare(closed->self, complete_value, err);
    if (status == PKM_OK) {
        *out = closed;
    } else {
        pkm_closed_free(closed);
    }
    return status;
}

/// Parameters have gravity along z first, where it mostly acts [m/s2].
pkm_vec3 pkm_closed_gravity(const double value[3])
{
    return (pkm_vec3){value[1], value[2], value[0]};
}

void pkm_closed_free(pkm_closed* closed)
{
    pkm_free(closed);
}

const pkm_closed_family* pkm_closed_get_family(const pkm_closed* closed)
{
    return closed->family;
}

const void* pkm_closed_get_self(const pkm_closed* closed)
{
    return closed->self;
}

int pkm_closed_inverse_geometry(const pkm_closed* closed, const pkm_pose* pose,
                                pkm_closed_config* out, int max, double* beyond)
{
    return closed->family->inverse_geometry(closed->self, pose, out, max, beyond);
}

int pkm_closed_direct_geometry(const pkm_closed* closed, const double* q, pkm_closed_config* out,
                               int max, double* beyond)
{
    return closed->family->direct_geometry(closed->self, q, out, max, beyond);
}

void pkm_closed_velocity(const pkm_closed* closed, const pkm_closed_config* config, double* B,
                         double* A)
{
    closed->family->velocity(closed->self, config, B, A);
}

bool pkm_closed_first(const pkm_closed* closed, const pkm_pose* pose, double* q, double* B,
                      double* A)
{
    const pkm_closed_family* family = closed->family;
    // maps want drives, B and A of the first solution: families may have a shorter way there
    if (family->first) return family->first(closed->self, pose, q, B, A);
    pkm_closed_config config;
    if (family->inverse_geometry(closed->self, pose, &config, 1, NULL) == 0) return false;
    memcpy(q, config.q, (size_t)family->n_drive * sizeof *q);
    family->velocity(closed->self, &config, B, A);
    return true;
}

bool pkm_closed_turns(const pkm_closed* closed, const double* B, double* C)
{
    if (!closed->family->turns) return false;
    closed->family->turns(closed->self, B, C);
    return true;
}

static double largest_entry(int n, const double* m, double at_least)
{
    double largest = at_least;
    for (int k = 0; k < n * n; ++k) {
        if (fabs(m[k]) > largest) largest = fabs(m[k]);
    }
    return largest;
}

/// Factor `m`, one of the velocity matrices B and A; their largest entry sets the scale.
static pkm_status factor(const double* m, const double* B, const double* A, int n, pkm_dense_lu* lu)
{
    const double scale = largest_entry(n, A, largest_entry(n, B, 0.0));
    pkm_dense_lu_factor(lu, m, n);
    // pivots have the units of B and A, as their entries do
    return lu->smallest > PKM_CLOSED_SINGULAR * scale ? PKM_OK : PKM_ERR_SINGULAR;
}

/// y = M x for an n x n column-major `m`; `y` is not `x`.
static void multiply(int n, const double* m, const double* x, double* y)
{
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int j = 0; j < n; ++j)
            sum += m[i + j * n] * x[j];
        y[i] = sum;
    }
}

/// The components of (linear, angular) that `moves` names, packed; and back, the others zero.
static void pack(unsigned moves, pkm_vec3 linear, pkm_vec3 angular, double* t)
{
    const double all[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int k = 0; k < 6; ++k) {
        if (moves >> k & 1u) *t++ = all[k];
    }
}

static void unpack(unsigned moves, const double* t, pkm_vec3* linear, pkm_vec3* angular)
{
    double all[6] = {0.0};
    for (int k = 0; k < 6; ++k) {
        if (moves >> k & 1u) all[k] = *t++;
    }
    *linear = (pkm_vec3){all[0], all[1], all[2]};
    *angular = (pkm_vec3){all[3], all[4], all[5]};
}

/// The tool from the drives: v, w and a, alpha by B t = A q', B t' = A q'' + c, with one
/// factorisation of B.
pkm_status pkm_closed_tool_motion_by(const pkm_closed* closed, const pkm_closed_config* config,
                                     const double* B, const double* A, const double* qd,
                                     const double* qdd, pkm_dense_lu* lu, pkm_frame_motion* tool)
{
    const pkm_closed_family* family = closed->family;
    const int n = family->n_drive;
    double t[PKM_CLOSED_MAX_DRIVE], c[PKM_CLOSED_MAX_DRIVE];
    PKM_TRY(factor(B, B, A, n, lu));

    // B t = A qd
    *tool = (pkm_frame_motion){.pose = config->pose};
    multiply(n, A, qd, t);
    pkm_dense_lu_solve(lu, t, t);
    unpack(family->moves, t, &tool->v, &tool->w);

    // B t' = A qdd + c
    family->bias(closed->self, config, qd, tool, c);
    multiply(n, A, qdd, t);
    for (int k = 0; k < n; ++k)
        t[k] += c[k];
    pkm_dense_lu_solve(lu, t, t);
    unpack(family->moves, t, &tool->a, &tool->alpha);
    return PKM_OK;
}

pkm_status pkm_closed_tool_motion(const pkm_closed* closed, const pkm_closed_config* config,
                                  const double* qd, const double* qdd, pkm_frame_motion* tool)
{
    double B[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    double A[PKM_CLOSED_MAX_DRIVE * PKM_CLOSED_MAX_DRIVE];
    pkm_dense_lu lu;
    pkm_closed_velocity(closed, config, B, A);
    return pkm_closed_tool_motion_by(closed, config, B, A, qd, qdd, &lu, tool);
}

/// The drives from the tool, by factors of A: it loses rank at serial singularities.
pkm_status pkm_closed_drive_motion_by(const pkm_closed* closed, const pkm_closed_config* config,
                                      const double* B, const double* A,
                                      const pkm_frame_motion* tool, double* qd, double* qdd,
                                      pkm_dense_lu* lu)
{
    const pkm_closed_family* family = closed->family;
    const int n = family->n_drive;
    double t[PKM_CLOSED_MAX_DRIVE], c[PKM_CLOSED_MAX_DRIVE];
    PKM_TRY(factor(A, B, A, n, lu));

    // A qd = B t
    pack(family->moves, tool->v, tool->w, t);
    multiply(n, B, t, qd);
    pkm_dense_lu_solve(lu, qd, qd);

    // A qdd = B t' - c
    family->bias(closed->self, config, qd, tool, c);
    pack(family->moves, tool->a, tool->alpha, t);
    multiply(n, B, t, qdd);
    for (int k = 0; k < n; ++k)
        qdd[k] -= c[k];
    pkm_dense_lu_solve(lu, qdd, qdd);
    return PKM_OK;
}

pkm_status pkm_closed_inverse_dynamics(const pkm_closed* closed, const pkm_closed_config* config,
                                       const pkm_frame_motion* tool, const double* qd,
                                       const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                       double* drive_force)
{
    return closed->family->inverse_dynamics(closed->self, config, tool, qd, qdd, force, torque,
                                            drive_force);
}

double pkm_closed_energy(const pkm_closed* closed, const pkm_closed_config* config,
                         const pkm_frame_motion* tool, const double* qd)
{
    return closed->family->energy(closed->self, config, tool, qd);
}
