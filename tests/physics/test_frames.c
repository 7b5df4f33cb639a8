/// The choice of axes, of the origin and of units does not change what the drives feel.
#include "engine.h"
#include "robot/continuation.h"

enum { N_INSTANT = 15 };

/// Drive motion and forces at some instants of a robot's first motion.
typedef struct record {
    int n_drive;
    bool rotary[PKM_MAX_DRIVE];
    double home[PKM_MAX_DRIVE];
    pkm_target target[N_INSTANT];
    double force[N_INSTANT][PKM_MAX_DRIVE];
    double largest;
} record;

static void note_forces(pkm_robot* robot, double* force)
{
    pkm_inverse_forces(robot->state);
    pkm_inverse_drive_forces(robot->state, force);
}

static bool make_record(const char* name, record* out)
{
    pkm_robot* robot = engine_load(name);
    if (!robot) return false;
    *out = (record){.n_drive = robot->mech->n_drive};
    memcpy(out->home, robot->drive_home, sizeof out->home);
    pkm_motion* motion = robot->desc->motion[0].motion;
    pkm_follower f;
    bool ok = pkm_follow_begin(robot, motion, &f, NULL) == PKM_OK;
    for (int i = 0; ok && i < N_INSTANT; ++i) {
        const double t = pkm_motion_duration(motion) * (i + 0.3) / N_INSTANT;
        ok = pkm_follow_to(&f, t, NULL) == PKM_OK;
        if (!ok) break;
        note_forces(robot, out->force[i]);
        for (int d = 0; d < out->n_drive; ++d) {
            out->rotary[d] = robot->mech->drive[d].is_rotary;
            out->target[i].q[d] = pkm_state_drive_position(robot->state, d);
            pkm_drive_rates(robot->state, d, &out->target[i].v[d], &out->target[i].a[d]);
            out->largest = fmax(out->largest, fabs(out->force[i][d]));
        }
    }
    CHECK(ok);
    pkm_robot_free(robot);
    return ok;
}

/// Home by drive positions: those that the record has, in the units of the changed description.
static void set_home(pkm_description* desc, const record* r, double length)
{
    desc->has_home_tool = false;
    for (int d = 0; d < r->n_drive; ++d)
        desc->drive[d].home = r->home[d] * (r->rotary[d] ? 1.0 : length);
    desc->closed_family = NULL; // knows nothing of the change
    desc->tool_moves = 0;
}

/// Drive the changed robot through the record; `length` and `force` are the units of the old one in
/// the new.
static double largest_difference(pkm_robot* robot, const record* r, double length, double force)
{
    double worst = 0.0;
    pkm_error err = {0};
    for (int i = 0; i < N_INSTANT; ++i) {
        pkm_target target = r->target[i];
        for (int d = 0; d < r->n_drive; ++d) {
            const double unit = r->rotary[d] ? 1.0 : length;
            target.q[d] *= unit;
            target.v[d] *= unit;
            target.a[d] *= unit;
        }
        if (pkm_follow_target(robot, PKM_GIVEN_DRIVES, &target, "row", &err) != PKM_OK) {
            printf("    %s\n", err.text);
            return HUGE_VAL;
        }
        double now[PKM_MAX_DRIVE];
        note_forces(robot, now);
        for (int d = 0; d < r->n_drive; ++d) {
            const double unit = force * (r->rotary[d] ? length : 1.0);
            worst = fmax(worst, fabs(now[d] / unit - r->force[i][d]) / r->largest);
        }
    }
    return worst;
}

// ---- axes -------------------------------------------------------------------------------------

