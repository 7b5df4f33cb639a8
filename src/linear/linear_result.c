// Modes and stiffness at a pose as trees of results, for verbs and for the library.
#include "linear/linear_result.h"

#include "linear/modes_report.h"
#include "math/angle.h"
#include "robot/inverse_result.h"
#include "robot/nearness.h"
#include "table/suited.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const direction[6] = {"x", "y", "z", "rx", "ry", "rz"};

pkm_elastic_settings pkm_elastic_settings_for(const pkm_run* run)
{
    pkm_elastic_settings settings = {.effects = &run->effects,
                                     .is_weighted = run->asked.weight,
                                     .tool_force = run->settings.tool_force,
                                     .tool_torque = run->settings.tool_torque};
    memcpy(settings.drive, run->hold, sizeof settings.drive);
    return settings;
}

/// -0.0 and rounding shown as 0.
static double tidy_shown(double x)
{
    // ten digits are shown: smaller numbers would be shown as -0
    return fabs(x) < 5e-10 ? 0.0 : x;
}

// ---- the setting ------------------------------------------------------------------------------

/// "locked", "free", "elastic" or "held in different ways".
static const char* drives_text(const pkm_robot* robot, const pkm_elastic_drive* drive)
{
    static const char* const word[] = {"locked", "free", "elastic"};
    for (int d = 1; d < robot->mech->n_drive; ++d)
        // one word where all drives are held alike
        if (drive[d].hold != drive[0].hold) return "held in different ways";
    return robot->mech->n_drive > 0 ? word[drive[0].hold] : "none";
}

static int count_flexible(const pkm_elastic* elastic)
{
    int n = 0;
    for (int p = 0; p < pkm_elastic_parts(elastic); ++p)
        n += pkm_elastic_part_bends(elastic, p);
    return n;
}

/// "A, B and C"
static void put_idle(pkm_result* in, const pkm_elastic* elastic)
{
    char words[1000] = "";
    const int n = pkm_elastic_idle(elastic);
    pkm_result* list = pkm_result_list(in, "idle");
    for (int i = 0; i < n; ++i) {
        const size_t used = strlen(words);
        pkm_result_text(list, NULL, pkm_elastic_idle_name(elastic, i));
        snprintf(words + used, sizeof words - used, "%s%s",
                 i == 0       ? ""
                 : i == n - 1 ? " and "
                              : ", ",
                 pkm_elastic_idle_name(elastic, i));
    }
    pkm_result_text(in, "_idle", words);
    pkm_result_bool(in, "_one_idle", n == 1);
}

static void put_setting(pkm_robot* robot, const pkm_elastic_settings* settings,
                        const pkm_elastic* elastic, pkm_result* out)
{
    const int n = count_flexible(elastic);
    double rotation, compression;
    pkm_warnings warnings = {.n = 0};
    // near a singularity frequencies and stiffnesses say little: that is told first
    pkm_nearness_warn_pose(robot, &warnings);
    pkm_result_warnings(out, &warnings);
    pkm_result_text(out, "name", robot->desc->name);
    if (robot->mech->tool != PKM_NONE) {
        const pkm_vec3 p = pkm_state_marker_point(robot->state, robot->mech->tool);
        pkm_result_vec(out, "position", "m", p);
        pkm_result_vec(out, "_position", "m",
                       (pkm_vec3){tidy_shown(p.x), tidy_shown(p.y), tidy_shown(p.z)});
    }
    pkm_result_text(out, "drives", drives_text(robot, settings->drive));
    pkm_result_integer(out, "links", n);
    pkm_result_bool(out, "_one_link", n == 1);
    pkm_result_integer(out, "coordinates", pkm_elastic_size(elastic));
    put_idle(out, elastic);
    pkm_elastic_static_state(elastic, &rotation, &compression);
    if (!settings->is_weighted) return;
    pkm_result_number(out, "rotation", "rad", rotation);
    pkm_result_number(out, "compression", "", compression);
    // small turns and half of Euler's load: beyond, the linear model is told to be far off
    pkm_result_bool(out, "_far", rotation > 0.1 || compression > 0.5);
}

// ---- modes ------------------------------------------------------------------------------------

static const char NO_STIFFNESS[] = "rigid bodies: a motion without stiffness";

