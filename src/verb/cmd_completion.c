#include "base/error.h"
#include "verb/commands.h"

#include <stdio.h>
#include <string.h>

static int run(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_completion = {
    .name = "completion",
    .operand = "SHELL",
    .text = "completion of verbs and options for bash, zsh or fish; man: the manual page",
    .help =
        "Prints the script that a shell reads to complete commands, or the manual page as roff.\n"
        "make install puts them in their places.",
    .example = "pkm completion bash",
    .another = "pkm completion man",
    .run = run,
};

/// Text of an option; single quotes, which shells would end at, become others.
static void put_text(const cli_option* option)
{
    char text[CLI_TEXT];
    cli_option_text(option, text);
    for (char* c = text; *c; ++c)
        if (strchr("'[]:", *c)) *c = ' ';
    fputs(text, stdout);
}

static void put_words(const char* const* words, const char* between)
{
    for (int i = 0; words[i]; ++i)
        printf("%s%s", i ? between : "", words[i]);
}

// ---- bash -------------------------------------------------------------------------------------

static void put_bash_verb(const cli_verb* verb)
{
    const cli_option* option;
    printf("    %s)\n        case $prev in\n", verb->name);
    for (int i = 0; (option = cli_option_at(verb, i)); ++i) {
        const char* const* words = cli_option_words(option);
        if (!option->argument) continue;
        printf("        %s) ", option->name);
        if (words) {
            printf("COMPREPLY=($(compgen -W '");
            put_words(words, " ");
            printf("' -- \"$cur\")); ");
        } else if (strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "DIR") == 0) {
            printf("COMPREPLY=($(compgen -f -- \"$cur\")); ");
        }
        printf("return ;;\n");
    }
    printf("        esac\n        options='");
    for (int i = 0; (option = cli_option_at(verb, i)); ++i)
        printf("%s%s", i ? " " : "", option->name);
    printf("' ;;\n");
}

static void put_bash(void)
{
    printf("# pkm: completion for bash\n_pkm()\n{\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=\n"
           "    if ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W '");
    for (int v = 0; cli_verb_at(v); ++v)
        printf("%s ", cli_verb_at(v)->name);
    printf(
        "--help --version' -- \"$cur\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (int v = 0; cli_verb_at(v); ++v)
        put_bash_verb(cli_verb_at(v));
    printf("    esac\n    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- "
           "\"$cur\"))\n"
           "    else COMPREPLY=($(compgen -f -- \"$cur\")); fi\n}\n"
           "complete -o filenames -F _pkm pkm\n");
}

// ---- zsh and fish -----------------------------------------------------------------------------

static void put_zsh_option(const cli_option* option)
{
    const char* const* words = cli_option_words(option);
    printf("            '%s%s[", option->repeats ? "*" : "", option->name);
    put_text(option);
    printf("]");
    if (option->argument && words) {
        printf(":value:(");
        put_words(words, " ");
        printf(")");
    } else if (option->argument) {
        const bool is_path =
            strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "DIR") == 0;
        printf(":value:%s", is_path ? "_files" : "");
    }
    printf("' \\\n");
}

