/// Random mechanisms, and their model files: trees, closed limbs, platforms on rods with ball
/// joints, pendulums that hang on them; general, planar, spherical and orthogonal geometry.
#ifndef PKM_TESTS_MECHANISM_MAKER_H
#define PKM_TESTS_MECHANISM_MAKER_H

#include "plain_mechanism.h"

#include <stdint.h>
#include <stdio.h>

/// Numbers that repeat with their seed (xorshift64*).
typedef struct maker {
    uint64_t state;
    int geometry; ///< 0 general, 1 planar, 2 spherical, 3 orthogonal
    vec normal;   ///< of planar mechanisms
} maker;

static inline double draw(maker* m)
{
    m->state ^= m->state >> 12;
    m->state ^= m->state << 25;
    m->state ^= m->state >> 27;
    return (double)((m->state * 2685821657736338717ull) >> 11) / 9007199254740992.0;
}

static inline int draw_int(maker* m, int n)
{
    return (int)(draw(m) * n);
}

static inline double draw_between(maker* m, double low, double high)
{
    return low + (high - low) * draw(m);
}

static inline vec draw_vec(maker* m, double size)
{
    const double x = draw_between(m, -size, size), y = draw_between(m, -size, size);
    return (vec){x, y, draw_between(m, -size, size)};
}

static inline vec draw_direction(maker* m)
{
    vec e;
    do
        e = draw_vec(m, 1.0);
    while (norm(e) < 0.3 || norm(e) > 1.0);
    return unit(e);
}

/// A place for a joint. Orthogonal geometry has them on a grid.
static inline vec draw_place(maker* m)
{
    vec p = draw_vec(m, 0.5);
    if (m->geometry == 3)
        p = (vec){0.1 * round(10 * p.x), 0.1 * round(10 * p.y), 0.1 * round(10 * p.z)};
    return p;
}

/// The axis of a joint at `p` that turns, or slides.
static inline vec draw_axis(maker* m, vec p, bool slides)
{
    static const vec axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (m->geometry == 3) return axis[draw_int(m, 3)];
    const vec e = draw_direction(m);
    if (m->geometry == 1) return slides ? unit(cross(m->normal, e)) : m->normal;
    if (m->geometry == 2 && norm(p) > 0.1) return unit(p);
    return e;
}

static inline plain_type draw_type(maker* m)
{
    static const plain_type any[] = {PLAIN_REVOLUTE,  PLAIN_REVOLUTE,    PLAIN_PRISMATIC,
                                     PLAIN_SPHERICAL, PLAIN_CYLINDRICAL, PLAIN_UNIVERSAL,
                                     PLAIN_PLANAR,    PLAIN_FIXED};
    if (m->geometry == 1) return draw(m) < 0.75 ? PLAIN_REVOLUTE : PLAIN_PRISMATIC;
    if (m->geometry == 2) return PLAIN_REVOLUTE;
    return any[draw_int(m, 8)];
}

// ---- parts ------------------------------------------------------------------------------------

/// A body of random mass around `at`, or round about the line `along`.
static inline int make_body(maker* m, plain* p, vec at, const vec* along)
{
    plain_body* b = &p->body[p->n_body];
    memset(b, 0, sizeof *b);
    b->origin = add(at, draw_vec(m, 0.1));
    b->mass = draw_between(m, 0.5, 4.0);
    b->com = draw_vec(m, 0.15);
    b->point = draw_vec(m, 0.3);
    if (along) {
        const double about = draw_between(m, 0.002, 0.01), across = draw_between(m, 0.02, 0.1);
        const vec e = *along;
        const double lift = about - across;
        const double J[6] = {across + lift * e.x * e.x, across + lift * e.y * e.y,
                             across + lift * e.z * e.z, lift * e.x * e.y,
                             lift * e.x * e.z,          lift * e.y * e.z};
        memcpy(b->inertia, J, sizeof J);
    } else { // of four points, so that it is one that a body can have
        for (int k = 0; k < 4; ++k) {
            const vec r = draw_vec(m, 0.25);
            const double part = 0.25 * b->mass;
            const double J[6] = {part * (r.y * r.y + r.z * r.z),
                                 part * (r.x * r.x + r.z * r.z),
                                 part * (r.x * r.x + r.y * r.y),
                                 -part * r.x * r.y,
                                 -part * r.x * r.z,
                                 -part * r.y * r.z};
            for (int i = 0; i < 6; ++i)
                b->inertia[i] += J[i];
        }
        for (int i = 0; i < 3; ++i)
            b->inertia[i] += 2e-3;
    }
    return p->n_body++;
}

