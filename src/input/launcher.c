#include "input/launcher.h"

#include "input/glog.h"
#include "input/limits.h"

enum { PREFIX_MAX = 256 };

static bool is_word(char c)
{
    return str_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
}

/* The length of the run of word characters and characters in `set`. Not isalnum, which depends on the locale. */
static size_t span(struct str s, size_t from, const char *set)
{
    size_t i = from;

    while (i < s.n && (is_word(s.p[i]) || (s.p[i] && strchr(set, s.p[i]))))
        i++;
    return i - from;
}

static size_t skip_blanks(struct str s, size_t i)
{
    while (i < s.n && s.p[i] == ' ')
        i++;
    return i;
}

/* The number at the end of "rank12", "default0" or "trainer0|1"; -1 if there is none. */
static int trailing_rank(struct str word)
{
    size_t i = word.n;
    uint64_t v;

    while (i && str_is_digit(word.p[i - 1]))
        i--;
    return str_u64(str_skip(word, i), &v) && v <= LIMIT_RANK ? (int)v : -1;
}

/* "[rank0]:", "[trainer0|1]: ", "[1,0]<stdout>:", "[prterun-node-4711@1,0]<stdout>: ". One blank may follow. */
static size_t bracket_token(struct str s, struct launcher *l)
{
    size_t word, i;

    if (s.n == 0 || s.p[0] != '[')
        return 0;
    word = span(s, 1, "|,:/@ ");
    i = 1 + word;
    if (word == 0 || i >= s.n || s.p[i] != ']')
        return 0;
    i++;
    if (i < s.n && s.p[i] == '<') {
        i += 1 + span(s, i + 1, "");
        if (i >= s.n || s.p[i] != '>')
            return 0;
        i++;
    }
    if (i < s.n && s.p[i] == ':')
        i++;
    if (i < s.n && s.p[i] == ' ')
        i++;
    if (l->rank < 0)
        l->rank = trailing_rank((struct str){s.p + 1, word});
    return i;
}

/* "(EngineCore pid=42) ", "(VllmWorker rank=4 pid=842) ", "(RayTrainWorker pid=7, ip=10.0.0.1) ". */
static size_t paren_token(struct str s, struct launcher *l)
{
    struct str rank;
    ptrdiff_t at;
    uint64_t v;
    size_t i;

    if (s.n == 0 || s.p[0] != '(')
        return 0;
    i = 1 + span(s, 1, " =,:");
    if (i + 1 >= s.n || s.p[i] != ')' || s.p[i + 1] != ' ')
        return 0;
    rank = str_take(s, i);
    at = str_find(rank, STR(" rank="));
    rank = str_skip(rank, at < 0 ? rank.n : (size_t)at + 6);
    if (l->rank < 0 && str_take_u64(&rank, &v) && v <= LIMIT_RANK)
        l->rank = (int)v;
    return i + 2;
}

/* The length of "07:54:38" or "07:54:38.027". */
static size_t hour_length(struct str s)
{
    size_t i = 8;

    for (size_t at = 0; at < 8; at++)
        if (at >= s.n || (at % 3 == 2 ? s.p[at] != ':' : !str_is_digit(s.p[at])))
            return 0;
    if (i + 1 < s.n && (s.p[i] == '.' || s.p[i] == ',') && str_is_digit(s.p[i + 1]))
        for (i++; i < s.n && str_is_digit(s.p[i]);)
            i++;
    return i;
}

/*
 * The length of "2026-11-21T07:54:38.027123Z" or "2026-11-21 07:54:38,027", with a zone like +00:00, or of the time
 * alone.
 */
static size_t time_length(struct str s)
{
    size_t hour = hour_length(s);

    if (hour)
        return hour;
    if (s.n < 19 || !str_is_digit(s.p[0]) || s.p[4] != '-' || s.p[7] != '-' || (s.p[10] != 'T' && s.p[10] != ' ') ||
        s.p[13] != ':' || s.p[16] != ':')
        return 0;
    return 11 + span(s, 11, ":,+");
}

