// Files around the pieces: header, functions that check and call, a test with vectors from the
// engine, a page that says what they are good for.
#include "base/error.h"
#include "generate/code_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- header -----------------------------------------------------------------------------------

static void write_costs(const pkm_code* code, pkm_stream* to)
{
    for (int k = 0; k < code->report->n_function; ++k) {
        const pkm_code_cost* c = &code->report->function[k];
        const int n = c->iterates ? code->report->passes : 0;
        pkm_stream_format(
            to, "     %-16s %6d sums %6d products %5d quotients %4d roots %4d trigonometric\n",
            c->function, c->once.add + n * c->pass.add, c->once.multiply + n * c->pass.multiply,
            c->once.divide + n * c->pass.divide, c->once.root + n * c->pass.root,
            c->once.trigonometric + n * c->pass.trigonometric);
    }
}

/// Every function once: what asks for it, what it needs, how it is called. `%s` stands for the
/// robot.
static const struct {
    unsigned what; ///< 0: always
    bool by_tool;  ///< needs a tool that can be prescribed
    const char *name, *result, *arguments;
    const char* text; ///< what it gives
} CALLS[PKM_N_CALL] = {
    [PKM_CALL_HOME] = {0, false, "home", "void", "struct %s_state* s",
                       "The robot at home. Call it first."},
    [PKM_CALL_IK] = {PKM_CODE_IK, true, "ik", "int",
                     "struct %s_state* s, const double p[3], const double R[9], double* drive",
                     "Drive positions of a tool pose: p, and the axes R by rows"},
    [PKM_CALL_FK] = {PKM_CODE_FK, false, "fk", "int",
                     "struct %s_state* s, const double* drive, double p[3], double R[9]",
                     "Tool pose of drive positions."},
    [PKM_CALL_JACOBIAN] = {PKM_CODE_JACOBIAN, false, "jacobian", "void",
                           "const struct %s_state* s, double* J",
                           "Tool twist (velocity, angular velocity) per drive rate"},
    [PKM_CALL_INVERSE] =
        {PKM_CODE_INVERSE, true, "inverse", "int",
         "struct %s_state* s, const double p[3], const double R[9],\n"
         "    const double twist[6], const double twist_rate[6], const double wrench[6],\n"
         "    double* drive, double* rate, double* acc, double* force",
         "Drive forces of a tool motion: pose, twist (velocity, angular velocity) and its rate, "
         "with\n"
         "   the wrench (force, torque) on the tool from outside; and what the drives do."},
    [PKM_CALL_INVERSE_DRIVES] = {PKM_CODE_INVERSE, false, "inverse_drives", "int",
                                 "struct %s_state* s, const double* drive, const double* rate,\n"
                                 "    const double* acc, const double wrench[6], double* force",
                                 "Drive forces of a motion of the drives."},
    [PKM_CALL_FORWARD] = {PKM_CODE_FORWARD, false, "forward", "int",
                          "struct %s_state* s, const double* drive, const double* rate,\n"
                          "    const double* force, const double wrench[6], double* acc",
                          "Accelerations of the drives from their forces."},
};

bool pkm_code_has(const pkm_code* code, pkm_code_call call)
{
    if (CALLS[call].what && !pkm_code_wants(code, CALLS[call].what)) return false;
    if (call == PKM_CALL_JACOBIAN && code->mech->tool == PKM_NONE) return false;
    // a tool that some joint only follows has no pose that could be asked for
    return code->has_tool || !CALLS[call].by_tool;
}

const char* pkm_code_call_name(pkm_code_call call)
{
    return CALLS[call].name;
}

void pkm_code_write_head(const pkm_code* code, pkm_stream* to, pkm_code_call call, const char* end)
{
    // by hand, since the arguments are no literal: a format from a table would be checked by
    // nobody
    const char* robot = strstr(CALLS[call].arguments, "%s");
    pkm_stream_format(to, "%s %s_%s(%.*s%s%s)%s", CALLS[call].result, code->prefix,
                      CALLS[call].name, (int)(robot - CALLS[call].arguments), CALLS[call].arguments,
                      code->prefix, robot + 2, end);
}

