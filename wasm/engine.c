#include "engine.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "model/source.h"
#include "robot/continuation.h"
#include "robot/instant.h"
#include "robot/limits.h"
#include "write/scene.h"

#include <math.h>
#include <string.h>

engine engine_here;

// ---- answers ----------------------------------------------------------------------------------

pkm_json* engine_begin(void)
{
    pkm_stream_discard(engine_here.text);
    engine_here.text = pkm_stream_to_memory();
    if (!engine_here.text) abort();
    engine_here.json = pkm_json_make(engine_here.text);
    pkm_json_object_begin(&engine_here.json);
    return &engine_here.json;
}

int engine_end(pkm_status status, const pkm_error* err)
{
    if (status != PKM_OK) {
        pkm_json* json = engine_begin();
        pkm_json_put_string(json, "message", err->text);
        pkm_json_put_integer(json, "line", err->line);
        pkm_json_put_integer(json, "column", err->column);
        pkm_json_put_integer(json, "status", (int)status);
    }
    pkm_json_object_end(&engine_here.json);
    return (int)status;
}

EXPORT(engine_text) const char* engine_text(void)
{
    const char* text = engine_here.text ? pkm_stream_get(engine_here.text) : NULL;
    return text ? text : "";
}

EXPORT(engine_room) void* engine_room(size_t size)
{
    return malloc(size);
}

EXPORT(engine_release) void engine_release(void* room)
{
    free(room);
}

// ---- the frame --------------------------------------------------------------------------------

