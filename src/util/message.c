#include "util/message.h"

#include "util/utf8.h"

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
    va_list ap;

    va_start(ap, fmt);
    message_vadd(m, code, line, fmt, ap);
    va_end(ap);
}

void message_vadd(struct messages *m, enum message_code code, uint64_t line, const char *fmt, va_list ap)
{
    char text[MESSAGE_TEXT_MAX + 1]; /* one more byte shows whether the cut is inside a character */
    struct str s = {text, 0};
    int n;

    /* Checked before anything is formatted: a damaged trace may ask for millions of messages. */
    if (++m->counts[code] > MESSAGES_PER_CODE)
        return;
    n = vsnprintf(text, sizeof text, fmt, ap);
    s.n = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    s = arena_str(m->arena, utf8_cut(s, MESSAGE_TEXT_MAX - 1));
    vec_push(m->arena, &m->list,
             ((struct message){.code = code, .file = m->file, .line = line, .text = s, .count = 1}));
}

void messages_take(struct messages *m, const struct messages *from)
{
    for (int code = 0; code < MSG_COUNT; code++)
        m->counts[code] += from->counts[code];
    vec_each(const struct message, x, &from->list) vec_push(m->arena, &m->list, *x);
}

/* Messages about the whole file (line 0) sort last. */
static bool is_before(const struct message *a, const struct message *b)
{
    return a->line - 1 < b->line - 1;
}

/* An insertion sort: the list is short and mostly in order, and messages about the same line keep their order. */
static void sort(struct messages *m)
{
    for (size_t i = 1; i < m->list.n; i++) {
        struct message x = m->list.v[i];
        size_t k = i;

        for (; k > 0 && is_before(&x, &m->list.v[k - 1]); k--)
            m->list.v[k] = m->list.v[k - 1];
        m->list.v[k] = x;
    }
}

/* Two lists that were joined may each have reached the limit. */
static void keep_first_of_each_code(struct messages *m)
{
    unsigned kept[MSG_COUNT] = {0};
    size_t n = 0;

    for (size_t i = 0; i < m->list.n; i++)
        if (kept[m->list.v[i].code]++ < MESSAGES_PER_CODE)
            m->list.v[n++] = m->list.v[i];
    m->list.n = n;
}

void messages_finish(struct messages *m)
{
    sort(m);
    keep_first_of_each_code(m);
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
