#include "run/asked.h"

#include "base/error.h"
#include "run/run_impl.h"

#include <stdio.h>
#include <string.h>

enum { MAX_COUNT = 1000000 };

// ---- values -----------------------------------------------------------------------------------

static pkm_status read_method(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)
{
    static const char* const words[] = {"engine", "closed", NULL};
    int which = 0;
    PKM_TRY(pkm_reader_word(&rr->r, node, words, &which));
    t->method = which == 1 ? PKM_METHOD_CLOSED : PKM_METHOD_ENGINE;
    t->has_method = true;
    return PKM_OK;
}

static pkm_status read_count(const pkm_run_reader* rr, const pkm_yaml* node, int least, int* out)
{
    double n = 0.0;
    PKM_TRY(pkm_reader_number(&rr->r, node, pkm_dim_one, PKM_RANGE_ANY, &n));
    if (!(n >= least && n <= MAX_COUNT) || n != floor(n))
        return pkm_reader_fail(&rr->r, node, "%.40s, expected a whole number from %d to %d",
                               node->text, least, MAX_COUNT);
    *out = (int)n;
    return PKM_OK;
}

/// Numbers [x, y, z] in metres, the others in radians.
static pkm_status read_numbers(const pkm_run_reader* rr, const pkm_yaml* node, int n_shift,
                               double* out)
{
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(pkm_reader_number(&rr->r, item,
                                  item->index < n_shift ? pkm_dim_length : pkm_dim_angle,
                                  PKM_RANGE_ANY, &out[item->index]));
    return PKM_OK;
}

static pkm_status read_at(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)
{
    PKM_TRY(pkm_reader_list(&rr->r, node, 3, 6));
    int n = 0;
    for (const pkm_yaml* item = node->first; item; item = item->next)
        ++n;
    if (n != 3 && n != 6) return pkm_reader_fail(&rr->r, node, "%d numbers, expected 3 or 6", n);
    t->has_at = true;
    t->has_rpy = n == 6;
    return read_numbers(rr, node, 3, t->at);
}

static pkm_status read_orientation(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)
{
    PKM_TRY(pkm_reader_list(&rr->r, node, 3, 3));
    t->has_orientation = true;
    return read_numbers(rr, node, 0, t->orientation);
}

/// `slice: {z: -0.9 m}`.
static pkm_status read_slice(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)
{
    static const char* const keys[] = {"x", "y", "z", NULL};
    PKM_TRY(pkm_reader_keys(&rr->r, node, keys));
    if (!node->first || node->first->next)
        return pkm_reader_fail(&rr->r, node, "expected one of x, y, z");
    t->slice = node->first->key[0] - 'x' + 1;
    return pkm_reader_number(&rr->r, node->first, pkm_dim_length, PKM_RANGE_ANY, &t->slice_at);
}

/// `grid: [[from, to, n], [from, to, n], z]`.
static pkm_status read_grid(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)
{
    PKM_TRY(pkm_reader_list(&rr->r, node, 3, 3));
    double from[3], to[3];
    for (const pkm_yaml* axis = node->first; axis; axis = axis->next) {
        const int k = axis->index;
        const bool is_point = axis->kind == PKM_YAML_TEXT;
        if (!is_point) PKM_TRY(pkm_reader_list(&rr->r, axis, 3, 3));
        const pkm_yaml* first = is_point ? axis : axis->first;
        PKM_TRY(pkm_reader_number(&rr->r, first, pkm_dim_length, PKM_RANGE_ANY, &from[k]));
        to[k] = from[k];
        t->grid.n[k] = 1;
        if (is_point) continue;
        PKM_TRY(pkm_reader_number(&rr->r, first->next, pkm_dim_length, PKM_RANGE_ANY, &to[k]));
        PKM_TRY(read_count(rr, first->next->next, 1, &t->grid.n[k]));
    }
    t->grid.from = (pkm_vec3){from[0], from[1], from[2]};
    t->grid.to = (pkm_vec3){to[0], to[1], to[2]};
    t->has_grid = true;
    return PKM_OK;
}

static pkm_status read_step(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)
{
    return pkm_reader_number(&rr->r, node, pkm_dim_time, PKM_RANGE_POSITIVE, &t->step);
}

