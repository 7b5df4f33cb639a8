// How drives hold the robot in `pkm modes` and `pkm stiffness`.
#include "base/error.h"
#include "run/run_impl.h"

#include <string.h>

static const char* const words[] = {"locked", "free", NULL};

#define AT(member) offsetof(pkm_elastic_drive, member)
static const pkm_key keys[] = {{"stiffness", "of the drive, as a servo has it", PKM_KEY_NUMBER,
                                AT(stiffness), &pkm_dim_stiffness, PKM_RANGE_POSITIVE, .must = true,
                                .turns = true},
                               {"damping", "of the drive", PKM_KEY_NUMBER, AT(damping),
                                &pkm_dim_damping, PKM_RANGE_NOT_NEGATIVE, .turns = true},
                               {.name = NULL}};
#undef AT
static const pkm_section section = {"hold", "a drive that yields", .key = keys};
static const pkm_key forms[] = {
    {.kind = PKM_KEY_WORD, .words = words}, {.kind = PKM_KEY_MAP, .section = &section}, {0}};
const pkm_key pkm_hold_forms[] = {{.kind = PKM_KEY_WORD, .words = words},
                                  {.kind = PKM_KEY_MAP, .section = &section},
                                  {.kind = PKM_KEY_EACH, .either = forms},
                                  {0}};

/// `locked`, `free` or `{stiffness: ..., damping: ...}` for drive `d`.
static pkm_status read_one(pkm_run_reader* rr, const pkm_yaml* node, int d)
{
    pkm_elastic_drive* to = &rr->run->hold[d];
    int which = 0;
    // a map without a stiffness is refused by the section
    *to = (pkm_elastic_drive){.hold = PKM_ELASTIC_SPRING};
    rr->r.turns = rr->run->robot->mech->drive[d].is_rotary;
    if (node->kind == PKM_YAML_MAP) return pkm_keys_read(&rr->r, node, &section, to);
    PKM_TRY(pkm_reader_word(&rr->r, node, words, &which));
    to->hold = which ? PKM_ELASTIC_FREE : PKM_ELASTIC_LOCKED;
    return PKM_OK;
}

static pkm_status read_pattern(pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    int n = 0;
    for (int d = 0; d < mech->n_drive; ++d) {
        if (!pkm_run_means(node->key, mech->drive[d].name)) continue;
        PKM_TRY(read_one(rr, node, d));
        ++n;
    }
    return n > 0 ? PKM_OK : pkm_run_no_name(rr, node, pkm_run_drives(rr));
}

/// Is this for all drives, not a map with one for each pattern?
static bool is_for_all(const pkm_yaml* node)
{
    if (node->kind != PKM_YAML_MAP) return true; // whose items, if it is a list, have no keys
    for (const pkm_yaml* item = node->first; item; item = item->next)
        if (pkm_section_find(&section, item->key, NULL)) return true;
    return false;
}

pkm_status pkm_run_read_hold(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_run_reader* rr = pkm_run_reader_of(r);
    const bool for_all = is_for_all(node);
    (void)to;
    // drives that no pattern means stay locked
    for (const pkm_yaml* item = node->first; item && !for_all; item = item->next)
        PKM_TRY(read_pattern(rr, item));
    for (int d = 0; for_all && d < rr->run->robot->mech->n_drive; ++d)
        PKM_TRY(read_one(rr, node, d));
    return PKM_OK;
}
