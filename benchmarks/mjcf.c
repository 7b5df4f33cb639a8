#include "mjcf.h"

#include "delta_d.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct writer {
    char* text;
    size_t size, length;
} writer;

static void put(writer* w, const char* format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer* w, const char* format, ...)
{
    const size_t left = w->length < w->size ? w->size - w->length : 0;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(left ? w->text + w->length : NULL, left, format, arguments);
    va_end(arguments);
    if (n > 0) w->length += (size_t)n;
}

/// A rod: its frame has z along the rod as it is with horizontal cranks, in the plane y = const of
/// the crank.
static void put_rod(writer* w, int rod, double side)
{
    const double in = DELTA_PLATFORM_RADIUS - DELTA_BASE_RADIUS - DELTA_CRANK;
    const double half = 0.5 * atan2(in, -delta_start_depth());
    const double inertia = DELTA_ROD_MASS * DELTA_ROD * DELTA_ROD / 12.0;
    put(w, "   <body name='rod%d' pos='%.17g %.17g 0' quat='%.17g 0 %.17g 0'>\n", rod, DELTA_CRANK,
        0.5 * side * DELTA_PAIR, cos(half), sin(half));
    put(w, "    <inertial pos='0 0 %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>\n",
        0.5 * DELTA_ROD, DELTA_ROD_MASS, inertia, inertia, DELTA_ROD_SPIN_INERTIA);
    put(w, "    <joint name='rod%d' type='ball'/>\n   </body>\n", rod);
}

static void put_limb(writer* w, int limb)
{
    const double azimuth = 2.0 * M_PI * limb / 3.0;
    const double inertia = DELTA_CRANK_MASS * DELTA_CRANK * DELTA_CRANK / 12.0;
    put(w, "  <body name='crank%d' pos='%.17g %.17g 0' quat='%.17g 0 0 %.17g'>\n", limb,
        DELTA_BASE_RADIUS * cos(azimuth), DELTA_BASE_RADIUS * sin(azimuth), cos(0.5 * azimuth),
        sin(0.5 * azimuth));
    put(w, "   <inertial pos='%.17g 0 0' mass='%.17g' diaginertia='1e-3 %.17g %.17g'/>\n",
        0.5 * DELTA_CRANK, DELTA_CRANK_MASS, inertia, inertia);
    put(w, "   <joint name='crank%d' type='hinge' axis='0 1 0'/>\n", limb);
    put_rod(w, 2 * limb, 1.0);
    put_rod(w, 2 * limb + 1, -1.0);
    put(w, "  </body>\n");
}

static void put_platform(writer* w)
{
    const double inertia =
        0.25 * DELTA_PLATFORM_MASS * DELTA_PLATFORM_RADIUS * DELTA_PLATFORM_RADIUS;
    put(w, "  <body name='platform' pos='0 0 %.17g'>\n   <freejoint name='platform'/>\n",
        -delta_start_depth());
    put(w, "   <inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>\n  </body>\n",
        DELTA_PLATFORM_MASS + DELTA_PAYLOAD, inertia, inertia, 2.0 * inertia);
}

size_t mjcf_write(char* text, size_t size)
{
    writer w = {text, size, 0};
    put(&w, "<mujoco model='delta-d'>\n"
            " <compiler angle='radian' autolimits='false' balanceinertia='false'/>\n");
    // The best that the solver can do: Newton, to the end.
    put(&w,
        " <option gravity='0 0 %.17g' jacobian='dense' solver='Newton' tolerance='1e-10'>\n"
        "  <flag contact='disable'/>\n </option>\n <size nconmax='1' njmax='100'/>\n",
        -DELTA_GRAVITY);
    put(&w, " <worldbody>\n");
    for (int limb = 0; limb < 3; ++limb)
        put_limb(&w, limb);
    put_platform(&w);
    put(&w, " </worldbody>\n <equality>\n");
    for (int rod = 0; rod < 6; ++rod)
        put(&w, "  <connect body1='rod%d' body2='platform' anchor='0 0 %.17g'/>\n", rod, DELTA_ROD);
    put(&w, " </equality>\n <actuator>\n");
    for (int limb = 0; limb < 3; ++limb)
        put(&w, "  <motor name='motor%d' joint='crank%d'/>\n", limb, limb);
    put(&w, " </actuator>\n</mujoco>\n");
    return w.length;
}
