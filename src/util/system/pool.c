#include "util/system/pool.h"

#include "util/mem.h"
#include "util/system/file.h"
#include "util/system/signals.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct queue {
    struct task *head, **tail;
};

/*
 * One lock and one condition for everything: tasks take milliseconds, so there are few. Threads wait for different
 * things (any task, or the end of a certain one), hence every change wakes all of them.
 */
struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a task was queued or finished, or the pool stops */
    struct queue leaf, mains;
    bool stop;
    unsigned threads;
    pthread_t *ids;
};

static void push(struct queue *q, struct task *t)
{
    t->next = NULL;
    *q->tail = t;
    q->tail = &t->next;
}

static struct task *pop(struct queue *q)
{
    struct task *t = q->head;

    if (t) {
        q->head = t->next;
        if (!q->head)
            q->tail = &q->head;
    }
    return t;
}

/* Called with the lock held; releases it while the task runs. */
static void run_task(struct pool *p, struct task *t)
{
    pthread_mutex_unlock(&p->lock);
    t->run(t->arg);
    pthread_mutex_lock(&p->lock);
    t->done = true;
    pthread_cond_broadcast(&p->changed);
}

static void *worker(void *arg)
{
    struct pool *p = arg;

    signals_block();
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        struct task *t = pop(&p->leaf); /* first, because a main task waits for it and holds memory until it is done */

        if (!t)
            t = pop(&p->mains);
        if (t)
            run_task(p, t);
        else
            pthread_cond_wait(&p->changed, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

struct pool *pool_new(unsigned threads)
{
    struct pool *p = xcalloc(1, sizeof *p);

    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    p->leaf.tail = &p->leaf.head;
    p->mains.tail = &p->mains.head;
    p->threads = 1;
    p->ids = xcalloc(threads, sizeof *p->ids);
    /* If a thread cannot be started, that is no error: the caller does the work. */
    while (p->threads < threads && pthread_create(&p->ids[p->threads], NULL, worker, p) == 0)
        p->threads++;
    return p;
}

void pool_free(struct pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 1; i < p->threads; i++)
        pthread_join(p->ids[i], NULL);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    free(p->ids);
    free(p);
}

unsigned pool_threads(const struct pool *p)
{
    return p->threads;
}

static void submit(struct pool *p, struct queue *q, struct task *t)
{
    t->done = false;
    pthread_mutex_lock(&p->lock);
    push(q, t);
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

void pool_submit_leaf(struct pool *p, struct task *t)
{
    submit(p, &p->leaf, t);
}

void pool_submit_main(struct pool *p, struct task *t)
{
    submit(p, &p->mains, t);
}

bool pool_is_busy(struct pool *p)
{
    bool busy;

    pthread_mutex_lock(&p->lock);
    busy = p->mains.head != NULL;
    pthread_mutex_unlock(&p->lock);
    return busy;
}

static void wait_for(struct pool *p, struct task *t, bool take_mains)
{
    pthread_mutex_lock(&p->lock);
    while (!t->done) {
        struct task *other = pop(&p->leaf);

        if (!other && take_mains)
            other = pop(&p->mains);
        if (other)
            run_task(p, other);
        else
            pthread_cond_wait(&p->changed, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

/*
 * A main task must not run another main task here: it would be stuck below it on the stack until that whole file is
 * read.
 */
void pool_wait(struct pool *p, struct task *t)
{
    wait_for(p, t, false);
}

void pool_wait_main(struct pool *p, struct task *t)
{
    wait_for(p, t, true);
}

/* More parts than threads, because parts take different times and a thread that finishes early takes another one. */
enum { PARTS_PER_THREAD = 4 };

size_t pool_parts(const struct pool *p, size_t n)
{
    size_t most = (size_t)p->threads * PARTS_PER_THREAD;

    return n < most ? n : most;
}

struct pool_part {
    pool_do_part *run;
    void *arg;
    size_t number, from, to;
    struct task task;
};

struct pool_parts {
    size_t n;
    struct pool_part list[];
};

static void run_part(void *arg)
{
    struct pool_part *p = arg;

    p->run(p->arg, p->number, p->from, p->to);
}

struct pool_parts *pool_each_begin(struct pool *p, size_t n, pool_do_part *do_part, void *arg)
{
    size_t count = pool_parts(p, n);
    struct pool_parts *parts = xcalloc(1, sizeof *parts + count * sizeof *parts->list);

    parts->n = count;
    for (size_t i = 0; i < count; i++) {
        struct pool_part *part = &parts->list[i];

        *part = (struct pool_part){do_part, arg, i, n * i / count, n * (i + 1) / count, {.run = run_part, .arg = part}};
        pool_submit_leaf(p, &part->task);
    }
    return parts;
}

void pool_each_end(struct pool *p, struct pool_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++)
        pool_wait(p, &parts->list[i].task);
    free(parts);
}

void pool_each(struct pool *p, size_t n, pool_do_part *do_part, void *arg)
{
    pool_each_end(p, pool_each_begin(p, n, do_part, arg));
}

unsigned pool_default_threads(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 1)
        return 1;
    return (unsigned)CPU_COUNT(&set);
}
