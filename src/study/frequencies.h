/// Natural frequencies as the analysis of a case: `modes` of any robot with flexible links,
/// `elastodynamics` of Kuo's Delta.
#ifndef PKM_STUDY_FREQUENCIES_H
#define PKM_STUDY_FREQUENCIES_H

#include "study/study.h"

/// Fill `table` with one row: t = 0, f1, f2 ... [Hz], w1, w2 ... [rad/s], the number of coordinates
/// n. The keys `modes` and `elastodynamics` of the settings say where and how many.
/// @return PKM_ERR_MODEL with the place in the study file; what the analyses return.
PKM_NODISCARD pkm_status pkm_study_frequencies(const pkm_study* study, const pkm_settings* settings,
                                               pkm_prepared* prepared, pkm_table* table,
                                               pkm_error* err);

/// Its columns; nothing is computed.
PKM_NODISCARD pkm_status pkm_study_frequency_columns(const pkm_study* study,
                                                     const pkm_settings* settings,
                                                     pkm_prepared* prepared, pkm_table* table,
                                                     pkm_error* err);

/// The keys of `modes` and `elastodynamics` in a study file.
struct pkm_section;
extern const struct pkm_section pkm_study_modes, pkm_study_elastodynamics;

#endif
