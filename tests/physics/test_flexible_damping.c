// Damping of flexible links is that of their strain: the given ratios are measured from decay,
// whatever the amplitude.
#include "flexible.h"

static const double PI = 3.14159265358979323846, E = 207e9, RHO = 7801.0, D = 5e-3;

enum { PER = 60 }; ///< rows per period

/// A rod on two balls, one of them on a light slider, that falls from straight into its sag `sag`
/// [m], for some periods.
static sim_result swing_rod(double sag, const char* flexible, int n_period)
{
    const double I = PI * pow(D, 4) / 64.0, A = PI * D * D / 4.0;
    const double period = 2.0 / (PI * sqrt(E * I / (RHO * A)));
    char model[1200], text[300];
    snprintf(model, sizeof model,
             "pkm: 1\nname: rod\ngravity: [0, 0, -%.17g]\n"
             "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
             "ground: {points: {O: [0, 0, 0], E: [1, 0, 0]}}\n"
             "bodies:\n"
             "  rod: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: [{rod: {from: A, to: B, "
             "diameter: 5 mm}, material: steel}]}\n"
             "  slider: {points: {B: [1, 0, 0]}, mass: 0.001, inertia: [1e-6, 1e-6, 1e-6]}\n"
             "joints:\n"
             "  left: {type: spherical, between: [ground.O, rod.A]}\n"
             "  right: {type: spherical, between: [rod.B, slider.B]}\n"
             "  guide: {type: prismatic, between: [ground.E, slider.B], axis: x}\n"
             "tool: slider.B\n",
             sag * 384.0 * E * I / (5.0 * RHO * A));
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g\ninstants: %d\nstart: undeformed\nflexible: {rod: %s}\n",
             n_period * period, n_period * PER + 1, flexible);
    pkm_robot* robot = engine_from(model);
    sim_result r = sim_run_whole(robot, text);
    pkm_robot_free(robot);
    return r;
}

/// How far mid-span swings in one of the periods 0, 1, ...
static double swing_of(const sim_result* r, int period)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = period * PER; i <= (period + 1) * PER; ++i) {
        low = fmin(low, sim_get(r, i, "rod.deflection"));
        high = fmax(high, sim_get(r, i, "rod.deflection"));
    }
    return high - low;
}

/// Half of the logarithmic decrement over pi: from the swings of the periods 4 to 6.
static double measured_ratio(double sag, const char* flexible)
{
    sim_result r = swing_rod(sag, flexible, 6);
    const double ratio = log(swing_of(&r, 3) / swing_of(&r, 5)) / (4.0 * PI);
    sim_free(&r);
    return ratio;
}

// Higher modes, which the fall excites too, die out slowly and leave 1 %. A rod that sags by 1 % of
// its length is shorter by 0.025 %: that is no strain.
static void ratios_do_not_hang_on_the_sag(void)
{
    const double small = measured_ratio(1e-6, "{damping: 0.01}");
    CHECK_NEAR(small, 0.01, 1e-4);
    CHECK_NEAR(measured_ratio(1e-2, "{damping: 0.01}"), small, 1e-4);
    CHECK_NEAR(measured_ratio(1e-2, "{damping: 0.01, stiffening: false}"), small, 2e-4);
}

