/// The scene of a run: the robot's shapes, joints and drives, and the film of its motion, as JSON
/// (docs/reference/output.md). What a report draws comes from here.
#ifndef PKM_OUTPUT_SCENE_H
#define PKM_OUTPUT_SCENE_H

#include "analysis/film.h"
#include "model/description.h"

/// What is drawn; all is borrowed.
typedef struct pkm_scene {
    const pkm_description* desc;
    const pkm_film* film;  ///< NULL or empty: the guessed poses of the model only
    const pkm_film* ideal; ///< the same instants of the ideal motion; NULL or empty: none
} pkm_scene;

/// Write `scene` to `path`.
/// @return PKM_ERR_FILE with the reason; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_scene_write(const pkm_scene* scene, const char* path, pkm_error* err);

#endif
