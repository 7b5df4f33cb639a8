// pkm modes --link: one link alone.
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "flexible/link_modes.h"
#include "math/angle.h"
#include "robot/inverse_result.h"
#include "table/column.h"
#include "verb/modes_task.h"

#include <stdio.h>
#include <string.h>

static const char text[] =
    "{name}, {link} alone, {ends}: {length:.6g} m, {mass:.6g} kg, {_elements:d} elements\n"
    "\n    f \\[Hz\\]       generalised mass      generalised stiffness   strain energy\n"
    "{*modes}{number:3d} {f:12.6f}  {generalised_mass:12.6g} {~generalised_mass:-6s}  "
    "{generalised_stiffness:12.6g} {~generalised_stiffness:-8s}  {kind}[{?enabled}, enabled]\n{/}"
    "\nshapes with a largest displacement of 1 m (torsion: rotation of 1 rad)\n"
    "[{?_has_enabled}enabled: kept by a run with these choices; modes: \\[NUMBER, ...\\] and "
    "disabled: \\[NUMBER, ...\\] change it\n]"
    "[\nresults in {folder}\n]";

static pkm_status find_body(const pkm_verb_modes* m, const char* name, int* out, pkm_error* err)
{
    const pkm_description* desc = m->robot->desc;
    pkm_nearest near = pkm_nearest_make(name);
    for (int b = 1; b < desc->n_body; ++b) {
        *out = b;
        // by the full name: a pattern would mean several links
        if (strcmp(desc->body[b].name, name) == 0) return PKM_OK;
        pkm_nearest_offer(&near, desc->body[b].name);
    }
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--link: %s has no body '%.60s'%s", desc->name, name,
                    pkm_nearest_hint(&near).text);
}

static pkm_status find_ends(const pkm_verb_modes* m, pkm_link_ends* out, pkm_error* err)
{
    const char* word = pkm_verb_get(m->args, "--ends");
    *out = PKM_LINK_FREE;
    if (!word) return PKM_OK;
    for (int k = 0; pkm_link_ends_name[k]; ++k) {
        // the list is in the order of the enumeration
        *out = (pkm_link_ends)k;
        if (strcmp(pkm_link_ends_name[k], word) == 0) return PKM_OK;
    }
    return pkm_fail(err, PKM_ERR_ARGUMENT, "--ends: '%.40s', expected free, pinned or clamped",
                    word);
}

/// As the run makes the link flexible, else the default.
static pkm_flexible_spec spec_of(const pkm_verb_modes* m, int body)
{
    const pkm_effects* effects = &m->run->effects;
    for (int k = 0; k < effects->n_flexible; ++k)
        // its own choice of elements and section, where the run has one
        if (effects->flexible[k].body == body) return effects->flexible[k].spec;
    return pkm_flexible_spec_defaults();
}

static const char* kind_of(const pkm_link_mode* mode)
{
    static const char* const word[] = {"stretch", "bending", "torsion"};
    int most = 0;
    if (mode->omega == 0.0) return "rigid body";
    // by where most of the strain energy is
    for (int k = 1; k < 3; ++k)
        if (mode->share[k] > mode->share[most]) most = k;
    // round sections bend in any plane: then the plane is not named
    if (most == 1 && mode->side[0] > 0.999) return "bending y";
    if (most == 1 && mode->side[1] > 0.999) return "bending z";
    return word[most];
}

static void put_modes(pkm_result* out, const pkm_link_mode* mode, const bool* enabled, int n)
{
    pkm_result* list = pkm_result_list(out, "modes");
    for (int k = 0; k < n; ++k) {
        pkm_result* item = pkm_result_group(list, NULL);
        // as Adams counts: rigid modes are 1 to 6 of a free link
        pkm_result_integer(item, "number", k + 1);
        pkm_result_number(item, "f", "Hz", mode[k].omega / PKM_TURN);
        // for a largest shift of 1 m or, of torsion, a largest turn of 1 rad
        pkm_result_number(item, "generalised_mass", mode[k].turns ? "kg m2" : "kg", mode[k].mass);
        pkm_result_number(item, "generalised_stiffness", mode[k].turns ? "N m/rad" : "N/m",
                          mode[k].stiffness);
        pkm_result_numbers(item, "strain_energy", "", mode[k].share, 3);
        pkm_result_bool(item, "turns", mode[k].turns);
        pkm_result_text(item, "kind", kind_of(&mode[k]));
        if (enabled) pkm_result_bool(item, "enabled", enabled[k]);
    }
}

static void put_link(pkm_verb_modes* m, const pkm_flexible_link* link, pkm_link_ends ends)
{
    pkm_result_text(m->result, "name", m->robot->desc->name);
    pkm_result_text(m->result, "link", link->name);
    pkm_result_text(m->result, "ends", pkm_link_ends_name[ends]);
    pkm_result_number(m->result, "length", "m", link->length);
    pkm_result_number(m->result, "mass", "kg", pkm_beam_mesh_total_mass(link->mesh));
    pkm_result_integer(m->result, "_elements", pkm_beam_mesh_elements(link->mesh));
}

