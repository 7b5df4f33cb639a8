// Instants at which graphs are evaluated while they are built: a sum that vanishes at all of them
// vanishes. They lie well away from singularities, where small numbers would say nothing.
#include "base/error.h"
#include "generate/code_impl.h"
#include "pkm/inverse.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Numbers in -1 .. 1 that are the same on every machine (splitmix64).
static double random_number(uint64_t* seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-52 - 1.0;
}

static pkm_vec3 random_vec3(uint64_t* seed, double size)
{
    const double x = random_number(seed), y = random_number(seed), z = random_number(seed);
    return (pkm_vec3){size * x, size * y, size * z};
}

static void keep(pkm_code* code, pkm_code_instant* out, const pkm_instant* now)
{
    memcpy(out->q, code->robot->state->q, (size_t)code->mech->n_q * sizeof(double));
    out->now = *now;
}

/// The components that the bits 0, 1, 2 of `moves` allow.
static pkm_vec3 masked(pkm_vec3 v, unsigned moves)
{
    return (pkm_vec3){moves & 1 ? v.x : 0.0, moves & 2 ? v.y : 0.0, moves & 4 ? v.z : 0.0};
}

/// What the tool or the drives are asked for: home plus `shift` of the robot's size, any velocity.
static pkm_instant ask(const pkm_code* code, uint64_t* seed, double shift)
{
    pkm_instant now = pkm_instant_home(code->robot);
    const double size = code->mech->size;
    const unsigned moves = code->robot->structure.moves;
    const pkm_vec3 turn = masked(random_vec3(seed, shift), moves >> 3);
    const pkm_vec3 way = masked(random_vec3(seed, shift * size), moves);
    now.tool.pose.p = pkm_vec3_add(now.tool.pose.p, way);
    now.tool.pose.q = moves >> 3 ? pkm_quat_mul(pkm_quat_from_rotvec(turn), now.tool.pose.q)
                                 : (pkm_quat){0}; // as it comes
    now.tool.v = random_vec3(seed, size);
    now.tool.w = random_vec3(seed, 1.0);
    now.tool.a = random_vec3(seed, 10.0 * size);
    now.tool.alpha = random_vec3(seed, 10.0);
    // some times the weight [N]
    now.tool_force = random_vec3(seed, 10.0 * (code->mech->total_mass + 1.0));
    now.tool_torque = random_vec3(seed, size * (code->mech->total_mass + 1.0));
    if (code->mech->tool == PKM_NONE) now.tool_force = now.tool_torque = (pkm_vec3){0.0, 0.0, 0.0};
    for (int d = 0; d < code->mech->n_drive; ++d) {
        const double unit = code->mech->drive[d].is_rotary ? 1.0 : size;
        now.q[d] += shift * unit * random_number(seed);
        now.v[d] = unit * random_number(seed);
        now.a[d] = 10.0 * unit * random_number(seed);
    }
    return now;
}

/// Do the drives lead from home to where the tool was led? Beyond a parallel singularity they do
/// not.
static pkm_status follow_by_drives(pkm_code* code, const pkm_instant* now, pkm_error* err)
{
    pkm_instant other = *now;
    PKM_TRY(pkm_kinematics_forward(code->robot, PKM_START_HOME, &other, err));
    const pkm_vec3 off = pkm_vec3_sub(other.tool.pose.p, now->tool.pose.p);
    if (pkm_vec3_norm(off) > 1e-6 * code->mech->size)
        return pkm_fail(err, PKM_ERR_UNREACHABLE, "the drives lead to another assembly mode");
    return PKM_OK;
}

/// How much the tool moves per rate of the drives, at most: it grows towards parallel
/// singularities.
static pkm_status reach_of_drives(pkm_code* code, double* out, pkm_error* err)
{
    pkm_dexterity d = {0};
    *out = 0.0;
    if (code->mech->tool == PKM_NONE) return PKM_OK;
    PKM_TRY(pkm_dexterity_at(code->robot, &d, err));
    *out = fmax(d.shift.n ? d.shift.sigma[0] / code->mech->size : 0.0,
                d.turn.n ? d.turn.sigma[0] : 0.0);
    return d.parallel ? pkm_fail(err, PKM_ERR_SINGULAR, "parallel singularity") : PKM_OK;
}

