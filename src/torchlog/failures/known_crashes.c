#include "torchlog/failures/known_crashes.h"

#include "text/python/exception_line.h"

enum {
    LOOK_BACK_MAX = 64, /* how many failures back the same one is looked for */
    CLUES_MAX = 16,
};

/* The first line, and the second where the first only introduces it: "backend='inductor' raised:". */
static struct str headline_of(struct str message)
{
    struct str rest = message, first = str_trim(str_split(&rest, '\n')), second = str_trim(str_split(&rest, '\n'));

    return str_ends(first, STR(":")) && second.n ? str_range(first.p, second.p + second.n) : first;
}

/* --- the same exception ------------------------------------------------------------------------------------------- */

/* Printed where it was caught, and raised again: the stack of `outer` leads to where the stack of `inner` begins. */
static bool leads_to(const struct failure *outer, const struct failure *inner)
{
    const struct call *begin = inner->stack;

    while (begin && begin->parent)
        begin = begin->parent;
    for (const struct call *c = outer->stack; begin && c; c = c->parent)
        if (c->parent && c->line == begin->line && str_eq(c->file, begin->file))
            return true;
    return false;
}

static size_t depth_of(const struct call *c)
{
    size_t n = 0;

    for (; c; c = c->parent)
        n++;
    return n;
}

/* The stack of the one is the first calls of the other's: a person cut the rest, or the exception was raised again. */
static bool begins_stack_of(const struct failure *cut, const struct failure *whole)
{
    size_t calls = depth_of(cut->stack), more = depth_of(whole->stack);
    const struct call *a = cut->stack, *b = whole->stack;

    if (calls == 0 || calls >= more)
        return false;
    for (; more > calls; more--)
        b = b->parent;
    for (; a; a = a->parent, b = b->parent)
        if (a->line != b->line || !str_eq(a->file, b->file))
            return false;
    return true;
}

/* What Dynamo says of the place; another call of the same function mostly has another one. */
static struct str context_of(const struct failure *f)
{
    return str_line_with(f->message, STR("Developer debug context: "));
}

static bool is_cut_stack(const struct failure *cut, const struct failure *whole)
{
    struct str context = context_of(cut);

    return context.n && str_eq(context, context_of(whole)) && begins_stack_of(cut, whole);
}

static bool is_same_place(const struct failure *a, const struct failure *b)
{
    if (is_cut_stack(a, b) || is_cut_stack(b, a))
        return true;
    return a->line == 0 || b->line == 0 || (a->line == b->line && str_eq(a->file, b->file)) || leads_to(a, b) ||
           leads_to(b, a);
}

/* "cannot import name 'f'" of "ImportError: cannot import name 'f'": a program prints only the words. */
static struct str without_name(struct str text)
{
    struct exception_name name;
    struct str rest = text;

    return exception_name_take(&rest, &name) ? rest : text;
}

/* Shorter ones say too little. */
enum { WHOLE_MIN = 30 };

/* A logger's line has the message of the exception, and goes on. */
static bool says_whole(const struct failure *logged, const struct failure *f)
{
    struct str headline = without_name(headline_of(f->message));

    return headline.n >= WHOLE_MIN && str_has(logged->message, headline);
}

/* "no quokka" of "[Bug]: [shop] RuntimeError: no quokka": the title of an issue. */
static struct str without_tags(struct str text)
{
    ptrdiff_t end;

    while (str_starts(text, STR("[")) && (end = str_chr(text, ']')) > 0) {
        text = str_skip(text, (size_t)end + 1);
        str_consume(&text, STR(":"));
        text = str_trim(text);
    }
    return without_name(text);
}

/* One that lost its name is known by what it says. */
static bool is_part_of(const struct failure *a, const struct failure *b)
{
    struct str headline = headline_of(a->message), title = without_tags(headline);

    if (a->type.n || headline.n == 0)
        return false;
    return str_has(b->message, headline) || says_whole(a, b) ||
           (title.n >= WHOLE_MIN && str_has(b->message, title));
}

/* Takes one of the signs off the end. */
static bool drop_end(struct str *s, const struct str *signs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s->n > signs[i].n && str_ends(*s, signs[i])) {
            *s = str_trim(str_drop(*s, signs[i].n));
            return true;
        }
    return false;
}

/*
 * A summary cuts a message where its line ends: "FAILED test_x.py::test - torch._dynamo.exc.Unsupported: Data-de...".
 * Who quotes one closes the quote or the sentence behind its first line: "failed to load: ... in a subprocess:\"".
 */
