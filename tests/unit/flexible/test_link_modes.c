// One link alone: frequencies, generalised masses and stiffnesses of a uniform beam in closed form.
#include "flexible/link_modes.h"

#include "unit/flexible/links.h"

static const double L = 1.0, R = 0.01, RHO = 7801.0, E = 207e9, PI = 3.14159265358979323846;

/// A rod of 20 mm and 1 m between two ball joints.
static pkm_flexible_link* rod(pkm_description** desc, int n_element)
{
    *desc = engine_parse(LINK_HEAD
                         "bodies:\n"
                         "  link:\n"
                         "    points: {A: [0, 0, 0], B: [1, 0, 0]}\n"
                         "    shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}\n"
                         "  end:\n"
                         "    mass: 1 kg\n"
                         "    points: {B: [1, 0, 0]}\n"
                         "joints:\n"
                         "  A: {type: spherical, between: [ground.O, link.A]}\n"
                         "  B: {type: spherical, between: [link.B, end.B]}\n");
    pkm_flexible_spec spec = pkm_flexible_spec_defaults();
    spec.n_element = n_element;
    return link_mesh(*desc, link_find(*desc, "link"), &spec);
}

/// omega of a beam with the eigenvalue beta L.
static double bending(double beta_l)
{
    const double I = PI * R * R * R * R / 4.0, A = PI * R * R;
    return beta_l * beta_l / (L * L) * sqrt(E * I / (RHO * A));
}

static double mass(void)
{
    return RHO * PI * R * R * L;
}

static void check_mode(const pkm_link_mode* mode, double omega, double generalised, double tol)
{
    CHECK_NEAR(mode->omega, omega, tol * omega);
    CHECK_NEAR(mode->mass, generalised, 10.0 * tol * generalised);
    CHECK_NEAR(mode->stiffness, omega * omega * generalised, 12.0 * tol * mode->stiffness);
    CHECK(mode->share[1] > 0.999);
}

// cosh(x) cos(x) = 1; the ends move most, and the mean square is a quarter of that: m/4.
static void free_rod_is_a_free_beam(void)
{
    static const double root[] = {4.730040744862704, 7.853204624095838, 10.995607838001671};
    pkm_description* desc;
    pkm_flexible_link* link = rod(&desc, 24);
    pkm_link_mode mode[12];
    int n = 0;
    pkm_error err = {0};
    CHECK(pkm_link_modes(link, PKM_LINK_FREE, 12, mode, &n, &err) == PKM_OK && n == 12);
    for (int k = 0; k < 6; ++k)
        CHECK(mode[k].omega == 0.0 && mode[k].stiffness == 0.0 && mode[k].mass > 0.0);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i) // in two planes
            // cubics on elements h: lambda is (beta h)^4/720 too large
            check_mode(&mode[6 + 2 * k + i], bending(root[k]), mass() / 4.0,
                       1e-5 + pow(root[k] / 24.0, 4.0) / 1400.0);
    pkm_flexible_link_free(link);
    pkm_description_free(desc);
}

// sin(k pi x/L): mean square 1/2; the rod spins about its line between the balls.
static void pinned_rod_is_a_simple_beam(void)
{
    pkm_description* desc;
    pkm_flexible_link* link = rod(&desc, 24);
    pkm_link_mode mode[7];
    int n = 0;
    pkm_error err = {0};
    CHECK(pkm_link_modes(link, PKM_LINK_PINNED, 7, mode, &n, &err) == PKM_OK && n == 7);
    CHECK(mode[0].omega == 0.0 && mode[0].turns);
    // consistent mass of linear twists, ends at both sides alike: rho Ip L of a rod that spins
    CHECK_NEAR(mode[0].mass, mass() * R * R / 2.0, 1e-9 * mode[0].mass);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i)
            check_mode(&mode[1 + 2 * k + i], bending(PI * (k + 1)), mass() / 2.0, 2e-4);
    pkm_flexible_link_free(link);
    pkm_description_free(desc);
}

// Clamped at both ends: the roots of the free beam; the mean square over the square of the largest
// deflection of the first mode is 1/1.588146^2, of modes with unit mean square.
static void clamped_rod_has_the_frequencies_of_the_free_one(void)
{
    pkm_description* desc;
    pkm_flexible_link* link = rod(&desc, 24);
    pkm_link_mode mode[4];
    int n = 0;
    pkm_error err = {0};
    CHECK(pkm_link_modes(link, PKM_LINK_CLAMPED, 4, mode, &n, &err) == PKM_OK && n == 4);
    check_mode(&mode[0], bending(4.730040744862704), mass() / (1.588146 * 1.588146), 2e-5);
    CHECK_NEAR(mode[2].omega, bending(7.853204624095838), 2e-5 * mode[2].omega);
    pkm_flexible_link_free(link);
    pkm_description_free(desc);
}

// Rods of the linear Delta between their balls, 0.4 kg and 12 mm of aluminium, and links of the
// Isoglide T3, 6.17 kg and 40 mm of steel: the mass of the model rules.
static void robots_have_rods_that_bend(void)
{
    static const struct {
        const char *robot, *body;
        double mass, length, radius, young;
    } rods[] = {{"lindelta", "2.rod1", 0.4, 0.99, 6e-3, 70e9},
                {"isoglideT3", "b.link3", 6.17, 0.63, 20e-3, 207e9}};
    for (int k = 0; k < 2; ++k) {
        pkm_description* desc = engine_read(rods[k].robot);
        pkm_flexible_spec spec = pkm_flexible_spec_defaults();
        pkm_flexible_link* link = link_mesh(desc, link_find(desc, rods[k].body), &spec);
        pkm_link_mode mode[3];
        int n = 0;
        CHECK(pkm_link_modes(link, PKM_LINK_PINNED, 3, mode, &n, NULL) == PKM_OK);
        const double I = PI * pow(rods[k].radius, 4.0) / 4.0, length = link->length;
        CHECK_NEAR(length, rods[k].length, 1e-12);
        const double omega =
            PI * PI / (length * length) * sqrt(rods[k].young * I * length / rods[k].mass);
        CHECK_NEAR(mode[1].omega, omega, 1e-4 * omega); // eight elements
        pkm_flexible_link_free(link);
        pkm_description_free(desc);
    }
}

int main(void)
{
    RUN(free_rod_is_a_free_beam);
    RUN(pinned_rod_is_a_simple_beam);
    RUN(clamped_rod_has_the_frequencies_of_the_free_one);
    RUN(robots_have_rods_that_bend);
    return check_report();
}
