// Characters of UTF-8, and which of them steer what shows them.
#include "base/utf8.h"

#include "check.h"

/// RFC 3629, section 4: the first and last sequence of each length, and their neighbours.
static void lengths_are_those_of_the_standard(void)
{
    CHECK(pkm_utf8_length("a") == 1 && pkm_utf8_length("\x7f") == 1);
    CHECK(pkm_utf8_length("\xc2\x80") == 2 && pkm_utf8_length("\xdf\xbf") == 2);
    CHECK(pkm_utf8_length("\xe0\xa0\x80") == 3 && pkm_utf8_length("\xef\xbf\xbf") == 3);
    CHECK(pkm_utf8_length("\xf0\x90\x80\x80") == 4 && pkm_utf8_length("\xf4\x8f\xbf\xbf") == 4);
    static const char* const none[] = {"\x80",         "\xc1\xbf",         "\xc2",
                                       "\xe0\x9f\xbf", "\xed\xa0\x80",     "\xf0\x8f\xbf\xbf",
                                       "\xe2\x82",     "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i)
        CHECK(pkm_utf8_length(none[i]) == 0 && pkm_utf8_code(none[i]) == 0xFFFD);
    CHECK(pkm_utf8_length_within("\xe2\x82\xac", 2) == 0);
    CHECK(pkm_utf8_length_within("\xe2\x82\xac", 3) == 3 &&
          pkm_utf8_code("\xe2\x82\xac") == 0x20AC);
}

/// The twelve characters with the property Bidi_Control (PropList.txt of Unicode 15), C0, DEL, C1.
static void control_and_direction_steer(void)
{
    static const unsigned bidi[] = {0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C,
                                    0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069};
    int n = 0;
    for (unsigned code = 0xA0; code <= 0x10FFFF; ++code)
        n += pkm_utf8_steers(code);
    CHECK_NEAR(n, 12, 0.0);
    for (int i = 0; i < 12; ++i)
        CHECK(pkm_utf8_steers(bidi[i]));
    for (unsigned code = 0; code < 0xA0; ++code) {
        const bool is_space = code == '\t' || code == '\n' || code == '\r';
        CHECK(pkm_utf8_steers(code) == ((code < 0x20 && !is_space) || code >= 0x7F));
    }
}

static void the_first_is_found(void)
{
    const char text[] = "a\xc3\xa4\xff\xe2\x80\xae\x1b";
    CHECK(pkm_utf8_find_steering(text, sizeof text - 1) == text + 4);
    CHECK(!pkm_utf8_find_steering(text, 4) && !pkm_utf8_find_steering(text, 6)); // cut short
    CHECK(!pkm_utf8_find_steering("", 0));
}

int main(void)
{
    RUN(lengths_are_those_of_the_standard);
    RUN(control_and_direction_steer);
    RUN(the_first_is_found);
    return check_report();
}