static void write_declarations(const pkm_code* code, pkm_stream* to)
{
    for (int c = 0; c < PKM_N_CALL; ++c) {
        if (!pkm_code_has(code, (pkm_code_call)c)) continue;
        pkm_stream_format(to, "/* %s", CALLS[c].text);
        if (c == PKM_CALL_IK)
            pkm_stream_text(to, code->is_closed
                                    ? "."
                                    : ", of which only the turns are\n   looked at that "
                                      "the tool makes.");
        if (c == PKM_CALL_JACOBIAN)
            pkm_stream_format(to, ", 6 x %d by rows, where the state is.", code->mech->n_drive);
        pkm_stream_text(to, " */\n");
        pkm_code_write_head(code, to, (pkm_code_call)c, ";\n\n");
    }
}

static void explain_passes(const pkm_code* code, pkm_stream* to)
{
    pkm_stream_format(
        to,
        ".\n\n   Loops are closed by at most %d passes of Newton's method that begin at the last "
        "solution: call\n"
        "   with positions near those of the call before. Along a path that is followed in even "
        "ticks at most %d\n"
        "   passes from an extrapolated position are tried first; there one suffices mostly. ",
        code->settings.passes, PKM_CODE_GUESS_PASSES);
    pkm_stream_text(
        to,
        "A function returns\n"
        "   0, or 1 when the passes did not suffice (out of reach, singular, or too far from the "
        "last call); the\n"
        "   state is then as it was. One state per robot and thread. Operations of a call at "
        "most:\n\n");
}

static void explain_closed(const pkm_code* code, pkm_stream* to)
{
    pkm_stream_format(
        to,
        ".\n\n   The closed form of the family %s, in the branch (working and assembly "
        "mode) of home.",
        pkm_closed_get_family(code->robot->closed)->name);
    if (!pkm_code_form_has_fk(code))
        pkm_stream_format(
            to,
            " Functions of\n   drive positions find the tool by at most %d passes of "
            "Newton's method that begin at the last pose:\n   call them with positions "
            "near those of the call before.",
            code->settings.passes);
    pkm_stream_text(
        to,
        "\n   A function returns 0, or 1 where that branch does not reach, or at a singularity;\n"
        "   results and state are then as they were. One state per robot and thread.\n"
        "   Operations of a call at most:\n\n");
}

static void write_state(const pkm_code* code, pkm_stream* to)
{
    const char* x = code->prefix;
    if (code->is_closed) {
        pkm_stream_format(to,
                          "/* The last pose with its drives. */\n"
                          "struct %s_state {\n    double drive[%d], p[3], R[9];\n};\n\n",
                          x, code->mech->n_drive);
        return;
    }
    pkm_stream_format(to,
                      "/* Joint coordinates of the last solution, their differences to those of "
                      "the calls before. */\n"
                      "struct %s_state {\n    double q[%d], d1[%d], d2[%d], d3[%d], follows;\n"
                      "};\n\n",
                      x, code->mech->n_q, code->mech->n_q, code->mech->n_q, code->mech->n_q);
}

pkm_status pkm_code_write_header(const pkm_code* code, const char* folder, pkm_error* err)
{
    pkm_stream* to;
    const char* x = code->prefix;
    PKM_TRY(pkm_code_open(code, folder, ".h", &to, err));
    pkm_stream_format(to,
                      "/* %s, written by pkm %s: C99, no allocation, no recursion, libm alone.\n\n",
                      code->title, PKM_VERSION);
    pkm_stream_format(
        to, "   SI units: m, rad, N, N m. Vectors are in world axes. Drives in this order:%s",
        code->mech->n_drive > 0 ? "" : " none");
    for (int d = 0; d < code->mech->n_drive; ++d) {
        char name[65];
        snprintf(name, sizeof name, "%s", code->mech->drive[d].name);
        // names stand in a comment of the file: what would end it is taken out
        pkm_graph_tame(name);
        pkm_stream_format(to, " %s [%s]", name,
                          code->mech->drive[d].is_rotary ? "rad, N m" : "m, N");
    }
    (code->is_closed ? explain_closed : explain_passes)(code, to);
    write_costs(code, to);
    pkm_stream_format(
        to, "*/\n#ifndef PKM_CODE_%s_H\n#define PKM_CODE_%s_H\n\nenum { %s_drives = %d };\n\n", x,
        x, x, code->mech->n_drive);
    write_state(code, to);
    write_declarations(code, to);
    pkm_stream_text(to, "#endif\n");
    return pkm_stream_close(to, err);
}

// ---- test -------------------------------------------------------------------------------------

static void write_numbers(pkm_stream* to, const double* value, int n)
{
    pkm_stream_text(to, "{");
    for (int k = 0; k < n; ++k)
        // 17 digits bring a double back to the last bit
        pkm_stream_format(to, "%s%.17g", k ? ", " : "", value[k]);
    pkm_stream_text(to, "}");
}

