// Patterns of names.
#include "base/pattern.h"
#include "check.h"

static void a_plain_pattern_is_the_name_itself(void)
{
    CHECK(pkm_pattern_matches("A.left1", "A.left1"));
    CHECK(!pkm_pattern_matches("A.left1", "A.left"));
    CHECK(!pkm_pattern_matches("A.left", "A.left1"));
    CHECK(!pkm_pattern_matches("a.left1", "A.left1"));
    CHECK(pkm_pattern_matches("", ""));
    CHECK(!pkm_pattern_matches("", "A"));
}

static void a_star_stands_for_any_letters(void)
{
    CHECK(pkm_pattern_matches("*", "A.left1"));
    CHECK(pkm_pattern_matches("*", ""));
    CHECK(pkm_pattern_matches("A.*", "A.left1"));
    CHECK(!pkm_pattern_matches("A.*", "B.left1"));
    CHECK(pkm_pattern_matches("*1", "A.left1"));
    CHECK(pkm_pattern_matches("*left*", "A.left1"));
    CHECK(pkm_pattern_matches("**", "x"));
    CHECK(!pkm_pattern_matches("*2", "A.left1"));
}

// The first try of the star takes too little; it must give way.
static void a_star_goes_back(void)
{
    CHECK(pkm_pattern_matches("*ab", "aab"));
    CHECK(pkm_pattern_matches("*aab", "aaaab"));
    CHECK(pkm_pattern_matches("a*b*c", "abbbcbc"));
    CHECK(!pkm_pattern_matches("a*b*c", "abbbcb"));
}

static void a_question_mark_stands_for_one_letter(void)
{
    CHECK(pkm_pattern_matches("?.left?", "A.left1"));
    CHECK(!pkm_pattern_matches("?.left?", "A.left"));
    CHECK(!pkm_pattern_matches("?", ""));
    CHECK(pkm_pattern_matches("*?", "x"));
}

static void wild_patterns_are_told_from_names(void)
{
    CHECK(pkm_pattern_is_wild("A.*"));
    CHECK(pkm_pattern_is_wild("q?"));
    CHECK(!pkm_pattern_is_wild("A.left1"));
}

int main(void)
{
    RUN(a_plain_pattern_is_the_name_itself);
    RUN(a_star_stands_for_any_letters);
    RUN(a_star_goes_back);
    RUN(a_question_mark_stands_for_one_letter);
    RUN(wild_patterns_are_told_from_names);
    return check_report();
}
