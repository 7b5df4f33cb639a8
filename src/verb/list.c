// The verbs and their options for callers that ask what there is: Python and completion are made
// from these answers.
#include "verb/commands.h"

#include <string.h>

#define VERB(name) &pkm_verb_##name,
static const pkm_verb* const verbs[] = {VERB_LIST(VERB)};
#undef VERB
enum { N_VERB = sizeof verbs / sizeof verbs[0] };

const pkm_verb* pkm_verb_top(int i)
{
    return i >= 0 && i < N_VERB ? verbs[i] : NULL;
}

// ---- pkm/verb.h -------------------------------------------------------------------------------

const pkm_verb* pkm_verb_at(int i)
{
    for (int v = 0; v < N_VERB && i >= 0; ++v) {
        if (i-- == 0) return verbs[v];
        for (int k = 0; verbs[v]->kinds && verbs[v]->kinds[k]; ++k)
            if (i-- == 0) return verbs[v]->kinds[k];
    }
    return NULL;
}

const pkm_verb* pkm_verb_find(const char* name)
{
    const pkm_verb* verb = NULL;
    for (int i = 0; name && (verb = pkm_verb_at(i)); ++i)
        if (strcmp(verb->name, name) == 0) break;
    return verb;
}

const char* pkm_verb_name(const pkm_verb* verb)
{
    return verb ? verb->name : NULL;
}

const char* pkm_verb_summary(const pkm_verb* verb)
{
    return verb ? verb->text : NULL;
}

const char* pkm_verb_operand(const pkm_verb* verb)
{
    return verb ? verb->operand : NULL;
}

int pkm_verb_n_option(const pkm_verb* verb)
{
    int n = 0;
    while (verb && pkm_verb_option_at(verb, n))
        ++n;
    return n;
}

static const pkm_verb_option* option_at(const pkm_verb* verb, int i)
{
    return verb && i >= 0 ? pkm_verb_option_at(verb, i) : NULL;
}

const char* pkm_verb_option_name(const pkm_verb* verb, int i)
{
    const pkm_verb_option* option = option_at(verb, i);
    return option ? option->name : NULL;
}

const char* pkm_verb_option_argument(const pkm_verb* verb, int i)
{
    const pkm_verb_option* option = option_at(verb, i);
    return option ? option->argument : NULL;
}

const char* pkm_verb_option_text(const pkm_verb* verb, int i)
{
    const pkm_verb_option* option = option_at(verb, i);
    return option ? pkm_verb_option_sentence(option) : NULL;
}

bool pkm_verb_option_repeats(const pkm_verb* verb, int i)
{
    const pkm_verb_option* option = option_at(verb, i);
    return option && option->repeats;
}
