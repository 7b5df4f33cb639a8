/// Fuzz targets: each file fuzz_NAME.c defines fuzz_one for any bytes. file.c calls it for
/// libFuzzer (clang, `make fuzz`) and for replay.c with the corpus and all past findings (every
/// compiler, `make check`), and looks for memory that is not given back.
#ifndef PKM_TESTS_FUZZ_H
#define PKM_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Where texts stand that name files: `corpus/table/...` is there in every campaign and replay.
#define FUZZ_PLACE PKM_SOURCE_DIR "/tests/fuzz/fuzz.yaml"

enum { FUZZ_PAGE = 4096 }; ///< of memory [bytes]

extern uint8_t fuzz_count_end[]; ///< of campaigns

int fuzz_one(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// What must hold whatever the bytes are.
#define FUZZ_CHECK(condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/// The bytes as text, freed by the caller.
static inline char* fuzz_text(const uint8_t* data, size_t size)
{
    char* text = malloc(size + 1);
    FUZZ_CHECK(text);
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/// One text in `of`, by its bytes; all when they are replayed (replay.c, or PKM_FUZZ_ALL is set).
bool fuzz_is_chosen(const uint8_t* data, size_t size, unsigned of);

/// The bytes as a file of this process (in memory); its path. One at a time.
const char* fuzz_file(const uint8_t* data, size_t size, const char* ending);

#endif