/// Everything that is fixed in the world moves to where `t` puts it.
static void move_world(pkm_description* desc, pkm_pose t)
{
    desc->gravity = pkm_quat_rotate(t.q, desc->gravity);
    for (int b = 1; b < desc->n_body; ++b)
        desc->body[b].guess = pkm_pose_mul(t, desc->body[b].guess);
    for (int m = 0; m < desc->n_marker; ++m)
        if (desc->marker[m].body == 0) desc->marker[m].pose = pkm_pose_mul(t, desc->marker[m].pose);
    for (int j = 0; j < desc->n_joint; ++j) {
        pkm_desc_joint* joint = &desc->joint[j];
        if (joint->body_a == 0) joint->frame_a = pkm_pose_mul(t, joint->frame_a);
        if (joint->body_b == 0) joint->frame_b = pkm_pose_mul(t, joint->frame_b);
    }
}

static void world_axes_and_origin_do_not_matter(void)
{
    const pkm_pose moves[] = {
        {{0.0, 0.0, 0.0}, pkm_quat_from_axis((pkm_vec3){1.0, 0.0, 0.0}, 1.5707963267948966)},
        {{0.3, -0.4, 0.2}, pkm_quat_from_rotvec((pkm_vec3){0.4, -0.9, 0.7})},
    };
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        record r;
        if (!make_record(engine_robots[i], &r)) continue;
        for (size_t k = 0; k < sizeof moves / sizeof moves[0]; ++k) {
            pkm_description* desc = engine_read(engine_robots[i]);
            set_home(desc, &r, 1.0);
            move_world(desc, moves[k]);
            pkm_robot* robot = engine_build(desc);
            if (!robot) continue;
            const double worst = largest_difference(robot, &r, 1.0, 1.0);
            if (!(worst < 1e-10)) printf("    %s: %g\n", engine_robots[i], worst);
            CHECK(worst < 1e-10);
            pkm_robot_free(robot);
        }
    }
}

// ---- units ------------------------------------------------------------------------------------

static void scale(pkm_vec3* v, double by)
{
    *v = pkm_vec3_scale(by, *v);
}

/// Lengths times `length`, masses times `mass`; times stay.
static void change_units(pkm_description* desc, double length, double mass)
{
    scale(&desc->gravity, length);
    for (int b = 0; b < desc->n_body; ++b) {
        pkm_desc_body* body = &desc->body[b];
        body->mass *= mass;
        scale(&body->com, length);
        scale(&body->guess.p, length);
        for (int k = 0; k < 6; ++k)
            body->inertia[k] *= mass * length * length;
    }
    for (int m = 0; m < desc->n_marker; ++m)
        scale(&desc->marker[m].pose.p, length);
    for (int j = 0; j < desc->n_joint; ++j) {
        scale(&desc->joint[j].frame_a.p, length);
        scale(&desc->joint[j].frame_b.p, length);
        desc->joint[j].length *= length;
    }
    for (int d = 0; d < desc->n_drive; ++d)
        if (!desc->drive[d].is_rotary) desc->drive[d].zero *= length;
}

// Millimetres and tonnes, so that forces stay in newton; kilometres and grams.
static void units_do_not_matter(void)
{
    static const double units[][2] = {{1000.0, 1e-3}, {1e-3, 1e3}};
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        record r;
        if (!make_record(engine_robots[i], &r)) continue;
        for (size_t k = 0; k < sizeof units / sizeof units[0]; ++k) {
            pkm_description* desc = engine_read(engine_robots[i]);
            const double length = units[k][0], mass = units[k][1];
            set_home(desc, &r, length);
            change_units(desc, length, mass);
            pkm_robot* robot = engine_build(desc);
            if (!robot) continue;
            const pkm_structure* s = &robot->structure;
            CHECK(s->n_uncontrolled == 0 && s->drives_unique);
            const double worst = largest_difference(robot, &r, length, length * mass);
            if (!(worst < 1e-10)) printf("    %s x %g: %g\n", engine_robots[i], length, worst);
            CHECK(worst < 1e-10);
            pkm_robot_free(robot);
        }
    }
}

int main(void)
{
    RUN(world_axes_and_origin_do_not_matter);
    RUN(units_do_not_matter);
    return check_report();
}
