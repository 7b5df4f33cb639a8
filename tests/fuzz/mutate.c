#include "mutate.h"

#include "fuzz.h"

#include <ctype.h>

enum { MAX_SECTION = 96, MAX_POOL = 800, MAX_MADE = 600, MAX_DEPTH = 3 };

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t n_a, const uint8_t* b, size_t n_b,
                                 uint8_t* out, size_t max_size, unsigned seed);

// ---- chance, words, sections ------------------------------------------------------------------

static uint64_t chance;

static unsigned any(size_t n) // 0 ... n - 1
{
    chance ^= chance << 13, chance ^= chance >> 7, chance ^= chance << 17;
    return n > 0 ? (unsigned)((chance >> 11) % n) : 0;
}

static const pkm_section* sections[MAX_SECTION];
static int n_section;
static const char* pool[MAX_POOL]; ///< of words
static int n_pool;

static void collect(const pkm_section* section);

static void add_word(const char* word)
{
    if (word && n_pool < MAX_POOL) pool[n_pool++] = word;
}

static void collect_key(const pkm_key* key)
{
    add_word(key->name);
    for (int i = 0; key->words && key->words[i]; ++i)
        add_word(key->words[i]);
    if (key->section) collect(key->section);
    for (const pkm_key* form = key->either; form && form->kind; ++form)
        collect_key(form);
}

static void collect(const pkm_section* section)
{
    for (int i = 0; i < n_section; ++i)
        if (sections[i]->key == section->key) return;
    if (n_section == MAX_SECTION) return;
    sections[n_section++] = section;
    const pkm_key* key;
    for (int i = 0; (key = pkm_section_key(section, i)); ++i)
        collect_key(key);
}

static void begin(unsigned seed)
{
    static const char* const values[] = {
        "0",     "1",     "-1",    "2",         "1e-3",   "1e30",    "-1e-30", "0.5",
        "100",   "10 mm", "3 kg",  "90 deg",    "2 Hz",   "5 N",     "7 N m",  "1 m/s",
        "10 ms", "true",  "none",  "[0, 0, 1]", "[1, 2]", "{a: 1}",  "[]",     "{}",
        "x",     "-y",    "all",   "\"*\"",     "",       "= 1 + 2", "= t",    "steel",
        "20 %",  "~",     "1 1/s", "nan",       "inf",    "=sqrt(2)"};
    chance = (uint64_t)seed * 0x9e3779b97f4a7c15u + 1;
    if (n_pool > 0) return;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
        add_word(values[i]);
    for (int i = 0; fuzz_grammar_of_target.name[i]; ++i)
        add_word(fuzz_grammar_of_target.name[i]);
    if (fuzz_grammar_of_target.file) collect(fuzz_grammar_of_target.file);
}

// ---- values that a key may have ---------------------------------------------------------------

typedef struct made {
    char text[MAX_MADE];
    size_t n;
} made;

static void put(made* out, const char* text)
{
    for (; *text && out->n + 1 < MAX_MADE; ++text)
        out->text[out->n++] = *text;
    out->text[out->n] = '\0';
}

static void put_name(made* out)
{
    int n = 0;
    while (fuzz_grammar_of_target.name[n])
        ++n;
    put(out, n > 0 ? fuzz_grammar_of_target.name[any((size_t)n)] : "a");
}

static void put_number(made* out, const pkm_key* key)
{
    static const char* const number[] = {"0",    "1",   "-1",   "2.5", "1e-3", "0.1", "1e9",
                                         "1e-9", "= 2", "= t2", "10",  "3",    "200", "1e400"};
    put(out, number[any(sizeof number / sizeof number[0])]);
    const pkm_dimension one = key->dimension ? *key->dimension : pkm_dim_one;
    const pkm_dimension is = any(4) == 0 ? pkm_dimension_turned(one) : one;
    if (key->dimension && any(3) > 0) {
        put(out, " ");
        put(out, pkm_dimension_unit(is).text);
    }
}

static void put_value(made* out, const pkm_key* key, int depth);

static void put_map(made* out, const pkm_section* section, int depth)
{
    int n = 0;
    while (pkm_section_key(section, n))
        ++n;
    put(out, "{");
    for (unsigned k = any(4) + 1; k > 0; --k) {
        const pkm_key* key = pkm_section_key(section, (int)any((size_t)n));
        if (!key || !key->name) break;
        put(out, key->name);
        put(out, ": ");
        put_value(out, key, depth + 1);
        if (k > 1) put(out, ", ");
    }
    put(out, "}");
}

