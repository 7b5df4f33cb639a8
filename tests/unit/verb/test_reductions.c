/// Equal flexible links are reduced once, whatever is asked: counted, by verb, where SIAX bends in
/// its six equal rods. docs/theory/flexible.md, section 6.
#include "beam/reduce.h"
#include "pkm/verb.h"

#include "check.h"
#include "unit/write/scratch_folder.h"

#include <sys/mman.h>

#define SIAX PKM_SOURCE_DIR "/robots/siax.yaml"

static int* n_reduction; ///< workers of a study count in it, too

pkm_status __real_pkm_beam_reduce(const pkm_beam_mesh* mesh, int n_boundary, const int* boundary,
                                  const pkm_beam_reduction* settings, pkm_beam_modes** out,
                                  pkm_error* err);
pkm_status __wrap_pkm_beam_reduce(const pkm_beam_mesh* mesh, int n_boundary, const int* boundary,
                                  const pkm_beam_reduction* settings, pkm_beam_modes** out,
                                  pkm_error* err);

pkm_status __wrap_pkm_beam_reduce(const pkm_beam_mesh* mesh, int n_boundary, const int* boundary,
                                  const pkm_beam_reduction* settings, pkm_beam_modes** out,
                                  pkm_error* err)
{
    ++*n_reduction;
    return __real_pkm_beam_reduce(mesh, n_boundary, boundary, settings, out, err);
}

/// Reductions of a call of `verb` with these words.
static int count(const char* verb, int n, const char* const* word)
{
    pkm_error err = {0};
    pkm_call* call = NULL;
    *n_reduction = 0;
    pkm_status status = pkm_call_create(verb, &call, &err);
    if (status == PKM_OK) status = pkm_call_words(call, n, word, &err);
    if (status == PKM_OK) status = pkm_call_run(call, &err);
    CHECK_TEXT(err.text, "");
    CHECK(status == PKM_OK);
    pkm_call_free(call);
    return *n_reduction;
}

/// Those of an analysis with `options`, words apart by '|', where the rods of SIAX bend as `how`
/// says.
static int reductions(const char* verb, const char* options, const char* how)
{
    char text[512], *rest = text;
    const char* word[24];
    int n = 0;
    snprintf(text, sizeof text, "%s|--flexible|left: %s|--flexible|right: %s|%s", SIAX, how, how,
             options);
    for (char* w = strtok_r(text, "|", &rest); w; w = strtok_r(NULL, "|", &rest))
        word[n++] = w;
    return count(verb, n, word);
}

typedef struct asked {
    const char *verb, *options;
    /// Where a link's modes are chosen by number, where that is left open, and where it is with a
    /// ratio of damping, which belongs to modes: `modes` and `stiffness` take the whole mesh or all
    /// its modes then (maps: twenty), which is another reduction than that of reading the run.
    int chosen, open, damped;
} asked;

static void equal_rods_are_reduced_once(void)
{
    static const asked all[] = {
        {"modes", "", 1, 1, 2},
        {"modes", "--weight", 1, 1, 2},
        {"modes", "--along|paper|--points|2", 1, 2, 2},
        {"modes", "--map|--points|3", 1, 2, 2},
        {"modes", "--response|1..10|--points|3|--shake|x", 1, 1, 2},
        {"stiffness", "", 1, 1, 2},
        {"stiffness", "--map|--points|3", 1, 2, 2},
        {"simulate", "--motion|paper|--for|1 ms|--instants|2", 1, 1, 1},
        {"simulate", "--motion|paper|--for|1 ms|--instants|2|--start|static", 1, 1, 1},
        {"elastodynamics", "--motion|paper|--for|1 ms|--instants|2", 1, 1, 1},
        {"elastodynamics", "--motion|paper|--for|1 ms|--instants|2|--start|static", 1, 1, 1},
        {"elastodynamics", "--motion|paper|--for|1 ms|--instants|2|--stiffening", 1, 1, 1},
        {"elastodynamics", "--motion|paper|--for|1 ms|--instants|2|--verify", 1, 1, 1},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        const asked* a = &all[k];
        const int n[] = {reductions(a->verb, a->options, "{elements: 4, modes: 6}"),
                         reductions(a->verb, a->options, "{elements: 4}"),
                         reductions(a->verb, a->options, "{elements: 4, damping: 0.01}")};
        CHECK(n[0] == a->chosen && n[1] == a->open && n[2] == a->damped);
    }
}

static void an_fmu_reduces_them_once(void)
{
    const char* const word[] = {SIAX, "--run", PKM_SOURCE_DIR "/runs/siax-flexible.yaml", "-o",
                                scratch_path("siax.fmu")};
    CHECK(count("export fmu", 5, word) == 1);
}

// Its levels are tried when it is read, and its cases run in processes of their own.
static void a_study_reduces_each_kind_once(void)
{
    FILE* file = fopen(scratch_path("study.yaml"), "w");
    CHECK(file != NULL);
    if (!file) return;
    fputs("study: 1\nrobot: " SIAX "\nmotion: paper\nfor: 1 ms\ninstants: 2\n"
          "outputs: {torque: {column: qA.force, measure: peak}}\n"
          "factors:\n"
          "  rods:\n"
          "    stiff: {}\n"
          "    four: {flexible: {left: {elements: 4}, right: {elements: 4}}}\n"
          "    six: {flexible: {left: {elements: 6}, right: {elements: 6}}}\n",
          file);
    CHECK(fclose(file) == 0);
    const char* const word[] = {scratch_path("study.yaml"), "-o", scratch_path("out"), "-j", "1"};
    CHECK(count("study", 5, word) == 2);
}

int main(void)
{
    n_reduction =
        mmap(NULL, sizeof *n_reduction, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n_reduction == MAP_FAILED || !scratch_create()) return 1;
    RUN(an_fmu_reduces_them_once);
    RUN(a_study_reduces_each_kind_once);
    RUN(equal_rods_are_reduced_once);
    char remove_all[512];
    snprintf(remove_all, sizeof remove_all, "rm -r '%s'", scratch_folder);
    CHECK(system(remove_all) == 0);
    return check_report();
}
