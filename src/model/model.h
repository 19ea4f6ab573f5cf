/*
 * model: what the compiler did, as plain data. Readers (src/trace, src/torchlog) fill it; analyses and views use it.
 * Nothing in it parses or prints.
 *
 *   run ─ inputs ─ processes ─┬─ compiles ─ attempts, artifacts, graph breaks, recompile reasons, failures, metrics,
 *                             │             symbols, tensors, cache events
 *                             ├─ frames    (the code objects; a frame has the compiles [N/0], [N/1], …)
 *                             └─ events    (the timeline)
 *
 * Identity is scoped: interned names, compile ids and times belong to one process of one rank. All of it lives in the
 * arena of its input ("rank lifetime"), which belongs to the thread that reads the input, then to run_finish, and is
 * read-only afterwards.
 */
#pragma once

#include "input/debug_file.h"
#include "input/source.h"
#include "model/artifact_info.h"
#include "model/compile_id.h"
#include "model/experiment.h"
#include "model/flight.h"
#include "model/gpu.h"
#include "model/metrics.h"
#include "model/payload.h"
#include "model/redaction.h"
#include "model/stack.h"
#include "model/string_table.h"
#include "util/message.h"

struct process;
struct compile;
struct run;

enum { RANK_UNKNOWN = -1 };

/* --- what belongs to a compile ------------------------------------------------------------------------------------ */

/* A range of bytes in a source: the line of one record. */
struct span {
    uint64_t offset;
    uint64_t length;
};

/* A call of a collective in a graph or in generated code. */
struct collective_call {
    struct str op;           /* "all_reduce", without a trailing "_" and ".default"; "wait_tensor" counts, too */
    struct str reduction;    /* "sum"; empty if the op has none */
    struct str group;        /* name of the process group; empty for wait_tensor */
    uint64_t group_size;     /* for ops that have it (all_gather, reduce_scatter); else 0 */
    struct str dtype, shape; /* of the result: "f32", "[2, 8]"; empty if the text does not say, as in code */
    struct str file;         /* the user's line that makes the call, see text/graphs/collective_place.h; may be empty */
    /* from_line: 0, or the call is somewhere between there and `line`; if both are equal, there or after */
    int64_t line, from_line;
};

/* What rank comparison needs from a text: for digests, which do not contain the text. */
struct artifact_content {
    struct digest neutral;             /* of the text without the parts that differ on every rank ... */
    struct digest without_sizes;       /* ... and without tensor sizes */
    VEC(struct collective_call) calls; /* including waits */
    struct str text;                   /* the whole text, for short lists that give the order in which things ran */
    int64_t estimated_ns;              /* Inductor's estimate of the graph's run time; -1 unknown */
};

/* A graph, a piece of generated code, a table, a configuration: anything that the compiler wrote under a name. */
struct artifact {
    const struct input *input;         /* the input with its payload: the log of a process may complete its trace */
    struct str name;                   /* the artifact's own name, or else the record's kind; interned */
    const struct artifact_info *info;  /* what the name means; NULL if it is not in the catalog */
    struct str kind;                   /* kind of the record; interned */
    struct str detail;                 /* the name of a submodule, a file name, or a link's address; may be empty */
    struct str subgraph;               /* for regional compilation; may be empty */
    struct compile *compile;           /* never NULL: a record without an id belongs to the process's `unattributed` */
    int attempt;                       /* -1 if the record has none */
    bool backward;                     /* written while the backward graph was compiled, according to the timeline */
    uint32_t number;                   /* from 0, in the order of the input: a stable anchor within the input */
    uint64_t line;                     /* of the record */
    int64_t time_us;                   /* time of the record, comparable within one process; 0 unknown */
    struct span record;
    struct payload payload;
    const struct artifact_content *content; /* NULL: the payload must be read */
};

enum break_origin {
    BREAK_FROM_RECORD,  /* a dynamo_graph_break_reason artifact */
    BREAK_FROM_RESTART, /* only a restart reason in the metrics shows it (2.5 and earlier) */
    BREAK_FROM_FAILURE, /* only the exception that ended the compile shows it (2.5 and earlier) */
    BREAK_FROM_EXPLAIN, /* printed by torch._dynamo.explain() */
    BREAK_FROM_RESUME,  /* only a resume function shows it (2.4 and earlier have nothing else) */
};

/* Of a graph break that Python's `warnings` printed. */
enum { ATTEMPT_WARNED = -1 };

/* A place where Dynamo stopped a graph, in one compile. */
struct graph_break {
    struct compile *compile;
    int attempt;
    enum break_origin origin;
    struct str type;        /* the first line of the message: the registry's Gb_type from 2.8 on */
    struct str gb_id;       /* "GB0025", from the link in the message or by the type; may be empty */
    struct str reason;      /* the whole message */
    struct str explanation;
    struct str context;     /* "Developer debug context" */
    struct str url;
    VEC(struct str) hints;
    const struct call *stack; /* user code, innermost; may be NULL */
    struct str file;          /* the place that the message names */
    int64_t line;
    struct str function;
    bool restarted;           /* the analysis was restarted because of it */
    bool skips;               /* its message says that the whole function runs eagerly */
    uint64_t counted;         /* how often a list that was printed counts it; 0 if it does not count */
    const struct artifact *artifact; /* the record's payload; NULL for other origins */
    uint64_t record_line;
};

/* Why an earlier compile could not be used: a guard of `against` failed. */
struct recompile_reason {
    struct str against;    /* "0/0"; empty if the text does not say */
    struct str text;       /* the failed guard, in PyTorch's words */
    struct str user_stack; /* the text's part under "User stack trace:"; may be empty */
};

/* Behind the numbers, of a graph whose other parts are CUDA graphs. */
#define GRAPH_PARTS_LEFT_OUT " parts of the graph without CUDA graphs"

/* Why a graph, or part of one, runs without CUDA graphs. */
struct cudagraph_skip {
    struct str reason;        /* "cpu device (arg0_1)", "cpu ops", "2 of 4 parts of the graph without CUDA graphs" */
    const struct call *stack; /* user code; may be NULL */
    uint64_t record_line;
};