static bool is_cut_of(struct str cut, struct str whole)
{
    static const struct str dots[] = {STR_INIT("..."), STR_INIT("\xe2\x80\xa6")},
                            closing[] = {STR_INIT("\""), STR_INIT("'"), STR_INIT("`"), STR_INIT("\xe2\x80\x9d"),
                                         STR_INIT(")"), STR_INIT("]"), STR_INIT("."), STR_INIT("\\n")};
    bool dotted = drop_end(&cut, dots, sizeof dots / sizeof *dots), closed = false;

    while (!dotted && drop_end(&cut, closing, sizeof closing / sizeof *closing)) {
        dotted = drop_end(&cut, dots, sizeof dots / sizeof *dots);
        closed = true;
    }
    if (dotted)
        return str_starts(whole, cut);
    return closed && (str_eq(whole, cut) || str_eq(str_trim(str_first_line(whole)), cut));
}

/*
 * pytest's summary of old versions cuts without a sign, and all versions where the first line of a message ends:
 * "backend='inductor' raised:". It has no stack.
 */
static bool is_begin_of(const struct failure *cut, const struct failure *whole)
{
    struct str headline = headline_of(cut->message);
    bool goes_on = str_ends(headline, STR(" raised:")) && str_eq(str_trim(cut->message), headline);

    return !cut->stack && cut->line == 0 && (headline.n >= WHOLE_MIN || goes_on) &&
           str_starts(headline_of(whole->message), headline);
}

/* A sentence goes on behind what it quotes. */
static bool is_quote_of(struct str sentence, struct str whole)
{
    static const struct str closing[] = {STR_INIT("\""), STR_INIT("'"), STR_INIT("`"), STR_INIT("\xe2\x80\x9d")};
    struct str behind = str_skip(sentence, whole.n);

    return whole.n && str_starts(sentence, whole) && STR_STARTS_ANY(behind, closing);
}

/* torch.export raises some exceptions again, with the same words. */
static bool is_wrapper(const struct failure *f)
{
    return str_eq(f->type, STR("UserError"));
}

/* A paste between back-ticks keeps the last one. */
static struct str without_tick(struct str headline)
{
    size_t ticks = 0;

    for (size_t i = 0; i < headline.n; i++)
        ticks += headline.p[i] == '`';
    return ticks % 2 && str_ends(headline, STR("`")) ? str_trim(str_drop(headline, 1)) : headline;
}

/*
 * "debug_wrapper raised ValueError: no quokka" of "ValueError: no quokka": the words that link both are missing. So it
 * is with a whole sentence that another message ends with, "Failed to run it: name 'quokka_of_till' is not defined".
 */
static bool passes_on(const struct failure *outer, const struct failure *inner)
{
    struct str rest = headline_of(outer->message), headline = without_tick(headline_of(inner->message));

    enum { SENTENCE_MIN = 24 }; /* of a line that says more than a name */

    if (!inner->type.n || !headline.n || !str_ends(rest, headline) ||
        !str_ends(str_drop(rest, headline.n), STR(": ")))
        return false;
    return headline.n >= SENTENCE_MIN || str_ends(str_drop(rest, headline.n + 2), inner->type);
}

bool crash_same_exception(const struct failure *a, const struct failure *b)
{
    struct str one = headline_of(a->message), other = headline_of(b->message);

    if (is_part_of(a, b) || is_part_of(b, a) || passes_on(a, b) || passes_on(b, a))
        return true;
    return (str_eq(a->type, b->type) || is_wrapper(a) || is_wrapper(b)) &&
           (str_eq(one, other) || is_begin_of(a, b) || is_begin_of(b, a) || is_cut_of(one, other) ||
            is_cut_of(other, one) || is_quote_of(one, other) || is_quote_of(other, one));
}

static bool is_of_nobody(const struct failure *f)
{
    return !f->compile->frame;
}

/* Without an id, and without a stack, it may be of any compile. */
static bool may_be_of_same_compile(const struct failure *known, const struct failure *f)
{
    return known->compile == f->compile || is_of_nobody(f) || (is_of_nobody(known) && known->line == 0);
}

static struct known_crash *known_before(const struct known_crashes *t, const struct failure *f)
{
    for (size_t i = t->list.n; i-- > 0 && t->list.n - i <= LOOK_BACK_MAX;) {
        const struct failure *known = t->list.v[i]->failure;

        if (crash_same_exception(known, f) && is_same_place(known, f) && may_be_of_same_compile(known, f))
            return t->list.v[i];
    }
    return NULL;
}

/* --- what is known -------------------------------------------------------------------------------------------------
 */

static void put(struct arena *a, struct failure *f)
{
    vec_push(a, &f->compile->failures, f);
}

static void take_away(struct failure *f)
{
    struct compile *c = f->compile;
    size_t kept = 0;

    for (size_t i = 0; i < c->failures.n; i++)
        if (c->failures.v[i] != f)
            c->failures.v[kept++] = c->failures.v[i];
    c->failures.n = kept;
}

