#include "torchlog/paste/paste_chars.h"

#include "text/python/exception_line.h"
#include "util/utf8.h"

enum { LOOKED_AT = 4096 };

/* Moves the bytes into the arena. Always true: the text was changed. */
static bool take_result(struct arena *a, struct buf *out, struct str *text)
{
    *text = out->n ? arena_str(a, buf_view(out)) : STR("");
    buf_free(out);
    return true;
}

/* --- encodings ---------------------------------------------------------------------------------------------------- */

enum { SEEN = 512 };

/* Which byte of each pair is 0 in a text of Latin letters: -1 when it is no UTF-16. */
static int high_byte(struct str text)
{
    size_t zeros[2] = {0}, n = text.n < SEEN ? text.n & ~(size_t)1 : SEEN;

    if (str_starts(text, STR("\xff\xfe")))
        return 1;
    if (str_starts(text, STR("\xfe\xff")))
        return 0;
    for (size_t i = 0; i < n; i++)
        zeros[i & 1] += text.p[i] == '\0';
    if (n >= 8 && zeros[1] > n / 4 && zeros[0] == 0)
        return 1;
    return n >= 8 && zeros[0] > n / 4 && zeros[1] == 0 ? 0 : -1;
}

static unsigned unit_at(struct str text, size_t i, int high)
{
    return (unsigned)(unsigned char)text.p[i + (size_t)high] << 8 | (unsigned char)text.p[i + (size_t)!high];
}

static bool is_surrogate(unsigned c, unsigned first)
{
    return c >= first && c < first + 0x400;
}

static bool decode_utf16(struct arena *a, struct str *text, int high)
{
    struct buf out = {0};

    for (size_t i = 0; i + 1 < text->n; i += 2) {
        unsigned c = unit_at(*text, i, high), next = i + 3 < text->n ? unit_at(*text, i + 2, high) : 0;

        if (is_surrogate(c, 0xd800) && is_surrogate(next, 0xdc00)) {
            c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
            i += 2;
        }
        if (c != 0xfeff)
            utf8_put(&out, is_surrogate(c, 0xd800) || is_surrogate(c, 0xdc00) ? 0xfffd : c);
    }
    return take_result(a, &out, text);
}

bool paste_decode(struct arena *a, struct str *text)
{
    int high = high_byte(*text);

    if (high >= 0)
        return decode_utf16(a, text, high);
    return str_consume(text, STR("\xef\xbb\xbf"));
}

/* --- replacing ---------------------------------------------------------------------------------------------------- */

struct char_change {
    struct str from, to;
};

/* The change that fits here; the first bytes of all are among `firsts`. */
static const struct char_change *change_at(struct str text, const struct char_change *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_starts(text, list[i].from))
            return &list[i];
    return NULL;
}

static bool replace(struct arena *a, struct str *text, const char *firsts, const struct char_change *list, size_t n)
{
    struct str rest = *text;
    struct buf out = {0};

    while (rest.n) {
        size_t plain = 0;
        const struct char_change *x = NULL;

        while (plain < rest.n &&
               (!strchr(firsts, rest.p[plain]) || !rest.p[plain] || !(x = change_at(str_skip(rest, plain), list, n))))
            plain++;
        buf_str(&out, str_take(rest, plain));
        if (x)
            buf_str(&out, x->to);
        rest = str_skip(rest, plain + (x ? x->from.n : 0));
    }
    return take_result(a, &out, text);
}

#define REPLACE(a, text, firsts, list) replace((a), (text), (firsts), (list), sizeof(list) / sizeof *(list))

/* --- HTML --------------------------------------------------------------------------------------------------------- */

