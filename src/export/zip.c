// Local headers, data, then the directory; without times, so that equal content gives equal bytes.
#include "export/zip.h"

#include "base/crc32.h"
#include "base/error.h"
#include "base/memory.h"
#include "export/deflate.h"
#include "write/stream.h"

#include <stdint.h>
#include <string.h>

enum { MAX_FILE = 2048, MAX_SIZE = 1 << 30, HEAD = 46, FLAG_UTF8 = 1 << 11, DEFLATED = 8 };

/// What the directory at the end says of a file.
typedef struct entry {
    char* name;
    uint32_t crc, packed, size, at;
} entry;

struct pkm_zip {
    pkm_stream* stream;
    uint32_t used;
    int n;
    entry file[MAX_FILE];
};

/// Numbers of 2 and 4 bytes, the lowest first.
static unsigned char* put2(unsigned char* to, uint32_t x)
{
    to[0] = (unsigned char)x;
    to[1] = (unsigned char)(x >> 8);
    return to + 2;
}

static unsigned char* put4(unsigned char* to, uint32_t x)
{
    return put2(put2(to, x & 0xffff), x >> 16);
}

static void write(pkm_zip* zip, const void* bytes, size_t size)
{
    pkm_stream_write(zip->stream, bytes, size);
    zip->used += (uint32_t)size;
}

/// What stands in front of a file and in the directory alike: from the version on.
static unsigned char* put_common(unsigned char* to, const entry* e)
{
    to = put2(to, 20); // version needed: 2.0
    to = put2(to, FLAG_UTF8);
    to = put2(to, DEFLATED);
    to = put4(to, 0x00210000); // 1980-01-01 0:00, the first date there is
    to = put4(to, e->crc);
    to = put4(to, e->packed);
    to = put4(to, e->size);
    to = put2(to, (uint32_t)strlen(e->name));
    return put2(to, 0); // no extra field
}

pkm_status pkm_zip_open(const char* path, pkm_zip** out, pkm_error* err)
{
    pkm_zip* zip = *out = pkm_alloc(1, sizeof *zip);
    if (!zip) return pkm_out_of_memory(err);
    const pkm_status status = pkm_stream_open(path, &zip->stream, err);
    if (status == PKM_OK) return PKM_OK;
    pkm_free(zip);
    *out = NULL;
    return status;
}

pkm_status pkm_zip_add(pkm_zip* zip, const char* name, const void* bytes, size_t size,
                       pkm_error* err)
{
    unsigned char head[HEAD];
    size_t packed = 0;
    if (zip->n == MAX_FILE || size > MAX_SIZE || strlen(name) > 1000 || zip->used > MAX_SIZE)
        return pkm_fail(err, PKM_ERR_FILE, "%.200s: it is too large for the archive", name);
    entry* e = &zip->file[zip->n];
    unsigned char* data = pkm_deflate(bytes, size, &packed);
    e->name = pkm_alloc(strlen(name) + 1, 1);
    ++zip->n;
    if (!data || !e->name) {
        pkm_free(data);
        return pkm_out_of_memory(err);
    }
    strcpy(e->name, name);
    e->crc = pkm_crc32_of(bytes, size);
    e->packed = (uint32_t)packed;
    e->size = (uint32_t)size;
    e->at = zip->used;
    unsigned char* end = put_common(put4(head, 0x04034b50), e);
    write(zip, head, (size_t)(end - head));
    write(zip, name, strlen(name));
    write(zip, data, packed);
    pkm_free(data);
    return PKM_OK;
}

static void put_directory(pkm_zip* zip)
{
    unsigned char head[HEAD];
    const uint32_t begin = zip->used;
    for (int i = 0; i < zip->n; ++i) {
        const entry* e = &zip->file[i];
        unsigned char* to = put2(put4(head, 0x02014b50), 3 << 8 | 20); // made on Unix
        to = put_common(to, e);
        to = put2(put2(put2(to, 0), 0), 0); // no comment, disk 0, bytes
        to = put4(to, 0100644u << 16);      // a file that all may read
        to = put4(to, e->at);
        write(zip, head, (size_t)(to - head));
        write(zip, e->name, strlen(e->name));
    }
    const uint32_t size = zip->used - begin;
    unsigned char* to = put2(put2(put4(head, 0x06054b50), 0), 0);
    to = put2(put2(to, (uint32_t)zip->n), (uint32_t)zip->n);
    to = put2(put4(put4(to, size), begin), 0);
    write(zip, head, (size_t)(to - head));
}

static void release(pkm_zip* zip)
{
    for (int i = 0; i < zip->n; ++i)
        pkm_free(zip->file[i].name);
    pkm_free(zip);
}

pkm_status pkm_zip_close(pkm_zip* zip, pkm_error* err)
{
    put_directory(zip);
    const pkm_status status = pkm_stream_close(zip->stream, err);
    release(zip);
    return status;
}

void pkm_zip_discard(pkm_zip* zip)
{
    if (!zip) return;
    pkm_stream_discard(zip->stream);
    release(zip);
}
