/// Links for tests: a description with one link of given shapes, and its mesh.
#ifndef PKM_TESTS_UNIT_FLEXIBLE_LINKS_H
#define PKM_TESTS_UNIT_FLEXIBLE_LINKS_H

#include "engine.h"
#include "flexible/body.h"

#define LINK_HEAD                                                                                  \
    "pkm: 1\nname: test\n"                                                                         \
    "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}, soft: {density: 1000}}\n"    \
    "ground: {points: {O: [0, 0, 0]}}\n"

/// A robot with the body `link` on a ball joint at its point A; `body` is what stands below it.
static inline pkm_description* link_description(const char* body)
{
    char text[4096];
    snprintf(text, sizeof text,
             LINK_HEAD "bodies:\n  link:\n%s"
                       "joints: {A: {type: spherical, between: [ground.O, link.A]}}\n",
             body);
    return engine_parse(text);
}

enum { LINK_BODY = 1 };

static inline pkm_flexible_link* link_mesh(const pkm_description* desc, int body,
                                           const pkm_flexible_spec* spec)
{
    pkm_flexible_link* link = NULL;
    pkm_error err = {0};
    if (pkm_flexible_link_mesh(desc, body, spec, &link, &err) != PKM_OK)
        printf("    %s\n", err.text);
    CHECK(link != NULL);
    return link;
}

static inline pkm_flexible_body* link_body(const pkm_description* desc, int body,
                                           const pkm_flexible_spec* spec)
{
    pkm_flexible_body* made = NULL;
    pkm_error err = {0};
    if (pkm_flexible_body_make(desc, body, spec, (pkm_flexible_made){0}, &made, &err) != PKM_OK)
        printf("    %s\n", err.text);
    CHECK(made != NULL);
    return made;
}

static inline int link_find(const pkm_description* desc, const char* name)
{
    for (int k = 0; k < desc->n_body; ++k)
        if (strcmp(desc->body[k].name, name) == 0) return k;
    CHECK(!"a body of that name");
    return 0;
}

#endif
