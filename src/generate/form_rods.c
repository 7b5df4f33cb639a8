/// Platforms on rod pairs: rotary Delta, linear Delta, Triglide. Numbers in brackets are equations
/// of docs/theory/closed-delta.md.
#include "base/error.h"
#include "closed/delta.h"
#include "closed/slide_pair.h"
#include "generate/form_impl.h"

static const char THEORY[] = "closed-delta.md";

/// +1, or -1 where the branch has the bit.
static double sign_of(const pkm_form* form, int bit)
{
    return form->branch & bit ? -1.0 : 1.0;
}

/// A wide vector in the plane of azimuth u: out u + up e_z.
static pkm_sym_vec3 in_plane(pkm_form* f, pkm_vec3 u, pkm_node out, pkm_node up)
{
    return (pkm_sym_vec3){scaled(f, u.x, out), scaled(f, u.y, out), up};
}

// ---- common part ------------------------------------------------------------------------------

/// The platform point for the ends C: O from three spheres of one radius (7), then along the normal
/// to the side of home (8). P - C_1 on that side has a volume with the others of the sign that
/// `normal` and the branch tell.
static pkm_sym_vec3 place_platform(pkm_form* f, const pkm_rod_pairs* rods, const pkm_sym_vec3 C[3])
{
    pkm_graph* g = f->graph;
    pkm_graph_note(g, "platform on three spheres, %s (7), (8)", THEORY);
    const pkm_sym_vec3 a = pkm_sym_sub(g, C[1], C[0]), b = pkm_sym_sub(g, C[2], C[0]);
    const pkm_sym_vec3 N = pkm_sym_cross(g, a, b);
    const pkm_node aa = dot(f, a, a), bb = dot(f, b, b), NN = dot(f, N, N);
    pkm_form_require(f, NN, 1e-12 * pow(rods->length, 4.0)); // ends on a line
    const pkm_sym_vec3 toward = pkm_sym_sub(g, pkm_sym_scale(g, bb, a), pkm_sym_scale(g, aa, b));
    const pkm_node per_NN = inverse_of(f, NN);
    const pkm_sym_vec3 radius =
        pkm_sym_scale(g, scaled(f, 0.5, per_NN), pkm_sym_cross(g, N, toward));
    const pkm_node hh = minus(f, number(f, rods->length * rods->length), dot(f, radius, radius));
    pkm_form_require(f, hh, 0.0);
    const double side = rods->normal * sign_of(f, PKM_ROD_BRANCH_ASSEMBLY);
    const pkm_node h = scaled(f, side, root_of(f, times(f, hh, per_NN)));
    return along(f, pkm_sym_add(g, C[0], radius), h, N);
}

static void set_rods(pkm_form* f, const pkm_sym_vec3 C[3], pkm_form_place* place)
{
    for (int i = 0; i < 3; ++i)
        place->rods.w[i] = pkm_sym_sub(f->graph, place->p, C[i]);
}

static pkm_sym_vec3 direction(pkm_form* f, const pkm_rod_pairs* rods, const pkm_form_place* place,
                              int i)
{
    return pkm_sym_scale(f->graph, number(f, 1.0 / rods->length), place->rods.w[i]);
}

/// The first member of every family's constants.
static const pkm_rod_pairs* rods_of(const pkm_form* f)
{
    return f->self;
}

/// (9)
static void velocity(pkm_form* f, const pkm_form_place* place, pkm_node* B, pkm_node* A)
{
    pkm_graph_note(f->graph, "velocity matrices, %s (9)", THEORY);
    for (int i = 0; i < 3; ++i) {
        const pkm_sym_vec3 n = direction(f, rods_of(f), place, i);
        B[3 * i] = n.x;
        B[3 * i + 1] = n.y;
        B[3 * i + 2] = n.z;
        for (int j = 0; j < 3; ++j)
            A[3 * i + j] = i == j ? dot(f, n, place->rods.dc[i]) : 0;
    }
}

