#include "kuo/kuo_response.h"

#include "base/error.h"
#include "base/memory.h"
#include "kuo/kuo_impl.h"
#include "kuo/moving_mesh.h"
#include "solver/newmark.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
// A linear model neglects terms of the size rotation^2 / 2: half a percent here.
static const double LARGE_ROTATION = 0.1;
// At half of Euler's load compression doubles a deflection.
static const double LARGE_COMPRESSION = 0.5;

enum { N_LINK_COLUMN = 4 };

pkm_kuo_response_settings pkm_kuo_response_settings_defaults(void)
{
    return (pkm_kuo_response_settings){.start = PKM_KUO_START_STATIC, .step = 1e-3, .n_repeat = 1};
}

/// Everything a run holds.
typedef struct run {
    pkm_kuo* kuo;
    const pkm_motion* motion;
    const pkm_kuo_response_settings* settings;
    double duration; ///< of one turn of the motion [s]
    pkm_table* table;
    pkm_closed* rigid;
    pkm_newmark* newmark;
    double *q, *v; ///< start
    pkm_kuo_response_report report;
    pkm_error* err;
} run;

/// The rigid platform at time t; the motion repeats itself.
static pkm_beam_jet platform_at(const run* r, double t)
{
    const double turn = floor(t / r->duration * (1.0 + 1e-12));
    const double local = t - turn * r->duration;
    pkm_frame_motion tool;
    pkm_motion_tool(r->motion, turn >= r->settings->n_repeat ? r->duration : local, &tool, NULL);
    return (pkm_beam_jet){tool.pose.p, tool.v, tool.a};
}

/// A += c B
static void add(size_t nn, double c, const double* B, double* A)
{
    for (size_t k = 0; k < nn; ++k)
        A[k] += c * B[k];
}

/// The matrices and the force of (4.1) at time t.
static pkm_status make_system(void* user, double t, double* M, double* C, double* K, double* f)
{
    run* r = user;
    pkm_kuo* kuo = r->kuo;
    const size_t nn = (size_t)kuo->n * (size_t)kuo->n;
    PKM_TRY(pkm_kuo_place(kuo, platform_at(r, t), r->err));
    pkm_beam_mesh_mass(kuo->mesh, M);
    pkm_beam_mesh_stiffness(kuo->mesh, K);
    pkm_beam_mesh_rigid_load(kuo->mesh, (pkm_vec3){0.0, 0.0, kuo->robot.gravity}, f);
    memset(C, 0, nn * sizeof *C);
    if (!r->settings->without_coupling) pkm_beam_mesh_coupling(kuo->mesh, C, kuo->G);
    add(nn, r->settings->alpha, M, C);
    add(nn, r->settings->beta, K, C);
    if (!r->settings->without_coupling) add(nn, 1.0, kuo->G, K);
    if (r->settings->has_stiffening) {
        PKM_TRY(pkm_kuo_solve_static(kuo, r->err));
        pkm_beam_mesh_axial_forces(kuo->mesh, kuo->static_f, kuo->axial);
        pkm_beam_mesh_geometric(kuo->mesh, kuo->axial, kuo->G);
        add(nn, 1.0, kuo->G, K);
    }
    return PKM_OK;
}

// ---- what is written ---------------------------------------------------------------------------

static bool add_columns(pkm_table* table)
{
    static const char* const name[] = {"t",  "x",  "y",  "z",       "dx",      "dy",     "dz",
                                       "rx", "ry", "rz", "torque1", "torque2", "torque3"};
    static const char* const unit[] = {"s",   "m",   "m",   "m",   "m",   "m",  "m",
                                       "rad", "rad", "rad", "N m", "N m", "N m"};
    static const char* const what[N_LINK_COLUMN] = {"stretch", "twist", "v", "w"};
    bool is_fine = true;
    for (size_t k = 0; k < sizeof name / sizeof name[0]; ++k)
        is_fine = is_fine && pkm_table_add_column(table, name[k], unit[k]) != PKM_NONE;
    for (int link = 0; link < 6; ++link) {
        for (int k = 0; k < N_LINK_COLUMN; ++k) {
            char text[32];
            snprintf(text, sizeof text, "%s%d.%s", link < 3 ? "upper" : "lower", link % 3 + 1,
                     what[k]);
            is_fine =
                is_fine && pkm_table_add_column(table, text, k == 1 ? "rad" : "m") != PKM_NONE;
        }
    }
    return is_fine;
}

