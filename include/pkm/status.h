/// How a call ended, and in words why.
#ifndef PKM_STATUS_H
#define PKM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PKM_API                 __attribute__((visibility("default")))
#define PKM_NODISCARD           __attribute__((warn_unused_result))
#define PKM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PKM_API
#define PKM_NODISCARD
#define PKM_PRINTF(text, first)
#endif

/// Every status: name, exit code of the program, meaning. The one list behind the enum, the texts
/// and the table in docs/reference/status-codes.md.
#define PKM_STATUS_LIST(X)                                                                         \
    X(PKM_OK, 0, "fine")                                                                           \
    X(PKM_RETRY, 3, "not possible at this trial state")                                            \
    X(PKM_ERR_MEMORY, 1, "out of memory")                                                          \
    X(PKM_ERR_ARGUMENT, 2, "an argument or option is out of range")                                \
    X(PKM_ERR_FILE, 2, "a file cannot be read or written")                                         \
    X(PKM_ERR_SYNTAX, 2, "a file is not well formed")                                              \
    X(PKM_ERR_MODEL, 2, "a model is well formed but wrong")                                        \
    X(PKM_ERR_ASSEMBLY, 2, "the loops of a robot cannot be closed")                                \
    X(PKM_ERR_UNREACHABLE, 3, "a pose is out of reach")                                            \
    X(PKM_ERR_SINGULAR, 3, "a singular configuration")                                             \
    X(PKM_ERR_CONVERGENCE, 3, "an iteration did not converge")                                     \
    X(PKM_ERR_UNDETERMINED, 3, "what is given does not determine the answer")                      \
    X(PKM_ERR_NUMBERS, 3, "a result is not a finite number")                                       \
    X(PKM_ERR_CASES, 4, "cases of a study failed")                                                 \
    X(PKM_ERR_BUDGET, 5, "the budget of steps or time is used up")                                 \
    X(PKM_ERR_INTERRUPTED, 130, "stopped by the user")

typedef enum pkm_status {
#define PKM_STATUS_ENUM(name, code, text) name,
    PKM_STATUS_LIST(PKM_STATUS_ENUM)
#undef PKM_STATUS_ENUM
} pkm_status;

/// What went wrong, where. `line` and `column` count from 1; 0 means "no place in a file".
typedef struct pkm_error {
    pkm_status status;
    int line, column;
    char file[256];
    char text[768]; ///< one sentence naming item, value and what was expected
} pkm_error;

/// The meaning of `status`, for example "out of memory".
PKM_API const char* pkm_status_text(pkm_status status);

/// The exit code the program gives for `status`: 0 answered, 1 out of memory, 2 bad input, 3 no
/// answer, 4 a study with failed cases, 5 budget used up. A program that a signal has stopped ends
/// with 128 and its number: 130 (Ctrl-C), 129, 143.
PKM_API int pkm_status_exit_code(pkm_status status);

#ifdef __cplusplus
}
#endif
#endif
