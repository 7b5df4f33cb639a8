#include "write/manifest.h"

#include "base/memory.h"
#include "base/sha256.h"
#include "check.h"
#include "unit/write/scratch_folder.h"

static const char* digest(const char* text)
{
    static char out[PKM_SHA256_SIZE];
    pkm_sha256 sha = pkm_sha256_make();
    pkm_sha256_add(&sha, text, strlen(text));
    pkm_sha256_finish(&sha, out);
    return out;
}

// The examples of FIPS 180-4 and of NIST's test vectors.
static void sha256_meets_the_published_digests(void)
{
    CHECK_TEXT(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_TEXT(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_TEXT(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");

    pkm_sha256 sha = pkm_sha256_make();
    char a[1000], text[PKM_SHA256_SIZE];
    memset(a, 'a', sizeof a);
    for (int k = 0; k < 1000; ++k)
        pkm_sha256_add(&sha, a, sizeof a);
    pkm_sha256_finish(&sha, text);
    CHECK_TEXT(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void a_file_has_the_digest_of_its_bytes(void)
{
    FILE* file = fopen(scratch_path("abc"), "w");
    fputs("abc", file);
    fclose(file);
    char text[PKM_SHA256_SIZE];
    CHECK(pkm_sha256_file(scratch_path("abc"), text, NULL) == PKM_OK);
    CHECK_TEXT(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

    pkm_error err = {0};
    CHECK(pkm_sha256_file(scratch_path("none"), text, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "none: cannot read: No such file or directory");
    CHECK(pkm_sha256_file(scratch_folder, text, &err) == PKM_ERR_FILE);
    CHECK_CONTAINS(err.text, "Is a directory");
}

static pkm_manifest full_manifest(void)
{
    static const pkm_manifest_option option[] = {{"motion", "paper"}, {"verbose", NULL}};
    static const pkm_manifest_result result[] = {{"absmax q1.force", 4.3, "N"},
                                                 {"condition", INFINITY, NULL}};
    static const char* const file[] = {"table.csv"};
    return (pkm_manifest){.command = "pkm inverse \"a b.yaml\"",
                          .model_path = "a b.yaml",
                          .model_hash = "ba78",
                          .robot = "delta",
                          .option = option,
                          .n_option = 2,
                          .result = result,
                          .n_result = 2,
                          .file = file,
                          .n_file = 1,
                          .wall_time = 0.25};
}

/// The file that is written of a manifest; to be freed.
static char* text_of(const pkm_manifest* manifest)
{
    CHECK(pkm_manifest_write(manifest, scratch_path("manifest.json"), NULL) == PKM_OK);
    return scratch_read(scratch_path("manifest.json"));
}

static void the_text_holds_what_the_run_was(void)
{
    setenv("SOURCE_DATE_EPOCH", "86400", 1);
    const pkm_manifest manifest = full_manifest();
    char* text = text_of(&manifest);
    CHECK_CONTAINS(text, "\"program\": \"pkm\"");
    CHECK_CONTAINS(text, "\"version\": \"");
    CHECK_CONTAINS(text, "\"command\": \"pkm inverse \\\"a b.yaml\\\"\"");
    CHECK_CONTAINS(text, "\"sha256\": \"ba78\"");
    CHECK_CONTAINS(text, "\"robot\": \"delta\"");
    CHECK_CONTAINS(text, "\"name\": \"verbose\",\n      \"value\": null");
    CHECK_CONTAINS(text, "\"date\": \"1970-01-02T00:00:00Z\"");
    CHECK_CONTAINS(text, "\"architecture\": \"");
    CHECK_CONTAINS(text, "\"wall_time_s\": 0.25");
    CHECK_CONTAINS(text,
                   "\"name\": \"absmax q1.force\",\n      \"value\": 4.3,\n      \"unit\": \"N\"");
    CHECK_CONTAINS(text, "\"name\": \"condition\",\n      \"value\": null");
    CHECK_CONTAINS(text, "\"files\": [\n    \"table.csv\"\n  ]");
    free(text);
    unsetenv("SOURCE_DATE_EPOCH");
}

static void an_empty_manifest_and_a_bad_epoch_are_written(void)
{
    setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
    const pkm_manifest manifest = {0};
    char* text = text_of(&manifest);
    CHECK_CONTAINS(text, "\"command\": null");
    CHECK_CONTAINS(text, "\"options\": []");
    CHECK_CONTAINS(text, "\"date\": \"20");
    free(text);
    unsetenv("SOURCE_DATE_EPOCH");
}

static void failing_memory_is_reported(void)
{
    const pkm_manifest manifest = full_manifest();
    pkm_status status = PKM_ERR_MEMORY;
    for (size_t n = 1; status == PKM_ERR_MEMORY && n < 20; ++n) {
        scratch_clear();
        pkm_alloc_fail_at(n);
        status = pkm_manifest_write(&manifest, scratch_path("manifest.json"), NULL);
        pkm_alloc_fail_at(0);
        CHECK(scratch_count() == (status == PKM_OK));
    }
    CHECK(status == PKM_OK);
}

int main(void)
{
    if (!scratch_create()) return 1;
    RUN(sha256_meets_the_published_digests);
    RUN(a_file_has_the_digest_of_its_bytes);
    RUN(the_text_holds_what_the_run_was);
    RUN(an_empty_manifest_and_a_bad_epoch_are_written);
    RUN(failing_memory_is_reported);
    scratch_remove();
    return check_report();
}
