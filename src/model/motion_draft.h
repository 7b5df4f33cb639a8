/// Inside of the reader of motions: one that is being read.
#ifndef PKM_MODEL_MOTION_DRAFT_H
#define PKM_MODEL_MOTION_DRAFT_H

#include "model/key.h"

/// A motion being read: the specification and the arrays that it borrows.
typedef struct pkm_motion_draft {
    const pkm_yaml* node;
    pkm_desc_motion desc;
    pkm_motion_spec spec;
    pkm_arena* keep; ///< lives as long as the motion: its formulas
    double drive_from[PKM_MAX_DRIVE], drive_to[PKM_MAX_DRIVE];
    pkm_motion_function function[PKM_MAX_DRIVE > 6 ? PKM_MAX_DRIVE : 6];
    bool moves[PKM_MAX_DRIVE]; ///< the drives that it names
    int of, ends;              ///< of samples and formulas
    const char* file;          ///< of samples
    double turns;              ///< of a circle
    int shaper;                ///< which word
    double dwell;              ///< of the item of a sequence that is read
    const char *pick, *drop;   ///< payloads of that item; NULL: it is none of these
    pkm_motion_mark* mark;     ///< [n_part] room of a sequence
} pkm_motion_draft;

enum { PKM_MOST_POINTS = 100000 };

/// `path`, `drives`, `times`, `samples`, `formula`: where the motion goes, if it is no sequence.
/// Each reads to a draft.
PKM_NODISCARD pkm_status pkm_motion_read_path(pkm_reader* r, const pkm_yaml* node, void* to);
PKM_NODISCARD pkm_status pkm_motion_read_drives(pkm_reader* r, const pkm_yaml* node, void* to);
PKM_NODISCARD pkm_status pkm_motion_read_times(pkm_reader* r, const pkm_yaml* node, void* to);
PKM_NODISCARD pkm_status pkm_motion_read_samples(pkm_reader* r, const pkm_yaml* node, void* to);
PKM_NODISCARD pkm_status pkm_motion_read_formula(pkm_reader* r, const pkm_yaml* node, void* to);
/// What may stand there.
extern const pkm_key pkm_motion_path_forms[], pkm_motion_drive_forms[], pkm_motion_sample_forms[],
    pkm_motion_formula_forms[];

/// A list of vectors, or one, in memory that goes after reading.
PKM_NODISCARD pkm_status pkm_motion_read_vectors(const pkm_reader* r, const pkm_yaml* node,
                                                 pkm_dimension want, int* n, const pkm_vec3** out);
/// The first of two vectors (`is_second`: the second), as the list above.
PKM_NODISCARD pkm_status pkm_motion_read_end(const pkm_reader* r, const pkm_yaml* node,
                                             pkm_dimension want, bool is_second, int* n,
                                             const pkm_vec3** out);

#endif
