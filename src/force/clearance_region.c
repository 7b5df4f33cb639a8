// Where the parts of a joint with clearance may lie: a product of balls, discs, segments and, for
// guides, planes that couple the shifts of the ends with the roll. Loads on the joint become loads
// f on the coordinates y of the set, so that force . shift + moment . turn = f . y. The seated
// analysis asks for the extreme of f . y, the envelope for the set itself. Equations:
// docs/theory/clearance.md, section 3.1 and (3.3), (3.4).
#include "force/clearance_region.h"
#include "math/dot.h"

#include <string.h>

enum { GUIDE_ROLL = 4 };

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/// Coordinates of a guide are lengths: the roll is that of half the larger side, r = theta_z m/2,
/// and the corners move by r h/m along x and r w/m along y (table of 3.1).
pkm_region pkm_region_make(const pkm_clearance* clearance, pkm_joint_type type)
{
    const double size = larger(clearance->width, clearance->height);
    pkm_region out = {.kind = PKM_REGION_JOURNAL,
                      .radial = clearance->radial,
                      .axial = clearance->axial,
                      .half_length = 0.5 * clearance->length};
    if (type == PKM_JOINT_CYLINDRICAL) out.axial = 0.0; // z is free: the joint slides
    if (type == PKM_JOINT_SPHERICAL) out.kind = PKM_REGION_BALL;
    if (type != PKM_JOINT_PRISMATIC) return out;
    out.kind = PKM_REGION_GUIDE;
    out.half_size = 0.5 * size;
    out.along_x = size > 0.0 ? clearance->height / size : 1.0;
    out.along_y = size > 0.0 ? clearance->width / size : 1.0;
    return out;
}

int pkm_region_n(const pkm_region* region)
{
    return region->kind == PKM_REGION_BALL ? 3 : 5;
}

/// Shift and tilt of the axis from the shifts of its ends (3.1).
///
///     shift = (u+ + u-)/2,   turn x z = (u+ - u-)/length
static pkm_clearance_offset from_ends(const pkm_region* region, double x_plus, double y_plus,
                                      double x_minus, double y_minus)
{
    const double half = region->half_length;
    pkm_clearance_offset out = {.shift = {0.5 * (x_plus + x_minus), 0.5 * (y_plus + y_minus), 0.0}};
    if (half == 0.0) return out;
    out.turn.x = -(y_plus - y_minus) / (2.0 * half);
    out.turn.y = (x_plus - x_minus) / (2.0 * half);
    return out;
}

pkm_clearance_offset pkm_region_offset(const pkm_region* region, const double* y)
{
    pkm_clearance_offset out = {.shift = {y[0], y[1], y[2]}};
    switch (region->kind) {
    case PKM_REGION_BALL:
        break;
    case PKM_REGION_JOURNAL:
        out = from_ends(region, y[0], y[1], y[2], y[3]);
        out.shift.z = y[4];
        break;
    case PKM_REGION_GUIDE:
        out = from_ends(region, y[0], y[2], y[1], y[3]);
        out.turn.z = region->half_size > 0.0 ? y[GUIDE_ROLL] / region->half_size : 0.0;
        break;
    }
    return out;
}

/// Forces at the two ends that make up force and moment (3.2): F/2 +- (M x z)/length.
static void end_forces(const pkm_region* region, pkm_vec3 force, pkm_vec3 moment, double* x_plus,
                       double* y_plus, double* x_minus, double* y_minus)
{
    const double arm = region->half_length > 0.0 ? 0.5 / region->half_length : 0.0;
    *x_plus = 0.5 * force.x + arm * moment.y;
    *x_minus = 0.5 * force.x - arm * moment.y;
    *y_plus = 0.5 * force.y - arm * moment.x;
    *y_minus = 0.5 * force.y + arm * moment.x;
}

void pkm_region_load(const pkm_region* region, pkm_vec3 force, pkm_vec3 moment, double* f)
{
    switch (region->kind) {
    case PKM_REGION_BALL:
        memcpy(f, (double[]){force.x, force.y, force.z}, 3 * sizeof(double));
        break;
    case PKM_REGION_JOURNAL:
        end_forces(region, force, moment, &f[0], &f[1], &f[2], &f[3]);
        f[4] = force.z;
        break;
    case PKM_REGION_GUIDE:
        end_forces(region, force, moment, &f[0], &f[2], &f[1], &f[3]);
        f[GUIDE_ROLL] = region->half_size > 0.0 ? moment.z / region->half_size : 0.0;
        break;
    }
}

// ---- parts ------------------------------------------------------------------------------------

/// Largest roll of a guide: the corners touch along the longer side first.
static double most_roll(const pkm_region* region)
{
    return region->radial / larger(region->along_x, region->along_y);
}

