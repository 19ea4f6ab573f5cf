#include "text/versions/names.h"

#include "model/model.h"
#include "text/python/python_value.h"

static const char *const kinds[] = {
    [NAME_API] = "api",         [NAME_LIMIT] = "limit",   [NAME_LOG] = "log",           [NAME_MODE] = "mode",
    [NAME_SETTING] = "setting", [NAME_STANCE] = "stance", [NAME_VARIABLE] = "variable",
};

/* --- versions ----------------------------------------------------------------------------------------------------- */

/* The header ends with the versions of the wheels, oldest first: "... of torch 2.3.1 2.4.1 2.5.1." */
static void versions_of_table(struct str *oldest, struct str *newest)
{
    struct str header = names_by_version;

    header = str_trim(str_split(&header, '\n'));
    str_between(header, STR("torch "), STR(" "), oldest);
    *newest = str_skip(header, (size_t)(str_rchr(header, ' ') + 1));
}

struct str names_newest(void)
{
    struct str oldest, newest;

    versions_of_table(&oldest, &newest);
    return str_ends(newest, STR(".")) ? str_drop(newest, 1) : newest;
}

/* "2.8" for "2.8.0" */
static struct str without_patch(struct str version)
{
    size_t minor = (size_t)(str_chr(version, '.') + 1);

    return str_take(version, minor + (size_t)str_chr(str_skip(version, minor), '.'));
}

struct str names_version(unsigned version)
{
    struct str rest = names_by_version, header = str_split(&rest, '\n'), word;

    while ((word = str_split(&header, ' ')).n)
        if (version && pytorch_version(word) == version)
            return without_patch(word);
    return (struct str){0};
}

static bool is_in_table(unsigned version)
{
    struct str oldest, newest;

    versions_of_table(&oldest, &newest);
    return version >= pytorch_version(oldest) && version <= pytorch_version(newest);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

struct name_row {
    struct str kind, name, first, last, more;
};

static struct name_row row_of(struct str line)
{
    struct name_row r;

    r.kind = str_split(&line, '\t');
    r.name = str_split(&line, '\t');
    r.first = str_split(&line, '\t');
    r.last = str_split(&line, '\t');
    r.more = line;
    return r;
}

/* Compares by the first two fields of a line. */
static int compare(struct str line, struct str kind, struct str name)
{
    int c = str_cmp(str_split(&line, '\t'), kind);

    return c ? c : str_cmp(str_split(&line, '\t'), name);
}

/* The rest of the table from the first line that is not before the name. */
static struct str lines_from(struct str kind, struct str name)
{
    struct str text = names_by_version;
    size_t low = 0, high;

    str_split(&text, '\n');
    high = text.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        size_t begin = (size_t)(str_rchr(str_take(text, middle), '\n') + 1);
        struct str rest = str_skip(text, begin), line = str_split(&rest, '\n');

        if (compare(line, kind, name) < 0)
            low = begin + line.n + 1;
        else
            high = begin;
    }
    return str_skip(text, low);
}

/*
 * The next line of the same name: there are two if a name was removed and came back. `lines` is the result of
 * lines_from.
 */
static bool next_row(struct str *lines, enum name_kind kind, struct str name, struct name_row *out)
{
    struct str line;

    if (!str_next_line(lines, &line) || compare(line, str_of(kinds[kind]), name) != 0)
        return false;
    *out = row_of(line);
    return true;
}

static bool has(const struct name_row *r, unsigned version)
{
    return pytorch_version(r->first) <= version && (r->last.n == 0 || version <= pytorch_version(r->last));
}

static bool first_row(enum name_kind kind, struct str name, struct name_row *out)
{
    struct str lines = lines_from(str_of(kinds[kind]), name);

    return next_row(&lines, kind, name, out);
}

/* The line of the name that covers the version. */
static enum name_known row_at(enum name_kind kind, struct str name, struct str version, struct name_row *out)
{
    unsigned number = pytorch_version(version);
    struct str lines;
    bool any = false;

    if (!is_in_table(number))
        return NAME_UNKNOWN;
    lines = lines_from(str_of(kinds[kind]), name);
    while (next_row(&lines, kind, name, out)) {
        any = true;
        if (has(out, number))
            return NAME_PRESENT;
    }
    return any ? NAME_ABSENT : NAME_UNKNOWN;
}

enum name_known names_has(enum name_kind kind, struct str name, struct str version)
{
    struct name_row r;

    return row_at(kind, name, version, &r);
}

/* A name that the oldest version has may be older than that. */
static struct str unless_oldest(struct str version)
{
    struct str oldest, newest;