/// A joint of `type` between the bodies a and b at the place `at` of the world.
static inline void make_joint(maker* m, plain* p, plain_type type, int a, int b, vec at)
{
    plain_joint* j = &p->joint[p->n_joint++];
    memset(j, 0, sizeof *j);
    j->type = type;
    j->a = a;
    j->b = b;
    j->za = j->zb = draw_axis(m, at, type == PLAIN_PRISMATIC || type == PLAIN_CYLINDRICAL);
    const vec other = fabs(j->za.x) < 0.7 ? (vec){1.0, 0.0, 0.0} : (vec){0.0, 1.0, 0.0};
    j->xa = j->xb = unit(cross(j->za, other));
    j->ya = cross(j->za, j->xa);
    if (type == PLAIN_UNIVERSAL) j->zb = j->xa; // the second axis, across the first
    vec shift = {0.0, 0.0, 0.0};
    if (type == PLAIN_PRISMATIC || type == PLAIN_CYLINDRICAL)
        shift = scale(draw_between(m, -0.1, 0.1), j->za);
    if (type == PLAIN_PLANAR) shift = scale(draw_between(m, -0.1, 0.1), j->xa);
    if (type == PLAIN_DISTANCE) shift = draw_vec(m, 0.3);
    j->pa = sub(at, p->body[a].origin);
    j->pb = sub(add(at, shift), p->body[b].origin);
    j->length = norm(shift);
    j->from = type == PLAIN_PRISMATIC ? dot(shift, j->za) : 0.0;
    j->by = draw_between(m, 0.05, 0.25) * (draw(m) < 0.5 ? -1.0 : 1.0);
    if (type == PLAIN_PRISMATIC) j->by *= 0.5;
}

/// A chain of joints and bodies from `a` to `b` (-1: it ends free).
static inline void make_chain(maker* m, plain* p, int a, int b, int n_between)
{
    for (int k = 0; k < n_between; ++k) {
        const vec at = draw_place(m);
        const int body = make_body(m, p, at, NULL);
        make_joint(m, p, draw_type(m), a, body, at);
        a = body;
    }
    if (b >= 0) make_joint(m, p, draw_type(m), a, b, draw_place(m));
}

/// A rod with a ball at each end, from a to b, symmetric about its line or not.
static inline void make_rod(maker* m, plain* p, int a, int b, vec from, vec to)
{
    const vec along = unit(sub(to, from));
    const bool is_round = draw(m) < 0.6;
    const int rod = make_body(m, p, from, is_round ? &along : NULL);
    plain_body* body = &p->body[rod];
    body->mass *= 0.5;
    for (int i = 0; i < 6; ++i)
        body->inertia[i] *= 0.5;
    if (is_round) body->com = sub(add(scale(0.6, from), scale(0.4, to)), body->origin);
    make_joint(m, p, PLAIN_SPHERICAL, a, rod, from);
    make_joint(m, p, PLAIN_SPHERICAL, rod, b, to);
}

// ---- whole mechanisms -------------------------------------------------------------------------

static inline void make_tree(maker* m, plain* p)
{
    const int n = 1 + draw_int(m, 4);
    for (int k = 0; k < n; ++k)
        make_chain(m, p, draw_int(m, p->n_body), -1, 1);
}

/// A platform on two to four limbs.
static inline void make_limbs(maker* m, plain* p)
{
    const int platform = make_body(m, p, draw_place(m), NULL), n = 2 + draw_int(m, 2);
    for (int k = 0; k < n; ++k)
        make_chain(m, p, 0, platform, 1 + draw_int(m, 2));
}

/// A platform on three cranks or slides, each with one or two rods.
static inline void make_delta(maker* m, plain* p)
{
    const int platform = make_body(m, p, (vec){0.0, 0.0, -0.6}, NULL);
    for (int k = 0; k < 3; ++k) {
        const double angle = 2.1 * k;
        const vec root = {0.4 * cos(angle), 0.4 * sin(angle), 0.0};
        const vec knee =
            add(root, (vec){0.3 * cos(angle), 0.3 * sin(angle), draw_between(m, -0.1, 0.1)});
        const int crank = make_body(m, p, root, NULL);
        make_joint(m, p, draw(m) < 0.7 ? PLAIN_REVOLUTE : PLAIN_PRISMATIC, 0, crank, root);
        for (int r = 0; r < 2; ++r) {
            const vec side = scale(r == 0 ? 0.1 : -0.1, (vec){-sin(angle), cos(angle), 0.3});
            const vec foot = {0.15 * cos(angle), 0.15 * sin(angle), -0.6};
            make_rod(m, p, crank, platform, add(knee, side), add(foot, side));
        }
    }
}

