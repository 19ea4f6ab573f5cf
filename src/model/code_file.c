#include "model/code_file.h"

enum { FILE_MAX = 4096 }; /* the rest of a longer path is ignored */

/* The path with slashes, whatever system it comes from; `room` holds a copy if one is needed. */
static struct str with_slashes(struct str file, char room[FILE_MAX])
{
    size_t n = file.n < FILE_MAX ? file.n : FILE_MAX;

    if (str_chr(file, '\\') < 0)
        return file;
    for (size_t i = 0; i < n; i++)
        room[i] = file.p[i] == '\\' ? '/' : file.p[i];
    return (struct str){room, n};
}

/* The path after the last directory of that name; empty if there is none. */
static struct str behind(struct str file, struct str directory)
{
    struct str rest = {0};

    for (ptrdiff_t at; (at = str_find(file, directory)) >= 0;) {
        bool whole = at == 0 || file.p[at - 1] == '/';

        file = str_skip(file, (size_t)at + directory.n);
        rest = whole ? file : rest;
    }
    return rest;
}

struct str code_file_package_path(struct str file)
{
    struct str debian = behind(file, STR("dist-packages/")),
               path = behind(debian.n ? debian : file, STR("site-packages/"));
    ptrdiff_t egg;

    path = path.n ? path : debian;
    egg = str_find(path, STR(".egg/")); /* "torch-2.0.1-py3.9-linux-x86_64.egg/torch/nn/functional.py" */
    return egg > 0 && egg < str_chr(path, '/') ? str_skip(path, (size_t)egg + 5) : path;
}

static bool is_of_a_framework(struct str package)
{
    static const struct str names[] = {STR_INIT("torch/"), STR_INIT("torchgen/"), STR_INIT("functorch/"),
                                       STR_INIT("triton/")};

    return STR_STARTS_ANY(package, names);
}

/*
 * A checkout: directories and files below torch/ and triton/ that no other project has. PyTorch's tests are outside
 * its package, and count as user programs.
 */
static bool is_of_a_checkout(struct str file)
{
    static const struct str torch[] = {
        STR_INIT("_"),
        STR_INIT("nn/modules/"),
        STR_INIT("nn/functional.py"),
        STR_INIT("nn/parallel/"),
        STR_INIT("fx/"),
        STR_INIT("export/"),
        STR_INIT("autograd/"),
        STR_INIT("compiler/"),
        STR_INIT("jit/"),
        STR_INIT("onnx/"),
        STR_INIT("ao/"),
        STR_INIT("amp/"),
        STR_INIT("cuda/"),
        STR_INIT("utils/_"),
        STR_INIT("utils/checkpoint"),
        STR_INIT("utils/data/"),
        STR_INIT("optim/_"),
        STR_INIT("optim/optim"),
        STR_INIT("optim/lr_sched"),
        STR_INIT("distributed/_"),
        STR_INIT("functional"),
        STR_INIT("overrides"),
        STR_INIT("distributed/run"),
        STR_INIT("distributed/fsdp/"),
        STR_INIT("library.py"),
        STR_INIT("testing/_"),
        STR_INIT("distributed/elastic/"),
        STR_INIT("distributed/launcher/"),
        STR_INIT("distributed/distributed_c10d.py"),
        STR_INIT("distributed/tensor/"),
    };
    static const struct str triton[] = {STR_INIT("compiler/"), STR_INIT("runtime/"),   STR_INIT("language/"),
                                        STR_INIT("backends/"), STR_INIT("testing.py"), STR_INIT("ops/")};
    struct str below = behind(file, STR("torch/"));

    if (STR_STARTS_ANY(below, torch) || behind(file, STR("pytorch/torch/")).n || behind(file, STR("torchgen/")).n)
        return true;
    return STR_STARTS_ANY(behind(file, STR("triton/")), triton);
}

/*
 * Windows: "C:/Python311/Lib/runpy.py", and of conda "C:/conda/envs/x/lib/runpy.py". A project may have a directory of
 * that name, so the names of the files decide.
 */
