// Joints, drives and springs of the elastic model as scalar rows, docs/theory/modes.md, section 2.
#include "dynamics/idle.h"
#include "linear/elastic_model.h"
#include "math/tensor.h"
#include "mechanism/joint.h"

#include <string.h>

// ---- frames -----------------------------------------------------------------------------------

/// Axes in motion.
typedef struct axes_jet {
    pkm_beam_jet x, y, z;
} axes_jet;

/// The frame of a joint's side in the world, and how it moves.
typedef struct placed {
    int part, frame;
    pkm_beam_jet p;
    axes_jet axes;
} placed;

/// A frame of a part, or of the ground (PKM_NONE), at `at` with `axes`, both in body axes.
static placed place(const pkm_elastic* e, int part, int frame, pkm_vec3 at, pkm_mat3 axes)
{
    if (part == PKM_NONE)
        return (placed){
            PKM_NONE,
            PKM_NONE,
            pkm_beam_jet_rest(at),
            {pkm_beam_jet_rest(axes.x), pkm_beam_jet_rest(axes.y), pkm_beam_jet_rest(axes.z)}};
    const elastic_part* p = &e->part[part];
    const pkm_mat3 R = pkm_mat3_matmul(p->R, axes);
    // p + R at, and how it moves with the rigid motion; axes turn with w
    const pkm_beam_jet arm = pkm_beam_jet_turning(pkm_mat3_mul(p->R, at), p->w, p->turning);
    const pkm_beam_jet from = {p->p, p->v, p->a};
    return (placed){part,
                    frame,
                    pkm_beam_jet_add(from, arm),
                    {pkm_beam_jet_turning(R.x, p->w, p->turning),
                     pkm_beam_jet_turning(R.y, p->w, p->turning),
                     pkm_beam_jet_turning(R.z, p->w, p->turning)}};
}

static placed joint_side(const pkm_elastic* e, int j, int side)
{
    const pkm_joint* joint = &e->mech->joint[j];
    const int part = e->part_of[side ? joint->body_b : joint->body_a];
    const int frame = part == PKM_NONE ? PKM_NONE : elastic_frame_of_joint(&e->part[part], j, side);
    return place(e, part, frame, side ? joint->frame_b.p : joint->frame_a.p,
                 side ? joint->axes_b : joint->axes_a);
}

static placed marker_frame(const pkm_elastic* e, int m)
{
    const pkm_marker* marker = &e->mech->marker[m];
    const int part = e->part_of[marker->body];
    const int frame = part == PKM_NONE ? PKM_NONE : elastic_frame_of_marker(&e->part[part], m);
    return place(e, part, frame, marker->pose.p, marker->axes);
}

void elastic_frame_motion(const pkm_elastic* e, int part, int frame, const double* x, pkm_vec3* d,
                          pkm_vec3* r)
{
    const pkm_vec3 none = {0.0, 0.0, 0.0};
    *d = *r = none;
    if (part == PKM_NONE) return;
    const elastic_part* p = &e->part[part];
    const double* map = p->frame[frame].map;
    for (int k = 0; k < p->n; ++k) {
        *d = pkm_vec3_axpy(*d, x[p->at + k], pkm_vec3_at(map + 6 * k));
        *r = pkm_vec3_axpy(*r, x[p->at + k], pkm_vec3_at(map + 6 * k + 3));
    }
    // maps are in body axes
    *d = pkm_mat3_mul(p->R, *d);
    *r = pkm_mat3_mul(p->R, *r);
}

void elastic_frame_force(const pkm_elastic* e, int part, int frame, pkm_vec3 force, pkm_vec3 torque,
                         double* fx)
{
    if (part == PKM_NONE) return;
    const elastic_part* p = &e->part[part];
    // the transposed map, so that both have the same power
    const pkm_vec3 f = pkm_mat3_tmul(p->R, force), t = pkm_mat3_tmul(p->R, torque);
    const double* map = p->frame[frame].map;
    for (int k = 0; k < p->n; ++k)
        fx[p->at + k] += pkm_vec3_dot(f, pkm_vec3_at(map + 6 * k)) +
                         pkm_vec3_dot(t, pkm_vec3_at(map + 6 * k + 3));
}

// ---- rows -------------------------------------------------------------------------------------

