#include "redact/word.h"

enum { IN_CODE, IN_PROSE, CACHE_MAX = 1000000 };

void words_init(struct words *w, struct arena *a, struct placeholders *placeholders)
{
    *w = (struct words){.arena = a, .placeholders = placeholders};
    vocabulary_load(&w->vocabulary, a);
    map_init(&w->known[IN_CODE], a);
    map_init(&w->known[IN_PROSE], a);
}

static bool is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static struct str without_digits(struct str s)
{
    while (s.n && str_is_digit(s.p[s.n - 1]))
        s.n--;
    return s;
}

/* --- what stays --------------------------------------------------------------------------------------------------- */

/* Names that PyTorch numbers without an underscore: buf12, in_ptr0, s77. */
static bool is_numbered(struct str base)
{
    static const struct str bases[] = {
        STR_INIT("buf"),       STR_INIT("arg"),        STR_INIT("tmp"),        STR_INIT("ks"),
        STR_INIT("ps"),        STR_INIT("in_ptr"),     STR_INIT("out_ptr"),    STR_INIT("zuf"),
        STR_INIT("gb"),        STR_INIT("GB"),         STR_INIT("in_out_ptr"), STR_INIT("cuda"),
        STR_INIT("stream"),    STR_INIT("xindex"),     STR_INIT("rindex"),     STR_INIT("graph"),
        STR_INIT("float"),     STR_INIT("int"),        STR_INIT("uint"),       STR_INIT("bfloat"),
        STR_INIT("fp"),        STR_INIT("bf"),         STR_INIT("cu"),         STR_INIT("python"),
        STR_INIT("load_seed"), STR_INIT("mat"),        STR_INIT("grad"),       STR_INIT("t"),
        STR_INIT("sm"),        STR_INIT("avx"),        STR_INIT("cse_var"),    STR_INIT("stack"),
        STR_INIT("___stack"),  STR_INIT("raw_stream"), STR_INIT("constant"),   STR_INIT("subgraph"),
        STR_INIT("XBLOCK"),
    };

    return STR_IS_ANY(base, bases);
}

/* One letter or none, and digits: x0, s77, _1. Such a name reveals nothing. */
static bool is_short(struct str s)
{
    struct str base = without_digits(s);

    while (base.n && *base.p == '_')
        base = str_skip(base, 1);
    while (base.n && base.p[base.n - 1] == '_')
        base = str_drop(base, 1);
    return base.n == 0 || (base.n == 1 && is_letter(*base.p));
}

static bool is_api(const struct words *w, struct str word)
{
    return vocabulary_sets(&w->vocabulary, word) & WORDS_API;
}

/*
 * "add_12", "convolution_backward_1", "arg3_1": a name of the vocabulary followed by numbers. In a guard the compile
 * may follow, too: "___check_opaque_guard_fn_140106_c0" (torch/_dynamo/guards.py).
 */
static bool is_counted(const struct words *w, struct str word)
{
    struct str base = without_digits(word);

    if (base.n < word.n && str_ends(base, STR("_c")))
        base = str_drop(base, 1);

    while (base.n < word.n && base.n > 1 && base.p[base.n - 1] == '_') {
        word = str_drop(base, 1);
        if (is_short(word) || is_api(w, word))
            return true;
        base = without_digits(word);
    }
    return base.n < word.n && is_numbered(base);
}

bool word_stays(const struct words *w, struct str word)
{
    return is_short(word) || is_api(w, word) || is_counted(w, word);
}

/* The first letter may be a capital, as at the beginning of a sentence or in a title. */
static bool is_prose(const struct words *w, struct str word)
{
    char lower[40];

    if (vocabulary_sets(&w->vocabulary, word) & (WORDS_PROSE | WORDS_API))
        return true;
    if (word.n == 0 || word.n > sizeof lower || *word.p < 'A' || *word.p > 'Z')
        return false;
    memcpy(lower, word.p, word.n);
    lower[0] = (char)(lower[0] | 0x20);
    return vocabulary_sets(&w->vocabulary, (struct str){lower, word.n}) & (WORDS_PROSE | WORDS_API);
}

static bool is_users(const struct words *w, struct str word)
{
    const struct placeholder *p = placeholder_find(w->placeholders, REDACTION_NAME, word);

    return p && p->is_name;
}

/* --- names that PyTorch puts together ----------------------------------------------------------------------------- */

static struct str replaced(struct words *w, struct str word)
{
    return placeholder_of(w->placeholders, REDACTION_NAME, word)->text;
}

/* The name in the middle, if it is not PyTorch's own. */
static struct str inner(struct words *w, struct str word)
{
    return word_stays(w, word) ? word : replaced(w, word);
}

static struct str around(struct words *w, struct str before, struct str name, struct str after)
{
    return arena_printf(w->arena, "%.*s%.*s%.*s", STR_ARG(before), STR_ARG(name), STR_ARG(after));
}

