/// The keys of a map in a YAML file as a table: the reader, the JSON Schema (write/schema.h) and
/// the reference page come from it. A key is one row; nobody names it elsewhere.
///
///     static const pkm_key keys[] = {
///         {"radius", "of ball or pin", PKM_KEY_NUMBER, AT(radius), &pkm_dim_length,
///         PKM_RANGE_POSITIVE},
///         {"law", "of the contact", PKM_KEY_WORD, AT(kind), .words = laws},
///         {.name = NULL}};
///     static const pkm_section section = {"clearance", "clearance in a joint", keys};
#ifndef PKM_MODEL_KEY_H
#define PKM_MODEL_KEY_H

#include "model/reader.h"

typedef struct pkm_key pkm_key;
typedef struct pkm_section pkm_section;

/// What a key's value is, and what it is stored as.
typedef enum pkm_key_kind {
    PKM_KEY_OWN,        ///< has a `read`; `either` lists what may stand there
    PKM_KEY_NUMBER,     ///< double
    PKM_KEY_COUNT,      ///< int from `least` to `most`
    PKM_KEY_WORD,       ///< int (an enum): which of `words`
    PKM_KEY_FLAG,       ///< bool; `is_not`: the opposite is stored
    PKM_KEY_TEXT,       ///< const char*, kept; the schema takes numbers, too
    PKM_KEY_REMARK,     ///< a text that is not stored
    PKM_KEY_NOTHING,    ///< an empty value; not stored
    PKM_KEY_VECTOR,     ///< pkm_vec3
    PKM_KEY_AXIS,       ///< pkm_vec3, unit: x, -y, ... or a vector
    PKM_KEY_AXES,       ///< pkm_vec3[2]: an axis for both sides of a joint, or [on a, on b]
    PKM_KEY_INTERVAL,   ///< double[2]: [low, high]
    PKM_KEY_NUMBERS,    ///< double[]: a list of `n_least` to `n_most`
    PKM_KEY_SIX,        ///< double[6]: along and about x, y, z
    PKM_KEY_MARKER,     ///< int: the point or frame BODY.POINT
    PKM_KEY_JOINT,      ///< int
    PKM_KEY_JOINT_TYPE, ///< pkm_joint_type
    PKM_KEY_COORDINATE, ///< one that a drive can move; has a `read`, or is read with its joint
    PKM_KEY_VERSION,    ///< 1, of the format; not stored
    PKM_KEY_PARAMETERS, ///< names with numbers; read elsewhere
    PKM_KEY_MAP,        ///< its `section`
    PKM_KEY_LIST,       ///< of `n_least` to `n_most`, each one of `either`; has a `read`
    PKM_KEY_EACH,       ///< names or patterns, for each one of `either`; has a `read`
    PKM_KEY_INCLUDE,    ///< no key: the keys of `section` stand here, too
} pkm_key_kind;

/// Read a value to where the key says. The model's reader is the head of those of runs and studies.
typedef pkm_status (*pkm_key_read)(pkm_reader* r, const pkm_yaml* node, void* to);

/// Room for a section that is made when it is asked for.
typedef struct pkm_key_form pkm_key_form;

struct pkm_key {
    const char* name;
    const char* sentence; ///< of the reference page; NULL: that of the next key stands for both
    pkm_key_kind kind;
    size_t at;                      ///< where the value goes, from the start of what is read
    const pkm_dimension* dimension; ///< NULL: none
    pkm_range range;
    double least, most; ///< further bounds; both 0: none
    int n_least, n_most;
    const char* const* words; ///< end with NULL
    bool must;                ///< has to be there
    bool turns;     ///< `dimension` is for what slides: forces become torques where it turns
    bool is_not;    ///< the flag stores the opposite
    bool is_name;   ///< PKM_KEY_EACH: names of our choice, not patterns
    bool is_unique; ///< PKM_KEY_LIST: nothing stands there twice; its `read` sees to it
    size_t given;   ///< where a bool says that it was there; 0: nowhere
    pkm_key_read read;
    const pkm_section* section;
    const pkm_key* either; ///< end with the kind PKM_KEY_OWN
    /// The i-th further form of what may stand there, made in `out`; false: there are no more.
    bool (*form)(int i, pkm_key_form* out);
    const char* adams;   ///< its name in the FRICTION statement
    unsigned analyses;   ///< bits of those that take it; 0: all
    const char* pattern; ///< PKM_KEY_TEXT: what the schema expects it to be, a regular expression
    unsigned joints;     ///< facts of a joint's type (PKM_JOINT_HAS_...) without which it is no key
    unsigned joints_need; ///< facts with which it has to be there; PKM_KEY_AXES: as a pair
};

