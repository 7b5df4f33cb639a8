// CVODE for y' = f(t, y): what it asks for, turned into the callbacks of pkm_ode.
// docs/theory/integrators.md, section 5.
#include "solver/bdf.h"

#include "base/error.h"
#include "base/memory.h"
#include "solver/step_control.h"
#include "solver/vector.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { MOST_FAILURES = 30 }; // of one step, before it is given up; CVODE's own 7 is soon used up
enum { SETUP_STEPS = 5 };    // with the same factors; contacts change faster than CVODE's own 20
static const double NEWTON_SHARE =
    0.1; // of the tolerance, that an iteration may leave: CVODE's own

struct pkm_bdf {
    int n;
    pkm_ode ode;
    pkm_ode_solver given;
    pkm_status broken; ///< the last failure of a callback, PKM_RETRY included

    SUNContext context;
    void* memory;
    N_Vector y;     ///< at t
    N_Vector y_old; ///< before the present step
    N_Vector work;
    SUNMatrix dense_matrix, no_matrix;
    SUNLinearSolver dense_solver, given_solver;

    double rtol, *atol; ///< [n] and the reach behind it
    double t, last, min_step;
    bool has_stepped;        ///< since the last start
    pkm_bdf_report finished; ///< counts before it
};

// ---- callbacks as CVODE wants them -------------------------------------------------------------

/// 0 fine, positive "try a shorter step", negative the end.
static int answer(pkm_bdf* bdf, pkm_status status)
{
    if (status == PKM_OK) return 0;
    bdf->broken = status;
    return status == PKM_RETRY ? 1 : -1;
}

static int rate(realtype t, N_Vector y, N_Vector dydt, void* user)
{
    pkm_bdf* bdf = user;
    return answer(bdf,
                  bdf->ode.rate(bdf->ode.user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dydt)));
}

/// The correction that puts y back on the constraints, and jumps: it moves all that CVODE
/// remembers, so that their rates and higher derivatives stay.
static int project(realtype t, N_Vector y, N_Vector correction, realtype tolerance, N_Vector error,
                   void* user)
{
    (void)tolerance, (void)error;
    pkm_bdf* bdf = user;
    N_VScale(1.0, y, correction);
    double* at = N_VGetArrayPointer(correction);
    pkm_status status = bdf->ode.project(bdf->ode.user, t, at);
    if (status == PKM_OK && bdf->ode.jump) status = bdf->ode.jump(bdf->ode.user, t, at);
    // CVODE adds the correction to all that it remembers
    N_VLinearSum(1.0, correction, -1.0, y, correction);
    return answer(bdf, status);
}

/// CVODE asks for a matrix 1 - c J; ours is known to the caller's solver alone.
static int factor(realtype t, N_Vector y, N_Vector dydt, SUNMatrix A, booleantype is_fine,
                  booleantype* is_new, realtype c, void* user, N_Vector work1, N_Vector work2,
                  N_Vector work3)
{
    (void)dydt, (void)A, (void)is_fine, (void)work1, (void)work2, (void)work3;
    pkm_bdf* bdf = user;
    // `is_fine` tells of a matrix that could be taken again: ours is made anew at every call
    *is_new = SUNTRUE;
    return answer(bdf, bdf->given.factor(bdf->ode.user, t, N_VGetArrayPointer(y), c));
}

