#include "model/formula.h"

#include "base/memory.h"
#include "check.h"
#include "model/quantity.h"

/// Parameters m = 2 kg, length = 0.5 m and, where `user` points to a time, t.
static pkm_status look_up(void* user, const char* name, pkm_quantity* out, pkm_nearest* near)
{
    if (strcmp(name, "m") == 0) {
        *out = (pkm_quantity){2.0, PKM_UNIT_KNOWN, pkm_dim_mass};
    } else if (strcmp(name, "length") == 0) {
        *out = (pkm_quantity){0.5, PKM_UNIT_KNOWN, pkm_dim_length};
    } else if (user && strcmp(name, "t") == 0) {
        *out = (pkm_quantity){*(double*)user, PKM_UNIT_KNOWN, pkm_dim_time};
    } else if (strcmp(name, "broken") == 0) {
        return PKM_ERR_SYNTAX;
    } else {
        pkm_nearest_offer(near, "length");
        return PKM_RETRY;
    }
    return PKM_OK;
}

static pkm_formula* compile(const char* text, pkm_dimension want)
{
    pkm_fault fault;
    pkm_formula* formula = NULL;
    const pkm_status status = pkm_formula_create(text, look_up, NULL, want, &formula, &fault);
    if (status != PKM_OK) printf("    %s: %s\n", text, fault.text);
    CHECK(status == PKM_OK);
    return formula;
}

/// The interpreter of expressions is the truth for the compiled ones.
static void formulas_say_what_expressions_say(void)
{
    static const char* const text[] = {
        "=3 N * sin(2*pi*t/0.5 s)",
        "=m*9.81 m/s2 + 2 N/s*t - 1 N/s^2*t*t",
        "=-(2 N) * exp(-t/0.3 s)^2",
        "=5 N * max(0, min(1, (t - 1 s)/0.5 s, 0.9))",
        "=1 kN / (1 + t^2/1 s^2)",
        "=m*length/(0.3 s + t)^2",
        "=2^-2^2 * 4 N + +3 N - -1 N",
        "=10 N * floor(t/0.25 s) - abs(t - 1 s) * 3 N/s",
        "=1 N * atan2(t, 2 s) + 1 N * hypot(3, t/1 s) * sqrt(t/1 s) ",
        "=((((1 N))))*log(1 + t/1 s)*cos(t*3 rad/s)*tan(0.1*t/1 s)*asin(t/9 s)*acos(t/9 s)*atan(2)",
        "=12 N",
    };
    for (size_t k = 0; k < sizeof text / sizeof text[0]; ++k) {
        pkm_formula* formula = compile(text[k], pkm_dim_force);
        for (double t = 0.0; formula && t < 3.0; t += 0.37) {
            pkm_quantity x;
            pkm_fault fault;
            CHECK(pkm_expression_evaluate(text[k], look_up, &t, &x, &fault) == PKM_OK);
            CHECK_NEAR(pkm_formula_at(formula, t), x.value, 1e-14 * (1.0 + fabs(x.value)));
        }
        pkm_formula_free(formula);
    }
}

static void plain_numbers_are_formulas(void)
{
    pkm_formula* formula = compile("-50 kN", pkm_dim_force);
    CHECK(pkm_formula_is_constant(formula));
    CHECK_NEAR(pkm_formula_at(formula, 3.0), -5e4, 0.0);
    pkm_formula_free(formula);

    formula = compile("=2*m*9.81 m/s2", pkm_dim_force); // constants are folded
    CHECK(pkm_formula_is_constant(formula));
    CHECK_NEAR(pkm_formula_at(formula, 3.0), 39.24, 1e-14);
    pkm_formula_free(formula);
    formula = compile("=t", pkm_dim_time);
    CHECK(!pkm_formula_is_constant(formula));
    pkm_formula_free(formula);
    pkm_formula_free(NULL);
}

