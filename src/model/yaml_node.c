#include "model/yaml.h"

#include <stdio.h>
#include <string.h>

const pkm_yaml* pkm_yaml_get(const pkm_yaml* node, const char* key)
{
    if (!node || node->kind != PKM_YAML_MAP) return NULL;
    for (const pkm_yaml* child = node->first; child; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

pkm_place pkm_yaml_text_place(const pkm_yaml* node, int at)
{
    if (node->text_column == 0) return node->place;
    pkm_place place = {node->place.line, node->text_column};
    for (int i = 0; i < at && node->text[i]; ++i)
        if (((unsigned char)node->text[i] & 0xc0) != 0x80) ++place.column; // characters, not bytes
    return place;
}

pkm_yaml_shown pkm_yaml_show(const pkm_yaml* node)
{
    pkm_yaml_shown shown = {""};
    if (node->kind != PKM_YAML_TEXT) {
        snprintf(shown.text, sizeof shown.text, node->kind == PKM_YAML_MAP ? "a map" : "a list");
    } else if (node->text[0] == '\0') {
        snprintf(shown.text, sizeof shown.text, "nothing");
    } else {
        snprintf(shown.text, sizeof shown.text, "'%.60s'", node->text);
    }
    return shown;
}
