#include "analysis/errors/error_machine.h"

#include "model/code_file.h"

/* "3.10" of "/usr/include/python3.10" or "/usr/local/lib/python3.10/site-packages/": whose headers are missing. */
static struct str python_of(const struct failure *f)
{
    struct str rest = str_take(f->message, ERROR_SEARCHED);
    ptrdiff_t at = str_find(rest, STR("/python3."));
    size_t n = 2;

    for (const struct call *c = f->stack; at < 0 && c; c = c->parent) {
        rest = c->file;
        at = str_find(rest, STR("/python3."));
    }
    rest = str_skip(rest, at < 0 ? rest.n : (size_t)at + sizeof "/python" - 1);
    while (n < rest.n && str_is_digit(rest.p[n]))
        n++;
    return n > 2 ? str_take(rest, n) : (struct str){0};
}

/*
 * "python3.10-dev" for "python3-dev": packages of one version of Python have it in their names. Where libraries are in
 * /usr/lib64, as on Fedora and its relatives, it is "python3.10-devel".
 */
static struct str for_python(struct arena *a, struct str words, const struct failure *f)
{
    static const struct str name = STR_INIT("python3-dev");
    struct str version = python_of(f), out = {0};

    for (ptrdiff_t at; version.n && (at = str_find(words, name)) >= 0; words = str_skip(words, (size_t)at + name.n))
        out = arena_printf(a, "%.*s%.*spython%.*s-dev%s", STR_ARG(out), (int)at, words.p, STR_ARG(version),
                           str_has(f->message, STR("/usr/lib64/")) ? "el" : "");
    return out.n ? arena_printf(a, "%.*s%.*s", STR_ARG(out), STR_ARG(words)) : words;
}

/* "on this GPU (sm_75)" for "on this GPU": the assembler's command names the kind of GPU. */
static struct str for_gpu(struct arena *a, struct str words, const struct failure *f)
{
    static const struct str gpu = STR_INIT("on this GPU");
    ptrdiff_t at = str_find(words, gpu), name = str_find(f->message, STR("--gpu-name=sm_"));
    struct str kind = str_skip(f->message, name < 0 ? f->message.n : (size_t)name + sizeof "--gpu-name=" - 1);
    kind = str_word(kind);
    if (at < 0 || kind.n == 0)
        return words;
    return arena_printf(a, "%.*s (%.*s)%.*s", (int)((size_t)at + gpu.n), words.p, STR_ARG(kind),
                        STR_ARG(str_skip(words, (size_t)at + gpu.n)));
}

/* "12.9 or later" of all toolkits, where the message names the kind of GPU. */
static struct str for_toolkit(struct arena *a, struct str words, const struct failure *f)
{
    static const struct {
        struct str kind, toolkit;
    } kinds[] = {{STR_INIT("sm_100"), STR_INIT("12.8 or later")}, {STR_INIT("sm_120"), STR_INIT("12.8 or later")},
                 {STR_INIT("sm_103"), STR_INIT("12.9 or later")}, {STR_INIT("sm_121"), STR_INIT("12.9 or later")},
                 {STR_INIT("sm_110"), STR_INIT("13.0 or later")}}; /* of CUDA 12 it was sm_101 */
    static const struct str all = STR_INIT(FAULT_TOOLKITS), older = STR_INIT(" For sm_100 and sm_120 that is 2.7 or "
                                                                             "later, built for CUDA 12.8.");
    size_t i = 0;
    ptrdiff_t at;

    while (i < sizeof kinds / sizeof *kinds && !str_has(str_take(f->message, ERROR_SEARCHED), kinds[i].kind) &&
           !str_has(str_take(f->beside, ERROR_SEARCHED), kinds[i].kind))
        i++;
    if (i == sizeof kinds / sizeof *kinds)
        return words;
    at = str_has(older, kinds[i].kind) ? -1 : str_find(words, older);
    if (at >= 0)
        words = arena_printf(a, "%.*s%.*s", (int)at, words.p, STR_ARG(str_skip(words, (size_t)at + older.n)));
    at = str_find(words, all);
    return at < 0 ? words
                  : arena_printf(a, "%.*s%.*s%.*s", (int)at, words.p, STR_ARG(kinds[i].toolkit),
                                 STR_ARG(str_skip(words, (size_t)at + all.n)));
}

