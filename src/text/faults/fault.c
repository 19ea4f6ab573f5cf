#include "text/faults/fault.h"

#include <assert.h>
#include <pthread.h>

static const struct fault faults[] = {
#include "text/faults/faults.def"
};

enum { SEARCHED = 16384, LINE_SEARCHED = 2048 };

/* Whether each of the words is in the type or the message. */
static bool has_all(struct str type, struct str text, struct str parts)
{
    while (parts.n) {
        struct str part = str_split(&parts, '\t');

        if (!str_has_words(text, part) && !str_has(type, part))
            return false;
    }
    return true;
}

static bool has_any(struct str type, struct str text, const char *alternatives)
{
    struct str rest = str_of(alternatives), words;

    while (str_next_line(&rest, &words))
        if (has_all(type, text, words))
            return true;
    return false;
}

/* Characters of the path that begins with a drive, as Python shows it: a backslash is written twice. */
static size_t path_length(struct str path)
{
    size_t n = 0;

    for (size_t i = 0; i < path.n && path.p[i] != '\'' && path.p[i] != '"' && path.p[i] != '\n'; i++, n++)
        i += path.p[i] == '\\' && i + 1 < path.n && path.p[i + 1] == '\\';
    return n;
}

static bool has_path(struct str text, size_t least)
{
    while (least) {
        ptrdiff_t at = str_find(text, STR(":\\"));

        if (at < 1)
            return false;
        text = str_skip(text, (size_t)at - 1);
        if (path_length(text) >= least)
            return true;
        text = str_skip(text, 3);
    }
    return true;
}

/* --- what compilers print ----------------------------------------------------------------------------------------- */

/* Without ":12", "(12)" and "(12,3)" at its end. */
static struct str without_number(struct str place)
{
    size_t n = place.n;

    while (n > 0 && (str_is_digit(place.p[n - 1]) || strchr(",)", place.p[n - 1])))
        n--;
    return n > 0 && n < place.n && strchr(":(", place.p[n - 1]) ? str_take(place, n - 1) : place;
}

/* "/x/y.h" of "/x/y.h:24:2: error: ...", "/x/y.h(24): error C2065: ..."; false if the line is no compiler's error. */
static bool take_file(struct str line, struct str *file)
{
    static const struct str words[] = {STR_INIT(": error: "), STR_INIT(": fatal error: "), STR_INIT(": error C"),
                                       STR_INIT(": fatal error C")};
    ptrdiff_t at = -1;

    for (size_t i = 0; i < sizeof words / sizeof *words && at < 0; i++)
        at = str_find(line, words[i]);
    if (at <= 0)
        return false;
    *file = str_trim(str_take(line, (size_t)at));
    *file = without_number(without_number(*file));
    return file->n && file->p + file->n < line.p + at;
}

static bool is_generated(struct str text)
{
    return str_has(text, STR("torchinductor_"));
}

static bool is_header(struct str file)
{
    static const struct str endings[] = {STR_INIT(".h"), STR_INIT(".hpp"), STR_INIT(".hh"), STR_INIT(".tcc")};

    return !is_generated(file) &&
           (STR_ENDS_ANY(file, endings) || str_has(file, STR("/include/")) || str_has(file, STR("\\include\\")));
}

/* A template of a header that the generated code uses: the error is in the header, and the cause in that code. */
static bool is_instantiated(struct str line)
{
    return (is_generated(line) || str_has(line, STR(".cpp:")) || str_has(line, STR(".cpp("))) &&
           (str_has(line, STR("required from")) || str_has(line, STR("required by")) ||
            str_has(line, STR("requested here")) || str_has(line, STR("instantiation")));
}

static bool fails_in_header(struct str text)
{
    struct str line, file, first = {0};

    while (str_next_line(&text, &line)) {
        if (is_instantiated(line))
            return false;
        if (!take_file(str_take(line, LINE_SEARCHED), &file))
            continue;
        if (first.n)
            break;
        first = file;
    }
    return first.n && is_header(first);
}

struct str fault_compiler_line(struct str text)
{
    struct str line, file;

    while (str_next_line(&text, &line))
        if (take_file(str_take(line, LINE_SEARCHED), &file))
            return str_trim(line);
    return (struct str){0};
}

/* "x.h(3): fatal error C1083: Cannot open include file: 'algorithm'": headers of C++ have no dot in their names. */
static bool lacks_standard_header(struct str text)
{
    static const struct str headers[] = {
        STR_INIT("assert.h"), STR_INIT("ctype.h"),  STR_INIT("errno.h"),  STR_INIT("excpt.h"),   STR_INIT("inttypes.h"),
        STR_INIT("io.h"),     STR_INIT("limits.h"), STR_INIT("locale.h"), STR_INIT("malloc.h"),  STR_INIT("process.h"),
        STR_INIT("sal.h"),    STR_INIT("setjmp.h"), STR_INIT("signal.h"), STR_INIT("stdarg.h"),  STR_INIT("stdbool.h"),
        STR_INIT("string.h"), STR_INIT("time.h"),   STR_INIT("wchar.h"),  STR_INIT("windows.h"), STR_INIT("Windows.h"),
        STR_INIT("winnt.h"),  STR_INIT("yvals.h"),  STR_INIT("basetsd.h")};
    ptrdiff_t at = str_find(text, STR("fatal error C1083"));
    struct str name;

    return at >= 0 && str_between(str_first_line(str_skip(text, (size_t)at)), STR("'"), STR("'"), &name) && name.n &&
           (STR_IS_ANY(name, headers) || (str_chr(name, '.') < 0 && str_chr(name, '/') < 0));
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static bool shows(const struct fault *f, struct str type, struct str text, bool of_compiler)
{
    return (has_any(type, text, f->alone) || has_any(type, text, f->sure) ||
            (f->standard && lacks_standard_header(text)) ||
            (of_compiler && (has_any(type, text, f->within) || (f->headers && fails_in_header(text))))) &&
           !has_any(type, text, f->unless) && has_path(text, f->path);
}

const struct fault *fault_find(struct str type, struct str message, bool of_compiler)
{
    message = str_take(message, SEARCHED);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (shows(&faults[i], type, message, of_compiler))
            return &faults[i];
    return NULL;
}

bool fault_is_known(struct str line)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (has_any(STR(""), line, faults[i].alone))
            return true;
    return false;
}

struct str fault_line(const struct fault *f, struct str type, struct str message)
{
    struct str line;

    message = str_take(message, SEARCHED);
    while (str_next_line(&message, &line))
        if (shows(f, type, line, true))
            return str_trim(line);
    return (struct str){0};
}

const struct fault *fault_at(size_t i)
{
    return i < sizeof faults / sizeof *faults ? &faults[i] : NULL;
}

/* The first words of each alternative of `alone`, over all rows. */
enum { WORDS_MAX = 500 };
static struct str words_alone[WORDS_MAX];
static pthread_once_t words_made = PTHREAD_ONCE_INIT;

static void make_words(void)
{
    size_t n = 0;

    for (size_t row = 0; row < sizeof faults / sizeof *faults; row++) {
        struct str rest = str_of(faults[row].alone), words;

        while (str_next_line(&rest, &words)) {
            assert(n < WORDS_MAX);
            words_alone[n++] = str_split(&words, '\t');
        }
    }
}

struct str fault_words(size_t i)
{
    pthread_once(&words_made, make_words);
    return i < WORDS_MAX ? words_alone[i] : (struct str){0};
}
