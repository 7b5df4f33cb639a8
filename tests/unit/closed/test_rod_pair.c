// Laws of the robots with rod pairs: rotary Delta, linear Delta, Triglide.
#include "closed.h"

#include "base/memory.h"
#include "rod_robots.h"

static pkm_closed* robot(int k)
{
    return law_robot(rod_robots[k].family, rod_robots[k].value);
}

// Inverse, then direct: the pose comes back, with the same branch and the same words.
static void every_branch_leads_back_to_its_pose(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        uint64_t seed = 7;
        double worst = 0.0;
        int n_mode = 0;
        for (int pose = 0; pose < 1000; ++pose) {
            pkm_closed_config inverse[8], direct[2];
            const int n = rod_robot_random(&rod_robots[r], closed, &seed, inverse);
            n_mode += n;
            for (int k = 0; k < n; ++k) {
                const int m = pkm_closed_direct_geometry(closed, inverse[k].q, direct, 2, NULL);
                CHECK(m == 2);
                if (m != 2) continue;
                CHECK(direct[0].branch != direct[1].branch);
                const int same = direct[0].branch == inverse[k].branch ? 0 : 1;
                CHECK(direct[same].branch == inverse[k].branch);
                CHECK_TEXT(direct[same].label, inverse[k].label);
                worst = fmax(worst, law_distance(&direct[same].pose, &inverse[k].pose));
            }
        }
        CHECK(n_mode == 8000);
        CHECK_NEAR(worst, 0.0, 1e-10);
        pkm_closed_free(closed);
    }
}

/// The first of two assembly modes is the one farther on the side `down`, and says so.
static void check_below_and_above(const pkm_closed_config direct[2], double down)
{
    CHECK(down * direct[0].pose.p.z >= down * direct[1].pose.p.z);
    CHECK_CONTAINS(direct[0].label, "platform below");
    CHECK_CONTAINS(direct[1].label, "platform above");
}

// Direct, then inverse: one of the eight working modes is the one that was asked for.
static void every_assembly_mode_leads_back_to_its_drives(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        const double range = strcmp(rod_robots[r].family, "delta") == 0 ? M_PI : 0.6;
        uint64_t seed = 8;
        int n_assembly = 0;
        for (int k = 0; k < 1000; ++k) {
            double q[3];
            for (int i = 0; i < 3; ++i)
                q[i] = law_random(&seed, -range, range);
            pkm_closed_config direct[2], inverse[8];
            const int n = pkm_closed_direct_geometry(closed, q, direct, 2, NULL);
            n_assembly += n;
            if (n == 2) check_below_and_above(direct, rod_robots[r].value == kuo ? 1.0 : -1.0);
            for (int m = 0; m < n; ++m) {
                const int modes =
                    pkm_closed_inverse_geometry(closed, &direct[m].pose, inverse, 8, NULL);
                double best = INFINITY;
                for (int j = 0; j < modes; ++j) {
                    double gap = 0.0;
                    for (int i = 0; i < 3; ++i)
                        gap = fmax(gap, fabs(inverse[j].q[i] - q[i]));
                    if (inverse[j].branch == direct[m].branch) best = fmin(best, gap);
                }
                CHECK_NEAR(best, 0.0, 1e-9);
            }
        }
        CHECK(n_assembly > 1000);
        pkm_closed_free(closed);
    }
}

// Rod ends are a rod length apart for every solution: independent of how it was found.
static void rods_keep_their_length(void)
{
    pkm_closed* closed = robot(0);
    uint64_t seed = 9;
    for (int pose = 0; pose < 100; ++pose) {
        pkm_closed_config c[8];
        const int n = rod_robot_random(&rod_robots[0], closed, &seed, c);
        for (int k = 0; k < n; ++k) {
            for (int i = 0; i < 3; ++i) {
                const double az = 2.0 * M_PI / 3.0 * i, out = 0.25 + 0.5 * cos(c[k].q[i]);
                const pkm_vec3 A = {out * cos(az), out * sin(az), -0.5 * sin(c[k].q[i])};
                const pkm_vec3 b = {0.097 * cos(az), 0.097 * sin(az), 0.0};
                const pkm_vec3 B = pkm_vec3_add(c[k].pose.p, b);
                CHECK_NEAR(pkm_vec3_norm(pkm_vec3_sub(B, A)), 1.106, 1e-13);
            }
        }
    }
    pkm_closed_free(closed);
}