/*
 * "/opt/tools/bin/c++" of "... cpp.cxx: (None, '/opt/tools/bin/c++')": `CXX` names it, or the program; by itself
 * PyTorch asks for "g++" and "clang++".
 */
static struct str named_compiler(const struct failure *f)
{
    struct str rest = str_take(f->message, ERROR_SEARCHED), name = {0}, quoted;
    ptrdiff_t at = str_find(rest, STR("cpp.cxx: ("));

    if (at < 0)
        return (struct str){0};
    rest = str_first_line(str_skip(rest, (size_t)at));
    while (str_between(rest, STR("'"), STR("'"), &quoted)) {
        if (str_chr(quoted, '/') >= 0 && str_chr(quoted, '`') < 0)
            name = quoted;
        rest = str_skip(rest, (size_t)(quoted.p - rest.p) + quoted.n + 1);
    }
    return name;
}

/* "torchinductor_till" of "/tmp/torchinductor_till/ab/cab.py": the directory of a user's cache. */
static struct str cache_in(struct str path)
{
    ptrdiff_t at = str_find(path, STR("torchinductor_"));
    struct str name = str_skip(path, at < 0 ? path.n : (size_t)at);

    return str_take(name, str_chr(name, '/') < 0 ? 0 : (size_t)str_chr(name, '/'));
}

/* The character that `whole` has and `part`, which is the same otherwise, has not; 0 if that is no difference. */
static char missing_character(struct str whole, struct str part)
{
    size_t n = 0;

    while (n < part.n && n < whole.n && whole.p[n] == part.p[n])
        n++;
    return whole.n == part.n + 1 && str_eq(str_skip(whole, n + 1), str_skip(part, n)) ? whole.p[n] : 0;
}

/* The stack has the file that Inductor wrote, and the compiler's command another directory for it. */
static char character_lost(const struct failure *f)
{
    ptrdiff_t at = str_find(str_take(f->message, ERROR_SEARCHED), STR("torchinductor_"));
    struct str looked_for = cache_in(str_skip(f->message, at < 0 ? f->message.n : (size_t)at));

    for (const struct call *c = f->stack; c && looked_for.n; c = c->parent) {
        char lost = missing_character(cache_in(c->file), looked_for);

        if (lost)
            return lost;
    }
    return 0;
}

/* The directory is named by the user (default_cache_dir): these are replaced in it by newer versions, 2.5 as well. */
static struct str of_lost_character(struct arena *a, struct str words, const struct failure *f)
{
    static const char replaced[] = "\\/:*?\"<>|";
    static const struct str doubt = STR_INIT("Compare the path in the command with the directory: ");
    char lost = str_starts(words, doubt) ? character_lost(f) : 0;

    if (!lost || lost == '`')
        return words;
    return arena_printf(a,
                        "The directory of the cache has a `%c` in its name (it is named after the user), and the "
                        "command of the compiler has lost it. Name another directory, without such characters: "
                        "`TORCHINDUCTOR_CACHE_DIR=/tmp/inductor`.%s",
                        lost, strchr(replaced, lost) ? " Newer versions of PyTorch write `_` in its place." : "");
}

struct str error_machine_raiser(const struct error *e)
{
    const struct call *raiser = e->failure->own_code;
    struct str package = raiser ? code_file_package_path(raiser->file) : (struct str){0};

    if ((e->category != ERROR_BACKEND && e->category != ERROR_DYNAMO_BUG) || package.n == 0 ||
        !is_library_file(raiser->file))
        return (struct str){0};
    return str_split(&package, '/');
}

bool error_machine_add_raiser(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct call *raiser = e->failure->own_code;
    struct str package = error_machine_raiser(e);

    if (package.n == 0)
        return false;
    error_step_say(
        a, out,
        arena_printf(a,
                     "The compiler runs `%.*s` of the package `%.*s` (%.*s:%lld), and that raises it: use a version of "
                     "the package that is made for this PyTorch, or run without it.",
                     STR_ARG(raiser->function), STR_ARG(package), STR_ARG(code_file_name(raiser->file)),
                     (long long)raiser->line));
    error_step_say(
        a, out,
        arena_printf(a, "If the newest version fails, too, report it to the authors of `%.*s`.", STR_ARG(package)));
    return true;
}