/// What holds between keys.
typedef enum pkm_rule_kind {
    PKM_RULE_SOME = 1, ///< at least one is there
    PKM_RULE_ONE,      ///< exactly one
    PKM_RULE_AT_MOST,  ///< one or none
    PKM_RULE_NEEDS,    ///< the first needs the second
    PKM_RULE_SETS,     ///< all of one of the sets `a b | c d`; the reason is the message
    PKM_RULE_ALONE,    ///< beside the first the others do not stand
} pkm_rule_kind;

typedef struct pkm_key_rule {
    pkm_rule_kind kind; ///< 0 ends a list
    const char* keys;   ///< with blanks between them
    const char* reason; ///< of the message, or behind it
} pkm_key_rule;

enum { PKM_MAX_KEY_WORD = 48 };

/// The next word of such a list of keys, behind which `text` then stands; false: there is none.
bool pkm_key_next_word(const char** text, char out[PKM_MAX_KEY_WORD]);

struct pkm_section {
    const char* name;
    const char* sentence;
    const pkm_key* key;       ///< ends with name NULL and no section
    const pkm_key_rule* rule; ///< NULL: none
    pkm_key_read begin;       ///< called before keys are read: defaults; NULL: they are there
    pkm_key_read check;       ///< called when all keys are read; NULL: nothing is left to check
    const pkm_key* other;     ///< beside them: names of one's own, with such a value; NULL: none
};

struct pkm_key_form {
    pkm_key key[3];
    pkm_section made, numbers;  ///< of these keys; of one of them
    const pkm_section* section; ///< the form: `made`, or one that is there for good
};

/// Check that `map` has keys of the section only, those that must be there, and keeps its rules;
/// then read them in the order of the table to `to`.
PKM_NODISCARD pkm_status pkm_keys_read(pkm_reader* r, const pkm_yaml* map,
                                       const pkm_section* section, void* to);
/// The first part alone.
PKM_NODISCARD pkm_status pkm_keys_check(const pkm_reader* r, const pkm_yaml* map,
                                        const pkm_section* section);
/// Read the value of one key; `to` is where that of the whole section goes.
PKM_NODISCARD pkm_status pkm_key_take(pkm_reader* r, const pkm_yaml* node, const pkm_key* key,
                                      void* to);
/// A reader that keeps the node itself, a `const pkm_yaml*`: for what is read when more is known.
pkm_status pkm_key_keep_node(pkm_reader* r, const pkm_yaml* node, void* to);
/// The key called `name`, or NULL. `at` (may be NULL) gets where its value goes.
const pkm_key* pkm_section_find(const pkm_section* section, const char* name, size_t* at);
/// The i-th key, those of included sections counted; NULL past the last.
const pkm_key* pkm_section_key(const pkm_section* section, int i);

/// A dimension of what slides as it is where it turns: N/m becomes N m/rad, kg kg m2.
pkm_dimension pkm_dimension_turned(pkm_dimension slides);

/// What several maps of a model share, each the `read` and the `either` of a key: a rotation
/// (pkm_quat), a point of the body that is read or its coordinates (pkm_vec3), an inertia tensor
/// (double[6]).
PKM_NODISCARD pkm_status pkm_key_read_rotation(pkm_reader* r, const pkm_yaml* node, void* to);
PKM_NODISCARD pkm_status pkm_key_read_point(pkm_reader* r, const pkm_yaml* node, void* to);
PKM_NODISCARD pkm_status pkm_key_read_inertia(pkm_reader* r, const pkm_yaml* node, void* to);
extern const pkm_key pkm_key_rotation[], pkm_key_point[], pkm_key_inertia[];
/// `at` and `rotate` of a pkm_pose, to be included.
extern const pkm_section pkm_frame_section;
/// What a payload is: mass, the point that carries it, centre of mass, inertia; to
/// pkm_desc_payload.
extern const pkm_section pkm_cargo_section;

/// Dimensions beside those of model/units.h.
extern const pkm_dimension pkm_dim_frequency, pkm_dim_stiffness, pkm_dim_damping;

/// The value of a flag, `true` or `false`; `*out` stays as it is when `node` is NULL.
PKM_NODISCARD pkm_status pkm_reader_flag(const pkm_reader* r, const pkm_yaml* node, bool* out);
/// A whole number from `least` to `most`.
PKM_NODISCARD pkm_status pkm_reader_count(const pkm_reader* r, const pkm_yaml* node, double least,
                                          double most, int* out);

#endif
