/// What the tests of the Isoglide families share: a bound robot, its reference table and motions.
#ifndef PKM_TESTS_CLOSED_ISO_ROBOT_H
#define PKM_TESTS_CLOSED_ISO_ROBOT_H

#include "base/memory.h"
#include "check.h"
#include "closed/closed.h"
#include "math/quat.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_ROW = 64, MAX_COLUMN = 32, STENCIL = 4 };

/// Central differences of eighth order: weights of f(+k h) - f(-k h) for the first derivative and
/// of f(+k h) + f(-k h) for the second, k = 1..4.
static const double FIRST[STENCIL] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
static const double SECOND[STENCIL] = {8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0};
static const double SECOND_MIDDLE = -205.0 / 72.0;

/// One named value of a parameter.
typedef struct setting {
    const char* name;
    double value;
} setting;

/// Index of the parameter called `name`; the test ends when there is none.
static inline int parameter_index(const pkm_closed_family* family, const char* name)
{
    for (int i = 0; i < family->n_parameter; ++i) {
        if (strcmp(family->parameter[i].name, name) == 0) return i;
    }
    printf("no parameter %s\n", name);
    abort();
}

/// Values of a family: NaN, then `settings` up to the one without a name.
static inline void fill_values(const pkm_closed_family* family, const setting* settings,
                               double* value)
{
    for (int i = 0; i < family->n_parameter; ++i)
        value[i] = NAN;
    for (; settings->name; ++settings) {
        value[parameter_index(family, settings->name)] = settings->value;
    }
}

static inline pkm_closed* bind_values(const pkm_closed_family* family, const double* value)
{
    pkm_closed* closed = NULL;
    pkm_error err = {0};
    const pkm_status status = pkm_closed_create(family, value, &closed, &err);
    if (status == PKM_OK) return closed;
    printf("%s\n", err.text);
    abort();
}

static inline pkm_closed* bind_settings(const pkm_closed_family* family, const setting* settings)
{
    double value[PKM_CLOSED_MAX_PARAMETER];
    fill_values(family, settings, value);
    return bind_values(family, value);
}

/// The same robot with one parameter changed. Freed by the caller.
static inline pkm_closed* bind_with(const pkm_closed_family* family, const setting* settings,
                                    const char* name, double x)
{
    double value[PKM_CLOSED_MAX_PARAMETER];
    fill_values(family, settings, value);
    value[parameter_index(family, name)] = x;
    return bind_values(family, value);
}

/// Random numbers in [lo, hi), the same in every run (xorshift64*).
static inline double random_between(uint64_t* seed, double lo, double hi)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    const uint64_t bits = (*seed * 0x2545F4914F6CDD1DULL) >> 11;
    return lo + (hi - lo) * (double)bits / 9007199254740992.0;
}

// ------------------------------------------------------------------------------ reference tables

typedef struct reference {
    int n_row;
    double row[MAX_ROW][MAX_COLUMN];
} reference;

/// Read a CSV of numbers with one header line.
static inline void read_reference(const char* name, reference* out)
{
    char path[512], line[2048];
    snprintf(path, sizeof path, "%s/tests/data/reference/%s", PKM_SOURCE_DIR, name);
    out->n_row = 0;
    FILE* file = fopen(path, "r");
    CHECK(file != NULL);
    if (!file) return;
    CHECK(fgets(line, sizeof line, file) != NULL);
    while (out->n_row < MAX_ROW && fgets(line, sizeof line, file)) {
        char* at = line;
        for (int k = 0; k < MAX_COLUMN && *at && *at != '\n'; ++k) {
            out->row[out->n_row][k] = strtod(at, &at);
            if (*at == ',') ++at;
        }
        ++out->n_row;
    }
    fclose(file);
}

