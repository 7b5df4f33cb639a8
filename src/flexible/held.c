// Which joints of a link hold it: those from which other bodies lead to the ground. A body that
// hangs on the link alone, as a payload at its tip, holds nothing.
#include "flexible/held.h"

#include "base/memory.h"
#include "mechanism/joint.h"

#include <string.h>

/// Where a joint of the link leads, by other bodies alone.
typedef enum way {
    NOWHERE,
    BACK,      ///< to the link, by another joint
    TO_GROUND, ///< which is body 0
} way;

static way flood(const pkm_description* desc, int link, int own, bool* reached)
{
    way found = NOWHERE;
    for (bool grows = true; grows;) {
        grows = false;
        for (int j = 0; j < desc->n_joint; ++j) {
            const pkm_desc_joint* joint = &desc->joint[j];
            const bool a = reached[joint->body_a], b = reached[joint->body_b];
            // a free body is held by nothing; through `own` the link itself would be reached
            if (j == own || a == b || joint->type == PKM_JOINT_FREE) continue;
            const int next = a ? joint->body_b : joint->body_a;
            if (next == 0) return TO_GROUND;
            if (next == link)
                found = BACK;
            else
                reached[next] = grows = true;
        }
    }
    return found;
}

static way find_way(const pkm_description* desc, int link, const pkm_flexible_frame* frame,
                    bool* reached)
{
    const pkm_desc_joint* joint = &desc->joint[frame->joint];
    const int other = frame->side == 0 ? joint->body_b : joint->body_a;
    if (joint->type == PKM_JOINT_FREE) return NOWHERE;
    if (other == 0) return TO_GROUND;
    for (int i = 0; i < desc->n_body; ++i)
        reached[i] = i == other;
    return flood(desc, link, frame->joint, reached);
}

// ---- what hangs on the link -------------------------------------------------------------------

typedef struct hanging {
    const pkm_description* desc;
    int link;
    bool* seen;
    pkm_mass sum;
} hanging;

/// The body behind a joint whose frame is at `at` [axes of the link], and all behind that: rigidly
/// where fixed joints lead there, else as a point at the first joint that moves.
static void hang(hanging* h, int j, int from, pkm_pose at, bool is_rigid)
{
    const pkm_desc_joint* joint = &h->desc->joint[j];
    const bool to_b = joint->body_a == from;
    const int i = to_b ? joint->body_b : joint->body_a;
    if (i == 0 || i == h->link || h->seen[i] || joint->type == PKM_JOINT_FREE) return;
    h->seen[i] = true;
    const pkm_desc_body* body = &h->desc->body[i];
    const bool is_fixed = is_rigid && joint->type == PKM_JOINT_FIXED;
    const pkm_pose pose =
        is_fixed ? pkm_pose_mul(at, pkm_pose_inverse(to_b ? joint->frame_b : joint->frame_a)) : at;
    pkm_mass mass = {.mass = body->mass};
    if (is_fixed) {
        mass.com = body->com;
        memcpy(mass.inertia, body->inertia, sizeof mass.inertia);
    }
    h->sum = pkm_mass_add(h->sum, pkm_mass_move(mass, pose));
    for (int k = 0; k < h->desc->n_joint; ++k) {
        const pkm_desc_joint* next = &h->desc->joint[k];
        // not back the way it came
        if (k == j || (next->body_a != i && next->body_b != i)) continue;
        const pkm_pose own = next->body_a == i ? next->frame_a : next->frame_b;
        hang(h, k, i, is_fixed ? pkm_pose_mul(pose, own) : at, is_fixed);
    }
}

static pkm_mass weigh(const pkm_description* desc, int link, const pkm_flexible_frame* frame,
                      bool* seen)
{
    hanging h = {.desc = desc, .link = link, .seen = seen};
    for (int i = 0; i < desc->n_body; ++i)
        seen[i] = false;
    hang(&h, frame->joint, link, frame->pose, true);
    return h.sum;
}

// ---- all --------------------------------------------------------------------------------------

pkm_status pkm_flexible_mark_held(const pkm_description* desc, pkm_flexible_link* link)
{
    way* found = pkm_alloc((size_t)link->n_joint, sizeof *found);
    bool* reached = pkm_alloc((size_t)desc->n_body, sizeof *reached);
    way best = BACK; // loops count where the whole robot floats
    for (int f = 0; found && reached && f < link->n_joint; ++f) {
        found[f] = find_way(desc, link->body, &link->frame[f], reached);
        if (found[f] > best) best = found[f];
    }
    for (int f = 0; found && reached && f < link->n_joint; ++f) {
        link->frame[f].is_held = found[f] == best;
        link->frame[f].is_clamped =
            link->frame[f].is_held && pkm_flexible_holds_turns(desc, &link->frame[f]);
        if (!link->frame[f].is_held)
            link->frame[f].hangs = weigh(desc, link->body, &link->frame[f], reached);
    }
    const pkm_status status = found && reached ? PKM_OK : PKM_ERR_MEMORY;
    pkm_free(found);
    pkm_free(reached);
    return status;
}
