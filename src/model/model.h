/*
 * model: what the compiler did, as plain data. Readers (src/trace, src/torchlog) fill it, analyses and views
 * read it. Nothing in it parses or prints.
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

/* Bytes of a source: one record's line. */
struct span {
    uint64_t offset;
    uint64_t length;
};

/* A call of a collective, as a graph or generated code has it. */
struct collective_call {
    struct str op;           /* "all_reduce": without "_" and ".default" behind it; "wait_tensor" is one, too */
    struct str reduction;    /* "sum"; empty when the op has none */
    struct str group;        /* name of the process group; empty for wait_tensor */
    uint64_t group_size;     /* of those that say it (all_gather, reduce_scatter); else 0 */
    struct str dtype, shape; /* of the result: "f32", "[2, 8]"; empty where the text does not say, as in code */
    struct str file;         /* the user's line that calls it, see text/graphs/collective_place.h; may be empty */
    int64_t line, from_line; /* from_line: 0, or the call is somewhere from there to `line`; equal: there or after */
};

/* What is asked of a text when ranks are compared: for digests, which do not have the text. */
struct artifact_content {
    struct digest neutral;              /* of the text without what differs on every rank ... */
    struct digest without_sizes;        /* ... and without the sizes of tensors */
    VEC(struct collective_call) calls;  /* with waits */
    struct str text;                    /* all of it, of the short lists that say in which order things ran */
    int64_t estimated_ns;               /* how long Inductor expects the graph to run; -1 unknown */
};

/* A graph, a piece of generated code, a table, a configuration: whatever the compiler left behind under a name. */
struct artifact {
    const struct input *input;         /* that its payload is in: the log of a process may complete its trace */
    struct str name;                   /* the artifact's own name, else the record's kind; interned */
    const struct artifact_info *info;  /* what the name means; NULL when it is not in the catalogue */
    struct str kind;                   /* kind of the record; interned */
    struct str detail;                 /* a submodule's name, a file name, a link's address; may be empty */
    struct str subgraph;               /* of regional compilation; may be empty */
    struct compile *compile;           /* never NULL: without an id it is the process's `unattributed` */
    int attempt;                       /* -1 when the record has none */
    bool backward;                     /* written while the backward graph was compiled, by the timeline */
    uint32_t number;                   /* from 0, in the order of the input; stable anchor within the input */
    uint64_t line;                     /* of the record */
    int64_t time_us;                   /* of the record; from one to another of the same process; 0 unknown */
    struct span record;
    struct payload payload;
    const struct artifact_content *content; /* NULL: it has to be read */
};

enum break_origin {
    BREAK_FROM_RECORD,  /* a dynamo_graph_break_reason artifact */
    BREAK_FROM_RESTART, /* only a restart reason of the metrics mentions it (2.5 and earlier) */
    BREAK_FROM_FAILURE, /* only the exception that ended the compile mentions it (2.5 and earlier) */
    BREAK_FROM_EXPLAIN, /* printed by torch._dynamo.explain() */
    BREAK_FROM_RESUME,  /* only a resume function shows it (2.4 and earlier have nothing else) */
};

/* One place where Dynamo stopped a graph, as one compile met it. */
struct graph_break {
    struct compile *compile;
    int attempt;
    enum break_origin origin;
    struct str type;        /* first line of the message: the registry's Gb_type from 2.8 on */
    struct str gb_id;       /* "GB0025" from the link in the message, or by the type; may be empty */
    struct str reason;      /* the whole message */
    struct str explanation;
    struct str context;     /* "Developer debug context" */
    struct str url;
    VEC(struct str) hints;
    const struct call *stack; /* user code, innermost; may be NULL */
    struct str file;          /* where the message says the break is */
    int64_t line;
    struct str function;
    bool restarted;           /* the analysis restarted because of it */
    bool skips;               /* its message says that the whole function runs eagerly */
    const struct artifact *artifact; /* the record's payload; NULL for other origins */
    uint64_t record_line;
};

/* Why a compile was not served by an earlier one: a guard of `against` that failed. */
struct recompile_reason {
    struct str against;  /* "0/0"; empty when the text does not say */
    struct str text;     /* the failed guard, as PyTorch puts it */
    struct str user_stack; /* what the text carries under "User stack trace:"; may be empty */
};

/* Why a graph, or a part of one, runs without CUDA graphs. */
struct cudagraph_skip {
    struct str reason;        /* "cpu device (arg0_1)" */
    const struct call *stack; /* user code; may be NULL */
    uint64_t record_line;
};

