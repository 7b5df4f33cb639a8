#include "cli/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "cli/modes_task.h"
#include "cli/plane_map.h"
#include "cli/progress.h"
#include "cli/workspace_grid.h"
#include "linear/stiffness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"--at", "X,Y,Z[,R,P,Y]", "tool pose (home)"},
    {"--drives", "Q1,Q2,... | q1=Q,...", "drive positions instead of a tool pose"},
    {"--flexible", "BODIES: {...}", "flexible links (all that can); may be repeated"},
    {"--drives-are", "HOW", "locked, {stiffness: K} or {DRIVE: HOW} (locked)"},
    {"--load", "NAME: {...}", "a spring or bushing; may be repeated"},
    {"--payload", "NAME: {...}", "a mass that is carried; may be repeated"},
    {"--tool-force", "FX,FY,FZ[,MX,MY,MZ]", "deflection under this force [N] and torque [N m]"},
    {"--run", "FILE", "choices from a run file; those above are put over it"},
    {"--weight", NULL, "with the stiffness of static forces: weight, loads"},
    {"--map", NULL, "least stiffness over a plane of tool positions"},
    {"--slice", "AXIS=VALUE", "of --map: which plane (z through home)"},
    {"--grid", "X,Y,Z", "of --map: the grid, each axis FROM:TO:POINTS or one value"},
    {"--points", "N", "of --map along the longest side (30)"},
    {"-o", "DIR", "folder for the results (of --map pkm-out/ROBOT-stiffness-map)"},
};

static int run(const cli_verb* verb, int argc, char** argv);

const cli_verb cli_stiffness = {
    .name = "stiffness",
    .operand = "MODEL",
    .text = "how the tool yields to forces: Cartesian stiffness, its directions, deflection",
    .help =
        "Links bend as beams, drives and bushings are elastic where that is said. At a pose:\n"
        "compliance and stiffness at the tool, softest directions of shifts and of turns, which\n"
        "link yields, deflection under a force and under the weight. Or over a plane.",
    .example = "pkm stiffness robots/siax.yaml --at 0,0,-0.9 --drives-are '{stiffness: 1e5}'",
    .another = "pkm stiffness robots/irb340.yaml --set 'd=7 mm' --tool-force 0,50,0",
    .option = options,
    .n_option = sizeof options / sizeof options[0],
    .run = run,
};

static const char* const direction[6] = {"x", "y", "z", "rx", "ry", "rz"};

// ---- at a pose --------------------------------------------------------------------------------

/// Less than 1e-12 of what it could be is rounding.
static double tidy(double x, double size)
{
    return fabs(x) < 1e-12 * size ? 0.0 : x;
}

static void print_matrix(const char* title, const double* A)
{
    printf("\n%s\n", title);
    for (int i = 0; i < 6; ++i) {
        printf("  %-3s", direction[i]);
        for (int j = 0; j < 6; ++j)
            printf(" %13.5e", tidy(A[6 * j + i], sqrt(A[7 * i] * A[7 * j])));
        printf("\n");
    }
}

static void print_yield(const char* title, const pkm_yield* y, const char* unit)
{
    printf("\n%s\n", title);
    for (int k = 0; k < 3; ++k) {
        const pkm_vec3 a = y->axis[k];
        if (y->compliance[k] > 0.0)
            printf("  %14.6g %s", 1.0 / y->compliance[k], unit);
        else
            printf("  %14s %s", "does not yield", "");
        printf("   along (%.4f, %.4f, %.4f)\n", cli_modes_tidy(a.x), cli_modes_tidy(a.y),
               cli_modes_tidy(a.z));
    }
}

static const char* share_name(const pkm_elastic* elastic, const pkm_yield_share* s,
                              const char** kind)
{
    static const char* const word[] = {"stretch", "bending", "torsion"};
    *kind = s->part == PKM_NONE ? "" : word[s->kind];
    if (s->part != PKM_NONE) return pkm_elastic_part_name(elastic, s->part);
    return s->kind == 0 ? "drives" : "springs";
}

