/// Two numbers side by side, for which processors have instructions: the same operations done twice
/// at a time, with the same roundings as one by one.
#ifndef PKM_MATH_PAIR_H
#define PKM_MATH_PAIR_H

typedef double pkm_pair __attribute__((vector_size(16)));
/// The same in an array of numbers, anywhere.
typedef double pkm_pair_in_array __attribute__((vector_size(16), aligned(8), may_alias));

static inline pkm_pair pkm_pair_of(double x)
{
    return (pkm_pair){x, x};
}

/// Two numbers of an array.
static inline pkm_pair pkm_pair_load(const double* x)
{
    return *(const pkm_pair_in_array*)(const void*)x;
}

#endif
