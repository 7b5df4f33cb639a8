/// What linear analyses at a pose answer, as trees of results: modes, stiffness.
#ifndef PKM_LINEAR_LINEAR_RESULT_H
#define PKM_LINEAR_LINEAR_RESULT_H

#include "linear/modes.h"
#include "linear/stiffness.h"
#include "run/run.h"
#include "table/result.h"

/// What linear analyses take of a run.
pkm_elastic_settings pkm_elastic_settings_for(const pkm_run* run);

/// The answer of `pkm modes` where the robot stands: its setting (robot, pose, drives, links), then
/// the modes.
void pkm_modes_result(pkm_robot* robot, const pkm_elastic_settings* settings,
                      const pkm_elastic* elastic, const pkm_modes* modes, pkm_result* out);
/// The answer of `pkm stiffness`.
void pkm_stiffness_result(pkm_robot* robot, const pkm_elastic_settings* settings,
                          const pkm_elastic* elastic, const pkm_stiffness* s, pkm_result* out);

/// "A.left bending 34 %, B.right bending 12 %": where most of the strain energy of a mode is.
void pkm_modes_culprits(const pkm_elastic* elastic, const pkm_modes* modes, int k, int most,
                        char* text, size_t size);

#endif
