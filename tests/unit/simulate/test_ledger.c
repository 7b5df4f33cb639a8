// The energy ledger: its list and its balance.
#include "simulate/ledger.h"

#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Every sum is listed once: those of the list and residual and scale fill the struct.
static void every_sum_is_listed_once(void)
{
    bool seen[sizeof(pkm_ledger) / sizeof(double)] = {false};
    int n = 0;
    const pkm_ledger_term* term;
    for (; (term = pkm_ledger_term_at(n)); ++n) {
        const size_t place = term->at / sizeof(double);
        CHECK(!seen[place]);
        seen[place] = true;
        CHECK(strlen(term->name) > 0 && strlen(term->key) > 0 && strlen(term->words) > 0);
    }
    CHECK(n == (int)(sizeof(pkm_ledger) / sizeof(double)) - 2);
    CHECK(!seen[offsetof(pkm_ledger, residual) / sizeof(double)]);
    CHECK(pkm_ledger_term_at(-1) == NULL);
}

// What is put in counts up, losses and what is stored count down.
static void the_balance_has_the_sign_of_each_sum(void)
{
    const pkm_ledger_term* term;
    for (int i = 0; (term = pkm_ledger_term_at(i)); ++i) {
        pkm_ledger l = {.exchanged = 4.0};
        memcpy((char*)&l + term->at, &(double){2.0}, sizeof(double));
        CHECK(pkm_ledger_get(&l, term) == 2.0);
        pkm_ledger_balance(&l);
        const bool is_put_in = strcmp(term->name, "drive") == 0 ||
                               strcmp(term->name, "load") == 0 ||
                               strcmp(term->name, "payload") == 0;
        CHECK(l.residual == (is_put_in ? 2.0 : -2.0));
        CHECK(pkm_ledger_share(&l) == 0.5);
    }
}

static void nothing_is_known_of_an_unknown_one(void)
{
    const pkm_ledger l = pkm_ledger_unknown();
    const pkm_ledger_term* term;
    for (int i = 0; (term = pkm_ledger_term_at(i)); ++i)
        CHECK(isnan(pkm_ledger_get(&l, term)));
    CHECK(isnan(l.residual) && isnan(l.exchanged));
    CHECK(pkm_ledger_share(&l) == 0.0);
}

int main(void)
{
    RUN(every_sum_is_listed_once);
    RUN(the_balance_has_the_sign_of_each_sum);
    RUN(nothing_is_known_of_an_unknown_one);
    return check_report();
}
