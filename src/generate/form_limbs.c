/// The limb P-R-R-R and the Isoglides. Numbers in brackets are equations of
/// docs/theory/closed-isoglide.md.
#include "closed/isoglide.h"
#include "generate/form_impl.h"

static const char THEORY[] = "closed-isoglide.md";

/// A vector in the plane of a limb, along its cosine and its sine axis.
typedef struct plane {
    pkm_node c, s;
} plane;

/// As in closed/rrr_limb.c: directions of the links, the elbow angle, and the factors of (1.4).
typedef struct posture {
    plane u1, u2;
    pkm_node cos_d, sin_d, per1, per2;
} posture;

static plane to_plane(int axis, pkm_sym_vec3 v)
{
    const plane of[3] = {{v.y, v.z}, {v.z, v.x}, {v.x, v.y}};
    return of[axis];
}

static pkm_sym_vec3 to_world(int axis, pkm_node along_rail, plane p)
{
    const pkm_sym_vec3 of[3] = {
        {along_rail, p.c, p.s}, {p.s, along_rail, p.c}, {p.c, p.s, along_rail}};
    return of[axis];
}

static pkm_node along_rail(int axis, pkm_sym_vec3 v)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static pkm_node dot_plane(pkm_form* f, plane a, plane b)
{
    return plus(f, times(f, a.c, b.c), times(f, a.s, b.s));
}

static plane from_rail(pkm_form* f, const pkm_rrr_limb* limb, pkm_sym_vec3 tip)
{
    const plane p = to_plane(limb->axis, tip);
    return (plane){minus(f, p.c, number(f, limb->rail.c)), minus(f, p.s, number(f, limb->rail.s))};
}

/// The square of sin d (1.2); conditions: it is above that of closed/rrr_limb.c, 1e-7.
static pkm_node sine_squared(pkm_form* f, const pkm_rrr_limb* limb, pkm_node rr)
{
    const double l1 = limb->l1, l2 = limb->l2, per = 1.0 / (2.0 * l1 * l2);
    const pkm_node outside = minus(f, number(f, (l1 + l2) * (l1 + l2)), rr);
    const pkm_node inside = minus(f, rr, number(f, (l1 - l2) * (l1 - l2)));
    // both factors are positive within reach; their product vanishes where the elbow is straight
    const pkm_node sine2 = scaled(f, per * per, times(f, outside, inside));
    pkm_form_require(f, sine2, 1e-14);
    return sine2;
}

void pkm_form_limb_reach(pkm_form* f, const pkm_rrr_limb* limb, pkm_sym_vec3 tip)
{
    const plane p = from_rail(f, limb, tip);
    (void)sine_squared(f, limb, dot_plane(f, p, p));
}

/// (1.2), (1.3)
static posture find_posture(pkm_form* f, const pkm_rrr_limb* limb, double elbow, pkm_sym_vec3 tip)
{
    const double l1 = limb->l1, l2 = limb->l2;
    const plane p = from_rail(f, limb, tip);
    const pkm_node rr = dot_plane(f, p, p);
    const pkm_node sine = pkm_graph_root(f->graph, sine_squared(f, limb, rr));
    const pkm_node sin_d = scaled(f, elbow, sine);
    const pkm_node cos_d =
        scaled(f, 1.0 / (2.0 * l1 * l2), minus(f, rr, number(f, l1 * l1 + l2 * l2)));
    const pkm_node per_rr = inverse_of(f, rr);
    const pkm_node k_c = times(f, plus(f, number(f, l1), scaled(f, l2, cos_d)), per_rr);
    const pkm_node k_s = scaled(f, l2, times(f, sin_d, per_rr));
    // p (l1 + l2 e^{-id})/r^2 and u1 e^{id}, as complex numbers
    const plane u1 = {plus(f, times(f, p.c, k_c), times(f, p.s, k_s)),
                      minus(f, times(f, p.s, k_c), times(f, p.c, k_s))};
    const plane u2 = {minus(f, times(f, u1.c, cos_d), times(f, u1.s, sin_d)),
                      plus(f, times(f, u1.s, cos_d), times(f, u1.c, sin_d))};
    const pkm_node per_sine = inverse_of(f, sin_d);
    return (posture){
        u1, u2, cos_d, sin_d, scaled(f, 1.0 / l1, per_sine), scaled(f, -1.0 / l2, per_sine)};
}

/// (1.4), (1.5)
static plane solve_links(pkm_form* f, const posture* at, plane x)
{
    return (plane){times(f, at->per1, dot_plane(f, x, at->u2)),
                   times(f, at->per2, dot_plane(f, x, at->u1))};
}