// ---- the folder -------------------------------------------------------------------------------

/// A mode as a row.
typedef struct mode_row {
    double number, f, mass, stiffness, turns, axial, bending, torsion;
} mode_row;

static const pkm_column columns[] = {
    {"mode", "", .at = offsetof(mode_row, number)},
    {"f", "Hz", offsetof(mode_row, f), .title = "frequency"},
    {"mass", "", offsetof(mode_row, mass), .title = "generalised mass (kg; turns: kg m2)"},
    {"stiffness", "", offsetof(mode_row, stiffness),
     .title = "generalised stiffness (N/m; turns: N m/rad)"},
    {"turns", "", offsetof(mode_row, turns), .title = "scaled by its rotation"},
    {"axial", "", offsetof(mode_row, axial), .title = "strain energy of stretch"},
    {"bending", "", offsetof(mode_row, bending), .title = "strain energy of bending"},
    {"torsion", "", offsetof(mode_row, torsion), .title = "strain energy of torsion"}};
enum { N_COLUMN = sizeof columns / sizeof columns[0] };

static void put_row(const void* modes, int i, pkm_layout* to)
{
    const pkm_link_mode* m = (const pkm_link_mode*)modes + i;
    const mode_row at = {i + 1,    m->omega / PKM_TURN, m->mass,     m->stiffness,
                         m->turns, m->share[0],         m->share[1], m->share[2]};
    pkm_layout_put(to, "", columns, N_COLUMN, &at);
}

static pkm_status write_folder(pkm_verb_modes* m, const pkm_flexible_link* link,
                               const pkm_link_mode* mode, int n, pkm_error* err)
{
    char name[PKM_MAX_NAME + 32];
    pkm_table* table = pkm_verb_table(m->args, "modes");
    pkm_result* lines = pkm_result_list(m->result, "_headlines");
    snprintf(name, sizeof name, "modes-%s", link->name);
    const pkm_verb_run out = {.args = m->args,
                              .robot = m->robot,
                              .motion = name,
                              .table = table,
                              .complete = true,
                              .wall_time = pkm_clock() - m->start,
                              .tree = m->result};
    int first = 0; // that is no motion of the rigid body
    while (first < n - 1 && mode[first].omega == 0.0)
        ++first;
    pkm_headline_result(lines, "lowest frequency", mode[first].omega / PKM_TURN, "Hz");
    if (!pkm_layout_fill(table, n, 1, put_row, mode)) return pkm_out_of_memory(err);
    return pkm_verb_run_write(&out, m->folder, sizeof m->folder, err);
}

/// Modes that a run keeps are those of the free link: all of these are found then.
static pkm_status list_modes(pkm_verb_modes* m, const pkm_flexible_link* link, pkm_link_ends ends,
                             const pkm_flexible_spec* spec, pkm_error* err)
{
    const bool is_free = ends == PKM_LINK_FREE;
    const int size = pkm_beam_mesh_size(link->mesh), most = is_free ? size : m->n_mode;
    pkm_link_mode* mode = pkm_alloc((size_t)most, sizeof *mode);
    bool* enabled = pkm_alloc((size_t)most, sizeof *enabled);
    int n = 0;
    pkm_status status = mode && enabled ? PKM_OK : pkm_out_of_memory(err);
    if (status == PKM_OK) status = pkm_link_modes(link, ends, most, mode, &n, err);
    if (status == PKM_OK && is_free) status = pkm_link_modes_enabled(spec, n, mode, enabled, err);
    if (status == PKM_OK) {
        put_link(m, link, ends);
        pkm_result_bool(m->result, "_has_enabled", is_free);
        const int shown = m->n_mode < n ? m->n_mode : n;
        put_modes(m->result, mode, is_free ? enabled : NULL, shown);
        if (pkm_verb_has(m->args, "-o")) status = write_folder(m, link, mode, shown, err);
    }
    pkm_free(mode);
    pkm_free(enabled);
    return status;
}

pkm_status pkm_verb_modes_link(pkm_verb_modes* m, pkm_error* err)
{
    int body = PKM_NONE;
    pkm_link_ends ends;
    pkm_flexible_link* link = NULL;
    m->form = text;
    PKM_TRY(find_body(m, pkm_verb_get(m->args, "--link"), &body, err));
    PKM_TRY(find_ends(m, &ends, err));
    const pkm_flexible_spec spec = spec_of(m, body);
    if (spec.outside)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--link: %s comes from a file, expected a beam",
                        m->robot->desc->body[body].name);
    PKM_TRY(pkm_flexible_link_mesh(m->robot->desc, body, &spec, &link, err));
    const pkm_status status = list_modes(m, link, ends, &spec, err);
    pkm_flexible_link_free(link);
    return status;
}
