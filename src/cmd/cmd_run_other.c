/* `pt2trace run` where there is no Linux: everything else works here, and a trace can be taken by hand. */
#include "cmd/cmd.h"

const char run_feature[] = "";

int cmd_run(const struct options *o)
{
    (void)o;
    complain("run works on Linux only. Here, take a trace and report on it:\n"
             "  TORCH_TRACE=/tmp/trace python train.py\n"
             "  pt2trace /tmp/trace\n"
             "or both at once, with the Python package: python -m pt2trace train.py");
    return EXIT_USAGE;
}