enum failure_where {
    FAILED_FORWARD,
    FAILED_BACKWARD,
    FAILED_RUNTIME,  /* compiled code, or the process */
    FAILED_PROGRAM,  /* the program itself, which ended with it */
    FAILED_PLACES
};

/* Which part of PyTorch raised it, by its stack; a later part is called by the ones before. */
enum failure_part {
    FAILED_IN_UNKNOWN,
    FAILED_IN_DYNAMO,
    FAILED_IN_AOTAUTOGRAD,
    FAILED_IN_INDUCTOR,
    FAILED_IN_MINIFIER, /* which runs parts of a graph that failed before */
    FAILED_IN_TRITON,   /* its compiler */
    FAILED_PARTS
};

/* An exception that ended a compile (or a part of it). */
struct failure {
    struct compile *compile;
    enum failure_where where;
    enum failure_part part;
    int attempt;
    struct str type;      /* "BackendCompilerFailed" */
    struct str message;
    struct str beside;    /* what is said of it elsewhere: the linker's line, what an assertion asserts; may be empty */
    struct str file;      /* of the user's code, where the trace has it */
    int64_t line;
    const struct call *stack; /* user code; may be NULL */
    const struct artifact *traceback; /* the whole Python traceback; may be NULL */
    bool fallback;        /* nobody saw it: a graph break or the recompile limit made Dynamo leave the frame to eager */
    bool shown;           /* the output of the program mentions it */
    bool passed_on;       /* ... as it is, not as InternalTorchDynamoError */
    bool exporting;       /* by torch.export: there is no torch.compile that could be left out */
    bool suppressed;      /* suppress_errors: it was logged, and the frame runs eagerly */
    uint64_t of_pid;      /* another process that it speaks of (torchrun's table); 0: none */
    uint64_t record_line;
};

enum cache_layer { CACHE_PGO, CACHE_PRECOMPILE, CACHE_AOTAUTOGRAD, CACHE_FX_GRAPH, CACHE_TRITON, CACHE_LAYERS };
enum cache_outcome { CACHE_HIT, CACHE_MISS, CACHE_BYPASS, CACHE_OUTCOMES };

struct cache_event {
    struct compile *compile;
    enum cache_layer layer;
    enum cache_outcome outcome;
    struct str key;
    struct str reason;        /* of a bypass, or what kind of miss */
    int64_t saved_us;         /* by a hit; -1 unknown */
    const struct artifact *artifact; /* its payload lists the key's components; may be NULL */
};

/* A symbolic size: backed (created from an input) or unbacked (from data). */
struct symbol {
    struct str name;     /* s77, u0 */
    struct str source;   /* L['x'].size()[0] */
    struct str hint;     /* the value seen */
    struct str range;    /* "[2, int_oo]" */
    bool unbacked;
    const struct call *user_stack, *stack;
    struct str specialized_to, specialized_reason; /* set when a specialization of the same compile names it */
    const struct call *specialized_at;
};

struct specialization {
    struct str symbol, source, value, reason;
    size_t symbols_before; /* of the compile: those that come later are of another attempt */
    const struct call *user_stack, *stack;
};

/* A guard on shapes, with the code that caused it. */
struct shape_guard {
    struct str expr;
    struct str prefix; /* "eval", "runtime_assert", … ; empty in the short form */
    const struct call *user_stack, *stack;
};

/* What torch.export's draft mode records: why an export would be unsound. */
enum export_issue_kind {
    EXPORT_MISSING_FAKE_KERNEL,
    EXPORT_MISMATCHED_FAKE_KERNEL,
    EXPORT_DATA_DEPENDENT,
    EXPORT_PROPAGATED,
    EXPORT_GUARD /* a condition on sizes was decided by the example inputs */
};

/* A variable of the code that asked. */
struct export_local {
    struct str name, value;
};

/* How an expression came to be: depth 0 is the expression, what it is made of comes behind it, one deeper. */
struct expression_step {
    uint32_t depth;
    struct str method;    /* "gt"; empty for a symbol that stands for data */
    struct str arguments; /* "u2, 2" */
    struct str result;    /* "u2 > 2" */
    const struct call *user_stack;
};

struct export_issue {
    enum export_issue_kind kind;
    struct str op;      /* of the fake kernel kinds */
    struct str text;    /* reason or expression */
    struct str result;  /* the value that was assumed; may be empty */
    struct str symbols; /* what the symbols in it are: "s97 = L['a'].size()[0]"; may be empty */
    VEC(struct export_local) locals;
    VEC(struct expression_step) steps;
    const struct call *user_stack, *stack;
};

