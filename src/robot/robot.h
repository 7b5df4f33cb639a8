/// The inside of pkm_robot (pkm/robot.h), and what analyses ask of it.
#ifndef PKM_ROBOT_ROBOT_H
#define PKM_ROBOT_ROBOT_H

#include "closed/closed.h"
#include "dynamics/assembly.h"
#include "dynamics/structure.h"
#include "model/description.h"
#include "pkm/robot.h"

/// Sign of the determinant of the drive system, which changes at parallel singularities (and, with
/// redundant closures, where the choice of rows fails: see crossing.h).
typedef struct pkm_drive_sign {
    int sign;     ///< 0: not known
    int analyses; ///< choices of pivots so far
} pkm_drive_sign;

struct pkm_robot {
    pkm_description* desc;
    bool is_twin;               ///< of another robot, whose motions it has
    _Atomic(const void*) owner; ///< the thread whose call is at work, see guard.h; NULL: none
    int depth;                  ///< of its calls
    pkm_mechanism* mech;
    pkm_state* state; ///< work state; at home after loading
    double* q_home;   ///< [n_q]
    double drive_home[PKM_MAX_DRIVE];
    double* follow_work;     ///< [3 n_q + 2 n_v] work of following a motion
    double* crossing_work;   ///< [n_q + 2 n_v n_drive]
    struct pkm_watch* watch; ///< of ways for singularities, see watch.h
    pkm_pose tool_home;      ///< identity without a tool
    pkm_structure structure;
    bool holds_idle; ///< a model for controllers: idle freedoms stay held, whatever that takes
    pkm_assembly_report assembly;
    pkm_closed* closed;                 ///< NULL when none is bound
    pkm_closed_config closed_home;      ///< the closed form's configuration at home
    pkm_closed_config closed_now;       ///< and the present one
    pkm_closed_config* closed_list;     ///< [PKM_CLOSED_MAX_BRANCH] work: solutions of its geometry
    bool closed_is_old;                 ///< the engine moved on: its branch is to be found
    pkm_drive_sign sign_home, sign_now; ///< sign_now belongs to where the drives were led last
};

/// A robot from a description, which belongs to it from now on (and is freed on failure).
PKM_NODISCARD pkm_status pkm_robot_create(pkm_description* desc, pkm_robot** out, pkm_error* err);

/// Tell motion `index` of the description where the drives are at home; `file` is where it stands.
/// @return PKM_ERR_ARGUMENT with its place: its times or parts do not fit home.
PKM_NODISCARD pkm_status pkm_robot_place_motion(const pkm_robot* robot, int index, const char* file,
                                                pkm_error* err);

/// PKM_OK when `n_set` overrides are there, each of another parameter; PKM_ERR_ARGUMENT.
PKM_NODISCARD pkm_status pkm_robot_check_overrides(const pkm_override* set, int n_set,
                                                   pkm_error* err);

/// A second robot of the same description, at home, for the thread of the first: they share the
/// list of motions.
PKM_NODISCARD pkm_status pkm_robot_twin(pkm_robot* robot, pkm_robot** out, pkm_error* err);

/// PKM_OK when the forces of `n_prescribed` drives are unique; PKM_ERR_MODEL when there are more of
/// them than freedoms.
PKM_NODISCARD pkm_status pkm_robot_require_unique(const pkm_robot* robot, int n_prescribed,
                                                  pkm_error* err);
/// PKM_OK when the drives determine the motion here; PKM_ERR_MODEL or PKM_ERR_SINGULAR otherwise.
PKM_NODISCARD pkm_status pkm_robot_require_drives(const pkm_robot* robot, pkm_error* err);
/// PKM_OK when the tool can be prescribed.
PKM_NODISCARD pkm_status pkm_robot_require_tool(const pkm_robot* robot, pkm_error* err);

/// The part of a marker's name behind the last dot.
const char* pkm_short_name(const char* name);

#endif
