// Bodies made by other programs: ours written to a file and read back is the same robot.
#include "flexible/imported.h"
#include "flexible/link.h"
#include "linear/modes.h"
#include "simulate.h"

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

enum { ELEMENTS = 3, N = 6 * (ELEMENTS + 1) };

/// K and M of the rod of SIAX, the nodes at its ends first.
typedef struct rod_file {
    double K[N * N], M[N * N];
    char text[64], hdf5[64];
} rod_file;

static void take_matrices(rod_file* f)
{
    pkm_description* desc = engine_read("siax");
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    pkm_flexible_link* link = NULL;
    double K[N * N], M[N * N];
    int order[N], n = 0, body = 0;
    spec.n_element = ELEMENTS;
    while (strcmp(desc->body[body].name, "A.left") != 0)
        ++body;
    CHECK(pkm_flexible_link_mesh(desc, body, &spec, &link, NULL) == PKM_OK);
    CHECK(pkm_beam_mesh_size(link->mesh) == N);
    pkm_beam_mesh_stiffness(link->mesh, K);
    pkm_beam_mesh_mass(link->mesh, M);
    const int ends[2] = {link->frame[0].node, link->frame[1].node};
    for (int k = 0; k < 2; ++k)
        for (int d = 0; d < 6; ++d)
            order[n++] = pkm_beam_mesh_coordinate(link->mesh, ends[k], d);
    for (int i = 0; i < ELEMENTS + 1; ++i)
        for (int d = 0; d < 6 && i != ends[0] && i != ends[1]; ++d)
            order[n++] = pkm_beam_mesh_coordinate(link->mesh, i, d);
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i) {
            f->K[j * N + i] = K[order[j] * N + order[i]];
            f->M[j * N + i] = M[order[j] * N + order[i]];
        }
    pkm_flexible_link_free(link);
    pkm_description_free(desc);
}

static void write_text(const char* path, const rod_file* f)
{
    FILE* file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file) return;
    fprintf(file, "# a rod\nframes A B   # its ends\ncoordinates %d\nK\n", N);
    for (int k = 0; k < N * N; ++k)
        fprintf(file, "%.17g%c", f->K[k], k % N == N - 1 ? '\n' : ' ');
    fprintf(file, "M\n");
    for (int k = 0; k < N * N; ++k)
        fprintf(file, "%.17g ", f->M[k]);
    fprintf(file, "\n");
    fclose(file);
}

static void write_hdf5(const char* path, const rod_file* f)
{
    const hsize_t size[2] = {N, N};
    const double* matrix[2] = {f->K, f->M};
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t plane = H5Screate_simple(2, size, NULL), point = H5Screate(H5S_SCALAR);
    for (int k = 0; k < 2; ++k) {
        const hid_t set = H5Dcreate2(file, k ? "M" : "K", H5T_NATIVE_DOUBLE, plane, H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT);
        CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, matrix[k]) >= 0);
        H5Dclose(set);
    }
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 4);
    const hid_t names = H5Acreate2(file, "frames", text, point, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Awrite(names, text, "A B") >= 0);
    H5Aclose(names);
    H5Tclose(text);
    H5Sclose(point);
    H5Sclose(plane);
    H5Fclose(file);
}

static rod_file rod;

static void make_files(void)
{
    take_matrices(&rod);
    snprintf(rod.text, sizeof rod.text, "/tmp/pkm-rod-%d.txt", (int)getpid());
    snprintf(rod.hdf5, sizeof rod.hdf5, "/tmp/pkm-rod-%d.h5", (int)getpid());
    write_text(rod.text, &rod);
    write_hdf5(rod.hdf5, &rod);
}

/// Frequencies of SIAX with rods as `flexible` says.
static void frequencies(const char* flexible, double omega[16], int* n_idle)
{
    pkm_robot* siax = engine_load("siax");
    pkm_run* run = NULL;
    pkm_elastic* elastic = NULL;
    pkm_modes* modes = NULL;
    pkm_error err = {0};
    CHECK(pkm_run_create(siax, &run, &err) == PKM_OK);
    pkm_status status = pkm_run_set(run, "flexible", flexible, "flexible", &err);
    const pkm_elastic_settings settings = {.effects = &run->effects};
    if (status == PKM_OK) status = pkm_modes_at(siax, &settings, 16, &elastic, &modes, &err);
    if (status != PKM_OK) printf("    %s\n", err.text);
    CHECK(status == PKM_OK);
    for (int k = 0; k < 16 && modes; ++k)
        omega[k] = modes->omega[k];
    if (elastic) *n_idle = pkm_elastic_idle(elastic);
    pkm_modes_free(modes);
    pkm_elastic_free(elastic);
    pkm_run_free(run);
    pkm_robot_free(siax);
}

/// The same robot with our mesh, with the text and with the HDF5 file, all coordinates kept.
static void a_file_of_our_mesh_gives_our_frequencies(void)
{
    double ours[16], theirs[16];
    char flexible[256];
    int n_idle = 0;
    frequencies("{left: {elements: 3}, right: {elements: 3}}", ours, &n_idle);
    for (int k = 0; k < 2; ++k) {
        const char* path = k ? rod.hdf5 : rod.text;
        snprintf(flexible, sizeof flexible, "{left: {file: %s}, right: {file: %s}}", path, path);
        frequencies(flexible, theirs, &n_idle);
        CHECK(n_idle == 6);
        for (int m = 0; m < 16; ++m)
            CHECK_NEAR(theirs[m], ours[m], 1e-8 * ours[m]);
    }
}

