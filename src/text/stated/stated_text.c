#include "text/stated/stated_text.h"

#include "text/stated/option.h"
#include "text/stated/prose.h"
#include "text/stated/regression.h"
#include "text/stated/stated_conditions.h"
#include "text/stated/stated_program.h"
#include "text/stated/stated_version.h"
#include "text/stated/tried.h"
#include "text/stated/variant.h"

#define IN_PLACE                                                                                                       \
    "inplace=True\n.copy_(\n.add_(\n.mul_(\n.sub_(\n.div_(\n.relu_(\n.clamp_(\n.zero_(\n.fill_(\n"                     \
    ".index_add_(\n.scatter_(\n.masked_fill_(\n.exp_(\n.neg_(\n.sqrt_(\n.index_copy_("

/* A fact is stated where one of the words occurs. */
static const struct {
    enum stated_fact fact;
    const char *words; /* alternatives, separated by '\n' */
} facts[] = {
    {STATED_BLOCK_POINTERS, "use_block_ptr is True\nuse_block_ptr = True\nuse_block_ptr=True\nuse_block_ptr\": True\n"
                            "use_block_ptr': True\nuse_block_ptr is on\nuse_block_ptr is enabled"},
    {STATED_TRITON_OF_INTEL, "triton/backends/intel/\ntriton\\backends\\intel\\"},
    {STATED_OWN_KERNEL, "@triton.jit\n@triton.autotune"},
    {STATED_LINES_OF_MLIR, "loc(\"\nfailed to legalize\nLLVM ERROR\n: error: "},
    {STATED_GRAPHS_OFF_WORKS,
     "orks if cudagraphs is disabled\norks if cudagraphs are disabled\norks if CUDA graphs are disabled\n"
     "orks if cudagraphs is off\norks if CUDA graphs are off\norks without cudagraphs\norks without CUDA graphs\n"
     "orks with cudagraphs disabled\norks with CUDA graphs disabled\norks with cudagraphs off\n"
     "orks with CUDA graphs off\norks when cudagraphs is disabled\norks when CUDA graphs are disabled"},
    {STATED_COMPILED_AUTOGRAD, "--compiled-autograd\n--compiled_autograd\ncompiled_autograd.enable(\n"
                               "compiled_autograd._enable(\ncompiled_autograd = True\ncompiled_autograd=True"},
    {STATED_DUMPED, "preparing to dump debug info\nflight recorder dump signal\nReceived a dump signal"},
    {STATED_DEEPSPEED_PRINTS, "Setting ds_accelerator to"},
    {STATED_LINUX, "linux-gnu\n/home/\n/usr/lib/\n/usr/local/\n/root/\nUbuntu\nubuntu\nLinux-"},
    {STATED_MACOS, "\"/Users/\n'/Users/\n(/Users/\n /Users/\n-I/Users/\n/opt/homebrew\n/var/folders/\nmacOS\nMacBook"},
    {STATED_WINDOWS,
     ":\\Users\\\n:/Users/\n\\site-packages\\\n\\\\site-packages\\\\\nC:\\\nD:\\\nC:/\nD:/\ncl /I \nWindows\n"
     "windows\nwin_amd64\nVisual Studio\ncl.exe\nDLL load failed\n[WinError\n"
     "0xC0000005\n-1073741819\n3221225477"},
    {STATED_AMD,
     "ROCm\nrocm\nRadeon\nradeon\nAMD Instinct\nHIP error\nhipError\n[HIP]\nHSA_\ngfx9\ngfx10\ngfx11\ngfx12"},
    {STATED_FLOAT64, "float64\ntorch.double\n.double()\nf64["},
    {STATED_FLOAT8, "fp8\nfloat8\nf8e4\ne4m3\nfp8e"},
    {STATED_WITH_STACK, "with_stack=True"},
    {STATED_RANKS, "torchrun\nnproc\n[rank\nrank 0\nrank 1\nrank0\nranks\nRank \nNCCL\nDDP\nFSDP\ndistributed\n"
                   "world_size\ndeepspeed\nDeepSpeed\nslurm"},
    {STATED_CUDA_GRAPHS,
     "reduce-overhead\n\"max-autotune\"\n'max-autotune'\ncudagraph\nCUDAGraph\nCUDA graph\ncuda graph"},
    {STATED_NEW_CUDA, "CUDA: 13.\nCUDA 13.\ncuda-13\ncuda_13"},
    {STATED_DTENSOR, "parallelize_module\nColwiseParallel\nRowwiseParallel\nSequenceParallel(\nDTensor\n"
                     "(SequenceParallel)\ngrad_placements\n.to_local(\ndistribute_tensor\n.redistribute("},
    {STATED_SPARSE, "sparse_coo_tensor\n.to_sparse(\nsparse_csr\nsparse tensor\nsparse COO"},
    {STATED_HOST_MEMORY, "CPU memory\nCPU RAM\nhost memory\nHost memory\nsystem memory\nsystem RAM\ndocker stats\n"
                         "MEM USAGE\n RSS\nRSS:\nru_maxrss\nmemory_info().rss"},
    {STATED_AUTOTUNE, "AUTOTUNE \nmax-autotune\nmax_autotune=\nmax_autotune ="},
    {STATED_FLEX_ATTENTION, "flex_attention\nFlexAttention\nflex-attention\nflex_decoding"},
    {STATED_VLLM, "vllm\nvLLM"},
    {STATED_SGLANG, "sglang\nSGLang"},
    {STATED_TORCHAO, "torchao"},
    {STATED_FLOAT16, "fp16\ntorch.float16\n.half()\n'Half'\n float16"},
    {STATED_MINIFYING, "TORCHDYNAMO_REPRO_AFTER=\nTORCHDYNAMO_REPRO_LEVEL=\nconfig.repro_after ="},
    {STATED_NOT_MINIFIED, "Skipping this graph\ngraph did not fail the tester"},
    {STATED_MINIFIER_FAILED, "FAIL: Delta Debugging"},
    {STATED_MINIFIED, "Writing minified repro to\nWriting checkpoint with "},
    {STATED_COMFYUI, "ComfyUI\ncomfyui\ncomfy_\nTorchCompileModel\nPrompt executed in \nSet vram state to"},
    {STATED_ORIG_MOD, "_orig_mod"},
    {STATED_DYNAMO, "torch.compile\ntorch_compile\nTORCHDYNAMO\nynamo"},
    {STATED_COMPILER,
     "torch.compile\ntorch_compile\nTORCHDYNAMO\nTORCHINDUCTOR\nynamo\nnductor\n_functorch\naot_autograd\nAOTAutograd\n"
     "compiled\nompiling\n"
     "eval_with_key\nGraphModule"},
    {STATED_LIMIT_RAISED,
     "CacheLimitExceeded\nRecompileLimitExceeded\nFailOnRecompileLimitHit\nFailOnCacheLimitHit"},
    {STATED_DEBUGGER, "pydevd\ndebugpy\nException has occurred: \nvscode debug\nithout the debugger\nithout debugger"},
    {STATED_LOADED, "Directly load AOT compilation from path \nDirectly load the compiled graph(s) for "},
    {STATED_AOT_PACKAGE, "AOTI\naoti\nAOT_INDUCTOR\naot_compile\n.pt2"},
    {STATED_OTHER_ENTRY, "aoti_compile\naot_compile\nAOTInductor\nhelion\nHelion\nthunder"},
    {STATED_ONNX, "ONNX\nonnx"},
    {STATED_CONDA, "conda-linux-gnu\nconda-forge\nminiforge\nconda3/\nconda/\nconda install\nconda3\\"},
    {STATED_NOTEBOOK, "Cell In[\nipykernel\nipython-input\nColab\ncolab\nJupyter\njupyter"},
    {STATED_COLAB, "colab.research\ngoogle.colab\nGoogle Colab\ngoogle colab\nColab notebook\n"
                   "in Colab\non Colab\nin colab\non colab"},
    {STATED_ACCELERATE, "accelerate/\naccelerate launch\nAccelerator("},
    {STATED_SYNCED_VALUES, "in _sync_ddp\nsync_dist=True"},
    {STATED_LIGHTNING, "pytorch_lightning\nlightning/pytorch\nlightning.pytorch\nLightningModule\n"
                       "import lightning\nlightning==\nL.Trainer("},
    {STATED_NNUNET, "nnUNet\nnnunet"},
    {STATED_MOSHI, "moshi"},
    {STATED_EAGER_DIFFERS, "eager_two_runs_differ"},
    {STATED_XDIST, "xdist\n[gw0] \n[gw1] \n[gw2] \n[gw3] "},
    {STATED_FUNC_GRAD, "torch.func.grad\ngrad_and_value\nfunc.vjp\nfunc import grad\nno .backward()\nno `.backward()`\n"
                       "no backward() call\nno `backward()`"},
    {STATED_FEW_CPUS, "num_cpus=1\n`num_cpus` 1\nnum_cpus: 1"},
    {STATED_NO_GRAD, "inference_mode\nno_grad"},
    {STATED_FSDP_BLOCKS, "ModuleWrapPolicy\nFSDP-wrapped\nwrap_policy\nfully_shard(\nFullyShardedDataParallel("},
    {STATED_DDP, "DistributedDataParallel\nDDPOptimizer\nDDP(\nnder DDP\nith DDP\nstrategy=\"ddp\"\nstrategy='ddp'"},
    {STATED_CHECKPOINT_POLICY, "create_selective_checkpoint_contexts\nselective activation checkpoint\n"
                               "selective checkpoint\ncheckpoint with context_fn\ncheckpointing with context_fn"},
    {STATED_RANDOM, "ropout\nbernoulli\nrand_like\nrandn_like\nmultinomial\ntorch.Generator\ngenerator=\n.train()\n"
                    "random numbers\nrandom output"},
    {STATED_DYNAMIC, "dynamic=True\ndynamic = True\nmark_dynamic(\nassume_static_by_default = False\n"
                     "assume_static_by_default=False"},
    {STATED_ASKS_BFLOAT16, "is_bf16_supported"},
    {STATED_CONVOLUTION, "onvolution\nchannels_last\nConv2d\nconv net\nConv3x3"},
    {STATED_PROCESSES,
     "Subprocess \nsubprocess \nslurmstepd\ntorchrun\ntorch.distributed.elastic\n[rank0]\n[rank1]\n[rank2]\n[rank3]\n"
     "(EngineCore\n(Worker\n(VllmWorker"},
    {STATED_RECOMPILES, "[__recompiles\n.__recompiles"},
    {STATED_ABI_COMPATIBLE, "abi_compatible\": True\nabi_compatible': True\nabi_compatible = True\n"
                            "abi_compatible=True\nABI_COMPATIBLE=1"},
    {STATED_FUSED, "triton_poi_\ntriton_red_\ntriton_per_"},
    {STATED_TEMPLATE_TOO_LARGE, "out of resource: triton_tem_"},
    {STATED_DATA_ASSERTED, "failed while running defer_runtime_assert("},
    {STATED_NO_FLOAT64, "fp64 golden ref were not generated for"},
    {STATED_TEMPLATE, "triton_mm\ntriton_bmm\ntriton_tem_\ntriton_flex\nselect_algorithm.py\", line"},
    {STATED_PYTHON_CACHE, "import cache\nimport lru_cache\n@cache\n@lru_cache\nfunctools.lru_cache\n"
                          "functools.cache"},
    {STATED_COMPILE_WORKERS, "compile_worker\nptxas\nstill compiling\nstill compiles\nkeeps compiling"},
    {STATED_FREEZING,
     "TORCHINDUCTOR_FREEZING=1\n.freezing = True\n.freezing=True\n\"freezing\": True\n'freezing': True\n"
     "_frozen_param"},
    {STATED_FABRIC, "fabric.setup(\nFabric(\nfabric.launch("},
    {STATED_TRAINS, "backward\nloss\ntrain\ngradient\noptimizer"},
    {STATED_POWERSHELL, "PS C:\\\nPS D:\\\nPS E:\\\nPS F:\\\nPS Z:\\\n$env:\n$Env:\n.ps1\nPowerShell\npowershell"},
    {STATED_COMPILED_MASK, "_compile=True\n_compile = True\ncompile(create_block_mask"},
    {STATED_STARTS, "ompile time\nompilation\nirst call\nirst run\nirst iter\nirst step\nirst epoch\nwarm\nWarm\n"
                    "cold\nstart-up\nstartup\nstart up\nstarts\nrestart\ncache\neach time\nevery time"},
    {STATED_IN_PLACE, IN_PLACE},
    {STATED_CONSTEXPR, "tl.constexpr"},
    {STATED_GPU_SEEN, "nvidia-smi ok\nnvidia-smi works\nnvidia-smi shows\nnvidia-smi is fine\nnvidia-smi` shows\n"
                      "nvidia-smi` works\nnvidia-smi lists\nnvidia-smi in the step before shows\n| NVIDIA-SMI "},
    {STATED_SIZES_VARY,
     "new size\nnew shape\nnew length\nother size\nother shape\nother length\ndifferent size\ndifferent shape\n"
     "different length\ndifferent batch\ndifferent resolution\nvarying\nvariable length\nvariable-length\n"
     "variable size\nvariable shape\nvariable batch\nsequence lengths\nprompt lengths\nbatch sizes\nimage sizes\n"
     "resolutions\ndynamic shape\ndynamic size\ndynamic batch\ndynamic length\nynamic input\neach size\n"
     "each shape\neach length\nevery size\nevery shape\nevery length\nlast batch\nragged\nsize changes\n"
     "sizes change\nshape changes\nshapes change\nlength changes\nlengths change\nsize mismatch"},
    {STATED_OWN_CHECKPOINT, "deepspeed.checkpointing\ndeepspeed.runtime.activation_checkpointing\n"
                            "tensor_parallel.checkpoint\nfairscale.nn.checkpoint\nfairscale.nn import checkpoint"},
    {STATED_SAGE, "sage-attention\nsageattention\nSageAttention\nsage attention\nsage_attn\nsageattn"},
    {STATED_UNANALYZED, "exception in identify_mutated_tensors\nexception in identify_accessed_tensors"},
    {STATED_UNSLOTH_FILE, "unsloth_compiled_cache\nunsloth_compiled_module_"},
    {STATED_WSL, "WSL\nwsl \nmicrosoft-standard\n/mnt/c/\n/mnt/d/"},
    {STATED_DISPATCH_MODE, "DispatchMode\n__torch_dispatch__\nis_infra_mode\nDebugMode\nFlopCounterMode\n"
                           "dispatch mode present"},
    {STATED_SHUFFLES, "_shuffle\nshuffle_\n.shuffle(\nrandperm"},
    {STATED_CAPTURE_BEGIN, "capture_begin("},
    {STATED_FULLGRAPH, "fullgraph"},
    {STATED_COMPILED_CALL, "torch.compile\ntorch_compile\n_dynamo/eval_frame.py\", line\n"
                           "_dynamo\\eval_frame.py\", line\nYou can suppress this exception\nfrom user code:"},
    {STATED_BREAKS_AGAIN,
     "the break in every\nthe break in each\nbreak in every\nbreak in each\nbreaks in every\nbreaks in each\n"
     "break at every\nbreak at each\nbreaks at every\nbreaks at each\nbreak for every\nbreak for each\n"
     "breaks the graph in every\nbreaks the graph in each"},
    {STATED_SIZES_DIFFER, "shapes cannot be multiplied\nmust match the size of tensor\nto have size"},
    {STATED_CUSTOM_OPERATOR, "custom_op\ncustom op\nmutates_args\ntorch.library\ntriton_op\nTORCH_LIBRARY\n"
                             "impl_abstract\nregister_fake\nautograd.Function"},
    {STATED_LIMIT_HIT, "FailOnRecompileLimitHit\nran out of recompilation cache\nhit config.recompile_limit\n"
                       "hit config.cache_size_limit\ncache_size_limit reached\nrecompile_limit reached"},
    {STATED_RAY, "import ray\nray.remote\nray.init(\n/ray/\nray::"},
    {STATED_CONTAINER, "docker\nDocker\npodman\nPodman\nkubernetes\nKubernetes\nk8s\n--tmpfs\nnerdctl run\napptainer \n"
                       "singularity exec\nthe container\na container\nkubectl"},
    {STATED_TENSOR_PARALLEL, "--tp-size\n--tp_size\n tp_size\n(tp_size\n --tp \n--tp=\nensor parallel\nensor-parallel\n"
                             "ensor_parallel\n TP4\n TP8\n TP16\n TP32"},
    {STATED_VLLM_RUNS, "vllm/v1/\nvllm/worker/\nvllm/engine/\nvllm/entrypoints/\nvllm.entrypoints\nvllm serve\n"
                       "vllm/compilation/\n(EngineCore\n(VllmWorker"},
    {STATED_NODE_COMPILES, "TorchCompileModel\nSamplerCustomAdvanced\nKSampler\nWanVideoSampler\nWanVideoTorchCompile"},
    {STATED_CLOCK_WAITS, "synchronize()\nsynchronize around\nEvent(enable_timing\nelapsed_time(\nuda events\n"
                         "CUDA Events\ndo_bench\nutils.benchmark\nbenchmark.Timer"},
    {STATED_AUTOQUANT, "autoquant\n>>time: "},
    {STATED_CHATTTS, "ChatTTS"},
    {STATED_MODERNBERT, "odernBERT\nodernBert\nodernbert"},
    {STATED_PIECEWISE_OPTION, "--enable-piecewise-cuda-graph"},
    {STATED_COMPILE_OPTION, "--enable-torch-compile"},
    {STATED_NOT_DYNAMIC, "dynamic=False\ndynamic = False\n\"dynamic\": False\n'dynamic': False\ndynamic: false"},
    {STATED_DYNAMO_OF_ONNX, "dynamo=True\ndynamo=False\ndynamo = True\ndynamo = False\n--dynamo"},
    {STATED_PADS_LONGEST, "padding=\"longest\"\npadding='longest'\npadding=True"},
    {STATED_DYNAMIC_FAILS, "failed to eagerly compile backwards for dynamic"},
};