static void put_zsh(void)
{
    printf("#compdef pkm\n# pkm: completion for zsh\n_pkm()\n{\n    local -a verbs=(\n");
    for (int v = 0; cli_verb_at(v); ++v)
        printf("        '%s:%s'\n", cli_verb_at(v)->name, cli_verb_at(v)->text);
    printf("    )\n    if ((CURRENT == 2)); then _describe verb verbs; return; fi\n"
           "    local verb=$words[2]\n    shift words\n    ((CURRENT--))\n    case $verb in\n");
    for (int v = 0; cli_verb_at(v); ++v) {
        printf("    %s)\n        _arguments \\\n", cli_verb_at(v)->name);
        for (int i = 0; cli_option_at(cli_verb_at(v), i); ++i)
            put_zsh_option(cli_option_at(cli_verb_at(v), i));
        printf("            '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_pkm \"$@\"\n");
}

static void put_fish_option(const cli_verb* verb, const cli_option* option)
{
    const char* const* words = cli_option_words(option);
    const bool is_long = option->name[1] == '-';
    printf("complete -c pkm -n '__fish_seen_subcommand_from %s' -%s %s%s -d '", verb->name,
           is_long ? "l" : "s", option->name + 1 + is_long, option->argument ? " -r" : "");
    put_text(option);
    printf("'");
    if (words) {
        printf(" -x -a '");
        put_words(words, " ");
        printf("'");
    }
    printf("\n");
}

static void put_fish(void)
{
    printf("# pkm: completion for fish\n");
    for (int v = 0; cli_verb_at(v); ++v)
        printf("complete -c pkm -n __fish_use_subcommand -f -a %s -d '%s'\n", cli_verb_at(v)->name,
               cli_verb_at(v)->text);
    for (int v = 0; cli_verb_at(v); ++v)
        for (int i = 0; cli_option_at(cli_verb_at(v), i); ++i)
            put_fish_option(cli_verb_at(v), cli_option_at(cli_verb_at(v), i));
}

// ---- the manual page --------------------------------------------------------------------------

/// Text for roff: dashes and backslashes as they are, no line that begins with a dot.
static void put_roff(const char* text)
{
    bool begins = true;
    for (; *text; ++text) {
        if (begins && strchr(".'", *text)) fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        begins = *text == '\n';
    }
}

static void put_manual_verb(const cli_verb* verb)
{
    const cli_option* option;
    char text[CLI_TEXT];
    printf(".SS pkm %s %s\n", verb->name, verb->operand);
    put_roff(verb->help);
    printf("\n");
    for (int i = 0; i < verb->n_option && (option = cli_option_at(verb, i)); ++i) {
        printf(".TP\n\\fB");
        put_roff(option->name);
        printf("\\fR");
        if (option->argument) printf(" ");
        put_roff(option->argument ? option->argument : "");
        printf("\n");
        cli_option_text(option, text);
        put_roff(text);
        printf("\n");
    }
    printf(".PP\n.nf\n");
    put_roff(verb->example);
    printf("\n");
    put_roff(verb->another);
    printf("\n.fi\n");
}

static void put_manual(void)
{
    printf(".TH PKM 1 \"\" \"pkm " PKM_VERSION "\" \"User Commands\"\n.SH NAME\n"
           "pkm \\- motion, driving forces, friction, flexible links and clearance of parallel "
           "robots\n.SH SYNOPSIS\n\\fBpkm\\fR VERB MODEL [options]\n.SH VERBS\n");
    for (int v = 0; cli_verb_at(v); ++v)
        put_manual_verb(cli_verb_at(v));
    printf(".SH OPTIONS OF ALL VERBS\n"
           ".TP\n\\fB\\-\\-set\\fR NAME=VALUE\noverride a parameter of the model; may be repeated\n"
           ".TP\n\\fB\\-\\-json\\fR\nprint the result as JSON\n"
           ".TP\n\\fB\\-\\-help\\fR\nwhat the verb does and its options\n"
           ".SH EXIT STATUS\n0 answered, 1 out of memory, 2 bad input, 3 no answer, 4 a study with "
           "failed cases, 5 budget used up, 128 + n stopped by signal n.\n");
}

static int run(const cli_verb* verb, int argc, char** argv)
{
    static const struct {
        const char* name;
        void (*put)(void);
    } kinds[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}, {"man", put_manual}};
    cli_arguments args;
    pkm_error err = {0};
    if (cli_parse(verb, argc, argv, &args, &err) != PKM_OK) return cli_fail(&err);
    if (args.help) {
        cli_print_help(verb);
        return 0;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
        if (strcmp(kinds[k].name, args.model) == 0) {
            kinds[k].put();
            return 0;
        }
    pkm_fail(&err, PKM_ERR_ARGUMENT, "'%.60s' is no shell, expected bash, zsh, fish, or man",
             args.model);
    return cli_fail(&err);
}
