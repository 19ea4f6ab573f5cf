#include "text/stated/variant.h"

#include "input/logger.h"
#include "text/code/shown_code.h"
#include "text/stated/prose.h"

enum { SENTENCE_MAX = 400, OPTION_MAX = 60 };

/* In small letters, and whole words where they are looked for as such. */
static const char goods[] =
    "works\nworked\nwork fine\nworks fine\nis fine\nare fine\nwas fine\nruns fine\nran fine\nruns\nsucceeds\npasses\n"
    "no error\nno errors\nno problem\nno problems\nno issue\nno issues\nwithout problems\nwithout a problem\n"
    "without any problem\nwithout error\nwithout errors\nwithout an error\nwithout issues\nstarts normally\n"
    "runs normally\nworks normally\nstarts fine\nstarts up\nserves\ngoes away\nwent away\nis gone\nfixes it\nfixed it\n"
    "fixes this\nsolves it\nsolved it\nis right\nare right\nthe right\nis correct\nare correct\nthe correct";
static const char absences[] = "n't happen\nnot happen\nn't fail\nnot fail\nn't crash\nnot crash\nn't occur\nnot occur";
static const char bads[] = "n't\n not \nfail\nraise\ncrash\ndies\ndied\nbreaks\nslow\nwrong\ngarbage\nnan \nmemory\n"
                           "(but \nhangs\nstuck";
/* A question, a wish, a plan, what others say, what runs uncompiled, and the other calls of one run prove nothing. */
static const char unproven[] = "?\nshould\nwould\ncould\nmight\nmaybe\nperhaps\nsuppos\nhope\nexpect\nwish\n want \n"
                               "will \nneed to\nhave to\nhow to\nanyone\nsomeone\nothers\nother people\npeople\n"
                               "colleague\nfriend\nfor him\nfor her\nfor them\nas if \nwhich went\nwarm-up\nwarmup\n"
                               "first call\nfirst batch\nfirst run\nsecond call";
static const char uncompiled[] = "eager\nuncompiled\ntorch.compile\n--compile \n--compile`\ncompile=false\n"
                                 "compile = false\ncompile_disable\ndynamo_disable\nplain pytorch\nnot compiled";
/* Before the name of what is left out. */
static const char negations[] = "without \n no \nleaving out \nleave out \ndropping \ndrop \nremoving \nremove \n"
                                "omitting \ndisabling \nturning off \nminus ";
static const char conditions[] = "if \nwhen \nwith \nwithout \nset \nsetting \nusing \nafter \nonce ";
/* It worked before, and what is new. */
static const char before[] = "used to work\nworked before\nworked until\nworked fine\nworked yesterday\nwas working\n"
                             "was fine";
static const char since[] = "now \nsince \nafter \nonce \nwhen \nwith ";
/* These say what is computed, or where: no option to leave out. */
static const char essential[] = "--model\n--input\n--output\n--prompt\n--config\n--data\n--port\n--host\n--batch\n"
                                "--path\n--ckpt\n--checkpoint\n--dtype\n--device\n--compile";
static const char sizes[] = "device\nbatch\nsize\nseed\nshape\ndtype\nname\npath\nlevel";

/* --- options ------------------------------------------------------------------------------------------------------ */

/* "--till" or "--till small", quoted; "till=False", "mode=\"default\"", "TILL=1"; with `named`, also `till`. */
static bool is_option(struct str s, bool quoted, bool named)
{
    static const struct str values[] = {STR_INIT("True"), STR_INIT("False"), STR_INIT("None")};
    struct str name = s, value;
    bool upper = true;

    if (s.n < 3 || s.n > OPTION_MAX)
        return false;
    if (str_starts(s, STR("--")))
        return str_is_word_char(s.p[2]) && (quoted || str_chr(s, ' ') < 0);
    name = str_trim(str_split(&s, '='));
    value = str_trim(s);
    for (size_t i = 0; i < name.n; i++) {
        if (!str_is_word_char(name.p[i]) && name.p[i] != '.')
            return false;
        upper &= !(name.p[i] >= 'a' && name.p[i] <= 'z');
    }
    if (name.n < 3 || str_is_digit(name.p[0]))
        return false;
    if (value.n == 0)
        return named && str_chr(name, '_') > 0;
    if (value.p[0] == '"' || value.p[0] == '\'')
        return value.n > 2 && value.p[value.n - 1] == value.p[0];
    return STR_IS_ANY(value, values) || (upper && value.n == 1 && (value.p[0] == '0' || value.p[0] == '1'));
}

