/*
 * facts: the objects of report.json, as JSON. The rows in NAME.def define the members: value, type and meaning. From
 * the rows, view/rows_write.h makes the functions, and tools/make-schema makes schema/report.schema.json. Strings on
 * their way into JSON are in v->scratch. Any thread with a view of its own.
 */
#pragma once

#include "analysis/answers/configs.h"
#include "analysis/code/estimates.h"
#include "analysis/code/gpu_kernels.h"
#include "analysis/code/vllm.h"
#include "analysis/time/cache_keys.h"
#include "text/messages/break_text.h"
#include "view/view.h"

/* Data that several rows share. */
struct kind_of_input {
    size_t input; /* its index in the run */
    struct str name;
    const struct kind_count *count;
};

struct symbol_of_compile {
    const struct compile *compile;
    const struct symbol *symbol;
};

struct export_issue_of_compile {
    const struct compile *compile;
    const struct export_issue *issue;
};

struct kernel_times {
    const struct kernel *kernel;
    const struct gpu_stat *stat;
};

struct device_of_input {
    size_t input;
    const struct gpu_device *device;
};

struct kind_sum {
    const struct gpu_sum *sum;
    enum gpu_kind kind;
};

struct region_of_process {
    const struct gpu_process *gpu;
    const struct gpu_region *region;
};

/*
 * Functions without rows. Metrics are {PyTorch's name: value}; null for NULL. A stack is a list of calls, outermost
 * first.
 */
json_t *fact_metrics(const struct view *v, const struct metrics *x);
json_t *fact_stack(const struct view *v, const struct call *innermost);

const char *break_origin_name(enum break_origin o);
const char *failure_where_name(enum failure_where w);
const char *export_issue_name(enum export_issue_kind k);

/* Regular expressions for a compile id as PyTorch prints it, and for a time with its zone. */
#define COMPILE_ID "^(![0-9]+|(![0-9]+/)?[0-9]+/[0-9]+)$"
#define MOMENT "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}([+-][0-9]{2}:[0-9]{2})?$"

#include "view/rows_none.def"
#define OBJECT(name, type, description) json_t *fact_##name(const struct view *v, const type *x);

#include "view/facts/compile.def"
#include "view/facts/experiment.def"
#include "view/facts/flight.def"
#include "view/facts/gpu.def"
#include "view/facts/issue.def"
#include "view/facts/ranks.def"
#include "view/facts/run.def"

#include "view/rows_end.def"
