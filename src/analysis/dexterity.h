/// Moved to pkm/kinematics.h.
#include "analysis/robot.h"
#include "pkm/kinematics.h"
