/// SIAX with 0.1 mm of clearance and contacts in its twelve ball joints, the motion of the paper,
/// 0.2 s, at the default tolerance.
#include "bench.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>

typedef struct bench {
    pkm_robot* robot;
    pkm_run* run;
    pkm_contact_record* record;
    pkm_sim_report report;
    pkm_status status;
} bench;

static void simulate(void* user, int k)
{
    bench* b = user;
    pkm_table* table = pkm_table_create();
    (void)k;
    b->run->settings.record = b->record;
    b->status |= pkm_simulate(b->robot, &b->run->settings, table, &b->report, NULL);
    pkm_table_free(table);
}

/// Errors are those of the speed of the tool's deviation, 0.19 m/s, which does not depend on chaos.
static int run(bench* b)
{
    const double ns = bench_time(simulate, b, 1);
    const double error = fabs(b->record->dv.value - 0.19) / 0.19;
    bench_line("pkm contact SIAX (0.2 s; 12 joints with clearance)", ns, error, 5e9);
    return b->status == PKM_OK && b->report.stop == PKM_STOP_END_TIME ? 0 : 1;
}

int main(void)
{
    static bench b;
    pkm_error err = {0};
    int code = 1;
    b.record = pkm_contact_record_create();
    b.status = pkm_robot_load(PKM_SOURCE_DIR "/robots/siax.yaml", NULL, 0, &b.robot, &err);
    if (b.status == PKM_OK) b.status = pkm_run_create(b.robot, &b.run, &err);
    if (b.status == PKM_OK)
        b.status = pkm_run_read(b.run, PKM_SOURCE_DIR "/runs/siax-clearance.yaml", &err);
    if (b.status == PKM_OK) b.status = pkm_run_complete(b.run, NULL, 0, &err);
    if (b.status == PKM_OK)
        code = run(&b);
    else
        fprintf(stderr, "bench_contact: %s\n", err.text);
    pkm_contact_record_free(b.record);
    pkm_run_free(b.run);
    pkm_robot_free(b.robot);
    return code;
}
