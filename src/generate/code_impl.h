/// Inside of the code writer: samples, blocks, files.
#ifndef PKM_GENERATE_CODE_IMPL_H
#define PKM_GENERATE_CODE_IMPL_H

#include "generate/code.h"
#include "generate/elimination.h"
#include "generate/form.h"
#include "generate/tree.h"
#include "robot/robot.h"
#include "write/stream.h"

/// Input arrays of the blocks.
enum {
    PKM_IN_Q,
    PKM_IN_P,
    PKM_IN_R,
    PKM_IN_DRIVE,
    PKM_IN_RATE,
    PKM_IN_ACC,
    PKM_IN_FORCE,
    PKM_IN_TWIST,
    PKM_IN_TWIST_RATE,
    PKM_IN_WRENCH,
    PKM_N_IN
};

/// The robot at an instant, as the engine computes it: a sample of the expressions, and a line of
/// the test file.
typedef struct pkm_code_instant {
    double* q; ///< [n_q]
    pkm_instant now;
} pkm_code_instant;

enum {
    PKM_CODE_VECTORS = 12,
    PKM_CODE_GUESS_PASSES = 3, ///< from a prediction: as many as one within 1e-2 needs
};

struct pkm_code {
    pkm_robot* robot; ///< a twin
    const pkm_mechanism* mech;
    pkm_code_settings settings;
    pkm_code_report* report;
    bool has_tool;
    bool is_closed; ///< by the closed form, else from the mechanism
    pkm_code_instant sample[PKM_SAMPLES];
    pkm_code_instant reach[PKM_SAMPLES]; ///< all with closed loops, for the closed form
    pkm_code_instant vector[PKM_CODE_VECTORS];
    double* memory;
    double reach_home; ///< largest motion of the tool per rate of the drives, at home
    char prefix[64];
    char title[96]; ///< the robot's name, fit for comments
};

/// The straight-line pieces.
typedef enum pkm_code_piece {
    PKM_PIECE_TOOL_PASS,      ///< a pass of Newton's method towards a tool pose
    PKM_PIECE_DRIVE_PASS,     ///< towards drive positions
    PKM_PIECE_POSE,           ///< tool pose and drive positions
    PKM_PIECE_INVERSE_TOOL,   ///< forces from the tool's motion
    PKM_PIECE_INVERSE_DRIVES, ///< forces from the drives' motion
    PKM_PIECE_FORWARD,
    PKM_PIECE_JACOBIAN,
    PKM_N_PIECE,
} pkm_code_piece;

/// The functions that callers see.
typedef enum pkm_code_call {
    PKM_CALL_HOME,
    PKM_CALL_IK,
    PKM_CALL_FK,
    PKM_CALL_JACOBIAN,
    PKM_CALL_INVERSE,
    PKM_CALL_INVERSE_DRIVES,
    PKM_CALL_FORWARD,
    PKM_N_CALL,
} pkm_code_call;
/// Is it written: was it asked for, and has the robot what it needs?
bool pkm_code_has(const pkm_code* code, pkm_code_call call);
/// "ik", as reports and checks name it.
const char* pkm_code_call_name(pkm_code_call call);
/// Its result, name and arguments; `end` follows: ";" or "\n{".
void pkm_code_write_head(const pkm_code* code, pkm_stream* to, pkm_code_call call, const char* end);

/// A piece as a graph with its outputs.
typedef struct pkm_code_program {
    pkm_graph graph;
    pkm_graph_output* output;
    int n_output;
    int n_ok; ///< of a closed form: outputs `ok`, each of which must exceed its `least`
    double least[PKM_FORM_MAX_CONDITION];
} pkm_code_program;

/// How a piece looks as a function.
typedef struct pkm_code_facts {
    const char* name;
    const char* arguments;
    const char* comment;
    const char* array[PKM_N_IN]; ///< inputs that it may not need
} pkm_code_facts;

/// Inputs of a piece with their values at `sample` [PKM_SAMPLES]; matrices are by rows.
pkm_node pkm_code_input(const pkm_code_instant* sample, pkm_graph* graph, int array, int k);
pkm_sym_vec3 pkm_code_input_vec3(const pkm_code_instant* sample, pkm_graph* graph, int array,
                                 int at);
