#include "robot/assembly_modes.h"

#include "dynamics/kinematics.h"
#include "mechanism/joint.h"

#include <string.h>

static double noise(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/// A random turn, not quite uniform, which is good enough to start from.
static void random_quat(unsigned* seed, double* q)
{
    pkm_quat r;
    double n;
    do {
        r = (pkm_quat){noise(seed), noise(seed), noise(seed), noise(seed)};
        n = r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z;
    } while (n < 0.01 || n > 1.0);
    r = pkm_quat_unit(r);
    memcpy(q, &r, sizeof r);
}

static void randomise(pkm_robot* robot, unsigned* seed)
{
    const double pi = 3.141592653589793, reach = 2.0 * robot->mech->size;
    for (int i = 1; i < robot->mech->n_body; ++i) {
        const pkm_body* body = &robot->mech->body[i];
        double* q = robot->state->q + body->q_at;
        const int ball = pkm_joint_facts_of(body->type)->quaternion;
        if (ball != PKM_NONE) {
            for (int k = 0; k < ball; ++k)
                q[k] = reach * noise(seed);
            random_quat(seed, q + ball);
        } else {
            for (int k = 0; k < body->n_q; ++k) {
                const pkm_vec3 w = robot->state->S[body->v_at + k].ang;
                const bool turns = pkm_vec3_dot(w, w) > 0.0;
                q[k] = (turns ? pi : reach) * noise(seed);
            }
        }
    }
}

/// Where the joints are: the fingerprint of a configuration, blind to idle spins.
static void read_places(const pkm_robot* robot, pkm_vec3* out)
{
    for (int j = 0; j < robot->mech->n_joint; ++j) {
        const pkm_joint* joint = &robot->mech->joint[j];
        const pkm_body_state* b = &robot->state->body[joint->body_b];
        out[j] = pkm_vec3_add(b->p, pkm_mat3_mul(b->R, joint->frame_b.p));
    }
}

static bool same_places(const pkm_robot* robot, const pkm_vec3* a, const pkm_vec3* b)
{
    for (int j = 0; j < robot->mech->n_joint; ++j)
        if (pkm_vec3_norm(pkm_vec3_sub(a[j], b[j])) > 1e-6 * robot->mech->size) return false;
    return true;
}

static int prescribed_rows(const pkm_robot* robot, pkm_mode mode, int* row)
{
    int n = 0;
    if (mode == PKM_MODE_DRIVES)
        for (int d = 0; d < robot->mech->n_drive; ++d)
            row[n++] = robot->mech->drive_row_at + d;
    else
        for (int k = 0; k < PKM_TOOL_ALL; ++k)
            if (robot->structure.moves & (1u << k)) row[n++] = robot->mech->tool_row_at + k;
    return n;
}

static void read_mode(const pkm_robot* robot, pkm_assembly_mode* out)
{
    *out = (pkm_assembly_mode){.hits = 1, .tool = robot->tool_home};
    if (robot->mech->tool != PKM_NONE)
        out->tool = pkm_state_marker_pose(robot->state, robot->mech->tool);
    for (int d = 0; d < robot->mech->n_drive; ++d)
        out->drive[d] = pkm_state_drive_position(robot->state, d);
}

int pkm_assembly_modes_find(pkm_robot* robot, pkm_mode mode, const pkm_target* target, int n_start,
                            unsigned seed, pkm_assembly_mode* out)
{
    const size_t n_joint = (size_t)robot->mech->n_joint;
    pkm_vec3* places = pkm_alloc((PKM_MAX_ASSEMBLY_MODE + 1) * n_joint, sizeof(pkm_vec3));
    if (!places) return PKM_NONE;
    int row[PKM_MAX_DRIVE + PKM_TOOL_ALL] = {0}, n_found = 0;
    const int n_row = prescribed_rows(robot, mode, row);
    pkm_robot_go_home(robot);
    for (int n = 0; n < n_start; ++n) {
        if (n > 0) randomise(robot, &seed); // the first start is home itself
        pkm_assembly_report report;
        const pkm_status status = pkm_assemble(robot->state, row, n_row, target, 1.0, &report);
        if (status == PKM_ERR_MEMORY) n_found = PKM_NONE;
        if (n_found == PKM_NONE) break;
        if (status != PKM_OK) continue;
        pkm_vec3* now = places + (size_t)n_found * n_joint;
        read_places(robot, now);
        int known = 0;
        while (known < n_found && !same_places(robot, places + (size_t)known * n_joint, now))
            ++known;
        if (known < n_found)
            ++out[known].hits;
        else if (n_found < PKM_MAX_ASSEMBLY_MODE)
            read_mode(robot, &out[n_found++]);
    }
    pkm_robot_go_home(robot);
    pkm_free(places);
    return n_found;
}
