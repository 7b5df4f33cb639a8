// Contacts of each type of joint and their loads, docs/theory/forces.md, (2.2) to (2.9). For other
// geometry a type has its own case in find_contacts.
#include "force/joint_friction.h"

#include "base/error.h"
#include "force/element.h"
#include "force/expect.h"

/// A slide that leaves its guide keeps this part of the initial overlap: the load stays finite.
static const double LEAST_OVERLAP = 0.01;

/// One sliding surface: u_i = row_i . (v, w) and its load with the gradient in the reaction.
typedef struct contact {
    int n_direction;
    pkm_twist row[3];
    double load;                      ///< N [N]
    pkm_vec3 load_force, load_moment; ///< dN/dforce [1], dN/dmoment [1/m]
    double preload;                   ///< the part of N that no reaction makes [N]
    int n_part;
    pkm_load_part part[PKM_LOAD_PARTS];
} contact;

static const pkm_vec3 NONE = {0.0, 0.0, 0.0};
static const pkm_vec3 AXIS = {0.0, 0.0, 1.0}; ///< a.z in its own axes

pkm_joint_friction pkm_joint_friction_defaults(pkm_friction_kind kind)
{
    return (pkm_joint_friction){
        .law = pkm_friction_law_defaults(kind), .use_force = true, .use_preload = true};
}

// ---- loads -------------------------------------------------------------------------------------

pkm_vec3 pkm_load_part_of(const pkm_load_part* part, pkm_vec3 x)
{
    switch (part->take) {
    case PKM_TAKE_ACROSS:
        return pkm_vec3_axpy(x, -pkm_vec3_dot(x, part->axis), part->axis);
    case PKM_TAKE_ALONG:
        return pkm_vec3_scale(pkm_vec3_dot(x, part->axis), part->axis);
    default:
        return x;
    }
}

/// N += factor |part| for a part of the reaction; the gradient of |part| is its direction.
static void load_by(contact* c, pkm_load_part part, const pkm_joint_motion* m)
{
    const pkm_vec3 x = pkm_load_part_of(&part, part.of_moment ? m->moment : m->force);
    pkm_vec3* gradient = part.of_moment ? &c->load_moment : &c->load_force;
    // where the part vanishes its magnitude has a kink: the unit vector is zero there
    c->load += part.factor * pkm_vec3_norm(x);
    *gradient = pkm_vec3_axpy(*gradient, part.factor, pkm_vec3_unit(x));
    c->part[c->n_part++] = part;
}

/// The load whose friction in fast sliding is `force` [N], (2.2).
static void load_by_preload(contact* c, const pkm_joint_friction* f, double force)
{
    // without dry friction there is no load that made it; the check refuses such a preload
    if (!f->use_preload || !(f->law.mu_dynamic > 0.0)) return;
    c->preload = force / f->law.mu_dynamic;
    c->load += c->preload;
}

/// A slide's bending moment acts as a pair of forces at the ends of the overlap.
static double overlap_now(const pkm_joint_friction* f, double displacement)
{
    const double change = f->overlap_delta == PKM_OVERLAP_INCREASE   ? displacement
                          : f->overlap_delta == PKM_OVERLAP_DECREASE ? -displacement
                                                                     : 0.0;
    const double least = LEAST_OVERLAP * f->overlap, now = f->overlap + change;
    return now < least ? least : now;
}

/// The bending moment presses at one end of the guide or at both: each has its load.
static double ends(const pkm_joint_friction* f)
{
    return f->bending_ends > 1 ? f->bending_ends : 1.0;
}

// ---- contacts of the joints --------------------------------------------------------------------

