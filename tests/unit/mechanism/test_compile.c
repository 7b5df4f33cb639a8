/// Compiled mechanisms: counts, offsets, coordinates of the guessed poses, names.
#include "dynamics/kinematics.h"
#include "engine.h"
#include "find.h"
#include "linkages.h"

static pkm_mechanism* compile(const pkm_description* desc)
{
    pkm_mechanism* mech = NULL;
    pkm_error err = {0};
    if (!desc || pkm_mechanism_compile(desc, &mech, &err) != PKM_OK) printf("    %s\n", err.text);
    CHECK(mech != NULL);
    return mech;
}

// The Delta with six rods: 27 coordinates and 18 closure rows, as the architecture says.
static void the_delta_has_27_coordinates_and_18_closures(void)
{
    pkm_description* desc = engine_read("siax");
    pkm_mechanism* mech = compile(desc);
    if (mech) {
        CHECK(mech->n_v == 3 + 6 * 3 + 6);
        CHECK(mech->n_q == 3 + 6 * 4 + 7);
        CHECK(mech->n_closure == 18);
        CHECK(mech->n_spin == 6);
        CHECK(mech->n_row == 18 + 3 + 6 + 6 + 27);
    }
    pkm_mechanism_free(mech);
    pkm_description_free(desc);
}

static void offsets_follow_each_other(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_description* desc = engine_read(engine_robots[i]);
        pkm_mechanism* mech = compile(desc);
        int q = 0, v = 0, row = 0;
        double mass = 0.0;
        for (int b = 1; mech && b < mech->n_body; ++b) {
            CHECK(mech->body[b].q_at == q && mech->body[b].v_at == v);
            CHECK(mech->body[b].parent < b);
            CHECK(mech->body_of_desc[mech->body[b].desc] == b);
            q += mech->body[b].n_q;
            v += mech->body[b].n_v;
            mass += mech->body[b].mass;
        }
        for (int j = 0; mech && j < mech->n_joint; ++j) {
            CHECK(mech->joint[j].row_at == row);
            CHECK((mech->joint[j].tree_body == PKM_NONE) == (mech->joint[j].n_row > 0));
            row += mech->joint[j].n_row;
        }
        if (mech) {
            CHECK(q == mech->n_q && v == mech->n_v && row == mech->n_closure);
            CHECK_NEAR(mech->total_mass, mass, 1e-12 * mass);
            CHECK(mech->drive_row_at == mech->n_closure);
            CHECK(mech->tool_row_at == mech->drive_row_at + mech->n_drive);
            CHECK(mech->hold_row_at == mech->spin_row_at + mech->n_spin);
            CHECK(mech->n_row == mech->hold_row_at + mech->n_v);
        }
        pkm_mechanism_free(mech);
        pkm_description_free(desc);
    }
}

// Poses in robots/ close the loops, so the tree's coordinates must put every body where its pose
// in the file is.
static void guessed_coordinates_are_those_of_the_poses(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        // rough poses: angles of cranks, legs turned about their own line
        if (strcmp(engine_robots[i], "kuo") == 0) continue;
        if (strcmp(engine_robots[i], "gough-stewart") == 0) continue;
        pkm_description* desc = engine_read(engine_robots[i]);
        pkm_mechanism* mech = compile(desc);
        pkm_state* state = mech ? pkm_state_create(mech) : NULL;
        double worst = 0.0;
        if (state) pkm_kinematics_position(state);
        for (int b = 1; state && b < mech->n_body; ++b) {
            const pkm_pose want = desc->body[mech->body[b].desc].guess;
            const pkm_mat3 R = pkm_mat3_from_quat(want.q);
            worst = fmax(worst, pkm_vec3_norm(pkm_vec3_sub(state->body[b].p, want.p)));
            worst = fmax(worst, pkm_vec3_norm(pkm_vec3_sub(state->body[b].R.x, R.x)));
            worst = fmax(worst, pkm_vec3_norm(pkm_vec3_sub(state->body[b].R.z, R.z)));
        }
        if (!(worst < 1e-11)) printf("    %s: %g\n", engine_robots[i], worst);
        CHECK(worst < 1e-11);
        pkm_state_free(state);
        pkm_mechanism_free(mech);
        pkm_description_free(desc);
    }
}

