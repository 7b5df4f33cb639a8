/// What the readers of the parts of a model share: messages with the item's path, keys, numbers,
/// vectors, names.
#ifndef PKM_MODEL_READER_H
#define PKM_MODEL_READER_H

#include "model/description.h"
#include "model/name_index.h"
#include "model/scope.h"
#include "model/yaml.h"

/// One copy of a limb: its name, where it is placed, and the parameters as it sees them.
typedef struct pkm_copy {
    const char* name;
    pkm_pose placement;
    pkm_scope* scope;
} pkm_copy;

typedef struct pkm_limb {
    const pkm_yaml* node;
    int n_copy;
    pkm_copy* copy;
} pkm_limb;

/// What has names that others refer to.
typedef enum pkm_named {
    PKM_NAMED_MARKER,
    PKM_NAMED_JOINT,
    PKM_NAMED_DRIVE,
    PKM_NAMED_BODY,
    PKM_N_NAMED,
} pkm_named;

/// A model being read.
typedef struct pkm_reader {
    pkm_description* desc;
    pkm_arena* scratch; ///< gone after reading: the YAML tree, the scopes
    const pkm_yaml* root;
    pkm_error* err;
    pkm_scope* scope;     ///< of the whole file
    const pkm_copy* copy; ///< the copy being read, or NULL outside of limbs
    int n_limb;
    pkm_limb* limb;
    int n_own;             ///< copies with parameters of their own
    int next_body;         ///< whose details are read next
    int body;              ///< whose points keys of points mean
    pkm_name_index* index; ///< [PKM_N_NAMED] of the names in `desc`, made when they are asked for
    bool turns;            ///< what is read belongs to a drive or joint that turns, see model/key.h
} pkm_reader;

/// Fail at a node: the message is its path (`bodies.crank.mass`) and the sentence.
pkm_status pkm_reader_fail(const pkm_reader* r, const pkm_yaml* node, const char* format, ...)
    PKM_PRINTF(3, 4);
/// The same, at the key of the node: for what is missing or unknown.
pkm_status pkm_reader_fail_key(const pkm_reader* r, const pkm_yaml* node, const char* format, ...)
    PKM_PRINTF(3, 4);
/// The same at the place inside an expression that `fault` tells of.
pkm_status pkm_reader_fail_inside(const pkm_reader* r, const pkm_yaml* node,
                                  const pkm_fault* fault);
/// Warn of what is read but is probably not meant, with line, column and path.
void pkm_reader_warn(const pkm_reader* r, const pkm_yaml* node, const char* kind,
                     const char* format, ...) PKM_PRINTF(4, 5);
pkm_status pkm_reader_fail_memory(const pkm_reader* r);

/// Check that a node is a map with known keys only. `keys` ends with NULL; a key that starts with
/// `!` must be there.
PKM_NODISCARD pkm_status pkm_reader_keys(const pkm_reader* r, const pkm_yaml* node,
                                         const char* const* keys);
/// Fail since the key of `child` is none of `keys`.
PKM_NODISCARD pkm_status pkm_reader_unknown_key(const pkm_reader* r, const pkm_yaml* child,
                                                const char* const* keys);
/// Check that a node is a map, with whatever keys.
PKM_NODISCARD pkm_status pkm_reader_keys_any(const pkm_reader* r, const pkm_yaml* node);
/// Check that a node (NULL is fine) is a map with names of our choice as keys.
PKM_NODISCARD pkm_status pkm_reader_named_map(const pkm_reader* r, const pkm_yaml* node);
/// Check that a node is a list of `least` to `most` items.
PKM_NODISCARD pkm_status pkm_reader_list(const pkm_reader* r, const pkm_yaml* node, int least,
                                         int most);

/// Read a motion that stands elsewhere than in the model file and add it to those of `to`, which
/// `r` has a view of.
PKM_NODISCARD pkm_status pkm_motion_add(pkm_reader* r, const pkm_yaml* node, const char* name,
                                        pkm_description* to);

/// Zeroed memory that lives with the description.
PKM_NODISCARD pkm_status pkm_reader_alloc(const pkm_reader* r, int count, size_t size, void** out);
/// A copy of `text` that lives with the description.
PKM_NODISCARD pkm_status pkm_reader_keep(const pkm_reader* r, const char* text, const char** out);
/// The text of a scalar that is not empty, kept.
PKM_NODISCARD pkm_status pkm_reader_text(const pkm_reader* r, const pkm_yaml* node,
                                         const char** out);