enum failure_where {
    FAILED_FORWARD,
    FAILED_BACKWARD,
    FAILED_RUNTIME, /* compiled code, or the process */
    FAILED_PROGRAM, /* the program itself, which it ended */
    FAILED_PLACES
};

/* The part of PyTorch that raised the exception, by its stack. Each part is called by the ones before it. */
enum failure_part {
    FAILED_IN_UNKNOWN,
    FAILED_IN_DYNAMO,
    FAILED_IN_AOTAUTOGRAD,
    FAILED_IN_INDUCTOR,
    FAILED_IN_MINIFIER, /* which reruns parts of a graph that failed before */
    FAILED_IN_TRITON,   /* Triton's compiler */
    FAILED_PARTS
};

/* An exception that ended a compile, or part of one. */
struct failure {
    struct compile *compile;
    enum failure_where where;
    enum failure_part part;
    int attempt;
    struct str type;      /* "BackendCompilerFailed" */
    struct str message;
    /* what other text says about it: the linker's line, the condition of an assertion; may be empty */
    struct str beside;
    struct str file; /* in the user's code, if the trace has it */
    int64_t line;
    const struct call *stack; /* user code; may be NULL */
    const struct call *caller; /* the program's line that called what the stack shows, of a console; may be NULL */
    /* what raised it: a lowering, pass or backend of the program, or a package's function; may be NULL */
    const struct call *own_code;
    /* the call of PyTorch's compiler in which it was raised, by the traceback: alone; may be NULL */
    const struct call *raised_in;
    const struct artifact *traceback; /* the whole Python traceback; may be NULL */
    /* the program did not see it: because of a graph break or the recompile limit, Dynamo ran the frame eagerly */
    bool fallback;
    bool shown;           /* the program's output mentions it */
    bool passed_on;       /* ... under its own name, not as InternalTorchDynamoError */
    bool incomplete;      /* the text shows that calls are left out of its stack */
    bool incomplete_below; /* ... below the last call that it shows of what was compiled */
    bool exporting;       /* raised in torch.export: there is no torch.compile that could be removed */
    bool suppressed;      /* it was printed, and the program goes on: with suppress_errors, the frame runs eagerly */
    uint64_t of_pid;      /* the process that it is about, if it is another one (torchrun's table); 0: none */
    uint64_t record_line;
};

enum cache_layer { CACHE_PGO, CACHE_PRECOMPILE, CACHE_AOTAUTOGRAD, CACHE_FX_GRAPH, CACHE_TRITON, CACHE_LAYERS };
enum cache_outcome { CACHE_HIT, CACHE_MISS, CACHE_BYPASS, CACHE_OUTCOMES };

struct cache_event {
    struct compile *compile;
    enum cache_layer layer;
    enum cache_outcome outcome;
    struct str key;
    struct str reason;               /* of a bypass, or the kind of miss */
    int64_t saved_us;                /* time that a hit saved; -1 unknown */
    const struct artifact *artifact; /* its payload lists the components of the key; may be NULL */
};

/* A symbolic size: backed (created from an input) or unbacked (from data). */
struct symbol {
    struct str name;     /* s77, u0 */
    struct str source;   /* L['x'].size()[0] */
    struct str hint;     /* the example value */
    struct str range;    /* "[2, int_oo]" */
    bool unbacked;
    const struct call *user_stack, *stack;
    struct str specialized_to, specialized_reason; /* set if a specialization of the same compile names the symbol */
    const struct call *specialized_at;
};

struct specialization {
    struct str symbol, source, value, reason;
    size_t symbols_before; /* number of the compile's symbols at that time: later ones belong to another attempt */
    const struct call *user_stack, *stack;
};

/* A guard on shapes, and the code that caused it. */
struct shape_guard {
    struct str expr;
    struct str prefix; /* "eval", "runtime_assert", … ; empty in the short form */
    const struct call *user_stack, *stack;
};

/* The problems that torch.export's draft mode records: why an export would be unsound. */
enum export_issue_kind {
    EXPORT_MISSING_FAKE_KERNEL,
    EXPORT_MISMATCHED_FAKE_KERNEL,
    EXPORT_DATA_DEPENDENT,
    EXPORT_PROPAGATED,
    EXPORT_GUARD /* the example inputs decided a condition on sizes */
};

/* A variable of the code that asked for the condition. */
struct export_local {
    struct str name, value;
};

/*
 * How an expression was computed: depth 0 is the expression itself, followed by the parts it is made of, one level
 * deeper.
 */
struct expression_step {
    uint32_t depth;
    struct str method;    /* "gt"; empty for a symbol that stands for data */
    struct str arguments; /* "u2, 2" */
    struct str result;    /* "u2 > 2" */
    const struct call *user_stack;
};

struct export_issue {
    enum export_issue_kind kind;
    struct str op;      /* for the two kinds about fake kernels */
    struct str text;    /* the reason or the expression */
    struct str result;  /* the value that was assumed; may be empty */
    struct str symbols; /* what its symbols stand for: "s97 = L['a'].size()[0]"; may be empty */
    VEC(struct export_local) locals;
    VEC(struct expression_step) steps;
    const struct call *user_stack, *stack;
};

struct storage {
    int64_t describer, id;
    struct str size; /* bytes, or an expression */
};

/* A tensor that the compiler saw: a graph input or a tensor it is made of, joined with its source. */
struct tensor {
    int64_t describer, id;
    struct str dtype, device, shape, stride; /* "torch.float32", "cpu", "[8, s0]" */
    struct str source;                       /* L['x']; empty if it has no source */
    struct str storage_size;
    int64_t storage; /* -1 if there is none */
    bool requires_grad, is_parameter, is_view, is_leaf;
};

struct link {
    struct str name, url; /* as recorded, unchecked */
};

enum compile_status { STATUS_OK, STATUS_GRAPH_BREAK, STATUS_ERROR, STATUS_EMPTY, STATUS_INCOMPLETE, STATUS_COUNT };
const char *compile_status_name(enum compile_status s); /* as in report.json */