static void steps_are_cubic(void)
{
    pkm_formula* formula = compile("=step(t, 1 s, 2 N, 3 s, 6 N)", pkm_dim_force);
    CHECK_NEAR(pkm_formula_at(formula, 0.5), 2.0, 0.0);
    CHECK_NEAR(pkm_formula_at(formula, 1.5), 2.0 + 4.0 * 5.0 / 32.0, 1e-15);
    CHECK_NEAR(pkm_formula_at(formula, 2.0), 4.0, 1e-15);
    CHECK_NEAR(pkm_formula_at(formula, 7.0), 6.0, 0.0);
    pkm_formula_free(formula);
}

/// Every function of expressions is one of formulas.
static void no_function_is_missing(void)
{
    for (int i = 0; pkm_quantity_function(i); ++i) {
        char text[64];
        const char* name = pkm_quantity_function(i);
        pkm_fault fault;
        pkm_formula* formula = NULL;
        snprintf(text, sizeof text, "=%s(0.3*t/1 s)", name);
        pkm_status status = pkm_formula_create(text, look_up, NULL, pkm_dim_one, &formula, &fault);
        if (status != PKM_OK && strstr(fault.text, "expected 2")) {
            snprintf(text, sizeof text, "=%s(0.3*t/1 s, 0.7)", name);
            status = pkm_formula_create(text, look_up, NULL, pkm_dim_one, &formula, &fault);
        }
        if (status != PKM_OK) { // asin and the like give angles
            status = pkm_formula_create(text, look_up, NULL, pkm_dim_angle, &formula, &fault);
        }
        CHECK(status == PKM_OK);
        pkm_formula_free(formula);
    }
}

static void expect_fault(const char* text, int at, const char* part)
{
    pkm_fault fault;
    pkm_formula* formula = NULL;
    const pkm_status status =
        pkm_formula_create(text, look_up, NULL, pkm_dim_force, &formula, &fault);
    CHECK(status == PKM_ERR_MODEL && formula == NULL);
    CHECK_CONTAINS(fault.text, part);
    if (fault.at != at) printf("    %s: at %d\n", text, fault.at);
    CHECK(fault.at == at);
}

static void faults_are_placed(void)
{
    expect_fault("=3 N * sin(t", 12, "ends too early");
    expect_fault("=3 N + 2 m", 5, "cannot add");
    expect_fault("=3 N * lenght", 7, "did you mean 'length'");
    expect_fault("=3 N * t", 0, "expected a force [N]");
    expect_fault("=3 N / (2 - 2)", 5, "division by zero");
    expect_fault("=3 N * sqrt(1 - 2)", 7, "sqrt(-1) is not a finite number");
    expect_fault("=3 Nx * 2", 3, "");
    expect_fault("=2 N ) ", 5, "unexpected ')'");
    expect_fault("=(t)^t * 1 N", 4, "exponent");
    expect_fault("=m^(t/1 s) * 1 N", 2, "the exponent varies");
    expect_fault("=step(t, 1 s, 2 N) ", 1, "5 arguments");
    expect_fault("=step(t, 1 m, 2 N, 3 s, 6 N)", 1, "take step of");
    expect_fault("=min(1 N)", 1, "expected 2");
    expect_fault("2 * 3", 2, "starts with '='");

    pkm_fault fault;
    pkm_formula* formula;
    CHECK(pkm_formula_create("=broken*t", look_up, NULL, pkm_dim_one, &formula, &fault) ==
          PKM_ERR_SYNTAX);
    CHECK(fault.is_reported);
}

static void long_formulas_are_refused(void)
{
    char text[8000] = "=t";
    for (int i = 0; i < 600; ++i)
        strcat(text, "+t");
    pkm_fault fault;
    pkm_formula* formula;
    CHECK(pkm_formula_create(text, look_up, NULL, pkm_dim_time, &formula, &fault) == PKM_ERR_MODEL);
    CHECK_CONTAINS(fault.text, "too long");
    strcpy(text, "=");
    for (int i = 0; i < 70; ++i)
        strcat(text, "t+(");
    CHECK(pkm_formula_create(text, look_up, NULL, pkm_dim_time, &formula, &fault) == PKM_ERR_MODEL);
}

