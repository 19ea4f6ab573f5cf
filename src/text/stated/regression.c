#include "text/stated/regression.h"

#include "text/stated/prose.h"

enum { SENTENCE_MAX = 400, MENTIONS = 8 };

/* Packages of which texts name versions, and what they are called where they are installed or set. */
static const struct {
    struct str word; /* in small letters */
    struct str name;
} packages[] = {
    {STR_INIT("torch"), STR_INIT("torch")},
    {STR_INIT("pytorch"), STR_INIT("torch")},
    {STR_INIT("lightning"), STR_INIT("lightning")},
    {STR_INIT("pytorch-lightning"), STR_INIT("pytorch-lightning")},
    {STR_INIT("pytorch_lightning"), STR_INIT("pytorch-lightning")},
    {STR_INIT("transformers"), STR_INIT("transformers")},
    {STR_INIT("diffusers"), STR_INIT("diffusers")},
    {STR_INIT("accelerate"), STR_INIT("accelerate")},
    {STR_INIT("deepspeed"), STR_INIT("deepspeed")},
    {STR_INIT("peft"), STR_INIT("peft")},
    {STR_INIT("torchao"), STR_INIT("torchao")},
    {STR_INIT("torchvision"), STR_INIT("torchvision")},
    {STR_INIT("triton"), STR_INIT("triton")},
    {STR_INIT("triton-windows"), STR_INIT("triton-windows")},
    {STR_INIT("unsloth"), STR_INIT("unsloth")},
    {STR_INIT("vllm"), STR_INIT("vllm")},
    {STR_INIT("sglang"), STR_INIT("sglang")},
    {STR_INIT("xformers"), STR_INIT("xformers")},
    {STR_INIT("python"), STR_INIT("Python")},
    {STR_INIT("cuda"), STR_INIT("CUDA")},
    {STR_INIT("rocm"), STR_INIT("ROCm")},
    {STR_INIT("driver"), STR_INIT("the driver")},
};

static const struct str torch = STR_INIT("torch");

struct mention {
    struct str name, version; /* the name is empty where the sentence has none before it */
};

/* --- versions ----------------------------------------------------------------------------------------------------- */

/* "2.11.0" of "2.11.0+cu128"; "2.5 ms" and "1.5x" are none. */
static struct str version_at(struct str s)
{
    static const struct str units[] = {STR_INIT("ms"),  STR_INIT("us"),   STR_INIT("s "), STR_INIT("gb"),
                                       STR_INIT("gib"), STR_INIT("mb"),   STR_INIT("%"),  STR_INIT("it/"),
                                       STR_INIT("x "),  STR_INIT("times"), STR_INIT("sec"), STR_INIT("min"),
                                       STR_INIT("hour"), STR_INIT("tok")};
    size_t n = 0, dots = 0;
    struct str behind;

    for (; n < s.n && (str_is_digit(s.p[n]) || (s.p[n] == '.' && n + 1 < s.n && str_is_digit(s.p[n + 1]))); n++)
        dots += s.p[n] == '.';
    behind = str_skip(s, n);
    if (dots == 0 || dots > 2 || (behind.n && str_is_word_char(behind.p[0])))
        return (struct str){0};
    behind = str_trim(behind);
    return STR_STARTS_ANY(behind, units) ? (struct str){0} : str_take(s, n);
}

