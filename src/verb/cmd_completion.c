// pkm completion: scripts for bash, zsh and fish and the manual page, all printed from the tables
// of verbs and options.
#include "base/error.h"
#include "verb/commands.h"

#include <stdio.h>
#include <string.h>

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_completion = {
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
static void put_text(pkm_stream* out, const pkm_verb_option* option)
{
    char text[VERB_TEXT];
    pkm_verb_option_help(option, text);
    for (char* c = text; *c; ++c)
        // all three shells read these as their own
        if (strchr("'[]:", *c)) *c = ' ';
    pkm_stream_text(out, text);
}

static void put_words(pkm_stream* out, const char* const* words, const char* between)
{
    for (int i = 0; words[i]; ++i)
        pkm_stream_format(out, "%s%s", i ? between : "", words[i]);
}

// ---- bash -------------------------------------------------------------------------------------

static void put_bash_verb(pkm_stream* out, const pkm_verb* verb)
{
    const pkm_verb_option* option;
    pkm_stream_format(out, "    %s)\n        case $prev in\n", verb->name);
    for (int i = 0; (option = pkm_verb_option_at(verb, i)); ++i) {
        const char* const* words = pkm_verb_option_words(option);
        if (!option->argument) continue;
        pkm_stream_format(out, "        %s) ", option->name);
        if (words) {
            pkm_stream_text(out, "COMPREPLY=($(compgen -W '");
            put_words(out, words, " ");
            pkm_stream_text(out, "' -- \"$cur\")); ");
        } else if (strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "DIR") == 0) {
            pkm_stream_text(out, "COMPREPLY=($(compgen -f -- \"$cur\")); ");
        }
        pkm_stream_text(out, "return ;;\n");
    }
    pkm_stream_text(out, "        esac\n        options='");
    for (int i = 0; (option = pkm_verb_option_at(verb, i)); ++i)
        pkm_stream_format(out, "%s%s", i ? " " : "", option->name);
    pkm_stream_text(out, "' ;;\n");
}

static void put_bash(pkm_stream* out)
{
    pkm_stream_text(
        out, "# pkm: completion for bash\n_pkm()\n{\n"
             "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=\n"
             "    if ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W '");
    for (int v = 0; pkm_verb_top(v); ++v)
        pkm_stream_format(out, "%s ", pkm_verb_top(v)->name);
    pkm_stream_text(
        out,
        "--help --version' -- \"$cur\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n");
    for (int v = 0; pkm_verb_top(v); ++v)
        put_bash_verb(out, pkm_verb_top(v));
    pkm_stream_text(
        out, "    esac\n    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- "
             "\"$cur\"))\n"
             "    else COMPREPLY=($(compgen -f -- \"$cur\")); fi\n}\n"
             "complete -o filenames -F _pkm pkm\n");
}

// ---- zsh and fish -----------------------------------------------------------------------------

static void put_zsh_option(pkm_stream* out, const pkm_verb_option* option)
{
    const char* const* words = pkm_verb_option_words(option);
    pkm_stream_format(out, "            '%s%s[", option->repeats ? "*" : "", option->name);
    put_text(out, option);
    pkm_stream_text(out, "]");
    if (option->argument && words) {
        pkm_stream_text(out, ":value:(");
        put_words(out, words, " ");
        pkm_stream_text(out, ")");
    } else if (option->argument) {
        const bool is_path =
            strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "DIR") == 0;
        pkm_stream_format(out, ":value:%s", is_path ? "_files" : "");
    }
    pkm_stream_text(out, "' \\\n");
}

static void put_zsh(pkm_stream* out)
{
    pkm_stream_text(out,
                    "#compdef pkm\n# pkm: completion for zsh\n_pkm()\n{\n    local -a verbs=(\n");
    for (int v = 0; pkm_verb_top(v); ++v)
        pkm_stream_format(out, "        '%s:%s'\n", pkm_verb_top(v)->name, pkm_verb_top(v)->text);
    pkm_stream_text(
        out, "    )\n    if ((CURRENT == 2)); then _describe verb verbs; return; fi\n"
             "    local verb=$words[2]\n    shift words\n    ((CURRENT--))\n    case $verb in\n");
    for (int v = 0; pkm_verb_top(v); ++v) {
        pkm_stream_format(out, "    %s)\n        _arguments \\\n", pkm_verb_top(v)->name);
        for (int i = 0; pkm_verb_option_at(pkm_verb_top(v), i); ++i)
            put_zsh_option(out, pkm_verb_option_at(pkm_verb_top(v), i));
        pkm_stream_text(out, "            '*:file:_files' ;;\n");
    }
    pkm_stream_text(out, "    esac\n}\n_pkm \"$@\"\n");
}

