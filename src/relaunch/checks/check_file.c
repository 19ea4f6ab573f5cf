#include "relaunch/checks/check_file.h"

#include "relaunch/launch/launch.h"
#include "relaunch/workload/hook.h"
#include "util/formats/json.h"
#include "util/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { TEXT_MAX = 256 << 20, ANSWER_MAX = 1 << 20, PYTHON_SECONDS = 600 };

#define KEPT_MAX (8ll << 30)

/* --- keeping ------------------------------------------------------------------------------------------------------ */

void check_files_look(struct arena *a, const struct workload *w, struct checked_files *out)
{
    *out = (struct checked_files){0};
    vec_each(const struct check, c, &w->checks)
    {
        struct checked_file *f = vec_add(a, &out->list);

        if (c->kind != CHECK_FILE)
            continue;
        f->path = str_starts(c->text, STR("/")) ? arena_str(a, c->text)
                                                : arena_printf(a, "%.*s/%.*s", STR_ARG(w->directory), STR_ARG(c->text));
        if (stat(f->path.p, &f->before) != 0)
            f->before = (struct stat){0};
    }
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_untouched(const struct stat *before, const struct stat *now)
{
    return before->st_ino == now->st_ino && before->st_dev == now->st_dev && before->st_size == now->st_size &&
           same_time(before->st_mtim, now->st_mtim) && same_time(before->st_ctim, now->st_ctim);
}

/* The reason not to copy a file; NULL if there is none. */
static const char *unfit(const struct checked_file *f, const struct stat *now)
{
    if (!S_ISREG(now->st_mode))
        return "it is not a regular file";
    if (is_untouched(&f->before, now))
        return "it was not written; the existing file is older";
    return now->st_size > KEPT_MAX ? "it is larger than 8 GiB" : NULL;
}

static int copy(int fd, const char *to)
{
    struct outfile out;
    struct buf block = {0};
    uint64_t at = 0;
    ssize_t n;
    int error = outfile_open(&out, to);

    if (error)
        return error;
    while ((n = read_at(fd, buf_room(&block, 1 << 20), 1 << 20, at)) > 0) {
        outfile_write(&out, (struct str){block.p, (size_t)n});
        at += (uint64_t)n;
    }
    buf_free(&block);
    if (n < 0)
        outfile_abort(&out);
    return n < 0 ? (int)n : outfile_commit(&out);
}

/* Sets *why and copies nothing if the file is not to be copied. */
static int copy_fitting(int fd, const struct checked_file *f, const char *dir, const char *to, const char **why)
{
    struct stat now;
    int error = fstat(fd, &now) ? -errno : 0;

    if (error || (*why = unfit(f, &now)))
        return error;
    error = make_dirs(dir);
    return error ? error : copy(fd, to);
}

/* The number of the check comes first, so that files with the same name can be copied into one directory. */
static void keep_one(struct arena *a, const char *dir, size_t number, struct checked_file *f)
{
    int fd = open(f->path.p, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error = fd < 0 ? -errno : 0;
    struct str kept = arena_printf(a, "%s/%zu-%.*s", dir, number, STR_ARG(str_file_name(f->path)));
    const char *why = NULL;

    if (fd >= 0) {
        error = copy_fitting(fd, f, dir, kept.p, &why);
        close(fd);
    }
    if (error)
        why = error == -ENOENT ? "it was not written" : strerror(-error);
    if (why)
        f->why_not = arena_str(a, str_of(why));
    else
        f->kept = kept;
}

void check_files_keep(struct arena *a, const struct workload *w, const char *dir, struct checked_files *files)
{
    for (size_t i = 0; i < files->list.n; i++)
        if (w->checks.v[i].kind == CHECK_FILE)
            keep_one(a, dir, i + 1, &files->list.v[i]);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static void not_compared(struct check_result *r, const char *which, struct str why)
{
    r->outcome = CHECK_NOT_COMPARED;
    snprintf(r->why, sizeof r->why, "%s%.*s", which, STR_ARG(str_take(why, 400)));
}

static void compare_texts(const struct check *c, struct str then, struct str now, struct check_result *r)
{
    struct buf was = {0}, is = {0};
    int error = read_file(then.p, TEXT_MAX, &was);

    if (!error)
        error = read_file(now.p, TEXT_MAX, &is);
    if (error)
        not_compared(r, "", error == -EFBIG ? STR("it is larger than 256 MiB") : str_of(strerror(-error)));
    else
        check_lines(c, buf_view(&was), buf_view(&is), r);
    buf_free(&was);
    buf_free(&is);
}

/* The file names that hook/compare.py can read. */
static bool is_for_python(struct str name)
{
    static const char *const ends[] = {".npy", ".npz", ".pt", ".pth", ".safetensors"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (str_ends(name, str_of(ends[i])))
            return true;
    return false;
}

static void take_text(struct json_doc *doc, const char *key, char *out, size_t size)
{
    struct str s = {"", 0};

    json_get_str(doc, doc->root, key, &s);
    snprintf(out, size, "%.*s", STR_ARG(str_take(s, size - 1)));
}

/* null: there is no finite difference */
static double take_number(struct json_doc *doc, const char *key)
{
    double number = INFINITY;

    json_get_double(doc, doc->root, key, &number);
    return number;
}

static bool take_answer(struct str text, struct check_result *r)
{
    struct json_doc doc = {0};
    struct str outcome = {"", 0};
    int64_t values = 0;
    bool good = json_doc_load_whole(&doc, text) && json_get_str(&doc, doc.root, "outcome", &outcome) == JSON_FOUND;

    if (good) {
        r->outcome = str_eq(outcome, STR("same"))        ? CHECK_SAME
                     : str_eq(outcome, STR("different")) ? CHECK_DIFFERENT
                                                         : CHECK_NOT_COMPARED;
        take_text(&doc, "why", r->why, sizeof r->why);
        take_text(&doc, "where", r->where, sizeof r->where);
        take_text(&doc, "then", r->then, sizeof r->then);
        take_text(&doc, "now", r->now, sizeof r->now);
        r->max_abs = take_number(&doc, "max_abs");
        r->max_rel = take_number(&doc, "max_rel");
        json_get_i64(&doc, doc.root, "numbers", &values);
        r->values = (uint64_t)values;
    }
    json_doc_free(&doc);
    return good;
}

static void say_ending(const struct launch_result *ended, int error, struct check_result *r)
{
    char text[200];

    if (error || ended->end == LAUNCH_NOT_STARTED)
        snprintf(text, sizeof text, "%s", strerror(error ? -error : ended->error));
    else if (ended->end == LAUNCH_TIMED_OUT)
        snprintf(text, sizeof text, "it took more than %d s", PYTHON_SECONDS);
    else
        snprintf(text, sizeof text, "it ended with %s %d", ended->end == LAUNCH_EXITED ? "status" : "signal",
                 ended->end == LAUNCH_EXITED ? ended->status : ended->signal);
    not_compared(r, "the Python that should read the files: ", str_of(text));
}

/* The workload's environment, without tracing. */
static char **environment_for_python(struct arena *a, const struct environment *of_workload)
{
    struct environment e = {.arena = a};

    environment_add(&e, &of_workload->list);
    environment_unset(&e, STR("TORCH_LOGS"));
    environment_unset(&e, STR("TORCH_TRACE"));
    return environment_make(&e);
}

static int run_python(struct arena *a, const struct check *c, struct str then, struct str now, const char *answer,
                      const struct check_python *python, struct launch_result *ended)
{
    const char *dir = python->scratch;
    const char *const argv[] = {
        arena_str(a, python->python).p,      arena_printf(a, "%s/compare.py", dir).p, then.p, now.p, answer,
        arena_printf(a, "%.17g", c->rtol).p, arena_printf(a, "%.17g", c->atol).p,     NULL};
    struct launch launch = {.argv = argv,
                            .environment = environment_for_python(a, python->environment),
                            .directory = dir,
                            .out_path = arena_printf(a, "%s/compare.out", dir).p,
                            .err_path = arena_printf(a, "%s/compare.err", dir).p,
                            .time_limit_s = PYTHON_SECONDS,
                            .silent = true,
                            .plain = true};
    int error = hook_write_compare(dir);

    return error ? error : launch_run(&launch, ended);
}

static void compare_with_python(struct arena *a, const struct check *c, struct str then, struct str now,
                                const struct check_python *python, struct check_result *r)
{
    const char *answer = arena_printf(a, "%s/compare.json", python->scratch).p;
    struct launch_result ended = {0};
    struct buf text = {0};
    int error;

    unlink(answer);
    error = run_python(a, c, then, now, answer, python, &ended);
    if (error || read_file(answer, ANSWER_MAX, &text) != 0 || !take_answer(buf_view(&text), r))
        say_ending(&ended, error, r);
    buf_free(&text);
}

void check_file_compare(struct arena *a, const struct check *c, const struct checked_file *then,
                        const struct checked_file *now, const struct check_python *python, struct check_result *r)
{
    if (then->kept.n == 0)
        not_compared(r, "in the first run: ", then->why_not);
    else if (now->kept.n == 0)
        not_compared(r, "in this run: ", now->why_not);
    else if (is_for_python(now->path))
        compare_with_python(a, c, then->kept, now->kept, python, r);
    else
        compare_texts(c, then->kept, now->kept, r);
}
