#include "text/faults/cache_fault.h"

#include "model/code_file.h"
#include "model/stack.h"

enum { SEARCHED = 16384 };

enum cache_owner { OF_NOBODY, OF_PROGRAM, OF_SAVED, OF_INDUCTOR, OF_TRITON, OF_VLLM };

static const struct {
    struct str file;
    enum cache_owner owner;
} readers[] = {
    {STR_INIT("triton/runtime/cache.py"), OF_TRITON},
    {STR_INIT("triton/compiler/compiler.py"), OF_TRITON},
    {STR_INIT("triton/runtime/build.py"), OF_TRITON},
    {STR_INIT("triton/backends/nvidia/driver.py"), OF_TRITON},
    {STR_INIT("triton/backends/amd/driver.py"), OF_TRITON},
    {STR_INIT("torch/_inductor/codecache.py"), OF_INDUCTOR},
    {STR_INIT("torch/_inductor/output_code.py"), OF_INDUCTOR},
    {STR_INIT("torch/_inductor/remote_cache.py"), OF_INDUCTOR},
    {STR_INIT("torch/_inductor/triton_bundler.py"), OF_INDUCTOR},
    {STR_INIT("torch/_inductor/runtime/autotune_cache.py"), OF_INDUCTOR},
    {STR_INIT("torch/_inductor/runtime/triton_heuristics.py"), OF_INDUCTOR},
    {STR_INIT("torch/_inductor/runtime/compile_tasks.py"), OF_INDUCTOR},
    {STR_INIT("torch/_functorch/_aot_autograd/autograd_cache.py"), OF_INDUCTOR},
    {STR_INIT("torch/_dynamo/pgo.py"), OF_INDUCTOR},
    {STR_INIT("torch/_inductor/standalone_compile.py"), OF_SAVED}, /* of a file that the program names */
    {STR_INIT("torch/_inductor/package/"), OF_SAVED},
    {STR_INIT("torch/_dynamo/aot_compile.py"), OF_SAVED},
    {STR_INIT("torch/export/pt2_archive/"), OF_SAVED},
    {STR_INIT("vllm/compilation/"), OF_VLLM},
};

/* Python's own calls, and a lock's, say nothing of whose file it is. */
static bool is_between(const struct call *c)
{
    return code_file_has(c->file, STR("filelock/")) ||
           (is_framework_file(c->file) && code_file_package_path(c->file).n == 0 &&
            !code_file_has(c->file, STR("torch/_")) && !code_file_has(c->file, STR("triton/")) &&
            !code_file_is_inductors(c->file));
}

static const struct call *reader_of(const struct failure *f)
{
    const struct call *c = f->stack;

    while (c && is_between(c))
        c = c->parent;
    return c;
}

static enum cache_owner owner_of(const struct failure *f)
{
    const struct call *c = reader_of(f);

    for (size_t i = 0; c && i < sizeof readers / sizeof *readers; i++)
        if (code_file_has(c->file, readers[i].file))
            return stack_calls(c, STR("vllm/compilation/")) ? OF_VLLM : readers[i].owner;
    return c && !is_framework_file(c->file) ? OF_PROGRAM : OF_NOBODY;
}

bool cache_fault_is_in_cache(const struct failure *f)
{
    return owner_of(f) > OF_SAVED;
}

/* --- entries of a cache ------------------------------------------------------------------------------------------- */

/* SHA-256 in base 32 (Triton 3) or base 16 (Triton 2). */
static bool is_hash_of_triton(struct str name)
{
    enum { BASE_32 = 52, BASE_16 = 64 };
    bool upper = name.n == BASE_32;

    if (!upper && name.n != BASE_16)
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (upper ? !((name.p[i] >= 'A' && name.p[i] <= 'Z') || (name.p[i] >= '2' && name.p[i] <= '7'))
                  : !((name.p[i] >= 'a' && name.p[i] <= 'f') || str_is_digit(name.p[i])))
            return false;
    return true;
}

