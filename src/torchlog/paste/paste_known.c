#include "torchlog/paste/paste_known.h"

#include "input/glog.h"
#include "text/messages/explain_text.h"
#include "text/python/exception_line.h"
#include "text/python/thread_dump.h"
#include "torchlog/crash/crash_begin.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/crash/shown_traceback.h"

#include <pthread.h>

const struct str paste_call_begin = STR_INIT("File \"");
const struct str paste_header = STR_INIT("Traceback (most recent call last):");

enum { BRACKETS_TRIED = 8 };

/* Whether a line is nothing but blanks, up to an offset. */
static bool only_blanks(struct str line, size_t end)
{
    return log_line_indent(str_take(line, end)) == end;
}

/* `", line 3` behind the name of the file. */
bool paste_is_whole_call(struct str call)
{
    struct str rest = str_skip(call, paste_call_begin.n);
    ptrdiff_t at = str_find(rest, STR("\", line "));
    uint64_t number;

    rest = str_skip(rest, at < 0 ? rest.n : (size_t)at + 8);
    return at > 0 && str_take_u64(&rest, &number);
}

/* "[18:01:22] ": no two seconds have the same, so that it names no writer. */
static bool is_clock(struct str key)
{
    return key.n >= 10 && key.p[0] == '[' && key.p[3] == ':' && key.p[6] == ':';
}

bool paste_take_launcher(struct str line, struct launcher *out, struct str *rest)
{
    return launcher_take(line, out, rest) && !is_clock(out->key);
}

/* Where the text of a line begins, behind what a launcher and PyTorch's own prefix take. */
size_t paste_own_prefix(struct str line)
{
    struct launcher launcher;
    struct str rest = line, more;
    struct glog g;

    while (paste_take_launcher(rest, &launcher, &more) && more.n < rest.n)
        rest = more;
    if (!glog_parse(rest, &g))
        return line.n - rest.n;
    rest = g.text;
    while (str_starts(rest, STR("[")) && str_chr(str_take(rest, 60), ']') > 0) {
        rest = str_skip(rest, (size_t)str_chr(rest, ']') + 1);
        str_consume(&rest, STR(" "));
    }
    return line.n - rest.n;
}

struct str paste_bare(struct str line)
{
    return str_trim(str_skip(line, paste_own_prefix(line)));
}

/* Whether nothing but a known prefix and blanks stand before the offset; pytest puts an E before lines. */
static enum anchor look_at_begin(struct str line, ptrdiff_t at)
{
    size_t prefix = paste_own_prefix(line), blanks = log_line_indent(str_skip(line, prefix));

    if ((size_t)at == prefix + blanks)
        return ANCHOR_GOOD;
    return line.p[0] == 'E' && only_blanks(str_skip(line, 1), (size_t)at - 1) ? ANCHOR_GOOD : ANCHOR_BAD;
}

bool paste_is_before_inline_call(struct str text)
{
    return str_ends(text, STR("Stack trace: "));
}

/* A line of a stack, which is indented. torchrun puts something before it; so does whoever quotes one in a sentence. */
static enum anchor look_at_call(struct str line, ptrdiff_t at)
{
    if (paste_is_before_inline_call(str_take(line, (size_t)at)))
        return ANCHOR_GOOD;
    if (str_starts(line, STR("    - "))) /* of a guard that failed, below it */
        return ANCHOR_NONE;
    if (!paste_is_whole_call(str_skip(line, (size_t)at)) || (size_t)at == paste_own_prefix(line))
        return ANCHOR_BAD;
    return look_at_begin(line, at);
}

/* "[2024-02-13 19:34:50,591] [0/0] torch._dynamo.guards: [DEBUG] text", which no other prefix hides. */
static ptrdiff_t find_bracketed(struct str line)
{
    ptrdiff_t at = str_find(line, STR("torch."));
    struct str before = str_take(line, at < 0 ? 0 : (size_t)at);
    ptrdiff_t open;
    struct glog g;

    for (int tries = 0; tries < BRACKETS_TRIED && (open = str_rchr(before, '[')) >= 0; tries++, before.n = (size_t)open)
        if (glog_parse(str_skip(line, (size_t)open), &g))
            return open;
    return -1;
}