/// (10)
static void bias(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                 pkm_node* c)
{
    pkm_graph_note(f->graph, "accelerations, %s (10)", THEORY);
    for (int i = 0; i < 3; ++i) {
        const pkm_node back = pkm_graph_negate(f->graph, motion->qd[i]);
        const pkm_sym_vec3 turn = along(f, motion->v, back, place->rods.dc[i]);
        const pkm_node bend =
            times(f, dot(f, place->rods.w[i], place->rods.ddc[i]), square(f, motion->qd[i]));
        c[i] = scaled(f, 1.0 / rods_of(f)->length, minus(f, bend, dot(f, turn, turn)));
    }
}

/// Accelerations of the ends, and the force F that the rods bring to the platform along themselves
/// (12).
static pkm_sym_vec3 platform_force(pkm_form* f, const pkm_form_place* place,
                                   const pkm_form_motion* motion, pkm_sym_vec3 a_end[3])
{
    pkm_graph* g = f->graph;
    const pkm_rod_pairs* rods = rods_of(f);
    const pkm_sym_vec3 weight = gravity_of(f, motion, rods->gravity);
    pkm_sym_vec3 ends = PKM_SYM_ZERO;
    for (int i = 0; i < 3; ++i) {
        a_end[i] = pkm_sym_scale(g, square(f, motion->qd[i]), place->rods.ddc[i]);
        a_end[i] = along(f, a_end[i], motion->qdd[i], place->rods.dc[i]);
        ends = pkm_sym_add(g, ends, a_end[i]);
    }
    pkm_sym_vec3 F = pkm_sym_scale(g, number(f, rods->m_platform + 3.0 * rods->m_same), motion->a);
    F = along(f, F, number(f, rods->m_cross), ends);
    F = along(f, F, number(f, -(rods->m_platform + 3.0 * rods->m_half)), weight);
    return pkm_sym_sub(g, F, motion->force);
}

/// (12) to (14), without the drives' own parts.
static pkm_status rod_forces(pkm_form* f, const pkm_form_place* place,
                             const pkm_form_motion* motion, pkm_node* force, pkm_error* err)
{
    pkm_graph* g = f->graph;
    const pkm_rod_pairs* rods = rods_of(f);
    pkm_node B[9], A[9], lambda[3];
    pkm_sym_vec3 a_end[3];
    pkm_form_system system;
    pkm_graph_note(g, "forces along the rods, %s (12), (13)", THEORY);
    const pkm_sym_vec3 F = platform_force(f, place, motion, a_end);
    velocity(f, place, B, A);
    PKM_TRY(pkm_form_factor(f, B, &system, err));
    const pkm_node right[3] = {F.x, F.y, F.z};
    PKM_TRY(pkm_form_solve_transposed(f, &system, right, lambda, err));
    pkm_graph_note(g, "drive forces, %s (14) to (16)", THEORY);
    const pkm_sym_vec3 weight = gravity_of(f, motion, rods->gravity);
    pkm_sym_vec3 common = pkm_sym_scale(g, number(f, rods->m_cross), motion->a);
    common = along(f, common, number(f, -rods->m_half), weight);
    for (int i = 0; i < 3; ++i) {
        const pkm_sym_vec3 at = along(f, common, number(f, rods->m_same), a_end[i]);
        force[i] = plus(f, dot(f, place->rods.dc[i], at), times(f, lambda[i], A[4 * i]));
    }
    return PKM_OK;
}

/// Where the driven ends of the limbs are, with their derivatives.
typedef void find_ends(pkm_form* f, pkm_form_place* place, pkm_sym_vec3 C[3]);

static void from_drives(pkm_form* f, pkm_form_place* place, find_ends* ends)
{
    pkm_sym_vec3 C[3];
    ends(f, place, C);
    place->p = place_platform(f, rods_of(f), C);
    place->R = unit_axes();
    set_rods(f, C, place);
}

