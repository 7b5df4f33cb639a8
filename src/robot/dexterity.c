// Jacobian, singular values and kinds of singularity where the robot stands: for shifts and turns
// apart and together without units (5.1), (5.2). For the verb `check`, pkm/dexterity.h and the
// page. docs/theory/engine.md, section 5.
#include "pkm/kinematics.h"

#include "base/error.h"
#include "dynamics/kinematics.h"
#include "dynamics/motion_solve.h"
#include "math/dense.h"
#include "robot/guard.h"
#include "robot/robot.h"
#include "robot/singularity.h"

#include <string.h>

static const double SINGULAR = 1e-6; // against 1, lengths in robot sizes

/// Singular values and directions of the rows of J in `component` (scaled by `scale`).
static pkm_status read_part(const pkm_dexterity* d, const int* component, const double* scale,
                            int n, pkm_dexterity_part* out)
{
    *out = (pkm_dexterity_part){.n = n, .condition = NAN};
    if (n == 0) return PKM_OK;
    double part[6 * PKM_MAX_DRIVE], U[36], s[6];
    for (int k = 0; k < d->n_drive; ++k)
        for (int i = 0; i < n; ++i)
            part[k * n + i] = scale[i] * d->J[6 * k + component[i]];
    PKM_TRY(pkm_dense_svd(part, n, d->n_drive, s, U, NULL));
    // fewer drives than components: the rest of the directions cannot be moved at all
    for (int i = 0; i < n; ++i)
        out->sigma[i] = i < d->n_drive ? s[i] : 0.0;
    for (int i = 0; i < n; ++i) {
        // left singular vectors: the tool's fastest direction is also the one in which it yields
        // most
        out->weakest[i] = U[(n - 1) * n + i];
        out->softest[i] = U[i];
    }
    const double least = out->sigma[n - 1];
    out->condition = least > 1e-14 * out->sigma[0] ? out->sigma[0] / least : HUGE_VAL;
    return PKM_OK;
}

/// The Jacobian, a column per drive: the drives' rates one by one through the loops.
static void fill_jacobian(pkm_robot* robot, pkm_dexterity* out)
{
    for (int d = 0; d < out->n_drive; ++d) {
        pkm_target target = {.v = {0.0}};
        target.v[d] = 1.0;
        pkm_solve_velocity(robot->state, PKM_GIVEN_DRIVES, &target);
        const pkm_frame_motion tool = pkm_state_marker_motion(robot->state, robot->mech->tool);
        const double column[6] = {tool.v.x, tool.v.y, tool.v.z, tool.w.x, tool.w.y, tool.w.z};
        memcpy(out->J + 6 * d, column, sizeof column);
    }
    memset(robot->state->v, 0, (size_t)robot->mech->n_v * sizeof(double));
    pkm_kinematics_velocity(robot->state);
}

static pkm_status read_parts(pkm_dexterity* out)
{
    int shift[3], turn[3], all[6], n_shift = 0, n_turn = 0, n_all = 0;
    double one[6], scale[6];
    for (int k = 0; k < 6; ++k) {
        one[k] = 1.0;
        if (!(out->moves & (1u << k))) continue;
        if (k < 3)
            shift[n_shift++] = k;
        else
            turn[n_turn++] = k;
        scale[n_all] = k < 3 ? 1.0 : out->length;
        all[n_all++] = k;
    }
    PKM_TRY(read_part(out, shift, one, n_shift, &out->shift));
    PKM_TRY(read_part(out, turn, one, n_turn, &out->turn));
    // together only with a length that says how many metres a radian is
    const bool mix = n_shift > 0 && n_turn > 0 && !isnan(out->length);
    return read_part(out, all, scale, mix ? n_all : 0, &out->mixed);
}

