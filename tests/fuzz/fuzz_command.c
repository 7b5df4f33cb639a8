// Command lines: the options of a verb, one word per line; the first byte chooses the verb.
#include "fuzz.h"

#include "verb/commands.h"

enum { MAX_WORD = 40 };

/// The verb that the byte chooses, of all.
static const char* choose_verb(uint8_t byte)
{
    int n = 0;
    while (pkm_verb_at(n))
        ++n;
    return pkm_verb_name(pkm_verb_at(byte % n));
}

/// The same words as a command line and as options by name.
static void take(const char* verb, int n, const char* const* words)
{
    pkm_call* call = NULL;
    for (int by_name = 0; by_name < 2; ++by_name) {
        pkm_error err = {0};
        FUZZ_CHECK(pkm_call_create(verb, &call, &err) == PKM_OK);
        pkm_status status = by_name ? PKM_OK : pkm_call_words(call, n, words, &err);
        for (int i = 0; by_name && status == PKM_OK && i + 1 < n; i += 2)
            status = pkm_call_set(call, words[i], words[i + 1], &err);
        if (status != PKM_OK) FUZZ_CHECK(err.text[0]);
        pkm_call_free(call);
    }
}

int fuzz_one(const uint8_t* data, size_t size)
{
    if (size < 1) return 0;
    char *text = fuzz_text(data + 1, size - 1), *word[MAX_WORD + 1] = {NULL};
    int n = 0;
    for (char* at = strtok(text, "\n"); at && n < MAX_WORD; at = strtok(NULL, "\n"))
        word[n++] = at;
    pkm_error err = {0};
    take(choose_verb(data[0]), n, (const char* const*)word);
    static const char* const unit[] = {"m", "deg", "N m"};
    for (int i = 0; i < n; ++i) {
        double x[3];
        int n_number;
        (void)!pkm_verb_number(word[i], "m", "--x", x, &err);
        (void)!pkm_verb_numbers(word[i], unit, "--x", 3, x, &n_number, &err);
        (void)!pkm_verb_integer(word[i], 1, "--instants", &n_number, &err);
    }
    free(text);
    return 0;
}
