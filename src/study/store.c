// The door to SQLite: statements are compiled once, numbers and texts bound, errors told in the
// words of the other messages.
#include "study/store.h"

#include "base/error.h"
#include "base/memory.h"
#include "study/store_copy.h"

#include <errno.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FORMAT = 2, APPLICATION = 0x706b6d73 }; // "pkms"
enum { MAX_CELL = 24, PATH_SIZE = 1024, MAX_STATEMENT = 16 };

struct pkm_store {
    sqlite3* db;
    sqlite3_stmt* statement[MAX_STATEMENT]; ///< that write, kept for the next case
    int n_statement;
    char path[PATH_SIZE];
    bool is_copy; ///< of a database that another process writes; removed with the store
};

/// Programs of others read these tables (docs/guide/studies.md). Those with a key of their own are
/// stored without a row id, which would double the key.
static const char tables[] =
    "create table about (key text primary key, value text) without rowid;"
    "create table factors (id integer primary key, name text not null, unit text);"
    "create table levels (factor_id integer, id integer, name text not null, value real,"
    " settings text not null, primary key (factor_id, id)) without rowid;"
    "create table outputs (id integer primary key, name text not null, label text,"
    " column_name text not null, measure text not null, unit text);"
    "create table cases (id integer primary key, name text not null, settings text not null,"
    " state text not null default 'waiting', reason text, notes text, t_end real, steps integer,"
    " integrator text, tolerance real);"
    "create table case_levels (case_id integer, factor_id integer, level_id integer not null,"
    " primary key (case_id, factor_id)) without rowid;"
    "create table results (case_id integer, output_id integer, value real, t real, error_bar real,"
    " verdict text, low real, high real, primary key (case_id, output_id)) without rowid;"
    "create table signals (case_id integer, name text, unit text not null, data blob not null,"
    " primary key (case_id, name));"
    "create table scenes (case_id integer primary key, robot text not null, motion text,"
    " deviations text);"
    "create table ledgers (case_id integer, name text, value real, primary key (case_id, name))"
    " without rowid;"
    "create table effects (output_id integer, term text, n_factor integer not null, levels text,"
    " value real, average real, error_bar real, share real, verdict text not null,"
    " primary key (output_id, n_factor, term, levels)) without rowid;"
    "create table couplings (output_id integer, case_id integer, coupled real, sum real,"
    " sum_of_peaks real, rest real, rest_share real, ratio real, verdict text not null,"
    " primary key (output_id, case_id)) without rowid;"
    "create table deviations (output_id integer, case_id integer, kind text, data blob not null,"
    " primary key (output_id, case_id, kind));"
    "create table published (id integer primary key, text text not null, case_id integer,"
    " quantity text, value real, unit text, unit_factor real, bound text, tolerance real,"
    " note text, ours real, agrees integer);"
    "create table files (path text primary key, sha256 text not null, bytes integer not null)"
    " without rowid;"
    "create table case_builds (case_id integer primary key, build text not null);"
    "create table timing (case_id integer primary key, wall_time real, process text);";

/// Room for a text that a query finds.
typedef struct text_room {
    char* out;
    size_t size;
} text_room;

// ---- errors -----------------------------------------------------------------------------------

static const char in_use[] = "another study is writing it";

/// What SQLite says, in the words of the other messages; the code without its extended part.
static pkm_status fail(const pkm_store* store, pkm_error* err)
{
    const int code = store->db ? sqlite3_errcode(store->db) & 0xff : SQLITE_NOMEM;
    // SQLite's texts name its own files and codes; people need what to do about them
    if (code == SQLITE_NOMEM) return pkm_out_of_memory(err);
    const char* why = sqlite3_errmsg(store->db);
    if (code == SQLITE_FULL) why = "the disk is full";
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) why = in_use;
    if (code == SQLITE_CANTOPEN) why = "it cannot be opened or made";
    if (code == SQLITE_NOTADB) why = "it is not the database of a study";
    if (code == SQLITE_CORRUPT) why = "the database is damaged";
    return pkm_fail(err, PKM_ERR_FILE, "%s: %s", store->path, why);
}

// ---- opening ----------------------------------------------------------------------------------

static void close_database(pkm_store* store)
{
    for (int i = 0; i < store->n_statement; ++i)
        sqlite3_finalize(store->statement[i]);
    sqlite3_close(store->db);
}

