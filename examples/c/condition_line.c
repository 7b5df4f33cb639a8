// Condition number and singularities along a straight line of the tool.
//
//     condition_line robots/siax.yaml FROM_X FROM_Y FROM_Z TO_X TO_Y TO_Z
#include <pkm/pkm.h>

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 9 };

static void print_point(const pkm_instant* at, const pkm_dexterity* d)
{
    const pkm_vec3 p = at->tool.pose.p;
    printf("%8.4f %8.4f %8.4f  condition %-10.5g weakest (%6.3f, %6.3f, %6.3f)%s%s\n", p.x, p.y,
           p.z, d->shift.condition, d->shift.weakest[0], d->shift.weakest[1], d->shift.weakest[2],
           d->serial ? "  serial singularity" : "", d->parallel ? "  parallel singularity" : "");
}

/// Go along the line in small steps, each from the configuration before, and report at each point.
static pkm_status walk(pkm_robot* robot, const double from[3], const double to[3], pkm_error* err)
{
    for (int i = 0; i < POINTS; ++i) {
        const double s = (double)i / (POINTS - 1);
        pkm_instant at = pkm_instant_home(robot); // the orientation of home, at rest
        at.tool.pose.p.x = from[0] + s * (to[0] - from[0]);
        at.tool.pose.p.y = from[1] + s * (to[1] - from[1]);
        at.tool.pose.p.z = from[2] + s * (to[2] - from[2]);
        pkm_status status = pkm_kinematics_inverse(robot, PKM_START_PRESENT, &at, err);
        pkm_dexterity dexterity;
        if (status == PKM_OK) status = pkm_dexterity_at(robot, &dexterity, err);
        if (status != PKM_OK) return status;
        print_point(&at, &dexterity);
    }
    return PKM_OK;
}

int main(int argc, char** argv)
{
    double from[3], to[3];
    if (argc < 8) {
        fprintf(stderr, "usage: condition_line MODEL X Y Z X Y Z\n");
        return 2;
    }
    for (int k = 0; k < 3; ++k) {
        from[k] = atof(argv[2 + k]);
        to[k] = atof(argv[5 + k]);
    }
    pkm_robot* robot = NULL;
    pkm_error err;
    pkm_status status = pkm_robot_load(argv[1], NULL, 0, &robot, &err);
    if (status == PKM_OK) status = walk(robot, from, to, &err);
    if (status != PKM_OK) fprintf(stderr, "%s\n", err.text);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
