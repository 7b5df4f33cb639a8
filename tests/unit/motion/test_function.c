#include "motion/breaks.h"

#include "check.h"
#include "math/jet.h"

/// 0.2 + 0.1 sin(7 t), smooth.
static unsigned swing(const void* user, double t, double out[4])
{
    const double size = *(const double*)user, w = 7.0;
    out[0] = 0.2 + size * sin(w * t);
    out[1] = size * w * cos(w * t);
    out[2] = -size * w * w * sin(w * t);
    out[3] = -size * w * w * w * cos(w * t);
    return 0;
}

/// |t - 1/3|^3 keeps its acceleration and its jerk jumps; with `user` 1 the speed jumps, with 0 the
/// place.
static unsigned kinked(const void* user, double t, double out[4])
{
    const double power = *(const double*)user;
    const pkm_jet x = pkm_jet_subtract(pkm_jet_time(t), pkm_jet_constant(1.0 / 3.0));
    const pkm_jet y = power > 0.0 ? pkm_jet_power(pkm_jet_abs(x), pkm_jet_constant(power))
                                  : pkm_jet_floor(pkm_jet_add(x, pkm_jet_constant(1.0)));
    for (int k = 0; k < 4; ++k)
        out[k] = y.d[k];
    return y.side;
}

static const double size = 0.1;

static pkm_motion_spec of_two_drives(pkm_motion_function* f)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "swing";
    spec.path = PKM_PATH_FUNCTION;
    spec.n_drive = 2;
    spec.n_function = 2;
    spec.function = f;
    spec.function_is_drives = true;
    spec.duration = 2.0;
    spec.hold_before = 0.5;
    return spec;
}