/// One of several words, which ends with NULL; `*out` is its index.
PKM_NODISCARD pkm_status pkm_reader_word(const pkm_reader* r, const pkm_yaml* node,
                                         const char* const* words, int* out);

/// What a number must be beside finite.
typedef enum pkm_range {
    PKM_RANGE_ANY,
    PKM_RANGE_NOT_NEGATIVE,
    PKM_RANGE_POSITIVE,
} pkm_range;

/// The value [SI] of a number, with its dimension; `want` NULL takes every dimension.
PKM_NODISCARD pkm_status pkm_reader_quantity(const pkm_reader* r, const pkm_yaml* node,
                                             const pkm_dimension* want, pkm_range range,
                                             pkm_quantity* out);
PKM_NODISCARD pkm_status pkm_reader_number(const pkm_reader* r, const pkm_yaml* node,
                                           pkm_dimension want, pkm_range range, double* out);
/// A list `[lo, hi]` with lo < hi; `out` stays as it is when `node` is NULL.
PKM_NODISCARD pkm_status pkm_reader_interval(const pkm_reader* r, const pkm_yaml* node,
                                             pkm_dimension want, double out[2]);
/// How a number was written, with its value where that is not obvious: `=l1/2 (0.25 m)`.
typedef struct pkm_shown {
    char text[128];
} pkm_shown;

/// A list `[x, y, z]`.
PKM_NODISCARD pkm_status pkm_reader_vector(const pkm_reader* r, const pkm_yaml* node,
                                           pkm_dimension want, pkm_vec3* out);
/// A unit vector: `x`, `-y`, `z` or a list of three numbers that is not null.
PKM_NODISCARD pkm_status pkm_reader_axis(const pkm_reader* r, const pkm_yaml* node, pkm_vec3* out);
/// `y`, `[0, 1, 0]`, or `[on a, on b]` with one of these for each side of a joint.
PKM_NODISCARD pkm_status pkm_reader_axes(const pkm_reader* r, const pkm_yaml* node,
                                         pkm_vec3 out[2]);
/// A joint's type by its name; other names of the same joint are answered with ours.
PKM_NODISCARD pkm_status pkm_reader_joint_type(const pkm_reader* r, const pkm_yaml* node,
                                               pkm_joint_type* out);

/// The full name of something called `short_name` in the present copy: `{}` becomes the copy's
/// name, and a name without `{}` gets it as a prefix when `is_prefixed`.
PKM_NODISCARD pkm_status pkm_reader_name(const pkm_reader* r, const pkm_yaml* node,
                                         const char* short_name, bool is_prefixed,
                                         char out[PKM_MAX_NAME]);

/// Find what `node` refers to, first in the present copy, then outside. Unknown names fail with a
/// "did you mean".
PKM_NODISCARD pkm_status pkm_reader_find_marker(const pkm_reader* r, const pkm_yaml* node,
                                                int* out);
PKM_NODISCARD pkm_status pkm_reader_find_joint(const pkm_reader* r, const pkm_yaml* node, int* out);
PKM_NODISCARD pkm_status pkm_reader_find_drive(const pkm_reader* r, const pkm_yaml* node,
                                               const char* name, int* out);
PKM_NODISCARD pkm_status pkm_reader_find_body(const pkm_reader* r, const pkm_yaml* node,
                                              const char* name, int* out);
/// The material that `node` names.
PKM_NODISCARD pkm_status pkm_reader_find_material(const pkm_reader* r, const pkm_yaml* node,
                                                  int* out);
/// The first that has exactly this name; PKM_NONE: there is none.
PKM_NODISCARD pkm_status pkm_reader_find_exact(const pkm_reader* r, pkm_named what,
                                               const char* name, int* out);
/// A point of the body `body`: its name, or coordinates in body axes [m].
PKM_NODISCARD pkm_status pkm_reader_body_point(const pkm_reader* r, const pkm_yaml* node, int body,
                                               pkm_vec3* out);

// ---- files of numbers ---------------------------------------------------------------------------

/// The columns of a file of samples, separated by commas, semicolons or blanks; a first line that
/// is no numbers is a heading and `#` starts a comment. All rows have equally many numbers. The
/// first is the time; the others are what one of `units` measures. A heading may say other units of
/// the same, `x [mm]`.
///
/// `out` is column-major [n_row x n_column] in SI, allocated in `arena`.
PKM_NODISCARD pkm_status pkm_samples_read(const char* path, const char* const units[2],
                                          pkm_arena* arena, double** out, int* n_row, int* n_column,
                                          pkm_error* err);

#endif
