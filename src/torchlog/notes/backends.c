#include "torchlog/notes/backends.h"

#include <math.h>

#include "text/code/shown_code.h"
#include "torchlog/crash/measured.h"
#include "torchlog/notes/printed.h"
#include "torchlog/numbers/table.h"
#include "util/utf8.h"

enum { LINE_MAX = 400, LABEL_MAX = 48, KEY_MAX = 48, GROUPS = 16, CALLS = 32, CALLS_MIN = 3, WORDS_MAX = 48,
       SHOWN_MAX = 60 };

/* What was done when a result was made: nothing was compiled, or up to where. */
enum result_stage { STAGE_PLAIN, STAGE_EAGER, STAGE_AOT_EAGER, STAGE_DECOMP, STAGE_INDUCTOR, STAGES };

enum outcome_kind { OUTCOME_NONE, OUTCOME_NUMBERS, OUTCOME_GOOD, OUTCOME_RAISES, OUTCOME_BAD };

struct outcome {
    enum outcome_kind kind;
    struct str span;   /* from the first number on, or the words */
    struct str line;
    bool bracket;
    struct str calls[CALLS]; /* numbers of one line, or of one line each */
    size_t calls_n;
};

/* Results that only the backend parts: "loss eager: 1.5", "loss compiled: 3.0". */
struct result_group {
    struct str key;
    struct outcome of[STAGES];
};

struct result_groups {
    struct result_group v[GROUPS];
    size_t n;
    bool wrong; /* the writer says that results are wrong */
    bool timed; /* else their numbers may be times */
};

static const struct str stage_names[STAGES] = {STR_INIT("eager mode"), STR_INIT("eager"), STR_INIT("aot_eager"),
                                               STR_INIT("aot_eager_decomp_partition"), STR_INIT("inductor")};

/* --- labels ------------------------------------------------------------------------------------------------------- */

/* What is measured, or no result of the program's. */
static const char other_numbers[] = "time\nlatency\nspeed\nsecond\nsecs\n(ms)\n(us)\n(s)\nms/\nmemory\npeak\nmem \n"
                                    "mib\ngib\n(gb)\n(mb)\nit/s\ntok/s\nthroughput\nfps\nepoch\nstep\niters\n"
                                    "accuracy\nbleu\nflop\nbenchmark\nrecompiles\ngraphs\nbreaks\nkernels\nelapsed\n"
                                    "duration\nmilli";

static bool is_word_of(struct str word, const char *words)
{
    struct str rest = str_of(words), one;

    while (str_next_line(&rest, &one))
        if (str_eq(word, one))
            return true;
    return false;
}

struct result_label {
    bool eager, compiled, backend, off, uncompiled;
    bool call; /* the number of a call follows */
    enum result_stage named; /* STAGES: by no name of its own */
};

static void read_word(struct str word, struct result_label *l, struct str *key, struct arena *a)
{
    static const char nothing[] = "on\ntrue\nwith\nmode\ndefault\nout\noutput\nresult\nresults\nf\nfn\nmodel\nm\n"
                                  "dynamo\nonly\ntorch\ntorch.compile\n&\nand\n+\nthe";

    l->backend |= str_has(word, STR("backend"));
    if (str_has(word, STR("aot_eager_decomp_partition")))
        l->named = STAGE_DECOMP;
    else if (str_has(word, STR("aot_eager")))
        l->named = STAGE_AOT_EAGER;
    else if (str_has(word, STR("inductor")))
        l->named = STAGE_INDUCTOR;
    else if (is_word_of(word, "eager\nbackend=eager\nbackend=\"eager\nbackend='eager\neager-mode\neagerly"))
        l->eager = true;
    else if (is_word_of(word, "uncompiled\ncompile=off\ncompile=false\ncompile=0\ncompile:off\nnon-compiled"))
        l->uncompiled = true;
    else if (is_word_of(word, "compiled\ncompile\ntorch.compile\ncompile=on\ncompile=true\ncompile=1\ntorch.compiled"))
        l->compiled = true;
    else if (is_word_of(word, "no\nnot\nwithout\noff\nfalse\nw/o"))
        l->off = true;
    else if (is_word_of(word, "call\nrun\ntrial\npass"))
        l->call = true;
    else if (!(l->call && str_is_digit(word.p[0])) && !is_word_of(word, nothing) && !str_has(word, STR("backend")))
        *key = key->n ? arena_printf(a, "%.*s %.*s", STR_ARG(*key), STR_ARG(word)) : arena_str(a, word);
}