/*
 * The events that mark the beginning of a compile, in the order of torch/_dynamo/convert_frame.py. None occurs twice,
 * and none after a later one, except for the reasons, which come before or after the event. Any of them may be
 * missing: events came with 2.5, attempts with 2.8, and torch.export has only the attempt.
 */
enum start {
    START_NONE,
    START_REASONS, /* the reasons to compile again */
    START_EVENT,   /* the outermost event of the timeline begins */
    START_RECORD,  /* dynamo_start */
    START_ATTEMPT, /* the first attempt begins */
    START_NEW_EPOCH,    /* not part of the order: the record can only belong to a compile of a new epoch */
};

struct frame {
    struct process *process;
    uint32_t epoch;
    int32_t id; /* the N of [N/M]; ID_NONE for captures of compiled autograd */
    int32_t autograd;
    struct str name, file;
    int64_t line;
    struct str label, group;  /* from labels; may be empty */
    bool unnumbered;          /* a log of 2.3 has no id, so the number is our own */
    bool is_resume;           /* torch_dynamo_resume_in_F_at_L */
    struct str resumes;       /* F */
    int64_t resumes_line;     /* L */
    const struct frame
        /*
         * for a resume function: the frame of F, if it was compiled, too; else the frame itself. 2.5 and earlier only
         */
        *origin;
    VEC(struct compile *) compiles;
};

/*
 * The function F in the name "torch_dynamo_resume_in_F_at_L" (torch/_dynamo/resume_execution.py), a view of the name;
 * for any other name, the name itself.
 */
struct str resumed_function(struct str name);
/* Sets is_resume and the members below it from the name. */
void frame_note_resume(struct frame *f);

struct compile {
    struct process *process;
    struct frame *frame;      /* NULL only for `unattributed` */
    struct compile_id id;
    uint32_t epoch;
    uint32_t index;           /* in process->compiles */
    enum compile_status status;
    int attempts;             /* at least 1 */
    enum start start;         /* the last beginning that was seen */
    bool started;             /* dynamo_start was seen */
    bool ended;               /* its forward metrics, its guards, or the end of its capture was seen */
    bool guards_seen;
    uint32_t guards_listed;   /* checks in a log: of its flat list (2.3 and earlier), or leaves of its tree */
    bool has_events;          /* in the timeline */
    bool backward;            /* it has a backward graph */
    bool limit_hit;           /* refused because of the recompile limit */
    struct str limit_reported; /* ... the first line of a log's message about it; may be empty */
    int64_t first_us, last_us; /* local times of its records, see process */
    /* of dynamo_start, with the frame's own call innermost (2.3: its caller's); may be NULL */
    const struct call *stack;
    VEC(const struct call *) stacks; /* for `unattributed`: the stacks of its records, each once */
    /* the compile during whose frame it was compiled separately; 2.3 only, else NULL */
    struct compile *within;
    VEC(struct artifact *) artifacts;
    VEC(struct graph_break *) breaks;
    VEC(struct recompile_reason) reasons;
    VEC(struct str) restart_reasons; /* from the metrics: a set, without order; from a log: in order */
    VEC(struct cudagraph_skip) cudagraph_skips;
    VEC(struct failure *) failures;
    VEC(struct cache_event) cache_events;
    VEC(struct symbol) symbols;
    VEC(struct specialization) specializations;
    VEC(struct shape_guard) shape_guards;
    VEC(struct export_issue) export_issues;
    VEC(struct tensor) tensors;
    VEC(struct storage) storages;
    VEC(struct link) links;
    VEC(struct metrics *) metrics;
    VEC(uint64_t) aot_ids;                               /* of its graphs, if a log has them */
    const struct metrics *newest_metrics[METRICS_KINDS]; /* one for each kind; NULL if there are none */
    uint64_t expressions;                                /* number of expression_created records */
};

/* The newest of that kind, or NULL. */
const struct metrics *compile_metrics(const struct compile *c, enum metrics_kind kind);
/* The number of its guards, by its metrics or its log; -1 if neither has it. */
int64_t compile_guards(const struct compile *c);
/*
 * Whether it is a recompile: [N/M] with M > 0, unless its metrics say that no earlier compile could have served it,
 * because the cache it was looked up in was empty (cache_size, torch/_dynamo/cache_size.py). The cache is empty for
 * the first compile of each torch.compile(..., isolate_recompiles=True), for each module while modules are guarded by
 * identity, and if earlier compiles failed.
 */
bool compile_is_recompile(const struct compile *c);
/*
 * When the work began (µs since 1970, UTC) and how long it took (wall time, at least 0). For a compile, by its forward
 * metrics, or else by its records. False if unknown.
 */
bool metrics_interval(const struct metrics *m, int64_t *start_us, int64_t *duration_us);
bool compile_interval(const struct compile *c, int64_t *start_us, int64_t *duration_us);
/* Only the duration; -1 if it is unknown. */
int64_t compile_duration(const struct compile *c);
/* The frame; NULL if it is a function of PyTorch or of Python's library. */
const struct frame *compile_own_frame(const struct compile *c);
/* The last graph that Dynamo recorded for the compile, or NULL. */
const struct artifact *compile_dynamo_graph(const struct compile *c);

/* --- processes, inputs, the run ----------------------------------------------------------------------------------- */

enum event_flags {
    EVENT_INSTANT = 1,
    EVENT_UNFINISHED = 2, /* no end was recorded: it ends with its parent */
    EVENT_ORPHAN = 4,     /* an end without a beginning: it begins where it ends */
};

/* One interval (or instant) of the timeline. After run_finish, sorted by start, parents before children. */
struct event {
    struct str name;        /* interned */
    int64_t start_ns, duration_ns; /* since 1970, UTC */
    struct compile *compile; /* may be NULL */
    uint32_t depth;
    uint8_t flags;
    uint8_t payload_flags; /* flags of the payloads, see payload.h */
    uint32_t stream;
    struct span begin, end; /* the payloads in the source; length 0 if there is none */
};

