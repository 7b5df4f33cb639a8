/// Platforms guided in three points: 3-PPRS and 3-PPSR. Numbers in brackets are equations of
/// docs/theory/closed-3pprs-3ppsr.md.
#include "base/error.h"
#include "closed/guided.h"
#include "generate/form_impl.h"

static const char THEORY[] = "closed-3pprs-3ppsr.md";

enum { N = PKM_GUIDED_DRIVE };

static pkm_sym_vec3 platform_arm(pkm_form* f, const pkm_form_place* place, int i)
{
    const pkm_guided* g = f->self;
    return pkm_sym_mul(f->graph, place->R, constant(f, pkm_guided_platform_point(g, i)));
}

/// (1)
static pkm_sym_vec3 slide_point(pkm_form* f, const pkm_form_place* place, int i)
{
    const pkm_guided* g = f->self;
    // along t in the base, then up: the two drives of a limb
    const pkm_sym_vec3 foot = constant(f, pkm_vec3_scale(g->base_radius, g->n[i]));
    pkm_sym_vec3 p = along(f, foot, place->q[i], constant(f, g->t[i]));
    p.z = plus(f, p.z, place->q[i + 3]);
    return p;
}

static void set_limb(pkm_form* f, pkm_form_place* place, int i, pkm_sym_vec3 rod)
{
    const pkm_guided* g = f->self;
    const pkm_sym_vec3 t = constant(f, g->t[i]);
    place->guided.rod[i] = rod;
    // 3-PPSR has its pins on the platform: there axes turn with it, in 3-PPRS they do not
    place->guided.axis[i] = g->on_platform ? pkm_sym_mul(f->graph, place->R, t) : t;
    place->guided.arm[i] = g->on_platform
                               ? pkm_sym_sub(f->graph, slide_point(f, place, i), place->p)
                               : platform_arm(f, place, i);
}

/// The places of one limb's slides (3): the rod turns in the plane of U and W.
static void limb_slides(pkm_form* f, pkm_form_place* place, int i)
{
    const pkm_guided* g = f->self;
    pkm_graph* graph = f->graph;
    const pkm_sym_vec3 n = constant(f, g->n[i]);
    const pkm_sym_vec3 H = pkm_sym_add(graph, place->p, platform_arm(f, place, i));
    const pkm_sym_vec3 U = g->on_platform ? pkm_sym_mul(graph, place->R, n) : n;
    const pkm_sym_vec3 W = g->on_platform ? place->R.z : (pkm_sym_vec3){0, 0, 1};
    // n . (H - l rod) = base radius, with rod = cu U + cw W a unit vector: cu nu + cw nw = needed
    const pkm_node nu = dot(f, n, U), nw = dot(f, n, W);
    const pkm_node h2 = plus(f, square(f, nu), square(f, nw));
    const pkm_node needed =
        scaled(f, 1.0 / g->rod_length, minus(f, dot(f, n, H), number(f, g->base_radius)));
    // out of reach where this is negative: the code checks it before the root
    const pkm_node root = root_of(f, minus(f, h2, square(f, needed)));
    // the two roots are the working modes of the limb, of which home has one
    const bool falls = ((f->branch >> i & 1) != 0) != (g->side < 0.0);
    const pkm_node lean = scaled(f, falls ? -1.0 : 1.0, root), per = inverse_of(f, h2);
    const pkm_node cu = times(f, per, minus(f, times(f, needed, nu), times(f, lean, nw)));
    const pkm_node cw = times(f, per, plus(f, times(f, needed, nw), times(f, lean, nu)));
    const pkm_sym_vec3 rod = along(f, pkm_sym_scale(graph, cu, U), cw, W);
    // foot of the rod, whose components along t and z are the drives
    const pkm_sym_vec3 slide = along(f, H, number(f, -g->rod_length), rod);
    // (1) read backwards
    place->q[i] = dot(f, constant(f, g->t[i]), slide);
    place->q[i + 3] = slide.z;
    set_limb(f, place, i, rod);
}

static void from_tool(pkm_form* f, pkm_form_place* place)
{
    pkm_graph_note(f->graph, "slides, %s (1) to (3)", THEORY);
    for (int i = 0; i < 3; ++i)
        limb_slides(f, place, i);
}