void pkm_modes_culprits(const pkm_elastic* elastic, const pkm_modes* modes, int k, int most,
                        char* text, size_t size)
{
    static const char* const kind[] = {"stretch", "bending", "torsion"};
    const double* strain = modes->strain + PKM_N_STRAIN * modes->n_part * k;
    double above = INFINITY;
    int last = PKM_NONE;
    text[0] = '\0';
    for (int n = 0; n < most; ++n) {
        int best = PKM_NONE;
        // of equal shares, as equal limbs have, each is named, the first one first
        for (int i = 0; i < PKM_N_STRAIN * modes->n_part; ++i) {
            const bool is_left = strain[i] < above || (strain[i] == above && i > last);
            if (is_left && (best == PKM_NONE || strain[i] > strain[best])) best = i;
        }
        // below 5 % a share tells nothing
        if (best == PKM_NONE || strain[best] < 0.05) return;
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s %s %.0f%%", n ? ", " : "",
                 pkm_elastic_part_name(elastic, best / PKM_N_STRAIN), kind[best % PKM_N_STRAIN],
                 100.0 * strain[best]);
        above = strain[best];
        last = best;
    }
}

static void put_mode(pkm_result* in, const pkm_elastic* elastic, const pkm_modes* modes, int k)
{
    static const char* const kind[] = {"axial", "bending", "torsion"};
    char who[160];
    pkm_modes_culprits(elastic, modes, k, 3, who, sizeof who);
    pkm_result_integer(in, "_number", k + 1);
    // which links hold the strain energy of the mode
    pkm_result_text(in, "_who", modes->omega[k] > 0.0 ? who : NO_STIFFNESS);
    pkm_result_number(in, "frequency", "Hz", modes->omega[k] / PKM_TURN);
    pkm_result_number(in, "omega", "rad/s", modes->omega[k]);
    for (int i = 0; i < PKM_N_STRAIN; ++i)
        pkm_result_number(in, kind[i], "", pkm_modes_share(modes, k, i));
    pkm_result_number(in, "drives", "", modes->drives[k]);
    pkm_result_number(in, "springs", "", modes->springs[k]);
    pkm_result_number(in, "prestress", "", modes->prestress[k]);
    pkm_result* bodies = pkm_result_list(in, "bodies");
    for (int p = 0; p < modes->n_part; ++p) {
        const double* strain = modes->strain + PKM_N_STRAIN * (modes->n_part * k + p);
        pkm_result* body = pkm_result_group(bodies, NULL);
        pkm_result_text(body, "name", pkm_elastic_part_name(elastic, p));
        for (int i = 0; i < PKM_N_STRAIN; ++i)
            pkm_result_number(body, kind[i], "", strain[i]);
        pkm_result_number(body, "kinetic", "", modes->kinetic[modes->n_part * k + p]);
    }
}

/// What moves as rigid bodies do has no vibration, and no ratio of damping.
static void put_damped(pkm_result* in, const pkm_modes* modes)
{
    pkm_result* list = pkm_result_list(in, "damped");
    int n_rigid = 0;
    // frequencies rise: those without stiffness stand first
    while (n_rigid < modes->n_mode && modes->omega[n_rigid] == 0.0)
        ++n_rigid;
    for (int k = 0; k < n_rigid + modes->n_damped && k < modes->n_max; ++k) {
        const bool is_rigid = k < n_rigid;
        const double ratio = is_rigid ? NAN : modes->ratio[k - n_rigid];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_integer(item, "_number", k + 1);
        pkm_result_number(item, "frequency", "Hz",
                          is_rigid ? 0.0 : modes->damped[k - n_rigid] / PKM_TURN);
        pkm_result_number(item, "ratio", "", ratio);
        if (is_rigid)
            pkm_result_text(item, "_none", NO_STIFFNESS);
        else
            pkm_result_number(item, "_ratio", "", ratio);
    }
}

void pkm_modes_result(pkm_robot* robot, const pkm_elastic_settings* settings,
                      const pkm_elastic* elastic, const pkm_modes* modes, pkm_result* out)
{
    put_setting(robot, settings, elastic, out);
    // for people a column more where there is something to share the energy with
    pkm_result_bool(out, "_has_springs", settings->effects->n_element > 0);
    pkm_result* list = pkm_result_list(out, "modes");
    for (int k = 0; k < modes->n_mode; ++k)
        put_mode(pkm_result_group(list, NULL), elastic, modes, k);
    if (modes->n_damped > 0) put_damped(out, modes);
}

// ---- stiffness --------------------------------------------------------------------------------

/// Less than 1e-12 of what it could be is rounding.
static double tidy(double x, double size)
{
    return fabs(x) < 1e-12 * size ? 0.0 : x;
}

