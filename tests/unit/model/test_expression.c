#include "check.h"
#include "model/expression.h"

static const double pi = 3.14159265358979323846;

/// l1 = 500 mm, m1 = 2 kg, w = 3 rad/s, and n = 4, a = 0.25 without a unit.
static pkm_status lookup(void* user, const char* name, pkm_quantity* out, pkm_nearest* near)
{
    (void)user;
    static const struct {
        const char* name;
        double value;
        pkm_unit_kind kind;
        const pkm_dimension* dimension;
    } known[] = {
        {"l1", 0.5, PKM_UNIT_KNOWN, &pkm_dim_length},
        {"m1", 2.0, PKM_UNIT_KNOWN, &pkm_dim_mass},
        {"w", 3.0, PKM_UNIT_KNOWN, &pkm_dim_angular_velocity},
        {"n", 4.0, PKM_UNIT_UNTOLD, &pkm_dim_one},
        {"a", 0.25, PKM_UNIT_UNTOLD, &pkm_dim_one},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        if (strcmp(known[i].name, name) == 0) {
            *out = (pkm_quantity){known[i].value, known[i].kind, *known[i].dimension};
            return PKM_OK;
        }
        pkm_nearest_offer(near, known[i].name);
    }
    return PKM_RETRY;
}

static pkm_quantity evaluate(const char* text)
{
    pkm_quantity out = {NAN, PKM_UNIT_NONE, {0, 0, 0, 0}};
    pkm_fault fault;
    const pkm_status status = pkm_expression_evaluate(text, lookup, NULL, &out, &fault);
    CHECK(status == PKM_OK);
    if (status != PKM_OK) printf("    %s: %s\n", text, fault.text);
    return out;
}

static void check_value(const char* text, double expected)
{
    CHECK_NEAR(evaluate(text).value, expected, 4e-16 * fabs(expected));
}

static void check_known(const char* text, double expected, pkm_dimension dimension)
{
    const pkm_quantity out = evaluate(text);
    CHECK_NEAR(out.value, expected, 4e-16 * fabs(expected));
    CHECK(out.kind == PKM_UNIT_KNOWN);
    CHECK(pkm_dimension_equal(out.dimension, dimension));
    if (!pkm_dimension_equal(out.dimension, dimension))
        printf("    %s is %s\n", text, pkm_dimension_name(out.dimension).text);
}

static void check_fault(const char* text, int at, const char* part)
{
    pkm_quantity out;
    pkm_fault fault;
    CHECK(pkm_expression_evaluate(text, lookup, NULL, &out, &fault) == PKM_ERR_MODEL);
    CHECK_CONTAINS(fault.text, part);
    CHECK_NEAR(fault.at, at, 0.0);
    if (fault.at != at) printf("    in %s\n", text);
}

static void plain_numbers_take_signs_exponents_and_units(void)
{
    check_value("0.5", 0.5);
    check_value("-3", -3.0);
    check_value("+3", 3.0);
    check_value(".5", 0.5);
    check_value("5.", 5.0);
    check_value("1e-3", 1e-3);
    check_value("1.5E+2", 150.0);
    check_known("500 mm", 0.5, pkm_dim_length);
    check_known("14mm", 0.014, pkm_dim_length);
    check_known("-36 deg", -36.0 * pi / 180.0, pkm_dim_angle);
    check_known("207 GPa", 207e9, pkm_dim_pressure);
    check_known("1.2e-3 kg m2", 1.2e-3, pkm_dim_inertia);
    check_known("750 N m", 750.0, pkm_dim_torque);
    check_known("5 1/s", 5.0, (pkm_dimension){0, 0, -2, 0});
    check_known("1 %", 0.01, pkm_dim_one);
}

