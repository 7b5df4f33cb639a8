// Forward dynamics by blocks: limb by limb with a platform as their hub against all rows together.
#include "base/memory.h"
#include "check.h"
#include "dynamics/blocks_impl.h"
#include "dynamics/forward_impl.h"
#include "dynamics/plant_impl.h"
#include "dynamics/rows.h"
#include "robot/run_variant.h"
#include "run/run.h"

#include <string.h>

enum { MOST = 256 };

typedef struct made {
    pkm_robot* given;
    pkm_machine* robot;
    pkm_run* run;
    pkm_run_variant* variant;
    pkm_plant* plant;
    pkm_target at;
} made;

static void rest(void* user, double t, pkm_target* target)
{
    (void)t;
    *target = ((const made*)user)->at;
}

static pkm_status no_force(void* user, double t, const pkm_state* state, const double* z,
                           double* force, double* z_rate)
{
    (void)user, (void)t, (void)state, (void)z, (void)z_rate;
    memset(force, 0, PKM_MAX_DRIVE * sizeof *force);
    return PKM_OK;
}

/// A robot with what a run file says, all drives at rest.
static void make_of(made* m, const char* file, const char* text)
{
    *m = (made){0};
    pkm_error err = {0};
    bool all[PKM_MAX_DRIVE];
    for (int d = 0; d < PKM_MAX_DRIVE; ++d)
        all[d] = true;
    pkm_status status = pkm_robot_load(file, NULL, 0, &m->given, &err);
    if (status == PKM_OK) status = pkm_run_create(m->given, &m->run, &err);
    if (status == PKM_OK) status = pkm_run_parse(m->run, text, "run.yaml", &err);
    if (status == PKM_OK)
        status = pkm_run_variant_create(m->given, &m->run->effects, &m->variant, &err);
    if (status == PKM_OK)
        status = pkm_robot_variant(m->given, &m->variant->variant, &m->robot, &err);
    CHECK(status == PKM_OK);
    const pkm_actuation actuation = {.user = m, .reference = rest, .force = no_force};
    const pkm_plant_spec spec = {.structure = &m->robot->structure,
                                 .prescribed = all,
                                 .actuation = &actuation,
                                 .n_clearance = m->run->effects.n_clearance,
                                 .clearance = m->run->effects.clearance};
    for (int d = 0; d < m->robot->mech->n_drive; ++d)
        m->at.q[d] = pkm_state_drive_position(m->robot->state, d);
    m->at.a[0] = 3.0;
    CHECK(pkm_plant_create(m->robot->state, &spec, &m->plant, &err) == PKM_OK);
}

static void make(made* m, const char* text)
{
    make_of(m, PKM_SOURCE_DIR "/robots/siax.yaml", text);
}

static void release(made* m)
{
    pkm_plant_free(m->plant);
    pkm_robot_variant_free(m->robot);
    pkm_run_variant_free(m->variant);
    pkm_run_free(m->run);
    pkm_robot_free(m->given);
}

/// Bodies that fly, bent and in motion: loops need not close for the equations to be solved.
static void shake(made* m)
{
    pkm_state* state = m->robot->state;
    unsigned seed = 3;
    double step[MOST];
    for (int k = 0; k < state->mech->n_v; ++k) {
        seed = seed * 1664525u + 1013904223u;
        step[k] = 1e-3 * ((double)(seed >> 8) / 8388608.0 - 1.0) * state->mech->v_unit[k];
        state->v[k] = 100.0 * step[k];
    }
    pkm_state_move(state->mech, state->q, step);
}

/// Accelerations and forces of the drives by limbs and by the whole agree.
static void check_both(const char* text)
{
    made m;
    double a[MOST], z_rate[MOST], force[PKM_MAX_DRIVE];
    make(&m, text);
    shake(&m);
    pkm_blocks* blocks = m.plant->forward->blocks;
    const int n = m.robot->mech->n_v;
    CHECK(blocks && blocks->chosen != PKM_NONE);
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(blocks->hub == blocks->chosen); // and it held
    memcpy(a, m.robot->state->a, (size_t)n * sizeof *a);
    memcpy(force, pkm_plant_drive_force(m.plant), sizeof force);
    blocks->chosen = PKM_NONE;
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    double most = 0.0, most_force = 0.0;
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(a[k]));
    for (int d = 0; d < m.robot->mech->n_drive; ++d)
        most_force = fmax(most_force, fabs(force[d]));
    CHECK(most > 1.0 && most_force > 1.0);
    for (int k = 0; k < n; ++k) // masses from grams of spin to kilograms: 1e4 of rounding
        CHECK_NEAR(m.robot->state->a[k], a[k], 1e-11 * most);
    for (int d = 0; d < m.robot->mech->n_drive; ++d)
        CHECK_NEAR(pkm_plant_drive_force(m.plant)[d], force[d], 1e-11 * most_force);
    release(&m);
}

