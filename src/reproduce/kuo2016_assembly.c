// The assembly behind the paper's Tables 2 and 3, elastodynamics.md section 3. It is kept as it was
// found, slips included: each of them moves a frequency by up to 15 to 60 %.
#include "math/lapack.h"
#include "reproduce/kuo2016_impl.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { N_PLATFORM = 6, FIRST_END = 0, SECOND_END = 6, INNER = 12 }; // rows of a link
enum { U, V, W, RX, RY, RZ };
// Coordinates of a limb: V_B = d7..d12, then d13, d14, then the inner ones of both links.
enum { V_B = 0, D13 = 6, D14 = 7, REST = 8 };

/// Coordinates of a limb: both links but for A (6), D (6) and the four that B's ends share.
static int limb_size(const pkm_kuo2016* kuo)
{
    return 2 * kuo->n_link - 16;
}

/// Stiffness and mass of a link on its own, along x.
static pkm_status make_link(pkm_kuo2016* kuo, int kind, pkm_beam_mesh* mesh, pkm_error* err)
{
    const pkm_vec3 tip = {kuo->robot.length[kind], 0.0, 0.0};
    pkm_beam_line line = pkm_beam_line_make((pkm_vec3){0.0, 0.0, 0.0}, tip, kuo->settings.n_element,
                                            &kuo->robot.section[kind], kuo->robot.material);
    // axes of the sections are those of link_axes
    line.y = (pkm_vec3){0.0, 1.0, 0.0};
    int index;
    PKM_TRY(pkm_beam_mesh_add_line(mesh, &line, &index, err));
    PKM_TRY(pkm_beam_mesh_finish(mesh, err));
    const size_t n = (size_t)(kuo->n_link = pkm_beam_mesh_size(mesh)), nn = n * n;
    // room for both kinds, asked for with the first: they have as many elements
    if (!kuo->K_link) {
        const size_t columns = (size_t)(N_PLATFORM + limb_size(kuo));
        kuo->K_link = pkm_alloc(4 * nn + 2 * n * columns, sizeof *kuo->K_link);
        if (!kuo->K_link) return PKM_ERR_MEMORY;
        kuo->M_link = kuo->K_link + 2 * nn;
        kuo->S = kuo->M_link + 2 * nn;
        kuo->AS = kuo->S + n * columns;
    }
    pkm_beam_mesh_stiffness(mesh, kuo->K_link + (size_t)kind * nn);
    pkm_beam_mesh_mass(mesh, kuo->M_link + (size_t)kind * nn);
    return PKM_OK;
}

pkm_status pkm_kuo2016_make_links(pkm_kuo2016* kuo, pkm_error* err)
{
    pkm_status status = PKM_OK;
    for (int kind = 0; status == PKM_OK && kind < 2; ++kind) {
        pkm_beam_mesh* mesh = NULL;
        status = pkm_beam_mesh_create(kuo->settings.shape, PKM_BEAM_EULER, &mesh);
        if (status == PKM_OK) status = make_link(kuo, kind, mesh, err);
        pkm_beam_mesh_free(mesh);
    }
    kuo->n = N_PLATFORM + 3 * limb_size(kuo);
    return status;
}

// ---- the transformation V_D = M_D^-1 (V_P - M_B V_B) -------------------------------------------

