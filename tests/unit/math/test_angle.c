// The three numbers against the arc cosine, to the last bit.
#include "math/angle.h"

#include "check.h"

#include <math.h>

static void literals_are_the_nearest_doubles(void)
{
    CHECK(PKM_PI == acos(-1.0));
    CHECK(PKM_TURN == 2.0 * acos(-1.0));
    CHECK_NEAR(PKM_DEGREES * PKM_PI, 180.0, 180.0 * 1.2e-16);
}

int main(void)
{
    RUN(literals_are_the_nearest_doubles);
    return check_report();
}