static inline void make_pendulum(maker* m, plain* p)
{
    static const plain_type hook[] = {PLAIN_REVOLUTE, PLAIN_UNIVERSAL, PLAIN_SPHERICAL,
                                      PLAIN_DISTANCE};
    const int on = draw_int(m, p->n_body);
    const vec at = draw_place(m);
    const int body = make_body(m, p, at, NULL);
    make_joint(m, p, hook[draw_int(m, m->geometry == 1 ? 1 : 4)], on, body, at);
}

static inline void make_springs(maker* m, plain* p)
{
    const int n = 1 + draw_int(m, 2);
    for (int k = 0; k < n; ++k) {
        plain_spring* s = &p->spring[p->n_spring++];
        s->a = draw_int(m, p->n_body);
        s->b = 1 + draw_int(m, p->n_body - 1);
        if (s->a == s->b) s->a = 0;
        s->pa = draw_vec(m, 0.15);
        s->pb = draw_vec(m, 0.15);
        s->stiffness = draw_between(m, 10.0, 100.0);
        s->damping = draw_between(m, 0.0, 2.0);
        s->length = draw_between(m, 0.05, 0.5);
    }
}

/// Drives on some of the joints that turn or slide, or on all of them.
static inline void make_drives(maker* m, plain* p)
{
    const double share = draw(m) < 0.5 ? 1.0 : 0.4;
    for (int j = 0; j < p->n_joint; ++j) {
        plain_joint* joint = &p->joint[j];
        const bool can = joint->type == PLAIN_REVOLUTE || joint->type == PLAIN_PRISMATIC;
        joint->driven = can && draw(m) < share;
    }
}

static inline void make_mechanism(maker* m, plain* p)
{
    memset(p, 0, sizeof *p);
    p->n_body = 1;
    p->body[0].mass = 1.0;
    for (int i = 0; i < 3; ++i)
        p->body[0].inertia[i] = 1.0;
    p->duration = 0.12;
    m->geometry = draw_int(m, 4);
    m->normal = draw_direction(m);
    p->gravity = draw(m) < 0.3 ? (vec){0.0, 0.0, 0.0} : scale(9.81, draw_direction(m));
    const double kind = draw(m);
    if (kind < 0.3)
        make_tree(m, p);
    else if (kind < 0.8)
        make_limbs(m, p);
    else
        make_delta(m, p);
    if (draw(m) < 0.3) make_pendulum(m, p);
    if (draw(m) < 0.25) make_springs(m, p);
    make_drives(m, p);
}

// ---- model files ------------------------------------------------------------------------------

/// A text that grows.
typedef struct writer {
    char* at;
    size_t n, size;
} writer;

