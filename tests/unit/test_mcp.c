/* The protocol of agents: what is answered to each line, to the byte. */
#include "temp.h"

#include "mcp/mcp.h"
#include "util/system/file.h"

#include <errno.h>
#include <sys/resource.h>

static json_t *list_none(void *object)
{
    (void)object;
    return json_new_array();
}

/* "say": what it is called with; others are not there. */
static json_t *call_any(void *object, struct arena *a, struct str name, json_t *arguments, struct str *why)
{
    json_t *o = json_new_object();

    (void)object;
    if (str_eq(name, STR("say"))) {
        json_put(o, "said", json_deep_copy(arguments));
        return o;
    }
    json_decref(o);
    *why = arena_printf(a, "no %.*s", STR_ARG(name));
    return NULL;
}

static const struct mcp_tools tools = {list_none, call_any, NULL};

/* What the server answers to a text; *rc is what it returns. */
static struct str served(struct arena *a, struct str text, int *rc)
{
    int in = open(temp_write("in", text), O_RDONLY), out = open(temp_write("out", STR("")), O_WRONLY);

    assert_true(in >= 0 && out >= 0);
    *rc = mcp_serve(in, out, &tools);
    close(in);
    close(out);
    return temp_read(a, temp_path("out"));
}

#define INVALID(id, text)                                                                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":-32600,\"message\":\"" text "\"}}\n"
#define NOT_A_REQUEST(id) INVALID(id, "not a JSON-RPC 2.0 request")
#define PONG(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{}}\n"
#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"
#define NO_JSON "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no JSON\"}}\n"
#define CALL(id, params) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":" params "}\n"
#define WRONG(id, text)                                                                                                \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":-32602,\"message\":\"" text "\"}}\n"
#define NEEDS "tools/call needs a name, and arguments that are an object"

static void lines(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"", ""},
        {"\n  \n\r\n", ""},
        {PING("1") "\n", PONG("1")},
        {PING("1") "\r\n", PONG("1")},
        {PING("1"), PONG("1")}, /* the last line may lack its end */
        {PING("1") "\n" PING("2"), PONG("1") PONG("2")},
        {PING("\"a\"") "\n\n" PING("-7") "\n", PONG("\"a\"") PONG("-7")},
        {PING("1.5") "\n", NOT_A_REQUEST("null")},
        {PING("null") "\n", NOT_A_REQUEST("null")},
        {"{", NO_JSON},
        {"{\n" PING("1"), NO_JSON PONG("1")},
        {"{\"id\":1,\"id\":2}\n", NO_JSON},
        {"3\n", NOT_A_REQUEST("null")},
        {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}\n", NOT_A_REQUEST("1")},
        {"{\"id\":1,\"method\":\"ping\"}\n", NOT_A_REQUEST("1")},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}\n", NOT_A_REQUEST("1")},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{}}\n", PONG("1")},
        {"{\"jsonrpc\":\"2.0\",\"id\":1}\n", INVALID("1", "a request has a method")},
        {"{\"jsonrpc\":\"2.0\"}\n", INVALID("null", "a request has a method")},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", ""},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n", ""},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}\n", ""},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n",
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n"},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"dig\"}\n",
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no method dig\"}}\n"},
        {CALL("1", "{\"name\":\"say\",\"arguments\":{\"a\":2}}"),
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"said\":{\"a\":2}}}\n"},
        {CALL("1", "{\"name\":\"say\"}"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"said\":{}}}\n"},
        {CALL("1", "{\"name\":\"dig\"}"), WRONG("1", "no dig")},
        {CALL("1", "{\"name\":\"\"}"), WRONG("1", NEEDS)},
        {CALL("1", "{}"), WRONG("1", NEEDS)},
        {CALL("1", "{\"name\":\"say\",\"arguments\":[]}"), WRONG("1", NEEDS)},
        {"[]\n", INVALID("null", "a batch has 1 to 100 requests")},
        {"[" PING("1") "]\n", "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]\n"},
        {"[{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}]\n", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int rc;

        assert_str(served(a, str_of(cases[i].in), &rc), cases[i].out);
        assert_int_equal(rc, 0);
    }
    arena_free(a);
}

