/// Result trees: what a verb answers (verb.h), read by keys. Groups have children with keys, lists
/// children without; numbers have units. Keys and nesting are those of `--json`; keys that begin
/// with _ serve the text for people only, JSON leaves them out.
///
///     const pkm_result* mass = pkm_result_find(root, "bodies.0.mass");
///     printf("%g %s\n", pkm_result_value(mass, 0), pkm_result_unit(mass));
///
/// Nodes, keys and texts are lent until the owner of the tree is freed. NULL has nothing.
#ifndef PKM_RESULT_H
#define PKM_RESULT_H

#include "pkm/status.h"
#include "pkm/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pkm_result_kind {
    PKM_RESULT_GROUP, ///< children with keys
    PKM_RESULT_LIST,  ///< children without
    PKM_RESULT_NUMBER,
    PKM_RESULT_INTEGER,
    PKM_RESULT_BOOL,
    PKM_RESULT_TEXT,
    PKM_RESULT_NUMBERS, ///< a vector
} pkm_result_kind;

typedef struct pkm_result pkm_result;

PKM_API pkm_result_kind pkm_result_get_kind(const pkm_result* node); ///< NULL: an empty group
PKM_API const char* pkm_result_key(const pkm_result* node);          ///< "" in lists
PKM_API const char* pkm_result_unit(const pkm_result* node);         ///< "": none
PKM_API const pkm_result* pkm_result_first(const pkm_result* node);  ///< child; NULL: none
PKM_API const pkm_result* pkm_result_next(const pkm_result* node);   ///< sibling; NULL: none
/// Children of a group or list, numbers of a vector.
PKM_API int pkm_result_count(const pkm_result* node);
/// A number, integer or bool (0, 1); of a vector the k-th. NaN: none, or not known.
PKM_API double pkm_result_value(const pkm_result* node, int k);
/// The numbers of a vector; NULL: it is none.
PKM_API const double* pkm_result_vector(const pkm_result* node);
/// NULL: none.
PKM_API const char* pkm_result_get_text(const pkm_result* node);
/// The node at "drives.0.name" below `node`: keys of groups and places in lists, from 0. NULL:
/// there is none.
PKM_API const pkm_result* pkm_result_find(const pkm_result* node, const char* path);

#ifdef __cplusplus
}
#endif
#endif
