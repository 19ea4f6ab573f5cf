#include "relaunch/gpu/gpu_facts.h"

#include "digest/device_json.h"
#include "relaunch/gpu/gpu_driver.h"
#include "util/buf.h"
#include "util/formats/json.h"
#include "util/system/clock.h"
#include "util/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 15000, ANSWER_MAX = 4 << 20, BLOCK = 1 << 16 };

/* --- the child ---------------------------------------------------------------------------------------------------- */

/*
 * Both are queried, because CUDA may be unusable although NVML answers, and then the workload will have the same
 * problem.
 */
static struct str answer(struct arena *a)
{
    struct gpu_facts facts = {0};
    struct str why = STR("");
    json_t *o = json_new_object(), *list = json_new_array();
    char *text;

    gpu_driver_nvml(a, &facts);
    gpu_driver_cuda(a, &facts, &why);
    vec_each(const struct gpu_device, d, &facts.devices) json_push(list, gpu_device_to_json(d));
    json_put(o, "devices", list);
    json_put_str(o, "why_none", why);
    text = json_text(o, JSON_COMPACT);
    json_decref(o);
    return str_of(text);
}

/* In this process no library may be injected, and nothing printed. */
static _Noreturn void be_child(int out)
{
    struct str text;

    unsetenv("CUDA_INJECTION64_PATH");
    text = answer(arena_new());
    _exit(text.p && write_all(out, text.p, text.n) == 0 ? 0 : 1);
}

/* --- this process ------------------------------------------------------------------------------------------------- */

/* Until the child is done or the time is up. False if the time was up. */
static bool read_answer(int in, struct buf *text)
{
    int64_t until = clock_ms() + PATIENCE_MS;

    for (;;) {
        struct pollfd p = {.fd = in, .events = POLLIN};
        int64_t left = until - clock_ms();
        ssize_t n;

        if (left <= 0 || text->n > ANSWER_MAX)
            return false;
        if (poll(&p, 1, (int)left) <= 0)
            continue;
        n = read(in, buf_room(text, BLOCK), BLOCK);
        if (n == 0)
            return true;
        if (n > 0)
            buf_added(text, (size_t)n);
        else if (errno != EINTR)
            return false;
    }
}

static void understand(struct arena *a, struct str text, struct gpu_facts *out)
{
    struct json_doc doc;
    const json_t *o;
    size_t i;

    if (json_doc_load_whole(&doc, text)) {
        json_array_foreach(json_object_get(doc.root, "devices"), i, o)
        {
            struct gpu_device d;

            if (gpu_device_of_json(a, o, &d))
                vec_push(a, &out->devices, d);
        }
        out->why_none = arena_str(a, json_str(json_object_get(doc.root, "why_none")));
    } else {
        out->why_none = STR("the NVIDIA driver crashed when it was queried");
    }
    json_doc_free(&doc);
}

static void ask(struct arena *a, int in, pid_t child, struct gpu_facts *out)
{
    struct buf text = {0};
    bool done = read_answer(in, &text);

    if (!done)
        kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (done)
        understand(a, text.p ? buf_view(&text) : STR(""), out);
    else
        out->why_none = STR("the NVIDIA driver does not answer");
    buf_free(&text);
}

void gpu_facts_find(struct arena *a, struct gpu_facts *out)
{
    int ends[2];
    pid_t child;

    *out = (struct gpu_facts){0};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        out->why_none = STR("no pipe could be created");
        return;
    }
    child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(ends[1]);
    }
    close(ends[1]);
    if (child > 0)
        ask(a, ends[0], child, out);
    else
        out->why_none = STR("no process could be started");
    close(ends[0]);
}
