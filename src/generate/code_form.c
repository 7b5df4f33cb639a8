// Pieces of a closed form: poses, Jacobian and forces of its family as graphs over the inputs
// (form.h), with the checks that the numeric form makes.
#include "base/error.h"
#include "generate/code_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The pieces of code that a closed form gives, each with its own graph.

// A Jacobian has 6 of each drive, inverse dynamics 4; a pose 12 more.
enum { MAX_OUTPUT = 6 * PKM_CLOSED_MAX_DRIVE + 16 + PKM_FORM_MAX_CONDITION };

typedef struct draft {
    const pkm_code_instant* sample;
    pkm_graph graph;
    pkm_form form;
    pkm_form_place place;
    pkm_form_motion motion;
    pkm_graph_output* output;
    int n_output;
} draft;

static void put(draft* d, const char* array, int index, pkm_node node)
{
    PKM_ASSERT(d->n_output < MAX_OUTPUT);
    d->output[d->n_output++] = (pkm_graph_output){array, index, node};
}

static void put_drives(draft* d, const char* array, const pkm_node* node)
{
    for (int k = 0; k < d->form.n_drive; ++k)
        put(d, array, k, node[k]);
}

static void put_pose(draft* d)
{
    const pkm_sym_vec3 p = d->place.p, column[3] = {d->place.R.x, d->place.R.y, d->place.R.z};
    put(d, "p", 0, p.x);
    put(d, "p", 1, p.y);
    put(d, "p", 2, p.z);
    for (int j = 0; j < 3; ++j) {
        // by rows: component c of axis j stands at 3 c + j
        put(d, "R", j, column[j].x);
        put(d, "R", j + 3, column[j].y);
        put(d, "R", j + 6, column[j].z);
    }
}

// ---- inputs -----------------------------------------------------------------------------------

static pkm_node input(draft* d, int array, int k)
{
    return pkm_code_input(d->sample, &d->graph, array, k);
}

static pkm_sym_vec3 input_vec3(draft* d, int array, int at)
{
    return pkm_code_input_vec3(d->sample, &d->graph, array, at);
}

static void read_pose(draft* d)
{
    d->place.p = input_vec3(d, PKM_IN_P, 0);
    d->place.R = pkm_code_input_axes(d->sample, &d->graph);
}

static void read_drives(draft* d, int array, pkm_node* out)
{
    for (int k = 0; k < d->form.n_drive; ++k)
        out[k] = input(d, array, k);
}

static void read_wrench(draft* d)
{
    d->motion.force = input_vec3(d, PKM_IN_WRENCH, 0);
    d->motion.torque = input_vec3(d, PKM_IN_WRENCH, 3);
    // weight acts wherever forces are asked for
    d->motion.weighs = true;
}

/// The place of drive positions: by the closed form, which then gives the pose too, else from a
/// pose that was found before.
static void place_by_drives(draft* d)
{
    read_drives(d, PKM_IN_DRIVE, d->place.q);
    if (d->form.family->from_drives) {
        d->form.family->from_drives(&d->form, &d->place);
        put_pose(d);
    } else {
        read_pose(d);
        d->form.family->derive(&d->form, &d->place);
    }
}

// ---- pieces -----------------------------------------------------------------------------------

static pkm_status build_ik(draft* d, pkm_error* err)
{
    read_pose(d);
    d->form.family->from_tool(&d->form, &d->place);
    put_drives(d, "drive", d->place.q);
    return pkm_form_require_side(&d->form, &d->place, err);
}

static pkm_status build_pass(draft* d, pkm_error* err)
{
    pkm_node step[PKM_CLOSED_MAX_DRIVE];
    read_pose(d);
    read_drives(d, PKM_IN_DRIVE, d->place.q);
    PKM_TRY(pkm_form_pass(&d->form, &d->place, step, err));
    // the pose is written to next[0..2] and, by rows, next[3..11]
    const int first = d->n_output;
    put_pose(d);
    for (int k = first; k < d->n_output; ++k) {
        d->output[k].index += d->output[k].array[0] == 'R' ? 3 : 0;
        d->output[k].array = "next";
    }
    put_drives(d, "step", step);
    d->form.n_condition = 0; // a pass that goes astray does not end
    return PKM_OK;
}

static pkm_status build_inverse(draft* d, pkm_error* err)
{
    pkm_node force[PKM_CLOSED_MAX_DRIVE];
    read_pose(d);
    d->motion.v = input_vec3(d, PKM_IN_TWIST, 0);
    d->motion.w = input_vec3(d, PKM_IN_TWIST, 3);
    d->motion.a = input_vec3(d, PKM_IN_TWIST_RATE, 0);
    d->motion.alpha = input_vec3(d, PKM_IN_TWIST_RATE, 3);
    read_wrench(d);
    d->form.family->from_tool(&d->form, &d->place);
    PKM_TRY(pkm_form_drive_motion(&d->form, &d->place, &d->motion, err));
    PKM_TRY(d->form.family->forces(&d->form, &d->place, &d->motion, force, err));
    put_drives(d, "drive", d->place.q);
    put_drives(d, "rate", d->motion.qd);
    put_drives(d, "acc", d->motion.qdd);
    put_drives(d, "force", force);
    return PKM_OK;
}

