// The library is opened by name when it is needed (it starts slowly and few runs need it), and only
// in a child process, whose crash is a message here.
#define _GNU_SOURCE // RTLD_DEFAULT
#include "model/h5.h"

#include "base/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

// Its interface is the same in all of these: 1.10 (103), 1.12 (200), 1.14 (310, 320).
static const char* const file_name[] = {
    "libhdf5_serial.so.103", "libhdf5.so.103",        "libhdf5_serial.so.310",
    "libhdf5.so.310",        "libhdf5_serial.so.200", "libhdf5.so.200",
    "libhdf5.so.320",        "libhdf5_serial.so",     "libhdf5.so"};

static pkm_h5_library library; // of a child process

/// Where its variables are: a program that is linked to the same library holds them itself.
static void* home_of_variables(void* handle)
{
    return dlsym(RTLD_DEFAULT, "H5open") == dlsym(handle, "H5open") ? RTLD_DEFAULT : handle;
}

static bool find_all(void* handle)
{
    void *symbol, *home = home_of_variables(handle);
    bool all = true;
    // ISO C has no cast from data to functions; POSIX guarantees that the bytes are those
#define FIND(from, name)                                                                           \
    symbol = dlsym(from, #name);                                                                   \
    all = all && symbol;                                                                           \
    memcpy((void*)&library.name, (const void*)&symbol, sizeof symbol);
#define FIND_FUNCTION(result, name, arguments) FIND(handle, name)
#define FIND_VARIABLE(name)                    FIND(home, name)
    PKM_H5_FUNCTIONS(FIND_FUNCTION)
    PKM_H5_VARIABLES(FIND_VARIABLE)
#undef FIND_FUNCTION
#undef FIND_VARIABLE
#undef FIND
    return all;
}

/// Identifiers have 64 bits since 1.10. Asking for the version starts nothing else.
static bool is_new_enough(void)
{
    unsigned major = 0, minor = 0, release = 0;
    library.H5get_libversion(&major, &minor, &release);
    return major > 1 || (major == 1 && minor >= 10);
}

pkm_status pkm_h5_begin(const pkm_h5_library** out, pkm_error* err)
{
    bool is_loaded = false;
    *out = NULL;
    errno = 0;
    for (size_t i = 0; i < sizeof file_name / sizeof file_name[0] && !is_loaded; ++i) {
        void* handle = dlopen(file_name[i], RTLD_NOW | RTLD_LOCAL);
        is_loaded = handle && find_all(handle) && is_new_enough();
        if (errno == ENOMEM) return pkm_out_of_memory(err);
    }
    if (!is_loaded)
        return pkm_fail(err, PKM_ERR_FILE,
                        "HDF5 files need the library libhdf5 (1.10 or later), which is not "
                        "installed");
    if (library.H5open() < 0 || library.H5Eset_auto2(PKM_H5_DEFAULT, NULL, NULL) < 0)
        return pkm_fail(err, PKM_ERR_FILE, "the library libhdf5 does not start");
    *out = &library;
    return PKM_OK;
}

static pkm_status try_to_begin(void* user, pkm_isolate_pipe* pipe, pkm_error* err)
{
    const pkm_h5_library* h5;
    (void)user, (void)pipe;
    return pkm_h5_begin(&h5, err);
}

bool pkm_h5_is_installed(void)
{
    const pkm_isolate_limits none = {0};
    char* nothing = NULL;
    size_t size;
    const bool is_there = pkm_isolate(try_to_begin, NULL, &none, &nothing, &size, NULL) == PKM_OK;
    pkm_free(nothing);
    return is_there;
}

bool pkm_h5_is_name(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

pkm_h5_id pkm_h5_create_image(const pkm_h5_library* h5, size_t size)
{
    const pkm_h5_id access = h5->H5Pcreate(*h5->H5P_CLS_FILE_ACCESS_ID_g);
    if (access < 0 || h5->H5Pset_fapl_core(access, size + (1 << 16), 0) < 0) return -1;
    return h5->H5Fcreate("image", PKM_H5_TRUNCATE, PKM_H5_DEFAULT, access);
}

pkm_h5_id pkm_h5_open_image(const pkm_h5_library* h5, const void* bytes, size_t size)
{
    const pkm_h5_id access = h5->H5Pcreate(*h5->H5P_CLS_FILE_ACCESS_ID_g);
    if (access < 0 || h5->H5Pset_fapl_core(access, 1 << 16, 0) < 0) return -1;
    if (h5->H5Pset_file_image(access, (void*)bytes, size) < 0) return -1;
    return h5->H5Fopen("image", PKM_H5_DEFAULT, access);
}