static bool is_windows_library(struct str file)
{
    static const struct str names[] = {
        STR_INIT("asyncio/"),     STR_INIT("collections/"), STR_INIT("concurrent/"),    STR_INIT("contextlib.py"),
        STR_INIT("copy.py"),      STR_INIT("ctypes/"),      STR_INIT("dataclasses.py"), STR_INIT("encodings/"),
        STR_INIT("functools.py"), STR_INIT("importlib/"),   STR_INIT("inspect.py"),     STR_INIT("json/"),
        STR_INIT("logging/"),     STR_INIT("abc.py"),       STR_INIT("ast.py"),         STR_INIT("multiprocessing/"),
        STR_INIT("os.py"),        STR_INIT("pathlib.py"),   STR_INIT("pickle.py"),      STR_INIT("queue.py"),
        STR_INIT("runpy.py"),     STR_INIT("shutil.py"),    STR_INIT("socket.py"),      STR_INIT("subprocess.py"),
        STR_INIT("tempfile.py"),  STR_INIT("threading.py"), STR_INIT("typing.py"),      STR_INIT("unittest/"),
        STR_INIT("weakref.py"),     STR_INIT("ntpath.py"),    STR_INIT("genericpath.py"),
    };

    struct str below = behind(file, STR("Lib/"));

    if (below.n == 0 && file.n > 2 && file.p[1] == ':')
        below = behind(file, STR("lib/"));
    return STR_STARTS_ANY(below.n || str_chr(file, '/') >= 0 ? below : file, names); /* of an archive, the name alone */
}

/* ".../lib/python3.11/contextlib.py", or lib64; not inside a package. */
static bool is_standard_library(struct str file)
{
    static const struct str dirs[] = {STR_INIT("/lib/python3"), STR_INIT("/lib64/python3")};

    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        ptrdiff_t at = str_find(file, dirs[i]);

        if (at >= 0 && str_chr(str_skip(file, (size_t)at + dirs[i].n), '/') >= 0)
            return true;
    }
    return is_windows_library(file);
}

/*
 * "/opt/conda/bin/torchrun": the scripts that an environment has for starting programs have no ".py"; on Windows they
 * are archives, "C:/conda/Scripts/torchrun.exe/__main__.py".
 */
static bool is_launcher(struct str file)
{
    struct str script = behind(file, STR("bin/"));

    if (str_ends(file, STR(".exe/__main__.py")))
        return true;
    return script.n && str_chr(script, '.') < 0 && str_chr(script, '/') < 0;
}

/* ComfyUI's loop, which runs the nodes: each error of a node comes through it. */
static bool is_loop_of_nodes(struct str file)
{
    static const struct str name = STR_INIT("ComfyUI/execution.py");

    return str_ends(file, name);
}

/* "<frozen runpy>", "<eval_with_key>.12". Notebook cells and the text after -c are the user's. */
static bool is_generated(struct str file)
{
    static const struct str typed[] = {STR_INIT("ipython-input-"), STR_INIT("stdin>"), STR_INIT("string>"),
                                       STR_INIT("cell")};

    return file.p[0] == '<' && !STR_STARTS_ANY(str_skip(file, 1), typed);
}

/*
 * ".../pr/cprxk4ild67...py": code_hash of torch/_inductor/codecache.py makes the name, the letter "c" and 51 digits of
 * base 32, and get_path puts it below the two characters behind that letter, in whatever directory
 * TORCHINDUCTOR_CACHE_DIR names.
 */
static bool has_name_of_cache(struct str file)
{
    enum { DIGITS = 51 };
    ptrdiff_t slash = str_rchr(file, '/');
    struct str name = str_skip(file, (size_t)(slash + 1));
    ptrdiff_t dot = str_chr(name, '.');

    if (slash < 3 || dot != 1 + DIGITS || name.p[0] != 'c' || file.p[slash - 3] != '/' ||
        memcmp(file.p + slash - 2, name.p + 1, 2) != 0)
        return false;
    for (ptrdiff_t i = 1; i < dot; i++)
        if (!((name.p[i] >= 'a' && name.p[i] <= 'z') || (name.p[i] >= '2' && name.p[i] <= '7')))
            return false;
    return true;
}

