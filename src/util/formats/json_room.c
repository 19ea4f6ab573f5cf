#include "util/formats/json_room.h"

#include "util/asan.h"
#include "util/system/pages.h"

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A batch of records takes less than a room; reading keeps a few batches for each thread. Unused pages cost nothing. */
enum { ROOM_BYTES = 1 << 20, ROOMS_PER_THREAD = 6, ROOMS_MAX = 64, ALIGN = 16 };

struct json_room {
    char *begin;
    size_t used;
    size_t live; /* allocations that have not been freed */
    bool taken;
};

static struct {
    char *begin; /* one block for all, so that its bounds show what is in a room */
    size_t bytes;
    pthread_mutex_t lock;
    unsigned n;
    struct json_room list[ROOMS_MAX];
} rooms = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct json_room *current;

static void *room_malloc(size_t n)
{
    struct json_room *r = current;
    void *p;

    if (!r || n > ROOM_BYTES - ALIGN - r->used)
        return malloc(n);
    p = r->begin + r->used;
    r->used += (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    r->live++;
    ASAN_UNPOISON_MEMORY_REGION(p, n);
    return p;
}

static void room_free(void *p)
{
    size_t at = (uintptr_t)p - (uintptr_t)rooms.begin;

    if (at < rooms.bytes)
        rooms.list[at / ROOM_BYTES].live--;
    else
        free(p);
}

void json_rooms_begin(unsigned threads)
{
    unsigned n = threads < ROOMS_MAX / ROOMS_PER_THREAD ? threads * ROOMS_PER_THREAD : ROOMS_MAX;

    rooms.begin = pages_reserve((size_t)n * ROOM_BYTES);
    if (!rooms.begin)
        return;
    rooms.n = n;
    rooms.bytes = (size_t)n * ROOM_BYTES;
    for (unsigned i = 0; i < n; i++)
        rooms.list[i].begin = rooms.begin + (size_t)i * ROOM_BYTES;
    ASAN_POISON_MEMORY_REGION(rooms.begin, rooms.bytes);
    json_set_alloc_funcs(room_malloc, room_free);
}

struct json_room *json_room_take(void)
{
    struct json_room *found = NULL;

    pthread_mutex_lock(&rooms.lock);
    for (unsigned i = 0; i < rooms.n && !found; i++)
        if (!rooms.list[i].taken)
            found = &rooms.list[i];
    if (found)
        found->taken = true;
    pthread_mutex_unlock(&rooms.lock);
    return found;
}

void json_room_give_back(struct json_room *room)
{
    if (!room)
        return;
    pthread_mutex_lock(&rooms.lock);
    json_room_clear(room);
    room->taken = room->live > 0;
    pthread_mutex_unlock(&rooms.lock);
}

struct json_room *json_room_enter(struct json_room *room)
{
    struct json_room *before = current;

    current = room;
    return before;
}

void json_room_clear(struct json_room *room)
{
    if (!room || room->live)
        return;
    ASAN_POISON_MEMORY_REGION(room->begin, room->used);
    room->used = 0;
}