/* "/x/HASH" of "/x/HASH/till.cubin", "/x/qy" of "/x/qy/cqyx....py" */
static struct str entry_of(struct str path)
{
    struct str rest = str_skip(path, 1), name;

    while (str_chr(rest, '/') >= 0) {
        name = str_split(&rest, '/');
        if (is_hash_of_triton(name))
            return str_range(path.p, name.p + name.n);
    }
    return code_file_is_inductors(path) && str_rchr(path, '/') > 0 ? str_take(path, (size_t)str_rchr(path, '/'))
                                                                   : (struct str){0};
}

struct str cache_fault_entry(struct str text)
{
    static const char ends[] = "'\"`\n ),:;";
    struct str entry = {0};

    text = str_take(text, SEARCHED);
    for (size_t i = 0, n; i < text.n && entry.n == 0; i += n ? n : 1) {
        n = 0;
        if (text.p[i] != '/' || (i > 0 && !strchr("'\"`\n =(", text.p[i - 1])))
            continue;
        while (i + n < text.n && !strchr(ends, text.p[i + n]))
            n++;
        entry = entry_of(str_take(str_skip(text, i), n));
    }
    return entry;
}

/* --- what is damaged ---------------------------------------------------------------------------------------------- */

/* "JSONDecodeError" of the type, or of "InductorError: JSONDecodeError: ..." and "raised:\nEOFError: ...". */
static bool is_of_type(const struct failure *f, struct str type)
{
    enum { LINES = 3 };
    struct str rest = f->message, line;

    if (str_eq(f->type, type))
        return true;
    for (size_t i = 0; i < LINES && str_next_line(&rest, &line); i++)
        if (str_consume(&line, type) && (line.n == 0 || line.p[0] == ':'))
            return true;
    return false;
}

static bool is_of_types(const struct failure *f, const char *types)
{
    struct str rest = str_of(types), type;

    while (str_next_line(&rest, &type))
        if (is_of_type(f, type))
            return true;
    return false;
}

/* What readers of JSON, pickles and archives raise for a file that is empty, cut or of something else. */
static bool cannot_decode(const struct failure *f)
{
    return is_of_types(f, "JSONDecodeError\nUnpicklingError\nBadZipFile\nzlib.error\nstruct.error") ||
           (is_of_type(f, STR("EOFError")) && str_has(f->message, STR("Ran out of input"))) ||
           (str_eq(f->type, STR("error")) && str_starts(f->message, STR("unpack requires")));
}

/* A pickle names classes and modules, which another version may not have. */
static bool cannot_unpickle(const struct failure *f)
{
    const struct call *c = reader_of(f);

    return c && (str_has(c->source, STR("pickle.load")) || str_has(c->source, STR("npickler"))) &&
           is_of_types(f, "ModuleNotFoundError\nAttributeError\nImportError\nTypeError\nKeyError\nIndexError");
}

/* CompiledKernel reads what `compile` wrote: its names are there in any file of the same version that is whole. */
static bool lacks_metadata(const struct failure *f)
{
    const struct call *c = reader_of(f);

    return c && code_file_has(c->file, STR("triton/compiler/compiler.py")) &&
           (str_has(c->source, STR("metadata")) || str_has(c->source, STR("self.asm["))) &&
           is_of_types(f, "KeyError\nStopIteration");
}

/* vLLM keeps a table of its compiled pieces as a Python literal. */
static bool cannot_parse_table(const struct failure *f)
{
    const struct call *c = reader_of(f);

    return c && str_has(c->source, STR("literal_eval(")) && is_of_types(f, "SyntaxError\nValueError\nIndentationError");
}

static bool is_entry_missing(const struct failure *f)
{
    return is_of_type(f, STR("FileNotFoundError")) && cache_fault_entry(f->message).n;
}

