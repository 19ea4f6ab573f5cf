/*
 * device_json: facts about a GPU as JSON, in run.json and report.json, and back. Any thread.
 */
#pragma once

#include "model/gpu.h"

#include <jansson.h>

json_t *gpu_device_to_json(const struct gpu_device *d);

/* What is missing or of another type is unknown. Texts are copied into the arena. False when it is no object. */
bool gpu_device_of_json(struct arena *a, const json_t *o, struct gpu_device *out);
