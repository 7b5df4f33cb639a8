/// How near a motion is to singularities, row by row: condition number of the tool's Jacobian, and
/// an estimate of the distance (docs/theory/engine.md, 5.2 and 5.5).
#ifndef PKM_ROBOT_NEARNESS_H
#define PKM_ROBOT_NEARNESS_H

#include "math/dense.h"
#include "robot/closed_watch.h"
#include "robot/serial.h"
#include "table/warnings.h"

/// The largest condition number in a table: infinity for people who read files.
#define PKM_NEARNESS_LARGE 1e12
/// An estimate of more than so many robot sizes says nothing.
#define PKM_NEARNESS_FAR 10.0

typedef struct pkm_nearness {
    pkm_robot* robot;
    int n;                          ///< drives, and components of the tool that move
    double condition;               ///< of J without units (5.2), at most PKM_NEARNESS_LARGE
    double distance;                ///< estimate [m], turns times the robot's size
    double largest, smallest;       ///< singular values of J without units
    double J[36];                   ///< of the present row, column-major
    bool inverted;                  ///< that is J^-1
    double unit[36];                ///< times these J has no units,
    double inverse_unit[36];        ///< and J^-1 times these
    double drive_unit[6];           ///< rates of the drives that count as one
    pkm_dense_extremes extremes;    ///< of the matrix read last
    bool known;                     ///< the derivatives have been found
    double at_largest, at_smallest; ///< the singular values where they were
    double parallel, serial;        ///< and the distances there [m]
    double closures_home;           ///< smallest singular value of the closures at home; 0: not yet
    const pkm_motion* motion;
    pkm_serial passes; ///< n > 0: drives lead the motion
    int n_row;
    double most, t_most;      ///< largest singular value of all rows, when
    double least, t_least;    ///< smallest one
    double at_most, at_least; ///< estimated distances there [m]
} pkm_nearness;

/// Has the robot these numbers? The tool must be prescribable: as many components as drives.
bool pkm_nearness_is_known(const pkm_robot* robot);

void pkm_nearness_begin(pkm_robot* robot, const pkm_motion* motion, pkm_nearness* out);
/// Bring the factors of the drives to the present position; false where they are singular.
bool pkm_nearness_stand(pkm_robot* robot);
/// Read the present position at time t, to which the factors of the drives belong, and belong
/// afterwards.
void pkm_nearness_read(pkm_nearness* nearness, double t);
/// The same beside the order of time: it is no row.
void pkm_nearness_glance(pkm_nearness* nearness);
/// The derivatives at hand, for a glance between rows that begins with those of a row nearby.
enum { PKM_NEARNESS_N_PLACE = 4 };
void pkm_nearness_save(const pkm_nearness* nearness, double place[PKM_NEARNESS_N_PLACE]);
void pkm_nearness_go_back(pkm_nearness* nearness, const double place[PKM_NEARNESS_N_PLACE]);
/// pkm_nearness_read for a configuration of the closed form, which `watch` has judged last and
/// whose rates are known.
void pkm_nearness_read_closed(pkm_nearness* nearness, double t, const pkm_closed_config* config,
                              const pkm_closed_watch* watch);
/// pkm_nearness_glance for it.
void pkm_nearness_glance_closed(pkm_nearness* nearness, const pkm_closed_config* config,
                                const pkm_closed_watch* watch);

/// Read where the robot stands, without a motion; the factors are brought there. False at a
/// parallel singularity, with a distance of 0.
bool pkm_nearness_look(pkm_nearness* nearness);

/// J without units at the present position, to which the factors of the drives belong.
void pkm_nearness_jacobian(pkm_robot* robot, double* J);

/// Warn of the serial singularities that drives have led the robot through, and of rows next to a
/// singularity, with the factor by which forces, rates or errors are magnified.
void pkm_nearness_warn(const pkm_nearness* nearness, pkm_warnings* to);
/// The same of the place where the robot stands.
void pkm_nearness_warn_pose(pkm_robot* robot, pkm_warnings* to);

#endif