/// Is it well away from parallel singularities, compared with home?
static pkm_status stay_away(pkm_code* code, pkm_error* err)
{
    double here;
    PKM_TRY(reach_of_drives(code, &here, err));
    if (code->reach_home == 0.0) code->reach_home = fmax(here, fmax(1.0, 1.0 / code->mech->size));
    if (here > 5.0 * code->reach_home)
        return pkm_fail(err, PKM_ERR_SINGULAR, "near a parallel singularity");
    return PKM_OK;
}

/// The robot at what is asked for, by the engine.
static pkm_status solve(pkm_code* code, pkm_instant* now, pkm_error* err)
{
    if (code->has_tool) {
        PKM_TRY(pkm_kinematics_inverse(code->robot, PKM_START_HOME, now, err));
        PKM_TRY(follow_by_drives(code, now, err));
    } else {
        PKM_TRY(pkm_kinematics_forward(code->robot, PKM_START_HOME, now, err));
    }
    PKM_TRY(stay_away(code, err));
    return pkm_inverse_at(code->robot, PKM_METHOD_ENGINE, now, err);
}

/// An instant at most `shift` from home; nearer where that is out of reach.
static pkm_status place(pkm_code* code, uint64_t* seed, double shift, pkm_code_instant* out,
                        pkm_error* err)
{
    pkm_status status = PKM_OK;
    for (int try = 0; try < 12; ++try, shift *= 0.5) {
        pkm_instant now = ask(code, seed, shift);
        status = solve(code, &now, err);
        if (status == PKM_OK) keep(code, out, &now);
        if (status == PKM_OK || status == PKM_ERR_MEMORY || status == PKM_ERR_UNDETERMINED)
            return status;
    }
    return status;
}

/// A sample in which the loops are open: what vanishes there too vanishes everywhere.
static void open_loops(pkm_code* code, uint64_t* seed, pkm_code_instant* out)
{
    const pkm_mechanism* mech = code->mech;
    const pkm_instant now = ask(code, seed, 0.3);
    for (int k = 0; k < mech->n_q; ++k)
        out->q[k] = code->robot->q_home[k] + 0.3 * mech->q_unit[k] * random_number(seed);
    pkm_state_normalise(mech, out->q);
    out->now = now;
    out->now.tool.pose.q = pkm_quat_from_rotvec(random_vec3(seed, 1.0));
}

pkm_status pkm_code_sample(pkm_code* code, pkm_error* err)
{
    const int n = 2 * PKM_SAMPLES + PKM_CODE_VECTORS;
    uint64_t seed = 1;
    code->memory = calloc((size_t)(n * code->mech->n_q + 1), sizeof(double));
    if (!code->memory) return pkm_out_of_memory(err);
    for (int s = 0; s < PKM_SAMPLES; ++s)
        code->sample[s].q = code->memory + s * code->mech->n_q;
    for (int s = 0; s < PKM_CODE_VECTORS; ++s)
        code->vector[s].q = code->memory + (PKM_SAMPLES + s) * code->mech->n_q;
    for (int s = 0; s < PKM_SAMPLES; ++s)
        code->reach[s].q = code->memory + (PKM_SAMPLES + PKM_CODE_VECTORS + s) * code->mech->n_q;
    for (int s = 0; s < PKM_SAMPLES_CLOSED; ++s)
        PKM_TRY(place(code, &seed, s == 0 ? 0.0 : 0.1, &code->sample[s], err));
    for (int s = PKM_SAMPLES_CLOSED; s < PKM_SAMPLES; ++s)
        open_loops(code, &seed, &code->sample[s]);
    for (int s = 0; s < PKM_CODE_VECTORS; ++s)
        PKM_TRY(place(code, &seed, s == 0 ? 0.0 : 0.1, &code->vector[s], err));
    for (int s = 0; s < PKM_SAMPLES && code->is_closed; ++s)
        PKM_TRY(place(code, &seed, s == 0 ? 0.0 : 0.1, &code->reach[s], err));
    return PKM_OK;
}