/* The stage of "eager", "backend=eager", "loss compiled", "compile off"; STAGES for a label of anything else. */
static enum result_stage stage_of_label(struct arena *a, struct str label, struct str *key)
{
    enum { WORDS = 6 };
    char room[LABEL_MAX];
    struct result_label l = {.named = STAGES};
    struct str rest;
    size_t words = 0;

    *key = (struct str){0};
    label = str_trim(label);
    if (label.n == 0 || label.n > LABEL_MAX ||
        str_has_any_line(label, STR("print(\ndef \n= torch\nimport \nfor \nif \nwarning")))
        return STAGES;
    rest = str_lower(label, room, sizeof room);
    if (str_has_any_line(rest, str_of(other_numbers)))
        return STAGES;
    while (rest.n) {
        size_t n = 0;
        struct str word;

        while (n < rest.n && !strchr(" ,()/[]", rest.p[n]))
            n++;
        word = str_drop_any(str_skip_any(str_take(rest, n), "\"'`*"), "\"'`*:");
        rest = str_skip(rest, n + 1);
        if (word.n && ++words > WORDS)
            return STAGES;
        if (word.n)
            read_word(word, &l, key, a);
    }
    if (key->n > KEY_MAX)
        return STAGES;
    if (l.named != STAGES)
        return l.off ? STAGES : l.named;
    if (l.eager)
        return l.backend || (l.compiled && !l.off) ? STAGE_EAGER : STAGE_PLAIN;
    return l.uncompiled || (l.compiled && l.off) ? STAGE_PLAIN : l.compiled ? STAGE_INDUCTOR : STAGES;
}

/* --- what stands behind them -------------------------------------------------------------------------------------- */

static bool begins_number(struct str s)
{
    double value;

    str_consume(&s, STR("-"));
    return s.n && (str_is_digit(s.p[0]) || s.p[0] == '.' || str_starts(s, STR("nan")) || str_starts(s, STR("inf")) ||
                   str_starts(s, STR("NaN"))) && str_number(s, &value);
}

static bool begins_result(struct str s)
{
    static const struct str begins[] = {STR_INIT("["), STR_INIT("tensor("), STR_INIT("array(")};

    return begins_number(s) || STR_STARTS_ANY(s, begins) || (str_consume(&s, STR("(")) && begins_number(s));
}

/* Dots, colons, bars, arrows and blanks between a label and its result; no sign of a number. */
static struct str skip_signs(struct str s)
{
    static const struct str signs[] = {STR_INIT("->"), STR_INIT("=>"), STR_INIT("--"), STR_INIT("- "),
                                       STR_INIT(".."), STR_INIT(". "), STR_INIT(": "), STR_INIT("\xe2\x80\x94"),
                                       STR_INIT("\xe2\x86\x92"), STR_INIT("\xe2\x80\x93")};
    size_t before;

    do {
        before = s.n;
        s = str_skip_any(s, " \t:|=");
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            str_consume(&s, signs[i]);
    } while (s.n != before);
    return s;
}

/* Where the label ends; *strong: not by a single blank. The line's length if it is all a label. */
static size_t label_end(struct str line, bool *strong)
{
    *strong = true;
    for (size_t i = 0; i < line.n; i++) {
        struct str rest = str_skip(line, i), behind = str_skip(rest, 1);
        char c = line.p[i];

        if (c == '\t' || c == '|' || (c == ' ' && str_starts(behind, STR(" "))) || str_starts(rest, STR("..")) ||
            str_starts(rest, STR("->")) || str_starts(rest, STR("=>")) || str_starts(rest, STR(" = ")) ||
            str_starts(rest, STR(" - ")) || str_starts(rest, STR(" \xe2")))
            return i;
        if ((c == ':' || c == '=') && (!behind.n || behind.p[0] == ' ' || begins_result(behind)))
            return i;
        if (c == ' ' && begins_result(behind)) {
            *strong = false;
            return i;
        }
    }
    return line.n;
}

