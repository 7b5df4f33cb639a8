// What a quantity is in words, for titles of axes and reports: from the last part of a column's
// name and its unit, for tables whose columns say no more.
#include "table/column.h"

#include <stdio.h>
#include <string.h>

/// What tables of others may call a column, with the unit that makes it so: tables of pkm's own
/// analyses say what their columns are.
static const struct {
    const char *suffix, *unit, *words;
} quantities[] = {
    {"q", "m", "position"},
    {"q", "rad", "angle"},
    {"v", "m/s", "velocity"},
    {"v", "rad/s", "angular velocity"},
    {"a", "m/s2", "acceleration"},
    {"a", "rad/s2", "angular acceleration"},
    {"j", "m/s3", "jerk"},
    {"force", "N", "force"},
    {"force", "N m", "torque"},
    {"torque", "N m", "torque"},
    {"power", "W", "power"},
    {"work", "J", "work"},
    {"x y z", "m", "position of *"},
    {"roll pitch yaw", "rad", "orientation of *"},
    {"vx vy vz speed", "m/s", "velocity of *"},
    {"wx wy wz", "rad/s", "angular velocity of *"},
    {"ax ay az acc", "m/s2", "acceleration of *"},
};

/// Is `word` one of those in `list`?
static bool is_among(const char* word, const char* list)
{
    const size_t length = strlen(word);
    for (const char* at = list; (at = strstr(at, word)) != NULL; at += length)
        // a whole word: "q" is not in "sequence"
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' ')) return true;
    return false;
}

static const char* words_for(const char* suffix, const char* unit)
{
    for (size_t k = 0; *suffix && k < sizeof quantities / sizeof quantities[0]; ++k)
        if (is_among(suffix, quantities[k].suffix) && strcmp(unit, quantities[k].unit) == 0)
            return quantities[k].words;
    return "*";
}

pkm_column_words pkm_table_words(const pkm_table* table, int column)
{
    pkm_column_words out = {"", ""};
    const char *name = pkm_table_name(table, column), *unit = pkm_table_unit(table, column);
    const char *title = pkm_table_title(table, column), *dot = strrchr(name, '.');
    const int before = dot ? (int)(dot - name) : 0;
    // titles of pkm's own columns come with the table; a CSV of somebody else has names and units
    // only
    if (!*title && dot) title = words_for(dot + 1, unit);
    const char* star = strchr(title, '*');
    if (!dot)
        snprintf(out.item, sizeof out.item, "%s", *title && !star ? title : name);
    else if (!star)
        snprintf(out.item, sizeof out.item, "%.*s", before, name);
    else
        snprintf(out.item, sizeof out.item, "%s", dot + 1);
    if (dot && star)
        snprintf(out.quantity, sizeof out.quantity, "%.*s%.*s", (int)(star - title), title, before,
                 name);
    else if (dot || star)
        snprintf(out.quantity, sizeof out.quantity, "%.*s",
                 star ? (int)(star - title) : (int)strlen(title), title);
    return out;
}
