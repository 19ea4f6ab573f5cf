#include "input/logger.h"

#include "input/glog.h"

enum { PREFIX_MAX = 200, TOKENS_MAX = 12, NAMES_MAX = 2, WORD_MAX = 80 };

struct prefix {
    struct str rest;
    char level; /* 0 until one is seen */
    bool timed;
    int names; /* words that may be names of loggers, if a level follows */
};

/* "INFO", "Warn", "trace"; only brackets make a level of a word in small letters. */
static bool is_level(struct str word, bool bracketed, char *out)
{
    static const struct {
        struct str word;
        char level;
    } others[] = {
        {STR_INIT("WARN"), 'W'}, {STR_INIT("FATAL"), 'C'}, {STR_INIT("TRACE"), 'V'}, {STR_INIT("NOTICE"), 'I'},
    };
    char upper[WORD_MAX];
    struct str w = {upper, word.n};

    if (word.n == 0 || word.n > sizeof upper)
        return false;
    for (size_t i = 0; i < word.n; i++)
        upper[i] = bracketed && word.p[i] >= 'a' && word.p[i] <= 'z' ? (char)(word.p[i] - 'a' + 'A') : word.p[i];
    if (glog_level_of(w, out))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_eq(others[i].word, w)) {
            *out = others[i].level;
            return true;
        }
    return false;
}

/* "2024-05-06", "07:08:09,123", "2024-05-06T07:08:09.123Z". */
static bool is_time(struct str word)
{
    size_t digits = 0, marks = 0;

    for (size_t i = 0; i < word.n; i++) {
        digits += str_is_digit(word.p[i]);
        marks += strchr("-:/.,T+Z", word.p[i]) != NULL;
    }
    return digits >= 4 && marks >= 1 && digits + marks == word.n && str_is_digit(word.p[0]);
}

static size_t letters(struct str s)
{
    size_t n = 0;

    while (n < s.n && (str_is_word_char(s.p[n]) || s.p[n] == '.'))
        n++;
    return n;
}

/* "[INFO|shop.py:151]", "(Worker pid=3)", "[shop:shop.py:sell:0151]": one of them may have the level or the time. */
static bool take_group(struct prefix *p)
{
    char close = *p->rest.p == '[' ? ']' : ')', level;
    ptrdiff_t end = str_chr(str_take(p->rest, PREFIX_MAX), close);
    struct str inside = str_take(p->rest, end < 0 ? 0 : (size_t)end), word;

    if (end < 0)
        return false;
    inside = str_skip(inside, 1);
    word = str_split(&inside, ' ');
    p->timed |= is_time(word);
    if (!p->level && is_level(str_take(word, letters(word)), true, &level))
        p->level = level;
    p->rest = str_skip(p->rest, (size_t)end + 1);
    return true;
}

/* Behind the level: "shop.py:151]", "shop:sell:151 - ". The type of an exception has no number. */
static bool is_place(struct str word, struct str behind)
{
    bool ends = str_ends(word, STR("]")) || str_ends(word, STR(":"));
    struct str bare = ends ? str_drop(word, 1) : word;
    ptrdiff_t colon = str_rchr(bare, ':');
    int64_t line;

    return (colon > 0 && str_i64(str_skip(bare, (size_t)colon + 1), &line)) || str_starts(behind, STR(" - "));
}

/* "INFO", and of "DEBUG:shop.train:text" both words. */
static bool take_level(struct prefix *p)
{
    size_t n = letters(p->rest), name;
    char level;

    if (!is_level(str_take(p->rest, n), false, &level) || (n < p->rest.n && !strchr(" :|-]", p->rest.p[n])))
        return false;
    p->level = level;
    p->rest = str_skip(p->rest, n);
    if (p->names == 0 && !p->timed && str_consume(&p->rest, STR(":")) && (name = letters(p->rest)) > 0 &&
        name < p->rest.n && p->rest.p[name] == ':')
        p->rest = str_skip(p->rest, name + 1);
    return true;
}

static bool take_word(struct prefix *p)
{
    ptrdiff_t end = str_chr(str_take(p->rest, WORD_MAX), ' ');
    struct str word = str_take(p->rest, end < 0 ? p->rest.n : (size_t)end), behind = str_skip(p->rest, word.n);

    if (word.n > WORD_MAX)
        return false;
    if (is_time(word)) {
        p->timed = true;
        p->rest = behind;
        return true;
    }
    if (!p->level && take_level(p))
        return true;
    if (p->level ? !is_place(word, behind) : !p->timed || ++p->names > NAMES_MAX)
        return false;
    p->rest = behind;
    return true;
}

static struct str skip_marks(struct str s)
{
    while (s.n && strchr(" -|:>\t", *s.p))
        s = str_skip(s, 1);
    return s;
}

bool logger_take(struct str *line, char *level)
{
    /* A launcher's time was taken off before "- shop.train - INFO - text". */
    bool timed = str_starts(*line, STR("- ")) || str_starts(*line, STR("| "));
    struct prefix p = {.rest = skip_marks(*line), .timed = timed};

    for (int i = 0; i < TOKENS_MAX && p.rest.n; i++) {
        if (*p.rest.p == '[' || *p.rest.p == '(' ? !take_group(&p) : !take_word(&p))
            break;
        p.rest = skip_marks(p.rest);
    }
    if (!p.level)
        return false;
    *line = p.rest;
    *level = p.level;
    return true;
}

bool logger_only_informs(struct str line)
{
    struct glog g;
    char level;

    return (glog_parse(line, &g) && (level = g.level)) || logger_take(&line, &level) ? level == 'I' || level == 'V'
                                                                                      : false;
}
