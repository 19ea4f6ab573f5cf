#include "activity/activity.h"

#include "activity/kineto.h"
#include "activity/nsys.h"
#include "activity/recorded.h"

/* --- which file it is --------------------------------------------------------------------------------------------- */

enum input_kind activity_sniff(struct str beginning)
{
    return recorded_sniff(beginning) ? INPUT_GPU_ACTIVITY
           : kineto_sniff(beginning) ? INPUT_KINETO
           : nsys_sniff(beginning)   ? INPUT_NSYS
                                     : INPUT_OTHER;
}

bool activity_is(enum input_kind kind)
{
    return kind == INPUT_GPU_ACTIVITY || kind == INPUT_KINETO || kind == INPUT_NSYS;
}

static void report(struct input *in)
{
    for (size_t i = 0; i < in->gpus.n; i++) {
        const struct gpu_process *g = in->gpus.v[i];

        in->totals.records += g->activities.n;
        if (g->ended.n)
            message_add(&in->messages, MSG_GPU_NOT_RECORDED, 0, "%.*s", STR_ARG(str_take(g->ended, 200)));
        if (g->lost)
            message_add(&in->messages, MSG_GPU_LOST, 0, "%llu lost, %llu recorded", (unsigned long long)g->lost,
                        (unsigned long long)g->activities.n);
    }
}

void activity_read(struct input *in)
{
    if (in->kind == INPUT_GPU_ACTIVITY)
        recorded_read(in);
    else if (in->kind == INPUT_KINETO)
        kineto_read(in);
    else
        nsys_read(in);
    report(in);
}

/* --- for the readers ---------------------------------------------------------------------------------------------- */
