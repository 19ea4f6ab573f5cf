/*
 * nsys: reads what `nsys export --type sqlite` writes as GPU activity: the tables CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY
 * and _MEMSET with StringIds, one gpu_process for each process in them. Needs SQLite. One thread per input.
 */
#pragma once

#include "model/model.h"

/* Any SQLite database; the tables in it are checked when it is read. */
bool nsys_sniff(struct str beginning);

/* Reads the file at in->path. If it is not an export, why_not says so. */
void nsys_read(struct input *in);