static enum outcome_kind kind_of_words(struct str words)
{
    static const char good[] = "ok\nokay\nworks\nwork\npass\npasses\npassed\nfine\nright\ncorrect\nmatch\nmatches\n"
                               "true\nagrees\nno error\nno exception\nno crash\nnothing\nsilent\nprints\nprinted\n"
                               "does not raise\nreturns\nruns\nequal\nsame\nidentical\n\xe2\x9c\x93\n\xe2\x9c\x94\n"
                               "\xe2\x9c\x85";
    static const char raises[] = "raises\nraise\nraised\nthrows\nthrow\ncrash\ncrashes\ncrashed\nsegfault\n"
                                 "segfaults\nfails\nfailed\nfail\nerror\nerrors\nexception\nasserts\naborts\n"
                                 "sigsegv\n\xe2\x9d\x8c";
    static const char bad[] = "wrong\nincorrect\nmismatch\nbad\nfalse\ngarbage\ndiffers\ndifferent\nzeros\n"
                              "all zeros\nall nan\nnot equal\nnan\nnans\ninf";
    static const struct {
        const char *words;
        enum outcome_kind kind;
    } kinds[] = {{good, OUTCOME_GOOD}, {raises, OUTCOME_RAISES}, {bad, OUTCOME_BAD}};
    char room[WORDS_MAX];
    struct str lower = str_lower(str_skip_any(words, "*`\"'"), room, sizeof room), one;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (struct str rest = str_of(kinds[i].words); str_next_line(&rest, &one);)
            if (str_starts(lower, one) && (lower.n == one.n || !str_is_word_char(lower.p[one.n])))
                return kinds[i].kind;
    one = str_word(words);
    return str_ends(one, STR("Error")) || str_ends(one, STR("Exception")) ? OUTCOME_RAISES : OUTCOME_NONE;
}

/* Behind numbers a mark or a remark may stand, and no unit. */
static bool may_follow(struct str behind)
{
    behind = str_trim(behind);
    return behind.n == 0 || strchr("(<#!|)]", behind.p[0]) || kind_of_words(behind) || behind.p[0] == '*' ||
           str_starts(behind, STR("\xe2"));
}

/* The numbers of "3.1  3.2  3.3"; false if something else stands among them. */
static bool read_plain(struct str s, struct outcome *o)
{
    static const char separators[] = " \t,;|";

    while (s.n) {
        double value;
        size_t n = begins_number(s) ? str_number(s, &value) : 0;

        if (n) {
            if (o->calls_n < CALLS)
                o->calls[o->calls_n++] = str_take(s, n);
            s = str_skip(s, n);
            if (s.n && !strchr(separators, s.p[0]))
                return s.p[0] == ')';
        } else if (strchr(separators, s.p[0])) {
            s = str_skip(s, 1);
        } else {
            return o->calls_n && may_follow(s);
        }
    }
    return o->calls_n > 0;
}

/* The numbers of a list within one line. */
static void read_list(struct str s, struct outcome *o)
{
    for (s = str_first_line(s); s.n;) {
        double value;
        size_t n = begins_number(s) ? str_number(s, &value) : 0;

        if (n && o->calls_n < CALLS)
            o->calls[o->calls_n++] = str_take(s, n);
        s = str_skip(s, n ? n : 1);
        if (s.n && s.p[0] == ']')
            break;
    }
}

static bool read_value(struct str rest, struct str behind, bool strong, struct outcome *o)
{
    struct str value = rest, whole;
    bool tensor = str_consume(&value, STR("tensor(")) || str_consume(&value, STR("array("));
    ptrdiff_t end;

    whole = value;
    if (!tensor && str_consume(&whole, STR("(")) && begins_number(whole))
        value = whole;
    o->bracket = str_starts(value, STR("["));
    if (o->bracket) {
        o->span = str_range(value.p, behind.p + behind.n);
        o->kind = OUTCOME_NUMBERS;
        read_list(value, o);
        return true;
    }
    if (begins_number(value)) {
        end = str_chr(value, ')');
        value = tensor && end > 0 ? str_take(value, (size_t)end) : value; /* "3.5, device='cuda:0')" */
        value = tensor && str_chr(value, ',') > 0 ? str_take(value, (size_t)str_chr(value, ',')) : value;
        o->span = value;
        o->kind = OUTCOME_NUMBERS;
        return read_plain(value, o);
    }
    o->span = str_take(str_drop_any(rest, "| "), WORDS_MAX);
    o->kind = strong ? kind_of_words(rest) : OUTCOME_NONE;
    return o->kind != OUTCOME_NONE;
}

