/// Watching a way: each system of rows is compared with a position of its own.
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "engine.h"
#include "robot/continuation.h"
#include "robot/watch.h"

#include <math.h>

enum { MOST = 400, MOST_ENTRY = 300 }; // positions of a way, entries of a system

/// The entries of a system at the positions that were clear.
typedef struct history {
    const pkm_system* system;
    int n;
    double value[MOST][MOST_ENTRY];
} history;

static void note(history* h)
{
    const int n_entry = h->system->entry_at[h->system->n_row];
    CHECK(h->n < MOST && n_entry <= MOST_ENTRY);
    if (h->n < MOST && n_entry <= MOST_ENTRY)
        memcpy(h->value[h->n++], h->system->value, (size_t)n_entry * sizeof(double));
}

/// Bounds of the 2-norm of the change since position k, without units: Frobenius' norm, and
/// sqrt(largest sum of a row times largest sum of a column).
static void bounds(const pkm_mechanism* mech, const history* h, int k, double* frobenius,
                   double* sums)
{
    const pkm_system* s = h->system;
    double square = 0.0, row = 0.0, column = 0.0, of_column[200] = {0.0};
    for (int i = 0; i < s->n_row; ++i) {
        const pkm_row* r = &mech->row[s->row[i]];
        double of_row = 0.0;
        for (int e = 0; e < r->n_a + r->n_b; ++e) {
            const int at = s->entry_at[i] + e, c = mech->column[r->at + e];
            const double d = r->weight * mech->v_unit[c] * (s->value[at] - h->value[k][at]);
            square += d * d;
            of_row += fabs(d);
            of_column[c] += fabs(d);
        }
        row = fmax(row, of_row);
    }
    for (int c = 0; c < mech->n_v; ++c)
        column = fmax(column, of_column[c]);
    *frobenius = sqrt(square);
    *sums = sqrt(row * column);
}

/// The position from which the watch has found the present one so far away, by one of both bounds;
/// PKM_NONE: from none.
static int judged_from(const pkm_mechanism* mech, const history* h, double change)
{
    for (int k = h->n - 1; k >= 0; --k) {
        double frobenius, sums;
        bounds(mech, h, k, &frobenius, &sums);
        const double less = fmin(frobenius, sums);
        if (fabs(change - frobenius) <= 1e-12 * frobenius || fabs(change - less) <= 1e-12 * less)
            return k;
    }
    return PKM_NONE;
}

/// The tool `turn` of the way on a closed curve about home, and the factors of both systems there.
static bool stand(pkm_robot* robot, double turn)
{
    const double size = 0.08 * robot->mech->size, a = 6.283185307179586 * turn;
    const pkm_vec3 off = {size * sin(a), size * sin(2.0 * a + 0.3) - size * sin(0.3), 0.0};
    pkm_target target = {.tool.pose = robot->tool_home};
    target.tool.pose.p = pkm_vec3_add(target.tool.pose.p, off);
    pkm_error err;
    if (pkm_follow_near(robot, PKM_GIVEN_TOOL, &target, "way", &err) != PKM_OK) return false;
    pkm_kinematics_position(robot->state);
    pkm_rows_closures(robot->state);
    return pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES) == PKM_OK &&
           pkm_solve_factor(robot->state, PKM_GIVEN_TOOL) == PKM_OK;
}

static history drives, tool;

/// Steps of random length along the way; how often both systems were judged from different
/// positions.
static int walk(pkm_robot* robot)
{
    const pkm_mechanism* mech = robot->mech;
    unsigned seed = 7u;
    int n_apart = 0;
    drives = (history){.system = &robot->state->system[PKM_GIVEN_DRIVES]};
    tool = (history){.system = &robot->state->system[PKM_GIVEN_TOOL]};
    CHECK(stand(robot, 0.0));
    CHECK(pkm_watch_begin(robot->watch, PKM_GIVEN_TOOL) == PKM_PASSAGE_CLEAR);
    note(&drives);
    note(&tool);
    double at = 0.0, longest = 1.0;
    for (int look = 0; at < 1.0 && look < 4 * MOST; ++look) {
        const double step = fmin(longest, 0.02 * (1.2 + engine_noise(&seed)));
        CHECK(stand(robot, at + step));
        const pkm_passage passage = pkm_watch_step(robot->watch, PKM_GIVEN_TOOL, step);
        const int a = judged_from(mech, &drives, pkm_watch_change(robot->watch, PKM_GIVEN_DRIVES));
        const int b = judged_from(mech, &tool, pkm_watch_change(robot->watch, PKM_GIVEN_TOOL));
        CHECK(a != PKM_NONE && b != PKM_NONE && passage != PKM_PASSAGE_SINGULAR);
        n_apart += a != b;
        longest = passage == PKM_PASSAGE_CLEAR ? 1.0 : 0.5 * step;
        if (passage != PKM_PASSAGE_CLEAR) continue;
        at += step;
        note(&drives);
        note(&tool);
    }
    return n_apart;
}

// What both systems share is summed once, as long as both are compared with the same position; they
// part where one of them is too far from its own.
static void changes_are_those_since_the_position_of_each_system(void)
{
    static const char* const name[] = {"five-bar", "planar-3rrr", "kuo", "gough-stewart"};
    int n_apart = 0;
    for (int k = 0; k < 4; ++k) {
        pkm_robot* robot = engine_load(name[k]);
        if (!robot) continue;
        n_apart += walk(robot);
        pkm_robot_free(robot);
    }
    CHECK(n_apart > 5);
}

int main(void)
{
    RUN(changes_are_those_since_the_position_of_each_system);
    return check_report();
}
