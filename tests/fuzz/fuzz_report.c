// The folder of a run, as `pkm report` reads it: manifest, summary, scene, table, a picture. The
// first byte says which of them the bytes are.
#include "fuzz.h"

#include "verb/report_impl.h"

#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char* folder, const char* name, const void* data, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* out = fopen(path, "wb");
    FUZZ_CHECK(out && fwrite(data, 1, size, out) == size);
    fclose(out);
}

int fuzz_one(const uint8_t* data, size_t size)
{
    static const char* const name[] = {"manifest.json", "summary.json", "scene.json", "table.csv",
                                       "a.svg"};
    static const char manifest[] = "{\"program\": \"pkm\", \"files\": [\"a.svg\", \"table.csv\"]}";
    static char folder[128];
    if (size < 1) return 0;
    if (!folder[0]) {
        const char* above = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.80s/pkm-fuzz-XXXXXX", above ? above : "/tmp");
        FUZZ_CHECK(mkdtemp(folder));
    }
    write_file(folder, "manifest.json", manifest, sizeof manifest - 1);
    write_file(folder, name[data[0] % 5], data + 1, size - 1);
    char page[256];
    pkm_error err = {0};
    snprintf(page, sizeof page, "%s/report.html", folder);
    if (pkm_verb_report_write(folder, true, page, &err) != PKM_OK) FUZZ_CHECK(err.text[0]);
    for (int i = 0; i < 5; ++i) {
        snprintf(page, sizeof page, "%s/%s", folder, name[i]);
        unlink(page);
    }
    return 0;
}
