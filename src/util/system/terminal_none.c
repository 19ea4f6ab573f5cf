#include "util/system/terminal.h"

unsigned terminal_columns(int fd)
{
    (void)fd;
    return 0;
}
