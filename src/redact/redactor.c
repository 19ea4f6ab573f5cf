#include "redact/redactor.h"

#include "redact/address.h"
#include "util/formats/json.h"
#include "util/mem.h"
#include "util/utf8.h"

#include <stdlib.h>

struct redactor *redactor_new(void)
{
    struct arena *a = arena_new();
    struct redactor *r = ARENA_NEW(a, struct redactor);

    r->arena = a;
    placeholders_init(&r->placeholders, a);
    words_init(&r->words, a, &r->placeholders);
    return r;
}

void redactor_free(struct redactor *r)
{
    if (!r)
        return;
    buf_free(&r->text);
    arena_free(r->arena);
}

/* --- one text ----------------------------------------------------------------------------------------------------- */

struct scan {
    struct redactor *r;
    struct str text;
    size_t at;
    bool prose;
    struct buf *out;
    struct buf word; /* with its escapes resolved */
    size_t run_end;  /* the end of the run of path characters that begins at `at`, if it lies beyond `at` */
    bool says_which; /* the word before was "index" or "dimension" */
};

static char peek(const struct scan *s, size_t ahead)
{
    return s->at + ahead < s->text.n ? s->text.p[s->at + ahead] : '\0';
}

/*
 * A sign beyond ASCII that occurs in no name (Latin-1, punctuation, arrows, box drawing, pictures): its length in
 * bytes, or 0.
 */
static size_t sign_length(const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;

    if (n >= 2 && u[0] == 0xc2 && u[1] >= 0x80 && u[1] < 0xc0 && u[1] != 0xaa && u[1] != 0xb5 && u[1] != 0xba)
        return 2;
    if (n >= 2 && u[0] == 0xc3 && (u[1] == 0x97 || u[1] == 0xb7))
        return 2;
    if (n >= 3 && u[0] == 0xe2 && u[1] >= 0x80 && u[1] < 0xb0)
        return 3;
    return 0;
}

