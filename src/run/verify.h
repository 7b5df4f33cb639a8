/// How far a result can be relied on: which runs are repeated, by what means, and what their
/// differences say. The one rule for pkm simulate, pkm elastodynamics and studies.
///
/// Error bars are *numerical*: they tell how far steps, methods and rounding move a value, not how
/// far the model is from the machine. Where surfaces touch a value also hangs on numbers that
/// nobody knows to 1 %; its *sensitivity* tells how far it moves when these change by as much.
/// See docs/theory/contact.md, section 6.
#ifndef PKM_RUN_VERIFY_H
#define PKM_RUN_VERIFY_H

#include "run/run.h"

// ---- which runs -------------------------------------------------------------------------------

/// What a run is, as far as its repetitions are concerned.
typedef enum pkm_verify_kind {
    PKM_VERIFY_SMOOTH,       ///< integrated, no surfaces that touch
    PKM_VERIFY_FLEXIBLE,     ///< likewise, with flexible links that have a mesh
    PKM_VERIFY_CONTACT,      ///< integrated, with impacts: small differences grow
    PKM_VERIFY_QUASI_STATIC, ///< instant by instant, derivatives by differences of instants
    PKM_VERIFY_LINEAR,       ///< fixed steps (elastodynamics)
} pkm_verify_kind;

/// By what a repetition differs from the run.
typedef enum pkm_verify_means {
    PKM_VERIFY_HUNDREDTH,   ///< of the tolerance
    PKM_VERIFY_OTHER,       ///< integrator, with its own tolerance
    PKM_VERIFY_HALF,        ///< of the tolerance
    PKM_VERIFY_FASTER,      ///< velocities at the start moved by PKM_VERIFY_JITTER
    PKM_VERIFY_SLOWER,      ///< by as much the other way
    PKM_VERIFY_INSTANTS,    ///< four times as many
    PKM_VERIFY_STEPS,       ///< half as long
    PKM_VERIFY_ELEMENTS,    ///< twice as many of flexible links
    PKM_VERIFY_MESH,        ///< and twice as many modes
    PKM_VERIFY_RESTITUTION, ///< a parameter of contacts changed by PKM_VERIFY_CHANGE
    PKM_VERIFY_STIFFNESS,   ///< likewise
    PKM_VERIFY_CLEARANCE,   ///< likewise
    PKM_N_VERIFY,
} pkm_verify_means;

enum { PKM_MAX_REPEAT = 6 };

/// Velocities of a start that is moved differ by up to this [m/s, rad/s].
#define PKM_VERIFY_JITTER 1e-9
/// Relative change of parameters of contacts.
#define PKM_VERIFY_CHANGE 0.01

/// Of a run that is integrated or seated.
pkm_verify_kind pkm_verify_kind_of(const pkm_run* run);

/// The repetitions of a run of this kind, in their order: out[PKM_MAX_REPEAT], returns how many.
/// Those that change parameters come last, and only with `parameters`.
int pkm_verify_plan(pkm_verify_kind kind, bool parameters, pkm_verify_means* out);
/// Does it change only how the same problem is solved?
bool pkm_verify_is_numerical(pkm_verify_means means);
/// "restitution", "contact stiffness", "clearance"; NULL for numerical ones.
const char* pkm_verify_parameter(pkm_verify_means means);

/// A repetition: its settings, and what of their effects is not that of the run.
typedef struct pkm_verify_run {
    pkm_sim_settings settings; ///< settings.effects may be those below
    pkm_effects effects;
    pkm_joint_clearance* clearance; ///< of them, owned; NULL: those of the run
    pkm_effect_flexible* flexible;  ///< likewise
    char words[96];                 ///< "tolerance 1e-14", "restitution changed by 1 %"
} pkm_verify_run;

/// Not for PKM_VERIFY_STEPS, whose steps its analysis halves itself: it has only words.
/// @return PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_verify_run_make(const pkm_run* run, pkm_verify_means means,
                                             pkm_verify_run* out, pkm_error* err);
void pkm_verify_run_free(pkm_verify_run* run);

// ---- what they say ----------------------------------------------------------------------------

typedef enum pkm_verdict {
    PKM_VERDICT_NONE, ///< not repeated
    PKM_VERDICT_REPEATABLE,
    PKM_VERDICT_CHAOTIC,       ///< small differences grow, in impacts: no run is the right one
    PKM_VERDICT_NOT_CONVERGED, ///< tighter tolerances, finer meshes or steps give another value
} pkm_verdict;

/// NULL, "repeatable", "chaotic", "not converged".
const char* pkm_verdict_name(pkm_verdict verdict);
/// The value is no answer, only the range of the runs is.
bool pkm_verdict_is_apart(pkm_verdict verdict);

/// Spread against value above which it does not repeat, unless a study says otherwise.
#define PKM_CHAOTIC_ABOVE 0.1

/// How far the values of all runs of one problem lie apart; what is not known is NaN.
typedef struct pkm_spread {
    double error_bar;             ///< numerical: the largest difference from the run itself, 4/3 of
                                  ///< that to half the step; twice what more elements change
                                  ///< and, from there, more modes
    double low, high;             ///< of all runs that differ numerically
    double finer, changed;        ///< the value with more elements; what these and modes changed
    int n_finer;                  ///< values of those
    double sensitivity;           ///< largest change when a parameter changes
    pkm_verify_means most_moving; ///< by which; meaningless where sensitivity is NaN
} pkm_spread;

/// Of a value that was not repeated.
pkm_spread pkm_spread_none(void);
/// Take the value `other` of a repetition of the run that gave `value`; NaNs tell nothing.
void pkm_spread_add(pkm_spread* spread, double value, pkm_verify_means means, double other);

/// Not repeatable: the runs lie apart by more than `above` of the value, and by more than rounding
/// of `size`, the magnitude of what the value is a difference of (a deviation of 1e-15 m of a tool
/// a metre away is rounding). With impacts that is chaos, else a lack of convergence.
pkm_verdict pkm_spread_judge(const pkm_spread* spread, pkm_verify_kind kind, double value,
                             double size, double above);

#endif
