// An FMU as source: configuration, seed as an array of bytes, and the engine's files.
#include "export/fmu_sources.h"

#include "base/error.h"
#include "write/stream.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/// A function of the interface that begins at `at`: its length; 0: there is none.
static size_t function_at(const char* begin, const char* at, const char* end, int version)
{
    size_t n = 0;
    if (at + 5 >= end || strncmp(at, version == 2 ? "fmi2" : "fmi3", 4) != 0) return 0;
    if (at > begin && is_of_name(at[-1])) return 0;
    while (at + n < end && is_of_name(at[n]))
        ++n;
    return at + n < end && at[n] == '(' ? n : 0;
}

/// Programs that link FMUs statically tell them apart by the model's name before every function
/// (FMI 2.0.4, 2.1.1; 3.0, 2.6.1); who builds a shared library switches that off.
static void put_names(const pkm_bundle* bundle, int version, const char* model, pkm_stream* to)
{
    const pkm_bundle_file* header =
        pkm_bundle_find(bundle, version == 2 ? "fmu/fmi2.h" : "fmu/fmi3.h");
    if (!header) return;
    pkm_stream_format(to, "#ifndef FMI%d_OVERRIDE_FUNCTION_PREFIX\n", version);
    const char *begin = header->bytes, *end = begin + header->size;
    for (const char* at = begin; at < end; ++at) {
        const int n = (int)function_at(begin, at, end, version);
        if (n > 0) pkm_stream_format(to, "#define %.*s %s_%.*s\n", n, at, model, n, at);
    }
    pkm_stream_text(to, "#endif\n");
}

/// Macros that builds of pkm give to the compiler.
static const char MACROS[] =
    "#ifndef PKM_FMU_CONFIG_H\n#define PKM_FMU_CONFIG_H\n\n"
    "#define PKM_VERSION \"" PKM_VERSION "\"\n#define PKM_BUILD_ID \"sources\"\n\n"
    "#ifdef _WIN32\n"
    "#define _USE_MATH_DEFINES\n#define __USE_MINGW_ANSI_STDIO 1\n"
    "#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))\n"
    "#elif !defined _GNU_SOURCE\n"
    "#define _GNU_SOURCE\n#endif\n\n"
    "/* with a decimal point, whatever the locale: c_locale.c */\n"
    "#define strtod pkm_fmu_strtod\n\n";

static void put_config(const pkm_bundle* bundle, int version, const char* model, pkm_stream* to)
{
    pkm_stream_text(to, "/* Stands before every file of the engine. */\n");
    pkm_stream_text(to, MACROS);
    put_names(bundle, version, model, to);
    pkm_stream_text(to, "\n#endif\n");
}

static void put_seed(const char* seed, size_t used, pkm_stream* to)
{
    pkm_stream_text(to, "/* The robot and its run, see ../export/seed.h. */\n"
                        "#include \"seed_data.h\"\n\n"
                        "const char pkm_fmu_seed[PKM_SEED_ROOM] = {");
    for (size_t k = 0; k < used; ++k)
        pkm_stream_format(to, "%s%d,", k % 24 == 0 ? "\n    " : "", (signed char)seed[k]);
    pkm_stream_text(to, "\n};\n");
}

static void put_build(const pkm_bundle* bundle, const char* model, pkm_stream* to)
{
    pkm_stream_format(to,
                      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                      "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                      "    <SourceFileSet language=\"C11\">\n"
                      "      <SourceFile name=\"" PKM_FMU_SEED "\"/>\n",
                      model);
    for (int i = 0; i < bundle->n; ++i)
        if (pkm_bundle_is_compiled(&bundle->file[i]))
            pkm_stream_format(to, "      <SourceFile name=\"%s\"/>\n", bundle->file[i].name);
    pkm_stream_text(to, "    </SourceFileSet>\n    <Library name=\"m\"/>\n"
                        "  </BuildConfiguration>\n</fmiBuildDescription>\n");
}

/// Add what `to` holds, and free it.
static pkm_status add_text(pkm_zip* zip, const char* name, pkm_stream* to, pkm_error* err)
{
    char path[64];
    const char* text = to ? pkm_stream_get(to) : NULL;
    snprintf(path, sizeof path, "sources/%s", name);
    const pkm_status status =
        text ? pkm_zip_add(zip, path, text, strlen(text), err) : pkm_out_of_memory(err);
    if (to) pkm_stream_discard(to);
    return status;
}

pkm_status pkm_fmu_add_sources(const pkm_bundle* bundle, int version, const char* model,
                               const char* seed, size_t used, pkm_zip* zip, pkm_error* err)
{
    PKM_TRY(pkm_bundle_add(bundle, zip, PKM_FMU_CONFIG, err));
    pkm_stream* to = pkm_stream_to_memory();
    if (to) put_config(bundle, version, model, to);
    PKM_TRY(add_text(zip, PKM_FMU_CONFIG, to, err));
    to = pkm_stream_to_memory();
    if (to) put_seed(seed, used, to);
    PKM_TRY(add_text(zip, PKM_FMU_SEED, to, err));
    if (version == 2) return PKM_OK;
    to = pkm_stream_to_memory();
    if (to) put_build(bundle, model, to);
    return add_text(zip, "buildDescription.xml", to, err);
}
