// A robot built by a program: a slider-crank from three numbers, then the torque of its crank at a
// constant speed, by the library and by the textbook: T = m x'' dx/dq of the slider's way x(q).
//
//     own_robot [CRANK [ROD [MASS]]]      lengths in m, mass of the slider in kg
#include <pkm/pkm.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// A balanced crank at the origin, a rod without mass, a slider along x, no weight.
static pkm_status build(pkm_builder* b, double r, double l, double m, pkm_error* err)
{
    const pkm_vec3 o = {0.0, 0.0, 0.0}, a = {r, 0.0, 0.0};
    const double none[3] = {0.0}, start[3] = {r + l}, inertia[6] = {1e-3, 1e-3, 1e-3};
    pkm_status status = pkm_builder_set_list(b, "gravity", 3, none, err);
    if (!status) status = pkm_builder_add_point(b, "ground", "O", o, err);
    if (!status) status = pkm_builder_add_body(b, "crank", 1.0, o, inertia, err);
    if (!status) status = pkm_builder_add_point(b, "crank", "O", o, err);
    if (!status) status = pkm_builder_add_point(b, "crank", "A", a, err);
    if (!status) status = pkm_builder_add_body(b, "slider", m, o, inertia, err);
    if (!status) status = pkm_builder_add_point(b, "slider", "B", o, err);
    if (!status) status = pkm_builder_set_list(b, "bodies.slider.pose.at", 3, start, err);
    if (!status)
        status = pkm_builder_add_joint(b, "turn", PKM_JOINT_REVOLUTE, "ground.O", "crank.O", err);
    if (!status)
        status = pkm_builder_add_joint(b, "way", PKM_JOINT_PRISMATIC, "ground.O", "slider.B", err);
    if (!status) status = pkm_builder_set(b, "joints.way.axis", "x", err);
    if (!status)
        status = pkm_builder_add_joint(b, "rod", PKM_JOINT_DISTANCE, "crank.A", "slider.B", err);
    if (!status) status = pkm_builder_set_number(b, "joints.rod.length", l, err);
    if (!status) status = pkm_builder_add_drive(b, "q", "turn", 0.0, err);
    return status ? status : pkm_builder_set(b, "tool.point", "slider.B", err);
}

/// m x'' dx/dq at the angle q and the speed w.
static double textbook(double r, double l, double m, double q, double w)
{
    const double s = sin(q), c = cos(q), root = sqrt(l * l - r * r * s * s);
    const double dx = -r * s - r * r * s * c / root;
    const double ddx = -r * c - r * r * (c * c - s * s) / root -
                       r * r * r * r * s * s * c * c / (root * root * root);
    return m * ddx * w * w * dx;
}

int main(int argc, char** argv)
{
    const double r = argc > 1 ? atof(argv[1]) : 0.1, l = argc > 2 ? atof(argv[2]) : 0.4;
    const double m = argc > 3 ? atof(argv[3]) : 2.0, w = 20.0;
    pkm_builder* builder = NULL;
    pkm_robot* robot = NULL;
    pkm_error err;
    pkm_status status = pkm_builder_create("slider-crank", &builder, &err);
    if (!status) status = build(builder, r, l, m, &err);
    if (!status) status = pkm_builder_robot(builder, NULL, NULL, 0, &robot, &err);
    for (int k = 0; k <= 6 && status == PKM_OK; ++k) {
        pkm_instant now = {.q = {0.5 * k}, .v = {w}};
        status = pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, &err);
        printf("q = %.1f rad  slider at %.4f m  torque %9.4f N m, textbook %9.4f N m\n", 0.5 * k,
               now.tool.pose.p.x, now.force[0], textbook(r, l, m, 0.5 * k, w));
    }
    if (status) fprintf(stderr, "%s\n", err.text);
    pkm_robot_free(robot);
    pkm_builder_free(builder);
    return pkm_status_exit_code(status);
}
