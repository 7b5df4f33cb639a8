/// Deviations as vectors and of magnitudes, distances and angular rates: each column against others
/// and against another program.
#include "math/quat.h"
#include "pkm/inverse.h"
#include "simulate.h"
#include "study/measure.h"

static const char flexible_rods[] =
    "instants: 101\n"
    "flexible: {left: {elements: 8, modes: 8, damping: adams, stiffening: false},\n"
    "           right: {elements: 8, modes: 8, damping: adams, stiffening: false}}\n";

static pkm_robot* siax;
static sim_result r;     ///< with flexible rods
static sim_result ideal; ///< inverse dynamics

static pkm_vec3 vector(const sim_result* of, int row, const char* const name[3])
{
    return (pkm_vec3){sim_get(of, row, name[0]), sim_get(of, row, name[1]),
                      sim_get(of, row, name[2])};
}

// e_X = X_with - X_ideal of magnitudes; the ideal ones are those of inverse dynamics.
static void magnitudes_deviate_from_those_of_inverse_dynamics(void)
{
    static const char* const of[][2] = {
        {"P.dr", "P.r"}, {"P.dspeed", "P.speed"}, {"P.dacc", "P.acc"}};
    for (int i = 0; i < 101; ++i)
        for (int k = 0; k < 3; ++k) {
            const double size = sim_get(&ideal, i, of[k][1]);
            CHECK_NEAR(sim_get(&r, i, of[k][0]), sim_get(&r, i, of[k][1]) - size,
                       1e-12 * (1.0 + size));
        }
}

// Two other programs give 6.24e-5 m and 5.94 m/s2, three digits, for |r| and |a| of the platform
// point with the damping of Adams, and 3.34e-4 m for the vector.
static void flexible_rods_change_distance_and_acceleration_as_elsewhere(void)
{
    CHECK_NEAR(sim_value(&r, "absmax P.dr"), 6.24e-5, 0.01e-5); // rows 2 ms apart
    CHECK_NEAR(sim_value(&r, "absmax P.dacc"), 5.94, 0.005);
    CHECK_NEAR(sim_value(&r, "absmax P.dp"), 3.34e-4, 0.005e-4);
}

// rx, ry, rz make .turn; the change of a size is at most the size of the change.
static void sizes_and_components_belong_together(void)
{
    static const char* const rotation[] = {"P.rx", "P.ry", "P.rz"};
    static const char* const place[] = {"P.x", "P.y", "P.z"};
    double largest = 0.0;
    for (int i = 0; i <= sim_last(&r); ++i) {
        CHECK_NEAR(pkm_vec3_norm(vector(&r, i, rotation)), sim_get(&r, i, "P.turn"), 1e-15);
        CHECK_NEAR(pkm_vec3_norm(vector(&r, i, place)), sim_get(&r, i, "P.r"), 1e-15);
        CHECK(fabs(sim_get(&r, i, "P.dr")) <= sim_get(&r, i, "P.dp") + 1e-15);
        CHECK(fabs(sim_get(&r, i, "P.dspeed")) <= sim_get(&r, i, "P.dv") + 1e-14);
        CHECK(fabs(sim_get(&r, i, "P.dacc")) <= sim_get(&r, i, "P.da") + 1e-12);
        largest = fmax(largest, sim_get(&r, i, "P.turn"));
    }
    CHECK_NEAR(largest, 2.27e-3, 0.01e-3); // the tilt of the platform is there
}

static pkm_quat turn_at(const sim_result* of, int row)
{
    static const char* const name[] = {"o.roll", "o.pitch", "o.yaw"};
    return pkm_quat_from_rpy(vector(of, row, name));
}

