// Greedy matches over a hash of what came before, and the fixed Huffman codes: short enough to
// read, and an archive is written once.
#include "export/deflate.h"

#include "base/memory.h"

#include <string.h>

// ---- bits -------------------------------------------------------------------------------------

/// Bits go out from the lowest of each byte on.
typedef struct sink {
    unsigned char* to;
    size_t used;
    uint64_t bits;
    int n_bit;
} sink;

static void put(sink* s, uint32_t value, int n)
{
    s->bits |= (uint64_t)value << s->n_bit;
    for (s->n_bit += n; s->n_bit >= 8; s->n_bit -= 8, s->bits >>= 8)
        s->to[s->used++] = (unsigned char)s->bits;
}

/// Huffman codes, of at most 9 bits, go out from their highest bit on: turned round in sixteen.
static void put_code(sink* s, uint32_t code, int n)
{
    uint32_t turned = (code & 0x00ffu) << 8 | code >> 8;
    turned = (turned & 0x0f0fu) << 4 | (turned >> 4 & 0x0f0fu);
    turned = (turned & 0x3333u) << 2 | (turned >> 2 & 0x3333u);
    turned = (turned & 0x5555u) << 1 | (turned >> 1 & 0x5555u);
    put(s, turned >> (16 - n), n);
}

// ---- the fixed codes (RFC 1951, section 3.2.6) ------------------------------------------------

static void put_symbol(sink* s, uint32_t symbol)
{
    if (symbol < 144)
        put_code(s, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(s, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(s, symbol - 256, 7);
    else
        put_code(s, 0xc0 + symbol - 280, 8);
}

/// Lengths from 3 and distances from 1 on come in classes with more and more extra bits: `per`
/// classes share a number of them, the first `2 per` have none.
static void split(uint32_t value, int per, uint32_t* class, uint32_t* extra, int* n_extra)
{
    int bits = 0;
    while ((value >> bits) >= (uint32_t)(2 * per))
        ++bits;
    *n_extra = bits;
    *class = (uint32_t)(bits * per) + (value >> bits);
    *extra = value & ((1u << bits) - 1u);
}

static void put_match(sink* s, uint32_t length, uint32_t distance)
{
    uint32_t class, extra;
    int n;
    if (length == 258) {
        put_symbol(s, 285);
    } else {
        split(length - 3, 4, &class, &extra, &n);
        put_symbol(s, 257 + class);
        put(s, extra, n);
    }
    split(distance - 1, 2, &class, &extra, &n);
    put_code(s, class, 5);
    put(s, extra, n);
}

// ---- matches ----------------------------------------------------------------------------------

enum {
    WINDOW = 1 << 15,
    HASHES = 1 << 15,
    SHORTEST = 3,
    LONGEST = 258,
    PROBES = 48, ///< earlier places that are looked at
};

typedef struct finder {
    const unsigned char* bytes;
    size_t size;
    int64_t head[HASHES];   ///< last place with this hash; -1: none
    int64_t before[WINDOW]; ///< the one before a place
} finder;

static uint32_t hash_at(const finder* f, size_t at)
{
    const unsigned char* p = f->bytes + at;
    return ((uint32_t)p[0] << 10 ^ (uint32_t)p[1] << 5 ^ p[2]) & (HASHES - 1);
}

static void note(finder* f, size_t at)
{
    if (at + SHORTEST > f->size) return;
    const uint32_t h = hash_at(f, at);
    f->before[at % WINDOW] = f->head[h];
    f->head[h] = (int64_t)at;
}

static uint32_t length_of(const finder* f, size_t a, size_t b, uint32_t most)
{
    uint32_t n = 0;
    while (n < most && f->bytes[a + n] == f->bytes[b + n])
        ++n;
    return n;
}

/// The longest match of what is at `at`; 0: none.
static uint32_t find(const finder* f, size_t at, uint32_t* distance)
{
    uint32_t best = 0;
    if (at + SHORTEST > f->size) return 0;
    const uint32_t most = (uint32_t)(f->size - at < LONGEST ? f->size - at : LONGEST);
    int64_t from = f->head[hash_at(f, at)];
    for (int i = 0; i < PROBES && from >= 0 && at - (size_t)from < WINDOW; ++i) {
        // a longer match has the byte behind the best one: most places are told apart by it
        if (f->bytes[(size_t)from + best] == f->bytes[at + best]) {
            const uint32_t n = length_of(f, (size_t)from, at, most);
            if (n > best) {
                best = n;
                *distance = (uint32_t)(at - (size_t)from);
            }
            if (best == most) break;
        }
        const int64_t next = f->before[(size_t)from % WINDOW];
        from = next < from ? next : -1; // an older round of the window
    }
    return best >= SHORTEST ? best : 0;
}

unsigned char* pkm_deflate(const void* bytes, size_t size, size_t* out_size)
{
    finder* f = pkm_alloc(1, sizeof *f);
    sink s = {.to = pkm_alloc(size + size / 8 + 64, 1)}; // a byte takes at most 9 bits
    if (!f || !s.to) {
        pkm_free(f);
        pkm_free(s.to);
        return NULL;
    }
    f->bytes = bytes;
    f->size = size;
    memset(f->head, -1, sizeof f->head);
    put(&s, 1 | 1 << 1, 3); // the last block, with fixed codes
    for (size_t at = 0; at < size;) {
        uint32_t distance = 0;
        const uint32_t n = find(f, at, &distance);
        if (n > 0)
            put_match(&s, n, distance);
        else
            put_symbol(&s, f->bytes[at]);
        for (size_t end = at + (n > 0 ? n : 1); at < end; ++at)
            note(f, at);
    }
    put_symbol(&s, 256);
    put(&s, 0, 7);
    *out_size = s.used;
    pkm_free(f);
    return s.to;
}
