// Deltas whose rods hang on straight slides: roots of the slides, then all that rod_pair.c has.
// Equations: docs/theory/closed-delta.md, (2), (6), (16), (17).
#include "closed/slide_pair.h"

#include "base/error.h"

/// C_i = C_i0 + q_i s_i (2).
static void ends(const pkm_slide_pairs* self, const double* q, pkm_rod_end end[3])
{
    for (int i = 0; i < 3; ++i) {
        end[i].c = pkm_vec3_axpy(self->home[i], q[i], self->slide[i]);
        end[i].dc = self->slide[i];
        end[i].ddc = (pkm_vec3){0.0, 0.0, 0.0};
    }
}

/// q = x +- h with x = s . d, h = sqrt(L^2 - |d - x s|^2), d = P - C_0 (6).
/// Returns how far the rod is too short [m]: the distance of P from the rail less L.
static double find_roots(const pkm_slide_pairs* self, int i, pkm_vec3 P, int n_root,
                         pkm_rod_roots* root)
{
    const double L = self->rods.length;
    const pkm_vec3 d = pkm_vec3_sub(P, self->home[i]);
    const double x = pkm_vec3_dot(d, self->slide[i]);
    const pkm_vec3 across = pkm_vec3_axpy(d, -x, self->slide[i]);
    const double r = pkm_vec3_norm(across);
    if (!pkm_rod_pairs_reach(&self->rods, r - L)) return r - L;

    // as a product: L^2 - r^2 would lose digits near the edge of the reach
    const double hh = (L - r) * (L + r);
    const double h = hh > 0.0 ? sqrt(hh) : 0.0;
    // at the edge of the reach both roots are one
    root->n = h > 0.0 ? n_root : 1;
    root->q[0] = x + h;
    root->q[1] = x - h;
    // w = P - C at each root: across the slide, and -+h along it
    root->w[0] = pkm_vec3_axpy(across, -h, self->slide[i]);
    root->w[1] = pkm_vec3_axpy(across, h, self->slide[i]);
    root->along = -h;
    return r - L;
}

/// The roots of all limbs; returns how far the worst one is out of reach [m].
static double find_limbs(const pkm_slide_pairs* self, pkm_vec3 P, int n_root, pkm_rod_roots root[3])
{
    double worst = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        const double missing = find_roots(self, i, P, n_root, &root[i]);
        // a NaN is the worst
        if (!(missing <= worst)) worst = missing;
    }
    return worst;
}

bool pkm_slide_pairs_first(const void* data, const pkm_pose* pose, double* q, double* B, double* A)
{
    const pkm_slide_pairs* self = data;
    pkm_rod_roots root[3];
    if (!pkm_rod_pairs_reach(&self->rods, find_limbs(self, pose->p, 1, root))) return false;
    pkm_rod_pairs_first(&self->rods, root, q, B, A);
    return true;
}

int pkm_slide_pairs_inverse_geometry(const void* data, const pkm_pose* pose, pkm_closed_config* out,
                                     int max, double* beyond)
{
    const pkm_slide_pairs* self = data;
    pkm_rod_roots root[3];
    const double worst = find_limbs(self, pose->p, max > 1 ? 2 : 1, root);
    if (!pkm_rod_pairs_reach(&self->rods, worst)) {
        if (beyond) *beyond = worst;
        return 0;
    }
    return pkm_rod_pairs_combine(&self->rods, pose->p, root, 0, out, max);
}

int pkm_slide_pairs_direct_geometry(const void* data, const double* q, pkm_closed_config* out,
                                    int max, double* beyond)
{
    const pkm_slide_pairs* self = data;
    pkm_rod_end end[3];
    ends(self, q, end);
    return pkm_rod_pairs_direct(&self->rods, q, end, false, out, max, beyond);
}

void pkm_slide_pairs_velocity(const void* data, const pkm_closed_config* config, double* B,
                              double* A)
{
    const pkm_slide_pairs* self = data;
    pkm_rod_end end[3];
    ends(self, config->q, end);
    pkm_rod_pairs_velocity(&self->rods, end, config->pose.p, B, A);
}

void pkm_slide_pairs_turns(const void* data, const double* B, double* C)
{
    const pkm_slide_pairs* self = data;
    pkm_rod_pairs_turns(&self->rods, B, C);
}

void pkm_slide_pairs_bias(const void* data, const pkm_closed_config* config, const double* qd,
                          const pkm_frame_motion* tool, double* c)
{
    const pkm_slide_pairs* self = data;
    pkm_rod_end end[3];
    ends(self, config->q, end);
    pkm_rod_pairs_bias(&self->rods, end, tool, qd, c);
}

pkm_status pkm_slide_pairs_inverse_dynamics(const void* data, const pkm_closed_config* config,
                                            const pkm_frame_motion* tool, const double* qd,
                                            const double* qdd, pkm_vec3 force, pkm_vec3 torque,
                                            double* drive_force)
{
    const pkm_slide_pairs* self = data;
    (void)torque; // does no work on a platform that only translates
    pkm_rod_end end[3];
    ends(self, config->q, end);
    PKM_TRY(pkm_rod_pairs_forces(&self->rods, end, tool, qd, qdd, force, drive_force));

    // the slide: m (q'' - g . s) (16)
    for (int i = 0; i < 3; ++i) {
        drive_force[i] +=
            self->slide_mass * (qdd[i] - pkm_vec3_dot(self->rods.gravity, self->slide[i]));
    }
    return PKM_OK;
}

double pkm_slide_pairs_energy(const void* data, const pkm_closed_config* config,
                              const pkm_frame_motion* tool, const double* qd)
{
    const pkm_slide_pairs* self = data;
    pkm_rod_end end[3];
    ends(self, config->q, end);
    double sum = pkm_rod_pairs_energy(&self->rods, end, tool, qd);
    for (int i = 0; i < 3; ++i) {
        sum +=
            self->slide_mass * (0.5 * qd[i] * qd[i] - pkm_vec3_dot(self->rods.gravity, end[i].c));
    }
    return sum;
}
