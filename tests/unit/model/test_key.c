#include "check.h"
#include "model/key.h"

// A small section with everything that the walk does: units, bounds, words, rules, an included
// part.
typedef struct inner {
    double mass;
} inner;
typedef struct thing {
    double length, ratio, stiffness, pair[2];
    int count, kind;
    bool is_off, has_kind;
    inner in;
} thing;

static const char* const kinds[] = {"round", "square", NULL};
static const pkm_key inner_keys[] = {
    {"mass", "of it", PKM_KEY_NUMBER, offsetof(inner, mass), &pkm_dim_mass, .must = true},
    {.name = NULL}};
static const pkm_section inner_section = {.key = inner_keys};

#define AT(member) offsetof(thing, member)
static const pkm_key keys[] = {
    {"length", "of it", PKM_KEY_NUMBER, AT(length), &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {"ratio", "of it", PKM_KEY_NUMBER, AT(ratio), NULL, PKM_RANGE_NOT_NEGATIVE, .most = 1.0},
    {"stiffness", "of it", PKM_KEY_NUMBER, AT(stiffness), &pkm_dim_stiffness, .turns = true},
    {"pair", "two", PKM_KEY_NUMBERS, AT(pair), &pkm_dim_length, .n_least = 2, .n_most = 2},
    {"count", "how many", PKM_KEY_COUNT, AT(count), .least = 2, .most = 9},
    {"kind", "which", PKM_KEY_WORD, AT(kind), .words = kinds, .given = AT(has_kind)},
    {"on", "is it", PKM_KEY_FLAG, AT(is_off), .is_not = true},
    {.kind = PKM_KEY_INCLUDE, .section = &inner_section, .at = AT(in)},
    {.name = NULL}};
#undef AT
static const pkm_key_rule rules[] = {{PKM_RULE_AT_MOST, "ratio count", NULL},
                                     {PKM_RULE_NEEDS, "pair length", NULL},
                                     {PKM_RULE_ALONE, "on kind", "it is on"},
                                     {0}};
static const pkm_section section = {"thing", "for this test", keys, .rule = rules};

static pkm_error err;

static pkm_status read_thing(const char* text, bool turns, thing* out)
{
    pkm_arena* arena = pkm_arena_create();
    pkm_description desc = {.file = "x.yaml", .arena = arena};
    pkm_scope scope = {.file = "x.yaml"};
    pkm_reader r = {.desc = &desc, .scratch = arena, .err = &err, .scope = &scope, .turns = turns};
    err = (pkm_error){0};
    *out = (thing){.is_off = true};
    pkm_status status = pkm_yaml_parse(text, strlen(text), "x.yaml", arena, &r.root, &err);
    if (status == PKM_OK) status = pkm_keys_read(&r, r.root, &section, out);
    pkm_arena_free(arena);
    return status;
}

static void values_go_where_the_table_says(void)
{
    thing t;
    CHECK(read_thing("{mass: 2 g, length: 3 mm, count: 4, kind: square, pair: [1, 2 m]}", false,
                     &t) == PKM_OK);
    CHECK_NEAR(t.in.mass, 0.002, 0.0);
    CHECK_NEAR(t.length, 0.003, 0.0);
    CHECK_NEAR(t.pair[1], 2.0, 0.0);
    CHECK(t.count == 4 && t.kind == 1 && t.has_kind && t.is_off);
    CHECK(read_thing("{mass: 1, on: true, ratio: 0.5}", false, &t) == PKM_OK);
    CHECK(!t.is_off && !t.has_kind);
}

static void refused(const char* text, const char* part)
{
    thing t;
    CHECK(read_thing(text, false, &t) == PKM_ERR_MODEL);
    CHECK_CONTAINS(err.text, part);
}

static void what_does_not_fit_is_refused_with_its_place(void)
{
    refused("{length: 1}", "the key 'mass' is missing");
    refused("{mass: 1, lenght: 1}", "unknown key 'lenght', did you mean 'length'?");
    refused("{mass: 1, masss: 1}", "did you mean 'mass'?");
    refused("{mass: 1 m}", "mass: 1 m is a length [m], expected a mass [kg]");
    refused("{mass: 1, length: 0}", "length: 0, expected > 0");
    refused("{mass: 1, ratio: 2}", "ratio: 2, expected <= 1");
    refused("{mass: 1, count: 10}", "count: 10, expected a whole number from 2 to 9");
    refused("{mass: 1, kind: rond}", "did you mean 'round'?");
    refused("{mass: 1, ratio: 1, count: 2}", "expected one of the keys 'ratio' and 'count'");
    refused("{mass: 1, pair: [1, 2]}", "pair: it needs the key 'length'");
    refused("{mass: 1, on: true, kind: round}", "kind: it is on");
    refused("[1]", "expected a map");
    CHECK(err.line == 1);
}

/// Forces and ways become torques and angles: F/x is M/phi, kg kg m2.
static void units_turn_where_the_drive_turns(void)
{
    const pkm_dimension stiffness = {4, 2, -4, -2}; // N m/rad
    thing t;
    CHECK(pkm_dimension_equal(pkm_dimension_turned(pkm_dim_stiffness), stiffness));
    CHECK(pkm_dimension_equal(pkm_dimension_turned(pkm_dim_force), pkm_dim_torque));
    CHECK(pkm_dimension_equal(pkm_dimension_turned(pkm_dim_length), pkm_dim_angle));
    CHECK(pkm_dimension_equal(pkm_dimension_turned(pkm_dim_velocity), pkm_dim_angular_velocity));
    CHECK(pkm_dimension_equal(pkm_dimension_turned(pkm_dim_mass), pkm_dim_inertia));
    CHECK(pkm_dimension_equal(pkm_dimension_turned(pkm_dim_time), pkm_dim_time));
    CHECK(read_thing("{mass: 1, stiffness: 5 N m/rad}", true, &t) == PKM_OK);
    CHECK(read_thing("{mass: 1, stiffness: 5 N/m}", true, &t) == PKM_ERR_MODEL);
    CHECK(read_thing("{mass: 1, stiffness: 5 N/m}", false, &t) == PKM_OK);
}

int main(void)
{
    RUN(values_go_where_the_table_says);
    RUN(what_does_not_fit_is_refused_with_its_place);
    RUN(units_turn_where_the_drive_turns);
    return check_report();
}