struct storage {
    int64_t describer, id;
    struct str size; /* bytes, or an expression */
};

/* A tensor that the compiler looked at: a graph input or what one is made of. Joined with its source. */
struct tensor {
    int64_t describer, id;
    struct str dtype, device, shape, stride; /* "torch.float32", "cpu", "[8, s0]" */
    struct str source;  /* L['x']; empty when nobody named it */
    struct str storage_size;
    int64_t storage;    /* -1 none */
    bool requires_grad, is_parameter, is_view, is_leaf;
};

struct link {
    struct str name, url; /* as recorded: not checked */
};

enum compile_status { STATUS_OK, STATUS_GRAPH_BREAK, STATUS_ERROR, STATUS_EMPTY, STATUS_INCOMPLETE, STATUS_COUNT };
const char *compile_status_name(enum compile_status s); /* as in report.json */

/*
 * The beginnings of a compile, in the order of torch/_dynamo/convert_frame.py. None of them comes twice, and none
 * behind a later one, but the reasons, which come before or behind the event. Any may be missing: events came with 2.5,
 * attempts with 2.8, and torch.export has nothing but the attempt.
 */
enum start {
    START_NONE,
    START_REASONS, /* why it is compiled again */
    START_EVENT,   /* the outermost event of the timeline begins */
    START_RECORD,  /* dynamo_start */
    START_ATTEMPT, /* the first attempt begins */
    START_ANEW,    /* no place of a beginning: what is said can only be of a compile of a new epoch */
};

struct frame {
    struct process *process;
    uint32_t epoch;
    int32_t id; /* the N of [N/M]; ID_NONE for captures of compiled autograd */
    int32_t autograd;
    struct str name, file;
    int64_t line;
    struct str label, group;  /* from labels; may be empty */
    bool unnumbered;          /* a log of 2.3 has no id: the number is ours */
    bool is_resume;           /* torch_dynamo_resume_in_F_at_L */
    struct str resumes;       /* F */
    int64_t resumes_line;     /* L */
    const struct frame
        *origin; /* of a resume function: F, where it was compiled too; else itself. 2.5 and earlier only */
    VEC(struct compile *) compiles;
};

/*
 * The function F of the name "torch_dynamo_resume_in_F_at_L" (torch/_dynamo/resume_execution.py), a view of the name;
 * of any other name, the name itself.
 */
struct str resumed_function(struct str name);
/* Fills is_resume and what goes with it from the name. */
void frame_note_resume(struct frame *f);

struct compile {
    struct process *process;
    struct frame *frame;      /* NULL only for `unattributed` */
    struct compile_id id;
    uint32_t epoch;
    uint32_t index;           /* in process->compiles */
    enum compile_status status;
    int attempts;             /* at least 1 */
    enum start start;         /* how far its beginning was seen */
    bool started;             /* dynamo_start was seen */
    bool ended;               /* its forward metrics, its guards or the end of its capture were seen */
    bool guards_seen;
    uint32_t guards_listed;   /* checks in a log: in its flat list (2.3 and earlier), or leaves of its tree */
    bool has_events;          /* of the timeline */
    bool backward;            /* it has a backward graph */
    bool limit_hit;           /* refused because of the recompile limit */
    struct str limit_reported;    /* ... as the first line of a log's message says it; may be empty */
    int64_t first_us, last_us; /* of its records: local time, see process */
    const struct call *stack; /* of dynamo_start, the frame's own call innermost (2.3: its caller's); may be NULL */
    VEC(const struct call *) stacks; /* of `unattributed`: where its records came from, each once */
    struct compile *within;          /* in whose frame it was compiled on its own; 2.3 only, else NULL */
    VEC(struct artifact *) artifacts;
    VEC(struct graph_break *) breaks;
    VEC(struct recompile_reason) reasons;
    VEC(struct str) restart_reasons; /* as the metrics give them: a set, not in order; a log's in order */
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
    VEC(uint64_t) aot_ids;    /* of its graphs, where a log has them */
    const struct metrics *newest_metrics[METRICS_KINDS]; /* of each kind; NULL when there are none */
    uint64_t expressions;     /* expression_created records */
};

