/* Functions that stop graphs, and the kinds of their breaks, by their names in messages and stacks. */
#include "analysis/breaks/break_kind.h"

/*
 * A row matches a module and a function in it; an empty module is any. A function that ends with "." is a class and
 * matches all of its methods; an empty one matches the whole module. The first matching row counts.
 */
static const struct {
    const char *module, *function;
    enum break_kind kind;
} names[] = {
    /* output */
    {"builtins", "print", BREAK_PRINT},
    {"warnings", "warn", BREAK_WARNING},
    {"_warnings", "warn", BREAK_WARNING},
    {"warnings", "", BREAK_WARNING_FILTER},
    {"_warnings", "", BREAK_WARNING_FILTER},
    {"logging", "getLogger", BREAK_ONCE},
    {"logging", "basicConfig", BREAK_ONCE},
    {"logging", "", BREAK_OUTPUT_FUNCTION},
    {"pprint", "", BREAK_OUTPUT_OBJECT},
    {"traceback", "print_exc", BREAK_OUTPUT_FUNCTION},
    {"traceback", "print_stack", BREAK_OUTPUT_FUNCTION},
    {"rich.console", "", BREAK_OUTPUT_OBJECT},
    {"rich", "print", BREAK_OUTPUT_FUNCTION},
    {"rich", "", BREAK_OUTPUT_OBJECT},
    {"loguru", "", BREAK_OUTPUT_OBJECT},
    {"structlog", "", BREAK_OUTPUT_OBJECT},
    {"absl.logging", "", BREAK_OUTPUT_OBJECT},
    {"wandb", "", BREAK_OUTPUT_OBJECT},
    {"mlflow", "", BREAK_OUTPUT_OBJECT},
    {"tensorboardX", "", BREAK_OUTPUT_OBJECT},
    {"torch.utils.tensorboard", "", BREAK_OUTPUT_OBJECT},
    {"tqdm", "", BREAK_PROGRESS},

    /* time */
    {"time", "", BREAK_TIMER},
    {"timeit", "", BREAK_TIMER},
    {"datetime", "timedelta", BREAK_ONCE},
    {"datetime", "", BREAK_TIMER},

    /* random numbers */
    {"random", "seed", BREAK_SEED},
    {"random", "Random.seed", BREAK_SEED},
    {"random", "Random.setstate", BREAK_SEED},
    {"random", "Random.getstate", BREAK_SEED},
    {"random", "", BREAK_RANDOM},
    {"", "Random.", BREAK_RANDOM},
    {"numpy.random", "seed", BREAK_SEED},
    {"numpy.random", "", BREAK_RANDOM},
    {"secrets", "", BREAK_RANDOM},
    {"torch.random", "", BREAK_SEED},
    {"torch.cuda.random", "", BREAK_SEED},
    {"torch._C", "Generator", BREAK_GENERATOR_OBJECT},
    {"", "Generator", BREAK_GENERATOR_OBJECT},
    {"", "Generator.random", BREAK_RANDOM},
    {"", "Generator.normal", BREAK_RANDOM},
    {"", "Generator.integers", BREAK_RANDOM},
    {"", "Generator.choice", BREAK_RANDOM},
    {"", "Generator.uniform", BREAK_RANDOM},
    {"", "Generator.permutation", BREAK_RANDOM},
    {"", "Generator.shuffle", BREAK_RANDOM},
    {"numpy", "default_rng", BREAK_RANDOM},
    {"", "initial_seed", BREAK_SEED},
    {"", "get_rng_state", BREAK_SEED},
    {"", "fork_rng", BREAK_SEED},

    /* files */
    {"builtins", "open", BREAK_FILE},
    {"builtins", "input", BREAK_FILE},
    {"io", "BytesIO.", BREAK_HOST},
    {"_io", "BytesIO.", BREAK_HOST},
    {"io", "StringIO.", BREAK_HOST},
    {"_io", "StringIO.", BREAK_HOST},
    {"io", "", BREAK_FILE},
    {"_io", "", BREAK_FILE},
    {"os", "", BREAK_FILE},
    {"posix", "", BREAK_FILE},
    {"nt", "", BREAK_FILE},
    {"posixpath", "", BREAK_FILE},
    {"ntpath", "", BREAK_FILE},
    {"genericpath", "", BREAK_FILE},
    {"pathlib", "", BREAK_FILE},
    {"glob", "", BREAK_FILE},
    {"shutil", "", BREAK_FILE},
    {"tempfile", "", BREAK_FILE},
    {"zipfile", "", BREAK_FILE},
    {"tarfile", "", BREAK_FILE},
    {"pickle", "dumps", BREAK_HOST},
    {"pickle", "loads", BREAK_HOST},
    {"_pickle", "dumps", BREAK_HOST},
    {"_pickle", "loads", BREAK_HOST},
    {"pickle", "", BREAK_FILE},
    {"_pickle", "", BREAK_FILE},
    {"csv", "", BREAK_FILE},
    {"_csv", "", BREAK_FILE},
    {"sqlite3", "", BREAK_FILE},
    {"_sqlite3", "", BREAK_FILE},
    {"safetensors", "", BREAK_FILE},
    {"torch.serialization", "", BREAK_FILE},
    {"numpy", "save", BREAK_FILE},
    {"numpy", "load", BREAK_FILE},
    {"", "TextIOWrapper.", BREAK_FILE},
    {"", "BufferedReader.", BREAK_FILE},
    {"", "BufferedWriter.", BREAK_FILE},
    {"", "FileIO.", BREAK_FILE},

    /* threads */
    {"threading", "", BREAK_THREAD},
    {"_thread", "", BREAK_THREAD},
    {"queue", "", BREAK_THREAD},
    {"_queue", "", BREAK_THREAD},
    {"multiprocessing", "", BREAK_THREAD},
    {"concurrent", "", BREAK_THREAD},
    {"asyncio", "", BREAK_EVENT_LOOP},
    {"_asyncio", "", BREAK_EVENT_LOOP},
    {"", "lock.", BREAK_THREAD},
    {"", "RLock.", BREAK_THREAD},
    {"", "Condition.", BREAK_THREAD},
    {"", "Semaphore.", BREAK_THREAD},

    {"copy", "", BREAK_COPY},

    /* functions with one result */
    {"builtins", "__import__", BREAK_ONCE},
    {"importlib", "", BREAK_ONCE},
    {"re", "compile", BREAK_ONCE},
    {"inspect", "currentframe", BREAK_CALLER},
    {"inspect", "stack", BREAK_CALLER},
    {"inspect", "getouterframes", BREAK_CALLER},
    {"inspect", "", BREAK_ONCE},
    {"functools", "", BREAK_ONCE},
    {"getpass", "", BREAK_ONCE},
    {"platform", "", BREAK_ONCE},
    {"socket", "", BREAK_ONCE},
    {"_socket", "", BREAK_ONCE},
    {"argparse", "", BREAK_ONCE},
    {"configparser", "", BREAK_ONCE},
    {"enum", "", BREAK_ONCE},

    /* the rest of Python's standard library: functions that neither take nor return tensors */
    {"json", "", BREAK_HOST},
    {"_json", "", BREAK_HOST},
    {"ast", "", BREAK_HOST},
    {"base64", "", BREAK_HOST},
    {"binascii", "", BREAK_HOST},
    {"bisect", "", BREAK_HOST},
    {"_bisect", "", BREAK_HOST},
    {"bz2", "", BREAK_HOST},
    {"ctypes", "", BREAK_HOST},
    {"_ctypes", "", BREAK_HOST},
    {"decimal", "", BREAK_HOST},
    {"_decimal", "", BREAK_HOST},
    {"difflib", "", BREAK_HOST},
    {"fractions", "", BREAK_HOST},
    {"gc", "", BREAK_HOST},
    {"gzip", "", BREAK_HOST},
    {"hashlib", "", BREAK_HOST},
    {"_hashlib", "", BREAK_HOST},
    {"", "HASH.", BREAK_HOST},
    {"heapq", "", BREAK_HOST},
    {"_heapq", "", BREAK_HOST},
    {"http", "", BREAK_HOST},
    {"urllib", "", BREAK_HOST},
    {"requests", "", BREAK_HOST},
    {"linecache", "", BREAK_HOST},
    {"lzma", "", BREAK_HOST},
    {"re", "", BREAK_HOST},
    {"", "Pattern.", BREAK_HOST},
    {"", "Match.", BREAK_HOST},
    {"resource", "", BREAK_HOST},
    {"select", "", BREAK_HOST},
    {"signal", "", BREAK_HOST},
    {"_signal", "", BREAK_HOST},
    {"statistics", "", BREAK_HOST},
    {"string", "", BREAK_HOST},
    {"struct", "", BREAK_HOST},
    {"_struct", "", BREAK_HOST},
    {"subprocess", "", BREAK_HOST},
    {"sys", "audit", BREAK_AUDIT},
    {"sys", "_getframe", BREAK_CALLER},
    {"sys", "", BREAK_HOST},
    {"textwrap", "", BREAK_HOST},
    {"traceback", "", BREAK_HOST},
    {"types", "", BREAK_HOST},
    {"unicodedata", "", BREAK_HOST},
    {"uuid", "", BREAK_HOST},
    {"weakref", "", BREAK_HOST},
    {"_weakref", "", BREAK_HOST},
    {"xml", "", BREAK_HOST},
    {"yaml", "", BREAK_HOST},
    {"zlib", "", BREAK_HOST},
    {"psutil", "", BREAK_HOST},
    {"pynvml", "", BREAK_HOST},

    /* training */
    {"", "LRScheduler.", BREAK_OPTIMIZER},
    {"", "Optimizer.", BREAK_OPTIMIZER},
    {"torch.optim.swa_utils", "", BREAK_TRAIN_STEP},
    {"torch.optim", "", BREAK_OPTIMIZER},
    {"torch.amp.grad_scaler", "", BREAK_TRAIN_STEP},
    {"torch.cuda.amp.grad_scaler", "", BREAK_TRAIN_STEP},
    {"torch.utils.data", "", BREAK_TRAIN_STEP},
    {"torch.nn.utils.clip_grad", "", BREAK_TRAIN_STEP},
    {"torch.autograd", "grad", BREAK_BACKWARD},
    {"torch.autograd", "backward", BREAK_BACKWARD},
    {"accelerate.accelerator", "backward", BREAK_TRAIN_STEP},
    {"accelerate.accelerator", "Accelerator.backward", BREAK_TRAIN_STEP},
    {"accelerate.optimizer", "", BREAK_TRAIN_STEP},
    {"accelerate.scheduler", "", BREAK_TRAIN_STEP},
    {"torch.nn.parallel.distributed", "", BREAK_DDP},
    {"torch.nn.parallel.data_parallel", "", BREAK_DATA_PARALLEL},
    {"torch.distributed.fsdp._fully_shard", "", BREAK_FULLY_SHARD},
    {"torch.distributed._composable.fsdp", "", BREAK_FULLY_SHARD},
    {"torch.distributed.fsdp", "", BREAK_FSDP},
    {"torch.distributed.tensor", "", BREAK_DTENSOR},
    {"torch.distributed._tensor", "", BREAK_DTENSOR},
    {"torch.distributed", "", BREAK_DISTRIBUTED},
    {"", "Work.", BREAK_ASYNC},
    {"torch.jit", "", BREAK_SCRIPT},
    {"torch.utils.hooks", "", BREAK_HOOK_HANDLE},
    {"transformers.utils.output_capturing", "", BREAK_CAPTURING},
    {"numpy", "", BREAK_NUMPY},
};

/* "torch.optim.adam" is in "torch.optim". */
static bool is_in_module(struct str module, struct str row)
{
    return row.n == 0 || (str_starts(module, row) && (module.n == row.n || module.p[row.n] == '.'));
}

static bool is_function(struct str function, struct str row)
{
    return row.n == 0 || str_eq(function, row) || (str_ends(row, STR(".")) && str_starts(function, row)) ||
           (str_ends(row, STR(".")) && str_eq(function, str_drop(row, 1)));
}

enum break_kind break_kind_of_name(struct str module, struct str function)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_in_module(module, str_of(names[i].module)) && is_function(function, str_of(names[i].function)))
            return names[i].kind;
    return BREAK_UNNAMED;
}
