/// Numbers as text: the fewest digits that read back as the same double.
#ifndef PKM_WRITE_NUMBER_H
#define PKM_WRITE_NUMBER_H

enum { PKM_NUMBER_SIZE = 32 }; ///< room for any number and its terminator

/// Write `value` with the fewest significant digits (at most 17) that strtod reads back as the same
/// double: 0.1, 1e-7, -2.5e300. The decimal point is a point in every locale. NaN and infinities
/// become "nan", "inf" and "-inf"; writers refuse them before.
/// @return the length of the text.
int pkm_number_format(double value, char text[PKM_NUMBER_SIZE]);

#endif
