#include "dynamics/plant.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/kinematics.h"

#include <string.h>

enum { MAX_SETTLE = 200 };
static const double SETTLED = 1e-12; // change of friction against the largest reaction

/// Friction in a joint, as it is settled now.
typedef struct friction_item {
    int joint;
    pkm_joint_friction friction;
    int z_at, n_z;
    int spin_a, spin_b;     ///< idle spin of body a, b; PKM_NONE
    double start;           ///< joint coordinate at the start (slides)
    pkm_vec3 force, moment; ///< on b at its origin, axes of frame a
    pkm_joint_friction_force last;
} friction_item;

/// An idle spin that friction drives: a rod without spin inertia turns so that the friction of its
/// two balls about its own line cancels.
typedef struct spin_item {
    int row, body;
    double rate; ///< [rad/s]
} spin_item;

struct pkm_plant {
    pkm_state* state;
    pkm_forward* forward;
    pkm_actuation actuation;
    pkm_loading loading;
    bool has_loading;
    bool prescribed[PKM_MAX_DRIVE];
    double rotor[PKM_MAX_DRIVE];
    int n_friction, n_spin, n_z;
    friction_item* friction;
    spin_item* spin;
    pkm_wrench* load;       ///< [n_body] without friction
    pkm_wrench* rub;        ///< [n_body] friction
    double* extra;          ///< [n_v] friction as generalised forces
    double* settle;         ///< [4 x 6 n_friction] work of settling
    pkm_reaction* reaction; ///< [n_joint]
    pkm_reactions* reactions;
    double force[PKM_MAX_DRIVE];
    pkm_target target;
    pkm_ledger_rates ledger;

    // implicit methods
    int n_constraint;
    int *constraint, *constraint_before; ///< [n_v] rows of the free system
    pkm_mat3* spin_reference;            ///< [n_spin] orientations at the start of the step
    double* q_reference;                 ///< [n_q]
};

// ---- creation ---------------------------------------------------------------------------------

void pkm_plant_free(pkm_plant* plant)
{
    if (!plant) return;
    pkm_forward_free(plant->forward);
    pkm_reactions_free(plant->reactions);
    pkm_free(plant->friction);
    pkm_free(plant->spin);
    pkm_free(plant->load);
    pkm_free(plant->rub);
    pkm_free(plant->extra);
    pkm_free(plant->settle);
    pkm_free(plant->reaction);
    pkm_free(plant->constraint);
    pkm_free(plant->constraint_before);
    pkm_free(plant->spin_reference);
    pkm_free(plant->q_reference);
    pkm_free(plant);
}

static pkm_status allocate(pkm_plant* p, const pkm_plant_spec* spec)
{
    const pkm_mechanism* mech = p->state->mech;
    const size_t nf = (size_t)spec->n_friction, nb = (size_t)mech->n_body;
    p->friction = pkm_alloc(nf, sizeof(friction_item));
    p->spin = pkm_alloc((size_t)spec->structure->n_lock, sizeof(spin_item));
    p->load = pkm_alloc(nb, sizeof(pkm_wrench));
    p->rub = pkm_alloc(nb, sizeof(pkm_wrench));
    p->extra = pkm_alloc((size_t)mech->n_v, sizeof(double));
    p->settle = pkm_alloc(4 * 6 * nf, sizeof(double));
    p->reaction = pkm_alloc((size_t)mech->n_joint, sizeof(pkm_reaction));
    p->constraint = pkm_alloc((size_t)mech->n_v, sizeof(int));
    p->constraint_before = pkm_alloc((size_t)mech->n_v, sizeof(int));
    p->spin_reference = pkm_alloc((size_t)spec->structure->n_lock, sizeof(pkm_mat3));
    p->q_reference = pkm_alloc((size_t)mech->n_q, sizeof(double));
    if (!p->constraint || !p->constraint_before || !p->spin_reference || !p->q_reference)
        return PKM_ERR_MEMORY;
    const bool ok =
        p->friction && p->spin && p->load && p->rub && p->extra && p->settle && p->reaction;
    return ok ? PKM_OK : PKM_ERR_MEMORY;
}

static void list_spins(pkm_plant* p, const pkm_structure* structure)
{
    for (int i = 0; i < structure->n_lock && i < structure->n_idle; ++i) {
        const pkm_row* row = &p->state->mech->row[structure->lock[i]];
        if (row->kind != PKM_ROW_SPIN) continue;
        p->spin[p->n_spin++] = (spin_item){.row = structure->lock[i], .body = row->item};
    }
}

