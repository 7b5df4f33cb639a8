// Many poses or states in one call (pkm/batch.h): a row that fails keeps its status and leaves the
// others alone.
#include "pkm/batch.h"

#include "base/error.h"
#include "pkm/workspace.h"
#include "robot/guard.h"
#include "robot/instant.h"

#include <math.h>
#include <string.h>

// ---- rows -------------------------------------------------------------------------------------

/// A row of a batch has ended: keep its status, and the sentence of the first that failed.
typedef struct rows {
    pkm_status first;
    pkm_status* status;
    pkm_error* err;
} rows;

static void note(rows* all, int i, pkm_status status, const pkm_error* why)
{
    if (all->status) all->status[i] = status;
    if (status == PKM_OK || all->first != PKM_OK) return;
    // the first row that fails is told, counted from 1; the others have their status
    all->first = pkm_fail(all->err, status, "row %d: %s", i + 1, why->text);
}

static void fill_nan(double* out, int n)
{
    for (int k = 0; k < n; ++k)
        out[k] = NAN;
}

static pkm_status check(const pkm_robot* robot, int n, const void* in, const void* out,
                        pkm_error* err)
{
    if (robot && n >= 0 && (n == 0 || (in && out))) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "batch: expected a robot, n >= 0 and arrays");
}

static pkm_status check_method(pkm_method method, pkm_error* err)
{
    if (method == PKM_METHOD_ENGINE || method == PKM_METHOD_CLOSED) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "batch: there is no method %d", (int)method);
}

/// x, y, z, then the quaternion w, x, y, z.
static pkm_pose read_pose(const double* x)
{
    return (pkm_pose){{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}};
}

static void write_pose(pkm_pose pose, double* out)
{
    const double x[] = {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    memcpy(out, x, sizeof x);
}

// ---- kinematics -------------------------------------------------------------------------------

/// Which of the closed form's solutions is the working mode of home.
static pkm_status find_solution(pkm_robot* robot, int* out, pkm_error* err)
{
    pkm_workspace_plan plan;
    if (!robot->closed)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "batch: %s has no closed form", robot->desc->name);
    PKM_TRY(pkm_workspace_plan_make(robot, &plan, err));
    // the plan of a map knows which solution is home's
    if (plan.method != PKM_METHOD_CLOSED)
        PKM_TRY(pkm_workspace_plan_set_method(&plan, PKM_METHOD_CLOSED, err));
    *out = plan.solution;
    return PKM_OK;
}

/// Independent of the rows before: the branch is that of home.
static pkm_status ik_closed(const pkm_robot* robot, int solution, const double* x, double* q,
                            pkm_error* why)
{
    const pkm_pose given = read_pose(x);
    pkm_pose pose;
    double beyond = NAN;
    PKM_TRY(pkm_check_pose(robot, &given, &pose, why));
    PKM_TRY(pkm_check_turn(robot, pose.q, why)); // closed forms of tools that do not turn ignore it
    const int n = pkm_closed_inverse_geometry(robot->closed, &pose, robot->closed_list,
                                              solution + 1, &beyond);
    if (n <= solution)
        return pkm_fail(why, PKM_ERR_UNREACHABLE, "the pose is out of reach by %.6g m", beyond);
    memcpy(q, robot->closed_list[solution].q, (size_t)robot->mech->n_drive * sizeof(double));
    return PKM_OK;
}

/// From where the last row left the robot: rows along a path keep their branch.
static pkm_status ik_engine(pkm_robot* robot, const double* x, double* q, pkm_error* why)
{
    pkm_instant at = {.tool.pose = read_pose(x)};
    PKM_TRY(pkm_kinematics_inverse(robot, PKM_START_PRESENT, &at, why));
    memcpy(q, at.q, (size_t)robot->mech->n_drive * sizeof(double));
    return PKM_OK;
}

pkm_status pkm_batch_ik(pkm_robot* robot, pkm_method method, int n, const double* pose, double* q,
                        pkm_status* status, pkm_error* err)
{
    int solution = 0;
    rows all = {.status = status, .err = err};
    PKM_TRY(check(robot, n, pose, q, err));
    PKM_HOLD(robot, err);
    PKM_TRY(check_method(method, err));
    if (method == PKM_METHOD_CLOSED) PKM_TRY(find_solution(robot, &solution, err));
    pkm_robot_go_home(robot);
    const int n_drive = robot->mech->n_drive;
    for (int i = 0; i < n; ++i) {
        pkm_error why = {.status = PKM_OK};
        double* out = q + (size_t)i * (size_t)n_drive;
        const double* x = pose + 7 * (size_t)i;
        const pkm_status now = method == PKM_METHOD_CLOSED
                                   ? ik_closed(robot, solution, x, out, &why)
                                   : ik_engine(robot, x, out, &why);
        // a row without an answer holds no number that could be taken for one
        if (now != PKM_OK) fill_nan(out, n_drive);
        note(&all, i, now, &why);
    }
    return all.first;
}

pkm_status pkm_batch_fk(pkm_robot* robot, int n, const double* q, double* pose, pkm_status* status,
                        pkm_error* err)
{
    rows all = {.status = status, .err = err};
    PKM_TRY(check(robot, n, q, pose, err));
    PKM_HOLD(robot, err);
    pkm_robot_go_home(robot);
    const size_t n_drive = (size_t)robot->mech->n_drive;
    for (int i = 0; i < n; ++i) {
        pkm_error why = {.status = PKM_OK};
        pkm_instant at = {.q = {0.0}};
        memcpy(at.q, q + (size_t)i * n_drive, n_drive * sizeof(double));
        const pkm_status now = pkm_kinematics_forward(robot, PKM_START_PRESENT, &at, &why);
        if (now == PKM_OK)
            write_pose(at.tool.pose, pose + 7 * (size_t)i);
        else
            fill_nan(pose + 7 * (size_t)i, 7);
        note(&all, i, now, &why);
    }
    return all.first;
}

