/// What a file may say, printed from the tables of its keys (model/key.h): as JSON Schema for
/// editors, and as tables for the reference pages.
#ifndef PKM_WRITE_SCHEMA_H
#define PKM_WRITE_SCHEMA_H

#include "model/key.h"
#include "write/stream.h"

typedef struct pkm_schema {
    const char* title;
    const pkm_section* file;      ///< its keys
    const pkm_section* elsewhere; ///< whose keys another schema describes; NULL: none
    const char* address;          ///< of their properties in it
} pkm_schema;

/// The JSON Schema (2020-12) of a kind of file.
void pkm_schema_write(pkm_stream* out, const pkm_schema* schema);

/// The table of the keys of `section` in Markdown.
void pkm_schema_write_table(pkm_stream* out, const pkm_section* section);

/// The section called `name` among those that `file` leads to; NULL: there is none.
const pkm_section* pkm_schema_find(const pkm_section* file, const char* name);

#endif
