/// Model D in MuJoCo's model language.
#ifndef PKM_BENCH_MJCF_H
#define PKM_BENCH_MJCF_H

#include <stddef.h>

/// Write the model into `text`. Cranks are joints crank0..2, rods are ball joints rod0..5 (the two
/// of limb 0 first), the platform is the free joint `platform`. Returns its length, without the
/// final zero; when that is not below `size` the text was cut.
size_t mjcf_write(char* text, size_t size);

#endif
