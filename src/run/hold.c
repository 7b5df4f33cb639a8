// How drives hold the robot in `pkm modes` and `pkm stiffness`.
#include "base/error.h"
#include "run/run_impl.h"

#include <string.h>

/// `locked`, `free` or `{stiffness: ..., damping: ...}` for drive `d`.
static pkm_status read_one(pkm_run_reader* rr, const pkm_yaml* node, int d)
{
    static const char* const words[] = {"locked", "free", NULL};
    static const char* const keys[] = {"!stiffness", "damping", NULL};
    const pkm_dimension shift = {0, 2, -4, 0}, turn = {4, 2, -4, -2}; // N/m, N m/rad
    const pkm_dimension shift_damping = {0, 2, -2, 0}, turn_damping = {4, 2, -2, -2}; // N s/m, ...
    const bool is_rotary = rr->run->robot->mech->drive[d].is_rotary;
    pkm_elastic_drive* to = &rr->run->hold[d];
    *to = (pkm_elastic_drive){.hold = PKM_ELASTIC_LOCKED};
    if (node->kind != PKM_YAML_MAP) {
        int which = 0;
        PKM_TRY(pkm_reader_word(&rr->r, node, words, &which));
        to->hold = which ? PKM_ELASTIC_FREE : PKM_ELASTIC_LOCKED;
        return PKM_OK;
    }
    to->hold = PKM_ELASTIC_SPRING;
    PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
    PKM_TRY(pkm_reader_number(&rr->r, pkm_yaml_get(node, "stiffness"), is_rotary ? turn : shift,
                              PKM_RANGE_POSITIVE, &to->stiffness));
    return pkm_reader_optional(&rr->r, pkm_yaml_get(node, "damping"),
                               is_rotary ? turn_damping : shift_damping, PKM_RANGE_NOT_NEGATIVE,
                               &to->damping);
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
    if (n > 0) return PKM_OK;
    pkm_nearest near = pkm_nearest_make(node->key);
    for (int d = 0; d < mech->n_drive; ++d)
        pkm_nearest_offer(&near, mech->drive[d].name);
    pkm_yaml at = *node->parent;
    at.place = node->key_place;
    return pkm_reader_fail(&rr->r, &at, "'%.60s' is no drive%s", node->key,
                           pkm_nearest_hint(&near).text);
}

pkm_status pkm_run_read_hold(pkm_run_reader* rr, const pkm_yaml* node)
{
    const bool is_map = node->kind == PKM_YAML_MAP;
    if (is_map && !pkm_yaml_get(node, "stiffness") && !pkm_yaml_get(node, "damping")) {
        for (const pkm_yaml* item = node->first; item; item = item->next)
            PKM_TRY(read_pattern(rr, item));
        return PKM_OK;
    }
    for (int d = 0; d < rr->run->robot->mech->n_drive; ++d)
        PKM_TRY(read_one(rr, node, d));
    return PKM_OK;
}
