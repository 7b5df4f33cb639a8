// A robot built by a program: a slider-crank from three numbers, then the torque of its crank at a
// constant speed, by the library and by the textbook: T = m x'' dx/dq of the slider's way x(q).
//
//     own_robot [CRANK [ROD [MASS]]]      lengths in m, mass of the slider in kg
#include <pkm/pkm.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// The model: a balanced crank at the origin, a rod without mass, a slider along x, no weight.
static void write_model(char* text, size_t size, double crank, double rod, double mass)
{
    snprintf(text, size,
             "pkm: 1\n"
             "name: slider-crank\n"
             "gravity: [0, 0, 0]\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies:\n"
             "  crank:\n"
             "    points: {O: [0, 0, 0], A: [%.17g, 0, 0]}\n"
             "    mass: 1\n    com: [0, 0, 0]\n    inertia: [1e-3, 1e-3, 1e-3]\n"
             "  slider:\n"
             "    points: {B: [0, 0, 0]}\n"
             "    mass: %.17g\n    com: [0, 0, 0]\n    inertia: [1e-3, 1e-3, 1e-3]\n"
             "    pose: {at: [%.17g, 0, 0]}\n"
             "joints:\n"
             "  turn: {type: revolute, between: [ground.O, crank.O], axis: z}\n"
             "  guide: {type: prismatic, between: [ground.O, slider.B], axis: x}\n"
             "  rod: {type: distance, between: [crank.A, slider.B], length: %.17g}\n"
             "drives: {q: {joint: turn}}\n"
             "tool: {point: slider.B}\n"
             "home: {drives: {q: 0}}\n",
             crank, mass, crank + rod, rod);
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
    char text[2000];
    pkm_robot* robot = NULL;
    pkm_error err;
    write_model(text, sizeof text, r, l, m);
    pkm_status status = pkm_robot_parse(text, "slider-crank", NULL, 0, &robot, &err);
    for (int k = 0; k <= 6 && status == PKM_OK; ++k) {
        pkm_instant now = {.q = {0.5 * k}, .v = {w}};
        status = pkm_inverse_at(robot, PKM_METHOD_ENGINE, &now, &err);
        printf("q = %.1f rad  slider at %.4f m  torque %9.4f N m, textbook %9.4f N m\n", 0.5 * k,
               now.tool.pose.p.x, now.force[0], textbook(r, l, m, 0.5 * k, w));
    }
    if (status != PKM_OK)
        fprintf(stderr, "%s:%d:%d: %s\n", err.file, err.line, err.column, err.text);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