/// Pin along `axis`, unit, which bends by the part of the moment that `bending` takes, (2.3).
static contact pin(const pkm_joint_friction* f, pkm_vec3 axis, const pkm_joint_motion* m,
                   pkm_load_part bending)
{
    contact c = {.n_direction = 1, .row = {{pkm_vec3_scale(f->radius, axis), NONE}}};
    if (f->use_force) {
        // force along the axis rubs at a collar of radius friction_arm, as seen at the pin
        const double arm = f->friction_arm / f->radius;
        load_by(&c, (pkm_load_part){.take = PKM_TAKE_ACROSS, .axis = axis, .factor = 1.0}, m);
        load_by(&c, (pkm_load_part){.take = PKM_TAKE_ALONG, .axis = axis, .factor = arm}, m);
    }
    if (f->use_bending) {
        bending.of_moment = true;
        bending.factor = ends(f) / f->bending_arm;
        load_by(&c, bending, m);
    }
    load_by_preload(&c, f, f->preload_torque / f->radius);
    return c;
}

/// Force across the axis and the bending moment over the overlap: slides and sleeves.
static void load_guide(contact* c, const pkm_joint_friction* f, const pkm_joint_motion* m)
{
    pkm_load_part part = {.take = PKM_TAKE_ACROSS, .axis = AXIS, .factor = 1.0};
    if (f->use_force) load_by(c, part, m);
    if (!f->use_bending) return;
    part.of_moment = true;
    part.factor = ends(f) / overlap_now(f, m->displacement);
    load_by(c, part, m);
}

/// (2.4)
static contact slide(const pkm_joint_friction* f, const pkm_joint_motion* m)
{
    contact c = {.n_direction = 1, .row = {{NONE, AXIS}}};
    load_guide(&c, f, m);
    if (f->use_torsion) {
        // torsion about the slide presses at reaction_arm from its axis
        const double factor = 1.0 / f->reaction_arm;
        const pkm_load_part torsion = {
            .of_moment = true, .take = PKM_TAKE_ALONG, .axis = AXIS, .factor = factor};
        load_by(&c, torsion, m);
    }
    load_by_preload(&c, f, f->preload_force);
    return c;
}

/// A pin that turns and slides: friction is opposite to the helix its surface follows, (2.5).
static contact sleeve(const pkm_joint_friction* f, const pkm_joint_motion* m)
{
    contact c = {.n_direction = 2, .row = {{pkm_vec3_scale(f->radius, AXIS), NONE}, {NONE, AXIS}}};
    load_guide(&c, f, m);
    // both preloads press the same surface
    load_by_preload(&c, f, f->preload_force + f->preload_torque / f->radius);
    return c;
}

/// (2.6)
static contact ball(const pkm_joint_friction* f, const pkm_joint_motion* m)
{
    const double R = f->radius;
    contact c = {.n_direction = 3,
                 .row = {{{R, 0.0, 0.0}, NONE}, {{0.0, R, 0.0}, NONE}, {{0.0, 0.0, R}, NONE}}};
    if (f->use_force) load_by(&c, (pkm_load_part){.take = PKM_TAKE_ALL, .factor = 1.0}, m);
    load_by_preload(&c, f, f->preload_torque / R);
    return c;
}

/// The two pins of a cross; only the moment across both axes is a reaction, (2.7).
static int cross_pins(const pkm_joint_friction* f, const pkm_joint_motion* m, contact out[2])
{
    const pkm_vec3 normal = pkm_vec3_unit(pkm_vec3_cross(AXIS, m->axis_b));
    const pkm_load_part bending = {.take = PKM_TAKE_ALONG, .axis = normal};
    out[0] = pin(f, AXIS, m, bending);
    out[1] = pin(f, m->axis_b, m, bending);
    return 2;
}

/// The contacts of a joint. @return how many.
static int find_contacts(const pkm_joint_friction* f, pkm_joint_type type,
                         const pkm_joint_motion* m, contact out[2])
{
    switch (type) {
    case PKM_JOINT_REVOLUTE:
        out[0] = pin(f, AXIS, m, (pkm_load_part){.take = PKM_TAKE_ACROSS, .axis = AXIS});
        return 1;
    case PKM_JOINT_PRISMATIC:
        out[0] = slide(f, m);
        return 1;
    case PKM_JOINT_CYLINDRICAL:
        out[0] = sleeve(f, m);
        return 1;
    case PKM_JOINT_SPHERICAL:
        out[0] = ball(f, m);
        return 1;
    case PKM_JOINT_UNIVERSAL:
        return cross_pins(f, m, out);
    default:
        return 0;
    }
}

