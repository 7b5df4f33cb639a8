// Forward dynamics by blocks: limb by limb with a platform as their hub against all rows together.
#include "base/memory.h"
#include "dynamics/blocks_impl.h"
#include "dynamics/forward_impl.h"
#include "dynamics/rows.h"
#include "plant.h"

#include <string.h>

enum { MOST = 1024 };

typedef struct made {
    plant_parts of;
    pkm_target at;
} made;

static void rest(void* user, double t, pkm_target* target)
{
    (void)t;
    *target = ((const made*)user)->at;
}

/// A robot with what a run file says, all drives at rest.
static void make_of(made* m, const char* file, const char* text)
{
    *m = (made){0};
    CHECK(pkm_robot_load(file, NULL, 0, &m->of.given, NULL) == PKM_OK);
    CHECK(pkm_run_create(m->of.given, &m->of.run, NULL) == PKM_OK);
    CHECK(pkm_run_parse(m->of.run, text, "run.yaml", NULL) == PKM_OK);
    const pkm_actuation actuation = {.user = m, .reference = rest, .force = no_force};
    for (int d = 0; d < m->of.given->mech->n_drive; ++d)
        m->at.q[d] = pkm_state_drive_position(m->of.given->state, d);
    m->at.a[0] = 3.0;
    plant_make(&m->of, true, &actuation);
}

static void make(made* m, const char* text)
{
    make_of(m, PKM_SOURCE_DIR "/robots/siax.yaml", text);
}

/// Bodies that fly, bent and in motion: loops need not close for the equations to be solved.
static void shake(made* m)
{
    pkm_state* state = m->of.robot->state;
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
    pkm_blocks* blocks = m.of.plant->forward->blocks;
    const int n = m.of.robot->mech->n_v;
    CHECK(blocks && blocks->chosen != PKM_NONE);
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(blocks->hub == blocks->chosen); // and it held
    memcpy(a, m.of.robot->state->a, (size_t)n * sizeof *a);
    memcpy(force, pkm_plant_drive_force(m.of.plant), sizeof force);
    blocks->chosen = PKM_NONE;
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    double most = 0.0, most_force = 0.0;
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(a[k]));
    for (int d = 0; d < m.of.robot->mech->n_drive; ++d)
        most_force = fmax(most_force, fabs(force[d]));
    CHECK(most > 1.0 && most_force > 1.0);
    for (int k = 0; k < n; ++k) // masses from grams of spin to kilograms: 1e4 of rounding
        CHECK_NEAR(m.of.robot->state->a[k], a[k], 1e-11 * most);
    for (int d = 0; d < m.of.robot->mech->n_drive; ++d)
        CHECK_NEAR(pkm_plant_drive_force(m.of.plant)[d], force[d], 1e-11 * most_force);
    plant_release(&m.of);
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
    CHECK(m.of.plant->forward->blocks && m.of.plant->forward->blocks->chosen == PKM_NONE);
    plant_release(&m.of);
}

/// Four freedoms and 20 constraints: a pass for each freedom costs less. The same accelerations by
/// blocks.
static void few_freedoms_need_no_blocks(void)
{
    made m;
    double a[MOST], z_rate[MOST], most = 0.0;
    make(&m, "run: 1\nclearance: {A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1e10}}\n");
    shake(&m);
    pkm_forward* forward = m.of.plant->forward;
    const int n = m.of.robot->mech->n_v;
    CHECK(!forward->blocks && forward->n_free == 4);
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    memcpy(a, m.of.robot->state->a, (size_t)n * sizeof *a);
    forward->kept = pkm_alloc((size_t)n, sizeof(int));
    forward->lambda = pkm_alloc((size_t)n, sizeof(double));
    forward->left = pkm_alloc((size_t)n, sizeof(double));
    CHECK(pkm_blocks_create(m.of.robot->state, forward->prescribed, &forward->blocks) == PKM_OK);
    CHECK(pkm_forward_choose(forward, m.of.robot->state) == PKM_OK);
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(a[k]));
    CHECK(most > 1.0);
    for (int k = 0; k < n; ++k)
        CHECK_NEAR(m.of.robot->state->a[k], a[k], 1e-10 * most);
    plant_release(&m.of);
}

