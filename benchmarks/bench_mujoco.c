/// MuJoCo on model D: inverse dynamics from its pieces with a projection onto the drives, its own
/// mj_inverse, one forward evaluation, and the motion driven open loop by its exact torques.
///
/// MuJoCo's loops are soft constraints: mj_inverse asks what forces make these accelerations
/// against springs, which is another question. Exact torques need the tree's inverse dynamics and
/// the constraint Jacobian, and a projection that MuJoCo does not have:
///
///     J_p' lambda = f_p        (24 passive coordinates, 18 rows; least squares, consistent)
///     torque = f_a - J_a' lambda
///
/// A simulation has the same springs: pulled by an acceleration a, loops of frequency w open by
///
///     gap = (1 - d) a / w2        with the impedance d of at most 0.9999
///
/// so that the stiffness, and through its stability the step, decide how right the platform is.
#include "bench.h"
#include "delta_d.h"
#include "math/quat.h"
#include "mjcf.h"

#include <mujoco/mujoco.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COORDINATE = 40, N_ROW = 18 };

typedef struct coordinates {
    double qpos[MAX_COORDINATE], qvel[MAX_COORDINATE], qacc[MAX_COORDINATE];
} coordinates;

typedef struct bench {
    mjModel* m;
    mjData* d;
    int crank_qpos[3], crank_dof[3];
    bool is_crank[MAX_COORDINATE]; // by degree of freedom
    delta_instant instant[DELTA_N_INSTANT];
    coordinates exact[DELTA_N_INSTANT];
    double torque[3]; // what the last call found
    int n_step;       // of a simulation
    bool check;       // whether it notes its largest errors [m]:
    double error;     // of the platform
    double gap;       // of the loops
} bench;

static const double TARGET_ERROR = 1e-6; // [m]
static const pkm_closed* exact_drives;   // here, since MuJoCo hands its callbacks no pointer

static mjModel* load_model(void)
{
    static char text[20000];
    const size_t length = mjcf_write(text, sizeof text);
    mjVFS* vfs = malloc(sizeof *vfs); // some 100 kB
    if (!vfs || length >= sizeof text) return NULL;
    mj_defaultVFS(vfs);
    mjModel* m = NULL;
    char why[500] = "";
    if (mj_makeEmptyFileVFS(vfs, "delta-d.xml", (int)length) == 0) {
        memcpy(vfs->filedata[mj_findFileVFS(vfs, "delta-d.xml")], text, length);
        m = mj_loadXML("delta-d.xml", vfs, why, sizeof why);
    }
    if (!m) fprintf(stderr, "MuJoCo: %s\n", why);
    mj_deleteVFS(vfs);
    free(vfs);
    return m;
}

static int joint(const bench* b, const char* kind, int index)
{
    char name[32];
    snprintf(name, sizeof name, index < 0 ? "%s" : "%s%d", kind, index);
    return mj_name2id(b->m, mjOBJ_JOINT, name);
}

