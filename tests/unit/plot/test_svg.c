#include "plot/svg.h"

#include "check.h"
#include "unit/plot/xml.h"

/// A page with one text, lent until the next call.
static const char* page_with(const char* text, pkm_text_style style)
{
    static char page[4096];
    pkm_stream* stream = pkm_stream_to_memory();
    pkm_svg_begin(stream, 100.0, 50.0, text);
    pkm_svg_text(stream, 10.0, 20.0, style, text);
    pkm_svg_end(stream);
    snprintf(page, sizeof page, "%s", pkm_stream_get(stream));
    pkm_stream_discard(stream);
    return page;
}

static void the_judge_of_xml_tells_good_from_bad(void)
{
    CHECK(xml_is_well_formed("<a><b x=\"1\"/>text &amp; more</a>\n"));
    CHECK(!xml_is_well_formed("<a><b></a></b>"));
    CHECK(!xml_is_well_formed("<a>"));
    CHECK(!xml_is_well_formed("<a/><b/>"));
    CHECK(!xml_is_well_formed("<a x=1/>"));
    CHECK(!xml_is_well_formed("<a x=\"<\"/>"));
    CHECK(!xml_is_well_formed("<a>& </a>"));
    CHECK(!xml_is_well_formed("<a>\x01</a>"));
    CHECK(!xml_is_well_formed("<a>\xFF</a>"));
    CHECK(!xml_is_well_formed("<a/>text"));
}

static void any_text_gives_well_formed_xml(void)
{
    const char* const texts[] = {
        "plain",
        "<b>&amp; \"quotes\" 'single' ]]>",
        "\x03\x1f control \x7f",
        "broken \xC3( \xFF\xFE \xE2\x82 end\xC3",
        "10" PKM_SVG_UP "3" PKM_SVG_DOWN " m",
        PKM_SVG_UP "only up",
        PKM_SVG_DOWN PKM_SVG_DOWN PKM_SVG_UP PKM_SVG_UP "x" PKM_SVG_DOWN "y",
        "\xEF\xBF\xBE\xEF\xBF\xBF not characters",
        "",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k)
        CHECK(xml_is_well_formed(page_with(texts[k], (pkm_text_style){.size = 8.0})));
}

static void texts_are_escaped_and_placed(void)
{
    const char* page = page_with(
        "a<b & c", (pkm_text_style){.size = 8.0, .anchor = PKM_ANCHOR_MIDDLE, .angle = -90.0});
    CHECK_CONTAINS(page, ">a&lt;b &amp; c</text>");
    CHECK_CONTAINS(page, "<title>a&lt;b &amp; c</title>");
    CHECK_CONTAINS(page, "text-anchor=\"middle\" transform=\"rotate(-90.00 10.00 20.00)\"");
    CHECK_CONTAINS(page, "viewBox=\"0 0 100.00 50.00\"");
}

// A raised part goes up and comes down by the same amount, and a space behind it is kept.
static void exponents_are_raised(void)
{
    const char* page =
        page_with("10" PKM_SVG_UP "3" PKM_SVG_DOWN " m", (pkm_text_style){.size = 10.0});
    CHECK_CONTAINS(page, "10<tspan dx=\"0.00\" dy=\"-3.60\" font-size=\"7.20\">3</tspan>");
    CHECK_CONTAINS(page, "<tspan dx=\"3.00\" dy=\"3.60\" font-size=\"10.00\">m</tspan></text>");
}

static void widths_grow_with_the_text(void)
{
    CHECK(pkm_svg_text_width("", 10.0) == 0.0);
    CHECK(pkm_svg_text_width("mmmm", 10.0) > pkm_svg_text_width("iiii", 10.0));
    CHECK_NEAR(pkm_svg_text_width("0.25", 20.0), 2.0 * pkm_svg_text_width("0.25", 10.0), 1e-12);
    // advance widths of DejaVu Sans: digits 0.636, point 0.318 of the size
    CHECK(pkm_svg_text_width("0.25", 10.0) >= 10.0 * (3.0 * 0.636 + 0.318));
    CHECK(pkm_svg_text_width("velocity", 10.0) >= 10.0 * 4.0);
}

static void long_texts_are_broken_at_spaces(void)
{
    const char* text = "published value of 38.2 N in paper";
    const pkm_text_lines lines = pkm_svg_break(text, 7.0, 60.0);
    CHECK(lines.n >= 2 && lines.n <= PKM_SVG_MAX_LINE);
    CHECK(lines.width <= 60.0 + 1e-9);
    char joined[64] = "";
    for (int k = 0; k < lines.n; ++k) {
        strncat(joined, lines.start[k], (size_t)lines.length[k]);
        if (k + 1 < lines.n) strcat(joined, " ");
        // a number keeps its unit
        CHECK(lines.length[k] < 4 || strncmp(lines.start[k] + lines.length[k] - 4, "38.2", 4) != 0);
    }
    CHECK_TEXT(joined, text);
    CHECK(pkm_svg_break("", 7.0, 60.0).n == 0);
    CHECK(pkm_svg_break("a_word_that_cannot_be_broken", 7.0, 10.0).n == 1);
    CHECK(pkm_svg_break("a b c d e f g h i j k", 7.0, 1.0).n == PKM_SVG_MAX_LINE);
}

static void forty_two_lines_differ_in_colour_or_dash(void)
{
    for (int a = 0; a < 42; ++a)
        for (int b = 0; b < a; ++b)
            CHECK(strcmp(pkm_svg_colour(a), pkm_svg_colour(b)) != 0 ||
                  strcmp(pkm_svg_dash(a), pkm_svg_dash(b)) != 0);
}

/// Luminance 0 ... 255 of a colour text.
static double luminance(const char* text)
{
    unsigned r = 0, g = 0, b = 0;
    CHECK(sscanf(text, "#%02x%02x%02x", &r, &g, &b) == 3);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

static void viridis_runs_from_dark_violet_to_yellow(void)
{
    char text[8];
    pkm_svg_viridis(0.0, text);
    CHECK_TEXT(text, "#440154");
    pkm_svg_viridis(1.0, text);
    CHECK_TEXT(text, "#fde725");
    pkm_svg_viridis(-5.0, text);
    CHECK_TEXT(text, "#440154");
    pkm_svg_viridis(7.0, text);
    CHECK_TEXT(text, "#fde725");
    double last = 0.0;
    for (double t = 0.0; t <= 1.0; t += 0.01) {
        pkm_svg_viridis(t, text);
        CHECK(luminance(text) > last - 1.0); // monotonous up to the rounding to bytes
        last = luminance(text);
    }
    CHECK(pkm_svg_viridis_is_dark(0.1) && !pkm_svg_viridis_is_dark(0.9));
}

int main(void)
{
    RUN(the_judge_of_xml_tells_good_from_bad);
    RUN(any_text_gives_well_formed_xml);
    RUN(texts_are_escaped_and_placed);
    RUN(exponents_are_raised);
    RUN(widths_grow_with_the_text);
    RUN(long_texts_are_broken_at_spaces);
    RUN(forty_two_lines_differ_in_colour_or_dash);
    RUN(viridis_runs_from_dark_violet_to_yellow);
    return check_report();
}
