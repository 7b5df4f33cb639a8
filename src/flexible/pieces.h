/// A link as a chain of pieces, each with a floating frame and modes of its own, welded end to end:
/// for large deflections. docs/theory/flexible.md, section 8.
#ifndef PKM_FLEXIBLE_PIECES_H
#define PKM_FLEXIBLE_PIECES_H

#include "flexible/body.h"

enum { PKM_FLEXIBLE_MAX_PIECE = 200 };

/// Two pieces that meet.
typedef struct pkm_flexible_weld {
    int a, b;    ///< pieces
    pkm_vec3 at; ///< axes of the whole body [m]
} pkm_flexible_weld;

/// A frame or sample of a piece.
typedef struct pkm_flexible_spot {
    int piece, index;
} pkm_flexible_spot;

typedef struct pkm_flexible_pieces {
    int n;
    pkm_flexible_body** body; ///< [n]; their axes are those of the whole body where it is straight
    pkm_flexible_spec spec;   ///< of each piece
    int n_weld;
    pkm_flexible_weld* weld;
    int n_joint, n_frame;      ///< of the whole link, see pkm_flexible_link
    pkm_flexible_frame* frame; ///< [n_frame]
    pkm_flexible_spot* spot;   ///< [n_frame] where they are among the pieces
    pkm_flexible_spot middle;  ///< samples
    int n_place;
    pkm_flexible_spot place[PKM_FLEXIBLE_MAX_PLACE];
} pkm_flexible_pieces;

/// Cut the body `body` of `desc` into spec->n_piece pieces and reduce each of them.
///
/// Pieces have equal shares of the elements, whose number is rounded up to a multiple. They end at
/// corners, joints and markers too, so that there may be some more. A ratio of damping becomes the
/// damping of strain that the lowest vibration of the whole link between its joints has, (8.3).
///
/// @return as pkm_flexible_body_make.
PKM_NODISCARD pkm_status pkm_flexible_pieces_create(const pkm_description* desc, int body,
                                                    const pkm_flexible_spec* spec,
                                                    pkm_flexible_pieces** out, pkm_error* err);
void pkm_flexible_pieces_free(pkm_flexible_pieces* pieces);

/// Frequencies of the body as `spec` has it, in one or in pieces: makes it once. In one it is
/// handed over in `body_out` for those that are made later, else NULL.
PKM_NODISCARD pkm_status pkm_flexible_band_of(const pkm_description* desc, int body,
                                              const pkm_flexible_spec* spec, pkm_flexible_made made,
                                              pkm_flexible_body** body_out, pkm_flexible_band* out,
                                              pkm_error* err);

#endif