static void flexible_rods_on_a_platform(void)
{
    check_both("run: 1\nflexible: {left: {elements: 4}, right: {elements: 4}}\n");
}

static void clearance_in_two_joints_has_no_hub(void)
{
    made m;
    make(&m, "run: 1\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}, "
             "B.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}}\n");
    CHECK(m.plant->forward->blocks && m.plant->forward->blocks->chosen == PKM_NONE);
    release(&m);
}

/// Four freedoms and 20 constraints: a pass for each freedom costs less. The same accelerations by
/// blocks.
static void few_freedoms_need_no_blocks(void)
{
    made m;
    double a[MOST], z_rate[MOST], most = 0.0;
    make(&m, "run: 1\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}}\n");
    shake(&m);
    pkm_forward* forward = m.plant->forward;
    const int n = m.robot->mech->n_v;
    CHECK(!forward->blocks && forward->n_free == 4);
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    memcpy(a, m.robot->state->a, (size_t)n * sizeof *a);
    forward->kept = pkm_alloc((size_t)n, sizeof(int));
    forward->lambda = pkm_alloc((size_t)n, sizeof(double));
    forward->left = pkm_alloc((size_t)n, sizeof(double));
    CHECK(pkm_blocks_create(m.robot->state, forward->prescribed, &forward->blocks) == PKM_OK);
    CHECK(pkm_forward_choose(forward, m.robot->state) == PKM_OK);
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(a[k]));
    CHECK(most > 1.0);
    for (int k = 0; k < n; ++k)
        CHECK_NEAR(m.robot->state->a[k], a[k], 1e-10 * most);
    release(&m);
}

// Which closures are kept may change from step to step: whatever it is, the layout finds its room.
static void other_rows_find_their_room(void)
{
    made m;
    make(&m, "run: 1\nflexible: {left: {elements: 2}, right: {elements: 2}}\n");
    const pkm_state* state = m.robot->state;
    const pkm_forward* forward = m.plant->forward;
    const int n = forward->n_base;
    pkm_blocks* blocks = NULL;
    CHECK(pkm_blocks_create(state, forward->prescribed, &blocks) == PKM_OK);
    CHECK(pkm_blocks_reserve(blocks, state, forward->row, n) == PKM_OK);
    // the first layout chooses the hub, whose room goes by all rows too
    const int few = pkm_blocks_set_rows(blocks, state, forward->row, n - 6);
    CHECK(few > 0 && blocks->chosen != PKM_NONE);
    const size_t before = pkm_alloc_count();
    CHECK(pkm_blocks_set_rows(blocks, state, forward->row, n) > few);
    CHECK(blocks->chosen != PKM_NONE);
    CHECK(pkm_blocks_set_rows(blocks, state, forward->row + 1, n - 1) > few);
    CHECK(pkm_alloc_count() == before);
    pkm_blocks_free(blocks);
    release(&m);
}

static void replace(double** old, size_t n)
{
    pkm_free(*old);
    *old = pkm_alloc(n, sizeof(double));
    CHECK(*old);
}

/// From now on it goes by the freedoms u.
static void leave_blocks(pkm_forward* f, pkm_state* state)
{
    const size_t n = (size_t)state->mech->n_v, n_free = (size_t)f->n_free;
    pkm_blocks_free(f->blocks);
    f->blocks = NULL;
    replace(&f->N, n * n_free);
    replace(&f->MN, n * n_free);
    replace(&f->mass, n_free * n_free);
    replace(&f->rate, n_free);
    pkm_blocks_free(f->step_blocks);
    f->step_blocks = NULL;
    replace(&f->step_N, n * n_free);
    replace(&f->step_mass, n_free * n_free);
    CHECK(pkm_forward_choose(f, state) == PKM_OK);
}

