#include "torchlog/apply/marks.h"

#include "text/messages/time_line.h"
#include "text/python/exception_line.h"
#include "torchlog/apply/log_kinds.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/shell_death.h"

#include <assert.h>
#include <pthread.h>

/*
 * Besides what the rows of log_kinds with LOG_HEADLESS begin with. '#' is any digit. Each mark has at least
 * GRAM + STEP - 1 bytes.
 */
static const struct str place = STR_INIT(".py:#"); /* is_place says what follows */
static const struct str marks[] = {
    /* "torch._dynamo.guards: [DEBUG] ", "[DEBUG] torch._dynamo.guards: ", "DEBUG:torch._dynamo.guards:" */
    STR_INIT(": [DEBUG]"),
    STR_INIT(": [INFO]"),
    STR_INIT(": [WARNING]"),
    STR_INIT(": [ERROR]"),
    STR_INIT(": [CRITICAL]"),
    STR_INIT("] torch"),
    STR_INIT(":torch"),
    /* of launchers, behind a time or not: launcher_names_rank */
    STR_INIT("[rank#"),
    STR_INIT("[default#"),
    STR_INIT("[trainer#"),
    STR_INIT("[worker#"),
    /* of pytest, see also begins_marked */
    STR_INIT("\nE   "),
    /* crash_begins */
    STR_INIT("Traceback (most recent call last)"),
    STR_INIT("Thread #"),
    STR_INIT("Current thread #x"),
    STR_INIT("Exception in thread "),
    STR_INIT("Exception ignored in"),
    STR_INIT("Fatal Python error: "),
    STR_INIT("Windows fatal exception: "),
    STR_INIT("terminate called "),
    STR_INIT(".cpp:"),
    STR_INIT("] Caught signal "),
    STR_INIT("==== backtrace (tid:"),
    STR_INIT("Assertion `"),
    STR_INIT("free(): "),
    STR_INIT("alloc(): "),
    STR_INIT("consolidate(): "),
    STR_INIT("munmap_chunk(): "),
    STR_INIT("double free or corruption"),
    STR_INIT("corrupted double-linked list"),
    STR_INIT("corrupted size vs. "),
    STR_INIT(" detected ***"),
    STR_INIT(": *** error for object "),
    STR_INIT("File \""),
    STR_INIT("-packages/torch/"),
    STR_INIT("Cell In["),
    STR_INIT(".ipynb Cell "),
    /* log_kind_within: guards that failed, "    - 0/0: " */
    STR_INIT(" - #/"),
    STR_INIT("\n- #/"),
    STR_INIT(" - ##/"),
    STR_INIT("\n- ##/"),
    STR_INIT("reason: #"),
    /* explain_reasons_find */
    STR_INIT("'graph_break': Counter({"),
    STR_INIT("graph_break [("),
};

/*
 * A text is looked at in grams of four bytes, at every second place: wherever a mark stands, it has a gram there. Of
 * the grams that a mark has at even places and of those at odd ones, the rarest is in a table, by a hash; a block of
 * text none of whose grams is in it has no mark.
 */
enum { GRAM = 4, STEP = 2, BLOCK = 16, HASH_BITS = 16, GRAMS_MAX = 2000 };
static struct gram {
    struct str mark;
    size_t at; /* in the mark */
    uint32_t bytes;
    uint16_t next;
} grams[GRAMS_MAX];
static uint16_t by_hash[1 << HASH_BITS]; /* indices plus 1 */
static bool known[1 << HASH_BITS];       /* whether there is one: half as many bytes to look at */
static pthread_once_t grams_made = PTHREAD_ONCE_INIT;