    versions_of_table(&oldest, &newest);
    return pytorch_version(version) > pytorch_version(oldest) ? version : (struct str){0};
}

struct str names_since(enum name_kind kind, struct str name)
{
    struct name_row r;

    return first_row(kind, name, &r) ? unless_oldest(r.first) : (struct str){0};
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

/* "x", "x@2.8" or "x@2.8-2.9" among the words of a function's line, as a row of its own. */
static bool parameter_of(const struct name_row *function, struct str name, struct name_row *out)
{
    struct str words = function->more, word;

    while ((word = str_split(&words, '\t')).n) {
        struct str at = word;

        if (!str_eq(str_split(&at, '@'), name))
            continue;
        *out = (struct name_row){.name = name, .first = at.n ? str_split(&at, '-') : function->first, .last = at};
        return true;
    }
    return false;
}

enum name_known names_has_parameter(struct str function, struct str parameter, struct str version)
{
    enum name_known known;
    struct name_row f, p;

    known = row_at(NAME_API, function, version, &f);
    if (known != NAME_PRESENT)
        return known;
    return parameter_of(&f, parameter, &p) && has(&p, pytorch_version(version)) ? NAME_PRESENT : NAME_ABSENT;
}

struct str names_parameter_since(struct str function, struct str parameter)
{
    struct name_row f, p;

    if (!first_row(NAME_API, function, &f) || !parameter_of(&f, parameter, &p))
        return (struct str){0};
    return unless_oldest(p.first);
}

/* --- settings ----------------------------------------------------------------------------------------------------- */

/*
 * The rest of the last word that applies to the version, after the version: "=8",
 * "@torch._dynamo.config.recompile_limit" or "?".
 */
static struct str default_at(const struct name_row *setting, unsigned version)
{
    struct str words = setting->more, word, found = {0};

    while ((word = str_split(&words, '\t')).n && word.p[0] != '$') {
        size_t at = 0;

        while (at < word.n && (str_is_digit(word.p[at]) || word.p[at] == '.'))
            at++;
        if (pytorch_version(str_take(word, at)) <= version)
            found = str_skip(word, at);
    }
    return found;
}

struct str setting_real_name(struct str setting, struct str version)
{
    struct name_row r;
    struct str value;

    if (row_at(NAME_SETTING, setting, version, &r) != NAME_PRESENT)
        return setting;
    value = default_at(&r, pytorch_version(version));
    return str_consume(&value, STR("@")) ? value : setting;
}

/* The default of a setting that is the same in the whole table. */
static bool only_default(struct str setting, struct str *value)
{
    struct str lines = lines_from(str_of(kinds[NAME_SETTING]), setting), word;
    unsigned defaults = 0;
    ptrdiff_t at = -1;
    struct name_row r;

    while (next_row(&lines, NAME_SETTING, setting, &r))
        for (; (word = str_split(&r.more, '\t')).n && word.p[0] != '$'; defaults++) {
            at = str_chr(word, '=');
            *value = str_skip(word, (size_t)(at + 1));
        }
    return defaults == 1 && at >= 0;
}

bool setting_default(struct str setting, struct str version, struct str *value)
{
    struct name_row r;

    if (!is_in_table(pytorch_version(version)))
        return only_default(setting, value);
    /* An alias refers to the real setting. */
    for (unsigned looks = 0; looks < 2; looks++) {
        if (row_at(NAME_SETTING, setting, version, &r) != NAME_PRESENT)
            return false;
        *value = default_at(&r, pytorch_version(version));
        if (str_consume(value, STR("=")))
            return true;
        if (!str_consume(value, STR("@")))
            return false;
        setting = *value;
    }
    return false;
}

/* "torch._dynamo.config.verbose" is below "torch._dynamo". */
static bool is_below(struct str name, struct str module)
{
    return str_consume(&name, module) && str_starts(name, STR("."));
}

bool names_setting_of(struct str option, struct str module, struct str *setting)
{
    struct str lines = lines_from(str_of(kinds[NAME_SETTING]), (struct str){0}), line;

    *setting = (struct str){0};
    while (str_next_line(&lines, &line)) {
        struct name_row r = row_of(line);
        struct str name = r.name;
        ptrdiff_t dot = str_rchr(name, '.');

        if (!str_eq(r.kind, str_of(kinds[NAME_SETTING])))
            break;
        if (!str_eq(str_skip(name, (size_t)(dot + 1)), option))
            continue;
        if (str_eq(str_take(name, (size_t)dot), module))
            return false;
        if (!setting->n || (is_below(name, module) && !is_below(*setting, module)))
            *setting = name;
    }
    return setting->n > 0;
}

enum { VARIABLE_MAX = 80, VARIABLE_MIN = 9, VARIABLE_LONG = 14, SLIPS_MAX = 2 };

/* Without underscores, as they are what is left out or added most easily. */
static struct str bare_variable(struct str name, char *room)
{
    size_t n = 0;

