// Items are length and bytes, one after the other, in the order in which the library takes them.
#include "export/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t pkm_seed_item_size(const pkm_seed_item* item)
{
    return PKM_SEED_ITEM + strlen(item->name) + 1 + item->size + 1;
}

char* pkm_seed_put(char* out, const pkm_seed_item* item)
{
    const size_t name = strlen(item->name) + 1;
    out += snprintf(out, PKM_SEED_ITEM + 1, "%c%08zx%08zx", (char)item->tag, name, item->size);
    memcpy(out, item->name, name);
    out += name;
    if (item->size > 0) memcpy(out, item->bytes, item->size);
    out[item->size] = '\0';
    return out + item->size + 1;
}

/// A number of eight hexadecimal digits.
static size_t number_at(const char* text)
{
    char digits[9] = "";
    memcpy(digits, text, 8);
    return (size_t)strtoul(digits, NULL, 16);
}

bool pkm_seed_next(const char* place, size_t* at, pkm_seed_item* out)
{
    const size_t used = number_at(place + PKM_SEED_MAGIC + 8);
    if (*at == 0) *at = PKM_SEED_HEAD;
    if (used > PKM_SEED_ROOM || *at + PKM_SEED_ITEM + 2 > used) return false;
    const char* item = place + *at;
    const size_t name = number_at(item + 1), size = number_at(item + 9);
    if (name == 0 || name > used || size > used || *at + PKM_SEED_ITEM + name + size + 1 > used)
        return false;
    *out = (pkm_seed_item){.tag = (pkm_seed_tag)item[0],
                           .name = item + PKM_SEED_ITEM,
                           .bytes = item + PKM_SEED_ITEM + name,
                           .size = size};
    *at += PKM_SEED_ITEM + name + size + 1;
    return true;
}

const char* pkm_seed_property(const char* place, const char* name)
{
    pkm_seed_item item;
    size_t at = 0;
    while (pkm_seed_next(place, &at, &item))
        if (item.tag == PKM_SEED_PROPERTY && strcmp(item.name, name) == 0) return item.bytes;
    return NULL;
}
