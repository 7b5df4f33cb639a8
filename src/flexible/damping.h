/// Damping of a link by the modes in which it vibrates between its joints.
#ifndef PKM_FLEXIBLE_DAMPING_H
#define PKM_FLEXIBLE_DAMPING_H

#include "flexible/body.h"

/// The damping matrix D [n_mode x n_mode] of the modal coordinates that gives every mode of the
/// link with held joints (held.h; their points do not shift, and those that hold all turns, or that
/// a drive holds, do not turn) and with what hangs on the others the ratio that `spec` has at its
/// frequency; what is left, stretching between the joints, is damped as a free body
/// (docs/theory/flexible.md, section 6).
///
/// A free rod of 102 Hz vibrates between two ball joints with 45 Hz: ratios by frequency mean the
/// latter.
/// @return PKM_ERR_MEMORY, PKM_ERR_CONVERGENCE.
PKM_NODISCARD pkm_status pkm_flexible_held_damping(const pkm_description* desc,
                                                   const pkm_flexible_body* body,
                                                   const pkm_flexible_spec* spec, double* D);

/// Lowest angular frequency of the link with held joints [rad/s]. 0: it has none.
/// @return PKM_ERR_MEMORY, PKM_ERR_CONVERGENCE.
PKM_NODISCARD pkm_status pkm_flexible_held_lowest(const pkm_description* desc,
                                                  const pkm_flexible_body* body, double* omega);

#endif
