/// Moved to pkm/table.h.
#include "pkm/table.h"
