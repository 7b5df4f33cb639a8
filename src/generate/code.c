// Which pieces a robot's code consists of, and by which route: the closed form where there is one,
// else the equations of the tree unrolled.
#include "generate/code.h"

#include "base/error.h"
#include "generate/code_impl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- names ------------------------------------------------------------------------------------

/// The robot's name as the beginning of C names.
static void make_prefix(const char* name, char* out, size_t size)
{
    size_t n = 0;
    if (!isalpha((unsigned char)name[0])) n = (size_t)snprintf(out, size, "robot_");
    for (; *name && n + 1 < size; ++name)
        out[n++] = isalnum((unsigned char)*name) ? (char)tolower((unsigned char)*name) : '_';
    out[n] = '\0';
}

pkm_status pkm_code_open(const pkm_code* code, const char* folder, const char* end,
                         pkm_stream** out, pkm_error* err)
{
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s%s", folder, code->prefix, end);
    if (n >= (int)sizeof path)
        return pkm_fail(err, PKM_ERR_FILE, "'%.200s...': a path of %d characters", folder, n);
    return pkm_stream_open(path, out, err);
}

// ---- functions --------------------------------------------------------------------------------

typedef struct writer {
    const pkm_code* code;
    pkm_stream* to;
    pkm_graph_count count[PKM_N_PIECE];
    bool has[PKM_N_PIECE];
} writer;

static pkm_status write_piece(writer* w, pkm_code_piece piece, pkm_error* err)
{
    if (w->has[piece]) return PKM_OK;
    w->has[piece] = true;
    return pkm_code_piece_write(w->code, piece, w->to, &w->count[piece], err);
}

static void add_cost(writer* w, pkm_code_call call, int pass, int once)
{
    pkm_code_report* report = w->code->report;
    PKM_ASSERT(report->n_function < PKM_CODE_MAX_FUNCTION);
    pkm_code_cost* cost = &report->function[report->n_function++];
    *cost = (pkm_code_cost){.function = pkm_code_call_name(call), .iterates = pass != PKM_NONE};
    if (once != PKM_NONE) cost->once = w->count[once];
    if (pass == PKM_NONE) return;
    // a pass of Newton's method, some times, and what comes once behind it
    cost->pass = w->count[pass];
    pkm_code_count_follow(w->code, &cost->once);
}

/// A function that closes the loops: from the extrapolated coordinates, else from the last ones.
static void write_begin(writer* w, pkm_code_call call, const char* more, const char* solve)
{
    const int n = w->code->mech->n_q;
    pkm_code_write_head(w->code, w->to, call, "\n{\n");
    pkm_stream_format(w->to, "    double guess[%d], now[%d];\n%s    if (", n, n, more);
    pkm_stream_format(w->to, solve, "s, guess, now");
    pkm_stream_text(w->to, ") return 1;\n");
}

static void write_end(writer* w)
{
    pkm_stream_text(w->to, "    keep(s, guess, now);\n    return 0;\n}\n\n");
}

/// Functions that several others call, each written once.
static pkm_status write_solvers(writer* w, pkm_error* err)
{
    const pkm_code* code = w->code;
    // functions that nobody asks for are left out: controllers count bytes
    const bool by_tool = code->has_tool && pkm_code_wants(code, PKM_CODE_IK | PKM_CODE_INVERSE);
    pkm_code_write_follow(code, w->to);
    if (by_tool) {
        PKM_TRY(write_piece(w, PKM_PIECE_TOOL_PASS, err));
        pkm_code_write_solve(code, w->to, "tool", "const double* p, const double* R", "p, R");
    }
    if (pkm_code_wants(code, PKM_CODE_FK | PKM_CODE_INVERSE | PKM_CODE_FORWARD)) {
        PKM_TRY(write_piece(w, PKM_PIECE_DRIVE_PASS, err));
        pkm_code_write_solve(code, w->to, "drive", "const double* drive", "drive");
    }
    return PKM_OK;
}