static void evaluation_allocates_nothing_and_creation_may_fail(void)
{
    pkm_formula* formula = compile("=3 N * sin(2*pi*t/0.5 s) + 2 N", pkm_dim_force);
    const size_t before = pkm_alloc_count();
    double sum = 0.0;
    for (int i = 0; i < 1000; ++i)
        sum += pkm_formula_at(formula, 1e-3 * i);
    CHECK(pkm_alloc_count() == before);
    CHECK_NEAR(sum, 2000.0, 1e-9); // two whole periods
    pkm_formula_free(formula);

    pkm_fault fault;
    pkm_alloc_fail_at(1);
    CHECK(pkm_formula_create("=t", look_up, NULL, pkm_dim_time, &formula, &fault) ==
          PKM_ERR_MEMORY);
    pkm_alloc_fail_at(0);
    CHECK(formula == NULL);
}

// ---- breaks -----------------------------------------------------------------------------------

static pkm_formula* looked_over(const char* text, double end)
{
    pkm_formula* f = compile(text, pkm_dim_one);
    CHECK(f && pkm_formula_find_breaks(f, end) == PKM_OK);
    return f;
}

/// Kinks in their order, each found to the next number of time.
static void kinks_are_found_however_near(void)
{
    static const struct {
        const char* text;
        double at[4]; ///< 0: no more
    } cases[] = {{"=step(t, 0.5 s, 0, 0.500001 s, 1)*step(t, 0.500002 s, 1, 0.500003 s, 0)",
                  {0.5, 0.500001, 0.500002, 0.500003}},
                 {"=abs(3*t/1 s - 1)", {1.0 / 3.0}},
                 {"=min(t/1 s, 2 - 3*t/1 s)", {0.5}},
                 {"=floor(2.5*t/1 s)", {0.4, 0.8}},
                 {"=max(0, sin(2*pi*t/1 s))", {0.5}},
                 {"=abs(t/0.3 s - 1)*max(0, 1 - t/0.3 s)", {0.3}},
                 {"=sin(40*pi*t/1 s)", {0.0}},
                 {"=3", {0.0}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        pkm_formula* f = looked_over(cases[k].text, 1.0);
        double t = 0.0;
        for (int i = 0; i < 4 && cases[k].at[i] > 0.0; ++i) {
            t = pkm_formula_next_break(f, t);
            CHECK_NEAR(t, cases[k].at[i], 1e-15);
        }
        CHECK(!(pkm_formula_next_break(f, t) < 1.0));
        pkm_formula_free(f);
    }
}

/// Both ends of a bump, and of lines beyond the end of the run their kinks.
static void bumps_and_what_comes_later(void)
{
    pkm_formula* f = looked_over("=exp(-((t - 0.6 s)/1 ms)^2)", 1.0);
    const double from = pkm_formula_next_break(f, 0.0), to = pkm_formula_next_break(f, from);
    CHECK(from > 0.59 && from < 0.598 && to > 0.602 && to < 0.61);
    CHECK(isinf(pkm_formula_next_break(f, to)));
    pkm_formula_free(f);
    f = looked_over("=step(t, 7 s, 0, 8 s, 1)", 1.0);
    CHECK(pkm_formula_next_break(f, 0.0) == 7.0 && pkm_formula_next_break(f, 7.0) == 8.0);
    pkm_formula_free(f);
}

int main(void)
{
    RUN(formulas_say_what_expressions_say);
    RUN(plain_numbers_are_formulas);
    RUN(steps_are_cubic);
    RUN(no_function_is_missing);
    RUN(faults_are_placed);
    RUN(long_formulas_are_refused);
    RUN(evaluation_allocates_nothing_and_creation_may_fail);
    RUN(kinks_are_found_however_near);
    RUN(bumps_and_what_comes_later);
    return check_report();
}
