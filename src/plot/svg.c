// Elements, escaped text and colours. Widths of text are estimated with the widest common font, so
// that nothing overlaps whatever font the reader has.
#include "plot/svg.h"

#include "base/error.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

void pkm_svg_begin(pkm_stream* stream, double width, double height, const char* title)
{
    pkm_stream_text(stream, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    pkm_stream_format(stream,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.2fmm\" "
                      "height=\"%.2fmm\" viewBox=\"0 0 %.2f %.2f\" "
                      "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', "
                      "sans-serif\">\n",
                      width / PKM_SVG_MM, height / PKM_SVG_MM, width, height);
    if (title && *title) {
        pkm_stream_text(stream, "<title>");
        pkm_svg_escape(stream, title);
        pkm_stream_text(stream, "</title>\n");
    }
    pkm_stream_format(stream, "<rect width=\"%.2f\" height=\"%.2f\" fill=\"#ffffff\"/>\n", width,
                      height);
}

void pkm_svg_end(pkm_stream* stream)
{
    pkm_stream_text(stream, "</svg>\n");
}

/// What XML writes for the code point `code`, or NULL for the character itself.
static const char* escape_of(unsigned code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case 0xFFFE: // no characters of XML
    case 0xFFFF:
    case 0xFFFD:
        return "&#xFFFD;";
    default:
        return code < 0x20 || pkm_utf8_steers(code) ? " " : NULL;
    }
}

/// The character at `text`, escaped; returns its length in bytes.
static int put_character(pkm_stream* stream, const char* text)
{
    const int n = pkm_utf8_length(text);
    const char* escape = escape_of(pkm_utf8_code(text));
    if (escape)
        pkm_stream_text(stream, escape);
    else
        pkm_stream_write(stream, text, (size_t)n);
    return n > 0 ? n : 1;
}

void pkm_svg_escape(pkm_stream* stream, const char* text)
{
    while (*text)
        text += put_character(stream, text);
}

/// Character data of `length` bytes with raised parts: a tspan begins wherever the height changes.
static void put_rich_text(pkm_stream* stream, const char* text, int length, double size)
{
    const char* end = text + length;
    bool is_up = false, want_up = false, in_span = false;
    while (text < end) {
        if (*text == PKM_SVG_UP[0] || *text == PKM_SVG_DOWN[0]) {
            want_up = *text++ == PKM_SVG_UP[0];
            continue;
        }
        if (want_up != is_up) {
            if (in_span) pkm_stream_text(stream, "</tspan>");
            // some viewers drop a space at the begin of a span, so it becomes a distance
            const bool space = *text == ' ';
            pkm_stream_format(stream, "<tspan dx=\"%.2f\" dy=\"%.2f\" font-size=\"%.2f\">",
                              space ? 0.3 * size : 0.0, (want_up ? -0.36 : 0.36) * size,
                              (want_up ? 0.72 : 1.0) * size);
            is_up = want_up;
            in_span = true;
            text += space;
            if (space) continue;
        }
        text += put_character(stream, text);
    }
    if (in_span) pkm_stream_text(stream, "</tspan>");
}

static void put_text(pkm_stream* stream, double x, double y, pkm_text_style style, const char* text,
                     int length)
{
    static const char* const anchor[] = {"start", "middle", "end"};
    pkm_stream_format(stream, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" fill=\"%s\"", x, y,
                      style.size, style.colour ? style.colour : "#1a1a1a");
    if (style.anchor != PKM_ANCHOR_START)
        pkm_stream_format(stream, " text-anchor=\"%s\"", anchor[style.anchor]);
    if (style.bold) pkm_stream_text(stream, " font-weight=\"bold\"");
    if (style.angle != 0.0)
        pkm_stream_format(stream, " transform=\"rotate(%.2f %.2f %.2f)\"", style.angle, x, y);
    pkm_stream_text(stream, ">");
    put_rich_text(stream, text, length, style.size);
    pkm_stream_text(stream, "</text>\n");
}

void pkm_svg_text(pkm_stream* stream, double x, double y, pkm_text_style style, const char* text)
{
    put_text(stream, x, y, style, text, (int)strlen(text));
}

/// Advance width of a character in parts of the font size; DejaVu Sans, the widest common font.
static double character_width(unsigned code)
{
    if (code == 0 || code == 0x200B) return 0.0;
    if (code > 0x7E) return code == 0x2212 ? 0.84 : 0.72;
    if (strchr("ijl|'", (int)code)) return 0.29;
    if (strchr(" .,:;!/\\[]()frt-", (int)code)) return 0.41;
    if (strchr("mwMWN@%&", (int)code)) return 0.98;
    if (code >= 'A' && code <= 'Z') return 0.72;
    if (strchr("+=<>_^~", (int)code)) return 0.84;
    return 0.64;
}

