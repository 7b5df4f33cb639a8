// Value references are made of class and index, so that adding a column does not renumber the
// parameters.
#include "export/fmu_variables.h"

#include "base/error.h"
#include "pkm/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Its number is unique: the class, then the index within it.
static pkm_fmu_variable* add(pkm_fmu_variables* to, pkm_fmu_role role, pkm_reference_class class,
                             int index)
{
    pkm_fmu_variable* v = &to->item[to->n++];
    *v = (pkm_fmu_variable){.role = role,
                            .reference = (unsigned)class * PKM_REFERENCE_CLASS + (unsigned)index,
                            .of = PKM_NONE,
                            .start = 0.0};
    return v;
}

/// Plain numbers have no unit in FMI.
static void set_unit(pkm_fmu_variable* v, const char* unit)
{
    snprintf(v->unit, sizeof v->unit, "%s", unit && strcmp(unit, "1") != 0 ? unit : "");
}

static void add_parameters(pkm_fmu_variables* to, const pkm_robot* robot)
{
    for (int i = 0; i < pkm_robot_n_parameter(robot); ++i) {
        const bool is_derived = pkm_robot_parameter_is_derived(robot, i);
        pkm_fmu_variable* v =
            add(to, is_derived ? PKM_FMU_DERIVED : PKM_FMU_PARAMETER, PKM_REFERENCE_PARAMETER, i);
        snprintf(v->name, sizeof v->name, "parameter.%.100s", pkm_robot_parameter_name(robot, i));
        snprintf(v->text, sizeof v->text, "parameter of the model%s",
                 is_derived ? ", which follows from others" : "");
        set_unit(v, pkm_robot_parameter_unit(robot, i));
        v->start = pkm_robot_parameter_value(robot, i);
    }
}

/// The three references of a drive: position and its rates.
static void add_references(pkm_fmu_variables* to, const pkm_robot* robot, int d)
{
    static const struct {
        const char* word;
        pkm_reference_class class;
    } kind[] = {{"reference", PKM_REFERENCE_POSITION},
                {"reference_velocity", PKM_REFERENCE_VELOCITY},
                {"reference_acceleration", PKM_REFERENCE_ACCELERATION}};
    for (int k = 0; k < 3; ++k) {
        pkm_fmu_variable* v = add(to, PKM_FMU_INPUT, kind[k].class, d);
        snprintf(v->name, sizeof v->name, "in.%.100s.%s", pkm_robot_drive_name(robot, d),
                 kind[k].word);
        snprintf(v->text, sizeof v->text, "%s of the controller of drive %.80s",
                 k == 0   ? "reference"
                 : k == 1 ? "rate of the reference"
                          : "acceleration of the reference",
                 pkm_robot_drive_name(robot, d));
        set_unit(v, pkm_robot_drive_unit(robot, d, k));
        v->start = k == 0 ? pkm_robot_drive_home(robot, d) : 0.0;
    }
}

/// Forces on drives that can follow one.
static void add_drives(pkm_fmu_variables* to, const pkm_robot* robot, const pkm_sim_settings* s)
{
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
        const pkm_drive_kind kind = s->drive[d].kind;
        if (kind == PKM_DRIVE_PRESCRIBED || kind == PKM_DRIVE_LOCKED) continue;
        pkm_fmu_variable* v = add(to, PKM_FMU_INPUT, PKM_REFERENCE_FORCE, d);
        snprintf(v->name, sizeof v->name, "in.%.100s.force", pkm_robot_drive_name(robot, d));
        snprintf(v->text, sizeof v->text, "%s on drive %.80s%s",
                 pkm_robot_drive_is_rotary(robot, d) ? "torque" : "force",
                 pkm_robot_drive_name(robot, d),
                 kind == PKM_DRIVE_FREE ? "" : ", added to what the run has there");
        set_unit(v, pkm_robot_drive_unit(robot, d, -1));
        if (to->references >> d & 1u) add_references(to, robot, d);
    }
}

