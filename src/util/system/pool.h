/*
 * pool: worker threads for two sorts of work. A *leaf* task (decode a batch, compress a block) never waits; a *main*
 * task (read one input file) may submit leaf tasks and wait for them. A thread that waits runs leaf tasks meanwhile,
 * so a pool of any size makes progress, even one without threads. All functions may be called from any thread.
 *
 * The pool never decides the order of results: callers keep results in slots of their own and read them in order,
 * which is why output is the same for any number of threads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct pool;

/* One unit of work, owned by the caller, who keeps it alive until pool_wait returns. */
struct task {
    void (*run)(void *arg);
    void *arg;
    bool done;         /* the pool's */
    struct task *next; /* the pool's */
};

/* `threads` includes the caller: 1 starts no thread. */
struct pool *pool_new(unsigned threads);
/* Call it only after all tasks have been waited for. */
void pool_free(struct pool *p);
/* The number of threads, including the caller; fewer than requested if threads could not be started. */
unsigned pool_threads(const struct pool *p);

void pool_submit_leaf(struct pool *p, struct task *t);
void pool_submit_main(struct pool *p, struct task *t);

/* Returns when t is done; runs leaf tasks meanwhile. */
void pool_wait(struct pool *p, struct task *t);
/* The same, but also runs main tasks: for the thread that started everything. */
void pool_wait_main(struct pool *p, struct task *t);

/*
 * Splits work on n things into parts for the threads: do_part is called with the range from..to-1 of each part, by any
 * thread. Parts are numbered from 0 to pool_parts(p, n) - 1. Returns when all are done.
 */
typedef void pool_do_part(void *arg, size_t part, size_t from, size_t to);
void pool_each(struct pool *p, size_t n, pool_do_part *do_part, void *arg);
/* The same in two steps, for a caller that does something else meanwhile: pool_each_end waits, and frees the parts. */
struct pool_parts;
struct pool_parts *pool_each_begin(struct pool *p, size_t n, pool_do_part *do_part, void *arg);
void pool_each_end(struct pool *p, struct pool_parts *parts);
size_t pool_parts(const struct pool *p, size_t n);

/*
 * Whether a main task is still waiting to start. A main task then gains nothing by handing its leaf tasks to other
 * threads, which are busy: it should do them at once, while their data is in this core's cache.
 */
bool pool_is_busy(struct pool *p);

/* The number of processors this process may use, at least 1. */
unsigned pool_default_threads(void);
