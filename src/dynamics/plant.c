// The plant: what acts on the bodies at an instant, summed into accelerations and reactions.
// docs/theory/simulation.md, sections 1 and 2.
#include "dynamics/plant_friction_loads.h"

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/idle.h"
#include "dynamics/kinematics.h"
#include "dynamics/modal.h"

#include <string.h>

// ---- creation ---------------------------------------------------------------------------------

void pkm_plant_free(pkm_plant* plant)
{
    if (!plant) return;
    pkm_plant_stiff_free(plant->stiff);
    pkm_plant_range_free(plant->range);
    pkm_plant_stops_free(plant->stops);
    pkm_friction_loads_free(plant->loads);
    pkm_forward_free(plant->forward);
    pkm_reactions_free(plant->reactions);
    pkm_free(plant->friction);
    pkm_free(plant->spin);
    pkm_free(plant->pair);
    pkm_free(plant->side);
    pkm_free(plant->memory);
    pkm_free(plant->cross);
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
    p->friction = pkm_alloc(nf, sizeof(pkm_friction_item));
    p->spin = pkm_alloc((size_t)spec->structure->n_lock, sizeof(pkm_spin_item));
    p->load = pkm_alloc(nb, sizeof(pkm_wrench));
    p->rub = pkm_alloc(nb, sizeof(pkm_wrench));
    p->extra = pkm_alloc((size_t)mech->n_v, sizeof(double));
    // friction of all joints, its gap, the gap before and the friction that belongs to the
    // reactions
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
    for (int i = 0; i < structure->n_harmless; ++i) {
        const pkm_row* row = &p->state->mech->row[structure->lock[i]];
        p->spin[p->n_spin++] = (pkm_spin_item){.row = structure->lock[i], .body = row->item};
    }
}

/// The spin of a body; a place on a flexible link, or a piece of one, spins with its link, and what
/// is welded to a rod with the rod.
static int spin_of(const pkm_plant* p, int body)
{
    // `link` names the body of the description, whatever pieces and places it was cut into
    const pkm_mechanism* mech = p->state->mech;
    const pkm_body* all = mech->body;
    pkm_pose at;
    for (int s = 0; s < p->n_spin; ++s)
        if (all[p->spin[s].body].link == all[body].link ||
            pkm_rod_carries(mech, p->spin[s].body, body, &at))
            return s;
    return PKM_NONE;
}

/// Where the drives prescribe all motion nothing can come to rest by friction: a law for surfaces
/// at rest has no state then, as in inverse dynamics.
static int n_bristle(const pkm_plant* p, const pkm_plant_friction* from, pkm_joint_type type)
{
    const bool rests = pkm_forward_n_free(p->forward) > 0;
    if (!rests && pkm_friction_law_is_for_rest(&from->friction.law)) return 0;
    return pkm_element_states(&pkm_element_friction, &from->friction, type);
}

static pkm_status add_friction(pkm_plant* p, const pkm_plant_friction* from, pkm_error* err)
{
    const pkm_joint* joint = &p->state->mech->joint[from->joint];
    pkm_error inner = {0};
    const pkm_status status = pkm_joint_friction_check(&from->friction, joint->type, &inner);
    if (status != PKM_OK)
        return pkm_fail(err, status, "friction in %s: %s", joint->name, inner.text);
    pkm_friction_item* item = &p->friction[p->n_friction++];
    *item = (pkm_friction_item){.joint = from->joint,
                                .friction = from->friction,
                                .z_at = p->n_z,
                                .n_z = n_bristle(p, from, joint->type),
                                .spin_a = spin_of(p, joint->body_a),
                                .spin_b = spin_of(p, joint->body_b),
                                .start = pkm_plant_displacement(p->state, joint)};
    // bristles taken as steady, so that the moment tells the spin
    item->spin_law = pkm_plant_spin_law(item);
    p->n_z += item->n_z;
    return PKM_OK;
}