/// Torques of the two absolute angles (1.7), (1.8), for angular velocities w and accelerations.
static plane link_torques(pkm_form* f, const pkm_rrr_limb* limb, const posture* at, plane w,
                          plane alpha, plane gravity)
{
    const pkm_node hc = scaled(f, limb->h, at->cos_d), hs = scaled(f, limb->h, at->sin_d);
    // g . n with n = u turned by +90 degrees
    const pkm_node weight1 = minus(f, times(f, gravity.s, at->u1.c), times(f, gravity.c, at->u1.s));
    const pkm_node weight2 = minus(f, times(f, gravity.s, at->u2.c), times(f, gravity.c, at->u2.s));
    const pkm_node inertia1 = plus(f, scaled(f, limb->I1, alpha.c), times(f, hc, alpha.s));
    const pkm_node inertia2 = plus(f, scaled(f, limb->I2, alpha.s), times(f, hc, alpha.c));
    const pkm_node pull1 = plus(f, times(f, hs, square(f, w.s)), scaled(f, limb->moment1, weight1));
    const pkm_node pull2 =
        minus(f, times(f, hs, square(f, w.c)), scaled(f, limb->moment2, weight2));
    return (plane){minus(f, inertia1, pull1), plus(f, inertia2, pull2)};
}

pkm_sym_vec3 pkm_form_limb_force(pkm_form* f, const pkm_rrr_limb* limb, double elbow,
                                 const pkm_form_tip* tip, const pkm_form_motion* motion)
{
    pkm_graph_note(f->graph, "limb along %c, %s (1.2) to (1.10)", "xyz"[limb->axis], THEORY);
    const posture at = find_posture(f, limb, elbow, tip->p);
    const pkm_sym_vec3 gravity = gravity_of(f, motion, limb->gravity);
    const plane w = solve_links(f, &at, to_plane(limb->axis, tip->v));
    const pkm_node pull1 = scaled(f, limb->l1, square(f, w.c));
    const pkm_node pull2 = scaled(f, limb->l2, square(f, w.s));
    const plane a = to_plane(limb->axis, tip->a);
    // a + l1 w1^2 u1 + l2 w2^2 u2
    const plane b = {plus(f, a.c, plus(f, times(f, pull1, at.u1.c), times(f, pull2, at.u2.c))),
                     plus(f, a.s, plus(f, times(f, pull1, at.u1.s), times(f, pull2, at.u2.s)))};
    const plane tau =
        link_torques(f, limb, &at, w, solve_links(f, &at, b), to_plane(limb->axis, gravity));
    const pkm_node k1 = times(f, tau.c, at.per1), k2 = times(f, tau.s, at.per2);
    // (1.9), with the signs in per1 and per2
    const plane force = {plus(f, times(f, k1, at.u2.c), times(f, k2, at.u1.c)),
                         plus(f, times(f, k1, at.u2.s), times(f, k2, at.u1.s))};
    const pkm_node lift = minus(f, along_rail(limb->axis, tip->a), along_rail(limb->axis, gravity));
    return to_world(limb->axis, scaled(f, limb->mass, lift), force);
}

static double elbow_sign(const pkm_form* f, int j)
{
    return f->branch >> j & 1 ? -1.0 : 1.0;
}

static void unit_matrix(int n, pkm_node* A)
{
    for (int k = 0; k < n * n; ++k)
        A[k] = k % (n + 1) == 0;
}

// ---- Isoglide T3 ------------------------------------------------------------------------------

static void t3_reach(pkm_form* f, const pkm_form_place* place)
{
    const pkm_isoglide_t3* robot = f->self;
    for (int j = 0; j < 3; ++j)
        pkm_form_limb_reach(f, &robot->limb[j], place->p);
}

static void t3_from_tool(pkm_form* f, pkm_form_place* place)
{
    const pkm_isoglide_t3* robot = f->self;
    const pkm_node l4 = number(f, robot->offset), E[3] = {place->p.x, place->p.y, place->p.z};
    pkm_graph_note(f->graph, "slides, %s (2.1)", THEORY);
    for (int j = 0; j < 3; ++j)
        place->q[j] = plus(f, E[j], l4);
    t3_reach(f, place);
}

static void t3_from_drives(pkm_form* f, pkm_form_place* place)
{
    const pkm_isoglide_t3* robot = f->self;
    const pkm_node l4 = number(f, robot->offset);
    pkm_graph_note(f->graph, "platform, %s (2.1)", THEORY);
    place->p = (pkm_sym_vec3){minus(f, place->q[0], l4), minus(f, place->q[1], l4),
                              minus(f, place->q[2], l4)};
    place->R = unit_axes();
    t3_reach(f, place);
}

static void nothing_derived(pkm_form* f, pkm_form_place* place)
{
    (void)f, (void)place;
}

/// (2.2)
static void t3_velocity(pkm_form* f, const pkm_form_place* place, pkm_node* B, pkm_node* A)
{
    (void)f, (void)place;
    unit_matrix(3, B);
    unit_matrix(3, A);
}

