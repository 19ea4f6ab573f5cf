#include "torchlog/crash/shell_death.h"

enum { LINE_MAX = 400 };

/* --- names -------------------------------------------------------------------------------------------------------- */

static const struct str segmentation = STR_INIT("Segmentation fault"), aborted = STR_INIT("Aborted"),
                        bus = STR_INIT("Bus error"), killed = STR_INIT("Killed"),
                        illegal = STR_INIT("Illegal instruction"), floating = STR_INIT("Floating point exception"),
                        kernel = STR_INIT("Kernel died");

/*
 * In bash, and in zsh, which says "zsh: segmentation fault  python train.py". zsh is the shell of a terminal, where
 * "killed" may only mean that somebody ended a program that hangs.
 */
static const struct {
    struct str bash, zsh;
    const struct str *name;
} deaths[] = {
    {STR_INIT("Segmentation fault"), STR_INIT("segmentation fault"), &segmentation},
    {STR_INIT("Aborted"), STR_INIT("abort "), &aborted},
    {STR_INIT("Abort trap"), STR_INIT("abort "), &aborted}, /* macOS */
    {STR_INIT("Bus error"), STR_INIT("bus error"), &bus},
    {STR_INIT("Killed"), STR_INIT(""), &killed},
    {STR_INIT("Illegal instruction"), STR_INIT("illegal hardware instruction"), &illegal},
    {STR_INIT("Floating point exception"), STR_INIT("floating point exception"), &floating},
};

enum { DEATHS = sizeof deaths / sizeof *deaths };

/* What it says of a process; `rest` is behind the process id where there is one. macOS adds the signal: "Killed: 9". */
static struct str death_at(struct str rest, bool named)
{
    if (rest.n == 0 || rest.p[0] < 'A' || rest.p[0] > 'Z')
        return (struct str){0};
    for (size_t i = 0; i < DEATHS; i++) {
        struct str behind = rest;
        uint64_t signal;

        if (!str_consume(&behind, deaths[i].bash))
            continue;
        if (named || str_ends(rest, STR("(core dumped)")) || (behind.n == 0 && deaths[i].name == &killed) ||
            (str_consume(&behind, STR(": ")) && str_u64(behind, &signal)))
            return *deaths[i].name;
    }
    return (struct str){0};
}

static struct str zsh_death_at(struct str rest)
{
    for (size_t i = 0; i < DEATHS; i++)
        if (deaths[i].zsh.n && str_starts(rest, deaths[i].zsh))
            return *deaths[i].name;
    return (struct str){0};
}

struct str shell_signal(struct str text)
{
    const struct str *signals[] = {&segmentation, &bus, &aborted};

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (str_starts(text, *signals[i]))
            return *signals[i];
    return (struct str){0};
}

struct str shell_without_time(struct str line)
{
    ptrdiff_t end = line.n && str_is_digit(line.p[0]) ? str_chr(line, ' ') : -1;
    struct str first = str_take(line, end < 0 ? 0 : (size_t)end);

    if (first.n < sizeof "2024-05-20T14:03:01Z" - 1 || first.p[4] != '-' ||
        first.p[10] != 'T' || first.p[13] != ':')
        return line;
    return str_trim(str_skip(line, first.n));
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* "Killed", "run.sh: line 3:    42 Killed                  python train.py", "zsh: bus error  python train.py". */
struct str shell_death(struct str line)
{
    struct str trimmed = str_trim(line), text = shell_without_time(trimmed), rest, found;
    uint64_t number;
    ptrdiff_t colon;

