/*
 * report_json: report.json, the facts for programs. Written item by item: memory does not grow with the report. The
 * schema is in schema/report.schema.json; fields may be added, names and meanings stay.
 */
#pragma once

#include "util/system/file.h"
#include "view/view.h"

#define REPORT_SCHEMA "pt2trace-report"
#define REPORT_VERSION "1.0"

void report_json_write(struct sink *out, struct view *v, const struct about *about);