/// Stretch, twist and deflection of the middle from the chord of one link.
static void link_columns(const run* r, const double* q, int link, double out[N_LINK_COLUMN])
{
    const pkm_beam_mesh* mesh = r->kuo->mesh;
    const int line = r->kuo->line[link % 3][link / 3], n = r->kuo->settings.n_element;
    const int first = pkm_beam_mesh_line_element(mesh, line, 0);
    const pkm_beam_point a = pkm_beam_mesh_point(mesh, q, first, 0.0);
    const pkm_beam_point b = pkm_beam_mesh_point(mesh, q, first + n - 1, 1.0);
    const pkm_beam_point m = pkm_beam_mesh_point(mesh, q, first + n / 2, n % 2 == 0 ? 0.0 : 0.5);
    out[0] = b.d.x - a.d.x;
    out[1] = b.r.x - a.r.x;
    out[2] = m.d.y - 0.5 * (a.d.y + b.d.y);
    out[3] = m.d.z - 0.5 * (a.d.z + b.d.z);
}

static void shift_columns(const run* r, const double* q, double out[6])
{
    pkm_vec3 d, rotation;
    pkm_beam_mesh_node_motion(r->kuo->mesh, q, r->kuo->platform, &d, &rotation);
    const double all[6] = {d.x, d.y, d.z, rotation.x, rotation.y, rotation.z};
    memcpy(out, all, sizeof all);
}

static pkm_status write_row(run* r, double t, const double* q)
{
    const pkm_beam_jet P = platform_at(r, t);
    double* row = pkm_table_append(r->table);
    if (!row) return PKM_ERR_MEMORY;
    row[0] = t;
    row[1] = P.x.x;
    row[2] = P.x.y;
    row[3] = P.x.z;
    shift_columns(r, q, row + 4);
    PKM_TRY(pkm_kuo_delta_torques(r->rigid, P, row + 10, r->err));
    for (int link = 0; link < 6; ++link)
        link_columns(r, q, link, row + 13 + N_LINK_COLUMN * link);
    return PKM_OK;
}

// ---- what is reported --------------------------------------------------------------------------

/// Pinned at both ends, the weaker plane.
static double euler_load(const pkm_kuo_robot* robot, int kind)
{
    const pkm_beam_section* s = &robot->section[kind];
    const double L = robot->length[kind];
    return PI * PI * robot->material.E * fmin(s->Iy, s->Iz) / (L * L);
}

static void watch_links(run* r, const double* q)
{
    const pkm_kuo* kuo = r->kuo;
    for (int link = 0; link < 6; ++link) {
        const int line = kuo->line[link % 3][link / 3];
        const double euler = euler_load(&kuo->robot, link / 3);
        for (int k = 0; k < kuo->settings.n_element; ++k) {
            const int e = pkm_beam_mesh_line_element(kuo->mesh, line, k);
            const pkm_beam_point p = pkm_beam_mesh_point(kuo->mesh, q, e, link < 3 ? 1.0 : 0.0);
            r->report.rotation = fmax(r->report.rotation, pkm_vec3_norm(p.r));
            r->report.compression = fmax(r->report.compression, -p.force / euler);
        }
    }
}

static void watch(run* r, const double* q)
{
    pkm_kuo_response_report* report = &r->report;
    double shift[6];
    shift_columns(r, q, shift);
    for (int k = 0; k < 6; ++k) {
        if (report->n_step == 0 || shift[k] < report->least[k]) report->least[k] = shift[k];
        if (report->n_step == 0 || shift[k] > report->most[k]) report->most[k] = shift[k];
        const bool is_low = -report->least[k] > report->most[k];
        report->peak[k] = is_low ? report->least[k] : report->most[k];
    }
    watch_links(r, q);
    ++report->n_step;
}

static void judge(pkm_kuo_response_report* report)
{
    report->is_small = false;
    if (!(report->rotation <= LARGE_ROTATION)) {
        snprintf(report->warning, sizeof report->warning,
                 "a link turns by %.3g rad out of its rigid position: outside the small-deflection "
                 "range (%.3g rad), the linear response is indicative only",
                 report->rotation, LARGE_ROTATION);
    } else if (!(report->compression <= LARGE_COMPRESSION)) {
        snprintf(report->warning, sizeof report->warning,
                 "a link is compressed with %.0f %% of its Euler load: it is near to buckling",
                 100.0 * report->compression);
    } else {
        report->is_small = true;
    }
}