/* Whether a line of a traceback or of PyTorch's has one; lines of code may, too. */
static bool has_odd_entity(struct str text)
{
    static const struct str shown[] = {STR_INIT("&quot;"), STR_INIT("&#34;"),          STR_INIT("&#39;"),
                                       STR_INIT("&#x27;"), STR_INIT("&lt;module&gt;"), STR_INIT("&amp;quot;"),
                                       STR_INIT("&amp;#")};
    static const struct str words[] = {STR_INIT("File "),    STR_INIT("torch._"),    STR_INIT("backend="),
                                       STR_INIT("L["),       STR_INIT("function: "), STR_INIT("tensor &"),
                                       STR_INIT("reason: "), STR_INIT("(reason="),   STR_INIT("Assertion `")};
    static const struct str certain[] = { /* how Python writes objects and functions without a name */
        STR_INIT("&lt;class "),        STR_INIT("&lt;function "),  STR_INIT("&lt;built-in "),
        STR_INIT("&lt;FrameSummary "), STR_INIT("&lt;locals&gt;"), STR_INIT("&lt;lambda&gt;"),
        STR_INIT("&lt;string&gt;"),    STR_INIT("&lt;frozen "),    STR_INIT("&amp;lt;locals&"),
        STR_INIT("&amp;lt;class "),    STR_INIT("&amp;lt;built-in "),
        STR_INIT("&lt;ipython-input-"),
    };
    struct str line;

    if (str_chr(text, '&') < 0)
        return false;
    if (STR_HAS_ANY(text, certain))
        return true;
    while (str_next_line(&text, &line))
        if (str_chr(line, '&') >= 0 && STR_HAS_ANY(line, shown) && STR_HAS_ANY(line, words))
            return true;
    return false;
}

/* The length of a tag that a notebook's page has around colored words; 0 for anything else. */
static size_t tag_at(struct str text)
{
    static const struct str names[] = {STR_INIT("span "), STR_INIT("span>"), STR_INIT("pre>")};
    enum { TAG_MAX = 120 };
    struct str name = str_skip(text, 1);
    ptrdiff_t end;

    str_consume(&name, STR("/"));
    end = STR_STARTS_ANY(name, names) ? str_chr(str_take(text, TAG_MAX), '>') : -1;
    return end > 0 ? (size_t)end + 1 : 0;
}

bool paste_tags(struct arena *a, struct str *text)
{
    struct str rest = *text;
    struct buf out = {0};

    if (!str_has(*text, STR("span class=\"ansi")) && !str_has(*text, STR("span style=\"color")))
        return false;
    while (rest.n) {
        size_t plain = 0, tag = 0;

        while (plain < rest.n && (rest.p[plain] != '<' || !(tag = tag_at(str_skip(rest, plain)))))
            plain++;
        buf_str(&out, str_take(rest, plain));
        rest = str_skip(rest, plain + tag);
    }
    return take_result(a, &out, text);
}

bool paste_entities(struct arena *a, struct str *text)
{
    static const struct char_change entities[] = {
        {STR_INIT("&quot;"), STR_INIT("\"")}, {STR_INIT("&#34;"), STR_INIT("\"")}, {STR_INIT("&#x22;"), STR_INIT("\"")},
        {STR_INIT("&apos;"), STR_INIT("'")},  {STR_INIT("&#39;"), STR_INIT("'")},  {STR_INIT("&#x27;"), STR_INIT("'")},
        {STR_INIT("&lt;"), STR_INIT("<")},    {STR_INIT("&gt;"), STR_INIT(">")},   {STR_INIT("&nbsp;"), STR_INIT(" ")},
        {STR_INIT("&amp;"), STR_INIT("&")},
    };

    if (!has_odd_entity(*text))
        return false;
    REPLACE(a, text, "&", entities);
    if (has_odd_entity(*text)) /* a page within a page */
        REPLACE(a, text, "&", entities);
    return true;
}

/* --- typography --------------------------------------------------------------------------------------------------- */

static const struct char_change blanks[] = {
    {STR_INIT("\xc2\xa0"), STR_INIT(" ")},     {STR_INIT("\xe2\x80\xaf"), STR_INIT(" ")},
    {STR_INIT("\xe2\x80\x87"), STR_INIT(" ")}, {STR_INIT("\xe3\x80\x80"), STR_INIT("  ")},
    {STR_INIT("\xe2\x80\x8b"), STR_INIT("")},  {STR_INIT("\xe2\x80\x8c"), STR_INIT("")},
    {STR_INIT("\xe2\x81\xa0"), STR_INIT("")},  {STR_INIT("\xef\xbb\xbf"), STR_INIT("")},
    {STR_INIT("\xc2\xad"), STR_INIT("")},
};

