#include "util/system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

unsigned terminal_columns(int fd)
{
    struct winsize w;

    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}