/// From the slide to the platform's end of the rod (2).
static pkm_sym_vec3 span_of(pkm_form* f, const pkm_form_place* place, int i)
{
    const pkm_sym_vec3 H = pkm_sym_add(f->graph, place->p, platform_arm(f, place, i));
    return pkm_sym_sub(f->graph, H, slide_point(f, place, i));
}

static void derive(pkm_form* f, pkm_form_place* place)
{
    const pkm_guided* g = f->self;
    pkm_graph_note(f->graph, "rods, %s (1), (2)", THEORY);
    for (int i = 0; i < 3; ++i)
        set_limb(f, place, i,
                 pkm_sym_scale(f->graph, number(f, 1.0 / g->rod_length), span_of(f, place, i)));
}

/// Slip along the revolute axis, and (s^2 - l^2) / (2 l) of the rod's length s.
static void gaps(pkm_form* f, const pkm_form_place* place, pkm_node* gap)
{
    const pkm_guided* g = f->self;
    const double l = g->rod_length;
    for (int i = 0; i < 3; ++i) {
        const pkm_sym_vec3 span = span_of(f, place, i);
        // both are lengths, so that Newton's method sees rows of one size
        gap[i] = dot(f, place->guided.axis[i], span);
        gap[i + 3] = scaled(f, 0.5 / l, minus(f, dot(f, span, span), number(f, l * l)));
    }
}

/// (4), (10)
static void velocity(pkm_form* f, const pkm_form_place* place, pkm_node* B, pkm_node* A)
{
    const pkm_guided* g = f->self;
    pkm_graph_note(f->graph, "velocity matrices, %s (4), (10)", THEORY);
    for (int row = 0; row < N; ++row) {
        // rows 1 to 3 along the pins, 4 to 6 along the rods
        const int i = row % 3;
        const pkm_sym_vec3 e = row < 3 ? place->guided.axis[i] : place->guided.rod[i];
        // e . (v + w x arm) = (e, arm x e) . (v, w)
        const pkm_sym_vec3 m = pkm_sym_cross(f->graph, place->guided.arm[i], e);
        const pkm_node line[N] = {e.x, e.y, e.z, m.x, m.y, m.z};
        for (int column = 0; column < N; ++column) {
            B[row * N + column] = line[column];
            A[row * N + column] = 0;
        }
        // what both slides of the limb add to the same row
        A[row * N + i] = dot(f, e, constant(f, g->t[i]));
        A[row * N + i + 3] = e.z;
    }
}

/// (11), and (12) for axes that turn with the platform
static void bias(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                 pkm_node* c)
{
    const pkm_guided* g = f->self;
    pkm_graph* graph = f->graph;
    pkm_graph_note(graph, "accelerations, %s (11), (12)", THEORY);
    for (int i = 0; i < 3; ++i) {
        const pkm_sym_vec3 axis = place->guided.axis[i], rod = place->guided.rod[i];
        // the joint on the platform: w x r, w x (w x r)
        const pkm_sym_vec3 turning = pkm_sym_cross(graph, motion->w, platform_arm(f, place, i));
        const pkm_sym_vec3 centripetal = pkm_sym_cross(graph, motion->w, turning);
        pkm_sym_vec3 slide = pkm_sym_scale(graph, motion->qd[i], constant(f, g->t[i]));
        slide.z = plus(f, slide.z, motion->qd[i + 3]);
        const pkm_sym_vec3 rate =
            pkm_sym_sub(graph, pkm_sym_add(graph, motion->v, turning), slide); // of the span
        c[i] = pkm_graph_negate(graph, dot(f, axis, centripetal));
        c[i + 3] =
            pkm_graph_negate(graph, plus(f, dot(f, rod, centripetal),
                                         scaled(f, 1.0 / g->rod_length, dot(f, rate, rate))));
        if (!g->on_platform) continue;
        // 2 e' . s' + e'' . s of the axis that turns, where s = l rod
        const pkm_sym_vec3 axis_rate = pkm_sym_cross(graph, motion->w, axis);
        const pkm_sym_vec3 bend = pkm_sym_cross(graph, motion->w, axis_rate);
        c[i] = minus(f, c[i],
                     plus(f, scaled(f, 2.0, dot(f, axis_rate, rate)),
                          scaled(f, g->rod_length, dot(f, bend, rod))));
    }
}

