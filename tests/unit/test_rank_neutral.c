/* What differs between processes that did the same is taken out of texts; everything else stays. */
#include "unit.h"

#include "text/messages/rank_neutral.h"

#include <stdio.h>

static void reads_as(bool guards, const char *line, const char *expected)
{
    struct rank_neutral n = {.guards = guards};
    struct buf out = {0};

    rank_neutral_line(&n, str_of(line), &out);
    buf_char(&out, '\0');
    assert_string_equal(expected, out.p);
    buf_free(&out);
}

static void graphs_and_code(void **state)
{
    (void)state;
    reads_as(false, "# AOT ID: ['14_inference']", "# AOT ID: ['_inference']");
    reads_as(false, "x: \"f32[4][1]cuda:3\" = 17", "x: \"f32[4][1]cuda:\" = 17");
    reads_as(false, "stream3 = get_raw_stream(3)", "stream = get_raw_stream()");
    reads_as(false, "with torch.cuda._DeviceGuard(12):", "with torch.cuda._DeviceGuard():");
    reads_as(false, "# graph id: 140714707908880", "# graph id: #");
    reads_as(false, " ===== __compiled_fn_9_d5395459_7f88_4938_b731_d950b8cf0df7 =====", " ===== __compiled_fn_ =====");
    reads_as(false, "call __compiled_fn_1(x)", "call __compiled_fn_(x)");
    reads_as(false, "my__compiled_fn_1 = f.__compiled_fn_2", "my__compiled_fn_1 = f.__compiled_fn_2");
    reads_as(false, "<object at 0x7fbc3dd0e0a0>", "<object at 0x>");
    reads_as(false, "# kernel path: /tmp/torchinductor_me/ab/cnq5sbr3qvzkebpydc5vxlw3qpd3igpcc4s6urzdqrtqgnwscsm5.py",
             "# kernel path: /");
    reads_as(false, "# File: /home/me/rank_3/train.py:14 in f, code: y = x / w",
             "# File: /train.py:14 in f, code: y = x / w");
}

static void titles_in_logs(void **state)
{
    (void)state;
    reads_as(false, " ===== Forward graph 2 =====", " ===== Forward graph  =====");
    reads_as(false, "===== AOT Graph 12 =====", "===== AOT Graph  =====");
}

static void without_sizes(void **state)
{
    static const char *const lines[][2] = {
        {"x: \"f32[4, 8][8, 1]cpu\" = view(y, [4, 8], 3)", "x: \"f32[, ][, ]cpu\" = view(y, [, ], 3)"},
        {"s77: \"Sym(s77)\", x: \"f32[s77, 8][8, 1]cuda:0\"", "s77: \"Sym(s77)\", x: \"f32[s77, ][, ]cuda:\""},
        {"a] 4 [ 5", "a] 4 [ "},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct rank_neutral n = {.without_sizes = true};
        struct buf out = {0};

        rank_neutral_line(&n, str_of(lines[i][0]), &out);
        assert_str(buf_view(&out), lines[i][1]);
        buf_free(&out);
    }
}

static void sizes_in_json(void **state)
{
    static const char *const lines[] = {"\"shape\": [", "1024", "], \"n\": 7"};
    struct rank_neutral n = {.without_sizes = true, .json = true};
    struct buf out = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++)
        rank_neutral_line(&n, str_of(lines[i]), &out);
    assert_str(buf_view(&out), "\"shape\": [], \"n\": 7");
    buf_free(&out);
}

static void what_stays(void **state)
{
    static const char *const lines[] = {"mul: \"f32[3][1]cpu\" = x * 3;  x = None",
                                        "addmm_12 = torch.ops.aten.addmm.default(primals_5, view, 1.5, 1048576)",
                                        "a = b / c / d",
                                        "// a comment / with slashes",
                                        "0x1f",
                                        "'sum', '0'",
                                        "/",
                                        ""};

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        reads_as(false, lines[i], lines[i]);
    reads_as(true, "L['n'] == 123456", "L['n'] == 123456");
}

static void nothing(void **state)
{
    struct rank_neutral n = {0};
    struct buf out = {0};

    (void)state;
    rank_neutral_line(&n, (struct str){0}, &out);
    assert_int_equal(out.n, 0);
}

static void guards(void **state)
{
    (void)state;
    reads_as(true, "___check_type_id(L['x'], 7689504)", "___check_type_id(L['x'], #)");
    reads_as(true, "G['__builtins_dict___14']['iter']", "G['__builtins_dict___']['iter']");
    reads_as(true, "LAMBDA_GUARD: __dtensor_spec_139624434407904", "LAMBDA_GUARD: __dtensor_spec_#");
    reads_as(true, "___check_opaque_guard_fn_139624453663424_c0/1", "___check_opaque_guard_fn_#_c0/1");
    reads_as(true, "L['x_12_345678'] == 'a1234567'", "L['x_12_345678'] == 'a1234567'");
    reads_as(true, "check_tensor(L['x'], Tensor, device=2, size=[2, 3])",
             "check_tensor(L['x'], Tensor, device=, size=[2, 3])");
    reads_as(true, "Guard latency = 43.61 us", "");
    reads_as(true, "| +- LAMBDA_GUARD: G['a'].F is G['b'].F    # a = F.silu(a)  # test2.py:89 in graph_two",
             "| +- LAMBDA_GUARD: G['a'].F is G['b'].F");
    reads_as(true, "| +- EQUALS_MATCH: L['s'] == 'a  # b'  # if s:  # f.py:3 in f",
             "| +- EQUALS_MATCH: L['s'] == 'a  # b'");
    reads_as(true, "\"grad_mode\":true,\"num_threads\":16,\"dtype\":6",
             "\"grad_mode\":true,\"num_threads\":,\"dtype\":6");
    reads_as(false, "Guard latency = 43.61 us", "Guard latency = 43.61 us");
}

static void groups(void **state)
{
    static const char *const lines[] = {"a = torch.ops._c10d_functional.all_reduce.default(x, 'sum', '7')\n",
                                        "b = torch.ops._c10d_functional.all_gather_into_tensor(a, 4, '12')\n",
                                        "torch.ops._c10d_functional.all_reduce_.default(buf0, 'sum', '7')\n"};
    struct rank_neutral n = {0};
    struct buf out = {0};

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        rank_neutral_line(&n, str_of(lines[i]), &out);
    buf_char(&out, '\0');
    assert_string_equal("a = torch.ops._c10d_functional.all_reduce.default(x, 'sum', 'group 1')\n"
                        "b = torch.ops._c10d_functional.all_gather_into_tensor(a, 4, 'group 2')\n"
                        "torch.ops._c10d_functional.all_reduce_.default(buf0, 'sum', 'group 1')\n",
                        out.p);
    buf_free(&out);
}

static void no_more_groups_than_there_is_room_for(void **state)
{
    struct rank_neutral n = {0};
    char names[RANK_GROUPS_MAX + 5][8];

    (void)state;
    for (int twice = 0; twice < 2; twice++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            snprintf(names[i], sizeof names[i], "%zu", i);
            assert_int_equal(rank_neutral_group(&n, str_of(names[i])), i < RANK_GROUPS_MAX ? i + 1 : RANK_GROUPS_MAX);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_and_code), cmocka_unit_test(titles_in_logs), cmocka_unit_test(without_sizes),
        cmocka_unit_test(sizes_in_json),   cmocka_unit_test(what_stays),     cmocka_unit_test(nothing),
        cmocka_unit_test(guards),          cmocka_unit_test(groups),
        cmocka_unit_test(no_more_groups_than_there_is_room_for),
    };

    return RUN(tests);
}