/* The first option of a part of a sentence; `at` is where it begins. */
static struct str option_of(struct str part, size_t *at)
{
    for (size_t i = 0; i < part.n; i++) {
        struct str rest = str_skip(part, i), word;
        bool quoted = rest.p[0] == '`', begins = i == 0 || strchr(" (*", part.p[i - 1]);
        ptrdiff_t end;

        if (!begins)
            continue;
        if (quoted) {
            rest = str_skip(rest, 1);
            end = str_chr(rest, '`');
            word = str_take(rest, end < 0 ? 0 : (size_t)end);
        } else {
            end = str_chr(rest, ' ');
            word = str_drop_any(end < 0 ? rest : str_take(rest, (size_t)end), ".,:;)*");
        }
        if (is_option(word, quoted, quoted)) {
            *at = i;
            return word;
        }
        if (quoted && end > 0)
            i += (size_t)end + 1;
    }
    return (struct str){0};
}

/* "change till=True to till=False", "till=True -> till=False", "instead of till=True till=False": it is the second. */
static struct str taken_in_its_place(struct str words, struct str option, size_t *at)
{
    static const struct str links[] = {STR_INIT("to"), STR_INIT("by"), STR_INIT("->"), STR_INIT("=>"),
                                       STR_INIT("\xe2\x86\x92")};
    static const char exchanges[] = "replac\nswap\nexchang\nsubstitut";
    struct str above = str_take(words, *at), link, other,
               behind = str_skip_any(str_range(option.p + option.n, words.p + words.n), "`*");
    size_t begin = 0;

    other = option_of(behind, &begin);
    if (other.n == 0)
        return option;
    link = str_drop_any(str_skip_any(str_take(behind, begin), "` *"), "` *");
    if (!STR_IS_ANY(link, links) && !(str_eq(link, STR("with")) && str_has_any_line(above, str_of(exchanges))) &&
        !str_has_any_line(above, STR("nstead of\nather than\nn place of")))
        return option;
    *at = (size_t)(other.p - words.p);
    return other;
}

/* --- parts of a sentence ------------------------------------------------------------------------------------------ */

struct variant_part {
    struct str option;
    bool negated, assigned, good, bad, conditional, eager;
};

static void read_part(struct str words, struct variant_part *p)
{
    char room[SENTENCE_MAX];
    struct str s = str_lower(words, room, sizeof room), first;
    size_t at = 0;

    *p = (struct variant_part){.option = option_of(words, &at)};
    first = p->option;
    p->option = first.n ? taken_in_its_place(words, first, &at) : first;
    p->negated = first.n && first.p == p->option.p && str_has_any_line(str_take(s, at), str_of(negations));
    p->negated |= p->option.n && str_starts(str_take(s, at), STR("no "));
    p->assigned = str_chr(p->option, '=') > 0;
    p->eager = str_has_any_line(s, str_of(uncompiled));
    p->good = str_has_any_line(s, str_of(absences)) ||
              (prose_has_word(s, str_of(goods)) && !str_has_any_line(s, str_of(bads)));
    p->bad = !p->good && (str_has_any_line(s, str_of(bads)) || str_has(s, STR("error")));
    p->conditional = str_has_any_line(s, str_of(conditions));
}

static bool is_code(struct str line, bool fenced)
{
    struct str bare = str_trim(line);

    return fenced || str_starts(line, STR("    ")) || str_starts(line, STR("\t")) ||
           (bare.n && strchr("(),", bare.p[bare.n - 1]) && str_has(bare, STR("(")) && !str_has(bare, STR(". ")));
}

