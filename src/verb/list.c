#include "verb/commands.h"

#define VERB(name) &cli_##name,
static const cli_verb* const verbs[] = {CLI_VERBS(VERB)};
#undef VERB
enum { N_VERB = sizeof verbs / sizeof verbs[0] };

const cli_verb* cli_verb_at(int i)
{
    return i >= 0 && i < N_VERB ? verbs[i] : NULL;
}