enum { PATH_MAX_BYTES = 400 };

/*
 * "/srv/torch_compile_cache" of "Directly load AOT compilation from path /srv/torch_compile_cache/3b/model" and of
 * "Using cache directory: /srv/torch_compile_cache/3b for vLLM's torch.compile"; the code of a whole model may be in a
 * directory beside it, torch_aot_compile.
 */
static struct str cache_of_vllm(struct str text)
{
    static const struct str leads[] = {STR_INIT("load AOT compilation from path "), STR_INIT("sing cache directory: ")},
                            names[] = {STR_INIT("/torch_compile_cache"), STR_INIT("/torch_aot_compile")};

    for (size_t i = 0; i < 2 * sizeof leads / sizeof *leads; i++) {
        ptrdiff_t at = str_find(text, leads[i / 2]), end;
        struct str path = str_take(str_skip(text, at < 0 ? text.n : (size_t)at + leads[i / 2].n), PATH_MAX_BYTES);

        path = str_first_line(path);
        end = str_find(path, names[i % 2]);
        if (end >= 0 && str_chr(str_take(path, (size_t)end), ' ') < 0)
            return str_take(path, (size_t)end + names[i % 2].n);
    }
    return (struct str){0};
}

static size_t slashes_of(struct str path)
{
    size_t n = 0;

    for (size_t i = 0; i < path.n; i++)
        n += path.p[i] == '/' || path.p[i] == '\\';
    return n;
}

