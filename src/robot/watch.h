/// Watching a way for singularities: can one lie between two positions?
///
/// A matrix that is further from A than its smallest singular value sigma is regular, so the rows
/// cannot lose rank between two positions whose matrices differ by less than that (5.3). Steps are
/// shortened until this holds, or until a position is singular. Whatever the order of the
/// singularity and however few the rows of a table: none is stepped over.
#ifndef PKM_ROBOT_WATCH_H
#define PKM_ROBOT_WATCH_H

#include "robot/robot.h"

typedef struct pkm_watch pkm_watch;

typedef enum pkm_passage {
    PKM_PASSAGE_CLEAR,    ///< no singularity between the position kept and the present one
    PKM_PASSAGE_DOUBT,    ///< the step is too long to tell
    PKM_PASSAGE_SINGULAR, ///< the present position is singular
} pkm_passage;

/// Memory for watching a robot whose systems are set up; NULL when memory is out.
pkm_watch* pkm_watch_create(pkm_state* state);
void pkm_watch_free(pkm_watch* watch);

/// Start from the present positions, to which the factors of the drives (and of the tool,
/// when `given` is that) belong.
/// @return CLEAR, or SINGULAR.
pkm_passage pkm_watch_begin(pkm_watch* watch, pkm_given given);

/// Judge the way to the present position, `step` further along (time, or any other measure of the
/// way). After DOUBT and SINGULAR the watch stands where it stood before.
pkm_passage pkm_watch_step(pkm_watch* watch, pkm_given given, double step);

/// The same for ways whose steps are as long as they may be: always by a look, from which the next
/// stride is known.
pkm_passage pkm_watch_stage(pkm_watch* watch, pkm_given given, double step);

/// A length of the next step, in the measure of the way, that will probably be CLEAR.
double pkm_watch_stride(const pkm_watch* watch);

/// How far, at most, the matrix of a system was from that of the position from which the last one
/// has been judged: in the 2-norm, without units. Each system has such a position of its own.
double pkm_watch_change(const pkm_watch* watch, pkm_given given);

/// The rates X [n_v x n_drive, column-major] of all coordinates per unit rate of each drive, at the
/// present position, to which the factors of the drives belong.
const double* pkm_watch_tangents(pkm_watch* watch);
/// The same for the rows of X of the coordinates that carry the tool; the others mean nothing.
const double* pkm_watch_tool_tangents(pkm_watch* watch);

/// The positions have changed outside of the watch: forget the tangents.
void pkm_watch_moved(pkm_watch* watch);

#endif
