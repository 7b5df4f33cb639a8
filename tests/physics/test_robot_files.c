/// The files of robots/ say what the papers say: counts, masses, drives, and where every body is.
///
/// tests/data/reference/bodies.csv holds masses, centres of mass and inertias in world axes at the
/// start of the paper's motion, from a multibody program of its own.
#include "check.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "model/description.h"

#include <stdio.h>

/// What is known of a robot before anything is assembled.
typedef struct fact {
    const char* file;
    int n_body, n_joint; ///< without the ground
    double mass;         ///< total, with the payload [kg]
    double gap;          ///< largest opening of a joint in the poses of the file [m]
    const char* drives;  ///< names in order
} fact;

// Sums of the masses in the papers' tables; the last four follow from shapes and densities.
static const fact facts[] = {
    {"triglide", 10, 15, 6 * 0.941 + 0.57, 1e-12, "q1 q2 q3"},
    {"prrr2prpar", 14, 18, 2 * 9.68 + 4 * 2.32 + 4 * 7.35, 1e-12, "q1 q2 q3"},
    {"irb340", 10, 15, 3 * 1.0 + 6 * 0.96069652 + 0.3 + 1.0, 1e-12, "qA qB qC"},
    {"siax", 10, 15, 3 * 1.58 + 6 * 0.34 + 0.46 + 5.0, 1e-12, "qA qB qC"},
    {"kuo", 7, 9, 3 * 0.0975 + 3 * 0.117 + 0.5, 5e-3, "q1 q2 q3"},
    {"lindelta", 10, 15, 3 * 2.0 + 3 * 0.8 + 1.5, 1e-12, "q1 q2 q3"},
    {"isoglideT3", 10, 12, 3 * (0.98 + 6.17 + 6.17) + 5.66, 1e-12, "qa qb qc"},
    {"isoglide4", 16, 19,
     4 * 17.1 + 26.9 + 28.65 + 22.81 + 23.58 + 31.98 + 27.99 + 28.99 + 28.97 + 17.0 + 10.0, 1e-12,
     "q1 q2 q3 q4"},
    {"3pprs", 10, 12, 3 * (0.3 + 0.2) + 0.5 + 0.2, 1e-12, "q1 q2 q3 q4 q5 q6"},
    {"3ppsr", 10, 12, 3 * (0.3 + 0.2) + 0.5 + 0.2, 1e-12, "q1 q2 q3 q4 q5 q6"},
    {"bench/delta-d", 10, 15, 3 * 1.58 + 6 * 0.34 + 0.46 + 5.0, 1e-12, "qA qB qC"},
    // 2700 kg/m3 x (3 x 200 x (30 + 20) x 10 mm3 + pi/4 160^2 x 10 mm3) + 1 kg
    {"planar-3rrr", 7, 9, 2.7e-6 * (3 * 200 * 50 * 10 + M_PI / 4 * 160 * 160 * 10) + 1.0, 1e-12,
     "q1 q2 q3"},
    // 2700 kg/m3 x 2 x 90 x (20 x 8 + 16 x 6) mm3 + 0.2 kg
    {"five-bar", 4, 5, 2.7e-6 * 2 * 90 * (20 * 8 + 16 * 6) + 0.2, 1e-12, "q1 q2"},
    // plate, six tubes of aluminium, six rods of steel, payload
    {"gough-stewart", 13, 18,
     2.7e-6 * M_PI / 4 * (180 * 180 * 12 + 6 * (30 * 30 - 22 * 22) * 320) +
         7.85e-6 * M_PI / 4 * 6 * 16 * 16 * 320 + 2.0,
     1e-12, "q1 q2 q3 q4 q5 q6"},
};

enum { N_FACT = (int)(sizeof facts / sizeof facts[0]) };

static pkm_description* read_robot(const char* name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/robots/%s.yaml", PKM_SOURCE_DIR, name);
    pkm_description* desc = NULL;
    pkm_error err = {0};
    if (pkm_description_read(path, NULL, 0, &desc, &err) != PKM_OK)
        printf("    %s:%d:%d: %s\n", path, err.line, err.column, err.text);
    CHECK(desc != NULL);
    return desc;
}

static double total_mass(const pkm_description* desc)
{
    double mass = 0.0;
    for (int b = 1; b < desc->n_body; ++b)
        mass += desc->body[b].mass;
    return mass;
}

static void every_file_reads_with_its_counts_and_mass(void)
{
    for (int i = 0; i < N_FACT; ++i) {
        pkm_description* desc = read_robot(facts[i].file);
        if (!desc) continue;
        CHECK(desc->n_body - 1 == facts[i].n_body);
        CHECK(desc->n_joint == facts[i].n_joint);
        // 1e-8: the mass of the IRB 340's rod is written above with eight digits
        CHECK_NEAR(total_mass(desc), facts[i].mass, 1e-8 * facts[i].mass);
        pkm_description_free(desc);
    }
}

static void drives_have_the_names_and_order_of_the_references(void)
{
    for (int i = 0; i < N_FACT; ++i) {
        pkm_description* desc = read_robot(facts[i].file);
        if (!desc) continue;
        char names[256] = "";
        for (int d = 0; d < desc->n_drive; ++d) {
            if (d > 0) strcat(names, " ");
            strcat(names, desc->drive[d].name);
        }
        CHECK_TEXT(names, facts[i].drives);
        pkm_description_free(desc);
    }
}