static elastic_row row_make(elastic_row_kind kind, const placed* a, const placed* b, pkm_beam_jet u,
                            pkm_beam_jet w)
{
    return (elastic_row){.kind = kind,
                         .part_a = a->part,
                         .frame_a = a->frame,
                         .part_b = b->part,
                         .frame_b = b->frame,
                         .u = u,
                         .w = w,
                         .gap = pkm_beam_jet_sub(b->p, a->p)};
}

/// Coefficients of the row: value = along . (d_b - d_a) + turn_a . r_a + turn_b . r_b.
typedef struct coefficients {
    pkm_beam_jet along, turn_a, turn_b;
} coefficients;

static pkm_beam_jet negative(pkm_beam_jet a)
{
    return pkm_beam_jet_scale((pkm_beam_jet1){-1.0, 0.0, 0.0}, a);
}

static coefficients coefficients_of(const elastic_row* row)
{
    coefficients c = {0};
    if (row->kind == ROW_PAIR) {
        c.turn_b = pkm_beam_jet_cross(row->w, row->u); // d(u . w) = (r_b - r_a) . (w x u)
        c.turn_a = negative(c.turn_b);
    } else {
        c.along = row->u;
        // u turns with a: (u x g) . r_a (2.1)
        if (row->kind == ROW_POINT) c.turn_a = pkm_beam_jet_cross(row->u, row->gap);
        if (row->pitch != 0.0) {
            // a screw: turns along the same axis (see lead_row)
            const pkm_beam_jet more =
                pkm_beam_jet_scale((pkm_beam_jet1){row->pitch, 0.0, 0.0}, row->u);
            c.turn_a = pkm_beam_jet_add(c.turn_a, more);
            c.turn_b = negative(more);
        }
    }
    return c;
}

/// Components of a vector in the axes of a part.
static void components(const elastic_part* p, pkm_beam_jet v, pkm_beam_jet1 out[3])
{
    const pkm_vec3 axis[3] = {p->R.x, p->R.y, p->R.z};
    for (int k = 0; k < 3; ++k)
        // axes of the part turn with w: components change with them
        out[k] = pkm_beam_jet_dot(v, pkm_beam_jet_turning(axis[k], p->w, p->turning));
}

elastic_jets elastic_row_jets(const pkm_elastic* e, const elastic_row* row)
{
    elastic_jets out = {0};
    const coefficients c = coefficients_of(row);
    if (row->part_a != PKM_NONE) {
        components(&e->part[row->part_a], negative(c.along), out.a);
        components(&e->part[row->part_a], c.turn_a, out.a + 3);
    }
    if (row->part_b != PKM_NONE) {
        components(&e->part[row->part_b], c.along, out.b);
        components(&e->part[row->part_b], c.turn_b, out.b + 3);
    }
    return out;
}

void elastic_row_add(const pkm_elastic* e, const elastic_row* row, double c, double* out)
{
    const coefficients k = coefficients_of(row);
    elastic_frame_force(e, row->part_b, row->frame_b, pkm_vec3_scale(c, k.along.x),
                        pkm_vec3_scale(c, k.turn_b.x), out);
    elastic_frame_force(e, row->part_a, row->frame_a, pkm_vec3_scale(-c, k.along.x),
                        pkm_vec3_scale(c, k.turn_a.x), out);
}

double elastic_row_dot(const pkm_elastic* e, const elastic_row* row, const double* x)
{
    pkm_vec3 da, ra, db, rb;
    const coefficients k = coefficients_of(row);
    elastic_frame_motion(e, row->part_a, row->frame_a, x, &da, &ra);
    elastic_frame_motion(e, row->part_b, row->frame_b, x, &db, &rb);
    return pkm_vec3_dot(k.along.x, pkm_vec3_sub(db, da)) + pkm_vec3_dot(k.turn_a.x, ra) +
           pkm_vec3_dot(k.turn_b.x, rb);
}

// ---- joints -----------------------------------------------------------------------------------

static void add_row(pkm_elastic* e, elastic_row row)
{
    e->row[e->n_row++] = row;
}

static pkm_beam_jet axis_of(const placed* at, int k)
{
    return k == 0 ? at->axes.x : k == 1 ? at->axes.y : at->axes.z;
}

