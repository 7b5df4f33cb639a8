// Friction of joints in a plant: it depends on the reactions and they on it, which fixed-point
// steps and then Newton's method settle (2.1). docs/theory/simulation.md, section 2,
// docs/theory/forces.md, section 2.
#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/plant_friction_loads.h"

#include <string.h>

enum { MAX_STEPS = 24 };
static const double SETTLED = 1e-12; // change of friction against the largest reaction

/// Coordinate along the axis, for slides whose overlap changes.
double pkm_plant_displacement(const pkm_state* state, const pkm_joint* joint)
{
    // along a.z; a slide that opens loses overlap
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_vec3 pa = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
    const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    return pkm_vec3_dot(pkm_vec3_sub(pb, pa), pkm_mat3_mul(a->R, joint->axes_a.z));
}

/// The line of an idle spin in the axes of a joint's frame a.
static pkm_vec3 spin_line(const pkm_plant* p, int spin, pkm_mat3 axes)
{
    const pkm_mechanism* mech = p->state->mech;
    const pkm_row* row = &mech->row[p->spin[spin].row];
    return pkm_mat3_tmul(
        axes, pkm_mat3_mul(p->state->body[row->item].R, mech->spin_line[row->component].along));
}

/// How the joint moves without idle spins, and their lines: what reactions do not change.
static void see_motion(const pkm_plant* p, pkm_friction_item* item)
{
    const pkm_state* state = p->state;
    const pkm_joint* joint = &state->mech->joint[item->joint];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_mat3 axes = pkm_mat3_matmul(a->R, joint->axes_a);
    const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    // of both bodies at the same point: what the surfaces of the joint see
    const pkm_vec3 v = pkm_vec3_sub(pkm_twist_at(b->V, pb), pkm_twist_at(a->V, pb));
    const pkm_vec3 axis_b = pkm_mat3_mul(b->R, joint->axes_b.z);
    // of side b against side a, at the origin of b, in the axes of a
    item->motion =
        (pkm_joint_motion){.w = pkm_mat3_tmul(axes, pkm_vec3_sub(b->V.ang, a->V.ang)),
                           .v = pkm_mat3_tmul(axes, v),
                           .axis_b = pkm_mat3_tmul(axes, axis_b),
                           .displacement = pkm_plant_displacement(state, joint) - item->start};
    if (item->spin_a != PKM_NONE) item->line_a = spin_line(p, item->spin_a, axes);
    if (item->spin_b != PKM_NONE) item->line_b = spin_line(p, item->spin_b, axes);
}

pkm_joint_motion pkm_plant_loaded_motion(const pkm_plant* p, const pkm_friction_item* item)
{
    pkm_joint_motion m = item->motion;
    m.force = p->reaction[item->joint].force;
    m.moment = p->reaction[item->joint].moment;
    // spins are not among the velocities of the bodies: they are added here
    if (item->spin_a != PKM_NONE)
        m.w = pkm_vec3_axpy(m.w, -p->spin[item->spin_a].rate, item->line_a);
    if (item->spin_b != PKM_NONE)
        m.w = pkm_vec3_axpy(m.w, p->spin[item->spin_b].rate, item->line_b);
    return m;
}

pkm_joint_motion pkm_plant_joint_motion(const pkm_plant* p, const pkm_friction_item* item)
{
    pkm_friction_item now = *item;
    see_motion(p, &now);
    return pkm_plant_loaded_motion(p, &now);
}

/// Friction with the bristles `z`; NULL: those of steady sliding.
static pkm_joint_friction_force rub(const pkm_plant* p, const pkm_friction_item* item,
                                    const double* z)
{
    const pkm_joint_motion motion = pkm_plant_loaded_motion(p, item);
    pkm_element_motion seen;
    seen.type = p->state->mech->joint[item->joint].type;
    seen.joint = &motion;
    pkm_joint_friction_force out;
    pkm_element_friction.wrench(&item->friction, &seen, item->n_z > 0 && z ? z + item->z_at : NULL,
                                &out);
    return out;
}

int pkm_plant_rubs(const pkm_plant* p, const pkm_friction_item* item, const double* z,
                   pkm_joint_rub out[2])
{
    const pkm_joint_motion motion = pkm_plant_joint_motion(p, item);
    return pkm_joint_friction_rubs(&item->friction, p->state->mech->joint[item->joint].type,
                                   &motion, item->n_z > 0 ? z + item->z_at : NULL, out);
}

