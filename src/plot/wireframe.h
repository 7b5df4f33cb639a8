/// Wire pictures of a robot that vibrates: lines in space with a displacement each, seen from the
/// side, one panel per mode; written as SVG. Browsers show the last phase moving.
#ifndef PKM_PLOT_WIREFRAME_H
#define PKM_PLOT_WIREFRAME_H

#include "pkm/status.h"
#include "pkm/types.h"

enum { PKM_WIREFRAME_MAX_PANEL = 24 };

/// A line in space; everything is borrowed.
typedef struct pkm_wire_line {
    int n;
    const pkm_vec3* at; ///< [m]
    bool is_soft;       ///< it bends: drawn stronger
} pkm_wire_line;

typedef struct pkm_wire_panel {
    const char* title;
    const char* note;       ///< a second, smaller line; NULL: none
    const pkm_vec3* motion; ///< displacement of all points, line after line; scaled to be seen
} pkm_wire_panel;

typedef struct pkm_wireframe {
    const char* title;
    pkm_vec3 up; ///< what is up on the page; not null
    const pkm_wire_line* line;
    int n_line;
    const pkm_vec3* support; ///< points on the ground, drawn as squares
    int n_support;
    const pkm_wire_panel* panel;
    int n_panel;
} pkm_wireframe;

/// Write the picture to `path`.
/// @return PKM_ERR_ARGUMENT for no line, no panel or too many; PKM_ERR_FILE; PKM_ERR_MEMORY.
PKM_NODISCARD pkm_status pkm_wireframe_write(const pkm_wireframe* frame, const char* path,
                                             pkm_error* err);

#endif