/// Worst of `law` over 200 random poses and all their branches that are not close to a parallel
/// singularity (|det B| > 0.1), where differences lose their digits.
typedef double law_function(const pkm_closed* closed, const pkm_closed_config* config,
                            uint64_t* seed);
static double worst_of(law_function* law, int r)
{
    pkm_closed* closed = robot(r);
    uint64_t seed = 10;
    double worst = 0.0;
    int n_tried = 0;
    for (int pose = 0; pose < 200; ++pose) {
        pkm_closed_config c[8];
        const int n = rod_robot_random(&rod_robots[r], closed, &seed, c);
        for (int k = 0; k < n; ++k) {
            double B[9], A[9];
            pkm_vec3 x;
            pkm_closed_velocity(closed, &c[k], B, A);
            const pkm_mat3 b = {{B[0], B[1], B[2]}, {B[3], B[4], B[5]}, {B[6], B[7], B[8]}};
            const double det = pkm_mat3_solve(b, (pkm_vec3){1.0, 0.0, 0.0}, &x);
            if (!(fabs(det) > 0.1)) continue;
            worst = fmax(worst, law(closed, &c[k], &seed));
            ++n_tried;
        }
    }
    CHECK(n_tried > 200);
    pkm_closed_free(closed);
    return worst;
}

static double motion_error(const pkm_closed* closed, const pkm_closed_config* config,
                           uint64_t* seed)
{
    const law_path path = law_random_path(closed, config, seed);
    return law_motion_error(closed, config, &path, 4e-3);
}

// Order 8 with a step of 4 ms: truncation and rounding meet between 1e-9 and 1e-8.
static void tool_motion_meets_differences_of_the_direct_geometry(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r)
        CHECK_NEAR(worst_of(motion_error, r), 0.0, 1e-8);
}

static double power_error(const pkm_closed* closed, const pkm_closed_config* config, uint64_t* seed)
{
    const law_path path = law_random_path(closed, config, seed);
    const pkm_vec3 force = {law_random(seed, -9.0, 9.0), law_random(seed, -9.0, 9.0), 4.0};
    const pkm_vec3 torque = {1.0, -2.0, 3.0};
    return law_power_error(closed, config, &path, force, torque, 2e-3);
}

static void power_of_drives_and_tool_is_the_rate_of_energy(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r)
        CHECK_NEAR(worst_of(power_error, r), 0.0, 1e-8);
}

// Drive motion inverts tool motion, and the Jacobian is its derivative.
static double inverse_error(const pkm_closed* closed, const pkm_closed_config* config,
                            uint64_t* seed)
{
    const law_path path = law_random_path(closed, config, seed);
    pkm_frame_motion tool;
    double qd[3], qdd[3], J[9], error = 0.0;
    if (pkm_closed_tool_motion(closed, config, path.qd, path.qdd, &tool) != PKM_OK) return INFINITY;
    const pkm_status status = closed_drive_motion(closed, config, &tool, qd, qdd);
    if (closed_jacobian(closed, config, J) != PKM_OK) return INFINITY;
    for (int i = 0; status == PKM_OK && i < 3; ++i) {
        error = fmax(error, fmax(fabs(qd[i] - path.qd[i]), fabs(qdd[i] - path.qdd[i])));
    }
    const double* v = path.qd;
    const pkm_vec3 Jv = {J[0] * v[0] + J[3] * v[1] + J[6] * v[2],
                         J[1] * v[0] + J[4] * v[1] + J[7] * v[2],
                         J[2] * v[0] + J[5] * v[1] + J[8] * v[2]};
    return fmax(error, pkm_vec3_norm(pkm_vec3_sub(Jv, tool.v)));
}

static void drive_motion_inverts_tool_motion(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r)
        CHECK_NEAR(worst_of(inverse_error, r), 0.0, 1e-9);
}