static pkm_status build_inverse_drives(draft* d, pkm_error* err)
{
    pkm_node force[PKM_CLOSED_MAX_DRIVE];
    place_by_drives(d);
    read_drives(d, PKM_IN_RATE, d->motion.qd);
    read_drives(d, PKM_IN_ACC, d->motion.qdd);
    read_wrench(d);
    PKM_TRY(pkm_form_tool_motion(&d->form, &d->place, &d->motion, err));
    PKM_TRY(d->form.family->forces(&d->form, &d->place, &d->motion, force, err));
    put_drives(d, "force", force);
    return PKM_OK;
}

static pkm_status build_forward(draft* d, pkm_error* err)
{
    pkm_node force[PKM_CLOSED_MAX_DRIVE], acc[PKM_CLOSED_MAX_DRIVE];
    place_by_drives(d);
    read_drives(d, PKM_IN_RATE, d->motion.qd);
    read_drives(d, PKM_IN_FORCE, force);
    read_wrench(d);
    PKM_TRY(pkm_form_forward(&d->form, &d->place, &d->motion, force, acc, err));
    put_drives(d, "acc", acc);
    return PKM_OK;
}

static pkm_status build_jacobian(draft* d, pkm_error* err)
{
    pkm_node J[PKM_CLOSED_MAX_DRIVE][6];
    const int n = d->form.n_drive;
    read_pose(d);
    read_drives(d, PKM_IN_DRIVE, d->place.q);
    d->form.family->derive(&d->form, &d->place);
    PKM_TRY(pkm_form_jacobian(&d->form, &d->place, J, err));
    // by rows: k / n is the component of the twist, k % n the drive
    for (int k = 0; k < 6 * n; ++k)
        put(d, "J", k, J[k % n][k / n]);
    d->form.n_condition = 0; // the state was led there
    return PKM_OK;
}

static pkm_status build(draft* d, pkm_code_form piece, pkm_error* err)
{
    switch (piece) {
    case PKM_FORM_IK:
        return build_ik(d, err);
    case PKM_FORM_FK:
        place_by_drives(d);
        return PKM_OK;
    case PKM_FORM_PASS:
        return build_pass(d, err);
    case PKM_FORM_INVERSE:
        return build_inverse(d, err);
    case PKM_FORM_INVERSE_DRIVES:
        return build_inverse_drives(d, err);
    case PKM_FORM_FORWARD:
        return build_forward(d, err);
    case PKM_FORM_JACOBIAN:
        return build_jacobian(d, err);
    case PKM_N_FORM:
        break;
    }
    return PKM_OK;
}

pkm_status pkm_code_form_build(const pkm_code* code, pkm_code_form piece, pkm_code_program* out,
                               pkm_error* err)
{
    const pkm_robot* robot = code->robot;
    // a pass must work away from the solution: its samples include loops that are open
    draft d = {.sample = piece == PKM_FORM_PASS ? code->sample : code->reach};
    *out = (pkm_code_program){0};
    PKM_TRY(pkm_graph_create(&d.graph, err));
    d.output = calloc(MAX_OUTPUT, sizeof *d.output);
    pkm_status status = d.output ? PKM_OK : pkm_out_of_memory(err);
    if (status == PKM_OK && !pkm_form_make(robot->closed, &robot->closed_home, &d.graph, &d.form))
        status = pkm_fail(err, PKM_ERR_MODEL, "this closed form cannot be written as code");
    if (status == PKM_OK) status = build(&d, piece, err);
    // results hold where ok[k] > least[k]
    for (int k = 0; k < d.form.n_condition && status == PKM_OK; ++k)
        put(&d, "ok", k, d.form.condition[k].node);
    if (status == PKM_OK && d.graph.failed)
        status = pkm_fail(err, PKM_ERR_MEMORY, "out of memory: the code is too large");
    *out = (pkm_code_program){d.graph, d.output, d.n_output, d.form.n_condition, {0.0}};
    for (int k = 0; k < d.form.n_condition; ++k)
        out->least[k] = d.form.condition[k].least;
    if (status != PKM_OK) pkm_code_program_free(out);
    return status;
}

bool pkm_code_form_has_fk(const pkm_code* code)
{
    pkm_form form;
    return pkm_form_make(code->robot->closed, &code->robot->closed_home, NULL, &form) &&
           form.family->from_drives;
}

// ---- functions --------------------------------------------------------------------------------