/*
 * "/srv/cache/inductor" of "TORCHINDUCTOR_CACHE_DIR=/srv/cache/inductor" and of `os.environ["TORCHINDUCTOR_CACHE_DIR"]
 * = "/srv/cache/inductor"`. Not a directory directly below the root, which may hold more than a cache.
 */
static struct str cache_of_inductor(struct str text)
{
    static const struct str name = STR_INIT("TORCHINDUCTOR_CACHE_DIR");

    for (ptrdiff_t at; (at = str_find(text, name)) >= 0;) {
        struct str path;
        size_t n = 0;

        text = str_skip(text, (size_t)at + name.n);
        path = str_take(str_first_line(text), PATH_MAX_BYTES);
        path = str_skip_any(path, "\"'] ");
        if (!str_consume(&path, STR("=")) && !str_consume(&path, STR(":")))
            continue;
        path = str_skip_any(path, "\"' ");
        while (n < path.n && !strchr("\"'`;,)]} \t\r", path.p[n]))
            n++;
        path = str_take(path, n);
        if (path.n && strchr("/~$", path.p[0]) && slashes_of(path) > 1 && !str_has(path, STR("...")))
            return path;
        if (path.n > 3 && path.p[1] == ':' && slashes_of(path) > 0)
            return path;
    }
    return (struct str){0};
}

