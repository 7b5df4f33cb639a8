/// The derivation as a document of LaTeX: the same graphs as the code, in the letters of the
/// theory.
#include "base/error.h"
#include "generate/code_impl.h"

#include <stdio.h>
#include <string.h>

static const char* const SYMBOL[PKM_N_IN] = {
    [PKM_IN_Q] = "q",
    [PKM_IN_P] = "p",
    [PKM_IN_R] = "R",
    [PKM_IN_DRIVE] = "\\theta",
    [PKM_IN_RATE] = "\\dot{\\theta}",
    [PKM_IN_ACC] = "\\ddot{\\theta}",
    [PKM_IN_FORCE] = "f",
    [PKM_IN_TWIST] = "V",
    [PKM_IN_TWIST_RATE] = "\\dot{V}",
    [PKM_IN_WRENCH] = "W",
};

/// The symbol of an array of the code that a piece gives.
static const char* symbol_of(const char* array)
{
    static const char* const of[][2] = {
        {"drive", "\\theta"}, {"rate", "\\dot{\\theta}"}, {"acc", "\\ddot{\\theta}"},
        {"force", "f"},       {"next", "q^{+}"},          {"step", "\\delta"},
        {"ok", "c"}};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; ++k)
        if (strcmp(array, of[k][0]) == 0) return of[k][1];
    return array;
}

/// Names that LaTeX takes as they are.
static void quote(const char* from, char* out, size_t size)
{
    size_t n = 0;
    for (; *from && n + 20 < size; ++from) {
        if (strchr("_&%#$", *from))
            n += (size_t)snprintf(out + n, size - n, "\\%c", *from);
        else if (strchr("{}\\^~", *from))
            n += (size_t)snprintf(out + n, size - n, "-");
        else
            out[n++] = *from;
    }
    out[n] = '\0';
}

static const struct {
    pkm_code_piece piece;
    unsigned what;
    bool by_tool;
    const char *title, *text;
} SECTION[] = {
    {PKM_PIECE_TOOL_PASS, PKM_CODE_IK | PKM_CODE_INVERSE, true,
     "Loops from the tool: a pass of Newton's method",
     "Given the tool's position $p$, its axes $R$ by rows, and joint coordinates $q$ nearby; the "
     "pass gives the step $\\delta$ and better coordinates $q^{+}$."},
    {PKM_PIECE_DRIVE_PASS, PKM_CODE_FK | PKM_CODE_FORWARD | PKM_CODE_INVERSE, false,
     "Loops from the drives: a pass of Newton's method",
     "Given positions $\\theta$ of the drives and joint coordinates $q$ nearby."},
    {PKM_PIECE_POSE, PKM_CODE_IK | PKM_CODE_FK, false, "Drives and tool",
     "Positions $\\theta$ of the drives and the tool's $p$ and $R$ for joint coordinates $q$ of "
     "closed loops."},
    {PKM_PIECE_INVERSE_TOOL, PKM_CODE_INVERSE, true, "Drive forces of a motion of the tool",
     "Given $q$, the tool's twist $V$ (velocity, angular velocity), its rate $\\dot{V}$ and the "
     "wrench $W$ (force, torque) on the tool from outside."},
    {PKM_PIECE_INVERSE_DRIVES, PKM_CODE_INVERSE, false, "Drive forces of a motion of the drives",
     "Given $q$, rates $\\dot{\\theta}$ and accelerations $\\ddot{\\theta}$ of the drives, and "
     "$W$."},
    {PKM_PIECE_FORWARD, PKM_CODE_FORWARD, false, "Accelerations from drive forces",
     "Given $q$, $\\dot{\\theta}$, drive forces $f$ and $W$."},
    {PKM_PIECE_JACOBIAN, PKM_CODE_JACOBIAN, false, "Jacobian",
     "Tool twist per drive rate, by rows."},
};

static const struct {
    pkm_code_form piece;
    unsigned what;
    const char *title, *text;
} CLOSED_SECTION[] = {
    {PKM_FORM_IK, PKM_CODE_IK, "Drives from the tool",
     "Given the tool's position $p$ and its axes $R$ by rows. The numbers $c$ must be positive, or "
     "above 0 by what the code says."},
    {PKM_FORM_FK, PKM_CODE_FK, "Tool from the drives", "Given positions $\\theta$ of the drives."},
    {PKM_FORM_PASS, PKM_CODE_FK | PKM_CODE_INVERSE | PKM_CODE_FORWARD,
     "Tool from the drives: a pass of Newton's method",
     "Given positions $\\theta$ of the drives and a pose $p$, $R$ nearby; the pass gives the step "
     "$\\delta$ and the better pose $q^{+}$, its point and its axes by rows."},
    {PKM_FORM_INVERSE, PKM_CODE_INVERSE, "Drive forces of a motion of the tool",
     "Given $p$, $R$, the tool's twist $V$ (velocity, angular velocity), its rate $\\dot{V}$ and "
     "the wrench $W$ (force, torque) on the tool from outside."},
    {PKM_FORM_INVERSE_DRIVES, PKM_CODE_INVERSE, "Drive forces of a motion of the drives",
     "Given $\\theta$, rates $\\dot{\\theta}$ and accelerations $\\ddot{\\theta}$ of the drives, "
     "and $W$."},
    {PKM_FORM_FORWARD, PKM_CODE_FORWARD, "Accelerations from drive forces",
     "Given $\\theta$, $\\dot{\\theta}$, drive forces $f$ and $W$."},
    {PKM_FORM_JACOBIAN, PKM_CODE_JACOBIAN, "Jacobian", "Tool twist per drive rate, by rows."},
};