bool error_machine_add_variable(struct arena *a, const struct error *e, struct error_steps *out)
{
    struct str name = error_variable(e->failure);

    if (name.n == 0)
        return false;
    error_step_say(a, out,
                   arena_printf(a,
                                "The environment variable `%.*s` has a value that the line cannot read; the message "
                                "shows it. Correct it, or unset it, where the program is started.",
                                STR_ARG(name)));
    return true;
}

/* 120 of "sm_120", "sm_90a" and "compute_90"; 0 if it is none. */
static uint64_t number_of_kind(struct str kind)
{
    uint64_t number = 0;

    kind = str_skip(kind, (size_t)(str_rchr(kind, '_') + 1));
    return str_take_u64(&kind, &number) ? number : 0;
}

/* Which builds have code for the GPU, where a warning of the text names its kind and those that this one has. */
static struct str for_built_kinds(struct arena *a, struct str words, const struct failure *f)
{
    static const struct str any = STR_INIT(FAULT_NEWER_BUILD);
    const struct stated *stated = &f->compile->process->input->stated;
    uint64_t gpu = number_of_kind(stated->gpu_kind), least = UINT64_MAX, most = 0;
    struct str rest = stated->built_kinds, said, kinds;

    while (rest.n) {
        uint64_t kind = number_of_kind(str_split(&rest, ' '));

        least = kind && kind < least ? kind : least;
        most = kind > most ? kind : most;
    }
    if (gpu == 0 || most == 0 || !str_starts(words, any))
        return words;
    kinds = least == most ? arena_printf(a, "sm_%llu", (unsigned long long)most)
                          : arena_printf(a, "sm_%llu to sm_%llu", (unsigned long long)least, (unsigned long long)most);
    if (gpu < least)
        said = arena_printf(a,
                            "This PyTorch has code for %.*s, and the GPU is older (%.*s): install an older PyTorch, or "
                            "one of this version that was built for an older CUDA (`cu126`), if it still has code for "
                            "the GPU. Or use another GPU.",
                            STR_ARG(kinds), STR_ARG(stated->gpu_kind));
    else if (gpu > most && (gpu / 10 == 10 || gpu / 10 == 12))
        said = arena_printf(a,
                            "This PyTorch has code for %.*s, and the GPU is newer (%.*s): install 2.7 or later, built "
                            "for CUDA 12.8 or later (`cu128`).",
                            STR_ARG(kinds), STR_ARG(stated->gpu_kind));
    else
        said = arena_printf(a,
                            "This PyTorch has code for `%.*s`, and none for the GPU (%.*s): install another "
                            "version, or one that was built for another CUDA, whose list has it.",
                            STR_ARG(stated->built_kinds), STR_ARG(stated->gpu_kind));
    return arena_printf(a, "%.*s%.*s", STR_ARG(said), STR_ARG(str_skip(words, any.n)));
}

/* "/opt/till not found", "No such file or directory: '/opt/till'" */
static bool is_missing(struct str message, struct str path)
{
    static const struct str behind[] = {STR_INIT(" not found"), STR_INIT("' not found"), STR_INIT(" does not exist"),
                                        STR_INIT("' does not exist")};

    for (ptrdiff_t at; (at = str_find(message, path)) >= 0; message = str_skip(message, (size_t)at + path.n))
        if (STR_STARTS_ANY(str_skip(message, (size_t)at + path.n), behind) ||
            str_ends(str_take(message, (size_t)at), STR("No such file or directory: '")))
            return true;
    return false;
}

/*
 * A path that the message reports missing is no value for a setting: "`TILL_PATH=/opt/rocm/bin/till`" gets the
 * directory of ROCm that the text names, or stands for one that the reader has to find.
 */