/* Only code that worked is kept with its graph, and here the graph was found: its file is not what was written. */
static bool cannot_load_hit(const struct failure *f)
{
    return str_has(f->message, STR("Failed to import /")) &&
           stack_calls(f->stack, STR("cache_hit_post_compile\n_lookup_graph"));
}

/* `File "/tmp/torchinductor_me/ab/cab.py", line 7` of Python's parser, which has no function. */
static bool cannot_parse_file(const struct failure *f)
{
    const struct call *c = f->stack;

    return c && c->function.n == 0 && code_file_is_inductors(c->file) &&
           is_of_types(f, "SyntaxError\nIndentationError\nTabError");
}

/* "from torch._inductor.x import y" of code that Inductor wrote: the version that wrote it has that name. */
static bool is_of_other_version(const struct failure *f)
{
    const struct call *c = f->stack;

    return c && code_file_is_inductors(c->file) && str_has(c->source, STR("import ")) &&
           str_has(f->message, STR("'torch._")) && is_of_types(f, "ImportError\nModuleNotFoundError");
}

static const struct fault *fault_named(const char *id)
{
    const struct fault *f = NULL;

    for (size_t i = 0; (f = fault_at(i)) != NULL && strcmp(f->id, id) != 0; i++)
        continue;
    return f;
}

static const struct fault *damaged(const struct failure *f, enum cache_owner owner)
{
    if (cannot_parse_file(f))
        return fault_named("cut-file");
    if (is_of_other_version(f))
        return fault_named("other-version");
    if (owner == OF_SAVED)
        return cannot_decode(f) || cannot_unpickle(f) ? fault_named("damaged-saved") : NULL;
    if (owner <= OF_PROGRAM || !(cannot_decode(f) || cannot_unpickle(f) || lacks_metadata(f) || cannot_parse_table(f) ||
                                 is_entry_missing(f) || cannot_load_hit(f)))
        return NULL;
    if (owner == OF_VLLM)
        return fault_named("damaged-vllm");
    if (owner == OF_INDUCTOR)
        return fault_named("damaged-cache");
    /* under Inductor, Triton's files are below Inductor's directory */
    return fault_named(str_eq(f->type, STR("InductorError")) || stack_calls(f->stack, STR("torch/_inductor/"))
                           ? "damaged-kernel"
                           : "damaged-triton");
}

/* Those whose words say less than whose call failed. */
static bool is_vague(const struct fault *found)
{
    static const struct str ids[] = {STR_INIT("damaged-cache"), STR_INIT("stale-cache"), STR_INIT("other-torch"),
                                     STR_INIT("no-import"), STR_INIT("system")};

    return STR_IS_ANY(str_of(found->id), ids);
}

/* "backend='tills' raised:", of which the program may be the author; DDP calls Inductor by the name `compile_fn`. */
static bool is_of_other_backend(struct str message)
{
    static const struct str inductor[] = {STR_INIT("inductor'"), STR_INIT("compile_f"), STR_INIT("<")};

    return str_consume(&message, STR("backend='")) && !STR_STARTS_ANY(message, inductor);
}

/* Of a file of the program, which it opens in a backend or a pass of its own. */
static bool is_of_program(const struct failure *f, const struct fault *found, enum cache_owner owner)
{
    static const struct str places[] = {STR_INIT("torchinductor_"), STR_INIT(".triton"), STR_INIT("compile_cache"),
                                        STR_INIT("CompiledFxGraph"), STR_INIT("@jit functions")};

    return (owner == OF_PROGRAM || (owner == OF_NOBODY && is_of_other_backend(f->message))) &&
           str_eq(str_of(found->id), STR("damaged-cache")) &&
           !STR_HAS_ANY(str_take(f->message, SEARCHED), places);
}

const struct fault *cache_fault_choose(const struct failure *f, const struct fault *found)
{
    enum cache_owner owner = owner_of(f);
    const struct fault *better = found && !is_vague(found) ? NULL : damaged(f, owner);

    if (better)
        return better;
    return found && is_of_program(f, found, owner) ? NULL : found;
}
