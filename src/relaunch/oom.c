#include "relaunch/oom.h"

#include "util/file.h"

enum { VMSTAT_MAX = 1 << 16 };

uint64_t oom_kills(void)
{
    struct buf text = {0};
    struct str rest, line;
    uint64_t n = 0;

    if (read_file("/proc/vmstat", VMSTAT_MAX, &text) == 0)
        for (rest = buf_view(&text); str_next_line(&rest, &line);)
            if (str_consume(&line, STR("oom_kill ")))
                str_take_u64(&line, &n);
    buf_free(&text);
    return n;
}
