/// The rotary Delta: three cranks, six rods (SIAX D3-1600, ABB IRB 340, Kuo's Delta).
///
/// Limb i has the azimuth angle_i with the outward unit vector u_i. A crank is horizontal and
/// points outward at q = 0; q > 0 moves its end towards the side `down` of z. Equations:
/// closed-delta.md.
#include "closed/delta.h"
#include "base/error.h"
#include "closed/families.h"

enum {
    BASE_RADIUS,
    PLATFORM_RADIUS,
    CRANK_LENGTH,
    CRANK_MASS,
    CRANK_COM,
    CRANK_INERTIA,
    DOWN,
    ROD,
    N_PARAMETER = ROD + PKM_ROD_N_PARAMETER,
};

static const pkm_closed_parameter parameters[N_PARAMETER] = {
    {"base_radius", "m", "from the centre to the motor axes", true, 0.0},
    {"platform_radius", "m", "from the tool point to the middle of a rod pair", true, 0.0},
    {"crank_length", "m", "from the motor axis to the middle of a rod pair", true, 0.0},
    {"crank_mass", "kg", "mass of a crank", true, 0.0},
    {"crank_com", "m", "distance of the crank's centre of mass from its axis", true, 0.0},
    {"crank_inertia", "kg m2", "of a crank about its motor axis, with the rotor", true, 0.0},
    {"down", "1", "side of z on which the platform is, and to which q > 0 turns: -1 or 1", false,
     -1.0},
    PKM_ROD_PARAMETERS(0.0, 2.0 * M_PI / 3.0, 4.0 * M_PI / 3.0),
};

static pkm_status prepare(void* data, const double* value, pkm_error* err)
{
    pkm_delta* self = data;
    PKM_TRY(pkm_closed_check(&pkm_closed_delta, value, "00+0.0.+0n000......", err));
    if (fabs(value[DOWN]) != 1.0) {
        return pkm_fail(err, PKM_ERR_MODEL, "closed form delta: down %g, expected -1 or 1",
                        value[DOWN]);
    }
    self->radius = value[BASE_RADIUS] - value[PLATFORM_RADIUS];
    self->crank = value[CRANK_LENGTH];
    self->crank_inertia = value[CRANK_INERTIA];
    self->crank_moment = value[CRANK_MASS] * value[CRANK_COM];
    const pkm_rod_words words = {"elbows", "out", "in"};
    return pkm_rod_pairs_prepare(&self->rods, &value[ROD], value[DOWN], 1.0, words, err);
}

/// C_i = (r + l cos q) u_i + down l sin q e_z and its derivatives (1).
static void ends(const pkm_delta* self, const double* q, pkm_rod_end end[3])
{
    for (int i = 0; i < 3; ++i) {
        const double c = self->crank * cos(q[i]), s = self->crank * sin(q[i]);
        const double cz = self->rods.down * c, sz = self->rods.down * s;
        const double ux = self->rods.u[i].x, uy = self->rods.u[i].y, r = self->radius + c;
        end[i].c = (pkm_vec3){r * ux, r * uy, sz};
        end[i].dc = (pkm_vec3){-s * ux, -s * uy, cz};
        end[i].ddc = (pkm_vec3){-c * ux, -c * uy, -sz};
    }
}

/// How far a limb is out of reach [m] whose P is `t` beside the plane of its crank and `r` from the
/// motor axis within it.
static double beyond_reach(const pkm_delta* self, double t, double r)
{
    const double l = self->crank, L = self->rods.length;
    const double near = sqrt(t * t + (r - l) * (r - l)), far = sqrt(t * t + (r + l) * (r + l));
    return near - L > L - far ? near - L : L - far;
}

/// Roots of  x cos q + y sin q = k  for limb i (3), (4), the first one with the elbow out.
///
/// Returns how far the limb is out of reach [m], 0 within it: the rod must be at least as
/// long as the way from P to the nearest point of the crank's circle, and at most as to the
/// farthest (5). w . dC/dq = l (y cos q - x sin q) is +-l h at the roots.
static double find_roots(const pkm_delta* self, int i, pkm_vec3 P, int n_root, pkm_rod_roots* root)
{
    const double l = self->crank, L = self->rods.length;
    const pkm_vec3 u = self->rods.u[i];
    const double x = P.x * u.x + P.y * u.y - self->radius;
    const double y = self->rods.down * P.z;
    const double t = P.y * u.x - P.x * u.y;
    const double rr = x * x + y * y, r = sqrt(rr);

    // far^2 - L^2 and L^2 - near^2: both positive where the limb reaches
    const double outer = t * t + (r + l) * (r + l) - L * L;
    const double inner = L * L - t * t - (r - l) * (r - l);
    const double beyond = outer > 0.0 && inner > 0.0 ? 0.0 : beyond_reach(self, t, r);
    if (!pkm_rod_pairs_reach(&self->rods, beyond)) return beyond;

    // h = sqrt(r^2 - k^2), written with the distance to both ends of the reach
    const double per = 0.5 / l, hh = outer * inner;
    const double k = (rr + t * t + l * l - L * L) * per;
    const double h = hh > 0.0 ? sqrt(hh) * per : 0.0;
    const double scale = rr > 0.0 ? l / rr : 0.0;
    // h = 0: both roots are one, and given once
    root->n = h > 0.0 ? n_root : 1;
    root->along = l * h;
    for (int m = 0; m < root->n; ++m) {
        const double turn = m == 0 ? h : -h;
        const double c = x * k + y * turn, s = y * k - x * turn; // times r^2
        root->q[m] = atan2(s, c);
        const double out = x - scale * c; // w = out u + t (e_z x u) + ...
        // the rod from the crank's end to P, without sine and cosine of the root
        root->w[m] =
            (pkm_vec3){out * u.x - t * u.y, out * u.y + t * u.x, self->rods.down * (y - scale * s)};
    }
    return beyond;
}

