/*
 * reading: the state while one file is read: its processes, their epochs and compiles, and the clock. It belongs to
 * the thread that reads the file and is freed afterwards; the results are in the model.
 */
#pragma once

#include "model/model.h"
#include "text/versions/version_places.h"
#include "trace/trace_options.h"
#include "util/map.h"
#include "util/system/pool.h"

enum { OPEN_EVENTS_MAX = 1024 };

/* A calendar date: month and day count from 1. */
struct date {
    int year;
    unsigned month, day;
};

/* An event of the timeline that has begun and not ended. */
struct open_event {
    const char *name; /* interned */
    const struct compile *compile;
    size_t index;  /* in process->events */
    bool backward; /* the backward graph is compiled inside it */
};

/* Where the rank of a process is known from, from the least reliable source to the most reliable. */
enum rank_source {
    RANK_FROM_LAUNCHER, /* the prefix of a line: torchrun counts the processes of each node from 0 */
    RANK_FROM_NAME,     /* the file's name: files get renamed */
    RANK_FROM_RECORD,
};

/* State of a process that is only needed while its records are read. */
struct process_state {
    struct process *process;
    struct map compiles;    /* id -> struct compile, the newest with that id in any epoch */
    struct map frames;      /* (epoch, autograd, frame) -> struct frame */
    struct map tensors;     /* (compile, describer, id) -> index of the newest such tensor, plus 1 */
    struct map expressions; /* id of the Python object -> struct expression of kind_export.c */
    uint32_t epoch;
    VEC(struct open_event) open; /* at most OPEN_EVENTS_MAX, innermost last */
    int64_t clock_diff_us;       /* local time minus UTC at the first event, before rounding */
    struct date clock_date;      /* the date of that event, with the year that was assumed */
    bool clock_seen;
    enum rank_source rank_from;
    bool rank_conflict;
    uint64_t first_reset; /* the line where the second epoch began; 0 if there is none */
    struct version_places places;
};

struct reading {
    struct input *in;
    const struct trace_options *options;
    struct pool *pool;
    struct arena *arena;      /* holds everything here; lives while the file is read */
    struct arena *scratch;    /* holds what is needed while one record is applied */
    struct map current;       /* (stream, pid) -> the newest process_state */
    struct map metric_fields; /* key -> struct metric_field */
    struct map infos;         /* artifact name -> struct artifact_info */
    VEC(struct process_state *) states;
    bool too_many_reported; /* it was reported that there are more processes than allowed */
    struct date date;       /* of the last record, with its year assumed, see reading_local_time */
    bool dated;             /* there was a record with a date; before that, `date` is the latest date possible */
    int file_year;          /* the year of that latest date */
};

struct glog;

void reading_init(struct reading *r, struct input *in, const struct trace_options *options, struct pool *pool);

/*
 * The local wall-clock time of a prefix, in µs since 1970 as if it were UTC. The prefix has no year: it is guessed
 * from the file's date, and corrected by the first event of the timeline, if there is one (reading_clock).
 */
int64_t reading_local_time(struct reading *r, const struct glog *g);

/* Notes that an event at ts_us (since 1970, UTC) is in a record of local time time_us, the last one returned. */
void reading_clock(struct reading *r, struct process_state *s, int64_t time_us, int64_t ts_us);

/*
 * The process that wrote a record, by stream and process id; created if it is new. Beyond LIMIT_PROCESSES, the first
 * process stands for all others.
 */
struct process_state *reading_process(struct reading *r, uint32_t stream, const struct glog *g, uint64_t line);

/*
 * A new process with the same id, after a restart or after files were joined: a string table entry was defined again.
 * LIMIT_PROCESSES applies.
 */
struct process_state *reading_new_instance(struct reading *r, uint32_t stream, const struct glog *g, uint64_t line);

/*
 * Sets the rank (RANK_UNKNOWN does nothing). A more reliable source replaces a less reliable one; if they disagree,
 * that becomes a message, unless the earlier source was a launcher, whose number need not be the rank in the job.
 */
void reading_set_rank(struct reading *r, struct process_state *s, int rank, enum rank_source from, uint64_t line);

/*
 * The compile of an id; created if it is new. `start` is the kind of beginning that the record marks. If that
 * beginning was already seen, or the compile has ended, torch._dynamo.reset() was called in between and a new epoch
 * begins. A record that marks no beginning, and whose id is new in the epoch, belongs to the latest epoch that has the
 * id (a backward graph that is compiled late).
 */
struct compile *reading_compile(struct reading *r, struct process_state *s, struct compile_id id, enum start start,
                                uint64_t line);

/* The frame with this id in the current epoch; NULL if there is none yet. */
const struct frame *reading_frame(const struct process_state *s, struct compile_id id);

/* Closes open events, fixes the clock, moves the facts to the model, and then does the same as reading_free. */
void reading_finish(struct reading *r);

/* Frees the state without finishing. */
void reading_free(struct reading *r);
