// Digits by double-double arithmetic: v 10^n with 106 bits is rounded at 15, 16 and 17 digits until
// the text reads back as v. Where 106 bits cannot decide, printf and strtod do.
#include "write/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// An unevaluated sum hi + lo with |lo| <= ulp(hi) / 2: about 106 bits.
typedef struct wide {
    double hi, lo;
} wide;

/// The number digits * 10^exponent.
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

// Exact in double.
static const double power_of_ten[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

// 10^(16 i): hi is the nearest double, lo the nearest double to what is left.
enum { POWER_LOW = -16 };
static const wide power_of_ten_16[] = {
    {0x1.8062864ac6f43p-851, 0x1.39fa911155ff0p-906},  // 1e-256
    {0x1.aac0bf9b9e65cp-798, 0x1.d6fb1e4a9a909p-853},  // 1e-240
    {0x1.d9ca79d89462ap-745, -0x1.425b0740a9caep-800}, // 1e-224
    {0x1.0701bd527b498p-691, -0x1.cfdedc1a30d30p-745}, // 1e-208
    {0x1.23ff06eea847ap-638, -0x1.fcc24e7cae5cfp-692}, // 1e-192
    {0x1.442e4fb671960p-585, 0x1.7dc56d0072d28p-643},  // 1e-176
    {0x1.67e9c127b6e74p-532, 0x1.26b3da42cecadp-588},  // 1e-160
    {0x1.8f9574dcf8a70p-479, 0x1.647f32529774bp-533},  // 1e-144
    {0x1.bba08cf8c979dp-426, -0x1.afa9c1a60497dp-480}, // 1e-128
    {0x1.ec866b79e0cbap-373, 0x1.bea6a30bdaffap-427},  // 1e-112
    {0x1.116805effaeaap-319, 0x1.cd88ede5810c7p-373},  // 1e-96
    {0x1.2f8ac174d6123p-266, 0x1.a5dccd879fc96p-321},  // 1e-80
    {0x1.50ffd44f4a73dp-213, 0x1.a53f2398d747bp-268},  // 1e-64
    {0x1.7624f8a762fd8p-160, 0x1.595560c018581p-215},  // 1e-48
    {0x1.9f623d5a8a733p-107, -0x1.a2cc10f3892d4p-161}, // 1e-32
    {0x1.cd2b297d889bcp-54, 0x1.5b4c2ebe68799p-109},   // 1e-16
    {0x1.0000000000000p+0, 0x0.0p+0},                  // 1e0
    {0x1.1c37937e08000p+53, 0x0.0p+0},                 // 1e16
    {0x1.3b8b5b5056e17p+106, -0x1.3107f00000000p+52},  // 1e32
    {0x1.5e531a0a1c873p+159, -0x1.14b4c7a76a406p+105}, // 1e48
    {0x1.84f03e93ff9f5p+212, -0x1.2ac340948e389p+157}, // 1e64
    {0x1.afcef51f0fb5fp+265, -0x1.08f322e84da10p+204}, // 1e80
    {0x1.df67562d8b363p+318, -0x1.ae9d180b58861p+264}, // 1e96
    {0x1.0a1f5b8132466p+372, 0x1.4f01f167b5e30p+318},  // 1e112
    {0x1.27748f9301d32p+425, -0x1.901cc86649e4ap+371}, // 1e128
    {0x1.4805738b51a75p+478, -0x1.18a0e9df9363ap+423}, // 1e144
    {0x1.6c2d4256ffcc3p+531, -0x1.56a2119e533adp+474}, // 1e160
    {0x1.945145230b378p+584, -0x1.b20a11c22bf0cp+527}, // 1e176
    {0x1.c0e1ef1a724ebp+637, -0x1.4abd220ed605cp+583}, // 1e192
    {0x1.f25c186a6f04cp+690, 0x1.45a7709a56ccep+635},  // 1e208
    {0x1.14a52dffc6799p+744, 0x1.2f82bd6b70d9ap+689},  // 1e224
    {0x1.33234de7ad7e3p+797, -0x1.34a66b24bc3ebp+741}, // 1e240
    {0x1.54fdd7f73bf3cp+850, -0x1.7222446fe4670p+795}, // 1e256
    {0x1.7a93a2954f3b8p+903, -0x1.beda693cdd93bp+849}, // 1e272
};

/// a b without rounding.
static wide product(double a, double b)
{
    const double p = a * b;
    return (wide){p, fma(a, b, -p)};
}

/// v 10^n with a relative error below 2^-100; 1e-250 < v < 1e250.
static wide scale(double v, int n)
{
    const int i = n >= 0 ? n / 16 : -((15 - n) / 16); // floor
    const wide a = product(v, power_of_ten[n - 16 * i]);
    const wide b = power_of_ten_16[i - POWER_LOW];
    const wide p = product(a.hi, b.hi);
    const double lo = p.lo + (a.hi * b.lo + a.lo * b.hi);
    const double hi = p.hi + lo;
    return (wide){hi, lo - (hi - p.hi)};
}

/// Digits of v > 0 by arithmetic; false where the arithmetic cannot decide (then libc does).
///
/// With 10^e <= v < 10^(e+1) the number m = v 10^(16-e) has 17 digits before the point. A decimal d
/// reads back as v when |d - m| < h, h being half a unit in the last place of v in the same scale.
/// Tried are the nearest multiples of 100, 10 and 1: 15, 16 and 17 digits.
static bool find_digits(double v, decimal* out)
{
    if (!(v > 1e-250 && v < 1e250)) return false;
    int e2;
    const double fraction = frexp(v, &e2);
    int e = (int)floor((e2 - 1) * 0.30102999566398120); // log10(2); at most one too small
    wide m = scale(v, 16 - e);
    if (m.hi >= 1e17) m = scale(v, 16 - ++e);

    // m.hi > 2^53 is whole, so the part behind the point is all in m.lo
    const double floor_lo = floor(m.lo), rest = m.lo - floor_lo;
    const uint64_t whole = (uint64_t)((int64_t)m.hi + (int64_t)floor_lo);
    const double half = m.hi * (0x1p-54 / fraction);
    // below a power of two the doubles are twice as dense
    const double sure = fraction == 0.5 ? 0.5 * half : half;

    for (uint64_t unit = 100; unit > 0; unit /= 10) {
        const uint64_t tail = whole % unit;
        const double below = (double)tail + rest, above = (double)unit - below;
        const double distance = below < above ? below : above;
        if (distance < sure * (1.0 - 1e-9)) {
            *out = (decimal){whole - tail + (below < above ? 0 : unit), e - 16};
            return true;
        }
        if (distance < half * (1.0 + 1e-9)) return false;
    }
    return false;
}

/// The same through printf and strtod, for subnormals, extremes and ties.
static decimal search_digits(double v)
{
    char text[48];
    const int first = v < DBL_MIN ? 1 : 15; // a normal double keeps 15 digits
    for (int n = first; n <= 17; ++n) {
        snprintf(text, sizeof text, "%.*e", n - 1, v);
        if (strtod(text, NULL) == v || n == 17) {
            const char* e = strchr(text, 'e');
            decimal d = {0, atoi(e + 1) - (n - 1)};
            for (const char* c = text; c < e; ++c)
                if (*c >= '0' && *c <= '9') d.digits = 10 * d.digits + (uint64_t)(*c - '0');
            return d;
        }
    }
    return (decimal){0, 0};
}

/// Lay out the `n` digits at `digit`; the first one stands for 10^`power`.
static int lay_out(const char* digit, int n, int power, char* text)
{
    char* at = text;
    if (power >= -5 && power < 0) {
        *at++ = '0';
        *at++ = '.';
        for (int k = power; k < -1; ++k)
            *at++ = '0';
        memcpy(at, digit, (size_t)n);
        at += n;
    } else if (power >= 0 && power < 16) {
        for (int k = 0; k < n || k <= power; ++k) {
            if (k == power + 1) *at++ = '.';
            *at++ = k < n ? digit[k] : '0';
        }
    } else {
        for (int k = 0; k < n; ++k) {
            if (k == 1) *at++ = '.';
            *at++ = digit[k];
        }
        at += sprintf(at, "e%d", power);
    }
    *at = '\0';
    return (int)(at - text);
}

int pkm_number_format(double value, char text[PKM_NUMBER_SIZE])
{
    const int sign = signbit(value) ? 1 : 0;
    if (sign) text[0] = '-';
    const double v = fabs(value);
    if (isnan(v)) return sprintf(text, "nan");
    if (isinf(v)) return sign + sprintf(text + sign, "inf");
    if (v == 0.0) return sign + sprintf(text + sign, "0");

    decimal d;
    if (!find_digits(v, &d)) d = search_digits(v);
    for (; d.digits % 10 == 0; d.digits /= 10)
        ++d.exponent;

    char digit[20];
    int at = sizeof digit;
    for (uint64_t rest = d.digits; rest > 0; rest /= 10)
        digit[--at] = (char)('0' + rest % 10);
    const int n = (int)sizeof digit - at;
    return sign + lay_out(digit + at, n, d.exponent + n - 1, text + sign);
}
