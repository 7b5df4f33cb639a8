/// 1PRRR+2PRPaR. Numbers in brackets are equations of docs/theory/closed-prrr2prpar.md.
#include "base/error.h"
#include "closed/prrr2prpar.h"
#include "generate/form_impl.h"

static const char THEORY[] = "closed-prrr2prpar.md";

static double sign_of(const pkm_form* f, int bit)
{
    return f->branch & bit ? -1.0 : 1.0;
}

/// (1), (2): q1 = x + l7a, the others with the root of the branch.
static void from_tool(pkm_form* f, pkm_form_place* place)
{
    const pkm_prrr2prpar* robot = f->self;
    const pkm_sym_vec3 H = place->p;
    pkm_graph_note(f->graph, "slides, %s (1), (2)", THEORY);
    place->q[0] = plus(f, H.x, number(f, robot->offset_a));
    for (int k = 0; k < 2; ++k) {
        const pkm_rod_arm* arm = &robot->arm[k];
        const pkm_sym_vec3 axis = constant(f, arm->axis);
        const pkm_node x = dot(f, axis, H);
        const pkm_sym_vec3 across = along(f, H, pkm_graph_negate(f->graph, x), axis);
        const pkm_node h =
            root_of(f, minus(f, number(f, arm->length * arm->length), dot(f, across, across)));
        const double sign = sign_of(f, k == 0 ? PKM_PRRR2PRPAR_ROOT_B : PKM_PRRR2PRPAR_ROOT_C);
        place->q[k + 1] = plus(f, plus(f, x, number(f, arm->offset)), scaled(f, sign, h));
    }
    pkm_form_limb_reach(f, &robot->limb, H);
}

/// (4), (5): two circles in the plane x, cut where det B has the sign of home: the foot on the line
/// of centres, then to the side. There det B is the distance from that line, up to a positive
/// factor.
static void from_drives(pkm_form* f, pkm_form_place* place)
{
    const pkm_prrr2prpar* robot = f->self;
    const double Lb = robot->arm[0].length, Lc = robot->arm[1].length;
    pkm_graph_note(f->graph, "platform on two circles, %s (4), (5)", THEORY);
    const pkm_node x = minus(f, place->q[0], number(f, robot->offset_a));
    const pkm_node y = minus(f, place->q[1], number(f, robot->arm[0].offset));
    const pkm_node z = minus(f, place->q[2], number(f, robot->arm[1].offset));
    const pkm_node rr = minus(f, number(f, Lb * Lb), square(f, x)); // of circle b
    const pkm_node dd = plus(f, square(f, y), square(f, z));
    const pkm_node per = inverse_of(f, dd);
    pkm_form_require(f, rr, 0.0);
    pkm_form_require(f, dd, 0.0);
    // foot / d and side / d
    const pkm_node foot = times(f, scaled(f, 0.5, plus(f, dd, number(f, Lb * Lb - Lc * Lc))), per);
    const pkm_node height = minus(f, times(f, rr, per), square(f, foot));
    const pkm_node side = scaled(f, sign_of(f, PKM_PRRR2PRPAR_DET), root_of(f, height));
    place->p = (pkm_sym_vec3){x, minus(f, minus(f, y, times(f, foot, y)), times(f, side, z)),
                              minus(f, times(f, foot, z), times(f, side, y))};
    place->R = unit_axes();
    pkm_form_limb_reach(f, &robot->limb, place->p);
}

static void derive(pkm_form* f, pkm_form_place* place)
{
    (void)f, (void)place;
}

/// Unit vector of the rods of arm k, from the slide to the platform (6).
static pkm_sym_vec3 rod_direction(pkm_form* f, const pkm_form_place* place, int k)
{
    const pkm_prrr2prpar* robot = f->self;
    const pkm_rod_arm* arm = &robot->arm[k];
    const pkm_node back = minus(f, number(f, arm->offset), place->q[k + 1]);
    return pkm_sym_scale(f->graph, number(f, 1.0 / arm->length),
                         along(f, place->p, back, constant(f, arm->axis)));
}

