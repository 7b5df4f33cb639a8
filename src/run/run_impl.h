/// The readers of the parts of a run, see run.c.
#ifndef PKM_RUN_RUN_IMPL_H
#define PKM_RUN_RUN_IMPL_H

#include "run/reader.h"

/// `friction: {PATTERN: {static: 0.11, ...}}`.
PKM_NODISCARD pkm_status pkm_run_read_friction(pkm_run_reader* rr, const pkm_yaml* node);
/// The law of friction among the keys of a map: law, static, dynamic, ...
PKM_NODISCARD pkm_status pkm_run_read_friction_law(const pkm_run_reader* rr, const pkm_yaml* node,
                                                   pkm_friction_law* out);
/// `clearance: {PATTERN: {radial: 0.1 mm, ...}}`.
PKM_NODISCARD pkm_status pkm_run_read_clearance(pkm_run_reader* rr, const pkm_yaml* node);
/// `drives: MODE`, `drives: {PATTERN: MODE}`.
PKM_NODISCARD pkm_status pkm_run_read_drives(pkm_run_reader* rr, const pkm_yaml* node);
/// `model: {PARAMETER: value}`, what controllers know.
PKM_NODISCARD pkm_status pkm_run_read_model(pkm_run_reader* rr, const pkm_yaml* node);
/// `loads: {NAME: {force: ..., at: ...}}`.
PKM_NODISCARD pkm_status pkm_run_read_loads(pkm_run_reader* rr, const pkm_yaml* node);
/// `payload: {NAME: {mass: ..., at: ...}}`.
PKM_NODISCARD pkm_status pkm_run_read_payloads(pkm_run_reader* rr, const pkm_yaml* node);

/// `flexible: {PATTERN: {elements: 8, ...}}`, by names of bodies.
PKM_NODISCARD pkm_status pkm_run_read_flexible(pkm_run_reader* rr, const pkm_yaml* node);

/// `hold: locked`, `free`, `{stiffness: ...}` or `{PATTERN: ...}` of drives.
PKM_NODISCARD pkm_status pkm_run_read_hold(pkm_run_reader* rr, const pkm_yaml* node);

/// A key of a task, see asked.h; others are passed over.
PKM_NODISCARD pkm_status pkm_run_read_task(pkm_run_reader* rr, const char* key,
                                           const pkm_yaml* node);
/// Remember a choice that was taken.
PKM_NODISCARD pkm_status pkm_run_note_layer(pkm_run* run, const pkm_run_layer* layer,
                                            pkm_error* err);

/// A number over time: a number, an expression of t, or samples of a file.
PKM_NODISCARD pkm_status pkm_run_read_signal(pkm_run_reader* rr, const pkm_yaml* node,
                                             pkm_dimension want, pkm_signal* out);
/// Three of them: `[x, y, z]`, or a file with four columns.
PKM_NODISCARD pkm_status pkm_run_read_signals(pkm_run_reader* rr, const pkm_yaml* node,
                                              pkm_dimension want, pkm_signal out[3]);

/// Does the pattern mean this name? One without a dot may also mean the part behind the limb's
/// name: `left*` means A.left1.
bool pkm_run_means(const char* pattern, const char* name);

/// Does the key of `node` mean this joint: its name, a pattern of it, or its type?
bool pkm_run_means_joint(const pkm_yaml* node, const pkm_joint* joint);
/// Fail since the key of `node` means no joint of the robot.
PKM_NODISCARD pkm_status pkm_run_no_joint(const pkm_run_reader* rr, const pkm_yaml* node);

/// A number with its key, dimension, range, and where it goes; `key` NULL ends a list.
typedef struct pkm_run_number {
    const char* key;
    pkm_dimension dimension;
    pkm_range range;
    double* to;
} pkm_run_number;

/// Read those numbers of a map that are there.
PKM_NODISCARD pkm_status pkm_run_read_numbers(const pkm_run_reader* rr, const pkm_yaml* node,
                                              const pkm_run_number* number);
/// Room for one more item behind the `n` of `*list`, zeroed; in the run's arena.
PKM_NODISCARD pkm_status pkm_run_grow(const pkm_run_reader* rr, void** list, int n, size_t size);

/// Choose the integrator by the problem; run->chosen says why when it is not the explicit one.
void pkm_run_choose_integrator(pkm_run* run);

#endif