/* --- the text ----------------------------------------------------------------------------------------------------- */

static struct result_group *group_of(struct result_groups *g, struct str key)
{
    for (size_t i = 0; i < g->n; i++)
        if (str_eq(g->v[i].key, key))
            return &g->v[i];
    if (g->n == GROUPS)
        return NULL;
    memset(&g->v[g->n], 0, sizeof g->v[g->n]);
    g->v[g->n].key = key;
    return &g->v[g->n++];
}

/* A second line below the same label is another call, where both have one number. */
static void add(struct result_groups *g, struct str key, enum result_stage stage, const struct outcome *o)
{
    struct result_group *to = group_of(g, key);
    struct outcome *at = to ? &to->of[stage] : NULL;

    if (!at)
        return;
    if (at->kind == OUTCOME_NONE)
        *at = *o;
    else if (at->kind == OUTCOME_NUMBERS && o->kind == OUTCOME_NUMBERS && o->calls_n == 1 && !o->bracket &&
             !at->bracket && at->calls_n < CALLS)
        at->calls[at->calls_n++] = o->calls[0];
}

/* Where the part of a line ends that has one result, outside of brackets. */
static size_t part_end(struct str s)
{
    static const struct str signs[] = {STR_INIT(", "),   STR_INIT("; "),  STR_INIT("  "),
                                       STR_INIT(" vs "), STR_INIT(" | "), STR_INIT(" / ")};
    size_t depth = 0;

    for (size_t i = 0; i < s.n; i++) {
        struct str rest = str_skip(s, i);

        depth += strchr("[(", s.p[i]) != NULL;
        depth -= strchr("])", s.p[i]) && depth > 0;
        if (depth == 0 && STR_STARTS_ANY(rest, signs))
            return i;
    }
    return s.n;
}

/* "sum: eager=1.5, compiled=3.0": the parts of one line; *name is what stands before the first label. */
static void read_parts(struct arena *a, struct str line, struct result_groups *g)
{
    struct outcome found[STAGES] = {{.kind = OUTCOME_NONE}};
    struct str name = {0}, key = {0}, rest = line;
    size_t n = 0;

    while (rest.n) {
        struct str part = str_take(rest, part_end(rest));
        struct outcome o = {.line = line};
        ptrdiff_t colon = str_find(part, STR(": "));
        bool strong;
        size_t end;
        enum result_stage stage;

        rest = str_skip(rest, part.n);
        rest = str_starts(rest, STR(" vs ")) ? str_skip(rest, STR(" vs ").n) : str_skip_any(rest, " ,;|/\t");
        end = label_end(part, &strong);
        stage = stage_of_label(a, str_take(part, end), &key);
        if (stage == STAGES && n == 0 && colon > 0) {
            name = str_take(part, (size_t)colon);
            part = str_trim(str_skip(part, (size_t)colon + 1));
            end = label_end(part, &strong);
            stage = stage_of_label(a, str_take(part, end), &key);
        }
        if (stage == STAGES || end == part.n || key.n ||
            !read_value(skip_signs(str_skip(part, end)), part, strong, &o) || o.kind != OUTCOME_NUMBERS || g->timed)
            continue;
        n += found[stage].kind == OUTCOME_NONE;
        found[stage] = o;
    }
    if (n < 2 || (name.n && stage_of_label(a, arena_printf(a, "eager %.*s", STR_ARG(name)), &key) == STAGES))
        return;
    for (enum result_stage i = STAGE_PLAIN; i < STAGES; i++)
        if (found[i].kind)
            add(g, key, i, &found[i]);
}

static void read_line(struct arena *a, struct str line, struct str rest, struct result_groups *g)
{
    struct outcome o = {.line = line};
    struct str key;
    bool strong;
    size_t end;
    enum result_stage stage;

    line = str_skip_any(line, "#|*- \t");
    end = label_end(line, &strong);
    stage = stage_of_label(a, str_take(line, end), &key);
    if (end < line.n && stage != STAGES && read_value(skip_signs(str_skip(line, end)), rest, strong, &o) &&
        !(g->timed && o.kind == OUTCOME_NUMBERS))
        add(g, key, stage, &o);
    else if (!prose_is_paragraph(line))
        read_parts(a, line, g);
}

