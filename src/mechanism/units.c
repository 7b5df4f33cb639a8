// What is a length and what an angle: rows and velocities are compared through the size of the
// robot. docs/theory/engine.md, section 3, units.
#include "mechanism/compile_impl.h"
#include "mechanism/joint.h"

void pkm_fill_units(pkm_mechanism* mech)
{
    for (int i = 1; i < mech->n_body; ++i) {
        const pkm_body* body = &mech->body[i];
        for (int k = 0; k < body->n_q; ++k)
            mech->q_unit[body->q_at + k] = pkm_joint_is_length(body->type, k) ? mech->size : 1.0;
        for (int k = 0; k < body->n_v; ++k)
            mech->v_unit[body->v_at + k] = pkm_joint_is_length(body->type, k) ? mech->size : 1.0;
        for (int k = 0; body->modal && k < body->modal->n_mode; ++k) // a mode moves 1 kg by 1 m
            mech->q_unit[body->z_at + k] = mech->v_unit[body->e_at + k] =
                mech->size * sqrt(body->modal->integral->mass);
    }
}

bool pkm_row_is_length(const pkm_mechanism* mech, int r)
{
    const pkm_row* row = &mech->row[r];
    switch (row->kind) {
    case PKM_ROW_CLOSURE:
        return pkm_joint_row_is_length(mech->joint[row->item].type, row->component);
    case PKM_ROW_DRIVE:
        return !mech->drive[row->item].is_rotary;
    case PKM_ROW_TOOL:
        return row->component < PKM_TOOL_RX;
    case PKM_ROW_SPIN:
        return false;
    case PKM_ROW_HOLD:
        // a robot of size 1 m weighs lengths and angles alike: no matter what this says there
        return mech->v_unit[row->item] != 1.0;
    }
    return false;
}

void pkm_fill_weights(pkm_mechanism* mech)
{
    for (int r = 0; r < mech->n_row; ++r)
        mech->row[r].weight = pkm_row_is_length(mech, r) ? 1.0 / mech->size : 1.0;
}
