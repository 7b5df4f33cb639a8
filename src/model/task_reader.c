// What the robot is for: its tool and the motions that count, home, payloads.
#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>
#include <string.h>

// ---- tool -------------------------------------------------------------------------------------

static const char* const move_words[] = {"x", "y", "z", "rx", "ry", "rz", NULL};

/// Bits 0 to 5 are x y z rx ry rz.
static pkm_status read_moves(pkm_reader* r, const pkm_yaml* node, void* to)
{
    unsigned* moves = to;
    PKM_TRY(pkm_reader_list(r, node, 1, 6));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        int bit = 0;
        PKM_TRY(pkm_reader_word(r, item, move_words, &bit));
        if (*moves & 1U << bit) return pkm_reader_fail(r, item, "'%s' is given twice", item->text);
        *moves |= 1U << bit;
    }
    return PKM_OK;
}

#define AT(member) offsetof(pkm_description, member)
static const pkm_key moves[] = {{.kind = PKM_KEY_WORD, .words = move_words}, {.kind = PKM_KEY_OWN}};
static const pkm_key tool_keys[] = {
    {"point", "whose motion is the robot's purpose", PKM_KEY_MARKER, AT(tool_marker), .must = true},
    {"moves", "the motions that count; default: those that are found", PKM_KEY_LIST, AT(tool_moves),
     .n_least = 1, .n_most = 6, .is_unique = true, .read = read_moves, .either = moves},
    {"length", "lets turns and shifts be compared in one condition number", PKM_KEY_NUMBER,
     AT(length_scale), &pkm_dim_length, .range = PKM_RANGE_POSITIVE},
    {.name = NULL}};
const pkm_section pkm_model_tool = {"tool", NULL, .key = tool_keys};

pkm_status pkm_tool_read(pkm_reader* r)
{
    const pkm_yaml* node = pkm_yaml_get(r->root, "tool");
    if (!node) return PKM_OK;
    if (node->kind == PKM_YAML_MAP) return pkm_keys_read(r, node, &pkm_model_tool, r->desc);
    return pkm_reader_find_marker(r, node, &r->desc->tool_marker);
}

pkm_status pkm_outputs_read(pkm_reader* r)
{
    const pkm_yaml* node = pkm_yaml_get(r->root, "outputs");
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_list(r, node, 0, 1000));
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, node->n_child, sizeof(int), &room));
    int* output = room;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        const int n = r->desc->n_output;
        PKM_TRY(pkm_reader_find_marker(r, item, &output[n]));
        for (int i = 0; i < n; ++i)
            if (output[i] == output[n])
                return pkm_reader_fail(r, item, "'%.60s' is given twice", item->text);
        ++r->desc->n_output;
    }
    r->desc->output = output;
    return PKM_OK;
}

// ---- home -------------------------------------------------------------------------------------

/// A home under `home` or at the drive itself, not both.
static pkm_status read_home_drives(pkm_reader* r, const pkm_yaml* node, void* to)
{
    (void)to; // the drives have it
    PKM_TRY(pkm_reader_keys_any(r, node));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        int i = 0;
        PKM_TRY(pkm_reader_find_drive(r, item, item->key, &i));
        pkm_desc_drive* drive = &r->desc->drive[i];
        if (!isnan(drive->home))
            return pkm_reader_fail_key(r, item, "the drive has a home of its own already");
        PKM_TRY(pkm_reader_number(r, item, drive->is_rotary ? pkm_dim_angle : pkm_dim_length,
                                  PKM_RANGE_ANY, &drive->home));
    }
    return PKM_OK;
}

static pkm_status read_home_tool(pkm_reader* r, const pkm_yaml* node, void* to)
{
    if (r->desc->tool_marker == PKM_NONE)
        return pkm_reader_fail_key(r, node, "the model names no tool");
    return pkm_reader_vector(r, node, pkm_dim_length, to);
}

static pkm_status read_home_rpy(pkm_reader* r, const pkm_yaml* node, void* to)
{
    pkm_vec3 angles;
    PKM_TRY(pkm_reader_vector(r, node, pkm_dim_angle, &angles));
    *(pkm_quat*)to = pkm_quat_from_rpy(angles);
    return PKM_OK;
}

static const pkm_key number[] = {{.kind = PKM_KEY_NUMBER}, {.kind = PKM_KEY_OWN}};
static const pkm_key home_keys[] = {
    {"drives", "name -> position", PKM_KEY_EACH, 0, .read = read_home_drives, .either = number},
    {"tool", "position of the tool", PKM_KEY_VECTOR, AT(home_tool.p), &pkm_dim_length,
     .given = AT(has_home_tool), .read = read_home_tool},
    {"rpy", "its orientation: roll, pitch, yaw", PKM_KEY_VECTOR, AT(home_tool.q), &pkm_dim_angle,
     .given = AT(has_home_rpy), .read = read_home_rpy},
    {.name = NULL}};
static const pkm_key_rule home_rules[] = {
    {PKM_RULE_ONE, "drives tool", NULL}, {PKM_RULE_NEEDS, "rpy tool", NULL}, {0}};
const pkm_section pkm_model_home = {"home", NULL, home_keys, .rule = home_rules};

pkm_status pkm_home_read(pkm_reader* r)
{
    const pkm_yaml* node = pkm_yaml_get(r->root, "home");
    if (!node) return PKM_OK;
    r->desc->home_place = node->key_place;
    return pkm_keys_read(r, node, &pkm_model_home, r->desc);
}

// ---- closed form ------------------------------------------------------------------------------

static const pkm_key closed_keys[] = {{"family", "of robots: the file of its equations",
                                       PKM_KEY_TEXT, AT(closed_family), .must = true},
                                      {.name = NULL}};
