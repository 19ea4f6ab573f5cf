#include "cmd/terminal/browser.h"

void browser_prepare(const struct options *o)
{
    (void)o;
}

void browser_open(void)
{
}