/// Friction of all joints as wrenches on the bodies and as generalised forces; and the power it
/// takes from the bodies.
void pkm_plant_apply_friction(pkm_plant* p)
{
    const pkm_state* state = p->state;
    p->friction_power = 0.0;
    memset(p->rub, 0, (size_t)state->mech->n_body * sizeof(pkm_wrench));
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_friction_item* item = &p->friction[k];
        const pkm_joint* joint = &state->mech->joint[item->joint];
        const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
        const pkm_mat3 axes = pkm_mat3_matmul(a->R, joint->axes_a);
        const pkm_vec3 at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
        const pkm_wrench on_b =
            // given in the axes of a at the origin of b
            pkm_wrench_at(at, pkm_mat3_mul(axes, item->force), pkm_mat3_mul(axes, item->moment));
        pkm_wrench* fb = &p->rub[joint->body_b];
        pkm_wrench* fa = &p->rub[joint->body_a];
        *fb = pkm_wrench_add(*fb, on_b);
        *fa = pkm_wrench_axpy(*fa, -1.0, on_b);
        // lost: friction is opposite to the velocity of b over a
        p->friction_power -= pkm_twist_dot(pkm_twist_axpy(b->V, -1.0, a->V), on_b);
    }
    // S'f by the pass inwards, modes included
    pkm_inverse_load_forces(p->state, p->rub, p->extra);
}

/// Accelerations and reactions with the present friction.
void pkm_plant_solve_with_friction(pkm_plant* p)
{
    pkm_state* state = p->state;
    pkm_plant_apply_friction(p);
    pkm_forward_solve(p->forward, state, p->force, p->extra);
    pkm_forward_multipliers(p->forward, state, p->force, p->extra);
    for (int i = 0; i < state->mech->n_body; ++i)
        // reactions carry friction too
        state->load[i] = pkm_wrench_add(p->load[i], p->rub[i]);
    pkm_kinematics_acceleration(state, state->a);
    // within an iteration only the friction has changed: what modes need is kept
    if (p->settles)
        pkm_inverse_forces_again(state);
    else
        pkm_inverse_forces(state);
    pkm_plant_find_reactions(p);
    for (int i = 0; i < state->mech->n_body; ++i)
        state->load[i] = p->load[i];
}

/// Friction that the present reactions would make, as one vector; force per size of moments.
static void next_friction(pkm_plant* p, const double* z, double* out)
{
    // rates of spins follow from the loads of the reactions, (2.2)
    pkm_plant_settle_spins(p);
    const double size = p->state->mech->size;
    // moments over the robot's size: one number tells all gaps
    for (int k = 0; k < p->n_friction; ++k) {
        p->friction[k].last = rub(p, &p->friction[k], z);
        const pkm_vec3 f = p->friction[k].last.force, m = p->friction[k].last.moment;
        const double x[6] = {f.x, f.y, f.z, m.x / size, m.y / size, m.z / size};
        memcpy(out + 6 * k, x, sizeof x);
    }
}

static void set_friction(pkm_plant* p, const double* x)
{
    const double size = p->state->mech->size;
    for (int k = 0; k < p->n_friction; ++k, x += 6) {
        p->friction[k].force = (pkm_vec3){x[0], x[1], x[2]};
        p->friction[k].moment = (pkm_vec3){size * x[3], size * x[4], size * x[5]};
    }
}

/// The largest reaction, against which friction has settled; at least a thousandth of the robot's
/// weight, since reactions that pass through zero have the rounding of the others.
static double largest_reaction(const pkm_plant* p)
{
    // gravity of the earth stands for the size of forces, also where there is none
    double most = 1e-3 * 9.81 * p->state->mech->total_mass;
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_reaction* r = &p->reaction[p->friction[k].joint];
        most =
            fmax(most, pkm_vec3_norm(r->force) + pkm_vec3_norm(r->moment) / p->state->mech->size);
    }
    return most;
}

/// A trial state that means nothing leaves no friction to start from.
static pkm_status forget_friction(pkm_plant* p)
{
    // from zero next time: what is there may be infinite
    memset(p->settle, 0, 6 * (size_t)p->n_friction * sizeof(double));
    set_friction(p, p->settle);
    for (int s = 0; s < p->n_spin; ++s)
        p->spin[s].rate = 0.0;
    return PKM_RETRY;
}

/// Gap between friction x and that of the reactions which belong to it.
typedef struct gap {
    double largest, top, bottom; ///< of all components; sums of Aitken's quotient
    bool is_number;
} gap;