static const struct char_change quotes[] = {
    {STR_INIT("\xe2\x80\x9c"), STR_INIT("\"")}, {STR_INIT("\xe2\x80\x9d"), STR_INIT("\"")},
    {STR_INIT("\xe2\x80\x9e"), STR_INIT("\"")}, {STR_INIT("\xe2\x80\x9f"), STR_INIT("\"")},
    {STR_INIT("\xc2\xab"), STR_INIT("\"")},     {STR_INIT("\xc2\xbb"), STR_INIT("\"")},
    {STR_INIT("\xe2\x80\xb3"), STR_INIT("\"")}, {STR_INIT("\xe2\x80\x98"), STR_INIT("'")},
    {STR_INIT("\xe2\x80\x99"), STR_INIT("'")},  {STR_INIT("\xe2\x80\x9a"), STR_INIT("'")},
    {STR_INIT("\xe2\x80\x9b"), STR_INIT("'")},  {STR_INIT("\xe2\x80\xb2"), STR_INIT("'")},
    {STR_INIT("\xe2\x80\x94"), STR_INIT("--")},
};

static bool is_ours(struct str line)
{
    static const struct str words[] = {STR_INIT("File"),        STR_INIT("torch"),  STR_INIT("Traceback"),
                                       STR_INIT("raise "),      STR_INIT("return"), STR_INIT("triton"),
                                       STR_INIT("function:"),   STR_INIT("reason"), STR_INIT("backend="),
                                       STR_INIT("TorchDynamo"), STR_INIT("Error"),  STR_INIT("Exception")};

    return STR_HAS_ANY(line, words);
}

static bool has_change(struct str text, const struct char_change *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_has(text, list[i].from))
            return true;
    return false;
}

#define HAS_CHANGE(text, list) has_change((text), (list), sizeof(list) / sizeof *(list))

/* Whether a line of a traceback or of PyTorch's has such a character. */
static bool has_odd_blank(struct str text)
{
    enum { INDENTED = 2 };
    size_t indented = 0;
    struct str line;

    if (!HAS_CHANGE(text, blanks))
        return false;
    while (str_next_line(&text, &line)) {
        indented += change_at(line, blanks, sizeof blanks / sizeof *blanks) != NULL;
        if (indented == INDENTED || (is_ours(line) && HAS_CHANGE(line, blanks)))
            return true;
    }
    return false;
}

/* Compilers use curled quotation marks themselves, so only Python's and PyTorch's straight ones count. */
static bool has_odd_quote(struct str text)
{
    static const struct str before[] = {STR_INIT("File "),   STR_INIT("backend="),   STR_INIT("L["),
                                        STR_INIT("tensor "), STR_INIT("function: "), STR_INIT("device="),
                                        STR_INIT("(reason="), STR_INIT("compile_id=")};

    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct str rest = text;

        for (ptrdiff_t at; (at = str_find(rest, before[i])) >= 0;) {
            rest = str_skip(rest, (size_t)at + before[i].n);
            if (change_at(rest, quotes, sizeof quotes / sizeof *quotes))
                return true;
        }
    }
    return false;
}

/* A curled quotation mark before the name of an exception of PyTorch: of JSON, or of a sentence. */
static bool has_quoted_exception(struct str text)
{
    for (const struct char_change *x; text.n; text = str_skip(text, 1)) {
        enum exception_line of;

        if ((unsigned char)*text.p < 0x80 || !(x = change_at(text, quotes, sizeof quotes / sizeof *quotes)))
            continue;
        of = exception_line_begins(str_take(str_skip(text, x->from.n), LOOKED_AT));
        if (of == EXCEPTION_OF_COMPILER || of == EXCEPTION_OF_TORCH)
            return true;
    }
    return false;
}

static bool is_ascii(struct str text)
{
    unsigned char all = 0;

    for (size_t i = 0; i < text.n; i++)
        all |= (unsigned char)text.p[i];
    return all < 0x80;
}

bool paste_typography(struct arena *a, struct str *text)
{
    bool ascii = is_ascii(*text), odd_blanks = !ascii && has_odd_blank(*text),
         odd_quotes = !ascii && (has_odd_quote(*text) || has_quoted_exception(*text));

    if (odd_blanks)
        REPLACE(a, text, "\xc2\xe2\xe3\xef", blanks);
    if (odd_quotes)
        REPLACE(a, text, "\xc2\xe2", quotes);
    return odd_blanks || odd_quotes;
}