static bool is_word_byte(const struct scan *s, size_t at)
{
    unsigned char c = at < s->text.n ? (unsigned char)s->text.p[at] : 0;

    if (c < 0x80)
        return c == '_' || str_is_digit((char)c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    return sign_length(s->text.p + at, s->text.n - at) == 0;
}

/* The character that "\u00e9" at `at` stands for, or -1. */
static int escaped(const struct scan *s, size_t at)
{
    struct str text = str_skip(s->text, at);
    unsigned code;

    return str_starts(text, STR("\\u")) && str_hex4(str_skip(text, 2), &code) ? (int)code : -1;
}

static bool is_letter_code(int code)
{
    return code >= 0xc0 && (code < 0x2000 || code >= 0x2c00) && code != 0xd7 && code != 0xf7;
}

/* Whether an address begins inside a word that began earlier: the 10.0.3.17 of worker10.0.3.17. */
static bool at_address(const struct scan *s, size_t from)
{
    return s->at > from && str_is_digit(peek(s, 0)) && !str_is_digit(s->text.p[s->at - 1]) &&
           address_length(s->text, s->at);
}

/* Reads a word into s->word, up to an address inside it, with JSON escapes resolved. */
static struct str take_word(struct scan *s)
{
    size_t from = s->at;
    bool plain = true;

    s->word.n = 0;
    for (;;) {
        int code;

        if (is_word_byte(s, s->at) && !at_address(s, from)) {
            buf_char(&s->word, s->text.p[s->at++]);
        } else if (is_letter_code(code = escaped(s, s->at))) {
            utf8_put(&s->word, (unsigned)code);
            s->at += 6;
            plain = false;
        } else {
            return plain ? str_range(s->text.p + from, s->text.p + s->at) : buf_view(&s->word);
        }
    }
}

static void put(struct scan *s, struct str text)
{
    buf_str(s->out, text);
}

static void copy(struct scan *s, size_t n)
{
    put(s, str_take(str_skip(s->text, s->at), n));
    s->at += n;
}

/* Letters that may follow digits: a unit, a type of C, an exponent, the x of 3x4. */
static bool is_suffix(struct str s)
{
    static const struct str known[] = {
        STR_INIT("e"),  STR_INIT("E"),  STR_INIT("j"),   STR_INIT("f"),   STR_INIT("F"),   STR_INIT("L"),
        STR_INIT("l"),  STR_INIT("u"),  STR_INIT("U"),   STR_INIT("UL"),  STR_INIT("ULL"), STR_INIT("LL"),
        STR_INIT("x"),  STR_INIT("s"),  STR_INIT("ms"),  STR_INIT("us"),  STR_INIT("ns"),  STR_INIT("th"),
        STR_INIT("st"), STR_INIT("nd"), STR_INIT("rd"),  STR_INIT("GB"),  STR_INIT("MB"),  STR_INIT("KB"),
        STR_INIT("d"),  STR_INIT("D"),  STR_INIT("GiB"), STR_INIT("MiB"), STR_INIT("KiB"), STR_INIT("a"),
        STR_INIT("rc"), STR_INIT("p"),  STR_INIT("ull"), STR_INIT("ll"),
    };

    while (s.n && str_is_digit(s.p[s.n - 1]))
        s = str_drop(s, 1);
    return STR_IS_ANY(s, known) || s.n == 0;
}

enum { DIGITS_MAX = 20, HEX_MAX = 16 };

static bool is_hex_number(struct str s)
{
    if (!str_consume(&s, STR("0x")) || s.n == 0 || s.n > HEX_MAX)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (str_hex_digit(s.p[i]) < 0)
            return false;
    return true;
}

/* A word that begins with a digit. */
static bool is_number(struct str s)
{
    size_t digits = 0;

    if (s.n > 2 * DIGITS_MAX || is_hex_number(s))
        return s.n <= 2 * DIGITS_MAX;
    while (digits < s.n && (str_is_digit(s.p[digits]) || s.p[digits] == '_'))
        digits++;
    return digits <= DIGITS_MAX && is_suffix(str_skip(s, digits));
}

static struct str placeholder(struct scan *s, enum redaction_sort sort, struct str original)
{
    return placeholder_of(&s->r->placeholders, sort, original)->text;
}

/* The number of a compile ("0/1") or of a dimension (the 0 of "size()[0]" and of "index 0"). */
static bool is_ordinal(const struct scan *s, size_t from)
{
    char before = from ? s->text.p[from - 1] : '\0';

    return s->says_which || before == '/' || peek(s, 0) == '/' ||
           (before == '[' && peek(s, 0) == ']' && from > 1 && s->text.p[from - 2] == ')');
}

static void number(struct scan *s)
{
    size_t from = s->at;
    struct str word = take_word(s);

    if (!is_number(word))
        put(s, placeholder(s, REDACTION_NAME, word));
    else if (s->r->without_numbers && !is_ordinal(s, from))
        put(s, placeholder(s, REDACTION_NUMBER, word));
    else
        put(s, word);
    s->says_which = false;
}

/*
 * Whether a word stands as in a sentence: alone, between blanks and punctuation. Otherwise it belongs to code that is
 * quoted.
 */
static bool stands_in_sentence(const struct scan *s, size_t from)
{
    char before = from ? s->text.p[from - 1] : ' ', after = peek(s, 0), next = peek(s, 1);

    if (before && strchr("._[/\\@$<=#%{", before))
        return false;
    if (after && strchr("(_[=@</\\{", after))
        return false;
    if (after && strchr(".:-", after) && next && next != ' ' && next != '\n' && next != after && after != '-')
        return false;
    return !(before && strchr("'\"`", before) && after && strchr("'\"`", after));
}

static void word(struct scan *s)
{
    size_t from = s->at;
    struct str word = take_word(s);

    s->says_which = str_eq(word, STR("index")) || str_eq(word, STR("dimension")) || str_eq(word, STR("dim"));
    put(s,
        s->prose && stands_in_sentence(s, from) ? word_in_prose(&s->r->words, word) : word_in_code(&s->r->words, word));
}

/*
 * An escape is not part of the next word: the n of "
 * name" is not one of its letters.
 */
static void escape(struct scan *s)
{
    int code;

    while (peek(s, 0) == '\\' && peek(s, 1) == '\\')
        copy(s, 1);
    code = escaped(s, s->at);
    if (is_letter_code(code))
        word(s);
    else if (code >= 0)
        copy(s, 6);
    else if (peek(s, 1) == 'x' && str_hex_digit(peek(s, 2)) >= 0 && str_hex_digit(peek(s, 3)) >= 0)
        copy(s, 4);
    else
        copy(s, peek(s, 1) && strchr("nrtbf\"'/", peek(s, 1)) ? 2 : 1);
}

enum { RUN_MAX = 4096 };

/*
 * The run of path characters from here on, without punctuation that ends a sentence. Each character is looked at only
 * once.
 */
static struct str run_of(struct scan *s)
{
    struct str run;

    if (s->run_end <= s->at)
        for (s->run_end = s->at; s->run_end < s->text.n && path_has(s->text.p[s->run_end]);)
            s->run_end++;
    run = str_take(str_range(s->text.p + s->at, s->text.p + s->run_end), RUN_MAX);
    while (run.n && strchr(".,-=", run.p[run.n - 1]))
        run.n--;
    return run;
}

static bool path(struct scan *s)
{
    struct str run = run_of(s);

    if (!path_looks_like(run))
        return false;
    path_redact(&s->r->words, run, s->out);
    s->at += run.n;
    return true;
}

static bool url(struct scan *s)
{
    size_t n = url_length(str_skip(s->text, s->at));

    if (n)
        url_redact(&s->r->words, str_take(str_skip(s->text, s->at), n), s->out);
    s->at += n;
    return n > 0;
}

static bool address(struct scan *s)
{
    size_t n = address_length(s->text, s->at);

    if (n)
        put(s, placeholder(s, REDACTION_ADDRESS, str_take(str_skip(s->text, s->at), n)));
    s->at += n;
    return n > 0;
}

/* A path or a URL can begin here only after a character that belongs to neither. */
static bool begins_run(const struct scan *s)
{
    char before = s->at ? s->text.p[s->at - 1] : ' ';

    return (!path_has(before) && before != '<') || before == '=';
}

static void step(struct scan *s)
{
    char c = peek(s, 0);
    size_t sign;

    if ((begins_run(s) && path_has(c) && url(s)) || address(s) || (begins_run(s) && path_has(c) && path(s)))
        return;
    if (c == '\\')
        escape(s);
    else if (str_is_digit(c))
        number(s);
    else if (is_word_byte(s, s->at))
        word(s);
    else
        copy(s, (sign = sign_length(s->text.p + s->at, s->text.n - s->at)) ? sign : 1);
}

void redactor_append(struct redactor *r, struct str text, bool prose, struct buf *out)
{
    struct scan s = {.r = r, .text = text, .prose = prose, .out = out};

    while (s.at < text.n)
        step(&s);
    buf_free(&s.word);
}

/* --- whole texts -------------------------------------------------------------------------------------------------- */

static struct str done(struct redactor *r)
{
    return arena_str(r->arena, buf_view(&r->text));
}

static struct str text(struct redactor *r, struct str s, bool prose)
{
    r->text.n = 0;
    redactor_append(r, s, prose, &r->text);
    return done(r);
}

struct str redactor_code(struct redactor *r, struct str s)
{
    return text(r, s, false);
}

struct str redactor_prose(struct redactor *r, struct str s)
{
    return text(r, s, true);
}

struct str redactor_path(struct redactor *r, struct str path)
{
    if (path.n && *path.p == '<')
        return redactor_code(r, path);
    r->text.n = 0;
    path_redact(&r->words, path, &r->text);
    return done(r);
}

struct str redactor_name(struct redactor *r, struct str name)
{
    struct scan s = {.r = r, .text = name};

    while (s.at < name.n)
        if (is_word_byte(&s, s.at))
            word_is_name(&r->words, take_word(&s));
        else
            s.at++;
    buf_free(&s.word);
    return redactor_code(r, name);
}

struct str redactor_key(struct redactor *r, struct str key)
{
    return key.n ? placeholder_of(&r->placeholders, REDACTION_KEY, key)->text : key;
}

/* A number, a size, the id of a compile, or a word that stays anyway. */
static bool is_harmless(struct redactor *r, struct str s)
{
    bool digit = s.n && str_is_digit(*s.p);

    for (size_t i = 0; digit && i < s.n; i++)
        digit = str_is_digit(s.p[i]) || (s.p[i] && strchr("./_!kKmMgGB", s.p[i]));
    return (digit && address_length(s, 0) == 0) || word_stays(&r->words, s);
}

static struct str command_word(struct redactor *r, struct str s)
{
    ptrdiff_t equals = str_chr(s, '=');
    struct str value = s, option = {0};

    if (str_starts(s, STR("-"))) {
        if (equals < 0)
            return s;
        option = str_take(s, (size_t)equals + 1);
        value = str_skip(s, option.n);
    }
    if (!is_harmless(r, value))
        value = redactor_path(r, value);
    return arena_printf(r->arena, "%.*s%.*s", STR_ARG(option), STR_ARG(value));
}

const char *const *redactor_command(struct redactor *r, const char *const *words, size_t n, const char *command)
{
    const char **out = ARENA_ARRAY(r->arena, const char *, n + 1);

    for (size_t i = 0; i < n; i++)
        out[i] = i == 0                                     ? "pt2trace"
                 : i == 1 && strcmp(words[1], command) == 0 ? command
                                                            : command_word(r, str_of(words[i])).p;
    return out;
}

void redactor_write_map(const struct redactor *r, struct buf *out)
{
    json_t *o = json_new_object();
    char *text;

    for (int i = 0; i < REDACTION_SORTS; i++) {
        const struct map *m = &r->placeholders.sorts[i];

        for (size_t k = 0; k < m->n; k++) {
            const struct placeholder *p = m->entries[k].value;

            json_put(o, p->text.p, json_of_str(m->entries[k].key));
        }
    }
    text = json_text(o, JSON_INDENT(1));
    if (!text)
        out_of_memory();
    buf_str(out, str_of(text));
    buf_char(out, '\n');
    free(text);
    json_decref(o);
}
