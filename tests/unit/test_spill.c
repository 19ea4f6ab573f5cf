#include "temp.h"

#include "input/spill.h"
#include "util/system/room.h"

#include <errno.h>

static uint64_t room;

/* In place of the system's answer. */
uint64_t room_of(int fd)
{
    assert_true(fd >= 0);
    return room;
}

enum { MB = 1 << 20 };

static void copies_leave_room(void **state)
{
    static char megabyte[MB];
    struct spill a, b;

    (void)state;
    room = 10 * MB;
    assert_int_equal(spill_open(&a), 0);
    assert_int_equal(spill_open(&b), 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(spill_write(&a, megabyte, MB), 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(spill_write(&b, megabyte, MB), 0);
    assert_int_equal(spill_write(&b, "x", 1), -EDQUOT);
    assert_int_equal(spill_write(&a, "x", 1), -EDQUOT);
    assert_int_equal(a.bytes, 5 * MB);
    assert_int_equal(spill_read_at(&b, megabyte, MB, 4 * MB + 1), MB - 1);
    spill_close(&a);
    spill_close(&b);
}

/* A file system without room takes what it takes: its own error says more. */
static void without_room_it_is_tried(void **state)
{
    struct spill s;

    (void)state;
    room = 0;
    assert_int_equal(spill_open(&s), 0);
    assert_int_equal(spill_write(&s, "text", 4), 0);
    spill_close(&s);
}

static void without_an_answer_there_is_no_end(void **state)
{
    static char megabyte[MB];
    struct spill s;

    (void)state;
    room = UINT64_MAX;
    assert_int_equal(spill_open(&s), 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(spill_write(&s, megabyte, MB), 0);
    spill_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_leave_room),
        cmocka_unit_test(without_room_it_is_tried),
        cmocka_unit_test(without_an_answer_there_is_no_end),
    };

    return RUN(tests);
}
