/// How the code finds the coordinates of a call: Newton's method, from coordinates that the calls
/// before let expect.
#include "generate/code_impl.h"
#include "mechanism/joint.h"

/// The quaternions of the prediction, back on the unit sphere.
static void write_unit_quaternions(const pkm_code* code, pkm_stream* to)
{
    for (int i = 1; i < code->mech->n_body; ++i) {
        const pkm_body* body = &code->mech->body[i];
        const int ball = pkm_joint_facts_of(body->type)->quaternion;
        if (ball != PKM_NONE)
            pkm_stream_format(to, "    make_unit(guess + %d);\n", body->q_at + ball);
    }
}

static int n_quaternion(const pkm_code* code)
{
    int n = 0;
    for (int i = 1; i < code->mech->n_body; ++i)
        n += pkm_joint_facts_of(code->mech->body[i].type)->quaternion != PKM_NONE;
    return n;
}

/// A cubic through the last four solutions, taken one call further: q + d1 + d2 + d3 with the
/// backward differences d1 = q - q', d2 = d1 - d1', d3 = d2 - d2'.
static void write_predict(const pkm_code* code, pkm_stream* to)
{
    if (n_quaternion(code) > 0)
        pkm_stream_text(to, "static void make_unit(double* u)\n{\n"
                            "    const double s = 1.0 / sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * "
                            "u[2] + u[3] * u[3]);\n    int k;\n"
                            "    for (k = 0; k < 4; ++k)\n        u[k] *= s;\n}\n\n");
    pkm_stream_format(
        to,
        "/* What the last four solutions let expect: a cubic, taken one call further. "
        "*/\n"
        "static void predict(const struct %s_state* s, double* guess)\n{\n"
        "    int k;\n    for (k = 0; k < %d; ++k)\n"
        "        guess[k] = s->q[k] + (s->d1[k] + (s->d2[k] + s->d3[k]));\n",
        code->prefix, code->mech->n_q);
    write_unit_quaternions(code, to);
    pkm_stream_text(to, "}\n\n");
}

/// The solution becomes the last one. The next call begins at its prediction if this one's was
/// nearer to the solution than the coordinates of the call before.
static void write_keep(const pkm_code* code, pkm_stream* to)
{
    pkm_stream_format(
        to,
        "/* The next call begins at its prediction if this one was nearer than the last solution. "
        "*/\n"
        "static void keep(struct %s_state* s, const double* guess, const double* now)\n{\n"
        "    double guessed = 0.0, moved = 0.0;\n    int k;\n    for (k = 0; k < %d; ++k) {\n",
        code->prefix, code->mech->n_q);
    pkm_stream_text(
        to, "        const double e = now[k] - guess[k], d = now[k] - s->q[k], dd = d - s->d1[k];\n"
            "        guessed += e * e;\n        moved += d * d;\n"
            "        s->d3[k] = dd - s->d2[k];\n        s->d2[k] = dd;\n        s->d1[k] = d;\n"
            "        s->q[k] = now[k];\n    }\n"
            "    s->follows = guessed < moved;\n}\n\n");
}

void pkm_code_write_follow(const pkm_code* code, pkm_stream* to)
{
    write_predict(code, to);
    write_keep(code, to);
}

void pkm_code_count_follow(const pkm_code* code, pkm_graph_count* count)
{
    const int n_q = code->mech->n_q, n_unit = n_quaternion(code);
    count->add += 9 * n_q + 3 * n_unit;
    count->multiply += 2 * n_q + 8 * n_unit;
    count->divide += n_unit;
    count->root += n_unit;
}

/// Passes until a correction is below 1e-7 of the robot, whose square is the error that is left.
static void write_iterate(const pkm_code* code, pkm_stream* to, const char* by,
                          const char* arguments, const char* given)
{
    const pkm_mechanism* mech = code->mech;
    pkm_stream_format(to, "static int iterate_%s(double* q, int passes, %s)\n{\n", by, arguments);
    pkm_stream_format(to, "    double next[%d], step[%d];\n    int pass, k;\n", mech->n_q,
                      mech->n_v);
    pkm_stream_format(to,
                      "    for (pass = 0; pass < passes; ++pass) {\n"
                      "        double largest = 0.0;\n        %s_pass(q, %s, next, step);\n",
                      by, given);
    pkm_stream_format(to, "        for (k = 0; k < %d; ++k)\n            q[k] = next[k];\n",
                      mech->n_q);
    // NaN stays
    pkm_stream_format(to,
                      "        for (k = 0; k < %d; ++k)\n"
                      "            if (fabs(step[k]) > largest || step[k] != step[k]) largest = "
                      "fabs(step[k]);\n",
                      mech->n_v);
    pkm_stream_text(to, "        if (largest < 1e-7) return 0;\n"
                        "        if (!(largest < 10.0)) return 1;\n    }\n    return 1;\n}\n\n");
}

void pkm_code_write_solve(const pkm_code* code, pkm_stream* to, const char* by,
                          const char* arguments, const char* given)
{
    write_iterate(code, to, by, arguments, given);
    pkm_stream_format(to,
                      "static int solve_%s(const struct %s_state* s, double* guess, double* now, "
                      "%s)\n{\n    int k;\n    predict(s, guess);\n",
                      by, code->prefix, arguments);
    pkm_stream_format(to,
                      "    for (k = 0; k < %d; ++k)\n        now[k] = guess[k];\n"
                      "    if (s->follows > 0.0 && iterate_%s(now, %d, %s) == 0) return 0;\n",
                      code->mech->n_q, by, PKM_CODE_GUESS_PASSES, given);
    pkm_stream_format(to,
                      "    for (k = 0; k < %d; ++k)\n        now[k] = s->q[k];\n"
                      "    return iterate_%s(now, %d, %s);\n}\n\n",
                      code->mech->n_q, by, code->settings.passes, given);
}