static void put_fish_option(pkm_stream* out, const pkm_verb* verb, const pkm_verb_option* option)
{
    const char* const* words = pkm_verb_option_words(option);
    const bool is_long = option->name[1] == '-';
    pkm_stream_format(out, "complete -c pkm -n '__fish_seen_subcommand_from %s' -%s %s%s -d '",
                      verb->name, is_long ? "l" : "s", option->name + 1 + is_long,
                      option->argument ? " -r" : "");
    put_text(out, option);
    pkm_stream_text(out, "'");
    if (words) {
        pkm_stream_text(out, " -x -a '");
        put_words(out, words, " ");
        pkm_stream_text(out, "'");
    }
    pkm_stream_text(out, "\n");
}

static void put_fish(pkm_stream* out)
{
    pkm_stream_text(out, "# pkm: completion for fish\n");
    for (int v = 0; pkm_verb_top(v); ++v)
        pkm_stream_format(out, "complete -c pkm -n __fish_use_subcommand -f -a %s -d '%s'\n",
                          pkm_verb_top(v)->name, pkm_verb_top(v)->text);
    for (int v = 0; pkm_verb_top(v); ++v)
        for (int i = 0; pkm_verb_option_at(pkm_verb_top(v), i); ++i)
            put_fish_option(out, pkm_verb_top(v), pkm_verb_option_at(pkm_verb_top(v), i));
}

// ---- the manual page --------------------------------------------------------------------------

/// Text for roff: dashes and backslashes as they are, no line that begins with a dot.
static void put_roff(pkm_stream* out, const char* text)
{
    bool begins = true;
    for (; *text; ++text) {
        if (begins && strchr(".'", *text)) pkm_stream_text(out, "\\&");
        if (*text == '\\')
            pkm_stream_text(out, "\\e");
        else if (*text == '-')
            pkm_stream_text(out, "\\-");
        else
            pkm_stream_write(out, text, 1);
        // a dot or quote at the start of a line would be a request of roff
        begins = *text == '\n';
    }
}

static void put_manual_verb(pkm_stream* out, const pkm_verb* verb)
{
    const pkm_verb_option* option;
    char text[VERB_TEXT];
    pkm_stream_format(out, ".SS pkm %s %s\n", verb->name, verb->operand);
    put_roff(out, verb->help);
    pkm_stream_text(out, "\n");
    for (int i = 0; i < verb->n_option && (option = pkm_verb_option_at(verb, i)); ++i) {
        pkm_stream_text(out, ".TP\n\\fB");
        put_roff(out, option->name);
        pkm_stream_text(out, "\\fR");
        if (option->argument) pkm_stream_text(out, " ");
        put_roff(out, option->argument ? option->argument : "");
        pkm_stream_text(out, "\n");
        pkm_verb_option_help(option, text);
        put_roff(out, text);
        pkm_stream_text(out, "\n");
    }
    pkm_stream_text(out, ".PP\n.nf\n");
    put_roff(out, verb->example);
    pkm_stream_text(out, "\n");
    put_roff(out, verb->another);
    pkm_stream_text(out, "\n.fi\n");
}

static void put_manual(pkm_stream* out)
{
    pkm_stream_text(
        out, ".TH PKM 1 \"\" \"pkm " PKM_VERSION "\" \"User Commands\"\n.SH NAME\n"
             "pkm \\- motion, driving forces, friction, flexible links and clearance of parallel "
             "robots\n.SH SYNOPSIS\n\\fBpkm\\fR VERB MODEL [options]\n.SH VERBS\n");
    for (int v = 0; pkm_verb_top(v); ++v)
        put_manual_verb(out, pkm_verb_top(v));
    pkm_stream_text(
        out,
        ".SH OPTIONS OF ALL VERBS\n"
        ".TP\n\\fB\\-\\-set\\fR NAME=VALUE\noverride a parameter of the model; may be repeated\n"
        ".TP\n\\fB\\-\\-json\\fR\nprint the result as JSON\n"
        ".TP\n\\fB\\-\\-help\\fR\nwhat the verb does and its options\n"
        ".SH EXIT STATUS\n0 answered, 1 out of memory, 2 bad input, 3 no answer, 4 a study with "
        "failed cases, 5 budget used up, 128 + n stopped by signal n.\n");
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    static const struct {
        const char* name;
        void (*put)(pkm_stream* out);
    } kinds[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}, {"man", put_manual}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
        if (strcmp(kinds[k].name, args->model) == 0) {
            kinds[k].put(pkm_verb_said(args));
            return PKM_OK;
        }
    return pkm_fail(err, PKM_ERR_ARGUMENT, "'%.60s' is no shell, expected bash, zsh, fish, or man",
                    args->model);
}
