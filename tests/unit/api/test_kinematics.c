/// Forward and inverse kinematics, branches, Jacobian and singularities through the public library.
#include "unit/api/load.h"

/// A drive position near home, small enough to be reached by every robot of robots/.
static pkm_instant near_home(const pkm_robot* robot, unsigned* seed)
{
    pkm_instant at = pkm_instant_home(robot);
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
        at.q[d] += 0.01 * noise(seed);
        at.v[d] = noise(seed);
        at.a[d] = 10.0 * noise(seed);
    }
    return at;
}

static void inverse_undoes_forward(void)
{
    unsigned seed = 1;
    for (int k = 0; k < N_ROBOT; ++k) {
        pkm_robot* robot = load(robot_files[k]);
        const pkm_instant there = near_home(robot, &seed);
        pkm_instant at = there;
        CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &at, NULL) == PKM_OK);
        pkm_instant back = {.tool = at.tool};
        CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &back, NULL) == PKM_OK);
        for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
            // positions hold to 1e-13 m; rates and accelerations are amplified by the Jacobian
            CHECK_NEAR(back.q[d], there.q[d], 1e-11);
            CHECK_NEAR(back.v[d], there.v[d], 1e-9);
            CHECK_NEAR(back.a[d], there.a[d], 1e-7);
        }
        pkm_robot_free(robot);
    }
}

// v and a of the tool are the derivatives of its position along q(t) = q + v t + a t^2 / 2. Central
// differences over h = 1e-4 s are good to h^2 times the third and fourth derivative.
static void rates_are_derivatives(void)
{
    unsigned seed = 7;
    for (int k = 0; k < N_ROBOT; ++k) {
        pkm_robot* robot = load(robot_files[k]);
        const pkm_instant mid = near_home(robot, &seed);
        const double h = 1e-4;
        pkm_instant at[3];
        for (int i = 0; i < 3; ++i) {
            const double t = h * (i - 1);
            at[i] = mid;
            for (int d = 0; d < pkm_robot_n_drive(robot); ++d)
                at[i].q[d] += t * (mid.v[d] + 0.5 * t * mid.a[d]);
            CHECK(pkm_kinematics_forward(robot, PKM_START_PRESENT, &at[i], NULL) == PKM_OK);
        }
        const pkm_vec3 a = at[0].tool.pose.p, b = at[1].tool.pose.p, c = at[2].tool.pose.p;
        const pkm_vec3 v = {(c.x - a.x) / (2 * h), (c.y - a.y) / (2 * h), (c.z - a.z) / (2 * h)};
        const pkm_vec3 acc = {(c.x - 2 * b.x + a.x) / (h * h), (c.y - 2 * b.y + a.y) / (h * h),
                              (c.z - 2 * b.z + a.z) / (h * h)};
        CHECK_NEAR(distance(v, at[1].tool.v), 0.0, 2e-5);
        CHECK_NEAR(distance(acc, at[1].tool.a), 0.0, 2e-3);
        pkm_robot_free(robot);
    }
}

static void the_jacobian_maps_drive_rates_to_the_tool(void)
{
    unsigned seed = 3;
    for (int k = 0; k < N_ROBOT; ++k) {
        pkm_robot* robot = load(robot_files[k]);
        pkm_instant at = near_home(robot, &seed);
        pkm_dexterity dex;
        CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &at, NULL) == PKM_OK);
        CHECK(pkm_dexterity_at(robot, &dex, NULL) == PKM_OK);
        CHECK(dex.has_J && dex.n_drive == pkm_robot_n_drive(robot));
        CHECK(!dex.serial && !dex.parallel && !dex.constraint);
        double twist[6] = {0.0};
        for (int d = 0; d < dex.n_drive; ++d)
            for (int i = 0; i < 6; ++i)
                twist[i] += dex.J[6 * d + i] * at.v[d];
        const pkm_vec3 v = {twist[0], twist[1], twist[2]}, w = {twist[3], twist[4], twist[5]};
        CHECK_NEAR(distance(v, at.tool.v), 0.0, 1e-11);
        CHECK_NEAR(distance(w, at.tool.w), 0.0, 1e-10);
        pkm_robot_free(robot);
    }
}

static void the_isoglide_is_isotropic(void)
{
    pkm_robot* robot = load("isoglideT3");
    pkm_dexterity dex;
    CHECK(pkm_dexterity_at(robot, &dex, NULL) == PKM_OK);
    CHECK_NEAR(dex.shift.condition, 1.0, 1e-12); // its Jacobian is the identity
    CHECK(dex.turn.n == 0 && dex.mixed.n == 0);
    pkm_robot_free(robot);
}

