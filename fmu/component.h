/// One instance of the FMU, whatever the version of the interface: a robot, its run, a simulation,
/// and the values of its variables. Every call checks its arguments and whether it is allowed now;
/// a sentence on what is wrong goes to the log.
#ifndef PKM_FMU_COMPONENT_H
#define PKM_FMU_COMPONENT_H

#include "export/seed.h"
#include "pkm/simulation.h"

/// Where the instance is in its life; one bit each, so that calls can say where they are allowed.
typedef enum component_phase {
    AT_START = 1,     ///< instantiated, or reset
    INITIALISING = 2, ///< the robot is assembled
    STEPPING = 4,     ///< co-simulation
    AT_EVENT = 8,     ///< model exchange, between stretches of time
    CONTINUOUS = 16,  ///< model exchange, while somebody integrates
    ENDED = 32,       ///< terminated
    FAILED = 64,      ///< cannot go on; only resets and states of before help
} component_phase;

/// How bad it is, in the numbers of both versions.
typedef enum component_status {
    COMPONENT_OK,
    COMPONENT_WARNING,
    COMPONENT_DISCARD,
    COMPONENT_ERROR,
    COMPONENT_FATAL
} component_status;

typedef void (*component_log)(void* user, const char* instance, component_status status,
                              const char* category, const char* text);

typedef struct component {
    char* name;
    component_log log;
    void* user;         ///< of the log
    void* interface;    ///< what the version of the interface keeps; owned
    bool is_talkative;  ///< all categories are logged; errors always are
    bool is_exchange;   ///< model exchange, not co-simulation
    bool may_end_early; ///< steps end at events
    component_phase phase;

    pkm_robot* robot;
    pkm_run* run;
    pkm_simulation* sim; ///< NULL before initialisation
    int n_parameter, n_drive, n_column;
    double* parameter; ///< [n_parameter] SI
    bool* is_set;      ///< [n_parameter] by the importer
    double force[PKM_MAX_DRIVE];
    double position[PKM_MAX_DRIVE], velocity[PKM_MAX_DRIVE], acceleration[PKM_MAX_DRIVE];
    unsigned references; ///< bit d: that of drive d is an input, its controller has no motion
    double wrench[6];
    int n_signal;
    double* signal;     ///< [n_signal] inputs that the run file names
    bool is_changed;    ///< inputs were set that the simulation has not seen
    bool is_stale;      ///< parameters were set that the robot has not seen
    double* row;        ///< [n_column] outputs
    bool has_row;       ///< they are those of now
    double start, stop; ///< of the experiment [s]; stop NaN: not told
    double time;        ///< [s]
    int n_state;        ///< of model exchange, else 0
    double *x, *rate;   ///< [n_state] of model exchange: states, and their rates where has_rate
    bool has_rate, is_moved; ///< is_moved: the simulation has not seen x
} component;

/// What both versions hand over when an instance is made.
typedef struct component_spec {
    const char* name;
    const char* token; ///< guid, instantiation token
    component_log log;
    void* user;
    void* interface;
    bool is_talkative, is_exchange, may_end_early;
} component_spec;

/// NULL, with a log message: another token, no memory, a robot that cannot be assembled. Frees
/// nothing of `spec`.
component* component_create(const component_spec* spec);
void component_free(component* c);

/// Tell the log; returns `status`.
component_status component_say(const component* c, component_status status, const char* category,
                               const char* format, ...) PKM_PRINTF(4, 5);
/// Is `c` one, and in one of these phases? If not, ERROR, and the log knows which call it was.
component_status component_require(const component* c, unsigned phases, const char* call);

component_status component_setup(component* c, double start, double stop);
component_status component_enter_initialisation(component* c);
component_status component_exit_initialisation(component* c);
component_status component_reset(component* c);
/// A step of `dt` from `t`; `reached` is where it ended.
component_status component_step(component* c, double t, double dt, double* reached);

component_status component_get(component* c, unsigned reference, double* value);
component_status component_set(component* c, unsigned reference, double value);
component_status component_get_warnings(component* c, unsigned reference, int* count);

// ---- model exchange ---------------------------------------------------------------------------
// DISCARD: not at these states; a shorter step may lead on.

component_status component_set_time(component* c, double t);
component_status component_set_states(component* c, const double* x, size_t n);
component_status component_get_states(component* c, double* x, size_t n);
component_status component_get_nominals(component* c, double* out, size_t n);
component_status component_get_rates(component* c, double* out, size_t n);
component_status component_get_indicator(component* c, double* out);
/// The integrator has accepted its step.
component_status component_accept(component* c);
/// Take up what changes; `changed`: the states are others; `next`: time of the next event,
/// infinite.
component_status component_pass_event(component* c, bool* changed, double* next);

/// What changes as bytes: freed with component_free_state.
typedef struct component_state component_state;
component_status component_save(component* c, component_state** state);
component_status component_restore(component* c, const component_state* state);
void component_free_state(component_state* state);
size_t component_state_size(const component_state* state);
void component_state_write(const component_state* state, void* bytes);
component_status component_state_read(component* c, const void* bytes, size_t size,
                                      component_state** state);

/// How unknowns change with knowns in the direction `seed`.
component_status component_derivative(component* c, const unsigned* unknown, size_t n_unknown,
                                      const unsigned* known, size_t n_known, const double* seed,
                                      double* out);

#endif