static void rows_of_B_are_unit_rod_vectors(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        uint64_t seed = 11;
        pkm_closed_config c[8];
        double B[9], A[9];
        rod_robot_random(&rod_robots[r], closed, &seed, c);
        pkm_closed_velocity(closed, &c[5], B, A);
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(B[i] * B[i] + B[i + 3] * B[i + 3] + B[i + 6] * B[i + 6], 1.0, 1e-13);
        }
        CHECK(A[1] == 0.0 && A[2] == 0.0 && A[3] == 0.0 && A[5] == 0.0);
        pkm_closed_free(closed);
    }
}

// A torque on a platform that only translates does no work, so the drives do not feel it.
static void a_tool_torque_is_carried_by_the_rods(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        uint64_t seed = 12;
        pkm_closed_config c[8];
        rod_robot_random(&rod_robots[r], closed, &seed, c);
        const pkm_frame_motion tool = {.pose = c[0].pose};
        const double still[3] = {0.0};
        const pkm_vec3 none = {0.0, 0.0, 0.0}, torque = {5.0, -3.0, 2.0};
        double a[3], b[3];
        CHECK(pkm_closed_inverse_dynamics(closed, &c[0], &tool, still, still, none, none, a) ==
              PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(closed, &c[0], &tool, still, still, none, torque, b) ==
              PKM_OK);
        for (int i = 0; i < 3; ++i)
            CHECK(a[i] == b[i]);
        pkm_closed_free(closed);
    }
}

/// Drive forces at the first branch of P, with tool velocity v, acceleration a and tool force f.
static void forces(const pkm_closed* closed, pkm_vec3 P, pkm_vec3 v, pkm_vec3 a, pkm_vec3 f,
                   double* out)
{
    pkm_closed_config c;
    const pkm_pose pose = {P, {1.0, 0.0, 0.0, 0.0}};
    const pkm_frame_motion tool = {.pose = pose, .v = v, .a = a};
    double qd[3], qdd[3];
    CHECK(pkm_closed_inverse_geometry(closed, &pose, &c, 1, NULL) == 1);
    CHECK(closed_drive_motion(closed, &c, &tool, qd, qdd) == PKM_OK);
    CHECK(pkm_closed_inverse_dynamics(closed, &c, &tool, qd, qdd, f, (pkm_vec3){0.0, 0.0, 0.0},
                                      out) == PKM_OK);
}

static pkm_vec3 turned(pkm_vec3 v, double angle)
{
    return pkm_quat_rotate(pkm_quat_from_axis((pkm_vec3){0.0, 0.0, 1.0}, angle), v);
}

static const pkm_vec3 some_v = {0.3, -0.5, 0.2}, some_a = {2.0, 1.0, -3.0},
                      some_f = {7.0, 3.0, -4.0};

static pkm_vec3 some_point(int r)
{
    const double depth[N_ROD_ROBOT] = {-0.9, 0.5, -0.9, -0.5};
    return (pkm_vec3){0.07, 0.11, depth[r]};
}

// A third of a turn of everything permutes the drives.
static void turned_motion_permutes_the_drive_forces(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        // The Triglide counts its limbs clockwise.
        const double turn =
            (strcmp(rod_robots[r].family, "triglide") == 0 ? -1.0 : 1.0) * 2.0 * M_PI / 3.0;
        pkm_closed* closed = robot(r);
        double a[3], b[3];
        forces(closed, some_point(r), some_v, some_a, some_f, a);
        forces(closed, turned(some_point(r), turn), turned(some_v, turn), turned(some_a, turn),
               turned(some_f, turn), b);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(b[(i + 1) % 3], a[i], 1e-12);
        pkm_closed_free(closed);
    }
}

/// The robot `r` with its azimuths turned by `turn` and mirrored at the plane y = 0 if asked.
static pkm_closed* placed(int r, double turn, bool mirrored)
{
    const pkm_closed_family* family = pkm_closed_find(rod_robots[r].family);
    double value[PKM_CLOSED_MAX_PARAMETER];
    law_values(family, rod_robots[r].value, value);
    double* angle = &value[family->n_parameter - 3];
    for (int i = 0; i < 3; ++i) {
        angle[i] = family->parameter[family->n_parameter - 3 + i].fallback + turn;
        if (mirrored) angle[i] = -angle[i];
    }
    pkm_closed* closed = NULL;
    CHECK(pkm_closed_create(family, value, &closed, NULL) == PKM_OK);
    return closed;
}

