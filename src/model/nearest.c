// Optimal string alignment: insertions, deletions, changes and swaps of neighbours, with a change
// of case at an eighth of their cost.
#include "model/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST = 64, // longer words get no hint
    CHANGE = 8,   // cost of one edit; a change of case costs 1
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int change_cost(char a, char b)
{
    if (a == b) return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? 1 : CHANGE;
}

/// Edit distance with swaps of neighbours (optimal string alignment), in units of 1/CHANGE.
///
///     d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + [a_i != b_j], swap)
static int distance(const char* a, const char* b)
{
    const int n = (int)strlen(a), m = (int)strlen(b);
    int d[3][LONGEST + 1];
    for (int j = 0; j <= m; ++j)
        d[0][j] = CHANGE * j;
    for (int i = 1; i <= n; ++i) {
        int *row = d[i % 3], *above = d[(i + 2) % 3], *before = d[(i + 1) % 3];
        row[0] = CHANGE * i;
        for (int j = 1; j <= m; ++j) {
            const int drop = smaller(above[j], row[j - 1]) + CHANGE;
            row[j] = smaller(drop, above[j - 1] + change_cost(a[i - 1], b[j - 1]));
            const int is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (is_swap) row[j] = smaller(row[j], before[j - 2] + CHANGE);
        }
    }
    return d[n % 3][m];
}

pkm_nearest pkm_nearest_make(const char* word)
{
    return (pkm_nearest){word, NULL, 0};
}

void pkm_nearest_offer(pkm_nearest* near, const char* known)
{
    const size_t n = strlen(near->word), m = strlen(known);
    if (n == 0 || n > LONGEST || m == 0 || m > LONGEST) return;
    const int far = distance(near->word, known);
    const int third = (int)(m > n ? m : n) / 3;
    if (far > CHANGE * (third > 1 ? third : 1) || far >= CHANGE * (int)(m > n ? m : n)) return;
    if (near->best && near->distance <= far) return;
    near->best = known;
    near->distance = far;
}

pkm_hint pkm_nearest_hint(const pkm_nearest* near)
{
    pkm_hint hint = {""};
    if (near->best) snprintf(hint.text, sizeof hint.text, ", did you mean '%s'?", near->best);
    return hint;
}
