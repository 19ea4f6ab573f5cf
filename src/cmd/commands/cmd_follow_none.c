#include "cmd/commands/cmd.h"
#include "cmd/complain.h"

int cmd_follow(const struct options *o)
{
    (void)o;
    complain("follow needs a system with processes; run report once the trace is written");
    return EXIT_USAGE;
}

pid_t follow_apart(const struct options *o, const char *path)
{
    (void)o;
    (void)path;
    return -1;
}

void follow_apart_end(pid_t child)
{
    (void)child;
}
