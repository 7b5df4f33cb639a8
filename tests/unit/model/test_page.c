// The examples of docs/reference/model-file.md, put together, are a model.
#include "check.h"
#include "model/description.h"
#include "model/source.h"

#include <stdlib.h>

static const char* const page_path = PKM_SOURCE_DIR "/docs/reference/model-file.md";
// The examples name files that are in the folder of the test data.
static const char* const model_path = PKM_SOURCE_DIR "/tests/unit/model/data/page.yaml";

/// The lines between ```yaml and ```, with the other lines empty: places are those of the page.
static char* take_examples(const char* page)
{
    char* out = calloc(strlen(page) + 1, 1);
    size_t used = 0;
    int inside = 0;
    for (const char* line = page; *line;) {
        const size_t n = strcspn(line, "\n");
        const int is_fence = strncmp(line, "```", 3) == 0;
        if (inside && !is_fence) {
            memcpy(out + used, line, n);
            used += n;
        }
        if (is_fence) inside = strncmp(line, "```yaml", 7) == 0;
        out[used++] = '\n';
        line += n + (line[n] == '\n');
    }
    return out;
}

static void the_examples_of_the_page_are_a_model(void)
{
    char* page = NULL;
    size_t length = 0;
    pkm_error err = {0};
    CHECK(pkm_source_read(page_path, 1 << 20, &page, &length, &err) == PKM_OK);
    if (!page) return;
    char* text = take_examples(page);
    pkm_description* desc = NULL;
    const pkm_status status =
        pkm_description_parse(text, strlen(text), model_path, NULL, 0, &desc, &err);
    CHECK(status == PKM_OK);
    if (status != PKM_OK) printf("    line %d:%d: %s\n", err.line, err.column, err.text);
    if (desc) {
        CHECK_TEXT(desc->name, "Example");
        CHECK(desc->n_body == 10 && desc->n_joint == 11 && desc->n_drive == 3);
        CHECK(desc->n_motion == 16 && desc->n_published == 3);
    }
    pkm_description_free(desc);
    free(text);
    pkm_free(page);
}

int main(void)
{
    RUN(the_examples_of_the_page_are_a_model);
    return check_report();
}
