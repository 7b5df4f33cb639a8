#include "check.h"
#include "model/units.h"

static const double pi = 3.14159265358979323846;

/// SI value of 1 unit; NaN when it is none or more text follows.
static double factor(const char* text, pkm_dimension* dimension)
{
    pkm_unit unit;
    pkm_fault fault;
    const size_t used = pkm_unit_scan(text, false, &unit, &fault);
    if (used != strlen(text)) return NAN;
    if (dimension) *dimension = unit.dimension;
    return unit.numerator / unit.denominator;
}

static void check_unit(const char* text, double expected, pkm_dimension dimension)
{
    pkm_dimension found = {99, 99, 99, 99};
    const double value = factor(text, &found);
    CHECK_NEAR(value, expected, 1e-15 * fabs(expected));
    CHECK(pkm_dimension_equal(found, dimension));
    if (!pkm_dimension_equal(found, dimension)) printf("    of unit %s\n", text);
}

static void named_units_have_their_size_and_dimension(void)
{
    check_unit("m", 1.0, pkm_dim_length);
    check_unit("mm", 1e-3, pkm_dim_length);
    check_unit("cm", 1e-2, pkm_dim_length);
    check_unit("um", 1e-6, pkm_dim_length);
    check_unit("km", 1e3, pkm_dim_length);
    check_unit("kg", 1.0, pkm_dim_mass);
    check_unit("g", 1e-3, pkm_dim_mass);
    check_unit("t", 1e3, pkm_dim_mass);
    check_unit("s", 1.0, pkm_dim_time);
    check_unit("ms", 1e-3, pkm_dim_time);
    check_unit("min", 60.0, pkm_dim_time);
    check_unit("rad", 1.0, pkm_dim_angle);
    check_unit("mrad", 1e-3, pkm_dim_angle);
    check_unit("deg", pi / 180.0, pkm_dim_angle);
    check_unit("turn", 2.0 * pi, pkm_dim_angle);
    check_unit("rpm", 2.0 * pi / 60.0, pkm_dim_angular_velocity);
    check_unit("N", 1.0, pkm_dim_force);
    check_unit("kN", 1e3, pkm_dim_force);
    check_unit("Pa", 1.0, pkm_dim_pressure);
    check_unit("kPa", 1e3, pkm_dim_pressure);
    check_unit("MPa", 1e6, pkm_dim_pressure);
    check_unit("GPa", 1e9, pkm_dim_pressure);
    check_unit("J", 1.0, pkm_dim_torque);
    check_unit("%", 1e-2, pkm_dim_one);
}

static void products_quotients_and_powers_combine(void)
{
    check_unit("N m", 1.0, pkm_dim_torque);
    check_unit("Nm", 1.0, pkm_dim_torque);
    check_unit("N*m", 1.0, pkm_dim_torque);
    check_unit("N mm", 1e-3, pkm_dim_torque);
    check_unit("kg m2", 1.0, pkm_dim_inertia);
    check_unit("kg m^2", 1.0, pkm_dim_inertia);
    check_unit("kg m\xc2\xb2", 1.0, pkm_dim_inertia);
    check_unit("kg\xc2\xb7m\xc2\xb2", 1.0, pkm_dim_inertia);
    check_unit("g mm2", 1e-9, pkm_dim_inertia);
    check_unit("kg/m3", 1.0, pkm_dim_density);
    check_unit("g/cm3", 1e3, pkm_dim_density);
    check_unit("kg m^-3", 1.0, pkm_dim_density);
    check_unit("m/s", 1.0, pkm_dim_velocity);
    check_unit("mm/s2", 1e-3, pkm_dim_acceleration);
    check_unit("m/s/s", 1.0, pkm_dim_acceleration);
    check_unit("m / s2", 1.0, pkm_dim_acceleration);
    check_unit("m/s3", 1.0, pkm_dim_jerk);
    check_unit("deg/s", pi / 180.0, pkm_dim_angular_velocity);
    check_unit("\xc2\xb0/s", pi / 180.0, pkm_dim_angular_velocity);
    check_unit("deg/s2", pi / 180.0, pkm_dim_angular_acceleration);
    check_unit("1/s", 1.0, (pkm_dimension){0, 0, -2, 0});
    check_unit("Hz", 1.0, (pkm_dimension){0, 0, -2, 0});
    check_unit("W", 1.0, (pkm_dimension){4, 2, -6, 0});
    check_unit("N m s/rad", 1.0, (pkm_dimension){4, 2, -2, -2});
}

