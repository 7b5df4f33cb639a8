#include "study/scheduler.h"

#include "check.h"
#include "study/record.h"

#include <stdlib.h>
#include <unistd.h>

// A study of 16 synthetic cases; a workers that answers out of order, dies, and repeats.

static char folder[64], path[96];
static const pkm_yaml nothing = {.kind = PKM_YAML_MAP, .text = ""};
static pkm_study_output output = {
    .name = "y", .label = "y", .column = "y", .measure = PKM_MEASURE_PEAK, .unit = "m"};
static pkm_study_level level[2] = {{.name = "off", .value = NAN, .settings = &nothing},
                                   {.name = "on", .value = NAN, .settings = &nothing}};

static pkm_study make_study(void)
{
    static const char* const name[] = {"a", "b", "c", "d"};
    pkm_study study = {.file = "s.yaml",
                       .name = "s",
                       .description = "",
                       .source = "",
                       .robot_file = "r.yaml",
                       .robot_name = "r",
                       .motion = "m",
                       .root = &nothing,
                       .verify = true,
                       .hash = "abc",
                       .n_output = 1,
                       .output = &output,
                       .n_factor = 4,
                       .n_case = 16};
    for (int f = 0; f < 4; ++f)
        study.factor[f] = (pkm_study_factor){.name = name[f], .n_level = 2, .level = level};
    return study;
}

enum { N_WORKER = 3 };

typedef struct fake_workers {
    pkm_workers base;
    pkm_task task[N_WORKER];
    int n_given;
    int die_at;         ///< the task of this number kills its worker, again and again
    int deadly;         ///< case of that task
    int stop_at;        ///< tasks after which the study is interrupted
    int n_repeat;       ///< of each case
    pkm_task order[64]; ///< in which tasks were given
    int owed[16];       ///< repetitions of cases whose own result has come
    int arrived;        ///< case whose own result came last: it may not have been looked at
    int n_shorter;      ///< repetitions given while a longer case owed some
} fake_workers;

static double time_of(int case_id)
{
    return 1.0 + case_id % 4;
}

static void look_at_repetition(fake_workers* workers, pkm_task task)
{
    bool is_shorter = false;
    for (int id = 0; id < 16; ++id)
        is_shorter |=
            id != workers->arrived && workers->owed[id] > 0 && time_of(id) > time_of(task.case_id);
    workers->n_shorter += is_shorter;
    --workers->owed[task.case_id];
}

static pkm_status give(pkm_workers* base, int w, pkm_task task, pkm_error* err)
{
    fake_workers* workers = (fake_workers*)base;
    (void)err;
    workers->task[w] = task;
    workers->order[workers->n_given % 64] = task;
    if (task.part > 0) look_at_repetition(workers, task);
    if (++workers->n_given == workers->die_at) workers->deadly = task.case_id;
    return PKM_OK;
}

/// Value of a case and of its repetitions, which differ a little.
static double value_of(pkm_task task)
{
    return 10.0 * task.case_id + 0.5 * task.part;
}

static pkm_status receive(pkm_workers* base, double seconds, pkm_parcel* out, pkm_error* err)
{
    fake_workers* workers = (fake_workers*)base;
    (void)seconds;
    workers->arrived = PKM_NONE;
    const int w = rand() % N_WORKER; // in any order
    const pkm_task task = workers->task[w];
    *out = (pkm_parcel){.worker = task.case_id == PKM_NONE ? PKM_NONE : w};
    if (task.case_id == PKM_NONE) return PKM_OK;
    if (task.case_id == workers->deadly) {
        snprintf(out->why, sizeof out->why, "its process fell over");
        return PKM_OK;
    }
    workers->task[w].case_id = PKM_NONE;
    if (task.part == 0) workers->owed[workers->arrived = task.case_id] = workers->n_repeat;
    pkm_case_value value = {.value = value_of(task), .t = 1.0, .spread = pkm_spread_none()};
    const pkm_case_result result = {.case_id = task.case_id,
                                    .part = task.part,
                                    .wall_time = time_of(task.case_id),
                                    .n_repeat = task.part ? 0 : workers->n_repeat,
                                    .is_done = true,
                                    .n_value = 1,
                                    .value = &value};
    return pkm_case_pack(&result, &out->bytes, &out->size, err);
}