static void derive(pkm_form* f, pkm_form_place* place, find_ends* ends)
{
    pkm_sym_vec3 C[3];
    ends(f, place, C);
    set_rods(f, C, place);
}

// ---- rotary -----------------------------------------------------------------------------------

/// C, C', C'' from the cosine and sine of crank i (1).
static pkm_sym_vec3 crank_end(pkm_form* f, int i, pkm_node cosine, pkm_node sine,
                              pkm_form_place* place)
{
    const pkm_delta* self = f->self;
    const pkm_vec3 u = self->rods.u[i];
    const double l = self->crank, down = self->rods.down;
    const pkm_node c = scaled(f, l, cosine), s = scaled(f, l, sine);
    const pkm_node minus_c = pkm_graph_negate(f->graph, c), minus_s = pkm_graph_negate(f->graph, s);
    place->rods.dc[i] = in_plane(f, u, minus_s, scaled(f, down, c));
    place->rods.ddc[i] = in_plane(f, u, minus_c, scaled(f, -down, s));
    return in_plane(f, u, plus(f, number(f, self->radius), c), scaled(f, down, s));
}

/// Roots of  x cos q + y sin q = k  (3), (4); the first has the elbow out.
static pkm_sym_vec3 crank_root(pkm_form* f, int i, pkm_form_place* place)
{
    const pkm_delta* self = f->self;
    const pkm_vec3 u = self->rods.u[i];
    const double l = self->crank, L = self->rods.length;
    const pkm_sym_vec3 P = place->p;
    const pkm_node x =
        minus(f, plus(f, scaled(f, u.x, P.x), scaled(f, u.y, P.y)), number(f, self->radius));
    const pkm_node y = scaled(f, self->rods.down, P.z);
    const pkm_node t = minus(f, scaled(f, u.x, P.y), scaled(f, u.y, P.x));
    const pkm_node rr = plus(f, square(f, x), square(f, y));
    const pkm_node sum = plus(f, plus(f, rr, square(f, t)), number(f, l * l - L * L));
    const pkm_node k = scaled(f, 0.5 / l, sum);
    const pkm_node root = root_of(f, minus(f, rr, square(f, k)));
    const pkm_node turn = scaled(f, sign_of(f, PKM_ROD_BRANCH_LIMB << i), root);
    const pkm_node c = plus(f, times(f, x, k), times(f, y, turn)); // times rho^2
    const pkm_node s = minus(f, times(f, y, k), times(f, x, turn));
    const pkm_node per_rr = inverse_of(f, rr);
    place->q[i] = pkm_graph_arctangent(f->graph, s, c);
    return crank_end(f, i, times(f, c, per_rr), times(f, s, per_rr), place);
}

static void delta_from_tool(pkm_form* f, pkm_form_place* place)
{
    pkm_sym_vec3 C[3];
    pkm_graph_note(f->graph, "cranks, %s (3), (4), (1)", THEORY);
    for (int i = 0; i < 3; ++i)
        C[i] = crank_root(f, i, place);
    set_rods(f, C, place);
}

static void delta_ends(pkm_form* f, pkm_form_place* place, pkm_sym_vec3 C[3])
{
    pkm_graph_note(f->graph, "ends of the cranks, %s (1)", THEORY);
    for (int i = 0; i < 3; ++i)
        C[i] = crank_end(f, i, pkm_graph_cosine(f->graph, place->q[i]),
                         pkm_graph_sine(f->graph, place->q[i]), place);
}

static void delta_from_drives(pkm_form* f, pkm_form_place* place)
{
    from_drives(f, place, delta_ends);
}

static void delta_derive(pkm_form* f, pkm_form_place* place)
{
    derive(f, place, delta_ends);
}

