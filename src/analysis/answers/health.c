#include "analysis/answers/health.h"

struct str process_last_activity(const struct process *p, const struct compile *c)
{
    struct str name = {0};

    vec_each(const struct event, e, &p->events) if (e->compile == c && (e->flags & EVENT_UNFINISHED)) name = e->name;
    return name;
}

/*
 * Whether the trace would have a record of a compile's end: PyTorch 2.4 and earlier write nothing when a frame is
 * skipped, so a missing end means nothing there.
 */
static bool reports_ends(const struct process *p, const struct compile *c)
{
    for (size_t i = 0; i < p->compiles.n; i++)
        if (p->compiles.v[i]->metrics.n)
            return true;
    return process_last_activity(p, c).n > 0;
}

/* Only the last compile of a process can be unfinished; after any other the process continued with the next one. */
const struct compile *process_cut_off(const struct process *p)
{
    const struct compile *last = p->compiles.n ? p->compiles.v[p->compiles.n - 1] : NULL;

    return last && last->status == STATUS_INCOMPLETE && reports_ends(p, last) && p->input->failure.n == 0 ? last : NULL;
}

struct health run_health(const struct run *r)
{
    struct health h = {.nothing = r->experiment != NULL};

    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct input *in = r->inputs.v[i];

        h.traced |= in->used && in->kind == INPUT_TORCH_TRACE && in->totals.records > 0;
        h.texts |= in->used && in->log_lines > 0;
    }
    for (size_t i = 0; i < r->processes.n && !h.cut; i++)
        h.cut = process_cut_off(r->processes.v[i]) != NULL;
    for (size_t i = 0; i < r->inputs.n; i++)
        h.nothing &= !r->inputs.v[i]->used || r->inputs.v[i]->kind == INPUT_EXPERIMENT;
    vec_each(const struct message, m, &r->messages) switch (message_infos[m->code].severity)
    {
    case SEVERITY_INFO:
        h.info += m->count;
        break;
    case SEVERITY_WARNING:
        h.warnings += m->count;
        break;
    case SEVERITY_ERROR:
        h.errors += m->count;
        break;
    }
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->source.error) {
            const uint64_t *counts = r->inputs.v[i]->messages.counts;
            uint64_t own = counts[MSG_READ_ERROR] + counts[MSG_TRUNCATED];

            h.unread++;
            h.errors -= own < h.errors ? own : h.errors; /* the counts in a digest are arbitrary */
        }
    return h;
}