// Which closures are kept may change from step to step: whatever it is, the layout finds its room.
static void other_rows_find_their_room(void)
{
    made m;
    make(&m, "run: 1\nflexible: {left: {elements: 2}, right: {elements: 2}}\n");
    const pkm_state* state = m.of.robot->state;
    const pkm_forward* forward = m.of.plant->forward;
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
    plant_release(&m.of);
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
    pkm_state* state = m.of.robot->state;
    pkm_forward* forward = m.of.plant->forward;
    const int n = state->mech->n_v;
    shake(&m);
    CHECK(n <= MOST && forward->blocks && forward->blocks->last != PKM_NONE);
    for (int k = 0; k < n; ++k)
        force[k] = 1.0 + k % 7;
    for (int round = 0; round < 2; ++round) {
        if (round == 1) leave_blocks(forward, state);
        CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
        CHECK(pkm_forward_step_create(forward, state) == PKM_OK);
        CHECK(pkm_forward_step_factor(forward, state, 1e-4) == PKM_OK);
        pkm_forward_step_solve(forward, state, force, x[round]);
        if (round == 1) break;
        memcpy(a, state->a, (size_t)n * sizeof *a);
        memcpy(drive, pkm_plant_drive_force(m.of.plant), sizeof drive);
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
        CHECK_NEAR(pkm_plant_drive_force(m.of.plant)[d], drive[d], 1e-9 * most_drive);
    plant_release(&m.of);
}

/// From now on rows go by the skyline of S.
static void leave_fronts(pkm_blocks* b)
{
    const size_t stride = (size_t)pkm_chol_stride(b->n_row);
    CHECK(b->fronts);
    b->fronts = NULL;
    b->S = pkm_alloc(stride * stride, sizeof(double));
    CHECK(b->S);
}

/// Accelerations, forces of the drives and an implicit step of links in pieces by fronts are those
/// by the skyline.
static void check_fronts(const char* file, const char* text)
{
    made m;
    double a[2][MOST], x[2][MOST], force[MOST], drive[2][PKM_MAX_DRIVE], z_rate[MOST];
    double most = 0.0, most_x = 0.0, most_drive = 0.0;
    make_of(&m, file, text);
    pkm_state* state = m.of.robot->state;
    pkm_forward* forward = m.of.plant->forward;
    const int n = state->mech->n_v;
    shake(&m);
    CHECK(n <= MOST);
    for (int k = 0; k < n; ++k)
        force[k] = 1.0 + k % 7;
    CHECK(pkm_forward_step_create(forward, state) == PKM_OK);
    for (int round = 0; round < 2; ++round) {
        if (round == 1) {
            leave_fronts(forward->blocks);
            leave_fronts(forward->step_blocks);
        }
        CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
        CHECK(pkm_forward_step_factor(forward, state, 1e-6) == PKM_OK);
        pkm_forward_step_solve(forward, state, force, x[round]);
        memcpy(a[round], state->a, (size_t)n * sizeof **a);
        memcpy(drive[round], pkm_plant_drive_force(m.of.plant), sizeof *drive);
    }
    for (int k = 0; k < n; ++k) {
        most = fmax(most, fabs(a[0][k]));
        most_x = fmax(most_x, fabs(x[0][k]));
    }
    for (int d = 0; d < state->mech->n_drive; ++d)
        most_drive = fmax(most_drive, fabs(drive[0][d]));
    CHECK(most > 1.0 && most_x > 1e-6 && most_drive > 1e-3);
    for (int k = 0; k < n; ++k) { // rounding of rows of light pieces, conditioned to some 1e5
        CHECK_NEAR(a[1][k], a[0][k], 1e-10 * most);
        CHECK_NEAR(x[1][k], x[0][k], 1e-10 * most_x);
    }
    for (int d = 0; d < state->mech->n_drive; ++d)
        CHECK_NEAR(drive[1][d], drive[0][d], 1e-10 * most_drive);
    plant_release(&m.of);
}

static void pieces_in_loops_go_by_fronts(void)
{
    check_fronts(PKM_SOURCE_DIR "/robots/five-bar.yaml",
                 "run: 1\nflexible: {'*': {pieces: 6, modes: 2}}\n");
    check_fronts(PKM_SOURCE_DIR "/robots/siax.yaml",
                 "run: 1\nflexible: {left: {pieces: 3, modes: 2}, right: {pieces: 2, modes: 2}}\n");
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
    const int n = m.of.robot->mech->n_v;
    pkm_blocks* blocks = m.of.plant->forward->blocks;
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(count_rods(blocks, false) == n_rod);
    memcpy(a, m.of.robot->state->a, (size_t)n * sizeof *a);
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(count_rods(blocks, false) == 0);
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(a[k]));
    for (int k = 0; k < n; ++k) // as between limbs and the whole
        CHECK_NEAR(m.of.robot->state->a[k], a[k], 1e-11 * most);
    plant_release(&m.of);
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
    const int n = m.of.robot->mech->n_v;
    pkm_forward* forward = m.of.plant->forward;
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(pkm_forward_step_create(forward, m.of.robot->state) == PKM_OK);
    for (int k = 0; k < n; ++k)
        force[k] = 1.0 + k % 7;
    for (int round = 0; round < 2; ++round) {
        CHECK(pkm_forward_step_factor(forward, m.of.robot->state, 1e-4) == PKM_OK);
        CHECK(count_rods(forward->step_blocks, false) == (round == 0 ? n_rod : 0));
        pkm_forward_step_solve(forward, m.of.robot->state, force, x[round]);
    }
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(x[0][k]));
    CHECK(most > 0.0);
    for (int k = 0; k < n; ++k)
        CHECK_NEAR(x[1][k], x[0][k], 1e-11 * most);
    plant_release(&m.of);
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
    const int n = m.of.robot->mech->n_v;
    pkm_forward* forward = m.of.plant->forward;
    const pkm_state* state = m.of.robot->state;
    pkm_halves* V;
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
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
    plant_release(&m.of);
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
    pkm_blocks* blocks = m.of.plant->forward->blocks;
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    memcpy(a, m.of.robot->state->a, (size_t)m.of.robot->mech->n_v * sizeof *a);
    const pkm_block* limb = &blocks->block[blocks->n_block - 1];
    const int n_entry = limb->n_entry;
    blocks->block[blocks->n_block - 1].n_entry = 0; // the rows miss the limb: nothing holds there
    CHECK(pkm_blocks_factor(blocks, m.of.robot->state, m.of.plant->rotor) != PKM_OK ||
          blocks->hub == PKM_NONE);
    blocks->block[blocks->n_block - 1].n_entry = n_entry;
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(blocks->hub != PKM_NONE); // one far trial state does not end it
    for (int k = 0; k < m.of.robot->mech->n_v; ++k)
        CHECK_NEAR(m.of.robot->state->a[k], a[k], 0.0);
    plant_release(&m.of);
}

