#include "write/base64.h"

#include "check.h"

static const char* encoded(const char* text)
{
    static char out[64];
    pkm_base64_encode(text, strlen(text), out);
    CHECK(strlen(out) == pkm_base64_length(strlen(text)));
    return out;
}

/// The vectors of RFC 4648, section 10.
static void vectors_of_the_standard(void)
{
    CHECK_TEXT(encoded(""), "");
    CHECK_TEXT(encoded("f"), "Zg==");
    CHECK_TEXT(encoded("fo"), "Zm8=");
    CHECK_TEXT(encoded("foo"), "Zm9v");
    CHECK_TEXT(encoded("foob"), "Zm9vYg==");
    CHECK_TEXT(encoded("fooba"), "Zm9vYmE=");
    CHECK_TEXT(encoded("foobar"), "Zm9vYmFy");
}

static void all_letters(void)
{
    char out[8];
    pkm_base64_encode("\xfb\xff\xbf", 3, out);
    CHECK_TEXT(out, "+/+/");
    pkm_base64_encode("\x00\x00\x00", 3, out);
    CHECK_TEXT(out, "AAAA");
}

int main(void)
{
    RUN(vectors_of_the_standard);
    RUN(all_letters);
    return check_report();
}
