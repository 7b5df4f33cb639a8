/// pkm elastodynamics of any robot: flexible links on the rigid motion.
#ifndef PKM_CLI_KED_TASK_H
#define PKM_CLI_KED_TASK_H

#include "cli/commands.h"

/// False: Kuo's Delta with nothing asked that only the general method has.
bool cli_ked_wanted(const cli_arguments* args, const pkm_robot* robot);

/// Run the motion, write the folder, print. @return the exit code.
int cli_ked_run(const cli_arguments* args, pkm_robot* robot);

#endif