static inline int64_t event_end_ns(const struct event *e)
{
    return e->start_ns + e->duration_ns;
}

/* One of the event's payloads, for payload_read. */
struct payload event_payload(const struct event *e, struct span where);

struct versions {
    struct str pytorch, commit, python, triton, cuda, gpu; /* gpu: "NVIDIA H100 : 8", the model and the number */
};

/* 2013 for "2.13.0+cpu" and "2.13.0.dev20260101": major * 1000 + minor. 0 if the text is not a version. */
unsigned pytorch_version(struct str version);

/* How long the calls of one function took, from the table of torch._dynamo.utils.compile_times(). */
struct call_times {
    struct str name;       /* interned */
    VEC(int64_t) each_ns;  /* one for each call, or their sum */
};

/* A line that vLLM or SGLang prints while it starts. */
enum start_line_kind {
    START_LINE_CACHE,  /* the directory of its cache of compiled code; all other lines have a time */
    START_LINE_DYNAMO,
    START_LINE_GRAPH,  /* compiled */
    START_LINE_LOADED, /* a graph from the cache */
    START_LINE_TOTAL,  /* of compiling: all of the above */
    START_LINE_ENGINE, /* everything up to the first request */
    START_LINE_CAPTURED,  /* SGLang's CUDA graphs, with what it compiles for them */
    START_LINE_CAPTURING, /* the same while it goes on: the time of one size */
    START_LINE_KINDS
};

struct start_line {
    enum start_line_kind kind;
    struct str directory; /* interned; of START_LINE_CACHE */
    int64_t ns;           /* -1 none */
    int64_t clock_s;      /* of its prefix, which has no year: since the year began; -1 unknown */
    uint64_t done, all;   /* of START_LINE_CAPTURING: sizes */
};

struct process {
    struct input *input;
    struct run *run;
    uint32_t index;      /* the index in run->processes, which is stable enough for anchors */
    uint32_t group;      /* the run of the job that it belongs to: 0, 1, … by time */
    int rank;            /* RANK_UNKNOWN if the trace does not say */
    uint64_t world_size; /* 0 unknown; only read if ranks occur twice, see load/world_size.h */
    bool rank_is_shared; /* another process of the run has the same rank, so the rank does not identify it */
    uint64_t pid;        /* 0 if unknown */
    bool pid_is_thread;  /* 2.4 and earlier log a thread id instead */
    /* for a log or file: the process of another input that it completes; NULL: it stands alone */
    struct process *joined;
    const struct process *parent; /* the process whose strings it shares after a fork; may be NULL */
    struct versions versions;
    /* PyTorch's version in the form of pytorch_version, see text/versions/version_places.h; 0 unknown */
    uint32_t version_by_places;
    int64_t first_us, last_us; /* times of its records: local wall-clock time in µs since 1970 as if it were UTC */
    int64_t zone_us;      /* local time minus UTC, valid when zone_known */
    bool zone_known;
    uint32_t epochs;      /* at least 1 */
    struct string_table strings; /* from its `str` records */
    bool build_seen;             /* a record with the versions was seen; later ones are not read */
    bool guards_logged;          /* for a log: it has the guards of some compile, so missing guards mean something */
    bool only_warned;            /* for a log: it has only warnings, which mention few compiles */
    bool strings_missing;        /* it uses entries that it does not have: a forked process */
    VEC(struct frame *) frames;
    VEC(struct compile *) compiles;
    VEC(struct event) events;
    struct compile *unattributed; /* holds records without a compile id */
    uint64_t explained_graphs;    /* number of graphs in the output of torch._dynamo.explain() */
    uint64_t explained_breaks;    /* graph breaks that it counts, or CompileProfiler; it may list fewer */
    VEC(struct call_times) times; /* the last table; durations include nested calls */
    struct map times_by_name;     /* name -> index in times, plus 1 */
    VEC(struct start_line) start_lines; /* in the order in which they were printed */
    VEC(struct flight_dump *) flights; /* dumps of its Flight Recorder; for each backend, the newest comes last */
    uint64_t records;
};

enum input_kind {
    INPUT_TORCH_TRACE,
    INPUT_TORCH_LOGS,
    INPUT_COMPILE_DEBUG,
    INPUT_GPU_ACTIVITY, /* of libpt2trace_gpu.so */
    INPUT_KINETO,       /* of torch.profiler */
    INPUT_NSYS,         /* Nsight Systems, exported to SQLite */
    INPUT_FLIGHT,       /* a dump of a Flight Recorder */
    INPUT_EXPERIMENT,   /* run.json of `pt2trace run` */
    INPUT_OTHER
};
/*
 * A local time of a process in UTC. The machines of a job may be set to different zones, and between two runs the
 * clocks may have been set back an hour. A process whose zone is unknown (2.4 and earlier) is assumed to share the
 * zone of the others.
 */
int64_t process_utc(const struct process *p, int64_t local_us);
/* When it began, in UTC. */
int64_t process_start_utc(const struct process *p);
/* Whether both processes were running at the same time, as far as their records show. */
bool process_overlaps(const struct process *a, const struct process *b);

/* The type of the failure by which a text is shown in which nothing failed: it only says something of the compiler. */
#define NOTE_TYPE "Note"
/* The type of a line that PyTorch logged as an error, and of which nothing else is known. */
#define LOGGED_ERROR_TYPE "LoggedError"
#define COLLECTIVE_TIMEOUT_TYPE "Collective timeout"
#define STUCK_WATCHDOG_TYPE "Stuck watchdog"

bool process_is_note(const struct process *p);

const char *input_kind_name(enum input_kind k);

struct totals {
    uint64_t records, unknown_records, payloads, payload_bytes, bad_payloads, strings, chromium_events;
};

/*
 * What a pasted text says around its error, in prose, paths and code. Advice that contradicts it, or that is about
 * something that does not occur in it, is not given. text/stated/stated_text.h finds it.
 */
