/// Moved to pkm/output.h.
#include "pkm/output.h"
