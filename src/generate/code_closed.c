/// PREFIX.c by the closed form: functions around its pieces. The state is the last pose with its
/// drives.
#include "base/error.h"
#include "generate/code_impl.h"

#include <stdio.h>

typedef struct writer {
    const pkm_code* code;
    pkm_stream* to;
    bool has_fk;
    bool turns;      ///< the tool has an orientation that changes
    int first, last; ///< elements of R that tell what it does not turn: see write_turned
    pkm_graph_count count[PKM_N_FORM];
    int n_ok[PKM_N_FORM];
} writer;

static pkm_status write_piece(writer* w, pkm_code_form piece, pkm_error* err)
{
    return pkm_code_form_write(w->code, piece, w->to, &w->count[piece], &w->n_ok[piece], err);
}

static void add_cost(writer* w, pkm_code_call call, pkm_code_form piece, bool by_drives)
{
    pkm_code_report* report = w->code->report;
    PKM_ASSERT(report->n_function < PKM_CODE_MAX_FUNCTION);
    pkm_code_cost* cost = &report->function[report->n_function++];
    *cost = (pkm_code_cost){.function = pkm_code_call_name(call), .once = w->count[piece]};
    // without a closed form from drives to tool the cost hangs on passes: both numbers are stated
    cost->iterates = by_drives && !w->has_fk;
    if (cost->iterates) cost->pass = w->count[PKM_FORM_PASS];
}

static void write_array(pkm_stream* to, const char* name, int n, const double* value)
{
    pkm_stream_format(to, "    static const double %s[%d] = {", name, n);
    for (int k = 0; k < n; ++k)
        pkm_stream_format(to, "%s%.17g", k == 0 ? "" : k % 4 == 0 ? ",\n        " : ", ", value[k]);
    pkm_stream_text(to, "};\n");
}

/// By rows, as the functions take R.
static void write_axes(const writer* w, const char* name)
{
    // constants with 17 digits, which read back as the same double
    const pkm_mat3 R = pkm_mat3_from_quat(w->code->robot->tool_home.q);
    write_array(w->to, name, 9,
                (double[]){R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z});
}

static void write_home(const writer* w)
{
    const pkm_robot* robot = w->code->robot;
    const int n = w->code->mech->n_drive;
    const pkm_vec3 p = robot->tool_home.p;
    pkm_code_write_head(w->code, w->to, PKM_CALL_HOME, "\n{\n");
    write_array(w->to, "drive", n, robot->drive_home);
    write_array(w->to, "p", 3, (double[]){p.x, p.y, p.z});
    write_axes(w, "R");
    pkm_stream_text(w->to, "    keep(s, drive, p, R);\n}\n\n");
}

/// turned: R cannot be taken. With home's Rh the turn R Rh' is none, its trace 3, or about the one
/// axis `a` that the tool turns about, (R Rh')_aa = 1. Angles of 1e-6 rad, as the engine grants,
/// are 5e-13 of a cosine. Tools that turn about more axes take every R.
static void write_turned(writer* w, unsigned turns)
{
    const pkm_code* code = w->code;
    const bool asks = pkm_code_wants(code, PKM_CODE_IK) || pkm_code_wants(code, PKM_CODE_INVERSE);
    if (!asks || (turns & (turns - 1)) != 0) return;
    w->first = turns == 4u ? 6 : turns == 2u ? 3 : 0;
    w->last = turns ? w->first + 3 : 9;
    pkm_stream_text(w->to, "/* Is R turned from home as the tool does not turn? */\n"
                           "static int turned(const double* R)\n{\n");
    write_axes(w, "home");
    pkm_stream_format(w->to,
                      "    double sum = 0.0;\n    int k;\n    for (k = %d; k < %d; ++k)\n"
                      "        sum += R[k] * home[k];\n    return !(sum > %.17g);\n}\n\n",
                      w->first, w->last, turns ? 1.0 - 5e-13 : 3.0 - 1e-12);
}

/// A function that takes a pose refuses such an R; what that costs is counted.
static void refuse_turned(writer* w, pkm_code_form piece)
{
    // three entries of a column, or all nine
    const int n = w->last - w->first;
    if (n > 0) pkm_stream_text(w->to, "    if (turned(R)) return 1;\n");
    w->count[piece].add += n;
    w->count[piece].multiply += n;
}