/// World axes; what the run has there is the start.
static void add_wrench(pkm_fmu_variables* to, const pkm_robot* robot)
{
    static const char* const word[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    for (int i = 0; i < 6 && pkm_robot_has_tool(robot); ++i) {
        pkm_fmu_variable* v = add(to, PKM_FMU_INPUT, PKM_REFERENCE_WRENCH, i);
        snprintf(v->name, sizeof v->name, "in.tool.%s", word[i]);
        snprintf(v->text, sizeof v->text, "%s on the tool, world axes", i < 3 ? "force" : "torque");
        set_unit(v, i < 3 ? "N" : "N m");
        v->start = to->wrench[i];
    }
}

static void add_signals(pkm_fmu_variables* to, const pkm_simulation* sim)
{
    to->n_signal = pkm_simulation_n_input(sim);
    for (int i = 0; i < to->n_signal; ++i) {
        pkm_fmu_variable* v = add(to, PKM_FMU_INPUT, PKM_REFERENCE_SIGNAL, i);
        snprintf(v->name, sizeof v->name, "in.%.100s", pkm_simulation_input_name(sim, i));
        snprintf(v->text, sizeof v->text, "input of the run file");
        set_unit(v, pkm_simulation_input_unit(sim, i));
        v->start = pkm_simulation_input_start(sim, i);
    }
}

/// Positions, velocities, what has been summed up and the energies of both belong to the state;
/// inputs change everything else at once.
static bool is_of_state(const char* unit)
{
    static const char* const units[] = {"m", "rad", "m/s", "rad/s", "J", NULL};
    for (int i = 0; units[i]; ++i)
        if (strcmp(units[i], unit) == 0) return true;
    return false;
}

/// Every column of the table but the time, which all FMUs have.
static void add_outputs(pkm_fmu_variables* to, const pkm_simulation* sim)
{
    to->n_column = pkm_simulation_n_column(sim);
    for (int i = 0; i < to->n_column; ++i) {
        const char* name = pkm_simulation_column_name(sim, i);
        if (strcmp(name, "t") == 0) continue;
        pkm_fmu_variable* v = add(to, PKM_FMU_OUTPUT, PKM_REFERENCE_COLUMN, i);
        snprintf(v->name, sizeof v->name, "%.150s", name);
        snprintf(v->text, sizeof v->text, "column of pkm simulate");
        set_unit(v, pkm_simulation_column_unit(sim, i));
        v->feeds = !is_of_state(v->unit);
    }
    pkm_fmu_variable* v = add(to, PKM_FMU_COUNT, PKM_REFERENCE_WARNING, 0);
    snprintf(v->name, sizeof v->name, "warnings");
    snprintf(v->text, sizeof v->text, "number of warnings; their sentences go to the log");
}

/// States of model exchange, their rates and the indicator of events. Which coordinates they are
/// can change at events: their names only count.
static pkm_status add_states(pkm_fmu_variables* to, pkm_simulation* sim, pkm_error* err)
{
    PKM_TRY(pkm_simulation_begin_ode(sim, err));
    const int n = pkm_simulation_ode_size(sim), first = to->n;
    pkm_fmu_variable* grown = pkm_realloc(to->item, (size_t)(to->n + 2 * n + 1), sizeof *to->item);
    double* nominal = pkm_alloc((size_t)n, sizeof *nominal);
    if (grown) to->item = grown;
    if (!grown || !nominal) {
        pkm_free(nominal);
        return pkm_out_of_memory(err);
    }
    const pkm_status status = pkm_simulation_ode_get(sim, NULL, nominal, err);
    for (int i = 0; i < n; ++i) {
        pkm_fmu_variable* v = add(to, PKM_FMU_STATE, PKM_REFERENCE_STATE, i);
        snprintf(v->name, sizeof v->name, "state.%d", i + 1);
        snprintf(v->text, sizeof v->text,
                 "independent coordinates, their velocities, further "
                 "states, integrals");
        v->nominal = nominal[i];
    }
    for (int i = 0; i < n; ++i) {
        pkm_fmu_variable* v = add(to, PKM_FMU_RATE, PKM_REFERENCE_RATE, i);
        snprintf(v->name, sizeof v->name, "der(state.%d)", i + 1);
        snprintf(v->text, sizeof v->text, "its rate");
        v->of = first + i;
    }
    pkm_fmu_variable* v = add(to, PKM_FMU_INDICATOR, PKM_REFERENCE_INDICATOR, 0);
    snprintf(v->name, sizeof v->name, "indicator");
    snprintf(v->text, sizeof v->text, "falls through zero where the coordinates should change");
    pkm_free(nominal);
    return status;
}

/// What the run says when all is filled in.
static pkm_status read_run(const pkm_fmu_spec* spec, pkm_fmu_variables* out, pkm_sim_settings* s,
                           pkm_error* err)
{
    pkm_run* run = NULL;
    pkm_status status = pkm_run_repeat(spec->run, spec->robot, (pkm_task_kind)0, &run, err);
    if (status == PKM_OK) status = pkm_run_complete(run, err);
    if (status == PKM_OK) {
        *s = run->settings;
        out->has_end = run->has_end || s->motion != PKM_NONE;
        out->end = out->has_end ? s->end_time : 1.0;
        for (int d = 0; d < pkm_robot_n_drive(spec->robot); ++d)
            if (s->drive[d].kind == PKM_DRIVE_SERVO && s->motion == PKM_NONE)
                out->references |= 1u << d;
        const pkm_vec3 f = s->tool_force, m = s->tool_torque;
        const double w[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
        memcpy(out->wrench, w, sizeof w);
    }
    pkm_run_free(run);
    return status;
}

static pkm_status list(const pkm_fmu_spec* spec, pkm_simulation* sim, pkm_fmu_variables* out,
                       pkm_error* err)
{
    pkm_sim_settings settings; // what it borrows is not looked at
    PKM_TRY(read_run(spec, out, &settings, err));
    // four inputs per drive, six of the wrench, time and counts
    const size_t room = (size_t)pkm_robot_n_parameter(spec->robot) +
                        (size_t)pkm_simulation_n_column(sim) + 4 * PKM_MAX_DRIVE +
                        (size_t)pkm_simulation_n_input(sim) + 16;
    out->item = pkm_alloc(room, sizeof *out->item);
    if (!out->item) return pkm_out_of_memory(err);
    pkm_fmu_variable* time = add(out, PKM_FMU_TIME, PKM_REFERENCE_TIME, 0);
    snprintf(time->name, sizeof time->name, "time");
    snprintf(time->text, sizeof time->text, "time");
    set_unit(time, "s");
    add_parameters(out, spec->robot);
    add_drives(out, spec->robot, &settings);
    add_wrench(out, spec->robot);
    add_signals(out, sim);
    add_outputs(out, sim);
    return spec->exchange ? add_states(out, sim, err) : PKM_OK;
}

pkm_status pkm_fmu_list_variables(const pkm_fmu_spec* spec, pkm_fmu_variables* out, pkm_error* err)
{
    pkm_simulation* sim = NULL;
    *out = (pkm_fmu_variables){.n = 0};
    pkm_status status = pkm_simulation_create(spec->robot, spec->run, &sim, err);
    if (status == PKM_OK) status = list(spec, sim, out, err);
    pkm_simulation_free(sim);
    return status;
}

void pkm_fmu_variables_free(pkm_fmu_variables* variables)
{
    pkm_free(variables->item);
    variables->item = NULL;
}

int pkm_fmu_count(const pkm_fmu_variables* variables, pkm_fmu_role role)
{
    int n = 0;
    for (int i = 0; i < variables->n; ++i)
        n += variables->item[i].role == role;
    return n;
}
