#include "base/error.h"
#include "model/reader_impl.h"

#include <math.h>
#include <string.h>

static const char* const move_words[] = {"x", "y", "z", "rx", "ry", "rz", NULL};

static pkm_status read_moves(const pkm_reader* r, const pkm_yaml* node)
{
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_list(r, node, 1, 6));
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        int bit = 0;
        PKM_TRY(pkm_reader_word(r, item, move_words, &bit));
        if (r->desc->tool_moves & 1U << bit)
            return pkm_reader_fail(r, item, "'%s' is given twice", item->text);
        r->desc->tool_moves |= 1U << bit;
    }
    return PKM_OK;
}

pkm_status pkm_tool_read(pkm_reader* r)
{
    static const char* const keys[] = {"!point", "moves", "length", NULL};
    pkm_description* desc = r->desc;
    const pkm_yaml* node = pkm_yaml_get(r->root, "tool");
    if (!node) return PKM_OK;
    desc->tool_place = node->key_place;
    const pkm_yaml* point = node;
    if (node->kind == PKM_YAML_MAP) {
        PKM_TRY(pkm_reader_keys(r, node, keys));
        point = pkm_yaml_get(node, "point");
        PKM_TRY(read_moves(r, pkm_yaml_get(node, "moves")));
        PKM_TRY(pkm_reader_optional(r, pkm_yaml_get(node, "length"), pkm_dim_length,
                                    PKM_RANGE_POSITIVE, &desc->length_scale));
    }
    return pkm_reader_find_marker(r, point, &desc->tool_marker);
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

static pkm_status read_home_drives(pkm_reader* r, const pkm_yaml* node)
{
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

pkm_status pkm_home_read(pkm_reader* r)
{
    static const char* const keys[] = {"drives", "tool", "rpy", NULL};
    const pkm_yaml* node = pkm_yaml_get(r->root, "home");
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys(r, node, keys));
    r->desc->home_place = node->key_place;
    const pkm_yaml *drives = pkm_yaml_get(node, "drives"), *tool = pkm_yaml_get(node, "tool");
    const pkm_yaml* rpy = pkm_yaml_get(node, "rpy");
    if (!drives == !tool)
        return pkm_reader_fail_key(r, node, "expected one of the keys 'drives' and 'tool'");
    if (rpy && !tool) return pkm_reader_fail_key(r, rpy, "'rpy' needs the key 'tool' beside it");
    if (drives) return read_home_drives(r, drives);

    if (r->desc->tool_marker == PKM_NONE)
        return pkm_reader_fail_key(r, tool, "the model names no tool");
    pkm_vec3 angles = {0.0, 0.0, 0.0};
    PKM_TRY(pkm_reader_vector(r, tool, pkm_dim_length, &r->desc->home_tool.p));
    if (rpy) PKM_TRY(pkm_reader_vector(r, rpy, pkm_dim_angle, &angles));
    r->desc->home_tool.q = pkm_quat_from_rpy(angles);
    r->desc->has_home_tool = true;
    r->desc->has_home_rpy = rpy != NULL;
    return PKM_OK;
}

pkm_status pkm_closed_form_read(pkm_reader* r)
{
    pkm_description* desc = r->desc;
    const pkm_yaml* node = pkm_yaml_get(r->root, "closed_form");
    if (!node) return PKM_OK;
    PKM_TRY(pkm_reader_keys_any(r, node));
    const pkm_yaml* family = pkm_yaml_get(node, "family");
    if (!family) return pkm_reader_fail_key(r, node, "the key 'family' is missing");
    PKM_TRY(pkm_reader_text(r, family, &desc->closed_family));
    desc->closed_form_place = node->key_place;
    void *names = NULL, *values = NULL, *places = NULL;
    PKM_TRY(pkm_reader_alloc(r, node->n_child, sizeof(char*), &names));
    PKM_TRY(pkm_reader_alloc(r, node->n_child, sizeof(double), &values));
    PKM_TRY(pkm_reader_alloc(r, node->n_child, sizeof(pkm_place), &places));
    desc->closed_name = names;
    desc->closed_value = values;
    desc->closed_place = places;
    for (const pkm_yaml* item = node->first; item; item = item->next) {
        if (item == family) continue;
        pkm_quantity value;
        PKM_TRY(pkm_reader_quantity(r, item, NULL, PKM_RANGE_ANY, &value));
        PKM_TRY(pkm_reader_keep(r, item->key, &desc->closed_name[desc->n_closed]));
        desc->closed_value[desc->n_closed] = value.value;
        desc->closed_place[desc->n_closed] = item->key_place;
        ++desc->n_closed;
    }
    return PKM_OK;
}

/// The mass of one payload: its centre is the point that carries it; the inertia about it, in the
/// axes of the body, is given or that of the shape about its own centre.
static pkm_status read_payload_mass(const pkm_reader* r, const pkm_yaml* node, pkm_vec3 at,
                                    const pkm_shapes* shapes, pkm_mass* out)
{
    const pkm_yaml *mass = pkm_yaml_get(node, "mass"), *inertia = pkm_yaml_get(node, "inertia");
    if (!mass && !shapes->has_density)
        return pkm_reader_fail_key(r, node,
                                   "the key 'mass' is missing, and no shape has a density");
    *out = shapes->mass;
    if (mass) {
        double value = 0.0;
        PKM_TRY(pkm_reader_number(r, mass, pkm_dim_mass, PKM_RANGE_NOT_NEGATIVE, &value));
        *out = pkm_mass_scale(shapes->mass, value);
    }
    out->com = at;
    return inertia ? pkm_inertia_read(r, inertia, out->inertia) : PKM_OK;
}

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
    static const char* const keys[] = {"mass", "!at", "inertia", "shape", NULL};
    PKM_TRY(pkm_reader_keys(r, node, keys));
    const pkm_yaml* at = pkm_yaml_get(node, "at");
    int marker = 0;
    PKM_TRY(pkm_reader_find_marker(r, at, &marker));
    const int carrier = r->desc->marker[marker].body;
    if (carrier == 0)
        return pkm_reader_fail(r, at, "'%.60s' is on the ground, expected a body", at->text);
    pkm_shapes shapes;
    pkm_mass load;
    PKM_TRY(pkm_shapes_read(r, pkm_yaml_get(node, "shape"), carrier, &shapes));
    PKM_TRY(read_payload_mass(r, node, r->desc->marker[marker].pose.p, &shapes, &load));

    pkm_desc_body* body = &r->desc->body[carrier];
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
    return add_shapes(r, body, &shapes);
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
