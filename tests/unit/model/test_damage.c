// Damaged files: whatever is done to a model, reading it ends with a description or with one
// sentence. The sanitizer build watches for everything else.
#include "check.h"
#include "model/description.h"
#include "model/source.h"

#include <stdint.h>
#include <stdlib.h>

static const char* const everything = PKM_SOURCE_DIR "/tests/unit/model/data/everything.yaml";
static const char* const robot = PKM_SOURCE_DIR "/robots/siax.yaml";

static int n_fine, n_refused;

static void check_outcome(const char* text, size_t length)
{
    pkm_description* desc = NULL;
    pkm_error err = {0};
    const pkm_status status = pkm_description_parse(text, length, everything, NULL, 0, &desc, &err);
    if (status == PKM_OK) {
        ++n_fine;
        CHECK(desc && desc->n_body > 0);
    } else {
        ++n_refused;
        CHECK(!desc && err.status == status);
        CHECK(status == PKM_ERR_SYNTAX || status == PKM_ERR_MODEL);
        CHECK(err.text[0] != '\0' && !strchr(err.text, '\n'));
        CHECK(err.line > 0 && err.column > 0);
        CHECK(pkm_source_check_text(err.text, strlen(err.text), "", &err) == PKM_OK);
    }
    pkm_description_free(desc);
}

static char* load(const char* path, size_t* length)
{
    char* text = NULL;
    pkm_error err;
    CHECK(pkm_source_read(path, 1 << 20, &text, length, &err) == PKM_OK);
    return text;
}

static void a_file_cut_anywhere_is_read_or_refused(void)
{
    size_t length = 0;
    char* text = load(everything, &length);
    n_fine = n_refused = 0;
    for (size_t n = length % 3; n <= length; n += 3) { // the whole file at last
        char* part = malloc(n + 1); // of exact size, so that reading beyond it is seen
        memcpy(part, text, n);
        part[n] = '\0';
        check_outcome(part, n);
        free(part);
    }
    CHECK(n_fine > 1 && n_refused > 1000);
    pkm_free(text);
}

static uint64_t seed = 20240607;

static uint64_t random_below(uint64_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % n;
}

/// Something that upsets parsers, at a random place; returns the new length.
static size_t damage(char* text, size_t length)
{
    static const char* const pieces[] = {
        "{",     "}",     "[",         "]",          ":",       ": ",        "\n",     "\t",
        "#",     "&a ",   "*a",        "!t ",        "|\n",     ">\n",       "\"",     "'",
        "- ",    "? ",    "---\n",     "...\n",      "%",       "=",         "=1/0",   "=(",
        "1e999", "-1",    "0",         ".nan",       "\xc3",    "\xff",      "\x01",   "\\",
        "{}",    "[[[[[", "999999999", "\xc3\xa4",   "ground",  "A.crank.K", "=l1",    "=l1^99",
        " mm",   " kg",   "sqrt(",     "atan2(1,2)", "{a: {b:", "copies",    "points", ",,",
    };
    const size_t at = (size_t)random_below(length);
    const uint64_t what = random_below(4);
    if (what == 0) {
        text[at] = (char)random_below(256);
    } else if (what == 1) { // drop some bytes
        size_t n = 1 + (size_t)random_below(30);
        if (at + n > length) n = length - at;
        memmove(text + at, text + at + n, length - at - n);
        length -= n;
    } else { // put something in
        const char* piece = pieces[random_below(sizeof pieces / sizeof pieces[0])];
        const size_t n = strlen(piece);
        memmove(text + at + n, text + at, length - at);
        memcpy(text + at, piece, n);
        length += n;
    }
    return length;
}

static void damage_many(const char* path, int n)
{
    size_t length = 0;
    char* text = load(path, &length);
    char* copy = malloc(length + 1000);
    n_fine = n_refused = 0;
    for (int i = 0; i < n; ++i) {
        memcpy(copy, text, length);
        size_t now = length;
        const int times = 1 + (int)random_below(4);
        for (int k = 0; k < times && now > 0; ++k)
            now = damage(copy, now);
        check_outcome(copy, now);
    }
    CHECK(n_fine > 0 && n_refused > n / 4);
    free(copy);
    pkm_free(text);
}

static void damaged_files_are_read_or_refused(void)
{
    damage_many(everything, 1500);
    damage_many(robot, 1000);
}

static void lines_in_another_order_are_read_or_refused(void)
{
    size_t length = 0;
    char* text = load(everything, &length);
    char* copy = malloc(2 * length + 2);
    n_fine = n_refused = 0;
    for (int i = 0; i < 500; ++i) { // one line again, somewhere else
        const size_t a = (size_t)random_below(length), b = (size_t)random_below(length);
        const char *line = text + a, *to = text + b;
        while (line > text && line[-1] != '\n')
            --line;
        while (to > text && to[-1] != '\n')
            --to;
        const size_t n = strcspn(line, "\n") + 1, head = (size_t)(to - text);
        memcpy(copy, text, head);
        memcpy(copy + head, line, n);
        memcpy(copy + head + n, to, length - head);
        check_outcome(copy, length + n);
    }
    CHECK(n_refused > 100);
    free(copy);
    pkm_free(text);
}

int main(void)
{
    RUN(a_file_cut_anywhere_is_read_or_refused);
    RUN(damaged_files_are_read_or_refused);
    RUN(lines_in_another_order_are_read_or_refused);
    return check_report();
}
