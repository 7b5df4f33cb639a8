// Modes as a table: frequencies, and shares of strain and kinetic energy by body and kind
// (docs/theory/modes.md, section 4).
#include "linear/modes_report.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586477;

double pkm_modes_share(const pkm_modes* modes, int k, int kind)
{
    double sum = 0.0;
    // over all bodies
    for (int p = 0; p < modes->n_part; ++p)
        sum += modes->strain[PKM_N_STRAIN * (modes->n_part * k + p) + kind];
    return sum;
}

static bool add_columns(const pkm_elastic* elastic, pkm_table* table)
{
    static const char* const first[][2] = {{"mode", ""},   {"f", "Hz"},     {"omega", "rad/s"},
                                           {"axial", ""},  {"bending", ""}, {"torsion", ""},
                                           {"drives", ""}, {"springs", ""}, {"prestress", ""}};
    static const char* const kind[] = {"axial", "bending", "torsion", "kinetic"};
    bool is_there = true;
    for (size_t c = 0; c < sizeof first / sizeof first[0]; ++c)
        is_there = is_there && pkm_table_add_column(table, first[c][0], first[c][1]) != PKM_NONE;
    for (int p = 0; p < pkm_elastic_parts(elastic); ++p) {
        for (int i = 0; i <= PKM_N_STRAIN; ++i) {
            char name[2 * PKM_MAX_NAME];
            snprintf(name, sizeof name, "%s.%s", pkm_elastic_part_name(elastic, p), kind[i]);
            is_there = is_there && pkm_table_add_column(table, name, "") != PKM_NONE;
        }
    }
    return is_there;
}

static void fill_row(const pkm_modes* modes, int k, double* row)
{
    const double lead[] = {k + 1.0,
                           // columns in the order of add_columns
                           modes->omega[k] / TWO_PI, modes->omega[k],
                           pkm_modes_share(modes, k, PKM_STRAIN_AXIAL),
                           pkm_modes_share(modes, k, PKM_STRAIN_BENDING),
                           pkm_modes_share(modes, k, PKM_STRAIN_TORSION), modes->drives[k],
                           modes->springs[k], modes->prestress[k]};
    memcpy(row, lead, sizeof lead);
    row += sizeof lead / sizeof lead[0];
    for (int p = 0; p < modes->n_part; ++p) {
        for (int i = 0; i < PKM_N_STRAIN; ++i)
            *row++ = modes->strain[PKM_N_STRAIN * (modes->n_part * k + p) + i];
        *row++ = modes->kinetic[modes->n_part * k + p];
    }
}

pkm_status pkm_modes_report(const pkm_elastic* elastic, const pkm_modes* modes, pkm_table* table,
                            pkm_error* err)
{
    bool is_there = add_columns(elastic, table);
    for (int k = 0; k < modes->n_mode && is_there; ++k) {
        double* row = pkm_table_append(table);
        is_there = row != NULL;
        if (row) fill_row(modes, k, row);
    }
    return is_there ? PKM_OK : pkm_fail(err, PKM_ERR_MEMORY, "out of memory");
}
