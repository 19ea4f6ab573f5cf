#include "analysis/held/advice_held.h"

#include "text/stated/settings.h"

struct str held_next_sentence(struct str *words)
{
    bool code = false;

    for (size_t i = 0; i + 1 < words->n; i++) {
        code ^= words->p[i] == '`';
        if (!code && words->p[i] == '.' && words->p[i + 1] == ' ') {
            struct str sentence = str_take(*words, i + 1);

            *words = str_skip(*words, i + 2);
            return sentence;
        }
    }
    return str_split(words, '\0');
}

struct str held_joined(struct arena *a, struct str out, struct str sentence)
{
    return out.n && sentence.n ? arena_printf(a, "%.*s %.*s", STR_ARG(out), STR_ARG(sentence))
           : out.n             ? out
                               : sentence;
}

bool held_is_about_last(struct str sentence)
{
    static const struct str begins[] = {STR_INIT("It "), STR_INIT("That "), STR_INIT("This "), STR_INIT("They ")};

    return STR_STARTS_ANY(sentence, begins);
}

/* --- what a sentence asks for ------------------------------------------------------------------------------------- */

/* It explains a setting, says that it is set, warns of one, or has one left out. */
static bool asks_for_nothing(struct str sentence)
{
    static const char words[] = "ithout\neave \nDrop \ndrop \nunset\nurn off\nake off\nnstead of\nompare \nis off\n"
                                "keep `\nKeep `\nnot help\nno effect\nonly helps\nn this text\nthe text\nThe text\n"
                                "goes on\n` is for \n` is set: \nhas no \nmay be wrong\nsays that it is";

    return str_has_any_line(sentence, str_of(words));
}

/* "set `X=1`", "...: `X=1`", "(`X=1`)": a word that asks for it is before it, or nothing. */
static bool is_asked(struct str before)
{
    static const struct str words[] = {
        STR_INIT(": "),       STR_INIT("("),      STR_INIT("et "),    STR_INIT("ry "),   STR_INIT("se "),
        STR_INIT("ompile with "), STR_INIT("un with "), STR_INIT("ass "), STR_INIT("ake "), STR_INIT(", "),
        STR_INIT(" or "),     STR_INIT(" and "),  STR_INIT("then "),  STR_INIT("Or "),   STR_INIT("which "),
        STR_INIT("what ")};
    static const struct str explains[] = {STR_INIT("With "), STR_INIT("If "), STR_INIT("Where "), STR_INIT("So ")};

    return before.n == 0 || (STR_ENDS_ANY(before, words) && !STR_STARTS_ANY(before, explains));
}

/* "or pad to a few sizes": something else than another setting in backticks. */
static bool has_other_advice(struct str sentence)
{
    static const struct str or = STR_INIT(" or ");
    static const char words[] = " newer \nupdate\npgrade\ninstall\nreport \nRemove it:";

    for (struct str rest = sentence; str_find(rest, or) >= 0;) {
        rest = str_skip(rest, (size_t)str_find(rest, or) + or.n);
        if (rest.n && rest.p[0] != '`')
            return true;
    }
    return str_has_any_line(sentence, str_of(words));
}

/* `"aot_eager"` after `backend="eager"` is another value of that. */
static struct str with_name_of(struct arena *a, struct str code, struct str last)
{
    ptrdiff_t equals = str_chr(last, '=');

    if (equals < 0 || code.n < 2 || code.p[0] != '"')
        return code;
    return arena_printf(a, "%.*s=%.*s", (int)equals, last.p, STR_ARG(code));
}

/* A text with several values of one setting compares them: which to take is advice. Backends are tried for a stage. */
static bool is_compared(struct str held, struct str asked, bool until)
{
    static const struct str tried[] = {STR_INIT("TORCH_LOGS="), STR_INIT("backend=")};

    return settings_has_other(held, asked) && (until || !STR_STARTS_ANY(asked, tried));
}

