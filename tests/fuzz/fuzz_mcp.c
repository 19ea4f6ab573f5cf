/* What an agent sends, of any bytes: each answer is a line of JSON-RPC, and the server goes on to the end. */
#include "fuzz.h"

#include "mcp/mcp.h"
#include "util/system/file.h"

#include <fcntl.h>
#include <unistd.h>

static json_t *list(void *object)
{
    (void)object;
    return json_new_array();
}

static json_t *call(void *object, struct arena *a, struct str name, json_t *arguments, struct str *why)
{
    (void)object, (void)arguments;
    *why = arena_printf(a, "no tool %.*s", STR_ARG(name));
    return str_starts(name, STR("a")) ? json_new_object() : NULL;
}

static bool is_answer(const json_t *v)
{
    return json_is_object(v) && str_eq(json_str(json_object_get(v, "jsonrpc")), STR("2.0")) &&
           (json_object_get(v, "result") != NULL) != (json_object_get(v, "error") != NULL);
}

static void look_at(struct str answers)
{
    struct str line;

    while (str_next_line(&answers, &line)) {
        json_t *v = json_loadb(line.p, line.n, 0, NULL);

        fuzz_check(json_is_array(v) || is_answer(v), "an answer is JSON-RPC");
        for (size_t i = 0; i < json_array_size(v); i++)
            fuzz_check(is_answer(json_array_get(v, i)), "and so is each of a list");
        json_decref(v);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mcp_tools tools = {list, call, NULL};
    struct buf answers = {0};
    char name[64];
    int in = fuzz_file(data, size, name, sizeof name), out = temp_file();
    ssize_t n;

    fuzz_check(in >= 0 && out >= 0 && lseek(in, 0, SEEK_SET) == 0, "there are files");
    fuzz_check(mcp_serve(in, out, &tools) == 0, "all is answered");
    do {
        n = read_at(out, buf_room(&answers, 65536), 65536, answers.n);
        buf_added(&answers, n > 0 ? (size_t)n : 0);
    } while (n == 65536);
    look_at(buf_view(&answers));
    buf_free(&answers);
    close(in);
    close(out);
    return 0;
}

static const char *const samples[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
    "initialized\"}\n{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":{}}}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"b\",\"arguments\":[]}}\n",
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"\"}]\n[]\n{}"
    "\n\n",
};

void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        take(str_take(str_of(samples[i]), strlen(samples[i]) - size % 5));
    take((struct str){(const char *)data, size < 65536 ? size : 65536});
}