static void put_list(made* out, const pkm_key* key, int depth)
{
    static const pkm_key number = {.kind = PKM_KEY_NUMBER};
    int n = key->n_most > 0 && key->n_most < 8 ? key->n_most : 1 + (int)any(3);
    if (any(5) == 0) n = (int)any(8);
    put(out, "[");
    for (int i = 0; i < n; ++i) {
        if (i > 0) put(out, ", ");
        if (key->kind == PKM_KEY_LIST)
            put_value(out, key->either && key->either->kind ? key->either : &number, depth + 1);
        else
            put_number(out, key);
    }
    put(out, "]");
}

/// One of the forms that may stand there.
static void put_form(made* out, const pkm_key* key, int depth)
{
    int n = 0;
    while (key->either && key->either[n].kind)
        ++n;
    if (n > 0)
        put_value(out, &key->either[any((size_t)n)], depth + 1);
    else if (key->section)
        put_map(out, key->section, depth + 1);
    else
        put(out, pool[any((size_t)n_pool)]);
}

static void put_each(made* out, const pkm_key* key, int depth)
{
    put(out, "{");
    put_name(out);
    put(out, ": ");
    put_form(out, key, depth);
    put(out, "}");
}

static void put_value(made* out, const pkm_key* key, int depth)
{
    int n = 0;
    if (depth > MAX_DEPTH || any(12) == 0) {
        put(out, pool[any((size_t)n_pool)]);
        return;
    }
    switch (key->kind) {
    case PKM_KEY_NUMBER:
        put_number(out, key);
        break;
    case PKM_KEY_COUNT:
        put(out, any(2) ? "2" : "7");
        break;
    case PKM_KEY_WORD:
        while (key->words && key->words[n])
            ++n;
        put(out, n > 0 ? key->words[any((size_t)n)] : "a");
        break;
    case PKM_KEY_FLAG:
        put(out, any(2) ? "true" : "false");
        break;
    case PKM_KEY_AXIS:
        put(out, any(2) ? "-z" : "[0, 1, 0]");
        break;
    case PKM_KEY_VECTOR:
    case PKM_KEY_SIX:
    case PKM_KEY_NUMBERS:
    case PKM_KEY_LIST:
        put_list(out, key, depth);
        break;
    case PKM_KEY_TEXT:
    case PKM_KEY_MARKER:
    case PKM_KEY_JOINT:
        put_name(out);
        break;
    case PKM_KEY_VERSION:
        put(out, "1");
        break;
    case PKM_KEY_MAP:
        if (key->section) put_map(out, key->section, depth);
        break;
    case PKM_KEY_EACH:
        put_each(out, key, depth);
        break;
    default:
        put_form(out, key, depth);
        break;
    }
}

// ---- places in a text -------------------------------------------------------------------------

typedef struct text {
    char* at;
    size_t n, max;
} text;

/// Put `n` bytes in place of those from `from` to `to`, where there is room.
static bool replace(text* t, size_t from, size_t to, const char* with, size_t n)
{
    if (t->n - (to - from) + n > t->max) return false;
    memmove(t->at + from + n, t->at + to, t->n - to);
    memcpy(t->at + from, with, n);
    t->n += n - (to - from);
    return true;
}

static size_t line_end(const text* t, size_t at)
{
    while (at < t->n && t->at[at] != '\n')
        ++at;
    return at < t->n ? at + 1 : at;
}

static size_t any_line(const text* t)
{
    size_t at = any(t->n + 1);
    while (at > 0 && t->at[at - 1] != '\n')
        --at;
    return at;
}

static size_t indent_of(const text* t, size_t line)
{
    size_t n = 0;
    while (line + n < t->n && (t->at[line + n] == ' ' || t->at[line + n] == '-'))
        ++n;
    return n;
}

/// The end of a line with all that is below it.
static size_t block_end(const text* t, size_t line)
{
    const size_t indent = indent_of(t, line);
    size_t end = line_end(t, line);
    while (end < t->n && indent_of(t, end) > indent)
        end = line_end(t, end);
    return end;
}

/// The word at a place; its end.
static size_t word_end(const text* t, size_t at)
{
    while (at < t->n && (isalnum((unsigned char)t->at[at]) || strchr("_.*-+", t->at[at])))
        ++at;
    return at;
}

/// A section that has the key at a place; any other when there is none.
static const pkm_section* section_at(const text* t, size_t at)
{
    char word[40];
    const size_t n = word_end(t, at) - at;
    if (n_section == 0) return NULL;
    const unsigned first = any((size_t)n_section);
    if (n > 0 && n < sizeof word) {
        memcpy(word, t->at + at, n);
        word[n] = '\0';
        for (int i = 0; i < n_section; ++i) {
            const pkm_section* section = sections[(first + (unsigned)i) % (unsigned)n_section];
            if (pkm_section_find(section, word, NULL)) return section;
        }
    }
    return sections[first];
}

