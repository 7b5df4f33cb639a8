// Idle freedoms: which spins of rods are harmless, and what the locks of the others carry.
// docs/theory/simulation.md, section 7, (7.1).
#include "dynamics/idle.h"

#include "math/tensor.h"
#include "model/mass.h"

#include <string.h>

const double PKM_IDLE_LIMIT = 1e-9;

static const double SYMMETRY = 1e-11; // of the rod's length, of its moments of inertia

// ---- what is welded to a rod ------------------------------------------------------------------
// A rod that spins holds what is welded to it alone (mechanism/row_list.c): a tree of fixed joints.

/// Does the fixed joint j hold another body on body i? `at`: where that is, in the axes of i.
static bool welds(const pkm_mechanism* mech, int j, int i, int* other, pkm_pose* at)
{
    const pkm_joint* joint = &mech->joint[j];
    const bool is_a = joint->body_a == i;
    if (joint->type != PKM_JOINT_FIXED || (!is_a && joint->body_b != i)) return false;
    const pkm_pose here = is_a ? joint->frame_a : joint->frame_b;
    *other = is_a ? joint->body_b : joint->body_a;
    *at = pkm_pose_mul(here, pkm_pose_inverse(is_a ? joint->frame_b : joint->frame_a));
    return true;
}

/// Body i with all that is welded to it, but for the joint `by`, in its axes.
static pkm_mass mass_with_welds(const pkm_mechanism* mech, int i, int by)
{
    const pkm_body* body = &mech->body[i];
    pkm_mass sum = {.mass = body->mass, .com = body->com};
    memcpy(sum.inertia, body->inertia, sizeof sum.inertia);
    int other;
    pkm_pose at;
    for (int j = 0; j < mech->n_joint; ++j)
        if (j != by && welds(mech, j, i, &other, &at))
            sum = pkm_mass_add(sum, pkm_mass_move(mass_with_welds(mech, other, j), at));
    return sum;
}

/// Is body k welded to body i, or the same? `out`: where it is, in the axes of i.
static bool is_welded(const pkm_mechanism* mech, int k, int i, int by, pkm_pose* out)
{
    *out = pkm_pose_identity();
    if (k == i) return true;
    int other;
    pkm_pose at, beyond;
    for (int j = 0; j < mech->n_joint; ++j) {
        if (j == by || !welds(mech, j, i, &other, &at)) continue;
        if (!is_welded(mech, k, other, j, &beyond)) continue;
        *out = pkm_pose_mul(at, beyond);
        return true;
    }
    return false;
}

// ---- symmetric rods ---------------------------------------------------------------------------

static const pkm_rod_line* line_of(const pkm_mechanism* mech, int r)
{
    return &mech->spin_line[mech->row[r].component];
}

static bool is_on(const pkm_rod_line* l, pkm_vec3 p)
{
    const pkm_vec3 off = pkm_vec3_cross(pkm_vec3_sub(p, l->at), l->along);
    return pkm_vec3_norm(off) <= SYMMETRY * l->length;
}

/// Is e a principal axis with equal moments about all axes across it?
static bool is_round(const double* inertia, pkm_vec3 e)
{
    const double trace = inertia[0] + inertia[1] + inertia[2];
    const double about = pkm_vec3_dot(e, pkm_inertia_times(inertia, e));
    // trace = about + 2 across
    const double across = 0.5 * (trace - about);
    // I = across 1 + (about - across) e e'
    const double lift = about - across;
    const double round[6] = {across + lift * e.x * e.x, across + lift * e.y * e.y,
                             across + lift * e.z * e.z, lift * e.x * e.y,
                             lift * e.x * e.z,          lift * e.y * e.z};
    for (int k = 0; k < 6; ++k)
        if (!(fabs(inertia[k] - round[k]) <= SYMMETRY * fabs(trace))) return false;
    return true;
}

bool pkm_spin_is_symmetric(const pkm_mechanism* mech, int r)
{
    const pkm_mass all = mass_with_welds(mech, mech->row[r].item, PKM_NONE);
    const pkm_rod_line* l = line_of(mech, r);
    // a rod without mass has no centre that could lie beside the line
    return (all.mass == 0.0 || is_on(l, all.com)) && is_round(all.inertia, l->along);
}

int pkm_idle_sort(const pkm_mechanism* mech, int* lock, int n)
{
    int n_harmless = 0;
    for (int i = 0; i < n; ++i) {
        // a held velocity is no spin; a rod that is not round has a moment to be held with
        const int r = lock[i];
        if (mech->row[r].kind != PKM_ROW_SPIN || !pkm_spin_is_symmetric(mech, r)) continue;
        // harmless ones to the front, in their order
        for (int k = i; k > n_harmless; --k)
            lock[k] = lock[k - 1];
        lock[n_harmless++] = r;
    }
    return n_harmless;
}

// ---- rods that carry something ----------------------------------------------------------------

