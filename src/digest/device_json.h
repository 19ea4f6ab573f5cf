/* device_json: facts about a GPU as JSON and back, for run.json and report.json. Any thread. */
#pragma once

#include "model/gpu.h"

#include <jansson.h>

json_t *gpu_device_to_json(const struct gpu_device *d);

/*
 * Missing members, and members of the wrong type, are unknown. Texts are copied into the arena. False if o is not an
 * object.
 */
bool gpu_device_of_json(struct arena *a, const json_t *o, struct gpu_device *out);