/// The roots of all limbs; returns how far the worst one is out of reach [m].
static double find_limbs(const pkm_delta* self, pkm_vec3 P, int n_root, pkm_rod_roots root[3])
{
    double worst = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        const double missing = find_roots(self, i, P, n_root, &root[i]);
        // put so that a NaN is the worst
        if (!(missing <= worst)) worst = missing;
    }
    return worst;
}

static bool first(const void* data, const pkm_pose* pose, double* q, double* B, double* A)
{
    const pkm_delta* self = data;
    pkm_rod_roots root[3];
    if (!pkm_rod_pairs_reach(&self->rods, find_limbs(self, pose->p, 1, root))) return false;
    pkm_rod_pairs_first(&self->rods, root, q, B, A);
    return true;
}

static int inverse_geometry(const void* data, const pkm_pose* pose, pkm_closed_config* out, int max,
                            double* beyond)
{
    const pkm_delta* self = data;
    pkm_rod_roots root[3];
    const double worst = find_limbs(self, pose->p, max > 1 ? 2 : 1, root);
    if (!pkm_rod_pairs_reach(&self->rods, worst)) {
        if (beyond) *beyond = worst;
        return 0;
    }
    // beyond the motors "out" and "in" change places: labels say what one sees
    const int flip = self->rods.down * pose->p.z < 0.0;
    return pkm_rod_pairs_combine(&self->rods, pose->p, root, flip, out, max);
}

static int direct_geometry(const void* data, const double* q, pkm_closed_config* out, int max,
                           double* beyond)
{
    const pkm_delta* self = data;
    pkm_rod_end end[3];
    ends(self, q, end);
    return pkm_rod_pairs_direct(&self->rods, q, end, true, out, max, beyond);
}

static void velocity(const void* data, const pkm_closed_config* config, double* B, double* A)
{
    const pkm_delta* self = data;
    pkm_rod_end end[3];
    ends(self, config->q, end);
    pkm_rod_pairs_velocity(&self->rods, end, config->pose.p, B, A);
}

static void bias(const void* data, const pkm_closed_config* config, const double* qd,
                 const pkm_frame_motion* tool, double* c)
{
    const pkm_delta* self = data;
    pkm_rod_end end[3];
    ends(self, config->q, end);
    pkm_rod_pairs_bias(&self->rods, end, tool, qd, c);
}

static pkm_status inverse_dynamics(const void* data, const pkm_closed_config* config,
                                   const pkm_frame_motion* tool, const double* qd,
                                   const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                   double* drive_force)
{
    const pkm_delta* self = data;
    (void)torque; // does no work on a platform that only translates
    pkm_rod_end end[3];
    ends(self, config->q, end);
    PKM_TRY(pkm_rod_pairs_forces(&self->rods, end, tool, qd, qdd, force, drive_force));

    // the crank: J q'' less the moment of its weight (15): its centre moves with dc by q
    const pkm_vec3 weight = pkm_vec3_scale(self->crank_moment / self->crank, self->rods.gravity);
    for (int i = 0; i < 3; ++i) {
        drive_force[i] += self->crank_inertia * qdd[i] - pkm_vec3_dot(weight, end[i].dc);
    }
    return PKM_OK;
}

static double energy(const void* data, const pkm_closed_config* config,
                     const pkm_frame_motion* tool, const double* qd)
{
    const pkm_delta* self = data;
    pkm_rod_end end[3];
    ends(self, config->q, end);
    const pkm_vec3 weight = pkm_vec3_scale(self->crank_moment / self->crank, self->rods.gravity);
    double sum = pkm_rod_pairs_energy(&self->rods, end, tool, qd);
    for (int i = 0; i < 3; ++i) {
        sum += 0.5 * self->crank_inertia * qd[i] * qd[i] - pkm_vec3_dot(weight, end[i].c);
    }
    return sum;
}

static void turns(const void* data, const double* B, double* C)
{
    const pkm_delta* self = data;
    pkm_rod_pairs_turns(&self->rods, B, C);
}

const pkm_closed_family pkm_closed_delta = {
    .name = "delta",
    .text = "rotary Delta: three cranks, three pairs of rods, three translations",
    .n_drive = 3,
    .moves = 7u,
    .tool_keeps = PKM_ROD_TOOL_KEEPS,
    .drives_keep = PKM_ROD_DRIVES_KEEP,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .size = sizeof(pkm_delta),
    .prepare = prepare,
    .inverse_geometry = inverse_geometry,
    .direct_geometry = direct_geometry,
    .velocity = velocity,
    .first = first,
    .turns = turns,
    .bias = bias,
    .inverse_dynamics = inverse_dynamics,
    .energy = energy,
};
