/// Closed forms over expressions: the families of closed/closed.h once more, equation by equation,
/// with the constants that their `prepare` made and in the branch of home, so that straight-line
/// code can be printed from them.
#ifndef PKM_GENERATE_FORM_H
#define PKM_GENERATE_FORM_H

#include "closed/closed.h"
#include "generate/elimination.h"
#include "generate/symbolic.h"

enum { PKM_FORM_MAX_CONDITION = 24 };

/// What is being written: a graph, and the conditions under which its results hold.
typedef struct pkm_form {
    pkm_graph* graph;
    const struct pkm_form_family* family;
    const void* self; ///< the family's constants, see pkm_closed_get_self
    int n_drive;
    unsigned moves; ///< as in pkm_closed_family
    int branch;     ///< of home
    struct {
        pkm_node node;
        double least;
    } condition[PKM_FORM_MAX_CONDITION]; ///< node > least
    int n_condition;
} pkm_form;

/// A configuration, and what its family derives from it once.
typedef struct pkm_form_place {
    pkm_sym_vec3 p;
    pkm_sym_mat3 R;
    pkm_node q[PKM_CLOSED_MAX_DRIVE];
    union {
        struct { ///< Deltas: w = P - C, C' and C''
            pkm_sym_vec3 w[3], dc[3], ddc[3];
        } rods;
        struct { ///< guided platforms: as in pkm_guided_limb
            pkm_sym_vec3 arm[3], axis[3], rod[3];
        } guided;
        struct { ///< Isoglide4: cos phi, sin phi
            pkm_node c, s;
        } phi;
    };
} pkm_form_place;

typedef struct pkm_form_motion {
    pkm_sym_vec3 v, w, a, alpha; ///< of the tool
    pkm_node qd[PKM_CLOSED_MAX_DRIVE], qdd[PKM_CLOSED_MAX_DRIVE];
    pkm_sym_vec3 force, torque; ///< on the tool from outside
    bool weighs;                ///< gravity acts
} pkm_form_motion;

/// One family. Functions append to the graph; matrices are n_drive x n_drive by rows.
typedef struct pkm_form_family {
    const char* name;   ///< of the pkm_closed_family
    const char* theory; ///< the page of docs/theory that has its equations
    /// From p and R: q, and what is derived. Conditions: within reach.
    void (*from_tool)(pkm_form* form, pkm_form_place* place);
    /// From q: p and R, and what is derived. NULL: there is no closed form of it.
    void (*from_drives)(pkm_form* form, pkm_form_place* place);
    /// From p, R and q, which belong together: what is derived.
    void (*derive)(pkm_form* form, pkm_form_place* place);
    /// By how much the loops are open at p, R and q [n_drive], the rates of which are B t - A qd.
    /// NULL where from_drives is there.
    void (*gaps)(pkm_form* form, const pkm_form_place* place, pkm_node* gap);
    void (*velocity)(pkm_form* form, const pkm_form_place* place, pkm_node* B, pkm_node* A);
    void (*bias)(pkm_form* form, const pkm_form_place* place, const pkm_form_motion* motion,
                 pkm_node* c);
    pkm_status (*forces)(pkm_form* form, const pkm_form_place* place, const pkm_form_motion* motion,
                         pkm_node* force, pkm_error* err);
} pkm_form_family;

/// The form of a bound closed form in the branch of `home`; false when its family has none.
bool pkm_form_make(const pkm_closed* closed, const pkm_closed_config* home, pkm_graph* graph,
                   pkm_form* out);

/// Results hold only where `node` > `least`. What is a number that does is left out.
void pkm_form_require(pkm_form* form, pkm_node node, double least);

/// Beyond a parallel singularity the drives do not lead from home: there det B has changed its
/// sign. Families whose B is not 3 x 3 tell it themselves, or not.
PKM_NODISCARD pkm_status pkm_form_require_side(pkm_form* form, const pkm_form_place* place,
                                               pkm_error* err);

/// qd and qdd of `motion` from its v, w, a, alpha: A qd = B t, A qdd = B t' - c.
PKM_NODISCARD pkm_status pkm_form_drive_motion(pkm_form* form, const pkm_form_place* place,
                                               pkm_form_motion* motion, pkm_error* err);
/// v, w, a, alpha of `motion` from its qd and qdd: B t = A qd, B t' = A qdd + c.
PKM_NODISCARD pkm_status pkm_form_tool_motion(pkm_form* form, const pkm_form_place* place,
                                              pkm_form_motion* motion, pkm_error* err);
/// The Jacobian B^-1 A as twists of the tool per drive: six components for each drive.
PKM_NODISCARD pkm_status pkm_form_jacobian(pkm_form* form, const pkm_form_place* place,
                                           pkm_node J[][6], pkm_error* err);
/// Accelerations of the drives from forces `u`: M qdd = u - Q(qd), M by unit accelerations.
PKM_NODISCARD pkm_status pkm_form_forward(pkm_form* form, const pkm_form_place* place,
                                          pkm_form_motion* motion, const pkm_node* u, pkm_node* qdd,
                                          pkm_error* err);
/// One pass of Newton's method towards p and R of the drives q: B step = -gap.
PKM_NODISCARD pkm_status pkm_form_pass(pkm_form* form, pkm_form_place* place, pkm_node* step,
                                       pkm_error* err);

#endif
