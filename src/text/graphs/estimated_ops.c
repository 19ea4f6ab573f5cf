#include "text/graphs/estimated_ops.h"

#include "util/formats/json_scan.h"

#include <stdlib.h>
#include <string.h>

static int64_t ns_of(struct str value)
{
    char text[48];
    double ns = str_terminate(value, text, sizeof text) ? strtod(text, NULL) : 0;

    return ns > 0 && ns < 1e15 ? (int64_t)ns : 0;
}

/* A string without escapes, as in names of operators; any other value is not a name. */
static struct str name_of(struct str value)
{
    return value.n >= 2 && value.p[0] == '"' ? str_take(str_skip(value, 1), value.n - 2) : (struct str){0};
}

struct str estimated_ops(struct str artifact)
{
    return json_member_text(artifact, STR("ops"));
}

bool estimated_op_next(struct str *ops, struct estimated_op *out)
{
    struct str op;

    if (!json_next_item(ops, &op))
        return false;
    out->name = name_of(json_member_text(op, STR("name")));
    out->type = name_of(json_member_text(op, STR("type")));
    out->ns = ns_of(json_member_text(op, STR("estimated_runtime_ns")));
    return true;
}