static pkm_motion* create(const pkm_motion_spec* spec)
{
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(spec, &motion, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return motion;
}

static void drives_follow_their_functions_and_rest_outside(void)
{
    static const double home[] = {5.0, 0.7};
    pkm_motion_function f[] = {{swing, &size}, {NULL, NULL}};
    const pkm_motion_spec spec = of_two_drives(f);
    pkm_motion* motion = create(&spec);
    CHECK(pkm_motion_set_home(motion, home, NULL) == PKM_OK);
    double q[2], v[2], a[2], j[2], want[4];
    for (double t = 0.5; t < 2.5; t += 0.217) {
        pkm_motion_drives(motion, t, q, v, a, j);
        swing(&size, t - 0.5, want);
        CHECK_NEAR(q[0], want[0], 1e-15);
        CHECK_NEAR(v[0], want[1], 1e-15);
        CHECK_NEAR(a[0], want[2], 1e-14);
        CHECK_NEAR(j[0], want[3], 1e-13);
        CHECK(q[1] == 0.7 && v[1] == 0.0 && a[1] == 0.0);
    }
    pkm_motion_drives(motion, 0.2, q, v, a, j);
    CHECK(q[0] == 0.2 && v[0] == 0.0);
    pkm_motion_drives(motion, 3.0, q, v, a, j);
    CHECK_NEAR(q[0], 0.2 + 0.1 * sin(14.0), 1e-15);
    CHECK(v[0] == 0.0 && a[0] == 0.0);
    pkm_motion_free(motion);
}

static void kinks_are_found_where_they_are(void)
{
    static const double cubed = 3.0;
    pkm_motion_function f[] = {{swing, &size}, {kinked, &cubed}};
    const pkm_motion_spec spec = of_two_drives(f);
    pkm_motion* motion = create(&spec);
    CHECK_NEAR(pkm_motion_next_break(motion, 0.5), 0.5 + 1.0 / 3.0, 1e-14);
    CHECK_NEAR(pkm_motion_next_break(motion, 0.9), 2.5, 1e-15);
    double jump = 0.0;
    // it starts with a speed, and its kink has none
    CHECK_NEAR(pkm_motion_find_jump(motion, 2.4, &jump), 0.5, 1e-15);
    pkm_motion_free(motion);
}

static void jumps_of_the_speed_are_found(void)
{
    static const double once = 1.0;
    pkm_motion_function f[] = {{kinked, &once}, {NULL, NULL}};
    pkm_motion_spec spec = of_two_drives(f);
    spec.hold_before = 0.0;
    pkm_motion* motion = create(&spec);
    double jump = 0.0;
    CHECK_NEAR(pkm_motion_find_jump(motion, 2.0, &jump), 1.0 / 3.0, 1e-14);
    CHECK_NEAR(jump, 2.0, 1e-12);
    pkm_motion_free(motion);
}

/// max(0, t)^power + max(0, 2 - t)^power: kinks on both ends of [0, 2].
static unsigned open(const void* user, double t, double out[4])
{
    const pkm_jet power = pkm_jet_constant(*(const double*)user), zero = pkm_jet_constant(0.0);
    const pkm_jet x = pkm_jet_max(zero, pkm_jet_time(t));
    const pkm_jet y = pkm_jet_max(zero, pkm_jet_subtract(pkm_jet_constant(2.0), pkm_jet_time(t)));
    const pkm_jet z = pkm_jet_add(pkm_jet_power(x, power), pkm_jet_power(y, power));
    for (int k = 0; k < 4; ++k)
        out[k] = z.d[k];
    return z.side;
}

// Between its ends it is t^p + (2 - t)^p, and that it is on them: the other side is no part of it.
static void on_its_ends_a_motion_is_what_it_is_between_them(void)
{
    static const double power[] = {1.0, 2.0, 3.0};
    for (int i = 0; i < 3; ++i) {
        const double p = power[i];
        pkm_motion_function f[] = {{open, &power[i]}, {NULL, NULL}};
        pkm_motion_spec spec = of_two_drives(f);
        spec.hold_before = 0.0;
        pkm_motion* motion = create(&spec);
        double q[2], v[2], a[2];
        for (int end = 0; end < 2; ++end) {
            const double t = 2.0 * end, u = 2.0 - t;
            pkm_motion_drives(motion, t, q, v, a, NULL);
            CHECK_NEAR(q[0], pow(t, p) + pow(u, p), 1e-14);
            CHECK_NEAR(v[0], p * (pow(t, p - 1.0) - pow(u, p - 1.0)), 1e-14);
            CHECK_NEAR(a[0], p > 1.0 ? p * (p - 1.0) * (pow(t, p - 2.0) + pow(u, p - 2.0)) : 0.0,
                       1e-11); // changes over the 4e-12 s between
        }
        pkm_motion_free(motion);
    }
}

static void check_refused(const pkm_motion_spec* spec, const char* why)
{
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(spec, &motion, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, why);
}

static void what_jumps_or_is_infinite_is_refused(void)
{
    static const double none = 0.0, root = 0.5;
    pkm_motion_function f[] = {{kinked, &none}, {NULL, NULL}};
    pkm_motion_spec spec = of_two_drives(f);
    check_refused(&spec, "jumps from 0 to 1 at 0.333333333 s");
    spec.duration = 1.0 / 3.0; // it jumps at the last instant
    check_refused(&spec, "jumps from 0 to 1 at 0.333333333 s");
    f[0].user = &root; // its speed is infinite at the kink, 1/3: an instant that is looked at
    spec.duration = 2.0 / 3.0;
    check_refused(&spec, "at 0.333333333 s is");
    f[0] = (pkm_motion_function){swing, &size};
    spec.duration = NAN;
    check_refused(&spec, "expected how long it runs");
    spec.duration = 1.0;
    spec.max_speed = 1.0;
    check_refused(&spec, "the formulas fix the times");
}

int main(void)
{
    RUN(drives_follow_their_functions_and_rest_outside);
    RUN(kinks_are_found_where_they_are);
    RUN(jumps_of_the_speed_are_found);
    RUN(on_its_ends_a_motion_is_what_it_is_between_them);
    RUN(what_jumps_or_is_infinite_is_refused);
    return check_report();
}
