/// Inside of the reader of motions: one that is being read.
#ifndef PKM_MODEL_MOTION_DRAFT_H
#define PKM_MODEL_MOTION_DRAFT_H

#include "model/reader.h"

/// A motion being read: the specification and the arrays that it borrows.
typedef struct pkm_motion_draft {
    const pkm_yaml* node;
    pkm_motion_spec spec;
    pkm_arena* keep; ///< lives as long as the motion: its formulas
    double drive_from[PKM_MAX_DRIVE], drive_to[PKM_MAX_DRIVE];
    pkm_motion_function function[PKM_MAX_DRIVE > 6 ? PKM_MAX_DRIVE : 6];
    bool moves[PKM_MAX_DRIVE]; ///< the drives that it names
} pkm_motion_draft;

/// `path`, `drives`, `times`, `samples`, `formula`: where the motion goes, if it is no sequence.
PKM_NODISCARD pkm_status pkm_motion_read_path(const pkm_reader* r, const pkm_yaml* node,
                                              pkm_motion_draft* d);
PKM_NODISCARD pkm_status pkm_motion_read_drives(const pkm_reader* r, const pkm_yaml* node,
                                                pkm_motion_draft* d);
PKM_NODISCARD pkm_status pkm_motion_read_times(const pkm_reader* r, const pkm_yaml* node,
                                               pkm_motion_draft* d);
PKM_NODISCARD pkm_status pkm_motion_read_samples(const pkm_reader* r, const pkm_yaml* node,
                                                 pkm_motion_draft* d);
PKM_NODISCARD pkm_status pkm_motion_read_formula(const pkm_reader* r, const pkm_yaml* node,
                                                 pkm_motion_draft* d);

/// Way points under `keys`, or the list under `through`.
PKM_NODISCARD pkm_status pkm_motion_read_vectors(const pkm_reader* r, const pkm_yaml* node,
                                                 const char* const* keys, pkm_dimension want,
                                                 int* n, const pkm_vec3** out);
/// `from` and `to`.
extern const char* const pkm_motion_from_to[];

#endif