/// Raised parts are smaller, see put_rich_text.
static double width_of(const char* text, int length, double size)
{
    double width = 0.0;
    double part = 1.0;
    for (const char* end = text + length; text < end;) {
        if (*text == PKM_SVG_UP[0])
            part = 0.72;
        else if (*text == PKM_SVG_DOWN[0])
            part = 1.0;
        else
            width += part * character_width(pkm_utf8_code(text));
        const int n = pkm_utf8_length(text);
        text += n > 0 ? n : 1;
    }
    return width * size;
}

double pkm_svg_text_width(const char* text, double size)
{
    return width_of(text, (int)strlen(text), size);
}

/// Whether a number, perhaps with an exponent, ends before text[k].
static bool ends_number(const char* text, int k)
{
    if (k == 0) return false;
    return (text[k - 1] >= '0' && text[k - 1] <= '9') || text[k - 1] == PKM_SVG_DOWN[0];
}

/// The bytes of the next line of `text`: as many words as fit into `width`, at least one. A number
/// and its unit stay together.
static int next_line(const char* text, double size, double width)
{
    int length = 0;
    for (int k = 0;; ++k) {
        const bool may_end = text[k] == ' ' && !ends_number(text, k);
        if (!may_end && text[k] != '\0') continue;
        if (length > 0 && width_of(text, k, size) > width) return length;
        length = k;
        if (text[k] == '\0') return length;
    }
}

pkm_text_lines pkm_svg_break(const char* text, double size, double width)
{
    pkm_text_lines lines = {.n = 0};
    while (*text && lines.n < PKM_SVG_MAX_LINE) {
        // the last line takes what is left, however long
        const bool last = lines.n + 1 == PKM_SVG_MAX_LINE;
        const int length = last ? (int)strlen(text) : next_line(text, size, width);
        const double w = width_of(text, length, size);
        if (w > lines.width) lines.width = w;
        lines.start[lines.n] = text;
        lines.length[lines.n++] = length;
        text += length;
        while (*text == ' ')
            ++text;
    }
    return lines;
}

void pkm_svg_lines(pkm_stream* stream, double x, double y, double leading, pkm_text_style style,
                   const pkm_text_lines* lines)
{
    for (int k = 0; k < lines->n; ++k)
        put_text(stream, x, y + k * leading, style, lines->start[k], lines->length[k]);
}

/// Okabe and Ito's colours, which colour-blind readers tell apart.
const char* pkm_svg_colour(int k)
{
    static const char* const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#000000"};
    PKM_ASSERT(k >= 0);
    return colour[k % 7];
}

/// Curves differ by dashes, too: prints are black and white.
const char* pkm_svg_dash(int k)
{
    static const char* const dash[] = {"",          "5 2",    "1.4 1.6",
                                       "7 2 1.4 2", "10 2.5", "4 1.4 1.2 1.4 1.2 1.4"};
    PKM_ASSERT(k >= 0);
    return dash[k % 6];
}

/// viridis in red, green, blue, 0 ... 1: the map of matplotlib at every sixteenth of `t`.
static void viridis(double t, double rgb[3])
{
    static const unsigned char table[17][3] = {
        {68, 1, 84},    {72, 24, 106},  {71, 45, 123},  {66, 64, 134},  {59, 82, 139},
        {51, 99, 141},  {44, 114, 142}, {38, 130, 142}, {33, 145, 140}, {31, 159, 136},
        {39, 173, 129}, {61, 188, 116}, {92, 200, 99},  {129, 211, 77}, {170, 220, 50},
        {213, 226, 26}, {253, 231, 37},
    };
    // linear between the colours of the table
    const double s = 16.0 * (t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0);
    const int k = s < 15.0 ? (int)s : 15;
    for (int c = 0; c < 3; ++c)
        rgb[c] = (table[k][c] + (s - k) * (table[k + 1][c] - table[k][c])) / 255.0;
}

void pkm_svg_viridis(double t, char text[8])
{
    double rgb[3];
    viridis(t, rgb);
    snprintf(text, 8, "#%02x%02x%02x", (unsigned)lround(255.0 * rgb[0]) & 255u,
             (unsigned)lround(255.0 * rgb[1]) & 255u, (unsigned)lround(255.0 * rgb[2]) & 255u);
}

bool pkm_svg_viridis_is_dark(double t)
{
    double rgb[3];
    viridis(t, rgb);
    // luma of Rec. 601
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] < 0.5;
}
