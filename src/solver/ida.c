// What SUNDIALS asks as callbacks, with our own test of convergence; after a failure IDA stands in
// the middle of a step and is started again from its begin.
#include "solver/ida.h"

#include "base/error.h"
#include "base/memory.h"
#include "solver/dense_solver.h"
#include "solver/step_control.h"

#include <float.h>
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

static const double NEWTON_SHARE = 0.01;  // of the tolerance, left to the iteration
static const double NOTHING_TO_DO = 1e-5; // a first update of this share of it is not followed up
static const double WORST_RATE = 0.9;
enum { MOST_FAILURES = 30 }; // of one step, before it is given up; IDA's own 10 is soon used up

struct pkm_ida {
    int n;
    pkm_implicit system;
    bool* is_algebraic;
    pkm_status broken; ///< the last failure of a callback, PKM_RETRY included

    SUNContext context;
    void* memory;
    N_Vector y, yp;         ///< at t
    N_Vector y_old, yp_old; ///< before the present step
    N_Vector work;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    SUNNonlinearSolver newton;
    double last_update; ///< of the iteration, in the weighted norm

    double t, last, min_step;
    double direction;        ///< of the steps since the last start, 0: none yet
    pkm_ida_report finished; ///< counts before the last restart
};

// ---- callbacks as IDA wants them ---------------------------------------------------------------

/// 0 fine, positive "try a shorter step", negative the end.
static int answer(pkm_ida* ida, pkm_status status)
{
    if (status == PKM_OK) return 0;
    ida->broken = status;
    return status == PKM_RETRY ? 1 : -1;
}

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* user)
{
    pkm_ida* ida = user;
    return answer(ida, ida->system.residual(ida->system.user, t, N_VGetArrayPointer(y),
                                            N_VGetArrayPointer(yp), N_VGetArrayPointer(r)));
}

static int jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                    void* user, N_Vector work1, N_Vector work2, N_Vector work3)
{
    (void)r, (void)work1, (void)work2, (void)work3;
    pkm_ida* ida = user;
    return answer(ida, ida->system.jacobian(ida->system.user, t, c, N_VGetArrayPointer(y),
                                            N_VGetArrayPointer(yp), SUNDenseMatrix_Data(J)));
}

/// Does the iteration converge? By the rate of its last two updates (2.2). IDA's own test remembers
/// the rate of a fresh matrix and ends after one update while the matrix grows old: constraints
/// then drift.
static int judge(SUNNonlinearSolver newton, N_Vector y, N_Vector update, realtype tol,
                 N_Vector weight, void* user)
{
    (void)y;
    pkm_ida* ida = user;
    const double size = N_VWrmsNorm(update, weight), last = ida->last_update;
    // iterations count from 0
    int k = 0;
    SUNNonlinSolGetCurIter(newton, &k);
    ida->last_update = size;
    if (!(size <= DBL_MAX)) return SUN_NLS_CONV_RECVR;
    // a first update has no rate: unless it is nothing, a second one follows
    if (k == 0) return size <= NOTHING_TO_DO * tol ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
    const double theta = last > 0.0 ? size / last : 0.0;
    if (theta > WORST_RATE) return SUN_NLS_CONV_RECVR;
    return theta / (1.0 - theta) * size <= tol ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
}

