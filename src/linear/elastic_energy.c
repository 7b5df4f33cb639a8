// Energies and damping of displacements of the elastic model, docs/theory/modes.md, sections 4
// and 6.
#include "linear/elastic_model.h"

static void part_energy(const pkm_elastic* e, int part, const double* x, double strain[3])
{
    const pkm_beam_mesh* mesh = e->part[part].link->mesh;
    static const int place[3] = {PKM_STRAIN_AXIAL, PKM_STRAIN_BENDING, PKM_STRAIN_TORSION};
    pkm_elastic_part_mesh(e, part, x, e->mesh_q);
    for (int k = 0; k < pkm_beam_mesh_elements(mesh); ++k) {
        double one[3];
        pkm_beam_mesh_energy(mesh, e->mesh_q, k, one);
        for (int i = 0; i < 3; ++i)
            strain[place[i]] += one[i];
    }
}

/// x' A x of a part.
static double form(const elastic_part* part, const double* A, const double* xi, const double* xj)
{
    double sum = 0.0;
    for (int j = 0; j < part->n; ++j) {
        double column = 0.0;
        for (int i = 0; i < part->n; ++i)
            column += A[(size_t)j * (size_t)part->n + (size_t)i] * xi[part->at + i];
        sum += column * xj[part->at + j];
    }
    return sum;
}

void pkm_elastic_energies(const pkm_elastic* e, const double* x, pkm_elastic_energy* out)
{
    out->drives = out->springs = 0.0;
    for (int p = 0; p < e->n_part; ++p) {
        for (int k = 0; k < PKM_N_STRAIN; ++k)
            out->strain[PKM_N_STRAIN * p + k] = 0.0;
        if (e->part[p].link) part_energy(e, p, x, out->strain + PKM_N_STRAIN * p);
        if (e->part[p].coupling) // bending about a bent state stretches
            out->strain[PKM_N_STRAIN * p + PKM_STRAIN_AXIAL] +=
                0.5 * form(&e->part[p], e->part[p].coupling, x, x);
        if (e->part[p].outside) // of what kind is not known
            out->strain[PKM_N_STRAIN * p + PKM_STRAIN_BENDING] =
                0.5 * form(&e->part[p], e->part[p].K, x, x);
        out->kinetic[p] = 0.5 * form(&e->part[p], e->part[p].M, x, x);
    }
    for (int s = 0; s < e->n_spring; ++s) {
        const double stretch = elastic_row_dot(e, &e->spring[s].row, x);
        *(e->spring[s].element ? &out->springs : &out->drives) +=
            0.5 * e->spring[s].stiffness * stretch * stretch;
    }
}

/// Modal damping of a part.
static double modal_damping(const elastic_part* part, const double* xi, const double* xj)
{
    // the first six coordinates, the motion as a whole, are not damped
    const int n = part->n - 6;
    const double *zi = xi + part->at + 6, *zj = xj + part->at + 6;
    double sum = 0.0;
    for (int k = 0; !part->held_damping && k < n; ++k)
        sum += part->damping[6 + k] * zi[k] * zj[k];
    for (int j = 0; part->held_damping && j < n; ++j)
        for (int i = 0; i < n; ++i)
            sum += zi[i] * part->held_damping[(size_t)j * (size_t)n + (size_t)i] * zj[j];
    return sum;
}

double pkm_elastic_damping(const pkm_elastic* e, const double* xi, const double* xj)
{
    double sum = 0.0;
    for (int p = 0; p < e->n_part; ++p) {
        const elastic_part* part = &e->part[p];
        if (part->damping) sum += modal_damping(part, xi, xj);
        if (part->outside && part->outside->D) sum += form(part, part->outside->D, xi, xj);
        // alpha M + beta K of section 6; the coupling of stretch and bending counts as K
        if (part->rayleigh[0] > 0.0) sum += part->rayleigh[0] * form(part, part->M, xi, xj);
        if (part->rayleigh[1] > 0.0) sum += part->rayleigh[1] * form(part, part->K, xi, xj);
        if (part->coupling && part->spec->damping == PKM_FLEXIBLE_RAYLEIGH)
            sum += part->spec->stiffness * form(part, part->coupling, xi, xj);
    }
    for (int s = 0; s < e->n_spring; ++s)
        if (e->spring[s].damping > 0.0)
            sum += e->spring[s].damping * elastic_row_dot(e, &e->spring[s].row, xi) *
                   elastic_row_dot(e, &e->spring[s].row, xj);
    return sum;
}

bool pkm_elastic_is_damped(const pkm_elastic* e)
{
    for (int p = 0; p < e->n_part; ++p) {
        const pkm_flexible_spec* spec = e->part[p].spec;
        if (spec && spec->damping != PKM_FLEXIBLE_UNDAMPED) return true;
        if (e->part[p].outside && e->part[p].outside->D) return true;
    }
    for (int s = 0; s < e->n_spring; ++s)
        if (e->spring[s].damping > 0.0) return true;
    return false;
}