static pkm_status write_kinematics(writer* w, pkm_error* err)
{
    const pkm_code* code = w->code;
    const bool has_ik = pkm_code_has(code, PKM_CALL_IK);
    if (has_ik || pkm_code_wants(code, PKM_CODE_FK)) PKM_TRY(write_piece(w, PKM_PIECE_POSE, err));
    if (has_ik) {
        write_begin(w, PKM_CALL_IK, "    double there[3], axes[9];\n", "solve_tool(%s, p, R)");
        pkm_stream_text(w->to, "    place(now, drive, there, axes);\n");
        write_end(w);
        add_cost(w, PKM_CALL_IK, PKM_PIECE_TOOL_PASS, PKM_PIECE_POSE);
    }
    if (pkm_code_wants(code, PKM_CODE_FK)) {
        char there[40];
        snprintf(there, sizeof there, "    double there[%d];\n", code->mech->n_drive);
        write_begin(w, PKM_CALL_FK, there, "solve_drive(%s, drive)");
        pkm_stream_text(w->to, "    place(now, there, p, R);\n");
        write_end(w);
        add_cost(w, PKM_CALL_FK, PKM_PIECE_DRIVE_PASS, PKM_PIECE_POSE);
    }
    if (pkm_code_has(code, PKM_CALL_JACOBIAN)) {
        PKM_TRY(write_piece(w, PKM_PIECE_JACOBIAN, err));
        pkm_code_write_head(code, w->to, PKM_CALL_JACOBIAN, "\n{\n");
        pkm_stream_text(w->to, "    tool_jacobian(s->q, J);\n}\n\n");
        add_cost(w, PKM_CALL_JACOBIAN, PKM_NONE, PKM_PIECE_JACOBIAN);
    }
    return PKM_OK;
}

static pkm_status write_dynamics(writer* w, pkm_error* err)
{
    const pkm_code* code = w->code;
    if (pkm_code_wants(code, PKM_CODE_INVERSE)) {
        if (code->has_tool) {
            PKM_TRY(write_piece(w, PKM_PIECE_INVERSE_TOOL, err));
            write_begin(w, PKM_CALL_INVERSE, "", "solve_tool(%s, p, R)");
            pkm_stream_text(w->to, "    forces_from_tool(now, twist, twist_rate, wrench, drive, "
                                   "rate, acc, force);\n");
            write_end(w);
            add_cost(w, PKM_CALL_INVERSE, PKM_PIECE_TOOL_PASS, PKM_PIECE_INVERSE_TOOL);
        }
        PKM_TRY(write_piece(w, PKM_PIECE_INVERSE_DRIVES, err));
        write_begin(w, PKM_CALL_INVERSE_DRIVES, "", "solve_drive(%s, drive)");
        pkm_stream_text(w->to, "    forces_from_drives(now, rate, acc, wrench, force);\n");
        write_end(w);
        add_cost(w, PKM_CALL_INVERSE_DRIVES, PKM_PIECE_DRIVE_PASS, PKM_PIECE_INVERSE_DRIVES);
    }
    if (!pkm_code_wants(code, PKM_CODE_FORWARD)) return PKM_OK;
    PKM_TRY(write_piece(w, PKM_PIECE_FORWARD, err));
    write_begin(w, PKM_CALL_FORWARD, "", "solve_drive(%s, drive)");
    pkm_stream_text(w->to, "    accelerations(now, rate, force, wrench, acc);\n");
    write_end(w);
    add_cost(w, PKM_CALL_FORWARD, PKM_PIECE_DRIVE_PASS, PKM_PIECE_FORWARD);
    return PKM_OK;
}

static void write_home(writer* w)
{
    const pkm_code* code = w->code;
    pkm_code_write_head(code, w->to, PKM_CALL_HOME, "\n{\n");
    pkm_stream_format(w->to, "    static const double home[%d] = {", code->mech->n_q);
    for (int k = 0; k < code->mech->n_q; ++k)
        pkm_stream_format(w->to, "%s%.17g",
                          k == 0       ? ""
                          : k % 4 == 0 ? ",\n        "
                                       : ", ",
                          code->robot->q_home[k]);
    pkm_stream_format(w->to,
                      "};\n    int k;\n    for (k = 0; k < %d; ++k) {\n"
                      "        s->q[k] = home[k];\n"
                      "        s->d1[k] = s->d2[k] = s->d3[k] = 0.0;\n    }\n"
                      "    s->follows = 0.0;\n}\n\n",
                      code->mech->n_q);
}