/* A head whose cells, but for the first ones, are names of backends. */
static bool read_head(struct arena *a, struct str line, struct cells *head, enum result_stage stages[TABLE_CELLS])
{
    size_t n = 0;
    struct str key;

    table_head(line, head);
    for (size_t i = 0; i < head->n; i++) {
        stages[i] = stage_of_label(a, head->v[i], &key);
        stages[i] = key.n ? STAGES : stages[i];
        if (i > 0 && stages[i] == STAGES)
            return false;
        n += stages[i] != STAGES;
    }
    return n > 1;
}

static bool read_row(struct arena *a, struct str line, const struct cells *head,
                     const enum result_stage stages[TABLE_CELLS], struct result_groups *g)
{
    struct cells row;
    struct outcome o[TABLE_CELLS];
    struct str key;

    if (!table_row(line, head, &row))
        return false;
    for (size_t i = 0; i < row.n; i++) {
        o[i] = (struct outcome){.line = line};
        if (stages[i] != STAGES && !read_value(row.v[i], row.v[i], true, &o[i]))
            return false;
    }
    key = stages[0] == STAGES ? arena_printf(a, "%.*s", STR_ARG(str_take(row.v[0], KEY_MAX))) : STR("the row");
    for (size_t i = 0; i < row.n; i++)
        if (stages[i] != STAGES && !(g->timed && o[i].kind == OUTCOME_NUMBERS))
            add(g, key, stages[i], &o[i]);
    return true;
}

/* A heading above numbers says what they are; a paragraph may speak of "five times", or of a step. */
static bool is_heading_of_others(struct str line)
{
    enum { HEADING_MAX = 64 };
    static const char of_others[] = "times of\ntimes for\ntime of\ntime for\ntime per\ntimes per\n in ms\n"
                                    "milliseconds\nlatenc\npeak memory\nmemory in\nin gb\nin mb\nin gib\nin mib\n"
                                    "throughput\nrunning time\nruntimes\nwall time\nwall clock\nslower\nfaster\n"
                                    "speedup\nper call\nus per\nms per\n(us)\n(ms)\n(s)";
    char room[LINE_MAX];
    struct str lower = str_lower(line, room, sizeof room);

    return str_has_any_line(lower, str_of(of_others)) ||
           (line.n <= HEADING_MAX && !prose_is_paragraph(line) && str_has_any_line(lower, str_of(other_numbers)));
}

/* What stands below such a heading is left out, up to a blank line, or to the next paragraph. */
static void read_groups(struct arena *a, struct str text, struct result_groups *g)
{
    enum result_stage stages[TABLE_CELLS] = {STAGES};
    struct cells head = {.n = 0};
    struct str line;
    size_t others = 0; /* lines below one, with it */

    while (str_next_line(&text, &line)) {
        struct str own = str_trim(str_take(line, LINE_MAX));

        if (own.n == 0)
            others = others > 1 ? 0 : others;
        if (own.n == 0 || table_is_rule(own))
            continue;
        others = others && prose_is_paragraph(own) ? 0 : others;
        if (others || (!g->wrong && is_heading_of_others(own))) {
            others++;
            head.n = 0;
            continue;
        }
        if (head.n && read_row(a, own, &head, stages, g))
            continue;
        head.n = read_head(a, own, &head, stages) ? head.n : 0;
        if (!head.n)
            read_line(a, own, text, g);
    }
}

/* --- results that differ ------------------------------------------------------------------------------------------ */

static bool is_no_number(const struct outcome *o)
{
    double value = 0;

    return o->kind == OUTCOME_NUMBERS && o->calls_n == 1 && str_number(o->calls[0], &value) && isnan(value);
}

/* Empty if both are alike. */
static struct str compared(struct arena *a, const struct outcome *right, const struct outcome *o,
                           enum result_stage base)
{
    struct str name = base == STAGE_PLAIN ? stage_names[base] : STR("`backend=\"eager\"`");

