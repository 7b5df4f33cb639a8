#include "table/warnings.h"

#include "check.h"
#include "pkm/result.h"
#include "table/result.h"

#include <math.h>

static void a_warning_keeps_kind_time_and_sentence(void)
{
    pkm_warnings list = {0};
    pkm_warn(&list, "limit", 0.25, "qA: %g N m", 12.5);
    CHECK(list.n == 1 && list.item[0].t == 0.25);
    CHECK_TEXT(list.item[0].kind, "limit");
    CHECK_TEXT(list.item[0].text, "qA: 12.5 N m");
}

static void the_same_is_said_once(void)
{
    pkm_warnings list = {0};
    pkm_warn(&list, "limit", 0.1, "qA");
    pkm_warn(&list, "limit", 0.2, "qA");
    pkm_warn(&list, "flexible", 0.2, "qA");
    CHECK(list.n == 2 && list.item[0].t == 0.1);
}

static void what_finds_no_room_is_counted(void)
{
    pkm_warnings list = {0};
    for (int i = 0; i < PKM_MAX_WARNING + 3; ++i)
        pkm_warn(&list, "limit", NAN, "drive %d", i);
    CHECK(list.n == PKM_MAX_WARNING && list.lost == 3);
}

// People read how many are missing, from the first one on.
static void an_answer_says_how_many_are_missing(void)
{
    for (int n_lost = 0; n_lost <= 2; ++n_lost) {
        pkm_warnings list = {0};
        for (int i = 0; i < PKM_MAX_WARNING + n_lost; ++i)
            pkm_warn(&list, "limit", NAN, "drive %d", i);
        pkm_result* answer = pkm_result_create();
        pkm_result_warnings(answer, &list);
        const pkm_result* lost = pkm_result_find(answer, "_lost");
        CHECK((lost != NULL) == (n_lost > 0));
        if (lost) CHECK(pkm_result_value(lost, 0) == n_lost);
        pkm_result_free(answer);
    }
}

static void a_table_carries_its_warnings(void)
{
    pkm_table* table = pkm_table_create();
    pkm_warn(pkm_table_warnings(table), "limit", NAN, "qA");
    CHECK(pkm_table_get_warnings(table)->n == 1);
    pkm_table_free(table);
    pkm_warn(pkm_table_warnings(NULL), "limit", NAN, "to nobody");
    CHECK(pkm_table_get_warnings(NULL) == NULL);
}

int main(void)
{
    RUN(a_warning_keeps_kind_time_and_sentence);
    RUN(the_same_is_said_once);
    RUN(what_finds_no_room_is_counted);
    RUN(an_answer_says_how_many_are_missing);
    RUN(a_table_carries_its_warnings);
    return check_report();
}
