/// Moved to pkm/motion.h.
#include "pkm/motion.h"
