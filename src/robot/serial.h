/// Serial singularities that drives lead a robot through: they are told, not refused, since all is
/// determined there (docs/theory/engine.md, section 5).
///
/// A matrix M of the tool's rates per rates of the drives (the Jacobian, or A of a closed form)
/// loses rank at them. Between two samples it cannot where it has changed by less than its smallest
/// singular value; nor where that, with the sign of det M, has changed little, and M so little that
/// the way's bend does not matter (5.7). The other stretches are walked again at the end of the
/// run, in steps as short as that needs. However few the rows: none is stepped over, and two of
/// them next to each other are seen too.
#ifndef PKM_ROBOT_SERIAL_H
#define PKM_ROBOT_SERIAL_H

#include "math/dense.h"

#include <stdbool.h>

enum { PKM_SERIAL_MAX = 8 }; ///< passes that are told

/// Write M [n x n] at time `t` to `M` and what brings the analysis back there to `there` [n_place],
/// from the `place` of an instant nearby.
typedef pkm_status (*pkm_serial_look)(void* user, double t, const double* place, double* M,
                                      double* there);

/// M at one instant.
typedef struct pkm_serial_point {
    double t, M[PKM_DENSE_SMALL * PKM_DENSE_SMALL];
    double sigma; ///< its smallest singular value, with the sign of det M
    double next;  ///< the second smallest
    double zero;  ///< singular values up to this vanish
} pkm_serial_point;

typedef struct pkm_serial {
    int n, n_place;
    bool begun;
    pkm_serial_point kept; ///< the sample kept
    double rate, turn;     ///< of sigma and of M on the way to it [1/s]
    bool is_open;          ///< the stretch before the present sample was in doubt
    int n_span;            ///< stretches in doubt
    double from[PKM_SERIAL_MAX], to[PKM_SERIAL_MAX];
    double* place; ///< [PKM_SERIAL_MAX + 3][n_place]: of their beginnings, of the sample, work
    int n_passed;
    double passed[PKM_SERIAL_MAX]; ///< [s] when serial singularities were passed
} pkm_serial;

/// Begin with matrices of `n` rows and places of `n_place` numbers; 0: the analysis cannot go back,
/// and passes are seen by the sign of the determinant alone.
PKM_NODISCARD pkm_status pkm_serial_begin(pkm_serial* serial, int n, int n_place);
void pkm_serial_end(pkm_serial* serial);

/// The next sample in the order of time.
void pkm_serial_sample(pkm_serial* serial, double t, const double* M, const double* place);
/// Walk along the stretches in doubt: serial->passed. The analysis stands elsewhere afterwards.
void pkm_serial_locate(pkm_serial* serial, pkm_serial_look look, void* user);

#endif