static void t3_bias(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                    pkm_node* c)
{
    (void)f, (void)place, (void)motion;
    c[0] = c[1] = c[2] = 0;
}

/// (2.3)
static pkm_status t3_forces(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                            pkm_node* force, pkm_error* err)
{
    (void)err;
    const pkm_isoglide_t3* robot = f->self;
    const pkm_form_tip tip = {place->p, motion->v, motion->a};
    pkm_sym_vec3 total = PKM_SYM_ZERO;
    for (int j = 0; j < 3; ++j)
        total =
            pkm_sym_add(f->graph, total,
                        pkm_form_limb_force(f, &robot->limb[j], elbow_sign(f, j), &tip, motion));
    pkm_graph_note(f->graph, "drive forces, %s (2.3)", THEORY);
    const pkm_sym_vec3 lift =
        pkm_sym_sub(f->graph, motion->a, gravity_of(f, motion, robot->gravity));
    total = along(f, pkm_sym_sub(f->graph, total, motion->force), number(f, robot->mass), lift);
    force[0] = total.x;
    force[1] = total.y;
    force[2] = total.z;
    return PKM_OK;
}

const pkm_form_family pkm_form_isoglide_t3 = {
    .name = "isoglide_t3",
    .theory = THEORY,
    .from_tool = t3_from_tool,
    .from_drives = t3_from_drives,
    .derive = nothing_derived,
    .velocity = t3_velocity,
    .bias = t3_bias,
    .forces = t3_forces,
};

// ---- Isoglide4 --------------------------------------------------------------------------------

/// From the tool point to K2 (3.1).
static pkm_sym_vec3 to_k2(pkm_form* f, const pkm_form_place* place)
{
    const pkm_isoglide4* robot = f->self;
    return (pkm_sym_vec3){scaled(f, robot->half, place->phi.c), 0,
                          scaled(f, robot->half, place->phi.s)};
}

static void four_reach(pkm_form* f, pkm_sym_vec3 K1, pkm_sym_vec3 K2)
{
    const pkm_isoglide4* robot = f->self;
    for (int j = 0; j < 4; ++j)
        pkm_form_limb_reach(f, &robot->limb[j], j < 3 ? K1 : K2);
}

/// +1, or -1 where cos phi < 0 at home.
static double side_of(const pkm_form* f)
{
    return f->branch >> PKM_ISOGLIDE4_LIMBS & 1 ? -1.0 : 1.0;
}

/// cos phi = 0 is a parallel singularity: the tool stays on its side.
static void require_side(pkm_form* f, const pkm_form_place* place)
{
    pkm_form_require(f, scaled(f, side_of(f), place->phi.c), PKM_FORM_SINGULAR);
}

/// cos phi and sin phi of the tool's axes: it turns by -phi about y.
static void four_derive(pkm_form* f, pkm_form_place* place)
{
    (void)f;
    place->phi.c = place->R.x.x;
    place->phi.s = place->R.x.z;
}

static void four_from_tool(pkm_form* f, pkm_form_place* place)
{
    const pkm_isoglide4* robot = f->self;
    const pkm_node l5 = number(f, robot->coupling);
    pkm_graph_note(f->graph, "slides, %s (3.1), (3.2)", THEORY);
    four_derive(f, place);
    const pkm_sym_vec3 arm = to_k2(f, place);
    const pkm_sym_vec3 K1 = pkm_sym_sub(f->graph, place->p, arm);
    const pkm_sym_vec3 K2 = pkm_sym_add(f->graph, place->p, arm);
    place->q[0] = plus(f, K1.x, l5);
    place->q[1] = K1.y;
    place->q[2] = plus(f, K1.z, l5);
    place->q[3] = plus(f, K2.z, l5);
    four_reach(f, K1, K2);
    require_side(f, place);
}

/// (3.3), cos phi with the sign of home
static void four_from_drives(pkm_form* f, pkm_form_place* place)
{
    const pkm_isoglide4* robot = f->self;
    const pkm_node l5 = number(f, robot->coupling);
    pkm_graph_note(f->graph, "platform, %s (3.3)", THEORY);
    const pkm_node s = scaled(f, 0.5 / robot->half, minus(f, place->q[3], place->q[2]));
    const pkm_node root = root_of(f, minus(f, 1, square(f, s)));
    place->phi.c = scaled(f, side_of(f), root);
    place->phi.s = s;
    const pkm_sym_vec3 K1 = {minus(f, place->q[0], l5), place->q[1], minus(f, place->q[2], l5)};
    const pkm_sym_vec3 arm = to_k2(f, place);
    place->p = pkm_sym_add(f->graph, K1, arm);
    place->R = (pkm_sym_mat3){
        {place->phi.c, 0, s}, {0, 1, 0}, {pkm_graph_negate(f->graph, s), 0, place->phi.c}};
    four_reach(f, K1, pkm_sym_add(f->graph, place->p, arm));
}

