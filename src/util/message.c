#include "util/message.h"

#include "util/utf8.h"

#include <stdarg.h>
#include <stdio.h>

const struct message_info message_infos[MSG_COUNT] = {
#define X(name, severity, key, meaning) {key, meaning, SEVERITY_##severity},
    MESSAGE_CODES(X)
#undef X
};

void messages_init(struct messages *m, struct arena *arena, struct str file)
{
    *m = (struct messages){.arena = arena, .file = file};
}

void message_add(struct messages *m, enum message_code code, uint64_t line, const char *fmt, ...)
{
    char text[MESSAGE_TEXT_MAX + 1]; /* one byte more tells whether the cut is inside a character */
    struct str s = {text, 0};
    va_list ap;
    int n;

    if (++m->counts[code] > MESSAGES_PER_CODE)
        return;
    va_start(ap, fmt);
    n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    s.n = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    s = arena_str(m->arena, utf8_cut(s, MESSAGE_TEXT_MAX - 1));
    vec_push(m->arena, &m->list,
             ((struct message){.code = code, .file = m->file, .line = line, .text = s, .count = 1}));
}

void messages_finish(struct messages *m)
{
    for (int code = 0; code < MSG_COUNT; code++) {
        if (m->counts[code] <= MESSAGES_PER_CODE)
            continue;
        vec_push(m->arena, &m->list,
                 ((struct message){.code = (enum message_code)code,
                                   .file = m->file,
                                   .text = STR("and more of the same"),
                                   .count = m->counts[code] - MESSAGES_PER_CODE}));
    }
}

const char *severity_name(enum severity s)
{
    static const char *const names[] = {"info", "warning", "error"};

    return names[s];
}