    if (right->kind == OUTCOME_NUMBERS && o->kind == OUTCOME_NUMBERS) {
        struct str found = right->bracket != o->bracket ? (struct str){0}
                                                        : printed_compared(a, right->span, o->span, !o->bracket);

        return found.n && base == STAGE_EAGER ? arena_printf(a, "%.*s, with `backend=\"eager\"`", STR_ARG(found))
                                              : found;
    }
    if (right->kind != OUTCOME_NUMBERS && is_no_number(o))
        return arena_printf(a, ": `%.*s` where %.*s has `%.*s`", STR_ARG(o->calls[0]), STR_ARG(name),
                            STR_ARG(str_first_line(right->span)));
    if (right->kind == o->kind || o->kind == OUTCOME_NUMBERS ||
        (right->kind == OUTCOME_NUMBERS && o->kind == OUTCOME_GOOD))
        return (struct str){0};
    return arena_printf(a, ": `%.*s` where %.*s has `%.*s`", STR_ARG(str_first_line(o->span)), STR_ARG(name),
                        STR_ARG(str_take(str_first_line(right->span), WORDS_MAX)));
}

/* "device="cpu": all the same": the text says that only the GPU is wrong. */
static bool is_right_on_cpu(struct str text)
{
    static const char right[] = "same\nagree\nfine\ncorrect\nright\nok\nmatch\nequal\nidentical";
    static const char denied[] = "not \nn't \nwrong\nalso\nalike\ntoo\nboth\nsame problem\nsame issue\nsame bug\n"
                                 "same wrong";
    struct str line;

    while (str_next_line(&text, &line))
        for (struct str rest = str_take(line, LINE_MAX), sentence; rest.n;) {
            char room[LINE_MAX];

            sentence = str_next_sentence(&rest);
            sentence = str_lower(sentence, room, sizeof room);
            if (prose_has_word(sentence, STR("cpu")) && prose_has_word(sentence, str_of(right)) &&
                !str_has_any_line(sentence, str_of(denied)))
                return true;
        }
    return false;
}

/* " with inductor, and right with aot_eager", by the table, or by what the writer says where it has only two rows. */
static struct str stage_words(struct arena *a, enum result_stage wrong, enum result_stage right, bool between,
                              const char *alike, const struct prose *prose)
{
    if (between && right == STAGES)
        return arena_printf(a, " with %.*s already", STR_ARG(stage_names[wrong]));
    if (between)
        return arena_printf(a, " with %.*s, and %s with %.*s", STR_ARG(stage_names[wrong]), alike,
                            STR_ARG(stage_names[right]));
    if (prose->wrong[BACKEND_EAGER])
        return STR(" with eager already");
    if (prose->wrong[BACKEND_AOT_EAGER] && prose->right[BACKEND_EAGER])
        return arena_printf(a, " with aot_eager, and %s with eager", alike);
    if (prose->wrong[BACKEND_AOT_EAGER])
        return STR(" with aot_eager already");
    if (prose->right[BACKEND_AOT_EAGER])
        return arena_printf(a, " with inductor, and %s with aot_eager", alike);
    return (struct str){0};
}

/* "assert test, "negative variance"", the first within a function of the text. */
static struct str check_in(struct str text, struct str *whole)
{
    static const char not_of_tensors[] = "isinstance\n.shape\n.dtype\n.dim()\nis not None\nlen(";
    struct str line;
    bool compiles = str_has_any_line(text, STR("torch.compile\n.compile("));

    while (compiles && str_next_line(&text, &line)) {
        struct str bare = str_trim(line);

        if (shown_indent(line) && (str_starts(bare, STR("assert ")) || str_starts(bare, STR("torch._assert("))) &&
            !str_ends(bare, STR(".")) && !str_has_any_line(bare, str_of(not_of_tensors))) {
            *whole = line;
            return bare;
        }
    }
    return (struct str){0};
}

static bool find_difference(struct arena *a, struct str text, const struct result_group *g, const struct prose *prose,
                            struct backends_found *out)
{
    enum result_stage base = STAGE_PLAIN, right = STAGES;
    bool between = false;

