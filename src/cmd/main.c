#include "cmd/command.h"
#include "cmd/complain.h"
#include "cmd/confine.h"
#include "cmd/options.h"
#include "util/formats/json_room.h"
#include "util/system/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * If the caller closed a standard descriptor, the next file that is opened would get its number, and messages for the
 * terminal would go into that file. /dev/null takes its place, opened in the opposite direction, so that using it is
 * still an error.
 */
static void hold_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(EXIT_IO);
}

/* The output of --help and --version is only written now. A reader that stops early is no error. */
static int flush_help(int status)
{
    if (fflush(stdout) == 0 || errno == EPIPE)
        return status;
    complain("standard output: %s", strerror(errno));
    return EXIT_IO;
}

int main(int argc, char **argv)
{
    struct options o;
    int rc;

    hold_standard_descriptors();

    /*
     * If a reader goes away (`| head`), write() returns an error instead of a signal; so does a file at its size
     * limit.
     */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signals_clean_up();
    if (argc < 2) {
        options_help(NULL);
        return flush_help(EXIT_USAGE);
    }
    rc = options_parse(&o, argc, argv);
    if (rc)
        return rc < 0 ? flush_help(EXIT_DONE) : rc;
    setlocale(LC_CTYPE, ""); /* it reads files, which a confined process may not */
    json_rooms_begin(o.threads);
    rc = o.command->run(&o);
    confine_end();
    return rc;
}
