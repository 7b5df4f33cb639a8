// Motors of a table: torques, energies and margins of signals whose numbers are known; the file.
#include "run/motor_table.h"

#include "check.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;

/// force = F sin(2 pi (t - t0) / T), at a steady speed V, over one period.
static pkm_table* sine_from(double t0, double F, double V, double T, int n)
{
    static const char* const name[] = {"t", "q.force", "q.v", "q.a"};
    pkm_table* table = pkm_table_create();
    for (int c = 0; c < 4; ++c)
        CHECK(pkm_table_add_column(table, name[c], "") == c);
    for (int i = 0; i < n; ++i) {
        double* row = pkm_table_append(table);
        row[0] = t0 + T * i / (n - 1);
        row[1] = F * sin(2.0 * PI * i / (n - 1));
        row[2] = V;
    }
    return table;
}

static pkm_table* sine(double F, double V, double T, int n)
{
    return sine_from(0.0, F, V, T, n);
}

static pkm_motor_offer motor(double ratio)
{
    pkm_motor_offer o = {.name = "m",
                         .motor = pkm_motor_defaults(),
                         .rated_torque = 1.0,
                         .peak_torque = 3.0,
                         .end_torque = 1.0,
                         .knee_speed = 100.0,
                         .max_speed = 300.0};
    o.motor.gear_ratio = ratio;
    return o;
}

// Without losses the shaft has F/N sin; half of the period it drives, half it gives back, each
// F V T / pi of energy; rms is F / (N sqrt 2). Trapezoids of 2001 points: 1e-6.
static void sine_has_its_rms_and_energies(void)
{
    const double F = 20.0, V = 1.5, T = 0.4, N = 10.0;
    pkm_table* table = sine(F, V, T, 2001);
    const pkm_motor_offer o = motor(N);
    const pkm_motor_fit fit = pkm_motor_fit_drive(&o, table, "q");
    CHECK_NEAR(fit.rms_torque, F / N / sqrt(2.0), 1e-6);
    CHECK_NEAR(fit.peak_torque, F / N, 1e-12);
    CHECK_NEAR(fit.peak_speed, N * V, 1e-12);
    CHECK_NEAR(fit.peak_power, F * V, 1e-10);
    CHECK_NEAR(fit.consumed, F * V * T / PI, 1e-5);
    CHECK_NEAR(fit.regenerated, F * V * T / PI, 1e-5);
    CHECK_NEAR(fit.margin, 1.0 / (F / N / sqrt(2.0)), 1e-6);
    CHECK(fit.limit == PKM_MOTOR_CONTINUOUS);
    pkm_table_free(table);
}

// A table that begins late lasts as long as its rows.
static void rms_is_over_the_time_of_the_rows(void)
{
    const double F = 20.0, N = 10.0;
    pkm_table* table = sine_from(3.0, F, 1.5, 0.4, 2001);
    const pkm_motor_offer o = motor(N);
    CHECK_NEAR(pkm_motor_fit_drive(&o, table, "q").rms_torque, F / N / sqrt(2.0), 1e-6);
    pkm_table_free(table);
}

// A gear with efficiency eta takes F V / eta and gives back F V (2 - 1/eta), the same loss.
static void gears_lose_both_ways(void)
{
    const double F = 20.0, V = 1.5, T = 0.4, eta = 0.8;
    pkm_table* table = sine(F, V, T, 2001);
    pkm_motor_offer o = motor(10.0);
    o.motor.efficiency = eta;
    const pkm_motor_fit fit = pkm_motor_fit_drive(&o, table, "q");
    CHECK_NEAR(fit.consumed, F * V * T / PI / eta, 1e-5);
    CHECK_NEAR(fit.regenerated, F * V * T / PI * (2.0 - 1.0 / eta), 1e-5);
    pkm_table_free(table);
}