enum stated_fact {
    STATED_READ, /* the text was searched: what is not among the facts does not occur in it */
    STATED_LINUX,
    STATED_MACOS,
    STATED_WINDOWS,
    STATED_AMD, /* a GPU of AMD, or ROCm */
    STATED_OTHER_ACCELERATOR, /* a device of Intel (XPU), Huawei (NPU) or Gaudi (HPU), and none of CUDA */
    STATED_FLOAT64, /* tensors of float64 */
    STATED_LOW_PRECISION, /* tensors of 16 bits or less */
    STATED_EAGER_WORKS, /* the writer says that the same works without the compiler */
    STATED_CUDA_GRAPHS, /* the mode that uses them */
    STATED_AUTOTUNE, /* the mode max-autotune */
    STATED_FLEX_ATTENTION,
    STATED_VLLM,
    STATED_SGLANG,
    STATED_CL_32_BIT, /* the banner of Visual Studio's compiler, which names what it compiles for */
    STATED_MINIFYING, /* the minifier is asked for, by its variables */
    STATED_ONNX,
    STATED_MINIFIED, /* PyTorch's minifier ran */
    STATED_COMFYUI,
    STATED_ORIG_MOD, /* a name of a parameter of a compiled module */
    STATED_PROCESSES, /* the program starts others, one of which may have failed */
    STATED_DYNAMO, /* torch.compile, or what belongs to it */
    STATED_OTHER_ENTRY, /* a way into the compiler that does not trace Python: AOTInductor, Helion, ... */
    STATED_CONDA,
    STATED_NOTEBOOK,
    STATED_ACCELERATE,
    STATED_LIGHTNING,
    STATED_NNUNET,
    STATED_MOSHI,
    STATED_EAGER_DIFFERS, /* two runs in eager mode differ (benchmarks/dynamo/common.py) */
    STATED_DYNAMIC, /* dynamic shapes are asked for, or were tried */
    STATED_NOT_MINIFIED, /* the minifier does not see what it was to make smaller */
    STATED_FLOAT16,
    STATED_TORCHAO,
    STATED_RANKS, /* several processes compute together */
    STATED_XDIST, /* pytest-xdist, whose workers are processes */
    STATED_FLOAT32_WORKS, /* the writer says that the results agree in float32 */
    STATED_MEMORY_GROWS, /* the writer says so */
    STATED_TF32, /* products of float32 are computed in TF32 */
    STATED_NO_GPU, /* the program runs on the CPU alone */
    STATED_NO_TF32, /* it runs there, or on a GPU that has no TF32, of Apple or Intel */
    STATED_CONVOLUTION, /* a convolution, or its memory layout */
    STATED_ASKS_BFLOAT16, /* the program asks PyTorch whether the GPU has it */
    STATED_DEBUGGER, /* the program ran under a debugger */
    STATED_LIMIT_RAISED, /* an exception of the recompile limit is named */
    STATED_CONCURRENT, /* the writer says that calls at the same time fail, and single ones work */
    STATED_COMPILER, /* torch.compile, or a part of the compiler, wherever in the text */
    STATED_BLOCKING, /* kernels were launched one by one: the place of an error is exact */
    STATED_LOADED, /* vLLM read compiled code from its cache */
    STATED_RECOMPILES, /* TORCH_LOGS=recompiles was set */
    STATED_DYNAMIC_FAILS, /* a backward could not be compiled for dynamic shapes */
    STATED_FOLDED_NORM, /* evaluated without gradients, compiled code with a batch norm has old weights until a reset */
    STATED_PARTS, /* a loop compiles modules of a model, each on its own */
    STATED_CUT, /* somebody took lines out of the log */
    STATED_FOLDED, /* a line stands for those of several workers */
    STATED_ONE_PLACE, /* stacks of several ranks stand at one line */
    STATED_COMPILED_FIRST, /* torch.compile stands before deepspeed.initialize */
    STATED_FLOAT8,
    STATED_WITH_STACK, /* torch.profiler records stacks of Python */
    STATED_HOST_MEMORY, /* memory of the process, not of a GPU */
    STATED_NO_GRAD, /* nothing has a graph of autograd */
    STATED_DISABLE_LEAKS, /* a function is excluded, in a PyTorch that then keeps a tensor each call */
    STATED_OTHER_WEIGHT, /* under FSDP, compiled code met a parameter of another size than it was compiled for */
    STATED_FSDP_BLOCKS, /* FSDP wraps modules of the model */
    STATED_CHECKPOINT_POLICY, /* activation checkpointing with a policy of what is kept */
    STATED_RANDOM, /* random numbers, or modules that draw some */
    STATED_STAGE, /* what a backend before Inductor did */
    STATED_RIGHT_IN_AOT, /* "aot_eager" does not have the problem */
    STATED_WRONG_IN_AOT, /* "aot_eager" has it */
    STATED_WRONG_IN_DYNAMO, /* the backend "eager" has it */
    STATED_IN_PLACE, /* code of the text changes a tensor in place */
    STATED_CONSTEXPR, /* a kernel of the text has arguments that are compiled in (tl.constexpr) */
    STATED_GPU_SEEN, /* nvidia-smi works, and lists the GPU */
    STATED_OLD_DRIVER, /* NVIDIA's driver is older than the CUDA of this PyTorch */
    STATED_NEW_CUDA, /* a CUDA toolkit that knows the GPU: of 12.9 or later, for sm_110 of 13.0 */
    STATED_SPARSE, /* sparse tensors */
    STATED_NOT_INDUCTOR, /* what is compiled is only compiled by backends before Inductor */
    STATED_SKIPS_DYNAMIC_GRAPHS, /* CUDA graphs are to be left out for sizes that vary, by the setting */
    STATED_ONE_THREAD_HELPS, /* the writer says that it works with one compile thread */
    STATED_NO_GRAD_FAILS, /* ... that no_grad changes nothing */
    STATED_DDP_ALONE, /* ... that it only happens under DDP */
    STATED_NO_RECOMPILES, /* ... that nothing is compiled again */
    STATED_AOT_EAGER_SLOWEST, /* of the times that are compared, that backend's is the longest */
    STATED_TOO_OLD_FOR_FLOAT8, /* a kernel converts float8_e4m3 on a GPU that cannot */
    STATED_FUNC_GRAD, /* gradients are made by torch.func, not by a backward */
    STATED_FEW_CPUS, /* Ray gives the worker one CPU */
    STATED_LAUNCHER_LEAKS, /* a PyTorch whose Triton keeps some memory of the process at each launch */
    STATED_NO_FLEX_KERNEL, /* a backward of flex_attention for which PyTorch 2.6 has no kernel */
    STATED_INFERENCE_OF_2_0, /* a tensor of inference mode, which 2.0 cannot trace, with that version or without one */
    STATED_SYNCED_VALUES, /* Lightning combines what the ranks log */
    STATED_AOT_PACKAGE, /* AOTInductor, or what it makes */
    STATED_SIZE_OF_FLEX_BUG, /* the same, with that version or without one */
    STATED_ABI_COMPATIBLE, /* an option of AOTInductor: operators are called through the C interface */
    STATED_FUSED, /* a kernel that Inductor generates for operators that it fuses */
    STATED_DATA_ASSERTED, /* a check of sizes that depend on data cannot be traced */
    STATED_NO_FLOAT64, /* a benchmark of PyTorch has no result of float64 to compare with, and takes the cosine */
    STATED_TEMPLATE, /* a kernel of a template, of which max-autotune tries several */
    STATED_TEMPLATE_TOO_LARGE, /* one that the GPU cannot run: flex_attention's, or one of max-autotune's */
    STATED_SCALARS, /* the program lets the graph read numbers from tensors */
    STATED_GRAPHS_OF_SIZES, /* a mode that records CUDA graphs, with dynamic shapes */
    STATED_OPENMP_OF_TORCH, /* the copies of OpenMP are PyTorch's own */
    STATED_PYTHON_CACHE, /* functools.cache or lru_cache around a function */
    STATED_CACHED_METHOD, /* ... around a method, which Dynamo calls without its object */
    STATED_COMPILE_WORKERS, /* processes that compile, or a rank that still does */
    STATED_FREEZING, /* Inductor makes weights constants, by the setting */
    STATED_WRONG_IN_GRAPHS, /* modes that use CUDA graphs are wrong, others are right */
    STATED_STATIC_FAILS, /* the writer says that `dynamic=False` changes nothing */
    STATED_NO_GRAPHS_FAIL, /* ... that it is the same without CUDA graphs */
    STATED_FABRIC, /* Lightning's Fabric sets the model up */
    STATED_POWERSHELL, /* a prompt of PowerShell, or a script of it */
    STATED_BREAKS_AGAIN, /* the writer sees breaks in each layer or call: the program goes on after one */
    STATED_MANY_BREAKS, /* the writer counts ten graph breaks or more */
    STATED_DTENSOR, /* tensors that are distributed by PyTorch's tensor parallelism */
    STATED_MINIFIER_FAILED, /* the minifier was run, and no strategy found a smaller graph */
    STATED_EAGER_COMMAND, /* a command that compiles ends badly, and the text has the same one without that option */
    STATED_COMPILED_MASK, /* create_block_mask is compiled */
    STATED_STARTS, /* it is about the first calls, or the start of a program */
    STATED_WARMED_UP, /* the writer made calls before measuring */
    STATED_TWO_BACKWARDS, /* a compiled function that trains two modules calls backward() for each */
    STATED_TRAINS, /* the writer speaks of training */
    STATED_GRAPHS_OF_PARTS, /* CUDA graphs of parts of a model, each compiled on its own, overwrite results */
    STATED_WRAPPED, /* a name stands for what torch.compile makes of it: "model = torch.compile(model)" */
    STATED_SIZES_VARY, /* sizes of the inputs change, or something is compiled again for new ones */
    STATED_OWN_CHECKPOINT, /* a library's own activation checkpointing */
    STATED_SAGE, /* SageAttention, whose kernels are its own */
    STATED_BLOCKS_WORK, /* the writer says that it works where only blocks are compiled */
    STATED_UNANALYZED, /* PyTorch could not analyze a Triton kernel, and takes all its arguments for written */
    STATED_EXPORTS_TORCH, /* a module of torch.nn itself is exported, by a PyTorch that skips those */
    STATED_CAPTURE_BEGIN, /* the capture of a CUDA graph begins where it fails */
    STATED_FULLGRAPH, /* one graph is asked for */
    STATED_COMPILED_CALL, /* `torch.compile` by name, its frame, or how its messages end */
    STATED_AUTOGRAD_AROUND, /* a `with` turns compiled autograd on, and no setting does */
    STATED_CHECKPOINTED_RANDOM, /* activation checkpointing, and random numbers (dropout) */
    STATED_CUSTOM_OPERATOR, /* an operator or a backward of the program's own */
    STATED_LIMIT_HIT, /* a function was compiled too often, and runs eagerly from then on */
    STATED_SIZES_DIFFER, /* an operator refuses the sizes of its inputs */
    STATED_MAIN_GUARD, /* the script has `if __name__ == "__main__":` */
    STATED_POOL_AT_IMPORT, /* Inductor's workers are started where it is imported */
    STATED_SYMBOL_CONSTANT, /* a size that varies is among the constants of a Triton kernel */
    STATED_DISABLE_PROVEN, /* as STATED_DISABLE_LEAKS, and the writer says that memory stays without that */
    STATED_SILENT, /* the writer says that something goes wrong and nothing is raised, or the output shows it */
    STATED_RAY,
    STATED_CONTAINER, /* a container runs the program */
    STATED_TENSOR_PARALLEL, /* each rank has a part of every weight */
    STATED_VLLM_RUNS, /* vLLM runs the model, so that it compiles, too */
    STATED_NODE_COMPILES, /* a node of ComfyUI compiles, whose options are not Python */
    STATED_GRAPHS_SET, /* the program sets a mode that records CUDA graphs */
    STATED_CLOCK_WAITS, /* the program's clock waits for the GPU, or is the GPU's own */
    STATED_AUTOQUANT, /* torchao's autoquant, which times kernels itself */
    STATED_EMPTY_SHARDS, /* tensors without elements, where parameters are partitioned (ZeRO-3, FSDP) */
    STATED_NO_AUTOGRAD_HELPS, /* the writer says that it works without compiled autograd */
    STATED_FRESH_WORKS, /* ... that it works after the cache was deleted */
    STATED_LIMIT_IN_VAIN, /* the writer raised the limit of compiles, and it is slow all the same */
    STATED_CACHES_HIT, /* the compiler's counters have hits, and no misses */
    STATED_WSL, /* Linux within Windows */
    STATED_LIBOMP, /* OpenMP is installed already */
    STATED_OPENMP_OF_2_0, /* PyTorch 2.0, which does not read OMP_PREFIX, looks for OpenMP */
    STATED_OPENMP_LATER, /* a later version does, and reads it */
    STATED_UNSLOTH_FILE, /* a file that Unsloth generates */
    STATED_MODE_AUTOTUNE, /* the mode of the program is max-autotune, which also records CUDA graphs */
    STATED_MODE_RECORDS, /* a mode records CUDA graphs, and the program captures none itself */
    STATED_TOGETHER, /* max-autotune fails; reduce-overhead works, and so does max-autotune without CUDA graphs */
    STATED_FALLBACK_RANDOM, /* the program has Inductor draw the random numbers of eager mode, by the setting */
    STATED_RANDOM_ORDER, /* ... and what is before Inductor agrees, or all does without random numbers */
    STATED_DUMPED, /* NCCL's watchdog says that it writes the dumps of the Flight Recorder */
    STATED_SERVES, /* a server that answers requests, and nothing that trains */
    STATED_FRESH_FAILS, /* the writer removed the cache of compiled code, and it still fails */
    STATED_PROJECT_COMPILES, /* a framework compiles its model, and the text has no call of torch.compile */
    STATED_GENERATE_COMPILES, /* most likely `generate` of transformers is that framework */
    STATED_PIECEWISE_OPTION, /* an option of SGLang that makes it compile */
    STATED_COMPILE_OPTION, /* another one */
    STATED_DERIVED_DIM, /* an export has a dimension that is computed from another one: `2 * dim` */
    STATED_MODES_TRIED, /* modes that use CUDA graphs were tried, too */
    STATED_CHATTTS,
    STATED_MODERNBERT, /* a model of transformers that compiles parts of itself */
    STATED_EXCERPT, /* a person wrote around the lines, which may be some of many, and nothing hangs */
    STATED_SMALL_IN_INDUCTOR, /* a compiled function of few lines is shown, and "aot_eager" is right */
    STATED_DDP, /* DistributedDataParallel */
    STATED_NOT_DYNAMIC, /* torch.compile(..., dynamic=False) */
    STATED_ACCUMULATES, /* gradients of several backward passes are added up */
    STATED_OPTIONAL_ARGUMENT, /* an operator is said to change an argument that may be None */
    STATED_DYNAMO_OF_ONNX, /* an export to ONNX says which exporter it takes: `dynamo=...` */
    STATED_RACES, /* a temporary file of Triton's cache is missing, in a job of several nodes */
    STATED_PADS_LONGEST, /* texts are padded to the longest of each batch */
    STATED_NUMBERS, /* at least two rows of measured numbers */
    STATED_LEAF_WITHIN, /* a compiled function makes a tensor with `requires_grad=True`, which old versions drop */
    STATED_SMALL_PROGRAM, /* the text shows a compiled function of few lines, and how it is called */
    STATED_COMPLEX_LISTS, /* an operator on lists of tensors, and complex numbers */
    STATED_BLOCK_POINTERS, /* a setting of Inductor for Triton kernels, which is off by default, is on */
    STATED_TRITON_OF_INTEL, /* the stack has files of it */
    STATED_OWN_KERNEL, /* the program has a Triton kernel */
    STATED_LINES_OF_MLIR, /* the text has what Triton's compiler prints before its exception */
    STATED_GRAPHS_OFF_WORKS, /* the writer says that it works without CUDA graphs */
    STATED_COMPILED_AUTOGRAD, /* the backward is compiled as a whole */
    STATED_STATIC_CALL, /* the only call of torch.compile in the text has `dynamic=False` */
    STATED_DEEPSPEED_PRINTS, /* a line that DeepSpeed prints when it is imported */
    STATED_SEVERAL_GPUS, /* one graph or message has tensors of two GPUs, and none of the CPU */
    STATED_DISPATCH_MODE, /* a TorchDispatchMode, around the calls or in a library */
    STATED_SHUFFLES, /* something is put into another order at random */
    STATED_COMPILES_NEW, /* a function or a loop compiles a module that it makes there: "torch.compile(Till(n))" */
    STATED_RANKS_AGREE, /* the writer says that the watchdogs of all ranks print the same numbers */
    STATED_COLAB, /* Google Colab, whose runtimes are alike */
    STATED_NIGHTLY, /* the text's PyTorch is a nightly build, "2.2.0.dev20231201", or lies in one's folder */
    STATED_FACTS,
};

