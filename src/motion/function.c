// Motions given by functions of time, each with three derivatives (28). Kinks are located when the
// motion is made, so that integrators stop there; jumps are refused. docs/theory/motion.md, section
// 7.
#include "motion/function.h"

#include "base/error.h"

#include <math.h>

/// Instants at which functions are looked at when a motion is made.
enum { LOOKS = 4096 };

/// Room for rounding in the time, as in law.c.
static const double ROUNDING = 1e-12;

/// Steps of a function over the last bit of the time that count as a jump, of its size.
static const double JUMP = 1e-9;

/// What a function has at `t` on the side of `inside`, a little apart: a kink that lies on an end
/// of the motion would show the side on which there is none.
static void look_from(const pkm_motion_function* of, double t, double inside, double out[4])
{
    double there[4];
    const unsigned side = of->at(of->user, t, out);
    if (t == inside || of->at(of->user, inside, there) == side) return;
    const double dt = t - inside, jerk = isfinite(there[3]) ? there[3] : 0.0;
    out[0] = there[0] + dt * (there[1] + dt * (there[2] / 2.0 + dt * jerk / 6.0));
    out[1] = there[1] + dt * (there[2] + dt * jerk / 2.0);
    out[2] = there[2] + dt * jerk;
    out[3] = there[3];
}

void pkm_functions_at(const pkm_functions* f, int i, double t, double out[4])
{
    out[0] = out[1] = out[2] = out[3] = 0.0;
    if (!f->of[i].at) return;
    const double slack = ROUNDING * f->end, end = f->end;
    const bool rests = t < -slack || t > end + slack;
    const double now = fmax(0.0, fmin(t, end));
    look_from(&f->of[i], now, fmax(2.0 * slack, fmin(now, end - 2.0 * slack)), out);
    if (rests) out[1] = out[2] = out[3] = 0.0;
}

/// On which sides of their kinks the functions are.
static unsigned side_at(const pkm_functions* f, double t)
{
    unsigned all = 0U;
    double out[4];
    for (int i = 0; i < f->n; ++i)
        all = 31U * all + (f->of[i].at ? f->of[i].at(f->of[i].user, t, out) : 0U);
    return all;
}

/// Values, velocities and accelerations; a jerk may be infinite at a kink.
static pkm_status check_finite(const pkm_functions* f, double t, const char* name, pkm_error* err)
{
    static const char* const word[] = {"value", "velocity", "acceleration"};
    for (int i = 0; i < f->n; ++i) {
        double x[4];
        pkm_functions_at(f, i, t, x);
        for (int k = 0; k < 3; ++k)
            if (!isfinite(x[k]))
                return pkm_fail(err, PKM_ERR_ARGUMENT,
                                "%s: formula %d: its %s at %.9g s is %g, expected a finite number",
                                name, i + 1, word[k], t, x[k]);
    }
    return PKM_OK;
}

/// The two neighbours between which the sides change, by bisection.
static void locate(const pkm_functions* f, double* low, double* high)
{
    const unsigned before = side_at(f, *low);
    while (*high - *low > 1e-15 * f->end) {
        const double middle = 0.5 * (*low + *high);
        if (side_at(f, middle) == before)
            *low = middle;
        else
            *high = middle;
    }
}

static pkm_status note_kink(pkm_functions* f, double low, double high, const char* name,
                            pkm_error* err)
{
    locate(f, &low, &high);
    for (int i = 0; i < f->n; ++i) {
        double a[4], b[4];
        if (!f->of[i].at) continue;
        (void)f->of[i].at(f->of[i].user, low, a);
        (void)f->of[i].at(f->of[i].user, high, b);
        if (!(fabs(b[0] - a[0]) > JUMP * (fabs(a[0]) + fabs(b[0])))) continue;
        if (fabs(b[0] - a[0]) <= JUMP) continue; // [m, rad]
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: formula %d jumps from %.6g to %.6g at %.9g s, expected a continuous "
                        "function",
                        name, i + 1, a[0], b[0], high);
    }
    if (high < ROUNDING * f->end || f->end - high < ROUNDING * f->end) return PKM_OK; // its ends
    if (f->n_kink == PKM_MAX_KINK)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: formulas with more than %d kinks", name,
                        PKM_MAX_KINK);
    f->kink[f->n_kink++] = high;
    return PKM_OK;
}

pkm_status pkm_functions_check(pkm_functions* f, const char* name, pkm_error* err)
{
    double last = 0.0;
    PKM_TRY(check_finite(f, 0.0, name, err));
    for (int k = 1; k <= LOOKS; ++k) {
        const double now = f->end * k / LOOKS;
        PKM_TRY(check_finite(f, now, name, err));
        if (side_at(f, now) != side_at(f, last)) PKM_TRY(note_kink(f, last, now, name, err));
        last = now;
    }
    return PKM_OK;
}