static pkm_status read_coupling(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)
{
    bool is_coupled = true;
    PKM_TRY(pkm_run_read_flag(rr, node, &is_coupled));
    t->uncoupled = !is_coupled;
    return PKM_OK;
}

#define FLAG(name)                                                                                 \
    static pkm_status read_##name(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)    \
    {                                                                                              \
        return pkm_run_read_flag(rr, node, &t->name);                                              \
    }
FLAG(verify)
FLAG(weight)
FLAG(stiffening)
FLAG(periodic)
FLAG(volume)

#define COUNT(name, least)                                                                         \
    static pkm_status read_##name(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t)    \
    {                                                                                              \
        return read_count(rr, node, least, &t->name);                                              \
    }
COUNT(n_mode, 1)
COUNT(n_repeat, 1)
COUNT(n_point, 2)
COUNT(branch, 1)

// ---- the keys ---------------------------------------------------------------------------------

static const struct {
    const char* key;
    unsigned kinds; ///< of pkm_task_kind
    pkm_status (*read)(const pkm_run_reader* rr, const pkm_yaml* node, pkm_asked* t);
} keys[] = {
    {"method", PKM_TASK_INVERSE | PKM_TASK_WORKSPACE, read_method},
    {"verify", PKM_TASK_SIMULATE | PKM_TASK_ELASTODYNAMICS, read_verify},
    {"at", PKM_TASK_MODES | PKM_TASK_STIFFNESS | PKM_TASK_ENVELOPE, read_at},
    {"modes", PKM_TASK_MODES, read_n_mode},
    {"weight", PKM_TASK_MODES | PKM_TASK_STIFFNESS, read_weight},
    {"step", PKM_TASK_ELASTODYNAMICS, read_step},
    {"repeat", PKM_TASK_ELASTODYNAMICS, read_n_repeat},
    {"coupling", PKM_TASK_ELASTODYNAMICS, read_coupling},
    {"stiffening", PKM_TASK_ELASTODYNAMICS, read_stiffening},
    {"periodic", PKM_TASK_ELASTODYNAMICS, read_periodic},
    {"slice", PKM_TASK_WORKSPACE, read_slice},
    {"volume", PKM_TASK_WORKSPACE, read_volume},
    {"points", PKM_TASK_WORKSPACE, read_n_point},
    {"grid", PKM_TASK_WORKSPACE, read_grid},
    {"orientation", PKM_TASK_WORKSPACE, read_orientation},
    {"branch", PKM_TASK_WORKSPACE, read_branch},
};
enum { N_KEY = sizeof keys / sizeof keys[0] };

const char* pkm_run_task_key(int i)
{
    return i >= 0 && i < N_KEY ? keys[i].key : NULL;
}

pkm_status pkm_run_read_task(pkm_run_reader* rr, const char* key, const pkm_yaml* node)
{
    for (int i = 0; i < N_KEY; ++i) {
        if (strcmp(keys[i].key, key) != 0) continue;
        rr->run->asked.given |= 1u << i;
        return keys[i].read(rr, node, &rr->run->asked);
    }
    return PKM_OK;
}

// ---- whom they are for ------------------------------------------------------------------------

static const char* const names[] = {"inverse",        "simulate", "modes",     "stiffness",
                                    "elastodynamics", "envelope", "workspace", "study"};
enum { N_NAME = sizeof names / sizeof names[0] };

const char* pkm_task_name(pkm_task_kind kind)
{
    for (int k = 0; k < N_NAME; ++k)
        if ((unsigned)kind == 1u << k) return names[k];
    return NULL;
}

pkm_task_kind pkm_task_find(const char* name)
{
    for (int k = 0; k < N_NAME; ++k)
        if (strcmp(names[k], name) == 0) return (pkm_task_kind)(1u << k);
    return (pkm_task_kind)0;
}

pkm_status pkm_asked_require(const pkm_asked* asked, pkm_task_kind kind, pkm_error* err)
{
    for (int i = 0; i < N_KEY; ++i) {
        if (!(asked->given & 1u << i) || keys[i].kinds & (unsigned)kind) continue;
        char list[128] = "";
        for (int k = 0; k < N_NAME; ++k) {
            if (!(keys[i].kinds & 1u << k)) continue;
            const size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", names[k]);
        }
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: '%s' is not for it, expected with %s",
                        pkm_task_name(kind), keys[i].key, list);
    }
    return PKM_OK;
}