/* What the writer changed so that it works; the words are their own. */
enum variant_kind {
    VARIANT_NONE,
    VARIANT_WITH,    /* an option or a setting: "`till=False` is fine" */
    VARIANT_WITHOUT, /* one that is left out */
    VARIANT_VERSION, /* an older version of a package that is not PyTorch */
    VARIANT_CUT,     /* code that is left out: "with `def jvp` commented out it passes" */
    VARIANT_CODE,    /* other code: a function of the text, or what the sentence describes */
    VARIANTS,
};

struct stated {
    uint64_t facts[(STATED_FACTS + 63) / 64]; /* see stated_has() */
    struct str pytorch; /* PyTorch's version: "2.6.0"; empty if the text does not say, or names several */
    struct str newest;  /* the newest one that writes lines of this form; empty if all do */
    struct str trial;   /* the writer's sentence on what makes it work, or on what it needs to fail; may be empty */
    struct str worked;  /* the newest version with which it worked: "2.11.0"; empty if the text does not say */
    struct str worked_of; /* what that is a version of: "torch", "lightning", "the driver" */
    enum variant_kind variant;
    struct str variant_of;      /* the option, the older version, or the function; of other code it may be empty */
    struct str variant_package; /* of VARIANT_VERSION: "transformers" */
    struct str variant_newer;   /* of VARIANT_VERSION: the one that fails */
    struct str variant_said;    /* the sentence */
    struct str shape;   /* "[4, 1]" where that is printed several times and nothing else is; may be empty */
    struct str logged;  /* the method of a logger that the text's code calls: "warning"; empty if none, or several */
    struct str in_place; /* its first code that changes a tensor in place, a line or a word; may be empty */
    struct str bfloat16; /* the setting that asks for it: "base_precision bf16"; may be empty */
    struct str cache;   /* the directory of the compiled code that vLLM loaded; empty if the text does not say */
    struct str option;  /* of its values, compiled code has one and gets another: "num_tills"; or empty */
    struct str refused; /* `till="gold"`, where the compiler says that "gold" is refused by the program; may be empty */
    struct str inductor_cache; /* the value of TORCHINDUCTOR_CACHE_DIR; empty if the text does not say */
    struct str gpu_kind;    /* "sm_120", for which PyTorch warns that it has no code; empty if it does not */
    struct str built_kinds; /* ... and those that it has code for: "sm_80 sm_90" */
    struct str rocm; /* the directory of ROCm: "/srv/rocm" of "ROCM_PATH=/srv/rocm"; empty if the text does not say */
    struct str unreached; /* "The client socket has timed out after 60s while trying to connect to ...", of c10d */
    struct str settings; /* what the text has already, one a line: "dynamic=True"; see text/stated/settings.h */
};