static void peak_torque_falls_beyond_the_knee(void)
{
    const pkm_motor_offer o = motor(1.0);
    CHECK_NEAR(pkm_motor_peak_at(&o, 0.0), 3.0, 0.0);
    CHECK_NEAR(pkm_motor_peak_at(&o, -100.0), 3.0, 0.0);
    CHECK_NEAR(pkm_motor_peak_at(&o, 200.0), 2.0, 1e-15);
    CHECK_NEAR(pkm_motor_peak_at(&o, 300.0), 1.0, 1e-15);
    CHECK_NEAR(pkm_motor_peak_at(&o, 301.0), 0.0, 0.0);
}

// What limits: little torque at a speed near the largest; torque beyond the falling line.
static void the_nearest_limit_is_named(void)
{
    pkm_table* table = sine(0.1, 290.0, 0.4, 101);
    const pkm_motor_offer o = motor(1.0);
    pkm_motor_fit fit = pkm_motor_fit_drive(&o, table, "q");
    CHECK(fit.limit == PKM_MOTOR_SPEED);
    CHECK_NEAR(fit.margin, 300.0 / 290.0, 1e-12);
    pkm_table_free(table);
    table = sine(1.3, 290.0, 0.4, 101); // rms 0.92 of 1, but 1.1 N m is all at this speed
    fit = pkm_motor_fit_drive(&o, table, "q");
    CHECK(fit.limit == PKM_MOTOR_PEAK);
    CHECK_NEAR(fit.margin, (3.0 - 2.0 * 190.0 / 200.0) / 1.3, 1e-3);
    pkm_table_free(table);
}

static pkm_status read_text(const char* text, pkm_motor_table* out, pkm_error* err)
{
    char path[] = "test-motors.yaml";
    FILE* file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file) return PKM_ERR_FILE;
    fputs(text, file);
    fclose(file);
    const pkm_status status = pkm_motor_table_read(path, out, err);
    remove(path);
    return status;
}

static void files_are_read_with_units_and_ratios(void)
{
    pkm_motor_table t;
    pkm_error err = {0};
    CHECK(read_text("motors: 1\n"
                    "transmission: {gear_ratios: [5, 10], efficiency: 90 %}\n"
                    "list: {a: {rated_torque: 1 N m, max_speed: 3000 rpm, rotor_inertia: 1e-4}}\n",
                    &t, &err) == PKM_OK);
    CHECK_TEXT(err.text, "");
    CHECK(t.n == 2);
    CHECK_NEAR(t.offer[1].motor.gear_ratio, 10.0, 0.0);
    CHECK_NEAR(t.offer[0].motor.efficiency, 0.9, 1e-15);
    CHECK_NEAR(t.offer[0].max_speed, 100.0 * PI, 1e-12);
    CHECK_NEAR(t.offer[0].peak_torque, 1.0, 0.0);
    CHECK_NEAR(t.offer[0].knee_speed, 100.0 * PI, 1e-12);
    pkm_motor_table_free(&t);
}

static void refuse(const char* list, const char* why)
{
    char text[400];
    pkm_motor_table t;
    pkm_error err = {0};
    snprintf(text, sizeof text, "motors: 1\nlist: {a: {%s}}\n", list);
    CHECK(read_text(text, &t, &err) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, why);
    CHECK(err.line == 2);
}

static void mistakes_have_their_place(void)
{
    refuse("rated_torque: 1 N m", "max_speed");
    refuse("rated_torque: 2 N m, peak_torque: 1 N m, max_speed: 1 rad/s",
           "peak_torque 1 N m, expected at least rated_torque");
    refuse("rated_torque: 1 kg, max_speed: 1 rad/s", "list.a.rated_torque");
    refuse("rated_torque: 1 N m, max_speed: 10 rpm, knee_speed: 20 rpm", "expected at most");
}

int main(void)
{
    RUN(sine_has_its_rms_and_energies);
    RUN(rms_is_over_the_time_of_the_rows);
    RUN(gears_lose_both_ways);
    RUN(peak_torque_falls_beyond_the_knee);
    RUN(the_nearest_limit_is_named);
    RUN(files_are_read_with_units_and_ratios);
    RUN(mistakes_have_their_place);
    return check_report();
}
