#include "torchlog/failures/crash_refused.h"

#include "text/guards/guard_reason.h"
#include "torchlog/apply/log_frame.h"
#include "torchlog/apply/unnamed.h"
#include "trace/kinds.h"
#include "trace/reading.h"

static bool is_refused(struct str message)
{
    static const struct str begins[] = {STR_INIT("Recompiling function "),                         /* guards.py */
                                        STR_INIT("Detected recompile when torch.compile stance")}; /* eval_frame.py */

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (str_starts(message, begins[i]))
            return str_has(message, STR("triggered by the following guard failure(s):"));
    return false;
}

/* Messages that name the compile also say why. */
static bool use_compile(struct record *rec, struct str message)
{
    struct record copy = *rec;

    if (rec->compile->frame)
        return true;
    copy.text = message;
    if (!unnamed_id(&copy, &copy.id) || map_get(&rec->state->compiles, MAP_KEY(copy.id)))
        return false;
    rec->id = copy.id;
    rec->compile = reading_compile(rec->reading, rec->state, rec->id, START_NONE, rec->line);
    return true;
}

void crash_refused(struct record *rec, struct str message)
{
    struct guard_reason_texts texts = {0};
    struct log_frame named;
    struct frame *f;

    if (!is_refused(message) || rec->compile->reasons.n || !use_compile(rec, message))
        return;
    f = rec->compile->frame;
    rec->compile->started = true;
    if (log_frame_take(message, &named) && f->name.n == 0) {
        f->name = record_intern(rec, named.function);
        f->file = record_intern(rec, named.file);
        f->line = named.line;
    }
    guard_reason_split(record_arena(rec), message, &texts);
    vec_each(struct str, t, &texts.list) add_recompile_reason(rec, *t);
}
