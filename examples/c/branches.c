// All branches of a Delta: every way to hold the tool at a pose (working modes), and every place
// the tool can be in for one of these sets of drive positions (assembly modes).
//
//     branches robots/siax.yaml X Y Z
#include <pkm/pkm.h>

#include <stdio.h>
#include <stdlib.h>

static void print_working_modes(const pkm_robot* robot, const pkm_branches* all)
{
    printf("%d working modes\n", all->n);
    for (int b = 0; b < all->n; ++b) {
        printf("  %-28s", all->config[b].label);
        for (int d = 0; d < pkm_robot_n_drive(robot); ++d)
            printf(" %10.6f %s", all->config[b].q[d], pkm_robot_drive_unit(robot, d, 0));
        printf("\n");
    }
}

static void print_assembly_modes(const pkm_branches* all)
{
    printf("%d assembly modes of the first\n", all->n);
    for (int b = 0; b < all->n; ++b) {
        const pkm_vec3 p = all->config[b].pose.p;
        printf("  %-28s %10.6f %10.6f %10.6f m\n", all->config[b].label, p.x, p.y, p.z);
    }
}

int main(int argc, char** argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: branches MODEL X Y Z\n");
        return 2;
    }
    pkm_robot* robot = NULL;
    pkm_error err;
    pkm_branches all = {.n = 0};
    const pkm_pose pose = {.p = {atof(argv[2]), atof(argv[3]), atof(argv[4])}}; // turned as at home
    pkm_status status = pkm_robot_load(argv[1], NULL, 0, &robot, &err);
    if (status == PKM_OK) status = pkm_branches_inverse(robot, &pose, &all, &err);
    if (status == PKM_OK && all.n == 0) printf("out of reach by %.6g m\n", all.beyond);
    if (status == PKM_OK && all.n > 0) {
        print_working_modes(robot, &all);
        const pkm_closed_config first = all.config[0];
        status = pkm_branches_forward(robot, first.q, &all, &err);
        if (status == PKM_OK) print_assembly_modes(&all);
    }
    if (status != PKM_OK) fprintf(stderr, "%s\n", err.text);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