static int compare(struct str a, struct str b)
{
    while (a.n || b.n) {
        struct str part = str_split(&a, '.'), other = str_split(&b, '.');
        uint64_t x = 0, y = 0;

        str_take_u64(&part, &x);
        str_take_u64(&other, &y);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* The package whose name begins here, "torch" of "torch==2.2" and not of "torch.compile" or "torch_xla". */
static struct str package_at(struct str s, size_t *length)
{
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        struct str behind = s;

        if (!str_consume(&behind, packages[i].word) || (behind.n && str_is_word_char(behind.p[0])) ||
            (behind.n > 1 && strchr(".-/", behind.p[0]) && str_is_word_char(behind.p[1])))
            continue;
        *length = packages[i].word.n;
        return packages[i].name;
    }
    return (struct str){0};
}

/* "2.9.1/3.5.1", "2.8.0/triton 3.4.0": a version stands directly before the slash. */
static bool joins(struct str s, size_t i, const struct mention *m, size_t n)
{
    return n && s.p[i - 1] == '/' && m[n - 1].version.p + m[n - 1].version.n == s.p + i - 1;
}

static size_t find_mentions(struct str s, struct mention out[MENTIONS])
{
    static const struct str builds[] = {STR_INIT("+cu"), STR_INIT("+cpu"), STR_INIT("+rocm")}; /* of PyTorch alone */
    struct str name = {0};
    size_t n = 0, length = 1;
    bool of_torch = false;

    for (size_t i = 0; i < s.n && n < MENTIONS; i += length) {
        bool begins = i == 0 || !(str_is_word_char(s.p[i - 1]) || strchr("./-", s.p[i - 1]) != NULL) ||
                      (i > 1 && s.p[i - 1] == 'v' && !str_is_word_char(s.p[i - 2])) || joins(s, i, out, n);
        struct str version, package;

        length = 1;
        if (!begins)
            continue;
        package = package_at(str_skip(s, i), &length);
        name = package.n ? package : name;
        version = package.n ? (struct str){0} : version_at(str_skip(s, i));
        if (version.n) {
            out[n++] = (struct mention){.name = name, .version = version};
            length = version.n;
            of_torch |= STR_STARTS_ANY(str_skip(s, i + version.n), builds);
        }
    }
    for (size_t i = 0; i < n && of_torch; i++)
        out[i].name = out[i].name.n ? out[i].name : torch;
    return n;
}

/* --- what is said of them ----------------------------------------------------------------------------------------- */

struct spans {
    struct mention worked, broken; /* the newest that worked, and the oldest that does not */
};

static void add_worked(struct spans *s, struct mention m)
{
    if (s->worked.version.n == 0 || compare(m.version, s->worked.version) > 0)
        s->worked = m;
}

static void add_broken(struct spans *s, struct mention m)
{
    if (s->broken.version.n == 0 || compare(m.version, s->broken.version) < 0)
        s->broken = m;
}

/* How many versions, of which this is the last or the first, stand with slashes between them. */
static size_t joined_before(const struct mention *m, size_t last)
{
    size_t count = 1;

    while (last + 1 > count && m[last - count].version.p[m[last - count].version.n] == '/')
        count++;
    return count;
}

static size_t joined_from(const struct mention *m, size_t n, size_t first)
{
    size_t count = 1;

    while (first + count < n && m[first + count - 1].version.p + m[first + count - 1].version.n + 1 ==
                                    m[first + count].version.p &&
           m[first + count].version.p[-1] == '/')
        count++;
    return count;
}

/*
 * "torch 2.8.0/triton 3.4.0 to 2.9.1/3.5.1": those behind the arrow have the order of the names before it. How
 * far before the arrow the one stands that counts, which is PyTorch's if it is among them; 0 where these are no lists.
 */
static size_t pair_of_lists(const struct mention *m, size_t n, size_t last)
{
    size_t count = joined_before(m, last);

    if (count < 2 || joined_from(m, n, last + 1) != count)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (str_eq(m[last + 1 - count + i].name, torch))
            return count - i;
    return count;
}

/* "2.11.0 -> 2.12.0" in a sentence of an upgrade, or of what is wrong since then. */
static void read_arrow(struct str s, const struct mention *m, size_t n, struct spans *out)
{
    static const struct str arrows[] = {STR_INIT("->"), STR_INIT("=>"), STR_INIT("\xe2\x86\x92"), STR_INIT("to")};
    static const char change[] = "upgrad\nupdat\nbump\npip install -u\nmoved\nmoving\nswitch\nsince\nregress\n"
                                 "crash\nfail\nbroke\nslower\nwrong\nstopped\nno longer\nhang";
    static const char denied[] = "still\nalso\nn't\n not \nneither\nsame\nfixed\nfixes\nsolved\nhelped\nplan\nwill \n?";

    if (!str_has_any_line(s, str_of(change)) || str_has_any_line(s, str_of(denied)))
        return;
    for (size_t i = 0; i + 1 < n; i++) {
        struct str between = str_trim(str_range(m[i].version.p + m[i].version.n, m[i + 1].version.p));
        size_t back = STR_IS_ANY(between, arrows) ? pair_of_lists(m, n, i) : 0;
        struct mention before = m[back ? i + 1 - back : i], after = m[i + 1];

        if (back)
            after = (struct mention){.name = before.name, .version = m[i + 1 + joined_before(m, i) - back].version};
        if (!STR_IS_ANY(between, arrows) || !str_eq(before.name, after.name) ||
            compare(before.version, after.version) >= 0)
            continue;
        add_worked(out, before);
        add_broken(out, after);
    }
}

/* "worked with torch 2.2": a part of a sentence that has one version. */
static void read_part(struct str part, const struct mention *m, size_t n, struct spans *out)
{
    static const char right[] = "work\nworked\nworks\nfine\nok\nno error\nno errors\nno problem\nno problems\n"
                                "was correct\nis correct\nwas right\nis right\ntrained\nran\npasses\npassed";
    static const char wrong[] = "wrong\nfail\nfails\nfailed\nbroken\nbreaks\nbroke\ncrash\ncrashes\ncrashed\nerror\n"
                                "hangs\nslower\nincorrect\ndies";
    static const char since[] = "since i up\nsince we up\nsince up\nsince the up\nafter up\nafter the up\nafter i up\n"
                                "after we up";
    static const char denied[] = "n't\n not \nneither\n nor \nalso\n?\nshould\nmight\nneed\nrequire\neager\n"
                                 "without compil\nwithout torch.compile\nuncompiled\ncpu\nsupport\nexpected";
    const struct mention *only = NULL;
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        if (m[i].version.p >= part.p && m[i].version.p < part.p + part.n) {
            only = &m[i];
            found++;
        }
    if (found != 1 || str_has_any_line(part, str_of(denied)))
        return;
    if (!str_has(part, STR("no error")) &&
        (prose_has_word(part, str_of(wrong)) || str_has_any_line(part, str_of(since))))
        add_broken(out, *only);
    else if (prose_has_word(part, str_of(right)))
        add_worked(out, *only);
}

/* "torch==2.9 is fine, since 2.10 this:" needs no word for what is wrong. */
static void read_since(struct str part, const struct mention *m, size_t n, struct spans *out)
{
    if (out->worked.version.n == 0 || !str_consume(&part, STR("since ")))
        return;
    for (size_t i = 0; i < n; i++)
        if (m[i].version.p == part.p)
            add_broken(out, m[i]);
}

static void read_sentence(struct str s, struct spans *of_torch, struct spans *of_others)
{
    struct mention m[MENTIONS];
    size_t n = find_mentions(s, m);
    struct spans found = {.worked = {.name = {0}}};

    if (n == 0)
        return;
    read_arrow(s, m, n, &found);
    for (bool by_arrow = found.worked.version.n > 0; !by_arrow && s.n;) {
        struct str part = prose_next_part(&s);
        ptrdiff_t at;

        while ((at = str_find(part, STR(" and "))) > 0) {
            read_part(str_take(part, (size_t)at), m, n, &found);
            part = str_skip(part, (size_t)at + 5);
        }
        read_since(part, m, n, &found);
        read_part(part, m, n, &found);
    }
    if (found.worked.version.n && found.broken.version.n && !str_eq(found.worked.name, found.broken.name))
        return;
    for (size_t i = 0; i < 2; i++) {
        struct mention one = i ? found.broken : found.worked;
        struct spans *to = str_eq(one.name, torch) ? of_torch : of_others;

        if (one.version.n && one.name.n)
            (i ? add_broken : add_worked)(to, one);
    }
}

static bool is_regression(const struct spans *s)
{
    return s->worked.version.n && s->broken.version.n && str_eq(s->worked.name, s->broken.name) &&
           compare(s->worked.version, s->broken.version) < 0;
}

/* The sentence's words, in the letters of the text. */
static struct str in_text(struct str sentence, struct str lower, struct str view)
{
    return str_take(str_skip(sentence, (size_t)(view.p - lower.p)), view.n);
}

static void find_spans(struct str text, struct spans *of_torch, struct spans *of_others)
{
    struct str line;

    while (str_next_line(&text, &line)) {
        if (str_chr(line, ' ') < 0 || str_has(line, STR("File \"")))
            continue;
        while (line.n) {
            struct str sentence = str_next_sentence(&line);
            char room[SENTENCE_MAX];
            struct str lower = str_lower(sentence, room, sizeof room);
            struct spans *all[] = {of_torch, of_others};

            if (sentence.n > SENTENCE_MAX)
                continue;
            read_sentence(lower, of_torch, of_others);
            for (size_t i = 0; i < 4; i++) { /* digits are the same in both */
                struct mention *m = i % 2 ? &all[i / 2]->broken : &all[i / 2]->worked;

                if (m->version.n && m->version.p >= lower.p && m->version.p < lower.p + lower.n)
                    m->version = in_text(sentence, lower, m->version);
            }
        }
    }
}

void regression_find(struct str text, struct stated *out)
{
    struct spans of_torch = {.worked = {.name = {0}}}, of_others = of_torch;
    const struct spans *found;

    find_spans(text, &of_torch, &of_others);
    if (of_torch.worked.version.n && !of_torch.broken.version.n && out->pytorch.n)
        of_torch.broken = (struct mention){.name = torch, .version = out->pytorch};
    found = is_regression(&of_torch) ? &of_torch : is_regression(&of_others) ? &of_others : NULL;
    if (!found)
        return;
    out->worked = found->worked.version;
    out->worked_of = found->worked.name;
    if (found == &of_torch && (out->pytorch.n == 0 || str_eq(out->pytorch, out->worked)))
        out->pytorch = found->broken.version;
}