/* A line of a logger mentioned it, and the traceback follows; or the exception that was raised of it. */
static bool says_more(const struct failure *f, const struct failure *known)
{
    if (passes_on(f, known) || leads_to(f, known) || is_cut_stack(known, f))
        return true;
    return known->line == 0 && (f->line || known->type.n == 0);
}

/* Shown in short first, and then whole: the target of a lowering is below the headline. */
static bool is_longer(const struct failure *f, const struct failure *known)
{
    struct str begin = str_trim(known->message);

    return begin.n && f->message.n > known->message.n && str_eq(f->type, known->type) &&
           str_starts(f->message, begin) && str_starts(str_skip(f->message, begin.n), STR("\n"));
}

bool crash_is_known(const struct known_crashes *t, const struct failure *f)
{
    const struct known_crash *known = known_before(t, f);

    return known && !says_more(f, known->failure) && !is_longer(f, known->failure);
}

bool known_crashes_ends_with(const struct known_crashes *t, const struct failure *f)
{
    const struct failure *newest = t->list.n ? t->list.v[t->list.n - 1]->failure : NULL;

    return newest && newest->line && f->type.n && str_eq(newest->type, f->type) &&
           str_eq(headline_of(newest->message), headline_of(f->message));
}

static void learn(struct arena *a, struct known_crash *crash, const struct failure *f)
{
    struct failure *known = crash->failure;
    struct str beside = known->beside;

    if (!says_more(f, known)) {
        known->message = is_longer(f, known) ? f->message : known->message;
        return;
    }
    if (crash->placed)
        take_away(known);
    *known = *f;
    known->beside = known->beside.n ? known->beside : beside;
    crash->headline = headline_of(f->message);
    if (crash->placed)
        put(a, known);
}

struct known_crash *known_crashes_add(struct known_crashes *t, struct record *rec, struct failure *f, bool place)
{
    struct arena *a = record_arena(rec);
    struct known_crash *known = place ? known_before(t, f) : NULL;

    if (known) {
        learn(a, known, f);
        return NULL;
    }
    known = ARENA_NEW(a, struct known_crash);
    *known =
        (struct known_crash){.failure = f, .headline = headline_of(f->message), .rank = RANK_UNKNOWN, .placed = place};
    vec_push(a, &t->list, known);
    if (place)
        put(a, f);
    return known;
}

void known_crashes_drop(struct known_crashes *t, bool (*is_consequence)(const struct failure *f))
{
    size_t kept = 0;

    for (size_t i = 0; i < t->list.n; i++) {
        struct known_crash *known = t->list.v[i];

        if (!is_consequence(known->failure))
            t->list.v[kept++] = known;
        else if (known->placed)
            take_away(known->failure);
    }
    t->list.n = kept;
}

struct failure *known_crashes_printed(const struct known_crashes *t, const struct failure *raised)
{
    for (size_t i = t->list.n; i-- > 0 && t->list.n - i <= LOOK_BACK_MAX;) {
        struct failure *known = t->list.v[i]->failure;

        if (leads_to(raised, known) && crash_same_exception(known, raised))
            return known;
    }
    return NULL;
}

/* --- clues -------------------------------------------------------------------------------------------------------- */

/* "Accuracy failed for key name weight.grad" follows what differs there (torch/_dynamo/utils.py, same). */
static bool names_key_of(struct arena *a, struct failure *before, const struct failure *f)
{
    struct str key = str_first_line(f->message);

    if (!str_consume(&key, STR("Accuracy failed for key name ")))
        return false;
    before->message = arena_printf(a, "%.*s\nfor key name %.*s", STR_ARG(before->message), STR_ARG(key));
    before->where = f->where == FAILED_BACKWARD ? FAILED_BACKWARD : before->where; /* of a gradient */
    return true;
}

void known_crashes_keep_clue(struct known_crashes *t, struct record *rec, struct failure *f)
{
    if (t->clues.n && names_key_of(record_arena(rec), t->clues.v[t->clues.n - 1], f))
        return;
    for (size_t i = 0; i < t->clues.n; i++)
        if (str_eq(headline_of(t->clues.v[i]->message), headline_of(f->message)))
            return;
    if (t->clues.n < CLUES_MAX)
        vec_push(record_arena(rec), &t->clues, f);
}

bool crash_is_of_called_compiler(const struct failure *f)
{
    static const struct str words[] = {STR_INIT("CalledProcessError"), STR_INIT("non-zero exit status"),
                                       STR_INIT("C++ compile error"),  STR_INIT("BrokenProcessPool"),
                                       STR_INIT("SubprocException"),   STR_INIT("PTX codegen error")};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_has(f->message, words[i]) || str_has(f->type, words[i]))
            return true;
    return false;
}

