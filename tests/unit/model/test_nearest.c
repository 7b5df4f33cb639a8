#include "check.h"
#include "model/nearest.h"

static const char* const keys[] = {"mass", "com", "inertia", "diameter", "points", NULL};

static const char* best(const char* word)
{
    pkm_nearest near = pkm_nearest_make(word);
    for (int i = 0; keys[i]; ++i)
        pkm_nearest_offer(&near, keys[i]);
    return near.best ? near.best : "none";
}

static void one_slip_is_found(void)
{
    CHECK_TEXT(best("diamter"), "diameter");   // dropped
    CHECK_TEXT(best("diiameter"), "diameter"); // added
    CHECK_TEXT(best("diameper"), "diameter");  // changed
    CHECK_TEXT(best("daimeter"), "diameter");  // swapped
    CHECK_TEXT(best("Mass"), "mass");
    CHECK_TEXT(best("MASS"), "mass");
    CHECK_TEXT(best("cmo"), "com");
}

static void another_word_is_not_near(void)
{
    CHECK_TEXT(best("velocity"), "none");
    CHECK_TEXT(best("x"), "none");
    CHECK_TEXT(best(""), "none");
}

static void the_nearest_of_two_wins(void)
{
    pkm_nearest near = pkm_nearest_make("crank2");
    pkm_nearest_offer(&near, "crank11");
    pkm_nearest_offer(&near, "crank1");
    pkm_nearest_offer(&near, "crank12");
    CHECK_TEXT(near.best, "crank1");
    CHECK_TEXT(pkm_nearest_hint(&near).text, ", did you mean 'crank1'?");
}

static void nothing_near_gives_no_hint(void)
{
    const pkm_nearest near = pkm_nearest_make("abc");
    CHECK_TEXT(pkm_nearest_hint(&near).text, "");
}

static void long_words_are_left_alone(void)
{
    char word[400];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    pkm_nearest near = pkm_nearest_make(word);
    pkm_nearest_offer(&near, "aa");
    pkm_nearest_offer(&near, word);
    CHECK(!near.best);
}

int main(void)
{
    RUN(one_slip_is_found);
    RUN(another_word_is_not_near);
    RUN(the_nearest_of_two_wins);
    RUN(nothing_near_gives_no_hint);
    RUN(long_words_are_left_alone);
    return check_report();
}