/// An evaluation does without the LU factors of the rows; what needs them makes them.
static void factors_of_rows_wait_until_they_are_asked_for(void)
{
    made m;
    double z_rate[MOST], x[MOST] = {1.0}, y[MOST] = {1.0};
    make(&m, "run: 1\nflexible: {left: {elements: 4}, right: {elements: 4}}\n");
    shake(&m);
    CHECK(pkm_plant_evaluate(m.of.plant, 0.0, NULL, z_rate) == PKM_OK);
    CHECK(m.of.plant->forward->lu_waits);
    const double late = pkm_plant_estimate_sigma(m.of.plant, x);
    CHECK(!m.of.plant->forward->lu_waits);
    CHECK(pkm_plant_factor(m.of.plant) == PKM_OK); // at once
    CHECK_NEAR(pkm_plant_estimate_sigma(m.of.plant, y), late, 0.0);
    CHECK(late > 0.0);
    plant_release(&m.of);
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
        const pkm_state* state = m.of.robot->state;
        CHECK(pkm_plant_start(m.of.plant, 0.0) == PKM_OK);
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
    plant_release(&m.of);
}

int main(void)
{
    RUN(flexible_rods_on_a_platform);
    RUN(clearance_in_two_joints_has_no_hub);
    RUN(few_freedoms_need_no_blocks);
    RUN(other_rows_find_their_room);
    RUN(a_tree_without_inertia_is_solved_last);
    RUN(pieces_in_loops_go_by_fronts);
    RUN(rods_move_as_any_block_does);
    RUN(rods_of_implicit_steps_have_the_same_factors);
    RUN(damping_that_couples_modes_is_left_to_blocks);
    RUN(forces_half_way_have_the_same_solutions);
    RUN(rows_that_do_not_hold_alone_are_solved_together);
    RUN(a_start_in_motion_keeps_loops_and_drives);
    RUN(factors_of_rows_wait_until_they_are_asked_for);
    return check_report();
}