/// One bristle for each direction in which surfaces can slide, where the law has bristles.
int pkm_joint_friction_states(const pkm_joint_friction* friction, pkm_joint_type type)
{
    switch (type) {
    case PKM_JOINT_REVOLUTE:
    case PKM_JOINT_PRISMATIC:
        return pkm_friction_law_states(&friction->law, 1);
    case PKM_JOINT_CYLINDRICAL:
    case PKM_JOINT_UNIVERSAL:
        return pkm_friction_law_states(&friction->law, 2);
    case PKM_JOINT_SPHERICAL:
        return pkm_friction_law_states(&friction->law, 3);
    default:
        return 0;
    }
}

// ---- friction of a contact ---------------------------------------------------------------------

/// Surface velocity as a vector; directions beyond n_direction are zero.
static pkm_vec3 surface_velocity(const contact* c, const pkm_joint_motion* m)
{
    // u_i = row_i . (w, v) [m/s]: motion of side b against side a in the axes of a
    double u[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < c->n_direction; ++i)
        u[i] = pkm_vec3_dot(c->row[i].ang, m->w) + pkm_vec3_dot(c->row[i].lin, m->v);
    return (pkm_vec3){u[0], u[1], u[2]};
}

static pkm_vec3 load_bristle(const double* z, int n)
{
    return (pkm_vec3){z[0], n > 1 ? z[1] : 0.0, n > 2 ? z[2] : 0.0};
}

/// Coefficient times direction, mu u/|u|, or the bristles' (2.1).
static pkm_vec3 coefficient(const pkm_friction_law* law, pkm_vec3 u, const pkm_vec3* z,
                            pkm_vec3* z_rate)
{
    *z_rate = NONE;
    if (z) return pkm_friction_bristle(law, *z, u, z_rate);
    return pkm_vec3_scale(pkm_friction_per_speed(law, pkm_vec3_norm(u)), u);
}

static void store_rate(double* out, pkm_vec3 rate, int n)
{
    const double r[3] = {rate.x, rate.y, rate.z};
    for (int i = 0; i < n; ++i)
        out[i] = r[i];
}

pkm_joint_friction_force pkm_joint_friction_evaluate(const pkm_joint_friction* friction,
                                                     pkm_joint_type type,
                                                     const pkm_joint_motion* motion,
                                                     const double* bristle)
{
    pkm_joint_friction_force out = {0};
    const bool has_bristle = bristle && pkm_friction_law_has_state(&friction->law);
    contact c[2];
    // at most two surfaces: the pins of a cross
    const int n = find_contacts(friction, type, motion, c);
    int at = 0;
    for (int k = 0; k < n; ++k) {
        pkm_vec3 z_rate, z = NONE;
        if (has_bristle) z = load_bristle(bristle + at, c[k].n_direction);
        const pkm_vec3 u = surface_velocity(&c[k], motion);
        // damping and Stribeck velocity by the load, (1.16)
        const pkm_friction_law law = pkm_friction_law_under(&friction->law, c[k].load);
        const pkm_vec3 mu = coefficient(&law, u, has_bristle ? &z : NULL, &z_rate);
        // f = -N mu (2.1), wrench = A' f, power lost N mu . u
        const double f[3] = {-c[k].load * mu.x, -c[k].load * mu.y, -c[k].load * mu.z};
        for (int i = 0; i < c[k].n_direction; ++i) {
            out.force = pkm_vec3_axpy(out.force, f[i], c[k].row[i].lin);
            out.moment = pkm_vec3_axpy(out.moment, f[i], c[k].row[i].ang);
        }
        out.power += c[k].load * pkm_vec3_dot(mu, u);
        out.load[k] = c[k].load;
        out.slip[k] = pkm_vec3_norm(u);
        store_rate(out.bristle_rate + at, z_rate, c[k].n_direction);
        at += c[k].n_direction;
    }
    return out;
}