static void branches_contain_what_the_engine_finds(void)
{
    unsigned seed = 5;
    for (int k = 0; k < N_ROBOT; ++k) {
        pkm_robot* robot = load(robot_files[k]);
        pkm_branches tool, drives;
        pkm_instant at = near_home(robot, &seed);
        CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &at, NULL) == PKM_OK);
        if (!pkm_robot_closed_form(robot)) {
            CHECK(pkm_branches_forward(robot, at.q, &tool, NULL) == PKM_ERR_ARGUMENT);
            pkm_robot_free(robot);
            continue;
        }
        CHECK(pkm_branches_forward(robot, at.q, &tool, NULL) == PKM_OK);
        CHECK(pkm_branches_inverse(robot, &at.tool.pose, &drives, NULL) == PKM_OK);
        double nearest = HUGE_VAL;
        for (int b = 0; b < tool.n; ++b)
            nearest = fmin(nearest, distance(tool.config[b].pose.p, at.tool.pose.p));
        CHECK_NEAR(nearest, 0.0, 1e-11);
        nearest = HUGE_VAL;
        for (int b = 0; b < drives.n; ++b) {
            double off = 0.0;
            for (int d = 0; d < pkm_robot_n_drive(robot); ++d)
                off = fmax(off, fabs(remainder(drives.config[b].q[d] - at.q[d],
                                               pkm_robot_drive_is_rotary(robot, d) ? 2 * acos(-1.0)
                                                                                   : 1e9)));
            nearest = fmin(nearest, off);
        }
        CHECK_NEAR(nearest, 0.0, 1e-10);
        pkm_robot_free(robot);
    }
}

static void out_of_reach_is_no_error_of_branches(void)
{
    pkm_robot* robot = load("siax");
    const pkm_pose far = {.p = {0.0, 0.0, -2.0}};
    pkm_branches all;
    CHECK(pkm_branches_inverse(robot, &far, &all, NULL) == PKM_OK);
    CHECK(all.n == 0);
    // on the axis each limb must bridge hypot(0.153, 2) with 0.5 + 1.106 m
    CHECK_NEAR(all.beyond, hypot(0.153, 2.0) - 1.606, 1e-9);
    pkm_robot_free(robot);
}

// Far along, the other assembly mode of the Delta is above the motors. The engine stays below from
// where it stands, and the present configuration moves with it.
static void the_present_configuration_is_where_the_robot_stands(void)
{
    pkm_robot* robot = load("siax");
    pkm_instant at = pkm_instant_home(robot);
    at.q[0] = 1.0;
    at.q[1] = 0.7;
    at.q[2] = 0.9;
    CHECK(pkm_kinematics_forward(robot, PKM_START_PRESENT, &at, NULL) == PKM_OK);
    CHECK(at.tool.pose.p.z < -1.0);
    pkm_instant again = at, other = pkm_instant_home(robot);
    CHECK(pkm_kinematics_forward(robot, PKM_START_PRESENT, &again, NULL) == PKM_OK);
    CHECK_NEAR(distance(again.tool.pose.p, at.tool.pose.p), 0.0, 1e-13);
    pkm_robot_go_home(robot);
    CHECK(pkm_kinematics_forward(robot, PKM_START_PRESENT, &other, NULL) == PKM_OK);
    CHECK_NEAR(distance(other.tool.pose.p, pkm_robot_tool_home(robot).p), 0.0, 1e-13);
    pkm_robot_free(robot);
}

// The tool can be led through a parallel singularity, where the drives cannot: to the assembly mode
// with the platform above the elbows, for the same drive positions as at home.
static void where_a_solution_starts_decides_its_assembly_mode(void)
{
    pkm_robot* robot = short_rods();
    const pkm_instant home = pkm_instant_home(robot);
    const double elbow = 0.5 * sin(0.2), rise = elbow - home.tool.pose.p.z;
    CHECK_NEAR(rise, sqrt(0.25 - pow(0.003 + 0.5 * cos(0.2), 2)), 1e-12);
    pkm_instant led = home;
    led.tool.pose.p.z = elbow + rise;
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &led, NULL) == PKM_OK);
    for (int d = 0; d < 3; ++d)
        CHECK_NEAR(led.q[d], -0.2, 1e-11);

    pkm_instant above = home, below = home;
    CHECK(pkm_kinematics_forward(robot, PKM_START_PRESENT, &above, NULL) == PKM_OK);
    CHECK_NEAR(above.tool.pose.p.z, elbow + rise, 1e-11);
    above.tool.pose = home.tool.pose;
    CHECK(pkm_inverse_at(robot, PKM_METHOD_CLOSED, &above, NULL) == PKM_OK); // it has followed
    CHECK_NEAR(above.tool.pose.p.z, elbow + rise, 1e-11);
    CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &below, NULL) == PKM_OK);
    CHECK_NEAR(below.tool.pose.p.z, elbow - rise, 1e-11);
    pkm_robot_free(robot);
}

