/// Inside of the code writer: samples, blocks, files.
#ifndef PKM_GENERATE_CODE_IMPL_H
#define PKM_GENERATE_CODE_IMPL_H

#include "generate/code.h"
#include "generate/elimination.h"
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

typedef struct pkm_code {
    pkm_robot* robot; ///< a twin
    const pkm_mechanism* mech;
    pkm_code_settings settings;
    pkm_code_report* report;
    bool has_tool;
    pkm_code_instant sample[PKM_SAMPLES];
    pkm_code_instant vector[PKM_CODE_VECTORS];
    double* memory;
    double reach_home; ///< largest motion of the tool per rate of the drives, at home
    char prefix[64];
    char title[96]; ///< the robot's name, fit for comments
} pkm_code;

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

/// A piece as a graph with its outputs.
typedef struct pkm_code_program {
    pkm_graph graph;
    pkm_graph_output* output;
    int n_output;
} pkm_code_program;

PKM_NODISCARD pkm_status pkm_code_piece_build(const pkm_code* code, pkm_code_piece piece,
                                              pkm_code_program* out, pkm_error* err);
void pkm_code_program_free(pkm_code_program* program);

/// A twin of the robot with samples; what the code could not say is refused.
PKM_NODISCARD pkm_status pkm_code_begin(pkm_robot* robot, const pkm_code_settings* settings,
                                        pkm_code* out, pkm_error* err);
void pkm_code_end(pkm_code* code);

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