static int spin_of(const pkm_plant* p, int body)
{
    for (int s = 0; s < p->n_spin; ++s)
        if (p->spin[s].body == body) return s;
    return PKM_NONE;
}

/// Coordinate along the axis, for slides whose overlap changes.
static double displacement(const pkm_state* state, const pkm_joint* joint)
{
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_vec3 pa = pkm_vec3_add(a->p, pkm_mat3_mul(a->R, joint->frame_a.p));
    const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    return pkm_vec3_dot(pkm_vec3_sub(pb, pa), pkm_mat3_mul(a->R, joint->axes_a.z));
}

static pkm_status add_friction(pkm_plant* p, const pkm_plant_friction* from, pkm_error* err)
{
    const pkm_joint* joint = &p->state->mech->joint[from->joint];
    pkm_error inner = {0};
    const pkm_status status = pkm_joint_friction_check(&from->friction, joint->type, &inner);
    if (status != PKM_OK)
        return pkm_fail(err, status, "friction in %s: %s", joint->name, inner.text);
    friction_item* item = &p->friction[p->n_friction++];
    *item = (friction_item){.joint = from->joint,
                            .friction = from->friction,
                            .z_at = p->n_z,
                            .n_z = pkm_joint_friction_states(&from->friction, joint->type),
                            .spin_a = spin_of(p, joint->body_a),
                            .spin_b = spin_of(p, joint->body_b),
                            .start = displacement(p->state, joint)};
    p->n_z += item->n_z;
    return PKM_OK;
}

static pkm_status build(pkm_plant* p, const pkm_plant_spec* spec, pkm_error* err)
{
    PKM_TRY(allocate(p, spec));
    PKM_TRY(pkm_forward_create(p->state, spec->structure, spec->prescribed, spec->preferred,
                               spec->n_preferred, &p->forward, err));
    for (int d = 0; d < p->state->mech->n_drive; ++d) {
        p->prescribed[d] = spec->prescribed[d];
        p->rotor[d] = spec->rotor ? spec->rotor[d] : 0.0;
        pkm_forward_set_rotor(p->forward, d, p->rotor[d]);
    }
    list_spins(p, spec->structure);
    p->n_z = p->actuation.n_state;
    for (int k = 0; k < spec->n_friction; ++k)
        PKM_TRY(add_friction(p, &spec->friction[k], err));
    p->reactions = pkm_reactions_create_for(p->state, PKM_MODE_FREE);
    if (!p->reactions) return PKM_ERR_MEMORY;
    pkm_plant_begin_step(p);
    return PKM_OK;
}

pkm_status pkm_plant_create(pkm_state* state, const pkm_plant_spec* spec, pkm_plant** out,
                            pkm_error* err)
{
    *out = NULL;
    pkm_plant* p = pkm_alloc(1, sizeof *p);
    if (!p) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    p->state = state;
    p->actuation = *spec->actuation;
    p->has_loading = spec->loading != NULL;
    if (spec->loading) p->loading = *spec->loading;
    if (err) *err = (pkm_error){0};
    const pkm_status status = build(p, spec, err);
    if (status != PKM_OK) {
        pkm_plant_free(p);
        if (err && err->status == PKM_OK) pkm_fail(err, status, "%s", pkm_status_text(status));
        return status;
    }
    *out = p;
    return PKM_OK;
}

int pkm_plant_n_state(const pkm_plant* plant)
{
    return plant->n_z;
}

int pkm_plant_n_free(const pkm_plant* plant)
{
    return pkm_forward_n_free(plant->forward);
}

pkm_state* pkm_plant_state(pkm_plant* plant)
{
    return plant->state;
}

// ---- friction ---------------------------------------------------------------------------------

/// Angular velocity of a body with its idle spin.
static pkm_vec3 spinning(const pkm_plant* p, int body, int spin)
{
    const pkm_vec3 w = p->state->body[body].V.ang;
    if (spin == PKM_NONE) return w;
    const pkm_row* row = &p->state->mech->row[p->spin[spin].row];
    const pkm_vec3 e =
        pkm_mat3_mul(p->state->body[body].R, p->state->mech->spin_axis[row->component]);
    return pkm_vec3_axpy(w, p->spin[spin].rate, e);
}

