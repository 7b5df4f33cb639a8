/// What an FMU is grown from: the description of a robot and its run as constant data inside the
/// FMU's library, a list of items. The library has an empty place of PKM_SEED_ROOM bytes, which
/// export fills (fmu/seed_data.c).
///
///     magic (32 bytes) | room, used (8 digits each) | items
///     item: tag (1 byte), length of name, length of bytes (8 hexadecimal digits each), name 0,
///           bytes 0
#ifndef PKM_EXPORT_SEED_H
#define PKM_EXPORT_SEED_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PKM_SEED_ROOM = 1 << 20,
    PKM_SEED_MAGIC = 32,
    PKM_SEED_HEAD = PKM_SEED_MAGIC + 16,
    PKM_SEED_ITEM = 17, ///< bytes before the name
};

typedef enum pkm_seed_tag {
    PKM_SEED_MODEL = 'm',    ///< name: its file; bytes: its tree (model/tree.h)
    PKM_SEED_SET = 's',      ///< name, value of a parameter that was set at export
    PKM_SEED_RUN = 'r',      ///< name: the run file; bytes: its tree
    PKM_SEED_CHOICE = 'c',   ///< name: a key of the run; bytes: the tree of its value
    PKM_SEED_FILE = 'f',     ///< name: as the model finds it; bytes: its content
    PKM_SEED_PROPERTY = 'p', ///< name, value: what modelDescription.xml says
} pkm_seed_tag;

typedef struct pkm_seed_item {
    pkm_seed_tag tag;
    const char* name;
    const char* bytes; ///< ended by a zero
    size_t size;
} pkm_seed_item;

/// Bytes of an item.
size_t pkm_seed_item_size(const pkm_seed_item* item);
/// Write an item at `out`; returns what is behind it.
char* pkm_seed_put(char* out, const pkm_seed_item* item);

/// The items of a place that was filled: `at` is 0 at first and moves on. False: the last was read,
/// or what follows is damaged.
bool pkm_seed_next(const char* place, size_t* at, pkm_seed_item* out);
/// The property `name`; NULL: there is none.
const char* pkm_seed_property(const char* place, const char* name);

// ---- value references -------------------------------------------------------------------------
// A value reference is class * PKM_REFERENCE_CLASS + index: the same in modelDescription.xml and in
// the library.

enum { PKM_REFERENCE_CLASS = 1 << 16 };

typedef enum pkm_reference_class {
    PKM_REFERENCE_TIME,
    PKM_REFERENCE_PARAMETER,    ///< index: of the model
    PKM_REFERENCE_FORCE,        ///< input: force on a drive
    PKM_REFERENCE_POSITION,     ///< input: reference of a drive with a controller
    PKM_REFERENCE_VELOCITY,     ///< its rate
    PKM_REFERENCE_ACCELERATION, ///< and the rate of that
    PKM_REFERENCE_WRENCH,       ///< input: x y z of the force on the tool, then of the torque
    PKM_REFERENCE_SIGNAL,       ///< input: one that the run file names
    PKM_REFERENCE_COLUMN,       ///< output: column of the table of a simulation
    PKM_REFERENCE_WARNING,      ///< output: number of warnings
    PKM_REFERENCE_STATE,        ///< of model exchange
    PKM_REFERENCE_RATE,         ///< of the states
    PKM_REFERENCE_INDICATOR,    ///< of events
    PKM_N_REFERENCE
} pkm_reference_class;

#endif