/// Close without a word to the file: a database that is not ours stays as it is.
static void close_file(pkm_store* store)
{
    close_database(store);
    pkm_free(store);
}

/// Statements without parameters, all of them.
static pkm_status execute(pkm_store* store, const char* sql, pkm_error* err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? PKM_OK : fail(store, err);
}

static const char* const endings[] = {"", "-wal", "-shm",
                                      "-journal"}; // what SQLite keeps beside it

/// SQLite would wait for ever to read a named pipe.
static pkm_status check_files(const char* path, pkm_error* err)
{
    char name[PATH_SIZE + 16];
    struct stat info;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        if (stat(name, &info) == 0 && !S_ISREG(info.st_mode))
            return pkm_fail(err, PKM_ERR_FILE, "%s: it is not a file", name);
    }
    return PKM_OK;
}

/// Open with `pragmas`, which say how this process locks it.
static pkm_status open_file(const char* path, int flags, const char* pragmas, pkm_store** out,
                            pkm_error* err)
{
    *out = NULL;
    if (strlen(path) >= PATH_SIZE - 8)
        return pkm_fail(err, PKM_ERR_FILE, "%.60s...: too long a name", path);
    PKM_TRY(check_files(path, err));
    pkm_store* store = pkm_alloc(1, sizeof *store);
    if (!store) return pkm_out_of_memory(err);
    snprintf(store->path, sizeof store->path, "%s", path);
    pkm_status status = PKM_OK;
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK) status = fail(store, err);
    if (status == PKM_OK) status = execute(store, pragmas, err);
    if (status != PKM_OK) {
        close_file(store);
        return status;
    }
    *out = store;
    return PKM_OK;
}

// One process holds the file as long as it runs. The write-ahead log makes a commit cheap and
// survives a kill; it needs no shared memory with exclusive locking, so network disks do.
static const char to_write[] = "pragma locking_mode = exclusive; pragma journal_mode = wal;"
                               "pragma synchronous = normal;";

/// Remove a file and what belongs to it.
static pkm_status remove_all(const char* path, pkm_error* err)
{
    char name[PATH_SIZE + 16];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        if (unlink(name) != 0 && errno != ENOENT)
            return pkm_fail(err, PKM_ERR_FILE, "%s: cannot remove the old file: %s", name,
                            strerror(errno));
    }
    return PKM_OK;
}

/// All tables or none: a process may be killed here, too.
static pkm_status make_tables(pkm_store* store, pkm_error* err)
{
    char sql[80];
    snprintf(sql, sizeof sql, "pragma application_id = %d; pragma user_version = %d;", APPLICATION,
             FORMAT);
    pkm_status status = pkm_store_begin(store, err);
    if (status == PKM_OK) status = execute(store, sql, err);
    if (status == PKM_OK) status = execute(store, tables, err);
    if (status == PKM_OK) status = pkm_store_commit(store, err);
    if (status != PKM_OK) pkm_store_roll_back(store);
    return status;
}

pkm_status pkm_store_create(const char* path, pkm_store** out, pkm_error* err)
{
    *out = NULL;
    pkm_store* store = NULL;
    if (access(path, F_OK) == 0)
        return pkm_fail(err, PKM_ERR_FILE, "%s: there is a file by this name", path);
    PKM_TRY(open_file(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, to_write, &store, err));
    const pkm_status status = make_tables(store, err);
    if (status == PKM_OK)
        *out = store;
    else
        close_file(store);
    return status;
}

/// The one number of the one row.
static bool keep_integer(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    *(long long*)user = cell[0].integer;
    return false;
}

/// Whether the database is one of ours and can be read; *is_empty: without any table, which is what
/// is left of a process that was killed at its very start.
static pkm_status check_kind(pkm_store* store, bool* is_empty, pkm_error* err)
{
    long long kind = 0, format = 0, n_table = 0;
    PKM_TRY(pkm_store_query(store, "pragma application_id", NULL, 0, keep_integer, &kind, err));
    PKM_TRY(pkm_store_query(store, "pragma user_version", NULL, 0, keep_integer, &format, err));
    PKM_TRY(pkm_store_query(store, "select count(*) from sqlite_master", NULL, 0, keep_integer,
                            &n_table, err));
    *is_empty = kind == 0 && n_table == 0;
    if (*is_empty) return PKM_OK;
    if (kind != APPLICATION)
        return pkm_fail(err, PKM_ERR_FILE, "%s: it is not the database of a study", store->path);
    // older formats can be read: what they lack is unknown
    if (format == FORMAT || (format < FORMAT && sqlite3_db_readonly(store->db, "main")))
        return PKM_OK;
    return pkm_fail(err, PKM_ERR_FILE,
                    "%s: format %lld of another version of pkm, expected %d, so this study cannot "
                    "be continued",
                    store->path, format, FORMAT);
}

