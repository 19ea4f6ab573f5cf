/*
 * reading: the state of reading one file: its processes, their epochs and compiles, and the clock. It belongs to the
 * thread that reads the file and is gone when the file is read; what lasts is in the model.
 */
#pragma once

#include "model/model.h"
#include "text/versions/version_places.h"
#include "trace/trace_options.h"
#include "util/map.h"
#include "util/system/pool.h"

enum { OPEN_EVENTS_MAX = 1024 };

/* As a calendar has it: month and day count from 1. */
struct date {
    int year;
    unsigned month, day;
};

/* An event of the timeline that has begun. */
struct open_event {
    const char *name; /* interned */
    const struct compile *compile;
    size_t index;  /* in process->events */
    bool backward; /* the backward graph is compiled in it */
};

/* Where the rank of a process is known from; the surer, the further down. */
enum rank_source {
    RANK_FROM_LAUNCHER, /* its prefix: torchrun counts the processes of each node from 0 */
    RANK_FROM_NAME,     /* the file's name: files get renamed */
    RANK_FROM_RECORD,
};

/* What is needed about a process only while its records are read. */
struct process_state {
    struct process *process;
    struct map compiles;    /* id -> struct compile, the newest of that id in any epoch */
    struct map frames;      /* (epoch, autograd, frame) -> struct frame */
    struct map tensors;     /* (compile, describer, id) -> index of the newest such tensor, plus 1 */
    struct map expressions; /* id of the Python object -> struct expression of kind_export.c */
    uint32_t epoch;
    VEC(struct open_event) open; /* at most OPEN_EVENTS_MAX, innermost last */
    int64_t clock_diff_us;       /* local time minus UTC at the first event, before rounding */
    struct date clock_date;      /* of that event, with the year that was assumed */
    bool clock_seen;
    enum rank_source rank_from;
    bool rank_conflict;
    uint64_t first_reset; /* line where the second epoch began, 0 none */
    struct version_places places;
};

struct reading {
    struct input *in;
    const struct trace_options *options;
    struct pool *pool;
    struct arena *arena;      /* for what is needed while the file is read: all that is in here */
    struct arena *scratch;    /* for what is needed while one record is applied; forgotten behind it */
    struct map current;       /* (stream, pid) -> the newest process_state */
    struct map metric_fields; /* key -> struct metric_field */
    struct map infos;         /* artifact name -> struct artifact_info */
    VEC(struct process_state *) states;
    bool too_many_reported; /* that there are more processes than states may be */
    struct date date;       /* of the last record, its year assumed, see reading_local_time */
    bool dated;             /* there was such a record; before, it is the latest date that one may have */
    int file_year;          /* of that latest date */
};

struct glog;

void reading_init(struct reading *r, struct input *in, const struct trace_options *options, struct pool *pool);

/*
 * Local wall-clock time of a prefix in µs since 1970, as if it were UTC. The prefix has no year: it is guessed from
 * when the file was written, and put right by the first event of the timeline, if there is one (reading_clock).
 */
int64_t reading_local_time(struct reading *r, const struct glog *g);

/* An event at ts_us (since the epoch, UTC) stands in a record of local time time_us, the last that was asked for. */
void reading_clock(struct reading *r, struct process_state *s, int64_t time_us, int64_t ts_us);

/*
 * The process that wrote a record: by stream and process id. Made on first sight; beyond LIMIT_PROCESSES the first
 * stands for all others.
 */
struct process_state *reading_process(struct reading *r, uint32_t stream, const struct glog *g, uint64_t line);

/* A process of the same id after an append or restart: a string table entry was defined again. LIMIT_PROCESSES holds.
 */
struct process_state *reading_new_instance(struct reading *r, uint32_t stream, const struct glog *g, uint64_t line);

/*
 * Remembers a rank (RANK_UNKNOWN is none). A surer source takes the place of another; that it says something else is a
 * message, except against a launcher, whose number is not meant to be the rank of the job.
 */
void reading_set_rank(struct reading *r, struct process_state *s, int rank, enum rank_source from, uint64_t line);

/*
 * The compile of an id, made on first sight. `start` is what the record says of its beginning. When that has been
 * passed before, or the compile ended, torch._dynamo.reset() was called in between and a new epoch begins. A record
 * that begins nothing and whose id is new to the epoch belongs to the latest epoch that has it (a backward graph that
 * is compiled late).
 */
struct compile *reading_compile(struct reading *r, struct process_state *s, struct compile_id id, enum start start,
                                uint64_t line);

/* The frame with this id in the current epoch; NULL when there is none yet. */
const struct frame *reading_frame(const struct process_state *s, struct compile_id id);

/* Closes open events, fixes the clock, hands the facts over to the model; and what reading_free does. */
void reading_finish(struct reading *r);

/* Forgets the state, of a reading that has nothing to finish. */
void reading_free(struct reading *r);