static void write_vector(const pkm_code* code, const pkm_code_instant* at, pkm_stream* to)
{
    const pkm_instant* now = &at->now;
    const pkm_frame_motion* tool = &now->tool;
    const int n = code->mech->n_drive;
    const pkm_mat3 R = pkm_mat3_from_quat(tool->pose.q);
    // by rows; pkm_mat3 has columns
    const double axes[9] = {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z};
    const double twist[6] = {tool->v.x, tool->v.y, tool->v.z, tool->w.x, tool->w.y, tool->w.z};
    const double rate[6] = {tool->a.x,     tool->a.y,     tool->a.z,
                            tool->alpha.x, tool->alpha.y, tool->alpha.z};
    const double wrench[6] = {now->tool_force.x,  now->tool_force.y,  now->tool_force.z,
                              now->tool_torque.x, now->tool_torque.y, now->tool_torque.z};
    const double p[3] = {tool->pose.p.x, tool->pose.p.y, tool->pose.p.z};
    const struct {
        const double* value;
        int n;
    } part[] = {{p, 3},      {axes, 9},   {twist, 6},  {rate, 6},      {wrench, 6},
                {now->q, n}, {now->v, n}, {now->a, n}, {now->force, n}};
    pkm_stream_text(to, "    {");
    for (size_t k = 0; k < sizeof part / sizeof part[0]; ++k) {
        if (k > 0) pkm_stream_text(to, ",\n     ");
        write_numbers(to, part[k].value, part[k].n);
    }
    pkm_stream_text(to, "},\n");
}

static const char TEST_BEGIN[] =
    "\nstatic double worst;\n\n"
    "/* Largest difference, as a part of the largest value, which counts as `size` at least. */\n"
    "static void compare(const char* what, int c, const double* is, const double* wanted, int n, "
    "double size)\n"
    "{\n"
    "    double off = 0.0;\n"
    "    int k;\n"
    "    for (k = 0; k < n; ++k)\n"
    "        if (fabs(wanted[k]) > size) size = fabs(wanted[k]);\n"
    "    for (k = 0; k < n; ++k)\n"
    "        if (!(fabs(is[k] - wanted[k]) <= off)) off = fabs(is[k] - wanted[k]);\n"
    "    if (!(off / size <= worst)) worst = off / size;\n"
    "    if (!(off <= 1e-8 * size)) {\n"
    "        printf(\"case %d: %s differs by %g of %g\\n\", c, what, off, size);\n"
    "        ++failed;\n"
    "    }\n"
    "}\n\n"
    "static void expect(const char* what, int c, int status)\n"
    "{\n"
    "    if (status == 0) return;\n"
    "    printf(\"case %d: %s was refused\\n\", c, what);\n"
    "    ++failed;\n"
    "}\n\n";

/// A call that comes from home, case 0, in sixteen steps: Newton's method begins at the last one.
static void write_test_call(const pkm_code* code, pkm_stream* to, const char* what, bool by_tool,
                            const char* arguments)
{
    const char* x = code->prefix;
    const char* way = by_tool ? "p" : "drive";
    pkm_stream_format(to, "        %s_home(&s);\n        for (k = 1; k <= 16; ++k) {\n", x);
    pkm_stream_format(
        to,
        "            for (d = 0; d < %d; ++d)\n"
        "                at[d] = vectors[0].%s[d] + (v->%s[d] - vectors[0].%s[d]) * k / 16.0;\n",
        by_tool ? 3 : code->mech->n_drive, way, way, way);
    pkm_stream_format(to, "            status = %s_%s(&s, at, %s);\n        }\n", x, what,
                      arguments);
    pkm_stream_format(to, "        expect(\"%s\", c, status);\n", what);
}

static void write_compare(const pkm_code* code, pkm_stream* to, const char* what, const char* is,
                          const char* wanted, double size)
{
    pkm_stream_format(to, "        compare(\"%s\", c, %s, v->%s, %d, %.3g);\n", what, is, wanted,
                      code->mech->n_drive, size);
}

