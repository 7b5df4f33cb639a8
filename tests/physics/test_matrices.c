/// Models as matrices: shares sum to the drive force, M gives the kinetic energy and, by its
/// derivatives, the Coriolis terms; A and B are those of the rods.
#include "pkm/batch.h"
#include "pkm/inverse.h"
#include "pkm/matrices.h"

#include "dynamics/inverse.h"
#include "engine.h"

static pkm_matrices m, other; // too large for the stack

/// Near home, moving.
static pkm_instant moving(const pkm_robot* robot, unsigned seed, double away)
{
    pkm_instant now = pkm_instant_home(robot);
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
        now.q[d] += away * engine_noise(&seed);
        now.v[d] = 2.0 * engine_noise(&seed);
        now.a[d] = 5.0 * engine_noise(&seed);
    }
    return now;
}

static double largest(const double* x, int n)
{
    double out = 0.0;
    for (int i = 0; i < n; ++i)
        out = fmax(out, fabs(x[i]));
    return out;
}

// Linear in the masses: the terms of limbs and platform sum to those of the robot, and those to
// what pkm_inverse_at gives with a force on the tool. Rounding: 1e-12 of the largest term.
static void shares_sum_to_the_drive_force(void)
{
    for (int r = 0; r < ENGINE_N_ROBOT; ++r) {
        pkm_robot* robot = engine_load(engine_robots[r]);
        pkm_instant now = moving(robot, 7u + (unsigned)r, 0.01);
        pkm_error err = {0};
        now.tool_force = (pkm_vec3){3.0, -2.0, 5.0};
        now.tool_torque = (pkm_vec3){0.1, 0.0, -0.2};
        const pkm_status status = pkm_matrices_at(robot, &now, &m, &err);
        if (status != PKM_OK) printf("    %s: %s\n", engine_robots[r], err.text);
        CHECK(status == PKM_OK);
        CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, &err) == PKM_OK);
        const int n = m.n_drive;
        CHECK(m.n_part >= 2 || strcmp(engine_robots[r], "five-bar") == 0);
        for (int i = 0; i < n; ++i) {
            double sum = 0.0, scale = largest(m.force, n) + largest(m.all.force, n);
            for (int p = 0; p < m.n_part; ++p)
                sum += m.part[p].force[i];
            for (int p = 0; p < m.n_part; ++p)
                scale = fmax(scale, largest(m.part[p].force, n));
            CHECK_NEAR(sum, m.all.force[i], 1e-11 * scale);
            CHECK_NEAR(m.force[i], now.force[i], 1e-11 * scale);
            double whole = m.all.V[i] + m.all.G[i] - m.load[i];
            for (int k = 0; k < n; ++k)
                whole += m.all.M[i + k * n] * now.a[k];
            CHECK_NEAR(whole, now.force[i], 1e-10 * scale);
        }
        pkm_robot_free(robot);
    }
}

// v' M v / 2 is the kinetic energy of all bodies, which is summed body by body.
static void mass_matrix_gives_the_kinetic_energy(void)
{
    for (int r = 0; r < ENGINE_N_ROBOT; ++r) {
        pkm_robot* robot = engine_load(engine_robots[r]);
        const pkm_instant now = moving(robot, 31u + (unsigned)r, 0.01);
        CHECK(pkm_matrices_at(robot, &now, &m, NULL) == PKM_OK);
        const double energy = pkm_energy_now(robot->state).kinetic;
        double sum = 0.0;
        for (int i = 0; i < m.n_drive; ++i)
            for (int k = 0; k < m.n_drive; ++k)
                sum += 0.5 * now.v[i] * m.all.M[i + k * m.n_drive] * now.v[k];
        CHECK_NEAR(sum, energy, 1e-10 * energy);
        pkm_robot_free(robot);
    }
}

static double quadratic(const double* M, const double* v, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            sum += v[i] * M[i + k * n] * v[k];
    return sum;
}

// Lagrange: V_i = sum_k dM_ij/dq_k v_j v_k - 1/2 d(v' M v)/dq_i, and G_i = dU/dq_i; by central
// differences with a step of 1e-5, whose error and rounding are below 1e-7 of the terms.
static void coriolis_terms_follow_from_the_mass_matrix(void)
{
    enum { N = 3 };
    const double h = 1e-5;
    pkm_robot* robot = engine_load("siax");
    pkm_instant now = moving(robot, 5u, 0.1);
    double V[N] = {0.0}, G[N] = {0.0};
    CHECK(pkm_matrices_at(robot, &now, &m, NULL) == PKM_OK);
    for (int k = 0; k < N; ++k) {
        double M[2][N * N], U[2];
        for (int side = 0; side < 2; ++side) {
            pkm_instant at = now;
            at.q[k] += side ? h : -h;
            CHECK(pkm_matrices_at(robot, &at, &other, NULL) == PKM_OK);
            memcpy(M[side], other.all.M, sizeof M[side]);
            U[side] = pkm_energy_now(robot->state).potential;
        }
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j)
                V[i] += (M[1][i + j * N] - M[0][i + j * N]) / (2.0 * h) * now.v[j] * now.v[k];
        V[k] -= 0.5 * (quadratic(M[1], now.v, N) - quadratic(M[0], now.v, N)) / (2.0 * h);
        G[k] = (U[1] - U[0]) / (2.0 * h);
    }
    CHECK(largest(m.all.V, N) > 0.1);
    for (int i = 0; i < N; ++i) {
        CHECK_NEAR(m.all.V[i], V[i], 1e-6 * largest(m.all.V, N));
        CHECK_NEAR(m.all.G[i], G[i], 1e-6 * largest(m.all.G, N));
    }
    pkm_robot_free(robot);
}

