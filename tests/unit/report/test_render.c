#include "report/render.h"

#include "base/memory.h"
#include "check.h"

static pkm_result* example(void)
{
    pkm_result* r = pkm_result_create();
    pkm_result_text(r, "name", "Delta");
    pkm_result_number(r, "angle", "rad", 0.5);
    pkm_result_number(r, "unknown", "m", NAN);
    pkm_result_text(r, "nothing", NULL);
    pkm_result_bool(r, "fine", true);
    pkm_result_integer(r, "count", 12);
    pkm_result_vec(r, "at", "m", (pkm_vec3){1.0, 2.0, -1e-12});
    pkm_result_integer(r, "_hidden", 7);
    pkm_result* list = pkm_result_list(r, "drives");
    for (int d = 0; d < 2; ++d) {
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_format(item, "id", "q%d", d);
        pkm_result_number(item, "force", "N", d ? 3.5 : (double)NAN);
        pkm_result* parts = pkm_result_list(item, "parts");
        pkm_result_text(parts, NULL, "a");
        pkm_result_text(parts, NULL, "b");
    }
    return r;
}

/// What the template makes of the example.
static const char* shown(const char* form)
{
    static char out[1000];
    pkm_result* r = example();
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_render_text(r, form, stream);
    snprintf(out, sizeof out, "%s", pkm_stream_get(stream));
    pkm_stream_discard(stream);
    pkm_result_free(r);
    return out;
}

static void values_are_formatted(void)
{
    CHECK_TEXT(shown("{name:-7s}|{count:4d}|{angle:.3f}|"), "Delta  |  12|0.500|");
    CHECK_TEXT(shown("{angle:.4f|shown} {~angle}"), "28.6479 deg"); // 0.5 * 180 / pi
    CHECK_TEXT(shown("{at.1:g} ({at:g/, |tidy}) {at.0:g|1e3}"), "2 (1, 2, 0) 1000");
    CHECK_TEXT(shown("{angle:.4f|shown|2|10}"), "572.9578"); // one change after the other
    CHECK_TEXT(shown("{at.0:g|1000}"), "1000");              // a factor as long as the word `tidy`
    CHECK_TEXT(shown("{drives.0.parts:s/, together with}"), "a, together withb"); // 15 fit
    CHECK_TEXT(shown("\\{name\\}"), "{name}");
}

static void what_is_not_known_leaves_its_part_out(void)
{
    CHECK_TEXT(shown("a[b {unknown:g}]c[ {nothing}][ {angle:g}][{none}x]"), "ac 0.5");
    CHECK_TEXT(shown("[{?fine}yes][{!fine}no][{?none}x][{!none}y]"), "yesy");
    CHECK_TEXT(shown("[{?fine}out[ in {unknown:g}][ in {count:d}]]"), "out in 12");
}

static void lists_repeat_and_look_outwards(void)
{
    CHECK_TEXT(shown("{#drives}: {*drives}{id} of {name}[ {force:g} {~force}];{/}"),
               "2: q0 of Delta;q1 of Delta 3.5 N;");
    CHECK_TEXT(shown("{*drives}{id}({*parts}{.}{/}){parts:s/+} {/}"), "q0(ab)a+b q1(ab)a+b ");
    CHECK_TEXT(shown("{*none}x{/}end"), "end");
}

static void json_has_every_key_but_hidden_ones(void)
{
    pkm_result* r = example();
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_render_json(r, stream);
    const char* text = pkm_stream_get(stream);
    CHECK_CONTAINS(text, "\"name\": \"Delta\"");
    CHECK_CONTAINS(text, "\"unknown\": null");
    CHECK_CONTAINS(text, "\"nothing\": null");
    CHECK_CONTAINS(text, "\"fine\": true");
    CHECK_CONTAINS(text, "\"count\": 12");
    CHECK_CONTAINS(text, "\"at\": [1, 2, -1e-12]");
    CHECK_CONTAINS(text, "\"force\": 3.5");
    CHECK(strstr(text, "hidden") == NULL);
    pkm_stream_discard(stream);
    pkm_result_free(r);
}

static void warnings_are_told_to_people_and_machines(void)
{
    static pkm_warnings warnings;
    pkm_warn(&warnings, "limit", 0.25, "too fast");
    pkm_result* r = pkm_result_create();
    pkm_result_warnings(r, &warnings);
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_render_text(r, PKM_RENDER_WARNINGS, stream);
    CHECK_TEXT(pkm_stream_get(stream), "\nwarning: too fast\n");
    pkm_stream_discard(stream);
    const pkm_result* first = pkm_result_first(pkm_result_find(r, "warnings"));
    CHECK(pkm_result_value(pkm_result_find(first, "t"), 0) == 0.25);
    pkm_result_free(r);
}

/// A name out of somebody's database: an escape, a C1 control, a turn of the direction of writing,
/// a byte that is no UTF-8.
static void what_steers_a_terminal_does_not_reach_it(void)
{
    pkm_result* r = pkm_result_create();
    pkm_result_text(r, "name",
                    "a\x1b[b\xc2\x9b"
                    "c\xe2\x80\xae"
                    "d\x9b"
                    "e\xc3\xa4\n");
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_render_text(r, "{name}{name:-3s}", stream);
    CHECK_TEXT(pkm_stream_get(stream), "a?[b?c?d?e\xc3\xa4\na?[b?c?d?e\xc3\xa4\n");
    pkm_stream_discard(stream);
    stream = pkm_stream_to_memory();
    pkm_render_json(r, stream);
    CHECK_CONTAINS(pkm_stream_get(stream), "a\\u001b[b\\u009bc\\u202ed\\ufffde\xc3\xa4\\n");
    pkm_stream_discard(stream);
    pkm_result_free(r);
}

static void failing_memory_is_told_once(void)
{
    bool failed = true;
    for (size_t n = 1; failed && n < 100; ++n) {
        pkm_alloc_fail_at(n);
        pkm_result* r = example();
        pkm_alloc_fail_at(0);
        failed = pkm_result_failed(r);
        pkm_result_free(r);
    }
    CHECK(!failed);
}

int main(void)
{
    RUN(values_are_formatted);
    RUN(what_is_not_known_leaves_its_part_out);
    RUN(lists_repeat_and_look_outwards);
    RUN(json_has_every_key_but_hidden_ones);
    RUN(warnings_are_told_to_people_and_machines);
    RUN(what_steers_a_terminal_does_not_reach_it);
    RUN(failing_memory_is_told_once);
    return check_report();
}