// ---- the run -----------------------------------------------------------------------------------

static pkm_status check(const run* r)
{
    const pkm_kuo_response_settings* s = r->settings;
    if (r->kuo->settings.assembly != PKM_KUO_PHYSICAL)
        return pkm_fail(r->err, PKM_ERR_ARGUMENT,
                        "Kuo's Delta: time responses need the physical assembly");
    if (pkm_motion_is_drives(r->motion))
        return pkm_fail(r->err, PKM_ERR_ARGUMENT, "Kuo's Delta: the motion must be of the tool");
    if (!(s->step > 0.0) || !(r->duration > 0.0) || s->n_repeat < 1)
        return pkm_fail(r->err, PKM_ERR_ARGUMENT,
                        "Kuo's Delta: step %g s, motion of %g s, %d repeats, expected > 0", s->step,
                        r->duration, s->n_repeat);
    if (!(s->alpha >= 0.0) || !(s->beta >= 0.0))
        return pkm_fail(r->err, PKM_ERR_ARGUMENT,
                        "Kuo's Delta: damping alpha %g 1/s, beta %g s, expected >= 0", s->alpha,
                        s->beta);
    return PKM_OK;
}

static pkm_status create_parts(run* r)
{
    const size_t n = (size_t)r->kuo->n;
    r->q = pkm_alloc(2 * n, sizeof *r->q);
    if (!r->q || (r->table && !add_columns(r->table))) return PKM_ERR_MEMORY;
    r->v = r->q + n;
    PKM_TRY(pkm_kuo_delta_create(&r->kuo->robot, PKM_KUO_ROD_EXACT, &r->rigid, r->err));
    return pkm_newmark_create(r->kuo->n, &r->newmark);
}

static pkm_status find_start(run* r, const pkm_ltv* ltv, int n_step)
{
    if (r->settings->start == PKM_KUO_START_PERIODIC) {
        const pkm_status status = pkm_newmark_periodic(ltv, 0.0, r->duration, n_step, r->q, r->v);
        if (status != PKM_ERR_SINGULAR) return status;
        return pkm_fail(r->err, status, "Kuo's Delta: a resonance, the response does not repeat");
    }
    PKM_TRY(pkm_kuo_place(r->kuo, platform_at(r, 0.0), r->err));
    PKM_TRY(pkm_kuo_solve_static(r->kuo, r->err));
    memcpy(r->q, r->kuo->static_f, (size_t)r->kuo->n * sizeof *r->q);
    return PKM_OK;
}

/// The mesh is at the time of the state whenever a row is written.
static pkm_status integrate(run* r)
{
    const pkm_ltv ltv = {.n = r->kuo->n, .user = r, .system = make_system};
    const int per_turn = (int)ceil(r->duration / r->settings->step * (1.0 - 1e-12));
    const int n_step = per_turn * r->settings->n_repeat;
    const double h = r->duration / per_turn;
    if (r->table) PKM_TRY(pkm_table_reserve(r->table, n_step + 1));
    PKM_TRY(find_start(r, &ltv, per_turn));
    PKM_TRY(pkm_newmark_begin(r->newmark, &ltv, 0.0, r->q, r->v));
    for (int k = 0; k <= n_step; ++k) {
        if (k > 0) PKM_TRY(pkm_newmark_step(r->newmark, h));
        const double* q = pkm_newmark_position(r->newmark);
        watch(r, q);
        if (r->table) PKM_TRY(write_row(r, pkm_newmark_time(r->newmark), q));
    }
    --r->report.n_step; // the start is not a step
    judge(&r->report);
    return PKM_OK;
}

pkm_status pkm_kuo_follow(pkm_kuo* kuo, const pkm_motion* motion,
                          const pkm_kuo_response_settings* settings, pkm_table* table,
                          pkm_kuo_response_report* report, pkm_error* err)
{
    run r = {.kuo = kuo,
             .motion = motion,
             .settings = settings,
             .duration = pkm_motion_duration(motion),
             .table = table,
             .err = err};
    if (report) *report = (pkm_kuo_response_report){0};
    PKM_TRY(check(&r));
    pkm_status status = create_parts(&r);
    if (status == PKM_OK) status = integrate(&r);
    pkm_newmark_free(r.newmark);
    pkm_closed_free(r.rigid);
    pkm_free(r.q);
    if (status == PKM_ERR_MEMORY) return pkm_fail(err, status, "out of memory");
    if (report && status == PKM_OK) *report = r.report;
    return status;
}
