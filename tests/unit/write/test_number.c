#include "write/number.h"

#include "check.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static double from_bits(uint64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static const char* format(double v)
{
    static char text[PKM_NUMBER_SIZE];
    const int n = pkm_number_format(v, text);
    CHECK(n == (int)strlen(text));
    return text;
}

/// Whether the text of `v` reads back as the very same double, sign of zero included.
static int reads_back(double v)
{
    const double back = strtod(format(v), NULL);
    return memcmp(&back, &v, sizeof v) == 0;
}

static int count_digits(const char* text)
{
    char digits[PKM_NUMBER_SIZE];
    int n = 0;
    for (; *text && *text != 'e'; ++text)
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0')) digits[n++] = *text;
    while (n > 0 && digits[n - 1] == '0')
        --n;
    return n;
}

/// The fewest digits with which printf makes a text that reads back.
static int fewest_digits(double v)
{
    for (int n = 1; n < 17; ++n) {
        char text[48];
        snprintf(text, sizeof text, "%.*e", n - 1, v);
        if (strtod(text, NULL) == v) return n;
    }
    return 17;
}

static void known_numbers_look_as_people_write_them(void)
{
    CHECK_TEXT(format(0.0), "0");
    CHECK_TEXT(format(-0.0), "-0");
    CHECK_TEXT(format(1.0), "1");
    CHECK_TEXT(format(-2.5), "-2.5");
    CHECK_TEXT(format(0.1), "0.1");
    CHECK_TEXT(format(0.3), "0.3");
    CHECK_TEXT(format(0.1 + 0.2), "0.30000000000000004");
    CHECK_TEXT(format(1.0 / 3.0), "0.3333333333333333");
    CHECK_TEXT(format(100.0), "100");
    CHECK_TEXT(format(1e15), "1000000000000000");
    CHECK_TEXT(format(1e16), "1e16");
    CHECK_TEXT(format(123456.789), "123456.789");
    CHECK_TEXT(format(1e-5), "0.00001");
    CHECK_TEXT(format(1.25e-6), "1.25e-6");
    CHECK_TEXT(format(1e-7), "1e-7");
    CHECK_TEXT(format(1.25e-7), "1.25e-7");
    CHECK_TEXT(format(9007199254740993.0), "9007199254740992");
    CHECK_TEXT(format(1e23), "1e23"); // lies on a tie between two doubles
    CHECK_TEXT(format(5e-324), "5e-324");
    CHECK_TEXT(format(DBL_MIN), "2.2250738585072014e-308");
    CHECK_TEXT(format(DBL_MAX), "1.7976931348623157e308");
}

static void nan_and_infinities_have_names(void)
{
    CHECK_TEXT(format(NAN), "nan");
    CHECK_TEXT(format(INFINITY), "inf");
    CHECK_TEXT(format(-INFINITY), "-inf");
}

static void random_doubles_read_back_exactly(void)
{
    int bad = 0;
    for (int k = 0; k < 300000; ++k) {
        const double any = from_bits(random_bits());
        const double usual = ldexp((double)(random_bits() >> 11), -53 - k % 40);
        const double subnormal = from_bits(random_bits() >> 12);
        const double decimal = (double)(random_bits() % 2000000) / 1e5;
        const double whole = (double)(random_bits() >> (11 + k % 40));
        bad += isfinite(any) && !reads_back(any);
        bad += !reads_back(usual) + !reads_back(subnormal) + !reads_back(decimal);
        bad += !reads_back(whole);
    }
    CHECK(bad == 0);
}

static void powers_of_two_and_ten_read_back_exactly(void)
{
    int bad = 0;
    for (int e = -1074; e < 1024; ++e) {
        const double v = ldexp(1.0, e);
        bad += !reads_back(v) + !reads_back(nextafter(v, 0.0)) + !reads_back(nextafter(v, 2.0 * v));
    }
    for (int e = -323; e <= 308; ++e) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        const double v = strtod(text, NULL);
        bad += !reads_back(v) + !reads_back(nextafter(v, 0.0)) + !reads_back(nextafter(v, 2.0 * v));
        bad += count_digits(format(v)) != 1;
    }
    CHECK(bad == 0);
}

static void no_shorter_text_reads_back(void)
{
    int longer = 0;
    for (int k = 0; k < 20000; ++k) {
        const double any = from_bits(random_bits() & ~(1ull << 63));
        const double usual = ldexp((double)(random_bits() >> 11), -53 - k % 40);
        const double decimal = (double)(random_bits() % 2000000) / 1e5 + 1e-5;
        if (isfinite(any)) longer += count_digits(format(any)) > fewest_digits(any);
        longer += count_digits(format(usual)) > fewest_digits(usual);
        longer += count_digits(format(decimal)) > fewest_digits(decimal);
    }
    CHECK(longer == 0);
}

int main(void)
{
    RUN(known_numbers_look_as_people_write_them);
    RUN(nan_and_infinities_have_names);
    RUN(random_doubles_read_back_exactly);
    RUN(powers_of_two_and_ten_read_back_exactly);
    RUN(no_shorter_text_reads_back);
    return check_report();
}