pkm_sym_mat3 pkm_code_input_axes(const pkm_code_instant* sample, pkm_graph* graph);
/// Print a piece as a function, and count its operations.
PKM_NODISCARD pkm_status pkm_code_program_print(const pkm_code_program* program,
                                                const pkm_code_facts* facts, pkm_stream* to,
                                                pkm_graph_count* count, pkm_error* err);
void pkm_code_program_free(pkm_code_program* program);

PKM_NODISCARD pkm_status pkm_code_piece_build(const pkm_code* code, pkm_code_piece piece,
                                              pkm_code_program* out, pkm_error* err);

/// The straight-line pieces of a closed form. Beside their results they give `ok`, numbers that
/// must be large enough.
typedef enum pkm_code_form {
    PKM_FORM_IK,      ///< drives from the tool's pose
    PKM_FORM_FK,      ///< the tool's pose from the drives
    PKM_FORM_PASS,    ///< where there is no such: a pass of Newton's method towards it
    PKM_FORM_INVERSE, ///< drives, rates, accelerations and forces from the tool's motion
    PKM_FORM_INVERSE_DRIVES,
    PKM_FORM_FORWARD,
    PKM_FORM_JACOBIAN,
    PKM_N_FORM,
} pkm_code_form;

PKM_NODISCARD pkm_status pkm_code_form_build(const pkm_code* code, pkm_code_form piece,
                                             pkm_code_program* out, pkm_error* err);
/// Write the function of a piece, and its conditions, NAME_least; count its operations. `n_ok`
/// receives how many conditions there are.
PKM_NODISCARD pkm_status pkm_code_form_write(const pkm_code* code, pkm_code_form piece,
                                             pkm_stream* to, pkm_graph_count* count, int* n_ok,
                                             pkm_error* err);
/// The name of its function.
const char* pkm_code_form_name(pkm_code_form piece);
/// Has the robot's family direct geometry in closed form?
bool pkm_code_form_has_fk(const pkm_code* code);
/// PREFIX.c by the closed form.
PKM_NODISCARD pkm_status pkm_code_write_closed(const pkm_code* code, const char* folder,
                                               pkm_error* err);
/// Does the closed form meet the engine at the vectors? @return PKM_ERR_MODEL.
PKM_NODISCARD pkm_status pkm_code_form_check(const pkm_code* code, pkm_error* err);

/// Write the function of a piece, and count its operations.
PKM_NODISCARD pkm_status pkm_code_piece_write(const pkm_code* code, pkm_code_piece piece,
                                              pkm_stream* to, pkm_graph_count* count,
                                              pkm_error* err);

/// The functions predict and keep, which lead the state along a path.
void pkm_code_write_follow(const pkm_code* code, pkm_stream* to);
/// Add the operations of one call of both.
void pkm_code_count_follow(const pkm_code* code, pkm_graph_count* count);
/// The function solve_BY: the coordinates for what is `given` (names of the `arguments`).
void pkm_code_write_solve(const pkm_code* code, pkm_stream* to, const char* by,
                          const char* arguments, const char* given);

/// Samples and test vectors from the engine.
PKM_NODISCARD pkm_status pkm_code_sample(pkm_code* code, pkm_error* err);

PKM_NODISCARD pkm_status pkm_code_write_header(const pkm_code* code, const char* folder,
                                               pkm_error* err);
PKM_NODISCARD pkm_status pkm_code_write_test(const pkm_code* code, const char* folder,
                                             pkm_error* err);
/// The derivation as PREFIX.tex; blocks for Simulink as PREFIX_torque.c and PREFIX_plant.c.
PKM_NODISCARD pkm_status pkm_code_write_latex(const pkm_code* code, const char* folder,
                                              pkm_error* err);
PKM_NODISCARD pkm_status pkm_code_write_sfunctions(const pkm_code* code, const char* folder,
                                                   pkm_error* err);
PKM_NODISCARD pkm_status pkm_code_open(const pkm_code* code, const char* folder, const char* end,
                                       pkm_stream** out, pkm_error* err);

static inline bool pkm_code_wants(const pkm_code* code, unsigned what)
{
    return (code->settings.what & what) != 0;
}

#endif