    while (base < STAGE_AOT_EAGER && g->of[base].kind == OUTCOME_NONE)
        base++;
    if (base == STAGE_AOT_EAGER || (base == STAGE_EAGER && g->of[base].kind == OUTCOME_BAD))
        return false;
    for (enum result_stage i = base + 1; i < STAGES; i++) {
        const struct outcome *o = &g->of[i];
        struct str found, words, check, line = o->line;
        bool loses;

        if (o->kind == OUTCOME_NONE)
            continue;
        between |= i < STAGE_INDUCTOR || base == STAGE_EAGER;
        found = compared(a, &g->of[base], o, base);
        if (!found.n) {
            right = i;
            continue;
        }
        if (right == STAGES && base == STAGE_EAGER)
            right = base;
        loses = g->of[base].kind == OUTCOME_RAISES;
        check = loses ? check_in(text, &line) : (struct str){0};
        words = stage_words(a, i, right, between,
                            o->kind == OUTCOME_RAISES ? "not"
                            : check.n                 ? "kept"
                                                      : "right",
                            prose);
        if (check.n) {
            out->check = (struct series_found){arena_printf(a, ": `%.*s`, without effect%.*s",
                                                            STR_ARG(utf8_shorten(a, check, SHOWN_MAX)), STR_ARG(words)),
                                               line};
            return true;
        }
        if (is_right_on_cpu(text) && str_has_any_line(text, STR("cuda\nmps\nxpu\nGPU\nhip")))
            found = arena_printf(a, "%.*s; not on the CPU", STR_ARG(found));
        *(o->kind == OUTCOME_RAISES ? &out->fails : &out->wrong) =
            (struct series_found){arena_printf(a, "%.*s%.*s", STR_ARG(words), STR_ARG(found)), o->line};
        return true;
    }
    return false;
}

/* --- what is chosen while compiling ------------------------------------------------------------------------------- */

/* "random.uniform(0, 1)": a call, with its object before it. */
static struct str changing_call(struct str line)
{
    static const char calls[] = "random.random(\nrandom.uniform(\nrandom.randint(\nrandom.choice(\nrandom.gauss(\n"
                                "random.sample(\nrandom.randrange(\nrandom.choices(\nrandom.normalvariate(\n"
                                "random.rand(\nrandom.binomial(\nrandom.normal(\nrng.random(\nrng.uniform(\n"
                                "rng.integers(\nrng.choice(\nrng.randint(\ntime.time(\ntime.time_ns(\nuuid.uuid4(\n"
                                "os.urandom(\ndatetime.now(";
    struct str rest = str_of(calls), one;

    while (str_next_line(&rest, &one)) {
        ptrdiff_t at = str_find(line, one);
        size_t begin = at < 0 ? 0 : (size_t)at, end = begin + one.n;
        struct str call;

        if (at < 0)
            continue;
        while (begin > 0 && (str_is_word_char(line.p[begin - 1]) || line.p[begin - 1] == '.'))
            begin--;
        while (end < line.n && line.p[end - 1] != ')')
            end++;
        call = str_range(line.p + begin, line.p + end);
        if (!str_starts(call, STR("torch.")) && !str_starts(call, STR("cuda.")) && !str_starts(call, STR("jax.")))
            return call;
    }
    return (struct str){0};
}

/* In the body of a function; a clock that is read twice measures. */
static struct str changing_value(struct str text)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        struct str body, behind, inner, call;

        if (!shown_defined(str_trim(line)).n)
            continue;
        body = shown_body(text, shown_indent(line), &behind);
        while (str_next_line(&body, &inner))
            if ((call = changing_call(str_trim(inner))).n && !str_starts(str_trim(inner), STR("#")) &&
                !(str_has(call, STR("time.")) && str_has_any_line(inner, STR(" - \nstart\nt0"))))
                return call;
    }
    return (struct str){0};
}

/* How many different numbers the calls have. */
static size_t kinds_of(const struct outcome *o)
{
    size_t n = 0;

    for (size_t i = 0; i < o->calls_n; i++) {
        size_t k = 0;

        while (k < i && !str_eq(o->calls[k], o->calls[i]))
            k++;
        n += k == i;
    }
    return n;
}