/// With the cranks' inertia and weight (15).
static pkm_status delta_forces(pkm_form* f, const pkm_form_place* place,
                               const pkm_form_motion* motion, pkm_node* force, pkm_error* err)
{
    const pkm_delta* self = f->self;
    PKM_TRY(rod_forces(f, place, motion, force, err));
    const pkm_sym_vec3 weight = pkm_sym_scale(f->graph, number(f, self->crank_moment / self->crank),
                                              gravity_of(f, motion, self->rods.gravity));
    for (int i = 0; i < 3; ++i) {
        const pkm_node own = minus(f, scaled(f, self->crank_inertia, motion->qdd[i]),
                                   dot(f, weight, place->rods.dc[i]));
        force[i] = plus(f, force[i], own);
    }
    return PKM_OK;
}

// ---- slides -----------------------------------------------------------------------------------

/// C_i = C_i0 + q_i s_i (2).
static void slide_ends(pkm_form* f, pkm_form_place* place, pkm_sym_vec3 C[3])
{
    const pkm_slide_pairs* self = f->self;
    pkm_graph_note(f->graph, "ends on the slides, %s (2)", THEORY);
    for (int i = 0; i < 3; ++i) {
        place->rods.dc[i] = constant(f, self->slide[i]);
        place->rods.ddc[i] = PKM_SYM_ZERO;
        C[i] = along(f, constant(f, self->home[i]), place->q[i], place->rods.dc[i]);
    }
}

/// q = s . d +- h, d = P - C_0, h^2 = L^2 - |d - (s . d) s|^2 (6).
static void slides_from_tool(pkm_form* f, pkm_form_place* place)
{
    const pkm_slide_pairs* self = f->self;
    pkm_sym_vec3 C[3];
    pkm_graph_note(f->graph, "slides, %s (6)", THEORY);
    for (int i = 0; i < 3; ++i) {
        const pkm_sym_vec3 s = constant(f, self->slide[i]);
        const pkm_sym_vec3 d = pkm_sym_sub(f->graph, place->p, constant(f, self->home[i]));
        const pkm_node x = dot(f, d, s);
        const pkm_sym_vec3 across = along(f, d, pkm_graph_negate(f->graph, x), s);
        const double L = self->rods.length;
        const pkm_node h = root_of(f, minus(f, number(f, L * L), dot(f, across, across)));
        place->q[i] = plus(f, x, scaled(f, sign_of(f, PKM_ROD_BRANCH_LIMB << i), h));
    }
    slide_ends(f, place, C);
    set_rods(f, C, place);
}

static void slides_from_drives(pkm_form* f, pkm_form_place* place)
{
    from_drives(f, place, slide_ends);
}

static void slides_derive(pkm_form* f, pkm_form_place* place)
{
    derive(f, place, slide_ends);
}

/// With the slides themselves (16).
static pkm_status slide_forces(pkm_form* f, const pkm_form_place* place,
                               const pkm_form_motion* motion, pkm_node* force, pkm_error* err)
{
    const pkm_slide_pairs* self = f->self;
    PKM_TRY(rod_forces(f, place, motion, force, err));
    const pkm_sym_vec3 gravity = gravity_of(f, motion, self->rods.gravity);
    for (int i = 0; i < 3; ++i) {
        const pkm_node lift = minus(f, motion->qdd[i], dot(f, gravity, place->rods.dc[i]));
        force[i] = plus(f, force[i], scaled(f, self->slide_mass, lift));
    }
    return PKM_OK;
}

const pkm_form_family pkm_form_delta = {
    .name = "delta",
    .theory = THEORY,
    .from_tool = delta_from_tool,
    .from_drives = delta_from_drives,
    .derive = delta_derive,
    .velocity = velocity,
    .bias = bias,
    .forces = delta_forces,
};

#define SLIDES                                                                                     \
    .theory = THEORY, .from_tool = slides_from_tool, .from_drives = slides_from_drives,            \
    .derive = slides_derive, .velocity = velocity, .bias = bias, .forces = slide_forces

const pkm_form_family pkm_form_linear_delta = {.name = "linear_delta", SLIDES};
const pkm_form_family pkm_form_triglide = {.name = "triglide", SLIDES};