/// States z in this order: those of drives (controllers), bristles of joints with friction,
/// bearings with clearance, crosses.
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
    // before friction and reactions: they need freedoms that can be accelerated
    PKM_TRY(pkm_forward_check_inertia(p->forward, p->state, err));
    list_spins(p, spec->structure);
    // drives first: their places do not depend on what else has states
    p->n_z = p->actuation.n_state;
    for (int k = 0; k < spec->n_friction; ++k)
        PKM_TRY(add_friction(p, &spec->friction[k], err));
    PKM_TRY(pkm_plant_add_clearances(p, spec, err));
    p->reactions = pkm_reactions_create_for(p->state, PKM_GIVEN_FORCES);
    if (!p->reactions) return PKM_ERR_MEMORY;
    // rows and references of the home position, until a step begins
    pkm_plant_begin_step(p);
    PKM_TRY(pkm_friction_loads_create(p));
    PKM_TRY(pkm_plant_stops_create(p));
    return pkm_plant_range_create(p);
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

// ---- evaluation -------------------------------------------------------------------------------

void pkm_plant_fill_ledger(pkm_plant* p, const pkm_ledger_rates* loads)
{
    // powers [W]: of damping in flexible links, of drives, of friction
    p->ledger = *loads;
    p->ledger.damping += pkm_modal_damping(p->state);
    // force times rate, drives that are prescribed and those that are not
    for (int d = 0; d < p->state->mech->n_drive; ++d) {
        double v, a;
        pkm_drive_rates(p->state, d, &v, &a);
        p->ledger.drive += p->force[d] * v;
    }
    if (p->n_friction > 0) p->ledger.friction += p->friction_power;
}

/// Poses and rows; their factors wait where an evaluation does without.
/// A trial state in which the rows have no solution asks for a shorter step.
static pkm_status find_rows(pkm_plant* p)
{
    p->sees_contacts = false;
    // a choice of rows that fails at a trial state may serve nearer by
    const pkm_status status = pkm_forward_rows(p->forward, p->state);
    return status == PKM_OK || status == PKM_ERR_MEMORY ? status : PKM_RETRY;
}

void pkm_plant_find_reactions(pkm_plant* p)
{
    // reactions that are unique need no factors of the rows
    if (pkm_reactions_n_free(p->reactions) > 0 &&
        pkm_forward_complete(p->forward, p->state) != PKM_OK)
        return; // a trial state where loops lose rank: those of the last one
    pkm_reactions_solve(p->reactions, p->state, p->reaction, NULL);
}

pkm_status pkm_plant_apply_all(pkm_plant* p, double t, const double* z, double* z_rate,
                               pkm_ledger_rates* ledger)
{
    pkm_state* state = p->state;
    *ledger = (pkm_ledger_rates){0};
    PKM_TRY(find_rows(p));
    pkm_kinematics_velocity(state);
    // wanted positions, velocities and accelerations, before anything asks for them
    p->actuation.reference(p->actuation.user, t, &p->target);

    // wrenches about the world origin, body by body: loads from outside and springs, then contacts
    memset(p->load, 0, (size_t)state->mech->n_body * sizeof(pkm_wrench));
    if (p->has_loading)
        PKM_TRY(p->loading.apply(p->loading.user, t, state, p->load, &ledger->stored,
                                 &ledger->damping, &ledger->load));
    if (p->n_pair > 0) pkm_plant_apply_contacts(p, z, z_rate, ledger);
    // p->load stays without friction, which changes while it settles
    memcpy(state->load, p->load, (size_t)state->mech->n_body * sizeof(pkm_wrench));
    // drives come last: controllers may look at all else
    return p->actuation.force(p->actuation.user, t, state, z, p->force, z_rate);
}

/// Accelerations and reactions at t, q, v, z. Without friction in ideal joints (1.3) of
/// docs/theory/simulation.md and its multipliers; with it, section 2: loads and reactions settle
/// together.
pkm_status pkm_plant_evaluate(pkm_plant* p, double t, const double* z, double* z_rate)
{
    pkm_state* state = p->state;
    pkm_ledger_rates ledger;
    PKM_TRY(pkm_plant_apply_all(p, t, z, z_rate, &ledger));
    const pkm_status prepared = pkm_forward_prepare(p->forward, state, &p->target);
    if (prepared != PKM_OK) // far trial states of what is stiff mean nothing: shorter steps do
        return prepared == PKM_ERR_SINGULAR && (state->modal || p->n_pair > 0) ? PKM_RETRY
                                                                               : prepared;
    if (p->n_friction > 0) {
        PKM_TRY(pkm_plant_settle_friction(p, z, pkm_plant_solve_with_friction));
        pkm_plant_read_bristles(p, z_rate);
    } else {
        pkm_forward_solve(p->forward, state, p->force, NULL);
        pkm_forward_multipliers(p->forward, state, p->force, NULL);
    }
    pkm_plant_fill_ledger(p, &ledger);
    return PKM_OK;
}