static void every_file_has_a_tool_motions_and_a_source(void)
{
    for (int i = 0; i < N_FACT; ++i) {
        pkm_description* desc = read_robot(facts[i].file);
        if (!desc) continue;
        CHECK(desc->tool_marker != PKM_NONE);
        CHECK(desc->tool_moves != 0);
        CHECK(desc->n_motion >= 1);
        CHECK(strlen(desc->source) > 20 && strlen(desc->text) > 20);
        pkm_description_free(desc);
    }
}

/// Distance [m] of the two points of joint `j` in the poses as written; 0 where they may differ.
static double opening(const pkm_description* desc, const pkm_desc_joint* j)
{
    const pkm_vec3 a = pkm_pose_point(desc->body[j->body_a].guess, j->frame_a.p);
    const pkm_vec3 b = pkm_pose_point(desc->body[j->body_b].guess, j->frame_b.p);
    const pkm_vec3 gap = pkm_vec3_sub(b, a);
    if (j->type != PKM_JOINT_PRISMATIC) return pkm_vec3_norm(gap);

    // beside the rail only
    const pkm_quat q_a = pkm_quat_mul(desc->body[j->body_a].guess.q, j->frame_a.q);
    const pkm_vec3 axis = pkm_quat_rotate(q_a, pkm_vec3_make(0, 0, 1));
    return pkm_vec3_norm(pkm_vec3_cross(axis, gap));
}

static void poses_in_the_files_close_the_loops(void)
{
    for (int i = 0; i < N_FACT; ++i) {
        pkm_description* desc = read_robot(facts[i].file);
        if (!desc) continue;
        for (int j = 0; j < desc->n_joint; ++j) {
            const double gap = opening(desc, &desc->joint[j]);
            if (!(gap <= facts[i].gap)) printf("    %s: %s\n", facts[i].file, desc->joint[j].name);
            CHECK(gap <= facts[i].gap);
        }
        pkm_description_free(desc);
    }
}

static const pkm_desc_body* find_body(const pkm_description* desc, const char* name)
{
    for (int b = 1; b < desc->n_body; ++b)
        if (strcmp(desc->body[b].name, name) == 0) return &desc->body[b];
    return NULL;
}

/// Compare mass, centre of mass and inertia of `body` in world axes with `value`: mass, com, xx yy
/// zz xy xz yz.
static void compare_body(const pkm_desc_body* body, const double* value)
{
    CHECK_NEAR(body->mass, value[0], 1e-12 * value[0]);
    const pkm_vec3 com = pkm_pose_point(body->guess, body->com);
    CHECK_NEAR(com.x, value[1], 1e-12);
    CHECK_NEAR(com.y, value[2], 1e-12);
    CHECK_NEAR(com.z, value[3], 1e-12);

    // I_w = R I_b R^T, column by column
    const double* i = body->inertia;
    const pkm_mat3 R = pkm_mat3_from_quat(body->guess.q);
    const pkm_mat3 inertia = {{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}};
    const pkm_mat3 w = pkm_mat3_matmul(pkm_mat3_matmul(R, inertia), pkm_mat3_transpose(R));
    const double scale = 1e-12 * (value[4] + value[5] + value[6]);
    CHECK_NEAR(w.x.x, value[4], scale);
    CHECK_NEAR(w.y.y, value[5], scale);
    CHECK_NEAR(w.z.z, value[6], scale);
    CHECK_NEAR(w.x.y, value[7], scale);
    CHECK_NEAR(w.x.z, value[8], scale);
    CHECK_NEAR(w.y.z, value[9], scale);
}

/// Read one row of bodies.csv. Returns whether it has two names and ten numbers.
static bool read_row(const char* line, char* robot, char* body, double* value)
{
    int at = 0;
    if (sscanf(line, "%31[^,],%63[^,]%n", robot, body, &at) != 2) return false;
    for (int k = 0; k < 10; ++k) {
        int length = 0;
        if (sscanf(line + at, ",%lf%n", &value[k], &length) != 1) return false;
        at += length;
    }
    return true;
}

static void bodies_are_where_the_reference_has_them(void)
{
    FILE* file = fopen(PKM_SOURCE_DIR "/tests/data/reference/bodies.csv", "r");
    CHECK(file != NULL);
    if (!file) return;

    char line[1024], robot[32], body[64], open[32] = "";
    double value[10];
    int n_row = 0;
    pkm_description* desc = NULL;
    while (fgets(line, sizeof line, file)) {
        if (!read_row(line, robot, body, value)) continue; // the header
        ++n_row;
        if (strcmp(robot, open) != 0) {
            pkm_description_free(desc);
            desc = read_robot(robot);
            snprintf(open, sizeof open, "%s", robot);
        }
        const pkm_desc_body* found = desc ? find_body(desc, body) : NULL;
        CHECK(found != NULL);
        if (found) compare_body(found, value);
    }
    CHECK(n_row == 47);
    pkm_description_free(desc);
    fclose(file);
}

int main(void)
{
    RUN(every_file_reads_with_its_counts_and_mass);
    RUN(drives_have_the_names_and_order_of_the_references);
    RUN(every_file_has_a_tool_motions_and_a_source);
    RUN(poses_in_the_files_close_the_loops);
    RUN(bodies_are_where_the_reference_has_them);
    return check_report();
}