static pkm_vec3 mirror(pkm_vec3 v)
{
    return (pkm_vec3){v.x, -v.y, v.z};
}

static void mirrored_robot_gives_mirrored_answers(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed *one = placed(r, 0.1, false), *two = placed(r, 0.1, true);
        double a[3], b[3];
        forces(one, some_point(r), some_v, some_a, some_f, a);
        forces(two, mirror(some_point(r)), mirror(some_v), mirror(some_a), mirror(some_f), b);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(a[i], b[i], 1e-12);

        // Branch and label do not depend on the handedness either.
        pkm_closed_config c[8], d[8];
        const pkm_pose p = {some_point(r), {1.0, 0.0, 0.0, 0.0}};
        const pkm_pose m = {mirror(p.p), {1.0, 0.0, 0.0, 0.0}};
        CHECK(pkm_closed_inverse_geometry(one, &p, c, 8, NULL) == 8);
        CHECK(pkm_closed_inverse_geometry(two, &m, d, 8, NULL) == 8);
        for (int k = 0; k < 8; ++k) {
            CHECK(c[k].branch == d[k].branch);
            CHECK_TEXT(c[k].label, d[k].label);
            for (int i = 0; i < 3; ++i)
                CHECK_NEAR(c[k].q[i], d[k].q[i], 1e-12);
        }
        pkm_closed_free(one);
        pkm_closed_free(two);
    }
}

static void turned_robot_gives_the_same_forces(void)
{
    const double turn = 0.7;
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed *one = placed(r, 0.0, false), *two = placed(r, turn, false);
        double a[3], b[3];
        forces(one, some_point(r), some_v, some_a, some_f, a);
        forces(two, turned(some_point(r), turn), turned(some_v, turn), turned(some_a, turn),
               turned(some_f, turn), b);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(a[i], b[i], 1e-12);
        pkm_closed_free(one);
        pkm_closed_free(two);
    }
}

// On the way out along x the number of solutions goes from 8 to 0 where `beyond` starts at zero,
// and `beyond` says how far: stepping back by as much along the limb's own line reaches it again.
static void beyond_starts_at_zero_at_the_end_of_the_reach(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        pkm_closed_config c[8];
        pkm_pose pose = {some_point(r), {1.0, 0.0, 0.0, 0.0}};
        double in = pose.p.x, out = 5.0, beyond = 0.0;
        while (out - in > 1e-14) {
            pose.p.x = 0.5 * (in + out);
            if (pkm_closed_inverse_geometry(closed, &pose, c, 8, &beyond) > 0) {
                in = pose.p.x;
            } else {
                out = pose.p.x;
            }
        }
        pose.p.x = out + 1e-3;
        CHECK(pkm_closed_inverse_geometry(closed, &pose, c, 8, &beyond) == 0);
        CHECK(beyond > 1e-5 && beyond <= 1e-3);
        pose.p.x = out + 1e-9;
        CHECK(pkm_closed_inverse_geometry(closed, &pose, c, 8, &beyond) == 0);
        CHECK(beyond > 0.0 && beyond <= 1e-9);
        CHECK(pkm_closed_inverse_geometry(closed, &pose, c, 8, NULL) == 0);
        pkm_closed_free(closed);
    }
}

static void a_pose_that_is_not_a_number_is_not_reached(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        pkm_closed_config c[8];
        const pkm_pose pose = {{0.0, NAN, -0.8}, {1.0, 0.0, 0.0, 0.0}};
        const double q[3] = {0.0, NAN, 0.0};
        CHECK(pkm_closed_inverse_geometry(closed, &pose, c, 8, NULL) == 0);
        CHECK(pkm_closed_direct_geometry(closed, q, c, 2, NULL) == 0);
        pkm_closed_free(closed);
    }
}