// w by central differences of the orientation, its derivative by those of w: errors of h^2.
static void angular_rates_are_derivatives(void)
{
    static const char* const w_name[] = {"o.wx", "o.wy", "o.wz"};
    static const char* const al_name[] = {"o.alx", "o.aly", "o.alz"};
    enum { N = 401 };
    pkm_robot* robot = engine_load("3pprs");
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = N;
    sim_result turning = {.table = pkm_table_create()};
    CHECK(pkm_inverse_run(robot, 0, &settings, turning.table, NULL, NULL) == PKM_OK);
    const double h = sim_get(&turning, 1, "t"), most_w = sim_value(&turning, "absmax o.omega");
    const double most_al = sim_value(&turning, "absmax o.alpha");
    CHECK(most_w > 0.1 && most_al > 0.1);
    for (int i = 1; i + 1 < N; ++i) {
        const pkm_quat step =
            pkm_quat_mul(turn_at(&turning, i + 1), pkm_quat_conj(turn_at(&turning, i - 1)));
        const pkm_vec3 w = pkm_vec3_scale(0.5 / h, pkm_quat_to_rotvec(step));
        const pkm_vec3 al = pkm_vec3_scale(0.5 / h, pkm_vec3_sub(vector(&turning, i + 1, w_name),
                                                                 vector(&turning, i - 1, w_name)));
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(w, vector(&turning, i, w_name))), 0.0, 1e-4 * most_w);
        CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(al, vector(&turning, i, al_name))), 0.0,
                   1e-3 * most_al);
        CHECK_NEAR(pkm_vec3_norm(vector(&turning, i, w_name)), sim_get(&turning, i, "o.omega"),
                   1e-14);
    }
    sim_free(&turning);
    pkm_robot_free(robot);
}

// Relative to the peak of the ideal quantity, which is that of inverse dynamics.
static void relative_peak_is_of_the_ideal_peak(void)
{
    double value = NAN, t = NAN;
    pkm_error err = {0};
    int c = pkm_table_find(r.table, "qA.dforce");
    CHECK(pkm_measure_column(r.table, c, PKM_MEASURE_RELATIVE, &value, &t, &err) == PKM_OK);
    CHECK_NEAR(value, sim_value(&r, "absmax qA.dforce") / sim_value(&ideal, "absmax qA.force"),
               1e-5 * value); // both peaks are located to 1e-5
    c = pkm_table_find(r.table, "P.dv");
    CHECK(pkm_measure_column(r.table, c, PKM_MEASURE_RELATIVE, &value, &t, &err) == PKM_OK);
    CHECK_NEAR(value, sim_value(&r, "absmax P.dv") / sim_value(&ideal, "absmax P.speed"),
               1e-5 * value);
    // quantities that are small in their units too
    c = pkm_table_find(r.table, "qA.dq");
    CHECK(pkm_measure_column(r.table, c, PKM_MEASURE_RELATIVE, &value, &t, &err) == PKM_OK);
    CHECK_NEAR(value, sim_value(&r, "absmax qA.dq") / sim_value(&ideal, "absmax qA.q"),
               1e-5 * value);
    c = pkm_table_find(r.table, "P.x");
    CHECK(pkm_measure_column(r.table, c, PKM_MEASURE_RELATIVE, &value, &t, &err) ==
          PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "relative peak of P.x: expected a deviation of one quantity");
}

int main(void)
{
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.n_instant = 101;
    siax = engine_load("siax");
    r = sim_run_whole(siax, flexible_rods);
    ideal.table = pkm_table_create();
    CHECK(pkm_inverse_run(siax, 0, &settings, ideal.table, NULL, NULL) == PKM_OK);
    RUN(magnitudes_deviate_from_those_of_inverse_dynamics);
    RUN(flexible_rods_change_distance_and_acceleration_as_elsewhere);
    RUN(sizes_and_components_belong_together);
    RUN(angular_rates_are_derivatives);
    RUN(relative_peak_is_of_the_ideal_peak);
    sim_free(&ideal);
    sim_free(&r);
    pkm_robot_free(siax);
    return check_report();
}