/* The newest of that kind, or NULL. */
const struct metrics *compile_metrics(const struct compile *c, enum metrics_kind kind);
/* How many guards it has, by its metrics or its log; -1 when neither says. */
int64_t compile_guards(const struct compile *c);
/*
 * A compile [N/M] with M > 0, unless its metrics say that no earlier compile could have served it: the cache that it
 * was looked up in was empty (cache_size, torch/_dynamo/cache_size.py). That is so for the first compile of each
 * torch.compile(..., isolate_recompiles=True), for each module of its own while modules are guarded by identity, and
 * where earlier compiles failed.
 */
bool compile_is_recompile(const struct compile *c);
/*
 * When work began (µs since the epoch, UTC) and how long it took (wall time, at least 0): what one metrics record says,
 * and of a compile what its forward metrics or else its records do. False when nothing does.
 */
bool metrics_interval(const struct metrics *m, int64_t *start_us, int64_t *duration_us);
bool compile_interval(const struct compile *c, int64_t *start_us, int64_t *duration_us);
/* The duration alone; -1 when it is unknown. */
int64_t compile_duration(const struct compile *c);
/* The frame, unless it is a function of PyTorch or of Python's library; else NULL. */
const struct frame *compile_own_frame(const struct compile *c);
/* The last graph that Dynamo recorded for it, or NULL. */
const struct artifact *compile_dynamo_graph(const struct compile *c);

/* --- processes, inputs, the run ----------------------------------------------------------------------------------- */

enum event_flags {
    EVENT_INSTANT = 1,
    EVENT_UNFINISHED = 2, /* no end was recorded: it ends with its parent */
    EVENT_ORPHAN = 4,     /* an end without a beginning: it begins where it ends */
};

/* One interval (or instant) of the timeline. Sorted by start, parents before children, after run_finish. */
struct event {
    struct str name;        /* interned */
    int64_t start_ns, duration_ns; /* since the Unix epoch; UTC */
    struct compile *compile; /* may be NULL */
    uint32_t depth;
    uint8_t flags;
    uint8_t payload_flags;  /* of the payloads, see payload.h */
    uint32_t stream;
    struct span begin, end; /* the payloads in the source; length 0 when there is none */
};

static inline int64_t event_end_ns(const struct event *e)
{
    return e->start_ns + e->duration_ns;
}

/* One of its payloads, for payload_read. */
struct payload event_payload(const struct event *e, struct span where);

struct versions {
    struct str pytorch, commit, python, triton, cuda, gpu; /* gpu: "NVIDIA H100 : 8", a model and how many */
};

/* 2013 of "2.13.0+cpu" and of "2.13.0.dev20260101": major * 1000 + minor. 0 of a text that is no version. */
unsigned pytorch_version(struct str version);

/* How long the calls of one function took, in the table of torch._dynamo.utils.compile_times(). */
struct call_times {
    struct str name;       /* interned */
    VEC(int64_t) each_ns;  /* one for each call, or their sum */
};