/// holds: are all conditions met? keep: where the robot is now.
static void write_helpers(const writer* w)
{
    pkm_stream_text(
        w->to, "/* Are all conditions met: within reach, away from singularities? */\n"
               "static int holds(const double* ok, const double* least, int n)\n{\n    int k;\n"
               "    for (k = 0; k < n; ++k)\n"
               "        if (!(ok[k] > least[k])) return 0;\n    return 1;\n}\n\n");
    pkm_stream_format(w->to,
                      "static void keep(struct %s_state* s, const double* drive, const double* p, "
                      "const double* R)\n{\n    int k;\n    for (k = 0; k < %d; ++k)\n"
                      "        s->drive[k] = drive[k];\n    for (k = 0; k < 3; ++k)\n"
                      "        s->p[k] = p[k];\n    for (k = 0; k < 9; ++k)\n"
                      "        s->R[k] = R[k];\n}\n\n",
                      w->code->prefix, w->code->mech->n_drive);
}

/// The tool pose of drive positions where no closed form gives it: passes of Newton's method, from
/// the last pose, until a correction is below 1e-7 of the robot.
static void write_solve(const writer* w)
{
    const pkm_code* code = w->code;
    // straighten: R (3 - R'R)/2 leaves of R'R = 1 + E about 3/4 E^2, without a root
    pkm_stream_text(
        w->to,
        "/* Axes that rounding has bent, straightened. */\n"
        "static void straighten(double* R)\n{\n    int i, j, k;\n    double G[9], S[9];\n"
        "    for (i = 0; i < 3; ++i)\n        for (j = 0; j < 3; ++j)\n"
        "            G[3 * i + j] = 0.5 * ((i == j ? 3.0 : 0.0) - R[i] * R[j] - R[3 + i] * R[3 + "
        "j] - R[6 + i] * R[6 + j]);\n"
        "    for (i = 0; i < 3; ++i)\n        for (j = 0; j < 3; ++j)\n"
        "            S[3 * i + j] = R[3 * i] * G[j] + R[3 * i + 1] * G[3 + j] + R[3 * i + 2] * G[6 "
        "+ j];\n"
        "    for (k = 0; k < 9; ++k)\n        R[k] = S[k];\n}\n\n");
    pkm_stream_format(
        w->to,
        "static int solve_drive(const struct %s_state* s, const double* drive, double* p, double* "
        "R)\n{\n    double next[12], step[6];\n    int pass, k;\n"
        "    for (k = 0; k < 3; ++k)\n        p[k] = s->p[k];\n"
        "    for (k = 0; k < 9; ++k)\n        R[k] = s->R[k];\n",
        code->prefix);
    pkm_stream_format(w->to,
                      "    for (pass = 0; pass < %d; ++pass) {\n        double largest = 0.0;\n"
                      "        drive_pass(p, R, drive, next, step);\n"
                      "        for (k = 0; k < 3; ++k)\n            p[k] = next[k];\n"
                      "        for (k = 0; k < 9; ++k)\n            R[k] = next[3 + k];\n"
                      "        straighten(R);\n",
                      code->settings.passes);
    // steps are a shift [m], compared with the size of the robot, and a turn [rad]; NaN stays
    pkm_stream_format(w->to,
                      "        for (k = 0; k < 6; ++k) {\n"
                      "            const double part = fabs(step[k]) * (k < 3 ? %.17g : 1.0);\n"
                      "            if (part > largest || part != part) largest = part;\n        }\n"
                      "        if (largest < 1e-7) return 0;\n"
                      "        if (!(largest < 10.0)) return 1;\n    }\n    return 1;\n}\n\n",
                      1.0 / code->mech->size);
}

/// The end of a function: conditions, results, state.
static void write_end(const writer* w, pkm_code_form piece, const char* call, const char* results,
                      const char* state)
{
    const int n_ok = w->n_ok[piece];
    pkm_stream_format(w->to, "    %s;\n", call);
    if (n_ok > 0)
        pkm_stream_format(w->to, "    if (!holds(ok, %s_least, %d)) return 1;\n",
                          pkm_code_form_name(piece), n_ok);
    pkm_stream_text(w->to, results);
    pkm_stream_format(w->to, "    keep(%s);\n    return 0;\n}\n\n", state);
}