int pkm_region_parts(const pkm_region* region, pkm_region_part* out)
{
    const double c = region->radial;
    switch (region->kind) {
    case PKM_REGION_BALL:
        out[0] = (pkm_region_part){0, 3, c};
        return 1;
    case PKM_REGION_JOURNAL:
        out[0] = (pkm_region_part){0, 2, c};
        out[1] = (pkm_region_part){2, 2, c};
        out[2] = (pkm_region_part){4, 1, region->axial};
        return 3;
    case PKM_REGION_GUIDE:
        for (int k = 0; k < 4; ++k)
            out[k] = (pkm_region_part){k, 1, c};
        out[GUIDE_ROLL] = (pkm_region_part){GUIDE_ROLL, 1, most_roll(region)};
        return 5;
    }
    return 0;
}

int pkm_region_n_plane(const pkm_region* region)
{
    return region->kind == PKM_REGION_GUIDE ? 16 : 0;
}

/// +- u +- roll * share <= radial for each of the four end shifts u.
void pkm_region_plane(const pkm_region* region, int k, double* out)
{
    const int u = k / 4;
    memset(out, 0, PKM_REGION_COORDINATES * sizeof(double));
    out[u] = k & 1 ? -1.0 : 1.0;
    out[GUIDE_ROLL] = (k & 2 ? -1.0 : 1.0) * (u < 2 ? region->along_x : region->along_y);
}

/// The largest violation [m]: of a part its distance from the middle less its radius, of a plane
/// its excess; negative inside.
double pkm_region_outside(const pkm_region* region, const double* y)
{
    pkm_region_part part[PKM_REGION_PARTS];
    const int n = pkm_region_parts(region, part);
    double most = -HUGE_VAL;
    for (int k = 0; k < n; ++k)
        most = larger(most, pkm_norm(y + part[k].at, part[k].n) - part[k].radius);
    for (int k = 0; k < pkm_region_n_plane(region); ++k) {
        double normal[PKM_REGION_COORDINATES], reach = 0.0;
        pkm_region_plane(region, k, normal);
        for (int i = 0; i < PKM_REGION_COORDINATES; ++i)
            reach += normal[i] * y[i];
        most = larger(most, reach - region->radial);
    }
    return most;
}

// ---- where the load presses -------------------------------------------------------------------

/// y = radius f / sqrt(f^2 + floor^2) on one part; returns f . y.
static double press(const pkm_region_part* part, const double* f, double floor, double* y)
{
    const double size = pkm_norm(f + part->at, part->n), whole = hypot(size, floor);
    const double scale = whole > 0.0 ? part->radius / whole : 0.0;
    double sum = 0.0;
    for (int i = part->at; i < part->at + part->n; ++i) {
        y[i] = scale * f[i];
        sum += f[i] * y[i];
    }
    return sum;
}

/// Share of the full roll that a guide takes. It either rolls until its corners touch or not at
/// all, whichever the load gains more by (the gain is linear in the roll).
static double roll_share(const pkm_region* region, const double* f, double floor)
{
    double gain = hypot(f[GUIDE_ROLL], floor);
    for (int k = 0; k < GUIDE_ROLL; ++k)
        gain -= (k < 2 ? region->along_x : region->along_y) * hypot(f[k], floor);
    const double size = hypot(gain, floor);
    return size > 0.0 ? 0.5 * (1.0 + gain / size) : 0.0;
}

/// The parts of a set under the load f: those of a guide share its clearance (3.4).
static int loaded_parts(const pkm_region* region, const double* f, double floor,
                        pkm_region_part* out)
{
    const int n = pkm_region_parts(region, out);
    if (region->kind != PKM_REGION_GUIDE) return n;
    const double roll = roll_share(region, f, floor) * most_roll(region);
    for (int k = 0; k < GUIDE_ROLL; ++k) {
        const double taken = roll * (k < 2 ? region->along_x : region->along_y);
        out[k].radius = larger(out[k].radius - taken, 0.0);
    }
    out[GUIDE_ROLL].radius = roll;
    return n;
}

double pkm_region_extreme(const pkm_region* region, const double* f, double floor, double* y)
{
    pkm_region_part part[PKM_REGION_PARTS];
    const int n = loaded_parts(region, f, floor, part);
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
        sum += press(&part[k], f, floor, y);
    return sum;
}

/// r/w I - r f f'/w^3 on each part, w = sqrt(f^2 + floor^2)
void pkm_region_yield(const pkm_region* region, const double* f, double floor, double* H)
{
    pkm_region_part part[PKM_REGION_PARTS];
    const int n = loaded_parts(region, f, floor, part), size = pkm_region_n(region);
    memset(H, 0, (size_t)(size * size) * sizeof(double));
    for (int k = 0; k < n; ++k) {
        const double* at = f + part[k].at;
        const double w = hypot(pkm_norm(at, part[k].n), floor), scale = part[k].radius / w;
        for (int i = 0; i < part[k].n; ++i)
            for (int j = 0; j < part[k].n; ++j)
                H[(part[k].at + i) + (part[k].at + j) * size] =
                    scale * ((i == j) - at[i] / w * (at[j] / w));
    }
}
