/// What tests of closed forms share: building a robot by parameter names, reading a reference
/// table, and the laws that hold for every family.
#ifndef PKM_TESTS_CLOSED_LAWS_H
#define PKM_TESTS_CLOSED_LAWS_H

#include "check.h"
#include "closed/closed.h"
#include "math/quat.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct law_value {
    const char* name;
    double value;
} law_value;

/// The values of `list` (ends with a NULL name) in the order of the family; NaN where not given.
static inline void law_values(const pkm_closed_family* family, const law_value* list, double* value)
{
    for (int k = 0; k < family->n_parameter; ++k)
        value[k] = NAN;
    for (; list->name; ++list) {
        int found = 0;
        for (int k = 0; k < family->n_parameter; ++k) {
            if (strcmp(family->parameter[k].name, list->name) != 0) continue;
            value[k] = list->value;
            found = 1;
        }
        CHECK(found);
    }
}

/// A robot, or NULL after a failed check.
static inline pkm_closed* law_robot(const char* family_name, const law_value* list)
{
    const pkm_closed_family* family = pkm_closed_find(family_name);
    CHECK(family != NULL);
    if (!family) return NULL;
    double value[PKM_CLOSED_MAX_PARAMETER];
    law_values(family, list, value);
    pkm_closed* robot = NULL;
    pkm_error err = {PKM_OK, 0, 0, "", ""};
    CHECK(pkm_closed_create(family, value, &robot, &err) == PKM_OK);
    if (!robot) printf("    %s\n", err.text);
    return robot;
}

/// A table of numbers under a line of names.
typedef struct law_table {
    int n_row, n_column;
    double cell[200][64];
    char name[64][16];
} law_table;

static inline int law_read(const char* file, law_table* table)
{
    char path[512], line[8192];
    snprintf(path, sizeof path, "%s/tests/data/reference/%s", PKM_SOURCE_DIR, file);
    FILE* in = fopen(path, "r");
    CHECK(in != NULL);
    if (!in) return 0;
    table->n_row = table->n_column = 0;
    for (int row = -1; row < 200 && fgets(line, sizeof line, in); ++row) {
        int column = 0;
        for (char* word = strtok(line, ",\r\n"); word && column < 64;
             word = strtok(NULL, ",\r\n")) {
            if (row < 0) {
                snprintf(table->name[column], sizeof table->name[column], "%s", word);
            } else {
                table->cell[row][column] = strtod(word, NULL);
            }
            ++column;
        }
        if (row < 0) table->n_column = column;
        table->n_row = row + 1;
    }
    fclose(in);
    return table->n_row;
}

static inline int law_column(const law_table* table, const char* name)
{
    for (int k = 0; k < table->n_column; ++k) {
        if (strcmp(table->name[k], name) == 0) return k;
    }
    CHECK(!"column exists");
    return 0;
}

/// A repeatable random number in [low, high].
static inline double law_random(uint64_t* seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static inline double law_distance(const pkm_pose* a, const pkm_pose* b)
{
    const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_mul(a->q, pkm_quat_conj(b->q)));
    return pkm_vec3_norm(pkm_vec3_sub(a->p, b->p)) + pkm_vec3_norm(turn);
}

/// The direct solution nearest to `near`; false when there is none.
static inline bool law_follow(const pkm_closed* robot, const double* q, const pkm_pose* near,
                              pkm_closed_config* out)
{
    pkm_closed_config all[PKM_CLOSED_MAX_BRANCH];
    const int n = pkm_closed_direct_geometry(robot, q, all, PKM_CLOSED_MAX_BRANCH, NULL);
    double best = INFINITY;
    for (int k = 0; k < n; ++k) {
        const double distance = law_distance(&all[k].pose, near);
        if (!(distance < best)) continue;
        best = distance;
        *out = all[k];
    }
    return n > 0;
}