static double* put_pose(double* at, pkm_pose pose)
{
    const double x[] = {pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    memcpy(at, x, sizeof x);
    return at + 7;
}

static double* put_lookout(double* at, const pkm_lookout* seen, int n_drive)
{
    const double x[] = {seen->known,        seen->condition, seen->parallel, seen->serial,
                        (double)seen->kind, seen->distance,  seen->level};
    memcpy(at, x, sizeof x);
    memcpy(at + 7, seen->direction, sizeof seen->direction);
    memcpy(at + 13, seen->share, (size_t)n_drive * sizeof(double));
    return at + 13 + n_drive;
}

/// Poses of all bodies, drive positions, the tool's pose, the lookout, values of the joints'
/// limits, coordinates: in this order, sizes in the answer of engine_load.
static void put_frame(void)
{
    const pkm_robot* robot = engine_here.robot;
    const pkm_mechanism* mech = robot->mech;
    pkm_lookout seen;
    pkm_lookout_read(&engine_here.near, &seen);
    pkm_kinematics_position(robot->state);
    double* at = engine_here.frame;
    for (int b = 0; b < robot->desc->n_body; ++b) {
        const pkm_body_state* body = &robot->state->body[mech->body_of_desc[b]];
        at = put_pose(at, (pkm_pose){body->p, pkm_quat_from_mat3(body->R)});
    }
    for (int d = 0; d < mech->n_drive; ++d)
        *at++ = pkm_state_drive_position(robot->state, d);
    at = put_pose(at, mech->tool == PKM_NONE ? robot->tool_home
                                             : pkm_state_marker_pose(robot->state, mech->tool));
    at = put_lookout(at, &seen, mech->n_drive);
    for (int k = 0; k < pkm_joint_limits_n(engine_here.limits); ++k) {
        double rate;
        pkm_joint_limit_read(engine_here.limits, k, robot->state, at++, &rate);
    }
    memcpy(at, robot->state->q, (size_t)mech->n_q * sizeof(double));
}

EXPORT(engine_frame) const double* engine_frame(void)
{
    return engine_here.frame;
}

// ---- loading ----------------------------------------------------------------------------------

static void forget(void)
{
    pkm_joint_limits_free(engine_here.limits);
    pkm_robot_free(engine_here.robot);
    free(engine_here.set_text);
    free(engine_here.frame);
    engine_here.limits = NULL;
    engine_here.robot = NULL;
    engine_here.set_text = NULL;
    engine_here.frame = NULL;
}

/// "name=value" on lines of their own.
static int cut_overrides(char* text, pkm_override* set)
{
    int n = 0;
    for (char* line = text; *line && n < ENGINE_MAX_SET;) {
        char* end = strchr(line, '\n');
        if (end) *end = '\0';
        char* equals = strchr(line, '=');
        if (equals) {
            *equals = '\0';
            set[n++] = (pkm_override){line, equals + 1};
        }
        if (!end) break;
        line = end + 1;
    }
    return n;
}

static void put_drives(pkm_json* json, const pkm_robot* robot)
{
    pkm_json_open_array(json, "ranges");
    for (int d = 0; d < robot->mech->n_drive; ++d) {
        double range[2];
        pkm_drive_range(robot, d, &range[0], &range[1]);
        pkm_json_object_begin(json);
        pkm_json_put_number(json, "low", range[0]);
        pkm_json_put_number(json, "high", range[1]);
        pkm_json_put_number(json, "home", robot->drive_home[d]);
        pkm_json_put_number(json, "force", robot->desc->drive[d].force_limit);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_limits(pkm_json* json)
{
    pkm_json_open_array(json, "limits");
    for (int k = 0; k < pkm_joint_limits_n(engine_here.limits); ++k) {
        const pkm_joint_limit limit = pkm_joint_limit_get(engine_here.limits, k);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", limit.name);
        pkm_json_put_string(json, "unit", limit.unit);
        pkm_json_put_bool(json, "bend", limit.is_bend);
        pkm_json_put_number(json, "low", limit.low);
        pkm_json_put_number(json, "high", limit.high);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_structure(pkm_json* json, const pkm_robot* robot)
{
    pkm_json_put_number(json, "size", robot->mech->size);
    pkm_json_put_number(json, "total_mass", pkm_robot_mass(robot));
    pkm_json_put_integer(json, "moves", (long long)robot->structure.moves);
    pkm_json_put_integer(json, "n_q", robot->mech->n_q);
    pkm_json_put_bool(json, "tool_mode", robot->structure.tool_mode);
    pkm_json_put_string(json, "closed_form", pkm_robot_closed_form(robot));
    pkm_error err = {0};
    const bool driven = pkm_robot_require_drives(robot, &err) == PKM_OK;
    pkm_json_put_string(json, "undriven", driven ? NULL : err.text);
    pkm_json_open_array(json, "overrides");
    for (int i = 0; i < engine_here.n_set; ++i)
        pkm_json_string(json, engine_here.set[i].name);
    pkm_json_array_end(json);
    pkm_json_open_array(json, "warnings");
    for (int i = 0; i < robot->desc->warnings.n; ++i)
        pkm_json_string(json, robot->desc->warnings.item[i].text);
    pkm_json_array_end(json);
}

static pkm_status take_robot(pkm_robot* robot, pkm_error* err)
{
    engine_here.robot = robot;
    pkm_nearness_begin(robot, NULL, &engine_here.near);
    engine_here.limits = pkm_joint_limits_create(robot);
    if (!engine_here.limits) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    const int n = 7 * robot->desc->n_body + 2 * robot->mech->n_drive + 20 +
                  pkm_joint_limits_n(engine_here.limits) + robot->mech->n_q;
    engine_here.frame = malloc((size_t)n * sizeof(double));
    if (!engine_here.frame) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    return PKM_OK;
}

/// Read a robot from `text`; `name` stands for its file, `set` has "parameter=value" on lines. The
/// answer has what is drawn and shown of it ("scene" as in scene.json). After a failure the robot
/// before stays.
EXPORT(engine_load) int engine_load(const char* text, const char* name, const char* set)
{
    pkm_error err = {0};
    pkm_robot* robot = NULL;
    pkm_override list[ENGINE_MAX_SET];
    char* set_text = strdup(set);
    const int n_set = cut_overrides(set_text, list);
    const pkm_status status = pkm_robot_parse(text, name, list, n_set, &robot, &err);
    if (status != PKM_OK) {
        free(set_text);
        return engine_end(status, &err);
    }
    forget();
    engine_here.set_text = set_text;
    engine_here.n_set = n_set;
    memcpy(engine_here.set, list, sizeof list);
    const pkm_status taken = take_robot(robot, &err);
    if (taken != PKM_OK) return engine_end(taken, &err);
    pkm_json* json = engine_begin();
    put_structure(json, robot);
    put_drives(json, robot);
    put_limits(json);
    put_frame();
    return engine_end(PKM_OK, NULL);
}

/// The robot as it is drawn, in the format of scene.json.
EXPORT(engine_scene) int engine_scene(void)
{
    const pkm_scene scene = {.desc = engine_here.robot->desc};
    char* text = pkm_scene_text(&scene, PKM_SCENE_ROBOT);
    pkm_stream_discard(engine_here.text);
    engine_here.text = pkm_stream_to_memory();
    pkm_stream_text(engine_here.text, text ? text : "{}");
    pkm_free(text);
    return 0;
}

// ---- led by hand ------------------------------------------------------------------------------

static int moved(pkm_status status, const pkm_error* err, double left)
{
    put_frame();
    if (status != PKM_OK) return engine_end(status, err);
    pkm_json_put_number(engine_begin(), "left", left);
    return engine_end(PKM_OK, NULL);
}

EXPORT(engine_home) int engine_home(void)
{
    pkm_robot_go_home(engine_here.robot);
    pkm_nearness_begin(engine_here.robot, NULL, &engine_here.near);
    return moved(PKM_OK, NULL, 0.0);
}

EXPORT(engine_stand) int engine_stand(const double* q)
{
    pkm_error err = {0};
    pkm_nearness_begin(engine_here.robot, NULL, &engine_here.near);
    return moved(pkm_robot_stand(engine_here.robot, q, &err), &err, 0.0);
}

/// A point of body `body` ([3], its axes) is drawn to a place ([3], world).
EXPORT(engine_drag) int engine_drag(int body, const double* at, const double* to)
{
    pkm_error err = {0};
    double left = 0.0;
    const pkm_grasp grasp = {body, {at[0], at[1], at[2]}};
    const pkm_status status =
        pkm_drag_to(engine_here.robot, &grasp, (pkm_vec3){to[0], to[1], to[2]}, &left, &err);
    return moved(status, &err, left);
}

/// Where the way to `target` ends, and why.
static int lead(pkm_given given, const pkm_target* target, const char* what)
{
    pkm_robot* robot = engine_here.robot;
    pkm_error err = {0};
    pkm_status status = given == PKM_GIVEN_TOOL ? pkm_robot_require_tool(robot, &err)
                                              : pkm_robot_require_drives(robot, &err);
    if (status != PKM_OK) return engine_end(status, &err);
    robot->closed_is_old = true;
    status = pkm_follow_watched(robot, given, target, 24);
    if (status == PKM_OK) return moved(PKM_OK, NULL, 0.0);
    const pkm_status why = pkm_follow_target(robot, given, target, what, &err); // in words
    return moved(why == PKM_OK ? PKM_OK : why, &err, 0.0);
}

/// The drives are led to q [n_drive] along a straight way.
EXPORT(engine_drives) int engine_drives(const double* q)
{
    pkm_target target = {.tool.pose = engine_here.robot->tool_home};
    if (!pkm_all_finite(q, engine_here.robot->mech->n_drive))
        return engine_end(PKM_ERR_ARGUMENT, &(pkm_error){.text = "a value is no number"});
    memcpy(target.q, q, (size_t)engine_here.robot->mech->n_drive * sizeof(double));
    return lead(PKM_GIVEN_DRIVES, &target, "drives");
}

/// The tool is led to the pose [7] along a straight way.
EXPORT(engine_tool) int engine_tool(const double* pose)
{
    if (!pkm_all_finite(pose, 7))
        return engine_end(PKM_ERR_ARGUMENT, &(pkm_error){.text = "a value is no number"});
    const pkm_quat q = pkm_quat_unit((pkm_quat){pose[3], pose[4], pose[5], pose[6]});
    const pkm_target target = {.tool.pose = {{pose[0], pose[1], pose[2]}, q}};
    return lead(PKM_GIVEN_TOOL, &target, "tool");
}

/// What is lost where the robot stands, in words, and the limits that it breaks.
EXPORT(engine_words) int engine_words(void)
{
    pkm_robot* robot = engine_here.robot;
    pkm_error err = {0};
    pkm_singularity s;
    static pkm_limit_list broken;
    pkm_status status = pkm_singularity_read(robot->state, &robot->structure, 1e-3, &s);
    if (status == PKM_OK) status = pkm_limits_at(robot, &broken, &err);
    if (status != PKM_OK) return engine_end(status, &err);
    pkm_json* json = engine_begin();
    char words[400] = "";
    if (s.kinds) pkm_singularity_words(&s, words, sizeof words);
    pkm_json_put_string(json, "singularity", words);
    pkm_json_open_array(json, "broken");
    for (int i = 0; i < broken.n; ++i)
        pkm_json_string(json, broken.item[i].what);
    pkm_json_array_end(json);
    return engine_end(PKM_OK, NULL);
}

// ---- postures ---------------------------------------------------------------------------------

static void put_posture(pkm_json* json, const pkm_posture* posture, const double* q)
{
    const pkm_robot* robot = engine_here.robot;
    double* pose = malloc(7 * (size_t)robot->desc->n_body * sizeof(double));
    if (!pose) abort();
    pkm_json_object_begin(json);
    pkm_json_put_string(json, "label", posture->label);
    pkm_json_put_bool(json, "present", posture->is_present);
    pkm_json_put_numbers(json, "drives", posture->drive, robot->mech->n_drive);
    pkm_json_put_numbers(json, "q", q, robot->mech->n_q);
    memcpy(robot->state->q, q, (size_t)robot->mech->n_q * sizeof(double));
    pkm_kinematics_position(robot->state);
    double* at = pose;
    for (int b = 0; b < robot->desc->n_body; ++b) {
        const pkm_body_state* body = &robot->state->body[robot->mech->body_of_desc[b]];
        at = put_pose(at, (pkm_pose){body->p, pkm_quat_from_mat3(body->R)});
    }
    pkm_json_put_numbers(json, "poses", pose, 7 * robot->desc->n_body);
    pkm_json_object_end(json);
    free(pose);
}

/// All postures with the tool (tool = 1) or the drives (0) where they are, with poses of all bodies.
EXPORT(engine_postures) int engine_postures(int tool)
{
    static pkm_posture list[PKM_MAX_ASSEMBLY_MODE];
    pkm_robot* robot = engine_here.robot;
    const size_t n_q = (size_t)robot->mech->n_q;
    double* q = malloc(PKM_MAX_ASSEMBLY_MODE * n_q * sizeof(double));
    pkm_error err = {0};
    int n = 0;
    if (!q) abort();
    const pkm_status status =
        pkm_postures_find(robot, tool ? PKM_GIVEN_TOOL : PKM_GIVEN_DRIVES, list, q, &n, &err);
    if (status == PKM_OK) {
        pkm_json* json = engine_begin();
        pkm_json_open_array(json, "postures");
        for (int i = 0; i < n; ++i)
            put_posture(json, &list[i], q + (size_t)i * n_q);
        pkm_json_array_end(json);
        (void)pkm_robot_stand(robot, q, NULL); // the present one is the first
    }
    free(q);
    return engine_end(status, &err);
}