static const char* share_name(const pkm_elastic* elastic, const pkm_yield_share* s,
                              const char** kind)
{
    static const char* const word[] = {"stretch", "bending", "torsion"};
    *kind = s->part == PKM_NONE ? "" : word[s->kind];
    if (s->part != PKM_NONE) return pkm_elastic_part_name(elastic, s->part);
    return s->kind == 0 ? "drives" : "springs";
}

static void put_yield(pkm_result* in, const char* key, const char* unit, const pkm_yield* y)
{
    pkm_result* list = pkm_result_list(in, key);
    for (int k = 0; k < 3; ++k) {
        const pkm_vec3 a = y->axis[k];
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_number(item, "compliance", "", y->compliance[k]);
        pkm_result_vec(item, "axis", "", a);
        const pkm_suited s = pkm_suited_make(unit, 1.0 / y->compliance[k]);
        pkm_result_number(item, "_stiffness", "", s.factor / y->compliance[k]);
        pkm_result_text(item, "_unit", s.unit);
        pkm_result_vec(item, "_axis", "",
                       (pkm_vec3){tidy_shown(a.x), tidy_shown(a.y), tidy_shown(a.z)});
    }
}

/// The stiffness, or the compliance where some direction is rigid, for people.
static void put_matrix(pkm_result* in, const pkm_stiffness* s)
{
    const double* A = s->has_K ? s->K : s->C;
    pkm_result_text(in, "_title",
                    s->has_K ? "stiffness [N/m, N/rad; N, N m/rad]"
                             : "compliance [m/N, m/(N m); rad/N, rad/(N m)]: some direction is "
                               "rigid");
    pkm_result* list = pkm_result_list(in, "_matrix");
    for (int i = 0; i < 6; ++i) {
        double row[6];
        for (int j = 0; j < 6; ++j)
            // |A_ij| <= sqrt(A_ii A_jj) of a positive matrix: the size against which an entry is
            // tidied for people; the numbers under their keys are as they were found
            // nothing
            row[j] = tidy(A[6 * j + i], sqrt(A[7 * i] * A[7 * j]));
        pkm_result* item = pkm_result_group(list, NULL);
        pkm_result_text(item, "name", direction[i]);
        pkm_result_numbers(item, "row", "", row, 6);
    }
}

static void put_shift(pkm_result* in, const char* title, const double* all)
{
    double x[6], most[2] = {0.0, 0.0};
    for (int k = 0; k < 6; ++k)
        // shifts and turns have units of their own
        most[k / 3] = fmax(most[k / 3], fabs(all[k]));
    for (int k = 0; k < 6; ++k)
        x[k] = tidy(all[k], fmax(most[k / 3], 1.0)); // a picometre is nothing
    pkm_result* item = pkm_result_group(in, NULL);
    pkm_result_text(item, "name", title);
    pkm_result_numbers(item, "d", "m", x, 3);
    pkm_result_numbers(item, "r", "", x + 3, 3);
}

void pkm_stiffness_result(pkm_robot* robot, const pkm_elastic_settings* settings,
                          const pkm_elastic* elastic, const pkm_stiffness* s, pkm_result* out)
{
    // eigenvalues of C, the largest first
    const double softest = s->shift.compliance[0];
    const bool is_pushed =
        pkm_vec3_norm(settings->tool_force) + pkm_vec3_norm(settings->tool_torque) > 0.0;
    put_setting(robot, settings, elastic, out);
    pkm_headline_result(pkm_result_list(out, "_headlines"), "least stiffness of shifts",
                        softest > 0.0 ? 1.0 / softest : NAN, "N/m");
    pkm_result_numbers(out, "compliance", "", s->C, 36);
    if (s->has_K) pkm_result_numbers(out, "stiffness", "", s->K, 36);
    put_matrix(out, s);
    put_yield(out, "shifts", "N/m", &s->shift);
    put_yield(out, "turns", "N m/rad", &s->turn);
    pkm_result_bool(out, "_pushed", is_pushed);
    pkm_result* shares = pkm_result_list(out, "shares");
    for (int k = 0; k < s->n_share; ++k) {
        const char *kind, *name = share_name(elastic, &s->share[k], &kind);
        pkm_result* item = pkm_result_group(shares, NULL);
        pkm_result_text(item, "name", name);
        pkm_result_text(item, "kind", kind);
        pkm_result_number(item, "share", "", s->share[k].share);
    }
    pkm_result_numbers(out, "deflection", "", s->deflection, 6);
    pkm_result_numbers(out, "sag", "", s->sag, 6);
    pkm_result* list = pkm_result_list(out, "_shifts");
    if (is_pushed) put_shift(list, "under the force", s->deflection);
    put_shift(list, "under the weight", s->sag);
}