/* A shortened path may begin with the directory. */
static bool is_inductors(struct str file)
{
    return str_has(file, STR("/torchinductor_")) || str_starts(file, STR("torchinductor_")) ||
           str_has(file, STR("/inductor_cache/")) || str_has(file, STR("/torch_compile_cache/")) ||
           has_name_of_cache(file);
}

bool code_file_is_inductors(struct str file)
{
    char room[FILE_MAX];

    return is_inductors(with_slashes(file, room));
}

bool is_framework_file(struct str file)
{
    char room[FILE_MAX];
    struct str package;

    if (file.n == 0 || is_generated(file))
        return true;
    file = with_slashes(file, room);
    package = code_file_package_path(file);
    if (package.n)
        return is_of_a_framework(package);
    return is_of_a_framework(file) || is_inductors(file) || is_standard_library(file) ||
           is_of_a_checkout(file) || is_launcher(file) || is_loop_of_nodes(file);
}

/* "tmpx31ev0wx.py" of Python's tempfile, where torch_geometric writes code; not "/tmp/ipykernel_7/12.py", a cell. */
static bool is_temporary(struct str name)
{
    enum { DIGITS = 8 };

    if (!str_consume(&name, STR("tmp")) || name.n != DIGITS + 3 || !str_ends(name, STR(".py")))
        return false;
    for (size_t i = 0; i < DIGITS; i++)
        if (!((name.p[i] >= 'a' && name.p[i] <= 'z') || str_is_digit(name.p[i]) || name.p[i] == '_'))
            return false;
    return true;
}

bool code_file_is_librarys(struct str file)
{
    struct str name = code_file_name(file);

    /* Unsloth's cache may be a folder of another name */
    return code_file_has(file, STR("/unsloth_compiled_cache/")) || str_starts(name, STR("unsloth_compiled_module_")) ||
           is_temporary(name);
}

/*
 * The path from the package's name on, of libraries that are often installed from a checkout, and of which PyTorch
 * cuts the beginning of a path ("transformers/models/sam/modeling_sam.py"): by parts that no program has. Empty for
 * any other file.
 */
static struct str known_library_path(struct str file)
{
    static const struct str parts[] = {
        STR_INIT("transformers/models/"),     STR_INIT("transformers/generation/"),
        STR_INIT("transformers/integrations/"), STR_INIT("transformers/modeling_"),
        STR_INIT("transformers/cache_utils.py"), STR_INIT("transformers/masking_utils.py"),
        STR_INIT("transformers/pytorch_utils.py"), STR_INIT("transformers/trainer"),
        STR_INIT("diffusers/models/"),        STR_INIT("diffusers/pipelines/"),
        STR_INIT("diffusers/schedulers/"),    STR_INIT("torch_geometric/nn/"),
        STR_INIT("torch_geometric/utils/"),   STR_INIT("torch_geometric/backend.py"),
        STR_INIT("torch_geometric/edge_index.py"), STR_INIT("timm/layers/"),
        STR_INIT("timm/models/"),             STR_INIT("peft/tuners/"),
        STR_INIT("accelerate/hooks.py"),      STR_INIT("accelerate/utils/"),
        STR_INIT("torchvision/models/"),      STR_INIT("torchvision/ops/"),
        STR_INIT("torchvision/transforms/"),  STR_INIT("torchao/quantization/"),
        STR_INIT("torchao/optim/"),           STR_INIT("torchao/dtypes/"),
        STR_INIT("sentence_transformers/models/"), STR_INIT("detectron2/modeling/"),
        STR_INIT("detectron2/layers/"),       STR_INIT("monai/networks/"),
        STR_INIT("bitsandbytes/nn/"),         STR_INIT("bitsandbytes/autograd/"),
        STR_INIT("comfy/ldm/"),               STR_INIT("comfy/ops.py"),
        STR_INIT("comfy/model_base.py"),      STR_INIT("comfy/model_management.py"),
        STR_INIT("comfy/model_patcher.py"),   STR_INIT("comfy/samplers.py"),
        STR_INIT("lightning/pytorch/trainer/"), STR_INIT("lightning/pytorch/loops/"),
        STR_INIT("lightning/pytorch/strategies/"), STR_INIT("lightning/pytorch/core/"),
        STR_INIT("lightning/fabric/"),        STR_INIT("pytorch_lightning/trainer/"),
        STR_INIT("pytorch_lightning/loops/"), STR_INIT("pytorch_lightning/strategies/"),
        STR_INIT("pytorch_lightning/core/"),
    };