static gap find_gap(pkm_plant* p, const double* z, void (*solve)(pkm_plant*))
{
    const int n = 6 * p->n_friction;
    // four vectors in `settle`: x, gap, gap before, next friction
    const double* x = p->settle;
    double *now = p->settle + n, *before = now + n, *next = before + n;
    gap out = {.is_number = true};
    solve(p);
    p->settles = true;
    next_friction(p, z, next);
    // gap = F(R(x)) - x, with the sums of Irons and Tuck
    for (int i = 0; i < n; ++i) {
        now[i] = next[i] - x[i];
        out.largest = fmax(out.largest, fabs(now[i]));
        out.is_number = out.is_number && isfinite(now[i]);
        const double change = now[i] - before[i];
        out.top += before[i] * change;
        out.bottom += change * change;
    }
    // put so that a NaN jams
    p->jams = !(out.largest <= SETTLED * largest_reaction(p));
    return out;
}

/// x = friction as the items have it.
static void read_friction(const pkm_plant* p, double* x)
{
    const double size = p->state->mech->size;
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_vec3 f = p->friction[k].force, m = p->friction[k].moment;
        const double now[6] = {f.x, f.y, f.z, m.x / size, m.y / size, m.z / size};
        memcpy(x + 6 * k, now, sizeof now);
    }
}

/// Where friction feeds back so much that steps get slow, Newton's method in the loads, which is
/// exact for the rates of spin there are; these follow.
static pkm_status settle_loads(pkm_plant* p, const double* z, void (*solve)(pkm_plant*))
{
    enum { MOST = 20 };
    for (int k = 0; k < MOST; ++k) {
        // loads first, with the spins of before; then the spins that belong to them
        if (!pkm_friction_loads_solve(p, z, solve)) return PKM_RETRY;
        read_friction(p, p->settle);
        if (!find_gap(p, z, solve).is_number) return forget_friction(p);
        if (!p->jams) return PKM_OK;
    }
    return PKM_RETRY;
}

/// x = friction(reactions(x)) by fixed-point steps with Aitken's relaxation in the form of Irons
/// and Tuck, which also tames loads that overshoot.
static pkm_status settle_by_steps(pkm_plant* p, const double* z, void (*solve)(pkm_plant*))
{
    const int n = 6 * p->n_friction;
    double *x = p->settle, *now = x + n, *before = now + n;
    double relax = 1.0;
    // motion does not change while loads settle
    for (int k = 0; k < p->n_friction; ++k)
        see_motion(p, &p->friction[k]);
    read_friction(p, x); // from where friction was last
    for (int step = 0; step < MAX_STEPS; ++step) {
        const gap g = find_gap(p, z, solve);
        // infinite loads of a far trial state
        if (!g.is_number) return forget_friction(p);
        if (!p->jams) return PKM_OK;
        // relax <- -relax (gap_old . change)/(change . change); what it cannot mean is not taken
        if (step > 0 && g.bottom > 0.0) relax *= -g.top / g.bottom;
        // beyond this range the secant tells nothing: a plain step
        relax = relax > 0.05 && relax < 2.0 ? relax : 1.0;
        for (int i = 0; i < n; ++i) {
            x[i] += relax * now[i];
            before[i] = now[i];
        }
        set_friction(p, x);
    }
    return PKM_ERR_CONVERGENCE;
}

pkm_status pkm_plant_settle_friction(pkm_plant* p, const double* z, void (*solve)(pkm_plant*))
{
    // the first solution finds what modes need, later ones keep it
    p->settles = false;
    pkm_status status = settle_by_steps(p, z, solve);
    if (status == PKM_ERR_CONVERGENCE) status = settle_loads(p, z, solve);
    p->settles = false;
    // with these bristles the range of the loss is told
    if (status == PKM_OK && p->range) pkm_plant_range_keep(p, z);
    return status;
}

void pkm_plant_read_bristles(const pkm_plant* p, double* z_rate)
{
    if (!z_rate) return; // inverse dynamics: steady ones
    for (int k = 0; k < p->n_friction; ++k)
        for (int i = 0; i < p->friction[k].n_z; ++i)
            z_rate[p->friction[k].z_at + i] = p->friction[k].last.bristle_rate[i];
}

bool pkm_plant_jams(const pkm_plant* plant)
{
    return plant->n_friction > 0 && plant->jams;
}
