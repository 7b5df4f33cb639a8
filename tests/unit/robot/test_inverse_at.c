/// What calls at one instant do not do: watching for singularities, extremes, integrals and limits
/// belong to a motion. The linker leads calls of the functions below here, where they are counted.
#include "engine.h"
#include "pkm/inverse.h"
#include "robot/closed_watch.h"
#include "robot/column_sums.h"
#include "robot/limits.h"
#include "robot/nearness.h"
#include "robot/peaks.h"
#include "robot/serial.h"
#include "robot/watch.h"

#include <math.h>

/// tests/CMakeLists.txt has the same list.
enum {
    BEGIN,
    STEP,
    TANGENTS,
    TOOL_TANGENTS,
    CLOSED_STEP,
    READ,
    READ_CLOSED,
    SERIAL,
    PEAKS,
    SUMS,
    NOTE,
    FIND,
    N_WATCH
};
static int count[N_WATCH];

/// Define the function that counts calls of `name` and passes them on to it; `pass`: return, or
/// nothing.
#define COUNTED(k, pass, type, name, parameters, arguments)                                        \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        ++count[k];                                                                                \
        pass __real_##name arguments;                                                              \
    }

// clang-format off
COUNTED(BEGIN, return, pkm_passage, pkm_watch_begin, (pkm_watch* w, pkm_given given), (w, given))
COUNTED(STEP, return, pkm_passage, pkm_watch_step, (pkm_watch* w, pkm_given given, double step),
        (w, given, step))
COUNTED(TANGENTS, return, const double*, pkm_watch_tangents, (pkm_watch* w), (w))
COUNTED(TOOL_TANGENTS, return, const double*, pkm_watch_tool_tangents, (pkm_watch* w), (w))
COUNTED(CLOSED_STEP, return, pkm_passage, pkm_closed_watch_step,
        (pkm_closed_watch* w, const pkm_robot* robot, const pkm_closed_config* from,
         const pkm_closed_config* to, bool rates), (w, robot, from, to, rates))
COUNTED(READ, , void, pkm_nearness_read, (pkm_nearness* near, double t), (near, t))
COUNTED(READ_CLOSED, , void, pkm_nearness_read_closed,
        (pkm_nearness* near, double t, const pkm_closed_config* config,
         const pkm_closed_watch* watch), (near, t, config, watch))
COUNTED(SERIAL, , void, pkm_serial_sample,
        (pkm_serial* serial, double t, const double* M, const double* place),
        (serial, t, M, place))
COUNTED(PEAKS, , void, pkm_peaks_sample,
        (pkm_peaks* peaks, const double* row, const double* place, bool is_row),
        (peaks, row, place, is_row))
COUNTED(SUMS, , void, pkm_column_sums_sample,
        (pkm_column_sums* sums, const double* row, const double* other, const double* part),
        (sums, row, other, part))
COUNTED(NOTE, return, pkm_status, pkm_limits_note,
        (pkm_limit_watch* watch, double t, const pkm_state* state), (watch, t, state))
COUNTED(FIND, , void, pkm_limits_find,
        (const pkm_limit_watch* watch, const pkm_robot* robot, int motion, const pkm_table* table,
         pkm_limit_list* out), (watch, robot, motion, table, out))
// clang-format on

/// Drives that swing a little about home, instant by instant.
static void call_at_instants(pkm_robot* robot, pkm_method method)
{
    const int n = pkm_robot_n_drive(robot);
    pkm_instant now = pkm_instant_home(robot);
    for (int i = 0; i < 20; ++i) {
        for (int d = 0; d < n; ++d) {
            const double phase = 0.3 * i + d;
            now.q[d] = pkm_robot_drive_home(robot, d) + 0.004 * (sin(phase) - sin(d));
            now.v[d] = 0.004 * cos(phase);
            now.a[d] = -0.004 * sin(phase);
        }
        CHECK(pkm_inverse_at(robot, method, &now, NULL) == PKM_OK);
    }
}

static void calls_at_one_instant_watch_nothing(void)
{
    for (int i = 0; i < ENGINE_N_ROBOT; ++i) {
        pkm_robot* robot = engine_load(engine_robots[i]);
        if (!robot) continue;
        memset(count, 0, sizeof count); // finding home watches
        call_at_instants(robot, PKM_METHOD_ENGINE);
        if (robot->closed) call_at_instants(robot, PKM_METHOD_CLOSED);
        for (int k = 0; k < N_WATCH; ++k)
            CHECK(count[k] == 0);
        pkm_robot_free(robot);
    }
}

static void run(const char* name, pkm_method method)
{
    pkm_robot* robot = engine_load(name);
    if (!robot) return;
    pkm_table* table = pkm_table_create();
    const pkm_inverse_settings settings = {.method = method, .n_instant = 401};
    CHECK(table && pkm_inverse_run(robot, 0, &settings, table, NULL, NULL) == PKM_OK);
    pkm_table_free(table);
    pkm_robot_free(robot);
}

// The functions that are counted are those that watch: a motion calls each of them.
static void motions_are_watched(void)
{
    memset(count, 0, sizeof count);
    run("siax", PKM_METHOD_ENGINE);
    CHECK(count[BEGIN] > 0);
    CHECK(count[STEP] >= 400);
    CHECK(count[TANGENTS] > 0); // where derivatives of the nearness are found
    CHECK(count[TOOL_TANGENTS] >= 401);
    CHECK(count[READ] >= 401);
    CHECK(count[SERIAL] >= 401);
    CHECK(count[PEAKS] >= 401);
    CHECK(count[SUMS] >= 401);
    CHECK(count[NOTE] == 401);
    CHECK(count[FIND] == 1);
    run("siax", PKM_METHOD_CLOSED);
    CHECK(count[CLOSED_STEP] >= 400);
    CHECK(count[READ_CLOSED] >= 401);
    CHECK(count[FIND] == 2);
}

int main(void)
{
    RUN(calls_at_one_instant_watch_nothing);
    RUN(motions_are_watched);
    return check_report();
}
