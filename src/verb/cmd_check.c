// pkm check: what the inspection found (robot/inspection.h), as its tree.
#include "verb/commands.h"

#include "base/error.h"
#include "report/render.h"
#include "robot/inspection.h"

static const pkm_verb_option options[] = {
    {"--bodies", NULL,
     .text = "mass, centre of mass, inertia tensor (body axes, about that centre) and "
             "distances of neighbouring joints, body by body"},
    {"--tree", NULL,
     .text = "the spanning tree, the joints at which loops are cut, the number of coordinates "
             "and closure rows"},
};

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err);

const pkm_verb pkm_verb_check = {
    .name = "check",
    .operand = "MODEL",
    .text = "assemble a robot and tell what it is: sizes, masses, mobility, mistakes",
    .help =
        "Reads the model, closes its loops at home and finds the mobility from the rank of the\n"
        "closure equations. Idle freedoms (the spin of a rod between two ball joints) and\n"
        "redundant constraints are listed by name. Sizes, masses, gravity and the forces that "
        "hold\n"
        "the robot at home show whether the numbers are those that were meant; what looks like a\n"
        "mistake (a unit forgotten, a mass without extent, a tool that cannot move) is a warning.",
    .example = "pkm check robots/isoglideT3.yaml",
    .another = "pkm check robots/siax.yaml --bodies --set 'm5=8 kg'",
    VERB_OPTIONS(options),
    .run = run,
};

static const char text[] =
    "{name}\n"
    "\nsize at home   {size.0:.4g} x {size.1:.4g} x {size.2:.4g} m along x, y, z\n"
    "gravity        ({gravity:g/, }) m/s2\n"
    "[centre of mass ({_com:.6g/, }) m at home\n]"
    "\nbodies ({#bodies}, {mass:.6g} kg)\n"
    "{*bodies}  {name:-24s} {mass:10.6g} kg"
    "[{?joint_distance}  {joint_distance:10.6g} m between joints]\n{/}"
    "[{?_show_bodies}"
    "\nmass properties in body axes: centre of mass, inertia tensor about it\n"
    "{*bodies}  {name}\n    mass {mass:.6g} kg, centre ({com:.6g/, }) m\n"
    "    Jxx {inertia.0:.6g}  Jyy {inertia.1:.6g}  Jzz {inertia.2:.6g}  Jxy {inertia.3:.6g}  "
    "Jxz {inertia.4:.6g}  Jyz {inertia.5:.6g} kg m2\n"
    "{*_distances}    {from} - {to}: {distance:.6g} m\n{/}{/}]"
    "\njoints ({#joints})\n"
    "{*joints}  {name:-24s} {type:-12s} {_a} - {_b}\n{/}"
    "\ndrives ({#drives})\n"
    "{*drives}  {name:-24s} on {_joint:-20s} at {home:.9g|shown} {~home}"
    "[, held by {holding_force:.6g} {~holding_force}]\n{/}"
    "[  no holding forces at home: {_why_not_held}\n]"
    "[{?_show_tree}\ntree ({_positions:d} coordinates, {coordinates:d} velocities)\n"
    "{*_tree}  {name:-24s} on {parent:-24s} {type:-12s} {joint}\n{/}"
    "\ncut joints ({closures:d} closure rows)\n"
    "{*joints}[{?cut}  {name:-24s} {type:-12s} {_rows:d} rows\n]{/}]"
    "\nmobility\n"
    "  Gruebler-Kutzbach count  {gruebler:d}\n"
    "  true mobility            {mobility:d}[{?_n_idle} ({_useful:d} + {_n_idle:d} idle)]\n"
    "  idle freedoms            {_n_idle:d}\n"
    "{*_idle}    {name}[{?moves}, moves by itself]\n{/}"
    "  redundant constraints    {#redundant}\n"
    "{*redundant}    {.}\n{/}"
    "[{?tool_freedoms}{?moves}  tool moves in            {moves}\n]"
    "[  freedoms of the tool     {tool_freedoms:g}[{?_tool_is_held}: the tool cannot move]\n]"
    "[  closed form              {closed_form} ({_branch})\n]"
    "  closure error            {closure_error:.2g} m\n" PKM_RENDER_WARNINGS
    "[{?redundant}\nnote: reactions of joints in redundant loops are not unique"
    "[{?drive_forces_unique}; drive forces are]\n]";

static pkm_status run(const pkm_verb_arguments* args, pkm_error* err)
{
    pkm_robot* robot;
    pkm_inspection* inspection;
    pkm_result* result = pkm_verb_result(args);
    PKM_TRY(pkm_verb_begin(args, &robot, err));
    PKM_TRY(pkm_inspection_create(robot, &inspection, err));
    pkm_inspection_result(robot, inspection, result);
    pkm_result_bool(result, "_show_bodies", pkm_verb_has(args, "--bodies"));
    pkm_result_bool(result, "_show_tree", pkm_verb_has(args, "--tree"));
    pkm_inspection_free(inspection);
    return pkm_verb_show(args, text, err);
}
