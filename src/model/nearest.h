/// "Did you mean": the known word nearest to an unknown one.
#ifndef PKM_MODEL_NEAREST_H
#define PKM_MODEL_NEAREST_H

/// The best word offered so far.
typedef struct pkm_nearest {
    const char* word; ///< what was written
    const char* best; ///< the nearest word, or NULL while none is near
    int distance;     ///< its edit distance
} pkm_nearest;

pkm_nearest pkm_nearest_make(const char* word);

/// Offer a known word. It is near when at most a third of its letters (at least one) must be
/// changed, added, dropped or swapped; letter case hardly counts, so `MASS` finds `mass`.
void pkm_nearest_offer(pkm_nearest* near, const char* known);

/// Text to put behind a message: ", did you mean 'diameter'?", or "" when nothing is near.
typedef struct pkm_hint {
    char text[128];
} pkm_hint;

pkm_hint pkm_nearest_hint(const pkm_nearest* near);

#endif