static bool is_zero(pkm_vec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

bool pkm_rod_carries(const pkm_mechanism* mech, int rod, int body, pkm_pose* at)
{
    return is_welded(mech, body, rod, PKM_NONE, at);
}

bool pkm_spins_with(const pkm_mechanism* mech, int marker, int i)
{
    pkm_pose at;
    return marker != PKM_NONE && pkm_rod_carries(mech, i, mech->marker[marker].body, &at);
}

/// Does a marker of the rod `i` lie off the line?
static bool is_off(const pkm_mechanism* mech, int marker, int i, const pkm_rod_line* l)
{
    pkm_pose at;
    return marker != PKM_NONE && pkm_rod_carries(mech, i, mech->marker[marker].body, &at) &&
           !is_on(l, pkm_pose_point(at, mech->marker[marker].pose.p));
}

static bool element_turns(const pkm_mechanism* mech, const pkm_element* e, int i,
                          const pkm_rod_line* l)
{
    // on a coordinate: that joint has one freedom, the rod's joints are balls
    if (e->type->place == PKM_ON_COORDINATE) return false;
    const bool sits = pkm_spins_with(mech, e->marker_a, i) || pkm_spins_with(mech, e->marker_b, i);
    // a moment on the rod turns it wherever it acts
    if (sits && e->type->twists && e->type->twists(e->data)) return true;
    return is_off(mech, e->marker_a, i, l) || is_off(mech, e->marker_b, i, l);
}

/// A payload keeps the rod round when it is a point on the line.
static bool payload_turns(const pkm_mechanism* mech, const pkm_carried* c, int i,
                          const pkm_rod_line* l)
{
    if (!pkm_spins_with(mech, c->marker, i)) return false;
    // a body with extent, or one beside the line, makes the lock bear something
    bool is_point = is_zero(c->payload.mass.com);
    for (int k = 0; k < 6; ++k)
        is_point = is_point && c->payload.mass.inertia[k] == 0.0;
    return !is_point || is_off(mech, c->marker, i, l);
}

/// Can anything of the run turn the rod of the spin row `r` of `mech` about its line?
static bool is_turned(const pkm_mechanism* mech, int r, const pkm_idle_loads* loads)
{
    const int i = mech->row[r].item;
    const pkm_rod_line* l = line_of(mech, r);
    const pkm_effects* effects = loads->effects;
    for (int k = 0; effects && k < effects->n_element; ++k)
        if (element_turns(mech, &effects->element[k], i, l)) return true;
    for (int k = 0; effects && k < effects->n_carried; ++k)
        if (payload_turns(mech, &effects->carried[k], i, l)) return true;
    if (!pkm_spins_with(mech, mech->tool, i)) return false;
    return !is_zero(loads->tool_torque) ||
           (!is_zero(loads->tool_force) && is_off(mech, mech->tool, i, l));
}

/// The spin row of the robot as written that belongs to the row `r` of its variant.
static int row_as_written(const pkm_mechanism* given, const pkm_mechanism* mech, int r)
{
    // variants number bodies anew; the description numbers them as they were written
    const int body = given->body_of_desc[mech->body[mech->row[r].item].desc];
    for (int s = given->spin_row_at; s < given->spin_row_at + given->n_spin; ++s)
        if (given->row[s].item == body) return s;
    return PKM_NONE;
}

int pkm_idle_list(const pkm_mechanism* mech, const pkm_mechanism* given, int* lock)
{
    int n = 0;
    for (int r = mech->spin_row_at; r < mech->spin_row_at + mech->n_spin; ++r) {
        // judged as written: what is released in a variant does not make a rod less round
        const int written = row_as_written(given, mech, r);
        if (written != PKM_NONE && pkm_spin_is_symmetric(given, written)) lock[n++] = r;
    }
    return n;
}

void pkm_idle_structure(const pkm_structure* from, const pkm_mechanism* mech,
                        const pkm_mechanism* given, const pkm_idle_loads* loads, int* lock,
                        pkm_structure* out)
{
    int n = 0, n_late = 0;
    *out = *from;
    out->lock = lock;
    // those that stay harmless in front, those that do not behind them
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < from->n_harmless; ++i) {
            const int r = row_as_written(given, mech, from->lock[i]);
            // a row without a rod as written counts as not turned
            if ((r != PKM_NONE && is_turned(given, r, loads)) != (pass == 1)) continue;
            lock[n++] = from->lock[i];
            n_late += pass;
        }
    for (int i = n; i < from->n_lock; ++i)
        lock[i] = from->lock[i];
    out->n_harmless = from->n_harmless - n_late;
    out->n_held = out->n_harmless;
}

// ---- multipliers ------------------------------------------------------------------------------

int pkm_idle_place(const pkm_system* system, int r)
{
    int i = system->n_row - 1; // locks stand behind closures and drives
    while (i >= 0 && system->row[i] != r)
        --i;
    return i >= 0 ? i : PKM_NONE;
}

double pkm_idle_multiplier(const pkm_state* state, pkm_given given, const int* lock, int n,
                           int* row, double* moment)
{
    const pkm_mechanism* mech = state->mech;
    const pkm_system* system = &state->system[given];
    double most = 0.0, worst = 0.0;
    for (int k = 0; k < n; ++k) {
        // a lock that the present system does not have carries nothing
        const int i = pkm_idle_place(system, lock[k]);
        if (i == PKM_NONE) continue;
        // forces times the robot's size, so that they compare with moments
        const double size = fabs(system->multiplier[i]) / mech->row[lock[k]].weight;
        if (size <= worst) continue;
        worst = size;
        *row = lock[k];
        *moment = system->multiplier[i];
    }
    // against the largest multiplier and the largest force of the robot, all without units; what is
    // small beside one of them is small beside the largest
    const double enough = 2.0 * worst / PKM_IDLE_LIMIT;
    if (!(worst > 0.0)) return 0.0;
    // the sums end where the answer is clear, so that most rows cost little
    for (int i = 0; i < system->n_row && !(most >= enough); ++i) {
        const double size = fabs(system->multiplier[i]) / mech->row[system->row[i]].weight;
        most = size > most ? size : most;
    }
    for (int k = 0; k < mech->n_v && !(most >= enough); ++k) {
        const double size = fabs(state->force[k]) * mech->v_unit[k];
        most = size > most ? size : most;
    }
    return worst / most;
}
