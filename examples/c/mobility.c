// Load a robot and print its mobility, its idle freedoms and its redundant constraints.
//
//     mobility robots/isoglideT3.yaml [NAME=VALUE]
#include <pkm/pkm.h>

#include <stdio.h>
#include <string.h>

static void print_structure(const pkm_robot* robot)
{
    const pkm_structure_report s = pkm_robot_structure(robot);
    char text[200];
    printf("%s: %d bodies, %.4g kg, %d joints, %d drives\n", pkm_robot_name(robot),
           pkm_robot_n_body(robot), pkm_robot_mass(robot), pkm_robot_n_joint(robot),
           pkm_robot_n_drive(robot));
    printf("mobility %d (Gruebler-Kutzbach counts %d)\n", s.mobility, s.gruebler);
    for (int i = 0; pkm_robot_idle_text(robot, i, text, sizeof text); ++i)
        printf("  idle: %s\n", text);
    for (int i = 0; pkm_robot_redundant_text(robot, i, text, sizeof text); ++i)
        printf("  redundant: %s\n", text);
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d)
        printf("  %s at home: %.6g %s\n", pkm_robot_drive_name(robot, d),
               pkm_robot_drive_home(robot, d), pkm_robot_drive_unit(robot, d, 0));
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: mobility MODEL [NAME=VALUE]\n");
        return 2;
    }
    // "rod_length=1.2 m" overrides a parameter of the model
    pkm_override set = {NULL, NULL};
    char* equals = argc > 2 ? strchr(argv[2], '=') : NULL;
    if (equals) {
        *equals = '\0';
        set = (pkm_override){.name = argv[2], .value = equals + 1};
    }
    pkm_robot* robot;
    pkm_error err;
    if (pkm_robot_load(argv[1], &set, equals ? 1 : 0, &robot, &err) != PKM_OK) {
        fprintf(stderr, "%s:%d:%d: %s\n", err.file, err.line, err.column, err.text);
        return pkm_status_exit_code(err.status);
    }
    print_structure(robot);
    pkm_robot_free(robot);
    return 0;
}