/// What the joint carries (item's joint in `reaction`) and how it moves.
static pkm_joint_motion joint_motion(const pkm_plant* p, const friction_item* item)
{
    const pkm_state* state = p->state;
    const pkm_joint* joint = &state->mech->joint[item->joint];
    const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
    const pkm_mat3 axes = pkm_mat3_matmul(a->R, joint->axes_a);
    const pkm_vec3 pb = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    const pkm_vec3 w = pkm_vec3_sub(spinning(p, joint->body_b, item->spin_b),
                                    spinning(p, joint->body_a, item->spin_a));
    const pkm_vec3 v = pkm_vec3_sub(pkm_twist_at(b->V, pb), pkm_twist_at(a->V, pb));
    const pkm_vec3 axis_b = pkm_mat3_mul(b->R, joint->axes_b.z);
    return (pkm_joint_motion){.force = p->reaction[item->joint].force,
                              .moment = p->reaction[item->joint].moment,
                              .w = pkm_mat3_tmul(axes, w),
                              .v = pkm_mat3_tmul(axes, v),
                              .axis_b = pkm_mat3_tmul(axes, axis_b),
                              .displacement = displacement(state, joint) - item->start};
}

static pkm_joint_friction_force rub(const pkm_plant* p, const friction_item* item, const double* z)
{
    const pkm_joint_motion motion = joint_motion(p, item);
    return pkm_joint_friction_evaluate(&item->friction, p->state->mech->joint[item->joint].type,
                                       &motion, item->n_z > 0 ? z + item->z_at : NULL);
}

/// Moment of friction about the line of a spinning rod, from all its joints.
static double spin_moment(const pkm_plant* p, int s, const double* z)
{
    const pkm_state* state = p->state;
    const pkm_row* row = &state->mech->row[p->spin[s].row];
    const pkm_vec3 e =
        pkm_mat3_mul(state->body[row->item].R, state->mech->spin_axis[row->component]);
    double sum = 0.0;
    for (int k = 0; k < p->n_friction; ++k) {
        const friction_item* item = &p->friction[k];
        if (item->spin_a != s && item->spin_b != s) continue;
        const pkm_joint* joint = &state->mech->joint[item->joint];
        const pkm_mat3 axes = pkm_mat3_matmul(state->body[joint->body_a].R, joint->axes_a);
        const pkm_vec3 moment = pkm_mat3_mul(axes, rub(p, item, z).moment);
        sum += (item->spin_b == s ? 1.0 : -1.0) * pkm_vec3_dot(e, moment);
    }
    return sum;
}

/// The spin at which that moment vanishes. It falls with the rate, so a bracket is grown around the
/// last rate and closed by bisection with secant steps (Illinois).
static void settle_spin(pkm_plant* p, int s, const double* z)
{
    double* rate = &p->spin[s].rate;
    double lo = *rate - 1e-3, hi = *rate + 1e-3;
    *rate = lo;
    double at_lo = spin_moment(p, s, z);
    *rate = hi;
    double at_hi = spin_moment(p, s, z);
    for (double grow = 2e-3; at_lo < 0.0 && grow < 1e6; grow *= 4.0) {
        *rate = lo -= grow;
        at_lo = spin_moment(p, s, z);
    }
    for (double grow = 2e-3; at_hi > 0.0 && grow < 1e6; grow *= 4.0) {
        *rate = hi += grow;
        at_hi = spin_moment(p, s, z);
    }
    if (at_lo == at_hi) { // no friction at all: the rod does not spin
        *rate = 0.0;
        return;
    }
    for (int n = 0; n < 100 && hi - lo > 1e-13 * (1.0 + fabs(lo) + fabs(hi)); ++n) {
        *rate = n % 3 == 2 ? 0.5 * (lo + hi) : lo + (hi - lo) * at_lo / (at_lo - at_hi);
        const double now = spin_moment(p, s, z);
        if (now == 0.0) return;
        if (now > 0.0) {
            lo = *rate;
            at_lo = now;
            at_hi *= 0.5;
        } else {
            hi = *rate;
            at_hi = now;
            at_lo *= 0.5;
        }
    }
    *rate = 0.5 * (lo + hi);
}