/// Weights of the central differences of order 8, for steps 1..4.
static const double law_first[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
static const double law_second[5] = {-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0,
                                     -1.0 / 560.0};

static inline double law_sign(int k)
{
    return k < 0 ? -1.0 : 1.0;
}

/// Drive motion q + qd t + qdd t^2 / 2.
typedef struct law_path {
    double q[PKM_CLOSED_MAX_DRIVE], qd[PKM_CLOSED_MAX_DRIVE], qdd[PKM_CLOSED_MAX_DRIVE];
} law_path;

static inline law_path law_path_at(const law_path* path, int n_drive, double t)
{
    law_path out = *path;
    for (int k = 0; k < n_drive; ++k) {
        out.q[k] += t * (path->qd[k] + 0.5 * t * path->qdd[k]);
        out.qd[k] += t * path->qdd[k];
    }
    return out;
}

/// A drive motion through `config` with random rates and accelerations, slowed down where the tool
/// would be fast, so that the step of a difference stays small against the robot.
static inline law_path law_random_path(const pkm_closed* robot, const pkm_closed_config* config,
                                       uint64_t* seed)
{
    const int n = pkm_closed_get_family(robot)->n_drive;
    law_path path = {{0.0}, {0.0}, {0.0}};
    for (int k = 0; k < n; ++k) {
        path.q[k] = config->q[k];
        path.qd[k] = law_random(seed, -1.0, 1.0);
        path.qdd[k] = law_random(seed, -3.0, 3.0);
    }
    pkm_frame_motion tool;
    if (pkm_closed_tool_motion(robot, config, path.qd, path.qdd, &tool) != PKM_OK) return path;
    const double speed = pkm_vec3_norm(tool.v) + pkm_vec3_norm(tool.w);
    const double slow =
        1.0 / (1.0 + speed + sqrt(pkm_vec3_norm(tool.a) + pkm_vec3_norm(tool.alpha)));
    for (int k = 0; k < n; ++k) {
        path.qd[k] *= slow;
        path.qdd[k] *= slow * slow;
    }
    return path;
}

/// The largest difference of the tool's velocity and acceleration from central differences of the
/// direct geometry, relative to the largest of them. Checks B, A and the bias c together.
static inline double law_motion_error(const pkm_closed* robot, const pkm_closed_config* config,
                                      const law_path* path, double h)
{
    const int n = pkm_closed_get_family(robot)->n_drive;
    pkm_frame_motion tool;
    if (pkm_closed_tool_motion(robot, config, path->qd, path->qdd, &tool) != PKM_OK)
        return INFINITY;

    // Rotation vectors are measured from the middle pose, so their second difference there is
    // alpha.
    pkm_vec3 v = {0.0, 0.0, 0.0}, w = v, a = v, alpha = v;
    for (int k = -4; k <= 4; ++k) {
        const law_path there = law_path_at(path, n, k * h);
        pkm_closed_config c;
        if (!law_follow(robot, there.q, &config->pose, &c)) return INFINITY;
        const pkm_vec3 p = pkm_vec3_sub(c.pose.p, config->pose.p);
        const pkm_vec3 r =
            pkm_quat_to_rotvec(pkm_quat_mul(c.pose.q, pkm_quat_conj(config->pose.q)));
        const double first = k == 0 ? 0.0 : law_sign(k) * law_first[abs(k) - 1] / h;
        const double second = law_second[abs(k)] / (h * h);
        v = pkm_vec3_axpy(v, first, p);
        w = pkm_vec3_axpy(w, first, r);
        a = pkm_vec3_axpy(a, second, p);
        alpha = pkm_vec3_axpy(alpha, second, r);
    }
    const double size = pkm_vec3_norm(tool.v) + pkm_vec3_norm(tool.w);
    const double size2 = pkm_vec3_norm(tool.a) + pkm_vec3_norm(tool.alpha);
    const double error =
        pkm_vec3_norm(pkm_vec3_sub(v, tool.v)) + pkm_vec3_norm(pkm_vec3_sub(w, tool.w));
    const double error2 =
        pkm_vec3_norm(pkm_vec3_sub(a, tool.a)) + pkm_vec3_norm(pkm_vec3_sub(alpha, tool.alpha));
    return fmax(error / size, error2 / size2);
}

/// dE/dt less the power of the drives and of a tool force and torque, relative to the sum of the
/// sizes of these powers; dE/dt by central differences of order 8.
static inline double law_power_error(const pkm_closed* robot, const pkm_closed_config* config,
                                     const law_path* path, pkm_vec3 force, pkm_vec3 torque,
                                     double h)
{
    const int n = pkm_closed_get_family(robot)->n_drive;
    double rate = 0.0;
    for (int k = -4; k <= 4; ++k) {
        if (k == 0) continue;
        const law_path there = law_path_at(path, n, k * h);
        pkm_closed_config c;
        pkm_frame_motion tool;
        if (!law_follow(robot, there.q, &config->pose, &c)) return INFINITY;
        if (pkm_closed_tool_motion(robot, &c, there.qd, there.qdd, &tool) != PKM_OK)
            return INFINITY;
        const double E = pkm_closed_energy(robot, &c, &tool, there.qd);
        rate += law_sign(k) * law_first[abs(k) - 1] / h * E;
    }

    pkm_frame_motion tool;
    double drive_force[PKM_CLOSED_MAX_DRIVE];
    if (pkm_closed_tool_motion(robot, config, path->qd, path->qdd, &tool) != PKM_OK ||
        pkm_closed_inverse_dynamics(robot, config, &tool, path->qd, path->qdd, force, torque,
                                    drive_force) != PKM_OK) {
        return INFINITY;
    }
    double power = pkm_vec3_dot(force, tool.v) + pkm_vec3_dot(torque, tool.w);
    double size = fabs(power);
    for (int k = 0; k < n; ++k) {
        power += drive_force[k] * path->qd[k];
        size += fabs(drive_force[k] * path->qd[k]);
    }
    return fabs(rate - power) / size;
}

#endif
