/// What a study comes to: the values of all cases, effects and interactions, couplings as signals,
/// published numbers beside ours. They are made from the database and written back into it.
#ifndef PKM_STUDY_FINDINGS_H
#define PKM_STUDY_FINDINGS_H

#include "study/case.h"
#include "study/factorial.h"
#include "study/store.h"

typedef enum pkm_claim {
    PKM_CLAIM_YES,
    PKM_CLAIM_WITHIN_ERROR,  ///< its size is below its error bar
    PKM_CLAIM_CHAOTIC,       ///< a result in it is chaotic
    PKM_CLAIM_MISSING,       ///< a case in it failed
    PKM_CLAIM_NOT_CONVERGED, ///< a result in it has not converged
} pkm_claim;

/// "yes", "within error", "chaotic", "missing", "not converged".
const char* pkm_claim_name(pkm_claim claim);

typedef struct pkm_effect {
    int output;
    pkm_term term;
    double value, average, error_bar, share;
    pkm_claim claim;
} pkm_effect;

/// The deviation of a case with several effects against the sum of the single ones.
typedef struct pkm_coupling {
    int output, case_id;
    double coupled, sum, sum_of_peaks, rest; ///< sizes of signals
    pkm_claim claim;
} pkm_coupling;

typedef struct pkm_found_published {
    double ours; ///< NaN: not computed
    bool agrees;
} pkm_found_published;

typedef struct pkm_findings {
    const pkm_study* study;
    int n_output, n_case, n_done, n_failed;
    bool* is_done;         ///< [n_case]
    pkm_case_value* value; ///< [n_output * n_case], output by output
    double* deviation;     ///< the same: sizes of deviations from the reference; NaN: not known
    int n_effect;
    pkm_effect* effect;
    int n_coupling;
    pkm_coupling* coupling;
    pkm_found_published* published; ///< [study->n_published]
} pkm_findings;

/// Make the findings from what is finished and write the tables effects, couplings, deviations,
/// published and the verdicts of results.
PKM_NODISCARD pkm_status pkm_findings_create(const pkm_study* study, pkm_store* store,
                                             pkm_findings** out, pkm_error* err);
void pkm_findings_free(pkm_findings* findings);

/// The value of an output in a case.
const pkm_case_value* pkm_findings_value(const pkm_findings* findings, int output, int case_id);

/// "friction x payload" and "with x 6 kg".
void pkm_effect_names(const pkm_study* study, const pkm_term* term, char* factors, char* levels,
                      size_t size);

/// rest / coupled and coupled / sum; NaN when there is nothing to divide by.
double pkm_coupling_share(const pkm_coupling* coupling);
double pkm_coupling_ratio(const pkm_coupling* coupling);

#endif
