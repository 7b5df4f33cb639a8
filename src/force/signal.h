/// A number that depends on time: constant, sampled, a formula, or set by somebody else.
///
/// A signal is a small value that borrows its samples or formula; the owner keeps them alive.
/// Evaluation allocates nothing.
#ifndef PKM_FORCE_SIGNAL_H
#define PKM_FORCE_SIGNAL_H

#include "model/formula.h"

typedef enum pkm_signal_kind {
    PKM_SIGNAL_CONSTANT,
    PKM_SIGNAL_STEPS,   ///< keeps the last sample; the first one before it
    PKM_SIGNAL_LINEAR,  ///< straight between samples; end values outside
    PKM_SIGNAL_FORMULA, ///< an expression of t
    PKM_SIGNAL_INPUT,   ///< what somebody else sets, between steps
} pkm_signal_kind;

typedef struct pkm_signal {
    pkm_signal_kind kind;
    double value;    ///< constant
    int n_sample;    ///< steps, linear
    const double* t; ///< [n_sample] increasing [s]
    const double* y; ///< [n_sample]
    const pkm_formula* formula;
    const double* input; ///< where its value of now is
} pkm_signal;

/// A zeroed signal is the constant zero.
pkm_signal pkm_signal_constant(double value);
pkm_signal pkm_signal_steps(const double* t, const double* y, int n_sample);
pkm_signal pkm_signal_linear(const double* t, const double* y, int n_sample);
pkm_signal pkm_signal_formula(const pkm_formula* formula);
pkm_signal pkm_signal_input(const double* value);

/// Complain about samples that are missing, not finite or not increasing in time, and about
/// constants that are not finite. `name` starts the sentence.
PKM_NODISCARD pkm_status pkm_signal_check(const pkm_signal* signal, const char* name,
                                          pkm_error* err);

/// The value at time `t` [s]; at a jump the value after it. A step that ends at a jump evaluates at
/// nextafter(t, -INFINITY) instead.
double pkm_signal_at(const pkm_signal* signal, double t);

/// Is it another one just before t = 0 than from there on: a load that a robot rests under until it
/// is let go?
bool pkm_signal_is_released(const pkm_signal* signal);

/// The first time > `t` [s] at which the value or its slope jumps, where an integrator must stop;
/// infinite when there is none.
double pkm_signal_next_break(const pkm_signal* signal, double t);

#endif
