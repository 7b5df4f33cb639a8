#include "check.h"
#include "model/mass.h"

static const double pi = 3.14159265358979323846;

static pkm_mass point_mass(pkm_vec3 at, double mass)
{
    return (pkm_mass){.mass = mass, .com = at};
}

static void check_mass(pkm_mass a, pkm_mass b, double tol)
{
    CHECK_NEAR(a.mass, b.mass, tol * b.mass);
    CHECK_NEAR(a.com.x, b.com.x, tol);
    CHECK_NEAR(a.com.y, b.com.y, tol);
    CHECK_NEAR(a.com.z, b.com.z, tol);
    for (int i = 0; i < 6; ++i)
        CHECK_NEAR(a.inertia[i], b.inertia[i], tol * (b.inertia[0] + b.inertia[1] + b.inertia[2]));
}

// Textbook: m = rho pi R^2 L, J_axial = m R^2/2, J_transverse = m (3 R^2 + L^2)/12.
static void cylinder_along_z_has_textbook_moments(void)
{
    const pkm_mass rod = pkm_mass_cylinder((pkm_vec3){1, 2, 3}, (pkm_vec3){1, 2, 5}, 0.1, 0, 7800);
    const double m = 7800 * pi * 0.01 * 2.0;
    const pkm_mass expected = {
        m, {1, 2, 4}, {m * (0.03 + 4.0) / 12, m * (0.03 + 4.0) / 12, m * 0.01 / 2, 0, 0, 0}};
    check_mass(rod, expected, 1e-14);
}

// A tube and the bar that fills it make the solid bar.
static void tube_and_core_make_a_bar(void)
{
    const pkm_vec3 a = {0.1, -0.2, 0.3}, b = {0.5, 0.4, 1.3};
    const pkm_mass tube = pkm_mass_cylinder(a, b, 0.05, 0.03, 2700);
    const pkm_mass core = pkm_mass_cylinder(a, b, 0.03, 0.0, 2700);
    check_mass(pkm_mass_add(tube, core), pkm_mass_cylinder(a, b, 0.05, 0.0, 2700), 1e-14);
}

// Halves put together by the parallel axis theorem make the whole.
static void halves_make_the_whole(void)
{
    const pkm_pose left = {{-0.25, 0, 0}, {1, 0, 0, 0}}, right = {{0.25, 0, 0}, {1, 0, 0, 0}};
    const pkm_pose all = {{0, 0, 0}, {1, 0, 0, 0}};
    const pkm_vec3 half = {0.5, 0.3, 0.2}, whole = {1.0, 0.3, 0.2};
    check_mass(pkm_mass_add(pkm_mass_box(left, half, 1000), pkm_mass_box(right, half, 1000)),
               pkm_mass_box(all, whole, 1000), 1e-14);

    const pkm_vec3 a = {0, 0, 0}, b = {0.3, -0.2, 0.6}, c = {0.6, -0.4, 1.2};
    check_mass(pkm_mass_add(pkm_mass_slender(a, b, 1.5), pkm_mass_slender(b, c, 1.5)),
               pkm_mass_slender(a, c, 3.0), 1e-14);
}

static void box_and_sphere_have_textbook_moments(void)
{
    const pkm_pose here = {{0, 0, 0}, {1, 0, 0, 0}};
    const double m = 500 * 0.1 * 0.2 * 0.3;
    const pkm_mass box = {
        m,
        {0, 0, 0},
        {m * (0.04 + 0.09) / 12, m * (0.01 + 0.09) / 12, m * (0.01 + 0.04) / 12, 0, 0, 0}};
    check_mass(pkm_mass_box(here, (pkm_vec3){0.1, 0.2, 0.3}, 500), box, 1e-14);
    const double s = 1000 * 4.0 / 3.0 * pi * 0.008, J = 0.4 * s * 0.04;
    const pkm_mass ball = {s, {1, 0, 0}, {J, J, J, 0, 0, 0}};
    check_mass(pkm_mass_sphere((pkm_vec3){1, 0, 0}, 0.2, 1000), ball, 1e-14);
}

