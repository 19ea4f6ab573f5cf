#include "torchlog/paste/nearest.h"

/* The words, the nearest first. */
static const struct str words[] = {
    STR_INIT("torch."), STR_INIT("torch"),     STR_INIT("Traceback"), STR_INIT("triton"),
    STR_INIT("CUDA"),   STR_INIT("NCCL"),      STR_INIT("Error"),     STR_INIT("error:"),
    STR_INIT("ERROR"),  STR_INIT("Exception"), STR_INIT("compil"),
};

bool torchlog_nearest(struct str text, struct str *line, uint64_t *number)
{
    size_t best = sizeof words / sizeof *words;
    struct str next;

    for (uint64_t n = 1; best > 0 && str_next_line(&text, &next); n++)
        for (size_t i = 0; i < best; i++)
            if (str_has(next, words[i])) {
                best = i;
                *line = str_trim(next);
                *number = n;
            }
    return best < sizeof words / sizeof *words;
}