/// Friction of all joints as wrenches on the bodies and as generalised forces.
static void apply_friction(pkm_plant* p)
{
    const pkm_state* state = p->state;
    memset(p->rub, 0, (size_t)state->mech->n_body * sizeof(pkm_wrench));
    for (int k = 0; k < p->n_friction; ++k) {
        const friction_item* item = &p->friction[k];
        const pkm_joint* joint = &state->mech->joint[item->joint];
        const pkm_body_state *a = &state->body[joint->body_a], *b = &state->body[joint->body_b];
        const pkm_mat3 axes = pkm_mat3_matmul(a->R, joint->axes_a);
        const pkm_vec3 at = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
        const pkm_wrench on_b =
            pkm_wrench_at(at, pkm_mat3_mul(axes, item->force), pkm_mat3_mul(axes, item->moment));
        pkm_wrench* fb = &p->rub[joint->body_b];
        pkm_wrench* fa = &p->rub[joint->body_a];
        *fb = pkm_wrench_add(*fb, on_b);
        *fa = pkm_wrench_axpy(*fa, -1.0, on_b);
    }
    pkm_inverse_load_forces(p->state, p->rub, p->extra);
}

/// Accelerations and reactions with the present friction.
static void solve_with_friction(pkm_plant* p)
{
    pkm_state* state = p->state;
    apply_friction(p);
    pkm_forward_solve(p->forward, state, p->force, p->extra);
    pkm_forward_multipliers(p->forward, state, p->force, p->extra);
    for (int i = 0; i < state->mech->n_body; ++i)
        state->load[i] = pkm_wrench_add(p->load[i], p->rub[i]);
    pkm_kinematics_acceleration(state, state->a);
    pkm_inverse_forces(state);
    pkm_reactions_solve(p->reactions, state, p->reaction, NULL);
    for (int i = 0; i < state->mech->n_body; ++i)
        state->load[i] = p->load[i];
}

/// Friction that the present reactions would make, as one vector; force per size of moments.
static void next_friction(pkm_plant* p, const double* z, double* out)
{
    for (int s = 0; s < p->n_spin; ++s)
        settle_spin(p, s, z);
    const double size = p->state->mech->size;
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

static double largest_reaction(const pkm_plant* p)
{
    double most = 0.0;
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_reaction* r = &p->reaction[p->friction[k].joint];
        most =
            fmax(most, pkm_vec3_norm(r->force) + pkm_vec3_norm(r->moment) / p->state->mech->size);
    }
    return most;
}

/// Friction and reactions together: x = friction(reactions(x)) by fixed-point steps with Aitken's
/// relaxation in the form of Irons and Tuck, which also tames loads that overshoot. `solve` finds
/// the reactions that belong to the present friction.
static pkm_status settle_friction(pkm_plant* p, const double* z, void (*solve)(pkm_plant*))
{
    const int n = 6 * p->n_friction;
    double *x = p->settle, *gap = x + n, *gap_before = gap + n, *next = gap_before + n;
    double relax = 1.0;
    for (int k = 0; k < p->n_friction; ++k) { // from where friction was last
        const friction_item* item = &p->friction[k];
        const double size = p->state->mech->size;
        const double now[6] = {item->force.x,         item->force.y,         item->force.z,
                               item->moment.x / size, item->moment.y / size, item->moment.z / size};
        memcpy(x + 6 * k, now, sizeof now);
    }
    for (int iteration = 0; iteration < MAX_SETTLE; ++iteration) {
        solve(p);
        next_friction(p, z, next);
        double largest = 0.0, top = 0.0, bottom = 0.0;
        for (int i = 0; i < n; ++i) {
            gap[i] = next[i] - x[i];
            largest = fmax(largest, fabs(gap[i]));
            const double change = gap[i] - gap_before[i];
            top += gap_before[i] * change;
            bottom += change * change;
        }
        if (!(largest < HUGE_VAL)) return PKM_RETRY;
        if (largest <= SETTLED * largest_reaction(p)) return PKM_OK;
        if (iteration > 0 && bottom > 0.0) relax *= -top / bottom;
        relax = relax > 0.05 && relax < 2.0 ? relax : 1.0;
        for (int i = 0; i < n; ++i) {
            x[i] += relax * gap[i];
            gap_before[i] = gap[i];
        }
        set_friction(p, x);
    }
    return PKM_RETRY;
}

// ---- evaluation -------------------------------------------------------------------------------

static void fill_ledger(pkm_plant* p, const pkm_ledger_rates* loads)
{
    p->ledger = *loads;
    for (int d = 0; d < p->state->mech->n_drive; ++d) {
        double v, a;
        pkm_drive_rates(p->state, d, &v, &a);
        p->ledger.drive += p->force[d] * v;
    }
    for (int k = 0; k < p->n_friction; ++k)
        p->ledger.friction += p->friction[k].last.power;
}