/* c10d logs it before it raises "The connection to the C10d store has failed. See inner exception for details." */
static struct str socket_unreached(struct str text)
{
    static const struct str lead = STR_INIT("[c10d] "), words = STR_INIT("The client socket has ");

    for (ptrdiff_t at; (at = str_find(text, words)) >= 0;) {
        struct str before = str_take(text, (size_t)at);

        text = str_skip(text, (size_t)at);
        if (str_ends(before, lead))
            return str_drop_any(str_trim(str_first_line(text)), ".");
        text = str_skip(text, words.n);
    }
    return (struct str){0};
}

/* "/srv/rocm" of "ROCM_PATH=/srv/rocm", "which rocm: /srv/rocm", "rocm is in /srv/rocm/". */
static struct str root_of_rocm(struct str text)
{
    static const struct str leads[] = {STR_INIT("ROCM_PATH"),  STR_INIT("ROCM_HOME"),
                                       STR_INIT("which rocm"), STR_INIT("rocm is in"),
                                       STR_INIT("ROCm is in"), STR_INIT("rocm is installed in"),
                                       STR_INIT("rocm is at"), STR_INIT("ROCm is installed in"),
                                       STR_INIT("ROCm is at")};

    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++) {
        struct str rest = text;

        for (ptrdiff_t at; (at = str_find(rest, leads[i])) >= 0;) {
            struct str path;
            size_t n = 0;

            rest = str_skip(rest, (size_t)at + leads[i].n);
            path = str_skip_any(str_take(str_first_line(rest), PATH_MAX_BYTES), "\"'`] =:");
            while (n < path.n && !strchr("\"'`;,)]} \t\r", path.p[n]))
                n++;
            path = str_drop_any(str_take(path, n), "/.");
            if (path.n > 1 && path.p[0] == '/')
                return path;
        }
    }
    return (struct str){0};
}