/// One element at least: C has no arrays of none.
static void write_ok(const writer* w, pkm_code_form piece)
{
    pkm_stream_format(w->to, "    double ok[%d];\n", w->n_ok[piece] > 0 ? w->n_ok[piece] : 1);
}

static void write_copy(char* out, size_t size, int n, const char* to, const char* from)
{
    snprintf(out, size, "    for (k = 0; k < %d; ++k)\n        %s[k] = %s[k];\n", n, to, from);
}

/// What the state keeps of a pose that was asked for: its own axes where the tool does not turn.
static const char* pose_kept(const writer* w, const char* drive)
{
    // a tool that does not turn keeps home's axes: those that were asked for have rounding
    return w->turns ? (drive[0] == 'q' ? "s, q, p, R" : "s, drive, p, R")
                    : (drive[0] == 'q' ? "s, q, p, s->R" : "s, drive, p, s->R");
}

static pkm_status write_ik(writer* w, pkm_error* err)
{
    const pkm_code* code = w->code;
    const int n = code->mech->n_drive;
    char copy[120];
    if (!pkm_code_wants(code, PKM_CODE_IK)) return PKM_OK;
    // a piece is a static function; the function of the header calls it, checks and keeps the state
    PKM_TRY(write_piece(w, PKM_FORM_IK, err));
    pkm_code_write_head(code, w->to, PKM_CALL_IK, "\n{\n");
    pkm_stream_format(w->to, "    double q[%d];\n    int k;\n", n);
    write_ok(w, PKM_FORM_IK);
    refuse_turned(w, PKM_FORM_IK);
    write_copy(copy, sizeof copy, n, "drive", "q");
    write_end(w, PKM_FORM_IK, "drives_from_tool(p, R, q, ok)", copy, pose_kept(w, "q"));
    add_cost(w, PKM_CALL_IK, PKM_FORM_IK, false);
    return PKM_OK;
}

/// How the functions of drive positions begin: a pose of their own, found by Newton's method where
/// the piece does not give it.
static void write_place(const writer* w, pkm_code_form piece)
{
    pkm_stream_text(w->to, "    double at[3], axes[9];\n");
    write_ok(w, piece);
    if (!w->has_fk) pkm_stream_text(w->to, "    if (solve_drive(s, drive, at, axes)) return 1;\n");
}

static pkm_status write_fk(writer* w, pkm_error* err)
{
    const pkm_code* code = w->code;
    // forces from drives need the pose, too: the iteration is written once for all of them
    const bool wanted = pkm_code_wants(code, PKM_CODE_FK);
    if (!w->has_fk && pkm_code_wants(code, PKM_CODE_FK | PKM_CODE_INVERSE | PKM_CODE_FORWARD)) {
        PKM_TRY(write_piece(w, PKM_FORM_PASS, err));
        write_solve(w);
    }
    if (!wanted) return PKM_OK;
    if (w->has_fk) PKM_TRY(write_piece(w, PKM_FORM_FK, err));
    pkm_code_write_head(code, w->to, PKM_CALL_FK, "\n{\n");
    pkm_stream_text(w->to, "    int k;\n");
    write_place(w, PKM_FORM_FK);
    write_end(w, PKM_FORM_FK, w->has_fk ? "tool_from_drives(drive, at, axes, ok)" : "(void)ok",
              "    for (k = 0; k < 3; ++k)\n        p[k] = at[k];\n"
              "    for (k = 0; k < 9; ++k)\n        R[k] = axes[k];\n",
              "s, drive, at, axes");
    add_cost(w, PKM_CALL_FK, PKM_FORM_FK, true);
    return PKM_OK;
}

static pkm_status write_jacobian(writer* w, pkm_error* err)
{
    const pkm_code* code = w->code;
    if (!pkm_code_wants(code, PKM_CODE_JACOBIAN)) return PKM_OK;
    PKM_TRY(write_piece(w, PKM_FORM_JACOBIAN, err));
    // the pose in the state was reached: nothing is refused
    pkm_code_write_head(code, w->to, PKM_CALL_JACOBIAN, "\n{\n");
    pkm_stream_text(w->to, "    tool_jacobian(s->p, s->R, s->drive, J);\n}\n\n");
    add_cost(w, PKM_CALL_JACOBIAN, PKM_FORM_JACOBIAN, false);
    return PKM_OK;
}

