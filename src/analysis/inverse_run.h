/// Moved to pkm/inverse.h.
#include "analysis/robot.h"
#include "pkm/inverse.h"
