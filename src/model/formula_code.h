/// Inside of model/formula.h: the instructions of a formula and the compiler that writes them.
#ifndef PKM_MODEL_FORMULA_CODE_H
#define PKM_MODEL_FORMULA_CODE_H

#include "model/formula.h"
#include "model/quantity.h"

enum {
    PKM_FORMULA_STACK = 64, ///< numbers waiting at one time
    PKM_FORMULA_CODE = 512, ///< instructions
};

typedef enum pkm_operation {
    PKM_OP_PUSH,
    PKM_OP_TIME,
    PKM_OP_GIVEN, ///< a number given at every evaluation
    PKM_OP_ADD,
    PKM_OP_SUBTRACT,
    PKM_OP_MULTIPLY,
    PKM_OP_DIVIDE,
    PKM_OP_POWER,
    PKM_OP_NEGATE,
    PKM_OP_CALL, ///< a function of one number or of two
    PKM_OP_STEP, ///< of five
} pkm_operation;

/// One instruction of a stack machine.
typedef struct pkm_instruction {
    pkm_operation op;
    union {
        double value;                 ///< PKM_OP_PUSH
        int index;                    ///< PKM_OP_GIVEN
        const pkm_function* function; ///< PKM_OP_CALL
    } with;
} pkm_instruction;

struct pkm_formula {
    int n, n_break;
    double* at; ///< [n_break] ascending: pkm_formula_find_breaks
    pkm_instruction code[];
};

/// How many numbers the instruction takes from the stack; it leaves one in their place.
int pkm_formula_taken(const pkm_instruction* i);
/// What it makes of the numbers `a` that it takes.
double pkm_formula_number(const pkm_instruction* i, const double* a, double t, const double* given);

/// h0 below x0, h1 above x1, a cubic between.
double pkm_formula_step(double x, double x0, double h0, double x1, double h1);

/// Write the instructions of `text` to `code` [PKM_FORMULA_CODE]. `columns` NULL: there are none.
/// `value` has the dimension, and the value where there is one instruction, PKM_OP_PUSH.
PKM_NODISCARD pkm_status pkm_formula_compile(const char* text, pkm_lookup lookup, void* user,
                                             const pkm_formula_columns* columns,
                                             pkm_instruction* code, int* n, pkm_quantity* value,
                                             pkm_fault* fault);

#endif