/// What does not need accelerations: poses, twists, references, loads, forces of free drives.
static pkm_status apply_all(pkm_plant* p, double t, const double* z, double* z_rate,
                            pkm_ledger_rates* ledger)
{
    pkm_state* state = p->state;
    *ledger = (pkm_ledger_rates){0};
    PKM_TRY(pkm_plant_factor(p));
    pkm_kinematics_velocity(state);
    p->actuation.reference(p->actuation.user, t, &p->target);

    memset(p->load, 0, (size_t)state->mech->n_body * sizeof(pkm_wrench));
    if (p->has_loading)
        PKM_TRY(p->loading.apply(p->loading.user, t, state, p->load, &ledger->stored,
                                 &ledger->damping, &ledger->load));
    memcpy(state->load, p->load, (size_t)state->mech->n_body * sizeof(pkm_wrench));
    return p->actuation.force(p->actuation.user, t, state, z, p->force, z_rate);
}

static void read_bristles(const pkm_plant* p, double* z_rate)
{
    for (int k = 0; k < p->n_friction; ++k)
        for (int i = 0; i < p->friction[k].n_z; ++i)
            z_rate[p->friction[k].z_at + i] = p->friction[k].last.bristle_rate[i];
}

pkm_status pkm_plant_evaluate(pkm_plant* p, double t, const double* z, double* z_rate)
{
    pkm_state* state = p->state;
    pkm_ledger_rates ledger;
    PKM_TRY(apply_all(p, t, z, z_rate, &ledger));
    PKM_TRY(pkm_forward_prepare(p->forward, state, &p->target));
    if (p->n_friction > 0) {
        PKM_TRY(settle_friction(p, z, solve_with_friction));
        read_bristles(p, z_rate);
    } else {
        pkm_forward_solve(p->forward, state, p->force, NULL);
        pkm_forward_multipliers(p->forward, state, p->force, NULL);
    }
    fill_ledger(p, &ledger);
    return PKM_OK;
}

pkm_status pkm_plant_project(pkm_plant* p, double t)
{
    pkm_state* state = p->state;
    p->actuation.reference(p->actuation.user, t, &p->target);
    const pkm_status status = pkm_forward_project_position(p->forward, state, &p->target);
    if (status != PKM_OK) return status == PKM_ERR_MEMORY ? status : PKM_RETRY;
    pkm_forward_project_velocity(p->forward, state, &p->target);
    return PKM_OK;
}

pkm_status pkm_plant_factor(pkm_plant* p)
{
    const pkm_status status = pkm_forward_position(p->forward, p->state);
    return status == PKM_OK || status == PKM_ERR_MEMORY ? status : PKM_RETRY;
}

pkm_status pkm_plant_project_velocity(pkm_plant* p, double t)
{
    p->actuation.reference(p->actuation.user, t, &p->target);
    PKM_TRY(pkm_plant_factor(p));
    pkm_forward_project_velocity(p->forward, p->state, &p->target);
    return PKM_OK;
}

const double* pkm_plant_drive_force(const pkm_plant* plant)
{
    return plant->force;
}

pkm_ledger_rates pkm_plant_ledger(const pkm_plant* plant)
{
    return plant->ledger;
}

pkm_status pkm_plant_reactions(pkm_plant* p, pkm_reaction* out)
{
    if (p->n_friction == 0) solve_with_friction(p);
    memcpy(out, p->reaction, (size_t)p->state->mech->n_joint * sizeof(pkm_reaction));
    return PKM_OK;
}

pkm_energy pkm_plant_energy(const pkm_plant* p)
{
    pkm_energy energy = pkm_energy_now(p->state);
    for (int d = 0; d < p->state->mech->n_drive; ++d) {
        double v, a;
        pkm_drive_rates(p->state, d, &v, &a);
        energy.kinetic += 0.5 * p->rotor[d] * v * v;
        energy.rate += p->rotor[d] * v * a;
    }
    return energy;
}

// ---- implicit methods -------------------------------------------------------------------------

int pkm_plant_n_constraint(const pkm_plant* plant)
{
    return plant->n_constraint;
}

