#include "check.h"
#include "model/name_index.h"
#include "pkm/types.h"

enum { MANY = 5000 };

static char name[MANY][16];
static int n_asked;

/// "n0", "n1" ..., the last one again "n7".
static void write_names(void)
{
    for (int i = 0; i < MANY; ++i)
        snprintf(name[i], sizeof name[i], "n%d", i == MANY - 1 ? 7 : i);
}

/// Counts how often a name is looked at.
static const char* name_of(const void* list, int i)
{
    (void)list;
    ++n_asked;
    return name[i];
}

static void names_are_found_while_the_list_grows(void)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_name_index index = {0};
    CHECK(pkm_name_index_find(&index, name_of, NULL, "n0") == PKM_NONE);
    for (int n = 1; n < 300; ++n) {
        char last[16], next[16];
        CHECK(pkm_name_index_grow(&index, arena, name_of, NULL, n));
        snprintf(last, sizeof last, "n%d", n - 1);
        snprintf(next, sizeof next, "n%d", n);
        CHECK_NEAR(pkm_name_index_find(&index, name_of, NULL, last), n - 1, 0.0);
        CHECK_NEAR(pkm_name_index_find(&index, name_of, NULL, next), PKM_NONE, 0.0);
        CHECK_NEAR(pkm_name_index_find(&index, name_of, NULL, "n0"), 0, 0.0);
    }
    pkm_arena_free(arena);
}

static void of_equal_names_the_first_is_found(void)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_name_index index = {0};
    CHECK(pkm_name_index_grow(&index, arena, name_of, NULL, MANY));
    CHECK_NEAR(pkm_name_index_find(&index, name_of, NULL, "n7"), 7, 0.0);
    pkm_arena_free(arena);
}

// A search of the list would look at 12.5 million names; slots are at most half full.
static void finding_all_names_is_linear_in_their_number(void)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_name_index index = {0};
    n_asked = 0;
    for (int n = 1; n <= MANY; ++n) {
        CHECK(pkm_name_index_grow(&index, arena, name_of, NULL, n));
        CHECK(pkm_name_index_find(&index, name_of, NULL, "n0") == 0);
    }
    CHECK(n_asked < 20 * MANY);
    pkm_arena_free(arena);
}

int main(void)
{
    write_names();
    RUN(names_are_found_while_the_list_grows);
    RUN(of_equal_names_the_first_is_found);
    RUN(finding_all_names_is_linear_in_their_number);
    return check_report();
}
