#include "relaunch/workload/target.h"

#include "relaunch/launch/launch.h"
#include "relaunch/workload/hook.h"
#include "util/formats/json.h"
#include "util/system/file.h"

#include <fcntl.h>
#include <unistd.h>

enum { ASK_SECONDS = 120, ANSWER_MAX = 1 << 20, SHEBANG_MAX = 512 };

/* --- which Python ------------------------------------------------------------------------------------------------- */

static bool is_python_name(struct str path)
{
    return str_starts(str_file_name(path), STR("python")) || str_starts(str_file_name(path), STR("pypy"));
}

/* The file that the word would start; empty if there is none. */
static struct str find_program(struct arena *a, struct str word, const struct environment *e, struct str directory)
{
    struct str path = word;

    if (str_chr(word, '/') < 0)
        return environment_find_program(e, word);
    if (!str_starts(word, STR("/")))
        path = arena_printf(a, "%.*s/%.*s", STR_ARG(directory), STR_ARG(word));
    return access(path.p, X_OK) == 0 ? path : (struct str){0};
}

/* "#!/usr/bin/env python3", "#!/opt/venv/bin/python -u" */
static struct str interpreter_of(struct arena *a, struct str file)
{
    struct buf text = {0};
    struct str line, word, found = {0};
    int fd = file.n ? open(file.p, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd < 0 ? -1 : read_at(fd, buf_room(&text, SHEBANG_MAX), SHEBANG_MAX, 0);

    if (fd >= 0)
        close(fd);
    if (n > 2) {
        buf_added(&text, (size_t)n);
        line = buf_view(&text);
        line = str_trim(str_split(&line, '\n'));
        if (str_consume(&line, STR("#!")))
            for (line = str_trim(line); line.n && found.n == 0; line = str_trim(line)) {
                word = str_split(&line, ' ');
                if (is_python_name(word))
                    found = arena_str(a, word);
            }
    }
    buf_free(&text);
    return found;
}

struct str target_find_python(struct arena *a, const struct workload *w, const struct environment *environment)
{
    vec_each(const struct str, word, &w->command)
    {
        struct str file = find_program(a, *word, environment, w->directory);

        /* python3.py in the workload's directory is not an interpreter, because it is not executable. */
        if (file.n && is_python_name(*word) && !str_ends(*word, STR(".py")))
            return *word;
        if (file.n) {
            struct str python = interpreter_of(a, file);

            if (python.n)
                return python;
        }
    }
    return (struct str){0};
}

/* --- asking it ---------------------------------------------------------------------------------------------------- */

static struct str text_of(struct arena *a, struct json_doc *doc, const char *key)
{
    struct str s = {"", 0};

    json_get_str(doc, doc->root, key, &s);
    return arena_str(a, s);
}

/* ["inductor", "BisectSubsystem", "lowerings"], ["inductor", "ConfigChange", "inductor", "fallback_random", "True"] */
static void take_subsystem(struct arena *a, const json_t *row, struct target *out)
{
    struct bisect_subsystem s = {.backend = arena_str(a, json_str(json_array_get(row, 0)))};
    struct str name = json_str(json_array_get(row, 2));

    if (json_array_size(row) == 5) {
        s.config = arena_str(a, json_str(json_array_get(row, 3)));
        s.name = arena_printf(a, "%.*s_%.*s", STR_ARG(name), STR_ARG(s.config));
        s.value = arena_str(a, json_str(json_array_get(row, 4)));
        vec_push(a, &out->subsystems, s);
    } else if (json_array_size(row) == 3) {
        s.name = arena_str(a, name);
        vec_push(a, &out->subsystems, s);
    }
}

static void take_answer(struct arena *a, struct json_doc *doc, struct target *out)
{
    json_t *logs = NULL, *subsystems = NULL;

    out->answered = true;
    out->executable = text_of(a, doc, "executable");
    out->version = text_of(a, doc, "version");
    out->torch = text_of(a, doc, "torch");
    out->torch_failure = text_of(a, doc, "torch_failure");
    out->cuda = text_of(a, doc, "cuda");
    json_get_bool(doc, doc->root, "override", &out->override_backends);
    json_get_bool(doc, doc->root, "bisect", &out->bisect_backend);
    if (json_get_array(doc, doc->root, "subsystems", &subsystems) == JSON_FOUND)
        for (size_t i = 0; i < json_array_size(subsystems); i++)
            take_subsystem(a, json_array_get(subsystems, i), out);
    if (json_get_array(doc, doc->root, "logs", &logs) == JSON_FOUND)
        for (size_t i = 0; i < json_array_size(logs); i++)
            *map_at(&out->logs, arena_str(a, json_str(json_array_get(logs, i)))) = out;
}

/* Programs that run at Python's start (the user's sitecustomize) may also print, so the answer is marked. */
static bool read_answer(struct arena *a, const char *path, struct target *out)
{
    struct str mark = STR("\npt2trace:"), line;
    struct buf text = {0};
    struct json_doc doc = {0};
    bool found = false;

    if (read_file(path, ANSWER_MAX, &text) == 0 && str_has(buf_view(&text), mark)) {
        line = str_skip(buf_view(&text), (size_t)str_find(buf_view(&text), mark) + mark.n);
        line = str_split(&line, '\n');
        found = json_doc_load_whole(&doc, line);
        if (found)
            take_answer(a, &doc, out);
        json_doc_free(&doc);
    }
    buf_free(&text);
    return found;
}

static struct str why_not(struct arena *a, const struct launch_result *r)
{
    switch (r->end) {
    case LAUNCH_NOT_STARTED:
        return arena_printf(a, "it cannot be started: %s", strerror(r->error));
    case LAUNCH_TIMED_OUT:
        return arena_printf(a, "it did not answer within %d s", ASK_SECONDS);
    case LAUNCH_SIGNALED:
        return arena_printf(a, "it was ended by signal %d", r->signal);
    default:
        return arena_printf(a, "it ended with status %d without an answer", r->status);
    }
}

int target_ask(struct arena *a, struct str python, const struct environment *environment, const char *dir,
               struct target *out)
{
    const char *const argv[] = {arena_str(a, python).p, "-c", arena_str(a, hook_ask).p, NULL};
    struct environment plain = {.arena = a};
    struct launch_result result;
    struct launch launch = {.argv = argv,
                            .directory = "/",
                            .out_path = arena_printf(a, "%s/python.out", dir).p,
                            .err_path = arena_printf(a, "%s/python.err", dir).p,
                            .time_limit_s = ASK_SECONDS,
                            .silent = true,
                            .plain = true};
    int rc;

    *out = (struct target){.python = python};
    map_init(&out->logs, a);
    environment_add(&plain, &environment->list);
    /* A wrong name in the user's own TORCH_LOGS must not break this query. */
    environment_unset(&plain, STR("TORCH_LOGS"));
    environment_unset(&plain, STR("TORCH_TRACE"));
    launch.environment = environment_make(&plain);
    rc = launch_run(&launch, &result);
    out->interrupted = rc == 0 && result.end == LAUNCH_INTERRUPTED ? result.signal : 0;
    if (rc == 0 && !read_answer(a, launch.out_path, out))
        out->failure = why_not(a, &result);
    return rc;
}

bool target_knows_log(const struct target *t, struct str name)
{
    return map_get(&t->logs, name) != NULL;
}
