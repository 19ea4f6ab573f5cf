#include "cmd/commands/cmd.h"
#include "cmd/session.h"

#include "output/text/summary.h"

int cmd_summary(const struct options *o)
{
    return session_summarize(o, summary_write);
}
