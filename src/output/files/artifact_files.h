/*
 * artifact_files: writes payloads as files in the report's directory, for grep, diff and editors (--artifacts). Names
 * come from the trace and are hostile: only letters, digits and a few punctuation characters are kept, and others
 * become '_'.
 */
#pragma once

#include "output/files/manifest.h"
#include "view/page.h"

enum artifacts_wanted { ARTIFACTS_NONE, ARTIFACTS_OVERFLOW, ARTIFACTS_ALL };

/*
 * Writes DIR/artifacts/COMPILE/NAME.EXT for the payloads that are wanted, and sets the file in their placement. 0 or
 * -errno, with the file's name in *failed.
 */
int artifact_files_write(const struct view *v, struct placements *placements, enum artifacts_wanted wanted,
                         struct arena *arena, struct manifest *manifest, struct str *failed);