/* --- pictures ----------------------------------------------------------------------------------------------------- */

/* What reads the text of a picture puts blanks around dots and colons. Only what PyTorch writes is mended. */
bool paste_scanned(struct arena *a, struct str *text)
{
    static const struct char_change scanned[] = {
        {STR_INIT("torch. _"), STR_INIT("torch._")},
        {STR_INIT("torch ._"), STR_INIT("torch._")},
        {STR_INIT("torch. fx."), STR_INIT("torch.fx.")},
        {STR_INIT("_dynamo. exc"), STR_INIT("_dynamo.exc")},
        {STR_INIT("_dynamo .exc"), STR_INIT("_dynamo.exc")},
        {STR_INIT("_inductor. exc"), STR_INIT("_inductor.exc")},
        {STR_INIT("_inductor .exc"), STR_INIT("_inductor.exc")},
        {STR_INIT(".exc. "), STR_INIT(".exc.")},
        {STR_INIT("from user code :"), STR_INIT("from user code:")},
        {STR_INIT("(most recent call last) :"), STR_INIT("(most recent call last):")},
    };
    bool any = HAS_CHANGE(*text, scanned);

    /* "torch. _dynamo. exc" needs one pass for each blank */
    for (int pass = 0; pass < 3 && HAS_CHANGE(*text, scanned); pass++)
        REPLACE(a, text, "t_.f(", scanned);
    return any;
}

/* --- colors ------------------------------------------------------------------------------------------------------ */

/* Length of "[0m", "[36;1m"; 0 when there is none. */
static size_t code_length(struct str s)
{
    size_t n = 1;

    if (s.n < 3 || s.p[0] != '[')
        return 0;
    while (n < s.n && n < 14 && (str_is_digit(s.p[n]) || s.p[n] == ';'))
        n++;
    return n > 1 && n < s.n && s.p[n] == 'm' ? n + 1 : 0;
}

/* What stands in the place of ESC at the end of s: its picture, an escape of a program, a replacement; a lone blank. */
static size_t escape_before(struct str s, bool blank)
{
    static const struct str forms[] = {STR_INIT("\xe2\x90\x9b"), STR_INIT("\xef\xbf\xbd"), STR_INIT("\xe2\x86\x90"),
                                       STR_INIT("^["),           STR_INIT("\\x1b"),        STR_INIT("\\x1B"),
                                       STR_INIT("\\033"),        STR_INIT("\\u001b"),      STR_INIT("\\e"),
                                       STR_INIT("\x1b")};

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_ends(s, forms[i]))
            return forms[i].n;
    return blank && str_ends(s, STR(" "));
}

/* Calls for each code; true when there are codes without ESC, with "[0m" among them. *blank: before each is a blank. */
static bool look_at_codes(struct str text, bool *blank)
{
    bool reset = false;

    *blank = true;
    for (size_t at = 0; at < text.n; at++) {
        ptrdiff_t next = str_chr(str_skip(text, at), '[');
        size_t n;

        if (next < 0)
            break;
        at += (size_t)next;
        if (!(n = code_length(str_skip(text, at))) || (at && text.p[at - 1] == '\x1b'))
            continue;
        reset |= n == 3 && text.p[at + 1] == '0';
        *blank &= at == 0 || text.p[at - 1] == '\n' || escape_before(str_take(text, at), true);
    }
    return reset;
}

bool paste_colors(struct arena *a, struct str *text)
{
    struct str rest = *text;
    struct buf out = {0};
    bool blank;

    if (!str_has(*text, STR("[0m")) || !look_at_codes(*text, &blank))
        return false;
    while (rest.n) {
        ptrdiff_t at = str_chr(rest, '[');
        size_t plain = at < 0 ? rest.n : (size_t)at, code = at < 0 ? 0 : code_length(str_skip(rest, plain));

        buf_str(&out, str_take(rest, plain + (at >= 0 && !code)));
        if (code)
            out.n -= escape_before(buf_view(&out), blank);
        rest = str_skip(rest, plain + (code ? code : at >= 0));
    }
    return take_result(a, &out, text);
}

/* --- links -------------------------------------------------------------------------------------------------------- */