static inline bool stated_has(const struct stated *s, enum stated_fact fact)
{
    return s->facts[fact / 64] >> fact % 64 & 1;
}

static inline void stated_add(struct stated *s, enum stated_fact fact)
{
    s->facts[fact / 64] |= (uint64_t)1 << fact % 64;
}

/* One file that was named or found. */
struct input {
    struct str path;
    uint32_t index;        /* in run->inputs, after run_finish */
    enum input_kind kind;
    bool used;
    bool measured;         /* source.bytes is its size */
    bool read;             /* read to its end: totals are exact */
    struct str why_not;    /* set if !used */
    bool needed;           /* named by the user, or known to be a trace: the command fails if it cannot be read */
    struct str failure;    /* an outside error that stopped the reading; empty if there was none */
    struct source source;  /* open as long as the run */
    struct arena *arena;
    struct messages messages;
    struct totals totals;
    bool digests_checked;
    int name_rank;       /* the rank in the file's name, or RANK_UNKNOWN */
    bool of_one_process; /* its path says so: torchrun --log-dir writes one such file per process */
    bool of_console;     /* its path says so: terminal output that `pt2trace run` kept */
    /* for text that `pt2trace run` kept: the process of lines without a process id; 0: unknown */
    uint64_t console_pid;
    struct debug_file file; /* for a file of a torch_compile_debug directory: what its path says */
    struct map kinds;      /* "artifact:fx_graph_runnable" -> struct kind_count, in order of appearance */
    struct stack_tree stacks;
    VEC(struct process *) processes;
    VEC(struct artifact *) artifacts; /* all artifacts, by number */
    VEC(struct gpu_process *) gpus;   /* GPU work, if the input has any */
    VEC(struct gpu_device) devices;   /* GPUs that it describes */
    VEC(struct str) stream_keys;
    struct str known_prefix;
    struct stated stated;                     /* for a pasted text; else empty */
    bool lines_timed;                         /* for a log: lines begin with a launcher's time */
    uint64_t log_lines, log_lines_understood; /* of a log */
    struct str full_path;                     /* from a digest: the absolute path that the file had */
    struct digest content;                    /* from a digest: the MD5 of all unpacked bytes that were read */
    bool of_digest;        /* read from a digest: the file itself may be elsewhere, or gone */
    struct experiment *experiment; /* of run.json; else NULL */
    struct payload_filter filter;  /* payloads are passed through it when they are read back, if it is set */
};

