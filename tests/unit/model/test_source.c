// Files as they were read: their hashes, and what is no file.
#include "model/source.h"

#include "base/memory.h"
#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[128];

static void write_file(const char* text)
{
    FILE* file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
}

static pkm_status read_file(pkm_error* err)
{
    char* bytes = NULL;
    size_t length = 0;
    const pkm_status status = pkm_source_read(path, 1 << 20, &bytes, &length, err);
    CHECK((status == PKM_OK) == (bytes != NULL));
    pkm_free(bytes);
    return status;
}

/// SHA-256 of "abc": FIPS 180-4, appendix B.1.
static void each_file_is_noted_once_by_its_bytes(void)
{
    pkm_sources_begin();
    write_file("abc");
    CHECK(read_file(NULL) == PKM_OK && read_file(NULL) == PKM_OK);
    CHECK(pkm_sources_get(0) && !pkm_sources_get(1) && !pkm_sources_find("other"));
    const pkm_source_note* note = pkm_sources_find(path);
    CHECK(note && note->size == 3);
    if (note)
        CHECK_TEXT(note->sha256,
                   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    pkm_sources_end();
    CHECK(!pkm_sources_get(0));
    CHECK(read_file(NULL) == PKM_OK && !pkm_sources_get(0)); // notes have ended
}

static void a_file_that_changes_is_refused(void)
{
    pkm_error err = {0};
    pkm_sources_begin();
    write_file("one");
    CHECK(read_file(NULL) == PKM_OK);
    write_file("two");
    CHECK(read_file(&err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "has changed since the work began");
    CHECK(pkm_sources_add(path, "00", 3, &err) == PKM_ERR_FILE); // another process says so
    pkm_sources_begin();
    CHECK(read_file(NULL) == PKM_OK);
    pkm_sources_end();
}

static void notes_travel_as_text(void)
{
    char name[64], hash[PKM_SHA256_SIZE];
    size_t size = 0;
    pkm_sources_begin();
    CHECK(pkm_sources_add("a b.yaml", "0a", 12, NULL) == PKM_OK);
    CHECK(pkm_sources_add("c", "ff", 0, NULL) == PKM_OK);
    char* text = pkm_sources_text();
    CHECK_TEXT(text, "0a 12 a b.yaml\nff 0 c\n");
    const char* at = text;
    CHECK(pkm_sources_next(&at, name, sizeof name, hash, &size));
    CHECK_TEXT(name, "a b.yaml");
    CHECK_TEXT(hash, "0a");
    CHECK(size == 12);
    CHECK(pkm_sources_next(&at, name, sizeof name, hash, &size) && strcmp(name, "c") == 0);
    CHECK(!pkm_sources_next(&at, name, sizeof name, hash, &size));
    const char* odd = "zz";
    CHECK(!pkm_sources_next(&odd, name, sizeof name, hash, &size));
    pkm_free(text);
    pkm_sources_end();
}

static void what_is_no_file_is_refused_at_once(void)
{
    pkm_error err = {0};
    char* bytes;
    size_t length;
    unlink(path);
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(read_file(&err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "named pipe");
    unlink(path);
    CHECK(pkm_source_read("/dev/zero", 100, &bytes, &length, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "it is a device");
    CHECK(pkm_source_read(folder, 100, &bytes, &length, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "it is a folder");
}

static void failing_memory_is_reported(void)
{
    write_file("abc");
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 10; ++n) {
        pkm_sources_begin();
        pkm_alloc_fail_at(n);
        status = read_file(NULL);
        pkm_alloc_fail_at(0);
        pkm_sources_end();
    }
    CHECK(status == PKM_OK);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/pkm-source-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/file", folder);
    RUN(each_file_is_noted_once_by_its_bytes);
    RUN(a_file_that_changes_is_refused);
    RUN(notes_travel_as_text);
    RUN(what_is_no_file_is_refused_at_once);
    RUN(failing_memory_is_reported);
    unlink(path);
    rmdir(folder);
    return check_report();
}