/// `key: value` of a section.
static void put_entry(made* out, const pkm_section* section)
{
    const pkm_key* key = NULL;
    int n = 0;
    while (section && pkm_section_key(section, n))
        ++n;
    if (n > 0) key = pkm_section_key(section, (int)any((size_t)n));
    put(out, key && key->name ? key->name : pool[any((size_t)n_pool)]);
    put(out, ": ");
    if (key)
        put_value(out, key, 0);
    else
        put(out, pool[any((size_t)n_pool)]);
}

// ---- mutations --------------------------------------------------------------------------------

/// A further line beside another, or below it.
static bool add_line(text* t)
{
    made line = {.n = 0};
    const size_t at = any_line(t), indent = indent_of(t, at) + (any(4) == 0 ? 2 : 0);
    const pkm_section* section = any(6) == 0 ? NULL : section_at(t, at + indent_of(t, at));
    for (size_t i = 0; i < indent && i < 20; ++i)
        put(&line, " ");
    if (any(5) == 0 && indent == 0 && n_section > 0) section = sections[0];
    put_entry(&line, section);
    put(&line, "\n");
    return replace(t, at, at, line.text, line.n);
}

static bool add_to_map(text* t)
{
    made entry = {.n = 0};
    size_t at = any(t->n + 1);
    while (at < t->n && t->at[at] != '{')
        ++at;
    if (at == t->n) return false;
    put_entry(&entry, section_at(t, at + 1));
    if (at + 1 < t->n && t->at[at + 1] != '}') put(&entry, ", ");
    return replace(t, at + 1, at + 1, entry.text, entry.n);
}

/// Another value of a key, of its kind where that is known.
static bool change_value(text* t)
{
    made value = {.n = 0};
    const size_t line = any_line(t), begin_key = line + indent_of(t, line);
    const size_t end_key = word_end(t, begin_key);
    size_t end = line_end(t, line);
    if (end > line && t->at[end - 1] == '\n') --end;
    if (end_key >= end || t->at[end_key] != ':') return false;
    const pkm_section* section = section_at(t, begin_key);
    char word[40] = "";
    if (end_key - begin_key < sizeof word) memcpy(word, t->at + begin_key, end_key - begin_key);
    const pkm_key* key = section ? pkm_section_find(section, word, NULL) : NULL;
    put(&value, " ");
    if (key)
        put_value(&value, key, 0);
    else
        put(&value, pool[any((size_t)n_pool)]);
    return replace(t, end_key + 1, end, value.text, value.n);
}

static bool change_word(text* t)
{
    size_t at = any(t->n + 1);
    while (at < t->n && word_end(t, at) == at)
        ++at;
    if (at == t->n) return false;
    const size_t end = word_end(t, at);
    if (any(3) > 0) {
        const char* word = pool[any((size_t)n_pool)];
        return replace(t, at, end, word, strlen(word));
    }
    char copy[40]; // a word of the same text
    const size_t from = any(t->n), n = word_end(t, from) - from;
    if (n == 0 || n > sizeof copy) return false;
    memcpy(copy, t->at + from, n);
    return replace(t, at, end, copy, n);
}

static bool remove_block(text* t)
{
    const size_t at = any_line(t);
    return replace(t, at, any(2) ? line_end(t, at) : block_end(t, at), "", 0);
}

static bool copy_block(text* t)
{
    char copy[400];
    const size_t from = any_line(t), n = block_end(t, from) - from, to = any_line(t);
    if (n > sizeof copy) return false;
    memcpy(copy, t->at + from, n);
    return replace(t, to, to, copy, n);
}

static bool change_indent(text* t)
{
    const size_t at = any_line(t);
    if (any(2)) return replace(t, at, at, "  ", 2);
    return indent_of(t, at) >= 2 && replace(t, at, at + 2, "", 0);
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    static bool (*const way[])(text*) = {add_line,     add_to_map,  change_value,
                                         change_value, change_word, change_word,
                                         remove_block, copy_block,  change_indent};
    begin(seed);
    if (any(3) == 0) return LLVMFuzzerMutate(data, size, max_size);
    text t = {(char*)data, size, max_size};
    bool is_changed = false;
    for (unsigned k = 1 + any(3); k > 0; --k)
        is_changed |= way[any(sizeof way / sizeof way[0])](&t);
    return is_changed ? t.n : LLVMFuzzerMutate(data, size, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t n_a, const uint8_t* b, size_t n_b,
                                 uint8_t* out, size_t max_size, unsigned seed)
{
    begin(seed);
    if (n_a > max_size) return 0;
    memcpy(out, a, n_a);
    text t = {(char*)out, n_a, max_size};
    text other = {(char*)(uintptr_t)b, n_b, n_b}; // only read
    const size_t from = any_line(&other), n = block_end(&other, from) - from, to = any_line(&t);
    const size_t end = any(2) ? block_end(&t, to) : to;
    (void)replace(&t, to, end, other.at + from, n);
    return t.n;
}