/// Smallest singular value of the closures that are independent in general.
static pkm_status closure_sigma(pkm_robot* robot, double* out)
{
    const pkm_mechanism* mech = robot->mech;
    const int m = mech->n_closure, n = mech->n_v, rank = m - robot->structure.n_redundant;
    *out = 1.0;
    if (rank == 0) return PKM_OK;
    const int most = m < n ? m : n;
    double* matrix = pkm_alloc((size_t)m * (size_t)n, sizeof(double));
    double* s = pkm_alloc((size_t)most, sizeof(double));
    int* row = pkm_alloc((size_t)m, sizeof(int));
    pkm_status status = matrix && s && row ? PKM_OK : PKM_ERR_MEMORY;
    if (status == PKM_OK) {
        for (int i = 0; i < m; ++i)
            row[i] = i;
        pkm_rows_closures(robot->state);
        pkm_rows_dense(robot->state, row, m, matrix);
        status = pkm_dense_svd(matrix, m, n, s, NULL, NULL);
        // the smallest of those that are not zero in general
        if (status == PKM_OK) *out = s[rank - 1] / s[0];
    }
    pkm_free(matrix);
    pkm_free(s);
    pkm_free(row);
    return status;
}

/// J without units: turns times the robot's size, per unit of length of a drive (5.2).
static pkm_status read_whole(const pkm_robot* robot, const pkm_dexterity* d,
                             pkm_dexterity_part* out)
{
    pkm_dexterity plain = *d;
    double scale[6];
    int component[6], n = 0;
    for (int k = 0; k < d->n_drive; ++k)
        for (int c = 0; c < 6; ++c)
            if (robot->mech->drive[k].is_rotary) plain.J[6 * k + c] /= robot->mech->size;
    for (int c = 0; c < 6; ++c) {
        if (!(d->moves & (1u << c))) continue;
        scale[n] = c < 3 ? 1.0 : robot->mech->size;
        component[n++] = c;
    }
    return read_part(&plain, component, scale, n, out);
}

/// The kinds, by the one rule (singularity.h). A tool that cannot be prescribed, since it has more
/// or fewer components than drives, is serially singular where J loses rank.
static pkm_status judge(pkm_robot* robot, pkm_dexterity* out)
{
    pkm_singularity s = {0};
    bool is_far;
    // a bound by the factors at hand takes a tenth of the singular values
    PKM_TRY(pkm_singularity_is_far(robot->state, &robot->structure, SINGULAR, &is_far));
    if (!is_far) PKM_TRY(pkm_singularity_read(robot->state, &robot->structure, SINGULAR, &s));
    out->constraint = s.n_constraint > 0;
    out->parallel = s.n_parallel > 0;
    out->serial = s.n_serial > 0;
    if (!out->has_J || out->moves == 0 || robot->structure.tool_mode) return PKM_OK;
    pkm_dexterity_part whole;
    PKM_TRY(read_whole(robot, out, &whole));
    const int last = whole.n < out->n_drive ? whole.n - 1 : out->n_drive - 1;
    out->serial = whole.sigma[last] < SINGULAR;
    return PKM_OK;
}

pkm_status pkm_dexterity_at(pkm_robot* robot, pkm_dexterity* out, pkm_error* err)
{
    if (!robot || !out) return pkm_fail(err, PKM_ERR_ARGUMENT, "dexterity: an argument is NULL");
    PKM_HOLD(robot, err);
    *out = (pkm_dexterity){.n_drive = robot->mech->n_drive,
                           .moves = robot->structure.moves,
                           .length = robot->mech->length_scale};
    if (robot->mech->tool == PKM_NONE)
        return pkm_fail(err, PKM_ERR_MODEL, "%s: no tool, expected `tool: body.point`",
                        robot->desc->name);
    if (!robot->state->system[PKM_GIVEN_DRIVES].lu) return pkm_robot_require_drives(robot, err);
    pkm_kinematics_position(robot->state);
    pkm_status status = closure_sigma(robot, &out->closure_sigma);
    pkm_rows_closures(robot->state);
    out->has_J = pkm_solve_factor(robot->state, PKM_GIVEN_DRIVES) == PKM_OK;
    if (status == PKM_OK && out->has_J) {
        fill_jacobian(robot, out);
        status = read_parts(out);
    }
    if (status == PKM_OK) status = judge(robot, out);
    if (status != PKM_OK) return pkm_fail(err, status, "%s", pkm_status_text(status));
    return PKM_OK;
}