static pkm_status write_source(const pkm_code* code, const char* folder, pkm_error* err)
{
    writer w = {.code = code};
    PKM_TRY(pkm_code_open(code, folder, ".c", &w.to, err));
    pkm_stream_format(
        w.to,
        "/* %s, written by pkm %s. See %s.h. Numbers of equations are those of\n"
        "   docs/theory/engine.md of pkm. */\n#include \"%s.h\"\n\n#include <math.h>\n\n",
        code->title, PKM_VERSION, code->prefix, code->prefix);
    // in the order of their use: C wants static functions before their callers
    pkm_status status = write_solvers(&w, err);
    write_home(&w);
    if (status == PKM_OK) status = write_kinematics(&w, err);
    if (status == PKM_OK) status = write_dynamics(&w, err);
    if (status == PKM_OK) return pkm_stream_close(w.to, err);
    pkm_stream_discard(w.to);
    return status;
}

// ---- all --------------------------------------------------------------------------------------

/// What the code could not say: it would be the answer to another question.
static pkm_status refuse(const pkm_robot* robot, pkm_error* err)
{
    const pkm_structure* s = &robot->structure;
    if (s->n_lock > s->n_harmless)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "'%s' has idle freedoms that move: code for controllers cannot hold them; "
                        "'pkm check' names them",
                        robot->mech->name);
    return pkm_robot_require_drives(robot, err);
}

static pkm_status begin(pkm_robot* robot, pkm_code* out, pkm_error* err)
{
    if (!robot->structure.tool_mode && out->settings.what == PKM_CODE_IK)
        return pkm_fail(err, PKM_ERR_MODEL, "the tool of '%s' cannot be prescribed: no ik",
                        robot->mech->name);
    PKM_TRY(refuse(robot, err));
    // redundant closures would leave the split of the forces to the code's choice of rows
    PKM_TRY(pkm_robot_require_unique(robot, robot->mech->n_drive, err));
    // samples move a robot about: a twin, so that the caller's stays where it is
    PKM_TRY(pkm_robot_twin(robot, &out->robot, err));
    out->mech = out->robot->mech;
    make_prefix(out->mech->name, out->prefix, sizeof out->prefix);
    snprintf(out->title, sizeof out->title, "%s", out->mech->name);
    pkm_graph_tame(out->title);
    out->is_closed = out->robot->closed && !out->settings.general;
    PKM_TRY(pkm_code_sample(out, err));
    return out->is_closed ? pkm_code_form_check(out, err) : PKM_OK;
}

pkm_status pkm_code_create(pkm_robot* robot, const pkm_code_settings* settings, pkm_code** out,
                           pkm_error* err)
{
    *out = NULL;
    pkm_code* code = malloc(sizeof *code);
    if (!code) return pkm_out_of_memory(err);
    *code = (pkm_code){.settings = *settings, .has_tool = robot->structure.tool_mode};
    const pkm_status status = begin(robot, code, err);
    if (status == PKM_OK)
        *out = code;
    else
        pkm_code_free(code);
    return status;
}

void pkm_code_free(pkm_code* code)
{
    if (!code) return;
    free(code->memory);
    pkm_robot_free(code->robot);
    free(code);
}

pkm_status pkm_code_write(pkm_code* code, const char* folder, pkm_code_report* report,
                          pkm_error* err)
{
    const pkm_code_settings* settings = &code->settings;
    *report = (pkm_code_report){.n_vector = PKM_CODE_VECTORS,
                                .passes = settings->passes + PKM_CODE_GUESS_PASSES};
    code->report = report;
    memcpy(report->prefix, code->prefix, sizeof report->prefix);
    if (code->is_closed) {
        report->family = pkm_closed_get_family(code->robot->closed)->name;
        report->passes = settings->passes;
    }
    PKM_TRY((code->is_closed ? pkm_code_write_closed : write_source)(code, folder, err));
    PKM_TRY(pkm_code_write_header(code, folder, err));
    PKM_TRY(pkm_code_write_test(code, folder, err));
    if (settings->latex) PKM_TRY(pkm_code_write_latex(code, folder, err));
    return settings->sfunction ? pkm_code_write_sfunctions(code, folder, err) : PKM_OK;
}