/* The text's code, which fails, has `till=True`, and no other value of that name stands anywhere in the text. */
static bool is_of_failing_code(struct str text, struct str option)
{
    struct str rest = text, line, name = str_take(option, (size_t)(str_chr(option, '=') + 1));
    bool fenced = false, in_code = false;

    if (name.n == 0 || str_starts(option, STR("--")) || (option.p[0] >= 'A' && option.p[0] <= 'Z'))
        return false;
    while (str_next_line(&rest, &line)) {
        struct str words = line;

        fenced ^= str_starts(str_trim(line), STR("```"));
        for (ptrdiff_t at; (at = str_find(words, name)) >= 0; words = str_skip(words, (size_t)at + name.n))
            if (!str_starts(str_skip(words, (size_t)at), option))
                return false;
        in_code |= str_has(line, option) && !str_has(line, STR("#")) && is_code(line, fenced);
    }
    return in_code;
}

/* Something that the writer can set, or leave out; the name alone of a setting can only be left out. */
static bool is_choice(const struct variant_part *p, bool leave_out)
{
    char room[OPTION_MAX];
    struct str s = str_lower(p->option, room, sizeof room);
    bool option = str_starts(s, STR("--"));

    if (s.n == 0 || str_has_any_line(s, str_of(option ? essential : sizes)))
        return false;
    return option || p->assigned || leave_out;
}

static bool take(struct stated *out, enum variant_kind kind, struct str of, struct str sentence)
{
    out->variant = kind;
    out->variant_of = of;
    out->variant_said = sentence;
    if (kind == VARIANT_WITHOUT && str_has(of, STR("compil"))) /* what it turns on */
        stated_add(out, STATED_EAGER_WORKS);
    return true;
}

/* "It works with `till=False`, but it is slow." */
static bool has_price(struct str rest)
{
    struct variant_part next;
    struct str words = prose_next_part(&rest);

    read_part(words, &next);
    return next.bad && !next.option.n && str_has_any_line(words, STR("slow\nwrong\nmemory\ngarbage\nnot right"));
}

/* "`till=False` is fine", "without `--till` it starts normally", "when I set till=False, it works". */
static bool says_option(struct str sentence, struct str text, struct stated *out)
{
    struct variant_part held = {0};
    struct str rest = sentence;
    bool worked = false;

    while (rest.n) {
        char room[SENTENCE_MAX];
        struct str words = prose_next_part(&rest), s = str_lower(words, room, sizeof room);
        struct variant_part p;

        read_part(words, &p);
        if (p.eager) {
            held = (struct variant_part){0};
            continue;
        }
        if (worked && p.option.n && !p.negated && str_has_any_line(s, str_of(since)) && !p.good && is_choice(&p, true))
            return take(out, VARIANT_WITHOUT, p.option, sentence);
        if (p.good && !p.option.n && held.option.n)
            p.option = held.option, p.negated = held.negated, p.assigned = held.assigned;
        if (p.good && is_choice(&p, p.negated) && !has_price(rest) &&
            (p.negated || !is_of_failing_code(text, p.option)))
            return take(out, p.negated ? VARIANT_WITHOUT : VARIANT_WITH, p.option, sentence);
        worked |= str_has_any_line(s, str_of(before));
        held = p.option.n && p.conditional && !p.good && !p.bad ? p : (struct variant_part){0};
    }
    return false;
}

/* --- versions ----------------------------------------------------------------------------------------------------- */

/* "4.51.3" of "transformers 4.51.3"; the name of the package before it, where one stands there. */
static struct str next_version(struct str *s, struct str *package)
{
    while (s->n) {
        struct str word = str_drop_any(str_split(s, ' '), ".,:;)*`"), version = str_skip_any(word, "(v`");
        ptrdiff_t eq = str_find(word, STR("=="));
        size_t dots = 0, digits = 0;

        if (eq > 0) {
            *package = str_take(str_skip_any(word, "(`"), (size_t)eq);
            version = str_skip(word, (size_t)eq + 2);
        }
        for (size_t i = 0; i < version.n; i++) {
            dots += version.p[i] == '.';
            digits += str_is_digit(version.p[i]);
        }
        if (version.n && str_is_digit(version.p[0]) && dots && dots + digits == version.n)
            return version;
        *package = word;
    }
    return (struct str){0};
}