/* "/tmp/x", "~/a.py:170", "C:\x": a notebook in a browser or in VS Code makes a link of every path. */
static bool is_path(struct str words)
{
    bool drive = words.n > 3 && words.p[1] == ':' && (words.p[2] == '\\' || words.p[2] == '/');

    return (drive || str_starts(words, STR("/")) || str_starts(words, STR("~/")) || str_starts(words, STR("./"))) &&
           str_chr(words, ' ') < 0;
}

/* The name of a file or of a notebook's cell, or "line 12" behind the name. */
static bool names_place(struct str words)
{
    struct str number = words;

    if (str_consume(&number, STR("[line ")))
        return number.n && str_is_digit(number.p[0]);
    return is_path(str_skip(words, 1)) || str_has(words, STR(".py")) || str_has(words, STR(".ipynb")) ||
           str_has(words, STR("ipython-input-"));
}

/* VS Code makes a link of the number of each line: "[12](vscode-notebook-cell:?line=12)", "[118](/x.py:118)". */
static bool links_number(struct str words, struct str target)
{
    uint64_t number;

    return str_u64(words, &number) &&
           (str_starts(target, STR("vscode-notebook-cell:")) || str_has(target, STR(".py:")));
}

/* "[/x.py:3](http://host/x.py#line=2)": where "](" is, and the length of the whole; 0 when it is no link of a file. */
static size_t link_length(struct str s, size_t *words)
{
    struct str line = str_split(&s, '\n'), text, target;
    ptrdiff_t middle = str_find(line, STR("](")), end;

    if (middle <= 0)
        return 0;
    end = str_chr(str_skip(line, (size_t)middle), ')');
    text = str_take(str_skip(line, 1), (size_t)middle - 1);
    target = str_take(str_skip(line, (size_t)middle + 2), end < 0 ? 0 : (size_t)end - 2);
    if (end < 0 || str_chr(text, '[') >= 0 ||
        !((str_has(target, STR("://")) && names_place(str_take(line, (size_t)middle))) || links_number(text, target)))
        return 0;
    *words = (size_t)middle - 1;
    return (size_t)(middle + end) + 1;
}

static const struct str slack_begin = STR_INIT("\x3chttp"); /* not HTML: the address of a link in angle brackets */

/* "<http://core.py|core.py>", as Slack sends it. */
static size_t slack_length(struct str s, size_t *begin, size_t *words)
{
    struct str line = str_split(&s, '\n');
    ptrdiff_t end = str_chr(line, '>'), bar = end > 0 ? str_chr(str_take(line, (size_t)end), '|') : -1;

    if (bar < 0 || !str_has(str_take(line, (size_t)bar), STR(".py")))
        return 0;
    *begin = (size_t)bar + 1;
    *words = (size_t)(end - bar) - 1;
    return (size_t)end + 1;
}

/* The link that begins here: its words, and how long it is. */
static size_t link_at(struct str s, struct str *words)
{
    size_t begin = 1, n = 0, length = 0;

    s = str_take(s, LOOKED_AT);
    if (str_starts(s, STR("[")))
        length = link_length(s, &n);
    else if (str_starts(s, slack_begin))
        length = slack_length(s, &begin, &n);
    *words = str_take(str_skip(s, begin), n);
    return length;
}

bool paste_links(struct arena *a, struct str *text)
{
    struct str rest = *text, words;
    struct buf out = {0};
    bool any = false;

    if (!str_has(*text, STR("](")) && !str_has(*text, slack_begin))
        return false;
    while (rest.n) {
        size_t plain = 0, link = 0;

        while (plain < rest.n &&
               ((rest.p[plain] != '[' && rest.p[plain] != '<') || !(link = link_at(str_skip(rest, plain), &words))))
            plain++;
        buf_str(&out, str_take(rest, plain));
        if (link)
            buf_str(&out, words);
        any |= link > 0;
        rest = str_skip(rest, plain + link);
    }
    if (any)
        return take_result(a, &out, text);
    buf_free(&out);
    return false;
}

/* --- emphasis ----------------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Whether emphasis ends at "**" in a line: behind a word, and no word follows. */
static bool ends_bold(struct str line, size_t at)
{
    return !is_blank(line.p[at - 1]) && (at + 2 == line.n || strchr(" \t\r.,:;)!?", line.p[at + 2]));
}