/* "[4, 1]" of lines that are "torch.Size([4, 1])" each. */
static struct str shape_printed(struct str text)
{
    struct str line, found = {0}, inner;
    size_t n = 0;

    while (str_next_line(&text, &line)) {
        line = str_trim(line);
        if (!str_consume(&line, STR("torch.Size(")) || !str_ends(line, STR("])")))
            continue;
        inner = str_drop(line, 1);
        if (n++ && !str_eq(inner, found))
            return (struct str){0};
        found = inner;
    }
    return n > 1 ? found : (struct str){0};
}

/* "warning" of `logger.warning("x")`, where no other method is called. */
static struct str method_of_logger(struct str text)
{
    static const struct str object = STR_INIT("logger.");
    struct str found = {0};

    for (ptrdiff_t at; (at = str_find(text, object)) >= 0;) {
        struct str method;

        text = str_skip(text, (size_t)at + object.n);
        method = str_word(text);
        if (method.n == 0 || !str_starts(str_skip(text, method.n), STR("(")))
            continue;
        if (found.n && !str_eq(found, method))
            return (struct str){0};
        found = method;
    }
    return found;
}

/* "y = x.relu_()", the first such line; of a long one, or one that cannot be quoted, the word alone: ".relu_(". */
static struct str code_in_place(struct str text)
{
    enum { QUOTED_MAX = 80 };
    struct str line, words = STR(IN_PLACE), word;

