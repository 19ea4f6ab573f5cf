/* `pt2trace run` on systems other than Linux. All other commands work there, and a trace can be recorded by hand. */
#include "cmd/commands/cmd.h"
#include "cmd/complain.h"

const char run_feature[] = "";

int cmd_run(const struct options *o)
{
    (void)o;
    complain("run works on Linux only. Here, take a trace and report on it:\n"
             "  TORCH_TRACE=/tmp/trace python train.py\n"
             "  pt2trace /tmp/trace\n"
             "or do both at once, with the Python package: python -m pt2trace train.py");
    return EXIT_USAGE;
}