    while (file.n) {
        struct str rest = file;

        /* a program may have a directory transformers/models/ of its own */
        if (STR_STARTS_ANY(file, parts) && (!str_starts(file, parts[0]) || str_has(file, STR("/modeling_"))))
            return file;
        str_split(&rest, '/');
        file = rest;
    }
    return (struct str){0};
}

bool is_library_file(struct str file)
{
    char room[FILE_MAX];

    if (is_framework_file(file))
        return false;
    file = with_slashes(file, room);
    return code_file_package_path(file).n > 0 || code_file_is_librarys(file) || known_library_path(file).n > 0;
}

bool is_program_file(struct str file)
{
    return !is_framework_file(file) && !is_library_file(file);
}

/* "/x/helion/" of "/x/helion/helion/kernel.py" and of "/x/helion/src/helion/kernel.py"; empty for any other file. */
static struct str checkout_of(struct str file)
{
    struct str rest = file;

    while (str_chr(rest, '/') >= 0) {
        struct str name = str_split(&rest, '/'), inner = rest;

        str_consume(&inner, STR("src/"));
        if (name.n && str_consume(&inner, name) && str_starts(inner, STR("/")))
            return str_range(file.p, rest.p);
    }
    return (struct str){0};
}

bool is_other_checkout(struct str file, struct str script)
{
    char room[FILE_MAX], room_of_script[FILE_MAX];
    struct str checkout = checkout_of(with_slashes(file, room));

    return checkout.n && script.n && !str_starts(with_slashes(script, room_of_script), checkout);
}

bool code_file_has(struct str file, struct str part)
{
    char room[FILE_MAX];

    return str_has(with_slashes(file, room), part);
}

bool code_file_has_any(struct str file, const struct str *parts, size_t n)
{
    char room[FILE_MAX];

    return str_has_any(with_slashes(file, room), parts, n);
}

/* Files of Dynamo that programs call, or whose functions call the program's: their errors may be the program's. */
static bool has_program_inside(struct str file)
{
    static const struct str names[] = {STR_INIT("eval_frame.py"),  STR_INIT("external_utils.py"),
                                       STR_INIT("decorators.py"),  STR_INIT("__init__.py"),
                                       STR_INIT("backends/"),      STR_INIT("polyfills/"),
                                       STR_INIT("config"),         STR_INIT("testing.py"),
                                       STR_INIT("comptime.py"),    STR_INIT("package.py"),
                                       STR_INIT("create_parameter_op.py")};

    return STR_HAS_ANY(file, names);
}

bool code_file_runs_compiled(struct str file)
{
    if (code_file_has(file, STR("torch/_inductor/")))
        return !code_file_has(file, STR("torch/_inductor/__init__.py")) &&
               !code_file_has(file, STR("torch/_inductor/package/"));
    if (code_file_has(file, STR("torch/_dynamo/")))
        return !has_program_inside(file);
    return code_file_has(file, STR("torch/_functorch/_aot_autograd/")) ||
           code_file_has(file, STR("torch/_functorch/aot_autograd.py"));
}

