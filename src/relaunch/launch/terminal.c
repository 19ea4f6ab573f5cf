#include "relaunch/launch/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

bool terminal_is_there(void)
{
    int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

void terminal_resize(int end, int like)
{
    struct winsize size;

    if (ioctl(like, TIOCGWINSZ, &size) == 0)
        ioctl(end, TIOCSWINSZ, &size);
}

/* Our terminal already converts line feeds; this one must not. */
void terminal_adopt(int end, int like)
{
    struct termios modes;

    if (tcgetattr(like, &modes) == 0) {
        modes.c_oflag &= ~(tcflag_t)OPOST;
        tcsetattr(end, TCSANOW, &modes);
    }
    terminal_resize(end, like);
}

int terminal_open(int like, int ends[2])
{
    char name[64];
    int rc;

    ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ends[0] < 0)
        return -errno;
    rc = grantpt(ends[0]) || unlockpt(ends[0]) || ptsname_r(ends[0], name, sizeof name) ? -errno : 0;
    if (rc == 0) {
        terminal_adopt(ends[0], like);
        ends[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
        rc = ends[1] < 0 ? -errno : 0;
    }
    if (rc)
        close(ends[0]);
    return rc;
}
