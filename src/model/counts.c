// Counts what a file will make, copies of limbs included, before memory is asked for: one block for
// all, and a bound that a hostile file meets first.
#include "base/error.h"
#include "model/reader_impl.h"

/// Sum over the file and the copies of limbs of the children of `key`, or of their children's
/// `points` and `frames`.
static double count(const pkm_reader* r, const char* key, bool of_points)
{
    double total = 0.0;
    for (int l = -1; l < r->n_limb; ++l) {
        const pkm_yaml* section = pkm_yaml_get(l < 0 ? r->root : r->limb[l].node, key);
        if (!section) continue;
        double n = of_points ? 0.0 : section->n_child;
        for (const pkm_yaml* child = section->first; child && of_points; child = child->next) {
            const pkm_yaml *points = pkm_yaml_get(child, "points"),
                           *frames = pkm_yaml_get(child, "frames");
            n += (points ? points->n_child : 0) + (frames ? frames->n_child : 0);
        }
        total += n * (l < 0 ? 1.0 : r->limb[l].n_copy);
    }
    return total;
}

/// Points that limbs put on bodies outside, and those of the ground.
static double count_outside(const pkm_reader* r)
{
    static const char* const keys[] = {"points", "frames"};
    double total = 0.0;
    const pkm_yaml* ground = pkm_yaml_get(r->root, "ground");
    for (int k = 0; k < 2; ++k) {
        const pkm_yaml* own = pkm_yaml_get(ground, keys[k]);
        if (own) total += own->n_child;
        for (int l = 0; l < r->n_limb; ++l) {
            const pkm_yaml* section = pkm_yaml_get(r->limb[l].node, keys[k]);
            for (const pkm_yaml* body = section ? section->first : NULL; body; body = body->next)
                total += (double)body->n_child * r->limb[l].n_copy;
        }
    }
    return total;
}

static pkm_status reserve(const pkm_reader* r, const char* what, double n, int most, size_t size,
                          void** out)
{
    if (n > most)
        return pkm_reader_fail(r, r->root, "the model has %.0f %s, expected at most %d", n, what,
                               most);
    return pkm_reader_alloc(r, (int)n, size, out);
}

pkm_status pkm_counts_reserve(pkm_reader* r)
{
    enum { MOST_BODIES = 5000, MOST_JOINTS = 10000, MOST_POINTS = 20000 };
    pkm_description* desc = r->desc;
    void* room = NULL;
    PKM_TRY(reserve(r, "bodies", 1.0 + count(r, "bodies", false), MOST_BODIES, sizeof *desc->body,
                    &room));
    desc->body = room;
    PKM_TRY(reserve(r, "points", count(r, "bodies", true) + count_outside(r), MOST_POINTS,
                    sizeof *desc->marker, &room));
    desc->marker = room;
    PKM_TRY(
        reserve(r, "joints", count(r, "joints", false), MOST_JOINTS, sizeof *desc->joint, &room));
    desc->joint = room;
    PKM_TRY(
        reserve(r, "drives", count(r, "drives", false), PKM_MAX_DRIVE, sizeof *desc->drive, &room));
    desc->drive = room;
    return PKM_OK;
}