static void a_target_out_of_reach_changes_nothing(void)
{
    pkm_robot* robot = load("siax");
    pkm_error err = {.status = PKM_OK};
    pkm_instant there = pkm_instant_home(robot), far = there;
    there.q[0] = 0.4;
    CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &there, NULL) == PKM_OK);
    far.tool.pose.p.z = -2.0;
    const pkm_instant asked = far;
    CHECK(pkm_kinematics_inverse(robot, PKM_START_PRESENT, &far, &err) == PKM_ERR_UNREACHABLE);
    CHECK_CONTAINS(err.text, "out of reach by");
    CHECK(memcmp(&asked, &far, sizeof far) == 0);
    // the robot still stands at `there`: its Jacobian is that of there
    pkm_dexterity here, fresh;
    CHECK(pkm_dexterity_at(robot, &here, NULL) == PKM_OK);
    CHECK(pkm_kinematics_forward(robot, PKM_START_HOME, &there, NULL) == PKM_OK);
    CHECK(pkm_dexterity_at(robot, &fresh, NULL) == PKM_OK);
    for (int i = 0; i < 18; ++i)
        CHECK_NEAR(here.J[i], fresh.J[i], 1e-11);
    pkm_robot_free(robot);
}

static void a_quaternion_of_zeros_is_the_orientation_of_home(void)
{
    pkm_robot* robot = load("3ppsr");
    const pkm_instant home = pkm_instant_home(robot);
    pkm_instant zero = {.tool.pose.p = home.tool.pose.p}, full = home;
    zero.tool.pose.p.x += 0.01;
    full.tool.pose.p.x += 0.01;
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &zero, NULL) == PKM_OK);
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &full, NULL) == PKM_OK);
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d)
        CHECK_NEAR(zero.q[d], full.q[d], 1e-14);
    pkm_error err = {.status = PKM_OK};
    full.tool.pose.q.w = 2.0;
    CHECK(pkm_kinematics_inverse(robot, PKM_START_HOME, &full, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "quaternion");
    pkm_robot_free(robot);
}

/// A turn that the tool does not make is refused by closed form and engine alike: a closed form of
/// a tool that only shifts has no place for it.
static void a_turn_that_the_tool_does_not_make_is_refused(void)
{
    int n_refused = 0, n_taken = 0;
    for (int k = 0; k < N_ROBOT; ++k) {
        pkm_robot* robot = load(robot_files[k]);
        const pkm_pose home = pkm_robot_tool_home(robot);
        const unsigned moves = pkm_robot_structure(robot).moves;
        static pkm_branches all;
        for (int axis = 0; axis < 3 && pkm_robot_closed_form(robot); ++axis) {
            // q = turn by 0.02 rad about the axis, times home's
            const double c = cos(0.01), s = sin(0.01), w = home.q.w;
            const double h[3] = {home.q.x, home.q.y, home.q.z};
            const int i = (axis + 1) % 3, j = (axis + 2) % 3;
            double x[7] = {home.p.x, home.p.y, home.p.z}, drive[2][PKM_MAX_DRIVE];
            x[3] = c * w - s * h[axis];
            x[4 + axis] = c * h[axis] + s * w;
            x[4 + i] = c * h[i] - s * h[j];
            x[4 + j] = c * h[j] + s * h[i];
            const pkm_pose pose = {home.p, {x[3], x[4], x[5], x[6]}};
            const pkm_status want = moves & (8u << axis) ? PKM_OK : PKM_ERR_UNREACHABLE;
            CHECK(pkm_batch_ik(robot, PKM_METHOD_CLOSED, 1, x, drive[0], NULL, NULL) == want);
            CHECK(pkm_batch_ik(robot, PKM_METHOD_ENGINE, 1, x, drive[1], NULL, NULL) == want);
            CHECK(pkm_branches_inverse(robot, &pose, &all, NULL) == want);
            CHECK(want != PKM_OK || fabs(drive[0][0] - drive[1][0]) < 1e-9);
            CHECK((all.n > 0) == (want == PKM_OK));
            n_refused += want != PKM_OK;
            n_taken += want == PKM_OK;
        }
        pkm_robot_free(robot);
    }
    CHECK(n_refused > 10 && n_taken > 5); // Deltas; 3-PPRS, 3-PPSR, Isoglide4
}

int main(void)
{
    RUN(inverse_undoes_forward);
    RUN(rates_are_derivatives);
    RUN(the_jacobian_maps_drive_rates_to_the_tool);
    RUN(the_isoglide_is_isotropic);
    RUN(branches_contain_what_the_engine_finds);
    RUN(out_of_reach_is_no_error_of_branches);
    RUN(the_present_configuration_is_where_the_robot_stands);
    RUN(where_a_solution_starts_decides_its_assembly_mode);
    RUN(a_target_out_of_reach_changes_nothing);
    RUN(a_quaternion_of_zeros_is_the_orientation_of_home);
    RUN(a_turn_that_the_tool_does_not_make_is_refused);
    return check_report();
}
