/// A study as its file says it: a robot, settings, outputs, and one design, which is a list of
/// cases with settings of their own. docs/reference/study-file.md has the format.
#ifndef PKM_STUDY_STUDY_H
#define PKM_STUDY_STUDY_H

#include "base/sha256.h"
#include "run/takes.h"
#include "study/measure.h"

enum {
    PKM_MAX_FACTOR = 8,
    PKM_MAX_LAYER = PKM_MAX_FACTOR + 1, ///< of settings: those of the study, then one per factor
    PKM_MAX_CASE = 1000000,
    PKM_MAX_STUDY_SET = 64, ///< overridden parameters of one case
    PKM_MAX_STUDY_LINK = 64,
};

/// Flexible links that cases have reduced, for cases with equal ones: the first so many that
/// differ, since a sweep over a link may have a thousand.
typedef struct pkm_study_links {
    int n;
    struct pkm_flexible_body* body[PKM_MAX_STUDY_LINK]; ///< owned
} pkm_study_links;

typedef enum pkm_study_analysis {
    PKM_STUDY_SIMULATE,
    PKM_STUDY_INVERSE,        ///< the rigid robot
    PKM_STUDY_ELASTODYNAMICS, ///< natural frequencies of Kuo's Delta
    PKM_STUDY_MODES,          ///< natural frequencies of robots with flexible links
} pkm_study_analysis;

/// "simulate", "inverse", "elastodynamics", "modes"; NULL past the last.
extern const char* const pkm_study_analysis_name[];
/// The keys of a study file (model/key.h).
extern const struct pkm_section pkm_study_file;

/// What is read from every case.
typedef struct pkm_study_output {
    const char *name, *label; ///< label: for people, the name when not given
    const char* column;
    pkm_measure measure;
    const char* unit; ///< of the value; "" until the columns are known
    pkm_place place;  ///< of the column's name
} pkm_study_output;

/// One level of a factor, or one value of a swept parameter.
typedef struct pkm_study_level {
    const char* name;         ///< "with", "14 mm"
    double value;             ///< of a parameter [SI], else NaN
    const pkm_yaml* settings; ///< a map, put over the settings of the study
} pkm_study_level;

typedef struct pkm_study_factor {
    const char* name;
    const char* unit; ///< of a swept parameter, else NULL
    int n_level;
    pkm_study_level* level; ///< [0] is the reference
} pkm_study_factor;

/// What of an output a printed number is.
typedef enum pkm_published_of {
    PKM_OF_VALUE,        ///< in the case
    PKM_OF_DEVIATION,    ///< size of the deviation of its signal from the reference case
    PKM_OF_SUM,          ///< size of the sum of the single deviations
    PKM_OF_RATIO,        ///< coupled deviation / that sum
    PKM_OF_NOT_ADDITIVE, ///< share of the coupled deviation that is not the sum
    PKM_OF_RELATIVE,     ///< that size over the output of the reference case
    PKM_N_OF,
} pkm_published_of;

/// A printed number to stand beside ours.
typedef struct pkm_study_published {
    pkm_desc_published printed;
    int output; ///< PKM_NONE: only quoted
    int case_id;
    pkm_published_of of;
} pkm_study_published;

typedef struct pkm_study {
    pkm_arena* arena; ///< holds all below
    const char *file, *name;
    const char *description, *source; ///< "" when not given
    const char *robot_file, *robot_text, *robot_name;
    const char* motion;         ///< of the reference case
    const pkm_yaml* root;       ///< of the study file
    const pkm_yaml* robot_root; ///< of the model file: it is parsed once, not for each case
    pkm_study_analysis analysis;
    bool is_sweep, verify; ///< a study without a design has no factors and one case
    double chaotic_above;
    int n_set;
    const pkm_override* set; ///< from the command line, over those of the file
    int n_output;
    pkm_study_output* output;
    int n_signal;
    const char** signal; ///< patterns of columns that are kept
    int n_factor;
    pkm_study_factor factor[PKM_MAX_FACTOR];
    int n_case;             ///< the product of the levels
    pkm_study_links* links; ///< of the cases prepared so far, in this process
    int n_published;
    pkm_study_published* published;
    char hash[PKM_SHA256_SIZE]; ///< of study, robot and set; other files and the build are in the
                                ///< database
    char robot_hash[PKM_SHA256_SIZE];
} pkm_study;

/// Read the study file `path`; `set` (lent) overrides parameters of its robot.
///
/// The robot is loaded, every level is tried and the columns of the outputs are looked up, so that
/// what is wrong with the file is told here, with its place.
/// @return PKM_ERR_FILE, PKM_ERR_SYNTAX, PKM_ERR_MODEL; what loading the robot returns.
PKM_NODISCARD pkm_status pkm_study_read(const char* path, const pkm_override* set, int n_set,
                                        pkm_study** out, pkm_error* err);
void pkm_study_free(pkm_study* study);

/// The level of each factor in case `id`; the last factor varies fastest.
void pkm_study_levels(const pkm_study* study, int id, int level[PKM_MAX_FACTOR]);
/// The case with these levels.
int pkm_study_find_case(const pkm_study* study, const int level[PKM_MAX_FACTOR]);
/// The name of a case: "friction with, payload 6 kg" of the factors off their reference, "ideal"
/// without any ("reference" where the study itself has effects); a level called "on" is not said.
/// In a sweep of all of them, "d2 = 14 mm".
void pkm_study_case_name(const pkm_study* study, int id, char* out, size_t size);

/// The settings of a case: maps, later ones over earlier ones.
typedef struct pkm_settings {
    int n;
    const pkm_yaml* layer[PKM_MAX_LAYER];
} pkm_settings;

pkm_settings pkm_study_settings(const pkm_study* study, int id);

/// The settings as one JSON object, in the words of the file, without the keys of the study itself;
/// freed with pkm_free, NULL: out of memory.
char* pkm_settings_json(const pkm_settings* settings);

/// A robot, and a run of it, with the settings of a case.
typedef struct pkm_prepared {
    pkm_robot* robot;
    pkm_run* run;
} pkm_prepared;

/// Load the robot with the parameters of the settings, and take their choices. What was made until
/// a failure is in `out` too.
PKM_NODISCARD pkm_status pkm_study_prepare(const pkm_study* study, const pkm_settings* settings,
                                           pkm_prepared* out, pkm_error* err);
void pkm_prepared_free(pkm_prepared* prepared);

/// pkm_run_require for a case, whose message names the study.
PKM_NODISCARD pkm_status pkm_study_require(const pkm_study* study, const pkm_run* run,
                                           pkm_analysis analysis, pkm_error* err);

#endif
