/// UTF-8, as far as writers need it.
#ifndef PKM_WRITE_UTF8_H
#define PKM_WRITE_UTF8_H

/// The length of the UTF-8 sequence at `text`, 1 to 4; 0 when the bytes there are no UTF-8
/// (RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF).
int pkm_utf8_length(const char* text);

/// The code point of the sequence at `text`; U+FFFD when there is none.
unsigned pkm_utf8_code(const char* text);

#endif
