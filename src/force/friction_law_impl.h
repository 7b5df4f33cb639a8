/// What a law of friction is, and curves that laws share; only friction_law*.c include it.
#ifndef PKM_FORCE_FRICTION_LAW_IMPL_H
#define PKM_FORCE_FRICTION_LAW_IMPL_H

#include "force/friction_law.h"

/// Elasto-plastic: up to this part of the deflection at which surfaces slip nothing has broken
/// away.
#define PKM_FRICTION_HOLDING 0.9995

/// A value and its derivative in the speed.
typedef struct pkm_slope_value {
    double value, slope;
} pkm_slope_value;

/// A law: its file defines one, its line in PKM_FRICTION_LAWS names it. What is NULL or false it
/// does not have.
typedef struct pkm_friction_type {
    bool is_for_rest; ///< its state is there only where surfaces can come to rest
    /// What of the usual parameters is its own, and of those for surfaces that hit each other.
    void (*defaults)(pkm_friction_law* law);
    void (*of_contact)(pkm_friction_law* law);
    /// What of them depends on the load [N] > 0 and on law->mass > 0.
    void (*under)(pkm_friction_law* law, double load);
    /// Complain about parameters that are its own; those of all laws are checked before.
    pkm_status (*check)(const pkm_friction_law* law, pkm_error* err);
    /// The coefficient of friction at a speed >= 0, without a state.
    pkm_slope_value (*curve)(const pkm_friction_law* law, double v);
    /// With a state, the deflection z: the coefficient and the rate of z, their derivatives, and
    /// how long a deflection [m] sliding with a speed leaves. Never asked of laws with mu_s = 0.
    pkm_vec3 (*bristle)(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v, pkm_vec3* z_rate);
    pkm_bristle_tangents (*tangents)(const pkm_friction_law* law, pkm_vec3 z, pkm_vec3 v);
    double (*reach)(const pkm_friction_law* law, double speed);
} pkm_friction_type;

#define PKM_FRICTION_DECLARE(KIND, name, word) extern const pkm_friction_type pkm_friction_##name;
PKM_FRICTION_LAWS(PKM_FRICTION_DECLARE)
#undef PKM_FRICTION_DECLARE

/// Cubic step from h0 at x0 to h1 at x1, flat outside (1.1).
pkm_slope_value pkm_cubic_step(double x, double x0, double h0, double x1, double h1);
/// The smoothed sign, (1.3).
pkm_slope_value pkm_smooth_sign(const pkm_friction_law* law, double v);
/// g(v) = mu_d + (mu_s - mu_d) exp(-(v/v_s)^2), (1.7)
pkm_slope_value pkm_friction_steady(const pkm_friction_law* law, double v);
/// The curves of Coulomb's (1.2) and Stribeck's law (1.4), for laws with a state where there is
/// none.
pkm_slope_value pkm_friction_coulomb_curve(const pkm_friction_law* law, double v);
pkm_slope_value pkm_friction_stribeck_curve(const pkm_friction_law* law, double v);

/// scale E + x e'
pkm_mat3 pkm_shifted_dyad(double scale, pkm_vec3 x, pkm_vec3 e);

/// What laws with a state have in common.
PKM_NODISCARD pkm_status pkm_friction_check_bristles(const pkm_friction_law* law, pkm_error* err);

#endif