/* The watchdog says which rank did not come below its complaint. */
static bool is_desync(const struct failure *f, const struct failure *clue)
{
    static const struct str words[] = {STR_INIT(" collective #"), STR_INIT("] are the lagging ranks that caused"),
                                       STR_INIT("missing ranks: {")};

    return STR_HAS_ANY(clue->message, words) && str_eq(f->type, STR(COLLECTIVE_TIMEOUT_TYPE));
}

/* The comparison prints its numbers before it is raised that they differ. */
static bool is_comparison(const struct failure *f, const struct failure *clue)
{
    return str_has(f->message, STR("Bad accuracy detected")) &&
           (str_has(clue->message, STR("RMSE ")) || str_starts(clue->message, STR("Accuracy failed")));
}

static bool is_lack_of_memory(struct str message)
{
    return str_has(message, STR("out of memory")) || str_has(message, STR(" failed with OOM on device "));
}

/* A model of AOTInductor prints why a call of it failed; the exported program, called with the same, says it best. */
static bool is_of_model(const struct failure *f, const struct failure *clue)
{
    return str_has(f->message, STR("API call failed at")) &&
           (str_has(clue->message, STR("CUDA ")) || is_lack_of_memory(clue->message) ||
            str_has(headline_of(clue->message), STR("Expected input at ")));
}

/* NCCL logs what its call of CUDA returned; the exception may only say that one failed. */
static bool is_of_nccl(const struct failure *f, const struct failure *clue)
{
    return str_has(clue->message, STR("NCCL WARN Cuda failure")) && str_has(f->message, STR("unhandled cuda error"));
}

/* Of the compiler behind Triton, which ends its process then, or fails a pass. */
static bool is_of_native_compiler(struct str message)
{
    return str_has(message, STR("LLVM ERROR: ")) || str_has(message, STR("failed to legalize operation"));
}

static bool is_failed_pass(const struct failure *f, const struct failure *clue)
{
    return is_of_native_compiler(clue->message) &&
           (is_of_native_compiler(f->message) || str_has(f->message, STR("PassManager::run failed")));
}

static bool is_dead_worker(const struct failure *f)
{
    static const struct str words[] = {STR_INIT("process pool was terminated abruptly"),
                                       STR_INIT("A compilation subprocess exited unexpectedly")};

    return STR_HAS_ANY(f->message, words);
}

/* The runtime of an AMD GPU, OpenMP and the compiler behind Triton say what they end the process for. */
static bool is_last_word(const struct failure *f, const struct failure *clue)
{
    bool died = str_eq(f->type, STR("Aborted")) || str_eq(f->type, STR("Segmentation fault"));

    if (is_of_native_compiler(clue->message))
        return (died || is_dead_worker(f)) && !is_of_native_compiler(f->message);
    return died && (str_has(clue->message, STR("HSA_STATUS_ERROR")) || str_has(clue->message, STR(" by GPU")) ||
                    str_starts(clue->message, STR("OMP: Error #")));
}

bool crash_explains(struct arena *a, struct failure *f, const struct failure *clue)
{
    struct str headline = headline_of(clue->message), words = is_desync(f, clue) ? str_trim(clue->message) : headline;

    if (str_starts(headline, STR("Error in codegen for ")) && f->where != FAILED_PROGRAM) /* it is raised then */
        return true;
    if ((!exception_line_has_phrase(clue->message) && !is_of_model(f, clue)) || str_has(f->message, headline) ||
        str_has(f->beside, headline) || says_whole(clue, f) || is_part_of(clue, f))
        return true;
    if (is_last_word(f, clue)) {
        f->message = arena_str(a, headline);
        return true;
    }
    if ((is_of_model(f, clue) || is_of_nccl(f, clue)) && is_lack_of_memory(headline))
        f->message = arena_printf(a, "%.*s\n%.*s", STR_ARG(f->message), STR_ARG(headline));
    if (!is_of_model(f, clue) && !crash_is_of_called_compiler(f) && !is_desync(f, clue) && !is_comparison(f, clue) &&
        !is_failed_pass(f, clue) && !is_of_nccl(f, clue))
        return false;
    f->beside =
        f->beside.n ? arena_printf(a, "%.*s\n%.*s", STR_ARG(f->beside), STR_ARG(words)) : arena_str(a, words);
    return true;
}

void known_crashes_add_clue(struct known_crashes *t, struct failure *clue, struct arena *a)
{
    struct known_crash *known = ARENA_NEW(a, struct known_crash);

    *known = (struct known_crash){.failure = clue, .headline = headline_of(clue->message), .rank = RANK_UNKNOWN};
    vec_push(a, &t->list, known);
    put(a, clue);
}