pkm_status pkm_store_open(const char* path, pkm_store** out, pkm_error* err)
{
    *out = NULL;
    if (access(path, R_OK | W_OK) != 0)
        return pkm_fail(err, PKM_ERR_FILE, "%s: %s", path, strerror(errno));
    pkm_store* store = NULL;
    bool is_empty = false;
    // a first look without a change: other databases keep their journal as it is
    PKM_TRY(
        open_file(path, SQLITE_OPEN_READWRITE, "pragma locking_mode = exclusive;", &store, err));
    pkm_status status = check_kind(store, &is_empty, err);
    if (status == PKM_OK) status = execute(store, to_write, err);
    if (status == PKM_OK && is_empty) status = make_tables(store, err);
    if (status == PKM_OK)
        *out = store;
    else
        close_file(store);
    return status;
}

/// Read what is there, and nothing else.
static pkm_status open_read_only(const char* path, pkm_store** out, pkm_error* err)
{
    pkm_store* store = NULL;
    bool is_empty = false;
    PKM_TRY(open_file(path, SQLITE_OPEN_READONLY, "pragma query_only = on;", &store, err));
    pkm_status status = check_kind(store, &is_empty, err);
    if (status == PKM_OK && is_empty)
        status = pkm_fail(err, PKM_ERR_FILE, "%s: there are no results in it yet", path);
    if (status == PKM_OK)
        *out = store;
    else
        close_file(store);
    return status;
}

/// Another process writes it: its log and the file belong together, so both are copied.
static pkm_status open_copy(const char* path, pkm_store** out, pkm_error* err)
{
    char copy[PATH_SIZE];
    PKM_TRY(pkm_store_copy(path, copy, sizeof copy, err));
    const pkm_status status = pkm_store_open(copy, out, err);
    if (status == PKM_OK)
        (*out)->is_copy = true;
    else
        pkm_store_remove_copy(copy);
    return status;
}

pkm_status pkm_store_read(const char* path, pkm_store** out, pkm_error* err)
{
    *out = NULL;
    if (access(path, R_OK) != 0)
        return pkm_fail(err, PKM_ERR_FILE, "%s: %s", path, strerror(errno));
    if (pkm_store_has_log(path)) return open_copy(path, out, err);
    pkm_error why = {.status = PKM_OK};
    const pkm_status status = open_read_only(path, out, &why);
    if (status == PKM_OK) return PKM_OK;
    if (strstr(why.text, in_use)) return open_copy(path, out, err); // it has just begun, or ended
    return pkm_fail(err, status, "%s", why.text);
}

/// Names with quotes are none of ours.
static bool add_drop(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    const text_room* room = user;
    const size_t used = strlen(room->out);
    if (cell[0].kind == PKM_CELL_TEXT && cell[0].size + 24 < room->size - used)
        snprintf(room->out + used, room->size - used, "drop table \"%s\";",
                 (const char*)cell[0].bytes);
    return true;
}

static pkm_status list_drops(pkm_store* store, char* sql, size_t size, pkm_error* err)
{
    text_room room = {sql, size};
    return pkm_store_query(store,
                           "select name from sqlite_master where type = 'table' and name not like "
                           "'sqlite_%' and name not like '%\"%'",
                           NULL, 0, add_drop, &room, err);
}

pkm_status pkm_store_clear(pkm_store* store, pkm_error* err)
{
    char sql[2048] = "";
    pkm_status status = pkm_store_begin(store, err);
    if (status == PKM_OK) status = list_drops(store, sql, sizeof sql, err);
    if (status == PKM_OK) status = execute(store, sql, err);
    if (status == PKM_OK) status = execute(store, tables, err);
    if (status == PKM_OK) status = pkm_store_commit(store, err);
    if (status != PKM_OK) pkm_store_roll_back(store);
    // gives the room back to the disk; outside of a transaction
    return status == PKM_OK ? execute(store, "vacuum", err) : status;
}

