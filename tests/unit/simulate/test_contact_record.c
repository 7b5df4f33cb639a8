// The record of joints with clearance: modes over time, events, paths that are thinned out.
#include "simulate/contact_record.h"

#include "check.h"

/// A record of two bearings without a plant.
static void make(pkm_contact_record* r, pkm_bearing_record bearing[2])
{
    *r = (pkm_contact_record){.n_bearing = 2, .bearing = bearing, .stride = 1};
}

static void modes_sum_up_to_the_run(void)
{
    pkm_bearing_record bearing[2] = {{.name = "a"}, {.name = "b"}};
    pkm_contact_record r;
    make(&r, bearing);
    CHECK(pkm_contact_record_phase(&r, 0, 0.1, PKM_TOUCH_IMPACT) == PKM_OK);
    CHECK(pkm_contact_record_phase(&r, 0, 0.15, PKM_TOUCH_IMPACT) == PKM_OK); // no change
    CHECK(pkm_contact_record_phase(&r, 0, 0.2, PKM_TOUCH_SLIDING) == PKM_OK);
    CHECK(pkm_contact_record_phase(&r, 1, 0.3, PKM_TOUCH_STICKING) == PKM_OK);
    CHECK(pkm_contact_record_phase(&r, 0, 0.7, PKM_TOUCH_FLIGHT) == PKM_OK);
    pkm_contact_record_end(&r, 1.0);
    CHECK_NEAR(bearing[0].time[PKM_TOUCH_FLIGHT], 0.4, 1e-15);
    CHECK_NEAR(bearing[0].time[PKM_TOUCH_IMPACT], 0.1, 1e-15);
    CHECK_NEAR(bearing[0].time[PKM_TOUCH_SLIDING], 0.5, 1e-15);
    CHECK_NEAR(bearing[1].time[PKM_TOUCH_STICKING], 0.7, 1e-15);
    CHECK(r.n_event == 4 && r.event[3].bearing == 0 && r.event[3].phase == PKM_TOUCH_FLIGHT);
    r.bearing = NULL; // not of the heap
    pkm_contact_record* heap = pkm_contact_record_create();
    *heap = r;
    pkm_contact_record_free(heap);
}

static void events_beyond_their_number_are_counted(void)
{
    pkm_bearing_record bearing[2] = {{.name = "a"}, {.name = "b"}};
    pkm_contact_record r;
    make(&r, bearing);
    for (int i = 0; i < PKM_TOUCH_EVENTS + 10; ++i)
        CHECK(pkm_contact_record_phase(&r, 0, 1e-6 * i,
                                       i % 2 ? PKM_TOUCH_FLIGHT : PKM_TOUCH_IMPACT) == PKM_OK);
    CHECK(r.n_event == PKM_TOUCH_EVENTS && r.lost_event == 10);
    pkm_contact_record_end(&r, 1.0);
    CHECK_NEAR(bearing[0].time[PKM_TOUCH_FLIGHT] + bearing[0].time[PKM_TOUCH_IMPACT], 1.0, 1e-9);
    pkm_warnings told = {.n = 0};
    r.n_bearing = 0; // nothing else to tell
    pkm_contact_record_warn(&r, NULL, &told);
    CHECK(told.n == 1);
    CHECK_CONTAINS(told.item[0].text, "10 more");
    CHECK_NEAR(told.item[0].t, pkm_contact_record_listed(&r), 0.0);
    CHECK_NEAR(pkm_contact_record_listed(&r), 1e-6 * (PKM_TOUCH_EVENTS - 1), 1e-9);
    r.lost_event = 0;
    CHECK_NEAR(pkm_contact_record_listed(&r), 1.0, 0.0);
    r.bearing = NULL;
    pkm_contact_record* heap = pkm_contact_record_create();
    *heap = r;
    pkm_contact_record_free(heap);
}

static void peaks_keep_the_largest(void)
{
    pkm_peak peak = {0.0, 0.0};
    pkm_peak_raise(&peak, 2.0, 0.1);
    pkm_peak_raise(&peak, 1.0, 0.2);
    pkm_peak_raise(&peak, 3.0, 0.3);
    CHECK_NEAR(peak.value, 3.0, 0.0);
    CHECK_NEAR(peak.t, 0.3, 0.0);
}

static void offsets_along_free_directions_do_not_count(void)
{
    pkm_contact_pair pair = {.type = PKM_JOINT_SPHERICAL, .motion = {.p = {1.0, 2.0, 3.0}}};
    CHECK_NEAR(pkm_contact_offset(&pair).z, 3.0, 0.0);
    pair.type = PKM_JOINT_CYLINDRICAL;
    CHECK_NEAR(pkm_contact_offset(&pair).z, 0.0, 0.0);
    pair.type = PKM_JOINT_PRISMATIC;
    CHECK_NEAR(pkm_contact_offset(&pair).z, 0.0, 0.0);
}

static void null_may_be_freed(void)
{
    pkm_contact_record_free(NULL);
}

int main(void)
{
    RUN(modes_sum_up_to_the_run);
    RUN(events_beyond_their_number_are_counted);
    RUN(peaks_keep_the_largest);
    RUN(offsets_along_free_directions_do_not_count);
    RUN(null_may_be_freed);
    return check_report();
}
