/// The scene of a run: the robot's shapes, joints and drives, and the snapshots of its motion, as
/// JSON (docs/reference/output.md). What a report draws comes from here.
#ifndef PKM_WRITE_SCENE_H
#define PKM_WRITE_SCENE_H

#include "model/description.h"
#include "robot/snapshots.h"
#include "write/json.h"

/// Writes further keys of the scene: mode shapes, a map, what else a verb has to show.
typedef void (*pkm_scene_more)(const void* user, pkm_json* json);

/// What is drawn; all is borrowed.
typedef struct pkm_scene {
    const pkm_description* desc;
    const pkm_snapshots* snapshots; ///< NULL or empty: the guessed poses of the model only
    const pkm_snapshots* ideal;     ///< the same instants of the ideal motion; NULL or empty: none
    pkm_scene_more more;            ///< NULL: nothing beside
    const void* user;               ///< of more
} pkm_scene;

/// Pieces of the scene of their own, for studies, in which many cases share them.
typedef enum pkm_scene_part {
    PKM_SCENE_ROBOT,      ///< all but the snapshots
    PKM_SCENE_POSES,      ///< "t" and "poses" of the snapshots
    PKM_SCENE_DEVIATIONS, ///< "deviations", "bends" and "bending" of the snapshots
} pkm_scene_part;

/// A piece as JSON text, freed with pkm_free; NULL when the scene has none, or memory is out.
char* pkm_scene_text(const pkm_scene* scene, pkm_scene_part part);

/// Write `scene` to `path`.
/// @return PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_scene_write(const pkm_scene* scene, const char* path, pkm_error* err);

#endif
