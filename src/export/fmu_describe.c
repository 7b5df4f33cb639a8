/// modelDescription.xml of FMI 2.0 and 3.0.
#include "export/fmu_sources.h"
#include "export/fmu_variables.h"
#include "model/units.h"
#include "write/stream.h"

#include <string.h>

typedef struct page {
    pkm_stream* out;
    const pkm_fmu_spec* spec;
    const pkm_fmu_variables* list;
    const pkm_bundle* sources;
    const char* name; ///< of the model
    const char* token;
} page;

/// Text with what XML keeps for itself written otherwise; line breaks become spaces.
static void put_text(pkm_stream* out, const char* text)
{
    for (; *text; ++text) {
        switch (*text) {
        case '&':
            pkm_stream_text(out, "&amp;");
            break;
        case '<':
            pkm_stream_text(out, "&lt;");
            break;
        case '>':
            pkm_stream_text(out, "&gt;");
            break;
        case '"':
            pkm_stream_text(out, "&quot;");
            break;
        case '\n':
        case '\t':
        case '\r':
            pkm_stream_text(out, " ");
            break;
        default:
            pkm_stream_write(out, text, 1);
        }
    }
}

static void put_attribute(pkm_stream* out, const char* name, const char* text)
{
    pkm_stream_format(out, " %s=\"", name);
    put_text(out, text);
    pkm_stream_text(out, "\"");
}

static void put_number(pkm_stream* out, const char* name, double value)
{
    pkm_stream_format(out, " %s=\"", name);
    pkm_stream_number(out, value);
    pkm_stream_text(out, "\"");
}

// ---- heading ----------------------------------------------------------------------------------

static void put_heading(const page* p)
{
    pkm_stream* out = p->out;
    const pkm_description* desc = p->spec->robot->desc;
    pkm_stream_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    put_attribute(out, "fmiVersion", p->spec->version == 2 ? "2.0" : "3.0");
    put_attribute(out, "modelName", desc->name);
    put_attribute(out, p->spec->version == 2 ? "guid" : "instantiationToken", p->token);
    if (desc->text[0]) put_attribute(out, "description", desc->text);
    // the model's own: two FMUs with one hash come from one file
    put_attribute(out, "version", desc->hash);
    put_attribute(out, "license", "see documentation/licenses");
    put_attribute(out, "generationTool", "pkm " PKM_VERSION);
    put_attribute(out, "variableNamingConvention", "flat");
    if (p->spec->version == 2)
        pkm_stream_format(out, " numberOfEventIndicators=\"%d\"", p->spec->exchange ? 1 : 0);
    pkm_stream_text(out, ">\n");
}

static void put_file(const page* p, const char* name)
{
    pkm_stream_format(p->out, "      <File name=\"%s\"/>\n", name);
}

