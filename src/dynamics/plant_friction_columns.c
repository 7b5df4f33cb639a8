#include "dynamics/plant_friction_columns.h"

#include "dynamics/plant_impl.h"
#include "mechanism/joint.h"

/// Friction of a joint, as tables have it.
typedef struct friction_values {
    double force, torque; ///< on body b along and about its axis; of balls and crosses magnitudes
    double slip;          ///< of its fastest surface [m/s]
} friction_values;

static const pkm_column force_column = {"friction_force", "N", offsetof(friction_values, force),
                                        .title = "friction"};
static const pkm_column torque_column = {"friction_torque", "N m",
                                         offsetof(friction_values, torque), .title = "friction"};
static const pkm_column slip_column = {"slip", "m/s", offsetof(friction_values, slip),
                                       .title = "slip"};

static bool slides(const pkm_joint_facts* facts)
{
    return facts->motion == PKM_MOVES_AXIS && facts->slide != PKM_NONE;
}

static bool turns(const pkm_joint_facts* facts)
{
    return facts->motion == PKM_MOVES_BALL || facts->motion == PKM_MOVES_CROSS ||
           (facts->motion == PKM_MOVES_AXIS && facts->angle != PKM_NONE);
}

static friction_values read(const pkm_friction_item* item, const pkm_joint_facts* facts)
{
    const bool has_axis = facts->motion == PKM_MOVES_AXIS;
    return (friction_values){
        .force = item->force.z,
        .torque = has_axis ? item->moment.z : pkm_vec3_norm(item->moment),
        .slip = fmax(item->last.slip[0], item->last.slip[1]),
    };
}

void pkm_plant_put_friction(const pkm_plant* p, pkm_layout* to)
{
    for (int k = 0; k < p->n_friction; ++k) {
        const pkm_joint* joint = &p->state->mech->joint[p->friction[k].joint];
        const pkm_joint_facts* facts = pkm_joint_facts_of(joint->type);
        const friction_values now = read(&p->friction[k], facts);
        if (slides(facts)) pkm_layout_put(to, joint->name, &force_column, 1, &now);
        if (turns(facts)) pkm_layout_put(to, joint->name, &torque_column, 1, &now);
        pkm_layout_put(to, joint->name, &slip_column, 1, &now);
    }
}
