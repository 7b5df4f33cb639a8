#include "force/expect.h"

#include "check.h"

#include <math.h>

typedef pkm_status (*expectation)(const char* name, const char* key, double value, pkm_error* err);

static void refuses(expectation expect, double value, const char* sentence)
{
    pkm_error err = {0};
    CHECK(expect("q1", "kp", value, &err) == PKM_ERR_ARGUMENT);
    CHECK_TEXT(err.text, sentence);
}

static void takes(expectation expect, double value)
{
    CHECK(expect("q1", "kp", value, NULL) == PKM_OK);
}

static void bounds_are_inside_or_outside(void)
{
    takes(pkm_expect_finite, -1e308);
    takes(pkm_expect_not_negative, 0.0);
    takes(pkm_expect_positive, 1e-308);
    takes(pkm_expect_part, 1.0);
    refuses(pkm_expect_not_negative, -0.5, "q1: kp -0.5, expected a number >= 0");
    refuses(pkm_expect_positive, 0.0, "q1: kp 0, expected a number > 0");
    refuses(pkm_expect_part, 0.0, "q1: kp 0, expected a number > 0 and <= 1");
    refuses(pkm_expect_part, 1.5, "q1: kp 1.5, expected a number > 0 and <= 1");
}

static void infinity_and_what_is_no_number_are_refused(void)
{
    const expectation all[] = {pkm_expect_finite, pkm_expect_not_negative, pkm_expect_positive,
                               pkm_expect_part};
    for (int i = 0; i < 4; ++i) {
        CHECK(all[i]("q1", "kp", NAN, NULL) == PKM_ERR_ARGUMENT);
        CHECK(all[i]("q1", "kp", INFINITY, NULL) == PKM_ERR_ARGUMENT);
    }
    refuses(pkm_expect_finite, INFINITY, "q1: kp inf, expected a finite number");
}

int main(void)
{
    RUN(bounds_are_inside_or_outside);
    RUN(infinity_and_what_is_no_number_are_refused);
    return check_report();
}