static void print_shares(const pkm_elastic* elastic, const pkm_stiffness* s, bool is_pushed)
{
    printf("\nwhere it yields %s\n", is_pushed ? "under this force" : "in the softest direction");
    for (int k = 0; k < s->n_share; ++k) {
        const char *kind, *name = share_name(elastic, &s->share[k], &kind);
        printf("  %6.1f%%  %s %s\n", 100.0 * s->share[k].share, name, kind);
    }
}

static void print_shift(const char* title, const double* all)
{
    double x[6], most[2] = {0.0, 0.0};
    for (int k = 0; k < 6; ++k)
        most[k / 3] = fmax(most[k / 3], fabs(all[k]));
    for (int k = 0; k < 6; ++k)
        x[k] = tidy(all[k], fmax(most[k / 3], 1.0)); // a picometre is nothing
    printf("  %-22s %12.6g %12.6g %12.6g mm %12.6g %12.6g %12.6g mrad\n", title, 1e3 * x[0],
           1e3 * x[1], 1e3 * x[2], 1e3 * x[3], 1e3 * x[4], 1e3 * x[5]);
}

static void print_stiffness(const cli_modes* m, const pkm_elastic* elastic, const pkm_stiffness* s)
{
    const bool is_pushed =
        pkm_vec3_norm(m->settings.tool_force) + pkm_vec3_norm(m->settings.tool_torque) > 0.0;
    printf("%s, stiffness at the tool\n", m->robot->desc->name);
    cli_modes_print_setting(m, elastic);
    print_yield("shifts, softest first (no torque)", &s->shift, "N/m");
    print_yield("turns, softest first (no force)", &s->turn, "N m/rad");
    if (s->has_K)
        print_matrix("stiffness [N/m, N/rad; N, N m/rad]", s->K);
    else
        print_matrix("compliance [m/N, m/(N m); rad/N, rad/(N m)]: some direction is rigid", s->C);
    print_shares(elastic, s, is_pushed);
    printf("\ndisplacement of the tool\n");
    if (is_pushed) print_shift("under the force", s->deflection);
    print_shift("under the weight", s->sag);
}