/* A time and a blank; if it is in brackets, an optional colon and blank. */
static size_t time_token(struct str s)
{
    bool bracket = str_consume(&s, STR("["));
    size_t i = time_length(s);

    if (i == 0 || i >= s.n)
        return 0;
    if (!bracket)
        return s.p[i] == ' ' ? i + 1 : 0;
    if (s.p[i] != ']')
        return 0;
    i++;
    i += i < s.n && s.p[i] == ':';
    i += i < s.n && s.p[i] == ' ';
    return i + 1;
}

/* The stream and completeness flags of Kubernetes logs: "stdout F ". */
static size_t stream_token(struct str s)
{
    if (!str_starts(s, STR("stdout ")) && !str_starts(s, STR("stderr ")))
        return 0;
    return s.n >= 9 && (s.p[7] == 'F' || s.p[7] == 'P') && s.p[8] == ' ' ? 9 : 0;
}

/* docker build: "#14 31.33 ", the number of the step and its seconds. */
static size_t step_token(struct str s)
{
    struct str rest = s;
    uint64_t v;

    return str_consume(&rest, STR("#")) && str_take_u64(&rest, &v) && str_consume(&rest, STR(" ")) &&
                   str_take_u64(&rest, &v) && str_consume(&rest, STR(".")) && str_take_u64(&rest, &v) &&
                   str_consume(&rest, STR(" "))
               ? (size_t)(rest.p - s.p)
               : 0;
}

/*
 * docker compose: "web-1 | ". srun --label: "3: ", where the number is the rank. pdsh and clush: "node-3: ", where it
 * is not.
 */
static size_t name_token(struct str s, struct launcher *l)
{
    size_t word = span(s, 0, ""), i = skip_blanks(s, word);
    uint64_t v;

    if (word == 0 || i + 1 >= s.n)
        return 0;
    if (s.p[i] == '|' && s.p[i + 1] == ' ')
        return i + 2;
    if (s.p[word] != ':' || s.p[word + 1] != ' ')
        return 0;
    if (l->rank < 0 && str_u64(str_take(s, word), &v) && v <= LIMIT_RANK)
        l->rank = (int)v;
    return word + 2;
}

/* Whether a text begins like the key of a rank. */
static bool begins_rank(struct str line)
{
    static const struct str words[] = {STR_INIT("[rank"), STR_INIT("[default"), STR_INIT("[trainer"),
                                       STR_INIT("[worker")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(line, words[i]))
            return line.n > words[i].n && str_is_digit(line.p[words[i].n]);
    return false;
}

bool launcher_names_rank(struct str key)
{
    ptrdiff_t last = str_rchr(key, '[');

    return last >= 0 && begins_rank(str_skip(key, (size_t)last)) && str_ends(key, STR("]:"));
}

bool launcher_names_process(struct str key)
{
    return launcher_names_rank(key) || str_has(key, STR("pid=")) || str_has(key, STR("rank="));
}

/*
 * The first token that is not a time is the key. If it names a node or a container, as in "node-3: [rank1]: ", several
 * ranks may write after it, so the rank is part of the key.
 */
static void note_token(struct launcher *l, struct str token)
{
    bool adjacent;

    token = str_trim(token);
    if (l->key.n == 0) {
        l->key = token;
        return;
    }
    if (!launcher_names_rank(token) || launcher_names_process(l->key))
        return;
    adjacent = str_trim(str_range(l->key.p + l->key.n, token.p)).n == 0;
    l->key = adjacent ? str_range(l->key.p, token.p + token.n) : token;
    l->rank = trailing_rank(str_take(str_skip(token, 1), (size_t)str_rchr(token, ']') - 1));
}

/* The only proof that the part removed was a prefix: user output may begin with anything. */
static bool trace_follows(struct str s)
{
    struct glog g;

    return s.n && (s.p[0] == '\t' || glog_parse(s, &g));
}