/// The points meet, or do not shift along some axes of a.
static void hold_points(pkm_elastic* e, const pkm_joint_facts* f, const placed* a, const placed* b)
{
    const int n = f->n_world + f->n_shift;
    for (int k = 0; k < n; ++k) {
        const pkm_beam_jet u = axis_of(a, f->n_world ? k : f->shift[k]);
        add_row(e, row_make(ROW_POINT, a, b, u, u));
    }
}

/// b.z stays along a.z.
static void hold_axis(pkm_elastic* e, const placed* a, const placed* b)
{
    add_row(e, row_make(ROW_PAIR, a, b, a->axes.x, b->axes.z));
    add_row(e, row_make(ROW_PAIR, a, b, a->axes.y, b->axes.z));
}

/// The angle about a.z stays: a.x against what is now along a.y on b.
static elastic_row angle_row(const placed* a, const placed* b)
{
    // d(a.y . w) with w along a.x: (r_b - r_a) . (a.x x a.y).
    return row_make(ROW_PAIR, a, b, a->axes.y, a->axes.x);
}

/// A screw: what b slides along z it turns about it, z . (d_b - d_a) = pitch z . (r_b - r_a).
static elastic_row lead_row(const placed* a, const placed* b, double pitch)
{
    elastic_row row = row_make(ROW_POINT, a, b, a->axes.z, a->axes.z);
    row.pitch = pitch;
    return row;
}

static void hold_joint(pkm_elastic* e, int j)
{
    const placed a = joint_side(e, j, 0), b = joint_side(e, j, 1);
    const pkm_joint* joint = &e->mech->joint[j];
    const pkm_joint_facts* f = pkm_joint_facts_of(joint->type);
    if (f->is_rod) {
        if (joint->drive != PKM_NONE) return; // the drive's own row
        add_row(e, row_make(ROW_DISTANCE, &a, &b, pkm_beam_jet_unit(pkm_beam_jet_sub(b.p, a.p)),
                            a.axes.z));
        return;
    }
    hold_points(e, f, &a, &b);
    if (f->n_turn == 1) add_row(e, row_make(ROW_PAIR, &a, &b, a.axes.z, b.axes.z));
    if (f->n_turn >= 2) hold_axis(e, &a, &b);
    if (f->n_turn == 3) add_row(e, angle_row(&a, &b));
    if (f->has_lead) add_row(e, lead_row(&a, &b, joint->pitch));
}

/// The row of coordinate `k` of a joint.
static elastic_row freedom_row(const pkm_elastic* e, int j, int k)
{
    const placed a = joint_side(e, j, 0), b = joint_side(e, j, 1);
    const pkm_joint_facts* f = pkm_joint_facts_of(e->mech->joint[j].type);
    const pkm_beam_jet z = a.axes.z;
    if (f->is_rod)
        return row_make(ROW_DISTANCE, &a, &b, pkm_beam_jet_unit(pkm_beam_jet_sub(b.p, a.p)), z);
    if (k < f->n_drivable && f->coordinate[k].is_length)
        return row_make(ROW_POINT, &a, &b, axis_of(&a, f->coordinate[k].axis), z);
    if (f->motion == PKM_MOVES_CROSS) {
        // about a.z or b.z, which are perpendicular: the third direction is n = a.z x b.z
        const pkm_beam_jet n = pkm_beam_jet_unit(pkm_beam_jet_cross(a.axes.z, b.axes.z));
        return k == 0 ? row_make(ROW_PAIR, &a, &b, n, b.axes.z)  // b.z x n is a.z
                      : row_make(ROW_PAIR, &a, &b, a.axes.z, n); // n x a.z is b.z
    }
    return angle_row(&a, &b);
}

elastic_row elastic_drive_row(const pkm_elastic* e, int drive)
{
    const pkm_desc_drive* d = &e->robot->desc->drive[drive];
    elastic_row row = freedom_row(e, d->joint, d->coordinate);
    if (d->sign > 0.0) return row;
    // the other sense: u -> -u turns the sign of points and pairs; distances have no sign
    if (row.kind != ROW_DISTANCE) row.u = negative(row.u);
    return row;
}

// ---- springs ----------------------------------------------------------------------------------