static void put3(double* to, pkm_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/// The ball joint of a rod: its orientation against the crank, rates in the rod's own axes.
static void set_rod(const bench* b, int rod, const delta_limb* limb, coordinates* x)
{
    const int j = joint(b, "rod", rod), at = b->m->jnt_qposadr[j], dof = b->m->jnt_dofadr[j];
    const double* home = &b->m->body_quat[4 * b->m->jnt_bodyid[j]];
    const pkm_quat azimuth =
        pkm_quat_from_axis(pkm_vec3_make(0.0, 0.0, 1.0), atan2(limb->out.y, limb->out.x));
    const pkm_quat crank =
        pkm_quat_mul(azimuth, pkm_quat_from_axis(pkm_vec3_make(0.0, 1.0, 0.0), limb->q));

    // The least turn from the rod's home direction to its own.
    const pkm_quat at_home = pkm_quat_mul(crank, (pkm_quat){home[0], home[1], home[2], home[3]});
    const pkm_vec3 z = pkm_quat_rotate(at_home, pkm_vec3_make(0.0, 0.0, 1.0));
    const pkm_vec3 normal = pkm_vec3_cross(z, limb->rod);
    const double angle = atan2(pkm_vec3_norm(normal), pkm_vec3_dot(z, limb->rod));
    const pkm_quat rod_w = pkm_quat_mul(pkm_quat_from_axis(pkm_vec3_unit(normal), angle), at_home);
    const pkm_quat turn = pkm_quat_mul(pkm_quat_conj(at_home), rod_w);
    const double quat[4] = {turn.w, turn.x, turn.y, turn.z};
    memcpy(&x->qpos[at], quat, sizeof quat);

    // Rate against the crank, and its derivative in the rod's axes.
    const pkm_vec3 rate = pkm_vec3_axpy(limb->rod_w, -limb->qd, limb->hinge);
    const pkm_vec3 bend = pkm_vec3_sub(pkm_vec3_axpy(limb->rod_alpha, -limb->qdd, limb->hinge),
                                       pkm_vec3_cross(limb->rod_w, rate));
    put3(&x->qvel[dof], pkm_quat_rotate(pkm_quat_conj(rod_w), rate));
    put3(&x->qacc[dof], pkm_quat_rotate(pkm_quat_conj(rod_w), bend));
}

static void set_coordinates(const bench* b, const delta_instant* now, coordinates* x)
{
    memset(x, 0, sizeof *x);
    for (int i = 0; i < 3; ++i) {
        x->qpos[b->crank_qpos[i]] = now->limb[i].q;
        x->qvel[b->crank_dof[i]] = now->limb[i].qd;
        x->qacc[b->crank_dof[i]] = now->limb[i].qdd;
        set_rod(b, 2 * i, &now->limb[i], x);
        set_rod(b, 2 * i + 1, &now->limb[i], x);
    }
    const int j = joint(b, "platform", -1);
    const int at = b->m->jnt_qposadr[j], dof = b->m->jnt_dofadr[j];
    put3(&x->qpos[at], now->x);
    x->qpos[at + 3] = 1.0;
    put3(&x->qvel[dof], now->v);
    put3(&x->qacc[dof], now->a);
}

static bool prepare(bench* b)
{
    b->m = load_model();
    b->d = b->m ? mj_makeData(b->m) : NULL;
    if (!b->d || b->m->nq > MAX_COORDINATE || !delta_instants(b->instant)) return false;
    for (int i = 0; i < 3; ++i) {
        const int j = joint(b, "crank", i);
        b->crank_qpos[i] = b->m->jnt_qposadr[j];
        b->crank_dof[i] = b->m->jnt_dofadr[j];
        b->is_crank[b->crank_dof[i]] = true;
    }
    for (int k = 0; k < DELTA_N_INSTANT; ++k)
        set_coordinates(b, &b->instant[k], &b->exact[k]);
    mj_forward(b->m, b->d);
    return b->d->nefc == N_ROW;
}

static void give_coordinates(bench* b, int k)
{
    const size_t nq = (size_t)b->m->nq, nv = (size_t)b->m->nv;
    memcpy(b->d->qpos, b->exact[k].qpos, nq * sizeof(double));
    memcpy(b->d->qvel, b->exact[k].qvel, nv * sizeof(double));
    memcpy(b->d->qacc, b->exact[k].qacc, nv * sizeof(double));
}

/// Cholesky solution of the n x n system A x = b, lower half by rows; x in b.
static void solve_symmetric(double* A, int n, double* b)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; ++k)
                sum -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
        }
        for (int k = 0; k < i; ++k)
            b[i] -= A[i * n + k] * b[k];
        b[i] /= A[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            b[i] -= A[k * n + i] * b[k];
        b[i] /= A[i * n + i];
    }
}

