// What of vectors and matrices is too long to be inlined.
#include "math/vec3.h"

/// Scaled by a power of two, which is exact: components of ordinary size give the bits of
/// pkm_vec3_unit.
bool pkm_vec3_direction(pkm_vec3 a, pkm_vec3* out)
{
    const double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (!(largest > 0.0 && isfinite(a.x) && isfinite(a.y) && isfinite(a.z))) return false;
    int e;
    (void)frexp(largest, &e);
    *out = pkm_vec3_unit((pkm_vec3){ldexp(a.x, -e), ldexp(a.y, -e), ldexp(a.z, -e)});
    return true;
}

/// The part across `a` of an axis other than its largest component's: at least 1/sqrt(2) long for a
/// unit vector `a`, so that nothing cancels.
pkm_vec3 pkm_vec3_perpendicular(pkm_vec3 a)
{
    const double ax = fabs(a.x), ay = fabs(a.y), az = fabs(a.z);
    pkm_vec3 helper;
    if (az >= ax && az >= ay) {
        helper = (pkm_vec3){1.0, 0.0, 0.0};
    } else if (ax >= ay) {
        helper = (pkm_vec3){0.0, 1.0, 0.0};
    } else {
        helper = (pkm_vec3){0.0, 0.0, 1.0};
    }
    return pkm_vec3_unit(pkm_vec3_axpy(helper, -pkm_vec3_dot(helper, a), a));
}

/// Cramer's rule with columns x, y, z: x_1 = b . (y x z)/det, x_2 = (x x b) . z/det, x_3 = (b x x)
/// . y/det.
double pkm_mat3_solve(pkm_mat3 m, pkm_vec3 b, pkm_vec3* x)
{
    const pkm_vec3 yz = pkm_vec3_cross(m.y, m.z);
    const double det = pkm_vec3_dot(m.x, yz);
    if (det == 0.0) return 0.0;

    const pkm_vec3 bx = pkm_vec3_cross(b, m.x);
    const double r = 1.0 / det;
    *x = (pkm_vec3){r * pkm_vec3_dot(b, yz), r * -pkm_vec3_dot(bx, m.z), r * pkm_vec3_dot(bx, m.y)};
    return det;
}
