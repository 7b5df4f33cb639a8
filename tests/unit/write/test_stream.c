#include "write/stream.h"

#include "base/memory.h"
#include "check.h"
#include "unit/write/scratch_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

static void memory_keeps_all_that_is_written(void)
{
    pkm_stream* stream = pkm_stream_to_memory();
    for (int k = 0; k < 40000; ++k)
        pkm_stream_format(stream, "%05d,", k);
    const char* text = pkm_stream_get(stream);
    CHECK(text && strlen(text) == 240000);
    CHECK(text && strncmp(text + 6 * 39999, "39999,", 6) == 0);
    pkm_stream_number(stream, 0.1);
    text = pkm_stream_get(stream);
    CHECK(text && strcmp(text + 240000, "0.1") == 0);
    CHECK(pkm_stream_close(stream, NULL) == PKM_OK);
}

static void a_file_appears_only_when_closed(void)
{
    scratch_clear();
    const char* path = scratch_path("file.txt");
    pkm_stream* stream;
    CHECK(pkm_stream_open(path, &stream, NULL) == PKM_OK);
    pkm_stream_text(stream, "one ");
    CHECK(access(path, F_OK) != 0);
    pkm_stream_text(stream, "two");
    CHECK(pkm_stream_close(stream, NULL) == PKM_OK);
    CHECK(scratch_count() == 1);
    char* text = scratch_read(path);
    CHECK_TEXT(text, "one two");
    free(text);
}

static void large_pieces_keep_their_order(void)
{
    scratch_clear();
    enum { LARGE = 300000 };
    char* piece = calloc(LARGE + 1, 1);
    memset(piece, 'x', LARGE);
    const char* path = scratch_path("large.txt");
    pkm_stream* stream;
    CHECK(pkm_stream_open(path, &stream, NULL) == PKM_OK);
    pkm_stream_text(stream, "begin");
    pkm_stream_text(stream, piece);
    pkm_stream_text(stream, "end");
    CHECK(pkm_stream_close(stream, NULL) == PKM_OK);

    char* text = scratch_read(path);
    CHECK(text && strlen(text) == LARGE + 8);
    CHECK(text && strncmp(text, "beginx", 6) == 0 && strcmp(text + LARGE + 4, "xend") == 0);
    free(text);
    free(piece);
}

static void an_old_file_survives_a_discarded_stream(void)
{
    scratch_clear();
    const char* path = scratch_path("old.txt");
    pkm_stream* stream;
    CHECK(pkm_stream_open(path, &stream, NULL) == PKM_OK);
    pkm_stream_text(stream, "old");
    CHECK(pkm_stream_close(stream, NULL) == PKM_OK);
    CHECK(pkm_stream_open(path, &stream, NULL) == PKM_OK);
    pkm_stream_text(stream, "new");
    pkm_stream_discard(stream);

    CHECK(scratch_count() == 1);
    char* text = scratch_read(path);
    CHECK_TEXT(text, "old");
    free(text);
}