const pkm_section pkm_model_closed_form = {"closedForm", NULL, closed_keys, .other = number};

pkm_status pkm_closed_form_read(pkm_reader* r)
{
    pkm_description* desc = r->desc;
    const pkm_yaml* node = pkm_yaml_get(r->root, "closed_form");
    if (!node) return PKM_OK;
    PKM_TRY(pkm_keys_read(r, node, &pkm_model_closed_form, desc));
    desc->closed_form_place = node->key_place;
    void *names = NULL, *values = NULL, *places = NULL;
    PKM_TRY(pkm_reader_alloc(r, node->n_child, sizeof(char*), &names));
    PKM_TRY(pkm_reader_alloc(r, node->n_child, sizeof(double), &values));
    PKM_TRY(pkm_reader_alloc(r, node->n_child, sizeof(pkm_place), &places));
    desc->closed_name = names;
    desc->closed_value = values;
    desc->closed_place = places;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        // the family; all other keys are its parameters, which the family checks
        if (pkm_section_find(&pkm_model_closed_form, item->key, NULL)) continue;
        pkm_quantity value;
        PKM_TRY(pkm_reader_quantity(r, item, NULL, PKM_RANGE_ANY, &value));
        PKM_TRY(pkm_reader_keep(r, item->key, &desc->closed_name[desc->n_closed]));
        desc->closed_value[desc->n_closed] = value.value;
        desc->closed_place[desc->n_closed] = item->key_place;
        ++desc->n_closed;
    }
    return PKM_OK;
}

// ---- payloads ---------------------------------------------------------------------------------

/// A payload being read: its centre is the point that carries it; the inertia about it, in the axes
/// of the body, is given or that of the shape about its own centre.
typedef struct payload {
    pkm_mass_draft mass;
    int marker;
} payload;

/// The carrier owns the points of its shape, so that it is read before.
static pkm_status read_carrier(pkm_reader* r, const pkm_yaml* node, void* to)
{
    int* marker = to;
    PKM_TRY(pkm_reader_find_marker(r, node, marker));
    r->body = r->desc->marker[*marker].body;
    if (r->body != 0) return PKM_OK;
    return pkm_reader_fail(r, node, "'%.60s' is on the ground, expected a body", node->text);
}

#undef AT
#define AT(member) offsetof(payload, member)
static const pkm_key payload_keys[] = {
    {"at", "point of the body that carries it: the centre of the payload", PKM_KEY_MARKER,
     AT(marker), .must = true, .read = read_carrier},
    {"mass", "joins that of the body", PKM_KEY_NUMBER, AT(mass.mass), &pkm_dim_mass,
     PKM_RANGE_NOT_NEGATIVE, .given = AT(mass.has_mass)},
    {"inertia", "about that point in the axes of the body", PKM_KEY_OWN, AT(mass.inertia),
     .given = AT(mass.has_inertia), .read = pkm_key_read_inertia, .either = pkm_key_inertia},
    {"shape", "in body axes, with `mass` or a density", PKM_KEY_OWN, AT(mass.shapes),
     .read = pkm_key_read_shapes, .either = pkm_key_shapes},
    {.name = NULL}};
static const pkm_key_rule payload_rules[] = {{PKM_RULE_SOME, "mass shape", PKM_MASS_RULE}, {0}};
const pkm_section pkm_model_payload = {"payload", NULL, payload_keys, .rule = payload_rules};

static pkm_status add_shapes(const pkm_reader* r, pkm_desc_body* body, const pkm_shapes* more)
{
    if (more->n_shape == 0) return PKM_OK;
    void* room = NULL;
    PKM_TRY(pkm_reader_alloc(r, body->n_shape + more->n_shape, sizeof *more->shape, &room));
    pkm_desc_shape* all = room;
    for (int i = 0; i < body->n_shape; ++i)
        all[i] = body->shape[i];
    for (int i = 0; i < more->n_shape; ++i)
        all[body->n_shape + i] = more->shape[i];
    body->shape = all;
    body->n_shape += more->n_shape;
    return PKM_OK;
}

static pkm_status read_payload(pkm_reader* r, const pkm_yaml* node)
{
    payload p = {.marker = 0};
    pkm_mass load;
    PKM_TRY(pkm_keys_read(r, node, &pkm_model_payload, &p));
    p.mass.has_com = true;
    p.mass.com = r->desc->marker[p.marker].pose.p;
    PKM_TRY(pkm_mass_take(r, node, &p.mass, &load));

    pkm_desc_body* body = &r->desc->body[r->body];
    pkm_mass own = {.mass = body->mass, .com = body->com};
    memcpy(own.inertia, body->inertia, sizeof own.inertia);
    const pkm_mass sum = pkm_mass_add(own, load);
    body->mass = sum.mass;
    body->com = sum.com;
    memcpy(body->inertia, sum.inertia, sizeof body->inertia);
    pkm_mass loads = {.mass = body->load_mass, .com = body->load_com};
    memcpy(loads.inertia, body->load_inertia, sizeof loads.inertia);
    loads = loads.mass > 0.0 ? pkm_mass_add(loads, load) : load;
    body->load_mass = loads.mass;
    body->load_com = loads.com;
    memcpy(body->load_inertia, loads.inertia, sizeof body->load_inertia);
    return add_shapes(r, body, &p.mass.shapes);
}

pkm_status pkm_payload_read(pkm_reader* r)
{
    const pkm_yaml* node = pkm_yaml_get(r->root, "payload");
    if (!node) return PKM_OK;
    if (node->kind != PKM_YAML_LIST) return read_payload(r, node);
    for (const pkm_yaml* item = node->first; item; item = item->next)
        PKM_TRY(read_payload(r, item));
    return PKM_OK;
}