/// Drive forces of every row of a reference table against ours, to 1e-9 of the largest force; the
/// first branch of the direct geometry is that of the file, and its tool point that of the table.
static inline void check_reference(const pkm_closed* closed, const char* name, int tool_column)
{
    static reference ref;
    const int n = pkm_closed_get_family(closed)->n_drive;
    read_reference(name, &ref);
    CHECK(ref.n_row == 41);
    double largest = 0.0, worst = 0.0, worst_place = 0.0;
    for (int i = 0; i < ref.n_row; ++i) {
        const double *q = &ref.row[i][1], *qd = q + n, *qdd = qd + n, *F = qdd + n;
        const double* point = &ref.row[i][tool_column];
        pkm_closed_config config[PKM_CLOSED_MAX_BRANCH];
        pkm_frame_motion tool;
        double ours[PKM_CLOSED_MAX_DRIVE] = {0.0};
        const pkm_vec3 none = {0.0, 0.0, 0.0};
        CHECK(pkm_closed_direct_geometry(closed, q, config, PKM_CLOSED_MAX_BRANCH, NULL) > 0);
        CHECK(pkm_closed_tool_motion(closed, config, qd, qdd, &tool) == PKM_OK);
        CHECK(pkm_closed_inverse_dynamics(closed, config, &tool, qd, qdd, none, none, ours) ==
              PKM_OK);
        for (int j = 0; j < n; ++j) {
            largest = fmax(largest, fabs(F[j]));
            worst = fmax(worst, fabs(ours[j] - F[j]));
        }
        const pkm_vec3 d = pkm_vec3_sub(tool.pose.p, pkm_vec3_make(point[0], point[1], point[2]));
        worst_place = fmax(worst_place, pkm_vec3_norm(d));
    }
    printf("     %s: forces differ by %.2g of %.6g N, places by %.2g m\n", name, worst, largest,
           worst_place);
    CHECK(worst <= 1e-9 * largest);
    CHECK(worst_place <= 1e-12);
}

// --------------------------------------------------------------------------------------- motions

/// A smooth motion of the tool: each of x y z and the turn about y swings about a middle.
typedef struct swing {
    double middle[4], amplitude[4], rate[4], phase[4]; ///< [m, rad], [m, rad], [rad/s], [rad]
} swing;

static inline pkm_frame_motion swing_at(const swing* s, double t)
{
    double x[4], v[4], a[4];
    for (int k = 0; k < 4; ++k) {
        const double arg = s->rate[k] * t + s->phase[k], rate = s->rate[k];
        x[k] = s->middle[k] + s->amplitude[k] * sin(arg);
        v[k] = s->amplitude[k] * rate * cos(arg);
        a[k] = -s->amplitude[k] * rate * rate * sin(arg);
    }
    return (pkm_frame_motion){
        .pose = {{x[0], x[1], x[2]}, pkm_quat_from_axis((pkm_vec3){0.0, 1.0, 0.0}, x[3])},
        .v = {v[0], v[1], v[2]},
        .w = {0.0, v[3], 0.0},
        .a = {a[0], a[1], a[2]},
        .alpha = {0.0, a[3], 0.0},
    };
}

/// The configuration at `pose` on `branch`, in `out`; false when it is not among the solutions.
static inline bool config_on_branch(const pkm_closed* closed, const pkm_pose* pose, int branch,
                                    pkm_closed_config* out)
{
    pkm_closed_config all[PKM_CLOSED_MAX_BRANCH];
    const int n = pkm_closed_inverse_geometry(closed, pose, all, PKM_CLOSED_MAX_BRANCH, NULL);
    *out = (pkm_closed_config){.pose = *pose, .branch = branch};
    for (int k = 0; k < n; ++k) {
        if (all[k].branch != branch) continue;
        *out = all[k];
        return true;
    }
    return false;
}

static inline double pose_distance(const pkm_pose* a, const pkm_pose* b)
{
    const pkm_vec3 turn = pkm_quat_to_rotvec(pkm_quat_mul(pkm_quat_conj(a->q), b->q));
    return pkm_vec3_norm(pkm_vec3_sub(a->p, b->p)) + pkm_vec3_norm(turn);
}

/// The configuration at drives `q` on the same branch and nearest to `near`.
static inline bool config_at_drives(const pkm_closed* closed, const double* q,
                                    const pkm_closed_config* near, pkm_closed_config* out)
{
    pkm_closed_config all[PKM_CLOSED_MAX_BRANCH];
    const int n = pkm_closed_direct_geometry(closed, q, all, PKM_CLOSED_MAX_BRANCH, NULL);
    double best = INFINITY;
    *out = *near;
    for (int k = 0; k < n; ++k) {
        const double distance = pose_distance(&all[k].pose, &near->pose);
        if (all[k].branch != near->branch || distance >= best) continue;
        best = distance;
        *out = all[k];
    }
    return best < INFINITY;
}

/// The quintic 10 s^3 - 15 s^4 + 6 s^5 and its derivatives by s.
static inline void quintic(double s, double out[3])
{
    out[0] = s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
    out[1] = 30.0 * s * s * (1.0 - s) * (1.0 - s);
    out[2] = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s);
}

#endif
