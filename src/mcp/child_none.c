#include "mcp/child.h"

#include <errno.h>

int child_run(const char *program, const char *const *args, size_t max, unsigned seconds, struct child_output *out)
{
    (void)program, (void)args, (void)max, (void)seconds;
    *out = (struct child_output){.status = -1};
    return -ENOSYS;
}

void child_output_free(struct child_output *out)
{
    buf_free(&out->out);
    buf_free(&out->err);
}
