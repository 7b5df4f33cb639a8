/// Studies with failing memory: the status is PKM_ERR_MEMORY, and nothing leaks (the sanitizer
/// build tells).
#include "base/memory.h"
#include "check.h"
#include "study/case.h"
#include "study/factorial.h"
#include "table/residual.h"
#include "table/spectrum.h"

#include <stdlib.h>
#include <unistd.h>

static char path[64];

static const char text[] = "study: 1\n"
                           "robot: " PKM_SOURCE_DIR "/robots/five-bar.yaml\n"
                           "analysis: inverse\n"
                           "instants: 5\n"
                           "outputs: {f: peak q1.force, w: dominant frequency q2.force}\n"
                           "factors: {pull: {off: {}, on: {tool_force: [1 N, 0, 0]}}}\n"
                           "published: [{text: x, value: 1 N m, output: f}]\n";

static bool write_study(void)
{
    snprintf(path, sizeof path, "/tmp/pkm-study-XXXXXX");
    const int file = mkstemp(path);
    const bool is_written = file >= 0 && write(file, text, sizeof text - 1) == sizeof text - 1;
    if (file >= 0) close(file);
    return is_written;
}

/// The next n to try: all small ones, then ever fewer.
static size_t next(size_t n)
{
    return n + 1 + n / 12;
}

static void reading_a_study(void)
{
    for (size_t n = 1;; n = next(n)) {
        pkm_study* study;
        pkm_error err;
        pkm_alloc_fail_at(n);
        const pkm_status status = pkm_study_read(path, NULL, 0, &study, &err);
        pkm_alloc_fail_at(0);
        CHECK(status == PKM_OK || status == PKM_ERR_MEMORY);
        CHECK((status == PKM_OK) == (study != NULL));
        pkm_study_free(study);
        if (status == PKM_OK && n > 20000) break;
        if (status != PKM_OK && status != PKM_ERR_MEMORY) break;
    }
}

static void running_and_sending_a_case(void)
{
    pkm_study* study;
    CHECK(pkm_study_read(path, NULL, 0, &study, NULL) == PKM_OK);
    if (!study) return;
    bool is_done = false;
    for (size_t n = 1; !is_done; n = next(n)) {
        pkm_case_result *result = NULL, *other = NULL;
        void* bytes = NULL;
        size_t size = 0;
        const pkm_task task = {.case_id = 1};
        pkm_alloc_fail_at(n);
        pkm_status status = pkm_case_run(study, task, NULL, NULL, &result, NULL);
        if (status == PKM_OK) status = pkm_case_pack(result, &bytes, &size, NULL);
        if (status == PKM_OK) status = pkm_case_unpack(bytes, size, &other, NULL);
        pkm_alloc_fail_at(0);
        CHECK(status == PKM_OK || status == PKM_ERR_MEMORY);
        is_done = status == PKM_OK && other->is_done;
        if (is_done) CHECK_NEAR(other->value[0].value, result->value[0].value, 0.0);
        pkm_free(bytes);
        pkm_case_free(result);
        pkm_case_free(other);
    }
    pkm_study_free(study);
}

static void shares_spectra_and_residuals(void)
{
    const pkm_grid grid = {.n_factor = 2, .n_case = 4, .n_level = {2, 2}};
    const double y[16] = {1, 2, 3, 5, 4, 2, 1, 0, 3, 2, 1, 2, 3, 1, 2, 2};
    double t[16], share[4];
    for (int k = 0; k < 16; ++k)
        t[k] = k;
    for (size_t n = 1; n < 12; ++n) {
        pkm_spectrum* spectrum;
        pkm_residual residual;
        pkm_alloc_fail_at(n);
        const pkm_status a = pkm_grid_shares(&grid, y, share, NULL);
        pkm_alloc_fail_at(n);
        const pkm_status b = pkm_spectrum_create(y, 16, 1.0, PKM_WINDOW_HANN, &spectrum, NULL);
        pkm_alloc_fail_at(n);
        const pkm_status c = pkm_residual_find(t, y, 16, 0.0, 0.02, 0.0, &residual, NULL);
        pkm_alloc_fail_at(0);
        CHECK(a == (n <= 3 ? PKM_ERR_MEMORY : PKM_OK));
        CHECK(b == (n <= 5 ? PKM_ERR_MEMORY : PKM_OK));
        CHECK(c == (n <= 5 ? PKM_ERR_MEMORY : PKM_OK));
        pkm_spectrum_free(spectrum);
    }
}

int main(void)
{
    if (!write_study()) return 1;
    RUN(reading_a_study);
    RUN(running_and_sending_a_case);
    RUN(shares_spectra_and_residuals);
    unlink(path);
    return check_report();
}
