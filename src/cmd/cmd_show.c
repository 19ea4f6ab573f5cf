#include "cmd/session.h"

int cmd_show(const struct options *o)
{
    (void)o;
    return 0;
}
