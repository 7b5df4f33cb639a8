/// A test harness in one header. A test is a static void function whose name is a claim;
/// main lists them with RUN and ends with `return check_report();`.
#ifndef PKM_TESTS_CHECK_H
#define PKM_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

static int check_failures = 0;
static int check_tests_failed = 0;
static int check_tests = 0;

/// True when |a - b| <= tol; a NaN on either side is a failure.
static inline int check_is_near(double a, double b, double tol)
{
    return fabs(a - b) <= tol;
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ++check_failures;                                                                      \
            printf("    %s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition);                      \
        }                                                                                          \
    } while (0)

#define CHECK_NEAR(actual, expected, tol)                                                          \
    do {                                                                                           \
        const double check_a = (actual), check_b = (expected), check_t = (tol);                    \
        if (!check_is_near(check_a, check_b, check_t)) {                                           \
            ++check_failures;                                                                      \
            printf("    %s:%d: %s = %.17g, expected %.17g within %.3g (off by %.3g)\n", __FILE__,  \
                   __LINE__, #actual, check_a, check_b, check_t, fabs(check_a - check_b));         \
        }                                                                                          \
    } while (0)

#define CHECK_TEXT(actual, expected)                                                               \
    do {                                                                                           \
        const char *check_s = (actual), *check_e = (expected);                                     \
        if (!check_s || strcmp(check_s, check_e) != 0) {                                           \
            ++check_failures;                                                                      \
            printf("    %s:%d: %s = \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #actual,       \
                   check_s ? check_s : "(null)", check_e);                                         \
        }                                                                                          \
    } while (0)

#define CHECK_CONTAINS(text, part)                                                                 \
    do {                                                                                           \
        const char *check_s = (text), *check_e = (part);                                           \
        if (!check_s || !strstr(check_s, check_e)) {                                               \
            ++check_failures;                                                                      \
            printf("    %s:%d: \"%s\" does not contain \"%s\"\n", __FILE__, __LINE__,              \
                   check_s ? check_s : "(null)", check_e);                                         \
        }                                                                                          \
    } while (0)

#define RUN(test)                                                                                  \
    do {                                                                                           \
        const int check_before = check_failures;                                                   \
        ++check_tests;                                                                             \
        test();                                                                                    \
        const int check_ok = check_failures == check_before;                                       \
        if (!check_ok) ++check_tests_failed;                                                       \
        printf("%s %s\n", check_ok ? "ok  " : "FAIL", #test);                                      \
    } while (0)

static inline int check_report(void)
{
    printf("%d passed, %d failed\n", check_tests - check_tests_failed, check_tests_failed);
    return check_tests_failed == 0 && check_tests > 0 ? 0 : 1;
}

#endif