pkm_status pkm_store_remove_damaged(const char* path, pkm_error* err)
{
    unsigned char head[100] = {0};
    FILE* file = fopen(path, "rb");
    const size_t n = file ? fread(head, 1, sizeof head, file) : 0;
    if (file) fclose(file);
    // bytes 68 to 71 of the header are the application id, big-endian
    const unsigned kind = (unsigned)head[68] << 24 | (unsigned)head[69] << 16 |
                          (unsigned)head[70] << 8 | (unsigned)head[71];
    if (n < sizeof head || memcmp(head, "SQLite format 3", 16) != 0 || kind != APPLICATION)
        return pkm_fail(err, PKM_ERR_FILE,
                        "%s: it is not the database of a study, so it is not replaced; -o chooses "
                        "another folder",
                        path);
    return remove_all(path, err);
}

void pkm_store_free(pkm_store* store)
{
    if (!store) return;
    if (store->db && !sqlite3_db_readonly(store->db, "main"))
        // one file is left, which can be copied and mailed
        sqlite3_exec(store->db, "pragma journal_mode = delete", NULL, NULL, NULL);
    close_database(store);
    if (store->is_copy) pkm_store_remove_copy(store->path);
    pkm_free(store);
}

// ---- transactions -----------------------------------------------------------------------------

pkm_status pkm_store_begin(pkm_store* store, pkm_error* err)
{
    return execute(store, "begin immediate", err);
}

pkm_status pkm_store_commit(pkm_store* store, pkm_error* err)
{
    return execute(store, "commit", err);
}

void pkm_store_roll_back(pkm_store* store)
{
    if (!sqlite3_get_autocommit(store->db)) sqlite3_exec(store->db, "rollback", NULL, NULL, NULL);
}

// ---- cells ------------------------------------------------------------------------------------

pkm_cell pkm_cell_integer(long long value)
{
    return (pkm_cell){.kind = PKM_CELL_INTEGER, .integer = value};
}

pkm_cell pkm_cell_number(double value)
{
    return (pkm_cell){.kind = isnan(value) ? PKM_CELL_NULL : PKM_CELL_NUMBER, .number = value};
}

pkm_cell pkm_cell_text(const char* text)
{
    if (!text) return (pkm_cell){.kind = PKM_CELL_NULL};
    return (pkm_cell){.kind = PKM_CELL_TEXT, .bytes = text, .size = strlen(text)};
}

const char* pkm_cell_get_text(const pkm_cell* cell)
{
    return cell->kind == PKM_CELL_TEXT && cell->bytes ? cell->bytes : "";
}

pkm_cell pkm_cell_numbers(const double* value, int n)
{
    return (pkm_cell){.kind = PKM_CELL_BYTES, .bytes = value, .size = (size_t)n * sizeof(double)};
}

static int bind(sqlite3_stmt* statement, int at, const pkm_cell* cell)
{
    switch (cell->kind) {
    case PKM_CELL_INTEGER:
        return sqlite3_bind_int64(statement, at, cell->integer);
    case PKM_CELL_NUMBER:
        return sqlite3_bind_double(statement, at, cell->number);
    case PKM_CELL_TEXT:
        return sqlite3_bind_text(statement, at, cell->bytes, (int)cell->size, SQLITE_STATIC);
    case PKM_CELL_BYTES:
        // an empty blob is not NULL: SQLite tells them apart by the pointer
        return sqlite3_bind_blob64(statement, at, cell->size ? cell->bytes : "", cell->size,
                                   SQLITE_STATIC);
    case PKM_CELL_NULL:
        break;
    }
    return sqlite3_bind_null(statement, at);
}

