/// Random motions of every closed form beside the general engine: both give the same drives and
/// forces, or both refuse, however few the instants. PKM_CAMPAIGN=full draws a hundred times as
/// many; PKM_SEED chooses others.
#include "engine.h"
#include "pkm/inverse.h"
#include "pkm/table.h"

#include <stdlib.h>

/// One robot per family; `turns`: the components of roll, pitch, yaw that it can take.
static const struct {
    const char* name;
    unsigned turns;
} robots[] = {
    {"siax", 0u},  {"lindelta", 0u},   {"triglide", 0u},  {"3pprs", 7u},
    {"3ppsr", 7u}, {"isoglideT3", 0u}, {"isoglide4", 2u}, {"prrr2prpar", 0u},
};
enum { N_ROBOT = (int)(sizeof robots / sizeof robots[0]) };

typedef struct tally {
    int n, both, neither, differ;
} tally;

static double noise(unsigned* seed)
{
    return engine_noise(seed);
}

static pkm_vec3 random_point(const pkm_robot* robot, double reach, unsigned* seed)
{
    const double r = reach * robot->mech->size;
    const pkm_vec3 by = {r * noise(seed), r * noise(seed), r * noise(seed)};
    return pkm_vec3_add(robot->tool_home.p, by);
}

static pkm_vec3 random_rpy(unsigned turns, double most, unsigned* seed)
{
    const double x = noise(seed), y = noise(seed), z = noise(seed);
    return (pkm_vec3){turns & 1u ? most * x : 0.0, turns & 2u ? most * y : 0.0,
                      turns & 4u ? most * z : 0.0};
}

/// A line of the tool (from home or from anywhere) or a straight way of the drives.
static pkm_motion* random_motion(const pkm_robot* robot, unsigned turns, unsigned* seed)
{
    static const pkm_law laws[] = {PKM_LAW_CUBIC, PKM_LAW_QUINTIC, PKM_LAW_SEPTIC,
                                   PKM_LAW_CONSTANT};
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    const double kind = noise(seed), reach = 0.3 + 0.25 * noise(seed);
    pkm_vec3 point[2] = {random_point(robot, reach, seed), random_point(robot, reach, seed)};
    const pkm_vec3 rpy[2] = {random_rpy(turns, 0.5, seed), random_rpy(turns, 0.5, seed)};
    double from[PKM_MAX_DRIVE], to[PKM_MAX_DRIVE];
    spec.name = "random";
    spec.duration = 1.0;
    spec.law = laws[(int)((noise(seed) + 1.0) * 1.999)];
    spec.n_drive = robot->mech->n_drive;
    for (int d = 0; d < spec.n_drive; ++d) {
        const double unit = robot->mech->drive[d].is_rotary ? 1.5 : robot->mech->size;
        from[d] = robot->drive_home[d];
        if (noise(seed) > 0.0) from[d] += 0.5 * reach * unit * noise(seed);
        to[d] = robot->drive_home[d] + reach * unit * noise(seed);
    }
    if (kind < -0.3) {
        spec.path = PKM_PATH_DRIVES;
        spec.drive_from = from;
        spec.drive_to = to;
    } else {
        if (kind < 0.2) point[0] = robot->tool_home.p;
        spec.path = PKM_PATH_LINE;
        spec.point = point;
        spec.n_point = 2;
        spec.rpy = turns ? rpy : NULL;
        spec.n_rpy = turns ? 2 : 0;
    }
    pkm_motion* motion = NULL;
    CHECK(pkm_motion_create(&spec, &motion, NULL) == PKM_OK);
    return motion;
}

/// Largest difference of drive positions [m, rad] and forces (of the largest force) in the rows
/// that both have.
static double difference(const pkm_robot* robot, const pkm_table* a, const pkm_table* b)
{
    const int n_a = pkm_table_n_row(a), n_b = pkm_table_n_row(b), n = n_a < n_b ? n_a : n_b;
    double largest = 1e-9, force = 0.0, place = 0.0;
    for (int i = 0; i < n; ++i)
        for (int d = 0; d < robot->mech->n_drive; ++d) {
            const double fa = pkm_table_get(a, i, 4 * d + 4), fb = pkm_table_get(b, i, 4 * d + 4);
            largest = fmax(largest, fmax(fabs(fa), fabs(fb)));
            force = fmax(force, fabs(fa - fb));
            place =
                fmax(place, fabs(pkm_table_get(a, i, 4 * d + 1) - pkm_table_get(b, i, 4 * d + 1)));
        }
    return fmax(place, force / largest);
}

static void compare_motion(pkm_robot* robot, int n_instant, tally* t, int number)
{
    pkm_table* table[2] = {pkm_table_create(), pkm_table_create()};
    pkm_status status[2];
    pkm_error err[2] = {{0}, {0}};
    for (int m = 0; m < 2; ++m) {
        pkm_inverse_settings settings = pkm_inverse_settings_defaults();
        settings.method = m == 0 ? PKM_METHOD_ENGINE : PKM_METHOD_CLOSED;
        settings.n_instant = n_instant;
        status[m] = pkm_inverse_run(robot, 0, &settings, table[m], NULL, &err[m]);
    }
    const double off = difference(robot, table[0], table[1]);
    const bool alike = (status[0] == PKM_OK) == (status[1] == PKM_OK);
    ++t->n;
    t->both += status[0] == PKM_OK && status[1] == PKM_OK;
    t->neither += status[0] != PKM_OK && status[1] != PKM_OK;
    if (!alike || !(off < 1e-7)) {
        ++t->differ;
        printf("    %s %d, %d instants: differ by %g\n      engine: %s\n      closed: %s\n",
               robot->desc->name, number, n_instant, off, err[0].text, err[1].text);
    }
    pkm_table_free(table[0]);
    pkm_table_free(table[1]);
}

static void both_routes_agree_or_refuse(void)
{
    const char *size = getenv("PKM_CAMPAIGN"), *given = getenv("PKM_SEED");
    const int given_n = size ? atoi(size) : 10;
    const int n = size && strcmp(size, "full") == 0 ? 2000 : given_n > 0 ? given_n : 10;
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : 1u;
    printf("    seed %u, %d motions per closed form\n", seed, n);
    int n_refused = 0;
    for (int r = 0; r < N_ROBOT; ++r) {
        pkm_robot* robot = engine_load(robots[r].name);
        if (!robot) continue;
        tally t = {0};
        for (int k = 0; k < n; ++k) {
            pkm_motion* motion = random_motion(robot, robots[r].turns, &seed);
            if (!motion) continue;
            pkm_motion_free(robot->desc->motion[0].motion);
            robot->desc->motion[0].motion = motion;
            compare_motion(robot, 2 + (int)(3.99 * (noise(&seed) + 1.0)), &t, k);
        }
        printf("    %-12s %4d motions: %4d agree, %4d refused by both, %d differ\n", robots[r].name,
               t.n, t.both, t.neither, t.differ);
        CHECK(t.differ == 0);
        CHECK(t.both > n / 10);
        n_refused += t.neither;
        pkm_robot_free(robot);
    }
    CHECK(n_refused > 0);
}

int main(void)
{
    RUN(both_routes_agree_or_refuse);
    return check_report();
}