// A row has entries for the joints between its two bodies and their nearest common ancestor.
static void rows_touch_only_the_way_between_their_bodies(void)
{
    pkm_description* desc = engine_parse(four_bar);
    pkm_mechanism* mech = compile(desc);
    if (mech) {
        const pkm_row* row = &mech->row[0]; // joint C: coupler (on the crank) and rocker
        CHECK_TEXT(mech->joint[row->item].name, "C");
        CHECK(row->n_a == 2 && row->n_b == 1);
        const int rocker = mech->body[find_body(mech, "rocker")].v_at;
        CHECK(mech->column[row->at] == rocker);
    }
    pkm_mechanism_free(mech);
    pkm_description_free(desc);
}

// Lengths and angles are told apart, for velocities, coordinates and rows.
static void units_tell_lengths_from_angles(void)
{
    pkm_description* desc = engine_read("lindelta");
    pkm_mechanism* mech = compile(desc);
    for (int b = 1; mech && b < mech->n_body; ++b) {
        const pkm_body* body = &mech->body[b];
        const double first = body->type == PKM_JOINT_SPHERICAL ? 1.0 : mech->size;
        CHECK(mech->v_unit[body->v_at] == first && mech->q_unit[body->q_at] == first);
        if (body->type == PKM_JOINT_FREE) CHECK(mech->v_unit[body->v_at + 3] == 1.0);
    }
    if (mech) {
        CHECK(mech->row[0].weight == 1.0 / mech->size);
        CHECK(mech->row[mech->drive_row_at].weight == 1.0 / mech->size);
        CHECK(mech->row[mech->tool_row_at + 2].weight == 1.0 / mech->size);
        CHECK(mech->row[mech->tool_row_at + 3].weight == 1.0);
        CHECK(mech->row[mech->spin_row_at].weight == 1.0);
    }
    pkm_mechanism_free(mech);
    pkm_description_free(desc);
}

static void names_are_found(void)
{
    pkm_description* desc = engine_parse(rssr);
    pkm_mechanism* mech = compile(desc);
    if (mech) {
        CHECK(find_body(mech, "ground") == 0);
        CHECK_TEXT(mech->body[find_body(mech, "rod")].name, "rod");
        CHECK_TEXT(mech->joint[pkm_mechanism_find_joint(mech, "C")].name, "C");
        CHECK(pkm_mechanism_find_drive(mech, "q") == 0);
        CHECK(find_marker(mech, "rocker.C") == mech->tool);
        CHECK(find_body(mech, "none") == PKM_NONE);
        CHECK(pkm_mechanism_find_joint(mech, "none") == PKM_NONE);
        CHECK(pkm_mechanism_find_drive(mech, "none") == PKM_NONE);
        CHECK(find_marker(mech, "none") == PKM_NONE);
    }
    pkm_mechanism_free(mech);
    pkm_mechanism_free(NULL);
    pkm_description_free(desc);
}

static void joints_have_freedoms_and_names(void)
{
    CHECK(pkm_joint_freedoms(PKM_JOINT_FIXED) == 0);
    CHECK(pkm_joint_freedoms(PKM_JOINT_REVOLUTE) == 1);
    CHECK(pkm_joint_freedoms(PKM_JOINT_UNIVERSAL) == 2);
    CHECK(pkm_joint_freedoms(PKM_JOINT_PLANAR) == 3);
    CHECK(pkm_joint_freedoms(PKM_JOINT_DISTANCE) == 5);
    CHECK(pkm_joint_freedoms(PKM_JOINT_FREE) == 6);
    CHECK_TEXT(pkm_joint_type_name(PKM_JOINT_CYLINDRICAL), "cylindrical");
}

int main(void)
{
    RUN(the_delta_has_27_coordinates_and_18_closures);
    RUN(offsets_follow_each_other);
    RUN(guessed_coordinates_are_those_of_the_poses);
    RUN(rows_touch_only_the_way_between_their_bodies);
    RUN(units_tell_lengths_from_angles);
    RUN(names_are_found);
    RUN(joints_have_freedoms_and_names);
    return check_report();
}