/* The length of "**3.1 s**" at the beginning of words; 0 for a power, `**options`, or the lines of a banner. */
static size_t bold_length(struct str s)
{
    enum { TRIES = 8 };
    struct str window = str_take(s, LOOKED_AT), line;
    size_t at = 2;

    if (!str_starts(s, STR("**")))
        return 0;
    line = str_split(&window, '\n');
    if (line.n == 2 || is_blank(line.p[2]) || line.p[2] == '*')
        return 0;
    for (int i = 0; i < TRIES; i++) {
        ptrdiff_t next = str_find(str_skip(line, at), STR("**"));

        if (next < 0)
            return 0;
        at += (size_t)next;
        if (ends_bold(line, at))
            return at + 2;
        at += 2;
    }
    return 0;
}

bool paste_bold(struct arena *a, struct str *text)
{
    struct str rest = *text;
    struct buf out = {0};
    bool any = false, begin = true;

    if (!str_has(*text, STR("**")))
        return false;
    while (rest.n) {
        size_t bold = begin ? bold_length(rest) : 0;

        if (bold)
            buf_str(&out, str_range(rest.p + 2, rest.p + bold - 2));
        else
            buf_char(&out, rest.p[0]);
        any |= bold > 0;
        begin = bold == 0 && (is_blank(rest.p[0]) || rest.p[0] == '\n');
        rest = str_skip(rest, bold ? bold : 1);
    }
    if (any)
        return take_result(a, &out, text);
    buf_free(&out);
    return false;
}

/* --- carriage returns that a pager showed ------------------------------------------------------------------------- */

enum { CARETS_CERTAIN = 2 };

bool paste_carets(struct arena *a, struct str *text)
{
    static const struct str caret = STR_INIT("^M");
    struct str rest = *text, line;
    struct buf out = {0};
    size_t n = 0;

    if (str_chr(*text, '^') < 0 || !str_has(*text, STR("^M\n")))
        return false;
    while (str_next_line(&rest, &line)) {
        bool ends = str_ends(line, caret);

        n += ends;
        buf_str(&out, ends ? str_drop(line, caret.n) : line);
        buf_char(&out, '\n');
    }
    if (n >= CARETS_CERTAIN)
        return take_result(a, &out, text);
    buf_free(&out);
    return false;
}

/* --- overwritten lines -------------------------------------------------------------------------------------------- */

bool paste_overprints(struct arena *a, struct str *text)
{
    static const struct str shown[] = {STR_INIT("\rTraceback "), STR_INIT("\r  File \""), STR_INIT("\rtorch."),
                                       STR_INIT("\r[rank")};
    struct str rest = *text, line;
    struct buf out = {0};

    if (str_chr(*text, '\r') < 0 || !STR_HAS_ANY(*text, shown))
        return false;
    while (str_next_line(&rest, &line)) {
        struct str bare = str_drop(line, line.n && line.p[line.n - 1] == '\r');

        buf_str(&out, str_skip(bare, (size_t)(str_rchr(bare, '\r') + 1)));
        buf_char(&out, '\n');
    }
    return take_result(a, &out, text);
}

/* --- quotation marks of a string ---------------------------------------------------------------------------------- */

/* A line of a string that was printed as it is written in code or JSON, whose ends of lines are real. */
static bool is_from_string(struct str line)
{
    return str_has(line, STR("File \\\"")) && str_has(line, STR("\\\", line ")) && !str_has(line, STR("\\n"));
}

static bool has_string(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line))
        if (is_from_string(line))
            return true;
    return false;
}

bool paste_backslashes(struct arena *a, struct str *text)
{
    struct str rest = *text, line;
    struct buf out = {0};

    if (!has_string(*text))
        return false;
    while (str_next_line(&rest, &line)) {
        bool escaped = !str_has(line, STR("\\n"));

        for (size_t i = 0; i < line.n; i++)
            if (!escaped || line.p[i] != '\\' || i + 1 == line.n || line.p[i + 1] != '"')
                buf_char(&out, line.p[i]);
        buf_char(&out, '\n');
    }
    return take_result(a, &out, text);
}
