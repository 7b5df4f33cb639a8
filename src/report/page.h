/// A report as one HTML file: a page whose program is built into pkm (web/), and the data it shows,
/// in one block each. It needs no other file and no network.
#ifndef PKM_REPORT_PAGE_H
#define PKM_REPORT_PAGE_H

#include "write/stream.h"

/// The page without its title and data, in three pieces: title and data stand between them.
typedef struct pkm_page_frame {
    const unsigned char *before_title, *before_data, *after_data;
    size_t size[3];
} pkm_page_frame;

/// Everything before the data. `title` is text, escaped here.
void pkm_page_begin(pkm_stream* stream, const pkm_page_frame* frame, const char* title);
void pkm_page_end(pkm_stream* stream, const pkm_page_frame* frame);

/// A block of data that the page's program finds by `name` (letters and dashes): `length` bytes of
/// JSON. No text in it can end the block: a `<` becomes \u003c, which JSON reads as the same.
void pkm_page_put_json(pkm_stream* stream, const char* name, const char* json, size_t length);

/// The same for any text, as a JSON string.
void pkm_page_put_text(pkm_stream* stream, const char* name, const char* text, size_t length);

/// The two for a block that is written piece by piece: begin, pieces, end.
void pkm_page_block_begin(pkm_stream* stream, const char* name);
void pkm_page_block_json(pkm_stream* stream, const char* json, size_t length);
void pkm_page_block_end(pkm_stream* stream);

#endif
