#include "relaunch/family.h"

#include "util/file.h"
#include "util/mem.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct member {
    pid_t pid, parent;
    bool ours;
};

struct family {
    struct member *list;
    size_t n, cap;
};

void family_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* Of "PID (name) STATE PARENT ...": a name may hold anything, a ')' too. 0 for a process that is gone, or dead already.
 */
static pid_t parent_of(struct str pid)
{
    char path[64];
    struct buf text = {0};
    ptrdiff_t end;
    uint64_t parent = 0;

    snprintf(path, sizeof path, "/proc/%.*s/stat", STR_ARG(pid));
    if (read_file(path, 4096, &text) == 0 && (end = str_rchr(buf_view(&text), ')')) >= 0) {
        struct str rest = str_skip(buf_view(&text), (size_t)end + 2);

        if (!str_starts(rest, STR("Z")) && !str_starts(rest, STR("X"))) {
            rest = str_skip(rest, 2);
            str_take_u64(&rest, &parent);
        }
    }
    buf_free(&text);
    return (pid_t)parent;
}

static void find_all(struct family *f)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;

    while (proc && (entry = readdir(proc))) {
        struct str name = str_of(entry->d_name);
        uint64_t pid;
        pid_t parent;

        if (!str_u64(name, &pid) || (parent = parent_of(name)) == 0)
            continue;
        if (f->n == f->cap) {
            f->cap = f->cap ? f->cap * 2 : 256;
            f->list = xrealloc(f->list, f->cap * sizeof *f->list);
        }
        f->list[f->n++] = (struct member){(pid_t)pid, parent, parent == getpid()};
    }
    if (proc)
        closedir(proc);
}

static int by_pid(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* A member's children are members: from the top down, a generation at a time, as pids are in no order. */
static void mark_descendants(struct family *f)
{
    if (f->n)
        qsort(f->list, f->n, sizeof *f->list, by_pid);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < f->n; i++) {
            const struct member key = {.pid = f->list[i].parent}, *parent;

            if (f->list[i].ours)
                continue;
            parent = bsearch(&key, f->list, f->n, sizeof *f->list, by_pid);
            if (parent && parent->ours)
                more = f->list[i].ours = true;
        }
    }
}

size_t family_signal(int signal)
{
    struct family f = {0};
    size_t n = 0;

    find_all(&f);
    mark_descendants(&f);
    for (size_t i = 0; i < f.n; i++)
        if (f.list[i].ours && kill(f.list[i].pid, signal) == 0)
            n++;
    free(f.list);
    return n;
}

enum { KILL_ROUNDS = 50, ROUND_MS = 20 };

void family_kill(void)
{
    const struct timespec pause = {.tv_nsec = ROUND_MS * 1000000L};

    for (int round = 0; round < KILL_ROUNDS && family_signal(SIGKILL); round++)
        nanosleep(&pause, NULL);
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}
