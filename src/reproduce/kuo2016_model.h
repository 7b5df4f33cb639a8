/// Kuo's Delta from a model file.
#ifndef PKM_REPRODUCE_KUO2016_MODEL_H
#define PKM_REPRODUCE_KUO2016_MODEL_H

#include "reproduce/kuo2016.h"
#include "robot/robot.h"

/// Take lengths and masses from the closed form of `robot`, sections and material from the shapes
/// of its first crank and rod: box (x along the link), rod, cylinder or tube.
///
/// @return PKM_ERR_MODEL, naming what is missing, for a robot that is not a Delta with one rod per
///         limb between universal joints on a disc, for a link without shape or material.
PKM_NODISCARD pkm_status pkm_kuo2016_robot_from(const pkm_robot* robot, pkm_beam_torsion torsion,
                                                pkm_kuo2016_robot* out, pkm_error* err);

#endif
