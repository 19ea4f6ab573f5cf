/* One line of TORCH_LOGS: its prefixes in each form, and which lines have one message. */
#include "unit.h"

#include "input/log_line.h"

static const struct log_prefixes nothing_known;

/* "form r<rank> key|id|artifact|level file:line number|text", with a "*" in front if nothing was removed. */
static struct str parsed(struct arena *a, const char *line, const struct log_prefixes *known)
{
    static const char *const forms[] = {
        [LOG_BARE] = "bare", [LOG_GLOG] = "glog", [LOG_BRACKETED] = "bracketed", [LOG_SHORT] = "short"};
    struct buf colorless = {0};
    struct log_line l;
    struct str made;

    log_line_parse(str_of(line), known, &colorless, &l);
    made = arena_printf(a, "%s%s r%d %.*s|%.*s|%.*s|%c %.*s:%u %llu|%.*s", l.plain ? "*" : "", forms[l.form],
                        l.launcher.rank, STR_ARG(l.launcher.key), STR_ARG(l.id), STR_ARG(l.artifact),
                        l.glog.level ? l.glog.level : '-', STR_ARG(l.glog.file), (unsigned)l.glog.line,
                        (unsigned long long)l.glog.number, STR_ARG(l.text));
    buf_free(&colorless);
    return made;
}

#define G "V1121 08:00:06.012000 19898 torch/_dynamo/guards.py:4786] "
#define G_HEAD "V torch/_dynamo/guards.py:4786 19898|"
#define B "[2024-02-13 19:34:50,591] "