/* "torch_dynamo_resume_in_F_at_12", and the same with a leading __. */
static bool resumes(struct words *w, struct str word, struct str *out)
{
    static const struct str in = STR_INIT("torch_dynamo_resume_in_"), at = STR_INIT("_at_");
    ptrdiff_t begin = str_find(word, in), end;
    struct str name, tail = without_digits(word);

    if (begin < 0 || begin > 2 || !str_ends(tail, at) || tail.n == word.n)
        return false;
    end = (ptrdiff_t)(tail.n - at.n);
    begin += (ptrdiff_t)in.n;
    if (end <= begin)
        return false;
    name = str_range(word.p + begin, word.p + end);
    *out = around(w, str_take(word, (size_t)begin), inner(w, name), str_skip(word, (size_t)end));
    return true;
}

/* "L_x_", "l_x_", "G_weights_": the name of a graph input, which stands for L['x']. */
static bool is_input(struct words *w, struct str word, struct str *out)
{
    struct str name;

    if (word.n < 4 || word.p[1] != '_' || word.p[word.n - 1] != '_' || !strchr("LlGg", *word.p))
        return false;
    name = str_drop(str_skip(word, 2), 1);
    *out = around(w, str_take(word, 2), inner(w, name), STR("_"));
    return true;
}

/* The longest beginning of s, up to an underscore or the end, that is in the vocabulary; 0 if there is none. */
static size_t longest_known(const struct words *w, struct str s)
{
    for (size_t n = s.n; n > 0; n--)
        if ((n == s.n || s.p[n] == '_') && (word_stays(w, str_take(s, n))))
            return n;
    return 0;
}

/* "add_native_layer_norm_2": several operators in a row. */
static bool are_operators(const struct words *w, struct str s)
{
    while (s.n) {
        size_t n = longest_known(w, s);

        if (n == 0)
            return false;
        s = str_skip(s, n);
        if (s.n)
            s = str_skip(s, 1);
    }
    return true;
}

enum { KERNEL_NAME_MAX = 400 };

/* Prefixes that PyTorch puts before other names. */
static bool has_prefix(struct words *w, struct str word, struct str *out)
{
    static const struct str prefixes[] = {
        STR_INIT("triton_poi_fused_"),  STR_INIT("triton_red_fused_"), STR_INIT("triton_per_fused_"),
        STR_INIT("triton_tem_fused_"),  STR_INIT("triton_poi_"),       STR_INIT("triton_red_"),
        STR_INIT("triton_per_"),        STR_INIT("triton_tem_"),       STR_INIT("triton_for_fused_"),
        STR_INIT("cpp_fused_"),         STR_INIT("__compiled_fn_"),    STR_INIT("__import_"),
        STR_INIT("__builtins_dict___"),
    };

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        struct str rest = word;

        if (!str_consume(&rest, prefixes[i]) || rest.n == 0)
            continue;
        if (rest.n < KERNEL_NAME_MAX && are_operators(w, rest))
            *out = word;
        else
            *out = around(w, prefixes[i], replaced(w, rest), STR(""));
        return true;
    }
    return false;
}

/* --- deciding ----------------------------------------------------------------------------------------------------- */

static struct str decide(struct words *w, struct str word, int where)
{
    struct str out;

    if (word_stays(w, word) || (where == IN_PROSE && is_prose(w, word) && !is_users(w, word)))
        return word;
    if (resumes(w, word, &out) || is_input(w, word, &out) || has_prefix(w, word, &out))
        return out;
    return replaced(w, word);
}

static struct str look_up(struct words *w, struct str word, int where)
{
    struct map *m = &w->known[where];
    struct str *known = map_get(m, word), out;
    void **slot;

    if (known)
        return known->p ? *known : word;
    out = decide(w, word, where);
    if (m->n < CACHE_MAX) {
        slot = map_at_copy(m, word);
        *slot = known = ARENA_NEW(w->arena, struct str);
        *known = out.p == word.p ? (struct str){0} : out;
    }
    return out;
}

struct str word_in_code(struct words *w, struct str word)
{
    return look_up(w, word, IN_CODE);
}

struct str word_in_prose(struct words *w, struct str word)
{
    return look_up(w, word, IN_PROSE);
}

void word_is_name(struct words *w, struct str word)
{
    if (!word_stays(w, word))
        placeholder_of(w->placeholders, REDACTION_NAME, word)->is_name = true;
}

struct str word_of_file(struct words *w, struct str word)
{
    struct placeholder *p;

    if (str_eq(word, STR("__init__")) || str_eq(word, STR("__main__")))
        return word;
    p = placeholder_of(w->placeholders, REDACTION_NAME, word);
    p->is_name = true;
    return p->text;
}
