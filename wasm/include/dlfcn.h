// Nothing can be loaded at run time: pkm then says that HDF5 is not installed.
#ifndef PKM_WASM_DLFCN_H
#define PKM_WASM_DLFCN_H

#include <stddef.h>

#define RTLD_NOW   0
#define RTLD_LOCAL 0
#define RTLD_DEFAULT ((void*)0)

static inline void* dlopen(const char* name, int how)
{
    (void)name, (void)how;
    return NULL;
}

static inline void* dlsym(void* library, const char* name)
{
    (void)library, (void)name;
    return NULL;
}

static inline int dlclose(void* library)
{
    (void)library;
    return 0;
}

#endif
