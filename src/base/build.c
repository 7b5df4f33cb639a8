#define _GNU_SOURCE // dl_iterate_phdr
#include "base/build.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef __linux__
#include <elf.h>
#include <link.h>
#endif

static char id[2 * 20 + 1]; // constant after the first question
static pthread_once_t once = PTHREAD_ONCE_INIT;

#ifdef __linux__
static void write_hex(const unsigned char* bytes, size_t n)
{
    for (size_t i = 0; i < n && 2 * i + 2 < sizeof id; ++i)
        snprintf(id + 2 * i, 3, "%02x", bytes[i]);
}

/// The note that the linker writes: a hash of all code and data of the file.
static void search_notes(const unsigned char* at, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const size_t name = (note.n_namesz + 3u) & ~3u, value = (note.n_descsz + 3u) & ~3u;
        if (sizeof note + name + value > size) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(at + sizeof note, "GNU", 4) == 0)
            write_hex(at + sizeof note + name, note.n_descsz);
        at += sizeof note + name + value;
        size -= sizeof note + name + value;
    }
}

/// Is `address` in this file of the process? Then its notes.
static int look_at(struct dl_phdr_info* info, size_t size, void* address)
{
    (void)size;
    bool is_here = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)* part = &info->dlpi_phdr[i];
        const ElfW(Addr) begin = info->dlpi_addr + part->p_vaddr;
        const ElfW(Addr) place = (ElfW(Addr))address;
        if (part->p_type == PT_LOAD && place >= begin && place < begin + part->p_memsz)
            is_here = true;
    }
    for (int i = 0; is_here && i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)* part = &info->dlpi_phdr[i];
        if (part->p_type == PT_NOTE)
            search_notes((const unsigned char*)(info->dlpi_addr + part->p_vaddr), part->p_memsz);
    }
    return is_here;
}
#endif

static void find_id(void)
{
#ifdef __linux__
    dl_iterate_phdr(look_at, id);
#endif
    if (!id[0]) snprintf(id, sizeof id, "version %s", PKM_VERSION);
}

const char* pkm_build_id(void)
{
    pthread_once(&once, find_id);
    return id;
}
