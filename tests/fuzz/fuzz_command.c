// Command lines: the options of a verb, one word per line; the first byte chooses the verb.
#include "fuzz.h"

#include "verb/commands.h"

enum { MAX_WORD = 40 };

#define VERB(name) &cli_##name,
static const cli_verb* const verbs[] = {CLI_VERBS(VERB) & cli_export_fmu, &cli_export_c};
#undef VERB
enum { N_VERB = sizeof verbs / sizeof verbs[0] };

int fuzz_one(const uint8_t* data, size_t size)
{
    if (size < 1) return 0;
    const cli_verb* verb = verbs[data[0] % N_VERB];
    char *text = fuzz_text(data + 1, size - 1), *word[MAX_WORD + 1] = {NULL};
    int n = 0;
    for (char* at = strtok(text, "\n"); at && n < MAX_WORD; at = strtok(NULL, "\n"))
        word[n++] = at;
    static cli_arguments args;
    pkm_error err = {0};
    if (cli_parse(verb, n, word, &args, &err) != PKM_OK) FUZZ_CHECK(err.text[0]);
    static const char* const unit[] = {"m", "deg", "N m"};
    for (int i = 0; i < n; ++i) {
        double x[3];
        int n_number;
        (void)!cli_number(word[i], "m", "--x", x, &err);
        (void)!cli_numbers(word[i], unit, "--x", 3, x, &n_number, &err);
        (void)!cli_integer(word[i], 1, "--instants", &n_number, &err);
    }
    free(text);
    return 0;
}
