#include "analysis/run_parts.h"
#include "base/error.h"
#include "base/pattern.h"

#include <stdio.h>
#include <string.h>

static const char* const mode_words[] = {"prescribed", "locked", "free", "playback",
                                         NULL}; // in the order of pkm_drive_mode

/// What one drive does: a word, or a map with a controller.
static pkm_status read_plan(const pkm_run_reader* rr, const pkm_yaml* node, int d,
                            pkm_drive_plan* out)
{
    int mode = 0;
    (void)d;
    *out = (pkm_drive_plan){.mode = PKM_DRIVE_PRESCRIBED};
    PKM_TRY(pkm_reader_word(&rr->r, node, mode_words, &mode));
    out->mode = (pkm_drive_mode)mode;
    return PKM_OK;
}

static pkm_status no_drive(const pkm_run_reader* rr, const pkm_yaml* node)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    pkm_nearest near = pkm_nearest_make(node->key);
    char list[240] = "";
    for (int d = 0; d < mech->n_drive; ++d) {
        pkm_nearest_offer(&near, mech->drive[d].name);
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", d ? ", " : "", mech->drive[d].name);
    }
    pkm_yaml at = *node->parent;
    at.place = node->key_place;
    return pkm_reader_fail(&rr->r, &at, "'%.60s' %s no drive%s; there are %s", node->key,
                           pkm_pattern_is_wild(node->key) ? "matches" : "is",
                           pkm_nearest_hint(&near).text, list);
}

static pkm_status read_pattern(pkm_run_reader* rr, const pkm_yaml* node, const char* pattern)
{
    const pkm_mechanism* mech = rr->run->robot->mech;
    int n = 0;
    for (int d = 0; d < mech->n_drive; ++d) {
        if (!pkm_run_means(pattern, mech->drive[d].name)) continue;
        PKM_TRY(read_plan(rr, node, d, &rr->run->settings.drive[d]));
        rr->run->has_drive[d] = true;
        ++n;
    }
    return n > 0 ? PKM_OK : no_drive(rr, node);
}

pkm_status pkm_run_read_drives(pkm_run_reader* rr, const pkm_yaml* node)
{
    if (node->kind != PKM_YAML_MAP) return read_pattern(rr, node, "*");
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read_pattern(rr, item, item->key));
    return PKM_OK;
}