static pkm_mat3 rotation_z(double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (pkm_mat3){{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};
}

static pkm_mat3 rotation_y(double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (pkm_mat3){{c, 0.0, -s}, {0.0, 1.0, 0.0}, {s, 0.0, c}};
}

/// [[R, -[a]x R], [0, R]], 6 x 6: (52) with a = -r_B e, (53) with a = L2 R2 e_x - r_B e.
static void transfer(pkm_mat3 R, pkm_vec3 a, double* T)
{
    const pkm_vec3 column[3] = {R.x, R.y, R.z};
    memset(T, 0, 36 * sizeof *T);
    for (int j = 0; j < 3; ++j) {
        const pkm_vec3 r = column[j], t = pkm_vec3_cross(r, a); // r x a = -[a]x r
        const double turn[3] = {r.x, r.y, r.z}, shift[3] = {t.x, t.y, t.z};
        for (int i = 0; i < 3; ++i) {
            T[6 * j + i] = T[6 * (j + 3) + i + 3] = turn[i];
            T[6 * (j + 3) + i] = shift[i];
        }
    }
}

/// Axes of the upper and of the lower link, x along it.
static void link_axes(const pkm_kuo2016_limb* limb, pkm_mat3 R[2])
{
    const pkm_mat3 Z = rotation_z(atan2(limb->radial.y, limb->radial.x));
    R[PKM_KUO2016_UPPER] = pkm_mat3_matmul(Z, rotation_y(limb->phi1));
    R[PKM_KUO2016_LOWER] =
        pkm_mat3_matmul(pkm_mat3_matmul(Z, rotation_y(limb->phi12)), rotation_z(limb->phi3));
}

/// V_D as a 6 x 12 matrix on (V_P, V_B), (55). The labels of (52) and (53) are exchanged in print
/// against (47); the tables were made with the labels as printed.
static void tip_motion(const pkm_kuo2016* kuo, const pkm_kuo2016_limb* limb, double* V_D)
{
    pkm_mat3 R[2];
    link_axes(limb, R);
    const pkm_mat3 R1 = R[PKM_KUO2016_UPPER], R2 = R[PKM_KUO2016_LOWER];
    const pkm_vec3 a = pkm_vec3_scale(-kuo->robot.platform, limb->radial);
    double M_B[36], M_D[36]; // (3.2)
    transfer(R2, a, M_B);
    transfer(R1, pkm_vec3_axpy(a, kuo->robot.length[PKM_KUO2016_LOWER], R2.x), M_D);
    memset(V_D, 0, 36 * sizeof *V_D);
    // (3.1), with V_P = 1 as its first six right sides
    for (int j = 0; j < 6; ++j)
        V_D[7 * j] = 1.0;
    for (int k = 0; k < 36; ++k)
        V_D[36 + k] = -M_B[k];
    int pivot[6];
    pkm_dgesv(6, 12, M_D, 6, pivot, V_D,
              6); // M_D is regular: det R1 = 1
}

// ---- the links ---------------------------------------------------------------------------------

static double* entry(const pkm_kuo2016* kuo, int row, int column)
{
    return kuo->S + (size_t)column * (size_t)kuo->n_link + (size_t)row;
}

/// Columns of the inner coordinates of a link: they are those of the assembly, one to one.
static void clear_map(pkm_kuo2016* kuo, int first_inner)
{
    const size_t columns = (size_t)(N_PLATFORM + limb_size(kuo));
    memset(kuo->S, 0, columns * (size_t)kuo->n_link * sizeof *kuo->S);
    for (int row = INNER; row < kuo->n_link; ++row)
        *entry(kuo, row, N_PLATFORM + first_inner + row - INNER) = 1.0;
}

/// Upper link: clamped at A; at B (3.3), in print (58), with v' = d12, w' = d11 (no minus sign).
static void map_upper(pkm_kuo2016* kuo)
{
    clear_map(kuo, REST);
    const int at = N_PLATFORM + V_B;
    for (int d = U; d <= RX; ++d)
        *entry(kuo, SECOND_END + d, at + d) = 1.0;
    *entry(kuo, SECOND_END + RY, at + RY) = -1.0; // ry = -w'
    *entry(kuo, SECOND_END + RZ, at + RZ) = 1.0;
}

/// Lower link: (3.4) at B, in print (59), torsion held; at D (3.5), in print (60), with v' = V_D6,
/// w' = V_D5, slopes with the chord's.
static void map_lower(pkm_kuo2016* kuo, const pkm_kuo2016_limb* limb)
{
    double V_D[6 * 12];
    tip_motion(kuo, limb, V_D);
    clear_map(kuo, REST + kuo->n_link - INNER);
    const double L2 = kuo->robot.length[PKM_KUO2016_LOWER];
    // Ry(phi1)' of (3.4): axes of the upper link, though the coordinates are the rod's
    const pkm_mat3 T = pkm_mat3_transpose(rotation_y(limb->phi1));
    const pkm_vec3 column[3] = {T.x, T.y, T.z};
    for (int j = 0; j < 3; ++j) {
        *entry(kuo, FIRST_END + U, N_PLATFORM + V_B + j) = column[j].x;
        *entry(kuo, FIRST_END + V, N_PLATFORM + V_B + j) = column[j].y;
        *entry(kuo, FIRST_END + W, N_PLATFORM + V_B + j) = column[j].z;
    }
    for (int j = 0; j < 12; ++j) { // V_P and V_B are the first twelve columns
        const double* v = V_D + 6 * j;
        // c_v and c_w of (3.5); rotations of a section are ry = -w', rz = v'
        const double chord_v = (v[V] - *entry(kuo, FIRST_END + V, j)) / L2;
        const double chord_w = (v[W] - *entry(kuo, FIRST_END + W, j)) / L2;
        *entry(kuo, FIRST_END + RZ, j) = chord_v;
        *entry(kuo, FIRST_END + RY, j) = -chord_w;
        for (int d = U; d <= RX; ++d)
            *entry(kuo, SECOND_END + d, j) = v[d];
        *entry(kuo, SECOND_END + RZ, j) = v[5] + chord_v;
        *entry(kuo, SECOND_END + RY, j) = -(v[4] + chord_w);
    }
    *entry(kuo, FIRST_END + RZ, N_PLATFORM + D13) = 1.0;
    *entry(kuo, FIRST_END + RY, N_PLATFORM + D14) = -1.0;
}

/// A += S' A_link S; column c of S is global coordinate c, from N_PLATFORM on of the limb.
static void add_link(pkm_kuo2016* kuo, int limb, const double* A_link, double* A)
{
    const int n = kuo->n_link, columns = N_PLATFORM + limb_size(kuo);
    const int shift = limb * limb_size(kuo);
    memset(kuo->AS, 0, (size_t)n * (size_t)columns * sizeof *kuo->AS);
    for (int c = 0; c < columns; ++c) {
        double* y = kuo->AS + (size_t)c * (size_t)n;
        for (int k = 0; k < n; ++k) {
            const double s = *entry(kuo, k, c);
            if (s == 0.0) continue;
            for (int i = 0; i < n; ++i)
                y[i] += s * A_link[(size_t)k * (size_t)n + (size_t)i];
        }
    }
    // the platform's columns are shared by the limbs, the others are moved to this limb's
    for (int c = 0; c < columns; ++c) {
        const double* y = kuo->AS + (size_t)c * (size_t)n;
        const size_t to = (size_t)(c < N_PLATFORM ? c : c + shift);
        for (int r = 0; r < columns; ++r) {
            const double* s = entry(kuo, 0, r);
            double sum = 0.0;
            for (int k = 0; k < n; ++k)
                sum += s[k] * y[k];
            A[to * (size_t)kuo->n + (size_t)(r < N_PLATFORM ? r : r + shift)] += sum;
        }
    }
}

// ---- the force ---------------------------------------------------------------------------------

/// Nodal values of a field that runs straight from `at[0]` to `at[1]` [m/s2] over a link, in its
/// axes; linear-cubic elements have it exactly.
static void put_field(const pkm_kuo2016* kuo, const pkm_vec3 at[2], double L, double* d)
{
    const int n_node = kuo->settings.n_element + 1;
    const pkm_vec3 slope = pkm_vec3_scale(1.0 / L, pkm_vec3_sub(at[1], at[0]));
    // where the mesh numbers a node: both ends come first
    for (int i = 0; i < n_node; ++i) {
        const int row = i == 0 ? FIRST_END : i == n_node - 1 ? SECOND_END : INNER + 6 * (i - 1);
        const pkm_vec3 v = pkm_vec3_axpy(at[0], L * i / (n_node - 1), slope);
        // no torsion; slopes v' = rz, w' = -ry
        const double node[6] = {v.x, v.y, v.z, 0.0, -slope.z, slope.y};
        memcpy(d + row, node, sizeof node);
    }
}

/// f += S' int rho A N' (g - a) dx of a link between the points a and b.
static void add_force(pkm_kuo2016* kuo, int limb, int kind, pkm_mat3 R, const pkm_vec3 a[2],
                      double* f)
{
    const size_t n = (size_t)kuo->n_link;
    const int columns = N_PLATFORM + limb_size(kuo), shift = limb * limb_size(kuo);
    const double* M = kuo->M_link + (size_t)kind * n * n;
    double *d = kuo->AS, *load = kuo->AS + n;
    pkm_vec3 at[2];
    for (int k = 0; k < 2; ++k)
        at[k] = pkm_mat3_tmul(R, (pkm_vec3){-a[k].x, -a[k].y, kuo->robot.gravity - a[k].z});
    // (3.7): the integral of rho A N' over a field N d is M d
    put_field(kuo, at, kuo->robot.length[kind], d);
    memset(load, 0, n * sizeof *load);
    for (size_t k = 0; k < n; ++k)
        for (size_t i = 0; i < n; ++i)
            load[i] += M[k * n + i] * d[k];
    for (int c = 0; c < columns; ++c)
        for (size_t k = 0; k < n; ++k)
            f[c < N_PLATFORM ? c : c + shift] += entry(kuo, 0, c)[k] * load[k];
}

// ---- all ---------------------------------------------------------------------------------------

/// Matrices, and when asked for the force, of one link whose map is in S.
static void add_both(pkm_kuo2016* kuo, int limb, int kind, const pkm_kuo2016_limb* at, double* f)
{
    const size_t block = (size_t)kuo->n_link * (size_t)kuo->n_link;
    const pkm_vec3 a[2] = {kind == PKM_KUO2016_UPPER ? at->A.a : at->B.a,
                           kind == PKM_KUO2016_UPPER ? at->B.a : at->D.a};
    pkm_mat3 R[2];
    link_axes(at, R);
    add_link(kuo, limb, kuo->K_link + (size_t)kind * block, kuo->K);
    add_link(kuo, limb, kuo->M_link + (size_t)kind * block, kuo->M);
    if (f) add_force(kuo, limb, kind, R[kind], a, f);
}

pkm_status pkm_kuo2016_matrices(pkm_kuo2016* kuo, pkm_beam_jet P, double* f, pkm_error* err)
{
    const size_t n = (size_t)kuo->n;
    memset(kuo->K, 0, n * n * sizeof *kuo->K);
    memset(kuo->M, 0, n * n * sizeof *kuo->M);
    if (f) memset(f, 0, n * sizeof *f);
    for (int i = 0; i < 3; ++i) {
        pkm_kuo2016_limb limb;
        PKM_TRY(pkm_kuo2016_limb_at(&kuo->robot, i, P, &limb, err));
        map_upper(kuo);
        add_both(kuo, i, PKM_KUO2016_UPPER, &limb, f);
        map_lower(kuo, &limb);
        add_both(kuo, i, PKM_KUO2016_LOWER, &limb, f);
    }
    // (3.6): half of the platform, with the inertia of a hexagonal plate about all axes
    const double r = kuo->robot.platform;
    const double J =
        9.0 * sqrt(3.0) / 32.0 * kuo->robot.material.rho * kuo->robot.thickness * r * r * r * r;
    for (size_t k = 0; k < N_PLATFORM; ++k)
        kuo->M[k * n + k] += 0.5 * (k < 3 ? kuo->robot.mass : J);
    if (f) {
        f[0] -= 0.5 * kuo->robot.mass * P.a.x;
        f[1] -= 0.5 * kuo->robot.mass * P.a.y;
        f[2] += 0.5 * kuo->robot.mass * (kuo->robot.gravity - P.a.z);
    }
    return PKM_OK;
}
