#include "motion/breaks.h"

#include "check.h"

#include <math.h>

static pkm_motion* create(const pkm_motion_spec* spec)
{
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(spec, &motion, &err) == PKM_OK);
    if (err.text[0]) printf("    %s\n", err.text);
    return motion;
}

static pkm_motion* line(const char* name, pkm_vec3 from, pkm_vec3 to, double duration)
{
    const pkm_vec3 way[] = {from, to};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = name;
    spec.duration = duration;
    spec.path = PKM_PATH_LINE;
    spec.n_point = 2;
    spec.point = way;
    return create(&spec);
}

static pkm_motion_spec sequence(const pkm_motion* const* part, int n, const double* dwell,
                                int times)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "cycle";
    spec.path = PKM_PATH_SEQUENCE;
    spec.part = part;
    spec.n_part = n;
    spec.dwell = dwell;
    spec.repeat = times;
    return spec;
}

static const pkm_vec3 A = {0, 0, 0}, B = {0.2, 0.1, 0};

// There and back twice: each part at its own time, rests between, and at the ends.
static void parts_follow_each_other(void)
{
    pkm_motion *there = line("there", A, B, 0.4), *back = line("back", B, A, 0.3);
    const pkm_motion* const part[] = {there, back};
    const double dwell[] = {0.1, 0.2};
    pkm_motion_spec spec = sequence(part, 2, dwell, 2);
    spec.hold_before = 0.05;
    pkm_motion* cycle = create(&spec);
    CHECK_NEAR(pkm_motion_duration(cycle), 2.05, 1e-15);
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 97; ++i) {
            const double clock = i / 97.0, t = 0.05 + round + clock;
            pkm_frame_motion is, want;
            pkm_motion_tool(cycle, t, &is, NULL);
            if (clock < 0.5)
                pkm_motion_tool(there, clock, &want, NULL);
            else
                pkm_motion_tool(back, clock - 0.5, &want, NULL);
            CHECK_NEAR(is.pose.p.x, want.pose.p.x, 1e-13);
            CHECK_NEAR(is.v.y, want.v.y, 1e-11);
            CHECK_NEAR(is.a.x, want.a.x, 1e-9);
        }
    }
    const double breaks[] = {0.05, 0.45, 0.55, 0.85, 1.05, 1.45, 1.55, 1.85, 2.05};
    double t = 0.0;
    for (int i = 0; i < 9; ++i) {
        t = pkm_motion_next_break(cycle, t);
        CHECK_NEAR(t, breaks[i], 1e-12);
    }
    pkm_motion_free(cycle);
    pkm_motion_free(there);
    pkm_motion_free(back);
}

// Drives begin and end at home, which is known later; the times follow.
static void drives_come_from_home(void)
{
    const double to[2] = {1.0, NAN}, nowhere[2] = {NAN, NAN};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "out";
    spec.max_speed = 1.0;
    spec.path = PKM_PATH_DRIVES;
    spec.n_drive = 2;
    spec.drive_to = to;
    pkm_motion* out = create(&spec);
    spec.name = "in";
    spec.drive_from = to;
    spec.drive_to = nowhere;
    pkm_motion* in = create(&spec);
    const pkm_motion* const part[] = {out, in};
    pkm_motion_spec both = sequence(part, 2, NULL, 0);
    pkm_motion* cycle = create(&both);

    const double home[2] = {0.5, 0.25};
    pkm_error err = {0};
    CHECK(pkm_motion_set_home(out, home, &err) == PKM_OK);
    CHECK(pkm_motion_set_home(in, home, &err) == PKM_OK);
    CHECK(pkm_motion_set_home(cycle, home, &err) == PKM_OK);
    CHECK_NEAR(pkm_motion_duration(cycle), 2.0 * 1.875 * 0.5, 1e-13);
    double q[2], v[2], a[2];
    pkm_motion_drives(cycle, 0.5 * pkm_motion_duration(cycle), q, v, a, NULL);
    CHECK_NEAR(q[0], 1.0, 1e-14);
    CHECK_NEAR(q[1], 0.25, 1e-14);
    pkm_motion_free(cycle);
    pkm_motion_free(out);
    pkm_motion_free(in);
}

static void refuses(pkm_motion_spec spec, const char* part)
{
    pkm_motion* motion = NULL;
    pkm_error err = {0};
    CHECK(pkm_motion_create(&spec, &motion, &err) == PKM_ERR_ARGUMENT && !motion);
    CHECK_CONTAINS(err.text, part);
}

static void gaps_and_mixtures_are_refused(void)
{
    const pkm_vec3 C = {0.2, 0.1, 1e-6};
    const double to[1] = {1.0}, bad[2] = {0.0, -1.0};
    pkm_motion *there = line("there", A, B, 0.4), *on = line("on", C, A, 0.3);
    pkm_motion_spec drive = pkm_motion_spec_defaults();
    drive.duration = 1.0;
    drive.n_drive = 1;
    drive.drive_to = to;
    drive.path = PKM_PATH_DRIVES;
    drive.name = "turn";
    pkm_motion* turn = create(&drive);
    const pkm_motion *const gap[] = {there, on}, *const mixed[] = {there, turn};
    refuses(sequence(gap, 2, NULL, 1), "on begins 1e-06 m or rad from where there ends");
    refuses(sequence(gap, 1, NULL, 2), "there begins 0.223607 m or rad from where there ends");
    refuses(sequence(mixed, 2, NULL, 1), "there and turn differ in kind");
    refuses(sequence(gap, 0, NULL, 1), "0 motions");
    refuses(sequence(gap, 1, NULL, -2), "repeat -2");
    refuses(sequence(gap, 2, bad, 1), "dwell -1 s, expected >= 0");
    pkm_motion_free(there);
    pkm_motion_free(on);
    pkm_motion_free(turn);
}

int main(void)
{
    RUN(parts_follow_each_other);
    RUN(drives_come_from_home);
    RUN(gaps_and_mixtures_are_refused);
    return check_report();
}
