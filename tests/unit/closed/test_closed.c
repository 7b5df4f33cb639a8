// The registry and what is common to all families.
#include "closed.h"
#include "closed/closed.h"

#include "base/memory.h"
#include "rod_robots.h"

static void every_family_is_complete_and_found_by_name(void)
{
    int n_family = 0;
    const pkm_closed_family* const* family = pkm_closed_families(&n_family);
    CHECK(n_family >= 3);
    for (int k = 0; k < n_family; ++k) {
        const pkm_closed_family* f = family[k];
        CHECK(pkm_closed_find(f->name) == f);
        CHECK(f->text && f->size > 0);
        CHECK(f->prepare && f->inverse_geometry && f->direct_geometry && f->velocity && f->bias);
        CHECK(f->inverse_dynamics && f->energy);
        CHECK(f->n_parameter <= PKM_CLOSED_MAX_PARAMETER);
        int n_moves = 0;
        for (int bit = 0; bit < 6; ++bit)
            n_moves += (int)(f->moves >> bit & 1u);
        CHECK(n_moves == f->n_drive && f->n_drive <= PKM_CLOSED_MAX_DRIVE);
    }
    CHECK(pkm_closed_find("no such robot") == NULL);
}

static void parameters_have_distinct_names_and_words(void)
{
    int n_family = 0;
    const pkm_closed_family* const* family = pkm_closed_families(&n_family);
    for (int k = 0; k < n_family; ++k) {
        for (int i = 0; i < family[k]->n_parameter; ++i) {
            const pkm_closed_parameter* p = &family[k]->parameter[i];
            CHECK(p->name && p->unit && p->text);
            for (int j = 0; j < i; ++j)
                CHECK(strcmp(p->name, family[k]->parameter[j].name) != 0);
        }
    }
}

/// What creating a SIAX with one parameter changed says.
static pkm_error complaint(const char* name, double wrong)
{
    const pkm_closed_family* family = pkm_closed_find("delta");
    double value[PKM_CLOSED_MAX_PARAMETER];
    law_values(family, siax, value);
    for (int k = 0; k < family->n_parameter; ++k) {
        if (strcmp(family->parameter[k].name, name) == 0) value[k] = wrong;
    }
    pkm_error err = {PKM_OK, 0, 0, "", ""};
    pkm_closed* closed = (pkm_closed*)&err;
    const pkm_status status = pkm_closed_create(family, value, &closed, &err);
    CHECK(status == err.status);
    CHECK(closed == NULL);
    CHECK(pkm_closed_create(family, value, &closed, NULL) == status);
    return err;
}

static void wrong_parameters_are_named(void)
{
    CHECK(complaint("rod_length", -1.0).status == PKM_ERR_MODEL);
    CHECK_TEXT(complaint("rod_length", -1.0).text,
               "closed form delta: rod_length -1 m, expected > 0");
    CHECK_TEXT(complaint("rod_length", NAN).text,
               "closed form delta: rod_length is missing (length of a rod between its joints)");
    CHECK_TEXT(complaint("crank_length", INFINITY).text,
               "closed form delta: crank_length is infinite");
    CHECK_TEXT(complaint("rod_mass", -0.1).text,
               "closed form delta: rod_mass -0.1 kg, expected >= 0");
    CHECK_TEXT(complaint("rods_per_limb", 1.5).text,
               "closed form delta: rods_per_limb 1.5, expected a whole number >= 1");
    CHECK_TEXT(complaint("down", 0.5).text, "closed form delta: down 0.5, expected -1 or 1");
    CHECK_CONTAINS(complaint("angle_2", 2.0 * M_PI).text, "angle_1 and angle_2: two limbs");
}

static void running_out_of_memory_is_reported(void)
{
    const pkm_closed_family* family = pkm_closed_find("delta");
    double value[PKM_CLOSED_MAX_PARAMETER];
    law_values(family, siax, value);
    pkm_closed* closed = NULL;
    pkm_error err;
    pkm_alloc_fail_at(1);
    CHECK(pkm_closed_create(family, value, &closed, &err) == PKM_ERR_MEMORY);
    pkm_alloc_fail_at(0);
    CHECK(closed == NULL && err.status == PKM_ERR_MEMORY);
    pkm_closed_free(NULL);
}

static void a_robot_knows_its_family(void)
{
    pkm_closed* closed = law_robot("triglide", triglide);
    CHECK_TEXT(pkm_closed_get_family(closed)->name, "triglide");
    pkm_closed_free(closed);
}

// J qd is the tool's velocity, column by column; the parts that do not move stay zero.
static void jacobian_columns_are_tool_velocities(void)
{
    pkm_closed* closed = law_robot("delta", siax);
    const double q[3] = {0.3, 0.1, -0.2}, still[3] = {0.0};
    pkm_closed_config c;
    double J[9];
    CHECK(pkm_closed_direct_geometry(closed, q, &c, 1, NULL) == 1);
    CHECK(closed_jacobian(closed, &c, J) == PKM_OK);
    for (int j = 0; j < 3; ++j) {
        double qd[3] = {0.0};
        qd[j] = 1.0;
        pkm_frame_motion tool;
        CHECK(pkm_closed_tool_motion(closed, &c, qd, still, &tool) == PKM_OK);
        CHECK_NEAR(tool.v.x, J[3 * j], 1e-15);
        CHECK_NEAR(tool.v.y, J[3 * j + 1], 1e-15);
        CHECK_NEAR(tool.v.z, J[3 * j + 2], 1e-15);
        CHECK(pkm_vec3_norm(tool.w) == 0.0 && pkm_vec3_norm(tool.alpha) == 0.0);
    }
    pkm_closed_free(closed);
}

int main(void)
{
    RUN(every_family_is_complete_and_found_by_name);
    RUN(parameters_have_distinct_names_and_words);
    RUN(wrong_parameters_are_named);
    RUN(running_out_of_memory_is_reported);
    RUN(a_robot_knows_its_family);
    RUN(jacobian_columns_are_tool_velocities);
    return check_report();
}