static void add_spring(pkm_elastic* e, elastic_row row, double stiffness, double damping,
                       const pkm_element* element)
{
    e->spring[e->n_spring++] = (elastic_spring){
        .row = row, .stiffness = stiffness, .damping = damping, .element = element};
}

/// The row along which one slope of an element acts.
static elastic_row slope_row(const pkm_elastic* e, const pkm_element* element,
                             const pkm_element_slope* slope)
{
    if (slope->kind == PKM_SLOPE_COORDINATE) return freedom_row(e, element->joint, 0);
    const placed a = marker_frame(e, element->marker_a), b = marker_frame(e, element->marker_b);
    if (slope->kind == PKM_SLOPE_LINE) {
        const pkm_beam_jet line = pkm_beam_jet_unit(pkm_beam_jet_sub(b.p, a.p));
        return row_make(ROW_DISTANCE, &a, &b, line, line);
    }
    const pkm_beam_jet u[3] = {a.axes.x, a.axes.y, a.axes.z};
    const int k = slope->axis;
    if (slope->kind == PKM_SLOPE_SHIFT) return row_make(ROW_POINT, &a, &b, u[k], u[k]);
    // about axis k: u[k+1] against u[k+2], with the sign of a right-handed turn
    return row_make(ROW_PAIR, &a, &b, u[(k + 2) % 3], u[(k + 1) % 3]);
}

static void add_element(pkm_elastic* e, const pkm_element* element, const pkm_state* state)
{
    pkm_element_slope slope[PKM_ELEMENT_SLOPES];
    if (!element->type->slopes) return;
    const pkm_element_motion motion = pkm_effects_motion(element, 0.0, state);
    const int n = element->type->slopes(element->data, &motion, slope);
    for (int k = 0; k < n; ++k)
        add_spring(e, slope_row(e, element, &slope[k]), slope[k].stiffness, slope[k].damping,
                   element);
}

// ---- together ---------------------------------------------------------------------------------

int elastic_rows_most(const pkm_elastic* e)
{
    return 6 * e->mech->n_joint + e->mech->n_drive + e->mech->n_spin;
}

static void make_drives(pkm_elastic* e)
{
    for (int d = 0; d < e->mech->n_drive; ++d) {
        const pkm_elastic_drive* drive = &e->settings.drive[d];
        if (drive->hold == PKM_ELASTIC_LOCKED) add_row(e, elastic_drive_row(e, d));
        if (drive->hold == PKM_ELASTIC_SPRING)
            add_spring(e, elastic_drive_row(e, d), drive->stiffness, drive->damping, NULL);
    }
}

/// A spring or bushing on a rod, or on what is welded to it, may hold its spin.
static bool has_spring(const pkm_elastic* e, int body)
{
    const pkm_effects* effects = e->settings.effects;
    for (int i = 0; effects && i < effects->n_element; ++i) {
        const pkm_element* el = &effects->element[i];
        if (el->type->place != PKM_BETWEEN_MARKERS) continue;
        if (pkm_spins_with(e->mech, el->marker_a, body) ||
            pkm_spins_with(e->mech, el->marker_b, body))
            return true;
    }
    return false;
}

/// Spins of rods between balls; the row itself is made when it is needed, see elastic_reduce.c.
static void make_spins(pkm_elastic* e)
{
    e->n_idle = 0;
    for (int s = 0; s < e->mech->n_spin; ++s) {
        const int body = e->mech->row[e->mech->spin_row_at + s].item;
        const int part = e->part_of[body];
        // such a spin is among the coordinates
        if (has_spring(e, body)) continue;
        e->idle[e->n_idle++] = part;
        e->row[e->n_row++] = (elastic_row){.kind = ROW_VECTOR, .part_b = part, .frame_b = s};
    }
}

void elastic_rows_make(pkm_elastic* e, const pkm_state* state)
{
    // drives behind joints, spins behind drives: others count on it
    e->n_row = e->n_spring = 0;
    for (int j = 0; j < e->mech->n_joint; ++j)
        hold_joint(e, j);
    make_drives(e);
    make_spins(e);
    const pkm_effects* effects = e->settings.effects;
    for (int i = 0; effects && i < effects->n_element; ++i)
        add_element(e, &effects->element[i], state);
}