// Triglide: the rods pull along themselves, A q' = B x' with B the unit vectors of the rods and A
// their components along the slides.
static void pair_of_the_triglide_is_that_of_its_rods(void)
{
    static const double u[3][3] = {
        {0.8660254037844386, -0.5, 0.0}, {-0.8660254037844386, -0.5, 0.0}, {0.0, 1.0, 0.0}};
    pkm_robot* robot = engine_load("triglide");
    const pkm_instant now = moving(robot, 3u, 0.02);
    CHECK(pkm_matrices_at(robot, &now, &m, NULL) == PKM_OK);
    CHECK(m.has_inverse && m.n_move == 3);
    for (int i = 0; i < 3; ++i) {
        double along = 0.0, length = 0.0;
        for (int c = 0; c < 3; ++c) {
            along += m.B[i + 3 * c] * u[i][c];
            length += m.B[i + 3 * c] * m.B[i + 3 * c];
        }
        CHECK_NEAR(length, 1.0, 1e-12);
        CHECK_NEAR(fabs(along), fabs(m.A[i]), 1e-10);
        double rate = 0.0; // of the tool, from the drives' rates
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                rate += m.B[i + 3 * c] * m.J[6 * k + c] * now.v[k];
        CHECK_NEAR(m.A[i] * now.v[i], rate, 1e-12);
    }
    pkm_robot_free(robot);
}

// The closed form shares no code with the engine: unit accelerations through it give the same M.
static void closed_forms_have_the_same_mass_matrix(void)
{
    static const char* const name[] = {"siax", "triglide", "isoglideT3", "3pprs"};
    for (int r = 0; r < 4; ++r) {
        pkm_robot* robot = engine_load(name[r]);
        const pkm_instant now = moving(robot, 11u, 0.01);
        double M[36], h[6];
        CHECK(pkm_matrices_at(robot, &now, &m, NULL) == PKM_OK);
        CHECK(pkm_dynamics_at(robot, PKM_METHOD_CLOSED, &now, M, h, NULL) == PKM_OK);
        const int n = m.n_drive;
        for (int k = 0; k < n * n; ++k)
            CHECK_NEAR(m.all.M[k], M[k], 1e-9 * largest(M, n * n));
        for (int i = 0; i < n; ++i)
            CHECK_NEAR(m.all.V[i] + m.all.G[i], h[i], 1e-9 * largest(h, n));
        pkm_robot_free(robot);
    }
}

// M does not depend on rates: what they add to the forces takes none of its digits.
static void mass_matrix_keeps_its_digits_at_any_rate(void)
{
    static const pkm_method method[] = {PKM_METHOD_ENGINE, PKM_METHOD_CLOSED};
    pkm_robot* robot = engine_load("siax");
    for (int k = 0; k < 2; ++k) {
        pkm_instant now = moving(robot, 5u, 0.1);
        double rest[9], fast[9], h[3];
        memset(now.v, 0, sizeof now.v);
        CHECK(pkm_dynamics_at(robot, method[k], &now, rest, h, NULL) == PKM_OK);
        for (int d = 0; d < 3; ++d)
            now.v[d] = d == 1 ? -1e7 : 1e7;
        CHECK(pkm_dynamics_at(robot, method[k], &now, fast, h, NULL) == PKM_OK);
        CHECK(largest(h, 3) > 1e12);
        for (int i = 0; i < 9; ++i) // forces are sums of some terms of their size
            CHECK_NEAR(fast[i], rest[i], 1e-13 * largest(rest, 9));
    }
    pkm_robot_free(robot);
}

static void forces_beyond_all_numbers_are_refused(void)
{
    pkm_robot* robot = engine_load("siax");
    pkm_instant now = moving(robot, 5u, 0.1);
    double M[9], h[3];
    now.v[0] = 1e200;
    CHECK(pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, NULL) == PKM_ERR_NUMBERS);
    CHECK(pkm_inverse_at(robot, PKM_METHOD_CLOSED, &now, NULL) == PKM_ERR_NUMBERS);
    CHECK(pkm_dynamics_at(robot, PKM_METHOD_ENGINE, &now, M, h, NULL) == PKM_ERR_NUMBERS);
    CHECK(pkm_matrices_at(robot, &now, &m, NULL) == PKM_ERR_NUMBERS);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(shares_sum_to_the_drive_force);
    RUN(mass_matrix_gives_the_kinetic_energy);
    RUN(coriolis_terms_follow_from_the_mass_matrix);
    RUN(pair_of_the_triglide_is_that_of_its_rods);
    RUN(closed_forms_have_the_same_mass_matrix);
    RUN(mass_matrix_keeps_its_digits_at_any_rate);
    RUN(forces_beyond_all_numbers_are_refused);
    return check_report();
}