static bool is_package(struct str s)
{
    static const char others[] = "torch\npytorch\npython\ncuda\nversion\nwith\nfrom\nubuntu\ndriver\nthan\nand\nrocm";
    char room[OPTION_MAX];
    struct str lower = str_lower(s, room, sizeof room);
    bool letters = s.n > 3;

    for (size_t i = 0; i < s.n; i++)
        letters &= str_is_word_char(s.p[i]) || s.p[i] == '-';
    return letters && !str_is_digit(s.p[0]) && !prose_has_word(lower, str_of(others));
}

/* A package of that name is in the text's stacks or code, too: "yesterday 4.5" names none. */
static bool is_used(struct str text, struct str package)
{
    for (ptrdiff_t at; (at = str_find(text, package)) >= 0;) {
        struct str above = str_take(text, (size_t)at);

        text = str_skip(text, (size_t)at + package.n);
        if (str_ends(above, STR("/")) || str_ends(above, STR("\\")) || str_ends(above, STR("import ")))
            return true;
    }
    return false;
}

/* "Worked with tills 4.5.1, upgraded today (4.6) and now see this." */
static bool says_version(struct str sentence, struct str text, struct stated *out)
{
    static const char used[] = "worked\nworks\nused\nfine\nran\nruns";
    static const char renewed[] = "upgrad\nupdat\nfails\nbroke\ncrash\n now ";
    struct str rest = sentence, old = {0}, package = {0}, newer = {0};
    bool good = false, changed = false;

    while (rest.n) {
        char room[SENTENCE_MAX];
        struct str words = prose_next_part(&rest), s = str_lower(words, room, sizeof room), version;
        struct str in = words, called = {0};

        version = next_version(&in, &called);
        if (!old.n && version.n && prose_has_word(s, str_of(used)) && !str_has_any_line(s, str_of(bads))) {
            old = version;
            package = called;
            good = true;
        } else if (good && str_has_any_line(s, str_of(renewed))) {
            changed = true;
            newer = version;
        }
    }
    if (!changed || !newer.n || !is_package(package) || !is_used(text, package) || str_eq(old, newer))
        return false;
    out->variant_newer = newer;
    out->variant_package = package;
    return take(out, VARIANT_VERSION, old, sentence);
}

/* --- code --------------------------------------------------------------------------------------------------------- */

enum { FUNCTIONS_MAX = 32 };

/* The first functions of the text's code. */
struct functions {
    struct str names[FUNCTIONS_MAX];
    size_t n;
};

static void find_functions(struct str text, struct functions *out)
{
    struct str line;

    while (out->n < FUNCTIONS_MAX && str_next_line(&text, &line)) {
        out->names[out->n] = shown_defined(str_trim(line));
        out->n += out->names[out->n].n > 0;
    }
}

static bool is_defined(const struct functions *functions, struct str name)
{
    for (size_t i = 0; i < functions->n; i++)
        if (str_eq(functions->names[i], name))
            return true;
    return false;
}

/* The last word of a part that is the name of a function of the text's code: "f2" of "for this case f2 fails". */
static struct str function_of(struct str part, const struct functions *functions)
{
    struct str found = {0};

    while (part.n) {
        struct str word = str_drop_any(str_skip_any(str_split(&part, ' '), "`"), "`.,:()");

        if (is_defined(functions, word))
            found = word;
    }
    return found;
}

/* "f2 fails while f1 doesn't": two functions that the text's code has. */
static bool says_function(struct str sentence, const struct functions *functions, struct stated *out)
{
    struct str rest = sentence, right = {0}, wrong = {0};

    while (rest.n) {
        struct str words = prose_next_part(&rest), name = function_of(words, functions), end;
        struct variant_part p;

        read_part(words, &p);
        end = str_drop_any(words, ".: ");
        if (name.n && wrong.n && (str_ends(end, STR(" doesn't")) || str_ends(end, STR(" does not")) || p.good))
            right = name;
        else if (name.n && right.n == 0 && p.good)
            right = name;
        else if (name.n && p.bad)
            wrong = name;
    }
    if (!right.n || !wrong.n || str_eq(right, wrong))
        return false;
    return take(out, VARIANT_CODE, right, sentence);
}

