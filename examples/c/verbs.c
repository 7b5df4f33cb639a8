// Any verb of the program by its command line, and every value that it answers.
//
//     verbs motors robots/siax.yaml --motors motors/servo.yaml
//     verbs check robots/siax.yaml
#include <pkm/pkm.h>

#include <stdio.h>
#include <string.h>

/// Every value below `node`, one per line: path, value, unit.
static void print_tree(const pkm_result* node, const char* path)
{
    char below[400];
    int k = 0;
    switch (pkm_result_get_kind(node)) {
    case PKM_RESULT_GROUP:
    case PKM_RESULT_LIST:
        for (const pkm_result* at = pkm_result_first(node); at; at = pkm_result_next(at)) {
            const char* key = pkm_result_key(at);
            if (*key)
                snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", key);
            else // members of lists have places
                snprintf(below, sizeof below, "%s.%d", path, k++);
            if (*key != '_') print_tree(at, below);
        }
        break;
    case PKM_RESULT_TEXT:
        printf("%s = %s\n", path, pkm_result_get_text(node) ? pkm_result_get_text(node) : "");
        break;
    case PKM_RESULT_NUMBERS:
        for (k = 0; k < pkm_result_count(node); ++k)
            printf("%s.%d = %.9g %s\n", path, k, pkm_result_value(node, k), pkm_result_unit(node));
        break;
    default:
        printf("%s = %.9g %s\n", path, pkm_result_value(node, 0), pkm_result_unit(node));
    }
}

int main(int argc, char** argv)
{
    pkm_call* call = NULL;
    pkm_error err = {0};
    if (argc < 2) {
        for (int v = 0; pkm_verb_at(v); ++v)
            printf("%-15s %s\n", pkm_verb_name(pkm_verb_at(v)), pkm_verb_summary(pkm_verb_at(v)));
        return 2;
    }
    pkm_status status = pkm_call_create(argv[1], &call, &err);
    if (status == PKM_OK)
        status = pkm_call_words(call, argc - 2, (const char* const*)(argv + 2), &err);
    if (status == PKM_OK) status = pkm_call_run(call, &err);
    if (status == PKM_OK) {
        const pkm_result* best = pkm_result_find(pkm_call_result(call), "best");
        if (best) printf("smallest that serves: %s\n", pkm_result_get_text(best));
        print_tree(pkm_call_result(call), "");
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    pkm_call_free(call);
    return pkm_status_exit_code(status);
}