// ---- dynamics ---------------------------------------------------------------------------------

pkm_status pkm_batch_inverse(pkm_robot* robot, pkm_method method, int n, const double* q,
                             const double* v, const double* a, const double* wrench, double* force,
                             pkm_status* status, pkm_error* err)
{
    rows all = {.status = status, .err = err};
    PKM_TRY(check(robot, n, q, force, err));
    PKM_HOLD(robot, err);
    pkm_robot_go_home(robot);
    const size_t n_drive = (size_t)robot->mech->n_drive, size = n_drive * sizeof(double);
    for (int i = 0; i < n; ++i) {
        const size_t at = (size_t)i * n_drive;
        pkm_error why = {.status = PKM_OK};
        pkm_instant now = {.q = {0.0}};
        memcpy(now.q, q + at, size);
        if (v) memcpy(now.v, v + at, size);
        if (a) memcpy(now.a, a + at, size);
        if (wrench) {
            const double* w = wrench + 6 * (size_t)i;
            now.tool_force = (pkm_vec3){w[0], w[1], w[2]};
            now.tool_torque = (pkm_vec3){w[3], w[4], w[5]};
        }
        const pkm_status done = pkm_inverse_at(robot, method, &now, &why);
        if (done == PKM_OK)
            memcpy(force + at, now.force, size);
        else
            fill_nan(force + at, robot->mech->n_drive);
        note(&all, i, done, &why);
    }
    return all.first;
}

/// Accelerations of about the size of what else acts, a power of two: differences of forces keep
/// their digits at any rate.
static double unit_acceleration(const pkm_instant* now, int n)
{
    const pkm_vec3 f = now->tool_force, t = now->tool_torque;
    double size = 1.0 + fabs(f.x) + fabs(f.y) + fabs(f.z) + fabs(t.x) + fabs(t.y) + fabs(t.z);
    int exponent;
    for (int k = 0; k < n; ++k)
        // Coriolis terms grow with the square of the rates
        size += now->v[k] * now->v[k];
    frexp(size, &exponent);
    return ldexp(1.0, exponent - 1);
}

pkm_status pkm_dynamics_at(pkm_robot* robot, pkm_method method, const pkm_instant* now, double* M,
                           double* h, pkm_error* err)
{
    if (!robot || !now || !M || !h)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_dynamics_at: an argument is NULL");
    PKM_HOLD(robot, err);
    const int n = robot->mech->n_drive;
    const double unit = unit_acceleration(now, n);
    // force(a) = M a + h is affine in a: h at a = 0, and a column for each acceleration
    pkm_instant at = *now;
    memset(at.a, 0, sizeof at.a);
    PKM_TRY(pkm_inverse_at(robot, method, &at, err));
    memcpy(h, at.force, (size_t)n * sizeof(double));
    for (int k = 0; k < n; ++k) {
        at = *now;
        memset(at.a, 0, sizeof at.a);
        // a column of M: what one acceleration adds to the forces
        at.a[k] = unit;
        PKM_TRY(pkm_inverse_at(robot, method, &at, err));
        for (int i = 0; i < n; ++i)
            M[i + k * n] = (at.force[i] - h[i]) / unit;
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k)
            // symmetric but for rounding
            M[i + k * n] = M[k + i * n] = 0.5 * (M[i + k * n] + M[k + i * n]);
    return PKM_OK;
}

/// x := M^-1 x by Cholesky's factors M = L L', written over M. False: M is not positive definite.
static bool solve(double* M, int n, double* x)
{
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < k; ++j)
            for (int i = k; i < n; ++i)
                M[i + k * n] -= M[i + j * n] * M[k + j * n];
        // NaN fails here, too
        if (!(M[k + k * n] > 0.0)) return false;
        const double root = sqrt(M[k + k * n]);
        for (int i = k; i < n; ++i)
            M[i + k * n] /= root;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j)
            x[i] -= M[i + j * n] * x[j];
        x[i] /= M[i + i * n];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j)
            x[i] -= M[j + i * n] * x[j];
        x[i] /= M[i + i * n];
    }
    return true;
}

pkm_status pkm_forward_at(pkm_robot* robot, pkm_method method, pkm_instant* now, pkm_error* err)
{
    double M[PKM_MAX_DRIVE * PKM_MAX_DRIVE], h[PKM_MAX_DRIVE], a[PKM_MAX_DRIVE];
    if (!robot || !now)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_forward_at: an argument is NULL");
    PKM_HOLD(robot, err);
    PKM_TRY(pkm_dynamics_at(robot, method, now, M, h, err));
    const int n = robot->mech->n_drive;
    if (!pkm_all_finite(now->force, n))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "pkm_forward_at: a force is not finite");
    for (int i = 0; i < n; ++i)
        a[i] = now->force[i] - h[i];
    if (!solve(M, n, a))
        return pkm_fail(err, PKM_ERR_SINGULAR, "the mass matrix of the drives is singular");
    pkm_instant at = *now;
    memcpy(at.a, a, (size_t)n * sizeof(double));
    PKM_TRY(pkm_inverse_at(robot, method, &at, err));
    memcpy(now->a, a, (size_t)n * sizeof(double));
    now->tool = at.tool;
    return PKM_OK;
}
