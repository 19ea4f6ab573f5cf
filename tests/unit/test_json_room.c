#include "unit.h"

#include "util/formats/json.h"
#include "util/formats/json_room.h"

#include <pthread.h>

enum { ROOM_BYTES = 1 << 20 };

static json_t *many(size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:i, s:s}", "number", (int)i, "text", "twenty-two bytes of it"));
    return list;
}

static void check(json_t *list, size_t n)
{
    assert_int_equal(json_array_size(list), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(list, i), "number")), i);
}

/* Objects are the same in a room, in one that is full, and where none is left; a sanitizer finds what is not freed. */
static void holds(void **state)
{
    static const size_t sizes[] = {1, 100, 20000};
    struct json_room *room = json_room_take();

    (void)state;
    assert_non_null(room);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        json_t *inside, *changed;

        assert_null(json_room_enter(room));
        inside = many(sizes[i]);
        changed = json_object();
        assert_ptr_equal(json_room_enter(NULL), room);
        for (int k = 0; k < 40; k++) { /* outside of the room, where it grows */
            char key[16];

            snprintf(key, sizeof key, "%d", k);
            json_object_set_new(changed, key, json_integer(k));
        }
        check(inside, sizes[i]);
        assert_int_equal(json_object_size(changed), 40);
        json_decref(inside);
        json_decref(changed);
        json_room_clear(room);
    }
    json_room_give_back(room);
}

/* One thread frees what another one made. */
static void *make(void *room)
{
    json_t *made;

    json_room_enter(room);
    made = many(1000);
    json_room_enter(NULL);
    return made;
}

static void crosses_threads(void **state)
{
    struct json_room *room = json_room_take();

    (void)state;
    for (int round = 0; round < 3; round++) {
        pthread_t thread;
        void *made;

        assert_int_equal(pthread_create(&thread, NULL, make, room), 0);
        assert_int_equal(pthread_join(thread, &made), 0);
        check(made, 1000);
        json_decref(made);
        json_room_clear(room);
    }
    json_room_give_back(room);
}

static void runs_out(void **state)
{
    struct json_room *all[100];
    size_t n = 0;

    (void)state;
    while (n < COUNT(all) && (all[n] = json_room_take()) != NULL)
        n++;
    assert_in_range(n, 1, COUNT(all) - 1);
    json_room_clear(NULL);
    json_room_give_back(NULL);
    while (n)
        json_room_give_back(all[--n]);
    all[0] = json_room_take();
    assert_non_null(all[0]);
    json_room_give_back(all[0]);
}

/* What is still in use keeps its memory, also where the room is cleared or given back. */
static void keeps(void **state)
{
    struct json_room *room = json_room_take();
    json_t *kept, *others;

    (void)state;
    json_room_enter(room);
    kept = many(10);
    json_room_clear(room);
    others = many(1000);
    json_room_enter(NULL);
    json_decref(others);
    json_room_give_back(room);
    assert_ptr_not_equal(json_room_take(), room);
    check(kept, 10);
    json_decref(kept);
}

/* An object that cannot fit in any room. */
static void takes_what_is_large(void **state)
{
    struct json_room *room = json_room_take();
    char *text = calloc(1, 2 * ROOM_BYTES);
    json_t *made;

    (void)state;
    memset(text, 'x', 2 * ROOM_BYTES - 1);
    json_room_enter(room);
    made = json_string(text);
    json_room_enter(NULL);
    assert_int_equal(json_string_length(made), 2 * ROOM_BYTES - 1);
    json_decref(made);
    free(text);
    json_room_give_back(room);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds),
        cmocka_unit_test(crosses_threads),
        cmocka_unit_test(runs_out),
        cmocka_unit_test(takes_what_is_large),
        cmocka_unit_test(keeps),
    };

    json_rooms_begin(2);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