/// The same of a mast that carries a body of 0.5 kg, 0.2 m beyond its tip, and falls from straight
/// into its sag: the ratio of its lowest vibration.
static double ratio_of_a_mast(double sag, const char* flexible)
{
    // 3 EI/(m (1 + 33/140 of the mast)) for a load at the tip; beyond it about half as much
    const double I = PI * pow(D, 4) / 64.0, mass = 0.5 + 33.0 / 140.0 * RHO * PI * D * D / 4.0;
    const double square = 3.0 * E * I / mass / 1.85, period = 2.0 * PI / sqrt(square);
    char model[1200], text[300];
    double swing[2];
    snprintf(model, sizeof model,
             "pkm: 1\nname: mast\ngravity: [0, 0, -%.17g]\n"
             "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\n"
             "ground: {points: {O: [0, 0, 0]}}\n"
             "bodies:\n"
             "  rod: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: [{rod: {from: A, to: B, "
             "diameter: 5 mm}, material: steel}]}\n"
             "  load: {points: {B: [0, 0, 0]}, com: [0.2, 0, 0], mass: 0.5,\n"
             "    inertia: [1e-3, 1e-3, 1e-3], pose: {at: [1, 0, 0]}}\n"
             "joints:\n"
             "  foot: {type: fixed, between: [ground.O, rod.A]}\n"
             "  weld: {type: fixed, between: [rod.B, load.B]}\n"
             "tool: rod.B\n",
             sag * square);
    snprintf(text, sizeof text,
             "motion: none\nfor: %.17g\ninstants: %d\nstart: undeformed\nflexible: {rod: %s}\n",
             6.0 * period, 6 * PER + 1, flexible);
    pkm_robot* robot = engine_from(model);
    sim_result r = sim_run_whole(robot, text);
    for (int k = 0; k < 2; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = (1 + 3 * k) * PER; i <= (2 + 3 * k) * PER; ++i) {
            low = fmin(low, sim_get(&r, i, "B.z"));
            high = fmax(high, sim_get(&r, i, "B.z"));
        }
        swing[k] = high - low;
    }
    sim_free(&r);
    pkm_robot_free(robot);
    // three periods of the estimate; the vibration's own is within 2 % of it
    return log(swing[0] / swing[1]) / (6.0 * PI);
}

// What hangs on a link alone vibrates with it: given to the vibrations of the mast between held
// ends the ratio would be 3e-4 here, to those of the mast without its load 2e-3.
static void a_mast_with_a_load_has_the_given_ratio(void)
{
    CHECK_NEAR(ratio_of_a_mast(1e-6, "{damping: 0.01}"), 0.01, 3e-4);
    CHECK_NEAR(ratio_of_a_mast(1e-2, "{damping: 0.01}"), 0.01, 3e-4);
    CHECK_NEAR(ratio_of_a_mast(1e-3, "{damping: 0.01, pieces: 4}"), 0.01, 3e-4);
}

// Damping by stiffness would be 35 % of critical for the elongations of the linear modes.
static void stiffness_times_strain_rate_damps_bending_alone(void)
{
    const double I = PI * pow(D, 4) / 64.0, A = PI * D * D / 4.0;
    const double omega = PI * PI * sqrt(E * I / (RHO * A));
    char flexible[100];
    snprintf(flexible, sizeof flexible,
             "{modes: 4, elements: 4, damping: {mass: 0, stiffness: %.17g}}", 0.02 / omega);
    CHECK_NEAR(measured_ratio(1e-2, flexible), 0.01, 1e-4);
}

// Nothing damps it: the last swing is as wide as the first, twice the sag but for the higher modes
// (0.4 %), however small it is and though the run changes its method on the way.
static void a_small_swing_stays_when_the_method_changes(void)
{
    static const char* const link[] = {"{}", "{modes: 4}"};
    static const int n[] = {8, 10, 14};
    for (int k = 0; k < 6; ++k) {
        sim_result r = swing_rod(1e-6, link[k % 2], n[k / 2]);
        CHECK_NEAR(swing_of(&r, 0), 2e-6, 0.02e-6);
        CHECK_NEAR(swing_of(&r, n[k / 2] - 1), 2e-6, 0.02e-6);
        sim_free(&r);
    }
}

// What the links lose is what the energies miss.
static void the_ledger_has_what_damping_takes(void)
{
    pkm_robot* robot = engine_load("siax");
    sim_result r = sim_run_whole(robot, "for: 20 ms\ninstants: 3\nflexible: {left: {damping: 0.05, "
                                        "section: {diameter: 6 mm}}}\nstart: undeformed\n");
    CHECK(r.report.ledger.damping > 1e-4);
    CHECK_NEAR(r.report.ledger.residual, 0.0, 1e-5 * r.report.ledger.damping);
    sim_free(&r);
    pkm_robot_free(robot);
}

int main(void)
{
    RUN(ratios_do_not_hang_on_the_sag);
    RUN(a_mast_with_a_load_has_the_given_ratio);
    RUN(stiffness_times_strain_rate_damps_bending_alone);
    RUN(a_small_swing_stays_when_the_method_changes);
    RUN(the_ledger_has_what_damping_takes);
    return check_report();
}