static void forms(void **state)
{
    static const struct {
        const char *line, *parsed;
    } cases[] = {
        {"", "*bare r-1 |||- :0 0|"},
        /* glog */
        {G "text", "*glog r-1 |||" G_HEAD "text"},
        {G "[0/0] text", "*glog r-1 |0/0||" G_HEAD "text"},
        {G "[0/0] [__guards] GUARDS:", "*glog r-1 |0/0|guards|" G_HEAD "GUARDS:"},
        {G "[__guards] GUARDS:", "*glog r-1 ||guards|" G_HEAD "GUARDS:"},
        {G "[0/0]", "*glog r-1 |0/0||" G_HEAD},
        {G "[0/0]text", "*glog r-1 |0/0||" G_HEAD "text"},
        {G "[12/3_1] x", "*glog r-1 |12/3_1||" G_HEAD "x"},
        {G "[!0/3/0_1] x", "*glog r-1 |!0/3/0_1||" G_HEAD "x"},
        {G "[!0] x", "*glog r-1 |!0||" G_HEAD "x"},
        {G "[!] x", "*glog r-1 |||" G_HEAD "[!] x"},
        {G "[0] x", "*glog r-1 |||" G_HEAD "[0] x"},
        {G "[/] x", "*glog r-1 |||" G_HEAD "[/] x"},
        {G "[a/0] x", "*glog r-1 |||" G_HEAD "[a/0] x"},
        {G "[0!/0] x", "*glog r-1 |||" G_HEAD "[0!/0] x"},
        {G "[] x", "*glog r-1 |||" G_HEAD "[] x"},
        {G "[0/0 x", "*glog r-1 |||" G_HEAD "[0/0 x"},
        {G "[00000000000000000/00000000000000000000] x",
         "*glog r-1 |00000000000000000/00000000000000000000||" G_HEAD "x"},
        {G "[000000000000000000/00000000000000000000] x",
         "*glog r-1 |||" G_HEAD "[000000000000000000/00000000000000000000] x"},
        {G "[_guards] x", "*glog r-1 |||" G_HEAD "[_guards] x"},
        {G "[__guards x", "*glog r-1 |||" G_HEAD "[__guards x"},
        {G "text\r", "*glog r-1 |||" G_HEAD "text"},
        /* with brackets */
        {B "[0/0] torch._dynamo.guards.__guards: [DEBUG] GUARDS:",
         "*bracketed r-1 |0/0|guards|V torch._dynamo.guards.__guards:0 0|GUARDS:"},
        {B "torch._dynamo.guards: [INFO] x", "*bracketed r-1 |||I torch._dynamo.guards:0 0|x"},
        {B "torch._dynamo.guards: [INFO] [0/0] x", "*bracketed r-1 |||I torch._dynamo.guards:0 0|[0/0] x"},
        {B "torch._dynamo.guards: [INFO] [__guards] x", "*bracketed r-1 |||I torch._dynamo.guards:0 0|[__guards] x"},
        /* short */
        {"DEBUG:torch._dynamo.guards.__recompiles:Recompiling f",
         "*short r-1 ||recompiles|V torch._dynamo.guards.__recompiles:0 0|Recompiling f"},
        {"INFO:torch._dynamo:[0/0] x", "*short r-1 |0/0||I torch._dynamo:0 0|x"},
        {"CRITICAL:torch:x", "*short r-1 |||C torch:0 0|x"},
        {"DEBUG:train:x", "*bare r-1 |||- :0 0|DEBUG:train:x"},
        {"DEBUG:torch x:y", "*bare r-1 |||- :0 0|DEBUG:torch x:y"},
        {"DEBUG:torch/x:y", "*bare r-1 |||- :0 0|DEBUG:torch/x:y"},
        {"DEBUG:torch(x):y", "*bare r-1 |||- :0 0|DEBUG:torch(x):y"},
        {"NOTHING:torch:y", "*bare r-1 |||- :0 0|NOTHING:torch:y"},
        {"DEBUG:torch._dynamo", "*short r-1 |||V torch._dynamo:0 0|"},
        {"[DEBUG] torch._dynamo: x", "*short r-1 |||V torch._dynamo:0 0|x"},
        {"[DEBUG] torch._dynamo:x", "*bare r-1 |||- :0 0|[DEBUG] torch._dynamo:x"},
        {"[DEBUG]torch._dynamo: x", "*bare r-1 |||- :0 0|[DEBUG]torch._dynamo: x"},
        /* the form with brackets, without its date */
        {"torch._inductor.utils: [WARNING] text", "*short r-1 |||W torch._inductor.utils:0 0|text"},
        {"[0/1] torch._dynamo.guards.__guards: [DEBUG] [0/2] text",
         "*short r-1 |0/1|guards|V torch._dynamo.guards.__guards:0 0|text"},
        {"[0/1] torch._dynamo.guards: [DEBUG] text", "*short r-1 |0/1||V torch._dynamo.guards:0 0|text"},
        {"[0/1] shop.guards: [DEBUG] text", "*bare r-1 |||- :0 0|[0/1] shop.guards: [DEBUG] text"},
        {"torch._dynamo: [NOTHING] text", "*bare r-1 |||- :0 0|torch._dynamo: [NOTHING] text"},
        {"torch dynamo: [DEBUG] text", "*bare r-1 |||- :0 0|torch dynamo: [DEBUG] text"},
        /* what stands before */
        {"[rank3]:" G "[0/0] x", "glog r3 [rank3]:|0/0||" G_HEAD "x"},
        {"[rank3]: DEBUG:torch._dynamo:x", "short r3 [rank3]:|||V torch._dynamo:0 0|x"},
        {"[rank3]: hello", "bare r3 [rank3]:|||- :0 0|hello"},
        {"3: hello", "*bare r-1 |||- :0 0|3: hello"},
        {"\x1b[32m" G "x\x1b[0m", "glog r-1 |||" G_HEAD "x"},
        {"\x1b[32mhello\x1b[0m", "bare r-1 |||- :0 0|hello"},
        {"web-1  | torch._dynamo: [DEBUG] text", "short r-1 web-1  ||||V torch._dynamo:0 0|text"},
        {"2026-11-21T07:54:38.027Z torch._dynamo: [DEBUG] text", "short r-1 |||V torch._dynamo:0 0|text"},
        {"hello world", "*bare r-1 |||- :0 0|hello world"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(parsed(a, cases[i].line, &nothing_known), cases[i].parsed);
    arena_free(a);
}

/* Once a launcher is known, it is known on lines that could begin with anything. */
static void known_launchers(void **state)
{
    static const struct str keys[] = {STR_INIT("3:"), STR_INIT("web-1 |")};
    static const struct {
        const char *line;
        struct log_prefixes known;
        const char *parsed;
    } cases[] = {
        {"3: hello", {keys, 2, false}, "bare r3 3:|||- :0 0|hello"},
        {"4: hello", {keys, 2, false}, "*bare r-1 |||- :0 0|4: hello"},
        {"3: " G "x", {keys, 2, false}, "glog r3 3:|||" G_HEAD "x"},
        {"[rank4]: hello", {keys, 2, false}, "bare r4 [rank4]:|||- :0 0|hello"},
        {"3: hello", {keys, 1, false}, "*bare r-1 |||- :0 0|3: hello"},
        {"2026-11-21T07:54:38.027Z hello", {keys, 2, false}, "*bare r-1 |||- :0 0|2026-11-21T07:54:38.027Z hello"},
        {"2026-11-21T07:54:38.027Z hello", {keys, 0, true}, "bare r-1 |||- :0 0|hello"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(parsed(a, cases[i].line, &cases[i].known), cases[i].parsed);
    arena_free(a);
}

/* A quick test that rules nothing out that has a prefix. */
static void may_have(void **state)
{
    static const struct {
        const char *line;
        bool plain, colors;
    } cases[] = {
        {"", false, false},
        {G, true, true},
        {"x.py:7", false, false},
        {"x.py:7: hello", false, false},
        {"x.py:] hello", false, false},
        {"x.py:7]", true, true},
        {"x.px:7]", false, false},
        {"py:7]", false, false},
        {"torch: [DEBUG] x", true, true},
        {"torch: [DEBUG]", true, true},
        {"torch: [DEBIG] x", false, false},
        {"torch:[DEBUG] x", false, false},
        {"DEBUG:torch:x", true, true},
        {"DEBUG:torc", false, false},
        {"DEBUG:torch", true, true},
        {"[rank0]:x", true, true},
        {"[rankx]:x", false, false},
        {"a: b: c", false, false},
        {"a: b: DEBUG:torch:x", true, true},
        {"[DEBUG] torch.x", true, true},
        {"[DEBUG] torchx", false, false},
        {"(DEBUG] torch.x", false, false},
        {"[DEBUGDEBUGD] torch.x", true, true},
        {"[DEBUGDEBUGDE] torch.x", false, false},
        {"\x1b[32mhello", false, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (log_line_may_have_prefix(str_of(cases[i].line), false) != cases[i].plain ||
            log_line_may_have_prefix(str_of(cases[i].line), true) != cases[i].colors)
            fail_msg("%s", cases[i].line);
}

/* A second line belongs to the message only if all of its prefix is the same. */
static void continues(void **state)
{
    static const struct {
        const char *first, *second;
        bool same;
    } cases[] = {
        {G "[0/0] [__guards] a", G "[0/0] [__guards] b", true},
        {G "[0/0] [__guards] a", G "[0/1] [__guards] b", false},
        {G "[0/0] [__guards] a", G "[0/0] [__code] b", false},
        {G "a", "I1121 08:00:06.012000 19898 torch/_dynamo/guards.py:4786] b", false},
        {G "a", "V1221 08:00:06.012000 19898 torch/_dynamo/guards.py:4786] b", false},
        {G "a", "V1122 08:00:06.012000 19898 torch/_dynamo/guards.py:4786] b", false},
        {G "a", "V1121 08:00:06.012001 19898 torch/_dynamo/guards.py:4786] b", false},
        {G "a", "V1121 08:00:06.012000 19899 torch/_dynamo/guards.py:4786] b", false},
        {G "a", "V1121 08:00:06.012000 19898 torch/_dynamo/guard.py:4786] b", false},
        {G "a", "V1121 08:00:06.012000 19898 torch/_dynamo/guards.py:4787] b", false},
        {G "a", "b", false},
        {G "a", "[rank0]:" G "b", false},
        {"[rank0]:" G "a", "[rank0]:" G "b", true},
        {"[rank0]:" G "a", "[rank1]:" G "b", false},
        {B "torch.x: [WARNING] a", "[2024-02-13 19:34:50,592] torch.x: [WARNING] b", true},
        {B "torch.x: [WARNING] a", "[2024-02-13 19:34:50,593] torch.x: [WARNING] b", true},
        {B "torch.x: [WARNING] a", "[2024-02-13 19:34:50,594] torch.x: [WARNING] b", false},
        {B "torch.x: [WARNING] a", "[2024-02-13 19:34:50,590] torch.x: [WARNING] b", false},
        {B "torch.x: [ERROR] a", "[2024-02-13 19:34:50,592] torch.x: [ERROR] b", true},
        {B "torch.x: [INFO] a", "[2024-02-13 19:34:50,592] torch.x: [INFO] b", false},
        {B "torch.x: [INFO] a", B "torch.x: [INFO] b", true},
        {B "torch.x: [INFO] a", B "torch.y: [INFO] b", false},
        {"DEBUG:torch.x:a", "DEBUG:torch.x:b", true},
        {"DEBUG:torch.x:a", "DEBUG:torch.y:b", false},
        {"[rank0]: DEBUG:torch.x:a", "[rank1]: DEBUG:torch.x:b", false},
        {"DEBUG:torch.x:a", "b", true},
        {"DEBUG:torch.x:a", G "b", false},
        {"a", "b", true},
        {"a", "DEBUG:torch.x:b", false},
        {"[rank0]: a", "b", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct buf unused = {0};
        struct log_line a, b;

        log_line_parse(str_of(cases[i].first), &nothing_known, &unused, &a);
        log_line_parse(str_of(cases[i].second), &nothing_known, &unused, &b);
        if (log_line_continues(&a, &b) != cases[i].same)
            fail_msg("%s | %s", cases[i].first, cases[i].second);
    }
}

static void indents(void **state)
{
    static const struct {
        const char *text;
        size_t indent, taken;
        const char *left;
    } cases[] = {{"  a", 2, 2, "a"}, {"  a", 2, 1, " a"}, {"  a", 2, 3, "a"}, {"a", 0, 4, "a"},
                 {"\ta", 0, 1, "\ta"}, {"  a", 2, 0, "  a"}, {"   ", 3, 2, " "}, {"", 0, 1, ""}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(log_line_indent(str_of(cases[i].text)), cases[i].indent);
        assert_str(log_line_outdented(str_of(cases[i].text), cases[i].taken), cases[i].left);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),     cmocka_unit_test(known_launchers), cmocka_unit_test(may_have),
        cmocka_unit_test(continues), cmocka_unit_test(indents),
    };

    return RUN(tests);
}