/// Torques from the tree's forces and the rows of the closures.
static void project(bench* b)
{
    const int nv = b->m->nv;
    const double* f = b->d->qfrc_inverse;
    double Jp[N_ROW * MAX_COORDINATE], fp[MAX_COORDINATE], A[N_ROW * N_ROW], lambda[N_ROW];
    int n = 0; // passive coordinates
    for (int j = 0; j < nv; ++j) {
        if (b->is_crank[j]) continue;
        for (int r = 0; r < N_ROW; ++r)
            Jp[r * MAX_COORDINATE + n] = b->d->efc_J[r * nv + j];
        fp[n++] = f[j];
    }
    for (int r = 0; r < N_ROW; ++r) {
        const double* row = &Jp[r * MAX_COORDINATE];
        for (int s = 0; s <= r; ++s)
            A[r * N_ROW + s] = mju_dot(row, &Jp[s * MAX_COORDINATE], n);
        lambda[r] = mju_dot(row, fp, n);
    }
    solve_symmetric(A, N_ROW, lambda);
    for (int i = 0; i < 3; ++i) {
        const int j = b->crank_dof[i];
        b->torque[i] = f[j];
        for (int r = 0; r < N_ROW; ++r)
            b->torque[i] -= b->d->efc_J[r * nv + j] * lambda[r];
    }
}

static void inverse_by_pieces(void* user, int k)
{
    bench* b = user;
    give_coordinates(b, k);
    mj_kinematics(b->m, b->d);
    mj_comPos(b->m, b->d);
    mj_makeConstraint(b->m, b->d);
    mj_comVel(b->m, b->d);
    mj_rne(b->m, b->d, 1, b->d->qfrc_inverse);
    project(b);
}

static void inverse_as_shipped(void* user, int k)
{
    bench* b = user;
    give_coordinates(b, k);
    mj_inverse(b->m, b->d);
    for (int i = 0; i < 3; ++i)
        b->torque[i] = b->d->qfrc_inverse[b->crank_dof[i]];
}

static void forward(void* user, int k)
{
    bench* b = user;
    give_coordinates(b, k);
    mju_zero(b->d->qacc_warmstart, b->m->nv);
    for (int i = 0; i < 3; ++i)
        b->d->ctrl[i] = b->instant[k].limb[i].torque;
    mj_forward(b->m, b->d);
}

/// Largest torque error at all instants, relative to the largest torque.
static double torque_error(bench* b, bench_call call)
{
    double worst = 0.0;
    for (int k = 0; k < DELTA_N_INSTANT; ++k) {
        call(b, k);
        for (int i = 0; i < 3; ++i)
            worst = bench_larger(worst, b->torque[i], b->instant[k].limb[i].torque);
    }
    return worst / delta_largest_torque(b->instant);
}

/// Largest error of the platform's acceleration, relative to its largest component.
static double acceleration_error(bench* b)
{
    const int dof = b->m->jnt_dofadr[joint(b, "platform", -1)];
    double worst = 0.0, largest = 0.0;
    for (int k = 0; k < DELTA_N_INSTANT; ++k) {
        forward(b, k);
        for (int i = 0; i < 3; ++i) {
            worst = bench_larger(worst, b->d->qacc[dof + i], b->exact[k].qacc[dof + i]);
            largest = bench_larger(largest, b->exact[k].qacc[dof + i], 0.0);
        }
    }
    return worst / largest;
}

static void drive(const mjModel* m, mjData* d)
{
    (void)m;
    pkm_frame_motion tool;
    if (!delta_exact(exact_drives, d->time, &tool, d->ctrl)) d->ctrl[0] = NAN;
}

/// What the trials with too long a step have to say.
static void no_warning(const char* text)
{
    (void)text;
}

/// A point of body `index`, given in its axes, in world axes.
static pkm_vec3 world_point(const bench* b, int index, const double* point)
{
    double p[3];
    mju_rotVecMat(p, point, &b->d->xmat[9 * index]);
    mju_addTo3(p, &b->d->xpos[3 * index]);
    return pkm_vec3_make(p[0], p[1], p[2]);
}

static void note_errors(bench* b)
{
    const mjModel* m = b->m;
    const double* x = &b->d->qpos[m->jnt_qposadr[joint(b, "platform", -1)]];
    const double off = delta_distance(exact_drives, b->d->time, pkm_vec3_make(x[0], x[1], x[2]));
    b->error = bench_larger(b->error, off, 0.0);
    mj_kinematics(m, b->d);
    for (int i = 0; i < m->neq; ++i) {
        const double* anchors = &m->eq_data[i * mjNEQDATA];
        const pkm_vec3 rod = world_point(b, m->eq_obj1id[i], anchors);
        const pkm_vec3 platform = world_point(b, m->eq_obj2id[i], anchors + 3);
        b->gap = bench_larger(b->gap, pkm_vec3_norm(pkm_vec3_sub(rod, platform)), 0.0);
    }
}