bool held_by(struct arena *a, const struct stated *to, struct str sentence, struct str *setting)
{
    struct str rest = sentence, first = {0}, last = {0};
    bool until = str_starts(sentence, STR("Until "));

    *setting = (struct str){0};
    if (to->settings.n == 0 || asks_for_nothing(sentence) || has_other_advice(sentence))
        return false;
    for (ptrdiff_t at; (at = str_chr(rest, '`')) >= 0;) {
        struct str before = str_range(sentence.p, rest.p + at), code, asked;

        rest = str_skip(rest, (size_t)at + 1);
        code = with_name_of(a, str_split(&rest, '`'), last);
        asked = settings_asked(a, code);
        if (asked.n == 0 || !is_asked(before) || !settings_has(to->settings, asked) ||
            is_compared(to->settings, asked, until) ||
            (str_starts(asked, STR("rm ")) && stated_has(to, STATED_FRESH_WORKS)) || str_has(to->variant_of, code) ||
            str_has(to->trial, code))
            return false;
        last = code;
        first = first.n ? first : code;
    }
    *setting = first;
    return first.n > 0;
}

/* "... may be a reason: `TORCH_LOGS=graph_breaks`.": the reason stays. */
struct str held_reason(struct arena *a, struct str sentence)
{
    ptrdiff_t at = str_find(sentence, STR(": `"));
    struct str reason = str_take(sentence, at < 0 ? 0 : (size_t)at);

    return str_has_any_line(reason, STR(" may \nikely ")) ? arena_printf(a, "%.*s.", STR_ARG(reason)) : (struct str){0};
}

struct str held_printed(struct arena *a, const struct stated *to, struct str sentence)
{
    static const struct str leads[] = {STR_INIT(" that "), STR_INIT(" what ")}, prints = STR_INIT("` prints");
    ptrdiff_t end = str_find(sentence, prints), open;
    struct str before, code, behind;

    if (to->settings.n == 0 || end < 0)
        return sentence;
    open = str_rchr(str_take(sentence, (size_t)end), '`');
    before = str_take(sentence, open < 0 ? 0 : (size_t)open);
    code = str_take(str_skip(sentence, before.n + 1), (size_t)end - before.n - 1);
    behind = str_skip(sentence, (size_t)end + prints.n);
    if (!STR_ENDS_ANY(before, leads) || !settings_has(to->settings, settings_asked(a, code)))
        return sentence;
    return arena_printf(a, "%.*sthis run prints%.*s", STR_ARG(before), STR_ARG(behind));
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

static bool take_version(struct str *words, uint64_t *major, uint64_t *minor)
{
    return str_take_u64(words, major) && str_consume(words, STR(".")) && str_take_u64(words, minor);
}

/* "PyTorch before 2.8 ...", where it is 2.8. */
static bool is_too_new(struct str words, struct str version)
{
    static const struct str lead = STR_INIT("PyTorch before ");
    uint64_t major, minor, end_major, end_minor;

    if (!str_consume(&words, lead) || !take_version(&words, &end_major, &end_minor) ||
        !take_version(&version, &major, &minor))
        return false;
    return major != end_major ? major > end_major : minor >= end_minor;
}

/* "If `X=1` is set, ..." where X=1 is: "`X=1` is set: ...". */
static bool answered(struct arena *a, const struct stated *to, struct str version, struct str *sentence, bool *drop)
{
    static const struct str lead = STR_INIT("If `"), is_set = STR_INIT(" is set, ");
    struct str rest = *sentence, code;

    if (!str_consume(&rest, lead))
        return false;
    code = str_split(&rest, '`');
    if (!str_consume(&rest, is_set))
        return false;
    *drop = is_too_new(rest, version);
    if (*drop || !settings_has(to->settings, settings_asked(a, code)))
        return false;
    *sentence = arena_printf(a, "`%.*s` is set: %.*s", STR_ARG(code), STR_ARG(rest));
    return true;
}

struct str held_conditions(struct arena *a, const struct stated *to, struct str version, struct str words)
{
    struct str first = {0}, others = {0}, rest = words;

    if (!str_has(words, STR("` is set, ")))
        return words;
    while (rest.n) {
        struct str sentence = held_next_sentence(&rest);
        bool drop = false;

        if (answered(a, to, version, &sentence, &drop))
            first = held_joined(a, first, sentence);
        else if (!drop)
            others = held_joined(a, others, sentence);
    }
    return held_joined(a, first, others);
}