/// Force and torque that the limbs must bring to the platform (13).
static void platform_wrench(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                            pkm_node wrench[N])
{
    const pkm_guided* g = f->self;
    pkm_graph* graph = f->graph;
    const pkm_vec3 I = g->inertia;
    const pkm_sym_vec3 w = pkm_sym_tmul(graph, place->R, motion->w);
    const pkm_sym_vec3 alpha = pkm_sym_tmul(graph, place->R, motion->alpha);
    // I alpha + w x I w in the platform's axes
    const pkm_sym_vec3 n_b = {
        plus(f, scaled(f, I.x, alpha.x), scaled(f, I.z - I.y, times(f, w.y, w.z))),
        plus(f, scaled(f, I.y, alpha.y), scaled(f, I.x - I.z, times(f, w.z, w.x))),
        plus(f, scaled(f, I.z, alpha.z), scaled(f, I.y - I.x, times(f, w.x, w.y)))};
    const pkm_sym_vec3 n = pkm_sym_sub(graph, pkm_sym_mul(graph, place->R, n_b), motion->torque);
    // m (a - g) less what acts on the tool from outside
    const pkm_sym_vec3 lift = pkm_sym_sub(graph, motion->a, gravity_of(f, motion, g->gravity));
    const pkm_sym_vec3 force =
        pkm_sym_sub(graph, pkm_sym_scale(graph, number(f, g->mass), lift), motion->force);
    wrench[0] = force.x, wrench[1] = force.y, wrench[2] = force.z;
    wrench[3] = n.x, wrench[4] = n.y, wrench[5] = n.z;
}

/// (14): the slides' own inertia and weight, and the forces that the rods pass down.
static void to_drives(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                      const pkm_node lambda[N], pkm_node* force)
{
    const pkm_guided* g = f->self;
    const pkm_sym_vec3 gravity = gravity_of(f, motion, g->gravity);
    for (int i = 0; i < 3; ++i) {
        const pkm_sym_vec3 t = constant(f, g->t[i]);
        // multipliers are forces along the pin and along the rod
        const pkm_sym_vec3 down =
            along(f, pkm_sym_scale(f->graph, lambda[i], place->guided.axis[i]), lambda[i + 3],
                  place->guided.rod[i]);
        const pkm_node slide = minus(f, motion->qdd[i], dot(f, gravity, t));
        const pkm_node lift = minus(f, motion->qdd[i + 3], gravity.z);
        force[i] = plus(f, scaled(f, g->slide_mass + g->lift_mass, slide), dot(f, t, down));
        force[i + 3] = plus(f, scaled(f, g->lift_mass, lift), down.z);
    }
}

static pkm_status forces(pkm_form* f, const pkm_form_place* place, const pkm_form_motion* motion,
                         pkm_node* force, pkm_error* err)
{
    pkm_node B[N * N], A[N * N], wrench[N], lambda[N];
    pkm_form_system system;
    // B' lambda = wrench with the matrix of (4)
    velocity(f, place, B, A);
    pkm_graph_note(f->graph, "forces of the limbs, %s (13)", THEORY);
    platform_wrench(f, place, motion, wrench);
    PKM_TRY(pkm_form_factor(f, B, &system, err));
    const pkm_status status = pkm_form_solve_transposed(f, &system, wrench, lambda, err);
    pkm_form_system_free(&system);
    pkm_graph_note(f->graph, "drive forces, %s (14)", THEORY);
    if (status == PKM_OK) to_drives(f, place, motion, lambda, force);
    return status;
}

#define GUIDED                                                                                     \
    .theory = THEORY, .from_tool = from_tool, .derive = derive, .gaps = gaps,                      \
    .velocity = velocity, .bias = bias, .forces = forces

const pkm_form_family pkm_form_pprs = {.name = "3pprs", GUIDED};
const pkm_form_family pkm_form_ppsr = {.name = "3ppsr", GUIDED};
