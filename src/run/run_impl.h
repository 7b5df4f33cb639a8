/// The readers of the parts of a run, see run.c.
#ifndef PKM_RUN_RUN_IMPL_H
#define PKM_RUN_RUN_IMPL_H

#include "run/reader.h"

// Readers of sections (pkm_key_read); `to` is not used, they write to the run.

/// `friction: {PATTERN: {static: 0.11, ...}}`.
pkm_status pkm_run_read_friction(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_section pkm_friction_section, pkm_friction_law_section;
/// `clearance: {PATTERN: {radial: 0.1 mm, ...}}`.
pkm_status pkm_run_read_clearance(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_section pkm_clearance_section;
/// `drives: MODE`, `drives: {PATTERN: MODE}`.
pkm_status pkm_run_read_drives(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_key pkm_drive_forms[];
/// Of a drive, read to pkm_motor.
extern const pkm_section pkm_motor_section, pkm_screw_section, pkm_belt_section;
/// `model: {PARAMETER: value}`, what controllers know.
pkm_status pkm_run_read_model(pkm_reader* r, const pkm_yaml* node, void* to);
/// `loads: {NAME: {force: ..., at: ...}}`.
pkm_status pkm_run_read_loads(pkm_reader* r, const pkm_yaml* node, void* to);
bool pkm_load_form(int i, pkm_key_form* out);
/// `payload: {NAME: {mass: ..., at: ...}}`.
pkm_status pkm_run_read_payloads(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_section pkm_payload_section;
/// `flexible: {PATTERN: {elements: 8, ...}}`, by names of bodies.
pkm_status pkm_run_read_flexible(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_section pkm_flexible_section;
/// `columns: [PATTERN, {NAME: =FORMULA}]`, or one of these.
pkm_status pkm_run_read_columns(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_key pkm_column_forms[];
/// `hold: locked`, `free`, `{stiffness: ...}` or `{PATTERN: ...}` of drives.
pkm_status pkm_run_read_hold(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_key pkm_hold_forms[];

/// A key of a task, see asked.h; others are passed over.
PKM_NODISCARD pkm_status pkm_run_read_task(pkm_run_reader* rr, const char* key,
                                           const pkm_yaml* node);
/// Remember a choice that was taken.
PKM_NODISCARD pkm_status pkm_run_note_layer(pkm_run* run, const pkm_run_layer* layer,
                                            pkm_error* err);

/// A number over time: a number, an expression of t, or samples of a file.
PKM_NODISCARD pkm_status pkm_run_read_signal(pkm_run_reader* rr, const pkm_yaml* node,
                                             pkm_dimension want, pkm_signal* out);
extern const pkm_key pkm_signal_forms[], pkm_signals_forms[];
/// Three of them: `[x, y, z]`, or a file with four columns.
PKM_NODISCARD pkm_status pkm_run_read_signals(pkm_run_reader* rr, const pkm_yaml* node,
                                              pkm_dimension want, pkm_signal out[3]);

/// Does the pattern mean this name? One without a dot may also mean the part behind the limb's
/// name: `left*` means A.left1.
bool pkm_run_means(const char* pattern, const char* name);

/// Does the key of `node` mean this joint: its name, a pattern of it, or its type?
bool pkm_run_means_joint(const pkm_yaml* node, const pkm_joint* joint);
/// Names that the key of an item can mean, every `stride` bytes.
typedef struct pkm_run_choice_names {
    const char* what; ///< "joint"
    const char* const* first;
    int n;
    size_t stride;
} pkm_run_choice_names;
pkm_run_choice_names pkm_run_joints(const pkm_run_reader* rr);
pkm_run_choice_names pkm_run_drives(const pkm_run_reader* rr);
/// Fail since the key of `node` means none of them: with the name that was meant, else with all.
PKM_NODISCARD pkm_status pkm_run_no_name(const pkm_run_reader* rr, const pkm_yaml* node,
                                         pkm_run_choice_names names);

typedef pkm_status (*pkm_run_item)(pkm_run_reader* rr, const pkm_yaml* node);
/// Read every item of a map whose keys are names or patterns.
PKM_NODISCARD pkm_status pkm_run_each(pkm_reader* r, const pkm_yaml* node, pkm_run_item read);

/// Pass on what the check of a force element or motor said, without the item's name before it.
PKM_NODISCARD pkm_status pkm_run_report(const pkm_reader* r, const pkm_yaml* node,
                                        pkm_status status, const pkm_error* inner);
/// Room for one more item behind the `n` of `*list`, zeroed; in the run's arena.
PKM_NODISCARD pkm_status pkm_run_grow(const pkm_run_reader* rr, void** list, int n, size_t size);

/// Payloads come and go when the motion says so.
/// @return PKM_ERR_ARGUMENT: it names one that nobody describes.
PKM_NODISCARD pkm_status pkm_run_take_cycle(pkm_run* run, pkm_error* err);

/// Flexible links bear torques at the markers that elements of the run touch: tell them which.
PKM_NODISCARD pkm_status pkm_run_note_markers(pkm_run* run, pkm_error* err);

/// Choose the integrator by the problem; run->chosen says why when it is not the explicit one.
void pkm_run_choose_integrator(pkm_run* run);

#endif