// The platform of Isoglide4 is a line without inertia about itself, and three links on it have no
// mass: its tree is solved last, by what the limbs of two links each hold of it. Accelerations,
// forces of the drives and an implicit step are those of the freedoms u.
static void a_tree_without_inertia_is_solved_last(void)
{
    made m;
    double a[MOST], x[2][MOST], force[MOST], drive[PKM_MAX_DRIVE], z_rate[MOST];
    double most = 0.0, most_x = 0.0, most_drive = 0.0;
    make_of(&m, PKM_SOURCE_DIR "/robots/isoglide4.yaml",
            "run: 1\nflexible: {'*': {elements: 2, modes: 2}}\n");
    pkm_state* state = m.robot->state;
    pkm_forward* forward = m.plant->forward;
    const int n = state->mech->n_v;
    shake(&m);
    CHECK(n <= MOST && forward->blocks && forward->blocks->last != PKM_NONE);
    for (int k = 0; k < n; ++k)
        force[k] = 1.0 + k % 7;
    for (int round = 0; round < 2; ++round) {
        if (round == 1) leave_blocks(forward, state);
        CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
        CHECK(pkm_forward_step_create(forward, state) == PKM_OK);
        CHECK(pkm_forward_step_factor(forward, state, 1e-4) == PKM_OK);
        pkm_forward_step_solve(forward, state, force, x[round]);
        if (round == 1) break;
        memcpy(a, state->a, (size_t)n * sizeof *a);
        memcpy(drive, pkm_plant_drive_force(m.plant), sizeof drive);
    }
    for (int k = 0; k < n; ++k) {
        most = fmax(most, fabs(a[k]));
        most_x = fmax(most_x, fabs(x[0][k]));
    }
    for (int d = 0; d < state->mech->n_drive; ++d)
        most_drive = fmax(most_drive, fabs(drive[d]));
    CHECK(most > 1.0 && most_x > 1e-3 && most_drive > 1.0);
    for (int k = 0; k < n; ++k) {
        CHECK_NEAR(state->a[k], a[k], 1e-9 * most);
        CHECK_NEAR(x[1][k], x[0][k], 1e-9 * most_x);
    }
    for (int d = 0; d < state->mech->n_drive; ++d)
        CHECK_NEAR(pkm_plant_drive_force(m.plant)[d], drive[d], 1e-9 * most_drive);
    release(&m);
}

/// How many blocks have factors of a rod now; without `allowed` none may have them from now on.
static int count_rods(pkm_blocks* blocks, bool allowed)
{
    int n = 0;
    for (int i = 0; i < blocks->n_block; ++i) {
        n += blocks->block[i].rod.is_now;
        if (!allowed) blocks->block[i].rod.body = PKM_NONE;
    }
    return n;
}

/// Accelerations by the factors of rods and by those of any block agree.
static void check_rods(const char* text, int n_rod)
{
    made m;
    double a[MOST], z_rate[MOST], most = 0.0;
    make(&m, text);
    shake(&m);
    const int n = m.robot->mech->n_v;
    pkm_blocks* blocks = m.plant->forward->blocks;
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(count_rods(blocks, false) == n_rod);
    memcpy(a, m.robot->state->a, (size_t)n * sizeof *a);
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(count_rods(blocks, false) == 0);
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(a[k]));
    for (int k = 0; k < n; ++k) // as between limbs and the whole
        CHECK_NEAR(m.robot->state->a[k], a[k], 1e-11 * most);
    release(&m);
}

static void rods_move_as_any_block_does(void)
{
    check_rods("run: 1\nflexible: {left: {elements: 4}, right: {elements: 4}}\n", 6);
    // rigid ones and the platform
    check_rods("run: 1\nclearance: {spherical: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}}\n",
               7);
}

/// The same for an implicit step of 0.1 ms, where the stiffness of the highest modes is as large as
/// their mass: A x = f is solved with `n_rod` rods and without any.
static void check_step(const char* text, int n_rod)
{
    made m;
    double x[2][MOST], force[MOST], z_rate[MOST], most = 0.0;
    make(&m, text);
    shake(&m);
    const int n = m.robot->mech->n_v;
    pkm_forward* forward = m.plant->forward;
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(pkm_forward_step_create(forward, m.robot->state) == PKM_OK);
    for (int k = 0; k < n; ++k)
        force[k] = 1.0 + k % 7;
    for (int round = 0; round < 2; ++round) {
        CHECK(pkm_forward_step_factor(forward, m.robot->state, 1e-4) == PKM_OK);
        CHECK(count_rods(forward->step_blocks, false) == (round == 0 ? n_rod : 0));
        pkm_forward_step_solve(forward, m.robot->state, force, x[round]);
    }
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(x[0][k]));
    CHECK(most > 0.0);
    for (int k = 0; k < n; ++k)
        CHECK_NEAR(x[1][k], x[0][k], 1e-11 * most);
    release(&m);
}

