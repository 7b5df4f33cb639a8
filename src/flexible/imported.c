// A body made by another program: its matrices are symmetric, free of supports and weigh what the
// model says, or the file is refused. What lies inside follows rigid motions without strain.
// docs/theory/modes.md, section 1.
#include "flexible/imported.h"
#include "math/dense.h"
#include "math/lapack.h"

#include "base/error.h"
#include "flexible/imported_file.h"
#include "math/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Entries that should be equal may differ by this part of the largest: printed digits.
static const double PRINTED = 1e-6;
// Stiffness left in rigid motions, as part of that of the coordinates themselves.
static const double HELD = 1e-5;
// Masses may differ by this part.
static const double SAME_MASS = 0.01;

enum { LEAST_FRAMES = 1, RIGID = 6 };

// ---- checks -----------------------------------------------------------------------------------

static pkm_status check_symmetric(const pkm_imported_file* f, const double* A, char name,
                                  pkm_error* err)
{
    const size_t n = (size_t)f->n;
    for (size_t j = 0; j < n; ++j)
        for (size_t i = 0; i < j; ++i) {
            // metres and radians: an entry is compared with the diagonal entries of its row and
            // column
            const double scale = sqrt(fabs(A[i * n + i] * A[j * n + j]));
            if (!(fabs(A[j * n + i] - A[i * n + j]) <= PRINTED * scale))
                return pkm_fail(err, PKM_ERR_MODEL,
                                "%s: %c is not symmetric: entries (%d, %d) are %g and %g", f->path,
                                name, (int)i + 1, (int)j + 1, A[j * n + i], A[i * n + j]);
        }
    for (size_t i = 0; i < n; ++i)
        if (!(A[i * n + i] >= 0.0) || !isfinite(A[i * n + i]))
            return pkm_fail(err, PKM_ERR_MODEL, "%s: %c has %g on its diagonal, expected >= 0",
                            f->path, name, A[i * n + i]);
    return PKM_OK;
}

static pkm_status find_markers(const pkm_imported_file* f, const pkm_description* desc, int body,
                               int* marker, pkm_error* err)
{
    for (int k = 0; k < f->n_frame; ++k) {
        char full[2 * PKM_MAX_NAME];
        snprintf(full, sizeof full, "%s.%s", desc->body[body].name, f->frame[k]);
        marker[k] = PKM_NONE;
        for (int m = 0; m < desc->n_marker; ++m)
            if (desc->marker[m].body == body && strcmp(desc->marker[m].name, full) == 0)
                marker[k] = m;
        if (marker[k] == PKM_NONE)
            return pkm_fail(err, PKM_ERR_MODEL, "%s: '%.60s' is no point of %s", f->path,
                            f->frame[k], desc->body[body].name);
    }
    return PKM_OK;
}

// ---- rigid motions ----------------------------------------------------------------------------

/// The frames as the body moves by a unit along or about axis k.
static void move_frames(const pkm_flexible_imported* o, const pkm_description* desc, int k,
                        double* x)
{
    const pkm_vec3 u = {k % 3 == 0, k % 3 == 1, k % 3 == 2}, none = {0.0, 0.0, 0.0};
    for (int f = 0; f < o->n_frame; ++f) {
        const pkm_vec3 w = k < 3 ? none : u, p = desc->marker[o->marker[f]].pose.p;
        const pkm_vec3 d = k < 3 ? u : pkm_vec3_cross(w, p);
        const double all[6] = {d.x, d.y, d.z, w.x, w.y, w.z};
        memcpy(x + 6 * f, all, sizeof all);
    }
}

/// What is inside follows without strain: K_ii x_i = -K_ib x_b.
static pkm_status follow_inside(pkm_flexible_imported* o, const char* path, pkm_arena* arena,
                                pkm_error* err)
{
    const size_t n = (size_t)o->n, b = 6 * (size_t)o->n_frame, in = n - b;
    if (in == 0) return PKM_OK;
    double* A = pkm_arena_alloc(arena, in * in, sizeof *A);
    double* x = pkm_arena_alloc(arena, in * RIGID, sizeof *x);
    if (!A || !x) return pkm_out_of_memory(err);
    for (size_t j = 0; j < in; ++j)
        memcpy(A + j * in, o->K + (b + j) * n + b, in * sizeof *A);
    for (size_t k = 0; k < RIGID; ++k)
        for (size_t i = 0; i < in; ++i)
            for (size_t j = 0; j < b; ++j)
                // -K_ib x_b
                x[k * in + i] -= o->K[j * n + b + i] * o->rigid[k * n + j];
    if (pkm_dposv('L', (int)in, RIGID, A, (int)in, x, (int)in) != 0)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: something inside moves although all frames are held", path);
    for (size_t k = 0; k < RIGID; ++k)
        memcpy(o->rigid + k * n + b, x + k * in, in * sizeof *x);
    return PKM_OK;
}