bool pkm_plant_begin_step(pkm_plant* p)
{
    const pkm_mechanism* mech = p->state->mech;
    const int before = p->n_constraint;
    memcpy(p->constraint_before, p->constraint, (size_t)mech->n_v * sizeof(int));
    p->n_constraint = pkm_forward_constraints(p->forward, p->state, p->constraint);
    for (int s = 0; s < p->n_spin; ++s)
        p->spin_reference[s] = p->state->body[p->spin[s].body].R;
    memcpy(p->q_reference, p->state->q, (size_t)mech->n_q * sizeof(double));
    return before == p->n_constraint &&
           memcmp(p->constraint_before, p->constraint, (size_t)before * sizeof(int)) == 0;
}

void pkm_plant_multipliers(const pkm_plant* p, double* lambda)
{
    const pkm_system* system = &p->state->system[PKM_MODE_FREE];
    for (int i = 0; i < p->n_constraint; ++i)
        lambda[i] = system->multiplier[p->constraint[i]];
}

/// Turn of a rod about its own line since the start of the step: an idle spin is held within each
/// step, which makes its rate a constraint on positions too.
static double spun(const pkm_plant* p, const pkm_row* row)
{
    const pkm_state* state = p->state;
    for (int s = 0; s < p->n_spin; ++s) {
        if (p->spin[s].body != row->item) continue;
        const pkm_mat3 turn =
            pkm_mat3_matmul(pkm_mat3_transpose(p->spin_reference[s]), state->body[row->item].R);
        const pkm_vec3 by = pkm_quat_to_rotvec(pkm_quat_from_mat3(turn));
        return pkm_vec3_dot(by, state->mech->spin_axis[row->component]);
    }
    return 0.0;
}

/// The coordinate that belongs to velocity `v` of a one-freedom joint.
static double held(const pkm_plant* p, int v)
{
    const pkm_mechanism* mech = p->state->mech;
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        if (v < body->v_at || v >= body->v_at + body->n_v || body->n_q != body->n_v) continue;
        const int q = body->q_at + v - body->v_at;
        return p->state->q[q] - p->q_reference[q];
    }
    return 0.0;
}

static void read_constraints(const pkm_plant* p, double* phi)
{
    const pkm_state* state = p->state;
    const pkm_system* system = &state->system[PKM_MODE_FREE];
    for (int i = 0; i < p->n_constraint; ++i) {
        const int r = system->row[p->constraint[i]];
        const pkm_row* row = &state->mech->row[r];
        if (row->kind == PKM_ROW_CLOSURE)
            phi[i] = state->residual[r];
        else if (row->kind == PKM_ROW_DRIVE)
            phi[i] = pkm_state_drive_position(state, row->item) - p->target.q[row->item];
        else
            phi[i] = row->kind == PKM_ROW_SPIN ? spun(p, row) : held(p, row->item);
    }
}

/// Reactions for given accelerations and multipliers.
static void react(pkm_plant* p)
{
    pkm_state* state = p->state;
    apply_friction(p);
    for (int i = 0; i < state->mech->n_body; ++i)
        state->load[i] = pkm_wrench_add(p->load[i], p->rub[i]);
    pkm_inverse_forces(state);
    pkm_reactions_solve(p->reactions, state, p->reaction, NULL);
    for (int i = 0; i < state->mech->n_body; ++i)
        state->load[i] = p->load[i];
}

pkm_status pkm_plant_residual(pkm_plant* p, double t, const double* lambda, const double* z,
                              double* r, double* phi, double* z_rate)
{
    pkm_state* state = p->state;
    pkm_ledger_rates ledger;
    PKM_TRY(apply_all(p, t, z, z_rate, &ledger));
    if (phi) read_constraints(p, phi);
    if (!r) return PKM_OK;
    pkm_kinematics_acceleration(state, state->a);
    pkm_forward_read_drives(p->forward, state, p->constraint, lambda, p->n_constraint, p->force);
    if (p->n_friction > 0) {
        // sets the multipliers, from which the reactions follow
        pkm_forward_residual(p->forward, state, p->force, NULL, p->constraint, lambda,
                             p->n_constraint, r);
        PKM_TRY(settle_friction(p, z, react));
        read_bristles(p, z_rate);
        apply_friction(p);
    }
    pkm_inverse_forces(state); // without friction, which is `extra`
    pkm_forward_residual(p->forward, state, p->force, p->n_friction > 0 ? p->extra : NULL,
                         p->constraint, lambda, p->n_constraint, r);
    fill_ledger(p, &ledger);
    return PKM_OK;
}
