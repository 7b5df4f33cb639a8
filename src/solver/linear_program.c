#include "solver/linear_program.h"

#include "base/memory.h"

#include <glpk.h>

static const double TOLERANCE = 1e-9; // of bounds and reduced costs; variables are of order 1

struct pkm_lp {
    glp_prob* problem;
    int n;
    int* index;    ///< [1 + n] GLPK counts from 1
    double* value; ///< [1 + n]
};

pkm_status pkm_lp_create(int n, pkm_lp** out)
{
    *out = NULL;
    if (n < 1) return PKM_ERR_ARGUMENT;
    pkm_lp* lp = pkm_alloc(1, sizeof *lp);
    if (!lp) return PKM_ERR_MEMORY;
    lp->n = n;
    lp->index = pkm_alloc((size_t)n + 1, sizeof *lp->index);
    lp->value = pkm_alloc((size_t)n + 1, sizeof *lp->value);
    if (!lp->index || !lp->value) {
        pkm_lp_free(lp);
        return PKM_ERR_MEMORY;
    }
    glp_term_out(GLP_OFF);
    lp->problem = glp_create_prob();
    glp_set_obj_dir(lp->problem, GLP_MAX);
    glp_add_cols(lp->problem, n);
    for (int j = 0; j < n; ++j)
        pkm_lp_bound(lp, j, -1.0, 1.0);
    *out = lp;
    return PKM_OK;
}

void pkm_lp_free(pkm_lp* lp)
{
    if (!lp) return;
    if (lp->problem) glp_delete_prob(lp->problem);
    pkm_free(lp->index);
    pkm_free(lp->value);
    pkm_free(lp);
}

void pkm_lp_bound(pkm_lp* lp, int j, double low, double high)
{
    glp_set_col_bnds(lp->problem, j + 1, low == high ? GLP_FX : GLP_DB, low, high);
}

static int add_row(pkm_lp* lp, const double* a)
{
    int n = 0;
    for (int j = 0; j < lp->n; ++j) {
        if (a[j] == 0.0) continue;
        ++n;
        lp->index[n] = j + 1;
        lp->value[n] = a[j];
    }
    const int row = glp_add_rows(lp->problem, 1);
    glp_set_mat_row(lp->problem, row, n, lp->index, lp->value);
    return row;
}

void pkm_lp_add_below(pkm_lp* lp, const double* a, double high)
{
    glp_set_row_bnds(lp->problem, add_row(lp, a), GLP_UP, 0.0, high);
}

void pkm_lp_add_equal(pkm_lp* lp, const double* a, double value)
{
    glp_set_row_bnds(lp->problem, add_row(lp, a), GLP_FX, value, value);
}

pkm_status pkm_lp_solve(pkm_lp* lp, const double* c, double* x, double* value)
{
    glp_smcp settings;
    glp_init_smcp(&settings);
    settings.msg_lev = GLP_MSG_OFF;
    settings.tol_bnd = settings.tol_dj = TOLERANCE;
    for (int j = 0; j < lp->n; ++j)
        glp_set_obj_coef(lp->problem, j + 1, c[j]);
    if (glp_simplex(lp->problem, &settings) != 0) { // a basis that cannot be factored
        glp_std_basis(lp->problem);
        if (glp_simplex(lp->problem, &settings) != 0) return PKM_ERR_CONVERGENCE;
    }
    if (glp_get_status(lp->problem) != GLP_OPT) return PKM_ERR_CONVERGENCE;
    for (int j = 0; j < lp->n; ++j)
        x[j] = glp_get_col_prim(lp->problem, j + 1);
    *value = glp_get_obj_val(lp->problem);
    return PKM_OK;
}
