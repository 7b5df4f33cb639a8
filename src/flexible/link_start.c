// Modes that begin bent or moving, found among those that the run keeps: z_k += sqrt(m_k) D, z_k'
// += sqrt(m_k) V. Equation: docs/theory/flexible.md, (5.3).
#include "flexible/link_start.h"

#include "base/error.h"
#include "base/memory.h"
#include "flexible/link_modes.h"

#include <math.h>

/// The coordinate of one named mode: its place among the kept ones, and what it begins with.
static pkm_status find_one(const pkm_flexible_link* link, const pkm_flexible_start* first,
                           const pkm_flexible_start* start, int n, const pkm_link_mode* mode,
                           const bool* enabled, pkm_modal_start* out, pkm_error* err)
{
    const int k = start->number - 1;
    for (const pkm_flexible_start* other = first; other < start; ++other)
        if (other->number == start->number)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: mode %d is given twice, expected it once",
                            link->name, start->number);
    if (k >= n || !enabled[k])
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "%s: mode %d is not kept, expected a number that `pkm modes --link %s` "
                        "lists as enabled",
                        link->name, start->number, link->name);
    const bool shifts = start->shift != 0.0 || start->velocity != 0.0;
    const bool turns = start->turn != 0.0 || start->turn_rate != 0.0;
    if (mode[k].turns ? shifts : turns)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: mode %d is %s, expected its %s", link->name,
                        start->number, mode[k].turns ? "torsion" : "no torsion",
                        mode[k].turns ? "rotation" : "displacement");
    const double scale = sqrt(mode[k].mass); // (5.3)
    *out = (pkm_modal_start){.z = scale * (start->shift + start->turn),
                             .rate = scale * (start->velocity + start->turn_rate)};
    // its place among the modes that are kept
    for (int i = 0; i < k; ++i)
        out->mode += enabled[i];
    return PKM_OK;
}

static pkm_status find_all(const pkm_flexible_link* link, const pkm_flexible_spec* spec,
                           pkm_modal_start* out, pkm_error* err)
{
    const int most = pkm_beam_mesh_size(link->mesh);
    pkm_link_mode* mode = pkm_alloc((size_t)most, sizeof *mode);
    bool* enabled = pkm_alloc((size_t)most, sizeof *enabled);
    int n = 0;
    pkm_status status = mode && enabled ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    if (status == PKM_OK) status = pkm_link_modes(link, PKM_LINK_FREE, most, mode, &n, err);
    if (status == PKM_OK) status = pkm_link_modes_enabled(spec, n, mode, enabled, err);
    for (int i = 0; i < spec->n_start && status == PKM_OK; ++i)
        status = find_one(link, spec->start, &spec->start[i], n, mode, enabled, &out[i], err);
    pkm_free(mode);
    pkm_free(enabled);
    return status;
}

pkm_status pkm_link_start_find(const pkm_description* desc, int body, const pkm_flexible_spec* spec,
                               pkm_modal_start out[PKM_FLEXIBLE_MAX_START], pkm_error* err)
{
    pkm_flexible_link* link = NULL;
    if (spec->n_start == 0) return PKM_OK;
    PKM_TRY(pkm_flexible_link_mesh(desc, body, spec, &link, err));
    const pkm_status status = find_all(link, spec, out, err);
    pkm_flexible_link_free(link);
    return status;
}

double pkm_link_start_sign(const pkm_flexible_body* body, int mode)
{
    const int last = 2 * body->n_element; // its far end
    // displacement of the far end in this mode
    const double* at =
        body->recover + ((size_t)last * (size_t)body->n_mode + (size_t)mode) * PKM_FLEXIBLE_RECOVER;
    double most = 0.0;
    for (int k = 0; k < 3; ++k)
        if (fabs(at[k]) > fabs(most)) most = at[k];
    // torsion: by the rotation
    for (int k = 3; fabs(most) < 1e-9 && k < 6; ++k)
        if (fabs(at[k]) > fabs(most)) most = at[k];
    return most < 0.0 ? -1.0 : 1.0;
}