static void a_missing_folder_is_an_error_with_its_reason(void)
{
    scratch_clear();
    pkm_error err = {0};
    pkm_stream* stream = (pkm_stream*)&err;
    CHECK(pkm_stream_open(scratch_path("none/file.txt"), &stream, &err) == PKM_ERR_FILE);
    CHECK(stream == NULL);
    CHECK_CONTAINS(err.text, "none/file.txt: cannot write: No such file or directory");
    CHECK(pkm_stream_open(scratch_folder, &stream, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "Is a directory");
    CHECK(pkm_stream_open("/dev/null/file.txt", &stream, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "Not a directory");
    CHECK(scratch_count() == 0);
}

/// A named pipe where a file is to go: what is written arrives; where nobody reads, nothing waits.
static void a_pipe_is_written_where_somebody_reads(void)
{
    scratch_clear();
    const char* path = scratch_path("pipe");
    CHECK(mkfifo(path, 0600) == 0);
    pkm_stream* stream;
    pkm_error err = {0};
    alarm(20);
    CHECK(pkm_stream_open(path, &stream, &err) == PKM_ERR_FILE && !stream);
    CHECK_CONTAINS(err.text, "nobody reads");
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    CHECK(pkm_stream_open(path, &stream, &err) == PKM_OK);
    pkm_stream_text(stream, "one two");
    CHECK(pkm_stream_close(stream, &err) == PKM_OK);
    char text[16] = "";
    CHECK(read(reader, text, sizeof text - 1) == 7);
    CHECK_TEXT(text, "one two");
    close(reader);
    alarm(0);
}

static void a_full_device_is_reported(void)
{
    pkm_error err = {0};
    pkm_stream* stream;
    CHECK(pkm_stream_open("/dev/full", &stream, &err) == PKM_OK);
    pkm_stream_text(stream, "text");
    CHECK(pkm_stream_close(stream, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "/dev/full: cannot write: No space left on device");
    struct stat info; // the device itself is not replaced
    CHECK(stat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode));
}

static void a_full_disk_leaves_the_old_file(void)
{
    scratch_clear();
    const char* path = scratch_path("file.txt");
    pkm_stream* stream;
    CHECK(pkm_stream_open(path, &stream, NULL) == PKM_OK);
    pkm_stream_text(stream, "old");
    CHECK(pkm_stream_close(stream, NULL) == PKM_OK);

    pkm_error err = {0};
    CHECK(pkm_stream_open(path, &stream, NULL) == PKM_OK);
    scratch_limit_size(100000);
    for (int k = 0; k < 50000; ++k)
        pkm_stream_text(stream, "a line\n");
    CHECK(pkm_stream_close(stream, &err) == PKM_ERR_FILE);
    scratch_limit_size(0);
    CHECK_CONTAINS(err.text, "cannot write: File too large");
    CHECK(scratch_count() == 1);
    char* text = scratch_read(path);
    CHECK_TEXT(text, "old");
    free(text);
}

static void a_full_device_is_told(void)
{
    pkm_stream* stream;
    CHECK(pkm_stream_open("/dev/full", &stream, NULL) == PKM_OK);
    pkm_stream_text(stream, "text");
    CHECK(pkm_stream_get(stream) == NULL);
    pkm_error err = {0};
    CHECK(pkm_stream_close(stream, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "/dev/full: cannot write: No space left");
}

static void new_files_follow_the_umask(void)
{
    scratch_clear();
    const mode_t old = umask(027);
    pkm_stream* stream;
    CHECK(pkm_stream_open(scratch_path("mode.txt"), &stream, NULL) == PKM_OK);
    CHECK(pkm_stream_close(stream, NULL) == PKM_OK);
    umask(old);
    struct stat info;
    CHECK(stat(scratch_path("mode.txt"), &info) == 0 && (info.st_mode & 0777) == 0640);
}

static void failing_memory_is_reported_and_leaves_nothing(void)
{
    scratch_clear();
    int done = 0;
    for (size_t n = 1; !done && n < 20; ++n) {
        pkm_alloc_fail_at(n);
        pkm_stream* stream;
        pkm_status status = pkm_stream_open(scratch_path("memory.txt"), &stream, NULL);
        if (status == PKM_OK) status = pkm_stream_close(stream, NULL);
        pkm_alloc_fail_at(0);
        done = status == PKM_OK;
        CHECK(done || (status == PKM_ERR_MEMORY && stream == NULL));
        CHECK(scratch_count() == done);
    }
    CHECK(done);

    pkm_stream* stream = pkm_stream_to_memory();
    pkm_alloc_fail_at(1);
    for (int k = 0; k < 20000; ++k)
        pkm_stream_text(stream, "growing ");
    pkm_alloc_fail_at(0);
    CHECK(pkm_stream_get(stream) == NULL);
    CHECK(pkm_stream_close(stream, NULL) == PKM_ERR_MEMORY);
    CHECK(pkm_stream_close(NULL, NULL) == PKM_OK);
    pkm_stream_discard(NULL);
}

int main(void)
{
    if (!scratch_create()) return 1;
    RUN(memory_keeps_all_that_is_written);
    RUN(a_file_appears_only_when_closed);
    RUN(large_pieces_keep_their_order);
    RUN(an_old_file_survives_a_discarded_stream);
    RUN(a_missing_folder_is_an_error_with_its_reason);
    RUN(a_pipe_is_written_where_somebody_reads);
    RUN(a_full_device_is_reported);
    RUN(a_full_disk_leaves_the_old_file);
    RUN(a_full_device_is_told);
    RUN(new_files_follow_the_umask);
    RUN(failing_memory_is_reported_and_leaves_nothing);
    scratch_remove();
    return check_report();
}