static const pkm_code_facts FACTS[PKM_N_FORM] = {
    [PKM_FORM_IK] = {"drives_from_tool",
                     "const double* p, const double* R, double* drive, double* ok",
                     "Drive positions of a tool pose.",
                     {"p", "R", "ok"}},
    [PKM_FORM_FK] = {"tool_from_drives",
                     "const double* drive, double* p, double* R, double* ok",
                     "Tool pose of drive positions.",
                     {"drive", "ok"}},
    [PKM_FORM_PASS] =
        {"drive_pass",
         "const double* p, const double* R, const double* drive, double* next, double* step",
         "A pass of Newton's method towards the tool pose of drive positions.",
         {"p", "R", "drive"}},
    [PKM_FORM_INVERSE] =
        {"forces_from_tool",
         "const double* p, const double* R, const double* twist, const double* twist_rate,\n"
         "    const double* wrench, double* drive, double* rate, double* acc, double* force, "
         "double* ok",
         "Drive forces, and what the drives do, from the tool's motion.",
         {"p", "R", "twist", "twist_rate", "wrench", "ok"}},
    [PKM_FORM_INVERSE_DRIVES] =
        {"forces_from_drives",
         "const double* drive, const double* rate, const double* acc, const double* wrench,\n"
         "    double* p, double* R, double* force, double* ok",
         "Drive forces from the drives' motion.",
         {"p", "R", "wrench", "ok"}},
    [PKM_FORM_FORWARD] =
        {"accelerations",
         "const double* drive, const double* rate, const double* force, const double* wrench,\n"
         "    double* p, double* R, double* acc, double* ok",
         "Accelerations of the drives from their forces.",
         {"p", "R", "wrench", "ok"}},
    [PKM_FORM_JACOBIAN] = {"tool_jacobian",
                           "const double* p, const double* R, const double* drive, double* J",
                           "Tool twist per drive rate, by rows.",
                           {"p", "R", "drive"}},
};

const char* pkm_code_form_name(pkm_code_form piece)
{
    return FACTS[piece].name;
}

pkm_status pkm_code_form_write(const pkm_code* code, pkm_code_form piece, pkm_stream* to,
                               pkm_graph_count* count, int* n_ok, pkm_error* err)
{
    pkm_code_program program;
    PKM_TRY(pkm_code_form_build(code, piece, &program, err));
    *n_ok = program.n_ok;
    if (program.n_ok > 0)
        pkm_stream_format(to, "static const double %s_least[%d] = {", FACTS[piece].name, *n_ok);
    for (int k = 0; k < program.n_ok; ++k)
        pkm_stream_format(to, k == 0 ? "%.17g" : ", %.17g", program.least[k]);
    if (program.n_ok > 0) pkm_stream_text(to, "};\n\n");
    const pkm_status status = pkm_code_program_print(&program, &FACTS[piece], to, count, err);
    pkm_code_program_free(&program);
    return status;
}

// ---- check ------------------------------------------------------------------------------------

/// Forces of the closed form at an instant, minus those of the engine, relative to the largest.
static double difference_at(const pkm_code_program* program, const pkm_instant* now, int n,
                            double* value)
{
    const pkm_vec3 p = now->tool.pose.p, f = now->tool_force, t = now->tool_torque;
    const pkm_mat3 R = pkm_mat3_from_quat(now->tool.pose.q);
    const double point[3] = {p.x, p.y, p.z}, wrench[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
    const double axes[9] = {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z};
    const double* input[PKM_N_IN] = {
        [PKM_IN_P] = point,     [PKM_IN_R] = axes,     [PKM_IN_DRIVE] = now->q,
        [PKM_IN_RATE] = now->v, [PKM_IN_ACC] = now->a, [PKM_IN_WRENCH] = wrench};
    double size = 0.0, worst = 0.0;
    pkm_graph_evaluate(&program->graph, input, value);
    for (int k = 0; k < n; ++k)
        size = fmax(size, fabs(now->force[k]));
    for (int k = 0; k < program->n_output; ++k) {
        const pkm_graph_output* out = &program->output[k];
        if (strcmp(out->array, "force") != 0) continue;
        const double off = fabs(value[out->node] - now->force[out->index]);
        if (!(off <= worst)) worst = off;
    }
    return size > 0.0 ? worst / size : worst;
}

pkm_status pkm_code_form_check(const pkm_code* code, pkm_error* err)
{
    static const double SAME = 1e-9; // both agree to 1e-12 when they describe the same robot
    pkm_code_program program;
    PKM_TRY(pkm_code_form_build(code, PKM_FORM_INVERSE_DRIVES, &program, err));
    double* value = malloc((size_t)(program.graph.n + 1) * sizeof *value);
    pkm_status status = value ? PKM_OK : pkm_out_of_memory(err);
    for (int k = 0; k < PKM_CODE_VECTORS && status == PKM_OK; ++k) {
        const double off =
            difference_at(&program, &code->vector[k].now, code->mech->n_drive, value);
        if (!(off <= SAME))
            status = pkm_fail(err, PKM_ERR_MODEL,
                              "the closed form of '%s' differs from its bodies and joints by %.1e "
                              "of the forces: give its parameters more digits, or take --general",
                              code->mech->name, off);
    }
    free(value);
    pkm_code_program_free(&program);
    return status;
}