    if (text.n > LINE_MAX)
        return (struct str){0};
    found = death_at(text, false);
    if (found.n) /* a line of its own, where nothing stands before it */
        return text.p == line.p || text.p != trimmed.p ? found : (struct str){0};
    rest = text;
    if (str_consume(&rest, STR("zsh: ")))
        return zsh_death_at(rest);
    colon = str_chr(text, ':');
    if (colon <= 0)
        return (struct str){0};
    rest = str_skip(text, (size_t)colon);
    if ((str_consume(&rest, STR(": line ")) && !str_take_u64(&rest, &number)) || !str_consume(&rest, STR(":")))
        return (struct str){0};
    rest = str_trim(rest);
    return str_take_u64(&rest, &number) ? death_at(str_trim(rest), true) : (struct str){0};
}

/* 128 and the signal, the signal below zero, and codes of Windows, as programs print them. */
static const struct {
    struct str code;
    const struct str *name;
} codes[] = {
    {STR_INIT("139"), &segmentation},         {STR_INIT("-11"), &segmentation},
    {STR_INIT("0xC0000005"), &segmentation},  {STR_INIT("0xc0000005"), &segmentation},
    {STR_INIT("-1073741819"), &segmentation}, {STR_INIT("3221225477"), &segmentation},
    {STR_INIT("134"), &aborted},              {STR_INIT("-6"), &aborted},
    {STR_INIT("0xC0000409"), &aborted},       {STR_INIT("-1073740791"), &aborted},
    {STR_INIT("3221226505"), &aborted},       {STR_INIT("135"), &bus},
    {STR_INIT("-7"), &bus},                   {STR_INIT("136"), &floating},
    {STR_INIT("-8"), &floating},              {STR_INIT("132"), &illegal},
    {STR_INIT("-4"), &illegal},               {STR_INIT("0xC000001D"), &illegal},
    {STR_INIT("-1073741795"), &illegal},      {STR_INIT("3221225501"), &illegal},
    {STR_INIT("137"), &killed},               {STR_INIT("-9"), &killed},
};

static const struct str leads[] = {
    STR_INIT("exit code "), STR_INIT("exit code: "), STR_INIT("exit code = "),    STR_INIT("exited with code "),
    STR_INIT("Exit code "), STR_INIT("Exit code: "), STR_INIT("exited with status "),
};

static const struct {
    struct str words;
    const struct str *name;
} signals[] = {
    {STR_INIT("terminated by signal 11"), &segmentation},
    {STR_INIT("terminated by signal SIGSEGV"), &segmentation},
    {STR_INIT("interrupted by signal 11"), &segmentation},
    {STR_INIT("terminated by signal 6"), &aborted},
    {STR_INIT("terminated by signal SIGABRT"), &aborted},
    {STR_INIT("interrupted by signal 6"), &aborted},
    {STR_INIT("terminated by signal 7"), &bus},
    {STR_INIT("terminated by signal SIGBUS"), &bus},
    {STR_INIT("terminated by signal 4"), &illegal},
    {STR_INIT("terminated by signal SIGILL"), &illegal},
    {STR_INIT("terminated by signal 9"), &killed},
    {STR_INIT("terminated by signal SIGKILL"), &killed},
    {STR_INIT("interrupted by signal 9"), &killed},
    /* Jupyter, its lab, Spyder, VS Code */
    {STR_INIT("kernel appears to have died"), &kernel},
    {STR_INIT("Kernel died, restarting"), &kernel},
    {STR_INIT("Kernel crashed while executing code"), &kernel},
};

static bool ends_word(struct str rest)
{
    return rest.n == 0 || !str_is_word_char(rest.p[0]);
}

static struct str code_at(struct str rest)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (str_starts(rest, codes[i].code) && ends_word(str_skip(rest, codes[i].code.n)))
            return *codes[i].name;
    return (struct str){0};
}

/* Bytes that most lines lack are looked for first, which takes less time. */
static bool has_stem(struct str line, char rare, struct str stem)
{
    return str_chr(line, rare) >= 0 && str_has(line, stem);
}

/* Each of `leads` has "xit", each of `signals` "by signal ", "kernel " or "Kernel ": most lines of a log have none. */
struct str shell_exit(struct str line)
{
    if (line.n > LINE_MAX)
        return (struct str){0};
    for (size_t i = 0; has_stem(line, 'x', STR("xit")) && i < sizeof leads / sizeof *leads; i++) {
        ptrdiff_t at = str_find(line, leads[i]);
        struct str found = at < 0 ? (struct str){0} : code_at(str_skip(line, (size_t)at + leads[i].n));

        if (found.n)
            return found;
    }
    if (!has_stem(line, 'y', STR("by signal ")) && !has_stem(line, 'k', STR("kernel ")) &&
        !has_stem(line, 'K', STR("Kernel ")))
        return (struct str){0};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        ptrdiff_t at = str_find(line, signals[i].words);

        if (at >= 0 && ends_word(str_skip(line, (size_t)at + signals[i].words.n)))
            return *signals[i].name;
    }
    return (struct str){0};
}

struct str shell_words(size_t i)
{
    enum { LEADS = sizeof leads / sizeof *leads, SIGNALS = sizeof signals / sizeof *signals };

    if (i < DEATHS)
        return deaths[i].bash;
    i -= DEATHS;
    if (i < LEADS)
        return leads[i];
    i -= LEADS;
    if (i < SIGNALS)
        return signals[i].words;
    i -= SIGNALS;
    return i == 0 ? STR("zsh: ") : (struct str){0};
}

/* glibc (malloc.c, fortify_fail.c), and the allocator of macOS. */
bool shell_is_of_heap(struct str line)
{
    static const struct str begins[] = {
        STR_INIT("free(): "), STR_INIT("malloc(): "), STR_INIT("realloc(): "), STR_INIT("calloc(): "),
        STR_INIT("malloc_consolidate(): "), STR_INIT("munmap_chunk(): "), STR_INIT("double free or corruption"),
        STR_INIT("corrupted double-linked list"), STR_INIT("corrupted size vs. prev_size"),
        STR_INIT("*** stack smashing detected ***"), STR_INIT("*** buffer overflow detected ***")};

    line = str_trim(line);
    return STR_STARTS_ANY(line, begins) ||
           (str_has(line, STR("malloc: *** error for object ")) && str_has(line, STR("pointer being freed")));
}