struct process {
    struct input *input;
    struct run *run;
    uint32_t index;       /* in run->processes: the stable number in anchors */
    uint32_t group;       /* which run of the job: 0, 1, … by time */
    int rank;             /* RANK_UNKNOWN when the trace does not say */
    uint64_t world_size;  /* 0 unknown; asked for only where ranks come twice, see load/world_size.h */
    bool rank_is_shared;  /* by another process of the run, so that the rank does not name it */
    uint64_t pid;         /* 0 when unknown */
    bool pid_is_thread;   /* 2.4 and earlier log a thread id */
    struct process *joined; /* of a log or file: whose process of another input it completes; NULL: it stands alone */
    const struct process *parent; /* whose strings it shares after a fork; may be NULL */
    struct versions versions;
    uint32_t version_by_places; /* of PyTorch, as pytorch_version has it: text/versions/version_places.h; 0 unknown */
    int64_t first_us, last_us;  /* of its records: local wall-clock time in µs since 1970 as if it were UTC */
    int64_t zone_us;      /* local time minus UTC, valid when zone_known */
    bool zone_known;
    uint32_t epochs;      /* at least 1 */
    struct string_table strings; /* of its `str` records */
    bool build_seen;             /* a record had the versions that only the first of its kind is asked for */
    bool guards_logged;            /* of a log: it has the guards of some compile, so it lacks the guards of others */
    bool only_warned;            /* of a log: it has nothing but warnings, which mention few compiles */
    bool strings_missing;        /* it uses entries that it does not have: a forked process */
    VEC(struct frame *) frames;
    VEC(struct compile *) compiles;
    VEC(struct event) events;
    struct compile *unattributed; /* holds what has no compile id */
    uint64_t explained_graphs;    /* of torch._dynamo.explain() */
    VEC(struct call_times) times; /* the last table; durations include what is nested */
    struct map times_by_name;     /* name -> index in times, plus 1 */
    VEC(struct flight_dump *) flights; /* of its Flight Recorder; of one backend the newest comes last */
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
 * A time of a process in UTC: the machines of a job may be set to different zones, and between two runs the clocks may
 * have been put back an hour. A process with an unknown zone (2.4 and earlier) is taken to share the zone of others.
 */
int64_t process_utc(const struct process *p, int64_t local_us);
/* When it began, in UTC. */
int64_t process_start_utc(const struct process *p);
/* Whether both processes ran at some moment, as far as their records show. */
bool process_overlaps(const struct process *a, const struct process *b);

const char *input_kind_name(enum input_kind k);

struct totals {
    uint64_t records, unknown_records, payloads, payload_bytes, bad_payloads, strings, chromium_events;
};

/* One file that was given or found. */
struct input {
    struct str path;
    uint32_t index;        /* in run->inputs, after run_finish */
    enum input_kind kind;
    bool used;
    bool measured;         /* source.bytes is its size */
    bool read;             /* to its end: totals are facts */
    struct str why_not;    /* set when !used */
    bool needed;           /* given by name, or known to be a trace: the work failed if it cannot be read */
    struct str failure;    /* what kept it from being read to its end, not by its own fault; empty when nothing did */
    struct source source;  /* open as long as the run */
    struct arena *arena;
    struct messages messages;
    struct totals totals;
    bool digests_checked;
    int name_rank;         /* from the file's name, or RANK_UNKNOWN */
    bool of_one_process;   /* its place says so: what torchrun --log-dir writes for each process */
    bool of_console;       /* its place says so: what `pt2trace run` keeps of a terminal */
    uint64_t console_pid;  /* of a text that `pt2trace run` kept: whose it is where it has no process id; 0: unknown */
    struct debug_file file; /* of a torch_compile_debug directory: what the path says */
    struct map kinds;      /* "artifact:fx_graph_runnable" -> struct kind_count, in order of appearance */
    struct stack_tree stacks;
    VEC(struct process *) processes;
    VEC(struct artifact *) artifacts; /* all of them, by number */
    VEC(struct gpu_process *) gpus;   /* what was done on GPUs, where the input has that */
    VEC(struct gpu_device) devices;   /* the GPUs that it describes */
    VEC(struct str) stream_keys;
    struct str known_prefix;
    bool lines_timed;      /* of a log: a launcher's times stand before its lines */
    uint64_t log_lines, log_lines_understood; /* of a log */
    struct str full_path;  /* of a digest: where the file was, from the root */
    struct digest content; /* of a digest: of all unpacked bytes that were read */
    bool of_digest;        /* read from a digest: the file itself may be elsewhere, or gone */
    struct experiment *experiment; /* of run.json; else NULL */
    struct payload_filter filter; /* what its payloads are read back through, if anything */
};

struct kind_count {
    uint64_t count;
    bool unknown;
};

/* For payload_read and payload_write, as long as the run. */
struct payload_source input_payloads(const struct input *in);

/* Whether its payload was in the trace. */
static inline bool artifact_has_payload(const struct artifact *a)
{
    return a->payload.flags & PAYLOAD_PRESENT;
}

/* For what reads many of them: as payload_read; false where it is scattered or cannot be read back. */
bool artifact_read(const struct artifact *a, uint64_t max, struct buf *out);

struct run {
    struct arena *arena;
    VEC(struct input *) inputs;      /* in the order of their paths */
    VEC(struct process *) processes; /* by group, rank, time, pid */
    VEC(struct process *) dumps;     /* of Flight Recorders, within run_finish, until they are given to processes */
    uint32_t groups;
    const struct experiment *experiment; /* of the first input that is one; NULL when there is none */
    const struct trial *launch;          /* that the traces are of, where `pt2trace run` launched it; else NULL */
    bool jobs_reported;                  /* a message says how jobs that overlap in time were separated */
    int64_t zone_us;                 /* local time minus UTC, for processes whose own is unknown */
    struct totals totals;
    VEC(struct message) messages;    /* of all inputs, in their order */
    struct redaction redaction;
};

/*
 * Walks all compiles of a run, process by process, each process's `unattributed` last:
 *   for (struct compile_walk w = {run}; (c = compile_next(&w));)
 */
struct compile_walk {
    const struct run *run;
    size_t process, compile;
};

const struct compile *compile_next(struct compile_walk *w);