static bool find_chosen(struct arena *a, struct str text, const struct result_group *g, struct backends_found *out)
{
    const struct outcome *eager = &g->of[STAGE_PLAIN];
    static const char of_calls[] = "calls each\nfive calls\nfive times\ntimes each\ncalls in a row\neach call\n"
                                   "every call\ncalled again\ncall it again\nsuccessive calls\nconsecutive calls",
                      of_several[] = "times\ncalls\neach call\nevery call\neach time\nevery time\nagain\nin a row";
    size_t kinds = kinds_of(eager);
    struct str call;

    if (eager->calls_n < CALLS_MIN || kinds < 2)
        return false;
    call = changing_value(text);
    for (enum result_stage i = STAGE_EAGER; i < STAGES; i++) {
        const struct outcome *o = &g->of[i];
        double value = 0;

        if (o->calls_n < CALLS_MIN || kinds_of(o) != 1)
            continue;
        str_number(o->calls[0], &value);
        /* numbers of one tensor are no calls */
        if (!call.n && (value == 0 || isnan(value) || !prose_has_line(text, o->bracket ? of_calls : of_several)))
            continue;
        out->chosen = (struct series_found){
            arena_printf(a, "%s%.*s%s: %.*s in each of %zu compiled calls, and %zu different results in eager mode",
                         call.n ? ", of `" : "", STR_ARG(utf8_shorten(a, call, SHOWN_MAX)), call.n ? "`" : "",
                         STR_ARG(o->calls[0]), o->calls_n, kinds),
            o->line};
        return true;
    }
    return false;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

struct backends_found backends_compare(struct arena *a, struct str text, const struct prose *prose)
{
    struct backends_found out = {.wrong = {.line = {0}}};
    struct result_groups *g = ARENA_NEW(a, struct result_groups);

    g->n = 0;
    g->wrong = prose->complaints[COMPLAINT_WRONG].n > 0;
    g->timed = !g->wrong && measured_times(text);
    read_groups(a, text, g);
    for (size_t i = 0; i < g->n; i++)
        if (find_chosen(a, text, &g->v[i], &out))
            return out;
    for (size_t i = 0; i < g->n; i++)
        if (find_difference(a, text, &g->v[i], prose, &out))
            return out;
    return out;
}

struct series_found backends_lost_check(struct arena *a, struct str text)
{
    static const char checks[] = "assert\nasserts\nassertion\nassertionerror\nassertions";
    static const char lost[] = "ignored\nignores\nskipped\nskips\nsilently\nno error\nno exception\nnot raise\n"
                               "n't raise\nnever raise\nnever raises\nnot fire\nn't fire\nnever fires\nnot trigger\n"
                               "n't trigger\ndropped\nremoved\nno effect\nno assertionerror\nnot fail\nn't fail\n"
                               "is lost\nare lost";
    struct str line = {0}, check = check_in(text, &line);

    if (!check.n || !prose_has_sentence(text, checks, lost, ""))
        return (struct series_found){.line = {0}};
    return (struct series_found){
        arena_printf(a, ": `%.*s`, without effect", STR_ARG(utf8_shorten(a, check, SHOWN_MAX))), line};
}

/* "Till.apply(x, x)" */
static struct str applied_twice(struct str line)
{
    static const struct str call = STR_INIT(".apply(");
    ptrdiff_t at = str_find(line, call), end;
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + call.n), all[TABLE_CELLS];
    size_t n = 0, begin = at < 0 ? 0 : (size_t)at;

    end = str_chr(rest, ')');
    if (at <= 0 || end < 0 || str_has_any_line(str_take(rest, (size_t)end), STR("(\n\"")))
        return (struct str){0};
    for (struct str args = str_take(rest, (size_t)end); args.n && n < TABLE_CELLS;) {
        struct str one = str_trim(str_split(&args, ','));

        for (size_t i = 0; i < n; i++)
            if (str_eq(all[i], one) && one.n && !str_is_digit(one.p[0]) && !str_eq(one, STR("None")) &&
                !str_eq(one, STR("True")) && !str_eq(one, STR("False"))) {
                while (begin > 0 && (str_is_word_char(line.p[begin - 1]) || line.p[begin - 1] == '.'))
                    begin--;
                return str_range(line.p + begin, rest.p + end + 1);
            }
        all[n++] = one;
    }
    return (struct str){0};
}

struct series_found backends_applied_twice(struct arena *a, struct str text, const struct backends_found *found)
{
    struct str line;

    if (!str_has(text, STR("autograd.Function")) || !found->wrong.line.n || !str_has(text, STR("grad")))
        return (struct series_found){.line = {0}};
    while (str_next_line(&text, &line)) {
        struct str call = shown_indent(line) || str_has(line, STR("=")) ? applied_twice(line) : (struct str){0};

        if (call.n)
            return (struct series_found){
                arena_printf(a, ", of `%.*s`%.*s", STR_ARG(utf8_shorten(a, call, SHOWN_MAX)),
                             STR_ARG(found->wrong.message)), found->wrong.line};
    }
    return (struct series_found){.line = {0}};
}