static void name(const pkm_workers* base, int w, char* out, size_t size)
{
    (void)base;
    snprintf(out, size, "fake %d", w);
}

static fake_workers make_workers(void)
{
    fake_workers workers = {
        .base = {.n_worker = N_WORKER, .give = give, .receive = receive, .name = name},
        .die_at = -1,
        .deadly = -1,
        .arrived = PKM_NONE,
        .stop_at = -1};
    for (int w = 0; w < N_WORKER; ++w)
        workers.task[w].case_id = PKM_NONE;
    return workers;
}

static bool go_on(void* user, int n_done, int n_all)
{
    const fake_workers* workers = user;
    return n_done < n_all && !(workers->stop_at >= 0 && workers->n_given >= workers->stop_at);
}

typedef struct rows {
    int n;
    double value[16], low[16], high[16], bar[16];
    bool is_done[16];
    char reason[16][80];
} rows;

static bool take_row(void* user, const pkm_cell* cell, int n)
{
    rows* r = user;
    const long long id = cell[0].integer;
    (void)n;
    r->is_done[id] = strcmp(cell[1].bytes, "done") == 0;
    snprintf(r->reason[id], sizeof r->reason[id], "%s",
             cell[2].bytes ? (const char*)cell[2].bytes : "");
    r->value[id] = cell[3].number;
    r->bar[id] = cell[4].number;
    r->low[id] = cell[5].number;
    r->high[id] = cell[6].number;
    ++r->n;
    return true;
}

static rows read_rows(pkm_store* store)
{
    rows r = {.n = 0};
    CHECK(pkm_store_query(store,
                          "select id, state, reason, value, error_bar, low, high from cases left "
                          "join results on id = case_id",
                          NULL, 0, take_row, &r, NULL) == PKM_OK);
    return r;
}

static void every_case_is_committed_once_in_whatever_order(void)
{
    const pkm_study study = make_study();
    pkm_store* store;
    pkm_scheduler_report report;
    fake_workers workers = make_workers();
    unlink(path);
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    CHECK(pkm_record_study(store, &study, NULL) == PKM_OK);
    CHECK(pkm_scheduler_run(&study, store, &workers.base, go_on, &workers, &report, NULL) ==
          PKM_OK);
    CHECK(report.n_done == 16 && report.n_failed == 0 && workers.n_given == 16);
    const rows r = read_rows(store);
    CHECK(r.n == 16);
    for (int id = 0; id < 16; ++id)
        CHECK_NEAR(r.value[id], 10.0 * id, 0.0);
    pkm_store_free(store);
}

static void repetitions_widen_the_range_of_their_own_case(void)
{
    const pkm_study study = make_study();
    pkm_store* store;
    pkm_scheduler_report report;
    fake_workers workers = make_workers();
    workers.n_repeat = 2;
    unlink(path);
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    CHECK(pkm_record_study(store, &study, NULL) == PKM_OK);
    CHECK(pkm_scheduler_run(&study, store, &workers.base, go_on, &workers, &report, NULL) ==
          PKM_OK);
    CHECK(report.n_done == 16 && workers.n_given == 48);
    const rows r = read_rows(store);
    for (int id = 0; id < 16; ++id) {
        CHECK_NEAR(r.value[id], 10.0 * id, 0.0);
        CHECK_NEAR(r.low[id], 10.0 * id, 0.0);
        CHECK_NEAR(r.high[id], 10.0 * id + 1.0, 0.0);
        CHECK_NEAR(r.bar[id], 1.0, 0.0);
    }
    pkm_store_free(store);
}

// The last cases, four for each worker, are begun together; what is left then are repetitions,
// those of longer cases first as far as these are known. Before that repetitions follow their case.
static void the_end_has_nothing_but_repetitions(void)
{
    const pkm_study study = make_study();
    pkm_store* store;
    pkm_scheduler_report report;
    fake_workers workers = make_workers();
    const int n_last = 4 * N_WORKER;
    int n_begun = 0, n_owed = 0, most = 0, last_case = 0;
    workers.n_repeat = 3;
    unlink(path);
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    CHECK(pkm_record_study(store, &study, NULL) == PKM_OK);
    CHECK(pkm_scheduler_run(&study, store, &workers.base, go_on, &workers, &report, NULL) ==
          PKM_OK);
    CHECK(report.n_done == 16 && workers.n_given == 64);
    for (int k = 0; k < 64; ++k) {
        const bool is_case = workers.order[k].part == 0;
        n_begun += is_case;
        n_owed += is_case ? 3 : -1;
        if (is_case) last_case = k;
        if (n_begun <= 16 - n_last && n_owed > most) most = n_owed;
    }
    CHECK(last_case <= 63 - 3 * n_last); // all repetitions of the last ones follow
    CHECK(most <= 3 * (N_WORKER + 1));   // one more is begun while a result is taken
    CHECK(workers.n_shorter == 0);
    pkm_store_free(store);
}