// At most `max` configurations are written, the first ones.
static void max_limits_what_is_written(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        const pkm_pose pose = {some_point(r), {1.0, 0.0, 0.0, 0.0}};
        pkm_closed_config all[8], some[4];
        memset(some, 0x55, sizeof some);
        const pkm_closed_config untouched = some[3];
        CHECK(pkm_closed_inverse_geometry(closed, &pose, all, 8, NULL) == 8);
        CHECK(pkm_closed_inverse_geometry(closed, &pose, some, 3, NULL) == 3);
        CHECK(memcmp(&some[3], &untouched, sizeof untouched) == 0);
        CHECK(some[2].branch == all[2].branch && some[2].q[1] == all[2].q[1]);
        CHECK(pkm_closed_inverse_geometry(closed, &pose, some, 1, NULL) == 1);
        CHECK(some[0].branch == 0 && some[0].q[2] == all[0].q[2]);
        CHECK(pkm_closed_direct_geometry(closed, all[0].q, some, 1, NULL) == 1);
        CHECK_NEAR(law_distance(&some[0].pose, &pose), 0.0, 1e-12);
        pkm_closed_free(closed);
    }
}

/// The robot `r` with rods of another length.
static pkm_closed* with_rods(int r, double length)
{
    const pkm_closed_family* family = pkm_closed_find(rod_robots[r].family);
    double value[PKM_CLOSED_MAX_PARAMETER];
    law_values(family, rod_robots[r].value, value);
    for (int k = 0; k < family->n_parameter; ++k) {
        if (strcmp(family->parameter[k].name, "rod_length") == 0) value[k] = length;
    }
    pkm_closed* closed = NULL;
    CHECK(pkm_closed_create(family, value, &closed, NULL) == PKM_OK);
    return closed;
}

// With the platform in the plane of the driven ends the rods cannot hold it against a normal force.
// For cranks and vertical slides the limbs are stretched there as well: one solution, and no drive
// motion for a tool that moves outward.
static void flat_rods_are_a_parallel_singularity(void)
{
    const double length[N_ROD_ROBOT] = {0.25 - 0.097 + 0.5, 0.1 - 0.05 + 0.5, 0.7 - 0.15, 0.6};
    const int n_solution[N_ROD_ROBOT] = {1, 1, 1, 8};
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = with_rods(r, length[r]);
        pkm_closed_config c[8];
        pkm_frame_motion tool = {.pose = pkm_pose_identity(), .v = {1.0, 0.0, 0.0}};
        double qd[3], qdd[3], J[9], out[3];
        const double still[3] = {0.0};
        const pkm_vec3 none = {0.0, 0.0, 0.0};
        CHECK(pkm_closed_inverse_geometry(closed, &tool.pose, c, 8, NULL) == n_solution[r]);
        CHECK(pkm_closed_inverse_dynamics(closed, &c[0], &tool, still, still, none, none, out) ==
              PKM_ERR_SINGULAR);
        CHECK(closed_jacobian(closed, &c[0], J) == PKM_ERR_SINGULAR);
        CHECK(closed_drive_motion(closed, &c[0], &tool, qd, qdd) ==
              (n_solution[r] == 1 ? PKM_ERR_SINGULAR : PKM_OK));
        CHECK(pkm_closed_tool_motion(closed, &c[0], still, still, &tool) == PKM_ERR_SINGULAR);

        // The direct geometry finds the one pose there is.
        pkm_closed_config direct[2];
        CHECK(pkm_closed_direct_geometry(closed, c[0].q, direct, 2, NULL) >= 1);
        CHECK_NEAR(law_distance(&direct[0].pose, &c[0].pose), 0.0, 1e-7); // a double root
        pkm_closed_free(closed);
    }
}

// All limbs almost stretched alike: A is small, though not against its own largest entry.
static void limbs_that_are_all_stretched_are_a_serial_singularity(void)
{
    pkm_closed* closed = with_rods(2, 0.7 - 0.15);
    const pkm_closed_config c = {.pose = pkm_pose_identity(), .q = {1e-10, 1e-10, 1e-10}};
    const pkm_frame_motion tool = {.pose = c.pose, .v = {0.0, 0.0, 1.0}};
    double qd[3], qdd[3];
    CHECK(closed_drive_motion(closed, &c, &tool, qd, qdd) == PKM_ERR_SINGULAR);
    pkm_closed_free(closed);
}