/* "torch._dynamo.guards: [DEBUG] text", the same without its date; the id is optional. */
static ptrdiff_t find_undated(struct str line)
{
    const struct log_prefixes none = {0};
    ptrdiff_t at = str_find(line, STR(": [")), id;
    struct buf colorless = {0};
    struct log_line l = {0};

    if (at < 0)
        return -1;
    at = str_rchr(str_take(line, (size_t)at), ' ') + 1;
    id = str_rchr(str_take(line, (size_t)at), '[');
    if (!str_starts(str_skip(line, (size_t)at), STR("torch")))
        return -1;
    if (id >= 0)
        log_line_parse(str_skip(line, (size_t)id), &none, &colorless, &l);
    if (l.form != LOG_SHORT) {
        id = at;
        log_line_parse(str_skip(line, (size_t)id), &none, &colorless, &l);
    }
    buf_free(&colorless);
    return l.form == LOG_SHORT ? id : -1;
}

/* "[E515 18:36:47.341808597 ProcessGroupNCCL.cpp:632]" */
static ptrdiff_t find_c10(struct str line)
{
    ptrdiff_t at = str_find(line, STR("ProcessGroupNCCL.cpp:"));

    return at < 0 ? -1 : str_rchr(str_take(line, (size_t)at), '[');
}

/* "/x.cu:7: f: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed.", of CUDA. */
bool paste_has_gpu_assert(struct str line)
{
    static const struct str block = STR_INIT(": block:");
    struct str bare = str_trim(line);

    if (str_ends(bare, block))
        return true;
    for (ptrdiff_t at, from = 0; (at = str_chr(str_skip(line, (size_t)from), '[')) >= 0; from += at + 1)
        if (str_ends(str_trim(str_take(line, (size_t)(from + at))), block))
            return true;
    return false;
}

bool paste_is_gpu_assert(struct str text, struct str wanted)
{
    (void)wanted;
    return str_ends(str_trim(text), STR("` failed.")) && str_has(text, STR(": block: [")) &&
           str_has(text, STR("], thread: [")) && str_has(text, STR("] Assertion `"));
}

enum { SENTENCE_BEGIN = 24 };

/* Long sentences that stand in most texts: where one is not whole behind its first `begin` bytes, lines were cut. */
static const struct sentence {
    struct str text;
    size_t begin;
} sentences[] = {
    {STR_INIT("Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace (please do this especially if you're reporting a "
              "bug to PyTorch). For even more developer context, set TORCH_LOGS=\"+dynamo\""),
     SENTENCE_BEGIN},
    {STR_INIT("Set TORCH_LOGS=\"+dynamo\" and TORCHDYNAMO_VERBOSE=1 for more information"), SENTENCE_BEGIN},
    {STR_INIT("You can suppress this exception and fall back to eager by setting:"), SENTENCE_BEGIN},
    {STR_INIT("The above exception was the direct cause of the following exception:"), SENTENCE_BEGIN},
    {STR_INIT("During handling of the above exception, another exception occurred:"), SENTENCE_BEGIN},
    {STR_INIT("To log all recompilation reasons, use TORCH_LOGS="), SENTENCE_BEGIN},
    {STR_INIT("To diagnose recompilation issues, see http"), SENTENCE_BEGIN},
    {STR_INIT("from user code:"), SENTENCE_BEGIN},
    {STR_INIT("TorchDynamo compilation metrics:"), SENTENCE_BEGIN},
    {STR_INIT("SingleProcess AUTOTUNE benchmarking takes "), SENTENCE_BEGIN},
    {STR_INIT("SubProcess AUTOTUNE takes "), sizeof "SubProcess AUTOTUNE takes" - 1},
    {STR_INIT("UserWarning: Dynamo does not know how to trace the builtin "),
     sizeof "UserWarning: Dynamo does not know how to trace the" - 1},
    {STR_INIT("UserWarning: Graph break due to unsupported builtin "),
     sizeof "UserWarning: Graph break due to" - 1},
    /* behind "accessing tensor output of", with a letter that few words have */
    {STR_INIT("CUDAGraphs that has been overwritten by a subsequent run. Stack trace:"), sizeof "CUDAGraphs that" - 1},
};

static const struct str *sentence_at(struct str s)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (s.p[0] == sentences[i].text.p[0] && str_starts(s, str_take(sentences[i].text, sentences[i].begin)))
            return &sentences[i].text;
    return NULL;
}

static bool first_letters[256];

static void note_first_letters(void)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        first_letters[(unsigned char)sentences[i].text.p[0]] = true;
}

/*
 * The first sentence that a line begins, wherever in it; *at is where, -1 if there is none. One look at the letters of
 * the line takes a tenth of a search for each sentence.
 */
const struct str *paste_sentence_in(struct str line, ptrdiff_t *at)
{
    static pthread_once_t noted = PTHREAD_ONCE_INIT;
    const struct str *found = NULL;

    pthread_once(&noted, note_first_letters);
    for (size_t i = 0; i < line.n; i++)
        if (first_letters[(unsigned char)line.p[i]] && (found = sentence_at(str_skip(line, i))) != NULL) {
            *at = (ptrdiff_t)i;
            return found;
        }
    *at = -1;
    return NULL;
}

