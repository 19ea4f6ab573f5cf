#include "text/messages/rank_neutral.h"

#include "text/guards/guard_comment.h"

/* Classes of bytes. */
enum { DIGIT = 1, HEX = 2, NUMBER = 4, WORD = 8, PATH = 16 };

__extension__ static const uint8_t classes[256] = {
    ['0' ... '9'] = DIGIT | HEX | NUMBER | WORD | PATH,
    ['a' ... 'd'] = HEX | WORD | PATH,
    ['e'] = HEX | NUMBER | WORD | PATH,
    ['f'] = HEX | WORD | PATH,
    ['g' ... 'z'] = WORD | PATH,
    ['A' ... 'F'] = HEX | WORD | PATH,
    ['G' ... 'Z'] = WORD | PATH,
    ['_'] = WORD | PATH,
    ['.'] = NUMBER | PATH,
    ['-'] = NUMBER | PATH,
    ['+'] = NUMBER | PATH,
    ['/'] = PATH,
    ['~'] = PATH,
    ['='] = PATH,
    ['@'] = PATH,
};

static bool is(unsigned class, char c)
{
    return classes[(unsigned char)c] & class;
}

static size_t run_of(struct str s, unsigned class)
{
    size_t n = 0;

    while (n < s.n && is(class, s.p[n]))
        n++;
    return n;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* Texts before the index of a device, or before a number that depends on the process. */
static const struct str before_index[] = {
    STR_INIT("cuda:"),         STR_INIT("xpu:"),        STR_INIT("hpu:"),        STR_INIT("npu:"),
    STR_INIT("_DeviceGuard("), STR_INIT("set_device("), STR_INIT("raw_stream("), STR_INIT("stream"),
    STR_INIT("device="),       STR_INIT("index="),      STR_INIT("AOT ID: ['"),
};

/* ... and in guards: parts of GLOBAL_STATE, and generated names, whose numbers shift with every additional compile. */
static const struct str before_guard_index[] = {STR_INIT("___"), STR_INIT("\"num_threads\":")};

static bool is_of_process(const struct rank_neutral *n, struct str before)
{
    if (n->title)
        return true;
    /* The last characters of these texts, for a quick test: most numbers follow something else. */
    if (before.n == 0 || !memchr(":(m='_", before.p[before.n - 1], 6))
        return false;
    return str_ends_any(before, before_index, sizeof before_index / sizeof *before_index) ||
           (n->guards &&
            str_ends_any(before, before_guard_index, sizeof before_guard_index / sizeof *before_guard_index));
}

enum { ADDRESS_DIGITS = 12, GUARD_ID_DIGITS = 7, HEX_DIGITS = 6 };

/* Inductor's estimate of an operation's run time, some of which it measures. */
static bool is_estimate(struct str before)
{
    return str_ends(before, STR("\"estimated_runtime_ns\": "));
}

/* Handles a number at the start of s; `before` is the line up to it. Returns the number of bytes taken. */
static size_t number(const struct rank_neutral *n, struct str before, struct str s, struct buf *out)
{
    size_t digits = run_of(s, DIGIT), hex = 0;

    if (digits == 1 && s.p[0] == '0' && s.n > 1 && s.p[1] == 'x')
        hex = run_of(str_skip(s, 2), HEX);
    if (is_estimate(before))
        return run_of(s, NUMBER);
    if (n->without_sizes && n->brackets)
        return digits;
    if (hex >= HEX_DIGITS) {
        buf_str(out, STR("0x"));
        return 2 + hex;
    }
    if (is_of_process(n, before))
        return digits;
    if (digits >= (n->guards ? GUARD_ID_DIGITS : ADDRESS_DIGITS))
        buf_char(out, '#');
    else
        buf_add(out, s.p, digits);
    return digits;
}

/* --- paths -------------------------------------------------------------------------------------------------------- */

/* "c" and the base32 hash of the content: how Inductor names the files it writes (codecache.py, code_hash). */
static bool is_generated(struct str name)
{
    enum { NAME_LEAST = 40 };

    for (size_t i = 0; i < name.n && name.p[i] != '.'; i++)
        if (!is(DIGIT, name.p[i]) && !(name.p[i] >= 'a' && name.p[i] <= 'z'))
            return false;
    return name.n >= NAME_LEAST && name.p[0] == 'c';
}

/*
 * Handles an absolute path with at least two components at the start of s: its directories are dropped. 0 if there is
 * none.
 */
static size_t path(struct str s, struct buf *out)
{
    size_t all = run_of(s, PATH);
    struct str name;

    if (all < 2 || s.p[1] == '/' || str_rchr(str_take(s, all), '/') == 0)
        return 0;
    name = str_skip(str_take(s, all), (size_t)str_rchr(str_take(s, all), '/') + 1);
    buf_char(out, '/');
    if (!is_generated(name))
        buf_str(out, name);
    return all;
}

/* --- process groups ----------------------------------------------------------------------------------------------- */

size_t rank_neutral_group(struct rank_neutral *n, struct str name)
{
    for (size_t i = 0; i < n->group_count; i++)
        if (str_eq(n->groups[i], name))
            return i + 1;
    if (n->group_count < RANK_GROUPS_MAX)
        n->groups[n->group_count++] = name;
    return n->group_count;
}

/* The last quoted argument of a collective's call; empty if there is none. */
static struct str group_of(struct str line)
{
    ptrdiff_t at = str_find(line, STR("c10d_functional.")), end;
    struct str call;

    if (at < 0)
        return (struct str){0};
    call = str_skip(line, (size_t)at);
    end = str_find(call, STR("')"));
    if (end <= 0)
        return (struct str){0};
    call = str_take(call, (size_t)end);
    return str_skip(call, (size_t)(str_rchr(call, '\'') + 1));
}

/* --- a line ------------------------------------------------------------------------------------------------------- */

/* In guards, a name that contains the id of an object: "___check_opaque_guard_fn_140106093723424_c0". */
static bool is_object_id(const struct rank_neutral *n, struct str line, size_t at)
{
    return n->guards && at > 0 && line.p[at - 1] == '_' && run_of(str_skip(line, at), DIGIT) >= GUARD_ID_DIGITS;
}

/* For "stream3", and in guards for "__builtins_dict___8", only the word: the number is handled next. */
static size_t word_length(const struct rank_neutral *n, struct str line, size_t at, size_t all)
{
    size_t word = all;

    for (size_t i = 1; n->guards && i < all; i++)
        if (is(DIGIT, line.p[at + i]) && is_object_id(n, line, at + i))
            return i;
    while (word > 1 && is(DIGIT, line.p[at + word - 1]))
        word--;
    return word < all && is_of_process(n, str_take(line, at + word)) ? word : all;
}

/*
 * Dynamo's name for a compiled function (torch/_dynamo/output_graph.py), followed by a number and, from 2.8 on, a
 * UUID.
 */
static const struct str made_name = STR_INIT("__compiled_fn_");

/* Handles one piece that differs on other ranks; returns the bytes taken, 0 if it turns out to stay as it is. */
static size_t change(const struct rank_neutral *n, struct str line, size_t at, struct buf *out)
{
    struct str s = str_skip(line, at);

    if (is(DIGIT, s.p[0]))
        return number(n, str_take(line, at), s, out);
    if (s.p[0] == '/')
        return path(s, out);
    buf_str(out, made_name);
    return run_of(s, WORD);
}

/* Whether the text at a place may differ: a number, an absolute path, or the name of a compiled function. */
static bool may_change(const struct rank_neutral *n, struct str line, size_t at)
{
    bool inside = at > 0 && (is(WORD, line.p[at - 1]) || line.p[at - 1] == '.');

    if (is(DIGIT, line.p[at]))
        return !inside || is_of_process(n, str_take(line, at)) || is_object_id(n, line, at);
    return !inside && (line.p[at] == '/' || (line.p[at] == '_' && str_starts(str_skip(line, at), made_name)));
}

/* Text is copied in long pieces, from one place that may differ to the next. */
static void add(struct rank_neutral *n, struct str line, struct buf *out)
{
    size_t copied = 0, at = 0;

    if (!n->json)
        n->brackets = 0;
    while (at < line.n) {
        struct str s = str_skip(line, at);
        size_t taken = 0;

        n->brackets += s.p[0] == '[';
        n->brackets -= s.p[0] == ']' && n->brackets > 0;

        if (may_change(n, line, at)) {
            buf_add(out, line.p + copied, at - copied);
            copied = at;
            taken = change(n, line, at, out);
            copied += taken;
        }
        if (taken == 0)
            taken = is(WORD, s.p[0]) ? word_length(n, line, at, run_of(s, WORD)) : 1;
        at += taken;
    }
    if (copied < line.n)
        buf_add(out, line.p + copied, line.n - copied);
}

/* "Guard latency = 43.61 us", "Guard eval latency = …": measured times. */
static bool is_time(struct str line)
{
    return str_starts(str_trim(line), STR("Guard ")) && str_has(line, STR("latency = "));
}

void rank_neutral_line(struct rank_neutral *n, struct str line, struct buf *out)
{
    struct str group = group_of(line);
    size_t before;

    n->title = str_starts(str_trim(line), STR("====="));
    if (n->guards) {
        if (!is_time(line))
            add(n, guard_comment_check(line), out);
        return;
    }
    if (group.n == 0) {
        add(n, line, out);
        return;
    }
    before = (size_t)(group.p - line.p);
    add(n, str_take(line, before), out);
    buf_printf(out, "group %zu", rank_neutral_group(n, group));
    add(n, str_skip(line, before + group.n), out);
}
