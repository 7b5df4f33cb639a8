/// What tests of singularities share: random numbers, motions along lines, and the refusal that a
/// crossing at a known time must get.
#ifndef PKM_TESTS_CROSSINGS_H
#define PKM_TESTS_CROSSINGS_H

#include "engine.h"
#include "pkm/inverse.h"
#include "pkm/table.h"

#include <stdlib.h>

static const double PI = 3.141592653589793;

static unsigned seed;
static int n_case;

static inline double uniform(double low, double high)
{
    return low + (high - low) * 0.5 * (engine_noise(&seed) + 1.0);
}

/// From 2 to about 1000 rows, few as likely as many.
static inline int random_rows(void)
{
    return 2 + (int)exp(uniform(0.0, 6.9));
}

static inline pkm_motion_spec line_spec(pkm_path_kind path)
{
    pkm_motion_spec spec = pkm_motion_spec_defaults();
    spec.name = "random";
    spec.duration = 1.0;
    spec.law = PKM_LAW_CONSTANT;
    spec.path = path;
    return spec;
}

static inline pkm_status run(pkm_robot* robot, const pkm_motion_spec* spec, pkm_method method,
                             int n_row, pkm_table* table, pkm_error* err)
{
    pkm_motion* motion = NULL;
    CHECK(pkm_motion_create(spec, &motion, NULL) == PKM_OK);
    if (!motion) return PKM_ERR_ARGUMENT;
    pkm_motion_free(robot->desc->motion[0].motion);
    robot->desc->motion[0].motion = motion;
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    settings.method = method;
    settings.n_instant = n_row;
    return pkm_inverse_run(robot, 0, &settings, table, NULL, err);
}

/// The motion comes to a singularity at time `t`, known to `near` [s]: refused with `words`, the
/// rows before it kept (one more or less where the time, printed with six digits, is that of a
/// row).
static inline void expect(pkm_robot* robot, const pkm_motion_spec* spec, pkm_method method,
                          double t, double near, const char* words)
{
    pkm_table* table = pkm_table_create();
    pkm_error err = {0};
    const int n_row = random_rows();
    const pkm_status status = run(robot, spec, method, n_row, table, &err);
    const char* at = strstr(err.text, "t = ");
    const double when = at ? atof(at + 4) : NAN;
    const double rows = when * (n_row - 1);
    const int kept = pkm_table_n_row(table);
    const bool ok = status == PKM_ERR_SINGULAR && strstr(err.text, words) &&
                    fabs(when - t) < near &&
                    (kept == (int)ceil(rows - 2e-3) || kept == (int)ceil(rows + 2e-3));
    if (!ok)
        printf("    case %d, %d rows: t = %.6g s and '%s' expected, %d rows and '%s' found\n",
               n_case, n_row, t, words, pkm_table_n_row(table), err.text);
    CHECK(ok);
    ++n_case;
    pkm_table_free(table);
}

/// How many random cases: `few`, `many` with PKM_CAMPAIGN=full, n with PKM_CAMPAIGN=n; the seed is
/// that of PKM_SEED, else 1.
static inline int crossing_cases(int few, int many)
{
    const char *size = getenv("PKM_CAMPAIGN"), *given = getenv("PKM_SEED");
    const int n = size ? atoi(size) : few;
    seed = given ? (unsigned)strtoul(given, NULL, 10) : 1u;
    return size && strcmp(size, "full") == 0 ? many : n > 0 ? n : few;
}

#endif
