// Motions one after the other, with rests between them, repeated and stretched: which part runs at
// a time, and whether each begins where the one before ends. docs/theory/motion.md, section 5.
#include "motion/sequence.h"

#include "base/error.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>

/// Gaps [m, rad] between parts that are rounding of what was written.
static const double ROUNDING = 1e-9;

void pkm_sequence_plan(pkm_sequence* s)
{
    s->round = 0.0;
    for (int k = 0; k < s->n; ++k) {
        s->begin[k] = s->round;
        s->round += pkm_motion_duration(s->part[k]) + s->dwell[k];
    }
}

const pkm_motion* pkm_sequence_at(const pkm_sequence* s, double t, double* clock)
{
    // the end of the last round is its own, not the start of another
    const double inner = t / s->stretch;
    double turn = s->round > 0.0 ? floor(inner / s->round) : 0.0;
    turn = fmax(0.0, fmin(turn, s->repeat - 1));
    const double now = inner - turn * s->round;
    int k = s->n - 1;
    while (k > 0 && now < s->begin[k])
        --k;
    *clock = now - s->begin[k];
    return s->part[k];
}

/// How far b begins from where a ends: drives [m, rad], or shift [m] and turn [rad] of the tool,
/// whichever is larger.
static double gap(const pkm_motion* a, const pkm_motion* b, int n_drive)
{
    double q[2][PKM_MAX_DRIVE], v[PKM_MAX_DRIVE], acc[PKM_MAX_DRIVE], most = 0.0;
    if (pkm_motion_is_drives(a)) {
        pkm_motion_drives(a, pkm_motion_duration(a), q[0], v, acc, NULL);
        pkm_motion_drives(b, 0.0, q[1], v, acc, NULL);
        for (int i = 0; i < n_drive; ++i)
            most = fmax(most, fabs(q[1][i] - q[0][i]));
        return most;
    }
    pkm_frame_motion end, start;
    pkm_motion_tool(a, pkm_motion_duration(a), &end, NULL);
    pkm_motion_tool(b, 0.0, &start, NULL);
    const pkm_quat turn = pkm_quat_mul(pkm_quat_conj(end.pose.q), start.pose.q);
    return fmax(pkm_vec3_norm(pkm_vec3_sub(start.pose.p, end.pose.p)),
                pkm_vec3_norm(pkm_quat_to_rotvec(turn)));
}

pkm_status pkm_sequence_check(const pkm_sequence* s, int n_drive, const char* name, pkm_error* err)
{
    for (int k = 0; k < s->n; ++k) {
        if (k + 1 == s->n && s->repeat == 1) break;
        const pkm_motion *a = s->part[k], *b = s->part[(k + 1) % s->n];
        const double off = gap(a, b, n_drive);
        if (off <= ROUNDING) continue;
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: sequence: %s begins %.6g %s from where %s ends, expected the same "
                        "place",
                        name, pkm_motion_name(b), off,
                        pkm_motion_is_drives(a) ? "(of a drive)" : "m or rad", pkm_motion_name(a));
    }
    return PKM_OK;
}