// Turning leaves the principal moments; a quarter turn about z exchanges x and y; two point
// masses off the axes have xy = -m x y.
static void turning_changes_axes_not_moments(void)
{
    const pkm_mass box = pkm_mass_box(pkm_pose_identity(), (pkm_vec3){0.1, 0.2, 0.3}, 500);
    const double c = sqrt(0.5);
    const pkm_mass quarter = pkm_mass_move(box, (pkm_pose){{1, 2, 3}, {c, 0, 0, c}});
    CHECK_NEAR(quarter.inertia[0], box.inertia[1], 1e-16);
    CHECK_NEAR(quarter.inertia[1], box.inertia[0], 1e-16);
    CHECK_NEAR(quarter.com.y, 2.0, 0.0);

    const pkm_quat any = pkm_quat_from_rotvec((pkm_vec3){0.3, -1.2, 0.8});
    double before[3], after[3];
    pkm_mass_principal(box.inertia, before);
    pkm_mass_principal(pkm_mass_move(box, (pkm_pose){{0, 0, 0}, any}).inertia, after);
    for (int i = 0; i < 3; ++i)
        CHECK_NEAR(after[i], before[i], 1e-15 * before[2]);

    const pkm_mass pair = pkm_mass_add(point_mass((pkm_vec3){0.3, 0.4, 0}, 2.0),
                                       point_mass((pkm_vec3){-0.3, -0.4, 0}, 2.0));
    CHECK_NEAR(pair.inertia[3], -2.0 * 2.0 * 0.3 * 0.4, 1e-15);
    CHECK_NEAR(pair.inertia[2], 2.0 * 2.0 * 0.25, 1e-15);
}

static void principal_moments_come_in_order(void)
{
    double J[3];
    pkm_mass_principal((double[6]){3, 1, 2, 0, 0, 0}, J);
    CHECK_NEAR(J[0], 1.0, 0.0);
    CHECK_NEAR(J[1], 2.0, 0.0);
    CHECK_NEAR(J[2], 3.0, 0.0);
    pkm_mass_principal((double[6]){2, 2, 5, 1, 0, 0}, J); // 2 +- 1, 5
    CHECK_NEAR(J[0], 1.0, 1e-15);
    CHECK_NEAR(J[1], 3.0, 1e-15);
    CHECK_NEAR(J[2], 5.0, 1e-15);
}

static void nothing_added_is_nothing_changed(void)
{
    const pkm_mass box = pkm_mass_box(pkm_pose_identity(), (pkm_vec3){0.1, 0.2, 0.3}, 500);
    check_mass(pkm_mass_add(box, point_mass((pkm_vec3){9, 9, 9}, 0.0)), box, 0.0);
    const pkm_mass none = pkm_mass_add((pkm_mass){0}, point_mass((pkm_vec3){1, 2, 3}, 0.0));
    CHECK_NEAR(none.mass, 0.0, 0.0);
    CHECK_NEAR(none.com.x, 0.0, 0.0); // no NaN
    CHECK_NEAR(pkm_mass_scale(box, 2.0 * box.mass).inertia[0], 2.0 * box.inertia[0], 1e-18);
    CHECK_NEAR(pkm_mass_scale((pkm_mass){0}, 3.0).inertia[0], 0.0, 0.0);
}

int main(void)
{
    RUN(cylinder_along_z_has_textbook_moments);
    RUN(tube_and_core_make_a_bar);
    RUN(halves_make_the_whole);
    RUN(box_and_sphere_have_textbook_moments);
    RUN(turning_changes_axes_not_moments);
    RUN(principal_moments_come_in_order);
    RUN(nothing_added_is_nothing_changed);
    return check_report();
}