static pkm_status write_inverse(writer* w, pkm_error* err)
{
    const pkm_code* code = w->code;
    const int n = code->mech->n_drive;
    char copy[160];
    if (!pkm_code_wants(code, PKM_CODE_INVERSE)) return PKM_OK;
    PKM_TRY(write_piece(w, PKM_FORM_INVERSE, err));
    pkm_code_write_head(code, w->to, PKM_CALL_INVERSE, "\n{\n");
    pkm_stream_format(w->to, "    double q[%d], v[%d], a[%d], f[%d];\n    int k;\n", n, n, n, n);
    write_ok(w, PKM_FORM_INVERSE);
    refuse_turned(w, PKM_FORM_INVERSE);
    snprintf(copy, sizeof copy,
             "    for (k = 0; k < %d; ++k) {\n        drive[k] = q[k];\n        rate[k] = v[k];\n"
             "        acc[k] = a[k];\n        force[k] = f[k];\n    }\n",
             n);
    write_end(w, PKM_FORM_INVERSE,
              "forces_from_tool(p, R, twist, twist_rate, wrench, q, v, a, f, ok)", copy,
              pose_kept(w, "q"));
    add_cost(w, PKM_CALL_INVERSE, PKM_FORM_INVERSE, false);

    PKM_TRY(write_piece(w, PKM_FORM_INVERSE_DRIVES, err));
    pkm_code_write_head(code, w->to, PKM_CALL_INVERSE_DRIVES, "\n{\n");
    pkm_stream_format(w->to, "    double f[%d];\n    int k;\n", n);
    write_place(w, PKM_FORM_INVERSE_DRIVES);
    write_copy(copy, sizeof copy, n, "force", "f");
    write_end(w, PKM_FORM_INVERSE_DRIVES,
              "forces_from_drives(drive, rate, acc, wrench, at, axes, f, ok)", copy,
              "s, drive, at, axes");
    add_cost(w, PKM_CALL_INVERSE_DRIVES, PKM_FORM_INVERSE_DRIVES, true);
    return PKM_OK;
}

static pkm_status write_forward(writer* w, pkm_error* err)
{
    const pkm_code* code = w->code;
    const int n = code->mech->n_drive;
    char copy[120];
    if (!pkm_code_wants(code, PKM_CODE_FORWARD)) return PKM_OK;
    PKM_TRY(write_piece(w, PKM_FORM_FORWARD, err));
    pkm_code_write_head(code, w->to, PKM_CALL_FORWARD, "\n{\n");
    pkm_stream_format(w->to, "    double a[%d];\n    int k;\n", n);
    write_place(w, PKM_FORM_FORWARD);
    write_copy(copy, sizeof copy, n, "acc", "a");
    write_end(w, PKM_FORM_FORWARD, "accelerations(drive, rate, force, wrench, at, axes, a, ok)",
              copy, "s, drive, at, axes");
    add_cost(w, PKM_CALL_FORWARD, PKM_FORM_FORWARD, true);
    return PKM_OK;
}

pkm_status pkm_code_write_closed(const pkm_code* code, const char* folder, pkm_error* err)
{
    // in the order in which C wants functions declared: helpers, home, then one call after the
    // other
    const pkm_closed_family* family = pkm_closed_get_family(code->robot->closed);
    writer w = {
        .code = code, .has_fk = pkm_code_form_has_fk(code), .turns = family->moves >> 3 != 0};
    // bits 0 to 2 of `moves` are shifts, 3 to 5 turns
    PKM_TRY(pkm_code_open(code, folder, ".c", &w.to, err));
    pkm_stream_format(
        w.to,
        "/* %s, written by pkm %s. See %s.h. The closed form of the family %s, in the "
        "branch of home;\n   pages and numbers of equations are those of docs/theory "
        "of pkm. */\n#include \"%s.h\"\n\n#include <math.h>\n\n",
        code->title, PKM_VERSION, code->prefix, family->name, code->prefix);
    write_helpers(&w);
    write_home(&w);
    write_turned(&w, family->moves >> 3);
    pkm_status status = write_ik(&w, err);
    if (status == PKM_OK) status = write_fk(&w, err);
    if (status == PKM_OK) status = write_jacobian(&w, err);
    if (status == PKM_OK) status = write_inverse(&w, err);
    if (status == PKM_OK) status = write_forward(&w, err);
    if (status == PKM_OK) return pkm_stream_close(w.to, err);
    pkm_stream_discard(w.to);
    return status;
}