static inline void write_text(writer* t, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

#include <stdarg.h>

static inline void write_text(writer* t, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    t->n += (size_t)vsnprintf(t->at + t->n, t->size - t->n, format, list);
    va_end(list);
}

static inline void write_vec(writer* t, vec a)
{
    write_text(t, "[%.17g, %.17g, %.17g]", a.x, a.y, a.z);
}

/// The points of body i: one per side of a joint or spring, and the watched one.
static inline void write_points(writer* t, const plain* p, int i)
{
    write_text(t, "points: {O: [0, 0, 0]");
    if (i > 0) {
        write_text(t, ", K%d: ", i);
        write_vec(t, p->body[i].point);
    }
    for (int j = 0; j < p->n_joint; ++j)
        for (int side = 0; side < 2; ++side) {
            const plain_joint* joint = &p->joint[j];
            if ((side == 0 ? joint->a : joint->b) != i) continue;
            write_text(t, ", %s%d: ", side == 0 ? "A" : "B", j);
            write_vec(t, side == 0 ? joint->pa : joint->pb);
        }
    for (int k = 0; k < p->n_spring; ++k)
        for (int side = 0; side < 2; ++side) {
            const plain_spring* s = &p->spring[k];
            if ((side == 0 ? s->a : s->b) != i) continue;
            write_text(t, ", %s%d: ", side == 0 ? "S" : "T", k);
            write_vec(t, side == 0 ? s->pa : s->pb);
        }
    write_text(t, "}");
}

static inline void write_name(writer* t, int body)
{
    if (body == 0)
        write_text(t, "ground");
    else
        write_text(t, "b%d", body);
}

static inline void write_joint(writer* t, const plain_joint* j, int k)
{
    static const char* const name[] = {"fixed",     "revolute",  "prismatic", "cylindrical",
                                       "universal", "spherical", "planar",    "distance"};
    write_text(t, "  j%d: {type: %s, between: [", k, name[j->type]);
    write_name(t, j->a);
    write_text(t, ".A%d, ", k);
    write_name(t, j->b);
    write_text(t, ".B%d]", k);
    if (j->type == PLAIN_UNIVERSAL) {
        write_text(t, ", axis: [");
        write_vec(t, j->za);
        write_text(t, ", ");
        write_vec(t, j->zb);
        write_text(t, "]");
    } else if (j->type != PLAIN_SPHERICAL && j->type != PLAIN_DISTANCE && j->type != PLAIN_FIXED) {
        write_text(t, ", axis: ");
        write_vec(t, j->za);
    }
    write_text(t, "}\n");
}

static inline int n_driven(const plain* p)
{
    int n = 0;
    for (int j = 0; j < p->n_joint; ++j)
        n += p->joint[j].driven;
    return n;
}

static inline void write_drives(writer* t, const plain* p)
{
    if (n_driven(p) == 0) return;
    write_text(t, "drives:\n");
    for (int j = 0; j < p->n_joint; ++j)
        if (p->joint[j].driven) write_text(t, "  q%d: {joint: j%d}\n", j, j);
    write_text(t, "motions:\n  go:\n    law: quintic\n    duration: %.17g s\n    drives: {",
               p->duration);
    const char* comma = "";
    for (int j = 0; j < p->n_joint; ++j) {
        if (!p->joint[j].driven) continue;
        write_text(t, "%sq%d: [%.17g, %.17g]", comma, j, p->joint[j].from,
                   p->joint[j].from + p->joint[j].by);
        comma = ", ";
    }
    write_text(t, "}\n");
}

/// The model file; `tool` is the body that carries the tool, 0: none.
static inline void write_model(writer* t, const plain* p, int tool)
{
    t->n = 0;
    write_text(t, "pkm: 1\nname: random\ngravity: ");
    write_vec(t, p->gravity);
    write_text(t, "\nground: {");
    write_points(t, p, 0);
    write_text(t, "}\nbodies:\n");
    for (int i = 1; i < p->n_body; ++i) {
        const plain_body* b = &p->body[i];
        write_text(t, "  b%d: {mass: %.17g, com: ", i, b->mass);
        write_vec(t, b->com);
        write_text(t, ", inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], ", b->inertia[0],
                   b->inertia[1], b->inertia[2], b->inertia[3], b->inertia[4], b->inertia[5]);
        write_points(t, p, i);
        write_text(t, ", pose: {at: ");
        write_vec(t, b->origin);
        write_text(t, "}}\n");
    }
    write_text(t, "joints:\n");
    for (int j = 0; j < p->n_joint; ++j)
        write_joint(t, &p->joint[j], j);
    write_drives(t, p);
    if (tool > 0) write_text(t, "tool: b%d.K%d\n", tool, tool);
    write_text(t, "outputs: [");
    for (int i = 1; i < p->n_body; ++i)
        write_text(t, "%sb%d.K%d", i > 1 ? ", " : "", i, i);
    write_text(t, "]\n");
}

/// The run file of a simulation.
static inline void write_run(writer* t, const plain* p)
{
    t->n = 0;
    write_text(t, "motion: %s\nfor: %.17g s\ninstants: 3\n", n_driven(p) > 0 ? "go" : "none",
               p->duration);
    if (p->n_spring > 0) write_text(t, "loads:\n");
    for (int k = 0; k < p->n_spring; ++k) {
        const plain_spring* s = &p->spring[k];
        write_text(t,
                   "  s%d: {spring: {stiffness: %.17g, damping: %.17g, length: %.17g}, between: [",
                   k, s->stiffness, s->damping, s->length);
        write_name(t, s->a);
        write_text(t, ".S%d, ", k);
        write_name(t, s->b);
        write_text(t, ".T%d]}\n", k);
    }
}

#endif
