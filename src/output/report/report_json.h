/*
 * report_json: report.json, the facts for programs. It is written item by item, so memory does not grow with the
 * report. The schema is schema/report.schema.json; fields may be added, but names and meanings do not change.
 */
#pragma once

#include "util/system/file.h"
#include "view/view.h"

#define REPORT_SCHEMA "pt2trace-report"
#define REPORT_VERSION "1.0"

void report_json_write(struct sink *out, struct view *v, const struct about *about);
