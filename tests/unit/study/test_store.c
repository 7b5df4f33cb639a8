#include "study/store.h"

#include "check.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];
static char path[96];

static bool keep_number(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    *(double*)user = cell[0].kind == PKM_CELL_INTEGER ? (double)cell[0].integer : cell[0].number;
    return false;
}

static double ask(pkm_store* store, const char* sql)
{
    double value = NAN;
    CHECK(pkm_store_query(store, sql, NULL, 0, keep_number, &value, NULL) == PKM_OK);
    return value;
}

static void numbers_come_back_bit_for_bit(void)
{
    pkm_store* store;
    const double x = 0.1 + 0.2;
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    const pkm_cell cell[] = {pkm_cell_integer(3), pkm_cell_integer(0), pkm_cell_number(x),
                             pkm_cell_number(NAN)};
    CHECK(pkm_store_run(store,
                        "insert into results (case_id, output_id, value, t) values (?, ?, ?, ?)",
                        cell, 4, NULL) == PKM_OK);
    CHECK(ask(store, "select value from results") == x);
    CHECK(ask(store, "select count(*) from results where t is null") == 1.0);
    pkm_store_free(store);
}

static void the_file_is_refused_when_it_is_of_another_kind(void)
{
    pkm_store* store;
    pkm_error err;
    FILE* file = fopen(path, "w");
    fputs("t [s],x [m]\n0,1\n", file);
    fclose(file);
    CHECK(pkm_store_open(path, &store, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, path);
    CHECK(!store);
    unlink(path);
    CHECK(pkm_store_open(path, &store, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "No such file");
    CHECK(pkm_store_create("/nowhere/study.sqlite", &store, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "/nowhere/study.sqlite: it cannot be opened");
}

/// A process that commits one row, begins another and is killed.
static void write_and_die(void)
{
    pkm_store* store;
    if (pkm_store_create(path, &store, NULL) != PKM_OK) _exit(1);
    if (pkm_store_put_about(store, "first", "kept", NULL) != PKM_OK) _exit(1);
    if (pkm_store_begin(store, NULL) != PKM_OK) _exit(1);
    if (pkm_store_put_about(store, "second", "lost", NULL) != PKM_OK) _exit(1);
    kill(getpid(), SIGKILL);
}

static void a_killed_writer_keeps_what_it_committed(void)
{
    const pid_t child = fork();
    if (child == 0) write_and_die();
    int how;
    waitpid(child, &how, 0);
    CHECK(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);

    pkm_store* store;
    char text[20];
    CHECK(pkm_store_open(path, &store, NULL) == PKM_OK);
    CHECK(pkm_store_get_about(store, "first", text, sizeof text, NULL) == PKM_OK);
    CHECK_TEXT(text, "kept");
    CHECK(pkm_store_get_about(store, "second", text, sizeof text, NULL) == PKM_OK);
    CHECK_TEXT(text, "");
    pkm_store_free(store);
}

static void a_second_writer_is_refused(void)
{
    pkm_store *first, *second;
    pkm_error err;
    unlink(path);
    CHECK(pkm_store_create(path, &first, NULL) == PKM_OK);
    CHECK(pkm_store_open(path, &second, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "another study is writing it");
    CHECK(pkm_store_create(path, &second, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "there is a file by this name");
    pkm_store_free(first);
    CHECK(pkm_store_open(path, &second, &err) == PKM_OK);
    pkm_store_free(second);
}

static void a_reader_sees_what_was_committed_while_it_is_written(void)
{
    pkm_store *writer, *reader = NULL;
    char text[20] = "";
    unlink(path);
    CHECK(pkm_store_create(path, &writer, NULL) == PKM_OK);
    CHECK(pkm_store_put_about(writer, "first", "kept", NULL) == PKM_OK);
    CHECK(pkm_store_begin(writer, NULL) == PKM_OK);
    CHECK(pkm_store_put_about(writer, "second", "not yet", NULL) == PKM_OK);
    CHECK(pkm_store_read(path, &reader, NULL) == PKM_OK);
    if (!reader) return;
    CHECK(pkm_store_get_about(reader, "first", text, sizeof text, NULL) == PKM_OK);
    CHECK_TEXT(text, "kept");
    CHECK(pkm_store_get_about(reader, "second", text, sizeof text, NULL) == PKM_OK);
    CHECK_TEXT(text, "");
    pkm_store_free(reader);
    CHECK(pkm_store_commit(writer, NULL) == PKM_OK);
    pkm_store_free(writer);
    CHECK(pkm_store_read(path, &reader, NULL) == PKM_OK);
    CHECK(pkm_store_get_about(reader, "second", text, sizeof text, NULL) == PKM_OK);
    CHECK_TEXT(text, "not yet");
    CHECK(pkm_store_put_about(reader, "third", "never", NULL) == PKM_ERR_FILE);
    pkm_store_free(reader);
}

static void only_our_own_are_replaced(void)
{
    pkm_store* store;
    pkm_error err;
    unlink(path);
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    CHECK(pkm_store_put_about(store, "first", "gone", NULL) == PKM_OK);
    CHECK(pkm_store_clear(store, NULL) == PKM_OK);
    CHECK(ask(store, "select count(*) from about") == 0.0);
    CHECK(pkm_store_run(store, "pragma application_id = 7", NULL, 0, NULL) == PKM_OK);
    pkm_store_free(store);
    CHECK(pkm_store_open(path, &store, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "it is not the database of a study");
    CHECK(pkm_store_remove_damaged(path, &err) == PKM_ERR_FILE);
    CHECK(access(path, F_OK) == 0);
    unlink(path);
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    pkm_store_free(store);
    CHECK(pkm_store_remove_damaged(path, &err) == PKM_OK);
    CHECK(access(path, F_OK) != 0);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/pkm-store-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/study.sqlite", folder);
    RUN(numbers_come_back_bit_for_bit);
    RUN(the_file_is_refused_when_it_is_of_another_kind);
    RUN(a_killed_writer_keeps_what_it_committed);
    RUN(a_second_writer_is_refused);
    RUN(a_reader_sees_what_was_committed_while_it_is_written);
    RUN(only_our_own_are_replaced);
    unlink(path);
    rmdir(folder);
    return check_report();
}
