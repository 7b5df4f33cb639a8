/// HDF5, loaded and used only in child processes (base/isolate.h) when an .h5 file is met: libhdf5
/// crashes and loops on damaged files, and it and what it loads fail hard without memory.
#ifndef PKM_MODEL_H5_H
#define PKM_MODEL_H5_H

#include "base/isolate.h"
#include "base/memory.h"

#include <stdint.h>
#include <sys/types.h>

/// True for names that end with .h5 or .hdf5.
bool pkm_h5_is_name(const char* path);

/// True when libhdf5 (1.10 or later) is installed; a child process tries it.
bool pkm_h5_is_installed(void);

// ---- reading ----------------------------------------------------------------------------------

/// What to read: a list of texts, and datasets of numbers.
typedef struct pkm_h5_wish {
    const char* group;          ///< "/" or "/table"
    const char* list;           ///< its attribute: one text or a list of texts
    const char* const* dataset; ///< names; NULL: those in the list
    int n_dataset;
    int rank;             ///< of each dataset, 1 or 2
    int max_text;         ///< texts in the list
    size_t max_value;     ///< numbers in a dataset
    const char* note;     ///< attribute of each dataset, one text; NULL: none
    size_t max_file;      ///< bytes of the file
    unsigned max_seconds; ///< 0: the usual limit
} pkm_h5_wish;

typedef struct pkm_h5_dataset {
    const char* name;
    const char* note; ///< "" when there is none
    size_t size[2];   ///< rows and columns; size[1] is 1 for a list
    double* value;    ///< row by row
} pkm_h5_dataset;

/// What was there. A dataset that is not there is left out.
typedef struct pkm_h5_content {
    int n_text, n_dataset;
    const char** text;
    pkm_h5_dataset* dataset;
} pkm_h5_content;

/// Read the file `path`; all of `out` lives in `arena`. Type, rank and size of everything are
/// checked before it is copied; texts are UTF-8 without control characters.
/// @return PKM_ERR_FILE for a file that cannot be read, is damaged, or when there is no libhdf5;
///         PKM_ERR_SYNTAX for one that does not hold what is wished; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_h5_read(const char* path, const pkm_h5_wish* wish, pkm_arena* arena,
                                     pkm_h5_content* out, pkm_error* err);

// ---- the library itself, for work inside a child ----------------------------------------------

typedef int64_t pkm_h5_id;
typedef unsigned long long pkm_h5_size;

/// Constants of its interface.
enum {
    PKM_H5_DEFAULT = 0, ///< H5P_DEFAULT, H5S_ALL, H5E_DEFAULT, H5F_ACC_RDONLY, H5S_SCALAR
    PKM_H5_TRUNCATE = 2,
    PKM_H5_GLOBAL = 1,
    PKM_H5_UTF8 = 1,
    PKM_H5_CLASS_INTEGER = 0,
    PKM_H5_CLASS_FLOAT = 1,
    PKM_H5_CLASS_STRING = 3,
};

