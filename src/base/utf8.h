/// UTF-8, as far as readers and writers need it.
#ifndef PKM_BASE_UTF8_H
#define PKM_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/// The length of the UTF-8 sequence at `text`, 1 to 4; 0 when the bytes there are no UTF-8
/// (RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF).
int pkm_utf8_length(const char* text);
/// The same of a text that need not end with a zero: `left` bytes of it remain.
int pkm_utf8_length_within(const char* text, size_t left);

/// The code point of the sequence at `text`; U+FFFD when there is none.
unsigned pkm_utf8_code(const char* text);

/// Does a character steer the terminal or page that shows it, so that people see another text than
/// programs? Control characters (C0 but tabs and ends of lines, DEL, C1), and those that turn the
/// direction of writing (Bidi_Control of Unicode).
bool pkm_utf8_steers(unsigned code);
/// The first character of `length` bytes of UTF-8 that does, or NULL.
const char* pkm_utf8_find_steering(const char* text, size_t length);

#endif