/// A section, whose program is freed.
static pkm_status write_section(pkm_code_program* program, const char* title, const char* text,
                                pkm_stream* to, pkm_error* err)
{
    for (int i = 0; i < program->n_output; ++i)
        program->output[i].array = symbol_of(program->output[i].array);
    for (int i = 0; i < program->graph.n_note; ++i) {
        char plain[sizeof program->graph.note[i]];
        memcpy(plain, program->graph.note[i], sizeof plain);
        quote(plain, program->graph.note[i], sizeof program->graph.note[i]);
    }
    pkm_stream_format(to, "\\section{%s}\n%s\n\n\\noindent\n", title, text);
    const pkm_status status =
        pkm_graph_print_latex(&program->graph, to, SYMBOL, program->output, program->n_output, err);
    pkm_code_program_free(program);
    return status;
}

static pkm_status write_closed_sections(const pkm_code* code, pkm_stream* to, pkm_error* err)
{
    const int n = (int)(sizeof CLOSED_SECTION / sizeof CLOSED_SECTION[0]);
    const pkm_code_form absent = pkm_code_form_has_fk(code) ? PKM_FORM_PASS : PKM_FORM_FK;
    for (int k = 0; k < n; ++k) {
        pkm_code_program program;
        if (!pkm_code_wants(code, CLOSED_SECTION[k].what) || CLOSED_SECTION[k].piece == absent)
            continue;
        PKM_TRY(pkm_code_form_build(code, CLOSED_SECTION[k].piece, &program, err));
        PKM_TRY(write_section(&program, CLOSED_SECTION[k].title, CLOSED_SECTION[k].text, to, err));
    }
    return PKM_OK;
}

static pkm_status write_sections(const pkm_code* code, pkm_stream* to, pkm_error* err)
{
    for (int k = 0; k < (int)(sizeof SECTION / sizeof SECTION[0]); ++k) {
        const bool has_tool =
            SECTION[k].piece == PKM_PIECE_JACOBIAN ? code->mech->tool != PKM_NONE : code->has_tool;
        pkm_code_program program;
        if (!pkm_code_wants(code, SECTION[k].what)) continue;
        if ((SECTION[k].by_tool || SECTION[k].piece == PKM_PIECE_JACOBIAN) && !has_tool) continue;
        PKM_TRY(pkm_code_piece_build(code, SECTION[k].piece, &program, err));
        PKM_TRY(write_section(&program, SECTION[k].title, SECTION[k].text, to, err));
    }
    return PKM_OK;
}

pkm_status pkm_code_write_latex(const pkm_code* code, const char* folder, pkm_error* err)
{
    pkm_stream* to;
    char title[200];
    PKM_TRY(pkm_code_open(code, folder, ".tex", &to, err));
    quote(code->title, title, sizeof title);
    pkm_stream_format(
        to,
        "\\documentclass[a4paper,10pt]{article}\n\\usepackage[utf8]{inputenc}\n"
        "\\usepackage{amsmath}\n\\usepackage[margin=15mm]{geometry}\n\\raggedright\n\\sloppy\n"
        "\\lineskip=4pt\n\\lineskiplimit=3pt\n"
        "\\begin{document}\n\\title{%s: kinematics and dynamics}\n\\author{pkm %s}\n\\date{}\n"
        "\\maketitle\n\nSI units, world axes; indices count from 1. Numbers in parentheses behind "
        "headings are those of the equations in docs/theory of pkm%s. All dimensions and "
        "masses are put in; every common term $t$ stands once.\n\n",
        title, PKM_VERSION, code->is_closed ? "" : ", engine.md");
    const pkm_status status =
        (code->is_closed ? write_closed_sections : write_sections)(code, to, err);
    pkm_stream_text(to, "\\end{document}\n");
    if (status == PKM_OK) return pkm_stream_close(to, err);
    pkm_stream_discard(to);
    return status;
}