/// And the same motion: what M does not tell (how the deflection changes the inertia) is of second
/// order in it.
static void a_file_of_our_mesh_gives_our_motion(void)
{
    pkm_robot* siax = engine_load("siax");
    char text[512];
    snprintf(text, sizeof text,
             "motion: paper\ninstants: 41\nfor: 50 ms\nflexible: {left: {file: %s}, right: {file: "
             "%s}}\n",
             rod.text, rod.text);
    sim_result theirs = sim_run_whole(siax, text);
    sim_result ours = sim_run_whole(siax, "motion: paper\ninstants: 41\nfor: 50 ms\n"
                                          "flexible: {left: {elements: 3, modes: full, stiffening: "
                                          "false}, right: {elements: 3, modes: full, stiffening: "
                                          "false}}\n");
    double most = 0.0, off = 0.0;
    for (int i = 0; i < 41; ++i) {
        most = fmax(most, fabs(sim_get(&ours, i, "P.dp")));
        off = fmax(off, fabs(sim_get(&ours, i, "P.dp") - sim_get(&theirs, i, "P.dp")));
    }
    CHECK(most > 1e-5);
    CHECK(off < 2e-3 * most);
    sim_free(&ours);
    sim_free(&theirs);
    pkm_robot_free(siax);
}

// ---- what is refused --------------------------------------------------------------------------

static void check_refused(const char* text, const char* words)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/pkm-bad-%d.txt", (int)getpid());
    FILE* file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file) return;
    fputs(text, file);
    fclose(file);
    pkm_description* desc = engine_read("siax");
    pkm_arena* arena = pkm_arena_create();
    pkm_flexible_imported* out = NULL;
    pkm_error err = {0};
    int body = 0;
    while (strcmp(desc->body[body].name, "A.left") != 0)
        ++body;
    CHECK(pkm_flexible_imported_read(path, desc, body, arena, &out, &err) != PKM_OK);
    CHECK(out == NULL);
    CHECK_CONTAINS(err.text, words);
    pkm_arena_free(arena);
    pkm_description_free(desc);
    remove(path);
}

/// A diagonal matrix of 12 numbers as text.
static void append_diagonal(char* text, size_t size, const char* name, double value, double corner)
{
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, "%s\n", name);
    for (int k = 0; k < 144; ++k)
        used += (size_t)snprintf(text + used, size - used, "%g ",
                                 k % 13 == 0 ? value
                                 : k == 1    ? corner
                                             : 0.0);
    snprintf(text + used, size - used, "\n");
}

static void bad_files_are_refused_in_one_sentence(void)
{
    char text[8192];
    check_refused("frames A B\nwidth 3\n", "'width', expected frames");
    check_refused("frames A B\ncoordinates 1e9\n", "1e+09 coordinates");
    check_refused("frames A B\ncoordinates 12.5\n", "12.5 coordinates, expected a whole number");
    check_refused("frames A B\ncoordinates 12.0000001\n", "12.0000001 coordinates");
    check_refused("frames A B\ncoordinates nan\n", "nan coordinates");
    check_refused("frames A B\nK 1 2 3\n", "'coordinates' comes before K");
    check_refused("frames A B\ncoordinates 12\nK 1 2 3\n", "3 numbers of K, expected 144");
    check_refused("frames A B\ncoordinates 12\n", "K is missing");
    check_refused("frames A B\ncoordinates 12\n# no line feed", "K is missing");
    check_refused("frames A B\ncoordinates 7\ncoordinates 2000\n",
                  ":3: 'coordinates' for the second time");
    check_refused("coordinates 1\nK 1\nK 2\n", ":3: K for the second time");
    snprintf(text, sizeof text, "frames A C\ncoordinates 12\n");
    append_diagonal(text, sizeof text, "K", 1.0, 0.0);
    append_diagonal(text, sizeof text, "M", 1.0, 0.0);
    check_refused(text, "'C' is no point of A.left");
    memcpy(text, "frames A B", 10);
    check_refused(text, "K holds the body");
    snprintf(text, sizeof text, "frames A B\ncoordinates 12\n");
    append_diagonal(text, sizeof text, "K", 1.0, 0.5);
    append_diagonal(text, sizeof text, "M", 1.0, 0.0);
    check_refused(text, "K is not symmetric");
    snprintf(text, sizeof text, "frames A B\ncoordinates 12\n");
    append_diagonal(text, sizeof text, "K", 0.0, 0.0);
    append_diagonal(text, sizeof text, "M", 1.0, 0.0);
    check_refused(text, "its mass is 2 kg along x");
}

static void a_missing_file_is_named(void)
{
    pkm_robot* siax = engine_load("siax");
    pkm_run* run = NULL;
    pkm_error err = {0};
    CHECK(pkm_run_create(siax, &run, &err) == PKM_OK);
    CHECK(pkm_run_set(run, "flexible", "left: {file: /nowhere.h5}", "flexible", &err) != PKM_OK);
    CHECK_CONTAINS(err.text, "nowhere.h5");
    CHECK(pkm_run_set(run, "flexible", "left: {file: x.txt, elements: 2}", "flexible", &err) !=
          PKM_OK);
    CHECK_CONTAINS(err.text, "comes from a file");
    CHECK(pkm_run_set(run, "flexible", "left: {file: x.txt, damping: 0.1}", "flexible", &err) !=
          PKM_OK);
    CHECK_CONTAINS(err.text, "its D is the damping");
    pkm_run_free(run);
    pkm_robot_free(siax);
}

int main(void)
{
    make_files();
    RUN(a_file_of_our_mesh_gives_our_frequencies);
    RUN(a_file_of_our_mesh_gives_our_motion);
    RUN(bad_files_are_refused_in_one_sentence);
    RUN(a_missing_file_is_named);
    remove(rod.text);
    remove(rod.hdf5);
    return check_report();
}