static void stay_quiet(int code, const char* module, const char* function, char* text, void* user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

// ---- life --------------------------------------------------------------------------------------

/// SUNDIALS allocates for itself.
static bool create_parts(pkm_ida* ida)
{
    const sunindextype n = ida->n;
    if (SUNContext_Create(NULL, &ida->context) != 0) return false;
    ida->memory = IDACreate(ida->context);
    N_Vector* const vector[] = {&ida->y, &ida->yp, &ida->y_old, &ida->yp_old, &ida->work};
    for (int i = 0; i < 5; ++i) {
        *vector[i] = N_VNew_Serial(n, ida->context);
        if (!*vector[i]) return false;
    }
    ida->matrix = SUNDenseMatrix(n, n, ida->context);
    if (!ida->memory || !ida->matrix) return false;
    ida->solver = SUNLinSol_Dense(ida->y, ida->matrix, ida->context);
    ida->newton = SUNNonlinSol_Newton(ida->y, ida->context);
    if (!ida->solver || !ida->newton) return false;
    pkm_dense_solver_use_own(ida->solver);
    N_VConst(0.0, ida->y);
    N_VConst(0.0, ida->yp);
    return IDASetErrHandlerFn(ida->memory, stay_quiet, NULL) == IDA_SUCCESS &&
           IDAInit(ida->memory, residual, 0.0, ida->y, ida->yp) == IDA_SUCCESS &&
           IDASetUserData(ida->memory, ida) == IDA_SUCCESS &&
           IDASetLinearSolver(ida->memory, ida->solver, ida->matrix) == IDA_SUCCESS &&
           IDASetNonlinearSolver(ida->memory, ida->newton) == IDA_SUCCESS &&
           SUNNonlinSolSetConvTestFn(ida->newton, judge, ida) == SUN_NLS_SUCCESS;
}

pkm_status pkm_ida_create(int n, pkm_ida** out)
{
    *out = NULL;
    if (n < 1) return PKM_ERR_ARGUMENT;
    pkm_ida* ida = pkm_alloc(1, sizeof *ida);
    if (!ida) return PKM_ERR_MEMORY;
    ida->n = n;
    ida->is_algebraic = pkm_alloc((size_t)n, sizeof *ida->is_algebraic);
    if (!ida->is_algebraic || !create_parts(ida)) {
        pkm_ida_free(ida);
        return PKM_ERR_MEMORY;
    }
    *out = ida;
    return PKM_OK;
}

void pkm_ida_free(pkm_ida* ida)
{
    if (!ida) return;
    if (ida->memory) IDAFree(&ida->memory);
    if (ida->newton) SUNNonlinSolFree(ida->newton);
    if (ida->solver) SUNLinSolFree(ida->solver);
    if (ida->matrix) SUNMatDestroy(ida->matrix);
    N_Vector const vector[] = {ida->y, ida->yp, ida->y_old, ida->yp_old, ida->work};
    for (int i = 0; i < 5; ++i)
        if (vector[i]) N_VDestroy(vector[i]);
    if (ida->context) SUNContext_Free(&ida->context);
    pkm_free(ida->is_algebraic);
    pkm_free(ida);
}

static bool are_settings_fine(const pkm_ida_settings* s, int n)
{
    if (!(s->rtol >= 0.0) || !s->atol) return false;
    if (!(s->first_step >= 0.0) || !(s->min_step >= 0.0) || !(s->max_step >= 0.0)) return false;
    for (int i = 0; i < n; ++i)
        if (!(s->atol[i] > 0.0)) return false;
    return s->max_step == 0.0 || s->min_step <= s->max_step;
}

/// Hand the settings to IDA; vectors go through `work`, which IDA copies.
static bool hand_over(pkm_ida* ida, const pkm_ida_settings* s)
{
    void* m = ida->memory;
    double* work = N_VGetArrayPointer(ida->work);
    // absolute tolerances in the units of the unknowns
    for (int i = 0; i < ida->n; ++i)
        work[i] = s->atol[i];
    bool is_fine = IDASVtolerances(m, s->rtol, ida->work) == IDA_SUCCESS;
    // 1: differential, 0: algebraic, which the error test may leave out
    for (int i = 0; i < ida->n; ++i)
        work[i] = ida->is_algebraic[i] ? 0.0 : 1.0;
    is_fine = is_fine && IDASetId(m, ida->work) == IDA_SUCCESS;
    is_fine = is_fine && IDASetSuppressAlg(m, s->ignore_algebraic) == IDA_SUCCESS;
    is_fine = is_fine && IDASetInitStep(m, s->first_step) == IDA_SUCCESS;
    is_fine = is_fine && IDASetMaxStep(m, s->max_step) == IDA_SUCCESS;
    is_fine = is_fine && IDASetNonlinConvCoef(m, NEWTON_SHARE) == IDA_SUCCESS;
    is_fine = is_fine && IDASetMaxErrTestFails(m, MOST_FAILURES) == IDA_SUCCESS;
    is_fine = is_fine && IDASetMaxConvFails(m, MOST_FAILURES) == IDA_SUCCESS;
    return is_fine && IDASetJacFn(m, ida->system.jacobian ? jacobian : NULL) == IDALS_SUCCESS;
}

/// Start IDA anew from t, y, yp.
static pkm_status start_again(pkm_ida* ida)
{
    ida->direction = 0.0;
    ida->last = 0.0;
    const int flag = IDAReInit(ida->memory, ida->t, ida->y, ida->yp);
    return flag == IDA_SUCCESS ? PKM_OK : PKM_ERR_ARGUMENT;
}

static void set_state(pkm_ida* ida, const double* y, const double* yp)
{
    memcpy(N_VGetArrayPointer(ida->y), y, (size_t)ida->n * sizeof *y);
    memcpy(N_VGetArrayPointer(ida->yp), yp, (size_t)ida->n * sizeof *yp);
}

pkm_status pkm_ida_begin(pkm_ida* ida, const pkm_implicit* system, const pkm_ida_settings* settings,
                         double t0, const double* y0, const double* yp0)
{
    if (system->n != ida->n || !isfinite(t0) || !are_settings_fine(settings, ida->n))
        return PKM_ERR_ARGUMENT;
    ida->system = *system;
    for (int i = 0; i < ida->n; ++i)
        ida->is_algebraic[i] = system->is_algebraic && system->is_algebraic[i];
    ida->system.is_algebraic = ida->is_algebraic;
    ida->finished = (pkm_ida_report){0};
    ida->min_step = settings->min_step;
    ida->t = t0;
    set_state(ida, y0, yp0);
    PKM_TRY(start_again(ida));
    return hand_over(ida, settings) ? PKM_OK : PKM_ERR_ARGUMENT;
}

pkm_status pkm_ida_restart(pkm_ida* ida, double t, const double* y, const double* yp)
{
    if (!isfinite(t)) return PKM_ERR_ARGUMENT;
    // counts before IDA clears them
    ida->finished = pkm_ida_get_report(ida);
    ida->t = t;
    set_state(ida, y, yp);
    return start_again(ida);
}

// ---- steps -------------------------------------------------------------------------------------

/// What a failure of IDASolve means here.
static pkm_status meaning(const pkm_ida* ida, int flag)
{
    switch (flag) {
    case IDA_RES_FAIL:
    case IDA_FIRST_RES_FAIL:
        return ida->broken;
    case IDA_LSETUP_FAIL: // by our Jacobian, or no inverse
        return ida->broken != PKM_OK && ida->broken != PKM_RETRY ? ida->broken : PKM_ERR_SINGULAR;
    case IDA_MEM_FAIL:
        return PKM_ERR_MEMORY;
    case IDA_ILL_INPUT:
        return PKM_ERR_ARGUMENT;
    default:
        return PKM_ERR_CONVERGENCE;
    }
}

/// After a failure IDA is in the middle of a step: back to where it was, and start it again.
static pkm_status give_up(pkm_ida* ida, int flag)
{
    const pkm_status status = meaning(ida, flag);
    ida->finished = pkm_ida_get_report(ida);
    N_VScale(1.0, ida->y_old, ida->y);
    N_VScale(1.0, ida->yp_old, ida->yp);
    PKM_TRY(start_again(ida));
    return status;
}

pkm_status pkm_ida_step(pkm_ida* ida, double t_limit)
{
    if (!isfinite(t_limit)) return PKM_ERR_ARGUMENT;
    if (t_limit == ida->t) return PKM_OK;
    const double direction = t_limit < ida->t ? -1.0 : 1.0;
    // IDA does not turn round within a run
    if (ida->direction * direction < 0.0) {
        ida->finished = pkm_ida_get_report(ida);
        PKM_TRY(start_again(ida));
    }
    ida->direction = direction;
    ida->broken = PKM_OK;
    N_VScale(1.0, ida->y, ida->y_old);
    N_VScale(1.0, ida->yp, ida->yp_old);
    double t = ida->t;
    // near the limit the way that is left may be shorter than the shortest step
    const double least = fmin(pkm_step_least(ida->min_step, t), fabs(t_limit - t));
    int flag = IDASetMinStep(ida->memory, least);
    if (flag == IDA_SUCCESS) flag = IDASetStopTime(ida->memory, t_limit);
    if (flag == IDA_SUCCESS)
        flag = IDASolve(ida->memory, t_limit, &t, ida->y, ida->yp, IDA_ONE_STEP);
    if (flag < 0) return give_up(ida, flag);
    ida->last = t - ida->t;
    // as in bdf.c: the limit itself
    ida->t = flag == IDA_TSTOP_RETURN ? t_limit : t;
    return PKM_OK;
}

double pkm_ida_time(const pkm_ida* ida)
{
    return ida->t;
}

const double* pkm_ida_state(const pkm_ida* ida)
{
    return N_VGetArrayPointer(ida->y);
}

const double* pkm_ida_rate(const pkm_ida* ida)
{
    return N_VGetArrayPointer(ida->yp);
}

double pkm_ida_last_step(const pkm_ida* ida)
{
    return ida->last;
}

pkm_status pkm_ida_dense(pkm_ida* ida, double t, double* y, double* yp)
{
    // `ahead` counts along the direction of the steps, which may go backwards
    const double slack = 16.0 * DBL_EPSILON * (fabs(ida->t) + fabs(ida->last));
    const double ahead = (t - ida->t) * (ida->last < 0.0 ? -1.0 : 1.0);
    if (!(ahead <= slack) || !(ahead >= -fabs(ida->last) - slack)) return PKM_ERR_ARGUMENT;
    double* const out[] = {y, yp};
    for (int k = 0; k < 2; ++k) {
        if (!out[k]) continue;
        const N_Vector now = k == 0 ? ida->y : ida->yp;
        const bool is_now = t == ida->t || ida->last == 0.0;
        if (!is_now && IDAGetDky(ida->memory, t, k, ida->work) != IDA_SUCCESS)
            return PKM_ERR_ARGUMENT;
        memcpy(out[k], N_VGetArrayPointer(is_now ? now : ida->work), (size_t)ida->n * sizeof **out);
    }
    return PKM_OK;
}

pkm_ida_report pkm_ida_get_report(const pkm_ida* ida)
{
    pkm_ida_report r = ida->finished;
    if (ida->direction == 0.0) return r; // IDA still has the counts of the run before
    long steps = 0, rejected = 0, failures = 0, residuals = 0, more = 0, jacobians = 0;
    IDAGetNumSteps(ida->memory, &steps);
    IDAGetNumErrTestFails(ida->memory, &rejected);
    IDAGetNumStepSolveFails(ida->memory, &failures);
    IDAGetNumResEvals(ida->memory, &residuals);
    IDAGetNumLinResEvals(ida->memory, &more);
    IDAGetNumJacEvals(ida->memory, &jacobians);
    IDAGetLastOrder(ida->memory, &r.order);
    r.steps += steps;
    r.rejected += rejected;
    r.failures += failures;
    r.residuals += residuals + more;
    r.jacobians += jacobians;
    return r;
}
