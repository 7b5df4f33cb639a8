/// The numbers between radians, turns and degrees. The literals are those that doubles have room
/// for; macros, since initialisers of static data take no variables.
#ifndef PKM_MATH_ANGLE_H
#define PKM_MATH_ANGLE_H

#define PKM_PI      3.14159265358979323846
#define PKM_TURN    6.283185307179586477  ///< 2 pi: rad in a turn, rad/s in a hertz
#define PKM_DEGREES 57.295779513082320877 ///< 180 / pi: deg in a radian

#endif