/// Its functions: result, name, arguments.
#define PKM_H5_FUNCTIONS(X)                                                                        \
    X(int, H5open, (void))                                                                         \
    X(int, H5get_libversion, (unsigned*, unsigned*, unsigned*))                                    \
    X(int, H5Eset_auto2, (pkm_h5_id, void*, void*))                                                \
    X(pkm_h5_id, H5Fopen, (const char*, unsigned, pkm_h5_id))                                      \
    X(pkm_h5_id, H5Fcreate, (const char*, unsigned, pkm_h5_id, pkm_h5_id))                         \
    X(int, H5Fflush, (pkm_h5_id, int))                                                             \
    X(ssize_t, H5Fget_file_image, (pkm_h5_id, void*, size_t))                                      \
    X(int, H5Pset_fapl_core, (pkm_h5_id, size_t, unsigned))                                        \
    X(int, H5Pset_file_image, (pkm_h5_id, void*, size_t))                                          \
    X(pkm_h5_id, H5Pcreate, (pkm_h5_id))                                                           \
    X(pkm_h5_id, H5Gopen2, (pkm_h5_id, const char*, pkm_h5_id))                                    \
    X(pkm_h5_id, H5Gcreate2, (pkm_h5_id, const char*, pkm_h5_id, pkm_h5_id, pkm_h5_id))            \
    X(int, H5Gclose, (pkm_h5_id))                                                                  \
    X(int, H5Lexists, (pkm_h5_id, const char*, pkm_h5_id))                                         \
    X(int, H5Aexists, (pkm_h5_id, const char*))                                                    \
    X(pkm_h5_id, H5Aopen, (pkm_h5_id, const char*, pkm_h5_id))                                     \
    X(pkm_h5_id, H5Acreate2, (pkm_h5_id, const char*, pkm_h5_id, pkm_h5_id, pkm_h5_id, pkm_h5_id)) \
    X(pkm_h5_id, H5Aget_type, (pkm_h5_id))                                                         \
    X(pkm_h5_id, H5Aget_space, (pkm_h5_id))                                                        \
    X(int, H5Aread, (pkm_h5_id, pkm_h5_id, void*))                                                 \
    X(int, H5Awrite, (pkm_h5_id, pkm_h5_id, const void*))                                          \
    X(int, H5Aclose, (pkm_h5_id))                                                                  \
    X(pkm_h5_id, H5Dopen2, (pkm_h5_id, const char*, pkm_h5_id))                                    \
    X(pkm_h5_id, H5Dcreate2,                                                                       \
      (pkm_h5_id, const char*, pkm_h5_id, pkm_h5_id, pkm_h5_id, pkm_h5_id, pkm_h5_id))             \
    X(pkm_h5_id, H5Dget_type, (pkm_h5_id))                                                         \
    X(pkm_h5_id, H5Dget_space, (pkm_h5_id))                                                        \
    X(int, H5Dread, (pkm_h5_id, pkm_h5_id, pkm_h5_id, pkm_h5_id, pkm_h5_id, void*))                \
    X(int, H5Dwrite, (pkm_h5_id, pkm_h5_id, pkm_h5_id, pkm_h5_id, pkm_h5_id, const void*))         \
    X(int, H5Dclose, (pkm_h5_id))                                                                  \
    X(pkm_h5_id, H5Tcopy, (pkm_h5_id))                                                             \
    X(int, H5Tget_class, (pkm_h5_id))                                                              \
    X(size_t, H5Tget_size, (pkm_h5_id))                                                            \
    X(int, H5Tset_size, (pkm_h5_id, size_t))                                                       \
    X(int, H5Tset_cset, (pkm_h5_id, int))                                                          \
    X(int, H5Tis_variable_str, (pkm_h5_id))                                                        \
    X(int, H5Tclose, (pkm_h5_id))                                                                  \
    X(pkm_h5_id, H5Screate, (int))                                                                 \
    X(pkm_h5_id, H5Screate_simple, (int, const pkm_h5_size*, const pkm_h5_size*))                  \
    X(int, H5Sget_simple_extent_ndims, (pkm_h5_id))                                                \
    X(int, H5Sget_simple_extent_dims, (pkm_h5_id, pkm_h5_size*, pkm_h5_size*))                     \
    X(long long, H5Sget_simple_extent_npoints, (pkm_h5_id))                                        \
    X(int, H5Sclose, (pkm_h5_id))

/// Its constants that are variables, good after H5open.
#define PKM_H5_VARIABLES(X)                                                                        \
    X(H5T_C_S1_g)                                                                                  \
    X(H5T_NATIVE_DOUBLE_g)                                                                         \
    X(H5T_IEEE_F64LE_g)                                                                            \
    X(H5P_CLS_FILE_ACCESS_ID_g)

typedef struct pkm_h5_library {
#define PKM_H5_MEMBER(result, name, arguments) result(*name) arguments;
    PKM_H5_FUNCTIONS(PKM_H5_MEMBER)
#undef PKM_H5_MEMBER
#define PKM_H5_MEMBER(name) const pkm_h5_id* name;
    PKM_H5_VARIABLES(PKM_H5_MEMBER)
#undef PKM_H5_MEMBER
} pkm_h5_library;

/// In a child: load the library; it prints nothing.
/// @return PKM_ERR_FILE: there is none; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_h5_begin(const pkm_h5_library** out, pkm_error* err);

/// A file in memory, never on disk: a new one of about `size` bytes, or one with these bytes.
/// Negative: not possible.
pkm_h5_id pkm_h5_create_image(const pkm_h5_library* h5, size_t size);
pkm_h5_id pkm_h5_open_image(const pkm_h5_library* h5, const void* bytes, size_t size);

#endif
