// Drive forces along a motion of the model: a table, a few numbers of it, CSV, HDF5 and a plot.
//
//     forces robots/siax.yaml pick FOLDER
#include <pkm/pkm.h>

#include <stdio.h>

/// forces.csv, forces.h5 and forces.svg in `folder`.
static pkm_status write_files(const pkm_robot* robot, const pkm_table* table, const char* folder,
                              pkm_error* err)
{
    char path[1000], name[200];
    int column[PKM_MAX_DRIVE];
    snprintf(path, sizeof path, "%s/forces.csv", folder);
    pkm_status status = pkm_csv_write(table, path, err);
    snprintf(path, sizeof path, "%s/forces.h5", folder);
    const pkm_hdf5_attribute robot_name = {"robot", pkm_robot_name(robot)};
    if (status == PKM_OK) status = pkm_hdf5_write(table, path, &robot_name, 1, err);
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
        snprintf(name, sizeof name, "%s.force", pkm_robot_drive_name(robot, d));
        column[d] = pkm_table_find(table, name);
    }
    snprintf(path, sizeof path, "%s/forces.svg", folder);
    if (status == PKM_OK)
        status = pkm_plot_table(table, pkm_table_find(table, "t"), column, pkm_robot_n_drive(robot),
                                pkm_robot_name(robot), path, err);
    return status;
}

static void print_summary(const pkm_robot* robot, const pkm_table* table,
                          const pkm_inverse_report* report)
{
    for (int d = 0; d < pkm_robot_n_drive(robot); ++d) {
        char quantity[200];
        double largest;
        snprintf(quantity, sizeof quantity, "absmax %s.force", pkm_robot_drive_name(robot, d));
        if (pkm_table_evaluate(table, quantity, &largest, NULL) == PKM_OK)
            printf("%s = %.6g %s\n", quantity, largest, pkm_robot_drive_unit(robot, d, -1));
    }
    printf("work of the drives %.9g J, change of energy %.9g J\n", report->drive_work,
           report->energy_change);
}

int main(int argc, char** argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: forces MODEL MOTION FOLDER\n");
        return 2;
    }
    pkm_robot* robot = NULL;
    pkm_table* table = pkm_table_create();
    pkm_inverse_settings settings = pkm_inverse_settings_defaults();
    pkm_inverse_report report;
    pkm_error err;
    int motion;
    settings.n_instant = 1001;
    settings.tool_force.z = -20.0; // [N], pushing down on the tool
    pkm_status status = pkm_robot_load(argv[1], NULL, 0, &robot, &err);
    if (status == PKM_OK) status = pkm_robot_find_motion(robot, argv[2], NULL, &motion, &err);
    if (status == PKM_OK) status = pkm_inverse_run(robot, motion, &settings, table, &report, &err);
    if (status == PKM_OK) status = write_files(robot, table, argv[3], &err);
    if (status == PKM_OK) print_summary(robot, table, &report);
    if (status != PKM_OK) fprintf(stderr, "%s\n", err.text);
    pkm_table_free(table);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
