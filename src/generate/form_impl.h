/// What the forms share: short words for operations, small systems, the families.
#ifndef PKM_GENERATE_FORM_IMPL_H
#define PKM_GENERATE_FORM_IMPL_H

#include "generate/form.h"

extern const pkm_form_family pkm_form_delta, pkm_form_linear_delta, pkm_form_triglide;
extern const pkm_form_family pkm_form_pprs, pkm_form_ppsr;
extern const pkm_form_family pkm_form_isoglide_t3, pkm_form_isoglide4, pkm_form_prrr2prpar;

/// Volumes of unit vectors and pivots below this are singular. Near a parallel singularity Cramer's
/// rule loses twice the digits that the problem does (closed/rod_pair.c goes on with pivots).
static const double PKM_FORM_SINGULAR = 1e-6;

static inline pkm_node number(pkm_form* f, double x)
{
    return pkm_graph_number(f->graph, x);
}

static inline pkm_node plus(pkm_form* f, pkm_node a, pkm_node b)
{
    return pkm_graph_add(f->graph, a, b);
}

static inline pkm_node minus(pkm_form* f, pkm_node a, pkm_node b)
{
    return pkm_graph_subtract(f->graph, a, b);
}

static inline pkm_node times(pkm_form* f, pkm_node a, pkm_node b)
{
    return pkm_graph_multiply(f->graph, a, b);
}

/// x a
static inline pkm_node scaled(pkm_form* f, double x, pkm_node a)
{
    return pkm_graph_multiply(f->graph, number(f, x), a);
}

static inline pkm_node square(pkm_form* f, pkm_node a)
{
    return times(f, a, a);
}

/// The root of `a`, where that is positive.
static inline pkm_node root_of(pkm_form* f, pkm_node a)
{
    pkm_form_require(f, a, 0.0);
    return pkm_graph_root(f->graph, a);
}

static inline pkm_node inverse_of(pkm_form* f, pkm_node a)
{
    return pkm_graph_divide(f->graph, 1, a);
}

static inline pkm_sym_vec3 constant(pkm_form* f, pkm_vec3 v)
{
    return pkm_sym_constant(f->graph, v);
}

static inline pkm_sym_mat3 unit_axes(void)
{
    return (pkm_sym_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

/// x + s y
static inline pkm_sym_vec3 along(pkm_form* f, pkm_sym_vec3 x, pkm_node s, pkm_sym_vec3 y)
{
    return pkm_sym_axpy(f->graph, x, s, y);
}

static inline pkm_node dot(pkm_form* f, pkm_sym_vec3 a, pkm_sym_vec3 b)
{
    return pkm_sym_dot(f->graph, a, b);
}

/// The acceleration of gravity, where it acts.
static inline pkm_sym_vec3 gravity_of(pkm_form* f, const pkm_form_motion* motion, pkm_vec3 g)
{
    return motion->weighs ? constant(f, g) : PKM_SYM_ZERO;
}

/// A small matrix, ready to solve with: three rows by Cramer's rule, which has no pivot that could
/// vanish before the matrix is singular; others by elimination. Conditions: not singular.
typedef struct pkm_form_system {
    int n;
    pkm_sym_vec3 cofactor[3];
    pkm_node per_det;
    pkm_elimination lu;
} pkm_form_system;

PKM_NODISCARD pkm_status pkm_form_factor(pkm_form* form, const pkm_node* M, pkm_form_system* out,
                                         pkm_error* err);
PKM_NODISCARD pkm_status pkm_form_solve(pkm_form* form, const pkm_form_system* system,
                                        const pkm_node* b, pkm_node* x, pkm_error* err);
/// M' x = b
PKM_NODISCARD pkm_status pkm_form_solve_transposed(pkm_form* form, const pkm_form_system* system,
                                                   const pkm_node* b, pkm_node* x, pkm_error* err);
void pkm_form_system_free(pkm_form_system* system);

struct pkm_rrr_limb;

/// Motion of the tip of a limb P-R-R-R, as pkm_rrr_tip.
typedef struct pkm_form_tip {
    pkm_sym_vec3 p, v, a;
} pkm_form_tip;

/// Conditions: the limb reaches `tip`, neither stretched nor folded.
void pkm_form_limb_reach(pkm_form* form, const struct pkm_rrr_limb* limb, pkm_sym_vec3 tip);
/// The force at the tip, as pkm_rrr_limb_force.
pkm_sym_vec3 pkm_form_limb_force(pkm_form* form, const struct pkm_rrr_limb* limb, double elbow,
                                 const pkm_form_tip* tip, const pkm_form_motion* motion);

#endif
