// Keys of a run file that single analyses are told beside the choices of the run: place, grid,
// numbers of modes and points.
#include "run/asked.h"

#include "base/error.h"
#include "run/run_impl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_COUNT = 1000000 };

// ---- values -----------------------------------------------------------------------------------

/// Numbers [x, y, z] in metres, the others in radians.
static pkm_status read_numbers(const pkm_reader* r, const pkm_yaml* node, int n_shift, double* out)
{
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(r, item, item->index < n_shift ? pkm_dim_length : pkm_dim_angle,
                                  PKM_RANGE_ANY, &out[item->index]));
    return PKM_OK;
}

static pkm_status read_at(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_asked* t = to;
    PKM_TRY(pkm_reader_list(r, node, 3, 6));
    int n = 0;
    for (const pkm_yaml* item = node->first; item; item = item->next)
        ++n;
    if (n != 3 && n != 6) return pkm_reader_fail(r, node, "%d numbers, expected 3 or 6", n);
    t->has_rpy = n == 6;
    return read_numbers(r, node, 3, t->at);
}

static pkm_status read_orientation(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_asked* t = to;
    PKM_TRY(pkm_reader_list(r, node, 3, 3));
    return read_numbers(r, node, 0, t->orientation);
}

/// `slice: {z: -0.9 m}`.
static pkm_status read_slice(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_asked* t = to;
    static const char* const keys[] = {"x", "y", "z", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    if (!node->first || node->first->next)
        return pkm_reader_fail(r, node, "expected one of x, y, z");
    t->slice = node->first->key[0] - 'x' + 1;
    return pkm_reader_number(r, node->first, pkm_dim_length, PKM_RANGE_ANY, &t->slice_at);
}

/// `grid: [[from, to, n], [from, to, n], z]`.
static pkm_status read_grid(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_asked* t = to;
    PKM_TRY(pkm_reader_list(r, node, 3, 3));
    double from[3], until[3];
    for (const pkm_yaml* axis = node->first; axis; axis = axis->next) {
        const int k = axis->index;
        const bool is_point = axis->kind == PKM_YAML_TEXT;
        if (!is_point) PKM_TRY(pkm_reader_list(r, axis, 3, 3));
        const pkm_yaml* first = is_point ? axis : axis->first;
        PKM_TRY(pkm_reader_number(r, first, pkm_dim_length, PKM_RANGE_ANY, &from[k]));
        until[k] = from[k];
        t->grid.n[k] = 1;
        if (is_point) continue;
        PKM_TRY(pkm_reader_number(r, first->next, pkm_dim_length, PKM_RANGE_ANY, &until[k]));
        PKM_TRY(pkm_reader_count(r, first->next->next, 1, MAX_COUNT, &t->grid.n[k]));
    }
    t->grid.from = (pkm_vec3){from[0], from[1], from[2]};
    t->grid.to = (pkm_vec3){until[0], until[1], until[2]};
    return PKM_OK;
}

// ---- the keys ---------------------------------------------------------------------------------

static const char* const methods[] = {"engine", "closed", NULL}; // in the order of pkm_method
enum { LINEAR = PKM_TASK_MODES | PKM_TASK_STIFFNESS };

#define AT(member) offsetof(pkm_asked, member)
static const pkm_key keys[] = {
    {"method", "`engine`, or the `closed` form of the robot's family", PKM_KEY_WORD, AT(method),
     .words = methods, .given = AT(has_method), .analyses = PKM_TASK_INVERSE | PKM_TASK_WORKSPACE},
    {"verify", "repeat more finely: an error bar for every peak", PKM_KEY_FLAG, AT(verify),
     .analyses = PKM_TASK_SIMULATE | PKM_TASK_ELASTODYNAMICS},
    {"at", "pose of the tool, `[x, y, z]` or with roll, pitch, yaw (home)", PKM_KEY_NUMBERS,
     .n_least = 3, .n_most = 6, .given = AT(has_at), .read = read_at,
     .analyses = LINEAR | PKM_TASK_ENVELOPE},
    {"modes", "how many modes", PKM_KEY_COUNT, AT(n_mode), .least = 1, .most = MAX_COUNT,
     .analyses = PKM_TASK_MODES},
    {"weight", "with the stiffness that weight and loads give", PKM_KEY_FLAG, AT(weight),
     .analyses = LINEAR},
    {"step", "of the response", PKM_KEY_NUMBER, AT(step), &pkm_dim_time, PKM_RANGE_POSITIVE,
     .analyses = PKM_TASK_ELASTODYNAMICS},
    {"repeat", "run the motion so many times", PKM_KEY_COUNT, AT(n_repeat), .least = 1,
     .most = MAX_COUNT, .analyses = PKM_TASK_ELASTODYNAMICS},
    {"coupling", "with the terms of turning axes, `true`", PKM_KEY_FLAG, AT(uncoupled),
     .is_not = true, .analyses = PKM_TASK_ELASTODYNAMICS},
    {"stiffening", "forces of the motion stiffen or soften the links", PKM_KEY_FLAG, AT(stiffening),
     .analyses = PKM_TASK_ELASTODYNAMICS},
    {"periodic", "the response repeats with the motion", PKM_KEY_FLAG, AT(periodic),
     .analyses = PKM_TASK_ELASTODYNAMICS},
    {"slice", "a plane across x, y or z", PKM_KEY_OWN, .read = read_slice,
     .analyses = PKM_TASK_WORKSPACE},
    {"volume", "of the workspace", PKM_KEY_FLAG, AT(volume), .analyses = PKM_TASK_WORKSPACE},
    {"points", "along each axis of a slice or volume", PKM_KEY_COUNT, AT(n_point), .least = 2,
     .most = MAX_COUNT, .analyses = PKM_TASK_WORKSPACE},
    {"grid", "`[[from, to, n], [from, to, n], z]`", PKM_KEY_OWN, .given = AT(has_grid),
     .read = read_grid, .analyses = PKM_TASK_WORKSPACE},
    {"orientation", "roll, pitch, yaw of the tool", PKM_KEY_NUMBERS, .n_least = 3, .n_most = 3,
     .given = AT(has_orientation), .read = read_orientation, .analyses = PKM_TASK_WORKSPACE},
    {"branch", "of the closed form", PKM_KEY_COUNT, AT(branch), .least = 1, .most = MAX_COUNT,
     .analyses = PKM_TASK_WORKSPACE},
    {.name = NULL}};
#undef AT
const pkm_section pkm_run_tasks = {"task", "what single analyses are told", .key = keys};

pkm_status pkm_run_read_task(pkm_run_reader* rr, const char* key, const pkm_yaml* node)
{
    for (int i = 0; keys[i].name; ++i) {
        if (strcmp(keys[i].name, key) != 0) continue;
        rr->run->asked.given |= 1u << i;
        return pkm_key_take(&rr->r, node, &keys[i], &rr->run->asked);
    }
    return PKM_OK;
}

// ---- whom they are for ------------------------------------------------------------------------

pkm_status pkm_asked_require(const pkm_asked* asked, pkm_task_kind kind, pkm_error* err)
{
    for (int i = 0; keys[i].name; ++i) {
        if (!(asked->given & 1u << i) || keys[i].analyses & (unsigned)kind) continue;
        char list[128] = "";
        for (unsigned k = 1; k <= PKM_TASK_STUDY; k *= 2) {
            if (!(keys[i].analyses & k)) continue;
            const size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                     pkm_task_name((pkm_task_kind)k));
        }
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s' is not for it, expected with %s",
                        pkm_task_name(kind), keys[i].name, list);
    }
    return PKM_OK;
}