void pkm_joint_friction_touch(const pkm_joint_friction* friction, pkm_joint_type type,
                              const pkm_joint_motion* motion, double* bristle)
{
    contact c[2];
    const int n = find_contacts(friction, type, motion, c);
    // bristles of the surfaces follow one another
    for (int k = 0, at = 0; k < n; at += c[k].n_direction, ++k)
        store_rate(bristle + at,
                   pkm_friction_bristle_touch(&friction->law, surface_velocity(&c[k], motion)),
                   c[k].n_direction);
}

int pkm_joint_friction_velocities(const pkm_joint_friction* friction, pkm_joint_type type,
                                  const pkm_joint_motion* motion, pkm_vec3 out[2], int n[2])
{
    contact c[2];
    const int n_surface = find_contacts(friction, type, motion, c);
    for (int k = 0; k < n_surface; ++k) {
        out[k] = surface_velocity(&c[k], motion);
        n[k] = c[k].n_direction;
    }
    return n_surface;
}

int pkm_joint_friction_loads(const pkm_joint_friction* friction, pkm_joint_type type,
                             const pkm_joint_motion* motion, const double* bristle,
                             pkm_joint_load out[2])
{
    const bool has_bristle = bristle && pkm_friction_law_has_state(&friction->law);
    contact c[2];
    const int n = find_contacts(friction, type, motion, c);
    for (int k = 0, at = 0; k < n; at += c[k].n_direction, ++k) {
        pkm_vec3 z_rate, z = NONE;
        if (has_bristle) z = load_bristle(bristle + at, c[k].n_direction);
        const pkm_vec3 u = surface_velocity(&c[k], motion);
        const pkm_friction_law law = pkm_friction_law_under(&friction->law, c[k].load);
        const pkm_vec3 mu = coefficient(&law, u, has_bristle ? &z : NULL, &z_rate);
        // wrench and loss per load: f_k = n_k w_k, loss = c . n (2.10)
        const double f[3] = {-mu.x, -mu.y, -mu.z};
        out[k] = (pkm_joint_load){
            .load = c[k].load, .preload = c[k].preload, .loss = pkm_vec3_dot(mu, u)};
        for (int i = 0; i < c[k].n_direction; ++i) {
            out[k].force = pkm_vec3_axpy(out[k].force, f[i], c[k].row[i].lin);
            out[k].moment = pkm_vec3_axpy(out[k].moment, f[i], c[k].row[i].ang);
        }
        out[k].n_part = c[k].n_part;
        for (int i = 0; i < c[k].n_part; ++i)
            out[k].part[i] = c[k].part[i];
    }
    return n;
}

// ---- turning about a line ----------------------------------------------------------------------

/// Loads are those of the motion; `turn` is how fast surfaces slide per unit rate about `line`.
int pkm_joint_friction_slides(const pkm_joint_friction* friction, pkm_joint_type type,
                              const pkm_joint_motion* motion, pkm_vec3 line, pkm_joint_slide out[2])
{
    // without the shift of the joint: only the turn of one of its bodies
    const pkm_joint_motion alone = {.w = line};
    contact c[2];
    const int n = find_contacts(friction, type, motion, c);
    for (int k = 0; k < n; ++k)
        out[k] = (pkm_joint_slide){.load = c[k].load,
                                   .u = surface_velocity(&c[k], motion),
                                   .turn = surface_velocity(&c[k], &alone)};
    return n;
}