/* "If I add them first and only compile `x.max(dim=1)` I get tensor([5, 5]) from both." */
static bool says_other_code(struct str sentence, struct stated *out)
{
    static const char gets[] = " i get tensor([\n i get the right\n i get the correct\n i get correct\n it is right\n"
                               " it is correct\n the result is right\n the result is correct";
    char room[SENTENCE_MAX];
    struct str s = str_lower(sentence, room, sizeof room);

    if (!str_starts(s, STR("if i ")) || !str_has_any_line(s, str_of(gets)) ||
        !str_has_any_line(s, STR("first\ninstead\noutside\nseparately\nbefore\nrewrite\nsplit")) ||
        str_has_any_line(s, STR(" not \nn't\nwrong")))
        return false;
    return take(out, VARIANT_CODE, (struct str){0}, sentence);
}

/* "With `def jvp` commented out everything passes": the code that is quoted, or what the sentence describes. */
static bool says_cut(struct str sentence, struct stated *out)
{
    static const char cut[] = "commented out\ncomment out\ncommenting out\ncomment it out\ncomment that out\n"
                              "comment this out\ncommenting it out\ncommenting that out";
    struct str rest = sentence;

    while (rest.n) {
        char room[SENTENCE_MAX];
        struct str words = prose_next_part(&rest), s = str_lower(words, room, sizeof room), code;
        struct variant_part p, next;
        struct str behind = rest;

        read_part(words, &p);
        read_part(prose_next_part(&behind), &next);
        if (!str_has_any_line(s, str_of(cut)) || p.eager || p.bad || !(p.good || next.good))
            continue;
        if (!str_between(words, STR("`"), STR("`"), &code) || code.n > OPTION_MAX)
            return take(out, VARIANT_CODE, (struct str){0}, sentence);
        return take(out, VARIANT_CUT, code, sentence);
    }
    return false;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* "It used to work, now with `--till` I get this, anyone else?": what stands before the question is none. */
static struct str without_question(struct str sentence)
{
    static const char asking[] = "is \ndoes \ndo \ndid \nwhy \nwhat \nhow \ncan \nshould \nare \nwill \nhas \nany";
    char room[SENTENCE_MAX];
    struct str s = str_lower(sentence, room, sizeof room), words = str_of(asking), word;
    ptrdiff_t comma = str_ends(sentence, STR("?")) ? str_rchr(sentence, ',') : -1;

    while (str_next_line(&words, &word))
        if (str_starts(s, word))
            return sentence;
    return comma > 0 ? str_take(sentence, (size_t)comma) : sentence;
}

static bool read_sentence(struct str sentence, struct str text, const struct functions *functions,
                          struct stated *out)
{
    char room[SENTENCE_MAX];
    struct str s;

    sentence = without_question(sentence);
    s = str_lower(sentence, room, sizeof room);
    if (sentence.n >= SENTENCE_MAX || str_has_any_line(s, str_of(unproven)) || str_starts(s, STR("- ")))
        return false;
    return says_function(sentence, functions, out) || says_version(sentence, text, out) || says_cut(sentence, out) ||
           says_option(sentence, text, out) || says_other_code(sentence, out);
}

/* Not code, a path, a stack or a line of a log. */
static bool is_of_writer(struct str line)
{
    struct str logged = line;
    char level;

    return str_chr(line, ' ') > 0 && !strchr("[(|>#$", line.p[0]) && !str_has(line, STR("File \"")) &&
           !str_has(line, STR(".py:")) && !logger_take(&logged, &level);
}

void variant_find(struct str text, struct stated *out)
{
    struct functions functions = {.n = 0};
    struct str rest = text, line;
    bool code = false;

    find_functions(text, &functions);
    while (str_next_line(&rest, &line)) {
        line = str_trim(line);
        if (str_starts(line, STR("```"))) {
            code = !code;
            continue;
        }
        while (!code && line.n && is_of_writer(line))
            if (read_sentence(str_trim(str_next_sentence(&line)), text, &functions, out))
                return;
    }
}