static void a_case_that_kills_its_process_fails_after_a_second_try(void)
{
    const pkm_study study = make_study();
    pkm_store* store;
    pkm_scheduler_report report;
    fake_workers workers = make_workers();
    workers.die_at = 5;
    unlink(path);
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    CHECK(pkm_record_study(store, &study, NULL) == PKM_OK);
    CHECK(pkm_scheduler_run(&study, store, &workers.base, NULL, NULL, &report, NULL) == PKM_OK);
    CHECK(report.n_done == 15 && report.n_failed == 1 && workers.n_given == 17);
    const rows r = read_rows(store);
    CHECK(!r.is_done[workers.deadly]);
    CHECK_TEXT(r.reason[workers.deadly], "its process fell over, 2 times");

    // Memory may have been short: it is tried again, alone, when the study is resumed.
    CHECK(pkm_record_resume(store, &study, false, NULL) == PKM_OK);
    workers = make_workers();
    CHECK(pkm_scheduler_run(&study, store, &workers.base, NULL, NULL, &report, NULL) == PKM_OK);
    CHECK(report.n_before == 15 && report.n_done == 1 && report.n_failed == 0);
    CHECK(workers.n_given == 1);
    pkm_store_free(store);
}

static void another_build_must_be_accepted(void)
{
    const pkm_study study = make_study();
    pkm_store* store;
    pkm_error err = {0};
    unlink(path);
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    CHECK(pkm_record_study(store, &study, NULL) == PKM_OK);
    CHECK(pkm_store_run(store, "update about set value = 'other' where key = 'build'", NULL, 0,
                        NULL) == PKM_OK);
    CHECK(pkm_record_resume(store, &study, false, &err) == PKM_ERR_ARGUMENT);
    CHECK_CONTAINS(err.text, "build other of pkm began this study");
    CHECK_CONTAINS(err.text, "--accept-build");
    CHECK(pkm_record_resume(store, &study, true, &err) == PKM_OK);
    pkm_store_free(store);
}

static void interrupted_work_goes_on_later(void)
{
    const pkm_study study = make_study();
    pkm_store* store;
    pkm_scheduler_report report;
    fake_workers workers = make_workers();
    workers.stop_at = 7;
    unlink(path);
    CHECK(pkm_store_create(path, &store, NULL) == PKM_OK);
    CHECK(pkm_record_study(store, &study, NULL) == PKM_OK);
    CHECK(pkm_scheduler_run(&study, store, &workers.base, go_on, &workers, &report, NULL) ==
          PKM_OK);
    CHECK(report.interrupted);
    const int before = report.n_done;
    CHECK(before > 0 && before < 16);
    pkm_store_free(store);

    CHECK(pkm_store_open(path, &store, NULL) == PKM_OK);
    CHECK(pkm_record_resume(store, &study, false, NULL) == PKM_OK);
    workers = make_workers();
    CHECK(pkm_scheduler_run(&study, store, &workers.base, go_on, &workers, &report, NULL) ==
          PKM_OK);
    CHECK(!report.interrupted && report.n_before == before && report.n_done == 16 - before);
    CHECK(workers.n_given == 16 - before);
    pkm_store_free(store);
}

int main(void)
{
    srand(1);
    snprintf(folder, sizeof folder, "/tmp/pkm-scheduler-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/study.sqlite", folder);
    RUN(every_case_is_committed_once_in_whatever_order);
    RUN(repetitions_widen_the_range_of_their_own_case);
    RUN(the_end_has_nothing_but_repetitions);
    RUN(a_case_that_kills_its_process_fails_after_a_second_try);
    RUN(interrupted_work_goes_on_later);
    RUN(another_build_must_be_accepted);
    unlink(path);
    rmdir(folder);
    return check_report();
}