/* Takes tokens off s until a tab or a record follows. */
static bool take_tokens(struct str line, struct launcher *l, struct str *rest)
{
    struct str s = line;

    while (s.n && (size_t)(s.p - line.p) < PREFIX_MAX) {
        size_t named, k = time_token(s);

        if (!k)
            k = stream_token(s);
        if (!k)
            k = step_token(s);
        named = k ? 0 : bracket_token(s, l);
        if (!k && !named)
            named = paren_token(s, l);
        if (!k && !named)
            named = name_token(s, l);
        if (!k && !named)
            return false;
        if (named)
            note_token(l, str_take(s, named));
        s = str_skip(s, k + named);
        if (trace_follows(s)) {
            l->prefix = str_range(line.p, s.p);
            *rest = s;
            return true;
        }
    }
    return false;
}

bool launcher_split(struct str line, struct str known, struct launcher *out, struct str *rest)
{
    ptrdiff_t at;

    *out = (struct launcher){.rank = -1};
    *rest = line;
    if (trace_follows(line))
        return true;
    if (take_tokens(line, out, rest))
        return true;
    *out = (struct launcher){.rank = -1};
    if (known.n && str_starts(line, known) && trace_follows(str_skip(line, known.n)))
        at = (ptrdiff_t)known.n;
    else
        at = glog_find(str_take(line, PREFIX_MAX), 0);
    if (at <= 0)
        return false;
    /* No key: this may as well be the rest of a damaged line, which must not start a stream of its own. */
    out->prefix = str_take(line, (size_t)at);
    *rest = str_skip(line, (size_t)at);
    return true;
}

static size_t timed_tokens(struct str s)
{
    size_t n = 0, k;

    while ((k = time_token(str_skip(s, n))) || (k = stream_token(str_skip(s, n))) || (k = step_token(str_skip(s, n))))
        n += k;
    return n;
}

/* Unless a prefix follows as proof, "node-3: " may as well be the name of an exception or any other word. */
static size_t sure_name_token(struct str s, struct launcher *l)
{
    size_t n = name_token(s, l);
    uint64_t v;

    return n && s.p[n - 2] == ':' && !str_u64(str_take(s, n - 2), &v) ? 0 : n;
}

bool launcher_take(struct str line, struct launcher *out, struct str *rest)
{
    size_t n, k;

    *out = (struct launcher){.rank = -1};
    n = timed_tokens(line);
    if ((k = bracket_token(str_skip(line, n), out)) || (k = paren_token(str_skip(line, n), out)) ||
        (k = sure_name_token(str_skip(line, n), out))) {
        out->key = str_trim(str_take(str_skip(line, n), k));
        n += k;
        n += timed_tokens(str_skip(line, n));
        k = bracket_token(str_skip(line, n), out);
        if (launcher_names_rank(str_trim(str_take(str_skip(line, n), k)))) {
            note_token(out, str_take(str_skip(line, n), k));
            n += k;
        }
    }
    out->prefix = str_take(line, n);
    *rest = str_skip(line, n);
    return n > 0;
}

/* The length of the escape sequence at the start of s. */
static size_t escape_length(struct str s)
{
    size_t i = 2;

    if (s.n < 2)
        return s.n;
    if (s.p[1] == '[') {
        while (i < s.n && (unsigned char)s.p[i] >= 0x20 && (unsigned char)s.p[i] <= 0x3f)
            i++;
        return i < s.n ? i + 1 : i;
    }
    if (s.p[1] == ']') {
        while (i < s.n && s.p[i] != '\a' && s.p[i] != '\x1b')
            i++;
        if (i < s.n)
            i += s.p[i] == '\x1b' ? 2 : 1;
        return i < s.n ? i : s.n;
    }
    return 2;
}

void ansi_strip(struct buf *out, struct str s)
{
    while (s.n) {
        ptrdiff_t esc = str_chr(s, '\x1b');

        if (esc < 0) {
            buf_str(out, s);
            return;
        }
        buf_add(out, s.p, (size_t)esc);
        s = str_skip(s, (size_t)esc);
        s = str_skip(s, escape_length(s));
    }
}