// 35 * 0.001 is not the double nearest to 0.035; 35 / 1000 is.
static void decimal_units_round_once(void)
{
    pkm_unit mm;
    pkm_fault fault;
    CHECK(pkm_unit_scan("mm", false, &mm, &fault) == 2);
    for (int i = 1; i < 1000; ++i) {
        char text[16];
        snprintf(text, sizeof text, "%d.%03d", i / 1000, i % 1000);
        double expected = 0.0;
        sscanf(text, "%lf", &expected);
        CHECK_NEAR(i * mm.numerator / mm.denominator, expected, 0.0);
    }
}

static void check_fault(const char* text, int at, const char* part)
{
    pkm_unit unit;
    pkm_fault fault = {0};
    CHECK(pkm_unit_scan(text, false, &unit, &fault) == 0);
    CHECK_CONTAINS(fault.text, part);
    CHECK_NEAR(fault.at, at, 0.0);
}

static void wrong_units_are_named_with_their_place(void)
{
    check_fault("mmm", 0, "'mmm' is not a unit, did you mean 'mm'?");
    check_fault("Kg", 0, "did you mean 'kg'?");
    check_fault("N foo", 2, "'foo' is not a unit");
    check_fault("m/", 2, "expected a unit");
    check_fault("kg/m s", 5, "ambiguous");
    check_fault("m99", 2, "power");
    check_fault("m0", 1, "power");
    check_fault("/s", 0, "expected a unit");
}

static void inside_expressions_a_unit_ends_at_operators(void)
{
    pkm_unit unit;
    pkm_fault fault;
    CHECK(pkm_unit_scan("mm + l1", true, &unit, &fault) == 2);
    CHECK(pkm_unit_scan("mm*l1", true, &unit, &fault) == 2);
    CHECK(pkm_unit_scan("m/l1", true, &unit, &fault) == 1); // l1 is no unit
    CHECK(pkm_unit_scan("m / s", true, &unit, &fault) == 1);
    CHECK(pkm_unit_scan("m/s2 + v", true, &unit, &fault) == 4);
    CHECK(pkm_dimension_equal(unit.dimension, pkm_dim_acceleration));
    CHECK(pkm_unit_scan("N m)", true, &unit, &fault) == 3);
}

static void radians_come_and_go_beside_lengths_only(void)
{
    const pkm_dimension arc = {2, 0, 0, 2}, hertz = {0, 0, -2, 0};
    CHECK(pkm_dimension_fits(arc, pkm_dim_length));
    CHECK(!pkm_dimension_fits(pkm_dim_angle, pkm_dim_one));
    CHECK(!pkm_dimension_fits(pkm_dim_one, pkm_dim_angle));
    CHECK(!pkm_dimension_fits(hertz, pkm_dim_angular_velocity));
    CHECK(pkm_dimension_fits_derived(hertz, pkm_dim_angular_velocity));
    CHECK(!pkm_dimension_fits_derived(pkm_dim_one, pkm_dim_angle));
    CHECK(!pkm_dimension_fits(pkm_dim_length, pkm_dim_mass));
}

static void dimensions_are_written_as_units(void)
{
    CHECK_TEXT(pkm_dimension_unit(pkm_dim_torque).text, "N m");
    CHECK_TEXT(pkm_dimension_unit(pkm_dim_one).text, "1");
    CHECK_TEXT(pkm_dimension_unit((pkm_dimension){4, 2, -6, 0}).text, "kg m2/s3");
    CHECK_TEXT(pkm_dimension_unit((pkm_dimension){0, 0, -2, 0}).text, "1/s");
    CHECK_TEXT(pkm_dimension_unit((pkm_dimension){1, 0, 0, 0}).text, "m^0.5");
    CHECK_TEXT(pkm_dimension_name(pkm_dim_mass).text, "a mass [kg]");
    CHECK_TEXT(pkm_dimension_name(pkm_dim_one).text, "a number without a unit");
    CHECK_TEXT(pkm_dimension_name((pkm_dimension){4, 2, -6, 0}).text, "[kg m2/s3]");
}

int main(void)
{
    RUN(named_units_have_their_size_and_dimension);
    RUN(products_quotients_and_powers_combine);
    RUN(decimal_units_round_once);
    RUN(wrong_units_are_named_with_their_place);
    RUN(inside_expressions_a_unit_ends_at_operators);
    RUN(radians_come_and_go_beside_lengths_only);
    RUN(dimensions_are_written_as_units);
    return check_report();
}