bool pkm_plant_settles(const pkm_plant* plant)
{
    return plant->n_friction > 0;
}

pkm_status pkm_plant_stiff_evaluate(pkm_plant* p, double t, const double* z, double* z_rate)
{
    pkm_ledger_rates ledger;
    // friction in ideal joints needs their loads, freedoms u their motions
    if (p->n_friction > 0 || !pkm_forward_has_blocks(p->forward))
        return pkm_plant_evaluate(p, t, z, z_rate);
    return pkm_plant_apply_all(p, t, z, z_rate, &ledger);
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

pkm_status pkm_plant_project_step(pkm_plant* p, double t)
{
    // no loops: drives of the tree are set, nothing is solved
    p->actuation.reference(p->actuation.user, t, &p->target);
    return pkm_forward_set_drives(p->forward, p->state, &p->target) ? PKM_OK
                                                                    : pkm_plant_project(p, t);
}

/// Onto the constraints from anywhere: velocities by the least change of kinetic energy where there
/// are blocks.
pkm_status pkm_plant_start(pkm_plant* p, double t)
{
    pkm_state* state = p->state;
    p->actuation.reference(p->actuation.user, t, &p->target);
    pkm_status status = pkm_forward_project_position(p->forward, state, &p->target);
    // factors at the projected positions, with rows that are independent there
    if (status == PKM_OK) status = pkm_plant_factor(p);
    if (status == PKM_OK) status = pkm_forward_nearest_velocity(p->forward, state, &p->target);
    return status == PKM_OK || status == PKM_ERR_MEMORY ? status : PKM_RETRY;
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
    // without friction nobody has asked for reactions yet
    if (p->n_friction == 0) pkm_plant_solve_with_friction(p);
    memcpy(out, p->reaction, (size_t)p->state->mech->n_joint * sizeof(pkm_reaction));
    return PKM_OK;
}

pkm_energy pkm_plant_energy(const pkm_plant* p)
{
    // rotors turn with their drives: J v^2/2 and its rate J v a, J reduced to the drive [kg m^2 or
    // kg]
    pkm_energy energy = pkm_energy_now(p->state);
    for (int d = 0; d < p->state->mech->n_drive; ++d) {
        double v, a;
        pkm_drive_rates(p->state, d, &v, &a);
        energy.kinetic += 0.5 * p->rotor[d] * v * v;
        energy.rate += p->rotor[d] * v * a;
    }
    return energy;
}

// ---- independent velocities -------------------------------------------------------------------

pkm_status pkm_plant_choose_coordinates(pkm_plant* p)
{
    return pkm_forward_choose_coordinates(p->forward, p->state);
}

void pkm_plant_get_held(const pkm_plant* p, int* held)
{
    pkm_forward_get_held(p->forward, p->state, held);
}

pkm_status pkm_plant_hold(pkm_plant* p, const int* held)
{
    return pkm_forward_hold(p->forward, p->state, held);
}

double pkm_plant_lever(pkm_plant* p)
{
    return pkm_forward_lever(p->forward, p->state);
}

// ---- memory -----------------------------------------------------------------------------------

void pkm_plant_memo(pkm_plant* p, pkm_memo* memo)
{
    // friction settles from where it was, within its tolerance: another start ends elsewhere there
    for (int k = 0; k < p->n_friction; ++k) {
        pkm_friction_item* item = &p->friction[k];
        pkm_memo_pass(memo, &item->force, sizeof item->force);
        pkm_memo_pass(memo, &item->moment, sizeof item->moment);
        pkm_memo_pass(memo, &item->last, sizeof item->last);
    }
    for (int s = 0; s < p->n_spin; ++s)
        pkm_memo_pass(memo, &p->spin[s].rate, sizeof p->spin[s].rate);
    pkm_plant_stops_memo(p, memo);
}
