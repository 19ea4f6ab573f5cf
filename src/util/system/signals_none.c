#include "util/system/signals.h"

void signals_clean_up(void)
{
}

void signals_remove(const char *path)
{
    (void)path;
}

void signals_forget_below(const char *path)
{
    (void)path;
}

void signals_block(void)
{
}

void signals_unblock(void)
{
}