static void greets(void **state)
{
    static const char *const versions[][2] = {{"2025-06-18", "2025-06-18"},
                                              {"2025-03-26", "2025-03-26"},
                                              {"2024-11-05", "2024-11-05"},
                                              {"2023-01-01", "2025-06-18"},
                                              {"", "2025-06-18"}};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        struct str in = arena_printf(a,
                                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
                                     "{\"protocolVersion\":\"%s\"}}",
                                     versions[i][0]);
        int rc;

        assert_true(str_starts(
            served(a, in, &rc),
            arena_printf(a,
                         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"%s\",\"capabilities\":"
                         "{\"tools\":{}},\"serverInfo\":{\"name\":\"pt2trace\",\"version\":\"%s\"},\"instructions\":\"",
                         versions[i][1], PT2TRACE_VERSION)));
    }
    arena_free(a);
}

/* n bytes between quotes, which is JSON, and no request. */
static void add_long(struct buf *to, size_t n)
{
    buf_char(to, '"');
    memset(buf_room(to, n - 2), 'x', n - 2);
    buf_added(to, n - 2);
    buf_char(to, '"');
}

/* The longest line, one that is longer, and what comes after it. */
static void long_lines(void **state)
{
    static const struct {
        size_t n;
        const char *after, *out;
    } cases[] = {
        {4 << 20, "\n" PING("1") "\n", NOT_A_REQUEST("null") PONG("1")},
        {4 << 20, "", NOT_A_REQUEST("null")},
        {(4 << 20) + 70000, "\n" PING("1") "\n", INVALID("null", "a message may have 4 MiB") PONG("1")},
        {(4 << 20) + 70000, "", INVALID("null", "a message may have 4 MiB")},
        {10 << 20, "\n" PING("1"), INVALID("null", "a message may have 4 MiB") PONG("1")},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct buf in = {0};
        int rc;

        add_long(&in, cases[i].n);
        buf_str(&in, str_of(cases[i].after));
        assert_str(served(a, buf_view(&in), &rc), cases[i].out);
        assert_int_equal(rc, 0);
        buf_free(&in);
    }
    arena_free(a);
}

static long peak_kb(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* What is skipped takes no memory: a line without an end would take all of it. */
static void endless_line(void **state)
{
    enum { MIB = 1 << 20 };
    struct arena *a = arena_new();
    int in = open(temp_write("endless", STR("x")), O_RDWR), out = open(temp_write("out", STR("")), O_WRONLY);
    long before = peak_kb();

    (void)state;
    assert_int_equal(ftruncate(in, 96 * MIB), 0);
    assert_int_equal(mcp_serve(in, out, &tools), 0);
    assert_true(peak_kb() - before < 48 * 1024);
    assert_str(temp_read(a, temp_path("out")), INVALID("null", "a message may have 4 MiB"));
    close(in);
    close(out);
    arena_free(a);
}

/* 100 requests at once are a batch, and 101 are not. */
static void batches(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (int n = 100; n <= 101; n++) {
        struct buf in = {0};
        struct str out;
        int rc;

        for (int i = 0; i < n; i++)
            buf_printf(&in, "%s" PING("%d"), i ? "," : "[", i);
        buf_str(&in, STR("]\n"));
        out = served(a, buf_view(&in), &rc);
        if (n == 100)
            assert_true(str_has(out, STR("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}]\n")));
        else
            assert_str(out, INVALID("null", "a batch has 1 to 100 requests"));
        buf_free(&in);
    }
    arena_free(a);
}

/* What cannot be read or written ends it. */
static void broken(void **state)
{
    int in = open(temp_write("in", STR(PING("1") "\n" PING("2") "\n")), O_RDONLY);

    (void)state;
    assert_int_equal(mcp_serve(in, -1, &tools), -EBADF);
    assert_int_equal(mcp_serve(-1, 1, &tools), -EBADF);
    close(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),        cmocka_unit_test(greets),  cmocka_unit_test(long_lines),
        cmocka_unit_test(endless_line), cmocka_unit_test(batches), cmocka_unit_test(broken),
    };

    return RUN(tests);
}