static void rods_of_implicit_steps_have_the_same_factors(void)
{
    check_step("run: 1\nflexible: {left: {elements: 4}, right: {elements: 4}}\n", 6);
}

/// Damping between the joints couples the modes.
static void damping_that_couples_modes_is_left_to_blocks(void)
{
    check_step("run: 1\nflexible: {left: {elements: 4, damping: adams}, right: {elements: 4}}\n",
               3);
}

/// Forces half way, side by side, against their solutions one by one: B' A^-1 B, B' A^-1 f and
/// A^-1 (f + B g). Each force pulls two bodies together, the last one all.
static void check_halves(const char* text, bool has_blocks, bool has_hub)
{
    enum { N = 5 };
    static const double g[N] = {1.0, -2.0, 0.5, 3.0, -0.25};
    static double B[N * MOST], x[N][MOST], half[2 * MOST];
    made m;
    double z_rate[MOST], G[N * N], dots[N] = {0.0}, f[MOST], y[MOST], both[MOST], most = 0.0;
    make(&m, text);
    shake(&m);
    const int n = m.robot->mech->n_v;
    pkm_forward* forward = m.plant->forward;
    const pkm_state* state = m.robot->state;
    pkm_halves* V;
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(pkm_forward_step_create(forward, state) == PKM_OK);
    CHECK(pkm_forward_step_factor(forward, state, 1e-4) == PKM_OK);
    CHECK((forward->step_blocks != NULL) == has_blocks);
    CHECK(!has_blocks || (forward->step_blocks->hub != PKM_NONE) == has_hub);
    CHECK(pkm_forward_step_halves(forward, N, &V) == PKM_OK);
    memset(B, 0, sizeof B);
    memset(half, 0, sizeof half);
    for (int k = 0; k < N; ++k)
        for (int i = 0; i < n; ++i)
            if (k == N - 1 || i * N / n == k || i % 7 == k) B[k * n + i] = cos(1.0 + i + 2.0 * k);
    for (int i = 0; i < n; ++i) {
        f[i] = both[i] = 1.0 + i % 7;
        for (int k = 0; k < N; ++k)
            both[i] += g[k] * B[k * n + i];
    }
    pkm_forward_step_lower_all(forward, state, B, N, V);
    pkm_halves_gram(V, N, G);
    pkm_forward_step_lower(forward, state, f, half);
    pkm_halves_dots(V, half, dots);
    pkm_halves_add(V, g, half);
    pkm_forward_step_upper(forward, state, half, y);
    for (int k = 0; k < N; ++k)
        pkm_forward_step_solve(forward, state, B + k * n, x[k]);
    for (int k = 0; k < N; ++k) {
        double scale = 0.0, dot = 0.0;
        for (int i = 0; i < n; ++i) {
            scale += fabs(f[i] * x[k][i]);
            dot += f[i] * x[k][i];
        }
        CHECK_NEAR(dots[k], dot, 1e-10 * scale);
        for (int j = 0; j < N; ++j) {
            double by = 0.0, size = 0.0;
            for (int i = 0; i < n; ++i) {
                by += B[j * n + i] * x[k][i];
                size += fabs(B[j * n + i] * x[k][i]);
            }
            CHECK_NEAR(G[j * N + k], by, 1e-10 * size + 1e-300);
        }
    }
    pkm_forward_step_solve(forward, state, both, x[0]);
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(x[0][i]));
    for (int i = 0; i < n; ++i)
        CHECK_NEAR(y[i], x[0][i], 1e-10 * most);
    pkm_halves_free(V);
    release(&m);
}

static void forces_half_way_have_the_same_solutions(void)
{
    check_halves("run: 1\nflexible: {left: {elements: 4}, right: {elements: 4}}\n", true, true);
    // rows without a hub, then no rows at all, then freedoms
    check_halves("run: 1\nflexible: {left: {elements: 4, damping: adams}}\n"
                 "clearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}, "
                 "B.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}}\n",
                 true, false);
    check_halves("run: 1\nflexible: {left: {elements: 4, damping: adams}, right: {elements: 4}}\n"
                 "clearance: {spherical: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}}\n",
                 true, false);
    check_halves("run: 1\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}}"
                 "\n",
                 false, false);
}