    while (str_next_line(&text, &line)) {
        line = str_trim(line);
        if (str_starts(line, STR("#")) || !str_has_any_line(line, STR(IN_PLACE)))
            continue;
        if (line.n <= QUOTED_MAX && str_chr(line, '`') < 0)
            return line;
        while (str_next_line(&words, &word))
            if (str_has(line, word))
                return word;
    }
    return (struct str){0};
}

/* "gold" of "raised exception ValueError([ConstantVariable(str: 'no such till: gold')])". */
static struct str word_of_exception(struct str text)
{
    static const struct str lead = STR_INIT("raised exception ");
    ptrdiff_t at = str_find(text, lead);
    struct str line = str_first_line(str_skip(text, at < 0 ? text.n : (size_t)at + lead.n)), words = str_trim(line);
    size_t begin;

    words = str_drop_any(words, "])\"'.`");
    begin = words.n;
    while (begin && (str_is_word_char(words.p[begin - 1]) || words.p[begin - 1] == '-'))
        begin--;
    words = str_skip(words, begin);
    return begin && words.n > 1 && !str_is_digit(words.p[0]) ? words : (struct str){0};
}

/* `till="gold"` of a sentence or of code, where the value is what an exception of the traced program ends with. */
static struct str option_of_exception(struct str text)
{
    enum { VALUE_MAX = 40 };
    struct str value = word_of_exception(text), rest = text;

