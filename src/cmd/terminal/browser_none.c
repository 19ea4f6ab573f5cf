#include "cmd/terminal/browser.h"

void browser_prepare(const char *directory, int text_fd)
{
    (void)directory;
    (void)text_fd;
}

void browser_open(void)
{
}