/* Somebody took lines out of its log: what the text lacks of a process may be among them. */
static inline bool process_is_cut(const struct process *p)
{
    return p->input && stated_has(&p->input->stated, STATED_CUT);
}

struct kind_count {
    uint64_t count;
    bool unknown;
};

static inline bool artifact_is(const struct artifact *a, enum artifact_id id)
{
    return a->info && a->info->id == id;
}

/* The first artifact of a compile that is of that row; NULL if there is none. */
const struct artifact *compile_artifact(const struct compile *c, enum artifact_id id);

/* For payload_read and payload_write; valid as long as the run. */
struct payload_source input_payloads(const struct input *in);

/* Whether its payload was in the trace. */
static inline bool artifact_has_payload(const struct artifact *a)
{
    return a->payload.flags & PAYLOAD_PRESENT;
}

struct run {
    struct arena *arena;
    VEC(struct input *) inputs;      /* in the order of their paths */
    VEC(struct process *) processes; /* by group, rank, time, pid */
    /* from Flight Recorders; only during run_finish, until they are assigned to processes */
    VEC(struct process *) dumps;
    uint32_t groups;
    const struct experiment *experiment; /* of the first input that has one; NULL if none has */
    /* the trial that the traces come from, if `pt2trace run` launched it; else NULL */
    const struct trial *launch;
    bool jobs_reported; /* a message says how overlapping jobs were separated */
    int64_t zone_us;    /* local time minus UTC, for processes whose own zone is unknown */
    struct totals totals;
    VEC(struct message) messages; /* messages of all inputs, in their order */
    struct redaction redaction;
};

/* The index of a compile among those of its frame, which are in the order of the process's. */
size_t compile_position(const struct compile *c);

/*
 * Walks all compiles of a run, process by process, with each process's `unattributed` last:
 *   for (struct compile_walk w = {run}; (c = compile_next(&w));)
 */
struct compile_walk {
    const struct run *run;
    size_t process, compile;
};

const struct compile *compile_next(struct compile_walk *w);