    if (value.n == 0 || value.n > VALUE_MAX)
        return (struct str){0};
    for (ptrdiff_t at; (at = str_find(rest, value)) >= 0; rest = str_skip(rest, (size_t)at + value.n)) {
        struct str before = str_take(rest, (size_t)at), behind = str_skip(rest, (size_t)at + value.n);
        size_t end = before.n, begin;

        if (end < 3 || before.p[end - 2] != '=' || !strchr("\"'", before.p[end - 1]) || behind.n == 0 ||
            behind.p[0] != before.p[end - 1])
            continue;
        begin = end - 2;
        while (begin && str_is_word_char(before.p[begin - 1]))
            begin--;
        if (begin < end - 2)
            return str_range(before.p + begin, behind.p + 1);
    }
    return (struct str){0};
}

/* "base_precision bf16", "--dtype bfloat16", "torch_dtype=torch.bfloat16". */
static struct str setting_of_bfloat16(struct str text)
{
    static const struct str names[] = {STR_INIT("precision"), STR_INIT("dtype")},
                            values[] = {STR_INIT("bf16"), STR_INIT("bfloat16"), STR_INIT("torch.bfloat16"),
                                        STR_INIT("\"bf16\""), STR_INIT("\"bfloat16\""), STR_INIT("'bf16'"),
                                        STR_INIT("'bfloat16'")};

    struct str line;

    while (str_next_line(&text, &line)) {
        for (size_t i = 0; i < 2; i++) {
            ptrdiff_t at = str_has(line, STR("ensor(")) ? -1 : str_find(line, names[i]); /* no tensor that is printed */
            struct str behind = str_skip(line, at < 0 ? line.n : (size_t)at + names[i].n), value;
            size_t begin = at < 0 ? 0 : (size_t)at, n = 0;

            while (begin && (str_is_word_char(line.p[begin - 1]) || line.p[begin - 1] == '-'))
                begin--;
            value = str_skip_any(behind, " =:");
            while (n < value.n && !strchr(" \t\r,;)`]}", value.p[n]))
                n++;
            value = str_take(value, n);
            if (value.p > behind.p && STR_IS_ANY(value, values))
                return str_range(line.p + begin, value.p + n);
        }
    }
    return (struct str){0};
}

static void add_if(struct stated *out, enum stated_fact fact, bool stated)
{
    if (stated)
        stated_add(out, fact);
}

/* "/opt/envs/pytorch-nightly/lib/python3.12/site-packages/torch/_dynamo/...": one word, of PyTorch's own file. */
static bool is_in_nightly(struct str text)
{
    static const struct str name = STR_INIT("nightly"), torch = STR_INIT("torch");

    for (ptrdiff_t at; (at = str_find(text, name)) >= 0;) {
        size_t n = 0;
        struct str path;

        text = str_skip(text, (size_t)at + name.n);
        while (n < text.n && !strchr(" \t\r\n\"'`", text.p[n]))
            n++;
        path = str_take(text, n);
        at = str_find(path, STR("site-packages"));
        path = str_skip(path, at < 0 ? path.n : (size_t)at + sizeof "site-packages" - 1);
        if (path.n && (path.p[0] == '/' || path.p[0] == '\\') && str_starts(str_skip(path, 1), torch))
            return true;
        text = str_skip(text, n);
    }
    return false;
}

/* "2.2.0.dev20231201+cu121" */
static bool is_nightly(struct str text, struct str version)
{
    for (ptrdiff_t at; version.n && (at = str_find(text, version)) >= 0;) {
        text = str_skip(text, (size_t)at + version.n);
        if (str_starts(text, STR(".dev20")))
            return true;
    }
    return false;
}

