/// What a run changes about a robot before it is compiled: joints with clearance, flexible links.
#ifndef PKM_MECHANISM_VARIANT_H
#define PKM_MECHANISM_VARIANT_H

#include "mechanism/mechanism.h"
#include "mechanism/modal_body.h"

typedef struct pkm_variant {
    const bool* released; ///< [n_joint] joints that hold nothing any more; NULL: none
    int n_modal;
    const pkm_modal_body* modal;  ///< bodies that bend; lent to the mechanism
    struct pkm_description* desc; ///< with links in pieces, behind all other bodies and joints;
                                  ///< NULL: that of the robot
} pkm_variant;

/// Compile a description for a run. A released joint is neither in the tree nor a closure; a driven
/// one stays in the tree as a loose joint, whose drive has the coordinate along or about its axis.
/// A body that bends floats, or hangs on its driven joint; its joints and markers sit on frames,
/// massless bodies of their own that its modes move (docs/theory/flexible.md, section 2).
PKM_NODISCARD pkm_status pkm_mechanism_compile_variant(const struct pkm_description* desc,
                                                       const pkm_variant* variant,
                                                       pkm_mechanism** out, pkm_error* err);

/// How body `desc_body` bends; NULL: it is rigid.
const pkm_modal_body* pkm_variant_modal(const pkm_variant* variant, int desc_body);

#endif