static void operators_bind_as_in_mathematics(void)
{
    check_value("=2+3*4", 14.0);
    check_value("=(2+3)*4", 20.0);
    check_value("=2*3^2", 18.0);
    check_value("=-2^2", -4.0);
    check_value("=2^-1", 0.5);
    check_value("=2^3^2", 512.0);
    check_value("=8/4/2", 1.0);
    check_value("=8-4-2", 2.0);
    check_value("=--3", 3.0);
    check_value("= 1 + 2 ", 3.0);
    check_value("=2*pi/3", 2.0 * pi / 3.0);
}

static void functions_give_their_values(void)
{
    check_value("=sqrt(2)", sqrt(2.0));
    check_value("=sin(30 deg)", sin(pi / 6.0));
    check_value("=cos(60 deg)", cos(pi / 3.0));
    check_value("=tan(0.5)", tan(0.5));
    check_known("=asin(0.5)", asin(0.5), pkm_dim_angle);
    check_known("=acos(l1/1 m)", acos(0.5), pkm_dim_angle);
    check_known("=atan(1)", atan(1.0), pkm_dim_angle);
    check_known("=atan2(l1, 2 m)", atan2(0.5, 2.0), pkm_dim_angle);
    check_known("=abs(-l1)", 0.5, pkm_dim_length);
    check_known("=min(l1, 2 m, 300 mm)", 0.3, pkm_dim_length);
    check_value("=max(1, 3, 2)", 3.0);
    check_value("=exp(1)", exp(1.0));
    check_value("=log(10)", log(10.0));
    check_value("=floor(2.7)", 2.0);
    check_known("=hypot(l1, 1.2 m)", 1.3, pkm_dim_length);
}

static void dimensions_are_carried_along(void)
{
    check_known("=l1 + 3 mm", 0.503, pkm_dim_length);
    check_known("=l1/2", 0.25, pkm_dim_length);
    check_known("=m1*l1^2/12", 2.0 * 0.25 / 12.0, pkm_dim_inertia);
    check_known("=sqrt(l1^2 - 0.09 m2)", 0.4, pkm_dim_length);
    check_known("=l1/l1", 1.0, pkm_dim_one);
    check_known("=l1^0.5*l1^0.5", 0.5, pkm_dim_length);
    check_known("=2*pi/w", 2.0 * pi / 3.0, (pkm_dimension){0, 0, 2, -2});
    check_known("=3 m/s*2 s", 6.0, pkm_dim_length);
    check_known("=3 mm^2", 3e-6, (pkm_dimension){4, 0, 0, 0});
}

static void bare_numbers_take_the_unit_of_their_neighbour(void)
{
    check_known("=l1 + 0.003", 0.503, pkm_dim_length);
    CHECK(evaluate("=2*3").kind == PKM_UNIT_NONE);
    CHECK(evaluate("=0.2*sin(30 deg)").kind == PKM_UNIT_NONE);
    CHECK(evaluate("=0.2*l1/l1").kind == PKM_UNIT_KNOWN); // (0.2 l1)/l1 is a ratio of lengths
    CHECK(evaluate("=0.2*(l1/l1)").kind == PKM_UNIT_NONE);
}

static void what_is_not_told_fits_everywhere(void)
{
    CHECK(evaluate("=a").kind == PKM_UNIT_UNTOLD);
    CHECK(evaluate("=n*l1").kind == PKM_UNIT_UNTOLD);
    CHECK(evaluate("=m1*a^2/12").kind == PKM_UNIT_UNTOLD);
    CHECK(pkm_quantity_fits(evaluate("=m1*a^2/12"), pkm_dim_inertia));
    check_known("=a + l1", 0.75, pkm_dim_length);
}