static void add_prose(const struct prose *prose, struct stated *out)
{
    add_if(out, STATED_EAGER_WORKS, prose->eager_works);
    add_if(out, STATED_FLOAT32_WORKS, prose->float32_works);
    add_if(out, STATED_ONE_PLACE, prose->one_place);
    add_if(out, STATED_MEMORY_GROWS, prose->complaints[COMPLAINT_MEMORY].n > 0);
    add_if(out, STATED_WRONG_IN_DYNAMO, prose->wrong[BACKEND_EAGER]);
    add_if(out, STATED_WRONG_IN_AOT, !prose->wrong[BACKEND_EAGER] && prose->wrong[BACKEND_AOT_EAGER]);
    add_if(out, STATED_RIGHT_IN_AOT, !prose->wrong[BACKEND_EAGER] && prose->right[BACKEND_AOT_EAGER]);
    add_if(out, STATED_STAGE, prose->right[BACKEND_EAGER] || prose->right[BACKEND_AOT_EAGER]);
    add_if(out, STATED_CONCURRENT, prose->concurrent && prose->sequential_works);
    out->trial = prose->trial;
}

static const char of_cuda[] = "cuda:\ncuda'\ncuda\"\n.cuda()\nCUDA available: True\nNVIDIA\nnvidia\nGeForce\nRTX \n"
                              "+cu1\ngfx9\ngfx1\n+rocm";
static const char of_cpu[] = "+cpu\nCUDA available: False\non cpu\non CPU\non the CPU\ndevice='cpu'\ndevice=\"cpu\"";
static const char of_others[] = "'mps'\n\"mps\"\nmps:0\non MPS\nMPS backend\n'xpu'\n\"xpu\"\nxpu:0\non XPU\nApple M";

static void add_devices(struct str text, struct stated *out)
{
    bool cuda = str_has_any_line(text, str_of(of_cuda)), others = str_has_any_line(text, str_of(of_others)),
         cpu = str_has_any_line(text, str_of(of_cpu));

    add_if(out, STATED_NO_TF32, !cuda && (others || cpu));
    add_if(out, STATED_NO_GPU, !cuda && !others && cpu);
}

/* torch/cuda/__init__.py: a warning of two lines, which begins with the GPU's name. */
static void add_kinds_of_gpu(struct str text, struct stated *out)
{
    static const struct str first = STR_INIT(" with CUDA capability sm_"),
                            second = STR_INIT("PyTorch install supports CUDA capabilities ");
    ptrdiff_t at = str_find(text, first), built;

    if (at < 0)
        return;
    text = str_skip(text, (size_t)at + first.n - 3);
    built = str_find(text, second);
    if (built < 0)
        return;
    out->gpu_kind = str_word(text);
    out->built_kinds = str_drop_any(str_trim(str_first_line(str_skip(text, (size_t)built + second.n))), ".");
}

void stated_find(struct str text, const struct prose *prose, struct stated *out)
{
    *out = (struct stated){.pytorch = version_stated(text),
                           .newest = version_newest(text),
                           .shape = shape_printed(text),
                           .logged = method_of_logger(text),
                           .in_place = code_in_place(text),
                           .refused = option_of_exception(text),
                           .bfloat16 = setting_of_bfloat16(text),
                           .cache = cache_of_vllm(text),
                           .option = option_of_sizes(text),
                           .inductor_cache = cache_of_inductor(text),
                           .unreached = socket_unreached(text),
                           .rocm = root_of_rocm(text)};
    add_kinds_of_gpu(text, out);
    regression_find(text, out);
    stated_add(out, STATED_READ);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        add_if(out, facts[i].fact, str_has_any_line(text, str_of(facts[i].words)));
    add_if(out, STATED_NIGHTLY, is_nightly(text, out->pytorch) || is_in_nightly(text));
    conditions_find(text, out);
    program_find(text, out);
    add_devices(text, out);
    add_prose(prose, out);
    add_if(out, STATED_SMALL_IN_INDUCTOR, stated_has(out, STATED_RIGHT_IN_AOT) && program_few_lines(text));
    tried_find(text, out);
    variant_find(text, out);
}