static struct str without_missing(struct arena *a, struct str words, const struct failure *f)
{
    static const struct str usual = STR_INIT("/opt/rocm");
    struct str message = str_take(f->message, ERROR_SEARCHED), root = f->compile->process->input->stated.rocm;
    struct str rest = words;

    for (ptrdiff_t at; (at = str_find(rest, STR("=/"))) >= 0;) {
        struct str path = str_skip(rest, (size_t)at + 1), below, placed;
        ptrdiff_t end = str_chr(path, '`');

        rest = path;
        path = str_take(path, end < 0 ? 0 : (size_t)end);
        if (path.n == 0 || str_chr(path, ' ') >= 0 || !is_missing(message, path))
            continue;
        below = path;
        placed = str_consume(&below, usual) && root.n && !str_eq(root, usual)
                     ? arena_printf(a, "%.*s%.*s", STR_ARG(root), STR_ARG(below))
                     : arena_printf(a, "/PATH/OF/%.*s", STR_ARG(str_skip(path, (size_t)(str_rchr(path, '/') + 1))));
        return arena_printf(a, "%.*s%.*s%.*s", (int)(path.p - words.p), words.p, STR_ARG(placed),
                            STR_ARG(str_range(path.p + path.n, words.p + words.n)));
    }
    return words;
}

/* "Required: 131072 Hardware limit:101376", in bytes, of a kernel that does not fit. */
static struct str with_shared_memory(struct arena *a, struct str words, const struct error *e)
{
    static const struct str marks[] = {STR_INIT("Required: "), STR_INIT("Hardware limit:")};
    struct str message = str_take(e->failure->message, ERROR_SEARCHED);
    uint64_t bytes[2];

    if (!str_starts(str_of(e->fault->id), STR("shared-memory")))
        return words;
    for (size_t i = 0; i < 2; i++) {
        ptrdiff_t at = str_find(message, marks[i]);

        if (at < 0)
            return words;
        message = str_trim(str_skip(message, (size_t)at + marks[i].n));
        if (!str_take_u64(&message, &bytes[i]))
            return words;
    }
    return arena_printf(a, "The kernel needs %llu bytes for a block, and a multiprocessor of this GPU has %llu. %.*s",
                        (unsigned long long)bytes[0], (unsigned long long)bytes[1], STR_ARG(words));
}

void error_machine_add_steps(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct failure *f = e->failure;
    struct str words = for_built_kinds(a, for_gpu(a, for_python(a, str_of(e->fault->fix), f), f), f);
    struct str setting = f->compile->process->input->stated.bfloat16;

    if (setting.n && str_eq(str_of(e->fault->id), STR("no-dtype")))
        words = arena_printf(a, "`%.*s` in this text asks for it: set float16 (fp16) there. %.*s", STR_ARG(setting),
                             STR_ARG(words));
    struct str compiler = named_compiler(e->failure), install = words;

    if (compiler.n && str_consume(&install, STR("Install ")))
        words = arena_printf(a,
                             "`CXX`, or the program's `torch._inductor.config.cpp.cxx`, names `%.*s`, which is not "
                             "there or does not run: correct it, or leave it out. Else install %.*s",
                             STR_ARG(compiler), STR_ARG(install));
    words = of_lost_character(a, for_toolkit(a, words, e->failure), e->failure);
    if (stack_calls(e->failure->stack, STR("_cuda_system_info_comment")))
        words = arena_printf(a,
                             "nvcc is not needed: PyTorch writes its version into a comment, and goes on where it is "
                             "not found (2.13 does not look for it on ROCm). %.*s",
                             STR_ARG(words));
    words = with_shared_memory(a, words, e);
    error_step_say(a, out, without_missing(a, words, e->failure));
    if (e->fault->eager && !e->failure->suppressed && !e->failure->exporting)
        error_step_say(a, out, STR("Or leave `torch.compile` out: the results are the same, it is only slower."));
    if (e->failure->suppressed && e->failure->where != FAILED_PROGRAM)
        error_step_say(a, out,
                       STR("Until then the function runs eagerly: its results are right, and it is no faster. Without "
                           "`torch.compile` around it, the messages end as well."));
}
