// pkm modes: one question of many (pose, link, motion, plane, response, convergence) is answered by
// a file of its own, modes_*.c.
#include "verb/commands.h"

#include "base/clock.h"
#include "base/error.h"
#include "verb/modes_task.h"

#include <string.h>

enum { MAX_MODE = 200 };

static const pkm_verb_option options[] = {
    VERB_POSE_OPTIONS,
    VERB_LINEAR_OPTIONS,
    {"--modes", "N", .text = "number of frequencies; 10 when not given"},
    {.name = "--weight"},
    {"--link", "BODY",
     .text = "modes of this link alone: frequency, generalised mass and stiffness (largest "
             "displacement 1 m, of torsion rotation 1 rad), what is strained"},
    {"--ends", "free|pinned|clamped",
     .text = "of `--link`: nothing is held (default), the points of its joints, or their turns too",
     .with = "--link"},
    {"--convergence", "A..B", .text = "a row for each number of elements per link from A to B"},
    {"--along", "MOTION",
     .text = "frequencies along a motion, drives holding the pose of each instant; writes a "
             "table and `frequencies.svg`"},
    {"--map",
     .text = "frequencies over a plane of tool positions; writes a table and `frequencies.svg`"},
    {.name = "--slice", .with = "--map"},
    {.name = "--grid", .with = "--map"},
    {"--points", "N",
     .text = "of `--map` along the longest side (30), of `--along` (101), of `--response` "
             "(400)",
     .with = "--map --along --response"},
    {"--what", "N", .text = "of `--map`: which frequency the colours show", .with = "--map"},
    {"--response", "F1..F2",
     .text = "frequency response of the tool between two frequencies [Hz], with Bode plot "
             "`response.svg`"},
    {"--shake", "NAME",
     .text = "of `--response`: a drive (elastic or free), or `x y z rx ry rz` for a force or "
             "torque on the tool; `z` when not given",
     .with = "--response"},
    {"-o", "DIR",
     .text = "folder; with `--along`, `--map` and `--response` `pkm-out/ROBOT-...` when not "
             "given"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_modes_verb = {
    .name = "modes",
    .operand = "MODEL",
    .text = "natural frequencies of a robot with flexible links, mode shapes, response",
    .help = "Links bend as beams, joints and rigid bodies hold them together exactly; drives are\n"
            "locked, free or elastic. At a pose: frequencies and which link bends, stretches or\n"
            "twists in each mode; -o writes them with pictures. Or along a motion, over a plane\n"
            "of positions, over the number of elements, or the response to a force.",
    .example = "pkm modes robots/siax.yaml --at 0.1,0,-0.9 -o siax-modes",
    .another = "pkm modes robots/siax.yaml --along paper --points 21 --modes 3",
    VERB_OPTIONS(options),
    .run = run,
};

/// At most one of the questions.
static pkm_status check_question(const pkm_verb_arguments* args, pkm_error* err)
{
    static const char* const question[] = {"--convergence", "--along", "--map", "--response",
                                           "--link"};
    const char* first = NULL;
    for (size_t k = 0; k < sizeof question / sizeof question[0]; ++k) {
        if (!pkm_verb_has(args, question[k])) continue;
        if (first)
            return pkm_fail(err, PKM_ERR_ARGUMENT, "%s and %s: expected one of them", first,
                            question[k]);
        first = question[k];
    }
    const bool moves = pkm_verb_has(args, "--along") || pkm_verb_has(args, "--map");
    if (moves && (pkm_verb_has(args, "--at") || pkm_verb_has(args, "--drives")))
        return pkm_fail(err, PKM_ERR_ARGUMENT, "%s: expected no --at or --drives", first);
    static const char* const of_robot[] = {"--at", "--drives", "--drives-are", "--weight"};
    for (size_t k = 0; pkm_verb_has(args, "--link") && k < sizeof of_robot / sizeof of_robot[0];
         ++k)
        if (pkm_verb_has(args, of_robot[k]))
            return pkm_fail(err, PKM_ERR_ARGUMENT,
                            "--link: the modes of a link alone, expected no %s", of_robot[k]);
    return PKM_OK;
}

static pkm_status answer(pkm_verb_modes* m, pkm_error* err)
{
    const char* modes = pkm_verb_get(m->args, "--modes");
    PKM_TRY(check_question(m->args, err));
    PKM_TRY(pkm_verb_modes_read(m, err));
    m->n_mode = PKM_MODES_WANTED;
    if (modes) PKM_TRY(pkm_verb_integer(modes, 1, "--modes", &m->n_mode, err));
    if (m->n_mode > MAX_MODE)
        return pkm_fail(err, PKM_ERR_ARGUMENT, "--modes: %d, expected at most %d", m->n_mode,
                        MAX_MODE);
    if (pkm_verb_has(m->args, "--link")) return pkm_verb_modes_link(m, err);
    if (pkm_verb_has(m->args, "--along")) return pkm_verb_modes_along(m, err);
    if (pkm_verb_has(m->args, "--map")) return pkm_verb_modes_map(m, err);
    if (pkm_verb_has(m->args, "--convergence")) return pkm_verb_modes_convergence(m, err);
    if (pkm_verb_has(m->args, "--response")) return pkm_verb_modes_response(m, err);
    return pkm_verb_modes_at_pose(m, err);
}

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_verb_modes m = {.args = args, .start = pkm_clock(), .result = pkm_verb_result(args)};
    PKM_TRY(pkm_verb_begin(args, &m.robot, err));
    pkm_status status = answer(&m, err);
    if (status == PKM_OK) status = pkm_verb_modes_show(&m, err);
    pkm_verb_modes_free(&m);
    return status;
}
