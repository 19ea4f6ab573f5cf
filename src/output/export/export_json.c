/* The facts for programs: the report.json of a report. */
#include "output/export/export.h"

#include "output/report/report_json.h"

int export_json(struct sink *out, struct view *v, const struct about *about)
{
    report_json_write(out, v, about);
    return 0;
}