/// With n = u/|u|: d(mu n)/dx = mu/|u| t + (mu' - mu/|u|) n (n . t)
double pkm_joint_slide_moment(const pkm_friction_law* law, const pkm_joint_slide* slide, double x,
                              double* slope)
{
    const pkm_vec3 u = pkm_vec3_axpy(slide->u, x, slide->turn);
    const double square = pkm_vec3_dot(u, u), ahead = pkm_vec3_dot(u, slide->turn);
    const double side = pkm_friction_sides(law, sqrt(square), slope);
    // along u the slope, across it mu/|u|, as in (1.11)
    const double along = square > 0.0 ? (*slope - side) * (ahead * ahead / square) : 0.0;
    *slope = -slide->load * (side * pkm_vec3_dot(slide->turn, slide->turn) + along);
    return -slide->load * side * ahead;
}

// ---- derivatives -------------------------------------------------------------------------------

/// out -= row_i (x) column, where row_i is the wrench of a unit friction in direction i.
static void subtract_dyad(double out[36], const pkm_twist* row, double scale, pkm_vec3 by_lin,
                          pkm_vec3 by_ang)
{
    const double wrench[6] = {row->lin.x, row->lin.y, row->lin.z,
                              row->ang.x, row->ang.y, row->ang.z};
    const double column[6] = {by_lin.x, by_lin.y, by_lin.z, by_ang.x, by_ang.y, by_ang.z};
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i)
            out[i + 6 * j] -= scale * wrench[i] * column[j];
}

/// Add the derivatives of one contact, (2.8) and (2.9).
static void differentiate_contact(const contact* c, pkm_vec3 mu, pkm_mat3 tangent,
                                  pkm_joint_friction_slopes* out)
{
    const double m[3] = {mu.x, mu.y, mu.z};
    // columns of d mu/du
    const pkm_vec3 column[3] = {tangent.x, tangent.y, tangent.z};
    for (int i = 0; i < c->n_direction; ++i) {
        // (2.8), then (2.9) for each pair of directions
        subtract_dyad(out->by_reaction, &c->row[i], m[i], c->load_force, c->load_moment);
        for (int j = 0; j < c->n_direction; ++j) {
            const double t[3] = {column[j].x, column[j].y, column[j].z};
            subtract_dyad(out->by_velocity, &c->row[i], c->load * t[i], c->row[j].lin,
                          c->row[j].ang);
        }
    }
}

pkm_joint_friction_slopes pkm_joint_friction_differentiate(const pkm_joint_friction* friction,
                                                           pkm_joint_type type,
                                                           const pkm_joint_motion* motion,
                                                           const double* bristle)
{
    pkm_joint_friction_slopes out = {{0.0}, {0.0}};
    const bool has_bristle = bristle && pkm_friction_law_has_state(&friction->law);
    contact c[2];
    const int n = find_contacts(friction, type, motion, c);
    int at = 0;
    for (int k = 0; k < n; ++k) {
        pkm_vec3 z_rate, z = NONE;
        if (has_bristle) z = load_bristle(bristle + at, c[k].n_direction);
        const pkm_vec3 u = surface_velocity(&c[k], motion);
        const pkm_friction_law law = pkm_friction_law_under(&friction->law, c[k].load);
        const pkm_vec3 mu = coefficient(&law, u, has_bristle ? &z : NULL, &z_rate);
        // d mu/du, of bristles at constant deflection
        const pkm_mat3 tangent = has_bristle ? pkm_friction_bristle_tangents(&law, z, u).mu_v
                                             : pkm_friction_tangent(&law, u);
        differentiate_contact(&c[k], mu, tangent, &out);
        at += c[k].n_direction;
    }
    return out;
}