/// (3.4): A = 1, B by columns vx, vy, vz, wy.
static void four_velocity(pkm_form* f, const pkm_form_place* place, pkm_node* B, pkm_node* A)
{
    const pkm_sym_vec3 arm = to_k2(f, place);
    const pkm_node back = pkm_graph_negate(f->graph, arm.z),
                   down = pkm_graph_negate(f->graph, arm.x);
    const pkm_node matrix[16] = {1, 0, 0, back, 0, 1, 0, 0, 0, 0, 1, arm.x, 0, 0, 1, down};
    for (int k = 0; k < 16; ++k)
        B[k] = matrix[k];
    unit_matrix(4, A);
}

/// (3.5)
static void four_bias(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                      pkm_node* c)
{
    const pkm_sym_vec3 arm = to_k2(f, place);
    const pkm_node ww = square(f, motion->w.y);
    c[0] = pkm_graph_negate(f->graph, times(f, ww, arm.x));
    c[1] = 0;
    c[2] = pkm_graph_negate(f->graph, times(f, ww, arm.z));
    c[3] = times(f, ww, arm.z);
}

/// Motion of K1 (side -1) or K2 (side 1) (3.6).
static pkm_form_tip tip_of(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                           double side)
{
    pkm_graph* g = f->graph;
    const pkm_sym_vec3 arm = pkm_sym_scale(g, number(f, side), to_k2(f, place));
    const pkm_sym_vec3 turned = {arm.z, 0, pkm_graph_negate(g, arm.x)}; // e_y x arm
    const pkm_node ww = pkm_graph_negate(g, square(f, motion->w.y));
    const pkm_sym_vec3 a = along(f, motion->a, motion->alpha.y, turned);
    return (pkm_form_tip){pkm_sym_add(g, place->p, arm), along(f, motion->v, motion->w.y, turned),
                          along(f, a, ww, arm)};
}

/// (3.8): B' F = Q solved by hand.
static void four_to_drives(pkm_form* f, const pkm_form_place* place, pkm_sym_vec3 Q, pkm_node Q_w,
                           pkm_node* force)
{
    const pkm_isoglide4* robot = f->self;
    require_side(f, place);
    const pkm_node push = plus(f, scaled(f, 1.0 / robot->half, Q_w), times(f, place->phi.s, Q.x));
    const pkm_node difference = pkm_graph_divide(f->graph, push, place->phi.c); // F3 - F4
    force[0] = Q.x;
    force[1] = Q.y;
    force[2] = scaled(f, 0.5, plus(f, Q.z, difference));
    force[3] = scaled(f, 0.5, minus(f, Q.z, difference));
}

static pkm_status four_forces(pkm_form* f, const pkm_form_place* place,
                              const pkm_form_motion* motion, pkm_node* force, pkm_error* err)
{
    (void)err;
    const pkm_isoglide4* robot = f->self;
    pkm_graph* g = f->graph;
    pkm_graph_note(g, "ends of the bar, %s (3.6)", THEORY);
    const pkm_form_tip k1 = tip_of(f, place, motion, -1.0), k2 = tip_of(f, place, motion, 1.0);
    pkm_sym_vec3 at[2] = {PKM_SYM_ZERO, PKM_SYM_ZERO}; // forces at K1 and K2
    for (int j = 0; j < 4; ++j)
        // limbs a, b, c hold K1, limb d holds K2
        at[j / 3] = pkm_sym_add(
            g, at[j / 3],
            pkm_form_limb_force(f, &robot->limb[j], elbow_sign(f, j), j < 3 ? &k1 : &k2, motion));
    pkm_graph_note(g, "drive forces, %s (3.7), (3.8)", THEORY);
    const pkm_sym_vec3 lift = pkm_sym_sub(g, motion->a, gravity_of(f, motion, robot->gravity));
    pkm_sym_vec3 Q = pkm_sym_sub(g, pkm_sym_add(g, at[0], at[1]), motion->force);
    Q = along(f, Q, number(f, robot->mass), lift);
    const pkm_sym_vec3 moment = pkm_sym_cross(g, to_k2(f, place), pkm_sym_sub(g, at[1], at[0]));
    const pkm_node own = minus(f, scaled(f, robot->inertia, motion->alpha.y), motion->torque.y);
    four_to_drives(f, place, Q, plus(f, own, moment.y), force);
    return PKM_OK;
}

const pkm_form_family pkm_form_isoglide4 = {
    .name = "isoglide4",
    .theory = THEORY,
    .from_tool = four_from_tool,
    .from_drives = four_from_drives,
    .derive = four_derive,
    .velocity = four_velocity,
    .bias = four_bias,
    .forces = four_forces,
};