static void put_yield(pkm_json* json, const char* key, const pkm_yield* y)
{
    pkm_json_key(json, key);
    pkm_json_array_begin(json);
    for (int k = 0; k < 3; ++k) {
        const double axis[3] = {y->axis[k].x, y->axis[k].y, y->axis[k].z};
        pkm_json_object_begin(json);
        pkm_json_put_number(json, "compliance", y->compliance[k]);
        pkm_json_key(json, "axis");
        pkm_json_numbers(json, axis, 3);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
}

static void put_numbers(pkm_json* json, const char* key, const double* x, int n)
{
    pkm_json_key(json, key);
    pkm_json_numbers(json, x, n);
}

/// What was computed at a pose.
typedef struct at_tool {
    cli_modes* m;
    pkm_elastic* elastic;
    pkm_stiffness s;
} at_tool;

static void put_all(const void* user, pkm_json* json)
{
    const at_tool* t = user;
    const pkm_stiffness* s = &t->s;
    const pkm_elastic* elastic = t->elastic;
    cli_modes_put_setting(json, t->m, elastic);
    put_numbers(json, "compliance", s->C, 36);
    if (s->has_K) put_numbers(json, "stiffness", s->K, 36);
    put_yield(json, "shifts", &s->shift);
    put_yield(json, "turns", &s->turn);
    pkm_json_key(json, "shares");
    pkm_json_array_begin(json);
    for (int k = 0; k < s->n_share; ++k) {
        const char *kind, *name = share_name(elastic, &s->share[k], &kind);
        pkm_json_object_begin(json);
        pkm_json_put_string(json, "name", name);
        pkm_json_put_string(json, "kind", kind);
        pkm_json_put_number(json, "share", s->share[k].share);
        pkm_json_object_end(json);
    }
    pkm_json_array_end(json);
    put_numbers(json, "deflection", s->deflection, 6);
    put_numbers(json, "sag", s->sag, 6);
}

static pkm_status show_json(const at_tool* t, pkm_error* err)
{
    cli_json out;
    if (!cli_json_begin(&out)) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    put_all(t, &out.json);
    return cli_json_end(&out) == 0 ? PKM_OK
                                   : pkm_fail(err, PKM_ERR_FILE, "stdout cannot be written");
}

/// Columns of the compliance [m/N, rad/N; m/(N m), rad/(N m)], a row per direction of the answer.
static bool fill_table(const pkm_stiffness* s, pkm_table* table)
{
    bool is_there = true;
    for (int k = 0; k < 6; ++k) {
        char name[24];
        snprintf(name, sizeof name, "compliance.%s", direction[k]);
        is_there =
            is_there && pkm_table_add_column(table, name, k < 3 ? "1/N" : "1/(N m)") != PKM_NONE;
    }
    for (int i = 0; i < 6 && is_there; ++i) {
        double* row = pkm_table_append(table);
        is_there = row != NULL;
        for (int k = 0; k < 6 && is_there; ++k)
            row[k] = s->C[6 * k + i];
    }
    return is_there;
}

static pkm_status draw_nothing(const void* user, const char* folder, const char** file, int* n_file,
                               pkm_error* err)
{
    (void)user, (void)folder, (void)file, (void)n_file, (void)err;
    return PKM_OK;
}

static pkm_status write_pose(at_tool* t, pkm_error* err)
{
    if (!cli_has(&t->m->args, "-o")) return PKM_OK;
    pkm_table* table = pkm_table_create();
    const double softest = t->s.shift.compliance[0];
    const pkm_manifest_result result[] = {
        {"least stiffness of shifts", softest > 0.0 ? 1.0 / softest : NAN, "N/m"}};
    const cli_run out = {.args = &t->m->args,
                         .robot = t->m->robot,
                         .motion = "stiffness",
                         .table = table,
                         .result = result,
                         .n_result = 1,
                         .complete = true,
                         .wall_time = pkm_clock() - t->m->start,
                         .draw = draw_nothing,
                         .summary = put_all,
                         .user = t};
    pkm_status status = table && fill_table(&t->s, table)
                            ? cli_run_write(&out, t->m->folder, sizeof t->m->folder, err)
                            : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_table_free(table);
    return status;
}

static pkm_status at_pose(cli_modes* m, pkm_error* err)
{
    at_tool t = {.m = m};
    pkm_status status = pkm_elastic_create(m->robot, &m->settings, &t.elastic, err);
    if (status == PKM_OK) status = pkm_elastic_place(t.elastic, m->robot->state, err);
    if (status == PKM_OK)
        status =
            pkm_stiffness_at(t.elastic, m->settings.tool_force, m->settings.tool_torque, &t.s, err);
    if (status == PKM_OK) status = write_pose(&t, err);
    if (status == PKM_OK && cli_has(&m->args, "--json")) {
        status = show_json(&t, err);
    } else if (status == PKM_OK) {
        print_stiffness(m, t.elastic, &t.s);
        if (cli_has(&m->args, "-o")) printf("\nresults in %s\n", m->folder);
    }
    pkm_elastic_free(t.elastic);
    return status;
}

// ---- over a plane -----------------------------------------------------------------------------

/// A map being made.
typedef struct map {
    cli_modes* m;
    pkm_workspace_grid grid;
    pkm_table* table;
} map;

static pkm_status draw(const void* user, const char* folder, const char** file, int* n_file,
                       pkm_error* err)
{
    const map* p = user;
    char path[1100];
    bool is_drawn;
    const cli_plane_map picture = {.robot = p->m->robot->desc->name,
                                   .grid = &p->grid,
                                   .table = p->table,
                                   .column = pkm_table_find(p->table, "k_min"),
                                   .label = "least stiffness",
                                   .log = true};
    snprintf(path, sizeof path, "%s/stiffness.svg", folder);
    PKM_TRY(cli_plane_map_draw(&picture, path, &is_drawn, err));
    if (is_drawn) file[(*n_file)++] = "stiffness.svg";
    return PKM_OK;
}

static pkm_status show_map(const map* p, int low, int high, pkm_error* err)
{
    const int column = pkm_table_find(p->table, "k_min");
    const int row[2] = {low, high};
    if (!cli_has(&p->m->args, "--json")) {
        printf("%s, least stiffness of shifts over %d points, %d in reach\n\n",
               p->m->robot->desc->name, pkm_table_n_row(p->table), cli_plane_map_reached(p->table));
        for (int k = 0; k < 2; ++k)
            printf("  %-10s %12.6g N/m at (%.4g, %.4g, %.4g) m\n", k ? "stiffest" : "softest",
                   pkm_table_get(p->table, row[k], column), pkm_table_get(p->table, row[k], 0),
                   pkm_table_get(p->table, row[k], 1), pkm_table_get(p->table, row[k], 2));
        printf("\nresults in %s\n", p->m->folder);
        return PKM_OK;
    }
    cli_json out;
    if (!cli_json_begin(&out)) return pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_json_put_string(&out.json, "name", p->m->robot->desc->name);
    pkm_json_put_integer(&out.json, "points", pkm_table_n_row(p->table));
    pkm_json_put_integer(&out.json, "reachable", cli_plane_map_reached(p->table));
    for (int k = 0; k < 2; ++k) {
        const double at[3] = {pkm_table_get(p->table, row[k], 0),
                              pkm_table_get(p->table, row[k], 1),
                              pkm_table_get(p->table, row[k], 2)};
        pkm_json_put_number(&out.json, k ? "most" : "least",
                            pkm_table_get(p->table, row[k], column));
        put_numbers(&out.json, k ? "most_at" : "least_at", at, 3);
    }
    pkm_json_put_string(&out.json, "folder", p->m->folder);
    return cli_json_end(&out) == 0 ? PKM_OK
                                   : pkm_fail(err, PKM_ERR_FILE, "stdout cannot be written");
}

static pkm_status finish_map(map* p, pkm_error* err)
{
    const int column = pkm_table_find(p->table, "k_min");
    const int low = cli_plane_map_extreme(p->table, column, false);
    const int high = cli_plane_map_extreme(p->table, column, true);
    if (low == PKM_NONE)
        return pkm_fail(err, PKM_ERR_UNREACHABLE,
                        "stiffness: none of the %d points of the grid is in reach",
                        pkm_table_n_row(p->table));
    const pkm_manifest_result least = {"least stiffness", pkm_table_get(p->table, low, column),
                                       "N/m"};
    const cli_run out = {.args = &p->m->args,
                         .robot = p->m->robot,
                         .motion = "stiffness-map",
                         .table = p->table,
                         .result = &least,
                         .n_result = 1,
                         .complete = !pkm_interrupted(),
                         .wall_time = pkm_clock() - p->m->start,
                         .draw = draw,
                         .user = p};
    PKM_TRY(cli_run_write(&out, p->m->folder, sizeof p->m->folder, err));
    return show_map(p, low, high, err);
}

static pkm_status over_plane(cli_modes* m, pkm_error* err)
{
    map p = {.m = m};
    pkm_workspace_plan plan;
    if (cli_has(&m->args, "--at") || cli_has(&m->args, "--drives"))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--map: expected no --at or --drives");
    PKM_TRY(pkm_workspace_plan_make(m->robot, &plan, err));
    PKM_TRY(cli_workspace_grid_of(&m->args, &plan, 30, &p.grid, err));
    pkm_progress progress = pkm_progress_begin("stiffness");
    const pkm_modes_sweep sweep = {
        .elastic = m->settings, .progress = pkm_progress_tick, .user = &progress};
    p.table = pkm_table_create();
    pkm_status status = p.table ? pkm_stiffness_map(m->robot, &sweep, &p.grid, p.table, err)
                                : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
    pkm_progress_end(&progress);
    if (status == PKM_OK) status = finish_map(&p, err);
    pkm_table_free(p.table);
    return status;
}

static int run(const cli_verb* verb, int argc, char** argv)
{
    cli_modes m = {.start = pkm_clock()};
    pkm_error err = {0};
    int code;
    if (!cli_begin(verb, argc, argv, &m.args, &m.robot, &code)) return code;
    pkm_interrupt_watch();
    pkm_status status = cli_modes_read(&m, &err);
    if (status == PKM_OK)
        status = cli_has(&m.args, "--map") ? over_plane(&m, &err) : at_pose(&m, &err);
    code = status == PKM_OK ? 0 : cli_fail(&err);
    cli_modes_free(&m);
    return code == 0 && pkm_interrupted() ? pkm_interrupt_code() : code;
}
