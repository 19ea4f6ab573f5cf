/*
 * nsys: what `nsys export --type sqlite` writes, as GPU activity: the tables CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY and
 * _MEMSET with StringIds, one gpu_process per process in them. Needs SQLite. One thread per input.
 */
#pragma once

#include "model/model.h"

/* Any database of SQLite: what is in it is looked at when it is read. */
bool nsys_sniff(struct str beginning);

/* Reads the file at in->path. One that is no export says so in why_not. */
void nsys_read(struct input *in);