static void simulate(void* user, int k)
{
    bench* b = user;
    (void)k;
    mj_resetData(b->m, b->d);
    b->m->opt.timestep = DELTA_DURATION / b->n_step;
    b->error = b->gap = 0.0;
    for (int step = 0; step < b->n_step; ++step) {
        mj_step(b->m, b->d);
        if (b->check) note_errors(b);
    }
}

/// Loops as stiff as a step h of RK4 bears, w h = 2.6, and of damping ratio 0.6: of all pairs the
/// one that needs the fewest steps (found by trial on a grid). MuJoCo wants 1 / (ratio w).
static void set_loops(bench* b)
{
    const double ratio = 0.6, h = DELTA_DURATION / b->n_step;
    b->m->opt.integrator = mjINT_RK4;
    b->m->opt.disableflags |= mjDSBL_REFSAFE; // it holds the time constant at two steps
    for (int i = 0; i < b->m->neq; ++i) {
        b->m->eq_solref[i * mjNREF] = h / (2.6 * ratio);
        b->m->eq_solref[i * mjNREF + 1] = ratio;
        b->m->eq_solimp[i * mjNIMP] = b->m->eq_solimp[i * mjNIMP + 1] = mjMAXIMP;
    }
}

/// The fewest steps with which the platform is right everywhere; false when there are none.
static bool tune(bench* b)
{
    for (b->n_step = 400; b->n_step < 10000; b->n_step += b->n_step / 50) {
        set_loops(b);
        simulate(b, 0);
        if (b->error <= TARGET_ERROR) return true;
    }
    return false;
}

/// The whole motion as MuJoCo comes (semi-implicit Euler, 2 ms, loops of 20 ms), and tuned.
static bool bench_simulations(bench* b, const char* version)
{
    char name[80];
    b->check = true;
    b->n_step = (int)lround(DELTA_DURATION / b->m->opt.timestep);
    simulate(b, 0);
    const double shipped_error = b->error;
    snprintf(name, sizeof name, "MuJoCo %s simulate D1 as shipped (loops open %.0f mm)", version,
             1e3 * b->gap);
    b->check = false;
    bench_line(name, bench_time(simulate, b, 1), shipped_error, 0.0);

    b->check = true;
    if (!tune(b)) return false;
    const double error = b->error;
    b->check = false;
    snprintf(name, sizeof name, "MuJoCo %s simulate D1 to 1e-6 m (RK4; tuned)", version);
    bench_line(name, bench_time(simulate, b, 1), error, 0.0);
    return true;
}

int main(void)
{
    static bench b;
    if (!prepare(&b)) {
        fprintf(stderr, "bench_mujoco: the model could not be made\n");
        return 1;
    }
    const char* const version = mj_versionString();
    char name[80];
    snprintf(name, sizeof name, "MuJoCo %s inverse (pieces + projection)", version);
    bench_line(name, bench_time(inverse_by_pieces, &b, DELTA_N_INSTANT),
               torque_error(&b, inverse_by_pieces), 0.0);
    snprintf(name, sizeof name, "MuJoCo %s inverse (mj_inverse as shipped)", version);
    bench_line(name, bench_time(inverse_as_shipped, &b, DELTA_N_INSTANT),
               torque_error(&b, inverse_as_shipped), 0.0);
    snprintf(name, sizeof name, "MuJoCo %s forward (mj_forward as shipped)", version);
    bench_line(name, bench_time(forward, &b, DELTA_N_INSTANT), acceleration_error(&b), 0.0);

    pkm_closed* closed = delta_closed_form();
    exact_drives = closed;
    mju_user_warning = no_warning;
    mjcb_control = drive;
    const bool simulated = closed && bench_simulations(&b, version);
    if (!simulated) fprintf(stderr, "bench_mujoco: no step is short enough\n");
    pkm_closed_free(closed);
    mj_deleteData(b.d);
    mj_deleteModel(b.m);
    return simulated ? 0 : 1;
}