static pkm_cell cell_of(sqlite3_stmt* statement, int at)
{
    switch (sqlite3_column_type(statement, at)) {
    // a whole number may have been written as a real one: both are given
    case SQLITE_INTEGER:
        return (pkm_cell){.kind = PKM_CELL_INTEGER,
                          .integer = sqlite3_column_int64(statement, at),
                          .number = sqlite3_column_double(statement, at)};
    case SQLITE_FLOAT:
        return pkm_cell_number(sqlite3_column_double(statement, at));
    case SQLITE_TEXT:
        return pkm_cell_text((const char*)sqlite3_column_text(statement, at));
    case SQLITE_BLOB:
        return (pkm_cell){.kind = PKM_CELL_BYTES,
                          .bytes = sqlite3_column_blob(statement, at),
                          .size = (size_t)sqlite3_column_bytes(statement, at)};
    default:
        return (pkm_cell){.kind = PKM_CELL_NULL, .number = NAN};
    }
}

// ---- statements -------------------------------------------------------------------------------

static bool ignore_row(void* user, const pkm_cell* cell, int n)
{
    (void)user, (void)cell, (void)n;
    return true;
}

static pkm_status step_all(pkm_store* store, sqlite3_stmt* statement, pkm_store_row row, void* user,
                           pkm_error* err)
{
    for (;;) {
        const int code = sqlite3_step(statement);
        if (code == SQLITE_DONE) return PKM_OK;
        if (code != SQLITE_ROW) return fail(store, err);
        pkm_cell cell[MAX_CELL];
        const int n = sqlite3_column_count(statement);
        PKM_ASSERT(n <= MAX_CELL);
        for (int i = 0; i < n; ++i)
            cell[i] = cell_of(statement, i);
        if (!row(user, cell, n)) return PKM_OK;
    }
}

static pkm_status run_statement(pkm_store* store, sqlite3_stmt* statement, const pkm_cell* cell,
                                int n, pkm_store_row row, void* user, pkm_error* err)
{
    int code = statement ? SQLITE_OK : SQLITE_ERROR;
    for (int i = 0; i < n && code == SQLITE_OK; ++i)
        code = bind(statement, i + 1, &cell[i]);
    return code == SQLITE_OK ? step_all(store, statement, row, user, err) : fail(store, err);
}

pkm_status pkm_store_query(pkm_store* store, const char* sql, const pkm_cell* cell, int n,
                           pkm_store_row row, void* user, pkm_error* err)
{
    sqlite3_stmt* statement = NULL;
    sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    const pkm_status status = run_statement(store, statement, cell, n, row, user, err);
    sqlite3_finalize(statement);
    return status;
}

/// A statement that was compiled before; NULL: none.
static sqlite3_stmt* find_statement(const pkm_store* store, const char* sql)
{
    for (int i = 0; i < store->n_statement; ++i)
        if (strcmp(sqlite3_sql(store->statement[i]), sql) == 0) return store->statement[i];
    return NULL;
}

/// Statements that write are few, and each case of a study needs all of them.
pkm_status pkm_store_run(pkm_store* store, const char* sql, const pkm_cell* cell, int n,
                         pkm_error* err)
{
    sqlite3_stmt* statement = find_statement(store, sql);
    if (!statement && store->n_statement == MAX_STATEMENT)
        return pkm_store_query(store, sql, cell, n, ignore_row, NULL, err);
    if (!statement && sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) == SQLITE_OK)
        // kept compiled: planning takes longer than running one
        store->statement[store->n_statement++] = statement;
    const pkm_status status = run_statement(store, statement, cell, n, ignore_row, NULL, err);
    if (statement) {
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement); // they point to the caller's memory
    }
    return status;
}

// ---- about ------------------------------------------------------------------------------------

static bool keep_text(void* user, const pkm_cell* cell, int n)
{
    (void)n;
    const text_room* room = user;
    if (cell[0].kind == PKM_CELL_TEXT)
        snprintf(room->out, room->size, "%s", (const char*)cell[0].bytes);
    return false;
}

pkm_status pkm_store_get_about(pkm_store* store, const char* key, char* out, size_t size,
                               pkm_error* err)
{
    const pkm_cell cell = pkm_cell_text(key);
    text_room room = {out, size};
    out[0] = '\0';
    return pkm_store_query(store, "select value from about where key = ?", &cell, 1, keep_text,
                           &room, err);
}

pkm_status pkm_store_put_about(pkm_store* store, const char* key, const char* value, pkm_error* err)
{
    const pkm_cell cell[] = {pkm_cell_text(key), pkm_cell_text(value)};
    return pkm_store_run(store, "insert or replace into about values (?, ?)", cell, 2, err);
}