static void write_kinematics_checks(const pkm_code* code, pkm_stream* to)
{
    const int n = code->mech->n_drive;
    if (pkm_code_has(code, PKM_CALL_IK)) {
        write_test_call(code, to, "ik", true, "v->R, a");
        write_compare(code, to, "ik", "a", "drive", 1.0);
    }
    if (!pkm_code_wants(code, PKM_CODE_FK) || code->mech->tool == PKM_NONE) return;
    write_test_call(code, to, "fk", false, "p, R");
    pkm_stream_format(to,
                      "        compare(\"fk, point\", c, p, v->p, 3, %.3g);\n"
                      "        compare(\"fk, axes\", c, R, v->R, 9, 1.0);\n",
                      code->mech->size);
    if (!pkm_code_wants(code, PKM_CODE_JACOBIAN)) return;
    pkm_stream_format(to,
                      "        %s_jacobian(&s, J);\n"
                      "        for (k = 0; k < 6; ++k)\n"
                      "            for (twist[k] = 0.0, d = 0; d < %d; ++d)\n"
                      "                twist[k] += J[%d * k + d] * v->rate[d];\n"
                      "        compare(\"jacobian\", c, twist, v->twist, 6, 1.0);\n",
                      code->prefix, n, n);
}

static void write_dynamics_checks(const pkm_code* code, pkm_stream* to)
{
    // forces near zero are compared with what holds the robot [N, N m]: they cancel
    const double weight = 9.81 * code->mech->total_mass * fmin(1.0, code->mech->size);
    if (pkm_code_wants(code, PKM_CODE_INVERSE)) {
        if (code->has_tool) {
            write_test_call(code, to, "inverse", true,
                            "v->R, v->twist, v->twist_rate, v->wrench, a, b, e, f");
            write_compare(code, to, "drive rates", "b", "rate", 1.0);
            write_compare(code, to, "drive accelerations", "e", "acc", 1.0);
            write_compare(code, to, "inverse", "f", "force", weight);
        }
        write_test_call(code, to, "inverse_drives", false, "v->rate, v->acc, v->wrench, f");
        write_compare(code, to, "inverse_drives", "f", "force", weight);
    }
    if (!pkm_code_wants(code, PKM_CODE_FORWARD)) return;
    write_test_call(code, to, "forward", false, "v->rate, v->force, v->wrench, a");
    write_compare(code, to, "forward", "a", "acc", 1.0);
}

pkm_status pkm_code_write_test(const pkm_code* code, const char* folder, pkm_error* err)
{
    pkm_stream* to;
    const char* x = code->prefix;
    const int n = code->mech->n_drive;
    PKM_TRY(pkm_code_open(code, folder, "_test.c", &to, err));
    pkm_stream_format(to,
                      "/* %s: does %s.c compute what the engine of pkm %s computed?\n"
                      "   cc -std=c99 -O2 %s.c %s_test.c -lm && ./a.out */\n"
                      "#include \"%s.h\"\n\n#include <math.h>\n#include <stdio.h>\n\n",
                      code->title, x, PKM_VERSION, x, x, x);
    pkm_stream_format(
        to,
        "static const struct vector {\n    double p[3], R[9], twist[6], twist_rate[6], wrench[6];\n"
        "    double drive[%d], rate[%d], acc[%d], force[%d];\n} vectors[%d] = {\n",
        n, n, n, n, PKM_CODE_VECTORS);
    for (int k = 0; k < PKM_CODE_VECTORS; ++k)
        write_vector(code, &code->vector[k], to);
    pkm_stream_text(to, "};\n\nstatic int failed;\n");
    pkm_stream_text(to, TEST_BEGIN);
    pkm_stream_format(to,
                      "int main(void)\n{\n    struct %s_state s;\n    double p[3], R[9], twist[6], "
                      "a[%d], b[%d], e[%d], f[%d], J[%d], at[%d];\n"
                      "    int c, d, k, status = 0;\n",
                      x, n, n, n, n, 6 * n, n > 3 ? n : 3);
    pkm_stream_text(to, "    (void)p, (void)R, (void)twist, (void)a, (void)b, (void)e, (void)f, "
                        "(void)J, (void)at, (void)d, (void)k, (void)status;\n");
    pkm_stream_format(
        to, "    for (c = 0; c < %d; ++c) {\n        const struct vector* v = &vectors[c];\n",
        PKM_CODE_VECTORS);
    write_kinematics_checks(code, to);
    write_dynamics_checks(code, to);
    pkm_stream_format(to,
                      "    }\n    printf(\"%s: %%s, largest difference %%.1e\\n\", failed ? "
                      "\"FAILED\" : \"ok\", worst);\n"
                      "    return failed > 0;\n}\n",
                      x);
    return pkm_stream_close(to, err);
}