bool code_file_exports(struct str file)
{
    static const struct str entries[] = {STR_INIT("torch/export/"), STR_INIT("torch/_dynamo/functional_export.py"),
                                         STR_INIT("torch/onnx/_internal/exporter"),
                                         STR_INIT("torch/onnx/_internal/_exporter_legacy.py")};

    return CODE_FILE_HAS_ANY(file, entries);
}

bool code_file_traces(struct str file)
{
    static const struct str parts[] = {
        STR_INIT("torch/fx/experimental/"),        STR_INIT("torch/fx/passes/"),
        STR_INIT("torch/_subclasses/"),            STR_INIT("torch/_guards.py"),
        STR_INIT("torch/_functorch/aot"),          STR_INIT("torch/_functorch/_aot"),
        STR_INIT("torch/_functorch/partitioners"), STR_INIT("torch/_export/"),
        STR_INIT("torch/_higher_order_ops/"),      STR_INIT("torch/utils/_sympy/"),
        STR_INIT("torch/_library/fake_")};

    return CODE_FILE_HAS_ANY(file, parts);
}

/* The path after ".../lib/python3.11/"; on Windows after "Lib/". */
static struct str library_path(struct str file)
{
    static const struct str dirs[] = {STR_INIT("/lib/python3"), STR_INIT("/lib64/python3")};

    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        ptrdiff_t at = str_find(file, dirs[i]), slash;
        struct str rest = at < 0 ? (struct str){0} : str_skip(file, (size_t)at + dirs[i].n);

        if (at >= 0 && (slash = str_chr(rest, '/')) >= 0)
            return str_skip(rest, (size_t)slash + 1);
    }
    return is_windows_library(file) ? behind(file, STR("Lib/")) : (struct str){0};
}

/* The path of a module relative to the place where Python imports it from. */
static struct str import_path(struct str file)
{
    static const struct str roots[] = {STR_INIT("torch/"), STR_INIT("torchgen/"), STR_INIT("triton/")};
    struct str path = code_file_package_path(file);

    if (path.n == 0 && is_of_a_framework(file))
        path = file;
    if (path.n == 0)
        path = library_path(file);
    if (path.n == 0)
        path = known_library_path(file);
    for (size_t i = 0; path.n == 0 && i < sizeof roots / sizeof *roots; i++) {
        struct str below = is_of_a_checkout(file) ? behind(file, roots[i]) : (struct str){0};

        path = below.n ? str_range(below.p - roots[i].n, below.p + below.n) : path;
    }
    return path;
}

struct str code_file_module(struct str file, char buffer[CODE_MODULE_MAX])
{
    char room[FILE_MAX];
    struct str path = file;

    if (str_consume(&path, STR("<frozen ")) && str_ends(path, STR(">")))
        path = str_drop(path, 1);
    else
        path = import_path(with_slashes(file, room));
    if (str_ends(path, STR(".py")))
        path = str_drop(path, 3);
    if (str_ends(path, STR("/__init__")))
        path = str_drop(path, sizeof "/__init__" - 1);
    if (path.n == 0 || path.n >= CODE_MODULE_MAX)
        return (struct str){0};
    for (size_t i = 0; i < path.n; i++)
        buffer[i] = path.p[i] == '/' ? '.' : path.p[i];
    buffer[path.n] = '\0';
    return (struct str){buffer, path.n};
}

static bool is_windows_path(struct str file)
{
    return (file.n > 2 && file.p[1] == ':') || str_starts(file, STR("\\\\")) || str_chr(file, '/') < 0;
}

struct str code_file_tail(struct str file, unsigned n)
{
    bool windows = is_windows_path(file);
    size_t at = file.n;

    while (at > 0 && !((file.p[at - 1] == '/' || (windows && file.p[at - 1] == '\\')) && --n == 0))
        at--;
    return str_skip(file, at);
}

struct str code_file_name(struct str file)
{
    return code_file_tail(file, 1);
}

bool code_file_calls_compiled(struct str file, struct str function)
{
    return str_eq(function, STR("forward")) && code_file_has(file, STR("torch/_functorch/aot_autograd.py"));
}