static pkm_status check_rigid(const pkm_flexible_imported* o, const pkm_description* desc,
                              const char* path, pkm_error* err)
{
    const size_t n = (size_t)o->n;
    for (int k = 0; k < RIGID; ++k) {
        const double* x = o->rigid + (size_t)k * n;
        double size = 0.0;
        for (size_t i = 0; i < n; ++i)
            // what the same motion would store if nothing cancelled
            size += x[i] * x[i] * o->K[i * n + i];
        if (!(fabs(pkm_dense_form(o->K, o->n, x, x)) <= HELD * size))
            return pkm_fail(err, PKM_ERR_MODEL,
                            "%s: K holds the body against motions as a whole, expected a free one",
                            path);
        // x'M x of a shift is the mass [kg]
        const double mass = pkm_dense_form(o->M, o->n, x, x), own = desc->body[o->body].mass;
        // turns have inertias, of which the model's need not be that exact
        if (k < 3 && !(fabs(mass - own) <= SAME_MASS * own))
            return pkm_fail(err, PKM_ERR_MODEL, "%s: its mass is %g kg along %c, that of %s is %g",
                            path, mass, 'x' + k, desc->body[o->body].name, own);
    }
    return PKM_OK;
}

// ---- together ---------------------------------------------------------------------------------

static pkm_status check_sizes(const pkm_imported_file* f, pkm_error* err)
{
    if (f->n_frame < LEAST_FRAMES)
        return pkm_fail(err, PKM_ERR_MODEL, "%s: there are no interface frames", f->path);
    if (f->n < 6 * f->n_frame || f->n <= RIGID)
        return pkm_fail(err, PKM_ERR_MODEL,
                        "%s: %d coordinates for %d frames, expected at least %d", f->path, f->n,
                        f->n_frame, f->n_frame > 1 ? 6 * f->n_frame : RIGID + 1);
    PKM_TRY(check_symmetric(f, f->K, 'K', err));
    PKM_TRY(check_symmetric(f, f->M, 'M', err));
    return f->D ? check_symmetric(f, f->D, 'D', err) : PKM_OK;
}

pkm_status pkm_flexible_imported_read(const char* path, const pkm_description* desc, int body,
                                      pkm_arena* arena, pkm_flexible_imported** out, pkm_error* err)
{
    pkm_imported_file f = {.path = path, .arena = arena};
    *out = NULL;
    PKM_TRY(pkm_imported_file_read(&f, err));
    PKM_TRY(check_sizes(&f, err));
    pkm_flexible_imported* o = pkm_arena_alloc(arena, 1, sizeof *o);
    if (!o) return pkm_out_of_memory(err);
    *o = (pkm_flexible_imported){
        .body = body, .n = f.n, .n_frame = f.n_frame, .K = f.K, .M = f.M, .D = f.D};
    o->marker = pkm_arena_alloc(arena, (size_t)f.n_frame, sizeof *o->marker);
    o->rigid = pkm_arena_alloc(arena, RIGID * (size_t)f.n, sizeof *o->rigid);
    if (!o->marker || !o->rigid) return pkm_out_of_memory(err);
    // names of frames are points of the body in the model
    PKM_TRY(find_markers(&f, desc, body, o->marker, err));
    for (int k = 0; k < RIGID; ++k)
        move_frames(o, desc, k, o->rigid + (size_t)k * (size_t)o->n);
    PKM_TRY(follow_inside(o, path, arena, err));
    PKM_TRY(check_rigid(o, desc, path, err));
    *out = o;
    return PKM_OK;
}

int pkm_flexible_imported_frame(const pkm_flexible_imported* o, const pkm_description* desc,
                                pkm_vec3 place)
{
    int best = 0;
    double least = INFINITY;
    for (int f = 0; f < o->n_frame; ++f) {
        const double d = pkm_vec3_norm(pkm_vec3_sub(desc->marker[o->marker[f]].pose.p, place));
        if (d >= least) continue;
        least = d;
        best = f;
    }
    return best;
}
