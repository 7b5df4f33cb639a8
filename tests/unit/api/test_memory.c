/// Memory that runs out at any allocation: PKM_ERR_MEMORY, no leak (the sanitizer build sees them),
/// and the next call works again.
#include "base/memory.h" // to let allocations fail
#include "unit/api/load.h"

/// What is tried with failing memory.
typedef pkm_status (*attempt)(pkm_robot* robot, pkm_error* err);

/// Let the n-th allocation and all after it fail, for n = 1, 2, ... until the attempt succeeds.
/// @return how many times it failed, each time with PKM_ERR_MEMORY.
static int exhaust(attempt try_it, pkm_robot* robot)
{
    enum { LIMIT = 20000 };
    for (int n = 1; n < LIMIT; ++n) {
        pkm_error err = {.status = PKM_OK};
        pkm_alloc_fail_at((size_t)n);
        const pkm_status status = try_it(robot, &err);
        pkm_alloc_fail_at(0);
        if (status == PKM_OK) return n - 1;
        CHECK(status == PKM_ERR_MEMORY && err.status == PKM_ERR_MEMORY);
        if (status != PKM_ERR_MEMORY) {
            printf("    allocation %d: %s: %s\n", n, pkm_status_text(status), err.text);
            return PKM_NONE;
        }
    }
    return PKM_NONE;
}

static const char* model;

static pkm_status try_load(pkm_robot* robot, pkm_error* err)
{
    (void)robot;
    pkm_robot* out = NULL;
    const pkm_status status = pkm_robot_load(robot_path(model), NULL, 0, &out, err);
    if ((status == PKM_OK) != (out != NULL)) return PKM_ERR_ARGUMENT;
    pkm_robot_free(out);
    return status;
}

static pkm_status run_with(pkm_robot* robot, pkm_method method, pkm_error* err)
{
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.method = method;
    settings.n_instant = 5;
    settings.reactions = method == PKM_METHOD_ENGINE;
    pkm_table* table = pkm_table_create();
    if (!table && err) err->status = PKM_ERR_MEMORY;
    const pkm_status status =
        table ? pkm_inverse_run(robot, 0, &settings, table, NULL, err) : PKM_ERR_MEMORY;
    pkm_table_free(table);
    return status;
}

static pkm_status try_engine(pkm_robot* robot, pkm_error* err)
{
    return run_with(robot, PKM_METHOD_ENGINE, err);
}

static pkm_status try_closed(pkm_robot* robot, pkm_error* err)
{
    return run_with(robot, PKM_METHOD_CLOSED, err);
}

static pkm_status try_dexterity(pkm_robot* robot, pkm_error* err)
{
    pkm_dexterity out;
    return pkm_dexterity_at(robot, &out, err);
}

static void loading_survives(void)
{
    static const char* const some[] = {"siax", "isoglideT3", "gough-stewart", "five-bar"};
    for (size_t k = 0; k < sizeof some / sizeof some[0]; ++k) {
        model = some[k];
        CHECK(exhaust(try_load, NULL) > 10);
    }
}

static void inverse_dynamics_survives(void)
{
    static const char* const some[] = {"siax", "isoglide4"};
    for (size_t k = 0; k < sizeof some / sizeof some[0]; ++k) {
        pkm_robot* robot = load(some[k]);
        CHECK(exhaust(try_engine, robot) > 5);
        CHECK(exhaust(try_closed, robot) > 5);
        pkm_robot_free(robot);
    }
}

static void dexterity_survives(void)
{
    pkm_robot* robot = load("siax");
    CHECK(exhaust(try_dexterity, robot) > 0);
    pkm_robot_free(robot);
}

// Where the way is barred the engine asks how far beyond reach the target is, which allocates:
// without memory the refusal stands, only its distance is unknown.
static void a_refusal_does_not_need_memory(void)
{
    pkm_robot* robot = load("lindelta");
    pkm_instant far = pkm_instant_home(robot);
    far.q[0] += 10.0;
    pkm_alloc_fail_at(1);
    const pkm_status status = pkm_inverse_at(robot, PKM_METHOD_ENGINE, &far, NULL);
    pkm_alloc_fail_at(0);
    CHECK(status == PKM_ERR_UNREACHABLE || status == PKM_ERR_MEMORY);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(loading_survives);
    RUN(inverse_dynamics_survives);
    RUN(dexterity_survives);
    RUN(a_refusal_does_not_need_memory);
    return check_report();
}