int pkm_joint_friction_rubs(const pkm_joint_friction* friction, pkm_joint_type type,
                            const pkm_joint_motion* motion, const double* bristle,
                            pkm_joint_rub out[2])
{
    const bool has_bristle = bristle && pkm_friction_law_has_state(&friction->law);
    contact c[2];
    const int n = find_contacts(friction, type, motion, c);
    for (int k = 0, at = 0; k < n; at += c[k].n_direction, ++k) {
        const pkm_vec3 u = surface_velocity(&c[k], motion);
        const pkm_friction_law law = pkm_friction_law_under(&friction->law, c[k].load);
        // z_at counts from the first bristle of the joint
        out[k] = (pkm_joint_rub){.n_direction = c[k].n_direction,
                                 .row = {c[k].row[0], c[k].row[1], c[k].row[2]},
                                 .z_at = has_bristle ? at : PKM_NONE};
        if (!has_bristle) {
            // friction is -N mu, with the load held
            out[k].by_velocity = pkm_mat3_scale(-c[k].load, pkm_friction_tangent(&law, u));
            continue;
        }
        const pkm_vec3 z = load_bristle(bristle + at, c[k].n_direction);
        const pkm_bristle_tangents d = pkm_friction_bristle_tangents(&law, z, u);
        out[k].by_velocity = pkm_mat3_scale(-c[k].load, d.mu_v);
        out[k].by_bristle = pkm_mat3_scale(-c[k].load, d.mu_z);
        out[k].rate_v = d.rate_v;
        out[k].rate_z = d.rate_z;
    }
    return n;
}

// ---- check -------------------------------------------------------------------------------------

static pkm_status expect_length(const char* key, double value, pkm_error* err)
{
    if (isfinite(value) && value > 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "friction: %s %g m, expected a length > 0", key, value);
}

static pkm_status check_preload(const pkm_joint_friction* f, pkm_error* err)
{
    PKM_TRY(pkm_expect_not_negative("friction", "preload_force", f->preload_force, err));
    PKM_TRY(pkm_expect_not_negative("friction", "preload_torque", f->preload_torque, err));
    const bool has_preload = f->use_preload && f->preload_force + f->preload_torque > 0.0;
    // N = force/mu_dynamic has to exist
    if (!has_preload || f->law.mu_dynamic > 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT,
                    "friction: a preload needs mu_dynamic > 0, which gives its law of speed");
}

pkm_status pkm_joint_friction_check(const pkm_joint_friction* f, pkm_joint_type type,
                                    pkm_error* err)
{
    PKM_TRY(pkm_friction_law_check(&f->law, err));
    PKM_TRY(check_preload(f, err));
    switch (type) {
    case PKM_JOINT_REVOLUTE:
    case PKM_JOINT_UNIVERSAL:
        PKM_TRY(expect_length("radius", f->radius, err));
        PKM_TRY(pkm_expect_not_negative("friction", "friction_arm", f->friction_arm, err));
        return f->use_bending ? expect_length("bending_arm", f->bending_arm, err) : PKM_OK;
    case PKM_JOINT_SPHERICAL:
        return expect_length("radius", f->radius, err);
    case PKM_JOINT_PRISMATIC:
        if (f->use_bending) PKM_TRY(expect_length("overlap", f->overlap, err));
        return f->use_torsion ? expect_length("reaction_arm", f->reaction_arm, err) : PKM_OK;
    case PKM_JOINT_CYLINDRICAL:
        PKM_TRY(expect_length("radius", f->radius, err));
        return f->use_bending ? expect_length("overlap", f->overlap, err) : PKM_OK;
    default:
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "friction: expected a revolute, prismatic, cylindrical, universal or "
                        "spherical joint");
    }
}

// ---- element -----------------------------------------------------------------------------------

static int states(const void* data, pkm_joint_type type)
{
    return pkm_joint_friction_states(data, type);
}

static void wrench(const void* data, const pkm_element_motion* m, const double* z, void* out)
{
    *(pkm_joint_friction_force*)out = pkm_joint_friction_evaluate(data, m->type, m->joint, z);
}

const pkm_element_type pkm_element_friction = {
    .word = "friction", .place = PKM_IN_JOINT, .states = states, .wrench = wrench};