static inline uint32_t gram_at(const char *p)
{
    uint32_t bytes;

    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

static inline uint32_t hash(const char *p)
{
    return gram_at(p) * 3266489909u >> (32 - HASH_BITS);
}

/* Prose is made of small letters and blanks, and has more capitals and digits than other signs. */
static int rarity(const char *p)
{
    int rare = 0;

    for (size_t i = 0; i < GRAM; i++)
        if (p[i] != ' ' && !(p[i] >= 'a' && p[i] <= 'z'))
            rare += (p[i] >= 'A' && p[i] <= 'Z') || p[i] == '#' ? 1 : 2;
    return rare;
}

static void add_bytes(struct str mark, size_t at, char *bytes)
{
    static size_t n;
    char *digit = memchr(bytes, '#', GRAM);
    uint16_t *slot;

    for (char c = '0'; digit && c <= '9'; c++) {
        *digit = c;
        add_bytes(mark, at, bytes);
    }
    if (digit) {
        *digit = '#';
        return;
    }
    slot = &by_hash[hash(bytes)];
    assert(n < GRAMS_MAX);
    grams[n] = (struct gram){mark, at, gram_at(bytes), *slot};
    *slot = (uint16_t)++n;
    known[hash(bytes)] = true;
}

static void add_gram(struct str mark, size_t at)
{
    char bytes[GRAM];

    memcpy(bytes, mark.p + at, GRAM);
    add_bytes(mark, at, bytes);
}

static void add_mark(struct str mark)
{
    assert(mark.n >= GRAM + STEP - 1);
    for (size_t first = 0; first < STEP; first++) {
        size_t best = first;

        for (size_t at = first; at + GRAM <= mark.n; at += STEP)
            if (rarity(mark.p + at) > rarity(mark.p + best))
                best = at;
        add_gram(mark, best);
    }
}

static void make_grams(void)
{
    add_mark(place);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        add_mark(marks[i]);
    for (size_t i = 0; exception_mark(i).n; i++)
        add_mark(exception_mark(i));
    for (size_t i = 0; crash_lone_words(i).n; i++)
        add_mark(crash_lone_words(i));
    for (size_t i = 0; shell_words(i).n; i++)
        add_mark(shell_words(i));
    for (size_t i = 0; time_line_words(i).n; i++)
        add_mark(time_line_words(i));
    for (size_t i = 0; i < log_kind_count; i++) {
        struct str rest = str_of(log_kinds[i].begins), has = str_of(log_kinds[i].has), line;

        while ((log_kinds[i].flags & LOG_HEADLESS) && str_next_line(&rest, &line))
            add_mark(has.n > line.n ? has : line);
    }
}

static bool begins_with(struct str text, struct str mark)
{
    if (text.n < mark.n)
        return false;
    for (size_t i = 0; i < mark.n; i++)
        if (mark.p[i] == '#' ? !str_is_digit(text.p[i]) : mark.p[i] != text.p[i])
            return false;
    return true;
}

/*
 * Behind ".py:7": "torch/_dynamo/guards.py:4786]", of pytest "test_shop.py:8: in test_total" and "test_shop.py:8: ", of
 * notebooks "shop.py:8, in total(x)". Other loggers go on behind the colon.
 */
static bool is_place(struct str text)
{
    size_t n = 0;

    while (n < text.n && str_is_digit(text.p[n]))
        n++;
    if (n < text.n && text.p[n] == ',')
        return str_starts(str_skip(text, n), STR(", in "));
    if (n == text.n || text.p[n] != ':')
        return n < text.n && text.p[n] == ']';
    do
        n++;
    while (n < text.n && (text.p[n] == ' ' || text.p[n] == '\r'));
    return n == text.n || text.p[n] == '\n' || str_starts(str_skip(text, n), STR("in "));
}

/* Whether a mark has its gram at `at`; *end is behind the mark. */
static bool has_mark(struct str text, size_t at, size_t *end)
{
    for (unsigned i = by_hash[hash(text.p + at)]; i; i = grams[i - 1].next) {
        const struct gram *g = &grams[i - 1];
        size_t begin = at - g->at;

        if (g->bytes != gram_at(text.p + at) || at < g->at || !begins_with(str_skip(text, begin), g->mark))
            continue;
        *end = begin + g->mark.n;
        if (g->mark.p != place.p || is_place(str_skip(text, *end)))
            return true;
    }
    return false;
}

/* Whether a gram of BLOCK bytes is in the table. Most blocks have none: the bits are joined without branches. */
static inline bool may_have_mark(const char *p)
{
    unsigned any = 0;

    for (unsigned i = 0; i < BLOCK; i += STEP)
        any |= known[hash(p + i)];
    return any != 0;
}

/* The same of each of them, a bit for each byte that it begins with: fewer guesses for the processor. */
static inline unsigned grams_in(const char *p)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < BLOCK; i += STEP)
        bits |= (unsigned)known[hash(p + i)] << i;
    return bits;
}

/* The place behind the first mark, or the end of the text. */
static size_t end_of_mark(struct str text)
{
    size_t at = 0, end;

    for (; at + BLOCK + GRAM <= text.n; at += BLOCK) {
        if (!may_have_mark(text.p + at))
            continue;
        for (unsigned bits = grams_in(text.p + at); bits; bits &= bits - 1)
            if (has_mark(text, at + (unsigned)__builtin_ctz(bits), &end))
                return end;
    }
    for (; at + GRAM <= text.n; at += STEP)
        if (has_mark(text, at, &end))
            return end;
    return text.n;
}

/* For a line before which no other stands. */
static bool begins_marked(struct str text)
{
    return str_starts(text, STR("E   ")) || begins_with(text, STR("- #/")) || begins_with(text, STR("- ##/"));
}

size_t log_unmarked(struct str text)
{
    const char *newline;
    size_t end;

    pthread_once(&grams_made, make_grams);
    if (begins_marked(text))
        return 0;
    end = end_of_mark(text);
    newline = end ? memrchr(text.p, '\n', end) : NULL;
    return newline ? (size_t)(newline - text.p) + 1 : 0;
}
