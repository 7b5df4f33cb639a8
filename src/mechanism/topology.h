/// The choice of the spanning tree.
#ifndef PKM_MECHANISM_TOPOLOGY_H
#define PKM_MECHANISM_TOPOLOGY_H

#include "mechanism/variant.h"
#include "model/description.h"

/// The tree over the bodies of a description, in an order in which parents come first.
typedef struct pkm_topology {
    int* order;    ///< [n_body] description index of the i-th tree body; order[0] is the ground
    int* parent;   ///< [n_body] tree index of the parent
    int* joint;    ///< [n_body] joint to the parent, PKM_NONE: floats
    bool* in_tree; ///< [n_joint]
} pkm_topology;

/// Find the tree; arrays live in `arena`.
PKM_NODISCARD pkm_status pkm_topology_find(const pkm_description* desc, const pkm_variant* variant,
                                           pkm_arena* arena, pkm_topology* out, pkm_error* err);

#endif
