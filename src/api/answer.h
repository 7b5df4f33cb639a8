/// The inside of pkm_answer (pkm/answer.h), and how analyses fill it: the tree that the verb of the
/// same name has, and its tables.
#ifndef PKM_API_ANSWER_H
#define PKM_API_ANSWER_H

#include "pkm/answer.h"
#include "run/verify.h"
#include "table/result.h"

/// A number of the tree: the path of its keys, with places in lists.
typedef struct pkm_answer_item {
    char name[2 * PKM_MAX_NAME];
    const char* unit; ///< of the tree
    double value;
} pkm_answer_item;

enum { PKM_ANSWER_TABLES = 3 };

struct pkm_answer {
    pkm_task_kind kind;
    bool is_complete;
    pkm_result* tree;
    int n_value, value_room;
    pkm_answer_item* value; ///< the numbers of the tree, listed at the end
    int n_table;
    const char* table_name[PKM_ANSWER_TABLES]; ///< literals
    pkm_table* table[PKM_ANSWER_TABLES];
    pkm_spread* spread;     ///< [columns of table 0] of repetitions; NULL: there were none
    pkm_verify_kind verify; ///< what the run is, by which they are judged
    bool is_short;          ///< memory ran out while it was filled
};

/// An answer with an empty tree. NULL: memory is out.
pkm_answer* pkm_answer_create(pkm_task_kind kind);
/// Append an empty table; NULL when memory is out (noted).
pkm_table* pkm_answer_add_table(pkm_answer* answer, const char* name);

/// End an analysis: what it came to is given to `out` when there is an answer or part of one,
/// freed otherwise. Returns the status, or PKM_ERR_MEMORY when the answer could not be filled.
PKM_NODISCARD pkm_status pkm_answer_finish(pkm_answer* answer, pkm_status status, pkm_answer** out,
                                           pkm_error* err);

#endif