/// Rows that depend on each other in a limb alone, though not with the hub.
static void rows_that_do_not_hold_alone_are_solved_together(void)
{
    made m;
    double a[MOST], z_rate[MOST];
    make(&m, "run: 1\nflexible: {left: {elements: 4}, right: {elements: 4}}\n");
    shake(&m);
    pkm_blocks* blocks = m.plant->forward->blocks;
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    memcpy(a, m.robot->state->a, (size_t)m.robot->mech->n_v * sizeof *a);
    const pkm_block* limb = &blocks->block[blocks->n_block - 1];
    const int n_entry = limb->n_entry;
    blocks->block[blocks->n_block - 1].n_entry = 0; // the rows miss the limb: nothing holds there
    CHECK(pkm_blocks_factor(blocks, m.robot->state, m.plant->rotor) != PKM_OK ||
          blocks->hub == PKM_NONE);
    blocks->block[blocks->n_block - 1].n_entry = n_entry;
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(blocks->hub != PKM_NONE); // one far trial state does not end it
    for (int k = 0; k < m.robot->mech->n_v; ++k)
        CHECK_NEAR(m.robot->state->a[k], a[k], 0.0);
    release(&m);
}

/// An evaluation does without the LU factors of the rows; what needs them makes them.
static void factors_of_rows_wait_until_they_are_asked_for(void)
{
    made m;
    double z_rate[MOST], x[MOST] = {1.0}, y[MOST] = {1.0};
    make(&m, "run: 1\nflexible: {left: {elements: 4}, right: {elements: 4}}\n");
    shake(&m);
    CHECK(pkm_plant_evaluate(m.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(m.plant->forward->lu_waits);
    const double late = pkm_plant_estimate_sigma(m.plant, x);
    CHECK(!m.plant->forward->lu_waits);
    CHECK(pkm_plant_factor(m.plant) == PKM_OK); // at once
    CHECK_NEAR(pkm_plant_estimate_sigma(m.plant, y), late, 0.0);
    CHECK(late > 0.0);
    release(&m);
}

/// The rate of a closure, as its row has it.
static double rate_of(const pkm_state* state, const pkm_row* row)
{
    double rate = 0.0;
    for (int e = row->at; e < row->at + row->n_a + row->n_b; ++e)
        rate += state->jacobian[e] * state->v[state->mech->column[e]];
    return rate;
}

/// Whatever the velocities were, those of a start keep the loops closed and turn the drives as
/// prescribed; what does so is not changed.
static void a_start_in_motion_keeps_loops_and_drives(void)
{
    made m;
    double v[MOST], a;
    make(&m, "run: 1\nflexible: {left: {elements: 4}, right: {elements: 4}}\n");
    shake(&m);
    m.at.v[0] = 0.7, m.at.v[2] = -0.4;
    for (int turn = 0; turn < 2; ++turn) {
        const pkm_state* state = m.robot->state;
        CHECK(pkm_plant_start(m.plant, 0.0) == PKM_OK);
        for (int r = 0; r < state->mech->n_closure; ++r)
            CHECK_NEAR(rate_of(state, &state->mech->row[r]), 0.0, 1e-12);
        for (int d = 0; d < state->mech->n_drive; ++d) {
            double rate;
            pkm_drive_rates(state, d, &rate, &a);
            CHECK_NEAR(rate, m.at.v[d], 1e-13);
        }
        for (int k = 0; turn == 1 && k < state->mech->n_v; ++k)
            CHECK_NEAR(state->v[k], v[k], 1e-10);
        memcpy(v, state->v, (size_t)state->mech->n_v * sizeof *v);
    }
    release(&m);
}

int main(void)
{
    RUN(flexible_rods_on_a_platform);
    RUN(clearance_in_two_joints_has_no_hub);
    RUN(few_freedoms_need_no_blocks);
    RUN(other_rows_find_their_room);
    RUN(a_tree_without_inertia_is_solved_last);
    RUN(rods_move_as_any_block_does);
    RUN(rods_of_implicit_steps_have_the_same_factors);
    RUN(damping_that_couples_modes_is_left_to_blocks);
    RUN(forces_half_way_have_the_same_solutions);
    RUN(rows_that_do_not_hold_alone_are_solved_together);
    RUN(a_start_in_motion_keeps_loops_and_drives);
    RUN(factors_of_rows_wait_until_they_are_asked_for);
    return check_report();
}