/* explain()'s reasons, up to the end of the last; pprint breaks lines within. */
bool paste_is_reason_list(struct str text, struct str wanted)
{
    struct str line = str_trim(text);

    (void)wanted;
    return str_ends(line, STR(")")) || str_ends(line, STR("]")) || str_ends(line, STR(",")) || str_ends(line, STR("'"));
}

/* Where PyTorch's own prefix begins, of any form; -1 when the line has none. */
ptrdiff_t paste_find_logged(struct str line)
{
    ptrdiff_t at = glog_find(str_take(line, PASTE_PREFIX_MAX), 0);

    if (at < 0)
        at = find_bracketed(line);
    if (at < 0)
        at = find_c10(line);
    return at < 0 ? find_undated(line) : at;
}

ptrdiff_t paste_find_dump(struct str line)
{
    ptrdiff_t at = str_find(line, STR("Thread "));

    return at >= 0 && thread_dump_begins(str_trim(str_skip(line, (size_t)at))) ? at : -1;
}

/* A sentence that is not whole shows a cut, also behind a prefix. */
enum anchor paste_look_at_line(struct str line)
{
    const struct str *sentence;
    ptrdiff_t at, sentence_at;

    line = str_take(line, PASTE_LOOKED_AT);
    if (ansi_present(line))
        return ANCHOR_NONE;
    if ((sentence = paste_sentence_in(line, &sentence_at)) &&
        !str_starts(str_skip(line, (size_t)sentence_at), *sentence))
        return ANCHOR_BAD;
    if ((at = paste_find_logged(line)) >= 0)
        return paste_own_prefix(str_take(line, (size_t)at)) == (size_t)at ? ANCHOR_GOOD : ANCHOR_BAD;
    if ((at = str_find(line, paste_call_begin)) >= 0)
        return look_at_call(line, at);
    if ((at = paste_find_dump(line)) >= 0)
        return look_at_begin(line, at);
    if ((at = explain_reasons_find(line)) >= 0)
        return paste_is_reason_list(str_skip(line, (size_t)at), STR("")) ? ANCHOR_GOOD : ANCHOR_BAD;
    if (sentence && (str_starts(*sentence, STR("UserWarning: ")) || str_ends(*sentence, STR("Stack trace:"))))
        return ANCHOR_GOOD; /* behind the place, or the name of the exception */
    if (!sentence && paste_has_gpu_assert(line))
        return paste_is_gpu_assert(line, STR("")) ? ANCHOR_GOOD : ANCHOR_BAD;
    return sentence ? look_at_begin(line, sentence_at) : ANCHOR_NONE;
}

bool paste_is_logged(struct str line)
{
    return paste_find_logged(str_take(line, PASTE_LOOKED_AT)) >= 0;
}

/* "------  -----" below the heading of a table, whose rows are all as wide. */
static bool is_rule(struct str bare)
{
    size_t n = 0;

    while (n < bare.n && (bare.p[n] == '-' || bare.p[n] == '=' || bare.p[n] == ' ' || bare.p[n] == '+'))
        n++;
    return n == bare.n && n >= 5;
}

/* Of pytest: "FAILED test/test_ops.py::test_a - ValueError: 3", "===== 2 failed in 61.31s =====". */
static bool is_of_pytest(struct str bare)
{
    static const struct str begins[] = {STR_INIT("FAILED "), STR_INIT("ERROR "), STR_INIT("PASSED ")};

    return str_starts(bare, STR("=====")) || (str_has(bare, STR("::")) && STR_STARTS_ANY(bare, begins));
}

/* Begins a line of its own, so that it is no rest of the line before. */
bool paste_begins_line(struct str line)
{
    struct str bare = str_trim(line);
    ptrdiff_t at;

    if (paste_sentence_in(str_take(bare, SENTENCE_BEGIN), &at))
        return true;
    return bare.n == 0 || is_rule(bare) || str_starts(bare, paste_header) || str_starts(bare, paste_call_begin) ||
           paste_is_logged(line) || exception_line_begins(bare) != EXCEPTION_NONE || crash_is_message(bare) ||
           crash_is_trailer(bare) || crash_is_link(bare) || bare.p[0] == '^' || bare.p[0] == '~' ||
           boxed_is_part(bare) || is_of_pytest(bare);
}

bool paste_is_of_log(struct str line)
{
    const struct log_prefixes none = {0};
    struct buf colorless = {0};
    struct log_line l;

    log_line_parse(line, &none, &colorless, &l);
    buf_free(&colorless);
    return l.form != LOG_BARE || paste_is_logged(line);
}