/// (7)
static void velocity(pkm_form* f, const pkm_form_place* place, pkm_node* B, pkm_node* A)
{
    pkm_graph_note(f->graph, "velocity matrices, %s (6), (7)", THEORY);
    const pkm_sym_vec3 n_b = rod_direction(f, place, 0), n_c = rod_direction(f, place, 1);
    const pkm_node b[9] = {1, 0, 0, n_b.x, n_b.y, n_b.z, n_c.x, n_c.y, n_c.z};
    const pkm_node a[9] = {1, 0, 0, 0, n_b.y, 0, 0, 0, n_c.z};
    for (int k = 0; k < 9; ++k) {
        B[k] = b[k];
        A[k] = a[k];
    }
}

/// (8)
static void bias(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                 pkm_node* c)
{
    const pkm_prrr2prpar* robot = f->self;
    (void)place;
    c[0] = 0;
    for (int k = 0; k < 2; ++k) {
        const pkm_node back = pkm_graph_negate(f->graph, motion->qd[k + 1]);
        const pkm_sym_vec3 turn = along(f, motion->v, back, constant(f, robot->arm[k].axis));
        c[k + 1] = scaled(f, -1.0 / robot->arm[k].length, dot(f, turn, turn));
    }
}

/// (10): the rods of arm k. Their share at the platform is added to Q; returned is that of the
/// slide.
static pkm_node add_arm(pkm_form* f, int k, const pkm_form_motion* motion, pkm_sym_vec3 lift,
                        pkm_sym_vec3* Q)
{
    const pkm_prrr2prpar* robot = f->self;
    const pkm_rod_arm* arm = &robot->arm[k];
    const pkm_sym_vec3 axis = constant(f, arm->axis);
    const pkm_sym_vec3 gravity = gravity_of(f, motion, robot->gravity);
    const pkm_sym_vec3 slide =
        pkm_sym_sub(f->graph, pkm_sym_scale(f->graph, motion->qdd[k + 1], axis), gravity);
    const pkm_node share = number(f, arm->rod_mass / 6.0), two = number(f, 2.0);
    *Q = along(f, *Q, share, along(f, slide, two, lift));
    return plus(f, times(f, share, dot(f, axis, along(f, lift, two, slide))),
                scaled(f, arm->slide_mass, dot(f, axis, slide)));
}

static pkm_status forces(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                         pkm_node* force, pkm_error* err)
{
    const pkm_prrr2prpar* robot = f->self;
    const pkm_form_tip tip = {place->p, motion->v, motion->a};
    pkm_node B[9], A[9], lambda[3], slide[2];
    pkm_form_system system;
    pkm_sym_vec3 Q =
        pkm_form_limb_force(f, &robot->limb, sign_of(f, PKM_PRRR2PRPAR_ELBOW), &tip, motion);
    pkm_graph_note(f->graph, "forces on the platform, %s (9), (10)", THEORY);
    const pkm_sym_vec3 lift =
        pkm_sym_sub(f->graph, motion->a, gravity_of(f, motion, robot->gravity));
    Q = pkm_sym_sub(f->graph, along(f, Q, number(f, robot->mass), lift), motion->force);
    for (int k = 0; k < 2; ++k)
        slide[k] = add_arm(f, k, motion, lift, &Q);
    velocity(f, place, B, A);
    pkm_graph_note(f->graph, "drive forces, %s (11)", THEORY);
    PKM_TRY(pkm_form_factor(f, B, &system, err));
    const pkm_node right[3] = {Q.x, Q.y, Q.z};
    PKM_TRY(pkm_form_solve_transposed(f, &system, right, lambda, err));
    force[0] = lambda[0];
    force[1] = plus(f, times(f, A[4], lambda[1]), slide[0]);
    force[2] = plus(f, times(f, A[8], lambda[2]), slide[1]);
    return PKM_OK;
}

const pkm_form_family pkm_form_prrr2prpar = {
    .name = "prrr2prpar",
    .theory = THEORY,
    .from_tool = from_tool,
    .from_drives = from_drives,
    .derive = derive,
    .velocity = velocity,
    .bias = bias,
    .forces = forces,
};