// Driven ends too far apart: `beyond` is what the rods lack. Ends on a line: no single point.
static void drives_without_a_platform_point_say_so(void)
{
    pkm_closed* closed = robot(3);
    pkm_closed_config c[2];
    double beyond = -1.0;
    const double wide[3] = {0.5, 0.5, 0.5};
    CHECK(pkm_closed_direct_geometry(closed, wide, c, 2, &beyond) == 0);
    CHECK_NEAR(beyond, 0.16 - 0.05 + 0.5 - 0.6, 1e-15);
    const double together[3] = {-0.11, -0.11, -0.11};
    CHECK(pkm_closed_direct_geometry(closed, together, c, 2, &beyond) == 0);
    CHECK(beyond == 0.0);
    const double line[3] = {-0.11, -0.11, 0.2};
    CHECK(pkm_closed_direct_geometry(closed, line, c, 2, &beyond) == 0);
    pkm_closed_free(closed);
}

// Evaluation leaves the heap alone.
static void nothing_allocates(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        pkm_closed_config c[8];
        uint64_t seed = 13;
        const size_t before = pkm_alloc_count();
        rod_robot_random(&rod_robots[r], closed, &seed, c);
        CHECK(pkm_closed_direct_geometry(closed, c[0].q, c, 2, NULL) == 2);
        double out[3];
        forces(closed, some_point(r), some_v, some_a, some_f, out);
        const pkm_frame_motion tool = {.pose = c[0].pose};
        CHECK(isfinite(pkm_closed_energy(closed, &c[0], &tool, out)));
        CHECK(pkm_alloc_count() == before);
        pkm_closed_free(closed);
    }
}

// What maps ask for: the first of the solutions, with w . dC/dq by another formula than the matrix
// A.
static void first_solution_comes_with_its_matrices(void)
{
    for (int r = 0; r < N_ROD_ROBOT; ++r) {
        pkm_closed* closed = robot(r);
        uint64_t seed = 21;
        for (int pose = 0; pose < 200; ++pose) {
            pkm_closed_config c[8];
            double q[3], B[9], A[9], B1[9], A1[9];
            CHECK(rod_robot_random(&rod_robots[r], closed, &seed, c) > 0);
            CHECK(pkm_closed_first(closed, &c[0].pose, q, B1, A1));
            pkm_closed_velocity(closed, &c[0], B, A);
            for (int i = 0; i < 3; ++i)
                CHECK_NEAR(q[i], c[0].q[i], 0.0);
            for (int k = 0; k < 9; ++k) {
                CHECK_NEAR(B1[k], B[k], 4e-15);
                CHECK_NEAR(A1[k], A[k], 1e-13);
            }
        }
        const pkm_pose far = {{0.0, 0.0, 10.0}, {1.0, 0.0, 0.0, 0.0}};
        double q[3], B[9], A[9];
        const bool is_linear = strcmp(rod_robots[r].family, "linear_delta") == 0;
        CHECK(pkm_closed_first(closed, &far, q, B, A) == is_linear); // its rails have no end
        pkm_closed_free(closed);
    }
}

int main(void)
{
    RUN(first_solution_comes_with_its_matrices);
    RUN(every_branch_leads_back_to_its_pose);
    RUN(every_assembly_mode_leads_back_to_its_drives);
    RUN(rods_keep_their_length);
    RUN(tool_motion_meets_differences_of_the_direct_geometry);
    RUN(power_of_drives_and_tool_is_the_rate_of_energy);
    RUN(drive_motion_inverts_tool_motion);
    RUN(rows_of_B_are_unit_rod_vectors);
    RUN(a_tool_torque_is_carried_by_the_rods);
    RUN(turned_motion_permutes_the_drive_forces);
    RUN(mirrored_robot_gives_mirrored_answers);
    RUN(turned_robot_gives_the_same_forces);
    RUN(beyond_starts_at_zero_at_the_end_of_the_reach);
    RUN(a_pose_that_is_not_a_number_is_not_reached);
    RUN(max_limits_what_is_written);
    RUN(flat_rods_are_a_parallel_singularity);
    RUN(limbs_that_are_all_stretched_are_a_serial_singularity);
    RUN(drives_without_a_platform_point_say_so);
    RUN(nothing_allocates);
    return check_report();
}