static void faults_have_their_column_and_reason(void)
{
    check_fault("abc", 0, "not a number");
    check_fault("1/2", 1, "starts with '='");
    check_fault("l1/2", 0, "starts with '='");
    check_fault("5 mmm", 2, "'mmm' is not a unit");
    check_fault("5 5", 2, "expected a unit");
    check_fault("=l1 + l3", 6, "unknown parameter 'l3', did you mean 'l1'?");
    check_fault("=l1 + m1", 4, "cannot add a length [m] and a mass [kg]");
    check_fault("=l1 - 3 deg", 4, "cannot subtract");
    check_fault("=sin(l1)", 1, "sin of a length [m], expected an angle [rad]");
    check_fault("=exp(m1)", 1, "exp of a mass");
    check_fault("=2^l1", 2, "exponent is a length");
    check_fault("=l1^0.3", 3, "has no unit");
    check_fault("=min(l1, m1)", 1, "cannot take min of");
    check_fault("=sqrt(1, 2)", 1, "has 2 arguments, expected 1");
    check_fault("=atan2(1)", 1, "has 1 argument, expected 2");
    check_fault("=(1 + 2", 7, "ends too early");
    check_fault("=1 + ", 5, "ends too early");
    check_fault("=1 2", 3, "unexpected '2'");
    check_fault("=1 $ 2", 3, "unexpected '$'");
    check_fault("=sin 3", 5, "unexpected '3'");
    check_fault("=", 1, "ends too early");
    check_fault("", 0, "not a number");
}

static void results_are_finite_or_refused(void)
{
    check_fault("1e999", 0, "too large");
    check_fault("=1e999", 1, "too large");
    check_fault("1e306 km", 0, "too large");
    check_fault("=1/0", 2, "division by zero");
    check_fault("=sqrt(-1)", 1, "sqrt(-1) is not a finite number");
    check_fault("=log(0)", 1, "not a finite number");
    check_fault("=acos(2)", 1, "not a finite number");
    check_fault("=1e200*1e200", 6, "not a finite number");
    check_fault("=1e308 + 1e308", 7, "not a finite number");
    check_fault("=(-8)^0.5", 5, "not a finite number");
    check_fault(".nan", 0, "not a finite number");
    check_fault("NaN", 0, "not a finite number");
    check_fault("-.inf", 0, "not a finite number");
    check_fault("inf", 0, "not a finite number");
    check_fault("0x10", 1, "not a unit");
}

static void nesting_has_a_limit(void)
{
    char text[20002] = "=";
    memset(text + 1, '(', 10000);
    pkm_quantity out;
    pkm_fault fault;
    CHECK(pkm_expression_evaluate(text, lookup, NULL, &out, &fault) == PKM_ERR_MODEL);
    CHECK_CONTAINS(fault.text, "nested too deeply");
    memset(text + 1, '-', 10000);
    CHECK(pkm_expression_evaluate(text, lookup, NULL, &out, &fault) == PKM_ERR_MODEL);
    for (int i = 1; i < 20000; i += 2)
        memcpy(text + i, "2^", 2);
    CHECK(pkm_expression_evaluate(text, lookup, NULL, &out, &fault) == PKM_ERR_MODEL);
    check_value("=((((((((((((((((((((1))))))))))))))))))))", 1.0);
}

static void the_printed_unit_is_found(void)
{
    CHECK_TEXT(pkm_expression_unit("4.3 N"), "N");
    CHECK_TEXT(pkm_expression_unit("-10103 deg/s2"), "deg/s2");
    CHECK_TEXT(pkm_expression_unit("14mm"), "mm");
    CHECK_TEXT(pkm_expression_unit("3"), "");
    CHECK_TEXT(pkm_expression_unit("=l1 + 3 mm"), "");
}

int main(void)
{
    RUN(plain_numbers_take_signs_exponents_and_units);
    RUN(operators_bind_as_in_mathematics);
    RUN(functions_give_their_values);
    RUN(dimensions_are_carried_along);
    RUN(bare_numbers_take_the_unit_of_their_neighbour);
    RUN(what_is_not_told_fits_everywhere);
    RUN(faults_have_their_column_and_reason);
    RUN(results_are_finite_or_refused);
    RUN(nesting_has_a_limit);
    RUN(the_printed_unit_is_found);
    return check_report();
}