static int solve(SUNLinearSolver solver, SUNMatrix A, N_Vector x, N_Vector b, realtype tolerance)
{
    (void)A, (void)tolerance;
    pkm_bdf* bdf = solver->content;
    N_VScale(1.0, b, x);
    bdf->given.solve(bdf->ode.user, N_VGetArrayPointer(x));
    return SUNLS_SUCCESS;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

/// The work has been done by `factor`.
static int set_up(SUNLinearSolver solver, SUNMatrix A)
{
    (void)solver, (void)A;
    return SUNLS_SUCCESS;
}

/// A matrix of a kind of the caller's own: CVODE asks for its making and does nothing with it.
static SUNMatrix_ID matrix_id(SUNMatrix A)
{
    (void)A;
    return SUNMATRIX_CUSTOM;
}

/// Weights of errors: what a step of the present length may leave (explicit_rk.h, `reach`).
static int weigh(N_Vector y, N_Vector weight, void* user)
{
    const pkm_bdf* bdf = user;
    const double *at = N_VGetArrayPointer(y), *reach = bdf->atol + bdf->n;
    double *w = N_VGetArrayPointer(weight), h = 0.0;
    CVodeGetCurrentStep(bdf->memory, &h);
    for (int i = 0; i < bdf->n; ++i) {
        // tolerance max(1, T/h) (7.4), with reach T [s] for velocities and 0 for all else
        const double loose = reach[i] > h && h > 0.0 ? reach[i] / h : 1.0;
        w[i] = 1.0 / (loose * (bdf->rtol * fabs(at[i]) + bdf->atol[i]));
    }
    return 0;
}

static void stay_quiet(int code, const char* module, const char* function, char* text, void* user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

// ---- life --------------------------------------------------------------------------------------

static bool create_solvers(pkm_bdf* bdf)
{
    bdf->no_matrix = SUNMatNewEmpty(bdf->context);
    bdf->given_solver = SUNLinSolNewEmpty(bdf->context);
    if (!bdf->no_matrix || !bdf->given_solver) return false;
    bdf->no_matrix->ops->getid = matrix_id;
    bdf->given_solver->ops->gettype = solver_type;
    bdf->given_solver->ops->setup = set_up;
    bdf->given_solver->ops->solve = solve;
    bdf->given_solver->content = bdf;
    return true;
}

/// SUNDIALS allocates for itself.
static bool create_parts(pkm_bdf* bdf)
{
    if (SUNContext_Create(NULL, &bdf->context) != 0) return false;
    bdf->memory = CVodeCreate(CV_BDF, bdf->context);
    N_Vector* const vector[] = {&bdf->y, &bdf->y_old, &bdf->work};
    for (int i = 0; i < 3; ++i) {
        *vector[i] = N_VNew_Serial(bdf->n, bdf->context);
        if (!*vector[i]) return false;
        pkm_vector_use_own(*vector[i]);
    }
    if (!bdf->memory || !create_solvers(bdf)) return false;
    N_VConst(0.0, bdf->y);
    return CVodeSetErrHandlerFn(bdf->memory, stay_quiet, NULL) == CV_SUCCESS &&
           CVodeInit(bdf->memory, rate, 0.0, bdf->y) == CV_SUCCESS &&
           CVodeSetUserData(bdf->memory, bdf) == CV_SUCCESS;
}

pkm_status pkm_bdf_create(int n, pkm_bdf** out)
{
    *out = NULL;
    if (n < 1) return PKM_ERR_ARGUMENT;
    pkm_bdf* bdf = pkm_alloc(1, sizeof *bdf);
    if (!bdf) return PKM_ERR_MEMORY;
    bdf->n = n;
    bdf->atol = pkm_alloc(2 * (size_t)n, sizeof(double));
    if (!bdf->atol || !create_parts(bdf)) {
        pkm_bdf_free(bdf);
        return PKM_ERR_MEMORY;
    }
    *out = bdf;
    return PKM_OK;
}

void pkm_bdf_free(pkm_bdf* bdf)
{
    if (!bdf) return;
    if (bdf->memory) CVodeFree(&bdf->memory);
    if (bdf->dense_solver) SUNLinSolFree(bdf->dense_solver);
    if (bdf->dense_matrix) SUNMatDestroy(bdf->dense_matrix);
    if (bdf->given_solver) SUNLinSolFreeEmpty(bdf->given_solver);
    if (bdf->no_matrix) SUNMatFreeEmpty(bdf->no_matrix);
    N_Vector const vector[] = {bdf->y, bdf->y_old, bdf->work};
    for (int i = 0; i < 3; ++i)
        if (vector[i]) N_VDestroy(vector[i]);
    if (bdf->context) SUNContext_Free(&bdf->context);
    pkm_free(bdf->atol);
    pkm_free(bdf);
}

/// The caller's solver, or dense matrices, which are made when they are first wanted.
static pkm_status choose_solver(pkm_bdf* bdf)
{
    if (bdf->given.factor) {
        if (CVodeSetLinearSolver(bdf->memory, bdf->given_solver, bdf->no_matrix) != CVLS_SUCCESS ||
            CVodeSetLinSysFn(bdf->memory, factor) != CVLS_SUCCESS)
            return PKM_ERR_MEMORY;
        return PKM_OK;
    }
    if (!bdf->dense_matrix) {
        bdf->dense_matrix = SUNDenseMatrix(bdf->n, bdf->n, bdf->context);
        if (!bdf->dense_matrix) return PKM_ERR_MEMORY;
        bdf->dense_solver = SUNLinSol_Dense(bdf->y, bdf->dense_matrix, bdf->context);
        if (!bdf->dense_solver) return PKM_ERR_MEMORY;
    }
    // dense matrices take differences of the rates, n of them
    const int flag = CVodeSetLinearSolver(bdf->memory, bdf->dense_solver, bdf->dense_matrix);
    return flag == CVLS_SUCCESS ? PKM_OK : PKM_ERR_MEMORY;
}

/// Hand the settings to CVODE.
static bool hand_over(pkm_bdf* bdf, const pkm_rk_settings* s)
{
    void* m = bdf->memory;
    const size_t n = (size_t)bdf->n;
    bdf->rtol = s->rtol;
    memcpy(bdf->atol, s->atol, n * sizeof(double));
    memset(bdf->atol + n, 0, n * sizeof(double));
    if (s->reach) memcpy(bdf->atol + n, s->reach, n * sizeof(double));
    return CVodeWFtolerances(m, weigh) == CV_SUCCESS &&
           CVodeSetInitStep(m, s->first_step) == CV_SUCCESS &&
           CVodeSetMaxStep(m, s->max_step) == CV_SUCCESS &&
           CVodeSetMaxErrTestFails(m, MOST_FAILURES) == CV_SUCCESS &&
           CVodeSetMaxConvFails(m, MOST_FAILURES) == CV_SUCCESS &&
           CVodeSetLSetupFrequency(m, SETUP_STEPS) == CV_SUCCESS &&
           // 0.1 is CVODE's own; runs may ask for more or less (section 5)
           CVodeSetNonlinConvCoef(m, s->newton_share > 0.0 ? s->newton_share : NEWTON_SHARE) ==
               CV_SUCCESS &&
           (!bdf->ode.project || CVodeSetProjFn(m, project) == CV_SUCCESS);
}

/// Start CVODE anew from t, y.
/// Nothing of the past holds after an event: order 1, and a first step of CVODE's own choice. The
/// counts of the run that ends are added up, since CVodeReInit clears them.
static pkm_status start_again(pkm_bdf* bdf)
{
    bdf->finished = pkm_bdf_get_report(bdf);
    bdf->has_stepped = false;
    bdf->last = 0.0;
    if (CVodeReInit(bdf->memory, bdf->t, bdf->y) != CV_SUCCESS) return PKM_ERR_ARGUMENT;
    return CVodeSetInitStep(bdf->memory, 0.0) == CV_SUCCESS ? PKM_OK : PKM_ERR_ARGUMENT;
}

static void set_state(pkm_bdf* bdf, const double* y)
{
    memcpy(N_VGetArrayPointer(bdf->y), y, (size_t)bdf->n * sizeof *y);
}

pkm_status pkm_bdf_begin(pkm_bdf* bdf, const pkm_ode* ode, const pkm_ode_solver* solver,
                         const pkm_rk_settings* settings, double t0, const double* y0)
{
    if (ode->n != bdf->n || !isfinite(t0) || !pkm_rk_settings_are_fine(settings, bdf->n))
        return PKM_ERR_ARGUMENT;
    bdf->ode = *ode;
    bdf->given = solver ? *solver : (pkm_ode_solver){0};
    bdf->t = t0;
    bdf->min_step = settings->min_step;
    set_state(bdf, y0);
    PKM_TRY(start_again(bdf));
    // counts of this run alone
    bdf->finished = (pkm_bdf_report){0};
    PKM_TRY(choose_solver(bdf));
    return hand_over(bdf, settings) ? PKM_OK : PKM_ERR_ARGUMENT;
}

/// Inside the last step, but for the rounding of its ends.
static bool is_inside(const pkm_bdf* bdf, double t)
{
    const double slack = 16.0 * DBL_EPSILON * (fabs(bdf->t) + bdf->last);
    // dense output is not asked for outside: a polynomial of high order leaves the solution there
    return t <= bdf->t + slack && t >= bdf->t - bdf->last - slack;
}

pkm_status pkm_bdf_move(pkm_bdf* bdf, double t, const double* y)
{
    if (!isfinite(t)) return PKM_ERR_ARGUMENT;
    if (y) set_state(bdf, y);
    bdf->t = t;
    return start_again(bdf);
}

// ---- steps -------------------------------------------------------------------------------------

/// What a failure of CVode means here.
static pkm_status meaning(const pkm_bdf* bdf, int flag)
{
    switch (flag) {
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_LSETUP_FAIL:
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR:
        return bdf->broken != PKM_OK ? bdf->broken : PKM_ERR_CONVERGENCE;
    case CV_MEM_FAIL:
        return PKM_ERR_MEMORY;
    case CV_ILL_INPUT:
        return PKM_ERR_ARGUMENT;
    default:
        return PKM_ERR_CONVERGENCE;
    }
}

/// After a failure CVODE is in the middle of a step: back to where it was, and start it again.
static pkm_status give_up(pkm_bdf* bdf, int flag)
{
    const pkm_status status = meaning(bdf, flag);
    N_VScale(1.0, bdf->y_old, bdf->y);
    PKM_TRY(start_again(bdf));
    return status;
}

pkm_status pkm_bdf_step(pkm_bdf* bdf, double t_limit)
{
    if (!isfinite(t_limit) || t_limit < bdf->t) return PKM_ERR_ARGUMENT;
    if (t_limit == bdf->t) return PKM_OK;
    if (t_limit - bdf->t <= 16.0 * DBL_EPSILON * fabs(t_limit)) { // the same but for rounding
        bdf->t = t_limit;
        return start_again(bdf);
    }
    bdf->broken = PKM_OK;
    bdf->has_stepped = true;
    N_VScale(1.0, bdf->y, bdf->y_old);
    double t = bdf->t;
    // near the limit the way that is left may be shorter than the shortest step
    const double least = fmin(pkm_step_least(bdf->min_step, t), t_limit - t);
    int flag = CVodeSetMinStep(bdf->memory, least);
    if (flag == CV_SUCCESS) flag = CVodeSetStopTime(bdf->memory, t_limit);
    if (flag == CV_SUCCESS) flag = CVode(bdf->memory, t_limit, bdf->y, &t, CV_ONE_STEP);
    if (flag < 0) return give_up(bdf, flag);
    bdf->last = t - bdf->t;
    // a stop time is met but for rounding: events want the number itself
    bdf->t = flag == CV_TSTOP_RETURN ? t_limit : t;
    return PKM_OK;
}

double pkm_bdf_time(const pkm_bdf* bdf)
{
    return bdf->t;
}

const double* pkm_bdf_state(const pkm_bdf* bdf)
{
    return N_VGetArrayPointer(bdf->y);
}

double pkm_bdf_last_step(const pkm_bdf* bdf)
{
    return bdf->last;
}

pkm_status pkm_bdf_dense(pkm_bdf* bdf, double t, double* y)
{
    if (!is_inside(bdf, t)) return PKM_ERR_ARGUMENT;
    // at the end itself the state, not the polynomial
    const bool is_now = t == bdf->t || bdf->last == 0.0;
    if (!is_now && CVodeGetDky(bdf->memory, t, 0, bdf->work) != CV_SUCCESS) return PKM_ERR_ARGUMENT;
    memcpy(y, N_VGetArrayPointer(is_now ? bdf->y : bdf->work), (size_t)bdf->n * sizeof *y);
    return PKM_OK;
}

pkm_bdf_report pkm_bdf_get_report(const pkm_bdf* bdf)
{
    pkm_bdf_report r = bdf->finished;
    if (!bdf->has_stepped) return r; // CVODE still has the counts of the run before
    long steps = 0, rejected = 0, failures = 0, rates = 0, more = 0, factors = 0;
    CVodeGetNumSteps(bdf->memory, &steps);
    CVodeGetNumErrTestFails(bdf->memory, &rejected);
    CVodeGetNumStepSolveFails(bdf->memory, &failures);
    CVodeGetNumRhsEvals(bdf->memory, &rates);
    CVodeGetNumLinRhsEvals(bdf->memory, &more);
    CVodeGetNumLinSolvSetups(bdf->memory, &factors);
    CVodeGetLastOrder(bdf->memory, &r.order);
    r.steps += steps;
    r.rejected += rejected;
    r.failures += failures;
    r.rates += rates + more;
    r.factors += factors;
    return r;
}
