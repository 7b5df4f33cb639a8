// What a joint with clearance is made of: which types have one, how many places of contact and
// states, which sizes they need, and when a law of contact is used beyond what it was made for.
// Geometry and forces are in clearance_force.c, the sets without impacts in clearance_region.c.
// Equations: docs/theory/contact.md, sections 1.3 and 2.
#include "force/clearance.h"

#include "base/error.h"

/// Hertz takes the surfaces as paraboloids: a contact circle up to this part of the ball's radius.
static const double HERTZ_ANGLE = 0.3;

pkm_clearance pkm_clearance_defaults(void)
{
    return (pkm_clearance){.fidelity = PKM_FIDELITY_CONTACT,
                           .law = pkm_contact_law_defaults(PKM_CONTACT_LANKARANI_NIKRAVESH),
                           .friction = pkm_friction_law_defaults(PKM_FRICTION_COULOMB)};
}

bool pkm_clearance_has(pkm_joint_type type)
{
    return type == PKM_JOINT_SPHERICAL || type == PKM_JOINT_REVOLUTE ||
           type == PKM_JOINT_CYLINDRICAL || type == PKM_JOINT_PRISMATIC ||
           type == PKM_JOINT_UNIVERSAL;
}

/// Ball: the socket. Pins: both ends of the bearing, and two stops where they do not slide. Slider:
/// eight corners, each against two walls (2.6). A universal joint is two revolutes with a cross
/// between them, so it has no contact of its own.
int pkm_clearance_contacts(pkm_joint_type type)
{
    switch (type) {
    case PKM_JOINT_SPHERICAL:
        return 1;
    case PKM_JOINT_CYLINDRICAL:
        return 2;
    case PKM_JOINT_REVOLUTE:
        return 4;
    case PKM_JOINT_PRISMATIC:
        return PKM_CLEARANCE_CONTACTS;
    default:
        return 0;
    }
}

int pkm_clearance_states(const pkm_clearance* clearance, pkm_joint_type type)
{
    if (!clearance->has_friction) return 0;
    return pkm_clearance_contacts(type) * pkm_friction_law_states(&clearance->friction, 3);
}

// ---- check ------------------------------------------------------------------------------------

/// Has the joint a pin in a bearing?
static bool has_pin(pkm_joint_type type)
{
    return type == PKM_JOINT_REVOLUTE || type == PKM_JOINT_CYLINDRICAL ||
           type == PKM_JOINT_UNIVERSAL;
}

/// Forces need the sizes of the surfaces that touch; seated journals and envelopes only need how
/// far the ends of the bearing are apart (clearance.md, 3.1).
const char* pkm_clearance_missing(const pkm_clearance* c, pkm_joint_type type)
{
    const bool contact = c->fidelity == PKM_FIDELITY_CONTACT;
    if (type != PKM_JOINT_PRISMATIC && contact && !(c->radius > 0.0)) return "radius";
    if ((has_pin(type) || type == PKM_JOINT_PRISMATIC) && !(c->length > 0.0)) return "length";
    if (type == PKM_JOINT_PRISMATIC && !(c->width > 0.0)) return "width";
    if (type == PKM_JOINT_PRISMATIC && !(c->height > 0.0)) return "height";
    if (type == PKM_JOINT_UNIVERSAL && contact && !(c->cross_mass > 0.0)) return "cross_mass";
    return NULL;
}

static pkm_status expect_length(const char* key, double value, pkm_error* err)
{
    if (isfinite(value) && value >= 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "clearance: %s %g m, expected a length >= 0", key,
                    value);
}

static pkm_status check_sizes(const pkm_clearance* c, pkm_error* err)
{
    PKM_TRY(expect_length("radial", c->radial, err));
    PKM_TRY(expect_length("radius", c->radius, err));
    PKM_TRY(expect_length("length", c->length, err));
    PKM_TRY(expect_length("axial", c->axial, err));
    PKM_TRY(expect_length("stop_radius", c->stop_radius, err));
    PKM_TRY(expect_length("width", c->width, err));
    PKM_TRY(expect_length("height", c->height, err));
    if (isfinite(c->cross_mass) && c->cross_mass >= 0.0) return PKM_OK;
    return pkm_fail(err, PKM_ERR_ARGUMENT, "clearance: cross_mass %g kg, expected a mass > 0",
                    c->cross_mass);
}

pkm_status pkm_clearance_finish(pkm_clearance* c, pkm_joint_type type, pkm_error* err)
{
    if (!pkm_clearance_has(type))
        return pkm_fail(err, PKM_ERR_ARGUMENT,
                        "clearance: expected a spherical, revolute, cylindrical, prismatic or "
                        "universal joint");
    PKM_TRY(check_sizes(c, err));
    const char* missing = pkm_clearance_missing(c, type);
    if (missing)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "clearance: %s 0, expected a number > 0", missing);
    // shoulders begin where the pin ends
    if (has_pin(type) && !(c->stop_radius > 0.0)) c->stop_radius = c->radius;
    if (c->fidelity != PKM_FIDELITY_CONTACT) return PKM_OK;
    if (c->has_friction) PKM_TRY(pkm_friction_law_check(&c->friction, err));
    return pkm_contact_law_finish(&c->law, err);
}

const char* pkm_clearance_warning(const pkm_clearance* c, pkm_joint_type type, double load)
{
    const char* of_law = pkm_contact_law_warning(&c->law);
    if (of_law || c->law.elastic != PKM_ELASTIC_POWER || type == PKM_JOINT_PRISMATIC) return of_law;
    // Hertz' contact circle: a^2 = R1 R2/(R2 - R1) d, so that a/R1 is about sqrt(d / clearance)
    const double depth = pkm_contact_static_depth(&c->law, load);
    if (depth <= HERTZ_ANGLE * HERTZ_ANGLE * c->radial) return NULL;
    return type == PKM_JOINT_SPHERICAL
               ? "the contact circle is wider than 0.3 of the ball's radius, where Hertz' law does "
                 "not hold: use elastic: ball"
               : "the contact is wider than 0.3 of the pin's radius, where a power law does not "
                 "hold: use elastic: cylinder";
}
