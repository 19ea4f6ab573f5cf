#include "unit.h"

#include "util/system/pool.h"

#include <pthread.h>

static const unsigned sizes[] = {1, 2, 5};

struct job {
    struct task task;
    unsigned input, result;
};

static void square(void *arg)
{
    struct job *j = arg;

    j->result = j->input * j->input;
}

static void leaves(void **state)
{
    enum { JOBS = 2000 };
    static struct job jobs[JOBS];

    (void)state;
    for (size_t s = 0; s < COUNT(sizes); s++) {
        struct pool *p = pool_new(sizes[s]);

        assert_int_equal(pool_threads(p), sizes[s]);
        for (unsigned i = 0; i < JOBS; i++) {
            jobs[i] = (struct job){.task = {.run = square, .arg = &jobs[i]}, .input = i};
            pool_submit_leaf(p, &jobs[i].task);
        }
        for (unsigned i = JOBS; i-- > 0;) {
            pool_wait(p, &jobs[i].task);
            assert_true(jobs[i].task.done);
            assert_int_equal(jobs[i].result, i * i);
        }
        pool_wait(p, &jobs[0].task); /* waiting again returns at once */
        pool_free(p);
    }
}

/* A main task that gives its work to leaves and waits for them, as the reading of a file does. */
struct tree {
    struct task task;
    struct pool *pool;
    struct job jobs[20];
    unsigned sum;
};

static void sum_of_squares(void *arg)
{
    struct tree *t = arg;

    for (unsigned i = 0; i < COUNT(t->jobs); i++) {
        t->jobs[i] = (struct job){.task = {.run = square, .arg = &t->jobs[i]}, .input = i};
        pool_submit_leaf(t->pool, &t->jobs[i].task);
    }
    for (unsigned i = 0; i < COUNT(t->jobs); i++) {
        pool_wait(t->pool, &t->jobs[i].task);
        t->sum += t->jobs[i].result;
    }
}

static void main_tasks_wait_for_leaves(void **state)
{
    enum { TREES = 100 };
    static struct tree trees[TREES];

    (void)state;
    for (size_t s = 0; s < COUNT(sizes); s++) {
        struct pool *p = pool_new(sizes[s]);

        for (unsigned i = 0; i < TREES; i++) {
            trees[i] = (struct tree){.task = {.run = sum_of_squares, .arg = &trees[i]}, .pool = p};
            pool_submit_main(p, &trees[i].task);
        }
        for (unsigned i = 0; i < TREES; i++) {
            pool_wait_main(p, &trees[i].task);
            assert_int_equal(trees[i].sum, 2470);
        }
        pool_free(p);
    }
}

/* Without threads of its own a pool runs leaves while it waits, oldest first, and no main task unless it may. */
static unsigned ran[4], ran_count;

static void note(void *arg)
{
    ran[ran_count++] = *(unsigned *)arg;
}

static void order_without_threads(void **state)
{
    struct pool *p = pool_new(1);
    unsigned names[] = {0, 1, 2, 3};
    struct task tasks[4];

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        tasks[i] = (struct task){.run = note, .arg = &names[i]};
    pool_submit_main(p, &tasks[3]);
    for (unsigned i = 0; i < 3; i++)
        pool_submit_leaf(p, &tasks[i]);
    pool_wait(p, &tasks[1]);
    assert_int_equal(ran_count, 2);
    assert_int_equal(ran[0], 0);
    assert_int_equal(ran[1], 1);
    assert_false(tasks[2].done);
    pool_wait_main(p, &tasks[3]);
    assert_int_equal(ran_count, 4);
    assert_int_equal(ran[2], 2); /* leaves come before main tasks */
    assert_int_equal(ran[3], 3);
    pool_free(p);
}

/* Two tasks that wait for each other's signal: they only end when they run at the same time. */
static pthread_barrier_t barrier;

static void meet(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&barrier);
}

static void runs_at_the_same_time(void **state)
{
    struct pool *p = pool_new(2);
    struct task a = {.run = meet}, b = {.run = meet};

    (void)state;
    pthread_barrier_init(&barrier, NULL, 2);
    pool_submit_leaf(p, &a);
    pool_submit_leaf(p, &b);
    pool_wait(p, &a);
    pool_wait(p, &b);
    pthread_barrier_destroy(&barrier);
    pool_free(p);
}

static void sizes_of_pools(void **state)
{
    struct pool *p = pool_new(0);
    struct job j = {.task = {.run = square, .arg = &j}, .input = 3};

    (void)state;
    assert_int_equal(pool_threads(p), 1);
    pool_submit_leaf(p, &j.task);
    pool_wait(p, &j.task);
    assert_int_equal(j.result, 9);
    pool_free(p);
    pool_free(NULL);
    assert_in_range(pool_default_threads(), 1, 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves),
        cmocka_unit_test(main_tasks_wait_for_leaves),
        cmocka_unit_test(order_without_threads),
        cmocka_unit_test(runs_at_the_same_time),
        cmocka_unit_test(sizes_of_pools),
    };

    return RUN(tests);
}