    for (size_t i = 0; i < name.n && n < VARIABLE_MAX; i++)
        if (name.p[i] != '_')
            room[n++] = name.p[i];
    return (struct str){room, n};
}

/* How many letters have to be added, left out or exchanged; at most one more than SLIPS_MAX. */
static size_t slips_between(struct str one, struct str other)
{
    size_t row[VARIABLE_MAX + 1], least;

    if (one.n > other.n + SLIPS_MAX || other.n > one.n + SLIPS_MAX)
        return SLIPS_MAX + 1;
    for (size_t k = 0; k <= other.n; k++)
        row[k] = k;
    for (size_t i = 1; i <= one.n; i++) {
        size_t corner = row[0];

        least = row[0] = i;
        for (size_t k = 1; k <= other.n; k++) {
            size_t above = row[k], cost = corner + (one.p[i - 1] != other.p[k - 1]);

            cost = above + 1 < cost ? above + 1 : cost;
            row[k] = row[k - 1] + 1 < cost ? row[k - 1] + 1 : cost;
            least = row[k] < least ? row[k] : least;
            corner = above;
        }
        if (least > SLIPS_MAX)
            return SLIPS_MAX + 1;
    }
    return row[other.n];
}

bool names_variable_near(struct str name, struct str *variable)
{
    /* a program may have variables of its own */
    static const struct str ours[] = {STR_INIT("TORCHINDUCTOR"), STR_INIT("TORCHDYNAMO"), STR_INIT("TORCHCOMPILE"),
                                      STR_INIT("TORCHLOG"), STR_INIT("TORCHTRACE")};
    struct str lines = lines_from(str_of(kinds[NAME_VARIABLE]), (struct str){0}), line;
    char room[VARIABLE_MAX], other[VARIABLE_MAX];
    struct str bare = bare_variable(name, room);
    size_t best = name.n < VARIABLE_LONG ? SLIPS_MAX : SLIPS_MAX + 1;
    size_t most = best;

    if (name.n < VARIABLE_MIN || name.n > VARIABLE_MAX || !STR_STARTS_ANY(bare, ours))
        return false;
    while (str_next_line(&lines, &line)) {
        struct name_row r = row_of(line);
        size_t slips;

        if (!str_eq(r.kind, str_of(kinds[NAME_VARIABLE])))
            break;
        if (str_eq(r.name, name))
            return false;
        slips = slips_between(bare, bare_variable(r.name, other));
        if (slips < best) {
            best = slips;
            *variable = r.name;
        }
    }
    return best < most;
}

bool setting_has_variable(struct str setting, struct str variable)
{
    struct str lines = lines_from(str_of(kinds[NAME_SETTING]), setting), word;
    struct name_row r;

    while (next_row(&lines, NAME_SETTING, setting, &r))
        while ((word = str_split(&r.more, '\t')).n)
            if (str_consume(&word, STR("$")) && str_eq(word, variable))
                return true;
    return false;
}

/* --- what PyTorch sets itself ------------------------------------------------------------------------------------- */

/* A * in the pattern stands for any text. */
static bool matches(struct str value, struct str pattern)
{
    size_t v = 0, p = 0, mark = 0;
    ptrdiff_t star = -1;

    while (v < value.n) {
        if (p < pattern.n && pattern.p[p] == '*') {
            star = (ptrdiff_t)p++;
            mark = v;
        } else if (p < pattern.n && pattern.p[p] == value.p[v]) {
            p++;
            v++;
        } else if (star >= 0) {
            p = (size_t)star + 1;
            v = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.n && pattern.p[p] == '*')
        p++;
    return p == pattern.n;
}

bool names_next_patch(struct str *rest, struct name_patch *out)
{
    struct str line;

    while (str_next_line(rest, &line)) {
        struct name_row r = row_of(line);

        *out = (struct name_patch){.name = r.name, .value = r.first, .variable = str_eq(r.kind, STR("variable"))};
        if (r.name.n == 0) /* the header */
            continue;
        str_u64(r.last, &out->set);
        return true;
    }
    return false;
}

bool names_patch_has(const struct name_patch *p, struct str value)
{
    return str_chr(p->value, '*') >= 0 ? matches(value, p->value) : python_values_equal(value, p->value);
}
