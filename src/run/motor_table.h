/// A table of motors in a file, and which of them serve the drives of a run: torques, speeds and
/// powers at the shaft against what each motor can do (docs/theory/forces.md, section 5).
#ifndef PKM_RUN_MOTOR_TABLE_H
#define PKM_RUN_MOTOR_TABLE_H

#include "base/memory.h"
#include "force/motor.h"
#include "pkm/table.h"

enum { PKM_MAX_MOTOR = 128 };

/// A motor with its gear or screw. Limits are those of the shaft: the rated torque for ever, up to
/// the largest speed; the peak torque for a while, up to the knee, from there falling evenly to
/// `end_torque` at the largest speed.
typedef struct pkm_motor_offer {
    const char* name;
    pkm_motor motor;                              ///< without limits
    double rated_torque, peak_torque, end_torque; ///< [N m]
    double knee_speed, max_speed;                 ///< [rad/s]
} pkm_motor_offer;

typedef struct pkm_motor_table {
    pkm_arena* arena;
    int n;
    pkm_motor_offer* offer; ///< each motor with each gear ratio
} pkm_motor_table;

/// The keys of the file, see model/key.h.
extern const struct pkm_section pkm_motor_file;

/// Read a file (docs/reference/motor-file.md). @return PKM_ERR_MODEL with its place; PKM_ERR_FILE.
PKM_NODISCARD pkm_status pkm_motor_table_read(const char* path, pkm_motor_table* out,
                                              pkm_error* err);
void pkm_motor_table_free(pkm_motor_table* table);

/// What the shaft can give for a while at a speed [N m]; 0 beyond the largest speed.
double pkm_motor_peak_at(const pkm_motor_offer* offer, double speed);

typedef enum pkm_motor_limit_kind {
    PKM_MOTOR_CONTINUOUS, ///< the rms torque
    PKM_MOTOR_PEAK,
    PKM_MOTOR_SPEED,
} pkm_motor_limit_kind;

/// One drive with one motor over a run.
typedef struct pkm_motor_fit {
    double rms_torque, peak_torque; ///< [N m]
    double peak_speed;              ///< [rad/s]
    double peak_power;              ///< largest mechanical power of the shaft [W]
    double consumed, regenerated;   ///< electrical energy taken and given back [J]
    double margin;                  ///< least of the three limits over what is needed; serves: >= 1
    pkm_motor_limit_kind limit;     ///< which
} pkm_motor_fit;

/// Torque, speed and power at one instant of a table of inverse dynamics without motors: row of
/// the table, columns .force .v .a of the drive.
typedef struct pkm_motor_columns {
    int force, v, a;
} pkm_motor_columns;
pkm_motor_columns pkm_motor_columns_of(const pkm_table* table, const char* drive);
pkm_motor_point pkm_motor_at(const pkm_motor_offer* offer, const pkm_table* table,
                             const pkm_motor_columns* column, int row);

/// Peaks over all rows, located ones too; rms torque and energies over the evenly spaced ones.
pkm_motor_fit pkm_motor_fit_drive(const pkm_motor_offer* offer, const pkm_table* table,
                                  const char* drive);

#endif