static void put_kind(const page* p, const char* element, const char* more)
{
    const bool is_2 = p->spec->version == 2;
    pkm_stream_format(p->out, "  <%s", element);
    put_attribute(p->out, "modelIdentifier", p->name);
    put_attribute(p->out, is_2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", "true");
    put_attribute(p->out, is_2 ? "canSerializeFMUstate" : "canSerializeFMUState", "true");
    put_attribute(p->out, is_2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives",
                  "true");
    // memory is the engine's own, not that of the importer's functions
    if (is_2) put_attribute(p->out, "canNotUseMemoryManagementFunctions", "true");
    // FMI 3.0 lists sources in a file of their own (buildDescription.xml)
    if (!is_2 || p->sources->n == 0) {
        pkm_stream_format(p->out, "%s/>\n", more);
        return;
    }
    pkm_stream_format(p->out, "%s>\n    <SourceFiles>\n", more);
    put_file(p, PKM_FMU_SEED);
    for (int i = 0; i < p->sources->n; ++i)
        if (pkm_bundle_is_compiled(&p->sources->file[i])) put_file(p, p->sources->file[i].name);
    pkm_stream_format(p->out, "    </SourceFiles>\n  </%s>\n", element);
}

static void put_kinds(const page* p)
{
    const bool is_2 = p->spec->version == 2;
    if (p->spec->exchange)
        put_kind(p, "ModelExchange",
                 is_2 ? " completedIntegratorStepNotNeeded=\"false\""
                      : " needsCompletedIntegratorStep=\"true\"");
    if (p->spec->steps)
        put_kind(p, "CoSimulation", " canHandleVariableCommunicationStepSize=\"true\"");
}

// ---- units ------------------------------------------------------------------------------------

static bool is_first_with_unit(const pkm_fmu_variables* list, int i)
{
    for (int k = 0; k < i; ++k)
        if (strcmp(list->item[k].unit, list->item[i].unit) == 0) return false;
    return true;
}

/// Exponents are counted in halves; XML has whole ones.
static void put_exponent(pkm_stream* out, const char* name, int halves)
{
    if (halves != 0) pkm_stream_format(out, " %s=\"%d\"", name, halves / 2);
}

static void put_unit(pkm_stream* out, const char* text)
{
    pkm_unit unit;
    pkm_fault fault;
    pkm_stream_text(out, "    <Unit");
    put_attribute(out, "name", text);
    const bool is_known = pkm_unit_scan(text, false, &unit, &fault) == strlen(text);
    const pkm_dimension d = unit.dimension;
    // square roots of units have no place in FMI: the name alone is said
    if (!is_known || (d.m | d.kg | d.s | d.rad) & 1) {
        pkm_stream_text(out, "/>\n");
        return;
    }
    pkm_stream_text(out, "><BaseUnit");
    put_exponent(out, "kg", d.kg);
    put_exponent(out, "m", d.m);
    put_exponent(out, "s", d.s);
    put_exponent(out, "rad", d.rad);
    pkm_stream_text(out, "/></Unit>\n");
}

static void put_units(const page* p)
{
    pkm_stream_text(p->out, "  <UnitDefinitions>\n");
    for (int i = 0; i < p->list->n; ++i)
        if (p->list->item[i].unit[0] && is_first_with_unit(p->list, i))
            put_unit(p->out, p->list->item[i].unit);
    pkm_stream_text(p->out, "  </UnitDefinitions>\n"
                            "  <LogCategories>\n"
                            "    <Category name=\"logStatusWarning\"/>\n"
                            "    <Category name=\"logStatusError\"/>\n"
                            "  </LogCategories>\n"
                            "  <DefaultExperiment startTime=\"0\"");
    put_number(p->out, "stopTime", p->list->end);
    // A millisecond, the tick of most controllers; importers may choose any
    put_number(p->out, "stepSize", 1e-3);
    pkm_stream_text(p->out, "/>\n");
}

// ---- variables --------------------------------------------------------------------------------

/// What the standards call a role.
typedef struct role_words {
    const char *causality, *variability, *initial;
    bool has_start;
} role_words;

static const role_words roles[] = {
    [PKM_FMU_TIME] = {"independent", "continuous", NULL, false},
    [PKM_FMU_PARAMETER] = {"parameter", "fixed", "exact", true},
    [PKM_FMU_DERIVED] = {"calculatedParameter", "fixed", "calculated", false},
    [PKM_FMU_INPUT] = {"input", "continuous", NULL, true},
    [PKM_FMU_OUTPUT] = {"output", "continuous", "calculated", false},
    [PKM_FMU_COUNT] = {"output", "discrete", "calculated", false},
    [PKM_FMU_STATE] = {"local", "continuous", "calculated", false},
    [PKM_FMU_RATE] = {"local", "continuous", "calculated", false},
    [PKM_FMU_INDICATOR] = {"local", "continuous", "calculated", false},
};

static void put_common(const page* p, const pkm_fmu_variable* v)
{
    const role_words* r = &roles[v->role];
    put_attribute(p->out, "name", v->name);
    pkm_stream_format(p->out, " valueReference=\"%u\"", v->reference);
    put_attribute(p->out, "description", v->text);
    put_attribute(p->out, "causality", r->causality);
    put_attribute(p->out, "variability", r->variability);
    if (r->initial) put_attribute(p->out, "initial", r->initial);
}

/// Number of a variable in the order of FMI 2.0, which counts from 1: indicators are none there.
static int number_of(const pkm_fmu_variables* list, int i)
{
    int n = 0;
    for (int k = 0; k <= i; ++k)
        n += list->item[k].role != PKM_FMU_INDICATOR;
    return n;
}

static void put_values(const page* p, const pkm_fmu_variable* v)
{
    const bool is_2 = p->spec->version == 2;
    if (v->unit[0]) put_attribute(p->out, "unit", v->unit);
    if (v->nominal > 0.0) put_number(p->out, "nominal", v->nominal);
    if (roles[v->role].has_start) put_number(p->out, "start", v->start);
    if (v->of == PKM_NONE) return;
    if (is_2)
        // version 2 points by position, version 3 by value reference
        pkm_stream_format(p->out, " derivative=\"%d\"", number_of(p->list, v->of));
    else
        pkm_stream_format(p->out, " derivative=\"%u\"", p->list->item[v->of].reference);
}

static void put_variable(const page* p, const pkm_fmu_variable* v)
{
    const bool is_count = v->role == PKM_FMU_COUNT;
    if (p->spec->version == 3) {
        pkm_stream_text(p->out, is_count ? "    <Int32" : "    <Float64");
        put_common(p, v);
        if (!is_count) put_values(p, v);
        pkm_stream_text(p->out, "/>\n");
        return;
    }
    if (v->role == PKM_FMU_INDICATOR) return;
    pkm_stream_text(p->out, "    <ScalarVariable");
    put_common(p, v);
    pkm_stream_text(p->out, is_count ? "><Integer" : "><Real");
    if (!is_count) put_values(p, v);
    pkm_stream_text(p->out, "/></ScalarVariable>\n");
}

// ---- structure --------------------------------------------------------------------------------

/// Does `v` depend on `known` within an instant?
static bool depends(const page* p, const pkm_fmu_variable* v, const pkm_fmu_variable* known)
{
    if (known->role == PKM_FMU_STATE) return p->spec->exchange;
    // direct feedthrough: importers order their loops by it
    return known->role == PKM_FMU_INPUT && (v->role == PKM_FMU_RATE || v->feeds);
}

static void put_unknown(const page* p, const char* element, int i, bool with_dependencies)
{
    const bool is_2 = p->spec->version == 2;
    const pkm_fmu_variable* v = &p->list->item[i];
    if (is_2)
        pkm_stream_format(p->out, "      <Unknown index=\"%d\"", number_of(p->list, i));
    else
        pkm_stream_format(p->out, "    <%s valueReference=\"%u\"", element, v->reference);
    if (with_dependencies) {
        const char* between = "";
        pkm_stream_text(p->out, " dependencies=\"");
        for (int k = 0; k < p->list->n; ++k) {
            const pkm_fmu_variable* known = &p->list->item[k];
            if (!depends(p, v, known)) continue;
            if (is_2)
                pkm_stream_format(p->out, "%s%d", between, number_of(p->list, k));
            else
                pkm_stream_format(p->out, "%s%u", between, known->reference);
            between = " ";
        }
        pkm_stream_text(p->out, "\"");
    }
    pkm_stream_text(p->out, "/>\n");
}

/// All variables of the roles in `mask`, within `group` in version 2.
static void put_unknowns(const page* p, const char* group, const char* element, unsigned mask,
                         bool with_dependencies)
{
    const bool is_2 = p->spec->version == 2;
    bool any = false;
    for (int i = 0; i < p->list->n; ++i) {
        if (!(mask & 1u << p->list->item[i].role)) continue;
        if (is_2 && !any) pkm_stream_format(p->out, "    <%s>\n", group);
        any = true;
        put_unknown(p, element, i, with_dependencies);
    }
    if (is_2 && any) pkm_stream_format(p->out, "    </%s>\n", group);
}

static void put_structure(const page* p)
{
    const unsigned outputs = 1u << PKM_FMU_OUTPUT | 1u << PKM_FMU_COUNT;
    pkm_stream_text(p->out, "  <ModelStructure>\n");
    put_unknowns(p, "Outputs", "Output", outputs, true);
    put_unknowns(p, "Derivatives", "ContinuousStateDerivative", 1u << PKM_FMU_RATE, true);
    // at the start everything follows from parameters, which no list need name
    put_unknowns(p, "InitialUnknowns", "InitialUnknown",
                 outputs | 1u << PKM_FMU_DERIVED | 1u << PKM_FMU_RATE | 1u << PKM_FMU_STATE, false);
    if (p->spec->version == 3)
        put_unknowns(p, "", "EventIndicator", 1u << PKM_FMU_INDICATOR, false);
    pkm_stream_text(p->out, "  </ModelStructure>\n</fmiModelDescription>\n");
}

char* pkm_fmu_describe(const pkm_fmu_spec* spec, const pkm_fmu_variables* variables,
                       const pkm_bundle* sources, const char* name, const char* token)
{
    page p = {pkm_stream_to_memory(), spec, variables, sources, name, token};
    char* copy = NULL;
    if (!p.out) return NULL;
    put_heading(&p);
    put_kinds(&p);
    put_units(&p);
    pkm_stream_text(p.out, "  <ModelVariables>\n");
    for (int i = 0; i < variables->n; ++i)
        put_variable(&p, &variables->item[i]);
    pkm_stream_text(p.out, "  </ModelVariables>\n");
    put_structure(&p);
    const char* text = pkm_stream_get(p.out);
    if (text) copy = pkm_alloc(strlen(text) + 1, 1);
    if (copy) strcpy(copy, text);
    pkm_stream_discard(p.out);
    return copy;
}
